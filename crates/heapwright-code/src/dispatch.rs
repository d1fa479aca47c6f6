//! Call targets: one dispatch rule, under one of two policies.
//!
//! A virtual call selects, by [`Vm::select`], a method for each class that its receiver may have.
//! Class-hierarchy analysis ([`ClassHierarchyAnalysis`]) considers all loaded classes, rapid type
//! analysis ([`RapidTypeAnalysis`]) those that are instantiated.

use heapwright_jvm::listing::{Invoke, ListedMember};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

/// Callee of a call instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// Exactly this method, independent of the receiver's class.
    Exact(MethodId),
    /// The method that the receiver's class selects for this one; the receiver has the given
    /// class or a subclass.
    Virtual(ClassId, MethodId),
}

/// Resolves the callee of an instruction and loads its class; `None` if the class or the method
/// does not exist.
pub fn call(vm: &mut Vm, how: Invoke, member: &ListedMember) -> Option<CallTarget> {
    let named = vm.named_method(member)?;
    let bound = vm.load_class(&member.class).ok()?;
    Some(match how {
        Invoke::Virtual => CallTarget::of_receiver(vm, bound, named),
        Invoke::Static | Invoke::Special => CallTarget::Exact(named),
    })
}

impl CallTarget {
    /// Returns the call of a method on a receiver of a class or of one of its subclasses.
    #[must_use]
    pub fn of_receiver(vm: &Vm, bound: ClassId, named: MethodId) -> CallTarget {
        let this = vm.method(named);
        match this.vtable_index.is_some() || vm.class(this.class).is_interface() {
            true => CallTarget::Virtual(bound, named),
            false => CallTarget::Exact(named),
        }
    }

    /// The method that the instruction names.
    #[must_use]
    pub fn named(self) -> MethodId {
        match self {
            CallTarget::Exact(named) | CallTarget::Virtual(_, named) => named,
        }
    }
}

/// Class-hierarchy analysis: a receiver may have any loaded class that is not abstract.
#[derive(Default)]
pub struct ClassHierarchyAnalysis {
    /// Number of loaded classes when the caches were filled; they are cleared when it changes.
    loaded: usize,
    /// The instantiable subclasses of a class, itself included.
    below: FxHashMap<ClassId, Vec<ClassId>>,
    /// Targets of each call.
    targets: FxHashMap<(ClassId, MethodId), Vec<MethodId>>,
}

impl ClassHierarchyAnalysis {
    /// Targets of a call, each once; none if no loaded class can be that of the receiver.
    pub fn targets(&mut self, vm: &mut Vm, call: CallTarget) -> Vec<MethodId> {
        let (bound, named) = match call {
            CallTarget::Exact(named) => return vec![named],
            CallTarget::Virtual(bound, named) => (bound, named),
        };
        let loaded = vm.loaded_classes().count();
        if loaded != self.loaded {
            *self = ClassHierarchyAnalysis {
                loaded,
                ..ClassHierarchyAnalysis::default()
            };
        }
        if let Some(known) = self.targets.get(&(bound, named)) {
            return known.clone();
        }
        let below = self.below.entry(bound).or_insert_with(|| below(vm, bound));
        let (mut known, mut targets) = (FxHashSet::default(), Vec::new());
        for &class in below.iter() {
            let method = vm.select(class, named);
            targets.extend(method.filter(|&method| known.insert(method)));
        }
        self.targets.insert((bound, named), targets.clone());
        targets
    }
}

/// The loaded subclasses of a class, itself included, that are not abstract. They are sorted by
/// name, so the order does not depend on when they were loaded.
fn below(vm: &Vm, bound: ClassId) -> Vec<ClassId> {
    let classes = vm.loaded_classes();
    let classes =
        classes.filter(|&class| !vm.class(class).is_abstract() && vm.is_subclass(class, bound));
    let mut classes: Vec<ClassId> = classes.collect();
    classes.sort_by_cached_key(|&class| vm.class_name(class).to_owned());
    classes
}

/// Object of a functional interface that a call site makes: a call of the interface's method
/// calls the bodies.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The interface.
    pub interface: ClassId,
    /// Name of the interface's method.
    pub name: String,
    /// Methods that a call of the interface's method runs.
    pub bodies: Vec<MethodId>,
}

/// Rapid type analysis: a receiver has an instantiated class, or is a lambda. Both are added
/// while code is explored and stored under each of their supertypes, in the order of discovery.
#[derive(Default)]
pub struct RapidTypeAnalysis {
    made: FxHashMap<ClassId, Vec<ClassId>>,
    is_made: FxHashSet<ClassId>,
    /// Lambdas by supertype: the name of the interface's method and a body.
    lambdas: FxHashMap<ClassId, Vec<(String, MethodId)>>,
    count_of_lambdas: usize,
    /// Targets of virtual calls that were queried before.
    reached: FxHashMap<(ClassId, MethodId), CallTargets>,
}

/// Targets of a virtual call on the first `classes` classes and `lambdas` lambdas below its
/// receiver's type.
#[derive(Default)]
struct CallTargets {
    classes: usize,
    lambdas: usize,
    methods: Vec<MethodId>,
    bodies: Vec<MethodId>,
    known: FxHashSet<MethodId>,
}

impl RapidTypeAnalysis {
    /// Adds an instantiated class; returns whether it is new.
    pub fn add(&mut self, vm: &Vm, class: ClassId) -> bool {
        let is_new = self.is_made.insert(class);
        if is_new {
            for above in types_of(vm, class) {
                self.made.entry(above).or_default().push(class);
            }
        }
        is_new
    }

    /// Adds a lambda.
    pub fn add_lambda(&mut self, vm: &Vm, lambda: &Lambda) {
        for &body in &lambda.bodies {
            self.count_of_lambdas += 1;
            for above in types_of(vm, lambda.interface) {
                let lambdas = self.lambdas.entry(above).or_default();
                lambdas.push((lambda.name.clone(), body));
            }
        }
    }

    /// Number of instantiated classes and lambda bodies.
    #[must_use]
    pub fn count(&self) -> usize {
        self.is_made.len() + self.count_of_lambdas
    }

    /// The instantiated classes that are subtypes of a type.
    #[must_use]
    pub fn below(&self, class: ClassId) -> &[ClassId] {
        self.made.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Appends the targets of a call on the classes and lambdas known so far.
    pub fn targets(&mut self, vm: &mut Vm, call: CallTarget, targets: &mut Vec<MethodId>) {
        let (bound, named) = match call {
            CallTarget::Exact(named) => return targets.push(named),
            CallTarget::Virtual(bound, named) => (bound, named),
        };
        let known = self.reached.entry((bound, named)).or_default();
        let classes = self.made.get(&bound).map_or(&[][..], Vec::as_slice);
        for &class in &classes[known.classes..] {
            let method = vm.select(class, named);
            known
                .methods
                .extend(method.filter(|&method| known.known.insert(method)));
        }
        let name = vm.text(vm.method(named).name);
        let lambdas = self.lambdas.get(&bound).map_or(&[][..], Vec::as_slice);
        let bodies = lambdas[known.lambdas..].iter();
        let bodies = bodies.filter(|(method, _)| method == name);
        known.bodies.extend(bodies.map(|&(_, body)| body));
        (known.classes, known.lambdas) = (classes.len(), lambdas.len());
        targets.extend(&known.methods);
        targets.extend(&known.bodies);
    }
}

/// Supertypes of a class, itself included.
pub fn types_of(vm: &Vm, class: ClassId) -> impl Iterator<Item = ClassId> {
    let this = vm.class(class);
    let interfaces = this
        .all_interfaces
        .iter()
        .filter(move |&&above| above != class);
    this.display.iter().chain(interfaces).copied()
}
