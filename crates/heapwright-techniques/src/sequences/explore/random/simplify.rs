//! Simplifies sequences: fewer statements and plainer values, as long as the same goals are
//! reached.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use heapwright_jvm::descriptor::Kind;

use super::given::set_given;
use super::usual_values::texts_for;
use super::values::compacted;
use crate::Error;
use crate::sequences::explore::fractions;
use crate::sequences::model::Concrete;
use crate::sequences::plan::{GivenValue, SearchPlan};
use crate::statements::open_places;
use crate::statements::written::READABLE;
use crate::symbolic::{Contents, InputValue, RunObject};

/// Maximum number of runs for one sequence.
const RUNS: usize = 400;

/// Numbers that tell sums, products and places apart.
const PRIMES: [i64; 10] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];
/// Maximum number of characters of a word that replaces a text.
const WORD: usize = 3;
/// Size up to which numbers count as small.
const SMALL: f64 = 100.0;

/// Round numbers, one of which stands for a large one where no small one does.
const ROUND: [i64; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];
/// Name of parameters for a year.
const YEAR: &str = "year";
/// Years that people write, and the one that comes first to mind.
const YEARS: RangeInclusive<i64> = 1900..=2100;
const USUAL_YEAR: i64 = 2024;
/// Name of parameters for seconds since the epoch.
const EPOCH_SECOND: &str = "epochSecond";
/// Noon of the first day of the usual year, in seconds since the epoch.
const USUAL_MOMENT: i64 = 1_704_110_400;

/// Whether a number is one of seconds that tests write as a day and a time.
fn is_moment(name: &str, number: f64) -> bool {
    name == EPOCH_SECOND && READABLE.contains(&(number as i64))
}

/// Whether a number is plain enough to be read, and not zero.
fn is_small(kind: Kind, slot: u64) -> bool {
    let number = number_of(kind, slot);
    let is_number = !matches!(kind, Kind::Boolean | Kind::Char);
    !is_number || number != 0.0 && number.abs() <= SMALL && number.fract() == 0.0
}

fn number_of(kind: Kind, slot: u64) -> f64 {
    match kind {
        Kind::Float | Kind::Double => fractions::number(kind, slot),
        Kind::Long => slot as i64 as f64,
        _ => f64::from(slot as u32 as i32),
    }
}

fn slot_of(kind: Kind, number: i64) -> u64 {
    match kind {
        Kind::Float | Kind::Double => fractions::slot(kind, number as f64),
        Kind::Long => number as u64,
        _ => u64::from(number as i32 as u32),
    }
}

/// Whether people write a character as it is.
fn is_usual(unit: u16) -> bool {
    matches!(unit, 0x20..=0x7E | 0x09 | 0x0A)
}

/// Texts in which people see what they say for one in which they do not; none for a usual text.
fn usual_forms(units: &[u16]) -> Vec<Vec<u16>> {
    let is_word = |unit: &u16| char::from_u32(u32::from(*unit)).is_some_and(char::is_alphanumeric);
    if !units.iter().all(|&unit| is_usual(unit)) {
        let with = |letter: char| {
            let units = units.iter();
            let units = units.map(|&unit| if is_usual(unit) { unit } else { letter as u16 });
            units.collect()
        };
        return ['a', ' ', '\n'].map(with).to_vec();
    }
    let is_blank = units.iter().all(|unit| matches!(unit, 0x20 | 0x09 | 0x0A));
    if is_blank || units.iter().any(is_word) {
        return Vec::new();
    }
    let letter = [u16::from(b'a')];
    vec![
        letter.to_vec(),
        [units, &letter].concat(),
        [&letter, units].concat(),
    ]
}

/// Simplifies a sequence while `holds`. Where a text is needed, it is one that parsers in the code accept if
/// that holds, too: what parsers accept is understood as a whole.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn simplified(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    plain(concrete, plan, holds, |simplifier| {
        simplifier.simplify_values()
    })
}

/// Removes statements from a sequence and makes its values plain while `holds`. Unlike with
/// [`simplified`], different values stay different: numbers are small primes, texts words.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn tidied(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    let tidied = plain(concrete, plan, holds, |simplifier| simplifier.tidy_values())?;
    usual(tidied, plan, holds)
}

/// Gives the values of a sequence for people: texts that suit the names of their parameters, while
/// `holds`. Equal texts stay equal.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn named(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    let named = plain(concrete, plan, holds, |simplifier| {
        simplifier.tidy_numbers()?;
        simplifier.name_texts()
    })?;
    usual(named, plan, holds)
}

/// Gives a sequence the numbers and texts of another one of the same statements, while `holds`: those that
/// stay show what tells the two apart.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn aligned(
    concrete: Concrete,
    model: &Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    changed(concrete, plan, holds, |simplifier| {
        for root in 0..simplifier.concrete.input.roots.len() {
            if !simplifier.is_given(root) {
                simplifier.align(root, model)?;
            }
        }
        Ok(())
    })
}

/// Gives the values of a sequence that a user prefers, while `holds`, and replaces those that nobody
/// writes: very large numbers, unprintable characters, and years in which nobody lives.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn usual(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    changed(concrete, plan, holds, |simplifier| {
        simplifier.give_values()?;
        simplifier.round_numbers()?;
        simplifier.move_years()?;
        simplifier.tidy_characters()
    })
}

/// Removes statements from a sequence while `holds`, and makes its values plain in one way.
fn plain(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
    make_values_plain: impl FnOnce(&mut Simplifier<'_>) -> Result<(), Error>,
) -> Result<Concrete, Error> {
    changed(concrete, plan, holds, |simplifier| {
        simplifier.remove_statements()?;
        simplifier.give_values()?;
        make_values_plain(simplifier)
    })
}

/// Changes a sequence in some ways while `holds`.
fn changed(
    concrete: Concrete,
    plan: &SearchPlan,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
    change: impl FnOnce(&mut Simplifier<'_>) -> Result<(), Error>,
) -> Result<Concrete, Error> {
    let mut simplifier = Simplifier {
        concrete,
        plan,
        holds,
        runs: 0,
    };
    change(&mut simplifier)?;
    compacted(&mut simplifier.concrete.input);
    Ok(simplifier.concrete)
}

/// Returns a sequence with another text for some open values.
fn with_text(mut concrete: Concrete, roots: &[usize], text: &str) -> Concrete {
    for &root in roots {
        if let InputValue::Object(object) = concrete.input.roots[root].1 {
            let made = RunObject {
                contents: Contents::Text(text.encode_utf16().collect()),
                ..concrete.input.objects[object].clone()
            };
            concrete.input.objects.push(made);
            concrete.input.roots[root].1 = InputValue::Object(concrete.input.objects.len() - 1);
        }
    }
    compacted(&mut concrete.input);
    concrete
}

/// Returns the text that an open value of a sequence is.
fn text_of(concrete: &Concrete, root: usize) -> Option<&[u16]> {
    let input = &concrete.input;
    input.text(&input.roots[root].1)
}

struct Simplifier<'h> {
    concrete: Concrete,
    plan: &'h SearchPlan,
    holds: &'h mut dyn FnMut(&Concrete) -> Result<bool, Error>,
    runs: usize,
}

impl<'h> Simplifier<'h> {
    /// Replaces the sequence by another one if that holds; returns whether it does.
    fn replace(&mut self, other: Concrete) -> Result<bool, Error> {
        self.runs += 1;
        let is_fine = self.runs <= RUNS && (self.holds)(&other)?;
        if is_fine {
            self.concrete = other;
        }
        Ok(is_fine)
    }

    fn remove_statements(&mut self) -> Result<(), Error> {
        let sliced = self.concrete.sliced(0);
        if sliced != self.concrete {
            self.replace(sliced)?;
        }
        let mut number = self.concrete.statements.len().saturating_sub(1);
        while number > 0 {
            number -= 1;
            if let Some(shorter) = self.concrete.without(number) {
                self.replace(shorter)?;
            }
        }
        Ok(())
    }

    /// Returns the values that a user gives for an open value.
    fn given(&self, root: usize) -> &'h [GivenValue] {
        let place = open_places(&self.concrete.statements).nth(root);
        place.map_or(&[], |(invokable, place)| self.plan.given(invokable, place))
    }

    /// Whether an open value is one that a user gives for it.
    fn is_given(&self, root: usize) -> bool {
        GivenValue::is_among(
            self.given(root),
            &self.concrete.input.roots[root].1,
            &self.concrete.input,
        )
    }

    fn value(&self, root: usize) -> Option<GivenValue> {
        GivenValue::of(&self.concrete.input.roots[root].1, &self.concrete.input)
    }

    /// Replaces values by such as a user gives for their parameters: different ones if that holds, and else
    /// the same for those that are equal.
    fn give_values(&mut self) -> Result<(), Error> {
        for root in 0..self.concrete.input.roots.len() {
            let given = self.given(root);
            if given.is_empty() || self.is_given(root) {
                continue;
            }
            let Some(value) = self.value(root) else {
                continue;
            };
            let others = || (0..self.concrete.input.roots.len()).filter(|&other| other != root);
            let used: Vec<GivenValue> = others().filter_map(|other| self.value(other)).collect();
            let is_same = |&other: &usize| {
                self.text(other).is_some() && self.value(other).as_ref() == Some(&value)
            };
            let same: Vec<usize> = std::iter::once(root)
                .chain(others().filter(is_same))
                .collect();
            for value in given.iter().filter(|value| !used.contains(value)) {
                let is_given = self.give(&same[..1], value)?;
                if is_given || same.len() > 1 && self.give(&same, value)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Replaces open values by one that a user gives.
    fn give(&mut self, roots: &[usize], given: &GivenValue) -> Result<bool, Error> {
        let mut other = self.concrete.clone();
        for &root in roots {
            let mut value = other.input.roots[root].1.clone();
            set_given(&mut value, &mut other.input, given);
            other.input.roots[root].1 = value;
        }
        compacted(&mut other.input);
        self.replace(other)
    }

    fn simplify_values(&mut self) -> Result<(), Error> {
        for number in 0..self.concrete.input.roots.len() {
            if self.is_given(number) {
                continue;
            }
            match self.concrete.input.roots[number].1.clone() {
                InputValue::Primitive(kind, slot) => self.simplify_number(number, kind, slot)?,
                InputValue::Object(object) if self.is_parsed(object)? => {}
                InputValue::Object(object) => self.simplify_object(object)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn tidy_values(&mut self) -> Result<(), Error> {
        self.tidy_numbers()?;
        let mut words: BTreeMap<(String, Vec<u16>), Vec<usize>> = BTreeMap::new();
        for (number, (name, _)) in self.concrete.input.roots.iter().enumerate() {
            if let Some(units) = self.text(number).filter(|_| !self.is_given(number)) {
                let words = words.entry((name.clone(), units.to_vec()));
                words.or_default().push(number);
            }
        }
        for (number, ((_, units), roots)) in words.into_iter().enumerate() {
            self.tidy_text(number, &units, &roots)?;
        }
        Ok(())
    }

    /// Replaces numbers that are not small by small primes.
    fn tidy_numbers(&mut self) -> Result<(), Error> {
        for number in 0..self.concrete.input.roots.len() {
            if let (name, InputValue::Primitive(kind, slot)) = &self.concrete.input.roots[number]
                && !is_small(*kind, *slot)
                && !is_moment(name, number_of(*kind, *slot))
                && !self.is_given(number)
            {
                self.with_number(number, *kind, PRIMES[number % PRIMES.len()])?;
            }
        }
        Ok(())
    }

    /// Replaces a number.
    fn with_number(&mut self, root: usize, kind: Kind, number: i64) -> Result<bool, Error> {
        let mut plainer = self.concrete.clone();
        plainer.input.roots[root].1 = InputValue::Primitive(kind, slot_of(kind, number));
        self.replace(plainer)
    }

    /// Replaces very large numbers by small or round ones of the same sign.
    fn round_numbers(&mut self) -> Result<(), Error> {
        for root in 0..self.concrete.input.roots.len() {
            let (name, InputValue::Primitive(kind, slot)) = &self.concrete.input.roots[root] else {
                continue;
            };
            let (kind, number) = (*kind, number_of(*kind, *slot));
            let largest = ROUND[ROUND.len() - 1] as f64;
            let is_plain = number.abs() <= largest || is_moment(name, number);
            let is_plain = is_plain || matches!(kind, Kind::Boolean | Kind::Char);
            if is_plain || self.is_given(root) {
                continue;
            }
            let prime = PRIMES[root % PRIMES.len()];
            let known = match name.as_str() {
                YEAR => Some(USUAL_YEAR),
                EPOCH_SECOND => Some(USUAL_MOMENT),
                _ => None,
            };
            let numbers = known.into_iter().chain([prime]).chain(ROUND);
            for plain in numbers {
                let plain = if number < 0.0 { -plain } else { plain };
                if self.with_number(root, kind, plain)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Moves all years together to those in which people live.
    fn move_years(&mut self) -> Result<(), Error> {
        let roots = self.concrete.input.roots.iter().enumerate();
        let years = roots.filter_map(|(root, (name, value))| match value {
            InputValue::Primitive(Kind::Int, slot) if name == YEAR => {
                Some((root, i64::from(*slot as u32 as i32)))
            }
            _ => None,
        });
        let years: Vec<(usize, i64)> = years.collect();
        let Some(last) = years.iter().map(|(_, year)| *year).max() else {
            return Ok(());
        };
        let are_given = years.iter().any(|(root, _)| self.is_given(*root));
        if are_given || years.iter().all(|(_, year)| YEARS.contains(year)) {
            return Ok(());
        }
        let mut moved = self.concrete.clone();
        for (root, year) in years {
            let year = slot_of(Kind::Int, year - last + USUAL_YEAR);
            moved.input.roots[root].1 = InputValue::Primitive(Kind::Int, year);
        }
        self.replace(moved)?;
        Ok(())
    }

    /// Replaces characters that people do not write, and texts that say nothing.
    fn tidy_characters(&mut self) -> Result<(), Error> {
        for root in 0..self.concrete.input.roots.len() {
            if self.is_given(root) {
                continue;
            }
            if let InputValue::Primitive(Kind::Char, slot) = self.concrete.input.roots[root].1
                && !is_usual(slot as u16)
            {
                for letter in ['a', '0', ' ', '\n'] {
                    if self.with_number(root, Kind::Char, i64::from(letter as u32))? {
                        break;
                    }
                }
            }
            let Some(units) = self.text(root).map(<[u16]>::to_vec) else {
                continue;
            };
            let roots = 0..self.concrete.input.roots.len();
            let same = roots.filter(|&other| self.text(other) == Some(&units));
            let same: Vec<usize> = same.collect();
            for form in usual_forms(&units) {
                let text = String::from_utf16_lossy(&form);
                if self.replace(with_text(self.concrete.clone(), &same, &text))? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Replaces a number or a text by that of another sequence.
    fn align(&mut self, root: usize, model: &Concrete) -> Result<(), Error> {
        let own = &self.concrete.input.roots[root].1;
        let Some((_, other)) = model.input.roots.get(root) else {
            return Ok(());
        };
        let aligned = match (own, other) {
            (InputValue::Primitive(kind, own), InputValue::Primitive(other_kind, other))
                if kind == other_kind && own != other =>
            {
                let mut aligned = self.concrete.clone();
                aligned.input.roots[root].1 = InputValue::Primitive(*kind, *other);
                aligned
            }
            _ => match (self.text(root), text_of(model, root)) {
                (Some(own), Some(other)) if own != other => {
                    let text = String::from_utf16_lossy(other);
                    with_text(self.concrete.clone(), &[root], &text)
                }
                _ => return Ok(()),
            },
        };
        self.replace(aligned)?;
        Ok(())
    }

    /// Returns the text that an open value is.
    fn text(&self, root: usize) -> Option<&[u16]> {
        text_of(&self.concrete, root)
    }

    /// Replaces texts by such as people write for parameters of these names.
    fn name_texts(&mut self) -> Result<(), Error> {
        let mut groups: Vec<(Vec<u16>, Vec<usize>)> = Vec::new();
        for root in 0..self.concrete.input.roots.len() {
            let Some(units) = self.text(root) else {
                continue;
            };
            match groups.iter_mut().find(|(known, _)| known == units) {
                Some((_, roots)) => roots.push(root),
                None => groups.push((units.to_vec(), vec![root])),
            }
        }
        let mut given: BTreeSet<String> = BTreeSet::new();
        for (units, roots) in groups {
            if roots.iter().any(|&root| self.is_given(root)) {
                continue;
            }
            let name = |root: usize| self.concrete.input.roots[root].0.clone();
            let names: Vec<String> = roots.iter().map(|&root| name(root)).collect();
            let free = |name: &str, given: &BTreeSet<String>| {
                let all = texts_for(name).into_iter().map(Cow::into_owned);
                let mut free = all.filter(|text| !given.contains(text));
                free.next()
            };
            // Different texts tell more, as which of two was handed on.
            let mut apart = (self.concrete.clone(), given.clone());
            for (&root, name) in roots.iter().zip(&names).filter(|_| roots.len() > 1) {
                if let Some(text) = free(name, &apart.1) {
                    apart.0 = with_text(apart.0, &[root], &text);
                    apart.1.insert(text);
                }
            }
            if apart.0 != self.concrete && self.replace(apart.0)? {
                given = apart.1;
                continue;
            }
            let Some(text) = names.iter().find_map(|name| free(name, &given)) else {
                continue;
            };
            let together = with_text(self.concrete.clone(), &roots, &text);
            if !text.encode_utf16().eq(units) && self.replace(together)? {
                given.insert(text);
            }
        }
        Ok(())
    }

    /// Replaces a string that parameters of one name share by a word that tells it from others.
    fn tidy_text(&mut self, number: usize, units: &[u16], roots: &[usize]) -> Result<(), Error> {
        let is_letter = |unit: &u16| u8::try_from(*unit).is_ok_and(|it| it.is_ascii_alphanumeric());
        if (1..=WORD).contains(&units.len()) && units.iter().all(is_letter) {
            return Ok(());
        }
        let first = number * WORD;
        let letters = (first..first + units.len().clamp(1, WORD)).map(|place| place % 26);
        let word: Vec<u16> = letters
            .map(|letter| u16::from(b'a') + letter as u16)
            .collect();
        let word = String::from_utf16_lossy(&word);
        let plainer = with_text(self.concrete.clone(), roots, &word);
        self.replace(plainer)?;
        Ok(())
    }

    fn simplify_number(&mut self, number: usize, kind: Kind, slot: u64) -> Result<(), Error> {
        let float = |number: f32| u64::from(number.to_bits());
        let plain: &[u64] = match kind {
            Kind::Float => &[0, float(1.0), float(-1.0)],
            Kind::Double => &[0, 1.0_f64.to_bits(), (-1.0_f64).to_bits()],
            Kind::Char => &[97, 48, 32],
            Kind::Long => &[0, 1, u64::MAX, 2, 3, 10],
            Kind::Boolean => &[0],
            _ => &[0, 1, 0xFFFF_FFFF, 2, 3, 10],
        };
        for &other in plain.iter().take_while(|&&other| other != slot) {
            let mut plainer = self.concrete.clone();
            plainer.input.roots[number].1 = InputValue::Primitive(kind, other);
            if self.replace(plainer)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether a string is needed, and one that parsers accept, or can be replaced by one.
    fn is_parsed(&mut self, object: usize) -> Result<bool, Error> {
        let parsed = self.plan.parsed();
        let Contents::Text(units) = self.concrete.input.objects[object].contents.clone() else {
            return Ok(false);
        };
        if parsed.is_empty() || units.is_empty() {
            return Ok(false);
        }
        let mut with = |text: &[u16]| {
            let mut other = self.concrete.clone();
            other.input.objects[object].contents = Contents::Text(text.to_vec());
            self.replace(other)
        };
        if with(&[])? {
            return Ok(false);
        }
        if parsed.contains(&units) {
            return Ok(true);
        }
        for text in parsed {
            if with(text)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shortens a string or an array: by halves, then by smaller parts.
    fn simplify_object(&mut self, object: usize) -> Result<(), Error> {
        let mut part = self.length(object).div_ceil(2);
        while part > 0 {
            let mut from = 0;
            while from < self.length(object) {
                let mut shorter = self.concrete.clone();
                match &mut shorter.input.objects[object].contents {
                    Contents::Text(units) => {
                        let to = (from + part).min(units.len());
                        units.drain(from..to);
                    }
                    Contents::Elements(elements) => {
                        let to = (from + part).min(elements.len());
                        elements.drain(from..to);
                    }
                    Contents::Fields(_) => return Ok(()),
                }
                if !self.replace(shorter)? {
                    from += part;
                }
            }
            part /= 2;
        }
        self.simplify_units(object)
    }

    fn length(&self, object: usize) -> usize {
        match &self.concrete.input.objects[object].contents {
            Contents::Text(units) => units.len(),
            Contents::Elements(elements) => elements.len(),
            Contents::Fields(_) => 0,
        }
    }

    /// Replaces characters by letters, unusual ones first.
    fn simplify_units(&mut self, object: usize) -> Result<(), Error> {
        for place in 0..self.length(object) {
            let mut plainer = self.concrete.clone();
            let Contents::Text(units) = &mut plainer.input.objects[object].contents else {
                return Ok(());
            };
            if units[place] == u16::from(b'a') {
                continue;
            }
            units[place] = u16::from(b'a');
            self.replace(plainer)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_nobody_writes_have_usual_forms() {
        let forms = |text: &str| -> Vec<String> {
            let units: Vec<u16> = text.encode_utf16().collect();
            let forms = usual_forms(&units).into_iter();
            forms.map(|form| String::from_utf16_lossy(&form)).collect()
        };
        assert_eq!(forms("b\u{5}@"), ["ba@", "b @", "b\n@"]);
        assert_eq!(forms("\r"), ["a", " ", "\n"]);
        assert_eq!(forms(":/"), ["a", ":/a", "a:/"]);
        for usual in ["", " \t\n", "Ann", "4"] {
            assert_eq!(forms(usual), [""; 0], "{usual}");
        }
    }

    #[test]
    fn numbers_keep_their_sign_as_slots() {
        for (kind, number) in [
            (Kind::Int, -3),
            (Kind::Long, -1_000_000),
            (Kind::Double, 100),
        ] {
            assert_eq!(number_of(kind, slot_of(kind, number)), number as f64);
        }
    }
}
