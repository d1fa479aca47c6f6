//! Mutants by the operators of errors of logic: where they are, and that changed code runs.

use expect_test::{Expect, expect};
use heapwright_jvm::{ClassId, Config, Exit, Plain, Vm};
use heapwright_techniques::mutation::{Mutant, OperatorGroup, mutants};
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

fn machine() -> (Vm, ClassId) {
    let config = Config::new(jdks()[0].clone(), vec![fixtures::classes()]);
    let mut vm = Vm::new(config).unwrap();
    let class = vm.load_class("sequences/Ledger").unwrap();
    (vm, class)
}

fn of_logic(vm: &mut Vm, class: ClassId) -> Vec<Mutant> {
    let mut found = Vec::new();
    for method in vm.class(class).methods.clone() {
        let own = mutants(vm, method, OperatorGroup::Logic).unwrap();
        found.extend(own.into_iter().filter(|mutant| mutant.operator.is_of_logic()));
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
    check("book", &expect![[""]]);
}

#[test]
fn constants_assignments_and_rounds_are_changed() {
    check("trim", &expect![[""]]);
}

#[test]
fn a_reference_is_replaced_by_one_of_its_type_alone() {
    check("rename", &expect![[""]]);
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
    assert_eq!((changed, unchanged), (0, 0));
}
