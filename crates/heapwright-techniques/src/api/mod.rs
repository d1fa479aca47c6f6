//! Bounded exhaustive generation from the API (BEAPI, Politano et al. 2023). It builds every
//! structure that calls of the classes' own public methods can build within a scope, each with a
//! shortest sequence of calls. No invariant is needed.
//!
//! An iteration makes all calls that involve at least one structure of the previous iteration;
//! calls without structures are made in the first one. The resulting structure is retained if it is
//! new up to isomorphism ([`Canonicalizer`]). The search ends with the iteration that finds nothing
//! new.
//!
//! [`Caller`] makes the calls on one machine; [`ApiSearch`] is the loop around it, on one machine
//! or several. Processes that share no memory divide an iteration into slices (`rounds`).

mod caller;
mod cases;
mod checks;
mod constants;
mod findings;
mod nondeterminism;
mod operations;
mod parallel;
mod paths;
mod pools;
mod rounds;
mod search;
mod sequence;
mod shape;
mod spill;
mod trial;
mod values;
mod violations;
mod written;

use std::sync::Arc;

use heapwright_explore::{Canonicalizer, ClassNumbers, Omits, SizeLimits};
use heapwright_jvm::Vm;
use regex::Regex;

use crate::misuse::{Misuse, MisuseRule};
use crate::statements::{Skipped, expression};
use crate::{Error, target};

pub use caller::{Break, Caller};
pub use cases::SequenceCases;
pub use checks::{Checks, ChecksRequest, InvariantCheck, Violation, ViolationKind};
pub use findings::{CallFault, CallFinding, CallFindings, OutcomeTally};
pub use operations::{ApiOperation, OperandSource};
pub use parallel::More;
pub use paths::DecisionTrees;
pub use pools::{
    Origin, PoolRecord, Pools, StructurePool, StructureRef, StructureRole, StructureSource,
};
pub use rounds::{
    Gathered, PortableFinding, PortableFindings, RoundEnd, RoundSlice, SliceCalls, gather,
};
pub use search::{
    ApiProgress, ApiSearch, ApiSearchOutcome, Extension, LengthLimit, ProgressCallback, SearchEnd,
};
pub use sequence::Sequence;
pub use shape::shape;
pub use spill::SpillSettings;
pub use trial::{AdditionTrial, Machines};
pub use values::{ArgumentValues, Literals};
pub use violations::of_pairs;

/// Default step limit of a call; calls on small structures take some hundreds of instructions.
pub const STEP_LIMIT: u64 = 200_000;

/// Default regular expression of omitted fields.
pub const OMITTED_FIELDS: &str = "modCount|serialVersionUID";

/// Request for a search: classes, methods, scope and checks.
#[derive(Clone, Debug)]
pub struct ApiRequest {
    /// The classes in play, by binary name; the first is the class under test, whose structures are
    /// requested.
    pub classes: Vec<String>,
    /// Regular expressions of the methods that are called: `a.B.<init>()`, `a.B.add(int)`, the same
    /// without the class, or the name alone. If empty, all public ones are called.
    pub methods: Vec<String>,
    /// Size limits of structures.
    pub limits: SizeLimits,
    /// Values of arguments.
    pub values: ArgumentValues,
    /// Regular expression of omitted fields, matched against the name alone or with the class's
    /// binary name in front.
    pub omitted_fields: String,
    /// Rule that decides which exceptions discard a sequence.
    pub misuse: MisuseRule,
    /// Checks on every structure.
    pub checks: ChecksRequest,
    /// Whether a structure that was built before is discarded.
    pub matching: bool,
    /// Most iterations: a structure takes at most this many calls on itself.
    pub max_length: Option<u32>,
    /// Number of iterations between two progress checks, used only without `max_length`. At a
    /// check, the search continues only if the last iteration found fewer structures than the one
    /// at the previous check. `None` disables the checks.
    pub patience: Option<u32>,
    /// Step limit of one call, in instructions.
    pub step_limit: u64,
}

impl ApiRequest {
    /// Creates a request for the structures of a class up to a scope. The scope bounds the objects
    /// of each class in a structure and the non-null elements of an array; integers are below it.
    /// Arrays have a length of at most 16, or the scope if that is larger. Some APIs have no end:
    /// after thrice the scope, as in the published runs, but at least 16 iterations, the search
    /// continues only while it finds ever fewer structures.
    #[must_use]
    pub fn up_to(class: &str, scope: u32) -> ApiRequest {
        ApiRequest {
            classes: vec![class.to_owned()],
            methods: Vec::new(),
            limits: SizeLimits {
                objects: scope,
                objects_of: Default::default(),
                array_length: scope.max(16),
                array_objects: scope,
            },
            values: ArgumentValues::up_to(scope),
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

/// Machine-specific state that is ready to make the calls of a request.
pub struct Prepared {
    /// Makes the calls.
    pub caller: Caller,
    /// Methods that are excluded.
    pub skipped: Vec<Skipped>,
    /// Values with their literals in tests.
    pub literals: Literals,
    /// Binary name of the class under test.
    pub class: String,
}

impl Prepared {
    /// Finds the classes and methods and makes the values. All machines of a search share
    /// `numbers`.
    ///
    /// # Errors
    /// A named class, method or check does not exist or cannot be used, or no instance can be made.
    pub fn new(
        vm: &mut Vm,
        request: &ApiRequest,
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
            &literals,
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

    /// Initialises classes permanently, so that no call initialises them again.
    pub fn initialize(&mut self, vm: &mut Vm, names: &[String]) {
        for name in names {
            if let Ok(class) = vm.load_class(name) {
                // A failure recurs when a call needs the class.
                let _ = vm.initialize_now(class);
            }
        }
        self.caller.canonicalizer.set_base(vm);
    }
}

/// Explains why a class has no public constructor or method that makes an instance.
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

/// Compiles the predicate of omitted fields from a regular expression.
///
/// # Errors
/// The text is not a regular expression.
pub fn omits(text: &str) -> Result<Omits, Error> {
    let fields: Regex = expression(text)?;
    Ok(Arc::new(move |class: &str, field: &str| {
        fields.is_match(field) || fields.is_match(&format!("{class}.{field}"))
    }))
}
