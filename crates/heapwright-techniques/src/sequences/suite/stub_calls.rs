//! Calls of stubs: what the code under test told its collaborators, as candidates of assertions.
//!
//! Besides what a stub was given, it may matter what an object was like when it was given: code may
//! change it later, or have forgotten to change it before.
//!
//! Invariant: calls are those that the engine noted between the beginning of the run and its end,
//! before any observer is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::prologues::NotedCall;
use heapwright_jvm::{ClassId, HeapPoint, MethodId, Ref, Vm};
use heapwright_suite::{
    AllCalls, ClassSig, Literal, MethodSig, Observation, Step, StubCalls, Value as Written,
};

use super::candidates::Subject;
use super::digests::is_object;
use super::observers::is_query;
use super::replay::ReplayedRun;
use super::writer::ScriptWriter;
use crate::functional::{LambdaStub, is_stub};
use crate::observe::method_sig;
use crate::read::{is_generic, value};
use crate::sequences::model::Concrete;
use crate::statements::Stub;
use crate::symbolic::InputValue;

/// Maximum number of calls of a method of which more than their number is observed.
const MAX_CALLS: usize = 8;
/// Maximum number of calls of a method of which accessors of an argument are observed.
const MAX_OF_OBJECTS: usize = 3;
/// Maximum number of results of accessors that are observed at the time of a call.
const MAX_STATES: usize = 3;
/// Maximum number of bytes of a text that a stub is asked with, for it to answer this text alone.
const MAX_ASKED: usize = 60;

/// Methods of stubs that were called, by the statements that created the stubs, with names and numbers
/// of parameters; with the arguments of each call, where they are plain values.
pub(super) type AskedMethods = BTreeMap<(usize, String, usize), Vec<Option<Vec<Literal>>>>;

/// Noted call with its number.
type Numbered<'c> = (usize, &'c NotedCall);

/// What a look at calls knows of the run.
struct CallsOfRun<'o> {
    /// The objects of its statements.
    objects: &'o [Option<Ref>],
    /// The slots of the objects and values that it was given.
    given: Vec<u64>,
    /// The point at which the call under test began.
    begun: Option<HeapPoint>,
}

/// A stub of a run.
struct RunStub {
    /// The statement that created it, or the number of statements plus that of the open value.
    place: usize,
    object: Ref,
    methods: Vec<StubMethod>,
}

/// A method of a stub whose calls are observed.
struct StubMethod {
    sig: Arc<MethodSig>,
    /// The abstract method that it implements.
    method: MethodId,
    /// The descriptors of its erased parameter types.
    parameters: Vec<String>,
    is_void: bool,
    /// Whether its stub is a function.
    is_function: bool,
}

/// An argument of a call as a test asserts it.
enum SentArgument {
    Value(Literal),
    /// Results of accessors of an object, each by the class in which they are called.
    Object(Arc<ClassSig>, Vec<(Vec<Step>, Literal)>),
    Unknown,
}

impl ScriptWriter<'_> {
    /// Returns observations of the calls of a run's stubs: those that tell a stub something come first,
    /// as the others are questions; arguments come before numbers.
    pub(super) fn of_stubs(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        objects: &[Option<Ref>],
    ) -> Vec<(Subject, Observation)> {
        let calls: Vec<NotedCall> = vm.noted_calls().to_vec();
        let made = objects.iter().flatten().map(|object| object.slot());
        let run = CallsOfRun {
            objects,
            given: ran.values.iter().copied().chain(made).collect(),
            begun: ran.search.point_before(),
        };
        let mut seen: Vec<(Subject, u8, Observation)> = Vec::new();
        for stub in self.stubs_of_run(vm, ran, concrete, objects) {
            let own = calls.iter().enumerate();
            let own = own.filter(|(_, call)| call.arguments.first() == Some(&stub.object.slot()));
            let own: Vec<Numbered<'_>> = own.collect();
            for method in &stub.methods {
                let of_method = own
                    .iter()
                    .filter(|(_, call)| is_of(vm, call.method, method));
                let of_method: Vec<Numbered<'_>> = of_method.copied().collect();
                let mut found = self.of_calls(vm, &run, method, &of_method);
                found.extend(self.states(vm, &run, method, &of_method));
                let subject = match tells(vm, &run, method, &of_method) {
                    true => Subject::Calls,
                    false => Subject::Questions,
                };
                seen.extend(found.into_iter().map(|asserted| {
                    let weakness = match &asserted {
                        StubCalls::With { .. } => 0,
                        StubCalls::State { .. } => 1,
                        StubCalls::Argument { .. } => 2,
                        StubCalls::Count(_) => 3,
                    };
                    let observation = Observation::Calls {
                        stub: stub.place,
                        method: Arc::clone(&method.sig),
                        asserted,
                    };
                    (subject, weakness, observation)
                }));
            }
        }
        seen.sort_by_key(|(subject, weakness, _)| (*subject, *weakness));
        let seen = seen.into_iter();
        seen.map(|(subject, _, seen)| (subject, seen)).collect()
    }

    /// Returns the methods of objects that were called, as far as the engine notes calls of them.
    pub(super) fn asked_methods(&mut self, vm: &mut Vm, objects: &[Option<Ref>]) -> AskedMethods {
        let mut all = AskedMethods::new();
        for call in vm.noted_calls().to_vec() {
            let is_receiver = |object: &Option<Ref>| {
                object.is_some_and(|object| call.arguments.first() == Some(&object.slot()))
            };
            let Some(place) = objects.iter().position(is_receiver) else {
                continue;
            };
            let called = vm.method(call.method);
            let name = vm.text(called.name).to_owned();
            let text = vm.text(called.descriptor).to_owned();
            let (parameters, _) = descriptor::split_method(&text).unwrap_or_default();
            let parameters: Vec<String> = parameters.into_iter().map(str::to_owned).collect();
            let sent = self.arguments(vm, &[], &parameters, &call).into_iter();
            let arguments = sent.map(|argument| match argument {
                SentArgument::Value(value) if is_plain(&value) => Some(value),
                _ => None,
            });
            let arguments: Option<Vec<Literal>> = arguments.collect();
            let calls = all.entry((place, name, parameters.len()));
            calls.or_default().push(arguments);
        }
        all
    }

    /// Returns the stubs whose calls are observed. Of the library's interfaces only methods that return
    /// nothing tell of effects; the others are parts of a computation.
    fn stubs_of_run(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        objects: &[Option<Ref>],
    ) -> Vec<RunStub> {
        let count = concrete.statements.len();
        let made = objects.iter().copied().enumerate();
        let made = made.filter_map(|(place, object)| Some((place, object?)));
        let roots = concrete.input.roots.iter().zip(ran.values).enumerate();
        let given = roots.filter_map(|(number, ((_, value), &slot))| {
            let is_stub = matches!(value, InputValue::Object(_)) && is_object(slot);
            is_stub.then(|| (count + number, Ref::from_slot(slot)))
        });
        let all: Vec<(usize, Ref)> = made.chain(given).collect();
        let mut stubs: Vec<RunStub> = Vec::new();
        for (place, object) in all {
            let is_known = stubs.iter().any(|stub| stub.object == object);
            if object.is_null() || is_known || !is_stub(vm, vm.heap.class_of(object)) {
                continue;
            }
            let mut methods = self.stub_methods(vm, concrete, place, vm.heap.class_of(object));
            methods.retain(|method| {
                let declaring = vm.method(method.method).class;
                method.is_void || vm.is_app_class(declaring)
            });
            if !methods.is_empty() {
                stubs.push(RunStub {
                    place,
                    object,
                    methods,
                });
            }
        }
        stubs
    }

    fn stub_methods(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        place: usize,
        class: ClassId,
    ) -> Vec<StubMethod> {
        let made = concrete.statements.get(place);
        let made = made.map(|made| &self.plan.invokables[made.invokable].stub);
        if let Some(Some(Stub::Anonymous(stub))) = made {
            let methods = stub.methods.iter().map(|method| StubMethod {
                sig: Arc::new(method_sig(vm, stub.of, method.method)),
                method: method.method,
                parameters: method.parameters.clone(),
                is_void: method.returns == "V",
                is_function: stub.is_functional,
            });
            return methods.collect();
        }
        let Some(lambda) = LambdaStub::of(vm, class) else {
            return Vec::new();
        };
        let method = lambda.method();
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let (parameters, returns) = descriptor::split_method(&text).unwrap_or_default();
        let own = StubMethod {
            sig: Arc::new(method_sig(vm, lambda.interface(), method)),
            method,
            parameters: parameters.into_iter().map(str::to_owned).collect(),
            is_void: returns == "V",
            is_function: true,
        };
        vec![own]
    }

    /// Returns what a test may assert of the calls of a method, the strongest first.
    fn of_calls(
        &mut self,
        vm: &mut Vm,
        run: &CallsOfRun<'_>,
        method: &StubMethod,
        calls: &[Numbered<'_>],
    ) -> Vec<StubCalls> {
        let mut seen = Vec::new();
        if !calls.is_empty() && calls.len() <= MAX_CALLS && !method.parameters.is_empty() {
            let sent = calls.iter();
            let sent: Vec<Vec<SentArgument>> = sent
                .map(|(_, call)| self.arguments(vm, run.objects, &method.parameters, call))
                .collect();
            let values = sent.iter().map(|arguments| {
                let values = arguments.iter().map(|argument| match argument {
                    SentArgument::Value(value) => Some(value.clone()),
                    SentArgument::Object(..) | SentArgument::Unknown => None,
                });
                values.collect::<Option<Vec<Literal>>>()
            });
            match values.collect::<Option<Vec<Vec<Literal>>>>() {
                Some(all) => {
                    for (number, arguments) in all.iter().enumerate() {
                        if !all[..number].contains(arguments) {
                            seen.push(StubCalls::With {
                                arguments: arguments.clone(),
                                times: all.iter().filter(|other| *other == arguments).count(),
                                all: AllCalls(all.clone()),
                            });
                        }
                    }
                }
                None if sent.len() <= MAX_OF_OBJECTS => {
                    for (number, arguments) in sent.iter().enumerate() {
                        for (parameter, argument) in arguments.iter().enumerate() {
                            let call = (number, sent.len());
                            seen.extend(self.of_argument_sent(vm, call, parameter, argument));
                        }
                    }
                }
                None => {}
            }
        }
        seen.push(StubCalls::Count(calls.len()));
        seen
    }

    fn of_argument_sent(
        &mut self,
        vm: &mut Vm,
        call: (usize, usize),
        parameter: usize,
        argument: &SentArgument,
    ) -> Vec<StubCalls> {
        match argument {
            SentArgument::Value(value) if call.1 == 1 => {
                let object = vm.load_class("java/lang/Object");
                let class = object.map(|object| self.reader.class_sig(vm, object));
                class
                    .into_iter()
                    .map(|class| StubCalls::Argument {
                        call,
                        parameter,
                        class,
                        then: Vec::new(),
                        value: value.clone(),
                    })
                    .collect()
            }
            SentArgument::Object(class, answers) => answers
                .iter()
                .map(|(then, value)| StubCalls::Argument {
                    call,
                    parameter,
                    class: Arc::clone(class),
                    then: then.clone(),
                    value: value.clone(),
                })
                .collect(),
            SentArgument::Value(_) | SentArgument::Unknown => Vec::new(),
        }
    }

    /// Returns what accessors tell of the arguments of a method at the time of its calls, as far as they
    /// told something else when the call under test began, or tell something else now.
    fn states(
        &mut self,
        vm: &mut Vm,
        run: &CallsOfRun<'_>,
        method: &StubMethod,
        calls: &[Numbered<'_>],
    ) -> Vec<StubCalls> {
        let is_mutant = self.inquiry.is_some();
        let Some(begun) = run.begun.filter(|_| (1..=MAX_CALLS).contains(&calls.len())) else {
            return Vec::new();
        };
        if !is_mutant && !vm.is_changed_since(begun) {
            return Vec::new();
        }
        let mut seen = Vec::new();
        self.limits_behind = false;
        for parameter in 0..method.parameters.len() {
            let sent = calls.iter().map(|(number, call)| {
                let sent = sent_object(vm, method, call, parameter)?;
                Some((vm.noted_point(*number)?, sent))
            });
            let Some(sent) = sent.collect::<Option<Vec<(HeapPoint, Ref)>>>() else {
                continue;
            };
            let class = vm.heap.class_of(sent[0].1);
            let is_of_class = |&(_, object): &(HeapPoint, Ref)| vm.heap.class_of(object) == class;
            if !sent.iter().all(is_of_class) || is_generic(vm, class) {
                continue;
            }
            let sig = self.reader.class_sig(vm, class);
            if !vm.is_app_class(class) || is_stub(vm, class) || sig.source_name.is_none() {
                continue;
            }
            if !is_mutant && !self.have_changed(vm, run, begun, &sent) {
                continue;
            }
            let mut all: Vec<(Vec<Step>, Vec<Literal>)> = Vec::new();
            for (number, &(point, object)) in sent.iter().enumerate() {
                let then = vm.at_point(point, |vm| self.behind(vm, &[], (class, object), &[]));
                let then = then.into_iter().filter(|(_, value)| is_compared(value));
                match number {
                    0 => all.extend(then.map(|(then, value)| (then, vec![value]))),
                    _ => {
                        let then: Vec<(Vec<Step>, Literal)> = then.collect();
                        all.retain_mut(|(steps, values)| {
                            let own = then.iter().find(|(own, _)| own == steps);
                            values.extend(own.map(|(_, value)| value.clone()));
                            own.is_some()
                        });
                    }
                }
            }
            if !is_mutant {
                let mut others: Vec<Vec<(Vec<Step>, Literal)>> = Vec::new();
                for &(_, object) in &sent {
                    let is_old = run.objects.contains(&Some(object));
                    let then = vm.with_mark(|vm| self.behind(vm, &[], (class, object), &[]));
                    others.push(then);
                    if is_old {
                        let then =
                            vm.at_point(begun, |vm| self.behind(vm, &[], (class, object), &[]));
                        others.push(then);
                    }
                }
                let differs = |(steps, values): &(Vec<Step>, Vec<Literal>)| {
                    let mut others = others.iter().flatten();
                    others.any(|(then, value)| then == steps && !values.contains(value))
                };
                all.retain(differs);
                all.truncate(MAX_STATES);
            }
            seen.extend(all.into_iter().map(|(then, values)| StubCalls::State {
                parameter,
                class: Arc::clone(&sig),
                then,
                values,
            }));
        }
        self.limits_behind = true;
        seen
    }

    /// Whether one of several objects held something else at its point than now, or when the call under
    /// test began.
    fn have_changed(
        &mut self,
        vm: &mut Vm,
        run: &CallsOfRun<'_>,
        begun: HeapPoint,
        sent: &[(HeapPoint, Ref)],
    ) -> bool {
        sent.iter().any(|&(point, object)| {
            let then = vm.at_point(point, |vm| self.digests.of_object(vm, object));
            let is_old = run.objects.contains(&Some(object));
            then.is_none()
                || then != self.digests.of_object(vm, object)
                || is_old && then != vm.at_point(begun, |vm| self.digests.of_object(vm, object))
        })
    }

    /// Returns the arguments of a call of a method with some parameters.
    fn arguments(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        parameters: &[String],
        call: &NotedCall,
    ) -> Vec<SentArgument> {
        let slots = slots(parameters, call);
        let mut sent = Vec::new();
        for (kind, slot) in slots {
            sent.push(match kind {
                Kind::Reference if is_object(slot) => {
                    self.object_sent(vm, objects, Ref::from_slot(slot))
                }
                Kind::Reference => SentArgument::Unknown,
                kind => SentArgument::Value(Literal::Value(value(kind, slot, |_| Written::Null))),
            });
        }
        sent
    }

    fn object_sent(&mut self, vm: &mut Vm, objects: &[Option<Ref>], object: Ref) -> SentArgument {
        match self.literal_of(vm, objects, object) {
            // Lists compare arrays by identity.
            Some(Literal::Array { .. }) => return SentArgument::Unknown,
            Some(value) => return SentArgument::Value(value),
            None => {}
        }
        let class = vm.heap.class_of(object);
        let sig = self.reader.class_sig(vm, class);
        if !vm.is_app_class(class) || is_stub(vm, class) || sig.source_name.is_none() {
            return SentArgument::Unknown;
        }
        let answers = vm.with_mark(|vm| self.behind(vm, objects, (class, object), &[]));
        SentArgument::Object(sig, answers)
    }
}

/// Returns the arguments of a call of a method with some parameters, as slots with their kinds.
fn slots(parameters: &[String], call: &NotedCall) -> Vec<(Kind, u64)> {
    let mut word = 1;
    let slots = parameters.iter().map(|parameter| {
        let kind = Kind::of(parameter);
        let slot = call.arguments.get(word).copied().unwrap_or_default();
        word += usize::from(kind.words());
        (kind, slot)
    });
    slots.collect()
}

/// Returns the object that a call is given for a parameter.
fn sent_object(vm: &Vm, method: &StubMethod, call: &NotedCall, parameter: usize) -> Option<Ref> {
    let (kind, slot) = *slots(&method.parameters, call).get(parameter)?;
    let is_there = kind == Kind::Reference && slot != 0 && is_object(slot);
    let object = Ref::from_slot(slot);
    let is_known = is_there && vm.unboxed(object).is_none();
    is_known.then_some(object)
}

/// Whether a method stub is told something: it returns nothing, its name is not that of a question and it
/// is no function, or an argument is none of the values and objects that the test has given.
fn tells(vm: &Vm, run: &CallsOfRun<'_>, method: &StubMethod, calls: &[Numbered<'_>]) -> bool {
    let is_computed = |(kind, slot): (Kind, u64)| {
        let unboxed = match kind {
            Kind::Reference if is_object(slot) && slot != 0 => vm.unboxed(Ref::from_slot(slot)),
            _ => None,
        };
        let slot = unboxed.map_or(slot, |(_, slot)| slot);
        !run.given.contains(&slot)
    };
    let mut calls = calls.iter();
    method.is_void
        || !method.is_function && !is_query(&method.sig.name)
        || calls.any(|(_, call)| {
            let mut slots = slots(&method.parameters, call).into_iter();
            slots.any(is_computed)
        })
}

/// Whether a stub answers a value alone where it is asked with it.
fn is_plain(value: &Literal) -> bool {
    match value {
        Literal::String(text) => text.len() <= MAX_ASKED,
        Literal::Boxed(_) | Literal::EnumConstant { .. } => true,
        Literal::Value(value) => *value != Written::Null,
        // Such as an identifier or a day.
        Literal::New(step) => step.arguments.len() == 1,
        _ => false,
    }
}

/// Whether a value in a list equals the same value in another list.
fn is_compared(value: &Literal) -> bool {
    !matches!(
        value,
        Literal::Array { .. } | Literal::Value(Written::Ref(_))
    )
}

/// Whether a method of a generated class implements a method of a stub: it has its name and, but for
/// bridges, its parameters.
fn is_of(vm: &Vm, called: MethodId, method: &StubMethod) -> bool {
    let (called, wanted) = (vm.method(called), vm.method(method.method));
    let parameters = |descriptor| {
        let split = descriptor::split_method(vm.text(descriptor));
        split.map_or(0, |(parameters, _)| parameters.len())
    };
    called.name == wanted.name
        && (called.descriptor == wanted.descriptor
            || !method.sig.is_overloaded
                && parameters(called.descriptor) == parameters(wanted.descriptor))
}
