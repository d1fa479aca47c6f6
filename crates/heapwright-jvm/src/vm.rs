//! The virtual machine: the complete state of one worker, permanent and reversible.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::chances::{Chance, InitialReads, LibraryReads};
use crate::class::{Class, ClassId, Field, Method, MethodId};
use crate::classpath::{ClassPath, ClassPathError, Modules, PublishedMembers};
use crate::descriptor::Kind;
use crate::heap::{Heap, HeapFull, Ref};
use crate::instr::{Instr, Reg, SwitchTable};
use crate::jdk::Jdk;
use crate::name::{Names, Sym};
use crate::natives::Natives;
use crate::state::{Frame, State};
use crate::statics::{OpenStatic, StaticUse};

/// Configuration of a machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// JDK whose library code runs.
    pub jdk: Jdk,
    /// Folders and jars of the program under test.
    pub class_path: Vec<PathBuf>,
    /// Classes embedded in the host program, by internal name; they precede the class path.
    pub embedded: &'static [(&'static str, &'static [u8])],
    /// Whether `assert` statements of classes from the class path are enabled.
    pub assertions: bool,
    /// Whether translated code is optimised.
    pub optimize: bool,
    /// Maximum size of all Java objects, in bytes.
    pub max_heap_bytes: u64,
    /// Whether the machine replaces `java`. Output then goes to the standard streams at once,
    /// standard input is read, and a full heap throws `OutOfMemoryError` instead of reaching a
    /// limit.
    pub replaces_launcher: bool,
    /// Whether threads are run also on a machine that does not replace `java`; see
    /// [`Vm::run_threads`].
    pub runs_threads: bool,
    /// Whether nobody reads what programs print to standard streams, so that symbolic runs leave the
    /// printing out.
    pub discards_output: bool,
    /// Whether the clock, standard input, environment variables, random numbers and sockets are
    /// inputs, by [`Config::embedded`]'s class `heapwright.verify.World`.
    pub opens_world: bool,
    /// Maximum number of frames; beyond it `StackOverflowError` is thrown.
    pub max_frames: u32,
    /// System properties that differ from the usual ones, with their values.
    pub properties: Vec<(String, String)>,
    /// Variables of the environment that programs see, with their values.
    pub environment: Vec<(String, String)>,
    /// Folder of which programs see a copy as the root of their file system.
    pub files: Option<PathBuf>,
    /// Folder in which programs run: they see the host's files below as they are, and change copies.
    /// For programs that replace a run of `java` in that folder only, as results depend on the files.
    pub working_folder: Option<PathBuf>,
    /// Number of words of objects that are allocated between two garbage collections, if not as
    /// many as are usual; for tests of collections.
    pub collection_words: Option<u32>,
    /// Records what the code has read beside its inputs, on all machines made with this
    /// configuration or a copy.
    pub seen: ImplicitReads,
    /// Members of the JDK that written code may name; see [`Vm::is_published`].
    pub published: PublishedMembers,
}

/// Record of what code has read beside its inputs; copies share it.
#[derive(Clone, Debug, Default)]
pub struct ImplicitReads(Arc<Looks>);

#[derive(Debug, Default)]
struct Looks {
    static_fields: Mutex<BTreeSet<String>>,
    chances: AtomicU32,
    date: AtomicBool,
}

impl ImplicitReads {
    pub(crate) fn static_fields(&self) -> MutexGuard<'_, BTreeSet<String>> {
        let names = self.0.static_fields.lock();
        names.unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a read of a static field of the program whose value, or what it refers to, code can
    /// change.
    pub(crate) fn add_static_field(&self, name: String) {
        self.static_fields().insert(name);
    }

    /// Records a read of a source of the world.
    pub(crate) fn add_chance(&self, chance: Chance) {
        self.0
            .chances
            .fetch_or(1 << chance as u32, Ordering::Relaxed);
    }

    /// Bits of the sources that were read.
    pub(crate) fn chances(&self) -> u32 {
        self.0.chances.load(Ordering::Relaxed)
    }

    /// Records a read of the date.
    pub(crate) fn add_date(&self) {
        self.0.date.store(true, Ordering::Relaxed);
    }

    /// Whether code has read the date, which differs in other runs.
    #[must_use]
    pub fn has_date(&self) -> bool {
        self.0.date.load(Ordering::Relaxed)
    }
}

impl Config {
    /// Usual limits: 2 GiB of objects (allocated by the system only as they are used), 9,000
    /// frames, assertions off.
    #[must_use]
    pub fn new(jdk: Jdk, class_path: Vec<PathBuf>) -> Config {
        Config {
            jdk,
            class_path,
            embedded: &[],
            assertions: false,
            max_heap_bytes: 2 << 30,
            optimize: true,
            replaces_launcher: false,
            runs_threads: false,
            discards_output: false,
            opens_world: false,
            max_frames: 9_000,
            properties: Vec::new(),
            environment: Vec::new(),
            files: None,
            working_folder: None,
            collection_words: None,
            seen: ImplicitReads::default(),
            published: PublishedMembers::default(),
        }
    }

    /// Whether the JDK's start-up comes to the same state with these settings. It sees neither the
    /// class path nor the program's files.
    pub(crate) fn starts_like(&self, other: &Config) -> bool {
        let Config {
            jdk,
            class_path: _,
            embedded,
            assertions,
            max_heap_bytes,
            optimize,
            replaces_launcher,
            runs_threads,
            discards_output,
            opens_world,
            max_frames,
            properties,
            environment: _,
            files: _,
            working_folder,
            collection_words,
            seen: _,
            published: _,
        } = self;
        *jdk == other.jdk
            && std::ptr::eq(*embedded, other.embedded)
            && *assertions == other.assertions
            && *max_heap_bytes == other.max_heap_bytes
            && *optimize == other.optimize
            && *replaces_launcher == other.replaces_launcher
            && *runs_threads == other.runs_threads
            && *discards_output == other.discards_output
            && *opens_world == other.opens_world
            && *max_frames == other.max_frames
            && *properties == other.properties
            && *working_folder == other.working_folder
            && *collection_words == other.collection_words
    }
}

/// Error of creating a machine.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    /// The class path is wrong.
    #[error(transparent)]
    ClassPath(#[from] ClassPathError),
    /// The folder of files cannot be read.
    #[error("failed to read the files of {}: {source}", folder.display())]
    Files {
        /// The folder.
        folder: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// The JDK's start-up code fails.
    #[error("failed to start the JDK's library in {}: {reason}", home.display())]
    Library {
        /// The JDK.
        home: PathBuf,
        /// Reason.
        reason: String,
    },
}

/// Limit that a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Number of instructions.
    Steps,
    /// Bytes of Java objects.
    Heap,
    /// Recursive entries of one monitor.
    Monitor,
    /// Elements of a new array with open length.
    ArrayLength,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Steps => "the limit of instructions in one run was reached",
            Limit::Heap => "the limit of memory for Java objects was reached",
            Limit::Monitor => "a monitor was entered more than 16,383 times",
            Limit::ArrayLength => "a new array of open length is longer than the limit",
        })
    }
}

/// Reason for which [`Vm::run`] returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The bottom frame returned this value (0 if void).
    Done(u64),
    /// The bottom frame ended with this exception.
    Threw(Ref),
    /// A frame of [`Vm::call_nested`] returned: its number and its value.
    Aside(u32, u64),
    /// The run has reached the instruction set by [`Vm::break_at`].
    Break,
    /// A condition on symbolic slots is open; the machine stores it. The instruction has had no
    /// effect and runs again.
    Branch,
    /// The value of the symbolic slot at this spot is needed. The instruction has had no effect
    /// and runs again.
    Symbolic(crate::machine::SlotLocation),
    /// An unset slot is about to be read: the number of its choice variable. The instruction has
    /// had no effect and runs again.
    Choice(u32),
    /// The program called `System.exit` with this status.
    Exited(i32),
    /// The code needs a feature that is refused or not supported; the text names it.
    Unsupported(String),
    /// A needed class violates the class file format; the text names it and the violation.
    InvalidClass(String),
    /// No thread can go on; the text says what they wait for.
    Deadlock(String),
    /// A limit was reached.
    Limit(Limit),
    /// The machine does not let the run pass the probe that it has reached.
    Pruned,
}

/// Reason for which a step did not complete.
#[derive(Debug)]
pub enum Fault {
    /// This exception is thrown.
    Throw(Ref),
    /// An exception of this class is created and thrown.
    Raise(&'static str, Option<String>),
    /// Like `Raise`; the message is in this slot, which may be symbolic.
    RaiseText(&'static str, u64),
    /// This class must be initialised first; the instruction then runs again.
    Initialize(ClassId),
    /// From a native: this method is called instead.
    Call(MethodId, Vec<u64>),
    /// This static method is called first; the instruction then runs again.
    First(MethodId, Vec<u64>),
    /// The running thread is blocked; the instruction runs again when it can go on.
    Yield,
    /// The instruction runs again.
    Again,
    /// A collection is due; the instruction runs again.
    Collect,
    /// The run stops.
    Stop(Box<Exit>),
}

impl Fault {
    pub(crate) fn unsupported(what: impl Into<String>) -> Fault {
        Fault::Stop(Box::new(Exit::Unsupported(what.into())))
    }

    pub(crate) fn invalid(what: impl Into<String>) -> Fault {
        Fault::Stop(Box::new(Exit::InvalidClass(what.into())))
    }

    pub(crate) fn raise(class: &'static str, message: impl Into<String>) -> Fault {
        Fault::Raise(class, Some(message.into()))
    }
}

impl From<HeapFull> for Fault {
    fn from(_: HeapFull) -> Fault {
        Fault::Stop(Box::new(Exit::Limit(Limit::Heap)))
    }
}

/// Resolved static field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticSite {
    pub class: ClassId,
    pub at: u32,
    pub kind: Kind,
}

/// Text written to `System.out` or `System.err`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedText {
    /// 1 for standard output, 2 for standard error.
    pub stream: u8,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Classes and members that the engine itself refers to.
#[derive(Clone, Copy)]
pub(crate) struct WellKnown {
    pub object: ClassId,
    pub class: ClassId,
    pub string: ClassId,
    pub throwable: ClassId,
    pub cloneable: ClassId,
    pub serializable: ClassId,
    pub bytes: ClassId,
    pub longs: ClassId,
    pub objects: ClassId,
    pub strings: ClassId,
    pub classes: ClassId,
    pub string_value: u32,
    pub string_coder: u32,
    pub throwable_message: u32,
    pub throwable_cause: u32,
    pub throwable_trace: u32,
    pub throwable_suppressed: u32,
    pub throwable_backtrace: u32,
    pub throwable_depth: u32,
    pub mirror_id: u32,
}

/// A Java virtual machine for one thread of the host.
#[derive(Clone)]
pub struct Vm {
    pub(crate) config: Config,
    pub(crate) names: Names,
    pub(crate) modules: Arc<Modules>,
    pub(crate) class_path: Arc<ClassPath>,
    pub(crate) natives: Arc<Natives>,
    // Permanent.
    pub(crate) classes: Vec<Class>,
    pub(crate) class_index: FxHashMap<Sym, ClassId>,
    pub(crate) loading: Vec<Sym>,
    pub(crate) methods: Vec<Method>,
    pub(crate) code: Vec<Instr>,
    pub(crate) wide: Vec<u64>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) static_sites: Vec<StaticSite>,
    /// Cache of interface calls: class, interface method, implementation. Not part of the state.
    pub(crate) interface_cache: Box<[(ClassId, MethodId, MethodId)]>,
    pub(crate) synthetic: FxHashMap<String, MethodId>,
    /// Native method in whose place a generated method runs, if stack traces show it.
    pub(crate) native_callers: FxHashMap<MethodId, MethodId>,
    /// Layouts of collections, see [`crate::replaced`].
    pub(crate) layouts: FxHashMap<ClassId, Option<crate::replaced::CollectionLayout>>,
    /// Fields of hash maps, see [`crate::replaced`].
    pub(crate) map_words: FxHashMap<ClassId, Option<crate::replaced::MapWords>>,
    /// Generated methods that return the messages which constructors make, see
    /// [`crate::replaced`].
    pub(crate) message_texts: FxHashMap<MethodId, MethodId>,
    /// Generated method that returns the message about an index out of bounds.
    pub(crate) index_text: Option<MethodId>,
    /// Pieces of the concatenations that generated methods append, see [`crate::concat`].
    pub(crate) concatenations: FxHashMap<MethodId, Arc<[crate::concat::Piece]>>,
    /// Replaced methods that did not run their plain code.
    pub(crate) replaced_calls: FxHashSet<MethodId>,
    /// Tables of methods on characters, as far as they were made.
    pub(crate) tables: crate::replaced::Tables,
    /// Fields that identify keys of a class, see [`Vm::identity_key`].
    pub(crate) identity_keys: FxHashMap<ClassId, Option<u32>>,
    /// Cell of each literal, see `Vm::literal_cell`.
    pub(crate) literals: FxHashMap<Box<[u16]>, u32>,
    pub(crate) known: Option<WellKnown>,
    /// Live registers by instruction, and whether a call there returns, see
    /// [`crate::collector`].
    pub(crate) live_registers: FxHashMap<(u32, bool), Arc<[Reg]>>,
    pub(crate) main_thread: Ref,
    /// Module `java.base`.
    pub(crate) module: Ref,
    /// Modules of the JDK from which classes were loaded, by name.
    pub(crate) module_objects: Vec<(Box<str>, Ref)>,
    /// Class loader of program classes.
    pub(crate) app_loader: Ref,
    /// Unnamed module of that loader.
    pub(crate) app_module: Ref,
    /// Arena word of the next thread's number. The clock's nanoseconds and the first cleared
    /// reference follow.
    pub(crate) thread_ids: u32,
    /// Positions of probes, see [`Vm::probe`].
    pub(crate) points: Vec<crate::probes::ProbePoint>,
    /// Probes of each method that has some.
    pub(crate) probed: FxHashMap<MethodId, std::ops::Range<u32>>,
    /// Methods whose instructions can be changed one by one, see [`crate::patches`].
    pub(crate) patchable: FxHashSet<MethodId>,
    /// Code before that of methods, see [`crate::prologues`].
    pub(crate) prologues: FxHashMap<MethodId, Vec<Instr>>,
    /// Classes that code has made at run time, by name; going back forgets them.
    pub(crate) made: FxHashMap<Sym, Vec<ClassId>>,
    /// Number of frames and class of the exception at the last catch, until the next probe.
    pub(crate) thrown: Option<(u32, ClassId)>,
    // Reversible.
    /// Java objects.
    pub heap: Heap,
    pub(crate) state: State,
    /// Table of interned strings: literals that were loaded and strings that the program
    /// interned.
    pub(crate) interned: IndexMap<Box<[u16]>, Ref, FxBuildHasher>,
    /// Join points of branches, see [`Vm::pure_join`].
    pub(crate) joins: FxHashMap<u32, Option<u32>>,
    /// Places where branches can be merged, by branch; see [`Vm::merge_point`].
    pub(crate) merge_points: FxHashMap<u32, Option<Arc<crate::merging::MergePoint>>>,
    /// Whether symbolic runs note the places that they write to, and these.
    pub(crate) notes_writes: bool,
    /// See [`Vm::track_hash_order`].
    pub(crate) tracks_hash_order: bool,
    pub(crate) written: Vec<crate::writes::WrittenPlace>,
    /// Whether the contents of any array have been a term.
    pub(crate) has_term_arrays: bool,
    /// Instruction before which a symbolic run stops; `u32::MAX` for none.
    pub(crate) break_at: u32,
    /// Number of frames below which a symbolic run stops; 0 for none.
    pub(crate) break_below: usize,
    /// Whether slots may be symbolic, for natives.
    pub(crate) symbolic: bool,
    // Counters.
    pub(crate) steps: u64,
    pub(crate) step_limit: u64,
    /// Number of steps at which the running thread's turn ends.
    pub(crate) turn_end: u64,
    pub(crate) initializations: u64,
    /// Classes whose initialisation exceeded
    /// `INITIALIZER_STEPS`, with the error.
    pub(crate) endless: FxHashMap<ClassId, String>,
    pub(crate) chances: u64,
    /// Methods of the library that read the world.
    pub(crate) library_reads: LibraryReads,
    /// Whether reads of the world are noted: the machine has started.
    pub(crate) notes_reads: bool,
    /// See [`Vm::begin_fresh`].
    pub(crate) is_fresh: bool,
    /// What initialisers of the program have read that ran before all paths.
    pub(crate) initial_reads: InitialReads,
    /// Number of reads of open static fields, undone ones included.
    pub(crate) open_static_reads: u64,
    /// What is known of static fields, by their arena words.
    pub(crate) open_statics: FxHashMap<u32, OpenStatic>,
    /// What code does with private static fields, by their arena words.
    pub(crate) static_uses: FxHashMap<u32, StaticUse>,
    /// Number of times that the machine has gone back.
    pub(crate) undone: u64,
    /// The library's states of the streams of compressed data.
    pub(crate) live_streams: crate::compression::LiveStreams,
    pub(crate) caught_overflows: u64,
    /// Whether it runs a program as `java` does, to which a missing class is an error.
    pub(crate) is_launched: bool,
    /// Number of threads that were started, undone starts included.
    pub(crate) started_threads: u64,
    /// Whether a thread that is started runs before the one that starts it goes on.
    pub(crate) runs_started_first: bool,
}

impl Vm {
    /// Number of instructions run since the machine was made, start-up included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Limits all further runs to `steps` more instructions in total.
    pub fn limit_steps(&mut self, steps: u64) {
        self.step_limit = self.steps.saturating_add(steps);
    }

    /// Sets the maximum number of frames, beyond which `StackOverflowError` is thrown; returns
    /// the previous one.
    pub fn limit_frames(&mut self, frames: u32) -> u32 {
        std::mem::replace(&mut self.config.max_frames, frames)
    }

    /// Number of instructions until the step limit.
    #[must_use]
    pub fn steps_left(&self) -> u64 {
        self.step_limit.saturating_sub(self.steps)
    }

    /// Number of times that code caught a `StackOverflowError`, undone ones included. Its effects
    /// until then depend on the maximum stack depth.
    #[must_use]
    pub fn caught_overflows(&self) -> u64 {
        self.caught_overflows
    }

    /// Number of class initialisations started, undone ones included.
    #[must_use]
    pub fn initializations(&self) -> u64 {
        self.initializations
    }

    /// The JDK whose code runs.
    #[must_use]
    pub fn jdk(&self) -> &Jdk {
        &self.config.jdk
    }

    /// The class path.
    #[must_use]
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// Returns a loaded class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    /// Returns a method of a loaded class.
    #[must_use]
    pub fn method(&self, method: MethodId) -> &Method {
        &self.methods[method.0 as usize]
    }

    /// Text of a name.
    #[must_use]
    pub fn text(&self, name: Sym) -> &str {
        self.names.text(name)
    }

    /// Internal name of a class: `java/util/List`.
    #[must_use]
    pub fn class_name(&self, class: ClassId) -> &str {
        self.names.text(self.class(class).name)
    }

    /// Name of a class as by `Class.getName`: `java.util.List`, `[I`.
    #[must_use]
    pub fn binary_name(&self, class: ClassId) -> String {
        self.class_name(class).replace('/', ".")
    }

    /// Class, name and parameter types of a method, for messages: `a.B.run(int)`.
    #[must_use]
    pub fn method_text(&self, method: MethodId) -> String {
        let method = self.method(method);
        let parameters = match crate::descriptor::split_method(self.text(method.descriptor)) {
            Some((parameters, _)) => parameters
                .into_iter()
                .map(crate::descriptor::to_java)
                .collect::<Vec<_>>()
                .join(", "),
            None => String::new(),
        };
        format!(
            "{}.{}({parameters})",
            self.binary_name(method.class),
            self.text(method.name)
        )
    }

    pub(crate) fn known(&self) -> &WellKnown {
        self.known.as_ref().expect("the machine has started")
    }

    /// The field with this name that a class declares or inherits.
    #[must_use]
    pub fn find_field(&self, class: ClassId, name: &str) -> Option<&Field> {
        let name = self.names.get(name)?;
        let display = &self.class(class).display;
        display.iter().rev().find_map(|&class| {
            self.class(class)
                .fields
                .iter()
                .find(|field| field.name == name)
        })
    }

    /// Word of an instance field of a JDK class.
    pub(crate) fn word_of(&self, class: ClassId, field: &str) -> Result<u32, Fault> {
        self.find_field(class, field)
            .filter(|field| !field.is_static())
            .map(|field| field.word)
            .ok_or_else(|| {
                Fault::unsupported(format!("{} has no field {field}", self.binary_name(class)))
            })
    }

    /// Output of the program to its standard streams that was not taken yet.
    #[must_use]
    pub fn output(&self) -> &[PrintedText] {
        &self.state.output
    }

    /// Takes the program's output to its standard streams since the last call. While a mark is
    /// set the output is part of the state: use [`Vm::output`] then.
    pub fn take_output(&mut self) -> Vec<PrintedText> {
        std::mem::take(&mut self.state.output)
    }

    /// The frames, innermost last.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.state.frames
    }
}
