//! Combines the static analyses of the invokables, and shows them as in the thesis: a table like
//! table 4.3 and a tree like figure 4.1.

use std::fmt::Write;
use std::rc::Rc;

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::candidates::Candidates;
use super::criteria::{Criteria, Set};
use super::dataflow::{FlowAnalysis, Flows};
use super::effects::{Effects, FieldKey};
use crate::Error;
use crate::functional::functional;
use crate::sequences::callables::invokables::{
    MemberScope, invokables, is_made_elsewhere, name, simple_type,
};
use crate::sequences::callables::jdk_values;
use crate::sequences::callables::system_classes::is_wide;
use crate::statements::{Invokable, is_any};
use crate::target::find_class;

/// Number of concrete subclasses in the system above which a parameter of an abstract class is
/// restricted to classes that the method refers to.
const MANY_SUBTYPES: usize = 8;
/// Number of the nearest subtypes tried for a parameter whose code asks for none of many.
const FEW_SUBTYPES: usize = 3;

/// Results of all static analyses for one system.
pub struct Analysis {
    /// The system under test, the class under test first.
    pub classes: Vec<ClassId>,
    /// The invokables by number, with restricted arguments.
    pub invokables: Vec<Invokable>,
    /// Their effects.
    pub flows: Flows,
    /// The influences between them.
    pub criteria: Criteria,
}

impl Analysis {
    /// Analyses the invokables of a system until `stops` returns true. `data_flow` has seen no more
    /// than parts of that system.
    ///
    /// # Errors
    /// There are no matching invokables, or the analysis was stopped.
    pub fn new(
        vm: &mut Vm,
        scope: &MemberScope,
        data_flow: &mut FlowAnalysis,
        stops: &dyn Fn() -> bool,
    ) -> Result<Analysis, Error> {
        let classes = scope.classes.clone();
        let mut invokables = invokables(vm, scope)?;
        let supports: Vec<ClassId> = scope
            .supports
            .iter()
            .map(|support| support.given(vm))
            .collect();
        let flows = data_flow.flows(vm, &invokables, &classes, stops);
        let mut restrictions = Restrictions::new(&classes);
        for (number, invokable) in invokables.iter_mut().enumerate() {
            let arguments = invokable.parameters.iter_mut();
            for takes in arguments.filter(|takes| !takes.is_receiver) {
                let effects = flows.effects(number);
                takes.classes = restrictions.of(vm, &takes.descriptor, effects)?;
                if let Some(tried) = &mut takes.classes {
                    tried.extend(jdk_values::created_for(vm, &takes.descriptor));
                    let stubs = scope
                        .supports
                        .iter()
                        .filter(|support| support.anonymous_class().is_some());
                    let own = descriptor::class_name(&takes.descriptor);
                    let own = stubs.filter(|stub| vm.class_name(stub.class) == own);
                    tried.extend(own.map(|stub| stub.class));
                    if !takes.contents.is_empty() {
                        tried.extend(supports.iter().filter(|class| !classes.contains(class)));
                    }
                }
            }
        }
        if stops() {
            return Err(Error::Stopped);
        }
        let criteria = Criteria::new(vm, &invokables, &flows, &classes);
        Ok(Analysis {
            classes,
            invokables,
            flows,
            criteria,
        })
    }

    /// Returns the name of an invokable.
    ///
    /// # Panics
    /// There is no such invokable.
    #[must_use]
    pub fn name(&self, vm: &Vm, invokable: usize) -> String {
        name(vm, &self.invokables[invokable], self.classes[0])
    }

    /// Formats the invokables as a table: fields and arrays that they write and read, and the
    /// object types they take and return.
    #[must_use]
    pub fn text(&self, vm: &Vm) -> String {
        let mut rows =
            vec![["Invokable", "Defines", "Uses", "Arguments", "Returns"].map(str::to_owned)];
        let type_name = |descriptor: &String| {
            let is_object = !is_made_elsewhere(vm, &self.classes, descriptor);
            is_object.then(|| simple_type(descriptor))
        };
        for (number, invokable) in self.invokables.iter().enumerate() {
            let effects = self.flows.effects(number);
            let takes = invokable.parameters.iter().map(|takes| &takes.descriptor);
            rows.push([
                self.name(vm, number),
                self.places(
                    vm,
                    [&effects.defines, &effects.static_defines],
                    &effects.stores,
                ),
                self.places(vm, [&effects.uses, &effects.static_uses], &effects.loads),
                listed(takes.filter_map(type_name).collect()),
                listed(invokable.result.iter().filter_map(type_name).collect()),
            ]);
        }
        table(&rows)
    }

    fn places<'a>(
        &self,
        vm: &Vm,
        fields: [impl IntoIterator<Item = &'a FieldKey>; 2],
        arrays: impl IntoIterator<Item = &'a ClassId>,
    ) -> String {
        let fields = fields.into_iter().flatten().map(|field| {
            let name = vm.text(field.name);
            if field.class == self.classes[0] {
                return name.to_owned();
            }
            let class = descriptor::of_class(vm.class_name(field.class));
            format!("{}.{name}", simple_type(&class))
        });
        let mut names: Vec<String> = fields.collect();
        names.sort_unstable();
        let arrays = arrays.into_iter();
        let mut arrays: Vec<String> = arrays
            .map(|&array| simple_type(vm.class_name(array)))
            .collect();
        arrays.sort_unstable();
        names.extend(arrays);
        listed(names)
    }
}

/// Restricts arguments whose declared type says little. The candidates are classes of the system in
/// casts and `instanceof` tests, and classes that override a called method. An `Integer` represents
/// all other objects. Of a functional interface without candidates they are lambdas, for which the
/// interface stands. Each result is cached.
struct Restrictions<'a> {
    /// The system under test.
    classes: &'a [ClassId],
    /// By type, the positions of its concrete subclasses in the system; `None` if the type needs no
    /// restriction.
    open: FxHashMap<String, Option<Rc<Set>>>,
    /// By type, the positions of its concrete subclasses in the system.
    below: FxHashMap<ClassId, Rc<Set>>,
    /// By method, the positions of the classes that override it.
    overriding: FxHashMap<MethodId, Rc<Set>>,
}

impl<'a> Restrictions<'a> {
    fn new(classes: &'a [ClassId]) -> Restrictions<'a> {
        Restrictions {
            classes,
            open: FxHashMap::default(),
            below: FxHashMap::default(),
            overriding: FxHashMap::default(),
        }
    }

    /// Returns the classes to try for an argument of a type; `None` for all.
    fn of(
        &mut self,
        vm: &mut Vm,
        descriptor: &str,
        effects: &Effects,
    ) -> Result<Option<Vec<ClassId>>, Error> {
        let Some(open) = self.open(vm, descriptor) else {
            return Ok(None);
        };
        let integer = find_class(vm, "java.lang.Integer")?;
        let mut tried = Set::new(self.classes.len());
        let is_root = |asked: &ClassId| vm.class(*asked).super_class.is_none();
        for asked in effects.casts.iter().filter(|asked| !is_root(asked)) {
            tried.add(&self.below(vm, *asked));
        }
        for &called in &effects.called {
            tried.add(&self.overriding(vm, called));
        }
        tried.keep(&open);
        let mut found: Vec<ClassId> = tried.members().map(|place| self.classes[place]).collect();
        let declared = vm.load_class(descriptor::class_name(descriptor));
        if found.is_empty() && !is_any(descriptor::class_name(descriptor)) {
            // Without any object the methods would not be called at all.
            match declared {
                Ok(declared) if !functional(vm, declared).is_empty() => found.push(declared),
                _ => {
                    let nearest = open.members().take(FEW_SUBTYPES);
                    found.extend(nearest.map(|place| self.classes[place]));
                }
            }
        }
        let is_kind = declared.is_ok_and(|declared| vm.is_subclass(integer, declared));
        if is_kind && !found.contains(&integer) {
            found.push(integer);
        }
        Ok(Some(found))
    }

    /// Returns the concrete subclasses of a type that says little; `None` if it needs no
    /// restriction.
    fn open(&mut self, vm: &mut Vm, descriptor: &str) -> Option<Rc<Set>> {
        if let Some(known) = self.open.get(descriptor) {
            return known.clone();
        }
        let is_known =
            descriptor.starts_with('[') || is_made_elsewhere(vm, self.classes, descriptor);
        // Members of libraries name classes of others that are not there, of which nothing is made.
        let declared = match is_known {
            true => None,
            false => vm.load_class(descriptor::class_name(descriptor)).ok(),
        };
        let open = declared.and_then(|declared| {
            let below = self.below(vm, declared);
            let is_many = || below.members().count() > MANY_SUBTYPES;
            let is_open = is_wide(vm, declared) || vm.class(declared).is_abstract() && is_many();
            is_open.then_some(below)
        });
        self.open.insert(descriptor.to_owned(), open.clone());
        open
    }

    fn below(&mut self, vm: &Vm, above: ClassId) -> Rc<Set> {
        let classes = self.classes;
        let known = self.below.entry(above);
        let known =
            known.or_insert_with(|| concrete(vm, classes, |class| vm.is_subclass(class, above)));
        Rc::clone(known)
    }

    fn overriding(&mut self, vm: &Vm, called: MethodId) -> Rc<Set> {
        let classes = self.classes;
        let has_other = |class: ClassId| {
            let this = vm.method(called);
            vm.is_subclass(class, this.class)
                && vm.resolve_method(class, this.name, this.descriptor) != Some(called)
        };
        let known = self.overriding.entry(called);
        Rc::clone(known.or_insert_with(|| concrete(vm, classes, has_other)))
    }
}

/// Returns the positions of the concrete classes that satisfy a predicate.
fn concrete(vm: &Vm, classes: &[ClassId], is_wanted: impl Fn(ClassId) -> bool) -> Rc<Set> {
    let mut set = Set::new(classes.len());
    for (place, &class) in classes.iter().enumerate() {
        if !vm.class(class).is_abstract() && is_wanted(class) {
            set.insert(place);
        }
    }
    set.into()
}

fn listed(names: Vec<String>) -> String {
    match names.is_empty() {
        true => "-".to_owned(),
        false => names.join(", "),
    }
}

/// Formats rows of cells in aligned columns.
fn table(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 5] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Formats the candidate sequences of an invokable as a tree. A sequence is read from its line up
/// to the root; `*` marks executable ones, `(*)` those that cannot be linked.
#[must_use]
pub fn tree_text(vm: &Vm, analysis: &Analysis, method: usize, max_length: usize) -> String {
    let mut sequences: Vec<Vec<usize>> = Vec::new();
    let mut candidates = Candidates::new(&analysis.criteria, method, max_length);
    while let Some(sequence) = candidates.advance() {
        sequences.push(sequence.iter().rev().copied().collect());
    }
    // Each sequence follows the one that it extends.
    sequences.sort();
    let mut text = String::new();
    for backwards in &sequences {
        let sequence: Vec<usize> = backwards.iter().rev().copied().collect();
        let indent = "  ".repeat(sequence.len() - 1);
        let mark = match analysis.criteria.is_executable(&sequence) {
            true if analysis.criteria.is_linked(&sequence) => " *",
            true => " (*)",
            false => "",
        };
        let name = analysis.name(vm, sequence[0]);
        let _ = writeln!(text, "{indent}{name}{mark}");
    }
    text
}
