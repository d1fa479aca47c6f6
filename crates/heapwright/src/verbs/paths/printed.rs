//! Output that replaces a search: rules, trace abstractions, slices and modes.

use heapwright_techniques::paths::{
    Modes, PathCriterion, PathSubject, PathsRequest, ReachGoal, Refinement, Slice,
};

use super::args::PathsArgs;

/// Output that replaces a search, if it is requested.
pub(super) fn printed(
    arguments: &PathsArgs,
    request: &PathsRequest,
    subjects: &[PathSubject],
    goals: &[Vec<ReachGoal>],
) -> Option<String> {
    let each = |text: &dyn Fn(&PathSubject, &[ReachGoal]) -> String| {
        let texts = subjects.iter().zip(goals);
        let texts: Vec<String> = texts.map(|(subject, goals)| text(subject, goals)).collect();
        Some(texts.join("\n"))
    };
    if arguments.print_rules {
        each(&|subject, _| subject.program.rules_text())
    } else if arguments.print_trace_abstraction {
        each(&|subject, _| {
            let whole = PathsRequest {
                criterion: PathCriterion::AllPaths,
                ..request.clone()
            };
            let slice = subject.slice(&whole.criterion, &[]);
            let text = abstraction(arguments, subject, &slice);
            text + &count_text(arguments, &whole, subject)
        })
    } else if arguments.print_slice {
        each(&|subject, goals| match goals {
            [] => {
                let slice = subject.slice(&request.criterion, &[]);
                let text = abstraction(arguments, subject, &slice);
                text + &count_text(arguments, request, subject)
            }
            goals => {
                let texts = goals.iter().map(|&goal| {
                    let slice = subject.slice(&request.criterion, &[goal]);
                    format!(
                        "% towards {}\n{}",
                        subject.goal_text(goal),
                        abstraction(arguments, subject, &slice)
                    )
                });
                texts.collect()
            }
        })
    } else if arguments.print_modes {
        each(&|subject, _| Modes::new(&subject.program).text(&subject.program))
    } else {
        None
    }
}

/// Slice of the trace abstraction, on request with the variables that are static by their modes.
fn abstraction(arguments: &PathsArgs, subject: &PathSubject, slice: &Slice) -> String {
    let program = &subject.program;
    let modes = match arguments.refine.map(Refinement::from) {
        None | Some(Refinement::None) => None,
        Some(Refinement::Modes) => Some(Modes::new(program)),
        Some(Refinement::Full) => Some(Modes::all(program)),
    };
    program.abstraction_text(slice, modes.as_ref())
}

/// Maximum number of traces counted.
const MAX_TRACES: u64 = 100_000;

/// Number of traces, as a comment.
fn count_text(arguments: &PathsArgs, request: &PathsRequest, subject: &PathSubject) -> String {
    let refinement = arguments.refine.map_or(Refinement::None, Refinement::from);
    let (traces, has_more) = subject.count_traces(request, refinement, MAX_TRACES);
    let more = if has_more { "more than " } else { "" };
    format!(
        "% {more}{traces} traces with --loop-k {}\n",
        arguments.loop_k
    )
}
