//! Infers type arguments for the variables of a test, and reduces the casts of its calls to those
//! that the compiler needs. For example, `Deque<Integer> deque = new ArrayDeque<>()` replaces a raw
//! type.
//!
//! The uses of a variable determine its type arguments. Each call is then checked against the
//! compiler's rules of method resolution. Invariant: a test with these types compiles. If that is
//! uncertain, a variable stays raw and a call retains all casts.

mod calls;
mod infer;
mod relations;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_jvm::Vm;
use heapwright_suite::{
    Action, AnonymousBody, ClassSig, Input, Literal, Observation, Script, Statement, Step,
    StubOutcome, Value,
};

use crate::read::StructureReader;
use crate::signatures::{Type, Variables, of_class};
use crate::target::find_class;
use calls::{Callee, ChosenSpelling};
use infer::Inference;
use relations::{
    ArgumentType, Compatibility, LambdaAnswer, OBJECT, Phase, class, fits, is_raw, takes,
};

/// Choice of the type arguments for a statement's variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum TypeArgumentChoice {
    /// Derived from its uses.
    #[default]
    Told,
    /// The most general type arguments.
    General,
    /// None: a raw type.
    Raw,
}

impl TypeArgumentChoice {
    fn lower(&mut self) {
        *self = match self {
            TypeArgumentChoice::Told => TypeArgumentChoice::General,
            TypeArgumentChoice::General | TypeArgumentChoice::Raw => TypeArgumentChoice::Raw,
        };
    }
}

/// Result of checking a test.
#[derive(Debug, Default)]
struct CheckedTest {
    /// The spellings of calls by number; observers are numbered after statements.
    spelled: BTreeMap<usize, ChosenSpelling>,
    /// Statements whose variables have the static type of their initialisers.
    given: BTreeSet<usize>,
    /// The internal names of the classes that observers return, by the numbers of the calls.
    returned: BTreeMap<usize, String>,
    /// Statements with inconsistent types, including other statements involved.
    failed: BTreeSet<usize>,
    /// Calls whose method the compiler would not choose.
    unsure: BTreeSet<usize>,
}

/// Adds type arguments to the variables of a test, and minimises the casts in its calls.
pub(super) fn add_types(vm: &mut Vm, reader: &mut StructureReader, script: &mut Script) {
    load(vm, script);
    let mut levels: BTreeMap<usize, TypeArgumentChoice> = BTreeMap::new();
    let mut unsure = BTreeSet::new();
    // Each round lowers the level of a statement, or adds a call to `unsure`.
    for _ in 0..=3 * (script.statements.len() + script.after.len()) {
        let (open, mut found, contents) = {
            let typing = Typing::new(vm, script, &levels, &unsure);
            let (variables, open) = typing.solved();
            (open, typing.check(&variables), typing.contents(&variables))
        };
        let raw: BTreeSet<usize> = open.iter().filter_map(|name| owner(name)).collect();
        let mut has_changed = false;
        for statement in raw
            .into_iter()
            .filter(|number| *number < script.statements.len())
        {
            has_changed |=
                levels.insert(statement, TypeArgumentChoice::Raw) != Some(TypeArgumentChoice::Raw);
        }
        if has_changed {
            continue;
        }
        for statement in std::mem::take(&mut found.failed) {
            let level = levels.entry(statement).or_default();
            has_changed |= *level != TypeArgumentChoice::Raw;
            level.lower();
        }
        let count = unsure.len();
        unsure.extend(found.unsure.iter().copied());
        if has_changed || unsure.len() > count {
            continue;
        }
        let mut named = BTreeMap::new();
        for (number, arguments) in contents {
            let arguments = arguments.iter().map(|argument| sig(vm, reader, argument));
            match arguments.collect::<Option<Vec<Arc<ClassSig>>>>() {
                Some(arguments) => {
                    named.insert(number, arguments);
                }
                None => {
                    has_changed = true;
                    levels.entry(number).or_default().lower();
                }
            }
        }
        if !has_changed {
            for chosen in found.spelled.values_mut() {
                chosen.name_casts(|argument| sig(vm, reader, argument));
            }
            write(vm, script, &found, &named);
            return;
        }
    }
}

/// Returns the statement that owns a type variable.
fn owner(name: &str) -> Option<usize> {
    name.strip_prefix(['v', 'c'])?
        .split('.')
        .next()?
        .parse()
        .ok()
}

/// Loads all classes that occur in the types.
fn load(vm: &mut Vm, script: &Script) {
    let names = script.statements.iter().filter_map(Statement::made);
    for sig in names.chain(script.calls().map(|step| &*step.class)) {
        let _ = vm.load_class(&sig.name.replace('.', "/"));
    }
    let calls: Vec<&Step> = script.calls().collect();
    for step in calls {
        let class = vm.loaded_class(&step.class.name.replace('.', "/"));
        let overloads = class.map(|class| Callee::all(vm, step, class));
        for overload in overloads.unwrap_or_default() {
            for name in overload.named(vm) {
                let _ = vm.load_class(&name);
            }
        }
    }
}

fn write(
    vm: &Vm,
    script: &mut Script,
    found: &CheckedTest,
    contents: &BTreeMap<usize, Vec<Arc<ClassSig>>>,
) {
    let spell = |number: usize, step: &mut Step| {
        let Some(chosen) = found.spelled.get(&number) else {
            return;
        };
        step.spelling = Some(chosen.spelling.clone());
        // An inherited member of a generic class has the types given by the type arguments.
        if !step.method.is_accessible && !Callee::is_private(vm, step) {
            let mut method = (*step.method).clone();
            method.is_accessible = true;
            step.method = Arc::new(method);
        }
        for (place, order) in &chosen.orders {
            if let Some(Input::Literal(Literal::Factory { of, .. })) =
                step.arguments.get_mut(*place)
            {
                *of = Some(Arc::clone(order));
            }
        }
        for argument in &mut step.arguments {
            if let Input::Literal(
                Literal::Lambda { is_raw, .. } | Literal::Factory { is_raw, .. },
            ) = argument
            {
                *is_raw = false;
            }
        }
    };
    for (number, statement) in script.statements.iter_mut().enumerate() {
        statement.contents = contents.get(&number).cloned().unwrap_or_default();
        if found.given.contains(&number) {
            statement.given = statement.made().map(|made| made.name.clone());
        }
        if let Action::Call(step) = &mut statement.action {
            spell(number, step);
        }
    }
    let count = script.statements.len();
    for (number, seen) in script.after.iter_mut().enumerate() {
        if let Observation::Call { call, then, .. } = seen {
            spell(count + number, call);
            let returned = found.returned.get(&(count + number));
            let asked = then.first().map(|step| &step.class);
            call.made = asked
                .filter(|class| returned == Some(&class.name.replace('.', "/")))
                .cloned();
        }
    }
}

fn sig(vm: &mut Vm, reader: &mut StructureReader, argument: &Type) -> Option<Arc<ClassSig>> {
    let erased = argument.erased(&Variables::new());
    let name = heapwright_jvm::descriptor::class_name(&erased).replace('/', ".");
    let class = find_class(vm, &name).ok()?;
    let named = reader.class_sig(vm, class);
    named.source_name.as_ref()?;
    let Type::Class(_, arguments) = argument else {
        return Some(named);
    };
    if arguments.is_empty() {
        return Some(named);
    }
    let arguments = arguments.iter().map(|one| sig(vm, reader, one));
    Some(Arc::new(ClassSig {
        arguments: arguments.collect::<Option<_>>()?,
        ..(*named).clone()
    }))
}

/// Types of a test.
struct Typing<'t> {
    vm: &'t Vm,
    script: &'t Script,
    levels: &'t BTreeMap<usize, TypeArgumentChoice>,
    unsure: &'t BTreeSet<usize>,
    /// The types of the variables by statement; `None` for statements without a variable.
    held: Vec<Option<Type>>,
    inference: Inference,
}

impl<'t> Typing<'t> {
    fn new(
        vm: &'t Vm,
        script: &'t Script,
        levels: &'t BTreeMap<usize, TypeArgumentChoice>,
        unsure: &'t BTreeSet<usize>,
    ) -> Typing<'t> {
        let mut typing = Typing {
            vm,
            script,
            levels,
            unsure,
            held: Vec::new(),
            inference: Inference::default(),
        };
        for number in 0..script.statements.len() {
            let held = typing.variable(number);
            typing.held.push(held);
        }
        typing.infer();
        typing
    }

    fn is_raw(&self, statement: usize) -> bool {
        self.levels.get(&statement) == Some(&TypeArgumentChoice::Raw)
    }

    /// Returns the type of a statement's variable, with type variables as its arguments.
    fn variable(&mut self, number: usize) -> Option<Type> {
        let made = self.script.statements[number].made();
        let sig = made.filter(|_| self.script.is_used(number))?;
        let name = sig.name.replace('.', "/");
        if sig.source_name.is_none() {
            return Some(class(OBJECT));
        }
        if name.starts_with('[') {
            return Some(Type::of_descriptor(&name));
        }
        if let Action::Call(step) = &self.script.statements[number].action
            && let Some(body) = &step.body
        {
            return Some(match self.is_raw(number) {
                true => class(&name),
                false => extended(&name, body),
            });
        }
        Some(match self.is_raw(number) {
            true => class(&name),
            false => self.opened(&name, &format!("v{number}")),
        })
    }

    /// Returns a class with new type variables as its arguments.
    fn opened(&mut self, name: &str, prefix: &str) -> Type {
        let Some(found) = self.vm.loaded_class(name) else {
            return class(name);
        };
        let parameters = of_class(self.vm, found).0;
        let renamed = |place: usize| format!("{prefix}.{place}");
        let named = parameters.iter().enumerate();
        let variables: Variables = named
            .map(|(place, (name, _))| (name.clone(), Type::Variable(renamed(place))))
            .collect();
        let mut arguments = Vec::new();
        for (place, (_, bound)) in parameters.iter().enumerate() {
            self.inference
                .declare(&renamed(place), &bound.with(&variables));
            arguments.push(Type::Variable(renamed(place)));
        }
        Type::Class(name.to_owned(), arguments)
    }

    /// Returns the calls with their numbers; observers are numbered after statements.
    fn calls(&self) -> Vec<(usize, &'t Step)> {
        let statements = self.script.statements.iter().enumerate();
        let calls = statements.filter_map(|(number, statement)| match &statement.action {
            Action::Call(step) => Some((number, step)),
            _ => None,
        });
        let seen = self.script.after.iter().enumerate();
        let seen = seen.filter_map(|(number, seen)| match seen {
            Observation::Call { call, .. } => Some((self.script.statements.len() + number, call)),
            _ => None,
        });
        calls.chain(seen).collect()
    }

    fn infer(&mut self) {
        for (number, step) in self.calls() {
            for (place, wanted) in answers(step) {
                if let Some(Some(held)) = self.held.get(place) {
                    let given = ArgumentType::Value(held.clone());
                    self.inference.pass(self.vm, &given, &wanted);
                }
            }
            let Some(callee) = self.callee(number, step) else {
                continue;
            };
            for (own, bound) in &callee.bounds {
                if let Type::Variable(name) = own {
                    self.inference.declare(name, bound);
                }
            }
            for (input, wanted) in step.arguments.iter().zip(&callee.parameters) {
                if let Some(given) = self.given(input, true) {
                    self.inference.pass(self.vm, &given, wanted);
                }
            }
            if let Some(Some(held)) = self.held.get(number) {
                let held = held.clone();
                self.inference.put(self.vm, &callee.returns, &held);
            }
        }
        for (number, statement) in self.script.statements.iter().enumerate() {
            if let Action::Literal { value, .. } = &statement.action
                && let Some(given) = literal_type(value, true)
                && let Some(held) = self.held[number].clone()
            {
                self.inference.pass(self.vm, &given, &held);
            }
        }
    }

    /// Returns the method called, with type variables for the inferred arguments.
    fn callee(&mut self, number: usize, step: &Step) -> Option<Callee> {
        let within = match (step.is_constructor(), step.receiver) {
            (true, _) => {
                let name = step.class.name.replace('.', "/");
                match &step.body {
                    Some(body) => extended(&name, body),
                    None if self.is_raw(number) => class(&name),
                    None => self.opened(&name, &format!("c{number}")),
                }
            }
            (false, Some(receiver)) => self.held.get(receiver)?.clone()?,
            (false, None) => class(OBJECT),
        };
        Callee::of(self.vm, step, &within, &format!("m{number}"))
    }

    /// Returns the static type of an argument; `None` if it is unknown.
    fn given(&self, input: &Input, unboxes: bool) -> Option<ArgumentType> {
        match input {
            Input::Object(place) => self.held.get(*place)?.clone().map(ArgumentType::Value),
            Input::Literal(literal) => literal_type(literal, unboxes),
        }
    }

    fn solved(&self) -> (Variables, BTreeSet<String>) {
        self.inference.solve(self.vm, |name| {
            let level = owner(name).and_then(|number| self.levels.get(&number));
            level == Some(&TypeArgumentChoice::General)
        })
    }

    /// Returns the type arguments of each variable that has some.
    fn contents(&self, variables: &Variables) -> BTreeMap<usize, Vec<Type>> {
        let mut contents = BTreeMap::new();
        for (number, held) in self.held.iter().enumerate() {
            if let Some(Type::Class(_, arguments)) = held
                && !arguments.is_empty()
            {
                let arguments = arguments.iter().map(|argument| argument.with(variables));
                contents.insert(number, arguments.collect());
            }
        }
        contents
    }

    /// Checks each statement against the compiler's rules.
    fn check(&self, variables: &Variables) -> CheckedTest {
        let mut found = CheckedTest::default();
        for (number, step) in self.calls() {
            self.check_call(number, step, variables, &mut found);
        }
        for (number, statement) in self.script.statements.iter().enumerate() {
            self.check_access(number, statement, variables, &mut found);
        }
        let fields = self.script.after.iter().filter_map(|seen| match seen {
            Observation::Field { access, .. } => access.receiver,
            _ => None,
        });
        found
            .failed
            .extend(fields.filter(|&receiver| self.is_typed(receiver)));
        found
    }

    /// Whether the variable of a statement has type arguments.
    fn is_typed(&self, statement: usize) -> bool {
        matches!(self.held.get(statement), Some(Some(Type::Class(_, arguments))) if !arguments.is_empty())
    }

    /// Returns the statements with type arguments that take part in a call.
    fn typed(&self, number: usize, step: &Step) -> BTreeSet<usize> {
        let arguments = step.arguments.iter().filter_map(|input| match input {
            Input::Object(place) => Some(*place),
            Input::Literal(_) => None,
        });
        let own = (number < self.held.len()).then_some(number);
        let all = arguments.chain(step.receiver).chain(own);
        let is_made =
            |place: usize| place == number && step.is_constructor() && !self.is_raw(number);
        all.filter(|&place| self.is_typed(place) || is_made(place) && self.makes_generic(step))
            .collect()
    }

    fn makes_generic(&self, step: &Step) -> bool {
        is_raw(self.vm, &class(&step.class.name.replace('.', "/")))
    }

    fn check_call(
        &self,
        number: usize,
        step: &Step,
        variables: &Variables,
        found: &mut CheckedTest,
    ) {
        for (place, wanted) in answers(step) {
            if let Some(Some(held)) = self.held.get(place)
                && fits(self.vm, &held.with(variables), &wanted) == Compatibility::No
            {
                found.failed.extend(self.is_typed(place).then_some(place));
            }
        }
        if step.body.is_some() && step.arguments.is_empty() {
            // An interface has no constructor.
            found.given.insert(number);
            return;
        }
        let mut scratch = Typing {
            inference: Inference::default(),
            held: self.held.clone(),
            ..*self
        };
        let callee = scratch.callee(number, step);
        let is_unsure = self.unsure.contains(&number);
        let chosen = callee.filter(|_| !is_unsure).and_then(|callee| {
            let compared = compared(number, step, &callee.parameters, variables);
            let callee = callee.with(variables);
            let given = |unboxes| {
                let inputs = step.arguments.iter();
                let all = inputs.map(|input| match self.given(input, unboxes)? {
                    ArgumentType::Value(value) => Some(ArgumentType::Value(value.with(variables))),
                    other => Some(other),
                });
                all.collect::<Option<Vec<ArgumentType>>>()
            };
            let mut chosen = callee.chosen(self.vm, step, given)?;
            chosen.compared = compared;
            Some((callee, chosen))
        });
        let Some((callee, mut chosen)) = chosen else {
            let typed = self.typed(number, step);
            match typed.is_empty() {
                true => found.unsure.extend((!is_unsure).then_some(number)),
                false => found.failed.extend(typed),
            }
            return;
        };
        let is_diamond = step.is_constructor()
            && matches!(&callee.returns, Type::Class(_, arguments) if !arguments.is_empty());
        let is_unchecked = chosen.is_unchecked && !is_diamond;
        chosen.spelling.is_diamond = is_diamond;
        found.spelled.insert(number, chosen);
        let Some(Some(held)) = self.held.get(number) else {
            if let Type::Class(name, _) = &callee.returns {
                found.returned.insert(number, name.clone());
            }
            return;
        };
        let held = held.with(variables);
        let returns = match is_unchecked {
            true => relations::erasure(&callee.returns),
            false => callee.returns.clone(),
        };
        match fits(self.vm, &returns, &held) {
            Compatibility::Yes => {
                found.given.insert(number);
            }
            // A variable with type arguments fails; a raw one gets a cast.
            _ => found.failed.extend(self.is_typed(number).then_some(number)),
        }
    }

    /// Checks reads and writes of fields and elements; variables with type arguments fail there,
    /// since such accesses need casts.
    fn check_access(
        &self,
        number: usize,
        statement: &Statement,
        variables: &Variables,
        found: &mut CheckedTest,
    ) {
        let typed = |place: &usize| self.is_typed(*place);
        let mut fail = |places: &[Option<usize>]| {
            found
                .failed
                .extend(places.iter().flatten().copied().filter(typed));
        };
        match &statement.action {
            Action::Call(_) => {}
            Action::Literal { value, .. } => {
                let given = literal_type(value, true);
                if let (Some(given), Some(Some(held))) = (given, self.held.get(number))
                    && takes(self.vm, &given, &held.with(variables), Phase::Loose)
                        != Compatibility::Yes
                {
                    fail(&[Some(number)]);
                }
            }
            Action::LoadField { access, .. } | Action::StoreField { access, .. } => {
                let value = match &statement.action {
                    Action::StoreField {
                        value: Input::Object(place),
                        ..
                    } => Some(*place),
                    _ => None,
                };
                fail(&[access.receiver, value, Some(number)]);
            }
            Action::LoadElement { .. } => fail(&[Some(number)]),
            Action::NewArray { elements, made } => {
                let array = Type::of_descriptor(&made.name.replace('.', "/"));
                for element in elements {
                    self.check_element(&array, element, variables, &mut fail);
                }
            }
            Action::StoreElement { array, value, .. } => {
                if let Some(Some(held)) = self.held.get(*array) {
                    self.check_element(held, value, variables, &mut fail);
                }
            }
        }
    }

    fn check_element(
        &self,
        array: &Type,
        element: &Input,
        variables: &Variables,
        fail: &mut impl FnMut(&[Option<usize>]),
    ) {
        if let (Type::Array(wanted), Input::Object(place)) = (array, element)
            && let Some(Some(held)) = self.held.get(*place)
            && fits(self.vm, &held.with(variables), wanted) == Compatibility::No
        {
            fail(&[Some(*place)]);
        }
    }
}

/// Returns the superclass of an anonymous class with its type arguments.
fn extended(name: &str, body: &AnonymousBody) -> Type {
    parameterized(name, &body.contents)
}

/// Returns the objects that methods of an anonymous class return, by statement, with the types of the
/// results.
fn answers(step: &Step) -> Vec<(usize, Type)> {
    let methods = step.body.iter().flat_map(|body| &body.methods);
    let answers = methods.filter_map(|method| {
        let returns = method.returns.as_ref()?.name.replace('.', "/");
        let wanted = parameterized(&returns, &method.returned_contents);
        let objects = method.outcomes.iter().filter_map(|outcome| match outcome {
            StubOutcome::Value(Input::Object(place)) => Some(*place),
            _ => None,
        });
        Some(objects.map(move |place| (place, wanted.clone())))
    });
    answers.flatten().collect()
}

fn parameterized(name: &str, contents: &[Arc<ClassSig>]) -> Type {
    let contents = contents
        .iter()
        .map(|held| match held.name.starts_with('[') {
            true => Type::of_descriptor(&held.name.replace('.', "/")),
            false => class(&held.name.replace('.', "/")),
        });
    Type::Class(name.to_owned(), contents.collect())
}

/// Returns the types that comparators among the arguments compare, if a call leaves them open.
/// javac (JLS §18.5.2) does not infer them from types that are open themselves.
fn compared(
    number: usize,
    step: &Step,
    parameters: &[Type],
    variables: &Variables,
) -> Vec<(usize, Type)> {
    let own = [format!("m{number}."), format!("c{number}.")];
    let is_open = |name: &String| own.iter().any(|prefix| name.starts_with(prefix));
    let places = step.arguments.iter().zip(parameters).enumerate();
    let open = places.filter_map(|(place, (argument, parameter))| {
        let (Input::Literal(Literal::Factory { .. }), Type::Class(_, arguments)) =
            (argument, parameter)
        else {
            return None;
        };
        match &arguments[..] {
            [Type::Variable(name)] if is_open(name) => Some((place, variables.get(name)?.clone())),
            _ => None,
        }
    });
    open.collect()
}

/// Returns the static type of a literal; `None` if it is unknown.
fn literal_type(literal: &Literal, unboxes: bool) -> Option<ArgumentType> {
    let of_name = |name: &str| match name.starts_with('[') {
        true => Type::of_descriptor(&name.replace('.', "/")),
        false => class(&name.replace('.', "/")),
    };
    Some(ArgumentType::Value(match literal {
        Literal::Value(Value::Null) => return Some(ArgumentType::Null),
        Literal::Value(value) => Type::of_descriptor(value.descriptor()?),
        Literal::Boxed(value) if unboxes => Type::of_descriptor(value.descriptor()?),
        Literal::Boxed(value) => of_name(value.box_class()?),
        Literal::String(_) => class("java/lang/String"),
        Literal::EnumConstant { class, .. } if class.source_name.is_some() => of_name(&class.name),
        Literal::Array { class, .. } => of_name(class),
        Literal::Class(class) => {
            Type::Class("java/lang/Class".to_owned(), vec![of_name(&class.name)])
        }
        Literal::Lambda {
            interface,
            method,
            answer,
            ..
        } => {
            let answer = match answer.as_deref() {
                None => LambdaAnswer::Nothing,
                Some(answer) => match literal_type(answer, true)? {
                    ArgumentType::Null => LambdaAnswer::Null,
                    ArgumentType::Value(value) => LambdaAnswer::Value(value),
                    ArgumentType::Lambda(..) | ArgumentType::Order => return None,
                },
            };
            let interface = of_name(&interface.name);
            return Some(ArgumentType::Lambda(
                method.parameter_count(),
                answer,
                interface,
            ));
        }
        Literal::Factory { .. } => return Some(ArgumentType::Order),
        Literal::EnumConstant { .. }
        | Literal::StaticField { .. }
        | Literal::Made(_)
        | Literal::New(_)
        | Literal::Contents { .. }
        | Literal::Parameter { .. }
        | Literal::Held { .. } => return None,
    }))
}
