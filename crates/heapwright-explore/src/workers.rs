//! Workers that share the parts of one tree.
//!
//! A worker without a part is hungry; one that is at work sees that between two slices and gives
//! away what is untried at its oldest fork. What parts hand out is taken in the order of the parts,
//! so that it comes out as from one search, whatever the number of workers.
//!
//! Invariant: the first part that is not finished is worked on, or a worker is about to take it. A
//! worker only ever waits for parts before its own, so none waits for ever.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::progress::Progress;
use crate::span::Span;

/// Most bytes handed out by parts whose turn has not come: past it their workers wait.
const MAX_AHEAD: u64 = 32 << 20;

/// A part of the tree that was not taken yet.
struct Part<T, R> {
    /// What it has handed out.
    items: Vec<T>,
    /// Bytes of these, about.
    bytes: u64,
    /// What came of it, once it is finished.
    result: Option<R>,
    progress: Progress,
    share: f64,
}

struct State<T, R> {
    parts: BTreeMap<Span, Part<T, R>>,
    /// Those of them that nobody works on yet.
    waiting: BTreeSet<Span>,
    working: usize,
    hungry: usize,
    /// Bytes of all that was handed out and not taken.
    bytes: u64,
}

/// The parts of a tree, workers that explore them, and one that takes what they find.
pub struct Workers<T, R> {
    state: Mutex<State<T, R>>,
    changed: Condvar,
    is_hungry: AtomicBool,
    is_stopped: AtomicBool,
}

/// What there is to take.
pub enum News<T, R> {
    /// The first part has handed these out.
    Items(Vec<T>),
    /// The first part is finished.
    Finished(R),
    /// Nothing within the time given.
    Nothing,
    /// There is no part any more, or all have stopped.
    End,
}

impl<T, R> Workers<T, R> {
    /// Begins with these parts, no two of which overlap.
    #[must_use]
    pub fn new(spans: impl IntoIterator<Item = Span>) -> Workers<T, R> {
        let waiting: BTreeSet<Span> = spans.into_iter().collect();
        Workers {
            state: Mutex::new(State {
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

    /// For a worker: the first part that nobody works on, as soon as there is one; `None` once all are
    /// to stop, as they are when everything was taken.
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

    /// For a worker, between two slices: notes where it stands, and says whether it is to give
    /// something away; `None` if its part was dropped.
    pub fn note(&self, span: &Span, progress: &Progress, share: f64) -> Option<bool> {
        let mut state = self.lock();
        let part = state.parts.get_mut(span)?;
        (part.progress, part.share) = (progress.clone(), share);
        Some(self.is_hungry.load(Ordering::Relaxed))
    }

    /// For a worker: gives away a part of the one it works on, unless that was dropped.
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

    /// For a worker: hands out what it has found, of about so many bytes, and waits if it is too
    /// far ahead.
    pub fn hand_out(&self, span: &Span, items: &mut Vec<T>, bytes: u64) {
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

    /// For the one who takes: further parts, or the one that was just taken again.
    pub fn put(&self, spans: impl IntoIterator<Item = Span>) {
        let mut state = self.lock();
        for span in spans {
            state.parts.insert(span.clone(), part());
            state.waiting.insert(span);
        }
        self.look_for_hungry(&state);
        self.changed.notify_all();
    }

    /// Drops the parts that lie below a path, whatever has come of them.
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

    /// For a worker: its part is finished, or was stopped.
    pub fn finish(&self, span: &Span, result: R) {
        let mut state = self.lock();
        if let Some(part) = state.parts.get_mut(span) {
            part.result = Some(result);
        }
        state.working = state.working.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Lets all workers stop where they stand.
    pub fn stop(&self) {
        let _state = self.lock();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// As [`Workers::stop`], where a worker will never finish its part.
    pub fn give_up(&self) {
        self.stop();
        self.lock().working = 0;
        self.changed.notify_all();
    }

    /// Whether all are to stop within this time; waits for it.
    #[must_use]
    pub fn stops_within(&self, time: Duration) -> bool {
        let is_going_on = |_: &mut State<T, R>| !self.is_stopped();
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, time, is_going_on);
        drop(waited);
        self.is_stopped()
    }

    /// Whether all are to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Takes what comes next in the order of the parts, and waits for it that long.
    pub fn next(&self, patience: Duration) -> News<T, R> {
        let mut state = self.lock();
        let mut has_waited = false;
        loop {
            let State { parts, bytes, .. } = &mut *state;
            let Some(mut first) = parts.first_entry() else {
                return News::End;
            };
            if !first.get().items.is_empty() {
                let part = first.get_mut();
                *bytes -= std::mem::take(&mut part.bytes);
                let items = std::mem::take(&mut part.items);
                self.changed.notify_all();
                return News::Items(items);
            }
            if let Some(result) = first.get_mut().result.take() {
                first.remove();
                self.changed.notify_all();
                return News::Finished(result);
            }
            if self.is_stopped() && state.working == 0 {
                return News::End;
            }
            if has_waited {
                return News::Nothing;
            }
            has_waited = true;
            state = self
                .changed
                .wait_timeout(state, patience)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// The counts of the parts not taken yet, and the share of the tree before the first of them.
    #[must_use]
    pub fn progress(&self) -> (Progress, f64) {
        let state = self.lock();
        let mut all = Progress::default();
        for part in state.parts.values() {
            all += &part.progress;
        }
        let share = state.parts.values().next().map_or(1.0, |part| part.share);
        (all, share)
    }

    /// The parts that were not taken, in order, and what came of each that was begun.
    #[must_use]
    pub fn left(self) -> Vec<(Span, Option<R>)> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let parts = state.parts.into_iter();
        parts.map(|(span, part)| (span, part.result)).collect()
    }

    fn look_for_hungry(&self, state: &State<T, R>) {
        let is_hungry = state.hungry > state.waiting.len();
        self.is_hungry.store(is_hungry, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<T, R>>) -> MutexGuard<'g, State<T, R>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn part<T, R>() -> Part<T, R> {
    Part {
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
        workers.hand_out(&second, &mut vec![4], 1);
        workers.give(&first, span(&[0, 1]));
        workers.finish(&second, "second");
        assert!(matches!(workers.next(Duration::ZERO), News::Nothing));
        workers.hand_out(&first, &mut vec![1, 2], 1);
        workers.finish(&first, "first");
        let given = workers.take().unwrap();
        workers.hand_out(&given, &mut vec![3], 1);
        workers.finish(&given, "given");
        let mut found = Vec::new();
        loop {
            match workers.next(Duration::ZERO) {
                News::Items(items) => found.extend(items.iter().map(u32::to_string)),
                News::Finished(name) => found.push(name.to_owned()),
                News::Nothing => panic!("all is there"),
                News::End => break,
            }
        }
        assert_eq!(found, ["1", "2", "first", "3", "given", "4", "second"]);
    }

    #[test]
    fn who_is_too_far_ahead_waits() {
        let workers: Workers<u32, ()> = Workers::new([span(&[0]), span(&[1])]);
        let (first, second) = (workers.take().unwrap(), workers.take().unwrap());
        std::thread::scope(|scope| {
            let ahead = scope.spawn(|| workers.hand_out(&second, &mut vec![1], MAX_AHEAD + 1));
            std::thread::sleep(Duration::from_millis(20));
            assert!(!ahead.is_finished());
            // The first part never waits.
            workers.hand_out(&first, &mut vec![0], MAX_AHEAD);
            workers.finish(&first, ());
            assert!(matches!(workers.next(Duration::ZERO), News::Items(_)));
            assert!(matches!(workers.next(Duration::ZERO), News::Finished(())));
            ahead.join().unwrap();
        });
    }

    #[test]
    fn what_is_dropped_is_not_taken() {
        let workers: Workers<u32, ()> =
            Workers::new([span(&[0]), span(&[1, 0]), span(&[1, 1]), span(&[2])]);
        let (first, second) = (workers.take().unwrap(), workers.take().unwrap());
        workers.hand_out(&second, &mut vec![1], 1);
        workers.drop_below(&[1]);
        assert_eq!(workers.note(&second, &Progress::default(), 0.0), None);
        assert_eq!(workers.note(&first, &Progress::default(), 0.0), Some(false));
        workers.give(&second, span(&[1, 0, 1]));
        workers.hand_out(&second, &mut vec![2], 1);
        workers.finish(&second, ());
        workers.finish(&first, ());
        assert!(matches!(workers.next(Duration::ZERO), News::Finished(())));
        assert_eq!(workers.take(), Some(span(&[2])));
        assert_eq!(workers.left(), [(span(&[2]), None)]);
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
        assert!(matches!(workers.next(Duration::ZERO), News::Finished(1)));
        assert!(matches!(workers.next(Duration::ZERO), News::Finished(2)));
        assert!(matches!(workers.next(Duration::ZERO), News::End));
        assert_eq!(workers.left(), [(span(&[2]), None)]);
    }
}
