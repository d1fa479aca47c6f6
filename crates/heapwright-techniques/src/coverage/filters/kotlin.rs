//! Code that Kotlin's compiler made and that does not count, as JaCoCo leaves it out.
//!
//! What it makes for coroutines and by plugins for serialization and user interfaces counts here, as
//! does the body of an inline function where it is declared, although others execute copies of it.

use std::collections::BTreeMap;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{BranchCondition, Invoke, ListedOperation, Listing, Shuffle};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::{Edges, Filter};
use crate::mutation::labels;

const INTRINSICS: &str = "kotlin/jvm/internal/Intrinsics";
const NO_BRANCH: &str = "kotlin/NoWhenBranchMatchedException";
const OF_DEFAULTS: &str = "Lkotlin/jvm/internal/DefaultConstructorMarker;";
/// Parameters with defaults for which one int says whether they are given.
const PARAMETERS_OF_MASK: usize = 32;

/// Whether no instruction of a method counts.
pub(super) fn leaves_out(vm: &Vm, method: MethodId, listing: &Listing) -> bool {
    let this = vm.method(method);
    let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
    let is_accessor = this.flags & flags::SYNTHETIC != 0 && name.starts_with("access$");
    let is_bridge = this.flags & flags::BRIDGE != 0;
    let is_of_enum = name == "getEntries" && descriptor == "()Lkotlin/enums/EnumEntries;";
    let is_of_value = this.flags & flags::STATIC == 0 && is_value_class(vm, this.class);
    is_accessor
        || is_bridge
        || is_of_enum
        || is_of_value
        || is_overload(listing)
        || calls_default_method(listing)
}

/// Whether a class has one value, whose methods are static ones with that value as a parameter.
fn is_value_class(vm: &Vm, class: ClassId) -> bool {
    let methods = vm.class(class).methods.iter();
    let mut names = methods.map(|&method| vm.text(vm.method(method).name));
    names.any(|name| name == "box-impl")
}

/// Whether a method only calls the one with all parameters, with defaults for those that it lacks.
fn is_overload(listing: &Listing) -> bool {
    let [.., call, last] = &listing.instructions[..] else {
        return false;
    };
    let calls = match &call.step {
        ListedOperation::Invoke(Invoke::Static, member) => member.name.ends_with("$default"),
        ListedOperation::Invoke(Invoke::Special, member) => member
            .descriptor
            .strip_suffix(")V")
            .is_some_and(|parameters| parameters.ends_with(OF_DEFAULTS)),
        _ => false,
    };
    calls && last.step == ListedOperation::Return(Kind::Void) && listing.line_starts == [last.at]
}

/// Whether a method calls the code of an interface's method that it does not override.
fn calls_default_method(listing: &Listing) -> bool {
    let steps = listing.instructions.iter().map(|listed| &listed.step);
    matches!(steps.take(2).collect::<Vec<_>>()[..], [
        ListedOperation::Load(Kind::Reference, 0),
        ListedOperation::Invoke(Invoke::Static, member),
    ] if member.class.ends_with("$DefaultImpls"))
}

/// The first line number that stands for code of an inlined function.
fn first_inlined_line(vm: &Vm, class: ClassId) -> Option<u16> {
    let file = vm.class(class).file.as_ref()?;
    let text = std::str::from_utf8(file.info.debug_extension?.of(&file.bytes)).ok()?;
    let own = vm.class_name(class);
    let mut lines = text.lines().skip_while(|line| *line != "*F").skip(1);
    let mut classes = BTreeMap::new();
    // A file is a number with its name, and in the next line its class.
    while let Some(number) = lines.next()?.strip_prefix("+ ") {
        classes.insert(number.split_once(' ')?.0, lines.next()?);
    }
    let lines = lines.take_while(|line| !line.starts_with('*'));
    let firsts = lines.filter_map(|line| {
        let (from, to) = line.split_once(':')?;
        let (start, file) = from.split(',').next()?.split_once('#')?;
        let to = to.split(',').next()?;
        let is_own = classes.get(file) == Some(&own) && start == to;
        (!is_own).then(|| to.parse().ok())?
    });
    firsts.min()
}

impl Filter<'_> {
    /// Applies the filters of code that Kotlin's compiler wrote.
    pub(super) fn kotlin(&mut self, vm: &Vm, method: MethodId) {
        let this = vm.method(method);
        let inlined = first_inlined_line(vm, this.class);
        for (place, listed) in self.listing.instructions.iter().enumerate() {
            let is_inlined = |line: u16| inlined.is_some_and(|first| line >= first);
            if listed.line.is_none_or(is_inlined) {
                self.ignored.insert(place);
            }
        }
        self.safe_calls();
        for place in 0..self.listing.instructions.len() {
            self.late_initialization(place);
            self.exhaustive_when(place);
            self.nullable_enum(place);
            self.when_of_strings(place);
            self.not_null(place);
        }
        if this.flags & flags::SYNTHETIC != 0 {
            let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
            self.defaults(name, descriptor, this.flags & flags::STATIC != 0);
        }
    }

    /// Target of a branch on whether a reference is null, if that is `wanted`.
    fn null_branch(&self, place: usize, wanted: bool) -> Option<usize> {
        match self.step(place) {
            Some(ListedOperation::Branch(BranchCondition::Null(is_null), to))
                if *is_null == wanted =>
            {
                self.place(*to)
            }
            _ => None,
        }
    }

    fn drops(&self, place: usize) -> bool {
        self.step(place) == Some(&ListedOperation::Shuffle(Shuffle::Drop(1)))
    }

    fn copies(&self, place: usize) -> bool {
        self.step(place) == Some(&ListedOperation::Shuffle(Shuffle::Copy(1, 0)))
    }

    fn makes(&self, place: usize, class: &str) -> bool {
        matches!(self.step(place), Some(ListedOperation::New(made)) if made == class)
    }

    fn goes_to(&self, place: usize) -> Option<usize> {
        match self.step(place) {
            Some(ListedOperation::Goto(to)) => self.place(*to),
            _ => None,
        }
    }

    /// Chains of `?.`, which branch once: on whether the last value is null.
    fn safe_calls(&mut self) {
        let labels = labels(self.listing);
        let mut chains: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for place in 1..self.listing.instructions.len() {
            let Some(target) = self.null_branch(place, true) else {
                continue;
            };
            let goes_on = chains.contains_key(&target);
            let loaded = self.loads(place - 1);
            // Later links store the value that they load.
            let is_stored = place > 1 && loaded.is_some() && self.stores(place - 2) == loaded;
            let is_link = match self.step(target) {
                Some(ListedOperation::Shuffle(Shuffle::Drop(1))) => {
                    self.copies(place - 1) && !labels.contains(&place)
                }
                Some(ListedOperation::Null) => loaded.is_some() && (!goes_on || is_stored),
                Some(
                    ListedOperation::Branch(..)
                    | ListedOperation::Goto(_)
                    | ListedOperation::Switch(_),
                ) => false,
                _ if goes_on => is_stored,
                _ => loaded.is_some() && self.ends_with_alternative(target),
            };
            if is_link {
                chains.entry(target).or_default().push(place);
            }
        }
        for (target, chain) in chains {
            let last = target.checked_sub(1);
            let last = last.filter(|&last| self.null_branch(last, false).is_some());
            if chain.len() == 1 && last.is_none() {
                continue;
            }
            for place in chain {
                self.replaced
                    .insert(place, vec![vec![(place, 0)], vec![(target, 0)]]);
            }
            if let Some(last) = last {
                self.replaced
                    .insert(last, vec![vec![(target, 0)], vec![(last, 1)]]);
            }
        }
    }

    /// Whether before a place the value of a chain is tested, loaded again and taken elsewhere, so that
    /// the place begins what `?:` has in its stead.
    fn ends_with_alternative(&self, place: usize) -> bool {
        let Some(from) = place.checked_sub(5) else {
            return false;
        };
        let stored = self.stores(from);
        stored.is_some()
            && self.loads(from + 1) == stored
            && self.null_branch(from + 2, true) == Some(place)
            && self.loads(from + 3) == stored
            && self.goes(from + 4)
    }

    /// Whether from a place on it is said that a property has no value yet; returns the last
    /// instruction of that.
    fn says_uninitialized(&self, place: usize) -> Option<usize> {
        let text = place + usize::from(self.drops(place));
        let says = matches!(self.step(text), Some(ListedOperation::Text(_)))
            && self.calls_method(
                text + 1,
                INTRINSICS,
                "throwUninitializedPropertyAccessException",
            );
        says.then_some(text + 1)
    }

    /// The question whether a property with `lateinit` has a value.
    fn late_initialization(&mut self, place: usize) {
        if let Some(target) = self.null_branch(place, false)
            && let Some(end) = self.says_uninitialized(place + 1)
            && let Some(last) = (end..end + 3).find(|last| last + 1 == target)
        {
            self.ignore(place, last);
        }
        if let Some(target) = self.null_branch(place, true)
            && let Some(end) = self.says_uninitialized(target)
            && (self.throws(end + 2)
                || self.step(end + 2) == Some(&ListedOperation::Return(Kind::Reference)))
        {
            self.ignore(place, place);
            self.ignore(target, end + 2);
        }
    }

    /// The other values of a `when` that has a branch for each.
    fn exhaustive_when(&mut self, start: usize) {
        let is_thrown = self.makes(start, NO_BRANCH)
            && self.copies(start + 1)
            && self.calls_method(start + 2, NO_BRANCH, "<init>")
            && self.throws(start + 3);
        if !is_thrown {
            return;
        }
        for place in (0..start + 4).rev() {
            match self.step(place) {
                _ if self.equality(place, true) == Some(start) => self.ignore(place, place),
                Some(ListedOperation::Switch(switch))
                    if self.place(switch.default) == Some(start) =>
                {
                    self.exhaustive.insert(place);
                }
                _ => continue,
            }
            self.ignore(start, start + 3);
            return;
        }
    }

    /// The number of an enum's constant, or -1 for null, in front of a switch.
    fn nullable_enum(&mut self, start: usize) {
        let is_mapping = matches!(self.step(start + 5), Some(ListedOperation::GetField(field, true))
            if field.class.ends_with("$WhenMappings") && field.name.starts_with("$EnumSwitchMapping$"));
        let is_numbered = self.copies(start)
            && self.null_branch(start + 1, false) == Some(start + 5)
            && self.drops(start + 2)
            && self.goes_to(start + 4) == Some(start + 9)
            && is_mapping
            && self.step(start + 6) == Some(&ListedOperation::Shuffle(Shuffle::Swap))
            && self.calls(start + 7).is_some()
            && self.step(start + 8) == Some(&ListedOperation::ArrayLoad(Kind::Int))
            && matches!(self.step(start + 9), Some(ListedOperation::Switch(_)));
        if is_numbered {
            self.ignore(start, start + 8);
        }
    }

    /// The comparisons behind a switch over the hash codes of strings: the switch has an edge for each
    /// string.
    fn when_of_strings(&mut self, start: usize) {
        let Some(text) = self.loads(start) else {
            return;
        };
        let switch = start + 2;
        let Some(ListedOperation::Switch(cases)) = self.step(switch) else {
            return;
        };
        let Some(default) = self.place(cases.default) else {
            return;
        };
        let codes = cases.pairs.len();
        if codes == 0 || !self.calls_method(start + 1, "java/lang/String", "hashCode") {
            return;
        }
        let mut edges = Edges::new(default, (switch, 0));
        let mut at = switch + 1;
        let mut last = switch;
        for code in 1..=codes {
            loop {
                let compares = self.loads(at) == Some(text)
                    && matches!(self.step(at + 1), Some(ListedOperation::Text(_)))
                    && self.calls_method(at + 2, "java/lang/String", "equals");
                let jump = at + 3;
                let Some(next) = self.equality(jump, true).filter(|_| compares) else {
                    return;
                };
                let is_last = next == default;
                if let Some(case) = self.goes_to(jump + 1) {
                    edges.add(case, (jump + 1, 1));
                    (last, at) = (jump + 1, jump + 2);
                    if is_last {
                        edges.add(default, (jump, 1));
                        break;
                    }
                } else if code == codes && is_last {
                    edges.add(default, (jump, 1));
                    edges.add(jump + 1, (jump, 0));
                    last = jump;
                    break;
                } else {
                    return;
                }
            }
        }
        self.ignore(switch + 1, last);
        self.replaced.insert(switch, edges.all());
    }

    /// The exceptions of `!!` and of casts to types without null.
    fn not_null(&mut self, place: usize) {
        const CAST: &str = "null cannot be cast to non-null type";
        let Some(target) = self.null_branch(place, false) else {
            return;
        };
        if self.calls_method(place + 1, INTRINSICS, "throwNpe") {
            self.ignore(place, place + 1);
        }
        let made = place + 1 + usize::from(self.drops(place + 1));
        let is_cast = ["kotlin/TypeCastException", "java/lang/NullPointerException"]
            .iter()
            .any(|class| self.makes(made, class))
            && matches!(self.step(made + 2), Some(ListedOperation::Text(text)) if text.starts_with(CAST))
            && self.throws(made + 4);
        if is_cast && made + 5 == target {
            self.ignore(place, made + 4);
        }
    }

    /// The questions which parameters are given.
    fn defaults(&mut self, name: &str, descriptor: &str, is_static: bool) {
        const SUPER: &str = "Super calls with default arguments not supported in this target";
        let Some((parameters, _)) = descriptor::split_method(descriptor) else {
            return;
        };
        let is_maker =
            name == "<init>" && parameters.len() > 1 && parameters.last() == Some(&OF_DEFAULTS);
        if !is_maker && !name.ends_with("$default") || parameters.len() < 2 {
            return;
        }
        let masks = (parameters.len() - 2) / (PARAMETERS_OF_MASK + 1) + 1;
        let given = &parameters[..parameters.len() - 1 - masks];
        let words = given.iter().map(|parameter| Kind::of(parameter).words());
        let first_mask = u16::from(!is_static) + words.sum::<u16>();
        let mut at = 0;
        let refuses_super = self.null_branch(1, true).is_some()
            && self.makes(2, "java/lang/UnsupportedOperationException")
            && matches!(self.step(4), Some(ListedOperation::Text(text)) if text.starts_with(SUPER))
            && self.throws(6);
        if refuses_super {
            self.ignore(0, 6);
            at = 7;
        }
        let mut questions = Vec::new();
        while let Some(ListedOperation::Load(Kind::Int, variable)) = self.step(at)
            && *variable >= first_mask
        {
            let jump = at + 3;
            let Some(next) = self.equality(jump, true) else {
                return;
            };
            questions.push(jump);
            at = next;
        }
        self.ignored.extend(questions);
    }
}
