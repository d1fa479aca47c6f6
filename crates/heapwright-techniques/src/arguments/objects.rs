//! Objects that calls make as arguments: those of the JDK, and those of anonymous classes.
//!
//! Invariant: only types without other values have them, and few each, so that they do not multiply
//! the combinations of arguments.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite::{CallSyntax, Casts, Input, Literal, Step, StubOutcome, Value};

use super::values::{CreationArgument, Mutable, Recipe, ValueMaker};
use super::{Argument, combinations, null};
use crate::Error;
use crate::functional::AnswerInput;
use crate::packages::{Packages, TestPackage};
use crate::read::is_generic;
use crate::signatures::Type;
use crate::statements::jdk_values::{self, JdkMember, for_type, is_of_collections};
use crate::statements::{
    AnonymousClass, CallKind, MethodCall, Scripted, anonymous_classes, extended_type,
    is_object_value, written,
};
use crate::target::find_class;

/// Most objects of a type.
const MAX_OBJECTS: usize = 2;
/// Most combinations of arguments of a call that are tried; many calls reject most values.
const MAX_TRIED: usize = 64;
/// Most calls whose results are arguments of each other.
const MAX_NESTING: u32 = 3;

impl ValueMaker<'_> {
    /// Returns objects of a type that calls make. An abstract class or interface that nothing
    /// implements has objects of anonymous classes.
    pub(super) fn objects(&mut self, declared: &Type) -> Result<Vec<Mutable>, Error> {
        self.objects_within(declared, MAX_NESTING)
    }

    fn objects_within(&mut self, declared: &Type, nesting: u32) -> Result<Vec<Mutable>, Error> {
        let text = declared.erased(self.variables);
        let is_object = Kind::of(&text) == Kind::Reference && !text.starts_with('[');
        if nesting == 0 || !is_object || is_object_value(self.vm, &text) {
            return Ok(Vec::new());
        }
        let class = find_class(self.vm, &descriptor::class_name(&text).replace('/', "."))?;
        let objects = self.jdk_objects(class, &text, nesting)?;
        match objects.is_empty() && self.takes_stubs(class) {
            true => self.stubs(class, declared, nesting),
            false => Ok(objects),
        }
    }

    /// Objects that members of the JDK make.
    fn jdk_objects(
        &mut self,
        wanted: ClassId,
        text: &str,
        nesting: u32,
    ) -> Result<Vec<Mutable>, Error> {
        let mut found = Vec::new();
        for maker in for_type(self.vm, text) {
            let created = self.vm.load_class(maker.created());
            if let Some(JdkMember::Call(call)) = maker.member(self.vm)
                && let Ok(created) = created
                && self.is_usable(call, created)
                && self.vm.is_subclass(created, wanted)
            {
                found.extend(self.made_by(call, created, nesting)?);
            }
        }
        found.truncate(MAX_OBJECTS);
        Ok(found)
    }

    /// Whether a call makes arguments in place. The compiler must infer their type arguments.
    fn is_usable(&self, call: MethodCall, created: ClassId) -> bool {
        let is_inferred = call.parameters(self.vm).is_empty() || !is_generic(self.vm, created);
        !call.has_receiver() && created != self.under_test && is_inferred
    }

    /// Objects that a member of the JDK makes of the first arguments that it accepts.
    fn made_by(
        &mut self,
        call: MethodCall,
        created: ClassId,
        nesting: u32,
    ) -> Result<Vec<Mutable>, Error> {
        let texts = jdk_values::texts(self.vm, call);
        let mut ranges = Vec::new();
        for parameter in call.parameters(self.vm) {
            ranges.push(
                match parameter == "Ljava/lang/String;" && !texts.is_empty() {
                    true => self.texts(texts)?,
                    false => self.parts(&parameter, nesting)?,
                },
            );
        }
        let mut objects = Vec::new();
        for parts in combinations(&ranges).take(MAX_TRIED) {
            let inputs = parts.iter().map(CreationArgument::input).collect();
            let step = written::step(self.vm, self.reader, call, None, inputs, Some(created));
            let step = Step {
                spelling: Some(CallSyntax {
                    casts: Casts::Untyped,
                    ..CallSyntax::default()
                }),
                is_variadic: written::spreads(self.vm, call.class, call.method, &[]),
                ..step
            };
            objects.extend(made(self.vm, call, parts, step));
            if objects.len() == MAX_OBJECTS {
                break;
            }
        }
        Ok(objects)
    }

    fn texts(&mut self, texts: &[&str]) -> Result<Vec<CreationArgument>, Error> {
        let strings = texts.iter().map(|text| {
            let object = self.vm.new_string(text);
            let object = object.map_err(|_| Error::Bounds("no memory for strings".to_owned()))?;
            let argument = Argument {
                slot: object.slot(),
                literal: Literal::String((*text).to_owned()),
            };
            Ok(CreationArgument::Value(argument, 1))
        });
        strings.collect()
    }

    /// Values of a parameter of a call that makes an object.
    fn parts(&mut self, parameter: &str, nesting: u32) -> Result<Vec<CreationArgument>, Error> {
        self.parts_of(&Type::of_descriptor(parameter), nesting)
    }

    fn parts_of(&mut self, declared: &Type, nesting: u32) -> Result<Vec<CreationArgument>, Error> {
        let words = Kind::of(&declared.erased(self.variables)).words();
        let values = self.immutable(declared)?.into_iter();
        let mut parts: Vec<CreationArgument> = values
            .map(|value| CreationArgument::Value(value, words))
            .collect();
        parts.extend(
            self.mutable(declared)?
                .into_iter()
                .map(CreationArgument::New),
        );
        if parts.is_empty() {
            let objects = self.objects_within(declared, nesting - 1)?;
            parts.extend(objects.into_iter().map(CreationArgument::New));
        }
        Ok(parts)
    }

    /// Whether anonymous classes stand for a class: it is abstract, and nothing near it extends it.
    /// The JDK's collections have implementations.
    fn takes_stubs(&mut self, class: ClassId) -> bool {
        let is_implemented = match self.vm.is_app_class(class) {
            true => !Packages::default().concrete(self.vm, class).is_empty(),
            false => is_of_collections(self.vm.class_name(class)),
        };
        self.vm.class(class).is_abstract()
            && !is_implemented
            && !self.vm.is_subclass(self.under_test, class)
    }

    /// Objects of anonymous classes. The methods of the first return the first values of their types,
    /// those of the second the second ones. A class of the library has one: where it is an iterator,
    /// it has to end.
    fn stubs(
        &mut self,
        class: ClassId,
        declared: &Type,
        nesting: u32,
    ) -> Result<Vec<Mutable>, Error> {
        let package = TestPackage::of(self.vm, self.under_test);
        let extended = extended_type(self.vm, class, declared, self.variables);
        let most = match self.vm.is_app_class(class) {
            true => MAX_OBJECTS,
            false => 1,
        };
        for stub in anonymous_classes(self.vm, class, &extended, &package, None) {
            let ranges = self.parts_of_stub(&stub, nesting)?;
            let mut stubs: Vec<Mutable> = Vec::new();
            for place in 0..most {
                let parts = ranges.iter();
                let parts = parts.filter_map(|range| range.get(place).or(range.last()).cloned());
                let made = self.stub(&stub, parts.collect());
                let is_known = |made: &Mutable| stubs.iter().any(|one| one.literal == made.literal);
                stubs.extend(made.filter(|made| !is_known(made)));
            }
            if !stubs.is_empty() {
                return Ok(stubs);
            }
        }
        Ok(Vec::new())
    }

    /// Returns stubs of an abstract class or interface of the program whose methods follow scripts.
    /// Those of the first return the second value once, then the first one; those of the second throw.
    /// Types of the library have contracts that such stubs would break.
    pub(super) fn scripted_stubs(&mut self, declared: &Type) -> Result<Vec<Mutable>, Error> {
        let text = declared.erased(self.variables);
        let is_object = Kind::of(&text) == Kind::Reference && !text.starts_with('[');
        if !is_object || is_object_value(self.vm, &text) {
            return Ok(Vec::new());
        }
        let class = find_class(self.vm, &descriptor::class_name(&text).replace('/', "."))?;
        if !self.vm.is_app_class(class) || !self.takes_stubs(class) {
            return Ok(Vec::new());
        }
        let package = TestPackage::of(self.vm, self.under_test);
        let extended = extended_type(self.vm, class, declared, self.variables);
        for stub in anonymous_classes(self.vm, class, &extended, &package, Some(Scripted::ALL)) {
            let ranges = self.parts_of_stub(&stub, MAX_NESTING)?;
            let inputs: Vec<AnswerInput> = stub.inputs().map(|(_, input)| input).collect();
            let before = ranges.len().saturating_sub(inputs.len());
            let mut stubs: Vec<Mutable> = Vec::new();
            for throws in [false, true] {
                let parts = ranges.iter().enumerate().filter_map(|(place, range)| {
                    let input = place.checked_sub(before).map(|place| inputs[place]);
                    scripted_part(range, input, throws)
                });
                stubs.extend(self.stub(&stub, parts.collect()).filter(differs));
            }
            if !stubs.is_empty() {
                return Ok(stubs);
            }
        }
        Ok(Vec::new())
    }

    /// Values of the parameters of a stub's constructor: null where there are no others.
    fn parts_of_stub(
        &mut self,
        stub: &AnonymousClass,
        nesting: u32,
    ) -> Result<Vec<Vec<CreationArgument>>, Error> {
        let mut ranges = Vec::new();
        let parameters = call_of(stub).parameters(self.vm);
        let inputs: Vec<(Type, AnswerInput)> = stub
            .inputs()
            .map(|(method, input)| (method.declared.clone(), input))
            .collect();
        let before = parameters.len().saturating_sub(inputs.len());
        for (place, parameter) in parameters.into_iter().enumerate() {
            let input = place.checked_sub(before).map(|place| &inputs[place]);
            let mut range = match input {
                // The object has the type arguments of the result.
                Some((_, AnswerInput::Later)) => Vec::new(),
                Some((declared, AnswerInput::Object)) => self.parts_of(declared, nesting)?,
                _ => self.parts(&parameter, nesting)?,
            };
            if range.is_empty() {
                range.push(CreationArgument::Value(null(), 1));
            }
            ranges.push(range);
        }
        Ok(ranges)
    }

    fn stub(&mut self, stub: &AnonymousClass, parts: Vec<CreationArgument>) -> Option<Mutable> {
        let inputs = parts.iter().map(CreationArgument::input).collect();
        let mut step = written::anonymous(self.vm, self.reader, stub, inputs)?;
        if let Some(body) = step.body.as_mut().filter(|_| self.is_overloaded) {
            // A lambda would not select the method.
            body.is_functional = false;
        }
        // A test would have to declare them.
        let is_plain = step.method.exceptions.is_empty() && !step.method.has_twin;
        made(self.vm, call_of(stub), parts, step).filter(|_| is_plain)
    }
}

/// Whether a stub does something that no plain one does.
fn differs(stub: &Mutable) -> bool {
    let Literal::New(step) = &stub.literal else {
        return true;
    };
    let methods = step.body.iter().flat_map(|body| &body.methods);
    let mut outcomes = methods.map(|method| &method.outcomes[..]);
    outcomes.any(|outcomes| {
        let is_plain = |outcome: &StubOutcome| match outcome {
            StubOutcome::Nothing => true,
            StubOutcome::Value(value) => !matches!(value.literal(), Some(Literal::New(_))),
            StubOutcome::Parameter(_) | StubOutcome::Runs { .. } | StubOutcome::Throws { .. } => {
                false
            }
        };
        outcomes.len() > 1 || !outcomes.iter().all(is_plain)
    })
}

/// Selects the value of a parameter of a scripted stub's constructor; `input` says what it
/// determines, if it is none of the superclass' parameters.
fn scripted_part(
    range: &[CreationArgument],
    input: Option<AnswerInput>,
    throws: bool,
) -> Option<CreationArgument> {
    let truth = |value: bool| {
        let argument = Argument {
            slot: u64::from(value),
            literal: Literal::Value(Value::Boolean(value)),
        };
        Some(CreationArgument::Value(argument, 1))
    };
    match input {
        Some(AnswerInput::IsThrowing(_)) => truth(throws),
        Some(AnswerInput::IsKept | AnswerInput::IsParameter) => truth(true),
        Some(AnswerInput::Value(0)) => range.get(1).or(range.last()).cloned(),
        Some(AnswerInput::Object | AnswerInput::Later) => range.last().cloned(),
        Some(AnswerInput::Value(_)) | None => range.first().cloned(),
    }
}

/// Returns the call that creates an object of an anonymous class.
fn call_of(stub: &AnonymousClass) -> MethodCall {
    MethodCall {
        kind: CallKind::Constructor,
        class: stub.class,
        method: stub.constructor,
    }
}

/// Returns the recipe of an object, if the call makes one.
fn made(
    vm: &mut Vm,
    call: MethodCall,
    parts: Vec<CreationArgument>,
    step: Step,
) -> Option<Mutable> {
    let mutable = Mutable {
        recipe: Recipe::Call(call, parts),
        literal: Literal::New(Box::new(step)),
    };
    let object = mutable.make(vm).ok()?;
    (!object.is_null()).then_some(mutable)
}

impl CreationArgument {
    fn input(&self) -> Input {
        Input::Literal(match self {
            CreationArgument::Value(argument, _) => argument.literal.clone(),
            CreationArgument::New(mutable) => mutable.literal.clone(),
        })
    }
}
