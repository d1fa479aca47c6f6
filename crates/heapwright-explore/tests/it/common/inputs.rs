//! Methods with symbolic inputs, and concrete inputs to compare with.
//!
//! Whether an input takes a path is found out by names alone: a variable of the path is named as a
//! program would reach its value, and so is looked up in the input.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{
    Alternative, Assignment, Decision, EntryPoint, InputBounds, Limits, PathEnd, PathOutcome,
    Receiver, SymbolicSearch, Universe,
};
use heapwright_explore::{End, Tree};
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Exit, MethodId, Place, Ref, Vm};

use super::{ENOUGH, go_on, method, number, run, thrown, undone};

/// Names of parameters.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Value in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Number(u64),
    Null,
    /// Object with this number.
    Object(usize),
    /// Object that was there before, such as a constant of an enum.
    Known(Ref),
}

/// Contents of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    Fields(Vec<(String, Value)>),
    Elements(Vec<Value>),
    Text(Vec<u16>),
}

/// Object of an input: the internal name of its class, and its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub class: String,
    pub contents: Contents,
}

/// Receiver, if there is one, and arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub roots: Vec<Value>,
    pub objects: Vec<Object>,
}

impl Input {
    /// Input of slots of primitive kinds.
    pub fn of(slots: &[u64]) -> Input {
        Input {
            roots: slots.iter().map(|&slot| Value::Number(slot)).collect(),
            objects: Vec::new(),
        }
    }

    /// Adds an object.
    pub fn add(&mut self, class: &str, contents: Contents) -> Value {
        self.objects.push(Object {
            class: class.to_owned(),
            contents,
        });
        Value::Object(self.objects.len() - 1)
    }

    /// Input of one argument: a string, or null.
    pub fn text(text: Option<&str>) -> Input {
        let mut input = Input::default();
        let value = input.string(text);
        input.roots.push(value);
        input
    }

    /// Adds a string, or null.
    pub fn string(&mut self, text: Option<&str>) -> Value {
        let Some(text) = text else {
            return Value::Null;
        };
        let units = text.encode_utf16().collect();
        self.add("java/lang/String", Contents::Text(units))
    }
}

/// Every combination of values of several slots.
pub fn product(sets: &[&[u64]]) -> Vec<Input> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for set in sets {
        let longer = all
            .iter()
            .flat_map(|before| set.iter().map(|&value| [&before[..], &[value]].concat()));
        all = longer.collect();
    }
    all.iter().map(|slots| Input::of(slots)).collect()
}

/// Slots of integers.
pub fn ints(values: impl IntoIterator<Item = i32>) -> Vec<u64> {
    values
        .into_iter()
        .map(|value| u64::from(value as u32))
        .collect()
}

/// Slots of longs.
pub fn longs(values: impl IntoIterator<Item = i64>) -> Vec<u64> {
    values.into_iter().map(|value| value as u64).collect()
}

/// Slots of doubles.
pub fn doubles(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}

/// Classes of which inputs are made, besides strings, boxes and arrays.
#[derive(Default)]
pub struct Classes {
    pub made: Vec<ClassId>,
    pub known: Vec<Ref>,
}

impl Universe for Classes {
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative> {
        let is_array = matches!(vm.class(bound).shape, Shape::Array(_));
        if is_array || descriptor::is_value_class(vm.class_name(bound)) {
            return vec![Alternative::New(bound)];
        }
        let known = self.known.iter().copied();
        let known = known.filter(|&object| vm.is_subclass(vm.heap.class_of(object), bound));
        let made = self.made.iter().copied();
        let made = made.filter(|&class| vm.is_subclass(class, bound));
        let known = known.map(Alternative::Known);
        known.chain(made.map(Alternative::New)).collect()
    }
}

/// Method whose paths are searched.
pub struct Target {
    pub entry: EntryPoint,
    pub universe: Classes,
    pub bounds: InputBounds,
    pub limits: Limits,
    pub steps: u64,
    pub merges: bool,
    result: Kind,
    kinds: Vec<Kind>,
}

/// Path as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub conditions: Vec<String>,
    /// Outcome for the model, or why the path was not followed.
    pub outcome: String,
    pub model: Option<Input>,
    /// Alternatives taken.
    pub taken: Vec<i64>,
    pub fixed: u32,
}

impl Target {
    /// Resolves a method; objects are of the classes with these names.
    pub fn new(vm: &mut Vm, class: &str, name: &str, classes: &[&str]) -> Target {
        let method = method(vm, class, name);
        let this = vm.method(method);
        let (is_static, owner) = (this.is_static(), this.class);
        let descriptor = vm.text(this.descriptor).to_owned();
        let (parameters, result) = descriptor::split_method(&descriptor).unwrap();
        let made = classes.iter().map(|name| {
            let class = vm.load_class(name).unwrap();
            vm.initialize_now(class).unwrap();
            class
        });
        let own = (!is_static).then_some(Kind::Reference);
        let kinds = parameters.iter().map(|parameter| Kind::of(parameter));
        Target {
            universe: Classes {
                made: made.collect(),
                known: Vec::new(),
            },
            kinds: own.into_iter().chain(kinds).collect(),
            entry: EntryPoint {
                method,
                receiver: match is_static {
                    true => Receiver::None,
                    false => Receiver::Open(owner),
                },
                names: NAMES[..parameters.len()]
                    .iter()
                    .map(|&name| name.into())
                    .collect(),
                parameters: parameters.into_iter().map(str::to_owned).collect(),
                precondition: None,
                command_line: None,
                predicate: None,
            },
            bounds: InputBounds::default(),
            limits: Limits::default(),
            steps: ENOUGH,
            merges: false,
            result: Kind::of(result),
        }
    }

    /// Bounds loops and recursion.
    pub fn loops(mut self, loops: u32) -> Target {
        self.bounds.loops = loops;
        self
    }

    pub fn search(&self) -> SymbolicSearch<'_> {
        let (bounds, limits) = (self.bounds, self.limits);
        let mut search =
            SymbolicSearch::new(&self.entry, &self.universe, bounds, limits, self.steps);
        search.merge_states(self.merges);
        search
    }

    /// Visits all paths.
    pub fn walk(
        &self,
        vm: &mut Vm,
        mut visit: impl FnMut(&mut Vm, &PathEnd, &mut SymbolicSearch<'_>),
    ) {
        let mut search = self.search();
        let end = search.run(vm, &mut go_on, &mut |vm, end, search| {
            visit(vm, end, search);
            ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
    }

    /// All paths, each with its model.
    pub fn paths(&self, vm: &mut Vm) -> Vec<Path> {
        let mut paths = Vec::new();
        self.walk(vm, |vm, end, search| paths.push(self.path(vm, end, search)));
        paths
    }

    /// Path at whose end a search stands.
    pub fn path(&self, vm: &mut Vm, end: &PathEnd, search: &SymbolicSearch<'_>) -> Path {
        assert_eq!(end.unknown, 0, "a side is unknown");
        let model = end.model.as_ref();
        let input = model.map(|model| self.read(vm, search, model));
        let outcome = model.zip(input.as_ref()).map_or_else(
            || format!("{:?}", end.outcome),
            |(model, input)| self.outcome(vm, end, search, model, input),
        );
        Path {
            conditions: search.decision_texts(vm),
            outcome,
            model: input,
            taken: search.path().collect(),
            fixed: end.fixed,
        }
    }

    /// Outcome of the path for an input that takes it.
    fn outcome(
        &self,
        vm: &Vm,
        end: &PathEnd,
        search: &SymbolicSearch<'_>,
        values: &Assignment,
        input: &Input,
    ) -> String {
        match &end.outcome {
            PathOutcome::Returned(slot) if self.result != Kind::Reference => {
                number(self.result, search.value(*slot, values).unwrap())
            }
            PathOutcome::Returned(slot) => match search.value(*slot, values) {
                Some(0) => "null".to_owned(),
                Some(slot) => {
                    let object = Ref::from_slot(slot);
                    let mut inputs = search.input_objects().iter();
                    match inputs.find(|input| input.object == object) {
                        Some(found) => match self.find(input, &found.name.to_string()) {
                            Some(Value::Object(number)) => format!("#{number}"),
                            other => panic!("{} is {other:?}", found.name),
                        },
                        None => vm.binary_name(vm.heap.class_of(object)),
                    }
                }
                None => match self.find(input, &self.name(vm, search, *slot)) {
                    Some(Value::Object(number)) => format!("#{number}"),
                    other => panic!("{other:?}"),
                },
            },
            PathOutcome::Threw(exception) => thrown(vm, *exception),
            other => format!("{other:?}"),
        }
    }

    /// Name of an input that nothing has looked at.
    fn name(&self, vm: &Vm, search: &SymbolicSearch<'_>, slot: u64) -> String {
        if let Some(root) = search.roots().iter().position(|&root| root == slot) {
            return self.entry.names[root].clone();
        }
        let names = search.input_objects().iter().flat_map(|held| {
            let fields = fields_of(vm, held.class).into_iter();
            fields.filter_map(|(name, word, _)| {
                let held_slot = held.slots.iter().find(|held| held.0 == Place::Field(word));
                (held_slot?.1 == slot).then(|| format!("{}.{name}", held.name))
            })
        });
        names.last().unwrap()
    }

    /// Outcome of a concrete run.
    pub fn run(&self, vm: &mut Vm, input: &Input) -> String {
        undone(vm, |vm| {
            let (slots, made) = self.make(vm, input);
            match run(vm, self.method(), &slots, self.steps) {
                Exit::Done(slot) if self.result != Kind::Reference => number(self.result, slot),
                Exit::Done(0) => "null".to_owned(),
                Exit::Done(slot) => {
                    let object = Ref::from_slot(slot);
                    match made.iter().position(|&other| other == object) {
                        Some(number) => format!("#{number}"),
                        None => vm.binary_name(vm.heap.class_of(object)),
                    }
                }
                Exit::Threw(exception) => thrown(vm, exception),
                exit => vm.exit_text(&exit),
            }
        })
    }

    pub fn method(&self) -> MethodId {
        self.entry.method
    }

    fn make(&self, vm: &mut Vm, input: &Input) -> (Vec<u64>, Vec<Ref>) {
        let make = |object: &Object| {
            let class = vm.load_class(&object.class).unwrap();
            match &object.contents {
                Contents::Text(units) => vm.new_string_utf16(units).unwrap(),
                Contents::Elements(elements) => {
                    let bytes = vm.array_element_kind(class).element_bytes();
                    let length = elements.len() as u32;
                    let array = vm.heap.allocate_array(class, length, bytes, false);
                    array.unwrap()
                }
                Contents::Fields(_) => {
                    let words = vm.class(class).instance_words;
                    vm.heap.allocate(class, words, false).unwrap()
                }
            }
        };
        let made: Vec<Ref> = input.objects.iter().map(make).collect();
        let slot = |value: &Value| match value {
            Value::Number(slot) => *slot,
            Value::Null => 0,
            Value::Object(number) => made[*number].slot(),
            Value::Known(object) => object.slot(),
        };
        for (object, &at) in input.objects.iter().zip(&made) {
            let class = vm.heap.class_of(at);
            match &object.contents {
                Contents::Text(_) => {}
                Contents::Elements(elements) => {
                    let kind = vm.array_element_kind(class);
                    for (index, element) in (0_u64..).zip(elements) {
                        let place = vm.heap.elements(at) + index * u64::from(kind.element_bytes());
                        vm.set_array_slot(place, kind, slot(element));
                    }
                }
                Contents::Fields(fields) => {
                    for (name, value) in fields {
                        let word = vm.find_field(class, name).unwrap().word;
                        vm.heap.set_field(at, word, slot(value));
                    }
                }
            }
        }
        let mut slots = Vec::new();
        for (root, kind) in input.roots.iter().zip(&self.kinds) {
            slots.push(slot(root));
            slots.resize(slots.len() + kind.words() as usize - 1, 0);
        }
        (slots, made)
    }

    /// Input that a model describes.
    fn read(&self, vm: &mut Vm, search: &SymbolicSearch<'_>, model: &Assignment) -> Input {
        let mut input = Input::default();
        let inputs = search.input_objects();
        for held in inputs {
            input.add(vm.class_name(held.class), Contents::Elements(Vec::new()));
        }
        let blank = |vm: &mut Vm, input: &mut Input, slot: u64| {
            let bound = search.bound_of(slot).unwrap();
            let class = match self.universe.alternatives(vm, bound).first() {
                Some(&Alternative::New(class)) => class,
                Some(&Alternative::Known(object)) => return Value::Known(object),
                None => return Value::Null,
            };
            let contents = match vm.class(class).shape {
                Shape::Array(_) => Contents::Elements(Vec::new()),
                _ if vm.class_name(class) == "java/lang/String" => Contents::Text(Vec::new()),
                _ => Contents::Fields(Vec::new()),
            };
            input.add(vm.class_name(class), contents)
        };
        let value = |vm: &mut Vm, input: &mut Input, slot: u64, kind: Kind| match (
            kind,
            search.value(slot, model),
        ) {
            (Kind::Reference, Some(0)) => Value::Null,
            (Kind::Reference, Some(slot)) => {
                let object = search.same_input(Ref::from_slot(slot), model);
                match inputs.iter().position(|input| input.object == object) {
                    Some(number) => Value::Object(number),
                    None => Value::Known(object),
                }
            }
            (Kind::Reference, None) => blank(vm, input, slot),
            (_, slot) => Value::Number(slot.unwrap()),
        };
        for (&slot, &kind) in search.roots().iter().zip(&self.kinds) {
            let root = value(vm, &mut input, slot, kind);
            input.roots.push(root);
        }
        for (number, held) in inputs.iter().enumerate() {
            let length = || search.value(held.slots[0].1, model).unwrap() as usize;
            let contents = match vm.class(held.class).shape {
                Shape::Array(_) => {
                    let kind = vm.array_element_kind(held.class);
                    let elements = held.slots[1..].iter().take(length());
                    let elements = elements.map(|&(_, slot)| value(vm, &mut input, slot, kind));
                    Contents::Elements(elements.collect())
                }
                _ if vm.class_name(held.class) == "java/lang/String" => {
                    let units = held.slots[1..].iter().take(length());
                    let unit =
                        |&(_, slot): &(Place, u64)| search.value(slot, model).unwrap() as u16;
                    Contents::Text(units.map(unit).collect())
                }
                _ => {
                    let fields = fields_of(vm, held.class);
                    let fields = fields.into_iter().filter_map(|(name, word, kind)| {
                        let place = Place::Field(word);
                        let &(_, slot) = held.slots.iter().find(|held| held.0 == place)?;
                        Some((name, value(vm, &mut input, slot, kind)))
                    });
                    Contents::Fields(fields.collect())
                }
            };
            input.objects[number].contents = contents;
        }
        input
    }

    /// Value that a program reaches under a name; `None` if it reaches none.
    fn find(&self, input: &Input, name: &str) -> Option<Value> {
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (root, mut rest) = name.split_at(end);
        let own = usize::from(self.entry.receiver != Receiver::None);
        let mut value = match root {
            "this" => input.roots[0],
            _ => input.roots[own + NAMES.iter().position(|&name| name == root)?],
        };
        while !rest.is_empty() {
            let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
            let (mut step, mut after) = rest.split_at(end);
            let Value::Object(number) = value else {
                return None;
            };
            let contents = &input.objects[number].contents;
            let is_wide = step == ".chars";
            if is_wide {
                let end = after[1..]
                    .find(['.', '['])
                    .map_or(after.len(), |end| end + 1);
                (step, after) = after.split_at(end);
            }
            let index = || step[1..step.len() - 1].parse::<usize>().ok();
            value = match contents {
                Contents::Fields(fields) => {
                    let found = fields.iter().find(|(name, _)| *name == step[1..]);
                    // Objects that nothing has looked into have no fields here.
                    found.map_or(Value::Number(0), |&(_, value)| value)
                }
                Contents::Elements(elements) if step == ".length" => {
                    Value::Number(elements.len() as u64)
                }
                Contents::Elements(elements) => *elements.get(index()?)?,
                Contents::Text(units) if step == ".length" => Value::Number(units.len() as u64),
                Contents::Text(units) => {
                    let is_utf16 = units.iter().any(|&unit| unit > 0xFF);
                    Value::Number(match step {
                        ".coder" => is_utf16.into(),
                        _ if is_utf16 != is_wide => 0,
                        _ if is_wide => (*units.get(index()?)?).into(),
                        _ => {
                            let byte = *units.get(index()?)? as u8 as i8;
                            u64::from(i32::from(byte) as u32)
                        }
                    })
                }
            };
            rest = after;
        }
        Some(value)
    }

    /// Values of the variables of a path for an input, if it takes the path.
    fn values(&self, search: &SymbolicSearch<'_>, vm: &Vm, input: &Input) -> Option<Assignment> {
        let mut seen = Vec::new();
        for held in search.input_objects() {
            let Some(Value::Object(number)) = self.find(input, &held.name.to_string()) else {
                return None;
            };
            let is_new = !seen.contains(&number);
            if !is_new || input.objects[number].class != vm.class_name(held.class) {
                return None;
            }
            seen.push(number);
        }
        let is_so = |decision: &Decision| match decision {
            Decision::Same(name, other) => {
                let [one, other] = [name, other].map(|name| self.find(input, &name.to_string()));
                matches!(one, Some(Value::Object(_))) && one == other
            }
            Decision::Known(name, object) => {
                self.find(input, &name.to_string()) == Some(Value::Known(*object))
            }
            _ => true,
        };
        if !search.decisions().iter().all(is_so) {
            return None;
        }
        let mut values = Assignment::new();
        for variable in search.variables() {
            let bits = match self.find(input, &variable.name.to_string()) {
                Some(Value::Number(slot)) if !variable.is_nullness => slot,
                Some(Value::Object(_) | Value::Known(_)) if variable.is_nullness => 1,
                _ => 0,
            };
            values.set(variable.number, bits);
        }
        let mut conditions = search.conditions().iter();
        let holds = conditions.all(|&it| search.pool().evaluate(it, &values) == 1);
        holds.then_some(values)
    }

    /// Checks the paths against concrete runs: each of `inputs` takes exactly one path, so does
    /// the model of each path, and a run of it has the outcome that the path says. The search
    /// leaves the machine as it was. Returns the paths.
    pub fn check(&self, vm: &mut Vm, inputs: &[Input]) -> Vec<Path> {
        let paths = self.paths(vm);
        let models = paths.iter().filter_map(|path| path.model.clone());
        let mut all: Vec<(Input, Vec<usize>, String)> = inputs
            .iter()
            .cloned()
            .chain(models)
            .map(|input| (input, Vec::new(), String::new()))
            .collect();
        let permanent = vm.heap.permanent_words();
        let before = vm.state_hash(permanent);
        let mut place = 0;
        self.walk(vm, |vm, end, search| {
            for (input, taken, outcome) in &mut all {
                if let Some(values) = self.values(search, vm, input) {
                    taken.push(place);
                    *outcome = self.outcome(vm, end, search, &values, input);
                }
            }
            place += 1;
        });
        assert_eq!(vm.state_hash(permanent), before, "the state is another one");
        assert_eq!(place, paths.len(), "another number of paths");
        for (input, taken, outcome) in &all {
            assert_eq!(taken.len(), 1, "{input:?} takes {taken:?} of {paths:#?}");
            if is_followed(outcome) {
                let path = &paths[taken[0]];
                assert_eq!(self.run(vm, input), *outcome, "{input:?} on {path:?}");
            }
        }
        let of_models = all[inputs.len()..].iter().map(|(_, taken, _)| taken[0]);
        let with_model = (0..paths.len()).filter(|&place| paths[place].model.is_some());
        assert!(of_models.eq(with_model), "a model takes another path");
        paths
    }
}

/// Whether an outcome is that of a path that was followed to its end.
pub fn is_followed(outcome: &str) -> bool {
    let ends = [
        "Bounded",
        "Limit",
        "Refused",
        "Exited",
        "Unmade",
        "Deadlocked",
    ];
    !ends.iter().any(|end| outcome.starts_with(end))
}

fn fields_of(vm: &Vm, class: ClassId) -> Vec<(String, u32, Kind)> {
    let classes = vm.class(class).display.iter();
    let fields = classes.flat_map(|&class| &vm.class(class).fields);
    let fields = fields.filter(|field| !field.is_static());
    let parts = fields.map(|field| (vm.text(field.name).to_owned(), field.word, field.kind));
    parts.collect()
}
