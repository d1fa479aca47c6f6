//! Objects of the JDK created by a method or a constructor with few parameters, or held by a
//! constant: dates, decimals, readers and streams over strings and byte arrays, atomics, exceptions,
//! charsets; collections.

use heapwright_jvm::{Vm, descriptor};

use super::{AccessedField, MethodCall};

/// Method that creates objects of a class of the JDK, or constant, and further types of parameters
/// for which it is used. Where a class has several such methods, it is the one that is easiest for
/// the solver. A method with a receiver is called on the result of another maker.
pub(crate) struct JdkMaker {
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
) -> JdkMaker {
    JdkMaker {
        class,
        method,
        descriptor,
        further,
    }
}

/// Table of all makers. A later one may take what an earlier one creates, and the reverse.
#[rustfmt::skip]
const MAKERS: [JdkMaker; 77] = [
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

/// JDK classes of collections, each with the types for which it is created.
pub(crate) const MADE_FOR: [(&str, &[&str]); 7] = [
    (
        "java/util/ArrayList",
        &[
            "java/lang/Iterable",
            "java/util/Collection",
            "java/util/SequencedCollection",
            "java/util/List",
            "java/util/AbstractCollection",
            "java/util/AbstractList",
        ],
    ),
    (
        "java/util/ArrayDeque",
        &["java/util/Queue", "java/util/Deque"],
    ),
    (
        "java/util/LinkedHashSet",
        &[
            "java/util/Set",
            "java/util/SequencedSet",
            "java/util/AbstractSet",
        ],
    ),
    (
        "java/util/TreeSet",
        &["java/util/SortedSet", "java/util/NavigableSet"],
    ),
    ("java/util/LinkedHashMap", &["java/util/SequencedMap"]),
    (
        "java/util/HashMap",
        &["java/util/Map", "java/util/AbstractMap"],
    ),
    (
        "java/util/TreeMap",
        &["java/util/SortedMap", "java/util/NavigableMap"],
    ),
];

/// Iterator types, each with the method of a list that returns one.
pub(crate) const WALKERS: [(&str, &str); 2] = [
    ("java/util/Iterator", "iterator"),
    ("java/util/ListIterator", "listIterator"),
];

/// The entry type of maps, and the class that is created for it.
pub(crate) const ENTRY: (&str, &str) = ("java/util/Map$Entry", "java/util/AbstractMap$SimpleEntry");

/// Whether a type of the JDK is one of collections, iterators or entries of maps.
pub(crate) fn is_of_collections(name: &str) -> bool {
    let mut made_for = MADE_FOR.iter().flat_map(|(_, types)| types.iter());
    let mut walkers = WALKERS.iter();
    made_for.any(|one| *one == name) || walkers.any(|one| one.0 == name) || name == ENTRY.0
}

/// Member of the JDK that creates objects or holds one.
pub(crate) enum JdkMember {
    /// A static method, a constructor, or a method of another object.
    Call(MethodCall),
    /// A static field.
    Constant(AccessedField),
}

impl JdkMaker {
    /// Returns the member, its class initialised; `None` if it cannot be used.
    pub fn member(&self, vm: &mut Vm) -> Option<JdkMember> {
        let class = vm.load_class(self.class).ok()?;
        vm.initialize_now(class).ok()?;
        if !self.descriptor.starts_with('(') {
            return Some(JdkMember::Constant(AccessedField {
                class,
                name: self.method.to_owned(),
                descriptor: self.descriptor.to_owned(),
                is_static: true,
            }));
        }
        let method = vm.declared_method(class, self.method, self.descriptor)?;
        Some(JdkMember::Call(MethodCall::of(vm, class, method)))
    }

    /// Returns the internal name of the class of its objects.
    pub fn created(&self) -> &'static str {
        match self.descriptor.split_once(')') {
            Some((_, "V")) => self.class,
            Some((_, result)) => descriptor::class_name(result),
            None => descriptor::class_name(self.descriptor),
        }
    }
}

/// Returns the makers of objects for parameters of a type.
pub(crate) fn for_type(descriptor: &str) -> impl Iterator<Item = &'static JdkMaker> {
    let name = descriptor::class_name(descriptor);
    let is_for = move |maker: &&JdkMaker| maker.class == name || maker.further.contains(&name);
    MAKERS.iter().filter(is_for)
}

/// Returns strings for the arguments of a maker; none unless it parses them.
pub(crate) fn texts(vm: &Vm, call: MethodCall) -> &'static [&'static str] {
    let name = vm.class_name(call.class);
    let types = vm.text(vm.method(call.method).descriptor);
    let mut makers = MAKERS.iter();
    let is_maker = makers.any(|maker| maker.class == name && maker.descriptor == types);
    let known = TEXTS.iter().find(|(class, _)| is_maker && *class == name);
    known.map_or(&[], |(_, texts)| texts)
}
