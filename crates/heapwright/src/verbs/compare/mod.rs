//! `heapwright compare`: compares an invariant with the structures that the API builds.

mod args;
mod summary;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use heapwright_explore::{ClassNumbers, End, Strategy};
use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_techniques::api::STEP_LIMIT;
use heapwright_techniques::compare::{
    self, ApiWitness, CompareRequest, Comparison, InvariantWitness, SetRelation,
};
use heapwright_techniques::invariant::BoundsRequest;

use crate::api::{ApiSearchJob, ApiSearchResult, StructureWriter, claim, request};
use crate::exit;
use crate::files::{Output, counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::progress::ProgressLines;
use crate::report::claim::Claim;
use crate::report::explain::explain;
use crate::report::structures::unanswered;
use crate::report::summary::{Body, Head};

use summary::{ApiWitnessSummary, BuiltStructure, DifferenceSummary, InvariantWitnessSummary};

pub use summary::CompareSummary;

pub use args::CompareArgs;

/// Compares the structures that the API builds with those that the invariant accepts.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &CompareArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let steps = arguments.max_steps.unwrap_or(STEP_LIMIT);
    let scope = arguments.scope;
    let jobs = arguments.common.jobs();
    let built = request(&arguments.api, &arguments.class, Some(scope), steps, None)?;
    let interrupt = arguments.common.watch(jobs)?;
    let job = ApiSearchJob::spilling(built, &arguments.common, &arguments.spill)?;
    let mut line = ProgressLines::new(false);
    let numbers = Arc::default();
    let mut done = job.run(&numbers, &interrupt, &mut line)?;
    if let Some(limit) = done.stopped_by {
        notice!(
            "the API builds more than was looked at: stopped by {limit}; what only the \
             invariant has may be built later"
        );
    }
    let asked = CompareRequest {
        invariant: arguments.invariant.clone(),
        bounds: bounds(arguments),
        scope,
        adjustments: arguments.adjustments.clone(),
        step_limit: arguments.max_steps.unwrap_or(100_000_000),
        witnesses: arguments.witnesses,
    };
    let side = compare::search_invariant(
        &mut done.vm,
        &mut done.prepared,
        &done.search.pools,
        &asked,
        &mut |explored| {
            line.update_count(explored.word().unwrap_or(u64::MAX), "candidate");
            match interrupt.reason() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        },
    );
    line.clear();
    let side = side.map_err(|error| explain(&done.vm, error))?;
    let mut stopped_by = done.stopped_by;
    if side.outcome.end != End::Complete {
        stopped_by = Some(interrupt.reason().unwrap_or("--max-steps"));
    }
    let mut larger: Option<ApiSearchResult> = None;
    for room in 1..=arguments.headroom {
        let built = (larger.as_ref()).map_or(Ok(0), |larger| artefacts(&side, larger))?;
        if side.only_count == built {
            break;
        }
        larger = Some(with_room(&job, room, &numbers, &interrupt, &mut line)?);
    }
    let comparison = side.compare(
        &mut done.vm,
        &mut done.prepared,
        &done.search.pools,
        larger.as_ref().map(|larger| &larger.search.pools),
        &asked,
    );
    let comparison = comparison.map_err(|error| explain(&done.vm, error))?;
    let mut claim = claim::claim(&done.prepared, &done.outcome, stopped_by, &done.vm.reads());
    if comparison.outside > 0 {
        let structures = counted(comparison.outside, "structure");
        claim = claim.with_gap(format!(
            "structures like {structures} that both have outside the bounds of the search from the invariant"
        ));
    }
    if let Some(leaves) = unanswered(Strategy::Lazy, comparison.outcome.progress.refused) {
        claim = claim.with_gap(format!("an answer on {leaves}"));
    }
    let is_whole = claim.exit_code().is_none();
    let mut report = ComparisonReport {
        writer: StructureWriter {
            vm: &mut done.vm,
            prepared: &mut done.prepared,
            search: &done.search,
        },
        arguments,
        comparison: &comparison,
        claim,
        seconds: start.elapsed().as_secs_f64(),
    };
    report.print()?;
    report.draw()?;
    Ok(match (comparison.verdict, is_whole) {
        (SetRelation::Equal, true) => ExitCode::SUCCESS,
        (SetRelation::Nothing, true) => exit::ExitCode::Nothing.into(),
        (SetRelation::Equal | SetRelation::Nothing, false) => exit::ExitCode::Partial.into(),
        _ => exit::ExitCode::Found.into(),
    })
}

/// Number of the invariant's own structures that the API builds in a larger scope.
fn artefacts(side: &compare::InvariantSide, larger: &ApiSearchResult) -> anyhow::Result<u64> {
    let class = larger.prepared.class.replace('.', "/");
    let pools = &larger.search.pools;
    let Some(pool) = pools.find(&class) else {
        return Ok(0);
    };
    let mut count = 0;
    for record in side.only.from(0) {
        let place = pools.place_of(pool, record.form.compared)?;
        count += u64::from(place.is_some());
    }
    Ok(count)
}

/// Builds structures with room for `room` more objects of each class.
fn with_room(
    job: &ApiSearchJob,
    room: u32,
    numbers: &Arc<ClassNumbers>,
    interrupt: &StopSignal,
    line: &mut ProgressLines,
) -> anyhow::Result<ApiSearchResult> {
    let mut request = job.request.clone();
    let limits = &mut request.limits;
    limits.objects = limits.objects.saturating_add(room);
    limits.array_length = limits.array_length.saturating_add(room);
    limits.array_objects = limits.array_objects.saturating_add(room);
    for most in limits.objects_of.values_mut() {
        *most = most.saturating_add(room);
    }
    let larger = ApiSearchJob {
        request,
        config: job.config.clone(),
        jobs: job.jobs,
        max_memory: job.max_memory,
        limit: job.limit,
        spill: job.spill.clone(),
    };
    larger.run(numbers, interrupt, line)
}

fn bounds(arguments: &CompareArgs) -> Option<BoundsRequest> {
    if arguments.finitization.is_none() && arguments.args.is_none() {
        return None;
    }
    let given = arguments.args.as_deref().filter(|given| !given.is_empty());
    Some(BoundsRequest::Finitization {
        name: arguments.finitization.clone(),
        arguments: given
            .map(|given| given.split(',').map(str::to_owned).collect())
            .unwrap_or_default(),
    })
}

struct ComparisonReport<'a> {
    writer: StructureWriter<'a>,
    arguments: &'a CompareArgs,
    comparison: &'a Comparison,
    claim: Claim,
    seconds: f64,
}

impl ComparisonReport<'_> {
    fn print(&mut self) -> anyhow::Result<()> {
        if self.arguments.common.output.json {
            return self.result()?.print("compare");
        }
        let comparison = self.comparison;
        let mut text = String::new();
        for witness in &comparison.api_witnesses {
            text.push_str(&self.api_text(witness)?);
        }
        for witness in &comparison.invariant_witnesses {
            text.push_str(&self.invariant_text(witness)?);
        }
        text.push_str(&self.line());
        text.push('\n');
        print(&text)
    }

    fn api_text(&mut self, witness: &ApiWitness) -> anyhow::Result<String> {
        let (_, calls) = self.writer.read(witness.built)?;
        let rejection = &witness.rejection;
        let why = match (&rejection.otherwise, rejection.places.split_first()) {
            (Some(otherwise), _) => format!("the invariant has no result: {otherwise}"),
            (None, Some((first, []))) => format!("the invariant rejects it at {first}"),
            (None, Some((first, callers))) => {
                format!(
                    "the invariant rejects it at {first}, called at {}",
                    callers[0]
                )
            }
            (None, None) => "the invariant rejects it".to_owned(),
        };
        Ok(format!(
            "only the API: {}\n    built by {calls}\n    {why}\n",
            witness.structure
        ))
    }

    fn invariant_text(&mut self, witness: &InvariantWitness) -> anyhow::Result<String> {
        let mut text = format!("only the invariant: {}\n", witness.structure);
        let Some(nearest) = witness.nearest else {
            text.push_str("    the API builds nothing\n");
            return Ok(text);
        };
        let (structure, calls) = self.writer.read(nearest)?;
        text.push_str(&format!(
            "    nearest the API builds: {structure}, by {calls}\n"
        ));
        for difference in &witness.differences {
            let class = difference.class.rsplit(['.', '$']).next().unwrap_or("");
            let place = match difference.field.as_str() {
                "" => format!("{class}@{}", difference.object),
                field if field.starts_with('[') => format!("{class}@{}{field}", difference.object),
                field => format!("{class}@{}.{field}", difference.object),
            };
            let read = match (&difference.read_at, difference.field.is_empty()) {
                (_, true) => String::new(),
                (Some(place), _) => format!("; the invariant reads it first at {place}"),
                (None, _) => "; the invariant never reads it".to_owned(),
            };
            text.push_str(&format!(
                "    {place} is {}, there {}{read}\n",
                difference.here, difference.there
            ));
        }
        Ok(text)
    }

    fn line(&self) -> String {
        let comparison = self.comparison;
        let class = &self.writer.prepared.class;
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        let says = match comparison.verdict {
            SetRelation::Equal => "equal",
            SetRelation::ApiInInvariant => {
                "the invariant accepts more: it is too weak, or the API is incomplete"
            }
            SetRelation::InvariantInApi => "the API builds more: the invariant is too strong",
            SetRelation::Neither => "each has structures that the other lacks",
            SetRelation::Nothing => "nothing to compare: neither has a structure within the bounds",
        };
        let artefacts = match comparison.scope_artefacts {
            0 => String::new(),
            count => format!(
                ", {} more that the API builds through larger structures (--headroom)",
                grouped(count)
            ),
        };
        let ended = &self.claim;
        format!(
            "{simple} (scope {}): {says}; {} structures from the API, {} from the invariant, {} in \
             both, {} only from the API, {} only from the invariant{artefacts}; {:.2} s; {ended}",
            self.arguments.scope,
            grouped(comparison.api),
            grouped(comparison.invariant),
            grouped(comparison.common),
            grouped(comparison.api_only),
            grouped(comparison.invariant_only),
            self.seconds,
        )
    }

    fn result(&mut self) -> anyhow::Result<Body<CompareSummary>> {
        let comparison = self.comparison;
        let mut api_witnesses = Vec::new();
        for witness in &comparison.api_witnesses {
            let (_, calls) = self.writer.read(witness.built)?;
            api_witnesses.push(ApiWitnessSummary {
                structure: witness.structure.to_string(),
                calls: calls.to_string(),
                rejected_at: witness.rejection.places.clone(),
                no_answer: witness.rejection.otherwise.clone(),
            });
        }
        let mut invariant_witnesses = Vec::new();
        for witness in &comparison.invariant_witnesses {
            let nearest = witness.nearest.map(|nearest| self.writer.read(nearest));
            let nearest = nearest
                .transpose()?
                .map(|(structure, calls)| BuiltStructure {
                    structure: structure.to_string(),
                    calls: calls.to_string(),
                });
            invariant_witnesses.push(InvariantWitnessSummary {
                structure: witness.structure.to_string(),
                nearest,
                differences: witness
                    .differences
                    .iter()
                    .map(DifferenceSummary::of)
                    .collect(),
            });
        }
        let own = CompareSummary {
            verdict: comparison.verdict.name(),
            api_structures: comparison.api,
            invariant_structures: comparison.invariant,
            common: comparison.common,
            outside_bounds: comparison.outside,
            api_only: comparison.api_only,
            invariant_only: comparison.invariant_only,
            scope_artefacts: comparison.scope_artefacts,
            api_witnesses,
            invariant_witnesses,
        };
        let explored = &comparison.outcome.progress.explored;
        let head = Head::new(&self.writer.prepared.class, &self.claim, self.seconds);
        Ok(head.explored(explored, "candidates").with(own))
    }

    /// Draws the witnesses; those of the invariant are beside the nearest structure that the API
    /// builds.
    fn draw(&mut self) -> anyhow::Result<()> {
        let Some(path) = self.arguments.output.as_deref() else {
            return Ok(());
        };
        let mut drawn = Vec::new();
        for witness in &self.comparison.api_witnesses {
            let (_, calls) = self.writer.read(witness.built)?;
            drawn.push((witness.structure.clone(), format!("only the API: {calls}")));
        }
        for witness in &self.comparison.invariant_witnesses {
            drawn.push((witness.structure.clone(), "only the invariant".to_owned()));
            if let Some(nearest) = witness.nearest {
                let (structure, calls) = self.writer.read(nearest)?;
                drawn.push((structure, format!("nearest: {calls}")));
            }
        }
        let drawings: Vec<Drawing<'_>> = drawn
            .iter()
            .map(|(structure, caption)| Drawing { structure, caption })
            .collect();
        let mut output = Output::open(Some(path))?;
        output.write_line(draw_sheet(&drawings).trim_end())?;
        output.finish()
    }
}
