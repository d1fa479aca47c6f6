//! Virtual machine outside of the engine, for `measure`.
//!
//! Invariant: one that a test has ended, or on which one hangs, is replaced by a new one; mutants
//! never run on the one whose code has probes.

use std::fs;
use std::path::PathBuf;

use heapwright_jvm::Config;
use heapwright_techniques::measure::{
    DRIVER, OutsideCode, OutsideEnd, OutsideError, OutsideEvent, OutsideJudging, OutsideJvm,
    OutsideOutcome, OutsideRun, OutsideWindow,
};
use heapwright_trial::{
    Agent, AgentClass, ClassEnd, MutantRun, TestClassRun, TestEnd, TestEvent, TestJvm, TestModule,
    TrialError, Urgency,
};

use super::MeasureArgs;
use crate::compiled_tests::CompiledTests;

/// Virtual machines of a module.
pub struct ModuleJvm<'a> {
    module: TestModule,
    /// Agent of the current virtual machine, and whether the code has probes.
    agent: Option<(Agent, bool)>,
    running: Option<TestJvm>,
    stops: &'a dyn Fn() -> bool,
}

impl<'a> ModuleJvm<'a> {
    /// Prepares virtual machines; none is started yet.
    ///
    /// # Errors
    /// The folder of the tests cannot be found, or a file not be written.
    pub fn new(
        suite: &CompiledTests,
        config: &Config,
        arguments: &MeasureArgs,
        stops: &'a dyn Fn() -> bool,
    ) -> anyhow::Result<ModuleJvm<'a>> {
        let world = &arguments.world;
        let base = match &world.working_folder {
            Some(folder) => folder.clone(),
            None => suite.module_folder()?,
        };
        let module = TestModule::new(&config.jdk.home, DRIVER, &config.class_path, &base)?;
        // What the user says of memory comes last, and wins.
        let heap = format!("-Xmx{}", arguments.common.class_path.max_memory());
        let properties = world.test_properties.iter();
        let properties = properties.map(|(key, value)| format!("-D{key}={value}"));
        let options: Vec<String> = properties.collect();
        let options = [&options[..], &[heap], &arguments.jvm_args[..]].concat();
        Ok(ModuleJvm {
            module: module
                .silence(arguments.jvm_timeout)
                .options(&options)
                .variables(&world.test_variables),
            agent: None,
            running: None,
            stops,
        })
    }

    /// Virtual machine on the code with probes or without them.
    fn jvm(
        &mut self,
        code: &OutsideCode,
        has_probes: bool,
        is_fresh: bool,
    ) -> Result<TestJvm, TrialError> {
        if self
            .agent
            .as_ref()
            .is_none_or(|agent| agent.1 != has_probes)
        {
            self.running = None;
            let classes = code.classes.iter().map(|class| AgentClass {
                name: &class.name,
                original: &class.original,
                probed: has_probes.then_some(&class.probed[..]),
            });
            let classes: Vec<AgentClass<'_>> = classes.collect();
            let folder = if has_probes { "probed" } else { "plain" };
            let folder = self.module.folder().join(folder);
            let agent = Agent::new(&folder, &classes, code.slots, &code.tables)?;
            self.agent = Some((agent, has_probes));
        }
        let running = self.running.take();
        match running.filter(|jvm| jvm.is_usable() && !is_fresh) {
            Some(jvm) => Ok(jvm),
            None => {
                let agent = self.agent.as_ref().map(|agent| &agent.0);
                self.module.start(None, agent, Urgency::Awaited, self.stops)
            }
        }
    }

    fn mutant_file(&self) -> PathBuf {
        self.module.folder().join("mutant")
    }
}

fn failure(error: TrialError) -> OutsideError {
    match error {
        TrialError::GivenUp => OutsideError::Stopped,
        error => OutsideError::NoJvm(error.to_string()),
    }
}

impl OutsideJvm for ModuleJvm<'_> {
    fn observe(&mut self, code: &OutsideCode, class: &str) -> Result<OutsideRun, OutsideError> {
        let mut jvm = self.jvm(code, true, false).map_err(failure)?;
        let silence = self.module.silence_of_tests();
        let run = jvm.run(class, None, silence, self.stops).map_err(failure)?;
        self.running = Some(jvm);
        Ok(found(run))
    }

    fn judge(
        &mut self,
        code: &OutsideCode,
        class: &str,
        judged: &OutsideJudging<'_>,
    ) -> Result<OutsideRun, OutsideError> {
        let mut jvm = self.jvm(code, false, judged.is_fresh).map_err(failure)?;
        let file = self.mutant_file();
        let mutant = match judged.mutant {
            None => None,
            Some((name, bytes)) => {
                fs::write(&file, bytes).map_err(|error| failure(error.into()))?;
                Some(MutantRun {
                    class: name,
                    file: &file,
                    windows: judged.windows,
                })
            }
        };
        let run = jvm.run(class, mutant, judged.silence, self.stops);
        let run = run.map_err(failure)?;
        self.running = Some(jvm);
        Ok(found(run))
    }
}

fn found(run: TestClassRun) -> OutsideRun {
    let events = run.events.into_iter().map(|event| match event {
        TestEvent::Started(name) => OutsideEvent::Started(name),
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
