//! Calls methods under test on objects whose collaborators answer.
//!
//! A method of a service asks few methods of the objects that were given to its constructor. Each of
//! these gets an answer as in the normal case, an object that holds something; then one of them at a
//! time gets another one: an empty object, null. Numbers and exceptions of answers are left to the
//! solver. The search by cost would come to such arrangements late, as it also varies what nobody asks.
//!
//! **Invariant:** the phase claims nothing, see [`super::goal_directed`].

use std::collections::BTreeSet;
use std::ops::Range;

use heapwright_explore::symbolic::States;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::component::CallPurpose;
use super::goal_directed::{ArgumentChoice, GoalDirected};
use super::populated::FillOrder;
use crate::Error;
use crate::functional::AnswerInput;
use crate::sequences::analysis::effects::Effects;
use crate::statements::{AnonymousClass, StatementKind};

/// Maximum number of nested statements that take collaborators.
const NESTING: usize = 4;
/// Maximum numbers of arrangements of a call under test, of an object for it, and of one without
/// collaborators.
const OF_CALL: usize = 32;
const OF_OBJECT: usize = 12;
const PLAIN: usize = 3;
/// Maximum number of times that something is put into a collection.
const FILLED: usize = 2;
/// Maximum number of objects tried as one argument.
pub(super) const OBJECTS: usize = 3;
/// Maximum number of paths on which an object is made.
const BUILT: u32 = 6;
/// Maximum number of components on which methods are called again.
const AGAIN: usize = 48;

/// Methods that a call under test may ask: their names and descriptors.
pub(super) type Asked = BTreeSet<(String, String)>;

impl GoalDirected<'_, '_> {
    /// Calls each method under test in some arrangements, then all of them on what these left.
    pub(super) fn run_arranged(&mut self, vm: &mut Vm) -> Result<(), Error> {
        let mut last = Vec::new();
        let tested = self.tested();
        for (at, &number) in tested.iter().enumerate() {
            if !self.is_open(number) {
                continue;
            }
            self.begin_turn(tested.len() - at);
            let asked = asked_by(vm, self.explorer.effects.get(number));
            if !self.has_collaborators(vm, number, &asked) {
                continue;
            }
            self.read = self.fields_read(vm, number);
            let mut lists = Vec::new();
            for place in 0..self.explorer.plan.roles[number].takes.len() {
                lists.push(self.arguments(vm, number, place, &asked, 0)?);
            }
            for choices in arrangements(&lists, OF_CALL) {
                if !self.is_open(number) || self.is_over() {
                    break;
                }
                last.extend(self.call(vm, number, &choices, CallPurpose::Both)?);
            }
        }
        self.begin_turn(1);
        self.explorer.aim();
        last.truncate(AGAIN);
        for component in last {
            if self.is_over() {
                break;
            }
            self.call_on(vm, component)?;
        }
        Ok(())
    }

    /// Whether the receiver of a call under test was given stubs that the call may ask, or the call takes
    /// stubs of a library's interface. For those of the program's own the search by cost has lambdas.
    fn has_collaborators(&self, vm: &Vm, number: usize, asked: &Asked) -> bool {
        let plan = self.explorer.plan;
        let invokable = &plan.invokables[number];
        let mut parameters = invokable.parameters.iter().enumerate();
        let tested = plan.roles[number].under_test;
        // Classes of the JDK have functions as arguments, and no collaborators.
        tested.is_some_and(|tested| vm.is_app_class(vm.method(tested).class))
            && !invokable.kind.is_constructor()
            && parameters.any(|(place, parameter)| {
                let mut givers = self.givers(number, place).into_iter();
                givers.any(|giver| match parameter.is_receiver {
                    true => {
                        !plan.invokables[giver].kind.has_receiver()
                            && self.takes_asked(vm, giver, asked, NESTING)
                    }
                    false => {
                        let stub = plan.invokables[giver].scripted_stub();
                        let of_library = stub.is_some_and(|stub| {
                            !stub.is_functional
                                && vm.class_path().is_of_library(vm.class_name(stub.of))
                        });
                        of_library && self.is_asked(vm, giver, asked)
                    }
                })
            })
    }

    /// Returns arguments for a place of a statement, the best ones first.
    fn arguments(
        &mut self,
        vm: &mut Vm,
        number: usize,
        place: usize,
        asked: &Asked,
        nesting: usize,
    ) -> Result<Vec<ArgumentChoice>, Error> {
        let plan = self.explorer.plan;
        let taking = &plan.roles[number].takes[place];
        let answer = plan.invokables[number].script_inputs();
        let answer = answer.and_then(|(before, inputs)| {
            let (method, input) = inputs.get(place.checked_sub(before)?)?;
            Some((method.method, *input))
        });
        let null =
            (taking.is_nullable && self.explorer.bounds.nulls).then_some(ArgumentChoice::Null);
        let plain = match taking.is_open {
            true => Some(ArgumentChoice::Open),
            false => null,
        };
        match answer {
            Some((method, AnswerInput::Object)) if !is_asked(vm, asked, method) => {
                return Ok(plain.into_iter().collect());
            }
            Some((_, input)) if input != AnswerInput::Object => {
                return Ok(plain.into_iter().collect());
            }
            _ => {}
        }
        let mut givers = self.givers(number, place);
        // What holds something is made of that.
        let is_held =
            !taking.contents.is_empty() && givers.iter().any(|&giver| self.is_holder(giver));
        let mut stubs = givers.iter().copied().filter(|_| !is_held);
        let stub = stubs.find(|&giver| self.is_asked(vm, giver, asked));
        if let Some(stub) = stub.filter(|_| nesting < NESTING) {
            // What a stub returns of its own type, as a builder does, is seldom looked at.
            let is_own = answer.is_some() && stub == number;
            let nesting = if is_own { NESTING - 1 } else { nesting };
            let mut objects: Vec<ArgumentChoice> = null.filter(|_| is_own).into_iter().collect();
            objects.extend(self.made(vm, stub, asked, nesting, OF_OBJECT)?);
            if !objects.is_empty() {
                return Ok(objects);
            }
        }
        if taking.is_open {
            return Ok(vec![ArgumentChoice::Open]);
        }
        // What takes collaborators is made anew; of other objects the cheapest ones do.
        let arranged: Vec<usize> = givers
            .iter()
            .copied()
            .filter(|&giver| !plan.invokables[giver].kind.has_receiver())
            .filter(|&giver| nesting < NESTING && self.takes_asked(vm, giver, asked, NESTING))
            .take(1)
            .collect();
        let mut objects = Vec::new();
        for giver in arranged {
            objects.extend(self.made(vm, giver, asked, nesting, OF_OBJECT)?);
        }
        if objects.is_empty() {
            if answer.is_some() {
                // What holds something is the normal case.
                givers.sort_by_key(|&giver| !self.is_holder(giver));
            }
            givers.truncate(OBJECTS);
            for giver in givers {
                let mut made = match self.takes_objects(vm, giver) && nesting < NESTING {
                    true => self.made(vm, giver, asked, nesting, PLAIN)?,
                    false => Vec::new(),
                };
                if self.is_holder(giver) && nesting < NESTING {
                    objects.extend(self.made(vm, giver, asked, nesting, OF_OBJECT)?);
                    continue;
                }
                if made.is_empty()
                    && let Some(component) = self.component(vm, giver)?
                {
                    made.extend(self.object(vm, number, place, component));
                }
                if let Some(&object) = made.first() {
                    objects.extend(self.filled(vm, object)?);
                    for order in [FillOrder::LinksFirst, FillOrder::ValuesFirst] {
                        objects.extend(self.populated(vm, object, order)?);
                    }
                }
                objects.extend(made);
            }
        }
        if answer.is_some() || objects.is_empty() {
            objects.extend(null);
        }
        Ok(objects)
    }

    /// Returns the statements that make objects for a place, the cheapest first.
    pub(super) fn givers(&self, number: usize, place: usize) -> Vec<usize> {
        let givers = self.explorer.criteria.givers(number, place);
        let givers = givers.into_iter().flat_map(|givers| givers.members());
        let plan = self.explorer.plan;
        let holds = !plan.roles[number].takes[place].contents.is_empty();
        let mut givers: Vec<(bool, usize, usize)> = givers
            .filter(|&giver| !self.is_answer(giver))
            .filter_map(|giver| {
                // Collections of the right contents precede other objects of their types.
                let is_other = holds && plan.invokables[giver].contents.is_empty();
                Some((is_other, self.prices[giver]?, giver))
            })
            .collect();
        givers.sort_unstable();
        givers.into_iter().map(|(.., giver)| giver).collect()
    }

    /// Whether a statement asks an object of a type of which there are stubs: what that answers is an
    /// object of another statement.
    fn is_answer(&self, number: usize) -> bool {
        let invokables = &self.explorer.plan.invokables;
        let StatementKind::Call(call) = invokables[number].kind else {
            return false;
        };
        let stubs = invokables.iter().filter_map(|one| one.scripted_stub());
        call.has_receiver() && { stubs }.any(|stub| stub.of == call.class)
    }

    /// Whether a statement makes a stub with a script of which the method under test asks something.
    fn is_asked(&self, vm: &Vm, giver: usize, asked: &Asked) -> bool {
        let stub = self.explorer.plan.invokables[giver].scripted_stub();
        stub.is_some_and(|stub| is_any_asked(vm, asked, stub))
    }

    /// Whether a statement takes such a stub, or something that is made of one.
    fn takes_asked(&self, vm: &Vm, giver: usize, asked: &Asked, nesting: usize) -> bool {
        if nesting == 0 {
            return false;
        }
        let plan = self.explorer.plan;
        (0..plan.roles[giver].takes.len()).any(|place| {
            let givers = self
                .givers(giver, place)
                .into_iter()
                .take(OBJECTS * OBJECTS);
            let mut givers = givers.filter(|&other| other != giver);
            givers.any(|giver| {
                self.is_asked(vm, giver, asked) || self.takes_asked(vm, giver, asked, nesting - 1)
            })
        })
    }

    /// Returns at most `most` objects that a statement makes of different arguments.
    fn made(
        &mut self,
        vm: &mut Vm,
        giver: usize,
        asked: &Asked,
        nesting: usize,
        most: usize,
    ) -> Result<Vec<ArgumentChoice>, Error> {
        let mut lists = Vec::new();
        for place in 0..self.explorer.plan.roles[giver].takes.len() {
            lists.push(self.arguments(vm, giver, place, asked, nesting + 1)?);
        }
        let mut objects = Vec::new();
        for choices in arrangements(&lists, most) {
            if self.is_over() {
                break;
            }
            let known = self.arranged.get(&(giver, choices.clone())).copied();
            let made = match known {
                Some(made) => made,
                None => {
                    let mut new = self.build(vm, giver, &choices)?;
                    let made = new.find_map(|component| {
                        let made = &self.explorer.components[component];
                        let last = made.statements.len() - 1;
                        let has_object = made.objects.iter().any(|object| object.0 == last);
                        has_object.then_some(ArgumentChoice::Object(component, last))
                    });
                    if made.is_some() || !self.is_over() {
                        self.arranged.insert((giver, choices), made);
                    }
                    made
                }
            };
            objects.extend(made);
        }
        Ok(objects)
    }

    /// Makes a call for an object, also if other calls led to its state; returns the components built.
    pub(super) fn build(
        &mut self,
        vm: &mut Vm,
        number: usize,
        choices: &[ArgumentChoice],
    ) -> Result<Range<usize>, Error> {
        self.explorer.progress.states = States::new();
        // One object is enough.
        let paths = self.explorer.bounds.paths;
        self.explorer.bounds.paths = match paths {
            0 => BUILT,
            paths => paths.min(BUILT),
        };
        let built = self.call(vm, number, choices, CallPurpose::Build);
        self.explorer.bounds.paths = paths;
        built
    }

    /// Returns a collection that serves as an argument with one thing in it, and with two.
    fn filled(
        &mut self,
        vm: &mut Vm,
        object: ArgumentChoice,
    ) -> Result<Vec<ArgumentChoice>, Error> {
        let ArgumentChoice::Object(component, place) = object else {
            return Ok(Vec::new());
        };
        let plan = self.explorer.plan;
        let made = &self.explorer.components[component];
        let contents = &plan.invokables[made.statements[place].invokable].contents;
        let class = made.objects.iter().find(|object| object.0 == place);
        let Some(&(_, class)) = class.filter(|_| !contents.is_empty()) else {
            return Ok(Vec::new());
        };
        let Some(filler) = self.filler(vm, class, contents) else {
            return Ok(Vec::new());
        };
        let mut choices = vec![object];
        for place in 1..plan.roles[filler].takes.len() {
            let own = self.arguments(vm, filler, place, &Asked::new(), NESTING)?;
            match own.first() {
                Some(choice) => choices.push(*choice),
                None => return Ok(Vec::new()),
            }
        }
        let mut all = Vec::new();
        for _ in 0..FILLED {
            let Some(filled) = self.after(vm, filler, choices.clone(), choices[0])? else {
                break;
            };
            all.push(filled);
            // The next call puts further objects that are made alike into it.
            choices[0] = filled;
        }
        Ok(all)
    }

    /// Whether a statement makes an object that holds another one from the first, as an optional.
    fn is_holder(&self, giver: usize) -> bool {
        let plan = self.explorer.plan;
        let makes = !plan.invokables[giver].kind.has_receiver();
        let mut takes = plan.roles[giver].takes.iter();
        makes && !plan.invokables[giver].contents.is_empty() && takes.any(|taken| !taken.is_open)
    }

    /// Whether a statement makes an object of the program's of other objects.
    fn takes_objects(&self, vm: &Vm, giver: usize) -> bool {
        let plan = self.explorer.plan;
        let one = &plan.invokables[giver];
        let is_of_program =
            matches!(one.kind, StatementKind::Call(call) if vm.is_app_class(call.class));
        let mut takes = plan.roles[giver].takes.iter();
        is_of_program
            && one.contents.is_empty()
            && !one.kind.has_receiver()
            && takes.any(|taken| !taken.is_open)
    }

    /// Returns the statement that puts something into collections of a class with some contents.
    fn filler(
        &self,
        vm: &Vm,
        class: ClassId,
        contents: &[crate::statements::HeldType],
    ) -> Option<usize> {
        let plan = self.explorer.plan;
        plan.invokables
            .iter()
            .enumerate()
            .position(|(number, one)| {
                let is_receiver = one
                    .parameters
                    .first()
                    .is_some_and(|first| first.is_receiver);
                let of_class =
                    |call: crate::statements::MethodCall| vm.is_subclass(class, call.class);
                one.contents == contents
                    && is_receiver
                    && plan.roles[number].takes.len() > 1
                    && matches!(one.kind, StatementKind::Call(call) if of_class(call))
            })
    }
}

/// Returns the methods of stubs that a method under test with these effects may ask.
pub(super) fn asked_by(vm: &Vm, effects: Option<&Effects>) -> Asked {
    let called = effects.into_iter().flat_map(|effects| &effects.called);
    called.map(|&method| key(vm, method)).collect()
}

/// Whether a method is among those that are asked.
pub(super) fn is_asked(vm: &Vm, asked: &Asked, method: MethodId) -> bool {
    asked.contains(&key(vm, method))
}

/// Whether one of a stub's methods is among those that are asked.
pub(super) fn is_any_asked(vm: &Vm, asked: &Asked, stub: &AnonymousClass) -> bool {
    let mut methods = stub.methods.iter();
    methods.any(|method| is_asked(vm, asked, method.method))
}

fn key(vm: &Vm, method: MethodId) -> (String, String) {
    let this = vm.method(method);
    let text = |symbol| vm.text(symbol).to_owned();
    (text(this.name), text(this.descriptor))
}

/// Returns argument lists: the first choice for each place, then others for one place, then for two;
/// none if there is nothing for a place.
fn arrangements(lists: &[Vec<ArgumentChoice>], most: usize) -> Vec<Vec<ArgumentChoice>> {
    let first: Option<Vec<ArgumentChoice>> = lists.iter().map(|all| all.first().copied()).collect();
    let Some(first) = first else {
        return Vec::new();
    };
    let mut found = vec![first.clone()];
    let others: Vec<(usize, ArgumentChoice)> = lists
        .iter()
        .enumerate()
        .flat_map(|(place, all)| all[1..].iter().map(move |&choice| (place, choice)))
        .collect();
    for &(place, choice) in &others {
        let mut other = first.clone();
        other[place] = choice;
        found.push(other);
    }
    for (number, &(place, choice)) in others.iter().enumerate() {
        for &(further, second) in &others[number + 1..] {
            if further != place {
                let mut other = first.clone();
                other[place] = choice;
                other[further] = second;
                found.push(other);
            }
        }
    }
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_argument_differs_before_two_do() {
        let [a, b] = [ArgumentChoice::Object(0, 0), ArgumentChoice::Object(1, 0)];
        let (open, null) = (ArgumentChoice::Open, ArgumentChoice::Null);
        let lists = [vec![a, b], vec![open], vec![a, null]];
        let wanted = [
            vec![a, open, a],
            vec![b, open, a],
            vec![a, open, null],
            vec![b, open, null],
        ];
        assert_eq!(arrangements(&lists, 9), wanted);
        assert_eq!(arrangements(&lists, 2), wanted[..2]);
        assert!(arrangements(&[vec![a], Vec::new()], 9).is_empty());
    }
}
