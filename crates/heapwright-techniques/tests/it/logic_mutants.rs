//! Mutants by the operators of errors of logic: where they are, and that changed code runs.

use expect_test::{Expect, expect};
use heapwright_jvm::{ClassId, Config, Exit, Jdk, Plain, Vm};
use heapwright_techniques::mutation::{Mutant, OperatorGroup, mutants};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

fn machine() -> (Vm, ClassId) {
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let classes = Fixture::new(&["-g", "-nowarn"])
        .package("sequences")
        .classes();
    let config = Config::new(jdk, vec![classes.to_owned()]);
    let mut vm = Vm::new(config).unwrap();
    let class = vm.load_class("sequences/Cashbook").unwrap();
    (vm, class)
}

fn of_logic(vm: &mut Vm, class: ClassId) -> Vec<Mutant> {
    let mut found = Vec::new();
    for method in vm.class(class).methods.clone() {
        let own = mutants(vm, method, OperatorGroup::Logic).unwrap();
        found.extend(
            own.into_iter()
                .filter(|mutant| mutant.operator.is_of_logic()),
        );
        vm.make_patchable(method);
    }
    found
}

fn check(name: &str, expected: &Expect) {
    let (mut vm, class) = machine();
    let mut lines = String::new();
    for mutant in of_logic(&mut vm, class) {
        if vm.text(vm.method(mutant.method).name) == name {
            let (operator, description) = (mutant.operator.name(), mutant.description);
            let line = mutant.line.unwrap_or_default();
            lines.push_str(&format!("{line} {operator}: {description}\n"));
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn operands_fields_variables_and_calls_have_siblings() {
    check(
        "book",
        &expect![[r#"
            17 SIBLING_VARIABLES: read variable fee instead of amount
            17 SIBLING_VARIABLES: read variable amount instead of fee
            17 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/Math::max with argument
            17 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/Math::max with argument
            17 SIBLING_CALLS: replaced call to java/lang/Math::max with call to min
            17 SIBLING_CALLS: replaced call to java/lang/Math::max with call to multiplyExact
            17 SIBLING_CALLS: replaced call to java/lang/Math::max with call to abs
            17 SIBLING_CALLS: replaced call to java/lang/Math::max with call to absExact
            18 SIBLING_FIELDS: read field debit instead of credit
            18 SIBLING_VARIABLES: read variable fee instead of booked
            18 SIBLING_VARIABLES: read variable amount instead of booked
            18 AOD1: Replaced long operation with first member
            18 AOD2: Replaced long operation with second member
            18 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable credit
            18 SIBLING_ASSIGNMENTS: assigned variable amount to credit
            18 SIBLING_ASSIGNMENTS: assigned variable fee to credit
            19 SIBLING_VARIABLES: read variable fee instead of booked
            19 SIBLING_VARIABLES: read variable amount instead of booked
            19 SIBLING_CALLS: replaced call to java/util/Deque::addLast with call to addFirst
            19 SIBLING_CALLS: replaced call to java/util/Deque::addLast with call to push
            20 SIBLING_VARIABLES: read variable fee instead of booked
            20 SIBLING_VARIABLES: read variable amount instead of booked
            20 FIELD_RESETS: reset member variable debit
            20 FIELD_RESETS: reset member variable holder
        "#]],
    );
}

#[test]
fn constants_assignments_and_rounds_are_changed() {
    check(
        "trim",
        &expect![[r#"
            29 CRCR5: Substituted 0 with 1
            29 CRCR6: Substituted 0 with -1
            30 SIBLING_VARIABLES: read variable step instead of most
            30 SIBLING_VARIABLES: read variable removed instead of most
            31 SIBLING_FIELDS: read field credit instead of debit
            31 SIBLING_CALLS: replaced call to java/util/Deque::removeFirst with call to removeLast
            31 SIBLING_CALLS: replaced call to java/util/Deque::removeFirst with call to remove
            31 AOD1: Replaced long operation with first member
            31 AOD2: Replaced long operation with second member
            31 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable debit
            32 SIBLING_VARIABLES: read variable step instead of removed
            32 SIBLING_VARIABLES: read variable most instead of removed
            32 SIBLING_VARIABLES: read variable most instead of step
            32 SIBLING_VARIABLES: read variable removed instead of step
            32 AOD1: Replaced int operation with first member
            32 AOD2: Replaced int operation with second member
            32 LOCAL_VARIABLE: Removed assignment to local variable removed
            32 SINGLE_ROUND: left the loop after its first round
            34 SIBLING_VARIABLES: read variable step instead of removed
            34 SIBLING_VARIABLES: read variable most instead of removed
            34 FIELD_RESETS: reset member variable credit
            34 FIELD_RESETS: reset member variable holder
        "#]],
    );
}

#[test]
fn a_reference_is_replaced_by_one_of_its_type_alone() {
    check(
        "rename",
        &expect![[r#"
            39 SIBLING_VARIABLES: read variable trimmed instead of name
            39 SIBLING_CALLS: replaced call to java/lang/String::isBlank with call to isEmpty
            40 EMPTY_TEXTS: Substituted "nobody" with an empty text
            40 SIBLING_VARIABLES: read variable trimmed instead of name
            40 EXPERIMENTAL_NAKED_RECEIVER: replaced call to java/lang/String::concat with receiver
            40 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/String::concat with argument
            40 LOCAL_VARIABLE: Removed assignment to local variable trimmed
            42 SIBLING_VARIABLES: read variable name instead of trimmed
            42 EXPERIMENTAL_NAKED_RECEIVER: replaced call to java/lang/String::toLowerCase with receiver
            42 SIBLING_CALLS: replaced call to java/lang/String::toLowerCase with call to toUpperCase
            42 SIBLING_CALLS: replaced call to java/lang/String::toLowerCase with call to translateEscapes
            42 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable holder
            42 SIBLING_ASSIGNMENTS: assigned variable name to holder
            42 SIBLING_ASSIGNMENTS: assigned variable trimmed to holder
            43 FIELD_RESETS: reset member variable credit
            43 FIELD_RESETS: reset member variable debit
        "#]],
    );
}

/// The check for null before the reference to a method, and the calls that do the same, have no mutants.
#[test]
fn constants_of_enums_have_siblings() {
    check(
        "isOpen",
        &expect![[r#"
        51 SIBLING_FIELDS: read field SATURDAY instead of SUNDAY
        51 SIBLING_FIELDS: read field FRIDAY instead of SUNDAY
        51 SIBLING_CALLS: replaced call to java/util/stream/Stream::anyMatch with call to allMatch
        51 SIBLING_CALLS: replaced call to java/util/stream/Stream::anyMatch with call to noneMatch
        51 CRCR5: Substituted 1 with 2
        51 CRCR6: Substituted 1 with 0
        51 CRCR5: Substituted 0 with 1
        51 CRCR6: Substituted 0 with -1
    "#]],
    );
}

/// Each mutant can be made, and the code runs to an end; taken back, it returns what it did.
#[test]
fn changed_code_runs() {
    let (mut vm, class) = machine();
    vm.initialize_now(class).unwrap();
    let mutants = of_logic(&mut vm, class);
    let used = vm.declared_method(class, "used", "()J").unwrap();
    let run = |vm: &mut Vm| {
        vm.with_mark(|vm| {
            vm.limit_steps(100_000);
            vm.call(used, &[]).unwrap();
            vm.run(&mut Plain)
        })
    };
    let (mut changed, mut unchanged) = (0, 0);
    for mutant in mutants {
        let mut patch = mutant.patch(&mut vm).unwrap().unwrap();
        vm.exchange(&mut patch);
        match run(&mut vm) {
            Exit::Done(24) => unchanged += 1,
            Exit::Done(_) | Exit::Threw(_) | Exit::Limit(_) => changed += 1,
            exit => panic!("{mutant:?}: {exit:?}"),
        }
        vm.exchange(&mut patch);
        assert_eq!(run(&mut vm), Exit::Done(24), "{mutant:?}");
    }
    assert_eq!((changed, unchanged), (72, 29));
}
