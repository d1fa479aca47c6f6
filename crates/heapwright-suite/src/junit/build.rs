//! Statements that rebuild a structure in a test.
//!
//! Every object with identity is one local variable, assigned once. Strings, boxes and enum
//! constants with a single reference are inlined. Objects are created first and their fields set
//! afterwards, so that cycles need no special treatment. Records are created once their
//! components exist.

use std::collections::BTreeSet;

use super::scope::Scope;
use super::steps;
use super::support::Helper;
use crate::types::{binary_name, element_name, is_platform};
use crate::variables::variables;
use crate::{
    Access, Body, CallOutcome, Case, Construction, Field, Input, Literal, Object, Sequence,
    Structure, Value, literal,
};

/// Expressions for each object of a structure.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// Statements that make the structure.
    pub statements: Vec<String>,
    /// Expressions for the objects of the structure; only for the root if calls make it.
    pub expressions: Vec<Expression>,
    /// Expressions for arguments made by calls, by position.
    pub made: Vec<Option<Expression>>,
}

/// Expression for an object, and its static type as a binary name.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub source: String,
    pub static_type: String,
}

pub(super) const OBJECT: &str = "java.lang.Object";
pub(super) const OBJECTS: &str = "[Ljava.lang.Object;";

impl Expression {
    /// Placeholder for an object that has no variable.
    pub fn none() -> Expression {
        Expression {
            source: String::new(),
            static_type: OBJECT.to_owned(),
        }
    }

    /// Whether a variable is assignable to a type, given by its binary name. A variable with a
    /// more general type, because its class is inaccessible, is not.
    pub fn fits(&self, expected: &str) -> bool {
        let given = self.static_type.as_str();
        given == expected || expected == OBJECT || !matches!(given, OBJECT | OBJECTS)
    }
}

impl Built {
    /// Expression for a value.
    pub fn value(&self, value: Value) -> String {
        match value {
            Value::Ref(target) => self.expressions[target].source.clone(),
            other => literal::value(other).unwrap_or_default(),
        }
    }

    /// Static type of the expression for an object, as a binary name.
    pub fn static_type(&self, target: usize) -> &str {
        &self.expressions[target].static_type
    }

    /// Whether the expression for a value is assignable to the type of this descriptor.
    pub fn fits(&self, structure: &Structure, value: Value, descriptor: &str) -> bool {
        let Value::Ref(target) = value else {
            return true;
        };
        let expected = binary_name(descriptor);
        let given = &self.expressions[target].static_type;
        *given == structure.objects[target].class.name || *given == expected || expected == OBJECT
    }
}

/// Writes the structure of a case, which must be [buildable](obstacle).
pub(super) fn build(scope: &mut Scope, case: &Case) -> Built {
    let structure = &case.input;
    let mut builder = StructureBuilder {
        scope,
        structure,
        uses: count_uses(case),
        built: Built {
            statements: Vec::new(),
            made: Vec::new(),
            expressions: vec![Expression::none(); structure.objects.len()],
        },
    };
    let names = local_names(structure);
    let mut texts = BTreeSet::new();
    for (index, object) in structure.objects.iter().enumerate() {
        if !is_record(object) {
            builder.declare(index, object, &names[index], &mut texts);
        }
    }
    for index in record_order(structure).unwrap_or_default() {
        builder.declare_record(index, &structure.objects[index], &names[index]);
    }
    for (index, object) in structure.objects.iter().enumerate() {
        builder.fill(index, object);
    }
    builder.built
}

/// Reason why a test cannot make the input and arguments of a case on a plain JDK, if there is
/// one.
pub(super) fn obstacle(case: &Case) -> Option<String> {
    let of_calls = case.sequences().find_map(steps::obstacle);
    match case.construction {
        Some(_) => of_calls,
        None => of_calls.or_else(|| structure_obstacle(&case.input)),
    }
}

fn structure_obstacle(structure: &Structure) -> Option<String> {
    for object in &structure.objects {
        let class = &object.class;
        let is_closed = is_platform(&class.name);
        if let Body::Fields(fields) = &object.body {
            if is_closed && (!fields.is_empty() || class.construction != Construction::NoArg) {
                return Some(format!(
                    "fields of {} belong to the JDK and cannot be set from outside",
                    class.name
                ));
            }
            let is_blank = class.construction != Construction::NoArg;
            let needed = fields
                .iter()
                .filter(|field| !(is_blank && field.value.is_default()))
                .map(|field| &field.sig);
            let mut closed = needed.filter(|field| {
                is_platform(&field.declaring_class)
                    && (field.access != Access::Public || field.is_final)
            });
            if let Some(field) = closed.next() {
                return Some(format!(
                    "fields of {} belong to the JDK and cannot be set from outside",
                    field.declaring_class
                ));
            }
            if class.name.contains('/') {
                return Some(format!("{} is a hidden class", class.name));
            }
        }
    }
    if record_order(structure).is_none() {
        return Some("records cannot refer to each other in a cycle".to_owned());
    }
    None
}

/// Upper bound for the instructions of a call in a sequence.
pub(super) const CALL_WEIGHT: usize = 20;

/// Upper bound for the additional instructions of a literal that is no primitive.
pub(super) fn literal_weight(literal: &Literal) -> usize {
    match literal {
        Literal::String(text) => text_weight(text),
        Literal::Array { elements, .. }
        | Literal::Held { elements, .. }
        | Literal::Contents { elements, .. } => {
            let elements = elements.iter().map(|element| 4 + literal_weight(element));
            elements.fold(0, usize::saturating_add)
        }
        Literal::Lambda {
            answer: Some(answer),
            ..
        } => CALL_WEIGHT.saturating_add(literal_weight(answer)),
        Literal::Lambda { .. } | Literal::Factory { .. } => CALL_WEIGHT,
        Literal::New(step) => {
            let arguments = step.arguments.iter().filter_map(Input::literal);
            let arguments = arguments.map(literal_weight);
            arguments.fold(CALL_WEIGHT, usize::saturating_add)
        }
        _ => 0,
    }
}

fn text_weight(text: &str) -> usize {
    match text.len() {
        // A constant holds 65,535 bytes; a letter needs up to six.
        0..10_000 => 6,
        _ => usize::MAX / 2,
    }
}

/// Upper bound for the bytecode and constants of a case in a method, in instructions. It is above
/// any limit if a text is too long for a constant.
pub(super) fn weight(case: &Case) -> usize {
    let objects = case.input.objects.iter().map(|object| match &object.body {
        Body::Fields(fields) => 6 + 6 * fields.len(),
        Body::Array(elements) => 6 + 4 * elements.len(),
        Body::Boxed(_) | Body::EnumConstant(_) => 6,
        Body::String(text) => text_weight(text),
    });
    let literals = case.calls.iter().flat_map(|call| {
        let result = match &call.outcome {
            CallOutcome::Returned(literal) => Some(literal),
            _ => None,
        };
        call.args.iter().chain(result)
    });
    let texts = literals.map(literal_weight);
    let steps = |sequence: &Sequence| CALL_WEIGHT * sequence.steps.len();
    let arguments = case.calls.iter().map(|call| {
        let made = call.args.iter().map(|literal| match literal {
            Literal::Made(sequence) => steps(sequence),
            _ => 0,
        });
        made.sum::<usize>()
    });
    let made = case.construction.iter().map(steps).chain(arguments.max());
    match case.construction {
        Some(_) => made.chain(texts).fold(0, usize::saturating_add),
        None => objects
            .chain(made)
            .chain(texts)
            .fold(0, usize::saturating_add),
    }
}

pub(super) fn is_record(object: &Object) -> bool {
    matches!(object.class.construction, Construction::Canonical { .. })
        && matches!(object.body, Body::Fields(_))
}

/// Records, each after those it refers to; `None` if there is a cycle.
pub(super) fn record_order(structure: &Structure) -> Option<Vec<usize>> {
    let objects = &structure.objects;
    let mut order = Vec::new();
    let mut waiting: Vec<usize> = (0..objects.len())
        .filter(|&index| is_record(&objects[index]))
        .collect();
    while !waiting.is_empty() {
        let (blocked, ready): (Vec<usize>, Vec<usize>) = waiting.iter().partition(|&&index| {
            objects[index]
                .values()
                .any(|value| matches!(value, Value::Ref(target) if waiting.contains(&target)))
        });
        if ready.is_empty() {
            return None;
        }
        order.extend(ready);
        waiting = blocked;
    }
    Some(order)
}

fn count_uses(case: &Case) -> Vec<usize> {
    let mut uses = vec![0; case.input.objects.len()];
    let mut count = |value: Value| {
        if let Value::Ref(target) = value {
            uses[target] += 1;
        }
    };
    case.input
        .objects
        .iter()
        .flat_map(Object::values)
        .for_each(&mut count);
    for call in &case.calls {
        for literal in &call.args {
            if let Literal::Value(value) = literal {
                count(*value);
            }
        }
        if let CallOutcome::Returned(Literal::Value(value)) = &call.outcome {
            count(*value);
        }
    }
    uses
}

/// Names of local variables for the objects: `searchTree`, or `node0`, `node1` if a class has
/// several.
pub(super) fn local_names(structure: &Structure) -> Vec<String> {
    let classes = structure.objects.iter();
    variables(classes.map(|object| object.class.name.as_str()))
}

struct StructureBuilder<'a> {
    scope: &'a mut Scope,
    structure: &'a Structure,
    uses: Vec<usize>,
    built: Built,
}

impl StructureBuilder<'_> {
    fn express(&mut self, index: usize, source: String, static_type: &str) {
        self.built.expressions[index] = Expression {
            source,
            static_type: static_type.to_owned(),
        };
    }

    fn declare(&mut self, index: usize, object: &Object, name: &str, texts: &mut BTreeSet<String>) {
        let class = &object.class;
        let (value, is_shared) = match &object.body {
            Body::EnumConstant(constant) => {
                let (source, static_type) = constant_of(self.scope, &class.name, constant);
                return self.express(index, source, &static_type);
            }
            Body::Fields(_) => (self.instance(object), true),
            Body::Array(elements) => (self.array(object, elements), true),
            Body::String(text) if texts.insert(text.clone()) => {
                (literal::string(text), self.uses[index] > 1)
            }
            Body::String(text) => (format!("new String({})", literal::string(text)), true),
            Body::Boxed(value) if self.uses[index] > 1 || index == 0 => (boxed(*value), true),
            Body::Boxed(value) => (literal::value(*value).unwrap_or_default(), false),
        };
        if !is_shared && index != 0 {
            return self.express(index, value, &class.name);
        }
        let (static_type, source_type) = self.scope.variable_type(&class.name);
        self.built
            .statements
            .push(format!("{source_type} {name} = {value};"));
        self.express(index, name.to_owned(), &static_type);
    }

    fn instance(&mut self, object: &Object) -> String {
        let class = &object.class;
        let source_name = self.scope.type_name(&class.name);
        match (class.construction, source_name) {
            (Construction::NoArg, Some(name)) => format!("new {name}()"),
            (_, name) => {
                self.scope.helper(Helper::Allocate);
                let cast = name.map_or(String::new(), |name| format!("({name}) "));
                let class_name = literal::string(&class.name);
                format!("{cast}allocate({class_name})")
            }
        }
    }

    fn array(&mut self, object: &Object, elements: &[Value]) -> String {
        let name = &object.class.name;
        match self.scope.type_name(name) {
            Some(_) if elements.iter().all(|value| !is_reference(*value)) => {
                let values: Vec<String> = elements
                    .iter()
                    .map(|value| literal::value(*value).unwrap_or_default())
                    .collect();
                format!("{{{}}}", values.join(", "))
            }
            _ => blank_array(self.scope, name, elements.len()),
        }
    }

    fn declare_record(&mut self, index: usize, object: &Object, name: &str) {
        let Body::Fields(fields) = &object.body else {
            return;
        };
        let class = &object.class;
        let values: Vec<String> = fields
            .iter()
            .map(|field| self.built.value(field.value))
            .collect();
        let is_direct = class.construction
            == (Construction::Canonical {
                is_accessible: true,
            })
            && fields.iter().all(|field| {
                self.built
                    .fits(self.structure, field.value, &field.sig.descriptor)
            });
        let source_name = self.scope.type_name(&class.name);
        let value = match &source_name {
            Some(source_name) if is_direct => format!("new {source_name}({})", values.join(", ")),
            _ => {
                self.scope.helper(Helper::Construct);
                let mut arguments = vec![literal::string(&class.name)];
                arguments.extend(spread(
                    &values,
                    fields.first().map(|field| field.value),
                    self,
                ));
                let cast = source_name
                    .as_ref()
                    .map_or(String::new(), |name| format!("({name}) "));
                format!("{cast}construct({})", arguments.join(", "))
            }
        };
        let static_type = source_name.as_ref().map_or(OBJECT, |_| class.name.as_str());
        let source_type = source_name.unwrap_or_else(|| "Object".to_owned());
        self.built
            .statements
            .push(format!("{source_type} {name} = {value};"));
        self.express(index, name.to_owned(), static_type);
    }

    fn fill(&mut self, index: usize, object: &Object) {
        let name = self.built.expressions[index].source.clone();
        match &object.body {
            Body::Fields(fields) if !is_record(object) => {
                let is_blank = object.class.construction != Construction::NoArg
                    || self.scope.type_name(&object.class.name).is_none();
                for (at, field) in fields.iter().enumerate() {
                    if is_blank && field.value.is_default() {
                        continue;
                    }
                    let is_hidden = Field::is_hidden(fields, at);
                    let statement = self.assign(index, &name, field, is_hidden);
                    self.built.statements.push(statement);
                }
            }
            Body::Array(elements) if elements.iter().any(|value| is_reference(*value)) => {
                for (at, element) in elements.iter().enumerate() {
                    if matches!(element, Value::Ref(_)) {
                        let value = self.built.value(*element);
                        self.built
                            .statements
                            .push(format!("{name}[{at}] = {value};"));
                    }
                }
            }
            _ => {}
        }
    }

    fn assign(&mut self, index: usize, name: &str, field: &Field, is_hidden: bool) -> String {
        let sig = &field.sig;
        let value = self.built.value(field.value);
        let is_accessible = self.scope.can_use(sig.access, &sig.declaring_class);
        let field_name = literal::ascii(&sig.name);
        if is_hidden {
            self.scope.helper(Helper::SetDeclared);
            let class_name = literal::string(&sig.declaring_class);
            format!("setDeclared({name}, {class_name}, \"{field_name}\", {value});")
        } else if is_accessible
            && !sig.is_final
            && self.built.expressions[index].static_type != OBJECT
            && self
                .built
                .fits(self.structure, field.value, &sig.descriptor)
        {
            format!("{name}.{field_name} = {value};")
        } else {
            self.scope.helper(Helper::Set);
            format!("set({name}, \"{field_name}\", {value});")
        }
    }
}

/// Expression for a new array with default elements.
pub(super) fn blank_array(scope: &mut Scope, class: &str, length: usize) -> String {
    match scope.type_name(class) {
        // The length belongs in the first pair of brackets.
        Some(name) => format!("new {}", name.replacen("[]", &format!("[{length}]"), 1)),
        None => {
            scope.helper(Helper::NewArray);
            let element = literal::string(&element_name(class));
            format!("newArray({element}, {length})")
        }
    }
}

/// Arguments for an `Object...` parameter: a single null or array gets a cast, so that it is not
/// taken for the whole array.
fn spread(values: &[String], first: Option<Value>, builder: &StructureBuilder<'_>) -> Vec<String> {
    match (values, first) {
        ([only], Some(value)) => vec![guard_spread(only, value, &builder.built)],
        _ => values.to_vec(),
    }
}

/// Single argument of an `Object...` parameter.
fn guard_spread(source: &str, value: Value, built: &Built) -> String {
    let is_taken_apart = match value {
        Value::Null => true,
        Value::Ref(target) => built.static_type(target).starts_with('['),
        _ => false,
    };
    if is_taken_apart {
        format!("(Object) {source}")
    } else {
        source.to_owned()
    }
}

/// Expression for an enum constant, and its static type.
pub(super) fn constant_of(scope: &mut Scope, class: &str, name: &str) -> (String, String) {
    match scope.type_name(class) {
        Some(source_name) => (
            format!("{source_name}.{}", literal::ascii(name)),
            class.to_owned(),
        ),
        None => {
            scope.helper(Helper::Constant);
            let class = literal::string(class);
            (
                format!("constant({class}, {})", literal::string(name)),
                OBJECT.to_owned(),
            )
        }
    }
}

/// Expression for a box, with the box class as its static type.
pub(super) fn boxed(value: Value) -> String {
    let class = value.box_class().unwrap_or(OBJECT);
    let simple = class.trim_start_matches("java.lang.");
    match value {
        Value::Boolean(true) => "Boolean.TRUE".to_owned(),
        Value::Boolean(false) => "Boolean.FALSE".to_owned(),
        _ => format!(
            "{simple}.valueOf({})",
            literal::value(value).unwrap_or_default()
        ),
    }
}

fn is_reference(value: Value) -> bool {
    matches!(value, Value::Null | Value::Ref(_))
}
