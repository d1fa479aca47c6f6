//! Infers the type variables of a test from the types that its statements require.
//!
//! Invariant: variables that must be equal are unified.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;

use super::relations::{
    ArgumentType, Compatibility, LambdaAnswer, OBJECT, bound, boxed, class, class_of, fits,
    function, is_raw,
};
use crate::signatures::{Type, Variables, of_class};

/// The type variables of a test.
#[derive(Clone, Debug, Default)]
pub(super) struct Inference {
    /// Unified variables, each with the variable that represents it.
    same: BTreeMap<String, String>,
    /// Types that must be subtypes of a variable.
    lower: BTreeMap<String, Vec<Type>>,
    /// Declared upper bounds.
    upper: BTreeMap<String, Vec<Type>>,
    /// Variables whose values a comparator compares.
    ordered: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Inference {
    /// Declares a variable with its bound.
    pub fn declare(&mut self, name: &str, bound: &Type) {
        self.all.insert(name.to_owned());
        if !matches!(bound, Type::Any) {
            let upper = self.upper.entry(name.to_owned()).or_default();
            upper.push(bound.clone());
        }
    }

    fn root(&self, name: &str) -> String {
        let mut root = name;
        while let Some(above) = self.same.get(root) {
            root = above;
        }
        root.to_owned()
    }

    /// Requires a type to be compatible with another, either of which may be a variable.
    pub fn put(&mut self, vm: &Vm, given: &Type, wanted: &Type) {
        match (bound(given), bound(wanted)) {
            (Type::Variable(given), Type::Variable(wanted)) => {
                let (given, wanted) = (self.root(given), self.root(wanted));
                if given != wanted {
                    let (first, second) = (given.clone().min(wanted.clone()), given.max(wanted));
                    self.same.insert(second, first);
                }
            }
            (Type::Any, _) | (_, Type::Any) => {}
            (other, Type::Variable(name)) | (Type::Variable(name), other) => {
                let lower = self.lower.entry(name.clone()).or_default();
                lower.push(boxed(other));
            }
            (Type::Array(given), Type::Array(wanted)) => self.put(vm, given, wanted),
            (given @ Type::Class(..), wanted @ Type::Class(_, arguments)) => {
                if let Some(above) = class_of(vm, wanted)
                    && let Some(Type::Class(_, own)) = given.as_super(vm, above)
                    && own.len() == arguments.len()
                {
                    for (given, wanted) in own.iter().zip(arguments) {
                        self.put(vm, given, wanted);
                    }
                }
            }
            _ => {}
        }
    }

    /// Does the same for an argument and its parameter.
    pub fn pass(&mut self, vm: &Vm, given: &ArgumentType, wanted: &Type) {
        match given {
            ArgumentType::Null => {}
            ArgumentType::Value(given) => self.put(vm, given, wanted),
            // What holds lambdas holds objects of their interface.
            ArgumentType::Lambda(.., interface) if matches!(bound(wanted), Type::Variable(_)) => {
                if !is_raw(vm, interface) {
                    self.put(vm, interface, wanted);
                }
            }
            ArgumentType::Lambda(_, LambdaAnswer::Value(answer), _) => {
                if let Some((_, returned)) = function(vm, wanted) {
                    self.put(vm, answer, &returned);
                }
            }
            ArgumentType::Lambda(..) => {}
            ArgumentType::Order => {
                if let Type::Class(_, arguments) = wanted
                    && let [compared] = &arguments[..]
                    && let Type::Variable(name) = bound(compared)
                {
                    self.ordered.insert(name.clone());
                }
            }
        }
    }

    /// Returns the type of each variable, and the variables without one. Variables for which
    /// `general` holds get their most general type.
    pub fn solve(&self, vm: &Vm, general: impl Fn(&str) -> bool) -> (Variables, BTreeSet<String>) {
        let mut inference = self.clone();
        let mut groups: BTreeMap<String, Vec<&String>> = BTreeMap::new();
        for name in &self.all {
            groups.entry(self.root(name)).or_default().push(name);
        }
        let (mut solved, mut open) = (Variables::new(), BTreeSet::new());
        // Types that consist of other variables wait for these.
        while !groups.is_empty() {
            let is_waiting = |names: &[&String]| inference.waits(names, &solved);
            let ready = groups.iter().find(|(_, names)| !is_waiting(names));
            let Some(root) = ready.or(groups.iter().next()).map(|(root, _)| root.clone()) else {
                break;
            };
            let Some(names) = groups.remove(&root) else {
                break;
            };
            inference.join(vm, &names, &solved);
            match inference.choice(vm, &names, names.iter().any(|name| general(name))) {
                Some(choice) => {
                    let choices = names.iter().map(|name| ((*name).clone(), choice.clone()));
                    solved.extend(choices);
                }
                None => open.extend(names.iter().map(|name| (*name).clone())),
            }
        }
        (solved, open)
    }

    /// Whether the types that must be subtypes of unified variables consist of variables alone that
    /// have no types yet.
    fn waits(&self, names: &[&String], solved: &Variables) -> bool {
        let lower = names.iter().filter_map(|name| self.lower.get(*name));
        let mut lower = lower.flatten().map(|one| one.with(solved)).peekable();
        lower.peek().is_some() && lower.all(|one| !one.variables().is_empty())
    }

    /// Inserts known types into those that must be subtypes of unified variables. One without open
    /// variables stands for the others, whose variables follow from it.
    fn join(&mut self, vm: &Vm, names: &[&String], solved: &Variables) {
        let mut all = Vec::new();
        for name in names {
            let lower = self.lower.get_mut(*name).into_iter().flatten();
            for one in lower {
                *one = one.with(solved);
                all.push(one.clone());
            }
        }
        let is_closed = |one: &&Type| one.variables().is_empty();
        let Some(known) = all.iter().find(is_closed).cloned() else {
            return;
        };
        for one in all.iter().filter(|one| !is_closed(one)) {
            self.put(vm, one, &known);
        }
        for name in names {
            let lower = self.lower.get_mut(*name);
            lower
                .into_iter()
                .for_each(|lower| lower.retain(|one| one.variables().is_empty()));
        }
    }

    fn choice(&self, vm: &Vm, names: &[&String], is_general: bool) -> Option<Type> {
        let of = |map: &BTreeMap<String, Vec<Type>>| {
            let mut all: Vec<Type> = Vec::new();
            for one in names.iter().filter_map(|name| map.get(*name)).flatten() {
                if !all.contains(one) {
                    all.push(one.clone());
                }
            }
            all
        };
        let (lower, upper) = (of(&self.lower), of(&self.upper));
        if !is_general && !lower.is_empty() {
            let is_above = |one: &&Type| {
                is_plain(vm, one)
                    && lower
                        .iter()
                        .all(|other| fits(vm, other, one) == Compatibility::Yes)
            };
            if let Some(one) = lower.iter().find(is_above) {
                return Some(one.clone());
            }
        }
        let is_ordered = names.iter().any(|name| self.ordered.contains(*name));
        let erased: Vec<Type> = upper
            .iter()
            .map(|bound| match bound {
                Type::Class(name, _) => class(name),
                _ => class(OBJECT),
            })
            .filter(|bound| *bound != class(OBJECT))
            .collect();
        let is_comparable = |bound: &Type| *bound == class("java/lang/Comparable");
        match &erased[..] {
            [] if !is_ordered => Some(class(OBJECT)),
            _ if lower.is_empty() && erased.iter().all(is_comparable) => {
                Some(class("java/lang/Integer"))
            }
            [bound] if !is_ordered && is_plain(vm, bound) => Some(bound.clone()),
            _ => None,
        }
    }
}

/// Whether a type can be a type argument: an array, or a class with as many type arguments of this
/// kind as it has parameters.
fn is_plain(vm: &Vm, one: &Type) -> bool {
    match one {
        Type::Class(_, arguments) => {
            let count = class_of(vm, one).map(|class| of_class(vm, class).0.len());
            count == Some(arguments.len()) && arguments.iter().all(|one| is_plain(vm, one))
        }
        Type::Array(_) => true,
        _ => false,
    }
}
