//! Guards: code that refuses an argument by an exception of its own, read from the places at which
//! an exception was made.

use std::collections::BTreeSet;
use std::ops::Range;

use heapwright_jvm::descriptor::{Kind, split_method};
use heapwright_jvm::listing::{Invoke, ListedMember, ListedOperation, Listing, Shuffle};

use crate::ControlFlow;

/// The field of javac that says whether assertions are off.
const ASSERTIONS_DISABLED: &str = "$assertionsDisabled";
/// Maximum number of instructions that are followed back from an exception to its conditions.
const MAX_BACK: usize = 64;

/// What a condition looks at.
enum Condition {
    /// Parameters of the method, by their words, perhaps with other things.
    OnParameters(BTreeSet<u16>),
    /// Only whether assertions are on; holds the first instruction.
    Assertions(usize),
    /// Other things alone.
    Other,
}

/// Code of a method, with what it does with its parameters.
pub struct GuardedCode<'l> {
    listing: &'l Listing,
    flow: ControlFlow,
    /// For each instruction those that lead to it without an exception.
    before: Vec<Vec<usize>>,
    /// Words of local variables that hold parameters all the time.
    parameters: BTreeSet<u16>,
    is_static: bool,
}

impl<'l> GuardedCode<'l> {
    /// Reads the code of a method with a descriptor.
    #[must_use]
    pub fn new(listing: &'l Listing, descriptor: &str, is_static: bool) -> GuardedCode<'l> {
        let flow = ControlFlow::new(listing);
        let mut before = vec![Vec::new(); flow.count()];
        for number in 0..flow.count() {
            for &next in flow.next(number) {
                before[next].push(number);
            }
        }
        let (types, _) = split_method(descriptor).unwrap_or_default();
        let mut word = u16::from(!is_static);
        let mut parameters = BTreeSet::new();
        for one in types {
            parameters.insert(word);
            word += Kind::of(one).words();
        }
        for listed in &listing.instructions {
            if let ListedOperation::Store(_, word) | ListedOperation::Increment(word, _) =
                listed.step
            {
                parameters.remove(&word);
            }
        }
        GuardedCode {
            listing,
            flow,
            before,
            parameters,
            is_static,
        }
    }

    /// Whether the instruction at a bytecode index calls a constructor: an exception that was made
    /// there is one of the code, and not one of the machine.
    #[must_use]
    pub fn is_construction(&self, at: u16) -> bool {
        let member = self.called(at).map(|(_, member)| member);
        member.is_some_and(|member| member.name == "<init>")
    }

    /// Parameters of the method that the call at a bytecode index hands on, as they are, as one of the
    /// parameters of the called method at these words; all by the words of their variables.
    #[must_use]
    pub fn handed_on(&self, at: u16, words: &BTreeSet<u16>) -> BTreeSet<u16> {
        let mut found = BTreeSet::new();
        let Some((number, member)) = self.called(at) else {
            return found;
        };
        let has_receiver = !matches!(
            self.listing.instructions[number].step,
            ListedOperation::Invoke(Invoke::Static, _)
        );
        let (types, _) = split_method(&member.descriptor).unwrap_or_default();
        let mut word = u16::from(has_receiver);
        let mut behind: u16 = types.iter().map(|one| Kind::of(one).words()).sum();
        for one in types {
            let own = Kind::of(one).words();
            behind -= own;
            if words.contains(&word)
                && let Some(after) = self.producers(number, behind)
                && let Some(argument) = self.producers(after.start, own)
                && let [listed, rest @ ..] = &self.listing.instructions[argument]
                && let ListedOperation::Load(_, given) = listed.step
                && self.parameters.contains(&given)
                && rest
                    .iter()
                    .all(|cast| matches!(cast.step, ListedOperation::CheckCast(_)))
            {
                found.insert(given);
            }
            word += own;
        }
        found
    }

    /// Whether the call at a bytecode index has parameters of the method as arguments, and besides
    /// these only constants. The receiver does not count.
    #[must_use]
    pub fn passes_parameters(&self, at: u16) -> bool {
        let Some((number, member)) = self.called(at) else {
            return false;
        };
        let (types, _) = split_method(&member.descriptor).unwrap_or_default();
        let words = types.iter().map(|one| Kind::of(one).words()).sum();
        let Some(arguments) = self.producers(number, words) else {
            return false;
        };
        let arguments = &self.listing.instructions[arguments];
        let is_plain = |step: &ListedOperation| {
            self.loads_parameter(step)
                || matches!(
                    step,
                    ListedOperation::Number(..)
                        | ListedOperation::Null
                        | ListedOperation::Text(_)
                        | ListedOperation::Constant(_)
                        | ListedOperation::CheckCast(_)
                        | ListedOperation::GetField(_, true)
                )
        };
        arguments.iter().all(|listed| is_plain(&listed.step))
            && arguments
                .iter()
                .any(|listed| self.loads_parameter(&listed.step))
    }

    /// Parameters, by the words of their variables, at which a condition looks on which the instruction
    /// at a bytecode index is executed, before the method has changed anything; all if there is no
    /// condition at all. `None` if it looks at none. Conditions that stand before an earlier statement do
    /// not count, nor those that look at what the method has computed: such are postconditions.
    #[must_use]
    pub fn guarded(&self, at: u16) -> Option<BTreeSet<u16>> {
        let start = self.flow.place(at)?;
        let mut open = vec![start];
        let mut seen = BTreeSet::from([start]);
        let mut is_conditional = false;
        while let Some(number) = open.pop() {
            if seen.len() > MAX_BACK {
                return None;
            }
            for &before in &self.before[number] {
                if !seen.insert(before) {
                    continue;
                }
                if !self.flow.is_fork(before) {
                    open.push(before);
                    continue;
                }
                match self.condition(before) {
                    Condition::OnParameters(words) => return Some(words),
                    Condition::Other => is_conditional = true,
                    Condition::Assertions(start) => {
                        seen.insert(start);
                        open.push(start);
                    }
                }
            }
        }
        let is_always = !is_conditional && seen.contains(&0);
        is_always.then(|| self.parameters.clone())
    }

    /// Condition that ends with a jump; its parts follow each other.
    fn condition(&self, jump: usize) -> Condition {
        let mut fork = Some(jump);
        while let Some(number) = fork {
            let words = self.listing.instructions[number].effect.0;
            let Some(operands) = self.producers(number, words) else {
                break;
            };
            let start = operands.start;
            let steps = &self.listing.instructions[operands];
            let steps = steps.iter().map(|listed| &listed.step);
            if steps.clone().any(reads_assertion_status) {
                if number == jump {
                    return Condition::Assertions(start);
                }
                break;
            }
            if steps.clone().any(|step| self.loads_result(step)) {
                break;
            }
            let words = steps.filter_map(|step| match step {
                ListedOperation::Load(_, word) => Some(*word),
                _ => None,
            });
            let words: BTreeSet<u16> = words
                .filter(|word| self.parameters.contains(word))
                .collect();
            if !words.is_empty() {
                return match self.changes_before(start) {
                    true => Condition::Other,
                    false => Condition::OnParameters(words),
                };
            }
            let mut earlier = self.before[start].iter().copied();
            fork = earlier.find(|&earlier| self.flow.is_fork(earlier));
        }
        Condition::Other
    }

    /// Whether code before an instruction, in the order of the source, changes more than local
    /// variables. Calls without a use of their results may, but for static ones, as those of guards.
    fn changes_before(&self, number: usize) -> bool {
        let steps = self.listing.instructions[..number].iter();
        let steps: Vec<&ListedOperation> = steps.map(|listed| &listed.step).collect();
        let is_dropped = |at: usize| {
            let next = steps.get(at + 1);
            matches!(next, Some(ListedOperation::Shuffle(Shuffle::Drop(_))))
        };
        steps.iter().enumerate().any(|(at, step)| match step {
            ListedOperation::PutField(..) | ListedOperation::ArrayStore(_) => true,
            ListedOperation::Invoke(how, member) => {
                let is_unused = member.descriptor.ends_with(")V") || is_dropped(at);
                *how != Invoke::Static && member.name != "<init>" && is_unused
            }
            _ => false,
        })
    }

    fn called(&self, at: u16) -> Option<(usize, &ListedMember)> {
        let number = self.listing.place(at)?;
        match &self.listing.instructions[number].step {
            ListedOperation::Invoke(Invoke::Static | Invoke::Special | Invoke::Virtual, member) => {
                Some((number, member))
            }
            _ => None,
        }
    }

    fn loads_parameter(&self, step: &ListedOperation) -> bool {
        matches!(step, ListedOperation::Load(_, word) if self.parameters.contains(word))
    }

    /// Whether an instruction reads a variable that is neither a parameter nor the receiver.
    fn loads_result(&self, step: &ListedOperation) -> bool {
        let is_receiver = |word: u16| word == 0 && !self.is_static;
        matches!(step, ListedOperation::Load(_, word)
            if !self.parameters.contains(word) && !is_receiver(*word))
    }

    /// Instructions that push the topmost stack words before an instruction; `None` if there are
    /// jumps among them.
    fn producers(&self, number: usize, words: u16) -> Option<Range<usize>> {
        let (mut start, mut needed) = (number, words);
        while needed > 0 {
            // The way to what was read last is the one from the instruction above it.
            let above = start.checked_sub(1)?;
            if self.before[start] != [above] {
                return None;
            }
            let (pops, pushes) = self.listing.instructions[above].effect;
            needed = needed.checked_sub(pushes)? + pops;
            start = above;
        }
        Some(start..number)
    }
}

fn reads_assertion_status(step: &ListedOperation) -> bool {
    matches!(step, ListedOperation::GetField(member, true) if member.name == ASSERTIONS_DISABLED)
}
