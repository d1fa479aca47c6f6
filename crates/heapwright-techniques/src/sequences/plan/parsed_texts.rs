//! Texts for the arguments of invokables whose code parses texts, and of those that hand texts on to it.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;

use crate::parsed_texts::{AcceptedTexts, TextForm};
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
}

impl ParsedTexts {
    /// Finds the texts for the invokables of an analysis.
    pub fn of(vm: &mut Vm, analysis: &Analysis) -> ParsedTexts {
        let count = analysis.invokables.len();
        let forms = |number: usize| &analysis.flows.effects(number).forms;
        let parsing: Vec<usize> = (0..count)
            .filter(|&number| !forms(number).is_empty())
            .collect();
        if parsing.is_empty() {
            return ParsedTexts::default();
        }
        let mut accepted = AcceptedTexts::default();
        let mut by_invokable = Vec::new();
        for number in 0..count {
            let mut wanted: BTreeSet<&TextForm> = forms(number).iter().collect();
            let invokable = &analysis.invokables[number];
            for &other in &parsing {
                let writes = &analysis.flows.effects(number).defines;
                let reads = &analysis.flows.effects(other).uses;
                let hands_on = invokable.stub.is_some()
                    || !invokable.contents.is_empty()
                    || !writes.is_disjoint(reads);
                if hands_on {
                    wanted.extend(forms(other));
                }
            }
            let has_formats = wanted
                .iter()
                .any(|form| matches!(form, TextForm::DatePattern(_) | TextForm::DateFormatter(_)));
            let (mut all, mut first): (Vec<String>, Vec<String>) = Default::default();
            for form in wanted {
                // What a formatter reads is seldom what is read without one.
                if has_formats && form.takes_formatter() {
                    continue;
                }
                let texts = accepted.of(vm, form);
                first.extend(texts.first().cloned());
                for text in texts {
                    if !all.contains(&text) {
                        all.push(text);
                    }
                }
            }
            all.truncate(TEXTS);
            first.truncate(OF_SEVERAL);
            let parameters = invokable.parameters.iter();
            let taken = parameters.filter(|taken| is_text(&taken.descriptor));
            // Each argument would have all of them, and the paths with these come first.
            let choices = match taken.count() {
                0 | 1 => all.clone(),
                _ => first,
            };
            by_invokable.push(TextsOfInvokable { all, choices });
        }
        ParsedTexts { by_invokable }
    }

    /// Returns the texts for an invokable.
    pub fn of_invokable(&self, number: usize) -> &[String] {
        let texts = self.by_invokable.get(number);
        texts.map_or(&[], |texts| &texts.all)
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

/// Whether values of a type may be texts, or hold some.
fn is_text(descriptor: &str) -> bool {
    const TEXTS: [&str; 3] = [
        "Ljava/lang/String;",
        "Ljava/lang/CharSequence;",
        "Ljava/lang/Object;",
    ];
    TEXTS.contains(&descriptor.trim_start_matches('['))
}
