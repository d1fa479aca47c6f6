//! Variation of sequences: other values, further statements, fewer statements, other objects, two
//! sequences in one.

use heapwright_jvm::Vm;

use super::drafts::{Draft, Drafter};
use super::values::{DRAWS, compacted, is_known, text_objects};
use crate::sequences::model::Concrete;
use crate::statements::{Statement, StatementArgument, open_places};
use crate::symbolic::{Contents, InputValue, RunInput};

/// Maximum number of calls that are appended at once.
const CALLS: usize = 24;

/// Share of the values of an adopted call that earlier parameters of the same name had, and of new
/// ones among the others, in percent.
const REUSED: usize = 50;

/// Share of inserted calls that take values of other calls, later ones included, in percent.
const ECHOES: usize = 50;

/// Share of inserted calls on objects that the sequence has, in percent.
const ON_KNOWN: usize = 50;

/// Share of values copied from another argument that are changed afterwards, in percent.
const EDITED: usize = 50;

/// Share of the elements of an adopted call's collections that come twice, in percent.
const REFILLED: usize = 40;

/// Maximum number of times that a statement is repeated at once.
const REPEATS: usize = 8;

/// Returns the first statements of a sequence, with their values.
pub(super) fn truncated(concrete: &Concrete, statements: usize) -> Concrete {
    let mut shorter = concrete.clone();
    shorter.statements.truncate(statements);
    let values = shorter.statements.iter().map(Statement::open).sum();
    shorter.input.roots.truncate(values);
    shorter
}

/// Whether statements take results of earlier ones only, and each open argument has a value.
pub(super) fn is_well_formed(concrete: &Concrete) -> bool {
    let mut values = 0;
    for (number, statement) in concrete.statements.iter().enumerate() {
        for argument in &statement.arguments {
            let is_known = match *argument {
                StatementArgument::Result(place) => place < number,
                StatementArgument::Repeated(value) => value < values,
                _ => true,
            };
            values += usize::from(*argument == StatementArgument::Open);
            if !is_known {
                return false;
            }
        }
    }
    values == concrete.input.roots.len()
}

impl Drafter<'_, '_> {
    /// Returns a variation of a sequence with the same last call. Statements that are inserted call
    /// the given invokables.
    pub fn varied(&mut self, vm: &mut Vm, draft: &Draft, invokables: &[usize]) -> Option<Concrete> {
        let has_values = !draft.concrete.input.roots.is_empty();
        let kind = match draft.concrete.statements.len() {
            1 => 0,
            _ => self.random.below(100),
        };
        match kind {
            0..62 if has_values => {
                let mut concrete = draft.concrete.clone();
                self.change_values(vm, &mut concrete);
                Some(concrete)
            }
            62..74 => self.insert(vm, draft, invokables),
            74..82 => self.remove(&draft.concrete),
            82..89 => self.redirect(vm, draft),
            _ => self.repeat(&draft.concrete),
        }
    }

    /// Appends some calls of the given invokables.
    pub fn append_some(&mut self, vm: &mut Vm, draft: &mut Draft, invokables: &[usize]) {
        let count = match self.random.is_likely(60) {
            true => 1,
            false => 1 + self.random.below(CALLS),
        };
        let mut last = None;
        for _ in 0..count {
            // Runs of the same call reach states that alternating ones seldom do.
            let same = last.filter(|_| self.random.is_likely(40));
            let Some(invokable) = same.or_else(|| self.random.pick(invokables).copied()) else {
                return;
            };
            last = Some(invokable);
            let before = draft.clone();
            if !self.append(vm, draft, invokable) {
                *draft = before;
            }
        }
    }

    /// Changes some values.
    pub fn change_values(&mut self, vm: &mut Vm, concrete: &mut Concrete) {
        let count = concrete.input.roots.len();
        if count == 0 {
            return;
        }
        // Values of the last statements matter more often.
        for _ in 0..1 + self.random.few(3) {
            let number = match self.random.is_likely(50) {
                true => count - 1 - self.random.few(count - 1),
                false => self.random.below(count),
            };
            let Some((invokable, place)) = open_places(&concrete.statements).nth(number) else {
                continue;
            };
            let Some((parameter, _)) = self.plan.taking(invokable, place) else {
                continue;
            };
            let same = match self.random.is_likely(15) {
                true => self.plan.values_of(concrete, parameter.descriptor),
                false => Vec::new(),
            };
            let input = &mut concrete.input;
            let copied = self.random.pick(&same);
            let copied = copied.map(|&other| input.roots[other].1.clone());
            let stays = copied.is_some() && !self.random.is_likely(EDITED);
            let value = copied.unwrap_or_else(|| input.roots[number].1.clone());
            input.roots[number].1 = match stays {
                true => value,
                false => self
                    .values
                    .changed(vm, self.random, &value, parameter, input),
            };
        }
        compacted(&mut concrete.input);
    }

    /// Inserts a statement with those that create its arguments.
    pub fn insert(&mut self, vm: &mut Vm, draft: &Draft, invokables: &[usize]) -> Option<Concrete> {
        let whole = &draft.concrete;
        // The last call stays the last one.
        let room = whole.statements.len().checked_sub(self.first)?;
        let at = self.first + self.random.below(room);
        let mut head = Draft {
            concrete: truncated(whole, at),
            objects: draft
                .objects
                .iter()
                .copied()
                .filter(|object| object.0 < at)
                .collect(),
        };
        let values = head.concrete.input.roots.len();
        let invokable = self.inserted(vm, &head, invokables)?;
        if !self.append(vm, &mut head, invokable) {
            return None;
        }
        let further = head.concrete.statements.len() - at;
        let further_values = head.concrete.input.roots.len() - values;
        let mut joined = head.concrete;
        for statement in &whole.statements[at..] {
            let mut statement = statement.clone();
            for argument in &mut statement.arguments {
                match argument {
                    StatementArgument::Result(place) if *place >= at => *place += further,
                    StatementArgument::Repeated(value) if *value >= values => {
                        *value += further_values;
                    }
                    _ => {}
                }
            }
            joined.statements.push(statement);
        }
        joined
            .input
            .roots
            .extend_from_slice(&whole.input.roots[values..]);
        // What a call does often depends on another one with the same arguments.
        if self.random.is_likely(ECHOES) {
            for value in values..values + further_values {
                if let Some(known) = self.known_value(&joined, value, joined.input.roots.len()) {
                    joined.input.roots[value].1 = known;
                }
            }
            compacted(&mut joined.input);
        }
        (joined.statements.len() <= self.length).then_some(joined)
    }

    /// Returns the invokable of a call to insert behind a draft: often one on an object of the draft, which
    /// few of many invokables are.
    fn inserted(&mut self, vm: &Vm, head: &Draft, invokables: &[usize]) -> Option<usize> {
        if self.random.is_likely(ON_KNOWN) {
            let has_receiver = |number: &&usize| {
                let takes = self.plan.roles[**number].takes.first();
                self.plan.invokables[**number].kind.has_receiver()
                    && takes.is_some_and(|it| !self.plan.fitting(vm, it, head).is_empty())
            };
            let on_known: Vec<usize> = invokables.iter().filter(has_receiver).copied().collect();
            if let Some(&invokable) = self.random.pick(&on_known) {
                return Some(invokable);
            }
        }
        self.random.pick(invokables).copied()
    }

    /// Removes a statement whose result no other takes.
    pub fn remove(&mut self, concrete: &Concrete) -> Option<Concrete> {
        let room = concrete.statements.len().checked_sub(self.first + 1)?;
        let number = self.first + self.random.below(room.max(1));
        let mut shorter = concrete.without(number)?;
        compacted(&mut shorter.input);
        (!shorter.statements.is_empty()).then_some(shorter)
    }

    /// Replaces the object that a statement takes by another one that the draft has.
    pub fn redirect(&mut self, vm: &mut Vm, draft: &Draft) -> Option<Concrete> {
        let mut concrete = draft.concrete.clone();
        let number = self.random.below(concrete.statements.len());
        let statement = &mut concrete.statements[number];
        let place = self.random.below(statement.arguments.len());
        let taking = self.plan.roles[statement.invokable].takes.get(place)?;
        let mut fitting = self.plan.fitting(vm, taking, draft);
        fitting.retain(|&other| other < number);
        let argument = statement.arguments.get_mut(place)?;
        let StatementArgument::Result(_) = argument else {
            return None;
        };
        *argument = StatementArgument::Result(*self.random.pick(&fitting)?);
        Some(concrete)
    }

    /// Repeats a statement with all its values and arguments, directly behind it.
    pub fn repeat(&mut self, concrete: &Concrete) -> Option<Concrete> {
        let room = concrete.statements.len().checked_sub(self.first)?;
        let number = self.first + self.random.below(room);
        let times = 1 + self.random.below(REPEATS);
        let repeated = concrete.repeating(number, times);
        (repeated.statements.len() <= self.length).then_some(repeated)
    }

    /// Appends the last call of another sequence, on an object that the draft has, with the
    /// statements that made its arguments. Some values are those of earlier parameters of the same
    /// name, and some are new. `None` if the call has no receiver, or the draft no object for it.
    pub fn adopt(&mut self, vm: &mut Vm, draft: &Draft, other: &Concrete) -> Option<Concrete> {
        let called = other.statements.last()?.invokable;
        if !self.plan.invokables[called].kind.has_receiver() {
            return None;
        }
        let taking = self.plan.roles[called].takes.first()?;
        let receiver = *self.plan.fitting(vm, taking, draft).last()?;
        let first = draft.concrete.statements.len();
        let mut joined = other.behind(&draft.concrete);
        let last = joined.statements.len() - 1;
        joined.statements[last].arguments[0] = StatementArgument::Result(receiver);
        let mut joined = joined.sliced(first);
        let texts = text_objects(&draft.concrete.input);
        for number in (first..joined.statements.len() - 1).rev() {
            let statement = &joined.statements[number];
            let fills = self.plan.is_support(statement)
                && !self.plan.roles[statement.invokable].gives_object;
            if fills && self.random.is_likely(REFILLED) {
                joined = joined.repeating(number, 1);
            }
        }
        for value in draft.concrete.input.roots.len()..joined.input.roots.len() {
            if self.random.is_likely(REUSED)
                && let Some(known) = self.known_value(&joined, value, value)
            {
                joined.input.roots[value].1 = known;
            } else if self.random.is_likely(REUSED)
                && let Some((called, place)) = open_places(&joined.statements).nth(value)
                && let Some((parameter, _)) = self.plan.taking(called, place)
            {
                let input = &mut joined.input;
                input.roots[value].1 = self.values.fresh(vm, self.random, parameter, input);
            } else if let InputValue::Object(array) = joined.input.roots[value].1 {
                self.rename_elements(&mut joined.input, array, &texts);
            }
        }
        compacted(&mut joined.input);
        (joined.statements.len() <= self.length).then_some(joined)
    }

    /// Replaces some texts in an array by others of the input.
    fn rename_elements(&mut self, input: &mut RunInput, array: usize, texts: &[usize]) {
        let Contents::Elements(mut elements) = input.objects[array].contents.clone() else {
            return;
        };
        for element in &mut elements {
            if let InputValue::Object(text) = *element
                && matches!(input.objects[text].contents, Contents::Text(_))
                && self.random.is_likely(REUSED)
                && let Some(&other) = self.random.pick(texts)
            {
                *element = InputValue::Object(other);
            }
        }
        input.objects[array].contents = Contents::Elements(elements);
    }

    /// Returns the value of another one of the first `most` parameters, with the type of a value's, and
    /// with its name if there is one.
    fn known_value(
        &mut self,
        concrete: &Concrete,
        value: usize,
        most: usize,
    ) -> Option<InputValue> {
        let (invokable, place) = open_places(&concrete.statements).nth(value)?;
        let (descriptor, name) = self.plan.open_parameter(invokable, place)?;
        let mut same = self.plan.values_of(concrete, descriptor);
        same.retain(|&other| other < most && other != value);
        let is_named = |other: &usize| concrete.input.roots[*other].0 == name;
        if same.iter().any(is_named) {
            same.retain(is_named);
        }
        let known = *self.random.pick(&same)?;
        Some(concrete.input.roots[known].1.clone())
    }

    /// Returns a sequence in which further calls of `setters` give texts to objects of the program, and if it
    /// `is_renamed` numbers, too, and all texts are usual ones, different where they can be. `None` if nothing
    /// changes.
    pub fn filled(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        setters: &[usize],
        is_renamed: bool,
    ) -> Option<Concrete> {
        let mut draft = Draft::default();
        draft
            .concrete
            .input
            .objects
            .clone_from(&concrete.input.objects);
        let (mut places, mut values) = (Vec::new(), Vec::new());
        let mut is_changed = false;
        for (number, statement) in concrete.statements.iter().enumerate() {
            let mut own = statement.clone();
            let mut roots = concrete.places(number);
            for (place, argument) in own.arguments.iter_mut().enumerate() {
                match argument {
                    StatementArgument::Result(made) => *made = places[*made],
                    StatementArgument::Repeated(value) => *value = values[*value],
                    StatementArgument::Open => {
                        let mut root = concrete.input.roots[roots.next()?].clone();
                        if is_renamed && draft.concrete.input.text(&root.1).is_some() {
                            root = self.usual_root(vm, &mut draft, statement.invokable, place)?;
                            is_changed = true;
                        }
                        values.push(draft.concrete.input.roots.len());
                        draft.concrete.input.roots.push(root);
                    }
                    _ => {}
                }
            }
            let made = draft.concrete.statements.len();
            places.push(made);
            self.add(vm, &mut draft, own);
            if number + 1 < concrete.statements.len() {
                let object = (number, made);
                is_changed |= self.set(vm, &mut draft, (concrete, object), setters, is_renamed)?;
            }
        }
        let mut filled = draft.concrete;
        compacted(&mut filled.input);
        is_changed.then_some(filled)
    }

    /// Appends calls that set what a sequence leaves alone of an object of the program, named by the number of its
    /// statement there and in the draft; returns whether there are any.
    fn set(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        (concrete, (number, made)): (&Concrete, (usize, usize)),
        setters: &[usize],
        has_numbers: bool,
    ) -> Option<bool> {
        let plan = self.plan;
        let maker = draft.concrete.statements[made].invokable;
        let class = draft.objects.iter().find(|object| object.0 == made);
        let class = class
            .map(|object| object.1)
            .filter(|&class| plan.invokables[maker].stub.is_none() && vm.is_app_class(class));
        let Some(class) = class else {
            return Some(false);
        };
        let mut is_changed = false;
        for &setter in setters {
            let receiver = StatementArgument::Result(number);
            let mut others = concrete.statements.iter();
            let is_set = others.any(|other| {
                other.invokable == setter && other.arguments.first() == Some(&receiver)
            });
            let parameter = plan.open_parameter(setter, 1);
            let is_wanted = match parameter.map(|(descriptor, _)| descriptor) {
                Some("Ljava/lang/String;") => true,
                Some("I" | "J" | "D" | "F" | "S") => has_numbers,
                _ => false,
            };
            let has_room = draft.concrete.statements.len() < self.length;
            let fits = plan.roles[setter].takes[0].accepts(vm, class);
            if is_set || !is_wanted || !has_room || !fits {
                continue;
            }
            let root = self.usual_root(vm, draft, setter, 1)?;
            draft.concrete.input.roots.push(root);
            let call = Statement {
                invokable: setter,
                arguments: vec![StatementArgument::Result(made), StatementArgument::Open],
            };
            self.add(vm, draft, call);
            is_changed = true;
        }
        Some(is_changed)
    }

    /// Returns a usual value for a parameter with its name, one that the draft does not have if there are such.
    fn usual_root(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        place: usize,
    ) -> Option<(String, InputValue)> {
        let (parameter, name) = self.plan.taking(invokable, place)?;
        let usual = self.plan.usual(vm, (invokable, place), name);
        let input = &mut draft.concrete.input;
        let mut value = InputValue::Null;
        for _ in 0..DRAWS {
            value = self.values.fresh(vm, self.random, parameter, input);
            let drawn = (&mut value, &mut *input);
            self.values
                .make_usual(vm, self.random, (parameter, usual), drawn, true);
            if value != InputValue::Null && !is_known(input, name, &value) {
                break;
            }
        }
        Some((name.to_owned(), value))
    }

    /// Joins two sequences; calls that follow may take objects of both.
    pub fn join(&self, draft: &Draft, other: &Draft) -> Option<Draft> {
        // The first statements are those that begin every sequence.
        if self.first > 0 {
            return None;
        }
        let shift = draft.concrete.statements.len();
        let joined = Draft {
            concrete: other.concrete.behind(&draft.concrete),
            objects: draft
                .objects
                .iter()
                .copied()
                .chain(
                    other
                        .objects
                        .iter()
                        .map(|&(place, class)| (place + shift, class)),
                )
                .collect(),
        };
        (joined.concrete.statements.len() < self.length).then_some(joined)
    }
}
