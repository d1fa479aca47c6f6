//! Classes, fields and methods as linked: permanent, never part of the state.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, CodeInfo};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::name::Sym;
use crate::natives::Native;

pub use crate::classfile::flags;

/// The number of a loaded class. A result must never depend on it: classes are numbered in the
/// order in which they happen to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub u32);

/// The number of a method of a loaded class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId(pub u32);

/// What a class is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A class or interface from a class file, or one made by the engine.
    Instance,
    /// An array of elements of a class.
    Array(ClassId),
    /// A primitive type or `void`.
    Primitive(Kind),
}

/// Who loaded a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loader {
    /// The JDK's own.
    Boot,
    /// From the class path.
    App,
}

/// A field of a class.
#[derive(Clone, Debug)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Sym,
    /// Its descriptor.
    pub descriptor: Sym,
    /// The kind of its values.
    pub kind: Kind,
    /// Access flags.
    pub flags: u16,
    /// Instance fields: the word, counted from the object's header. Static fields: the word of
    /// the arena.
    pub word: u32,
    /// The generic signature.
    pub signature: Option<Sym>,
}

impl Field {
    /// Whether it is a static field.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }
}

/// How far a class has come (JVMS §5.5); kept in word 0 of its statics, so that it goes back.
pub mod init {
    /// Nobody has used it.
    pub const UNTOUCHED: u64 = 0;
    /// Its initialiser runs.
    pub const RUNNING: u64 = 1;
    /// It can be used.
    pub const DONE: u64 = 2;
    /// Its initialiser failed. Above these two bits stands what its later users see as the
    /// cause, or 0.
    pub const FAILED: u64 = 3;
}

/// A loaded class.
pub struct Class {
    /// Its internal name: `java/util/Map$Entry`, `[I`, `int`.
    pub name: Sym,
    /// Access flags of the class file.
    pub flags: u16,
    /// What it is.
    pub shape: Shape,
    /// Who loaded it.
    pub loader: Loader,
    /// The module of a JDK class.
    pub module: Option<Rc<str>>,
    /// Its superclass; none for `Object`, interfaces' is `Object`.
    pub super_class: Option<ClassId>,
    /// Direct superinterfaces.
    pub interfaces: Vec<ClassId>,
    /// All superclasses by depth, itself last.
    pub display: Vec<ClassId>,
    /// All superinterfaces, itself included if it is one, sorted.
    pub all_interfaces: Vec<ClassId>,
    /// Declared fields in declaration order.
    pub fields: Vec<Field>,
    /// Declared methods in declaration order.
    pub methods: Vec<MethodId>,
    /// Declared methods by name and descriptor.
    pub method_index: FxHashMap<(Sym, Sym), MethodId>,
    /// What a call of a virtual method reaches.
    pub vtable: Vec<MethodId>,
    /// What a call of an interface method reaches, as far as asked; filled by need.
    pub itable: FxHashMap<MethodId, MethodId>,
    /// Words of an instance, header included.
    pub instance_words: u32,
    /// Word 0 of its statics: the initialisation state, then a word a static field.
    pub statics: u32,
    /// Its `java.lang.Class` object.
    pub mirror: Ref,
    /// Whether initialising it can run code: it or a superclass has a `<clinit>`.
    pub clinit: Option<MethodId>,
    /// The class file and its bytes; none of arrays, primitives and classes made by the engine.
    pub file: Option<Rc<LoadedFile>>,
    /// Whether it was initialised before the oldest mark, so that going back cannot undo it.
    pub settled: bool,
    /// The array class of this class, once asked for.
    pub array: Option<ClassId>,
}

/// A class file with its bytes.
pub struct LoadedFile {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What they say.
    pub info: ClassFile,
    /// Where they were read, for messages.
    pub source: String,
}

impl Class {
    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.flags & flags::INTERFACE != 0
    }

    /// Whether it is abstract or an interface.
    #[must_use]
    pub fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }
}

/// Where a method's code is.
#[derive(Clone, Debug)]
pub enum Code {
    /// There is none: the method is abstract.
    Abstract,
    /// Bytecode that was not called yet; the number is the method's in its class file.
    Bytecode(u16),
    /// Register code: the first instruction.
    Translated(u32),
    /// A native method of ours.
    Native(Native),
    /// A native method nobody has written, or bytecode that nobody may run.
    Missing,
}

/// A method.
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Sym,
    /// Its descriptor.
    pub descriptor: Sym,
    /// Access flags.
    pub flags: u16,
    /// Words its arguments take, the receiver included.
    pub argument_words: u16,
    /// The kind of its result.
    pub result: Kind,
    /// Its place in the vtable, if it can be overridden and is declared in a class.
    pub vtable_index: Option<u32>,
    /// Where its code is.
    pub code: Code,
    /// What a symbolic machine does in its place.
    pub replaced: Option<crate::replaced::Replaced>,
    /// Registers of a frame, once translated: locals, then stack.
    pub frame_words: u32,
    /// Its exception table, once translated, in order.
    pub handlers: Vec<Handler>,
    /// The bytecode index of each register instruction, once translated.
    pub origins: Vec<u16>,
    /// Its number in its class file; none if the engine made it.
    pub index: Option<u16>,
}

/// An entry of a translated exception table; positions are instructions.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// First covered instruction.
    pub start: u32,
    /// End of the covered range, exclusive.
    pub end: u32,
    /// Where to go on.
    pub target: u32,
    /// The pool index of the class caught, 0 for all.
    pub catch: u16,
    /// The register that receives the exception.
    pub register: u16,
}

impl Handler {
    /// The handler with its places counted from `entry` on.
    pub(crate) fn moved(self, entry: u32) -> Handler {
        Handler {
            start: self.start + entry,
            end: self.end + entry,
            target: self.target + entry,
            ..self
        }
    }
}

impl Method {
    /// Whether it is a static method.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }

    /// Whether it is a native method.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.flags & flags::NATIVE != 0
    }

    /// Whether it is abstract.
    #[must_use]
    pub fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }

    /// Its code in the class file.
    #[must_use]
    pub fn code_info<'a>(&self, file: &'a LoadedFile) -> Option<&'a CodeInfo> {
        file.info.methods[self.index? as usize].code.as_ref()
    }
}
