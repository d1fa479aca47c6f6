//! The interpreter: one loop over register code, written once for all machines.
//!
//! Invariant: the loop never calls itself. Whatever runs Java code (initialisers, what a native
//! calls) is a frame; whatever the loop cannot decide ends it before the instruction has had any
//! effect, so that the instruction can run again.

mod arrays;
mod frames;
mod initialize;
mod resolve;
mod unwind;

use crate::class::{ClassId, Code, MethodId, flags, init};
use crate::descriptor::Kind;
use crate::heap::{Ref, UNSET_TAG};
use crate::instr::Instr;
use crate::machine::{Answer, Machine, is_symbolic};
use crate::natives::Args;
use crate::probes::Visit;
use crate::replaced;
use crate::state::{Frame, FrameKind};
use crate::symbolic::Step;
use crate::vm::{Exit, Fault, Limit, StaticSite, Vm};

impl Vm {
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
                            Code::Translated(entry) if this.flags & flags::SYNCHRONIZED == 0 => {
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
