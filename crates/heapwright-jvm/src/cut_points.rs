//! Places at which a search cuts runs and goes on with one state that stands for many: heads of loops
//! and beginnings of methods.

use crate::class::{Code, MethodId};
use crate::descriptor::{self, Kind};
use crate::vm::Vm;
use crate::writes::WrittenPlace;

/// Classes of what a run may throw that exhausts its stack or memory, superclasses included.
const EXHAUSTION: [&str; 5] = [
    "java/lang/Throwable",
    "java/lang/Error",
    "java/lang/VirtualMachineError",
    "java/lang/StackOverflowError",
    "java/lang/OutOfMemoryError",
];

impl Vm {
    /// First registers of a method's parameters with the kinds of their values, the receiver
    /// included.
    #[must_use]
    pub fn parameter_registers(&self, method: MethodId) -> Vec<(u16, Kind)> {
        let this = self.method(method);
        let receiver = (!this.is_static()).then_some(Kind::Reference);
        let parameters = descriptor::split_method(self.text(this.descriptor));
        let (parameters, _) = parameters.unwrap_or_default();
        let kinds = receiver
            .into_iter()
            .chain(parameters.into_iter().map(Kind::of));
        let mut next = 0;
        kinds
            .map(|kind| {
                let register = next;
                next += match kind {
                    Kind::Long | Kind::Double => 2,
                    _ => 1,
                };
                (register, kind)
            })
            .collect()
    }

    /// Registers that are live before an instruction which branches lead to, with the kinds of their
    /// values; `None` if these are unknown.
    pub fn registers_at(&mut self, method: MethodId, pc: u32) -> Option<Vec<(u16, Kind)>> {
        let at = self.bytecode_index(method, pc);
        let kinds = crate::verify::frame_kinds(self, method, at..=at)?;
        let live = self.live_at(self.method(method), pc).into_iter();
        // Nothing is on the stack beyond the words that the verifier knows.
        let live = live.filter(|&register| usize::from(register) < kinds.len());
        live.map(|register| Some((register, kinds[usize::from(register)]?)))
            .collect()
    }

    /// Method of the class path that has run and has a handler for what exhausts the stack or the
    /// memory. A method whose probes were changed since is not known to have run.
    #[must_use]
    pub fn handles_exhaustion(&self) -> Option<MethodId> {
        let methods = (0..self.methods.len() as u32).map(MethodId);
        methods.into_iter().find(|&id| {
            let method = self.method(id);
            let has_run = matches!(method.code, Code::Translated(_));
            let class = self.class(method.class);
            if !has_run || method.handlers.is_empty() || class.module.is_some() {
                return false;
            }
            self.listing(id).is_ok_and(|listing| {
                let mut caught = listing.handlers.iter().map(|handler| &handler.catch);
                caught.any(|class| {
                    let class = class.as_deref();
                    class.is_none_or(|class| EXHAUSTION.contains(&class))
                })
            })
        })
    }

    /// Name of a written place in Java text, if it is a static field: `Counter.count`.
    #[must_use]
    pub fn place_name(&self, place: WrittenPlace) -> Option<String> {
        let WrittenPlace::Static(at) = place else {
            return None;
        };
        let site = self.static_sites.iter().find(|site| site.at == at)?;
        let fields = &self.class(site.class).fields;
        let field = fields
            .iter()
            .find(|field| field.is_static() && field.word == at)?;
        let class = self.binary_name(field.class);
        Some(format!("{class}.{}", self.text(field.name)))
    }
}
