//! Data of a class's tests for reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use heapwright_jvm::{MethodId, Vm};
use heapwright_report::{
    Behaviour, Class, Code, Drawing, Fate, Goal, Mutant, MutantFate, RunPart, Test, TestOutcome,
};
use heapwright_suite::junit::{ExistingTest, TestOrigin, existing_tests};
use heapwright_suite::{Structure, svg};
use heapwright_techniques::findings::shown;
use heapwright_techniques::sequences::GoalStatus;

use super::report::SequencesResults;
use crate::junit::{WrittenTest, line_of};
use crate::report::{coverage, output};

/// What was written of the results of a class.
#[derive(Default)]
pub struct WrittenFiles {
    /// Tests; none if none were asked for.
    pub tests: Option<Vec<WrittenTest>>,
    /// Tests that fail.
    pub reproducers: Vec<WrittenTest>,
}

/// Collects the data of a class.
pub fn part(results: &SequencesResults<'_>, vm: &Vm, written: &WrittenFiles) -> RunPart {
    let mut part = RunPart::default();
    let index = add_tests(results, written, &mut part);
    let kept: BTreeSet<usize> = index.keys().copied().collect();
    let test_of = |script: usize| index.get(&script).copied();
    let mut classes: Vec<Class> = Vec::new();
    if let Some(covered) = &results.report.coverage {
        for class in covered.classes(vm, &kept, None) {
            let class = coverage::class(&mut part, &class, &test_of);
            classes.push(class);
        }
        if !covered.is_whole() {
            part.notes.push(
                "Lines are covered by more tests than shown: the time was over before all were run."
                    .to_owned(),
            );
        }
    }
    add_goals(results, vm, &index, (&mut part, &mut classes));
    add_mutants(results, vm, &index, (&mut part, &mut classes));
    part.classes = classes;
    if results.existing.coverage.is_some() {
        part.notes.push(
            "Lines show what generated tests cover, goals and mutants count what existing tests reach and notice, too."
                .to_owned(),
        );
    }
    add_behaviours(results, vm, written, &mut part);
    add_changed_tests(results, &mut part);
    part
}

/// Adds the tests that stay although they fail.
fn add_changed_tests(results: &SequencesResults<'_>, part: &mut RunPart) {
    let changed = results.existing.changed(results.class).into_iter();
    part.tests.extend(changed.map(|test| {
        let expected = test.expected.as_deref().unwrap_or("another outcome");
        Test {
            class: test.file.trim_end_matches(".java").to_owned(),
            name: test.test,
            outcome: TestOutcome::Failed(format!(
                "behaviour changed: expected {expected}, is now {}",
                test.actual
            )),
            code: None,
            states: Vec::new(),
        }
    }));
}

/// Adds the tests; returns the index of each by the number of its script.
fn add_tests(
    results: &SequencesResults<'_>,
    written: &WrittenFiles,
    part: &mut RunPart,
) -> BTreeMap<usize, usize> {
    let mut index = BTreeMap::new();
    let Some(tests) = &written.tests else {
        let scripts = results.report.suite.scripts.iter();
        part.tests = scripts
            .enumerate()
            .map(|(number, script)| {
                index.insert(number, number);
                let code = Code {
                    file: None,
                    line: 1,
                    text: script.to_string(),
                };
                Test {
                    class: results.class.to_owned(),
                    name: format!("test {}", number + 1),
                    outcome: TestOutcome::Written,
                    code: Some(code),
                    states: states(results, number),
                }
            })
            .collect();
        return index;
    };
    for test in tests {
        let TestOrigin::Script(number) = test.of else {
            continue;
        };
        index.insert(number, part.tests.len());
        part.tests.push(Test {
            class: test.class.clone(),
            name: test.name.clone(),
            outcome: match results.is_verified {
                true => TestOutcome::Passed,
                false => TestOutcome::Written,
            },
            code: Some(code(test)),
            states: states(results, number),
        });
    }
    index
}

/// Puts the tests of a report where they are in their files, which a formatter may have changed.
pub fn relocate(part: &mut RunPart) {
    let mut places: BTreeMap<String, Vec<ExistingTest>> = BTreeMap::new();
    for test in &mut part.tests {
        let Some(code) = &mut test.code else {
            continue;
        };
        let Some(file) = code.file.clone() else {
            continue;
        };
        let places = places.entry(file).or_insert_with_key(|file| {
            // A file that cannot be read any more shows nothing.
            existing_tests(&fs::read_to_string(file).unwrap_or_default())
        });
        let line = line_of(&test.name, places).and_then(|line| u32::try_from(line).ok());
        code.line = line.unwrap_or(code.line);
    }
}

/// Drawings of the object under test, before and after the call.
fn states(results: &SequencesResults<'_>, script: usize) -> Vec<Drawing> {
    let states = results.report.coverage.as_ref();
    let Some(states) = states.and_then(|coverage| coverage.states(script)) else {
        return Vec::new();
    };
    let drawing = |structure: &Structure, caption: &str| Drawing {
        caption: caption.to_owned(),
        text: structure.to_string(),
        svg: svg::draw(structure),
    };
    let before = states.before.iter().map(|state| drawing(state, "before"));
    let after = states.after.iter().map(|state| drawing(state, "after"));
    before.chain(after).collect()
}

fn code(test: &WrittenTest) -> Code {
    Code {
        file: Some(output::shown(&test.file)),
        line: u32::try_from(test.line).unwrap_or_default().max(1),
        text: test.code.clone(),
    }
}

/// Class of a method in the report, added if it has no coverage.
fn class_of<'c>(
    vm: &Vm,
    method: MethodId,
    (part, classes): (&mut RunPart, &'c mut Vec<Class>),
) -> &'c mut Class {
    let class = vm.method(method).class;
    let name = vm.binary_name(class);
    let place = classes.iter().position(|other| other.name == name);
    let place = place.unwrap_or_else(|| {
        let source_file = output::source_file(vm, class);
        classes.push(Class {
            file: output::file_of(part, &name, source_file.as_deref()),
            name,
            methods: Vec::new(),
            goals: Vec::new(),
            mutants: Vec::new(),
            notes: Vec::new(),
        });
        classes.len() - 1
    });
    &mut classes[place]
}

/// Name and parameter types of a method.
fn method_text(vm: &Vm, method: MethodId) -> String {
    let whole = vm.method_text(method);
    let class = vm.binary_name(vm.method(method).class);
    let own = whole.strip_prefix(&class).unwrap_or(&whole);
    own.trim_start_matches('.').to_owned()
}

fn add_goals(
    results: &SequencesResults<'_>,
    vm: &Vm,
    index: &BTreeMap<usize, usize>,
    (part, classes): (&mut RunPart, &mut Vec<Class>),
) {
    let report = &results.report;
    for (number, (&goal, fate)) in report.goals.all.iter().zip(&report.fates).enumerate() {
        let fate = match fate {
            GoalStatus::Covered(_) => {
                let tests = index.iter();
                let tests = tests.filter(|(script, _)| report.goals_of[**script].contains(&number));
                Fate::Covered(tests.map(|(_, &test)| test).collect())
            }
            GoalStatus::CoveredBefore => Fate::CoveredBefore,
            GoalStatus::Infeasible(reason) => Fate::Infeasible(reason.clone()),
            other => Fate::NotReached(results.obstacle(other)),
        };
        let class = class_of(vm, goal.method(), (part, classes));
        class.goals.push(Goal {
            method: method_text(vm, goal.method()),
            line: report.goals.line(goal).map(u32::from),
            text: report.goals.text(vm, goal),
            fate,
        });
    }
}

fn add_mutants(
    results: &SequencesResults<'_>,
    vm: &Vm,
    index: &BTreeMap<usize, usize>,
    (part, classes): (&mut RunPart, &mut Vec<Class>),
) {
    let Some(mutation) = &results.report.mutation else {
        return;
    };
    let mut killers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (script, kills) in mutation.kills_of.iter().enumerate() {
        let test = index.get(&script);
        for &mutant in kills {
            killers.entry(mutant).or_default().extend(test);
        }
    }
    for (number, mutant) in mutation.mutants.iter().enumerate() {
        let class = class_of(vm, mutant.method, (part, classes));
        let line = mutant.line.map(u32::from);
        let mut lines = class.methods.iter().flat_map(|method| &method.lines);
        let is_missed = lines.any(|other| Some(other.number) == line && other.tests.is_empty());
        class.mutants.push(Mutant {
            method: method_text(vm, mutant.method),
            line,
            operator: mutant.operator.name().to_owned(),
            description: mutant.description.clone(),
            fate: match () {
                () if killers.contains_key(&number) => MutantFate::Killed,
                () if mutation.killed_before.contains(&number) => MutantFate::KilledBefore,
                () if mutant.is_equivalent => MutantFate::Equivalent,
                () if is_missed => MutantFate::NotReached,
                () => MutantFate::Alive,
            },
            killers: killers.remove(&number).unwrap_or_default(),
        });
    }
}

fn add_behaviours(
    results: &SequencesResults<'_>,
    vm: &Vm,
    written: &WrittenFiles,
    part: &mut RunPart,
) {
    let failing = &results.report.failing;
    let cases = failing.suite.cases.iter().map(shown).enumerate();
    let cases = cases.map(|(number, text)| (TestOrigin::Case(number, None), text));
    let scripts = failing.suite.scripts.iter().enumerate();
    let scripts = scripts.map(|(number, script)| (TestOrigin::Script(number), script.to_string()));
    let class = vm.binary_name(results.subject.class);
    for (finding, (origin, calls)) in failing.findings.iter().zip(cases.chain(scripts)) {
        let is_same = |test: &&WrittenTest| match (test.of, origin) {
            (TestOrigin::Case(one, _), TestOrigin::Case(other, _)) => one == other,
            (one, other) => one == other,
        };
        let reproducer = written.reproducers.iter().find(is_same).map(code);
        let mut methods = part.classes.iter().flat_map(|class| &class.methods);
        let method = methods.find(|method| method.text == finding.method);
        let line = method.and_then(|method| method.lines.first());
        part.behaviours.push(Behaviour {
            class: class.clone(),
            method: finding.method.clone(),
            line: line.map(|line| line.number),
            kind: finding.kind.name().to_owned(),
            exception: finding.thrown.clone(),
            rank: output::rank(finding.rank),
            is_sure: finding.rank.is_sure(),
            reason: finding.sentence(),
            calls,
            reproducer,
            drawings: Vec::new(),
        });
    }
}
