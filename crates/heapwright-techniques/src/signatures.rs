//! Generic signatures of parameters: the element type of a collection, the return type of a
//! function.
//!
//! Invariant: a type with a missing or malformed signature is its erasure.

use std::collections::BTreeMap;

use heapwright_jvm::class::Method;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

/// Maximum number of types followed from one type through bounds and supertypes.
const MAX_DEPTH: u32 = 8;

/// A type in a signature (JVMS §4.7.9.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// A primitive type or `void`, by its descriptor.
    Primitive(String),
    /// A class by its internal name, with type arguments; none if it is raw or not generic.
    Class(String, Vec<Type>),
    /// A type variable.
    Variable(String),
    /// An array with this element type.
    Array(Box<Type>),
    /// An unbounded wildcard: any type that the bounds permit.
    Any,
    /// A wildcard with an upper bound.
    Extends(Box<Type>),
    /// A wildcard with a lower bound.
    Super(Box<Type>),
}

/// Type parameters with their first bounds, in order.
pub(crate) type Parameters = Vec<(String, Type)>;

/// Bindings or bounds of type variables, by name.
pub(crate) type Variables = BTreeMap<String, Type>;

impl Type {
    /// Parses a descriptor, or the signature of a field.
    pub fn of_descriptor(descriptor: &str) -> Type {
        let parsed = SignatureParser::new(descriptor).one();
        parsed.unwrap_or_else(|| Type::Primitive(descriptor.to_owned()))
    }

    /// Returns the descriptor of the erasure, with bindings for type variables.
    pub fn erased(&self, variables: &Variables) -> String {
        self.erased_within(variables, 0)
    }

    fn erased_within(&self, variables: &Variables, depth: u32) -> String {
        match self {
            Type::Primitive(descriptor) => descriptor.clone(),
            Type::Class(name, _) => descriptor::of_class(name),
            Type::Array(element) => format!("[{}", element.erased_within(variables, depth)),
            Type::Variable(name) if depth < MAX_DEPTH => match variables.get(name) {
                Some(bound) => bound.erased_within(variables, depth + 1),
                None => OBJECT.to_owned(),
            },
            Type::Extends(bound) | Type::Super(bound) => bound.erased_within(variables, depth),
            Type::Variable(_) | Type::Any => OBJECT.to_owned(),
        }
    }

    /// Returns the names of its type variables.
    pub fn variables(&self) -> Vec<&str> {
        match self {
            Type::Variable(name) => vec![name],
            Type::Class(_, arguments) => {
                let arguments = arguments.iter().flat_map(|argument| argument.variables());
                arguments.collect()
            }
            Type::Array(inner) | Type::Extends(inner) | Type::Super(inner) => inner.variables(),
            Type::Primitive(_) | Type::Any => Vec::new(),
        }
    }

    /// Returns the innermost element type of an array; other types are returned unchanged.
    pub fn element(&self) -> &Type {
        match self {
            Type::Array(element) => element.element(),
            other => other,
        }
    }

    /// Substitutes type variables.
    pub fn with(&self, variables: &Variables) -> Type {
        match self {
            Type::Variable(name) => variables.get(name).cloned().unwrap_or_else(|| self.clone()),
            Type::Class(name, arguments) => {
                let arguments = arguments.iter().map(|argument| argument.with(variables));
                Type::Class(name.clone(), arguments.collect())
            }
            Type::Array(element) => Type::Array(Box::new(element.with(variables))),
            // The substituted type may itself be a wildcard.
            Type::Extends(bound) => match bound.with(variables) {
                Type::Extends(bound) => Type::Extends(bound),
                Type::Super(_) | Type::Any => Type::Any,
                bound => Type::Extends(Box::new(bound)),
            },
            Type::Super(bound) => match bound.with(variables) {
                Type::Super(bound) => Type::Super(bound),
                Type::Extends(_) | Type::Any => Type::Any,
                bound => Type::Super(Box::new(bound)),
            },
            Type::Primitive(_) | Type::Any => self.clone(),
        }
    }

    /// Returns the type viewed as its supertype `above`.
    pub fn as_super(&self, vm: &Vm, above: ClassId) -> Option<Type> {
        self.as_super_within(vm, above, 0)
    }

    fn as_super_within(&self, vm: &Vm, above: ClassId, depth: u32) -> Option<Type> {
        let Type::Class(name, arguments) = self else {
            return None;
        };
        let class = vm.loaded_class(name)?;
        if class == above {
            return Some(self.clone());
        }
        if depth == MAX_DEPTH || !vm.is_subclass(class, above) {
            return None;
        }
        let (parameters, supers) = of_class(vm, class);
        let is_raw = parameters.len() != arguments.len();
        let bound = |(place, (name, bound)): (usize, (String, Type))| match is_raw {
            true => (name, bound),
            false => (name, arguments[place].clone()),
        };
        let variables: Variables = parameters.into_iter().enumerate().map(bound).collect();
        let mut supers = supers.iter().map(|one| one.with(&variables));
        supers.find_map(|one| one.as_super_within(vm, above, depth + 1))
    }
}

const OBJECT: &str = "Ljava/lang/Object;";

/// Returns the type parameters of a class, in order, and its supertypes.
pub(crate) fn of_class(vm: &Vm, class: ClassId) -> (Parameters, Vec<Type>) {
    let this = vm.class(class);
    let signature = this.file.as_ref().and_then(|file| file.info.signature);
    let parsed = signature.and_then(|signature| {
        let mut parser = SignatureParser::new(vm.text(signature));
        let parameters = parser.parameters()?;
        let mut supers = Vec::new();
        while !parser.rest.is_empty() {
            supers.push(parser.one()?);
        }
        Some((parameters, supers))
    });
    parsed.unwrap_or_else(|| {
        let supers = this.super_class.iter().chain(&this.interfaces);
        let supers = supers.map(|&above| Type::Class(vm.class_name(above).to_owned(), Vec::new()));
        (Vec::new(), supers.collect())
    })
}

/// The generic types of a method.
pub(crate) struct Signature {
    /// The bounds of the type parameters of the method and of its class.
    pub variables: Variables,
    /// Whether the method has type parameters of its own.
    pub is_generic: bool,
    /// The method's own type parameters with their bounds.
    pub own: Parameters,
    /// The parameter types.
    pub parameters: Vec<Type>,
    /// The return type.
    pub returns: Type,
}

impl Signature {
    /// Reads the signature of a method.
    pub fn of(vm: &Vm, method: MethodId) -> Signature {
        let this = vm.method(method);
        let text = vm.text(this.descriptor);
        let (parameters, returns) = descriptor::split_method(text).unwrap_or_default();
        let mut signature = Signature {
            variables: of_class(vm, this.class).0.into_iter().collect(),
            is_generic: false,
            own: Parameters::new(),
            parameters: parameters.into_iter().map(Type::of_descriptor).collect(),
            returns: Type::of_descriptor(returns),
        };
        if let Some((own, parameters, returns)) = generic(vm, this)
            // A constructor's signature omits parameters that the compiler adds.
            && parameters.len() == signature.parameters.len()
        {
            signature.is_generic = !own.is_empty();
            signature.variables.extend(own.iter().cloned());
            signature.own = own;
            (signature.parameters, signature.returns) = (parameters, returns);
        }
        signature
    }
}

impl Signature {
    /// Returns the return type as seen in `within`, a subtype of the declaring interface `of`.
    pub fn returned_in(&self, vm: &Vm, within: &Type, of: ClassId) -> Type {
        self.returns.with(&said(vm, within, of))
    }

    /// Returns the erased parameter types and the erased return type as seen in `within`, a subtype
    /// of the declaring class `of`.
    pub fn all_erased_in(&self, vm: &Vm, within: &Type, of: ClassId) -> (Vec<String>, String) {
        let said = said(vm, within, of);
        let open = self.bounds_in(&said);
        let erased = |one: &Type| one.with(&said).erased(&open);
        let parameters = self.parameters.iter().map(erased).collect();
        (parameters, erased(&self.returns))
    }

    /// Returns the bounds of the method's own type parameters, given what is said of those of its class.
    fn bounds_in(&self, said: &Variables) -> Variables {
        let own = self.own.iter();
        own.map(|(name, bound)| (name.clone(), bound.with(said)))
            .collect()
    }

    /// Returns the erased parameter types as seen in `interface`, a subtype of the declaring
    /// interface `of`. Type variables of `interface` stay open.
    pub fn erased_in(&self, vm: &Vm, interface: ClassId, of: ClassId) -> Vec<String> {
        let (own, _) = of_class(vm, interface);
        let arguments = own.iter().map(|(name, _)| Type::Variable(name.clone()));
        let within = Type::Class(vm.class_name(interface).to_owned(), arguments.collect());
        let said = said(vm, &within, of);
        let mut open = self.bounds_in(&said);
        open.extend(own);
        let parameters = self.parameters.iter();
        parameters
            .map(|parameter| parameter.with(&said).erased(&open))
            .collect()
    }
}

/// Returns the bindings of the type variables of class `of` in a subtype; unbound ones map to their
/// bounds.
fn said(vm: &Vm, within: &Type, of: ClassId) -> Variables {
    let (parameters, _) = of_class(vm, of);
    let arguments = match within.as_super(vm, of) {
        Some(Type::Class(_, arguments)) if arguments.len() == parameters.len() => arguments,
        _ => Vec::new(),
    };
    let places = parameters.into_iter().enumerate();
    let said = places.map(|(place, (name, bound))| {
        let given = arguments.get(place).filter(|given| **given != Type::Any);
        (name, given.cloned().unwrap_or(bound))
    });
    said.collect()
}

/// Returns a method's type parameters, parameter types and return type, if it has a generic
/// signature.
fn generic(vm: &Vm, method: &Method) -> Option<(Parameters, Vec<Type>, Type)> {
    let file = vm.class(method.class).file.as_ref()?;
    let info = file.info.methods.get(usize::from(method.index?))?;
    let mut parser = SignatureParser::new(vm.text(info.signature?));
    let own = parser.parameters()?;
    parser.skip('(')?;
    let mut parameters = Vec::new();
    while parser.skip(')').is_none() {
        parameters.push(parser.one()?);
    }
    Some((own, parameters, parser.one()?))
}

/// Parser of signatures.
struct SignatureParser<'a> {
    rest: &'a str,
}

impl<'a> SignatureParser<'a> {
    fn new(text: &'a str) -> SignatureParser<'a> {
        SignatureParser { rest: text }
    }

    fn skip(&mut self, letter: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(letter)?;
        Some(())
    }

    /// Takes the text before the first of these letters.
    fn until(&mut self, ends: &[char]) -> Option<&'a str> {
        let (name, rest) = self.rest.split_at(self.rest.find(ends)?);
        self.rest = rest;
        Some(name)
    }

    /// Parses type parameters with their first bounds, if there are any.
    fn parameters(&mut self) -> Option<Parameters> {
        let mut parameters = Vec::new();
        if self.skip('<').is_none() {
            return Some(parameters);
        }
        while self.skip('>').is_none() {
            let name = self.until(&[':'])?.to_owned();
            let mut bounds = Vec::new();
            while self.skip(':').is_some() {
                // The first bound is omitted if it is `Object`.
                if !self.rest.starts_with(':') {
                    bounds.push(self.one()?);
                }
            }
            let bound = bounds.into_iter().next().unwrap_or(Type::Any);
            parameters.push((name, bound));
        }
        Some(parameters)
    }

    fn one(&mut self) -> Option<Type> {
        let first = self.rest.chars().next()?;
        self.skip(first)?;
        Some(match first {
            '[' => Type::Array(Box::new(self.one()?)),
            'T' => {
                let name = self.until(&[';'])?.to_owned();
                self.skip(';')?;
                Type::Variable(name)
            }
            'L' => self.class()?,
            primitive if Kind::of(&primitive.to_string()) != Kind::Reference => {
                Type::Primitive(primitive.to_string())
            }
            _ => return None,
        })
    }

    /// Parses a class after its `L`; only the arguments of the innermost member class are retained.
    fn class(&mut self) -> Option<Type> {
        let mut name = String::new();
        loop {
            name.push_str(self.until(&['<', ';', '.'])?);
            let mut arguments = Vec::new();
            if self.skip('<').is_some() {
                while self.skip('>').is_none() {
                    arguments.push(self.argument()?);
                }
            }
            if self.skip(';').is_some() {
                return Some(Type::Class(name, arguments));
            }
            self.skip('.')?;
            name.push('$');
        }
    }

    /// Parses a type argument.
    fn argument(&mut self) -> Option<Type> {
        if self.skip('*').is_some() {
            return Some(Type::Any);
        }
        if self.skip('+').is_some() {
            return Some(Type::Extends(Box::new(self.one()?)));
        }
        if self.skip('-').is_some() {
            return Some(Type::Super(Box::new(self.one()?)));
        }
        self.one()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_and_erased() {
        let variables = Variables::from([
            ("T".to_owned(), Type::Variable("U".to_owned())),
            ("U".to_owned(), Type::Class("p/Q".to_owned(), Vec::new())),
            // A cyclic bound.
            ("V".to_owned(), Type::Variable("V".to_owned())),
        ]);
        for (signature, erased) in [
            ("I", "I"),
            ("[[J", "[[J"),
            ("TT;", "Lp/Q;"),
            ("[TU;", "[Lp/Q;"),
            ("TV;", OBJECT),
            ("TW;", OBJECT),
            ("Lp/A<TT;>.B<*>;", "Lp/A$B;"),
            ("Lp/Map<+Lp/List<TT;>;-[I>;", "Lp/Map;"),
        ] {
            let read = SignatureParser::new(signature).one().unwrap();
            assert_eq!(read.erased(&variables), erased, "{signature}");
        }
        for malformed in ["", "L", "Lp/A<", "TT", "Lp/A<>", "[", "Q"] {
            let read = SignatureParser::new(malformed).one();
            let is_empty = |read: &Type| matches!(read, Type::Class(_, all) if all.is_empty());
            assert!(read.as_ref().is_none_or(is_empty), "{malformed}: {read:?}");
        }
    }

    #[test]
    fn parameters_have_their_first_bounds() {
        let mut parser = SignatureParser::new("<A:Ljava/lang/Object;B::Lp/I;:Lp/J;C:TA;>(TB;)V");
        let parameters = parser.parameters().unwrap();
        let bounds: Variables = parameters.into_iter().collect();
        assert_eq!(bounds["A"].erased(&bounds), OBJECT);
        assert_eq!(bounds["B"].erased(&bounds), "Lp/I;");
        assert_eq!(bounds["C"].erased(&bounds), OBJECT);
        assert_eq!(parser.rest, "(TB;)V");
    }
}
