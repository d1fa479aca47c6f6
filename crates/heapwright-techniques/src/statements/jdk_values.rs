//! Objects of the JDK created by a method or a constructor with few parameters, or held by a
//! constant: dates, decimals, readers and streams over strings and byte arrays, atomics, exceptions,
//! charsets; collections. Classes of the JDK without a row in the table have the simplest of their
//! own public members. Ranges of Scala are made in the same way.

use std::borrow::Cow;

use heapwright_jvm::Vm;
use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};

use super::containers::is_container;
use super::{AccessedField, MethodCall, is_value};

/// Method that creates objects of a class of a library, or constant, and further types of parameters
/// for which it is used. Where a class has several such methods, it is the one that is easiest for
/// the solver. A method with a receiver is called on the result of another maker.
#[derive(Clone)]
pub(crate) struct JdkMaker {
    class: Cow<'static, str>,
    member: Cow<'static, str>,
    descriptor: Cow<'static, str>,
    further: &'static [&'static str],
}

const fn maker(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    further: &'static [&'static str],
) -> JdkMaker {
    JdkMaker {
        class: Cow::Borrowed(class),
        member: Cow::Borrowed(method),
        descriptor: Cow::Borrowed(descriptor),
        further,
    }
}

/// Table of all makers. A later one may take what an earlier one creates, and the reverse.
#[rustfmt::skip]
static MAKERS: [JdkMaker; 99] = [
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
    maker("java/util/GregorianCalendar", "<init>", "(III)V", &["java/util/Calendar"]),
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
    maker("java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", &[]),
    maker("java/lang/Class", "getMethod", "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;", &["java/lang/reflect/AccessibleObject", "java/lang/reflect/AnnotatedElement", "java/lang/reflect/Executable", "java/lang/reflect/Member"]),
    maker("java/lang/Class", "getField", "(Ljava/lang/String;)Ljava/lang/reflect/Field;", &[]),
    maker("java/lang/Class", "getConstructor", "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;", &[]),
    maker("java/lang/StackTraceElement", "<init>", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V", &[]),
    maker("java/lang/Thread", "<init>", "()V", &[]),
    maker("java/io/File", "<init>", "(Ljava/lang/String;)V", &[]),
    maker("java/nio/file/Path", "of", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", &[]),
    maker("java/nio/charset/StandardCharsets", "UTF_8", "Ljava/nio/charset/Charset;", &["java/nio/charset/Charset"]),
    maker("java/nio/charset/StandardCharsets", "ISO_8859_1", "Ljava/nio/charset/Charset;", &["java/nio/charset/Charset"]),
    maker("java/nio/IntBuffer", "wrap", "([I)Ljava/nio/IntBuffer;", &[]),
    maker("java/nio/LongBuffer", "wrap", "([J)Ljava/nio/LongBuffer;", &[]),
    maker("java/net/InetAddress", "getByAddress", "([B)Ljava/net/InetAddress;", &[]),
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
    maker("java/util/regex/Pattern", "matcher", "(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;", &["java/util/regex/Matcher", "java/util/regex/MatchResult"]),
    maker("java/util/concurrent/CompletableFuture", "completedFuture", "(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;", &["java/util/concurrent/CompletionStage", "java/util/concurrent/Future"]),
    maker("java/util/regex/Pattern", "compile", "(Ljava/lang/String;)Ljava/util/regex/Pattern;", &[]),
    maker("java/util/stream/DoubleStream", "of", "([D)Ljava/util/stream/DoubleStream;", &[]),
    maker("java/util/stream/IntStream", "of", "([I)Ljava/util/stream/IntStream;", &[]),
    maker("java/util/stream/LongStream", "of", "([J)Ljava/util/stream/LongStream;", &[]),
    maker("java/util/stream/Stream", "empty", "()Ljava/util/stream/Stream;", &[]),
    maker("java/util/stream/Stream", "of", "(Ljava/lang/Object;)Ljava/util/stream/Stream;", &[]),
    maker("javax/xml/parsers/DocumentBuilderFactory", "newDefaultInstance", "()Ljavax/xml/parsers/DocumentBuilderFactory;", &[]),
    maker("javax/xml/parsers/DocumentBuilderFactory", "newDocumentBuilder", "()Ljavax/xml/parsers/DocumentBuilder;", &[]),
    maker("javax/xml/parsers/DocumentBuilder", "newDocument", "()Lorg/w3c/dom/Document;", &[]),
    maker("org/w3c/dom/Document", "createElement", "(Ljava/lang/String;)Lorg/w3c/dom/Element;", &["org/w3c/dom/Node"]),
    maker("org/w3c/dom/Document", "createAttribute", "(Ljava/lang/String;)Lorg/w3c/dom/Attr;", &[]),
    maker("org/w3c/dom/Document", "createTextNode", "(Ljava/lang/String;)Lorg/w3c/dom/Text;", &["org/w3c/dom/CharacterData"]),
    maker("org/w3c/dom/Document", "createComment", "(Ljava/lang/String;)Lorg/w3c/dom/Comment;", &[]),
    maker("org/w3c/dom/Element", "setAttribute", "(Ljava/lang/String;Ljava/lang/String;)V", &["org/w3c/dom/NamedNodeMap"]),
    maker("org/w3c/dom/Node", "appendChild", "(Lorg/w3c/dom/Node;)Lorg/w3c/dom/Node;", &["org/w3c/dom/Document", "org/w3c/dom/Element", "org/w3c/dom/NodeList"]),
    maker("org/w3c/dom/Node", "getChildNodes", "()Lorg/w3c/dom/NodeList;", &[]),
    maker("org/w3c/dom/Node", "getAttributes", "()Lorg/w3c/dom/NamedNodeMap;", &[]),
    // An open step is hard for the solver.
    maker("scala/collection/immutable/Range$", "MODULE$", "Lscala/collection/immutable/Range$;", &[]),
    maker("scala/collection/immutable/Range$", "apply", "(II)Lscala/collection/immutable/Range$Exclusive;", &["scala/collection/immutable/Range"]),
];

/// Members of the table that not every release has, each with the older one that does the same.
#[rustfmt::skip]
static OLDER: [((&str, &str), JdkMaker); 2] = [
    (("java/nio/file/Path", "of"), maker("java/nio/file/Paths", "get", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", &[])),
    (("javax/xml/parsers/DocumentBuilderFactory", "newDefaultInstance"), maker("javax/xml/parsers/DocumentBuilderFactory", "newInstance", "()Ljavax/xml/parsers/DocumentBuilderFactory;", &[])),
];

/// Strings for makers that parse them, which the solver would not find: for one member, or for all
/// that need no receiver.
const TEXTS: [(&str, Option<&str>, &[&str]); 18] = [
    ("java/lang/Class", Some("forName"), &["java.lang.String"]),
    ("java/lang/Class", Some("getMethod"), &["length", "trim"]),
    (
        "java/lang/Class",
        Some("getField"),
        &["CASE_INSENSITIVE_ORDER"],
    ),
    ("java/security/MessageDigest", None, &["SHA-256", "MD5"]),
    ("java/text/DecimalFormat", None, &["0.00"]),
    ("java/text/MessageFormat", None, &["{0} a {1}"]),
    ("java/text/SimpleDateFormat", None, &["yyyy-MM-dd HH:mm"]),
    ("java/time/format/DateTimeFormatter", None, &["yyyy-MM-dd"]),
    ("java/util/regex/Pattern", None, &["[a-c]+", "a"]),
    ("java/nio/file/Path", None, &["a", "a/b.c"]),
    ("java/nio/file/Paths", None, &["a", "a/b.c"]),
    ("java/io/File", None, &["a", "a/b.c"]),
    ("java/net/URI", None, &["http://a/b?c", "a"]),
    ("java/util/Currency", None, &["EUR", "JPY"]),
    ("java/math/BigDecimal", None, &["1.5"]),
    ("org/w3c/dom/Document", Some("createElement"), &["a", "b"]),
    ("org/w3c/dom/Document", Some("createAttribute"), &["a", "b"]),
    ("org/w3c/dom/Element", Some("setAttribute"), &["a", "b"]),
];

/// JDK classes of collections, each with the types for which it is created.
pub(crate) const MADE_FOR: [(&str, &[&str]); 13] = [
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
    (
        "java/util/LinkedList",
        &["java/util/AbstractSequentialList"],
    ),
    ("java/util/PriorityQueue", &["java/util/AbstractQueue"]),
    (
        "java/util/concurrent/LinkedBlockingDeque",
        &[
            "java/util/concurrent/BlockingQueue",
            "java/util/concurrent/BlockingDeque",
        ],
    ),
    (
        "java/util/concurrent/LinkedTransferQueue",
        &["java/util/concurrent/TransferQueue"],
    ),
    (
        "java/util/concurrent/ConcurrentHashMap",
        &["java/util/concurrent/ConcurrentMap"],
    ),
    (
        "java/util/concurrent/ConcurrentSkipListMap",
        &["java/util/concurrent/ConcurrentNavigableMap"],
    ),
];

/// Collections of constants of an enum, each with the member that creates an empty one of the enum's
/// class.
pub(crate) const OF_ENUMS: [(&str, &str, &str); 2] = [
    (
        "java/util/EnumSet",
        "noneOf",
        "(Ljava/lang/Class;)Ljava/util/EnumSet;",
    ),
    ("java/util/EnumMap", "<init>", "(Ljava/lang/Class;)V"),
];

/// Enum of the JDK that stands for any enum.
pub(crate) const SAMPLE_ENUM: &str = "java/util/concurrent/TimeUnit";

/// Iterator types, each with the method of a list that returns one.
pub(crate) const WALKERS: [(&str, &str); 2] = [
    ("java/util/Iterator", "iterator"),
    ("java/util/ListIterator", "listIterator"),
];

/// Type of the JDK that holds one object, given by static methods of a class.
pub(crate) struct Wrapper {
    /// The class.
    pub class: &'static str,
    /// The types for which it is created.
    types: &'static [&'static str],
    /// The method that returns one without an object, if there is one.
    pub empty: Option<&'static str>,
    /// The method that returns one with an object.
    pub full: &'static str,
}

/// Types that hold one object.
const WRAPPERS: [Wrapper; 3] = [
    Wrapper {
        class: "java/util/Optional",
        types: &["java/util/Optional"],
        empty: Some("empty"),
        full: "of",
    },
    Wrapper {
        class: "java/util/concurrent/CompletableFuture",
        types: &[
            "java/util/concurrent/CompletableFuture",
            "java/util/concurrent/CompletionStage",
            "java/util/concurrent/Future",
        ],
        empty: None,
        full: "completedFuture",
    },
    Wrapper {
        class: "java/util/stream/Stream",
        types: &["java/util/stream/BaseStream", "java/util/stream/Stream"],
        empty: Some("empty"),
        full: "of",
    },
];

/// Returns what creates an object of a type that holds one object.
pub(crate) fn wrapper(name: &str) -> Option<&'static Wrapper> {
    WRAPPERS
        .iter()
        .find(|wrapper| wrapper.types.contains(&name))
}

/// Whether a type is one of collections, iterators, or objects that hold what their type arguments
/// say.
pub(crate) fn is_of_collections(name: &str) -> bool {
    let mut made_for = MADE_FOR.iter().flat_map(|(_, types)| types.iter());
    let mut walkers = WALKERS.iter();
    let mut of_enums = OF_ENUMS.iter();
    made_for.any(|one| *one == name)
        || walkers.any(|one| one.0 == name)
        || of_enums.any(|one| one.0 == name)
        || is_container(name)
}

/// Member of the JDK that creates objects or holds one.
pub(crate) enum JdkMember {
    /// A static method, a constructor, or a method of another object.
    Call(MethodCall),
    /// A static field.
    Constant(AccessedField),
}

impl JdkMaker {
    /// Returns the member, its class initialised; `None` if it cannot be used. Where the release of the
    /// tests has not got it, it is the older one with its meaning.
    pub fn member(&self, vm: &mut Vm) -> Option<JdkMember> {
        self.published_member(vm).or_else(|| {
            let mut older = OLDER.iter();
            let (_, older) = older.find(|(name, _)| *name == (&*self.class, &*self.member))?;
            older.published_member(vm)
        })
    }

    fn published_member(&self, vm: &mut Vm) -> Option<JdkMember> {
        let class = vm.load_class(&self.class).ok()?;
        vm.initialize_now(class).ok()?;
        if !self.descriptor.starts_with('(') {
            return Some(JdkMember::Constant(AccessedField {
                class,
                name: self.member.to_string(),
                descriptor: self.descriptor.to_string(),
                is_static: true,
            }));
        }
        let method = vm.declared_method(class, &self.member, &self.descriptor)?;
        if !vm.is_published(class, method) {
            return None;
        }
        Some(JdkMember::Call(MethodCall::of(vm, class, method)))
    }

    /// Returns the internal name of the class of its objects.
    pub fn created(&self) -> &str {
        match self.descriptor.split_once(')') {
            Some((_, "V")) => &self.class,
            Some((_, result)) => descriptor::class_name(result),
            None => descriptor::class_name(&self.descriptor),
        }
    }
}

/// Returns the makers of objects for parameters of a type.
pub(crate) fn for_type(vm: &mut Vm, descriptor: &str) -> Vec<JdkMaker> {
    let listed: Vec<JdkMaker> = listed(descriptor).cloned().collect();
    match listed.is_empty() && Kind::of(descriptor) == Kind::Reference {
        true => own_makers(vm, descriptor),
        false => listed,
    }
}

/// Returns the makers in the table for a type.
fn listed(descriptor: &str) -> impl Iterator<Item = &'static JdkMaker> {
    let name = descriptor::class_name(descriptor);
    let is_for = move |maker: &&JdkMaker| maker.created() == name || maker.further.contains(&name);
    MAKERS.iter().filter(is_for)
}

/// Packages whose classes make objects by their own members. Other packages of the JDK have objects
/// of its machine: windows, connections, compilers.
const PACKAGES: [&str; 8] = [
    "java/lang/",
    "java/math/",
    "java/security/",
    "java/sql/",
    "java/text/",
    "java/time/",
    "java/util/",
    "javax/xml/",
];
/// Maximum number of parameters of a class's own maker.
const MAX_PARAMETERS: usize = 3;

/// Returns public members of a class of the JDK that make its objects: a constant, the simplest
/// constructors without and with parameters, and the simplest static method with some. Static
/// methods without parameters depend on the machine, the clock or the locale.
fn own_makers(vm: &mut Vm, wanted: &str) -> Vec<JdkMaker> {
    let name = descriptor::class_name(wanted);
    let is_of_package = PACKAGES.iter().any(|package| name.starts_with(package));
    if !is_of_package || is_of_collections(name) || is_value(vm, wanted) {
        return Vec::new();
    }
    let Ok(class) = vm.load_class(name) else {
        return Vec::new();
    };
    // Collections have contents of their types.
    for above in ["java/util/Collection", "java/util/Map"] {
        let above = vm.load_class(above);
        if above.is_ok_and(|above| vm.is_subclass(class, above)) {
            return Vec::new();
        }
    }
    let this = vm.class(class);
    let is_usable = this.loader == Loader::Boot
        && this.flags & flags::PUBLIC != 0
        && !this.is_interface()
        && this.super_class.is_some()
        && !name.contains('$');
    if !is_usable {
        return Vec::new();
    }
    let own = |member: &str, descriptor: &str| JdkMaker {
        class: Cow::Owned(name.to_owned()),
        member: Cow::Owned(member.to_owned()),
        descriptor: Cow::Owned(descriptor.to_owned()),
        further: &[],
    };
    let constant = flags::PUBLIC | flags::STATIC | flags::FINAL;
    let constant = this
        .fields
        .iter()
        .find(|field| field.flags & constant == constant && vm.text(field.descriptor) == wanted);
    let constant = constant.map(|field| own(vm.text(field.name), wanted));
    let (is_abstract, methods) = (this.is_abstract(), this.methods.clone());
    let mut calls: Vec<(bool, usize, JdkMaker)> = Vec::new();
    for method in methods {
        let this = vm.method(method);
        let (member, text) = (vm.text(this.name).to_owned(), vm.text(this.descriptor));
        let text = text.to_owned();
        let is_constructor = member == "<init>";
        let is_hidden = this.flags & flags::PUBLIC == 0 || this.flags & flags::SYNTHETIC != 0;
        let Some((parameters, result)) = descriptor::split_method(&text) else {
            continue;
        };
        let gives = match is_constructor {
            true => !is_abstract,
            false => this.is_static() && result == wanted && !parameters.is_empty(),
        };
        if gives
            && !is_hidden
            && vm.is_published(class, method)
            && parameters.len() <= MAX_PARAMETERS
            && parameters.iter().all(|parameter| is_simple(vm, parameter))
        {
            calls.push((!is_constructor, parameters.len(), own(&member, &text)));
        }
    }
    // The sort is stable: others stay in declaration order.
    calls.sort_by_key(|&(is_factory, parameters, _)| (is_factory, parameters));
    calls.dedup_by_key(|&mut (is_factory, parameters, _)| (is_factory, parameters > 0));
    let calls = calls.into_iter().map(|(.., maker)| maker);
    constant.into_iter().chain(calls).collect()
}

/// Whether a parameter takes values that tests write, or objects of the table.
fn is_simple(vm: &mut Vm, parameter: &str) -> bool {
    let is_plain = |text: &str| Kind::of(text) != Kind::Reference;
    is_plain(parameter)
        || parameter.strip_prefix('[').is_some_and(is_plain)
        || is_value(vm, parameter)
        || listed(parameter).next().is_some()
}

/// Returns strings for the arguments of a maker; none unless it parses them.
pub(crate) fn texts(vm: &Vm, call: MethodCall) -> &'static [&'static str] {
    let (class, method) = (
        vm.class_name(call.class),
        vm.text(vm.method(call.method).name),
    );
    let known = TEXTS.iter().find(|(of, member, _)| {
        let is_member = member.map_or(!call.has_receiver(), |member| member == method);
        *of == class && is_member
    });
    known.map_or(&[], |(.., texts)| texts)
}
