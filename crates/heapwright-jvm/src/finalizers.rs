//! Finalizers and the JDK's threads that serve references (JLS §12.6).
//!
//! An object with a finalizer is registered when it is made, as by `Finalizer.register`. The
//! library's own thread runs the finalizers of those that a collection finds unreachable. This
//! thread, and the ones that run the actions of a `Cleaner`, start when a collection first has
//! something for them: until then a program with one thread is one.

use crate::class::{ClassId, MethodId};
use crate::collector::Clearing;
use crate::heap::Ref;
use crate::state::FrameKind;
use crate::threads::ThreadStatus;
use crate::vm::{Fault, Vm};

const FINALIZER: &str = "java/lang/ref/Finalizer";

impl Vm {
    /// Whether objects of a class are finalized: its `finalize` is not that of `Object`, and not
    /// empty.
    pub(crate) fn has_finalizer(&mut self, class: ClassId) -> bool {
        /// The bytecode of an empty method.
        const RETURN: [u8; 1] = [0xB1];
        if !self.config.replaces_launcher {
            return false;
        }
        let key = (self.names.intern("finalize"), self.names.intern("()V"));
        let above = self.class(class).display.iter().skip(1).rev();
        let mut declared = above.filter_map(|&class| self.class(class).method_index.get(&key));
        declared.next().is_some_and(|&method| {
            let this = self.method(method);
            let file = self.class(this.class).file.as_ref();
            let code = file.and_then(|file| Some(this.code_info(file)?.code.of(&file.bytes)));
            code.is_some_and(|code| code != RETURN)
        })
    }

    /// Allocates an object that is finalized, and registers it.
    pub(crate) fn new_finalizable(&mut self, class: ClassId) -> Result<Ref, Fault> {
        let finalizer = self
            .load_class(FINALIZER)
            .map_err(|error| self.load_fault(error))?;
        self.initialize(finalizer)?;
        let word = |vm: &Vm, name: &str| {
            let field = vm.find_field(finalizer, name).map(|field| field.word);
            field.ok_or_else(|| Fault::unsupported(format!("a finalizer without {name}")))
        };
        let [lock, queue, first] = ["lock", "queue", "unfinalized"];
        let lock = Ref::from_slot(self.heap.load(word(self, lock)?));
        // Another thread may change the list.
        if self.heap.monitor_depth(lock) > 0 && !self.holds(lock) {
            return Err(self.block(ThreadStatus::Entering(lock), None));
        }
        let (queue, first) = (self.static_word(finalizer, queue)?, word(self, first)?);
        let words = self.class(class).instance_words;
        let object = self.heap.allocate(class, words, false)?;
        let reference = self
            .load_class("java/lang/ref/Reference")
            .map_err(|error| self.load_fault(error))?;
        let words = self.class(finalizer).instance_words;
        let entry = self.heap.allocate(finalizer, words, false)?;
        let next = Ref::from_slot(self.heap.load(first));
        let queue = self.heap.load(queue);
        for (class, field, value) in [
            (reference, "referent", object.slot()),
            (reference, "queue", queue),
            (finalizer, "next", next.slot()),
        ] {
            let word = self.word_of(class, field)?;
            self.heap.set_field(entry, word, value);
        }
        if !next.is_null() {
            self.put(next, "prev", entry.slot());
        }
        self.heap.store(first, entry.slot());
        Ok(object)
    }

    /// Word of a static field that a class itself declares.
    fn static_word(&self, class: ClassId, name: &str) -> Result<u32, Fault> {
        let fields = self.class(class).fields.iter();
        let mut found = fields.filter(|field| field.is_static() && self.text(field.name) == name);
        let field = found.next().map(|field| field.word);
        field.ok_or_else(|| Fault::unsupported(format!("no static field {name}")))
    }

    /// Collects because no thread can go on, as references may be what they wait for. Returns
    /// whether one can go on now.
    pub(crate) fn collect_for_waiting(&mut self) -> Result<bool, Fault> {
        if !self.may_collect() {
            return Ok(false);
        }
        self.collect(Clearing::Weak)?;
        match self.clearing_call()? {
            Some(method) => self.interrupt_any(method),
            None => Ok(false),
        }
    }

    /// Lets a thread that waits run a method, behind which its wait is over without a reason. It
    /// is one of the library's, if there is one.
    fn interrupt_any(&mut self, method: MethodId) -> Result<bool, Fault> {
        let Some(number) = self.wake_for_service() else {
            return Ok(false);
        };
        let is_running = number == self.state.threads.running();
        if !is_running {
            self.state.swap_stack(number);
        }
        let base = self.free_register();
        let pushed = self.push_frame(method, base, FrameKind::Interruption, None);
        if !is_running {
            self.state.swap_stack(number);
        }
        pushed.map(|()| true)
    }
}
