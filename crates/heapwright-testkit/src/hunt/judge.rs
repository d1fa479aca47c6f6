//! The judge: Java processes that make heaps and calls on a real JVM, one for each world.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::case::{Case, Kind};
use crate::fixtures::{Fixture, project};
use crate::java_server::JavaServer;
use crate::jdk::Jdk;

/// Module packages that the judge uses to make objects without a constructor.
const EXPORTS: &str = "java.base/jdk.internal.misc=ALL-UNNAMED";

/// Options of the worlds: what code can read of its surroundings differs.
const WORLDS: [&[&str]; 3] = [
    &[
        "-XX:ActiveProcessorCount=1",
        "-XX:+UseSerialGC",
        "-Xmx256m",
        "-Xss4m",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8",
    ],
    &[
        "-XX:ActiveProcessorCount=3",
        "-XX:+UseParallelGC",
        "-Xmx200m",
        "-Xss400k",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:hashCode=2",
        "-Duser.language=tr",
        "-Duser.country=TR",
        "-Duser.timezone=Asia/Kolkata",
        "-Dfile.encoding=ISO-8859-1",
        "-Duser.name=hunter",
        "-Dhunt.flag=true",
        "-Dhunt.level=3",
    ],
    // Strings as long as there are.
    &["-Xmx5g", "-XX:+UseSerialGC"],
];

/// Lines of an answer, in words.
pub(super) type Answer = Vec<Vec<String>>;

/// Java process that answers requests, started anew if it does not answer.
pub struct Judge {
    jdk: Jdk,
    classes: PathBuf,
    world: usize,
    /// Most time for an answer.
    most_wait: Duration,
    running: Option<JavaServer>,
}

impl Judge {
    /// A judge for each world.
    ///
    /// # Panics
    /// The judge does not compile.
    #[must_use]
    pub fn of_worlds(jdk: &Jdk, most_wait: Duration) -> Vec<Judge> {
        let java = project().join("crates/heapwright-testkit/java/hunt");
        let classes = Fixture::new(&["-nowarn", "--add-exports", EXPORTS])
            .by(jdk)
            .folder(&java)
            .classes();
        let of_world = |world| Judge {
            jdk: jdk.clone(),
            classes: classes.clone(),
            world,
            most_wait,
            running: None,
        };
        (0..WORLDS.len()).map(of_world).collect()
    }

    fn start(&self) -> JavaServer {
        let mut java = self.jdk.java();
        // Accessors made at run time cost more than they save where classes are loaded so often.
        java.args([
            "-ea",
            "-Dsun.reflect.inflationThreshold=1000000",
            "--add-exports",
            EXPORTS,
        ])
        .args(WORLDS[self.world]);
        java.arg("-cp").arg(&self.classes).arg("judge.Judge");
        JavaServer::start(&mut java)
    }

    /// The answer to a request, in words; `None` if there is none in time.
    pub fn ask(&mut self, request: &[&str]) -> Option<Answer> {
        if self.running.is_none() {
            self.running = Some(self.start());
        }
        let running = self.running.as_mut()?;
        let Some(mut answer) = running.ask(request, &|line| line == ".", self.most_wait) else {
            self.running = None;
            return None;
        };
        answer.pop();
        let words = |line: String| line.split('\t').map(str::to_owned).collect();
        Some(answer.into_iter().map(words).collect())
    }

    /// Writes and compiles cases, in a folder below `folder` each; returns those that javac refuses.
    ///
    /// # Panics
    /// The folder cannot be written.
    pub fn compile(&mut self, folder: &Path, cases: &[(String, Case)]) -> HashSet<String> {
        let mut wrong = HashSet::new();
        for what in ["plain", "twin"] {
            let is_twin = what == "twin";
            let right = || {
                cases.iter().filter(|(name, case)| {
                    let has_twin = !matches!(case.kind, Kind::Structures | Kind::Builds);
                    !wrong.contains(name) && (has_twin || !is_twin)
                })
            };
            let mut request = vec!["compile", folder.to_str().unwrap_or_default(), what];
            for (name, case) in right() {
                let sources = folder.join(name).join(format!("{what}-src"));
                let written = std::fs::create_dir_all(&sources).and_then(|()| {
                    let mut files = case.sources(name, is_twin).into_iter();
                    files.try_for_each(|(file, text)| std::fs::write(sources.join(file), text))
                });
                written.unwrap_or_else(|error| {
                    panic!("failed to write {}: {error}", sources.display())
                });
                request.push(name);
            }
            let answer = self.ask(&request);
            match answer {
                Some(answer) => {
                    for words in answer {
                        match &words[..] {
                            [bad, name, message] if bad == "bad" => {
                                if std::env::var_os("HUNT_SHOW").is_some() {
                                    eprintln!("{name}: {message}");
                                }
                                wrong.insert(name.clone());
                            }
                            _ => eprintln!("hunt: {}", words.join(" ")),
                        }
                    }
                }
                None => wrong.extend(cases.iter().map(|one| one.0.clone())),
            }
        }
        wrong
    }
}
