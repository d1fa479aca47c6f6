//! Progress on a terminal: a line that sums up, and one for each worker, gone at the end.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::process::{Child, Command, Stdio};

use heapwright_testkit::fixtures::{self, Fixture};
use heapwright_testkit::junit::{self, join};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::common::program;

/// Rows and columns of the terminal.
const SIZE: (u16, u16) = (24, 100);

/// Program with standard error on a terminal.
struct Session {
    program: Child,
    terminal: File,
    screen: vt100::Parser,
}

impl Session {
    fn start(command: &mut Command) -> Session {
        let size = Winsize {
            ws_row: SIZE.0,
            ws_col: SIZE.1,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pair = openpty(Some(&size), None).unwrap();
        command.env("TERM", "xterm").stderr(pair.slave);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let program = command.spawn().unwrap();
        // The program alone keeps the terminal open, so that reading ends with it.
        command.stderr(Stdio::null());
        Session {
            program,
            terminal: pair.master.into(),
            screen: vt100::Parser::new(SIZE.0, SIZE.1, 0),
        }
    }

    /// Reads what is shown next; false at the end.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.terminal.read(&mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                self.screen.process(&bytes[..count]);
                true
            }
            // Linux says so when nobody has the terminal any more.
            Err(error) if error.raw_os_error() == Some(nix::libc::EIO) => false,
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) => panic!("{error}"),
        }
    }

    /// Lines on the screen.
    fn lines(&self) -> Vec<String> {
        let rows = self.screen.screen().rows(0, SIZE.1);
        let rows = rows.map(|row| row.trim_end().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    /// Waits until the screen is as wanted; returns its lines.
    fn wait_for(&mut self, is_wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        loop {
            let lines = self.lines();
            if is_wanted(&lines) {
                return lines;
            }
            assert!(self.read(), "it ended with {:?}", self.lines());
        }
    }

    /// Interrupts the program; returns the lines on the screen at its end.
    fn interrupt(mut self) -> Vec<String> {
        kill(
            Pid::from_raw(self.program.id().try_into().unwrap()),
            Signal::SIGINT,
        )
        .unwrap();
        while self.read() {}
        self.program.wait().unwrap();
        self.lines()
    }
}

/// Whether a search is summed up in the first line, and `workers` lines say where workers are.
fn shows_search(lines: &[String], workers: usize) -> bool {
    let [summary, own @ ..] = lines else {
        return false;
    };
    let is_place = |line: &String| {
        let is_place = line.starts_with("  below ") || line.starts_with("  from the root: ");
        is_place && line.contains(" explored, ") && line.ends_with(" %")
    };
    summary.contains(" a second, about ")
        && summary.ends_with(" % of the search")
        && own.len() == workers
        && own.iter().all(is_place)
}

fn search(verb: &str, jobs: &str) -> Command {
    let mut command = program();
    command.args([verb, "-c", "fixtures.tree.SearchTree", "--scope", "14"]);
    command.args(["--search", "korat", "--jobs", jobs]);
    command.arg("-p").arg(fixtures::classes());
    command
}

/// Several workers have a line each below the summary; at the end the lines are gone.
#[test]
fn each_worker_has_a_line() {
    for verb in ["enumerate", "check"] {
        let mut session = Session::start(&mut search(verb, "3"));
        session.wait_for(|lines| shows_search(lines, 3));
        let left = session.interrupt();
        assert!(left[0].starts_with("heapwright: "), "{verb}: {left:?}");
        let is_progress = |line: &String| line.starts_with("  ") || line.contains(" a second, ");
        assert!(!left.iter().any(is_progress), "{verb}: {left:?}");
    }
}

/// A single worker has no line but the summary.
#[test]
fn one_worker_has_one_line() {
    let mut session = Session::start(&mut search("enumerate", "1"));
    session.wait_for(|lines| shows_search(lines, 0));
    session.interrupt();
}

/// Classes that are tested at the same time are named, below what is done of all.
#[test]
fn classes_at_work_are_named() {
    let mut command = program();
    let tests = tempfile::tempdir().unwrap();
    command.args(["generate", "-c", "fixtures.tree.*", "-c", "fixtures.list.*"]);
    command.args(["--jobs", "2", "-o"]);
    command.arg(tests.path()).arg("-p").arg(fixtures::classes());
    let mut session = Session::start(&mut command);
    session.wait_for(|lines| {
        let [summary, own @ ..] = lines else {
            return false;
        };
        let is_class = |line: &String| line.starts_with("  fixtures.") && line.ends_with(" s");
        summary.contains(" classes, ") && own.len() == 2 && own.iter().all(is_class)
    });
    session.interrupt();
}

/// Test classes that run at the same time are named, below the number of those that have run.
#[test]
fn tests_that_are_measured_are_named() {
    let endless = |class: &str| {
        format!(
            "import org.junit.Test;\n\npublic class {class} {{\n    @Test\n    \
             public void loops() {{ for (Code code = new Code(); code != null; code.step()) {{ }} }}\n}}\n"
        )
    };
    let jars = junit::jars();
    let classes = Fixture::new(&[])
        .against(&jars.junit4)
        .text(
            "Code",
            "public class Code { int at; void step() { at++; } }",
        )
        .text("FirstTest", &endless("FirstTest"))
        .text("SecondTest", &endless("SecondTest"))
        .classes();
    let mut command = program();
    command.args(["measure", "-c", "Code", "--jobs", "2"]);
    command.args(["--test-class", "*Test", "--tests"]);
    command.arg(&classes).arg("-p");
    command.arg(join(&[classes, jars.junit4, jars.hamcrest]));
    let mut session = Session::start(&mut command);
    session.wait_for(|lines| lines == ["0 of 2 test classes run", "  FirstTest", "  SecondTest"]);
    session.interrupt();
}
