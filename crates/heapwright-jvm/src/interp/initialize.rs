//! Class initialisation (JVMS §5.5).

use crate::class::{ClassId, init};
use crate::heap::Ref;
use crate::threads::ThreadStatus;
use crate::vm::{Fault, Vm};

impl Vm {
    /// Ensures that a class is initialised (JVMS §5.5).
    pub(crate) fn initialize(&mut self, class: ClassId) -> Result<(), Fault> {
        let statics = self.class(class).statics;
        match self.heap.load(statics) {
            init::DONE => return Ok(()),
            init::RUNNING if self.is_initialized_elsewhere(class) => {
                return Err(self.block(ThreadStatus::Initializing(class), None));
            }
            init::RUNNING => return Ok(()),
            failed if failed & init::FAILED == init::FAILED => {
                return Err(self.failed_before(class, Ref((failed >> 2) as u32)));
            }
            _ => {}
        }
        if !self.class(class).is_interface() {
            if let Some(above) = self.class(class).super_class {
                self.initialize(above)?;
            }
            // Only superinterfaces with default methods are initialised.
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

    /// Collects the superinterfaces that the class itself declares, in the order of JVMS §5.5,
    /// step 7: in declaration order, each after those it extends.
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

    /// Whether a class is initialised and stays so after any going back, so that uses need no
    /// check.
    pub(crate) fn is_initialized_for_good(&self, class: ClassId) -> bool {
        let this = self.class(class);
        if self.heap.is_marked() {
            this.stays_initialized
        } else {
            self.heap.load(this.statics) == init::DONE
        }
    }
}
