//! Accessors of objects of the library that tests cannot write as values.

/// An accessor without parameters.
pub(super) struct Accessor {
    /// Class or interface, by its internal name.
    pub class: &'static str,
    pub name: &'static str,
    pub descriptor: &'static str,
    /// Whether its result depends on the order of elements.
    pub is_ordered: bool,
    /// Whether it takes elements away.
    pub consumes: bool,
    /// Whether it is asked only if no accessor before it told anything.
    pub is_spare: bool,
}

const fn accessor(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        class,
        name,
        descriptor,
        is_ordered: false,
        consumes: false,
        is_spare: false,
    }
}

const TEXT: &str = "()Ljava/lang/String;";
const OBJECTS: &str = "()[Ljava/lang/Object;";

/// Accessors, the strongest of each class first.
pub(super) static ACCESSORS: [Accessor; 22] = [
    Accessor {
        is_ordered: true,
        ..accessor("java/util/Collection", "toArray", OBJECTS)
    },
    Accessor {
        is_spare: true,
        ..accessor("java/util/Collection", "size", "()I")
    },
    accessor("java/util/Map", "size", "()I"),
    accessor("java/util/concurrent/atomic/AtomicInteger", "get", "()I"),
    accessor("java/util/concurrent/atomic/AtomicLong", "get", "()J"),
    accessor("java/util/concurrent/atomic/AtomicBoolean", "get", "()Z"),
    accessor("java/util/Optional", "isPresent", "()Z"),
    accessor("java/util/Iterator", "hasNext", "()Z"),
    consuming("java/util/Iterator", "next", "()Ljava/lang/Object;"),
    accessor("java/util/Enumeration", "hasMoreElements", "()Z"),
    consuming(
        "java/util/Enumeration",
        "nextElement",
        "()Ljava/lang/Object;",
    ),
    consuming("java/util/stream/Stream", "toArray", OBJECTS),
    consuming("java/util/stream/IntStream", "toArray", "()[I"),
    consuming("java/util/stream/LongStream", "toArray", "()[J"),
    consuming("java/util/stream/DoubleStream", "toArray", "()[D"),
    accessor("java/util/concurrent/Future", "isDone", "()Z"),
    accessor("java/util/regex/Pattern", "pattern", TEXT),
    accessor("java/lang/CharSequence", "toString", TEXT),
    accessor("java/util/BitSet", "toString", TEXT),
    accessor("java/util/StringJoiner", "toString", TEXT),
    accessor("java/io/StringWriter", "toString", TEXT),
    accessor("java/io/ByteArrayOutputStream", "toString", TEXT),
];

const fn consuming(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        consumes: true,
        ..accessor(class, name, descriptor)
    }
}
