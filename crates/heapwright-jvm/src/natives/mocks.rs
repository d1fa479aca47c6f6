//! Mocks of Mockito: a generated class for each type and list of interfaces, whose methods pass their packed
//! arguments on, and code before that of static methods and constructors which asks first.
//!
//! The Java side is embedded by the host program. What is generated is permanent, and does nothing on its own:
//! which objects and classes are mocked is state of the Java side.

use std::collections::BTreeSet;

use super::calls::convert_arguments;
use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::{ClassId, Code, Loader, MethodId, Shape, flags};
use crate::descriptor;
use crate::instr::{Instr, Reg};
use crate::translate::SPARE;
use crate::vm::{Fault, Vm};

const MOCKS: &str = "org/mockito/internal/creation/heapwright/Mocks";

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "org/mockito/internal/creation/heapwright/Mocks.make(Ljava/lang/Class;[Ljava/lang/Class;Z)Ljava/lang/Object;",
        make,
    ),
    (
        "org/mockito/internal/creation/heapwright/Mocks.mock(Ljava/lang/Object;)V",
        mock,
    ),
    (
        "org/mockito/internal/creation/heapwright/Mocks.copy(Ljava/lang/Object;Ljava/lang/Object;)V",
        copy,
    ),
    (
        "org/mockito/internal/creation/heapwright/Mocks.construct(Ljava/lang/Object;Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)V",
        construct,
    ),
    (
        "org/mockito/internal/creation/heapwright/Mocks.call(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
        call,
    ),
    (
        "org/mockito/internal/creation/heapwright/Mocks.intercept(Ljava/lang/Class;Z)V",
        intercept,
    ),
];

fn make(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let of = vm.arg_class(args, 0)?;
    let list = vm.arg_object(args, 1)?;
    let mirrors = vm.object_elements(list);
    let interfaces = mirrors.iter().map(|&mirror| vm.class_of_mirror(mirror));
    let interfaces: Vec<ClassId> = interfaces.collect();
    let is_inline = vm.arg_int(args, 2) != 0;
    let class = vm.mock_class(of, &interfaces, is_inline)?;
    let words = vm.class(class).instance_words;
    Ok(vm.heap.allocate(class, words, false)?.slot())
}

fn mock(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    let of = vm.heap.class_of(object);
    let class = vm.mock_class(of, &[], true)?;
    vm.heap.set_class(object, class);
    Ok(0)
}

fn copy(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (from, to) = (vm.arg_object(args, 0)?, vm.arg_object(args, 1)?);
    let words = |object| vm.class(vm.heap.class_of(object)).instance_words;
    for word in 1..words(from).min(words(to)) {
        let value = vm.read_slot(from.0 + word)?;
        vm.heap.set_field(to, word, value);
    }
    Ok(0)
}

fn construct(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    let (_, constructor) = vm.reflected_constructor(vm.arg_object(args, 1)?)?;
    let mut slots = vec![object.slot()];
    convert_arguments(vm, constructor, vm.arg_ref(args, 2), &mut slots)?;
    let call = vm.very_call(constructor)?;
    Err(Fault::Call(call, slots))
}

fn call(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let method = vm.reflected_method(vm.arg_object(args, 1)?)?;
    let mut slots = Vec::new();
    if !vm.method(method).is_static() {
        slots.push(vm.arg_object(args, 0)?.slot());
    }
    convert_arguments(vm, method, vm.arg_ref(args, 2), &mut slots)?;
    let call = vm.very_call(method)?;
    Err(Fault::Call(call, slots))
}

fn intercept(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let constructors = vm.arg_int(args, 1) != 0;
    for method in vm.class(class).methods.clone() {
        let this = vm.method(method);
        let name = vm.text(this.name);
        let is_wanted = match constructors {
            true => name == "<init>",
            false => this.is_static() && name != "<clinit>" && this.flags & flags::SYNTHETIC == 0,
        };
        if is_wanted {
            vm.intercept(method)?;
        }
    }
    Ok(0)
}

impl Vm {
    /// Class of mocks of a type which have further interfaces. Its name is derived from theirs, so it does not
    /// depend on earlier mocks. An inline one that can have objects passes for the class itself.
    fn mock_class(
        &mut self,
        of: ClassId,
        interfaces: &[ClassId],
        is_inline: bool,
    ) -> Result<ClassId, Fault> {
        let parts = interfaces.iter();
        let parts = parts.map(|&interface| self.unique_name(interface).replace('/', "_"));
        let parts: Vec<String> = [if is_inline { "inline" } else { "" }.to_owned()]
            .into_iter()
            .chain(parts)
            .collect();
        let name = format!("{}$MockitoMock${}", self.unique_name(of), parts.join("$"));
        let name = self.names.intern(&name);
        if let Some(&class) = self.class_index.get(&name) {
            return Ok(class);
        }
        let this = self.class(of);
        if this.shape != Shape::Instance {
            let text = format!("Mockito cannot mock {}", self.binary_name(of));
            return Err(Fault::raise("java/lang/IllegalArgumentException", text));
        }
        let passes =
            is_inline && !this.is_interface() && !this.is_abstract() && interfaces.is_empty();
        let (above, own) = match this.is_interface() {
            true => (self.known().object, vec![of]),
            false => (of, Vec::new()),
        };
        let own: Vec<ClassId> = own.iter().chain(interfaces).copied().collect();
        let access = flags::PUBLIC | flags::SYNTHETIC;
        let class = self.new_class(name, access, Shape::Instance, Loader::App, Some(above), own);
        self.classes[class.0 as usize].instance_words = self.class(above).instance_words;
        for target in self.mocked_methods(class, is_inline)? {
            let code = self.mock_body(target)?;
            let this = self.method(target);
            let (name, descriptor) = (this.name, this.descriptor);
            let access = this.flags & (flags::PUBLIC | flags::PROTECTED);
            let method = self.add_method(class, name, descriptor, access, Code::Missing);
            self.install(method, code);
        }
        self.build_vtable(class);
        self.finish_class(class)?;
        if passes {
            self.classes[class.0 as usize].mirror = self.class(of).mirror;
        }
        Ok(class)
    }

    /// Methods that the class of a mock has: all that it would inherit but what `Object` keeps for itself, and what
    /// the compiler has made to call others. Final ones are among them only inline.
    fn mocked_methods(&mut self, class: ClassId, is_inline: bool) -> Result<Vec<MethodId>, Fault> {
        const OF_ALL: [&str; 5] = ["getClass", "notify", "notifyAll", "wait", "finalize"];
        let above = self.class(class).super_class.expect("a superclass");
        let mut interfaces = Vec::new();
        let mut next = Some(class);
        while let Some(of) = next {
            interfaces.extend(self.class(of).interfaces.iter().copied());
            next = self.class(of).super_class;
        }
        let inherited = self.class(above).vtable.clone();
        let declared = self.proxied_methods(&interfaces)?;
        let mut seen = BTreeSet::new();
        let mut methods = Vec::new();
        for method in inherited.into_iter().chain(declared) {
            let this = self.method(method);
            let of = self.class(this.class);
            let is_visible = this.flags & (flags::PUBLIC | flags::PROTECTED) != 0
                || self.is_same_package(this.class, class);
            let key = (this.name, this.descriptor);
            // A bridge calls the method that it stands for.
            let is_bridge = this.flags & flags::BRIDGE != 0
                && of.methods.iter().any(|&other| {
                    let other = self.method(other);
                    other.name == this.name
                        && other.flags & flags::BRIDGE == 0
                        && other.argument_words == this.argument_words
                });
            let is_kept = of.super_class.is_none() && OF_ALL.contains(&self.text(this.name));
            let is_final = this.flags & flags::FINAL != 0 && !is_inline;
            if is_visible && seen.insert(key) && !is_bridge && !is_kept && !is_final {
                methods.push(method);
            }
        }
        Ok(methods)
    }

    /// Code of a mock in place of a method. `equals` and `hashCode` are those of `Object`, as Mockito cannot answer
    /// for them.
    fn mock_body(&mut self, target: MethodId) -> Result<Assembler, Fault> {
        let this = self.method(target);
        let (user, words) = (this.class, this.argument_words);
        let text = self.text(this.descriptor).to_owned();
        let itself = match (self.text(this.name), text.as_str()) {
            ("hashCode", "()I") => Some(self.method_named(
                "java/lang/System",
                "identityHashCode",
                "(Ljava/lang/Object;)I",
            )?),
            ("equals", "(Ljava/lang/Object;)Z") => {
                Some(self.method_named(MOCKS, "same", "(Ljava/lang/Object;Ljava/lang/Object;)Z")?)
            }
            _ => None,
        };
        let mut code = Assembler::default();
        if let Some(itself) = itself {
            code.reserve(words + 2);
            code.push(Instr::InvokeStaticChecked {
                a: 0,
                method: itself.0,
            });
            code.push(Instr::Return { a: 0 });
            return Ok(code);
        }
        let dispatch = self.method_named(
            MOCKS,
            "dispatch",
            "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
        )?;
        let (_, result) = descriptor::split_method(&text).expect("a checked descriptor");
        let call = self.emit_question(&mut code, target, dispatch)?;
        self.emit_unpacked(&mut code, call, (user, result))?;
        Ok(code)
    }

    /// Emits a call of a static method that is asked with what a handler of calls receives; returns the register of
    /// its result.
    fn emit_question(
        &mut self,
        code: &mut Assembler,
        target: MethodId,
        asked: MethodId,
    ) -> Result<Reg, Fault> {
        let this = self.method(target);
        let (packed, first) = (this.argument_words, u16::from(!this.is_static()));
        let text = self.text(this.descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).expect("a checked descriptor");
        let call = packed + 4;
        code.reserve(call + 6);
        self.emit_packed(code, &parameters, packed, first)?;
        self.emit_received(code, target, packed, call)?;
        code.push(Instr::InvokeStaticChecked {
            a: call,
            method: asked.0,
        });
        Ok(call)
    }

    /// Puts code before that of a static method or a constructor, which asks first whether it is to run. Its own
    /// instructions stay where they are.
    fn intercept(&mut self, method: MethodId) -> Result<(), Fault> {
        if let Code::Bytecode(_) = self.method(method).code {
            self.translated(method)?;
        }
        let Code::Translated(entry) = self.method(method).code else {
            return Ok(());
        };
        let asked = self.method_named(
            MOCKS,
            "intercepted",
            "(Ljava/lang/Object;Ljava/lang/reflect/Executable;[Ljava/lang/Object;)[Ljava/lang/Object;",
        )?;
        let this = self.method(method);
        let (user, is_static) = (this.class, this.is_static());
        let text = self.text(this.descriptor).to_owned();
        let (_, result) = descriptor::split_method(&text).expect("a checked descriptor");
        let mut code = Assembler::default();
        let call = self.emit_question(&mut code, method, asked)?;
        let passes = code.here();
        code.push(Instr::IfNull { a: call, to: 0 });
        match is_static {
            true => {
                code.load_element(call, 0);
                self.emit_unpacked(&mut code, call, (user, result))?;
            }
            false => code.push(Instr::ReturnVoid),
        }
        code.land(passes);
        let before = self.code.len() as u32;
        let to = entry.wrapping_sub(before + code.here()) as i32;
        code.push(Instr::Goto { to });
        let registers = code.registers + SPARE;
        self.code.extend(code.instrs);
        let this = &mut self.methods[method.0 as usize];
        this.code = Code::Intercepted { before, entry };
        this.frame_words = this.frame_words.max(registers);
        Ok(())
    }
}
