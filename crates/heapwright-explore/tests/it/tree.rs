//! The tree of a search: its leaves are the same in the same order, whether it is walked at once,
//! stopped, resumed, split or divided among workers.

use std::cell::Cell;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{PathEnd, PathOutcome, SymbolicError, SymbolicSearch};
use heapwright_explore::{
    End, Explorer, KoratSearch, LazySearch, Leaf, Progress, Search, SearchError, Span, Tree,
    WorkerEvent, Workers, partition,
};
use heapwright_jvm::Vm;

use crate::common::inputs::Target;
use crate::common::structures::Structures;
use crate::common::{Describe, ENOUGH, go_on, leaves, machine, thrown};

const SOURCE: &str = "
class Sorted {
    Cell head;
    int size;
    boolean repOk() {
        int n = 0, last = -1;
        for (Cell cell = head; cell != null; cell = cell.next) {
            if (cell.value < last || ++n > 3) return false;
            last = cell.value;
            if (last == 2 && size == 0) throw new IllegalStateException();
        }
        return n == size;
    }
    static int paths(int a, int[] b) {
        int n = 0;
        for (int x : b) if (x > a) n++;
        if (a > 3) n += 10 / (a - 5);
        return n;
    }
}
class Cell { Cell next; int value; }
";

/// A machine with the subjects of the searches.
struct Subjects {
    vm: Vm,
    structures: Structures,
    target: Target,
}

impl Subjects {
    fn new() -> Subjects {
        let mut vm = machine(SOURCE);
        let fields = "Sorted.head: null Cell
            Sorted.size: 0..2
            Cell.next: null Cell
            Cell.value: 0..2";
        let structures = Structures::new(&mut vm, "Sorted", &[("Cell", 2)], fields);
        let target = Target::new(&mut vm, "Sorted", "paths", &[]);
        Subjects {
            vm,
            structures,
            target,
        }
    }

    /// Checks a law on each kind of search.
    fn each(&mut self, law: &mut impl Law) {
        let Subjects {
            vm,
            structures,
            target,
        } = self;
        let (space, predicate) = (&structures.space, structures.predicate);
        let korat = || KoratSearch::new(space, predicate, ENOUGH);
        let lazy = || LazySearch::new(space, predicate, ENOUGH);
        let text = |vm: &Vm, leaf: &Leaf| match leaf {
            Leaf::Valid => structures.text(vm),
            _ => String::new(),
        };
        law.hold(vm, "korat", &korat, &|vm, leaf, search| {
            of_structure(leaf, search) + &text(vm, leaf)
        });
        law.hold(vm, "lazy", &lazy, &|vm, leaf, search| {
            of_structure(leaf, search) + &text(vm, leaf)
        });
        let counts = || korat().counts_only();
        law.hold(vm, "korat, counts", &counts, &|_, leaf, search| {
            of_structure(leaf, search)
        });
        let counts = || lazy().counts_only();
        law.hold(vm, "lazy, counts", &counts, &|_, leaf, search| {
            of_structure(leaf, search)
        });
        law.hold(vm, "symbolic", &|| target.search(), &of_path);
    }
}

/// What holds of every search.
trait Law {
    fn hold<T: Tree>(
        &mut self,
        vm: &mut Vm,
        name: &str,
        make: &dyn Fn() -> T,
        describe: Describe<'_, T>,
    ) where
        T::Error: Debug;
}

/// Way to a leaf, and its outcome.
fn of_structure<T: Tree<Leaf = Leaf>>(leaf: &Leaf, search: &T) -> String {
    let outcome = match leaf {
        Leaf::Threw(_) => "threw".to_owned(),
        leaf => format!("{leaf:?}"),
    };
    format!("{:?} {outcome}", search.path().collect::<Vec<_>>())
}

fn of_path(vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>) -> String {
    let path: Vec<i64> = search.path().collect();
    let conditions = search.decision_texts(vm);
    let outcome = match end.outcome {
        PathOutcome::Returned(slot) => match search.term_of(slot) {
            Some(term) => search.text(term),
            None => slot.to_string(),
        },
        PathOutcome::Threw(exception) => thrown(vm, exception),
        ref other => format!("{other:?}"),
    };
    format!("{path:?} {conditions:?} {outcome}")
}

fn whole<T: Tree>(vm: &mut Vm, search: &mut T, describe: Describe<'_, T>) -> Vec<String>
where
    T::Error: Debug,
{
    leaves(vm, search, Span::default(), describe)
}

/// Counts that the leaves alone determine.
fn counts(progress: &Progress) -> (String, String, u64, u64, u64, u64) {
    (
        progress.explored.to_string(),
        progress.valid.to_string(),
        progress.cubes,
        progress.threw,
        progress.refused,
        progress.steps,
    )
}

#[test]
fn paths_ascend_and_none_leads_on_from_another() {
    struct Ascending;
    impl Law for Ascending {
        fn hold<T: Tree>(
            &mut self,
            vm: &mut Vm,
            name: &str,
            make: &dyn Fn() -> T,
            _: Describe<'_, T>,
        ) where
            T::Error: Debug,
        {
            let mut before: Option<Vec<i64>> = None;
            let mut search = make();
            let mut leaves = 0;
            let mut share = 0.0;
            let end = search.run(vm, &mut go_on, &mut |_, _, search| {
                let path: Vec<i64> = search.path().collect();
                // The structures of a cube have one path.
                if let Some(before) = &before
                    && *before != path
                {
                    assert!(*before < path, "{name}: {before:?} {path:?}");
                    assert!(!path.starts_with(before), "{name}: {before:?} {path:?}");
                }
                before = Some(path);
                leaves += 1;
                assert!(search.share_seen() >= share, "{name}");
                share = search.share_seen();
                ControlFlow::Continue(())
            });
            assert_eq!(end.unwrap(), End::Complete);
            assert!(
                leaves > 5 && share > 0.0 && share < 1.0,
                "{name}: {leaves} {share}"
            );
        }
    }
    Subjects::new().each(&mut Ascending);
}

/// A search that is stopped at any leaf and resumed there has the same leaves and counts, and
/// leaves the state as it was.
#[test]
fn the_rest_of_a_stopped_search_is_the_rest() {
    struct Resumed;
    impl Law for Resumed {
        fn hold<T: Tree>(
            &mut self,
            vm: &mut Vm,
            name: &str,
            make: &dyn Fn() -> T,
            describe: Describe<'_, T>,
        ) where
            T::Error: Debug,
        {
            let mut search = make();
            let all = whole(vm, &mut search, describe);
            let expected = counts(search.progress());
            let permanent = vm.heap.permanent_words();
            let before = vm.state_hash(permanent);
            for stop in 0..all.len() {
                search.start_at(Span::default());
                let mut first = Vec::new();
                let end = search.run(vm, &mut go_on, &mut |vm, leaf, search| {
                    if first.len() == stop {
                        return ControlFlow::Break(());
                    }
                    first.push(describe(vm, leaf, search));
                    ControlFlow::Continue(())
                });
                assert_eq!(end.unwrap(), End::ByVisitor, "{name} at {stop}");
                assert_eq!(vm.state_hash(permanent), before, "{name} at {stop}");
                let mut sum = search.progress().clone();
                let rest: Span = search.rest().unwrap().to_string().parse().unwrap();
                first.extend(leaves(vm, &mut search, rest, describe));
                assert_eq!(search.rest(), None);
                sum += search.progress();
                assert_eq!(first, all, "{name} at {stop}");
                assert_eq!(counts(&sum), expected, "{name} at {stop}");
                assert_eq!(vm.state_hash(permanent), before, "{name} at {stop}");
            }
        }
    }
    Subjects::new().each(&mut Resumed);
}

/// A search that is interrupted after every leaf goes on where it was.
#[test]
fn interruptions_change_nothing() {
    struct Interrupted;
    impl Law for Interrupted {
        fn hold<T: Tree>(
            &mut self,
            vm: &mut Vm,
            name: &str,
            make: &dyn Fn() -> T,
            describe: Describe<'_, T>,
        ) where
            T::Error: Debug,
        {
            let mut search = make();
            let all = whole(vm, &mut search, describe);
            let expected = counts(search.progress());
            let mut search = make().with_slice(1);
            let (mut found, mut sum) = (Vec::new(), Progress::default());
            let (mut part, mut parts) = (Some(Span::default()), 0);
            while let Some(span) = part.take() {
                search.start_at(span);
                // Without a leaf, a part would begin again and again.
                let (seen, mut later) = (Cell::new(0), 0);
                let mut ask = |_: &mut T| {
                    later += seen.get().min(1);
                    match later > parts % 7 {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                };
                let end = search.run(vm, &mut ask, &mut |vm, leaf, search| {
                    seen.set(seen.get() + 1);
                    found.push(describe(vm, leaf, search));
                    ControlFlow::Continue(())
                });
                let is_over = end.unwrap() == End::Complete;
                part = (!is_over).then(|| search.rest().unwrap().clone());
                sum += search.progress();
                parts += 1;
                assert!(parts < 2_000, "{name} does not end");
            }
            assert_eq!(found, all, "{name}");
            assert_eq!(counts(&sum), expected, "{name}");
            assert!(parts > 3, "{name}: {parts}");
        }
    }
    Subjects::new().each(&mut Interrupted);
}

/// What is split off at any leaf comes after what is left, and both together are all.
#[test]
fn parts_that_are_split_off_come_later() {
    struct Split;
    impl Law for Split {
        fn hold<T: Tree>(
            &mut self,
            vm: &mut Vm,
            name: &str,
            make: &dyn Fn() -> T,
            describe: Describe<'_, T>,
        ) where
            T::Error: Debug,
        {
            let mut search = make();
            let all = whole(vm, &mut search, describe);
            let expected = counts(search.progress());
            let mut given = 0;
            for at in 0..all.len() {
                let mut split = Vec::new();
                let mut found = Vec::new();
                search.start_at(Span::default());
                let end = search.run(vm, &mut go_on, &mut |vm, leaf, search| {
                    if found.len() == at {
                        split.extend(search.split());
                        split.extend(search.split());
                    }
                    found.push(describe(vm, leaf, search));
                    ControlFlow::Continue(())
                });
                assert_eq!(end.unwrap(), End::Complete);
                let mut sum = search.progress().clone();
                // The part that was split off last is the first.
                split.sort();
                for span in split {
                    given += 1;
                    found.extend(leaves(vm, &mut search, span, describe));
                    sum += search.progress();
                }
                assert_eq!(found, all, "{name} at {at}");
                assert_eq!(counts(&sum), expected, "{name} at {at}");
            }
            assert!(given > all.len() / 2, "{name}: {given}");
        }
    }
    Subjects::new().each(&mut Split);
}

/// Alternatives below each path divide what is below it.
#[test]
fn alternatives_divide_a_subtree() {
    fn divide<T: Explorer + Tree<Leaf = Leaf, Error = SearchError>>(
        vm: &mut Vm,
        search: &mut T,
        path: &[i64],
        forks: &mut u32,
    ) -> Vec<String> {
        let part = || Span::below(path.to_vec());
        search.start_at(part());
        let alternatives = Explorer::alternatives(search, vm).unwrap();
        let all = leaves(vm, search, part(), &|_, leaf, search| {
            of_structure(leaf, search)
        });
        if !alternatives.is_empty() {
            *forks += 1;
            let below = alternatives.iter().flat_map(|&alternative| {
                divide(vm, search, &[path, &[alternative]].concat(), forks)
            });
            assert_eq!(below.collect::<Vec<_>>(), all, "{path:?}");
        }
        all
    }
    let mut subjects = Subjects::new();
    let Subjects { vm, structures, .. } = &mut subjects;
    let (space, predicate) = (&structures.space, structures.predicate);
    let mut forks = [0, 0];
    let mut korat = KoratSearch::new(space, predicate, ENOUGH);
    divide(vm, &mut korat, &[], &mut forks[0]);
    let mut lazy = LazySearch::new(space, predicate, ENOUGH).counts_only();
    divide(vm, &mut lazy, &[], &mut forks[1]);
    assert!(forks.iter().all(|&forks| forks > 5), "{forks:?}");
}

/// Leaves of the parts into which a rest is divided by estimates, in the order of the tree.
macro_rules! divided {
    ($search:expr, $surveyed:ty, $vm:expr, $rest:expr, $count:expr, $describe:expr) => {{
        let surveyed: &mut $surveyed = &mut $search;
        let parts = partition(surveyed, $vm, &[$rest], $count, 100_000).unwrap();
        assert_eq!(parts.len(), $count);
        let mut spans: Vec<Span> = parts.into_iter().flat_map(|part| part.spans).collect();
        spans.sort();
        let mut found = Vec::new();
        for span in spans {
            found.extend(leaves($vm, &mut $search, span, $describe));
        }
        found
    }};
}

/// Parts of about equal work are disjoint, and together they are the rest that is divided.
#[test]
fn divisions_by_estimates_are_divisions() {
    let mut subjects = Subjects::new();
    let Subjects {
        vm,
        structures,
        target,
    } = &mut subjects;
    let (space, predicate) = (&structures.space, structures.predicate);
    fn rests<T: Tree>(vm: &mut Vm, search: &mut T) -> Vec<Span> {
        let mut rests = Vec::new();
        search.start_at(Span::default());
        let end = search.run(vm, &mut go_on, &mut |_, _, search| {
            rests.push(search.resume_point().0);
            ControlFlow::Continue(())
        });
        assert!(matches!(end, Ok(End::Complete)));
        rests
    }
    let mut symbolic = target.search();
    let all = whole(vm, &mut symbolic, &of_path);
    for (at, rest) in rests(vm, &mut symbolic).into_iter().enumerate() {
        let count = 1 + at % 3;
        let found = divided!(symbolic, SymbolicSearch<'_>, vm, rest, count, &of_path);
        assert_eq!(found, all[at..], "symbolic from {at}");
    }
    let mut lazy = LazySearch::new(space, predicate, ENOUGH).counts_only();
    let describe: Describe<'_, LazySearch<'_>> = &|_, leaf, search| of_structure(leaf, search);
    let all = whole(vm, &mut lazy, describe);
    for (at, rest) in rests(vm, &mut lazy).into_iter().enumerate() {
        let count = 1 + at % 3;
        let found = divided!(lazy, dyn Explorer, vm, rest, count, describe);
        assert_eq!(found, all[at..], "lazy from {at}");
    }
}

/// Several workers, each with a machine of its own, hand over the same leaves in the same order.
#[test]
fn workers_hand_over_the_leaves_of_one_search() {
    let mut alone = Subjects::new();
    let mut search = alone.target.search();
    let all = whole(&mut alone.vm, &mut search, &of_path);
    let expected = counts(search.progress());
    for count in [1, 2, 3] {
        let workers: Workers<String, Progress> = Workers::new([Span::default()]);
        let work = || {
            let mut own = Subjects::new();
            let mut search = own.target.search().with_slice(1);
            while let Some(span) = workers.take() {
                search.start_at(span.clone());
                let mut ask = |search: &mut SymbolicSearch<'_>| {
                    let share = search.share_seen();
                    if workers.record_progress(&span, search.progress(), share) == Some(true)
                        && let Some(part) = search.split()
                    {
                        workers.give(&span, part);
                    }
                    ControlFlow::Continue(())
                };
                let end = search.run(&mut own.vm, &mut ask, &mut |vm, end, search| {
                    let text = of_path(vm, end, search);
                    workers.push_results(&span, &mut vec![text], 1);
                    ControlFlow::Continue(())
                });
                assert_eq!(end.unwrap(), End::Complete);
                workers.finish(&span, search.progress().clone());
            }
        };
        let (mut found, mut sum) = (Vec::new(), Progress::default());
        std::thread::scope(|scope| {
            for _ in 0..count {
                scope.spawn(work);
            }
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(600) {
                match workers.next(Duration::from_secs(1)) {
                    WorkerEvent::Items(items) => found.extend(items),
                    WorkerEvent::Finished(progress) => sum += &progress,
                    WorkerEvent::Nothing => {}
                    WorkerEvent::End => break,
                }
            }
            workers.stop();
        });
        assert_eq!(found, all, "{count} workers");
        assert_eq!(counts(&sum), expected, "{count} workers");
    }
}

/// A path that does not lead through the tree is refused; one whose last item is no alternative
/// leads to an empty part.
#[test]
fn paths_of_other_trees_are_refused() {
    let mut subjects = Subjects::new();
    let mut search = subjects.target.search();
    for path in [vec![0; 40], vec![9, 0], vec![-1, 0]] {
        search.start_at(Span::below(path.clone()));
        let end = search.run(&mut subjects.vm, &mut go_on, &mut |_, _, _| {
            ControlFlow::Continue(())
        });
        assert!(
            matches!(end, Err(SymbolicError::Misfit)),
            "{path:?}: {end:?}"
        );
    }
    let empty = Span::below(vec![9]);
    assert!(leaves(&mut subjects.vm, &mut search, empty, &of_path).is_empty());
    // The search goes on with a part of its own.
    assert!(whole(&mut subjects.vm, &mut search, &of_path).len() > 5);
}
