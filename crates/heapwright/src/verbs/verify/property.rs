//! Properties, by name or from a file.

use std::path::Path;
use std::str::FromStr;

use heapwright_techniques::verify::Property;
use regex::Regex;

/// Property that the command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyArg(pub Property);

/// Names of properties.
const NAMES: [(&str, Property); 4] = [
    ("assertions", Property::Assertions),
    ("no-runtime-exception", Property::NoRuntimeException),
    ("no-exception", Property::NoException),
    ("no-deadlock", Property::NoDeadlock),
];

impl PropertyArg {
    /// Name of the property.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, property)| *property == self.0);
        found.map_or("assertions", |(name, _)| name)
    }
}

impl FromStr for PropertyArg {
    type Err = String;

    fn from_str(text: &str) -> Result<PropertyArg, String> {
        if let Some((_, property)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(PropertyArg(*property));
        }
        if !Path::new(text).is_file() {
            let names = NAMES.map(|(name, _)| name).join(", ");
            return Err(format!(
                "there is no such property and no such file; properties are {names}"
            ));
        }
        let file = std::fs::read_to_string(text).map_err(|error| error.to_string())?;
        of_file(&file).map(PropertyArg)
    }
}

/// Reads a property file: one line `CHECK( init(Main.main()), LTL(G assert) )`.
fn of_file(text: &str) -> Result<Property, String> {
    let pattern =
        r"(?s)^\s*CHECK\(\s*init\(\s*([\w.$]+\(\))\s*\)\s*,\s*LTL\(\s*(.*?)\s*\)\s*\)\s*$";
    let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
    let Some(found) = pattern.captures(text) else {
        return Err(
            "it has not one line such as CHECK( init(Main.main()), LTL(G assert) )".to_owned(),
        );
    };
    let formula = found.get(2).map_or("", |formula| formula.as_str());
    let words: Vec<&str> = formula.split_whitespace().collect();
    match words[..] {
        ["G", "assert"] => Ok(Property::Assertions),
        ["G", "!deadlock"] | ["G", "!", "deadlock"] => Ok(Property::NoDeadlock),
        ["G", "!uncaught(java.lang.RuntimeException)"]
        | ["G", "!", "uncaught(java.lang.RuntimeException)"] => Ok(Property::NoRuntimeException),
        _ => Err(format!(
            "{formula:?} is no property of Java programs that is known; known are \"G assert\", \
             \"G !uncaught(java.lang.RuntimeException)\" and \"G !deadlock\""
        )),
    }
}
