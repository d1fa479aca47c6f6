//! Types of the verifier (JVMS §4.10.1.2), their joins, and assignability.
//!
//! A reference is a *set of class names*. Joining two sets loads no class; only a use that needs
//! a class checks each member. Invariant: [`Types::join`] is commutative, associative and
//! idempotent. No chain of joins is longer than [`MOST_MEMBERS`] plus the depth of a class.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::class::{ClassId, Shape};
use crate::descriptor::{self, Kind};
use crate::link::LoadError;
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// Maximum size of a set of class names; larger ones become their nearest common superclass.
pub(crate) const MOST_MEMBERS: usize = 32;

/// Type of a local variable or stack word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VerificationType {
    /// Unusable.
    Top,
    Int,
    Float,
    /// First word of a long; the second always follows.
    Long,
    LongHigh,
    /// First word of a double; the second always follows.
    Double,
    DoubleHigh,
    Null,
    /// Object of this class, or null.
    Class(Sym),
    /// Object of one of the classes of a set of [`Types`], or null.
    Union(u32),
    /// Like `Class`; joins with it yield the nearest common superclass.
    Wide(Sym),
    /// Object made by the `new` instruction of this number, before its constructor was called.
    New(u16),
    /// `this` in a constructor, before the call of another constructor.
    This,
    /// Address behind the `jsr` instruction of this number.
    Address(u16),
}

impl VerificationType {
    /// Whether it is an initialised object or null.
    pub(crate) fn is_reference(self) -> bool {
        matches!(
            self,
            VerificationType::Null
                | VerificationType::Class(_)
                | VerificationType::Union(_)
                | VerificationType::Wide(_)
        )
    }

    /// Whether it is the second word of a long or double.
    pub(crate) fn is_high(self) -> bool {
        matches!(
            self,
            VerificationType::LongHigh | VerificationType::DoubleHigh
        )
    }

    /// Second word of a long or double.
    pub(crate) fn high(self) -> Option<VerificationType> {
        match self {
            VerificationType::Long => Some(VerificationType::LongHigh),
            VerificationType::Double => Some(VerificationType::DoubleHigh),
            _ => None,
        }
    }
}

/// Method descriptor with a type for each word.
pub(crate) struct Signature {
    pub(crate) parameters: Vec<VerificationType>,
    /// `None` if void.
    pub(crate) result: Option<VerificationType>,
}

/// Sets of class names of one pass, and cached results about classes.
pub(crate) struct Types<'a> {
    pub(crate) vm: &'a mut Vm,
    unions: IndexSet<Box<[Sym]>, FxBuildHasher>,
    assignable: FxHashMap<(Sym, Sym), bool>,
    pub(crate) object: Sym,
    /// Class whose code names the classes.
    user: ClassId,
}

impl<'a> Types<'a> {
    pub(crate) fn new(vm: &'a mut Vm, user: ClassId) -> Types<'a> {
        let object = vm.names.intern("java/lang/Object");
        Types {
            vm,
            unions: IndexSet::default(),
            assignable: FxHashMap::default(),
            object,
            user,
        }
    }

    pub(crate) fn class(&mut self, name: &str) -> VerificationType {
        VerificationType::Class(self.vm.names.intern(name))
    }

    /// Classes of a reference; none for null.
    pub(crate) fn members(&self, value: &VerificationType) -> Vec<Sym> {
        match *value {
            VerificationType::Class(name) | VerificationType::Wide(name) => vec![name],
            VerificationType::Union(set) => self.unions[set as usize].to_vec(),
            _ => Vec::new(),
        }
    }

    /// Least upper bound of two types.
    pub(crate) fn join(
        &mut self,
        left: VerificationType,
        right: VerificationType,
    ) -> VerificationType {
        if left == right {
            return left;
        }
        match (left, right) {
            (VerificationType::Null, other) | (other, VerificationType::Null)
                if other.is_reference() =>
            {
                other
            }
            (left, right) if left.is_reference() && right.is_reference() => self.union(left, right),
            _ => VerificationType::Top,
        }
    }

    fn union(&mut self, left: VerificationType, right: VerificationType) -> VerificationType {
        let mut names = self.members(&left);
        names.extend(self.members(&right));
        names.sort_unstable();
        names.dedup();
        if names.contains(&self.object) {
            return VerificationType::Class(self.object);
        }
        let is_wide =
            matches!(left, VerificationType::Wide(_)) || matches!(right, VerificationType::Wide(_));
        if is_wide || names.len() > MOST_MEMBERS {
            let first = names[0];
            let common = names[1..]
                .iter()
                .fold(first, |common, &name| self.common(common, name));
            return if common == self.object {
                VerificationType::Class(common)
            } else {
                VerificationType::Wide(common)
            };
        }
        match names[..] {
            [name] => VerificationType::Class(name),
            _ => VerificationType::Union(self.unions.insert_full(names.into()).0 as u32),
        }
    }

    /// Nearest common superclass; `Object` if a class is missing. Interfaces count as `Object`.
    fn common(&mut self, left: Sym, right: Sym) -> Sym {
        if left == right {
            return left;
        }
        match (self.component(left), self.component(right)) {
            (Some(VerificationType::Class(left)), Some(VerificationType::Class(right))) => {
                let element = self.common(left, right);
                self.array_of(element)
            }
            (None, None) => self.common_class(left, right).unwrap_or(self.object),
            _ => self.object,
        }
    }

    fn common_class(&mut self, left: Sym, right: Sym) -> Option<Sym> {
        let left = self.vm.load_for(self.user, left).ok()?;
        let right = self.vm.load_for(self.user, right).ok()?;
        let (left, right) = (self.vm.class(left), self.vm.class(right));
        if left.is_interface() || right.is_interface() {
            return None;
        }
        let shared = left
            .display
            .iter()
            .zip(&right.display)
            .take_while(|(left, right)| left == right);
        shared.last().map(|(&class, _)| self.vm.class(class).name)
    }

    /// Element type of an array class; `None` if the class is no array.
    pub(crate) fn component(&mut self, array: Sym) -> Option<VerificationType> {
        let element = self.vm.names.text(array).strip_prefix('[')?.to_owned();
        Some(self.of_element(&element))
    }

    /// Like [`Types::of_descriptor`], but primitive element types become `Top`, which no
    /// reference has, so that they keep their size.
    fn of_element(&mut self, descriptor: &str) -> VerificationType {
        match Kind::of(descriptor) {
            Kind::Reference => self.class(descriptor::class_name(descriptor)),
            _ => VerificationType::Top,
        }
    }

    /// Name of the class of arrays of a class.
    pub(crate) fn array_of(&mut self, element: Sym) -> Sym {
        let name = format!("[{}", descriptor::of_class(self.vm.text(element)));
        self.vm.names.intern(&name)
    }

    /// Whether an object of class `from` is assignable to `to` (JVMS §4.10.1.2). Interfaces count
    /// as `Object`, because interface calls check their receiver themselves.
    pub(crate) fn is_assignable(&mut self, from: Sym, to: Sym) -> Result<bool, Fault> {
        if from == to || to == self.object {
            return Ok(true);
        }
        if let Some(&known) = self.assignable.get(&(from, to)) {
            return Ok(known);
        }
        let is = match (self.component(from), self.component(to)) {
            (Some(VerificationType::Class(from)), Some(VerificationType::Class(to))) => {
                self.is_assignable(from, to)?
            }
            // Primitive arrays of one type have one name.
            (_, Some(_)) => false,
            (Some(_), None) => matches!(
                self.vm.text(to),
                "java/lang/Cloneable" | "java/io/Serializable"
            ),
            (None, None) => {
                let target = self.load(to)?;
                self.vm.class(target).is_interface() || {
                    let class = self.load(from)?;
                    self.vm.is_subclass(class, target)
                }
            }
        };
        self.assignable.insert((from, to), is);
        Ok(is)
    }

    pub(super) fn load(&mut self, name: Sym) -> Result<ClassId, Fault> {
        let class = self.vm.load_for(self.user, name)?;
        match self.vm.class(class).shape {
            // The engine stores `int.class` under this name, which no class in a file has.
            Shape::Primitive(_) => Err(self.vm.load_fault(LoadError::NotFound(name))),
            _ => Ok(class),
        }
    }

    /// Type of a value with a field descriptor.
    pub(crate) fn of_descriptor(&mut self, text: &str) -> Result<VerificationType, String> {
        Ok(match Kind::of(text) {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => {
                VerificationType::Int
            }
            Kind::Long => VerificationType::Long,
            Kind::Float => VerificationType::Float,
            Kind::Double => VerificationType::Double,
            Kind::Void => VerificationType::Top,
            Kind::Reference => {
                check_class_name(descriptor::class_name(text))?;
                self.class(descriptor::class_name(text))
            }
        })
    }

    /// Parses a method descriptor, with a type for each word.
    pub(crate) fn signature(&mut self, text: &str) -> Result<Signature, String> {
        let (descriptors, result) = descriptor::split_method(text)
            .ok_or_else(|| format!("{text} is no method descriptor"))?;
        let mut parameters = Vec::with_capacity(descriptors.len());
        for descriptor in descriptors {
            let parameter = self.of_descriptor(descriptor)?;
            parameters.push(parameter);
            parameters.extend(parameter.high());
        }
        let result = if result == "V" {
            None
        } else {
            Some(self.of_descriptor(result)?)
        };
        Ok(Signature { parameters, result })
    }

    /// Name of a class in Java source.
    pub(crate) fn java_name(&self, name: Sym) -> String {
        descriptor::to_java(&descriptor::of_class(self.vm.text(name)))
    }
}

/// Refuses invalid class names (JVMS §4.2.1, §4.3.2), and the keywords under which the engine
/// stores primitive types.
pub(crate) fn check_class_name(name: &str) -> Result<(), String> {
    let element = name.trim_start_matches('[');
    let is_array = element.len() < name.len();
    let fits = if is_array {
        descriptor::is_field(name)
            && (Kind::of(element) != Kind::Reference
                || check_class_name(descriptor::class_name(element)).is_ok())
    } else {
        !name.contains(['.', ';', '['])
            && !name.split('/').any(str::is_empty)
            && Kind::of_keyword(name).is_none()
    };
    if fits {
        Ok(())
    } else {
        Err(format!("{name:?} is no name of a class"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Config, Jdk};

    fn vm() -> Vm {
        let usual = ["java-17-openjdk-amd64", "temurin-25-jdk-amd64"]
            .map(|name| Path::new("/usr/lib/jvm").join(name));
        let found = Jdk::find(None)
            .ok()
            .or_else(|| usual.iter().find_map(|home| Jdk::at(home).ok()));
        Vm::new(Config::new(found.expect("a JDK"), Vec::new())).unwrap()
    }

    /// Types of all kinds, sets and joins among them.
    fn samples(types: &mut Types<'_>) -> Vec<VerificationType> {
        let mut samples = vec![
            VerificationType::Top,
            VerificationType::Int,
            VerificationType::Float,
            VerificationType::Long,
            VerificationType::LongHigh,
            VerificationType::Double,
        ];
        samples.extend([
            VerificationType::DoubleHigh,
            VerificationType::Null,
            VerificationType::New(1),
            VerificationType::New(2),
            VerificationType::This,
        ]);
        samples.extend([VerificationType::Address(1), VerificationType::Address(2)]);
        for name in [
            "java/lang/Object",
            "java/lang/Integer",
            "java/lang/Long",
            "java/util/List",
            "java/util/ArrayList",
            "[I",
            "[Ljava/lang/Integer;",
            "[Ljava/lang/Long;",
            "not/There",
        ] {
            samples.push(types.class(name));
        }
        let classes: Vec<VerificationType> = samples[14..].to_vec();
        for pair in classes.windows(2) {
            samples.push(types.join(pair[0], pair[1]));
        }
        for name in [
            "java/lang/Integer",
            "java/lang/Number",
            "java/util/ArrayList",
        ] {
            let name = types.vm.names.intern(name);
            samples.push(VerificationType::Wide(name));
        }
        samples
    }

    #[test]
    fn join_is_a_least_upper_bound() {
        let mut vm = vm();
        let user = vm.known().object;
        let mut types = Types::new(&mut vm, user);
        let samples = samples(&mut types);
        for &a in &samples {
            assert_eq!(types.join(a, a), a);
            for &b in &samples {
                let ab = types.join(a, b);
                assert_eq!(ab, types.join(b, a), "{a:?} {b:?}");
                assert_eq!(ab, types.join(ab, b), "{a:?} {b:?}");
                for &c in &samples {
                    let bc = types.join(b, c);
                    assert_eq!(types.join(ab, c), types.join(a, bc), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn many_classes_become_their_common_superclass() {
        let mut vm = vm();
        let user = vm.known().object;
        let mut types = Types::new(&mut vm, user);
        let number = types.vm.names.intern("java/lang/Number");
        let boxes = ["Integer", "Long", "Short", "Byte", "Float", "Double"];
        let mut joined = VerificationType::Null;
        for name in boxes {
            let class = types.class(&format!("java/lang/{name}"));
            joined = types.join(joined, class);
        }
        assert!(matches!(joined, VerificationType::Union(_)));
        let wide = types.join(joined, VerificationType::Wide(number));
        assert_eq!(wide, VerificationType::Wide(number));
        for index in 0..=MOST_MEMBERS {
            let class = types.class(&format!("not/There{index}"));
            joined = types.join(joined, class);
        }
        assert_eq!(joined, VerificationType::Class(types.object));
    }
}
