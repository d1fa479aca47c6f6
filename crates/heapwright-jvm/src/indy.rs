//! `invokedynamic`, lambdas and method references, linked natively. The JDK's bootstrap methods
//! would generate hidden classes; here they are register code, so that linking never recurses and
//! is reversible.

use crate::assembler::{Assembler, call_static};
use crate::class::{ClassId, Code, Field, LoadedFile, Loader, MethodId, Shape, flags};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};
use crate::heap::FIELDS;
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// Call site to link.
pub(crate) struct CallSite {
    pub(crate) name: Sym,
    pub(crate) descriptor: Sym,
    /// Static arguments of the bootstrap method, as pool indices.
    pub(crate) arguments: Vec<u16>,
}

/// Resolved method handle of the constant pool.
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

/// Infix between a class name and a number in the name of a lambda's class.
pub(crate) const LAMBDA: &str = "$$Lambda/";

impl Vm {
    /// Links an `invokedynamic`: returns a call of generated code, or the load of an existing
    /// object.
    pub(crate) fn link_call_site(
        &mut self,
        file: &LoadedFile,
        a: Reg,
        index: u16,
    ) -> Result<Instr, Fault> {
        let Constant::InvokeDynamic {
            bootstrap,
            name_and_type,
        } = file.constant(index)?
        else {
            return Err(file.bad_constant(index));
        };
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        let bootstrap = file.bootstrap(bootstrap, index)?;
        let (owner, method) = self.bootstrap_name(file, bootstrap.handle)?;
        let site = CallSite {
            name,
            descriptor,
            arguments: bootstrap.arguments.clone(),
        };
        match (owner.as_str(), method.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.link_lambda(file, a, index, &site, method == "altMetafactory")
            }
            ("java/lang/invoke/StringConcatFactory", _) => {
                let recipe = method == "makeConcatWithConstants";
                self.link_concatenation(file, &site, recipe)
                    .map(|method| call_static(a, method))
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self
                .link_record_method(file, &site)
                .map(|method| call_static(a, method)),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => self
                .link_switch(file, &site, method == "enumSwitch")
                .map(|method| call_static(a, method)),
            _ => self.link_by_bootstrap(file, a, &bootstrap, (name, descriptor)),
        }
    }

    pub(crate) fn bootstrap_name(
        &mut self,
        file: &LoadedFile,
        handle: u16,
    ) -> Result<(String, String), Fault> {
        let Constant::MethodHandle { reference, .. } = file.constant(handle)? else {
            return Err(file.bad_constant(handle));
        };
        let Constant::Method {
            class,
            name_and_type,
            ..
        } = file.constant(reference)?
        else {
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
        Ok(Handle {
            kind,
            class,
            method,
        })
    }

    fn pool_method_type(
        &mut self,
        file: &LoadedFile,
        index: Option<&u16>,
    ) -> Result<String, Fault> {
        let index = *index.ok_or_else(|| file.bad_constant(0))?;
        let Constant::MethodType(descriptor) = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        let descriptor = self.pool_text(file, descriptor)?;
        Ok(self.text(descriptor).to_owned())
    }

    /// `LambdaMetafactory`: makes a class with a field for each captured value, whose methods
    /// call the implementation.
    fn link_lambda(
        &mut self,
        file: &LoadedFile,
        a: Reg,
        index: u16,
        site: &CallSite,
        alternative: bool,
    ) -> Result<Instr, Fault> {
        let site_text = self.text(site.descriptor).to_owned();
        let (captured, result) =
            descriptor::split_method(&site_text).ok_or_else(|| file.bad_constant(index))?;
        let interface = self.class_of_type(file.class, result)?;
        let erased = self.pool_method_type(file, site.arguments.first())?;
        let handle = *site
            .arguments
            .get(1)
            .ok_or_else(|| file.bad_constant(index))?;
        let handle = self.pool_handle(file, handle)?;
        let instantiated = self.pool_method_type(file, site.arguments.get(2))?;
        let mut interfaces = vec![interface];
        let mut descriptors = vec![erased];
        if alternative {
            self.alternative_arguments(file, site, &mut interfaces, &mut descriptors)?;
        }
        let class_name = format!("{}{LAMBDA}{index}", self.unique_name(file.class));
        let class_name = self.names.intern(&class_name);
        let class = match self.class_index.get(&class_name) {
            Some(&class) => class,
            None => {
                let class = self.new_synthetic_class(class_name, interfaces, &captured)?;
                for text in descriptors {
                    let code = self.lambda_body(
                        (file.class, class),
                        &captured,
                        (&text, &instantiated),
                        handle,
                    )?;
                    let descriptor = self.names.intern(&text);
                    let flags = flags::PUBLIC | flags::SYNTHETIC;
                    let method =
                        self.add_method(class, site.name, descriptor, flags, Code::Missing);
                    self.install(method, code);
                }
                self.build_vtable(class);
                class
            }
        };
        if captured.is_empty() {
            let words = self.class(class).instance_words;
            let object = self.heap.allocate(class, words, true)?;
            return Ok(Instr::Object {
                d: a,
                object: object.0,
            });
        }
        let factory = self.lambda_factory(class, &captured, site.descriptor);
        Ok(call_static(a, factory))
    }

    /// Parses flags, marker interfaces and bridges of `altMetafactory`.
    fn alternative_arguments(
        &mut self,
        file: &LoadedFile,
        site: &CallSite,
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
                let index = *site
                    .arguments
                    .get(at + offset)
                    .ok_or_else(|| file.bad_constant(0))?;
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

    /// Generates a class with a field for each of the descriptors.
    fn new_synthetic_class(
        &mut self,
        name: Sym,
        interfaces: Vec<ClassId>,
        fields: &[&str],
    ) -> Result<ClassId, Fault> {
        let object = self.known().object;
        let access = flags::FINAL | flags::SYNTHETIC;
        let class = self.new_class(
            name,
            access,
            Shape::Instance,
            Loader::App,
            Some(object),
            interfaces,
        );
        for (index, descriptor) in fields.iter().enumerate() {
            let field = Field {
                class,
                name: self.names.intern(&format!("arg${}", index + 1)),
                descriptor: self.names.intern(descriptor),
                kind: Kind::of(descriptor),
                flags: flags::PRIVATE | flags::FINAL,
                word: FIELDS + index as u32,
                signature: None,
                is_annotated: false,
            };
            self.classes[class.0 as usize].fields.push(field);
        }
        self.classes[class.0 as usize].instance_words = FIELDS + fields.len() as u32;
        self.finish_class(class)?;
        Ok(class)
    }

    /// Generates the method that takes the captured values and creates the object with them.
    fn lambda_factory(&mut self, class: ClassId, captured: &[&str], descriptor: Sym) -> MethodId {
        let mut code = Assembler::default();
        let words: u16 = captured
            .iter()
            .map(|captured| Kind::of(captured).words())
            .sum();
        code.push(Instr::NewChecked {
            d: words,
            class: class.0,
        });
        let mut register = 0;
        for (index, captured) in captured.iter().enumerate() {
            code.push(Instr::PutField {
                a: words,
                b: register,
                word: (FIELDS as usize + index) as u16,
            });
            register += Kind::of(captured).words();
        }
        code.push(Instr::Return { a: words });
        let name = self.names.intern("get$Lambda");
        let method = self.add_method(
            class,
            name,
            descriptor,
            flags::STATIC | flags::SYNTHETIC,
            Code::Missing,
        );
        code.reserve(words + 2);
        self.install(method, code);
        method
    }

    /// Generates the method of a lambda's class with descriptor `erased`. It passes the captured
    /// values and its own arguments, converted from `instantiated`, to the implementation.
    fn lambda_body(
        &mut self,
        (user, class): (ClassId, ClassId),
        captured: &[&str],
        (erased, instantiated): (&str, &str),
        handle: Handle,
    ) -> Result<Assembler, Fault> {
        let name = self.class_name(class).to_owned();
        let bad = || Fault::invalid(format!("{name}: a lambda of a malformed type"));
        let (parameters, result) = descriptor::split_method(erased).ok_or_else(bad)?;
        let (given, given_result) = descriptor::split_method(instantiated).ok_or_else(bad)?;
        let target = self.text(self.method(handle.method).descriptor).to_owned();
        let (target_parameters, target_result) =
            descriptor::split_method(&target).ok_or_else(bad)?;
        // Parameters of the implementation, its receiver first.
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
        let own: u16 = 1 + parameters
            .iter()
            .map(|parameter| Kind::of(parameter).words())
            .sum::<u16>();
        let out = own;
        let first = if handle.kind == reference::NEW {
            code.push(Instr::NewChecked {
                d: out,
                class: handle.class.0,
            });
            code.push(Instr::Move { d: out + 1, a: out });
            out + 2
        } else {
            out
        };
        let mut to = first;
        for (index, captured) in captured.iter().enumerate() {
            code.push(Instr::GetField {
                d: to,
                a: 0,
                word: (FIELDS as usize + index) as u16,
            });
            to += Kind::of(captured).words();
        }
        let mut from = 1;
        for (index, parameter) in parameters.iter().enumerate() {
            code.push(Instr::Move { d: to, a: from });
            from += Kind::of(parameter).words();
            if *parameter != given[index] && Kind::of(given[index]) == Kind::Reference {
                self.emit_cast(&mut code, to, (user, given[index]))?;
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
            reference::STATIC => Instr::InvokeStaticChecked {
                a: call,
                method: id,
            },
            reference::NEW | reference::SPECIAL => Instr::InvokeSpecial {
                a: call,
                method: id,
            },
            _ if method.flags & flags::PRIVATE != 0 => Instr::InvokeSpecial {
                a: call,
                method: id,
            },
            _ if method.vtable_index.is_some() => Instr::InvokeVirtual {
                a: call,
                method: id,
            },
            _ => Instr::InvokeInterface {
                a: call,
                method: id,
            },
        });
        if result == "V" {
            code.push(Instr::ReturnVoid);
        } else {
            let gives = if handle.kind == reference::NEW {
                receiver.as_str()
            } else {
                target_result
            };
            self.emit_conversion(&mut code, out, gives, given_result)?;
            if Kind::of(result) == Kind::Reference && gives != result {
                self.emit_cast(&mut code, out, (user, result))?;
            }
            code.push(Instr::Return { a: out });
        }
        Ok(code)
    }
}
