//! Prologues: code at the beginning of each call of a method, which notes or exchanges its arguments.
//!
//! A prologue stands before the translated code of its method. Branches are relative, so that none
//! goes back to it.

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::HeapPoint;
use crate::instr::{Instr, Reg};
use crate::vm::{Exit, Fault, Vm};

/// Argument that is exchanged.
#[derive(Clone, Debug)]
pub struct ExchangedArgument {
    /// Position among the parameters, from 0; the receiver is none of them.
    pub parameter: usize,
    /// Static method that returns the argument. It has one parameter, a string.
    pub maker: MethodId,
    /// Argument of the maker.
    pub name: String,
}

/// Call of a method with a prologue that notes calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedCall {
    /// The method.
    pub method: MethodId,
    /// The words of its receiver and arguments; a long or double has two, of which the second means
    /// nothing.
    pub arguments: Box<[u64]>,
}

impl Vm {
    /// Makes a method with bytecode note each call, see [`Vm::noted_calls`]. It must have no frame on
    /// the stack.
    pub fn note_calls(&mut self, method: MethodId) {
        let words = u32::from(self.method(method).argument_words);
        self.prologues
            .insert(method, vec![Instr::NoteCall { words }]);
        self.translate_again(method);
    }

    /// Calls that the run has noted so far, oldest first. Going back removes those made since.
    #[must_use]
    pub fn noted_calls(&self) -> &[NotedCall] {
        &self.state.calls
    }

    /// Point of the noted call with this number, before its first instruction; `None` if no mark was
    /// set.
    #[must_use]
    pub fn noted_point(&self, number: usize) -> Option<HeapPoint> {
        self.state.call_points.get(number).copied().flatten()
    }

    /// Point of the run's present state, for [`Vm::at_point`]; `None` if no mark is set, or if no
    /// method notes calls.
    pub fn present_point(&mut self) -> Option<HeapPoint> {
        match self.prologues.is_empty() {
            true => None,
            false => self.heap.point(),
        }
    }

    /// Does something where all objects hold what they held at a point of this run, and goes back.
    /// Static fields and all that is not in the heap stay as they are.
    pub fn at_point<T>(&mut self, point: HeapPoint, work: impl FnOnce(&mut Vm) -> T) -> T {
        self.with_mark(|vm| {
            vm.heap.rewind(point);
            work(vm)
        })
    }

    /// Whether an object was written since a point of this run, and holds something else now.
    #[must_use]
    pub fn is_changed_since(&self, point: HeapPoint) -> bool {
        self.heap.is_changed_since(point)
    }

    /// Makes a method with bytecode exchange arguments at each call. It must have no frame on the
    /// stack.
    ///
    /// # Errors
    /// No memory is left for the names.
    pub fn exchange_arguments(
        &mut self,
        method: MethodId,
        arguments: &[ExchangedArgument],
    ) -> Result<(), Exit> {
        let this = self.method(method);
        let own = usize::from(!this.is_static());
        let registers = self.parameter_registers(method);
        let end = registers.last().map_or(0, |&(register, kind)| {
            register + 1 + Reg::from(matches!(kind, Kind::Long | Kind::Double))
        });
        let registers = &registers[own..];
        let locals = self.local_words(method).unwrap_or(end);
        let mut prologue = Vec::with_capacity(3 * arguments.len());
        for ExchangedArgument {
            parameter,
            maker,
            name,
        } in arguments
        {
            let units: Vec<u16> = name.encode_utf16().collect();
            let cell = self.literal_cell(&units).map_err(|fault| match fault {
                Fault::Stop(exit) => *exit,
                other => Exit::Unsupported(self.fault_text(&other)),
            })?;
            prologue.push(Instr::Literal { d: locals, cell });
            prologue.push(Instr::InvokeStaticChecked {
                a: locals,
                method: maker.0,
            });
            prologue.push(Instr::Move {
                d: registers[*parameter].0,
                a: locals,
            });
        }
        self.prologues.insert(method, prologue);
        self.translate_again(method);
        Ok(())
    }

    /// Number of local variables of a method with bytecode.
    fn local_words(&self, method: MethodId) -> Option<Reg> {
        let this = self.method(method);
        let file = self.class(this.class).file.clone()?;
        Some(this.code_info(&file)?.max_locals)
    }
}
