//! Explanations for structures of one set only: the place where the invariant rejects a structure,
//! or the fields that distinguish it from the nearest one built by the API.

use heapwright_explore::Omits;
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Choosing, Exit, MethodId, Place, Plain, Ref, Vm};
use heapwright_suite::{Body, Object, Structure, Value};

use super::InvariantWitness;
use crate::api::{Pools, Prepared, StructureRef};
use crate::read::StructureReader;

/// Most structures of the API among which the nearest is sought.
const MOST_NEIGHBOURS: u32 = 20_000;
/// Instructions before the end of a run in which the deciding place is sought.
const BACK: u64 = 8;
/// Most instructions of a run of the invariant.
const STEPS: u64 = 10_000_000;

/// Place where an invariant rejected a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Places of the method that returned last and of its callers, innermost first, as
    /// `a.B.repOK():17`. Empty if the run did not end with a result.
    pub places: Vec<String>,
    /// Other outcome: an exception or a limit.
    pub otherwise: Option<String>,
}

/// Field in which a structure differs from the nearest one built by the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// Index of the object in the structure, breadth first, without boxes and strings.
    pub object: usize,
    /// Binary name of the object's class.
    pub class: String,
    /// Name of the field; empty for the object as a whole.
    pub field: String,
    /// Value in this structure.
    pub here: String,
    /// Value in the nearest structure.
    pub there: String,
    /// Place where the invariant first reads the field; `None` if it never does.
    pub read_at: Option<String>,
}

/// Whether the invariant accepts the structure at `root`.
pub fn accepts(vm: &mut Vm, invariant: MethodId, root: Ref, step_limit: u64) -> bool {
    let (_, exit) = run(vm, invariant, root, step_limit, &mut |_| {});
    matches!(exit, Exit::Done(answer) if answer as u32 != 0)
}

/// Finds the place where the invariant rejects the structure at `root`, by repeating the run up to
/// its last instructions.
pub fn rejection(vm: &mut Vm, invariant: MethodId, root: Ref) -> Rejection {
    let (steps, exit) = run(vm, invariant, root, STEPS, &mut |_| {});
    if exit != Exit::Done(0) {
        return Rejection {
            places: Vec::new(),
            otherwise: Some(vm.exit_text(&exit)),
        };
    }
    let mut last = Vec::new();
    // The place of the return, or that where a predicate of the program has just returned.
    for back in 1..=BACK.min(steps.saturating_sub(1)) {
        let mut places = Vec::new();
        let mut is_predicate = false;
        run(vm, invariant, root, steps - back, &mut |vm| {
            places = vm.running_at();
            is_predicate = vm.frames().last().is_some_and(|frame| {
                let method = vm.method(frame.method);
                method.result == Kind::Boolean && vm.is_app_class(method.class)
            });
        });
        if last.is_empty() || is_predicate && places.len() > last.len() {
            last = places;
        }
    }
    Rejection {
        places: last,
        otherwise: None,
    }
}

/// Runs the invariant for some instructions and calls `look` in the final state. Returns the number
/// of instructions.
fn run(
    vm: &mut Vm,
    invariant: MethodId,
    root: Ref,
    steps: u64,
    look: &mut dyn FnMut(&Vm),
) -> (u64, Exit) {
    vm.limit_steps(steps);
    let start = vm.steps();
    let exit = vm.with_mark(|vm| {
        let exit = match vm.call(invariant, &[root.slot()]) {
            Ok(()) => vm.run(&mut Plain),
            Err(exit) => exit,
        };
        look(vm);
        exit
    });
    let taken = vm.steps() - start;
    vm.abandon();
    vm.limit_steps(u64::MAX);
    (taken, exit)
}

/// Comparable form of a structure: its objects except values, each with its fields as texts, except
/// omitted ones.
struct Flat {
    objects: Vec<FlatObject>,
}

/// Object: its number in the structure, its class, and its fields with their values.
struct FlatObject {
    number: usize,
    class: String,
    fields: Vec<(String, String)>,
}

/// Difference between two structures.
struct Apart<'a> {
    /// Index of the object.
    place: usize,
    /// Object, if it is missing in the other structure or of another class there.
    whole: Option<&'a FlatObject>,
    field: &'a str,
    here: &'a str,
    there: &'a str,
}

impl Flat {
    fn of(structure: &Structure, omits: &Omits) -> Flat {
        let is_value = |object: &Object| !matches!(object.body, Body::Fields(_) | Body::Array(_));
        let mut numbers = Vec::new();
        let mut next = 0;
        for object in &structure.objects {
            numbers.push(next);
            next += usize::from(!is_value(object));
        }
        let shown = |value: &Value| match value {
            Value::Ref(target) => shown(structure, *target, numbers[*target]),
            value => heapwright_suite::plain(*value),
        };
        let objects = structure.objects.iter().enumerate();
        let objects = objects.filter(|(_, object)| !is_value(object));
        let objects = objects.map(|(number, object)| {
            let fields = match &object.body {
                Body::Fields(fields) => fields
                    .iter()
                    .filter(|field| !omits(&field.sig.declaring_class, &field.sig.name))
                    .map(|field| (field.sig.name.clone(), shown(&field.value)))
                    .collect(),
                Body::Array(elements) => elements
                    .iter()
                    .enumerate()
                    .map(|(index, value)| (format!("[{index}]"), shown(value)))
                    .collect(),
                _ => Vec::new(),
            };
            FlatObject {
                number,
                class: object.class.name.clone(),
                fields,
            }
        });
        Flat {
            objects: objects.collect(),
        }
    }

    /// Number of fields in which two structures differ; an object missing in one counts as all of
    /// its fields and one.
    fn distance(&self, other: &Flat) -> usize {
        let mut distance = 0;
        self.compare(other, &mut |apart| {
            distance += 1 + apart.whole.map_or(0, |object| object.fields.len());
        });
        distance
    }

    /// Calls `each` for each field in which this structure differs from another.
    fn compare<'a>(&'a self, other: &'a Flat, each: &mut dyn FnMut(Apart<'a>)) {
        let longest = self.objects.len().max(other.objects.len());
        for place in 0..longest {
            let (here, there) = (self.objects.get(place), other.objects.get(place));
            match (here, there) {
                (Some(here), Some(there)) if here.class == there.class => {
                    here.compare(there, place, each);
                }
                _ => {
                    let class =
                        |object: Option<&'a FlatObject>| object.map_or(NOTHING, |o| &o.class);
                    each(Apart {
                        place,
                        whole: here.or(there),
                        field: "",
                        here: class(here),
                        there: class(there),
                    });
                }
            }
        }
    }
}

impl FlatObject {
    fn compare<'a>(&'a self, other: &'a FlatObject, place: usize, each: &mut dyn FnMut(Apart<'a>)) {
        for at in 0..self.fields.len().max(other.fields.len()) {
            let (here, there) = (self.fields.get(at), other.fields.get(at));
            let value =
                |field: Option<&'a (String, String)>| field.map_or("nothing", |(_, value)| value);
            if value(here) != value(there) {
                each(Apart {
                    place,
                    whole: None,
                    field: here.or(there).map_or("", |(name, _)| name),
                    here: value(here),
                    there: value(there),
                });
            }
        }
    }
}

const NOTHING: &str = "no such object";

/// Structures of the API, as a basis for comparison.
pub struct Neighbours {
    all: Vec<(StructureRef, Flat)>,
    omits: Omits,
}

impl Neighbours {
    /// Reads the structures of a pool.
    pub fn new(
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        pool: Option<usize>,
        class: heapwright_jvm::ClassId,
    ) -> Neighbours {
        let omits = prepared.caller.canonicalizer.omits();
        let mut reader = StructureReader::new(vm, class);
        let count = pool.map_or(0, |pool| pools.get(pool as u32).len() as u32);
        let built = (0..count.min(MOST_NEIGHBOURS)).map(|index| StructureRef {
            pool: pool.unwrap_or(0) as u32,
            index,
        });
        let mut read = |vm: &mut Vm, built: StructureRef| {
            let root = prepared.caller.make(vm, pools, built).ok()?;
            let structure = reader.read(vm, root).structure;
            Some((built, Flat::of(&structure, &omits)))
        };
        let all = vm.with_mark(|vm| {
            built
                .filter_map(|built| vm.with_mark(|vm| read(vm, built)))
                .collect()
        });
        Neighbours { all, omits }
    }

    /// Finds the structure nearest to `structure`, which stands at `root`, and their differences.
    pub fn explain(
        &mut self,
        vm: &mut Vm,
        invariant: MethodId,
        root: Ref,
        structure: Structure,
    ) -> InvariantWitness {
        let this = Flat::of(&structure, &self.omits);
        let all = self.all.iter();
        let nearest = all
            .map(|(built, other)| (this.distance(other), built.index, built, other))
            .min_by_key(|&(distance, index, _, _)| (distance, index));
        let Some((_, _, &built, other)) = nearest else {
            return InvariantWitness {
                structure,
                nearest: None,
                differences: Vec::new(),
            };
        };
        let objects = objects_of(vm, root);
        let mut differences = Vec::new();
        this.compare(other, &mut |apart| {
            let object = this.objects.get(apart.place);
            let any = object.or(other.objects.get(apart.place));
            differences.push(FieldDifference {
                object: apart.place,
                class: any.map_or(String::new(), |object| object.class.clone()),
                field: apart.field.to_owned(),
                here: apart.here.to_owned(),
                there: apart.there.to_owned(),
                read_at: object.and_then(|object| {
                    read_at(vm, invariant, root, objects.get(object.number), apart.field)
                }),
            });
        });
        InvariantWitness {
            structure,
            nearest: Some(built),
            differences,
        }
    }
}

/// Text of a reference: boxes and strings by value, objects by class and index.
fn shown(structure: &Structure, target: usize, place: usize) -> String {
    let object = &structure.objects[target];
    match &object.body {
        Body::Boxed(value) => heapwright_suite::plain(*value),
        Body::String(text) => format!("{text:?}"),
        Body::EnumConstant(name) => name.clone(),
        Body::Fields(_) | Body::Array(_) => {
            let simple = object.class.name.rsplit(['.', '$']).next().unwrap_or("");
            format!("{simple}@{place}")
        }
    }
}

/// Objects reachable from `root` in the order in which a reader numbers them.
fn objects_of(vm: &mut Vm, root: Ref) -> Vec<Ref> {
    let class = vm.heap.class_of(root);
    let numbers = StructureReader::new(vm, class).read(vm, root).numbers;
    let mut objects: Vec<(usize, Ref)> = numbers
        .into_iter()
        .map(|(object, number)| (number, object))
        .collect();
    objects.sort_unstable();
    objects.into_iter().map(|(_, object)| object).collect()
}

/// Place where the invariant first reads a field of an object. The field is left unset, so that the
/// run stops there.
fn read_at(
    vm: &mut Vm,
    invariant: MethodId,
    root: Ref,
    object: Option<&Ref>,
    field: &str,
) -> Option<String> {
    let object = *object?;
    let class = vm.heap.class_of(object);
    if vm.class(class).shape != Shape::Instance {
        return None;
    }
    let word = vm.find_field(class, field)?.word;
    vm.limit_steps(STEPS);
    let place = vm.with_mark(|vm| {
        vm.add_variable(object, Place::Field(word));
        let exit = match vm.call(invariant, &[root.slot()]) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        match exit {
            Exit::Choice(_) => vm.running_at().into_iter().next(),
            _ => None,
        }
    });
    vm.abandon();
    vm.limit_steps(u64::MAX);
    place
}
