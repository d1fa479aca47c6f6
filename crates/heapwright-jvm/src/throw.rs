//! Exceptions raised by the engine, and stack traces.

use crate::class::{ClassId, Code, Loader, MethodId, Shape, flags};
use crate::heap::Ref;
use crate::link::LoadError;
use crate::state::Frame;
use crate::vm::{Exit, Fault, Vm};

/// Maximum number of frames in a stack trace, as HotSpot's `MaxJavaStackTraceDepth`.
const MAX_TRACE: usize = 1024;
/// Position of a native method's frame in a backtrace.
pub(crate) const NATIVE_PC: u32 = u32::MAX;
/// `StackTraceElement`'s line number of a native method.
const NATIVE_LINE: i32 = -2;

impl Vm {
    /// Creates an exception of a JDK class as its constructor with a message would.
    pub(crate) fn new_exception(
        &mut self,
        class: &'static str,
        message: Option<&str>,
    ) -> Result<Ref, Fault> {
        let class = self
            .load_class(class)
            .map_err(|error| match self.load_fault(error) {
                Fault::Raise(class, message) => {
                    Fault::unsupported(format!("{class}: {}", message.unwrap_or_default()))
                }
                other => other,
            })?;
        self.initialize(class)?;
        let exception = self.new_throwable(class)?;
        // Enables a helpful message, as one call of `fillInStackTrace` does, unless the exception
        // comes from a hidden frame.
        let hidden = self
            .frames()
            .last()
            .is_none_or(|frame| self.is_hidden(frame.method));
        if !hidden
            && let Some(state) = self
                .find_field(class, "extendedMessageState")
                .map(|field| field.word)
        {
            self.heap.set_field(exception, state, 1);
        }
        if let Some(message) = message {
            let message = self.new_string(message)?;
            let word = self.known().throwable_message;
            self.heap.set_field(exception, word, message.slot());
        }
        Ok(exception)
    }

    /// Creates a throwable with a stack trace and the fields that `Throwable`'s own initialisers
    /// set.
    fn new_throwable(&mut self, class: ClassId) -> Result<Ref, Fault> {
        let known = *self.known();
        let words = self.class(class).instance_words;
        let exception = self.heap.allocate(class, words, false)?;
        self.heap
            .set_field(exception, known.throwable_cause, exception.slot());
        for (field, constant) in [
            (known.throwable_trace, "UNASSIGNED_STACK"),
            (known.throwable_suppressed, "SUPPRESSED_SENTINEL"),
        ] {
            let at = self
                .find_field(known.throwable, constant)
                .map(|field| field.word);
            if let Some(at) = at {
                let value = self.heap.load(at);
                self.heap.set_field(exception, field, value);
            }
        }
        self.fill_stack_trace(exception)?;
        Ok(exception)
    }

    /// Throws a native's exception from a frame of the native method, which a real machine has.
    /// Such an exception never has a helpful message.
    #[cold]
    pub(crate) fn fault_in_native(&mut self, method: MethodId, fault: Fault) -> Fault {
        let Fault::Raise(class, message) = fault else {
            return fault;
        };
        let exception = match self.new_exception(class, message.as_deref()) {
            Ok(exception) => exception,
            Err(fault) => return fault,
        };
        if self.is_hidden(method) {
            return Fault::Throw(exception);
        }
        let known = *self.known();
        let old = Ref::from_slot(self.heap.field(exception, known.throwable_backtrace));
        let kept = self.heap.array_length(old).min(MAX_TRACE as u32 - 1);
        let array = match self.heap.allocate_array(known.longs, kept + 1, 8, false) {
            Ok(array) => array,
            Err(full) => return full.into(),
        };
        let (from, to) = (self.heap.elements(old), self.heap.elements(array));
        self.heap.store(
            (to >> 3) as u32,
            u64::from(method.0) << 32 | u64::from(NATIVE_PC),
        );
        self.heap.copy_bytes(from, to + 8, 8 * u64::from(kept));
        self.heap
            .set_field(exception, known.throwable_backtrace, array.slot());
        self.heap
            .set_field(exception, known.throwable_depth, u64::from(kept) + 1);
        Fault::Throw(exception)
    }

    /// Text for a `NullPointerException` without a message, if the machine raised it.
    #[must_use]
    pub fn extended_message(&self, exception: Ref) -> Option<String> {
        let backtrace =
            Ref::from_slot(self.heap.field(exception, self.known().throwable_backtrace));
        if backtrace.is_null() || self.heap.array_length(backtrace) == 0 {
            return None;
        }
        let entry = self.heap.load((self.heap.elements(backtrace) >> 3) as u32);
        let (method, pc) = (MethodId((entry >> 32) as u32), entry as u32);
        if pc == NATIVE_PC {
            return None;
        }
        self.helpful_message(method, self.bytecode_index(method, pc))
    }

    /// Exception for the users of a class whose initialiser throws `exception` (JVMS §5.5, step
    /// 11).
    pub(crate) fn initializer_error(&mut self, exception: Ref) -> Result<Ref, Fault> {
        let error = self
            .load_class("java/lang/Error")
            .map_err(|error| self.load_fault(error))?;
        if self.is_subclass(self.heap.class_of(exception), error) {
            return Ok(exception);
        }
        let class = self
            .load_class("java/lang/ExceptionInInitializerError")
            .map_err(|error| self.load_fault(error))?;
        let wrapper = self.new_throwable(class)?;
        let cause = self.known().throwable_cause;
        self.heap.set_field(wrapper, cause, exception.slot());
        Ok(wrapper)
    }

    /// Exception that later users of the class get as the cause: as in HotSpot, with the original
    /// exception as text, and its frames. An open text is refused: it would have to become a part of
    /// another one.
    pub(crate) fn initialization_cause(&mut self, exception: Ref) -> Result<Ref, Fault> {
        let message = self.heap.field(exception, self.known().throwable_message);
        if message != 0 && !self.has_known_text(message) {
            let what = "an open message of an exception out of a class initialiser".to_owned();
            return Err(Fault::Stop(Box::new(Exit::Unsupported(what))));
        }
        let message = format!(
            "Exception {} [in thread \"main\"]",
            self.exception_text(exception)
        );
        let class = self
            .load_class("java/lang/ExceptionInInitializerError")
            .map_err(|error| self.load_fault(error))?;
        let cause = self.new_throwable(class)?;
        let message = self.new_string(&message)?;
        let known = *self.known();
        self.heap
            .set_field(cause, known.throwable_message, message.slot());
        for field in [known.throwable_backtrace, known.throwable_depth] {
            let value = self.heap.field(exception, field);
            self.heap.set_field(cause, field, value);
        }
        Ok(cause)
    }

    /// Error for the use of a class whose initialiser has failed.
    pub(crate) fn failed_before(&mut self, class: ClassId, cause: Ref) -> Fault {
        self.note_failed_initializer(class);
        let message = format!("Could not initialize class {}", self.binary_name(class));
        match self.new_exception("java/lang/NoClassDefFoundError", Some(&message)) {
            Ok(error) => {
                if !cause.is_null() {
                    let field = self.known().throwable_cause;
                    self.heap.set_field(error, field, cause.slot());
                }
                Fault::Throw(error)
            }
            Err(fault) => fault,
        }
    }

    /// End of a run that an exception leaves. Where the class path lacks a class that the run needs,
    /// this says nothing of the program: the run is refused, except where the machine runs a program
    /// as `java` does.
    pub(crate) fn uncaught(&mut self, exception: Ref) -> Exit {
        if !self.is_launched
            && let Some((missing, by)) = self.missing_class(exception)
        {
            let needed = by.map_or(String::new(), |by| format!(", which {by} needs,"));
            return Exit::Unsupported(format!("{missing}{needed} is not on the class path"));
        }
        Exit::Threw(exception)
    }

    /// Class that the class path lacks, if an exception says so, and the class of the program that
    /// needs it, by their binary names.
    fn missing_class(&mut self, exception: Ref) -> Option<(String, Option<String>)> {
        let known = *self.known();
        let mut exception = exception;
        loop {
            let name = self.class_name(self.heap.class_of(exception));
            if !matches!(
                name,
                "java/lang/NoClassDefFoundError" | "java/lang/ExceptionInInitializerError"
            ) {
                return None;
            }
            let message = self.heap.field(exception, known.throwable_message);
            if message != 0 && self.has_known_text(message) {
                let missing = self.string_text(Ref::from_slot(message));
                let is_name = !missing.is_empty() && !missing.contains([' ', '.']);
                if is_name
                    && let Err(LoadError::NotFound(lacked)) = self.load_class(&missing)
                    && self.text(lacked) == missing
                {
                    let frames = self.trace_of(exception).into_iter();
                    let mut classes = frames.map(|(method, _)| self.method(method).class);
                    let by = classes.find(|&class| self.is_app_class(class));
                    let by = by.map(|class| self.binary_name(class));
                    return Some((missing.replace('/', "."), by));
                }
            }
            // An initialiser that failed is the cause of the errors behind it.
            let cause = self.heap.field(exception, known.throwable_cause);
            let cause = Ref::from_slot(cause);
            if cause.is_null() || cause == exception {
                return None;
            }
            exception = cause;
        }
    }

    /// Records the frames of the running code in a throwable, without those of its own
    /// constructors.
    pub(crate) fn fill_stack_trace(&mut self, exception: Ref) -> Result<(), Fault> {
        let known = *self.known();
        let class = self.heap.class_of(exception);
        let mut frames = self.state.frames.iter().rev().peekable();
        while frames
            .next_if(|frame| {
                let method = self.method(frame.method);
                self.text(method.name) == "fillInStackTrace"
                    && self.is_subclass(class, method.class)
            })
            .is_some()
        {}
        while frames
            .next_if(|frame| {
                let method = self.method(frame.method);
                self.text(method.name) == "<init>" && self.is_subclass(class, method.class)
            })
            .is_some()
        {}
        let trace: Vec<u64> = frames
            .filter_map(|frame| self.shown_as(frame))
            .take(MAX_TRACE)
            .map(|(method, pc)| u64::from(method.0) << 32 | u64::from(pc))
            .collect();
        let array = self
            .heap
            .allocate_array(known.longs, trace.len() as u32, 8, false)?;
        let start = self.heap.elements(array) >> 3;
        for (index, entry) in trace.iter().enumerate() {
            self.heap.store((start + index as u64) as u32, *entry);
        }
        self.heap
            .set_field(exception, known.throwable_backtrace, array.slot());
        self.heap
            .set_field(exception, known.throwable_depth, trace.len() as u64);
        Ok(())
    }

    /// Method and instruction of a frame in a stack trace; `None` for a frame that it omits. Code
    /// that runs in the place of a native method appears as that.
    pub(crate) fn shown_as(&self, frame: &Frame) -> Option<(MethodId, u32)> {
        match self.is_hidden(frame.method) {
            false => Some((frame.method, frame.pc)),
            true => {
                let native = self.native_callers.get(&frame.method);
                native.map(|&native| (native, NATIVE_PC))
            }
        }
    }

    /// Whether a method is generated and therefore omitted from stack traces.
    pub(crate) fn is_hidden(&self, method: MethodId) -> bool {
        self.method(method).index.is_none()
    }

    /// Bytecode index of a register instruction.
    pub(crate) fn bytecode_index(&self, method: MethodId, pc: u32) -> u16 {
        let method = self.method(method);
        match method.code {
            Code::Translated(entry) | Code::Intercepted { entry, .. } => method
                .origins
                .get(pc.wrapping_sub(entry) as usize)
                .copied()
                .unwrap_or(0),
            _ => 0,
        }
    }

    /// Source line of an instruction; -1 if the class file has none.
    #[must_use]
    pub fn line_number(&self, method: MethodId, pc: u32) -> i32 {
        self.line_at(method, self.bytecode_index(method, pc))
    }

    /// Source line of the instruction at an index of a method's bytecode; -1 if the class file has
    /// none.
    #[must_use]
    pub fn line_at(&self, method: MethodId, at: u16) -> i32 {
        let this = self.method(method);
        if this.is_native() {
            return NATIVE_LINE;
        }
        let Some(file) = &self.class(this.class).file else {
            return -1;
        };
        let Some(info) = this.code_info(file) else {
            return -1;
        };
        let mut best: Option<(u16, u16)> = None;
        for table in &info.lines {
            let bytes = table.of(&file.bytes);
            for entry in bytes.get(2..).unwrap_or_default().chunks_exact(4) {
                let start = u16::from_be_bytes([entry[0], entry[1]]);
                let line = u16::from_be_bytes([entry[2], entry[3]]);
                if start <= at && best.is_none_or(|(known, _)| start >= known) {
                    best = Some((start, line));
                }
            }
        }
        best.map_or(-1, |(_, line)| i32::from(line))
    }

    /// Name of a class's source file, if the class file has it.
    #[must_use]
    pub fn source_file(&self, class: ClassId) -> Option<String> {
        let file = self.class(class).file.as_ref()?;
        let name = file.info.source_file?;
        Some(self.text(name).to_owned())
    }

    /// `ClassCastException` with HotSpot's text.
    pub(crate) fn bad_cast(&self, actual: ClassId, target: ClassId) -> Fault {
        let (from, to) = (self.binary_name(actual), self.binary_name(target));
        let (home, target_home) = (self.home_of(actual), self.home_of(target));
        let place = if home == target_home {
            format!("{from} and {to} are in {home}")
        } else {
            format!("{from} is in {home}; {to} is in {target_home}")
        };
        Fault::raise(
            "java/lang/ClassCastException",
            format!("class {from} cannot be cast to class {to} ({place})"),
        )
    }

    /// Module and loader of a class, as worded in messages.
    fn home_of(&self, class: ClassId) -> String {
        let mut class = class;
        while let Shape::Array(element) = self.class(class).shape {
            class = element;
        }
        let this = self.class(class);
        match (&this.module, this.loader) {
            (Some(module), _) => format!("module {module} of loader 'bootstrap'"),
            (None, Loader::App) => "unnamed module of loader 'app'".to_owned(),
            (None, Loader::Boot) => "unnamed module of loader 'bootstrap'".to_owned(),
        }
    }

    /// Describes an exception by its class and message, without running any of its code; by its class
    /// alone if a part of the message is open.
    #[must_use]
    pub fn exception_text(&self, exception: Ref) -> String {
        let class = self.binary_name(self.heap.class_of(exception));
        let message = self.heap.field(exception, self.known().throwable_message);
        if message == 0 || !self.has_known_text(message) {
            class
        } else {
            format!("{class}: {}", self.string_text(Ref::from_slot(message)))
        }
    }

    /// Describes the end of a run, for messages.
    #[must_use]
    pub fn exit_text(&self, exit: &Exit) -> String {
        match exit {
            Exit::Done(_) => "it returned".to_owned(),
            Exit::Threw(exception) => {
                let mut text = self.exception_text(*exception);
                for (method, line) in self.trace_of(*exception).into_iter().take(8) {
                    text.push_str(&format!("\n    at {}:{line}", self.method_text(method)));
                }
                text
            }
            Exit::Aside(..) => "a call that was made aside has returned".to_owned(),
            Exit::Break => "the run has come to where it was to stop".to_owned(),
            Exit::Branch => "a condition is open".to_owned(),
            Exit::Symbolic(spot) => format!("the value at {spot:?} is open"),
            Exit::Choice(variable) => format!("choice {variable} is open"),
            Exit::Exited(status) => format!("the program exited with {status}"),
            Exit::Unsupported(what) => format!("unsupported: {what}"),
            Exit::InvalidClass(what) => format!("invalid class: {what}"),
            Exit::Deadlock(what) => format!("deadlock: {what}"),
            Exit::Limit(limit) => limit.to_string(),
            Exit::Pruned => "the run was not wanted further".to_owned(),
        }
    }

    /// Frames recorded in a throwable, innermost first, with their lines.
    #[must_use]
    pub fn trace_of(&self, exception: Ref) -> Vec<(MethodId, i32)> {
        self.recorded_frames(exception)
            .map(|(method, pc)| (method, self.line_number(method, pc)))
            .collect()
    }

    /// Frames recorded in a throwable, innermost first, with the bytecode indices of their
    /// instructions; `None` in a native method.
    #[must_use]
    pub fn trace_places_of(&self, exception: Ref) -> Vec<(MethodId, Option<u16>)> {
        self.recorded_frames(exception)
            .map(|(method, pc)| {
                let at = (pc != NATIVE_PC).then(|| self.bytecode_index(method, pc));
                (method, at)
            })
            .collect()
    }

    /// Frames recorded in a throwable, innermost first, with their instructions.
    fn recorded_frames(&self, exception: Ref) -> impl Iterator<Item = (MethodId, u32)> {
        let array = Ref::from_slot(self.heap.field(exception, self.known().throwable_backtrace));
        let (start, count) = match array.is_null() {
            true => (0, 0),
            false => {
                let start = (self.heap.elements(array) >> 3) as u32;
                (start, self.heap.array_length(array))
            }
        };
        (0..count).map(move |index| {
            let entry = self.heap.load(start + index);
            (MethodId((entry >> 32) as u32), entry as u32)
        })
    }

    /// Positions of the running frames, innermost first: `a.B.run(int):12`. Generated code is
    /// omitted.
    #[must_use]
    pub fn running_at(&self) -> Vec<String> {
        let line = |frame: &Frame| {
            format!(
                "{}:{}",
                self.method_text(frame.method),
                self.line_number(frame.method, frame.pc)
            )
        };
        self.frames()
            .iter()
            .rev()
            .filter(|frame| !self.is_hidden(frame.method))
            .map(line)
            .collect()
    }

    /// Whether a class is one of the program under test.
    #[must_use]
    pub fn is_app_class(&self, class: ClassId) -> bool {
        self.class(class).loader == Loader::App && self.class(class).flags & flags::SYNTHETIC == 0
    }

    /// Whether code that is compiled for the release of [`Config::published`](crate::Config::published)
    /// can name a class.
    #[must_use]
    pub fn is_class_published(&self, class: ClassId) -> bool {
        let name = self.class_name(class);
        self.class(class).loader != Loader::Boot
            || self.class(class).shape != Shape::Instance
            || self.config.published.has_class(name)
    }

    /// Whether code that is compiled for the release of [`Config::published`](crate::Config::published)
    /// can name a method or a constructor of a class, or one that the class inherits.
    #[must_use]
    pub fn is_published(&self, class: ClassId, method: MethodId) -> bool {
        let this = self.method(method);
        // A class of the program inherits what its superclass of the JDK has.
        let owner = match self.class(class).loader {
            Loader::Boot => class,
            _ => this.class,
        };
        let name = self.class_name(owner);
        let (member, descriptor) = (self.text(this.name), self.text(this.descriptor));
        self.class(owner).loader != Loader::Boot
            || name.starts_with('[')
            || self.config.published.has(name, member, descriptor)
    }
}
