//! What a method's bytecode says, as data: for analyses that read code and do not run it.
//!
//! Instructions are those of JVMS §6.5, brought to few forms, with what they refer to by name. Local
//! variables and stack entries are counted in words, as the class file counts them.

pub use crate::bytecode::Switch;
use crate::bytecode::{self, Insn, op};
use crate::class::{Field, LoadedFile, MethodId};
use crate::classfile::{Constant, utf16_of_mutf8};
use crate::descriptor::Kind;
use crate::helpful::local_variables;
use crate::machine::{Comparison, Operation};
use crate::translate::{entry_descriptor, stack_effect};
use crate::vm::Vm;

/// A method's code.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The instructions in order.
    pub instructions: Vec<Listed>,
    /// The exception table, in order.
    pub handlers: Vec<Handler>,
    /// Local variables with names, as far as the class file has them (`javac -g`).
    pub locals: Vec<Local>,
    /// Local variables, in words.
    pub max_locals: u16,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The bytecode index where it starts.
    pub at: u16,
    /// Its source line, if the class file says.
    pub line: Option<u16>,
    /// What it does.
    pub step: Step,
    /// Stack words that it takes and leaves.
    pub effect: (u16, u16),
}

/// A range of instructions whose exceptions are caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// From which bytecode index on.
    pub start: u16,
    /// Before which it ends.
    pub end: u16,
    /// Where to go on.
    pub target: u16,
    /// The internal name of the class caught; all if none.
    pub catch: Option<String>,
}

/// A local variable with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// From which to before which bytecode index it holds.
    pub range: (u16, u32),
    /// Its name.
    pub name: String,
    /// Its first word.
    pub index: u16,
}

/// How values are tested by a conditional branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Two ints compare so.
    Compare(Comparison),
    /// An int compares so with 0.
    WithZero(Comparison),
    /// Two references are the same, or are not.
    Same(bool),
    /// A reference is null, or is not.
    Null(bool),
}

/// What moves words of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// `pop`, `pop2`: drops so many words.
    Drop(u16),
    /// The `dup` family: a copy of the first so many words goes under so many further ones.
    Copy(u16, u16),
    /// `swap`
    Swap,
}

/// A member that an instruction names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The internal name of the class named.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoke {
    /// `invokestatic`
    Static,
    /// `invokespecial`: this method, whatever the class of the receiver.
    Special,
    /// `invokevirtual`, `invokeinterface`: that of the receiver's class.
    Virtual,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Nothing.
    Nothing,
    /// Enters the monitor of an object, or leaves it.
    Monitor(bool),
    /// Pushes a number of a primitive kind; the bits of its slot.
    Number(Kind, u64),
    /// Pushes null.
    Null,
    /// Pushes a string of the constant pool.
    Text(String),
    /// Pushes another object of the constant pool; how it reads: `a.B.class`.
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
    /// The length of an array.
    ArrayLength,
    /// Moves words of the stack.
    Shuffle(Shuffle),
    /// Computes; of one operand where the operation has one.
    Operate(Operation, Kind),
    /// Jumps if a test holds.
    Branch(Test, u16),
    /// Jumps by an int.
    Switch(Switch),
    /// Jumps.
    Goto(u16),
    /// `jsr`, `ret`: code of old compilers.
    Subroutine,
    /// Returns, a value unless void.
    Return(Kind),
    /// Throws what it pops.
    Throw,
    /// Reads a field; whether it is static.
    GetField(Member, bool),
    /// Writes a field; whether it is static.
    PutField(Member, bool),
    /// Calls a method.
    Invoke(Invoke, Member),
    /// Calls what a bootstrap method gives; name and descriptor, and the methods that are handed to
    /// the bootstrap method: of a lambda its body.
    Dynamic(String, String, Vec<Member>),
    /// Makes an object of the class with this internal name.
    New(String),
    /// Makes an array of this class, of so many dimensions.
    NewArray(String, u8),
    /// Casts to a class.
    CheckCast(String),
    /// Asks whether an object is of a class.
    InstanceOf(String),
}

impl Step {
    /// Whether the next instruction can come after this one without a jump.
    #[must_use]
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Step::Goto(_) | Step::Switch(_) | Step::Return(_) | Step::Throw | Step::Subroutine
        )
    }
}

impl Listing {
    /// The number of the instruction at a bytecode index.
    #[must_use]
    pub fn place(&self, at: u16) -> Option<usize> {
        self.instructions
            .binary_search_by_key(&at, |listed| listed.at)
            .ok()
    }

    /// The name of a local variable as it is used at a bytecode index, or as it is about to be
    /// stored there.
    #[must_use]
    pub fn local_name(&self, index: u16, at: u16) -> Option<&str> {
        let is_in = |local: &&Local| {
            local.index == index && (local.range.0..).contains(&at) && u32::from(at) < local.range.1
        };
        self.locals
            .iter()
            .find(is_in)
            .map(|local| local.name.as_str())
    }
}

impl Vm {
    /// The code of a method.
    ///
    /// # Errors
    /// It has none, or that is broken; says which.
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
        let reader = Reader {
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
        let handlers = info.handlers.iter().map(|handler| Handler {
            start: handler.start,
            end: handler.end,
            target: handler.handler,
            catch: reader.class(handler.catch),
        });
        let text = |index| reader.text(index);
        let locals = local_variables(&file.bytes, info, text).unwrap_or_default();
        let locals = locals.into_iter().filter_map(|local| {
            Some(Local {
                range: local.range,
                name: local.name?,
                index: local.index,
            })
        });
        Ok(Listing {
            instructions,
            handlers: handlers.collect(),
            locals: locals.collect(),
            max_locals: info.max_locals,
        })
    }

    /// The method that a call names, once its class is loaded; `None` if there is no such class or
    /// method.
    pub fn named_method(&mut self, member: &Member) -> Option<MethodId> {
        let class = self.load_class(&member.class).ok()?;
        let name = self.names.intern(&member.name);
        let descriptor = self.names.intern(&member.descriptor);
        self.resolve_method(class, name, descriptor)
    }

    /// The field that an access names, once its class is loaded; `None` if there is no such class or
    /// field.
    pub fn named_field(&mut self, member: &Member) -> Option<&Field> {
        let class = self.load_class(&member.class).ok()?;
        let name = self.names.intern(&member.name);
        let descriptor = self.names.intern(&member.descriptor);
        self.resolve_field(class, name, descriptor)
    }
}

struct Reader<'a> {
    file: &'a LoadedFile,
    switches: &'a [Switch],
}

impl Reader<'_> {
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

    fn member_at(&self, index: u16) -> Option<Member> {
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
        Some(Member {
            class,
            name: self.text(name)?,
            descriptor: self.text(descriptor)?,
        })
    }

    /// The methods that are handed to the bootstrap method of a call site.
    fn handed(&self, insn: &Insn) -> Vec<Member> {
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

    fn member(&self, insn: &Insn) -> Result<Member, String> {
        let member = self.member_at(insn.a as u16);
        member.ok_or_else(|| format!("constant {} at {} is no member", insn.a, insn.at))
    }

    fn constant(&self, insn: &Insn) -> Result<Step, String> {
        let constant = self.file.constant(insn.a as u16).ok();
        let unknown = || format!("constant {} at {} cannot be loaded", insn.a, insn.at);
        Ok(match constant.ok_or_else(unknown)? {
            Constant::Int(value) => Step::Number(Kind::Int, u64::from(value as u32)),
            Constant::Float(bits) => Step::Number(Kind::Float, u64::from(bits)),
            Constant::Long(value) => Step::Number(Kind::Long, value as u64),
            Constant::Double(bits) => Step::Number(Kind::Double, bits),
            Constant::Str(text) => {
                let text = self.text(text).ok_or_else(unknown)?;
                Step::Text(text)
            }
            Constant::Class(name) => {
                let name = self.text(name).ok_or_else(unknown)?;
                Step::Constant(format!("{}.class", name.replace('/', ".")))
            }
            // Of a kind that only its descriptor tells.
            _ => Step::Constant(
                entry_descriptor(self.file, insn.a)
                    .map_or("constant", |_| "dynamic constant")
                    .to_owned(),
            ),
        })
    }

    fn step(&self, insn: &Insn) -> Result<Step, String> {
        let local = insn.a as u16;
        let jump = insn.a as u16;
        let of = |first: u8| KINDS[usize::from(insn.op - first)];
        let number = |kind, bits| Ok(Step::Number(kind, bits));
        Ok(match insn.op {
            op::ACONST_NULL => Step::Null,
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
            op::ILOAD..=op::ALOAD => Step::Load(of(op::ILOAD), local),
            op::ISTORE..=op::ASTORE => Step::Store(of(op::ISTORE), local),
            op::IINC => Step::Increment(local, insn.b),
            op::IALOAD..=op::SALOAD => Step::ArrayLoad(of(op::IALOAD)),
            op::IASTORE..=op::SASTORE => Step::ArrayStore(of(op::IASTORE)),
            op::ARRAYLENGTH => Step::ArrayLength,
            op::POP => Step::Shuffle(Shuffle::Drop(1)),
            op::POP2 => Step::Shuffle(Shuffle::Drop(2)),
            op::DUP..=op::DUP2_X2 => {
                let form = u16::from(insn.op - op::DUP);
                Step::Shuffle(Shuffle::Copy(1 + form / 3, form % 3))
            }
            op::SWAP => Step::Shuffle(Shuffle::Swap),
            op::IADD..=op::LXOR | op::I2L..=op::DCMPG => {
                let (operation, kind) = bytecode::computed(insn.op);
                Step::Operate(operation, kind)
            }
            op::IFEQ..=op::IFLE => Step::Branch(
                Test::WithZero(COMPARISONS[usize::from(insn.op - op::IFEQ)]),
                jump,
            ),
            op::IF_ICMPEQ..=op::IF_ICMPLE => {
                let comparison = COMPARISONS[usize::from(insn.op - op::IF_ICMPEQ)];
                Step::Branch(Test::Compare(comparison), jump)
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                Step::Branch(Test::Same(insn.op == op::IF_ACMPEQ), jump)
            }
            op::IFNULL | op::IFNONNULL => Step::Branch(Test::Null(insn.op == op::IFNULL), jump),
            op::GOTO => Step::Goto(jump),
            op::JSR | op::RET => Step::Subroutine,
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                Step::Switch(self.switches[insn.b as usize].clone())
            }
            op::IRETURN..=op::ARETURN => Step::Return(of(op::IRETURN)),
            op::RETURN => Step::Return(Kind::Void),
            op::ATHROW => Step::Throw,
            op::GETSTATIC | op::GETFIELD => {
                Step::GetField(self.member(insn)?, insn.op == op::GETSTATIC)
            }
            op::PUTSTATIC | op::PUTFIELD => {
                Step::PutField(self.member(insn)?, insn.op == op::PUTSTATIC)
            }
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE => {
                Step::Invoke(Invoke::Virtual, self.member(insn)?)
            }
            op::INVOKESPECIAL => Step::Invoke(Invoke::Special, self.member(insn)?),
            op::INVOKESTATIC => Step::Invoke(Invoke::Static, self.member(insn)?),
            op::INVOKEDYNAMIC => {
                let member = self.member(insn)?;
                Step::Dynamic(member.name, member.descriptor, self.handed(insn))
            }
            op::NEW => Step::New(self.class_at(insn)?),
            op::NEWARRAY => {
                // Checked as it was decoded: 4 to 11.
                let kind = Kind::NEWARRAY[(insn.a - 4) as usize];
                Step::NewArray(format!("{}[]", kind.keyword()), 1)
            }
            op::ANEWARRAY => {
                let element = self.class_at(insn)?.replace('/', ".");
                Step::NewArray(format!("{element}[]"), 1)
            }
            op::MULTIANEWARRAY => Step::NewArray(self.class_at(insn)?, insn.b as u8),
            op::CHECKCAST => Step::CheckCast(self.class_at(insn)?),
            op::INSTANCEOF => Step::InstanceOf(self.class_at(insn)?),
            op::MONITORENTER | op::MONITOREXIT => Step::Monitor(insn.op == op::MONITORENTER),
            _ => Step::Nothing,
        })
    }
}

/// The kinds in the order in which families of opcodes have them.
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

/// The comparisons in the order of the opcodes of branches.
const COMPARISONS: [Comparison; 6] = [
    Comparison::Eq,
    Comparison::Ne,
    Comparison::Lt,
    Comparison::Ge,
    Comparison::Gt,
    Comparison::Le,
];
