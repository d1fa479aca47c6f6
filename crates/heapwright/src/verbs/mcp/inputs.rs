//! Inputs of tools, and the command lines that they become.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::options::{FrameworkName, OperatorGroupName};
use crate::verbs::sequences::CoverageCriterionName;

/// Input of a tool.
pub trait ToolInput: DeserializeOwned + JsonSchema + 'static {
    /// Project and limits.
    fn project(&self) -> &ProjectInput;

    /// Command line of the verb, without the options of the project; tests go to `output`.
    fn command(&self, output: Option<&Path>) -> CommandLine;

    /// Folder that the input names for tests; none for tools that write no files.
    fn output(&self) -> OutputFolder {
        OutputFolder::None
    }

    /// Whether the text of the files written is asked for.
    fn includes_sources(&self) -> bool {
        false
    }
}

/// Folder for the files that a tool writes.
pub enum OutputFolder {
    /// No files are written.
    None,
    /// A folder for this run alone.
    Temporary,
    /// Folder of the input.
    Named(PathBuf),
}

/// Words of a command line of this program.
#[derive(Default)]
pub struct CommandLine(Vec<OsString>);

impl CommandLine {
    /// Begins a command line with the verb.
    fn of(verb: &str) -> CommandLine {
        CommandLine(vec![verb.into()])
    }

    /// Adds an option with each of these values. In one word, so that a value may begin with a
    /// hyphen.
    fn option<T: Into<OsString>>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> CommandLine {
        for value in values {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value.into());
            self.0.push(word);
        }
        self
    }

    /// Adds an option without a value, if it is given.
    fn flag(mut self, name: &str, is_given: bool) -> CommandLine {
        if is_given {
            self.0.push(format!("--{name}").into());
        }
        self
    }

    /// Adds arguments without a name.
    fn arguments<T: Into<OsString>>(mut self, values: impl IntoIterator<Item = T>) -> CommandLine {
        self.0.extend(values.into_iter().map(Into::into));
        self
    }

    /// The words; the verb is the first, unless these are only options.
    pub fn words(&self) -> &[OsString] {
        &self.0
    }
}

/// Project of a request, and the limits of its run.
#[derive(Deserialize, JsonSchema)]
pub struct ProjectInput {
    /// Folder of the project, in which the run takes place; paths are relative to it. Settings are
    /// read from heapwright.toml there or above. Default: the folder in which the server was
    /// started.
    directory: Option<PathBuf>,
    /// Folders of compiled classes and jars, an entry each, as target/classes. Compile the
    /// project before a call. Default: the class path of the project's build, else the folder
    /// itself.
    #[serde(default)]
    class_path: Vec<String>,
    /// Folder of the JDK whose library is run: 17, 21 or 25. Default: JAVA_HOME, else java on the
    /// PATH.
    jdk: Option<String>,
    /// Time limit of the run in seconds. At the limit the run ends with what it has found.
    #[serde(default = "default_time_limit")]
    #[schemars(range(min = 1, max = 86400))]
    time_limit_seconds: u64,
    /// Memory limit, as 512m or 2g. Default: 2g.
    max_memory: Option<String>,
}

fn default_time_limit() -> u64 {
    60
}

impl ProjectInput {
    /// Folder in which the run takes place.
    pub fn directory(&self) -> &Path {
        self.directory.as_deref().unwrap_or(Path::new("."))
    }

    /// Time limit of the run.
    pub fn time_limit(&self) -> Duration {
        Duration::from_secs(self.time_limit_seconds)
    }

    /// Options of the project.
    pub fn options(&self) -> CommandLine {
        CommandLine::default()
            .option("classpath", &self.class_path)
            .option("jdk", &self.jdk)
            .option("time-limit", [format!("{}s", self.time_limit_seconds)])
            .option("max-memory", &self.max_memory)
    }
}

/// Input of `generate`.
#[derive(Deserialize, JsonSchema)]
pub struct GenerateInput {
    #[serde(flatten)]
    project: ProjectInput,
    /// Classes under test, by their binary names, as com.acme.Stack or com.acme.Map$Entry, or
    /// patterns: com.acme.* matches a package, com.acme.** all packages below it.
    #[schemars(length(min = 1))]
    classes: Vec<String>,
    /// Methods under test, as remove or remove(int). Default: all that tests may call.
    #[serde(default)]
    methods: Vec<String>,
    /// Folder for the test sources, as src/test/java. Files written by hand are never
    /// overwritten. Default: no file stays, and the tests are only returned.
    output: Option<PathBuf>,
    /// Return the text of the test sources; always so without an output folder.
    #[serde(default)]
    include_sources: bool,
    /// Run the tests that exist first, those in the output folder among them, and add only tests
    /// that cover or notice something further.
    #[serde(default)]
    update: bool,
    /// Folders and jars of further existing tests, compiled, as target/test-classes; with update.
    #[serde(default)]
    existing_tests: Vec<String>,
    /// Test only classes whose source files differ from this revision of git, as HEAD~1.
    changed_since: Option<String>,
    /// Folders and jars that only tests need, as those of JUnit, Mockito or AssertJ.
    #[serde(default)]
    test_class_path: Vec<String>,
    /// Version of JUnit that tests are written for, or TestNG. Default: 5.
    #[schemars(extend("enum" = names::<FrameworkName>()))]
    junit: Option<String>,
    /// Group of small changes of the code (mutants) that tests are to notice. Default: defaults.
    #[schemars(extend("enum" = names::<OperatorGroupName>()))]
    mutants: Option<String>,
}

impl ToolInput for GenerateInput {
    fn project(&self) -> &ProjectInput {
        &self.project
    }

    fn command(&self, output: Option<&Path>) -> CommandLine {
        CommandLine::of("generate")
            .option("class", &self.classes)
            .option("method", &self.methods)
            .option("output", output)
            .flag("update", self.update)
            .option("tests", &self.existing_tests)
            .option("changed-since", &self.changed_since)
            .option("test-classpath", &self.test_class_path)
            .option("junit", &self.junit)
            .option("mutants", &self.mutants)
    }

    fn output(&self) -> OutputFolder {
        match &self.output {
            Some(folder) => OutputFolder::Named(folder.clone()),
            None => OutputFolder::Temporary,
        }
    }

    fn includes_sources(&self) -> bool {
        self.include_sources || self.output.is_none()
    }
}

/// Input of `check`.
#[derive(Deserialize, JsonSchema)]
pub struct CheckInput {
    #[serde(flatten)]
    project: ProjectInput,
    /// Class under test, by its binary name, as com.acme.Stack or com.acme.Map$Entry.
    class: String,
    /// Methods to call, as remove or remove(int). Default: all public ones.
    #[serde(default)]
    methods: Vec<String>,
    /// Bound: up to this many objects of each class, integers from 0 to one less. Begin with 3;
    /// the work grows steeply. Needed unless heapwright.toml or finitization_args set bounds.
    scope: Option<u32>,
    /// Arguments of the class's own Korat finitization method, separated by commas, instead of a
    /// scope.
    finitization_args: Option<String>,
    /// Boolean method of the class that decides whether a structure is well-formed, or none to
    /// take all structures. Default: repOK, repOk, checkRep, invariant or isValid.
    invariant: Option<String>,
    /// Static methods that decide whether a call behaved correctly: NAME where one method is
    /// checked, else METHOD=NAME.
    #[serde(default)]
    oracles: Vec<String>,
    /// Another implementation with the same methods, whose outcomes must be the same, as
    /// java.util.TreeSet.
    against: Option<String>,
    /// Binary names of exceptions by which methods may refuse a call.
    #[serde(default)]
    expected_exceptions: Vec<String>,
    /// Folder for a JUnit test and drawings of each counterexample. Default: none are written.
    output: Option<PathBuf>,
    /// Return the text of the files written to the output folder.
    #[serde(default)]
    include_sources: bool,
    /// Version of JUnit that tests are written for, or TestNG. Default: 5.
    #[schemars(extend("enum" = names::<FrameworkName>()))]
    junit: Option<String>,
}

impl ToolInput for CheckInput {
    fn project(&self) -> &ProjectInput {
        &self.project
    }

    fn command(&self, output: Option<&Path>) -> CommandLine {
        CommandLine::of("check")
            .option("class", [&self.class])
            .option("method", &self.methods)
            .option("scope", self.scope.map(|scope| scope.to_string()))
            .option("args", &self.finitization_args)
            .option("invariant", &self.invariant)
            .option("oracle", &self.oracles)
            .option("against", &self.against)
            .option("expect-exception", &self.expected_exceptions)
            .option("output", output)
            .option("junit", &self.junit)
    }

    fn output(&self) -> OutputFolder {
        let named = self.output.clone();
        named.map_or(OutputFolder::None, OutputFolder::Named)
    }

    fn includes_sources(&self) -> bool {
        self.include_sources
    }
}

/// Input of `measure`.
#[derive(Deserialize, JsonSchema)]
pub struct MeasureInput {
    #[serde(flatten)]
    project: ProjectInput,
    /// Classes under test, by their binary names, or patterns: com.acme.* matches a package,
    /// com.acme.** all packages below it.
    #[schemars(length(min = 1))]
    classes: Vec<String>,
    /// Methods under test, as remove or remove(int). Default: all.
    #[serde(default)]
    methods: Vec<String>,
    /// Folders and jars of compiled tests, as target/test-classes. What they need, JUnit included,
    /// is on the class path.
    tests: Vec<String>,
    /// Patterns of the test classes to run, as *Test or com.acme.**. Default: all.
    #[serde(default)]
    test_classes: Vec<String>,
    /// Group of small changes of the code (mutants) that tests should notice; none measures
    /// coverage alone. Default: defaults.
    #[schemars(extend("enum" = names::<OperatorGroupName>()))]
    mutants: Option<String>,
}

impl ToolInput for MeasureInput {
    fn project(&self) -> &ProjectInput {
        &self.project
    }

    fn command(&self, _output: Option<&Path>) -> CommandLine {
        CommandLine::of("measure")
            .option("class", &self.classes)
            .option("method", &self.methods)
            .option("tests", &self.tests)
            .option("test-class", &self.test_classes)
            .option("mutants", &self.mutants)
    }
}

/// Input of `verify`.
#[derive(Deserialize, JsonSchema)]
pub struct VerifyInput {
    #[serde(flatten)]
    project: ProjectInput,
    /// Class with the main method, by its binary name, or a .jpf file of Java PathFinder.
    main: Option<String>,
    /// Arguments of the program.
    #[serde(default)]
    arguments: Vec<String>,
    /// Class of a method that is verified in place of a program.
    class: Option<String>,
    /// Method whose arguments are open, as remove or remove(int); with class.
    method: Option<String>,
    /// Property: assertions, no-runtime-exception, no-exception or no-deadlock, or a property file. Default:
    /// assertions.
    property: Option<String>,
    /// Bound: characters of strings, elements of arrays and objects of a class in inputs. Default:
    /// 3, then more.
    scope: Option<u32>,
    /// Bound: iterations of a loop by decisions on inputs. Default: 4, then more.
    loop_k: Option<u32>,
    /// Bound: instructions of one run. Default: 2 million, then more.
    max_steps: Option<u64>,
}

impl ToolInput for VerifyInput {
    fn project(&self) -> &ProjectInput {
        &self.project
    }

    fn command(&self, _output: Option<&Path>) -> CommandLine {
        CommandLine::of("verify")
            .option("class", &self.class)
            .option("method", &self.method)
            .option("property", &self.property)
            .option("scope", self.scope.map(|scope| scope.to_string()))
            .option("loop-k", self.loop_k.map(|loops| loops.to_string()))
            .option("max-steps", self.max_steps.map(|steps| steps.to_string()))
            .arguments(&self.main)
            .arguments(&self.arguments)
    }
}

/// Input of `explain`.
#[derive(Deserialize, JsonSchema)]
pub struct ExplainInput {
    #[serde(flatten)]
    project: ProjectInput,
    /// Class to explain, by its binary name, as com.acme.Stack or com.acme.Map$Entry.
    class: String,
    /// Methods whose goals are explained, as remove or remove(int). Default: all that tests may
    /// call.
    #[serde(default)]
    methods: Vec<String>,
    /// Kind of goals that tests are to cover. Default: branches.
    #[schemars(extend("enum" = names::<CoverageCriterionName>()))]
    criterion: Option<String>,
}

impl ExplainInput {
    /// Options of the goals.
    fn goals(&self) -> CommandLine {
        CommandLine::of("generate")
            .option("class", [&self.class])
            .option("method", &self.methods)
            .option("criterion", &self.criterion)
    }

    /// Command line that prints the members of the class, without a search.
    pub fn members(&self) -> CommandLine {
        self.goals().flag("print-analysis", true)
    }
}

impl ToolInput for ExplainInput {
    fn project(&self) -> &ProjectInput {
        &self.project
    }

    fn command(&self, output: Option<&Path>) -> CommandLine {
        self.goals()
            .option("mutants", ["none"])
            .option("output", output)
            .option("junit-check", ["none"])
    }

    fn output(&self) -> OutputFolder {
        // Settings of the project may name a folder, where no file is wanted.
        OutputFolder::Temporary
    }
}

/// Names of an option's values, and null for its default.
fn names<T: ValueEnum>() -> Vec<Option<String>> {
    let values = T::value_variants().iter();
    let values = values.filter_map(ValueEnum::to_possible_value);
    let names = values.map(|value| Some(value.get_name().to_owned()));
    names.chain([None]).collect()
}
