//! The code reachable from the class under test, and its causes of nondeterminism.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_code::{CodeLocation, Supergraph};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{BranchCondition, ListedOperation};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::sequences::analysis::nondeterminism::{Cause, cause, causes_of};
use crate::sequences::goals::{Goal, GoalTable};

/// The code reachable from the class under test.
#[derive(Clone)]
pub(in crate::sequences) struct SubjectCode {
    pub graph: Rc<Supergraph>,
    /// Locations of nondeterminism, with their causes.
    pub causes: Rc<Vec<(CodeLocation, Cause)>>,
    /// The words of static reference fields that it writes.
    pub exposed_statics: Rc<BTreeSet<u32>>,
    /// Locations where it compares references.
    comparing: Rc<Vec<CodeLocation>>,
    /// The words of the static fields that disable assertions.
    pub switches: Rc<BTreeSet<u32>>,
}

impl SubjectCode {
    /// Reads the code; `None` if it is too large. Its classes are loaded.
    pub fn read(vm: &mut Vm, class: ClassId, goals: &GoalTable) -> Option<SubjectCode> {
        let graph = Supergraph::read(vm, class, &goals.listings)?;
        let mut causes = Vec::new();
        let mut comparing = Vec::new();
        let mut switches = BTreeSet::new();
        let mut shown = BTreeSet::new();
        for (&method, listing) in &graph.listings {
            causes.extend(causes_of(vm, method, listing));
            for listed in &listing.instructions {
                let site = (method, listed.at);
                switches.extend(switch(vm, &listed.step));
                causes.extend(cause(vm, &listed.step).map(|cause| (site, cause)));
                match &listed.step {
                    ListedOperation::PutField(member, true) => {
                        let field = vm.named_field(member);
                        let field = field.filter(|field| field.kind == Kind::Reference);
                        shown.extend(field.map(|field| field.word));
                    }
                    ListedOperation::Branch(BranchCondition::Same(_), _) => comparing.push(site),
                    _ => {}
                }
            }
        }
        Some(SubjectCode {
            graph: graph.into(),
            causes: causes.into(),
            exposed_statics: shown.into(),
            comparing: comparing.into(),
            switches: switches.into(),
        })
    }

    /// Whether the behaviour of a method depends on its inputs alone.
    pub fn is_closed(&self, method: MethodId) -> bool {
        let reached = self.graph.reachable_from(method, 0);
        !self.causes.iter().any(|(site, _)| reached.contains(site))
    }

    /// Whether a method or its callees may compare references.
    pub fn compares(&self, method: MethodId) -> bool {
        let reached = self.graph.reachable_from(method, 0);
        self.comparing.iter().any(|site| reached.contains(site))
    }

    /// Whether a goal occurs at its location only. A line may have several copies in bytecode, one
    /// of which may run without the first.
    pub fn is_whole(&self, goal: Goal) -> bool {
        let Goal::Line(method, first) = goal else {
            return true;
        };
        let Some(listing) = self.graph.listings.get(&method) else {
            return false;
        };
        let line_at = |at: u16| Some(listing.instructions[listing.place(at)?].line);
        let line = line_at(first);
        let mut reached = FxHashSet::default();
        let mut open = vec![(method, 0)];
        while let Some(site) = open.pop() {
            if site.0 == method && site.1 != first && reached.insert(site) {
                if line_at(site.1) == line {
                    return false;
                }
                open.extend(self.graph.next(site));
            }
        }
        true
    }

    /// Returns the locations of the probes by their numbers.
    pub fn points(&self, vm: &Vm, goals: &GoalTable) -> FxHashMap<u32, CodeLocation> {
        let numbers = goals.probes();
        let sites = numbers.map(|number| {
            let point = vm.point(number);
            (number, (point.method, point.at))
        });
        sites.collect()
    }

    /// Whether the current frames of a path could still reach a site.
    pub fn is_still_reachable(
        &self,
        vm: &Vm,
        points: &FxHashMap<u32, CodeLocation>,
        visits: &[ProbeVisit],
        target: CodeLocation,
    ) -> bool {
        let frames = vm.frames();
        let mut below = frames.len() as u32 + 1;
        for visit in visits.iter().rev() {
            if visit.depth < below {
                let is_top = below == frames.len() as u32 + 1;
                below = visit.depth;
                if let Some(&site) = points.get(&visit.point)
                    && self.graph.reaches(site, is_top, &[target])
                {
                    return true;
                }
            }
        }
        let is_probed = |method: MethodId| points.values().any(|site| site.0 == method);
        let from_start = |method: MethodId| self.graph.reachable_from(method, 0).contains(&target);
        let mut others = frames.iter().filter(|frame| !is_probed(frame.method));
        others.any(|frame| from_start(frame.method))
    }

    /// Whether the frames of a path could still call unknown code, which may call any method.
    /// Frames of library code count as unknown.
    pub fn may_call_unknown(
        &self,
        vm: &Vm,
        points: &FxHashMap<u32, CodeLocation>,
        visits: &[ProbeVisit],
    ) -> bool {
        let mut frames = vm.frames().iter();
        frames.any(|frame| !self.graph.has(frame.method))
            || (self.graph.unknown_call_sites.iter())
                .any(|&site| self.is_still_reachable(vm, points, visits, site))
    }
}

/// Returns the word of the static field that disables assertions, if an instruction reads one.
fn switch(vm: &mut Vm, step: &ListedOperation) -> Option<u32> {
    let ListedOperation::GetField(field, true) = step else {
        return None;
    };
    let field = Some(field).filter(|field| field.name == "$assertionsDisabled")?;
    let (class, word) = vm
        .named_field(field)
        .map(|field| (field.class, field.word))?;
    vm.initialize_now(class).ok()?;
    Some(word)
}
