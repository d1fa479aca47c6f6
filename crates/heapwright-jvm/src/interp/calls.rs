//! Calls and returns of the interpreter loop.
//!
//! They are macros because they change the loop's `pc` and `base` and use its macros (`attempt!`,
//! `leave!`).

/// Calls a method whose arguments start in register `$a`.
macro_rules! invoke {
    ($vm:ident, $machine:ident, $pc:ident, $base:ident, $a:expr, $method:expr) => {{
        let mut method = $method;
        if (M::SYMBOLIC || M::HAS_INPUTS)
            && let Some(replaced) = $vm.methods[method.0 as usize].replaced
            && (M::SYMBOLIC || replaced.is_of_inputs())
        {
            let first = $base + $a as usize;
            let called = $vm.call_replaced($machine, replaced, method, first);
            $machine.end_step();
            match attempt!(called) {
                replaced::ReplacedCall::Done(value) => {
                    set!($a, value);
                    $pc += 1;
                    next!();
                }
                replaced::ReplacedCall::Plain => {}
                replaced::ReplacedCall::Instead(other) => method = other,
                replaced::ReplacedCall::Stop(exit) => leave!(Ok(exit)),
            }
        }
        let this = &$vm.methods[method.0 as usize];
        match this.code {
            Code::Translated(entry)
                if this.flags & flags::SYNCHRONIZED == 0
                    && $vm.state.frames.len() < SURE_FRAMES.min($vm.config.max_frames as usize) =>
            {
                let new_base = $base + $a as usize;
                let end = new_base + this.frame_words as usize;
                if $vm.state.registers.len() < end {
                    $vm.state
                        .registers
                        .resize(end.max(1024).next_power_of_two(), 0);
                }
                $vm.blank_registers(method, new_base as u32);
                $vm.state.frames.last_mut().expect("the running frame").pc = $pc;
                $vm.state.frames.push(Frame {
                    method,
                    pc: entry,
                    base: new_base as u32,
                    monitor: Ref::NULL,
                    kind: FrameKind::Call,
                });
                $pc = entry;
                $base = new_base;
                next!();
            }
            Code::Native(native) => {
                let result = this.result;
                let words = usize::from(this.argument_words);
                let at = $base + $a as usize;
                if $vm.state.registers.len() < at + words + 1 {
                    $vm.state
                        .registers
                        .resize((at + words + 1).next_power_of_two(), 0);
                }
                $vm.state.frames.last_mut().expect("the running frame").pc = $pc;
                collect_if_due!();
                if M::SYMBOLIC
                    && let Some(exit) = $vm.settle_native($machine, method, native, at)
                {
                    leave!(Ok(exit));
                }
                let value = match native($vm, Args::new(at)) {
                    Ok(value) => value,
                    Err(fault) => leave!(Err($vm.fault_in_native(method, fault))),
                };
                if matches!(result, Kind::Long | Kind::Double) {
                    set_long!($a, value);
                } else if result != Kind::Void {
                    set!($a, value);
                }
            }
            _ => {
                attempt!($vm.push_frame(
                    method,
                    $base as u32 + u32::from($a),
                    FrameKind::Call,
                    None
                ));
                let frame = $vm.state.frames.last().expect("the frame just made");
                $pc = frame.pc;
                $base = frame.base as usize;
                next!();
            }
        }
    }};
}

/// Ends the running frame with an optional value and continues in the caller.
macro_rules! end_frame {
    ($vm:ident, $pc:ident, $base:ident, $value:expr) => {{
        let value: Option<u64> = $value;
        let frame = $vm.pop_frame();
        match frame.kind {
            FrameKind::Call => {
                if let Some(value) = value {
                    $vm.state.registers[frame.base as usize] = value;
                }
                let caller = $vm.state.frames.last().expect("a caller");
                $pc = caller.pc + 1;
                $base = caller.base as usize;
                if M::SYMBOLIC && $vm.state.frames.len() < $vm.break_below {
                    $vm.break_at = $pc;
                }
            }
            FrameKind::Initializer => {
                let class = $vm.method(frame.method).class;
                let statics = $vm.class(class).statics;
                $vm.heap.store(statics, init::DONE);
                let caller = $vm.state.frames.last().expect("a caller");
                $pc = caller.pc;
                $base = caller.base as usize;
            }
            FrameKind::Interruption | FrameKind::Preparation => {
                let caller = $vm.state.frames.last().expect("a caller");
                $pc = caller.pc;
                $base = caller.base as usize;
            }
            FrameKind::Bottom => {
                end!(Ok(Exit::Done(value.unwrap_or(0))));
            }
            FrameKind::Aside(number) => end!(Ok(Exit::Aside(number, value.unwrap_or(0)))),
        }
        next!();
    }};
}

pub(super) use {end_frame, invoke};
