//! Interprocedural control-flow graph (supergraph) of a program.
//!
//! **Invariant:** a site that no edge leads to is unreachable, except through calls with unknown
//! callees, which count as calls from outside. A call with several possible targets has an edge
//! to each.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    ClassHierarchyAnalysis, ControlFlow, call, calls_no_program_code, initializer, lambda_bodies,
    nested_classes, overrides_library, program,
};

/// Location in code: a method and a bytecode index.
pub type CodeLocation = (MethodId, u16);

/// Supergraph of the code that calls of a class's methods can lead to.
pub struct Supergraph {
    /// Classes that share private members with the class: its outermost class and all classes
    /// nested in it.
    pub classes: Vec<ClassId>,
    /// Code of these classes and of all program classes that it leads to.
    pub listings: BTreeMap<MethodId, Listing>,
    /// Methods that unknown code may call: instance methods that are not private, lambda bodies,
    /// and methods that class initialisers call.
    pub externally_callable: BTreeSet<MethodId>,
    /// Callers of each method, among the listings.
    pub callers: BTreeMap<MethodId, Vec<MethodId>>,
    /// Call sites with unknown callees: calls of library methods that may call anything.
    pub unknown_call_sites: Vec<CodeLocation>,
    /// Methods that class initialisers call.
    initial: BTreeSet<MethodId>,
    /// Successors of each site: the next instructions of its method, and the starts of its
    /// callees.
    next: BTreeMap<CodeLocation, Vec<CodeLocation>>,
    /// Successors of each call site in the same method.
    after: BTreeMap<CodeLocation, Vec<CodeLocation>>,
    known: RefCell<FxHashMap<CodeLocation, Rc<FxHashSet<CodeLocation>>>>,
}

impl Supergraph {
    /// Reads the code that calls of a class can lead to, `methods` included, and loads its
    /// classes. `None` if there are too many classes.
    pub fn read(
        vm: &mut Vm,
        class: ClassId,
        methods: &BTreeMap<MethodId, Listing>,
    ) -> Option<Supergraph> {
        let classes = nested_classes(vm, class);
        let mut graph = Supergraph {
            listings: methods.clone(),
            externally_callable: BTreeSet::new(),
            callers: BTreeMap::new(),
            unknown_call_sites: Vec::new(),
            initial: BTreeSet::new(),
            next: BTreeMap::new(),
            after: BTreeMap::new(),
            known: RefCell::default(),
            classes,
        };
        for other in program(vm, &graph.classes)? {
            for method in vm.class(other).methods.clone() {
                let is_initializer = vm.text(vm.method(method).name) == "<clinit>";
                if !is_initializer && let Ok(listing) = vm.listing(method) {
                    graph.listings.entry(method).or_insert(listing);
                }
            }
        }
        let called_back = graph.find_handed(vm);
        graph.link(vm, &called_back);
        Some(graph)
    }

    /// Finds the methods that unknown code may call; returns those that library code may call by
    /// itself.
    fn find_handed(&mut self, vm: &mut Vm) -> BTreeSet<MethodId> {
        let mut called_back = BTreeSet::new();
        for (&method, listing) in &self.listings {
            let this = vm.method(method);
            if this.flags & flags::PRIVATE == 0 && !this.is_static() {
                self.externally_callable.insert(method);
                if overrides_library(vm, method) {
                    called_back.insert(method);
                }
            }
            called_back.extend(lambda_bodies(vm, listing));
        }
        self.externally_callable.extend(&called_back);
        // Class initialisers are not in the graph: methods that they call count as called from
        // outside.
        for &class in &self.classes {
            let Some(listing) = initializer(vm, class) else {
                continue;
            };
            for listed in &listing.instructions {
                if let ListedOperation::Invoke(_, member) = &listed.step {
                    self.initial.extend(vm.named_method(member));
                }
            }
            self.externally_callable.extend(lambda_bodies(vm, &listing));
        }
        self.externally_callable.extend(&self.initial);
        called_back
    }

    /// Adds the edges.
    fn link(&mut self, vm: &mut Vm, called_back: &BTreeSet<MethodId>) {
        let mut hierarchy = ClassHierarchyAnalysis::default();
        let start = |&method: &MethodId| (method, 0);
        for (&method, listing) in &self.listings {
            let flow = ControlFlow::new(listing);
            for (number, listed) in listing.instructions.iter().enumerate() {
                let site = (method, listed.at);
                let to = flow.successors(number).map(|next| (method, flow.at(next)));
                let mut sites: Vec<CodeLocation> = to.collect();
                match &listed.step {
                    ListedOperation::Invoke(how, member) => {
                        self.after.insert(site, sites.clone());
                        let call = call(vm, *how, member);
                        let named = call.iter().map(|call| call.named());
                        let mut called: Vec<MethodId> = named.collect();
                        called.extend(call.iter().flat_map(|&call| hierarchy.targets(vm, call)));
                        let is_read = |called: &MethodId| self.listings.contains_key(called);
                        let is_known = call.is_some() && called.iter().all(is_read);
                        // A call of an abstract method leads to those implementations that have
                        // code.
                        called.retain(is_read);
                        sites.extend(called.iter().map(start));
                        for called in called {
                            let callers = self.callers.entry(called).or_default();
                            if !callers.contains(&method) {
                                callers.push(method);
                            }
                        }
                        if !is_known && !calls_no_program_code(member) {
                            self.unknown_call_sites.push(site);
                            sites.extend(called_back.iter().map(start));
                        }
                    }
                    // String concatenation calls `toString`, a method of a record may call
                    // `hashCode` or `equals`.
                    ListedOperation::Dynamic(..) => sites.extend(called_back.iter().map(start)),
                    _ => {}
                }
                self.next.insert(site, sites);
            }
        }
    }

    /// Whether the graph has the code of a method.
    #[must_use]
    pub fn has(&self, method: MethodId) -> bool {
        self.next.contains_key(&(method, 0))
    }

    /// Successors of a site, in the same method and in its callees.
    #[must_use]
    pub fn next(&self, site: CodeLocation) -> &[CodeLocation] {
        self.next.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Returns the sites that are reachable from a site, itself included, in its frame and the
    /// frames that it calls.
    pub fn reachable_from(&self, method: MethodId, at: u16) -> Rc<FxHashSet<CodeLocation>> {
        let start = (method, at);
        if let Some(known) = self.known.borrow().get(&start) {
            return Rc::clone(known);
        }
        let mut reached = FxHashSet::default();
        let mut open = vec![start];
        while let Some(site) = open.pop() {
            if reached.insert(site) {
                open.extend(self.next(site));
            }
        }
        let reached = Rc::new(reached);
        self.known.borrow_mut().insert(start, Rc::clone(&reached));
        reached
    }

    /// Whether a frame at the site can reach a wanted site. A frame that is not the top one is
    /// inside a call and continues behind it.
    #[must_use]
    pub fn reaches(
        &self,
        (method, at): CodeLocation,
        is_top: bool,
        wanted: &[CodeLocation],
    ) -> bool {
        let from = |method: MethodId, at: u16| {
            let reached = self.reachable_from(method, at);
            wanted.iter().any(|site| reached.contains(site))
        };
        match self.after.get(&(method, at)).filter(|_| !is_top) {
            None => from(method, at),
            Some(sites) => sites.iter().any(|&(method, at)| from(method, at)),
        }
    }

    /// Whether class initialisers may reach a site.
    #[must_use]
    pub fn is_initial(&self, site: CodeLocation) -> bool {
        let mut initial = self.initial.iter();
        initial.any(|&method| self.reachable_from(method, 0).contains(&site))
    }
}
