//! Internal layout of the library's collections.

use crate::class::ClassId;
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::{Fault, Vm};

/// Layout of a collection: the words of the fields that lead to its members.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CollectionLayout {
    /// Keys of a hash map's nodes.
    HashMap {
        table: u32,
        hash: u32,
        key: u32,
        next: u32,
    },
    /// Keys of the map in this field.
    HashSet { map: u32 },
    /// Keys of the map in this field, which may have any class.
    SetFromMap { map: u32 },
    /// Every other element of a table; unused places are null.
    IdentityHashMap { table: u32 },
    /// First elements of an array.
    ArrayList { size: u32, elements: u32 },
    /// Items of a chain of nodes.
    LinkedList { first: u32, item: u32, next: u32 },
}

impl Vm {
    /// Layout of a class, if it is a known collection.
    pub(super) fn layout(&mut self, class: ClassId) -> Result<Option<CollectionLayout>, Fault> {
        if let Some(&known) = self.layouts.get(&class) {
            return Ok(known);
        }
        let word = |vm: &mut Vm, class: &str, field: &str| {
            let class = vm.load_class(class).map_err(|error| vm.load_fault(error))?;
            vm.word_of(class, field)
        };
        let layout = match self.class_name(class) {
            "java/util/HashSet" | "java/util/LinkedHashSet" => Some(CollectionLayout::HashSet {
                map: word(self, "java/util/HashSet", "map")?,
            }),
            "java/util/HashMap" | "java/util/LinkedHashMap" => Some(CollectionLayout::HashMap {
                table: word(self, "java/util/HashMap", "table")?,
                hash: word(self, "java/util/HashMap$Node", "hash")?,
                key: word(self, "java/util/HashMap$Node", "key")?,
                next: word(self, "java/util/HashMap$Node", "next")?,
            }),
            "java/util/IdentityHashMap" => Some(CollectionLayout::IdentityHashMap {
                table: word(self, "java/util/IdentityHashMap", "table")?,
            }),
            "java/util/ArrayList" => Some(CollectionLayout::ArrayList {
                size: word(self, "java/util/ArrayList", "size")?,
                elements: word(self, "java/util/ArrayList", "elementData")?,
            }),
            "java/util/LinkedList" => Some(CollectionLayout::LinkedList {
                first: word(self, "java/util/LinkedList", "first")?,
                item: word(self, "java/util/LinkedList$Node", "item")?,
                next: word(self, "java/util/LinkedList$Node", "next")?,
            }),
            "java/util/Collections$SetFromMap" => Some(CollectionLayout::SetFromMap {
                map: word(self, "java/util/Collections$SetFromMap", "m")?,
            }),
            _ => None,
        };
        self.layouts.insert(class, layout);
        Ok(layout)
    }

    /// Members of a collection with a layout. `None` if a member, or a field that leads to it, is
    /// symbolic or of a class whose layout is unknown.
    pub(super) fn members(
        &mut self,
        collection: Ref,
        layout: CollectionLayout,
    ) -> Result<Option<Vec<Ref>>, Fault> {
        let inner = self.inner(collection, layout)?;
        Ok(inner.and_then(|(inner, layout)| self.members_of(inner, layout)))
    }

    /// Map behind a set; any other collection unchanged.
    pub(super) fn inner(
        &mut self,
        collection: Ref,
        layout: CollectionLayout,
    ) -> Result<Option<(Ref, CollectionLayout)>, Fault> {
        let (CollectionLayout::HashSet { map } | CollectionLayout::SetFromMap { map }) = layout
        else {
            return Ok(Some((collection, layout)));
        };
        let Some(map) = self.concrete(collection, map) else {
            return Ok(None);
        };
        let layout = self.layout(self.heap.class_of(map))?;
        let is_map = |layout: &CollectionLayout| {
            matches!(
                layout,
                CollectionLayout::HashMap { .. } | CollectionLayout::IdentityHashMap { .. }
            )
        };
        Ok(layout.filter(is_map).map(|layout| (map, layout)))
    }

    fn members_of(&self, collection: Ref, layout: CollectionLayout) -> Option<Vec<Ref>> {
        match layout {
            CollectionLayout::HashMap {
                table, key, next, ..
            } => {
                let nodes = self.nodes(collection, table, next)?;
                nodes.iter().map(|&node| self.concrete(node, key)).collect()
            }
            CollectionLayout::LinkedList { first, item, next } => {
                let mut nodes = Vec::new();
                let first = self.concrete(collection, first)?;
                self.follow(first, next, &mut nodes)?;
                nodes
                    .iter()
                    .map(|&node| self.concrete(node, item))
                    .collect()
            }
            CollectionLayout::IdentityHashMap { table } => {
                let table = self.concrete(collection, table)?;
                self.elements_from(table, 0, 2, self.heap.array_length(table))
            }
            CollectionLayout::ArrayList { size, elements } => {
                let size = self.concrete(collection, size)?.0;
                let array = self.concrete(collection, elements)?;
                self.elements_from(array, 0, 1, size.min(self.heap.array_length(array)))
            }
            CollectionLayout::HashSet { .. } | CollectionLayout::SetFromMap { .. } => None,
        }
    }

    /// Nodes of a hash map.
    pub(super) fn nodes(&self, map: Ref, table: u32, next: u32) -> Option<Vec<Ref>> {
        self.nodes_of(self.concrete(map, table)?, next)
    }

    /// Nodes in a hash map's table, which may be null.
    pub(super) fn nodes_of(&self, table: Ref, next: u32) -> Option<Vec<Ref>> {
        let mut nodes = Vec::new();
        if table.is_null() {
            return Some(nodes);
        }
        let start = self.heap.elements(table);
        for index in 0..u64::from(self.heap.array_length(table)) {
            let bin = Ref(self.heap.load32(start + 4 * index));
            self.follow(bin, next, &mut nodes)?;
        }
        Some(nodes)
    }

    /// Appends a chain of nodes.
    fn follow(&self, first: Ref, next: u32, nodes: &mut Vec<Ref>) -> Option<()> {
        let mut node = first;
        while !node.is_null() {
            nodes.push(node);
            node = self.concrete(node, next)?;
        }
        Some(())
    }

    /// Every `step`-th element from `first` on, without unused places if `step` is 2. `None` if
    /// an element is unset or symbolic.
    fn elements_from(&self, array: Ref, first: u32, step: u32, end: u32) -> Option<Vec<Ref>> {
        let start = self.heap.elements(array);
        (first..end)
            .step_by(step as usize)
            .map(|index| {
                let is_open = self.unset_element(array, index).is_some()
                    || self.symbolic_element(array, index).is_some();
                (!is_open).then(|| Ref(self.heap.load32(start + 4 * u64::from(index))))
            })
            .filter(|element| step == 1 || *element != Some(Ref::NULL))
            .collect()
    }

    /// Returns a field by its word; `None` if it is symbolic.
    pub(super) fn concrete(&self, object: Ref, word: u32) -> Option<Ref> {
        let slot = self.heap.field(object, word);
        (!is_symbolic(slot)).then(|| Ref::from_slot(slot))
    }

    /// Whether all members, and all candidates of a term, inherit a method from `Object`.
    pub(super) fn all_are_objects_own<M: Machine>(
        &self,
        wanted: &str,
        machine: &mut M,
        term: u32,
        members: &[Ref],
    ) -> Result<bool, Fault> {
        let mut last: Option<ClassId> = None;
        for object in members.iter().copied().chain(machine.candidates(term)) {
            let class = self.heap.class_of(object);
            if object.is_null() || last == Some(class) {
                continue;
            }
            last = Some(class);
            if !self.is_objects_own(wanted, class)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a class inherits a method from `Object`.
    pub(super) fn is_objects_own(&self, wanted: &str, class: ClassId) -> Result<bool, Fault> {
        let declared = self
            .class(self.known().object)
            .vtable
            .iter()
            .position(|&method| self.text(self.method(method).name) == wanted);
        let Some(index) = declared else {
            return Err(Fault::unsupported("a class Object without its methods"));
        };
        let method = self.class(self.known().object).vtable[index];
        Ok(self.class(class).vtable.get(index) == Some(&method))
    }
}
