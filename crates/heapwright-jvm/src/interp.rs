//! The interpreter: one loop over register code, written once for all machines.
//!
//! Invariant: the loop never calls itself. Whatever runs Java code (initialisers, what a native
//! calls) is a frame; whatever the loop cannot decide ends it before the instruction has had any
//! effect, so that the instruction can run again.

use crate::class::{ClassId, Code, MethodId, init};
use crate::descriptor::Kind;
use crate::heap::{Ref, UNSET_TAG};
use crate::instr::{Call, Instr};
use crate::machine::{Answer, Machine, is_symbolic, symbolic_slot};
use crate::natives::Args;
use crate::probes::Visit;
use crate::replaced;
use crate::state::{Frame, FrameKind};
use crate::symbolic::Step;
use crate::vm::{Exit, Fault, Limit, StaticSite, Vm};

/// What is in the registers of a new frame of a debug build: a slot of a term that no machine has, so
/// that whoever looks at a register that holds nothing is told.
const BLANK: u64 = symbolic_slot(u32::MAX >> 1);

/// The longest array HotSpot makes, whatever memory there is.
const MAX_ARRAY_LENGTH: u32 = i32::MAX as u32 - 2;

impl Vm {
    /// Prepares a call: the next [`Vm::run`] runs `method` on `arguments`, a slot for each word
    /// (a long or double is followed by a slot that does not matter).
    ///
    /// # Errors
    /// The method has no code that can be run.
    pub fn call(&mut self, method: MethodId, arguments: &[u64]) -> Result<(), Exit> {
        let base = self.free_register();
        match self.push_frame(method, base, FrameKind::Bottom, Some(arguments)) {
            Ok(()) => Ok(()),
            Err(Fault::Stop(exit)) => Err(*exit),
            Err(fault) => Err(Exit::Unsupported(format!(
                "{}: {}",
                self.method_text(method),
                self.fault_text(&fault)
            ))),
        }
    }

    /// Calls a static method before the instruction that is about to run, whose frame stays as it
    /// is: when it returns, the run stops with [`Exit::Aside`] and this number.
    ///
    /// # Errors
    /// The method has no code that can be run.
    pub fn call_aside(
        &mut self,
        method: MethodId,
        arguments: &[u64],
        number: u32,
    ) -> Result<(), Exit> {
        let base = self.free_register();
        match self.push_frame(method, base, FrameKind::Aside(number), Some(arguments)) {
            Ok(()) => Ok(()),
            Err(Fault::Stop(exit)) => Err(*exit),
            Err(fault) => Err(Exit::Unsupported(format!(
                "{}: {}",
                self.method_text(method),
                self.fault_text(&fault)
            ))),
        }
    }

    /// Drops all frames: what a run that did not end left. A class whose initialiser was among them is
    /// one that nobody has used.
    pub fn abandon(&mut self) {
        for index in 0..self.state.frames.len() {
            let frame = self.state.frames[index];
            if frame.kind == FrameKind::Initializer {
                let class = self.method(frame.method).class;
                let statics = self.class(class).statics;
                self.heap.store(statics, init::UNTOUCHED);
            }
        }
        self.drop_frames();
    }

    /// Drops all frames and nothing else.
    pub(crate) fn drop_frames(&mut self) {
        while self.state.frames.pop().is_some() {
            if self.state.frames.len().wrapping_sub(1) < self.state.untouched {
                self.save_frame();
            }
        }
    }

    /// The first register above the innermost frame.
    pub(crate) fn free_register(&self) -> u32 {
        self.state.frames.last().map_or(0, |frame| {
            frame.base + self.methods[frame.method.0 as usize].frame_words
        })
    }

    /// Makes a frame whose register 0 is `base`; its arguments are there, or are put there.
    pub(crate) fn push_frame(
        &mut self,
        method: MethodId,
        base: u32,
        kind: FrameKind,
        arguments: Option<&[u64]>,
    ) -> Result<(), Fault> {
        let entry = self.translated(method)?;
        if self.state.frames.len() >= self.config.max_frames as usize {
            return Err(Fault::Raise("java/lang/StackOverflowError", None));
        }
        let this = &self.methods[method.0 as usize];
        let end = (base + this.frame_words) as usize;
        if self.state.registers.len() < end {
            self.state
                .registers
                .resize(end.max(1024).next_power_of_two(), 0);
        }
        let is_static = this.is_static();
        let is_synchronized = this.flags & crate::class::flags::SYNCHRONIZED != 0;
        if let Some(arguments) = arguments {
            self.state.registers[base as usize..base as usize + arguments.len()]
                .copy_from_slice(arguments);
        }
        self.blank_registers(method, base);
        let mut monitor = Ref::NULL;
        if is_synchronized {
            monitor = if is_static {
                self.class(self.method(method).class).mirror
            } else {
                Ref::from_slot(self.state.registers[base as usize])
            };
            self.enter_monitor(monitor)?;
        }
        self.state.frames.push(Frame {
            method,
            pc: entry,
            base,
            monitor,
            kind,
        });
        Ok(())
    }

    /// In a debug build a frame starts with the same in all registers but its arguments, so that a
    /// hash of the state does not see what earlier frames left there.
    #[inline]
    fn blank_registers(&mut self, method: MethodId, base: u32) {
        if cfg!(debug_assertions) {
            let this = &self.methods[method.0 as usize];
            let registers = base + u32::from(this.argument_words)..base + this.frame_words;
            let registers = registers.start as usize..registers.end as usize;
            self.state.registers[registers].fill(BLANK);
        }
    }

    pub(crate) fn enter_monitor(&mut self, object: Ref) -> Result<(), Fault> {
        if self.heap.monitor_enter(object) {
            Ok(())
        } else {
            Err(Fault::Stop(Box::new(Exit::Limit(Limit::Monitor))))
        }
    }

    /// Ends the innermost frame; the one below is copied if it is older than the newest mark.
    #[inline(always)]
    pub(crate) fn pop_frame(&mut self) -> Frame {
        let frame = self.state.frames.pop().expect("a frame to end");
        if !frame.monitor.is_null() {
            self.heap.monitor_exit(frame.monitor);
        }
        if self.state.frames.len().wrapping_sub(1) < self.state.untouched {
            self.save_frame();
        }
        if cfg!(debug_assertions)
            && frame.kind == FrameKind::Call
            && let Some(caller) = self.state.frames.last()
        {
            // As in `blank_registers`: from the call's arguments up the caller has nothing left.
            let end = caller.base + self.methods[caller.method.0 as usize].frame_words;
            let registers = frame.base as usize..end.max(frame.base) as usize;
            self.state.registers[registers].fill(BLANK);
        }
        frame
    }

    /// Looks to it that a class is initialised (JVMS §5.5).
    pub(crate) fn initialize(&mut self, class: ClassId) -> Result<(), Fault> {
        let statics = self.class(class).statics;
        match self.heap.load(statics) {
            init::DONE | init::RUNNING => return Ok(()),
            failed if failed & init::FAILED == init::FAILED => {
                return Err(self.failed_before(class, Ref((failed >> 2) as u32)));
            }
            _ => {}
        }
        if !self.class(class).is_interface() {
            if let Some(above) = self.class(class).super_class {
                self.initialize(above)?;
            }
            // Of the superinterfaces, those that declare default methods.
            let mut interfaces = Vec::new();
            self.enumerate_interfaces(class, &mut interfaces);
            for interface in interfaces {
                if self.has_default_method(interface) {
                    self.initialize(interface)?;
                }
            }
        }
        self.initializations += 1;
        if self.class(class).clinit.is_none() {
            self.heap.store(statics, init::DONE);
            return Ok(());
        }
        Err(Fault::Initialize(class))
    }

    /// The superinterfaces of a class, its superclass's apart, in the order in which JVMS §5.5,
    /// step 7, takes them: as declared, each after those it extends.
    fn enumerate_interfaces(&self, class: ClassId, found: &mut Vec<ClassId>) {
        for &interface in &self.class(class).interfaces {
            if !found.contains(&interface) {
                self.enumerate_interfaces(interface, found);
                found.push(interface);
            }
        }
    }

    fn has_default_method(&self, interface: ClassId) -> bool {
        self.class(interface).methods.iter().any(|&method| {
            let method = self.method(method);
            !method.is_abstract() && !method.is_static()
        })
    }

    /// Whether a class needs no look any more before its use, now and after any going back.
    fn is_initialized_for_good(&self, class: ClassId) -> bool {
        let this = self.class(class);
        if self.heap.is_marked() {
            this.settled
        } else {
            self.heap.load(this.statics) == init::DONE
        }
    }

    /// Does what a fault asks for; the innermost frame says where to go on, unless the run ends.
    fn settle(&mut self, fault: Fault) -> Option<Exit> {
        let mut fault = fault;
        loop {
            let result = match fault {
                Fault::Stop(exit) if self.is_out_of_memory(&exit) => {
                    self.new_exception("java/lang/OutOfMemoryError", Some("Java heap space"))
                }
                Fault::Stop(exit) => return Some(*exit),
                Fault::Throw(exception) => return self.unwind(exception),
                Fault::Raise(class, message) => self.new_exception(class, message.as_deref()),
                Fault::RaiseText(class, slot) => self.new_exception(class, None).inspect(|&made| {
                    self.heap
                        .set_field(made, self.known().throwable_message, slot);
                }),
                Fault::Initialize(class) => {
                    let clinit = self
                        .class(class)
                        .clinit
                        .expect("a class with an initialiser");
                    let base = self.free_register();
                    match self.push_frame(clinit, base, FrameKind::Initializer, None) {
                        Ok(()) => {
                            let statics = self.class(class).statics;
                            self.heap.store(statics, init::RUNNING);
                            return None;
                        }
                        Err(fault) => Err(fault),
                    }
                }
                Fault::Call(method, arguments) => {
                    let frame = self.state.frames.last().expect("a calling frame");
                    let call = self.code[frame.pc as usize].call_register();
                    let base = frame.base + u32::from(call.expect("a call"));
                    let end = base as usize + arguments.len();
                    if self.state.registers.len() < end {
                        self.state.registers.resize(end.next_power_of_two(), 0);
                    }
                    match self.push_frame(method, base, FrameKind::Call, Some(&arguments)) {
                        Ok(()) => return None,
                        Err(fault) => Err(fault),
                    }
                }
            };
            match result {
                Ok(exception) => return self.unwind(exception),
                Err(next) => fault = next,
            }
        }
    }

    /// Whether a run ends for want of memory which, standing in for `java`, the program is to hear of.
    fn is_out_of_memory(&mut self, exit: &Exit) -> bool {
        self.config.as_java && *exit == Exit::Limit(Limit::Heap) && self.heap.yield_reserve()
    }

    /// Finds the handler of an exception (JVMS §2.10), ending frames on the way.
    fn unwind(&mut self, exception: Ref) -> Option<Exit> {
        let mut exception = exception;
        loop {
            let frame = *self.state.frames.last()?;
            let handler = match self.find_handler(&frame, exception) {
                Ok(handler) => handler,
                Err(exit) => return Some(exit),
            };
            if let Some((target, register)) = handler {
                self.state.registers[frame.base as usize + register as usize] = exception.slot();
                self.state.frames.last_mut()?.pc = target;
                let class = self.heap.class_of(exception);
                if self.class_name(class) == "java/lang/StackOverflowError" {
                    self.caught_overflows += 1;
                }
                // Of a method without probes none comes next in this frame.
                if self.probed.contains_key(&frame.method) {
                    let depth = self.state.frames.len() as u32;
                    self.thrown = Some((depth, self.heap.class_of(exception)));
                }
                return None;
            }
            self.pop_frame();
            match frame.kind {
                FrameKind::Call => {}
                FrameKind::Bottom => return Some(Exit::Threw(exception)),
                FrameKind::Aside(_) => {
                    let what = format!("an exception out of {}", self.method_text(frame.method));
                    return Some(Exit::Unsupported(what));
                }
                FrameKind::Initializer => {
                    let class = self.method(frame.method).class;
                    let statics = self.class(class).statics;
                    let cause = match self.initialization_cause(exception) {
                        Ok(cause) => cause,
                        Err(Fault::Stop(exit)) => return Some(*exit),
                        Err(_) => Ref::NULL,
                    };
                    self.heap
                        .store(statics, init::FAILED | u64::from(cause.0) << 2);
                    exception = match self.initializer_error(exception) {
                        Ok(error) => error,
                        Err(Fault::Stop(exit)) => return Some(*exit),
                        Err(_) => exception,
                    };
                }
            }
        }
    }

    /// The first handler of a frame that catches an exception: where it starts, and the register for the
    /// exception. A class that cannot be had, for a limit or because it is refused, ends the run.
    fn find_handler(&mut self, frame: &Frame, exception: Ref) -> Result<Option<(u32, u16)>, Exit> {
        let class = self.heap.class_of(exception);
        for index in 0..self.method(frame.method).handlers.len() {
            let handler = self.method(frame.method).handlers[index];
            if !(handler.start..handler.end).contains(&frame.pc) {
                continue;
            }
            let catches = handler.catch == 0 || {
                let Some(file) = self.class(self.method(frame.method).class).file.clone() else {
                    return Ok(None);
                };
                match self.pool_class(&file, handler.catch) {
                    Ok(caught) => self.is_subclass(class, caught),
                    Err(Fault::Stop(exit)) => return Err(*exit),
                    // A class that does not exist catches nothing.
                    Err(_) => false,
                }
            };
            if catches {
                return Ok(Some((handler.target, handler.register)));
            }
        }
        Ok(None)
    }

    /// Runs until the frame at the bottom ends or the run cannot go on.
    pub fn run<M: Machine>(&mut self, machine: &mut M) -> Exit {
        loop {
            match self.run_until_fault(machine) {
                Ok(exit) => return exit,
                Err(fault) => {
                    if let Some(exit) = self.settle(fault) {
                        return exit;
                    }
                }
            }
        }
    }

    /// The loop. On a fault the innermost frame's `pc` is the instruction that caused it.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    fn run_until_fault<M: Machine>(&mut self, machine: &mut M) -> Result<Exit, Fault> {
        let Some(frame) = self.state.frames.last() else {
            return Ok(Exit::Done(0));
        };
        let mut pc = frame.pc;
        let mut base = frame.base as usize;
        let mut fuel = self.step_limit.saturating_sub(self.steps);
        let fuel_at_start = fuel;

        macro_rules! leave {
            ($result:expr) => {{
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.pc = pc;
                }
                self.steps += fuel_at_start - fuel;
                return $result;
            }};
        }
        macro_rules! get {
            ($reg:expr) => {
                self.state.registers[base + $reg as usize]
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                self.state.registers[base + $reg as usize] = value;
            }};
        }
        macro_rules! set_int {
            ($reg:expr, $value:expr) => {
                set!($reg, u64::from($value as u32))
            };
        }
        macro_rules! set_float {
            ($reg:expr, $value:expr) => {
                set!($reg, u64::from(f32::to_bits($value)))
            };
        }
        macro_rules! set_double {
            ($reg:expr, $value:expr) => {
                set!($reg, f64::to_bits($value))
            };
        }
        macro_rules! raise {
            ($class:literal) => {
                leave!(Err(Fault::Raise(concat!("java/lang/", $class), None)))
            };
            ($class:literal, $message:expr) => {
                leave!(Err(Fault::Raise(
                    concat!("java/lang/", $class),
                    Some($message)
                )))
            };
        }
        // What may fault, with the frame saying where.
        macro_rules! attempt {
            ($call:expr) => {{
                self.state.frames.last_mut().expect("the running frame").pc = pc;
                match $call {
                    Ok(value) => value,
                    Err(fault) => leave!(Err(fault)),
                }
            }};
        }

        'run: loop {
            if fuel == 0 {
                leave!(Ok(Exit::Limit(Limit::Steps)));
            }
            fuel -= 1;
            if M::SYMBOLIC && pc == self.break_at {
                leave!(Ok(Exit::Break));
            }
            let instr = self.code[pc as usize];
            'symbolic: {
                // Once rewritten the instruction runs again, and counts once: whether it was rewritten
                // already, going back does not change.
                macro_rules! again {
                    () => {{
                        fuel += 1;
                        continue 'run;
                    }};
                }
                macro_rules! branch_if {
                    ($condition:expr, $to:expr) => {
                        if $condition {
                            pc = pc.wrapping_add_signed(i32::from($to));
                            continue 'run;
                        }
                    };
                }
                macro_rules! end_frame {
                    ($value:expr) => {{
                        let value: Option<u64> = $value;
                        let frame = self.pop_frame();
                        match frame.kind {
                            FrameKind::Call => {
                                if let Some(value) = value {
                                    self.state.registers[frame.base as usize] = value;
                                }
                                let caller = self.state.frames.last().expect("a caller");
                                pc = caller.pc + 1;
                                base = caller.base as usize;
                            }
                            FrameKind::Initializer => {
                                let class = self.method(frame.method).class;
                                let statics = self.class(class).statics;
                                self.heap.store(statics, init::DONE);
                                let caller = self.state.frames.last().expect("a caller");
                                pc = caller.pc;
                                base = caller.base as usize;
                            }
                            FrameKind::Bottom => {
                                self.steps += fuel_at_start - fuel;
                                return Ok(Exit::Done(value.unwrap_or(0)));
                            }
                            FrameKind::Aside(number) => {
                                self.steps += fuel_at_start - fuel;
                                return Ok(Exit::Aside(number, value.unwrap_or(0)));
                            }
                        }
                        continue 'run;
                    }};
                }
                // The slot of an operand; a symbolic one is dealt with below.
                macro_rules! operand {
                    ($reg:expr) => {{
                        let slot = get!($reg);
                        if M::SYMBOLIC && is_symbolic(slot) {
                            break 'symbolic;
                        }
                        slot
                    }};
                }
                // A long that looks symbolic is made a term of its own.
                macro_rules! set_long {
                    ($reg:expr, $value:expr) => {{
                        let mut value: u64 = $value;
                        if M::SYMBOLIC && is_symbolic(value) {
                            value = machine.wrap(value);
                        }
                        set!($reg, value);
                    }};
                }
                // Whether two references are the same; boxes made for terms are, by their values.
                macro_rules! same {
                    ($a:expr, $b:expr) => {{
                        let (a, b) = (operand!($a) as u32, operand!($b) as u32);
                        if M::SYMBOLIC && a != b && self.has_symbolic_box(Ref(a), Ref(b)) {
                            break 'symbolic;
                        }
                        a == b
                    }};
                }
                macro_rules! int {
                    ($reg:expr) => {
                        operand!($reg) as u32 as i32
                    };
                }
                macro_rules! long {
                    ($reg:expr) => {
                        operand!($reg) as i64
                    };
                }
                macro_rules! float {
                    ($reg:expr) => {
                        f32::from_bits(operand!($reg) as u32)
                    };
                }
                macro_rules! double {
                    ($reg:expr) => {
                        f64::from_bits(operand!($reg))
                    };
                }
                macro_rules! object {
                    ($reg:expr) => {{
                        let object = Ref::from_slot(operand!($reg));
                        if object.is_null() {
                            raise!("NullPointerException");
                        }
                        object
                    }};
                }
                // The byte address of an array element, its index checked.
                macro_rules! element {
            ($a:expr, $b:expr, $shift:expr, $use:ident) => {{
                let array = object!($a);
                let index = int!($b);
                if M::CHOOSES && !self.heap.array_shadow(array).is_null() {
                    element!(@$use array, index);
                }
                let length = self.heap.array_length(array);
                if index as u32 >= length {
                    raise!(
                        "ArrayIndexOutOfBoundsException",
                        format!("Index {index} out of bounds for length {length}")
                    );
                }
                self.heap.elements(array) + (u64::from(index as u32) << $shift)
            }};
            // As Korat: the element counts as read before its index is held against the length.
            (@load $array:expr, $index:expr) => {{
                if M::TOTAL && self.symbolic_length($array).is_some() {
                    break 'symbolic;
                }
                if let Some(variable) = self.unset_element($array, $index as u32) {
                    leave!(Ok(Exit::Choice(variable)));
                }
                if M::SYMBOLIC
                    && ($index as u32) < self.heap.array_length($array)
                    && self.symbolic_element($array, $index as u32).is_some()
                {
                    break 'symbolic;
                }
            }};
            (@look $array:expr, $index:expr) => {
                if M::TOTAL && self.symbolic_length($array).is_some() {
                    break 'symbolic;
                }
            };
            (@store $array:expr, $index:expr) => {
                if M::TOTAL && self.symbolic_length($array).is_some() {
                    break 'symbolic;
                }
                if ($index as u32) < self.heap.array_length($array) {
                    self.settle_element($array, $index as u32);
                }
            };
        }
                macro_rules! checked_slot {
                    ($word:expr) => {{
                        let word = $word;
                        let value = self.heap.load(word);
                        if M::CHOOSES
                            && (value >> 32) as u32 == UNSET_TAG
                            && self.is_unset(word, value as u32)
                        {
                            leave!(Ok(Exit::Choice(value as u32)));
                        }
                        value
                    }};
                }
                macro_rules! narrow_put {
                    ($a:expr, $b:expr, $word:expr, $type:ty) => {{
                        let object = object!($a);
                        let value = int!($b) as $type as i32;
                        self.heap
                            .set_field(object, u32::from($word), u64::from(value as u32));
                    }};
                }
                macro_rules! invoke {
                    ($a:expr, $method:expr) => {{
                        let mut method = $method;
                        if M::SYMBOLIC
                            && let Some(replaced) = self.methods[method.0 as usize].replaced
                        {
                            let first = base + $a as usize;
                            let called = self.call_replaced(machine, replaced, method, first);
                            machine.end_step();
                            match attempt!(called) {
                                replaced::Call::Done(value) => {
                                    set!($a, value);
                                    pc += 1;
                                    continue 'run;
                                }
                                replaced::Call::Plain => {}
                                replaced::Call::Instead(other) => method = other,
                                replaced::Call::Stop(exit) => leave!(Ok(exit)),
                            }
                        }
                        let this = &self.methods[method.0 as usize];
                        match this.code {
                            Code::Translated(entry)
                                if this.flags & crate::class::flags::SYNCHRONIZED == 0 =>
                            {
                                let new_base = base + $a as usize;
                                let end = new_base + this.frame_words as usize;
                                if self.state.frames.len() >= self.config.max_frames as usize {
                                    raise!("StackOverflowError");
                                }
                                if self.state.registers.len() < end {
                                    self.state
                                        .registers
                                        .resize(end.max(1024).next_power_of_two(), 0);
                                }
                                self.blank_registers(method, new_base as u32);
                                self.state.frames.last_mut().expect("the running frame").pc = pc;
                                self.state.frames.push(Frame {
                                    method,
                                    pc: entry,
                                    base: new_base as u32,
                                    monitor: Ref::NULL,
                                    kind: FrameKind::Call,
                                });
                                pc = entry;
                                base = new_base;
                                continue 'run;
                            }
                            Code::Native(native) => {
                                let result = this.result;
                                let words = usize::from(this.argument_words);
                                let at = base + $a as usize;
                                if self.state.registers.len() < at + words + 1 {
                                    self.state
                                        .registers
                                        .resize((at + words + 1).next_power_of_two(), 0);
                                }
                                self.state.frames.last_mut().expect("the running frame").pc = pc;
                                if M::SYMBOLIC
                                    && let Some(exit) = self.settle_native(machine, method, at)
                                {
                                    leave!(Ok(exit));
                                }
                                let value = match native(self, Args::new(at)) {
                                    Ok(value) => value,
                                    Err(fault) => leave!(Err(self.fault_in_native(method, fault))),
                                };
                                if matches!(result, Kind::Long | Kind::Double) {
                                    set_long!($a, value);
                                } else if result != Kind::Void {
                                    set!($a, value);
                                }
                            }
                            _ => {
                                attempt!(self.push_frame(
                                    method,
                                    base as u32 + u32::from($a),
                                    FrameKind::Call,
                                    None
                                ));
                                let frame = self.state.frames.last().expect("the frame just made");
                                pc = frame.pc;
                                base = frame.base as usize;
                                continue 'run;
                            }
                        }
                    }};
                }
                match instr {
                    Instr::Nop => {}
                    Instr::Probe { point } => {
                        if machine.watches(point) {
                            let mut operands = [0; 3];
                            let reads = self.code[pc as usize + 1].reads();
                            for (operand, register) in operands.iter_mut().zip(reads) {
                                *operand = get!(register);
                            }
                            if machine.watch(point, operands) == Answer::Open {
                                leave!(Ok(Exit::Branch));
                            }
                        }
                        let depth = self.state.frames.len() as u32;
                        let thrown = self.thrown.take().filter(|thrown| thrown.0 == depth);
                        let visit = Visit {
                            depth,
                            point,
                            thrown: thrown.map(|(_, class)| class),
                        };
                        if machine.visit(visit) == Answer::Known(false) {
                            leave!(Ok(Exit::Pruned));
                        }
                        self.state.visits.push(visit);
                    }
                    Instr::Move { d, a } => set!(d, get!(a)),
                    Instr::Int { d, value } => set_int!(d, value),
                    Instr::Wide { d, index } => set_long!(d, self.wide[index as usize]),
                    Instr::Object { d, object } => set!(d, u64::from(object)),
                    Instr::Literal { d, cell } => {
                        let mut string = self.heap.load(cell);
                        if string == 0 {
                            string = self.enter_literal(cell).slot();
                        }
                        set!(d, string);
                    }
                    Instr::LdcPending { d, index } => {
                        let value = attempt!(self.load_constant(pc, d, index));
                        set!(d, value);
                    }
                    // JVMS §6.5: int and long arithmetic wraps round; shift counts are masked.
                    Instr::IAdd { d, a, b } => set_int!(d, int!(a).wrapping_add(int!(b))),
                    Instr::ISub { d, a, b } => set_int!(d, int!(a).wrapping_sub(int!(b))),
                    Instr::IMul { d, a, b } => set_int!(d, int!(a).wrapping_mul(int!(b))),
                    Instr::IDiv { d, a, b } => {
                        if int!(b) == 0 {
                            raise!("ArithmeticException", "/ by zero".to_owned());
                        }
                        set_int!(d, int!(a).wrapping_div(int!(b)));
                    }
                    Instr::IRem { d, a, b } => {
                        if int!(b) == 0 {
                            raise!("ArithmeticException", "/ by zero".to_owned());
                        }
                        set_int!(d, int!(a).wrapping_rem(int!(b)));
                    }
                    Instr::INeg { d, a } => set_int!(d, int!(a).wrapping_neg()),
                    Instr::IShl { d, a, b } => set_int!(d, int!(a).wrapping_shl(int!(b) as u32)),
                    Instr::IShr { d, a, b } => set_int!(d, int!(a).wrapping_shr(int!(b) as u32)),
                    Instr::IUshr { d, a, b } => {
                        set_int!(d, (int!(a) as u32).wrapping_shr(int!(b) as u32))
                    }
                    Instr::IAnd { d, a, b } => set!(d, operand!(a) & operand!(b)),
                    Instr::IOr { d, a, b } => set!(d, operand!(a) | operand!(b)),
                    Instr::IXor { d, a, b } => set!(d, operand!(a) ^ operand!(b)),
                    Instr::IAddConst { d, a, value } => {
                        set_int!(d, int!(a).wrapping_add(i32::from(value)))
                    }
                    Instr::IMulConst { d, a, value } => {
                        set_int!(d, int!(a).wrapping_mul(i32::from(value)))
                    }
                    Instr::IAndConst { d, a, value } => set_int!(d, int!(a) & i32::from(value)),
                    Instr::IShlConst { d, a, value } => {
                        set_int!(d, int!(a).wrapping_shl(value as u32))
                    }
                    Instr::IShrConst { d, a, value } => {
                        set_int!(d, int!(a).wrapping_shr(value as u32))
                    }
                    Instr::IUshrConst { d, a, value } => {
                        set_int!(d, (int!(a) as u32).wrapping_shr(value as u32));
                    }
                    Instr::LAdd { d, a, b } => set_long!(d, long!(a).wrapping_add(long!(b)) as u64),
                    Instr::LSub { d, a, b } => set_long!(d, long!(a).wrapping_sub(long!(b)) as u64),
                    Instr::LMul { d, a, b } => set_long!(d, long!(a).wrapping_mul(long!(b)) as u64),
                    Instr::LDiv { d, a, b } => {
                        if long!(b) == 0 {
                            raise!("ArithmeticException", "/ by zero".to_owned());
                        }
                        set_long!(d, long!(a).wrapping_div(long!(b)) as u64);
                    }
                    Instr::LRem { d, a, b } => {
                        if long!(b) == 0 {
                            raise!("ArithmeticException", "/ by zero".to_owned());
                        }
                        set_long!(d, long!(a).wrapping_rem(long!(b)) as u64);
                    }
                    Instr::LNeg { d, a } => set_long!(d, long!(a).wrapping_neg() as u64),
                    Instr::LShl { d, a, b } => {
                        set_long!(d, long!(a).wrapping_shl(int!(b) as u32) as u64)
                    }
                    Instr::LShr { d, a, b } => {
                        set_long!(d, long!(a).wrapping_shr(int!(b) as u32) as u64)
                    }
                    Instr::LUshr { d, a, b } => {
                        set_long!(d, operand!(a).wrapping_shr(int!(b) as u32))
                    }
                    Instr::LAnd { d, a, b } => set_long!(d, operand!(a) & operand!(b)),
                    Instr::LOr { d, a, b } => set_long!(d, operand!(a) | operand!(b)),
                    Instr::LXor { d, a, b } => set_long!(d, operand!(a) ^ operand!(b)),
                    Instr::LCmp { d, a, b } => set_int!(d, long!(a).cmp(&long!(b)) as i32),
                    // IEEE 754 throughout; `%` is C's fmod, as §6.5.frem asks.
                    Instr::FAdd { d, a, b } => set_float!(d, float!(a) + float!(b)),
                    Instr::FSub { d, a, b } => set_float!(d, float!(a) - float!(b)),
                    Instr::FMul { d, a, b } => set_float!(d, float!(a) * float!(b)),
                    Instr::FDiv { d, a, b } => set_float!(d, float!(a) / float!(b)),
                    Instr::FRem { d, a, b } => set_float!(d, float!(a) % float!(b)),
                    Instr::FNeg { d, a } => set_float!(d, -float!(a)),
                    Instr::FCmpL { d, a, b } => {
                        set_int!(
                            d,
                            float!(a)
                                .partial_cmp(&float!(b))
                                .map_or(-1, |order| order as i32)
                        );
                    }
                    Instr::FCmpG { d, a, b } => {
                        set_int!(
                            d,
                            float!(a)
                                .partial_cmp(&float!(b))
                                .map_or(1, |order| order as i32)
                        );
                    }
                    Instr::DAdd { d, a, b } => set_double!(d, double!(a) + double!(b)),
                    Instr::DSub { d, a, b } => set_double!(d, double!(a) - double!(b)),
                    Instr::DMul { d, a, b } => set_double!(d, double!(a) * double!(b)),
                    Instr::DDiv { d, a, b } => set_double!(d, double!(a) / double!(b)),
                    Instr::DRem { d, a, b } => set_double!(d, double!(a) % double!(b)),
                    Instr::DNeg { d, a } => set_double!(d, -double!(a)),
                    Instr::DCmpL { d, a, b } => {
                        set_int!(
                            d,
                            double!(a)
                                .partial_cmp(&double!(b))
                                .map_or(-1, |order| order as i32)
                        );
                    }
                    Instr::DCmpG { d, a, b } => {
                        set_int!(
                            d,
                            double!(a)
                                .partial_cmp(&double!(b))
                                .map_or(1, |order| order as i32)
                        );
                    }
                    // Narrowing saturates and takes NaN to 0 (§6.5.d2i), as Rust's `as` does.
                    Instr::I2L { d, a } => set_long!(d, i64::from(int!(a)) as u64),
                    Instr::I2F { d, a } => set_float!(d, int!(a) as f32),
                    Instr::I2D { d, a } => set_double!(d, f64::from(int!(a))),
                    Instr::I2B { d, a } => set_int!(d, i32::from(int!(a) as i8)),
                    Instr::I2C { d, a } => set_int!(d, i32::from(int!(a) as u16)),
                    Instr::I2S { d, a } => set_int!(d, i32::from(int!(a) as i16)),
                    Instr::I2Z { d, a } => set_int!(d, int!(a) & 1),
                    Instr::L2I { d, a } => set_int!(d, long!(a) as i32),
                    Instr::L2F { d, a } => set_float!(d, long!(a) as f32),
                    Instr::L2D { d, a } => set_double!(d, long!(a) as f64),
                    Instr::F2I { d, a } => set_int!(d, float!(a) as i32),
                    Instr::F2L { d, a } => set_long!(d, float!(a) as i64 as u64),
                    Instr::F2D { d, a } => set_double!(d, f64::from(float!(a))),
                    Instr::D2I { d, a } => set_int!(d, double!(a) as i32),
                    Instr::D2L { d, a } => set_long!(d, double!(a) as i64 as u64),
                    Instr::D2F { d, a } => set_float!(d, double!(a) as f32),
                    Instr::Goto { to } => {
                        pc = pc.wrapping_add_signed(to);
                        continue 'run;
                    }
                    Instr::IfEq { a, to } => branch_if!(int!(a) == 0, to),
                    Instr::IfNe { a, to } => branch_if!(int!(a) != 0, to),
                    Instr::IfLt { a, to } => branch_if!(int!(a) < 0, to),
                    Instr::IfGe { a, to } => branch_if!(int!(a) >= 0, to),
                    Instr::IfGt { a, to } => branch_if!(int!(a) > 0, to),
                    Instr::IfLe { a, to } => branch_if!(int!(a) <= 0, to),
                    Instr::IfNull { a, to } => branch_if!(operand!(a) as u32 == 0, to),
                    Instr::IfNonNull { a, to } => branch_if!(operand!(a) as u32 != 0, to),
                    Instr::IfICmpEq { a, b, to } => branch_if!(int!(a) == int!(b), to),
                    Instr::IfICmpNe { a, b, to } => branch_if!(int!(a) != int!(b), to),
                    Instr::IfICmpLt { a, b, to } => branch_if!(int!(a) < int!(b), to),
                    Instr::IfICmpGe { a, b, to } => branch_if!(int!(a) >= int!(b), to),
                    Instr::IfICmpGt { a, b, to } => branch_if!(int!(a) > int!(b), to),
                    Instr::IfICmpLe { a, b, to } => branch_if!(int!(a) <= int!(b), to),
                    Instr::IfACmpEq { a, b, to } => branch_if!(same!(a, b), to),
                    Instr::IfACmpNe { a, b, to } => branch_if!(!same!(a, b), to),
                    Instr::IfConstEq { a, value, to } => {
                        branch_if!(int!(a) == i32::from(value), to)
                    }
                    Instr::IfConstNe { a, value, to } => {
                        branch_if!(int!(a) != i32::from(value), to)
                    }
                    Instr::IfConstLt { a, value, to } => branch_if!(int!(a) < i32::from(value), to),
                    Instr::IfConstGe { a, value, to } => {
                        branch_if!(int!(a) >= i32::from(value), to)
                    }
                    Instr::IfConstGt { a, value, to } => branch_if!(int!(a) > i32::from(value), to),
                    Instr::IfConstLe { a, value, to } => {
                        branch_if!(int!(a) <= i32::from(value), to)
                    }
                    Instr::Switch { a, table } => {
                        pc = pc.wrapping_add_signed(self.switches[table as usize].target(int!(a)));
                        continue 'run;
                    }
                    Instr::Jsr { d, to } => {
                        set!(d, u64::from(pc + 1));
                        pc = pc.wrapping_add_signed(to);
                        continue 'run;
                    }
                    Instr::JsrReturn { a } => {
                        pc = get!(a) as u32;
                        continue 'run;
                    }
                    Instr::ByteLoad { d, a, b } => {
                        let at = element!(a, b, 0, load);
                        set_int!(d, i32::from(self.heap.load8(at) as i8));
                    }
                    Instr::CharLoad { d, a, b } => {
                        let at = element!(a, b, 1, load);
                        set_int!(d, i32::from(self.heap.load16(at)));
                    }
                    Instr::ShortLoad { d, a, b } => {
                        let at = element!(a, b, 1, load);
                        set_int!(d, i32::from(self.heap.load16(at) as i16));
                    }
                    Instr::IntLoad { d, a, b } | Instr::RefLoad { d, a, b } => {
                        let at = element!(a, b, 2, load);
                        set!(d, u64::from(self.heap.load32(at)));
                    }
                    Instr::LongLoad { d, a, b } => {
                        let at = element!(a, b, 3, load);
                        set_long!(d, self.heap.load((at >> 3) as u32));
                    }
                    Instr::ByteStore { a, b, c } => {
                        let at = element!(a, b, 0, store);
                        // JVMS §6.5.bastore: of a boolean only the lowest bit.
                        let array = self.heap.class_of(Ref::from_slot(get!(a)));
                        let bits = if array == self.known().bytes { 0xFF } else { 1 };
                        self.heap.store8(at, operand!(c) as u8 & bits);
                    }
                    Instr::ShortStore { a, b, c } => {
                        let at = element!(a, b, 1, store);
                        self.heap.store16(at, operand!(c) as u16);
                    }
                    Instr::IntStore { a, b, c } => {
                        let at = element!(a, b, 2, store);
                        self.heap.store32(at, operand!(c) as u32);
                    }
                    Instr::LongStore { a, b, c } => {
                        let at = element!(a, b, 3, store);
                        self.heap.store((at >> 3) as u32, operand!(c));
                    }
                    Instr::RefStore { a, b, c } => {
                        let at = element!(a, b, 2, look);
                        let (array, value) = (Ref::from_slot(get!(a)), Ref::from_slot(operand!(c)));
                        attempt!(self.check_store(array, value));
                        if M::CHOOSES {
                            self.settle_element(array, get!(b) as u32);
                        }
                        self.heap.store32(at, value.0);
                    }
                    Instr::ArrayLength { d, a } => {
                        let array = object!(a);
                        if M::CHOOSES
                            && let Some(variable) = self.unset_length(array)
                        {
                            leave!(Ok(Exit::Choice(variable)));
                        }
                        if M::TOTAL && self.symbolic_length(array).is_some() {
                            break 'symbolic;
                        }
                        set!(d, u64::from(self.heap.array_length(array)));
                    }
                    Instr::NewArray { d, class } => {
                        let length = int!(d);
                        let array = attempt!(self.new_array(ClassId(class), length));
                        set!(d, array.slot());
                    }
                    Instr::ANewArrayPending { d, index } => {
                        let class = attempt!(self.resolve_element_class(index));
                        self.code[pc as usize] = Instr::NewArray { d, class: class.0 };
                        again!();
                    }
                    Instr::MultiANewArray {
                        d,
                        index,
                        dimensions,
                    } => {
                        let from = base + d as usize;
                        let lengths = &self.state.registers[from..from + dimensions as usize];
                        if M::SYMBOLIC && lengths.iter().any(|&slot| is_symbolic(slot)) {
                            break 'symbolic;
                        }
                        let lengths: Vec<i32> =
                            lengths.iter().map(|&slot| slot as u32 as i32).collect();
                        let array = attempt!(self.new_multi_array(index, &lengths));
                        set!(d, array.slot());
                    }
                    Instr::NewPending { d, index } => {
                        let class = attempt!(self.resolve_new(index));
                        self.code[pc as usize] = Instr::NewChecked { d, class: class.0 };
                        again!();
                    }
                    Instr::NewChecked { d, class } => {
                        let class = ClassId(class);
                        attempt!(self.initialize(class));
                        if self.is_initialized_for_good(class) {
                            self.code[pc as usize] = Instr::New { d, class: class.0 };
                        }
                        let words = self.class(class).instance_words;
                        let object =
                            attempt!(self.heap.allocate(class, words, false).map_err(Fault::from));
                        set!(d, object.slot());
                    }
                    Instr::New { d, class } => {
                        let words = self.classes[class as usize].instance_words;
                        let object = attempt!(
                            self.heap
                                .allocate(ClassId(class), words, false)
                                .map_err(Fault::from)
                        );
                        set!(d, object.slot());
                    }
                    Instr::GetFieldPending { d, a, index } => {
                        let field = attempt!(self.resolve_instance_field(index));
                        self.code[pc as usize] = Instr::GetField {
                            d,
                            a,
                            word: field.0,
                        };
                        again!();
                    }
                    Instr::GetField { d, a, word } => {
                        let object = object!(a);
                        let value = checked_slot!(object.0 + u32::from(word));
                        set!(d, value);
                    }
                    Instr::PutFieldPending { a, b, index } => {
                        let (word, kind) = attempt!(self.resolve_instance_field(index));
                        self.code[pc as usize] = match kind {
                            Kind::Boolean => Instr::PutFieldBoolean { a, b, word },
                            Kind::Byte => Instr::PutFieldByte { a, b, word },
                            Kind::Char => Instr::PutFieldChar { a, b, word },
                            Kind::Short => Instr::PutFieldShort { a, b, word },
                            _ => Instr::PutField { a, b, word },
                        };
                        again!();
                    }
                    Instr::PutField { a, b, word } => {
                        let object = object!(a);
                        self.heap.set_field(object, u32::from(word), get!(b));
                    }
                    Instr::PutFieldBoolean { a, b, word } => {
                        let object = object!(a);
                        self.heap
                            .set_field(object, u32::from(word), operand!(b) & 1);
                    }
                    Instr::PutFieldByte { a, b, word } => narrow_put!(a, b, word, i8),
                    Instr::PutFieldChar { a, b, word } => narrow_put!(a, b, word, u16),
                    Instr::PutFieldShort { a, b, word } => narrow_put!(a, b, word, i16),
                    Instr::GetStaticPending { d, index } => {
                        let site = attempt!(self.resolve_static(index, false));
                        self.code[pc as usize] = Instr::GetStaticChecked { d, site };
                        again!();
                    }
                    Instr::PutStaticPending { a, index } => {
                        let site = attempt!(self.resolve_static(index, true));
                        self.code[pc as usize] = Instr::PutStaticChecked { a, site };
                        again!();
                    }
                    Instr::GetStaticChecked { d, site } => {
                        let StaticSite { class, at, .. } = self.static_sites[site as usize];
                        attempt!(self.initialize(class));
                        if self.is_initialized_for_good(class) {
                            self.code[pc as usize] = Instr::GetStatic { d, at };
                        }
                        let value = checked_slot!(at);
                        set!(d, value);
                    }
                    Instr::PutStaticChecked { a, site } => {
                        let StaticSite { class, at, kind } = self.static_sites[site as usize];
                        attempt!(self.initialize(class));
                        let value = get!(a);
                        let is_narrow =
                            matches!(kind, Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short);
                        if M::SYMBOLIC && is_narrow && is_symbolic(value) {
                            break 'symbolic;
                        }
                        let int = value as u32 as i32;
                        let narrowed = match kind {
                            Kind::Boolean => Some(int & 1),
                            Kind::Byte => Some(i32::from(int as i8)),
                            Kind::Char => Some(i32::from(int as u16)),
                            Kind::Short => Some(i32::from(int as i16)),
                            _ => None,
                        };
                        if narrowed.is_none() && self.is_initialized_for_good(class) {
                            self.code[pc as usize] = Instr::PutStatic { a, at };
                        }
                        self.heap
                            .store(at, narrowed.map_or(value, |int| u64::from(int as u32)));
                    }
                    Instr::GetStatic { d, at } => {
                        let value = checked_slot!(at);
                        set!(d, value);
                    }
                    Instr::PutStatic { a, at } => self.heap.store(at, get!(a)),
                    Instr::CheckCastPending { a, index } => {
                        if get!(a) != 0 {
                            let class = attempt!(self.resolve_class(index));
                            self.code[pc as usize] = Instr::CheckCast { a, class: class.0 };
                            again!();
                        }
                    }
                    Instr::CheckCast { a, class } => {
                        let object = Ref::from_slot(operand!(a));
                        if !object.is_null() {
                            let actual = self.heap.class_of(object);
                            if actual.0 != class && !self.is_subclass(actual, ClassId(class)) {
                                leave!(Err(self.bad_cast(actual, ClassId(class))));
                            }
                        }
                    }
                    Instr::InstanceOfPending { d, index } => {
                        if get!(d) == 0 {
                            set!(d, 0);
                        } else {
                            let class = attempt!(self.resolve_class(index));
                            self.code[pc as usize] = Instr::InstanceOf { d, class: class.0 };
                            again!();
                        }
                    }
                    Instr::InstanceOf { d, class } => {
                        let object = Ref::from_slot(operand!(d));
                        let is = !object.is_null()
                            && self.is_subclass(self.heap.class_of(object), ClassId(class));
                        set!(d, u64::from(is));
                    }
                    Instr::MonitorEnter { a } => {
                        let object = object!(a);
                        attempt!(self.enter_monitor(object));
                    }
                    Instr::MonitorExit { a } => {
                        let object = object!(a);
                        if !self.heap.monitor_exit(object) {
                            raise!(
                                "IllegalMonitorStateException",
                                "current thread is not owner".to_owned()
                            );
                        }
                    }
                    Instr::InvokePending { a, index, call } => {
                        let instr = attempt!(self.resolve_call(a, index, call));
                        self.code[pc as usize] = instr;
                        again!();
                    }
                    Instr::InvokeStaticChecked { a, method } => {
                        let method = MethodId(method);
                        let class = self.method(method).class;
                        attempt!(self.initialize(class));
                        if self.is_initialized_for_good(class) {
                            self.code[pc as usize] = Instr::InvokeStatic {
                                a,
                                method: method.0,
                            };
                        }
                        invoke!(a, method);
                    }
                    Instr::InvokeStatic { a, method } => invoke!(a, MethodId(method)),
                    Instr::InvokeSpecial { a, method } => {
                        let _ = object!(a);
                        invoke!(a, MethodId(method));
                    }
                    Instr::InvokeVirtual { a, method } => {
                        let object = object!(a);
                        let class = self.heap.class_of(object);
                        let index = self.methods[method as usize]
                            .vtable_index
                            .expect("a virtual method");
                        let selected = self.classes[class.0 as usize].vtable[index as usize];
                        invoke!(a, selected);
                    }
                    Instr::InvokeInterface { a, method } => {
                        let object = object!(a);
                        let class = self.heap.class_of(object);
                        let cached = self.interface_cache[interface_slot(class, method)];
                        let selected = if cached.0 == class && cached.1.0 == method {
                            cached.2
                        } else {
                            attempt!(self.select_interface(class, MethodId(method)))
                        };
                        invoke!(a, selected);
                    }
                    Instr::ReturnVoid => end_frame!(None),
                    Instr::Return { a } => {
                        let value = get!(a);
                        end_frame!(Some(value));
                    }
                    Instr::Throw { a } => {
                        let exception = object!(a);
                        leave!(Err(Fault::Throw(exception)));
                    }
                    Instr::Unreachable => raise!("IncompatibleClassChangeError"),
                }
                pc += 1;
                continue 'run;
            }
            let stepped = self.symbolic_step(machine, instr, base);
            machine.end_step();
            match attempt!(stepped) {
                Step::Next => pc += 1,
                Step::Jump(to) => pc = pc.wrapping_add_signed(to),
                Step::Again => fuel += 1,
                Step::Call(method) => {
                    let first = instr.call_register().expect("a call");
                    let at = base as u32 + u32::from(first);
                    attempt!(self.push_frame(method, at, FrameKind::Call, None));
                    let frame = self.state.frames.last().expect("the frame just made");
                    pc = frame.pc;
                    base = frame.base as usize;
                }
                Step::Stop(exit) => leave!(Ok(exit)),
            }
        }
    }
}

/// Where the cache of interface calls keeps what a method comes to on a class.
#[inline(always)]
pub(crate) fn interface_slot(class: ClassId, method: u32) -> usize {
    (class.0.wrapping_mul(31) ^ method) as usize % INTERFACE_CACHE
}

/// Entries of the cache of interface calls.
pub(crate) const INTERFACE_CACHE: usize = 1024;

// Kept out of the loop: what happens once an instruction.
impl Vm {
    fn running_file(&self) -> Result<std::rc::Rc<crate::class::LoadedFile>, Fault> {
        let frame = self.state.frames.last().expect("the running frame");
        let class = self.method(frame.method).class;
        self.class(class)
            .file
            .clone()
            .ok_or_else(|| Fault::unsupported("code without a class file"))
    }

    fn resolve_class(&mut self, index: u16) -> Result<ClassId, Fault> {
        let file = self.running_file()?;
        self.pool_class(&file, index)
    }

    fn resolve_element_class(&mut self, index: u16) -> Result<ClassId, Fault> {
        let element = self.resolve_class(index)?;
        self.array_of(element)
            .map_err(|error| self.load_fault(error))
    }

    fn resolve_new(&mut self, index: u16) -> Result<ClassId, Fault> {
        let class = self.resolve_class(index)?;
        if self.class(class).is_abstract() {
            return Err(Fault::raise(
                "java/lang/InstantiationError",
                self.binary_name(class),
            ));
        }
        Ok(class)
    }

    fn resolve_instance_field(&mut self, index: u16) -> Result<(u16, Kind), Fault> {
        let file = self.running_file()?;
        let field = self.pool_field(&file, index)?;
        if field.is_static() {
            return Err(self.wrong_field(&field, "non-static"));
        }
        let word = u16::try_from(field.word).map_err(|_| {
            Fault::unsupported(format!(
                "{} has too many fields",
                self.binary_name(field.class)
            ))
        })?;
        Ok((word, field.kind))
    }

    fn wrong_field(&self, field: &crate::class::Field, expected: &str) -> Fault {
        Fault::raise(
            "java/lang/IncompatibleClassChangeError",
            format!(
                "Expected {expected} field {}.{}",
                self.binary_name(field.class),
                self.text(field.name)
            ),
        )
    }

    fn resolve_static(&mut self, index: u16, is_put: bool) -> Result<u32, Fault> {
        let file = self.running_file()?;
        let field = self.pool_field(&file, index)?;
        if !field.is_static() {
            return Err(self.wrong_field(&field, "static"));
        }
        if !is_put
            && field.flags & crate::class::flags::FINAL == 0
            && self.is_app_class(field.class)
        {
            let name = format!(
                "{}.{}",
                self.binary_name(field.class),
                self.text(field.name)
            );
            self.config.seen.add_static_field(name);
        }
        self.static_sites.push(StaticSite {
            class: field.class,
            at: field.word,
            kind: field.kind,
        });
        Ok(self.static_sites.len() as u32 - 1)
    }

    fn resolve_call(&mut self, a: u16, index: u16, call: Call) -> Result<Instr, Fault> {
        let file = self.running_file()?;
        if call == Call::Dynamic {
            return self.link_call_site(&file, a, index);
        }
        let (named, method) = match self.link_polymorphic(&file, a, index)? {
            Some(instr) => return Ok(instr),
            None => self.pool_method(&file, index)?,
        };
        let this = self.method(method);
        let is_static = this.is_static();
        if is_static != (call == Call::Static) {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!(
                    "Expected {} method '{}'",
                    if call == Call::Static {
                        "static"
                    } else {
                        "non-static"
                    },
                    self.method_text(method)
                ),
            ));
        }
        let id = method.0;
        let bound =
            this.flags & crate::class::flags::PRIVATE != 0 || self.text(this.name) == "<init>";
        Ok(match call {
            Call::Static => Instr::InvokeStaticChecked { a, method: id },
            Call::Special => Instr::InvokeSpecial {
                a,
                method: self.select_special(named, method)?.0,
            },
            _ if bound => Instr::InvokeSpecial { a, method: id },
            _ if this.vtable_index.is_some() => Instr::InvokeVirtual { a, method: id },
            _ => Instr::InvokeInterface { a, method: id },
        })
    }

    /// JVMS §6.5.invokespecial: a call of a superclass's method starts at the direct superclass.
    fn select_special(&mut self, named: ClassId, method: MethodId) -> Result<MethodId, Fault> {
        let frame = self.state.frames.last().expect("the running frame");
        let current = self.method(frame.method).class;
        let this = self.method(method);
        let (name, descriptor) = (this.name, this.descriptor);
        let is_super_call = self.text(name) != "<init>"
            && !self.class(named).is_interface()
            && named != current
            && self.is_subclass(current, named);
        let start = match self.class(current).super_class {
            Some(above) if is_super_call => above,
            _ => named,
        };
        let found = self
            .resolve_method(start, name, descriptor)
            .unwrap_or(method);
        if self.method(found).is_abstract() {
            return Err(self.abstract_method(current, found));
        }
        if self.method(found).is_static() {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!("Expected non-static method '{}'", self.method_text(found)),
            ));
        }
        Ok(found)
    }

    fn load_constant(&mut self, pc: u32, d: u16, index: u16) -> Result<u64, Fault> {
        use crate::classfile::Constant;
        let file = self.running_file()?;
        let object = match file.constant(index)? {
            Constant::Str(text) => {
                let units = file.utf16(text).ok_or_else(|| file.bad_constant(index))?;
                let cell = self.literal_cell(&units)?;
                let string = self.enter_literal(cell);
                self.code[pc as usize] = if self.heap.is_permanent(string) && !self.heap.is_marked()
                {
                    Instr::Object {
                        d,
                        object: string.0,
                    }
                } else {
                    Instr::Literal { d, cell }
                };
                return Ok(string.slot());
            }
            Constant::Class(_) => {
                let class = self.pool_class(&file, index)?;
                self.class(class).mirror
            }
            _ => return self.load_dynamic_constant(&file, index),
        };
        if self.heap.is_permanent(object) {
            self.code[pc as usize] = Instr::Object {
                d,
                object: object.0,
            };
        }
        Ok(object.slot())
    }

    pub(crate) fn check_store(&mut self, array: Ref, value: Ref) -> Result<(), Fault> {
        if value.is_null() {
            return Ok(());
        }
        let class = self.heap.class_of(value);
        let crate::class::Shape::Array(element) = self.class(self.heap.class_of(array)).shape
        else {
            return Err(Fault::unsupported("a store into what is no array"));
        };
        if class == element || self.is_subclass(class, element) {
            return Ok(());
        }
        Err(Fault::raise(
            "java/lang/ArrayStoreException",
            self.binary_name(class),
        ))
    }

    /// A new array of `length` elements.
    pub(crate) fn new_array(&mut self, class: ClassId, length: i32) -> Result<Ref, Fault> {
        let length = u32::try_from(length).map_err(|_| {
            Fault::raise("java/lang/NegativeArraySizeException", length.to_string())
        })?;
        if length > MAX_ARRAY_LENGTH && self.config.as_java {
            return Err(Fault::raise(
                "java/lang/OutOfMemoryError",
                "Requested array size exceeds VM limit",
            ));
        }
        let bytes = self.element_kind(class).element_bytes();
        Ok(self.heap.allocate_array(class, length, bytes, false)?)
    }

    fn new_multi_array(&mut self, index: u16, lengths: &[i32]) -> Result<Ref, Fault> {
        let class = self.resolve_class(index)?;
        if let Some(length) = lengths.iter().find(|&&length| length < 0) {
            return Err(Fault::raise(
                "java/lang/NegativeArraySizeException",
                length.to_string(),
            ));
        }
        self.fill_multi_array(class, lengths)
    }

    pub(crate) fn fill_multi_array(
        &mut self,
        class: ClassId,
        lengths: &[i32],
    ) -> Result<Ref, Fault> {
        let array = self.new_array(class, lengths[0])?;
        if lengths.len() > 1 {
            let crate::class::Shape::Array(element) = self.class(class).shape else {
                return Err(Fault::unsupported(
                    "an array of more dimensions than its class",
                ));
            };
            if !matches!(self.class(element).shape, crate::class::Shape::Array(_)) {
                return Err(Fault::invalid("an array of more dimensions than its class"));
            }
            for index in 0..lengths[0] as u64 {
                let inner = self.fill_multi_array(element, &lengths[1..])?;
                self.heap
                    .store32(self.heap.elements(array) + 4 * index, inner.0);
            }
        }
        Ok(array)
    }
}
