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
            15 SIBLING_VARIABLES: read variable fee instead of amount
            15 SIBLING_VARIABLES: read variable amount instead of fee
            15 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/Math::max with argument
            15 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/Math::max with argument
            15 SIBLING_CALLS: replaced call to java/lang/Math::max with call to min
            15 SIBLING_CALLS: replaced call to java/lang/Math::max with call to multiplyExact
            15 SIBLING_CALLS: replaced call to java/lang/Math::max with call to abs
            15 SIBLING_CALLS: replaced call to java/lang/Math::max with call to absExact
            16 SIBLING_FIELDS: read field debit instead of credit
            16 SIBLING_VARIABLES: read variable fee instead of booked
            16 SIBLING_VARIABLES: read variable amount instead of booked
            16 AOD1: Replaced long operation with first member
            16 AOD2: Replaced long operation with second member
            16 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable credit
            16 SIBLING_ASSIGNMENTS: assigned variable amount to credit
            16 SIBLING_ASSIGNMENTS: assigned variable fee to credit
            17 SIBLING_VARIABLES: read variable fee instead of booked
            17 SIBLING_VARIABLES: read variable amount instead of booked
            17 SIBLING_CALLS: replaced call to java/util/Deque::addLast with call to addFirst
            17 SIBLING_CALLS: replaced call to java/util/Deque::addLast with call to push
            18 SIBLING_VARIABLES: read variable fee instead of booked
            18 SIBLING_VARIABLES: read variable amount instead of booked
            18 FIELD_RESETS: reset member variable debit
            18 FIELD_RESETS: reset member variable holder
        "#]],
    );
}

#[test]
fn constants_assignments_and_rounds_are_changed() {
    check(
        "trim",
        &expect![[r#"
            27 CRCR5: Substituted 0 with 1
            27 CRCR6: Substituted 0 with -1
            28 SIBLING_VARIABLES: read variable step instead of most
            28 SIBLING_VARIABLES: read variable removed instead of most
            29 SIBLING_FIELDS: read field credit instead of debit
            29 SIBLING_CALLS: replaced call to java/util/Deque::removeFirst with call to removeLast
            29 SIBLING_CALLS: replaced call to java/util/Deque::removeFirst with call to remove
            29 AOD1: Replaced long operation with first member
            29 AOD2: Replaced long operation with second member
            29 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable debit
            30 SIBLING_VARIABLES: read variable step instead of removed
            30 SIBLING_VARIABLES: read variable most instead of removed
            30 SIBLING_VARIABLES: read variable most instead of step
            30 SIBLING_VARIABLES: read variable removed instead of step
            30 AOD1: Replaced int operation with first member
            30 AOD2: Replaced int operation with second member
            30 LOCAL_VARIABLE: Removed assignment to local variable removed
            30 SINGLE_ROUND: left the loop after its first round
            32 SIBLING_VARIABLES: read variable step instead of removed
            32 SIBLING_VARIABLES: read variable most instead of removed
            32 FIELD_RESETS: reset member variable credit
            32 FIELD_RESETS: reset member variable holder
        "#]],
    );
}

#[test]
fn a_reference_is_replaced_by_one_of_its_type_alone() {
    check(
        "rename",
        &expect![[r#"
            37 SIBLING_VARIABLES: read variable trimmed instead of name
            37 SIBLING_CALLS: replaced call to java/lang/String::isBlank with call to isEmpty
            38 EMPTY_TEXTS: Substituted "nobody" with an empty text
            38 SIBLING_VARIABLES: read variable trimmed instead of name
            38 EXPERIMENTAL_NAKED_RECEIVER: replaced call to java/lang/String::concat with receiver
            38 EXPERIMENTAL_ARGUMENT_PROPAGATION: replaced call to java/lang/String::concat with argument
            38 LOCAL_VARIABLE: Removed assignment to local variable trimmed
            40 SIBLING_VARIABLES: read variable name instead of trimmed
            40 EXPERIMENTAL_NAKED_RECEIVER: replaced call to java/lang/String::toLowerCase with receiver
            40 SIBLING_CALLS: replaced call to java/lang/String::toLowerCase with call to toUpperCase
            40 SIBLING_CALLS: replaced call to java/lang/String::toLowerCase with call to translateEscapes
            40 EXPERIMENTAL_MEMBER_VARIABLE: Removed assignment to member variable holder
            40 SIBLING_ASSIGNMENTS: assigned variable name to holder
            40 SIBLING_ASSIGNMENTS: assigned variable trimmed to holder
            41 FIELD_RESETS: reset member variable credit
            41 FIELD_RESETS: reset member variable debit
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
    assert_eq!((changed, unchanged), (63, 25));
}
