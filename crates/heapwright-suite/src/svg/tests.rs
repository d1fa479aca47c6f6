//! Properties of all drawings, on random structures.

use std::sync::Arc;

use proptest::prelude::*;

use super::graph::Graph;
use super::{Drawing, Picture};
use crate::boxes;
use crate::{Access, Body, ClassSig, Field, FieldSig, Object, Structure, Value};

/// Up to 14 objects of two classes with up to four references each.
fn structures() -> impl Strategy<Value = Structure> {
    let object = prop::collection::vec(prop::option::of(0..14usize), 0..5);
    prop::collection::vec(object, 1..14).prop_map(|objects| {
        let count = objects.len();
        let objects = objects.into_iter().enumerate().map(|(index, targets)| {
            let class = if index % 3 == 0 {
                "a.Tree"
            } else {
                "a.LongNamedNode"
            };
            let fields = targets.into_iter().enumerate().map(|(at, target)| Field {
                sig: Arc::new(FieldSig {
                    declaring_class: class.to_owned(),
                    name: ["left", "right", "parent", "theOther", "x"][at].to_owned(),
                    descriptor: "La/LongNamedNode;".to_owned(),
                    access: Access::Package,
                    is_final: false,
                }),
                value: target.map_or(Value::Null, |target| Value::Ref(target % count)),
            });
            Object {
                class: Arc::new(ClassSig::named(class, class)),
                body: Body::Fields(fields.collect()),
            }
        });
        Structure {
            objects: objects.collect(),
        }
    })
}

proptest! {
    #[test]
    fn boxes_do_not_overlap_and_every_reference_has_a_label(structure in structures()) {
        let picture = Picture::new(&structure, "caption");
        let boxes = &picture.layout.boxes;
        prop_assert_eq!(boxes.len(), structure.objects.len());
        for (at, place) in boxes.iter().enumerate() {
            for other in &boxes[at + 1..] {
                prop_assert!(!place.overlaps_clearly(other), "{place:?} {other:?}");
            }
            prop_assert!(picture.frame.holds(place), "{:?} {place:?}", picture.frame);
        }
        let references: usize = structure
            .objects
            .iter()
            .flat_map(Object::values)
            .filter(|value| matches!(value, Value::Ref(_)))
            .count();
        let labels: usize = picture.curves.iter().map(|curve| curve.label.split(", ").count()).sum();
        prop_assert_eq!(labels, references);
    }

    #[test]
    fn text_has_every_box_and_every_reference(structure in structures()) {
        let text = boxes::write(&[Drawing { structure: &structure, caption: "" }]);
        let count = |letter: char| text.matches(letter).count();
        // A corner is also where an arrow turns.
        prop_assert!(count('└') >= structure.objects.len(), "{text}");
        let graph = Graph::new(&structure);
        let tree = graph.arrows.iter().filter(|arrow| arrow.is_tree).count();
        prop_assert_eq!(count('▼'), tree, "{}", text);
        prop_assert_eq!(text.matches(" → #").count(), graph.arrows.len() - tree, "{}", text);
        for arrow in &graph.arrows {
            prop_assert!(text.contains(&arrow.label), "{} in\n{text}", arrow.label);
        }
    }
}
