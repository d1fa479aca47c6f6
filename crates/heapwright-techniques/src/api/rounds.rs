//! An iteration divided among processes that share no memory.
//!
//! The structures of the last iteration are divided into slices. The calls of a slice leave
//! *candidates* ([`Prepared::call_slice`]). Which of these are new is found out elsewhere
//! ([`heapwright_explore::external::settle`]), and they are gathered from the candidates
//! ([`gather`]).
//!
//! **Invariant: whatever a slice returns depends on its structures and those before the iteration
//! alone**, and means the same in each process. The structures of all slices, in the order of these,
//! are those of one process, in its order.

use std::ops::Range;

use heapwright_explore::CanonicalForm;
use heapwright_explore::bits::BitWriter;
use heapwright_explore::external::{RecordBlock, RecordBytes};
use heapwright_jvm::{MethodId, Vm};
use serde::{Deserialize, Serialize};

use super::Prepared;
use super::caller::Break;
use super::checks::{Violation, ViolationKind};
use super::findings::{CallFault, CallFinding, CallFindings, OFTEN, OutcomeTally};
use super::parallel::SnapshotBoard;
use super::pools::{Origin, Pools, StructureRef};

/// Byte before the name of a class that has no number which all processes know.
const SPELLED: u8 = u8::MAX;

/// Slice of an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoundSlice {
    /// The calls that need no structure, of the first iteration.
    Start,
    /// The calls with the structures of a pool in a range of numbers.
    Structures(u32, Range<u32>),
}

/// Reason why a slice ended early.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoundEnd {
    /// A call initialised these classes, by internal name: the search starts again with them
    /// initialised.
    Initialized(Vec<String>),
    /// A structure could not be rebuilt because the heap is full.
    HeapFull,
}

/// What the calls of a slice left.
#[derive(Debug)]
pub struct SliceCalls {
    /// Counts of calls, without those that build something new.
    pub tally: OutcomeTally,
    /// Faults found.
    pub findings: PortableFindings,
    /// Structures that may be new, in the order of the calls and without duplicates. The form of
    /// each is behind its class, the origin behind a byte that tells whether its call differs from
    /// that of the one before it.
    pub candidates: Vec<u8>,
    /// Reason why the slice ended early, if it did.
    pub ended: Option<RoundEnd>,
}

impl Prepared {
    /// Makes the calls of a slice. `classes` are internal names of classes that all processes
    /// number alike.
    ///
    /// # Errors
    /// The user stopped the search, or a structure cannot be read.
    pub fn call_slice(
        &mut self,
        vm: &mut Vm,
        slice: &RoundSlice,
        pools: &Pools,
        endless: &[usize],
        classes: &[String],
    ) -> Result<SliceCalls, Break> {
        let methods = self.methods();
        let endless = endless.iter().filter_map(|&number| methods.get(number));
        self.caller.endless = endless.copied().collect();
        self.caller.tally = OutcomeTally::default();
        self.caller.findings = CallFindings::default();
        let mut board = SnapshotBoard::new(pools, true);
        let flow = vm.with_mark(|vm| match slice {
            RoundSlice::Start => self.caller.start(vm, &mut board),
            RoundSlice::Structures(pool, range) => range.clone().try_for_each(|index| {
                let lead = StructureRef { pool: *pool, index };
                self.caller.visit(vm, &mut board, lead)
            }),
        });
        vm.limit_steps(u64::MAX);
        let ended = match flow {
            Ok(()) => None,
            Err(Break::Initialized(names)) => Some(RoundEnd::Initialized(names)),
            Err(Break::HeapFull) => Some(RoundEnd::HeapFull),
            Err(other) => return Err(other),
        };
        let findings = std::mem::take(&mut self.caller.findings);
        Ok(SliceCalls {
            tally: std::mem::take(&mut self.caller.tally),
            findings: self.portable(&methods, &findings),
            candidates: candidates(&board, classes),
            ended,
        })
    }

    /// Methods that findings are about, some of them several times. They have the same numbers in
    /// each process.
    fn methods(&self) -> Vec<MethodId> {
        let operations = self.caller.operations.iter();
        let called = operations.map(|operation| operation.call.method);
        let checks = self.caller.checks.list().into_iter();
        called.chain(checks.map(|(method, _)| method)).collect()
    }

    fn portable(&self, methods: &[MethodId], findings: &CallFindings) -> PortableFindings {
        let number = |method: MethodId| methods.iter().position(|&other| other == method);
        let operations = &self.caller.operations;
        let checks = self.caller.checks.list();
        let list = findings.list().iter().map(|finding| {
            let mut call = BitWriter::default();
            finding.call.put(&mut call, operations);
            call.align();
            PortableFinding {
                method: number(finding.method).unwrap_or_default(),
                call: call.bytes().to_vec(),
                fault: match finding.fault.clone() {
                    CallFault::Throws(class) => PortableFault::Throws(class),
                    CallFault::DoesNotEnd => PortableFault::DoesNotEnd,
                    CallFault::FillsMemory => PortableFault::FillsMemory,
                    CallFault::Refused(what) => PortableFault::Refused(what),
                    CallFault::Nondeterministic(what) => PortableFault::Nondeterministic(what),
                    CallFault::Violates(violation) => {
                        let is_check = |&(method, asked): &(MethodId, _)| {
                            (method, asked) == (violation.method, violation.asked)
                        };
                        let check = checks.iter().position(is_check);
                        PortableFault::Violates(check.unwrap_or_default(), violation.wrong)
                    }
                },
                text: finding.text.clone(),
                count: finding.count,
            }
        });
        PortableFindings {
            list: list.collect(),
        }
    }

    /// Findings of another process, on this machine. Some may be of no method of this one, and are
    /// left out.
    #[must_use]
    pub fn findings_of(&self, findings: &PortableFindings) -> CallFindings {
        let methods = self.methods();
        let operations = &self.caller.operations;
        let checks = self.caller.checks.list();
        let mut all = CallFindings::default();
        for finding in &findings.list {
            let fault = match finding.fault.clone() {
                PortableFault::Throws(class) => CallFault::Throws(class),
                PortableFault::DoesNotEnd => CallFault::DoesNotEnd,
                PortableFault::FillsMemory => CallFault::FillsMemory,
                PortableFault::Refused(what) => CallFault::Refused(what),
                PortableFault::Nondeterministic(what) => CallFault::Nondeterministic(what),
                PortableFault::Violates(check, wrong) => match checks.get(check) {
                    Some(&(method, asked)) => {
                        CallFault::Violates(Violation::new(method, asked, wrong))
                    }
                    None => continue,
                },
            };
            let Some(&method) = methods.get(finding.method) else {
                continue;
            };
            all.add(CallFinding {
                method,
                call: Origin::take(&finding.call, operations),
                fault,
                text: finding.text.clone(),
                count: finding.count,
            });
        }
        all
    }
}

/// Faults found, in order of discovery, as processes exchange them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortableFindings {
    list: Vec<PortableFinding>,
}

/// A fault as processes exchange it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortableFinding {
    /// Number of the method.
    method: usize,
    /// Origin of the first call.
    call: Vec<u8>,
    fault: PortableFault,
    text: String,
    /// Number of calls.
    count: u64,
}

/// Kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum PortableFault {
    Throws(String),
    DoesNotEnd,
    FillsMemory,
    Refused(String),
    Nondeterministic(String),
    /// Number of the check.
    Violates(usize, ViolationKind),
}

impl PortableFindings {
    /// Adds later findings.
    pub fn append(&mut self, other: &PortableFindings) {
        for finding in &other.list {
            let is_same = |known: &&mut PortableFinding| {
                (known.method, &known.fault) == (finding.method, &finding.fault)
            };
            match self.list.iter_mut().find(is_same) {
                Some(known) => known.count += finding.count,
                None => self.list.push(finding.clone()),
            }
        }
    }

    /// Numbers of the methods that have often not ended; the step limit of their later calls is
    /// reduced.
    #[must_use]
    pub fn endless(&self) -> Vec<usize> {
        let often = |finding: &&PortableFinding| {
            finding.fault == PortableFault::DoesNotEnd && finding.count >= OFTEN
        };
        let often = self.list.iter().filter(often);
        often.map(|finding| finding.method).collect()
    }
}

/// Candidates of a slice in the order of their calls, as records.
fn candidates(board: &SnapshotBoard<'_>, classes: &[String]) -> Vec<u8> {
    let pools = board.built.iter();
    let keys: Vec<Vec<u8>> = pools.map(|pool| class_key(&pool.class, classes)).collect();
    let mut ordered = Vec::new();
    let pools = board.built.iter().zip(board.sequences());
    for (key, (pool, sequences)) in keys.iter().zip(pools) {
        let found = pool.in_memory().from(0).zip(sequences);
        ordered.extend(found.map(|(record, &sequence)| (sequence, key, record)));
    }
    ordered.sort_by_key(|&(sequence, _, _)| sequence);
    let mut records = RecordBytes::default();
    let (mut last, mut origin, mut form) = (None, Vec::new(), Vec::new());
    for (sequence, key, record) in ordered {
        origin.clear();
        origin.push(u8::from(last.replace(sequence) != Some(sequence)));
        origin.extend_from_slice(record.origin);
        form.clear();
        form.extend_from_slice(key);
        form.extend_from_slice(record.form.compared);
        let form = CanonicalForm {
            compared: &form,
            omitted: record.form.omitted,
        };
        records.append(form, &origin);
    }
    records.into_bytes()
}

/// Bytes that stand for a class before a form.
fn class_key(class: &str, classes: &[String]) -> Vec<u8> {
    let number = classes.iter().position(|known| known == class);
    match number.and_then(|number| u8::try_from(number).ok()) {
        Some(number) if number != SPELLED => vec![number],
        _ => [&[SPELLED], class.as_bytes(), &[0]].concat(),
    }
}

/// Class of a candidate and its form.
fn split_key<'a>(key: &'a [u8], classes: &'a [String]) -> Option<(&'a str, &'a [u8])> {
    match key {
        [SPELLED, rest @ ..] => {
            let end = rest.iter().position(|&byte| byte == 0)?;
            let class = std::str::from_utf8(&rest[..end]).ok()?;
            Some((class, &rest[end + 1..]))
        }
        [number, form @ ..] => Some((classes.get(usize::from(*number))?, form)),
        [] => None,
    }
}

/// New structures of a slice.
#[derive(Default)]
pub struct Gathered {
    /// Records by class, by internal name, in the order of their first structures; with the number
    /// of each class's structures.
    pub structures: Vec<(String, u64, RecordBytes)>,
    /// Sequences that built a new structure.
    pub building: u64,
}

/// Gathers the new structures among the candidates of a slice. `new` has their numbers, in
/// ascending order. Returns `None` if the candidates are damaged.
#[must_use]
pub fn gather(candidates: &RecordBlock, new: &[u64], classes: &[String]) -> Option<Gathered> {
    let mut gathered = Gathered::default();
    let mut new = new.iter().peekable();
    let mut has_built = false;
    for (number, record) in (0u64..).zip(candidates.iter()) {
        let [starts, origin @ ..] = record.origin else {
            return None;
        };
        has_built &= *starts == 0;
        if new.next_if_eq(&&number).is_none() {
            continue;
        }
        gathered.building += u64::from(!has_built);
        has_built = true;
        let (class, compared) = split_key(record.form.compared, classes)?;
        let form = CanonicalForm {
            compared,
            omitted: record.form.omitted,
        };
        let structures = &mut gathered.structures;
        let known = structures.iter().position(|(known, ..)| known == class);
        let place = known.unwrap_or_else(|| {
            structures.push((class.to_owned(), 0, RecordBytes::default()));
            structures.len() - 1
        });
        let (_, count, records) = &mut structures[place];
        *count += 1;
        records.append(form, origin);
    }
    new.next().is_none().then_some(gathered)
}
