//! Bounded exhaustive generation from an invariant (Korat): every structure within the bounds that
//! the class's own predicate accepts, up to isomorphism.

use std::ops::ControlFlow;

use heapwright_explore::{KoratSearch, Leaf, Progress, StateSpace};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::InvariantSig;

use crate::bounds::Bounds;
use crate::{Error, derive, finitization, read, target};

/// Where the bounds come from.
#[derive(Clone, Debug)]
pub enum BoundsRequest {
    /// A finitization method, the class's default one if none is named, with its arguments.
    Finitization {
        /// Its name.
        name: Option<String>,
        /// Its arguments, as texts.
        arguments: Vec<String>,
    },
    /// Bounds derived from a number of objects a class.
    Scope(u32),
}

/// What is to be generated.
#[derive(Clone, Debug)]
pub struct Request {
    /// The binary name of the class.
    pub class: String,
    /// The name of its invariant, if it is none of the usual ones.
    pub invariant: Option<String>,
    /// The bounds.
    pub bounds: BoundsRequest,
    /// Most instructions of one run of the invariant.
    pub step_limit: u64,
}

/// A search that is ready to run.
pub struct Enumeration {
    /// The class under test.
    pub class: ClassId,
    /// Its invariant.
    pub invariant: MethodId,
    /// The bounds.
    pub bounds: Bounds,
    /// What is chosen.
    pub space: StateSpace,
    step_limit: u64,
}

/// The exception that an invariant threw, for a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// The number of the first candidate on which it did, from 1.
    pub candidate: u64,
    /// The exception with the innermost frames.
    pub text: String,
}

/// What a search found, its structures apart.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The counts.
    pub progress: Progress,
    /// Whether the whole space was searched.
    pub is_complete: bool,
    /// The first exception of the invariant.
    pub thrown: Option<Thrown>,
}

impl Enumeration {
    /// Finds the class and its invariant, works out the bounds and makes the objects.
    ///
    /// # Errors
    /// Something that is named does not exist, or the bounds cannot be searched.
    pub fn prepare(vm: &mut Vm, request: &Request) -> Result<Enumeration, Error> {
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
            BoundsRequest::Scope(scope) => derive::bounds(vm, class, *scope)?,
        };
        let space = bounds.build(vm)?;
        vm.limit_steps(u64::MAX);
        // The root may be of another class than was named: the finitization decides.
        let root_class = vm.heap.class_of(space.root);
        let invariant = if vm.is_subclass(root_class, class) {
            vm.select(root_class, invariant).unwrap_or(invariant)
        } else {
            target::find_invariant(vm, root_class, request.invariant.as_deref())?
        };
        Ok(Enumeration {
            class: root_class,
            invariant,
            bounds,
            space,
            step_limit: request.step_limit,
        })
    }

    /// What tests must know of the invariant.
    #[must_use]
    pub fn invariant_sig(&self, vm: &Vm) -> InvariantSig {
        let method = vm.method(self.invariant);
        InvariantSig {
            declaring_class: vm.binary_name(method.class),
            name: vm.text(method.name).to_owned(),
            access: read::access(method.flags),
        }
    }

    /// Counts the structures without going through those that differ only in what the invariant
    /// does not read.
    ///
    /// # Errors
    /// A run of the invariant came to no answer.
    pub fn count(&self, vm: &mut Vm) -> Result<Outcome, Error> {
        let search = KoratSearch::new(&self.space, self.invariant, self.step_limit).counts_only();
        self.run(vm, search, |_, _, _| ControlFlow::Continue(()))
    }

    /// Searches in Korat's order; `visit` is called at each valid structure, the machine standing
    /// there, with its root, and may end the search. Afterwards the machine stands where it stood.
    ///
    /// # Errors
    /// A run of the invariant came to no answer.
    pub fn search(
        &self,
        vm: &mut Vm,
        visit: impl FnMut(&mut Vm, Ref, &Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let search = KoratSearch::new(&self.space, self.invariant, self.step_limit);
        self.run(vm, search, visit)
    }

    fn run(
        &self,
        vm: &mut Vm,
        mut search: KoratSearch<'_>,
        mut visit: impl FnMut(&mut Vm, Ref, &Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let mut thrown = None;
        let mut is_complete = true;
        search.run(vm, |vm, leaf, progress| {
            let step = match leaf {
                Leaf::Valid => visit(vm, self.space.root, progress),
                Leaf::Threw(exception) if thrown.is_none() => {
                    let text = vm.exit_text(&heapwright_jvm::Exit::Threw(*exception));
                    thrown = Some(Thrown {
                        candidate: progress.explored,
                        text,
                    });
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Continue(()),
            };
            is_complete &= step.is_continue();
            step
        })?;
        Ok(Outcome {
            progress: search.progress(),
            is_complete,
            thrown,
        })
    }
}
