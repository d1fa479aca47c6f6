//! Virtual machines outside of the engine, for `measure`.
//!
//! Invariant: each has code with probes, or runs mutants, never both.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use heapwright_jvm::Config;
use heapwright_techniques::measure::{
    DRIVER, OutsideCode, OutsideEnd, OutsideError, OutsideEvent, OutsideJvm, OutsideJvms,
    OutsideMutant, OutsideOutcome, OutsideRequest, OutsideRun, OutsideUnit, OutsideUnits,
    OutsideWindow,
};
use heapwright_trial::{
    Agent, AgentClass, ClassEnd, MutantRun, TestClassRun, TestEnd, TestEvent, TestJvm, TestModule,
    TestUnits, TrialError, Urgency,
};
use tempfile::TempDir;

use super::MeasureArgs;
use crate::compiled_tests::CompiledTests;

/// Virtual machines of a module.
pub struct ModuleJvms<'a> {
    module: TestModule,
    /// Agents for the code without probes and with them, once there are any.
    agents: [OnceLock<Agent>; 2],
    stops: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> ModuleJvms<'a> {
    /// Prepares virtual machines; none is started yet.
    ///
    /// # Errors
    /// The folder of the tests cannot be found, or a file not be written.
    pub fn new(
        suite: &CompiledTests,
        config: &Config,
        arguments: &MeasureArgs,
        stops: &'a (dyn Fn() -> bool + Sync),
    ) -> anyhow::Result<ModuleJvms<'a>> {
        let world = &arguments.world;
        let base = match &world.working_folder {
            Some(folder) => folder.clone(),
            None => suite.module_folder()?,
        };
        let module = TestModule::new(&config.jdk.home, DRIVER, &config.class_path, &base)?;
        let properties = world.test_properties.iter();
        let properties = properties.map(|(key, value)| format!("-D{key}={value}"));
        let mut options: Vec<String> = properties.collect();
        // What comes last wins: a limit of memory of the user over that of the build, and that over the usual one.
        let class_path = &arguments.common.class_path;
        let heap = format!("-Xmx{}", class_path.max_memory());
        match class_path.max_memory {
            Some(_) => options.extend(arguments.test_jvm_args.iter().cloned().chain([heap])),
            None => options.extend([heap].into_iter().chain(arguments.test_jvm_args.clone())),
        }
        options.extend(arguments.jvm_args.iter().cloned());
        Ok(ModuleJvms {
            module: module
                .silence(arguments.jvm_timeout)
                .options(&options)
                .variables(&world.test_variables),
            agents: [const { OnceLock::new() }; 2],
            stops,
        })
    }

    /// Agent for some code, the same for all virtual machines.
    fn agent(&self, code: &OutsideCode, has_probes: bool) -> Result<&Agent, TrialError> {
        let known = &self.agents[usize::from(has_probes)];
        if let Some(agent) = known.get() {
            return Ok(agent);
        }
        let classes = code.classes.iter().map(|class| AgentClass {
            name: &class.name,
            original: &class.original,
            probed: has_probes.then_some(&class.probed[..]),
        });
        let classes: Vec<AgentClass<'_>> = classes.collect();
        let folder = if has_probes { "probed" } else { "plain" };
        // Several threads that find none at once write into folders of their own.
        let folder = tempfile::Builder::new()
            .prefix(folder)
            .disable_cleanup(true)
            .tempdir_in(self.module.folder())?;
        let agent = Agent::new(folder.path(), &classes, code.slots, &code.tables)?;
        Ok(known.get_or_init(|| agent))
    }
}

fn failure(error: TrialError) -> OutsideError {
    match error {
        TrialError::GivenUp => OutsideError::Stopped,
        error => OutsideError::NoJvm(error.to_string()),
    }
}

impl OutsideJvms for ModuleJvms<'_> {
    fn start(
        &self,
        code: &OutsideCode,
        has_probes: bool,
    ) -> Result<Box<dyn OutsideJvm + '_>, OutsideError> {
        let start = || -> Result<ModuleJvm<'_>, TrialError> {
            let agent = self.agent(code, has_probes)?;
            let jvm = self
                .module
                .start(None, Some(agent), Urgency::Awaited, self.stops)?;
            let folder = tempfile::tempdir_in(self.module.folder())?;
            Ok(ModuleJvm {
                module: &self.module,
                jvm,
                folder,
                mutant: None,
                stops: self.stops,
            })
        };
        let jvm = start().map_err(failure)?;
        Ok(Box::new(jvm))
    }
}

/// Virtual machine of a module.
struct ModuleJvm<'a> {
    module: &'a TestModule,
    jvm: TestJvm,
    /// Folder of the class files of mutants.
    folder: TempDir,
    /// Number of the mutant whose class file is there, and the file.
    mutant: Option<(usize, PathBuf)>,
    stops: &'a (dyn Fn() -> bool + Sync),
}

impl ModuleJvm<'_> {
    /// Class file of a mutant, in place of that of the mutant before.
    fn file(&mut self, mutant: &OutsideMutant<'_>) -> io::Result<PathBuf> {
        if let Some((number, file)) = &self.mutant {
            if *number == mutant.number {
                return Ok(file.clone());
            }
            fs::remove_file(file)?;
        }
        let file = self.folder.path().join(mutant.number.to_string());
        fs::write(&file, mutant.file)?;
        self.mutant = Some((mutant.number, file.clone()));
        Ok(file)
    }
}

impl OutsideJvm for ModuleJvm<'_> {
    fn run(&mut self, request: &OutsideRequest<'_>) -> Result<OutsideRun, OutsideError> {
        let mut file = PathBuf::new();
        if let Some(mutant) = &request.mutant {
            file = self.file(mutant).map_err(|error| failure(error.into()))?;
        }
        let mutant = request.mutant.map(|mutant| MutantRun {
            class: mutant.class,
            file: &file,
            windows: mutant.windows,
        });
        let units = match request.units {
            OutsideUnits::Without(units) => TestUnits::Without(units),
            OutsideUnits::Only(unit) => TestUnits::Only(unit),
        };
        let silence = request.silence;
        let silence = silence.unwrap_or_else(|| self.module.silence_of_tests());
        let tests = (request.class, units);
        let run = self.jvm.run(tests, mutant, silence, self.stops);
        Ok(found(run.map_err(failure)?))
    }

    fn is_usable(&self) -> bool {
        self.jvm.is_usable()
    }
}

fn found(run: TestClassRun) -> OutsideRun {
    let events = run.events.into_iter().map(|event| match event {
        TestEvent::Started(name, unit) => {
            let unit = unit.map(|unit| OutsideUnit {
                name: unit.name,
                runs_alone: unit.runs_alone,
            });
            OutsideEvent::Started(name, unit)
        }
        TestEvent::Finished(end, reason) => OutsideEvent::Finished(match end {
            TestEnd::Passed => OutsideOutcome::Passed,
            TestEnd::Aborted => OutsideOutcome::Skipped(reason),
            TestEnd::Failed => OutsideOutcome::Failed(reason),
        }),
        TestEvent::Skipped(name, reason) => OutsideEvent::Skipped(name, reason),
        TestEvent::Broken(name, reason) => OutsideEvent::Broken(name, reason),
    });
    let windows = run.windows.into_iter().map(|window| OutsideWindow {
        slots: window.slots,
        time: window.time,
    });
    OutsideRun {
        events: events.collect(),
        windows: windows.collect(),
        end: match run.end {
            ClassEnd::Done => OutsideEnd::Done,
            ClassEnd::JvmEnded => OutsideEnd::JvmEnded,
            ClassEnd::Endless => OutsideEnd::Endless,
        },
        refused: run.refused,
        foreign: run.foreign,
    }
}
