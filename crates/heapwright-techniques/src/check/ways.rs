//! Conversions to another implementation: the makers of its objects, and the observers that compare
//! them.

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::oracle::takes;
use crate::packages::TestPackage;
use crate::target;

/// Method that makes an object of the other class from a structure.
#[derive(Clone, Copy)]
pub(super) enum ObjectMaker {
    Constructor(MethodId),
    Static(MethodId),
    /// An instance method of the class under test.
    Receiver(MethodId),
}

/// Whether objects of this class can be compared, by content or by their own `equals`.
pub(super) fn is_comparable(vm: &mut Vm, class: ClassId) -> bool {
    if let Shape::Array(_) = vm.class(class).shape {
        return true;
    }
    let known = ["java/lang/Iterable", "java/util/Map", "java/util/Iterator"];
    known.iter().any(|name| {
        let known = vm.load_class(name);
        known.is_ok_and(|known| vm.is_subclass(class, known))
    }) || vm.class(class).display.clone().into_iter().any(|above| {
        vm.class_name(above) != "java/lang/Object"
            && vm
                .declared_method(above, "equals", "(Ljava/lang/Object;)Z")
                .is_some()
    })
}

/// Returns the class's public methods without parameters whose results can be compared.
pub(super) fn observers(vm: &mut Vm, class: ClassId) -> Vec<MethodId> {
    let methods = target::methods(vm, class).into_iter();
    let candidates = methods.filter(|&method| {
        let this = vm.method(method);
        let hidden = flags::STATIC | flags::SYNTHETIC | flags::BRIDGE;
        this.flags & hidden == 0
            && this.flags & flags::PUBLIC != 0
            && vm.text(this.descriptor).starts_with("()")
            && vm.class_name(this.class) != "java/lang/Object"
            && vm.text(this.name) != "hashCode"
    });
    let candidates: Vec<MethodId> = candidates.collect();
    let is_comparable = |method: &MethodId| {
        let this = vm.method(*method);
        let result = vm.text(this.descriptor)["()".len()..].to_owned();
        match this.result {
            Kind::Void => false,
            // The type may be an erased type variable.
            Kind::Reference if result == "Ljava/lang/Object;" => true,
            Kind::Reference => {
                let class = vm.load_class(descriptor::class_name(&result));
                class.is_ok_and(|class| is_comparable(vm, class))
            }
            _ => true,
        }
    };
    candidates.into_iter().filter(is_comparable).collect()
}

/// Returns the preferred conversion between two classes. Candidates in order: a constructor of the
/// other class, its static method, a static method of the class, an instance method. Constructors
/// and static methods have one parameter.
pub(super) fn maker(vm: &mut Vm, class: ClassId, other: ClassId) -> Option<ObjectMaker> {
    let own = descriptor::of_class(vm.class_name(class));
    let wanted = descriptor::of_class(vm.class_name(other));
    let mut ways: Vec<(u8, String, ObjectMaker)> = Vec::new();
    let package = TestPackage::of(vm, class);
    for owner in [other, class] {
        for method in vm.class(owner).methods.clone() {
            let this = vm.method(method);
            if !package.opens(vm, this.class, this.flags)
                || this.flags & (flags::ABSTRACT | flags::SYNTHETIC | flags::BRIDGE) != 0
            {
                continue;
            }
            let (is_static, name) = (this.is_static(), vm.text(this.name).to_owned());
            let text = vm.text(this.descriptor).to_owned();
            let Some((parameters, result)) = descriptor::split_method(&text) else {
                continue;
            };
            let takes_own = match parameters.as_slice() {
                [only] => *only != "Ljava/lang/Object;" && takes(vm, only, &own),
                _ => false,
            };
            let way = match (name.as_str(), is_static) {
                ("<init>", _) if owner == other && takes_own => {
                    (0, ObjectMaker::Constructor(method))
                }
                (_, true) if takes_own && takes(vm, &wanted, result) => {
                    (1 + u8::from(owner == class), ObjectMaker::Static(method))
                }
                (_, false) if owner == class && parameters.is_empty() => {
                    match takes(vm, &wanted, result) {
                        true => (3, ObjectMaker::Receiver(method)),
                        false => continue,
                    }
                }
                _ => continue,
            };
            let parameter = parameters.first().copied().unwrap_or_default();
            ways.push((way.0, parameter.to_owned(), way.1));
        }
    }
    let best = ways.iter().map(|way| way.0).min()?;
    ways.retain(|way| way.0 == best);
    // The most specific parameter wins, as in Java overload resolution.
    let least = (0..ways.len()).find(|&way| {
        let parameter = ways[way].1.clone();
        let mut others = ways.iter();
        best == 3 || others.all(|other| takes(vm, &other.1, &parameter))
    });
    Some(ways.swap_remove(least.unwrap_or(0)).2)
}
