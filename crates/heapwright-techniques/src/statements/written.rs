//! Calls as tests write them.

use std::ops::Range;
use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::{
    AnonymousBody, AnonymousMethod, CONSTRUCTOR, ClassSig, Input, Literal, MethodSig, Step,
    StubOutcome, Value,
};

use super::{AnonymousClass, MethodCall, extended_type, type_arguments};
use crate::functional::{AnswerInput, OUTCOMES, StubResult, has_code, throwable_arguments};
use crate::observe::method_sig;
use crate::read::{StructureReader, access, is_generic};
use crate::signatures::{Signature, Type, Variables};
use crate::statements;

/// Returns a call in the form of tests. `receiver` is the number of the statement that made its
/// receiver or enclosing object, and `made` the declared type of a variable for its result.
pub(crate) fn step(
    vm: &mut Vm,
    reader: &mut StructureReader,
    call: MethodCall,
    receiver: Option<usize>,
    arguments: Vec<Input>,
    made: Option<ClassId>,
) -> Step {
    let (call, arguments) = match instant(vm, call, &arguments) {
        Some((call, text)) => (call, vec![Input::Literal(Literal::String(text))]),
        None => (call, arguments),
    };
    let mut method = method_sig(vm, call.class, call.method);
    method.is_static = !call.has_receiver();
    Step {
        method: Arc::new(method),
        class: reader.class_sig(vm, call.class),
        receiver,
        arguments,
        made: made.map(|class| reader.class_sig(vm, class)),
        spelling: None,
        is_variadic: false,
        body: None,
    }
}

/// Returns the call that makes an instant of a text, with the text, in place of one of a number that does not
/// show the day; `None` for other calls.
fn instant(vm: &mut Vm, call: MethodCall, arguments: &[Input]) -> Option<(MethodCall, String)> {
    let is_of_seconds = vm.class_name(call.class) == "java/time/Instant"
        && vm.text(vm.method(call.method).name) == "ofEpochSecond";
    let [Input::Literal(Literal::Value(Value::Long(seconds)))] = arguments else {
        return None;
    };
    let parses = "(Ljava/lang/CharSequence;)Ljava/time/Instant;";
    let parse = vm.declared_method(call.class, "parse", parses);
    let parse = parse.filter(|_| is_of_seconds && READABLE.contains(seconds))?;
    Some((
        MethodCall::of(vm, call.class, parse),
        day_and_time(*seconds),
    ))
}

/// Seconds since the epoch that are written as a day and a time: from its second day to the year 2100.
pub(crate) const READABLE: Range<i64> = DAY..4_102_444_800;
const DAY: i64 = 86_400;

/// Returns the text of seconds since the epoch in ISO 8601, with UTC.
fn day_and_time(seconds: i64) -> String {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut days, time) = (seconds / DAY, seconds % DAY);
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let mut month = 1;
    loop {
        let length = match month {
            2 if is_leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    let day = days + 1;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Returns the call that creates an object of an anonymous class. Its arguments are those of the
/// superclass' constructor, then the inputs of its methods. `None` if an object that a method returns
/// or a class cannot be named.
pub(crate) fn anonymous(
    vm: &mut Vm,
    reader: &mut StructureReader,
    class: &AnonymousClass,
    mut arguments: Vec<Input>,
) -> Option<Step> {
    let own = reader.class_sig(vm, class.of);
    let inputs = class.inputs().count();
    let answers = arguments.split_off(arguments.len().checked_sub(inputs)?);
    let hides = |answer: &Input| matches!(answer, Input::Object(_)) && !class.can_capture;
    if answers.iter().any(hides) {
        return None;
    }
    let mut answers = answers.into_iter();
    let mut methods = Vec::new();
    for method in &class.methods {
        let inputs = method.inputs();
        let own: Vec<Input> = answers.by_ref().take(inputs.len()).collect();
        let mut parameters = Vec::new();
        for descriptor in &method.parameters {
            parameters.push(named_sig(vm, reader, descriptor)?);
        }
        let access_flags = vm.method(method.method).flags;
        methods.push(AnonymousMethod {
            method: Arc::new(method_sig(vm, class.of, method.method)),
            access: access(access_flags),
            parameters,
            is_variadic: access_flags & flags::VARARGS != 0,
            returns: match method.answer {
                StubResult::Nothing => None,
                _ => Some(named_sig(vm, reader, &method.returns)?),
            },
            returned_contents: returned_contents(vm, reader, class, method),
            outcomes: outcomes(vm, reader, method, &inputs, &own),
            is_unasked: false,
            asked_with: Vec::new(),
        });
    }
    let contents = class.contents.iter();
    let contents = contents.map(|descriptor| named_sig(vm, reader, descriptor));
    let body = AnonymousBody {
        contents: contents.collect::<Option<_>>()?,
        methods,
        is_functional: class.is_functional && class.is_scripted(),
        extends_class: class.above.is_some(),
        has_code: has_code(vm, class.of),
        is_mock: false,
    };
    let mut method = match class.above {
        Some(above) => method_sig(vm, class.of, above),
        None => MethodSig {
            declaring_class: own.name.clone(),
            name: CONSTRUCTOR.to_owned(),
            descriptor: "()V".to_owned(),
            ..method_sig(vm, class.class, class.constructor)
        },
    };
    // An anonymous class calls a protected constructor, too.
    method.is_accessible = true;
    own.source_name.as_ref()?;
    Some(Step {
        method: Arc::new(method),
        class: Arc::clone(&own),
        receiver: None,
        arguments,
        made: Some(own),
        spelling: None,
        is_variadic: class
            .above
            .is_some_and(|above| spreads(vm, class.of, above, &[])),
        body: Some(body),
    })
}

/// Returns the type arguments of a method's result, if tests can name them: classes that are not
/// generic themselves. A method of a raw type has none.
fn returned_contents(
    vm: &mut Vm,
    reader: &mut StructureReader,
    class: &AnonymousClass,
    method: &statements::AnonymousMethod,
) -> Vec<Arc<ClassSig>> {
    let variables = Variables::new();
    let is_raw = class.contents.is_empty() && is_generic(vm, class.of);
    let Ok(returned) = vm.load_class(descriptor::class_name(&method.returns)) else {
        return Vec::new();
    };
    if is_raw || !has_exact_contents(&method.declared) {
        return Vec::new();
    }
    let declared = extended_type(vm, returned, &method.declared, &variables);
    let contents = type_arguments(&declared).into_iter();
    let contents = contents.map(|held| named_sig(vm, reader, &held));
    contents.collect::<Option<_>>().unwrap_or_default()
}

/// Whether no type argument is a wildcard.
fn has_exact_contents(declared: &Type) -> bool {
    let is_exact = |argument: &Type| matches!(argument, Type::Class(..));
    matches!(declared, Type::Class(_, arguments) if arguments.iter().all(is_exact))
}

/// Returns the outcomes of a method's calls, given its inputs with their values. Equal ones at the end
/// are one.
fn outcomes(
    vm: &mut Vm,
    reader: &mut StructureReader,
    method: &statements::AnonymousMethod,
    inputs: &[AnswerInput],
    values: &[Input],
) -> Vec<StubOutcome> {
    let value = |wanted: AnswerInput| {
        let place = inputs.iter().position(|&input| input == wanted)?;
        values.get(place).cloned()
    };
    let null = || Input::Literal(Literal::Value(Value::Null));
    let holds = |wanted: AnswerInput| {
        value(wanted) == Some(Input::Literal(Literal::Value(Value::Boolean(true))))
    };
    let object_of = |input: AnswerInput| value(input).filter(|object| *object != null());
    let mut object = object_of(AnswerInput::Object);
    let mut is_kept = holds(AnswerInput::IsKept);
    let mut outcomes: Vec<StubOutcome> = Vec::new();
    // The object may be gone after the last call with an own script.
    let calls = match &method.script {
        Some(_) => OUTCOMES + usize::from(object.is_some()),
        None => 1,
    };
    for call in 0..calls {
        let own = call.min(OUTCOMES - 1);
        outcomes.push(match (&method.script, object.clone()) {
            (Some(script), _) if holds(AnswerInput::IsThrowing(own)) => StubOutcome::Throws {
                class: reader.class_sig(vm, script.thrown),
                arguments: throwable_arguments(vm, script.thrown),
            },
            (_, Some(kept)) => {
                if !std::mem::replace(&mut is_kept, true) {
                    object = object_of(AnswerInput::Later);
                }
                StubOutcome::Value(kept)
            }
            (Some(script), None) if holds(AnswerInput::IsParameter) => {
                StubOutcome::Parameter(script.returned_parameter.unwrap_or_default())
            }
            _ => match method.answer {
                StubResult::Nothing => match method.script.as_ref().and_then(|one| one.runs) {
                    Some((parameter, run)) => StubOutcome::Runs {
                        parameter,
                        method: vm.text(vm.method(run).name).to_owned(),
                    },
                    None => StubOutcome::Nothing,
                },
                _ => StubOutcome::Value(value(AnswerInput::Value(own)).unwrap_or_else(null)),
            },
        });
    }
    while let [.., before, last] = &outcomes[..]
        && before == last
    {
        outcomes.pop();
    }
    outcomes
}

/// Returns the type of a descriptor, if tests can name it.
fn named_sig(vm: &mut Vm, reader: &mut StructureReader, descriptor: &str) -> Option<Arc<ClassSig>> {
    let name = match Kind::of(descriptor) {
        Kind::Reference => descriptor::class_name(descriptor).to_owned(),
        kind => return Some(Arc::new(ClassSig::named(kind.keyword(), kind.keyword()))),
    };
    let class = vm.load_class(&name).ok()?;
    let sig = reader.class_sig(vm, class);
    sig.source_name.is_some().then_some(sig)
}

/// Whether the elements of an array for the last parameter can be passed separately. The method
/// must have no overloads, but such as do not take the string that is the first of the arguments, and
/// the element type must not be generic.
pub(crate) fn spreads(vm: &Vm, class: ClassId, method: MethodId, arguments: &[Input]) -> bool {
    let this = vm.method(method);
    let last = Signature::of(vm, method).parameters.pop();
    let is_plain = match last {
        Some(Type::Array(element)) => {
            matches!(&*element, Type::Primitive(_))
                || matches!(&*element, Type::Class(_, arguments) if arguments.is_empty())
        }
        _ => false,
    };
    let is_constructor = vm.text(this.name) == CONSTRUCTOR;
    let above = vm.class(class);
    let all = above.display.iter().chain(&above.all_interfaces);
    let all = all.chain([&class]);
    let mut all = all.filter(|&&one| !is_constructor || one == class);
    let is_same = |other: MethodId| {
        let other = vm.method(other);
        let is_hidden = other.flags & flags::BRIDGE != 0;
        let is_same = other.name != this.name || other.descriptor == this.descriptor;
        is_same || is_hidden || refuses(vm, vm.text(other.descriptor), arguments)
    };
    this.flags & flags::VARARGS != 0
        && is_plain
        && all.all(|&one| vm.class(one).methods.iter().all(|&other| is_same(other)))
}

/// Whether a method with this descriptor does not take the string that is the first of the arguments.
fn refuses(vm: &Vm, descriptor: &str, arguments: &[Input]) -> bool {
    let Some(Input::Literal(Literal::String(_))) = arguments.first() else {
        return false;
    };
    let (parameters, _) = descriptor::split_method(descriptor).unwrap_or_default();
    let taken = |parameter: &&str| {
        let class = vm.loaded_class(descriptor::class_name(parameter));
        let string = vm.loaded_class("java/lang/String");
        // A class that is not loaded is none of those above `String`.
        string
            .zip(class)
            .is_some_and(|(string, class)| vm.is_subclass(string, class))
    };
    !parameters.first().is_some_and(taken)
}

#[cfg(test)]
mod tests {
    use super::day_and_time;

    #[test]
    fn seconds_are_days_and_times() {
        // By `date -u -d @SECONDS`.
        let known = [
            (86_400, "1970-01-02T00:00:00Z"),
            (1_704_110_400, "2024-01-01T12:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_646_400, "2024-12-31T12:00:00Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
        ];
        for (seconds, text) in known {
            assert_eq!(day_and_time(seconds), text);
        }
    }
}
