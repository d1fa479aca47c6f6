//! Field and method descriptors (JVMS §4.3).

/// Descriptor of a string.
pub(crate) const STRING: &str = "Ljava/lang/String;";

/// Kinds of values that a slot can hold, by descriptor character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// Class, interface or array type.
    Reference,
    /// `void`, of methods only.
    Void,
}

/// Numbers whose boxes are cached (JLS §5.1.7).
pub const CACHED_BOXES: std::ops::RangeInclusive<i64> = -128..=127;

impl Kind {
    /// All primitive kinds, in the order of the `newarray` codes (JVMS table 6.5.newarray-A).
    pub const NEWARRAY: [Kind; 8] = [
        Kind::Boolean,
        Kind::Char,
        Kind::Float,
        Kind::Double,
        Kind::Byte,
        Kind::Short,
        Kind::Int,
        Kind::Long,
    ];

    /// Kind of the type that a descriptor starts with.
    #[must_use]
    pub fn of(descriptor: &str) -> Kind {
        match descriptor.as_bytes().first() {
            Some(b'Z') => Kind::Boolean,
            Some(b'B') => Kind::Byte,
            Some(b'C') => Kind::Char,
            Some(b'S') => Kind::Short,
            Some(b'I') => Kind::Int,
            Some(b'J') => Kind::Long,
            Some(b'F') => Kind::Float,
            Some(b'D') => Kind::Double,
            Some(b'V') => Kind::Void,
            _ => Kind::Reference,
        }
    }

    /// Primitive kind whose box has this internal class name.
    #[must_use]
    pub fn of_box(class: &str) -> Option<Kind> {
        Kind::NEWARRAY
            .into_iter()
            .find(|kind| kind.box_class() == class)
    }

    /// Kind to which a primitive is widened before boxing where a reference of type `wanted` is
    /// needed: the kind of the box `wanted`, else its own.
    #[must_use]
    pub fn boxed_as(self, wanted: &str) -> Kind {
        match Kind::of_box(class_name(wanted)) {
            Some(kind @ (Kind::Long | Kind::Float | Kind::Double | Kind::Int | Kind::Short)) => {
                kind
            }
            _ => self,
        }
    }

    /// Number of local variables or stack entries that a value takes.
    #[must_use]
    pub fn words(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Void => 0,
            _ => 1,
        }
    }

    /// Slot of an integer of this kind, which keeps the lowest bits of a number. Floating-point and
    /// other kinds have none; for them it is that of an `int`.
    #[must_use]
    pub fn narrowed(self, number: i64) -> u64 {
        let int = |number: i32| u64::from(number as u32);
        match self {
            Kind::Boolean => number as u64 & 1,
            Kind::Byte => int(i32::from(number as i8)),
            Kind::Short => int(i32::from(number as i16)),
            Kind::Char => u64::from(number as u16),
            Kind::Long => number as u64,
            _ => int(number as i32),
        }
    }

    /// Whether values of this kind are computed as `int` and have fewer bits (JVMS §2.11.1).
    #[must_use]
    pub fn is_narrow(self) -> bool {
        matches!(self, Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short)
    }

    /// Size of an array element in bytes.
    #[must_use]
    pub fn element_bytes(self) -> u32 {
        match self {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float | Kind::Reference | Kind::Void => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// Keyword of a primitive type or `void`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Reference => "Object",
            Kind::Void => "void",
        }
    }

    /// Kind of a keyword; the inverse of [`Kind::keyword`].
    #[must_use]
    pub fn of_keyword(keyword: &str) -> Option<Kind> {
        [
            Kind::Boolean,
            Kind::Byte,
            Kind::Char,
            Kind::Short,
            Kind::Int,
            Kind::Long,
            Kind::Float,
            Kind::Double,
            Kind::Void,
        ]
        .into_iter()
        .find(|kind| kind.keyword() == keyword)
    }

    /// Descriptor of a primitive type or `void`.
    #[must_use]
    pub fn descriptor(self) -> &'static str {
        match self {
            Kind::Boolean => "Z",
            Kind::Byte => "B",
            Kind::Char => "C",
            Kind::Short => "S",
            Kind::Int => "I",
            Kind::Long => "J",
            Kind::Float => "F",
            Kind::Double => "D",
            Kind::Reference => "Ljava/lang/Object;",
            Kind::Void => "V",
        }
    }

    /// Internal name of the class that boxes a primitive kind.
    #[must_use]
    pub fn box_class(self) -> &'static str {
        match self {
            Kind::Boolean => "java/lang/Boolean",
            Kind::Byte => "java/lang/Byte",
            Kind::Char => "java/lang/Character",
            Kind::Short => "java/lang/Short",
            Kind::Int => "java/lang/Integer",
            Kind::Long => "java/lang/Long",
            Kind::Float => "java/lang/Float",
            Kind::Double => "java/lang/Double",
            Kind::Reference => "java/lang/Object",
            Kind::Void => "java/lang/Void",
        }
    }
}

/// Length in bytes of the field descriptor at the start of `text`; `None` if there is none.
fn field_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&byte| byte == b'[').count();
    if dimensions > 255 {
        return None;
    }
    match text.as_bytes().get(dimensions)? {
        b'L' => {
            let end = text.find(';')?;
            (end > dimensions + 1).then_some(end + 1)
        }
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => Some(dimensions + 1),
        _ => None,
    }
}

/// Converts a number in Rust's notation to Java's, which differs for `Infinity`.
#[must_use]
pub fn in_java(number: &str) -> String {
    number.replace("inf", "Infinity")
}

/// Whether `text` is a field descriptor.
#[must_use]
pub fn is_field(text: &str) -> bool {
    field_length(text) == Some(text.len())
}

/// Splits a method descriptor into its parameter descriptors and its return descriptor; `None` if
/// it is malformed.
#[must_use]
pub fn split_method(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let (parameter, tail) = rest.split_at(field_length(rest)?);
        parameters.push(parameter);
        rest = tail;
    }
    let result = &rest[1..];
    (result == "V" || is_field(result)).then_some((parameters, result))
}

/// Class name of a field descriptor of reference kind: `a/B` for `La/B;`; arrays are unchanged.
#[must_use]
pub fn class_name(descriptor: &str) -> &str {
    match descriptor.strip_prefix('L') {
        Some(rest) => rest.strip_suffix(';').unwrap_or(rest),
        None => descriptor,
    }
}

/// Whether objects of the class with this name are immutable values: strings and boxes.
#[must_use]
pub fn is_value_class(name: &str) -> bool {
    name == "java/lang/String" || Kind::of_box(name).is_some()
}

/// Field descriptor of the class with this name: `La/B;` for `a/B`; arrays are unchanged.
#[must_use]
pub fn of_class(name: &str) -> String {
    if name.starts_with('[') {
        name.to_owned()
    } else {
        format!("L{name};")
    }
}

/// Converts a descriptor to Java source: `int[]`, `java.lang.String`.
#[must_use]
pub fn to_java(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let mut text = match Kind::of(element) {
        Kind::Reference => class_name(element).replace('/', "."),
        kind => kind.keyword().to_owned(),
    };
    for _ in 0..descriptor.len() - element.len() {
        text.push_str("[]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_parameters() {
        let (parameters, result) = split_method("(I[[JLa/B;D)[Z").unwrap();
        assert_eq!(parameters, ["I", "[[J", "La/B;", "D"]);
        assert_eq!(result, "[Z");
        assert_eq!(split_method("()V").unwrap().1, "V");
    }

    #[test]
    fn refuses_what_is_no_descriptor() {
        for text in [
            "", "(", "()", "(V)V", "()VV", "(L;)V", "(La)V", "([)V", "()[V",
        ] {
            assert!(split_method(text).is_none(), "{text}");
        }
    }

    #[test]
    fn java_names() {
        assert_eq!(
            to_java("[[Ljava/util/Map$Entry;"),
            "java.util.Map$Entry[][]"
        );
        assert_eq!(to_java("J"), "long");
    }
}
