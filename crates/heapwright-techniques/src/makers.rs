//! Index of the class path by what makes objects: constructors, static factories, public constants,
//! builders and other methods.
//!
//! Class files are read for it, but no class is loaded. Invariant: the index depends on the class
//! path alone, and its answers are in an order that depends on names alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use heapwright_jvm::Vm;
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::descriptor::{self, Kind};
use noak::error::DecodeError;
use noak::reader::Class;
use noak::{AccessFlags, MStr};

use crate::Error;

/// Maximum number of classes considered for a type: itself and its nearest subtypes.
const MAX_SUBTYPES: usize = 200;
/// Maximum number of parameters of a maker.
const MAX_PARAMETERS: usize = 5;

/// The index, made when it is first needed.
#[derive(Debug, Default)]
pub struct MakerIndex(Mutex<Option<Arc<Declarations>>>);

/// Public declarations of the classes of a class path.
#[derive(Debug, Default)]
struct Declarations {
    /// The members that give an object of each class.
    makers: BTreeMap<String, Vec<Declaration>>,
}

/// A public member of a public class that gives an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Declaration {
    pub kind: DeclarationKind,
    /// Number of parameters.
    pub parameters: usize,
    pub owner: String,
    pub name: String,
    pub descriptor: String,
}

/// Kinds of makers, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DeclarationKind {
    Constant,
    Constructor,
    Factory,
    /// A method of an object that must be made, too.
    Method,
}

impl MakerIndex {
    /// Reads all class files of a class path, until `stops` returns true; once.
    ///
    /// # Errors
    /// It was stopped.
    pub fn prepare(&self, class_path: &ClassPath, stops: &dyn Fn() -> bool) -> Result<(), Error> {
        self.declarations(class_path, stops).map(drop)
    }

    /// The declarations; others wait for the first that reads them.
    fn declarations(
        &self,
        class_path: &ClassPath,
        stops: &dyn Fn() -> bool,
    ) -> Result<Arc<Declarations>, Error> {
        let mut index = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*index {
            Some(declarations) => Ok(Arc::clone(declarations)),
            None => {
                let declarations = Arc::new(Declarations::read(class_path, stops)?);
                *index = Some(Arc::clone(&declarations));
                Ok(declarations)
            }
        }
    }

    /// Returns what makes objects of a class or its subtypes, by its internal name: methods of other
    /// objects last, the simplest first, then those of the nearest subtypes. The first call reads all
    /// class files of the class path, until `stops` returns true.
    ///
    /// # Errors
    /// It was stopped.
    pub(crate) fn of(
        &self,
        vm: &Vm,
        class: &str,
        stops: &dyn Fn() -> bool,
    ) -> Result<Vec<Declaration>, Error> {
        let declarations = self.declarations(vm.class_path(), stops)?;
        let mut candidates: Vec<(usize, &Declaration)> = Vec::new();
        let below = vm.class_path().subtypes(class);
        let classes = std::iter::once(class).chain(below.iter().map(String::as_str));
        for (distance, class) in classes.take(MAX_SUBTYPES).enumerate() {
            let makers = declarations.makers.get(class).into_iter().flatten();
            candidates.extend(makers.map(|maker| (distance, maker)));
        }
        candidates.sort_by(|(near, one), (far, other)| {
            let is_method = |one: &Declaration| one.kind == DeclarationKind::Method;
            let key = |one: &Declaration| (is_method(one), one.foreign(), one.kind, one.parameters);
            (key(one), near, one).cmp(&(key(other), far, other))
        });
        Ok(candidates.into_iter().map(|(_, one)| one.clone()).collect())
    }
}

impl Declaration {
    /// Returns the names of the classes of its parameters.
    pub fn taken(&self) -> Vec<&str> {
        let (parameters, _) = descriptor::split_method(&self.descriptor).unwrap_or_default();
        let elements = parameters
            .into_iter()
            .map(|one| one.trim_start_matches('['));
        let objects = elements.filter(|one| Kind::of(one) == Kind::Reference);
        objects.map(descriptor::class_name).collect()
    }

    /// Returns the number of parameters of classes outside of the JDK's main packages.
    fn foreign(&self) -> usize {
        let taken = self.taken().into_iter();
        taken.filter(|name| !name.starts_with("java/")).count()
    }
}

impl Declarations {
    /// Reads the class files of a class path; damaged ones make nothing.
    fn read(class_path: &ClassPath, stops: &dyn Fn() -> bool) -> Result<Declarations, Error> {
        let mut declarations = Declarations::default();
        let is_whole = class_path.read_all(stops, &mut |bytes| {
            // What was read before the damage stays.
            let _ = declarations.add(bytes);
        });
        if !is_whole {
            return Err(Error::Stopped);
        }
        for makers in declarations.makers.values_mut() {
            makers.sort();
        }
        Ok(declarations)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let class = Class::new(bytes)?;
        let pool = class.pool();
        let text = |name: &MStr| name.to_str().map(str::to_owned);
        let flags = class.access_flags();
        let Some(owner) = text(pool.retrieve(class.this_class())?.name) else {
            return Ok(());
        };
        if !flags.contains(AccessFlags::PUBLIC) || flags.contains(AccessFlags::SYNTHETIC) {
            return Ok(());
        }
        for field in class.fields() {
            let field = field?;
            let constant = AccessFlags::PUBLIC | AccessFlags::STATIC | AccessFlags::FINAL;
            let (name, descriptor) = (
                pool.retrieve(field.name())?,
                pool.retrieve(field.descriptor())?,
            );
            if field.access_flags().contains(constant)
                && let (Some(name), Some(descriptor)) = (text(name), text(descriptor))
            {
                self.insert(
                    &descriptor.clone(),
                    Declaration {
                        kind: DeclarationKind::Constant,
                        parameters: 0,
                        owner: owner.clone(),
                        name,
                        descriptor,
                    },
                );
            }
        }
        for method in class.methods() {
            let method = method?;
            let access = method.access_flags();
            let (name, types) = (
                pool.retrieve(method.name())?,
                pool.retrieve(method.descriptor())?,
            );
            let (Some(name), Some(types)) = (text(name), text(types)) else {
                continue;
            };
            if !access.contains(AccessFlags::PUBLIC) || access.contains(AccessFlags::SYNTHETIC) {
                continue;
            }
            let is_abstract = flags.contains(AccessFlags::ABSTRACT);
            let (kind, result) = match name.as_str() {
                "<init>" if is_abstract => continue,
                "<init>" => (DeclarationKind::Constructor, descriptor::of_class(&owner)),
                _ => {
                    let result = descriptor::split_method(&types).map(|(_, result)| result);
                    let kind = match access.contains(AccessFlags::STATIC) {
                        true => DeclarationKind::Factory,
                        false => DeclarationKind::Method,
                    };
                    (kind, result.unwrap_or("V").to_owned())
                }
            };
            let parameters = descriptor::split_method(&types).map_or(0, |(all, _)| all.len());
            if parameters <= MAX_PARAMETERS {
                self.insert(
                    &result,
                    Declaration {
                        kind,
                        parameters,
                        owner: owner.clone(),
                        name,
                        descriptor: types,
                    },
                );
            }
        }
        Ok(())
    }

    /// Adds a member that gives an object of a type.
    fn insert(&mut self, result: &str, declaration: Declaration) {
        if Kind::of(result) == Kind::Reference && !result.starts_with('[') {
            let class = descriptor::class_name(result).to_owned();
            self.makers.entry(class).or_default().push(declaration);
        }
    }
}
