//! Why a structure is on one side only: where the invariant rejects it, or which fields set it apart
//! from the nearest one that the API builds.

use heapwright_jvm::class::Shape;
use heapwright_jvm::{Choosing, Exit, MethodId, Place, Plain, Ref, Vm};
use heapwright_suite::{Body, Object, Structure, Value};

use super::InvariantWitness;
use crate::api::{Built, Pools, Prepared};
use crate::read::StructureReader;

/// Most structures of the API among which the nearest is looked for.
const MOST_NEIGHBOURS: u32 = 50_000;
/// Instructions before the end of a run in which the place that decided it is looked for.
const BACK: u64 = 64;
/// Most instructions of a run of the invariant.
const STEPS: u64 = 10_000_000;

/// Where an invariant said no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The places of the method that answered last and of those that called it, innermost first, as
    /// `a.B.repOK():17`; empty if it was not an answer that ended the run.
    pub places: Vec<String>,
    /// How it ended otherwise: an exception or a limit.
    pub otherwise: Option<String>,
}

/// A field in which a structure differs from the nearest one that the API builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The object's number in the structure.
    pub object: usize,
    /// The class of the object, by binary name.
    pub class: String,
    /// The field's name; empty for the object as a whole.
    pub field: String,
    /// What it holds.
    pub here: String,
    /// What it holds in the nearest structure.
    pub there: String,
    /// Where the invariant first reads it; `None` if it never does.
    pub read_at: Option<String>,
}

/// Where the invariant rejects the structure at `root`: the run is made again up to its last
/// instructions.
pub fn rejection(vm: &mut Vm, invariant: MethodId, root: Ref) -> Rejection {
    let (steps, exit) = run(vm, invariant, root, STEPS, &mut |_| {});
    if exit != Exit::Done(0) {
        return Rejection {
            places: Vec::new(),
            otherwise: Some(vm.exit_text(&exit)),
        };
    }
    // The last place at which a method that the invariant calls was about to answer, if that was just
    // before the end; else its own.
    let mut last = Vec::new();
    for back in 1..=BACK.min(steps.saturating_sub(1)) {
        let mut places = Vec::new();
        run(vm, invariant, root, steps - back, &mut |vm| {
            places = vm.running_at();
        });
        let is_deeper = places.len() > last.len();
        if last.is_empty() || is_deeper {
            last = places;
        }
        if is_deeper && back > 1 {
            break;
        }
    }
    Rejection {
        places: last,
        otherwise: None,
    }
}

/// Runs the invariant for some instructions; `look` sees the machine where it stops. Gives the
/// instructions it took.
fn run(
    vm: &mut Vm,
    invariant: MethodId,
    root: Ref,
    steps: u64,
    look: &mut dyn FnMut(&Vm),
) -> (u64, Exit) {
    let mark = vm.mark();
    vm.limit_steps(steps);
    let start = vm.steps();
    let exit = match vm.call(invariant, &[root.slot()]) {
        Ok(()) => vm.run(&mut Plain),
        Err(exit) => exit,
    };
    look(vm);
    let taken = vm.steps() - start;
    vm.undo_to(mark);
    vm.forget(mark);
    vm.abandon();
    vm.limit_steps(u64::MAX);
    (taken, exit)
}

/// The structures of the API, for comparing others with them.
pub struct Neighbours {
    all: Vec<(Built, Structure)>,
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
        let mut all = Vec::new();
        let mut reader = StructureReader::new(vm, class);
        let count = pool.map_or(0, |pool| pools.get(pool as u32).reached.len() as u32);
        let outer = vm.mark();
        for index in 0..count.min(MOST_NEIGHBOURS) {
            let built = Built {
                pool: pool.unwrap_or(0) as u32,
                index,
            };
            let mark = vm.mark();
            if let Ok(root) = prepared.caller.make(vm, pools, built) {
                all.push((built, reader.read(vm, root).structure));
            }
            vm.undo_to(mark);
            vm.forget(mark);
        }
        vm.undo_to(outer);
        vm.forget(outer);
        Neighbours { all }
    }

    /// The nearest structure to `structure`, which stands at `root`, and what sets them apart.
    pub fn explain(
        &mut self,
        vm: &mut Vm,
        invariant: MethodId,
        root: Ref,
        structure: Structure,
    ) -> InvariantWitness {
        let nearest = self
            .all
            .iter()
            .map(|(built, other)| (distance(&structure, other), built, other))
            .min_by_key(|(distance, built, _)| (*distance, built.index));
        let Some((_, &built, other)) = nearest else {
            return InvariantWitness {
                structure,
                nearest: None,
                differences: Vec::new(),
            };
        };
        let objects = objects_of(vm, root);
        let mut differences = Vec::new();
        for (number, object) in structure.objects.iter().enumerate() {
            let Some(there) = other.objects.get(number) else {
                differences.push(whole(&structure, number, "no such object"));
                continue;
            };
            differing(object, there, &mut |field, here, there| {
                differences.push(Difference {
                    object: number,
                    class: object.class.name.clone(),
                    read_at: read_at(vm, invariant, root, objects.get(number), field),
                    field: field.to_owned(),
                    here: shown(&structure, here),
                    there: shown(other, there),
                });
            });
        }
        for number in structure.objects.len()..other.objects.len() {
            let mut missing = whole(other, number, "");
            std::mem::swap(&mut missing.here, &mut missing.there);
            missing.here = "no such object".to_owned();
            missing.there = other.objects[number].class.name.clone();
            differences.push(missing);
        }
        InvariantWitness {
            structure,
            nearest: Some(built),
            differences,
        }
    }
}

fn whole(structure: &Structure, number: usize, there: &str) -> Difference {
    let class = structure.objects[number].class.name.clone();
    Difference {
        object: number,
        field: String::new(),
        here: class.clone(),
        class,
        there: there.to_owned(),
        read_at: None,
    }
}

/// In how many fields two structures differ; one that only one has counts as all of its fields.
fn distance(a: &Structure, b: &Structure) -> usize {
    let longer = if a.objects.len() > b.objects.len() {
        a
    } else {
        b
    };
    let shared = a.objects.len().min(b.objects.len());
    let mut distance = 0;
    for object in &longer.objects[shared..] {
        distance += 1 + fields(object).len();
    }
    for (a, b) in a.objects.iter().zip(&b.objects) {
        differing(a, b, &mut |_, _, _| distance += 1);
    }
    distance
}

/// Calls `each` for each field in which two objects differ.
fn differing(a: &Object, b: &Object, each: &mut dyn FnMut(&str, &Value, &Value)) {
    if a.class.name != b.class.name {
        each("", &Value::Null, &Value::Null);
        return;
    }
    for ((name, here), (_, there)) in fields(a).iter().zip(&fields(b)) {
        if here != there {
            each(name, here, there);
        }
    }
}

/// The fields or elements of an object, or the value of a box, with their names.
fn fields(object: &Object) -> Vec<(String, Value)> {
    match &object.body {
        Body::Fields(fields) => fields
            .iter()
            .map(|field| (field.sig.name.clone(), field.value))
            .collect(),
        Body::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(index, value)| (format!("[{index}]"), *value))
            .collect(),
        Body::Boxed(value) => vec![("value".to_owned(), *value)],
        Body::String(_) | Body::EnumConstant(_) => Vec::new(),
    }
}

/// A value for people: boxes and strings as they are, objects by class and number.
fn shown(structure: &Structure, value: &Value) -> String {
    let Value::Ref(target) = value else {
        return heapwright_suite::plain(*value);
    };
    let Some(object) = structure.objects.get(*target) else {
        return format!("@{target}");
    };
    match &object.body {
        Body::Boxed(value) => heapwright_suite::plain(*value),
        Body::String(text) => format!("{text:?}"),
        Body::EnumConstant(name) => name.clone(),
        Body::Fields(_) | Body::Array(_) => {
            let simple = object.class.name.rsplit(['.', '$']).next().unwrap_or("");
            format!("{simple}@{target}")
        }
    }
}

/// The objects below `root` in the order in which a reader numbers them.
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

/// Where the invariant first reads a field of an object: the field is left without a value, and the
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
    let mark = vm.mark();
    vm.add_variable(object, Place::Field(word));
    vm.limit_steps(STEPS);
    let exit = match vm.call(invariant, &[root.slot()]) {
        Ok(()) => vm.run(&mut Choosing),
        Err(exit) => exit,
    };
    let place = match exit {
        Exit::Choice(_) => vm.running_at().into_iter().next(),
        _ => None,
    };
    vm.undo_to(mark);
    vm.forget(mark);
    vm.abandon();
    vm.limit_steps(u64::MAX);
    place
}
