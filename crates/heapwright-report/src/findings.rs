//! Findings of a run: what somebody should look at, the most important first.
//!
//! Invariant: formats that list findings have the same ones, in the same order.

use crate::model::{Fate, MutantFate, Run, TestOutcome};

/// Kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    FailingBehaviour,
    FailingTest,
    SurvivingMutant,
    UnreachedGoal,
    InfeasibleGoal,
}

/// Importance of a finding, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
    /// A fact that is no problem.
    Fact,
}

/// What somebody should look at.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub kind: Kind,
    pub severity: Severity,
    /// Path of the source file from the folder of the run, if it is known.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub message: String,
    /// Name of the code: class and method.
    pub element: String,
    /// Text that stays the same while the finding does, whatever lines are added above it.
    pub identity: String,
}

impl Kind {
    pub const ALL: [Kind; 5] = [
        Kind::FailingBehaviour,
        Kind::FailingTest,
        Kind::SurvivingMutant,
        Kind::UnreachedGoal,
        Kind::InfeasibleGoal,
    ];

    /// Name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Kind::FailingBehaviour => "failing-behaviour",
            Kind::FailingTest => "failing-test",
            Kind::SurvivingMutant => "surviving-mutant",
            Kind::UnreachedGoal => "unreached-branch",
            Kind::InfeasibleGoal => "infeasible-branch",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Kind::FailingBehaviour => "Failing behaviour",
            Kind::FailingTest => "Failing test",
            Kind::SurvivingMutant => "Surviving mutant",
            Kind::UnreachedGoal => "Branch without a test",
            Kind::InfeasibleGoal => "Infeasible branch",
        }
    }

    /// Sentence that explains the kind.
    pub fn description(self) -> &'static str {
        match self {
            Kind::FailingBehaviour => {
                "A call breaks the class's invariant, a contract or an oracle, throws an exception that it does not \
                 declare, or does not end."
            }
            Kind::FailingTest => "A test fails on the code as it is.",
            Kind::SurvivingMutant => {
                "The code can be changed in this way without any test failing: an assertion or a test is missing."
            }
            Kind::UnreachedGoal => "No test takes this branch of the code.",
            Kind::InfeasibleGoal => {
                "No input takes this branch of the code: it is dead, or guards against what cannot happen."
            }
        }
    }

    /// Severity of its findings, but for behaviours that are not sure to be faults.
    pub fn severity(self) -> Severity {
        match self {
            Kind::FailingBehaviour | Kind::FailingTest => Severity::Error,
            Kind::SurvivingMutant => Severity::Warning,
            Kind::UnreachedGoal => Severity::Note,
            Kind::InfeasibleGoal => Severity::Fact,
        }
    }
}

/// Findings of a run by kind, in the order of [`Kind::ALL`], then by severity, then in the order of the
/// run.
pub(crate) fn findings(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    let located = |class: &str| run.file_of(class).map(|file| file.uri().to_owned());
    for behaviour in &run.behaviours {
        findings.push(Finding {
            kind: Kind::FailingBehaviour,
            severity: match behaviour.is_sure {
                true => Severity::Error,
                false => Severity::Warning,
            },
            file: located(&behaviour.class),
            line: behaviour.line,
            message: format!("{}: {}", behaviour.calls, behaviour.reason),
            element: format!("{}.{}", behaviour.class, behaviour.method),
            identity: format!(
                "{}.{} {}",
                behaviour.class, behaviour.method, behaviour.kind
            ),
        });
    }
    for test in &run.tests {
        if let TestOutcome::Failed(reason) = &test.outcome {
            let code = test.code.as_ref();
            let why = if reason.is_empty() {
                "it fails"
            } else {
                reason
            };
            findings.push(Finding {
                kind: Kind::FailingTest,
                severity: Kind::FailingTest.severity(),
                file: code.and_then(|code| code.file.clone()),
                line: code.map(|code| code.line),
                message: format!("{}.{}: {why}", test.class, test.name),
                element: format!("{}.{}", test.class, test.name),
                identity: format!("{}.{}", test.class, test.name),
            });
        }
    }
    for class in &run.classes {
        let file = located(&class.name);
        for mutant in &class.mutants {
            let what = match mutant.fate {
                MutantFate::Alive => "no test notices",
                MutantFate::NotReached => "no test reaches",
                _ => continue,
            };
            let element = format!("{}.{}", class.name, mutant.method);
            findings.push(Finding {
                kind: Kind::SurvivingMutant,
                severity: Kind::SurvivingMutant.severity(),
                file: file.clone(),
                line: mutant.line,
                message: format!(
                    "{what} this change in {}: {}",
                    mutant.method, mutant.description
                ),
                identity: format!("{element} {} {}", mutant.operator, mutant.description),
                element,
            });
        }
        for goal in &class.goals {
            let (kind, message) = match &goal.fate {
                Fate::NotReached(why) => (Kind::UnreachedGoal, why),
                Fate::Infeasible(why) => (Kind::InfeasibleGoal, why),
                Fate::Covered(_) | Fate::CoveredBefore => continue,
            };
            let element = format!("{}.{}", class.name, goal.method);
            findings.push(Finding {
                kind,
                severity: kind.severity(),
                file: file.clone(),
                line: goal.line,
                message: format!("{}: {message}", goal.text),
                // The line is part of the text of a goal, hence of no use here.
                identity: format!("{element} {}", without_line(&goal.text)),
                element,
            });
        }
    }
    findings.sort_by_key(|finding| (finding.kind, finding.severity));
    findings
}

/// Text of a goal without the number of its line: `put:31 not less` gives `put not less`.
fn without_line(text: &str) -> String {
    match text.split_once(':') {
        Some((before, after)) => {
            before.to_owned() + after.trim_start_matches(|letter: char| letter.is_ascii_digit())
        }
        None => text.to_owned(),
    }
}
