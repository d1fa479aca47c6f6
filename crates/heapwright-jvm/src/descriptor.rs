//! Field and method descriptors (JVMS §4.3).

/// The kinds of value a slot can hold, by their descriptor character.
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
    /// A class, interface or array type.
    Reference,
    /// `void`, of methods only.
    Void,
}

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

    /// The kind a descriptor starts with.
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

    /// The primitive kind whose box has this internal class name.
    #[must_use]
    pub fn of_box(class: &str) -> Option<Kind> {
        Kind::NEWARRAY
            .into_iter()
            .find(|kind| kind.box_class() == class)
    }

    /// The kind a primitive is widened to before it is boxed where a reference of type `wanted` is
    /// needed: that of the box `wanted` names, else its own.
    #[must_use]
    pub fn boxed_as(self, wanted: &str) -> Kind {
        match Kind::of_box(class_name(wanted)) {
            Some(kind @ (Kind::Long | Kind::Float | Kind::Double | Kind::Int | Kind::Short)) => {
                kind
            }
            _ => self,
        }
    }

    /// Local variables or stack entries a value takes.
    #[must_use]
    pub fn words(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Void => 0,
            _ => 1,
        }
    }

    /// Whether values of this kind are computed with as ints of fewer bits (JVMS §2.11.1).
    #[must_use]
    pub fn is_narrow(self) -> bool {
        matches!(self, Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short)
    }

    /// Bytes an array element takes.
    #[must_use]
    pub fn element_bytes(self) -> u32 {
        match self {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float | Kind::Reference | Kind::Void => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// The keyword of a primitive type or `void`.
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

    /// The kind of a keyword as [`Kind::keyword`] gives it.
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

    /// The descriptor of a primitive type or `void`.
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

    /// The class that boxes a primitive kind.
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

/// Length in bytes of the field descriptor that `text` starts with; `None` if there is none.
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

/// A number as Rust writes it, in Java's words where it has no digits: `Infinity`.
#[must_use]
pub fn in_java(number: &str) -> String {
    number.replace("inf", "Infinity")
}

/// Whether `text` is a field descriptor.
#[must_use]
pub fn is_field(text: &str) -> bool {
    field_length(text) == Some(text.len())
}

/// The parameter descriptors and the return descriptor of a method descriptor; `None` if
/// `descriptor` is not one.
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

/// The name by which a class is found, given a field descriptor of reference kind: `a/B` for
/// `La/B;`, arrays as they are.
#[must_use]
pub fn class_name(descriptor: &str) -> &str {
    match descriptor.strip_prefix('L') {
        Some(rest) => rest.strip_suffix(';').unwrap_or(rest),
        None => descriptor,
    }
}

/// Whether the objects of a class by its name are values, which never change: strings and boxes.
#[must_use]
pub fn is_value_class(name: &str) -> bool {
    name == "java/lang/String" || Kind::of_box(name).is_some()
}

/// The field descriptor of a class by its name: `La/B;` for `a/B`, arrays as they are.
#[must_use]
pub fn of_class(name: &str) -> String {
    if name.starts_with('[') {
        name.to_owned()
    } else {
        format!("L{name};")
    }
}

/// A descriptor as Java source writes the type: `int[]`, `java.lang.String`.
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
