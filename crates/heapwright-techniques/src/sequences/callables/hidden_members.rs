//! Calls of code in classes that tests cannot name, such as views, iterators and entries of a
//! collection, and lambdas: through the type with which a method returns their objects.
//!
//! Invariant: each of these calls has an override, or a lambda's body, in the classes under test.

use heapwright_code::outermost_class_name;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashSet;

use crate::functional::functional;
use crate::packages::TestPackage;
use crate::sequences::model::MemberAccess;
use crate::statements::{CallKind, Invokable, MethodCall, StatementKind};
use crate::target::{is_local, methods};

/// The classes under test of which tests cannot name any, and the lambdas in them.
pub(super) struct HiddenMembers {
    /// The concrete classes.
    classes: Vec<ClassId>,
    /// The interfaces of the lambdas.
    lambdas: Vec<ClassId>,
}

impl HiddenMembers {
    /// Finds those among the classes under test, given the package of tests and the members that
    /// they may use.
    pub fn of(
        vm: &mut Vm,
        tested: &[ClassId],
        package: &TestPackage,
        access: MemberAccess,
    ) -> HiddenMembers {
        let is_hidden = |&&class: &&ClassId| {
            let is_named = access == MemberAccess::Private || package.names(vm, class);
            !vm.class(class).is_abstract() && (is_local(vm, class) || !is_named)
        };
        let classes = tested.iter().filter(is_hidden).copied().collect();
        let mut made: Vec<String> = Vec::new();
        for &class in tested {
            for &method in &vm.class(class).methods {
                let Ok(listing) = vm.listing(method) else {
                    continue;
                };
                made.extend(listing.instructions.iter().filter_map(|listed| {
                    let ListedOperation::Dynamic(_, made, bodies) = &listed.step else {
                        return None;
                    };
                    let own = outermost_class_name(vm.class_name(class));
                    let mut bodies = bodies.iter();
                    let has_own = bodies.any(|body| outermost_class_name(&body.class) == own);
                    let (_, made) = descriptor::split_method(made)?;
                    has_own.then(|| made.to_owned())
                }));
            }
        }
        made.sort_unstable();
        made.dedup();
        let made = made.iter();
        let lambdas = made.filter_map(|made| vm.load_class(descriptor::class_name(made)).ok());
        HiddenMembers {
            lambdas: lambdas.collect(),
            classes,
        }
    }

    /// Returns the calls to add to the invokables found so far, with those that their results
    /// allow.
    pub fn calls(
        &self,
        vm: &mut Vm,
        found: &[Invokable],
        tested: &[ClassId],
        package: &TestPackage,
    ) -> Vec<Invokable> {
        let mut added: Vec<Invokable> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut place = 0;
        while let Some(invokable) = found.iter().chain(&added).nth(place) {
            place += 1;
            let Some(result) = invokable.result.as_deref() else {
                continue;
            };
            if Kind::of(result) != Kind::Reference || !result.starts_with('L') {
                continue;
            }
            let Ok(class) = vm.load_class(descriptor::class_name(result)) else {
                continue;
            };
            // A result declared as `Object` says nothing of its class.
            if !seen.insert(class)
                || vm.class(class).super_class.is_none()
                || !package.names(vm, class)
            {
                continue;
            }
            for (method, receivers) in self.overridden(vm, class, tested) {
                if !package.opens(vm, class, vm.method(method).flags)
                    || found
                        .iter()
                        .chain(&added)
                        .any(|one| provides(vm, one, class, method))
                {
                    continue;
                }
                let mut call = Invokable::of_call(vm, MethodCall::of(vm, class, method));
                call.parameters[0].classes = Some(receivers);
                added.push(call);
            }
        }
        added
    }

    /// Returns the methods of a type that hidden classes below it override, or that are a lambda's,
    /// each with these classes; with lambdas, whose classes are not known yet, with the type.
    fn overridden(
        &self,
        vm: &mut Vm,
        above: ClassId,
        tested: &[ClassId],
    ) -> Vec<(MethodId, Vec<ClassId>)> {
        let mut found: Vec<(MethodId, Vec<ClassId>)> = Vec::new();
        let below = self.classes.iter().copied();
        let below = below.filter(|&class| class != above && vm.is_subclass(class, above));
        let below: Vec<ClassId> = below.collect();
        if !below.is_empty() {
            let object = vm.class(above).display.first().copied();
            let of_object = object.map(|object| vm.class(object).methods.clone());
            let all = methods(vm, above).into_iter();
            for method in all.chain(of_object.into_iter().flatten()) {
                let this = vm.method(method);
                let (name, types) = (this.name, this.descriptor);
                let closed = flags::STATIC | flags::PRIVATE | flags::FINAL;
                if this.flags & closed != 0 || vm.text(name) == "<init>" {
                    continue;
                }
                let overrides = |&class: &ClassId| {
                    let own = vm.resolve_method(class, name, types);
                    own.is_some_and(|own| own != method && tested.contains(&vm.method(own).class))
                };
                let receivers: Vec<ClassId> = below.iter().copied().filter(overrides).collect();
                if !receivers.is_empty() {
                    found.push((method, receivers));
                }
            }
        }
        if self.lambdas.contains(&above) {
            for method in functional(vm, above) {
                match found.iter_mut().find(|(other, _)| *other == method) {
                    Some((_, receivers)) => *receivers = vec![above],
                    None => found.push((method, vec![above])),
                }
            }
        }
        found
    }
}

/// Whether an invokable calls a method on all objects of a class.
fn provides(vm: &Vm, invokable: &Invokable, class: ClassId, method: MethodId) -> bool {
    let StatementKind::Call(call) = invokable.kind else {
        return false;
    };
    let (this, other) = (vm.method(method), vm.method(call.method));
    call.kind == CallKind::Instance
        && (this.name, this.descriptor) == (other.name, other.descriptor)
        && vm.is_subclass(class, call.class)
}
