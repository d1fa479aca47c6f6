//! Translates sequences with values for the engine: every open argument is a known one.

use heapwright_explore::symbolic::{ScriptOperand, ScriptStep};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Ref, Vm};

use super::search_plan::SearchPlan;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::symbolic::{InputValue, make_with};

/// Statements of a sequence for the engine, and its values.
pub(in crate::sequences) struct KnownSteps {
    pub steps: Vec<ScriptStep>,
    /// The slots of the open values.
    pub values: Vec<u64>,
}

impl SearchPlan {
    /// Makes the values of a sequence on a machine, and translates its statements for the engine.
    /// Some objects of its input may exist already. `None` if a class or field is missing.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(in crate::sequences) fn known_steps(
        &self,
        vm: &mut Vm,
        concrete: &Concrete,
        known: &[Option<Ref>],
    ) -> Result<Option<KnownSteps>, Error> {
        let made = make_with(vm, &concrete.input, known)?;
        let mut slots = made.slots.iter();
        let mut values = concrete.input.roots.iter();
        let mut steps = Vec::new();
        let mut held = Vec::new();
        for statement in &concrete.statements {
            let Some(mut step) = self.step(vm, statement) else {
                return Ok(None);
            };
            step.asks = true;
            for operand in &mut step.operands {
                if let ScriptOperand::Again(value) = *operand {
                    *operand = ScriptOperand::Known(held[value], false);
                }
                if !matches!(operand, ScriptOperand::Open { .. }) {
                    continue;
                }
                let slot = slots.next().copied().unwrap_or_default();
                let value = values.next().map(|(_, value)| value);
                let is_wide = matches!(
                    value,
                    Some(InputValue::Primitive(Kind::Long | Kind::Double, _))
                );
                if is_wide {
                    slots.next();
                }
                held.push(slot);
                *operand = ScriptOperand::Known(slot, is_wide);
            }
            steps.push(step);
        }
        Ok(Some(KnownSteps {
            steps,
            values: held,
        }))
    }
}
