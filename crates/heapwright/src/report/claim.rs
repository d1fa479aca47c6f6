//! What a report may claim: what was cut off, and whether that is part of the claim.

use std::collections::BTreeSet;

use heapwright_techniques::symbolic::CutBy;

use super::summary::Status;
use crate::exit::ExitCode;

/// How a search has ended. It is complete if nothing was cut off but by bounds that were asked for or that
/// every claim has; the text names them.
pub struct Claim {
    stopped_by: Option<String>,
    /// What was cut off, in words.
    without: Vec<String>,
    /// Whether all of that is part of the claim.
    is_complete: bool,
}

impl Claim {
    /// Of a search that was stopped, or has come to its end.
    pub fn ended(stopped_by: Option<&str>) -> Claim {
        Claim {
            stopped_by: stopped_by.map(str::to_owned),
            without: Vec::new(),
            is_complete: true,
        }
    }

    /// Of a search by whose bounds something was cut off.
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

    /// The same where this is left out as the request says.
    pub fn leaving_out(mut self, what: impl Into<String>) -> Claim {
        self.without.push(what.into());
        self
    }

    /// The same where this is missing, though nobody asked for that.
    pub fn lacking(self, what: impl Into<String>) -> Claim {
        Claim {
            is_complete: false,
            ..self.leaving_out(what)
        }
    }

    /// The same where code has read these static fields, which had the values that class initialisers leave. What
    /// was read before a search was stopped is by chance, and not said.
    pub fn with_static_reads(self, names: &BTreeSet<String>) -> Claim {
        if names.is_empty() || self.stopped_by.is_some() {
            return self;
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.leaving_out(format!("{} {}", CutBy::Statics, names.join(", ")))
    }

    /// The status for programs.
    pub fn status(&self) -> Status {
        match (&self.stopped_by, self.is_complete) {
            (Some(_), _) => Status::Stopped,
            (None, true) => Status::Complete,
            (None, false) => Status::Partial,
        }
    }

    /// The exit code, where the search was not complete.
    pub fn exit_code(&self) -> Option<ExitCode> {
        (self.status() != Status::Complete).then_some(ExitCode::Partial)
    }

    /// What is left out, behind a comma; empty if nothing is.
    pub fn without(&self) -> String {
        match self.without.is_empty() {
            true => String::new(),
            false => format!(", without {}", self.without.join(", ")),
        }
    }

    /// What is left out, in words.
    pub fn left_out(&self) -> &[String] {
        &self.without
    }

    /// What ended the search before its end.
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
            "false complete, without more iterations (--loop-k), other objects of the library"
        );
        assert_eq!(
            text(Claim::new(None, [CutBy::Loops, CutBy::Steps], asked)),
            "true partial, without more iterations (--loop-k), longer runs (--max-steps)"
        );
        assert_eq!(
            text(Claim::ended(None).leaving_out("a").lacking("b")),
            "true partial, without a, b"
        );
        assert_eq!(
            text(Claim::ended(Some("--time-limit")).lacking("b")),
            "true stopped by --time-limit"
        );
    }
}
