//! Translation of the options of `heapwright paths` to a request.

use anyhow::{bail, ensure};
use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::{ClassId, Vm};
use heapwright_techniques::paths::{
    Depths, PathCriterion, PathStrategy, PathsRequest, Point, Refinement, TraceTerm,
};
use heapwright_techniques::symbolic;

use super::args::{CaseFormat, PathCriterionName, PathsArgs};
use super::results::asked_bounds;
use crate::files::prefix::Fingerprint;
use crate::options::limits;

/// Creates the request of the options.
///
/// # Errors
/// Options contradict each other, or one cannot be parsed.
pub(super) fn request(arguments: &PathsArgs) -> anyhow::Result<PathsRequest> {
    let criterion = match (&arguments.trace, arguments.criterion) {
        (Some(trace), _) => match TraceTerm::parse(trace) {
            Ok(term) => PathCriterion::Trace(term, arguments.first),
            Err(wrong) => bail!("--trace: {wrong}"),
        },
        (None, Some(PathCriterionName::AllPaths)) => PathCriterion::AllPaths,
        (None, Some(PathCriterionName::AllBranches)) => PathCriterion::AllBranches,
        (None, Some(PathCriterionName::AllStatements)) => PathCriterion::AllStatements,
        (None, Some(PathCriterionName::ProgramPoints)) => {
            PathCriterion::ProgramPoints(points(arguments)?)
        }
        (None, None) if !arguments.points.is_empty() => {
            PathCriterion::ProgramPoints(points(arguments)?)
        }
        (None, Some(PathCriterionName::AllLocalPaths) | None) => PathCriterion::AllLocalPaths,
    };
    ensure!(
        arguments.points.is_empty() || matches!(criterion, PathCriterion::ProgramPoints(_)),
        "--point requires --criterion program-points"
    );
    Ok(PathsRequest {
        symbolic: symbolic::SymbolicRequest {
            class: arguments.class.clone(),
            methods: arguments.methods.clone(),
            bounds: InputBounds {
                // A loop's test runs once more than its body.
                loops: arguments.loop_k.saturating_sub(1),
                ..arguments.inputs.bounds(arguments.scope)
            },
            limits: limits(arguments.inputs.solver_work),
            step_limit: arguments.inputs.max_steps(),
            scripts: arguments.format == CaseFormat::Smt2,
            merges: false,
        },
        precondition: arguments.precondition.clone(),
        criterion,
        depths: Depths {
            loops: arguments.loop_k,
            frames: arguments.max_depth.unwrap_or(u32::MAX),
        },
        strategy: match arguments.unguided {
            true => PathStrategy::Standard,
            false => arguments.strategy.into(),
        },
        refinement: arguments
            .refine
            .map_or_else(Refinement::default, Refinement::from),
        is_independent: arguments.shard.is_some() || arguments.job.job.is_some(),
    })
}

/// Identity of a request, for shards: everything that the results depend on.
pub(super) fn fingerprint(
    arguments: &PathsArgs,
    request: &PathsRequest,
    vm: &Vm,
    class: ClassId,
    inputs: Vec<ClassId>,
) -> Fingerprint {
    let symbolic = &request.symbolic;
    let judged = &arguments.judged;
    let paths = (
        (&symbolic.methods, &request.precondition, &request.criterion),
        (request.strategy, request.refinement, arguments.format),
        (&judged.expected, judged.leaves_contracts()),
    );
    let limits = (&symbolic.bounds, symbolic.limits, symbolic.step_limit);
    let bounds = (limits, request.depths, asked_bounds(arguments));
    let texts = (format!("{paths:?}"), format!("{bounds:?}"));
    Fingerprint::of_paths(vm, class, inputs, ("paths", &texts.0), &texts.1)
}

fn points(arguments: &PathsArgs) -> anyhow::Result<Vec<Point>> {
    ensure!(
        !arguments.points.is_empty(),
        "--criterion program-points needs points: name them with --point"
    );
    let points = arguments.points.iter();
    let points = points.map(|text| Point::parse(text, &arguments.class));
    points
        .collect::<Result<_, String>>()
        .map_err(|wrong| anyhow::anyhow!("--point: {wrong}"))
}
