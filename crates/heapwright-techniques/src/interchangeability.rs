//! Checks whether objects that a search treats as interchangeable really are.
//!
//! Their chosen fields are open. Everything else, set by constructors or a finitization, must not
//! distinguish them: neither their other fields nor references to them.

use std::collections::{HashMap, HashSet};

use heapwright_jvm::class::{Field, Loader, Shape};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Place, Ref, Vm};

/// View of the heap before the search.
pub(crate) struct Interchangeability<'a> {
    vm: &'a Vm,
    /// The places that the search chooses.
    chosen: HashSet<(Ref, Place)>,
    /// All objects in class domains, and the root.
    objects: HashSet<Ref>,
    /// Objects to which something other than a chosen place or the object itself refers.
    referred: HashSet<Ref>,
}

impl<'a> Interchangeability<'a> {
    pub fn new(
        vm: &'a Vm,
        chosen: HashSet<(Ref, Place)>,
        objects: HashSet<Ref>,
    ) -> Interchangeability<'a> {
        let mut alike = Interchangeability {
            vm,
            chosen,
            objects,
            referred: HashSet::new(),
        };
        let statics = vm
            .loaded_classes()
            .filter(|&class| vm.class(class).loader == Loader::App)
            .flat_map(|class| &vm.class(class).fields)
            .filter(|field| field.is_static() && field.kind == Kind::Reference)
            .map(|field| Ref::from_slot(vm.heap.load(field.word)));
        alike.walk(None, statics.collect());
        for object in alike.objects.clone() {
            alike.walk(Some(object), vec![object]);
        }
        alike
    }

    /// Whether the objects are indistinguishable.
    pub fn are_uniform(&self, row: &[Ref]) -> bool {
        row.iter().all(|object| !self.referred.contains(object))
            && row.windows(2).all(|pair| self.is_like(pair[0], pair[1]))
    }

    /// Whether something other than a chosen place or the object itself refers to an object.
    pub fn is_referred_to(&self, object: Ref) -> bool {
        self.referred.contains(&object)
    }

    /// Returns the words that no choice writes: other fields of the objects, and everything
    /// reachable from them.
    pub fn fixed_words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        let mut seen: HashSet<Ref> = HashSet::new();
        let mut open: Vec<Ref> = self.objects.iter().copied().collect();
        while let Some(object) = open.pop() {
            if object.is_null() || self.vm.heap.is_permanent(object) || !seen.insert(object) {
                continue;
            }
            words.extend(self.words_of(object));
            let slots = self.fixed_slots(object).into_iter();
            open.extend(
                slots
                    .filter(|(kind, _)| *kind == Kind::Reference)
                    .map(|(_, slot)| Ref::from_slot(slot)),
            );
        }
        words.sort_unstable();
        words
    }

    /// Returns the words of an object's places that are not chosen.
    fn words_of(&self, object: Ref) -> Vec<u32> {
        let class = self.vm.heap.class_of(object);
        if let Shape::Array(_) = self.vm.class(class).shape {
            if self.chosen.contains(&(object, Place::Length)) {
                return Vec::new();
            }
            let bytes = u64::from(self.vm.heap.array_length(object))
                * u64::from(self.vm.array_element_kind(class).element_bytes());
            let first = (self.vm.heap.elements(object) / 8) as u32;
            return (first..first + bytes.div_ceil(8) as u32).collect();
        }
        let display = self.vm.class(class).display.iter();
        display
            .flat_map(|&class| &self.vm.class(class).fields)
            .filter(|field| self.is_fixed(object, field))
            .map(|field| object.0 + field.word)
            .collect()
    }

    /// Whether a field of an object is part of its state and not chosen.
    fn is_fixed(&self, object: Ref, field: &Field) -> bool {
        !field.is_static()
            && !self.chosen.contains(&(object, Place::Field(field.word)))
            && !self.vm.is_cache(field)
    }

    /// Records the objects reached from `open`; references of `origin` to itself do not count.
    fn walk(&mut self, origin: Option<Ref>, mut open: Vec<Ref>) {
        let mut seen: HashSet<Ref> = HashSet::new();
        while let Some(object) = open.pop() {
            if object.is_null() || !seen.insert(object) {
                continue;
            }
            if self.objects.contains(&object) && origin != Some(object) {
                self.referred.insert(object);
                continue;
            }
            open.extend(
                self.fixed_slots(object)
                    .into_iter()
                    .filter_map(|(kind, slot)| {
                        (kind == Kind::Reference).then_some(Ref::from_slot(slot))
                    }),
            );
        }
    }

    /// Compares two objects by a simultaneous traversal.
    fn is_like(&self, left: Ref, right: Ref) -> bool {
        let mut partner: HashMap<Ref, Ref> = HashMap::new();
        let mut open = vec![(left, right)];
        while let Some((left, right)) = open.pop() {
            if left == right {
                continue;
            }
            if let Some(&known) = partner.get(&left) {
                if known != right {
                    return false;
                }
                continue;
            }
            let class = |object: Ref| self.vm.heap.class_of(object);
            if left.is_null() || right.is_null() || class(left) != class(right) {
                return false;
            }
            partner.insert(left, right);
            let (ours, theirs) = (self.fixed_slots(left), self.fixed_slots(right));
            if ours.len() != theirs.len() {
                return false;
            }
            for (&(kind, ours), &(_, theirs)) in ours.iter().zip(&theirs) {
                if kind == Kind::Reference {
                    open.push((Ref::from_slot(ours), Ref::from_slot(theirs)));
                } else if ours != theirs {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the contents of an object's places that are not chosen, in order.
    fn fixed_slots(&self, object: Ref) -> Vec<(Kind, u64)> {
        let class = self.vm.heap.class_of(object);
        if let Shape::Array(_) = self.vm.class(class).shape {
            return self.elements(object, class);
        }
        let display = self.vm.class(class).display.iter();
        display
            .flat_map(|&class| &self.vm.class(class).fields)
            .filter(|field| self.is_fixed(object, field))
            .map(|field| (field.kind, self.vm.heap.field(object, field.word)))
            .collect()
    }

    fn elements(&self, array: Ref, class: ClassId) -> Vec<(Kind, u64)> {
        if self.chosen.contains(&(array, Place::Length)) {
            return Vec::new();
        }
        let kind = self.vm.array_element_kind(class);
        let start = self.vm.heap.elements(array);
        (0..u64::from(self.vm.heap.array_length(array)))
            .map(|index| {
                let at = start + index * u64::from(kind.element_bytes());
                (kind, self.vm.array_slot(at, kind))
            })
            .collect()
    }
}
