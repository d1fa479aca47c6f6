//! Infers the type variables of a test from the types that its statements require.
//!
//! Invariant: variables that must be equal are unified.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;

use super::relations::{
    ArgumentType, Compatibility, LambdaAnswer, OBJECT, bound, boxed, class, class_of, fits,
    function,
};
use crate::signatures::{Type, Variables, of_class};

/// The type variables of a test.
#[derive(Debug, Default)]
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
            ArgumentType::Lambda(_, LambdaAnswer::Value(answer)) => {
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
        let mut groups: BTreeMap<String, Vec<&String>> = BTreeMap::new();
        for name in &self.all {
            groups.entry(self.root(name)).or_default().push(name);
        }
        let (mut solved, mut open) = (Variables::new(), BTreeSet::new());
        for names in groups.values() {
            match self.choice(vm, names, names.iter().any(|name| general(name))) {
                Some(choice) => {
                    let choices = names.iter().map(|name| ((*name).clone(), choice.clone()));
                    solved.extend(choices);
                }
                None => open.extend(names.iter().map(|name| (*name).clone())),
            }
        }
        (solved, open)
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
        let is_plain = |one: &Type| match one {
            Type::Class(_, arguments) => {
                arguments.is_empty()
                    && class_of(vm, one).is_some_and(|class| of_class(vm, class).0.is_empty())
            }
            Type::Array(_) => true,
            _ => false,
        };
        if !is_general && !lower.is_empty() {
            let is_above = |one: &&Type| {
                is_plain(one)
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
            [bound] if !is_ordered && is_plain(bound) => Some(bound.clone()),
            _ => None,
        }
    }
}
