//! Texts for the arguments of invokables whose code parses texts, and of those that hand texts on to it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;

use crate::parsed_texts::{AcceptedTexts, ParsedText, TextForm};
use crate::sequences::analysis::static_analysis::Analysis;

/// Maximum number of texts for an invokable.
const TEXTS: usize = 24;
/// Maximum number of texts from which the solver chooses where it is not known which argument is parsed.
const OF_SEVERAL: usize = 3;

/// Texts that parsers accept, by the number of the invokable.
#[derive(Default)]
pub(super) struct ParsedTexts {
    by_invokable: Vec<TextsOfInvokable>,
}

#[derive(Default)]
struct TextsOfInvokable {
    all: Vec<String>,
    /// Those from which the solver chooses.
    choices: Vec<String>,
    /// Those of parameters whose names tell what is parsed, and those of the others.
    by_name: BTreeMap<String, Vec<String>>,
    of_others: Vec<String>,
}

impl ParsedTexts {
    /// Finds the texts for the invokables of an analysis.
    pub fn of(vm: &mut Vm, analysis: &Analysis) -> ParsedTexts {
        let count = analysis.invokables.len();
        let parsed = |number: usize| &analysis.flows.effects(number).parsed;
        let parsing: Vec<usize> = (0..count)
            .filter(|&number| !parsed(number).is_empty())
            .collect();
        if parsing.is_empty() {
            return ParsedTexts::default();
        }
        let mut accepted = AcceptedTexts::default();
        let mut by_invokable = Vec::new();
        for number in 0..count {
            let invokable = &analysis.invokables[number];
            let writes = &analysis.flows.effects(number).defines;
            let written: BTreeSet<&str> = writes.iter().map(|field| vm.text(field.name)).collect();
            let mut of_invokable: BTreeSet<&ParsedText> = parsed(number).iter().collect();
            for &other in &parsing {
                let reads = &analysis.flows.effects(other).uses;
                if invokable.stub.is_some() || !invokable.contents.is_empty() {
                    of_invokable.extend(parsed(other));
                } else if !writes.is_disjoint(reads) {
                    // What another field holds is not handed on.
                    let handed = parsed(other).iter().filter(|text| {
                        let name = text.name.as_deref();
                        name.is_none_or(|name| written.contains(name))
                    });
                    of_invokable.extend(handed);
                }
            }
            let mut wanted: BTreeMap<&TextForm, BTreeSet<Option<&str>>> = BTreeMap::new();
            for ParsedText { form, name } in of_invokable {
                let names = wanted.entry(form).or_default();
                names.insert(name.as_deref());
            }
            let has_formats = wanted
                .keys()
                .any(|form| matches!(form, TextForm::DatePattern(_) | TextForm::DateFormatter(_)));
            let mut texts_of = TextsOfInvokable::default();
            let mut first: Vec<String> = Vec::new();
            for (form, names) in wanted {
                // What a formatter reads is seldom what is read without one.
                if has_formats && form.takes_formatter() {
                    continue;
                }
                let texts = accepted.of(vm, form);
                first.extend(texts.first().cloned());
                add_texts(&mut texts_of.all, &texts);
                let parameters = invokable.parameters.iter();
                let named = parameters.filter(|taken| names.contains(&Some(&taken.name)));
                let named: Vec<&String> = named.map(|taken| &taken.name).collect();
                if named.is_empty() || names.contains(&None) {
                    add_texts(&mut texts_of.of_others, &texts);
                }
                for name in named {
                    add_texts(texts_of.by_name.entry(name.clone()).or_default(), &texts);
                }
            }
            first.truncate(OF_SEVERAL);
            let parameters = invokable.parameters.iter();
            let taken = parameters.filter(|taken| is_text(&taken.descriptor));
            // Each argument would have all of them, and the paths with these come first.
            texts_of.choices = match taken.count() {
                0 | 1 => texts_of.all.clone(),
                _ => first,
            };
            by_invokable.push(texts_of);
        }
        ParsedTexts { by_invokable }
    }

    /// Returns the texts for a parameter of an invokable, and whether its name tells that it is parsed.
    pub fn of_parameter(&self, number: usize, name: &str) -> (&[String], bool) {
        let Some(texts) = self.by_invokable.get(number) else {
            return (&[], false);
        };
        match texts.by_name.get(name) {
            Some(named) => (named, true),
            None => (&texts.of_others, false),
        }
    }

    /// Returns those from which the solver chooses.
    pub fn choices(&self, number: usize) -> &[String] {
        let texts = self.by_invokable.get(number);
        texts.map_or(&[], |texts| &texts.choices)
    }

    /// Returns the characters of all texts, each once.
    pub fn all(&self) -> Vec<Vec<u16>> {
        let mut seen = BTreeSet::new();
        let texts = self.by_invokable.iter().flat_map(|texts| &texts.all);
        let texts = texts.filter(|text| seen.insert(*text));
        texts.map(|text| text.encode_utf16().collect()).collect()
    }
}

/// Adds texts that are not there yet, up to a number.
fn add_texts(all: &mut Vec<String>, texts: &[String]) {
    for text in texts {
        if all.len() < TEXTS && !all.contains(text) {
            all.push(text.clone());
        }
    }
}

/// Whether values of a type may be texts, or hold some.
fn is_text(descriptor: &str) -> bool {
    const TEXTS: [&str; 3] = [
        "Ljava/lang/String;",
        "Ljava/lang/CharSequence;",
        "Ljava/lang/Object;",
    ];
    TEXTS.contains(&descriptor.trim_start_matches('['))
}
