//! Call sites of `invokedynamic`. Makes the checks of the bootstrap methods that are linked
//! natively, so that the code generated for a site finds the types it assumes.

use super::types::VerificationType;
use super::{Pass, VerificationFailure, wrong};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};

/// Kinds of a method handle (JVMS table 5.4.3.5-A).
const STATIC: u8 = 6;
const NEW: u8 = 8;

impl Pass<'_> {
    /// Checks the call site of a pool entry against its bootstrap method.
    pub(super) fn check_call_site(
        &mut self,
        bootstrap: u16,
        name: &str,
        site: &str,
    ) -> Result<(), VerificationFailure> {
        let Some(bootstrap) = self.file.info.bootstraps.get(usize::from(bootstrap)) else {
            return wrong(format!("bootstrap method {bootstrap} is missing"));
        };
        let arguments = bootstrap.arguments.clone();
        let (owner, method, _, _) = self.handle(bootstrap.handle)?;
        match (owner.as_str(), method.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", _) => self.check_lambda(site, &arguments),
            ("java/lang/invoke/StringConcatFactory", _) => match descriptor::split_method(site) {
                Some((_, result)) if self.converts("Ljava/lang/String;", result, false)? => Ok(()),
                _ => wrong("a string concatenation whose result is no String"),
            },
            ("java/lang/runtime/ObjectMethods", _) => {
                self.check_record_method(name, site, &arguments)
            }
            _ => Ok(()),
        }
    }

    /// Class, name, descriptor and kind of a method handle in the pool.
    fn handle(&mut self, index: u16) -> Result<(String, String, String, u8), VerificationFailure> {
        let Constant::MethodHandle { kind, reference } = self.file.constant(index)? else {
            return wrong(format!("constant {index} is no method handle"));
        };
        let Constant::Method {
            class,
            name_and_type,
            ..
        } = self.file.constant(reference)?
        else {
            return wrong(format!("constant {index} is no handle of a method"));
        };
        let class = self.class_constant(i32::from(class))?;
        let vm = &mut *self.types.vm;
        let (name, descriptor) = vm.pool_name_and_type(self.file, name_and_type)?;
        Ok((
            vm.text(class).to_owned(),
            vm.text(name).to_owned(),
            vm.text(descriptor).to_owned(),
            kind,
        ))
    }

    fn method_type(&mut self, index: Option<&u16>) -> Result<String, VerificationFailure> {
        let index = index.copied().unwrap_or(0);
        let Constant::MethodType(text) = self.file.constant(index)? else {
            return wrong(format!("constant {index} is no method type"));
        };
        let text = self.types.vm.pool_text(self.file, text)?;
        Ok(self.types.vm.text(text).to_owned())
    }

    /// `LambdaMetafactory`: the captured and passed values must have the parameter types of the
    /// implementation, and its result the type of the interface method's.
    fn check_lambda(&mut self, site: &str, arguments: &[u16]) -> Result<(), VerificationFailure> {
        let malformed = || VerificationFailure::Wrong("a lambda of a malformed type".to_owned());
        let mut erased = vec![self.method_type(arguments.first())?];
        let instantiated = self.method_type(arguments.get(2))?;
        for index in arguments.iter().skip(3) {
            if let Constant::MethodType(_) = self.file.constant(*index)? {
                erased.push(self.method_type(Some(index))?);
            }
        }
        let handle = arguments.get(1).copied().ok_or_else(malformed)?;
        let (owner, name, target, kind) = self.handle(handle)?;
        if (name == "<init>") != (kind == NEW) || name == "<clinit>" {
            return wrong(format!("a lambda made of {name}"));
        }
        self.check_is_static(handle, kind)?;
        let (captured, interface) = descriptor::split_method(site).ok_or_else(malformed)?;
        let (given, given_result) =
            descriptor::split_method(&instantiated).ok_or_else(malformed)?;
        let (parameters, result) = descriptor::split_method(&target).ok_or_else(malformed)?;
        let receiver = descriptor::of_class(&owner);
        let mut takes: Vec<&str> = Vec::new();
        if !matches!(kind, STATIC | NEW) {
            takes.push(&receiver);
        }
        takes.extend(parameters);
        if captured.len() + given.len() != takes.len() {
            return Err(malformed());
        }
        self.check_is_interface(interface)?;
        for (index, &needed) in takes.iter().enumerate() {
            let (from, is_captured) = match captured.get(index) {
                Some(from) => (*from, true),
                None => (given[index - captured.len()], false),
            };
            if !self.converts(from, needed, !is_captured)? {
                let (from, needed) = (descriptor::to_java(from), descriptor::to_java(needed));
                return wrong(format!(
                    "a lambda that passes {from} where {needed} is needed"
                ));
            }
        }
        let gives = if kind == NEW {
            receiver.as_str()
        } else {
            result
        };
        for erased in &erased {
            let (own, own_result) = descriptor::split_method(erased).ok_or_else(malformed)?;
            let passes = own.len() == given.len()
                && own.iter().zip(&given).all(|(own, given)| {
                    // References are cast on entry.
                    let (own, given) = (Kind::of(own), Kind::of(given));
                    own == given
                });
            if !passes {
                return Err(malformed());
            }
            // References are cast on return.
            let (from, to) = (Kind::of(gives), Kind::of(given_result));
            let is_cast = from == Kind::Reference && to == Kind::Reference;
            let fits = own_result == "V"
                || Kind::of(own_result) == to
                    && (is_cast || self.converts(gives, given_result, true)?);
            if !fits {
                return wrong("a lambda whose result is not that of its interface");
            }
        }
        Ok(())
    }

    fn check_is_interface(&mut self, descriptor: &str) -> Result<(), VerificationFailure> {
        if Kind::of(descriptor) == Kind::Reference {
            let name = self
                .types
                .vm
                .names
                .intern(descriptor::class_name(descriptor));
            let class = self.types.load(name)?;
            if self.types.vm.class(class).is_interface() {
                return Ok(());
            }
        }
        wrong(format!(
            "a lambda of {}, which is no interface",
            descriptor::to_java(descriptor)
        ))
    }

    /// Checks that a handle's kind agrees with its method being static. A missing method is an
    /// error of the call itself.
    fn check_is_static(&mut self, handle: u16, kind: u8) -> Result<(), VerificationFailure> {
        let Constant::MethodHandle { reference, .. } = self.file.constant(handle)? else {
            return Ok(());
        };
        if let Ok((_, method)) = self.types.vm.pool_method(self.file, reference)
            && self.types.vm.method(method).is_static() != (kind == STATIC)
        {
            return wrong("a method handle of another kind than its method");
        }
        Ok(())
    }

    /// Whether a value of one type can be passed as another. Boxing and widening count only if
    /// `adapts`, because only then is code generated for them.
    fn converts(
        &mut self,
        from: &str,
        to: &str,
        adapts: bool,
    ) -> Result<bool, VerificationFailure> {
        let (from_kind, to_kind) = (Kind::of(from), Kind::of(to));
        Ok(match (from_kind, to_kind) {
            (_, Kind::Void) => true,
            (Kind::Void, _) => false,
            (Kind::Reference, Kind::Reference) => {
                let (VerificationType::Class(from), VerificationType::Class(to)) = (
                    self.types.of_descriptor(from)?,
                    self.types.of_descriptor(to)?,
                ) else {
                    return Ok(false);
                };
                self.types.is_assignable(from, to)?
            }
            (from, to) if from == to => true,
            _ if !adapts => false,
            // A value that is no box is cast to the box of the wanted type.
            (Kind::Reference, to_kind) => {
                let boxed = Kind::of_box(descriptor::class_name(from));
                boxed.is_none_or(|boxed| widens(boxed, to_kind))
            }
            (from_kind, Kind::Reference) => {
                let target = from_kind.boxed_as(to);
                let boxed = descriptor::of_class(target.box_class());
                widens(from_kind, target) && self.converts(&boxed, to, false)?
            }
            (from, to) => widens(from, to),
        })
    }

    /// `ObjectMethods`: the fields must belong to the class that the site passes.
    fn check_record_method(
        &mut self,
        name: &str,
        site: &str,
        arguments: &[u16],
    ) -> Result<(), VerificationFailure> {
        let class = self.class_constant(i32::from(arguments.first().copied().unwrap_or(0)))?;
        let record = descriptor::of_class(self.types.vm.text(class));
        let expected = match name {
            "toString" => format!("({record})Ljava/lang/String;"),
            "hashCode" => format!("({record})I"),
            "equals" => format!("({record}Ljava/lang/Object;)Z"),
            _ => return Ok(()),
        };
        if site == expected {
            Ok(())
        } else {
            wrong(format!("{name} of a record as {site}"))
        }
    }
}

/// Whether a primitive kind equals another or widens to it (JLS §5.1.2).
fn widens(from: Kind, to: Kind) -> bool {
    let numbers = [
        Kind::Byte,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
    ];
    let place = |kind: Kind| numbers.iter().position(|&number| number == kind);
    match (from, to) {
        _ if from == to => true,
        (Kind::Char, to) => place(to) >= place(Kind::Int),
        _ => place(from).is_some() && place(from) < place(to),
    }
}
