//! Values of the JDK's that are made by a static method or a constructor of few numbers: dates, durations,
//! decimals. What methods of the program return of them they were given, as a rule: they have to come from
//! somewhere.
//!
//! Invariant: they are there for arguments that are declared as their class, and have no other methods.

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::sequences::model::Invokable;

/// What makes values of which class: those that take least to decide what comes of them.
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

/// The methods that make values for arguments, in the order of the invokables: of none of the system's `classes`,
/// which has methods of its own that do.
pub(in crate::sequences) fn makers(
    vm: &mut Vm,
    invokables: &[Invokable],
    classes: &[ClassId],
) -> Vec<(ClassId, MethodId)> {
    let mut makers = Vec::new();
    let taken = invokables.iter().flat_map(|one| &one.takes);
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
