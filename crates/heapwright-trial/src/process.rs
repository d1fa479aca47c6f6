//! Java process that compiles and runs tests, and the lines of its responses.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a wait checks whether to give up.
const POLL: Duration = Duration::from_millis(20);
/// Time to wait for the end of a killed process, and interval between two checks. Later it ends by
/// itself, as an idle entry of the system's table.
const BURIAL: Duration = Duration::from_millis(300);
const BURIAL_POLL: Duration = Duration::from_millis(2);

/// Java process that responds to requests; dropping this value ends it.
pub(super) struct Process {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// Whether others are waiting for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Somebody waits for it.
    Awaited,
    /// It has what processors others leave, where the system can do so.
    Background,
}

/// Command by which a system starts a process that gives way to others.
const NICE: [&str; 3] = ["nice", "-n", "10"];

/// Reason for a missing response.
pub(super) enum NoResponse {
    /// The process has ended.
    Ended,
    /// The wait was given up.
    GivenUp,
}

/// Whether a program of this name is in a folder of the variable PATH.
fn which(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

impl Process {
    /// Starts a process in a folder, with further variables of the environment: `options` are for the virtual machine, `class_path` has the runner,
    /// `arguments` are its main class and what that takes, `errors` takes its messages, and `hears` sees
    /// each line of its responses at once.
    pub(super) fn start<'a>(
        (java, urgency): (&Path, Urgency),
        errors: Stdio,
        (folder, variables): (&Path, &[(String, String)]),
        options: &[&str],
        class_path: &OsStr,
        arguments: impl IntoIterator<Item = &'a OsStr>,
        mut hears: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<Process> {
        let mut command = match urgency {
            Urgency::Background if which(NICE[0]) => {
                let mut command = Command::new(NICE[0]);
                command.args(&NICE[1..]).arg(java);
                command
            }
            _ => Command::new(java),
        };
        for name in [
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
        ] {
            command.env_remove(name);
        }
        // File names are in UTF-8, independent of the locale.
        command.env("LC_ALL", "C.UTF-8");
        command
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .args(options)
            .arg("-cp")
            .arg(class_path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors);
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
                    hears(&text);
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

    /// Sends a request; the end of the process is noticed when its response is read.
    pub(super) fn ask(&mut self, fields: &[impl AsRef<str>]) {
        let fields: Vec<&str> = fields.iter().map(AsRef::as_ref).collect();
        let _ = writeln!(self.requests, "{}", fields.join("\t"));
        let _ = self.requests.flush();
    }

    /// Returns the next line of the response. Checks before each line whether to give up.
    pub(super) fn answer(&self, gives_up: &dyn Fn() -> bool) -> Result<String, NoResponse> {
        while !gives_up() {
            match self.answers.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoResponse::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Err(NoResponse::GivenUp)
    }
}

impl Process {
    /// Returns the lines before the one that ends a response.
    pub(super) fn answers_until(
        &self,
        end: &str,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Vec<String>, NoResponse> {
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
        // On a busy machine the end of a large process takes its time.
        let killed = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && killed.elapsed() < BURIAL {
            thread::sleep(BURIAL_POLL);
        }
    }
}
