//! Servers that tests talk to, each a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time in which a server ends by itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// Server that ends with this value, and with the test's process.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Words after the first of the line that it printed as it was ready.
    pub said: Vec<String>,
}

impl Server {
    /// Starts a server that prints a line which begins with `mark` on standard output as soon as it
    /// is ready, and that ends when its standard input does.
    ///
    /// # Panics
    /// It does not start, or ends before it is ready.
    #[must_use]
    pub fn start(command: &mut Command, mark: &str) -> Server {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.spawn();
        let mut child =
            child.unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
        let output = child.stdout.take().map(BufReader::new);
        let mut lines = output.into_iter().flat_map(BufRead::lines).flatten();
        let Some(said) = lines.find(|line| line.starts_with(mark)) else {
            let ended = child.wait();
            panic!("{command:?} ended before it was ready: {ended:?}");
        };
        // Whatever else it says is read, so that it is never blocked.
        std::thread::spawn(move || lines.for_each(drop));
        let words = said.split(' ').skip(1);
        Server {
            said: words.map(str::to_owned).collect(),
            child,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
