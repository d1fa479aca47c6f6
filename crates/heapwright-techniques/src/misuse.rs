//! Exceptions by which a method refuses a misuse, as opposed to those that show a fault. This is
//! the only such rule in the program.

use heapwright_jvm::{ClassId, Vm};

use crate::{Error, target};

/// The exceptions by which methods usually refuse calls.
const REFUSALS: [&str; 4] = [
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalStateException",
    "java.util.NoSuchElementException",
    "java.lang.UnsupportedOperationException",
];
/// The exceptions that Politano et al. 2023, §3.4, consider misuse.
const PAPER: [&str; 2] = [REFUSALS[0], REFUSALS[1]];

/// Rule for the exceptions that count as misuse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MisuseRule {
    /// The usual refusals, null pointers with a null argument, and indices out of bounds with an
    /// integer argument.
    #[default]
    Usual,
    /// `IllegalArgumentException` and `IllegalStateException` alone.
    Paper,
    /// Only these, by binary name or, in `java.lang` and `java.util`, by simple name.
    These(Vec<String>),
}

/// The exceptions that count as misuse, resolved on one machine.
#[derive(Clone, Debug)]
pub struct Misuse {
    classes: Vec<ClassId>,
    null_pointer: Option<ClassId>,
    out_of_bounds: Option<ClassId>,
}

impl Misuse {
    /// Resolves the exception classes.
    ///
    /// # Errors
    /// An exception does not exist.
    pub fn new(vm: &mut Vm, rule: &MisuseRule) -> Result<Misuse, Error> {
        let names: Vec<&str> = match rule {
            MisuseRule::Usual => REFUSALS.to_vec(),
            MisuseRule::Paper => PAPER.to_vec(),
            MisuseRule::These(names) => names.iter().map(String::as_str).collect(),
        };
        let mut classes = Vec::new();
        for name in names {
            classes.push(exception(vm, "", name)?);
        }
        let mut usual = |name| match rule {
            MisuseRule::Usual => target::find_class(vm, name).map(Some),
            MisuseRule::Paper | MisuseRule::These(_) => Ok(None),
        };
        Ok(Misuse {
            classes,
            null_pointer: usual("java.lang.NullPointerException")?,
            out_of_bounds: usual("java.lang.IndexOutOfBoundsException")?,
        })
    }

    /// Adds a further exception, resolved like [`exception`].
    ///
    /// # Errors
    /// The exception does not exist.
    pub fn expect(&mut self, vm: &mut Vm, package: &str, name: &str) -> Result<(), Error> {
        self.classes.push(exception(vm, package, name)?);
        Ok(())
    }

    /// Whether an exception of `class` is misuse. It must be a named one, a null pointer if an
    /// argument is null, or an index out of bounds if an argument is an integer. Subclasses of
    /// `IndexOutOfBoundsException` do not count: they come from unchecked accesses.
    #[must_use]
    pub fn covers(&self, vm: &Vm, class: ClassId, has_null: bool, has_integer: bool) -> bool {
        let is = |expected: &ClassId| vm.is_subclass(class, *expected);
        self.classes.iter().any(is)
            || has_null && self.null_pointer.iter().any(is)
            || has_integer && self.out_of_bounds == Some(class)
    }
}

/// Finds an exception class by binary name or, in `java.lang`, `java.util` and a package, by simple
/// name.
///
/// # Errors
/// There is none, or it is no exception.
pub fn exception(vm: &mut Vm, package: &str, name: &str) -> Result<ClassId, Error> {
    let mut names = vec![name.to_owned()];
    if !name.contains('.') {
        names
            .extend(["java.lang", "java.util", package].map(|package| format!("{package}.{name}")));
    }
    let mut found = Err(Error::ClassNotFound(name.to_owned()));
    for name in names {
        found = found.or_else(|_| target::find_class(vm, &name));
    }
    let found = found.map_err(|_| Error::ClassNotFound(name.to_owned()))?;
    let throwable = target::find_class(vm, "java.lang.Throwable")?;
    if vm.class(found).is_interface() || !vm.is_subclass(found, throwable) {
        return Err(Error::BadClass {
            class: name.to_owned(),
            reason: "it is no exception".to_owned(),
        });
    }
    Ok(found)
}
