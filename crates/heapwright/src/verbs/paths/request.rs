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

#[cfg(test)]
mod tests {
    use clap::Parser;
    use expect_test::expect;

    use super::*;
    use crate::cli::{Cli, Verb};

    fn requested(options: &str) -> PathsRequest {
        let words = format!("heapwright paths -c p.C {options}");
        let cli = Cli::try_parse_from(words.split_whitespace()).unwrap();
        match cli.verb {
            Verb::Paths(arguments) => request(&arguments).unwrap(),
            _ => panic!("another verb"),
        }
    }

    #[test]
    fn options_choose_criterion_strategy_and_refinement() {
        let mut said = String::new();
        for options in [
            "",
            "--criterion all-paths --strategy guided",
            "--criterion all-local-paths --strategy together",
            "--criterion all-branches --strategy standard --refine none",
            "--criterion all-statements --unguided --refine modes",
            "--point 15 --point q.D:3 --refine full",
            "--trace m(1,[_])",
            "--trace _ --first",
        ] {
            let asked = requested(options);
            let strategy = (asked.strategy, asked.refinement);
            said += &format!("{options}: {:?} {strategy:?}\n", asked.criterion);
        }
        expect![[r#"
            : AllLocalPaths (Auto, Modes)
            --criterion all-paths --strategy guided: AllPaths (Guided, Modes)
            --criterion all-local-paths --strategy together: AllLocalPaths (Together, Modes)
            --criterion all-branches --strategy standard --refine none: AllBranches (Standard, None)
            --criterion all-statements --unguided --refine modes: AllStatements (Standard, Modes)
            --point 15 --point q.D:3 --refine full: ProgramPoints([Line("p.C", 15), Line("q.D", 3)]) (Auto, Full)
            --trace m(1,[_]): Trace(Rule("m", 1, [Free]), false) (Auto, Modes)
            --trace _ --first: Trace(Free, true) (Auto, Modes)
        "#]].assert_eq(&said);
    }

    #[test]
    fn options_set_bounds() {
        let plain = requested("");
        let bounds = &plain.symbolic.bounds;
        assert_eq!((plain.depths.loops, bounds.loops), (2, 1));
        assert_eq!(
            (bounds.objects, bounds.length, bounds.unbounded),
            (3, 3, false)
        );
        assert_eq!(plain.depths.frames, u32::MAX);
        assert_eq!((plain.precondition, plain.symbolic.scripts), (None, false));
        assert!(plain.symbolic.methods.is_empty() && !plain.is_independent);

        let options = "--loop-k 5 --max-depth 7 --scope 4 --integers unbounded --format smt2";
        let asked = requested(&format!("{options} -m a -m b(int) --precondition"));
        let bounds = &asked.symbolic.bounds;
        assert_eq!((asked.depths.loops, bounds.loops), (5, 4));
        assert_eq!(
            (bounds.objects, bounds.length, bounds.unbounded),
            (4, 4, true)
        );
        assert_eq!(asked.depths.frames, 7);
        assert_eq!(
            (asked.precondition, asked.symbolic.scripts),
            (Some(None), true)
        );
        assert_eq!(asked.symbolic.methods, ["a", "b(int)"]);
        let named = requested("--precondition repOk --shard 1/2 -o x");
        assert_eq!(named.precondition, Some(Some("repOk".to_owned())));
        assert!(named.is_independent);
    }
}
