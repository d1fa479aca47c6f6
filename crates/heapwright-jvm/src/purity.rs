//! Whether a predicate changes nothing that was there before it ran.
//!
//! It may make objects and change these. Looked at is the bytecode of all program methods that may
//! run; of the library it is known that it writes to nobody's fields but its own. Where in doubt the
//! answer is no.

use rustc_hash::FxHashSet;

use crate::bytecode::{Insn, decode, op};
use crate::class::{ClassId, Code, LoadedFile, Loader, MethodId, Shape, flags};
use crate::classfile::Constant;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::vm::Vm;

/// Most methods that are looked at.
const MAX_METHODS: usize = 500;
/// Library classes whose objects never change.
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
/// Library classes of which only these methods leave what is not their receiver's as it is.
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

/// What is looked at, and what there was before.
struct Purity<'a> {
    vm: &'a mut Vm,
    /// The classes of the objects that were there.
    existing: FxHashSet<ClassId>,
    has_arrays: bool,
    seen: FxHashSet<MethodId>,
    open: Vec<MethodId>,
    classes: FxHashSet<ClassId>,
}

impl Vm {
    /// Whether a method of `receiver` changes no object that is reached from `objects`, nor anything
    /// else that is there already.
    pub fn is_pure(&mut self, method: MethodId, objects: &[Ref]) -> bool {
        let Some((existing, has_arrays)) = self.reached_classes(objects) else {
            return false;
        };
        let mut purity = Purity {
            vm: self,
            classes: FxHashSet::default(),
            existing,
            has_arrays,
            seen: FxHashSet::default(),
            open: vec![method],
        };
        purity.holds().is_some()
    }

    /// The classes of all objects reached from these, and whether one is an array; `None` if one is
    /// the library's and can change.
    fn reached_classes(&self, objects: &[Ref]) -> Option<(FxHashSet<ClassId>, bool)> {
        let (mut classes, mut has_arrays) = (FxHashSet::default(), false);
        let mut seen: FxHashSet<Ref> = FxHashSet::default();
        let mut open = objects.to_vec();
        while let Some(object) = open.pop() {
            if object.is_null() || !seen.insert(object) {
                continue;
            }
            let class = self.heap.class_of(object);
            let this = self.class(class);
            if let Shape::Array(_) = this.shape {
                has_arrays = true;
                if self.element_kind(class) == Kind::Reference {
                    return None;
                }
                continue;
            }
            if this.loader != Loader::App {
                if !VALUES.contains(&self.class_name(class)) {
                    return None;
                }
                continue;
            }
            for &above in &this.display {
                let is_known = self.class(above).loader == Loader::App
                    || matches!(
                        self.class_name(above),
                        "java/lang/Object" | "java/lang/Enum"
                    );
                if !is_known {
                    return None;
                }
                classes.insert(above);
                for field in &self.class(above).fields {
                    if !field.is_static() && field.kind == Kind::Reference {
                        open.push(self.plain_reference(object, field.word));
                    }
                }
            }
        }
        Some((classes, has_arrays))
    }

    fn plain_reference(&self, object: Ref, word: u32) -> Ref {
        let slot = self.heap.field(object, word);
        if slot > u64::from(u32::MAX) {
            Ref::NULL
        } else {
            Ref::from_slot(slot)
        }
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
        // What overrides a method that was looked at is looked at too.
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
        let file = self.vm.class(owner).file.clone()?;
        let code = this.code_info(&file)?.code;
        let decoded = decode(code.of(&file.bytes)).ok()?;
        self.add_class(owner);
        for insn in &decoded.insns {
            self.allows(&file, owner, is_initializer, insn)?;
        }
        Some(())
    }

    fn allows(
        &mut self,
        file: &LoadedFile,
        owner: ClassId,
        is_initializer: bool,
        insn: &Insn,
    ) -> Option<()> {
        let index = insn.a as u16;
        match insn.op {
            op::PUTFIELD => {
                let field = self.vm.pool_field(file, index).ok()?;
                (!self.existing.contains(&field.class)).then_some(())
            }
            op::PUTSTATIC => {
                let field = self.vm.pool_field(file, index).ok()?;
                // An initialiser runs once, whoever comes first, and sees no structure.
                (is_initializer && field.class == owner).then_some(())
            }
            op::GETSTATIC => {
                let field = self.vm.pool_field(file, index).ok()?;
                self.add_class(field.class);
                let class = self.vm.class(field.class);
                let is_known = field.kind != Kind::Reference
                    || class.loader != Loader::App
                    || self.vm.text(field.descriptor) == "Ljava/lang/String;";
                // The constants of an enumeration without fields cannot change.
                let is_constant = field.flags & flags::ENUM != 0
                    && class.fields.iter().all(|field| field.is_static());
                (is_known || is_constant).then_some(())
            }
            op::IASTORE..=op::SASTORE => (!self.has_arrays).then_some(()),
            op::NEW => {
                let class = self.vm.pool_class(file, index).ok()?;
                self.add_class(class);
                Some(())
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let (class, method) = self.vm.pool_method(file, index).ok()?;
                self.allows_call(class, method)
            }
            op::INVOKEDYNAMIC => {
                let Constant::InvokeDynamic { name_and_type, .. } = file.constant(index).ok()?
                else {
                    return None;
                };
                let (name, _) = self.vm.pool_name_and_type(file, name_and_type).ok()?;
                // The concatenation of strings calls no more than `toString`.
                let name = self.vm.text(name);
                matches!(name, "makeConcat" | "makeConcatWithConstants").then_some(())
            }
            _ => Some(()),
        }
    }

    fn allows_call(&mut self, class: ClassId, method: MethodId) -> Option<()> {
        let this = self.vm.method(method);
        let owner = self.vm.class(this.class);
        if owner.loader == Loader::App {
            self.add_class(class);
            self.open.push(method);
            return Some(());
        }
        // A library method called on a program class may be one that this overrides.
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
