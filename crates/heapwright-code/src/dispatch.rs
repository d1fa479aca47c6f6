//! What a call can come to: one rule, under one of two policies.
//!
//! A call names a method. Where a receiver decides, it comes to what [`Vm::select`] says for the classes that the
//! receiver can be of: all that are loaded ([`Hierarchy`], class-hierarchy analysis), or those of which objects are
//! made ([`Instantiated`], rapid type analysis).

use heapwright_jvm::listing::{Invoke, Member};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a call names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// This method, whatever the class of the receiver.
    Exact(MethodId),
    /// What a receiver of this class or below has for the method.
    Virtual(ClassId, MethodId),
}

/// What an instruction calls, its class loaded; nothing if there is no such class or method.
pub fn call(vm: &mut Vm, how: Invoke, member: &Member) -> Option<Call> {
    let named = vm.named_method(member)?;
    let bound = vm.load_class(&member.class).ok()?;
    Some(match how {
        Invoke::Virtual => Call::of_receiver(vm, bound, named),
        Invoke::Static | Invoke::Special => Call::Exact(named),
    })
}

impl Call {
    /// The call of a method on a receiver of a class or below it.
    #[must_use]
    pub fn of_receiver(vm: &Vm, bound: ClassId, named: MethodId) -> Call {
        let this = vm.method(named);
        match this.vtable_index.is_some() || vm.class(this.class).is_interface() {
            true => Call::Virtual(bound, named),
            false => Call::Exact(named),
        }
    }

    /// The method that is named.
    #[must_use]
    pub fn named(self) -> MethodId {
        match self {
            Call::Exact(named) | Call::Virtual(_, named) => named,
        }
    }
}

/// Class-hierarchy analysis: a receiver is of any class that is loaded and has objects.
#[derive(Default)]
pub struct Hierarchy {
    /// How many classes were loaded when the rest was found out.
    loaded: usize,
    /// The classes with objects at or below a class.
    below: FxHashMap<ClassId, Vec<ClassId>>,
    /// What calls come to.
    targets: FxHashMap<(ClassId, MethodId), Vec<MethodId>>,
}

impl Hierarchy {
    /// The methods that a call comes to, each once; none if there are no objects to call it on.
    pub fn targets(&mut self, vm: &mut Vm, call: Call) -> Vec<MethodId> {
        let (bound, named) = match call {
            Call::Exact(named) => return vec![named],
            Call::Virtual(bound, named) => (bound, named),
        };
        let loaded = vm.loaded_classes().count();
        if loaded != self.loaded {
            *self = Hierarchy {
                loaded,
                ..Hierarchy::default()
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

/// The loaded classes with objects that are a class or below it, in the order of their names: it does not depend on
/// what was loaded when.
fn below(vm: &Vm, bound: ClassId) -> Vec<ClassId> {
    let classes = vm.loaded_classes();
    let classes =
        classes.filter(|&class| !vm.class(class).is_abstract() && vm.is_subclass(class, bound));
    let mut classes: Vec<ClassId> = classes.collect();
    classes.sort_by_cached_key(|&class| vm.class_name(class).to_owned());
    classes
}

/// An object made by a call site: of this functional interface, by whose method of this name these
/// methods are called.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The interface.
    pub interface: ClassId,
    /// The name of its method.
    pub name: String,
    /// What it calls.
    pub bodies: Vec<MethodId>,
}

/// Rapid type analysis: a receiver is of a class of which objects are made, or a lambda. Both are found as code is
/// followed, and kept by each type that they are of, in the order in which they were found.
#[derive(Default)]
pub struct Instantiated {
    made: FxHashMap<ClassId, Vec<ClassId>>,
    is_made: FxHashSet<ClassId>,
    /// Lambdas: the names of their methods and what those call.
    lambdas: FxHashMap<ClassId, Vec<(String, MethodId)>>,
    count_of_lambdas: usize,
    /// What virtual calls reach, as far as somebody has asked.
    reached: FxHashMap<(ClassId, MethodId), Reached>,
}

/// What a virtual call reaches on the first of the classes and lambdas below its own.
#[derive(Default)]
struct Reached {
    classes: usize,
    lambdas: usize,
    methods: Vec<MethodId>,
    bodies: Vec<MethodId>,
    known: FxHashSet<MethodId>,
}

impl Instantiated {
    /// Takes in that there are objects of a class; whether that is new.
    pub fn add(&mut self, vm: &Vm, class: ClassId) -> bool {
        let is_new = self.is_made.insert(class);
        if is_new {
            for above in types_of(vm, class) {
                self.made.entry(above).or_default().push(class);
            }
        }
        is_new
    }

    /// Takes in that lambdas are made.
    pub fn add_lambda(&mut self, vm: &Vm, lambda: &Lambda) {
        for &body in &lambda.bodies {
            self.count_of_lambdas += 1;
            for above in types_of(vm, lambda.interface) {
                let lambdas = self.lambdas.entry(above).or_default();
                lambdas.push((lambda.name.clone(), body));
            }
        }
    }

    /// How many classes and lambdas there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.is_made.len() + self.count_of_lambdas
    }

    /// The classes of objects that are of a type.
    #[must_use]
    pub fn below(&self, class: ClassId) -> &[ClassId] {
        self.made.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Adds the methods that a call comes to on what is made by now.
    pub fn targets(&mut self, vm: &mut Vm, call: Call, targets: &mut Vec<MethodId>) {
        let (bound, named) = match call {
            Call::Exact(named) => return targets.push(named),
            Call::Virtual(bound, named) => (bound, named),
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

/// The types that objects of a class are of.
pub fn types_of(vm: &Vm, class: ClassId) -> impl Iterator<Item = ClassId> {
    let this = vm.class(class);
    let interfaces = this
        .all_interfaces
        .iter()
        .filter(move |&&above| above != class);
    this.display.iter().chain(interfaces).copied()
}
