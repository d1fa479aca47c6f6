//! The hunter: random classes on which the program's claims are held against a real JVM.
//!
//! Grammars (`hunt/*.grammar`) make classes. The judge (`java/hunt`) makes every heap of a class
//! within the bounds, and calls methods with thousands of inputs, on static state that other calls
//! left, in two worlds. It shares no code with the program. A claim that it has seen to be false is
//! minimised: what is left is a file that the tests go through from then on.
//!
//! Invariant: cases depend on the seed alone.

mod calls;
mod case;
mod grammar;
mod judge;
mod methods;
mod seen;
mod structures;
mod tree;
mod trial;

pub use case::{Case, KINDS, Kind};
pub use grammar::Grammar;
pub use trial::{FalseAnswer, Fate, VERBS};

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::jdk::Jdk;
use judge::Judge;
use trial::Trial;

const COMMON: &str = include_str!("../../hunt/common.grammar");
const STRUCTURES: &str = include_str!("../../hunt/structures.grammar");
const METHODS: &str = include_str!("../../hunt/methods.grammar");
const APIS: &str = include_str!("../../hunt/apis.grammar");
const BUILDS: &str = include_str!("../../hunt/builds.grammar");

/// Cases that are compiled together.
const BATCH: u64 = 24;
/// Smaller cases that are compiled together.
const TOGETHER: usize = 6;
/// Most smaller cases that are tried for one false answer.
const MOST_TRIED: usize = 400;
/// Most false answers of a kind that are minimised.
const MOST_MINIMISED: usize = 3;

/// What is hunted, and how.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The program under trial.
    pub program: PathBuf,
    /// JDK of the judges and of the program.
    pub jdk: Jdk,
    /// Folder for classes, and for what is found.
    pub folder: PathBuf,
    /// Number of the first case.
    pub seed: u64,
    /// Number of cases of each kind.
    pub cases: u64,
    /// Kinds of cases.
    pub kinds: Vec<Kind>,
    /// Verbs, all if there is none.
    pub verbs: Vec<String>,
    /// Concurrent judges and programs.
    pub jobs: usize,
    /// Most time.
    pub time_limit: Option<Duration>,
    /// Most time for an answer of a judge; without one a case is not judged.
    pub most_wait: Duration,
    /// Whether what is found is minimised.
    pub minimises: bool,
}

/// Result of a hunt.
#[derive(Debug, Default)]
pub struct Catch {
    /// By kind of case: cases, those that do not compile, distinct shapes.
    pub cases: BTreeMap<&'static str, (u64, u64, HashSet<u64>)>,
    /// By verb.
    pub verbs: BTreeMap<&'static str, Tally>,
    /// False answers, each with its verb, and the case, minimised if that was asked for.
    pub found: Vec<Found>,
    /// Elapsed time.
    pub took: Duration,
}

/// Counts of a verb.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases that were judged.
    pub cases: u64,
    /// Claims that hold.
    pub claims: u64,
    /// Cases without a claim.
    pub unknown: u64,
    /// Reasons of these.
    pub reasons: BTreeMap<String, u64>,
    /// Cases on which a claim is false.
    pub wrong: u64,
}

/// False answer.
#[derive(Clone, Debug)]
pub struct Found {
    /// Verb.
    pub verb: &'static str,
    /// Number of the case.
    pub number: u64,
    /// What is false.
    pub answer: FalseAnswer,
    /// The case.
    pub case: Case,
    /// Whether it was minimised.
    pub is_minimal: bool,
}

/// Grammar of a kind of cases.
fn grammar_of(kind: Kind) -> Grammar {
    match kind {
        Kind::Structures => Grammar::read(&[COMMON, STRUCTURES]),
        Kind::Methods => Grammar::read(&[COMMON, METHODS]),
        Kind::Apis => Grammar::read(&[APIS]),
        Kind::Builds => Grammar::read(&[BUILDS]),
    }
}

impl Hunt {
    /// Generates cases and judges the program on them.
    ///
    /// # Panics
    /// The judge cannot be started, or the folder not be written.
    #[must_use]
    pub fn run(&self) -> Catch {
        let start = Instant::now();
        let _ = fs::remove_dir_all(&self.folder);
        let (next, all) = (AtomicU64::new(0), Mutex::new(Catch::default()));
        thread::scope(|scope| {
            for job in 0..self.jobs {
                let (next, all) = (&next, &all);
                scope.spawn(move || {
                    let mut worker = Worker::new(self, job);
                    loop {
                        let first = next.fetch_add(BATCH, Ordering::Relaxed);
                        let is_late = self.time_limit.is_some_and(|limit| start.elapsed() > limit);
                        if first >= self.cases || is_late {
                            break;
                        }
                        for kind in &self.kinds {
                            worker.batch(*kind, first..(first + BATCH).min(self.cases), all);
                        }
                    }
                });
            }
        });
        let mut caught = all.into_inner().unwrap_or_default();
        caught.found.sort_by_key(|found| (found.verb, found.number));
        caught.took = start.elapsed();
        let texts = caught.found.iter().map(|one| {
            format!(
                "{} {} case {}: {}\n",
                one.verb, one.answer.kind, one.number, one.answer.detail
            )
        });
        let _ = fs::write(self.folder.join("found.txt"), texts.collect::<String>());
        caught
    }

    /// Prints the cases.
    pub fn print(&self) {
        for kind in &self.kinds {
            let grammar = grammar_of(*kind);
            for number in 0..self.cases {
                println!(
                    "{}",
                    Case::generate(*kind, &grammar, self.seed.wrapping_add(number)).code
                );
            }
        }
    }

    /// Judges cases that were kept; returns what is false, by the index of the case.
    #[must_use]
    pub fn judge(&self, cases: Vec<Case>) -> Vec<(usize, &'static str, Fate)> {
        let mut worker = Worker::new(self, 0);
        let named: Vec<(String, Case)> = cases
            .into_iter()
            .enumerate()
            .map(|(at, case)| (format!("k{at}"), case))
            .collect();
        worker.judge(&named, &self.verbs)
    }
}

/// Judges of one thread.
struct Worker<'h> {
    hunt: &'h Hunt,
    folder: PathBuf,
    judges: Vec<Judge>,
    grammars: BTreeMap<Kind, Grammar>,
}

impl<'h> Worker<'h> {
    fn new(hunt: &'h Hunt, job: usize) -> Self {
        let folder = hunt.folder.join(format!("job{job}"));
        fs::create_dir_all(&folder)
            .unwrap_or_else(|error| panic!("failed to make {}: {error}", folder.display()));
        Worker {
            hunt,
            folder: folder.canonicalize().unwrap_or(folder),
            judges: Judge::of_worlds(&hunt.jdk, hunt.most_wait),
            grammars: KINDS.iter().map(|one| (one.1, grammar_of(one.1))).collect(),
        }
    }

    fn batch(&mut self, kind: Kind, numbers: std::ops::Range<u64>, all: &Mutex<Catch>) {
        let cases: Vec<(String, Case)> = numbers
            .map(|number| {
                let case = Case::generate(
                    kind,
                    &self.grammars[&kind],
                    self.hunt.seed.wrapping_add(number),
                );
                (format!("c{number}"), case)
            })
            .collect();
        let judged = self.judge(&cases, &self.hunt.verbs);
        let right: HashSet<usize> = judged.iter().map(|one| one.0).collect();
        let mut open = Vec::new();
        {
            let mut all = all
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let name = KINDS
                .iter()
                .find(|one| one.1 == kind)
                .map_or("", |one| one.0);
            let entry = all.cases.entry(name).or_default();
            for (at, (_, case)) in cases.iter().enumerate() {
                match right.contains(&at) {
                    true => {
                        entry.0 += 1;
                        entry.2.extend(case.tree.as_ref().map(tree::Tree::shape));
                    }
                    false => entry.1 += 1,
                }
            }
            for (at, verb, fate) in judged {
                let tally = all.verbs.entry(verb).or_default();
                tally.cases += u64::from(fate != Fate::NotJudged);
                match fate {
                    Fate::NotJudged => {}
                    Fate::Holds(claims) => tally.claims += claims,
                    Fate::Unknown(why) => {
                        tally.unknown += 1;
                        let why: String = why
                            .chars()
                            .take(60)
                            .filter(|c| !c.is_ascii_digit())
                            .collect();
                        *tally.reasons.entry(why).or_default() += 1;
                    }
                    Fate::False(answer) => {
                        tally.wrong += 1;
                        let (name, case) = &cases[at];
                        let number = name[1..].parse().unwrap_or(0);
                        let alike = all
                            .found
                            .iter()
                            .filter(|one| one.verb == verb && one.answer.kind == answer.kind)
                            .count();
                        let is_minimal = self.hunt.minimises && alike < MOST_MINIMISED;
                        let case = case.clone();
                        let found = Found {
                            verb,
                            number,
                            answer,
                            case,
                            is_minimal,
                        };
                        if is_minimal {
                            open.push(found.clone());
                        }
                        all.found.push(found);
                    }
                }
            }
        }
        for found in open {
            let minimal = self.minimised(found);
            self.keep(&minimal);
            let mut all = all
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let before = all
                .found
                .iter_mut()
                .find(|one| one.verb == minimal.verb && one.number == minimal.number);
            if let Some(before) = before {
                *before = minimal;
            }
        }
    }

    /// Judges cases; returns the fates by the index of the case. Those that do not compile have none.
    fn judge(
        &mut self,
        cases: &[(String, Case)],
        verbs: &[String],
    ) -> Vec<(usize, &'static str, Fate)> {
        let wrong = self.judges[0].compile(&self.folder, cases);
        let mut judged = Vec::new();
        for (at, (name, case)) in cases.iter().enumerate() {
            let folder = self.folder.join(name);
            if !wrong.contains(name) {
                let trial = Trial {
                    case,
                    name,
                    folder: folder.clone(),
                    program: &self.hunt.program,
                    verbs,
                    judges: &mut self.judges,
                };
                judged.extend(
                    trial
                        .judge()
                        .into_iter()
                        .map(|(verb, fate)| (at, verb, fate)),
                );
            }
            let _ = fs::remove_dir_all(folder);
        }
        judged
    }

    /// Smaller case with the same kind of false answer.
    fn minimised(&mut self, mut found: Found) -> Found {
        let verbs = [found.verb.to_owned()];
        let mut tried = 0;
        'smaller: while tried < MOST_TRIED
            && let Some(tree) = &found.case.tree
        {
            let kind = found.case.kind;
            let others = tree.smaller(&|sort| self.grammars[&kind].simplest(sort));
            let others: Vec<Case> = others
                .into_iter()
                .map(|tree| found.case.with(tree))
                .collect();
            for others in others.chunks(TOGETHER) {
                tried += others.len();
                let named: Vec<(String, Case)> = others
                    .iter()
                    .enumerate()
                    .map(|(at, case)| (format!("s{at}"), case.clone()))
                    .collect();
                for (at, _, fate) in self.judge(&named, &verbs) {
                    if let Fate::False(answer) = fate
                        && answer.kind == found.answer.kind
                    {
                        found.answer = answer;
                        found.case = others[at].clone();
                        continue 'smaller;
                    }
                }
                if tried >= MOST_TRIED {
                    break;
                }
            }
            break;
        }
        found
    }

    /// Writes a false answer to the folder of what was found.
    fn keep(&self, found: &Found) {
        let folder = self.hunt.folder.join("found");
        let _ = fs::create_dir_all(&folder);
        let kind: String = found
            .answer
            .kind
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '-' })
            .collect();
        let file = folder.join(format!("{}-{kind}-{}.java", found.verb, found.number));
        let why = format!(
            "{}: {} ({})",
            found.verb, found.answer.kind, found.answer.detail
        );
        let _ = fs::write(file, found.case.to_keep(&why));
    }
}

impl fmt::Display for Catch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, (cases, wrong, shapes)) in &self.cases {
            writeln!(
                f,
                "{kind}: {cases} cases of {} shapes; {wrong} do not compile",
                shapes.len()
            )?;
        }
        writeln!(
            f,
            "{:10} {:>8} {:>8} {:>8} {:>8}",
            "verb", "cases", "claims", "unknown", "false"
        )?;
        for (verb, tally) in &self.verbs {
            writeln!(
                f,
                "{verb:10} {:8} {:8} {:8} {:8}",
                tally.cases, tally.claims, tally.unknown, tally.wrong
            )?;
        }
        let mut kinds: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
        for found in &self.found {
            let entry = kinds
                .entry((found.verb, &found.answer.kind))
                .or_insert((0, found.number));
            entry.0 += 1;
            entry.1 = entry.1.min(found.number);
        }
        for ((verb, kind), (number, first)) in kinds {
            writeln!(f, "{verb} {kind}: {number}, first in case {first}")?;
        }
        for (verb, tally) in &self.verbs {
            let mut reasons: Vec<_> = tally.reasons.iter().collect();
            reasons.sort_by_key(|&(why, &number)| (u64::MAX - number, why));
            for (why, number) in reasons.into_iter().take(5) {
                writeln!(f, "{verb} unknown: {number} {why}")?;
            }
        }
        writeln!(f, "{:.1} s", self.took.as_secs_f64())
    }
}

/// Reads the cases that were kept in a folder, with the names of their files.
///
/// # Panics
/// One cannot be read.
#[must_use]
pub fn kept_cases(folder: &Path) -> Vec<(String, Case)> {
    let files = crate::fixtures::files(folder, "java").into_iter();
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("failed to read {}: {error}", file.display()));
        (
            file.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            Case::kept(&text),
        )
    };
    files.map(read).collect()
}
