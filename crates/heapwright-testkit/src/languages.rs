//! Fixtures in other languages of the JVM: the programs in `fixtures/kotlin` and `fixtures/scala`.
//!
//! Their compilers are jars of Maven's central repository. As for Java fixtures, the folder of the
//! classes is named after the sources and the compiler, and never changed afterwards.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use crate::fixtures::{files, project};
use crate::jars::resolved;
use crate::jdk::compilers;
use crate::junit::join;
use crate::target::{check, whole_folder};

/// A language with its compiler.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Name of the folder of its fixtures.
    folder: &'static str,
    extension: &'static str,
    /// Coordinates of the compiler.
    compiler: &'static str,
    /// Main class of the compiler.
    main: &'static str,
    options: &'static [&'static str],
    /// Jar of the standard library, among the dependencies of the compiler.
    library: &'static str,
}

/// Kotlin.
pub const KOTLIN: Language = Language {
    folder: "kotlin",
    extension: "kt",
    compiler: "org.jetbrains.kotlin:kotlin-compiler-embeddable:1.9.24",
    main: "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
    options: &["-no-stdlib", "-no-reflect", "-jvm-target", "17"],
    library: "kotlin-stdlib-1.9.24.jar",
};

/// Scala.
pub const SCALA: Language = Language {
    folder: "scala",
    extension: "scala",
    compiler: "org.scala-lang:scala-compiler:2.13.14",
    main: "scala.tools.nsc.Main",
    options: &["-release", "17"],
    library: "scala-library-2.13.14.jar",
};

impl Language {
    /// Class path of the language's fixtures: the folder of their classes, which are compiled at
    /// their first use in this build folder, and the standard library.
    ///
    /// # Panics
    /// The compiler cannot be fetched, or it refuses the sources.
    #[must_use]
    pub fn class_path(&self) -> [PathBuf; 2] {
        let compiler = resolved(self.compiler);
        let library = compiler.iter().find(|jar| jar.ends_with(self.library));
        let Some(library) = library else {
            panic!("{} does not depend on {}", self.compiler, self.library);
        };
        let sources = files(
            &project().join("fixtures").join(self.folder),
            self.extension,
        );
        let mut hasher = DefaultHasher::new();
        (self.compiler, self.options).hash(&mut hasher);
        for source in &sources {
            check("read", source, fs::read(source)).hash(&mut hasher);
        }
        let name = format!("{:016x}", hasher.finish());
        let classes = whole_folder("fixtures", &name, |fresh| {
            check("make", fresh, fs::create_dir_all(fresh));
            let mut java = compilers()[0].java();
            java.arg("-cp").arg(join(&compiler)).arg(self.main);
            java.args(self.options).arg("-cp").arg(library);
            java.arg("-d").arg(fresh).args(&sources);
            let output = check("start the compiler for", fresh, java.output());
            assert!(
                output.status.success(),
                "failed to compile {sources:?}:\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        });
        [classes, library.clone()]
    }
}
