//! Code that the compiler made and that does not count, as JaCoCo leaves it out.
//!
//! A filter drops instructions, merges copies of the same source code, or takes edges from a switch.
//! [`kotlin`] has those of code that Kotlin's compiler wrote.

mod kotlin;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use heapwright_code::closing_code;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{
    BranchCondition, Invoke, ListedHandler, ListedMember, ListedOperation, Listing, Shuffle,
    SignedComparison,
};
use heapwright_jvm::{MethodId, Vm};

use super::flow::Covered;
use crate::mutation::{is_marked, is_of_kotlin};

/// Internal name of the superclass of enums, and of records.
const ENUM: &str = "java/lang/Enum";
const RECORD: &str = "java/lang/Record";
const THROWABLE: &str = "java/lang/Throwable";

/// Whether no instruction of a method counts.
pub(super) fn leaves_out(vm: &Vm, method: MethodId, listing: &Listing) -> bool {
    let this = vm.method(method);
    let class = vm.class(this.class);
    let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
    let above = class.super_class.map_or("", |above| vm.class_name(above));
    let own = vm.class_name(this.class);
    let is_made = match is_of_kotlin(vm, this.class) {
        true => kotlin::leaves_out(vm, method, listing),
        false => this.flags & flags::SYNTHETIC != 0 && !name.starts_with("lambda$"),
    };
    if is_made || is_marked(vm, method) {
        return true;
    }
    let steps: Vec<&ListedOperation> = steps_of(listing).collect();
    let is_maker = name == "<init>";
    if above == ENUM {
        let is_made = name == "values" && descriptor == format!("()[L{own};")
            || name == "valueOf" && descriptor == format!("(Ljava/lang/String;)L{own};");
        let is_empty = is_maker && descriptor == "(Ljava/lang/String;I)V" && steps.len() == 5;
        return is_made || is_empty;
    }
    if is_maker && descriptor == "()V" && this.flags & flags::PRIVATE != 0 && steps.len() == 3 {
        return matches!(steps[1], ListedOperation::Invoke(Invoke::Special, member)
            if member.class == above && member.name == "<init>" && member.descriptor == "()V");
    }
    above == RECORD && is_of_record(name, descriptor, &steps)
}

/// Whether a record's method is the one that the compiler makes.
fn is_of_record(name: &str, descriptor: &str, steps: &[&ListedOperation]) -> bool {
    if !matches!(
        steps.first(),
        Some(ListedOperation::Load(Kind::Reference, 0))
    ) {
        return false;
    }
    let by_bootstrap = |at: usize| {
        matches!(steps.get(at), Some(ListedOperation::Dynamic(made, ..)) if made == name)
            && steps.len() == at + 2
    };
    match (name, descriptor) {
        ("toString", "()Ljava/lang/String;") | ("hashCode", "()I") if by_bootstrap(1) => true,
        ("equals", "(Ljava/lang/Object;)Z") => by_bootstrap(2),
        _ => {
            descriptor.starts_with("()")
                && matches!(steps[1..], [
                    ListedOperation::GetField(field, false),
                    ListedOperation::Return(_),
                ] if field.name == name)
        }
    }
}

fn steps_of(listing: &Listing) -> impl Iterator<Item = &ListedOperation> {
    listing.instructions.iter().map(|listed| &listed.step)
}

/// Returns the instructions that Kotlin's compiler made in a method.
pub(crate) fn made_by_kotlin(vm: &Vm, method: MethodId, listing: &Listing) -> BTreeSet<usize> {
    let mut filter = Filter::new(listing);
    for place in 0..listing.instructions.len() {
        filter.direct_string_switch(place);
    }
    filter.kotlin(vm, method);
    filter.ignored
}

/// Applies all filters to a method that counts; returns the instructions that are left.
pub(super) fn apply(
    vm: &Vm,
    method: MethodId,
    listing: &Listing,
    all: Vec<Covered>,
) -> Vec<Covered> {
    let this = vm.method(method);
    let mut filter = Filter::new(listing);
    filter.synchronized();
    filter.ignored.extend(closing_code(listing));
    for handler in &listing.handlers {
        if handler.catch.is_none() {
            filter.finally(handler);
        }
    }
    filter.assertions(vm.text(this.name) == "<clinit>");
    for place in 0..listing.instructions.len() {
        filter.string_switch(place);
        filter.direct_string_switch(place);
        filter.exhaustive_switch(place);
    }
    filter.record_patterns();
    if is_of_kotlin(vm, this.class) {
        filter.kotlin(vm, method);
    }
    filter.rest(all)
}

/// Edges that count in place of those of a jump, each with the edges that it stands for.
struct Edges(Vec<(usize, Vec<(usize, usize)>)>);

impl Edges {
    fn new(target: usize, edge: (usize, usize)) -> Edges {
        Edges(vec![(target, vec![edge])])
    }

    /// Adds an edge of an instruction to the one that leads to a target.
    fn add(&mut self, target: usize, edge: (usize, usize)) {
        match self.0.iter_mut().find(|(to, _)| *to == target) {
            Some((_, same)) => same.push(edge),
            None => self.0.push((target, vec![edge])),
        }
    }

    fn all(self) -> Vec<Vec<(usize, usize)>> {
        self.0.into_iter().map(|(_, edges)| edges).collect()
    }
}

struct Filter<'l> {
    listing: &'l Listing,
    /// Instructions that do not count.
    ignored: BTreeSet<usize>,
    /// Copies of an instruction, with the one that they are merged into.
    merged: BTreeMap<usize, usize>,
    /// Switches whose first edge, of other keys, does not count.
    exhaustive: BTreeSet<usize>,
    /// Jumps with the edges that count in place of their own: each is taken if one of these edges of
    /// instructions is.
    replaced: BTreeMap<usize, Vec<Vec<(usize, usize)>>>,
}

impl Filter<'_> {
    fn new(listing: &Listing) -> Filter<'_> {
        Filter {
            listing,
            ignored: BTreeSet::new(),
            merged: BTreeMap::new(),
            exhaustive: BTreeSet::new(),
            replaced: BTreeMap::new(),
        }
    }

    fn step(&self, place: usize) -> Option<&ListedOperation> {
        let listed = self.listing.instructions.get(place);
        listed.map(|listed| &listed.step)
    }

    fn place(&self, at: u16) -> Option<usize> {
        self.listing.place(at)
    }

    fn ignore(&mut self, from: usize, to: usize) {
        self.ignored.extend(from..=to);
    }

    fn loads(&self, place: usize) -> Option<u16> {
        match self.step(place) {
            Some(ListedOperation::Load(Kind::Reference, variable)) => Some(*variable),
            _ => None,
        }
    }

    fn stores(&self, place: usize) -> Option<u16> {
        match self.step(place) {
            Some(ListedOperation::Store(Kind::Reference, variable)) => Some(*variable),
            _ => None,
        }
    }

    fn throws(&self, place: usize) -> bool {
        matches!(self.step(place), Some(ListedOperation::Throw))
    }

    fn goes(&self, place: usize) -> bool {
        matches!(self.step(place), Some(ListedOperation::Goto(_)))
    }

    fn calls(&self, place: usize) -> Option<&ListedMember> {
        match self.step(place) {
            Some(ListedOperation::Invoke(_, member)) => Some(member),
            _ => None,
        }
    }

    fn calls_method(&self, place: usize, class: &str, name: &str) -> bool {
        self.calls(place)
            .is_some_and(|member| member.class == class && member.name == name)
    }

    /// Handlers that leave the monitor of a synchronized block.
    fn synchronized(&mut self) {
        for handler in &self.listing.handlers {
            let Some(start) = self.place(handler.target) else {
                continue;
            };
            if handler.catch.is_some() || handler.start == handler.target {
                continue;
            }
            let leaves = |place: usize| {
                self.loads(place).is_some()
                    && matches!(self.step(place + 1), Some(ListedOperation::Monitor(false)))
            };
            if leaves(start) && self.throws(start + 2) {
                self.ignore(start, start + 2);
            } else if let Some(thrown) = self.stores(start)
                && leaves(start + 1)
                && self.loads(start + 3) == Some(thrown)
                && self.throws(start + 4)
            {
                self.ignore(start, start + 4);
            }
        }
    }

    /// Copies of a `finally` block, which are merged.
    fn finally(&mut self, any: &ListedHandler) {
        let Some(start) = self.place(any.target) else {
            return;
        };
        let size = self.finally_size(start);
        if size == 0 {
            return;
        }
        let instructions = &self.listing.instructions;
        let end_of = |at: u16| instructions.partition_point(|listed| listed.at < at);
        let ranges: Vec<(usize, usize)> = self
            .listing
            .handlers
            .iter()
            .filter(|handler| handler.target == any.target)
            .map(|handler| (end_of(handler.start), end_of(handler.end)))
            .collect();
        let is_inside = |place: usize| ranges.iter().any(|&(from, to)| (from..to).contains(&place));
        let mut copies = Vec::new();
        for handler in &self.listing.handlers {
            if handler.target == any.target {
                let (from, to) = (end_of(handler.start), end_of(handler.end));
                let mut continues = false;
                for listed in &instructions[from..to] {
                    continues = listed.step.falls_through();
                    if let ListedOperation::Goto(at) | ListedOperation::Branch(_, at) = listed.step
                    {
                        let target = self.place(at);
                        copies.extend(target.filter(|&target| !is_inside(target)));
                    }
                }
                if continues && !is_inside(to) {
                    copies.push(to);
                }
            }
            if handler != any && (handler.start, handler.end) == (any.start, any.end) {
                let second = self.place(handler.target).map(|place| place + 1);
                copies.extend(second.filter(|&place| !is_inside(place)));
            }
        }
        for copy in copies {
            self.merge(start, size, copy);
        }
    }

    /// Number of instructions of a `finally` block between the store of the exception and the `throw`;
    /// 0 if it is none.
    fn finally_size(&self, start: usize) -> usize {
        let Some(variable) = self.stores(start) else {
            return 0;
        };
        let found = (start + 1..self.listing.instructions.len())
            .find(|&place| self.loads(place) == Some(variable));
        match found {
            Some(end) if self.throws(end + 1) => end - start - 1,
            _ => 0,
        }
    }

    fn merge(&mut self, start: usize, size: usize, copy: usize) {
        let is_same = (0..size).all(|number| {
            match (self.step(start + 1 + number), self.step(copy + number)) {
                (Some(one), Some(other)) => is_same_opcode(one, other),
                _ => false,
            }
        });
        if !is_same {
            return;
        }
        self.ignore(start, start);
        for number in 0..size {
            let one = self.representative(start + 1 + number);
            let other = self.representative(copy + number);
            if one != other {
                self.merged.insert(other, one);
            }
        }
        self.ignore(start + 1 + size, start + 2 + size);
        if self.goes(copy + size) {
            self.ignore(copy + size, copy + size);
        }
    }

    fn representative(&self, place: usize) -> usize {
        let mut place = place;
        while let Some(&next) = self.merged.get(&place) {
            place = next;
        }
        place
    }

    /// The questions whether assertions are enabled.
    fn assertions(&mut self, is_initializer: bool) {
        for place in 0..self.listing.instructions.len() {
            let asks = matches!(self.step(place), Some(ListedOperation::GetField(field, true))
                if field.name == "$assertionsDisabled");
            if asks && matches!(self.step(place + 1), Some(ListedOperation::Branch(..))) {
                self.ignore(place + 1, place + 1);
            }
            let sets = matches!(self.step(place + 6), Some(ListedOperation::PutField(field, true))
                if field.name == "$assertionsDisabled");
            if is_initializer
                && sets
                && self.calls_method(place + 1, "java/lang/Class", "desiredAssertionStatus")
            {
                self.ignore(place, place + 6);
            }
        }
    }

    /// The switch over hash codes, and the comparisons, in front of a switch over strings.
    fn string_switch(&mut self, place: usize) {
        let Some(ListedOperation::Switch(switch)) = self.step(place) else {
            return;
        };
        let (Some(end), true) = (self.place(switch.default), place >= 4) else {
            return;
        };
        let Some(ListedOperation::Store(Kind::Int, case)) = self.step(place - 3) else {
            return;
        };
        let is_begun = matches!(self.step(place - 4), Some(ListedOperation::Number(Kind::Int, bits))
            if *bits as u32 == u32::MAX)
            && self.calls_method(place - 1, "java/lang/String", "hashCode");
        let (case, text) = (*case, self.loads(place - 2));
        if !is_begun || text.is_none() {
            return;
        }
        let mut at = place + 1;
        while at < end {
            let fits = self.loads(at) == text
                && matches!(self.step(at + 1), Some(ListedOperation::Text(_)))
                && self.calls_method(at + 2, "java/lang/String", "equals")
                && matches!(self.step(at + 3), Some(ListedOperation::Branch(..)))
                && self.step(at + 5) == Some(&ListedOperation::Store(Kind::Int, case));
            if !fits {
                return;
            }
            at += 6;
            if at != end {
                match self.step(at) {
                    Some(ListedOperation::Goto(to)) if self.place(*to) == Some(end) => at += 1,
                    _ => return,
                }
            }
        }
        if self.step(end) == Some(&ListedOperation::Load(Kind::Int, case))
            && matches!(self.step(end + 1), Some(ListedOperation::Switch(_)))
        {
            self.ignore(place, end - 1);
        }
    }

    /// The switch over hash codes, and the comparisons behind it, of compilers that need no second
    /// switch: it has an edge for each string.
    fn direct_string_switch(&mut self, start: usize) {
        let Some(text) = self.stores(start) else {
            return;
        };
        let loads = |place: usize| self.loads(place) == Some(text);
        let is_null = |place: usize| {
            matches!(
                self.step(place),
                Some(ListedOperation::Branch(BranchCondition::Null(true), _))
            )
        };
        let is_copy = |place: usize| {
            matches!(
                self.step(place),
                Some(ListedOperation::Shuffle(Shuffle::Copy(1, 0)))
            )
        };
        // Kotlin loads the text again, and may ask first whether it is null.
        let (null, code) = match loads(start + 1) {
            true if is_copy(start + 2) && is_null(start + 3) => (Some(start + 3), start + 4),
            true if is_null(start + 2) && loads(start + 3) => (Some(start + 2), start + 4),
            true => (None, start + 2),
            false => (None, start + 1),
        };
        let switch = code + 1;
        let Some(ListedOperation::Switch(cases)) = self.step(switch) else {
            return;
        };
        let Some(default) = self.place(cases.default) else {
            return;
        };
        if cases.pairs.is_empty() || !self.calls_method(code, "java/lang/String", "hashCode") {
            return;
        }
        let mut edges = Edges::new(default, (switch, 0));
        let mut at = switch + 1;
        let mut last = switch;
        for _ in &cases.pairs {
            loop {
                let compares = loads(at)
                    && matches!(self.step(at + 1), Some(ListedOperation::Text(_)))
                    && self.calls_method(at + 2, "java/lang/String", "equals");
                let jump = at + 3;
                let Some(case) = self.equality(jump, false).filter(|_| compares) else {
                    return;
                };
                edges.add(case, (jump, 1));
                at = jump + 1;
                last = jump;
                if self.goes(at) {
                    edges.add(default, (at, 1));
                    (last, at) = (at, at + 1);
                    break;
                }
                if at == default {
                    edges.add(default, (jump, 0));
                    break;
                }
            }
        }
        if let Some(null) = null
            && let Some(ListedOperation::Branch(_, to)) = self.step(null)
            && let Some(to) = self.place(*to)
        {
            edges.add(to, (null, 1));
        }
        self.ignore(start + 1, last);
        self.replaced.insert(start, edges.all());
    }

    /// Target of a branch on whether an int is 0, if that is `wanted`.
    fn equality(&self, place: usize, wanted: bool) -> Option<usize> {
        let comparison = match wanted {
            true => SignedComparison::Eq,
            false => SignedComparison::Ne,
        };
        match self.step(place) {
            Some(ListedOperation::Branch(BranchCondition::WithZero(found), to))
                if *found == comparison =>
            {
                self.place(*to)
            }
            _ => None,
        }
    }

    /// The other keys of a switch over all constants of an enum, or all subclasses.
    fn exhaustive_switch(&mut self, place: usize) {
        let Some(ListedOperation::Switch(switch)) = self.step(place) else {
            return;
        };
        let Some(start) = self.place(switch.default) else {
            return;
        };
        let instructions = &self.listing.instructions;
        let begins_line = self.listing.line_starts.contains(&switch.default);
        if begins_line && instructions[start].line != instructions[place].line {
            return;
        }
        let end = match self.step(start) {
            Some(ListedOperation::New(class)) if class == "java/lang/MatchException" => start + 5,
            Some(ListedOperation::New(class))
                if class == "java/lang/IncompatibleClassChangeError" =>
            {
                start + 3
            }
            _ => return,
        };
        let makes = self.calls(end - 1);
        let is_made = makes.is_some_and(|member| member.name == "<init>");
        if is_made && self.throws(end) {
            self.ignore(start, end);
            self.exhaustive.insert(place);
        }
    }

    /// Handlers of exceptions out of the accessors of a record that a pattern takes apart.
    fn record_patterns(&mut self) {
        for handler in &self.listing.handlers {
            let Some(start) = self.place(handler.target) else {
                continue;
            };
            let makes = matches!(self.step(start + 1), Some(ListedOperation::New(class))
                if class == "java/lang/MatchException");
            if handler.catch.as_deref() == Some(THROWABLE)
                && self.stores(start).is_some()
                && makes
                && self.calls_method(start + 4, THROWABLE, "toString")
                && self.throws(start + 7)
            {
                self.ignore(start, start + 7);
            }
        }
    }

    /// Returns what is left of a method.
    fn rest(mut self, mut all: Vec<Covered>) -> Vec<Covered> {
        let copies: Vec<usize> = self.merged.keys().copied().collect();
        for copy in copies {
            let one = self.representative(copy);
            let taken = all[copy].taken.clone();
            all[one].taken.extend(taken);
            self.ignored.insert(copy);
        }
        for &place in &self.exhaustive {
            all[place].edges -= 1;
            all[place].taken.remove(&0);
        }
        let taken: Vec<BTreeSet<usize>> = all.iter().map(|covered| covered.taken.clone()).collect();
        for (&place, edges) in &self.replaced {
            let is_taken = |edge: &Vec<(usize, usize)>| {
                edge.iter()
                    .any(|(from, number)| taken[*from].contains(number))
            };
            let numbered = edges.iter().enumerate();
            all[place].taken = numbered
                .filter(|(_, edge)| is_taken(edge))
                .map(|(number, _)| number)
                .collect();
            all[place].edges = edges.len();
        }
        let numbered = all.into_iter().enumerate();
        let left = numbered.filter(|(place, _)| !self.ignored.contains(place));
        left.map(|(_, covered)| covered).collect()
    }
}

/// Whether two instructions have the same opcode.
fn is_same_opcode(one: &ListedOperation, other: &ListedOperation) -> bool {
    use ListedOperation as Step;
    match (one, other) {
        (Step::Load(a, _), Step::Load(b, _)) | (Step::Store(a, _), Step::Store(b, _)) => a == b,
        (Step::ArrayLoad(a), Step::ArrayLoad(b))
        | (Step::ArrayStore(a), Step::ArrayStore(b))
        | (Step::Return(a), Step::Return(b)) => a == b,
        (Step::Operate(a, kind), Step::Operate(b, other)) => (a, kind) == (b, other),
        (Step::Branch(a, _), Step::Branch(b, _)) => a == b,
        (Step::Invoke(a, _), Step::Invoke(b, _)) => a == b,
        (Step::GetField(_, a), Step::GetField(_, b)) => a == b,
        (Step::PutField(_, a), Step::PutField(_, b)) => a == b,
        (Step::Shuffle(a), Step::Shuffle(b)) => a == b,
        (Step::Monitor(a), Step::Monitor(b)) => a == b,
        _ => discriminant(one) == discriminant(other),
    }
}
