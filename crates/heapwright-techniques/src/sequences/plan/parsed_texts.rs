//! Texts for the arguments of invokables whose code parses texts, and of those that hand texts on to it.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;

use crate::parsed_texts::{AcceptedTexts, TextForm};
use crate::sequences::analysis::static_analysis::Analysis;

/// Maximum number of texts for an invokable.
const TEXTS: usize = 24;

/// Texts that parsers accept, by the number of the invokable.
#[derive(Default)]
pub(super) struct ParsedTexts {
    by_invokable: Vec<Vec<String>>,
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
            let takes_texts = invokable
                .parameters
                .iter()
                .any(|taken| is_text(&taken.descriptor));
            for &other in parsing.iter().filter(|_| takes_texts) {
                let writes = &analysis.flows.effects(number).defines;
                let reads = &analysis.flows.effects(other).uses;
                if invokable.scripted_stub().is_some() || !writes.is_disjoint(reads) {
                    wanted.extend(forms(other));
                }
            }
            let has_formats = wanted
                .iter()
                .any(|form| matches!(form, TextForm::DatePattern(_) | TextForm::DateFormatter(_)));
            let mut texts: Vec<String> = Vec::new();
            for form in wanted {
                // What a formatter reads is seldom what is read without one.
                if !has_formats || !form.takes_formatter() {
                    for text in accepted.of(vm, form) {
                        if !texts.contains(&text) {
                            texts.push(text);
                        }
                    }
                }
            }
            texts.truncate(TEXTS);
            by_invokable.push(texts);
        }
        ParsedTexts { by_invokable }
    }

    /// Returns the texts for an invokable.
    pub fn of_invokable(&self, number: usize) -> &[String] {
        self.by_invokable.get(number).map_or(&[], Vec::as_slice)
    }

    /// Returns the characters of all texts, each once.
    pub fn all(&self) -> Vec<Vec<u16>> {
        let mut seen = BTreeSet::new();
        let texts = self.by_invokable.iter().flatten();
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
