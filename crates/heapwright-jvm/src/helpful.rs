//! Helpful `NullPointerException` messages (JEP 358) in HotSpot's words: the failed action, and
//! the expression that was null.
//!
//! Both are derived from the bytecode where the exception was thrown, by data flow that finds the
//! origin of each stack word. The class file is read only when the message is requested.

use std::collections::VecDeque;

use crate::bytecode::{self, Decoded, Insn, op};
use crate::class::{LoadedFile, MethodId};
use crate::classfile::{CodeInfo, Constant};
use crate::descriptor::{self, Kind};
use crate::translate;
use crate::vm::Vm;

/// Maximum nesting depth of a described expression.
const MAX_DETAIL: u32 = 5;

/// Data-flow facts before an instruction.
#[derive(Clone, PartialEq, Default)]
struct InstructionFacts {
    /// For each stack word the index of the instruction that pushed it, if it is unique.
    stack: Vec<Option<u16>>,
    /// Bit set of the first 64 local variables that were assigned.
    written: u64,
}

impl InstructionFacts {
    fn merge(&mut self, other: &InstructionFacts) -> bool {
        let before = self.clone();
        self.written |= other.written;
        for (word, other) in self.stack.iter_mut().zip(&other.stack) {
            if word != other {
                *word = None;
            }
        }
        *self != before
    }

    fn is_written(&self, local: i32) -> bool {
        (0..64).contains(&local) && self.written >> local & 1 != 0
    }

    fn write(&mut self, local: i32, words: i32) {
        for index in local..local + words {
            if (0..64).contains(&index) {
                self.written |= 1 << index;
            }
        }
    }

    /// Returns the instruction that pushed the word `below` words under the topmost.
    fn source(&self, below: usize) -> Option<usize> {
        let index = self.stack.len().checked_sub(below + 1)?;
        self.stack[index].map(usize::from)
    }
}

struct MessageAnalysis<'a> {
    vm: &'a Vm,
    method: MethodId,
    file: &'a LoadedFile,
    info: &'a CodeInfo,
    decoded: &'a Decoded,
    known: Vec<Option<InstructionFacts>>,
}

impl Vm {
    /// Message for a null dereferenced by the instruction at a bytecode index; `None` if that
    /// instruction dereferences nothing.
    pub(crate) fn helpful_message(&self, method: MethodId, at: u16) -> Option<String> {
        let this = self.method(method);
        let file = self.class(this.class).file.as_ref()?;
        let info = this.code_info(file)?;
        let decoded = bytecode::decode(info.code.of(&file.bytes)).ok()?;
        let index = decoded.insn_at(i32::from(at))?;
        let mut analysis = MessageAnalysis {
            vm: self,
            method,
            file,
            info,
            decoded: &decoded,
            known: vec![None; decoded.insns.len()],
        };
        let (action, below) = analysis.action(&decoded.insns[index])?;
        analysis.run()?;
        let cause = analysis.cause(index, below).unwrap_or_default();
        Some(action + &cause)
    }
}

impl MessageAnalysis<'_> {
    /// Describes the failed action, and returns how many words under the topmost the null lies.
    fn action(&self, insn: &Insn) -> Option<(String, usize)> {
        const ARRAYS: [&str; 8] = [
            "int",
            "long",
            "float",
            "double",
            "object",
            "byte/boolean",
            "char",
            "short",
        ];
        Some(match insn.op {
            op::IALOAD..=op::SALOAD => (
                format!(
                    "Cannot load from {} array",
                    ARRAYS[usize::from(insn.op - op::IALOAD)]
                ),
                1,
            ),
            op::IASTORE..=op::SASTORE => {
                let wide = matches!(insn.op, op::LASTORE | op::DASTORE);
                let array = ARRAYS[usize::from(insn.op - op::IASTORE)];
                (
                    format!("Cannot store to {array} array"),
                    2 + usize::from(wide),
                )
            }
            op::ARRAYLENGTH => ("Cannot read the array length".to_owned(), 0),
            op::ATHROW => ("Cannot throw exception".to_owned(), 0),
            op::MONITORENTER => ("Cannot enter synchronized block".to_owned(), 0),
            op::MONITOREXIT => ("Cannot exit synchronized block".to_owned(), 0),
            op::GETFIELD => (format!("Cannot read field \"{}\"", self.member(insn)?.1), 0),
            op::PUTFIELD => {
                let (_, name, descriptor) = self.member(insn)?;
                (
                    format!("Cannot assign field \"{name}\""),
                    usize::from(Kind::of(&descriptor).words()),
                )
            }
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                let (_, name, descriptor) = self.member(insn)?;
                // A constructor is never called on null, so the program itself made the
                // exception.
                if name == "<init>" {
                    return None;
                }
                let (words, _) = translate::method_shape(descriptor.as_bytes())?;
                (
                    format!("Cannot invoke \"{}\"", self.method_name(insn)?),
                    usize::from(words),
                )
            }
            _ => return None,
        })
    }

    /// Class, name and descriptor of the field or method that an instruction names.
    fn member(&self, insn: &Insn) -> Option<(String, String, String)> {
        let (class, pair) = match *self.file.info.pool.get(insn.a as usize)? {
            Constant::Field {
                class,
                name_and_type,
            }
            | Constant::Method {
                class,
                name_and_type,
                ..
            } => (class, name_and_type),
            _ => return None,
        };
        let Constant::Class(class) = *self.file.info.pool.get(usize::from(class))? else {
            return None;
        };
        let Constant::NameAndType { name, descriptor } =
            *self.file.info.pool.get(usize::from(pair))?
        else {
            return None;
        };
        Some((self.text(class)?, self.text(name)?, self.text(descriptor)?))
    }

    fn text(&self, index: u16) -> Option<String> {
        self.file
            .utf16(index)
            .map(|units| String::from_utf16_lossy(&units))
    }

    fn method_name(&self, insn: &Insn) -> Option<String> {
        let (class, name, descriptor) = self.member(insn)?;
        let (parameters, _) = descriptor::split_method(&descriptor)?;
        let parameters: Vec<String> = parameters
            .into_iter()
            .map(|parameter| short_parameter(&descriptor::to_java(parameter)))
            .collect();
        Some(format!(
            "{}.{name}({})",
            class_text(&class),
            parameters.join(", ")
        ))
    }

    /// Runs the data flow over all of the code; `None` if it has subroutines (`jsr`).
    fn run(&mut self) -> Option<()> {
        let mut work: VecDeque<usize> = VecDeque::new();
        self.known[0] = Some(InstructionFacts::default());
        work.push_back(0);
        while let Some(index) = work.pop_front() {
            let insn = &self.decoded.insns[index];
            let before = self.known[index].clone()?;
            for handler in &self.info.handlers {
                if (handler.start..handler.end).contains(&insn.at) {
                    let target = self.decoded.insn_at(i32::from(handler.handler))?;
                    let caught = InstructionFacts {
                        stack: vec![Some(target as u16)],
                        written: before.written,
                    };
                    self.enter(target, &caught, &mut work);
                }
            }
            let after = self.step(index, insn, before)?;
            match insn.op {
                op::IFEQ..=op::GOTO | op::IFNULL | op::IFNONNULL => {
                    self.enter(self.decoded.insn_at(insn.a)?, &after, &mut work);
                }
                op::TABLESWITCH | op::LOOKUPSWITCH => {
                    let switch = &self.decoded.switches[insn.b as usize];
                    for target in switch
                        .pairs
                        .iter()
                        .map(|pair| pair.1)
                        .chain([switch.default])
                    {
                        self.enter(self.decoded.insn_at(i32::from(target))?, &after, &mut work);
                    }
                }
                _ => {}
            }
            if translate::falls_through(insn.op) {
                self.enter(index + 1, &after, &mut work);
            }
        }
        Some(())
    }

    fn enter(&mut self, index: usize, known: &InstructionFacts, work: &mut VecDeque<usize>) {
        match &mut self.known[index] {
            Some(there) => {
                if there.merge(known) {
                    work.push_back(index);
                }
            }
            there @ None => {
                *there = Some(known.clone());
                work.push_back(index);
            }
        }
    }

    fn step(
        &self,
        index: usize,
        insn: &Insn,
        mut known: InstructionFacts,
    ) -> Option<InstructionFacts> {
        let stack = &mut known.stack;
        let depth = stack.len();
        match insn.op {
            op::JSR | op::RET => return None,
            op::CHECKCAST => {}
            op::DUP => stack.push(stack[depth - 1]),
            op::DUP_X1 => stack.insert(depth - 2, stack[depth - 1]),
            op::DUP_X2 => stack.insert(depth - 3, stack[depth - 1]),
            op::DUP2 => stack.extend_from_within(depth - 2..),
            op::DUP2_X1 | op::DUP2_X2 => {
                let at = depth - if insn.op == op::DUP2_X1 { 3 } else { 4 };
                let top = [stack[depth - 2], stack[depth - 1]];
                stack.splice(at..at, top);
            }
            op::SWAP => stack.swap(depth - 1, depth - 2),
            _ => {
                let (pop, push) = translate::stack_effect(self.file, insn).ok()?;
                stack.truncate(depth.checked_sub(usize::from(pop))?);
                stack.resize(stack.len() + usize::from(push), Some(index as u16));
            }
        }
        match insn.op {
            op::ISTORE | op::FSTORE | op::ASTORE | op::IINC => known.write(insn.a, 1),
            op::LSTORE | op::DSTORE => known.write(insn.a, 2),
            _ => {}
        }
        Some(known)
    }

    /// Returns ` because "…" is null`, if the null can be described.
    fn cause(&self, index: usize, below: usize) -> Option<String> {
        let source = self.known[index].as_ref()?.source(below)?;
        let expression = self.expression(index, below, MAX_DETAIL)?;
        let call = matches!(
            self.decoded.insns[source].op,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE
        );
        let what = if call { "the return value of " } else { "" };
        Some(format!(" because {what}\"{expression}\" is null"))
    }

    /// Describes the expression whose value lies `below` words under the topmost at an
    /// instruction.
    fn expression(&self, index: usize, below: usize, detail: u32) -> Option<String> {
        if detail == 0 {
            return None;
        }
        let known = self.known[index].as_ref()?;
        let source = known.source(below)?;
        let insn = &self.decoded.insns[source];
        Some(match insn.op {
            op::ILOAD | op::ALOAD => self.local(insn, !known.is_written(insn.a)),
            op::ACONST_NULL => "null".to_owned(),
            op::BIPUSH => insn.a.to_string(),
            op::GETSTATIC => {
                let (class, name, _) = self.member(insn)?;
                format!("{}.{name}", class_text(&class))
            }
            op::GETFIELD => {
                let name = self.member(insn)?.1;
                match self.expression(source, 0, detail - 1) {
                    Some(object) => format!("{object}.{name}"),
                    None => name,
                }
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.method_name(insn)?,
            op::IALOAD | op::AALOAD => {
                let array = self
                    .expression(source, 1, detail - 1)
                    .unwrap_or_else(|| "<array>".to_owned());
                let index = self
                    .expression(source, 0, detail)
                    .unwrap_or_else(|| "...".to_owned());
                format!("{array}[{index}]")
            }
            _ => return None,
        })
    }

    /// Describes a local variable by its name, or by its index if the class file has no name.
    fn local(&self, insn: &Insn, untouched: bool) -> String {
        if let Some(name) = self.local_name(insn) {
            return name;
        }
        let method = self.vm.method(self.method);
        if !method.is_static() && insn.a == 0 && untouched {
            return "this".to_owned();
        }
        let mut first = i32::from(!method.is_static());
        let parameters = descriptor::split_method(self.vm.text(method.descriptor))
            .map_or_else(Vec::new, |pair| pair.0);
        for (index, parameter) in parameters.into_iter().enumerate() {
            let next = first + i32::from(Kind::of(parameter).words());
            if (first..next).contains(&insn.a) && untouched {
                return format!("<parameter{}>", index + 1);
            }
            first = next;
        }
        format!("<local{}>", insn.a)
    }

    /// Name that the `LocalVariableTable` gives a variable where it is read.
    fn local_name(&self, insn: &Insn) -> Option<String> {
        let locals = local_variables(&self.file.bytes, self.info, |index| self.text(index))?;
        let local = locals.into_iter().find(|local| {
            let (start, end) = local.range;
            i32::from(local.index) == insn.a && insn.at >= start && u32::from(insn.at) < end
        });
        local?.name
    }
}

/// Row of a `LocalVariableTable`.
pub(crate) struct Local {
    /// Range of bytecode indices in which the row is valid, end exclusive.
    pub range: (u16, u32),
    pub name: Option<String>,
    pub index: u16,
}

/// Reads the `LocalVariableTable` of a method's code (JVMS §4.7.13), if it has one.
pub(crate) fn local_variables(
    bytes: &[u8],
    info: &CodeInfo,
    text: impl Fn(u16) -> Option<String>,
) -> Option<Vec<Local>> {
    let short = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let long = |at: usize| Some((usize::from(short(at)?) << 16) + usize::from(short(at + 2)?));
    // The exception table and the attributes follow the code.
    let mut at = info.code.range().end;
    at += 2 + 8 * usize::from(short(at)?);
    let attributes = short(at)?;
    at += 2;
    for _ in 0..attributes {
        let name = text(short(at)?)?;
        let length = long(at + 2)?;
        at += 6;
        if name == "LocalVariableTable" {
            let rows = (0..usize::from(short(at)?)).map(|row| at + 2 + 10 * row);
            return rows
                .map(|row| {
                    let start = short(row)?;
                    Some(Local {
                        range: (start, u32::from(start) + u32::from(short(row + 2)?)),
                        name: text(short(row + 4)?),
                        index: short(row + 8)?,
                    })
                })
                .collect();
        }
        at += length;
    }
    None
}

impl Vm {
    /// Names of a method's parameters, `None` where the class file has no name (it needs `javac
    /// -g`).
    #[must_use]
    pub fn parameter_names(&self, method: MethodId) -> Vec<Option<String>> {
        let this = self.method(method);
        let Some((parameters, _)) = descriptor::split_method(self.text(this.descriptor)) else {
            return Vec::new();
        };
        let locals = self.parameter_table(method).unwrap_or_default();
        let mut index = u16::from(!this.is_static());
        let names = parameters.into_iter().map(|parameter| {
            let local = locals
                .iter()
                .find(|local| local.index == index && local.range.0 == 0);
            index += Kind::of(parameter).words();
            local.and_then(|local| local.name.clone())
        });
        names.collect()
    }

    fn parameter_table(&self, method: MethodId) -> Option<Vec<Local>> {
        let this = self.method(method);
        let file = self.class(this.class).file.as_ref()?;
        let info = file.info.methods.get(usize::from(this.index?))?;
        let text = |index| {
            let Constant::Utf8(span) = file.constant(index).ok()? else {
                return None;
            };
            let text = std::str::from_utf8(span.of(&file.bytes)).ok()?;
            Some(text.to_owned())
        };
        local_variables(&file.bytes, info.code.as_ref()?, text)
    }
}

/// Name of a class; `Object` and `String` without their package.
fn class_text(internal: &str) -> String {
    match descriptor::to_java(&descriptor::of_class(internal)) {
        name if name == "java.lang.Object" => "Object".to_owned(),
        name if name == "java.lang.String" => "String".to_owned(),
        name => name,
    }
}

/// Shortens a parameter type. HotSpot tests the prefix only, so `java.lang.StringBuilder` loses
/// its package, too.
fn short_parameter(name: &str) -> String {
    if name.starts_with("java.lang.Object") || name.starts_with("java.lang.String") {
        name["java.lang.".len()..].to_owned()
    } else {
        name.to_owned()
    }
}
