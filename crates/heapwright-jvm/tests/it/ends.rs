//! Limits and refusals stop a run at any point with themselves or the true outcome, never with an
//! exception that the program sees. The machine has no memory of them.

use heapwright_jvm::{Exit, Limit, MethodId, Plain, Vm};

use crate::common;

/// Maximum number of step limits tried for one method.
const TRIED: u64 = 120;
/// Steps that no method here reaches.
const ENOUGH: u64 = 5_000_000;

/// Methods of `Ends` that end, and a part of their outcome.
const ENDING: [(&str, &str); 7] = [
    ("initialisers", "returned 39865"),
    ("twice", "returned 39928"),
    ("failing", "ExceptionInInitializerErrorNoClassDefFoundError"),
    ("thrown", "java.lang.ExceptionInInitializerError"),
    ("library", "[a, b]{}"),
    ("streams", "19909,19904,19901"),
    ("deep", "returned 19900"),
];

/// Methods of `Ends` that do not end, and a part of the limit or refusal.
const CUT: [(&str, &str); 5] = [
    ("refusedInitialiser", "changes of files"),
    ("refusedTwice", "changes of files"),
    ("refusedComparator", "changes of files"),
    ("refusedStream", "changes of files"),
    ("hungry", "memory for Java objects"),
];

fn run(vm: &mut Vm, method: MethodId, steps: u64) -> Exit {
    vm.limit_steps(steps);
    match vm.call(method, &[]) {
        Ok(()) => vm.run(&mut Plain),
        Err(exit) => exit,
    }
}

/// Describes the outcome of a run.
fn text(vm: &Vm, method: MethodId, exit: &Exit) -> String {
    match exit {
        Exit::Done(slot) if vm.text(vm.method(method).descriptor).ends_with("String;") => {
            vm.string_text(heapwright_jvm::Ref::from_slot(*slot))
        }
        Exit::Done(slot) => format!("returned {slot}"),
        other => vm.exit_text(other).lines().next().unwrap().to_owned(),
    }
}

/// Runs a method to its end and takes everything back; returns its outcome and number of steps.
fn truth(vm: &mut Vm, method: MethodId) -> (String, u64) {
    let mark = vm.mark();
    let before = vm.steps();
    let exit = run(vm, method, ENOUGH);
    let taken = vm.steps() - before;
    let text = text(vm, method, &exit);
    vm.undo_to(mark);
    vm.forget(mark);
    (text, taken)
}

/// Permanently initialises the classes that a run has initialised, with the steps that remain, as
/// a search does.
fn warm_up(vm: &mut Vm, method: MethodId, limit: u64) -> Exit {
    let mark = vm.mark();
    let exit = run(vm, method, limit);
    let initialized = vm.initialized_classes();
    let begun: Vec<_> = vm
        .loaded_classes()
        .filter(|&class| vm.is_app_class(class))
        .collect();
    vm.undo_to(mark);
    vm.forget(mark);
    for class in initialized.into_iter().chain(begun) {
        // A failure occurs again at its use.
        let _ = vm.initialize_now(class);
    }
    exit
}

#[test]
fn limits_and_refusals_stay_what_they_are() {
    let classes = common::fixture(&["Ends.java"]).classes();
    let jdk = common::jdks().swap_remove(0);
    for (name, expected) in ENDING.into_iter().chain(CUT) {
        let mut vm = common::machine(&jdk, &classes, |_| {});
        let method = common::method(&mut vm, "Ends", name);
        let (true_outcome, taken) = truth(&mut vm, method);
        assert!(true_outcome.contains(expected), "{name}: {true_outcome}");
        for tried in 1..=TRIED.min(taken) {
            let limit = tried * taken / TRIED.min(taken);
            let mark = vm.mark();
            let exit = warm_up(&mut vm, method, limit);
            if exit != Exit::Limit(Limit::Steps) {
                let exit_text = text(&vm, method, &exit);
                assert_eq!(exit_text, true_outcome, "{name}, after {limit} steps");
            }
            let (again, _) = truth(&mut vm, method);
            assert_eq!(again, true_outcome, "{name}, once {limit} steps were done");
            vm.undo_to(mark);
            vm.forget(mark);
        }
    }
}

#[test]
fn a_run_that_is_abandoned_leaves_no_class_half_initialised() {
    let classes = common::fixture(&["Ends.java"]).classes();
    let jdk = common::jdks().swap_remove(0);
    let mut vm = common::machine(&jdk, &classes, |_| {});
    let method = common::method(&mut vm, "Ends", "refusedTwice");
    for _ in 0..2 {
        let exit = run(&mut vm, method, ENOUGH);
        assert!(text(&vm, method, &exit).contains("changes of files"));
        vm.abandon();
    }
}
