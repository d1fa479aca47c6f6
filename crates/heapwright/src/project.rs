//! Project awareness: in a folder with a build of Maven or Gradle, options that the command line and
//! the settings file leave open come from the build.
//!
//! Like the settings, they are words of a command line, so that a verb knows nothing of builds.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use heapwright_jvm::Jdk;
use heapwright_project::{BuildRequest, BuildRoot, BuildTool, Compilation, Module, Project};

use crate::interrupt;
use crate::junit;
use crate::options::class_name_fits;
use crate::report::explain::suggest;

/// Verbs whose options have defaults of their own in a project.
const GENERATE: &str = "generate";
const MEASURE: &str = "measure";

/// Options that the build gives a verb.
#[derive(Debug, Default)]
pub struct ProjectOptions {
    /// Words of a command line.
    pub words: Vec<OsString>,
    /// What a user should know of the build.
    pub notices: Vec<String>,
    /// What was taken from it.
    pub details: Vec<String>,
}

/// What a command line means in a project.
#[derive(Debug)]
pub enum InProject {
    /// There is no build, or the command line does without.
    Apart,
    /// A run on one module.
    Module(ProjectOptions),
    /// Runs on several modules, one after the other, and what a user should know of others.
    Modules(Vec<ModuleShare>, Vec<String>),
}

/// Module of a run on several ones.
#[derive(Debug)]
pub struct ModuleShare {
    /// Name by which the build tool knows it.
    pub name: String,
    /// Number of its classes, by which the time is shared.
    pub classes: usize,
    /// Folders of its classes.
    pub outputs: Vec<PathBuf>,
}

/// Command line of a verb, parsed without what the project adds to it.
#[derive(Clone, Copy)]
pub struct GivenOptions<'g> {
    /// Verb with its options.
    pub verb: &'g Command,
    /// Options of the command line.
    pub line: &'g ArgMatches,
    /// Identifiers of options that the settings file gives.
    pub of_file: &'g dyn Fn(&str) -> bool,
}

impl GivenOptions<'_> {
    /// Whether the command line or the settings file has an option.
    fn has(&self, id: &str) -> bool {
        self.is_on_line(id) || (self.of_file)(id)
    }

    fn is_on_line(&self, id: &str) -> bool {
        let is_known = self.line.try_contains_id(id).is_ok();
        is_known && self.line.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Option of the verb with an identifier.
    fn option(&self, id: &str) -> Option<&Arg> {
        let mut options = self.verb.get_arguments();
        options.find(|option| option.get_id() == id)
    }

    /// Values of an option of the command line.
    fn values<T: Clone + Send + Sync + 'static>(&self, id: &str) -> Vec<T> {
        let values = self.line.try_get_many::<T>(id).ok().flatten();
        values.into_iter().flatten().cloned().collect()
    }

    /// Names of classes and patterns of the command line.
    fn classes(&self) -> Vec<String> {
        let ids = ["classes", "class", "main"].into_iter();
        ids.flat_map(|id| self.values::<String>(id)).collect()
    }

    /// Whether tests are written where the project has its own, if no other folder is named.
    fn writes_tests(&self) -> bool {
        let prints = ["format", "print_analysis", "print_candidates", "print_tree"];
        self.verb.get_name() == GENERATE && !prints.iter().any(|id| self.has(id))
    }

    /// Whether the verb runs on several classes.
    fn takes_classes(&self) -> bool {
        self.option("classes").is_some()
    }
}

/// Whether a build file is in a folder or above it.
pub fn is_in_project(folder: &Path) -> bool {
    BuildRoot::find(folder).is_some()
}

/// Modules of the build around the current folder.
///
/// # Errors
/// There is no build, or the build tool fails.
pub fn around(request: &BuildRequest) -> anyhow::Result<Project> {
    let folder = env::current_dir().context("failed to find the current folder")?;
    let root = BuildRoot::find(&folder).context("no build is in this folder or above")?;
    Ok(Project::read(&root, request)?)
}

/// Finds what the build around the current folder adds to a command line.
///
/// # Errors
/// The build tool fails, no module or several ones are meant, or the module is not compiled.
pub fn options(given: GivenOptions<'_>) -> anyhow::Result<InProject> {
    if given.option("module").is_none() {
        return Ok(InProject::Apart);
    }
    if given.has("class_path") {
        for id in ["module", "compile", "build_arguments"] {
            let long = given.option(id).and_then(Arg::get_long).unwrap_or_default();
            ensure!(
                !given.is_on_line(id),
                "--{long} concerns the project's build, and -p names the class path without it: leave one of them out"
            );
        }
        return Ok(InProject::Apart);
    }
    let folder = env::current_dir().context("failed to find the current folder")?;
    let Some(root) = BuildRoot::find(&folder) else {
        ensure!(
            !given.is_on_line("module") && !given.is_on_line("compile"),
            "--module and --compile: no pom.xml, build.gradle or build.gradle.kts is in this folder or above"
        );
        return Ok(InProject::Apart);
    };
    let request = BuildRequest {
        arguments: given.values("build_arguments"),
        deadline: given
            .values::<Duration>("time_limit")
            .first()
            .and_then(|limit| interrupt::started().checked_add(*limit)),
    };
    let project = Project::read(&root, &request)?;
    let modules = chosen(&project, &folder, given)?;
    if given.line.try_get_one::<bool>("compile").ok().flatten() == Some(&true) {
        for module in &modules {
            project.compile(module, &request)?;
        }
    }
    let modules: Vec<&Module> = match &modules[..] {
        [_] => modules,
        _ => {
            let with_classes = modules
                .into_iter()
                .filter(|module| module.compilation() != Compilation::NoSources);
            with_classes.collect()
        }
    };
    let measures_several = given.verb.get_name() == MEASURE && modules.len() > 1;
    let (modules, untested): (Vec<&Module>, Vec<&Module>) = modules
        .into_iter()
        .partition(|module| !measures_several || module.has_compiled_tests());
    let left_out = untested.iter().map(|module| {
        format!(
            "module {} has no compiled tests: its classes are not measured",
            module.name
        )
    });
    let mut left_out: Vec<String> = left_out.collect();
    let jdk = given.values::<PathBuf>("jdk");
    for module in &modules {
        ensure_compiled(&project, module)?;
        let jdk = jdk.first().cloned().or_else(|| jdk_of(module));
        ensure_new_enough(module, jdk.as_deref())?;
    }
    if let [module] = &modules[..] {
        ensure!(
            module.compilation() != Compilation::NoSources,
            "module {} has no sources or classes{}",
            module.name,
            with_code(&project)
        );
    }
    let modules = match given.writes_tests() && !given.has("output") {
        true => alone_in_their_folders(&project, modules, &mut left_out)?,
        false => modules,
    };
    let needs_framework = {
        let asks = given.has("junit") || given.has("format");
        given.verb.get_name() == GENERATE && !asks
    };
    let (modules, bare): (Vec<&Module>, Vec<&Module>) = modules
        .into_iter()
        .partition(|module| !needs_framework || has_framework(module));
    if let (true, Some(module)) = (modules.is_empty(), bare.first()) {
        bail!(
            "tests of {} have nothing to run with: add {} to its dependencies, or name a framework with --junit",
            module.name,
            dependency_on_junit(project.root.tool)
        );
    }
    left_out.extend(bare.iter().map(|module| {
        format!(
            "module {} has neither JUnit nor TestNG for tests: none are written (--junit writes them nevertheless)",
            module.name
        )
    }));
    match &modules[..] {
        [] if measures_several => bail!("{}: no module has compiled tests", root.file.display()),
        [] => bail!("{}: no module has sources", root.file.display()),
        [module] => {
            let mut options = of_module(&project, module, given)?;
            options.notices.extend(left_out);
            Ok(InProject::Module(options))
        }
        _ if given.takes_classes() => {
            let shares = modules.iter().map(|module| ModuleShare {
                name: module.name.clone(),
                classes: module.classes().len(),
                outputs: module.outputs.clone(),
            });
            Ok(InProject::Modules(shares.collect(), left_out))
        }
        _ => bail!(
            "{}: {} is meant in several modules: choose one with --module: {}",
            root.file.display(),
            given.classes().first().map_or("a class", String::as_str),
            names(&modules)
        ),
    }
}

/// Whether a module's tests have a framework on their class path.
fn has_framework(module: &Module) -> bool {
    let jars = module.class_path.iter().chain(&module.test_class_path);
    let jars: Vec<PathBuf> = jars.filter(|jar| jar.exists()).cloned().collect();
    // What cannot be read is said where it is used.
    junit::has_framework(&jars).unwrap_or(true)
}

/// JUnit as a dependency of tests in the notation of a build tool.
fn dependency_on_junit(tool: BuildTool) -> &'static str {
    match tool {
        BuildTool::Maven => {
            "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>\
             <version>5.13.4</version><scope>test</scope></dependency>"
        }
        BuildTool::Gradle => "testImplementation(\"org.junit.jupiter:junit-jupiter:5.13.4\")",
    }
}

/// Names of modules for a message.
fn names(modules: &[&Module]) -> String {
    let names: Vec<&str> = modules.iter().map(|module| module.short_name()).collect();
    names.join(", ")
}

/// End of a message on modules without code: which ones have any.
fn with_code(project: &Project) -> String {
    let all: Vec<&Module> = project
        .modules
        .iter()
        .filter(|module| module.has_code())
        .collect();
    match all.is_empty() {
        true => ", nor has another one: if the build generates them, compile it first".to_owned(),
        false => format!("; with code are: {}", names(&all)),
    }
}

/// Modules without those whose folder of tests is another one's, too, which are told: a test for the
/// classes of one would be compiled with both.
///
/// # Errors
/// None is left.
fn alone_in_their_folders<'p>(
    project: &Project,
    modules: Vec<&'p Module>,
    left_out: &mut Vec<String>,
) -> anyhow::Result<Vec<&'p Module>> {
    let canonical = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let sharer = |module: &Module| {
        let folder = canonical(folder_of_tests(module)?);
        let mut others = project
            .modules
            .iter()
            .filter(|other| other.folder != module.folder);
        let other = others.find(|other| {
            other
                .test_sources
                .iter()
                .any(|its| canonical(its) == folder)
        });
        other.map(|other| {
            format!(
                "{} is the folder of tests of {} and of {}, which would both compile what is written there",
                folder.display(),
                module.name,
                other.name
            )
        })
    };
    let mut alone = Vec::new();
    let mut shared = Vec::new();
    for module in modules {
        match sharer(module) {
            Some(message) => shared.push(message),
            None => alone.push(module),
        }
    }
    if let (true, Some(message)) = (alone.is_empty(), shared.first()) {
        bail!("{message}: name another folder with -o");
    }
    left_out.extend(
        shared
            .into_iter()
            .map(|message| format!("{message}: no test is written for it")),
    );
    Ok(alone)
}

/// Modules that a command line means: those asked for, else those of the folder; of several ones
/// those that have a class which it names.
fn chosen<'p>(
    project: &'p Project,
    folder: &Path,
    given: GivenOptions<'_>,
) -> anyhow::Result<Vec<&'p Module>> {
    let build = project.root.file.display();
    let all = || project.modules.iter().filter(|module| module.has_code());
    let modules = match given.values::<String>("module").first() {
        Some(name) => {
            let modules = project.modules_named(name);
            let known: Vec<String> = all().map(|module| module.short_name().to_owned()).collect();
            ensure!(
                !modules.is_empty(),
                "--module {name}: {build} has no such module{}; it has {}",
                suggest(name, &known),
                known.join(", ")
            );
            modules
        }
        None => project.modules_at(folder),
    };
    ensure!(
        !modules.is_empty(),
        "{build}: no module here has sources or classes{}",
        with_code(project)
    );
    let wanted = given.classes();
    if modules.len() == 1 || wanted.is_empty() {
        return Ok(modules);
    }
    let has_wanted = |module: &&Module| {
        let classes = module.classes();
        let fits = |wanted: &String| class_name_fits(wanted, &classes);
        wanted.iter().any(fits)
    };
    let with_wanted: Vec<&Module> = modules.iter().copied().filter(has_wanted).collect();
    ensure!(
        !with_wanted.is_empty(),
        "no compiled class of the modules {} is {}; with -p CLASSPATH classes of libraries can be tested",
        names(&modules),
        wanted.join(" or ")
    );
    Ok(with_wanted)
}

/// Checks that a module has compiled classes.
fn ensure_compiled(project: &Project, module: &Module) -> anyhow::Result<()> {
    let command = project.compile_command(module);
    ensure!(
        module.compilation() != Compilation::Missing,
        "{} is not compiled: no class is in {}: run `{command}` in {}, or add --compile",
        module.name,
        shown(&module.outputs),
        project.root.folder.display()
    );
    if let Some(reason) = &module.unresolved {
        bail!(
            "{}: {} did not find what {} needs: {reason}; run `{command}` in {}",
            project.root.file.display(),
            project.root.tool,
            module.name,
            project.root.folder.display()
        );
    }
    let is_needed = |other: &&Module| {
        let mut outputs = other.outputs.iter();
        outputs.any(|output| module.class_path.contains(output))
    };
    let mut needed = project.modules.iter().filter(is_needed);
    if let Some(needed) = needed.find(|other| other.compilation() == Compilation::Missing) {
        bail!(
            "{} needs {}, which is not compiled: run `{command}` in {}, or add --compile",
            module.name,
            needed.name,
            project.root.folder.display()
        );
    }
    Ok(())
}

/// JDK that the build names for a module, if the engine can use it.
fn jdk_of(module: &Module) -> Option<PathBuf> {
    let jdk = module.jdk.as_deref()?;
    Jdk::find(Some(jdk)).is_ok().then(|| jdk.to_owned())
}

/// What a user should know of the JDK that the build names for a module, where it cannot be used.
fn notice_of_jdk(module: &Module) -> Option<String> {
    let (name, without) = (
        &module.name,
        "the JDK of JAVA_HOME or the PATH takes its place",
    );
    if let Some(wanted) = &module.no_jdk {
        return Some(format!(
            "{name} is built with a JDK ({wanted}) that the build tool does not find: {without}"
        ));
    }
    let reason = Jdk::find(Some(module.jdk.as_deref()?)).err()?;
    Some(format!(
        "{name} is built with a JDK that cannot be used here: {reason}; {without}"
    ))
}

/// Checks that the JDK is as new as the release that a module is compiled for, where both are known.
fn ensure_new_enough(module: &Module, jdk: Option<&Path>) -> anyhow::Result<()> {
    let release = module.release.as_deref().unwrap_or_default();
    // Old releases have names such as 1.8.
    let release = release.strip_prefix("1.").unwrap_or(release);
    if let (Ok(release), Ok(jdk)) = (release.parse::<u32>(), Jdk::find(jdk)) {
        ensure!(
            release <= jdk.feature,
            "{} is compiled for Java {release}, and the JDK in {} is {}: name a newer one with --jdk or JAVA_HOME",
            module.name,
            jdk.home.display(),
            jdk.version
        );
    }
    Ok(())
}

fn shown(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(" or ")
}

/// Options that a module gives a verb.
fn of_module(
    project: &Project,
    module: &Module,
    given: GivenOptions<'_>,
) -> anyhow::Result<ProjectOptions> {
    let mut options = ProjectOptions::default();
    if let Compilation::Stale(file) = module.compilation() {
        options.notices.push(format!(
            "{} is newer than the compiled classes: `{}` in {} compiles it, as does --compile",
            file.display(),
            project.compile_command(module),
            project.root.folder.display()
        ));
    }
    options.details.push(format!(
        "module {} of {}, as {} has it",
        module.name,
        project.root.file.display(),
        project.root.tool
    ));
    let verb = given.verb.get_name();
    let exist = |paths: &[PathBuf]| {
        let exist = paths.iter().filter(|path| path.exists());
        exist.cloned().collect::<Vec<PathBuf>>()
    };
    let own = exist(&module.outputs);
    let needed = exist(&module.class_path);
    let for_tests = exist(&module.test_class_path);
    let mut paths = [&own[..], &needed].concat();
    // Tests to measure bring what they need on the class path itself.
    if verb == MEASURE {
        paths.extend(for_tests.iter().cloned());
    }
    let joined = |paths: &[PathBuf]| {
        env::join_paths(paths).with_context(|| {
            format!(
                "{}: the name of a folder on the class path has the separator of paths",
                module.name
            )
        })
    };
    let mut add = |id: &str, value: OsString| {
        if let Some(long) = given.option(id).and_then(Arg::get_long)
            && !given.has(id)
            && !value.is_empty()
        {
            let mut word = OsString::from(format!("--{long}="));
            word.push(value);
            options.words.push(word);
        }
    };
    match (given.has("jdk"), jdk_of(module)) {
        (true, _) => {}
        (false, Some(jdk)) => add("jdk", jdk.into()),
        (false, None) => options.notices.extend(notice_of_jdk(module)),
    }
    add("class_path", joined(&paths)?);
    add("test_class_path", joined(&for_tests)?);
    for folder in &own {
        add("own_classes", folder.clone().into());
    }
    for folder in exist(&module.sources) {
        add("sources", folder.into());
    }
    for call in &module.formatters {
        add("formatters", call.into());
    }
    if given.option("classes").is_some_and(Arg::is_required_set) {
        add("classes", "**".into());
    }
    let tests = match module.has_compiled_tests() {
        true => exist(&module.test_outputs),
        false => Vec::new(),
    };
    add("try_with", joined(&tests)?);
    if given.writes_tests() {
        let state = match module.test_compilation() {
            Compilation::Missing => Some("are not compiled".to_owned()),
            Compilation::Stale(file) => Some(format!("are older than {}", file.display())),
            Compilation::NoSources | Compilation::Current => None,
        };
        options.notices.extend(state.map(|state| {
            format!(
                "the tests of {} {state}: `{}` in {} compiles them, so that new tests are tried with them as they are",
                module.name,
                project.compile_command(module),
                project.root.folder.display()
            )
        }));
    }
    let updates = given.is_on_line("update") || (given.of_file)("update");
    let runs_tests = verb == MEASURE || (verb == GENERATE && updates);
    if runs_tests {
        add("tests", joined(&tests)?);
    }
    if runs_tests {
        // With a file system of their own they are not in the module's folder.
        if !given.has("files") {
            let folder = module.test_folder.as_ref().unwrap_or(&module.folder);
            add("working_folder", folder.clone().into());
        }
        for argument in module.jvm_arguments() {
            if verb == MEASURE {
                add("test_jvm_args", argument.into());
            }
        }
        for (id, pairs) in [
            ("test_properties", &module.test_properties),
            ("test_variables", &module.test_variables),
        ] {
            let pairs = pairs.iter().filter(|(key, _)| key != "java.home");
            for (key, value) in pairs {
                add(id, format!("{key}={value}").into());
            }
        }
    }
    if runs_tests && !module.no_engine.is_empty() {
        options.notices.push(format!(
            "{}: {} did not find what runs its tests: {}",
            module.name,
            project.root.tool,
            module.no_engine.join(", ")
        ));
    }
    if verb == MEASURE && tests.is_empty() && !given.has("tests") {
        bail!(
            "{} has no compiled tests in {}: run `{}` in {}, or add --compile",
            module.name,
            shown(&module.test_outputs),
            project.compile_command(module),
            project.root.folder.display()
        );
    }
    if given.writes_tests()
        && let Some(folder) = folder_of_tests(module)
    {
        add("output", folder.to_owned().into());
    }
    Ok(options)
}

/// Folder for new tests: the first one of Java sources that is there, else one that may be made.
fn folder_of_tests(module: &Module) -> Option<&Path> {
    let folders = || module.test_sources.iter();
    let of_java = || folders().filter(|folder| folder.ends_with("java"));
    let folder = of_java().find(|folder| folder.is_dir());
    let folder = folder.or_else(|| of_java().next());
    folder.or_else(|| folders().next()).map(PathBuf::as_path)
}
