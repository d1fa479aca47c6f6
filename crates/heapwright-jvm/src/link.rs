//! Loading and linking: resolves names to classes with field layout and dispatch tables (JVMS
//! §5.3 and §5.4).
//!
//! Loading is permanent and not part of the state. Results do not depend on which classes are
//! loaded or when. In the name space that the JDK's loaders share, the JDK's classes precede those
//! of the class path. For other name spaces see [`crate::loaders`].

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::class::{
    Class, ClassId, Code, Field, LoadedFile, Loader, Method, MethodId, Shape, flags, init,
};
use crate::classfile::{self, CLASS_VERSIONS, ClassFileError, Constant, FieldInfo, MethodInfo};
use crate::descriptor::{self, Kind};
use crate::heap::{FIELDS, Ref};
use crate::name::Sym;
use crate::replaced::{INPUTS, REPLACED, WORLD};
use crate::vm::{Fault, Vm};

/// Maximum nesting depth of superclasses and superinterfaces.
const MAX_LOADING_DEPTH: usize = 400;

/// Error of loading a class.
#[derive(Debug)]
pub enum LoadError {
    /// The class does not exist.
    NotFound(Sym),
    /// The class exists but cannot be used; the message names its file.
    Invalid(String),
    /// The class is compiled for a later release of Java than the JDK's.
    TooNew {
        /// Internal name of the class.
        name: Sym,
        /// Major version of its class file.
        major: u16,
    },
    /// The heap is full, so its statics cannot be allocated.
    HeapFull,
}

impl Vm {
    /// Returns the class with an internal name (`java/util/List`, `[I`), loaded on demand.
    ///
    /// # Errors
    /// The class does not exist or cannot be used.
    pub fn load_class(&mut self, name: &str) -> Result<ClassId, LoadError> {
        let name = self.names.intern(name);
        self.load(name)
    }

    /// Defines a class of the program by the bytes of a class file that no folder or jar has. A
    /// class already loaded under its internal name stays.
    ///
    /// # Errors
    /// The class cannot be used.
    pub fn define_class(&mut self, name: &str, bytes: Vec<u8>) -> Result<ClassId, LoadError> {
        let name = self.names.intern(name);
        match self.class_index.get(&name) {
            Some(&class) => Ok(class),
            None => {
                let name = self.text(name).to_owned();
                self.define_made(&name, bytes, Loader::App)
            }
        }
    }

    /// Defines a class that is made at run time, which no class is named like.
    pub(crate) fn define_made(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        loader: Loader,
    ) -> Result<ClassId, LoadError> {
        let name = self.names.intern(name);
        self.define_by(Ref::NULL, name, bytes, loader)
    }

    /// Defines a class that is made at run time in the name space of a loader, which already
    /// knows the class's superclass and superinterfaces.
    pub(crate) fn define_by(
        &mut self,
        by: Ref,
        name: Sym,
        bytes: Vec<u8>,
        loader: Loader,
    ) -> Result<ClassId, LoadError> {
        let source = format!("{}.class, which was made", self.text(name));
        self.define(name, bytes, source, loader, None, by)
    }

    /// Class above one that a loader defines.
    fn load_above(&mut self, by: Ref, name: Sym) -> Result<ClassId, LoadError> {
        match self.has_name_space(by) {
            true => self
                .class_of_loader(by, name)
                .ok_or(LoadError::NotFound(name)),
            false => self.load(name),
        }
    }

    pub(crate) fn load(&mut self, name: Sym) -> Result<ClassId, LoadError> {
        if let Some(&class) = self.class_index.get(&name) {
            return Ok(class);
        }
        let text = self.text(name);
        if let Some(element) = text.strip_prefix('[') {
            if !descriptor::is_field(text) {
                return Err(LoadError::NotFound(name));
            }
            let kind = Kind::of(element);
            // `[LI;` is an array of a class named `I`, not an array of ints.
            let class = if kind != Kind::Reference {
                self.primitive(kind)
            } else {
                let element = descriptor::class_name(element).to_owned();
                let element = self.names.intern(&element);
                self.load(element).map_err(|error| match error {
                    LoadError::NotFound(_) => LoadError::NotFound(element),
                    other => other,
                })?
            };
            return self.array_of(class);
        }
        if self.loading.contains(&name) {
            return Err(LoadError::Invalid(format!(
                "{} is its own superclass",
                self.text(name)
            )));
        }
        if self.loading.len() >= MAX_LOADING_DEPTH {
            return Err(LoadError::Invalid(format!(
                "{} has more than {MAX_LOADING_DEPTH} classes above it",
                self.text(self.loading[0])
            )));
        }
        let (bytes, source, loader, module) = match self.modules.find(self.names.text(name)) {
            Some((bytes, module)) => {
                let source = format!("{}.class in {module}", self.text(name));
                (bytes, source, Loader::Boot, Some(module))
            }
            None => match self.class_path.find(self.names.text(name)) {
                Ok(Some((bytes, source))) => (bytes, source, Loader::App, None),
                Ok(None) => return Err(LoadError::NotFound(name)),
                Err(error) => return Err(LoadError::Invalid(error.to_string())),
            },
        };
        self.loading.push(name);
        let result = self.define(name, bytes, source, loader, module, Ref::NULL);
        self.loading.pop();
        result
    }

    fn define(
        &mut self,
        name: Sym,
        bytes: Vec<u8>,
        source: String,
        loader: Loader,
        module: Option<String>,
        by: Ref,
    ) -> Result<ClassId, LoadError> {
        let fail = |error: ClassFileError| LoadError::Invalid(format!("{source}: {error}"));
        let info = match classfile::parse(&bytes, &mut self.names) {
            Err(ClassFileError::TooNew(major)) => return Err(LoadError::TooNew { name, major }),
            info => info.map_err(fail)?,
        };
        if u32::from(info.major) > self.jdk().feature + CLASS_VERSIONS {
            let major = info.major;
            return Err(LoadError::TooNew { name, major });
        }
        if info.name != name {
            let found = self.text(info.name).to_owned();
            return Err(fail(ClassFileError::WrongClass(format!(
                "it defines {found}"
            ))));
        }
        let super_class = match info.super_name {
            Some(super_name) => Some(self.load_above(by, super_name)?),
            None if self.text(name) == "java/lang/Object" => None,
            None => {
                return Err(fail(ClassFileError::Malformed(
                    "it has no superclass".to_owned(),
                )));
            }
        };
        let mut interfaces = Vec::with_capacity(info.interfaces.len());
        for &interface in &info.interfaces {
            interfaces.push(self.load_above(by, interface)?);
        }
        let is_interface = info.flags & flags::INTERFACE != 0;
        if let Some(super_class) = super_class {
            let above = self.class(super_class);
            if above.is_interface() || above.flags & flags::FINAL != 0 {
                let message = format!(
                    "its superclass {} cannot be extended",
                    self.class_name(super_class)
                );
                return Err(fail(ClassFileError::WrongClass(message)));
            }
        }
        // The verifier treats an interface as `Object`. It must therefore have neither fields of
        // another superclass nor instance fields of its own (JVMS §4.1, §4.5).
        let above_is_object =
            super_class.is_some_and(|above| self.class(above).super_class.is_none());
        if is_interface
            && (!above_is_object
                || info
                    .fields
                    .iter()
                    .any(|field| field.flags & flags::STATIC == 0))
        {
            let what = "an interface with a superclass or with instance fields";
            return Err(fail(ClassFileError::Malformed(what.to_owned())));
        }
        if let Some(&wrong) = interfaces
            .iter()
            .find(|&&interface| !self.class(interface).is_interface())
        {
            let message = format!(
                "it implements {}, which is no interface",
                self.class_name(wrong)
            );
            return Err(fail(ClassFileError::WrongClass(message)));
        }
        let file = Arc::new(LoadedFile {
            class: ClassId(self.classes.len() as u32),
            space: if self.has_name_space(by) {
                by
            } else {
                Ref::NULL
            },
            bytes,
            info,
            source: source.clone(),
        });
        let class = self.add_class(
            name,
            file.info.flags,
            Shape::Instance,
            loader,
            super_class,
            interfaces,
        );
        if !self.has_name_space(by) {
            self.class_index.insert(name, class);
        }
        {
            let class = &mut self.classes[class.0 as usize];
            class.module = module.map(Arc::from);
            class.file = Some(file.clone());
        }
        self.lay_out_fields(class, &file.info.fields)
            .map_err(|_| LoadError::HeapFull)?;
        self.set_constants(class, &file)?;
        for (index, method) in file.info.methods.iter().enumerate() {
            self.declare_method(class, method, index as u16);
        }
        if !is_interface {
            self.build_vtable(class);
        }
        self.finish_class(class).map_err(|_| LoadError::HeapFull)?;
        Ok(class)
    }

    /// Creates an empty class and registers its name.
    pub(crate) fn new_class(
        &mut self,
        name: Sym,
        flags: u16,
        shape: Shape,
        loader: Loader,
        super_class: Option<ClassId>,
        interfaces: Vec<ClassId>,
    ) -> ClassId {
        let id = self.add_class(name, flags, shape, loader, super_class, interfaces);
        self.class_index.insert(name, id);
        id
    }

    fn add_class(
        &mut self,
        name: Sym,
        flags: u16,
        shape: Shape,
        loader: Loader,
        super_class: Option<ClassId>,
        interfaces: Vec<ClassId>,
    ) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        assert!(id.0 < 1 << 20, "more than a million classes");
        let mut display =
            super_class.map_or_else(Vec::new, |above| self.class(above).display.clone());
        display.push(id);
        let mut all_interfaces =
            super_class.map_or_else(Vec::new, |above| self.class(above).all_interfaces.clone());
        for &interface in &interfaces {
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        if flags & flags::INTERFACE != 0 {
            all_interfaces.push(id);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        self.classes.push(Class {
            name,
            flags,
            shape,
            loader,
            module: None,
            super_class,
            interfaces,
            display,
            all_interfaces,
            fields: Vec::new(),
            methods: Vec::new(),
            method_index: FxHashMap::default(),
            vtable: Vec::new(),
            itable: FxHashMap::default(),
            instance_words: FIELDS,
            statics: 0,
            mirror: Ref::NULL,
            clinit: None,
            stays_initialized: false,
            file: None,
            array: None,
        });
        id
    }

    fn lay_out_fields(
        &mut self,
        class: ClassId,
        declared: &[FieldInfo],
    ) -> Result<(), crate::heap::HeapFull> {
        let statics = declared
            .iter()
            .filter(|field| field.flags & flags::STATIC != 0)
            .count() as u32;
        let block = self.heap.allocate_statics(1 + statics)?;
        let super_class = self.class(class).super_class;
        let mut instance_words =
            super_class.map_or(FIELDS, |above| self.class(above).instance_words);
        let mut static_word = block;
        let mut fields = Vec::with_capacity(declared.len());
        for field in declared {
            let word = if field.flags & flags::STATIC != 0 {
                static_word += 1;
                static_word
            } else {
                instance_words += 1;
                instance_words - 1
            };
            fields.push(Field {
                class,
                name: field.name,
                descriptor: field.descriptor,
                kind: Kind::of(self.text(field.descriptor)),
                flags: field.flags,
                word,
                signature: field.signature,
                is_annotated: field.is_annotated,
            });
        }
        let class = &mut self.classes[class.0 as usize];
        class.statics = block;
        class.fields = fields;
        class.instance_words = instance_words;
        Ok(())
    }

    /// Sets constant fields to their values (JVMS §5.5, step 6; doing so early is unobservable).
    pub(crate) fn set_constants(
        &mut self,
        class: ClassId,
        file: &LoadedFile,
    ) -> Result<(), LoadError> {
        for (index, field) in file.info.fields.iter().enumerate() {
            let Some(constant) = field.constant.filter(|_| field.flags & flags::STATIC != 0) else {
                continue;
            };
            let word = self.class(class).fields[index].word;
            let constant = file.info.pool.get(constant as usize);
            if !constant
                .is_some_and(|constant| constant_fits(constant, self.text(field.descriptor)))
            {
                return Err(LoadError::Invalid(format!(
                    "{}: constant of a wrong type",
                    file.source
                )));
            }
            let value = match constant {
                Some(Constant::Int(value)) => u64::from(*value as u32),
                Some(Constant::Float(bits)) => u64::from(*bits),
                Some(Constant::Long(value)) => *value as u64,
                Some(Constant::Double(bits)) => *bits,
                // Strings need the class `String`, so they are set by a second call after it is
                // loaded.
                Some(Constant::Str(_)) if self.known.is_none() => continue,
                Some(Constant::Str(text)) => {
                    let units = file.utf16(*text).unwrap_or_default();
                    match self.literal(&units) {
                        Ok(literal) => literal.slot(),
                        Err(_) => return Err(LoadError::HeapFull),
                    }
                }
                _ => {
                    return Err(LoadError::Invalid(format!(
                        "{}: constant of a wrong type",
                        file.source
                    )));
                }
            };
            self.heap.store_initial(word, value);
        }
        Ok(())
    }

    /// Returns the symbolic replacement of a library method.
    fn find_replaced(
        &self,
        class: ClassId,
        info: &MethodInfo,
    ) -> Option<crate::replaced::Intrinsic> {
        let is_library = self.class(class).loader == Loader::Boot;
        let class = self.class_name(class);
        if !is_library && ![INPUTS, WORLD].contains(&class) {
            return None;
        }
        let found = REPLACED.iter().find(|entry| {
            entry.0 == class
                && entry.1 == self.text(info.name)
                && entry.2 == self.text(info.descriptor)
        });
        found.map(|entry| entry.3)
    }

    fn declare_method(&mut self, class: ClassId, info: &MethodInfo, index: u16) {
        let name = self.names.text(info.name);
        let is_clinit = name == "<clinit>" && info.flags & flags::STATIC != 0;
        let mut code = match (&info.code, info.flags & flags::NATIVE != 0) {
            (Some(_), _) => Code::Bytecode(index),
            (None, true) => Code::Missing,
            (None, false) => Code::Abstract,
        };
        let &Class {
            name: own, loader, ..
        } = self.class(class);
        let is_library = loader == Loader::Boot;
        let native = self.natives.find(own, info.name, info.descriptor);
        if let Some(native) = native.filter(|_| is_library || self.is_embedded(self.text(own))) {
            code = Code::Native(native);
        } else if is_library
            && matches!(code, Code::Missing)
            && matches!(name, "registerNatives" | "initIDs")
        {
            code = Code::Native(crate::natives::nothing);
        }
        let id = self.add_method(class, info.name, info.descriptor, info.flags, code);
        self.methods[id.0 as usize].index = Some(index);
        self.methods[id.0 as usize].replaced = self.find_replaced(class, info);
        if is_clinit && !matches!(self.method(id).code, Code::Native(_)) {
            self.classes[class.0 as usize].clinit = Some(id);
        }
    }

    /// Adds a method to its class; its descriptor must be well-formed.
    pub(crate) fn add_method(
        &mut self,
        class: ClassId,
        name: Sym,
        descriptor: Sym,
        flags: u16,
        code: Code,
    ) -> MethodId {
        let (parameters, result) =
            descriptor::split_method(self.names.text(descriptor)).expect("a checked descriptor");
        let words: u16 = parameters
            .iter()
            .map(|parameter| Kind::of(parameter).words())
            .sum();
        let result = Kind::of(result);
        let id = MethodId(self.methods.len() as u32);
        self.methods.push(Method {
            class,
            name,
            descriptor,
            flags,
            argument_words: words + u16::from(flags & flags::STATIC == 0),
            result,
            vtable_index: None,
            code,
            replaced: None,
            frame_words: 0,
            handlers: Vec::new(),
            origins: Vec::new(),
            index: None,
        });
        let class = &mut self.classes[class.0 as usize];
        class.methods.push(id);
        class.method_index.insert((name, descriptor), id);
        id
    }

    /// Package of a class: its internal name up to the last slash.
    pub(crate) fn package_of(&self, class: ClassId) -> &str {
        let name = self.class_name(class);
        name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// Whether two classes are in one run-time package (JVMS §5.3).
    pub(crate) fn is_same_package(&self, one: ClassId, other: ClassId) -> bool {
        let space = |class: ClassId| self.class(class).file.as_ref().map(|file| file.space);
        self.package_of(one) == self.package_of(other)
            && space(one).unwrap_or_default() == space(other).unwrap_or_default()
    }

    /// JVMS §5.4.5: a method takes the vtable entries of all methods it overrides, or a new entry
    /// if it overrides none.
    pub(crate) fn build_vtable(&mut self, class: ClassId) {
        let above = self.class(class).super_class;
        let mut vtable = above.map_or_else(Vec::new, |above| self.class(above).vtable.clone());
        for &id in &self.classes[class.0 as usize].methods.clone() {
            let method = self.method(id);
            let name = self.text(method.name);
            if method.flags & (flags::STATIC | flags::PRIVATE) != 0 || name.starts_with('<') {
                continue;
            }
            let (name, descriptor) = (method.name, method.descriptor);
            let mut place = None;
            for (index, entry) in vtable.iter_mut().enumerate() {
                let old = &self.methods[entry.0 as usize];
                if old.name != name || old.descriptor != descriptor {
                    continue;
                }
                let visible = old.flags & (flags::PUBLIC | flags::PROTECTED) != 0
                    || self.is_same_package(old.class, class);
                if visible {
                    *entry = id;
                    place = place.or(Some(index as u32));
                }
            }
            let place = place.unwrap_or_else(|| {
                vtable.push(id);
                vtable.len() as u32 - 1
            });
            self.methods[id.0 as usize].vtable_index = Some(place);
        }
        self.classes[class.0 as usize].vtable = vtable;
    }

    /// Allocates the mirror and the initialisation state of a class.
    pub(crate) fn finish_class(&mut self, class: ClassId) -> Result<(), crate::heap::HeapFull> {
        if self.class(class).statics == 0 {
            let block = self.heap.allocate_statics(1)?;
            self.classes[class.0 as usize].statics = block;
        }
        if self.known.is_some() {
            self.make_mirror(class)?;
        }
        Ok(())
    }

    /// Allocates the `java.lang.Class` object of a class.
    pub(crate) fn make_mirror(&mut self, class: ClassId) -> Result<(), crate::heap::HeapFull> {
        let known = *self.known();
        let words = self.class(known.class).instance_words;
        let mirror = self.heap.allocate(known.class, words, true)?;
        self.classes[class.0 as usize].mirror = mirror;
        self.heap
            .store_initial(mirror.0 + known.mirror_id, u64::from(class.0));
        let header = self.heap.load(mirror.0) | u64::from(self.name_hash(class)) << 34;
        self.heap.store_initial(mirror.0, header);
        let word = |vm: &Vm, name: &str| vm.find_field(known.class, name).map(|field| field.word);
        if let Some(at) = word(self, "module") {
            let module = self.module_of(class)?;
            self.heap.store_initial(mirror.0 + at, module.slot());
        }
        if self.loader_of(class) == Loader::App
            && let Some(at) = word(self, "classLoader")
        {
            let loader = match self.class(class).shape {
                Shape::Array(element) => self.loader_object(element),
                _ => self.app_loader,
            };
            self.heap.store_initial(mirror.0 + at, loader.slot());
        }
        let shape = self.class(class).shape;
        match shape {
            Shape::Array(element) => {
                let element = self.class(element).mirror;
                if let Some(at) = word(self, "componentType") {
                    self.heap.store_initial(mirror.0 + at, element.slot());
                }
            }
            Shape::Primitive(_) => {
                if let Some(at) = word(self, "primitive") {
                    self.heap.store_initial(mirror.0 + at, 1);
                }
            }
            Shape::Instance => {}
        }
        // On newer JDKs these values are fields of the mirror instead of results of natives.
        if let Some(at) = word(self, "modifiers") {
            let modifiers = self.modifiers(class);
            self.heap.store_initial(mirror.0 + at, u64::from(modifiers));
        }
        if let Some(at) = word(self, "classFileAccessFlags") {
            let access = self.class(class).flags;
            self.heap.store_initial(mirror.0 + at, u64::from(access));
        }
        Ok(())
    }

    /// `Module` object of a class; for an array, that of its element type.
    fn module_of(&mut self, class: ClassId) -> Result<Ref, crate::heap::HeapFull> {
        let class = self.innermost_element(class);
        if self.class(class).loader == Loader::App {
            return Ok(self.module_of_loader(self.loader_object(class)));
        }
        match self.class(class).module.clone() {
            Some(name) if &*name != "java.base" => {
                self.module_named(&name).map_err(|_| crate::heap::HeapFull)
            }
            _ => Ok(self.module),
        }
    }

    /// Unnamed module of a loader of program classes.
    pub(crate) fn module_of_loader(&self, loader: Ref) -> Ref {
        if !self.has_name_space(loader) {
            return self.app_module;
        }
        let field = self.find_field(self.heap.class_of(loader), "unnamedModule");
        field.map_or(self.app_module, |field| {
            Ref::from_slot(self.heap.field(loader, field.word))
        })
    }

    /// Loader of a class; for an array, that of its element type.
    pub(crate) fn loader_of(&self, class: ClassId) -> Loader {
        self.class(self.innermost_element(class)).loader
    }

    /// Identity hash of a mirror, derived from the name: never 0, and the same in every run.
    fn name_hash(&self, class: ClassId) -> u32 {
        use std::hash::Hasher;
        let mut hasher = FxHasher::default();
        hasher.write(self.class_name(class).as_bytes());
        (hasher.finish() >> 20) as u32 & ((1 << 30) - 1) | 1
    }

    /// Modifiers as returned by `Class.getModifiers`: a member class has those of its
    /// declaration.
    pub(crate) fn modifiers(&self, class: ClassId) -> u16 {
        let this = self.class(class);
        match this.shape {
            Shape::Primitive(_) => flags::PUBLIC | flags::FINAL | flags::ABSTRACT,
            Shape::Array(element) => {
                let visibility = flags::PUBLIC | flags::PRIVATE | flags::PROTECTED | flags::STATIC;
                self.modifiers(element) & visibility | flags::FINAL | flags::ABSTRACT
            }
            Shape::Instance => {
                let inner = this.file.as_ref().and_then(|file| {
                    file.info
                        .inner_classes
                        .iter()
                        .find(|inner| inner.inner == this.name)
                        .map(|inner| inner.flags)
                });
                inner.unwrap_or(this.flags) & !flags::SYNCHRONIZED
            }
        }
    }

    /// The class of a primitive kind.
    pub(crate) fn primitive(&mut self, kind: Kind) -> ClassId {
        let name = self.names.intern(kind.keyword());
        if let Some(&class) = self.class_index.get(&name) {
            return class;
        }
        let access = flags::PUBLIC | flags::FINAL | flags::ABSTRACT;
        let class = self.new_class(
            name,
            access,
            Shape::Primitive(kind),
            Loader::Boot,
            None,
            Vec::new(),
        );
        self.classes[class.0 as usize].module = Some(Arc::from("java.base"));
        self.finish_class(class)
            .expect("room for a primitive class");
        let statics = self.class(class).statics;
        self.heap.store_initial(statics, init::DONE);
        class
    }

    /// The class of arrays of `element`.
    pub(crate) fn array_of(&mut self, element: ClassId) -> Result<ClassId, LoadError> {
        if let Some(array) = self.class(element).array {
            return Ok(array);
        }
        let name = match self.class(element).shape {
            Shape::Primitive(kind) => format!("[{}", kind.descriptor()),
            _ => format!("[{}", descriptor::of_class(self.class_name(element))),
        };
        if name.len() - name.trim_start_matches('[').len() > 255 {
            return Err(LoadError::Invalid(format!(
                "{name} has more than 255 dimensions"
            )));
        }
        let object = self.load_class("java/lang/Object")?;
        let cloneable = self.load_class("java/lang/Cloneable")?;
        let serializable = self.load_class("java/io/Serializable")?;
        let name = self.names.intern(&name);
        let visibility = self.class(element).flags & flags::PUBLIC;
        let class = self.add_class(
            name,
            visibility | flags::FINAL | flags::ABSTRACT,
            Shape::Array(element),
            self.class(element).loader,
            Some(object),
            vec![cloneable, serializable],
        );
        if self.class_index.get(&self.class(element).name) == Some(&element) {
            self.class_index.insert(name, class);
        }
        self.classes[class.0 as usize].module = self.class(element).module.clone();
        self.classes[class.0 as usize].vtable = self.class(object).vtable.clone();
        self.finish_class(class).map_err(|_| LoadError::HeapFull)?;
        let statics = self.class(class).statics;
        self.heap.store_initial(statics, init::DONE);
        self.classes[element.0 as usize].array = Some(class);
        Ok(class)
    }

    /// Kind of the elements of an array class.
    pub(crate) fn element_kind(&self, array: ClassId) -> Kind {
        match self.class(array).shape {
            Shape::Array(element) => match self.class(element).shape {
                Shape::Primitive(kind) => kind,
                _ => Kind::Reference,
            },
            _ => Kind::Void,
        }
    }

    /// Whether a value of class `class` can be assigned to `target` (JVMS §6.5.instanceof).
    #[must_use]
    pub fn is_subclass(&self, class: ClassId, target: ClassId) -> bool {
        if class == target {
            return true;
        }
        let (this, that) = (self.class(class), self.class(target));
        if that.is_interface() {
            return this.all_interfaces.binary_search(&target).is_ok();
        }
        if this.display.get(that.display.len() - 1) == Some(&target) {
            return true;
        }
        match (this.shape, that.shape) {
            (Shape::Array(from), Shape::Array(to)) => {
                let primitive =
                    |class: ClassId| matches!(self.class(class).shape, Shape::Primitive(_));
                !primitive(from) && !primitive(to) && self.is_subclass(from, to)
            }
            _ => false,
        }
    }

    /// Resolves a field by class, name and descriptor (JVMS §5.4.3.2).
    pub(crate) fn resolve_field(
        &self,
        class: ClassId,
        name: Sym,
        descriptor: Sym,
    ) -> Option<&Field> {
        let this = self.class(class);
        let own = this
            .fields
            .iter()
            .find(|field| field.name == name && field.descriptor == descriptor);
        own.or_else(|| {
            this.interfaces
                .iter()
                .find_map(|&interface| self.resolve_field(interface, name, descriptor))
        })
        .or_else(|| {
            this.super_class
                .and_then(|above| self.resolve_field(above, name, descriptor))
        })
    }

    /// Resolves a method by class, name and descriptor (JVMS §5.4.3.3, §5.4.3.4).
    #[must_use]
    pub fn resolve_method(&self, class: ClassId, name: Sym, descriptor: Sym) -> Option<MethodId> {
        let display = &self.class(class).display;
        let found = display
            .iter()
            .rev()
            .find_map(|&class| self.class(class).method_index.get(&(name, descriptor)));
        if let Some(&method) = found {
            return Some(method);
        }
        if self.class(class).is_interface()
            && let Some(object) = self.known.map(|known| known.object)
            && let Some(&method) = self.class(object).method_index.get(&(name, descriptor))
            && self.method(method).flags & flags::PUBLIC != 0
            && !self.method(method).is_static()
        {
            return Some(method);
        }
        let specific = self.maximally_specific(class, name, descriptor);
        let concrete = specific
            .iter()
            .find(|&&method| !self.method(method).is_abstract());
        concrete.or(specific.first()).copied()
    }

    /// Methods of superinterfaces that no other one overrides, except static and private ones.
    fn maximally_specific(&self, class: ClassId, name: Sym, descriptor: Sym) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        for &interface in &self.class(class).all_interfaces {
            if let Some(&method) = self.class(interface).method_index.get(&(name, descriptor))
                && self.method(method).flags & (flags::STATIC | flags::PRIVATE) == 0
            {
                found.push(method);
            }
        }
        let declaring: Vec<ClassId> = found
            .iter()
            .map(|&method| self.method(method).class)
            .collect();
        found.retain(|&method| {
            let own = self.method(method).class;
            !declaring
                .iter()
                .any(|&other| other != own && self.is_subclass(other, own))
        });
        found
    }

    /// Selects the implementation of interface method `method` for a receiver of class `class`
    /// (JVMS §5.4.6).
    pub(crate) fn select_interface(
        &mut self,
        class: ClassId,
        method: MethodId,
    ) -> Result<MethodId, Fault> {
        let slot = crate::interp::interface_slot(class, method.0);
        if let Some(&selected) = self.class(class).itable.get(&method) {
            self.interface_cache[slot] = (class, method, selected);
            return Ok(selected);
        }
        let (name, descriptor) = (self.method(method).name, self.method(method).descriptor);
        let owner = self.method(method).class;
        if !self.is_subclass(class, owner) {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!(
                    "Class {} does not implement the requested interface {}",
                    self.binary_name(class),
                    self.binary_name(owner)
                ),
            ));
        }
        let in_classes = self.class(class).display.iter().rev().find_map(|&class| {
            self.class(class)
                .method_index
                .get(&(name, descriptor))
                .copied()
                .filter(|&method| {
                    self.method(method).flags & (flags::STATIC | flags::PRIVATE) == 0
                        && !self.class(self.method(method).class).is_interface()
                })
        });
        let selected = match in_classes {
            Some(found) => found,
            None => {
                let specific = self.maximally_specific(class, name, descriptor);
                let mut concrete = specific
                    .iter()
                    .filter(|&&method| !self.method(method).is_abstract());
                match (concrete.next(), concrete.next()) {
                    (Some(&found), None) => found,
                    (Some(_), Some(_)) => {
                        return Err(Fault::raise(
                            "java/lang/IncompatibleClassChangeError",
                            format!("Conflicting default methods: {}", self.method_text(method)),
                        ));
                    }
                    (None, _) => return Err(self.abstract_method(class, method)),
                }
            }
        };
        self.classes[class.0 as usize]
            .itable
            .insert(method, selected);
        self.interface_cache[slot] = (class, method, selected);
        Ok(selected)
    }

    /// `AbstractMethodError` for a call that has no implementation.
    pub(crate) fn abstract_method(&self, class: ClassId, method: MethodId) -> Fault {
        let name = self.method_text(method);
        Fault::raise(
            "java/lang/AbstractMethodError",
            format!(
                "Receiver class {} does not define or inherit an implementation of {name}",
                self.binary_name(class)
            ),
        )
    }

    /// Converts a loading error to a fault of the code that needs the class.
    pub(crate) fn load_fault(&self, error: LoadError) -> Fault {
        match error {
            LoadError::NotFound(name) => {
                Fault::raise("java/lang/NoClassDefFoundError", self.text(name).to_owned())
            }
            LoadError::Invalid(message) => Fault::invalid(message),
            LoadError::TooNew { name, major } => self.too_new_fault(self.text(name), (major, 0)),
            LoadError::HeapFull => crate::heap::HeapFull.into(),
        }
    }

    /// Error that a program gets for a class file of a later version, major and minor, than the
    /// JDK's.
    pub(crate) fn too_new_fault(&self, name: &str, (major, minor): (u16, u16)) -> Fault {
        let newest = self.jdk().feature + CLASS_VERSIONS;
        let message = format!(
            "{name} has been compiled by a more recent version of the Java Runtime (class file \
             version {major}.{minor}), this version of the Java Runtime only recognizes class \
             file versions up to {newest}.0"
        );
        Fault::raise("java/lang/UnsupportedClassVersionError", message)
    }

    /// Why a class cannot be used whose class file has a later version than the JDK's.
    #[must_use]
    pub fn too_new(&self, major: u16) -> String {
        let jdk = self.jdk();
        format!(
            "it is compiled for Java {}, and the JDK in {} is {}",
            u32::from(major).saturating_sub(CLASS_VERSIONS),
            jdk.home.display(),
            jdk.version
        )
    }

    /// Class of a pool entry.
    pub(crate) fn pool_class(&mut self, file: &LoadedFile, index: u16) -> Result<ClassId, Fault> {
        let name = self.pool_class_name(file, index)?;
        self.load_in(file, name)
    }

    pub(crate) fn pool_class_name(&mut self, file: &LoadedFile, index: u16) -> Result<Sym, Fault> {
        match file.constant(index)? {
            Constant::Class(name) => self.pool_text(file, name),
            _ => Err(file.bad_constant(index)),
        }
    }

    pub(crate) fn pool_text(&mut self, file: &LoadedFile, index: u16) -> Result<Sym, Fault> {
        let Constant::Utf8(span) = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        let bytes = span.of(&file.bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) if !bytes.contains(&0xC0) => Ok(self.names.intern(text)),
            _ => {
                let text = String::from_utf16_lossy(&classfile::utf16_of_mutf8(bytes));
                Ok(self.names.intern(&text))
            }
        }
    }

    pub(crate) fn pool_name_and_type(
        &mut self,
        file: &LoadedFile,
        index: u16,
    ) -> Result<(Sym, Sym), Fault> {
        let Constant::NameAndType { name, descriptor } = file.constant(index)? else {
            return Err(file.bad_constant(index));
        };
        Ok((
            self.pool_text(file, name)?,
            self.pool_text(file, descriptor)?,
        ))
    }

    /// Resolves a field entry.
    pub(crate) fn pool_field(&mut self, file: &LoadedFile, index: u16) -> Result<Field, Fault> {
        let Constant::Field {
            class,
            name_and_type,
        } = file.constant(index)?
        else {
            return Err(file.bad_constant(index));
        };
        let class = self.pool_class(file, class)?;
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        match self.resolve_field(class, name, descriptor) {
            Some(field) => Ok(field.clone()),
            None => Err(Fault::raise(
                "java/lang/NoSuchFieldError",
                self.text(name).to_owned(),
            )),
        }
    }

    /// Resolves a method entry: returns the named class and the method found.
    pub(crate) fn pool_method(
        &mut self,
        file: &LoadedFile,
        index: u16,
    ) -> Result<(ClassId, MethodId), Fault> {
        let Constant::Method {
            class,
            name_and_type,
            interface,
        } = file.constant(index)?
        else {
            return Err(file.bad_constant(index));
        };
        let class = self.pool_class(file, class)?;
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        if self.class(class).is_interface() != interface {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!(
                    "Found {} {}, but {} was expected",
                    if interface { "class" } else { "interface" },
                    self.binary_name(class),
                    if interface { "interface" } else { "class" }
                ),
            ));
        }
        match self.resolve_method(class, name, descriptor) {
            Some(method) => Ok((class, method)),
            None => {
                let message = format!(
                    "'{} {}.{}({})'",
                    self.result_text(descriptor),
                    self.binary_name(class),
                    self.text(name),
                    self.parameters_text(descriptor)
                );
                Err(Fault::raise("java/lang/NoSuchMethodError", message))
            }
        }
    }

    fn result_text(&self, descriptor: Sym) -> String {
        descriptor::split_method(self.text(descriptor)).map_or_else(String::new, |(_, result)| {
            if result == "V" {
                "void".to_owned()
            } else {
                descriptor::to_java(result)
            }
        })
    }

    fn parameters_text(&self, descriptor: Sym) -> String {
        descriptor::split_method(self.text(descriptor)).map_or_else(
            String::new,
            |(parameters, _)| {
                parameters
                    .into_iter()
                    .map(descriptor::to_java)
                    .collect::<Vec<_>>()
                    .join(", ")
            },
        )
    }
}

/// Whether a constant may be the value of a field (JVMS table 4.7.2-A).
fn constant_fits(constant: &Constant, descriptor: &str) -> bool {
    match constant {
        Constant::Int(_) => matches!(descriptor, "I" | "S" | "C" | "B" | "Z"),
        Constant::Float(_) => descriptor == "F",
        Constant::Long(_) => descriptor == "J",
        Constant::Double(_) => descriptor == "D",
        Constant::Str(_) => descriptor == "Ljava/lang/String;",
        _ => false,
    }
}

impl LoadedFile {
    /// Returns a pool entry.
    pub(crate) fn constant(&self, index: u16) -> Result<Constant, Fault> {
        self.info
            .pool
            .get(index as usize)
            .copied()
            .ok_or_else(|| self.bad_constant(index))
    }

    pub(crate) fn bad_constant(&self, index: u16) -> Fault {
        Fault::invalid(format!(
            "{}: constant {index} is not of the kind its use needs",
            self.source
        ))
    }

    /// Text of an entry as UTF-16.
    pub(crate) fn utf16(&self, index: u16) -> Option<Vec<u16>> {
        match self.info.pool.get(index as usize) {
            Some(Constant::Utf8(span)) => Some(classfile::utf16_of_mutf8(span.of(&self.bytes))),
            _ => None,
        }
    }
}
