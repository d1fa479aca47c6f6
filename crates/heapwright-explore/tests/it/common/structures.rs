//! State spaces of small classes, and all their candidates by brute force.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_explore::{
    Choice, ClassDomain, ClassDomainId, Domain, End, Entry, Leaf, Search, StateSpace, Tree,
};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Exit, MethodId, Place, Ref, Vm};

use super::{ENOUGH, go_on, method, run, undone};

/// Structures as text, with the number of times that each occurs.
pub type Found = BTreeMap<String, u32>;

/// State space of a class, with its predicate `repOk`.
pub struct Structures {
    pub space: StateSpace,
    pub predicate: MethodId,
    /// Name of the field of each entry, or of the part of an array.
    names: Vec<String>,
}

/// Objects of the classes: names of the classes, and the number of each one's class domain.
struct Rows<'a> {
    classes: &'a [(&'a str, u32)],
    rows: Vec<Vec<Ref>>,
    root: Ref,
}

impl Structures {
    /// Creates the objects and entries. A line of `fields` has the values of a field, in order:
    /// `Node.next: null this Node`, `Node.key: 0..2`, `Node.weight: 0.5,1.5`, `List.items: null
    /// int[2] of 0..1`. The root is in no row of interchangeable objects.
    pub fn new(vm: &mut Vm, root: &str, classes: &[(&str, u32)], fields: &str) -> Structures {
        let predicate = method(vm, root, "repOk");
        let make = |vm: &mut Vm, name: &str| {
            let class = vm.load_class(name).unwrap();
            vm.initialize_now(class).unwrap();
            let words = vm.class(class).instance_words;
            vm.heap.allocate(class, words, false).unwrap()
        };
        let root_object = make(vm, root);
        let rows = classes.iter().map(|&(name, count)| {
            let objects = (0..count).map(|_| make(vm, name));
            objects.collect::<Vec<Ref>>()
        });
        let rows = Rows {
            rows: rows.collect(),
            classes,
            root: root_object,
        };
        let mut made = Structures {
            space: StateSpace {
                root: root_object,
                class_domains: rows
                    .rows
                    .iter()
                    .map(|row| domain(row.clone(), true))
                    .collect(),
                ..StateSpace::default()
            },
            predicate,
            names: Vec::new(),
        };
        made.space
            .class_domains
            .push(domain(vec![root_object], false));
        let lines: Vec<&str> = fields.lines().map(str::trim).collect();
        let mut add_fields = |vm: &mut Vm, object: Ref, name: &str| {
            for line in lines.iter().filter(|line| !line.is_empty()) {
                let (field, values) = line.split_once(": ").unwrap();
                let (class, field) = field.split_once('.').unwrap();
                if class == name {
                    made.add(vm, &rows, object, field, values);
                }
            }
        };
        add_fields(vm, root_object, root);
        for (row, (name, _)) in rows.rows.iter().zip(classes) {
            for &object in row {
                add_fields(vm, object, name);
            }
        }
        made
    }

    fn add(&mut self, vm: &mut Vm, rows: &Rows<'_>, object: Ref, field: &str, values: &str) {
        let class = vm.heap.class_of(object);
        let found = vm.find_field(class, field).unwrap();
        let (place, kind) = (Place::Field(found.word), found.kind);
        if kind != Kind::Reference {
            return self.entry(object, place, field, numbers(kind, values));
        }
        let mut choices = Vec::new();
        let mut array = None;
        let (names, elements) = values.split_once(" of ").unwrap_or((values, ""));
        for name in names.split(' ') {
            let of_row = |(index, object): (usize, Ref), number: usize| Choice {
                slot: object.slot(),
                object: Some((ClassDomainId(number as u32), index as u32)),
            };
            match name {
                "null" => choices.push(Choice {
                    slot: 0,
                    object: None,
                }),
                "this" => choices.push(of_row((0, rows.root), rows.rows.len())),
                _ if name.ends_with(']') => {
                    let most: u32 = name["int[".len()..name.len() - 1].parse().unwrap();
                    let ints = vm.load_class("[I").unwrap();
                    let made = vm.new_choice_array(ints, most).unwrap();
                    choices.push(of_row((0, made), self.space.class_domains.len()));
                    self.space.class_domains.push(domain(vec![made], false));
                    array = Some((made, most));
                }
                _ => {
                    let number = rows.classes.iter().position(|all| all.0 == name).unwrap();
                    let row = rows.rows[number].iter().copied().enumerate();
                    choices.extend(row.map(|object| of_row(object, number)));
                }
            }
        }
        let kind = Kind::Reference;
        self.entry(object, place, field, Domain { kind, choices });
        if let Some((array, most)) = array {
            let lengths = numbers(Kind::Int, &format!("0..{most}"));
            self.entry(array, Place::Length, "length", lengths);
            for index in 0..most {
                let values = numbers(Kind::Int, elements);
                self.entry(array, Place::Element(index), &index.to_string(), values);
            }
        }
    }

    fn entry(&mut self, object: Ref, place: Place, name: &str, domain: Domain) {
        self.space.entries.push(Entry {
            object,
            place,
            domain: self.space.domains.len() as u32,
            fixed: None,
            is_shared: false,
        });
        self.space.domains.push(domain);
        self.names.push(name.to_owned());
    }

    /// Values of an entry.
    pub fn choices(&self, entry: usize) -> &[Choice] {
        let domain = self.space.entries[entry].domain;
        &self.space.domains[domain as usize].choices
    }

    /// Calls `visit` with each candidate chosen on the machine: every combination of values.
    pub fn candidates(&self, vm: &mut Vm, mut visit: impl FnMut(&mut Vm)) {
        let mut chosen = vec![0; self.space.entries.len()];
        loop {
            undone(vm, |vm| {
                for (number, entry) in self.space.entries.iter().enumerate() {
                    let choice = self.choices(number)[chosen[number]];
                    vm.choose(entry.object, entry.place, choice.slot);
                }
                visit(vm);
            });
            let is_full = |&number: &usize| chosen[number] + 1 == self.choices(number).len();
            let Some(next) = (0..chosen.len()).find(|number| !is_full(number)) else {
                return;
            };
            chosen[next] += 1;
            chosen[..next].fill(0);
        }
    }

    /// Outcome of the predicate on a candidate.
    pub fn decide(&self, vm: &mut Vm) -> Exit {
        undone(vm, |vm| {
            run(vm, self.predicate, &[self.space.root.slot()], ENOUGH)
        })
    }

    /// All structures that satisfy the predicate up to isomorphism, once each.
    pub fn valid(&self, vm: &mut Vm) -> Found {
        let mut found = Found::new();
        self.candidates(vm, |vm| {
            if matches!(self.decide(vm), Exit::Done(1)) {
                found.insert(self.text(vm), 1);
            }
        });
        found
    }

    /// Structure at which the machine stands, up to isomorphism: objects have numbers in the order
    /// of a traversal.
    pub fn text(&self, vm: &Vm) -> String {
        let mut text = String::new();
        self.write(vm, self.space.root, &mut Vec::new(), &mut text);
        text
    }

    fn write(&self, vm: &Vm, object: Ref, seen: &mut Vec<Ref>, text: &mut String) {
        if let Some(number) = seen.iter().position(|&other| other == object) {
            write!(text, "#{number}").unwrap();
            return;
        }
        seen.push(object);
        write!(text, "{}{{", vm.binary_name(vm.heap.class_of(object))).unwrap();
        let mut length = u32::MAX;
        for (number, entry) in self.space.entries.iter().enumerate() {
            if entry.object != object {
                continue;
            }
            let slot = match entry.place {
                Place::Element(index) if index >= length => continue,
                place => vm.slot_of_place(object, place),
            };
            write!(text, " {}:", self.names[number]).unwrap();
            match self.space.domains[entry.domain as usize].kind {
                Kind::Reference if slot != 0 => {
                    self.write(vm, Ref::from_slot(slot), seen, text);
                }
                kind => text.push_str(&super::number(kind, slot)),
            }
            if entry.place == Place::Length {
                length = slot as u32;
            }
        }
        text.push('}');
    }

    /// Structures at the leaves of a search that satisfy the predicate.
    pub fn found<T: Tree<Leaf = Leaf>>(&self, vm: &mut Vm, search: &mut T) -> Found
    where
        T::Error: std::fmt::Debug,
    {
        let mut found = Found::new();
        let end = search.run(vm, &mut go_on, &mut |vm, leaf, _| {
            if *leaf == Leaf::Valid {
                *found.entry(self.text(vm)).or_default() += 1;
            }
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
        let all: u32 = found.values().sum();
        assert_eq!(search.progress().valid, u64::from(all));
        found
    }
}

fn domain(objects: Vec<Ref>, is_row: bool) -> ClassDomain {
    ClassDomain {
        objects,
        in_isomorphism_check: is_row,
        is_uniform: is_row,
    }
}

/// Values of a primitive kind: `0..2`, or `1,5,7`.
fn numbers(kind: Kind, values: &str) -> Domain {
    let slot = |value: i64| match kind {
        Kind::Long => value as u64,
        _ => u64::from(value as u32),
    };
    if let Some((first, last)) = values.split_once("..") {
        let values = first.parse::<i64>().unwrap()..=last.parse().unwrap();
        return Domain::of_slots(kind, values.map(slot));
    }
    let parsed = values.split(',').map(|value| match kind {
        Kind::Double => value.parse::<f64>().unwrap().to_bits(),
        Kind::Float => value.parse::<f32>().unwrap().to_bits().into(),
        _ => slot(value.parse().unwrap()),
    });
    Domain::of_slots(kind, parsed)
}
