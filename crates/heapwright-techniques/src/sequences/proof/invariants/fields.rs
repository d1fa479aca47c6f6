//! Fields about which facts are inferred, and the candidate facts.
//!
//! Invariant: only the code under test writes these fields.

use std::collections::BTreeSet;

use heapwright_code::{CodeLocation, accesses_unnamed_fields, initializer};
use heapwright_explore::symbolic::{Fact, Facts, FieldClaim};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedMember, ListedOperation};
use heapwright_jvm::{ClassId, Comparison, Vm};

use crate::packages::is_hidden;
use crate::sequences::proof::subject_code::SubjectCode;

/// Maximum number of fields of a class that are compared with each other.
const MAX_FIELDS: usize = 8;
/// Maximum number of constants with which a field is compared.
const MAX_CONSTANTS: usize = 8;

/// The fields that only the code under test writes.
pub(super) struct InvariantFields {
    pub all: Vec<InvariantField>,
}

/// A field, of one of the classes under test.
pub(super) struct InvariantField {
    pub class: ClassId,
    pub word: u32,
    kind: Kind,
    pub name: String,
    /// The locations of its writes.
    pub writes: Vec<CodeLocation>,
    /// The constants written to it; in `beside`, all constants of the methods that write it.
    stored: BTreeSet<i64>,
    beside: BTreeSet<i64>,
}

impl InvariantField {
    fn is_integral(&self) -> bool {
        matches!(
            self.kind,
            Kind::Int | Kind::Short | Kind::Byte | Kind::Char | Kind::Long
        )
    }

    /// The kind in which it is compared.
    fn compared(&self) -> Kind {
        match self.kind {
            Kind::Long => Kind::Long,
            _ => Kind::Int,
        }
    }

    fn is_to(&self, comparison: Comparison, value: i64) -> FieldClaim {
        FieldClaim::IsTo(comparison, self.compared(), self.word, value)
    }
}

impl InvariantFields {
    /// Collects the fields of the classes under test.
    pub fn of(vm: &mut Vm, code: &SubjectCode) -> InvariantFields {
        let mut all: Vec<InvariantField> = Vec::new();
        for &class in code.graph.classes.iter() {
            // A subclass that others can name exposes its fields.
            let below = vm.loaded_classes();
            let mut below = below.filter(|&below| vm.is_subclass(below, class));
            let is_hidden = below.all(|below| is_hidden(vm, below));
            for field in &vm.class(class).fields {
                let is_own = is_hidden || field.flags & (flags::PRIVATE | flags::FINAL) != 0;
                // Libraries write fields with annotations, by reflection.
                if !field.is_static() && is_own && !field.is_annotated {
                    all.push(InvariantField {
                        class,
                        word: field.word,
                        kind: field.kind,
                        name: vm.text(field.name).to_owned(),
                        writes: Vec::new(),
                        stored: BTreeSet::new(),
                        beside: BTreeSet::new(),
                    });
                }
            }
        }
        for (&method, listing) in code.graph.listings.iter() {
            let steps = listing.instructions.iter().map(|listed| &listed.step);
            let number = |step: &ListedOperation| match *step {
                ListedOperation::Number(Kind::Long, bits) => Some(bits as i64),
                ListedOperation::Number(Kind::Float | Kind::Double, _) => None,
                ListedOperation::Number(_, bits) => Some(i64::from(bits as u32 as i32)),
                _ => None,
            };
            let numbers: BTreeSet<i64> = steps.clone().filter_map(number).collect();
            let mut before: Option<i64> = None;
            for listed in &listing.instructions {
                match &listed.step {
                    ListedOperation::PutField(member, false) => {
                        let found = named(vm, member);
                        let field = all
                            .iter_mut()
                            .find(|field| Some((field.class, field.word)) == found);
                        if let Some(field) = field {
                            field.writes.push((method, listed.at));
                            field.stored.extend(before);
                            field.beside.extend(&numbers);
                        }
                    }
                    ListedOperation::Invoke(_, member) if accesses_unnamed_fields(member) => {
                        return InvariantFields { all: Vec::new() };
                    }
                    _ => {}
                }
                before = number(&listed.step);
            }
        }
        for &class in code.graph.classes.iter() {
            if let Some(listing) = initializer(vm, class) {
                for listed in &listing.instructions {
                    if let ListedOperation::PutField(member, false) = &listed.step {
                        let found = named(vm, member);
                        all.retain(|field| Some((field.class, field.word)) != found);
                    }
                }
            }
        }
        InvariantFields { all }
    }

    /// Returns the candidate facts.
    pub fn candidates(&self) -> Facts {
        let mut facts = Facts::default();
        let classes: BTreeSet<u32> = self.all.iter().map(|field| field.class.0).collect();
        for class in classes.into_iter().map(ClassId) {
            let own: Vec<&InvariantField> = self
                .all
                .iter()
                .filter(|field| field.class == class)
                .collect();
            let mut of_class = Vec::new();
            for field in &own {
                alone(field, &mut of_class);
            }
            if own.len() <= MAX_FIELDS {
                for (place, first) in own.iter().enumerate() {
                    for second in &own[place + 1..] {
                        together(first, second, &mut of_class);
                    }
                }
            }
            facts.insert(class, of_class);
        }
        facts
    }
}

/// Returns the field of an access: its declaring class, and its word.
pub(super) fn named(vm: &mut Vm, member: &ListedMember) -> Option<(ClassId, u32)> {
    let field = vm.named_field(member)?;
    Some((field.class, field.word))
}

/// Adds the candidate facts about one field.
fn alone(field: &InvariantField, facts: &mut Vec<Fact>) {
    if field.kind == Kind::Reference {
        facts.push(Fact::Not(FieldClaim::Null(field.word)));
        return;
    }
    if !field.is_integral() {
        return;
    }
    let mut few: Vec<i64> = field.stored.iter().copied().take(MAX_CONSTANTS).collect();
    let is = |values: &[i64]| {
        let values = values.iter();
        Fact::Any(
            values
                .map(|&value| field.is_to(Comparison::Eq, value))
                .collect(),
        )
    };
    if few.len() > 1 {
        facts.push(is(&few));
    }
    if !few.is_empty() && !few.contains(&0) {
        few.insert(few.partition_point(|&value| value < 0), 0);
        facts.push(is(&few));
    }
    let least: BTreeSet<i64> = [-1, 0, 1].into_iter().chain(few.first().copied()).collect();
    let bound = |comparison, value| Fact::Any(vec![field.is_to(comparison, value)]);
    facts.extend(least.into_iter().map(|value| bound(Comparison::Ge, value)));
    let most = field.beside.iter().copied().rev();
    let most = most.filter(|&value| value != i64::MAX && value != i64::from(i32::MAX));
    let most = most.take(MAX_CONSTANTS);
    facts.extend(most.map(|value| bound(Comparison::Le, value)));
}

/// Adds the candidate facts about two fields of an object.
fn together(first: &InvariantField, second: &InvariantField, facts: &mut Vec<Fact>) {
    let is_reference = |field: &InvariantField| field.kind == Kind::Reference;
    let is_zero = |field: &InvariantField| match field.kind {
        Kind::Reference => Some(FieldClaim::Null(field.word)),
        Kind::Float | Kind::Double => None,
        _ => Some(field.is_to(Comparison::Eq, 0)),
    };
    if is_reference(first) || is_reference(second) {
        let both = is_zero(first).zip(is_zero(second));
        facts.extend(both.map(|(first, second)| Fact::Alike(first, second)));
    } else if first.is_integral() && first.kind == second.kind {
        for (first, second) in [(first, second), (second, first)] {
            let kind = first.compared();
            let claim = FieldClaim::NotGreater(kind, first.word, second.word);
            facts.push(Fact::Any(vec![claim]));
        }
    }
}
