//! Calls on all structures within bounds: seeded faults are found in the smallest scope that shows
//! them; what is called with what, what is expected, and what is compared.

use expect_test::{Expect, expect};
use heapwright_explore::End;
use heapwright_suite::Structure;
use heapwright_techniques::Error;
use heapwright_techniques::check::{CallTally, Counterexample};
use heapwright_testkit::seeded;

use crate::common::checks::Subject;

#[test]
#[ignore = "long"]
fn faults_are_found_where_they_first_show() {
    for fault in seeded::faults() {
        let (class, first) = (&fault.class, fault.scope);
        let check = |scope: u32| {
            let checked = Subject::seeded(&fault, scope).check().unwrap();
            assert_eq!(checked.outcome.end, End::Complete, "{class} {scope}");
            assert!(checked.left.is_empty(), "{class} {scope}");
            checked.checker
        };
        if first > 1 {
            let smaller = check(first - 1);
            assert!(smaller.found().counterexamples().is_empty(), "{class}");
            assert!(smaller.found().tallies.iter().all(is_whole), "{class}");
        }
        // A larger scope finds no smaller counterexample.
        for scope in [first, first + 1] {
            let checker = check(scope);
            let found = checker.found().counterexamples();
            assert_eq!(found.len(), 1, "{class} {scope}: {found:?}");
            let method = found[0].method.split('(').next();
            assert_eq!(method, Some(fault.method.as_str()), "{class} {scope}");
            assert_eq!(found[0].kind, fault.kind, "{class} {scope}");
            assert_eq!(
                found[0].before.objects.len(),
                fault.objects,
                "{class} {scope}"
            );
            // A method is not called on structures after one on which it did not end.
            let mut tallies = checker.found().tallies.iter();
            let ends = fault.kind != "does-not-end";
            assert!(tallies.all(|tally| is_whole(tally) || !ends), "{class}");
        }
    }
}

/// Whether all calls of a method have a verdict.
fn is_whole(tally: &CallTally) -> bool {
    tally.left_out.is_zero() && tally.refused + tally.limited == 0
}

fn state(name: &str, structure: &Structure) -> String {
    match structure.objects.is_empty() {
        true => String::new(),
        false => format!("  {name} {structure}\n"),
    }
}

fn failure_text(found: &Counterexample) -> String {
    format!(
        "{} {}\n{}  {}\n{}",
        found.call_text(),
        found.reason,
        state("before", &found.before),
        found.ended,
        state("after", &found.after)
    )
}

/// Counts of a method: structures × tuples if there are as many on each, calls, and the rest where
/// it is not zero.
fn tally_text(tally: &CallTally) -> String {
    let tuples = tally
        .tuples
        .map_or(String::new(), |tuples| format!(" × {tuples}"));
    let mut text = format!(
        "{}: {}{tuples}, {} calls in {} runs",
        tally.method, tally.structures, tally.calls, tally.runs
    );
    for (count, what) in [
        (tally.failed.to_string(), "fail"),
        (tally.rejected.to_string(), "rejected"),
        (tally.refused.to_string(), "refused"),
        (tally.limited.to_string(), "at a limit"),
        (tally.left_out.to_string(), "left out"),
    ] {
        if count != "0" {
            text += &format!(", {count} {what}");
        }
    }
    for (types, what) in [
        (&tally.null_only, "only null for"),
        (&tally.sampled, "some of"),
    ] {
        if !types.is_empty() {
            text += &format!(", {what} {}", types.join(" "));
        }
    }
    if let Some(other) = &tally.compared_with {
        text += &format!(", compared with {other}");
    }
    text
}

/// Counterexamples, counts and what has no verdict.
fn says(subject: &Subject, expected: &Expect) {
    let checked = subject.check().unwrap();
    assert!(checked.outcome.end == End::Complete && checked.left.is_empty());
    let (checker, found) = (&checked.checker, checked.checker.found());
    let mut text = String::new();
    for failure in found.counterexamples() {
        text += &failure_text(failure);
    }
    for tally in found
        .tallies
        .iter()
        .filter(|tally| tally.contract.is_none())
    {
        text += &format!("{}\n", tally_text(tally));
    }
    for skipped in checker.skipped() {
        text += &format!("not called: {}: {}\n", skipped.method, skipped.reason);
    }
    for warning in checker.warnings() {
        text += &format!("warning: {warning}\n");
    }
    for first in found.refused().into_iter().chain(found.limited()) {
        text += &format!("no verdict: {first}\n");
    }
    let explored = checked.outcome.progress.explored;
    text += &format!("{} structures, {explored} leaves\n", found.structures);
    expected.assert_eq(&text);
}

#[test]
fn calls_that_do_not_end_or_throw_are_found() {
    says(
        &Subject::new("faults.PurgeList", 3),
        &expect![[r#"
        removeAll(1) does not end (the limit of instructions in one run was reached, at faults.PurgeList.removeAll(int):20)
          before PurgeList{first: Node{value: 0, next: Node{value: 1, next: Node{value: 1}}}}
          did not end
          after PurgeList{first: Node{value: 0, next: Node{value: 1, next: Node{value: 1}}}}
        removeAll(int): 18 × 3, 53 calls in 21 runs, 1 fail, 22 left out
        40 structures, 10 leaves
    "#]],
    );
    says(
        &Subject::new("faults.ArrayDeque", 2),
        &expect![[r#"
        addFirst(0) throws java.lang.ArrayIndexOutOfBoundsException: Index -1 out of bounds for length 1
            at faults.ArrayDeque.addFirst(int):16
          before ArrayDeque{slots: int[]{0}, head: 0, size: 0}
          threw java.lang.ArrayIndexOutOfBoundsException
          after ArrayDeque{slots: int[]{0}, head: -1, size: 0}
        addFirst(int): 20 × 2, 40 calls in 5 runs, 20 fail, 4 rejected
        addLast(int): 20 × 2, 40 calls in 6 runs, 4 rejected
        removeFirst(): 20 × 1, 20 calls in 7 runs, 10 rejected
        20 structures, 4 leaves
    "#]],
    );
}

#[test]
fn methods_are_chosen_by_name_and_types() {
    let mut subject = Subject::new("probe.Box", 2);
    says(
        &subject,
        &expect![[r#"
        put(int): 2 × 2, 4 calls in 1 runs
        put(java.lang.String,probe.Box,int[],java.lang.Runtime): 2, 256 calls in 256 runs, 112 rejected, only null for java.lang.Runtime
        take(): 2 × 1, 2 calls in 2 runs
        not called: takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long): its parameters have more than 49932 combinations of values
        2 structures, 1 leaves
    "#]],
    );
    subject.request.methods = ["put(int)", "take"].map(str::to_owned).to_vec();
    says(
        &subject,
        &expect![[r#"
        put(int): 2 × 2, 4 calls in 1 runs
        take(): 2 × 1, 2 calls in 2 runs
        2 structures, 1 leaves
    "#]],
    );
}

/// Types that nothing implements have objects of anonymous classes, those of the library objects
/// that its members make.
#[test]
fn types_without_values_have_objects_that_calls_make() {
    says(
        &Subject::new("api.Reception", 2),
        &expect![[r#"
        admit(api.Reception$Guest): 2, 10 calls in 10 runs, 4 rejected, some of api.Reception$Guest
        read(java.io.Reader): 2, 6 calls in 6 runs, 2 rejected, some of java.io.Reader
        size(java.nio.charset.Charset): 2, 6 calls in 6 runs, 2 rejected, some of java.nio.charset.Charset
        day(java.time.LocalDate): 2, 8 calls in 8 runs, 2 rejected, some of java.time.LocalDate
        follows(java.util.Comparator,java.lang.String): 2, 24 calls in 24 runs, 12 rejected, some of java.util.Comparator
        apply(java.util.function.Function): 2, 4 calls in 4 runs, 2 rejected, some of java.util.function.Function
        seat(api.Reception$Host,api.Reception$Guest): 2, 50 calls in 50 runs, 20 rejected, some of api.Reception$Host api.Reception$Guest
        total(): 2 × 1, 2 calls in 2 runs
        2 structures, 1 leaves
    "#]],
    );
    says(
        &Subject::new("api.Party", 1),
        &expect![[r#"
        share(new Guest() {age -> 0, name -> ""}) throws java.lang.ArithmeticException: / by zero
            at api.Party.share(api.Reception$Guest):6
          before Party{}
          threw java.lang.ArithmeticException
          after Party{}
        share(api.Reception$Guest): 1, 5 calls in 5 runs, 1 fail, 2 rejected, some of api.Reception$Guest
        1 structures, 1 leaves
    "#]],
    );
}

/// Scripted objects end loops and throw. What they throw is expected, also as a cause.
#[test]
fn objects_with_scripts_reach_what_constant_ones_do_not() {
    says(
        &Subject::new("api.Ferry", 1),
        &expect![[r#"
        load(new Dock() {next -> true then false, weight -> 0}) breaks the invariant repOK
          before Ferry{load: 0}
          returned 1
          after Ferry{load: 1}
        weigh(new Dock() {next -> throw IllegalStateException, weight -> throw IOException}) throws java.lang.ArithmeticException: / by zero
            at api.Ferry.weigh(api.Ferry$Dock):27
          before Ferry{load: 0}
          threw java.lang.ArithmeticException
          after Ferry{load: 0}
        load(api.Ferry$Dock): 1, 5 calls in 5 runs, 1 fail, 2 rejected, some of api.Ferry$Dock
        weigh(api.Ferry$Dock): 1, 5 calls in 5 runs, 1 fail, 1 rejected, some of api.Ferry$Dock
        pass(api.Ferry$Dock): 1, 5 calls in 5 runs, 2 rejected, some of api.Ferry$Dock
        stop(api.Ferry$Dock): 1, 5 calls in 5 runs, 2 rejected, some of api.Ferry$Dock
        1 structures, 1 leaves
    "#]],
    );
}

#[test]
fn refusals_are_expected_and_counted() {
    let mut subject = Subject::new("probe.Refuser", 2);
    says(
        &subject,
        &expect![[r#"
        nullOfItsOwn(0) throws java.lang.NullPointerException: Cannot invoke "String.length()" because "<local2>" is null
            at probe.Refuser.nullOfItsOwn(int):31
          before Refuser{count: 0}
          threw java.lang.NullPointerException
          after Refuser{count: 0}
        own() throws probe.Refuser$Full: full
            at probe.Refuser.own():41
          before Refuser{count: 0}
          threw probe.Refuser$Full
          after Refuser{count: 0}
        late(1) breaks the invariant repOK
          before Refuser{count: 0}
          threw java.lang.IllegalStateException
          after Refuser{count: -1}
        usual(int): 1 × 2, 2 calls in 2 runs, 1 rejected
        declared(): 1 × 1, 1 calls in 1 runs, 1 rejected
        nullArgument(java.lang.String): 1 × 4, 4 calls in 4 runs, 1 rejected
        nullOfItsOwn(int): 1 × 2, 2 calls in 2 runs, 1 fail
        bounds(int): 1 × 2, 2 calls in 2 runs, 1 rejected
        own(): 1 × 1, 1 calls in 1 runs, 1 fail
        late(int): 1 × 2, 2 calls in 2 runs, 1 fail
        1 structures, 2 leaves
    "#]],
    );
    let expected = ["IndexOutOfBoundsException", "probe.Refuser$Full"];
    subject.request.expected = expected.map(str::to_owned).to_vec();
    says(
        &subject,
        &expect![[r#"
        nullOfItsOwn(0) throws java.lang.NullPointerException: Cannot invoke "String.length()" because "<local2>" is null
            at probe.Refuser.nullOfItsOwn(int):31
          before Refuser{count: 0}
          threw java.lang.NullPointerException
          after Refuser{count: 0}
        late(1) breaks the invariant repOK
          before Refuser{count: 0}
          threw java.lang.IllegalStateException
          after Refuser{count: -1}
        usual(int): 1 × 2, 2 calls in 2 runs, 1 rejected
        declared(): 1 × 1, 1 calls in 1 runs, 1 rejected
        nullArgument(java.lang.String): 1 × 4, 4 calls in 4 runs, 1 rejected
        nullOfItsOwn(int): 1 × 2, 2 calls in 2 runs, 1 fail
        bounds(int): 1 × 2, 2 calls in 2 runs, 1 rejected
        own(): 1 × 1, 1 calls in 1 runs, 1 rejected
        late(int): 1 × 2, 2 calls in 2 runs, 1 fail
        1 structures, 2 leaves
    "#]],
    );
}

#[test]
fn what_the_engine_refuses_is_counted() {
    says(
        &Subject::new("probe.Worker", 1),
        &expect![[r#"
        start(): 2 × 1, 2 calls in 2 runs, 2 refused
        leave(): 2 × 1, 2 calls in 2 runs, 2 refused
        isBusy(): 2 × 1, 2 calls in 2 runs
        no verdict: start(): unsupported: java.lang.Thread.start(): threads are not run
        2 structures, 1 leaves
    "#]],
    );
}

#[test]
fn oracles_see_the_state_before_and_take_every_kind_of_argument() {
    let mut subject = Subject::new("probe.Counter", 3);
    subject.request.oracles = vec!["add=probe.Rules.adds".to_owned()];
    says(
        &subject,
        &expect![[r#"
        add(0) fails the oracle probe.Rules.adds(probe.Counter, int, probe.Counter)
          before Counter{cell: Cell{value: 2}}
          returned
          after Counter{cell: Cell{value: 3}}
        add(int): 3 × 3, 9 calls in 9 runs, 1 fail
        3 structures, 2 leaves
    "#]],
    );
    let mut subject = Subject::new("probe.Numbers", 2);
    subject.request.oracles = vec!["twice=isTwice".to_owned()];
    says(
        &subject,
        &expect![[r#"
        twice(this.first, 1, true) fails the oracle probe.Numbers.isTwice(java.lang.Object, probe.Numbers$Cell, long, boolean, probe.Numbers, long)
          before Numbers{first: Cell{number: 1}, counts: int[]{0, 0}}
          returned 0
          after Numbers{first: Cell{number: 1}, counts: int[]{0, 0}}
        add(LEFT, 0) breaks the invariant repOK
          before Numbers{first: Cell{number: 0, next: Cell{number: 0}}, counts: int[]{0, 0}}
          returned
          after Numbers{first: Cell{number: 0, next: Cell{number: 0, next: Cell{number: 0}}}, counts: int[]{1, 0}}
        add(probe.Numbers$Side,long): 24 × 6, 144 calls in 6 runs, 64 fail, 48 rejected
        twice(probe.Numbers$Cell,long,boolean): 24, 256 calls in 256 runs, 12 fail
        24 structures, 7 leaves
    "#]],
    );
}

#[test]
fn what_makes_objects_is_called() {
    says(
        &Subject::new("probe.Range", 2),
        &expect![[r#"
        Range(0) makes an object that breaks the invariant repOK
          returned
          after Range{low: 1, high: 0}
        turned(this) makes an object that breaks the invariant repOK
          before Range{low: 0, high: 1}
          returned an probe.Range
          after Range{low: 1, high: 0}
        empty(this) breaks the invariant repOK
          before Range{low: 0, high: 0}
          returned
          after Range{low: 0, high: -1}
        Range(int,int): 0 × 4, 4 calls in 4 runs, 1 rejected
        Range(int): 0 × 2, 2 calls in 2 runs, 1 fail
        between(int,int): 0 × 4, 4 calls in 4 runs
        turned(probe.Range): 3, 6 calls in 6 runs, 1 fail, 3 rejected
        empty(probe.Range): 3, 6 calls in 2 runs, 3 fail, 3 rejected
        3 structures, 2 leaves
    "#]],
    );
    let mut subject = Subject::new("probe.Numbers", 1);
    subject.request.methods = vec!["Numbers".to_owned()];
    says(
        &subject,
        &expect![[r#"
        Numbers() makes an object that breaks the invariant repOK
          returned
          after Numbers{counts: int[]{0, 0}}
        Numbers(): 0 × 1, 1 calls in 1 runs, 1 fail
        0 structures, 2 leaves
    "#]],
    );
}

fn against(class: &str, other: &str) -> Subject {
    let mut subject = Subject::new(class, 2);
    subject.request.against = Some(other.to_owned());
    subject
}

#[test]
fn another_implementation_must_come_to_the_same() {
    let mut subject = against("probe.Box", "probe.Twin");
    subject.request.methods = ["put", "take"].map(str::to_owned).to_vec();
    says(
        &subject,
        &expect![[r#"
        put(0) disagrees with probe.Twin.put(int): that throws java.lang.IllegalStateException
          before Box{value: 0}
          returned
          after Box{value: 0}
        put(int): 2 × 2, 4 calls in 4 runs, 4 fail, compared with probe.Twin
        put(java.lang.String,probe.Box,int[],java.lang.Runtime): 2, 256 calls in 256 runs, 112 rejected, only null for java.lang.Runtime
        take(): 2 × 1, 2 calls in 2 runs, compared with probe.Twin
        warning: put(java.lang.String,probe.Box,int[],java.lang.Runtime) is not compared: probe.Twin has no such method
        warning: the states of objects after calls are compared by take(): probe.Twin has no equals and is no Iterable or Map
        2 structures, 1 leaves
    "#]],
    );
    let subject = against("faults.UseOrderedMap", "java.util.LinkedHashMap");
    says(
        &subject,
        &expect![[r#"
        put(0, 0) disagrees with java.util.LinkedHashMap: that holds {1=0, 0=0} then, not {0=0, 1=0}
          before UseOrderedMap{first: Entry{key: 0, value: 0, next: Entry{key: 1, value: 0}}}
          returned 0
          after UseOrderedMap{first: Entry{key: 0, value: 0, next: Entry{key: 1, value: 0}}}
        get(int): 13 × 2, 26 calls in 26 runs, compared with java.util.LinkedHashMap
        put(int,int): 13 × 4, 52 calls in 52 runs, 16 fail, compared with java.util.LinkedHashMap
        13 structures, 13 leaves
    "#]],
    );
    let subject = against("faults.RingDeque", "java.util.ArrayDeque");
    says(
        &subject,
        &expect![[r#"
        pollLast() disagrees with java.util.ArrayDeque.pollLast(): that returns 0
          before RingDeque{slots: int[]{0, 1}, head: 0, size: 1}
          returned 1
          after RingDeque{slots: int[]{0, 1}, head: 0, size: 0}
        pollFirst(): 20 × 1, 20 calls in 20 runs, compared with java.util.ArrayDeque
        pollLast(): 20 × 1, 20 calls in 20 runs, 4 fail, compared with java.util.ArrayDeque
        size(): 20 × 1, 20 calls in 20 runs, compared with java.util.ArrayDeque
        iterator(): 20 × 1, 20 calls in 20 runs, compared with java.util.ArrayDeque
        20 structures, 4 leaves
    "#]],
    );
}

/// Correct classes have no counterexample.
#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    for (class, bounds) in [
        ("tree.SearchTree", "4"),
        ("tree.AvlTree", "5,5"),
        ("tree.RedBlackTree", "4"),
        ("tree.BinaryTree", "4,4,4"),
        ("list.DoublyLinkedList", "4,3"),
        ("list.SortedList", "4,1,4"),
        ("heap.HeapArray", "2,4,1"),
        ("map.LruCache", "3,3,4000000000"),
        ("queue.TwoStackQueue", "4,1"),
    ] {
        let subject = Subject::finitized(&format!("fixtures.{class}"), bounds);
        let checked = subject.check().unwrap();
        assert!(checked.outcome.end == End::Complete && checked.left.is_empty());
        let found = checked.checker.found();
        assert!(found.counterexamples().is_empty(), "{class}");
        assert!(found.tallies.iter().all(is_whole), "{class}");
        let calls: u64 = found
            .tallies
            .iter()
            .filter_map(|tally| tally.calls.word())
            .sum();
        assert!(calls > 50, "{class}: {calls} calls");
    }
}

#[test]
fn wrong_requests_are_named() {
    let refused = |subject: &Subject, expected: Expect| {
        let error = subject.check().err().expect("an error");
        let candidates = match &error {
            Error::MethodNotFound { candidates, .. } => format!("; {}", candidates.join(", ")),
            _ => String::new(),
        };
        expected.assert_eq(&format!("{error}{candidates}"));
    };
    for (oracle, expected) in [
        (
            "put=none",
            expect![
                "oracle put=none: an oracle is for one method, and here it could be put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime); say --oracle 'name(types)=none', or name one method with -m"
            ],
        ),
        (
            "takeAll",
            expect![
                "oracle takeAll: an oracle is for one method, and here it could be put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime), take(); say --oracle 'name(types)=takeAll', or name one method with -m"
            ],
        ),
        (
            "take=probe.Rules.adds",
            expect![
                "class probe.Rules has no oracle static boolean adds(probe.Box before, probe.Box after, int result) for take(); adds(probe.Counter,int,probe.Counter)"
            ],
        ),
    ] {
        let mut subject = Subject::new("probe.Box", 2);
        subject.request.oracles = vec![oracle.to_owned()];
        refused(&subject, expected);
    }
    for (exception, expected) in [
        (
            "NoSuch",
            expect!["class NoSuch not found on the class path"],
        ),
        (
            "java.lang.String",
            expect!["class java.lang.String cannot be used: it is no exception"],
        ),
    ] {
        let mut subject = Subject::new("probe.Box", 2);
        subject.request.expected = vec![exception.to_owned()];
        refused(&subject, expected);
    }
    for (other, expected) in [
        (
            "probe.Plain",
            expect![
                "class probe.Plain cannot be used: there is no way from Box to it; any of these would do: Plain(Box), static Plain Plain.from(Box), each with Box or a supertype, or Plain Box.toPlain()"
            ],
        ),
        (
            "java.util.Collection",
            expect![
                "class java.util.Collection cannot be used: objects to compare with are made of it, so it must neither be private nor abstract"
            ],
        ),
    ] {
        let mut subject = against("probe.Box", other);
        subject.request.methods = vec!["take".to_owned()];
        refused(&subject, expected);
    }
    let mut subject = Subject::new("probe.Box", 2);
    subject.request.methods = vec!["put(char)".to_owned()];
    refused(
        &subject,
        expect![
            "class probe.Box has no method put(char); put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime), take(), takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long)"
        ],
    );
}
