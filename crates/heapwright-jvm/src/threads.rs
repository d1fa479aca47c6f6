//! Threads of the program: on one machine, one at a time.
//!
//! Schedule: a thread runs until it blocks, yields, ends, or has had [`TURN`] instructions; the
//! next one in the order of their starts that can go on follows. If none can, the clock advances
//! to the first time limit of a wait. If there is no such limit, the threads are in a deadlock.
//!
//! Invariant: a native that blocks has had no effect but on the thread's status. When the wait is
//! over, the native runs again and finds the status [`ThreadStatus::Resumed`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::assembler::Assembler;
use crate::class::{ClassId, MethodId, init};
use crate::heap::Ref;
use crate::instr::Instr;
use crate::state::{Frame, FrameKind};
use crate::throw::NATIVE_PC;
use crate::vm::{Exit, Fault, Vm};

/// Maximum number of instructions of a turn.
const TURN: u64 = 100_000;
/// Time that passes in a full turn, in nanoseconds, so that a thread that waits for the clock in
/// a loop finds its end.
const TURN_NANOS: u64 = 1_000_000;
const NANOS_IN_MILLI: u64 = 1_000_000;
/// Time for which threads run on after a call, in nanoseconds.
const REST_NANOS: u64 = 1_000_000_000;

/// Bits of `Thread.threadStatus` (JVM TI thread states).
mod java_status {
    pub const TERMINATED: u64 = 0x2;
    pub const RUNNABLE: u64 = 0x5;
    pub const WAITING: u64 = 0x11;
    pub const TIMED_WAITING: u64 = 0x21;
    pub const BLOCKED: u64 = 0x401;
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ThreadStatus {
    /// Runs, or waits for its turn.
    Runnable,
    /// Its wait is over, by an interrupt or otherwise.
    Resumed { by_interrupt: bool },
    /// Waits for a monitor to enter it.
    Entering(Ref),
    /// Waits to be notified by a monitor that it held this number of times.
    Waiting(Ref, u32),
    /// Was notified, and waits for the monitor to hold it again.
    Reacquiring {
        monitor: Ref,
        depth: u32,
        by_interrupt: bool,
    },
    /// Sleeps.
    Sleeping,
    /// Waits for a permit.
    Parked,
    /// Waits for another thread that initialises this class.
    Initializing(ClassId),
    /// Has ended.
    Ended,
}

/// Thread of the program.
#[derive(Clone, Debug, Hash)]
struct Thread {
    object: Ref,
    status: ThreadStatus,
    /// Time at which its wait ends.
    until: Option<u64>,
    is_daemon: bool,
    has_permit: bool,
    is_suspended: bool,
    /// Whether it is one of the library's that serve references: nobody waits for its waits to
    /// end.
    serves: bool,
    /// Exception that it throws at its next turn, or null.
    stopped_by: Ref,
    /// Time that passed in its turns, in nanoseconds.
    run_nanos: u64,
    /// Time at which it was blocked.
    blocked_at: u64,
    waits: Waits,
}

impl Thread {
    fn new(object: Ref, is_daemon: bool) -> Thread {
        Thread {
            object,
            status: ThreadStatus::Runnable,
            until: None,
            is_daemon,
            has_permit: false,
            is_suspended: false,
            serves: false,
            stopped_by: Ref::NULL,
            run_nanos: 0,
            blocked_at: 0,
            waits: Waits::default(),
        }
    }
}

/// Numbers of a thread's waits, and the time that they took while it was measured, in
/// milliseconds; `u64::MAX` if it is not measured.
#[derive(Clone, Copy, Debug, Default, Hash)]
pub(crate) struct Waits {
    pub blocked_count: u64,
    pub blocked_millis: u64,
    pub waited_count: u64,
    pub waited_millis: u64,
}

/// All threads, in the order of their starts; the main one is the first. Empty as long as there
/// was no other.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Threads {
    list: Vec<Thread>,
    running: usize,
    /// Owner of each monitor that a thread other than the main one holds.
    owners: BTreeMap<Ref, usize>,
    /// Whether the program registered a hook for its end.
    has_hooks: bool,
    /// Threads of the library that serve references, as long as there is nothing to do for them.
    unstarted: Vec<Ref>,
    /// Number of threads that were started.
    started: u64,
    /// Largest number of live threads.
    peak: u64,
    /// Time at which the running thread's turn began.
    turn_began: u64,
    /// Whether the time of waits is measured.
    measures_waits: bool,
}

impl Threads {
    /// Number of the running thread.
    pub(crate) fn running(&self) -> usize {
        self.running
    }

    /// Offset of the depth at which probes of the running thread are visited, so that frames of two
    /// threads are never taken for one another.
    pub(crate) fn depth_offset(&self) -> u32 {
        (self.running as u32) << 16
    }

    /// Number of threads; 0 as long as the main one was the only one.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// Number of threads that were started, the main one included; 0 as long as it was the only
    /// one.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Largest number of threads that were alive at a time; 0 as long as the main one was the
    /// only one.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    fn live_count(&self) -> u64 {
        let live = self.list.iter();
        live.filter(|thread| thread.status != ThreadStatus::Ended)
            .count() as u64
    }

    /// Whether there are or were threads other than the main one.
    pub(crate) fn is_used(&self) -> bool {
        !self.list.is_empty()
    }

    /// All objects that threads refer to.
    pub(crate) fn objects(&self) -> Vec<Ref> {
        let waits = self.list.iter().map(|thread| match thread.status {
            ThreadStatus::Entering(monitor) | ThreadStatus::Waiting(monitor, _) => monitor,
            ThreadStatus::Reacquiring { monitor, .. } => monitor,
            _ => Ref::NULL,
        });
        let threads = self.list.iter().map(|thread| thread.object);
        let stopped = self.list.iter().map(|thread| thread.stopped_by);
        threads
            .chain(waits)
            .chain(stopped)
            .chain(self.unstarted.iter().copied())
            .chain(self.owners.keys().copied())
            .collect()
    }

    fn owner(&self, monitor: Ref) -> usize {
        self.owners.get(&monitor).copied().unwrap_or(0)
    }

    fn find(&self, object: Ref) -> Option<usize> {
        let is_it =
            |thread: &Thread| thread.object == object && thread.status != ThreadStatus::Ended;
        self.list.iter().position(is_it)
    }

    fn has_live_user(&self) -> bool {
        let is_live = |thread: &Thread| thread.status != ThreadStatus::Ended && !thread.is_daemon;
        self.list.iter().any(is_live)
    }
}

// What natives and instructions need.
impl Vm {
    /// Whether the machine runs threads. Other machines refuse to start them, since what they claim
    /// of a program must hold for every schedule.
    pub(crate) fn runs_threads(&self) -> bool {
        self.config.replaces_launcher || self.config.runs_threads
    }

    /// Sets whether threads are run, by the one schedule of the machine; returns what was set
    /// before.
    pub fn run_threads(&mut self, runs_threads: bool) -> bool {
        std::mem::replace(&mut self.config.runs_threads, runs_threads)
    }

    /// Sets whether the other threads run when one is started, before the one that starts it goes on:
    /// another schedule, which shows what depends on it.
    pub fn run_started_first(&mut self, runs_started_first: bool) {
        self.runs_started_first = runs_started_first;
    }

    /// Number of threads that the program has started, undone starts included.
    #[must_use]
    pub fn started_threads(&self) -> u64 {
        self.started_threads
    }

    /// Whether the program has started a thread.
    #[must_use]
    pub fn has_threads(&self) -> bool {
        self.state.threads.count() > 1
    }

    /// Whether threads run as soon as they are started.
    #[must_use]
    pub fn runs_started_first(&self) -> bool {
        self.runs_started_first
    }

    /// Runs the other threads until each waits or has ended, at most for a second of the virtual
    /// clock. Returns false if one ran on until the step limit. The main thread must be the
    /// running one, between two calls.
    pub fn rest_threads(&mut self) -> bool {
        if !self.has_threads() {
            return true;
        }
        let until = self.time() + REST_NANOS;
        if let Fault::Stop(_) = self.block(ThreadStatus::Sleeping, Some(until)) {
            return false;
        }
        let exit = match self.switch_thread() {
            None => self.run(&mut crate::machine::Plain),
            Some(exit) => exit,
        };
        self.take_resumed();
        self.state.threads.running == 0 && matches!(exit, Exit::Done(_))
    }

    /// The running thread.
    #[must_use]
    pub fn current_thread(&self) -> Ref {
        let threads = &self.state.threads;
        let current = threads.list.get(threads.running);
        current.map_or(self.main_thread, |thread| thread.object)
    }

    /// Methods and instructions of a thread's frames that stack traces show, the innermost first;
    /// none if it is not alive.
    pub(crate) fn frames_of(&self, thread: Ref) -> Vec<(MethodId, u32)> {
        let native = self.native_of(thread).map(|native| (native, NATIVE_PC));
        let frames = self.shown_frames_of(thread);
        let frames = frames.filter_map(|frame| self.shown_as(frame));
        native.into_iter().chain(frames).collect()
    }

    /// Native method that a thread is in.
    pub(crate) fn native_of(&self, thread: Ref) -> Option<MethodId> {
        let threads = &self.state.threads;
        let status = self.found(thread).map(|thread| thread.status);
        let is_in_turn = status == Some(ThreadStatus::Runnable);
        if is_in_turn && threads.find(thread) != Some(threads.running) {
            return None;
        }
        let (frames, _) = self.stack_of(thread);
        let called = match self.code.get(frames.last()?.pc as usize)? {
            Instr::InvokeStatic { method, .. }
            | Instr::InvokeStaticChecked { method, .. }
            | Instr::InvokeSpecial { method, .. }
            | Instr::InvokeVirtual { method, .. } => MethodId(*method),
            _ => return None,
        };
        let is_native = self.method(called).is_native() && !self.is_hidden(called);
        is_native.then_some(called)
    }

    /// Frames of a thread that stack traces show, the innermost first.
    pub(crate) fn shown_frames_of(&self, thread: Ref) -> impl Iterator<Item = &Frame> {
        let (frames, _) = self.stack_of(thread);
        let frames = frames.iter().rev();
        frames.filter(|frame| self.shown_as(frame).is_some())
    }

    /// Registers of a thread's frames.
    pub(crate) fn registers_of(&self, thread: Ref) -> &[u64] {
        self.stack_of(thread).1
    }

    fn stack_of(&self, thread: Ref) -> (&[Frame], &[u64]) {
        let threads = &self.state.threads;
        let number = match threads.is_used() {
            true => threads.find(thread),
            false => (thread == self.main_thread).then_some(0),
        };
        number.map_or(Default::default(), |number| self.state.stack_of(number))
    }

    /// All live threads, in the order of their starts.
    pub(crate) fn live_threads(&self) -> Vec<Ref> {
        let threads = &self.state.threads.list;
        match threads.is_empty() {
            true => vec![self.main_thread],
            false => {
                let live = threads
                    .iter()
                    .filter(|thread| thread.status != ThreadStatus::Ended);
                live.map(|thread| thread.object).collect()
            }
        }
    }

    fn threads_mut(&mut self) -> &mut Threads {
        let main = self.main_thread;
        let state = &mut self.state;
        let threads = Arc::make_mut(&mut state.threads);
        if threads.list.is_empty() {
            threads.list.push(Thread::new(main, false));
            (threads.started, threads.peak) = (1, 1);
            state.add_stack();
        }
        Arc::make_mut(&mut self.state.threads)
    }

    fn current_mut(&mut self) -> &mut Thread {
        let threads = self.threads_mut();
        let running = threads.running;
        &mut threads.list[running]
    }

    /// Notes that the program registered a hook for its end.
    pub(crate) fn note_hook(&mut self) {
        self.threads_mut().has_hooks = true;
    }

    /// Whether the end of the program has to wait for threads or to run hooks.
    pub(crate) fn ends_by_library(&self) -> bool {
        self.state.threads.is_used()
    }

    /// Starts a thread whose object is in the state in which `Thread.start` leaves it.
    pub(crate) fn start_thread(&mut self, object: Ref) -> Result<(), Fault> {
        self.add_thread(object, false)
    }

    /// Notes a thread of the library that serves references, which starts when it is needed.
    pub(crate) fn note_server(&mut self, object: Ref) {
        Arc::make_mut(&mut self.state.threads)
            .unstarted
            .push(object);
    }

    /// Starts the threads of the library that serve references.
    pub(crate) fn start_servers(&mut self) -> Result<(), Fault> {
        if self.state.threads.unstarted.is_empty() {
            return Ok(());
        }
        let threads = Arc::make_mut(&mut self.state.threads);
        for object in std::mem::take(&mut threads.unstarted) {
            self.add_thread(object, true)?;
        }
        Ok(())
    }

    fn add_thread(&mut self, object: Ref, serves: bool) -> Result<(), Fault> {
        let runner = self.runner()?;
        let is_daemon = self.thread_field(object, "daemon")? != 0;
        let thread = Thread {
            serves,
            ..Thread::new(object, is_daemon)
        };
        let is_marked = self.state.is_marked();
        let threads = self.threads_mut();
        // The main thread keeps its number, by which it owns monitors.
        let mut ended = threads.list.iter().skip(1);
        let ended = ended.position(|thread| thread.status == ThreadStatus::Ended);
        let number = match ended.filter(|_| !is_marked) {
            Some(place) => {
                threads.list[place + 1] = thread;
                place + 1
            }
            None => {
                threads.list.push(thread);
                self.state.add_stack();
                self.state.parked.len() - 1
            }
        };
        let threads = self.threads_mut();
        threads.started += 1;
        threads.peak = threads.peak.max(threads.live_count());
        self.state.swap_stack(number);
        let pushed = self.push_frame(runner, 0, FrameKind::Bottom, Some(&[object.slot()]));
        self.state.swap_stack(number);
        pushed?;
        self.set_thread_field(object, "eetop", 1)?;
        self.set_java_status(object, java_status::RUNNABLE)
    }

    /// Returns the generated method that runs a thread: `run`, the handler of an uncaught
    /// exception, and `exit`.
    fn runner(&mut self) -> Result<MethodId, Fault> {
        const THREAD: &str = "java/lang/Thread";
        if let Some(&known) = self.synthetic.get("thread") {
            return Ok(known);
        }
        let run = self.method_named(THREAD, "run", "()V")?;
        let dispatch = self.method_named(
            THREAD,
            "dispatchUncaughtException",
            "(Ljava/lang/Throwable;)V",
        )?;
        let exit = self.method_named(THREAD, "exit", "()V")?;
        let mut code = Assembler::default();
        code.reserve(4);
        let call = |code: &mut Assembler, call: Instr| {
            code.push(Instr::Move { d: 1, a: 0 });
            code.push(call);
        };
        call(&mut code, self.call_instr(run, 1));
        let end = code.here();
        call(&mut code, self.call_instr(exit, 1));
        code.push(Instr::ReturnVoid);
        code.catch_all(0, end, 2);
        call(&mut code, self.call_instr(dispatch, 1));
        call(&mut code, self.call_instr(exit, 1));
        code.push(Instr::ReturnVoid);
        let descriptor = self.names.intern("(Ljava/lang/Thread;)V");
        let class = self.method(run).class;
        let runner = self.add_hidden(class, "runThread", descriptor, code);
        self.synthetic.insert("thread".to_owned(), runner);
        Ok(runner)
    }

    /// Whether the wait of the running thread is over; the thread is then runnable. Tells whether
    /// an interrupt ended it.
    pub(crate) fn take_resumed(&mut self) -> Option<bool> {
        let threads = &self.state.threads;
        let status = threads.list.get(threads.running)?.status;
        let ThreadStatus::Resumed { by_interrupt } = status else {
            return None;
        };
        self.current_mut().status = ThreadStatus::Runnable;
        Some(by_interrupt)
    }

    /// Blocks the running thread, until a time if one is given.
    pub(crate) fn block(&mut self, status: ThreadStatus, until: Option<u64>) -> Fault {
        let now = self.time();
        let current = self.current_mut();
        current.status = status;
        current.until = until;
        current.blocked_at = now;
        match status {
            ThreadStatus::Entering(_) => current.waits.blocked_count += 1,
            ThreadStatus::Waiting(..) | ThreadStatus::Sleeping | ThreadStatus::Parked => {
                current.waits.waited_count += 1;
            }
            _ => {}
        }
        let object = current.object;
        let bits = match (status, until) {
            (ThreadStatus::Entering(_), _) => java_status::BLOCKED,
            (ThreadStatus::Resumed { .. } | ThreadStatus::Initializing(_), _) => {
                java_status::RUNNABLE
            }
            (_, None) => java_status::WAITING,
            (_, Some(_)) => java_status::TIMED_WAITING,
        };
        match self.set_java_status(object, bits) {
            Ok(()) => Fault::Yield,
            Err(fault) => fault,
        }
    }

    /// Begins a turn of the running thread, whose native runs again as if its wait were over.
    pub(crate) fn begin_turn(&mut self) -> Fault {
        self.turn_end = self.steps.saturating_add(TURN);
        self.current_mut().status = ThreadStatus::Resumed {
            by_interrupt: false,
        };
        Fault::Again
    }

    /// Enters a monitor; blocks if another thread holds it.
    pub(crate) fn enter_held_monitor(&mut self, monitor: Ref) -> Result<(), Fault> {
        let threads = &self.state.threads;
        let running = threads.running;
        if self.heap.monitor_depth(monitor) == 0 {
            if running != 0 {
                self.threads_mut().owners.insert(monitor, running);
            }
        } else if threads.owner(monitor) != running {
            return Err(self.block(ThreadStatus::Entering(monitor), None));
        }
        Ok(())
    }

    /// Whether the running thread holds a monitor.
    pub(crate) fn holds(&self, monitor: Ref) -> bool {
        let threads = &self.state.threads;
        self.heap.monitor_depth(monitor) > 0 && threads.owner(monitor) == threads.running
    }

    /// Leaves a monitor; returns false if the running thread does not hold it.
    #[inline]
    pub(crate) fn exit_monitor(&mut self, monitor: Ref) -> bool {
        if !self.state.threads.is_used() {
            return self.heap.monitor_exit(monitor);
        }
        if !self.holds(monitor) {
            return false;
        }
        self.heap.monitor_exit(monitor);
        if self.heap.monitor_depth(monitor) == 0 && self.state.threads.running != 0 {
            self.threads_mut().owners.remove(&monitor);
        }
        true
    }

    /// Lets the running thread wait for a notification by a monitor that it holds.
    pub(crate) fn wait_on(&mut self, monitor: Ref, until: Option<u64>) -> Fault {
        let depth = self.heap.monitor_depth(monitor);
        for _ in 0..depth {
            self.exit_monitor(monitor);
        }
        self.block(ThreadStatus::Waiting(monitor, depth), until)
    }

    /// Wakes one thread that waits for a notification by a monitor, or all, in the order of their
    /// starts.
    pub(crate) fn notify_waiters(&mut self, monitor: Ref, all: bool) {
        if !self.state.threads.is_used() {
            return;
        }
        let threads = self.threads_mut();
        for thread in &mut threads.list {
            if let ThreadStatus::Waiting(of, depth) = thread.status
                && of == monitor
            {
                thread.until = None;
                thread.status = ThreadStatus::Reacquiring {
                    monitor,
                    depth,
                    by_interrupt: false,
                };
                if !all {
                    return;
                }
            }
        }
    }

    /// Ends the wait of a thread that was interrupted.
    pub(crate) fn interrupt_wait(&mut self, object: Ref) {
        let Some(number) = self.state.threads.find(object) else {
            return;
        };
        let thread = &mut self.threads_mut().list[number];
        match thread.status {
            ThreadStatus::Waiting(monitor, depth) => {
                thread.status = ThreadStatus::Reacquiring {
                    monitor,
                    depth,
                    by_interrupt: true,
                };
            }
            ThreadStatus::Sleeping | ThreadStatus::Parked => {
                thread.status = ThreadStatus::Resumed { by_interrupt: true };
            }
            _ => return,
        }
        thread.until = None;
    }

    /// Takes the permit of the running thread, if it has one.
    pub(crate) fn take_permit(&mut self) -> bool {
        let threads = &self.state.threads;
        let current = threads.list.get(threads.running);
        if !current.is_some_and(|thread| thread.has_permit) {
            return false;
        }
        self.current_mut().has_permit = false;
        true
    }

    /// Gives a live thread a permit, and ends its wait for one.
    pub(crate) fn give_permit(&mut self, object: Ref) {
        if object == self.main_thread {
            self.threads_mut();
        }
        let Some(number) = self.state.threads.find(object) else {
            return;
        };
        let thread = &mut self.threads_mut().list[number];
        match thread.status {
            ThreadStatus::Parked => {
                thread.until = None;
                thread.status = ThreadStatus::Resumed {
                    by_interrupt: false,
                };
            }
            _ => thread.has_permit = true,
        }
    }

    /// Whether another thread runs the initialiser of a class.
    pub(crate) fn is_initialized_elsewhere(&self, class: ClassId) -> bool {
        self.state.parked_frames().any(|frame| {
            frame.kind == FrameKind::Initializer && self.method(frame.method).class == class
        })
    }
}

// What is told about threads.
impl Vm {
    fn found(&self, object: Ref) -> Option<&Thread> {
        let threads = &self.state.threads;
        threads.find(object).map(|number| &threads.list[number])
    }

    /// Monitor that a thread waits to enter or to be notified by.
    pub(crate) fn awaited_monitor(&self, thread: Ref) -> Option<Ref> {
        match self.found(thread)?.status {
            ThreadStatus::Entering(monitor)
            | ThreadStatus::Waiting(monitor, _)
            | ThreadStatus::Reacquiring { monitor, .. } => Some(monitor),
            _ => None,
        }
    }

    /// Whether a thread waits for a permit.
    pub(crate) fn is_parked(&self, thread: Ref) -> bool {
        self.found(thread)
            .is_some_and(|thread| thread.status == ThreadStatus::Parked)
    }

    /// Time that passed in the turns of a thread, in nanoseconds.
    pub(crate) fn run_time(&self, thread: Ref) -> u64 {
        let threads = &self.state.threads;
        let in_turn = match thread == self.current_thread() {
            true => self.time().saturating_sub(threads.turn_began),
            false => 0,
        };
        let before = self.found(thread).map_or(0, |thread| thread.run_nanos);
        before + in_turn
    }

    /// Thread that holds a monitor.
    pub(crate) fn owner_of(&self, monitor: Ref) -> Option<Ref> {
        let threads = &self.state.threads;
        let owner = threads.list.get(threads.owner(monitor));
        let owner = owner.map_or(self.main_thread, |owner| owner.object);
        (self.heap.monitor_depth(monitor) > 0).then_some(owner)
    }

    /// Waits of a thread so far.
    pub(crate) fn waits_of(&self, thread: Ref) -> Waits {
        let waits = self.found(thread).map(|thread| thread.waits);
        let waits = waits.unwrap_or_default();
        match self.state.threads.measures_waits {
            true => waits,
            false => Waits {
                blocked_millis: u64::MAX,
                waited_millis: u64::MAX,
                ..waits
            },
        }
    }

    /// Begins or ends the measurement of the time of waits.
    pub(crate) fn measure_waits(&mut self, is_on: bool) {
        let threads = self.threads_mut();
        threads.measures_waits = is_on;
        for thread in &mut threads.list {
            thread.waits.blocked_millis = 0;
            thread.waits.waited_millis = 0;
        }
    }

    /// Makes the largest number of live threads the present one.
    pub(crate) fn reset_thread_peak(&mut self) {
        let threads = self.threads_mut();
        threads.peak = threads.live_count();
    }

    pub(crate) fn is_suspended(&self, thread: Ref) -> bool {
        self.found(thread).is_some_and(|thread| thread.is_suspended)
    }

    /// Lets a live thread throw an exception at its next turn.
    pub(crate) fn stop_thread(&mut self, object: Ref, exception: Ref) {
        let threads = self.threads_mut();
        if let Some(number) = threads.find(object) {
            threads.list[number].stopped_by = exception;
            self.interrupt_wait(object);
        }
    }

    /// Suspends a live thread, or lets it go on; returns whether it is the running one.
    pub(crate) fn set_suspended(&mut self, thread: Ref, is_suspended: bool) -> bool {
        let threads = self.threads_mut();
        let Some(number) = threads.find(thread) else {
            return false;
        };
        threads.list[number].is_suspended = is_suspended;
        number == threads.running
    }
}

// The scheduler.
impl Vm {
    /// Lets the next thread run that can go on; the exit if there is none.
    pub(crate) fn switch_thread(&mut self) -> Option<Exit> {
        let now = self.time();
        let threads = self.threads_mut();
        let took = now.saturating_sub(threads.turn_began);
        threads.turn_began = now;
        let running = threads.running;
        threads.list[running].run_nanos += took;
        loop {
            let now = self.time();
            let threads = &self.state.threads;
            let count = threads.list.len();
            let others = (1..=count).map(|distance| (threads.running + distance) % count);
            let mut ready = others.filter(|&number| self.is_ready(number, now));
            if let Some(next) = ready.next() {
                return match self.give_turn(next) {
                    Ok(()) => None,
                    Err(Fault::Stop(exit)) => Some(*exit),
                    Err(Fault::Throw(exception)) => self.unwind(exception),
                    Err(other) => Some(Exit::Unsupported(self.fault_text(&other))),
                };
            }
            let waiting = threads.list.iter();
            let waiting = waiting.filter(|thread| !thread.is_suspended && !thread.serves);
            match waiting.filter_map(|thread| thread.until).min() {
                Some(until) if until > now => self.pass_time(until - now),
                _ => match self.collect_for_waiting() {
                    Ok(true) => {}
                    Ok(false) => return Some(Exit::Deadlock(self.deadlock())),
                    Err(Fault::Stop(exit)) => return Some(*exit),
                    Err(other) => return Some(Exit::Unsupported(self.fault_text(&other))),
                },
            }
        }
    }

    /// Ends the wait of a thread, preferably one that serves references; returns its number.
    pub(crate) fn wake_for_service(&mut self) -> Option<usize> {
        let list = &self.state.threads.list;
        let waits = |thread: &Thread| {
            let is_waiting = matches!(
                thread.status,
                ThreadStatus::Waiting(..) | ThreadStatus::Parked | ThreadStatus::Runnable
            );
            is_waiting && !thread.is_suspended
        };
        let server = list
            .iter()
            .position(|thread| thread.serves && waits(thread));
        let number = server.or_else(|| list.iter().position(waits))?;
        let thread = &mut self.threads_mut().list[number];
        thread.until = None;
        thread.status = match thread.status {
            ThreadStatus::Waiting(monitor, depth) => ThreadStatus::Reacquiring {
                monitor,
                depth,
                by_interrupt: false,
            },
            ThreadStatus::Parked => ThreadStatus::Resumed {
                by_interrupt: false,
            },
            other => other,
        };
        Some(number)
    }

    /// Whether a thread can go on.
    fn is_ready(&self, number: usize, now: u64) -> bool {
        let thread = &self.state.threads.list[number];
        if thread.is_suspended {
            return false;
        }
        let is_over = thread.until.is_some_and(|until| until <= now);
        let is_free = |monitor: Ref| self.heap.monitor_depth(monitor) == 0;
        match thread.status {
            ThreadStatus::Runnable | ThreadStatus::Resumed { .. } => true,
            ThreadStatus::Entering(monitor) | ThreadStatus::Reacquiring { monitor, .. } => {
                is_free(monitor)
            }
            ThreadStatus::Waiting(monitor, _) => is_over && is_free(monitor),
            ThreadStatus::Sleeping | ThreadStatus::Parked => is_over,
            ThreadStatus::Initializing(class) => {
                self.heap.load(self.class(class).statics) != init::RUNNING
            }
            ThreadStatus::Ended => false,
        }
    }

    /// Makes a thread that can go on the running one.
    fn give_turn(&mut self, number: usize) -> Result<(), Fault> {
        let now = self.time();
        let threads = self.threads_mut();
        let before = std::mem::replace(&mut threads.running, number);
        threads.turn_began = now;
        let measures_waits = threads.measures_waits;
        let thread = &mut threads.list[number];
        let (object, status) = (thread.object, thread.status);
        if measures_waits {
            let millis = now.saturating_sub(thread.blocked_at) / NANOS_IN_MILLI;
            match status {
                ThreadStatus::Entering(_) => thread.waits.blocked_millis += millis,
                ThreadStatus::Runnable => {}
                _ => thread.waits.waited_millis += millis,
            }
        }
        let resumed = |by_interrupt| ThreadStatus::Resumed { by_interrupt };
        let mut held = None;
        thread.until = None;
        thread.status = match status {
            ThreadStatus::Entering(_) | ThreadStatus::Initializing(_) => ThreadStatus::Runnable,
            ThreadStatus::Waiting(monitor, depth) => {
                held = Some((monitor, depth));
                resumed(false)
            }
            ThreadStatus::Reacquiring {
                monitor,
                depth,
                by_interrupt,
            } => {
                held = Some((monitor, depth));
                resumed(by_interrupt)
            }
            ThreadStatus::Sleeping | ThreadStatus::Parked => resumed(false),
            other => other,
        };
        if before != number {
            self.state.swap_stack(before);
            self.state.swap_stack(number);
        }
        if let Some((monitor, depth)) = held {
            for _ in 0..depth {
                self.enter_monitor(monitor)?;
            }
        }
        let current = self.current_mut();
        if !current.stopped_by.is_null() {
            current.status = ThreadStatus::Runnable;
            let exception = std::mem::take(&mut current.stopped_by);
            self.turn_end = self.steps.saturating_add(TURN);
            self.set_java_status(object, java_status::RUNNABLE)?;
            return Err(Fault::Throw(exception));
        }
        self.turn_end = self.steps.saturating_add(TURN);
        match status {
            ThreadStatus::Runnable => Ok(()),
            _ => self.set_java_status(object, java_status::RUNNABLE),
        }
    }

    /// For the interpreter: goes on with another thread after the running one has left the loop
    /// by this exit, if it was the end of its turn or of the thread.
    pub(crate) fn after_turn(&mut self, exit: Exit) -> Option<Exit> {
        match exit {
            Exit::Limit(crate::vm::Limit::Steps) if self.steps < self.step_limit => {
                self.pass_time(TURN_NANOS);
                self.switch_thread()
            }
            Exit::Done(_) | Exit::Threw(_) if self.state.threads.running != 0 => {
                if let Exit::Threw(exception) = exit {
                    self.report_escaped(exception);
                }
                match self.end_thread() {
                    Ok(()) if self.state.threads.has_live_user() => self.switch_thread(),
                    Ok(()) => Some(Exit::Done(0)),
                    Err(Fault::Stop(exit)) => Some(*exit),
                    Err(other) => Some(Exit::Unsupported(self.fault_text(&other))),
                }
            }
            other => Some(other),
        }
    }

    /// Reports an exception out of the handler of uncaught exceptions.
    fn report_escaped(&mut self, exception: Ref) {
        let class = self.binary_name(self.heap.class_of(exception));
        let name = self.thread_field(self.current_thread(), "name");
        let name = name.map_or(String::new(), |name| self.string_text(Ref::from_slot(name)));
        let text = format!(
            "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{name}\"\n"
        );
        self.write_output(2, text.as_bytes());
    }

    /// Ends the running thread, which has no frames any more, and wakes those that join it.
    fn end_thread(&mut self) -> Result<(), Fault> {
        let object = self.current_thread();
        self.current_mut().status = ThreadStatus::Ended;
        self.set_thread_field(object, "eetop", 0)?;
        self.set_java_status(object, java_status::TERMINATED)?;
        self.notify_waiters(object, true);
        Ok(())
    }

    /// Ends the main thread, runs the others until only daemons are left, and then what the
    /// library does at the end of a program.
    pub(crate) fn end_program(&mut self) -> Result<Exit, Fault> {
        if !self.ends_by_library() {
            return Ok(Exit::Done(0));
        }
        let exit = self.method_named("java/lang/Thread", "exit", "()V")?;
        let exit = self.run_fully(exit, &[self.main_thread.slot()]);
        if !matches!(exit, Exit::Done(_) | Exit::Threw(_)) {
            return Ok(exit);
        }
        self.end_thread()?;
        if self.state.threads.has_live_user() {
            let exit = match self.switch_thread() {
                None => self.run(&mut crate::machine::Plain),
                Some(exit) => exit,
            };
            if !matches!(exit, Exit::Done(_)) {
                return Ok(exit);
            }
        }
        // The main thread stands for the one that the launcher makes for the end.
        let running = self.state.threads.running;
        self.threads_mut().list[0].status = ThreadStatus::Runnable;
        self.threads_mut().running = 0;
        if running != 0 {
            self.state.swap_stack(running);
            self.state.swap_stack(0);
        }
        let shutdown = self.method_named("java/lang/Shutdown", "shutdown", "()V")?;
        let starter = self.starter(shutdown)?;
        Ok(self.run_fully(starter, &[]))
    }

    fn run_fully(&mut self, method: MethodId, arguments: &[u64]) -> Exit {
        match self.call(method, arguments) {
            Ok(()) => self.run(&mut crate::machine::Plain),
            Err(exit) => exit,
        }
    }

    /// Describes what all threads wait for.
    fn deadlock(&self) -> String {
        let mut texts = Vec::new();
        for thread in &self.state.threads.list {
            let monitor_text = |monitor: Ref| {
                let class = self.binary_name(self.heap.class_of(monitor));
                let owner = self.state.threads.owner(monitor);
                let is_held = self.heap.monitor_depth(monitor) > 0;
                let owner =
                    is_held.then(|| self.thread_name(self.state.threads.list[owner].object));
                let owner = owner.map(|name| format!(", held by {name}"));
                format!("a monitor of {class}{}", owner.unwrap_or_default())
            };
            let what = match thread.status {
                ThreadStatus::Ended => continue,
                _ if thread.serves => continue,
                _ if thread.is_suspended => "is suspended".to_owned(),
                ThreadStatus::Entering(monitor) | ThreadStatus::Reacquiring { monitor, .. } => {
                    format!("enters {}", monitor_text(monitor))
                }
                ThreadStatus::Waiting(monitor, _) => {
                    let class = self.binary_name(self.heap.class_of(monitor));
                    format!("waits to be notified by a monitor of {class}")
                }
                ThreadStatus::Parked => "is parked".to_owned(),
                ThreadStatus::Initializing(class) => {
                    format!("waits until {} is initialised", self.binary_name(class))
                }
                ThreadStatus::Sleeping | ThreadStatus::Runnable | ThreadStatus::Resumed { .. } => {
                    "runs".to_owned()
                }
            };
            texts.push(format!("{} {what}", self.thread_name(thread.object)));
        }
        texts.join("; ")
    }

    fn thread_name(&self, object: Ref) -> String {
        let name = self.thread_field(object, "name");
        name.map_or(String::new(), |name| self.string_text(Ref::from_slot(name)))
    }
}

// Fields of `Thread`, some of which newer JDKs have in a holder.
impl Vm {
    /// Arena word of a field that `Thread` itself declares.
    fn thread_word(&self, object: Ref, name: &str) -> Result<u32, Fault> {
        let class = self.heap.class_of(self.main_thread);
        if let Some(field) = self.find_field(class, name) {
            return Ok(object.0 + field.word);
        }
        let holder = object.0 + self.word_of(class, "holder")?;
        let holder = Ref::from_slot(self.heap.load(holder));
        Ok(holder.0 + self.word_of(self.heap.class_of(holder), name)?)
    }

    pub(crate) fn thread_field(&self, object: Ref, name: &str) -> Result<u64, Fault> {
        Ok(self.heap.load(self.thread_word(object, name)?))
    }

    pub(crate) fn set_thread_field(
        &mut self,
        object: Ref,
        name: &str,
        value: u64,
    ) -> Result<(), Fault> {
        let word = self.thread_word(object, name)?;
        self.heap.store(word, value);
        Ok(())
    }

    fn set_java_status(&mut self, object: Ref, bits: u64) -> Result<(), Fault> {
        self.set_thread_field(object, "threadStatus", bits)
    }
}
