//! Questions to objects at the end of a test, of which few are asked again on a mutant: those whose
//! answers may differ, the strongest first, until enough do.
//!
//! Invariant: an answer that is not asked for counts neither as the same nor as different.

use std::rc::Rc;

use heapwright_jvm::MethodId;
use heapwright_jvm::probes::ProbeVisit;
use heapwright_suite::{CallOutcome, Observation, Step};
use rustc_hash::{FxHashMap, FxHashSet};

use super::script::EndObservations;
use crate::observe::text_of;

/// Number of differing answers after which no further question is asked on a mutant: enough for a
/// choice among them.
const ENOUGH: usize = 3;

/// A call of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// The statement that created the object.
    pub place: usize,
    /// The observer.
    pub method: MethodId,
    /// The number of its list of arguments.
    pub number: usize,
}

/// What an observer answered.
pub(super) struct Answer {
    pub question: Question,
    pub observation: Observation,
    /// The probes that it visited.
    pub visits: Vec<ProbeVisit>,
    /// The probes that calls on its result visited.
    pub behind: FxHashSet<u32>,
}

/// What was observed at the end of a test on the original code.
pub(super) struct OriginalEnd {
    /// The text of the outcome.
    outcome: String,
    /// The text of the invariant.
    invariant: String,
    /// The texts of the observations.
    texts: Vec<String>,
    known: FxHashSet<String>,
    /// The question of each observation that has one.
    questions: Vec<Option<Question>>,
    /// Of each of these questions, the probes that its observer visited.
    visits: FxHashMap<Question, FxHashSet<u32>>,
    /// The chains of calls on results and arguments, by the classes and methods of all up to each call.
    chains: FxHashSet<Vec<(String, String)>>,
}

/// Returns the class and the method of each of several calls.
pub(super) fn chain(steps: &[Step]) -> Vec<(String, String)> {
    let calls = steps.iter();
    let calls = calls.map(|step| (step.class.name.clone(), step.method.name.clone()));
    calls.collect()
}

impl OriginalEnd {
    /// Reads observations, given all answers of observers.
    pub(super) fn new(seen: &EndObservations, answers: Vec<Answer>) -> OriginalEnd {
        let candidates = seen.candidates.iter();
        let texts = candidates.map(|candidate| text_of(&candidate.observation));
        let texts: Vec<String> = texts.collect();
        let places = texts.iter().enumerate();
        let places: FxHashMap<&String, usize> = places.map(|(place, text)| (text, place)).collect();
        let then = seen.candidates.iter().flat_map(|candidate| {
            let then = match &candidate.observation {
                Observation::Call { then, .. } => &then[..],
                Observation::Calls { asserted, .. } => asserted.steps(),
                _ => &[],
            };
            (1..=then.len()).map(|count| chain(&then[..count]))
        });
        let chains = then.collect();
        let mut questions = vec![None; texts.len()];
        let mut visits: FxHashMap<Question, FxHashSet<u32>> = FxHashMap::default();
        for answer in answers {
            if let Some(&place) = places.get(&text_of(&answer.observation)) {
                questions[place] = Some(answer.question);
                let visited = visits.entry(answer.question).or_default();
                visited.extend(answer.visits.iter().map(|visit| visit.point));
                visited.extend(answer.behind);
            }
        }
        OriginalEnd {
            outcome: text_of(&seen.outcome),
            invariant: text_of(&seen.invariant),
            known: texts.iter().cloned().collect(),
            texts,
            questions,
            visits,
            chains,
        }
    }

    /// Returns the questions, the strongest first.
    pub(super) fn questions(&self) -> Vec<Question> {
        let mut questions: Vec<Question> = Vec::new();
        for question in self.questions.iter().flatten() {
            if !questions.contains(question) {
                questions.push(*question);
            }
        }
        questions
    }

    /// Returns the probes that the observer of one of its questions visited.
    pub(super) fn visited(&self, question: &Question) -> &FxHashSet<u32> {
        &self.visits[question]
    }

    /// Whether the end of a run on a mutant has the same outcome.
    fn has_outcome(&self, outcome: &CallOutcome) -> bool {
        self.outcome == text_of(outcome)
    }

    /// Returns the numbers of the observations that differ in a run on a mutant; `None` if its
    /// outcome does.
    pub(super) fn differing(&self, other: &EndObservations, asked: &Inquiry) -> Option<Vec<usize>> {
        if !self.has_outcome(&other.outcome) || self.invariant != text_of(&other.invariant) {
            return None;
        }
        let candidates = other.candidates.iter();
        let others = candidates.map(|candidate| text_of(&candidate.observation));
        let others: FxHashSet<String> = others.collect();
        let all = self.texts.iter().zip(&self.questions).enumerate();
        let differing = all.filter(|(_, (text, question))| {
            let is_asked = question.is_none_or(|question| asked.asked.contains(&question));
            is_asked && !others.contains(*text)
        });
        Some(differing.map(|(number, _)| number).collect())
    }
}

/// Questions that are asked in a run on a mutant.
pub(super) struct Inquiry {
    original: Rc<OriginalEnd>,
    questions: Vec<Question>,
    asked: FxHashSet<Question>,
    /// Number of observations that differ.
    differing: usize,
}

impl Inquiry {
    /// Asks some questions.
    pub(super) fn new(original: &Rc<OriginalEnd>, questions: Vec<Question>) -> Inquiry {
        Inquiry {
            original: Rc::clone(original),
            questions,
            asked: FxHashSet::default(),
            differing: 0,
        }
    }

    /// Whether an outcome is that of the original code; only then further observations matter.
    pub(super) fn has_outcome(&self, outcome: &CallOutcome) -> bool {
        self.original.has_outcome(outcome)
    }

    /// Whether calls on a result or an argument, one on the result of the other, are made at the end of
    /// the run on the original code.
    pub(super) fn asks(&self, steps: &[Step]) -> bool {
        self.original.chains.contains(&chain(steps))
    }

    /// Returns the observers of an object that are asked, each with the numbers of its lists of
    /// arguments.
    pub(super) fn of_object(&self, place: usize) -> Vec<(MethodId, Vec<usize>)> {
        let mut methods: Vec<(MethodId, Vec<usize>)> = Vec::new();
        for question in self.questions.iter().filter(|one| one.place == place) {
            let known = methods.iter_mut();
            match known
                .into_iter()
                .find(|(method, _)| *method == question.method)
            {
                Some((_, numbers)) => numbers.push(question.number),
                None => methods.push((question.method, vec![question.number])),
            }
        }
        methods
    }

    /// Whether enough answers differ.
    pub(super) fn is_over(&self) -> bool {
        self.differing >= ENOUGH
    }

    /// Notes the answers to a question.
    pub(super) fn note(&mut self, question: Question, answers: &[Observation]) {
        self.asked.insert(question);
        let is_new = |answer: &&Observation| !self.original.known.contains(&text_of(answer));
        let new = answers.iter().filter(is_new).count();
        // An observer that does not answer differs, too.
        self.differing += new.max(usize::from(answers.is_empty()));
    }
}
