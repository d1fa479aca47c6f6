//! Runs test classes outside on the code with probes.
//!
//! **Invariant:** what a test of a class does to its virtual machine costs this test alone: those behind one
//! that ends it, or does not end, run on a new one.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_jvm::Vm;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::rewriting::{ClassProbe, JumpProbe};

use super::{
    OutsideClassFile, OutsideCode, OutsideError, OutsideJvm, OutsideJvms, OutsideRequest,
    OutsideRun, OutsideTests, OutsideUnits,
};
use crate::coverage::{CodePlan, Fact, Jump};
use crate::measure::runner::ClassRun;

/// Class whose static methods probes call, see [`Vm::probed_class_file`].
const HOOKS: &str = "heapwright/agent/Probes";
/// Number of tests of a class that may end the virtual machine, or not end, before the others are left.
const MOST_CUTS: usize = 8;
/// Time for running the units of a class alone, beside twice that of the whole class.
const TIME_ALONE: Duration = Duration::from_secs(2);

/// Slots of the probes.
struct Slots {
    /// First slot of each point: that of coming there; then that of falling in, and those of the ways
    /// behind it.
    firsts: Vec<u32>,
}

impl Slots {
    /// Point of a slot, and the place of the slot among those of the point.
    fn point(&self, slot: u32) -> (u32, u32) {
        let point = self.firsts.partition_point(|&first| first <= slot) - 1;
        (point as u32, slot - self.firsts[point])
    }

    /// Notes in facts that a slot is set.
    fn note(&self, slot: u32, facts: &mut [Fact]) {
        let (point, place) = self.point(slot);
        let Some(fact) = facts.get_mut(point as usize) else {
            return;
        };
        match place {
            0 => fact.reach(None),
            1 => fact.reach(point.checked_sub(1)),
            way => fact.go(way as usize - 2),
        }
    }
}

/// Measurement outside.
pub(in crate::measure) struct Outside<'a> {
    pub(super) jvms: &'a dyn OutsideJvms,
    pub(super) code: OutsideCode,
    slots: Slots,
    /// Why nothing runs outside, once that is known.
    pub missing: Option<OutsideError>,
    /// Classes that cannot be observed, with the reasons.
    pub gaps: Vec<(String, String)>,
    /// The virtual machine with probes.
    running: Option<Box<dyn OutsideJvm + 'a>>,
}

impl<'a> Outside<'a> {
    /// Prepares the code of a plan.
    pub fn new(jvms: &'a dyn OutsideJvms, vm: &Vm, plan: &CodePlan) -> Outside<'a> {
        let mut code = OutsideCode::default();
        let mut firsts = Vec::new();
        let mut gaps = Vec::new();
        for (class, methods) in plan.probed() {
            let mut probes = Vec::new();
            for method in methods {
                for (at, &place) in method.places.iter().enumerate() {
                    let point = method.first + at;
                    let first = code.slots;
                    firsts.push(first);
                    code.slots += 2;
                    let jump = match &plan.points[point].jump {
                        None => None,
                        Some(Jump::Branch(_)) => {
                            code.slots += 2;
                            Some(JumpProbe::Branch(first + 2))
                        }
                        Some(Jump::Switch(keys)) => {
                            let table = code.tables.len() as u32;
                            let keys = keys.iter().map(|(&key, &to)| (key, to as u32));
                            let keys: Vec<(i32, u32)> = keys.collect();
                            code.slots += 1 + keys.iter().map(|key| key.1).max().unwrap_or(0);
                            code.tables.push(keys);
                            Some(JumpProbe::Switch(first + 2, table))
                        }
                    };
                    let before = place.checked_sub(1).filter(|_| at > 0);
                    let before = before.map(|before| &method.listing.instructions[before].step);
                    let falls = before.is_some_and(|step| {
                        step.falls_through() && !matches!(step, ListedOperation::Branch(..))
                    });
                    probes.push(ClassProbe {
                        method: method.method,
                        at: method.listing.instructions[place].at,
                        reached: first,
                        fell: falls.then_some(first + 1),
                        jump,
                    });
                }
            }
            let Some(file) = vm.class(class).file.as_ref().filter(|_| !probes.is_empty()) else {
                continue;
            };
            let probed = vm.probed_class_file(class, &probes, HOOKS);
            let probed = probed.unwrap_or_else(|reason| {
                gaps.push((vm.binary_name(class), reason));
                file.bytes.clone()
            });
            code.classes.push(OutsideClassFile {
                name: vm.class_name(class).to_owned(),
                original: file.bytes.clone(),
                probed,
            });
        }
        Outside {
            jvms,
            code,
            slots: Slots { firsts },
            missing: None,
            gaps,
            running: None,
        }
    }

    /// Runs tests on the code with probes.
    fn run(&mut self, class: &str, units: OutsideUnits<'_>) -> Result<OutsideRun, OutsideError> {
        let running = self.running.take().filter(|jvm| jvm.is_usable());
        let mut jvm = match running {
            Some(jvm) => jvm,
            None => self.jvms.start(&self.code, true)?,
        };
        let found = jvm.run(&OutsideRequest {
            class,
            units,
            mutant: None,
            silence: None,
        })?;
        self.running = Some(jvm);
        for name in &found.foreign {
            let gap = (
                name.replace('/', "."),
                "tests load another version of it".to_owned(),
            );
            if !self.gaps.contains(&gap) {
                self.gaps.push(gap);
            }
        }
        Ok(found)
    }

    /// Ends the virtual machine with probes: others may need what it holds.
    pub fn rest(&mut self) {
        self.running = None;
    }

    /// Runs the tests of a class on the original code. `run` is what the engine has found of it. What is
    /// observed here is added to the facts; without these it only tells whether tests fail here, too.
    pub fn observe(&mut self, class: &str, run: &mut ClassRun, facts: Option<&mut Vec<Fact>>) {
        if self.missing.is_some() {
            return;
        }
        let counts = facts.is_some();
        let mut unused = Vec::new();
        let facts = facts.unwrap_or(&mut unused);
        let mut tests = OutsideTests::default();
        loop {
            let found = match self.run(class, OutsideUnits::Without(&tests.without)) {
                Ok(found) => found,
                Err(error) => {
                    self.missing = Some(error);
                    return;
                }
            };
            for &slot in found.windows.iter().flat_map(|window| &window.slots) {
                self.slots.note(slot, facts);
            }
            let may_go_on = tests.without.len() < MOST_CUTS;
            if !tests.take(class, found, may_go_on, &|slot| self.visited(slot)) {
                break;
            }
        }
        tests.finish();
        run.adopt(tests, counts);
    }

    /// The point that control has come to if a slot is set.
    fn visited(&self, slot: u32) -> Option<u32> {
        let (point, place) = self.slots.point(slot);
        (place == 0).then_some(point)
    }

    /// Runs units of a class alone, as far as they come to points at which mutants are to be judged; those that do then
    /// what they do in the class can judge so. `is_wanted` tells this of a point, for a test that counts here or not.
    pub fn observe_alone(
        &mut self,
        class: &str,
        run: &mut ClassRun,
        is_wanted: &dyn Fn(u32, bool) -> bool,
    ) {
        let Some(tests) = &mut run.outside else {
            return;
        };
        let wanted = tests.units_to_run(is_wanted);
        let most = TIME_ALONE + tests.time() * 2;
        let mut spent = Duration::ZERO;
        for (name, members) in wanted {
            if self.missing.is_some() || spent > most {
                return;
            }
            let found = match self.run(class, OutsideUnits::Only(&name)) {
                Ok(found) => found,
                Err(error) => {
                    self.missing = Some(error);
                    return;
                }
            };
            let time: Duration = found.windows.iter().map(|window| window.time).sum();
            spent += time;
            let slots = found.windows.iter().flat_map(|window| &window.slots);
            let points: BTreeSet<u32> = slots.filter_map(|&slot| self.visited(slot)).collect();
            tests.add_alone(name, members, &found, (points, time));
        }
    }
}
