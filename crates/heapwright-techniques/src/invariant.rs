//! Bounded exhaustive generation from an invariant (Korat): all structures within the bounds that
//! the class's predicate accepts, up to isomorphism.

use std::ops::ControlFlow;

use heapwright_explore::{
    Count, Coverage, Criterion, Cube, Dependence, End, Explorer, KoratSearch, LazySearch, Leaf,
    Progress, Search, SearchCallback, StateSpace, Strategy, Tree, Visitor, dependence,
};
use heapwright_jvm::{ClassId, Exit, MethodId, Vm};
use heapwright_suite::InvariantSig;
use serde::{Deserialize, Serialize};

use crate::adjust::Adjustments;
use crate::bounds::Bounds;
use crate::symbolic::limit_text;
use crate::{Error, derive, finitization, read, target};

/// Number of innermost frames shown for a refused operation.
const FRAMES: usize = 8;

/// Source of the bounds.
#[derive(Clone, Debug)]
pub enum BoundsRequest {
    /// A finitization method with its arguments; by default the class's usual one.
    Finitization {
        /// Its name.
        name: Option<String>,
        /// Its arguments, as texts.
        arguments: Vec<String>,
    },
    /// Bounds derived from a number of objects per class.
    Scope(u32),
    /// The same, with the user's adjustments.
    Adjusted(u32, Adjustments),
}

/// A method that partitions structures into equivalence classes.
#[derive(Clone, Debug)]
pub struct CriterionRequest {
    /// Its name.
    pub method: String,
    /// Whether candidates are skipped that belong to a class already covered.
    pub prunes: bool,
}

/// A request for generation.
#[derive(Clone, Debug)]
pub struct StructuresRequest {
    /// The binary name of the class.
    pub class: String,
    /// The name of its invariant, unless it is a usual one.
    pub invariant: Option<String>,
    /// The bounds.
    pub bounds: BoundsRequest,
    /// The criterion of equivalence classes, if any.
    pub criterion: Option<CriterionRequest>,
    /// Maximum number of instructions of one run of the invariant.
    pub step_limit: u64,
}

/// A search ready to run.
pub struct Enumeration {
    /// The class under test.
    pub class: ClassId,
    /// Its invariant.
    pub invariant: MethodId,
    /// The bounds.
    pub bounds: Bounds,
    /// The state space.
    pub space: StateSpace,
    /// The criterion, and whether it prunes.
    pub criterion: Option<(Criterion, bool)>,
    step_limit: u64,
}

/// An exception or refusal of an invariant, for a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantIncident {
    /// The number of the first leaf where it occurred, from 1; in Korat's order, the candidate's
    /// number.
    #[serde(with = "crate::digits")]
    pub leaf: Count,
    /// The exception with its innermost frames, or the refusal.
    pub text: String,
}

/// Result of a search, without the structures.
#[derive(Clone, Debug)]
pub struct EnumerationOutcome {
    /// The counts.
    pub progress: Progress,
    /// The outcome of the search.
    pub end: End,
    /// The invariant's first exception.
    pub thrown: Option<InvariantIncident>,
    /// The invariant's first refused operation.
    pub refused: Option<InvariantIncident>,
    /// The coverage of the criterion's classes, if there is one.
    pub coverage: Option<Coverage>,
    /// The method that was running if a limit ended the search.
    pub last_run: MethodId,
}

impl Enumeration {
    /// Finds the class and its invariant, determines the bounds and creates the objects.
    ///
    /// # Errors
    /// Something named does not exist, or the bounds cannot be searched.
    pub fn prepare(vm: &mut Vm, request: &StructuresRequest) -> Result<Enumeration, Error> {
        let class = target::find_class(vm, &request.class)?;
        let invariant = target::find_invariant(vm, class, request.invariant.as_deref())?;
        vm.limit_steps(request.step_limit);
        let bounds = match &request.bounds {
            BoundsRequest::Finitization { name, arguments } => {
                let name = name
                    .clone()
                    .unwrap_or_else(|| finitization::default_name(vm, class));
                let method = finitization::find(vm, class, &name, arguments.len())?;
                finitization::run(vm, method, arguments)?
            }
            BoundsRequest::Scope(scope) => {
                derive::bounds(vm, class, *scope, &Adjustments::default())?
            }
            BoundsRequest::Adjusted(scope, adjustments) => {
                derive::bounds(vm, class, *scope, adjustments)?
            }
        };
        let space = bounds.build(vm)?;
        vm.limit_steps(u64::MAX);
        // The root's class may differ from the named one if a finitization says so.
        let root_class = vm.heap.class_of(space.root);
        let invariant = if vm.is_subclass(root_class, class) {
            vm.select(root_class, invariant).unwrap_or(invariant)
        } else {
            target::find_invariant(vm, root_class, request.invariant.as_deref())?
        };
        let criterion = match &request.criterion {
            Some(criterion) => {
                let method = target::find_criterion(vm, root_class, &criterion.method)?;
                Some((Criterion::new(method), criterion.prunes))
            }
            None => None,
        };
        Ok(Enumeration {
            class: root_class,
            invariant,
            bounds,
            space,
            criterion,
            step_limit: request.step_limit,
        })
    }

    /// Checks on the first candidates that the invariant's result depends on the structure alone.
    ///
    /// # Errors
    /// It depends on identity hash codes or on the clock.
    pub fn look_for_dependence(&self, vm: &mut Vm) -> Result<(), Error> {
        let what = match dependence(&self.space, self.invariant, vm) {
            None => return Ok(()),
            Some(Dependence::IdentityHashes) => "identity hash codes",
            Some(Dependence::Clock) => "the clock",
        };
        Err(Error::Nondeterministic {
            method: vm.method_text(self.invariant),
            what,
        })
    }

    /// Returns the invariant's signature for tests; `None` if there is none and every structure is
    /// valid.
    #[must_use]
    pub fn invariant_sig(&self, vm: &Vm) -> Option<InvariantSig> {
        let method = vm.method(self.invariant);
        (!method.is_static()).then(|| InvariantSig {
            declaring_class: vm.binary_name(method.class),
            name: vm.text(method.name).to_owned(),
            access: read::access(method.flags),
        })
    }

    /// Counts the structures without enumerating those between which the invariant does not
    /// distinguish. `ask` may end the search; it is called every few hundredths of a second.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn count(
        &self,
        vm: &mut Vm,
        strategy: Strategy,
        mut ask: impl FnMut(&dyn Search) -> ControlFlow<()>,
    ) -> Result<EnumerationOutcome, Error> {
        let mut search = self.explorer(strategy, true);
        self.run(
            vm,
            &mut *search,
            &mut |search| ask(search),
            &mut |_, _, _| ControlFlow::Continue(()),
        )
    }

    /// Searches, and calls `visit` at each leaf with the machine in that state. At a leaf that
    /// represents valid structures, it is called once for each. `visit` may end the search, as may
    /// `ask`, which is called every few hundredths of a second. Afterwards the machine's state is
    /// restored.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn search(
        &self,
        vm: &mut Vm,
        strategy: Strategy,
        mut ask: impl FnMut(&dyn Search) -> ControlFlow<()>,
        mut visit: impl FnMut(&mut Vm, &Leaf, &dyn Search) -> ControlFlow<()>,
    ) -> Result<EnumerationOutcome, Error> {
        let mut search = self.explorer(strategy, false);
        self.run(vm, &mut *search, &mut |search| ask(search), &mut visit)
    }

    /// Creates a search, for counts alone or for structures.
    #[must_use]
    pub fn explorer(&self, strategy: Strategy, counts_only: bool) -> Box<dyn Explorer + '_> {
        match (strategy, counts_only) {
            (Strategy::Korat, true) => Box::new(self.new_korat().counts_only()),
            (Strategy::Korat, false) => Box::new(self.new_korat()),
            (Strategy::Lazy, true) => Box::new(self.new_lazy().counts_only()),
            (Strategy::Lazy, false) => Box::new(self.new_lazy()),
        }
    }

    /// Runs a search on its part of the tree.
    ///
    /// # Errors
    /// The invariant cannot be called, or the part does not belong to this search.
    pub fn run(
        &self,
        vm: &mut Vm,
        search: &mut dyn Explorer,
        ask: &mut SearchCallback<'_>,
        visit: &mut Visitor<'_>,
    ) -> Result<EnumerationOutcome, Error> {
        let mut mishaps = Mishaps::default();
        let end = search.explore(vm, ask, &mut |vm, leaf, search| {
            mishaps.note(vm, leaf, search);
            visit(vm, leaf, search)
        })?;
        Ok(self.outcome(search, end, mishaps))
    }

    /// Does the same as [`Enumeration::search`] in Korat's order, with access to the choices.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn search_korat(
        &self,
        vm: &mut Vm,
        mut ask: impl FnMut(&KoratSearch<'_>) -> ControlFlow<()>,
        mut visit: impl FnMut(&mut Vm, &Leaf, &KoratSearch<'_>) -> ControlFlow<()>,
    ) -> Result<EnumerationOutcome, Error> {
        let mut search = self.new_korat();
        let mut mishaps = Mishaps::default();
        let end = search.run(vm, &mut |search| ask(search), &mut |vm, leaf, search| {
            mishaps.note(vm, leaf, search);
            visit(vm, leaf, search)
        })?;
        Ok(self.outcome(&search, end, mishaps))
    }

    /// Creates a lazy search that visits cubes without expanding them.
    #[must_use]
    pub fn cubes(&self) -> LazySearch<'_> {
        self.new_lazy().by_cubes()
    }

    /// Does the same as [`Enumeration::search`], with a search that visits cubes without expanding
    /// them.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn search_cubes(
        &self,
        vm: &mut Vm,
        search: &mut LazySearch<'_>,
        mut ask: impl FnMut(&mut dyn Search) -> ControlFlow<()>,
        mut visit: impl FnMut(&mut Vm, &mut Cube<'_, '_>) -> ControlFlow<()>,
    ) -> Result<EnumerationOutcome, Error> {
        let mut mishaps = Mishaps::default();
        let end = search.run(vm, &mut |search| ask(search), &mut |vm, leaf, search| {
            mishaps.note(vm, leaf, search);
            match search.cube() {
                Some(mut cube) => visit(vm, &mut cube),
                None => ControlFlow::Continue(()),
            }
        })?;
        Ok(self.outcome(search, end, mishaps))
    }

    fn new_korat(&self) -> KoratSearch<'_> {
        let search = KoratSearch::new(&self.space, self.invariant, self.step_limit);
        match self.criterion {
            Some((criterion, prunes)) => search.with_criterion(criterion, prunes),
            None => search,
        }
    }

    fn new_lazy(&self) -> LazySearch<'_> {
        let search = LazySearch::new(&self.space, self.invariant, self.step_limit);
        match self.criterion {
            Some((criterion, prunes)) => search.with_criterion(criterion, prunes),
            None => search,
        }
    }

    fn outcome<S: Search + ?Sized>(
        &self,
        search: &S,
        end: End,
        mishaps: Mishaps,
    ) -> EnumerationOutcome {
        let last_run = match self.criterion {
            Some((criterion, _)) if search.stopped_in_criterion() => criterion.method(),
            _ => self.invariant,
        };
        EnumerationOutcome {
            progress: search.progress().clone(),
            end,
            thrown: mishaps.thrown,
            refused: mishaps.refused,
            coverage: search.coverage().cloned(),
            last_run,
        }
    }
}

/// The first exception and the first refusal of an invariant.
#[derive(Default)]
struct Mishaps {
    thrown: Option<InvariantIncident>,
    refused: Option<InvariantIncident>,
}

impl Mishaps {
    fn note(&mut self, vm: &mut Vm, leaf: &Leaf, search: &dyn Search) {
        match leaf {
            Leaf::Threw(exception) if self.thrown.is_none() => {
                self.thrown = Some(InvariantIncident {
                    leaf: search.leaf(),
                    text: vm.exit_text(&Exit::Threw(*exception)),
                });
            }
            Leaf::Refused(exit) if self.refused.is_none() => {
                let mut text = match **exit {
                    Exit::Limit(limit) => limit_text(limit),
                    _ => vm.exit_text(exit),
                };
                for place in vm.running_at().into_iter().take(FRAMES) {
                    text.push_str(&format!("\n    at {place}"));
                }
                self.refused = Some(InvariantIncident {
                    leaf: search.leaf(),
                    text,
                });
            }
            _ => {}
        }
    }
}
