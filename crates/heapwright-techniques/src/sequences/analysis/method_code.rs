//! Effects of the code of one method: fields and array elements that it reads and writes, calls,
//! and classes it instantiates. Callees are not analysed here.

use std::collections::BTreeSet;

use heapwright_code::{CallTarget, Lambda, accesses_unnamed_fields, nested_classes};
use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{
    BranchCondition, Invoke, Listed, ListedMember, ListedOperation, Listing,
};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::effects::{Effects, FieldKey};
use super::string_constants::compared;
use super::text_forms::parsed;

/// Effects of a method's own code.
#[derive(Default)]
pub(in crate::sequences) struct MethodEffects {
    pub effects: Effects,
    pub calls: Vec<CallTarget>,
    /// Classes that are instantiated.
    pub made: Vec<ClassId>,
    pub lambdas: Vec<Lambda>,
    /// Descriptors of what it hands to generated code: the parts of joined strings, the components
    /// of records.
    pub joined: BTreeSet<String>,
}

impl MethodEffects {
    /// Reads a method; empty if it has no bytecode.
    pub fn read(vm: &mut Vm, method: MethodId) -> MethodEffects {
        let Ok(listing) = vm.listing(method) else {
            return MethodEffects::default();
        };
        let mut reader = CodeReader {
            class: Some(vm.method(method).class),
            ..CodeReader::default()
        };
        let parameters = vm.text(vm.method(method).descriptor).to_owned();
        let parameters = descriptor::split_method(&parameters).unwrap_or_default().0;
        // What calls the body of a lambda casts the arguments to their types.
        let is_body = vm.method(method).flags & flags::SYNTHETIC != 0
            && vm.text(vm.method(method).name).starts_with("lambda$");
        for parameter in parameters {
            reader.mention(vm, parameter);
            if is_body && Kind::of(parameter) == Kind::Reference {
                let class = vm.load_class(descriptor::class_name(parameter));
                reader.code.effects.casts.extend(class);
            }
        }
        for listed in &listing.instructions {
            reader.step(vm, &listed.step);
        }
        if compares_itself(vm, method, &listing) {
            let class = vm.method(method).class;
            reader.code.effects.casts.insert(class);
        }
        reader.code.effects.texts = compared(vm, &listing);
        if vm.is_app_class(vm.method(method).class) {
            reader.code.effects.parsed = parsed(vm, &listing);
        }
        reader.finish(vm)
    }
}

/// Reads code without tracking values: an array access may concern any array type that the method
/// mentions.
#[derive(Default)]
struct CodeReader {
    code: MethodEffects,
    /// The class that declares the method.
    class: Option<ClassId>,
    /// Array classes that parameters, fields, calls and casts of the method mention.
    arrays: BTreeSet<ClassId>,
    /// Kinds of elements read and written.
    loads: Vec<Kind>,
    stores: Vec<Kind>,
}

impl CodeReader {
    fn mention(&mut self, vm: &mut Vm, descriptor: &str) {
        let mut rest = descriptor;
        while rest.starts_with('[') {
            self.arrays.extend(vm.load_class(rest));
            rest = &rest[1..];
        }
    }

    fn step(&mut self, vm: &mut Vm, step: &ListedOperation) {
        match step {
            ListedOperation::ArrayLoad(kind) => self.loads.push(*kind),
            ListedOperation::ArrayStore(kind) => self.stores.push(*kind),
            ListedOperation::GetField(member, is_static) => {
                let effects = &mut self.code.effects;
                let fields = match is_static {
                    true => &mut effects.static_uses,
                    false => &mut effects.uses,
                };
                fields.extend(key(vm, member));
                self.mention(vm, &member.descriptor);
            }
            ListedOperation::PutField(member, is_static) => {
                let effects = &mut self.code.effects;
                let fields = match is_static {
                    true => &mut effects.static_defines,
                    false => &mut effects.defines,
                };
                fields.extend(key(vm, member));
            }
            ListedOperation::New(class) => self.code.made.extend(vm.load_class(class)),
            ListedOperation::NewArray(name, _) => {
                let descriptor = array_descriptor(name);
                self.mention(vm, &descriptor);
                // Creating an array defines all its elements.
                let made = vm.load_class(&descriptor);
                self.code.effects.stores.extend(made);
            }
            ListedOperation::CheckCast(class) | ListedOperation::InstanceOf(class) => {
                self.mention(vm, class);
                self.code.effects.casts.extend(vm.load_class(class));
            }
            ListedOperation::Invoke(how, member) => self.call(vm, *how, member),
            ListedOperation::Dynamic(name, descriptor, handed) => {
                self.dynamic(vm, name, descriptor, handed)
            }
            _ => {}
        }
    }

    fn call(&mut self, vm: &mut Vm, how: Invoke, member: &ListedMember) {
        if let Some((_, result)) = descriptor::split_method(&member.descriptor) {
            self.mention(vm, result);
        }
        let is_array = member.class.starts_with('[') || member.class.ends_with("/Array");
        let is_copying = member.class == "java/lang/System" && member.name == "arraycopy";
        if is_array || is_copying || member.class == "java/util/Arrays" {
            // Library methods that read and write elements of arbitrary arrays.
            for kind in Kind::NEWARRAY.into_iter().chain([Kind::Reference]) {
                self.access_elements(kind);
            }
        }
        if accesses_unnamed_fields(member) {
            self.access_all_fields(vm);
        }
        let Some(call) = heapwright_code::call(vm, how, member) else {
            return;
        };
        if !vm.is_app_class(vm.method(call.named()).class) {
            let taken = descriptor::split_method(&member.descriptor)
                .unwrap_or_default()
                .0;
            for array in taken.iter().filter_map(|taken| taken.strip_prefix('[')) {
                self.access_elements(Kind::of(array));
            }
        }
        if how == Invoke::Virtual {
            self.code.effects.called.insert(call.named());
        }
        self.code.calls.push(call);
    }

    /// Enters elements that a library method reads and writes.
    fn access_elements(&mut self, kind: Kind) {
        // `baload` and `bastore` access both `byte` and `boolean` arrays.
        let kind = if kind == Kind::Boolean {
            Kind::Byte
        } else {
            kind
        };
        self.loads.push(kind);
        self.stores.push(kind);
    }

    /// Enters the fields that handles and reflection are likely to be for: those of the class and of
    /// the ones that share its private members.
    fn access_all_fields(&mut self, vm: &mut Vm) {
        let own = self.class.filter(|&class| vm.is_app_class(class));
        let classes = own.map_or_else(Vec::new, |class| nested_classes(vm, class));
        let effects = &mut self.code.effects;
        for field in classes.iter().flat_map(|&class| &vm.class(class).fields) {
            let (uses, defines) = match field.is_static() {
                true => (&mut effects.static_uses, &mut effects.static_defines),
                false => (&mut effects.uses, &mut effects.defines),
            };
            let key = FieldKey {
                class: field.class,
                name: field.name,
            };
            uses.insert(key);
            if field.flags & flags::FINAL == 0 {
                defines.insert(key);
            }
        }
    }

    fn dynamic(&mut self, vm: &mut Vm, name: &str, descriptor: &str, handed: &[ListedMember]) {
        let mut bodies = Vec::new();
        for member in handed {
            if !member.descriptor.starts_with('(') {
                // The fields that a record's generated methods read.
                self.code.effects.uses.extend(key(vm, member));
                self.code.joined.insert(member.descriptor.clone());
            } else if let Some(body) = vm.named_method(member) {
                if member.name == "<init>" {
                    self.code.made.extend(vm.load_class(&member.class));
                }
                self.code.calls.push(CallTarget::Exact(body));
                bodies.push(body);
            }
        }
        let (taken, result) = descriptor::split_method(descriptor).unwrap_or_default();
        // Switches on types ask for the class alone.
        if bodies.is_empty() && !name.ends_with("Switch") {
            let joined = taken.into_iter().map(str::to_owned);
            self.code.joined.extend(joined);
        }
        if let Ok(interface) = vm.load_class(descriptor::class_name(result))
            && !bodies.is_empty()
        {
            self.code.lambdas.push(Lambda {
                interface,
                name: name.to_owned(),
                bodies,
            });
        }
    }

    fn finish(mut self, vm: &mut Vm) -> MethodEffects {
        let loads = self.accessed(vm, &self.loads);
        let stores = self.accessed(vm, &self.stores);
        self.code.effects.loads.extend(loads);
        self.code.effects.stores.extend(stores);
        self.code
    }

    /// Returns the mentioned array classes whose element kind is one of these.
    fn accessed(&self, vm: &Vm, kinds: &[Kind]) -> Vec<ClassId> {
        let arrays = self.arrays.iter().copied();
        let fitting = arrays.filter(|&array| {
            let Shape::Array(element) = vm.class(array).shape else {
                return false;
            };
            let kind = match vm.class(element).shape {
                // `baload` and `bastore` access both `byte` and `boolean` arrays.
                Shape::Primitive(Kind::Boolean) => Kind::Byte,
                Shape::Primitive(kind) => kind,
                _ => Kind::Reference,
            };
            kinds.contains(&kind)
        });
        fitting.collect()
    }
}

/// Whether a method compares an object with its receiver, or calls `getClass`. An object of its own
/// class is then a useful argument, as with a cast.
fn compares_itself(vm: &Vm, method: MethodId, listing: &Listing) -> bool {
    if vm.method(method).is_static() {
        return false;
    }
    let instructions = &listing.instructions;
    let loads = |place: Option<usize>| match place.and_then(|place| instructions.get(place)) {
        Some(Listed {
            step: ListedOperation::Load(Kind::Reference, variable),
            ..
        }) => Some(*variable),
        _ => None,
    };
    let mut numbered = instructions.iter().enumerate();
    numbered.any(|(place, listed)| match &listed.step {
        ListedOperation::Branch(BranchCondition::Same(_), _) => match loads(place.checked_sub(1)) {
            Some(0) => true,
            Some(_) => loads(place.checked_sub(2)) == Some(0),
            None => false,
        },
        ListedOperation::Invoke(_, member) => {
            member.name == "getClass" && member.class == "java/lang/Object"
        }
        _ => false,
    })
}

fn key(vm: &mut Vm, member: &ListedMember) -> Option<FieldKey> {
    let field = vm.named_field(member)?;
    Some(FieldKey {
        class: field.class,
        name: field.name,
    })
}

/// Returns the descriptor of an array class from its name in listings: `int[]`, `a.B[]`, `[[I`, and
/// `[I[]`.
fn array_descriptor(name: &str) -> String {
    let Some(element) = name.strip_suffix("[]") else {
        return name.to_owned();
    };
    match Kind::of_keyword(element) {
        Some(kind) => format!("[{}", kind.descriptor()),
        None => format!("[{}", descriptor::of_class(&element.replace('.', "/"))),
    }
}
