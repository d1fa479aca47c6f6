//! Shorthand constructors of the model.

use std::sync::Arc;

use heapwright_suite::{
    Access, Body, Call, CallOutcome, Case, ClassSig, Construction, Field, FieldSig, InvariantSig,
    Label, Literal, MethodSig, Object, Structure, Suite, Value,
};

/// Class that tests may name, made with `new`.
pub fn named(name: &str, source_name: &str) -> Arc<ClassSig> {
    Arc::new(ClassSig::named(name, source_name))
}

/// Class that tests cannot name.
pub fn hidden(name: &str) -> Arc<ClassSig> {
    Arc::new(ClassSig::hidden(name))
}

pub fn generic(name: &str, source_name: &str) -> Arc<ClassSig> {
    Arc::new(ClassSig {
        is_generic: true,
        ..ClassSig::named(name, source_name)
    })
}

pub fn record(name: &str, source_name: Option<&str>, is_accessible: bool) -> Arc<ClassSig> {
    Arc::new(ClassSig {
        source_name: source_name.map(str::to_owned),
        construction: Construction::Canonical { is_accessible },
        ..ClassSig::hidden(name)
    })
}

/// Field: `access [final] descriptor name`, as in `private final I value`.
pub fn field(declaring_class: &str, text: &str, value: Value) -> Field {
    let words: Vec<&str> = text.split(' ').collect();
    let access = match words[0] {
        "private" => Access::Private,
        "protected" => Access::Protected,
        "public" => Access::Public,
        _ => Access::Package,
    };
    Field {
        sig: Arc::new(FieldSig {
            declaring_class: declaring_class.to_owned(),
            name: words[words.len() - 1].to_owned(),
            descriptor: words[words.len() - 2].to_owned(),
            access,
            is_final: words.contains(&"final"),
        }),
        value,
    }
}

pub fn object(class: &Arc<ClassSig>, body: Body) -> Object {
    Object {
        class: class.clone(),
        body,
    }
}

pub fn string(text: &str) -> Object {
    object(
        &named("java.lang.String", "java.lang.String"),
        Body::String(text.to_owned()),
    )
}

pub fn boxed(value: Value) -> Object {
    let class = value.box_class().unwrap();
    object(&named(class, class), Body::Boxed(value))
}

pub fn array(class: &str, elements: Vec<Value>) -> Object {
    object(&hidden(class), Body::Array(elements))
}

/// Method: `declaring.class#name(descriptor)V`, as in a class file.
pub fn method(text: &str) -> MethodSig {
    let (declaring_class, rest) = text.split_once('#').unwrap();
    let (name, _) = rest.split_once('(').unwrap();
    MethodSig {
        declaring_class: declaring_class.to_owned(),
        name: name.to_owned(),
        descriptor: rest[name.len()..].to_owned(),
        is_static: false,
        is_accessible: true,
        is_overloaded: false,
        has_twin: false,
        exceptions: Vec::new(),
        parameters: Vec::new(),
    }
}

pub fn call(method: MethodSig, args: Vec<Literal>, outcome: CallOutcome) -> Call {
    Call {
        method: Arc::new(method),
        args,
        outcome,
        invariant_holds_after: true,
        then: Vec::new(),
        label: Label::default(),
    }
}

pub fn of(value: Value) -> Literal {
    Literal::Value(value)
}

pub fn returns(value: Value) -> CallOutcome {
    CallOutcome::Returned(of(value))
}

pub fn throws(class: &str) -> CallOutcome {
    CallOutcome::Threw {
        class: named(class, class),
        refuses: false,
    }
}

pub fn suite(class: &Arc<ClassSig>, invariant: Option<(&str, Access)>, cases: Vec<Case>) -> Suite {
    Suite {
        class_under_test: class.clone(),
        invariant: invariant.map(|(name, access)| InvariantSig {
            declaring_class: class.name.clone(),
            name: name.to_owned(),
            access,
        }),
        cases,
        scripts: Vec::new(),
        hides: Vec::new(),
        resets: Vec::new(),
        uses_deprecated: false,
    }
}

pub fn case(objects: Vec<Object>, calls: Vec<Call>) -> Case {
    Case {
        input: Structure { objects },
        construction: None,
        calls,
    }
}
