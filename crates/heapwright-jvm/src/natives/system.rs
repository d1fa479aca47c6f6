//! `System`, `Runtime`, `ref` and the JDK's own start-up switches.

use super::nio::byte_array;
use super::{Args, NativeEntry, nothing, one};
use crate::chances::Chance;
use crate::class::{Loader, Shape};
use crate::classfile::CLASS_VERSIONS;
use crate::collector::Clearing;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/util/ImmutableCollections$SetN$SetNIterator.<init>(Ljava/util/ImmutableCollections$SetN;)V",
        set_iterator,
    ),
    (
        "java/util/ImmutableCollections$MapN$MapNIterator.<init>(Ljava/util/ImmutableCollections$MapN;)V",
        map_iterator,
    ),
    (
        "java/util/ImmutableCollections$Set12.iterator()Ljava/util/Iterator;",
        small_set_iterator,
    ),
    (
        "java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V",
        arraycopy,
    ),
    ("java/lang/System.setIn0(Ljava/io/InputStream;)V", set_in),
    ("java/lang/System.setOut0(Ljava/io/PrintStream;)V", set_out),
    ("java/lang/System.setErr0(Ljava/io/PrintStream;)V", set_err),
    (
        "java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;",
        security_manager,
    ),
    ("java/lang/Runtime.availableProcessors()I", processors),
    ("java/lang/Runtime.maxMemory()J", max_memory),
    ("java/lang/Runtime.totalMemory()J", max_memory),
    ("java/lang/Runtime.freeMemory()J", free_memory),
    ("java/lang/Runtime.gc()V", collect),
    (
        "java/lang/ref/Finalizer.isFinalizationEnabled()Z",
        |vm, _| Ok(u64::from(vm.config.replaces_launcher)),
    ),
    (
        "java/lang/ref/Finalizer.reportComplete(Ljava/lang/Object;)V",
        nothing,
    ),
    (
        "java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z",
        refers_to,
    ),
    (
        "java/lang/ref/PhantomReference.refersTo0(Ljava/lang/Object;)Z",
        refers_to,
    ),
    ("java/lang/ref/Reference.clear0()V", clear_reference),
    (
        "java/lang/ref/Reference.getAndClearReferencePendingList()Ljava/lang/ref/Reference;",
        take_cleared,
    ),
    (
        "java/lang/ref/Reference.hasReferencePendingList()Z",
        has_cleared,
    ),
    (
        "java/lang/ref/Reference.waitForReferencePendingList()V",
        nothing,
    ),
    ("java/lang/ref/PhantomReference.clear0()V", clear_reference),
    (
        "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;",
        nothing,
    ),
    (
        "java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V",
        nothing,
    ),
    (
        "java/security/AccessController.getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        nothing,
    ),
    (
        "java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z",
        one,
    ),
    ("jdk/internal/misc/CDS.isDumpingClassList0()Z", nothing),
    ("jdk/internal/misc/CDS.isDumpingArchive0()Z", nothing),
    ("jdk/internal/misc/CDS.isSharingEnabled0()Z", nothing),
    ("jdk/internal/misc/CDS.getCDSConfigStatus()I", nothing),
    ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", one),
    (
        "jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V",
        nothing,
    ),
    (
        "jdk/internal/misc/CDS.defineArchivedModules(Ljava/lang/Object;Ljava/lang/Object;)V",
        nothing,
    ),
    (
        "jdk/internal/misc/Signal.findSignal0(Ljava/lang/String;)I",
        no_signal,
    ),
    ("jdk/internal/misc/Signal.handle0(IJ)J", nothing),
    ("jdk/internal/misc/VM.initialize()V", nothing),
    (
        "jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V",
        nothing,
    ),
    (
        "jdk/internal/misc/PreviewFeatures.isPreviewEnabled()Z",
        nothing,
    ),
    (
        "jdk/internal/vm/ContinuationSupport.isSupported0()Z",
        nothing,
    ),
    (
        "jdk/internal/util/SystemProps$Raw.vmProperties()[Ljava/lang/String;",
        vm_properties,
    ),
    (
        "jdk/internal/util/SystemProps$Raw.platformProperties()[Ljava/lang/String;",
        platform_properties,
    ),
    ("java/lang/ProcessEnvironment.environ()[[B", environ),
    (
        "jdk/internal/perf/Perf.createLong(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;",
        counter,
    ),
    (
        "java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;",
        time_zone,
    ),
];

fn arraycopy(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (from, to) = (vm.arg_object(args, 0)?, vm.arg_object(args, 2)?);
    let (from_start, to_start, length) = (
        vm.arg_int(args, 1),
        vm.arg_int(args, 3),
        vm.arg_int(args, 4),
    );
    let (from_class, to_class) = (vm.heap.class_of(from), vm.heap.class_of(to));
    let (from_kind, to_kind) = (vm.element_kind(from_class), vm.element_kind(to_class));
    if from_kind == Kind::Void || to_kind == Kind::Void || from_kind != to_kind {
        return Err(Fault::raise(
            "java/lang/ArrayStoreException",
            mismatch(vm, from, to),
        ));
    }
    vm.check_elements(from, 0, 0)?;
    vm.check_elements(to, 0, 0)?;
    let describe = |vm: &Vm, array: Ref| match vm.element_kind(vm.heap.class_of(array)) {
        Kind::Reference => format!("object array[{}]", vm.heap.array_length(array)),
        kind => format!("{}[{}]", kind.keyword(), vm.heap.array_length(array)),
    };
    let fail = |message: String| {
        Err(Fault::raise(
            "java/lang/ArrayIndexOutOfBoundsException",
            message,
        ))
    };
    if from_start < 0 {
        return fail(format!(
            "arraycopy: source index {from_start} out of bounds for {}",
            describe(vm, from)
        ));
    }
    if to_start < 0 {
        return fail(format!(
            "arraycopy: destination index {to_start} out of bounds for {}",
            describe(vm, to)
        ));
    }
    if length < 0 {
        return fail(format!("arraycopy: length {length} is negative"));
    }
    let end = |start: i32| i64::from(start) + i64::from(length);
    if end(from_start) > i64::from(vm.heap.array_length(from)) {
        let end = end(from_start) as u32;
        return fail(format!(
            "arraycopy: last source index {end} out of bounds for {}",
            describe(vm, from)
        ));
    }
    if end(to_start) > i64::from(vm.heap.array_length(to)) {
        let end = end(to_start) as u32;
        return fail(format!(
            "arraycopy: last destination index {end} out of bounds for {}",
            describe(vm, to)
        ));
    }
    let symbolic = vm.symbolic_run(from, from_start as u32, length as u32)?;
    if from_kind == Kind::Reference && !vm.is_subclass(from_class, to_class) {
        vm.check_elements(from, from_start as u32, length as u32)?;
    }
    vm.settle_elements(to, to_start as u32, length as u32);
    let size = u64::from(from_kind.element_bytes());
    let source = vm.heap.elements(from) + size * from_start as u64;
    let target = vm.heap.elements(to) + size * to_start as u64;
    if from_kind == Kind::Reference && !vm.is_subclass(from_class, to_class) {
        let Shape::Array(element) = vm.class(to_class).shape else {
            return Ok(0);
        };
        for index in 0..length as u64 {
            let value = Ref(vm.heap.load32(source + 4 * index));
            if !value.is_null() && !vm.is_subclass(vm.heap.class_of(value), element) {
                let message = format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the destination array, {}",
                    element_name(vm, from),
                    vm.binary_name(element)
                );
                return Err(Fault::raise("java/lang/ArrayStoreException", message));
            }
            vm.heap.store32(target + 4 * index, value.0);
        }
        return Ok(0);
    }
    vm.heap.copy_bytes(source, target, size * length as u64);
    for (index, slot) in symbolic {
        vm.store_element(to, to_start as u32 + index, slot)?;
    }
    Ok(0)
}

fn element_name(vm: &Vm, array: Ref) -> String {
    match vm.class(vm.heap.class_of(array)).shape {
        Shape::Array(element) => vm.binary_name(element),
        _ => String::new(),
    }
}

fn mismatch(vm: &Vm, from: Ref, to: Ref) -> String {
    let describe = |array: Ref| match vm.element_kind(vm.heap.class_of(array)) {
        Kind::Void => None,
        Kind::Reference => Some("object array[]".to_owned()),
        kind => Some(format!("{}[]", kind.keyword())),
    };
    match (describe(from), describe(to)) {
        (None, _) => format!(
            "arraycopy: source type {} is not an array",
            vm.binary_name(vm.heap.class_of(from))
        ),
        (_, None) => format!(
            "arraycopy: destination type {} is not an array",
            vm.binary_name(vm.heap.class_of(to))
        ),
        (Some(from), Some(to)) => {
            format!("arraycopy: type mismatch: can not copy {from} into {to}")
        }
    }
}

fn set_stream(vm: &mut Vm, args: Args, field: &str) -> Result<u64, Fault> {
    let stream = vm.arg(args, 0);
    let system = vm
        .load_class("java/lang/System")
        .map_err(|error| vm.load_fault(error))?;
    let at = vm.find_field(system, field).map(|field| field.word);
    if let Some(at) = at {
        vm.heap.store(at, stream);
    }
    Ok(0)
}

fn set_in(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    set_stream(vm, args, "in")
}

fn set_out(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    set_stream(vm, args, "out")
}

fn set_err(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    set_stream(vm, args, "err")
}

fn max_memory(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::Memory);
    Ok(vm.config.max_heap_bytes)
}

fn security_manager(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_for_program(Chance::Properties);
    Ok(0)
}

fn processors(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::Processors);
    Ok(1)
}

fn free_memory(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::Memory);
    Ok(vm.config.max_heap_bytes / 2)
}

/// Collects, and then calls what the library does with cleared references.
fn collect(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    if vm.has_finalizers() {
        vm.note_chance(Chance::Collection);
    }
    if vm.may_collect() {
        vm.collect(Clearing::Weak)?;
        if let Some(method) = vm.clearing_call()? {
            return Err(Fault::Call(method, Vec::new()));
        }
    }
    Ok(0)
}

impl Vm {
    /// Whether a class of the program has a finalizer, which may run once its objects are collected.
    fn has_finalizers(&self) -> bool {
        let mut own = self.methods.iter().filter(|method| {
            self.text(method.name) == "finalize" && self.text(method.descriptor) == "()V"
        });
        own.any(|method| self.class(method.class).loader != Loader::Boot)
    }
}

fn take_cleared(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let word = vm.cleared_word();
    let first = vm.heap.load(word);
    vm.heap.store(word, 0);
    Ok(first)
}

fn has_cleared(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(u64::from(vm.heap.load(vm.cleared_word()) != 0))
}

fn refers_to(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let reference = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(reference), "referent")?;
    Ok(u64::from(
        vm.heap.field(reference, word) == vm.arg_ref(args, 1).slot(),
    ))
}

fn clear_reference(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let reference = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(reference), "referent")?;
    vm.heap.set_field(reference, word, 0);
    Ok(0)
}

fn no_signal(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(u64::from(-1i32 as u32))
}

fn string_array(vm: &mut Vm, texts: &[Option<String>]) -> Result<u64, Fault> {
    let mut strings = Vec::with_capacity(texts.len());
    for text in texts {
        strings.push(match text {
            Some(text) => vm.new_string(text)?,
            None => Ref::NULL,
        });
    }
    let class = vm.known().strings;
    Ok(vm.new_object_array(class, &strings)?.slot())
}

/// Pairs of key and value, terminated by null.
fn vm_properties(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let home = vm.jdk().home.display().to_string();
    let version = vm.jdk().version.clone();
    let feature = vm.jdk().feature.to_string();
    let class_version = format!("{}.0", vm.jdk().feature + CLASS_VERSIONS);
    let pairs = [
        ("java.home", home.as_str()),
        (
            "java.vm.specification.name",
            "Java Virtual Machine Specification",
        ),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", &feature),
        ("java.vm.name", "Heapwright"),
        ("java.vm.vendor", "Heapwright"),
        ("java.vm.version", &version),
        ("java.vm.info", "interpreted mode"),
        ("java.vm.compressedOopsMode", "32-bit"),
        ("java.class.path", ""),
        ("java.class.version", &class_version),
        ("java.library.path", ""),
        ("jdk.debug", "release"),
        ("sun.boot.library.path", ""),
        // Reflection uses native accessors from the first call on.
        ("sun.reflect.inflationThreshold", "2147483647"),
        ("jdk.reflect.useNativeAccessorOnly", "true"),
    ];
    // JDK 24 and later walk the stack for a warning about `sun.misc.Unsafe`, once per run, on
    // standard error.
    let quiet = (vm.jdk().feature >= 24).then_some(("sun.misc.unsafe.memory.access", "allow"));
    let mut texts: Vec<Option<String>> = Vec::new();
    let given = vm.config.properties.clone();
    let given = given.iter().map(|(key, value)| (&key[..], &value[..]));
    for (key, value) in pairs.into_iter().chain(quiet).chain(given) {
        texts.push(Some(key.to_owned()));
        texts.push(Some(value.to_owned()));
    }
    texts.extend([None, None]);
    string_array(vm, &texts)
}

/// Values at the indices that constants of `SystemProps.Raw` name, which differ by version.
fn platform_properties(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let class = vm
        .load_class("jdk/internal/util/SystemProps$Raw")
        .map_err(|error| vm.load_fault(error))?;
    let place = |vm: &Vm, name: &str| {
        vm.find_field(class, name)
            .map(|field| vm.heap.load(field.word) as usize)
    };
    let length = place(vm, "FIXED_LENGTH").unwrap_or(64);
    let mut texts = vec![None; length];
    let working = vm.state.files.working_folder().to_owned();
    for (name, value) in [
        ("_display_language_NDX", "en"),
        ("_display_country_NDX", "US"),
        ("_format_language_NDX", "en"),
        ("_format_country_NDX", "US"),
        ("_file_encoding_NDX", "UTF-8"),
        ("_native_encoding_NDX", "UTF-8"),
        ("_sun_jnu_encoding_NDX", "UTF-8"),
        ("_stdout_encoding_NDX", "UTF-8"),
        ("_stderr_encoding_NDX", "UTF-8"),
        ("_stdin_encoding_NDX", "UTF-8"),
        ("_file_separator_NDX", "/"),
        ("_path_separator_NDX", ":"),
        ("_line_separator_NDX", "\n"),
        ("_java_io_tmpdir_NDX", "/tmp"),
        ("_os_arch_NDX", "amd64"),
        ("_os_name_NDX", "Linux"),
        ("_os_version_NDX", "0.0"),
        ("_sun_arch_data_model_NDX", "64"),
        ("_sun_cpu_endian_NDX", "little"),
        ("_sun_io_unicode_encoding_NDX", "UnicodeLittle"),
        ("_user_dir_NDX", &working),
        ("_user_home_NDX", "/"),
        ("_user_name_NDX", "user"),
    ] {
        if let Some(slot) = place(vm, name).and_then(|index| texts.get_mut(index)) {
            *slot = Some(value.to_owned());
        }
    }
    string_array(vm, &texts)
}

/// The program sees the variables of the configuration: a name, its value, the next name.
fn environ(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::Environment);
    let given = vm.config.environment.clone();
    let mut texts = Vec::new();
    for text in given.iter().flat_map(|(name, value)| [name, value]) {
        let bytes = byte_array(vm, text.as_bytes())?;
        texts.push(Ref::from_slot(bytes));
    }
    let class = vm.load_class("[[B").map_err(|error| vm.load_fault(error))?;
    Ok(vm.new_object_array(class, &texts)?.slot())
}

/// Iterators of immutable sets and maps, whose order differs from run to run.
fn immutable_iterator(vm: &mut Vm, args: Args, class: &str, collection: &str) -> Fault {
    vm.note_chance(Chance::IterationOrder);
    let descriptor = format!("(L{collection};)V");
    vm.own_bytecode(args, class, "<init>", &descriptor)
}

fn set_iterator(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const ITERATOR: &str = "java/util/ImmutableCollections$SetN$SetNIterator";
    Err(immutable_iterator(
        vm,
        args,
        ITERATOR,
        "java/util/ImmutableCollections$SetN",
    ))
}

fn map_iterator(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const ITERATOR: &str = "java/util/ImmutableCollections$MapN$MapNIterator";
    Err(immutable_iterator(
        vm,
        args,
        ITERATOR,
        "java/util/ImmutableCollections$MapN",
    ))
}

fn small_set_iterator(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::IterationOrder);
    const SET: &str = "java/util/ImmutableCollections$Set12";
    Err(vm.own_bytecode(args, SET, "iterator", "()Ljava/util/Iterator;"))
}

/// The zone of the program, where it sets no other one.
fn time_zone(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(vm.new_string("UTC")?.slot())
}

/// A counter of the JDK's own is a direct buffer of a long.
fn counter(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    const LONG_BYTES: u64 = 8;
    let descriptor = "(I)Ljava/nio/ByteBuffer;";
    let method = vm.method_named("java/nio/ByteBuffer", "allocateDirect", descriptor)?;
    vm.initialize(vm.method(method).class)?;
    Err(Fault::Call(method, vec![LONG_BYTES]))
}
