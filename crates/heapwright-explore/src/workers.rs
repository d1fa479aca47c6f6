//! Pool of workers that share the parts of one tree.
//!
//! An idle worker is hungry; a busy worker notices that between two slices and splits off the
//! untried alternatives of its oldest fork. Results are consumed in the order of the parts, so they
//! equal those of one search, whatever the number of workers.
//!
//! Invariant: the first unfinished part is being explored, or a worker is about to take it. A
//! worker waits only for parts before its own, so no deadlock is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::progress::Progress;
use crate::span::Span;

/// Most bytes of results from parts whose turn has not come; beyond this, their workers wait.
const MAX_AHEAD: u64 = 32 << 20;

/// Part of the tree whose results are not all consumed.
struct PendingPart<T, R> {
    /// Results not consumed yet.
    items: Vec<T>,
    /// Approximate size of `items` in bytes.
    bytes: u64,
    /// Result of the part, once it is finished.
    result: Option<R>,
    progress: Progress,
    share: f64,
}

struct QueueState<T, R> {
    parts: BTreeMap<Span, PendingPart<T, R>>,
    /// Parts that no worker explores yet.
    waiting: BTreeSet<Span>,
    working: usize,
    hungry: usize,
    /// Bytes of all results that are not consumed.
    bytes: u64,
}

/// Parts of a tree, shared between the workers that explore them and one consumer.
pub struct Workers<T, R> {
    state: Mutex<QueueState<T, R>>,
    changed: Condvar,
    is_hungry: AtomicBool,
    is_stopped: AtomicBool,
}

/// State of a search by several workers.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Counts of the whole search.
    pub progress: Progress,
    /// Estimate of the share of the tree that is behind.
    pub share: f64,
    /// Parts that workers explore, in order.
    pub parts: Vec<PartState>,
}

/// State of a part that a worker explores.
#[derive(Clone, Debug)]
pub struct PartState {
    /// The part.
    pub span: Span,
    /// Counts of it so far.
    pub progress: Progress,
    /// Estimate of the share of the tree before the place where the worker is.
    pub share: f64,
}

/// Next event for the consumer.
pub enum WorkerEvent<T, R> {
    /// Results of the first part.
    Items(Vec<T>),
    /// End of the first part.
    Finished(R),
    /// No event within the given time.
    Nothing,
    /// No part is left, or all workers have stopped.
    End,
}

impl<T, R> Workers<T, R> {
    /// Creates a pool with these parts, which must not overlap.
    #[must_use]
    pub fn new(spans: impl IntoIterator<Item = Span>) -> Workers<T, R> {
        let waiting: BTreeSet<Span> = spans.into_iter().collect();
        Workers {
            state: Mutex::new(QueueState {
                parts: waiting.iter().map(|span| (span.clone(), part())).collect(),
                waiting,
                working: 0,
                hungry: 0,
                bytes: 0,
            }),
            changed: Condvar::new(),
            is_hungry: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Takes the first part that no worker explores, waiting for one if necessary; called by a
    /// worker. Returns `None` once the pool is stopped, which also happens when all results are
    /// consumed.
    pub fn take(&self) -> Option<Span> {
        let mut state = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(span) = state.waiting.pop_first() {
                state.working += 1;
                self.look_for_hungry(&state);
                return Some(span);
            }
            state.hungry += 1;
            self.look_for_hungry(&state);
            state = self.wait(state);
            state.hungry -= 1;
        }
    }

    /// Records a worker's progress between two slices. Returns whether the worker should split off
    /// a part; `None` if its part was dropped.
    pub fn record_progress(&self, span: &Span, progress: &Progress, share: f64) -> Option<bool> {
        let mut state = self.lock();
        let part = state.parts.get_mut(span)?;
        (part.progress, part.share) = (progress.clone(), share);
        Some(self.is_hungry.load(Ordering::Relaxed))
    }

    /// Adds a part that a worker has split off from its own, unless that was dropped.
    pub fn give(&self, from: &Span, span: Span) {
        let mut state = self.lock();
        if !state.parts.contains_key(from) {
            return;
        }
        state.parts.insert(span.clone(), part());
        state.waiting.insert(span);
        self.look_for_hungry(&state);
        self.changed.notify_all();
    }

    /// Hands over a worker's results, of about `bytes` bytes, and waits if the worker is too far
    /// ahead.
    pub fn push_results(&self, span: &Span, items: &mut Vec<T>, bytes: u64) {
        let mut state = self.lock();
        if let Some(part) = state.parts.get_mut(span) {
            part.items.append(items);
            part.bytes += bytes;
            state.bytes += bytes;
        }
        self.changed.notify_all();
        while state.bytes > MAX_AHEAD
            && state.parts.first_key_value().map(|(first, _)| first) != Some(span)
            && state.parts.contains_key(span)
            && !self.is_stopped()
        {
            state = self.wait(state);
        }
    }

    /// Adds parts for the consumer: new ones, or the part just taken.
    pub fn put(&self, spans: impl IntoIterator<Item = Span>) {
        let mut state = self.lock();
        for span in spans {
            state.parts.insert(span.clone(), part());
            state.waiting.insert(span);
        }
        self.look_for_hungry(&state);
        self.changed.notify_all();
    }

    /// Drops the parts below a path, in whatever state.
    pub fn drop_below(&self, path: &[i64]) {
        let mut state = self.lock();
        let is_below = |span: &Span| span.path[..span.fixed].starts_with(path);
        let dropped: Vec<Span> = state
            .parts
            .keys()
            .filter(|&span| is_below(span))
            .cloned()
            .collect();
        for span in dropped {
            state.waiting.remove(&span);
            if let Some(part) = state.parts.remove(&span) {
                state.bytes -= part.bytes;
            }
        }
        self.changed.notify_all();
    }

    /// Records that a worker's part is finished or was stopped.
    pub fn finish(&self, span: &Span, result: R) {
        let mut state = self.lock();
        if let Some(part) = state.parts.get_mut(span) {
            part.result = Some(result);
        }
        state.working = state.working.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Stops all workers at their current positions.
    pub fn stop(&self) {
        let _state = self.lock();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Stops all workers, even if some will never finish their parts.
    pub fn give_up(&self) {
        self.stop();
        self.lock().working = 0;
        self.changed.notify_all();
    }

    /// Waits for the pool to be stopped, for at most `time`; returns whether it is.
    #[must_use]
    pub fn stops_within(&self, time: Duration) -> bool {
        let is_going_on = |_: &mut QueueState<T, R>| !self.is_stopped();
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, time, is_going_on);
        drop(waited);
        self.is_stopped()
    }

    /// Whether the pool is stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Takes the next event in the order of the parts, waiting for at most `patience`.
    pub fn next(&self, patience: Duration) -> WorkerEvent<T, R> {
        let mut state = self.lock();
        let mut has_waited = false;
        loop {
            let QueueState { parts, bytes, .. } = &mut *state;
            let Some(mut first) = parts.first_entry() else {
                return WorkerEvent::End;
            };
            if !first.get().items.is_empty() {
                let part = first.get_mut();
                *bytes -= std::mem::take(&mut part.bytes);
                let items = std::mem::take(&mut part.items);
                self.changed.notify_all();
                return WorkerEvent::Items(items);
            }
            if let Some(result) = first.get_mut().result.take() {
                first.remove();
                self.changed.notify_all();
                return WorkerEvent::Finished(result);
            }
            if self.is_stopped() && state.working == 0 {
                return WorkerEvent::End;
            }
            if has_waited {
                return WorkerEvent::Nothing;
            }
            has_waited = true;
            state = self
                .changed
                .wait_timeout(state, patience)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// State of the search without what was consumed: counts of the other parts, and the share of
    /// the tree before the first of them.
    #[must_use]
    pub fn state(&self) -> SearchState {
        let state = self.lock();
        let mut all = SearchState {
            share: state.parts.values().next().map_or(1.0, |part| part.share),
            ..SearchState::default()
        };
        for (span, part) in &state.parts {
            all.progress += &part.progress;
            if part.result.is_none() && !state.waiting.contains(span) {
                all.parts.push(PartState {
                    span: span.clone(),
                    progress: part.progress.clone(),
                    share: part.share,
                });
            }
        }
        all
    }

    /// Parts not consumed, in order, with the result of each finished one.
    #[must_use]
    pub fn into_remaining(self) -> Vec<(Span, Option<R>)> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let parts = state.parts.into_iter();
        parts.map(|(span, part)| (span, part.result)).collect()
    }

    fn look_for_hungry(&self, state: &QueueState<T, R>) {
        let is_hungry = state.hungry > state.waiting.len();
        self.is_hungry.store(is_hungry, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(
        &self,
        state: MutexGuard<'g, QueueState<T, R>>,
    ) -> MutexGuard<'g, QueueState<T, R>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn part<T, R>() -> PendingPart<T, R> {
    PendingPart {
        items: Vec::new(),
        bytes: 0,
        result: None,
        progress: Progress::default(),
        share: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(path: &[i64]) -> Span {
        Span::below(path.to_vec())
    }

    #[test]
    fn items_come_in_the_order_of_the_parts() {
        let workers: Workers<u32, &str> = Workers::new([span(&[1]), span(&[0])]);
        let (first, second) = (workers.take().unwrap(), workers.take().unwrap());
        assert_eq!((&first, &second), (&span(&[0]), &span(&[1])));
        workers.push_results(&second, &mut vec![4], 1);
        workers.give(&first, span(&[0, 1]));
        workers.finish(&second, "second");
        assert!(matches!(workers.next(Duration::ZERO), WorkerEvent::Nothing));
        workers.push_results(&first, &mut vec![1, 2], 1);
        workers.finish(&first, "first");
        let given = workers.take().unwrap();
        workers.push_results(&given, &mut vec![3], 1);
        workers.finish(&given, "given");
        let mut found = Vec::new();
        loop {
            match workers.next(Duration::ZERO) {
                WorkerEvent::Items(items) => found.extend(items.iter().map(u32::to_string)),
                WorkerEvent::Finished(name) => found.push(name.to_owned()),
                WorkerEvent::Nothing => panic!("all is there"),
                WorkerEvent::End => break,
            }
        }
        assert_eq!(found, ["1", "2", "first", "3", "given", "4", "second"]);
    }

    #[test]
    fn who_is_too_far_ahead_waits() {
        let workers: Workers<u32, ()> = Workers::new([span(&[0]), span(&[1])]);
        let (first, second) = (workers.take().unwrap(), workers.take().unwrap());
        std::thread::scope(|scope| {
            let ahead = scope.spawn(|| workers.push_results(&second, &mut vec![1], MAX_AHEAD + 1));
            std::thread::sleep(Duration::from_millis(20));
            assert!(!ahead.is_finished());
            // The first part never waits.
            workers.push_results(&first, &mut vec![0], MAX_AHEAD);
            workers.finish(&first, ());
            assert!(matches!(
                workers.next(Duration::ZERO),
                WorkerEvent::Items(_)
            ));
            assert!(matches!(
                workers.next(Duration::ZERO),
                WorkerEvent::Finished(())
            ));
            ahead.join().unwrap();
        });
    }

    #[test]
    fn what_is_dropped_is_not_taken() {
        let workers: Workers<u32, ()> =
            Workers::new([span(&[0]), span(&[1, 0]), span(&[1, 1]), span(&[2])]);
        let (first, second) = (workers.take().unwrap(), workers.take().unwrap());
        workers.push_results(&second, &mut vec![1], 1);
        workers.drop_below(&[1]);
        assert_eq!(
            workers.record_progress(&second, &Progress::default(), 0.0),
            None
        );
        assert_eq!(
            workers.record_progress(&first, &Progress::default(), 0.0),
            Some(false)
        );
        workers.give(&second, span(&[1, 0, 1]));
        workers.push_results(&second, &mut vec![2], 1);
        workers.finish(&second, ());
        workers.finish(&first, ());
        assert!(matches!(
            workers.next(Duration::ZERO),
            WorkerEvent::Finished(())
        ));
        assert_eq!(workers.take(), Some(span(&[2])));
        assert_eq!(workers.into_remaining(), [(span(&[2]), None)]);
    }

    #[test]
    fn what_was_not_taken_is_left() {
        let workers: Workers<(), u32> = Workers::new([span(&[0]), span(&[1]), span(&[2])]);
        let _ = workers.take();
        let second = workers.take().unwrap();
        workers.stop();
        workers.finish(&second, 2);
        workers.finish(&span(&[0]), 1);
        assert_eq!(workers.take(), None);
        assert!(matches!(
            workers.next(Duration::ZERO),
            WorkerEvent::Finished(1)
        ));
        assert!(matches!(
            workers.next(Duration::ZERO),
            WorkerEvent::Finished(2)
        ));
        assert!(matches!(workers.next(Duration::ZERO), WorkerEvent::End));
        assert_eq!(workers.into_remaining(), [(span(&[2]), None)]);
    }
}
