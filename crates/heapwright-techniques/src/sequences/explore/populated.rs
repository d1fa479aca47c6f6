//! Objects of the program's classes in which a call under test finds what it reads.
//!
//! An entity of a repository is of use with an identity, with lines, with an address. Of the methods that
//! put such into an object, those are called that write a field that the call under test reads in the
//! program's own code, or that put another object where it looks for some.

use std::collections::BTreeSet;

use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::collaborators::OBJECTS;
use super::goal_directed::{ArgumentChoice, GoalDirected};
use crate::Error;
use crate::packages::is_of_library;
use crate::sequences::analysis::effects::FieldKey;
use crate::statements::StatementKind;

/// Maximum numbers of methods that put objects, and values, into an object.
const LINKS: usize = 2;
const VALUES: usize = 4;
/// Maximum number of methods looked at from one.
const METHODS: usize = 256;

/// Order in which an object gets other objects and values: an object may refuse others that have values
/// already, or file them by these.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FillOrder {
    LinksFirst,
    ValuesFirst,
}

/// Instance fields that code of the program reads and writes.
#[derive(Default)]
pub(super) struct FieldUse {
    pub read: BTreeSet<FieldKey>,
    pub written: BTreeSet<FieldKey>,
}

/// Methods that put other objects, and values alone, into an object.
#[derive(Clone, Default)]
struct Setters {
    links: Vec<usize>,
    values: Vec<usize>,
}

impl GoalDirected<'_, '_> {
    /// Returns the fields that a call under test reads in the program's code.
    pub(super) fn fields_read(&mut self, vm: &mut Vm, number: usize) -> BTreeSet<FieldKey> {
        match self.explorer.plan.roles[number].under_test {
            Some(method) => self.field_use(vm, method).read.clone(),
            None => BTreeSet::new(),
        }
    }

    /// Returns an object of the program's in which the call under test finds what it reads: other
    /// objects, and values in them and in itself. `None` if no method of its class puts such there.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn populated(
        &mut self,
        vm: &mut Vm,
        object: ArgumentChoice,
        order: FillOrder,
    ) -> Result<Option<ArgumentChoice>, Error> {
        let Setters { links, values } = self.setters(vm, object);
        if links.is_empty() && (values.is_empty() || order == FillOrder::ValuesFirst) {
            return Ok(None);
        }
        let mut current = object;
        let mut linked = Vec::new();
        if order == FillOrder::ValuesFirst {
            current = self.with_values(vm, current, &values)?;
        }
        for link in links {
            let mut choices = vec![current];
            let mut length = self.length(current);
            let mut own = Vec::new();
            for place in 1..self.explorer.plan.roles[link].takes.len() {
                let Some(mut choice) = self.plain(vm, link, place)? else {
                    break;
                };
                let values = self.setters(vm, choice).values;
                if order == FillOrder::ValuesFirst {
                    choice = self.with_values(vm, choice, &values)?;
                } else if let ArgumentChoice::Object(_, place) = choice {
                    own.push((length + place, values));
                }
                length += self.length(choice);
                choices.push(choice);
            }
            if choices.len() == self.explorer.plan.roles[link].takes.len()
                && let Some(next) = self.after(vm, link, choices, current)?
            {
                current = next;
                linked.extend(own);
            }
        }
        if order == FillOrder::LinksFirst {
            current = self.with_values(vm, current, &values)?;
            for (place, values) in linked {
                if let (ArgumentChoice::Object(component, _), ArgumentChoice::Object(_, own)) =
                    (current, object)
                {
                    let part = ArgumentChoice::Object(component, place);
                    if let ArgumentChoice::Object(component, _) =
                        self.with_values(vm, part, &values)?
                    {
                        current = ArgumentChoice::Object(component, own);
                    }
                }
            }
        }
        Ok((current != object).then_some(current))
    }

    /// Returns an object after calls of setters with open values.
    fn with_values(
        &mut self,
        vm: &mut Vm,
        object: ArgumentChoice,
        setters: &[usize],
    ) -> Result<ArgumentChoice, Error> {
        let mut current = object;
        for &setter in setters {
            let mut choices = vec![current];
            choices.resize(
                self.explorer.plan.roles[setter].takes.len(),
                ArgumentChoice::Open,
            );
            if let Some(next) = self.after(vm, setter, choices, current)? {
                current = next;
            }
        }
        Ok(current)
    }

    /// Returns an object, which is the first argument of a call, after this call; `None` if the call did
    /// not return.
    pub(super) fn after(
        &mut self,
        vm: &mut Vm,
        number: usize,
        choices: Vec<ArgumentChoice>,
        object: ArgumentChoice,
    ) -> Result<Option<ArgumentChoice>, Error> {
        let ArgumentChoice::Object(_, place) = object else {
            return Ok(None);
        };
        let key = (number, choices);
        let next = match self.populated.get(&key) {
            Some(&known) => known,
            None => {
                let next = self.build(vm, number, &key.1)?.next();
                if next.is_some() || !self.is_over() {
                    self.populated.insert(key, next);
                }
                next
            }
        };
        Ok(next.map(|component| ArgumentChoice::Object(component, place)))
    }

    /// Returns an argument as it is first made.
    fn plain(
        &mut self,
        vm: &mut Vm,
        number: usize,
        place: usize,
    ) -> Result<Option<ArgumentChoice>, Error> {
        if self.explorer.plan.roles[number].takes[place].is_open {
            return Ok(Some(ArgumentChoice::Open));
        }
        for giver in self.givers(number, place).into_iter().take(OBJECTS) {
            if let Some(component) = self.component(vm, giver)?
                && let Some(object) = self.object(vm, number, place, component)
            {
                return Ok(Some(object));
            }
        }
        Ok(None)
    }

    /// Returns the number of statements of the component of an object.
    fn length(&self, object: ArgumentChoice) -> usize {
        match object {
            ArgumentChoice::Object(component, _) => {
                self.explorer.components[component].statements.len()
            }
            ArgumentChoice::Open | ArgumentChoice::Null => 0,
        }
    }

    /// Returns the methods of an object that return nothing and put something where the call under test
    /// reads it.
    fn setters(&mut self, vm: &mut Vm, object: ArgumentChoice) -> Setters {
        let mut setters = Setters::default();
        let ArgumentChoice::Object(component, place) = object else {
            return setters;
        };
        let mut objects = self.explorer.components[component].objects.iter();
        let Some(&(_, class)) = objects.find(|object| object.0 == place) else {
            return setters;
        };
        let plan = self.explorer.plan;
        let read = self.read.clone();
        for (number, one) in plan.invokables.iter().enumerate() {
            let StatementKind::Call(call) = one.kind else {
                continue;
            };
            let is_setter = call.has_receiver()
                && one.result.is_none()
                && one.parameters.len() > 1
                && vm.is_app_class(class)
                && vm.is_subclass(class, call.class);
            if !is_setter {
                continue;
            }
            let takes_values = plan.roles[number].takes[1..]
                .iter()
                .all(|taken| taken.is_open);
            let used = self.field_use(vm, call.method);
            let writes = !used.written.is_disjoint(&read);
            match takes_values {
                true if writes => setters.values.push(number),
                // A collection that both read gets the object.
                false if writes || !used.read.is_disjoint(&read) => setters.links.push(number),
                _ => {}
            }
        }
        setters.links.truncate(LINKS);
        setters.values.truncate(VALUES);
        setters
    }

    /// Returns the fields that a method of the program reads and writes, itself and through calls of the
    /// program's methods that are known from the code.
    fn field_use(&mut self, vm: &mut Vm, method: MethodId) -> &FieldUse {
        self.fields
            .entry(method)
            .or_insert_with(|| field_use(vm, method))
    }
}

/// Returns the fields that a method of the program reads and writes, itself and through calls that are
/// known from the code.
pub(super) fn field_use(vm: &mut Vm, method: MethodId) -> FieldUse {
    let program: ClassId = vm.method(method).class;
    let mut used = FieldUse::default();
    let mut reached = vec![method];
    let mut at = 0;
    while at < reached.len() && reached.len() < METHODS {
        let Ok(listing) = vm.listing(reached[at]) else {
            at += 1;
            continue;
        };
        at += 1;
        for listed in listing.instructions {
            let called = match listed.step {
                ListedOperation::GetField(field, false) => {
                    used.read.extend(key(vm, &field.class, &field.name));
                    continue;
                }
                ListedOperation::PutField(field, false) => {
                    used.written.extend(key(vm, &field.class, &field.name));
                    continue;
                }
                ListedOperation::Invoke(_, member) => vec![member],
                ListedOperation::Dynamic(_, _, passed) => passed,
                _ => continue,
            };
            for member in called {
                if let Some(method) = vm.named_method(&member)
                    && !reached.contains(&method)
                    && vm.is_app_class(vm.method(method).class)
                    && !is_of_library(vm, vm.method(method).class, program)
                {
                    reached.push(method);
                }
            }
        }
    }
    used
}

fn key(vm: &mut Vm, class: &str, name: &str) -> Option<FieldKey> {
    let class = vm.load_class(class).ok()?;
    let field = vm.find_field(class, name)?;
    Some(FieldKey {
        class: field.class,
        name: field.name,
    })
}
