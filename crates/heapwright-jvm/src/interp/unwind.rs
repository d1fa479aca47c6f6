//! Handling of faults: throws an exception to its handler (JVMS §2.10), or makes a call first.

use crate::chances::{Chance, is_preallocated};
use crate::class::init;
use crate::heap::Ref;
use crate::state::{Frame, FrameKind};
use crate::vm::{Exit, Fault, Limit, Vm};

impl Vm {
    /// Throws a new exception at the current instruction, at which a run has stopped, so that the
    /// program can handle what the engine refuses. Returns the exit if the run ends with it.
    pub fn throw_instead(&mut self, class: &'static str, message: &str) -> Option<Exit> {
        self.handle_fault(Fault::raise(class, message))
    }

    /// Handles a fault. Returns the exit if the run ends; otherwise the innermost frame has the
    /// position to continue at.
    pub(super) fn handle_fault(&mut self, fault: Fault) -> Option<Exit> {
        let mut fault = fault;
        loop {
            let result = match fault {
                Fault::Collect => match self.collect_between() {
                    Ok(()) => return None,
                    Err(next) => Err(next),
                },
                Fault::Stop(exit)
                    if *exit == Exit::Limit(Limit::Heap) && self.config.replaces_launcher =>
                {
                    // The program sees what it sees under `java`.
                    match self.collect_for_lack() {
                        Ok(true) => return None,
                        Ok(false) if self.heap.yield_reserve() => self
                            .new_exception("java/lang/OutOfMemoryError", Some("Java heap space")),
                        Ok(false) => return Some(*exit),
                        Err(next) => Err(next),
                    }
                }
                Fault::Stop(exit) => return Some(*exit),
                Fault::Yield => return self.switch_thread(),
                Fault::Again => return None,
                Fault::Throw(exception) => return self.unwind(exception),
                Fault::Raise(class, message) => {
                    if is_preallocated(class) {
                        self.state.thrown_by_instructions += 1;
                    }
                    self.new_exception(class, message.as_deref())
                }
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
                Fault::First(method, arguments) => {
                    let base = self.free_register();
                    let kind = FrameKind::Preparation;
                    match self.push_frame(method, base, kind, Some(&arguments)) {
                        Ok(()) => return None,
                        Err(fault) => Err(fault),
                    }
                }
                Fault::Call(method, arguments) => {
                    self.note_unseen_call(method);
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

    /// Finds the handler of an exception (JVMS §2.10), and ends the frames without one.
    pub(crate) fn unwind(&mut self, exception: Ref) -> Option<Exit> {
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
                if self.state.frames.len() < self.break_below {
                    self.break_at = target;
                }
                let class = self.heap.class_of(exception);
                if self.class_name(class) == "java/lang/StackOverflowError" {
                    self.caught_overflows += 1;
                    self.note_chance(Chance::StackDepth);
                }
                // Only a probed method has a probe behind the handler that reports the exception.
                if self.probed.contains_key(&frame.method) {
                    let depth = self.state.frames.len() as u32;
                    self.thrown = Some((depth, self.heap.class_of(exception)));
                }
                return None;
            }
            self.pop_frame();
            match frame.kind {
                FrameKind::Call | FrameKind::Preparation => {}
                FrameKind::Interruption => return None,
                FrameKind::Bottom => return Some(self.uncaught(exception)),
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
                    self.note_failed_initializer(class);
                    exception = match self.initializer_error(exception) {
                        Ok(error) => error,
                        Err(Fault::Stop(exit)) => return Some(*exit),
                        Err(_) => exception,
                    };
                }
            }
        }
    }

    /// Finds the first handler of a frame that catches an exception: its position, and the
    /// register for the exception. A class that cannot be loaded, because of a limit or a
    /// refusal, ends the run.
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
}
