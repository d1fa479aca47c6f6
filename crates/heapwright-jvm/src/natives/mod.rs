//! Native methods, and JDK methods replaced by native ones.
//!
//! Invariant: a native is a leaf. It has no state of its own and never runs Java code. It
//! requests a call or an initialisation by its [`Fault`], and runs again or is replaced by the
//! call. It detects an unset slot before it changes anything.

mod access;
pub(crate) mod calls;
mod checksum;
mod class;
mod clock;
mod define;
mod file;
mod invoke;
mod io;
mod lambda_forms;
mod lang;
mod locale;
mod management;
mod math;
mod member_names;
mod members;
mod mocks;
mod module;
mod nio;
mod off_heap;
mod proxy;
mod reflect;
mod refused;
mod resources;
mod serialization;
mod services;
mod stack_walker;
mod system;
mod thread;
mod thread_info;
mod unsafe_access;
mod varhandle;
mod zip;

pub(crate) use clock::START_MILLIS;
pub(crate) use lambda_forms::basic_descriptor;
pub(crate) use off_heap::OffHeap;
use rustc_hash::FxHashMap;

use crate::class::{ClassId, Code, MethodId};
use crate::heap::Ref;
use crate::name::{Names, Sym};
use crate::vm::{Fault, Vm};

/// Native method; arguments and result are slots.
pub type Native = fn(&mut Vm, Args) -> Result<u64, Fault>;

/// Position of a native's arguments in the registers.
#[derive(Clone, Copy, Debug)]
pub struct Args(usize);

impl Args {
    pub(crate) fn new(first_register: usize) -> Args {
        Args(first_register)
    }
}

/// Class, name and descriptor as in `java/lang/Object.hashCode()I`, with the implementation.
type NativeEntry = (&'static str, Native);

/// All natives by class, name and descriptor.
pub struct Natives(FxHashMap<(Sym, Sym, Sym), Native>);

impl Natives {
    pub(crate) fn new(names: &mut Names) -> Natives {
        let mut table = FxHashMap::default();
        for entries in [
            lang::NATIVES,
            locale::NATIVES,
            checksum::NATIVES,
            class::NATIVES,
            reflect::NATIVES,
            proxy::NATIVES,
            members::NATIVES,
            mocks::NATIVES,
            module::NATIVES,
            calls::NATIVES,
            system::NATIVES,
            thread::NATIVES,
            thread_info::NATIVES,
            io::NATIVES,
            file::NATIVES,
            nio::NATIVES,
            off_heap::NATIVES,
            management::NATIVES,
            math::NATIVES,
            unsafe_access::NATIVES,
            invoke::NATIVES,
            lambda_forms::NATIVES,
            member_names::NATIVES,
            varhandle::NATIVES,
            clock::NATIVES,
            define::NATIVES,
            refused::NATIVES,
            resources::NATIVES,
            serialization::NATIVES,
            services::NATIVES,
            zip::NATIVES,
            stack_walker::NATIVES,
        ] {
            for (signature, native) in entries {
                let (member, descriptor) =
                    signature.split_at(signature.find('(').expect("a descriptor"));
                let (class, name) = member.rsplit_once('.').expect("a class");
                let key = (
                    names.intern(class),
                    names.intern(name),
                    names.intern(descriptor),
                );
                table.insert(key, *native);
            }
        }
        Natives(table)
    }

    pub(crate) fn find(&self, class: Sym, name: Sym, descriptor: Sym) -> Option<Native> {
        self.0.get(&(class, name, descriptor)).copied()
    }
}

/// Does nothing and returns 0, false or null.
pub(crate) fn nothing(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(0)
}

/// Returns true or 1.
fn one(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(1)
}

impl Vm {
    /// Slot of the argument word `index`; a long or double takes two words.
    pub(crate) fn arg(&self, args: Args, index: usize) -> u64 {
        self.state.registers[args.0 + index]
    }

    pub(crate) fn arg_int(&self, args: Args, index: usize) -> i32 {
        self.arg(args, index) as u32 as i32
    }

    pub(crate) fn arg_ref(&self, args: Args, index: usize) -> Ref {
        Ref::from_slot(self.arg(args, index))
    }

    /// A reference argument that must not be null.
    pub(crate) fn arg_object(&self, args: Args, index: usize) -> Result<Ref, Fault> {
        let object = self.arg_ref(args, index);
        if object.is_null() {
            Err(Fault::Raise("java/lang/NullPointerException", None))
        } else {
            Ok(object)
        }
    }

    /// From a native that replaces a method of the library only at times: runs the method's own
    /// bytecode on the native's arguments.
    pub(crate) fn own_bytecode(
        &mut self,
        args: Args,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Fault {
        let key = format!("bytecode of {class}.{name}{descriptor}");
        let twin = match self.synthetic.get(&key) {
            Some(&known) => Ok(known),
            None => self.twin(class, name, descriptor),
        };
        match twin {
            Ok(twin) => {
                self.synthetic.insert(key, twin);
                let words = usize::from(self.method(twin).argument_words);
                let slots = (0..words).map(|index| self.arg(args, index));
                Fault::Call(twin, slots.collect())
            }
            Err(fault) => fault,
        }
    }

    /// Adds a copy of a method that runs its bytecode.
    fn twin(&mut self, class: &str, name: &str, descriptor: &str) -> Result<MethodId, Fault> {
        let native = self.method_named(class, name, descriptor)?;
        let this = self.method(native);
        let key = (this.name, this.descriptor);
        let (class, flags) = (this.class, this.flags);
        let index = this.index.ok_or_else(|| Fault::unsupported(name))?;
        let twin = self.add_unlisted(class, key, flags, Code::Bytecode(index));
        self.methods[twin.0 as usize].index = Some(index);
        Ok(twin)
    }

    /// Class that a `java.lang.Class` object represents.
    pub(crate) fn class_of_mirror(&self, mirror: Ref) -> ClassId {
        ClassId(self.heap.field(mirror, self.known().mirror_id) as u32)
    }

    pub(crate) fn arg_class(&self, args: Args, index: usize) -> Result<ClassId, Fault> {
        Ok(self.class_of_mirror(self.arg_object(args, index)?))
    }

    /// Allocates an array of references.
    pub(crate) fn new_object_array(
        &mut self,
        class: ClassId,
        elements: &[Ref],
    ) -> Result<Ref, Fault> {
        let array = self
            .heap
            .allocate_array(class, elements.len() as u32, 4, false)?;
        let start = self.heap.elements(array);
        for (index, element) in elements.iter().enumerate() {
            self.heap.store32(start + 4 * index as u64, element.0);
        }
        Ok(array)
    }

    /// Elements of an array of references.
    #[must_use]
    pub fn object_elements(&self, array: Ref) -> Vec<Ref> {
        let start = self.heap.elements(array);
        (0..u64::from(self.heap.array_length(array)))
            .map(|index| Ref(self.heap.load32(start + 4 * index)))
            .collect()
    }
}
