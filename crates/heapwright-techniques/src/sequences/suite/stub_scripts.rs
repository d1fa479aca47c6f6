//! Scripts of the stubs in a sequence, and their simplification: a method does the same on every call
//! where that suffices, so that tests stay short.

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;

use super::minimal::SequenceTest;
use super::replay::Replayer;
use crate::Error;
use crate::functional::AnswerInput;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::StatementArgument;
use crate::symbolic::InputValue;

/// Script of a method of a stub that a statement of a sequence creates.
#[derive(Clone, Debug)]
pub(super) struct StubScript {
    inputs: Vec<(AnswerInput, Place)>,
}

/// Place of an input in a sequence.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// An open value.
    Open(usize),
    /// An argument, by statement and parameter.
    Argument(usize, usize),
}

impl StubScript {
    /// Returns the scripts of all stubs in a sequence.
    pub fn all(plan: &SearchPlan, concrete: &Concrete) -> Vec<StubScript> {
        let mut scripts = Vec::new();
        let mut open = 0;
        for (number, statement) in concrete.statements.iter().enumerate() {
            let mut places = Vec::new();
            for (at, argument) in statement.arguments.iter().enumerate() {
                places.push(match argument {
                    StatementArgument::Open => Place::Open(open),
                    _ => Place::Argument(number, at),
                });
                open += usize::from(*argument == StatementArgument::Open);
            }
            let invokable = &plan.invokables[statement.invokable];
            let Some((before, _)) = invokable.script_inputs() else {
                continue;
            };
            let mut places = places.into_iter().skip(before);
            let stub = invokable.scripted_stub().into_iter();
            for method in stub.flat_map(|stub| &stub.methods) {
                let inputs = method.inputs().into_iter().zip(places.by_ref());
                let inputs: Vec<(AnswerInput, Place)> = inputs.collect();
                scripts.extend(method.script.is_some().then_some(StubScript { inputs }));
            }
        }
        scripts
    }

    /// Whether calls return null after an object.
    pub fn ends_with_null(&self, concrete: &Concrete) -> bool {
        let mut inputs = self.inputs.iter();
        let is_other =
            inputs.any(|&(input, place)| input == AnswerInput::IsKept && !is_true(concrete, place));
        let mut inputs = self.inputs.iter();
        is_other
            && inputs.any(|&(input, place)| input == AnswerInput::Later && is_null(concrete, place))
    }

    /// Returns sequences with a simpler script, those with the simplest first; `step` selects what is
    /// simplified. `None` behind the last step.
    pub fn simpler(&self, concrete: &Concrete, step: usize) -> Option<Vec<Concrete>> {
        Some(match step {
            0 => self.repeated(
                concrete,
                |input| matches!(input, AnswerInput::IsThrowing(_)),
                true,
            ),
            1 => self.with(concrete, AnswerInput::Object, 0),
            2 => self.with(concrete, AnswerInput::IsKept, 1),
            3 => self.with(concrete, AnswerInput::Later, 0),
            4 => self.with(concrete, AnswerInput::IsParameter, 0),
            5 => self.repeated(
                concrete,
                |input| matches!(input, AnswerInput::Value(_)),
                false,
            ),
            _ => return None,
        })
    }

    /// Returns the sequence with null, or a truth value, for an input.
    fn with(&self, concrete: &Concrete, input: AnswerInput, truth: u64) -> Vec<Concrete> {
        let mut simpler = concrete.clone();
        for &(_, place) in self.inputs.iter().filter(|(own, _)| *own == input) {
            match place {
                Place::Open(number) => {
                    let value = &mut simpler.input.roots[number].1;
                    *value = match value {
                        InputValue::Primitive(kind, _) => InputValue::Primitive(*kind, truth),
                        _ => InputValue::Null,
                    };
                }
                Place::Argument(statement, at) => {
                    simpler.statements[statement].arguments[at] = StatementArgument::Null;
                }
            }
        }
        vec![simpler]
    }

    /// Returns sequences in which the values for all calls are equal, or those from a later call on.
    /// With `falsifies` all are false first.
    fn repeated(
        &self,
        concrete: &Concrete,
        is_own: impl Fn(AnswerInput) -> bool,
        falsifies: bool,
    ) -> Vec<Concrete> {
        let places = self.inputs.iter().filter(|(input, _)| is_own(*input));
        let places: Vec<usize> = places
            .filter_map(|&(_, place)| match place {
                Place::Open(number) => Some(number),
                Place::Argument(..) => None,
            })
            .collect();
        let value = |number: usize| concrete.input.roots[number].1.clone();
        let mut simpler = Vec::new();
        if falsifies {
            simpler.push((0, InputValue::Primitive(Kind::Boolean, 0)));
        }
        for from in 0..places.len().saturating_sub(1) {
            simpler.extend(places[from..].iter().map(|&at| (from, value(at))));
        }
        let simpler = simpler.into_iter().map(|(from, value)| {
            let mut simpler = concrete.clone();
            for &number in places.get(from..).unwrap_or_default() {
                simpler.input.roots[number].1 = value.clone();
            }
            simpler
        });
        simpler.collect()
    }
}

fn is_null(concrete: &Concrete, place: Place) -> bool {
    match place {
        Place::Open(_) => false,
        Place::Argument(statement, at) => {
            concrete.statements[statement].arguments[at] == StatementArgument::Null
        }
    }
}

fn is_true(concrete: &Concrete, place: Place) -> bool {
    match place {
        Place::Open(number) => {
            let value = concrete.input.roots.get(number).map(|(_, value)| value);
            matches!(value, Some(InputValue::Primitive(_, 1)))
        }
        Place::Argument(..) => false,
    }
}

/// Returns a test with simpler scripts that reaches the same goals, until `stops` returns true.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(super) fn with_simple_scripts(
    vm: &mut Vm,
    (plan, replayer): (&SearchPlan, &mut Replayer<'_>),
    goals: &mut GoalTable,
    mut test: SequenceTest,
    stops: &dyn Fn() -> bool,
) -> Result<SequenceTest, Error> {
    // Values alone change, so that places stay.
    for script in StubScript::all(plan, &test.concrete) {
        for step in 0.. {
            let Some(simpler) = script.simpler(&test.concrete, step) else {
                break;
            };
            for concrete in simpler {
                if concrete == test.concrete || stops() {
                    break;
                }
                if let Some(reached) = replayer.reached(vm, goals, &concrete)?
                    && test.goals.iter().all(|goal| reached.contains(goal))
                {
                    test = SequenceTest::new(concrete, reached);
                    break;
                }
            }
        }
    }
    Ok(test)
}
