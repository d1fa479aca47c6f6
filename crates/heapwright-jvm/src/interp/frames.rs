//! Creation and end of frames.

use crate::chances::SURE_FRAMES;
use crate::class::{Code, MethodId, flags, init};
use crate::heap::Ref;
use crate::machine::symbolic_slot;
use crate::state::{Frame, FrameKind};
use crate::vm::{Exit, Fault, Limit, Vm};

/// Content of empty registers in a debug build: a slot of a term that no machine has, so that a
/// read of an empty register fails.
const BLANK: u64 = symbolic_slot(u32::MAX >> 1);

impl Vm {
    /// Prepares a call: the next [`Vm::run`] runs `method` with `arguments`. There is a slot for
    /// each word; the second slot of a long or double is ignored.
    ///
    /// # Errors
    /// The method has no code that can run.
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

    /// Calls a static method before the next instruction, whose frame stays unchanged. The
    /// method's return stops the run with [`Exit::Aside`] and this number.
    ///
    /// # Errors
    /// The method has no code that can run.
    pub fn call_nested(
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

    /// Drops all frames of an unfinished run. A class whose initialiser was running becomes
    /// uninitialised again.
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

    /// Drops all frames and does nothing else.
    pub(crate) fn drop_frames(&mut self) {
        while self.state.frames.pop().is_some() {
            if self.state.frames.len().wrapping_sub(1) < self.state.untouched {
                self.save_frame();
            }
        }
    }

    /// First register above the innermost frame.
    pub(crate) fn free_register(&self) -> u32 {
        self.state.frames.last().map_or(0, |frame| {
            frame.base + self.methods[frame.method.0 as usize].frame_words
        })
    }

    /// Pushes a frame whose register 0 is `base`. Its arguments are there already, or are copied
    /// there.
    pub(crate) fn push_frame(
        &mut self,
        method: MethodId,
        base: u32,
        kind: FrameKind,
        arguments: Option<&[u64]>,
    ) -> Result<(), Fault> {
        let entry = match self.method(method).code {
            Code::Intercepted { before, .. } => before,
            _ => self.translated(method)?,
        };
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
        let is_synchronized = this.flags & flags::SYNCHRONIZED != 0;
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
        if self.state.frames.len() >= SURE_FRAMES {
            self.note_depth();
        }
        Ok(())
    }

    /// In a debug build, sets all registers of a new frame except its arguments to one value. A
    /// hash of the state then ignores remains of earlier frames.
    #[inline]
    pub(super) fn blank_registers(&mut self, method: MethodId, base: u32) {
        if cfg!(debug_assertions) {
            let this = &self.methods[method.0 as usize];
            let registers = base + u32::from(this.argument_words)..base + this.frame_words;
            let registers = registers.start as usize..registers.end as usize;
            self.state.registers[registers].fill(BLANK);
        }
    }

    pub(crate) fn enter_monitor(&mut self, object: Ref) -> Result<(), Fault> {
        if self.state.threads.is_used() {
            self.enter_held_monitor(object)?;
        }
        if self.heap.monitor_enter(object) {
            Ok(())
        } else {
            Err(Fault::Stop(Box::new(Exit::Limit(Limit::Monitor))))
        }
    }

    /// Ends the innermost frame; saves the frame below if it is older than the newest mark.
    #[inline(always)]
    pub(crate) fn pop_frame(&mut self) -> Frame {
        let frame = self.state.frames.pop().expect("a frame to end");
        if !frame.monitor.is_null() {
            self.exit_monitor(frame.monitor);
        }
        if self.state.frames.len().wrapping_sub(1) < self.state.untouched {
            self.save_frame();
        }
        if cfg!(debug_assertions)
            && frame.kind == FrameKind::Call
            && let Some(caller) = self.state.frames.last()
        {
            // The caller has no values from the call's arguments up (see `blank_registers`).
            let end = caller.base + self.methods[caller.method.0 as usize].frame_words;
            let registers = frame.base as usize..end.max(frame.base) as usize;
            self.state.registers[registers].fill(BLANK);
        }
        frame
    }
}
