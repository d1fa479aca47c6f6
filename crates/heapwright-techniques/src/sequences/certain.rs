//! Instructions of which the code itself shows that they do not throw: on `this` or what was just made,
//! by a number that is not 0, of a size that is not negative.
//!
//! Invariant: what is known of a word of the stack holds on every way there; where code jumps to nothing
//! is known.

use std::collections::BTreeSet;

use heapwright_jvm::Operation;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{Invoke, Listed, Listing, Shuffle, Step};

use super::places::ways;

/// What is known of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Open,
    /// It is no null.
    Object,
    /// The bits of this number.
    Number(u64),
}

/// The words of the stack as far as they are known, the top last.
#[derive(Debug, Default)]
struct Stack(Vec<Word>);

impl Stack {
    /// The word under so many others.
    fn under(&self, others: u16) -> Word {
        let from_end = self.0.iter().rev().nth(others.into());
        from_end.copied().unwrap_or(Word::Open)
    }

    fn drop(&mut self, words: u16) {
        self.0.truncate(self.0.len().saturating_sub(words.into()));
    }

    fn shuffle(&mut self, shuffle: Shuffle) {
        let known = self.0.len();
        match shuffle {
            Shuffle::Drop(words) => self.drop(words),
            Shuffle::Copy(words, under) if known >= usize::from(words + under) => {
                let copy = self.0[known - usize::from(words)..].to_vec();
                let place = known - usize::from(words + under);
                self.0.splice(place..place, copy);
            }
            Shuffle::Swap if known >= 2 => self.0.swap(known - 1, known - 2),
            _ => self.0.clear(),
        }
    }
}

/// The bytecode indices of such instructions.
pub(super) fn certain(listing: &Listing, is_static: bool) -> BTreeSet<u16> {
    let mut targets: BTreeSet<u16> = listing
        .handlers
        .iter()
        .map(|handler| handler.target)
        .collect();
    let mut has_this = !is_static;
    for listed in &listing.instructions {
        match listed.step {
            Step::Goto(to) => {
                targets.insert(to);
            }
            Step::Subroutine => return BTreeSet::new(),
            Step::Store(_, 0) => has_this = false,
            _ => targets.extend(ways(listing, listed.at)),
        }
    }
    let mut stack = Stack::default();
    let mut certain = BTreeSet::new();
    for listed in &listing.instructions {
        if targets.contains(&listed.at) {
            stack.0.clear();
        }
        if is_certain(listed, &stack) {
            certain.insert(listed.at);
        }
        if let Step::Shuffle(shuffle) = listed.step {
            stack.shuffle(shuffle);
            continue;
        }
        let given = match listed.step {
            Step::Load(Kind::Reference, 0) if has_this => Word::Object,
            Step::New(_) | Step::NewArray(..) | Step::Text(_) | Step::Constant(_) => Word::Object,
            Step::Number(_, bits) => Word::Number(bits),
            Step::CheckCast(_) => stack.under(0),
            _ => Word::Open,
        };
        let (taken, left) = listed.effect;
        stack.drop(taken);
        stack.0.extend(std::iter::repeat_n(given, left.into()));
        if !listed.step.falls_through() {
            stack.0.clear();
        }
    }
    certain
}

fn is_certain(listed: &Listed, stack: &Stack) -> bool {
    let taken = listed.effect.0;
    // What it works on is the first that it takes.
    let is_on_object = taken > 0 && stack.under(taken - 1) == Word::Object;
    match &listed.step {
        Step::GetField(_, false) | Step::PutField(_, false) | Step::ArrayLength => is_on_object,
        Step::Invoke(how, _) => *how != Invoke::Static && is_on_object,
        Step::Operate(Operation::Div | Operation::Rem, Kind::Int | Kind::Long) => {
            matches!(stack.under(0), Word::Number(bits) if bits != 0)
        }
        Step::NewArray(..) => (0..taken).all(
            |size| matches!(stack.under(size), Word::Number(bits) if i32::try_from(bits).is_ok()),
        ),
        _ => false,
    }
}
