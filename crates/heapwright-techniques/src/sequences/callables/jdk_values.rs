//! JDK value classes created by a static method or a constructor with few numbers: dates,
//! durations, decimals. Methods of a program usually return such values only if they received them
//! as arguments.
//!
//! Invariant: they are created only for parameters declared with their class, and none of their
//! other methods is called.

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::sequences::model::Invokable;

/// Classes with the method that creates their values; the methods are those that are easiest for
/// the solver.
const MAKERS: [(&str, &str, &str); 14] = [
    (
        "java/math/BigDecimal",
        "valueOf",
        "(J)Ljava/math/BigDecimal;",
    ),
    (
        "java/math/BigInteger",
        "valueOf",
        "(J)Ljava/math/BigInteger;",
    ),
    ("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;"),
    (
        "java/time/Instant",
        "ofEpochSecond",
        "(J)Ljava/time/Instant;",
    ),
    ("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;"),
    (
        "java/time/LocalDateTime",
        "of",
        "(IIIII)Ljava/time/LocalDateTime;",
    ),
    ("java/time/LocalTime", "of", "(II)Ljava/time/LocalTime;"),
    ("java/time/Period", "of", "(III)Ljava/time/Period;"),
    ("java/time/Year", "of", "(I)Ljava/time/Year;"),
    ("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;"),
    ("java/util/Date", "<init>", "(J)V"),
    ("java/util/Random", "<init>", "(J)V"),
    ("java/util/UUID", "<init>", "(JJ)V"),
    ("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V"),
];

/// Returns the methods that create values for parameters, in the order of the invokables. The
/// system's `classes` are excluded, since their own methods are invokables.
pub(in crate::sequences) fn makers(
    vm: &mut Vm,
    invokables: &[Invokable],
    classes: &[ClassId],
) -> Vec<(ClassId, MethodId)> {
    let mut makers = Vec::new();
    let taken = invokables.iter().flat_map(|one| &one.parameters);
    for taken in taken.filter(|taken| !taken.is_receiver) {
        let name = descriptor::class_name(&taken.descriptor);
        for (class, method, descriptor) in MAKERS {
            if class == name
                && let Ok(class) = vm.load_class(class)
                && vm.initialize_now(class).is_ok()
                && let Some(method) = vm.declared_method(class, method, descriptor)
                && !classes.contains(&class)
                && !makers.contains(&(class, method))
            {
                makers.push((class, method));
            }
        }
    }
    makers
}
