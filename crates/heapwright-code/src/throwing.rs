//! Exceptions that instructions throw by themselves (JVMS §6.5), without linkage and memory
//! errors.

use heapwright_jvm::Operation;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{Invoke, ListedOperation};

use crate::Operands;

/// Exception that an instruction throws by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrown {
    /// `NullPointerException`
    Null,
    /// `ArrayIndexOutOfBoundsException`
    Index,
    /// `ArrayStoreException`
    Store,
    /// `ArithmeticException`
    Arithmetic,
    /// `ClassCastException`
    Cast,
    /// `NegativeArraySizeException`
    Size,
}

impl Thrown {
    /// The internal name of the class.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Thrown::Null => "java/lang/NullPointerException",
            Thrown::Index => "java/lang/ArrayIndexOutOfBoundsException",
            Thrown::Store => "java/lang/ArrayStoreException",
            Thrown::Arithmetic => "java/lang/ArithmeticException",
            Thrown::Cast => "java/lang/ClassCastException",
            Thrown::Size => "java/lang/NegativeArraySizeException",
        }
    }
}

/// Returns the exceptions that an instruction can throw by itself, given facts about its
/// operands. The exception of an `athrow` and those of callees do not count.
#[must_use]
pub fn thrown(step: &ListedOperation, operands: Operands) -> Vec<Thrown> {
    let mut thrown = Vec::new();
    let uses_object = match step {
        ListedOperation::GetField(_, is_static) | ListedOperation::PutField(_, is_static) => {
            !is_static
        }
        ListedOperation::Invoke(how, _) => *how != Invoke::Static,
        ListedOperation::ArrayLength
        | ListedOperation::ArrayLoad(_)
        | ListedOperation::ArrayStore(_)
        | ListedOperation::Monitor(true) => true,
        _ => false,
    };
    if uses_object && operands.may_be_null {
        thrown.push(Thrown::Null);
    }
    let checked = match step {
        ListedOperation::ArrayLoad(_) | ListedOperation::ArrayStore(_) => {
            thrown.push(Thrown::Index);
            matches!(step, ListedOperation::ArrayStore(Kind::Reference)).then_some(Thrown::Store)
        }
        ListedOperation::Operate(Operation::Div | Operation::Rem, Kind::Int | Kind::Long) => {
            Some(Thrown::Arithmetic)
        }
        ListedOperation::CheckCast(_) => Some(Thrown::Cast),
        ListedOperation::NewArray(..) => Some(Thrown::Size),
        _ => None,
    };
    thrown.extend(checked.filter(|_| !operands.pass_other_checks));
    thrown
}

/// Whether an instruction can throw by itself if nothing is known about its operands. Monitor
/// instructions and null receivers of constructors do not count.
#[must_use]
pub fn can_throw(step: &ListedOperation) -> bool {
    match step {
        ListedOperation::Invoke(how, member) => *how != Invoke::Static && member.name != "<init>",
        ListedOperation::Monitor(_) => false,
        step => !thrown(step, Operands::UNKNOWN).is_empty(),
    }
}
