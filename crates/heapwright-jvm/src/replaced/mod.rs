//! Library methods whose plain code would split a symbolic argument into all its values.
//!
//! Invariant: what is done here is what the plain code would do for each value; where that cannot
//! be seen the argument is fixed first and the plain code runs. Collections stay what they are in
//! the heap: only their members are looked at.

mod arrays;
mod boxes;
mod characters;
mod digits;
mod held;
mod maps;
mod members;
mod messages;
mod strings;
mod table;
mod text;

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Answer, Machine, Operation, Spot, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Vm};

pub(crate) use characters::Tables;
pub use characters::{Table, Wanted};
pub(crate) use maps::MapWords;
pub use maps::{Change, MapCall, Members};
pub(crate) use members::Layout;
pub(crate) use table::REPLACED;

/// What a replaced method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// Says whether a collection holds its argument.
    Contains,
    /// Adds its argument to a set and says whether it was not there.
    Add,
    /// Is a method of a hash map that takes a key.
    Map(MapCall),
    /// Boxes its argument, small values through a cache.
    Box(Kind),
    /// Is one operation on a value of this kind.
    Operation(Operation, Kind),
    /// Says whether two arrays hold the same.
    EqualArrays,
    /// Says whether a string equals its argument.
    EqualTexts,
    /// Says something of a character.
    Character,
    /// Is a character of the bytes of a string in UTF-16.
    Char,
    /// Puts a character into the bytes of a string.
    Digit,
    /// Makes a string of its arguments, which nobody may look at.
    Text,
    /// Is the constructor of an exception that makes a message of its argument.
    Message,
}

/// The values that boxes are shared for (JLS §5.1.7).
pub(crate) const SHARED: std::ops::RangeInclusive<i64> = -128..=127;

/// How a call of a replaced method went.
pub(crate) enum Call {
    /// It returned this.
    Done(u64),
    /// The plain code runs.
    Plain,
    /// This method is called on the same arguments.
    Instead(MethodId),
    /// The run stops before it.
    Stop(Exit),
}

/// Class, name and descriptor of all replaced methods.
pub fn replaced_methods() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    REPLACED.iter().map(|entry| (entry.0, entry.1, entry.2))
}

impl Vm {
    /// The replaced methods that did not run their plain code so far, as in [`replaced_methods`].
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
        replaced: Replaced,
        method: MethodId,
        first: usize,
    ) -> Result<Call, Fault> {
        let call = self.call_in_place(machine, replaced, method, first)?;
        let is_replaced = match call {
            Call::Done(_) | Call::Instead(_) => true,
            Call::Stop(_) => replaced == Replaced::Map(MapCall::Look),
            Call::Plain => false,
        };
        if is_replaced {
            self.replaced_calls.insert(method);
        }
        Ok(call)
    }

    fn call_in_place<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Replaced,
        method: MethodId,
        first: usize,
    ) -> Result<Call, Fault> {
        let argument = match replaced {
            Replaced::EqualArrays => return self.compare_arrays(machine, first),
            Replaced::EqualTexts => return self.compare_texts(machine, first),
            Replaced::Character => return self.look_up_character(machine, method, first),
            Replaced::Char => return self.char_of(machine, first),
            Replaced::Digit => return self.put_digit(machine, first),
            Replaced::Text => return Ok(self.defer_text(machine, method, first)),
            Replaced::Message => return self.defer_message(machine, method, first),
            Replaced::Map(call) => return self.call_map(machine, call, method, first),
            Replaced::Box(_) | Replaced::Operation(..) => first,
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
            return Ok(Call::Plain);
        }
        if let Replaced::Operation(operation, kind) = replaced {
            let slot = self.state.registers[argument];
            let result = machine.operate(operation, kind, slot, 0);
            return Ok(result.map_or(Call::Plain, Call::Done));
        }
        let fixed_first = Ok(Call::Stop(Exit::Symbolic(Spot::Register(argument as u32))));
        if let Replaced::Box(kind) = replaced {
            let slot = self.state.registers[argument];
            return match self.symbolic_box(machine, kind, slot)? {
                Some(object) => Ok(Call::Done(object.slot())),
                None => fixed_first,
            };
        }
        let receiver = self.state.registers[first];
        if is_symbolic(receiver) || receiver == 0 {
            return Ok(Call::Plain);
        }
        let receiver = Ref::from_slot(receiver);
        let Some(layout) = self.layout(self.heap.class_of(receiver))? else {
            return fixed_first;
        };
        let Some(members) = self.members(receiver, layout)? else {
            return fixed_first;
        };
        // Objects with identity hashes are told apart by these alone: no two have the same.
        let is_identity = match layout {
            Layout::ArrayList { .. } | Layout::LinkedList { .. } => {
                self.all_are_objects_own("equals", machine, term, &members)?
            }
            _ => self.all_are_objects_own("hashCode", machine, term, &members)?,
        };
        if !is_identity {
            return fixed_first;
        }
        let masks_null = matches!(
            layout,
            Layout::IdentityHashMap { .. } | Layout::SetFromMap { .. }
        );
        if masks_null {
            match machine.is_one_of(term, &[Ref::NULL]) {
                Answer::Open => return Ok(Call::Stop(Exit::Branch)),
                Answer::Known(false) => {}
                _ => return fixed_first,
            }
        }
        match (machine.is_one_of(term, &members), replaced) {
            (Answer::Open, _) => Ok(Call::Stop(Exit::Branch)),
            (Answer::Known(true), Replaced::Add) => Ok(Call::Done(0)),
            (Answer::Known(is), Replaced::Contains) => Ok(Call::Done(u64::from(is))),
            _ => fixed_first,
        }
    }
}
