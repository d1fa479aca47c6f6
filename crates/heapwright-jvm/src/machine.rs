//! What sort of values a run deals with: the machines that the loop is compiled for, and the
//! questions it asks of one whose slots may stand for terms.
//!
//! A *symbolic slot* holds [`SYMBOLIC_TAG`] in its high half and the number of a term in its low
//! half. It goes wherever a value goes (registers, fields, the shadow slots of array elements), so
//! that moving it costs nothing and going back restores it like any other value. What the term
//! means is the machine's business.

use crate::class::{ClassId, MethodId};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::probes::Visit;
use crate::replaced::{Change, Members, Table, Wanted};

/// The high half of a slot that stands for a term. No int, float or reference slot looks so, and no
/// double that arithmetic gives (it is a signalling NaN); a long that does is made a term of its own
/// by a symbolic machine.
pub const SYMBOLIC_TAG: u32 = 0x7FF5_A3E7;

/// The slot that stands for a term.
#[inline(always)]
#[must_use]
pub const fn symbolic_slot(term: u32) -> u64 {
    (SYMBOLIC_TAG as u64) << 32 | term as u64
}

/// Whether a slot stands for a term.
#[inline(always)]
#[must_use]
pub fn is_symbolic(slot: u64) -> bool {
    (slot >> 32) as u32 == SYMBOLIC_TAG
}

/// The term that a slot stands for.
#[inline(always)]
#[must_use]
pub fn term_of(slot: u64) -> Option<u32> {
    is_symbolic(slot).then_some(slot as u32)
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
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
    /// `<` of numbers without a sign.
    Below,
}

/// What an instruction, or a method of the library that is one operation, computes (JVMS §6.5). Of
/// one operand the second does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient; of integers the divisor is not 0.
    Div,
    /// The remainder; of integers the divisor is not 0.
    Rem,
    /// The negation of a float or double; of an integer it is the difference from 0.
    Neg,
    /// Bits that both have.
    And,
    /// Bits that one has.
    Or,
    /// Bits that one alone has.
    Xor,
    /// Shifted left; the second, the distance, is an int.
    Shl,
    /// Shifted right with its sign.
    Shr,
    /// Shifted right with zeros.
    Ushr,
    /// -1, 0 or 1 as the first is less than, equal to or greater than the second (`lcmp`, and of
    /// floats `fcmpl`, `dcmpl`: -1 if one is no number).
    Sign,
    /// The same, 1 if one is no number (`fcmpg`, `dcmpg`).
    SignUp,
    /// The first as a value of another kind (`i2l`, `l2i`, `i2b`, `d2i` …).
    Convert(Kind),
    /// The first, its bits unchanged, as the integer or the float of the same size.
    Bits,
    /// The square root of a double.
    Sqrt,
    /// The greatest integral double that is not greater.
    Floor,
    /// The least integral double that is not less.
    Ceil,
    /// The nearest integral double, the even one of two.
    Rint,
    /// The magnitude of a float or double.
    Abs,
}

impl Operation {
    /// The kind of the result of operands of a kind.
    #[must_use]
    pub const fn result(self, kind: Kind) -> Kind {
        match (self, kind) {
            (Operation::Convert(to), _) => to,
            (Operation::Sign | Operation::SignUp, _) => Kind::Int,
            (Operation::Bits, Kind::Int) => Kind::Float,
            (Operation::Bits, Kind::Float) => Kind::Int,
            (Operation::Bits, Kind::Long) => Kind::Double,
            (Operation::Bits, Kind::Double) => Kind::Long,
            _ => kind,
        }
    }

    /// The kind of the second operand where the first is of a kind; [`Kind::Void`] of one operand.
    #[must_use]
    pub const fn second(self, kind: Kind) -> Kind {
        use Operation::{Abs, Bits, Ceil, Convert, Floor, Neg, Rint, Shl, Shr, Sqrt, Ushr};
        match self {
            Neg | Convert(_) | Bits | Sqrt | Floor | Ceil | Rint | Abs => Kind::Void,
            Shl | Shr | Ushr => Kind::Int,
            _ => kind,
        }
    }
}

/// What a machine knows of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds, or does not, whatever is still open.
    Known(bool),
    /// It holds for some of what is open and not for the rest; the machine keeps the condition, and
    /// answers the next question by what was decided.
    Open,
    /// It cannot be told without fixing what the operands stand for.
    Unable,
}

/// Where a symbolic slot stands whose value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A register, counted from the first of all frames.
    Register(u32),
    /// A word of the arena.
    Word(u32),
    /// An element of an array.
    Element(Ref, u32),
    /// The length of an array.
    Length(Ref),
}

/// What sort of values a run deals with; fixed when the loop is compiled.
///
/// Operands are slots, concrete or symbolic, at least one of them symbolic; those of
/// [`Machine::truth`] and [`Machine::either`], and of operations on what these give, may all be
/// concrete.
pub trait Machine {
    /// Whether slots may be unset, so that reads have to look.
    const CHOOSES: bool;
    /// Whether slots may be symbolic.
    const SYMBOLIC: bool = false;
    /// Whether every operation on primitive values has a term. Then what an instruction throws is a
    /// branch, too (division by zero, an index out of bounds, a negative length), and elements are
    /// read and written at indices that are open.
    const TOTAL: bool = false;

    /// The slot that a term comes to, if only one value is left.
    fn value(&mut self, term: u32) -> Option<u64> {
        let _ = term;
        None
    }

    /// The result of an operation on operands of a primitive kind as a slot; `None` if it is no
    /// term that the machine has.
    fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> Option<u64> {
        let _ = (operation, kind, a, b);
        None
    }

    /// How two integers of a kind compare.
    fn compare(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> Answer {
        let _ = (comparison, kind, a, b);
        Answer::Unable
    }

    /// An int that is 1 where two numbers of a kind compare so, else 0; `None` if there is no such
    /// term.
    fn truth(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> Option<u64> {
        let _ = (comparison, kind, a, b);
        None
    }

    /// Whether a term of reference type is one of these objects (or null).
    fn is_one_of(&mut self, term: u32, objects: &[Ref]) -> Answer {
        let _ = (term, objects);
        Answer::Unable
    }

    /// Whether an int is one of these numbers.
    fn is_number_of(&mut self, slot: u64, numbers: &[i32]) -> Answer {
        let _ = (slot, numbers);
        Answer::Unable
    }

    /// What `a` is where the int in `index` is `at`, else what `b` is. Asked of a machine that is
    /// `TOTAL`; `None` if there is no such term.
    fn either(&mut self, kind: Kind, index: u64, at: u32, a: u64, b: u64) -> Option<u64> {
        let _ = (kind, index, at, a, b);
        None
    }

    /// The element of these that the int in `index` chooses, which is one of their places. Asked of
    /// a machine that is `TOTAL`; `None` if there is no such term.
    fn select(&mut self, kind: Kind, index: u64, elements: &[u64]) -> Option<u64> {
        let _ = (kind, index, elements);
        None
    }

    /// The int that a table has for an index that lies within it. `None` if there is no such term.
    fn look_up(&mut self, index: u64, table: &Table) -> Option<u64> {
        let _ = (index, table);
        None
    }

    /// Whether the table that a method is to be looked up in will be made ([`crate::Vm::tabulate`])
    /// once the run has stopped at an open condition, and before it goes on.
    fn wants(&mut self, wanted: Wanted) -> bool {
        let _ = wanted;
        false
    }

    /// A reference to the string that a static method makes of these arguments, which is not called
    /// before somebody looks at the string. `None` if that cannot be put off.
    fn defer(&mut self, method: MethodId, arguments: &[u64]) -> Option<u64> {
        let _ = (method, arguments);
        None
    }

    /// References to what the fields that a change puts off will hold; the change is not made before
    /// somebody looks at one of them. `None` if that cannot be put off.
    fn put_off(&mut self, change: Change) -> Option<Vec<u64>> {
        let _ = change;
        None
    }

    /// Keys and values of the map whose table a term stands for, if changes of it were put off.
    fn members(&mut self, term: u32) -> Option<Members> {
        let _ = term;
        None
    }

    /// The class that all objects are of which a term of reference type can be, where it is known
    /// without [`Machine::candidates`]: the term stands for more objects than there are yet.
    fn bound(&mut self, term: u32) -> Option<ClassId> {
        let _ = term;
        None
    }

    /// Most elements of a new array whose length is open.
    fn room(&self) -> u32 {
        0
    }

    /// The objects, and null, that a term of reference type can still be.
    fn candidates(&mut self, term: u32) -> Vec<Ref> {
        let _ = term;
        Vec::new()
    }

    /// The term for a field of what a term of reference type stands for: `values` are the
    /// candidates, in their order, and the integer in the field of each. `None` if there is none.
    fn field_of(&mut self, term: u32, values: &[(Ref, u64)], kind: Kind) -> Option<u64> {
        let _ = (term, values, kind);
        None
    }

    /// The run has come to a probe; whether it goes on. If that is open the probe is come to again.
    fn visit(&mut self, visit: Visit) -> Answer {
        let _ = visit;
        Answer::Known(true)
    }

    /// Whether the probe with this number is to show what the instruction behind it works on.
    fn watches(&self, point: u32) -> bool {
        let _ = point;
        false
    }

    /// The run has come to a probe that is watched, before it is visited: the slots of the first
    /// registers that the instruction behind it reads, 0 where there are fewer. Whether what is asked
    /// of them is known.
    fn watch(&mut self, point: u32, operands: [u64; 3]) -> Answer {
        let _ = (point, operands);
        Answer::Known(true)
    }

    /// The instruction that asked is done, or has stopped: what was decided for it is used up.
    fn end_step(&mut self) {}

    /// A slot for a concrete long that happens to look symbolic.
    fn wrap(&mut self, value: u64) -> u64 {
        value
    }
}

/// Runs concrete values only.
pub struct Plain;

impl Machine for Plain {
    const CHOOSES: bool = false;
}

/// Stops with [`crate::Exit::Choice`] at the first read of an unset slot.
pub struct Choosing;

impl Machine for Choosing {
    const CHOOSES: bool = true;
}
