//! A search whose iterations are divided among machines that share no memory finds what one machine
//! finds, in the same order.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use heapwright_explore::ClassNumbers;
use heapwright_explore::external::{LoggedRecord, RecordBlock, SpillError};
use heapwright_jvm::Vm;
use heapwright_techniques::api::{
    ApiRequest, ApiSearch, ChecksRequest, InvariantCheck, LengthLimit, OutcomeTally, Pools,
    PortableFindings, Prepared, RoundEnd, RoundSlice, SearchEnd, StructureSource, gather,
};
use heapwright_testkit::random::Random;

use crate::spilled::{Found, SUBJECTS, config, found, request, search};

/// Structures of a class, as the slices of all rounds have left them.
#[derive(Clone, Default)]
struct Class {
    name: String,
    old: usize,
    known: usize,
    blocks: Vec<(usize, Arc<RecordBlock>)>,
}

impl StructureSource for Class {
    fn record(&self, index: u64) -> Result<Option<LoggedRecord>, SpillError> {
        let index = index as usize;
        let after = self.blocks.partition_point(|&(first, _)| first <= index);
        let (first, block) = &self.blocks[after - 1];
        Ok(LoggedRecord::of(block, index - first))
    }
}

/// Search in rounds.
struct Rounds<'a> {
    request: &'a ApiRequest,
    names: &'a [String],
    dice: Random,
    machines: Vec<(Vm, Prepared)>,
    classes: Vec<Class>,
    known: BTreeSet<Vec<u8>>,
    tally: OutcomeTally,
    findings: PortableFindings,
}

impl Rounds<'_> {
    /// Runs a round; its classes if it has initialised some.
    fn run(&mut self, slices: &[RoundSlice]) -> Result<OutcomeTally, Vec<String>> {
        let mut pools = Pools::default();
        for class in &self.classes {
            let source = Arc::new(class.clone());
            pools.add_source(&class.name, (class.old, class.known), source);
        }
        let endless = self.findings.endless();
        let mut counts = OutcomeTally::default();
        let mut gathered = Vec::new();
        for slice in slices {
            let machine = self.dice.below(self.machines.len() as u64) as usize;
            let (vm, prepared) = &mut self.machines[machine];
            let calls = prepared.call_slice(vm, slice, &pools, &endless, self.names);
            let calls = calls.unwrap();
            if let Some(RoundEnd::Initialized(names)) = calls.ended {
                return Err(names);
            }
            assert_eq!(calls.ended, None);
            let candidates = RecordBlock::new(calls.candidates);
            let mut new = Vec::new();
            for (number, record) in (0..).zip(candidates.iter()) {
                if self.known.insert(record.form.compared.to_vec()) {
                    new.push(number);
                }
            }
            let structures = gather(&candidates, &new, self.names).unwrap();
            counts += calls.tally;
            counts.building += structures.building;
            // What is written can be read.
            let findings = calls.findings.clone();
            self.findings.append(&findings);
            gathered.push(structures.structures);
        }
        for class in &mut self.classes {
            class.old = class.known;
        }
        for (name, count, records) in gathered.into_iter().flatten() {
            let known = self.classes.iter().position(|class| class.name == name);
            let place = known.unwrap_or_else(|| {
                self.classes.push(Class {
                    name,
                    ..Class::default()
                });
                self.classes.len() - 1
            });
            let class = &mut self.classes[place];
            let block = RecordBlock::new(records.into_bytes());
            assert_eq!(block.len() as u64, count);
            class.blocks.push((class.known, Arc::new(block)));
            class.known += count as usize;
        }
        Ok(counts)
    }

    /// Slices of the structures of the last round.
    fn slices(&mut self) -> Vec<RoundSlice> {
        let mut slices = Vec::new();
        for (pool, class) in (0..).zip(&self.classes) {
            let mut rest: Range<u32> = class.old as u32..class.known as u32;
            while !rest.is_empty() {
                let length = 1 + self.dice.below(40) as u32;
                let end = rest.end.min(rest.start + length);
                slices.push(RoundSlice::Structures(pool, rest.start..end));
                rest.start = end;
            }
        }
        slices
    }
}

/// Searches in rounds on several machines, whose forms have these names by number.
fn in_rounds(request: &ApiRequest, names: &[String], seed: u64) -> Found {
    let mut initialized: Vec<String> = Vec::new();
    let machine = |initialized: &[String]| {
        let mut vm = Vm::new(config()).unwrap();
        let numbers = Arc::new(ClassNumbers::agreed(names));
        let mut prepared = Prepared::new(&mut vm, request, &numbers).unwrap();
        prepared.initialize(&mut vm, initialized);
        (vm, prepared)
    };
    loop {
        let mut rounds = Rounds {
            request,
            names,
            dice: Random::new(seed),
            machines: (0..3).map(|_| machine(&initialized)).collect(),
            classes: Vec::new(),
            known: BTreeSet::new(),
            tally: OutcomeTally::default(),
            findings: PortableFindings::default(),
        };
        match rounds.search() {
            Ok((ended, iterations)) => {
                let (mut vm, prepared) = machine(&initialized);
                let mut search = ApiSearch::new(rounds.request);
                for class in &rounds.classes {
                    for (_, block) in &class.blocks {
                        for record in block.iter() {
                            let (form, origin) = (record.form, record.origin);
                            search.restore(&class.name, form, origin).unwrap();
                        }
                    }
                }
                let findings = prepared.findings_of(&rounds.findings);
                let counts = (rounds.tally, iterations);
                let outcome = search.restored(counts, findings, ended).unwrap();
                // Structures can be made again.
                let mut prepared = prepared;
                for (pool, class) in (0..).zip(search.pools.iter()) {
                    let index = class.len() as u32 / 2;
                    let built = heapwright_techniques::api::StructureRef { pool, index };
                    let made = vm.with_mark(|vm| prepared.caller.make(vm, &search.pools, built));
                    made.unwrap();
                }
                return found(request, &prepared, &search, &outcome).0;
            }
            Err(names) => initialized.extend(names),
        }
    }
}

impl Rounds<'_> {
    /// Searches; returns the end and the number of rounds.
    fn search(&mut self) -> Result<(SearchEnd, u32), Vec<String>> {
        let mut length = LengthLimit::of(self.request);
        let first = self.run(&[RoundSlice::Start])?;
        self.tally = first;
        let without = OutcomeTally {
            building: 0,
            ..first
        };
        let mut round = 1;
        loop {
            let slices = self.slices();
            let new: usize = self
                .classes
                .iter()
                .map(|class| class.known - class.old)
                .sum();
            if new == 0 {
                return Ok((SearchEnd::Complete, round));
            }
            if length.is_reached(round, new) {
                return Ok((SearchEnd::AtLength, round));
            }
            round += 1;
            self.tally += without;
            let counts = self.run(&slices)?;
            self.tally += counts;
        }
    }
}

/// The same without the bytes of forms, which have numbers of classes.
fn without_forms(mut found: Found) -> Found {
    for (_, compared, omitted, _) in &mut found.structures {
        compared.clear();
        omitted.clear();
    }
    found
}

#[test]
fn rounds_on_machines_that_share_nothing_find_what_one_search_finds() {
    let mut requests: Vec<ApiRequest> = SUBJECTS.iter().map(request).collect();
    // Findings of all kinds, the static fields of a class, one without an end.
    let mut bag = ApiRequest::up_to("api.Bag", 3);
    bag.checks = ChecksRequest {
        invariant: InvariantCheck::IfThereIsOne,
        contracts: true,
        properties: vec!["isSmall".to_owned()],
    };
    requests.push(bag);
    for (class, scope) in [("api.Shared", 3), ("api.Counter", 1), ("api.Reception", 2)] {
        requests.push(ApiRequest::up_to(class, scope));
    }
    for (seed, request) in (1..).zip(&requests) {
        let (expected, _) = search(request, 1, None);
        let expected = without_forms(expected);
        let known = Vec::new();
        let some: Vec<String> = request
            .classes
            .iter()
            .map(|name| name.replace('.', "/"))
            .collect();
        for names in [known, some] {
            let found = without_forms(in_rounds(request, &names, seed));
            assert_eq!(found, expected, "{:?}", request.classes);
        }
    }
}
