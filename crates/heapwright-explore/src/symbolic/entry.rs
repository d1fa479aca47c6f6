//! Single call of a method with an open receiver and open arguments.

use heapwright_code::PlaceReads;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Exit, MethodId, Vm};

use super::inputs::{self, Inputs};
use super::{SymbolicError, SymbolicSearch, Task, WalkEnd};

/// Method to run, and its inputs.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// Method to run.
    pub method: MethodId,
    /// Receiver of the call.
    pub receiver: Receiver,
    /// Descriptors of the parameters.
    pub parameters: Vec<String>,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Predicate of the receiver without parameters; only receivers for which it returns 1 are
    /// inputs. It runs before the method, and its loops are not bounded.
    pub precondition: Option<MethodId>,
    /// Command-line arguments of a `main` method, in place of open parameters.
    pub command_line: Option<Vec<String>>,
    /// What the method reads, if it is a predicate. On a path on which it returns 1, all references
    /// that it examined are chosen, and then those at such places that it did not read on this path.
    /// Its paths have no model.
    pub predicate: Option<PlaceReads>,
}

/// Receiver of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// No receiver: the method is static.
    None,
    /// Input of this class, which has instances.
    Open(ClassId),
    /// New object of this class, for a constructor.
    Blank(ClassId),
}

impl SymbolicSearch<'_> {
    /// Creates the inputs and calls the method.
    pub(super) fn call(&mut self, vm: &mut Vm, entry: &EntryPoint) -> Result<(), SymbolicError> {
        let not_callable = |vm: &Vm, exit: &Exit| SymbolicError::NotCallable(vm.exit_text(exit));
        let mut slots = Vec::new();
        let receiver = match entry.receiver {
            Receiver::None => Ok(None),
            Receiver::Blank(class) => inputs::new_object(vm, class).map(Some),
            Receiver::Open(class) => {
                let (machine, name) = (&mut self.machine, "this".to_owned().into());
                let made = self.inputs.make(vm, machine, class, name, &self.bounds);
                // The existence of a receiver is not a decision.
                self.machine.decisions.clear();
                made.map(Some)
            }
        };
        let receiver = receiver.map_err(|exit| not_callable(vm, &exit))?;
        if let Some(receiver) = receiver {
            slots.push(receiver.slot());
            if matches!(entry.receiver, Receiver::Open(_)) {
                self.roots.push(receiver.slot());
            }
        }
        if let Some(texts) = &entry.command_line {
            let texts = vm.texts(texts).map_err(|exit| not_callable(vm, &exit))?;
            slots.push(texts.slot());
        }
        for (parameter, name) in entry.parameters.iter().zip(&entry.names) {
            let name = name.clone().into();
            let slot = Inputs::open(vm, &mut self.machine, parameter, name);
            self.roots.push(slot);
            slots.push(slot);
            if Kind::of(parameter).words() == 2 {
                slots.push(0);
            }
        }
        let called = match entry.precondition {
            Some(predicate) => {
                self.is_before = true;
                vm.call(predicate, &slots[..1])
            }
            None => vm.call(entry.method, &slots),
        };
        self.arguments = slots;
        called.map_err(|exit| not_callable(vm, &exit))
    }

    /// Continues after the precondition: calls the method if it holds.
    pub(super) fn after_precondition(
        &mut self,
        vm: &mut Vm,
        exit: Exit,
    ) -> Result<Option<WalkEnd>, SymbolicError> {
        let Exit::Done(answer) = exit else {
            return Ok(Some(WalkEnd::Dead));
        };
        if !self.is_yes(answer)? {
            return Ok(Some(WalkEnd::Dead));
        }
        self.is_before = false;
        let Task::Method(entry) = self.task else {
            return Ok(None);
        };
        vm.call(entry.method, &self.arguments)
            .map_err(|exit| SymbolicError::NotCallable(vm.exit_text(&exit)))?;
        Ok(None)
    }
}
