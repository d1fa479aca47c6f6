//! Constants and call sites that bootstrap methods compute (JVMS §5.4.3.6).
//!
//! A computed constant is the static field of a generated class, whose initialiser computes it by
//! the JDK's own `java.lang.invoke`. Going back forgets it as it forgets any static field.

use crate::assembler::{Assembler, call_static};
use crate::class::{ClassId, Code, Field, LoadedFile, Loader, MethodId, Shape, flags};
use crate::classfile::{Bootstrap, Constant};
use crate::descriptor::{self, Kind};
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::natives::basic_descriptor;
use crate::vm::{Fault, Vm};

/// Infix between a class name and a number in the name of a class that holds a constant.
const COMPUTED: &str = "$$Computed/";
const OBJECT: &str = "Ljava/lang/Object;";

impl Vm {
    /// Static field with a constant of the type `descriptor`. `emit` generates the code that
    /// leaves it in register 0.
    pub(crate) fn computed(
        &mut self,
        name: &str,
        descriptor: &str,
        emit: impl FnOnce(&mut Vm, &mut Assembler) -> Result<(), Fault>,
    ) -> Result<u32, Fault> {
        let name = self.names.intern(name);
        let class = match self.class_index.get(&name) {
            Some(&class) => class,
            None => {
                let descriptor = self.names.intern(descriptor);
                self.new_holder(name, descriptor, emit)?
            }
        };
        let field = self.class(class).fields[0].clone();
        Ok(self.static_site(&field))
    }

    fn new_holder(
        &mut self,
        name: Sym,
        descriptor: Sym,
        emit: impl FnOnce(&mut Vm, &mut Assembler) -> Result<(), Fault>,
    ) -> Result<ClassId, Fault> {
        // The code comes first: a class whose code cannot be made must not be found later.
        let mut code = Assembler::default();
        emit(self, &mut code)?;
        let block = self.heap.allocate_cells(2)?;
        code.push(Instr::PutStatic {
            a: 0,
            at: block + 1,
        });
        code.push(Instr::ReturnVoid);
        let object = self.known().object;
        let class = self.new_class(
            name,
            flags::FINAL | flags::SYNTHETIC,
            Shape::Instance,
            Loader::Boot,
            Some(object),
            Vec::new(),
        );
        let field = Field {
            class,
            name: self.names.intern("value"),
            descriptor,
            kind: Kind::of(self.text(descriptor)),
            flags: flags::STATIC | flags::SYNTHETIC,
            word: block + 1,
            signature: None,
            is_annotated: false,
        };
        let key = (self.names.intern("<clinit>"), self.names.intern("()V"));
        let access = flags::STATIC | flags::SYNTHETIC;
        let clinit = self.add_method(class, key.0, key.1, access, Code::Missing);
        self.install(clinit, code);
        let this = &mut self.classes[class.0 as usize];
        this.statics = block;
        this.fields = vec![field];
        this.clinit = Some(clinit);
        self.finish_class(class)?;
        Ok(class)
    }

    /// Static field with the `MethodType` of a descriptor in the running code.
    pub(crate) fn method_type_site(&mut self, text: &str) -> Result<u32, Fault> {
        let user = self.running_class();
        let space = self.name_space(user);
        let name = format!("java/lang/invoke/MethodType{COMPUTED}{text}{space}");
        self.computed(&name, OBJECT, |vm, code| {
            vm.emit_method_type(code, (user, text), 0)
        })
    }

    /// Static field with a constant of a class's pool that is computed at run time.
    pub(crate) fn constant_site(&mut self, file: &LoadedFile, index: u16) -> Result<u32, Fault> {
        let constant = file.constant(index)?;
        let descriptor = match constant {
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.pool_name_and_type(file, name_and_type)?;
                self.text(descriptor).to_owned()
            }
            _ => OBJECT.to_owned(),
        };
        let name = format!("{}{COMPUTED}{index}", self.unique_name(file.class));
        self.computed(&name, &descriptor.clone(), |vm, code| match constant {
            Constant::MethodType(text) => {
                let text = vm.pool_text(file, text)?;
                let text = vm.text(text).to_owned();
                vm.emit_method_type(code, (file.class, &text), 0)
            }
            Constant::MethodHandle { kind, reference } => {
                vm.emit_handle(code, file, (kind, reference), 0)
            }
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            } => {
                let bootstrap = file.bootstrap(bootstrap, index)?;
                let (name, _) = vm.pool_name_and_type(file, name_and_type)?;
                let class = vm.class_of_type(file.class, &descriptor)?;
                vm.emit_bootstrap(code, file, &bootstrap, name, |vm, code, at| {
                    code.push(Instr::Object {
                        d: at,
                        object: vm.class(class).mirror.0,
                    });
                    Ok(())
                })?;
                let make = vm.method_named(
                    "java/lang/invoke/ConstantBootstraps",
                    "makeConstant",
                    "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
                )?;
                code.push(vm.call_instr(make, 0));
                match Kind::of(&descriptor) {
                    Kind::Reference => vm.emit_cast(code, 0, (file.class, &descriptor)),
                    kind => vm.emit_unbox(code, 0, kind),
                }
            }
            _ => Err(file.bad_constant(index)),
        })
    }

    /// Links an `invokedynamic` by its bootstrap method: returns a call of the site's target.
    pub(crate) fn link_by_bootstrap(
        &mut self,
        file: &LoadedFile,
        a: Reg,
        bootstrap: &Bootstrap,
        (name, descriptor): (Sym, Sym),
    ) -> Result<Instr, Fault> {
        let text = self.text(descriptor).to_owned();
        let owner = self.unique_name(file.class);
        // Each instruction has a call site of its own.
        let holder = format!("{owner}{COMPUTED}site{}", self.methods.len());
        let site = self.computed(&holder, OBJECT, |vm, code| {
            vm.emit_bootstrap(code, file, bootstrap, name, |vm, code, at| {
                vm.emit_method_type(code, (file.class, &text), at)
            })?;
            let make = vm.method_named(
                "java/lang/invoke/CallSite",
                "makeSite",
                "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/invoke/CallSite;",
            )?;
            code.push(vm.call_instr(make, 0));
            Ok(())
        })?;
        let target = self.method_named(
            "java/lang/invoke/CallSite",
            "getTarget",
            "()Ljava/lang/invoke/MethodHandle;",
        )?;
        let (parameters, result) = descriptor::split_method(&text)
            .ok_or_else(|| Fault::invalid(format!("a call site of type {text}")))?;
        let words: Reg = parameters.iter().map(|text| Kind::of(text).words()).sum();
        let mut code = Assembler::default();
        code.reserve(words);
        code.push(Instr::GetStaticChecked { d: words, site });
        code.push(self.call_instr(target, words));
        self.emit_basic_call(&mut code, &text, 0, words)?;
        code.push(match result {
            "V" => Instr::ReturnVoid,
            _ => Instr::Return { a: words },
        });
        let method = self.add_synthetic(file, "dynamic", descriptor, code);
        Ok(call_static(a, method))
    }

    /// Calls the handle in register `handle` on arguments of a method type that start in `from`.
    /// The result is in `handle`.
    pub(crate) fn emit_basic_call(
        &mut self,
        code: &mut Assembler,
        text: &str,
        from: Reg,
        handle: Reg,
    ) -> Result<(), Fault> {
        let malformed = || Fault::invalid(format!("a method type {text}"));
        let basic = basic_descriptor(text).ok_or_else(malformed)?;
        let invoker = self.basic_invoker(&basic)?;
        let (parameters, _) = descriptor::split_method(text).ok_or_else(malformed)?;
        let (mut from, mut to) = (from, handle + 1);
        for parameter in parameters {
            code.push(Instr::Move { d: to, a: from });
            from += Kind::of(parameter).words();
            to += Kind::of(parameter).words();
        }
        code.reserve(to + 2);
        code.push(Instr::InvokeSpecial {
            a: handle,
            method: invoker.0,
        });
        Ok(())
    }

    /// Puts the arguments of `makeSite` or `makeConstant` into the registers from 0 on.
    fn emit_bootstrap(
        &mut self,
        code: &mut Assembler,
        file: &LoadedFile,
        bootstrap: &Bootstrap,
        name: Sym,
        emit_type: impl FnOnce(&mut Vm, &mut Assembler, Reg) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Constant::MethodHandle { kind, reference } = file.constant(bootstrap.handle)? else {
            return Err(file.bad_constant(bootstrap.handle));
        };
        self.emit_handle(code, file, (kind, reference), 0)?;
        self.emit_text(code, name, 1)?;
        emit_type(self, code, 2)?;
        match *bootstrap.arguments.as_slice() {
            [] => code.push(Instr::Int { d: 3, value: 0 }),
            [only] => self.emit_constant(code, file, only, 3)?,
            ref several => {
                let objects = self.known().objects;
                code.push(Instr::Int {
                    d: 3,
                    value: several.len() as i32,
                });
                code.push(Instr::NewArray {
                    d: 3,
                    class: objects.0,
                });
                for (place, &argument) in several.iter().enumerate() {
                    self.emit_constant(code, file, argument, 5)?;
                    code.store_element(3, place);
                }
            }
        }
        self.emit_caller(code, file, 4);
        code.reserve(6);
        Ok(())
    }

    fn emit_caller(&mut self, code: &mut Assembler, file: &LoadedFile, at: Reg) {
        code.push(Instr::Object {
            d: at,
            object: self.class(file.class).mirror.0,
        });
    }

    fn emit_text(&mut self, code: &mut Assembler, text: Sym, at: Reg) -> Result<(), Fault> {
        let units: Vec<u16> = self.text(text).encode_utf16().collect();
        let cell = self.literal_cell(&units)?;
        code.push(Instr::Literal { d: at, cell });
        Ok(())
    }

    fn emit_method_type(
        &mut self,
        code: &mut Assembler,
        (user, text): (ClassId, &str),
        at: Reg,
    ) -> Result<(), Fault> {
        let descriptor = self.names.intern(text);
        let (parameters, result) = self.classes_of_method(user, descriptor)?;
        let classes = self.known().classes;
        code.push(Instr::Object {
            d: at,
            object: self.class(result).mirror.0,
        });
        code.push(Instr::Int {
            d: at + 1,
            value: parameters.len() as i32,
        });
        code.push(Instr::NewArray {
            d: at + 1,
            class: classes.0,
        });
        for (place, parameter) in parameters.into_iter().enumerate() {
            code.push(Instr::Object {
                d: at + 3,
                object: self.class(parameter).mirror.0,
            });
            code.store_element(at + 1, place);
        }
        let find = self.method_named(
            "java/lang/invoke/MethodHandleNatives",
            "findMethodHandleType",
            "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
        )?;
        code.reserve(at + 4);
        code.push(self.call_instr(find, at));
        Ok(())
    }

    /// Loads the method handle of a pool entry.
    fn emit_handle(
        &mut self,
        code: &mut Assembler,
        file: &LoadedFile,
        (kind, reference): (u8, u16),
        at: Reg,
    ) -> Result<(), Fault> {
        let (class, name_and_type, is_field) = match file.constant(reference)? {
            Constant::Method {
                class,
                name_and_type,
                ..
            } => (class, name_and_type, false),
            Constant::Field {
                class,
                name_and_type,
            } => (class, name_and_type, true),
            _ => return Err(file.bad_constant(reference)),
        };
        let class = self.pool_class(file, class)?;
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        self.emit_caller(code, file, at);
        code.push(Instr::Int {
            d: at + 1,
            value: i32::from(kind),
        });
        code.push(Instr::Object {
            d: at + 2,
            object: self.class(class).mirror.0,
        });
        self.emit_text(code, name, at + 3)?;
        let text = self.text(descriptor).to_owned();
        if is_field {
            let class = self.class_of_type(file.class, &text)?;
            code.push(Instr::Object {
                d: at + 4,
                object: self.class(class).mirror.0,
            });
        } else {
            self.emit_method_type(code, (file.class, &text), at + 4)?;
        }
        let link = self.method_named(
            "java/lang/invoke/MethodHandleNatives",
            "linkMethodHandleConstant",
            "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
        )?;
        code.reserve(at + 6);
        code.push(self.call_instr(link, at));
        Ok(())
    }

    /// Loads a static argument of a bootstrap method, boxed.
    fn emit_constant(
        &mut self,
        code: &mut Assembler,
        file: &LoadedFile,
        index: u16,
        at: Reg,
    ) -> Result<(), Fault> {
        match file.constant(index)? {
            Constant::Int(value) => {
                code.push(Instr::Int { d: at, value });
                self.emit_box(code, at, Kind::Int)
            }
            Constant::Float(bits) => {
                code.push(Instr::Int {
                    d: at,
                    value: bits as i32,
                });
                self.emit_box(code, at, Kind::Float)
            }
            Constant::Long(value) => {
                self.wide.push(value as u64);
                code.push(Instr::Wide {
                    d: at,
                    index: self.wide.len() as u32 - 1,
                });
                self.emit_box(code, at, Kind::Long)
            }
            Constant::Double(bits) => {
                self.wide.push(bits);
                code.push(Instr::Wide {
                    d: at,
                    index: self.wide.len() as u32 - 1,
                });
                self.emit_box(code, at, Kind::Double)
            }
            Constant::Str(text) => {
                let units = file.utf16(text).ok_or_else(|| file.bad_constant(index))?;
                let cell = self.literal_cell(&units)?;
                code.push(Instr::Literal { d: at, cell });
                Ok(())
            }
            Constant::Class(_) => {
                let class = self.pool_class(file, index)?;
                code.push(Instr::Object {
                    d: at,
                    object: self.class(class).mirror.0,
                });
                Ok(())
            }
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.pool_name_and_type(file, name_and_type)?;
                let kind = Kind::of(self.text(descriptor));
                let site = self.constant_site(file, index)?;
                code.push(Instr::GetStaticChecked { d: at, site });
                match kind {
                    Kind::Reference => Ok(()),
                    kind => self.emit_box(code, at, kind),
                }
            }
            Constant::MethodHandle { .. } | Constant::MethodType(_) => {
                let site = self.constant_site(file, index)?;
                code.push(Instr::GetStaticChecked { d: at, site });
                Ok(())
            }
            _ => Err(file.bad_constant(index)),
        }
    }

    /// Static method that calls a handle as `invoke` or `invokeExact` with a descriptor does. It
    /// takes the handle and the arguments.
    pub(crate) fn handle_call(&mut self, exact: bool, text: &str) -> Result<MethodId, Fault> {
        let name = if exact { "invokeExact" } else { "invoke" };
        let key = format!("{name} {text}{}", self.name_space(self.running_class()));
        let own = text.replacen('(', "(Ljava/lang/Object;", 1);
        self.once(&key, "java/lang/invoke/Invokers", &own, |vm, code| {
            vm.emit_handle_call(code, exact, text)
        })
    }

    fn emit_handle_call(
        &mut self,
        code: &mut Assembler,
        exact: bool,
        text: &str,
    ) -> Result<(), Fault> {
        let malformed = || Fault::invalid(format!("a method type {text}"));
        let (parameters, result) = descriptor::split_method(text).ok_or_else(malformed)?;
        let words: Reg = 1 + parameters
            .iter()
            .map(|text| Kind::of(text).words())
            .sum::<Reg>();
        let site = self.method_type_site(text)?;
        let check = match exact {
            true => self.method_named(
                "java/lang/invoke/Invokers",
                "checkExactType",
                "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)V",
            )?,
            false => self.method_named(
                "java/lang/invoke/Invokers",
                "checkGenericType",
                "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            )?,
        };
        code.reserve(words + 2);
        code.push(Instr::Move { d: words, a: 0 });
        code.push(Instr::GetStaticChecked { d: words + 1, site });
        code.push(self.call_instr(check, words));
        if exact {
            code.push(Instr::Move { d: words, a: 0 });
        }
        self.emit_basic_call(code, text, 1, words)?;
        code.push(match result {
            "V" => Instr::ReturnVoid,
            _ => Instr::Return { a: words },
        });
        Ok(())
    }

    /// Static method that accesses a variable by one of the JDK's own handles. It takes the
    /// handle and the arguments of the call.
    pub(crate) fn variable_call(&mut self, name: &str, text: &str) -> Result<MethodId, Fault> {
        let own = text.replacen('(', "(Ljava/lang/Object;", 1);
        let key = format!("access {name} {text}");
        self.once(&key, "java/lang/invoke/Invokers", &own, |vm, code| {
            vm.emit_variable_call(code, name, text, &own)
        })
    }

    fn emit_variable_call(
        &mut self,
        code: &mut Assembler,
        name: &str,
        text: &str,
        own: &str,
    ) -> Result<(), Fault> {
        let malformed = || Fault::invalid(format!("a method type {text}"));
        let (parameters, result) = descriptor::split_method(own).ok_or_else(malformed)?;
        let words: Reg = parameters.iter().map(|text| Kind::of(text).words()).sum();
        let holder = format!("java/lang/invoke/VarHandle{COMPUTED}{name}{text}");
        let site = self.computed(&holder, OBJECT, |vm, code| {
            vm.emit_access_descriptor(code, name, text)
        })?;
        let check = self.method_named(
            "java/lang/invoke/Invokers",
            "checkVarHandleGenericType",
            "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandle$AccessDescriptor;)Ljava/lang/invoke/MethodHandle;",
        )?;
        let direct = self.method_named(
            "java/lang/invoke/Invokers",
            "directVarHandleTarget",
            "(Ljava/lang/invoke/VarHandle;)Ljava/lang/invoke/VarHandle;",
        )?;
        code.reserve(words + 2);
        code.push(Instr::Move { d: words, a: 0 });
        code.push(Instr::GetStaticChecked { d: words + 1, site });
        code.push(self.call_instr(check, words));
        code.push(Instr::Move { d: words + 1, a: 0 });
        code.push(self.call_instr(direct, words + 1));
        code.push(Instr::Move { d: 0, a: words + 1 });
        self.emit_basic_call(code, own, 0, words)?;
        code.push(match result {
            "V" => Instr::ReturnVoid,
            _ => Instr::Return { a: words },
        });
        Ok(())
    }

    /// Makes the `AccessDescriptor` of an access by its name and type, in register 0.
    fn emit_access_descriptor(
        &mut self,
        code: &mut Assembler,
        name: &str,
        text: &str,
    ) -> Result<(), Fault> {
        const MODE: &str = "java/lang/invoke/VarHandle$AccessMode";
        let find = self.method_named(
            MODE,
            "valueFromMethodName",
            "(Ljava/lang/String;)Ljava/lang/invoke/VarHandle$AccessMode;",
        )?;
        let ordinal = self.method_named("java/lang/Enum", "ordinal", "()I")?;
        let init = self.method_named(
            "java/lang/invoke/VarHandle$AccessDescriptor",
            "<init>",
            "(Ljava/lang/invoke/MethodType;II)V",
        )?;
        let mode = self.method(find).class;
        let word = u16::try_from(self.word_of(mode, "at")?)
            .map_err(|_| Fault::unsupported("a class of too many fields"))?;
        let name = self.names.intern(name);
        code.push(Instr::NewChecked {
            d: 0,
            class: self.method(init).class.0,
        });
        code.push(Instr::Move { d: 1, a: 0 });
        self.emit_method_type(code, (self.running_class(), text), 2)?;
        // A call changes the registers behind its first.
        self.emit_text(code, name, 3)?;
        code.push(self.call_instr(find, 3));
        code.push(Instr::GetField { d: 4, a: 3, word });
        code.push(self.call_instr(ordinal, 4));
        code.push(Instr::Move { d: 5, a: 3 });
        code.push(Instr::Move { d: 3, a: 4 });
        code.push(Instr::Move { d: 4, a: 5 });
        code.push(self.call_instr(ordinal, 4));
        code.push(Instr::InvokeSpecial {
            a: 1,
            method: init.0,
        });
        Ok(())
    }
}

impl LoadedFile {
    /// Entry of the bootstrap methods, which the pool entry `index` refers to.
    pub(crate) fn bootstrap(&self, bootstrap: u16, index: u16) -> Result<Bootstrap, Fault> {
        self.info
            .bootstraps
            .get(bootstrap as usize)
            .cloned()
            .ok_or_else(|| self.bad_constant(index))
    }
}
