//! Types of the JDK, Kotlin and Scala whose objects hold what their type arguments say, and which
//! no method fills: the members that create them from their contents or from other collections.

/// Member that creates an object from its contents.
pub(crate) struct Holder {
    /// Types for which it creates objects.
    pub types: &'static [&'static str],
    pub class: &'static str,
    pub member: &'static str,
    pub descriptor: &'static str,
    /// For each parameter the type argument that it holds an object of, and its name.
    pub parameters: &'static [(usize, &'static str)],
}

const fn holder(
    types: &'static [&'static str],
    (class, member, descriptor): (&'static str, &'static str, &'static str),
    parameters: &'static [(usize, &'static str)],
) -> Holder {
    Holder {
        types,
        class,
        member,
        descriptor,
        parameters,
    }
}

/// Descriptors of constructors.
const OF_ONE: &str = "(Ljava/lang/Object;)V";
const OF_TWO: &str = "(Ljava/lang/Object;Ljava/lang/Object;)V";
const OF_THREE: &str = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";

/// Table of all holders; a type's simplest first.
#[rustfmt::skip]
pub(crate) static HOLDERS: [Holder; 10] = [
    holder(&["java/util/Map$Entry"], ("java/util/AbstractMap$SimpleEntry", "<init>", OF_TWO), &[(0, "key"), (1, "value")]),
    holder(&["kotlin/Pair"], ("kotlin/Pair", "<init>", OF_TWO), &[(0, "first"), (1, "second")]),
    holder(&["kotlin/Triple"], ("kotlin/Triple", "<init>", OF_THREE), &[(0, "first"), (1, "second"), (2, "third")]),
    holder(&["scala/Option"], ("scala/Option", "empty", "()Lscala/Option;"), &[]),
    holder(&["scala/Option", "scala/Some"], ("scala/Some", "<init>", OF_ONE), &[(0, "value")]),
    holder(&["scala/Tuple2"], ("scala/Tuple2", "<init>", OF_TWO), &[(0, "first"), (1, "second")]),
    holder(&["scala/Tuple3"], ("scala/Tuple3", "<init>", OF_THREE), &[(0, "first"), (1, "second"), (2, "third")]),
    holder(&["scala/util/Either", "scala/util/Left"], ("scala/util/Left", "<init>", OF_ONE), &[(0, "value")]),
    holder(&["scala/util/Either", "scala/util/Right"], ("scala/util/Right", "<init>", OF_ONE), &[(1, "value")]),
    holder(&["scala/util/Try", "scala/util/Success"], ("scala/util/Success", "<init>", OF_ONE), &[(0, "value")]),
];

/// Static method that creates a collection from another one with the same contents.
pub(crate) struct Conversion {
    /// Types for which it creates objects; the first one is its result's.
    pub types: &'static [&'static str],
    /// Type of the collection that it takes.
    pub source: &'static str,
    pub class: &'static str,
    pub member: &'static str,
    pub descriptor: &'static str,
}

const fn conversion(
    types: &'static [&'static str],
    source: &'static str,
    (class, member, descriptor): (&'static str, &'static str, &'static str),
) -> Conversion {
    Conversion {
        types,
        source,
        class,
        member,
        descriptor,
    }
}

/// Class whose methods convert collections of Java to those of Scala.
const AS_SCALA: &str = "scala/jdk/javaapi/CollectionConverters";

/// Table of all conversions.
#[rustfmt::skip]
pub(crate) static CONVERSIONS: [Conversion; 10] = [
    conversion(&["java/util/Enumeration"], "java/util/List", ("java/util/Collections", "enumeration", "(Ljava/util/Collection;)Ljava/util/Enumeration;")),
    conversion(&["kotlin/sequences/Sequence"], "java/util/List", ("kotlin/collections/CollectionsKt", "asSequence", "(Ljava/lang/Iterable;)Lkotlin/sequences/Sequence;")),
    conversion(&["scala/collection/mutable/Buffer", "scala/collection/IterableOnce", "scala/collection/Iterable", "scala/collection/Seq", "scala/collection/mutable/Iterable", "scala/collection/mutable/Seq"], "java/util/List", (AS_SCALA, "asScala", "(Ljava/util/List;)Lscala/collection/mutable/Buffer;")),
    conversion(&["scala/collection/immutable/List", "scala/collection/immutable/Iterable", "scala/collection/immutable/LinearSeq", "scala/collection/immutable/Seq"], "scala/collection/mutable/Buffer", ("scala/collection/immutable/List", "from", "(Lscala/collection/IterableOnce;)Lscala/collection/immutable/List;")),
    conversion(&["scala/collection/immutable/Vector", "scala/collection/IndexedSeq", "scala/collection/immutable/IndexedSeq"], "scala/collection/mutable/Buffer", ("scala/collection/immutable/Vector", "from", "(Lscala/collection/IterableOnce;)Lscala/collection/immutable/Vector;")),
    conversion(&["scala/collection/mutable/Set", "scala/collection/Set"], "java/util/Set", (AS_SCALA, "asScala", "(Ljava/util/Set;)Lscala/collection/mutable/Set;")),
    conversion(&["scala/collection/immutable/Set"], "scala/collection/mutable/Set", ("scala/collection/immutable/Set", "from", "(Lscala/collection/IterableOnce;)Lscala/collection/immutable/Set;")),
    conversion(&["scala/collection/mutable/Map", "scala/collection/Map"], "java/util/Map", (AS_SCALA, "asScala", "(Ljava/util/Map;)Lscala/collection/mutable/Map;")),
    conversion(&["scala/collection/immutable/Map"], "scala/collection/mutable/Map", ("scala/collection/immutable/Map", "from", "(Lscala/collection/IterableOnce;)Lscala/collection/immutable/Map;")),
    conversion(&["scala/collection/Iterator"], "java/util/Iterator", (AS_SCALA, "asScala", "(Ljava/util/Iterator;)Lscala/collection/Iterator;")),
];

/// Whether a type has a row in one of the tables.
pub(crate) fn is_container(name: &str) -> bool {
    let mut types = HOLDERS
        .iter()
        .map(|holder| holder.types)
        .chain(CONVERSIONS.iter().map(|conversion| conversion.types));
    types.any(|types| types.contains(&name))
}
