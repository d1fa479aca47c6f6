//! Objects of the JDK created by a method or a constructor with few parameters, or held by a
//! constant: dates, decimals, readers and streams over strings and byte arrays, atomics, exceptions,
//! charsets. Methods of a program usually return such objects only if they received them as
//! arguments.
//!
//! Invariant: they are created only for parameters declared with one of the types in the table, and
//! none of their other methods is called.

use std::collections::BTreeSet;

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::invokables::Scope;
use crate::statements::{Field, Invokable, StatementKind};

/// Method that creates objects of a class of the JDK, or constant, and further types of parameters
/// for which it is used. Where a class has several such methods, it is the one that is easiest for
/// the solver. A method with a receiver is called on the result of another maker.
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
const MAKERS: [Maker; 77] = [
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
    maker("java/io/IOException", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/lang/Error", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/lang/Thread", "<init>", "()V", &[]),
    maker("java/io/File", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/nio/file/Path", "of", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", &[]),
    maker("java/nio/charset/StandardCharsets", "UTF_8", "Ljava/nio/charset/Charset;", &["java/nio/charset/Charset"]),
    maker("java/nio/charset/StandardCharsets", "ISO_8859_1", "Ljava/nio/charset/Charset;", &["java/nio/charset/Charset"]),
    maker("java/nio/IntBuffer", "wrap", "([I)Ljava/nio/IntBuffer;", &[]),
    maker("java/nio/LongBuffer", "wrap", "([J)Ljava/nio/LongBuffer;", &[]),
    maker("java/net/URI", "create", "(Ljava/lang/String;)Ljava/net/URI;", &["java/net/URL"]),
    maker("java/net/URI", "toURL", "()Ljava/net/URL;", &["java/net/URL"]),
    maker("java/text/FieldPosition", "<init>", "(I)V", &[]),
    maker("java/text/ParsePosition", "<init>", "(I)V", &[]),
    maker("java/util/Currency", "getInstance", "(Ljava/lang/String;)Ljava/util/Currency;", &[]),
    maker("java/util/Locale", "ROOT", "Ljava/util/Locale;", &["java/util/Locale"]),
    maker("java/util/Locale", "GERMANY", "Ljava/util/Locale;", &["java/util/Locale"]),
    maker("java/util/Optional", "empty", "()Ljava/util/Optional;", &[]),
    maker("java/util/Optional", "of", "(Ljava/lang/Object;)Ljava/util/Optional;", &[]),
    maker("java/util/SimpleTimeZone", "<init>", "(ILjava/lang/String;)V", &["java/util/TimeZone"]),
    maker("java/util/concurrent/CountDownLatch", "<init>", "(I)V", &[]),
    maker("java/util/concurrent/Semaphore", "<init>", "(I)V", &[]),
    maker("java/util/concurrent/atomic/AtomicReference", "<init>", "(Ljava/lang/Object;)V", &[]),
    maker("java/util/concurrent/locks/ReentrantLock", "<init>", "()V", &["java/util/concurrent/locks/Lock"]),
    maker("java/util/regex/Pattern", "compile", "(Ljava/lang/String;)Ljava/util/regex/Pattern;", &[]),
    maker("java/util/stream/DoubleStream", "of", "([D)Ljava/util/stream/DoubleStream;", &[]),
    maker("java/util/stream/IntStream", "of", "([I)Ljava/util/stream/IntStream;", &[]),
    maker("java/util/stream/LongStream", "of", "([J)Ljava/util/stream/LongStream;", &[]),
    maker("java/util/stream/Stream", "empty", "()Ljava/util/stream/Stream;", &[]),
    maker("java/util/stream/Stream", "of", "(Ljava/lang/Object;)Ljava/util/stream/Stream;", &[]),
];

/// Strings for makers that parse them, which the solver would not find.
const TEXTS: [(&str, &[&str]); 6] = [
    ("java/util/regex/Pattern", &["[a-c]+", "a"]),
    ("java/nio/file/Path", &["a", "a/b.c"]),
    ("java/io/File", &["a", "a/b.c"]),
    ("java/net/URI", &["http://a/b?c", "a"]),
    ("java/util/Currency", &["EUR", "JPY"]),
    ("java/math/BigDecimal", &["1.5"]),
];

/// Members that make objects.
#[derive(Clone, Debug, Default)]
pub(in crate::sequences) struct Makers {
    /// Methods and constructors, with their owners.
    pub methods: Vec<(ClassId, MethodId)>,
    /// Static fields.
    pub constants: Vec<Field>,
}

impl Makers {
    /// Returns the number of members.
    pub fn count(&self) -> usize {
        self.methods.len() + self.constants.len()
    }

    /// Adds the members to a scope; returns whether one is new there.
    pub fn add_to(self, scope: &mut Scope) -> bool {
        let before = scope.factories.len() + scope.constants.len();
        for method in self.methods {
            if !scope.factories.contains(&method) {
                scope.factories.push(method);
            }
        }
        for constant in self.constants {
            if !scope.constants.contains(&constant) {
                scope.constants.push(constant);
            }
        }
        scope.factories.len() + scope.constants.len() > before
    }
}

/// Returns the makers of objects for parameters of a type.
fn for_type(descriptor: &str) -> impl Iterator<Item = &'static Maker> {
    let name = descriptor::class_name(descriptor);
    let is_for = move |maker: &&Maker| maker.class == name || maker.further.contains(&name);
    MAKERS.iter().filter(is_for)
}

/// Returns the members that create values for parameters, and for their own parameters, in the
/// order of the invokables. The system's `classes` are excluded, since their own methods are
/// invokables.
pub(in crate::sequences) fn makers(
    vm: &mut Vm,
    invokables: &[Invokable],
    classes: &[ClassId],
) -> Makers {
    let mut makers = Makers::default();
    let taken = invokables.iter().flat_map(|one| &one.parameters);
    let taken = taken.filter(|taken| !taken.is_receiver);
    let mut types: Vec<String> = Vec::new();
    for taken in taken {
        if !types.contains(&taken.descriptor) {
            types.push(taken.descriptor.clone());
        }
    }
    let mut at = 0;
    while at < types.len() {
        for maker in for_type(&types[at].clone()) {
            if let Some(parameters) = maker.add_to(vm, classes, &mut makers) {
                types.extend(parameters);
                let mut known = BTreeSet::new();
                types.retain(|one| known.insert(one.clone()));
            }
        }
        at += 1;
    }
    makers
}

impl Maker {
    /// Adds the member, and returns the types of its parameters and its receiver; `None` if it is
    /// known or cannot be used.
    fn add_to(&self, vm: &mut Vm, classes: &[ClassId], makers: &mut Makers) -> Option<Vec<String>> {
        let class = vm.load_class(self.class).ok()?;
        vm.initialize_now(class).ok()?;
        if classes.contains(&class) {
            return None;
        }
        if !self.descriptor.starts_with('(') {
            let constant = Field {
                class,
                name: self.method.to_owned(),
                descriptor: self.descriptor.to_owned(),
                is_static: true,
            };
            if !makers.constants.contains(&constant) {
                makers.constants.push(constant);
            }
            return None;
        }
        let method = vm.declared_method(class, self.method, self.descriptor)?;
        if makers.methods.contains(&(class, method)) {
            return None;
        }
        makers.methods.push((class, method));
        let (parameters, _) = descriptor::split_method(self.descriptor)?;
        let parameters = parameters.into_iter().map(str::to_owned);
        let is_static = vm.method(method).is_static() || self.method == "<init>";
        let receiver = (!is_static).then(|| descriptor::of_class(self.class));
        Some(parameters.chain(receiver).collect())
    }
}

/// Returns strings for the arguments of a maker.
pub(in crate::sequences) fn texts(vm: &Vm, invokable: &Invokable) -> &'static [&'static str] {
    let StatementKind::Call(call) = invokable.kind else {
        return &[];
    };
    let (name, method) = (vm.class_name(call.class), vm.method(call.method));
    let types = vm.text(method.descriptor);
    let mut makers = MAKERS.iter();
    let is_maker = makers
        .any(|maker| !call.has_receiver() && maker.class == name && maker.descriptor == types);
    let known = TEXTS.iter().find(|(class, _)| is_maker && *class == name);
    known.map_or(&[], |(_, texts)| texts)
}

/// Returns the classes of the objects that are created for parameters of a type.
pub(in crate::sequences) fn created_for(vm: &mut Vm, descriptor: &str) -> Vec<ClassId> {
    let makers = for_type(descriptor);
    let created = makers.map(|maker| match maker.descriptor.split_once(')') {
        Some((_, "V")) => maker.class,
        Some((_, result)) => descriptor::class_name(result),
        None => descriptor::class_name(maker.descriptor),
    });
    created
        .filter_map(|class| vm.load_class(class).ok())
        .collect()
}
