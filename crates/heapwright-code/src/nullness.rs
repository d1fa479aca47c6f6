//! Nullness analysis by forward data flow, which also tracks some integer constants. Non-null are
//! the receiver, new objects, and references that were dereferenced on every path to the
//! instruction.
//!
//! **Invariant:** a fact about a word holds on every path to the instruction, exceptional paths
//! included.

use heapwright_jvm::Operation;
use heapwright_jvm::descriptor::{Kind, split_method};
use heapwright_jvm::listing::{BranchCondition, Invoke, ListedOperation, Listing, Shuffle};

use crate::ControlFlow;

/// Facts about the operands of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Whether the object that the instruction dereferences may be null.
    pub may_be_null: bool,
    /// Whether the instruction's other checks are sure to pass. That is a constant divisor other
    /// than 0, constant lengths that are not negative, or a null that is cast or stored.
    pub pass_other_checks: bool,
}

impl Operands {
    /// No facts.
    pub(crate) const UNKNOWN: Operands = Operands {
        may_be_null: true,
        pass_other_checks: false,
    };
}

/// Facts about a word. All `false` means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    is_object: bool,
    is_null: bool,
    /// Whether the word is a constant other than 0.
    is_divisor: bool,
    /// Whether the word is a constant that is not negative.
    is_length: bool,
    /// The local variable of which the word is a copy.
    local: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OperandFacts {
    locals: Vec<Word>,
    stack: Vec<Word>,
}

impl OperandFacts {
    fn pop(&mut self, words: usize) {
        let left = self.stack.len().saturating_sub(words);
        self.stack.truncate(left);
    }

    /// Returns the word at a depth below the top of the stack; 0 is the topmost.
    fn under(&self, words: usize) -> Word {
        let place = self.stack.len().checked_sub(words + 1);
        place.map_or_else(Word::default, |place| self.stack[place])
    }

    /// Marks the word at a depth, the variable it was loaded from, and all copies of that
    /// variable as non-null.
    fn is_object(&mut self, words: usize) {
        let local = self.under(words).local;
        if let Some(local) = local.and_then(|local| self.locals.get_mut(local as usize)) {
            local.is_object = true;
        }
        let copies = self.stack.iter_mut();
        for word in copies.filter(|word| local.is_some() && word.local == local) {
            word.is_object = true;
        }
    }

    /// Forgets which words are copies of a local variable.
    fn overwrite(&mut self, local: u16) {
        for word in &mut self.stack {
            if word.local == Some(local) {
                word.local = None;
            }
        }
    }

    fn join(&mut self, other: &OperandFacts) -> bool {
        let mut changed = false;
        let mine = self.locals.iter_mut().chain(&mut self.stack);
        for (word, other) in mine.zip(other.locals.iter().chain(&other.stack)) {
            let both = Word {
                is_object: word.is_object && other.is_object,
                is_null: word.is_null && other.is_null,
                is_divisor: word.is_divisor && other.is_divisor,
                is_length: word.is_length && other.is_length,
                local: word.local.filter(|_| word.local == other.local),
            };
            changed |= std::mem::replace(word, both) != both;
        }
        changed
    }
}

/// Computes the facts about each instruction's operands; `None` marks unreachable instructions.
/// Nothing is known about code with subroutines (`jsr`).
#[must_use]
pub fn operands(
    listing: &Listing,
    flow: &ControlFlow,
    has_receiver: bool,
) -> Vec<Option<Operands>> {
    let count = listing.instructions.len();
    let mut steps = listing.instructions.iter().map(|listed| &listed.step);
    if count == 0 || steps.any(|step| *step == ListedOperation::Subroutine) {
        return vec![Some(Operands::UNKNOWN); count];
    }
    let mut states: Vec<Option<OperandFacts>> = vec![None; count];
    let mut locals = vec![Word::default(); usize::from(listing.max_locals)];
    if has_receiver && let Some(this) = locals.first_mut() {
        this.is_object = true;
    }
    states[0] = Some(OperandFacts {
        locals,
        stack: Vec::new(),
    });
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        let Some(before) = states[number].clone() else {
            continue;
        };
        let listed = &listing.instructions[number];
        let mut reach = |at: usize, state: &OperandFacts| {
            let changed = match &mut states[at] {
                Some(known) if known.stack.len() == state.stack.len() => known.join(state),
                Some(_) => false,
                unknown => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if changed {
                open.push(at);
            }
        };
        for target in flow.handlers(number) {
            let caught = Word {
                is_object: true,
                ..Word::default()
            };
            let mut state = before.clone();
            state.stack = vec![caught];
            reach(target, &state);
        }
        let tested = before.under(0).local;
        let mut after = before;
        step(&mut after, &listed.step, listed.effect);
        match &listed.step {
            ListedOperation::Branch(test, to) => {
                let copy = states_of_null_test(test, tested, &after);
                if let Some(target) = listing.place(*to) {
                    reach(target, copy.as_ref().map_or(&after, |both| &both.0));
                }
                reach(number + 1, copy.as_ref().map_or(&after, |both| &both.1));
            }
            _ => {
                for &next in flow.next(number) {
                    reach(next, &after);
                }
            }
        }
    }
    let states = states.iter().zip(&listing.instructions);
    states
        .map(|(state, listed)| Some(known(state.as_ref()?, &listed.step)))
        .collect()
}

/// Returns the states at the target of a null test and behind it, if the tested word is a copy of
/// a variable.
fn states_of_null_test(
    test: &BranchCondition,
    tested: Option<u16>,
    after: &OperandFacts,
) -> Option<(OperandFacts, OperandFacts)> {
    let BranchCondition::Null(is_null) = test else {
        return None;
    };
    let mut object = after.clone();
    object.locals.get_mut(usize::from(tested?))?.is_object = true;
    Some(match is_null {
        true => (after.clone(), object),
        false => (object, after.clone()),
    })
}

/// Depth on the stack of the object that an instruction dereferences; `None` if it dereferences
/// none.
fn used(step: &ListedOperation) -> Option<usize> {
    Some(match step {
        ListedOperation::GetField(_, false)
        | ListedOperation::ArrayLength
        | ListedOperation::Throw
        | ListedOperation::Monitor(_) => 0,
        ListedOperation::PutField(member, false) => {
            usize::from(Kind::of(&member.descriptor).words())
        }
        ListedOperation::ArrayLoad(_) => 1,
        ListedOperation::ArrayStore(kind) => 1 + usize::from(kind.words()),
        ListedOperation::Invoke(Invoke::Special | Invoke::Virtual, member) => {
            let (parameters, _) = split_method(&member.descriptor)?;
            let words = parameters.iter().map(|one| Kind::of(one).words());
            usize::from(words.sum::<u16>())
        }
        _ => return None,
    })
}

fn known(state: &OperandFacts, step: &ListedOperation) -> Operands {
    let top = state.under(0);
    Operands {
        may_be_null: used(step).is_some_and(|words| !state.under(words).is_object),
        pass_other_checks: match step {
            ListedOperation::Operate(Operation::Div | Operation::Rem, kind) => {
                state.under(usize::from(kind.words()) - 1).is_divisor
            }
            ListedOperation::NewArray(_, dimensions) => {
                (0..usize::from(*dimensions)).all(|words| state.under(words).is_length)
            }
            _ => top.is_null,
        },
    }
}

fn step(state: &mut OperandFacts, step: &ListedOperation, effect: (u16, u16)) {
    if let Some(words) = used(step) {
        state.is_object(words);
    }
    let (pop, push) = (usize::from(effect.0), usize::from(effect.1));
    match step {
        ListedOperation::Load(kind, local) => {
            let mut word = *state
                .locals
                .get(usize::from(*local))
                .unwrap_or(&Word::default());
            word.local = Some(*local).filter(|_| *kind == Kind::Reference);
            state.stack.push(word);
            if kind.words() == 2 {
                state.stack.push(Word::default());
            }
        }
        ListedOperation::Store(kind, local) => {
            let mut word = state.under(usize::from(kind.words()) - 1);
            word.local = None;
            state.pop(usize::from(kind.words()));
            for word in 0..kind.words() {
                state.overwrite(local + word);
            }
            if let Some(place) = state.locals.get_mut(usize::from(*local)) {
                *place = word;
            }
            if kind.words() == 2
                && let Some(place) = state.locals.get_mut(usize::from(*local) + 1)
            {
                *place = Word::default();
            }
        }
        ListedOperation::Increment(local, _) => {
            state.overwrite(*local);
            if let Some(place) = state.locals.get_mut(usize::from(*local)) {
                *place = Word::default();
            }
        }
        ListedOperation::Shuffle(shuffle) => shuffled(&mut state.stack, *shuffle),
        // A cast leaves the same object on the stack.
        ListedOperation::CheckCast(_) => {}
        step => {
            state.pop(pop);
            let number = match step {
                ListedOperation::Number(Kind::Int, bits) => Some(i64::from(*bits as u32 as i32)),
                ListedOperation::Number(Kind::Long, bits) => Some(*bits as i64),
                _ => None,
            };
            let word = Word {
                is_object: matches!(
                    step,
                    ListedOperation::New(_)
                        | ListedOperation::NewArray(..)
                        | ListedOperation::Text(_)
                        | ListedOperation::Constant(_)
                ),
                is_null: *step == ListedOperation::Null,
                is_divisor: number.is_some_and(|number| number != 0),
                is_length: number.is_some_and(|number| number >= 0),
                local: None,
            };
            let rest = push.saturating_sub(1);
            if push > 0 {
                state.stack.push(word);
            }
            state
                .stack
                .extend(std::iter::repeat_n(Word::default(), rest));
        }
    }
}

/// Applies a stack instruction (`pop`, `dup`, `swap` and their variants) to a stack.
pub fn shuffled<W: Copy>(stack: &mut Vec<W>, shuffle: Shuffle) {
    match shuffle {
        Shuffle::Drop(words) => {
            let left = stack.len().saturating_sub(usize::from(words));
            stack.truncate(left);
        }
        Shuffle::Copy(words, under) => {
            let (words, under) = (usize::from(words), usize::from(under));
            if let Some(start) = stack.len().checked_sub(words + under) {
                let copied: Vec<W> = stack[stack.len() - words..].to_vec();
                stack.splice(start..start, copied);
            }
        }
        Shuffle::Swap => {
            let length = stack.len();
            if length >= 2 {
                stack.swap(length - 1, length - 2);
            }
        }
    }
}
