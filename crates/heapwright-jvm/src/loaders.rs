//! Name spaces of a program's own class loaders (JVMS §5.3).
//!
//! The JDK's loaders share one name space, in which the JDK's classes precede those of the class
//! path. A loader of the program has a name space of its own: a name in the code of its classes
//! means the class that its `loadClass` returns. That is Java code, so that it is called before
//! the instruction that needs the class, which then runs again and finds the answer.
//!
//! Invariant: [`LoadedClasses`] is reversible. A loader is asked for a name until it has answered
//! once, and its answer stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::class::{ClassId, LoadedFile, Shape};
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::instr::Instr;
use crate::name::Sym;
use crate::natives::Args;
use crate::vm::{Fault, Vm};

/// Classes that the loaders of a program have defined or returned.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct LoadedClasses {
    by_name: BTreeMap<(Ref, Sym), ClassId>,
    /// Protection domains of the classes that were defined with one.
    domains: BTreeMap<ClassId, Ref>,
    /// Named modules by loader and package.
    modules: BTreeMap<(Ref, String), Ref>,
}

impl LoadedClasses {
    /// All objects that the table refers to.
    pub(crate) fn objects(&self) -> impl Iterator<Item = Ref> {
        let loaders = self.by_name.keys().map(|&(loader, _)| loader);
        let modules = self.modules.values().copied();
        loaders.chain(self.domains.values().copied()).chain(modules)
    }
}

impl Vm {
    /// Whether a class loader has a name space of its own: it is one of the program's, or one that
    /// the JDK makes for itself at run time.
    pub(crate) fn has_name_space(&self, loader: Ref) -> bool {
        !loader.is_null() && {
            let class = self.class_name(self.heap.class_of(loader));
            !class.starts_with("jdk/internal/loader/ClassLoaders$")
        }
    }

    /// Class that a loader has defined, or has returned when it was asked for this name.
    pub(crate) fn class_of_loader(&self, loader: Ref, name: Sym) -> Option<ClassId> {
        self.state.loaded.by_name.get(&(loader, name)).copied()
    }

    /// Notes that a name means a class in the name space of a loader.
    pub(crate) fn note_class(&mut self, loader: Ref, name: Sym, class: ClassId) {
        let loaded = Arc::make_mut(&mut self.state.loaded);
        loaded.by_name.insert((loader, name), class);
    }

    /// Protection domain with which a class was defined.
    pub(crate) fn domain_of(&self, class: ClassId) -> Option<Ref> {
        self.state.loaded.domains.get(&class).copied()
    }

    /// Notes the protection domain of a class.
    pub(crate) fn note_domain(&mut self, class: ClassId, domain: Ref) {
        if !domain.is_null() {
            let loaded = Arc::make_mut(&mut self.state.loaded);
            loaded.domains.insert(class, domain);
        }
    }

    /// Notes the module of the classes that a loader defines in a package.
    pub(crate) fn note_module(&mut self, loader: Ref, package: String, module: Ref) {
        let loaded = Arc::make_mut(&mut self.state.loaded);
        loaded.modules.insert((loader, package), module);
    }

    /// Named module of a class of a loader with a name space of its own.
    pub(crate) fn named_module_of(&self, loader: Ref, class: ClassId) -> Option<Ref> {
        let key = (loader, self.package_of(class).to_owned());
        self.state.loaded.modules.get(&key).copied()
    }

    /// Name of a class that no other class has, as a part of the names of what is generated for
    /// it.
    pub(crate) fn unique_name(&self, class: ClassId) -> String {
        let name = self.class(class).name;
        match self.class_index.get(&name) {
            Some(&shared) if shared == class => self.text(name).to_owned(),
            _ => format!("{}+{}", self.text(name), class.0),
        }
    }

    /// Class whose code runs.
    pub(crate) fn running_class(&self) -> ClassId {
        let frame = self.frames().last();
        frame.map_or(self.known().object, |frame| self.method(frame.method).class)
    }

    /// Name space of the code of a class, as a part of the keys of what is generated for it;
    /// empty for the one that the JDK's loaders share.
    pub(crate) fn name_space(&self, class: ClassId) -> String {
        match self.loader_object(class) {
            loader if self.has_name_space(loader) => format!("+{}", loader.0),
            _ => String::new(),
        }
    }

    /// Class that a name means in the code of another class.
    pub(crate) fn load_for(&mut self, user: ClassId, name: Sym) -> Result<ClassId, Fault> {
        let loader = self.loader_object(user);
        if self.class(user).name == name {
            return Ok(user);
        }
        self.load_by(loader, name)
    }

    /// Class that a name means in the name space of a loader.
    pub(crate) fn load_by(&mut self, loader: Ref, name: Sym) -> Result<ClassId, Fault> {
        if !self.has_name_space(loader) {
            return self.load(name).map_err(|error| self.load_fault(error));
        }
        if let Some(class) = self.class_of_loader(loader, name) {
            return Ok(class);
        }
        match self.element_name(name) {
            Some(element) => {
                let element = self.load_by(loader, element)?;
                self.array_of(element)
                    .map_err(|error| self.load_fault(error))
            }
            None if self.text(name).starts_with('[') => {
                self.load(name).map_err(|error| self.load_fault(error))
            }
            None => Err(self.ask_loader(loader, name, true)),
        }
    }

    /// Class of a field descriptor or of `V` in the code of a class.
    pub(crate) fn class_of_type(
        &mut self,
        user: ClassId,
        descriptor: &str,
    ) -> Result<ClassId, Fault> {
        match Kind::of(descriptor) {
            Kind::Reference => {
                let name = descriptor::class_name(descriptor).to_owned();
                let name = self.names.intern(&name);
                self.load_for(user, name)
            }
            kind => Ok(self.primitive(kind)),
        }
    }

    /// Class of a name in the code of a class file.
    pub(crate) fn load_in(&mut self, file: &LoadedFile, name: Sym) -> Result<ClassId, Fault> {
        self.load_for(file.class, name)
    }

    /// Name of the element class of an array of objects; `None` for other classes.
    fn element_name(&mut self, array: Sym) -> Option<Sym> {
        let element = self.text(array).strip_prefix('[')?;
        if !descriptor::is_field(element) || Kind::of(element) != Kind::Reference {
            return None;
        }
        let element = descriptor::class_name(element).to_owned();
        Some(self.names.intern(&element))
    }

    /// Call of `loadClass`, whose result is noted. If the class is needed by code, a
    /// `ClassNotFoundException` becomes the cause of a `NoClassDefFoundError`.
    pub(crate) fn ask_loader(&mut self, loader: Ref, name: Sym, by_code: bool) -> Fault {
        let text = self.text(name).replace('/', ".");
        let asked = self
            .asking_call(by_code)
            .and_then(|method| Ok((method, self.new_string(&text)?)));
        match asked {
            Ok((method, text)) => Fault::First(method, vec![loader.slot(), text.slot()]),
            Err(fault) => fault,
        }
    }

    /// Generated method that asks a loader for a class by name and notes its answer.
    fn asking_call(&mut self, by_code: bool) -> Result<crate::class::MethodId, Fault> {
        const LOADER: &str = "java/lang/ClassLoader";
        const SHAPE: &str = "(Ljava/lang/ClassLoader;Ljava/lang/String;)V";
        const ERROR: &str = "java/lang/NoClassDefFoundError";
        const MISSING: &str = "java/lang/ClassNotFoundException";
        let key = format!("ask a loader, by code: {by_code}");
        self.once(&key, LOADER, SHAPE, |vm, code| {
            let load =
                vm.method_named(LOADER, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;")?;
            let note = vm.note_native()?;
            code.reserve(9);
            code.push(Instr::Move { d: 2, a: 0 });
            code.push(Instr::Move { d: 3, a: 1 });
            code.push(vm.call_instr(load, 2));
            code.push(Instr::Move { d: 4, a: 2 });
            code.push(Instr::Move { d: 2, a: 0 });
            code.push(Instr::Move { d: 3, a: 1 });
            code.push(Instr::InvokeSpecial {
                a: 2,
                method: note.0,
            });
            let end = code.here();
            code.push(Instr::ReturnVoid);
            if !by_code {
                return Ok(());
            }
            let [missing, thrown] = [MISSING, ERROR].map(|name| {
                let class = vm.load_class(name);
                class.map_err(|error| vm.load_fault(error))
            });
            let (missing, thrown) = (missing?, thrown?);
            let init = vm.method_named(
                ERROR,
                "<init>",
                "(Ljava/lang/String;Ljava/lang/Throwable;)V",
            )?;
            code.catch_all(0, end, 2);
            code.push(Instr::Move { d: 3, a: 2 });
            code.push(Instr::InstanceOf {
                d: 3,
                class: missing.0,
            });
            let other = code.here();
            code.push(Instr::IfEq { a: 3, to: 0 });
            let slashes =
                vm.method_named("java/lang/String", "replace", "(CC)Ljava/lang/String;")?;
            for (register, value) in [(6, '.'), (7, '/')] {
                code.push(Instr::Int {
                    d: register,
                    value: value as i32,
                });
            }
            code.push(Instr::Move { d: 5, a: 1 });
            code.push(vm.call_instr(slashes, 5));
            code.push(Instr::NewChecked {
                d: 3,
                class: thrown.0,
            });
            code.push(Instr::Move { d: 4, a: 3 });
            code.push(Instr::Move { d: 6, a: 2 });
            code.push(Instr::InvokeSpecial {
                a: 4,
                method: init.0,
            });
            code.push(Instr::Throw { a: 3 });
            code.land(other);
            code.push(Instr::Throw { a: 2 });
            Ok(())
        })
    }

    fn note_native(&mut self) -> Result<crate::class::MethodId, Fault> {
        const SHAPE: &str = "(Ljava/lang/String;Ljava/lang/Class;)V";
        let class = self
            .load_class("java/lang/ClassLoader")
            .map_err(|error| self.load_fault(error))?;
        let key = (self.names.intern("note$class"), self.names.intern(SHAPE));
        let access = crate::class::flags::FINAL | crate::class::flags::SYNTHETIC;
        let code = crate::class::Code::Native(note_answer);
        Ok(self.add_unlisted(class, key, access, code))
    }

    /// Class that an array's elements are in the end; the class itself if it is no array.
    pub(crate) fn innermost_element(&self, class: ClassId) -> ClassId {
        let mut class = class;
        while let Shape::Array(element) = self.class(class).shape {
            class = element;
        }
        class
    }
}

/// Notes the class that a loader returned for a name. Null, or a class of another name, counts as
/// not found.
fn note_answer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (loader, text) = (vm.arg_ref(args, 0), vm.arg_object(args, 1)?);
    let text = vm.string_text(text);
    let name = vm.names.intern(&text.replace('.', "/"));
    let mirror = vm.arg_ref(args, 2);
    let class = (!mirror.is_null()).then(|| vm.class_of_mirror(mirror));
    match class.filter(|&class| vm.class(class).name == name) {
        Some(class) => {
            vm.note_class(loader, name, class);
            Ok(0)
        }
        None => {
            let name = vm.text(name).to_owned();
            Err(Fault::raise("java/lang/ClassNotFoundException", name))
        }
    }
}
