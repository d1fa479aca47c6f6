//! Universe of a method's inputs: the classes of which objects are created.

use heapwright_explore::symbolic::{Alternative, InputCut, Universe};
use heapwright_jvm::class::{Loader, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use crate::Error;
use crate::derive::{constants_of, constants_of_initialized, enum_of};
use crate::functional::stub_objects;
use crate::packages::{Packages, TestPackage, is_extensible, package_of};
use crate::read::is_generic;
use crate::signatures::{Signature, Type, Variables};
use crate::statements::is_object_value;
use crate::target::find_class;

/// Types that hardly restrict their values.
const WIDE: [&str; 4] = [
    "java/lang/Object",
    "java/lang/Number",
    "java/lang/Comparable",
    "java/lang/CharSequence",
];

/// Possible objects of inputs, computed in advance for every class reachable from the parameters.
///
/// - A class of the program: itself and its subclasses in its package; if all of these are abstract,
///   the nearest subclasses in other packages.
/// - An enum: its constants.
/// - A `String`, a box, an array: a new one.
/// - `Object`, `Number`, `Comparable`: an `Integer`; `CharSequence`: a `String`.
/// - Another class of the JDK: its subclasses in the package of the class under test, and the class
///   under test with its member classes if that is the JDK's.
/// - On request, a functional interface without such classes: lambdas that return one value.
#[derive(Clone, Debug, Default)]
pub struct ClassUniverse {
    alternatives: FxHashMap<ClassId, Vec<Alternative>>,
    /// What leaves out objects of a type, where that does not follow from its class alone.
    left_out: FxHashMap<ClassId, InputCut>,
    /// Classes of which no object can be created, each with the reason.
    pub refused: Vec<(String, String)>,
}

impl Universe for ClassUniverse {
    fn alternatives(&self, _vm: &mut Vm, bound: ClassId) -> Vec<Alternative> {
        self.alternatives.get(&bound).cloned().unwrap_or_default()
    }

    /// Library types other than value classes may have objects of further classes. So may an abstract
    /// type of the program that nothing implements, unless it is sealed, and a type with subclasses
    /// in other packages.
    fn beyond(&self, vm: &Vm, bound: ClassId) -> Option<InputCut> {
        let this = vm.class(bound);
        let is_library = this.loader == Loader::Boot
            && !matches!(this.shape, Shape::Array(_))
            && !is_value_class(vm.class_name(bound));
        let is_open = this.is_abstract()
            && this.flags & flags::ENUM == 0
            && this
                .file
                .as_ref()
                .is_some_and(|file| file.info.permitted.is_none());
        let has_none = || self.alternatives.get(&bound).is_none_or(Vec::is_empty);
        if let Some(cut) = self.left_out.get(&bound) {
            Some(*cut)
        } else if is_library {
            Some(InputCut::Types)
        } else if is_open && has_none() {
            Some(InputCut::Implementations)
        } else {
            None
        }
    }

    fn is_extensible(&self, vm: &Vm, bound: ClassId) -> bool {
        is_extensible(vm, bound)
    }
}

impl ClassUniverse {
    /// Classes of which new objects are created.
    pub(crate) fn made(&self) -> Vec<ClassId> {
        let alternatives = self.alternatives.values().flatten();
        let mut made: Vec<ClassId> = alternatives
            .filter_map(|alternative| match alternative {
                Alternative::New(class) => Some(*class),
                Alternative::Known(_) => None,
            })
            .collect();
        made.sort_unstable_by_key(|class| class.0);
        made.dedup();
        made
    }

    /// Sets the possible objects of a class.
    pub(crate) fn offer(&mut self, bound: ClassId, alternatives: Vec<Alternative>) {
        self.alternatives.insert(bound, alternatives);
    }

    /// Adds these types and their reachable classes to the possible objects of `Object`, `Number`,
    /// `Comparable` and `CharSequence`.
    pub(crate) fn widen(&mut self, vm: &mut Vm, descriptors: &[String]) {
        for wide in WIDE {
            let Some(wide) = vm.loaded_class(wide) else {
                continue;
            };
            let Some(mut alternatives) = self.alternatives.get(&wide).cloned() else {
                continue;
            };
            for descriptor in descriptors {
                let Ok(class) = vm.load_class(descriptor::class_name(descriptor)) else {
                    continue;
                };
                let further = self.alternatives.get(&class).into_iter().flatten();
                for further in further.filter(|_| vm.is_subclass(class, wide)) {
                    if !alternatives.contains(further) {
                        alternatives.push(*further);
                    }
                }
            }
            self.alternatives.insert(wide, alternatives);
        }
    }

    /// All possible objects of a class of the program, without those reachable from them; `None` if
    /// the class path has subclasses of which none are created. The classes are initialised.
    ///
    /// # Errors
    /// A class is invalid.
    pub(crate) fn all_of(vm: &mut Vm, bound: ClassId) -> Result<Option<Vec<Alternative>>, Error> {
        let mut finder = ClassFinder::new(vm, bound);
        finder.look_at(bound)?;
        let mut classes = finder.classes;
        let alternatives = classes.alternatives.remove(&bound).unwrap_or_default();
        let is_whole = !classes.left_out.contains_key(&bound);
        Ok(is_whole.then_some(alternatives))
    }

    /// Computes the universe reachable from a receiver and parameters. The classes are initialised.
    ///
    /// # Errors
    /// A class is invalid.
    pub fn reachable(
        vm: &mut Vm,
        under_test: ClassId,
        receiver: Option<ClassId>,
        parameters: &[String],
    ) -> Result<ClassUniverse, Error> {
        let mut finder = ClassFinder::new(vm, under_test);
        if let Some(class) = receiver {
            finder.enter_fields(class);
        }
        for parameter in parameters {
            finder.enter(parameter);
        }
        finder.find()?;
        Ok(finder.classes)
    }

    /// Computes the universe like [`ClassUniverse::reachable`], with lambda stubs where nothing
    /// implements a functional interface. Sets the types over which the parameters of `method`
    /// range.
    ///
    /// # Errors
    /// A class is invalid.
    pub fn with_lambdas(
        vm: &mut Vm,
        under_test: ClassId,
        receiver: Option<ClassId>,
        method: MethodId,
        parameters: &mut [String],
    ) -> Result<ClassUniverse, Error> {
        let signature = Signature::of(vm, method);
        // A constructor's signature may omit parameters that the compiler adds.
        let omitted = parameters.len().saturating_sub(signature.parameters.len());
        let mut finder = ClassFinder::new(vm, under_test);
        finder.makes_lambdas = true;
        let declared = parameters
            .iter_mut()
            .skip(omitted)
            .zip(&signature.parameters);
        for (parameter, declared) in declared {
            let declared = (declared, &signature.variables);
            if let Some(bound) = finder.offer_lambdas(parameter, declared, &is_object_value)? {
                *parameter = descriptor::of_class(finder.vm.class_name(bound));
            }
        }
        if let Some(class) = receiver {
            finder.enter_fields(class);
        }
        for parameter in &*parameters {
            finder.enter(parameter);
        }
        finder.find()?;
        Ok(finder.classes)
    }
}

struct ClassFinder<'a> {
    vm: &'a mut Vm,
    under_test: ClassId,
    packages: Packages,
    classes: ClassUniverse,
    /// Worklist of input classes.
    open: Vec<ClassId>,
    /// Whether lambda stubs are created.
    makes_lambdas: bool,
}

impl<'a> ClassFinder<'a> {
    fn new(vm: &'a mut Vm, under_test: ClassId) -> ClassFinder<'a> {
        ClassFinder {
            vm,
            under_test,
            packages: Packages::default(),
            classes: ClassUniverse::default(),
            open: Vec::new(),
            makes_lambdas: false,
        }
    }

    /// Computes the alternatives of all types on the worklist.
    fn find(&mut self) -> Result<(), Error> {
        while let Some(bound) = self.open.pop() {
            self.look_at(bound)?;
        }
        Ok(())
    }

    /// Offers lambda stubs for a declared type if its class is a functional interface that tests
    /// can name and nothing implements. Returns the type over which such inputs range.
    fn offer_lambdas(
        &mut self,
        descriptor: &str,
        declared: (&Type, &Variables),
        is_value: &dyn Fn(&mut Vm, &str) -> bool,
    ) -> Result<Option<ClassId>, Error> {
        if Kind::of(descriptor) != Kind::Reference || descriptor.starts_with('[') {
            return Ok(None);
        }
        let Ok(interface) = self.vm.load_class(descriptor::class_name(descriptor)) else {
            return Ok(None);
        };
        if !self.vm.class(interface).is_interface()
            || !TestPackage::of(self.vm, self.under_test).names(self.vm, interface)
            || !self.made_nearby(interface)?.is_empty()
        {
            return Ok(None);
        }
        let Some(stubs) = stub_objects(self.vm, interface, declared, is_value) else {
            return Ok(None);
        };
        self.classes.left_out.insert(stubs.bound, InputCut::Lambdas);
        self.classes
            .alternatives
            .insert(stubs.bound, stubs.alternatives.clone());
        self.enter_made(&stubs.alternatives);
        Ok(Some(stubs.bound))
    }

    /// Offers lambda stubs for a type whose type arguments are unknown.
    fn offer_raw_lambdas(&mut self, bound: ClassId) -> Result<bool, Error> {
        let descriptor = descriptor::of_class(self.vm.class_name(bound));
        let (declared, variables) = (Type::of_descriptor(&descriptor), Variables::new());
        // Only a value of a type that does not depend on type arguments is one that callers expect.
        let is_of_no_type = |_: &mut Vm, _: &str| false;
        let is_known: &dyn Fn(&mut Vm, &str) -> bool = match is_generic(self.vm, bound) {
            true => &is_of_no_type,
            false => &is_object_value,
        };
        let offered = self.offer_lambdas(&descriptor, (&declared, &variables), is_known)?;
        let Some(stub) = offered.filter(|&stub| stub != bound) else {
            return Ok(offered.is_some());
        };
        let alternatives = self.classes.alternatives.get(&stub).cloned();
        self.classes
            .alternatives
            .insert(bound, alternatives.unwrap_or_default());
        self.classes.left_out.insert(bound, InputCut::Lambdas);
        Ok(true)
    }

    fn enter(&mut self, descriptor: &str) {
        if Kind::of(descriptor) == Kind::Reference
            && let Ok(class) = self.vm.load_class(descriptor::class_name(descriptor))
            && !self.classes.alternatives.contains_key(&class)
        {
            self.open.push(class);
        }
    }

    fn enter_fields(&mut self, class: ClassId) {
        let display = self.vm.class(class).display.clone();
        let fields = display
            .iter()
            .flat_map(|&class| &self.vm.class(class).fields);
        let descriptors: Vec<String> = fields
            .filter(|field| !field.is_static() && field.kind == Kind::Reference)
            .map(|field| self.vm.text(field.descriptor).to_owned())
            .collect();
        for descriptor in descriptors {
            self.enter(&descriptor);
        }
    }

    fn look_at(&mut self, bound: ClassId) -> Result<(), Error> {
        if self.classes.alternatives.contains_key(&bound) {
            return Ok(());
        }
        if self.makes_lambdas && self.offer_raw_lambdas(bound)? {
            return Ok(());
        }
        let constants = constants_of(self.vm, bound);
        let mut alternatives = Vec::new();
        match constants {
            Ok(constants) if !constants.is_empty() => {
                let known = constants.into_iter().map(|(_, object)| object);
                alternatives.extend(known.map(Alternative::Known));
            }
            Ok(_) => {
                let mut known = Vec::new();
                for class in self.made_for(bound)? {
                    // An enum has no objects but its constants, those with a body among them.
                    let class = enum_of(self.vm, class).unwrap_or(class);
                    if known.contains(&class) || !self.can_be_made(class) {
                        continue;
                    }
                    known.push(class);
                    match constants_of_initialized(self.vm, class) {
                        Some(constants) => {
                            let objects = constants.into_iter().map(|(_, object)| object);
                            alternatives.extend(objects.map(Alternative::Known));
                        }
                        None => alternatives.push(Alternative::New(class)),
                    }
                }
            }
            Err(error) => self.refuse(bound, error.to_string()),
        }
        self.classes
            .alternatives
            .insert(bound, alternatives.clone());
        self.enter_made(&alternatives);
        Ok(())
    }

    /// Enters the types of the contents of new objects.
    fn enter_made(&mut self, alternatives: &[Alternative]) {
        for alternative in alternatives {
            if let &Alternative::New(class) = alternative {
                match self.vm.class(class).shape {
                    Shape::Array(_) => {
                        let element = self.vm.class_name(class)[1..].to_owned();
                        self.enter(&element);
                    }
                    _ if self.vm.class_name(class) == "java/lang/String" => {}
                    _ => self.enter_fields(class),
                }
            }
        }
    }

    fn refuse(&mut self, class: ClassId, reason: String) {
        let name = self.vm.binary_name(class);
        self.classes.refused.push((name, reason));
    }

    fn can_be_made(&mut self, class: ClassId) -> bool {
        match self.vm.initialize_now(class) {
            Ok(()) => true,
            Err(reason) => {
                self.refuse(class, reason);
                false
            }
        }
    }

    /// Classes of objects created for an input.
    fn made_for(&mut self, bound: ClassId) -> Result<Vec<ClassId>, Error> {
        let made = self.made_nearby(bound)?;
        if let Shape::Array(_) = self.vm.class(bound).shape {
            let cut = self.arrays_left_out(bound);
            self.classes.left_out.extend(cut.map(|cut| (bound, cut)));
            return Ok(made);
        }
        if self.vm.class(bound).loader == Loader::Boot {
            return Ok(made);
        }
        let (foreign, has_more) = self.packages.foreign_subclasses(self.vm, bound);
        let (made, leaves_out) = match made.is_empty() {
            true => (foreign, has_more),
            false => (made, !foreign.is_empty()),
        };
        if leaves_out {
            self.classes.left_out.insert(bound, InputCut::Subclasses);
        }
        Ok(made)
    }

    /// What leaves out arrays of an array type: arrays of subclasses of its elements.
    fn arrays_left_out(&mut self, array: ClassId) -> Option<InputCut> {
        let element = self.vm.class_name(array).trim_start_matches('[').to_owned();
        if Kind::of(&element) != Kind::Reference {
            return None;
        }
        let name = descriptor::class_name(&element);
        let class = self.vm.load_class(name).ok()?;
        if self.vm.class(class).flags & flags::FINAL != 0 {
            return None;
        }
        if self.vm.class(class).loader == Loader::Boot {
            return Some(InputCut::Types);
        }
        let is_left_out =
            !self.vm.class_path().subtypes(name).is_empty() || is_extensible(self.vm, class);
        is_left_out.then_some(InputCut::Subclasses)
    }

    /// Classes of objects created for an input, without those of other packages of the program.
    fn made_nearby(&mut self, bound: ClassId) -> Result<Vec<ClassId>, Error> {
        let this = self.vm.class(bound);
        if matches!(this.shape, Shape::Array(_)) {
            return Ok(vec![bound]);
        }
        if this.loader != Loader::Boot {
            return Ok(self.packages.concrete(self.vm, bound));
        }
        let name = self.vm.class_name(bound).to_owned();
        if is_value_class(&name) {
            return Ok(vec![bound]);
        }
        if name == "java/lang/CharSequence" {
            return Ok(vec![find_class(self.vm, "java.lang.String")?]);
        }
        if matches!(
            &name[..],
            "java/lang/Object" | "java/lang/Number" | "java/lang/Comparable"
        ) {
            return Ok(vec![find_class(self.vm, "java.lang.Integer")?]);
        }
        let under_test = self.vm.class_name(self.under_test);
        let is_own = name == under_test || name.starts_with(&format!("{under_test}$"));
        if is_own && !self.vm.class(bound).is_abstract() {
            return Ok(vec![bound]);
        }
        let package = package_of(self.vm, self.under_test);
        Ok(self.packages.subclasses(self.vm, bound, &package))
    }
}
