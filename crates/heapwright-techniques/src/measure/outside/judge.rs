//! Runs tests outside on mutants: units alone as far as they do there what they do in their class, the quickest first,
//! and whole classes for what is left. Several virtual machines share the mutants.
//!
//! **Invariant:** a mutant counts as killed only if what kills it passes on the original code on the same virtual
//! machine, or on a new one that runs the mutant next. Where it does not, as several virtual machines may disturb one
//! another, the mutant waits for one that runs by itself.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heapwright_jvm::Vm;

use super::tests::{OutsideVerdict, Unit};
use super::{
    Outside, OutsideCode, OutsideEnd, OutsideError, OutsideJvm, OutsideJvms, OutsideMutant,
    OutsideRequest, OutsideRun, OutsideTests, OutsideUnits,
};
use crate::coverage::CodePlan;
use crate::measure::progress::{MeasurePhase, MeasureProgress};
use crate::measure::verdicts::Verdicts;

/// Time without an event in which a mutant may run, and for each second that the tests take on the original code.
/// Beyond it does not end.
const TIME: Duration = Duration::from_secs(4);
const TIME_PER_TIME: u32 = 10;

/// Test class whose tests judge.
#[derive(Clone, Copy)]
pub(in crate::measure) struct Judging<'a> {
    /// Binary name.
    pub class: &'a str,
    /// Number of its first test among those of all classes.
    pub first_test: usize,
    /// Its tests.
    pub tests: &'a OutsideTests,
    /// Mutants that the engine could not judge by it.
    pub doubted: &'a BTreeSet<usize>,
}

/// Number of a class that comes to a mutant, its windows, and whether the class is to run.
type ComingClass = (usize, Vec<(usize, usize)>, bool);

/// Mutant with what judges it.
struct Piece<'a> {
    mutant: usize,
    /// Internal name of its class.
    class: String,
    /// Changed class file.
    file: Vec<u8>,
    /// Units that run alone, with the numbers of their classes; the quickest is first.
    alone: Vec<(usize, &'a Unit)>,
    /// Classes that come to it.
    classes: Vec<ComingClass>,
    /// Whether tests come to it that cannot judge.
    has_unjudged: bool,
}

/// Verdict on a piece.
enum Judged {
    /// With the number of the class that kills it.
    Is(OutsideVerdict, usize),
    /// The tests do not pass on the original code while others run.
    Later,
}

/// Judges the mutants that are open by the tests of classes, whose first ones are the quickest. `first_turn` is the place
/// of the first class in the order of judging. Returns the mutants that all tests of a class leave alive, with the number of the class, and
/// whether everything is to stop.
pub(in crate::measure) fn judge(
    outside: &mut Outside<'_>,
    (vm, plan): (&Vm, &CodePlan),
    classes: &[Judging<'_>],
    (verdicts, first_turn): (&Verdicts, u32),
    (jobs, progress): (usize, &MeasureProgress),
) -> (Vec<(usize, usize)>, bool) {
    outside.rest();
    let (jvms, code) = (outside.jvms, &outside.code);
    let places: Vec<_> = classes
        .iter()
        .map(|judging| judging.tests.windows_by_point())
        .collect();
    let mut work = Vec::new();
    for (point, observed) in plan.points.iter().enumerate() {
        let point = point as u32;
        let is_cut = |judging: &Judging<'_>| judging.tests.leaves_out(point);
        let is_reached =
            places.iter().any(|places| places.contains_key(&point)) || classes.iter().any(is_cut);
        let mutants = observed.mutants.clone().filter(|_| is_reached);
        work.extend(mutants.map(|mutant| (point, mutant)));
    }
    work.retain(|&(_, mutant)| verdicts.is_open(mutant));
    let mut pieces = work.iter().filter_map(|&(point, mutant)| {
        let mut piece = Piece {
            mutant,
            class: String::new(),
            file: Vec::new(),
            alone: Vec::new(),
            classes: Vec::new(),
            has_unjudged: false,
        };
        for (number, (judging, places)) in classes.iter().zip(&places).enumerate() {
            let windows = places.get(&point).map_or(&[][..], Vec::as_slice);
            let is_doubted = judging.doubted.contains(&mutant);
            let judges = judging.tests.judges(point, windows, is_doubted);
            piece.has_unjudged |= judges.has_unjudged;
            let alone = judges.alone.into_iter();
            piece.alone.extend(alone.map(|unit| (number, unit)));
            if !judges.windows.is_empty() {
                let class = (number, judges.windows, judges.needs_class);
                piece.classes.push(class);
            }
        }
        piece.alone.sort_by_key(|(_, unit)| unit.time);
        let changed = &plan.mutants[mutant];
        if piece.classes.is_empty() {
            if piece.has_unjudged {
                verdicts.doubt(mutant);
            }
            return None;
        }
        let file = vm.patched_class_file(changed.method, changed.at, changed.change);
        let Ok(Some(file)) = file else {
            verdicts.doubt(mutant);
            return None;
        };
        piece.file = file;
        vm.class_name(vm.method(changed.method).class)
            .clone_into(&mut piece.class);
        Some(piece)
    });
    let workers = jobs.min(work.len()).max(1);
    progress.begin(MeasurePhase::Mutants, work.len(), workers);
    let court = Court {
        jvms,
        code,
        classes,
        verdicts,
        first_turn,
        progress,
        alive: Mutex::default(),
        later: Mutex::default(),
        is_stopped: AtomicBool::new(false),
    };
    let mut left = None;
    if workers > 1 {
        let (sender, receiver) = sync_channel(workers);
        let receiver = Arc::new(Mutex::new(receiver));
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (court, receiver) = (&court, Arc::clone(&receiver));
                scope.spawn(move || court.take_all(worker, &receiver));
            }
            drop(receiver);
            for piece in pieces.by_ref() {
                // Behind the last worker that could go on nobody receives it.
                if let Err(unsent) = sender.send(piece) {
                    left = Some(unsent.0);
                    break;
                }
            }
            drop(sender);
        });
    }
    let later = std::mem::take(&mut *lock(&court.later));
    let mut judge = Judge::new(&court, false);
    let mut missing = None;
    for piece in later.into_iter().chain(left).chain(pieces) {
        if court.is_stopped.load(Ordering::Relaxed) {
            break;
        }
        let judged = match &missing {
            None => court.judge(0, &piece, &mut judge),
            Some(_) => Ok(false),
        };
        match judged {
            Ok(true) => {}
            Ok(false) => verdicts.doubt(piece.mutant),
            Err(error) => {
                verdicts.doubt(piece.mutant);
                missing = Some(error);
            }
        }
    }
    drop(judge);
    let alive = std::mem::take(&mut *lock(&court.alive));
    let is_interrupted = court.is_stopped.load(Ordering::Relaxed);
    if missing.is_some() {
        outside.missing = missing;
    }
    (alive, is_interrupted)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all virtual machines share.
struct Court<'a> {
    jvms: &'a dyn OutsideJvms,
    code: &'a OutsideCode,
    classes: &'a [Judging<'a>],
    verdicts: &'a Verdicts,
    first_turn: u32,
    progress: &'a MeasureProgress,
    /// Mutants that the tests of a class leave alive, with its number.
    alive: Mutex<Vec<(usize, usize)>>,
    /// Pieces for a virtual machine that runs by itself.
    later: Mutex<Vec<Piece<'a>>>,
    is_stopped: AtomicBool,
}

impl<'a> Court<'a> {
    /// Judges pieces as they come, as long as there is a virtual machine.
    fn take_all(&self, worker: usize, pieces: &Mutex<Receiver<Piece<'a>>>) {
        let mut judge = Judge::new(self, true);
        loop {
            let next = lock(pieces).recv();
            let Ok(piece) = next else {
                return;
            };
            match self.judge(worker, &piece, &mut judge) {
                Ok(true) => {}
                Ok(false) => lock(&self.later).push(piece),
                Err(_) => {
                    lock(&self.later).push(piece);
                    return;
                }
            }
        }
    }

    /// Judges a piece. Returns whether there is a verdict.
    fn judge(
        &self,
        worker: usize,
        piece: &Piece<'a>,
        judge: &mut Judge<'a>,
    ) -> Result<bool, OutsideError> {
        let class = piece.classes[0].0;
        self.progress.take(worker, self.classes[class].class);
        let judged = judge.judge(piece);
        self.progress.finish(worker);
        let (verdict, class) = match judged {
            Ok(Judged::Is(verdict, class)) => (verdict, class),
            Ok(Judged::Later) => return Ok(false),
            Err(OutsideError::Stopped) => {
                self.is_stopped.store(true, Ordering::Relaxed);
                return Err(OutsideError::Stopped);
            }
            Err(error) => return Err(error),
        };
        let mutant = piece.mutant;
        match verdict {
            OutsideVerdict::Killed(test) => {
                let test = test.map(|test| self.classes[class].first_test + test);
                self.verdicts.try_on(mutant);
                let turn = self.first_turn + class as u32;
                self.verdicts.kill(mutant, turn, test);
            }
            OutsideVerdict::Alive => {
                self.verdicts.try_on(mutant);
                if piece.has_unjudged {
                    self.verdicts.doubt(mutant);
                }
                let classes = piece.classes.iter().map(|class| (mutant, class.0));
                lock(&self.alive).extend(classes);
            }
            OutsideVerdict::Unknown => self.verdicts.doubt(mutant),
        }
        Ok(true)
    }
}

/// Virtual machine that judges.
struct Judge<'a> {
    jvms: &'a dyn OutsideJvms,
    code: &'a OutsideCode,
    classes: &'a [Judging<'a>],
    jvm: Option<Box<dyn OutsideJvm + 'a>>,
    /// Classes of which a test has passed on it: what they need is loaded.
    known: BTreeSet<usize>,
    /// Whether anything has run on it.
    is_used: bool,
    /// Whether others run beside it.
    has_others: bool,
}

impl<'a> Judge<'a> {
    fn new(court: &Court<'a>, has_others: bool) -> Judge<'a> {
        Judge {
            jvms: court.jvms,
            code: court.code,
            classes: court.classes,
            jvm: None,
            known: BTreeSet::new(),
            is_used: false,
            has_others,
        }
    }

    /// Ends the virtual machine, so that the next run has a new one.
    fn discard(&mut self) {
        self.jvm = None;
        self.known.clear();
        self.is_used = false;
    }

    /// Runs tests of a class.
    fn run(
        &mut self,
        class: usize,
        units: OutsideUnits<'_>,
        mutant: Option<OutsideMutant<'_>>,
        silence: Option<Duration>,
    ) -> Result<OutsideRun, OutsideError> {
        let mut jvm = match self.jvm.take() {
            Some(jvm) => jvm,
            None => self.jvms.start(self.code, false)?,
        };
        let found = jvm.run(&OutsideRequest {
            class: self.classes[class].class,
            units,
            mutant,
            silence,
        })?;
        self.is_used = true;
        match jvm.is_usable() {
            true => self.jvm = Some(jvm),
            false => self.discard(),
        }
        Ok(found)
    }

    fn judge(&mut self, piece: &Piece<'a>) -> Result<Judged, OutsideError> {
        let mut not_alone = BTreeSet::new();
        for &(class, unit) in &piece.alone {
            match self.judge_alone(piece, class, unit)? {
                Some(OutsideVerdict::Alive) => {}
                Some(verdict) => return Ok(Judged::Is(verdict, class)),
                None if self.has_others => return Ok(Judged::Later),
                None => {
                    not_alone.insert(class);
                }
            }
        }
        for (class, windows, needs_class) in &piece.classes {
            if !needs_class && !not_alone.contains(class) {
                continue;
            }
            match self.judge_class(piece, *class, windows)? {
                Some(OutsideVerdict::Alive) => {}
                Some(verdict) => return Ok(Judged::Is(verdict, *class)),
                None => return Ok(Judged::Later),
            }
        }
        Ok(Judged::Is(OutsideVerdict::Alive, 0))
    }

    /// Judges a mutant by a unit that runs alone. `None` if that does not pass on the original code.
    fn judge_alone(
        &mut self,
        piece: &Piece<'_>,
        class: usize,
        unit: &Unit,
    ) -> Result<Option<OutsideVerdict>, OutsideError> {
        let tests = self.classes[class].tests;
        let units = OutsideUnits::Only(&unit.name);
        let mutant = Some(piece.mutant(None));
        for is_first in [true, false] {
            // Contexts that the tests of a class share are made on the original code.
            if !self.known.contains(&class) {
                let found = self.run(class, units, None, None)?;
                if !tests.holds_alone(unit, &found) {
                    self.discard();
                    continue;
                }
                self.known.insert(class);
            }
            let silence = TIME + unit.time * TIME_PER_TIME;
            let found = self.run(class, units, mutant, Some(silence))?;
            let verdict = tests.verdict_alone(unit, &found);
            let is_killed = matches!(verdict, OutsideVerdict::Killed(_));
            if !is_killed || found.end != OutsideEnd::Done {
                return Ok(Some(verdict));
            }
            let again = self.run(class, units, None, Some(silence))?;
            if tests.holds_alone(unit, &again) {
                return Ok(Some(verdict));
            }
            self.discard();
            if !is_first {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    /// Judges a mutant by a whole class. `None` if that does not pass on the original code.
    fn judge_class(
        &mut self,
        piece: &Piece<'_>,
        class: usize,
        windows: &[(usize, usize)],
    ) -> Result<Option<OutsideVerdict>, OutsideError> {
        let tests = self.classes[class].tests;
        let units = OutsideUnits::Without(&tests.without);
        let silence = Some(TIME + tests.longest() * TIME_PER_TIME);
        let mutant = Some(piece.mutant(Some(windows)));
        for is_first in [true, false] {
            let was_used = self.is_used;
            let found = self.run(class, units, mutant, silence)?;
            let verdict = tests.verdict(&found, windows);
            let is_sure = !was_used && !self.has_others;
            if is_sure || !matches!(verdict, OutsideVerdict::Killed(_)) {
                return Ok(Some(verdict));
            }
            if found.end == OutsideEnd::Done || !is_first {
                let again = self.run(class, units, None, None)?;
                if tests.holds(&again) {
                    return Ok(Some(verdict));
                }
            }
            self.discard();
        }
        Ok(None)
    }
}

impl Piece<'_> {
    fn mutant<'a>(&'a self, windows: Option<&'a [(usize, usize)]>) -> OutsideMutant<'a> {
        OutsideMutant {
            number: self.mutant,
            class: &self.class,
            file: &self.file,
            windows,
        }
    }
}
