//! Structures that many workers find, and items made of them, in order and up to a limit.
//!
//! Invariant: what is handed to the consumer, and every count, comes out as if one worker had gone
//! through the parts in order. Only where nothing is handed out and somebody asks to stop are
//! counts taken of whatever was finished.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{
    ClassName, Count, Coverage, End, Explorer, Leaf, Progress, Search, Span, Strategy, Workers,
};
use heapwright_jvm::{MethodId, Vm};

use crate::Error;
use crate::invariant::{Enumeration, Mishap, Outcome};
use crate::parallel::{self, Batch};

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
    let asked = consumer.stopper();
    let mut totals = Totals::new(enumeration, plan, consumer);
    let (_, workers) = parallel::search(
        plan.spans.iter().cloned(),
        plan.jobs,
        &|| asked(),
        |pool| work(pool, plan, vm, enumeration, producer),
        &|pool| {
            // Where there is no room for another machine the first worker does it alone.
            if let Some((mut vm, enumeration)) = more() {
                work(pool, plan, &mut vm, &enumeration, producer);
            }
        },
        &mut totals,
    )?;
    totals.finish(workers)
}

type Part = Result<Finished, Error>;
type Queue<T> = Workers<Passed<T>, Part>;
type Pool<'a, T> = parallel::Pool<'a, Passed<T>, Part>;

/// Goes through parts as long as there are some.
fn work<P: Producer>(
    pool: &Pool<'_, P::Item>,
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
    pool: &Pool<'_, P::Item>,
    plan: &Plan,
    vm: &mut Vm,
    enumeration: &Enumeration,
    producer: &mut P,
    search: &mut dyn Explorer,
    span: &Span,
) -> Part {
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
        // Making an item may take longer than finding the next structure.
        pool.asked()?;
        produced += 1;
        let here = plan.limit.map(|_| search.here());
        let (item, bytes) = producer.produce(vm, enumeration, search);
        let class = class_name(search);
        let mut batch = batch.borrow_mut();
        batch.push(Passed { item, class, here }, bytes);
        pool.hand_out_full(span, &mut batch);
        ControlFlow::Continue(())
    };
    let outcome = enumeration.run(vm, search, &mut ask, &mut visit)?;
    pool.hand_out(span, &mut batch.borrow_mut());
    Ok(Finished {
        outcome,
        rest: search.rest().cloned(),
        left_out: search.left_out().map(<[i64]>::to_vec),
        is_past_limit,
    })
}

/// The class of the structure at which a search stands.
fn class_name(search: &dyn Search) -> Option<ClassName> {
    let classes = &search.coverage()?.classes;
    classes.get_index(search.class()?.number).cloned()
}

/// Adds up what comes from the parts, in their order.
struct Totals<'a, C> {
    plan: &'a Plan,
    consumer: &'a mut C,
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

impl<'a, C> Totals<'a, C> {
    fn new(enumeration: &Enumeration, plan: &'a Plan, consumer: &'a mut C) -> Totals<'a, C> {
        Totals {
            plan,
            consumer,
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

    fn finish<T>(mut self, workers: Queue<T>) -> Result<Whole, Error> {
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
                self.left = from(position, &self.plan.spans);
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

impl<T, C: Consumer<T>> parallel::Collector<Passed<T>, Part> for Totals<'_, C> {
    type Error = Error;

    fn take(&mut self, passed: Passed<T>) -> Result<ControlFlow<()>, Error> {
        let Passed { item, class, here } = passed;
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

    fn finish(&mut self, part: Part, workers: &Queue<T>) -> Result<ControlFlow<()>, Error> {
        let Finished {
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
        let (mut progress, share) = workers.progress();
        progress += &self.outcome.progress;
        self.consumer.watch(&progress, share);
        ControlFlow::Continue(())
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
