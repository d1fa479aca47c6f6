//! Exploration of every path of a method with symbolic inputs.
//!
//! Primitive inputs range over all values of their type, references over null, each other and new
//! objects within bounds. A path is the common behaviour of all inputs that satisfy its conditions.
//! Each is reported with its outcome and one such input.

mod cases;
mod cut;
mod input;
mod jobs;
mod universe;

use std::collections::BTreeMap;

use heapwright_code::PlaceReads;
use heapwright_explore::End;
use heapwright_explore::symbolic::{
    Assignment, Bound, EntryPoint, InputBounds, Limits, PathEnd, PathOutcome, Receiver, Statistics,
    SymbolicSearch, Universe,
};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::launch::LaunchError;
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Ref, Vm};

use crate::Error;
use crate::functional::{is_stub, with_lambdas};
use crate::statements::{concrete_methods, name_of, pick, without_receiver};
use crate::target::find_class;

pub use cases::InputCases;
pub(crate) use cases::{as_written, boxed, plain, written};
pub use cut::{CutBy, CutCounts};
pub use input::{Contents, InputValue, RunInput, RunObject, make, primitive};
pub(crate) use input::{instance_fields, make_with, named, read as read_input, slot_of};
pub use jobs::{Crew, explore};
pub(crate) use jobs::{Harvest, PartSearch, SymbolicPart, Taker, search};
pub use universe::ClassUniverse;

/// Parameters of an exploration.
#[derive(Clone, Debug)]
pub struct SymbolicRequest {
    /// Binary name of the class.
    pub class: String,
    /// Methods: `name`, or `name(int,java.lang.String)`; empty for all public ones.
    pub methods: Vec<String>,
    /// Bounds on inputs and runs.
    pub bounds: InputBounds,
    /// Limits of the solver.
    pub limits: Limits,
    /// Most instructions of one run.
    pub step_limit: u64,
    /// Whether paths include their conditions as scripts for solvers.
    pub scripts: bool,
    /// Whether paths whose states can be merged are one path.
    pub merges: bool,
}

/// Method whose paths are searched.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name with parameter types, such as `remove(int)`.
    pub name: String,
    entry: EntryPoint,
    classes: ClassUniverse,
    /// Names and kinds of the inputs.
    roots: Vec<(String, Kind)>,
    result: Kind,
}

/// Outcome of a path, as data.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The method returned nothing.
    ReturnedVoid,
    /// The method returned a primitive value: that under the model, and the general term if it
    /// varies on the path.
    Returned(Kind, u64, Option<String>),
    /// The method returned an object of this class, or null.
    ReturnedObject(Option<String>),
    /// The method threw an exception of this class.
    Threw(String),
    /// The path was abandoned because of this bound.
    Bounded(Bound),
    /// The described limit of one run was reached.
    Limit(String),
    /// The run met something that is refused, with a description.
    Refused(String),
}

/// Path of a method.
#[derive(Clone, Debug)]
pub struct Path {
    /// Outcome of the path.
    pub ending: Ending,
    /// Conditions of the path, in the order of decisions.
    pub conditions: Vec<String>,
    /// Input that takes the path; `None` if the solver found none within its limits.
    pub model: Option<RunInput>,
    /// Number of sides whose feasibility the solver could not decide.
    pub unknown: u32,
    /// Number of values fixed for lack of a term.
    pub fixed: u32,
    /// Causes of its early end, and of cuts beside it.
    pub cuts: Vec<CutBy>,
    /// Conditions as a script.
    pub script: Option<String>,
}

/// Result of the search over a method's paths.
#[derive(Clone, Debug)]
pub struct SymbolicReport {
    /// Reason for the end of the search.
    pub end: End,
    /// Number of paths.
    pub paths: u64,
    /// Paths abandoned because of a bound or a limit of one run.
    pub bounded: u64,
    /// Paths with a side whose feasibility the solver could not decide.
    pub unknown: u64,
    /// Paths on which a value was fixed.
    pub fixed: u64,
    /// Paths that met something that is refused.
    pub refused: u64,
    /// Number of decisions.
    pub decisions: u64,
    /// Statistics of the solvers of all workers.
    pub solver: Statistics,
    /// Places where values had to be fixed, with their frequencies.
    pub fixed_at: BTreeMap<String, u64>,
    /// Number of paths cut by each bound or limit.
    pub cut: CutCounts,
}

/// Resolves the methods that a request names.
///
/// # Errors
/// There is no such class or method, or it cannot be called.
pub fn targets(vm: &mut Vm, request: &SymbolicRequest) -> Result<Vec<Target>, Error> {
    targets_until(vm, request, &|| false)
}

/// Like [`targets`], unless `stops` ends the resolution.
///
/// # Errors
/// Same as [`targets`], or the resolution was stopped.
pub(crate) fn targets_until(
    vm: &mut Vm,
    request: &SymbolicRequest,
    stops: &dyn Fn() -> bool,
) -> Result<Vec<Target>, Error> {
    let class = find_class(vm, &request.class)?;
    vm.initialize_now(class).map_err(|reason| Error::BadClass {
        class: request.class.clone(),
        reason,
    })?;
    let callable = callable(vm, class);
    let chosen = match request.methods.is_empty() {
        true => public_methods(vm, class, callable),
        false => pick(vm, class, &callable, callable.len(), &request.methods)?,
    };
    let target = |method: MethodId| match stops() {
        true => Err(Error::Stopped),
        false => target(vm, class, method, InputKinds::Lambdas),
    };
    chosen.into_iter().map(target).collect()
}

/// Runnable methods: instance methods, then constructors and static ones; of JDK classes the public
/// ones.
fn callable(vm: &Vm, class: ClassId) -> Vec<MethodId> {
    let mut callable = concrete_methods(vm, class);
    callable.extend(without_receiver(vm, class));
    callable.retain(|&method| {
        let this = vm.method(method);
        vm.is_app_class(this.class) || this.flags & flags::PUBLIC != 0
    });
    callable
}

/// Public methods that need no object of an abstract class. Library methods inherited by a class of
/// the program are left out.
fn public_methods(vm: &Vm, class: ClassId, mut callable: Vec<MethodId>) -> Vec<MethodId> {
    let (is_abstract, is_own) = (vm.class(class).is_abstract(), vm.is_app_class(class));
    callable.retain(|&method| {
        let this = vm.method(method);
        this.flags & flags::PUBLIC != 0
            && (this.is_static() || !is_abstract)
            && vm.is_app_class(this.class) == is_own
    });
    callable
}

/// Kinds of objects of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputKinds {
    /// Objects of classes.
    Objects,
    /// Objects of classes, and lambdas of interfaces that no class implements.
    Lambdas,
}

fn target(
    vm: &mut Vm,
    class: ClassId,
    method: MethodId,
    inputs: InputKinds,
) -> Result<Target, Error> {
    let name = name_of(vm, method);
    let this = vm.method(method);
    let (is_static, is_constructor) = (this.is_static(), vm.text(this.name) == "<init>");
    let receiver = match (is_static, is_constructor) {
        (true, _) => Receiver::None,
        (_, true) => Receiver::Blank(class),
        _ => Receiver::Open(class),
    };
    if !is_static && vm.class(class).is_abstract() {
        return Err(Error::BadClass {
            class: vm.binary_name(class),
            reason: format!("it is abstract, and {name} needs an object: name a subclass"),
        });
    }
    let descriptor = vm.text(this.descriptor).to_owned();
    let (parameters, result) = descriptor::split_method(&descriptor).unwrap_or_default();
    let mut parameters: Vec<String> = parameters.into_iter().map(str::to_owned).collect();
    let names = vm.parameter_names(method);
    let names: Vec<String> = (0..parameters.len())
        .map(|place| {
            let known = names.get(place).and_then(Option::as_deref);
            known.map_or_else(|| format!("arg{place}"), str::to_owned)
        })
        .collect();
    let open = matches!(receiver, Receiver::Open(_)).then_some(class);
    let classes = match inputs {
        InputKinds::Objects => ClassUniverse::reachable(vm, class, open, &parameters)?,
        InputKinds::Lambdas => {
            ClassUniverse::with_lambdas(vm, class, open, method, &mut parameters)?
        }
    };
    let mut roots = Vec::new();
    if open.is_some() {
        roots.push(("this".to_owned(), Kind::Reference));
    }
    let kinds = parameters.iter().map(|parameter| Kind::of(parameter));
    roots.extend(names.iter().cloned().zip(kinds));
    Ok(Target {
        name,
        result: Kind::of(result),
        entry: EntryPoint {
            method,
            receiver,
            parameters,
            names,
            precondition: None,
            command_line: None,
            predicate: None,
        },
        classes,
        roots,
    })
}

/// Resolves a method of a class, with open receiver and arguments.
///
/// # Errors
/// The class is abstract or invalid.
pub(crate) fn target_of(vm: &mut Vm, class: ClassId, method: MethodId) -> Result<Target, Error> {
    target(vm, class, method, InputKinds::Objects)
}

/// Resolves the `main` method of a class, with these arguments. The program asks for its inputs by
/// itself.
///
/// # Errors
/// There is no such class or method, or the class is invalid.
pub(crate) fn program(vm: &mut Vm, class: &str, arguments: &[String]) -> Result<Target, Error> {
    let starter = vm.main_starter(class).map_err(|error| match error {
        LaunchError::NoClass(class) => Error::ClassNotFound(class),
        error => Error::BadClass {
            class: class.to_owned(),
            reason: error.to_string(),
        },
    })?;
    let class = vm.method(starter).class;
    let texts = ["Ljava/lang/String;".to_owned()];
    Ok(Target {
        name: "main(java.lang.String[])".to_owned(),
        result: Kind::Void,
        entry: EntryPoint {
            method: starter,
            receiver: Receiver::None,
            parameters: Vec::new(),
            names: Vec::new(),
            precondition: None,
            command_line: Some(arguments.to_vec()),
            predicate: None,
        },
        classes: ClassUniverse::reachable(vm, class, None, &texts)?,
        roots: Vec::new(),
    })
}

/// Resolves an invariant of a class, with an open receiver.
///
/// # Errors
/// The class is abstract or invalid.
pub(crate) fn predicate(vm: &mut Vm, class: ClassId, method: MethodId) -> Result<Target, Error> {
    let mut target = target(vm, class, method, InputKinds::Objects)?;
    target.entry.predicate = Some(PlaceReads::of(vm, class, method));
    Ok(target)
}

impl Target {
    /// What the method reads; anything, unless it is a predicate.
    pub(crate) fn predicate_reads(&self) -> &PlaceReads {
        self.entry.predicate.as_ref().unwrap_or(&PlaceReads::All)
    }

    /// Universe of the inputs.
    pub(crate) fn universe(&self) -> &ClassUniverse {
        &self.classes
    }

    /// Method that a call on these slots of a receiver and arguments runs, and its slots: those of a
    /// new object and of a command line are added.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn call_on(&self, vm: &mut Vm, slots: &[u64]) -> Result<(MethodId, Vec<u64>), Exit> {
        let (mut method, mut slots) = (self.entry.method, slots.to_vec());
        match self.entry.receiver {
            Receiver::None => {}
            Receiver::Open(_) => {
                let class = vm.heap.class_of(Ref::from_slot(slots[0]));
                method = vm.select(class, method).unwrap_or(method);
            }
            Receiver::Blank(class) => {
                let words = vm.class(class).instance_words;
                let made = vm.heap.allocate(class, words, false);
                slots.insert(0, made.map_err(|_| Exit::Limit(Limit::Heap))?.slot());
            }
        }
        if let Some(texts) = &self.entry.command_line {
            slots.push(vm.texts(texts)?.slot());
        }
        Ok((method, slots))
    }

    /// Reads the inputs of the current path under a model.
    pub(crate) fn input(
        &self,
        vm: &mut Vm,
        search: &SymbolicSearch<'_>,
        model: &Assignment,
    ) -> RunInput {
        input::read(vm, search, &self.classes, &self.roots, model)
    }

    /// Reads the inputs of the current path under a model, and the values of further slots.
    pub(crate) fn input_with(
        &self,
        vm: &mut Vm,
        search: &SymbolicSearch<'_>,
        model: &Assignment,
        further: &[(Kind, u64)],
    ) -> (Vec<InputValue>, RunInput) {
        input::read_with(vm, search, &self.classes, &self.roots, model, further)
    }

    /// Restricts the inputs to receivers that satisfy a predicate.
    pub(crate) fn require(&mut self, predicate: MethodId) {
        if matches!(self.entry.receiver, Receiver::Open(_)) {
            self.entry.precondition = Some(predicate);
        }
    }

    /// Method whose paths are searched.
    #[must_use]
    pub fn method(&self) -> MethodId {
        self.entry.method
    }

    /// Classes of which no object can be created, each with the reason.
    #[must_use]
    pub fn refused_classes(&self) -> &[(String, String)] {
        &self.classes.refused
    }

    /// Creates a search over the paths.
    #[must_use]
    pub fn search<'a>(&'a self, request: &SymbolicRequest) -> SymbolicSearch<'a> {
        let mut search = SymbolicSearch::new(
            &self.entry,
            &self.classes,
            request.bounds,
            request.limits,
            request.step_limit,
        );
        search.merge_states(request.merges);
        search
    }

    /// Creates a search over the paths with another universe of inputs.
    pub(crate) fn search_in<'a>(
        &'a self,
        universe: &'a dyn Universe,
        bounds: InputBounds,
        limits: Limits,
        step_limit: u64,
    ) -> SymbolicSearch<'a> {
        SymbolicSearch::new(&self.entry, universe, bounds, limits, step_limit)
    }

    /// Returns the current path as data.
    #[must_use]
    pub fn path(
        &self,
        vm: &mut Vm,
        end: &PathEnd,
        search: &SymbolicSearch<'_>,
        with_script: bool,
    ) -> Path {
        let model = end
            .model
            .as_ref()
            .map(|model| input::read(vm, search, &self.classes, &self.roots, model));
        let conditions = search.decision_texts(vm).into_iter();
        Path {
            ending: self.ending(vm, end, search),
            conditions: conditions
                .map(|condition| with_lambdas(&condition))
                .collect(),
            model,
            unknown: end.unknown,
            fixed: end.fixed,
            cuts: CutBy::of(end),
            script: with_script.then(|| search.script()),
        }
    }

    fn ending(&self, vm: &Vm, end: &PathEnd, search: &SymbolicSearch<'_>) -> Ending {
        match &end.outcome {
            PathOutcome::Threw(exception) => {
                Ending::Threw(vm.binary_name(vm.heap.class_of(*exception)))
            }
            PathOutcome::Bounded(bound) => Ending::Bounded(*bound),
            PathOutcome::Limit(limit) => Ending::Limit(limit_text(*limit)),
            PathOutcome::Refused(reason)
            | PathOutcome::Exited(reason)
            | PathOutcome::Deadlocked(reason)
            | PathOutcome::Unmade(reason) => Ending::Refused(reason.clone()),
            PathOutcome::Returned(_) if self.result == Kind::Void => Ending::ReturnedVoid,
            PathOutcome::Returned(slot) => {
                let default = Default::default();
                let model = end.model.as_ref().unwrap_or(&default);
                let value = search.value(*slot, model);
                if self.result != Kind::Reference {
                    let term = search.term_of(*slot).map(|term| search.text(term));
                    return Ending::Returned(self.result, value.unwrap_or_default(), term);
                }
                let object = value.map(Ref::from_slot).filter(|object| !object.is_null());
                let class = object.map(|object| vm.heap.class_of(object));
                let class = class.or_else(|| value.is_none().then(|| search.bound_of(*slot))?);
                let name = |class| match is_stub(vm, class) {
                    true => "lambda".to_owned(),
                    false => vm.binary_name(class),
                };
                Ending::ReturnedObject(class.map(name))
            }
        }
    }
}

/// Description of a limit of one run, with the option that sets it.
pub(crate) fn limit_text(limit: Limit) -> String {
    match limit {
        Limit::Steps => format!("{limit} (--max-steps)"),
        Limit::Heap => format!("{limit} (--max-memory)"),
        Limit::ArrayLength => format!("{limit} (--max-array)"),
        Limit::Monitor => limit.to_string(),
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::ReturnedVoid => f.write_str("returns"),
            Ending::Returned(kind, slot, _) => write!(f, "returns {}", primitive(*kind, *slot)),
            Ending::ReturnedObject(None) => f.write_str("returns null"),
            Ending::ReturnedObject(Some(class)) => write!(f, "returns a {class}"),
            Ending::Threw(class) => write!(f, "throws {class}"),
            Ending::Bounded(Bound::Loops) => f.write_str("not followed: --loop-k"),
            Ending::Bounded(Bound::Decisions) => f.write_str("not followed: --max-decisions"),
            Ending::Bounded(Bound::Values) => f.write_str("not followed: --max-values"),
            Ending::Bounded(Bound::Work) => f.write_str("not followed: too much work"),
            Ending::Limit(limit) => write!(f, "stopped: {limit}"),
            Ending::Refused(reason) => write!(f, "refused: {reason}"),
        }
    }
}
