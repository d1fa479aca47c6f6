//! String concatenation through a private `StringBuilder`, as `javac` compiles `+` without
//! `invokedynamic`. Each chain of appends becomes one concatenation ([`crate::concat`]), whose
//! string can be deferred.
//!
//! Invariant: code between the appends stays as it is and in order. A builder that other code can
//! see, or whose chain has jumps into or out of it, is left alone.

use rustc_hash::FxHashMap;

use crate::bytecode::{Decoded, Insn, op};
use crate::class::{ClassId, LoadedFile};
use crate::classfile::{CodeInfo, Constant};
use crate::concat::Piece;
use crate::descriptor::{self, Kind};
use crate::translate::{falls_through, stack_effect};
use crate::vm::{Fault, Vm};

const BUILDER: &str = "java/lang/StringBuilder";

/// New meaning of an instruction of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainRole {
    /// Does nothing: its operand is on the stack already, or is part of the text.
    Nothing,
    /// Calls this static method with the given number of words from the stack.
    Joins(u32, u16),
}

/// New meanings of instructions, by index.
pub(crate) type Roles = FxHashMap<usize, ChainRole>;

/// Code and the stack depth at each instruction.
struct CodeWithDepths<'a> {
    file: &'a LoadedFile,
    decoded: &'a Decoded,
    depths: &'a [Option<u16>],
    /// Whether an instruction is a branch target, or the bound of a handler's range.
    is_entered: Vec<bool>,
}

/// Concatenation.
#[derive(Debug)]
struct Chain {
    /// First and last instruction.
    range: (usize, usize),
    pieces: Vec<Piece>,
    /// Descriptors of the appended values.
    parameters: Vec<String>,
    /// Instructions that do nothing any more.
    gone: Vec<usize>,
    /// Instructions with the number of words by which the stack behind them is higher than it was
    /// with the builder on it.
    higher: Vec<(usize, i32)>,
}

impl Vm {
    /// Finds the concatenations of a method's code; `depths` become those without the builders.
    pub(crate) fn chains(
        &mut self,
        class: ClassId,
        file: &LoadedFile,
        info: &CodeInfo,
        decoded: &Decoded,
        depths: &mut [Option<u16>],
    ) -> Result<Roles, Fault> {
        let mut roles = Roles::default();
        if !mentions_builder(file) {
            return Ok(roles);
        }
        let code = CodeWithDepths {
            file,
            decoded,
            depths,
            is_entered: entered(info, decoded),
        };
        let chains: Vec<Chain> = (0..decoded.insns.len())
            .filter_map(|at| code.chain(at))
            .collect();
        for chain in chains {
            let method = self.concatenation(class, &chain.pieces, &chain.parameters)?;
            let (first, last) = chain.range;
            let mut higher = chain.higher.iter().peekable();
            let mut shift = 0;
            for (at, depth) in depths.iter_mut().enumerate().take(last + 1).skip(first) {
                *depth = depth.map(|depth| (i32::from(depth) + shift) as u16);
                if let Some((_, new)) = higher.next_if(|(place, _)| *place == at) {
                    shift = *new;
                }
            }
            let words = chain.parameters.iter().map(|text| Kind::of(text).words());
            roles.extend(chain.gone.iter().map(|&at| (at, ChainRole::Nothing)));
            roles.insert(last, ChainRole::Joins(method.0, words.sum()));
        }
        Ok(roles)
    }
}

fn mentions_builder(file: &LoadedFile) -> bool {
    let mut pool = file.info.pool.iter();
    pool.any(|constant| matches!(constant, Constant::Utf8(span) if span.of(&file.bytes) == BUILDER.as_bytes()))
}

fn entered(info: &CodeInfo, decoded: &Decoded) -> Vec<bool> {
    let mut is_entered = vec![false; decoded.insns.len()];
    let mut enter = |at: i32| {
        if let Some(number) = decoded.insn_at(at) {
            is_entered[number] = true;
        }
    };
    for insn in &decoded.insns {
        if matches!(insn.op, op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL) {
            enter(insn.a);
        }
    }
    for switch in &decoded.switches {
        let targets = switch.pairs.iter().map(|pair| pair.1);
        targets
            .chain([switch.default])
            .for_each(|at| enter(at as i32));
    }
    for handler in &info.handlers {
        for at in [handler.start, handler.end, handler.handler] {
            enter(i32::from(at));
        }
    }
    is_entered
}

impl CodeWithDepths<'_> {
    /// Returns the concatenation that begins at an instruction.
    fn chain(&self, first: usize) -> Option<Chain> {
        let insns = &self.decoded.insns;
        let depth = self.depths[first]?;
        let [new, copy, init] = insns.get(first..first + 3)? else {
            return None;
        };
        let is_new = new.op == op::NEW && self.class_name(new.a)? == BUILDER;
        let (class, name, descriptor) = self.member(init)?;
        let is_empty =
            init.op == op::INVOKESPECIAL && (class, name, descriptor) == (BUILDER, "<init>", "()V");
        if !is_new || copy.op != op::DUP || !is_empty {
            return None;
        }
        let mut chain = Chain {
            range: (first, first),
            pieces: Vec::new(),
            parameters: Vec::new(),
            gone: vec![first, first + 1, first + 2],
            higher: vec![(first, -1), (first + 1, -2), (first + 2, -1)],
        };
        let (mut text, mut words, mut is_asked) = (Vec::new(), 0_u16, false);
        for at in first + 1.. {
            let insn = insns.get(at)?;
            let own = self.depths[at]?;
            if self.is_entered[at] || jumps(insn) {
                return None;
            }
            if at < first + 3 {
                continue;
            }
            let (pop, _) = stack_effect(self.file, insn).ok()?;
            if own - pop > depth {
                // `toString` of an appended object moves to the end of the chain, so nothing with
                // an effect may precede it.
                if is_asked && !self.is_plain(insn) {
                    return None;
                }
                continue;
            }
            // The instruction uses the builder.
            let (class, name, descriptor) = self.member(insn)?;
            if insn.op != op::INVOKEVIRTUAL || class != BUILDER || own - pop != depth {
                return None;
            }
            match (name, descriptor::split_method(descriptor)?) {
                ("append", (parameters, _)) => {
                    let &[parameter] = &parameters[..] else {
                        return None;
                    };
                    chain.gone.push(at);
                    let literal = insns.get(at - 1)?;
                    if parameter == "Ljava/lang/String;"
                        && literal.op == op::LDC
                        && let Some(Constant::Str(index)) =
                            self.file.info.pool.get(literal.a as usize)
                    {
                        text.extend(self.file.utf16(*index)?);
                        chain.gone.push(at - 1);
                        // A text that is part of the concatenation is not pushed.
                        chain.higher.push((at - 1, i32::from(words) - 2));
                        chain.higher.push((at, i32::from(words) - 1));
                        continue;
                    }
                    let is_known = Kind::of(parameter) != Kind::Reference
                        || matches!(parameter, "Ljava/lang/String;" | "Ljava/lang/Object;");
                    if !is_known {
                        return None;
                    }
                    is_asked |= parameter == "Ljava/lang/Object;";
                    words += Kind::of(parameter).words();
                    chain.pieces.push(Piece::Text(std::mem::take(&mut text)));
                    chain.pieces.push(Piece::Argument);
                    chain.parameters.push(parameter.to_owned());
                    chain.higher.push((at, i32::from(words) - 1));
                }
                ("toString", _) if (1..=250).contains(&words) => {
                    chain.pieces.push(Piece::Text(text));
                    chain.range.1 = at;
                    return Some(chain);
                }
                _ => return None,
            }
        }
        None
    }

    fn class_name(&self, index: i32) -> Option<&str> {
        match self.file.info.pool.get(index as usize)? {
            Constant::Class(name) => self.text(*name),
            _ => None,
        }
    }

    fn text(&self, index: u16) -> Option<&str> {
        match self.file.info.pool.get(index as usize)? {
            Constant::Utf8(span) => std::str::from_utf8(span.of(&self.file.bytes)).ok(),
            _ => None,
        }
    }

    /// Whether an instruction only pushes a number, a string or a local variable.
    fn is_plain(&self, insn: &Insn) -> bool {
        let constant = self.file.info.pool.get(insn.a as usize);
        match insn.op {
            op::LDC => matches!(
                constant,
                Some(Constant::Int(_) | Constant::Float(_) | Constant::Str(_))
            ),
            op::LDC2_W => matches!(constant, Some(Constant::Long(_) | Constant::Double(_))),
            opcode => matches!(opcode, op::ACONST_NULL..=op::ALOAD),
        }
    }

    /// Class, name and descriptor of the method that an instruction calls.
    fn member(&self, insn: &Insn) -> Option<(&str, &str, &str)> {
        let pool = &self.file.info.pool;
        let &Constant::Method {
            class,
            name_and_type,
            ..
        } = pool.get(insn.a as usize)?
        else {
            return None;
        };
        let &Constant::NameAndType { name, descriptor } = pool.get(name_and_type as usize)? else {
            return None;
        };
        let class = self.class_name(i32::from(class))?;
        Some((class, self.text(name)?, self.text(descriptor)?))
    }
}

/// Whether an instruction may transfer control elsewhere than to the next one.
fn jumps(insn: &Insn) -> bool {
    !falls_through(insn.op) || matches!(insn.op, op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL)
}
