//! Values of open arguments: new ones, and changes to known ones.
//!
//! **Invariant:** objects of an input are never changed in place, since others may share them.

use heapwright_explore::symbolic::{Alternative, Universe};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};

use super::dictionary::Dictionary;
use super::given::set_given;
use super::numbers::Random;
use super::texts::{self, TextSource};
use super::usual_values::{WORDS, is_usual_name, texts_for, usual_numbers};
use crate::sequences::explore::fractions;
use crate::sequences::model::Concrete;
use crate::sequences::plan::{GivenValue, SearchPlan};
use crate::statements::open_places;
use crate::symbolic::{Contents, InputValue, RunInput, RunObject, instance_fields, named};

/// Maximum depth of objects in a value.
const DEPTH: usize = 4;
/// Share of null among values of reference types, in percent.
const NULL: usize = 4;

/// Share of texts in arrays and fields that a sequence has already, and of texts for parameters without
/// usual names that are made of the name, in percent.
const NAMED: usize = 40;
/// Share of texts that parsers accept where there are such, in percent.
const PARSED: usize = 40;
/// Maximum number of characters of a usual text.
const LONGEST: usize = 300;
/// Share of texts as long as a bound in the code among plain ones, in percent, and the least such bound.
const LONG: usize = 5;
const LEAST_BOUND: usize = 16;
/// Maximum number of elements of usual collections that constants of the code ask for.
const MOST_ELEMENTS: usize = 9;
/// Share of texts that parsers accept among usual texts without a usual name, in percent.
const UNNAMED: usize = 75;
/// Their share where code parses the parameter by its name, in percent.
const SURE: usize = 93;
/// Share of constants of the code, and of texts that its parsers accept, among usual numbers and texts, in
/// percent.
const OF_CODE: usize = 20;
/// Share of a user's values where there are such, in percent.
const GIVEN: usize = 85;

/// Source of values.
pub(super) struct Values<'a> {
    pub plan: &'a SearchPlan,
    pub dictionary: Dictionary,
    /// Whether references may be null.
    pub is_nullable: bool,
    /// Whether strings hold any characters, not only Latin-1.
    pub utf16: bool,
    /// Maximum number of elements of an array, and of characters of a string.
    pub length: usize,
}

/// A parameter that takes an open value.
#[derive(Clone, Copy)]
pub(super) struct OpenParameter<'p> {
    /// The descriptor of its values.
    pub descriptor: &'p str,
    /// The strings with which its method compares.
    pub texts: &'p [Ref],
    /// Those that parsers in the code of its method accept.
    pub parsed: &'p [Ref],
    /// Whether code parses this parameter by its name.
    pub is_parsed: bool,
    /// Values that a user gives for it, or for what it holds.
    pub given: &'p [GivenValue],
}

/// Maximum number of times that a value is drawn which a sequence has already.
pub(super) const DRAWS: usize = 3;

/// What people write for a parameter.
#[derive(Clone, Copy)]
pub(super) struct UsualParameter<'p> {
    /// The name of the parameter.
    name: &'p str,
    /// Usual numbers.
    numbers: &'static [u64],
    /// Whether its method is one of the JDK.
    pub is_of_jdk: bool,
}

/// Whether an input has a text, or a number for another parameter of the same name.
pub(super) fn is_known(input: &RunInput, name: &str, value: &InputValue) -> bool {
    let mut roots = input.roots.iter();
    match value {
        InputValue::Primitive(Kind::Boolean, _) => false,
        InputValue::Primitive(..) => roots.any(|(other, known)| other == name && known == value),
        value => {
            let own = input.text(value);
            own.is_some() && roots.any(|(_, known)| input.text(known) == own)
        }
    }
}

impl SearchPlan {
    /// Returns the parameter of an invokable that takes an open value, and its name.
    pub(super) fn taking(
        &self,
        invokable: usize,
        place: usize,
    ) -> Option<(OpenParameter<'_>, &str)> {
        let (descriptor, name) = self.open_parameter(invokable, place)?;
        let parsed = self.parsed_by(invokable, place);
        let parameter = OpenParameter {
            descriptor,
            texts: self.texts(invokable),
            parsed: parsed.map_or(&[], |parsed| &parsed.texts),
            is_parsed: parsed.is_some_and(|parsed| parsed.is_sure),
            given: self.given(invokable, place),
        };
        Some((parameter, name))
    }

    /// Returns what people write for a parameter with a name.
    pub(super) fn usual<'p>(
        &self,
        vm: &Vm,
        (invokable, place): (usize, usize),
        name: &'p str,
    ) -> UsualParameter<'p> {
        let method = self.invokables[invokable].kind.method();
        let member = method.map(|method| {
            let this = vm.method(method);
            (vm.class_name(this.class), vm.text(this.name), place)
        });
        UsualParameter {
            name,
            numbers: usual_numbers(member),
            is_of_jdk: member.is_some_and(|(class, ..)| class.starts_with("java/")),
        }
    }
}

impl Values<'_> {
    /// Whether the bounds permit the values of a sequence: lengths, and the numbers that parameters
    /// may have.
    pub fn admit(&self, concrete: &Concrete) -> bool {
        let values = open_places(&concrete.statements).zip(&concrete.input.roots);
        for ((invokable, place), (_, value)) in values {
            let parameter = self.plan.open_parameter(invokable, place);
            if let (Some((descriptor, _)), InputValue::Primitive(_, slot)) = (parameter, value) {
                let allowed = self.plan.allowed(descriptor);
                if !allowed.is_empty() && !allowed.contains(slot) {
                    return false;
                }
            }
        }
        concrete
            .input
            .objects
            .iter()
            .all(|object| match &object.contents {
                Contents::Text(units) => {
                    let is_known = |unit: &u16| self.utf16 || *unit <= 0xFF;
                    units.len() <= self.length && units.iter().all(is_known)
                        || self.plan.parsed().contains(units)
                        || self.plan.is_given(units)
                }
                Contents::Elements(elements) => elements.len() <= self.length,
                Contents::Fields(_) => true,
            })
    }

    /// Returns a new value for a parameter. Its objects are added to the input.
    pub fn fresh(
        &self,
        vm: &mut Vm,
        random: &mut Random,
        parameter: OpenParameter<'_>,
        input: &mut RunInput,
    ) -> InputValue {
        self.of_type(vm, random, parameter, input, 0)
    }

    /// Replaces numbers by such as people write, and texts by such for the parameter's name, or by what its
    /// method compares with or parses. Unless they are plain, some are the code's constants.
    pub fn make_usual(
        &self,
        vm: &Vm,
        random: &mut Random,
        (parameter, usual): (OpenParameter<'_>, UsualParameter<'_>),
        (value, input): (&mut InputValue, &mut RunInput),
        is_plain: bool,
    ) {
        if let Some(given) = parameter.pick_usual(random, input) {
            set_given(value, input, given);
            return;
        }
        let is_restricted = !self.plan.allowed(parameter.descriptor).is_empty();
        match value {
            InputValue::Primitive(Kind::Boolean | Kind::Char, _) => {}
            InputValue::Primitive(kind, slot) if !is_restricted => {
                *slot = self.usual_number(random, *kind, Some(usual), is_plain);
            }
            InputValue::Object(object) => match &mut input.objects[*object].contents {
                Contents::Text(units) => {
                    *units = self.usual_text(vm, random, (parameter, usual), is_plain)
                }
                Contents::Fields(fields) => {
                    if let [(.., InputValue::Primitive(kind, slot))] = &mut fields[..]
                        && !matches!(kind, Kind::Boolean | Kind::Char)
                    {
                        *slot = self.usual_number(random, *kind, None, is_plain);
                    }
                }
                Contents::Elements(_) => {}
            },
            _ => {}
        }
    }

    fn usual_text(
        &self,
        vm: &Vm,
        random: &mut Random,
        (parameter, usual): (OpenParameter<'_>, UsualParameter<'_>),
        is_plain: bool,
    ) -> Vec<u16> {
        let compared = random.pick(parameter.texts).copied();
        if let Some(compared) = compared.filter(|_| usual.is_of_jdk) {
            return vm.string_units(compared);
        }
        let named = texts_for(usual.name);
        // Only texts that do not tell of what they are for are equal elsewhere.
        let is_usual = is_usual_name(usual.name);
        let is_named = is_usual || random.is_likely(NAMED);
        let named = random.pick(&named).filter(|_| is_named);
        let text = named.map(AsRef::as_ref);
        let text = text.or_else(|| random.pick(&WORDS).copied());
        let text: Vec<u16> = text.unwrap_or_default().encode_utf16().collect();
        let is_parsed = random.is_likely(match is_usual {
            _ if parameter.is_parsed => SURE,
            true => OF_CODE,
            false => UNNAMED,
        });
        if let Some(&parsed) = random.pick(parameter.parsed).filter(|_| is_parsed) {
            return vm.string_units(parsed);
        }
        if is_plain {
            let is_long = random.is_likely(LONG);
            return match is_long
                .then(|| self.bounded(random, &text, LEAST_BOUND))
                .flatten()
            {
                Some(long) => long,
                None => text,
            };
        }
        let blank = [u16::from(b' ')];
        let of_code = |random: &mut Random| match random.pick(parameter.texts) {
            Some(&compared) => vm.string_units(compared),
            None => self.dictionary.text(random).unwrap_or_default(),
        };
        match random.below(100) {
            0..10 => of_code(random),
            10..18 => [of_code(random), of_code(random)].join(&blank[..]),
            18..23 => [&blank, &text[..], &blank].concat(),
            23..28 => self.bounded(random, &text, 0).unwrap_or(text),
            _ => text,
        }
    }

    /// Returns a text repeated up to either side of a constant of the code of at least some size, if there is
    /// one that may be a bound on its length.
    fn bounded(&self, random: &mut Random, text: &[u16], least: usize) -> Option<Vec<u16>> {
        let length = usize::try_from(self.dictionary.integer(random)?).ok()?;
        if text.is_empty() || length < least || length > LONGEST {
            return None;
        }
        let length = length + random.below(2);
        Some(text.iter().copied().cycle().take(length).collect())
    }

    /// Returns a number of elements on either side of a small constant of the code.
    pub fn count(&self, random: &mut Random) -> Option<usize> {
        let count = usize::try_from(self.dictionary.integer(random)?).ok()?;
        let is_few = (2..=MOST_ELEMENTS).contains(&count);
        is_few.then(|| (count + random.below(2)).min(self.length))
    }

    fn usual_number(
        &self,
        random: &mut Random,
        kind: Kind,
        usual: Option<UsualParameter<'_>>,
        is_plain: bool,
    ) -> u64 {
        let numbers = usual.map_or(usual_numbers(None), |usual| usual.numbers);
        let is_of_jdk = usual.is_some_and(|usual| usual.is_of_jdk);
        let of_code = self.dictionary.integer(random).filter(|_| !is_plain);
        let number = match of_code.filter(|_| random.is_likely(OF_CODE) && !is_of_jdk) {
            // On either side of a bound.
            Some(number) => number.wrapping_add(random.below(3) as i64 - 1),
            None => random.pick(numbers).copied().unwrap_or_default() as i64,
        };
        match kind {
            Kind::Float | Kind::Double => fractions::slot(kind, number as f64),
            _ => kind.narrowed(number),
        }
    }

    fn of_type(
        &self,
        vm: &mut Vm,
        random: &mut Random,
        parameter: OpenParameter<'_>,
        input: &mut RunInput,
        depth: usize,
    ) -> InputValue {
        let kind = Kind::of(parameter.descriptor);
        if kind != Kind::Reference {
            let allowed = self.plan.allowed(parameter.descriptor);
            let given = parameter.pick_given(random, GIVEN);
            let slot = match (allowed, given) {
                ([], Some(GivenValue::Slot(given))) => Some(*given),
                _ => random.pick(allowed).copied(),
            };
            return InputValue::Primitive(kind, slot.unwrap_or_else(|| self.number(random, kind)));
        }
        if depth > DEPTH || self.is_nullable && random.is_likely(NULL) {
            return InputValue::Null;
        }
        let Ok(bound) = vm.load_class(descriptor::class_name(parameter.descriptor)) else {
            return InputValue::Null;
        };
        let alternatives = self.plan.classes.alternatives(vm, bound);
        match random.pick(&alternatives).copied() {
            Some(Alternative::Known(object)) => named(vm, object).unwrap_or(InputValue::Null),
            Some(Alternative::New(class)) => {
                self.object(vm, random, class, parameter, input, depth)
            }
            None => InputValue::Null,
        }
    }

    /// Returns a new object of a class.
    fn object(
        &self,
        vm: &mut Vm,
        random: &mut Random,
        class: ClassId,
        parameter: OpenParameter<'_>,
        input: &mut RunInput,
        depth: usize,
    ) -> InputValue {
        let name = vm.class_name(class).to_owned();
        let contents = if let Some(element) = name.strip_prefix('[') {
            let mut elements = Vec::new();
            for _ in 0..self.few_elements(random) {
                let of = OpenParameter {
                    descriptor: element,
                    ..parameter
                };
                elements.push(self.of_type(vm, random, of, input, depth + 1));
            }
            Contents::Elements(elements)
        } else if name == "java/lang/String" {
            // Elements are often what other parameters have named.
            if parameter.given.is_empty()
                && depth > 0
                && random.is_likely(NAMED)
                && let Some(&known) = random.pick(&text_objects(input))
            {
                return InputValue::Object(known);
            }
            Contents::Text(match preferred(vm, random, parameter) {
                Some(units) => units,
                None => texts::fresh(&self.texts(vm, random, parameter), random),
            })
        } else {
            let fields = instance_fields(vm, class);
            let mut values = Vec::new();
            for field in fields {
                let of = OpenParameter {
                    descriptor: &field.descriptor,
                    ..parameter
                };
                let value = self.of_type(vm, random, of, input, depth + 1);
                values.push((field.owner, field.name, value));
            }
            Contents::Fields(values)
        };
        add(input, vm.binary_name(class), contents)
    }

    /// Returns a length of an array, most often a small one.
    fn few_elements(&self, random: &mut Random) -> usize {
        let most = match random.is_likely(85) {
            true => self.length.min(4),
            false => self.length,
        };
        random.below(most + 1)
    }

    fn texts<'t>(
        &'t self,
        vm: &Vm,
        random: &mut Random,
        parameter: OpenParameter<'_>,
    ) -> TextSource<'t> {
        let compared = random.pick(parameter.texts);
        TextSource {
            dictionary: &self.dictionary,
            compared: compared.map(|&text| vm.string_units(text)),
            length: self.length,
            utf16: self.utf16,
        }
    }

    /// Returns a value that differs a little from a known one. Its objects are added to the input.
    pub fn changed(
        &self,
        vm: &mut Vm,
        random: &mut Random,
        value: &InputValue,
        parameter: OpenParameter<'_>,
        input: &mut RunInput,
    ) -> InputValue {
        match value {
            InputValue::Primitive(kind, slot) => {
                if !self.plan.allowed(parameter.descriptor).is_empty() || random.is_likely(40) {
                    return self.fresh(vm, random, parameter, input);
                }
                InputValue::Primitive(*kind, near(random, *kind, *slot))
            }
            InputValue::Object(number) if random.is_likely(90) => {
                let object = input.objects[*number].clone();
                let contents = match object.contents {
                    Contents::Text(units) => {
                        let others: Vec<&Vec<u16>> = input
                            .objects
                            .iter()
                            .filter_map(|object| match &object.contents {
                                Contents::Text(units) => Some(units),
                                _ => None,
                            })
                            .collect();
                        let other = random.pick(&others).map(|units| units.to_vec());
                        Contents::Text(match preferred(vm, random, parameter) {
                            Some(units) => units,
                            None => {
                                let source = self.texts(vm, random, parameter);
                                texts::changed(&source, random, units, other)
                            }
                        })
                    }
                    Contents::Elements(elements) => {
                        let descriptor = object.class.replace('.', "/");
                        let of = OpenParameter {
                            descriptor: descriptor.strip_prefix('[').unwrap_or("I"),
                            ..parameter
                        };
                        self.changed_elements(vm, random, elements, of, input)
                    }
                    Contents::Fields(mut fields) => {
                        let place = random.below(fields.len());
                        let class = crate::target::find_class(vm, &object.class);
                        let types = class.map(|class| instance_fields(vm, class));
                        if let (Some((.., value)), Ok(types)) = (fields.get_mut(place), types)
                            && let Some(field) = types.get(place)
                        {
                            let of = OpenParameter {
                                descriptor: &field.descriptor,
                                ..parameter
                            };
                            *value = self.changed(vm, random, &value.clone(), of, input);
                        }
                        Contents::Fields(fields)
                    }
                };
                add(input, object.class, contents)
            }
            _ => self.fresh(vm, random, parameter, input),
        }
    }

    fn changed_elements(
        &self,
        vm: &mut Vm,
        random: &mut Random,
        mut elements: Vec<InputValue>,
        of: OpenParameter<'_>,
        input: &mut RunInput,
    ) -> Contents {
        let place = random.below(elements.len() + 1);
        let has_room = elements.len() < self.length;
        match random.below(5) {
            0 if has_room => {
                let value = self.fresh(vm, random, of, input);
                elements.insert(place, value);
            }
            1 if has_room && !elements.is_empty() => {
                let value = elements[random.below(elements.len())].clone();
                elements.insert(place, value);
            }
            2 if place < elements.len() => {
                elements.remove(place);
            }
            3 if !elements.is_empty() => {
                let (last, other) = (elements.len() - 1, random.below(elements.len()));
                elements.swap(place.min(last), other);
            }
            _ if place < elements.len() => {
                elements[place] = self.changed(vm, random, &elements[place].clone(), of, input);
            }
            _ if has_room => elements.push(self.fresh(vm, random, of, input)),
            _ => {}
        }
        Contents::Elements(elements)
    }

    /// Returns a number of a primitive kind: a small one, one of the code, one at the boundary of
    /// the type, or any.
    fn number(&self, random: &mut Random, kind: Kind) -> u64 {
        match kind {
            Kind::Boolean => random.next() & 1,
            Kind::Char => u64::from(texts::unit(&self.dictionary, random, self.utf16)),
            Kind::Float | Kind::Double => self.fraction(random, kind),
            _ => kind.narrowed(self.integer(random, kind)),
        }
    }

    fn integer(&self, random: &mut Random, kind: Kind) -> i64 {
        let bits: u32 = match kind {
            Kind::Byte => 8,
            Kind::Short => 16,
            Kind::Long => 64,
            _ => 32,
        };
        let of_code = self.dictionary.integer(random);
        match (random.below(100), of_code) {
            (0..40, _) => random.below(14) as i64 - 2,
            (40..65, Some(number)) => number.wrapping_add(random.below(3) as i64 - 1),
            (65..80, _) => {
                // Powers of two and their neighbours, of either sign.
                let power = 1_i64.wrapping_shl(random.below(bits as usize) as u32);
                let near = power.wrapping_add(random.below(3) as i64 - 1);
                if random.is_likely(50) {
                    near
                } else {
                    near.wrapping_neg()
                }
            }
            (80..92, _) => random.below(2_001) as i64 - 1_000,
            _ => (random.next() as i64) >> (64 - bits),
        }
    }

    fn fraction(&self, random: &mut Random, kind: Kind) -> u64 {
        const SPECIAL: [f64; 9] = [
            0.5,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
            1e-9,
            1e18,
        ];
        let of_code = self.dictionary.fraction(random);
        let number = match (random.below(100), of_code) {
            (0..45, _) => self.integer(random, Kind::Int) as f64,
            (45..65, Some(bits)) => f64::from_bits(bits),
            (65..80, _) => SPECIAL[random.below(SPECIAL.len())],
            (80..95, _) => (random.below(200_001) as f64 - 100_000.0) / 1_000.0,
            _ => f64::from_bits(random.next()),
        };
        fractions::slot(kind, number)
    }
}

/// Returns a text that a user gives, or that a parser accepts, at times; never where there is none.
fn preferred(vm: &Vm, random: &mut Random, parameter: OpenParameter<'_>) -> Option<Vec<u16>> {
    if let Some(GivenValue::Text(text)) = parameter.pick_given(random, GIVEN) {
        return Some(text.clone());
    }
    if parameter.parsed.is_empty() || !random.is_likely(PARSED) {
        return None;
    }
    let text = random.pick(parameter.parsed);
    text.map(|&text| vm.string_units(text))
}

/// Returns the numbers of the texts of an input.
pub(super) fn text_objects(input: &RunInput) -> Vec<usize> {
    let numbered = input.objects.iter().enumerate();
    let texts = numbered.filter(|(_, object)| matches!(object.contents, Contents::Text(_)));
    texts.map(|(number, _)| number).collect()
}

/// Returns a number near another one of its kind.
fn near(random: &mut Random, kind: Kind, slot: u64) -> u64 {
    if matches!(kind, Kind::Float | Kind::Double) {
        let number = fractions::number(kind, slot);
        let changed = match random.below(6) {
            0 => number + 1.0,
            1 => number - 1.0,
            2 => -number,
            3 => number / 2.0,
            4 => number * 10.0,
            _ => number.trunc(),
        };
        return fractions::slot(kind, changed);
    }
    let number = match kind {
        Kind::Long => slot as i64,
        _ => i64::from(slot as u32 as i32),
    };
    let by = 1_i64.wrapping_shl(random.few(62) as u32);
    let changed = match random.below(6) {
        0 | 1 => number.wrapping_add(by),
        2 | 3 => number.wrapping_sub(by),
        4 => number.wrapping_neg(),
        _ => number / 2,
    };
    kind.narrowed(changed)
}

/// Adds an object to an input.
fn add(input: &mut RunInput, class: String, contents: Contents) -> InputValue {
    input.objects.push(RunObject { class, contents });
    InputValue::Object(input.objects.len() - 1)
}

/// Removes the objects of an input that none of its values leads to.
pub(super) fn compacted(input: &mut RunInput) {
    let mut order: Vec<usize> = Vec::new();
    let mut places: Vec<Option<usize>> = vec![None; input.objects.len()];
    fn enter(value: &mut InputValue, order: &mut Vec<usize>, places: &mut [Option<usize>]) {
        if let InputValue::Object(number) = value {
            let place = places[*number].unwrap_or_else(|| {
                order.push(*number);
                order.len() - 1
            });
            places[*number] = Some(place);
            *number = place;
        }
    }
    for (_, value) in &mut input.roots {
        enter(value, &mut order, &mut places);
    }
    let mut kept = Vec::new();
    while let Some(&number) = order.get(kept.len()) {
        let mut object = input.objects[number].clone();
        match &mut object.contents {
            Contents::Fields(fields) => {
                for (.., value) in fields {
                    enter(value, &mut order, &mut places);
                }
            }
            Contents::Elements(elements) => {
                for value in elements {
                    enter(value, &mut order, &mut places);
                }
            }
            Contents::Text(_) => {}
        }
        kept.push(object);
    }
    input.objects = kept;
}
