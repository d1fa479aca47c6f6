//! Objects of the JDK created by a static method or a constructor with few parameters: dates,
//! decimals, readers and streams over strings and byte arrays, atomics, exceptions. Methods of a
//! program usually return such objects only if they received them as arguments.
//!
//! Invariant: they are created only for parameters declared with one of the types in the table, and
//! none of their other methods is called.

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::sequences::model::Invokable;

/// Method that creates objects of a class of the JDK, and further types of parameters for which it
/// is called. Where a class has several such methods, it is the one that is easiest for the solver.
struct Maker {
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    further: &'static [&'static str],
}

const fn maker(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    further: &'static [&'static str],
) -> Maker {
    Maker {
        class,
        method,
        descriptor,
        further,
    }
}

/// Table of all makers. A later one may take what an earlier one creates, and the reverse.
#[rustfmt::skip]
const MAKERS: [Maker; 48] = [
    maker("java/math/BigDecimal", "valueOf", "(J)Ljava/math/BigDecimal;", &[]),
    maker("java/math/BigInteger", "valueOf", "(J)Ljava/math/BigInteger;", &[]),
    maker("java/math/MathContext", "<init>", "(I)V", &[]),
    maker("java/time/Clock", "fixed", "(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/Clock;", &["java/time/InstantSource"]),
    maker("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;", &["java/time/temporal/TemporalAmount"]),
    maker("java/time/Instant", "ofEpochSecond", "(J)Ljava/time/Instant;", &[]),
    maker("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;", &["java/time/chrono/ChronoLocalDate"]),
    maker("java/time/LocalDateTime", "of", "(IIIII)Ljava/time/LocalDateTime;", &["java/time/temporal/Temporal", "java/time/temporal/TemporalAccessor"]),
    maker("java/time/LocalTime", "of", "(II)Ljava/time/LocalTime;", &[]),
    maker("java/time/OffsetDateTime", "ofInstant", "(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/OffsetDateTime;", &[]),
    maker("java/time/Period", "of", "(III)Ljava/time/Period;", &[]),
    maker("java/time/Year", "of", "(I)Ljava/time/Year;", &[]),
    maker("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;", &[]),
    maker("java/time/ZoneOffset", "ofHours", "(I)Ljava/time/ZoneOffset;", &["java/time/ZoneId"]),
    maker("java/time/ZonedDateTime", "ofInstant", "(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/ZonedDateTime;", &[]),
    maker("java/util/Date", "<init>", "(J)V", &[]),
    maker("java/util/Random", "<init>", "(J)V", &["java/util/random/RandomGenerator"]),
    maker("java/util/UUID", "<init>", "(JJ)V", &[]),
    maker("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V", &["java/lang/Appendable"]),
    maker("java/lang/StringBuffer", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/io/StringReader", "<init>", "(Ljava/lang/String;)V", &["java/io/Reader", "java/lang/Readable"]),
    maker("java/io/BufferedReader", "<init>", "(Ljava/io/Reader;)V", &[]),
    maker("java/io/PushbackReader", "<init>", "(Ljava/io/Reader;)V", &[]),
    maker("java/io/LineNumberReader", "<init>", "(Ljava/io/Reader;)V", &[]),
    maker("java/io/StreamTokenizer", "<init>", "(Ljava/io/Reader;)V", &[]),
    maker("java/io/StringWriter", "<init>", "()V", &["java/io/Writer"]),
    maker("java/io/BufferedWriter", "<init>", "(Ljava/io/Writer;)V", &[]),
    maker("java/io/PrintWriter", "<init>", "(Ljava/io/Writer;)V", &[]),
    maker("java/io/ByteArrayInputStream", "<init>", "([B)V", &["java/io/InputStream"]),
    maker("java/io/BufferedInputStream", "<init>", "(Ljava/io/InputStream;)V", &[]),
    maker("java/io/DataInputStream", "<init>", "(Ljava/io/InputStream;)V", &["java/io/DataInput"]),
    maker("java/io/PushbackInputStream", "<init>", "(Ljava/io/InputStream;)V", &[]),
    maker("java/io/InputStreamReader", "<init>", "(Ljava/io/InputStream;)V", &[]),
    maker("java/io/ByteArrayOutputStream", "<init>", "()V", &["java/io/OutputStream"]),
    maker("java/io/DataOutputStream", "<init>", "(Ljava/io/OutputStream;)V", &["java/io/DataOutput"]),
    maker("java/io/PrintStream", "<init>", "(Ljava/io/OutputStream;)V", &[]),
    maker("java/nio/ByteBuffer", "wrap", "([B)Ljava/nio/ByteBuffer;", &[]),
    maker("java/nio/CharBuffer", "wrap", "(Ljava/lang/CharSequence;)Ljava/nio/CharBuffer;", &[]),
    maker("java/util/Scanner", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/util/StringTokenizer", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/util/BitSet", "valueOf", "([J)Ljava/util/BitSet;", &[]),
    maker("java/util/OptionalInt", "of", "(I)Ljava/util/OptionalInt;", &[]),
    maker("java/util/OptionalLong", "of", "(J)Ljava/util/OptionalLong;", &[]),
    maker("java/util/OptionalDouble", "of", "(D)Ljava/util/OptionalDouble;", &[]),
    maker("java/util/concurrent/atomic/AtomicBoolean", "<init>", "(Z)V", &[]),
    maker("java/util/concurrent/atomic/AtomicInteger", "<init>", "(I)V", &[]),
    maker("java/util/concurrent/atomic/AtomicLong", "<init>", "(J)V", &[]),
    maker("java/lang/IllegalStateException", "<init>", "(Ljava/lang/String;)V", &["java/lang/RuntimeException", "java/lang/Exception", "java/lang/Throwable"]),
];

/// Returns the makers of objects for parameters of a type.
fn for_type(descriptor: &str) -> impl Iterator<Item = &'static Maker> {
    let name = descriptor::class_name(descriptor);
    let is_for = move |maker: &&Maker| maker.class == name || maker.further.contains(&name);
    MAKERS.iter().filter(is_for)
}

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
        for maker in for_type(&taken.descriptor) {
            if let Ok(class) = vm.load_class(maker.class)
                && vm.initialize_now(class).is_ok()
                && let Some(method) = vm.declared_method(class, maker.method, maker.descriptor)
                && !classes.contains(&class)
                && !makers.contains(&(class, method))
            {
                makers.push((class, method));
            }
        }
    }
    makers
}

/// Returns the classes of the objects that are created for parameters of a type.
pub(in crate::sequences) fn created_for(vm: &mut Vm, descriptor: &str) -> Vec<ClassId> {
    let makers = for_type(descriptor);
    makers
        .filter_map(|maker| vm.load_class(maker.class).ok())
        .collect()
}
