//! Finds the strings with which code compares: useful argument values that the search for short
//! strings would miss.
//!
//! The analysis follows a constant string along straight-line code to the instruction that consumes
//! it. Strings that become messages, are concatenated or are returned do not count.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{
    BranchCondition, Invoke, Listed, ListedMember, ListedOperation, Listing, Shuffle,
};

use crate::parsed_texts::constants;

/// Maximum number of strings of one method.
const MAX_TEXTS: usize = 256;

/// Methods of strings and of collections that compare strings.
const COMPARING: [&str; 15] = [
    "equals",
    "equalsIgnoreCase",
    "contentEquals",
    "compareTo",
    "compareToIgnoreCase",
    "startsWith",
    "endsWith",
    "contains",
    "indexOf",
    "lastIndexOf",
    "regionMatches",
    "containsKey",
    "get",
    "getOrDefault",
    "hashCode",
];

/// Returns the strings with which a method compares. They are in its code, passed to a method that
/// compares, or in tables and constants whose fields it reads.
pub(in crate::sequences) fn compared(vm: &mut Vm, listing: &Listing) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let instructions = &listing.instructions;
    for (place, listed) in instructions.iter().enumerate() {
        let ListedOperation::Text(text) = &listed.step else {
            continue;
        };
        let is_compared = match consumer(&instructions[place + 1..]) {
            Some(ListedOperation::Branch(BranchCondition::Same(_), _)) => true,
            Some(ListedOperation::Invoke(_, member)) => {
                is_comparing(member) || !is_made(member) && hands_on(vm, member)
            }
            _ => false,
        };
        if is_compared {
            texts.insert(text.clone());
        }
    }
    let mut tables = BTreeSet::new();
    for listed in instructions {
        match &listed.step {
            ListedOperation::GetField(field, is_static)
                if compares(listing) && holds(vm, field, *is_static) =>
            {
                tables.insert(field.class.clone());
            }
            ListedOperation::Invoke(Invoke::Static, member) if member.name == "valueOf" => {
                texts.extend(looked_up(vm, member));
            }
            _ => {}
        }
    }
    for table in tables {
        texts.extend(held(vm, &table));
    }
    texts.into_iter().take(MAX_TEXTS).collect()
}

fn is_comparing(member: &ListedMember) -> bool {
    COMPARING.contains(&&member.name[..])
}

fn is_made(member: &ListedMember) -> bool {
    member.name == "<init>"
}

fn compares(listing: &Listing) -> bool {
    let mut steps = listing.instructions.iter().map(|listed| &listed.step);
    steps.any(|step| matches!(step, ListedOperation::Invoke(_, member) if is_comparing(member)))
}

/// Whether a field may be a table of strings or an enum constant.
fn holds(vm: &mut Vm, field: &ListedMember, is_static: bool) -> bool {
    let mut tables = ["Ljava/util/", "["].iter();
    is_static && tables.any(|table| field.descriptor.starts_with(table))
        || is_enum(vm, &field.class)
}

pub(super) fn is_enum(vm: &mut Vm, class: &str) -> bool {
    let class = vm.load_class(class);
    class.is_ok_and(|class| vm.class(class).flags & flags::ENUM != 0)
}

/// Whether a callee belongs to the program and itself compares; it may compare this argument.
fn hands_on(vm: &mut Vm, member: &ListedMember) -> bool {
    let Some(method) = vm.named_method(member) else {
        return false;
    };
    vm.is_app_class(vm.method(method).class)
        && vm.listing(method).is_ok_and(|listing| compares(&listing))
}

/// Returns the names of an enum's constants if a call looks one up by name.
fn looked_up(vm: &mut Vm, member: &ListedMember) -> Vec<String> {
    match member.descriptor.starts_with("(Ljava/lang/String;)") {
        true => constants(vm, &member.class),
        false => Vec::new(),
    }
}

/// Returns the strings that a program class's initialiser puts into collections, arrays and enum
/// constants.
fn held(vm: &mut Vm, class: &str) -> Vec<String> {
    let initializer = ListedMember {
        class: class.to_owned(),
        name: "<clinit>".to_owned(),
        descriptor: "()V".to_owned(),
    };
    let Some(method) = vm.named_method(&initializer) else {
        return Vec::new();
    };
    if !vm.is_app_class(vm.method(method).class) {
        return Vec::new();
    }
    let Ok(listing) = vm.listing(method) else {
        return Vec::new();
    };
    let is_enum = is_enum(vm, class);
    let mut texts = Vec::new();
    for (place, listed) in listing.instructions.iter().enumerate() {
        let ListedOperation::Text(text) = &listed.step else {
            continue;
        };
        let is_held = match consumer(&listing.instructions[place + 1..]) {
            Some(ListedOperation::ArrayStore(_)) => true,
            Some(ListedOperation::Invoke(_, member)) => {
                member.class.starts_with("java/util/")
                    || is_enum && is_made(member) && member.class == class
            }
            _ => false,
        };
        if is_held {
            texts.push(text.clone());
        }
    }
    texts
}

/// Returns the instruction that pops the value on top of the stack, if straight-line code leads to
/// it.
pub(super) fn consumer(instructions: &[Listed]) -> Option<&ListedOperation> {
    let mut above = 0;
    for listed in instructions {
        let (pops, pushes) = effect(&listed.step)?;
        if pops > above && !matches!(listed.step, ListedOperation::CheckCast(_)) {
            return Some(&listed.step);
        }
        if !listed.step.falls_through() || matches!(listed.step, ListedOperation::Branch(..)) {
            return None;
        }
        above = (above + pushes).saturating_sub(pops);
    }
    None
}

/// Returns the numbers of values that an instruction pops and pushes; `None` if they depend on the
/// values' sizes.
fn effect(step: &ListedOperation) -> Option<(usize, usize)> {
    Some(match step {
        ListedOperation::Nothing | ListedOperation::Increment(..) | ListedOperation::Goto(_) => {
            (0, 0)
        }
        ListedOperation::Number(..)
        | ListedOperation::Null
        | ListedOperation::Text(_)
        | ListedOperation::Constant(_)
        | ListedOperation::Load(..) => (0, 1),
        ListedOperation::New(_) | ListedOperation::GetField(_, true) => (0, 1),
        ListedOperation::Shuffle(Shuffle::Copy(1, 0)) => (0, 1),
        ListedOperation::Monitor(_)
        | ListedOperation::Store(..)
        | ListedOperation::PutField(_, true) => (1, 0),
        ListedOperation::Throw | ListedOperation::Switch(_) => (1, 0),
        ListedOperation::Return(kind) => (usize::from(*kind != Kind::Void), 0),
        ListedOperation::ArrayLoad(_) => (2, 1),
        ListedOperation::ArrayStore(_) => (3, 0),
        ListedOperation::ArrayLength
        | ListedOperation::CheckCast(_)
        | ListedOperation::InstanceOf(_) => (1, 1),
        ListedOperation::GetField(_, false) => (1, 1),
        ListedOperation::PutField(_, false) => (2, 0),
        ListedOperation::Branch(BranchCondition::Compare(_) | BranchCondition::Same(_), _) => {
            (2, 0)
        }
        ListedOperation::Branch(BranchCondition::WithZero(_) | BranchCondition::Null(_), _) => {
            (1, 0)
        }
        ListedOperation::NewArray(_, dimensions) => (usize::from(*dimensions), 1),
        ListedOperation::Invoke(how, member) => {
            let (pops, pushes) = called(&member.descriptor)?;
            (pops + usize::from(*how != Invoke::Static), pushes)
        }
        ListedOperation::Dynamic(_, descriptor, _) => called(descriptor)?,
        ListedOperation::Operate(..)
        | ListedOperation::Shuffle(_)
        | ListedOperation::Subroutine => return None,
    })
}

fn called(method: &str) -> Option<(usize, usize)> {
    let (parameters, result) = descriptor::split_method(method)?;
    Some((parameters.len(), usize::from(result != "V")))
}
