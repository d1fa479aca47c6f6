//! Differential testing: comparison with another implementation, call by call.
//!
//! An object of the other class is made from the structure before the call. The method of the same
//! name is called on it with the same arguments. The comparison covers results, exceptions by
//! class, and contents afterwards. For the contents, another object is made from the structure
//! after the call.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Ref, Vm};
use heapwright_suite::{ClassSig, Conversion, Counterpart, MethodSig};

use super::calls::{MethodUnderTest, Tuple};
use super::judge::{CheckedStructure, ContinueCallback, Judge};
use super::oracle::takes;
use super::ways::{ObjectMaker, is_comparable, maker, observers};
use crate::observe::method_sig;
use crate::packages::TestPackage;
use crate::read::StructureReader;
use crate::statements::name_of;
use crate::{Error, target};

/// The other implementation.
pub(super) struct OtherImplementation {
    class: ClassId,
    sig: Arc<ClassSig>,
    maker: ObjectMaker,
    /// Method of `heapwright.Contents` that compares two values.
    agree: MethodId,
    /// Methods without parameters that return values; used only where objects have no other
    /// comparison.
    observers: Vec<MethodId>,
}

/// Method of the other class that corresponds to one under test.
pub(super) struct CounterpartMethod {
    against: Arc<OtherImplementation>,
    method: MethodId,
    /// For each parameter, the primitive kind that must be boxed for it.
    boxed: Vec<Option<Kind>>,
}

/// Outcome of the call on the other implementation.
pub(super) struct TwinOutcome {
    /// The other object; null if it could not be made.
    other: Ref,
    pub disagreement: Option<Disagreement>,
}

/// Difference between two implementations.
pub(super) enum Disagreement {
    /// No object can be made from the structure: the outcome of its maker.
    NotMade(Exit),
    /// Outcome of the call.
    Ended(Exit),
    /// Contents afterwards: the other object, and one made from the structure.
    State(Ref, Ref),
    /// Observer with its outcomes afterwards: on the other object, and on one made from the
    /// structure.
    Observed(MethodId, Exit, Exit),
}

impl OtherImplementation {
    /// Finds the other class by its name, with a conversion that makes objects of it.
    ///
    /// # Errors
    /// There is no such class, or no conversion.
    pub fn find(
        vm: &mut Vm,
        reader: &mut StructureReader,
        class: ClassId,
        name: &str,
    ) -> Result<OtherImplementation, Error> {
        let other = target::find_class(vm, name)?;
        let sig = reader.class_sig(vm, other);
        let unusable = |reason: String| Error::BadClass {
            class: name.to_owned(),
            reason,
        };
        if sig.source_name.is_none() || vm.class(other).flags & flags::ABSTRACT != 0 {
            let reason = "objects to compare with are made of it, so it must neither be private nor abstract";
            return Err(unusable(reason.to_owned()));
        }
        let Some(maker) = maker(vm, class, other) else {
            let (own, simple) = (vm.simple_name(class), vm.simple_name(other));
            return Err(unusable(format!(
                "there is no way from {own} to it; any of these would do: {simple}({own}), \
                 static {simple} {simple}.from({own}), each with {own} or a supertype, or {simple} {own}.to{simple}()"
            )));
        };
        vm.initialize_now(other).map_err(unusable)?;
        let agree = vm
            .load_class("heapwright/Contents")
            .ok()
            .and_then(|contents| {
                vm.declared_method(contents, "agree", "(Ljava/lang/Object;Ljava/lang/Object;)Z")
            });
        let agree =
            agree.ok_or_else(|| unusable("there is nothing to compare it with".to_owned()))?;
        let observers = match is_comparable(vm, other) {
            true => Vec::new(),
            false => observers(vm, other),
        };
        Ok(OtherImplementation {
            class: other,
            sig,
            maker,
            agree,
            observers,
        })
    }

    fn make(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        structure: Ref,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Exit> {
        let ObjectMaker::Constructor(constructor) = self.maker else {
            let (ObjectMaker::Static(method)
            | ObjectMaker::Receiver(method)
            | ObjectMaker::Constructor(method)) = self.maker;
            return judge.run(vm, site, method, &[structure.slot()], ask);
        };
        let slots = [0, structure.slot()];
        judge.construct(vm, site, self.class, constructor, &slots, ask)
    }

    /// Whether the contents of objects of the other class can be compared.
    pub fn compares_contents(&self, vm: &mut Vm) -> bool {
        !self.observers.is_empty() || is_comparable(vm, self.class)
    }

    /// Returns the method that corresponds to one under test, if there is one.
    pub fn twin(
        self: &Arc<OtherImplementation>,
        vm: &mut Vm,
        class: ClassId,
        method: MethodId,
    ) -> Option<CounterpartMethod> {
        let name = vm.text(vm.method(method).name).to_owned();
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let wanted = descriptor::split_method(&text)?.0;
        let mut found: Vec<(bool, CounterpartMethod)> = Vec::new();
        let package = TestPackage::of(vm, class);
        for method in target::methods(vm, self.class) {
            let this = vm.method(method);
            let hidden = flags::STATIC | flags::SYNTHETIC | flags::BRIDGE;
            if vm.text(this.name) != name || this.flags & hidden != 0 {
                continue;
            }
            let is_open = package.opens(vm, this.class, this.flags);
            let text = vm.text(this.descriptor).to_owned();
            let given = descriptor::split_method(&text).map_or(Vec::new(), |split| split.0);
            if !is_open || given.len() != wanted.len() {
                continue;
            }
            let fits = wanted.iter().zip(&given).map(|(wanted, given)| {
                if takes(vm, given, wanted) {
                    return Some(None);
                }
                let kind = Kind::of(wanted);
                let boxed = format!("L{};", kind.box_class());
                let is_boxed = kind != Kind::Reference && takes(vm, given, &boxed);
                is_boxed.then_some(Some(kind))
            });
            if let Some(boxed) = fits.collect::<Option<Vec<_>>>() {
                let twin = CounterpartMethod {
                    against: Arc::clone(self),
                    method,
                    boxed,
                };
                found.push((given == wanted, twin));
            }
        }
        let exact = found.iter().position(|(is_exact, _)| *is_exact);
        (!found.is_empty()).then(|| found.swap_remove(exact.unwrap_or(0)).1)
    }
}

impl CounterpartMethod {
    /// Makes an object of the other class from the structure before the call, and calls the method
    /// on it.
    ///
    /// # Errors
    /// Breaks off where `ask` does.
    pub fn call(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        (operation, tuple): (&MethodUnderTest, &Tuple),
        ended: &Exit,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Result<TwinOutcome, Exit>> {
        let Some(before) = site.before else {
            return ControlFlow::Continue(Err(Exit::Limit(Limit::Heap)));
        };
        let made = self.against.make(judge, vm, site, before, ask)?;
        let other = match made {
            Exit::Done(slot) if slot != 0 => Ref::from_slot(slot),
            Exit::Done(_) | Exit::Threw(_) => {
                return ControlFlow::Continue(Ok(TwinOutcome {
                    other: Ref::NULL,
                    disagreement: Some(Disagreement::NotMade(made)),
                }));
            }
            refused => return ControlFlow::Continue(Err(refused)),
        };
        let mut slots = vec![other.slot()];
        let before = site.slots_before(tuple);
        let mut given = before[1..].iter();
        for (kind, boxed) in operation.kinds.iter().zip(&self.boxed) {
            let words = given.by_ref().take(kind.words() as usize);
            let words: Vec<u64> = words.copied().collect();
            match boxed {
                None => slots.extend(words),
                Some(kind) => match vm.boxed(*kind, words[0]) {
                    Ok(object) => slots.push(object.slot()),
                    Err(_) => return ControlFlow::Continue(Err(Exit::Limit(Limit::Heap))),
                },
            }
        }
        let class = vm.heap.class_of(other);
        let method = vm.select(class, self.method).unwrap_or(self.method);
        let came = judge.run(vm, site, method, &slots, ask)?;
        let agrees = match (ended, &came) {
            (Exit::Done(here), Exit::Done(there)) => {
                let here = (vm.method(operation.call.method).result, *here);
                let there = (vm.method(method).result, *there);
                match self.same_result(judge, vm, site, here, there, other, ask)? {
                    Ok(agrees) => agrees,
                    Err(refused) => return ControlFlow::Continue(Err(refused)),
                }
            }
            (Exit::Threw(here), Exit::Threw(there)) => {
                vm.heap.class_of(*here) == vm.heap.class_of(*there)
            }
            (Exit::Done(_), Exit::Threw(_) | Exit::Limit(Limit::Steps))
            | (Exit::Threw(_), Exit::Done(_) | Exit::Limit(Limit::Steps)) => false,
            _ => return ControlFlow::Continue(Err(came)),
        };
        ControlFlow::Continue(Ok(TwinOutcome {
            other,
            disagreement: (!agrees).then_some(Disagreement::Ended(came)),
        }))
    }

    #[expect(clippy::too_many_arguments, reason = "both calls and their results")]
    fn same_result(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        here: (Kind, u64),
        there: (Kind, u64),
        other: Ref,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Result<bool, Exit>> {
        if here.0 == Kind::Void || there.0 == Kind::Void {
            return ControlFlow::Continue(Ok(true));
        }
        let mut values = Vec::new();
        for (kind, slot) in [here, there] {
            values.push(match kind {
                Kind::Reference => Ref::from_slot(slot),
                kind => match vm.boxed(kind, slot) {
                    Ok(object) => object,
                    Err(_) => return ControlFlow::Continue(Err(Exit::Limit(Limit::Heap))),
                },
            });
        }
        if values == [site.space.root, other] {
            return ControlFlow::Continue(Ok(true));
        }
        if values.contains(&Ref::NULL) {
            return ControlFlow::Continue(Ok(values[0] == values[1]));
        }
        for &value in &values {
            let class = vm.heap.class_of(value);
            if !is_comparable(vm, class) {
                return ControlFlow::Continue(Ok(true));
            }
        }
        self.agree(judge, vm, site, values[0], values[1], ask)
    }

    fn agree(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        here: Ref,
        there: Ref,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Result<bool, Exit>> {
        let slots = [here.slot(), there.slot()];
        ControlFlow::Continue(
            match judge.run(vm, site, self.against.agree, &slots, ask)? {
                Exit::Done(answer) => Ok(answer != 0),
                Exit::Threw(_) => Ok(false),
                refused => Err(refused),
            },
        )
    }

    /// Compares the contents after the calls; the outcomes in `called` agree so far.
    ///
    /// # Errors
    /// Breaks off where `ask` does.
    pub fn compare_contents(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        called: &TwinOutcome,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Result<Option<Disagreement>, Exit>> {
        if !self.against.compares_contents(vm) {
            return ControlFlow::Continue(Ok(None));
        }
        let made = self.against.make(judge, vm, site, site.space.root, ask)?;
        let here = match made {
            Exit::Done(slot) if slot != 0 => Ref::from_slot(slot),
            Exit::Done(_) | Exit::Threw(_) => {
                return ControlFlow::Continue(Ok(Some(Disagreement::NotMade(made))));
            }
            refused => return ControlFlow::Continue(Err(refused)),
        };
        if !self.against.observers.is_empty() {
            return self.observe(judge, vm, site, (called.other, here), ask);
        }
        let agrees = self.agree(judge, vm, site, called.other, here, ask)?;
        ControlFlow::Continue(
            agrees.map(|agrees| (!agrees).then_some(Disagreement::State(called.other, here))),
        )
    }

    /// Calls the observers in order on an object of the other class and on one made from the
    /// structure. Stops at the first disagreement.
    fn observe(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        (there, here): (Ref, Ref),
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Result<Option<Disagreement>, Exit>> {
        for &observer in &self.against.observers {
            let mut came = Vec::new();
            for object in [there, here] {
                let class = vm.heap.class_of(object);
                let method = vm.select(class, observer).unwrap_or(observer);
                came.push(judge.run(vm, site, method, &[object.slot()], ask)?);
            }
            let (of_here, of_there) = (came.pop(), came.pop());
            let (Some(of_here), Some(of_there)) = (of_here, of_there) else {
                continue;
            };
            let kind = vm.method(observer).result;
            let agrees = match (&of_here, &of_there) {
                (Exit::Done(one), Exit::Done(other)) => {
                    let (one, other) = ((kind, *one), (kind, *other));
                    match self.same_result(judge, vm, site, one, other, there, ask)? {
                        Ok(agrees) => agrees,
                        Err(refused) => return ControlFlow::Continue(Err(refused)),
                    }
                }
                (Exit::Threw(one), Exit::Threw(other)) => {
                    vm.heap.class_of(*one) == vm.heap.class_of(*other)
                }
                (Exit::Done(_) | Exit::Threw(_), Exit::Done(_) | Exit::Threw(_)) => false,
                (Exit::Done(_) | Exit::Threw(_), _) => {
                    return ControlFlow::Continue(Err(of_there));
                }
                _ => return ControlFlow::Continue(Err(of_here)),
            };
            if !agrees {
                let found = Disagreement::Observed(observer, of_there, of_here);
                return ControlFlow::Continue(Ok(Some(found)));
            }
        }
        ControlFlow::Continue(Ok(None))
    }

    /// Returns the counterpart as data for a test.
    pub fn counterpart(&self, vm: &Vm, disagreement: &Disagreement) -> Counterpart {
        let parameter = |method: MethodId| {
            let text = vm.text(vm.method(method).descriptor);
            let parameters = descriptor::split_method(text).map_or(Vec::new(), |split| split.0);
            parameters
                .first()
                .map(|only| descriptor::to_java(only))
                .unwrap_or_default()
        };
        let name = |method: MethodId| vm.text(vm.method(method).name).to_owned();
        Counterpart {
            class: Arc::clone(&self.against.sig),
            conversion: match self.against.maker {
                ObjectMaker::Constructor(method) => Conversion::Constructor {
                    parameter: parameter(method),
                },
                ObjectMaker::Static(method) => Conversion::Static {
                    class: vm.binary_name(vm.method(method).class),
                    name: name(method),
                    parameter: parameter(method),
                },
                ObjectMaker::Receiver(method) => Conversion::Receiver { name: name(method) },
            },
            // The type is raw; accessibility was checked when the method was found.
            method: Arc::new(MethodSig {
                is_accessible: true,
                ..method_sig(vm, self.against.class, self.method)
            }),
            is_of_contents: matches!(
                disagreement,
                Disagreement::State(..) | Disagreement::Observed(..)
            ),
            observers: match disagreement {
                Disagreement::Observed(last, ..) => {
                    let observers = self.against.observers.iter();
                    let before = observers.copied().take_while(|observer| observer != last);
                    before.chain([*last]).map(name).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    /// Readable name of the other method: `java.util.TreeSet.add(java.lang.Object)`.
    pub fn text(&self, vm: &Vm) -> String {
        format!("{}.{}", self.class_text(vm), name_of(vm, self.method))
    }

    /// Kind of the other method's result.
    pub fn result(&self, vm: &Vm) -> Kind {
        vm.method(self.method).result
    }

    /// Name of the other class.
    pub fn class_text(&self, vm: &Vm) -> String {
        vm.binary_name(self.against.class)
    }
}

/// Sets the twin of each operation; returns warnings about operations without one.
///
/// # Errors
/// The class cannot be compared with, or no operation has a twin.
pub(super) fn assign(
    vm: &mut Vm,
    reader: &mut StructureReader,
    class: ClassId,
    operations: &mut [MethodUnderTest],
    name: &str,
) -> Result<Vec<String>, Error> {
    let against = Arc::new(OtherImplementation::find(vm, reader, class, name)?);
    let mut warnings = Vec::new();
    for operation in operations.iter_mut().filter(|found| found.has_receiver()) {
        operation.twin = against.twin(vm, class, operation.call.method);
        if operation.twin.is_none() {
            warnings.push(format!(
                "{} is not compared: {name} has no such method",
                operation.name
            ));
        }
    }
    if operations.iter().all(|operation| operation.twin.is_none()) {
        let names: Vec<&str> = operations.iter().map(|found| found.name.as_str()).collect();
        return Err(Error::BadClass {
            class: name.to_owned(),
            reason: format!(
                "it has none of the methods to compare: {}",
                names.join(", ")
            ),
        });
    }
    let without = format!("{name} has no equals and is no Iterable or Map");
    if !against.compares_contents(vm) {
        let what = "the states of objects after calls are not compared";
        warnings.push(format!(
            "{what}: {without}, nor has it methods that return values"
        ));
    } else if !against.observers.is_empty() {
        let observers = against.observers.iter();
        let names: Vec<String> = observers.map(|&method| name_of(vm, method)).collect();
        warnings.push(format!(
            "the states of objects after calls are compared by {}: {without}",
            names.join(", ")
        ));
    }
    Ok(warnings)
}
