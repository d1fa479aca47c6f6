//! Java processes that answer requests, a line each, with lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

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
