//! Code that closes the resources of a `try` statement, as `javac` compiles it since Java 11.

use std::collections::BTreeSet;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{BranchCondition, ListedOperation, Listing};

const THROWABLE: &str = "java/lang/Throwable";

/// Returns the places of the instructions that close resources: on the way without an exception, and
/// in the handler behind it.
#[must_use]
pub fn closing_code(listing: &Listing) -> BTreeSet<usize> {
    let code = Code { listing };
    let mut found = BTreeSet::new();
    for handler in &listing.handlers {
        if handler.catch.as_deref() == Some(THROWABLE)
            && let Some(start) = listing.place(handler.target)
        {
            for is_checked in [true, false] {
                code.add(start, is_checked, &mut found);
            }
        }
    }
    found
}

/// Call of `close` on a variable.
#[derive(PartialEq, Eq)]
struct Close<'l> {
    resource: u16,
    class: &'l str,
}

struct Code<'l> {
    listing: &'l Listing,
}

impl<'l> Code<'l> {
    fn step(&self, place: usize) -> Option<&'l ListedOperation> {
        let listed = self.listing.instructions.get(place);
        listed.map(|listed| &listed.step)
    }

    fn loads(&self, place: usize) -> Option<u16> {
        match self.step(place) {
            Some(ListedOperation::Load(Kind::Reference, variable)) => Some(*variable),
            _ => None,
        }
    }

    fn stores(&self, place: usize) -> Option<u16> {
        match self.step(place) {
            Some(ListedOperation::Store(Kind::Reference, variable)) => Some(*variable),
            _ => None,
        }
    }

    fn goes(&self, place: usize) -> bool {
        matches!(self.step(place), Some(ListedOperation::Goto(_)))
    }

    /// Adds the code of the resource whose handler begins at a place, if that is one.
    fn add(&self, start: usize, is_checked: bool, found: &mut BTreeSet<usize>) {
        let Some((close, next)) = self.close(start + 1, is_checked) else {
            return;
        };
        let (primary, second) = (self.stores(start), self.stores(next + 1));
        let adds = matches!(self.step(next + 4), Some(ListedOperation::Invoke(_, member))
            if member.class == THROWABLE && member.name == "addSuppressed");
        let is_handler = primary.is_some()
            && second.is_some()
            && self.goes(next)
            && self.loads(next + 2) == primary
            && self.loads(next + 3) == second
            && adds
            && self.loads(next + 5) == primary
            && matches!(self.step(next + 6), Some(ListedOperation::Throw));
        if !is_handler {
            return;
        }
        let last = next + 6;
        let normal = (0..start).rev().find_map(|place| {
            let (other, next) = self.close(place, is_checked)?;
            (other == close).then_some((place, next))
        });
        if let Some((from, next)) = normal {
            let end = if self.goes(next) { next } else { next - 1 };
            found.extend(from..=end);
            found.extend(start..=last);
        }
    }

    /// Matches a call of `close`, after a test for null if it is checked. Returns it and the place
    /// behind it.
    fn close(&self, place: usize, is_checked: bool) -> Option<(Close<'l>, usize)> {
        let resource = self.loads(place)?;
        let mut next = place + 1;
        if is_checked {
            match self.step(next)? {
                ListedOperation::Branch(BranchCondition::Null(true), _) => next += 1,
                _ => return None,
            }
            if self.loads(next) != Some(resource) {
                return None;
            }
            next += 1;
        }
        match self.step(next)? {
            ListedOperation::Invoke(_, member)
                if member.name == "close" && member.descriptor == "()V" =>
            {
                let class = member.class.as_str();
                Some((Close { resource, class }, next + 1))
            }
            _ => None,
        }
    }
}
