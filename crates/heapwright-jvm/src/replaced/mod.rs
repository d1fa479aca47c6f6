//! Library methods whose plain code would split a symbolic argument into all its values.
//!
//! Invariant: the result is that of the plain code for each value. Otherwise the argument is
//! fixed first and the plain code runs. Collections stay as they are in the heap: their members
//! are only read.

mod arrays;
mod boxes;
mod characters;
mod copies;
mod deferred_strings;
mod derived_strings;
mod digits;
mod elementary;
mod field_accesses;
mod formats;
mod hash_order;
mod identity_key_calls;
mod inputs;
mod maps;
mod matchers;
mod members;
mod messages;
mod numbers;
mod opaque_arrays;
mod opaque_builders;
mod opaque_calls;
mod opaque_texts;
mod printing;
mod searches;
mod strings;
mod table;
mod terms;
mod world;

use crate::chances::Chance;
use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{
    Comparison, ConditionTruth, Machine, Operation, SlotLocation, is_symbolic, term_of,
};
use crate::vm::{Exit, Fault, Vm};

pub(crate) use characters::Tables;
pub use characters::{CharacterTable, TableKey};
pub use copies::ArrayCopy;
pub use derived_strings::DerivedText;
pub use elementary::Elementary;
pub use field_accesses::FieldAccess;
pub use hash_order::HashOrder;
pub(crate) use inputs::INPUTS;
pub(crate) use maps::MapWords;
pub use maps::{DeferredMapChange, MapCall, Members};
pub(crate) use members::CollectionLayout;
pub use opaque_arrays::{ElementsText, TextElements};
pub use opaque_texts::{MatchKind, Text, TextMaker, TextPart, TextQuery};
pub use searches::TextSearch;
pub(crate) use table::REPLACED;
pub(crate) use world::WORLD;
pub use world::WorldCall;

/// Kind of a replaced method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Tests whether a collection contains its argument.
    Contains,
    /// Adds its argument to a set; returns whether it was absent.
    Add,
    /// Method of a hash map that takes a key.
    Map(MapCall),
    /// Boxes its argument, small values through a cache.
    Box(Kind),
    /// One operation on a value of this kind.
    Operation(Operation, Kind),
    /// Elementary function of doubles.
    Elementary(Elementary),
    /// Access of `Unsafe` to a field of this kind.
    Field(FieldAccess, Kind),
    /// Tests whether two arrays have equal contents.
    EqualArrays,
    /// Tests whether a string equals its argument.
    EqualTexts,
    /// Searches or compares strings.
    Search(TextSearch),
    /// Makes a string from others.
    Derive(DerivedText),
    /// Copies elements of arrays.
    Copy(ArrayCopy),
    /// Property of a character.
    Character,
    /// Reads a character from the bytes of a UTF-16 string.
    Char,
    /// Stores a character in the bytes of a string.
    Digit,
    /// Makes a string of its arguments; the string may be deferred.
    Text,
    /// Constructor of an exception that makes a message of its argument.
    Message,
    /// Creates a string from one that the program has asked for, which is never null; deferred.
    InputText,
    /// Makes an input of this kind; a string for [`Kind::Reference`].
    Input(Kind),
    /// Method of strings, of which one may be open.
    OnText,
    /// Method of builders of strings, which may hold an open one.
    OnBuilder,
    /// Method of another class, or of no object, that makes or looks at a string, which may be open.
    WithText,
    /// Restricts the inputs to those for which its argument is true.
    Assume,
    /// Returns whether its argument depends on inputs.
    IsOpen,
    /// Parses a string as a number of this kind.
    Parse(Kind),
    /// Prints its argument to its receiver.
    Print,
    /// Prints the characters of an array to its receiver.
    PrintArray,
    /// Reads from outside of the program.
    World(WorldCall),
    /// Looks at the order of a hash table; runs its plain code.
    Hashed(HashOrder),
}

/// Outcome of a call of a replaced method.
pub(crate) enum ReplacedCall {
    /// Returns this value.
    Done(u64),
    /// Runs the plain code.
    Plain,
    /// Calls this method with the same arguments.
    Instead(MethodId),
    /// Stops the run before the call.
    Stop(Exit),
}

impl Intrinsic {
    /// Whether it is about inputs that a program asks for by itself, or reads from outside.
    pub(crate) fn is_of_inputs(self) -> bool {
        matches!(
            self,
            Intrinsic::Input(_) | Intrinsic::Assume | Intrinsic::IsOpen | Intrinsic::World(_)
        )
    }
}

/// Class, name and descriptor of all methods that every symbolic run replaces. Others are replaced
/// only as a verification sets it.
pub fn replaced_methods() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let always = REPLACED.iter().filter(|entry| {
        let is_set = matches!(
            entry.3,
            Intrinsic::Parse(_)
                | Intrinsic::Print
                | Intrinsic::PrintArray
                | Intrinsic::World(_)
                | Intrinsic::InputText
                | Intrinsic::OnText
                | Intrinsic::OnBuilder
                | Intrinsic::WithText
                | Intrinsic::Elementary(_)
                | Intrinsic::Hashed(_)
        );
        !is_set
    });
    always.map(|entry| (entry.0, entry.1, entry.2))
}

impl Vm {
    /// Replaced methods that did not run their plain code so far, as in [`replaced_methods`].
    pub fn replaced_calls(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let methods = self
            .replaced_calls
            .iter()
            .map(|&method| self.method(method));
        methods.map(|method| {
            let (class, name) = (self.class_name(method.class), self.text(method.name));
            (class, name, self.text(method.descriptor))
        })
    }

    /// Calls a replaced method whose arguments start at a register.
    pub(crate) fn call_replaced<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Intrinsic,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if M::TOTAL
            && !matches!(
                replaced,
                Intrinsic::WithText | Intrinsic::OnText | Intrinsic::EqualTexts | Intrinsic::Print
            )
            && let Some(exit) = self.refuse_terms(machine, method, first)
        {
            return Ok(ReplacedCall::Stop(exit));
        }
        let call = self.call_in_place(machine, replaced, method, first)?;
        let is_replaced = match call {
            ReplacedCall::Done(_) | ReplacedCall::Instead(_) => true,
            ReplacedCall::Stop(_) => replaced == Intrinsic::Map(MapCall::Look),
            ReplacedCall::Plain => false,
        };
        if is_replaced {
            self.replaced_calls.insert(method);
        }
        Ok(call)
    }

    fn call_in_place<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Intrinsic,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let argument = match replaced {
            Intrinsic::EqualArrays => return self.compare_arrays(machine, first),
            Intrinsic::OnBuilder => return self.call_on_builder(machine, method, first),
            Intrinsic::WithText => return self.call_with_text(machine, method, first),
            Intrinsic::OnText => return self.call_on_text(machine, method, first),
            Intrinsic::EqualTexts if machine.opaque_texts() => {
                let call = self.call_on_text(machine, method, first)?;
                let refused = self.refuse_terms(machine, method, first);
                return match (call, refused) {
                    (ReplacedCall::Plain, Some(exit)) => Ok(ReplacedCall::Stop(exit)),
                    (ReplacedCall::Plain, None) => self.compare_texts(machine, first),
                    (call, _) => Ok(call),
                };
            }
            Intrinsic::EqualTexts => return self.compare_texts(machine, first),
            Intrinsic::Search(search) => return self.search_text(machine, search, first),
            Intrinsic::Derive(text) => return self.derive_text(machine, text, first),
            Intrinsic::Copy(copy) => return self.copy_elements(machine, copy, first),
            Intrinsic::Elementary(function) => {
                return Ok(self.elementary(machine, function, method, first));
            }
            Intrinsic::Character => return self.look_up_character(machine, method, first),
            Intrinsic::Char => return self.char_of(machine, first),
            Intrinsic::Digit => return self.put_digit(machine, first),
            Intrinsic::Text | Intrinsic::InputText => {
                return Ok(self.defer_text(machine, method, first));
            }
            Intrinsic::Message => return self.defer_message(machine, method, first),
            Intrinsic::Field(access, kind) => {
                return Ok(self.access_field(machine, access, kind, first));
            }
            Intrinsic::Input(kind) => return Ok(self.make_input(machine, kind, first)),
            Intrinsic::Assume => return Ok(self.assume(machine, first)),
            Intrinsic::IsOpen => return Ok(self.is_open(machine, first)),
            Intrinsic::Parse(kind) => return self.parse_number(machine, kind, method, first),
            Intrinsic::Print => return self.print::<M>(first),
            Intrinsic::PrintArray => return self.print_array::<M>(first),
            Intrinsic::World(call) => return self.read_world::<M>(call, method, first),
            Intrinsic::Hashed(order) => return self.look_at_order(order, first),
            Intrinsic::Map(call) => return self.call_map(machine, call, method, first),
            Intrinsic::Box(_) | Intrinsic::Operation(..) => first,
            _ => first + 1,
        };
        let Some(term) = term_of(self.state.registers[argument]) else {
            return self.call_with_key(machine, replaced, method, first);
        };
        if let Some(value) = machine.value(term) {
            self.state.registers[argument] = value;
            if M::TOTAL {
                return self.call_with_key(machine, replaced, method, first);
            }
            return Ok(ReplacedCall::Plain);
        }
        if let Intrinsic::Operation(operation, kind) = replaced {
            let slot = self.state.registers[argument];
            if operation == Operation::Bits
                && matches!(kind, Kind::Float | Kind::Double)
                && !self.is_in_library()
            {
                // Terms have a single NaN; that of a run may have any bits of a NaN.
                match machine.compare(Comparison::Ne, kind, slot, slot) {
                    ConditionTruth::Known(false) => {}
                    ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
                    ConditionTruth::Known(true) => self.note_chance(Chance::NanBits),
                    ConditionTruth::Unable => return Ok(ReplacedCall::Plain),
                }
            }
            let result = machine.operate(operation, kind, slot, 0);
            return Ok(result.map_or(ReplacedCall::Plain, ReplacedCall::Done));
        }
        let fixed_first = Ok(ReplacedCall::Stop(Exit::Symbolic(SlotLocation::Register(
            argument as u32,
        ))));
        if let Intrinsic::Box(kind) = replaced {
            let slot = self.state.registers[argument];
            return match self.symbolic_box(machine, kind, slot)? {
                Some(object) => Ok(ReplacedCall::Done(object.slot())),
                None => fixed_first,
            };
        }
        let receiver = self.state.registers[first];
        if is_symbolic(receiver) || receiver == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let receiver = Ref::from_slot(receiver);
        let Some(layout) = self.layout(self.heap.class_of(receiver))? else {
            return fixed_first;
        };
        let Some(members) = self.members(receiver, layout)? else {
            return fixed_first;
        };
        // No two objects have the same identity hash, so such objects differ by their hash alone.
        let is_identity = match layout {
            CollectionLayout::ArrayList { .. } | CollectionLayout::LinkedList { .. } => {
                self.all_are_objects_own("equals", machine, term, &members)?
            }
            _ => self.all_are_objects_own("hashCode", machine, term, &members)?,
        };
        if !is_identity {
            return fixed_first;
        }
        let masks_null = matches!(
            layout,
            CollectionLayout::IdentityHashMap { .. } | CollectionLayout::SetFromMap { .. }
        );
        if masks_null {
            match machine.is_one_of(term, &[Ref::NULL]) {
                ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
                ConditionTruth::Known(false) => {}
                _ => return fixed_first,
            }
        }
        match (machine.is_one_of(term, &members), replaced) {
            (ConditionTruth::Open, _) => Ok(ReplacedCall::Stop(Exit::Branch)),
            (ConditionTruth::Known(true), Intrinsic::Add) => Ok(ReplacedCall::Done(0)),
            (ConditionTruth::Known(is), Intrinsic::Contains) => {
                Ok(ReplacedCall::Done(u64::from(is)))
            }
            _ => fixed_first,
        }
    }
}
