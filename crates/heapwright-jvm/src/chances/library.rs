//! Methods of the library with bytecode by which a program reads the world.
//!
//! A listed method notes its source as it begins: a call stands before its translated code.

use rustc_hash::FxHashMap;

use super::Chance;
use crate::class::{Code, Loader, MethodId, flags};
use crate::heap::Ref;
use crate::instr::{Instr, Reg};
use crate::machine::is_symbolic;
use crate::natives::Args;
use crate::vm::{Fault, Vm};

/// Condition under which a call reads its source; the method's frame is the innermost.
type Condition = fn(&Vm) -> bool;

/// Method, its descriptor if not all of that name are meant, the source, and when it is read.
type Row = (
    &'static str,
    &'static str,
    Option<&'static str>,
    Chance,
    Condition,
);

/// All calls.
fn always(_: &Vm) -> bool {
    true
}

/// Calls by the program itself.
fn by_program(vm: &Vm) -> bool {
    vm.is_called_by_program()
}

/// Calls of a method that other code may have called before.
fn after_others(vm: &Vm) -> bool {
    !vm.is_fresh
}

/// Calls by the program itself, of a method that other code may have called before.
fn by_program_after_others(vm: &Vm) -> bool {
    !vm.is_fresh && vm.is_called_by_program()
}

/// Rows of the table: class, method, its descriptor if not all of that name are meant, source, when it
/// is read.
macro_rules! reads {
    ($($class:literal $name:literal $($descriptor:literal)? => $chance:ident $when:ident;)*) => {
        &[$(($class, $name, [$(Some($descriptor),)? None][0], Chance::$chance, $when),)*]
    };
}

const LIBRARY_READS: &[Row] = reads! {
    // Properties of the system, and its environment.
    "java/lang/Boolean" "getBoolean" => Properties always;
    "java/lang/Integer" "getInteger" => Properties always;
    "java/lang/Long" "getLong" => Properties always;
    "java/lang/System" "getenv" => Environment always;
    "java/lang/System" "getProperty" => Properties by_program;
    "java/lang/System" "getProperties" => Properties by_program;
    "java/lang/System" "lineSeparator" => Properties is_not_printing;
    "java/io/File" "getAbsolutePath" => Properties is_relative;
    "java/io/File" "getAbsoluteFile" => Properties is_relative;
    "java/io/File" "getCanonicalPath" => Properties always;
    "java/io/File" "getCanonicalFile" => Properties always;
    "java/io/File" "toURI" => Properties is_relative;
    "sun/nio/fs/UnixPath" "toAbsolutePath" => Properties by_program;
    "sun/nio/fs/UnixPath" "toRealPath" => Properties by_program;
    "java/nio/file/FileSystems" "getDefault" => Properties by_program;
    "java/lang/System" "getLogger" => Properties by_program;
    "java/util/logging/Logger" "isLoggable" => Properties after_others;
    "java/util/logging/Logger" "getLevel" => Properties after_others;
    "java/net/ProxySelector" "getDefault" => Properties after_others;
    "java/net/CookieHandler" "getDefault" => Properties after_others;
    "java/net/HttpURLConnection" "getFollowRedirects" => Properties after_others;
    "java/security/Security" "getProviders" => Properties by_program_after_others;
    "java/security/Security" "getProvider" => Properties by_program_after_others;
    "java/util/concurrent/ForkJoinPool" "getCommonPoolParallelism" => Processors by_program;
    "java/util/concurrent/ForkJoinPool" "getParallelism" => Processors by_program;
    "java/lang/Runtime" "version" => Version by_program;
    "java/lang/System" "console" => StandardInput always;
    "java/io/PrintStream" "checkError" => StandardOutput by_program;
    "java/lang/management/ManagementFactory" "getRuntimeMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getMemoryMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getThreadMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getOperatingSystemMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getGarbageCollectorMXBeans" => Machine always;
    "java/lang/management/ManagementFactory" "getMemoryPoolMXBeans" => Machine always;
    "java/lang/management/ManagementFactory" "getClassLoadingMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getCompilationMXBean" => Machine always;
    "java/lang/management/ManagementFactory" "getPlatformMBeanServer" => Machine always;
    "java/lang/ProcessHandleImpl" "current" => Machine always;
    "java/net/InetAddress" "getLocalHost" => Machine always;
    "java/net/NetworkInterface" "getNetworkInterfaces" => Machine always;
    // Settings of a run.
    "java/util/Locale" "getDefault" => Locale depends_on_locale;
    "java/util/Formatter$FormatSpecifier" "localizedMagnitude" => Locale always;
    "java/util/Formatter$FormatSpecifier" "printDateTime" => Locale always;
    "java/util/Formatter$FormatSpecifier" "toUpperCaseWithLocale" => Locale always;
    "java/util/Formatter" "locale" => Locale by_program;
    "java/util/TimeZone" "getDefault" => TimeZone always;
    "java/util/TimeZone" "getDefaultRef" => TimeZone always;
    "java/nio/charset/Charset" "defaultCharset" => Charset by_program;
    "java/lang/String" "getBytes" "()[B" => Charset has_other_characters;
    "java/lang/String" "<init>" "([B)V" => Charset has_other_bytes;
    "java/lang/String" "<init>" "([BII)V" => Charset has_other_bytes;
    "java/io/InputStreamReader" "<init>" "(Ljava/io/InputStream;)V" => Charset by_program;
    "java/io/OutputStreamWriter" "<init>" "(Ljava/io/OutputStream;)V" => Charset by_program;
    "java/io/PrintStream" "<init>" "(Ljava/io/OutputStream;)V" => Charset by_program;
    "java/io/PrintStream" "<init>" "(Ljava/io/OutputStream;Z)V" => Charset by_program;
    "java/io/PrintWriter" "<init>" "(Ljava/io/OutputStream;)V" => Charset by_program;
    "java/io/PrintWriter" "<init>" "(Ljava/io/OutputStream;Z)V" => Charset by_program;
    "java/io/FileReader" "<init>" "(Ljava/lang/String;)V" => Charset by_program;
    "java/io/FileReader" "<init>" "(Ljava/io/File;)V" => Charset by_program;
    // Random numbers.
    "java/lang/Math" "random" => RandomSeeds always;
    "java/lang/StrictMath" "random" => RandomSeeds always;
    "java/util/concurrent/ThreadLocalRandom" "current" => RandomSeeds always;
    "java/util/SplittableRandom" "<init>" "()V" => RandomSeeds always;
    "jdk/internal/util/random/RandomSupport" "initialSeed" => RandomSeeds always;
    "java/util/random/RandomGenerator" "getDefault" => RandomSeeds always;
    "java/util/random/RandomGenerator" "of" => RandomSeeds always;
    "java/util/UUID" "randomUUID" => RandomBytes always;
    "java/security/SecureRandom" "nextBytes" => RandomBytes always;
    // Garbage collection.
    "java/lang/ref/Reference" "get" => Collection by_program;
    "java/lang/ref/SoftReference" "get" => Collection by_program;
    "java/lang/ref/Reference" "refersTo" => Collection by_program;
    "java/lang/ref/Reference" "isEnqueued" => Collection by_program;
    "java/lang/ref/ReferenceQueue" "poll" => Collection by_program;
    "java/lang/ref/ReferenceQueue" "remove" => Collection by_program;
    "java/lang/ref/Cleaner" "register" => Collection by_program;
    "java/util/WeakHashMap" "expungeStaleEntries" => Collection always;
    // The thread that runs, and its calls.
    "java/lang/Thread" "interrupted" => Thread after_others;
    "java/lang/Thread" "isInterrupted" => Thread after_others;
    "java/lang/Thread" "sleep" => Thread after_others;
    "java/lang/Thread" "join" => Thread after_others;
    "java/lang/Object" "wait" => Thread after_others;
    "java/lang/Thread" "getName" => Thread by_program_after_others;
    "java/lang/Thread" "toString" => Thread by_program_after_others;
    "java/lang/Thread" "getId" => Thread by_program_after_others;
    "java/lang/Thread" "threadId" => Thread by_program_after_others;
    "java/lang/Thread" "isDaemon" => Thread by_program_after_others;
    "java/lang/Thread" "getPriority" => Thread by_program_after_others;
    "java/lang/Thread" "getThreadGroup" => Thread by_program_after_others;
    "java/lang/Thread" "getContextClassLoader" => Thread by_program_after_others;
    "java/lang/Thread" "getUncaughtExceptionHandler" => Thread by_program_after_others;
    "java/lang/Thread" "getDefaultUncaughtExceptionHandler" => Thread by_program_after_others;
    "java/lang/Thread" "activeCount" => Thread by_program_after_others;
    "java/lang/Thread" "getAllStackTraces" => Thread by_program;
    "java/lang/Thread" "getStackTrace" => Callers by_program_after_others;
    "java/lang/Throwable" "getStackTrace" => Callers by_program_after_others;
    "java/lang/Throwable" "printStackTrace" => Callers by_program_after_others;
    "java/lang/StackWalker" "walk" => Callers by_program_after_others;
    "java/lang/StackWalker" "forEach" => Callers by_program_after_others;
    "java/lang/Class" "getClassLoader" => ClassLoaders by_program;
    // What compiled code leaves out of exceptions.
    "java/lang/Throwable" "getMessage" => Traces is_made_by_machine;
    "java/lang/Throwable" "getLocalizedMessage" => Traces is_made_by_machine;
    "java/lang/NullPointerException" "getMessage" => Traces is_made_by_machine;
    "java/lang/Throwable" "toString" => Traces is_made_by_machine;
    "java/lang/Throwable" "getStackTrace" => Traces is_made_by_machine;
    "java/lang/Throwable" "printStackTrace" => Traces is_made_by_machine;
    // Orders that the specification leaves open.
    "java/util/ImmutableCollections$Set12" "toArray" => IterationOrder always;
    "java/lang/Class" "getDeclaredFields" => MemberOrder always;
    "java/lang/Class" "getFields" => MemberOrder always;
    "java/lang/Class" "getDeclaredMethods" => MemberOrder always;
    "java/lang/Class" "getMethods" => MemberOrder always;
    "java/lang/Class" "getDeclaredConstructors" => MemberOrder always;
    "java/lang/Class" "getConstructors" => MemberOrder always;
    "java/lang/Class" "getDeclaredClasses" => MemberOrder always;
    "java/lang/Class" "getClasses" => MemberOrder always;
    "java/util/stream/ForEachOps$ForEachOp" "evaluateParallel" => ParallelStreams always;
    "java/util/stream/FindOps$FindOp" "evaluateParallel" => ParallelStreams always;
    "java/util/stream/ReduceOps$ReduceOp" "evaluateParallel" => ParallelStreams always;
};

/// Rows of the table by class and method, as soon as a class of that name is linked.
#[derive(Clone, Default)]
pub(crate) struct LibraryReads {
    by_class: FxHashMap<&'static str, Vec<u32>>,
    /// Method that notes the row in its argument.
    noter: Option<MethodId>,
}

impl LibraryReads {
    /// Reads the table.
    pub(crate) fn new() -> LibraryReads {
        let mut by_class: FxHashMap<&'static str, Vec<u32>> = FxHashMap::default();
        for (row, &(class, ..)) in LIBRARY_READS.iter().enumerate() {
            by_class.entry(class).or_default().push(row as u32);
        }
        LibraryReads {
            by_class,
            noter: None,
        }
    }
}

impl Vm {
    /// Code that stands before that of a method of the library which reads the world; `locals` is
    /// the number of its local variables.
    pub(crate) fn notes_of(&mut self, method: MethodId, locals: u16) -> Vec<Instr> {
        let this = self.method(method);
        if self.class(this.class).loader != Loader::Boot {
            return Vec::new();
        }
        let Some(rows) = self.library_reads.by_class.get(self.class_name(this.class)) else {
            return Vec::new();
        };
        let (name, descriptor) = (self.text(this.name), self.text(this.descriptor));
        let is_meant = |row: &u32| {
            let (_, meant, shape, ..) = LIBRARY_READS[*row as usize];
            meant == name && shape.is_none_or(|shape| shape == descriptor)
        };
        let rows: Vec<u32> = rows.iter().copied().filter(is_meant).collect();
        let mut code = Vec::new();
        for row in rows {
            let noter = self.noter(method).0;
            let (d, value) = (Reg::from(locals), row as i32);
            code.push(Instr::Int { d, value });
            code.push(Instr::InvokeStatic {
                a: d,
                method: noter,
            });
        }
        code
    }

    fn noter(&mut self, any: MethodId) -> MethodId {
        if let Some(noter) = self.library_reads.noter {
            return noter;
        }
        let class = self.method(any).class;
        let key = (self.names.intern("note"), self.names.intern("(I)V"));
        let flags = flags::STATIC | flags::SYNTHETIC;
        let noter = self.add_unlisted(class, key, flags, Code::Native(note));
        self.library_reads.noter = Some(noter);
        noter
    }

    /// Whether all characters of a string are concrete.
    fn has_known_units(&self, text: Ref) -> bool {
        let slot = self.heap.field(text, self.known().string_value);
        let coder = self.heap.field(text, self.known().string_coder);
        !is_symbolic(slot)
            && !is_symbolic(coder)
            && self.heap.array_shadow(Ref::from_slot(slot)).is_null()
    }

    /// Whether a string may have a character of this kind.
    fn has_unit(&self, text: Ref, is_meant: impl Fn(u16) -> bool) -> bool {
        !self.has_known_units(text) || self.string_units(text).into_iter().any(is_meant)
    }

    /// First argument of the innermost frame; `None` if it is symbolic.
    fn first_argument(&self) -> Option<Ref> {
        let frame = self.state.frames.last()?;
        let slot = self.state.registers[frame.base as usize];
        (!is_symbolic(slot)).then_some(Ref::from_slot(slot))
    }
}

fn note(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (.., chance, is_read) = LIBRARY_READS[vm.arg_int(args, 0) as usize];
    if is_read(vm) {
        vm.note_chance(chance);
    }
    Ok(0)
}

/// Whether a file has a path that begins in the working folder.
fn is_relative(vm: &Vm) -> bool {
    let path = vm.first_argument().and_then(|file| {
        let word = vm.word_of(vm.heap.class_of(file), "path").ok()?;
        let slot = vm.heap.field(file, word);
        (!is_symbolic(slot)).then_some(Ref::from_slot(slot))
    });
    path.is_none_or(|path| {
        !vm.has_known_units(path) || vm.string_units(path).first() != Some(&u16::from(b'/'))
    })
}

/// Whether no line is printed to a standard stream, which nobody reads, and no library of the host
/// program asks.
fn is_not_printing(vm: &Vm) -> bool {
    let frames = vm.frames();
    let caller = frames
        .len()
        .checked_sub(2)
        .map(|caller| frames[caller].method);
    let class = caller.map(|caller| vm.class_name(vm.method(caller).class));
    if class.is_some_and(|class| vm.is_embedded(class)) {
        return false;
    }
    let system = vm.loaded_class("java/lang/System");
    let stream = |name| {
        let field = system.and_then(|system| vm.find_field(system, name));
        field.map(|field| vm.heap.load(field.word))
    };
    let streams = [stream("out"), stream("err")];
    !vm.frames().iter().any(|frame| {
        let method = vm.method(frame.method);
        vm.class_name(method.class) == "java/io/PrintStream"
            && !method.is_static()
            && streams.contains(&Some(vm.state.registers[frame.base as usize]))
    })
}

/// Whether the caller's result depends on the default locale. A conversion of letters does only for
/// few letters; formats ask for it, and read it where they need it.
fn depends_on_locale(vm: &Vm) -> bool {
    let frames = vm.frames();
    let Some(caller) = frames.len().checked_sub(2).map(|caller| frames[caller]) else {
        return true;
    };
    let method = vm.method(caller.method);
    match (vm.class_name(method.class), vm.text(method.name)) {
        ("java/util/Formatter", _) => false,
        ("java/lang/String", "format" | "formatted") => false,
        ("java/lang/String", "toLowerCase" | "toUpperCase") => {
            let slot = vm.state.registers[caller.base as usize];
            is_symbolic(slot) || vm.has_unit(Ref::from_slot(slot), is_cased_by_locale)
        }
        _ => true,
    }
}

/// Whether some locale has a letter of another case for a character, or treats those behind it
/// otherwise: `i` in Turkish, and the dotted letters of Lithuanian.
fn is_cased_by_locale(unit: u16) -> bool {
    matches!(unit, 0x49 | 0x4A | 0x69 | 0x6A | 0x80..)
}

/// Whether a string may have a character that not all charsets encode alike.
fn has_other_characters(vm: &Vm) -> bool {
    let text = vm.first_argument();
    text.is_none_or(|text| vm.has_unit(text, |unit| unit >= 0x80))
}

/// Whether an array may have a byte that not all charsets decode alike.
fn has_other_bytes(vm: &Vm) -> bool {
    let Some(frame) = vm.state.frames.last() else {
        return true;
    };
    let slot = vm.state.registers[frame.base as usize + 1];
    if is_symbolic(slot) || slot == 0 {
        return slot != 0;
    }
    let bytes = Ref::from_slot(slot);
    let Ok(length) = vm.checked_length(bytes) else {
        return true;
    };
    let start = vm.heap.elements(bytes);
    let mut places = start..start + u64::from(length);
    vm.check_elements(bytes, 0, length).is_err() || places.any(|at| vm.heap.load8(at) >= 0x80)
}

/// Exceptions that compiled code throws without a message and a trace if it throws many.
const PREALLOCATED: [&str; 5] = [
    "java/lang/NullPointerException",
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
];

/// Number of exceptions that instructions have thrown in a fresh machine before code that throws
/// more is compiled without their messages.
const FEW_THROWN: u32 = 500;

/// Whether the receiver may be an exception that an instruction has thrown in compiled code.
fn is_made_by_machine(vm: &Vm) -> bool {
    if vm.is_fresh && vm.state.thrown_by_instructions < FEW_THROWN {
        return false;
    }
    let Some(exception) = vm.first_argument() else {
        return true;
    };
    let name = vm.class_name(vm.heap.class_of(exception));
    if !PREALLOCATED.contains(&name) {
        return false;
    }
    let message = vm.heap.field(exception, vm.known().throwable_message);
    if message == 0 || is_symbolic(message) {
        // Of these, only instructions throw some without a message, but the program may, too.
        return message != 0 || name == PREALLOCATED[0];
    }
    if !vm.has_known_units(Ref::from_slot(message)) {
        return true;
    }
    let message = vm.string_text(Ref::from_slot(message));
    match name {
        "java/lang/NullPointerException" => false,
        "java/lang/ArithmeticException" => message == "/ by zero",
        "java/lang/ArrayIndexOutOfBoundsException" => message.starts_with("Index "),
        "java/lang/ClassCastException" => message.starts_with("class "),
        _ => true,
    }
}

/// Whether instructions throw exceptions of a class, which compiled code makes beforehand.
pub(crate) fn is_preallocated(class: &str) -> bool {
    PREALLOCATED.contains(&class)
}
