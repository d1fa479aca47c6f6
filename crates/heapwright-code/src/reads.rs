//! Instance fields and array elements that code names.

use std::collections::BTreeMap;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, MethodId, Place, Vm};
use rustc_hash::FxHashSet;

use crate::Supergraph;

/// Places of objects that the code of a method, and all that it leads to, reads by instructions of
/// its own. Reads by reflection, and by the library on behalf of the code, are not among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceReads {
    /// Any place: the code is not known.
    All,
    /// These fields, each by its class and word, and, if the flag is set, elements of arrays of
    /// references.
    Only(FxHashSet<(ClassId, u32)>, bool),
}

impl PlaceReads {
    /// Reads of a method that is called on an object of a class.
    pub fn of(vm: &mut Vm, class: ClassId, method: MethodId) -> PlaceReads {
        let graph = Supergraph::read(vm, class, &BTreeMap::new());
        let Some(graph) = graph.filter(|graph| graph.has(method)) else {
            return PlaceReads::All;
        };
        let reached = graph.reachable_from(method, 0);
        let (mut fields, mut elements) = (FxHashSet::default(), false);
        for (&method, listing) in &graph.listings {
            for listed in &listing.instructions {
                if !reached.contains(&(method, listed.at)) {
                    continue;
                }
                match &listed.step {
                    ListedOperation::GetField(member, false) => {
                        let field = vm.named_field(member);
                        fields.extend(field.map(|field| (field.class, field.word)));
                    }
                    ListedOperation::ArrayLoad(Kind::Reference) => elements = true,
                    _ => {}
                }
            }
        }
        PlaceReads::Only(fields, elements)
    }

    /// Whether a place of an object of a class is among them; the length of an array always is.
    #[must_use]
    pub fn has(&self, vm: &Vm, class: ClassId, place: Place) -> bool {
        match (self, place) {
            (PlaceReads::All, _) | (_, Place::Length) => true,
            (PlaceReads::Only(_, elements), Place::Element(_)) => *elements,
            (PlaceReads::Only(fields, _), Place::Field(word)) => {
                let mut above = vm.class(class).display.iter();
                above.any(|&above| fields.contains(&(above, word)))
            }
        }
    }
}
