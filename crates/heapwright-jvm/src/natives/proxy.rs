//! `java.lang.reflect.Proxy`: a generated class for each list of interfaces, whose methods pass
//! their packed arguments to the handler. Annotations are proxies, too.

use std::collections::BTreeSet;

use super::calls::convert_arguments;
use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::{ClassId, Code, Loader, MethodId, Shape, flags};
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::instr::{Instr, Reg};
use crate::vm::{Fault, Vm};

const PROXY: &str = "java/lang/reflect/Proxy";

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/reflect/Proxy.newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;",
        new_proxy_instance,
    ),
    (
        "java/lang/reflect/Proxy.getProxyClass(Ljava/lang/ClassLoader;[Ljava/lang/Class;)Ljava/lang/Class;",
        get_proxy_class,
    ),
    (
        "java/lang/reflect/Proxy.invokeDefault(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
        invoke_default,
    ),
    (
        "java/lang/reflect/Proxy.isProxyClass(Ljava/lang/Class;)Z",
        is_proxy_class,
    ),
    (
        "java/lang/reflect/Proxy.getInvocationHandler(Ljava/lang/Object;)Ljava/lang/reflect/InvocationHandler;",
        get_invocation_handler,
    ),
];

/// Class of proxies for the interfaces in an array of mirrors.
fn proxy_class_of(vm: &mut Vm, list: Ref) -> Result<ClassId, Fault> {
    let mut interfaces = Vec::new();
    for mirror in vm.object_elements(list) {
        if mirror.is_null() {
            return Err(Fault::Raise("java/lang/NullPointerException", None));
        }
        let class = vm.class_of_mirror(mirror);
        let illegal = |what: String| Err(Fault::raise("java/lang/IllegalArgumentException", what));
        if !vm.class(class).is_interface() {
            return illegal(format!("{} is not an interface", vm.binary_name(class)));
        }
        if interfaces.contains(&class) {
            return illegal(format!("repeated interface: {}", vm.binary_name(class)));
        }
        interfaces.push(class);
    }
    vm.proxy_class(&interfaces)
}

fn new_proxy_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let list = vm.arg_object(args, 1)?;
    let handler = vm.arg_object(args, 2)?;
    let class = proxy_class_of(vm, list)?;
    let words = vm.class(class).instance_words;
    let proxy = vm.heap.allocate(class, words, false)?;
    vm.put(proxy, "h", handler.slot());
    Ok(proxy.slot())
}

fn get_proxy_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let list = vm.arg_object(args, 1)?;
    let class = proxy_class_of(vm, list)?;
    Ok(vm.class(class).mirror.slot())
}

/// `InvocationHandler.invokeDefault`.
fn invoke_default(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let illegal = |what: String| Fault::raise("java/lang/IllegalArgumentException", what);
    let proxy = vm.arg_object(args, 0)?;
    let object = vm.arg_object(args, 1)?;
    let class = vm.heap.class_of(proxy);
    if !vm.is_proxy(class) {
        return Err(illegal("'proxy' is not a proxy instance".to_owned()));
    }
    let method = vm.reflected_method(object)?;
    let this = vm.method(method);
    if !vm.class(this.class).is_interface() || this.is_abstract() || this.is_static() {
        let text = vm.method_text(method);
        return Err(illegal(format!("\"{text}\" is not a default method")));
    }
    if !vm.is_subclass(class, this.class) {
        let text = vm.method_text(method);
        return Err(illegal(format!("\"{text}\" is not a proxy interface")));
    }
    let mut slots = vec![proxy.slot()];
    convert_arguments(vm, method, vm.arg_ref(args, 2), &mut slots)?;
    let call = vm.very_call(method)?;
    Err(Fault::Call(call, slots))
}

fn is_proxy_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    Ok(u64::from(vm.is_proxy(class)))
}

fn get_invocation_handler(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let proxy = vm.arg_object(args, 0)?;
    let class = vm.heap.class_of(proxy);
    if !vm.is_proxy(class) {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "not a proxy instance",
        ));
    }
    vm.read_slot(proxy.0 + vm.word_of(class, "h")?)
}

/// `Method` object of the method with this number.
fn method_object(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let method = MethodId(vm.arg_int(args, 0) as u32);
    let class = vm.method(method).class;
    let slot = vm
        .class(class)
        .methods
        .iter()
        .position(|&other| other == method);
    let slot = slot.ok_or_else(|| Fault::unsupported("a method that its class does not have"))?;
    Ok(vm.reflect_method(class, slot)?.slot())
}

impl Vm {
    /// Static method with the parameters of a method, receiver first, that calls this very method, whatever
    /// overrides it, and boxes the result.
    pub(super) fn very_call(&mut self, target: MethodId) -> Result<MethodId, Fault> {
        let this = self.method(target);
        let (result, words, is_static) = (this.result, this.argument_words, this.is_static());
        let own = self.text(this.descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&own).expect("a checked descriptor");
        let receiver = match is_static {
            true => "",
            false => Kind::Reference.descriptor(),
        };
        let own = format!("({receiver}{})Ljava/lang/Object;", parameters.concat());
        let method = target.0;
        self.once(&format!("very {method}"), PROXY, &own, |vm, code| {
            code.reserve(words + 2);
            code.push(match is_static {
                true => Instr::InvokeStaticChecked { a: 0, method },
                false => Instr::InvokeSpecial { a: 0, method },
            });
            match result {
                Kind::Void => code.push(Instr::Int { d: 0, value: 0 }),
                Kind::Reference => {}
                kind => vm.emit_box(code, 0, kind)?,
            }
            code.push(Instr::Return { a: 0 });
            Ok(())
        })
    }

    /// Adds the constructor that takes the handler.
    fn add_proxy_constructor(&mut self, class: ClassId) -> Result<(), Fault> {
        const SHAPE: &str = "(Ljava/lang/reflect/InvocationHandler;)V";
        let above = self.method_named(PROXY, "<init>", SHAPE)?;
        let mut code = Assembler::default();
        code.reserve(6);
        code.push(Instr::Move { d: 2, a: 0 });
        code.push(Instr::Move { d: 3, a: 1 });
        code.push(Instr::InvokeSpecial {
            a: 2,
            method: above.0,
        });
        code.push(Instr::ReturnVoid);
        let key = (self.names.intern("<init>"), self.names.intern(SHAPE));
        let method = self.add_method(class, key.0, key.1, flags::PUBLIC, Code::Missing);
        self.install(method, code);
        Ok(())
    }

    pub(super) fn is_proxy(&self, class: ClassId) -> bool {
        let this = self.class(class);
        this.file.is_none()
            && this
                .super_class
                .is_some_and(|above| self.class_name(above) == PROXY)
    }

    /// Class of proxies for some interfaces. Its name is derived from theirs, so it does not
    /// depend on earlier proxies.
    fn proxy_class(&mut self, interfaces: &[ClassId]) -> Result<ClassId, Fault> {
        let names: Vec<String> = interfaces
            .iter()
            .map(|&interface| self.unique_name(interface).replace('/', "_"))
            .collect();
        let name = self
            .names
            .intern(&format!("jdk/proxy1/$Proxy${}", names.join("$")));
        if let Some(&class) = self.class_index.get(&name) {
            return Ok(class);
        }
        let proxy = self
            .load_class(PROXY)
            .map_err(|error| self.load_fault(error))?;
        let methods = self.proxied_methods(interfaces)?;
        let access = flags::PUBLIC | flags::FINAL | flags::SYNTHETIC;
        let class = self.new_class(
            name,
            access,
            Shape::Instance,
            Loader::App,
            Some(proxy),
            interfaces.to_vec(),
        );
        self.classes[class.0 as usize].instance_words = self.class(proxy).instance_words;
        self.add_proxy_constructor(class)?;
        for target in methods {
            let code = self.proxy_body(target)?;
            let this = self.method(target);
            let (name, descriptor) = (this.name, this.descriptor);
            let method = self.add_method(
                class,
                name,
                descriptor,
                flags::PUBLIC | flags::FINAL,
                Code::Missing,
            );
            self.install(method, code);
        }
        self.build_vtable(class);
        self.finish_class(class)?;
        Ok(class)
    }

    /// Methods that a proxy implements: those of its interfaces, and three of `Object`.
    pub(super) fn proxied_methods(
        &mut self,
        interfaces: &[ClassId],
    ) -> Result<Vec<MethodId>, Fault> {
        let mut methods = vec![
            self.method_named("java/lang/Object", "hashCode", "()I")?,
            self.method_named("java/lang/Object", "equals", "(Ljava/lang/Object;)Z")?,
            self.method_named("java/lang/Object", "toString", "()Ljava/lang/String;")?,
        ];
        let mut seen: BTreeSet<_> = methods
            .iter()
            .map(|&method| (self.method(method).name, self.method(method).descriptor))
            .collect();
        // Visits an interface before those it extends, in declaration order. If two declare the
        // same method, the first one counts.
        let mut work: Vec<ClassId> = interfaces.iter().rev().copied().collect();
        while let Some(interface) = work.pop() {
            for &method in &self.class(interface).methods {
                let this = self.method(method);
                let is_own = this.flags & (flags::STATIC | flags::PRIVATE) != 0;
                if !is_own && this.index.is_some() && seen.insert((this.name, this.descriptor)) {
                    methods.push(method);
                }
            }
            work.extend(self.class(interface).interfaces.iter().rev());
        }
        Ok(methods)
    }

    fn proxy_body(&mut self, target: MethodId) -> Result<Assembler, Fault> {
        let invoke = self.method_named(
            "java/lang/reflect/InvocationHandler",
            "invoke",
            "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
        )?;
        let proxy = self
            .load_class(PROXY)
            .map_err(|error| self.load_fault(error))?;
        let handler = self.word_of(proxy, "h")? as u16;
        let this = self.method(target);
        let user = this.class;
        let text = self.text(this.descriptor).to_owned();
        let (parameters, result) = descriptor::split_method(&text).expect("a checked descriptor");
        // Registers: packed arguments, an index, a value; then the call.
        let packed = this.argument_words;
        let call = packed + 4;
        let mut code = Assembler::default();
        code.reserve(call + 6);
        match parameters.is_empty() {
            true => code.push(Instr::Int {
                d: packed,
                value: 0,
            }),
            false => self.emit_packed(&mut code, &parameters, packed, 1)?,
        }
        let start = code.here();
        code.push(Instr::GetField {
            d: call,
            a: 0,
            word: handler,
        });
        self.emit_received(&mut code, target, packed, call + 1)?;
        code.push(Instr::InvokeInterface {
            a: call,
            method: invoke.0,
        });
        let end = code.here();
        self.emit_unpacked(&mut code, call, (user, result))?;
        self.emit_undeclared(&mut code, target, start, end, call)?;
        Ok(code)
    }

    /// Emits code that packs arguments, whose first one is in register `from`, into an array of objects in
    /// register `packed`. Uses the four registers from there on.
    pub(super) fn emit_packed(
        &mut self,
        code: &mut Assembler,
        parameters: &[&str],
        packed: Reg,
        mut from: Reg,
    ) -> Result<(), Fault> {
        code.push(Instr::Int {
            d: packed,
            value: parameters.len() as i32,
        });
        code.push(Instr::NewArray {
            d: packed,
            class: self.known().objects.0,
        });
        for (index, parameter) in parameters.iter().enumerate() {
            let kind = Kind::of(parameter);
            code.push(Instr::Move {
                d: packed + 2,
                a: from,
            });
            if kind != Kind::Reference {
                self.emit_box(code, packed + 2, kind)?;
            }
            code.store_element(packed, index);
            from += kind.words();
        }
        Ok(())
    }

    /// Emits what a handler of calls receives, in three registers from `at` on: the receiver, which is null if
    /// there is none, the method, and its packed arguments.
    pub(super) fn emit_received(
        &mut self,
        code: &mut Assembler,
        target: MethodId,
        packed: Reg,
        at: Reg,
    ) -> Result<(), Fault> {
        let lookup = self.method_lookup()?;
        match self.method(target).is_static() {
            true => code.push(Instr::Int { d: at, value: 0 }),
            false => code.push(Instr::Move { d: at, a: 0 }),
        }
        code.push(Instr::Int {
            d: at + 1,
            value: target.0 as i32,
        });
        code.push(Instr::InvokeStatic {
            a: at + 1,
            method: lookup.0,
        });
        code.push(Instr::Move {
            d: at + 2,
            a: packed,
        });
        Ok(())
    }

    /// Emits the return of the object in a register as a result of a type that the code of a class names.
    pub(super) fn emit_unpacked(
        &mut self,
        code: &mut Assembler,
        at: Reg,
        (user, result): (ClassId, &str),
    ) -> Result<(), Fault> {
        match Kind::of(result) {
            Kind::Void => code.push(Instr::ReturnVoid),
            Kind::Reference => {
                self.emit_cast(code, at, (user, result))?;
                code.push(Instr::Return { a: at });
            }
            kind => {
                self.emit_unbox(code, at, kind)?;
                code.push(Instr::Return { a: at });
            }
        }
        Ok(())
    }

    /// Emits a handler that rethrows exceptions the method may throw and wraps others (`Proxy`'s
    /// specification).
    fn emit_undeclared(
        &mut self,
        code: &mut Assembler,
        target: MethodId,
        start: u32,
        end: u32,
        caught: Reg,
    ) -> Result<(), Fault> {
        let mut allowed = vec![
            self.names.intern("java/lang/RuntimeException"),
            self.names.intern("java/lang/Error"),
        ];
        let this = self.method(target);
        let user = this.class;
        if let (Some(file), Some(index)) = (&self.class(user).file, this.index) {
            allowed.extend(&file.info.methods[usize::from(index)].exceptions);
        }
        let wrapper = "java/lang/reflect/UndeclaredThrowableException";
        let init = self.method_named(wrapper, "<init>", "(Ljava/lang/Throwable;)V")?;
        let wrapper = self.method(init).class;
        code.catch_all(start, end, caught);
        let mut passes = Vec::new();
        for name in allowed {
            let class = self.load_for(user, name)?;
            code.push(Instr::Move {
                d: caught + 1,
                a: caught,
            });
            code.push(Instr::InstanceOf {
                d: caught + 1,
                class: class.0,
            });
            passes.push(code.here());
            code.push(Instr::IfNe {
                a: caught + 1,
                to: 0,
            });
        }
        code.throw_wrapped(caught, wrapper, init);
        for pass in passes {
            code.land(pass);
        }
        code.push(Instr::Throw { a: caught });
        Ok(())
    }

    fn method_lookup(&mut self) -> Result<MethodId, Fault> {
        const KEY: &str = "method object";
        if let Some(&known) = self.synthetic.get(KEY) {
            return Ok(known);
        }
        let class = self
            .load_class(PROXY)
            .map_err(|error| self.load_fault(error))?;
        let name = self.names.intern("method$object");
        let descriptor = self.names.intern("(I)Ljava/lang/reflect/Method;");
        let method = self.add_method(
            class,
            name,
            descriptor,
            flags::STATIC | flags::SYNTHETIC,
            Code::Native(method_object),
        );
        let class = &mut self.classes[class.0 as usize];
        class.methods.pop();
        class.method_index.remove(&(name, descriptor));
        self.synthetic.insert(KEY.to_owned(), method);
        Ok(method)
    }
}
