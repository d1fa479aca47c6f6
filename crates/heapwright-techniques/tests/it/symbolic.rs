//! Paths with symbolic inputs, compared with concrete runs.
//!
//! For every method of `fixtures/src/symbolic`, each path's model is run concretely on the engine
//! and on a real JVM, with the outcome that the path predicts. It satisfies the conditions of that
//! path and of no other. If the inputs are few enough for exhaustive runs, each takes exactly one
//! path, and every path is taken. Every replaced library method is called by one of the methods.

use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

use heapwright_explore::Tree;
use heapwright_explore::symbolic::{
    Assignment, Decision, InputBounds, PathOutcome, SymbolicSearch,
};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::replaced::replaced_methods;
use heapwright_jvm::{Config, Exit, Vm};
use heapwright_techniques::symbolic::{
    Contents, Ending, InputValue, RunInput, RunObject, SymbolicRequest, Target, targets,
};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::{Jdk, compilers, jdks};
use heapwright_testkit::junit::join;

use crate::common::inputs::{line, predicted, run_and_look, run_on_engine};
use crate::common::paths::{compiled, request};

/// Most inputs of a method that are run exhaustively.
const ALL: u64 = 1 << 16;

/// Path as the first pass finds it.
struct Found {
    ending: Ending,
    input: RunInput,
    /// Values of its variables by name, and the decisions on references.
    values: HashMap<String, u64>,
    structure: Vec<String>,
}

fn structure(search: &SymbolicSearch<'_>) -> Vec<String> {
    let decisions = search.decisions().iter();
    decisions
        .filter(|decision| !matches!(decision, Decision::Holds(_)))
        .map(|decision| format!("{decision:?}"))
        .collect()
}

/// Whether all conditions of the current path hold for values given by name; `None` if one of its
/// variables has no value.
fn holds(search: &SymbolicSearch<'_>, values: &HashMap<String, u64>) -> Option<bool> {
    let mut assignment = Assignment::new();
    for variable in search.variables() {
        let number = variable.number;
        let key = format!("{}{}", variable.name, variable.is_nullness);
        if let Some(&bits) = values.get(&key) {
            assignment.set(number, bits);
        } else {
            let is_used = search
                .conditions()
                .iter()
                .any(|&condition| search.pool().variables(condition).contains(&number));
            if is_used {
                return None;
            }
        }
    }
    let mut conditions = search.conditions().iter();
    Some(conditions.all(|&condition| search.pool().evaluate(condition, &assignment) == 1))
}

/// Enumerates the paths of a target.
fn walk(
    vm: &mut Vm,
    target: &Target,
    request: &SymbolicRequest,
    visit: &mut dyn FnMut(&mut Vm, &heapwright_explore::symbolic::PathEnd, &SymbolicSearch<'_>),
) {
    let mut search = target.search(request);
    let mut go_on = |_: &mut SymbolicSearch<'_>| ControlFlow::Continue(());
    let end = search.run(vm, &mut go_on, &mut |vm, end, search| {
        visit(vm, end, search);
        ControlFlow::Continue(())
    });
    end.unwrap_or_else(|error| panic!("{}: {error}", target.name));
}

/// Returns the public methods of a class whose inputs are parameters or the receiver.
fn methods_of(vm: &mut Vm, class: &str) -> Vec<String> {
    let found = targets(vm, &request(class, "")).unwrap_or_else(|error| panic!("{class}: {error}"));
    let is_constructor = |target: &Target| vm.text(vm.method(target.method()).name) == "<init>";
    let methods = found.iter().filter(|target| !is_constructor(target));
    methods.map(|target| target.name.clone()).collect()
}

struct Case {
    method: String,
    line: String,
    predicted: String,
}

/// Checks a class's methods on the engine; returns the cases for a real JVM.
fn check_class(vm: &mut Vm, class: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let methods = methods_of(vm, class);
    assert!(!methods.is_empty(), "{class} has no public method");
    for method in methods {
        let request = request(class, &method);
        let found = targets(vm, &request).expect("the method is there");
        let target = &found[0];
        let paths = first_pass(vm, target, &request);
        assert!(!paths.is_empty(), "{class}.{method} has no path");
        second_pass(vm, target, &request, &paths);
        for path in &paths {
            let Some(predicted) = predicted(vm, target, &path.ending) else {
                continue;
            };
            let came = run_on_engine(vm, target, &path.input);
            assert_eq!(came, predicted, "{class}.{method} on {}", path.input);
            cases.push(Case {
                method: format!("{class}.{method}"),
                line: line(vm, class, target, &path.input),
                predicted,
            });
        }
        try_all(vm, target, &request);
    }
    cases
}

fn first_pass(vm: &mut Vm, target: &Target, request: &SymbolicRequest) -> Vec<Found> {
    let mut paths = Vec::new();
    walk(vm, target, request, &mut |vm, end, search| {
        let path = target.path(vm, end, search, false);
        let name = &target.name;
        assert!(
            !matches!(path.ending, Ending::Refused(_)),
            "{name}: {}",
            path.ending
        );
        let model = end
            .model
            .as_ref()
            .unwrap_or_else(|| panic!("{name}: no model for {:?}", path.conditions));
        let values = search.variables().iter().map(|variable| {
            let key = format!("{}{}", variable.name, variable.is_nullness);
            (key, model.get(variable.number))
        });
        paths.push(Found {
            ending: path.ending,
            input: path.model.expect("a model"),
            values: values.collect(),
            structure: structure(search),
        });
    });
    paths
}

/// Checks every model against the conditions of every path.
fn second_pass(vm: &mut Vm, target: &Target, request: &SymbolicRequest, paths: &[Found]) {
    let mut number = 0;
    walk(vm, target, request, &mut |_, _, search| {
        for (other, path) in paths.iter().enumerate() {
            if path.structure != structure(search) {
                continue;
            }
            let holds = holds(search, &path.values);
            let expected = Some(other == number);
            assert!(
                holds == expected || holds.is_none() && other != number,
                "{}: the model {} of path {other} and path {number}: {holds:?}",
                target.name,
                path.input
            );
        }
        number += 1;
    });
    assert_eq!(number, paths.len(), "{}: other paths now", target.name);
}

/// Runs all inputs, if they are few.
fn try_all(vm: &mut Vm, target: &Target, request: &SymbolicRequest) {
    let method = vm.method(target.method());
    let descriptor = vm.text(method.descriptor).to_owned();
    let (parameters, _) = descriptor::split_method(&descriptor).expect("a method's descriptor");
    if !method.is_static() {
        return;
    }
    let sizes: Option<Vec<u64>> = parameters
        .iter()
        .map(|&parameter| match parameter {
            "Z" => Some(2),
            "B" => Some(256),
            "C" | "S" => Some(65_536),
            _ => None,
        })
        .collect();
    let Some(sizes) = sizes else { return };
    let all: u64 = sizes.iter().product();
    if all > ALL {
        return;
    }
    // For each input, the number of paths that it takes, and the outcome predicted by its path.
    let mut taken: Vec<(u32, Option<String>)> = vec![(0, None); all as usize];
    walk(vm, target, request, &mut |vm, end, search| {
        let mut is_taken = false;
        // Without a returned term, the path predicts the same for all its inputs.
        let returned = match end.outcome {
            PathOutcome::Returned(slot) => search.term_of(slot),
            _ => None,
        };
        let mut said: Option<Option<String>> = None;
        for (input, seen) in taken.iter_mut().enumerate() {
            let mut assignment = Assignment::new();
            let bits = arguments(&parameters, &sizes, input as u64);
            for (variable, bits) in search.variables().iter().zip(bits) {
                assignment.set(variable.number, bits);
            }
            let mut conditions = search.conditions().iter();
            if !conditions.all(|&it| search.pool().evaluate(it, &assignment) == 1) {
                continue;
            }
            is_taken = true;
            let predicted = match said.take().filter(|_| returned.is_none()) {
                Some(said) => said,
                None => {
                    let mut end = end.clone();
                    end.model = Some(assignment);
                    let path = target.path(vm, &end, search, false);
                    predicted(vm, target, &path.ending)
                }
            };
            said = Some(predicted.clone());
            *seen = (seen.0 + 1, predicted);
        }
        assert!(is_taken, "{}: a path that no input takes", target.name);
    });
    let mut known = vm.begun_library_classes().len();
    for (number, (times, predicted)) in taken.into_iter().enumerate() {
        let bits = arguments(&parameters, &sizes, number as u64);
        let roots = parameters.iter().zip(bits).map(|(parameter, bits)| {
            let value = InputValue::Primitive(Kind::of(parameter), bits);
            (String::new(), value)
        });
        let input = RunInput {
            roots: roots.collect(),
            objects: Vec::new(),
        };
        assert_eq!(times, 1, "{}: paths of {input}", target.name);
        if let Some(predicted) = predicted {
            let come = |vm: &Vm, came, _: &Exit| (came, vm.begun_library_classes());
            let (came, initialized) = run_and_look(vm, target, &input, come);
            assert_eq!(came, predicted, "{} on {input}", target.name);
            // Classes that a run initialised are initialised permanently, to save later runs the
            // time.
            if initialized.len() > known {
                known = initialized.len();
                for class in initialized {
                    vm.initialize_now(class).expect("as the run did");
                }
            }
        }
    }
}

/// Returns the bits of the parameters of an input, by its number among all inputs.
fn arguments(parameters: &[&str], sizes: &[u64], number: u64) -> Vec<u64> {
    let mut rest = number;
    let each = parameters.iter().zip(sizes).map(|(parameter, size)| {
        let value = rest % size;
        rest /= size;
        match *parameter {
            "B" => bits_of_byte(value as i8),
            "S" => u64::from(value as i16 as i32 as u32),
            _ => value,
        }
    });
    each.collect()
}

/// Keys of sets and maps split a path only by their equality.
#[test]
fn keys_split_by_equality_alone() {
    const PATHS: &[(&str, usize)] = &[
        ("bytes", 2),
        ("ints", 4),
        ("booleans", 4),
        ("chars", 3),
        ("shorts", 2),
        ("longs", 2),
        ("doubles", 3),
        ("floats", 2),
        ("boxes", 5),
        ("strings", 9),
        ("removed", 5),
        ("overwritten", 2),
        ("looked", 4),
        ("absent", 2),
        ("wrapped", 2),
        ("repeated", 7),
    ];
    let (classes, _) = compiled();
    let jdk = heapwright_jvm::Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
    let mut vm = Vm::new(Config::new(jdk, vec![classes])).expect("an engine");
    for &(method, expected) in PATHS {
        let request = request("symbolic.Keys", method);
        let found = targets(&mut vm, &request).expect("the method is there");
        let mut paths = 0;
        walk(&mut vm, &found[0], &request, &mut |_, _, _| paths += 1);
        assert_eq!(paths, expected, "{method}");
    }
}

#[test]
#[ignore = "long"]
fn paths_are_what_runs_do() {
    let (classes, names) = compiled();
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/java/Replay.java");
    let replay = Fixture::new(&["-nowarn", "-Xlint:none"]).file(source);
    let replay = replay.classes();
    let check = |name: &String| {
        let jdk = heapwright_jvm::Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
        let mut config = Config::new(jdk, vec![classes.clone()]);
        config.assertions = true;
        let mut vm = Vm::new(config).expect("an engine");
        let cases = check_class(&mut vm, name);
        let mut replaced: BTreeSet<_> = replaced_methods().collect();
        // Entries of other JDKs are not called.
        let is_there = |vm: &mut Vm, entry: &(&str, &str, &str)| {
            let class = vm.load_class(entry.0);
            class.is_ok_and(|class| vm.declared_method(class, entry.1, entry.2).is_some())
        };
        let there: Vec<_> = replaced_methods()
            .filter(|entry| is_there(&mut vm, entry))
            .collect();
        let called: Vec<_> = vm.replaced_calls().collect();
        replaced.retain(|entry| called.contains(entry) || !there.contains(entry));
        (cases, replaced)
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let names = std::iter::from_fn(|| names.get(next.fetch_add(1, Ordering::Relaxed)));
        names.map(check).collect::<Vec<_>>()
    };
    let found = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, NonZero::get);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        let found = workers.into_iter().map(|worker| worker.join());
        found.collect::<Result<Vec<_>, _>>()
    });
    let found = found.expect("all classes were checked").into_iter();
    let (cases, called): (Vec<_>, Vec<_>) = found.flatten().unzip();
    let cases: Vec<Case> = cases.into_iter().flatten().collect();
    let called: BTreeSet<_> = called.into_iter().flatten().collect();
    let unused: Vec<_> = replaced_methods()
        .filter(|entry| !called.contains(entry))
        .collect();
    assert!(
        unused.is_empty(),
        "no method of fixtures/src/symbolic calls {unused:?} with a symbolic argument"
    );
    let methods: BTreeSet<&str> = cases.iter().map(|case| case.method.as_str()).collect();
    eprintln!("{} methods, {} paths", methods.len(), cases.len());
    for jdk in jdks() {
        replay_on(&jdk, &[classes.clone(), replay.clone()], &cases);
    }
}

/// Without overflow, unbounded integers have the same paths as Java's integers. Every input takes
/// one of the paths, with the same outcome.
#[test]
#[ignore = "long"]
fn without_overflow_unbounded_integers_are_javas() {
    let (classes, _) = compiled();
    let jdk = heapwright_jvm::Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
    let mut vm = Vm::new(Config::new(jdk, vec![classes])).expect("an engine");
    let class = "symbolic.Small";
    for method in methods_of(&mut vm, class) {
        let java = request(class, &method);
        let mut unbounded = java.clone();
        unbounded.bounds.unbounded = true;
        let found = targets(&mut vm, &java).expect("the method is there");
        let target = &found[0];
        let paths = first_pass(&mut vm, target, &unbounded);
        second_pass(&mut vm, target, &unbounded, &paths);
        try_all(&mut vm, target, &unbounded);
        let expected = first_pass(&mut vm, target, &java).len();
        assert_eq!(paths.len(), expected, "{class}.{method}");
    }
}

/// Each string of up to two characters that the methods distinguish takes exactly one path, with
/// the same outcome.
#[test]
fn strings_of_any_characters_take_one_path() {
    let (classes, _) = compiled();
    let jdk = heapwright_jvm::Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
    let mut vm = Vm::new(Config::new(jdk, vec![classes])).expect("an engine");
    let class = "symbolic.Wide";
    let mut tried = 0;
    for method in methods_of(&mut vm, class) {
        let request = request(class, &method);
        let found = targets(&mut vm, &request).expect("the method is there");
        if vm
            .text(vm.method(found[0].method()).descriptor)
            .starts_with("(Ljava/lang/String;)")
        {
            tried += 1;
            try_strings(&mut vm, &found[0], &request);
        }
    }
    assert!(tried > 0, "no method takes one string");
}

/// Null and strings of few characters.
fn few_strings() -> Vec<Option<Vec<u16>>> {
    let characters: Vec<u16> = "\0abkqx\u{ff}\u{100}\u{394}\u{3c9}\u{3b1}\u{4e2d}\u{1f600}"
        .encode_utf16()
        .collect();
    let one = characters.iter().map(|&it| vec![it]);
    let pairs = characters.iter().flat_map(|&first| {
        let second = characters.iter();
        second.map(move |&second| vec![first, second])
    });
    let all = std::iter::once(Vec::new()).chain(one).chain(pairs);
    std::iter::once(None).chain(all.map(Some)).collect()
}

/// Returns the variables of a string parameter, by their names as in [`holds`].
fn string_values(name: &str, text: Option<&[u16]>) -> HashMap<String, u64> {
    let units = text.unwrap_or_default();
    let is_wide = units.iter().any(|&unit| unit > 0xFF);
    let mut values = HashMap::from([
        (format!("{name}true"), u64::from(text.is_some())),
        (format!("{name}.lengthfalse"), units.len() as u64),
        (format!("{name}.coderfalse"), u64::from(is_wide)),
    ]);
    for place in 0..InputBounds::default().length as usize {
        let unit = units.get(place).copied().unwrap_or_default();
        let byte = if is_wide { 0 } else { unit as u8 as i8 };
        let wide = if is_wide { unit } else { 0 };
        values.insert(format!("{name}[{place}]false"), bits_of_byte(byte));
        values.insert(format!("{name}.chars[{place}]false"), wide.into());
    }
    values
}

fn bits_of_byte(byte: i8) -> u64 {
    u64::from(i32::from(byte) as u32)
}

fn try_strings(vm: &mut Vm, target: &Target, request: &SymbolicRequest) {
    let texts = few_strings();
    let mut taken: Vec<(u32, Option<String>)> = vec![(0, None); texts.len()];
    walk(vm, target, request, &mut |vm, end, search| {
        for (text, seen) in texts.iter().zip(&mut taken) {
            let values = string_values("s", text.as_deref());
            if holds(search, &values) != Some(true) {
                continue;
            }
            let mut assignment = Assignment::new();
            for variable in search.variables() {
                let key = format!("{}{}", variable.name, variable.is_nullness);
                assignment.set(variable.number, values[&key]);
            }
            let mut end = end.clone();
            end.model = Some(assignment);
            let path = target.path(vm, &end, search, false);
            *seen = (seen.0 + 1, predicted(vm, target, &path.ending));
        }
    });
    for (text, (times, predicted)) in texts.into_iter().zip(taken) {
        let input = string_input(text);
        assert_eq!(times, 1, "{}: paths of {input}", target.name);
        if let Some(predicted) = predicted {
            let came = run_on_engine(vm, target, &input);
            assert_eq!(came, predicted, "{} on {input}", target.name);
        }
    }
}

fn string_input(text: Option<Vec<u16>>) -> RunInput {
    let value = text
        .as_ref()
        .map_or(InputValue::Null, |_| InputValue::Object(0));
    let object = |units| RunObject {
        class: "java.lang.String".to_owned(),
        contents: Contents::Text(units),
    };
    RunInput {
        roots: vec![("s".to_owned(), value)],
        objects: text.into_iter().map(object).collect(),
    }
}

fn replay_on(jdk: &Jdk, class_path: &[PathBuf], cases: &[Case]) {
    let mut java = jdk.java();
    java.args(["--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"]);
    java.arg("-ea").arg("-cp");
    java.arg(join(class_path)).arg("Replay");
    let mut java = java
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a JVM");
    let mut stdin = java.stdin.take().expect("its input");
    let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            writeln!(stdin, "{line}").expect("a JVM that reads");
        }
    });
    let output = java.wait_with_output().expect("its output");
    writer.join().expect("all lines written");
    assert!(output.status.success(), "the JVM failed");
    let text = String::from_utf8(output.stdout).expect("text");
    let came: Vec<&str> = text.lines().collect();
    assert_eq!(came.len(), cases.len());
    for (case, came) in cases.iter().zip(came) {
        assert_eq!(came, case.predicted, "{} on {}", case.method, case.line);
    }
}
