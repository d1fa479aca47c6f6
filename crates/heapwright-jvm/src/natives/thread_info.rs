//! `ThreadMXBean`: what the threads of a program do, which locks they wait for, and which they
//! hold.
//!
//! Monitors of `synchronized` blocks are found by the handlers that `javac` adds to leave them.

use super::{Args, NativeEntry, nothing};
use crate::heap::Ref;
use crate::instr::Instr;
use crate::state::Frame;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "sun/management/ThreadImpl.getThreads()[Ljava/lang/Thread;",
        |vm, _| {
            let threads = vm.live_threads();
            thread_array(vm, &threads)
        },
    ),
    (
        "sun/management/ThreadImpl.getThreadInfo1([JI[Ljava/lang/management/ThreadInfo;)V",
        fill_infos,
    ),
    (
        "sun/management/ThreadImpl.dumpThreads0([JZZI)[Ljava/lang/management/ThreadInfo;",
        dump_infos,
    ),
    (
        "sun/management/ThreadImpl.findMonitorDeadlockedThreads0()[Ljava/lang/Thread;",
        |vm, _| deadlocked(vm, false),
    ),
    (
        "sun/management/ThreadImpl.findDeadlockedThreads0()[Ljava/lang/Thread;",
        |vm, _| deadlocked(vm, true),
    ),
    (
        "sun/management/ThreadImpl.getThreadTotalCpuTime0(J)J",
        cpu_time,
    ),
    (
        "sun/management/ThreadImpl.getThreadUserCpuTime0(J)J",
        cpu_time,
    ),
    (
        "sun/management/ThreadImpl.getThreadTotalCpuTime1([J[J)V",
        cpu_times,
    ),
    (
        "sun/management/ThreadImpl.getThreadUserCpuTime1([J[J)V",
        cpu_times,
    ),
    (
        "sun/management/ThreadImpl.setThreadCpuTimeEnabled0(Z)V",
        nothing,
    ),
    (
        "sun/management/ThreadImpl.setThreadContentionMonitoringEnabled0(Z)V",
        |vm, args| {
            let is_on = vm.arg_int(args, 0) != 0;
            vm.measure_waits(is_on);
            Ok(0)
        },
    ),
    (
        "sun/management/ThreadImpl.resetContentionTimes0(J)V",
        nothing,
    ),
    (
        "sun/management/ThreadImpl.resetPeakThreadCount0()V",
        |vm, _| {
            vm.reset_thread_peak();
            Ok(0)
        },
    ),
];

const INFO: &str = "java/lang/management/ThreadInfo";
const LOCK: &str = "java/lang/management/LockInfo";
const MONITOR: &str = "java/lang/management/MonitorInfo";
const STATE: &str = "java/lang/Thread$State";
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractOwnableSynchronizer";

fn thread_array(vm: &mut Vm, threads: &[Ref]) -> Result<u64, Fault> {
    let class = vm.class_of_descriptor("[Ljava/lang/Thread;")?;
    Ok(vm.new_object_array(class, threads)?.slot())
}

fn ids(vm: &Vm, array: Ref) -> Vec<u64> {
    let start = (vm.heap.elements(array) >> 3) as u32;
    let length = vm.heap.array_length(array);
    (0..length)
        .map(|index| vm.heap.load(start + index))
        .collect()
}

fn thread_with(vm: &Vm, id: u64) -> Option<Ref> {
    let live = vm.live_threads().into_iter();
    live.into_iter()
        .find(|&thread| vm.thread_field(thread, "tid").ok() == Some(id))
}

/// Parts of a `ThreadInfo` that are asked for.
#[derive(Clone, Copy, Default)]
struct Details {
    /// Maximum number of stack frames.
    depth: usize,
    monitors: bool,
    synchronizers: bool,
}

impl Details {
    /// The number of frames in an argument; all of them if it is negative.
    fn with_depth(depth: i32) -> Details {
        Details {
            depth: usize::try_from(depth).unwrap_or(usize::MAX),
            ..Details::default()
        }
    }
}

/// Fills an array with the infos of the threads with these ids; null for a thread that is not
/// alive.
fn fill_infos(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, into) = (vm.arg_object(args, 0)?, vm.arg_object(args, 2)?);
    let details = Details::with_depth(vm.arg_int(args, 1));
    let start = vm.heap.elements(into);
    for (index, id) in (0u64..).zip(ids(vm, array)) {
        if let Some(thread) = thread_with(vm, id) {
            let info = new_info(vm, thread, details)?;
            vm.heap.store32(start + 4 * index, info.0);
        }
    }
    Ok(0)
}

/// Infos of the threads with these ids, or of all threads.
fn dump_infos(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let threads = match vm.arg_ref(args, 0) {
        Ref::NULL => vm.live_threads().into_iter().map(Some).collect(),
        array => ids(vm, array)
            .into_iter()
            .map(|id| thread_with(vm, id))
            .collect::<Vec<_>>(),
    };
    let details = Details {
        monitors: vm.arg_int(args, 1) != 0,
        synchronizers: vm.arg_int(args, 2) != 0,
        ..Details::with_depth(vm.arg_int(args, 3))
    };
    let mut infos = Vec::with_capacity(threads.len());
    for thread in threads {
        infos.push(match thread {
            Some(thread) => new_info(vm, thread, details)?,
            None => Ref::NULL,
        });
    }
    let class = vm.class_of_descriptor(&format!("[L{INFO};"))?;
    Ok(vm.new_object_array(class, &infos)?.slot())
}

/// New `ThreadInfo`, whose constructor takes the same values.
fn new_info(vm: &mut Vm, thread: Ref, details: Details) -> Result<Ref, Fault> {
    let info = vm.new_library_object(INFO)?;
    let state = state_constant(vm, thread)?;
    let (blocker, owner) = blocker(vm, thread);
    let lock = match blocker {
        Ref::NULL => Ref::NULL,
        blocker => new_lock(vm, LOCK, blocker)?,
    };
    let lock_name = match blocker {
        Ref::NULL => Ref::NULL,
        blocker => {
            let class = vm.binary_name(vm.heap.class_of(blocker));
            let text = format!("{class}@{:x}", vm.identity_hash(blocker));
            vm.new_string(&text)?
        }
    };
    let mut trace = Vec::new();
    let frames = vm.frames_of(thread);
    for (method, pc) in frames.into_iter().take(details.depth) {
        trace.push(super::lang::new_element(vm, method, pc)?);
    }
    let mut monitors = Vec::new();
    if details.monitors {
        for (monitor, depth) in held_monitors(vm, thread) {
            let object = new_lock(vm, MONITOR, monitor)?;
            let element = trace.get(depth).copied();
            let place = element.map_or(-1, |_| depth as i32);
            vm.put(object, "stackDepth", u64::from(place as u32));
            vm.put(object, "stackFrame", element.unwrap_or_default().slot());
            monitors.push(object);
        }
    }
    let mut synchronizers = Vec::new();
    if details.synchronizers {
        for object in owned_synchronizers(vm, thread)? {
            synchronizers.push(new_lock(vm, LOCK, object)?);
        }
    }
    for (field, class, elements) in [
        ("stackTrace", "java/lang/StackTraceElement", &trace),
        ("lockedMonitors", MONITOR, &monitors),
        ("lockedSynchronizers", LOCK, &synchronizers),
    ] {
        let class = vm.class_of_descriptor(&format!("[L{class};"))?;
        let array = vm.new_object_array(class, elements)?;
        vm.put(info, field, array.slot());
    }
    let number = |vm: &Vm, thread: Ref| vm.thread_field(thread, "tid");
    let (owner_id, owner_name) = match owner {
        Ref::NULL => (u64::MAX, 0),
        owner => (number(vm, owner)?, vm.thread_field(owner, "name")?),
    };
    let waits = vm.waits_of(thread);
    for (field, value) in [
        ("threadId", number(vm, thread)?),
        ("threadName", vm.thread_field(thread, "name")?),
        ("threadState", state.slot()),
        ("daemon", vm.thread_field(thread, "daemon")?),
        ("priority", vm.thread_field(thread, "priority")?),
        ("lock", lock.slot()),
        ("lockName", lock_name.slot()),
        ("lockOwnerId", owner_id),
        ("lockOwnerName", owner_name),
        ("blockedCount", waits.blocked_count),
        ("blockedTime", waits.blocked_millis),
        ("waitedCount", waits.waited_count),
        ("waitedTime", waits.waited_millis),
        ("suspended", u64::from(vm.is_suspended(thread))),
    ] {
        vm.put(info, field, value);
    }
    Ok(info)
}

/// New `LockInfo` or `MonitorInfo`.
fn new_lock(vm: &mut Vm, class: &str, of: Ref) -> Result<Ref, Fault> {
    let info = vm.new_library_object(class)?;
    let name = vm.binary_name(vm.heap.class_of(of));
    let name = vm.new_string(&name)?;
    vm.put(info, "className", name.slot());
    let hash = vm.identity_hash(of);
    vm.put(info, "identityHashCode", u64::from(hash));
    Ok(info)
}

/// Constant of `Thread.State` for a thread's status, as `VM.toThreadState` maps it.
fn state_constant(vm: &mut Vm, thread: Ref) -> Result<Ref, Fault> {
    let class = vm.load_class(STATE).map_err(|error| vm.load_fault(error))?;
    vm.initialize(class)?;
    let status = vm.thread_field(thread, "threadStatus")?;
    let bits = [
        (0x4, "RUNNABLE"),
        (0x400, "BLOCKED"),
        (0x10, "WAITING"),
        (0x20, "TIMED_WAITING"),
        (0x2, "TERMINATED"),
    ];
    let name = bits.into_iter().find(|(bit, _)| status & bit != 0);
    let name = name.map_or("NEW", |(_, name)| name);
    let constant = vm.find_field(class, name).map(|field| field.word);
    Ok(constant.map_or(Ref::NULL, |word| Ref::from_slot(vm.heap.load(word))))
}

/// Object that a thread waits for, and the thread that holds it.
fn blocker(vm: &Vm, thread: Ref) -> (Ref, Ref) {
    if let Some(monitor) = vm.awaited_monitor(thread) {
        let owner = vm.owner_of(monitor).filter(|&owner| owner != thread);
        return (monitor, owner.unwrap_or_default());
    }
    let parked = vm.is_parked(thread);
    let blocker = vm.thread_field(thread, "parkBlocker").unwrap_or(0);
    match Ref::from_slot(blocker) {
        Ref::NULL => (Ref::NULL, Ref::NULL),
        _ if !parked => (Ref::NULL, Ref::NULL),
        blocker => (blocker, synchronizer_owner(vm, blocker)),
    }
}

/// Thread that holds an `AbstractOwnableSynchronizer` exclusively.
fn synchronizer_owner(vm: &Vm, object: Ref) -> Ref {
    let class = vm.heap.class_of(object);
    let is_one = vm
        .loaded_class(SYNCHRONIZER)
        .is_some_and(|synchronizer| vm.is_subclass(class, synchronizer));
    let field = vm.find_field(class, "exclusiveOwnerThread");
    let field = field.filter(|_| is_one);
    field.map_or(Ref::NULL, |field| {
        Ref::from_slot(vm.heap.field(object, field.word))
    })
}

/// Synchronizers that a thread holds exclusively, in the order of their places.
fn owned_synchronizers(vm: &mut Vm, thread: Ref) -> Result<Vec<Ref>, Fault> {
    let Some(class) = vm.loaded_class(SYNCHRONIZER) else {
        return Ok(Vec::new());
    };
    let mut found = vm.instances(class)?;
    found.retain(|&object| synchronizer_owner(vm, object) == thread);
    Ok(found)
}

/// Monitors that a thread holds, with the number of the frame that entered each, from the
/// innermost on.
fn held_monitors(vm: &Vm, thread: Ref) -> Vec<(Ref, usize)> {
    let awaited = vm.awaited_monitor(thread);
    let natives = usize::from(vm.native_of(thread).is_some());
    let mut held: Vec<(Ref, usize)> = Vec::new();
    for (depth, frame) in (natives..).zip(vm.shown_frames_of(thread)) {
        let blocks = block_monitors(vm, thread, frame);
        for monitor in blocks.into_iter().chain([frame.monitor]) {
            let is_awaited = held.is_empty() && awaited == Some(monitor);
            if !monitor.is_null() && !is_awaited && vm.owner_of(monitor) == Some(thread) {
                held.push((monitor, depth));
            }
        }
    }
    held
}

/// Monitors of the `synchronized` blocks that a frame is in, the innermost first. The code of such
/// a block has a handler of all exceptions that leaves the monitor.
fn block_monitors(vm: &Vm, thread: Ref, frame: &Frame) -> Vec<Ref> {
    /// Instructions of a handler up to the one that leaves the monitor.
    const MOST: usize = 6;
    let registers = vm.registers_of(thread);
    let method = vm.method(frame.method);
    let covering = method
        .handlers
        .iter()
        .filter(|handler| handler.catch == 0 && (handler.start..handler.end).contains(&frame.pc));
    let mut monitors = Vec::new();
    for handler in covering {
        let code = vm.code.iter().skip(handler.target as usize).take(MOST);
        let mut moves: Vec<(u16, u16)> = Vec::new();
        let left = code.into_iter().find_map(|instr| match instr {
            Instr::Move { d, a } => {
                moves.push((*d, *a));
                None
            }
            Instr::MonitorExit { a } => Some(*a),
            _ => None,
        });
        // The handler may push the variable that has held the monitor since it was entered.
        let left = left.map(|register| {
            let moves = moves.iter().rev();
            moves.fold(register, |register, &(to, from)| match to == register {
                true => from,
                false => register,
            })
        });
        let register = left.map(|register| frame.base as usize + register as usize);
        let slot = register.and_then(|register| registers.get(register));
        if let Some(&slot) = slot {
            monitors.push(Ref::from_slot(slot));
        }
    }
    monitors
}

/// Threads that wait for each other, or null. Only monitors count, or synchronizers too.
fn deadlocked(vm: &mut Vm, counts_synchronizers: bool) -> Result<u64, Fault> {
    let next = |thread: Ref| {
        let is_counted = counts_synchronizers || vm.awaited_monitor(thread).is_some();
        let (_, owner) = blocker(vm, thread);
        Some(owner).filter(|owner| is_counted && !owner.is_null())
    };
    let live = vm.live_threads();
    let is_in_cycle = |&thread: &Ref| {
        let chain = std::iter::successors(next(thread), |&thread| next(thread));
        chain.take(live.len()).any(|other| other == thread)
    };
    let found: Vec<Ref> = live.iter().copied().filter(is_in_cycle).collect();
    match found.is_empty() {
        true => Ok(0),
        false => thread_array(vm, &found),
    }
}

/// Time that passed in the turns of a thread: there is one processor. 0 stands for the running
/// thread.
fn cpu_time(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let id = vm.arg(args, 0);
    time_of(vm, id)
}

/// Like [`cpu_time`]; -1 for a thread that is not alive.
fn time_of(vm: &mut Vm, id: u64) -> Result<u64, Fault> {
    let thread = match id {
        0 => Some(vm.current_thread()),
        id => thread_with(vm, id),
    };
    vm.read_clock();
    Ok(thread.map_or(u64::MAX, |thread| vm.run_time(thread)))
}

fn cpu_times(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, into) = (vm.arg_object(args, 0)?, vm.arg_object(args, 1)?);
    let start = (vm.heap.elements(into) >> 3) as u32;
    for (index, id) in (0..).zip(ids(vm, array)) {
        let time = time_of(vm, id)?;
        vm.heap.store(start + index, time);
    }
    Ok(0)
}
