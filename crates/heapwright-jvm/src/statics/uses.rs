//! What the code of a class does with its private static fields.
//!
//! Invariant: a field that is told not to be assigned has the value that the initialiser leaves, and
//! an array of which only elements are read is not passed on. Code outside of the classes that share private
//! members cannot name a private field; reflection by other code is left out.

use crate::class::{ClassId, Field, MethodId, flags};
use crate::descriptor::Kind;
use crate::listing::{ListedMember, ListedOperation, Listing, Shuffle};
use crate::vm::Vm;

/// What code does with a static field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticUse {
    /// Whether code other than the initialiser may assign it.
    pub is_assigned: bool,
    /// Whether all code that can name it, an array, only reads elements and lengths. The initialiser
    /// may fill the array.
    pub only_reads_elements: bool,
}

/// What is taken of a field that any code can name.
const ANY_USE: StaticUse = StaticUse {
    is_assigned: true,
    only_reads_elements: false,
};

impl Vm {
    /// Reads the code that can name a static field, if it is private.
    pub(super) fn learn_uses(&mut self, class: ClassId, at: u32) {
        let field = self.static_field(class, at).cloned();
        let is_private = |field: &Field| field.flags & flags::PRIVATE != 0;
        let Some(field) = field.filter(is_private) else {
            return;
        };
        if !self.static_uses.contains_key(&at) {
            self.load_sharing_classes(class);
            let used = self.read_uses(&field);
            self.static_uses.insert(at, used);
        }
    }

    pub(super) fn use_of(&self, field: &Field) -> StaticUse {
        let known = self.static_uses.get(&field.word);
        known.copied().unwrap_or(ANY_USE)
    }

    fn read_uses(&self, field: &Field) -> StaticUse {
        let Some(users) = self.users(field) else {
            return ANY_USE;
        };
        let is_initializer = |method: MethodId| {
            self.text(self.method(method).name) == "<clinit>"
                && self.method(method).class == field.class
        };
        let is_meant = |member: &ListedMember| self.names_field(member, field);
        let mut code = users.iter().flat_map(|(_, listing)| &listing.instructions);
        if code.any(|listed| matches!(&listed.step, ListedOperation::Invoke(_, member) if is_reflective(member))) {
            return ANY_USE;
        }
        StaticUse {
            is_assigned: users.iter().any(|(method, listing)| {
                let mut steps = listing.instructions.iter().map(|listed| &listed.step);
                let is_put = |step: &ListedOperation| {
                    matches!(step, ListedOperation::PutField(member, true) if is_meant(member))
                };
                !is_initializer(*method) && steps.any(is_put)
            }),
            only_reads_elements: users.iter().all(|(method, listing)| {
                only_reads(listing, is_initializer(*method), &is_meant)
            }),
        }
    }

    fn names_field(&self, member: &ListedMember, field: &Field) -> bool {
        member.name == self.text(field.name) && member.class == self.class_name(field.class)
    }

    /// Methods that can name a private static field, with their code; `None` if some of it is not
    /// known.
    fn users(&self, field: &Field) -> Option<Vec<(MethodId, Listing)>> {
        let mut users = Vec::new();
        for class in self.sharing_classes(field.class)? {
            for &method in &self.class(class).methods {
                let this = self.method(method);
                if !this.is_abstract() && !this.is_native() {
                    users.push((method, self.listing(method).ok()?));
                }
            }
        }
        Some(users)
    }

    /// Loads the classes that share private members with a class, as far as they can be loaded.
    pub(super) fn load_sharing_classes(&mut self, class: ClassId) {
        let mut place = 0;
        let mut seen = vec![class];
        let outer = outermost(self.class_name(class)).to_owned();
        seen.extend(self.load_class(&outer).ok().filter(|&outer| outer != class));
        while let Some(&class) = seen.get(place) {
            place += 1;
            for name in self.nested_names(class) {
                if let Ok(nested) = self.load_class(&name)
                    && !seen.contains(&nested)
                {
                    seen.push(nested);
                }
            }
        }
    }

    /// Names of the classes of a source file that a class of it knows.
    fn nested_names(&self, class: ClassId) -> Vec<String> {
        let outer = outermost(self.class_name(class));
        let file = self.class(class).file.clone();
        let inner = file.iter().flat_map(|file| &file.info.inner_classes);
        let names = inner.map(|inner| self.text(inner.inner));
        let own = names.filter(|name| outermost(name) == outer);
        own.map(str::to_owned).collect()
    }

    /// The outermost class around a class and the classes nested in it; `None` if one of them is not
    /// loaded, so that its code is not known.
    fn sharing_classes(&self, class: ClassId) -> Option<Vec<ClassId>> {
        let mut found = vec![class];
        let outer = self.loaded_class(outermost(self.class_name(class)))?;
        if outer != class {
            found.push(outer);
        }
        let mut place = 0;
        while let Some(&class) = found.get(place) {
            place += 1;
            for name in self.nested_names(class) {
                let nested = self.loaded_class(&name)?;
                if !found.contains(&nested) {
                    found.push(nested);
                }
            }
        }
        Some(found)
    }
}

/// Whether a method gives access to fields that its callers do not name.
fn is_reflective(member: &ListedMember) -> bool {
    match member.class.as_str() {
        "java/lang/invoke/MethodHandles$Lookup" | "java/lang/reflect/Field" => true,
        "java/lang/Class" => member.name.contains("Field"),
        class => class.ends_with("misc/Unsafe"),
    }
}

/// Name of the outermost class around a class.
fn outermost(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
}

/// Whether a method passes no array on that a read of some field has pushed, and writes to none.
/// Initialisers may write to one, and assign the field.
fn only_reads(
    listing: &Listing,
    is_initializer: bool,
    is_meant: &dyn Fn(&ListedMember) -> bool,
) -> bool {
    let reads = |step: &ListedOperation| matches!(step, ListedOperation::GetField(member, true) if is_meant(member));
    let mut assignments = listing.instructions.iter().enumerate().filter(|(_, listed)| {
        matches!(&listed.step, ListedOperation::PutField(member, true) if is_meant(member))
    });
    if assignments.any(|(place, _)| !is_initializer || !assigns_new_array(listing, place)) {
        return false;
    }
    // Local variables that hold the array anywhere in the method.
    let mut holders: Vec<u16> = Vec::new();
    loop {
        let before = holders.len();
        for start in 0..listing.instructions.len() {
            let step = &listing.instructions[start].step;
            let is_pushed = reads(step)
                || matches!(step, ListedOperation::Load(_, local) if holders.contains(local));
            if !is_pushed {
                continue;
            }
            match use_of(listing, start, is_initializer) {
                Use::Reads => {}
                Use::Stored(local) if !holders.contains(&local) => holders.push(local),
                Use::Stored(_) => {}
                Use::Other => return false,
            }
        }
        if holders.len() == before {
            return true;
        }
    }
}

/// Whether the array that an instruction assigns was made for it by the instructions before, with
/// elements of which none is an array from elsewhere.
fn assigns_new_array(listing: &Listing, place: usize) -> bool {
    let before = listing.instructions[..place].iter().rev();
    let mut missing = 1i32;
    for (distance, listed) in before.enumerate() {
        let is_last = distance == 0;
        let is_right = match &listed.step {
            ListedOperation::NewArray(..) => true,
            ListedOperation::ArrayStore(_) => true,
            _ if is_last => false,
            ListedOperation::Load(kind, _) => *kind != Kind::Reference,
            ListedOperation::GetField(member, _) => is_no_array(&member.descriptor),
            ListedOperation::Invoke(_, member) => {
                let result = member.descriptor.rsplit(')').next();
                result.is_some_and(is_no_array)
            }
            ListedOperation::ArrayLoad(kind) => *kind != Kind::Reference,
            ListedOperation::Shuffle(Shuffle::Copy(1, 0))
            | ListedOperation::Number(..)
            | ListedOperation::Null
            | ListedOperation::Text(_)
            | ListedOperation::Constant(_)
            | ListedOperation::New(_)
            | ListedOperation::Operate(..) => true,
            _ => false,
        };
        if !is_right {
            return false;
        }
        let (popped, pushed) = listed.effect;
        missing += i32::from(popped) - i32::from(pushed);
        if missing <= 0 {
            return matches!(
                listed.step,
                ListedOperation::NewArray(..) | ListedOperation::Number(..)
            );
        }
    }
    false
}

/// Whether a value of a type is neither an array nor may be one.
fn is_no_array(descriptor: &str) -> bool {
    !descriptor.starts_with('[') && descriptor != "Ljava/lang/Object;"
}

/// What is done with a pushed word.
enum Use {
    /// An element, its length or whether it is null is read.
    Reads,
    /// It is stored in a local variable.
    Stored(u16),
    Other,
}

/// What a straight piece of code does with the word that the instruction at `start` pushes. An
/// element that is an array is followed, too.
fn use_of(listing: &Listing, start: usize, may_write: bool) -> Use {
    // Words above the one that is followed.
    let mut above = 0u16;
    for listed in &listing.instructions[start + 1..] {
        let (popped, pushed) = listed.effect;
        if popped <= above && !matches!(listed.step, ListedOperation::Shuffle(_)) {
            if !listed.step.falls_through() || matches!(listed.step, ListedOperation::Branch(..)) {
                return Use::Other;
            }
            above = above - popped + pushed;
            continue;
        }
        return match &listed.step {
            ListedOperation::ArrayLength => Use::Reads,
            ListedOperation::ArrayLoad(kind) if *kind == Kind::Reference => {
                match above {
                    // The element may be an array itself.
                    1 => {
                        above = 0;
                        continue;
                    }
                    _ => Use::Other,
                }
            }
            ListedOperation::ArrayLoad(_) if above == 1 => Use::Reads,
            ListedOperation::ArrayStore(_) if may_write => Use::Reads,
            ListedOperation::Store(_, local) if above == 0 => Use::Stored(*local),
            ListedOperation::Branch(..) if above == 0 => Use::Reads,
            ListedOperation::Shuffle(Shuffle::Drop(1)) if above == 0 => Use::Reads,
            _ => Use::Other,
        };
    }
    Use::Other
}
