//! Threads: `Thread`, waits for a monitor's notification, permits (`LockSupport`), and the end of
//! the program. The scheduler is in [`crate::threads`].

use super::clock::{LOOK_NANOS, NANOS_IN_MILLI, START_MILLIS};
use super::{Args, NativeEntry, nothing};
use crate::chances::Chance;
use crate::heap::Ref;
use crate::threads::ThreadStatus;
use crate::vm::{Exit, Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/Thread.currentThread()Ljava/lang/Thread;",
        current,
    ),
    (
        "java/lang/Thread.currentCarrierThread()Ljava/lang/Thread;",
        current,
    ),
    ("java/lang/Thread.getNextThreadIdOffset()J", id_address),
    ("java/lang/Thread.getThreads()[Ljava/lang/Thread;", live),
    (
        "java/lang/Thread.dumpThreads([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;",
        dump_threads,
    ),
    (
        "java/lang/Thread.getStackTrace0()Ljava/lang/Object;",
        stack_trace,
    ),
    ("java/lang/Thread.isAlive()Z", is_alive),
    (
        "java/lang/Thread.holdsLock(Ljava/lang/Object;)Z",
        holds_lock,
    ),
    (
        "java/lang/Thread.setNativeName(Ljava/lang/String;)V",
        nothing,
    ),
    ("java/lang/Thread.setPriority0(I)V", nothing),
    ("java/lang/Thread.suspend0()V", suspend),
    ("java/lang/Thread.resume0()V", resume),
    ("java/lang/Thread.stop0(Ljava/lang/Object;)V", stop),
    ("java/lang/Thread.start0()V", start0),
    ("java/lang/Thread.start()V", start),
    ("java/lang/Thread.yield()V", yield_turn),
    ("java/lang/Thread.yield0()V", yield_turn),
    ("java/lang/Thread.onSpinWait()V", yield_turn),
    ("java/lang/Thread.interrupt0()V", interrupt),
    ("java/lang/Thread.clearInterruptEvent()V", nothing),
    (
        "java/lang/Thread.ensureMaterializedForStackWalk(Ljava/lang/Object;)V",
        nothing,
    ),
    (
        "java/lang/Thread.scopedValueCache()[Ljava/lang/Object;",
        nothing,
    ),
    (
        "java/lang/Thread.setScopedValueCache([Ljava/lang/Object;)V",
        nothing,
    ),
    ("java/lang/Thread.sleep(J)V", sleep),
    ("java/lang/Thread.sleep0(J)V", sleep_nanos),
    ("java/lang/Thread.sleepNanos0(J)V", sleep_nanos),
    ("java/lang/Object.wait(J)V", wait),
    ("java/lang/Object.wait0(J)V", wait),
    ("java/lang/Object.notify()V", |vm, args| {
        notify(vm, args, false)
    }),
    ("java/lang/Object.notifyAll()V", |vm, args| {
        notify(vm, args, true)
    }),
    ("jdk/internal/misc/Unsafe.park(ZJ)V", park),
    (
        "jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V",
        unpark,
    ),
    (
        "jdk/internal/vm/ContinuationSupport.isSupported0()Z",
        nothing,
    ),
    ("java/lang/Shutdown.beforeHalt()V", nothing),
    ("java/lang/Shutdown.halt0(I)V", |vm, args| {
        Err(exit(vm, args, 0))
    }),
    ("java/lang/System.exit(I)V", exit_system),
    ("java/lang/Runtime.exit(I)V", exit_runtime),
    ("java/lang/Runtime.halt(I)V", |vm, args| {
        Err(exit(vm, args, 1))
    }),
];

fn current(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(vm.current_thread().slot())
}

/// Address of the next thread's number, as used by `Unsafe` without an object.
fn id_address(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(8 * u64::from(vm.thread_ids))
}

fn live(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let class = vm.class_of_descriptor("[Ljava/lang/Thread;")?;
    let threads = vm.live_threads();
    Ok(vm.new_object_array(class, &threads)?.slot())
}

const TRACE: &str = "[Ljava/lang/StackTraceElement;";

/// Stack traces of threads, an array each.
fn dump_threads(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let threads = vm.arg_object(args, 0)?;
    let mut traces = Vec::new();
    for thread in vm.object_elements(threads) {
        let trace = new_trace(vm, thread)?;
        traces.push(trace);
    }
    let class = vm.class_of_descriptor(&format!("[{TRACE}"))?;
    Ok(vm.new_object_array(class, &traces)?.slot())
}

/// Stack trace of a thread; null if it has no frames.
fn stack_trace(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread = vm.arg_object(args, 0)?;
    match vm.frames_of(thread).is_empty() {
        true => Ok(0),
        false => Ok(new_trace(vm, thread)?.slot()),
    }
}

fn new_trace(vm: &mut Vm, thread: Ref) -> Result<Ref, Fault> {
    let mut elements = Vec::new();
    for (method, pc) in vm.frames_of(thread) {
        elements.push(super::lang::new_element(vm, method, pc)?);
    }
    let class = vm.class_of_descriptor(TRACE)?;
    vm.new_object_array(class, &elements)
}

fn is_alive(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread = vm.arg_object(args, 0)?;
    Ok(u64::from(vm.live_threads().contains(&thread)))
}

fn holds_lock(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    vm.note_after_others(Chance::Thread);
    Ok(u64::from(vm.holds(object)))
}

/// Of the JDK's own daemons, those that serve references start later. Threads of the program are refused where tests are looked
/// for.
fn start(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread = vm.arg_object(args, 0)?;
    let name = vm.class_name(vm.heap.class_of(thread));
    let is_server = matches!(
        name,
        "java/lang/ref/Finalizer$FinalizerThread" | "jdk/internal/misc/InnocuousThread"
    );
    if is_server && vm.config.replaces_launcher {
        vm.note_server(thread);
        return Ok(0);
    }
    if name.starts_with("java/lang/ref/") || name.starts_with("jdk/internal/") {
        return Ok(0);
    }
    if !vm.runs_threads() {
        return Err(Fault::unsupported(
            "java.lang.Thread.start(): threads are not run",
        ));
    }
    Err(vm.own_bytecode(args, "java/lang/Thread", "start", "()V"))
}

/// Starts a thread; the running one goes on with a turn.
fn start0(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.take_resumed().is_some() {
        return Ok(0);
    }
    if !vm.runs_threads() {
        return Err(Fault::unsupported(
            "java.lang.Thread.start(): threads are not run",
        ));
    }
    let thread = vm.arg_object(args, 0)?;
    vm.start_thread(thread)?;
    vm.started_threads += 1;
    if vm.runs_started_first {
        let resumed = ThreadStatus::Resumed {
            by_interrupt: false,
        };
        return Err(vm.block(resumed, None));
    }
    Err(vm.begin_turn())
}

fn yield_turn(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    if vm.take_resumed().is_some() || vm.live_threads().len() == 1 {
        return Ok(0);
    }
    // Threads that sleep come to their end while others only yield.
    vm.pass_time(LOOK_NANOS);
    let resumed = ThreadStatus::Resumed {
        by_interrupt: false,
    };
    Err(vm.block(resumed, None))
}

fn suspend(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.take_resumed().is_some() {
        return Ok(0);
    }
    let thread = vm.arg_object(args, 0)?;
    let resumed = ThreadStatus::Resumed {
        by_interrupt: false,
    };
    match vm.runs_threads() && vm.set_suspended(thread, true) {
        true => Err(vm.block(resumed, None)),
        false => Ok(0),
    }
}

fn resume(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread = vm.arg_object(args, 0)?;
    if vm.runs_threads() {
        vm.set_suspended(thread, false);
    }
    Ok(0)
}

/// Throws an exception in a thread.
fn stop(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (thread, exception) = (vm.arg_object(args, 0)?, vm.arg_object(args, 1)?);
    if thread == vm.current_thread() {
        return Err(Fault::Throw(exception));
    }
    if vm.runs_threads() {
        vm.stop_thread(thread, exception);
    }
    Ok(0)
}

fn interrupt(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread = vm.arg_object(args, 0)?;
    vm.interrupt_wait(thread);
    Ok(0)
}

impl Vm {
    /// Throws if the running thread is interrupted, and clears the interrupt.
    fn check_interrupt(&mut self, message: Option<&str>) -> Result<(), Fault> {
        let thread = self.current_thread();
        if self.thread_field(thread, "interrupted")? == 0 {
            return Ok(());
        }
        let class = "java/lang/InterruptedException";
        let exception = self.new_exception(class, message)?;
        self.set_thread_field(thread, "interrupted", 0)?;
        Err(Fault::Throw(exception))
    }

    /// Time at which a wait of so many nanoseconds ends.
    fn time_in(&self, nanos: u64) -> u64 {
        self.time().saturating_add(nanos)
    }

    /// Blocks the running thread. Where there is only one thread, time passes until the end of the
    /// wait, and a wait without an end is refused.
    fn block_or_pass(
        &mut self,
        status: ThreadStatus,
        until: Option<u64>,
        refusal: &str,
    ) -> Result<u64, Fault> {
        if self.runs_threads() {
            return Err(match status {
                ThreadStatus::Waiting(monitor, _) => self.wait_on(monitor, until),
                status => self.block(status, until),
            });
        }
        let until = until.ok_or_else(|| Fault::unsupported(refusal))?;
        self.pass_time(until.saturating_sub(self.time()));
        Ok(0)
    }
}

fn sleep(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let millis = vm.arg(args, 0);
    if (millis as i64) < 0 {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "timeout value is negative",
        ));
    }
    sleep_for(vm, millis.saturating_mul(NANOS_IN_MILLI))
}

fn sleep_nanos(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let nanos = vm.arg(args, 0);
    sleep_for(vm, nanos)
}

fn sleep_for(vm: &mut Vm, nanos: u64) -> Result<u64, Fault> {
    vm.note_after_others(Chance::Thread);
    match vm.take_resumed() {
        Some(false) => return Ok(0),
        Some(true) => {
            vm.check_interrupt(Some("sleep interrupted"))?;
            return Ok(0);
        }
        None => vm.check_interrupt(Some("sleep interrupted"))?,
    }
    let until = vm.time_in(nanos);
    vm.block_or_pass(ThreadStatus::Sleeping, Some(until), "")
}

fn wait(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.note_after_others(Chance::Thread);
    let object = vm.arg_object(args, 0)?;
    let millis = vm.arg(args, 1);
    match vm.take_resumed() {
        Some(false) => return Ok(0),
        Some(true) => {
            vm.check_interrupt(None)?;
            return Ok(0);
        }
        None => {}
    }
    if (millis as i64) < 0 {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "timeout value is negative",
        ));
    }
    if !vm.holds(object) {
        return Err(not_owner());
    }
    vm.check_interrupt(None)?;
    let nanos = millis.saturating_mul(NANOS_IN_MILLI);
    let until = (millis != 0).then(|| vm.time_in(nanos));
    let refusal = "java.lang.Object.wait(): there is only one thread";
    vm.block_or_pass(ThreadStatus::Waiting(object, 0), until, refusal)
}

fn not_owner() -> Fault {
    Fault::raise(
        "java/lang/IllegalMonitorStateException",
        "current thread is not owner",
    )
}

fn notify(vm: &mut Vm, args: Args, all: bool) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    if !vm.holds(object) {
        return Err(not_owner());
    }
    vm.notify_waiters(object, all);
    Ok(0)
}

fn park(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let is_absolute = vm.arg_int(args, 1) != 0;
    let time = vm.arg(args, 2);
    if vm.take_resumed().is_some() || vm.take_permit() {
        return Ok(0);
    }
    if vm.thread_field(vm.current_thread(), "interrupted")? != 0 {
        return Ok(0);
    }
    let until = match (is_absolute, time) {
        (true, _) => Some(
            time.saturating_sub(START_MILLIS)
                .saturating_mul(NANOS_IN_MILLI),
        ),
        (false, 0) => None,
        (false, _) => Some(vm.time_in(time)),
    };
    let refusal = "java.util.concurrent.locks.LockSupport.park(): there is only one thread, which would wait for ever";
    vm.block_or_pass(ThreadStatus::Parked, until, refusal)
}

fn unpark(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let thread: Ref = vm.arg_ref(args, 1);
    vm.give_permit(thread);
    Ok(0)
}

fn exit(vm: &mut Vm, args: Args, index: usize) -> Fault {
    Fault::Stop(Box::new(Exit::Exited(vm.arg_int(args, index))))
}

/// Ends the program; hooks run first if there are any.
fn exit_system(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Err(match vm.ends_by_library() {
        true => vm.own_bytecode(args, "java/lang/System", "exit", "(I)V"),
        false => exit(vm, args, 0),
    })
}

fn exit_runtime(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Err(match vm.ends_by_library() {
        true => vm.own_bytecode(args, "java/lang/Runtime", "exit", "(I)V"),
        false => exit(vm, args, 1),
    })
}
