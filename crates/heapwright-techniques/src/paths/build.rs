//! Translation of a method, and of all methods that it calls, to rules.

use std::collections::{HashMap, HashSet};

use heapwright_code::{CallTarget, ClassHierarchyAnalysis, overriding};
use heapwright_jvm::listing::{Invoke, ListedMember, ListedOperation};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::flow::{BlockGraph, Invoked, Outline};
use super::rules::RuleProgram;
use crate::Error;
use crate::packages::home;
use crate::symbolic::ClassUniverse;

/// Most instructions of library code that is analysed for exceptions.
const MAX_LIBRARY: usize = 24;

/// Builds the rules of a method and its callees, unless `stops` ends the translation.
///
/// # Errors
/// The method has no bytecode, its code cannot be read, or the translation was stopped.
pub fn program(
    vm: &mut Vm,
    class: ClassId,
    method: MethodId,
    classes: &ClassUniverse,
    stops: &dyn Fn() -> bool,
) -> Result<RuleProgram, Error> {
    let mut lambdas = HashSet::new();
    // The targets of a call depend on the classes instantiated anywhere, hence the fixed point.
    let (outlines, callbacks) = loop {
        let before = (vm.loaded_classes().count(), lambdas.len());
        let mut reader = MethodReader {
            home: home(vm, class).to_owned(),
            outlines: Vec::new(),
            known: HashSet::from([method]),
            open: vec![method],
            made: classes.made(),
            lambdas: std::mem::take(&mut lambdas),
            handed: Vec::new(),
            callbacks: HashSet::new(),
            quiet: HashMap::new(),
            old: HashMap::new(),
            hierarchy: ClassHierarchyAnalysis::default(),
        };
        while let Some(method) = reader.open.pop() {
            if stops() {
                return Err(Error::Stopped);
            }
            reader.read(vm, method)?;
            if reader.open.is_empty() {
                reader.add_callbacks(vm);
            }
        }
        lambdas = reader.lambdas;
        if before == (vm.loaded_classes().count(), lambdas.len()) {
            break (reader.outlines, reader.callbacks);
        }
    };
    let mut throwing: HashSet<MethodId> = HashSet::new();
    loop {
        let more: Vec<MethodId> = outlines
            .iter()
            .filter(|outline| !throwing.contains(&outline.method))
            .filter(|outline| outline.lets_out(vm, &|method| throwing.contains(&method)))
            .map(|outline| outline.method)
            .collect();
        if more.is_empty() {
            break;
        }
        throwing.extend(more);
    }
    let throws = |method: MethodId| throwing.contains(&method);
    let flows = outlines.into_iter();
    let flows: Vec<BlockGraph> = flows.map(|outline| outline.lay_out(vm, &throws)).collect();
    RuleProgram::new(vm, flows, &callbacks, stops)
}

struct MethodReader {
    /// Outermost class of the class under test; its methods are followed even if it is of the
    /// library.
    home: String,
    outlines: Vec<Outline>,
    known: HashSet<MethodId>,
    open: Vec<MethodId>,
    /// Classes of possible input objects.
    made: Vec<ClassId>,
    /// Names of the methods that lambdas implement.
    lambdas: HashSet<String>,
    /// Methods passed to bootstrap methods.
    handed: Vec<ListedMember>,
    /// Methods that unfollowed code may call.
    callbacks: HashSet<MethodId>,
    /// Whether each analysed library method is sure to throw nothing.
    quiet: HashMap<MethodId, bool>,
    /// Whether each analysed method has subroutines.
    old: HashMap<MethodId, bool>,
    hierarchy: ClassHierarchyAnalysis,
}

impl MethodReader {
    fn read(&mut self, vm: &mut Vm, method: MethodId) -> Result<(), Error> {
        if has_subroutines(vm, method) {
            return Err(Error::BadClass {
                class: vm.binary_name(vm.method(method).class),
                reason: format!(
                    "{} has subroutines (jsr), which compilers before Java 6 wrote and which are not \
                     read as rules",
                    vm.method_text(method)
                ),
            });
        }
        let mut called = Vec::new();
        let outline = Outline::read(vm, method, &mut |vm, how, member| {
            let invoked = self.invoked(vm, how, member);
            called.extend(invoked.targets.iter().copied());
            invoked
        });
        let outline = outline.map_err(|reason| Error::BadClass {
            class: vm.binary_name(vm.method(method).class),
            reason: format!("{}: {reason}", vm.method_text(method)),
        })?;
        for listed in &outline.listing.instructions {
            match &listed.step {
                // A missing class is reported when the code creates an object of it.
                ListedOperation::New(class) => drop(vm.load_class(class)),
                ListedOperation::Dynamic(name, _, handed) => {
                    self.lambdas.insert(name.clone());
                    self.handed.extend(handed.iter().cloned());
                }
                _ => {}
            }
        }
        self.outlines.push(outline);
        called.retain(|&method| self.known.insert(method));
        // The first callee is read first.
        self.open.extend(called.into_iter().rev());
        Ok(())
    }

    /// Adds possible call-backs of unfollowed code: bodies of lambdas, and methods of instantiated
    /// classes that override library methods.
    fn add_callbacks(&mut self, vm: &mut Vm) {
        let calls = self
            .outlines
            .iter()
            .flat_map(|outline| &outline.calls)
            .flatten();
        let mut others = calls.filter(|call| call.has_others && call.others_throw);
        if others.next().is_none() {
            return;
        }
        let mut found: Vec<MethodId> = Vec::new();
        for member in std::mem::take(&mut self.handed) {
            found.extend(vm.named_method(&member));
        }
        let mut classes = self.made.clone();
        for outline in &self.outlines {
            for listed in &outline.listing.instructions {
                if let ListedOperation::New(class) = &listed.step {
                    classes.extend(vm.load_class(class));
                }
            }
        }
        for class in classes {
            found.extend(overriding(vm, class));
        }
        for method in found {
            if self.is_followed(vm, method) {
                self.callbacks.insert(method);
                if self.known.insert(method) {
                    self.open.push(method);
                }
            }
        }
    }

    /// Whether the code of a method is followed.
    fn is_followed(&mut self, vm: &Vm, method: MethodId) -> bool {
        let this = vm.method(method);
        let has_code = this.index.is_some() && !this.is_native() && !this.is_abstract();
        let is_own = vm.is_app_class(this.class) || home(vm, this.class) == self.home;
        let is_old = || has_subroutines(vm, method);
        has_code && is_own && !*self.old.entry(method).or_insert_with(is_old)
    }

    fn invoked(&mut self, vm: &mut Vm, how: Invoke, member: &ListedMember) -> Invoked {
        let Some(call) = heapwright_code::call(vm, how, member) else {
            return Invoked {
                targets: Vec::new(),
                has_others: true,
                others_throw: true,
            };
        };
        let mut invoked = Invoked::default();
        for method in self.hierarchy.targets(vm, call) {
            self.add(vm, &mut invoked, method);
        }
        let CallTarget::Virtual(bound, named) = call else {
            return invoked;
        };
        let is_interface = vm.class(vm.method(named).class).is_interface();
        let is_open = !vm.is_app_class(bound) && home(vm, bound) != self.home;
        if is_open || is_interface && self.lambdas.contains(&member.name) {
            invoked.has_others = true;
            invoked.others_throw = true;
        }
        if invoked.targets.is_empty() {
            invoked.has_others = true;
            invoked.others_throw |= self.may_throw(vm, named, 3);
        }
        invoked
    }

    fn add(&mut self, vm: &mut Vm, invoked: &mut Invoked, method: MethodId) {
        if self.is_followed(vm, method) {
            invoked.targets.push(method);
        } else {
            invoked.has_others = true;
            invoked.others_throw |= self.may_throw(vm, method, 3);
        }
    }

    /// Whether unfollowed code may throw. Short code is analysed; code that creates an exception is
    /// taken to throw it.
    fn may_throw(&mut self, vm: &mut Vm, method: MethodId, levels: u32) -> bool {
        if let Some(&is_quiet) = self.quiet.get(&method) {
            return !is_quiet;
        }
        let this = vm.method(method);
        let (class, is_constructor) = (this.class, vm.text(this.name) == "<init>");
        if is_constructor
            && let Ok(throwable) = vm.load_class("java/lang/Throwable")
            && vm.is_subclass(class, throwable)
        {
            return false;
        }
        let this = vm.method(method);
        if levels == 0 || this.is_native() || this.is_abstract() || this.index.is_none() {
            return true;
        }
        let is_short = vm
            .listing(method)
            .is_ok_and(|listing| listing.instructions.len() <= MAX_LIBRARY);
        if !is_short {
            return true;
        }
        let outline = Outline::read(vm, method, &mut |vm, how, member| Invoked {
            targets: Vec::new(),
            has_others: true,
            others_throw: how == Invoke::Virtual
                || vm
                    .named_method(member)
                    .is_none_or(|called| self.may_throw(vm, called, levels - 1)),
        });
        let throws = outline.is_ok_and(|outline| outline.lets_out(vm, &|_| true));
        self.quiet.insert(method, !throws);
        throws
    }
}

/// Whether a method has subroutines (`jsr`), whose return edges cannot be read off the blocks.
fn has_subroutines(vm: &Vm, method: MethodId) -> bool {
    vm.listing(method).is_ok_and(|listing| {
        let mut steps = listing.instructions.iter().map(|listed| &listed.step);
        steps.any(|step| *step == ListedOperation::Subroutine)
    })
}
