//! Management beans: what a virtual machine of one program tells of itself. Optional features are
//! not there.

use super::clock::{NANOS_IN_MILLI, START_MILLIS};
use super::{Args, NativeEntry, nothing};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "sun/management/VMManagementImpl.getVersion0()Ljava/lang/String;",
        version,
    ),
    (
        "sun/management/VMManagementImpl.initOptionalSupportFields()V",
        support_thread_info,
    ),
    (
        "sun/management/VMManagementImpl.isThreadContentionMonitoringEnabled()Z",
        nothing,
    ),
    (
        "sun/management/VMManagementImpl.isThreadCpuTimeEnabled()Z",
        super::one,
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
        peak_count,
    ),
    (
        "sun/management/VMManagementImpl.getDaemonThreadCount()I",
        daemon_count,
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
        "com/sun/management/internal/OperatingSystemImpl.initialize0()V",
        nothing,
    ),
    ("com/sun/management/internal/Flag.initialize()V", nothing),
    (
        "com/sun/management/internal/Flag.getAllFlagNames()[Ljava/lang/String;",
        |vm, _| none_of(vm, "[Ljava/lang/String;"),
    ),
    (
        "com/sun/management/internal/Flag.getInternalFlagCount()I",
        |_, _| Ok(OPTIONS.len() as u64),
    ),
    (
        "com/sun/management/internal/Flag.getFlags([Ljava/lang/String;[Lcom/sun/management/internal/Flag;I)I",
        options,
    ),
    (
        "jdk/internal/platform/CgroupMetrics.isUseContainerSupport()Z",
        nothing,
    ),
];

/// Number of the first process of a system, which is its only one in a container.
const FIRST_PROCESS: u64 = 1;

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

/// Number of the process. Where tests are generated it is always the same; a test that depends on
/// it fails on any JVM.
fn process(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(match vm.config.replaces_launcher {
        true => u64::from(std::process::id()),
        false => FIRST_PROCESS,
    })
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
    Ok(vm.state.threads.started().max(1))
}

/// Largest number of threads that were alive at a time.
fn peak_count(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "the number of threads")?;
    Ok(vm.state.threads.peak().max(1))
}

fn daemon_count(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    allow(vm, "the number of threads")?;
    let threads = vm.live_threads().into_iter();
    let daemons = threads.filter(|&thread| matches!(vm.thread_field(thread, "daemon"), Ok(1)));
    Ok(daemons.count() as u64)
}

/// Features of a `ThreadMXBean` that are there.
fn support_thread_info(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    const CLASS: &str = "sun/management/VMManagementImpl";
    let class = vm.load_class(CLASS).map_err(|error| vm.load_fault(error))?;
    for feature in [
        "threadContentionMonitoringSupport",
        "currentThreadCpuTimeSupport",
        "otherThreadCpuTimeSupport",
        "objectMonitorUsageSupport",
        "synchronizerUsageSupport",
    ] {
        if let Some(word) = vm.find_field(class, feature).map(|field| field.word) {
            vm.heap.store(word, 1);
        }
    }
    Ok(0)
}

/// Options of HotSpot that programs ask for, with the kinds and slots of their values here. They
/// can be read but not set.
const OPTIONS: [(&str, Kind, u64); 10] = [
    ("EnableJVMCI", Kind::Boolean, 0),
    ("HeapDumpOnOutOfMemoryError", Kind::Boolean, 0),
    ("MaxDirectMemorySize", Kind::Long, 0),
    ("ObjectAlignmentInBytes", Kind::Long, 8),
    ("PrintConcurrentLocks", Kind::Boolean, 0),
    ("UseCompressedClassPointers", Kind::Boolean, 1),
    ("UseCompressedOops", Kind::Boolean, 1),
    ("UseG1GC", Kind::Boolean, 0),
    ("UseParallelGC", Kind::Boolean, 0),
    ("UseSerialGC", Kind::Boolean, 1),
];

/// Box with the value of an option.
fn option_value(vm: &mut Vm, kind: Kind, slot: u64) -> Result<Ref, Fault> {
    let class = kind.box_class();
    if kind != Kind::Boolean {
        let value = vm.new_library_object(class)?;
        vm.put(value, "value", slot);
        return Ok(value);
    }
    let class = vm.load_class(class).map_err(|error| vm.load_fault(error))?;
    vm.initialize(class)?;
    let name = if slot == 0 { "FALSE" } else { "TRUE" };
    let field = vm.find_field(class, name).map(|field| field.word);
    Ok(field.map_or(Ref::NULL, |word| Ref::from_slot(vm.heap.load(word))))
}

/// Fills an array with the options of these names, or with all.
fn options(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const CLASS: &str = "com/sun/management/internal/Flag";
    const ORIGIN: &str = "com/sun/management/VMOption$Origin";
    let names = match vm.arg_ref(args, 0) {
        Ref::NULL => OPTIONS
            .iter()
            .map(|(name, ..)| (*name).to_owned())
            .collect(),
        names => vm
            .object_elements(names)
            .into_iter()
            .map(|name| vm.string_text(name))
            .collect::<Vec<_>>(),
    };
    let origin = vm
        .load_class(ORIGIN)
        .map_err(|error| vm.load_fault(error))?;
    vm.initialize(origin)?;
    let default = vm.find_field(origin, "DEFAULT").map(|field| field.word);
    let into = vm.arg_object(args, 1)?;
    let start = vm.heap.elements(into);
    let mut count = 0;
    for (index, name) in (0u64..vm.arg(args, 2)).zip(names) {
        let Some(&(_, kind, slot)) = OPTIONS.iter().find(|(known, ..)| *known == name) else {
            continue;
        };
        let flag = vm.new_library_object(CLASS)?;
        let name = vm.new_string(&name)?;
        let value = option_value(vm, kind, slot)?;
        for (field, value) in [
            ("name", name.slot()),
            ("value", value.slot()),
            ("external", 1),
            ("origin", default.map_or(0, |word| vm.heap.load(word))),
        ] {
            vm.put(flag, field, value);
        }
        vm.heap.store32(start + 4 * index, flag.0);
        count += 1;
    }
    Ok(count)
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
