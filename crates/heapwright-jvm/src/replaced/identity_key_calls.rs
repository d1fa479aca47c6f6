//! Keys of hash maps that are identified by the object they hold.

use crate::class::{ClassId, MethodId};
use crate::heap::Ref;
use crate::machine::{ConditionTruth, Machine, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Vm};

use super::members::CollectionLayout;
use super::{Intrinsic, MapCall, ReplacedCall};

impl Vm {
    /// Calls a replaced method with a concrete argument. If it is an identity key, the object
    /// that it holds may stay open.
    pub(super) fn call_with_key<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Intrinsic,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !matches!(replaced, Intrinsic::Add | Intrinsic::Contains) {
            return Ok(ReplacedCall::Plain);
        }
        let registers = &self.state.registers;
        let (receiver, key) = (registers[first], Ref::from_slot(registers[first + 1]));
        if is_symbolic(receiver) || receiver == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let class = self.heap.class_of(key);
        let field = if key.is_null() {
            None
        } else {
            self.identity_key(class)
        };
        let Some(field) = field else {
            return match replaced {
                Intrinsic::Add => self.add_value(machine, Ref::from_slot(receiver), key),
                _ => self.call_map(machine, MapCall::Contains, method, first),
            };
        };
        let term = term_of(self.heap.field(key, field));
        let Some(term) = term.filter(|&term| machine.value(term).is_none()) else {
            return Ok(ReplacedCall::Plain);
        };
        let Some(held) = self.held_by_keys(machine, Ref::from_slot(receiver), class, field)? else {
            return Ok(ReplacedCall::Plain);
        };
        match (machine.is_one_of(term, &held), replaced) {
            (ConditionTruth::Open, _) => Ok(ReplacedCall::Stop(Exit::Branch)),
            (ConditionTruth::Known(true), Intrinsic::Add) => Ok(ReplacedCall::Done(0)),
            (ConditionTruth::Known(is), Intrinsic::Contains) => {
                Ok(ReplacedCall::Done(u64::from(is)))
            }
            _ => Ok(ReplacedCall::Plain),
        }
    }

    /// Objects held by the keys of a hash map in a field that identifies them. `None` if it is no
    /// hash map, if a key has another class, or if a key's field has changed since the key was
    /// added.
    fn held_by_keys<M: Machine>(
        &mut self,
        machine: &mut M,
        collection: Ref,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Vec<Ref>>, Fault> {
        let Some(layout) = self.layout(self.heap.class_of(collection))? else {
            return Ok(None);
        };
        let Some((map, layout)) = self.inner(collection, layout)? else {
            return Ok(None);
        };
        let CollectionLayout::HashMap {
            table,
            hash,
            key,
            next,
        } = layout
        else {
            return Ok(None);
        };
        let mut held = |&node: &Ref| {
            let key = self.concrete(node, key)?;
            if key.is_null() || self.heap.class_of(key) != class {
                return None;
            }
            let held = match term_of(self.heap.field(key, field)) {
                Some(term) => machine.value(term)?,
                None => self.read_slot(key.0 + field).ok()?,
            };
            let held = Ref::from_slot(held);
            let now = if held.is_null() {
                0
            } else {
                self.heap.identity_hash(held)
            };
            (self.heap.field(node, hash) as u32 == now ^ now >> 16).then_some(held)
        };
        let nodes = self.nodes(map, table, next);
        Ok(nodes.and_then(|nodes| nodes.iter().map(&mut held).collect()))
    }
}
