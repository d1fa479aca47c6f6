//! The static data flow of invokables: the fields and array elements that each of them may define and
//! use, through all that it may call (§4.3.1).
//!
//! Invariant: what an invokable has is a function of the class path and the system under test, not of
//! what was loaded before: a virtual call reaches what the classes of the system and those made in
//! code that was followed have for it.
//!
//! Of the library what is followed is the code of classes whose objects are part of the state of the
//! system's, such as the lists in its fields; what else the library keeps is no business of a test.

use std::collections::BTreeSet;

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Call, Code};
use super::invokables::{Invokable, What};
use crate::packages::{home, package_of};

/// Where the classes are that change by native code alone.
const ATOMIC: &str = "java/util/concurrent/atomic/";

/// Most methods that are looked at, those nearest to the invokables first.
const MAX_METHODS: usize = 4_000;

/// A field, by the class that declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKey {
    /// The class.
    pub class: ClassId,
    /// The field's name.
    pub name: Sym,
}

/// What an invokable may do. The order of the sets is that of loading: whoever shows them sorts them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Instance fields written; of an object that is made all of them.
    pub defines: BTreeSet<FieldKey>,
    /// Instance fields read.
    pub uses: BTreeSet<FieldKey>,
    /// Static fields written.
    pub static_defines: BTreeSet<FieldKey>,
    /// Static fields read.
    pub static_uses: BTreeSet<FieldKey>,
    /// Classes of arrays with elements written.
    pub stores: BTreeSet<ClassId>,
    /// Classes of arrays with elements read.
    pub loads: BTreeSet<ClassId>,
    /// Classes that the code of the system casts to or asks for.
    pub casts: BTreeSet<ClassId>,
    /// Methods that the code of the system calls, as declared; those that can be overridden.
    pub called: BTreeSet<MethodId>,
    /// Strings that the code of the system compares with.
    pub texts: BTreeSet<String>,
}

/// The effects of all invokables, by their numbers.
#[derive(Clone, Debug)]
pub struct Flows {
    effects: Vec<Effects>,
}

impl Flows {
    /// Works out what each invokable may do; `classes` are those of the system under test.
    pub fn new(vm: &mut Vm, invokables: &[Invokable], classes: &[ClassId]) -> Flows {
        let mut program = Program::new(vm, invokables, classes);
        loop {
            // What a call reaches depends on what is made and held anywhere.
            let before = program.extent();
            program.follow(vm, invokables);
            if before == program.extent() {
                break;
            }
        }
        program.find_held_changes(vm);
        let effects = invokables
            .iter()
            .map(|invokable| program.effects(vm, invokable));
        Flows {
            effects: effects.collect(),
        }
    }

    /// What the invokable with a number may do.
    ///
    /// # Panics
    /// There is no such invokable.
    #[must_use]
    pub fn effects(&self, invokable: usize) -> &Effects {
        &self.effects[invokable]
    }
}

/// The code that the invokables may run.
struct Program {
    /// The classes of the system under test.
    classes: Vec<ClassId>,
    codes: FxHashMap<MethodId, Code>,
    /// What the calls of each method reach, as far as it is followed.
    callees: FxHashMap<MethodId, Vec<MethodId>>,
    /// Classes of which there are objects.
    made: Found,
    /// Classes of the library whose objects are part of the system's state.
    held: Found,
    /// Types of what fields, parameters and results can hold.
    holding: Found,
    /// Functional interfaces with the names of their methods and what those call.
    lambdas: Vec<(ClassId, String, MethodId)>,
    /// Static fields of whose objects a method changes something.
    held_changes: FxHashMap<MethodId, Vec<FieldKey>>,
    /// The initializers of classes that were read.
    initializers: FxHashSet<MethodId>,
}

/// Classes in the order in which they were found.
#[derive(Default)]
struct Found {
    order: Vec<ClassId>,
    known: FxHashSet<ClassId>,
}

impl Found {
    fn add(&mut self, class: ClassId) -> bool {
        let is_new = self.known.insert(class);
        if is_new {
            self.order.push(class);
        }
        is_new
    }
}

impl Program {
    fn new(vm: &mut Vm, invokables: &[Invokable], classes: &[ClassId]) -> Program {
        let mut program = Program {
            classes: classes.to_vec(),
            codes: FxHashMap::default(),
            callees: FxHashMap::default(),
            made: Found::default(),
            held: Found::default(),
            holding: Found::default(),
            lambdas: Vec::new(),
            held_changes: FxHashMap::default(),
            initializers: FxHashSet::default(),
        };
        for &class in classes {
            program.enter_made(vm, class);
            program.hold_fields(vm, class);
            program.enter_initialized(vm, class);
        }
        for invokable in invokables {
            let given = invokable.gives.iter();
            let taken = invokable.takes.iter().map(|takes| &takes.descriptor);
            for descriptor in taken.chain(given) {
                program.hold(vm, descriptor);
            }
        }
        program
    }

    fn extent(&self) -> (usize, usize, usize, usize) {
        (
            self.made.order.len(),
            self.held.order.len(),
            self.holding.order.len(),
            self.lambdas.len(),
        )
    }

    /// Looks at everything that can be reached, breadth first.
    fn follow(&mut self, vm: &mut Vm, invokables: &[Invokable]) {
        self.callees.clear();
        let mut known = FxHashSet::default();
        let mut reached: Vec<MethodId> = Vec::new();
        for invokable in invokables {
            let starts = self.starts(vm, invokable);
            reached.extend(starts.into_iter().filter(|&method| known.insert(method)));
        }
        let mut at = 0;
        while at < reached.len() && at < MAX_METHODS {
            let method = reached[at];
            at += 1;
            self.read(vm, method);
            let callees = self.called_by(vm, method);
            let new = callees.iter().copied();
            reached.extend(new.filter(|&callee| known.insert(callee)));
            self.callees.insert(method, callees);
        }
    }

    /// Reads the code of a method, once, and takes in the classes that it makes.
    fn read(&mut self, vm: &mut Vm, method: MethodId) {
        if self.codes.contains_key(&method) {
            return;
        }
        let code = Code::read(vm, method);
        for &class in &code.made {
            self.enter_made(vm, class);
        }
        for lambda in &code.lambdas {
            for &body in &lambda.bodies {
                let lambda = (lambda.interface, lambda.name.clone(), body);
                self.lambdas.push(lambda);
            }
        }
        let class = vm.method(method).class;
        if vm.is_app_class(class) {
            self.hold_fields(vm, class);
            self.enter_initialized(vm, class);
        }
        self.codes.insert(method, code);
    }

    /// Takes in that there are objects of a class.
    fn enter_made(&mut self, vm: &mut Vm, class: ClassId) {
        if !vm.class(class).is_abstract() && self.made.add(class) {
            let mut holding = self.holding.order.iter();
            if holding.any(|&holder| vm.is_subclass(class, holder)) {
                self.enter_held(vm, class);
            }
        }
    }

    /// Takes in the objects that the initializer of a class of the program makes.
    fn enter_initialized(&mut self, vm: &mut Vm, class: ClassId) {
        let Some(initializer) = vm.class(class).clinit.filter(|_| vm.is_app_class(class)) else {
            return;
        };
        if self.initializers.insert(initializer) {
            for made in Code::read(vm, initializer).made {
                self.enter_made(vm, made);
            }
        }
    }

    /// Takes in that the state of the system can hold what a descriptor says. What a field of type
    /// `Object` holds is not looked for: that of a library's collections is the system's own.
    fn hold(&mut self, vm: &mut Vm, descriptor: &str) {
        let element = descriptor.trim_start_matches('[');
        if Kind::of(element) != Kind::Reference {
            return;
        }
        let Ok(class) = vm.load_class(descriptor::class_name(element)) else {
            return;
        };
        if vm.class_name(class) == "java/lang/Object" || !self.holding.add(class) {
            return;
        }
        // A parameter's object is made elsewhere.
        self.enter_made(vm, class);
        for made in self.made.order.clone() {
            if vm.is_subclass(made, class) {
                self.enter_held(vm, made);
            }
        }
    }

    fn enter_held(&mut self, vm: &mut Vm, class: ClassId) {
        let is_library = vm.class(class).loader == Loader::Boot;
        if is_library && !is_value(vm, class) && self.held.add(class) {
            self.hold_fields(vm, class);
        }
    }

    fn hold_fields(&mut self, vm: &mut Vm, class: ClassId) {
        for above in vm.class(class).display.clone() {
            let fields = vm.class(above).fields.iter();
            let descriptors: Vec<String> = fields
                .filter(|field| field.kind == Kind::Reference)
                .filter(|field| !field.is_static() || self.is_own(vm, above))
                .map(|field| vm.text(field.descriptor).to_owned())
                .collect();
            for descriptor in descriptors {
                self.hold(vm, &descriptor);
            }
        }
    }

    /// Whether a class is the program's, or nested with one of the system under test.
    fn is_own(&self, vm: &Vm, class: ClassId) -> bool {
        let mut system = self.classes.iter();
        vm.is_app_class(class) || system.any(|&other| home(vm, other) == home(vm, class))
    }

    /// Whether the fields of a class are part of the system's state, which is there from one statement to
    /// the next: those of an iterator that a method makes for itself are not.
    fn is_state(&self, vm: &Vm, class: ClassId) -> bool {
        let mut parts = self.held.order.iter().chain(&self.classes);
        vm.is_app_class(class) || parts.any(|&part| vm.is_subclass(part, class))
    }

    /// Whether the code of a method is followed: also the static methods that a library's package has
    /// for its classes.
    fn is_followed(&self, vm: &Vm, method: MethodId) -> bool {
        let this = vm.method(method);
        let is_object = vm.class(this.class).super_class.is_none();
        let has_code = this.index.is_some() && !this.is_native() && !this.is_abstract();
        let package = package_of(vm, this.class);
        let mut parts = self.held.order.iter().chain(&self.classes);
        let is_near = |&part: &ClassId| {
            vm.is_subclass(part, this.class)
                || home(vm, part) == home(vm, this.class)
                || this.is_static() && package != "java/lang/" && package_of(vm, part) == package
        };
        has_code && !is_object && (vm.is_app_class(this.class) || parts.any(is_near))
    }

    fn called_by(&self, vm: &mut Vm, method: MethodId) -> Vec<MethodId> {
        let mut reached = Vec::new();
        for call in self.codes.get(&method).iter().flat_map(|code| &code.calls) {
            match *call {
                Call::Exact(called) => reached.push(called),
                Call::Virtual(bound, called) => self.dispatch(vm, bound, called, &mut reached),
            }
        }
        let mut known = FxHashSet::default();
        reached.retain(|&method| known.insert(method) && self.is_followed(vm, method));
        reached
    }

    /// Adds what a call reaches on objects of a class and those below it.
    fn dispatch(&self, vm: &mut Vm, bound: ClassId, named: MethodId, reached: &mut Vec<MethodId>) {
        let this = vm.method(named);
        if this.vtable_index.is_none() && !vm.class(this.class).is_interface() {
            reached.push(named);
            return;
        }
        for &class in &self.made.order {
            if vm.is_subclass(class, bound) {
                reached.extend(vm.select(class, named));
            }
        }
        let name = vm.text(vm.method(named).name);
        for (interface, method, body) in &self.lambdas {
            if method == name && vm.is_subclass(*interface, bound) {
                reached.push(*body);
            }
        }
    }

    /// The methods that an invokable calls.
    fn starts(&self, vm: &mut Vm, invokable: &Invokable) -> Vec<MethodId> {
        match invokable.what {
            What::Constructor(_, method) | What::Static(_, method) => vec![method],
            What::Instance(class, method) => {
                let mut reached = Vec::new();
                self.dispatch(vm, class, method, &mut reached);
                if reached.is_empty() {
                    reached.push(method);
                }
                reached
            }
            _ => Vec::new(),
        }
    }

    /// Finds the methods that read a static field and change what it leads to: themselves or by what
    /// they call.
    fn find_held_changes(&mut self, vm: &mut Vm) {
        let mut changes = FxHashMap::default();
        let mut codes: Vec<(&MethodId, &Code)> = self.codes.iter().collect();
        codes.sort_by_key(|(method, _)| method.0);
        for (&method, code) in codes {
            let mut held = Vec::new();
            for &field in &code.effects.static_uses {
                if self.is_own(vm, field.class) {
                    let types = types_behind(vm, field);
                    held.extend((!types.is_empty()).then_some((field, types)));
                }
            }
            if held.is_empty() {
                continue;
            }
            let changed = self.changed_by(vm, method);
            let sets_atomic = code.calls.iter().any(|call| sets_atomic(vm, call));
            held.retain(|(_, types)| {
                let is_part = |&class: &ClassId| {
                    let mut types = types.iter();
                    types.any(|&part| vm.is_subclass(class, part) || vm.is_subclass(part, class))
                };
                let is_atomic = |&class: &ClassId| vm.class_name(class).starts_with(ATOMIC);
                changed.iter().any(is_part)
                    || sets_atomic && types.iter().any(is_atomic)
                    || code
                        .effects
                        .stores
                        .iter()
                        .any(|array| types.contains(array))
            });
            changes.insert(method, held.into_iter().map(|(field, _)| field).collect());
        }
        self.held_changes = changes;
    }

    /// The classes with instance fields that a method writes, itself or by what it calls; but for those
    /// of the objects that it makes.
    fn changed_by(&self, vm: &Vm, method: MethodId) -> BTreeSet<ClassId> {
        let mut changed = BTreeSet::new();
        let mut known = FxHashSet::default();
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            let is_making = vm.text(vm.method(method).name).starts_with('<');
            let Some(code) = self.codes.get(&method).filter(|_| !is_making) else {
                continue;
            };
            changed.extend(code.effects.defines.iter().map(|field| field.class));
            let callees = self.callees.get(&method).into_iter().flatten().copied();
            open.extend(callees.filter(|&callee| known.insert(callee)));
        }
        changed
    }

    fn effects(&self, vm: &mut Vm, invokable: &Invokable) -> Effects {
        let mut effects = Effects::default();
        let mut made = Found::default();
        match &invokable.what {
            What::Constructor(class, _) => drop(made.add(*class)),
            What::LoadField(field) | What::StoreField(field) => {
                let is_load = matches!(invokable.what, What::LoadField(_));
                let fields = match (is_load, field.is_static) {
                    (true, false) => &mut effects.uses,
                    (true, true) => &mut effects.static_uses,
                    (false, false) => &mut effects.defines,
                    (false, true) => &mut effects.static_defines,
                };
                fields.extend(
                    vm.find_field(field.class, &field.name)
                        .map(|found| FieldKey {
                            class: found.class,
                            name: found.name,
                        }),
                );
            }
            What::NewArray(array) | What::StoreElement(array) => {
                effects.stores.extend(vm.load_class(array));
            }
            _ => {}
        }
        let mut open = self.starts(vm, invokable);
        let mut known: FxHashSet<MethodId> = open.iter().copied().collect();
        while let Some(method) = open.pop() {
            let Some(code) = self.codes.get(&method) else {
                continue;
            };
            let is_own = self.is_own(vm, vm.method(method).class);
            effects.add(&code.effects, is_own);
            let held = self.held_changes.get(&method);
            effects.static_defines.extend(held.into_iter().flatten());
            for &class in &code.made {
                made.add(class);
            }
            let callees = self.callees.get(&method).into_iter().flatten().copied();
            open.extend(callees.filter(|&callee| known.insert(callee)));
        }
        for class in made.order {
            for &above in &vm.class(class).display {
                let fields = vm.class(above).fields.iter();
                let own = fields.filter(|field| !field.is_static());
                effects.defines.extend(own.map(|field| FieldKey {
                    class: above,
                    name: field.name,
                }));
            }
        }
        for fields in [&mut effects.defines, &mut effects.uses] {
            fields.retain(|key| self.is_state(vm, key.class) && !is_synthetic(vm, *key));
        }
        for fields in [&mut effects.static_defines, &mut effects.static_uses] {
            fields.retain(|key| self.is_own(vm, key.class) && !is_synthetic(vm, *key));
        }
        effects
    }
}

impl Effects {
    /// Adds the effects of code that is called; what it casts and calls is of interest if it is the
    /// system's own.
    fn add(&mut self, other: &Effects, is_own: bool) {
        self.defines.extend(&other.defines);
        self.uses.extend(&other.uses);
        self.static_defines.extend(&other.static_defines);
        self.static_uses.extend(&other.static_uses);
        self.stores.extend(&other.stores);
        self.loads.extend(&other.loads);
        if is_own {
            self.casts.extend(&other.casts);
            self.called.extend(&other.called);
            self.texts.extend(other.texts.iter().cloned());
        }
    }
}

/// Whether a call can set a number that has no field that code writes.
fn sets_atomic(vm: &Vm, call: &Call) -> bool {
    let (Call::Exact(method) | Call::Virtual(_, method)) = *call;
    let this = vm.method(method);
    let name = vm.text(this.name);
    let reads = [
        "get",
        "getPlain",
        "getAcquire",
        "getOpaque",
        "intValue",
        "longValue",
        "toString",
    ];
    vm.class_name(this.class).starts_with(ATOMIC) && !reads.contains(&name)
}

/// The types of the objects that a static field leads to, as far as the program's own fields say; none
/// if they are values.
fn types_behind(vm: &mut Vm, field: FieldKey) -> Vec<ClassId> {
    const DEPTH: usize = 3;
    let mut types: Vec<ClassId> = Vec::new();
    let fields = |vm: &Vm, class: ClassId, is_static: bool| -> Vec<(Sym, String)> {
        let fields = vm.class(class).fields.iter();
        let fields = fields.filter(|field| field.is_static() == is_static);
        let fields = fields.filter(|field| field.kind == Kind::Reference);
        fields
            .map(|field| (field.name, vm.text(field.descriptor).to_owned()))
            .collect()
    };
    let own = fields(vm, field.class, true).into_iter();
    let own = own.filter(|(name, _)| *name == field.name);
    let mut open: Vec<String> = own.map(|(_, descriptor)| descriptor).collect();
    for _ in 0..DEPTH {
        for descriptor in std::mem::take(&mut open) {
            let Ok(class) = vm.load_class(descriptor::class_name(&descriptor)) else {
                continue;
            };
            let is_any = vm.class(class).super_class.is_none() && !vm.class(class).is_interface();
            if is_any || is_value(vm, class) || types.contains(&class) {
                continue;
            }
            types.push(class);
            if vm.is_app_class(class) {
                open.extend(
                    fields(vm, class, false)
                        .into_iter()
                        .map(|(_, descriptor)| descriptor),
                );
            }
        }
    }
    types
}

/// Whether the objects of a class are values: strings and boxes, which are made without any call and
/// never change.
pub(super) fn is_value(vm: &Vm, class: ClassId) -> bool {
    let name = vm.class_name(class);
    name == "java/lang/String" || Kind::of_box(name).is_some()
}

/// Whether a field is the compiler's: whether assertions are on, tables of switches, the object around
/// one, which is an argument of its constructor.
fn is_synthetic(vm: &Vm, key: FieldKey) -> bool {
    let mut fields = vm.class(key.class).fields.iter();
    fields.any(|field| field.name == key.name && field.flags & flags::SYNTHETIC != 0)
}
