//! Test cases of structures that fail a check: the calls that build them, and what they do not keep.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::{Call, Case, Contract, Label, Literal, MethodSig, Outcome, Requirement};
use heapwright_suite::{Structure, Value};

use super::checks::{Given, Violation, Wrong};
use super::{Break, Built, Origin, Pools, Prepared, Sequence};
use crate::observe::method_sig;
use crate::read::StructureReader;
use crate::target;

/// A case in which a check must pass on the structure that a call left; none where no Java text
/// calls the method as the check does.
///
/// # Errors
/// No memory is left.
pub(super) fn reproducer(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    origin: &Origin,
    violation: &Violation,
) -> Result<Option<Case>, Break> {
    let class = prepared.caller.classes[0];
    let Some(method) = asked(vm, class, violation) else {
        return Ok(None);
    };
    let mut reader = StructureReader::new(vm, class);
    let sequence = Sequence::ending_with(pools, &prepared.caller.operations, origin);
    let made = prepared.written(vm, &mut reader, &sequence);
    let input = match method.is_static {
        true => Structure::default(),
        false => match read(vm, prepared, pools, &mut reader, origin)? {
            Some(input) => input,
            None => return Ok(None),
        },
    };
    let argument = match violation.given {
        Given::Nothing if method.is_static => Some(Literal::Made(made.clone())),
        Given::Nothing => None,
        Given::Itself => Some(Literal::Value(Value::Ref(0))),
        Given::Null => Some(Literal::Value(Value::Null)),
        Given::Copy => Some(Literal::Made(made.clone())),
    };
    let made_by = (!method.is_static).then_some(made);
    let call = Call {
        method: Arc::new(method),
        args: argument.into_iter().collect(),
        outcome: match &violation.wrong {
            Wrong::IsFalse => Outcome::Returned(Literal::Value(Value::Boolean(true))),
            Wrong::Throws(class) => Outcome::Failed(Requirement::DoesNotThrow(class.clone())),
            Wrong::DoesNotEnd => Outcome::Failed(Requirement::Ends),
            Wrong::Breaks(contract) => Outcome::Failed(Requirement::Keeps(*contract)),
        },
        invariant_holds_after: true,
        label: Label::default(),
    };
    Ok(Some(Case {
        input,
        made_by,
        calls: vec![call],
    }))
}

/// The method that a test calls; none where overloads keep a test from calling it with a structure.
fn asked(vm: &mut Vm, class: ClassId, violation: &Violation) -> Option<MethodSig> {
    let this = vm.method(violation.method);
    let is_property = vm.text(this.descriptor).ends_with(")Z");
    if is_property && violation.given == Given::Nothing {
        return Some(method_sig(vm, this.class, violation.method));
    }
    let method = match violation.wrong {
        Wrong::Breaks(Contract::SameHashCode) => equals(vm, class)?,
        _ => violation.method,
    };
    let mut sig = method_sig(vm, class, method);
    // In the source a bridge is the method that it calls, which takes what the type argument says.
    if vm.method(method).flags & flags::BRIDGE != 0 {
        if violation.given != Given::Nothing && !is_bridged(vm, class, method) {
            return None;
        }
        sig.is_overloaded = false;
    }
    sig.is_accessible = true;
    Some(sig)
}

/// The `equals` of a class.
fn equals(vm: &mut Vm, class: ClassId) -> Option<MethodId> {
    let object = target::find_class(vm, "java.lang.Object").ok()?;
    let declared = vm.declared_method(object, "equals", "(Ljava/lang/Object;)Z")?;
    vm.select(class, declared)
}

/// Whether a class has a method with one parameter that takes it, which a bridge may stand for.
fn is_bridged(vm: &Vm, class: ClassId, bridge: MethodId) -> bool {
    let name = vm.method(bridge).name;
    target::methods(vm, class).into_iter().any(|method| {
        let this = vm.method(method);
        let parameter = vm.text(this.descriptor).strip_prefix("(L");
        let parameter = parameter.and_then(|text| text.split_once(";)"));
        let taken = parameter.and_then(|(name, _)| vm.loaded_class(name));
        this.name == name
            && this.flags & flags::BRIDGE == 0
            && taken.is_some_and(|taken| vm.is_subclass(class, taken))
    })
}

/// The structure that a call left.
fn read(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    reader: &mut StructureReader,
    origin: &Origin,
) -> Result<Option<Structure>, Break> {
    let Some(pool) = pools.find(vm.class_name(prepared.caller.classes[0])) else {
        return Ok(None);
    };
    let pool = pool as u32;
    let operations = &prepared.caller.operations;
    let indices = 0..pools.get(pool).reached.len() as u32;
    let mut all = indices.map(|index| Built { pool, index });
    let is_it = |built: &Built| {
        let record = pools.record(*built);
        record.is_some_and(|record| Origin::take(record.origin, operations) == *origin)
    };
    let Some(built) = all.find(is_it) else {
        return Ok(None);
    };
    let mark = vm.mark();
    let root = prepared.caller.make(vm, pools, built);
    let input = root.map(|root| reader.read(vm, root).structure);
    vm.undo_to(mark);
    vm.forget(mark);
    input.map(Some)
}
