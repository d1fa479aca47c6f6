//! Claims of searches from the API.

use std::collections::BTreeSet;

use heapwright_jvm::ReadSource;
use heapwright_techniques::api::{ApiSearchOutcome, CallFault, Prepared, SearchEnd};

use crate::files::counted;
use crate::report::claim::Claim;

/// Limit that ended a search early.
pub fn stopped_by(
    outcome: &ApiSearchOutcome,
    reached_limit: Option<&'static str>,
) -> Option<&'static str> {
    match outcome.ended {
        SearchEnd::Complete => None,
        SearchEnd::AtLength => Some("--max-length"),
        SearchEnd::Interrupted => reached_limit,
        SearchEnd::HeapFull => Some("--max-memory"),
        SearchEnd::Disk => Some("--spill-dir"),
    }
}

/// Claim of a search, whose code has read these static fields: all structures that the methods build
/// within the scope were found.
pub fn claim(
    prepared: &Prepared,
    outcome: &ApiSearchOutcome,
    stopped_by: Option<&str>,
    reads: &BTreeSet<ReadSource>,
) -> Claim {
    let mut claim = Claim::ended(stopped_by);
    if !prepared.skipped.is_empty() {
        let methods = prepared.skipped.iter().map(|one| one.method.as_str());
        let methods: Vec<&str> = methods.collect();
        claim = claim.with_exclusion(format!("calls of {}", methods.join(", ")));
    }
    let sampled = prepared.literals.sampled.iter().map(String::as_str);
    claim = claim.without_other_objects(sampled);
    let is_unanswered = |fault: &CallFault| {
        matches!(
            fault,
            CallFault::DoesNotEnd | CallFault::FillsMemory | CallFault::Refused(_)
        )
    };
    let findings = outcome.findings.list().iter();
    let unanswered = findings.filter(|finding| is_unanswered(&finding.fault));
    let unanswered: u64 = unanswered.map(|finding| finding.count).sum();
    if unanswered > 0 {
        claim = claim.with_gap(format!("an answer on {}", counted(unanswered, "call")));
    }
    claim.with_reads(reads)
}
