//! `heapwright korat`: Korat 1.0's command line and output, line by line.

mod args;
mod config;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use heapwright_explore::{Count, KoratSearch, Leaf, Search, StateSpace, Strategy};
use heapwright_jvm::{Place, Ref, Vm};
use heapwright_techniques::invariant::{
    BoundsRequest, CriterionRequest, Enumeration, StructuresRequest,
};
use heapwright_techniques::shown;

pub use args::KoratArgs;

use crate::exit;
use crate::files::Output;
use crate::interrupt::StopSignal;
use crate::progress::ProgressLines;
use crate::report::explain::explain;
use crate::report::structures;

/// Searches as Korat does and prints the same output.
///
/// # Errors
/// The request is wrong or standard output cannot be written to.
pub fn run(arguments: &KoratArgs) -> anyhow::Result<ExitCode> {
    // Words after the name of the verb are this verb's options.
    let given = std::env::args_os().skip(2);
    let with_file = match &arguments.config {
        Some(file) => Some(config::with_file(file, given)?),
        None => None,
    };
    let arguments = with_file.as_ref().unwrap_or(arguments);
    let class = arguments
        .class
        .as_deref()
        .context("no class is given: name it with --class")?;
    for note in arguments.other.notes()? {
        notice!("{note}");
    }
    let values: Vec<String> = match arguments.args.as_deref() {
        None | Some("") => Vec::new(),
        Some(list) => list.split(',').map(str::to_owned).collect(),
    };
    let config = arguments.class_path.exploring()?;
    let mut vm = Vm::new(config)?;
    let mut output = Output::open(None)?;
    output.write_line(&format!(
        "\nStart of Korat Execution for {} ({}, [{}])\n",
        class,
        arguments.predicate,
        values.join(", ")
    ))?;
    output.flush()?;
    let start = Instant::now();
    let request = StructuresRequest {
        class: class.to_owned(),
        invariant: Some(arguments.predicate.clone()),
        bounds: BoundsRequest::Finitization {
            name: arguments.finitization.clone(),
            arguments: values,
        },
        criterion: (arguments.eq_class_pruning || arguments.eq_class_info).then(|| {
            CriterionRequest {
                method: arguments.eq_class.clone(),
                prunes: arguments.eq_class_pruning,
            }
        }),
        step_limit: arguments.max_steps,
    };
    let enumeration = match Enumeration::prepare(&mut vm, &request) {
        Ok(enumeration) => enumeration,
        Err(error) => return Err(explain(&vm, error)),
    };
    if arguments.print_vectors {
        print_space(
            &mut vm,
            &enumeration.space,
            arguments.max_steps,
            &mut output,
        )?;
    }
    let printed = search(&mut vm, &enumeration, arguments, &mut output)?;
    output.write_line(&format!(
        "Total explored:{}\nNew found:{}",
        printed.explored, printed.valid
    ))?;
    if let Some(classes) = &printed.classes {
        let names: String = classes.iter().map(|name| format!("{name} ")).collect();
        output.write_line(&format!("Classes covered: {}\n{names}--", classes.len()))?;
    }
    let seconds = start.elapsed().as_millis() as f64 / 1000.0;
    // Debug formatting prints whole seconds as Java does: 2.0, not 2.
    output.write_line(&format!(
        "\nEnd of Korat Execution\nOverall time: {seconds:?} s."
    ))?;
    output.finish()?;
    if let Some(limit) = printed.stopped_by {
        notice!("stopped by {limit}");
    }
    Ok(match printed.stopped_by.is_some() || printed.refused {
        true => exit::ExitCode::Partial.into(),
        false => ExitCode::SUCCESS,
    })
}

/// Counts between the first and the last requested candidate.
#[derive(Default)]
struct Printed {
    explored: Count,
    valid: Count,
    /// Names of the equivalence classes covered, if there is a criterion.
    classes: Option<Vec<String>>,
    refused: bool,
    stopped_by: Option<&'static str>,
}

fn search(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &KoratArgs,
    output: &mut Output,
) -> anyhow::Result<Printed> {
    let first = u64::try_from(arguments.start).unwrap_or(0);
    // As in Korat, an end before the start is never reached.
    let end = u64::try_from(arguments.end).ok();
    let end = end.filter(|&end| end > first).unwrap_or(u64::MAX);
    let most = u64::try_from(arguments.max_structs).ok();
    let most = most.filter(|&most| most > 0);
    let prints = arguments.print || arguments.print_vectors || arguments.progress > 0;
    let interrupt = StopSignal::watch(arguments.time_limit, &arguments.class_path, 1)?;
    let mut line = ProgressLines::new(prints);
    let mut printed = Printed::default();
    let mut failure = None;
    let mut number = 0;
    // Indices of the equivalence classes covered between the first candidate and the last.
    let mut classes: Vec<usize> = Vec::new();
    let mut ask = |search: &dyn Search| {
        line.update(search.progress(), search.share_seen());
        match interrupt.reason() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let is_part = first > 0 || end < u64::MAX || most.is_some();
    let counts_only = !prints && !is_part;
    let outcome = if counts_only {
        enumeration.count(vm, Strategy::Korat, |search| ask(search))
    } else {
        enumeration.search_korat(
            vm,
            |search| ask(search),
            |vm, leaf, search| {
                if number == end {
                    return ControlFlow::Break(());
                }
                number += 1;
                if number <= first {
                    return ControlFlow::Continue(());
                }
                printed.explored += u64::from(!matches!(leaf, Leaf::Refused(_)));
                printed.valid += u64::from(*leaf == Leaf::Valid);
                if let Some(class) = search.class()
                    && !classes.contains(&class.number)
                {
                    classes.push(class.number);
                }
                let text = candidate_text(vm, leaf, search, arguments, &printed);
                if !text.is_empty()
                    && let Err(error) = output.write_line(&text)
                {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                if *leaf == Leaf::Valid && most.is_some_and(|most| printed.valid == most) {
                    printed.stopped_by = Some("--maxStructs");
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        )
    };
    line.clear();
    if let Some(error) = failure {
        return Err(error);
    }
    let outcome = outcome.map_err(|error| explain(vm, error))?;
    structures::warn(vm, enumeration, &outcome, Strategy::Korat);
    printed.refused = outcome.refused.is_some() || structures::has_unanswered(&outcome);
    if counts_only {
        printed.explored = outcome.progress.explored.clone();
        printed.valid = outcome.progress.valid.clone();
    }
    printed.classes = outcome.coverage.map(|coverage| {
        let names: Vec<String> = coverage.classes.into_iter().map(|name| name.text).collect();
        if counts_only {
            return names;
        }
        classes
            .iter()
            .map(|&number| names[number].clone())
            .collect()
    });
    if printed.stopped_by.is_none() && number < end {
        printed.stopped_by = structures::stopped_by(outcome.end, &interrupt);
    }
    Ok(printed)
}

/// Output for a candidate: its vector or the counts, and the structure if it is one.
fn candidate_text(
    vm: &mut Vm,
    leaf: &Leaf,
    search: &KoratSearch<'_>,
    arguments: &KoratArgs,
    printed: &Printed,
) -> String {
    let is_valid = *leaf == Leaf::Valid;
    let mut lines = Vec::new();
    let every = u64::try_from(arguments.progress).unwrap_or(0);
    if every > 0
        && printed
            .explored
            .word()
            .is_some_and(|word| word.is_multiple_of(every))
    {
        lines.push(format!(
            "Total explored:{}\nNew found:{}\n{}\n",
            printed.explored,
            printed.valid,
            vector_text(search)
        ));
    } else if arguments.print_vectors {
        let mark = if is_valid { "***" } else { "" };
        lines.push(vector_text(search) + mark);
    }
    if arguments.print && is_valid {
        let space = search.space();
        let texts = shown::texts_of(vm, space, &[space.root], arguments.max_steps);
        lines.extend(texts.into_iter().map(or_reason));
    }
    lines.join("\n")
}

/// Vector of a candidate, `0 1 0 0  :: 0 1 `: the index of each entry's value, then the entries
/// read, in order.
fn vector_text(search: &KoratSearch<'_>) -> String {
    let spaced = |number: u32| format!("{number} ");
    let vector: String = search.vector().into_iter().map(spaced).collect();
    let accessed: String = search.accessed().map(spaced).collect();
    format!("{vector} :: {accessed}")
}

/// Text of an object, or in angle brackets the reason why it has none.
fn or_reason(text: Result<String, String>) -> String {
    text.unwrap_or_else(|reason| {
        let first = reason.lines().next().unwrap_or_default();
        format!("<toString: {first}>")
    })
}

/// Prints the state space, a line per entry: `[2]Node.left -> class Node:3`.
fn print_space(
    vm: &mut Vm,
    space: &StateSpace,
    max_steps: u64,
    output: &mut Output,
) -> anyhow::Result<()> {
    let mut objects: Vec<Ref> = space.entries.iter().map(|entry| entry.object).collect();
    objects.dedup();
    let texts = shown::texts_of(vm, space, &objects, max_steps);
    let mut shown = objects.iter().zip(texts.into_iter().map(or_reason));
    let mut current = (Ref::NULL, String::new());
    for (number, entry) in space.entries.iter().enumerate() {
        if entry.object != current.0
            && let Some((&object, text)) = shown.next()
        {
            current = (object, text);
        }
        let (name, range) = place_text(vm, entry.object, entry.place);
        let size = space.domains[entry.domain as usize].choices.len();
        output.write_line(&format!("[{number}]{}.{name} -> {range}:{size}", current.1))?;
    }
    output.write_line("")
}

/// Name of a place and type of its values, as `Class.toString` formats it.
fn place_text(vm: &Vm, object: Ref, place: Place) -> (String, String) {
    let class = vm.heap.class_of(object);
    match place {
        Place::Length => ("length".to_owned(), "int".to_owned()),
        Place::Element(index) => {
            let elements = &vm.binary_name(class)[1..];
            (index.to_string(), type_text(vm, elements))
        }
        Place::Field(word) => {
            let field = vm
                .class(class)
                .display
                .iter()
                .flat_map(|&above| &vm.class(above).fields)
                .find(|field| !field.is_static() && field.word == word);
            field.map_or_else(
                || (word.to_string(), "?".to_owned()),
                |field| {
                    (
                        vm.text(field.name).to_owned(),
                        type_text(vm, vm.text(field.descriptor)),
                    )
                },
            )
        }
    }
}

/// Type as `Class.toString` formats it: `int`, `class a.B`, `interface a.C`, `class [I`.
fn type_text(vm: &Vm, descriptor: &str) -> String {
    use heapwright_jvm::descriptor::{Kind, class_name};
    match Kind::of(&descriptor.replace('.', "/")) {
        Kind::Reference => {
            let internal = class_name(descriptor).replace('.', "/");
            let is_interface = vm
                .loaded_class(&internal)
                .is_some_and(|class| vm.class(class).is_interface());
            let sort = if is_interface { "interface" } else { "class" };
            format!("{sort} {}", internal.replace('/', "."))
        }
        kind => kind.keyword().to_owned(),
    }
}
