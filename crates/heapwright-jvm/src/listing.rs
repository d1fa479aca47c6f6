//! Bytecode of a method as data, for analyses that read code without running it.
//!
//! The instructions of JVMS §6.5 are reduced to few forms and refer to members by name. Local
//! variables and stack entries are counted in words, as in the class file.

pub use crate::bytecode::Switch;
use crate::bytecode::{self, Insn, op};
use crate::class::{Field, LoadedFile, MethodId};
use crate::classfile::{Constant, utf16_of_mutf8};
use crate::descriptor::Kind;
use crate::helpful::local_variables;
use crate::machine::{Comparison, Operation};
use crate::translate::{entry_descriptor, stack_effect};
use crate::vm::Vm;

/// Code of a method.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Instructions in order.
    pub instructions: Vec<Listed>,
    /// Exception table, in order.
    pub handlers: Vec<ListedHandler>,
    /// Bytecode indices at which entries of the line number table begin, in ascending order.
    pub line_starts: Vec<u16>,
    /// Named local variables, if the class file has them (`javac -g`).
    pub locals: Vec<ListedLocal>,
    /// Number of local variables, in words.
    pub max_locals: u16,
}

/// Instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Bytecode index of the instruction.
    pub at: u16,
    /// Source line, if the class file has it.
    pub line: Option<u16>,
    /// Operation.
    pub step: ListedOperation,
    /// Number of stack words popped and pushed.
    pub effect: (u16, u16),
}

/// Entry of the exception table; positions are bytecode indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHandler {
    /// Start of the covered range.
    pub start: u16,
    /// End of the covered range, exclusive.
    pub end: u16,
    /// Start of the handler.
    pub target: u16,
    /// Internal name of the caught class; `None` for all.
    pub catch: Option<String>,
}

/// Local variable with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedLocal {
    /// Range of bytecode indices in which the name is valid, end exclusive.
    pub range: (u16, u32),
    /// Name.
    pub name: String,
    /// First word.
    pub index: u16,
}

/// Condition of a conditional branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchCondition {
    /// Comparison of two ints.
    Compare(SignedComparison),
    /// Comparison of an int with 0.
    WithZero(SignedComparison),
    /// Two references are equal (`true`) or differ.
    Same(bool),
    /// A reference is null (`true`) or not.
    Null(bool),
}

/// Comparison of two signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignedComparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `<=`
    Le,
}

impl SignedComparison {
    /// Returns the comparison that holds of exactly those ints of which this one does not. Neither
    /// holds of floating-point numbers of which one is no number, except for `Ne`.
    #[must_use]
    pub fn negated(self) -> SignedComparison {
        match self {
            SignedComparison::Eq => SignedComparison::Ne,
            SignedComparison::Ne => SignedComparison::Eq,
            SignedComparison::Lt => SignedComparison::Ge,
            SignedComparison::Ge => SignedComparison::Lt,
            SignedComparison::Gt => SignedComparison::Le,
            SignedComparison::Le => SignedComparison::Gt,
        }
    }
}

impl From<SignedComparison> for Comparison {
    fn from(relation: SignedComparison) -> Comparison {
        match relation {
            SignedComparison::Eq => Comparison::Eq,
            SignedComparison::Ne => Comparison::Ne,
            SignedComparison::Lt => Comparison::Lt,
            SignedComparison::Ge => Comparison::Ge,
            SignedComparison::Gt => Comparison::Gt,
            SignedComparison::Le => Comparison::Le,
        }
    }
}

/// Rearrangement of stack words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// `pop`, `pop2`: drops this number of words.
    Drop(u16),
    /// The `dup` family: copies the given number of topmost words and inserts the copy below them
    /// and below the second number of further words.
    Copy(u16, u16),
    /// `swap`
    Swap,
}

/// Member that an instruction names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ListedMember {
    /// Internal name of the named class.
    pub class: String,
    /// Name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
}

/// Dispatch of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoke {
    /// `invokestatic`
    Static,
    /// `invokespecial`: exactly this method, independent of the receiver's class.
    Special,
    /// `invokevirtual`, `invokeinterface`: the method selected by the receiver's class.
    Virtual,
}

/// Operation of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum ListedOperation {
    /// Nothing.
    Nothing,
    /// Enters (`true`) or leaves the monitor of an object.
    Monitor(bool),
    /// Pushes a number of a primitive kind, given by the bits of its slot.
    Number(Kind, u64),
    /// Pushes null.
    Null,
    /// Pushes a string of the constant pool.
    Text(String),
    /// Pushes another object of the constant pool, given as Java text: `a.B.class`.
    Constant(String),
    /// Pushes a local variable.
    Load(Kind, u16),
    /// Pops into a local variable.
    Store(Kind, u16),
    /// Adds to an int variable.
    Increment(u16, i32),
    /// Pushes an element of an array.
    ArrayLoad(Kind),
    /// Pops into an element of an array.
    ArrayStore(Kind),
    /// Replaces an array by its length.
    ArrayLength,
    /// Rearranges stack words.
    Shuffle(Shuffle),
    /// Applies an operation to one or two operands.
    Operate(Operation, Kind),
    /// Jumps if a test holds.
    Branch(BranchCondition, u16),
    /// Jumps to the target of an int key.
    Switch(Switch),
    /// Jumps.
    Goto(u16),
    /// `jsr`, `ret`: subroutines of old compilers.
    Subroutine,
    /// Returns a value of a kind, or none if void.
    Return(Kind),
    /// Throws the popped exception.
    Throw,
    /// Reads a field; the flag tells whether it is static.
    GetField(ListedMember, bool),
    /// Writes a field; the flag tells whether it is static.
    PutField(ListedMember, bool),
    /// Calls a method.
    Invoke(Invoke, ListedMember),
    /// `invokedynamic`: name, descriptor, and the methods passed to the bootstrap method, such as
    /// a lambda's body.
    Dynamic(String, String, Vec<ListedMember>),
    /// Creates an object of the class with this internal name.
    New(String),
    /// Creates an array of this class, with the given number of dimensions.
    NewArray(String, u8),
    /// Casts to a class.
    CheckCast(String),
    /// Tests whether an object is an instance of a class.
    InstanceOf(String),
}

impl ListedOperation {
    /// Whether control can reach the next instruction without a jump.
    #[must_use]
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            ListedOperation::Goto(_)
                | ListedOperation::Switch(_)
                | ListedOperation::Return(_)
                | ListedOperation::Throw
                | ListedOperation::Subroutine
        )
    }
}

impl Listing {
    /// Index of the instruction at a bytecode index.
    #[must_use]
    pub fn place(&self, at: u16) -> Option<usize> {
        self.instructions
            .binary_search_by_key(&at, |listed| listed.at)
            .ok()
    }

    /// Name of a local variable that is read at a bytecode index, or that is stored just before
    /// it.
    #[must_use]
    pub fn local_name(&self, index: u16, at: u16) -> Option<&str> {
        let is_in = |local: &&ListedLocal| {
            local.index == index && (local.range.0..).contains(&at) && u32::from(at) < local.range.1
        };
        self.locals
            .iter()
            .find(is_in)
            .map(|local| local.name.as_str())
    }
}

impl Vm {
    /// Reads the code of a method.
    ///
    /// # Errors
    /// The method has no bytecode, or it is malformed; the text says which.
    pub fn listing(&self, method: MethodId) -> Result<Listing, String> {
        let this = self.method(method);
        let class = self.class(this.class);
        let file = class.file.clone().ok_or("it has no bytecode")?;
        let info = match this.index {
            Some(_) => this.code_info(&file),
            None => None,
        };
        let info = info.ok_or("it has no bytecode")?;
        let decoded = bytecode::decode(info.code.of(&file.bytes))?;
        let mut lines: Vec<(u16, u16)> = Vec::new();
        for table in &info.lines {
            let entries = table.of(&file.bytes).get(2..).unwrap_or_default();
            lines.extend(entries.chunks_exact(4).map(|entry| {
                let number = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
                (number(0), number(2))
            }));
        }
        lines.sort_by_key(|line| line.0);
        let reader = ListingReader {
            file: &file,
            switches: &decoded.switches,
        };
        let mut instructions = Vec::with_capacity(decoded.insns.len());
        for insn in &decoded.insns {
            let past = lines.partition_point(|line| line.0 <= insn.at);
            instructions.push(Listed {
                at: insn.at,
                line: past.checked_sub(1).map(|at| lines[at].1),
                step: reader.step(insn)?,
                effect: stack_effect(&file, insn)?,
            });
        }
        let handlers = info.handlers.iter().map(|handler| ListedHandler {
            start: handler.start,
            end: handler.end,
            target: handler.handler,
            catch: reader.class(handler.catch),
        });
        let text = |index| reader.text(index);
        let locals = local_variables(&file.bytes, info, text).unwrap_or_default();
        let locals = locals.into_iter().filter_map(|local| {
            Some(ListedLocal {
                range: local.range,
                name: local.name?,
                index: local.index,
            })
        });
        Ok(Listing {
            instructions,
            handlers: handlers.collect(),
            line_starts: lines.iter().map(|line| line.0).collect(),
            locals: locals.collect(),
            max_locals: info.max_locals,
        })
    }

    /// Resolves the method that a call names, and loads its class. `None` if the class or the
    /// method does not exist.
    pub fn named_method(&mut self, member: &ListedMember) -> Option<MethodId> {
        let class = self.load_class(&member.class).ok()?;
        let name = self.names.intern(&member.name);
        let descriptor = self.names.intern(&member.descriptor);
        self.resolve_method(class, name, descriptor)
    }

    /// Resolves the field that an access names, and loads its class. `None` if the class or the
    /// field does not exist.
    pub fn named_field(&mut self, member: &ListedMember) -> Option<&Field> {
        let class = self.load_class(&member.class).ok()?;
        let name = self.names.intern(&member.name);
        let descriptor = self.names.intern(&member.descriptor);
        self.resolve_field(class, name, descriptor)
    }
}

struct ListingReader<'a> {
    file: &'a LoadedFile,
    switches: &'a [Switch],
}

impl ListingReader<'_> {
    fn text(&self, index: u16) -> Option<String> {
        let Constant::Utf8(span) = self.file.constant(index).ok()? else {
            return None;
        };
        let bytes = span.of(&self.file.bytes);
        Some(String::from_utf16_lossy(&utf16_of_mutf8(bytes)))
    }

    fn class(&self, index: u16) -> Option<String> {
        match self.file.constant(index).ok()? {
            Constant::Class(name) => self.text(name),
            _ => None,
        }
    }

    fn class_at(&self, insn: &Insn) -> Result<String, String> {
        let index = u16::try_from(insn.a).ok();
        let class = index.and_then(|index| self.class(index));
        class.ok_or_else(|| format!("constant {} at {} is no class", insn.a, insn.at))
    }

    fn member_at(&self, index: u16) -> Option<ListedMember> {
        let (class, pair) = match self.file.constant(index).ok()? {
            Constant::Field {
                class,
                name_and_type,
            }
            | Constant::Method {
                class,
                name_and_type,
                ..
            } => (self.class(class)?, name_and_type),
            Constant::InvokeDynamic { name_and_type, .. } => (String::new(), name_and_type),
            _ => return None,
        };
        let Constant::NameAndType { name, descriptor } = self.file.constant(pair).ok()? else {
            return None;
        };
        Some(ListedMember {
            class,
            name: self.text(name)?,
            descriptor: self.text(descriptor)?,
        })
    }

    /// Methods passed to the bootstrap method of a call site.
    fn handed(&self, insn: &Insn) -> Vec<ListedMember> {
        let Ok(Constant::InvokeDynamic { bootstrap, .. }) = self.file.constant(insn.a as u16)
        else {
            return Vec::new();
        };
        let bootstrap = self.file.info.bootstraps.get(usize::from(bootstrap));
        let arguments = bootstrap.iter().flat_map(|bootstrap| &bootstrap.arguments);
        let handles =
            arguments.filter_map(|&argument| match self.file.constant(argument).ok()? {
                Constant::MethodHandle { reference, .. } => self.member_at(reference),
                _ => None,
            });
        handles.collect()
    }

    fn member(&self, insn: &Insn) -> Result<ListedMember, String> {
        let member = self.member_at(insn.a as u16);
        member.ok_or_else(|| format!("constant {} at {} is no member", insn.a, insn.at))
    }

    fn constant(&self, insn: &Insn) -> Result<ListedOperation, String> {
        let constant = self.file.constant(insn.a as u16).ok();
        let unknown = || format!("constant {} at {} cannot be loaded", insn.a, insn.at);
        Ok(match constant.ok_or_else(unknown)? {
            Constant::Int(value) => ListedOperation::Number(Kind::Int, u64::from(value as u32)),
            Constant::Float(bits) => ListedOperation::Number(Kind::Float, u64::from(bits)),
            Constant::Long(value) => ListedOperation::Number(Kind::Long, value as u64),
            Constant::Double(bits) => ListedOperation::Number(Kind::Double, bits),
            Constant::Str(text) => {
                let text = self.text(text).ok_or_else(unknown)?;
                ListedOperation::Text(text)
            }
            Constant::Class(name) => {
                let name = self.text(name).ok_or_else(unknown)?;
                ListedOperation::Constant(format!("{}.class", name.replace('/', ".")))
            }
            // A dynamic constant, whose kind only its descriptor tells.
            _ => ListedOperation::Constant(
                entry_descriptor(self.file, insn.a)
                    .map_or("constant", |_| "dynamic constant")
                    .to_owned(),
            ),
        })
    }

    fn step(&self, insn: &Insn) -> Result<ListedOperation, String> {
        let local = insn.a as u16;
        let jump = insn.a as u16;
        let of = |first: u8| KINDS[usize::from(insn.op - first)];
        let number = |kind, bits| Ok(ListedOperation::Number(kind, bits));
        Ok(match insn.op {
            op::ACONST_NULL => ListedOperation::Null,
            op::BIPUSH => return number(Kind::Int, u64::from(insn.a as u32)),
            op::LCONST_0 | op::LCONST_1 => {
                return number(Kind::Long, u64::from(insn.op - op::LCONST_0));
            }
            op::FCONST_0..=op::FCONST_2 => {
                let value = f32::from(insn.op - op::FCONST_0);
                return number(Kind::Float, u64::from(value.to_bits()));
            }
            op::DCONST_0 | op::DCONST_1 => {
                let value = f64::from(insn.op - op::DCONST_0);
                return number(Kind::Double, value.to_bits());
            }
            op::LDC | op::LDC2_W => return self.constant(insn),
            op::ILOAD..=op::ALOAD => ListedOperation::Load(of(op::ILOAD), local),
            op::ISTORE..=op::ASTORE => ListedOperation::Store(of(op::ISTORE), local),
            op::IINC => ListedOperation::Increment(local, insn.b),
            op::IALOAD..=op::SALOAD => ListedOperation::ArrayLoad(of(op::IALOAD)),
            op::IASTORE..=op::SASTORE => ListedOperation::ArrayStore(of(op::IASTORE)),
            op::ARRAYLENGTH => ListedOperation::ArrayLength,
            op::POP => ListedOperation::Shuffle(Shuffle::Drop(1)),
            op::POP2 => ListedOperation::Shuffle(Shuffle::Drop(2)),
            op::DUP..=op::DUP2_X2 => {
                let form = u16::from(insn.op - op::DUP);
                ListedOperation::Shuffle(Shuffle::Copy(1 + form / 3, form % 3))
            }
            op::SWAP => ListedOperation::Shuffle(Shuffle::Swap),
            op::IADD..=op::LXOR | op::I2L..=op::DCMPG => {
                let (operation, kind) = bytecode::computed(insn.op);
                ListedOperation::Operate(operation, kind)
            }
            op::IFEQ..=op::IFLE => ListedOperation::Branch(
                BranchCondition::WithZero(COMPARISONS[usize::from(insn.op - op::IFEQ)]),
                jump,
            ),
            op::IF_ICMPEQ..=op::IF_ICMPLE => {
                let comparison = COMPARISONS[usize::from(insn.op - op::IF_ICMPEQ)];
                ListedOperation::Branch(BranchCondition::Compare(comparison), jump)
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                ListedOperation::Branch(BranchCondition::Same(insn.op == op::IF_ACMPEQ), jump)
            }
            op::IFNULL | op::IFNONNULL => {
                ListedOperation::Branch(BranchCondition::Null(insn.op == op::IFNULL), jump)
            }
            op::GOTO => ListedOperation::Goto(jump),
            op::JSR | op::RET => ListedOperation::Subroutine,
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                ListedOperation::Switch(self.switches[insn.b as usize].clone())
            }
            op::IRETURN..=op::ARETURN => ListedOperation::Return(of(op::IRETURN)),
            op::RETURN => ListedOperation::Return(Kind::Void),
            op::ATHROW => ListedOperation::Throw,
            op::GETSTATIC | op::GETFIELD => {
                ListedOperation::GetField(self.member(insn)?, insn.op == op::GETSTATIC)
            }
            op::PUTSTATIC | op::PUTFIELD => {
                ListedOperation::PutField(self.member(insn)?, insn.op == op::PUTSTATIC)
            }
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE => {
                ListedOperation::Invoke(Invoke::Virtual, self.member(insn)?)
            }
            op::INVOKESPECIAL => ListedOperation::Invoke(Invoke::Special, self.member(insn)?),
            op::INVOKESTATIC => ListedOperation::Invoke(Invoke::Static, self.member(insn)?),
            op::INVOKEDYNAMIC => {
                let member = self.member(insn)?;
                ListedOperation::Dynamic(member.name, member.descriptor, self.handed(insn))
            }
            op::NEW => ListedOperation::New(self.class_at(insn)?),
            op::NEWARRAY => {
                // The decoder has checked that the code is 4 to 11.
                let kind = Kind::NEWARRAY[(insn.a - 4) as usize];
                ListedOperation::NewArray(format!("{}[]", kind.keyword()), 1)
            }
            op::ANEWARRAY => {
                let element = self.class_at(insn)?.replace('/', ".");
                ListedOperation::NewArray(format!("{element}[]"), 1)
            }
            op::MULTIANEWARRAY => ListedOperation::NewArray(self.class_at(insn)?, insn.b as u8),
            op::CHECKCAST => ListedOperation::CheckCast(self.class_at(insn)?),
            op::INSTANCEOF => ListedOperation::InstanceOf(self.class_at(insn)?),
            op::MONITORENTER | op::MONITOREXIT => {
                ListedOperation::Monitor(insn.op == op::MONITORENTER)
            }
            _ => ListedOperation::Nothing,
        })
    }
}

/// Kinds in the order of the opcodes of a family.
const KINDS: [Kind; 8] = [
    Kind::Int,
    Kind::Long,
    Kind::Float,
    Kind::Double,
    Kind::Reference,
    Kind::Byte,
    Kind::Char,
    Kind::Short,
];

/// Comparisons in the order of the branch opcodes.
const COMPARISONS: [SignedComparison; 6] = [
    SignedComparison::Eq,
    SignedComparison::Ne,
    SignedComparison::Lt,
    SignedComparison::Ge,
    SignedComparison::Gt,
    SignedComparison::Le,
];
