//! Suites by field coverage: the figures of the paper, estimates, and searches that must find the
//! same.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_explore::End;
use heapwright_explore::symbolic::{InputBounds, Limits};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::fields::{
    Clock, Estimate, FieldsReport, FieldsRequest, InvariantSubject, PairCriterion, Policy,
    Regression, Row, ScopeCut, search,
};
use heapwright_techniques::korat_api;
use heapwright_techniques::symbolic::{Crew, SymbolicRequest};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

/// The fixtures of the package `fields`: classes of the paper, reimplemented.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]).package("fields");
    CLASSES.get_or_init(|| fixture.classes())
}

fn machine() -> Vm {
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let mut config = Config::new(jdk, vec![classes().to_owned()]);
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    Vm::new(config).unwrap()
}

/// Exhaustive search of all scopes up to one.
fn exhaustive(class: &str, scope: u32) -> FieldsRequest {
    FieldsRequest {
        paths: SymbolicRequest {
            class: format!("fields.{class}"),
            methods: Vec::new(),
            bounds: InputBounds {
                length: scope,
                loops: 1_000,
                decisions: 100_000,
                ..InputBounds::default()
            },
            limits: Limits::default(),
            step_limit: 10_000_000,
            scripts: false,
            merges: false,
        },
        invariant: None,
        scope,
        criterion: PairCriterion::Exhaustive,
        policy: None,
        sweeps: true,
    }
}

/// Search of a search tree that an estimate from the scopes up to five ends.
fn estimated(scope: u32, estimate: Estimate, regression: Regression) -> FieldsRequest {
    FieldsRequest {
        policy: Some(Policy {
            estimate,
            regression,
            small_scope: 5,
            clock: Clock::Work,
        }),
        ..exhaustive("SearchTree", scope)
    }
}

fn found(request: &FieldsRequest, jobs: usize) -> FieldsReport {
    let mut vm = machine();
    let subject = InvariantSubject::find(&mut vm, &request.paths.class, None).unwrap();
    let mut crew = Crew {
        jobs,
        more: &|| Some(machine()),
        stops: &|| false,
        watch: &mut |_| {},
    };
    let report = search(&mut vm, request, &subject, &mut crew).unwrap();
    // An estimate or given pairs may end the last scope.
    assert!(matches!(report.end, End::Complete | End::ByVisitor));
    report
}

fn rows(request: &FieldsRequest) -> Vec<Row> {
    found(request, 1).rows
}

fn sizes(request: &FieldsRequest) -> Vec<usize> {
    of(&rows(request), |row| row.suite_size)
}

fn of<T>(rows: &[Row], part: impl Fn(&Row) -> T) -> Vec<T> {
    rows.iter().map(part).collect()
}

/// Pairs of a field, and as many as are predicted, at each scope.
fn pairs(rows: &[Row], name: &str) -> Vec<(u64, Option<u64>)> {
    let field = |row: &Row| {
        let field = row.fields.iter().find(|field| field.name == name).unwrap();
        (field.pairs, field.predicted)
    };
    of(rows, field)
}

#[test]
fn the_papers_running_example() {
    // Table I: the field-exhaustive suites of a search tree.
    let all = rows(&exhaustive("SearchTree", 9));
    let sizes = |rows: &[Row]| of(rows, |row| row.suite_size);
    assert_eq!(sizes(&all), [2, 4, 7, 11, 16, 22, 29, 37, 46]);
    let counts = |name: &str| -> Vec<u64> { pairs(&all, name).iter().map(|one| one.0).collect() };
    assert_eq!(counts("left"), [1, 3, 5, 8, 11, 15, 19, 24, 29]);
    assert_eq!(counts("right"), [1, 3, 6, 9, 13, 17, 22, 27, 33]);
    let average = rows(&estimated(9, Estimate::Size, Regression::Average));
    assert_eq!(sizes(&average)[5..], [20, 25, 33, 38]);
    let predicted = |name: &str| -> Vec<u64> {
        let all = pairs(&average, name).into_iter();
        all.filter_map(|one| one.1).collect()
    };
    assert_eq!(predicted("left"), [14, 17, 21, 24]);
    assert_eq!(predicted("right"), [16, 20, 25, 29]);
}

#[test]
fn the_papers_size_policies() {
    // Table II: suites of a search tree from scope 6 on, by regression.
    let policy =
        |scope, regression| sizes(&estimated(scope, Estimate::Size, regression))[5..].to_vec();
    assert_eq!(policy(10, Regression::Linear), [18, 23, 27, 31, 37]);
    assert_eq!(policy(9, Regression::Average), [20, 25, 33, 38]);
    assert_eq!(policy(8, Regression::Quadratic), [22, 29, 37]);
}

#[test]
fn the_papers_other_classes() {
    // Table II. The paper's sorted list has no empty list.
    let list = sizes(&exhaustive("SortedList", 15));
    assert_eq!((list[5], list[14]), (7, 16));
    let linear = FieldsRequest {
        policy: estimated(15, Estimate::Size, Regression::Linear).policy,
        ..exhaustive("SortedList", 15)
    };
    assert_eq!(sizes(&linear), list);
    assert_eq!(sizes(&exhaustive("TreeSet", 6))[5..], [18]);
    let heap = sizes(&exhaustive("BinomialHeap", 10));
    assert_eq!((heap[5], heap[7], heap[9]), (7, 9, 11));
    // The paper has 28.
    assert_eq!(sizes(&exhaustive("AvlTree", 8))[7..], [29]);
}

/// Report without times.
fn settled(mut report: FieldsReport) -> String {
    report.found.clear();
    for row in &mut report.rows {
        row.seconds = 0.0;
    }
    format!("{report:?}")
}

#[test]
fn workers_change_nothing() {
    let non_null = FieldsRequest {
        criterion: PairCriterion::NonNull,
        ..exhaustive("TreeSet", 5)
    };
    for request in [
        exhaustive("SearchTree", 7),
        estimated(8, Estimate::Size, Regression::Average),
        estimated(7, Estimate::Time, Regression::Average),
        non_null,
        exhaustive("AvlTree", 7),
        exhaustive("BinomialHeap", 8),
    ] {
        let one = settled(found(&request, 1));
        for jobs in [2, 3] {
            assert_eq!(settled(found(&request, jobs)), one, "{request:?}");
        }
    }
}

/// Searching sizes together gives the same result as one by one.
#[test]
fn sweeps_change_nothing() {
    for (class, scope) in [("SearchTree", 8), ("TreeSet", 6), ("AvlTree", 9)] {
        let mut request = exhaustive(class, scope);
        let counts = |request: &FieldsRequest| {
            of(&rows(request), |row| {
                (row.suite_size, row.explored, row.valid)
            })
        };
        let together = counts(&request);
        request.sweeps = false;
        assert_eq!(counts(&request), together, "{class}");
    }
}

/// A time policy ends after the work estimated for each scope.
#[test]
fn time_is_estimated_by_work() {
    let full = rows(&exhaustive("SearchTree", 9))[8].explored;
    for regression in [
        Regression::Quadratic,
        Regression::Average,
        Regression::Exponential,
    ] {
        let timed = rows(&estimated(9, Estimate::Time, regression));
        assert_eq!(timed.len(), 9);
        for row in &timed[5..] {
            assert!(Some(row.work) <= row.predicted_work, "{row:?}");
        }
        let last = &timed[8];
        assert!(
            (16..46).contains(&last.suite_size),
            "{regression:?}: {last:?}"
        );
        assert!(last.explored < full, "{regression:?}");
    }
    let mut wall = estimated(7, Estimate::Time, Regression::Average);
    wall.policy.as_mut().unwrap().clock = Clock::Wall;
    let wall = sizes(&wall);
    assert_eq!((wall.len(), &wall[..5]), (7, &[2, 4, 7, 11, 16][..]));
}

#[test]
fn pairs_can_be_asked_for() {
    let asked = |class: &str, scope: u32, pairs: &[&str]| {
        let pairs = pairs.iter().map(|pair| pair.parse().unwrap());
        found(
            &FieldsRequest {
                criterion: PairCriterion::Given(pairs.collect()),
                ..exhaustive(class, scope)
            },
            1,
        )
    };
    let two = ["left: Node0 -> Node1", "right: Node1 -> Node2"];
    let found = asked("SearchTree", 5, &two);
    assert_eq!((found.suite.len(), found.missing.len()), (2, 0));
    assert_eq!(found.rows[2].cut, Some(ScopeCut::Covered));
    // Names of classes, elements and constants.
    let pairs = [
        "color: Mixed0 -> Color.BLUE",
        "Left[]: Left[]0[1] -> Left0",
        "Mixed.next: Mixed0 -> null",
    ];
    assert_eq!(asked("Odd$Mixed", 2, &pairs).missing, []);
    let non_null = FieldsRequest {
        criterion: PairCriterion::NonNull,
        ..exhaustive("SearchTree", 3)
    };
    let left = pairs_of_left(&rows(&non_null));
    assert_eq!(left, [0, 1, 2]);
}

fn pairs_of_left(rows: &[Row]) -> Vec<u64> {
    pairs(rows, "left").into_iter().map(|one| one.0).collect()
}
