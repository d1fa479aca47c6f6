//! The code reachable from the class under test, and its causes of nondeterminism.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_code::{CallTarget, CodeLocation, Supergraph, accesses_unnamed_fields, call};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{BranchCondition, ListedOperation};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::packages::is_extensible;
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
    /// Locations that do with an object of an unknown subclass what no known code says: calls of
    /// methods that such a class may override, and questions about its type.
    pub open_sites: Rc<BTreeSet<CodeLocation>>,
    /// Whether it may access fields that no instruction names.
    pub accesses_unnamed: bool,
}

impl SubjectCode {
    /// Reads the code; `None` if it is too large. Its classes are loaded.
    pub fn read(vm: &mut Vm, class: ClassId, goals: &GoalTable) -> Option<SubjectCode> {
        let graph = Supergraph::read(vm, class, &goals.listings)?;
        let mut causes = Vec::new();
        let mut comparing = Vec::new();
        let mut switches = BTreeSet::new();
        let mut shown = BTreeSet::new();
        let (mut open_sites, mut accesses_unnamed) = (BTreeSet::new(), false);
        let mut extensible = FxHashMap::default();
        for (&method, listing) in &graph.listings {
            let own = vm.method(method).class;
            causes.extend(causes_of(vm, method, listing));
            for (place, listed) in listing.instructions.iter().enumerate() {
                let site = (method, listed.at);
                switches.extend(switch(vm, &listed.step));
                causes.extend(cause(vm, &listed.step).map(|cause| (site, cause)));
                let follows = listing.instructions.get(place + 1).map(|next| &next.step);
                if is_open(vm, own, (&listed.step, follows), &mut extensible) {
                    open_sites.insert(site);
                }
                match &listed.step {
                    ListedOperation::PutField(member, true) => {
                        let field = vm.named_field(member);
                        let field = field.filter(|field| field.kind == Kind::Reference);
                        shown.extend(field.map(|field| field.word));
                    }
                    ListedOperation::Branch(BranchCondition::Same(_), _) => comparing.push(site),
                    ListedOperation::Invoke(_, member) => {
                        accesses_unnamed |= accesses_unnamed_fields(member);
                    }
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
            open_sites: open_sites.into(),
            accesses_unnamed,
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

    /// Whether it casts to a proper subclass of a class.
    pub fn casts_below(&self, vm: &mut Vm, class: ClassId) -> bool {
        let steps = self
            .graph
            .listings
            .values()
            .flat_map(|listing| &listing.instructions);
        let mut casts = steps.filter_map(|listed| match &listed.step {
            ListedOperation::CheckCast(name) => Some(name),
            _ => None,
        });
        casts.any(|name| {
            let below = vm.load_class(name);
            below.is_ok_and(|below| below != class && vm.is_subclass(below, class))
        })
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

    /// Whether the frames of a path could reach a site after what an unknown class does at the last
    /// visit: it may return and throw anything.
    pub fn may_follow(
        &self,
        points: &FxHashMap<u32, CodeLocation>,
        visits: &[ProbeVisit],
        target: CodeLocation,
    ) -> bool {
        let mut below = u32::MAX;
        for visit in visits.iter().rev() {
            let is_next = below == u32::MAX || visit.depth + 1 == below;
            if visit.depth >= below {
                continue;
            }
            let site = points.get(&visit.point);
            // Frames without probes may reach anything.
            if !is_next || site.is_none_or(|&site| self.graph.reaches(site, false, &[target])) {
                return true;
            }
            below = visit.depth;
        }
        below > 1
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

/// Whether a step in code of the class `own`, which another one follows, depends on the subclass of an
/// object that is unknown. `extensible` holds what is known of classes.
fn is_open(
    vm: &mut Vm,
    own: ClassId,
    (step, follows): (&ListedOperation, Option<&ListedOperation>),
    extensible: &mut FxHashMap<ClassId, bool>,
) -> bool {
    let bound = match step {
        // The parts of a joined string are asked for their texts; a lambda calls none.
        ListedOperation::Dynamic(_, taken, handed) if handed.is_empty() => {
            let taken = descriptor::split_method(taken).unwrap_or_default().0;
            let names = taken.into_iter().map(descriptor::class_name);
            let classes: Vec<ClassId> = names.filter_map(|name| vm.load_class(name).ok()).collect();
            return classes.into_iter().any(|class| is_extensible(vm, class));
        }
        ListedOperation::Invoke(_, member) if member.name == "getClass" => match follows {
            // No object is of an abstract class, whatever its subclasses are.
            Some(ListedOperation::Constant(text)) if is_abstract(vm, text) => return false,
            _ => own,
        },
        ListedOperation::Invoke(how, member) => match call(vm, *how, member) {
            Some(CallTarget::Virtual(bound, named))
                if vm.method(named).flags & flags::FINAL == 0 =>
            {
                bound
            }
            _ => return false,
        },
        // A subclass may implement an interface that the known ones do not.
        ListedOperation::InstanceOf(name) => match vm.load_class(name) {
            Ok(class) if vm.class(class).is_interface() => class,
            _ => return false,
        },
        _ => return false,
    };
    *extensible
        .entry(bound)
        .or_insert_with(|| is_extensible(vm, bound))
}

/// Whether a constant, as Java text, is an abstract class.
fn is_abstract(vm: &mut Vm, constant: &str) -> bool {
    let name = constant.strip_suffix(".class").unwrap_or_default();
    let class = vm.load_class(&name.replace('.', "/"));
    class.is_ok_and(|class| vm.class(class).is_abstract())
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
