//! Translation of bytecode to register code, one instruction for one, at a method's first call.
//!
//! Invariant: every register of an instruction is below the method's `frame_words`, and every
//! branch stays within the method, whatever the class file says. The verifier ensures the types
//! of operands.

use std::sync::Arc;

use crate::assembler::Assembler;
use crate::bytecode::{self, Decoded, Insn, op};
use crate::chains::{ChainRole, Roles};
use crate::class::{ClassId, Code, Handler, LoadedFile, Loader, MethodId};
use crate::classfile::{CodeInfo, Constant};
use crate::descriptor::Kind;
use crate::instr::{Instr, InvokeKind, Reg, SwitchTable};
use crate::optimize::{self, Draft};
use crate::patches::RETURN_ROOM;
use crate::verify;
use crate::vm::{Fault, Vm};

/// Number of spare registers of a frame, used for cyclic moves.
pub(crate) const SPARE: u32 = 2;

/// Number of stack words popped and pushed by an instruction.
#[derive(Clone, Copy)]
struct Effect {
    pop: u16,
    push: u16,
}

impl Vm {
    /// First instruction of a method, which is translated on demand.
    pub(crate) fn translated(&mut self, method: MethodId) -> Result<u32, Fault> {
        match self.method(method).code {
            Code::Translated(entry) | Code::Intercepted { entry, .. } => Ok(entry),
            Code::Bytecode(_) => self.translate(method),
            Code::Abstract => {
                let class = self.method(method).class;
                Err(self.abstract_method(class, method))
            }
            Code::Native(_) => Err(Fault::unsupported(format!(
                "{} is native",
                self.method_text(method)
            ))),
            Code::Missing => Err(self.missing_native(method)),
        }
    }

    pub(crate) fn missing_native(&self, method: MethodId) -> Fault {
        let text = self.method_text(method);
        Fault::unsupported(match self.method(method).is_native() {
            true => format!("the native method {text} is not supported"),
            false => format!("{text}: method handles are not supported"),
        })
    }

    fn translate(&mut self, method: MethodId) -> Result<u32, Fault> {
        let class = self.class(self.method(method).class);
        let (Some(file), loader) = (class.file.clone(), class.loader) else {
            return Err(Fault::unsupported(format!(
                "{} has no bytecode",
                self.method_text(method)
            )));
        };
        let Some(info) = self.method(method).code_info(&file) else {
            return Err(Fault::unsupported(format!(
                "{} has no bytecode",
                self.method_text(method)
            )));
        };
        let refuse = |vm: &Vm, what: String| {
            Fault::invalid(format!(
                "{}: {}: {what}",
                file.source,
                vm.method_text(method)
            ))
        };
        let decoded =
            bytecode::decode(info.code.of(&file.bytes)).map_err(|what| refuse(self, what))?;
        let frame_words =
            |max_stack: u16| u32::from(info.max_locals) + u32::from(max_stack) + SPARE;
        if frame_words(info.max_stack) > 65_535 {
            return Err(Fault::unsupported(format!(
                "{} has {} locals",
                self.method_text(method),
                frame_words(info.max_stack)
            )));
        }
        if self.method(method).argument_words > info.max_locals {
            return Err(refuse(
                self,
                "its arguments do not fit its locals".to_owned(),
            ));
        }
        let mut depths = stack_depths(&file, info, &decoded).map_err(|what| refuse(self, what))?;
        if loader == Loader::App {
            verify::verify(self, method, &file, info, &decoded)?;
        }
        let class = self.method(method).class;
        let is_patchable = self.patchable.contains(&method);
        let roles = match is_patchable {
            true => Roles::default(),
            false => self.chains(class, &file, info, &decoded, &mut depths)?,
        };
        let mut translator = Translator {
            vm: self,
            method,
            file: &file,
            info,
            decoded: &decoded,
            roles,
            max_stack: info.max_stack,
            out: Vec::with_capacity(decoded.insns.len()),
            origins: Vec::with_capacity(decoded.insns.len()),
            places: vec![0; decoded.insns.len() + 1],
            depth: 0,
            long_branches: decoded.insns.len() > 5_000,
            is_patchable,
            result: Kind::Void,
        };
        translator.result = translator.vm.method(method).result;
        let (mut draft, max_stack) = translator
            .emit_all(&depths)
            .map_err(|what| refuse(self, what))?;
        if self.config.optimize && !is_patchable {
            optimize::optimize(&mut draft);
        }
        let Draft {
            mut code,
            mut origins,
            handlers,
            tables,
            ..
        } = draft;
        let mut prologue = self.notes_of(method, info.max_locals);
        prologue.extend(self.prologues.get(&method).into_iter().flatten());
        code.splice(0..0, prologue.iter().copied());
        origins.splice(0..0, prologue.iter().map(|_| 0));
        let prologue = prologue.len() as u32;
        for instr in &mut code {
            if let Instr::Switch { table, .. } = instr {
                *table += self.switches.len() as u32;
            }
        }
        self.switches.extend(tables);
        let entry = self.code.len() as u32;
        self.code.extend(code);
        let method = &mut self.methods[method.0 as usize];
        method.code = Code::Translated(entry);
        method.frame_words = frame_words(max_stack);
        method.origins = origins;
        let start = entry + prologue;
        method.handlers = handlers
            .into_iter()
            .map(|handler| Handler {
                start: handler.start + start,
                end: handler.end + start,
                target: handler.target + start,
                ..handler
            })
            .collect();
        Ok(entry)
    }

    /// Installs the code of a generated method; its arguments are in the first registers.
    pub(crate) fn install(&mut self, method: MethodId, code: Assembler) {
        let entry = self.code.len() as u32;
        let length = code.instrs.len();
        self.code.extend(code.instrs);
        let method = &mut self.methods[method.0 as usize];
        method.code = Code::Translated(entry);
        method.frame_words = code.registers.max(u32::from(method.argument_words)) + SPARE;
        method.origins = vec![0; length];
        method.handlers = code
            .handlers
            .into_iter()
            .map(|handler| handler.moved(entry))
            .collect();
    }

    /// Instructions of a translated method as text, one per line, with the names of the classes
    /// and members they refer to.
    #[must_use]
    pub fn disassemble(&self, method: MethodId) -> String {
        use std::fmt::Write;
        let this = self.method(method);
        let Code::Translated(entry) = this.code else {
            return String::new();
        };
        let mut text = String::new();
        for (index, origin) in this.origins.iter().enumerate() {
            let instr = self.code[entry as usize + index];
            let _ = write!(text, "{index:5} {origin:5}  {instr:?}");
            let name = match (instr.method(), instr.class()) {
                (Some(method), _) => self.method_text(MethodId(method)),
                (_, Some(class)) => self.binary_name(ClassId(class)),
                _ => String::new(),
            };
            let _ = writeln!(text, "{}{name}", if name.is_empty() { "" } else { "  // " });
        }
        text
    }
}

/// Number of argument words and kind of the result of a method descriptor.
pub(crate) fn method_shape(descriptor: &[u8]) -> Option<(u16, Kind)> {
    let text = std::str::from_utf8(descriptor).ok()?;
    let (parameters, result) = crate::descriptor::split_method(text)?;
    let words: usize = parameters
        .iter()
        .map(|parameter| Kind::of(parameter).words() as usize)
        .sum();
    (words <= 255).then(|| (words as u16, Kind::of(result)))
}

fn text_bytes(file: &LoadedFile, index: u16) -> Option<&[u8]> {
    match file.info.pool.get(index as usize)? {
        Constant::Utf8(span) => Some(span.of(&file.bytes)),
        _ => None,
    }
}

/// Descriptor of a field, method or call-site entry.
pub(crate) fn entry_descriptor(file: &LoadedFile, index: i32) -> Option<&[u8]> {
    let pair = match *file.info.pool.get(index as usize)? {
        Constant::Field { name_and_type, .. }
        | Constant::Method { name_and_type, .. }
        | Constant::Dynamic { name_and_type, .. }
        | Constant::InvokeDynamic { name_and_type, .. } => name_and_type,
        _ => return None,
    };
    match *file.info.pool.get(pair as usize)? {
        Constant::NameAndType { descriptor, .. } => text_bytes(file, descriptor),
        _ => None,
    }
}

fn field_kind(file: &LoadedFile, index: i32) -> Result<Kind, String> {
    match file.info.pool.get(index as usize) {
        Some(Constant::Field { .. }) => {}
        _ => return Err(format!("constant {index} is no field")),
    }
    entry_descriptor(file, index)
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .filter(|text| crate::descriptor::is_field(text))
        .map(Kind::of)
        .ok_or_else(|| format!("constant {index} is no field"))
}

fn effect(file: &LoadedFile, insn: &Insn) -> Result<Effect, String> {
    let (pop, push) = match insn.op {
        op::NOP | op::IINC | op::GOTO | op::RET | op::RETURN => (0, 0),
        op::ACONST_NULL
        | op::BIPUSH
        | op::FCONST_0..=op::FCONST_2
        | op::ILOAD
        | op::FLOAD
        | op::ALOAD => (0, 1),
        op::LDC => match file.info.pool.get(insn.a as usize) {
            Some(
                Constant::Int(_)
                | Constant::Float(_)
                | Constant::Str(_)
                | Constant::Class(_)
                | Constant::MethodType(_)
                | Constant::MethodHandle { .. },
            ) => (0, 1),
            Some(Constant::Dynamic { .. })
                if entry_descriptor(file, insn.a)
                    .is_some_and(|bytes| !matches!(bytes, b"J" | b"D")) =>
            {
                (0, 1)
            }
            _ => {
                return Err(format!(
                    "constant {} cannot be loaded at {}",
                    insn.a, insn.at
                ));
            }
        },
        op::LDC2_W => match file.info.pool.get(insn.a as usize) {
            Some(Constant::Long(_) | Constant::Double(_)) => (0, 2),
            Some(Constant::Dynamic { .. })
                if entry_descriptor(file, insn.a)
                    .is_some_and(|bytes| matches!(bytes, b"J" | b"D")) =>
            {
                (0, 2)
            }
            _ => {
                return Err(format!(
                    "constant {} cannot be loaded at {}",
                    insn.a, insn.at
                ));
            }
        },
        op::LCONST_0 | op::LCONST_1 | op::DCONST_0 | op::DCONST_1 | op::LLOAD | op::DLOAD => (0, 2),
        op::IALOAD | op::FALOAD | op::AALOAD | op::BALOAD | op::CALOAD | op::SALOAD => (2, 1),
        op::LALOAD | op::DALOAD => (2, 2),
        op::ISTORE | op::FSTORE | op::ASTORE | op::POP => (1, 0),
        op::LSTORE | op::DSTORE | op::POP2 => (2, 0),
        op::IASTORE | op::FASTORE | op::AASTORE | op::BASTORE | op::CASTORE | op::SASTORE => (3, 0),
        op::LASTORE | op::DASTORE => (4, 0),
        op::DUP => (1, 2),
        op::DUP_X1 => (2, 3),
        op::DUP_X2 => (3, 4),
        op::DUP2 => (2, 4),
        op::DUP2_X1 => (3, 5),
        op::DUP2_X2 => (4, 6),
        op::SWAP => (2, 2),
        op::IADD..=op::LXOR | op::I2L..=op::DCMPG => {
            let (operation, kind) = bytecode::computed(insn.op);
            let second = operation.second(kind).words();
            (kind.words() + second, operation.result(kind).words())
        }
        op::IFEQ..=op::IFLE | op::IFNULL | op::IFNONNULL => (1, 0),
        op::IF_ICMPEQ..=op::IF_ACMPNE => (2, 0),
        op::JSR => (0, 1),
        op::TABLESWITCH | op::LOOKUPSWITCH => (1, 0),
        op::IRETURN | op::FRETURN | op::ARETURN | op::ATHROW => (1, 0),
        op::LRETURN | op::DRETURN => (2, 0),
        op::GETSTATIC => (0, field_kind(file, insn.a)?.words()),
        op::PUTSTATIC => (field_kind(file, insn.a)?.words(), 0),
        op::GETFIELD => (1, field_kind(file, insn.a)?.words()),
        op::PUTFIELD => (1 + field_kind(file, insn.a)?.words(), 0),
        op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
            let fits = match file.info.pool.get(insn.a as usize) {
                Some(Constant::Method { .. }) => insn.op != op::INVOKEDYNAMIC,
                Some(Constant::InvokeDynamic { .. }) => insn.op == op::INVOKEDYNAMIC,
                _ => false,
            };
            let (words, result) = entry_descriptor(file, insn.a)
                .filter(|_| fits)
                .and_then(method_shape)
                .ok_or_else(|| format!("constant {} cannot be called at {}", insn.a, insn.at))?;
            let receiver = u16::from(!matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC));
            (words + receiver, result.words())
        }
        op::NEW => (0, 1),
        op::NEWARRAY | op::ANEWARRAY | op::ARRAYLENGTH | op::CHECKCAST | op::INSTANCEOF => (1, 1),
        op::MONITORENTER | op::MONITOREXIT => (1, 0),
        op::MULTIANEWARRAY => (insn.b as u16, 1),
        other => return Err(format!("unknown opcode {other} at {}", insn.at)),
    };
    Ok(Effect { pop, push })
}

/// Number of stack words popped and pushed by an instruction.
pub(crate) fn stack_effect(file: &LoadedFile, insn: &Insn) -> Result<(u16, u16), String> {
    effect(file, insn).map(|effect| (effect.pop, effect.push))
}

/// Whether control can go from an instruction to the next one.
pub(crate) fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        op::GOTO | op::RET | op::TABLESWITCH | op::LOOKUPSWITCH | op::IRETURN
            ..=op::RETURN | op::ATHROW
    )
}

/// Stack depth before each instruction, in words; `None` if the instruction is unreachable.
pub(crate) fn stack_depths(
    file: &LoadedFile,
    info: &CodeInfo,
    decoded: &Decoded,
) -> Result<Vec<Option<u16>>, String> {
    let mut depths: Vec<Option<u16>> = vec![None; decoded.insns.len()];
    let mut work: Vec<(usize, u16)> = vec![(0, 0)];
    for handler in &info.handlers {
        decoded
            .insn_at(i32::from(handler.start))
            .ok_or("handler of a range that starts nowhere")?;
        if usize::from(handler.end) != decoded.starts.len() {
            decoded
                .insn_at(i32::from(handler.end))
                .ok_or("handler of a range that ends nowhere")?;
        }
        if handler.start >= handler.end {
            return Err("handler of an empty range".to_owned());
        }
        let target = decoded
            .insn_at(i32::from(handler.handler))
            .ok_or("handler nowhere")?;
        work.push((target, 1));
    }
    while let Some((start, depth)) = work.pop() {
        let (mut index, mut depth) = (start, depth);
        loop {
            let Some(insn) = decoded.insns.get(index) else {
                return Err("control falls off the end of the code".to_owned());
            };
            match depths[index] {
                Some(known) if known == depth => break,
                Some(known) => {
                    return Err(format!("stack of {known} or {depth} words at {}", insn.at));
                }
                None => depths[index] = Some(depth),
            }
            if depth > info.max_stack {
                return Err(format!(
                    "stack deeper than {} words at {}",
                    info.max_stack, insn.at
                ));
            }
            let Effect { pop, push } = effect(file, insn)?;
            depth = depth
                .checked_sub(pop)
                .ok_or_else(|| format!("stack of too few words at {}", insn.at))?
                + push;
            if depth > info.max_stack {
                return Err(format!(
                    "stack deeper than {} words at {}",
                    info.max_stack, insn.at
                ));
            }
            match insn.op {
                op::IFEQ..=op::IF_ACMPNE | op::GOTO | op::IFNULL | op::IFNONNULL => {
                    work.push((decoded.starts[insn.a as usize] as usize, depth));
                }
                op::JSR => {
                    work.push((decoded.starts[insn.a as usize] as usize, depth));
                    depth -= 1;
                }
                op::TABLESWITCH | op::LOOKUPSWITCH => {
                    let switch = &decoded.switches[insn.b as usize];
                    for target in switch
                        .pairs
                        .iter()
                        .map(|pair| pair.1)
                        .chain([switch.default])
                    {
                        work.push((decoded.starts[target as usize] as usize, depth));
                    }
                }
                _ => {}
            }
            if !falls_through(insn.op) {
                break;
            }
            index += 1;
        }
    }
    Ok(depths)
}

struct Translator<'a> {
    vm: &'a mut Vm,
    method: MethodId,
    file: &'a Arc<LoadedFile>,
    info: &'a CodeInfo,
    decoded: &'a Decoded,
    /// New meanings of instructions of a string concatenation.
    roles: Roles,
    /// Maximum stack depth, in words.
    max_stack: u16,
    out: Vec<Instr>,
    origins: Vec<u16>,
    /// For each bytecode instruction the index of its first register instruction.
    places: Vec<u32>,
    /// Stack depth before the current instruction, in words.
    depth: u16,
    long_branches: bool,
    is_patchable: bool,
    result: Kind,
}

impl Translator<'_> {
    fn emit_all(mut self, depths: &[Option<u16>]) -> Result<(Draft, u16), String> {
        let (mut before, mut after): (Vec<Reg>, Vec<Reg>) = (Vec::new(), Vec::new());
        let stack = self.info.max_locals;
        let mut branches: Vec<(usize, usize)> = Vec::new();
        let mut tables: Vec<(usize, usize)> = Vec::new();
        for (index, insn) in self.decoded.insns.iter().enumerate() {
            self.places[index] = self.out.len() as u32;
            let Some(depth) = depths[index] else { continue };
            self.depth = depth;
            self.emit_probe(insn, stack + depth, &mut before, &mut after);
            let start = self.out.len();
            let role = self.roles.get(&index).copied();
            match insn.op {
                _ if role.is_some() => self.emit_role(role),
                op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => {
                    self.emit_branch(insn);
                    branches.push((
                        self.out.len() - 1,
                        self.decoded.starts[insn.a as usize] as usize,
                    ));
                }
                op::TABLESWITCH | op::LOOKUPSWITCH => {
                    tables.push((self.out.len(), insn.b as usize));
                    self.out.push(Instr::Switch {
                        a: self.stack(1),
                        table: 0,
                    });
                }
                _ => self.emit(insn)?,
            }
            self.origins.resize(self.out.len(), insn.at);
            // Between the moves of one instruction the spare registers may be in use.
            let Effect { pop, push } = match role {
                None => effect(self.file, insn)?,
                Some(ChainRole::Nothing) => Effect { pop: 0, push: 0 },
                Some(ChainRole::Joins(_, words)) => Effect {
                    pop: words,
                    push: 1,
                },
            };
            self.max_stack = self.max_stack.max(depth).max(depth - pop + push);
            let end = stack + depth - pop + push;
            before.resize(self.out.len(), end.max(stack + depth) + SPARE as u16);
            after.resize(self.out.len(), end.max(stack + depth) + SPARE as u16);
            let (first, last) = (start, self.out.len() - 1);
            before[first] = stack + depth;
            after[last] = end;
        }
        self.places[self.decoded.insns.len()] = self.out.len() as u32;
        for (at, target) in branches {
            let to = self.places[target] as i32 - at as i32;
            self.out[at].set_distance(to);
        }
        let mut switches = Vec::new();
        for (at, number) in tables {
            let table = self.switch_table(at, number);
            let index = switches.len() as u32;
            switches.push(table);
            if let Instr::Switch { table, .. } = &mut self.out[at] {
                *table = index;
            }
        }
        let mut handlers = Vec::with_capacity(self.info.handlers.len());
        for handler in &self.info.handlers {
            let place = |at: u16| match self.decoded.insn_at(i32::from(at)) {
                Some(insn) => self.places[insn],
                None => self.out.len() as u32,
            };
            handlers.push(Handler {
                start: place(handler.start),
                end: place(handler.end),
                target: place(handler.handler),
                catch: handler.catch,
                register: self.info.max_locals,
            });
        }
        let draft = Draft {
            code: self.out,
            origins: self.origins,
            before,
            after,
            handlers,
            tables: switches,
            stack,
        };
        Ok((draft, self.max_stack))
    }

    fn emit_role(&mut self, role: Option<ChainRole>) {
        self.out.push(match role {
            Some(ChainRole::Joins(method, words)) => Instr::InvokeStaticChecked {
                a: self.stack(words),
                method,
            },
            _ => Instr::Nop,
        });
    }

    fn emit_probe(&mut self, insn: &Insn, free: Reg, before: &mut Vec<Reg>, after: &mut Vec<Reg>) {
        if let Some(point) = self.vm.point_at(self.method, insn.at) {
            self.out.push(Instr::Probe { point });
            self.origins.push(insn.at);
            before.push(free);
            after.push(free);
        }
    }

    fn switch_table(&self, at: usize, number: usize) -> SwitchTable {
        let switch = &self.decoded.switches[number];
        let place = |target: u16| {
            self.places[self.decoded.starts[target as usize] as usize] as i32 - at as i32
        };
        let targets: Vec<i32> = switch.pairs.iter().map(|pair| place(pair.1)).collect();
        let default = place(switch.default);
        let dense = switch
            .pairs
            .windows(2)
            .all(|pair| pair[0].0 + 1 == pair[1].0);
        match switch.pairs.first() {
            Some(&(low, _)) if dense => SwitchTable::Dense {
                low,
                targets,
                default,
            },
            _ => SwitchTable::Sparse {
                keys: switch.pairs.iter().map(|pair| pair.0).collect(),
                targets,
                default,
            },
        }
    }

    /// Register of a stack word; `below` is 1 for the topmost.
    fn stack(&self, below: u16) -> Reg {
        self.info.max_locals + self.depth - below
    }

    /// Register of the first free stack word.
    fn push(&self) -> Reg {
        self.info.max_locals + self.depth
    }

    fn local(&self, index: i32, words: i32) -> Result<Reg, String> {
        if index + words <= i32::from(self.info.max_locals) {
            Ok(index as Reg)
        } else {
            Err(format!(
                "local variable {index} of {}",
                self.info.max_locals
            ))
        }
    }

    fn moves(&mut self, moves: &[(u16, u16)]) -> Result<(), String> {
        // Words are numbered from the top: 1 is the topmost, 0 the first free one, MAX the next.
        let register = |this: &Self, word: u16| {
            if word == u16::MAX {
                this.push() + 1
            } else {
                this.push() - word
            }
        };
        for &(to, from) in moves {
            let (d, a) = (register(self, to), register(self, from));
            self.out.push(Instr::Move { d, a });
        }
        Ok(())
    }

    fn emit_branch(&mut self, insn: &Insn) {
        let (a, b) = (self.stack_or_zero(2), self.stack_or_zero(1));
        let one = |instr: fn(Reg, i32) -> Instr| instr(b, 0);
        let instr = match insn.op {
            op::GOTO => Instr::Goto { to: 0 },
            op::JSR => Instr::Jsr {
                d: self.push(),
                to: 0,
            },
            op::IFEQ => one(|a, to| Instr::IfEq { a, to }),
            op::IFNE => one(|a, to| Instr::IfNe { a, to }),
            op::IFLT => one(|a, to| Instr::IfLt { a, to }),
            op::IFGE => one(|a, to| Instr::IfGe { a, to }),
            op::IFGT => one(|a, to| Instr::IfGt { a, to }),
            op::IFLE => one(|a, to| Instr::IfLe { a, to }),
            op::IFNULL => one(|a, to| Instr::IfNull { a, to }),
            op::IFNONNULL => one(|a, to| Instr::IfNonNull { a, to }),
            _ => {
                let compare = |opcode: u8, to: i16| match opcode {
                    op::IF_ICMPEQ => Instr::IfICmpEq { a, b, to },
                    op::IF_ICMPNE => Instr::IfICmpNe { a, b, to },
                    op::IF_ICMPLT => Instr::IfICmpLt { a, b, to },
                    op::IF_ICMPGE => Instr::IfICmpGe { a, b, to },
                    op::IF_ICMPGT => Instr::IfICmpGt { a, b, to },
                    op::IF_ICMPLE => Instr::IfICmpLe { a, b, to },
                    op::IF_ACMPEQ => Instr::IfACmpEq { a, b, to },
                    _ => Instr::IfACmpNe { a, b, to },
                };
                if self.long_branches {
                    // A 16-bit distance may be too short: branches over a jump with a long
                    // distance.
                    self.out.push(compare(insn.op, 2));
                    self.out.push(Instr::Goto { to: 2 });
                    Instr::Goto { to: 0 }
                } else {
                    compare(insn.op, 0)
                }
            }
        };
        self.out.push(instr);
    }

    fn stack_or_zero(&self, below: u16) -> Reg {
        if self.depth >= below {
            self.stack(below)
        } else {
            0
        }
    }

    fn emit(&mut self, insn: &Insn) -> Result<(), String> {
        let (a, b) = (self.stack_or_zero(2), self.stack_or_zero(1));
        let d = self.push();
        macro_rules! load {
            ($op:ident) => {
                Instr::$op { d: a, a, b }
            };
        }
        let index = insn.a as u16;
        let instr = match insn.op {
            op::NOP | op::POP | op::POP2 => Instr::Nop,
            op::ACONST_NULL => Instr::Int { d, value: 0 },
            op::BIPUSH => Instr::Int { d, value: insn.a },
            op::LCONST_0 | op::LCONST_1 => self.wide_constant(d, u64::from(insn.op - op::LCONST_0)),
            op::FCONST_0..=op::FCONST_2 => Instr::Int {
                d,
                value: f32::from(insn.op - op::FCONST_0).to_bits() as i32,
            },
            op::DCONST_0 | op::DCONST_1 => {
                self.wide_constant(d, f64::from(insn.op - op::DCONST_0).to_bits())
            }
            op::LDC | op::LDC2_W => match self.file.info.pool[insn.a as usize] {
                Constant::Int(value) => Instr::Int { d, value },
                Constant::Float(bits) => Instr::Int {
                    d,
                    value: bits as i32,
                },
                Constant::Long(value) => self.wide_constant(d, value as u64),
                Constant::Double(bits) => self.wide_constant(d, bits),
                _ => Instr::LdcPending { d, index },
            },
            op::ILOAD | op::FLOAD | op::ALOAD => Instr::Move {
                d,
                a: self.local(insn.a, 1)?,
            },
            op::LLOAD | op::DLOAD => Instr::Move {
                d,
                a: self.local(insn.a, 2)?,
            },
            op::ISTORE | op::FSTORE | op::ASTORE => Instr::Move {
                d: self.local(insn.a, 1)?,
                a: b,
            },
            op::LSTORE | op::DSTORE => Instr::Move {
                d: self.local(insn.a, 2)?,
                a,
            },
            op::IALOAD | op::FALOAD => load!(IntLoad),
            op::LALOAD | op::DALOAD => load!(LongLoad),
            op::AALOAD => load!(RefLoad),
            op::BALOAD => load!(ByteLoad),
            op::CALOAD => load!(CharLoad),
            op::SALOAD => load!(ShortLoad),
            op::IASTORE | op::FASTORE => Instr::IntStore {
                a: self.stack(3),
                b: a,
                c: b,
            },
            op::LASTORE | op::DASTORE => Instr::LongStore {
                a: self.stack(4),
                b: self.stack(3),
                c: self.stack(2),
            },
            op::AASTORE => Instr::RefStore {
                a: self.stack(3),
                b: a,
                c: b,
            },
            op::BASTORE => Instr::ByteStore {
                a: self.stack(3),
                b: a,
                c: b,
            },
            op::CASTORE | op::SASTORE => Instr::ShortStore {
                a: self.stack(3),
                b: a,
                c: b,
            },
            op::DUP => Instr::Move { d, a: b },
            op::DUP_X1 => return self.moves(&[(0, 1), (1, 2), (2, 0)]),
            op::DUP_X2 => return self.moves(&[(0, 1), (1, 2), (2, 3), (3, 0)]),
            op::DUP2 => return self.moves(&[(0, 2), (u16::MAX, 1)]),
            op::DUP2_X1 => {
                return self.moves(&[(u16::MAX, 1), (0, 2), (1, 3), (2, u16::MAX), (3, 0)]);
            }
            op::DUP2_X2 => {
                return self.moves(&[(u16::MAX, 1), (0, 2), (1, 3), (2, 4), (3, u16::MAX), (4, 0)]);
            }
            op::SWAP => return self.moves(&[(0, 1), (1, 2), (2, 0)]),
            op::IADD..=op::LXOR | op::I2L..=op::DCMPG => self.computation(insn.op),
            op::IINC => {
                let d = self.local(insn.a, 1)?;
                Instr::IAddConst {
                    d,
                    a: d,
                    value: insn.b as i16,
                }
            }
            op::RET => Instr::JsrReturn {
                a: self.local(insn.a, 1)?,
            },
            op::IRETURN => {
                // JVMS §6.5.ireturn: the value is narrowed to the method's result type.
                match self.result {
                    Kind::Boolean => self.out.push(Instr::I2Z { d: b, a: b }),
                    Kind::Byte => self.out.push(Instr::I2B { d: b, a: b }),
                    Kind::Char => self.out.push(Instr::I2C { d: b, a: b }),
                    Kind::Short => self.out.push(Instr::I2S { d: b, a: b }),
                    _ => {}
                }
                Instr::Return { a: b }
            }
            op::FRETURN | op::ARETURN => Instr::Return { a: b },
            op::LRETURN | op::DRETURN => Instr::Return { a },
            op::RETURN => Instr::ReturnVoid,
            op::GETSTATIC => Instr::GetStaticPending { d, index },
            op::PUTSTATIC => {
                let words = field_kind(self.file, insn.a)?.words();
                Instr::PutStaticPending {
                    a: self.stack(words),
                    index,
                }
            }
            op::GETFIELD => Instr::GetFieldPending { d: b, a: b, index },
            op::PUTFIELD => {
                let words = field_kind(self.file, insn.a)?.words();
                Instr::PutFieldPending {
                    a: self.stack(words + 1),
                    b: self.stack(words),
                    index,
                }
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let call = match insn.op {
                    op::INVOKEVIRTUAL => InvokeKind::Virtual,
                    op::INVOKESPECIAL => InvokeKind::Special,
                    op::INVOKESTATIC => InvokeKind::Static,
                    op::INVOKEINTERFACE => InvokeKind::Interface,
                    _ => InvokeKind::Dynamic,
                };
                let Effect { pop, .. } = effect(self.file, insn)?;
                Instr::InvokePending {
                    a: self.push() - pop,
                    index,
                    call,
                }
            }
            op::NEW => Instr::NewPending { d, index },
            op::NEWARRAY => {
                let kind = Kind::NEWARRAY[insn.a as usize - 4];
                let element = self.vm.primitive(kind);
                let class = self
                    .vm
                    .array_of(element)
                    .map_err(|_| "array class".to_owned())?;
                Instr::NewArray {
                    d: b,
                    class: class.0,
                }
            }
            op::ANEWARRAY => Instr::ANewArrayPending { d: b, index },
            op::ARRAYLENGTH => Instr::ArrayLength { d: b, a: b },
            op::ATHROW => Instr::Throw { a: b },
            op::CHECKCAST => Instr::CheckCastPending { a: b, index },
            op::INSTANCEOF => Instr::InstanceOfPending { d: b, index },
            op::MONITORENTER => Instr::MonitorEnter { a: b },
            op::MONITOREXIT => Instr::MonitorExit { a: b },
            op::MULTIANEWARRAY => Instr::MultiANewArray {
                d: self.stack(insn.b as u16),
                index,
                dimensions: insn.b as u8,
            },
            other => return Err(format!("unknown opcode {other} at {}", insn.at)),
        };
        if self.is_patchable && matches!(instr, Instr::Return { .. } | Instr::ReturnVoid) {
            self.out.extend([Instr::Nop; RETURN_ROOM]);
        }
        self.out.push(instr);
        Ok(())
    }

    /// Instruction whose operands are on the stack and are replaced by its result.
    fn computation(&self, opcode: u8) -> Instr {
        let (operation, kind) = bytecode::computed(opcode);
        let second = operation.second(kind).words();
        let d = self.stack(kind.words() + second);
        Instr::computation(operation, kind, d, d, self.stack(second))
    }

    fn wide_constant(&mut self, d: Reg, value: u64) -> Instr {
        match i32::try_from(value) {
            // A small positive long has the same slot as an int.
            Ok(small) => Instr::Int { d, value: small },
            Err(_) => {
                self.vm.wide.push(value);
                Instr::Wide {
                    d,
                    index: self.vm.wide.len() as u32 - 1,
                }
            }
        }
    }
}
