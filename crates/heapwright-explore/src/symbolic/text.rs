//! Textual form of a path: its decisions, and a script for solvers.

use heapwright_jvm::{Ref, Vm};
use heapwright_solve::smt::{Binary, Node, Term, Unary, smt_lib};

use super::SymbolicSearch;
use super::machine::Decision;
use super::names::Name;

impl SymbolicSearch<'_> {
    /// Decisions of the path in source notation.
    #[must_use]
    pub fn decision_texts(&self, vm: &Vm) -> Vec<String> {
        let text = |decision: &Decision| match decision {
            Decision::Holds(term) => self.text(*term),
            Decision::Same(name, other) => format!("{name} == {other}"),
            Decision::Known(name, object) => format!("{name} == {}", constant_name(vm, *object)),
            Decision::New(name, class) => format!("{name} is a new {}", vm.binary_name(*class)),
        };
        self.decisions().iter().map(text).collect()
    }

    /// Condition or value of the path in source notation.
    #[must_use]
    pub fn text(&self, term: Term) -> String {
        if let Some((name, is)) = self.nullness_of(term) {
            return format!("{name} {} null", if is { "==" } else { "!=" });
        }
        self.pool()
            .display(term)
            .with_names(|number| self.name_of(number))
            .to_string()
    }

    /// Reference whose nullness a condition states, and whether it states that it is null.
    fn nullness_of(&self, term: Term) -> Option<(&Name, bool)> {
        match *self.pool().node(term) {
            Node::Unary(Unary::Not, opposite) => {
                self.nullness_of(opposite).map(|(name, is)| (name, !is))
            }
            Node::Binary(Binary::Eq, variable, value) => {
                let Node::Var { number, .. } = *self.pool().node(variable) else {
                    return None;
                };
                let variable = self.machine.variable_of(number)?;
                let value = self.pool().constant_of(value)?;
                variable.is_nullness.then_some((&variable.name, value == 0))
            }
            _ => None,
        }
    }

    fn name_of(&self, number: u32) -> String {
        match self.machine.variable_of(number) {
            Some(variable) if variable.is_nullness => format!("({} != null)", variable.name),
            Some(variable) => variable.name.to_string(),
            None => format!("x{number}"),
        }
    }

    /// Conditions of the path as a script in SMT-LIB 2.6.
    #[must_use]
    pub fn script(&self) -> String {
        let name = |number: u32| match self.machine.variable_of(number) {
            Some(variable) if variable.is_nullness => format!("{} is an object", variable.name),
            _ => self.name_of(number),
        };
        smt_lib(self.pool(), self.conditions(), name)
    }
}

/// Name of an enum constant; a description by class for any other object.
fn constant_name(vm: &Vm, object: Ref) -> String {
    let class = vm.heap.class_of(object);
    let mut classes = vm.class(class).display.iter();
    let base = classes.find(|&&class| vm.class_name(class) == "java/lang/Enum");
    match base.and_then(|&base| vm.find_field(base, "name")) {
        Some(name) => vm.string_text(Ref::from_slot(vm.heap.field(object, name.word))),
        None => format!("the {}", vm.binary_name(class)),
    }
}
