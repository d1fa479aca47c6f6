//! Prediction of calls from recorded paths, so that they need not be made.

use heapwright_jvm::{Choosing, Exit, MarkId, Ref, Vm};

use super::{Board, Break, Caller, PendingCall};
use crate::api::paths::{CallEffect, DecisionTrees, RecordedPath};
use crate::api::pools::StructureRef;
use crate::functional::is_thrown_by_stub;

impl Caller {
    /// Looks up the recorded paths of an operation's calls on a structure. Returns whether paths
    /// are available. Calls with new arrays or collections have none.
    pub(super) fn look_ahead(&mut self, vm: &Vm, site: &PendingCall<'_>) -> bool {
        let operation = &self.operations[site.operation];
        let has_paths = operation.mutable.is_empty()
            && site.parents.len() == 1
            && operation.call.has_receiver();
        let paths = self.paths.as_mut().filter(|_| has_paths);
        paths.is_some_and(|paths| paths.look_ahead(vm, site.operation, operation.ways))
    }

    /// Records the effects of closed operations, which add nothing to any structure, on this one.
    /// Other calls with the same effects add nothing either.
    pub(super) fn settle(
        &mut self,
        vm: &mut Vm,
        closed: &[usize],
        (lead, object): (StructureRef, Ref),
        mark: MarkId,
    ) -> Result<(), Break> {
        let class = vm.heap.class_of(object);
        for &operation in closed {
            let this = &self.operations[operation];
            let has_paths =
                this.call.has_receiver() && this.structures.len() == 1 && this.mutable.is_empty();
            if !has_paths || !self.accepts(vm, operation, 0, class) {
                continue;
            }
            let site = PendingCall {
                operation,
                method: self.reached(vm, operation, object),
                parents: &[lead],
                objects: &[object],
                mark,
            };
            if !self.look_ahead(vm, &site) {
                return Ok(());
            }
            self.place(&site);
            let Some(mut paths) = self.paths.take() else {
                return Ok(());
            };
            let mut flow = Ok(());
            for way in 0..self.operations[operation].ways {
                match self.end_of(vm, &mut paths, &site, way) {
                    Ok(Some(end)) => paths.settle(end),
                    Ok(None) => {}
                    Err(broken) => flow = Err(broken),
                }
            }
            self.paths = Some(paths);
            flow?;
        }
        Ok(())
    }

    /// Whether the effect of a call is known; then applies it as if the call had been made.
    pub(super) fn is_foreseen(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
    ) -> Result<bool, Break> {
        let Some(mut paths) = self.paths.take() else {
            return Ok(false);
        };
        let end = self.foresee(vm, &mut paths, site, way);
        if let Ok(Some(end)) = end {
            self.tally.explored += 1;
            if !DecisionTrees::is_nothing(end) && !vm.is_untouched() {
                let out_of_scope = self.tally.out_of_scope;
                self.has_left_new = false;
                self.keep(vm, board, site, way, site.objects[0], 0);
                if !self.has_left_new && self.tally.out_of_scope == out_of_scope {
                    paths.settle(end);
                }
                vm.undo_to(site.mark);
            }
        }
        self.paths = Some(paths);
        end.map(|end| end.is_some())
    }

    /// Applies the effect of a call to the structure and returns the effect's number, if it is
    /// known.
    fn foresee(
        &mut self,
        vm: &mut Vm,
        paths: &mut DecisionTrees,
        site: &PendingCall<'_>,
        way: u64,
    ) -> Result<Option<usize>, Break> {
        let Some(end) = self.end_of(vm, paths, site, way)? else {
            return Ok(None);
        };
        match paths.end(end) {
            CallEffect::Open => return Ok(None),
            CallEffect::Misuse => self.tally.misuse += 1,
            CallEffect::Writes(_) => {
                if paths.write(vm, end).is_err() {
                    vm.undo_to(site.mark);
                    return Ok(None);
                }
            }
        }
        Ok(Some(end))
    }

    /// Returns the number of a call's effect, if it is known or worth finding.
    fn end_of(
        &mut self,
        vm: &mut Vm,
        paths: &mut DecisionTrees,
        site: &PendingCall<'_>,
        way: u64,
    ) -> Result<Option<usize>, Break> {
        match paths.end_of(way) {
            Some(end) => Ok(Some(end)),
            None if paths.is_worth_it(site.operation) => {
                self.find_path(vm, paths, site, way).map(Some)
            }
            None => Ok(None),
        }
    }

    /// Makes a call to find its reads and its effect, and records the path.
    fn find_path(
        &mut self,
        vm: &mut Vm,
        paths: &mut DecisionTrees,
        site: &PendingCall<'_>,
        way: u64,
    ) -> Result<usize, Break> {
        let has_null = self.operations[site.operation].fill(way, &mut self.slots);
        let first = paths.unset(vm);
        let mut path = RecordedPath::default();
        let overflows = vm.caught_overflows();
        vm.limit_steps(self.step_limit_of(site.method));
        let mut exit = match vm.call(site.method, &self.slots) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        while let Exit::Choice(variable) = exit {
            paths.answer(vm, variable - first, &mut path);
            exit = vm.run(&mut Choosing);
        }
        let flow = self.look_for_initialized(vm);
        let end = match exit {
            _ if vm.caught_overflows() != overflows => CallEffect::Open,
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                let takes_integers = self.operations[site.operation].takes_integers;
                let is_misuse = self.misuse.covers(vm, class, has_null, takes_integers);
                match is_misuse || is_thrown_by_stub(vm, exception) {
                    true => CallEffect::Misuse,
                    false => CallEffect::Open,
                }
            }
            Exit::Done(result) if !self.is_kept_result(vm, site, result) => paths.writes(vm),
            _ => CallEffect::Open,
        };
        vm.undo_to(site.mark);
        flow?;
        Ok(paths.keep(site.operation, way, &path, end))
    }

    /// Whether the result of a call on one structure may be a further structure.
    fn is_kept_result(&mut self, vm: &Vm, site: &PendingCall<'_>, result: u64) -> bool {
        let object = Ref::from_slot(result);
        self.operations[site.operation].returns_object
            && !object.is_null()
            && !site.objects.contains(&object)
            && self.kept(vm, vm.heap.class_of(object)).is_some()
    }
}
