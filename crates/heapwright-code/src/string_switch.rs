//! Labels of switches over strings. `javac` compiles one to a switch over the hash code,
//! comparisons that number the strings, and a switch over the numbers.

use std::collections::BTreeSet;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedOperation, Listing, Switch};

/// A case of such a switch.
struct SwitchCase {
    text: String,
    /// Its number, and the local variable that holds the number.
    number: i32,
    variable: u16,
    /// The index of the jump after the comparison.
    at: u16,
}

/// Returns the strings of the cases that lead to a target; `None` if it is not a switch over
/// strings.
#[must_use]
pub fn case_of_strings(listing: &Listing, switch: &Switch, to: u16) -> Option<String> {
    let variable = switched(listing, switch)?;
    let keys = switch.pairs.iter().filter(|pair| pair.1 == to);
    let keys: Vec<i32> = keys.map(|pair| pair.0).collect();
    let own = cases(listing).into_iter();
    let own = own.filter(|case| case.variable == variable && keys.contains(&case.number));
    let texts: Vec<String> = own.map(|case| format!("{:?}", case.text)).collect();
    (!texts.is_empty()).then(|| format!("case {}", texts.join(", ")))
}

/// Returns the jumps that the compiler adds: the switch over hash codes, and those after the
/// comparisons.
#[must_use]
pub fn inner_jumps(listing: &Listing) -> BTreeSet<u16> {
    let instructions = &listing.instructions;
    let switched: BTreeSet<u16> = instructions
        .iter()
        .filter_map(|listed| match &listed.step {
            ListedOperation::Switch(switch) => switched(listing, switch),
            _ => None,
        })
        .collect();
    let mut jumps = BTreeSet::new();
    for (at, switch) in hash_switches(listing) {
        let cases = targets(switch)
            .into_iter()
            .flat_map(|to| cases_from(listing, to));
        let cases: Vec<SwitchCase> = cases.collect();
        let is_known = |case: &SwitchCase| switched.contains(&case.variable);
        if !cases.is_empty() && cases.iter().all(is_known) {
            jumps.insert(at);
            jumps.extend(cases.iter().map(|case| case.at));
        }
    }
    jumps
}

/// Returns the local variable over which a switch branches.
fn switched(listing: &Listing, switch: &Switch) -> Option<u16> {
    let is_switch =
        |step: &ListedOperation| matches!(step, ListedOperation::Switch(other) if other == switch);
    let mut steps = listing.instructions.iter().map(|listed| &listed.step);
    let place = steps.position(is_switch)?;
    match listing.instructions[place.checked_sub(1)?].step {
        ListedOperation::Load(Kind::Int, variable) => Some(variable),
        _ => None,
    }
}

fn hash_switches(listing: &Listing) -> impl Iterator<Item = (u16, &Switch)> {
    let is_hash = |step: &ListedOperation| matches!(step, ListedOperation::Invoke(_, member) if member.name == "hashCode" && member.class == "java/lang/String");
    let pairs = listing.instructions.windows(2);
    pairs.filter_map(move |pair| match &pair[1].step {
        ListedOperation::Switch(switch) if is_hash(&pair[0].step) => Some((pair[1].at, switch)),
        _ => None,
    })
}

fn targets(switch: &Switch) -> BTreeSet<u16> {
    switch.pairs.iter().map(|pair| pair.1).collect()
}

fn cases(listing: &Listing) -> Vec<SwitchCase> {
    let targets = hash_switches(listing).flat_map(|(_, switch)| targets(switch));
    targets.flat_map(|to| cases_from(listing, to)).collect()
}

/// Returns the strings compared from an index on.
fn cases_from(listing: &Listing, from: u16) -> Vec<SwitchCase> {
    let mut found = Vec::new();
    let mut at = listing.place(from);
    while let Some(place) = at {
        let rest = &listing.instructions[place..];
        let steps: Vec<&ListedOperation> = rest.iter().take(6).map(|listed| &listed.step).collect();
        let [
            ListedOperation::Load(..),
            ListedOperation::Text(text),
            ListedOperation::Invoke(_, equals),
            ListedOperation::Branch(_, next),
            ListedOperation::Number(_, number),
            ListedOperation::Store(_, variable),
        ] = steps[..]
        else {
            break;
        };
        if equals.name != "equals" {
            break;
        }
        found.push(SwitchCase {
            text: text.clone(),
            number: *number as u32 as i32,
            variable: *variable,
            at: rest[3].at,
        });
        at = listing.place(*next).filter(|&next| next > place);
    }
    found
}
