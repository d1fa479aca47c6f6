//! Bounded exhaustive generation from the API (BEAPI, Politano et al. 2023): every structure that calls
//! of the classes' own public methods build within a scope, each with a shortest sequence of calls
//! that builds it. No invariant is needed.
//!
//! An iteration makes all calls with at least one structure that the last one found, and all that
//! need none; what a call leaves is kept if it is new up to isomorphism ([`Canonicalizer`]). The
//! search ends with the iteration that finds nothing new.
//!
//! [`Caller`] makes the calls on one machine; [`Search`] is the loop around it, on one machine or
//! many.

mod caller;
mod cases;
mod checks;
mod constants;
mod findings;
mod operations;
mod parallel;
mod paths;
mod pools;
mod search;
mod sequence;
mod shape;
mod steady;
mod trial;
mod values;
mod violations;
mod written;

use std::sync::Arc;

use heapwright_explore::{Canonicalizer, ClassNumbers, Omits, SizeLimits};
use heapwright_jvm::Vm;
use regex::Regex;

use crate::misuse::{Misuse, MisuseRule};
use crate::{Error, target};

pub use caller::{Break, Caller};
pub use cases::Cases;
pub use checks::{Checks, ChecksRequest, InvariantCheck, Violation, Wrong};
pub use findings::{Fault, Finding, Findings, Tally};
pub use operations::{Form, Operation, Skipped, Source, expression, method_name, short_name};
pub(crate) use operations::{callables, names_of, shown};
pub use parallel::More;
pub use paths::Paths;
pub use pools::{Built, Origin, Output, Pool, Pools};
pub use search::{Ask, Ended, Extension, Outcome, Progress, Search};
pub use sequence::{Argument, Call, Sequence};
pub use shape::shape;
pub use trial::{Machines, Trial};
pub use values::{Literals, Values};
pub use violations::of_pairs;

/// Most instructions of a call as long as nobody says more: calls on small structures take some
/// hundreds.
pub const STEP_LIMIT: u64 = 200_000;

/// The fields that are omitted as long as nobody says more.
pub const OMITTED_FIELDS: &str = "modCount|serialVersionUID";

/// What is to be built, from what.
#[derive(Clone, Debug)]
pub struct Request {
    /// The classes in play, by binary name; the structures of the first are what is asked for.
    pub classes: Vec<String>,
    /// Regular expressions of the methods that are called: of `a.B.<init>()`, `a.B.add(int)`, or the
    /// same without the class, or the name alone. None for all public ones.
    pub methods: Vec<String>,
    /// How large structures may be.
    pub limits: SizeLimits,
    /// What arguments range over.
    pub values: Values,
    /// A regular expression of the fields that are omitted, of their name alone or with the class's
    /// binary name before it.
    pub omitted_fields: String,
    /// Which exceptions discard a sequence.
    pub misuse: MisuseRule,
    /// What is checked on every structure.
    pub checks: ChecksRequest,
    /// Whether a structure that was built before is discarded.
    pub matching: bool,
    /// Most iterations: a structure takes at most so many calls on itself.
    pub max_length: Option<u32>,
    /// Where that is not said: after each so many iterations the search goes on only if the last one
    /// found fewer structures than the last one of those before; `None` for ever.
    pub patience: Option<u32>,
    /// Most instructions of one call.
    pub step_limit: u64,
}

impl Request {
    /// A request for the structures of a class up to a scope: at most so many objects of each class
    /// in a structure, integers below it; arrays to a length of 16 if that is more, with at most so
    /// many elements that are not null. Not every API has an end: after thrice the scope, as in the
    /// published runs, but no fewer than 16 iterations the search goes on as long as it finds less and less.
    #[must_use]
    pub fn up_to(class: &str, scope: u32) -> Request {
        Request {
            classes: vec![class.to_owned()],
            methods: Vec::new(),
            limits: SizeLimits {
                objects: scope,
                objects_of: Default::default(),
                array_length: scope.max(16),
                array_objects: scope,
            },
            values: Values::up_to(scope),
            omitted_fields: OMITTED_FIELDS.to_owned(),
            misuse: MisuseRule::Usual,
            checks: ChecksRequest::default(),
            matching: true,
            max_length: None,
            patience: Some((3 * scope).max(16)),
            step_limit: STEP_LIMIT,
        }
    }
}

/// A machine that is ready to make the calls of a request.
pub struct Prepared {
    /// What makes the calls.
    pub caller: Caller,
    /// Methods that take part in nothing.
    pub skipped: Vec<Skipped>,
    /// The values, for those who write them.
    pub literals: Literals,
    /// The binary name of the class whose structures are asked for.
    pub class: String,
}

impl Prepared {
    /// Finds the classes and methods and makes the values. `numbers` is the same for all machines of
    /// a search.
    ///
    /// # Errors
    /// Something that is named does not exist or cannot be used, or no instance can be made.
    pub fn new(
        vm: &mut Vm,
        request: &Request,
        numbers: &Arc<ClassNumbers>,
    ) -> Result<Prepared, Error> {
        let mut classes = Vec::new();
        for name in &request.classes {
            let class = target::find_class(vm, name)?;
            vm.initialize_now(class).map_err(|reason| Error::BadClass {
                class: name.clone(),
                reason,
            })?;
            classes.push(class);
        }
        let mut expressions = Vec::new();
        for text in &request.methods {
            expressions.push(expression(text)?);
        }
        let mut literals = Literals::new(request.values.clone(), classes[0]);
        literals.take_constants(vm)?;
        let (operations, skipped) =
            operations::operations(vm, &classes, &expressions, &mut literals)?;
        let class = request.classes.first().cloned().unwrap_or_default();
        if !operations
            .iter()
            .any(|operation| operation.structures.is_empty())
        {
            return Err(Error::BadClass {
                class,
                reason: no_instance(&skipped),
            });
        }
        let misuse = Misuse::new(vm, &request.misuse)?;
        let omits = omits(&request.omitted_fields)?;
        let mut canonicalizer =
            Canonicalizer::new(vm, Arc::clone(numbers), omits, request.limits.clone());
        for &(kind, slot, object) in &literals.boxes {
            canonicalizer.use_box(kind, slot, object);
        }
        let checks = Checks::new(vm, classes[0], &request.checks)?;
        let mut caller = Caller::new(
            operations,
            classes,
            canonicalizer,
            misuse,
            request.step_limit,
        );
        caller.checks = checks;
        Ok(Prepared {
            caller,
            skipped,
            literals,
            class,
        })
    }

    /// Initialises classes for good, so that no call does it again.
    pub fn initialize(&mut self, vm: &mut Vm, names: &[String]) {
        for name in names {
            if let Ok(class) = vm.load_class(name) {
                // A failure shows again, in its place, when a call needs the class.
                let _ = vm.initialize_now(class);
            }
        }
        self.caller.canonicalizer.set_base(vm);
    }
}

/// Why a class has no public way to make an instance.
fn no_instance(skipped: &[Skipped]) -> String {
    let mut text = "no public constructor or static method among those allowed makes an instance \
                    without having one"
        .to_owned();
    for skipped in skipped
        .iter()
        .filter(|skipped| skipped.method.starts_with('<'))
    {
        text.push_str(&format!(
            "; {} takes no part: {}",
            skipped.method, skipped.reason
        ));
    }
    text
}

/// The fields that an expression names.
///
/// # Errors
/// It is no regular expression.
pub fn omits(text: &str) -> Result<Omits, Error> {
    let fields: Regex = expression(text)?;
    Ok(Arc::new(move |class: &str, field: &str| {
        fields.is_match(field) || fields.is_match(&format!("{class}.{field}"))
    }))
}
