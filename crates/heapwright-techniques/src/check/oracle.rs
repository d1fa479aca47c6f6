//! Oracles: static methods of the user that decide whether a call behaved correctly.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::calls::MethodUnderTest;
use crate::{Error, target};

/// Assigns each operation its oracle. A request is `NAME` if one method is checked, else
/// `METHOD=NAME`. `NAME` is `method` of the class under test or `Class.method`.
///
/// # Errors
/// A request names no method that is checked, or no oracle for it.
pub(super) fn assign(
    vm: &mut Vm,
    class: ClassId,
    operations: &mut [MethodUnderTest],
    requests: &[String],
) -> Result<(), Error> {
    for request in requests {
        let (selector, name) = match request.split_once('=') {
            Some((selector, name)) => (Some(selector.trim()), name.trim()),
            None => (None, request.trim()),
        };
        let fits = |operation: &&mut MethodUnderTest| match selector {
            Some(selector) => {
                operation.name == selector || operation.name.split('(').next() == Some(selector)
            }
            None => true,
        };
        let fits = |operation: &&mut MethodUnderTest| operation.has_receiver() && fits(operation);
        let mut fitting: Vec<&mut MethodUnderTest> = operations.iter_mut().filter(fits).collect();
        let [operation] = fitting.as_mut_slice() else {
            let found: Vec<&str> = fitting.iter().map(|found| found.name.as_str()).collect();
            return Err(Error::Bounds(format!(
                "oracle {request}: an oracle is for one method, and {}; say --oracle 'name(types)={name}', \
                 or name one method with -m",
                match found.as_slice() {
                    [] => "none of those checked has that name".to_owned(),
                    found => format!("here it could be {}", found.join(", ")),
                }
            )));
        };
        operation.oracle = Some(find(vm, class, operation, name)?);
    }
    Ok(())
}

fn find(
    vm: &mut Vm,
    class: ClassId,
    operation: &MethodUnderTest,
    name: &str,
) -> Result<MethodId, Error> {
    let (owner, simple) = match name.rsplit_once('.') {
        Some((owner, simple)) => (target::find_class(vm, owner)?, simple),
        None => (class, name),
    };
    let wanted = signature(vm, class, operation);
    let named: Vec<MethodId> = target::methods(vm, owner)
        .into_iter()
        .filter(|&method| vm.text(vm.method(method).name) == simple)
        .collect();
    for &method in &named {
        let this = vm.method(method);
        let text = vm.text(this.descriptor).to_owned();
        if let Some((parameters, "Z")) = descriptor::split_method(&text)
            && this.is_static()
            && parameters.len() == wanted.len()
            && parameters
                .iter()
                .zip(&wanted)
                .all(|(given, (wanted, _))| takes(vm, given, wanted))
        {
            return Ok(method);
        }
    }
    let parameters: Vec<String> = wanted
        .iter()
        .map(|(descriptor, name)| {
            let java = descriptor::to_java(descriptor);
            format!("{java} {name}").trim_end().to_owned()
        })
        .collect();
    Err(Error::MethodNotFound {
        class: vm.binary_name(owner),
        what: "oracle",
        name: format!(
            "static boolean {simple}({}) for {}",
            parameters.join(", "),
            operation.name
        ),
        candidates: named
            .iter()
            .map(|&method| crate::statements::name_of(vm, method))
            .collect(),
    })
}

/// Parameters of an oracle: descriptors, with names where the type alone does not identify them.
fn signature(vm: &Vm, class: ClassId, operation: &MethodUnderTest) -> Vec<(String, &'static str)> {
    let own = descriptor::of_class(vm.class_name(class));
    let text = vm.text(vm.method(operation.call.method).descriptor);
    let (parameters, result) = descriptor::split_method(text).unwrap_or_default();
    let mut wanted = vec![(own.clone(), "before")];
    wanted.extend(
        parameters
            .iter()
            .map(|&descriptor| (descriptor.to_owned(), "")),
    );
    wanted.push((own, "after"));
    if result != "V" {
        wanted.push((result.to_owned(), "result"));
    }
    wanted
}

/// Whether a parameter of type `given` accepts every value of type `wanted`.
pub(super) fn takes(vm: &mut Vm, given: &str, wanted: &str) -> bool {
    if given == wanted {
        return true;
    }
    if Kind::of(given) != Kind::Reference || Kind::of(wanted) != Kind::Reference {
        return false;
    }
    let mut class = |descriptor: &str| vm.load_class(descriptor::class_name(descriptor)).ok();
    match (class(wanted), class(given)) {
        (Some(wanted), Some(given)) => vm.is_subclass(wanted, given),
        _ => false,
    }
}
