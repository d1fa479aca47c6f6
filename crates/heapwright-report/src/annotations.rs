//! Annotations of GitHub's runner: workflow commands on standard output, which mark lines of source
//! files in a pull request.

use std::fmt::Write as _;

use crate::findings::{Kind, Severity, findings};
use crate::model::Run;

/// Number of annotations of a level that the runner shows for a step.
const MOST_SHOWN: usize = 10;

/// Annotations of a run, a line each: of each level as many as the runner shows, and the number of
/// the others.
#[must_use]
pub fn annotations(run: &Run) -> String {
    let all = findings(run);
    let mut text = String::new();
    for kind in Kind::ALL {
        let command = match kind.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
            Severity::Fact => continue,
        };
        let before: Vec<Kind> = Kind::ALL.into_iter().take_while(|&it| it < kind).collect();
        let is_alike = |other: &Kind| other.severity() == kind.severity();
        let used = all
            .iter()
            .filter(|it| before.contains(&it.kind) && is_alike(&it.kind));
        let room = MOST_SHOWN.saturating_sub(used.count());
        let own: Vec<_> = all.iter().filter(|it| it.kind == kind).collect();
        // The number of the others takes the place of one.
        let shown = if own.len() > room {
            room.saturating_sub(1)
        } else {
            own.len()
        };
        for finding in &own[..shown] {
            let mut properties = Vec::new();
            if let Some(file) = &finding.file {
                properties.push(format!("file={}", property(file)));
                properties.extend(finding.line.map(|line| format!("line={line}")));
            }
            properties.push(format!("title={}", property(kind.title())));
            let message = data(&finding.message);
            let _ = writeln!(text, "::{command} {}::{message}", properties.join(","));
        }
        if own.len() > shown {
            let rest = own.len() - shown;
            let title = property(kind.title());
            let _ = writeln!(
                text,
                "::{command} title={title}::and {rest} more of these, which the report lists"
            );
        }
    }
    if let Some(by) = run.stopped_by() {
        let by = data(by);
        let _ = writeln!(
            text,
            "::notice title=Stopped::{by} ended the run before its end"
        );
    }
    text
}

/// Text of a command, in a line.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
