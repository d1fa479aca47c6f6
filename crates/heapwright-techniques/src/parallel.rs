//! Parallel search by workers with a machine each, with the same result as a single one. This
//! module is independent of the kind of search.
//!
//! **Invariant:** one collector takes the items and results of parts in the order of the parts.

use std::ops::ControlFlow;
use std::time::Duration;

use heapwright_explore::{Search, Span, WorkerEvent, Workers};

/// Time between two checks of the workers.
const PATIENCE: Duration = Duration::from_millis(50);
/// Maximum number of items, and of their bytes, that a worker holds before it hands them out.
const BATCH: (usize, u64) = (64, 64 << 10);

/// State shared by all workers of a search; `T` is an item found, `R` the result of a part.
pub(crate) struct WorkerPool<'a, T, R> {
    workers: &'a Workers<T, R>,
    stops: &'a (dyn Fn() -> bool + Sync),
}

/// Items of a part that have not been handed out yet.
pub(crate) struct Batch<T> {
    items: Vec<T>,
    bytes: u64,
}

impl<T> Default for Batch<T> {
    fn default() -> Batch<T> {
        Batch {
            items: Vec::new(),
            bytes: 0,
        }
    }
}

impl<T> Batch<T> {
    /// Adds an item with its approximate size in bytes.
    pub fn push(&mut self, item: T, bytes: u64) {
        self.items.push(item);
        self.bytes += bytes;
    }
}

impl<T, R> WorkerPool<'_, T, R> {
    /// Searches parts until none is left; called by workers.
    pub fn work(&self, mut search: impl FnMut(&Span) -> R) {
        while let Some(span) = self.workers.take() {
            let result = search(&span);
            self.workers.finish(&span, result);
        }
    }

    /// Waits up to this time, and returns whether the whole search ended within it; for workers
    /// that are slow to start.
    pub fn ends_within(&self, time: Duration) -> bool {
        self.workers.stops_within(time)
    }

    /// Finishes the next part with this result, for a worker that cannot search.
    pub fn give_up(&self, result: R) {
        if let Some(span) = self.workers.take() {
            self.workers.finish(&span, result);
        }
    }

    /// Gives away a part of the current one if another worker is idle; called by a worker between
    /// two slices. Breaks if all workers are to stop, or if the part was dropped.
    pub fn share(&self, span: &Span, search: &mut dyn Search) -> ControlFlow<()> {
        let noted = self
            .workers
            .record_progress(span, search.progress(), search.share_seen());
        if noted == Some(true)
            && let Some(part) = search.split()
        {
            self.workers.give(span, part);
        }
        match noted {
            Some(_) => self.asked(),
            None => ControlFlow::Break(()),
        }
    }

    /// Hands out the items of a batch if it is full; called by workers.
    pub fn hand_out_full(&self, span: &Span, batch: &mut Batch<T>) {
        if batch.items.len() >= BATCH.0 || batch.bytes >= BATCH.1 {
            self.hand_out(span, batch);
        }
    }

    /// Hands out the items of a batch; called by workers.
    pub fn hand_out(&self, span: &Span, batch: &mut Batch<T>) {
        if !batch.items.is_empty() {
            let bytes = std::mem::take(&mut batch.bytes);
            self.workers.push_results(span, &mut batch.items, bytes);
        }
    }

    /// Breaks if all workers are to stop.
    pub fn asked(&self) -> ControlFlow<()> {
        match self.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether all workers are to stop.
    pub fn is_stopped(&self) -> bool {
        if (self.stops)() {
            self.workers.stop();
        }
        self.workers.is_stopped()
    }
}

/// Takes the results of parts in their order.
pub(crate) trait Collector<T, R> {
    /// The error of the collector.
    type Error;

    /// Takes an item. A break ends the search.
    ///
    /// # Errors
    /// The error ends the search.
    fn take(&mut self, item: T) -> Result<ControlFlow<()>, Self::Error>;

    /// Takes the result of a part, after its items. A break ends the search.
    ///
    /// # Errors
    /// The error ends the search.
    fn finish(
        &mut self,
        result: R,
        workers: &Workers<T, R>,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// Observes the progress of the search: after everything taken, and at intervals. A break ends
    /// the search.
    fn watch(&mut self, workers: &Workers<T, R>) -> ControlFlow<()>;

    /// Stops activities that do not check for it themselves; called several times.
    fn stop(&mut self) {}
}

/// Extent to which a search was collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// All of it.
    All,
    /// Up to the point where the workers stopped.
    UpToStop,
    /// Up to the point where the collector broke off.
    UpToBreak,
}

/// Searches parts with `jobs` workers: `own` is the first, on this thread, and `further` runs each
/// other one.
///
/// # Errors
/// The collector fails.
pub(crate) fn search<T: Send, R: Send, C: Collector<T, R, Error: Send> + Send>(
    spans: impl IntoIterator<Item = Span>,
    jobs: usize,
    stops: &(dyn Fn() -> bool + Sync),
    own: impl FnOnce(&WorkerPool<'_, T, R>),
    further: &(dyn Fn(&WorkerPool<'_, T, R>) + Sync),
    collector: &mut C,
) -> Result<(Collected, Workers<T, R>), C::Error> {
    let workers = Workers::new(spans);
    let pool = WorkerPool {
        workers: &workers,
        stops,
    };
    let collected = std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(|| {
                let _guard = StopOnPanic(&workers);
                further(&pool);
            });
        }
        let collecting = scope.spawn(|| {
            let _guard = StopOnPanic(&workers);
            let collected = collect_all(&pool, collector);
            workers.stop();
            collector.stop();
            collected
        });
        let guard = StopOnPanic(&workers);
        own(&pool);
        drop(guard);
        collecting.join()
    });
    let collected = collected.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok((collected, workers))
}

fn collect_all<T, R, C: Collector<T, R>>(
    pool: &WorkerPool<'_, T, R>,
    collector: &mut C,
) -> Result<Collected, C::Error> {
    loop {
        match pool.workers.next(PATIENCE) {
            WorkerEvent::Items(items) => {
                for item in items {
                    if collector.take(item)?.is_break() {
                        return Ok(Collected::UpToBreak);
                    }
                }
            }
            WorkerEvent::Finished(result) => {
                if collector.finish(result, pool.workers)?.is_break() {
                    return Ok(Collected::UpToBreak);
                }
            }
            WorkerEvent::Nothing => {}
            WorkerEvent::End => {
                return Ok(match pool.workers.is_stopped() {
                    true => Collected::UpToStop,
                    false => Collected::All,
                });
            }
        }
        if pool.is_stopped() {
            collector.stop();
        }
        if collector.watch(pool.workers).is_break() {
            return Ok(Collected::UpToBreak);
        }
    }
}

/// Stops the other workers if one panics; the panic then propagates.
struct StopOnPanic<'a, T, R>(&'a Workers<T, R>);

impl<T, R> Drop for StopOnPanic<'_, T, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}
