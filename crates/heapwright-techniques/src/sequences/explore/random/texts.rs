//! Strings: new ones of pieces of the code, and changes character by character and piece by piece.

use super::dictionary::Dictionary;
use super::numbers::Random;

/// Characters that texts often consist of.
const USUAL: &str = "abcxyzABCXYZ0123456789 .,;:-+_/\\\"'()[]{}<>=#%&*!?@$^~|\t\n\r";

/// Source of strings.
pub(super) struct TextSource<'t> {
    pub dictionary: &'t Dictionary,
    /// A string with which the method compares.
    pub compared: Option<Vec<u16>>,
    /// Maximum number of characters.
    pub length: usize,
    /// Whether strings hold any characters, not only Latin-1.
    pub utf16: bool,
}

/// Returns a new string.
pub(super) fn fresh(source: &TextSource<'_>, random: &mut Random) -> Vec<u16> {
    let mut text = match random.below(100) {
        0..5 => Vec::new(),
        5..40 => piece(source, random),
        40..55 => number(random),
        55..70 => {
            let mut text = Vec::new();
            for _ in 0..2 + random.below(3) {
                text.extend(piece(source, random));
            }
            text
        }
        _ => {
            let most = match random.is_likely(80) {
                true => source.length.min(8),
                false => source.length,
            };
            let length = random.below(most + 1);
            // Texts of few different characters repeat some.
            let few = random.is_likely(30);
            let letters: Vec<u16> = (0..3).map(|_| of(source, random)).collect();
            let units = (0..length).map(|_| match few {
                true => letters[random.below(letters.len())],
                false => of(source, random),
            });
            units.collect()
        }
    };
    text.truncate(source.length);
    text
}

/// Returns a string that differs a little from another one; `other` is a further one, parts of
/// which may replace parts of it.
pub(super) fn changed(
    source: &TextSource<'_>,
    random: &mut Random,
    text: Vec<u16>,
    other: Option<Vec<u16>>,
) -> Vec<u16> {
    let mut text = text;
    for _ in 0..1 + random.few(3) {
        let place = random.below(text.len() + 1);
        let end = place + random.below(text.len() - place + 1);
        match random.below(13) {
            0 | 1 => text.insert(place, of(source, random)),
            2 if place < text.len() => {
                text.remove(place);
            }
            3 | 4 if place < text.len() => text[place] = of(source, random),
            5 if place < text.len() => text[place] = text[place].wrapping_add(1) & 0xFF,
            6 => {
                text.drain(place..end);
            }
            7 => {
                let part = text[place..end].to_vec();
                text.splice(place..place, part);
            }
            8 | 9 => {
                let part = piece(source, random);
                text.splice(place..place, part);
            }
            10 => {
                let part = other.clone().unwrap_or_default();
                let from = random.below(part.len() + 1);
                text.splice(place..end, part[from..].iter().copied());
            }
            11 if place < text.len() => text[place] ^= 0x20,
            12 => {
                let letters = text.iter_mut().filter(|unit| is_letter(**unit));
                letters.for_each(|letter| *letter ^= 0x20);
            }
            _ => text.push(of(source, random)),
        }
    }
    text.truncate(source.length);
    text
}

/// Whether a character is a letter of ASCII, which the bit of 0x20 makes a small one.
fn is_letter(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|letter| letter.is_ascii_alphabetic())
}

/// Returns a string of the code, or one that looks like a number.
fn piece(source: &TextSource<'_>, random: &mut Random) -> Vec<u16> {
    match (&source.compared, random.below(10)) {
        (Some(text), 0..5) => text.clone(),
        (_, 9) => number(random),
        _ => source
            .dictionary
            .text(random)
            .unwrap_or_else(|| vec![of(source, random)]),
    }
}

/// Returns the digits of a number, with a sign, a fraction or an exponent at times.
fn number(random: &mut Random) -> Vec<u16> {
    let whole = random.next() >> random.below(64);
    let text = match random.below(8) {
        0 => format!("-{whole}"),
        1 => format!("+{whole}"),
        2 => format!("{}.{}", whole % 1_000, random.below(1_000)),
        3 => format!("{}e{}", whole % 100, random.below(40)),
        4 => format!("{whole:#x}"),
        5 => format!("{:02}", whole % 100),
        _ => format!("{}", whole % 10_000),
    };
    text.encode_utf16().collect()
}

fn of(source: &TextSource<'_>, random: &mut Random) -> u16 {
    unit(source.dictionary, random, source.utf16)
}

/// Returns a character: one that the code mentions, a usual one, or any.
pub(super) fn unit(dictionary: &Dictionary, random: &mut Random, utf16: bool) -> u16 {
    let of_code = dictionary.unit(random);
    let unit = match (random.below(100), of_code) {
        (0..40, Some(unit)) => unit,
        (0..93, _) => u16::from(USUAL.as_bytes()[random.below(USUAL.len())]),
        (93..98, _) => random.next() as u16 & 0xFF,
        _ => random.next() as u16,
    };
    match utf16 {
        true => unit,
        false => unit & 0xFF,
    }
}
