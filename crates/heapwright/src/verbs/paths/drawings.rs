//! Drawings of the control flow of methods.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use heapwright_jvm::Vm;
use heapwright_report::{Class, Drawing, Run, RunPart};
use heapwright_suite::flow::draw_flow;
use heapwright_techniques::paths::{PathSubject, PathsReport, flow_graph};
use heapwright_techniques::target::find_class;

use crate::files::write_file;
use crate::report::output;

/// Adds the control flow of the methods to a report.
pub fn add_graphs(
    vm: &mut Vm,
    found: &[(usize, PathSubject, PathsReport)],
    class: &str,
    run: &mut Run,
) {
    for (_, subject, report) in found {
        let graph = flow_graph(vm, &subject.program, &report.cases);
        let covered = graph.blocks.iter().filter(|block| block.is_covered).count();
        run.graphs.push(Drawing {
            caption: subject.target.name.clone(),
            text: format!("{covered} of {} blocks are covered", graph.blocks.len()),
            svg: draw_flow(&graph),
        });
    }
    let mut part = RunPart::default();
    let source_file = find_class(vm, class).ok();
    let source_file = source_file.and_then(|class| output::source_file(vm, class));
    let file = output::file_of(&mut part, class, source_file.as_deref());
    part.classes.push(Class {
        name: class.to_owned(),
        file,
        methods: Vec::new(),
        goals: Vec::new(),
        mutants: Vec::new(),
        notes: Vec::new(),
    });
    run.add(part);
}

/// Draws the control flow of the methods with the parts that cases cover: one method into a file,
/// several into a folder.
///
/// # Errors
/// A file cannot be written.
pub fn write_drawings(
    vm: &Vm,
    found: &[(usize, PathSubject, PathsReport)],
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let drawing = |(_, subject, report): &(usize, PathSubject, PathsReport)| {
        draw_flow(&flow_graph(vm, &subject.program, &report.cases))
    };
    match (found, output) {
        ([one], None) => crate::files::print(&drawing(one)),
        ([one], Some(file)) => write_file(file, drawing(one).as_bytes()),
        (_, None) => bail!("--format svg draws a method: name one with -m, or a folder with -o"),
        (all, Some(folder)) => {
            let mut names: BTreeMap<String, u32> = BTreeMap::new();
            for one in all {
                let name = &one.1.program.predicates[one.1.program.starts[0]].name;
                let times = names.entry(name.clone()).or_default();
                *times += 1;
                let file = match times {
                    1 => format!("{name}.svg"),
                    times => format!("{name}-{times}.svg"),
                };
                write_file(&folder.join(file), drawing(one).as_bytes())?;
            }
            Ok(())
        }
    }
}
