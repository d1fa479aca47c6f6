//! Test cases of structures that fail a check: the sequences that build them, and the violated
//! requirement.

use std::sync::Arc;

use heapwright_jvm::{ClassId, Vm};
use heapwright_suite::{Call, CallOutcome, Case, Label, Literal, MethodSig, Requirement};
use heapwright_suite::{Structure, Value};

use super::checks::{Violation, ViolationKind};
use super::{Break, Origin, Pools, Prepared, Sequence, StructureRef};
use crate::contracts::{ContractArgument, ContractCheck, Contracts};
use crate::findings;
use crate::observe::{exit, method_sig};
use crate::read::StructureReader;

/// Creates a case that requires a check on the structure that a call left. `None` if no Java text
/// calls the method as the check does.
///
/// # Errors
/// The heap is full.
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
    let sequence = Sequence::ending_with(pools, &prepared.caller.operations, origin)?;
    let made = prepared.written(vm, &mut reader, &sequence);
    let input = match method.is_static {
        true => Structure::default(),
        false => match read(vm, prepared, pools, &mut reader, origin)? {
            Some(input) => input,
            None => return Ok(None),
        },
    };
    let argument = match violation.given {
        ContractArgument::Nothing if method.is_static => Some(Literal::Made(made.clone())),
        ContractArgument::Nothing => None,
        ContractArgument::Itself => Some(Literal::Value(Value::Ref(0))),
        ContractArgument::Null => Some(Literal::Value(Value::Null)),
        ContractArgument::Other => Some(Literal::Made(made.clone())),
    };
    let construction = (!method.is_static).then_some(made);
    let call = Call {
        method: Arc::new(method),
        args: argument.into_iter().collect(),
        outcome: match &violation.wrong {
            ViolationKind::IsFalse => CallOutcome::Returned(Literal::Value(Value::Boolean(true))),
            ViolationKind::Throws(class) => {
                CallOutcome::Failed(Requirement::DoesNotThrow(class.clone()))
            }
            ViolationKind::DoesNotEnd => CallOutcome::Failed(Requirement::Ends),
            ViolationKind::Breaks(contract) => CallOutcome::Failed(Requirement::Keeps(*contract)),
        },
        invariant_holds_after: true,
        then: Vec::new(),
        label: Label::default(),
    };
    Ok(Some(Case {
        input,
        construction,
        calls: vec![call],
    }))
}

/// Most structures for which contracts of two structures are checked.
const MAX_PAIRED: usize = 32;

/// Returns contracts of two structures that some of the first structures break, each with a case
/// that states it.
///
/// # Errors
/// The heap is full.
pub fn of_pairs(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    built: &[StructureRef],
) -> Result<Vec<(findings::Finding, Case)>, Break> {
    let class = prepared.caller.classes[0];
    let contracts = Contracts::of(vm, class).unwrap_or_default();
    let of_two: Vec<ContractCheck> = contracts
        .iter()
        .filter(|asked| asked.contract.is_of_two())
        .collect();
    if of_two.is_empty() {
        return Ok(Vec::new());
    }
    let found = vm.with_mark(|vm| broken_by_pairs(vm, prepared, pools, built, &of_two))?;
    vm.limit_steps(u64::MAX);
    let mut cases = Vec::new();
    for (finding, (asked, one, other)) in findings::smallest(found, |_| 0) {
        if let Some(case) = stated(vm, prepared, pools, asked, (one, other))? {
            cases.push((finding, case));
        }
    }
    Ok(cases)
}

/// Finding on two structures, with the violated contract and the structures.
type OfPair = (
    findings::Finding,
    (ContractCheck, StructureRef, StructureRef),
);

/// Finds the contracts that pairs of the structures break.
fn broken_by_pairs(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    built: &[StructureRef],
    of_two: &[ContractCheck],
) -> Result<Vec<OfPair>, Break> {
    let mut made = Vec::new();
    for &built in &built[..built.len().min(MAX_PAIRED)] {
        made.push((built, prepared.caller.make(vm, pools, built)?));
    }
    let mut found = Vec::new();
    let pairs = made
        .iter()
        .flat_map(|one| made.iter().map(move |other| (*one, *other)));
    for ((one, object), (other, beside)) in pairs {
        for asked in of_two {
            let breach = vm.with_mark(|vm| {
                let slots = asked.slots(object, beside);
                let ended = exit(vm, asked.entry(), &slots, prepared.caller.step_limit);
                let breach = asked.breach(vm, object, &ended);
                vm.abandon();
                breach
            });
            if let Some(breach) = breach {
                found.push((
                    findings::Finding::breaks_contract(vm, *asked, breach),
                    (*asked, one, other),
                ));
            }
        }
    }
    Ok(found)
}

/// Creates a case that states a contract of two structures.
fn stated(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    asked: ContractCheck,
    (one, other): (StructureRef, StructureRef),
) -> Result<Option<Case>, Break> {
    let class = prepared.caller.classes[0];
    let Some(method) = asked.stated_by(vm, class) else {
        return Ok(None);
    };
    let mut reader = StructureReader::new(vm, class);
    let mut made = |vm: &mut Vm, built: StructureRef| {
        let sequence = Sequence::of(pools, &prepared.caller.operations, built)?;
        Ok::<_, Break>(prepared.written(vm, &mut reader, &sequence))
    };
    let call = Call {
        method: Arc::new(method),
        args: vec![Literal::Made(made(vm, other)?)],
        outcome: CallOutcome::Failed(Requirement::Keeps(asked.contract)),
        invariant_holds_after: true,
        then: Vec::new(),
        label: Label::default(),
    };
    let construction = Some(made(vm, one)?);
    let input = vm.with_mark(|vm| {
        let root = prepared.caller.make(vm, pools, one);
        root.map(|root| reader.read(vm, root).structure)
    });
    Ok(Some(Case {
        input: input?,
        construction,
        calls: vec![call],
    }))
}

/// Returns the method that a test calls. `None` if overloads prevent a test from calling it with a
/// structure.
fn asked(vm: &mut Vm, class: ClassId, violation: &Violation) -> Option<MethodSig> {
    match violation.asked {
        Some(asked) => asked.stated_by(vm, class),
        None => {
            let owner = vm.method(violation.method).class;
            Some(method_sig(vm, owner, violation.method))
        }
    }
}

/// Reads the structure that a call left.
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
    let indices = 0..pools.get(pool).len() as u32;
    let mut found = None;
    for built in indices.map(|index| StructureRef { pool, index }) {
        let record = pools.record(built)?;
        if record.is_some_and(|record| Origin::take(record.get().origin, operations) == *origin) {
            found = Some(built);
            break;
        }
    }
    let Some(built) = found else {
        return Ok(None);
    };
    vm.with_mark(|vm| {
        let root = prepared.caller.make(vm, pools, built)?;
        Ok(Some(reader.read(vm, root).structure))
    })
}
