//! Program points in user notation, and the blocks that they denote.

use heapwright_jvm::Vm;

use super::reach::ReachGoal;
use super::rules::RuleProgram;

/// Program point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// Source line of a class.
    Line(String, u16),
    /// Bytecode index of a method, given by its class, if named, and its name.
    Offset(Option<String>, String, u16),
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Point::Line(class, line) => write!(f, "{class}:{line}"),
            Point::Offset(Some(class), method, at) => write!(f, "{class}.{method}@{at}"),
            Point::Offset(None, method, at) => write!(f, "{method}@{at}"),
        }
    }
}

impl Point {
    /// Parses `Class:line`, or `line` of the class under test; `method@offset` or
    /// `Class.method@offset`.
    ///
    /// # Errors
    /// The text has neither form.
    pub fn parse(text: &str, class: &str) -> Result<Point, String> {
        let wrong = || {
            format!("{text:?} is no point: write Class:line, method@offset or Class.method@offset")
        };
        if let Some((method, offset)) = text.rsplit_once('@') {
            let offset = offset.parse().map_err(|_| wrong())?;
            return Ok(match method.rsplit_once('.') {
                Some((class, method)) => {
                    Point::Offset(Some(class.to_owned()), method.to_owned(), offset)
                }
                None => Point::Offset(None, method.to_owned(), offset),
            });
        }
        let (class, line) = text.rsplit_once(':').unwrap_or((class, text));
        let line = line.parse().map_err(|_| wrong())?;
        Ok(Point::Line(class.to_owned(), line))
    }

    /// Blocks of the program's methods that the point denotes.
    ///
    /// # Errors
    /// There are none; the text lists alternatives.
    pub fn goals(
        &self,
        vm: &mut Vm,
        program: &RuleProgram,
        class: &str,
    ) -> Result<Vec<ReachGoal>, String> {
        match self {
            Point::Line(named, line) => {
                let named = full_name(named, class);
                line_goals(vm, program, &named, *line)
            }
            Point::Offset(named, method, at) => {
                let named = named
                    .as_deref()
                    .map_or_else(|| class.to_owned(), |name| full_name(name, class));
                offset_goals(vm, program, &named, method, *at)
            }
        }
    }
}

/// Completes a class name with the package of the class under test, if it has none.
fn full_name(named: &str, class: &str) -> String {
    match class.rsplit_once('.') {
        Some((package, _)) if !named.contains('.') => format!("{package}.{named}"),
        _ => named.to_owned(),
    }
}

fn line_goals(
    vm: &mut Vm,
    program: &RuleProgram,
    class: &str,
    line: u16,
) -> Result<Vec<ReachGoal>, String> {
    let mut goals = Vec::new();
    let mut lines: Vec<u16> = Vec::new();
    let mut has_class = false;
    for (method, flow) in program.flows.iter().enumerate() {
        if outermost(&vm.binary_name(vm.method(flow.method).class)) != outermost(class) {
            continue;
        }
        has_class = true;
        for (number, block) in flow.blocks.iter().enumerate() {
            let instructions = &flow.listing.instructions[block.instructions.clone()];
            lines.extend(instructions.iter().filter_map(|listed| listed.line));
            // If a line occurs in several places of a method, its first block is the point.
            let is_here = instructions.iter().any(|listed| listed.line == Some(line));
            let is_first = !goals
                .iter()
                .any(|goal: &ReachGoal| goal.place().0 == method);
            if is_here && is_first {
                goals.push(ReachGoal::Block(method, number));
            }
        }
    }
    if !goals.is_empty() {
        return Ok(goals);
    }
    if !has_class {
        return Err(not_reached(vm, program, class));
    }
    if lines.is_empty() {
        return Err(format!(
            "{class} was compiled without line numbers (javac -g): name points as method@offset"
        ));
    }
    lines.sort_unstable();
    lines.dedup();
    Err(format!(
        "line {line} of {class} has no code that the method can reach; the nearest lines with reachable code: {}",
        nearest(&lines, line)
    ))
}

fn offset_goals(
    vm: &mut Vm,
    program: &RuleProgram,
    class: &str,
    name: &str,
    at: u16,
) -> Result<Vec<ReachGoal>, String> {
    let mut offsets: Vec<u16> = Vec::new();
    let mut goals = Vec::new();
    for (method, flow) in program.flows.iter().enumerate() {
        let this = vm.method(flow.method);
        if vm.text(this.name) != name || vm.binary_name(this.class) != class {
            continue;
        }
        offsets.extend(flow.listing.instructions.iter().map(|listed| listed.at));
        let is_start = flow.listing.place(at).is_some();
        if let Some(block) = flow.block_at(at).filter(|_| is_start) {
            goals.push(ReachGoal::Block(method, block));
        }
    }
    if !goals.is_empty() {
        return Ok(goals);
    }
    if offsets.is_empty() {
        return Err(not_reached(vm, program, &format!("{class}.{name}")));
    }
    Err(format!(
        "no instruction of {class}.{name} that can be reached starts at {at}; the nearest ones: {}",
        nearest(&offsets, at)
    ))
}

/// Nearest numbers below and above a missing one, in an ascending list.
fn nearest(numbers: &[u16], wanted: u16) -> String {
    let past = numbers.partition_point(|&known| known < wanted);
    let before = past.checked_sub(1).map(|place| numbers[place]);
    let near = before.into_iter().chain(numbers.get(past).copied());
    let near: Vec<String> = near.map(|number| number.to_string()).collect();
    near.join(" and ")
}

/// Error text for a class or method that the method under test does not call.
fn not_reached(vm: &mut Vm, program: &RuleProgram, name: &str) -> String {
    let method = vm.method_text(program.flows[0].method);
    let class = name.replace('.', "/");
    let mut classes: Vec<String> = program
        .flows
        .iter()
        .map(|flow| vm.binary_name(vm.method(flow.method).class))
        .collect();
    classes.sort();
    classes.dedup();
    let exists = vm.load_class(&class).is_ok();
    let what = if exists {
        "is not reached from"
    } else {
        "is not among the callees of"
    };
    format!(
        "{name} {what} {method}, which reaches code of {}",
        classes.join(", ")
    )
}

fn outermost(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}
