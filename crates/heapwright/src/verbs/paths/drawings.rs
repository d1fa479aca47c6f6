//! Drawings of the control flow of methods.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use heapwright_jvm::Vm;
use heapwright_suite::flow::draw_flow;
use heapwright_techniques::paths::{PathSubject, PathsReport, flow_graph};

use crate::files::write_file;

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
