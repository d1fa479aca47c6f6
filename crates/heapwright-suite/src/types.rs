//! Names and descriptors of Java types (JVMS §4.2, §4.3), and their source text.
//!
//! This module is purely syntactic: the model determines whether a class may be named from a
//! package.

use crate::ModelError;

/// Types of a method's parameters and result, each as a field descriptor; the result of a `void`
/// method is `V`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodDescriptor {
    /// Descriptors of the parameters.
    pub parameters: Vec<String>,
    /// Descriptor of the result.
    pub returns: String,
}

impl MethodDescriptor {
    /// Parses a descriptor such as `(ILjava/lang/Object;)Z`.
    ///
    /// # Errors
    /// The text is no method descriptor.
    pub fn parse(text: &str) -> Result<MethodDescriptor, ModelError> {
        let malformed = || ModelError::BadDescriptor(text.to_owned());
        let (mut rest, returns) = text
            .strip_prefix('(')
            .and_then(|text| text.split_once(')'))
            .ok_or_else(malformed)?;
        let mut parameters = Vec::new();
        while !rest.is_empty() {
            let length = descriptor_length(rest).ok_or_else(malformed)?;
            parameters.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        if returns != "V" && descriptor_length(returns) != Some(returns.len()) {
            return Err(malformed());
        }
        Ok(MethodDescriptor {
            parameters,
            returns: returns.to_owned(),
        })
    }
}

/// Length in bytes of the field descriptor at the start of a text.
fn descriptor_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => text.find(';').map(|semicolon| semicolon + 1),
        _ => None,
    }
}

/// Keyword of a primitive type's descriptor.
#[must_use]
pub fn primitive_keyword(descriptor: &str) -> Option<&'static str> {
    Some(match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "S" => "short",
        "C" => "char",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        "V" => "void",
        _ => return None,
    })
}

/// Name as by `Class.getName()` of a descriptor's type: `int`, `a.b.C`, `[La.b.C;`.
#[must_use]
pub fn binary_name(descriptor: &str) -> String {
    if let Some(keyword) = primitive_keyword(descriptor) {
        return keyword.to_owned();
    }
    let dotted = descriptor.replace('/', ".");
    match dotted
        .strip_prefix('L')
        .and_then(|name| name.strip_suffix(';'))
    {
        Some(name) => name.to_owned(),
        None => dotted,
    }
}

/// Element type and number of dimensions of a class name: `[[I` is (`int`, 2).
#[must_use]
pub fn split_array(binary_name: &str) -> (String, usize) {
    let element = binary_name.trim_start_matches('[');
    let dimensions = binary_name.len() - element.len();
    if dimensions == 0 {
        (binary_name.to_owned(), 0)
    } else {
        (self::binary_name(element), dimensions)
    }
}

/// Descriptor of an array class's component type: `I` for `[I`, `La.C;` for `[La.C;`; `None` for
/// other classes.
#[must_use]
pub fn element_descriptor(array_name: &str) -> Option<&str> {
    array_name.strip_prefix('[')
}

/// Name of an array class's component type: `int` for `[I`, `[La.C;` for `[[La.C;`.
#[must_use]
pub fn element_name(array_name: &str) -> String {
    binary_name(array_name.strip_prefix('[').unwrap_or(array_name))
}

/// Package of a class name, empty for the default package; that of the element type for arrays.
#[must_use]
pub fn package(binary_name: &str) -> String {
    let (element, _) = split_array(binary_name);
    match element.rsplit_once('.') {
        Some((package, _)) => package.to_owned(),
        None => String::new(),
    }
}

/// Whether a class is one of the JDK's, by its name.
#[must_use]
pub fn is_platform(binary_name: &str) -> bool {
    let prefixes = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    prefixes
        .iter()
        .any(|prefix| binary_name.starts_with(prefix))
}

/// Name without package and enclosing classes: `Node`, `int[]`. A `$` at either end is part of
/// the name, as is one before a digit (a local or anonymous class).
#[must_use]
pub fn simple_name(binary_name: &str) -> String {
    let (element, dimensions) = split_array(binary_name);
    let last = element.rsplit('.').next().unwrap_or_default();
    let trimmed = last.trim_end_matches('$');
    let cut = trimmed
        .char_indices()
        .rfind(|&(at, letter)| {
            letter == '$'
                && at > 0
                && trimmed[at + 1..].starts_with(|next: char| !next.is_ascii_digit())
        })
        .map_or(0, |(at, _)| at + 1);
    format!("{}{}", &last[cut..], "[]".repeat(dimensions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_taken_apart() {
        let parsed = MethodDescriptor::parse("(I[[Ljava/lang/String;J)La/b/C$D;").unwrap();
        assert_eq!(parsed.parameters, ["I", "[[Ljava/lang/String;", "J"]);
        assert_eq!(binary_name(&parsed.parameters[1]), "[[Ljava.lang.String;");
        assert_eq!(binary_name(&parsed.returns), "a.b.C$D");
        for bad in ["", "(I", "(X)V", "()", "()VV", "([)V", "(L)V"] {
            assert!(MethodDescriptor::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_shortened() {
        for (binary, simple) in [
            ("a.b.Tree$Node", "Node"),
            ("Tree", "Tree"),
            ("[[I", "int[][]"),
            ("[La.b.Tree$Node;", "Node[]"),
            ("a.$Odd$", "$Odd$"),
            ("a.Outer$1", "Outer$1"),
            ("a.Outer$1Local", "Outer$1Local"),
        ] {
            assert_eq!(simple_name(binary), simple);
        }
        assert_eq!(package("[La.b.C;"), "a.b");
        assert_eq!(package("C"), "");
    }
}
