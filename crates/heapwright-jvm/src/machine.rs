//! Machines: the kinds of values that a run computes with, as a compile-time parameter of the
//! interpreter loop.
//!
//! A *symbolic slot* holds [`SYMBOLIC_TAG`] in its high half and the number of a term in its low
//! half. It can be in any place of a value (registers, fields, the shadow slots of array
//! elements). Copying it costs nothing, and going back restores it like any other value. Only the
//! machine interprets the term.

use crate::class::{ClassId, MethodId};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::probes::ProbeVisit;
use crate::replaced::{
    CharacterTable, DeferredMapChange, Elementary, ElementsText, MatchKind, Members, TableKey,
    Text, TextElements, TextQuery,
};

/// High half of a symbolic slot. No int, float or reference slot has it, and no double that
/// arithmetic yields (it is a signalling NaN). A symbolic machine wraps a concrete long with this
/// high half in a term.
pub const SYMBOLIC_TAG: u32 = 0x7FF5_A3E7;

/// Symbolic slot of a term.
#[inline(always)]
#[must_use]
pub const fn symbolic_slot(term: u32) -> u64 {
    (SYMBOLIC_TAG as u64) << 32 | term as u64
}

/// Whether a slot is symbolic.
#[inline(always)]
#[must_use]
pub fn is_symbolic(slot: u64) -> bool {
    (slot >> 32) as u32 == SYMBOLIC_TAG
}

/// Term of a symbolic slot.
#[inline(always)]
#[must_use]
pub fn term_of(slot: u64) -> Option<u32> {
    is_symbolic(slot).then_some(slot as u32)
}

/// Request of a program for an input.
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'a> {
    /// Kind of the value; that of a string is [`Kind::Reference`].
    pub kind: Kind,
    /// Method of the program and bytecode index of the call.
    pub site: (MethodId, u16),
    /// Name that is shown with the value.
    pub name: Option<&'a str>,
    /// Whether the value comes from outside of the program, which has not asked for an input.
    pub is_outside: bool,
}

/// Comparison of two numbers.
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
    /// `<` of unsigned numbers.
    Below,
}

/// Operation of an instruction, or of a library method that is one operation (JVMS §6.5). An
/// operation with one operand ignores the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient; an integer divisor is not 0.
    Div,
    /// Remainder; an integer divisor is not 0.
    Rem,
    /// Negation of a float or double; for an integer, the difference from 0.
    Neg,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; the second operand, the distance, is an int.
    Shl,
    /// Arithmetic right shift.
    Shr,
    /// Logical right shift.
    Ushr,
    /// -1, 0 or 1 if the first is less than, equal to or greater than the second. For `fcmpl` and
    /// `dcmpl` it is -1 if one is NaN; `lcmp` compares longs.
    Sign,
    /// Like [`Operation::Sign`], but 1 if one is NaN (`fcmpg`, `dcmpg`).
    SignUp,
    /// Conversion of the first operand to another kind (`i2l`, `l2i`, `i2b`, `d2i` …).
    Convert(Kind),
    /// Reinterpretation of the first operand's bits as the integer or float of the same size.
    Bits,
    /// Square root of a double.
    Sqrt,
    /// Greatest integral double that is not above the operand.
    Floor,
    /// Least integral double that is not below the operand.
    Ceil,
    /// Nearest integral double; the even one in a tie.
    Rint,
    /// Absolute value of a float or double.
    Abs,
}

impl Operation {
    /// Kind of the result, given the kind of the first operand.
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

    /// Kind of the second operand, given that of the first; [`Kind::Void`] if there is only one
    /// operand.
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

/// Truth of a condition under the current path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionTruth {
    /// The condition has this truth value for all open values.
    Known(bool),
    /// The condition depends on open values. The machine stores it, and answers the next query by
    /// what was decided.
    Open,
    /// The condition cannot be evaluated without fixing the operands.
    Unable,
}

/// Location of a symbolic slot whose value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotLocation {
    /// Register, counted from the first of all frames.
    Register(u32),
    /// Word of the arena.
    Word(u32),
    /// Element of an array.
    Element(Ref, u32),
    /// Length of an array.
    Length(Ref),
}

/// Arrays of open length that the program makes and whose contents are terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArrayTerms {
    /// None. An array that is longer than [`Machine::max_new_array_length`] ends the run.
    #[default]
    None,
    /// Those that are longer.
    Long,
    /// All.
    All,
}

/// Kind of values that a run computes with; fixed when the loop is compiled.
///
/// Operands are slots, at least one of them symbolic. All may be concrete only for
/// [`Machine::comparison_as_int`], [`Machine::if_then_else`], and operations on their results.
pub trait Machine {
    /// Whether slots may be unset, so that reads have to check.
    const CHOOSES: bool;
    /// Whether slots may be symbolic.
    const SYMBOLIC: bool = false;
    /// Whether every operation on primitive values has a term. Then an exception of an
    /// instruction is a branch, too (division by zero, an index out of bounds, a negative
    /// length). Elements can be read and written at open indices.
    const TOTAL: bool = false;
    /// Whether it answers where the program asks for an input by itself.
    const HAS_INPUTS: bool = Self::TOTAL;
    /// Whether the run notes its visits of probes, see [`crate::Vm::visits`]. A machine that keeps
    /// what it needs by itself lets long runs take no memory for them.
    const NOTES_VISITS: bool = true;

    /// Slot of the only value that a term can still have; `None` if there are several.
    fn value(&mut self, term: u32) -> Option<u64> {
        let _ = term;
        None
    }

    /// Slot of the result of an operation on operands of a primitive kind; `None` if the machine
    /// has no such term.
    fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> Option<u64> {
        let _ = (operation, kind, a, b);
        None
    }

    /// Compares two integers of a kind.
    fn compare(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> ConditionTruth {
        let _ = (comparison, kind, a, b);
        ConditionTruth::Unable
    }

    /// Int that is 1 if a comparison of two numbers holds, else 0; `None` if the machine has no
    /// such term.
    fn comparison_as_int(
        &mut self,
        comparison: Comparison,
        kind: Kind,
        a: u64,
        b: u64,
    ) -> Option<u64> {
        let _ = (comparison, kind, a, b);
        None
    }

    /// Whether a reference term is one of these objects (or null).
    fn is_one_of(&mut self, term: u32, objects: &[Ref]) -> ConditionTruth {
        let _ = (term, objects);
        ConditionTruth::Unable
    }

    /// Whether an object is a string or a box that the run was given: it may be the same as another
    /// object of its value that existed before.
    fn is_given_value(&self, object: Ref) -> bool {
        let _ = object;
        false
    }

    /// Whether two objects, one of them given, are the same. If the second is not given, `other` has
    /// its contents of this kind: the value of a box, or the length and the characters of a string and
    /// one more. A cached one is a box that is the same only where its value is one of those that are cached.
    fn is_same_value(
        &mut self,
        kind: Kind,
        objects: [Ref; 2],
        other: Option<&[u64]>,
        is_cached: bool,
    ) -> ConditionTruth {
        let _ = (kind, objects, other, is_cached);
        ConditionTruth::Known(false)
    }

    /// Type of an input that may be, instead of this object, one of a class that is not on the class
    /// path.
    fn type_of_others(&self, object: Ref) -> Option<ClassId> {
        let _ = object;
        None
    }

    /// Type of an input that is this object, other than a string or a box.
    fn type_of_input(&self, object: Ref) -> Option<ClassId> {
        let _ = object;
        None
    }

    /// First object that the run has made: no value that it was given is one of these.
    fn first_made(&self) -> Ref {
        Ref::NULL
    }

    /// Whether an int is one of these numbers.
    fn is_number_of(&mut self, slot: u64, numbers: &[i32]) -> ConditionTruth {
        let _ = (slot, numbers);
        ConditionTruth::Unable
    }

    /// Value of `a` if the int in `index` is `at`, else of `b`. Only called on a machine that is
    /// `TOTAL`; `None` if it has no such term.
    fn if_then_else(&mut self, kind: Kind, index: u64, at: u32, a: u64, b: u64) -> Option<u64> {
        let _ = (kind, index, at, a, b);
        None
    }

    /// Element at the index in `index`, which is within bounds. Only called on a machine that is
    /// `TOTAL`; `None` if it has no such term.
    fn select(&mut self, kind: Kind, index: u64, elements: &[u64]) -> Option<u64> {
        let _ = (kind, index, elements);
        None
    }

    /// Upper bound of an int that is not negative.
    fn greatest(&self, slot: u64) -> u32 {
        let _ = slot;
        u32::MAX
    }

    /// Slot that has the value of a primitive slot wherever a condition, an int that is 0 or 1, is
    /// 1; simpler than that slot if possible.
    fn assuming(&mut self, condition: u64, slot: u64) -> u64 {
        let _ = condition;
        slot
    }

    /// Upper bound of an int that is not negative, on this path and with bounded inputs.
    fn greatest_now(&self, slot: u64) -> u32 {
        self.greatest(slot)
    }

    /// Entry of a table at an index within bounds; `None` if the machine has no such term.
    fn look_up(&mut self, index: u64, table: &CharacterTable) -> Option<u64> {
        let _ = (index, table);
        None
    }

    /// Whether the machine wants a table of a method's results. The table is made
    /// ([`crate::Vm::tabulate`]) when the run stops at an open condition, before it continues.
    fn wants_table(&mut self, wanted: TableKey) -> bool {
        let _ = wanted;
        false
    }

    /// Reference to the string that a static method makes of these arguments. The call is
    /// deferred until the string is needed; `None` if it cannot be deferred.
    fn defer_string(&mut self, method: MethodId, arguments: &[u64]) -> Option<u64> {
        let _ = (method, arguments);
        None
    }

    /// References to the future contents of the fields that a change writes. The change is
    /// deferred until one of them is needed; `None` if it cannot be deferred.
    fn defer_map_change(&mut self, change: DeferredMapChange) -> Option<Vec<u64>> {
        let _ = change;
        None
    }

    /// Keys and values of the map whose table is a term, if its changes were deferred.
    fn members(&mut self, term: u32) -> Option<Members> {
        let _ = term;
        None
    }

    /// Class of all objects that a reference term may be, if known without
    /// [`Machine::candidates`]: the term also stands for objects that do not exist yet.
    fn type_bound(&mut self, term: u32) -> Option<ClassId> {
        let _ = term;
        None
    }

    /// Maximum number of elements of a new array with an open length.
    fn max_new_array_length(&self) -> u32 {
        0
    }

    /// Representation of the arrays of open length that the program makes.
    fn array_terms(&self) -> ArrayTerms {
        ArrayTerms::None
    }

    /// Element of an array whose contents are a term; `None` if there is no term for it.
    fn element_of(&mut self, contents: u32, kind: Kind, index: u64) -> Option<u64> {
        let _ = (contents, kind, index);
        None
    }

    /// Contents that differ from others in an element; `None` if there is no such term.
    fn with_element(&mut self, contents: u32, index: u64, slot: u64) -> Option<u32> {
        let _ = (contents, index, slot);
        None
    }

    /// Objects, and null, that a reference term can still be.
    fn candidates(&mut self, term: u32) -> Vec<Ref> {
        let _ = term;
        Vec::new()
    }

    /// Term for a field of the object that a reference term is. `values` has the candidates, in
    /// their order, with the field's value in each. `None` if there is no such term.
    fn field_of(&mut self, term: u32, values: &[(Ref, u64)], kind: Kind) -> Option<u64> {
        let _ = (term, values, kind);
        None
    }

    /// Reports that the run has reached a probe. Returns whether it continues; if that is open,
    /// the probe is reported again.
    fn visit(&mut self, visit: ProbeVisit) -> ConditionTruth {
        let _ = visit;
        ConditionTruth::Known(true)
    }

    /// Whether the probe with this number needs the operands of the instruction behind it.
    fn watches(&self, point: u32) -> bool {
        let _ = point;
        false
    }

    /// Returns the first word of a local variable that a watched probe needs, too.
    fn watched_variable(&self, point: u32) -> Option<u16> {
        let _ = point;
        None
    }

    /// Reports a watched probe before it is visited. `operands` are the slots of the first
    /// registers that the next instruction reads, 0 for missing ones; that of a watched variable is
    /// the last. Returns whether the queries about them are decided.
    fn watch(&mut self, point: u32, operands: [u64; 3]) -> ConditionTruth {
        let _ = (point, operands);
        ConditionTruth::Known(true)
    }

    /// Slot of a new input; `None` if the machine has no inputs.
    fn input(&mut self, request: InputRequest<'_>) -> Option<u64> {
        let _ = request;
        None
    }

    /// Whether an open string, which is not null, is a number of a kind to a base, and the number;
    /// `None` if the machine looks at the characters.
    fn number_in(&mut self, text: u32, kind: Kind, radix: u64) -> Option<(ConditionTruth, u64)> {
        let _ = (text, kind, radix);
        None
    }

    /// Whether strings of any length are terms as long as nothing looks at their characters.
    fn opaque_texts(&self) -> bool {
        false
    }

    /// Number of the input that an open string is; `None` if the machine looks at its characters.
    fn open_text(&mut self, text: u32) -> Option<u32> {
        let _ = text;
        None
    }

    /// Reference that stands for the bytes of a string, at which nothing can look, and the coder;
    /// `None` if the machine looks at the characters.
    fn hold_text(&mut self, bytes: ClassId, text: u64) -> Option<(u64, u64)> {
        let _ = (bytes, text);
        None
    }

    /// String whose bytes a reference stands for.
    fn held_text(&mut self, bytes: u32) -> Option<u64> {
        let _ = bytes;
        None
    }

    /// Whether there is a match of a regular expression in a string from a place on, an int, and the
    /// places of its groups, that of the whole match first; `None` if there are no terms for it.
    fn text_match(
        &mut self,
        kind: MatchKind,
        text: &Text,
        pattern: &Text,
        from: u64,
    ) -> Option<(u64, Vec<u64>)> {
        let _ = (kind, text, pattern, from);
        None
    }

    /// Contents of an array whose elements are of a string.
    fn text_elements(&mut self, elements: TextElements) -> Option<u32> {
        let _ = elements;
        None
    }

    /// String whose characters are the elements of an array but for those that were written since.
    fn elements_text(&self, contents: u32) -> Option<ElementsText> {
        let _ = contents;
        None
    }

    /// Answer to a question about strings and ints, an int; `None` if there is no term for it.
    fn text_answer(&mut self, query: TextQuery, texts: &[Text], numbers: &[u64]) -> Option<u64> {
        let _ = (query, texts, numbers);
        None
    }

    /// Whether an elementary function that a method computes is defined, and the result, which is
    /// the same for the same operands; it is NaN elsewhere. `None` if the machine has no such term.
    fn elementary(
        &mut self,
        function: Elementary,
        method: MethodId,
        operands: &[u64],
    ) -> Option<(ConditionTruth, u64)> {
        let _ = (function, method, operands);
        None
    }

    /// Method and arguments of which a reference is the deferred string.
    fn deferred_string(&self, term: u32) -> Option<(MethodId, &[u64])> {
        let _ = term;
        None
    }

    /// Restricts the inputs to those for which the boolean in `slot` is true. Returns whether some
    /// are left; if that is open, the machine stores the condition as one to be assumed.
    fn assume(&mut self, slot: u64) -> ConditionTruth {
        let _ = slot;
        ConditionTruth::Unable
    }

    /// Reports that the current instruction is done or has stopped; decisions made for it are
    /// dropped.
    fn end_step(&mut self) {}

    /// Slot for a concrete long that has the tag of a symbolic slot.
    fn wrap(&mut self, value: u64) -> u64 {
        value
    }
}

/// Machine for concrete values only.
pub struct Plain;

impl Machine for Plain {
    const CHOOSES: bool = false;
}

/// Machine that stops with [`crate::Exit::Choice`] at the first read of an unset slot.
pub struct Choosing;

impl Machine for Choosing {
    const CHOOSES: bool = true;
}
