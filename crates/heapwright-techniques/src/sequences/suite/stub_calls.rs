//! Calls of stubs: what the code under test told its collaborators, as candidates of assertions.
//!
//! Invariant: calls are those that the engine noted between the beginning of the run and its end,
//! before any observer is asked.

use std::sync::Arc;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::prologues::NotedCall;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{
    AllCalls, ClassSig, Literal, MethodSig, Observation, Step, StubCalls, Value as Written,
};

use super::digests::is_object;
use super::replay::ReplayedRun;
use super::writer::ScriptWriter;
use crate::functional::{LambdaStub, is_stub};
use crate::observe::method_sig;
use crate::read::value;
use crate::sequences::model::Concrete;
use crate::statements::Stub;
use crate::symbolic::InputValue;

/// Maximum number of calls of a method of which more than their number is observed.
const MAX_CALLS: usize = 8;

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
}

/// An argument of a call as a test asserts it.
enum SentArgument {
    Value(Literal),
    /// Results of accessors of an object, each by the class in which they are called.
    Object(Arc<ClassSig>, Vec<(Vec<Step>, Literal)>),
    Unknown,
}

impl ScriptWriter<'_> {
    /// Returns observations of the calls of a run's stubs: those of methods that return nothing come
    /// first, as the others are questions; arguments come before numbers.
    pub(super) fn of_stubs(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        objects: &[Option<Ref>],
    ) -> Vec<Observation> {
        let calls: Vec<NotedCall> = vm.noted_calls().to_vec();
        let mut seen: Vec<(bool, u8, Observation)> = Vec::new();
        for stub in self.stubs_of_run(vm, ran, concrete, objects) {
            let own = calls.iter();
            let own = own.filter(|call| call.arguments.first() == Some(&stub.object.slot()));
            let own: Vec<&NotedCall> = own.collect();
            for method in &stub.methods {
                let of_method = own.iter().filter(|call| is_of(vm, call.method, method));
                let of_method: Vec<&NotedCall> = of_method.copied().collect();
                let found = self.of_calls(vm, objects, method, &of_method);
                seen.extend(found.into_iter().map(|asserted| {
                    let weakness = match &asserted {
                        StubCalls::With { .. } => 0,
                        StubCalls::Argument { .. } => 1,
                        StubCalls::Count(_) => 2,
                    };
                    let observation = Observation::Calls {
                        stub: stub.place,
                        method: Arc::clone(&method.sig),
                        asserted,
                    };
                    (!method.is_void, weakness, observation)
                }));
            }
        }
        seen.sort_by_key(|(is_question, weakness, _)| (*is_question, *weakness));
        seen.into_iter().map(|(.., seen)| seen).collect()
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
        };
        vec![own]
    }

    /// Returns what a test may assert of the calls of a method, the strongest first.
    fn of_calls(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        method: &StubMethod,
        calls: &[&NotedCall],
    ) -> Vec<StubCalls> {
        let mut seen = Vec::new();
        if !calls.is_empty() && calls.len() <= MAX_CALLS && !method.parameters.is_empty() {
            let sent = calls.iter();
            let sent: Vec<Vec<SentArgument>> = sent
                .map(|call| self.arguments(vm, objects, method, call))
                .collect();
            let values = sent.iter().map(|arguments| {
                let values = arguments.iter().map(|argument| match argument {
                    SentArgument::Value(value) => Some(value.clone()),
                    SentArgument::Object(..) | SentArgument::Unknown => None,
                });
                values.collect::<Option<Vec<Literal>>>()
            });
            match (values.collect::<Option<Vec<Vec<Literal>>>>(), &sent[..]) {
                (Some(all), _) => {
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
                (None, [only]) => {
                    for (parameter, argument) in only.iter().enumerate() {
                        seen.extend(self.of_argument_sent(vm, parameter, argument));
                    }
                }
                (None, _) => {}
            }
        }
        seen.push(StubCalls::Count(calls.len()));
        seen
    }

    fn of_argument_sent(
        &mut self,
        vm: &mut Vm,
        parameter: usize,
        argument: &SentArgument,
    ) -> Vec<StubCalls> {
        match argument {
            SentArgument::Value(value) => {
                let object = vm.load_class("java/lang/Object");
                let class = object.map(|object| self.reader.class_sig(vm, object));
                class
                    .into_iter()
                    .map(|class| StubCalls::Argument {
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
                    parameter,
                    class: Arc::clone(class),
                    then: then.clone(),
                    value: value.clone(),
                })
                .collect(),
            SentArgument::Unknown => Vec::new(),
        }
    }

    fn arguments(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        method: &StubMethod,
        call: &NotedCall,
    ) -> Vec<SentArgument> {
        let mut word = 1;
        let mut sent = Vec::new();
        for parameter in &method.parameters {
            let kind = Kind::of(parameter);
            let slot = call.arguments.get(word).copied().unwrap_or_default();
            word += usize::from(kind.words());
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
        let answers = vm.with_mark(|vm| self.behind(vm, objects, class, object));
        SentArgument::Object(sig, answers)
    }
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
