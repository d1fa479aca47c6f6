//! A search by many workers, each with a machine of its own, whose result is that of one.
//!
//! Invariant: what is handed to the consumer, and every count, comes out as if one worker had gone
//! through the parts in order. Only where nothing is handed out and somebody asks to stop are
//! counts taken of whatever was finished.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use heapwright_explore::{
    ClassName, Count, Coverage, End, Explorer, Leaf, News, Progress, Search, Span, Strategy,
    Workers,
};
use heapwright_jvm::{MethodId, Vm};

use crate::Error;
use crate::invariant::{Enumeration, Mishap, Outcome};

/// Time between two looks at the workers.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);
/// Most items, and bytes of them, that a worker keeps before it hands them out.
const BATCH: (usize, u64) = (64, 64 << 10);

/// Says whether to stop, on whatever thread.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is searched, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How the choices are made.
    pub strategy: Strategy,
    /// Whether only counts are wanted.
    pub counts_only: bool,
    /// The parts of the tree, in order.
    pub spans: Vec<Span>,
    /// Most items.
    pub limit: Option<u64>,
    /// Workers, at least one. With a criterion a Korat search has one.
    pub jobs: usize,
    /// Whether of each class of the criterion only the first structure makes an item.
    pub one_per_class: bool,
}

/// What makes items of structures; each worker has one.
pub trait Producer {
    /// What is made of a structure.
    type Item: Send;

    /// Whether an item is made of the structure at which a search stands.
    fn wants(&self, search: &dyn Search) -> bool;

    /// The item for the structure at which the machine and the search stand, and about how many
    /// bytes it takes.
    fn produce(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        search: &dyn Search,
    ) -> (Self::Item, u64);
}

/// Whoever watches a search and takes what it finds.
pub trait Consumer<T> {
    /// Takes the next item. Breaking off ends the search.
    fn take(&mut self, item: T) -> ControlFlow<()>;

    /// Sees where the search stands: the counts, and an estimate of the share that is behind.
    fn watch(&mut self, progress: &Progress, share: f64);

    /// Says whether the search is to end; asked by the workers.
    fn stopper(&self) -> Stop;
}

/// What came of a search by parts.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The counts and the rest.
    pub outcome: Outcome,
    /// Items handed out.
    pub items: u64,
    /// Whether there was an item past the limit.
    pub is_past_limit: bool,
    /// What is left, in order; nothing if all was searched.
    pub left: Vec<Span>,
}

/// An item on its way, and if there is a limit what would be left if it ended before this.
struct Passed<T> {
    item: T,
    /// The structure's class, where there is a criterion.
    class: Option<ClassName>,
    here: Option<(Span, Progress)>,
}

/// What came of a part.
struct Finished {
    outcome: Outcome,
    rest: Option<Span>,
    /// The path below which later parts are left out.
    left_out: Option<Vec<i64>>,
    is_past_limit: bool,
}

/// Searches the parts of a plan. `more` makes the machines of further workers, where there is room for
/// them, `producer` what
/// makes items of structures, on each of them.
///
/// # Errors
/// An item maker cannot be made, the invariant cannot be called, or a part is none of this search.
pub fn explore<P, C>(
    vm: &mut Vm,
    enumeration: &Enumeration,
    plan: &Plan,
    more: &(dyn Fn() -> Option<(Vm, Enumeration)> + Sync),
    producer: &(dyn Fn(&mut Vm, &Enumeration) -> Result<P, Error> + Sync),
    consumer: &mut C,
) -> Result<Whole, Error>
where
    P: Producer,
    C: Consumer<P::Item> + Send,
{
    let workers: Pool<P::Item> = Workers::new(plan.spans.iter().cloned());
    let asked = consumer.stopper();
    let stops = || {
        if asked() {
            workers.stop();
        }
        workers.is_stopped()
    };
    let desk = Desk {
        plan,
        workers: &workers,
        stops: &stops,
    };
    let mut taker = Taker::new(enumeration, plan);
    let taken = std::thread::scope(|scope| {
        for _ in 1..plan.jobs {
            scope.spawn(|| {
                let _guard = StopOnPanic(&workers);
                // Where there is no room for another machine the first worker does it alone.
                if let Some((mut vm, enumeration)) = more() {
                    desk.work(&mut vm, &enumeration, producer);
                }
            });
        }
        let taker = scope.spawn(|| {
            let _guard = StopOnPanic(&workers);
            let taken = taker.take_all(plan, &workers, consumer);
            workers.stop();
            taken
        });
        let guard = StopOnPanic(&workers);
        desk.work(vm, enumeration, producer);
        drop(guard);
        taker.join()
    });
    let taken = taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    taken?;
    taker.finish(plan, workers)
}

type Pool<T> = Workers<Passed<T>, Result<Finished, Error>>;

/// Lets the others stop if a worker comes to a panic, which then shows.
pub(crate) struct StopOnPanic<'a, T, R>(pub &'a Workers<T, R>);

impl<T, R> Drop for StopOnPanic<'_, T, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}

/// What all workers have.
struct Desk<'a, T> {
    plan: &'a Plan,
    workers: &'a Pool<T>,
    stops: &'a (dyn Fn() -> bool + Sync),
}

/// Items of a part that were not handed out yet.
struct Batch<T> {
    items: Vec<Passed<T>>,
    bytes: u64,
}

impl<T: Send> Desk<'_, T> {
    /// One worker: goes through parts as long as there are some.
    fn work<P: Producer<Item = T>>(
        &self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        producer: &(dyn Fn(&mut Vm, &Enumeration) -> Result<P, Error> + Sync),
    ) {
        let mut producer = match producer(vm, enumeration) {
            Ok(producer) => producer,
            Err(error) => {
                if let Some(span) = self.workers.take() {
                    self.workers.finish(&span, Err(error));
                }
                return;
            }
        };
        let mut search = enumeration.explorer(self.plan.strategy, self.plan.counts_only);
        while let Some(span) = self.workers.take() {
            search.start_at(span.clone());
            let result = self.explore(vm, enumeration, &mut producer, &mut *search, &span);
            self.workers.finish(&span, result);
        }
    }

    fn explore<P: Producer<Item = T>>(
        &self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        producer: &mut P,
        search: &mut dyn Explorer,
        span: &Span,
    ) -> Result<Finished, Error> {
        let batch = RefCell::new(Batch {
            items: Vec::new(),
            bytes: 0,
        });
        let mut produced = 0;
        let mut is_past_limit = false;
        let mut ask = |search: &mut dyn Search| {
            self.hand_out(span, &mut batch.borrow_mut());
            let noted = self
                .workers
                .note(span, search.progress(), search.share_seen());
            if noted == Some(true)
                && let Some(part) = search.split()
            {
                self.workers.give(span, part);
            }
            go_on(noted.is_some() && !(self.stops)())
        };
        let mut visit = |vm: &mut Vm, leaf: &Leaf, search: &dyn Search| {
            if self.plan.counts_only || *leaf != Leaf::Valid || !producer.wants(search) {
                return ControlFlow::Continue(());
            }
            if self.plan.limit == Some(produced) {
                is_past_limit = true;
                return ControlFlow::Break(());
            }
            // Making an item may take longer than finding the next structure.
            if (self.stops)() {
                return ControlFlow::Break(());
            }
            produced += 1;
            let here = self.plan.limit.map(|_| search.here());
            let (item, bytes) = producer.produce(vm, enumeration, search);
            let mut batch = batch.borrow_mut();
            let class = class_name(search);
            batch.items.push(Passed { item, class, here });
            batch.bytes += bytes;
            if batch.items.len() >= BATCH.0 || batch.bytes >= BATCH.1 {
                self.hand_out(span, &mut batch);
            }
            ControlFlow::Continue(())
        };
        let outcome = enumeration.run(vm, search, &mut ask, &mut visit)?;
        self.hand_out(span, &mut batch.borrow_mut());
        Ok(Finished {
            outcome,
            rest: search.rest().cloned(),
            left_out: search.left_out().map(<[i64]>::to_vec),
            is_past_limit,
        })
    }

    fn hand_out(&self, span: &Span, batch: &mut Batch<T>) {
        if !batch.items.is_empty() {
            let bytes = std::mem::take(&mut batch.bytes);
            self.workers.hand_out(span, &mut batch.items, bytes);
        }
    }
}

/// The class of the structure at which a search stands.
fn class_name(search: &dyn Search) -> Option<ClassName> {
    let classes = &search.coverage()?.classes;
    classes.get_index(search.class()?.number).cloned()
}

fn go_on(does: bool) -> ControlFlow<()> {
    if does {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Adds up what comes from the parts, in their order.
struct Taker {
    outcome: Outcome,
    items: u64,
    is_past_limit: bool,
    /// Where the search ended, if before its end: what comes after was not searched.
    position: Option<Span>,
    /// Leaves counted of the part in which it ended, if that was not finished.
    counted_here: Count,
    /// Leaves counted before that part.
    before_here: Count,
    /// What was left of parts in between.
    left: Vec<Span>,
    /// Whether one item of each class is taken.
    one_per_class: bool,
    /// Whether what comes of a part depends on those before it.
    in_order: bool,
}

impl Taker {
    fn new(enumeration: &Enumeration, plan: &Plan) -> Taker {
        Taker {
            outcome: Outcome {
                coverage: enumeration.criterion.map(|_| Coverage::default()),
                ..Outcome::nothing(enumeration.invariant)
            },
            items: 0,
            is_past_limit: false,
            position: None,
            counted_here: Count::ZERO,
            before_here: Count::ZERO,
            left: Vec::new(),
            one_per_class: plan.one_per_class,
            in_order: !plan.counts_only || enumeration.criterion.is_some(),
        }
    }

    /// Takes what comes up to the end, or to where the search ends.
    fn take_all<C: Consumer<T>, T>(
        &mut self,
        plan: &Plan,
        workers: &Pool<T>,
        consumer: &mut C,
    ) -> Result<(), Error> {
        loop {
            match workers.next(PATIENCE) {
                News::Items(items) => {
                    for Passed { item, class, here } in items {
                        if self.one_per_class && !self.is_new(class.as_ref()) {
                            continue;
                        }
                        if plan.limit == Some(self.items)
                            && let Some((span, before)) = here
                        {
                            self.before_here = self.outcome.progress.leaves();
                            self.counted_here = before.leaves();
                            self.outcome.progress += &before;
                            self.outcome.end = End::ByVisitor;
                            self.is_past_limit = true;
                            self.position = Some(span);
                            return Ok(());
                        }
                        if consumer.take(item).is_break() {
                            self.outcome.end = End::ByVisitor;
                            return Ok(());
                        }
                        self.items += 1;
                        self.enter_class(class);
                    }
                }
                News::Finished(finished) => {
                    let Finished {
                        outcome,
                        rest,
                        left_out,
                        is_past_limit,
                    } = finished?;
                    if let Some(path) = left_out {
                        workers.drop_below(&path);
                    }
                    let is_cut = self.in_order || matches!(outcome.end, End::Limit(_));
                    self.outcome.add(outcome);
                    if rest.is_some() && is_cut {
                        self.is_past_limit = is_past_limit;
                        self.position = rest;
                        return Ok(());
                    }
                    self.left.extend(rest);
                }
                News::Nothing => {}
                News::End => return Ok(()),
            }
            let (mut progress, share) = workers.progress();
            progress += &self.outcome.progress;
            consumer.watch(&progress, share);
        }
    }

    /// Whether a class has no structure yet.
    fn is_new(&self, class: Option<&ClassName>) -> bool {
        let known = self.outcome.coverage.as_ref().map(|all| &all.classes);
        class.is_some_and(|class| known.is_none_or(|known| !known.contains(class)))
    }

    /// A structure of this class was taken.
    fn enter_class(&mut self, class: Option<ClassName>) {
        if let (Some(all), Some(class)) = (&mut self.outcome.coverage, class) {
            all.classes.insert(class);
        }
    }

    fn finish<T>(mut self, plan: &Plan, workers: Pool<T>) -> Result<Whole, Error> {
        let parts = workers.left();
        if !self.in_order && self.position.is_none() {
            // No part depends on another: whatever was counted counts.
            for (span, finished) in parts {
                match finished {
                    Some(finished) => {
                        let Finished { outcome, rest, .. } = finished?;
                        self.outcome.add(outcome);
                        self.left.extend(rest);
                    }
                    None => self.left.push(span),
                }
            }
            self.left.sort();
            if !self.left.is_empty() && self.outcome.end == End::Complete {
                self.outcome.end = End::Interrupted;
            }
        } else {
            self.note_mishaps(&parts);
            let next = parts.into_iter().next().map(|(span, _)| span);
            if let Some(position) = self.position.take().or(next) {
                if self.outcome.end == End::Complete {
                    self.outcome.end = End::Interrupted;
                }
                self.left = from(position, &plan.spans);
            }
        }
        Ok(Whole {
            outcome: self.outcome,
            items: self.items,
            is_past_limit: self.is_past_limit,
            left: self.left,
        })
    }

    /// Notes what the invariant did in the part in which the search ended, up to there.
    fn note_mishaps(&mut self, parts: &[(Span, Option<Result<Finished, Error>>)]) {
        let Some((_, Some(Ok(part)))) = parts.first() else {
            return;
        };
        for (first, here) in [
            (&mut self.outcome.thrown, &part.outcome.thrown),
            (&mut self.outcome.refused, &part.outcome.refused),
        ] {
            if let (None, Some(mishap)) = (&first, here)
                && mishap.leaf <= self.counted_here
            {
                let mut leaf = self.before_here.clone();
                leaf += &mishap.leaf;
                let text = mishap.text.clone();
                *first = Some(Mishap { leaf, text });
            }
        }
    }
}

impl Outcome {
    /// What came of no part yet.
    pub(crate) fn nothing(invariant: MethodId) -> Outcome {
        Outcome {
            progress: Progress::default(),
            end: End::Complete,
            thrown: None,
            refused: None,
            coverage: None,
            last_run: invariant,
        }
    }

    /// Adds what came of a part behind all that were added.
    pub(crate) fn add(&mut self, part: Outcome) {
        let leaves = self.progress.leaves();
        let behind = |mut mishap: Mishap| {
            mishap.leaf += &leaves;
            mishap
        };
        self.progress += &part.progress;
        self.thrown = self.thrown.take().or(part.thrown.map(behind));
        self.refused = self.refused.take().or(part.refused.map(behind));
        if let Some(coverage) = part.coverage {
            let all = self.coverage.get_or_insert_default();
            all.append(coverage, &leaves);
        }
        if part.end != End::Complete {
            self.end = part.end;
            self.last_run = part.last_run;
        }
    }
}

/// What is left of some parts from a place in one of them on.
pub(crate) fn from(place: Span, spans: &[Span]) -> Vec<Span> {
    let after = spans.partition_point(|span| *span <= place);
    let Some(part) = after.checked_sub(1) else {
        return spans.to_vec();
    };
    let rest = Span {
        path: place.path,
        fixed: spans[part].fixed,
    };
    std::iter::once(rest)
        .chain(spans[after..].iter().cloned())
        .collect()
}
