//! Replacement of field-setting inputs by calls: structures that an invariant accepts and a search
//! from the API builds, too.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use heapwright_explore::Omits;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Config, Ref, Vm};
use heapwright_suite::{Call, Case, Literal, Value};
use heapwright_techniques::Error;
use heapwright_techniques::api::{
    ApiSearch, ChecksRequest, Machines, Prepared, STEP_LIMIT, SearchEnd, Sequence, StructureRef,
    omits, shape,
};
use heapwright_techniques::invariant::{Enumeration, StructuresRequest};
use heapwright_techniques::observe::{ObservedCalls, Observer};
use heapwright_techniques::read::StructureReader;
use schemars::JsonSchema;
use serde::Serialize;

use super::request;
use crate::files::grouped;
use crate::interrupt::StopSignal;
use crate::options::ApiArgs;
use crate::report::explain::explain;

/// Maximum number of sequences tried: some seconds.
const MAX_SEQUENCES: u64 = 2_000_000;
/// Reason in messages when this maximum ends the search.
const MOST: &str = "the number of sequences";

/// Parameters of the search for calls.
pub struct SubstitutionRequest<'a> {
    /// Options of the API.
    pub api: &'a ApiArgs,
    /// Classes, the class under test first.
    pub classes: &'a [String],
    /// Maximum number of objects of a class, if given.
    pub scope: Option<u32>,
    /// Maximum number of instructions of a call, if given.
    pub max_steps: Option<u64>,
    /// Calls to observe on an input again where omitted fields differ; without them, such inputs are
    /// not replaced.
    pub observed: Option<ObservedCalls<'a>>,
}

/// Structures that calls build, with a count of the inputs among them.
pub struct CallSubstitution {
    vm: Vm,
    prepared: Prepared,
    search: ApiSearch,
    reader: StructureReader,
    /// Observer that repeats calls where omitted fields differ; without one, such inputs are not
    /// replaced.
    observer: Option<Observer>,
    omits: Omits,
    built_by_shape: BTreeMap<String, StructureRef>,
    inputs: SubstitutionCounts,
}

/// Counts of inputs by their construction.
#[derive(Clone, Debug, Default)]
pub struct SubstitutionCounts {
    /// Number of all inputs.
    pub all: u64,
    /// Inputs built by calls.
    pub by_calls: u64,
    /// Sequences tried.
    pub explored: u64,
    /// Limit that ended the search for calls early.
    pub stopped_by: Option<&'static str>,
}

impl CallSubstitution {
    /// Searches from the API with as many objects and the same integers as the bounds of
    /// `searched`. Returns none, with a notice, if calls cannot create an instance of the class. An
    /// interruption ends the search; inputs not found by then are built by setting fields.
    ///
    /// # Errors
    /// The request is wrong.
    pub fn find(
        wanted: &SubstitutionRequest<'_>,
        config: Config,
        searched: &StructuresRequest,
        interrupt: &StopSignal,
    ) -> anyhow::Result<Option<CallSubstitution>> {
        let mut vm = Vm::new(config)?;
        let enumeration = Enumeration::prepare(&mut vm, searched);
        let enumeration = enumeration.map_err(|error| explain(&vm, error))?;
        let bounds = &enumeration.bounds;
        let most = bounds.classes.iter().map(|class| class.count).max();
        let scope = wanted.scope.or(most);
        let steps = wanted.max_steps.unwrap_or(STEP_LIMIT);
        let mut request = request(wanted.api, wanted.classes, scope, steps, None)?;
        request.checks = ChecksRequest::default();
        let ints = bounds.values_of(Kind::Int);
        if wanted.api.int_range.is_none() && !ints.is_empty() {
            request.values.ints = ints.into_iter().map(|slot| slot as u32 as i32).collect();
        }
        let prepared = Prepared::new(&mut vm, &request, &Arc::default());
        let mut prepared = match prepared {
            Ok(prepared) => prepared,
            Err(error @ Error::BadClass { .. }) => {
                notice!("no input is made by calls: {error}");
                return Ok(None);
            }
            Err(error) => return Err(explain(&vm, error)),
        };
        prepared.caller.stop = Some(interrupt.stop());
        let mut search = ApiSearch::new(&request);
        let mut stopped_by = None;
        let outcome = search.run(&mut vm, &mut prepared, Machines::one(), &mut |progress| {
            let is_long = progress.tally.explored > MAX_SEQUENCES;
            stopped_by = interrupt.reason().or(is_long.then_some(MOST));
            match stopped_by {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        if outcome.ended == SearchEnd::Interrupted {
            stopped_by = stopped_by.or(interrupt.reason());
        }
        let class = prepared.caller.classes[0];
        let observer = wanted.observed.map(|calls| {
            let stop = interrupt.over();
            let observer = Observer::of_calls(&mut vm, &enumeration, calls, steps, stop);
            observer.map_err(|error| explain(&vm, error))
        });
        let observer = observer.transpose()?;
        let mut preferred = CallSubstitution {
            observer,
            reader: StructureReader::new(&vm, class),
            omits: omits(&request.omitted_fields).map_err(|error| explain(&vm, error))?,
            vm,
            prepared,
            search,
            built_by_shape: BTreeMap::new(),
            inputs: SubstitutionCounts {
                explored: outcome.progress.tally.explored,
                stopped_by: stopped_by.or(match outcome.ended {
                    SearchEnd::Complete | SearchEnd::Interrupted => None,
                    SearchEnd::AtLength => Some("--max-length"),
                    SearchEnd::HeapFull | SearchEnd::Disk => Some("--max-memory"),
                }),
                ..SubstitutionCounts::default()
            },
        };
        preferred.record_shapes(interrupt)?;
        Ok(Some(preferred))
    }

    /// Records the shapes of all structures, until an interruption.
    fn record_shapes(&mut self, interrupt: &StopSignal) -> anyhow::Result<()> {
        let class = self.prepared.class.replace('.', "/");
        let Some(pool) = self.search.pools.find(&class) else {
            return Ok(());
        };
        let pool = pool as u32;
        for index in 0..self.search.pools.get(pool).len() as u32 {
            if let Some(reason) = interrupt.reason() {
                self.inputs.stopped_by = Some(reason);
                break;
            }
            let built = StructureRef { pool, index };
            let shape = self.with_structure(built, |this, root| {
                let structure = this.reader.read(&mut this.vm, root).structure;
                shape(&structure, &this.omits)
            })?;
            self.built_by_shape.entry(shape).or_insert(built);
        }
        Ok(())
    }

    /// Runs an action on a structure and goes back afterwards.
    fn with_structure<T>(
        &mut self,
        built: StructureRef,
        act: impl FnOnce(&mut Self, Ref) -> T,
    ) -> anyhow::Result<T> {
        let mark = self.vm.mark();
        let root = self
            .prepared
            .caller
            .make(&mut self.vm, &self.search.pools, built);
        let done = root.map(|root| act(self, root));
        self.vm.undo_to(mark);
        self.vm.forget(mark);
        self.vm.limit_steps(u64::MAX);
        done.map_err(|broken| anyhow!("{broken}"))
            .context("failed to search for calls: raise --max-memory")
    }

    /// Replaces inputs of cases by calls that build them, where there are some. Calls that refer to
    /// parts of an input remain in a case of their own whose input is built by setting fields.
    ///
    /// # Errors
    /// No memory is left.
    pub fn rewrite(&mut self, cases: Vec<Case>) -> anyhow::Result<Vec<Case>> {
        let mut rewritten = Vec::new();
        for case in cases {
            rewritten.extend(self.rewrite_one(case)?);
        }
        Ok(rewritten)
    }

    fn rewrite_one(&mut self, case: Case) -> anyhow::Result<Vec<Case>> {
        self.inputs.all += 1;
        let Some(&built) = self.built_by_shape.get(&shape(&case.input, &self.omits)) else {
            return Ok(vec![case]);
        };
        let everything: Omits = Arc::new(|_, _| false);
        let wanted = shape(&case.input, &everything);
        let (input, calls) = self.with_structure(built, |this, root| {
            let snapshot = this.reader.read(&mut this.vm, root);
            // Observations hold only for equal omitted fields; otherwise calls are observed again.
            let calls = match (
                shape(&snapshot.structure, &everything) == wanted,
                &mut this.observer,
            ) {
                (true, _) => Some(case.calls.clone()),
                (false, Some(observer)) => {
                    let (vm, reader) = (&mut this.vm, &mut this.reader);
                    Some(observer.observe(vm, reader, root, &snapshot))
                }
                (false, None) => None,
            };
            (snapshot.structure, calls)
        })?;
        // An input of several structures has objects that the calls do not create.
        let is_whole = input.objects.len() == case.input.objects.len();
        let Some(calls) = calls.filter(|_| is_whole) else {
            return Ok(vec![case]);
        };
        self.inputs.by_calls += 1;
        let (with_parts, calls): (Vec<Call>, Vec<Call>) =
            calls.into_iter().partition(mentions_parts);
        let operations = &self.prepared.caller.operations;
        let sequence = Sequence::of(&self.search.pools, operations, built)?;
        let (vm, reader) = (&mut self.vm, &mut self.reader);
        let construction = Some(self.prepared.written(vm, reader, &sequence));
        let mut cases = Vec::new();
        if !calls.is_empty() || with_parts.is_empty() {
            cases.push(Case {
                input: input.clone(),
                construction,
                calls,
            });
        }
        if !with_parts.is_empty() {
            cases.push(Case {
                input,
                construction: None,
                calls: with_parts,
            });
        }
        Ok(cases)
    }

    /// Counts of inputs by their construction.
    #[must_use]
    pub fn inputs(&self) -> &SubstitutionCounts {
        &self.inputs
    }
}

/// How inputs of tests are made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InputsSummary {
    /// Inputs in all.
    inputs: u64,
    /// Inputs made by calls; fields are set for the rest.
    by_calls: u64,
    /// Sequences of calls that were tried.
    explored: u64,
    /// Option that ended the search for calls before its end; null if none did.
    stopped_by: Option<&'static str>,
}

impl SubstitutionCounts {
    /// Describes how many inputs are built by calls.
    #[must_use]
    pub fn summary(&self) -> String {
        let all = match self.stopped_by {
            None => String::new(),
            Some(MOST | "--max-length") => format!(
                ", of those that up to {} sequences build",
                grouped(self.explored)
            ),
            Some(limit) => format!(
                ", the others by setting fields: the search for calls was stopped by {limit} after {} \
                 sequences",
                grouped(self.explored)
            ),
        };
        format!(
            "{} of {} inputs are made by calls{all}",
            grouped(self.by_calls),
            grouped(self.all)
        )
    }

    /// The same counts for programs.
    #[must_use]
    pub fn to_summary(&self) -> InputsSummary {
        InputsSummary {
            inputs: self.all,
            by_calls: self.by_calls,
            explored: self.explored,
            stopped_by: self.stopped_by,
        }
    }
}

/// Whether a call takes or returns an object of the structure other than its root.
fn mentions_parts(call: &Call) -> bool {
    call.mentions(&|literal| matches!(literal, Literal::Value(Value::Ref(1..))))
}
