//! Subject of a request: the class under test, its methods, their analysis and the plan.

use std::collections::BTreeSet;

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::SearchPlan;
use super::given_values::GivenValues;
use super::unconstructible::{self, AssumedArguments};
use crate::Error;
use crate::mutation::{is_generated, is_marked, made_by_tools};
use crate::packages::{TestPackage, is_of_library, takes_tests};
use crate::sequences::analysis::dataflow::FlowAnalysis;
use crate::sequences::analysis::static_analysis::{Analysis, tree_text};
use crate::sequences::callables::invokables::MemberScope;
use crate::sequences::callables::makers::makers_of;
use crate::sequences::callables::system_classes::{self, System};
use crate::sequences::callables::{anonymous_stubs, collections, jdk_values};
use crate::sequences::model::{MemberAccess, SequencesRequest};
use crate::statements::{Invokable, MethodCall, StatementKind, pick, without_its_types};
use crate::target::{classes_under_test, find_class, is_local, is_overridden};

/// Maximum number of times that objects for arguments are added, each of which may need further
/// objects.
const MAX_NESTING: usize = 4;

/// Subject of a request.
pub struct RequestSubject {
    /// The class under test.
    pub class: ClassId,
    /// The methods under test, in the order of invokables.
    pub methods: Vec<MethodId>,
    /// The classes all of whose code is under test; empty if only that of the methods is.
    pub whole: Vec<ClassId>,
    /// The static analysis.
    pub analysis: Analysis,
    /// The plan of the search.
    pub plan: SearchPlan,
    /// Messages to the user before the search.
    pub notices: Vec<String>,
    /// Whether classes to which its parameters lead are left out.
    pub(in crate::sequences) is_cut: bool,
    /// Whether members that name classes which are not there are left out.
    pub(in crate::sequences) lacks_members: bool,
    /// The constructors of abstract classes under test, which other subclasses may call otherwise.
    pub(in crate::sequences) above: Vec<MethodId>,
}

impl RequestSubject {
    /// Whether tests must not end with the exception of a null that no code guards against: those of
    /// classes with collaborators. Elsewhere null is an argument like others.
    pub(in crate::sequences) fn refuses_nulls(&self, request: &SequencesRequest) -> bool {
        let mut invokables = self.plan.invokables.iter();
        let has_collaborators = invokables.any(|one| one.scripted_stub().is_some());
        has_collaborators && request.refuses_nulls()
    }
}

/// Finds the subject of a request until `stops` returns true.
///
/// # Errors
/// There is no such class or method, a class is broken, or it was stopped.
pub fn subject(
    vm: &mut Vm,
    request: &SequencesRequest,
    stops: &dyn Fn() -> bool,
) -> Result<RequestSubject, Error> {
    let class = find_class(vm, &request.class)?;
    if vm.class(class).shape != Shape::Instance {
        return Err(Error::ClassNotFound(request.class.clone()));
    }
    let bad = |vm: &Vm, class, reason| Error::BadClass {
        class: vm.binary_name(class),
        reason,
    };
    vm.initialize_now(class)
        .map_err(|reason| bad(vm, class, reason))?;
    let System {
        mut classes,
        mut left_out,
    } = system_classes::system(vm, class, &[], stops);
    for name in &request.system {
        classes.push(find_class(vm, name)?);
    }
    let setup = match &request.setup {
        Some(name) => Some(setup(vm, name)?),
        None => None,
    };
    classes.extend(setup.map(|(class, _)| class));
    let mut seen = BTreeSet::new();
    classes.retain(|class| seen.insert(class.0));
    let mut notices = Vec::new();
    if is_local(vm, class) {
        notices.push(format!(
            "{} is a local or anonymous class, which tests cannot name: no object of it is made but by \
             methods of other classes",
            request.class
        ));
    }
    classes.retain(|&other| {
        let known = match stops() {
            true => return false,
            false => vm.initialize_now(other),
        };
        if let Err(reason) = &known {
            let name = vm.binary_name(other);
            notices.push(format!("no object of {name} is made: {reason}"));
        }
        known.is_ok() || other == class
    });
    let under_test = classes_under_test(vm, class, request.tests_members);
    let mut scope = MemberScope {
        factories: system_classes::factories(vm, &classes),
        constants: Vec::new(),
        classes,
        access: request.access,
        include: request.include.clone(),
        exclude: request.exclude.clone(),
        supports: Vec::new(),
        tested: match request.tests_all_code() {
            true => under_test.clone(),
            false => Vec::new(),
        },
    };
    let own_setup = setup.map(|(_, setup)| setup);
    if stops() {
        return Err(Error::Stopped);
    }
    let mut data_flow = FlowAnalysis::default();
    let mut analysis = Analysis::new(vm, &scope, &mut data_flow, stops);
    let callable_of = |vm: &Vm, analysis: &Result<Analysis, Error>| match analysis {
        Ok(analysis) => callable(vm, analysis, &under_test, own_setup, request),
        Err(_) => Vec::new(),
    };
    let mut callable = callable_of(vm, &analysis);
    let requested = scope.access;
    for access in [MemberAccess::Package, MemberAccess::Protected] {
        let is_open = requested == MemberAccess::Public && takes_tests(vm, class);
        if !is_open || !callable.is_empty() {
            break;
        }
        scope.access = access;
        let wider = Analysis::new(vm, &scope, &mut data_flow, stops);
        callable = callable_of(vm, &wider);
        if !callable.is_empty() {
            analysis = wider;
            notices.push(format!(
                "nothing of {} is public: tests, which are in its package, call what the package may \
                 (--access {})",
                request.class,
                access.name()
            ));
        }
    }
    if callable.is_empty() {
        scope.access = requested;
    }
    let mut analysis = analysis?;
    let methods = match request.methods.is_empty() {
        true if request.tests_members => with_own_code(
            vm,
            &analysis,
            &under_test,
            callable,
            request.has_boilerplate,
        ),
        true => callable,
        false => pick(vm, class, &callable, callable.len(), &request.methods)?,
    };
    let above = match request.methods.is_empty() {
        true => constructors_above(vm, &under_test),
        false => Vec::new(),
    };
    let methods = [&methods[..], &above].concat();
    if stops() {
        return Err(Error::Stopped);
    }
    let mut plan = SearchPlan::new(vm, &analysis, &methods, own_setup, request)?;
    let given = GivenValues::of(vm, &request.given);
    // Without a method under test no object is needed.
    let nesting = if methods.is_empty() { 0 } else { MAX_NESTING };
    for _ in 0..nesting {
        if stops() {
            return Err(Error::Stopped);
        }
        let lacking = unconstructible::lacking(vm, &plan, AssumedArguments::Objects);
        let taken = lacking.iter();
        let taken = taken.map(|&(number, place)| &plan.invokables[number].parameters[place]);
        let all = plan.invokables.iter().flat_map(|one| &one.parameters);
        let others = all.filter(|taken| collections::is_beside_others(taken));
        // What a stub answers would else be what the code under test, or another stub, returned.
        let answers = answers(&plan);
        let answered = answers.iter();
        let answered = answered.map(|&(number, place)| &plan.invokables[number].parameters[place]);
        let mut needed = collections::needed(vm, taken.chain(others).chain(answered));
        needed.retain(|support| !scope.supports.contains(support));
        let makers = jdk_values::makers(vm, &plan.invokables, &scope.classes);
        let mut is_new = makers.add_to(&mut scope);
        let makers = given.makers(vm, &plan, &scope.classes);
        is_new |= makers.add_to(&mut scope);
        // Stubs come last, where nothing else makes an object.
        let mut unmade = unconstructible::lacking(vm, &plan, AssumedArguments::Null);
        // A collaborator is hardly what some method returns as an `Object`.
        let declared = unconstructible::lacking(vm, &plan, AssumedArguments::Declared);
        unmade.extend(
            declared
                .into_iter()
                .filter(|place| {
                    plan.invokables[place.0].kind.is_constructor() && !unmade.contains(place)
                })
                .collect::<Vec<_>>(),
        );
        for place in taken_of_libraries(vm, &plan) {
            if !unmade.contains(&place) {
                unmade.push(place);
            }
        }
        let mut unmade = of_others(vm, &plan, unmade);
        let lacking = [lacking, answers].concat();
        for (number, place, other) in of_others(vm, &plan, lacking) {
            let mut makers = makers_of(vm, &request.makers, other, &scope, stops)?;
            let contents = &plan.invokables[number].parameters[place].contents;
            if !contents.is_empty() {
                // Each use has its own type arguments.
                for (_, method) in std::mem::take(&mut makers).methods {
                    let made = collections::ArgumentCollection::made(vm, method, other, contents);
                    needed.extend(made.filter(|made| !scope.supports.contains(made)));
                }
            }
            if makers.add_to(&mut scope) {
                is_new = true;
                // An object of a library seldom comes into the states that code asks it for.
                let has_stub = vm.class(other).is_interface() && is_of_library(vm, other, class);
                unmade.retain(|&(.., unmade)| unmade != other || has_stub);
            }
        }
        let unmade = unmade.into_iter().map(|(number, place, _)| (number, place));
        let mut unmade: Vec<(usize, usize)> = unmade.collect();
        unmade.extend(unconstructible::undeclared_receiver(vm, &plan, class));
        needed.extend(anonymous_stubs::needed(
            vm,
            &analysis,
            &unmade,
            &plan.lambda_places(),
            &scope,
        ));
        if needed.is_empty() && !is_new {
            let maker = access_of_makers(vm, &plan, class);
            let Some(access) = maker.filter(|&access| access > scope.access) else {
                break;
            };
            scope.access = access;
            notices.push(format!(
                "nothing public makes objects of {}: tests, which are in its package, call what the package \
                 may (--access {})",
                request.class,
                access.name()
            ));
        }
        let held = collections::held(vm, &needed).into_iter();
        for class in held
            .filter(|&held| !is_of_library(vm, held, class))
            .collect::<Vec<_>>()
        {
            let mut further = system_classes::system(vm, class, &[], stops);
            let is_new = |class: &ClassId| !scope.classes.contains(class);
            further.classes.retain(is_new);
            for class in further.classes {
                match system_classes::has_room(vm, &scope.classes) {
                    false => left_out += 1,
                    true if vm.initialize_now(class).is_ok() => scope.classes.push(class),
                    true => {}
                }
            }
        }
        scope.supports.extend(needed);
        analysis = Analysis::new(vm, &scope, &mut data_flow, stops)?;
        plan = SearchPlan::new(vm, &analysis, &methods, own_setup, request)?;
    }
    let missing = unconstructible::missing(vm, &plan);
    notices.extend(missing);
    let mut classes = scope.classes.iter();
    let lacking = classes.find_map(|&class| without_its_types(vm, class));
    if let Some(lacking) = lacking
        && under_test.contains(&vm.method(lacking).class)
    {
        notices.push(format!(
            "members that name classes which the class path lacks are not called, as {}",
            vm.method_text(lacking)
        ));
    }
    if left_out > 0 {
        notices.push(format!(
            "sequences are made of {} and the {} classes nearest to it alone: parameters lead to further \
             ones, {left_out} next, which --system adds",
            request.class,
            scope.classes.len() - 1
        ));
    }
    Ok(RequestSubject {
        is_cut: left_out > 0 || lacking.is_some(),
        lacks_members: lacking.is_some(),
        above,
        class,
        whole: scope.tested,
        methods,
        analysis,
        plan,
        notices,
    })
}

/// Returns the least access by which tests in the package reach a constructor or a static method of
/// a class that may make receivers for methods under test, if no statement declares that it makes
/// any.
fn access_of_makers(vm: &mut Vm, plan: &SearchPlan, class: ClassId) -> Option<MemberAccess> {
    unconstructible::undeclared_receiver(vm, plan, class)?;
    let is_named = TestPackage::of(vm, class).names(vm, class) && !is_local(vm, class);
    if !takes_tests(vm, class) || !is_named {
        return None;
    }
    let own = descriptor::of_class(vm.class_name(class));
    let hidden = flags::PUBLIC | flags::PRIVATE | flags::SYNTHETIC;
    let members = vm.class(class).methods.iter().map(|&one| vm.method(one));
    let makers = members.filter(|member| {
        let result = descriptor::split_method(vm.text(member.descriptor)).map(|(_, result)| result);
        let is_factory = member.is_static() && result == Some(own.as_str());
        let is_constructor = vm.text(member.name) == "<init>" && !vm.class(class).is_abstract();
        member.flags & hidden == 0 && (is_factory || is_constructor)
    });
    let access = makers.map(|member| match member.flags & flags::PROTECTED {
        0 => MemberAccess::Package,
        _ => MemberAccess::Protected,
    });
    access.min()
}

/// Returns the parameters that take objects which hold others, for the answers of a stub or for an object
/// that holds others itself, as numbers of invokables with places.
fn answers(plan: &SearchPlan) -> Vec<(usize, usize)> {
    let makers = plan.invokables.iter().enumerate();
    let makers =
        makers.filter(|(_, one)| one.scripted_stub().is_some() || !one.contents.is_empty());
    let places = makers.flat_map(|(number, one)| {
        let held = one.parameters.iter().enumerate();
        held.filter(|(_, taken)| !taken.contents.is_empty() && !taken.is_receiver)
            .map(move |(place, _)| (number, place))
    });
    places.collect()
}

/// Returns those of the parameters without objects that need more than collections and values of
/// the JDK, one for each class.
fn of_others(
    vm: &mut Vm,
    plan: &SearchPlan,
    lacking: Vec<(usize, usize)>,
) -> Vec<(usize, usize, ClassId)> {
    let mut found: Vec<(usize, usize, ClassId)> = Vec::new();
    for (number, place) in lacking {
        let taken = &plan.invokables[number].parameters[place];
        if let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor))
            && !found.iter().any(|&(number, place, known)| {
                let known_contents = &plan.invokables[number].parameters[place].contents;
                known == class && *known_contents == taken.contents
            })
            && collections::needed(vm, std::iter::once(taken)).is_empty()
            && jdk_values::created_for(vm, &taken.descriptor).is_empty()
        {
            found.push((number, place, class));
        }
    }
    found
}

/// Returns the parameters of methods under test whose types are interfaces of libraries of the program: what
/// a method of a library gives for them seldom comes into the states that code asks it for.
fn taken_of_libraries(vm: &mut Vm, plan: &SearchPlan) -> Vec<(usize, usize)> {
    let mut taken = Vec::new();
    for (number, invokable) in plan.invokables.iter().enumerate() {
        if plan.roles[number].under_test.is_none() {
            continue;
        }
        for (place, parameter) in invokable.parameters.iter().enumerate() {
            let class = vm.load_class(descriptor::class_name(&parameter.descriptor));
            if class.is_ok_and(|class| {
                vm.class(class).is_interface()
                    && vm.class_path().is_of_library(vm.class_name(class))
            }) && !parameter.is_receiver
            {
                taken.push((number, place));
            }
        }
    }
    taken
}

/// Returns the methods of the classes under test that tests may call, except the setup method; if
/// all code is under test, also those of other types that these classes override.
fn callable(
    vm: &Vm,
    analysis: &Analysis,
    under_test: &[ClassId],
    setup: Option<MethodId>,
    request: &SequencesRequest,
) -> Vec<MethodId> {
    let is_tested = |call: &MethodCall, invokable: &Invokable| {
        // What a class inherits from the library makes its states, and is not under test.
        let is_of_program = |class| vm.is_app_class(class);
        let is_foreign = is_of_program(call.class) && !is_of_program(vm.method(call.method).class);
        under_test.contains(&call.class) && !is_foreign
            || invokable.is_of_hidden()
            || request.tests_all_code() && is_overridden(vm, under_test, call.method)
    };
    let mut callable: Vec<MethodId> = Vec::new();
    for invokable in &analysis.invokables {
        if let StatementKind::Call(call) = invokable.kind
            && is_tested(&call, invokable)
            && !callable.contains(&call.method)
            && setup != Some(call.method)
        {
            callable.push(call.method);
        }
    }
    callable
}

/// Returns those of the methods that run code of the classes under test, which neither the compiler nor
/// a generator made; all that no generator made if only constructors do. What an interface inherits is
/// none of its own.
fn with_own_code(
    vm: &Vm,
    analysis: &Analysis,
    under_test: &[ClassId],
    methods: Vec<MethodId>,
    has_boilerplate: bool,
) -> Vec<MethodId> {
    let hidden = analysis.invokables.iter().filter(|one| one.is_of_hidden());
    let hidden: BTreeSet<MethodId> = hidden.filter_map(|one| one.kind.method()).collect();
    let is_own = |&&method: &&MethodId| {
        let listing = vm.listing(method);
        let has_code = listing.is_ok_and(|listing| !is_generated(vm, method, &listing));
        has_code && under_test.contains(&vm.method(method).class)
            || hidden.contains(&method)
            || is_overridden(vm, under_test, method)
    };
    let mut methods = methods;
    methods.retain(|&method| !is_marked(vm, method));
    if !has_boilerplate {
        let classes = under_test.iter();
        let made: Vec<MethodId> = classes
            .flat_map(|&class| made_by_tools(vm, class))
            .collect();
        methods.retain(|method| !made.contains(method));
    }
    let own: Vec<MethodId> = methods.iter().filter(is_own).copied().collect();
    let is_constructor = |&method: &MethodId| vm.text(vm.method(method).name) == "<init>";
    let is_interface = under_test
        .iter()
        .all(|&class| vm.class(class).is_interface());
    match own.iter().all(is_constructor) && !is_interface {
        true => methods,
        false => own,
    }
}

/// Returns the constructors of the abstract classes under test, which tests call through those of
/// subclasses.
fn constructors_above(vm: &Vm, under_test: &[ClassId]) -> Vec<MethodId> {
    let own = under_test.iter().map(|&class| vm.class(class));
    let own = own.filter(|class| class.is_abstract() && class.flags & flags::ENUM == 0);
    let own = own.flat_map(|class| class.methods.iter().copied());
    let closed = flags::PRIVATE | flags::SYNTHETIC;
    own.filter(|&method| {
        let this = vm.method(method);
        vm.text(this.name) == "<init>" && this.flags & closed == 0
    })
    .collect()
}

/// Returns the static setup method by its qualified name.
fn setup(vm: &mut Vm, name: &str) -> Result<(ClassId, MethodId), Error> {
    let wrong = |reason: &str| Error::Bounds(format!("--setup {name}: {reason}"));
    let (class, method) = name
        .rsplit_once('.')
        .ok_or_else(|| wrong("a class and a method are wanted, as a.b.Fixture.create"))?;
    let class = find_class(vm, class)?;
    let own = vm.class(class).methods.iter().copied();
    let mut named = own.filter(|&other| {
        let this = vm.method(other);
        vm.text(this.name) == method && this.is_static()
    });
    let found = named.find(|&other| vm.text(vm.method(other).descriptor).starts_with("()"));
    let found = found.ok_or_else(|| wrong("there is no such static method without parameters"))?;
    Ok((class, found))
}

impl RequestSubject {
    /// Formats the effects, parameters and results of the invokables.
    #[must_use]
    pub fn analysis_text(&self, vm: &Vm) -> String {
        self.analysis.text(vm)
    }

    /// Formats the candidate sequences of each method under test as trees.
    #[must_use]
    pub fn candidates_text(&self, vm: &Vm, max_length: usize) -> String {
        let under_test = self.plan.roles.iter().enumerate();
        let under_test = under_test.filter(|(_, role)| role.under_test.is_some());
        let trees = under_test.map(|(number, _)| tree_text(vm, &self.analysis, number, max_length));
        trees.collect::<Vec<_>>().join("\n")
    }
}
