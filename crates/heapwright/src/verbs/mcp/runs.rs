//! Runs of this program as a child process.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::inputs::{CommandLine, ProjectInput};

/// Time that a run may take beyond its limit before it is killed.
const GRACE: Duration = Duration::from_secs(15);
/// Beginning of the program's own messages on standard error.
const PREFIX: &str = "heapwright: ";

/// Run that has ended by itself.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub output: String,
    /// Lines of standard error, without the program's name.
    pub messages: Vec<String>,
}

impl Run {
    /// Executes a command line in the folder of a project. `latest` holds the newest message.
    ///
    /// The process is asked to end when the future is dropped.
    ///
    /// # Errors
    /// The folder does not exist, the process cannot be started, or something else ended it.
    pub async fn execute(
        line: &CommandLine,
        further: &[&str],
        project: &ProjectInput,
        latest: &Mutex<String>,
    ) -> anyhow::Result<Run> {
        let folder = project.directory();
        if !folder.is_dir() {
            bail!("directory: {} is no folder", folder.display());
        }
        let mut running = Running::start(line, further, project, folder)?;
        let limit = project.time_limit() + GRACE;
        match timeout(limit, running.finish(latest)).await {
            Ok(run) => run,
            Err(_) => {
                running.0.start_kill().context("failed to end the run")?;
                bail!("the run did not end at its time limit, and was killed")
            }
        }
    }
}

/// Child process that is asked to end when this is dropped.
struct Running(Child);

impl Running {
    fn start(
        line: &CommandLine,
        further: &[&str],
        project: &ProjectInput,
        folder: &Path,
    ) -> anyhow::Result<Running> {
        let program = std::env::current_exe().context("failed to find this program")?;
        // Arguments of a verified program are the last words.
        let (verb, rest) = line.words().split_at(1.min(line.words().len()));
        let child = Command::new(program)
            .args(verb)
            .args(project.options().words())
            .args(further)
            .args(rest)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("failed to start this program again")?;
        Ok(Running(child))
    }

    /// Collects the output until the process ends.
    async fn finish(&mut self, latest: &Mutex<String>) -> anyhow::Result<Run> {
        let (Some(mut stdout), Some(stderr)) = (self.0.stdout.take(), self.0.stderr.take()) else {
            bail!("failed to read the output of a run");
        };
        let mut output = Vec::new();
        let mut messages = Vec::new();
        let read_output = stdout.read_to_end(&mut output);
        let read_messages = async {
            let mut lines = BufReader::new(stderr).split(b'\n');
            while let Some(line) = lines.next_segment().await? {
                let line = String::from_utf8_lossy(&line);
                let line = line.strip_prefix(PREFIX).unwrap_or(&line).trim_end();
                line.clone_into(&mut latest.lock().unwrap_or_else(PoisonError::into_inner));
                messages.push(line.to_owned());
            }
            Ok::<(), std::io::Error>(())
        };
        let (read_output, read_messages) = tokio::join!(read_output, read_messages);
        read_output
            .and(read_messages)
            .context("failed to read the output of a run")?;
        let status = self.0.wait().await.context("failed to wait for a run")?;
        let Some(code) = status.code() else {
            bail!("the run was ended from outside: {status}");
        };
        Ok(Run {
            code,
            output: String::from_utf8_lossy(&output).into_owned(),
            messages,
        })
    }
}

impl Drop for Running {
    /// Asks the process to end, which it does within two seconds; temporary files are removed, and
    /// processes of its own ended. Where there are no such signals it is killed.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.0.id().and_then(|id| i32::try_from(id).ok()) {
            use nix::sys::signal::{Signal, kill};
            // A process that has just ended need not be asked.
            let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGTERM);
        }
        #[cfg(not(unix))]
        let _ = self.0.start_kill();
    }
}
