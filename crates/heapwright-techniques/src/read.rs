//! Converts objects of the engine to plain owned data, numbered breadth first.

use std::sync::Arc;

use heapwright_jvm::class::{Class, Field, Loader, Shape, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Place, Ref, Vm};
use heapwright_suite::{
    Access, Body, ClassSig, Construction, Field as FieldValue, FieldSig, Object, Structure, Value,
};
use rustc_hash::FxHashMap;

use crate::bounds::construct;
use crate::packages::TestPackage;

/// Reader of structures, with a cache of class data.
pub struct StructureReader {
    /// The package from which tests refer to classes.
    package: TestPackage,
    classes: FxHashMap<ClassId, Arc<ClassSig>>,
    fields: FxHashMap<ClassId, InstanceFields>,
}

/// The instance fields of a class with their signatures.
type InstanceFields = Arc<[(Field, Arc<FieldSig>)]>;

/// A structure with the numbers of its objects.
#[derive(Default)]
pub struct Snapshot {
    /// The structure.
    pub structure: Structure,
    /// The number of each object.
    pub numbers: FxHashMap<Ref, usize>,
}

impl StructureReader {
    /// Creates a reader for tests in the package of `class`.
    #[must_use]
    pub fn new(vm: &Vm, class: ClassId) -> StructureReader {
        StructureReader {
            package: TestPackage::of(vm, class),
            classes: FxHashMap::default(),
            fields: FxHashMap::default(),
        }
    }

    /// Reads the structure with the root `root`; open slots read as zero or null.
    pub fn read(&mut self, vm: &mut Vm, root: Ref) -> Snapshot {
        self.read_all(vm, &[root])
    }

    /// Reads several structures as one. The objects reachable from the first root come first, then
    /// those newly reachable from the next, and so on.
    pub fn read_all(&mut self, vm: &mut Vm, roots: &[Ref]) -> Snapshot {
        let mut order: Vec<Ref> = Vec::new();
        let mut numbers: FxHashMap<Ref, usize> = FxHashMap::default();
        let mut objects = Vec::new();
        let mut roots = roots.iter();
        loop {
            let Some(&object) = order.get(objects.len()) else {
                let Some(&root) = roots.next() else { break };
                numbers.entry(root).or_insert_with(|| {
                    order.push(root);
                    order.len() - 1
                });
                continue;
            };
            let mut number = |target: Ref| {
                if target.is_null() {
                    return Value::Null;
                }
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                Value::Ref(number)
            };
            let class = vm.heap.class_of(object);
            let body = self.body(vm, object, class, &mut number);
            let shown = match &body {
                Body::EnumConstant(_) => enum_of(vm, class),
                _ => class,
            };
            objects.push(Object {
                class: self.class_sig(vm, shown),
                body,
            });
        }
        Snapshot {
            structure: Structure { objects },
            numbers,
        }
    }

    /// Returns the class and the name of an enum constant; `None` for other objects.
    pub fn constant(&mut self, vm: &mut Vm, object: Ref) -> Option<(Arc<ClassSig>, String)> {
        let class = vm.heap.class_of(object);
        let name = enum_name(vm, object, class)?;
        let class = enum_of(vm, class);
        Some((self.class_sig(vm, class), name))
    }

    fn body(
        &mut self,
        vm: &mut Vm,
        object: Ref,
        class: ClassId,
        number: &mut impl FnMut(Ref) -> Value,
    ) -> Body {
        if let Shape::Array(_) = vm.class(class).shape {
            let kind = vm.array_element_kind(class);
            let bytes = u64::from(kind.element_bytes());
            let start = vm.heap.elements(object);
            let elements = (0..u64::from(vm.heap.array_length(object))).map(|index| {
                value(
                    kind,
                    vm.array_slot(start + index * bytes, kind),
                    &mut *number,
                )
            });
            return Body::Array(elements.collect());
        }
        if vm.class_name(class) == "java/lang/String" {
            return Body::String(vm.string_text(object));
        }
        if let Some((kind, slot)) = vm.unboxed(object) {
            return Body::Boxed(value(kind, slot, number));
        }
        if let Some(name) = enum_name(vm, object, class) {
            return Body::EnumConstant(name);
        }
        let fields = self.fields_of(vm, class);
        let fields = fields
            .iter()
            .map(|(field, sig)| {
                let slot = vm.heap.field(object, field.word);
                let slot = if vm.is_unset_place(object, Place::Field(field.word)) {
                    0
                } else {
                    slot
                };
                FieldValue {
                    sig: Arc::clone(sig),
                    value: value(field.kind, slot, &mut *number),
                }
            })
            .collect();
        Body::Fields(fields)
    }

    /// Returns the instance fields of a class, inherited ones first, including those of library
    /// classes.
    fn fields_of(&mut self, vm: &Vm, class: ClassId) -> InstanceFields {
        if let Some(known) = self.fields.get(&class) {
            return Arc::clone(known);
        }
        let fields: InstanceFields = vm
            .class(class)
            .display
            .iter()
            .flat_map(|&above| vm.class(above).fields.iter())
            .filter(|field| !field.is_static())
            .map(|field| {
                let sig = FieldSig {
                    declaring_class: vm.binary_name(field.class),
                    name: vm.text(field.name).to_owned(),
                    descriptor: vm.text(field.descriptor).to_owned(),
                    access: access(field.flags),
                    is_final: field.flags & flags::FINAL != 0,
                };
                (field.clone(), Arc::new(sig))
            })
            .collect();
        self.fields.insert(class, Arc::clone(&fields));
        fields
    }

    /// Returns the signature of a class for tests.
    pub fn class_sig(&mut self, vm: &mut Vm, class: ClassId) -> Arc<ClassSig> {
        if let Some(known) = self.classes.get(&class) {
            return Arc::clone(known);
        }
        let source_name = self.source_name(vm, class);
        let construction = self.construction(vm, class, source_name.is_some());
        let sig = Arc::new(ClassSig {
            name: vm.binary_name(class),
            construction,
            is_generic: is_generic(vm, class),
            source_name,
            arguments: Vec::new(),
        });
        self.classes.insert(class, Arc::clone(&sig));
        sig
    }

    /// Returns the canonical name of a class if tests may use it.
    fn source_name(&self, vm: &mut Vm, class: ClassId) -> Option<String> {
        let this = vm.class(class);
        match this.shape {
            Shape::Array(element) => return Some(format!("{}[]", self.source_name(vm, element)?)),
            Shape::Primitive(kind) => return Some(kind.keyword().to_owned()),
            Shape::Instance => {}
        }
        let name = vm.class_name(class);
        let plain = name.replace('/', ".");
        let inner = inner_info(vm, this, class);
        let (visible, source) = match inner {
            Some((outer, simple, inner_flags)) => {
                // The outer class may not have been loaded yet.
                let outer = vm.load_class(&outer?).ok()?;
                let outer = self.source_name(vm, outer)?;
                (
                    self.package.opens(vm, class, inner_flags),
                    format!("{outer}.{}", simple?),
                )
            }
            None => (self.package.opens(vm, class, this.flags), plain),
        };
        visible.then_some(source)
    }

    fn construction(&self, vm: &mut Vm, class: ClassId, is_nameable: bool) -> Construction {
        if is_record(vm, class) {
            let constructor = canonical_constructor(vm, class);
            let is_accessible = is_nameable
                && constructor.is_some_and(|method| vm.method(method).flags & flags::PRIVATE == 0);
            return Construction::Canonical { is_accessible };
        }
        let this = vm.class(class);
        if this.shape != Shape::Instance || this.loader == Loader::Boot {
            return if is_nameable {
                Construction::NoArg
            } else {
                Construction::WithoutConstructor
            };
        }
        let constructor = vm.declared_method(class, "<init>", "()V");
        let is_visible = constructor
            .is_some_and(|method| self.package.opens(vm, class, vm.method(method).flags));
        if is_nameable && is_visible && !vm.class(class).is_abstract() && is_harmless(vm, class) {
            Construction::NoArg
        } else {
            Construction::WithoutConstructor
        }
    }
}

pub(crate) fn is_record(vm: &Vm, class: ClassId) -> bool {
    let file = vm.class(class).file.as_ref();
    file.is_some_and(|file| file.info.record.is_some())
}

/// Returns the canonical constructor of a record.
pub(crate) fn canonical_constructor(vm: &Vm, class: ClassId) -> Option<MethodId> {
    let components = vm.class(class).file.as_ref()?.info.record.as_ref()?;
    let types = components.iter();
    let types: String = types
        .map(|component| vm.text(component.descriptor))
        .collect();
    vm.declared_method(class, "<init>", &format!("({types})V"))
}

/// Whether the no-argument constructor of a class returns and has no effects besides the new
/// object.
fn is_harmless(vm: &mut Vm, class: ClassId) -> bool {
    const STEPS: u64 = 1_000_000;
    if vm.initialize_now(class).is_err() {
        return false;
    }
    let mark = vm.mark();
    vm.limit_steps(STEPS);
    let made = construct(vm, class, Some(class)).is_ok();
    let harmless = made && !vm.has_effects_since(mark);
    vm.undo_to(mark);
    vm.forget(mark);
    vm.abandon();
    vm.limit_steps(u64::MAX);
    harmless
}

/// Returns the outer class, simple name and flags of a member, local or anonymous class.
fn inner_info(
    vm: &Vm,
    this: &Class,
    class: ClassId,
) -> Option<(Option<String>, Option<String>, u16)> {
    let file = this.file.as_ref()?;
    let info = file
        .info
        .inner_classes
        .iter()
        .find(|inner| inner.inner == vm.class(class).name)?;
    let text = |name| vm.text(name).to_owned();
    Some((info.outer.map(text), info.name.map(text), info.flags))
}

/// Whether a class, or a class of its outer objects, has type parameters.
pub(crate) fn is_generic(vm: &Vm, class: ClassId) -> bool {
    let this = vm.class(class);
    let Some(file) = &this.file else { return false };
    if file
        .info
        .signature
        .is_some_and(|signature| vm.text(signature).starts_with('<'))
    {
        return true;
    }
    match inner_info(vm, this, class) {
        Some((Some(outer), _, inner_flags)) if inner_flags & flags::STATIC == 0 => vm
            .loaded_class(&outer)
            .is_some_and(|outer| is_generic(vm, outer)),
        _ => false,
    }
}

/// Returns the enum of a constant's class. Constants with class bodies have classes of their own.
fn enum_of(vm: &Vm, class: ClassId) -> ClassId {
    match vm.class(class).super_class {
        Some(above) if vm.class(class).flags & flags::ENUM == 0 || is_enum(vm, above) => above,
        _ => class,
    }
}

fn is_enum(vm: &Vm, class: ClassId) -> bool {
    vm.class(class).flags & flags::ENUM != 0 && vm.class_name(class) != "java/lang/Enum"
}

/// Returns the name of an enum constant.
fn enum_name(vm: &Vm, object: Ref, class: ClassId) -> Option<String> {
    let display = &vm.class(class).display;
    let base = display
        .iter()
        .find(|&&above| vm.class_name(above) == "java/lang/Enum")?;
    let name = vm.find_field(*base, "name")?.word;
    let name = Ref::from_slot(vm.heap.field(object, name));
    (!name.is_null()).then(|| vm.string_text(name))
}

/// Returns the access level from access flags.
#[must_use]
pub fn access(access_flags: u16) -> Access {
    if access_flags & flags::PUBLIC != 0 {
        Access::Public
    } else if access_flags & flags::PROTECTED != 0 {
        Access::Protected
    } else if access_flags & flags::PRIVATE != 0 {
        Access::Private
    } else {
        Access::Package
    }
}

/// Converts a slot of a kind to a value.
pub(crate) fn value(kind: Kind, slot: u64, mut number: impl FnMut(Ref) -> Value) -> Value {
    let int = slot as u32 as i32;
    match kind {
        Kind::Boolean => Value::Boolean(int != 0),
        Kind::Byte => Value::Byte(int as i8),
        Kind::Short => Value::Short(int as i16),
        Kind::Char => Value::Char(int as u16),
        Kind::Int => Value::Int(int),
        Kind::Long => Value::Long(slot as i64),
        Kind::Float => Value::Float(f32::from_bits(slot as u32)),
        Kind::Double => Value::Double(f64::from_bits(slot)),
        Kind::Reference | Kind::Void => number(Ref::from_slot(slot)),
    }
}
