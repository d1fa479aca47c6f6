//! Runs on a real JVM, observed block by block.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use heapwright_jvm::{MethodId, Vm};
use heapwright_techniques::paths::{BlockGraph, PathSubject};
use heapwright_techniques::symbolic::RunInput;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::junit::join;

use super::runs::{Ran, classes};
use crate::common::inputs::line;

/// Runs to be compared between the JVM and the engine.
#[derive(Default)]
pub struct Runs {
    /// Observed methods, each in the notation of `Trace.java`.
    methods: Vec<(MethodId, String)>,
    runs: Vec<Expected>,
}

struct Expected {
    /// Numbers of the methods involved.
    methods: Vec<usize>,
    line: String,
    outcome: String,
    /// Blocks that it enters: the number of the method, and the indices of the block's first and
    /// last instruction.
    blocks: Vec<(usize, Vec<u16>)>,
}

impl Runs {
    /// Adds a run of an input, unless a run with the same blocks exists. All runs are of one
    /// engine.
    pub fn add(&mut self, vm: &Vm, subject: &PathSubject, input: &RunInput, ran: &Ran) {
        let class = vm.binary_name(vm.method(subject.method()).class);
        let program = &subject.program;
        let numbers: Vec<usize> = program
            .flows
            .iter()
            .map(|flow| self.number(vm, flow))
            .collect();
        let blocks = ran
            .blocks
            .iter()
            .map(|&(method, block)| (numbers[method], ends(&program.flows[method], block)));
        let blocks: Vec<_> = blocks.collect();
        if self.runs.iter().any(|run| run.blocks == blocks) {
            return;
        }
        self.runs.push(Expected {
            methods: numbers,
            blocks,
            line: line(vm, &class, &subject.target, input),
            outcome: ran.outcome.clone(),
        });
    }

    fn number(&mut self, vm: &Vm, flow: &BlockGraph) -> usize {
        let known = self.methods.iter().position(|one| one.0 == flow.method);
        known.unwrap_or_else(|| {
            self.methods.push((flow.method, method_line(vm, flow)));
            self.methods.len() - 1
        })
    }

    /// Runs all on a JVM and returns the differences. A fault counts only if it occurs twice: on a
    /// busy machine, some of the debugger's events may be missing at the end.
    pub fn faults(&self) -> Vec<String> {
        let first = self.faults_of_a_run();
        if first.is_empty() {
            return first;
        }
        let second = self.faults_of_a_run();
        first
            .into_iter()
            .filter(|fault| second.contains(fault))
            .collect()
    }

    fn faults_of_a_run(&self) -> Vec<String> {
        let Some(printed) = self.trace() else {
            return vec!["the JVM failed".to_owned()];
        };
        if printed.lines().count() != self.runs.len() {
            return vec![format!("not {} runs: {printed}", self.runs.len())];
        }
        let runs = self.runs.iter().zip(printed.lines());
        runs.filter_map(|(run, line)| self.fault(run, line))
            .collect()
    }

    fn trace(&self) -> Option<String> {
        let java = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let trace = Fixture::new(&["-nowarn", "-Xlint:none"])
            .file(java.join("Trace.java"))
            .file(java.join("Replay.java"))
            .classes();
        let class_path = join(&[trace.clone(), classes().to_owned()]);
        let mut child = compilers()[0]
            .java()
            .arg("-cp")
            .arg(trace)
            .arg("Trace")
            .arg(class_path)
            .arg("paths.*")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a JVM");
        let mut text = String::new();
        for (_, method) in &self.methods {
            let _ = writeln!(text, "{method}");
        }
        for run in &self.runs {
            let _ = write!(text, "\n{}", run.line);
        }
        // The process reads all input before it writes anything.
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(text.as_bytes()).expect("a JVM that reads");
        drop(stdin);
        let output = child.wait_with_output().expect("its output");
        let text = String::from_utf8(output.stdout).expect("text");
        output.status.success().then_some(text)
    }

    fn fault(&self, run: &Expected, printed: &str) -> Option<String> {
        let mut words = printed.split(' ');
        let outcome = words.next().unwrap_or_default();
        let came = words.map(|word| {
            let (method, at) = word.split_once(':').expect("a method and an index");
            let method: usize = method.parse().expect("a number");
            (method, at.parse().expect("an index"))
        });
        let came: Vec<(usize, u16)> = came.filter(|one| run.methods.contains(&one.0)).collect();
        if outcome == run.outcome && follows(&run.blocks, &came) {
            return None;
        }
        Some(format!(
            "{}: {} by {:?} instead of {outcome} by {came:?}",
            run.line, run.outcome, run.blocks
        ))
    }
}

/// Whether instructions are the first and last ones of blocks, in sequence.
fn follows(blocks: &[(usize, Vec<u16>)], came: &[(usize, u16)]) -> bool {
    let ends = blocks
        .iter()
        .flat_map(|(method, ends)| ends.iter().map(|&at| (*method, at)));
    ends.eq(came.iter().copied())
}

/// Returns the bytecode indices of a block's first and last instruction, which may coincide.
fn ends(flow: &BlockGraph, block: usize) -> Vec<u16> {
    let instructions = &flow.listing.instructions[flow.blocks[block].instructions.clone()];
    let mut ends: Vec<u16> = instructions.iter().map(|listed| listed.at).collect();
    if ends.len() > 2 {
        ends.drain(1..ends.len() - 1);
    }
    ends
}

fn method_line(vm: &Vm, flow: &BlockGraph) -> String {
    let this = vm.method(flow.method);
    let class = vm.binary_name(this.class);
    let mut text = format!(
        "{class} {} {}",
        vm.text(this.name),
        vm.text(this.descriptor)
    );
    for at in (0..flow.blocks.len()).flat_map(|block| ends(flow, block)) {
        let _ = write!(text, " {at}");
    }
    text
}
