//! Claims of reports: the parts cut off, and whether the claim includes them.

use std::collections::BTreeSet;

use heapwright_jvm::ReadSource;
use heapwright_techniques::symbolic::CutBy;

use super::summary::Status;
use crate::exit::ExitCode;

/// Status of a search. It is complete if it was cut off only by bounds that the user set or that
/// are part of every claim; the text names them.
pub struct Claim {
    stopped_by: Option<String>,
    /// Descriptions of the parts cut off.
    without: Vec<String>,
    /// Whether the user set each bound that cut off a part, or every claim has it.
    is_complete: bool,
}

impl Claim {
    /// Claim of a search that was stopped by a limit, or finished.
    pub fn ended(stopped_by: Option<&str>) -> Claim {
        Claim {
            stopped_by: stopped_by.map(str::to_owned),
            without: Vec::new(),
            is_complete: true,
        }
    }

    /// Claim of a search that bounds have cut off.
    pub fn new(
        stopped_by: Option<&str>,
        cut: impl IntoIterator<Item = CutBy>,
        is_asked: impl Fn(CutBy) -> bool,
    ) -> Claim {
        let mut claim = Claim::ended(stopped_by);
        for by in cut {
            claim.is_complete &= by.is_documented() || is_asked(by);
            claim.without.push(by.to_string());
        }
        claim
    }

    /// Adds a part that the request leaves out.
    pub fn with_exclusion(mut self, what: impl Into<String>) -> Claim {
        self.without.push(what.into());
        self
    }

    /// Adds a part that is missing although the request includes it; the claim is then partial.
    pub fn with_gap(self, what: impl Into<String>) -> Claim {
        Claim {
            is_complete: false,
            ..self.with_exclusion(what)
        }
    }

    /// Adds what code has read beside its inputs: static fields, which had the values set by class
    /// initialisers, and the world, of which there was one state. Ignored for a stopped search,
    /// since what was read until then depends on timing.
    pub fn with_reads(self, reads: &BTreeSet<ReadSource>) -> Claim {
        if self.stopped_by.is_some() {
            return self;
        }
        let names = reads.iter().filter_map(|read| match read {
            ReadSource::Static(name) => Some(name.as_str()),
            ReadSource::World(_) => None,
        });
        let names: Vec<&str> = names.collect();
        let mut claim = match names.is_empty() {
            true => self,
            false => self.with_exclusion(format!("{} {}", CutBy::Statics, names.join(", "))),
        };
        for read in reads {
            if let ReadSource::World(chance) = read {
                claim = claim.with_exclusion(CutBy::world(*chance).to_string());
            }
        }
        claim
    }

    /// Makes the claim partial, whatever is left out.
    pub fn partial(self) -> Claim {
        Claim {
            is_complete: false,
            ..self
        }
    }

    /// Adds the types of whose objects only some were arguments, no bound naming the others.
    pub fn without_other_objects<'t>(self, types: impl IntoIterator<Item = &'t str>) -> Claim {
        let types: Vec<&str> = types.into_iter().collect();
        match types.is_empty() {
            true => self,
            false => self.with_exclusion(format!("other objects of {}", types.join(", "))),
        }
    }

    /// Status for programs.
    pub fn status(&self) -> Status {
        match (&self.stopped_by, self.is_complete) {
            (Some(_), _) => Status::Stopped,
            (None, true) => Status::Complete,
            (None, false) => Status::Partial,
        }
    }

    /// Exit code of an incomplete search.
    pub fn exit_code(&self) -> Option<ExitCode> {
        (self.status() != Status::Complete).then_some(ExitCode::Partial)
    }

    /// Text of the parts left out, after a comma; empty if there are none.
    pub fn without(&self) -> String {
        match self.without.is_empty() {
            true => String::new(),
            false => format!(", without {}", self.without.join(", ")),
        }
    }

    /// Descriptions of the parts left out.
    pub fn left_out(&self) -> &[String] {
        &self.without
    }

    /// Limit that ended the search early, if any.
    pub fn stopped_by(&self) -> Option<&str> {
        self.stopped_by.as_deref()
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(by) = &self.stopped_by {
            return write!(f, "stopped by {by}");
        }
        write!(f, "{}{}", self.status().name(), self.without())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_complete_by_what_was_asked_for_or_is_always_left_out() {
        let asked = |by: CutBy| by == CutBy::Loops;
        let text = |claim: Claim| format!("{} {claim}", claim.exit_code().is_some());
        assert_eq!(text(Claim::ended(None)), "false complete");
        assert_eq!(
            text(Claim::new(None, [CutBy::Loops, CutBy::Types], asked)),
            "false complete, without more iterations (--loop-k), objects of other types"
        );
        assert_eq!(
            text(Claim::new(None, [CutBy::Loops, CutBy::Steps], asked)),
            "true partial, without more iterations (--loop-k), longer runs (--max-steps)"
        );
        assert_eq!(
            text(Claim::ended(None).with_exclusion("a").with_gap("b")),
            "true partial, without a, b"
        );
        assert_eq!(
            text(Claim::ended(Some("--time-limit")).with_gap("b")),
            "true stopped by --time-limit"
        );
    }
}
