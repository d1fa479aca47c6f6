//! What code has read of the world outside, by the path that read it: values that other runs, other
//! machines or other callers may find different.
//!
//! A source marks a read where it enters: a native notes it, and a method of the library that is in
//! the table [`library`] notes it as it begins. Invariant: a run that has noted no source is the
//! same whatever the sources hold. Values that initialisers of the library read decide nothing but
//! how it works; methods that return them are in the table.

mod library;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::class::{ClassId, Loader, MethodId, flags};
use crate::heap::Ref;
use crate::state::{Frame, FrameKind};
use crate::vm::Vm;

pub(crate) use library::{LibraryReads, is_preallocated};

macro_rules! chances {
    ($($(#[$doc:meta])* $chance:ident $name:literal $text:literal;)*) => {
        /// Source of values that differ in time, between machines, or by what ran before.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Chance {
            $($(#[$doc])* $chance,)*
        }

        impl Chance {
            const ALL: &[Chance] = &[$(Chance::$chance,)*];

            /// Returns the name in machine-readable output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Chance::$chance => $name,)*
                }
            }

            /// Returns the source with a name.
            #[must_use]
            pub fn named(name: &str) -> Option<Chance> {
                Chance::ALL.iter().copied().find(|chance| chance.name() == name)
            }
        }

        impl std::fmt::Display for Chance {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Chance::$chance => $text,)*
                })
            }
        }
    };
}

chances! {
    /// The time.
    Clock "clock" "the clock";
    /// Identity hash codes.
    IdentityHashes "identity_hashes" "identity hash codes";
    /// Random bytes of the system.
    RandomBytes "random_bytes" "random bytes";
    /// Seeds that random numbers start from.
    RandomSeeds "random_seeds" "seeds of random numbers";
    /// Compressed data.
    Compression "compression" "compressed data";
    /// Standard input.
    StandardInput "standard_input" "standard input";
    /// State of the standard output streams.
    StandardOutput "standard_output" "the state of standard output";
    /// Environment variables.
    Environment "environment" "environment variables";
    /// System properties, the working folder and the user's name among them.
    Properties "properties" "system properties";
    /// Version of Java.
    Version "version" "the version of Java";
    /// Default locale.
    Locale "locale" "the default locale";
    /// Default time zone.
    TimeZone "time_zone" "the default time zone";
    /// Default charset.
    Charset "charset" "the default charset";
    /// Number of processors.
    Processors "processors" "the number of processors";
    /// Figures of the machine, the process and the network.
    Machine "machine" "figures of the machine";
    /// Sizes of the memory.
    Memory "memory" "the size of the memory";
    /// Files, folders and the room on disks.
    Files "files" "files";
    /// Objects that a garbage collection has removed.
    Collection "garbage_collection" "garbage collection";
    /// Depth of calls at which the stack is full.
    StackDepth "stack_depth" "the depth of the stack";
    /// Methods that have called the one under test.
    Callers "callers" "the callers";
    /// Name, status and other state of the thread that runs.
    Thread "thread" "the state of the thread";
    /// Class loaders of the program.
    ClassLoaders "class_loaders" "class loaders";
    /// Whether assertions are enabled.
    Assertions "assertions" "the switch for assertions";
    /// Messages and traces of exceptions, which compiled code leaves out.
    Traces "traces" "messages and traces of exceptions";
    /// Order of immutable sets and maps.
    IterationOrder "iteration_order" "the order of immutable sets and maps";
    /// Order of the members of a class.
    MemberOrder "member_order" "the order of members";
    /// Division of the work of parallel streams.
    ParallelStreams "parallel_streams" "the order of parallel streams";
    /// Bits of a NaN.
    NanBits "nan_bits" "the bits of a NaN";
    /// Code of classes that are not on the class path, of which inputs may be objects.
    Subclasses "subclasses" "the code of further subclasses";
    /// Objects that existed before the run, static fields refer to them, as inputs.
    Held "held_inputs" "objects that static fields refer to";
}

impl Chance {
    /// Whether it is a setting of a run that whoever starts it chooses, and that claims name instead
    /// of not being made.
    #[must_use]
    pub fn is_setting(self) -> bool {
        matches!(self, Chance::Locale | Chance::TimeZone | Chance::Charset)
    }
}

/// Bytes of a stack that each machine has, and of a frame beside its variables.
const SMALL_STACK: usize = 256 << 10;
const FRAME_BYTES: usize = 96;
/// Number of frames that surely fit, if they are not large.
pub(crate) const SURE_FRAMES: usize = 512;

/// What code has read beside its inputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReadSource {
    /// Static field of the program which code can change, or an object that it refers to:
    /// `a.B.count`.
    Static(String),
    /// Source of the world.
    World(Chance),
}

/// What initialisers of the program have read: values of static fields may depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InitialReads {
    chances: u32,
    has_statics: bool,
}

impl InitialReads {
    /// Whether they have read nothing beside constants.
    pub(crate) fn are_none(self) -> bool {
        self.chances == 0 && !self.has_statics
    }
}

/// First read of a source on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPosition {
    /// The source; `None` for static state of the program.
    pub chance: Option<Chance>,
    /// Number of probes that the path had visited.
    pub visits: usize,
}

impl Vm {
    /// Notes a read of a source, unless an initialiser of the library makes it.
    pub(crate) fn note_chance(&mut self, chance: Chance) {
        self.note_chance_quietly(chance, true);
    }

    /// Notes a read of a source. Whether claims on all runs of the machine name it is up to the
    /// caller.
    pub(crate) fn note_chance_quietly(&mut self, chance: Chance, is_named: bool) {
        if !self.notes_reads || self.is_initializing_library() {
            return;
        }
        if chance != Chance::Subclasses {
            self.chances += 1;
        }
        if is_named {
            self.config.seen.add_chance(chance);
        }
        let bit = 1 << chance as u32;
        if self.state.chances & bit == 0 {
            self.state.chances |= bit;
            self.note_position(Some(chance));
        }
    }

    /// Notes a question whether an input of a type, in place of which there may be an object of an
    /// unknown class, is of this class.
    pub(crate) fn note_type_of_other(&mut self, bound: ClassId, class: ClassId) {
        if !self.is_subclass(bound, class) {
            self.note_chance(Chance::Subclasses);
        }
    }

    /// Notes a call on such an input, whose class may override the method if the call is virtual.
    pub(crate) fn note_call_of_other(&mut self, method: MethodId, is_virtual: bool) {
        let method = self.method(method);
        let is_overridable = is_virtual && method.flags & (flags::FINAL | flags::PRIVATE) == 0;
        if is_overridable || self.text(method.name) == "getClass" {
            self.note_chance(Chance::Subclasses);
        }
    }

    /// Notes that an input of a type is not the same as an object that it could be, as a static field
    /// may refer to it. The constants of enums are inputs themselves.
    #[cold]
    pub(crate) fn note_held_input(&mut self, bound: ClassId, first_made: Ref, object: Ref) {
        if object.is_null() {
            return;
        }
        let class = self.heap.class_of(object);
        let is_constant = self.class(class).display.iter();
        let is_constant = { is_constant }.any(|&above| self.class(above).flags & flags::ENUM != 0);
        if !is_constant && self.is_subclass(class, bound) && self.may_be_given(first_made, object) {
            self.note_chance(Chance::Held);
        }
    }

    /// What the path has read so far, before an initialiser runs for all paths.
    pub(crate) fn initial_state(&self) -> (u32, bool, usize) {
        let state = &self.state;
        (state.chances, state.has_read_statics, state.read_at.len())
    }

    /// Keeps what an initialiser has read since, so that reads of static fields note it. Paths that
    /// read none do not depend on it.
    pub(crate) fn keep_initial_reads(&mut self, (chances, has_statics, reads): (u32, bool, usize)) {
        let state = &mut self.state;
        self.initial_reads.chances |= state.chances & !chances;
        self.initial_reads.has_statics |= state.has_read_statics && !has_statics;
        state.chances = chances;
        state.has_read_statics = has_statics;
        state.read_at.truncate(reads);
    }

    /// Notes what initialisers have read, as a static field is read.
    pub(crate) fn note_initial_reads(&mut self) {
        let InitialReads {
            chances,
            has_statics,
        } = self.initial_reads;
        let all = Chance::ALL.iter().copied();
        for chance in all.filter(|&chance| chances & 1 << chance as u32 != 0) {
            self.note_chance(chance);
        }
        if has_statics {
            self.read_open_static();
        }
    }

    /// Notes that calls are as deep as the smallest stack of a usual machine allows.
    pub(crate) fn note_depth(&mut self) {
        let frames = &self.state.frames;
        let base = frames.last().map_or(0, |frame| frame.base as usize);
        let is_noted = self.state.chances & 1 << Chance::StackDepth as u32 != 0;
        if !is_noted && 8 * base + FRAME_BYTES * frames.len() > SMALL_STACK {
            self.note_chance(Chance::StackDepth);
        }
    }

    /// Notes where the path has read a source for the first time.
    pub(crate) fn note_position(&mut self, chance: Option<Chance>) {
        self.state.read_at.push(ReadPosition {
            chance,
            visits: self.state.visits.len(),
        });
    }

    /// Whether an initialiser of the library runs.
    pub(crate) fn is_initializing_library(&self) -> bool {
        let is_first =
            |frame: &&Frame| matches!(frame.kind, FrameKind::Initializer | FrameKind::Bottom);
        self.frames().iter().filter(is_first).any(|frame| {
            let method = self.method(frame.method);
            self.class(method.class).loader == Loader::Boot && self.text(method.name) == "<clinit>"
        })
    }

    /// Whether the program itself has called the method whose frame is the innermost.
    pub(crate) fn is_called_by_program(&self) -> bool {
        let frames = self.frames();
        let caller = frames.len().checked_sub(2).map(|caller| frames[caller]);
        caller.is_none_or(|caller| !self.is_of_library(caller.method))
    }

    /// Notes a read of a source by a native, if the program itself has called it.
    pub(crate) fn note_for_program(&mut self, chance: Chance) {
        let caller = self.frames().last().copied();
        if caller.is_none_or(|caller| !self.is_of_library(caller.method)) {
            self.note_chance(chance);
        }
    }

    /// Notes a read of what the thread that runs has left, or its callers, unless the run began in a
    /// fresh machine.
    pub(crate) fn note_after_others(&mut self, chance: Chance) {
        if !self.is_fresh {
            self.note_chance(chance);
        }
    }

    /// Whether a method is one of the JDK, or of a library that the host program has embedded.
    pub(crate) fn is_of_library(&self, method: MethodId) -> bool {
        let class = self.method(method).class;
        self.class(class).loader == Loader::Boot || self.is_embedded(self.class_name(class))
    }

    /// Number of reads of values that differ in time or between machines, undone ones included.
    #[must_use]
    pub fn nondeterministic_reads(&self) -> u64 {
        self.chances
    }

    /// Number of reads of static state of the program that other calls may have changed, undone ones
    /// included.
    #[must_use]
    pub fn open_static_reads(&self) -> u64 {
        self.open_static_reads
    }

    /// Sources of the world that code has read so far; going back restores them.
    pub fn chances_read(&self) -> impl Iterator<Item = Chance> {
        let read = self.state.chances;
        let all = Chance::ALL.iter().copied();
        all.filter(move |&chance| read & 1 << chance as u32 != 0)
    }

    /// What was read beside inputs on this machine or another one with the same configuration. Going
    /// back removes nothing.
    #[must_use]
    pub fn reads(&self) -> BTreeSet<ReadSource> {
        let fields = self.config.seen.static_fields().clone();
        let read = self.config.seen.chances();
        let all = Chance::ALL.iter().copied();
        let world = all.filter(|&chance| read & 1 << chance as u32 != 0);
        let fields = fields.into_iter().map(ReadSource::Static);
        fields.chain(world.map(ReadSource::World)).collect()
    }

    /// First reads of each source on the path, and of static state of the program, oldest first.
    #[must_use]
    pub fn read_positions(&self) -> &[ReadPosition] {
        &self.state.read_at
    }

    /// Forgets what was read so far.
    pub fn forget_chances(&mut self) {
        self.state.chances = 0;
        self.state.has_read_statics = false;
        self.state.read_at.clear();
    }

    /// Sets whether runs begin in a fresh machine, as those of a program do. A method may be called
    /// after other code: its thread and static state are then what that has left.
    pub fn begin_fresh(&mut self, is_fresh: bool) {
        self.is_fresh = is_fresh;
    }
}
