//! The virtual machine: everything one worker owns, permanent and reversible.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::class::{Class, ClassId, Field, Method, MethodId};
use crate::classpath::{ClassPath, ClassPathError, Modules};
use crate::descriptor::Kind;
use crate::heap::{Heap, HeapFull, Ref};
use crate::instr::{Instr, SwitchTable};
use crate::jdk::Jdk;
use crate::name::{Names, Sym};
use crate::natives::Natives;
use crate::state::{Frame, State};

/// What a machine is made with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The JDK whose library code is run.
    pub jdk: Jdk,
    /// Folders and jars of the program under test.
    pub class_path: Vec<PathBuf>,
    /// Classes carried by the program, by internal name; found before the class path.
    pub embedded: &'static [(&'static str, &'static [u8])],
    /// Whether `assert` statements of classes from the class path are checked.
    pub assertions: bool,
    /// Whether translated code goes through the passes that make it faster.
    pub optimize: bool,
    /// Most bytes of Java objects.
    pub max_heap_bytes: u64,
    /// Whether the machine stands in for `java`: what the program prints goes to the standard streams at
    /// once, it reads standard input, and where memory ends it sees an `OutOfMemoryError`, not a limit.
    pub as_java: bool,
    /// Most frames on the stack; past it Java's `StackOverflowError` is thrown.
    pub max_frames: u32,
    /// What the code that all machines made with it, or with a copy of it, have run has looked at.
    pub seen: Seen,
}

/// What code has looked at beside its inputs; copies are one.
#[derive(Clone, Debug, Default)]
pub struct Seen(Arc<Looks>);

#[derive(Debug, Default)]
struct Looks {
    static_fields: Mutex<BTreeSet<String>>,
    date: AtomicBool,
}

impl Seen {
    fn static_fields(&self) -> MutexGuard<'_, BTreeSet<String>> {
        let names = self.0.static_fields.lock();
        names.unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the name of a static field of the program that is not final.
    pub(crate) fn add_static_field(&self, name: String) {
        self.static_fields().insert(name);
    }

    /// Notes that the date was asked for.
    pub(crate) fn add_date(&self) {
        self.0.date.store(true, Ordering::Relaxed);
    }

    /// Whether code has asked what date it is, which on another machine is another.
    #[must_use]
    pub fn has_date(&self) -> bool {
        self.0.date.load(Ordering::Relaxed)
    }
}

impl Config {
    /// Usual limits: 2 GiB of objects (taken from the system only as they are used), 9,000 frames,
    /// assertions off.
    #[must_use]
    pub fn new(jdk: Jdk, class_path: Vec<PathBuf>) -> Config {
        Config {
            jdk,
            class_path,
            embedded: &[],
            assertions: false,
            max_heap_bytes: 2 << 30,
            optimize: true,
            as_java: false,
            max_frames: 9_000,
            seen: Seen::default(),
        }
    }
}

/// Why a machine could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    /// The class path is wrong.
    #[error(transparent)]
    ClassPath(#[from] ClassPathError),
    /// The JDK's start-up code did not run to its end.
    #[error("failed to start the JDK's library in {}: {reason}", home.display())]
    Library {
        /// The JDK.
        home: PathBuf,
        /// What happened.
        reason: String,
    },
}

/// Which limit a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Instructions run.
    Steps,
    /// Bytes of Java objects.
    Heap,
    /// Levels of one monitor.
    Monitor,
    /// Elements of a new array whose length is open.
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

/// Why [`Vm::run`] came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The frame at the bottom returned; its value (0 if void).
    Done(u64),
    /// The frame at the bottom ended by this exception.
    Threw(Ref),
    /// A frame of [`Vm::call_aside`] returned: its number, and its value.
    Aside(u32, u64),
    /// The run has come to the instruction named to [`Vm::break_at`].
    Break,
    /// A condition on symbolic slots is open; the machine knows which. The instruction has had no
    /// effect and runs again.
    Branch,
    /// The value of the symbolic slot at this spot is needed. The instruction has had no effect and
    /// runs again.
    Symbolic(crate::machine::Spot),
    /// A slot is about to be read that nobody has chosen a value for: the number of its variable.
    /// The instruction has had no effect and runs again.
    Choice(u32),
    /// `System.exit` with this status.
    Exited(i32),
    /// The code needs something that is refused or not supported; names it.
    Unsupported(String),
    /// A class that is needed breaks the class file format; names it and says how.
    InvalidClass(String),
    /// A limit was reached.
    Limit(Limit),
    /// The machine does not want the run to go past the probe that it has come to.
    Pruned,
}

/// Why a step did not go through to its end.
#[derive(Debug)]
pub enum Fault {
    /// This exception is thrown.
    Throw(Ref),
    /// An exception of this class is to be made and thrown.
    Raise(&'static str, Option<String>),
    /// The same; its message is in this slot, which may be symbolic.
    RaiseText(&'static str, u64),
    /// This class must be initialised first; the instruction then runs again.
    Initialize(ClassId),
    /// Of a native: this method is called in its place.
    Call(MethodId, Vec<u64>),
    /// The run ends.
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

/// A resolved static field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticSite {
    pub class: ClassId,
    pub at: u32,
    pub kind: Kind,
}

/// Text written to `System.out` or `System.err`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// 1 for standard output, 2 for standard error.
    pub stream: u8,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Classes and members the engine itself refers to.
#[derive(Clone, Copy)]
pub(crate) struct Known {
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
pub struct Vm {
    pub(crate) config: Config,
    pub(crate) names: Names,
    pub(crate) modules: Modules,
    pub(crate) class_path: ClassPath,
    pub(crate) natives: Natives,
    // Permanent.
    pub(crate) classes: Vec<Class>,
    pub(crate) class_index: FxHashMap<Sym, ClassId>,
    pub(crate) loading: Vec<Sym>,
    pub(crate) methods: Vec<Method>,
    pub(crate) code: Vec<Instr>,
    pub(crate) wide: Vec<u64>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) static_sites: Vec<StaticSite>,
    /// Interface calls seen lately: class, interface method, what is called. Never part of the state.
    pub(crate) interface_cache: Box<[(ClassId, MethodId, MethodId)]>,
    pub(crate) synthetic: FxHashMap<String, MethodId>,
    /// How collections keep their members, see [`crate::replaced`].
    pub(crate) layouts: FxHashMap<ClassId, Option<crate::replaced::Layout>>,
    /// The fields of hash maps, see [`crate::replaced`].
    pub(crate) map_words: FxHashMap<ClassId, Option<crate::replaced::MapWords>>,
    /// What says which message a constructor makes, see [`crate::replaced`].
    pub(crate) message_texts: FxHashMap<MethodId, MethodId>,
    /// What says that an index is out of bounds.
    pub(crate) index_text: Option<MethodId>,
    /// The replaced methods that were not left to their plain code.
    pub(crate) replaced_calls: rustc_hash::FxHashSet<MethodId>,
    /// What methods say of characters, as far as it was worked out.
    pub(crate) tables: crate::replaced::Tables,
    /// By which field keys of a class are told apart, see [`Vm::identity_key`].
    pub(crate) identity_keys: FxHashMap<ClassId, Option<u32>>,
    /// The cell of each literal, see `Vm::literal_cell`.
    pub(crate) literals: FxHashMap<Box<[u16]>, u32>,
    pub(crate) known: Option<Known>,
    pub(crate) main_thread: Ref,
    /// The module `java.base`.
    pub(crate) module: Ref,
    /// The modules of the JDK that classes were loaded from, by name.
    pub(crate) module_objects: Vec<(Box<str>, Ref)>,
    /// The class loader of program classes.
    pub(crate) app_loader: Ref,
    /// The unnamed module of that loader.
    pub(crate) app_module: Ref,
    /// The word of the arena that holds the number of the next thread; then come the main thread's
    /// permit (`LockSupport`) and the nanoseconds it has waited, which the clock shows.
    pub(crate) thread_ids: u32,
    /// The places of probes, see [`Vm::probe`].
    pub(crate) points: Vec<crate::probes::Point>,
    /// The points of each method that has some.
    pub(crate) probed: FxHashMap<MethodId, std::ops::Range<u32>>,
    /// What was caught last, and how many frames there were, until the next probe.
    pub(crate) thrown: Option<(u32, ClassId)>,
    // Reversible.
    /// The Java objects.
    pub heap: Heap,
    pub(crate) state: State,
    /// The table of strings: literals that were loaded and strings the program interned.
    pub(crate) interned: IndexMap<Box<[u16]>, Ref, FxBuildHasher>,
    /// Where the sides of branches meet, see [`Vm::pure_join`].
    pub(crate) joins: FxHashMap<u32, Option<u32>>,
    /// The instruction before which a symbolic run stops; `u32::MAX` for none.
    pub(crate) break_at: u32,
    /// Whether slots may be symbolic, for natives.
    pub(crate) symbolic: bool,
    // Accounts.
    pub(crate) steps: u64,
    pub(crate) step_limit: u64,
    pub(crate) initializations: u64,
    /// The classes that could not be initialised ahead for the steps that takes, with what was said then.
    pub(crate) endless: FxHashMap<ClassId, String>,
    pub(crate) chances: u64,
    pub(crate) caught_overflows: u64,
}

impl Vm {
    /// Instructions run since the machine was made, start-up included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Lets runs go on for at most `steps` more instructions in all.
    pub fn limit_steps(&mut self, steps: u64) {
        self.step_limit = self.steps.saturating_add(steps);
    }

    /// The static fields of the program, not final ones, that code has read on this machine or on another made with
    /// the same configuration: `a.B.count`. Going back forgets none.
    #[must_use]
    pub fn static_reads(&self) -> BTreeSet<String> {
        self.config.seen.static_fields().clone()
    }

    /// Lets runs have so many frames at most, past which they throw a `StackOverflowError`; says how many they could have.
    pub fn limit_frames(&mut self, frames: u32) -> u32 {
        std::mem::replace(&mut self.config.max_frames, frames)
    }

    /// How many more instructions runs may go on for.
    #[must_use]
    pub fn steps_left(&self) -> u64 {
        self.step_limit.saturating_sub(self.steps)
    }

    /// How often code was told what would be something else at another time or on another machine, what was
    /// undone included: the time, and identity hash codes.
    #[must_use]
    pub fn chances(&self) -> u64 {
        self.chances
    }

    /// How often code has caught a `StackOverflowError` since the machine was made, what was undone included:
    /// what it has done until then depends on how deep a stack is.
    #[must_use]
    pub fn caught_overflows(&self) -> u64 {
        self.caught_overflows
    }

    /// How often a class was about to be initialised since the machine was made, what was undone
    /// included.
    #[must_use]
    pub fn initializations(&self) -> u64 {
        self.initializations
    }

    /// The JDK that is run.
    #[must_use]
    pub fn jdk(&self) -> &Jdk {
        &self.config.jdk
    }

    /// The class path that is searched.
    #[must_use]
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// A loaded class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    /// A method of a loaded class.
    #[must_use]
    pub fn method(&self, method: MethodId) -> &Method {
        &self.methods[method.0 as usize]
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Sym) -> &str {
        self.names.text(name)
    }

    /// The internal name of a class: `java/util/List`.
    #[must_use]
    pub fn class_name(&self, class: ClassId) -> &str {
        self.names.text(self.class(class).name)
    }

    /// The name of a class as `Class.getName` gives it: `java.util.List`, `[I`.
    #[must_use]
    pub fn binary_name(&self, class: ClassId) -> String {
        self.class_name(class).replace('/', ".")
    }

    /// Class, name and descriptor of a method, for messages: `a.B.run(int)`.
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

    pub(crate) fn known(&self) -> &Known {
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

    /// The word of an instance field of a JDK class.
    pub(crate) fn word_of(&self, class: ClassId, field: &str) -> Result<u32, Fault> {
        self.find_field(class, field)
            .filter(|field| !field.is_static())
            .map(|field| field.word)
            .ok_or_else(|| {
                Fault::unsupported(format!("{} has no field {field}", self.binary_name(class)))
            })
    }

    /// What the program has written to its standard streams and nobody has taken yet.
    #[must_use]
    pub fn output(&self) -> &[Output] {
        &self.state.output
    }

    /// What the program has written to its standard streams since the last call. While a mark is
    /// set the output is part of the state: look at it with [`Vm::output`] then, and leave it.
    pub fn take_output(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.state.output)
    }

    /// The frames, innermost last.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.state.frames
    }
}
