//! Start-up of the JDK's library: `System.initPhase1` and its prerequisites.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::chances::InitialReads;
use crate::class::{ClassId, Loader, MethodId, init};
use crate::classpath::{ClassPath, Modules};
use crate::descriptor::Kind;
use crate::files::{Files, Installed};
use crate::heap::{Heap, Ref};
use crate::machine::Plain;
use crate::name::Names;
use crate::natives::Natives;
use crate::state::State;
use crate::vm::{BootError, Config, Exit, Fault, Vm, WellKnown};

/// `Thread.NORM_PRIORITY`.
const NORMAL_PRIORITY: u64 = 5;
/// `Thread.MAX_PRIORITY`.
const MAX_PRIORITY: u64 = 10;
/// The number of the first thread after the main one.
const FIRST_THREAD_ID: u64 = 3;
/// Size of the thread state: number of the next thread, clock, first cleared reference.
const THREAD_WORDS: u32 = 3;
/// Step limit for the initialisers of a class and of all classes that they use, where no other
/// limit applies.
pub const INITIALIZER_STEPS: u64 = 100_000_000;
/// JVMTI's `RUNNABLE`, as `Thread.threadState` reads it.
const THREAD_RUNNABLE: u64 = 0x0005;

/// The file system of a machine: the JDK and the class path, the folder in which it runs, and a copy
/// of the folder that the configuration names. Its files may take as much memory as the objects.
fn files_of(config: &Config, class_path: &ClassPath) -> Result<Files, BootError> {
    let mut roots: Vec<PathBuf> = class_path.paths().map(Path::to_owned).collect();
    roots.push(config.jdk.home.clone());
    let failed = |folder: &Path| {
        let folder = folder.to_owned();
        move |source| BootError::Files { folder, source }
    };
    let mut installed = Installed::new(roots);
    if let Some(folder) = &config.working_folder {
        installed.run_in(folder).map_err(failed(folder))?;
    }
    let mut files = Files::new(installed, config.max_heap_bytes);
    if let Some(folder) = &config.files {
        files.mount(folder).map_err(failed(folder))?;
    }
    Ok(files)
}

/// Settings with which machines were started in this process, the last ones first, and the state
/// behind the start from the second time on: a process that needs one machine pays for no copy.
static STARTED: Mutex<Vec<(Config, Option<Arc<Vm>>)>> = Mutex::new(Vec::new());
/// Most settings that are kept; each holds some megabytes.
const MOST_STARTED: usize = 4;

/// Copy of a machine that was started with such settings.
fn started_before(config: &Config) -> Option<Vm> {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let place = started
        .iter()
        .position(|(other, _)| other.starts_like(config))?;
    let entry = started.remove(place);
    let image = entry.1.clone();
    started.insert(0, entry);
    drop(started);
    image.map(|image| (*image).clone())
}

/// Notes the settings of a machine that was just started, and its state if they were noted before.
fn keep_started(vm: &Vm) {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let found = started
        .iter_mut()
        .find(|(other, _)| other.starts_like(&vm.config));
    match found {
        Some((_, Some(_))) => {}
        Some((_, image)) => *image = Some(Arc::new(vm.clone())),
        None => {
            started.insert(0, (vm.config.clone(), None));
            started.truncate(MOST_STARTED);
        }
    }
}

impl Vm {
    /// Creates a machine that can run library and program code.
    ///
    /// # Errors
    /// The class path is wrong, or the JDK's start-up fails.
    pub fn new(config: Config) -> Result<Vm, BootError> {
        let class_path = ClassPath::open(&config.class_path, config.embedded, config.jdk.feature)?;
        let files = files_of(&config, &class_path)?;
        if let Some(mut vm) = started_before(&config) {
            vm.class_path = Arc::new(class_path);
            vm.state.files = Arc::new(files);
            vm.config = config;
            return Ok(vm);
        }
        let vm = Vm::start(config, class_path, files)?;
        keep_started(&vm);
        Ok(vm)
    }

    /// Starts a machine by the JDK's own code.
    fn start(config: Config, class_path: ClassPath, files: Files) -> Result<Vm, BootError> {
        let modules = Modules::open(&config.jdk)?;
        let mut names = Names::default();
        let natives = Natives::new(&mut names);
        let mut heap = Heap::new(config.max_heap_bytes);
        if config.replaces_launcher {
            heap.keep_reserve();
        }
        let mut vm = Vm {
            config,
            names,
            modules: Arc::new(modules),
            class_path: Arc::new(class_path),
            natives: Arc::new(natives),
            classes: Vec::new(),
            class_index: FxHashMap::default(),
            loading: Vec::new(),
            methods: Vec::new(),
            code: Vec::new(),
            wide: Vec::new(),
            switches: Vec::new(),
            static_sites: Vec::new(),
            symbolic: false,
            joins: FxHashMap::default(),
            merge_points: FxHashMap::default(),
            notes_writes: false,
            tracks_hash_order: false,
            has_term_arrays: false,
            written: Vec::new(),
            break_at: u32::MAX,
            break_below: 0,
            layouts: FxHashMap::default(),
            map_words: FxHashMap::default(),
            message_texts: FxHashMap::default(),
            index_text: None,
            concatenations: FxHashMap::default(),
            replaced_calls: FxHashSet::default(),
            tables: crate::replaced::Tables::default(),
            identity_keys: FxHashMap::default(),
            points: Vec::new(),
            thrown: None,
            probed: FxHashMap::default(),
            patchable: FxHashSet::default(),
            prologues: FxHashMap::default(),
            made: FxHashMap::default(),
            interface_cache: vec![
                (ClassId(u32::MAX), MethodId(0), MethodId(0));
                crate::interp::INTERFACE_CACHE
            ]
            .into(),
            synthetic: FxHashMap::default(),
            native_callers: FxHashMap::default(),
            literals: FxHashMap::default(),
            known: None,
            live_registers: FxHashMap::default(),
            main_thread: Ref::NULL,
            module: Ref::NULL,
            module_objects: Vec::new(),
            app_loader: Ref::NULL,
            app_module: Ref::NULL,
            thread_ids: 0,
            heap,
            state: State::with_files(files),
            interned: IndexMap::default(),
            steps: 0,
            step_limit: u64::MAX,
            turn_end: u64::MAX,
            initializations: 0,
            endless: FxHashMap::default(),
            live_streams: crate::compression::LiveStreams::default(),
            chances: 0,
            library_reads: crate::chances::LibraryReads::new(),
            notes_reads: false,
            is_fresh: false,
            open_static_reads: 0,
            initial_reads: InitialReads::default(),
            open_statics: FxHashMap::default(),
            static_uses: FxHashMap::default(),
            undone: 0,
            caught_overflows: 0,
            is_launched: false,
            started_threads: 0,
            runs_started_first: false,
        };
        match vm.boot() {
            Ok(()) => {
                vm.notes_reads = true;
                Ok(vm)
            }
            Err(reason) => Err(BootError::Library {
                home: vm.config.jdk.home.clone(),
                reason,
            }),
        }
    }

    fn boot(&mut self) -> Result<(), String> {
        self.thread_ids = self
            .heap
            .allocate_cells(THREAD_WORDS)
            .map_err(|_| "no memory")?;
        self.heap.store(self.thread_ids, FIRST_THREAD_ID);
        self.find_known().map_err(|fault| self.fault_text(&fault))?;
        self.initialize_fully("java/lang/Object")?;
        self.initialize_fully("java/lang/String")?;
        self.initialize_fully("java/lang/System")?;
        self.initialize_fully("java/lang/Class")?;
        self.make_loaders()
            .map_err(|fault| self.fault_text(&fault))?;
        self.fill_unsafe_constants()?;
        self.make_main_thread()?;
        self.initialize_fully("java/lang/Module")?;
        // From here on, reflection uses its own access objects.
        self.initialize_fully("java/lang/reflect/Method")?;
        self.initialize_fully("java/lang/ref/Reference")?;
        self.initialize_fully("java/lang/Throwable")?;
        let method = self.static_method("java/lang/System", "initPhase1", "()V")?;
        self.call_fully(method, &[])?;
        // Level 4: the library considers itself started.
        self.set_static("jdk/internal/misc/VM", "initLevel", 4)?;
        Ok(())
    }

    /// Classes of the JDK whose initialisers have begun, whether a limit has ended them or not; in the
    /// order in which they were loaded.
    #[must_use]
    pub fn begun_library_classes(&self) -> Vec<ClassId> {
        (0..self.classes.len() as u32)
            .map(ClassId)
            .filter(|&class| {
                let state = self.heap.load(self.class(class).statics);
                self.class(class).loader == Loader::Boot
                    && [init::RUNNING, init::DONE].contains(&state)
            })
            .collect()
    }

    /// All initialised classes, in the order in which they were loaded.
    #[must_use]
    pub fn initialized_classes(&self) -> Vec<ClassId> {
        self.loaded_classes()
            .filter(|&class| self.heap.load(self.class(class).statics) == init::DONE)
            .collect()
    }

    /// Describes a fault that no code handles.
    pub(crate) fn fault_text(&self, fault: &Fault) -> String {
        match fault {
            Fault::Raise(class, message) => {
                let class = class.replace('/', ".");
                match message {
                    // The message of a missing class is its internal name.
                    Some(message) if class == "java.lang.NoClassDefFoundError" => {
                        format!("{class}: {}", message.replace('/', "."))
                    }
                    Some(message) => format!("{class}: {message}"),
                    None => class,
                }
            }
            Fault::RaiseText(class, _) => class.replace('/', "."),
            Fault::Throw(exception) => self.exit_text(&Exit::Threw(*exception)),
            Fault::Stop(exit) => self.exit_text(exit),
            Fault::Yield | Fault::Again => "a thread waits".to_owned(),
            Fault::Collect => "memory is to be freed".to_owned(),
            Fault::Initialize(class) => {
                format!("{} is not initialized", self.binary_name(*class))
            }
            Fault::Call(method, _) | Fault::First(method, _) => {
                format!("{} is to be called", self.method_text(*method))
            }
        }
    }

    fn boot_class(&mut self, name: &str) -> Result<ClassId, String> {
        self.load_class(name).map_err(|error| {
            let fault = self.load_fault(error);
            self.fault_text(&fault)
        })
    }

    fn initialize_fully(&mut self, name: &str) -> Result<(), String> {
        let class = self.boot_class(name)?;
        self.run_initializers(class)
    }

    /// Initialises a class by running its initialisers to their end, as its first use does. They
    /// have a step limit of their own ([`INITIALIZER_STEPS`]), independent of
    /// [`Vm::limit_steps`].
    ///
    /// # Errors
    /// An initialiser fails, is refused or does not end. The state is unchanged then, and the
    /// next use of the class fails in the same way.
    pub fn initialize_now(&mut self, class: ClassId) -> Result<(), String> {
        if let Some(reason) = self.endless.get(&class) {
            return Err(reason.clone());
        }
        if self.heap.load(self.class(class).statics) == init::DONE {
            return Ok(());
        }
        let (left, before) = (self.steps_left(), self.steps);
        self.limit_steps(INITIALIZER_STEPS);
        let mark = self.mark();
        let read = self.initial_state();
        let result = self.run_initializers(class);
        self.keep_initial_reads(read);
        if let Err(reason) = &result {
            self.undo_to(mark);
            if self.steps - before >= INITIALIZER_STEPS {
                self.endless.insert(class, reason.clone());
            }
        }
        self.forget(mark);
        self.limit_steps(left);
        result
    }

    fn run_initializers(&mut self, class: ClassId) -> Result<(), String> {
        loop {
            match self.initialize(class) {
                Ok(()) => return Ok(()),
                Err(Fault::Initialize(next)) => {
                    let clinit = self.class(next).clinit.ok_or("no initialiser")?;
                    let statics = self.class(next).statics;
                    self.heap.store(statics, init::RUNNING);
                    self.call_fully(clinit, &[])?;
                    self.heap.store(statics, init::DONE);
                }
                Err(fault) => {
                    return Err(format!(
                        "{}: {}",
                        self.binary_name(class),
                        self.fault_text(&fault)
                    ));
                }
            }
        }
    }

    fn static_method(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, String> {
        self.method_named(class, name, descriptor)
            .map_err(|fault| self.fault_text(&fault))
    }

    /// Calls a method with concrete arguments and runs it to its end.
    ///
    /// # Errors
    /// The run ends other than by returning; the text says how and where.
    pub fn call_fully(&mut self, method: MethodId, arguments: &[u64]) -> Result<u64, String> {
        let exit = match self.call(method, arguments) {
            Ok(()) => self.run(&mut Plain),
            Err(exit) => exit,
        };
        match exit {
            Exit::Done(value) => Ok(value),
            other => {
                let mut text = format!("{}: {}", self.method_text(method), self.exit_text(&other));
                for place in self.running_at() {
                    text.push_str("\n    at ");
                    text.push_str(&place);
                }
                Err(text)
            }
        }
    }

    fn set_static(&mut self, class: &str, field: &str, value: u64) -> Result<(), String> {
        let id = self.boot_class(class)?;
        let at = self.find_field(id, field).map(|field| field.word);
        match at {
            Some(at) => {
                self.heap.store(at, value);
                Ok(())
            }
            None => Err(format!("{class} has no field {field}")),
        }
    }

    /// Loads the classes that the engine refers to, and creates the mirrors of all classes loaded
    /// so far.
    fn find_known(&mut self) -> Result<(), Fault> {
        let mut class = |name: &str| {
            self.load_class(name)
                .map_err(|error| self.load_fault(error))
        };
        let object = class("java/lang/Object")?;
        let class_class = class("java/lang/Class")?;
        let string = class("java/lang/String")?;
        let throwable = class("java/lang/Throwable")?;
        let cloneable = class("java/lang/Cloneable")?;
        let serializable = class("java/io/Serializable")?;
        let module = class("java/lang/Module")?;
        let (bytes, longs) = (class("[B")?, class("[J")?);
        let objects = class("[Ljava/lang/Object;")?;
        let strings = class("[Ljava/lang/String;")?;
        let classes = class("[Ljava/lang/Class;")?;
        // One field more than declared: the number of the class that a mirror represents.
        let mirror = &mut self.classes[class_class.0 as usize];
        let mirror_id = mirror.instance_words;
        mirror.instance_words += 1;
        self.known = Some(WellKnown {
            object,
            class: class_class,
            string,
            throwable,
            cloneable,
            serializable,
            bytes,
            longs,
            objects,
            strings,
            classes,
            string_value: self.word_of(string, "value")?,
            string_coder: self.word_of(string, "coder")?,
            throwable_message: self.word_of(throwable, "detailMessage")?,
            throwable_cause: self.word_of(throwable, "cause")?,
            throwable_trace: self.word_of(throwable, "stackTrace")?,
            throwable_suppressed: self.word_of(throwable, "suppressedExceptions")?,
            throwable_backtrace: self.word_of(throwable, "backtrace")?,
            throwable_depth: self.word_of(throwable, "depth")?,
            mirror_id,
        });
        let words = self.class(module).instance_words;
        self.module = self.heap.allocate(module, words, true)?;
        for index in 0..self.classes.len() {
            let class = ClassId(index as u32);
            if self.class(class).mirror.is_null() {
                self.make_mirror(class)?;
            }
            if let Some(file) = self.class(class).file.clone() {
                self.set_constants(class, &file)
                    .map_err(|error| self.load_fault(error))?;
            }
        }
        for kind in Kind::NEWARRAY.into_iter().chain([Kind::Void]) {
            self.primitive(kind);
        }
        Ok(())
    }

    /// Creates the class loader objects that programs see. They lack their machinery, because
    /// linking finds the classes.
    fn make_loaders(&mut self) -> Result<(), Fault> {
        const LOADERS: [(&str, &str); 2] = [
            (
                "platform",
                "jdk/internal/loader/ClassLoaders$PlatformClassLoader",
            ),
            ("app", "jdk/internal/loader/ClassLoaders$AppClassLoader"),
        ];
        let base = self
            .load_class("java/lang/ClassLoader")
            .map_err(|error| self.load_fault(error))?;
        self.name_module(self.module, "java.base")?;
        let module_loader = self.word_of(self.heap.class_of(self.module), "loader")?;
        let map = self
            .load_class("java/util/concurrent/ConcurrentHashMap")
            .map_err(|error| self.load_fault(error))?;
        let make = |vm: &mut Vm, class: ClassId| -> Result<Ref, Fault> {
            let words = vm.class(class).instance_words;
            Ok(vm.heap.allocate(class, words, true)?)
        };
        let mut parent = Ref::NULL;
        for (name, class) in LOADERS {
            let class = self
                .load_class(class)
                .map_err(|error| self.load_fault(error))?;
            let loader = make(self, class)?;
            let module = make(self, self.heap.class_of(self.module))?;
            self.heap.set_field(module, module_loader, loader.slot());
            let name = self.literal(&name.encode_utf16().collect::<Vec<_>>())?;
            // An empty map is all zeros.
            let packages = make(self, map)?;
            for (field, value) in [
                ("parent", parent),
                ("name", name),
                ("nameAndId", name),
                ("unnamedModule", module),
                ("packages", packages),
            ] {
                // Subclasses declare their own `parent` field.
                let word = self.word_of(base, field)?;
                self.heap.set_field(loader, word, value.slot());
            }
            parent = loader;
            self.app_module = module;
        }
        self.app_loader = parent;
        Ok(())
    }

    fn fill_unsafe_constants(&mut self) -> Result<(), String> {
        const CLASS: &str = "jdk/internal/misc/UnsafeConstants";
        self.initialize_fully(CLASS)?;
        self.set_static(CLASS, "ADDRESS_SIZE0", 8)?;
        self.set_static(CLASS, "PAGE_SIZE", 4096)?;
        self.set_static(CLASS, "BIG_ENDIAN", 0)?;
        self.set_static(CLASS, "UNALIGNED_ACCESS", 1)?;
        self.set_static(CLASS, "DATA_CACHE_LINE_FLUSH_SIZE", 0)
    }

    /// Creates the main thread and its group in the state in which the launcher leaves them.
    fn make_main_thread(&mut self) -> Result<(), String> {
        const GROUP: &str = "java/lang/ThreadGroup";
        self.initialize_fully(GROUP)?;
        self.initialize_fully("java/lang/Thread")?;
        let group_class = self.boot_class(GROUP)?;
        let thread_class = self.boot_class("java/lang/Thread")?;
        let allocate = |vm: &mut Vm, class: ClassId| {
            let words = vm.class(class).instance_words;
            vm.heap
                .allocate(class, words, true)
                .map_err(|_| "no memory for the main thread".to_owned())
        };
        let system = allocate(self, group_class)?;
        let constructor = self.static_method(GROUP, "<init>", "()V")?;
        self.call_fully(constructor, &[system.slot()])?;
        let thread = allocate(self, thread_class)?;
        self.main_thread = thread;
        let field = |vm: &Vm, class: ClassId, name: &str| {
            vm.find_field(class, name).map(|field| field.word)
        };
        // Only the thread's priority is read before its constructor has run.
        match field(self, thread_class, "holder") {
            Some(word) => {
                let holder_class = self.boot_class("java/lang/Thread$FieldHolder")?;
                let holder = allocate(self, holder_class)?;
                for (name, value) in [
                    ("priority", NORMAL_PRIORITY),
                    ("threadStatus", THREAD_RUNNABLE),
                ] {
                    if let Some(word) = field(self, holder_class, name) {
                        self.heap.set_field(holder, word, value);
                    }
                }
                if let Some(word) = field(self, holder_class, "group") {
                    self.heap.set_field(holder, word, system.slot());
                }
                self.heap.set_field(thread, word, holder.slot());
            }
            None => {
                for (name, value) in [
                    ("priority", NORMAL_PRIORITY),
                    ("threadStatus", THREAD_RUNNABLE),
                ] {
                    if let Some(word) = field(self, thread_class, name) {
                        self.heap.set_field(thread, word, value);
                    }
                }
                if let Some(word) = field(self, thread_class, "group") {
                    self.heap.set_field(thread, word, system.slot());
                }
            }
        }
        if let Some(word) = field(self, group_class, "maxPriority") {
            self.heap.set_field(system, word, MAX_PRIORITY);
        }
        let main_group = allocate(self, group_class)?;
        let name = self
            .literal(&"main".encode_utf16().collect::<Vec<_>>())
            .map_err(|fault| self.fault_text(&fault))?;
        let constructor = self.static_method(
            GROUP,
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
        )?;
        self.call_fully(
            constructor,
            &[main_group.slot(), system.slot(), name.slot()],
        )?;
        let constructor = self.static_method(
            "java/lang/Thread",
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
        )?;
        self.call_fully(
            constructor,
            &[thread.slot(), main_group.slot(), name.slot()],
        )?;
        for (name, value) in [("eetop", 1), ("threadStatus", THREAD_RUNNABLE)] {
            self.set_thread_field(thread, name, value)
                .map_err(|fault| self.fault_text(&fault))?;
        }
        if let Some(word) = field(self, thread_class, "contextClassLoader") {
            self.heap.set_field(thread, word, self.app_loader.slot());
        }
        Ok(())
    }
}

// Calls and initialisation outside of a search.
impl Vm {
    /// Returns the method that a class itself declares.
    #[must_use]
    pub fn declared_method(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodId> {
        let key = (self.names.get(name)?, self.names.get(descriptor)?);
        self.class(class).method_index.get(&key).copied()
    }

    /// Initialises the class of a static method, calls the method and runs it to its end.
    /// Initialisation and call have [`INITIALIZER_STEPS`] steps each.
    ///
    /// # Errors
    /// The run ends other than by returning; the text says how and where.
    pub fn call_static(&mut self, method: MethodId, arguments: &[u64]) -> Result<u64, String> {
        let class = self.method(method).class;
        let result = self.initialize_now(class).and_then(|()| {
            let left = self.steps_left();
            self.limit_steps(INITIALIZER_STEPS);
            let result = self.call_fully(method, arguments);
            self.limit_steps(left);
            result
        });
        if result.is_err() {
            self.abandon();
        }
        result
    }

    /// Returns the box that `valueOf` makes of a primitive slot.
    ///
    /// # Errors
    /// The library fails to make it.
    pub fn boxed(&mut self, kind: Kind, slot: u64) -> Result<Ref, String> {
        let class = kind.box_class();
        let value_of = self.static_method(
            class,
            "valueOf",
            &format!("({})L{class};", kind.descriptor()),
        )?;
        self.call_static(value_of, &[slot, 0]).map(Ref::from_slot)
    }
}
