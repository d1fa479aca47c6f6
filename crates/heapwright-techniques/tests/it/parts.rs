//! Results, counts and remaining parts do not depend on the number of workers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use heapwright_explore::{End, Leaf, Progress, Search, SearchState, Span, Strategy, partition};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_suite::jsonl;
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, StructuresRequest};
use heapwright_techniques::korat_api;
use heapwright_techniques::parts::{CombinedResult, Consumer, Plan, Producer, StopCheck, explore};
use heapwright_techniques::read::StructureReader;
use heapwright_testkit::fixtures::{self, project};
use heapwright_testkit::jdk::jdks;

const STEP_LIMIT: u64 = 10_000_000;
/// Largest rows of the table that are searched here, by candidates.
const MAX_EXPLORED: u64 = 20_000;

fn request(class: &str, arguments: &str) -> StructuresRequest {
    let arguments = arguments.split(',').filter(|text| !text.is_empty());
    StructuresRequest {
        class: class.to_owned(),
        invariant: None,
        bounds: BoundsRequest::Finitization {
            name: None,
            arguments: arguments.map(str::to_owned).collect(),
        },
        criterion: None,
        step_limit: STEP_LIMIT,
    }
}

fn prepared(classes: &Path, request: &StructuresRequest) -> (Vm, Enumeration) {
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![classes.to_owned()]);
    config.embedded = korat_api::CLASSES;
    let mut vm = Vm::new(config).unwrap();
    let enumeration = Enumeration::prepare(&mut vm, request).unwrap();
    (vm, enumeration)
}

struct Lines(StructureReader);

impl Producer for Lines {
    type Item = String;

    fn wants(&self, _: &dyn Search) -> bool {
        true
    }

    fn produce(&mut self, vm: &mut Vm, all: &Enumeration, _: &dyn Search) -> (String, u64) {
        let line = jsonl::line(&self.0.read(vm, all.space.root).structure);
        // Lines of this size make workers wait for each other.
        (line, 8 << 20)
    }
}

/// Collects the lines, and stops after a number of `ask` calls.
struct Kept {
    lines: Vec<String>,
    patience: Arc<AtomicU64>,
}

impl Consumer<String> for Kept {
    fn take(&mut self, line: String) -> ControlFlow<()> {
        self.lines.push(line);
        ControlFlow::Continue(())
    }

    fn watch(&mut self, state: &SearchState) {
        assert!((0.0..=1.0).contains(&state.share));
    }

    fn stopper(&self) -> StopCheck {
        let patience = Arc::clone(&self.patience);
        Arc::new(move || {
            let left = patience.load(Ordering::Relaxed);
            patience.store(left.saturating_sub(1), Ordering::Relaxed);
            left == 0
        })
    }
}

struct Bench<'a> {
    classes: &'a Path,
    request: StructuresRequest,
    vm: Vm,
    enumeration: Enumeration,
}

impl Bench<'_> {
    fn run(&mut self, plan: &Plan, patience: u64) -> (CombinedResult, Vec<String>) {
        let mut kept = Kept {
            lines: Vec::new(),
            patience: Arc::new(AtomicU64::new(patience)),
        };
        let whole = explore(
            &mut self.vm,
            &self.enumeration,
            plan,
            &|| Some(prepared(self.classes, &self.request)),
            &|vm, all| Ok(Lines(StructureReader::new(vm, all.class))),
            &mut kept,
        );
        (whole.unwrap(), kept.lines)
    }
}

fn plan(strategy: Strategy, counts_only: bool, jobs: usize) -> Plan {
    Plan {
        strategy,
        counts_only,
        spans: vec![Span::default()],
        limit: None,
        jobs,
        one_per_class: false,
    }
}

/// The smaller rows of the table of Korat's counts: class, arguments, structures.
fn rows() -> Vec<(String, String, u64)> {
    let csv = std::fs::read_to_string(project().join("fixtures").join("korat-counts.csv")).unwrap();
    let rows = csv.lines().skip(1).map(|line| {
        let (class, rest) = line.split_once(',').unwrap();
        let (arguments, counts) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let (explored, valid) = counts.split_once(',').unwrap();
        let explored: u64 = explored.parse().unwrap();
        let valid = valid.parse().unwrap();
        (explored, (class.to_owned(), arguments.to_owned(), valid))
    });
    rows.filter(|(explored, _)| (50..MAX_EXPLORED).contains(explored))
        .map(|(_, row)| row)
        .collect()
}

#[test]
fn many_workers_find_what_one_finds() {
    let classes = fixtures::classes();
    for (number, (class, arguments, valid)) in rows().into_iter().step_by(3).enumerate() {
        let request = request(&class, &arguments);
        let (vm, enumeration) = prepared(&classes, &request);
        let classes = &classes;
        let mut bench = Bench {
            classes,
            request,
            vm,
            enumeration,
        };
        let strategy = [Strategy::Korat, Strategy::Lazy][number % 2];
        let what = format!("{class} {arguments} {strategy:?}");
        let (counted, _) = bench.run(&plan(strategy, true, 1), u64::MAX);
        let (one, lines) = bench.run(&plan(strategy, false, 1), u64::MAX);
        if strategy == Strategy::Korat {
            assert_eq!(counted.outcome.progress.valid, valid, "{what}");
        }
        assert_eq!(one.outcome.progress.valid, lines.len() as u64, "{what}");
        for jobs in [2, 3] {
            let (many, found) = bench.run(&plan(strategy, false, jobs), u64::MAX);
            assert!(found == lines, "{what}: {jobs} workers find other lines");
            assert_eq!(many.outcome.progress, one.outcome.progress, "{what}");
            assert_eq!((many.outcome.end, many.left), (End::Complete, Vec::new()));
            let (many, _) = bench.run(&plan(strategy, true, jobs), u64::MAX);
            assert_eq!(many.outcome.progress, counted.outcome.progress, "{what}");

            let limited = |jobs| Plan {
                limit: Some(lines.len() as u64 / 2),
                ..plan(strategy, false, jobs)
            };
            let (half, first) = bench.run(&limited(jobs), u64::MAX);
            let (of_one, _) = bench.run(&limited(1), u64::MAX);
            assert_eq!(first, lines[..lines.len() / 2], "{what}");
            assert_eq!(half.outcome.progress, of_one.outcome.progress, "{what}");
            assert_eq!(half.left, of_one.left, "{what}");
            assert_eq!(half.is_past_limit, !lines.is_empty(), "{what}");
            let rest = Plan {
                spans: half.left,
                ..plan(strategy, false, jobs)
            };
            let (second, last) = bench.run(&rest, u64::MAX);
            assert_eq!(last, lines[lines.len() / 2..], "{what}");
            let mut both = half.outcome.progress;
            both += &second.outcome.progress;
            assert_eq!(both, one.outcome.progress, "{what}");
        }
    }
}

#[test]
fn stopped_and_gone_on_with_is_whole() {
    let classes = fixtures::classes();
    let classes = &classes;
    let request = request("fixtures.tree.SearchTree", "5");
    let (vm, enumeration) = prepared(classes, &request);
    let mut bench = Bench {
        classes,
        request,
        vm,
        enumeration,
    };
    for strategy in [Strategy::Korat, Strategy::Lazy] {
        for counts_only in [false, true] {
            let (whole, lines) = bench.run(&plan(strategy, counts_only, 1), u64::MAX);
            for (jobs, patience) in [(1, 3), (2, 0), (2, 5), (2, 17), (3, 1), (3, 40)] {
                let mut plan = plan(strategy, counts_only, jobs);
                let (mut progress, mut found, mut runs) = (Progress::default(), Vec::new(), 0);
                while !plan.spans.is_empty() {
                    // The patience grows with each run, so that the search always makes progress.
                    let (part, more) = bench.run(&plan, patience + 3 * runs);
                    progress += &part.outcome.progress;
                    found.extend(more);
                    let is_complete = part.outcome.end == End::Complete;
                    assert_eq!(is_complete, part.left.is_empty());
                    plan.spans = part.left;
                    runs += 1;
                }
                assert_eq!(progress, whole.outcome.progress, "{strategy:?} {jobs}");
                assert!(found == lines, "{strategy:?}, {jobs} workers, {runs} runs");
                assert!(runs > 1 || counts_only, "{strategy:?} {jobs} {patience}");
            }
        }
    }
}

#[test]
fn shards_make_the_whole() {
    let classes = fixtures::classes();
    let classes = &classes;
    for (class, arguments) in [
        ("fixtures.tree.SearchTree", "6"),
        ("fixtures.list.DoublyLinkedList", "7,3"),
        ("fixtures.graph.Dag", "3"),
    ] {
        let request = request(class, arguments);
        let (vm, enumeration) = prepared(classes, &request);
        let mut bench = Bench {
            classes,
            request,
            vm,
            enumeration,
        };
        for strategy in [Strategy::Korat, Strategy::Lazy] {
            let (whole, mut lines) = bench.run(&plan(strategy, false, 1), u64::MAX);
            lines.sort_unstable();
            for of in [1, 2, 5] {
                let parts = {
                    let mut search = bench.enumeration.explorer(strategy, false);
                    partition(
                        &mut *search,
                        &mut bench.vm,
                        &[Span::default()],
                        of,
                        100_000_000,
                    )
                    .unwrap()
                };
                assert_eq!(parts.len(), of);
                let (mut progress, mut found) = (Progress::default(), Vec::new());
                let mut most = 0;
                for part in parts {
                    let plan = Plan {
                        spans: part.spans,
                        ..plan(strategy, false, 2)
                    };
                    let (shard, more) = bench.run(&plan, u64::MAX);
                    most = most.max(shard.outcome.progress.work());
                    progress += &shard.outcome.progress;
                    found.extend(more);
                }
                found.sort_unstable();
                assert!(found == lines, "{class} {strategy:?}: {of} shards");
                assert_eq!(progress, whole.outcome.progress, "{class} {strategy:?}");
                let work = whole.outcome.progress.work();
                if work > 500_000 {
                    let fair = work / of as u64;
                    assert!(most < fair * 5 / 4, "{class}: {most}, not {fair} of {of}");
                }
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn estimates_foresee_the_work() {
    let classes = fixtures::classes();
    for (class, arguments, strategy) in [
        ("fixtures.tree.SearchTree", "8", Strategy::Korat),
        ("fixtures.tree.SearchTree", "10", Strategy::Lazy),
        ("fixtures.graph.Dag", "5", Strategy::Lazy),
    ] {
        let request = request(class, arguments);
        let (mut vm, enumeration) = prepared(&classes, &request);
        let mut search = enumeration.explorer(strategy, true);
        let parts = partition(&mut *search, &mut vm, &[Span::default()], 3, 200_000_000).unwrap();
        let (mut most, mut all) = (0, 0);
        let expected: u64 = parts.iter().map(|part| part.steps).sum();
        for part in parts {
            let mut steps = 0;
            for span in part.spans {
                search.start_at(span);
                let visit = &mut |_: &mut Vm, _: &Leaf, _: &dyn Search| ControlFlow::Continue(());
                let end = search.explore(&mut vm, &mut |_| ControlFlow::Continue(()), visit);
                assert_eq!(end.unwrap(), End::Complete);
                steps += search.progress().steps;
            }
            most = most.max(steps);
            all += steps;
        }
        // Estimates are rough, but what is large is cut.
        assert!(
            expected < 10 * all && all < 10 * expected,
            "{class}: {expected}, not {all}"
        );
        assert!(most < all / 20 * 9, "{class}: {most} of {all}");
    }
}
