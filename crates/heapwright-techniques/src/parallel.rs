//! A search by many workers, each with a machine of its own, whose result is that of one: who does what, whatever is
//! searched.
//!
//! **Invariant:** what parts hand out, and what comes of them, is taken in the order of the parts, by one collector.

use std::ops::ControlFlow;
use std::time::Duration;

use heapwright_explore::{News, Search, Span, Workers};

/// Time between two looks at the workers.
const PATIENCE: Duration = Duration::from_millis(50);
/// Most items, and bytes of them, that a worker keeps before it hands them out.
const BATCH: (usize, u64) = (64, 64 << 10);

/// What all workers of a search share; `T` is what they find, `R` what comes of a part.
pub(crate) struct Pool<'a, T, R> {
    workers: &'a Workers<T, R>,
    stops: &'a (dyn Fn() -> bool + Sync),
}

/// Items of a part that were not handed out yet.
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
    /// Adds an item of about so many bytes.
    pub fn push(&mut self, item: T, bytes: u64) {
        self.items.push(item);
        self.bytes += bytes;
    }
}

impl<T, R> Pool<'_, T, R> {
    /// For a worker: goes through parts as long as there are some.
    pub fn work(&self, mut search: impl FnMut(&Span) -> R) {
        while let Some(span) = self.workers.take() {
            let result = search(&span);
            self.workers.finish(&span, result);
        }
    }

    /// For a worker that takes long to begin: whether all was searched within this time; waits for it.
    pub fn ends_within(&self, time: Duration) -> bool {
        self.workers.stops_within(time)
    }

    /// For a worker that cannot work: this comes of the next part.
    pub fn give_up(&self, result: R) {
        if let Some(span) = self.workers.take() {
            self.workers.finish(&span, result);
        }
    }

    /// For a worker, between two slices of a part: gives part of it away if another has nothing to do. Breaks off where
    /// all are to stop, or the part was dropped.
    pub fn share(&self, span: &Span, search: &mut dyn Search) -> ControlFlow<()> {
        let noted = self
            .workers
            .note(span, search.progress(), search.share_seen());
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

    /// For a worker: hands out what it has found if that is enough.
    pub fn hand_out_full(&self, span: &Span, batch: &mut Batch<T>) {
        if batch.items.len() >= BATCH.0 || batch.bytes >= BATCH.1 {
            self.hand_out(span, batch);
        }
    }

    /// For a worker: hands out what it has found.
    pub fn hand_out(&self, span: &Span, batch: &mut Batch<T>) {
        if !batch.items.is_empty() {
            let bytes = std::mem::take(&mut batch.bytes);
            self.workers.hand_out(span, &mut batch.items, bytes);
        }
    }

    /// Whether to go on.
    pub fn asked(&self) -> ControlFlow<()> {
        match self.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether all are to stop.
    pub fn is_stopped(&self) -> bool {
        if (self.stops)() {
            self.workers.stop();
        }
        self.workers.is_stopped()
    }
}

/// Takes what the parts of a search come to, in their order.
pub(crate) trait Collector<T, R> {
    /// Why it cannot.
    type Error;

    /// Takes an item. Breaking off ends the search.
    ///
    /// # Errors
    /// The search ends by this.
    fn take(&mut self, item: T) -> Result<ControlFlow<()>, Self::Error>;

    /// Takes what came of a part, behind its items. Breaking off ends the search.
    ///
    /// # Errors
    /// The search ends by this.
    fn finish(
        &mut self,
        result: R,
        workers: &Workers<T, R>,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// Looks at where the search stands: behind all that is taken, and now and then. Breaking off ends the search.
    fn watch(&mut self, workers: &Workers<T, R>) -> ControlFlow<()>;

    /// Ends what does not look up by itself: all are to stop. Called several times.
    fn stop(&mut self) {}
}

/// How far a search was collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// All of it.
    All,
    /// Up to where the workers stopped.
    UpToStop,
    /// Up to where the collector broke off.
    UpToBreak,
}

/// Searches these parts with so many workers: `own` is the first of them, on this thread, `further` each other.
///
/// # Errors
/// What the collector says.
pub(crate) fn search<T: Send, R: Send, C: Collector<T, R, Error: Send> + Send>(
    spans: impl IntoIterator<Item = Span>,
    jobs: usize,
    stops: &(dyn Fn() -> bool + Sync),
    own: impl FnOnce(&Pool<'_, T, R>),
    further: &(dyn Fn(&Pool<'_, T, R>) + Sync),
    collector: &mut C,
) -> Result<(Collected, Workers<T, R>), C::Error> {
    let workers = Workers::new(spans);
    let pool = Pool {
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
    pool: &Pool<'_, T, R>,
    collector: &mut C,
) -> Result<Collected, C::Error> {
    loop {
        match pool.workers.next(PATIENCE) {
            News::Items(items) => {
                for item in items {
                    if collector.take(item)?.is_break() {
                        return Ok(Collected::UpToBreak);
                    }
                }
            }
            News::Finished(result) => {
                if collector.finish(result, pool.workers)?.is_break() {
                    return Ok(Collected::UpToBreak);
                }
            }
            News::Nothing => {}
            News::End => {
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

/// Lets the others stop if a worker comes to a panic, which then shows.
struct StopOnPanic<'a, T, R>(&'a Workers<T, R>);

impl<T, R> Drop for StopOnPanic<'_, T, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}
