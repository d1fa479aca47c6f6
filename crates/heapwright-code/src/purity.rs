//! Purity of a predicate: whether it changes nothing that existed before its run.
//!
//! A pure predicate may create objects and change these. The analysis reads all program methods
//! that may run; library methods are assumed to write only to fields of their own receiver. The
//! result is "impure" if the analysis is unsure.

use heapwright_jvm::class::{Code, Loader, Shape, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedMember, ListedOperation};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use rustc_hash::FxHashSet;

/// Maximum number of methods that are read.
const MAX_METHODS: usize = 500;
/// Library classes whose objects are immutable.
const VALUES: &[&str] = &[
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Short",
    "java/lang/Character",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];
/// Library classes of which only the listed methods leave everything but their receiver
/// unchanged.
const GUARDED: &[(&str, &[&str])] = &[
    ("java/lang/System", &["identityHashCode"]),
    ("java/lang/Class", &["desiredAssertionStatus"]),
    ("java/lang/Thread", &[]),
    ("java/lang/Runtime", &[]),
    ("java/lang/ThreadLocal", &[]),
    (
        "java/util/Arrays",
        &["asList", "equals", "hashCode", "toString"],
    ),
    ("java/util/Locale", &[]),
    ("java/util/TimeZone", &[]),
];

/// State of the analysis.
struct Purity<'a> {
    vm: &'a mut Vm,
    /// Classes of the objects that exist before the call.
    existing: FxHashSet<ClassId>,
    has_arrays: bool,
    seen: FxHashSet<MethodId>,
    open: Vec<MethodId>,
    classes: FxHashSet<ClassId>,
}

/// Whether a method changes neither an object reachable from `objects` nor anything else that
/// exists before the call.
pub fn is_pure(vm: &mut Vm, method: MethodId, objects: &[Ref]) -> bool {
    let Some((existing, has_arrays)) = reached_classes(vm, objects) else {
        return false;
    };
    let mut purity = Purity {
        vm,
        classes: FxHashSet::default(),
        existing,
        has_arrays,
        seen: FxHashSet::default(),
        open: vec![method],
    };
    purity.holds().is_some()
}

/// Returns the classes of all objects reachable from these, and whether one is an array. `None`
/// if a reachable library object is mutable.
fn reached_classes(vm: &Vm, objects: &[Ref]) -> Option<(FxHashSet<ClassId>, bool)> {
    let (mut classes, mut has_arrays) = (FxHashSet::default(), false);
    let mut seen: FxHashSet<Ref> = FxHashSet::default();
    let mut open = objects.to_vec();
    while let Some(object) = open.pop() {
        if object.is_null() || !seen.insert(object) {
            continue;
        }
        let class = vm.heap.class_of(object);
        let this = vm.class(class);
        if let Shape::Array(element) = this.shape {
            has_arrays = true;
            if !matches!(vm.class(element).shape, Shape::Primitive(_)) {
                return None;
            }
            continue;
        }
        if this.loader != Loader::App {
            if !VALUES.contains(&vm.class_name(class)) {
                return None;
            }
            continue;
        }
        for &above in &this.display {
            let is_known = vm.class(above).loader == Loader::App
                || matches!(vm.class_name(above), "java/lang/Object" | "java/lang/Enum");
            if !is_known {
                return None;
            }
            classes.insert(above);
            for field in &vm.class(above).fields {
                if !field.is_static() && field.kind == Kind::Reference {
                    open.push(plain_reference(vm, object, field.word));
                }
            }
        }
    }
    Some((classes, has_arrays))
}

/// Returns the object that a field refers to; null if the field is unset or symbolic.
fn plain_reference(vm: &Vm, object: Ref, word: u32) -> Ref {
    let slot = vm.heap.field(object, word);
    match u32::try_from(slot) {
        Ok(_) => Ref::from_slot(slot),
        Err(_) => Ref::NULL,
    }
}

impl Purity<'_> {
    fn holds(&mut self) -> Option<()> {
        for class in self.existing.clone() {
            self.add_class(class);
        }
        while let Some(method) = self.open.pop() {
            if !self.seen.insert(method) {
                continue;
            }
            if self.seen.len() > MAX_METHODS {
                return None;
            }
            self.look_at(method)?;
        }
        Some(())
    }

    /// Adds the methods of a class that the library may call.
    fn add_class(&mut self, class: ClassId) {
        if self.vm.class(class).loader != Loader::App || !self.classes.insert(class) {
            return;
        }
        let this = self.vm.class(class);
        let above = this.display.iter().chain(&this.all_interfaces);
        let library: FxHashSet<_> = above
            .map(|&class| self.vm.class(class))
            .filter(|class| class.loader != Loader::App)
            .flat_map(|class| class.method_index.keys().copied())
            .collect();
        let called = this.methods.iter().copied().filter(|&method| {
            let method = self.vm.method(method);
            let name = self.vm.text(method.name);
            name == "<clinit>"
                || name != "<init>" && library.contains(&(method.name, method.descriptor))
        });
        let above = this.display.clone();
        self.open.extend(called);
        for above in above {
            self.add_class(above);
        }
        // Overrides of methods that were read are read too.
        let seen: Vec<MethodId> = self.seen.iter().copied().collect();
        for method in seen {
            self.add_overriding(method, class);
        }
    }

    fn add_overriding(&mut self, method: MethodId, class: ClassId) {
        let this = self.vm.method(method);
        let key = (this.name, this.descriptor);
        if let Some(&own) = self.vm.class(class).method_index.get(&key) {
            self.open.push(own);
        }
    }

    fn look_at(&mut self, method: MethodId) -> Option<()> {
        for class in self.classes.clone() {
            self.add_overriding(method, class);
        }
        let this = self.vm.method(method);
        let is_initializer = self.vm.text(this.name) == "<clinit>";
        match this.code {
            Code::Abstract => return Some(()),
            Code::Bytecode(_) | Code::Translated(_) => {}
            _ => return None,
        }
        let owner = this.class;
        let listing = self.vm.listing(method).ok()?;
        self.add_class(owner);
        for listed in &listing.instructions {
            self.allows(owner, is_initializer, &listed.step)?;
        }
        Some(())
    }

    fn allows(
        &mut self,
        owner: ClassId,
        is_initializer: bool,
        step: &ListedOperation,
    ) -> Option<()> {
        match step {
            ListedOperation::PutField(member, is_static) => {
                let field = self.vm.named_field(member)?;
                let is_allowed = match is_static {
                    // A class initialiser runs once, at the first use of its class, and sees no
                    // structure.
                    true => is_initializer && field.class == owner,
                    false => !self.existing.contains(&field.class),
                };
                is_allowed.then_some(())
            }
            ListedOperation::GetField(member, true) => self.allows_reading(member),
            ListedOperation::ArrayStore(_) => (!self.has_arrays).then_some(()),
            ListedOperation::New(name) => {
                let class = self.vm.load_class(name).ok()?;
                self.add_class(class);
                Some(())
            }
            ListedOperation::Invoke(_, member) => {
                let class = self.vm.load_class(&member.class).ok()?;
                let method = self.vm.named_method(member)?;
                self.allows_call(class, method)
            }
            // String concatenation calls only `toString`.
            ListedOperation::Dynamic(name, ..) => {
                matches!(&name[..], "makeConcat" | "makeConcatWithConstants").then_some(())
            }
            _ => Some(()),
        }
    }

    /// Whether the value of a static field is immutable.
    fn allows_reading(&mut self, member: &ListedMember) -> Option<()> {
        let field = self.vm.named_field(member)?;
        let (class, kind, access) = (field.class, field.kind, field.flags);
        self.add_class(class);
        let class = self.vm.class(class);
        let is_known = kind != Kind::Reference
            || class.loader != Loader::App
            || member.descriptor == "Ljava/lang/String;";
        // Constants of an enumeration without instance fields are immutable.
        let is_constant =
            access & flags::ENUM != 0 && class.fields.iter().all(|field| field.is_static());
        (is_known || is_constant).then_some(())
    }

    fn allows_call(&mut self, class: ClassId, method: MethodId) -> Option<()> {
        let this = self.vm.method(method);
        let owner = self.vm.class(this.class);
        if owner.loader == Loader::App {
            self.add_class(class);
            self.open.push(method);
            return Some(());
        }
        // A library method called on a program class may be overridden there.
        if self.vm.class(class).loader == Loader::App {
            self.add_class(class);
        }
        let this = self.vm.method(method);
        let (name, owner) = (self.vm.text(this.name), self.vm.class_name(this.class));
        let package = owner.rsplit_once('/')?.0;
        let guard = GUARDED.iter().find(|(class, _)| *class == owner);
        let is_known = matches!(package, "java/lang" | "java/util" | "java/math")
            || owner == "java/io/PrintStream";
        (is_known && guard.is_none_or(|(_, allowed)| allowed.contains(&name))).then_some(())
    }
}
