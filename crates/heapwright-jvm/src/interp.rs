//! The interpreter: one loop over register code, written once for all machines.
//!
//! Invariant: the loop never calls itself. All Java code (initialisers, calls made by natives)
//! runs in frames. A condition that the loop cannot decide stops it before the instruction has
//! had any effect, so that the instruction can run again.

mod arithmetic;
mod arrays;
mod calls;
mod frames;
mod initialize;
mod resolve;
mod unwind;

use crate::chances::{Chance, SURE_FRAMES};
use crate::class::{ClassId, Code, MethodId, flags, init};
use crate::descriptor::Kind;
use crate::heap::{Ref, UNSET_TAG};
use crate::instr::{Instr, for_each_instr};
use crate::machine::{Comparison, ConditionTruth, Machine, Operation, is_symbolic};
use crate::natives::Args;
use crate::probes::ProbeVisit;
use crate::prologues::NotedCall;
use crate::replaced;
use crate::state::{Frame, FrameKind};
use crate::symbolic::SymbolicOutcome;
use crate::vm::{Exit, Fault, Limit, StaticSite, Vm};
use crate::writes::WrittenPlace;
use arithmetic::{
    compare, compute, evaluate, holds, identify, is_zero, may_divide_by_zero, narrowed, operate,
    second, with_operations,
};
use arrays::element;
use calls::{end_frame, invoke};

impl Vm {
    /// Runs until the bottom frame ends or the run has to stop.
    pub fn run<M: Machine>(&mut self, machine: &mut M) -> Exit {
        loop {
            let exit = match self.run_until_fault(machine) {
                Ok(exit) => exit,
                Err(fault) => match self.handle_fault(fault) {
                    Some(exit) => exit,
                    None => continue,
                },
            };
            if !self.state.threads.is_used() {
                return exit;
            }
            if let Some(exit) = self.after_turn(exit) {
                return exit;
            }
        }
    }

    /// The interpreter loop. On a fault, the innermost frame's `pc` is the instruction that
    /// caused it.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    fn run_until_fault<M: Machine>(&mut self, machine: &mut M) -> Result<Exit, Fault> {
        let Some(frame) = self.state.frames.last() else {
            return Ok(Exit::Done(0));
        };
        let mut pc = frame.pc;
        let mut base = frame.base as usize;
        let mut fuel = self
            .step_limit
            .min(self.turn_end)
            .saturating_sub(self.steps);
        let fuel_at_start = fuel;

        // Leaves the loop before the current instruction.
        macro_rules! leave {
            ($result:expr) => {{
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.pc = pc;
                }
                self.steps += fuel_at_start - fuel;
                return $result;
            }};
        }
        // Leaves the loop after the end of the bottom frame.
        macro_rules! end {
            ($result:expr) => {{
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
        // Evaluates an expression that may fault, after saving `pc` in the frame.
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
                // Continues at `pc`.
                macro_rules! next {
                    () => {
                        continue 'run
                    };
                }
                // Leaves the instruction to `symbolic_step`.
                macro_rules! defer {
                    () => {
                        break 'symbolic
                    };
                }
                // Runs a rewritten instruction again, counted as one step. The step count is
                // therefore independent of earlier rewriting, which going back does not undo.
                macro_rules! again {
                    () => {{
                        fuel += 1;
                        next!();
                    }};
                }
                macro_rules! branch_if {
                    ($condition:expr, $to:expr) => {
                        if $condition {
                            pc = pc.wrapping_add_signed(i32::from($to));
                            next!();
                        }
                    };
                }
                // Slot of an operand; a symbolic one is handled by `symbolic_step`.
                macro_rules! operand {
                    ($reg:expr) => {{
                        let slot = get!($reg);
                        if M::SYMBOLIC && is_symbolic(slot) {
                            defer!();
                        }
                        slot
                    }};
                }
                // Wraps a concrete long that looks like a symbolic slot in a term.
                macro_rules! set_long {
                    ($reg:expr, $value:expr) => {{
                        let mut value: u64 = $value;
                        if M::SYMBOLIC && is_symbolic(value) {
                            value = machine.wrap(value);
                        }
                        set!($reg, value);
                    }};
                }
                // Reference equality; boxes made for terms are compared by value, and what the run
                // was given may be the same object as another one.
                macro_rules! same {
                    ($a:expr, $b:expr) => {{
                        let (a, b) = (operand!($a) as u32, operand!($b) as u32);
                        if M::SYMBOLIC
                            && a != b
                            && (self.has_symbolic_box(Ref(a), Ref(b))
                                || self.has_given_value(machine, Ref(a), Ref(b)))
                        {
                            defer!();
                        }
                        if M::HAS_INPUTS && a != b && a != 0 && b != 0 {
                            self.note_held(machine, Ref(a), Ref(b));
                        }
                        a == b
                    }};
                }
                macro_rules! int {
                    ($reg:expr) => {
                        operand!($reg) as u32 as i32
                    };
                }
                // A reference, checked not to be null.
                macro_rules! object {
                    ($reg:expr) => {{
                        let object = Ref::from_slot(operand!($reg));
                        if object.is_null() {
                            raise!("NullPointerException");
                        }
                        object
                    }};
                }
                // Slot of an arena word, checked not to be unset.
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
                // Writes a field that is narrower than an int.
                // Notes a write for a search that merges states.
                macro_rules! note {
                    ($place:expr) => {
                        if M::TOTAL && self.notes_writes {
                            self.note_write($place);
                        }
                    };
                }
                macro_rules! note_element {
                    ($a:expr, $b:expr) => {
                        note!(WrittenPlace::Element(
                            Ref::from_slot(get!($a)),
                            get!($b) as u32
                        ))
                    };
                }
                macro_rules! put_narrow {
                    ($kind:expr, $a:expr, $b:expr, $word:expr) => {{
                        let object = object!($a);
                        let value = narrowed($kind, operand!($b));
                        note!(WrittenPlace::Field(object, u32::from($word)));
                        self.heap.set_field(object, u32::from($word), value);
                    }};
                }
                // Only a plain run collects.
                macro_rules! collect_if_due {
                    () => {
                        if !M::CHOOSES && !M::SYMBOLIC && self.heap.is_collection_due() {
                            leave!(Err(Fault::Collect));
                        }
                    };
                }
                macro_rules! call {
                    ($a:expr, $method:expr) => {
                        invoke!(self, machine, pc, base, $a, $method)
                    };
                }
                // Arms for arithmetic, conversions and branches are generated from the table.
                with_operations!(match instr {
                    Instr::Nop => {}
                    Instr::Probe { point } => {
                        if machine.watches(point) {
                            let mut operands = [0; 3];
                            let reads = self.code[pc as usize + 1].reads();
                            for (operand, register) in operands.iter_mut().zip(reads) {
                                *operand = get!(register);
                            }
                            if let Some(word) = machine.watched_variable(point) {
                                operands[2] = get!(word);
                            }
                            if machine.watch(point, operands) == ConditionTruth::Open {
                                leave!(Ok(Exit::Branch));
                            }
                        }
                        let depth = self.state.frames.len() as u32;
                        let thrown = self.thrown.take().filter(|thrown| thrown.0 == depth);
                        let visit = ProbeVisit {
                            depth: depth + self.state.threads.depth_offset(),
                            point,
                            thrown: thrown.map(|(_, class)| class),
                        };
                        if machine.visit(visit) == ConditionTruth::Known(false) {
                            leave!(Ok(Exit::Pruned));
                        }
                        if M::NOTES_VISITS {
                            self.state.visits.push(visit);
                        }
                    }
                    Instr::NoteCall { words } => {
                        if M::NOTES_VISITS {
                            let method = self.state.frames[self.state.frames.len() - 1].method;
                            let arguments = &self.state.registers[base..base + words as usize];
                            let arguments = arguments.into();
                            self.state.calls.push(NotedCall { method, arguments });
                            self.state.call_points.push(self.heap.point());
                        }
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
                    // Jumps.
                    Instr::Goto { to } => {
                        pc = pc.wrapping_add_signed(to);
                        next!();
                    }
                    Instr::Switch { a, table } => {
                        pc = pc.wrapping_add_signed(self.switches[table as usize].target(int!(a)));
                        next!();
                    }
                    Instr::Jsr { d, to } => {
                        set!(d, u64::from(pc + 1));
                        pc = pc.wrapping_add_signed(to);
                        next!();
                    }
                    Instr::JsrReturn { a } => {
                        pc = get!(a) as u32;
                        next!();
                    }
                    // Arrays.
                    Instr::ByteLoad { d, a, b } => {
                        let at = element!(self, a, b, 0, load);
                        set_int!(d, i32::from(self.heap.load8(at) as i8));
                    }
                    Instr::CharLoad { d, a, b } => {
                        let at = element!(self, a, b, 1, load);
                        set_int!(d, i32::from(self.heap.load16(at)));
                    }
                    Instr::ShortLoad { d, a, b } => {
                        let at = element!(self, a, b, 1, load);
                        set_int!(d, i32::from(self.heap.load16(at) as i16));
                    }
                    Instr::IntLoad { d, a, b } | Instr::RefLoad { d, a, b } => {
                        let at = element!(self, a, b, 2, load);
                        set!(d, u64::from(self.heap.load32(at)));
                    }
                    Instr::LongLoad { d, a, b } => {
                        let at = element!(self, a, b, 3, load);
                        set_long!(d, self.heap.load((at >> 3) as u32));
                    }
                    Instr::ByteStore { a, b, c } => {
                        let at = element!(self, a, b, 0, store);
                        // JVMS §6.5.bastore: only the lowest bit of a boolean is stored.
                        let array = self.heap.class_of(Ref::from_slot(get!(a)));
                        let bits = if array == self.known().bytes { 0xFF } else { 1 };
                        let value = operand!(c) as u8 & bits;
                        note_element!(a, b);
                        self.heap.store8(at, value);
                    }
                    Instr::ShortStore { a, b, c } => {
                        let at = element!(self, a, b, 1, store);
                        let value = operand!(c) as u16;
                        note_element!(a, b);
                        self.heap.store16(at, value);
                    }
                    Instr::IntStore { a, b, c } => {
                        let at = element!(self, a, b, 2, store);
                        let value = operand!(c) as u32;
                        note_element!(a, b);
                        self.heap.store32(at, value);
                    }
                    Instr::LongStore { a, b, c } => {
                        let at = element!(self, a, b, 3, store);
                        let value = operand!(c);
                        note_element!(a, b);
                        self.heap.store((at >> 3) as u32, value);
                    }
                    Instr::RefStore { a, b, c } => {
                        let at = element!(self, a, b, 2, look);
                        let (array, value) = (Ref::from_slot(get!(a)), Ref::from_slot(operand!(c)));
                        attempt!(self.check_store(array, value));
                        note_element!(a, b);
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
                            defer!();
                        }
                        set!(d, u64::from(self.heap.array_length(array)));
                    }
                    Instr::NewArray { d, class } => {
                        collect_if_due!();
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
                            defer!();
                        }
                        let lengths: Vec<i32> =
                            lengths.iter().map(|&slot| slot as u32 as i32).collect();
                        let array = attempt!(self.new_multi_array(index, &lengths));
                        set!(d, array.slot());
                    }
                    // Objects.
                    Instr::NewPending { d, index } => {
                        let class = attempt!(self.resolve_new(index));
                        self.code[pc as usize] = Instr::NewChecked { d, class: class.0 };
                        again!();
                    }
                    Instr::NewChecked { d, class } => {
                        collect_if_due!();
                        let class = ClassId(class);
                        attempt!(self.initialize(class));
                        if self.has_finalizer(class) {
                            let object = attempt!(self.new_finalizable(class));
                            set!(d, object.slot());
                        } else {
                            if self.is_initialized_for_good(class) {
                                self.code[pc as usize] = Instr::New { d, class: class.0 };
                            }
                            let words = self.class(class).instance_words;
                            let object = self.heap.allocate(class, words, false);
                            set!(d, attempt!(object.map_err(Fault::from)).slot());
                        }
                    }
                    Instr::New { d, class } => {
                        collect_if_due!();
                        let words = self.classes[class as usize].instance_words;
                        let object = attempt!(
                            self.heap
                                .allocate(ClassId(class), words, false)
                                .map_err(Fault::from)
                        );
                        set!(d, object.slot());
                    }
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
                            if M::HAS_INPUTS
                                && let Some(bound) = machine.type_of_others(object)
                            {
                                self.note_type_of_other(bound, ClassId(class));
                            }
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
                        if M::HAS_INPUTS
                            && let Some(bound) = machine.type_of_others(object)
                        {
                            self.note_type_of_other(bound, ClassId(class));
                        }
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
                        if !self.exit_monitor(object) {
                            raise!(
                                "IllegalMonitorStateException",
                                "current thread is not owner".to_owned()
                            );
                        }
                    }
                    // Fields.
                    Instr::GetFieldPending { d, a, index } => {
                        let (word, _) = attempt!(self.resolve_instance_field(index));
                        self.code[pc as usize] = Instr::GetField { d, a, word };
                        again!();
                    }
                    Instr::GetField { d, a, word } => {
                        let object = object!(a);
                        set!(d, checked_slot!(object.0 + u32::from(word)));
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
                        note!(WrittenPlace::Field(object, u32::from(word)));
                        self.heap.set_field(object, u32::from(word), get!(b));
                    }
                    Instr::PutFieldBoolean { a, b, word } => put_narrow!(Kind::Boolean, a, b, word),
                    Instr::PutFieldByte { a, b, word } => put_narrow!(Kind::Byte, a, b, word),
                    Instr::PutFieldChar { a, b, word } => put_narrow!(Kind::Char, a, b, word),
                    Instr::PutFieldShort { a, b, word } => put_narrow!(Kind::Short, a, b, word),
                    Instr::GetStaticPending { d, index } => {
                        let site = attempt!(self.resolve_static(index));
                        self.code[pc as usize] = Instr::GetStaticChecked { d, site };
                        again!();
                    }
                    Instr::PutStaticPending { a, index } => {
                        let site = attempt!(self.resolve_static(index));
                        self.code[pc as usize] = Instr::PutStaticChecked { a, site };
                        again!();
                    }
                    Instr::GetStaticChecked { d, site } => {
                        let StaticSite { class, at, .. } = self.static_sites[site as usize];
                        attempt!(self.initialize(class));
                        let is_noted = self.note_static(class, at);
                        if !is_noted && self.is_initialized_for_good(class) {
                            self.code[pc as usize] = Instr::GetStatic { d, at };
                        }
                        set!(d, checked_slot!(at));
                    }
                    Instr::PutStaticChecked { a, site } => {
                        let StaticSite { class, at, kind } = self.static_sites[site as usize];
                        attempt!(self.initialize(class));
                        note!(WrittenPlace::Static(at));
                        if kind.is_narrow() {
                            self.heap.store(at, narrowed(kind, operand!(a)));
                        } else {
                            if self.is_initialized_for_good(class) {
                                self.code[pc as usize] = Instr::PutStatic { a, at };
                            }
                            self.heap.store(at, get!(a));
                        }
                    }
                    Instr::GetStatic { d, at } => set!(d, checked_slot!(at)),
                    Instr::PutStatic { a, at } => {
                        note!(WrittenPlace::Static(at));
                        self.heap.store(at, get!(a));
                    }
                    // Calls and returns.
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
                        call!(a, method);
                    }
                    Instr::InvokeStatic { a, method } => call!(a, MethodId(method)),
                    Instr::InvokeSpecial { a, method } => {
                        let object = object!(a);
                        if M::HAS_INPUTS && machine.type_of_others(object).is_some() {
                            self.note_call_of_other(MethodId(method), false);
                        }
                        call!(a, MethodId(method));
                    }
                    Instr::InvokeVirtual { a, method } => {
                        let object = object!(a);
                        if M::HAS_INPUTS && machine.type_of_others(object).is_some() {
                            self.note_call_of_other(MethodId(method), true);
                        }
                        let class = self.heap.class_of(object);
                        let index = self.methods[method as usize]
                            .vtable_index
                            .expect("a virtual method");
                        let selected = self.classes[class.0 as usize].vtable[index as usize];
                        call!(a, selected);
                    }
                    Instr::InvokeInterface { a, method } => {
                        let object = object!(a);
                        if M::HAS_INPUTS && machine.type_of_others(object).is_some() {
                            self.note_call_of_other(MethodId(method), true);
                        }
                        let class = self.heap.class_of(object);
                        let cached = self.interface_cache[interface_slot(class, method)];
                        let selected = if cached.0 == class && cached.1.0 == method {
                            cached.2
                        } else {
                            attempt!(self.select_interface(class, MethodId(method)))
                        };
                        call!(a, selected);
                    }
                    Instr::ReturnVoid => end_frame!(self, pc, base, None),
                    Instr::Return { a } => {
                        let value = get!(a);
                        end_frame!(self, pc, base, Some(value));
                    }
                    Instr::Throw { a } => {
                        let exception = object!(a);
                        // Its class decides which handler catches it.
                        if M::HAS_INPUTS && machine.type_of_others(exception).is_some() {
                            self.note_chance(Chance::Subclasses);
                        }
                        leave!(Err(Fault::Throw(exception)));
                    }
                    Instr::Unreachable => raise!("IncompatibleClassChangeError"),
                });
                pc += 1;
                next!();
            }
            let stepped = self.symbolic_step(machine, instr, base);
            machine.end_step();
            match attempt!(stepped) {
                SymbolicOutcome::Next => pc += 1,
                SymbolicOutcome::Jump(to) => pc = pc.wrapping_add_signed(to),
                SymbolicOutcome::Again => fuel += 1,
                SymbolicOutcome::Call(method) => {
                    self.note_unseen_call(method);
                    let first = instr.call_register().expect("a call");
                    let at = base as u32 + u32::from(first);
                    attempt!(self.push_frame(method, at, FrameKind::Call, None));
                    let frame = self.state.frames.last().expect("the frame just made");
                    pc = frame.pc;
                    base = frame.base as usize;
                }
                SymbolicOutcome::Stop(exit) => leave!(Ok(exit)),
            }
        }
    }
}

/// Index in the cache of interface calls for a method and a receiver's class.
#[inline(always)]
pub(crate) fn interface_slot(class: ClassId, method: u32) -> usize {
    (class.0.wrapping_mul(31) ^ method) as usize % INTERFACE_CACHE
}

/// Number of entries of the cache of interface calls.
pub(crate) const INTERFACE_CACHE: usize = 1024;
