//! Another implementation that a class is compared with, call by call.
//!
//! One is made of the structure before the call, the method of the same name is called on it with
//! the same arguments, and what both came to is compared: results, exceptions by class, and what
//! both hold afterwards, one more being made of the structure after the call for that.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Ref, Vm};
use heapwright_suite::{ClassSig, Conversion, Counterpart, MethodSig};

use super::calls::{Operation, Tuple, name_of};
use super::judge::{Ask, Judge, Site};
use super::oracle::takes;
use crate::observe::method_sig;
use crate::read::StructureReader;
use crate::{Error, target};

/// The other implementation.
pub(super) struct Against {
    class: ClassId,
    sig: Arc<ClassSig>,
    maker: Maker,
    /// The method of ours that compares two values.
    agree: MethodId,
    /// Where nothing else compares objects of it: its methods without parameters that return values.
    observers: Vec<MethodId>,
}

/// What makes an object of the other class of a structure.
#[derive(Clone, Copy)]
enum Maker {
    Constructor(MethodId),
    Static(MethodId),
    /// An instance method of the class under test.
    Receiver(MethodId),
}

/// The method of the other class that stands for one under test.
pub(super) struct Twin {
    against: Arc<Against>,
    method: MethodId,
    /// For each parameter the kind of primitives that must be boxed for it.
    boxed: Vec<Option<Kind>>,
}

/// What the other one came to.
pub(super) struct Called {
    /// It; null if it could not be made.
    other: Ref,
    pub disagreement: Option<Disagreement>,
}

/// What two implementations disagree on.
pub(super) enum Disagreement {
    /// None can be made of the structure: this is how its maker ended.
    NotMade(Exit),
    /// How the call ended.
    Ended(Exit),
    /// What they hold afterwards: the other one, and one that is made of the structure.
    State(Ref, Ref),
    /// What an observer comes to afterwards: on the other one, and on one that is made of the
    /// structure.
    Observed(MethodId, Exit, Exit),
}

impl Against {
    /// The other class by its name, with a way to make an object of it.
    ///
    /// # Errors
    /// There is no such class, or no way.
    pub fn find(
        vm: &mut Vm,
        reader: &mut StructureReader,
        class: ClassId,
        name: &str,
    ) -> Result<Against, Error> {
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
        let observers = match Against::is_comparable(vm, other) {
            true => Vec::new(),
            false => observers(vm, other),
        };
        Ok(Against {
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
        site: Site<'_>,
        structure: Ref,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Exit> {
        let Maker::Constructor(constructor) = self.maker else {
            let (Maker::Static(method) | Maker::Receiver(method) | Maker::Constructor(method)) =
                self.maker;
            return judge.run(vm, site, method, &[structure.slot()], ask);
        };
        let slots = [0, structure.slot()];
        judge.construct(vm, site, self.class, constructor, &slots, ask)
    }

    /// Whether objects of this class can be compared: by content, or by an `equals` of their own.
    fn is_comparable(vm: &mut Vm, class: ClassId) -> bool {
        if let Shape::Array(_) = vm.class(class).shape {
            return true;
        }
        let known = ["java/lang/Iterable", "java/util/Map", "java/util/Iterator"];
        known.iter().any(|name| {
            let known = vm.load_class(name);
            known.is_ok_and(|known| vm.is_subclass(class, known))
        }) || vm.class(class).display.clone().into_iter().any(|above| {
            vm.class_name(above) != "java/lang/Object"
                && vm
                    .declared_method(above, "equals", "(Ljava/lang/Object;)Z")
                    .is_some()
        })
    }

    /// Whether what objects of the other class hold can be compared.
    pub fn compares_contents(&self, vm: &mut Vm) -> bool {
        !self.observers.is_empty() || Against::is_comparable(vm, self.class)
    }

    /// The method that stands for one under test, if there is one.
    pub fn twin(
        self: &Arc<Against>,
        vm: &mut Vm,
        class: ClassId,
        method: MethodId,
    ) -> Option<Twin> {
        let name = vm.text(vm.method(method).name).to_owned();
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let wanted = descriptor::split_method(&text)?.0;
        let mut found: Vec<(bool, Twin)> = Vec::new();
        for method in target::methods(vm, self.class) {
            let this = vm.method(method);
            let hidden = flags::STATIC | flags::SYNTHETIC | flags::BRIDGE;
            if vm.text(this.name) != name || this.flags & hidden != 0 {
                continue;
            }
            let is_open = is_open(vm, class, method);
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
                let twin = Twin {
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

/// Whether tests in the package of a class may call a method.
fn is_open(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let this = vm.method(method);
    let package = |class| vm.class_name(class).rsplit_once('/').map(|split| split.0);
    this.flags & flags::PUBLIC != 0
        || this.flags & flags::PRIVATE == 0 && package(class) == package(this.class)
}

/// The public methods of a class without parameters that return values that can be compared.
fn observers(vm: &mut Vm, class: ClassId) -> Vec<MethodId> {
    let methods = target::methods(vm, class).into_iter();
    let candidates = methods.filter(|&method| {
        let this = vm.method(method);
        let hidden = flags::STATIC | flags::SYNTHETIC | flags::BRIDGE;
        this.flags & hidden == 0
            && this.flags & flags::PUBLIC != 0
            && vm.text(this.descriptor).starts_with("()")
            && vm.class_name(this.class) != "java/lang/Object"
            && vm.text(this.name) != "hashCode"
    });
    let candidates: Vec<MethodId> = candidates.collect();
    let is_comparable = |method: &MethodId| {
        let this = vm.method(*method);
        let result = vm.text(this.descriptor)["()".len()..].to_owned();
        match this.result {
            Kind::Void => false,
            // A type variable, it may be.
            Kind::Reference if result == "Ljava/lang/Object;" => true,
            Kind::Reference => {
                let class = vm.load_class(descriptor::class_name(&result));
                class.is_ok_and(|class| Against::is_comparable(vm, class))
            }
            _ => true,
        }
    };
    candidates.into_iter().filter(is_comparable).collect()
}

/// The best way from a class to the other: a constructor or a static method of the other with one
/// parameter, a static method of the class, a method of its objects.
fn maker(vm: &mut Vm, class: ClassId, other: ClassId) -> Option<Maker> {
    let own = descriptor::of_class(vm.class_name(class));
    let wanted = descriptor::of_class(vm.class_name(other));
    let mut ways: Vec<(u8, String, Maker)> = Vec::new();
    for owner in [other, class] {
        for method in vm.class(owner).methods.clone() {
            let this = vm.method(method);
            if !is_open(vm, class, method)
                || this.flags & (flags::ABSTRACT | flags::SYNTHETIC | flags::BRIDGE) != 0
            {
                continue;
            }
            let (is_static, name) = (this.is_static(), vm.text(this.name).to_owned());
            let text = vm.text(this.descriptor).to_owned();
            let Some((parameters, result)) = descriptor::split_method(&text) else {
                continue;
            };
            let takes_own = match parameters.as_slice() {
                [only] => *only != "Ljava/lang/Object;" && takes(vm, only, &own),
                _ => false,
            };
            let way = match (name.as_str(), is_static) {
                ("<init>", _) if owner == other && takes_own => (0, Maker::Constructor(method)),
                (_, true) if takes_own && takes(vm, &wanted, result) => {
                    (1 + u8::from(owner == class), Maker::Static(method))
                }
                (_, false) if owner == class && parameters.is_empty() => {
                    match takes(vm, &wanted, result) {
                        true => (3, Maker::Receiver(method)),
                        false => continue,
                    }
                }
                _ => continue,
            };
            let parameter = parameters.first().copied().unwrap_or_default();
            ways.push((way.0, parameter.to_owned(), way.1));
        }
    }
    let best = ways.iter().map(|way| way.0).min()?;
    ways.retain(|way| way.0 == best);
    // The most specific parameter, as a compiler would choose.
    let least = (0..ways.len()).find(|&way| {
        let parameter = ways[way].1.clone();
        let mut others = ways.iter();
        best == 3 || others.all(|other| takes(vm, &other.1, &parameter))
    });
    Some(ways.swap_remove(least.unwrap_or(0)).2)
}

impl Twin {
    /// Makes an object of the other class of the structure before the call, and the call on it.
    ///
    /// # Errors
    /// Breaks off where `ask` does.
    pub fn call(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: Site<'_>,
        (operation, tuple): (&Operation, &Tuple),
        ended: &Exit,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Result<Called, Exit>> {
        let Some(before) = site.before else {
            return ControlFlow::Continue(Err(Exit::Limit(Limit::Heap)));
        };
        let made = self.against.make(judge, vm, site, before, ask)?;
        let other = match made {
            Exit::Done(slot) if slot != 0 => Ref::from_slot(slot),
            Exit::Done(_) | Exit::Threw(_) => {
                return ControlFlow::Continue(Ok(Called {
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
                let here = (vm.method(operation.method).result, *here);
                let there = (vm.method(method).result, *there);
                match self.same_result(judge, vm, site, here, there, other, ask)? {
                    Ok(agrees) => agrees,
                    Err(refused) => return ControlFlow::Continue(Err(refused)),
                }
            }
            (Exit::Threw(here), Exit::Threw(there)) => {
                vm.heap.class_of(*here) == vm.heap.class_of(*there)
            }
            (Exit::Done(_), Exit::Threw(_) | Exit::Limit(_))
            | (Exit::Threw(_), Exit::Done(_) | Exit::Limit(_)) => false,
            _ => return ControlFlow::Continue(Err(came)),
        };
        ControlFlow::Continue(Ok(Called {
            other,
            disagreement: (!agrees).then_some(Disagreement::Ended(came)),
        }))
    }

    #[expect(clippy::too_many_arguments, reason = "both calls and what they gave")]
    fn same_result(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: Site<'_>,
        here: (Kind, u64),
        there: (Kind, u64),
        other: Ref,
        ask: &mut Ask<'_>,
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
            if !Against::is_comparable(vm, class) {
                return ControlFlow::Continue(Ok(true));
            }
        }
        self.agree(judge, vm, site, values[0], values[1], ask)
    }

    fn agree(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: Site<'_>,
        here: Ref,
        there: Ref,
        ask: &mut Ask<'_>,
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

    /// Compares what both hold after the calls; `called` agreed so far.
    ///
    /// # Errors
    /// Breaks off where `ask` does.
    pub fn compare_contents(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: Site<'_>,
        called: &Called,
        ask: &mut Ask<'_>,
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

    /// Calls the observers, one after the other, on an object of the other class and on one that
    /// is made of the structure, up to the first on which these disagree.
    fn observe(
        &self,
        judge: &Judge,
        vm: &mut Vm,
        site: Site<'_>,
        (there, here): (Ref, Ref),
        ask: &mut Ask<'_>,
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
                _ => return ControlFlow::Continue(Err(of_here)),
            };
            if !agrees {
                let found = Disagreement::Observed(observer, of_there, of_here);
                return ControlFlow::Continue(Ok(Some(found)));
            }
        }
        ControlFlow::Continue(Ok(None))
    }

    /// The same for a test.
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
                Maker::Constructor(method) => Conversion::Constructor {
                    parameter: parameter(method),
                },
                Maker::Static(method) => Conversion::Static {
                    class: vm.binary_name(vm.method(method).class),
                    name: name(method),
                    parameter: parameter(method),
                },
                Maker::Receiver(method) => Conversion::Receiver { name: name(method) },
            },
            // Of a raw type, and looked at when it was found.
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

    /// The other method, for people: `java.util.TreeSet.add(java.lang.Object)`.
    pub fn text(&self, vm: &Vm) -> String {
        format!("{}.{}", self.class_text(vm), name_of(vm, self.method))
    }

    /// What the other method returns.
    pub fn result(&self, vm: &Vm) -> Kind {
        vm.method(self.method).result
    }

    /// The name of the other class.
    pub fn class_text(&self, vm: &Vm) -> String {
        vm.binary_name(self.against.class)
    }
}

/// Gives each operation its twin; the names of those that have none.
///
/// # Errors
/// The class cannot be compared with, or no operation has a twin.
pub(super) fn assign(
    vm: &mut Vm,
    reader: &mut StructureReader,
    class: ClassId,
    operations: &mut [Operation],
    name: &str,
) -> Result<Vec<String>, Error> {
    let against = Arc::new(Against::find(vm, reader, class, name)?);
    let mut warnings = Vec::new();
    for operation in operations.iter_mut().filter(|found| found.has_receiver()) {
        operation.twin = against.twin(vm, class, operation.method);
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
        let what = "what objects hold after calls is not compared";
        warnings.push(format!(
            "{what}: {without}, nor has it methods that return values"
        ));
    } else if !against.observers.is_empty() {
        let observers = against.observers.iter();
        let names: Vec<String> = observers.map(|&method| name_of(vm, method)).collect();
        warnings.push(format!(
            "what objects hold after calls is compared by {}: {without}",
            names.join(", ")
        ));
    }
    Ok(warnings)
}
