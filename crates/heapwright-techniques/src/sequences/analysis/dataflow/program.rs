//! Code that invokables may run: the targets of calls, and the classes that may be instantiated.
//!
//! Invariant: the analysis runs to a fixed point, so its result does not depend on the order of
//! traversal.

use heapwright_code::{CallTarget, RapidTypeAnalysis, calls_no_program_code, overriding, types_of};
use heapwright_jvm::class::Loader;
use heapwright_jvm::descriptor::{self, Kind, is_value_class as is_value_name};
use heapwright_jvm::listing::ListedMember;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::closure::{Closure, fields_of};
use super::is_synthetic;
use crate::packages::{home, package_of};
use crate::sequences::analysis::effects::{Effects, FieldKey};
use crate::sequences::analysis::method_code::MethodEffects;
use crate::statements::{Invokable, StatementKind, is_value_class};

/// Maximum number of methods analysed; those nearest to the invokables come first.
const MAX_METHODS: usize = 4_000;
/// Number of methods analysed between two checks of `stops`.
const PATIENCE: usize = 64;

/// Code that the invokables may run.
#[derive(Default)]
pub(super) struct CallableCode {
    /// The classes of the system under test.
    system: ClassNeighbourhood,
    /// Library classes whose objects are part of the system's state.
    held: ClassNeighbourhood,
    pub(super) codes: FxHashMap<MethodId, MethodEffects>,
    /// The targets of the calls of each method that was analysed.
    pub(super) callees: FxHashMap<MethodId, Vec<MethodId>>,
    /// The instantiated classes.
    objects: RapidTypeAnalysis,
    /// Types of fields, parameters and results.
    holding: FxHashSet<ClassId>,
    /// For each method, the static fields whose objects it modifies.
    pub(super) held_changes: FxHashMap<MethodId, Vec<FieldKey>>,
    /// Class initialisers that were read.
    initializers: FxHashSet<MethodId>,
    /// Methods of program classes that override those of the library, by class.
    overriding: FxHashMap<ClassId, Vec<MethodId>>,
    /// Whether library code that is not analysed may have effects.
    has_unknown_effects: bool,
}

/// A set of classes with their supertypes, outermost classes and packages.
#[derive(Default)]
struct ClassNeighbourhood {
    known: FxHashSet<ClassId>,
    /// The classes and their supertypes.
    above: FxHashSet<ClassId>,
    /// The outermost classes that enclose them.
    homes: FxHashSet<String>,
    packages: FxHashSet<String>,
}

impl ClassNeighbourhood {
    /// Adds a class; returns whether it is new.
    fn add(&mut self, vm: &Vm, class: ClassId) -> bool {
        let is_new = self.known.insert(class);
        if is_new {
            self.above.extend(types_of(vm, class));
            self.homes.insert(home(vm, class).to_owned());
            self.packages.insert(package_of(vm, class));
        }
        is_new
    }

    /// Whether methods of a class are near to the set. Static methods also count if they are in one
    /// of its packages, except `java.lang`.
    fn are_near(&self, vm: &Vm, class: ClassId, is_static: bool) -> bool {
        let is_in_package = || {
            let package = package_of(vm, class);
            package != "java/lang/" && self.packages.contains(&package)
        };
        self.above.contains(&class)
            || self.homes.contains(home(vm, class))
            || is_static && is_in_package()
    }
}

impl CallableCode {
    /// Adds the classes of a system under test, and its invokables.
    pub(super) fn extend(&mut self, vm: &mut Vm, invokables: &[Invokable], classes: &[ClassId]) {
        for &class in classes {
            self.system.add(vm, class);
        }
        for &class in classes {
            self.record_instantiated(vm, class);
            self.hold_fields(vm, class);
            self.enter_initialized(vm, class);
        }
        for invokable in invokables {
            let given = invokable.result.iter();
            let taken = invokable.parameters.iter().map(|takes| &takes.descriptor);
            for descriptor in taken.chain(given) {
                self.hold(vm, descriptor);
            }
        }
    }

    /// Returns a measure of the classes known, which grows until the fixed point.
    pub(super) fn extent(&self) -> usize {
        self.objects.count() + self.held.known.len() + self.holding.len()
    }

    /// Analyses everything reachable, breadth first, until `stops` returns true.
    pub(super) fn follow(
        &mut self,
        vm: &mut Vm,
        invokables: &[Invokable],
        stops: &dyn Fn() -> bool,
    ) {
        self.callees.clear();
        self.has_unknown_effects = false;
        let mut known = FxHashSet::default();
        let mut reached: Vec<MethodId> = Vec::new();
        for invokable in invokables {
            let starts = self.starts(vm, invokable);
            reached.extend(starts.into_iter().filter(|&method| known.insert(method)));
        }
        let mut at = 0;
        while at < reached.len() && at < MAX_METHODS && !(at.is_multiple_of(PATIENCE) && stops()) {
            let method = reached[at];
            at += 1;
            self.read(vm, method);
            let callees = self.called_by(vm, method);
            let new = callees.iter().copied();
            reached.extend(new.filter(|&callee| known.insert(callee)));
            self.callees.insert(method, callees);
        }
        self.has_unknown_effects |= at < reached.len();
    }

    /// Whether the code analysed has all effects of the invokables, but for reflection.
    pub(super) fn has_all_effects(&self) -> bool {
        !self.has_unknown_effects
    }

    /// Reads the code of a method once, and records the classes that it instantiates.
    fn read(&mut self, vm: &mut Vm, method: MethodId) {
        if self.codes.contains_key(&method) {
            return;
        }
        let code = MethodEffects::read(vm, method);
        for &class in &code.made {
            self.record_instantiated(vm, class);
        }
        for lambda in &code.lambdas {
            self.objects.add_lambda(vm, lambda);
        }
        let class = vm.method(method).class;
        if vm.is_app_class(class) {
            self.hold_fields(vm, class);
            self.enter_initialized(vm, class);
        }
        self.codes.insert(method, code);
    }

    /// Records that a class is instantiated.
    fn record_instantiated(&mut self, vm: &mut Vm, class: ClassId) {
        if !vm.class(class).is_abstract()
            && self.objects.add(vm, class)
            && types_of(vm, class).any(|above| self.holding.contains(&above))
        {
            self.enter_held(vm, class);
        }
    }

    /// Records the classes that the initialiser of a program class instantiates.
    fn enter_initialized(&mut self, vm: &mut Vm, class: ClassId) {
        let Some(initializer) = vm.class(class).clinit.filter(|_| vm.is_app_class(class)) else {
            return;
        };
        if self.initializers.insert(initializer) {
            for made in MethodEffects::read(vm, initializer).made {
                self.record_instantiated(vm, made);
            }
        }
    }

    /// Records that the system's state can hold objects of a type. Type `Object` is skipped:
    /// library collections hold the system's own objects.
    fn hold(&mut self, vm: &mut Vm, descriptor: &str) {
        let element = descriptor.trim_start_matches('[');
        if Kind::of(element) != Kind::Reference {
            return;
        }
        let Ok(class) = vm.load_class(descriptor::class_name(element)) else {
            return;
        };
        if vm.class_name(class) == "java/lang/Object" || !self.holding.insert(class) {
            return;
        }
        // The object of a parameter is created elsewhere.
        self.record_instantiated(vm, class);
        for made in self.objects.below(class).to_vec() {
            self.enter_held(vm, made);
        }
    }

    fn enter_held(&mut self, vm: &mut Vm, class: ClassId) {
        let is_library = vm.class(class).loader == Loader::Boot;
        if is_library && !is_value_class(vm, class) && self.held.add(vm, class) {
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

    /// Whether a class belongs to the program, or shares its outermost class with one of the system
    /// under test.
    pub(super) fn is_own(&self, vm: &Vm, class: ClassId) -> bool {
        vm.is_app_class(class) || self.system.homes.contains(home(vm, class))
    }

    /// Whether a class's fields are part of the system's state, which persists between statements.
    /// Local objects such as a method's iterator are not.
    pub(super) fn is_state(&self, vm: &Vm, class: ClassId) -> bool {
        let mut parts = [&self.held, &self.system].into_iter();
        vm.is_app_class(class) || parts.any(|parts| parts.above.contains(&class))
    }

    /// Whether the code of a method is analysed, which includes static helper methods in the
    /// packages of library classes.
    fn is_followed(&self, vm: &Vm, method: MethodId) -> bool {
        let this = vm.method(method);
        let is_object = vm.class(this.class).super_class.is_none();
        let has_code = this.index.is_some() && !this.is_native() && !this.is_abstract();
        let mut parts = [&self.held, &self.system].into_iter();
        has_code
            && !is_object
            && (vm.is_app_class(this.class)
                || parts.any(|parts| parts.are_near(vm, this.class, this.is_static())))
    }

    fn called_by(&mut self, vm: &mut Vm, method: MethodId) -> Vec<MethodId> {
        let mut reached = Vec::new();
        let code = self.codes.get(&method);
        let calls = code.map_or_else(Vec::new, |code| code.calls.clone());
        let joined = code.map_or_else(Vec::new, |code| code.joined.iter().cloned().collect());
        for call in calls {
            let first = reached.len();
            self.objects.targets(vm, call, &mut reached);
            let mut targets = reached[first..].iter();
            if targets.any(|&target| !self.is_followed(vm, target) && may_call_back(vm, target)) {
                self.has_unknown_effects = true;
                let taken = taken(vm, call);
                self.add_called_back(vm, &taken, &mut reached);
            }
        }
        self.add_called_back(vm, &joined, &mut reached);
        let mut known = FxHashSet::default();
        reached.retain(|&method| known.insert(method) && self.is_followed(vm, method));
        reached
    }

    /// Adds the methods that library code may call on objects of these types or in them.
    fn add_called_back(&mut self, vm: &mut Vm, taken: &[String], reached: &mut Vec<MethodId>) {
        for taken in taken {
            let element = taken.trim_start_matches('[');
            let name = descriptor::class_name(element);
            if holds_no_object(element) {
                continue;
            }
            // An object of the library may hold any object.
            let Ok(bound) = vm.load_class(name) else {
                continue;
            };
            let bound = match vm.is_app_class(bound) {
                true => Ok(bound),
                false => vm.load_class("java/lang/Object"),
            };
            let Ok(bound) = bound else { continue };
            for class in self.objects.below(bound).to_vec() {
                if vm.is_app_class(class) {
                    let known = self.overriding.entry(class);
                    reached.extend(known.or_insert_with(|| overriding(vm, class)).iter());
                }
            }
        }
    }

    /// Returns the methods that an invokable calls directly.
    fn starts(&mut self, vm: &mut Vm, invokable: &Invokable) -> Vec<MethodId> {
        match invokable.kind {
            StatementKind::Call(called) if !called.has_receiver() => vec![called.method],
            StatementKind::Call(called) => {
                let mut reached = Vec::new();
                let call = CallTarget::of_receiver(vm, called.class, called.method);
                self.objects.targets(vm, call, &mut reached);
                if reached.is_empty() {
                    reached.push(called.method);
                }
                reached
            }
            _ => Vec::new(),
        }
    }

    /// Returns the analysed methods, callees before callers except in cycles.
    pub(super) fn bottom_up(&self) -> Vec<MethodId> {
        let mut methods: Vec<MethodId> = self.callees.keys().copied().collect();
        methods.sort_unstable_by_key(|method| method.0);
        let (mut known, mut order) = (FxHashSet::default(), Vec::new());
        let below = |method: MethodId| self.callees.get(&method).map_or(&[][..], Vec::as_slice);
        for start in methods {
            let mut open = vec![(start, known.insert(start).then(|| below(start).iter()))];
            while let Some((method, callees)) = open.last_mut() {
                let Some(callees) = callees else {
                    open.pop();
                    continue;
                };
                match callees.find(|&&callee| known.insert(callee)) {
                    Some(&callee) => open.push((callee, Some(below(callee).iter()))),
                    None => {
                        order.push(*method);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// Returns the effects of an invokable.
    pub(super) fn effects(
        &mut self,
        vm: &mut Vm,
        closure: &Closure,
        invokable: &Invokable,
    ) -> Effects {
        let mut effects = Effects::default();
        match &invokable.kind {
            StatementKind::Call(call) if call.is_constructor() => {
                effects.defines.extend(fields_of(vm, call.class));
            }
            StatementKind::LoadField(field) | StatementKind::StoreField(field) => {
                let is_load = matches!(invokable.kind, StatementKind::LoadField(_));
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
            StatementKind::NewArray(array) | StatementKind::StoreElement(array) => {
                effects.stores.extend(vm.load_class(array));
            }
            _ => {}
        }
        for fields in [&mut effects.defines, &mut effects.uses] {
            fields.retain(|key| self.is_state(vm, key.class) && !is_synthetic(vm, *key));
        }
        for fields in [&mut effects.static_defines, &mut effects.static_uses] {
            fields.retain(|key| self.is_own(vm, key.class) && !is_synthetic(vm, *key));
        }
        closure.add(&self.starts(vm, invokable), &mut effects);
        effects
    }
}

/// Returns the descriptors of what a call hands to its target: receiver and arguments.
fn taken(vm: &Vm, call: CallTarget) -> Vec<String> {
    let this = vm.method(call.named());
    let bound = match call {
        CallTarget::Virtual(bound, _) => bound,
        CallTarget::Exact(_) => this.class,
    };
    let (taken, _) = descriptor::split_method(vm.text(this.descriptor)).unwrap_or_default();
    let receiver = (!this.is_static()).then(|| descriptor::of_class(vm.class_name(bound)));
    let taken = taken.into_iter().map(str::to_owned);
    taken.chain(receiver).collect()
}

/// Whether values of a type hold no object of the program: primitives, strings, boxes and classes.
fn holds_no_object(descriptor: &str) -> bool {
    let name = descriptor::class_name(descriptor);
    Kind::of(descriptor) != Kind::Reference || is_value_name(name) || name == "java/lang/Class"
}

/// Whether a method that is not analysed may call methods of the program, or change objects other
/// than strings and arrays that it takes.
fn may_call_back(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let member = ListedMember {
        class: vm.class_name(this.class).to_owned(),
        name: vm.text(this.name).to_owned(),
        descriptor: vm.text(this.descriptor).to_owned(),
    };
    let (taken, _) = descriptor::split_method(&member.descriptor).unwrap_or_default();
    let are_values = taken.iter().all(|taken| {
        let element = taken.trim_start_matches('[');
        holds_no_object(element)
    });
    match &member.class[..] {
        _ if this.is_abstract() => false,
        "java/lang/Object" => member.name == "toString",
        "java/lang/System" if member.name == "arraycopy" => false,
        "java/lang/Class" => member.name == "newInstance",
        "java/lang/Throwable" => !are_values || member.name == "toString",
        "java/io/PrintStream" => !are_values,
        _ if member.class.starts_with('[') => false,
        class if class.starts_with("java/") && this.is_static() && are_values => false,
        class if class.starts_with("jdk/internal/") && this.is_static() && are_values => false,
        _ => !calls_no_program_code(&member),
    }
}
