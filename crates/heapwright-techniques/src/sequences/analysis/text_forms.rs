//! Finds what code parses texts by: methods of the JDK, regular expressions, patterns of dates and times.
//!
//! Expressions and patterns are constants in the code itself, or in an initialiser or constructor that makes
//! them a field which the code reads. Others are not known.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedMember, ListedOperation, Listing};
use heapwright_suite::property_of;

use super::string_constants::{consumer, is_enum};
use crate::parsed_texts::{DATE_FORMATTER, ParsedText, TextForm, may_parse};

const STRING: &str = "java/lang/String";
const TEXT: &str = "Ljava/lang/String;";
const TEXT_GETTER: &str = "()Ljava/lang/String;";
/// Maximum number of cells of a text.
const CELLS: usize = 24;
/// Maximum number of forms of one method.
const FORMS: usize = 64;

/// Methods that take an expression, and those that take a pattern.
const OF_EXPRESSIONS: [(&str, &str); 3] = [
    ("java/util/regex/Pattern", "compile"),
    ("java/util/regex/Pattern", "matches"),
    ("java/lang/String", "matches"),
];
const OF_PATTERNS: [(&str, &str); 3] = [
    (DATE_FORMATTER, "ofPattern"),
    ("java/time/format/DateTimeFormatterBuilder", "appendPattern"),
    ("java/text/SimpleDateFormat", "<init>"),
];

/// Types of objects that parse texts, and of collections of such.
const HOLDERS: [&str; 6] = [
    "Ljava/util/regex/",
    "Ljava/time/format/",
    "Ljava/text/",
    "Ljava/util/List;",
    "Ljava/util/Map;",
    "[Ljava/util/regex/",
];

/// Returns the texts that a method parses.
pub(super) fn parsed(vm: &mut Vm, listing: &Listing) -> BTreeSet<ParsedText> {
    let mut forms = BTreeSet::new();
    let mut parsed = BTreeSet::new();
    let mut fields: Vec<(&ListedMember, bool)> = Vec::new();
    let mut of_constants: Vec<&ListedOperation> = Vec::new();
    for (place, listed) in listing.instructions.iter().enumerate() {
        match &listed.step {
            ListedOperation::Text(text) => {
                let taker = consumer(&listing.instructions[place + 1..]);
                forms.extend(taker.and_then(|taker| constant(taker, text)));
                of_constants.extend(taker);
            }
            ListedOperation::Invoke(_, member)
                if !of_constants
                    .iter()
                    .any(|one| std::ptr::eq(*one, &listed.step)) =>
            {
                if let Some(form) = constant_name(vm, member).or_else(|| parser(member)) {
                    let name = holder(vm, listing, place);
                    parsed.insert(ParsedText { form, name });
                }
            }
            ListedOperation::Dynamic(_, _, passed) => {
                forms.extend(passed.iter().filter_map(parser))
            }
            ListedOperation::GetField(field, true) if field.class == DATE_FORMATTER => {
                forms.insert(TextForm::DateFormatter(field.name.clone()));
            }
            ListedOperation::GetField(field, is_static) if holds_parsers(field) => {
                fields.push((field, *is_static));
            }
            _ => {}
        }
    }
    for (field, is_static) in fields {
        forms.extend(held(vm, field, is_static));
    }
    forms.extend(record(vm, listing));
    parsed.extend(
        forms
            .into_iter()
            .map(|form| ParsedText { form, name: None }),
    );
    while parsed.len() > FORMS {
        parsed.pop_last();
    }
    parsed
}

/// Returns the name of the field of the program, or of the property by its accessor, that holds the text
/// which the call at a place takes.
fn holder(vm: &mut Vm, listing: &Listing, place: usize) -> Option<String> {
    let before = listing.instructions[..place].iter().rev();
    for listed in before {
        let (member, name) = match &listed.step {
            ListedOperation::GetField(member, true) if holds_parsers(member) => continue,
            ListedOperation::GetField(member, _) => (member, member.name.clone()),
            ListedOperation::Invoke(_, member) if member.descriptor == TEXT_GETTER => {
                // What it is stripped of stays.
                if member.class == STRING {
                    continue;
                }
                let property = property_of(&member.name, "get");
                (member, property.unwrap_or_else(|| member.name.clone()))
            }
            _ => return None,
        };
        let class = vm.load_class(&member.class).ok()?;
        return vm.is_app_class(class).then_some(name);
    }
    None
}

/// Whether a field may hold objects that parse texts.
fn holds_parsers(field: &ListedMember) -> bool {
    let mut holders = HOLDERS.iter();
    holders.any(|holder| field.descriptor.starts_with(holder))
}

/// Returns the form of a text that is split at a constant separator, and whose cells are read by constant
/// indices.
fn record(vm: &mut Vm, listing: &Listing) -> Option<TextForm> {
    let steps: Vec<&ListedOperation> = listing.instructions.iter().map(|one| &one.step).collect();
    let is_split = |step: &ListedOperation| {
        matches!(step, ListedOperation::Invoke(_, member)
            if member.class == STRING && member.name == "split")
    };
    let separator = steps.iter().enumerate().find_map(|(place, step)| {
        let ListedOperation::Text(text) = step else {
            return None;
        };
        let taker = consumer(&listing.instructions[place + 1..])?;
        is_split(taker).then_some(text)
    })?;
    let mut cells: BTreeMap<usize, Option<TextForm>> = BTreeMap::new();
    let mut count = None;
    // Cells on the stack.
    let mut read: Vec<usize> = Vec::new();
    for pair in steps.windows(2) {
        match pair {
            [
                ListedOperation::ArrayLength,
                ListedOperation::Number(Kind::Int, bits),
            ] => {
                count = count.or(Some(*bits as usize));
            }
            [
                ListedOperation::Number(Kind::Int, bits),
                ListedOperation::ArrayLoad(Kind::Reference),
            ] => {
                read.push(*bits as usize);
                cells.entry(*bits as usize).or_default();
            }
            [_, ListedOperation::Invoke(_, member)] => {
                let is_of_text = member.class == STRING;
                if is_of_text && member.descriptor.ends_with(")Ljava/lang/String;") {
                    continue;
                }
                let parsers = cell_parsers(vm, member);
                let first = read.len().saturating_sub(parsers.len());
                for (cell, parser) in read.drain(first..).zip(parsers) {
                    cells.insert(cell, Some(parser));
                }
                match is_of_text {
                    true => drop(read.pop()),
                    false => read.clear(),
                }
            }
            _ => {}
        }
    }
    let last = cells.keys().next_back()? + 1;
    let count = count.filter(|&count| count >= last).unwrap_or(last);
    let cells = (0..count).map(|cell| cells.remove(&cell).flatten());
    (count <= CELLS).then(|| TextForm::Record {
        separator: separator.clone(),
        cells: cells.collect(),
    })
}

/// Returns the forms of the texts that a method takes, in their order.
fn cell_parsers(vm: &mut Vm, member: &ListedMember) -> Vec<TextForm> {
    if let Some(form) = constant_name(vm, member).or_else(|| parser(member)) {
        return vec![form];
    }
    let method = vm.named_method(member);
    let of_program = method.filter(|&method| vm.is_app_class(vm.method(method).class));
    let Some(Ok(listing)) = of_program.map(|method| vm.listing(method)) else {
        return Vec::new();
    };
    let texts = member.descriptor.matches(TEXT).count();
    let mut parsers = Vec::new();
    for listed in &listing.instructions {
        if let ListedOperation::Invoke(_, member) = &listed.step {
            parsers.extend(constant_name(vm, member).or_else(|| parser(member)));
        }
    }
    // Where each text is parsed once, this is in their order.
    if parsers.len() == texts {
        parsers
    } else {
        Vec::new()
    }
}

/// Returns the form of the texts that the method of an enum takes which gives a constant by its name.
fn constant_name(vm: &mut Vm, member: &ListedMember) -> Option<TextForm> {
    let is_by_name =
        member.name == "valueOf" && member.descriptor == format!("({TEXT})L{};", member.class);
    (is_by_name && is_enum(vm, &member.class)).then(|| TextForm::Constant(member.class.clone()))
}

/// Returns what a string of the code is for the instruction that takes it: an expression or a pattern.
fn constant(taker: &ListedOperation, text: &str) -> Option<TextForm> {
    let ListedOperation::Invoke(_, member) = taker else {
        return None;
    };
    let is_of = |known: &(&str, &str)| known.0 == member.class && known.1 == member.name;
    if OF_EXPRESSIONS.iter().any(is_of) {
        return Some(TextForm::Expression(text.to_owned()));
    }
    let is_pattern = OF_PATTERNS.iter().any(is_of);
    is_pattern.then(|| TextForm::DatePattern(text.to_owned()))
}

/// Returns the form of the texts that a method may parse.
fn parser(member: &ListedMember) -> Option<TextForm> {
    may_parse(&member.class, &member.name, &member.descriptor).then(|| TextForm::Parser {
        class: member.class.clone(),
        name: member.name.clone(),
        descriptor: member.descriptor.clone(),
    })
}

/// Returns the expressions and patterns of which a field of the program is made.
fn held(vm: &mut Vm, field: &ListedMember, is_static: bool) -> Vec<TextForm> {
    let Ok(class) = vm.load_class(&field.class) else {
        return Vec::new();
    };
    if !vm.is_app_class(class) {
        return Vec::new();
    }
    let makes = if is_static { "<clinit>" } else { "<init>" };
    let makers = vm.class(class).methods.iter().copied();
    let makers: Vec<_> = makers
        .filter(|&method| vm.text(vm.method(method).name) == makes)
        .collect();
    let mut forms = Vec::new();
    for maker in makers {
        let Ok(listing) = vm.listing(maker) else {
            continue;
        };
        let mut made = Vec::new();
        for (place, listed) in listing.instructions.iter().enumerate() {
            match &listed.step {
                ListedOperation::Text(text) => {
                    let taker = consumer(&listing.instructions[place + 1..]);
                    made.extend(taker.and_then(|taker| constant(taker, text)));
                }
                ListedOperation::GetField(from, true) if from.class == DATE_FORMATTER => {
                    made.push(TextForm::DateFormatter(from.name.clone()));
                }
                // What was made before is for this field.
                ListedOperation::PutField(to, _) => {
                    match to.name == field.name && to.class == field.class {
                        true => forms.append(&mut made),
                        false => made.clear(),
                    }
                }
                _ => {}
            }
        }
    }
    forms
}
