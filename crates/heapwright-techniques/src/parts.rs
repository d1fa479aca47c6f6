//! Structures found by parallel workers, and items produced from them, in order and up to a limit.
//!
//! Invariant: the consumer's items and all counts are as if one worker had searched the parts in
//! order. The only exception is a stopped search without items, whose counts include any part that
//! finished.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{
    ClassName, Count, Coverage, End, Explorer, Leaf, Progress, Search, SearchState, Span, Strategy,
    Workers,
};
use heapwright_jvm::{MethodId, Vm};

use crate::Error;
use crate::invariant::{Enumeration, EnumerationOutcome, InvariantIncident};
use crate::parallel::{self, Batch};

/// Tells whether to stop; callable from any thread.
pub type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

/// Plan of a search by parts.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The search strategy.
    pub strategy: Strategy,
    /// Whether only counts are wanted.
    pub counts_only: bool,
    /// The parts of the tree, in order.
    pub spans: Vec<Span>,
    /// Maximum number of items.
    pub limit: Option<u64>,
    /// Number of workers, at least 1. A Korat search with a criterion must have exactly 1.
    pub jobs: usize,
    /// Whether only the first structure of each class of the criterion produces an item.
    pub one_per_class: bool,
}

/// Produces items from structures; each worker has its own.
pub trait Producer {
    /// The item produced from a structure.
    type Item: Send;

    /// Whether the structure at the current leaf produces an item.
    fn wants(&self, search: &dyn Search) -> bool;

    /// Produces the item for the structure at the current leaf, with its approximate size in bytes.
    fn produce(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        search: &dyn Search,
    ) -> (Self::Item, u64);
}

/// Observes a search and takes its items.
pub trait Consumer<T> {
    /// Takes the next item. A break ends the search.
    fn take(&mut self, item: T) -> ControlFlow<()>;

    /// Observes the state of the search.
    fn watch(&mut self, state: &SearchState);

    /// Returns the function that tells workers whether to stop.
    fn stopper(&self) -> StopCheck;
}

/// Result of a search by parts.
#[derive(Clone, Debug)]
pub struct CombinedResult {
    /// The counts and the outcome.
    pub outcome: EnumerationOutcome,
    /// Number of items handed out.
    pub items: u64,
    /// Whether there was an item past the limit.
    pub is_past_limit: bool,
    /// The remaining parts, in order; empty if everything was searched.
    pub left: Vec<Span>,
}

/// An item in transit. With a limit, it includes the position in the tree and the progress before
/// it.
struct ItemInTransit<T> {
    item: T,
    /// The structure's class, if there is a criterion.
    class: Option<ClassName>,
    here: Option<(Span, Progress)>,
}

/// Result of a part.
struct FinishedPart {
    outcome: EnumerationOutcome,
    rest: Option<Span>,
    /// The path below which later parts are dropped.
    left_out: Option<Vec<i64>>,
    is_past_limit: bool,
}

/// Searches the parts of a plan. `more` creates the machines of further workers, as far as memory
/// permits; `producer` creates the producer of each machine.
///
/// # Errors
/// A producer cannot be created, the invariant cannot be called, or a part does not belong to this
/// search.
pub fn explore<P, C>(
    vm: &mut Vm,
    enumeration: &Enumeration,
    plan: &Plan,
    more: &(dyn Fn() -> Option<(Vm, Enumeration)> + Sync),
    producer: &(dyn Fn(&mut Vm, &Enumeration) -> Result<P, Error> + Sync),
    consumer: &mut C,
) -> Result<CombinedResult, Error>
where
    P: Producer,
    C: Consumer<P::Item> + Send,
{
    let asked = consumer.stopper();
    let mut totals = PartTotals::new(enumeration, plan, consumer);
    let (_, workers) = parallel::search(
        plan.spans.iter().cloned(),
        plan.jobs,
        &|| asked(),
        |pool| work(pool, plan, vm, enumeration, producer),
        &|pool| {
            // Without memory for another machine, the first worker searches alone.
            if let Some((mut vm, enumeration)) = more() {
                work(pool, plan, &mut vm, &enumeration, producer);
            }
        },
        &mut totals,
    )?;
    totals.finish(workers)
}

type PartResult = Result<FinishedPart, Error>;
type Queue<T> = Workers<ItemInTransit<T>, PartResult>;
type PartWorkers<'a, T> = parallel::WorkerPool<'a, ItemInTransit<T>, PartResult>;

/// Searches parts until none is left.
fn work<P: Producer>(
    pool: &PartWorkers<'_, P::Item>,
    plan: &Plan,
    vm: &mut Vm,
    enumeration: &Enumeration,
    producer: &(dyn Fn(&mut Vm, &Enumeration) -> Result<P, Error> + Sync),
) {
    let mut producer = match producer(vm, enumeration) {
        Ok(producer) => producer,
        Err(error) => return pool.give_up(Err(error)),
    };
    let mut search = enumeration.explorer(plan.strategy, plan.counts_only);
    pool.work(|span| {
        search.start_at(span.clone());
        search_part(
            pool,
            plan,
            vm,
            enumeration,
            &mut producer,
            &mut *search,
            span,
        )
    });
}

fn search_part<P: Producer>(
    pool: &PartWorkers<'_, P::Item>,
    plan: &Plan,
    vm: &mut Vm,
    enumeration: &Enumeration,
    producer: &mut P,
    search: &mut dyn Explorer,
    span: &Span,
) -> PartResult {
    let batch = RefCell::new(Batch::default());
    let mut produced = 0;
    let mut is_past_limit = false;
    let mut ask = |search: &mut dyn Search| {
        pool.hand_out(span, &mut batch.borrow_mut());
        pool.share(span, search)
    };
    let mut visit = |vm: &mut Vm, leaf: &Leaf, search: &dyn Search| {
        if plan.counts_only || *leaf != Leaf::Valid || !producer.wants(search) {
            return ControlFlow::Continue(());
        }
        if plan.limit == Some(produced) {
            is_past_limit = true;
            return ControlFlow::Break(());
        }
        // Producing an item may take longer than finding the next structure.
        pool.asked()?;
        produced += 1;
        let here = plan.limit.map(|_| search.resume_point());
        let (item, bytes) = producer.produce(vm, enumeration, search);
        let class = class_name(search);
        let mut batch = batch.borrow_mut();
        batch.push(ItemInTransit { item, class, here }, bytes);
        pool.hand_out_full(span, &mut batch);
        ControlFlow::Continue(())
    };
    let outcome = enumeration.run(vm, search, &mut ask, &mut visit)?;
    pool.hand_out(span, &mut batch.borrow_mut());
    Ok(FinishedPart {
        outcome,
        rest: search.rest().cloned(),
        left_out: search.left_out().map(<[i64]>::to_vec),
        is_past_limit,
    })
}

/// Returns the class of the structure at the current leaf.
fn class_name(search: &dyn Search) -> Option<ClassName> {
    let classes = &search.coverage()?.classes;
    classes.get_index(search.class()?.number).cloned()
}

/// Accumulates the results of the parts, in their order.
struct PartTotals<'a, C> {
    plan: &'a Plan,
    consumer: &'a mut C,
    outcome: EnumerationOutcome,
    items: u64,
    is_past_limit: bool,
    /// The position where the search ended early; nothing after it was searched.
    position: Option<Span>,
    /// Number of leaves counted in the part where it ended, if that was not finished.
    counted_here: Count,
    /// Number of leaves counted before that part.
    before_here: Count,
    /// Remainders of earlier parts.
    left: Vec<Span>,
    /// Whether one item of each class is taken.
    one_per_class: bool,
    /// Whether the result of a part depends on earlier ones.
    in_order: bool,
}

impl<'a, C> PartTotals<'a, C> {
    fn new(enumeration: &Enumeration, plan: &'a Plan, consumer: &'a mut C) -> PartTotals<'a, C> {
        PartTotals {
            plan,
            consumer,
            outcome: EnumerationOutcome {
                coverage: enumeration.criterion.map(|_| Coverage::default()),
                ..EnumerationOutcome::nothing(enumeration.invariant)
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

    /// Whether a class has no structure yet.
    fn is_new(&self, class: Option<&ClassName>) -> bool {
        let known = self.outcome.coverage.as_ref().map(|all| &all.classes);
        class.is_some_and(|class| known.is_none_or(|known| !known.contains(class)))
    }

    /// Records that a structure of this class was taken.
    fn enter_class(&mut self, class: Option<ClassName>) {
        if let (Some(all), Some(class)) = (&mut self.outcome.coverage, class) {
            all.classes.insert(class);
        }
    }

    fn finish<T>(mut self, workers: Queue<T>) -> Result<CombinedResult, Error> {
        let parts = workers.into_remaining();
        if !self.in_order && self.position.is_none() {
            // Parts are independent here, so every counted result is valid.
            for (span, finished) in parts {
                match finished {
                    Some(finished) => {
                        let FinishedPart { outcome, rest, .. } = finished?;
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
                self.left = from(position, &self.plan.spans);
            }
        }
        Ok(CombinedResult {
            outcome: self.outcome,
            items: self.items,
            is_past_limit: self.is_past_limit,
            left: self.left,
        })
    }

    /// Records exceptions and refusals of the invariant up to the end position within its part.
    fn note_mishaps(&mut self, parts: &[(Span, Option<Result<FinishedPart, Error>>)]) {
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
                *first = Some(InvariantIncident { leaf, text });
            }
        }
    }
}

impl<T, C: Consumer<T>> parallel::Collector<ItemInTransit<T>, PartResult> for PartTotals<'_, C> {
    type Error = Error;

    fn take(&mut self, passed: ItemInTransit<T>) -> Result<ControlFlow<()>, Error> {
        let ItemInTransit { item, class, here } = passed;
        if self.one_per_class && !self.is_new(class.as_ref()) {
            return Ok(ControlFlow::Continue(()));
        }
        if self.plan.limit == Some(self.items)
            && let Some((span, before)) = here
        {
            self.before_here = self.outcome.progress.leaves();
            self.counted_here = before.leaves();
            self.outcome.progress += &before;
            self.outcome.end = End::ByVisitor;
            self.is_past_limit = true;
            self.position = Some(span);
            return Ok(ControlFlow::Break(()));
        }
        if self.consumer.take(item).is_break() {
            self.outcome.end = End::ByVisitor;
            return Ok(ControlFlow::Break(()));
        }
        self.items += 1;
        self.enter_class(class);
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, part: PartResult, workers: &Queue<T>) -> Result<ControlFlow<()>, Error> {
        let FinishedPart {
            outcome,
            rest,
            left_out,
            is_past_limit,
        } = part?;
        if let Some(path) = left_out {
            workers.drop_below(&path);
        }
        let is_cut = self.in_order || matches!(outcome.end, End::Limit(_));
        self.outcome.add(outcome);
        if rest.is_some() && is_cut {
            self.is_past_limit = is_past_limit;
            self.position = rest;
            return Ok(ControlFlow::Break(()));
        }
        self.left.extend(rest);
        Ok(ControlFlow::Continue(()))
    }

    fn watch(&mut self, workers: &Queue<T>) -> ControlFlow<()> {
        let mut state = workers.state();
        state.progress += &self.outcome.progress;
        self.consumer.watch(&state);
        ControlFlow::Continue(())
    }
}

impl EnumerationOutcome {
    /// Returns the result of searching nothing.
    #[must_use]
    pub fn nothing(invariant: MethodId) -> EnumerationOutcome {
        EnumerationOutcome {
            progress: Progress::default(),
            end: End::Complete,
            thrown: None,
            refused: None,
            coverage: None,
            last_run: invariant,
        }
    }

    /// Adds the result of the next part.
    pub fn add(&mut self, part: EnumerationOutcome) {
        let leaves = self.progress.leaves();
        let behind = |mut mishap: InvariantIncident| {
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

/// Returns the remainder of some parts from a position in one of them.
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
