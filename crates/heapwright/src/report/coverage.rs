//! Coverage in reports.

use heapwright_report::{Class, Line, Method, RunPart, Share};
use heapwright_techniques::measure::{self, CoveredClass, CoveredMethod};

use super::output::file_of;

/// Class of a report with its coverage. `test_of` gives the index of a test in the report.
pub fn class(
    part: &mut RunPart,
    covered: &CoveredClass,
    test_of: &dyn Fn(usize) -> Option<usize>,
) -> Class {
    let methods = covered.methods.iter();
    Class {
        name: covered.name.clone(),
        file: file_of(part, &covered.name, covered.source_file.as_deref()),
        methods: methods.map(|method| method_of(method, test_of)).collect(),
        goals: Vec::new(),
        mutants: Vec::new(),
        notes: Vec::new(),
    }
}

fn method_of(method: &CoveredMethod, test_of: &dyn Fn(usize) -> Option<usize>) -> Method {
    let lines = method.lines.iter().map(|line| Line {
        number: line.number.into(),
        instructions: share(line.instructions),
        branches: share(line.branches),
        tests: line
            .tests
            .iter()
            .filter_map(|&test| test_of(test))
            .collect(),
    });
    Method {
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        text: method.text.clone(),
        instructions: share(method.counters.instructions),
        branches: share(method.counters.branches),
        complexity: share(method.counters.complexity),
        lines: lines.collect(),
    }
}

fn share(share: measure::Share) -> Share {
    Share {
        covered: share.covered,
        total: share.total,
    }
}
