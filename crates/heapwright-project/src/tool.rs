//! Runs a build tool: the wrapper of the project if it has one, else the installed tool.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{BuildRequest, BuildRoot, BuildTool, ProjectError, gradle};

/// Interval between two checks whether the tool has ended.
const POLL: Duration = Duration::from_millis(20);
/// Lines of a failure that are shown.
const SHOWN: usize = 5;

/// Command of the build tool of a project; none if it is not installed.
pub(crate) fn command(root: &BuildRoot) -> Option<PathBuf> {
    let suffixes: &[&str] = if cfg!(windows) {
        &[".cmd", ".bat"]
    } else {
        &[""]
    };
    let named = |folder: &Path, name: &str| {
        let mut files = suffixes
            .iter()
            .map(|suffix| folder.join(format!("{name}{suffix}")));
        files.find(|file| file.is_file())
    };
    if let Some(wrapper) = named(&root.folder, root.tool.wrapper()) {
        return Some(wrapper);
    }
    let homes = match root.tool {
        BuildTool::Maven => ["MAVEN_HOME", "M2_HOME"],
        BuildTool::Gradle => ["GRADLE_HOME", "GRADLE_ROOT"],
    };
    let path = env::var_os("PATH").unwrap_or_default();
    let homes = homes.iter().filter_map(env::var_os);
    let homes = homes.map(|home| Path::new(&home).join("bin"));
    let mut folders = env::split_paths(&path).chain(homes);
    folders.find_map(|folder| named(&folder, root.tool.command()))
}

/// Runs the build tool in the root folder of a project, and returns what it printed.
///
/// # Errors
/// It is missing, cannot be started, fails or takes too long.
pub(crate) fn run(
    root: &BuildRoot,
    request: &BuildRequest,
    arguments: &[String],
) -> Result<String, ProjectError> {
    let deadline = request.deadline;
    let ends = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    run_until(root, &request.arguments, arguments, &ends)
}

/// Does the same as [`run`], with further arguments, until `ends`.
///
/// # Errors
/// See [`run`].
pub(crate) fn run_until(
    root: &BuildRoot,
    further: &[String],
    arguments: &[String],
    ends: &dyn Fn() -> bool,
) -> Result<String, ProjectError> {
    let output = output_until(root, further, arguments, ends)?;
    if output.is_success {
        return Ok(output.printed);
    }
    Err(ProjectError::Failed {
        build: root.file.clone(),
        tool: root.tool,
        message: output.failure(),
        shown: shown(root.tool, arguments),
    })
}

/// What a build tool printed.
pub(crate) struct ToolOutput {
    pub(crate) is_success: bool,
    pub(crate) printed: String,
    pub(crate) said: String,
}

impl ToolOutput {
    /// First lines that tell why it failed.
    pub(crate) fn failure(&self) -> String {
        failure(&self.printed, &self.said)
    }
}

/// Runs the build tool as [`run_until`] does, and returns what it printed, whether it failed or not.
///
/// # Errors
/// It is missing, cannot be started or takes too long.
pub(crate) fn output_until(
    root: &BuildRoot,
    further: &[String],
    arguments: &[String],
    ends: &dyn Fn() -> bool,
) -> Result<ToolOutput, ProjectError> {
    let path = command(root).ok_or_else(|| ProjectError::NoTool {
        build: root.file.clone(),
        tool: root.tool,
        command: root.tool.command(),
        wrapper: root.tool.wrapper(),
    })?;
    let not_started = |source| ProjectError::NotStarted {
        command: path.clone(),
        source,
    };
    let mut command = Command::new(&path);
    command
        .current_dir(&root.folder)
        .args(arguments)
        .args(further);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(not_started)?;
    let (printed, said) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Some(status) = wait(&mut child, ends).map_err(not_started)? else {
        return Err(ProjectError::TimedOut {
            build: root.file.clone(),
            tool: root.tool,
        });
    };
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        let bytes = reader.join().unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(ToolOutput {
        is_success: status.success(),
        printed: text(printed),
        said: text(said),
    })
}

/// Command that does the same for a person: without what makes the tool silent and what is asked of
/// it beside.
pub(crate) fn shown(tool: BuildTool, arguments: &[String]) -> String {
    let is_plain =
        |word: &&String| !["-q", "-B"].contains(&word.as_str()) && !word.starts_with("-D");
    let mut plain = vec![tool.command()];
    let mut words = arguments.iter().filter(is_plain);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--init-script" => drop(words.next()),
            // A task that each build has, and that reads all of it.
            gradle::TASK => plain.push("projects"),
            word => plain.push(word),
        }
    }
    plain.join(" ")
}

/// Reads a stream to its end, so that the process does not wait for a reader.
fn reader(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before an error is shown.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Waits for the end of a process; as soon as `ends` it is killed, and there is no status.
fn wait(child: &mut Child, ends: &dyn Fn() -> bool) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if ends() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// First lines of what a failed tool said that tell the reason.
fn failure(printed: &str, said: &str) -> String {
    const MARKS: [&str; 3] = ["[ERROR]", "[FATAL]", "* "];
    /// Beginning of Maven's advice behind the reason.
    const ADVICE: &str = "To see the full stack trace";
    let texts = [printed, said].map(without_colours);
    let lines = || texts.iter().flat_map(|text| text.lines()).map(str::trim);
    // Gradle's reason stands below a title.
    let titled = lines()
        .skip_while(|line| *line != "* What went wrong:")
        .skip(1);
    let titled: Vec<&str> = titled.take_while(|line| !line.is_empty()).collect();
    let marked = lines().filter_map(|line| {
        let text = MARKS[..2].iter().find_map(|mark| line.strip_prefix(mark))?;
        Some(text.trim())
    });
    let marked = marked.take_while(|line| !line.starts_with(ADVICE));
    let marked: Vec<&str> = marked.filter(|line| !line.is_empty()).collect();
    let reason = match (titled.is_empty(), marked.is_empty()) {
        (false, _) => titled,
        (true, false) => marked,
        (true, true) => lines().filter(|line| !line.is_empty()).collect(),
    };
    let mut first: Vec<&str> = Vec::new();
    for line in reason {
        if first.len() < SHOWN && !first.contains(&line) {
            first.push(line);
        }
    }
    first.join("\n    ")
}

/// Text without what gives a terminal colours, which Maven writes even where it is told to use none.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let is_of_colour = |letter: char| letter.is_ascii_digit() || letter == ';';
        let rest = part.trim_start_matches(is_of_colour);
        plain + rest.strip_prefix('m').unwrap_or(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_tell_the_reason() {
        let maven = "[INFO] Scanning for projects...\n[ERROR] [ERROR] Some problems:\n[ERROR] \n[ERROR] Malformed POM\n";
        assert_eq!(
            failure(maven, ""),
            "[ERROR] Some problems:\n    Malformed POM"
        );
        let maven = "\u{1b}[0m[ERROR] no such file -> [Help 1]\n[ERROR] \n[ERROR] To see the full stack trace of the errors, \
                     re-run\n[ERROR] [Help 1] more\n\u{1b}[1;31m\n";
        assert_eq!(failure(maven, ""), "no such file -> [Help 1]");
        let gradle = "FAILURE: Build failed\n\n* Where:\nBuild file\n\n* What went wrong:\nno such plugin\n> [id: 'x']\n\n* Try:\n";
        assert_eq!(failure("", gradle), "no such plugin\n    > [id: 'x']");
        assert_eq!(failure("", "sh: java: not found\n"), "sh: java: not found");
    }

    #[test]
    fn commands_that_are_shown_need_nothing_of_ours() {
        let words = "-q -B -Dheapwright.project=f --init-script g validate".split(' ');
        let words: Vec<String> = words.map(str::to_owned).collect();
        assert_eq!(shown(BuildTool::Maven, &words), "mvn validate");
        let words = ["-q", "--init-script", "f", gradle::TASK].map(str::to_owned);
        assert_eq!(shown(BuildTool::Gradle, &words), "gradle projects");
    }
}
