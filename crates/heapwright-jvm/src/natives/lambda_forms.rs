//! Calls of method handles. A handle's behaviour is its `LambdaForm`: a list of calls on arguments
//! and earlier results. It is lowered to register code when it is first called.
//!
//! Lowered code depends on the structure of its form only, and loads constants from the form that
//! it is called with. It is therefore permanent, and a form that going back forgets leaves nothing.

use std::fmt::Write;

use super::varhandle::METHOD_HANDLE;
use super::{Args, NativeEntry, nothing};
use crate::assembler::Assembler;
use crate::class::{ClassId, Code, Field, MethodId};
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    // Forms are lowered here instead of by the JDK.
    ("java/lang/invoke/LambdaForm.prepare()V", nothing),
    ("java/lang/invoke/LambdaForm.compileToBytecode()V", nothing),
];

/// Class of forms.
const FORM: &str = "java/lang/invoke/LambdaForm";

/// Function that a form calls.
enum Function {
    /// A method that can be called as it is.
    Method(MethodId),
    /// The method handle of the function, with the descriptor of its basic call.
    Handle(String),
    /// The value of a static field.
    Field(Field),
}

/// Argument of a call in a form.
#[derive(Clone, Copy)]
enum FormArgument {
    /// A parameter of the form or an earlier result.
    Name(usize),
    /// A constant; a box is unboxed to its kind.
    Constant(Kind),
}

/// Call in a form.
struct FormCall {
    function: Function,
    arguments: Vec<FormArgument>,
    result: Kind,
}

/// Content of a form.
struct LambdaForm {
    parameters: Vec<Kind>,
    steps: Vec<FormCall>,
    result: Option<usize>,
}

/// Replaces each type by the type that calls of handles distinguish: `I` for all small integers,
/// `Object` for all classes.
pub(crate) fn basic_descriptor(text: &str) -> Option<String> {
    let (parameters, result) = descriptor::split_method(text)?;
    let parameters: String = parameters.into_iter().map(basic_type).collect();
    Some(format!("({parameters}){}", basic_type(result)))
}

fn basic_type(text: &str) -> &'static str {
    basic_kind_descriptor(Kind::of(text))
}

fn basic_kind_descriptor(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int.descriptor(),
        Kind::Reference => "Ljava/lang/Object;",
        other => other.descriptor(),
    }
}

/// Code of a polymorphic method of `MethodHandle`, by name.
pub(super) fn linker(name: &str) -> Option<super::Native> {
    Some(match name {
        "invokeBasic" => invoke_basic,
        "linkToStatic" | "linkToSpecial" => |vm, args| link_to(vm, args, false),
        "linkToVirtual" | "linkToInterface" => |vm, args| link_to(vm, args, true),
        _ => return None,
    })
}

/// Method that the running instruction calls.
fn called_method(vm: &Vm) -> Result<MethodId, Fault> {
    let frame = vm.state.frames.last().expect("the calling frame");
    let method = vm.code[frame.pc as usize].method();
    method
        .map(MethodId)
        .ok_or_else(|| Fault::unsupported("a method handle called in an unusual way"))
}

/// Calls a handle by its form.
fn invoke_basic(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let handle = vm.arg_object(args, 0)?;
    let words = usize::from(vm.method(called_method(vm)?).argument_words);
    let form = vm.object_named(handle, "form")?;
    let method = vm.lowered(form)?;
    let arguments = (0..words).map(|word| vm.arg(args, word));
    Err(Fault::Call(
        method,
        arguments.chain([form.slot()]).collect(),
    ))
}

/// Calls the method that the last argument, a `MemberName`, refers to.
fn link_to(vm: &mut Vm, args: Args, selects: bool) -> Result<u64, Fault> {
    let words = usize::from(vm.method(called_method(vm)?).argument_words) - 1;
    let member = vm.arg_object(args, words)?;
    let method = vm
        .member_target(member)?
        .ok_or_else(|| Fault::unsupported("a call of an unresolved member"))?;
    let mut target = method;
    if vm.method(method).is_static() {
        vm.initialize(vm.method(method).class)?;
    } else {
        let receiver = vm.arg_object(args, 0)?;
        if selects {
            let class = vm.heap.class_of(receiver);
            target = vm
                .select(class, method)
                .ok_or_else(|| vm.abstract_method(class, method))?;
        }
    }
    let arguments = (0..words).map(|word| vm.arg(args, word)).collect();
    vm.call_from_native(target, arguments)
}

impl Vm {
    /// Calls a method in place of the running native. A native target is called by a frame.
    fn call_from_native(&mut self, method: MethodId, slots: Vec<u64>) -> Result<u64, Fault> {
        let target = match self.method(method).code {
            Code::Native(_) => self.frame_for(method)?,
            _ => method,
        };
        Err(Fault::Call(target, slots))
    }

    /// Static method with the parameters of a native method, receiver first, that calls it.
    fn frame_for(&mut self, native: MethodId) -> Result<MethodId, Fault> {
        let key = format!("frame for {}", native.0);
        if let Some(&known) = self.synthetic.get(&key) {
            return Ok(known);
        }
        let this = self.method(native);
        let (class, words, is_static) = (this.class, this.argument_words, this.is_static());
        let is_void = this.result == Kind::Void;
        let text = self.text(this.descriptor).to_owned();
        let own = match is_static {
            true => text,
            false => text.replacen('(', "(Ljava/lang/Object;", 1),
        };
        let mut code = Assembler::default();
        code.reserve(words + 2);
        code.push(match is_static {
            true => self.call_instr(native, 0),
            false => Instr::InvokeSpecial {
                a: 0,
                method: native.0,
            },
        });
        code.push(match is_void {
            true => Instr::ReturnVoid,
            false => Instr::Return { a: 0 },
        });
        let own = self.names.intern(&own);
        let method = self.add_hidden(class, "frame", own, code);
        self.synthetic.insert(key, method);
        Ok(method)
    }

    /// Register code of a form. It has the form's parameters and, behind them, the form itself.
    fn lowered(&mut self, form: Ref) -> Result<MethodId, Fault> {
        let read = self.read_form(form)?;
        let key = read.key();
        if let Some(&known) = self.synthetic.get(&key) {
            return Ok(known);
        }
        let code = self.lower(&read)?;
        let parameters: String = read
            .parameters
            .iter()
            .map(|&kind| basic_kind_descriptor(kind))
            .collect();
        let result = match read.result {
            Some(name) => basic_kind_descriptor(read.kind_of(name)),
            None => "V",
        };
        let own = format!("({parameters}Ljava/lang/Object;){result}");
        let own = self.names.intern(&own);
        let class = self
            .load_class(FORM)
            .map_err(|error| self.load_fault(error))?;
        let method = self.add_hidden(class, "form", own, code);
        self.synthetic.insert(key, method);
        Ok(method)
    }

    fn basic_kind(&self, basic_type: Ref) -> Result<Kind, Fault> {
        const KINDS: [Kind; 6] = [
            Kind::Reference,
            Kind::Int,
            Kind::Long,
            Kind::Float,
            Kind::Double,
            Kind::Void,
        ];
        let place = self.field_named(basic_type, "ordinal")? as usize;
        KINDS
            .get(place)
            .copied()
            .ok_or_else(|| Fault::unsupported("a form of an unknown type"))
    }

    fn read_form(&mut self, form: Ref) -> Result<LambdaForm, Fault> {
        let arity = self.field_named(form, "arity")? as u32 as usize;
        let result = self.field_named(form, "result")? as u32 as i32;
        let names = self.object_named(form, "names")?;
        let names = self.object_elements(names);
        let mut parameters = Vec::new();
        let mut steps = Vec::new();
        for (index, &name) in names.iter().enumerate() {
            let kind = self.basic_kind(self.object_named(name, "type")?)?;
            if index < arity {
                parameters.push(kind);
            } else {
                steps.push(self.read_step(name, kind)?);
            }
        }
        Ok(LambdaForm {
            parameters,
            steps,
            result: usize::try_from(result).ok(),
        })
    }

    fn read_step(&mut self, name: Ref, result: Kind) -> Result<FormCall, Fault> {
        let function = self.object_named(name, "function")?;
        let given = self.object_named(name, "arguments")?;
        let given = self.object_elements(given);
        let member = self.object_named(function, "member")?;
        let target = match member.is_null() {
            true => None,
            false => self.member_target(member)?,
        };
        let direct = target.filter(|&method| self.text(self.method(method).name) != "<init>");
        let field = match member.is_null() || direct.is_some() {
            true => None,
            false => self.static_member(member)?,
        };
        let (function, kinds) = match (direct, field) {
            (None, Some(field)) => (Function::Field(field), Vec::new()),
            (Some(method), _) => {
                let this = self.method(method);
                let receiver = (!this.is_static()).then_some(Kind::Reference);
                let text = self.text(this.descriptor);
                let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
                let kinds = parameters.into_iter().map(Kind::of);
                (
                    Function::Method(method),
                    receiver.into_iter().chain(kinds).collect::<Vec<_>>(),
                )
            }
            (None, None) => {
                let handle = self.object_named(function, "resolvedHandle")?;
                if handle.is_null() {
                    return Err(Fault::unsupported("a form with an unresolved function"));
                }
                let text = self.method_type_text(self.object_named(handle, "type")?)?;
                let basic = basic_descriptor(&text)
                    .ok_or_else(|| Fault::unsupported("a malformed method type"))?;
                let (parameters, _) = descriptor::split_method(&basic).unwrap_or_default();
                let kinds = parameters.into_iter().map(Kind::of).collect();
                (Function::Handle(basic.clone()), kinds)
            }
        };
        if kinds.len() != given.len() {
            return Err(Fault::unsupported("a form with a call of another type"));
        }
        let name_class = self.heap.class_of(name);
        let mut arguments = Vec::with_capacity(given.len());
        for (object, kind) in given.into_iter().zip(kinds) {
            let is_name = !object.is_null() && self.heap.class_of(object) == name_class;
            arguments.push(if is_name {
                FormArgument::Name(self.field_named(object, "index")? as u16 as usize)
            } else {
                FormArgument::Constant(kind)
            });
        }
        Ok(FormCall {
            function,
            arguments,
            result,
        })
    }

    fn lower(&mut self, form: &LambdaForm) -> Result<Assembler, Fault> {
        let form_class = self
            .load_class(FORM)
            .map_err(|error| self.load_fault(error))?;
        let name_class = self
            .load_class("java/lang/invoke/LambdaForm$Name")
            .map_err(|error| self.load_fault(error))?;
        let word = |vm: &Vm, class: ClassId, field: &str| -> Result<u16, Fault> {
            u16::try_from(vm.word_of(class, field)?)
                .map_err(|_| Fault::unsupported("a class of too many fields"))
        };
        let names_word = word(self, form_class, "names")?;
        let function_word = word(self, name_class, "function")?;
        let arguments_word = word(self, name_class, "arguments")?;
        let mut code = Assembler::default();
        // Register of each name; the form is behind the parameters.
        let mut places: Vec<Reg> = Vec::new();
        let mut next: Reg = 0;
        for kind in &form.parameters {
            places.push(next);
            next += kind.words();
        }
        let own = next;
        next += 1;
        for step in &form.steps {
            places.push(next);
            next += step.result.words();
        }
        code.reserve(next);
        // Loads the name of a step.
        let load_name = |code: &mut Assembler, step: usize, to: Reg| {
            let index = form.parameters.len() + step;
            code.push(Instr::GetField {
                d: to,
                a: own,
                word: names_word,
            });
            code.load_element(to, index);
        };
        for (number, step) in form.steps.iter().enumerate() {
            let first = next;
            let mut to = first;
            if let Function::Handle(_) = step.function {
                let resolve = self.method_named(
                    "java/lang/invoke/LambdaForm$NamedFunction",
                    "resolvedHandle",
                    "()Ljava/lang/invoke/MethodHandle;",
                )?;
                load_name(&mut code, number, to);
                code.push(Instr::GetField {
                    d: to,
                    a: to,
                    word: function_word,
                });
                code.push(self.call_instr(resolve, to));
                to += 1;
            }
            for (place, argument) in step.arguments.iter().enumerate() {
                match *argument {
                    FormArgument::Name(name) => {
                        code.push(Instr::Move {
                            d: to,
                            a: places[name],
                        });
                        to += form.kind_of(name).words();
                    }
                    FormArgument::Constant(kind) => {
                        load_name(&mut code, number, to);
                        code.push(Instr::GetField {
                            d: to,
                            a: to,
                            word: arguments_word,
                        });
                        code.load_element(to, place);
                        if kind != Kind::Reference {
                            self.emit_unboxed(&mut code, to, kind)?;
                        }
                        to += kind.words();
                    }
                }
            }
            code.reserve(to + 2);
            let method = match &step.function {
                Function::Method(method) => *method,
                Function::Handle(basic) => self.basic_invoker(basic)?,
                Function::Field(field) => {
                    let d = places[form.parameters.len() + number];
                    let site = self.static_site(field);
                    code.push(Instr::GetStaticChecked { d, site });
                    continue;
                }
            };
            code.push(match self.method(method).is_static() {
                true => self.call_instr(method, first),
                false if self.is_polymorphic(method) => Instr::InvokeSpecial {
                    a: first,
                    method: method.0,
                },
                false => self.call_instr(method, first),
            });
            if step.result != Kind::Void {
                code.push(Instr::Move {
                    d: places[form.parameters.len() + number],
                    a: first,
                });
            }
        }
        code.push(match form.result {
            Some(name) if form.kind_of(name) != Kind::Void => Instr::Return { a: places[name] },
            _ => Instr::ReturnVoid,
        });
        Ok(code)
    }

    /// Unboxes a constant of a form; small integers are boxed as `Integer` or as themselves.
    fn emit_unboxed(&mut self, code: &mut Assembler, at: Reg, kind: Kind) -> Result<(), Fault> {
        let boxed = match kind {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
            other => other,
        };
        let class = self
            .load_class(boxed.box_class())
            .map_err(|error| self.load_fault(error))?;
        let word = u16::try_from(self.word_of(class, "value")?)
            .map_err(|_| Fault::unsupported("a class of too many fields"))?;
        code.push(Instr::GetField { d: at, a: at, word });
        Ok(())
    }

    /// `MethodHandle.invokeBasic` with a basic descriptor.
    pub(crate) fn basic_invoker(&mut self, basic: &str) -> Result<MethodId, Fault> {
        let class = self
            .load_class(METHOD_HANDLE)
            .map_err(|error| self.load_fault(error))?;
        let name = self.names.intern("invokeBasic");
        let descriptor: Sym = self.names.intern(basic);
        self.polymorphic_method(class, name, descriptor)
            .ok_or_else(|| Fault::unsupported("method handles without invokeBasic"))
    }

    fn is_polymorphic(&self, method: MethodId) -> bool {
        matches!(self.method(method).code, Code::Native(_))
            && self.class_name(self.method(method).class) == METHOD_HANDLE
    }
}

impl LambdaForm {
    fn kind_of(&self, name: usize) -> Kind {
        match self.parameters.get(name) {
            Some(&kind) => kind,
            None => self.steps[name - self.parameters.len()].result,
        }
    }

    /// Text that tells apart forms with different code.
    fn key(&self) -> String {
        let mut key = "form ".to_owned();
        for kind in &self.parameters {
            let _ = write!(key, "{kind:?} ");
        }
        for step in &self.steps {
            match &step.function {
                Function::Method(method) => {
                    let _ = write!(key, "; {} ", method.0);
                }
                Function::Handle(basic) => {
                    let _ = write!(key, "; {basic} ");
                }
                Function::Field(field) => {
                    let _ = write!(key, "; field {} ", field.word);
                }
            }
            for argument in &step.arguments {
                let _ = match argument {
                    FormArgument::Name(name) => write!(key, "{name} "),
                    FormArgument::Constant(kind) => write!(key, "{kind:?} "),
                };
            }
            let _ = write!(key, "{:?}", step.result);
        }
        let _ = write!(key, "; {:?}", self.result);
        key
    }
}
