//! The Java process that compiles and runs tests, and the lines that it answers.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a wait asks whether it is to be given up.
const POLL: Duration = Duration::from_millis(20);

/// A Java process that answers requests; it ends with this value.
pub(super) struct Process {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// Why a process does not answer.
pub(super) enum Silence {
    /// It has ended.
    Ended,
    /// The wait was given up.
    GivenUp,
}

impl Process {
    /// Starts one: `options` are of the virtual machine, `class_path` holds the runner, and `arguments` are its own.
    pub(super) fn start<'a>(
        java: &Path,
        folder: &Path,
        options: &[&str],
        class_path: &Path,
        arguments: impl IntoIterator<Item = &'a OsStr>,
    ) -> io::Result<Process> {
        let mut command = Command::new(java);
        for name in [
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
        ] {
            command.env_remove(name);
        }
        // Names of files are in UTF-8, whatever the locale is.
        command.env("LC_ALL", "C.UTF-8");
        command
            .current_dir(folder)
            .args(options)
            .arg("-cp")
            .arg(class_path);
        command.arg("heapwright.trial.Main").args(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let (sender, answers) = mpsc::channel();
        thread::Builder::new()
            .name("trial".to_owned())
            .spawn(move || {
                let mut lines = BufReader::new(output);
                let mut line = Vec::new();
                while lines
                    .read_until(b'\n', &mut line)
                    .is_ok_and(|read| read > 0)
                {
                    let text = String::from_utf8_lossy(&line)
                        .trim_end_matches(['\n', '\r'])
                        .to_owned();
                    line.clear();
                    if sender.send(text).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Process {
            child,
            requests,
            answers,
        })
    }

    /// Sends a request; a process that has ended is noticed where its answer is read.
    pub(super) fn ask(&mut self, fields: &[&str]) {
        let _ = writeln!(self.requests, "{}", fields.join("\t"));
        let _ = self.requests.flush();
    }

    /// The next line that it answers. Where line follows upon line each is the occasion to ask whether to give up.
    pub(super) fn answer(&self, gives_up: &dyn Fn() -> bool) -> Result<String, Silence> {
        while !gives_up() {
            match self.answers.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Err(Silence::GivenUp)
    }
}

impl Process {
    /// The lines before the one that ends an answer.
    pub(super) fn answers_until(
        &self,
        end: &str,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Vec<String>, Silence> {
        let mut lines = Vec::new();
        loop {
            let line = self.answer(gives_up)?;
            if line == end {
                return Ok(lines);
            }
            lines.push(line);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
