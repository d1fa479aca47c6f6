//! Management beans: what a virtual machine of one program tells of itself. Optional features are
//! not there.

use super::clock::{NANOS_IN_MILLI, START_MILLIS};
use super::{Args, NativeEntry, nothing};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "sun/management/VMManagementImpl.getVersion0()Ljava/lang/String;",
        version,
    ),
    (
        "sun/management/VMManagementImpl.initOptionalSupportFields()V",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.isThreadContentionMonitoringEnabled()Z",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.isThreadCpuTimeEnabled()Z",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.isThreadAllocatedMemoryEnabled()Z",
        nothing,
    ),
    ("sun/management/VMManagementImpl.getVerboseGC()Z", nothing),
    (
        "sun/management/VMManagementImpl.getVerboseClass()Z",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.getUnloadedClassCount()J",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.getTotalClassCount()J",
        class_count,
    ),
    (
        "sun/management/VMManagementImpl.getVmArguments0()[Ljava/lang/String;",
        arguments,
    ),
    ("sun/management/VMManagementImpl.getProcessId()I", process),
    ("java/lang/ProcessHandleImpl.initNative()V", nothing),
    ("java/lang/ProcessHandleImpl.getCurrentPid0()J", process),
    ("java/lang/ProcessHandleImpl.isAlive0(J)J", nothing),
    (
        "sun/management/VMManagementImpl.getStartupTime()J",
        startup_time,
    ),
    ("sun/management/VMManagementImpl.getUptime0()J", uptime),
    (
        "sun/management/VMManagementImpl.getTotalThreadCount()J",
        started_count,
    ),
    (
        "sun/management/VMManagementImpl.getLiveThreadCount()I",
        thread_count,
    ),
    (
        "sun/management/VMManagementImpl.getPeakThreadCount()I",
        thread_count,
    ),
    (
        "sun/management/VMManagementImpl.getDaemonThreadCount()I",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.getAvailableProcessors()I",
        super::one,
    ),
    (
        "sun/management/MemoryImpl.getMemoryUsage0(Z)Ljava/lang/management/MemoryUsage;",
        memory_usage,
    ),
    (
        "sun/management/MemoryImpl.getMemoryPools0()[Ljava/lang/management/MemoryPoolMXBean;",
        |vm, _| none_of(vm, "[Ljava/lang/management/MemoryPoolMXBean;"),
    ),
    (
        "sun/management/MemoryImpl.getMemoryManagers0()[Ljava/lang/management/MemoryManagerMXBean;",
        |vm, _| none_of(vm, "[Ljava/lang/management/MemoryManagerMXBean;"),
    ),
    ("sun/management/MemoryImpl.setVerboseGC(Z)V", nothing),
    (
        "sun/management/ClassLoadingImpl.setVerboseClass(Z)V",
        nothing,
    ),
    (
        "sun/management/ThreadImpl.findMonitorDeadlockedThreads0()[Ljava/lang/Thread;",
        nothing,
    ),
    (
        "sun/management/ThreadImpl.findDeadlockedThreads0()[Ljava/lang/Thread;",
        nothing,
    ),
    (
        "com/sun/management/internal/OperatingSystemImpl.initialize0()V",
        nothing,
    ),
    ("com/sun/management/internal/Flag.initialize()V", nothing),
    (
        "jdk/internal/platform/CgroupMetrics.isUseContainerSupport()Z",
        nothing,
    ),
];

/// Values that depend on the machine are told where a program only runs.
fn allow(vm: &Vm, what: &str) -> Result<(), Fault> {
    match vm.config.replaces_launcher {
        true => Ok(()),
        false => Err(Fault::unsupported(format!(
            "java.lang.management: tests are not told {what}"
        ))),
    }
}

fn none_of(vm: &mut Vm, class: &str) -> Result<u64, Fault> {
    let class = vm.load_class(class).map_err(|error| vm.load_fault(error))?;
    Ok(vm.new_object_array(class, &[])?.slot())
}

/// Version of the management interface.
fn version(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let text = match vm.jdk().feature {
        ..20 => "3.0",
        _ => "4.0",
    };
    Ok(vm.new_string(text)?.slot())
}

fn class_count(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "which classes are loaded")?;
    Ok(vm.classes.len() as u64)
}

fn arguments(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    none_of(vm, "[Ljava/lang/String;")
}

fn process(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "the number of the process")?;
    Ok(u64::from(std::process::id()))
}

/// The machine starts when its clock does.
fn startup_time(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "when the machine started")?;
    Ok(START_MILLIS)
}

/// Milliseconds since the start.
fn uptime(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "when the machine started")?;
    Ok(vm.time() / NANOS_IN_MILLI)
}

/// Number of live threads.
fn thread_count(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "the number of threads")?;
    Ok(vm.live_threads().len() as u64)
}

/// Number of threads that were started, the main one included.
fn started_count(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "the number of threads")?;
    Ok(vm.state.threads.count().max(1) as u64)
}

/// Memory of objects, or of nothing else.
fn memory_usage(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    allow(vm, "how much memory is used")?;
    const CLASS: &str = "java/lang/management/MemoryUsage";
    let is_heap = vm.arg_int(args, 1) != 0;
    let used = if is_heap { vm.heap.used_bytes() } else { 0 };
    let limit = if is_heap { vm.config.max_heap_bytes } else { 0 };
    let usage = vm.new_library_object(CLASS)?;
    for (field, value) in [
        ("init", 0),
        ("used", used),
        ("committed", used.max(limit)),
        ("max", limit.max(used)),
    ] {
        vm.put(usage, field, value);
    }
    Ok(usage.slot())
}
