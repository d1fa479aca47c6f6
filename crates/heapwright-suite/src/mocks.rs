//! Choice between mocks and plain stubs: anonymous classes and lambdas.

use crate::{Action, Call, Case, Input, Literal, Observation, Script, Sequence, Step, Suite};

impl Suite {
    /// Makes mocks of all stubs that can be mocks.
    pub fn mock_stubs(&mut self) {
        for case in &mut self.cases {
            of_case(case, &mut |is_mock| *is_mock = true);
        }
        for script in &mut self.scripts {
            of_script(script, &mut |is_mock| *is_mock = true);
        }
    }
}

impl Script {
    /// Makes plain stubs of its mocks; returns whether there were any.
    pub fn unmock_stubs(&mut self) -> bool {
        let mut had_mocks = false;
        of_script(self, &mut |is_mock| had_mocks |= std::mem::take(is_mock));
        had_mocks
    }
}

impl Case {
    /// Makes plain stubs of its mocks; returns whether there were any.
    pub fn unmock_stubs(&mut self) -> bool {
        let mut had_mocks = false;
        of_case(self, &mut |is_mock| had_mocks |= std::mem::take(is_mock));
        had_mocks
    }
}

/// Function of whether a stub is a mock.
type Choice<'c> = &'c mut dyn FnMut(&mut bool);

fn of_case(case: &mut Case, choice: Choice<'_>) {
    if let Some(sequence) = &mut case.construction {
        of_sequence(sequence, choice);
    }
    for Call { args, .. } in &mut case.calls {
        of_literals(args, choice);
    }
}

fn of_script(script: &mut Script, choice: Choice<'_>) {
    for statement in &mut script.statements {
        match &mut statement.action {
            Action::Call(step) => of_step(step, choice),
            Action::Literal { value, .. } => of_literal(value, choice),
            Action::NewArray { elements, .. } => of_inputs(elements, choice),
            Action::StoreElement { value, .. } | Action::StoreField { value, .. } => {
                of_inputs(std::slice::from_mut(value), choice);
            }
            Action::LoadElement { .. } | Action::LoadField { .. } => {}
        }
    }
    for observation in &mut script.after {
        if let Observation::Call { call, .. } = observation {
            of_step(call, choice);
        }
    }
}

fn of_sequence(sequence: &mut Sequence, choice: Choice<'_>) {
    for step in &mut sequence.steps {
        of_step(step, choice);
    }
}

fn of_step(step: &mut Step, choice: Choice<'_>) {
    of_inputs(&mut step.arguments, choice);
    if let Some(body) = &mut step.body {
        choice(&mut body.is_mock);
    }
}

fn of_inputs(inputs: &mut [Input], choice: Choice<'_>) {
    for input in inputs {
        if let Input::Literal(literal) = input {
            of_literal(literal, choice);
        }
    }
}

fn of_literals(literals: &mut [Literal], choice: Choice<'_>) {
    for literal in literals {
        of_literal(literal, choice);
    }
}

fn of_literal(literal: &mut Literal, choice: Choice<'_>) {
    match literal {
        Literal::Lambda { is_mock, .. } => choice(is_mock),
        Literal::New(step) => of_step(step, choice),
        Literal::Made(sequence) => of_sequence(sequence, choice),
        Literal::Array { elements, .. }
        | Literal::Held { elements, .. }
        | Literal::Contents { elements, .. } => of_literals(elements, choice),
        _ => {}
    }
}
