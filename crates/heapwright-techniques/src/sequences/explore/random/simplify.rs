//! Simplifies sequences: fewer statements and plainer values, as long as the same goals are
//! reached.

use heapwright_jvm::descriptor::Kind;

use super::values::compacted;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::symbolic::{Contents, InputValue};

/// Maximum number of runs for one sequence.
const RUNS: usize = 400;

/// Simplifies a sequence while `holds`.
///
/// # Errors
/// Those of `holds`.
pub(in crate::sequences) fn simplified(
    concrete: Concrete,
    holds: &mut dyn FnMut(&Concrete) -> Result<bool, Error>,
) -> Result<Concrete, Error> {
    let mut simplifier = Simplifier {
        concrete,
        holds,
        runs: 0,
    };
    simplifier.remove_statements()?;
    simplifier.simplify_values()?;
    compacted(&mut simplifier.concrete.input);
    Ok(simplifier.concrete)
}

struct Simplifier<'h> {
    concrete: Concrete,
    holds: &'h mut dyn FnMut(&Concrete) -> Result<bool, Error>,
    runs: usize,
}

impl Simplifier<'_> {
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
        let mut number = self.concrete.statements.len().saturating_sub(1);
        while number > 0 {
            number -= 1;
            if let Some(shorter) = self.concrete.without(number) {
                self.replace(shorter)?;
            }
        }
        Ok(())
    }

    fn simplify_values(&mut self) -> Result<(), Error> {
        for number in 0..self.concrete.input.roots.len() {
            match self.concrete.input.roots[number].1.clone() {
                InputValue::Primitive(kind, slot) => self.simplify_number(number, kind, slot)?,
                InputValue::Object(object) => self.simplify_object(object)?,
                _ => {}
            }
        }
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
