//! Results of calls: new structures are retained, faults recorded.

use heapwright_explore::{FormSet, OutOfScope};
use heapwright_jvm::{ClassId, Exit, Limit, Ref, Vm};

use super::{Board, Caller, PendingCall};
use crate::api::findings::{CallFault, CallFinding};
use crate::api::pools::{Origin, StructureRole};
use crate::functional::is_thrown_by_stub;

impl Caller {
    /// Processes the outcome of a call and the structures that it left.
    pub(super) fn judge(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
        has_null: bool,
        (exit, receiver): (Exit, Ref),
    ) {
        match exit {
            Exit::Done(result) => self.keep(vm, board, site, way, receiver, result),
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                let takes_integers = self.operations[site.operation].takes_integers;
                let is_misuse = self.misuse.covers(vm, class, has_null, takes_integers);
                if is_misuse || is_thrown_by_stub(vm, exception) {
                    self.tally.misuse += 1;
                } else {
                    self.tally.failed += 1;
                    let fault = CallFault::Throws(vm.binary_name(class));
                    self.note(site, way, fault, || vm.exit_text(&exit));
                }
            }
            Exit::Limit(Limit::Steps | Limit::Monitor) => {
                self.tally.failed += 1;
                self.note(site, way, CallFault::DoesNotEnd, || vm.exit_text(&exit));
            }
            Exit::Limit(Limit::Heap) => {
                self.tally.failed += 1;
                self.note(site, way, CallFault::FillsMemory, || vm.exit_text(&exit));
            }
            other => self.refuse(site, way, vm.exit_text(&other)),
        }
    }

    /// Records that a call has no verdict, with the reason.
    pub(super) fn refuse(&mut self, site: &PendingCall<'_>, way: u64, why: String) {
        self.tally.refused += 1;
        self.note(site, way, CallFault::Refused(why.clone()), || why);
    }

    #[cold]
    fn note(
        &mut self,
        site: &PendingCall<'_>,
        way: u64,
        fault: CallFault,
        text: impl FnOnce() -> String,
    ) {
        let method = self.operations[site.operation].call.method;
        if !self.findings.knows(method, &fault) {
            let finding = CallFinding {
                method,
                call: self.origin_of(site, way, StructureRole::Receiver),
                fault,
                text: text(),
                count: 1,
            };
            self.findings.add(finding);
        }
    }

    pub(super) fn origin_of(
        &self,
        site: &PendingCall<'_>,
        way: u64,
        output: StructureRole,
    ) -> Origin {
        Origin {
            operation: site.operation,
            way,
            parents: site.parents.to_vec(),
            output,
        }
    }

    /// Retains the new structures that a call left.
    pub(super) fn keep(
        &mut self,
        vm: &Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
        receiver: Ref,
        result: u64,
    ) {
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        let operation = &self.operations[site.operation];
        let is_constructor = operation.call.is_constructor();
        if is_constructor {
            left.push((StructureRole::Receiver, receiver));
        }
        if !vm.is_untouched() {
            for (&source, &object) in operation.structures.iter().zip(site.objects) {
                let output = match source {
                    0 if operation.call.has_receiver() => StructureRole::Receiver,
                    _ => StructureRole::Source(source),
                };
                left.push((output, object));
            }
        }
        if operation.returns_object && result != 0 {
            let object = Ref::from_slot(result);
            let is_new = !site.objects.contains(&object)
                && self.canonicalizer.is_above_base(vm, object)
                && !self.canonicalizer.is_value(vm, object);
            if is_new {
                left.push((StructureRole::Result, object));
            }
        }
        left.retain(|&(_, object)| self.kept(vm, vm.heap.class_of(object)).is_some());
        board.next_sequence();
        match left.as_slice() {
            [] => {}
            [one] => self.keep_one(vm, board, site, way, *one),
            all => self.keep_all(vm, board, site, way, all),
        }
        self.left = left;
    }

    pub(super) fn kept(&mut self, vm: &Vm, class: ClassId) -> Option<&str> {
        let classes = &self.classes;
        let kept = self.kept.entry(class).or_insert_with(|| {
            let mut classes = classes.iter();
            let is_kept = classes.any(|&wanted| vm.is_subclass(class, wanted));
            is_kept.then(|| vm.class_name(class).into())
        });
        kept.as_deref()
    }

    /// Retains the one structure that a call left.
    fn keep_one(
        &mut self,
        vm: &Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
        (output, object): (StructureRole, Ref),
    ) {
        let origin = self.origin_of_if_new(vm, board, site, way, output, object);
        match origin {
            Err(outside) => self.tally.discard(outside),
            Ok(true) => self.tally.building += 1,
            Ok(false) => {}
        }
    }

    fn origin_of_if_new(
        &mut self,
        vm: &Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
        output: StructureRole,
        object: Ref,
    ) -> Result<bool, OutOfScope> {
        let class = vm.heap.class_of(object);
        let Some(Some(kept)) = self.kept.get(&class) else {
            return Ok(false);
        };
        let form = self.canonicalizer.form(vm, object)?;
        let hash = FormSet::hash(form.compared);
        if board.is_known(kept, hash, form.compared) {
            return Ok(false);
        }
        self.has_left_new = true;
        let origin = Origin {
            operation: site.operation,
            way,
            parents: site.parents.to_vec(),
            output,
        };
        self.origin.clear();
        origin.put(&mut self.origin, &self.operations);
        self.origin.align();
        Ok(board.add(kept, hash, form, self.origin.bytes()))
    }

    /// Retains the structures that a call left, if all are in scope.
    fn keep_all(
        &mut self,
        vm: &Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
        left: &[(StructureRole, Ref)],
    ) {
        let mut forms = left
            .iter()
            .map(|&(_, object)| self.canonicalizer.form(vm, object).err());
        if let Some(outside) = forms.find_map(|outside| outside) {
            self.tally.discard(outside);
            return;
        }
        let mut is_new = false;
        for &(output, object) in left {
            is_new |= self.origin_of_if_new(vm, board, site, way, output, object) == Ok(true);
        }
        self.tally.building += u64::from(is_new);
    }
}
