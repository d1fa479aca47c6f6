//! This program as a process of its own, which is asked to stop as Ctrl-C asks.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;

/// Interval between two checks of the running process.
const POLL: Duration = Duration::from_millis(20);
/// Time that an interrupted process has to write what it has found.
const GRACE: Duration = Duration::from_secs(3);

/// Running process of this program.
pub struct Subprocess {
    child: Child,
    printed: Option<JoinHandle<String>>,
}

/// What a process has left.
pub struct Ended {
    pub status: ExitStatus,
    /// What it printed, if that was not shown.
    pub printed: Option<String>,
}

impl Subprocess {
    /// Starts the program with a command line. What it prints is shown, or else `is_silent`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(words: &[OsString], is_silent: bool) -> anyhow::Result<Subprocess> {
        let program = std::env::current_exe().context("failed to find the program itself")?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null());
        if is_silent {
            command.stdout(Stdio::piped());
        }
        // Ctrl-C reaches this process alone, which passes it on once: a second one would end the
        // other before it has written its results.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .context("failed to start the program itself")?;
        let printed = child.stdout.take().map(|mut stream| {
            thread::spawn(move || {
                let mut text = String::new();
                // What was printed before an error is all there is.
                let _ = stream.read_to_string(&mut text);
                text
            })
        });
        Ok(Subprocess { child, printed })
    }

    /// Waits for its end. As soon as `stops` it is asked to stop, and killed when it takes too
    /// long.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn wait(mut self, stops: &dyn Fn() -> bool) -> anyhow::Result<Ended> {
        let mut since: Option<Instant> = None;
        let status = loop {
            let status = self.child.try_wait();
            if let Some(status) = status.context("failed to wait for a process")? {
                break status;
            }
            match since {
                None if stops() => {
                    interrupt(&self.child);
                    since = Some(Instant::now());
                }
                Some(since) if since.elapsed() > GRACE => {
                    self.child.kill().context("failed to end a process")?;
                }
                _ => {}
            }
            thread::sleep(POLL);
        };
        let printed = self.printed.map(|reader| reader.join().unwrap_or_default());
        Ok(Ended { status, printed })
    }
}

/// Sends a process what Ctrl-C sends.
fn interrupt(process: &Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(process.id()) {
        use nix::sys::signal::{Signal, kill};
        // A process that has ended by itself needs none.
        let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGINT);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Flag that Ctrl-C raises from now on, instead of ending this process.
///
/// # Errors
/// The system cannot install a handler.
pub fn raised_by_keys() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .context("failed to listen to Ctrl-C")?;
    Ok(flag)
}
