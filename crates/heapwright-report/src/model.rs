//! Data of a run: classes with their coverage and mutants, tests, and failing behaviours.
//!
//! Tests and source files are referred to by their index in the run. Lines are numbered from 1.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a report says where figures are lower bounds.
pub(crate) const LOWER_BOUND: &str =
    "Coverage and noticed mutants are lower bounds: not all tests were run to their end.";

/// A run of a verb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Verb that was called.
    pub verb: String,
    /// Version of the program.
    pub version: String,
    /// Start of the run, in seconds since 1970-01-01 UTC.
    pub started: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// How the run ended.
    pub ending: Ending,
    /// Parts that the results leave out, a text each.
    pub without: Vec<String>,
    /// What the report lacks and how to get it, a sentence each.
    pub notes: Vec<String>,
    /// Whether tests were measured, or generated for coverage: otherwise there are no such counts.
    pub has_coverage: bool,
    /// Whether mutants were asked for.
    pub has_mutants: bool,
    /// Whether coverage and noticed mutants are lower bounds, as tests are left out.
    #[serde(default)]
    pub is_lower_bound: bool,
    /// Folders of sources, relative to the folder of the run.
    pub source_folders: Vec<String>,
    /// Source files of the classes.
    pub files: Vec<SourceFile>,
    /// Classes under test, nested ones by themselves.
    pub classes: Vec<Class>,
    /// Tests that were run or written.
    pub tests: Vec<Test>,
    /// Failing behaviours, the surest first.
    pub behaviours: Vec<Behaviour>,
    /// Enumerated structures, as far as they are drawn.
    pub structures: Vec<DrawnStructure>,
    /// Control-flow graphs of methods.
    pub graphs: Vec<Drawing>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "status", content = "by")]
pub enum Ending {
    /// Nothing was cut off but by bounds that were asked for.
    Complete,
    /// Something was cut off, which `without` names.
    Partial,
    /// The run was stopped by this limit or signal; the report has what was found before.
    Stopped(String),
}

/// Source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceFile {
    /// Path from the folder of sources: `shop/Cart.java`.
    pub path: String,
    /// Path from the folder of the run, if the file was found: `src/main/java/shop/Cart.java`.
    pub location: Option<String>,
    /// Text, if the file was found.
    pub text: Option<String>,
}

/// Class under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Class {
    /// Binary name.
    pub name: String,
    /// Source file, by index.
    pub file: usize,
    /// Methods with code.
    pub methods: Vec<Method>,
    /// Goals of generated tests: branches, or what the criterion asks for.
    pub goals: Vec<Goal>,
    /// Mutants of the code.
    pub mutants: Vec<Mutant>,
    /// What is to be known about the results of this class, a sentence each.
    pub notes: Vec<String>,
}

/// Method with code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// Name in the class file: `<init>` for a constructor.
    pub name: String,
    /// Descriptor in the class file.
    pub descriptor: String,
    /// Name and parameter types for people.
    pub text: String,
    /// Bytecode instructions.
    pub instructions: Share,
    /// Branches.
    pub branches: Share,
    /// Cyclomatic complexity by JaCoCo's definition.
    pub complexity: Share,
    /// Source lines with code, in ascending order; empty if the class file has none.
    pub lines: Vec<Line>,
}

/// Covered part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// Covered number.
    pub covered: u64,
    /// Total number.
    pub total: u64,
}

/// Source line with code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Number.
    pub number: u32,
    /// Bytecode instructions of the line; it is covered if one of them is.
    pub instructions: Share,
    /// Branches of the line.
    pub branches: Share,
    /// Tests that come to the line, by index.
    pub tests: Vec<usize>,
}

/// Goal of generated tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Goal {
    /// Name and parameter types of the method.
    pub method: String,
    /// Source line, if the class file has it.
    pub line: Option<u32>,
    /// Description: `if 3 not less`.
    pub text: String,
    /// Whether tests reach it.
    pub fate: Fate,
}

/// Fate of a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "fate", content = "of")]
pub enum Fate {
    /// These tests cover it, by index.
    Covered(Vec<usize>),
    /// A test that was there before covers it.
    CoveredBefore,
    /// No test can reach it, for this reason.
    Infeasible(String),
    /// No test reaches it; what stands in the way.
    NotReached(String),
}

/// Mutant: a change of the code that tests should notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mutant {
    /// Name and parameter types of the method.
    pub method: String,
    /// Source line, if the class file has it.
    pub line: Option<u32>,
    /// PIT's name of the operator.
    pub operator: String,
    /// Description of the change.
    pub description: String,
    /// Whether tests notice it.
    pub fate: MutantFate,
    /// Tests that are known to notice it, by index; others may, too.
    pub killers: Vec<usize>,
}

/// Verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// A test notices it.
    Killed,
    /// A test that was there before notices it.
    KilledBefore,
    /// No test notices it, though tests come to its code or may.
    Alive,
    /// No test comes to its code.
    NotReached,
    /// It could not be judged.
    Unknown,
    /// The run ended before a test was run on it.
    Untried,
    /// It is proved to be like the original code.
    Equivalent,
}

impl MutantFate {
    /// Whether a test notices it.
    #[must_use]
    pub fn is_killed(self) -> bool {
        matches!(self, MutantFate::Killed | MutantFate::KilledBefore)
    }

    /// Whether it shows that a test is missing.
    #[must_use]
    pub fn is_alive(self) -> bool {
        matches!(self, MutantFate::Alive | MutantFate::NotReached)
    }

    /// The verdict in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            MutantFate::Killed => "a test notices it",
            MutantFate::KilledBefore => "an existing test notices it",
            MutantFate::Alive => "no test notices it",
            MutantFate::NotReached => "no test reaches it",
            MutantFate::Unknown => "could not be judged",
            MutantFate::Untried => "not tried before the run ended",
            MutantFate::Equivalent => "proved to be like the original code",
        }
    }
}

/// Test that was run or written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    /// Binary name of its class.
    pub class: String,
    /// Name of its method, behind that of its nested class.
    pub name: String,
    /// How it ended.
    pub outcome: TestOutcome,
    /// Its source, if it is known.
    pub code: Option<Code>,
    /// The object under test before the call and after it, in order, as far as they are known.
    pub states: Vec<Drawing>,
}

/// Outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "outcome", content = "of")]
pub enum TestOutcome {
    /// It passes.
    Passed,
    /// It fails with this exception.
    Failed(String),
    /// It was skipped or could not be run, for this reason.
    Skipped(String),
    /// It was written, and not run.
    Written,
}

/// Source text in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Code {
    /// Path from the folder of the run; none if it was not written.
    pub file: Option<String>,
    /// Number of its first line in the file; 1 if there is no file.
    pub line: u32,
    /// Text.
    pub text: String,
}

/// Failing behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Behaviour {
    /// Binary name of the class under test.
    pub class: String,
    /// Method that was called, with its parameter types.
    pub method: String,
    /// Source line of the method, if it is known.
    pub line: Option<u32>,
    /// Oracle that it breaks.
    pub kind: String,
    /// What is broken.
    #[serde(default)]
    pub rank: BehaviourRank,
    /// Whether it is sure to be a fault of the code.
    #[serde(default = "sure")]
    pub is_sure: bool,
    /// Exception that was thrown, by its binary name.
    pub exception: Option<String>,
    /// Why it fails.
    pub reason: String,
    /// Calls that lead to it.
    pub calls: String,
    /// Test that reproduces it, if one was written.
    pub reproducer: Option<Code>,
    /// Structures before and after, in order.
    pub drawings: Vec<Drawing>,
}

/// What a failing behaviour breaks, the surest to be a fault of the code first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BehaviourRank {
    /// A contract, such as that of `equals`.
    Contract,
    /// The invariant, or an assertion of the code.
    Invariant,
    /// The bounds of an array, a list or a string.
    Index,
    /// The type of an object.
    Cast,
    /// Arithmetic, such as a division by 0.
    Arithmetic,
    /// A null that no guard expects.
    Null,
    /// Something else.
    #[default]
    Other,
}

fn sure() -> bool {
    true
}

/// Drawing with a caption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Drawing {
    /// Caption.
    pub caption: String,
    /// What it shows, in a line of text.
    pub text: String,
    /// SVG document.
    pub svg: String,
}

/// Part of a run, with indices of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunPart {
    /// Source files of the classes.
    pub files: Vec<SourceFile>,
    /// Classes under test.
    pub classes: Vec<Class>,
    /// Tests.
    pub tests: Vec<Test>,
    /// Failing behaviours.
    pub behaviours: Vec<Behaviour>,
    /// What the part lacks, a sentence each.
    pub notes: Vec<String>,
}

/// Structure with its drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnStructure {
    /// Number of its objects.
    pub size: usize,
    /// The structure in a line of text.
    pub text: String,
    /// SVG document; only pages have it.
    #[serde(skip)]
    pub svg: String,
}

impl RunPart {
    /// Index of a source file by its path from the folder of sources, added if it is new.
    pub fn file(&mut self, path: &str) -> usize {
        file_in(&mut self.files, path)
    }
}

fn file_in(files: &mut Vec<SourceFile>, path: &str) -> usize {
    let known = files.iter().position(|file| file.path == path);
    known.unwrap_or_else(|| {
        files.push(SourceFile {
            path: path.to_owned(),
            location: None,
            text: None,
        });
        files.len() - 1
    })
}

impl Run {
    /// Adds a part.
    pub fn add(&mut self, part: RunPart) {
        let offset = self.tests.len();
        let paths: Vec<String> = part.files.into_iter().map(|file| file.path).collect();
        for mut class in part.classes {
            class.file = paths
                .get(class.file)
                .map_or(0, |path| file_in(&mut self.files, path));
            let lines = class
                .methods
                .iter_mut()
                .flat_map(|method| &mut method.lines);
            let of_lines = lines.flat_map(|line| &mut line.tests);
            let of_goals = class
                .goals
                .iter_mut()
                .filter_map(|goal| match &mut goal.fate {
                    Fate::Covered(tests) => Some(tests),
                    _ => None,
                });
            let of_mutants = class
                .mutants
                .iter_mut()
                .flat_map(|mutant| &mut mutant.killers);
            let tests = of_lines.chain(of_goals.flatten()).chain(of_mutants);
            tests.for_each(|test| *test += offset);
            let known = self
                .classes
                .iter_mut()
                .find(|known| known.name == class.name);
            match known {
                Some(known) => known.join(class),
                None => self.classes.push(class),
            }
        }
        self.tests.extend(part.tests);
        self.behaviours.extend(part.behaviours);
        let doubt = |behaviour: &Behaviour| (!behaviour.is_sure, behaviour.rank);
        self.behaviours.sort_by_key(doubt);
        for note in part.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Classes with a source file, by the index of the file.
    pub fn classes_of(&self, file: usize) -> impl Iterator<Item = &Class> {
        self.classes.iter().filter(move |class| class.file == file)
    }

    /// Source file of a class, by its binary name.
    #[must_use]
    pub fn file_of(&self, class: &str) -> Option<&SourceFile> {
        let class = self.classes.iter().find(|other| other.name == class)?;
        self.files.get(class.file)
    }

    /// Start of the run as a date and time of RFC 3339.
    #[must_use]
    pub fn started_text(&self) -> String {
        time_text(self.started)
    }

    /// Covered part in whole percent as a text, which says if it is a lower bound; `None` if the
    /// total is 0.
    #[must_use]
    pub fn percent(&self, share: Share) -> Option<String> {
        let least = if self.is_lower_bound { "at least " } else { "" };
        Some(format!("{least}{} %", share.percent()?))
    }

    /// Limit or signal that stopped the run.
    #[must_use]
    pub fn stopped_by(&self) -> Option<&str> {
        match &self.ending {
            Ending::Stopped(by) => Some(by),
            Ending::Complete | Ending::Partial => None,
        }
    }
}

/// Date and time of RFC 3339 of some seconds since 1970-01-01 UTC.
pub(crate) fn time_text(seconds: u64) -> String {
    // Years have four digits.
    const LAST: u64 = 253_402_300_799;
    let since = std::time::Duration::from_secs(seconds.min(LAST));
    humantime::format_rfc3339_seconds(std::time::UNIX_EPOCH + since).to_string()
}

impl SourceFile {
    /// Path for programs that look for the file from the folder of the run.
    #[must_use]
    pub fn uri(&self) -> &str {
        self.location.as_deref().unwrap_or(&self.path)
    }
}

impl Class {
    /// Adds what other tests cover and notice of the same class. Of a line on which both cover some
    /// instructions or branches, the larger number counts, as they may be the same ones.
    fn join(&mut self, other: Class) {
        for method in other.methods {
            let is_same =
                |it: &&mut Method| it.name == method.name && it.descriptor == method.descriptor;
            match self.methods.iter_mut().find(is_same) {
                Some(known) => known.join(method),
                None => self.methods.push(method),
            }
        }
        for goal in other.goals {
            let is_same = |it: &&mut Goal| {
                it.method == goal.method && it.line == goal.line && it.text == goal.text
            };
            match self.goals.iter_mut().find(is_same) {
                Some(known) => known.fate.join(goal.fate),
                None => self.goals.push(goal),
            }
        }
        // Equal mutants of a line are told apart by their order.
        let key = |mutant: &Mutant| {
            let Mutant {
                method,
                line,
                operator,
                description,
                ..
            } = mutant;
            (method.clone(), *line, operator.clone(), description.clone())
        };
        let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (place, mutant) in self.mutants.iter().enumerate().rev() {
            places.entry(key(mutant)).or_default().push(place);
        }
        for mutant in other.mutants {
            match places.get_mut(&key(&mutant)).and_then(Vec::pop) {
                Some(place) => self.mutants[place].join(mutant),
                None => self.mutants.push(mutant),
            }
        }
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Lines of all methods in ascending order, each once.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        merged(self.methods.iter().flat_map(|method| &method.lines))
    }

    /// Package, with dots; empty for the unnamed one.
    #[must_use]
    pub fn package(&self) -> &str {
        self.name
            .rsplit_once('.')
            .map_or("", |(package, _)| package)
    }

    /// Binary name without the package.
    #[must_use]
    pub fn simple_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

impl Method {
    fn join(&mut self, other: Method) {
        self.instructions.raise(other.instructions);
        self.branches.raise(other.branches);
        self.complexity.raise(other.complexity);
        for line in other.lines {
            match self
                .lines
                .iter_mut()
                .find(|known| known.number == line.number)
            {
                Some(known) => {
                    known.instructions.raise(line.instructions);
                    known.branches.raise(line.branches);
                    known.tests.extend(line.tests);
                    known.tests.sort_unstable();
                    known.tests.dedup();
                }
                None => self.lines.push(line),
            }
        }
    }
}

impl Mutant {
    fn join(&mut self, other: Mutant) {
        let rank = |fate: MutantFate| match fate {
            MutantFate::Killed => 0,
            MutantFate::KilledBefore => 1,
            MutantFate::Equivalent => 2,
            MutantFate::Alive => 3,
            MutantFate::Unknown => 4,
            MutantFate::Untried => 5,
            MutantFate::NotReached => 6,
        };
        if rank(other.fate) < rank(self.fate) {
            self.fate = other.fate;
        }
        self.killers.extend(other.killers);
    }
}

impl Fate {
    fn join(&mut self, other: Fate) {
        match (&mut *self, other) {
            (Fate::Covered(tests), Fate::Covered(others)) => tests.extend(others),
            (Fate::Covered(_), _) | (_, Fate::NotReached(_)) => {}
            (_, other) => *self = other,
        }
    }
}

/// Lines in ascending order, each once, with the counts and tests of all that have its number.
pub(crate) fn merged<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<Line> {
    let mut by_number = BTreeMap::new();
    for line in lines {
        let all: &mut Line = by_number.entry(line.number).or_insert_with(|| Line {
            number: line.number,
            ..Line::default()
        });
        all.instructions += line.instructions;
        all.branches += line.branches;
        all.tests.extend(&line.tests);
    }
    let lines = by_number.into_values();
    lines
        .map(|mut line| {
            line.tests.sort_unstable();
            line.tests.dedup();
            line
        })
        .collect()
}

impl Line {
    /// Whether an instruction of it is covered.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.instructions.covered > 0
    }
}

impl Share {
    /// Raises the covered number to that of another share of the same total.
    fn raise(&mut self, other: Share) {
        self.covered = self.covered.max(other.covered);
    }

    /// Number that is not covered.
    #[must_use]
    pub fn missed(self) -> u64 {
        self.total.saturating_sub(self.covered)
    }

    /// Covered part, from 0 to 1; `None` if the total is 0.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.total > 0).then(|| self.covered as f64 / self.total as f64)
    }

    /// Covered part in whole percent, 100 only if all is covered; `None` if the total is 0.
    #[must_use]
    pub fn percent(self) -> Option<u64> {
        (self.total > 0).then(|| 100 * self.covered / self.total)
    }
}

impl std::ops::AddAssign for Share {
    fn add_assign(&mut self, other: Share) {
        self.covered += other.covered;
        self.total += other.total;
    }
}
