//! Going back: after `undo_to` the whole state hashes as at the mark, and the continuation is the
//! same to the step.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_jvm::choice::Place;
use heapwright_jvm::{Choosing, Exit, Limit, MarkId, MethodId, Plain, Ref, Vm};
use heapwright_testkit::random::Random;

use crate::common;

/// Number of steps that no program here reaches.
const FOREVER: u64 = 1 << 40;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| common::fixture(&["Walk.java", "Turns.java", "Choices.java"]).classes())
}

/// Arguments of `walk.Walk.run(long seed, int steps)`.
fn arguments(seed: u64, steps: u64) -> [u64; 3] {
    [seed, 0, steps]
}

/// Observable state at a point in time.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Seen {
    steps: u64,
    exit: Exit,
    output: Vec<heapwright_jvm::PrintedText>,
    hash: u64,
}

/// Hash of the state that is the same whenever the program reaches this point. It is 0 in a
/// release build, where unused registers hold old values.
fn hash_of_point(vm: &Vm, permanent: usize) -> u64 {
    if cfg!(debug_assertions) {
        vm.state_hash(permanent)
    } else {
        0
    }
}

/// Continues the run, for at most `limit` steps.
fn run_on(vm: &mut Vm, limit: u64, permanent: usize) -> Seen {
    let before = vm.steps();
    vm.limit_steps(limit);
    let exit = vm.run(&mut Plain);
    Seen {
        steps: vm.steps() - before,
        exit,
        output: vm.output().to_vec(),
        hash: hash_of_point(vm, permanent),
    }
}

/// Whether an exit is an end of the program and no limit.
fn is_end(exit: &Exit) -> bool {
    matches!(exit, Exit::Done(_) | Exit::Threw(_) | Exit::Exited(_))
}

/// Runs a program to its end, goes back, and runs it in pieces, each of which is followed by the
/// rest of the program twice. Returns the exit.
fn repeat(vm: &mut Vm, run: MethodId, arguments: &[u64], random: &mut Random, name: &str) -> Exit {
    const STOPS: u64 = 6;
    let root = vm.mark();
    let permanent = vm.heap.permanent_words();
    let at_root = vm.state_hash(permanent);
    vm.call(run, arguments).unwrap();
    let first = run_on(vm, FOREVER, permanent);
    assert!(is_end(&first.exit), "{name}: {}", vm.exit_text(&first.exit));
    vm.undo_to(root);
    assert_eq!(
        vm.state_hash(permanent),
        at_root,
        "{name}: back at its start"
    );

    // The same program from the start, in pieces, each run twice.
    vm.call(run, arguments).unwrap();
    let mut done = 0;
    for stop in 0..STOPS {
        let left = first.steps - done;
        let piece = random.below(left.max(1));
        let seen = run_on(vm, piece, permanent);
        assert_eq!(
            (seen.steps, &seen.exit),
            (piece, &Exit::Limit(Limit::Steps)),
            "{name}, stop {stop}"
        );
        done += piece;
        let mark = vm.mark();
        let now_permanent = vm.heap.permanent_words();
        let at_mark = vm.state_hash(now_permanent);
        let end = run_on(vm, FOREVER, permanent);
        assert_eq!(
            end,
            Seen {
                steps: first.steps - done,
                ..first.clone()
            },
            "{name}, stop {stop} at {done}"
        );
        vm.undo_to(mark);
        assert_eq!(
            vm.state_hash(now_permanent),
            at_mark,
            "{name}, back at stop {stop} at {done}"
        );
        // Every other piece continues without its mark.
        if stop % 2 == 1 {
            vm.forget(mark);
        }
    }
    vm.undo_to(root);
    assert_eq!(
        vm.state_hash(permanent),
        at_root,
        "{name}: back at its start, by way of marks"
    );
    vm.forget(root);
    first.exit
}

#[test]
#[ignore = "long"]
fn a_second_continuation_is_the_first_one_again() {
    const PROGRAMS: u64 = 150;
    for jdk in common::jdks() {
        let mut random = Random::new(u64::from(jdk.feature));
        let mut vm = common::machine(&jdk, classes(), |_| ());
        let run = common::method(&mut vm, "walk/Walk", "run");
        let mut ends = [0; 3];
        for seed in 0..PROGRAMS {
            if seed % 10 == 0 {
                // A machine with nothing loaded, translated or linked.
                vm = common::machine(&jdk, classes(), |_| ());
            }
            let name = format!("JDK {}, program {seed}", jdk.feature);
            let run = if seed % 10 == 0 {
                common::method(&mut vm, "walk/Walk", "run")
            } else {
                run
            };
            let arguments = arguments(seed, 4 + seed % 40);
            let exit = repeat(&mut vm, run, &arguments, &mut random, &name);
            ends[match exit {
                Exit::Done(_) => 0,
                Exit::Threw(_) => 1,
                _ => 2,
            }] += 1;
        }
        assert!(
            ends.iter().all(|&count| count > 5),
            "every way to end is there: {ends:?}"
        );
    }
}

/// From the third machine with the same settings on, machines are copies of one that was started.
#[test]
fn a_copy_of_a_started_machine_runs_as_that_one() {
    const PROGRAMS: u64 = 12;
    let of_this_test = |config: &mut heapwright_jvm::Config| {
        config.properties = vec![("copies".to_owned(), "true".to_owned())];
    };
    for jdk in common::jdks() {
        let run_all = || {
            let mut vm = common::machine(&jdk, classes(), of_this_test);
            let mut seen = vec![(vm.steps(), vm.state_hash(vm.heap.permanent_words()))];
            let run = common::method(&mut vm, "walk/Walk", "run");
            for seed in 0..PROGRAMS {
                vm.call(run, &arguments(seed, 4 + 3 * seed)).unwrap();
                let came = run_on(&mut vm, FOREVER, 0);
                assert!(is_end(&came.exit), "{}", vm.exit_text(&came.exit));
                seen.push((came.steps, vm.state_hash(vm.heap.permanent_words())));
            }
            seen
        };
        let started = run_all();
        for copy in 0..3 {
            assert_eq!(run_all(), started, "JDK {}, copy {copy}", jdk.feature);
        }
    }
}

#[test]
fn threads_go_back_too() {
    const PROGRAMS: u64 = 40;
    for jdk in common::jdks() {
        let mut random = Random::new(u64::from(jdk.feature));
        let runs_threads = |config: &mut heapwright_jvm::Config| config.replaces_launcher = true;
        let mut outcomes = BTreeMap::new();
        for fresh in 0..4 {
            let mut vm = common::machine(&jdk, classes(), runs_threads);
            let run = common::method(&mut vm, "walk/Turns", "run");
            for seed in fresh * PROGRAMS / 4..(fresh + 1) * PROGRAMS / 4 {
                let name = format!("JDK {}, threads {seed}", jdk.feature);
                let arguments = arguments(seed, 1 + seed % 12);
                let exit = repeat(&mut vm, run, &arguments, &mut random, &name);
                assert!(
                    matches!(exit, Exit::Done(_)),
                    "{name}: {}",
                    vm.exit_text(&exit)
                );
                *outcomes.entry(format!("{exit:?}")).or_insert(0) += 1;
            }
        }
        assert!(outcomes.len() > 30, "{outcomes:?}");
    }
}

/// Operations that led to the machine's state: calls made and stacks dropped, each with the step
/// count, and the total step count.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct History {
    events: Vec<(u64, Option<u64>)>,
    steps: u64,
}

/// Mark with the expected state after going back to it.
struct Remembered {
    mark: MarkId,
    permanent: usize,
    hash: u64,
    output: Vec<heapwright_jvm::PrintedText>,
    history: History,
    frames: usize,
}

/// Random walk of runs, marks and returns, with all known facts about earlier states.
struct Wanderer<'a> {
    vm: Vm,
    run: MethodId,
    random: &'a mut Random,
    root_permanent: usize,
    marks: Vec<Remembered>,
    here: History,
    /// Hash of the state at each history, as far as known.
    known: HashMap<History, u64>,
    counts: Counts,
}

#[derive(Default, Debug)]
struct Counts {
    marks: u64,
    undone: u64,
    forgotten: u64,
    met_again: u64,
}

impl Wanderer<'_> {
    fn step(&mut self) {
        match self.random.below(100) {
            0..46 => self.go_on(),
            46..68 => self.mark(),
            68..90 => self.undo(),
            90..96 => self.forget(),
            96..99 => self.call(),
            _ => self.abandon(),
        }
    }

    fn go_on(&mut self) {
        if self.vm.frames().is_empty() {
            return self.call();
        }
        // Mostly few steps, sometimes thousands; multiples of 8, so that histories repeat.
        let limit = 8 << self.random.below(12);
        let limit = (self.random.below(limit) + 8) & !7;
        let before = self.vm.steps();
        self.vm.limit_steps(limit);
        let exit = self.vm.run(&mut Plain);
        self.here.steps += self.vm.steps() - before;
        match exit {
            Exit::Limit(Limit::Steps) => {}
            // The remaining frames continue as if a call had ended.
            Exit::Done(_) | Exit::Threw(_) => {}
            Exit::Exited(_) => self.abandon(),
            exit => panic!("{}", self.vm.exit_text(&exit)),
        }
        self.look();
    }

    fn call(&mut self) {
        if self.vm.frames().len() > 250 {
            return;
        }
        let seed = self.random.below(40);
        self.here.events.push((self.here.steps, Some(seed)));
        self.vm.call(self.run, &arguments(seed, 5 + seed)).unwrap();
        self.look();
    }

    fn abandon(&mut self) {
        self.here.events.push((self.here.steps, None));
        self.vm.abandon();
        self.look();
    }

    /// Checks that the state equals the one seen earlier with the same history.
    fn look(&mut self) {
        let hash = hash_of_point(&self.vm, self.root_permanent);
        match self.known.get(&self.here) {
            Some(&known) => {
                assert_eq!(
                    hash, known,
                    "another state than before after {:?}",
                    self.here
                );
                self.counts.met_again += 1;
            }
            None => {
                self.known.insert(self.here.clone(), hash);
            }
        }
    }

    fn mark(&mut self) {
        let mark = self.vm.mark();
        let permanent = self.vm.heap.permanent_words();
        self.marks.push(Remembered {
            mark,
            permanent,
            hash: self.vm.state_hash(permanent),
            output: self.vm.output().to_vec(),
            history: self.here.clone(),
            frames: self.vm.frames().len(),
        });
        self.counts.marks += 1;
    }

    fn undo(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        // Mostly to the newest marks.
        let newest = self.marks.len() as u64 - 1;
        let back = self.random.below(8).min(self.random.below(newest + 1));
        self.marks.truncate((newest - back) as usize + 1);
        let remembered = self.marks.last().unwrap();
        self.vm.undo_to(remembered.mark);
        assert_eq!(
            self.vm.frames().len(),
            remembered.frames,
            "frames at {:?}",
            remembered.history
        );
        assert_eq!(
            self.vm.output(),
            remembered.output,
            "output at {:?}",
            remembered.history
        );
        assert_eq!(
            self.vm.state_hash(remembered.permanent),
            remembered.hash,
            "the state at {:?}",
            remembered.history
        );
        self.here = remembered.history.clone();
        self.counts.undone += 1;
    }

    fn forget(&mut self) {
        // The oldest mark stays, so that going back is always possible.
        if self.marks.len() < 2 {
            return;
        }
        let last = self.marks.len() as u64 - 1;
        let index = last - self.random.below(2).min(last - 1);
        self.vm.forget(self.marks[index as usize].mark);
        self.marks.truncate(index as usize);
        self.counts.forgotten += 1;
    }
}

#[test]
fn any_walk_of_marks_and_ways_back_meets_the_same_states() {
    const WALKS: u64 = 60;
    const STEPS: u64 = 250;
    for jdk in common::jdks() {
        let mut total = Counts::default();
        for seed in 0..WALKS {
            let mut random = Random::new(1_000 + seed);
            let mut vm = common::machine(&jdk, classes(), |_| ());
            let run = common::method(&mut vm, "walk/Walk", "run");
            let mut walk = Wanderer {
                root_permanent: vm.heap.permanent_words(),
                vm,
                run,
                random: &mut random,
                marks: Vec::new(),
                here: History::default(),
                known: HashMap::new(),
                counts: Counts::default(),
            };
            // Half of the walks start with frames on the stack.
            if seed % 2 == 0 {
                walk.call();
                walk.go_on();
            }
            walk.mark();
            for _ in 0..STEPS {
                walk.step();
            }
            total.marks += walk.counts.marks;
            total.undone += walk.counts.undone;
            total.forgotten += walk.counts.forgotten;
            total.met_again += walk.counts.met_again;
        }
        eprintln!("JDK {}: {total:?}", jdk.feature);
        assert!(
            total.marks > 2_000 && total.undone > 2_000 && total.met_again > 500,
            "{total:?}"
        );
    }
}

#[test]
fn what_ran_before_shows_in_nothing() {
    const PROGRAMS: u64 = 40;
    let run_whole = |vm: &mut Vm, run: MethodId, seed: u64| {
        let root = vm.mark();
        vm.call(run, &arguments(seed, 10 + seed)).unwrap();
        let seen = run_on(vm, FOREVER, 0);
        let end = vm.exit_text(&seen.exit);
        vm.undo_to(root);
        vm.forget(root);
        (end, seen.output, seen.steps)
    };
    for jdk in common::jdks() {
        let fresh: Vec<_> = (0..PROGRAMS)
            .map(|seed| {
                let mut vm = common::machine(&jdk, classes(), |_| ());
                let run = common::method(&mut vm, "walk/Walk", "run");
                run_whole(&mut vm, run, seed)
            })
            .collect();
        let mut vm = common::machine(&jdk, classes(), |_| ());
        let run = common::method(&mut vm, "walk/Walk", "run");
        for seed in (0..PROGRAMS).rev().chain(0..PROGRAMS) {
            let now = run_whole(&mut vm, run, seed);
            assert_eq!(
                now, fresh[seed as usize],
                "JDK {}, program {seed}",
                jdk.feature
            );
        }
    }
}

/// Choice variable: its place and possible values.
struct Variable {
    object: Ref,
    place: Place,
    values: Vec<u64>,
}

/// Two objects of `walk.Choices` and all choices about them.
struct Choices {
    run: MethodId,
    root: Ref,
    variables: Vec<Variable>,
}

impl Choices {
    fn new(vm: &mut Vm) -> Choices {
        let run = common::method(vm, "walk/Choices", "run");
        let class = vm.method(run).class;
        vm.initialize_now(class).unwrap();
        let words = vm.class(class).instance_words;
        let objects = [(); 2].map(|()| vm.heap.allocate(class, words, false).unwrap());
        let shorts = vm.load_class("[S").unwrap();
        let array = vm.new_choice_array(shorts, 2).unwrap();
        let references = vec![0, objects[0].slot(), objects[1].slot()];
        let domains: [(&str, Vec<u64>); 8] = [
            ("i", vec![0, 1, 2, 3]),
            ("z", vec![0, 1]),
            ("b", vec![5, u64::from(-3i32 as u32)]),
            // Includes a long that looks like another unset variable.
            (
                "j",
                vec![1 << 40 | 9, heapwright_jvm::heap::unset_slot(0), u64::MAX],
            ),
            ("d", vec![0.25f64.to_bits(), f64::to_bits(2.5)]),
            ("left", references.clone()),
            ("right", references),
            ("array", vec![0, array.slot()]),
        ];
        let mut variables = Vec::new();
        for object in objects {
            for (name, values) in &domains {
                let place = Place::Field(vm.find_field(class, name).unwrap().word);
                variables.push(Variable {
                    object,
                    place,
                    values: values.clone(),
                });
            }
        }
        // A static field is a place relative to its class's mirror.
        let mirror = vm.class(class).mirror;
        let place = Place::Field(
            vm.find_field(class, "s")
                .unwrap()
                .word
                .wrapping_sub(mirror.0),
        );
        variables.push(Variable {
            object: mirror,
            place,
            values: vec![40, 50],
        });
        variables.push(Variable {
            object: array,
            place: Place::Length,
            values: vec![0, 1, 2],
        });
        for index in 0..2 {
            let values = vec![6, u64::from(-7i32 as u32)];
            variables.push(Variable {
                object: array,
                place: Place::Element(index),
                values,
            });
        }
        for (index, variable) in variables.iter().enumerate() {
            if !matches!(variable.place, Place::Field(_)) {
                vm.choose(variable.object, variable.place, variable.values[0]);
            }
            assert_eq!(
                vm.add_variable(variable.object, variable.place),
                index as u32
            );
        }
        Choices {
            run,
            root: objects[0],
            variables,
        }
    }

    fn set(&self, vm: &mut Vm, variable: u32, value: usize) {
        let variable = &self.variables[variable as usize];
        vm.choose(variable.object, variable.place, variable.values[value]);
    }
}

/// Path through the choices: variables and indices of their values, in order of choice.
type Chosen = Vec<(u32, usize)>;

/// Outcome and output of a whole run, without its choices.
type Leaf = (String, Vec<heapwright_jvm::PrintedText>);

fn leaf(vm: &Vm, exit: &Exit) -> Leaf {
    let end = match exit {
        Exit::Done(value) => format!("{value}"),
        exit => vm.exit_text(exit),
    };
    (end, vm.output().to_vec())
}

/// Runs every path, with the values of each choice in random order.
fn explore(
    vm: &mut Vm,
    choices: &Choices,
    random: &mut Random,
    leaves: &mut BTreeMap<Chosen, Leaf>,
) -> u64 {
    struct Open {
        mark: MarkId,
        hash: u64,
        variable: u32,
        untried: Vec<usize>,
    }
    vm.call(choices.run, &[choices.root.slot()]).unwrap();
    let permanent = vm.heap.permanent_words();
    let mut open: Vec<Open> = Vec::new();
    let mut path = Chosen::new();
    let mut marks = 0;
    loop {
        vm.limit_steps(100_000);
        match vm.run(&mut Choosing) {
            Exit::Choice(variable) => {
                let mut untried: Vec<usize> =
                    (0..choices.variables[variable as usize].values.len()).collect();
                for index in (1..untried.len()).rev() {
                    untried.swap(index, random.below(index as u64 + 1) as usize);
                }
                let mark = vm.mark();
                marks += 1;
                open.push(Open {
                    mark,
                    hash: vm.state_hash(permanent),
                    variable,
                    untried,
                });
            }
            exit @ (Exit::Done(_) | Exit::Threw(_)) => {
                let known = leaves.insert(path.clone(), leaf(vm, &exit));
                assert_eq!(known, None, "{path:?} twice");
            }
            exit => panic!("{path:?}: {}", vm.exit_text(&exit)),
        }
        loop {
            let Some(choice) = open.last_mut() else {
                return marks;
            };
            vm.undo_to(choice.mark);
            assert_eq!(
                vm.state_hash(permanent),
                choice.hash,
                "back at a choice after {path:?}"
            );
            path.truncate(open.len() - 1);
            let choice = open.last_mut().unwrap();
            if let Some(value) = choice.untried.pop() {
                choices.set(vm, choice.variable, value);
                path.push((choice.variable, value));
                break;
            }
            open.pop();
        }
    }
}

#[test]
fn choices_are_made_in_any_order_and_come_to_the_same() {
    for jdk in common::jdks() {
        let mut trees = Vec::new();
        for seed in 0..3 {
            let mut vm = common::machine(&jdk, classes(), |_| ());
            let choices = Choices::new(&mut vm);
            let root = vm.mark();
            let permanent = vm.heap.permanent_words();
            let hash = vm.state_hash(permanent);
            let mut leaves = BTreeMap::new();
            let marks = explore(&mut vm, &choices, &mut Random::new(seed), &mut leaves);
            vm.undo_to(root);
            assert_eq!(vm.state_hash(permanent), hash);
            eprintln!(
                "JDK {}: {} leaves, {marks} marks",
                jdk.feature,
                leaves.len()
            );
            assert!(leaves.len() > 500 && marks > 300, "{} leaves", leaves.len());

            // Runs each path again on a machine for concrete values only: places outside of the
            // path are never read, whatever they hold.
            for (path, leaf_before) in &leaves {
                for (index, _) in choices.variables.iter().enumerate() {
                    choices.set(&mut vm, index as u32, 0);
                }
                for &(variable, value) in path {
                    choices.set(&mut vm, variable, value);
                }
                vm.call(choices.run, &[choices.root.slot()]).unwrap();
                vm.limit_steps(100_000);
                let exit = vm.run(&mut Plain);
                assert_eq!(&leaf(&vm, &exit), leaf_before, "{path:?}");
                vm.undo_to(root);
            }
            trees.push(leaves);
        }
        assert!(trees.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
