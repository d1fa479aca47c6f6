//! Objects that a test makes anew to compare them: records, numbers, dates, and objects of classes
//! that define `equals`.
//!
//! Invariant: the object of a program's class that the call makes on the engine equals the other
//! one in both directions, and has the same hash code. The text of an object of the library
//! determines it.

use std::rc::Rc;

use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{CallSyntax, Input, Literal, Step, Value as Written};

use super::{MAX_TEXT, ScriptWriter, ValueReader};
use crate::functional::is_stub;
use crate::packages::TestPackage;
use crate::read::{canonical_constructor, is_generic, is_record, value};
use crate::target::needs_outer;

/// Maximum number of parameters of a call that makes an object anew.
const MAX_PARAMETERS: usize = 5;
/// Maximum number of calls that are tried for one object.
const MAX_TRIES: usize = 8;

/// Classes of the library whose objects are made of the text that `toString` returns.
const TEXTUAL: [&str; 6] = [
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/UUID",
    "java/net/URI",
    "java/io/File",
    "java/nio/file/Path",
];

/// Methods that make an object of its text, by name and parameter.
const PARSERS: [(&str, &str); 5] = [
    ("parse", "Ljava/lang/CharSequence;"),
    ("fromString", "Ljava/lang/String;"),
    ("create", "Ljava/lang/String;"),
    ("of", "Ljava/lang/String;"),
    ("<init>", "Ljava/lang/String;"),
];

impl ValueReader<'_, '_> {
    /// Returns the call that makes an object equal to this one.
    pub(super) fn rebuilt(&mut self, vm: &mut Vm, object: Ref, depth: usize) -> Option<Literal> {
        let class = vm.heap.class_of(object);
        match vm.is_app_class(class) {
            true => self.of_parts(vm, object, class, depth),
            false => self.of_text(vm, object),
        }
    }

    /// Returns the call that makes an object of the library of a text or a number.
    fn of_text(&mut self, vm: &mut Vm, object: Ref) -> Option<Literal> {
        let class = textual(vm, object)?;
        let to_string = ("java/lang/Object", "toString", "()Ljava/lang/String;");
        let text = Ref::from_slot(self.writer.ask(vm, object, to_string, &[])?);
        if text.is_null() || vm.string_units(text).len() > MAX_TEXT {
            return None;
        }
        self.leaves = self.leaves.checked_sub(1)?;
        let written = vm.string_text(text);
        if !written.encode_utf16().eq(vm.string_units(text)) {
            return None;
        }
        let name = vm.class_name(class).to_owned();
        if name == "java/math/BigInteger"
            && let Ok(number) = written.parse::<i64>()
        {
            let made = vm.declared_method(class, "valueOf", "(J)Ljava/math/BigInteger;")?;
            let argument = Literal::Value(Written::Long(number));
            return Some(self.call(vm, class, made, vec![argument]));
        }
        if name == "java/nio/file/Path" {
            let descriptor = "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;";
            let made = vm.declared_method(class, "of", descriptor)?;
            let more = Literal::Array {
                class: "[Ljava.lang.String;".to_owned(),
                elements: Vec::new(),
            };
            let literal = self.call(vm, class, made, vec![Literal::String(written), more]);
            return Some(match literal {
                Literal::New(step) => Literal::New(Box::new(Step {
                    is_variadic: true,
                    ..*step
                })),
                other => other,
            });
        }
        for (method, parameter) in PARSERS {
            let result = match method {
                "<init>" => "V".to_owned(),
                _ => descriptor::of_class(&name),
            };
            let made = vm.declared_method(class, method, &format!("({parameter}){result}"));
            let Some(made) = made.filter(|&made| vm.method(made).flags & flags::PUBLIC != 0) else {
                continue;
            };
            return Some(self.call(vm, class, made, vec![Literal::String(written)]));
        }
        None
    }

    /// Returns the call that makes an object of the program from values of its fields.
    fn of_parts(
        &mut self,
        vm: &mut Vm,
        object: Ref,
        class: ClassId,
        depth: usize,
    ) -> Option<Literal> {
        let sig = self.writer.reader.class_sig(vm, class);
        if sig.source_name.is_none() || is_stub(vm, class) || needs_outer(vm, class) {
            return None;
        }
        let equals = vm.load_class("java/lang/Object").ok()?;
        let equals = vm.declared_method(equals, "equals", "(Ljava/lang/Object;)Z")?;
        let equals = vm.select(class, equals)?;
        let is_value = is_record(vm, class) || vm.is_app_class(vm.method(equals).class);
        if !is_value {
            return None;
        }
        let makers = match self.writer.makers.get(&class) {
            Some(known) => Rc::clone(known),
            None => {
                let makers: Rc<[MethodId]> = self.makers(vm, class).into();
                self.writer.makers.insert(class, Rc::clone(&makers));
                makers
            }
        };
        for &made in makers.iter().take(MAX_TRIES) {
            let Some(fields) = arguments_of(vm, class, made) else {
                continue;
            };
            let mut slots = Vec::new();
            for field in &fields {
                slots.push(vm.heap.field(object, field.word));
                if field.kind.words() == 2 {
                    slots.push(0);
                }
            }
            let copy = self.made(vm, class, made, &slots);
            let is_same = copy.is_some_and(|copy| self.is_same_value(vm, copy, object).is_some());
            if !is_same {
                continue;
            }
            let leaves = self.leaves;
            if let Some(arguments) = self.written(vm, object, made, &fields, depth) {
                return Some(self.call(vm, class, made, arguments));
            }
            self.leaves = leaves;
        }
        None
    }

    /// Returns the constructors and static methods of a class that may make its objects of their
    /// parts, the likeliest first.
    fn makers(&mut self, vm: &mut Vm, class: ClassId) -> Vec<MethodId> {
        if is_record(vm, class) {
            let canonical = canonical_constructor(vm, class);
            return canonical
                .filter(|&made| self.can_call(vm, class, made))
                .into_iter()
                .collect();
        }
        let result = descriptor::of_class(vm.class_name(class));
        let is_abstract = vm.class(class).is_abstract();
        let all = vm.class(class).methods.clone();
        let mut makers: Vec<MethodId> = all
            .into_iter()
            .filter(|&method| {
                let this = vm.method(method);
                let is_constructor = vm.text(this.name) == "<init>" && !is_abstract;
                let is_factory =
                    this.is_static() && vm.text(this.descriptor).ends_with(&format!("){result}"));
                let is_hidden = this.flags & (flags::SYNTHETIC | flags::BRIDGE) != 0;
                (is_constructor || is_factory) && !is_hidden && self.can_call(vm, class, method)
            })
            .collect();
        let is_bare = |method: &MethodId| vm.text(vm.method(*method).descriptor).starts_with("()");
        // An object with explicit parts is easier to understand.
        makers.sort_by_key(is_bare);
        makers
    }

    /// Whether a test can call a method, whose exceptions it need not catch, without casts.
    fn can_call(&mut self, vm: &Vm, class: ClassId, method: MethodId) -> bool {
        let sig = self.writer.signature(vm, class, method);
        let package = TestPackage::of(vm, self.writer.class);
        let is_open = package.opens(vm, class, vm.method(method).flags);
        sig.is_accessible
            && is_open
            && !sig.has_twin
            && sig.exceptions.is_empty()
            && !(sig.is_overloaded && is_generic(vm, class))
    }

    /// Makes an object by a constructor or a static method.
    fn made(&mut self, vm: &mut Vm, class: ClassId, made: MethodId, slots: &[u64]) -> Option<Ref> {
        if vm.method(made).is_static() {
            let slot = self.writer.run_to_end(vm, made, slots)?;
            let object = Ref::from_slot(slot);
            return (!object.is_null()).then_some(object);
        }
        let words = vm.class(class).instance_words;
        let object = vm.heap.allocate(class, words, false).ok()?;
        let slots: Vec<u64> = [object.slot()]
            .into_iter()
            .chain(slots.iter().copied())
            .collect();
        self.writer.run_to_end(vm, made, &slots)?;
        Some(object)
    }

    /// Succeeds if two objects are equal by their own methods.
    fn is_same_value(&self, vm: &mut Vm, one: Ref, other: Ref) -> Option<()> {
        self.equals(vm, one, other)?;
        self.equals(vm, other, one)?;
        let hash = ("java/lang/Object", "hashCode", "()I");
        let one = self.writer.ask(vm, one, hash, &[])?;
        let other = self.writer.ask(vm, other, hash, &[])?;
        (one as u32 == other as u32).then_some(())
    }

    /// Returns the values of fields as arguments of a method.
    fn written(
        &mut self,
        vm: &mut Vm,
        object: Ref,
        made: MethodId,
        fields: &[Field],
        depth: usize,
    ) -> Option<Vec<Literal>> {
        let text = vm.text(vm.method(made).descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text)?;
        let mut arguments = Vec::new();
        for (field, parameter) in fields.iter().zip(parameters) {
            let slot = vm.heap.field(object, field.word);
            let literal = match field.kind {
                Kind::Reference => self.value(vm, Ref::from_slot(slot), depth + 1)?,
                kind => {
                    self.leaves = self.leaves.checked_sub(1)?;
                    Literal::Value(value(kind, slot, |_| Written::Null))
                }
            };
            let fits = fits(vm, &literal, parameter);
            arguments.push(fits.then_some(literal)?);
        }
        Some(arguments)
    }

    /// Returns the call as a literal.
    fn call(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
        made: MethodId,
        arguments: Vec<Literal>,
    ) -> Literal {
        let sig = self.writer.reader.class_sig(vm, class);
        let method = self.writer.signature(vm, class, made);
        let is_diamond = method.is_constructor() && is_generic(vm, class);
        let spelling = CallSyntax {
            unboxes: true,
            is_diamond,
            ..CallSyntax::default()
        };
        Literal::New(Box::new(Step {
            method,
            class: sig,
            receiver: None,
            arguments: arguments.into_iter().map(Input::Literal).collect(),
            made: None,
            spelling: is_diamond.then_some(spelling),
            is_variadic: false,
            body: None,
        }))
    }
}

/// Returns the class or interface by which a test makes a textual object of the library.
fn textual(vm: &mut Vm, object: Ref) -> Option<ClassId> {
    let class = vm.heap.class_of(object);
    let name = vm.class_name(class).to_owned();
    for zone in ["java/time/ZoneOffset", "java/time/ZoneId"] {
        if ScriptWriter::is_a(vm, object, zone) {
            return vm.load_class(zone).ok();
        }
    }
    // A date with a zone may have another offset than its text names.
    let of_time = name.strip_prefix("java/time/");
    let is_exact = |rest: &str| !rest.contains(['/', '$']) && rest != "ZonedDateTime";
    if of_time.is_some_and(is_exact) && vm.class(class).flags & flags::PUBLIC != 0 {
        return Some(class);
    }
    let known = TEXTUAL
        .into_iter()
        .find(|known| ScriptWriter::is_a(vm, object, known))?;
    vm.load_class(known).ok()
}

/// Returns the fields whose values are the arguments of a method, in order: the n-th parameter of a
/// type takes the n-th field of that type.
fn arguments_of(vm: &mut Vm, class: ClassId, made: MethodId) -> Option<Vec<Field>> {
    let text = vm.text(vm.method(made).descriptor).to_owned();
    let (parameters, _) = descriptor::split_method(&text)?;
    if parameters.len() > MAX_PARAMETERS {
        return None;
    }
    let display = vm.class(class).display.clone();
    let fields = display
        .iter()
        .flat_map(|&class| vm.class(class).fields.clone());
    let mut fields: Vec<Field> = fields.filter(|field| !field.is_static()).collect();
    let mut taken = Vec::new();
    for parameter in parameters {
        let takes = |vm: &mut Vm, field: &Field| {
            let own = vm.text(field.descriptor).to_owned();
            own == parameter || is_narrower(vm, &own, parameter)
        };
        let place = (0..fields.len()).find(|&place| takes(vm, &fields[place]))?;
        taken.push(fields.remove(place));
    }
    Some(taken)
}

/// Whether a type is a proper subtype of another one that is not `Object`.
fn is_narrower(vm: &mut Vm, own: &str, above: &str) -> bool {
    let is_class = |descriptor: &str| descriptor.starts_with('L');
    if !is_class(own) || !is_class(above) || above == "Ljava/lang/Object;" {
        return false;
    }
    let classes = [own, above].map(|name| vm.load_class(descriptor::class_name(name)).ok());
    match classes {
        [Some(own), Some(above)] => vm.is_subclass(own, above),
        _ => false,
    }
}

/// Whether the compiler accepts a value for a parameter.
fn fits(vm: &mut Vm, literal: &Literal, parameter: &str) -> bool {
    let class = match literal {
        Literal::Value(Written::Null) | Literal::EnumConstant { .. } => return true,
        Literal::Value(value) => return value.descriptor() == Some(parameter),
        Literal::Boxed(value) => value.box_class().unwrap_or_default().to_owned(),
        Literal::String(_) => "java.lang.String".to_owned(),
        Literal::Class(_) => "java.lang.Class".to_owned(),
        Literal::Contents { kind, .. } => kind.class().to_owned(),
        Literal::New(step) => step.class.name.clone(),
        _ => return false,
    };
    if !parameter.starts_with('L') {
        return false;
    }
    let own = vm.load_class(&class.replace('.', "/"));
    let above = vm.load_class(descriptor::class_name(parameter));
    match (own, above) {
        (Ok(own), Ok(above)) => vm.is_subclass(own, above),
        _ => false,
    }
}
