//! The control flow of a whole program, calls included: from a place in a method to others in it and in those that it
//! calls.
//!
//! **Invariant:** what is left out is not come to, but for what code calls that is not known: that is as if
//! somebody else called it. A call that may lead to several methods leads to all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    ControlFlow, Hierarchy, bodies, call, calls_nobody, initializer, overrides_library, program,
    within_home,
};

/// A place in code: the method, and a bytecode index.
pub type Site = (MethodId, u16);

/// The control flow of the code that calls of a class can lead to.
pub struct Supergraph {
    /// The classes that share a private member with the class: its outermost class and all in it.
    pub classes: Vec<ClassId>,
    /// The code of these and of all classes of the program that it leads to.
    pub listings: BTreeMap<MethodId, Listing>,
    /// Methods that library code may call, or that are handed to it.
    pub handed: BTreeSet<MethodId>,
    /// The methods that call each, as far as their code is here.
    pub callers: BTreeMap<MethodId, Vec<MethodId>>,
    /// Where it calls what may call anything: the library, on what it is not known.
    pub leaving: Vec<Site>,
    /// Methods that class initializers call.
    initial: BTreeSet<MethodId>,
    /// What comes next in the same method, instruction by instruction, and what is called.
    next: BTreeMap<Site, Vec<Site>>,
    /// Where a call is made, what comes next in the same method.
    after: BTreeMap<Site, Vec<Site>>,
    known: RefCell<FxHashMap<Site, Rc<FxHashSet<Site>>>>,
}

impl Supergraph {
    /// Reads the code that calls of a class can lead to, these methods among it; none if it is too much. Classes that
    /// it is in are loaded.
    pub fn read(
        vm: &mut Vm,
        class: ClassId,
        methods: &BTreeMap<MethodId, Listing>,
    ) -> Option<Supergraph> {
        let classes = within_home(vm, class);
        let mut graph = Supergraph {
            listings: methods.clone(),
            handed: BTreeSet::new(),
            callers: BTreeMap::new(),
            leaving: Vec::new(),
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

    /// Finds what others may call, and says what library code may call by itself.
    fn find_handed(&mut self, vm: &mut Vm) -> BTreeSet<MethodId> {
        let mut called_back = BTreeSet::new();
        for (&method, listing) in &self.listings {
            let this = vm.method(method);
            if this.flags & flags::PRIVATE == 0 && !this.is_static() {
                self.handed.insert(method);
                if overrides_library(vm, method) {
                    called_back.insert(method);
                }
            }
            called_back.extend(bodies(vm, listing));
        }
        self.handed.extend(&called_back);
        // Class initializers are no calls: what they call is called from without.
        for &class in &self.classes {
            let Some(listing) = initializer(vm, class) else {
                continue;
            };
            for listed in &listing.instructions {
                if let Step::Invoke(_, member) = &listed.step {
                    self.initial.extend(vm.named_method(member));
                }
            }
            self.handed.extend(bodies(vm, &listing));
        }
        self.handed.extend(&self.initial);
        called_back
    }

    /// Finds what comes after what.
    fn link(&mut self, vm: &mut Vm, called_back: &BTreeSet<MethodId>) {
        let mut hierarchy = Hierarchy::default();
        let start = |&method: &MethodId| (method, 0);
        for (&method, listing) in &self.listings {
            let flow = ControlFlow::new(listing);
            for (number, listed) in listing.instructions.iter().enumerate() {
                let site = (method, listed.at);
                let to = flow.successors(number).map(|next| (method, flow.at(next)));
                let mut sites: Vec<Site> = to.collect();
                match &listed.step {
                    Step::Invoke(how, member) => {
                        self.after.insert(site, sites.clone());
                        let call = call(vm, *how, member);
                        let named = call.iter().map(|call| call.named());
                        let mut called: Vec<MethodId> = named.collect();
                        called.extend(call.iter().flat_map(|&call| hierarchy.targets(vm, call)));
                        let is_read = |called: &MethodId| self.listings.contains_key(called);
                        let is_known = call.is_some() && called.iter().all(is_read);
                        // Of an abstract method these are the ones that have code.
                        called.retain(is_read);
                        sites.extend(called.iter().map(start));
                        for called in called {
                            let callers = self.callers.entry(called).or_default();
                            if !callers.contains(&method) {
                                callers.push(method);
                            }
                        }
                        if !is_known && !calls_nobody(member) {
                            self.leaving.push(site);
                            sites.extend(called_back.iter().map(start));
                        }
                    }
                    // A concatenation asks for texts, a record for hash codes.
                    Step::Dynamic(..) => sites.extend(called_back.iter().map(start)),
                    _ => {}
                }
                self.next.insert(site, sites);
            }
        }
    }

    /// Whether the code of a method is here.
    #[must_use]
    pub fn has(&self, method: MethodId) -> bool {
        self.next.contains_key(&(method, 0))
    }

    /// What comes next, in the same method and in those that are called.
    #[must_use]
    pub fn next(&self, site: Site) -> &[Site] {
        self.next.get(&site).map_or(&[], Vec::as_slice)
    }

    /// What can be come to from a place, itself included, in the frame that is there and those called.
    pub fn reachable_from(&self, method: MethodId, at: u16) -> Rc<FxHashSet<Site>> {
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

    /// Whether some of the sites can be come to in a frame that was last seen at a place. One below
    /// another frame is at a call: of that it makes it is past the beginning.
    #[must_use]
    pub fn reaches(&self, (method, at): Site, is_top: bool, wanted: &[Site]) -> bool {
        let from = |method: MethodId, at: u16| {
            let reached = self.reachable_from(method, at);
            wanted.iter().any(|site| reached.contains(site))
        };
        match self.after.get(&(method, at)).filter(|_| !is_top) {
            None => from(method, at),
            Some(sites) => sites.iter().any(|&(method, at)| from(method, at)),
        }
    }

    /// Whether class initializers could come by a site.
    #[must_use]
    pub fn is_initial(&self, site: Site) -> bool {
        let mut initial = self.initial.iter();
        initial.any(|&method| self.reachable_from(method, 0).contains(&site))
    }
}
