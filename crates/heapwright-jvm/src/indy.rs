//! `invokedynamic`, linked natively: lambdas and method references, string concatenation, the
//! methods of records. What the JDK's bootstrap methods would spin as hidden classes is made here
//! as register code, so that nothing of it recurses and all of it goes back.

use crate::class::{ClassId, Code, Field, LoadedFile, Loader, MethodId, Shape, flags};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};
use crate::heap::{FIELDS, Ref};
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// A call site to be linked.
struct Site {
    name: Sym,
    descriptor: Sym,
    /// Static arguments of the bootstrap method, as pool indices.
    arguments: Vec<u16>,
}

/// A method handle of the constant pool, resolved.
#[derive(Clone, Copy)]
struct Handle {
    kind: u8,
    class: ClassId,
    method: MethodId,
}

/// `REF_` kinds (JVMS table 5.4.3.5-A).
mod reference {
    pub const STATIC: u8 = 6;
    pub const SPECIAL: u8 = 7;
    pub const NEW: u8 = 8;
}

impl Vm {
    /// What an `invokedynamic` becomes: a call of code made for it, or an object already made.
    pub(crate) fn link_call_site(&mut self, file: &LoadedFile, a: Reg, index: u16) -> Result<Instr, Fault> {
        let Constant::InvokeDynamic { bootstrap, name_and_type } = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        let bootstrap =
            file.info.bootstraps.get(bootstrap as usize).cloned().ok_or_else(|| file.bad_constant(index))?;
        let (owner, method) = self.bootstrap_name(file, bootstrap.handle)?;
        let site = Site { name, descriptor, arguments: bootstrap.arguments };
        match (owner.as_str(), method.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.link_lambda(file, a, index, &site, method == "altMetafactory")
            }
            ("java/lang/invoke/StringConcatFactory", _) => {
                let recipe = method == "makeConcatWithConstants";
                self.link_concatenation(file, &site, recipe).map(|method| call_static(a, method))
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => {
                self.link_record_method(file, &site).map(|method| call_static(a, method))
            }
            _ => Err(Fault::unsupported(format!(
                "invokedynamic by {}.{method}",
                owner.replace('/', ".")
            ))),
        }
    }

    fn bootstrap_name(&mut self, file: &LoadedFile, handle: u16) -> Result<(String, String), Fault> {
        let Constant::MethodHandle { reference, .. } = file.constant(handle)? else {
            return Err(file.bad_constant(handle));
        };
        let Constant::Method { class, name_and_type, .. } = file.constant(reference)? else {
            return Err(file.bad_constant(handle));
        };
        let owner = self.pool_class_name(file, class)?;
        let (name, _) = self.pool_name_and_type(file, name_and_type)?;
        Ok((self.text(owner).to_owned(), self.text(name).to_owned()))
    }

    fn pool_handle(&mut self, file: &LoadedFile, index: u16) -> Result<Handle, Fault> {
        let Constant::MethodHandle { kind, reference } = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        let (class, method) = self.pool_method(file, reference)?;
        Ok(Handle { kind, class, method })
    }

    fn pool_method_type(&mut self, file: &LoadedFile, index: Option<&u16>) -> Result<String, Fault> {
        let index = *index.ok_or_else(|| file.bad_constant(0))?;
        let Constant::MethodType(descriptor) = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        let descriptor = self.pool_text(file, descriptor)?;
        Ok(self.text(descriptor).to_owned())
    }

    /// `LambdaMetafactory`: a class with a field for each captured value, whose methods pass on.
    fn link_lambda(
        &mut self,
        file: &LoadedFile,
        a: Reg,
        index: u16,
        site: &Site,
        alternative: bool,
    ) -> Result<Instr, Fault> {
        let site_text = self.text(site.descriptor).to_owned();
        let (captured, result) =
            descriptor::split_method(&site_text).ok_or_else(|| file.bad_constant(index))?;
        let interface = self.class_of_descriptor(result)?;
        let erased = self.pool_method_type(file, site.arguments.first())?;
        let handle = *site.arguments.get(1).ok_or_else(|| file.bad_constant(index))?;
        let handle = self.pool_handle(file, handle)?;
        let instantiated = self.pool_method_type(file, site.arguments.get(2))?;
        let mut interfaces = vec![interface];
        let mut descriptors = vec![erased];
        if alternative {
            self.alternative_arguments(file, site, &mut interfaces, &mut descriptors)?;
        }
        let class_name = format!("{}$$Lambda/{index}", self.text(file.info.name));
        let class_name = self.names.intern(&class_name);
        let class = match self.class_index.get(&class_name) {
            Some(&class) => class,
            None => {
                let class = self.new_synthetic_class(class_name, interfaces, &captured)?;
                for text in descriptors {
                    let code = self.lambda_body(class, &captured, &text, &instantiated, handle)?;
                    let descriptor = self.names.intern(&text);
                    let flags = flags::PUBLIC | flags::SYNTHETIC;
                    let method = self.add_method(class, site.name, descriptor, flags, Code::Missing);
                    self.install(method, code.instrs, code.registers);
                }
                self.build_vtable(class);
                class
            }
        };
        if captured.is_empty() {
            let words = self.class(class).instance_words;
            let object = self.heap.allocate(class, words, true)?;
            return Ok(Instr::Object { d: a, object: object.0 });
        }
        let factory = self.lambda_factory(class, &captured, site.descriptor);
        Ok(call_static(a, factory))
    }

    /// Flags, marker interfaces and bridges of `altMetafactory`.
    fn alternative_arguments(
        &mut self,
        file: &LoadedFile,
        site: &Site,
        interfaces: &mut Vec<ClassId>,
        descriptors: &mut Vec<String>,
    ) -> Result<(), Fault> {
        const SERIALIZABLE: i32 = 1;
        const MARKERS: i32 = 2;
        const BRIDGES: i32 = 4;
        let int = |at: usize| match site.arguments.get(at).map(|&index| file.constant(index)) {
            Some(Ok(Constant::Int(value))) => Ok(value),
            _ => Err(file.bad_constant(0)),
        };
        let flags = int(3)?;
        let mut at = 4;
        if flags & MARKERS != 0 {
            let count = int(at)?;
            for offset in 1..=count as usize {
                let index = *site.arguments.get(at + offset).ok_or_else(|| file.bad_constant(0))?;
                interfaces.push(self.pool_class(file, index)?);
            }
            at += 1 + count as usize;
        }
        if flags & SERIALIZABLE != 0 {
            interfaces.push(self.known().serializable);
        }
        if flags & BRIDGES != 0 {
            let count = int(at)?;
            for offset in 1..=count as usize {
                descriptors.push(self.pool_method_type(file, site.arguments.get(at + offset))?);
            }
        }
        Ok(())
    }

    /// A class made by the engine, with a field for each of the descriptors.
    fn new_synthetic_class(
        &mut self,
        name: Sym,
        interfaces: Vec<ClassId>,
        fields: &[&str],
    ) -> Result<ClassId, Fault> {
        let object = self.known().object;
        let access = flags::FINAL | flags::SYNTHETIC;
        let class = self.new_class(name, access, Shape::Instance, Loader::App, Some(object), interfaces);
        for (index, descriptor) in fields.iter().enumerate() {
            let field = Field {
                class,
                name: self.names.intern(&format!("arg${}", index + 1)),
                descriptor: self.names.intern(descriptor),
                kind: Kind::of(descriptor),
                flags: flags::PRIVATE | flags::FINAL,
                word: FIELDS + index as u32,
                signature: None,
            };
            self.classes[class.0 as usize].fields.push(field);
        }
        self.classes[class.0 as usize].instance_words = FIELDS + fields.len() as u32;
        self.finish_class(class)?;
        Ok(class)
    }

    /// Takes the captured values and makes the object that holds them.
    fn lambda_factory(&mut self, class: ClassId, captured: &[&str], descriptor: Sym) -> MethodId {
        let mut code = Assembler::default();
        let words: u16 = captured.iter().map(|captured| Kind::of(captured).words()).sum();
        code.push(Instr::NewChecked { d: words, class: class.0 });
        let mut register = 0;
        for (index, captured) in captured.iter().enumerate() {
            code.push(Instr::PutField { a: words, b: register, word: (FIELDS as usize + index) as u16 });
            register += Kind::of(captured).words();
        }
        code.push(Instr::Return { a: words });
        let name = self.names.intern("get$Lambda");
        let method = self.add_method(class, name, descriptor, flags::STATIC | flags::SYNTHETIC, Code::Missing);
        self.install(method, code.instrs, u32::from(words) + 4);
        method
    }

    /// The method of a lambda's class with descriptor `erased`: it hands the captured values and
    /// its own arguments, converted from `instantiated`, to the implementation.
    fn lambda_body(
        &mut self,
        class: ClassId,
        captured: &[&str],
        erased: &str,
        instantiated: &str,
        handle: Handle,
    ) -> Result<Assembler, Fault> {
        let name = self.class_name(class).to_owned();
        let bad = || Fault::invalid(format!("{name}: a lambda of a malformed type"));
        let (parameters, result) = descriptor::split_method(erased).ok_or_else(bad)?;
        let (given, given_result) = descriptor::split_method(instantiated).ok_or_else(bad)?;
        let target = self.text(self.method(handle.method).descriptor).to_owned();
        let (target_parameters, target_result) = descriptor::split_method(&target).ok_or_else(bad)?;
        // What the implementation takes, its receiver first.
        let receiver = descriptor::of_class(self.class_name(handle.class));
        let mut takes: Vec<&str> = Vec::new();
        if !matches!(handle.kind, reference::STATIC | reference::NEW) {
            takes.push(&receiver);
        }
        takes.extend(target_parameters);
        if given.len() != parameters.len() || captured.len() + given.len() != takes.len() {
            return Err(bad());
        }
        let mut code = Assembler::default();
        let own: u16 = 1 + parameters.iter().map(|parameter| Kind::of(parameter).words()).sum::<u16>();
        let out = own;
        let first = if handle.kind == reference::NEW {
            code.push(Instr::NewChecked { d: out, class: handle.class.0 });
            code.push(Instr::Move { d: out + 1, a: out });
            out + 2
        } else {
            out
        };
        let mut to = first;
        for (index, captured) in captured.iter().enumerate() {
            code.push(Instr::GetField { d: to, a: 0, word: (FIELDS as usize + index) as u16 });
            to += Kind::of(captured).words();
        }
        let mut from = 1;
        for (index, parameter) in parameters.iter().enumerate() {
            code.push(Instr::Move { d: to, a: from });
            from += Kind::of(parameter).words();
            if *parameter != given[index] && Kind::of(given[index]) == Kind::Reference {
                self.emit_cast(&mut code, to, given[index])?;
            }
            let takes = takes[captured.len() + index];
            self.emit_conversion(&mut code, to, given[index], takes)?;
            to += Kind::of(takes).words();
        }
        code.reserve(to);
        let call = first - u16::from(handle.kind == reference::NEW);
        let id = handle.method.0;
        let method = self.method(handle.method);
        code.push(match handle.kind {
            reference::STATIC => Instr::InvokeStaticChecked { a: call, method: id },
            reference::NEW | reference::SPECIAL => Instr::InvokeSpecial { a: call, method: id },
            _ if method.flags & flags::PRIVATE != 0 => Instr::InvokeSpecial { a: call, method: id },
            _ if method.vtable_index.is_some() => Instr::InvokeVirtual { a: call, method: id },
            _ => Instr::InvokeInterface { a: call, method: id },
        });
        if result == "V" {
            code.push(Instr::ReturnVoid);
        } else {
            let gives = if handle.kind == reference::NEW { receiver.as_str() } else { target_result };
            self.emit_conversion(&mut code, out, gives, given_result)?;
            code.push(Instr::Return { a: out });
        }
        let _ = class;
        Ok(code)
    }

    fn class_of_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Fault> {
        let name = descriptor::class_name(descriptor).to_owned();
        self.load_class(&name).map_err(|error| self.load_fault(error))
    }

    fn emit_cast(&mut self, code: &mut Assembler, register: Reg, to: &str) -> Result<(), Fault> {
        if to != "Ljava/lang/Object;" {
            let class = self.class_of_descriptor(to)?;
            code.push(Instr::CheckCast { a: register, class: class.0 });
        }
        Ok(())
    }

    /// Converts the value in a register as a method reference does (JLS §15.13.3): boxing,
    /// unboxing, widening. What it calls uses the registers from `register` on.
    fn emit_conversion(&mut self, code: &mut Assembler, register: Reg, from: &str, to: &str) -> Result<(), Fault> {
        let (from_kind, to_kind) = (Kind::of(from), Kind::of(to));
        match (from_kind, to_kind) {
            (Kind::Reference, Kind::Reference) | (_, Kind::Void) => Ok(()),
            (Kind::Reference, _) => {
                let boxed = [
                    Kind::Boolean,
                    Kind::Byte,
                    Kind::Char,
                    Kind::Short,
                    Kind::Int,
                    Kind::Long,
                    Kind::Float,
                    Kind::Double,
                ]
                .into_iter()
                .find(|kind| descriptor::class_name(from) == kind.box_class())
                .unwrap_or(to_kind);
                self.emit_unbox(code, register, boxed)?;
                emit_widening(code, register, boxed, to_kind);
                Ok(())
            }
            (_, Kind::Reference) => {
                // A primitive is boxed as the type asked for says, else as its own.
                let target = [Kind::Long, Kind::Float, Kind::Double, Kind::Int, Kind::Short]
                    .into_iter()
                    .find(|kind| descriptor::class_name(to) == kind.box_class())
                    .unwrap_or(from_kind);
                emit_widening(code, register, from_kind, target);
                self.emit_box(code, register, target)
            }
            _ => {
                emit_widening(code, register, from_kind, to_kind);
                Ok(())
            }
        }
    }

    /// Boxes the value in a register in place.
    pub(crate) fn emit_box(&mut self, code: &mut Assembler, register: Reg, kind: Kind) -> Result<(), Fault> {
        let method = self.method_named(
            kind.box_class(),
            "valueOf",
            &format!("({})L{};", kind.descriptor(), kind.box_class()),
        )?;
        code.reserve(register + 2);
        code.push(Instr::InvokeStaticChecked { a: register, method: method.0 });
        Ok(())
    }

    /// Unboxes the value in a register in place; null throws `NullPointerException`.
    pub(crate) fn emit_unbox(&mut self, code: &mut Assembler, register: Reg, kind: Kind) -> Result<(), Fault> {
        let class = self.load_class(kind.box_class()).map_err(|error| self.load_fault(error))?;
        let name = format!("{}Value", kind.keyword());
        let method = self.method_named(kind.box_class(), &name, &format!("(){}", kind.descriptor()))?;
        code.push(Instr::CheckCast { a: register, class: class.0 });
        code.reserve(register + 2);
        code.push(Instr::InvokeSpecial { a: register, method: method.0 });
        Ok(())
    }

    /// A method of a JDK class.
    pub(crate) fn method_named(&mut self, class: &str, name: &str, descriptor: &str) -> Result<MethodId, Fault> {
        let id = self.load_class(class).map_err(|error| self.load_fault(error))?;
        let key = (self.names.intern(name), self.names.intern(descriptor));
        self.resolve_method(id, key.0, key.1)
            .ok_or_else(|| Fault::unsupported(format!("{class} has no method {name}{descriptor}")))
    }

    /// A static method made by the engine, in the class of the code that needs it.
    fn add_synthetic(&mut self, file: &LoadedFile, prefix: &str, descriptor: Sym, code: Assembler) -> MethodId {
        let class = self.class_index[&file.info.name];
        self.add_hidden(class, prefix, descriptor, code)
    }

    /// A static method of a class that nobody finds by name.
    fn add_hidden(&mut self, class: ClassId, prefix: &str, descriptor: Sym, code: Assembler) -> MethodId {
        let name = self.names.intern(&format!("{prefix}${}", self.methods.len()));
        let id = self.add_method(class, name, descriptor, flags::STATIC | flags::SYNTHETIC, Code::Missing);
        let class = &mut self.classes[class.0 as usize];
        class.methods.pop();
        class.method_index.remove(&(name, descriptor));
        self.install(id, code.instrs, code.registers);
        id
    }

    /// Code that calls a static method, so that its class is initialised as for any call.
    pub(crate) fn starter(&mut self, method: MethodId) -> Result<MethodId, Fault> {
        let this = self.method(method);
        let (class, descriptor, words) = (this.class, this.descriptor, this.argument_words);
        let is_void = this.result == Kind::Void;
        let mut code = Assembler::default();
        code.reserve(words + 2);
        code.push(Instr::InvokeStaticChecked { a: 0, method: method.0 });
        code.push(if is_void { Instr::ReturnVoid } else { Instr::Return { a: 0 } });
        Ok(self.add_hidden(class, "start", descriptor, code))
    }

    fn permanent_string(&mut self, units: &[u16]) -> Result<Ref, Fault> {
        let literal = self.literal(units)?;
        if self.heap.is_permanent(literal) { Ok(literal) } else { self.new_permanent_string(units) }
    }

    /// `StringConcatFactory`: the pieces are appended one by one.
    fn link_concatenation(&mut self, file: &LoadedFile, site: &Site, recipe: bool) -> Result<MethodId, Fault> {
        /// In a recipe, the place of an argument and of a constant.
        const ARGUMENT: u16 = 1;
        const CONSTANT: u16 = 2;
        let text = self.text(site.descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).ok_or_else(|| file.bad_constant(0))?;
        let units = if recipe {
            match site.arguments.first().map(|&index| file.constant(index)) {
                Some(Ok(Constant::Str(text))) => file.utf16(text).unwrap_or_default(),
                _ => return Err(file.bad_constant(0)),
            }
        } else {
            vec![ARGUMENT; parameters.len()]
        };
        let words: u16 = parameters.iter().map(|parameter| Kind::of(parameter).words()).sum();
        let mut code = Assembler::default();
        let builder = words;
        self.emit_builder(&mut code, builder)?;
        let mut constants = site.arguments.iter().skip(1);
        let (mut parameter, mut register) = (0, 0);
        let mut literal: Vec<u16> = Vec::new();
        for &unit in units.iter().chain([&u16::MAX]) {
            // The end of the recipe flushes too.
            if matches!(unit, ARGUMENT | CONSTANT | u16::MAX) && !literal.is_empty() {
                let text = self.permanent_string(&std::mem::take(&mut literal))?;
                code.push(Instr::Object { d: builder + 2, object: text.0 });
                self.emit_append(&mut code, builder, "Ljava/lang/String;")?;
            }
            match unit {
                ARGUMENT => {
                    let kind = *parameters.get(parameter).ok_or_else(|| file.bad_constant(0))?;
                    code.push(Instr::Move { d: builder + 2, a: register });
                    self.emit_append(&mut code, builder, kind)?;
                    register += Kind::of(kind).words();
                    parameter += 1;
                }
                CONSTANT => {
                    let index = *constants.next().ok_or_else(|| file.bad_constant(0))?;
                    literal.extend(self.constant_text(file, index)?);
                }
                u16::MAX => {}
                other => literal.push(other),
            }
        }
        self.emit_to_string(&mut code, builder)?;
        Ok(self.add_synthetic(file, "concat", site.descriptor, code))
    }

    /// A constant as string concatenation shows it.
    fn constant_text(&mut self, file: &LoadedFile, index: u16) -> Result<Vec<u16>, Fault> {
        match file.constant(index)? {
            Constant::Str(text) => file.utf16(text).ok_or_else(|| file.bad_constant(index)),
            Constant::Int(value) => Ok(value.to_string().encode_utf16().collect()),
            Constant::Long(value) => Ok(value.to_string().encode_utf16().collect()),
            _ => Err(Fault::unsupported("string concatenation with a constant of an unusual type")),
        }
    }

    /// Makes a `StringBuilder` in `builder`.
    fn emit_builder(&mut self, code: &mut Assembler, builder: Reg) -> Result<(), Fault> {
        let init = self.method_named("java/lang/StringBuilder", "<init>", "()V")?;
        let class = self.method(init).class;
        code.push(Instr::NewChecked { d: builder, class: class.0 });
        code.push(Instr::Move { d: builder + 1, a: builder });
        code.reserve(builder + 4);
        code.push(Instr::InvokeSpecial { a: builder + 1, method: init.0 });
        Ok(())
    }

    /// Appends the value in `builder + 2`, which is of the type given.
    fn emit_append(&mut self, code: &mut Assembler, builder: Reg, descriptor: &str) -> Result<(), Fault> {
        let parameter = match Kind::of(descriptor) {
            Kind::Byte | Kind::Short => "I",
            Kind::Reference if descriptor == "Ljava/lang/String;" => descriptor,
            kind => kind.descriptor(),
        };
        let descriptor = format!("({parameter})Ljava/lang/StringBuilder;");
        let append = self.method_named("java/lang/StringBuilder", "append", &descriptor)?;
        code.push(Instr::Move { d: builder + 1, a: builder });
        code.reserve(builder + 4);
        code.push(Instr::InvokeSpecial { a: builder + 1, method: append.0 });
        Ok(())
    }

    /// Returns what the builder holds.
    fn emit_to_string(&mut self, code: &mut Assembler, builder: Reg) -> Result<(), Fault> {
        let to_string = self.method_named("java/lang/StringBuilder", "toString", "()Ljava/lang/String;")?;
        code.push(Instr::InvokeSpecial { a: builder, method: to_string.0 });
        code.push(Instr::Return { a: builder });
        Ok(())
    }

    /// `ObjectMethods`: `toString`, `hashCode` and `equals` of a record.
    fn link_record_method(&mut self, file: &LoadedFile, site: &Site) -> Result<MethodId, Fault> {
        let class = *site.arguments.first().ok_or_else(|| file.bad_constant(0))?;
        let class = self.pool_class(file, class)?;
        let fields = self.class(class).fields.clone();
        let components: Vec<Field> = fields.into_iter().filter(|field| !field.is_static()).collect();
        let mut code = Assembler::default();
        match self.text(site.name) {
            "toString" => self.emit_record_text(&mut code, class, &components)?,
            "hashCode" => self.emit_record_hash(&mut code, &components)?,
            "equals" => self.emit_record_equals(&mut code, class, &components)?,
            other => return Err(Fault::unsupported(format!("record method {other}"))),
        }
        Ok(self.add_synthetic(file, "record", site.descriptor, code))
    }

    fn emit_record_text(&mut self, code: &mut Assembler, class: ClassId, components: &[Field]) -> Result<(), Fault> {
        let name = self.simple_name(class);
        let builder = 1;
        self.emit_builder(code, builder)?;
        for (index, field) in components.iter().enumerate() {
            let separator = if index == 0 { format!("{name}[") } else { ", ".to_owned() };
            let label = format!("{separator}{}=", self.text(field.name));
            self.emit_text(code, builder, &label)?;
            code.push(Instr::GetField { d: builder + 2, a: 0, word: field.word as u16 });
            let descriptor = self.text(field.descriptor).to_owned();
            self.emit_append(code, builder, &descriptor)?;
        }
        let end = if components.is_empty() { format!("{name}[]") } else { "]".to_owned() };
        self.emit_text(code, builder, &end)?;
        self.emit_to_string(code, builder)
    }

    fn emit_text(&mut self, code: &mut Assembler, builder: Reg, text: &str) -> Result<(), Fault> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let text = self.permanent_string(&units)?;
        code.push(Instr::Object { d: builder + 2, object: text.0 });
        self.emit_append(code, builder, "Ljava/lang/String;")
    }

    fn emit_record_hash(&mut self, code: &mut Assembler, components: &[Field]) -> Result<(), Fault> {
        let (sum, factor, value) = (1, 2, 3);
        code.push(Instr::Int { d: sum, value: 0 });
        code.push(Instr::Int { d: factor, value: 31 });
        for field in components {
            let (class, parameter) = match field.kind {
                Kind::Reference => ("java/util/Objects", "Ljava/lang/Object;"),
                kind => (kind.box_class(), kind.descriptor()),
            };
            let hash = self.method_named(class, "hashCode", &format!("({parameter})I"))?;
            code.push(Instr::GetField { d: value, a: 0, word: field.word as u16 });
            code.push(Instr::InvokeStaticChecked { a: value, method: hash.0 });
            code.push(Instr::IMul { d: sum, a: sum, b: factor });
            code.push(Instr::IAdd { d: sum, a: sum, b: value });
        }
        code.reserve(value + 2);
        code.push(Instr::Return { a: sum });
        Ok(())
    }

    fn emit_record_equals(&mut self, code: &mut Assembler, class: ClassId, components: &[Field]) -> Result<(), Fault> {
        let (left, right) = (2, 4);
        code.push(Instr::Move { d: left, a: 1 });
        code.push(Instr::InstanceOf { d: left, class: class.0 });
        code.push(Instr::IfNe { a: left, to: 3 });
        code.push(Instr::Int { d: left, value: 0 });
        code.push(Instr::Return { a: left });
        for field in components {
            let word = field.word as u16;
            // Two words each, so that doubles stand where a call wants them.
            let second = left + field.kind.words();
            code.push(Instr::GetField { d: left, a: 0, word });
            code.push(Instr::GetField { d: second, a: 1, word });
            let (callee, equal_is) = match field.kind {
                Kind::Reference => {
                    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    (self.method_named("java/util/Objects", "equals", descriptor)?, true)
                }
                kind => {
                    let descriptor = format!("({0}{0})I", kind.descriptor());
                    (self.method_named(kind.box_class(), "compare", &descriptor)?, false)
                }
            };
            code.push(Instr::InvokeStaticChecked { a: left, method: callee.0 });
            code.push(if equal_is { Instr::IfNe { a: left, to: 3 } } else { Instr::IfEq { a: left, to: 3 } });
            code.push(Instr::Int { d: left, value: 0 });
            code.push(Instr::Return { a: left });
        }
        code.reserve(right + 2);
        code.push(Instr::Int { d: left, value: 1 });
        code.push(Instr::Return { a: left });
        Ok(())
    }

    /// A class's name as `Class.getSimpleName` gives it.
    #[must_use]
    pub fn simple_name(&self, class: ClassId) -> String {
        let this = self.class(class);
        let inner = this.file.as_ref().and_then(|file| {
            file.info.inner_classes.iter().find(|inner| inner.inner == this.name).map(|inner| inner.name)
        });
        match inner {
            Some(Some(name)) => self.text(name).to_owned(),
            Some(None) => String::new(),
            None => {
                let name = self.class_name(class);
                name.rsplit_once('/').map_or(name, |(_, simple)| simple).to_owned()
            }
        }
    }

    /// A constant that is neither text, number nor class.
    pub(crate) fn load_dynamic_constant(&mut self, file: &LoadedFile, index: u16) -> Result<u64, Fault> {
        Err(Fault::unsupported(match file.constant(index)? {
            Constant::MethodHandle { .. } => "a method handle as a constant".to_owned(),
            Constant::MethodType(_) => "a method type as a constant".to_owned(),
            _ => "a dynamically computed constant".to_owned(),
        }))
    }
}

fn call_static(a: Reg, method: MethodId) -> Instr {
    Instr::InvokeStatic { a, method: method.0 }
}

/// JLS §5.1.2, in place.
pub(crate) fn emit_widening(code: &mut Assembler, register: Reg, from: Kind, to: Kind) {
    let (d, a) = (register, register);
    match (from, to) {
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Long) => code.push(Instr::I2L { d, a }),
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Float) => code.push(Instr::I2F { d, a }),
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Double) => code.push(Instr::I2D { d, a }),
        (Kind::Long, Kind::Float) => code.push(Instr::L2F { d, a }),
        (Kind::Long, Kind::Double) => code.push(Instr::L2D { d, a }),
        (Kind::Float, Kind::Double) => code.push(Instr::F2D { d, a }),
        _ => {}
    }
}

/// Register code under construction.
#[derive(Default)]
pub(crate) struct Assembler {
    pub(crate) instrs: Vec<Instr>,
    /// Registers needed so far.
    pub(crate) registers: u32,
}

impl Assembler {
    pub(crate) fn push(&mut self, instr: Instr) {
        if let Instr::Move { d, .. }
        | Instr::Int { d, .. }
        | Instr::Object { d, .. }
        | Instr::GetField { d, .. }
        | Instr::NewChecked { d, .. }
        | Instr::RefLoad { d, .. } = instr
        {
            self.reserve(d + 2);
        }
        self.instrs.push(instr);
    }

    /// Registers below `end` are used.
    pub(crate) fn reserve(&mut self, end: Reg) {
        self.registers = self.registers.max(u32::from(end) + 2);
    }
}
