//! Java processes that answer requests, a line each, with lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Begin of the line that ends an answer of the processes of a [`Pool`], followed by a status; behind
/// it stands [`LAST`] if the process ends.
const STATUS: &str = "== status ";
const LAST: &str = " last";
/// Most time for a line of their answers.
const LIMIT: Duration = Duration::from_secs(600);

/// Warm processes of one kind that all tests of a binary use, each for a request at a time.
pub(crate) struct Pool {
    /// Those that wait for a request, each with the text that tells it from others of the kind.
    idle: Mutex<Vec<(String, JavaServer)>>,
}

impl Pool {
    pub(crate) const fn new() -> Self {
        Self {
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Asks a process of this `name`, which `start` starts if all are at work; the status, and the
    /// lines before it. `None` if the process ended, or did not answer for ten minutes.
    pub(crate) fn ask(
        &self,
        name: &str,
        start: impl FnOnce() -> JavaServer,
        request: &[&str],
    ) -> Option<(String, Vec<String>)> {
        let take = || {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle.iter().position(|(other, _)| other == name)?;
            Some(idle.swap_remove(place).1)
        };
        let mut server = take().unwrap_or_else(start);
        let is_end = |line: &str| line.starts_with(STATUS);
        let mut answer = server.ask(request, &is_end, LIMIT)?;
        let status = answer.pop()?;
        let status = status.strip_prefix(STATUS)?;
        if let Some(status) = status.strip_suffix(LAST) {
            return Some((status.to_owned(), answer));
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((name.to_owned(), server));
        Some((status.to_owned(), answer))
    }
}

/// Java process that answers requests; dropping it ends the process.
pub(crate) struct JavaServer {
    child: Child,
    requests: ChildStdin,
    lines: Receiver<String>,
}

impl JavaServer {
    /// Starts a process; what it prints to its error stream is lost.
    ///
    /// # Panics
    /// It cannot be started.
    pub(crate) fn start(java: &mut Command) -> JavaServer {
        java.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = java
            .spawn()
            .unwrap_or_else(|error| panic!("failed to start {java:?}: {error}"));
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            panic!("failed to talk to {java:?}");
        };
        let (to, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        JavaServer {
            child,
            requests,
            lines,
        }
    }

    /// The lines of the answer to a request up to the one that ends it; `None` if a line does not
    /// come within `limit`, or the process has ended.
    pub(crate) fn ask(
        &mut self,
        request: &[&str],
        is_end: &dyn Fn(&str) -> bool,
        limit: Duration,
    ) -> Option<Vec<String>> {
        writeln!(self.requests, "{}", request.join("\t")).ok()?;
        self.requests.flush().ok()?;
        let mut answer = Vec::new();
        loop {
            let line = self.lines.recv_timeout(limit).ok()?;
            let is_last = is_end(&line);
            answer.push(line);
            if is_last {
                return Some(answer);
            }
        }
    }
}

impl Drop for JavaServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
