//! `.jpf` files: the application properties of Java PathFinder, as far as they are about the
//! program, its methods and the ranges of its inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use heapwright_techniques::verify::OpenedMethod;
use java_properties::{LineContent, PropertiesIter};
use regex::Regex;

/// Deepest inclusion of files in files.
const MAX_INCLUDES: usize = 32;

/// Kinds of numbers that have a range, as settings spell them.
const RANGES: [&str; 6] = ["byte", "char", "short", "int", "long", "double"];

/// Older spellings of settings.
const OLDER: [(&str, &str); 5] = [
    ("target_args", "target.args"),
    ("symbolic.minint", "symbolic.min_int"),
    ("symbolic.maxint", "symbolic.max_int"),
    ("symbolic.minreal", "symbolic.min_double"),
    ("symbolic.maxreal", "symbolic.max_double"),
];

/// Request that a `.jpf` file makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JpfRequest {
    /// Binary name of the class with the main method.
    pub target: String,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Folders and jars.
    pub class_path: Vec<PathBuf>,
    /// Methods with symbolic arguments.
    pub opened: Vec<OpenedMethod>,
    /// Ranges of inputs: system properties that the libraries read.
    pub ranges: Vec<(String, String)>,
    /// Settings without an effect here.
    pub ignored: Vec<String>,
}

/// Whether an argument names a `.jpf` file.
pub fn is_jpf(text: &str) -> bool {
    Path::new(text)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("jpf"))
}

/// Reads a file. `has_class_path` says that the command line names a class path.
///
/// # Errors
/// The file or one that it includes cannot be read, a setting has a wrong value, or it asks for what
/// there is not.
pub fn read(file: &Path, has_class_path: bool) -> anyhow::Result<JpfRequest> {
    let mut settings = Settings::default();
    settings.include(file, 0)?;
    settings
        .request(has_class_path)
        .with_context(|| format!("{}", file.display()))
}

/// Settings of a file and those that it includes.
#[derive(Debug, Default)]
struct Settings {
    values: BTreeMap<String, String>,
    /// Keys in braces that nothing sets, by the key whose value names them.
    unknown: BTreeMap<String, BTreeSet<String>>,
    /// Keys that other settings name.
    used: BTreeSet<String>,
    ignored: BTreeSet<String>,
}

impl Settings {
    fn include(&mut self, file: &Path, depth: usize) -> anyhow::Result<()> {
        ensure!(
            depth < MAX_INCLUDES,
            "{} includes itself, or files more than {MAX_INCLUDES} deep",
            file.display()
        );
        let opened = File::open(file).with_context(|| format!("{}", file.display()))?;
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let outer = self.values.insert(
            "config_path".to_owned(),
            folder.to_string_lossy().into_owned(),
        );
        for line in PropertiesIter::new(BufReader::new(opened)) {
            let line = line.with_context(|| format!("{}", file.display()))?;
            let number = line.line_number();
            if let LineContent::KVPair(key, value) = line.consume_content() {
                self.put(&key, &value, folder, depth)
                    .with_context(|| format!("{}:{number}", file.display()))?;
            }
        }
        if let Some(outer) = outer {
            self.values.insert("config_path".to_owned(), outer);
        }
        Ok(())
    }

    fn put(&mut self, key: &str, value: &str, folder: &Path, depth: usize) -> anyhow::Result<()> {
        if key.starts_with('@') {
            return self.put_directive(key, value, folder, depth);
        }
        // The format of properties takes the blank before `+=` for the end of the key.
        let (key, value, is_more) = match (key.strip_suffix('+'), value.strip_prefix("+=")) {
            (Some(key), _) => (key, value, true),
            (None, Some(value)) => (key, value.trim_start(), true),
            (None, None) => (key, value, false),
        };
        let (key, is_before) = match key.strip_prefix('+') {
            Some(key) => (key, true),
            None => (key, false),
        };
        let older = OLDER.iter().find(|(older, _)| *older == key);
        let key = older.map_or(key, |(_, newer)| newer).to_owned();
        let value = self.expand(&key, value.trim_end());
        let entry = self.values.entry(key).or_default();
        if is_more {
            entry.push_str(&value);
        } else if is_before {
            entry.insert_str(0, &value);
        } else {
            *entry = value;
        }
        Ok(())
    }

    fn put_directive(
        &mut self,
        key: &str,
        value: &str,
        folder: &Path,
        depth: usize,
    ) -> anyhow::Result<()> {
        let value = self.expand(key, value.trim());
        let included = match key {
            "@include" => value.as_str(),
            "@include_if" | "@include_unless" => {
                let parts: Vec<&str> = value.splitn(3, '?').collect();
                let ["", condition, file] = parts[..] else {
                    bail!("{key} has {value:?}, which is not of the form ?key?file");
                };
                if self.values.contains_key(condition) != (key == "@include_if") {
                    return Ok(());
                }
                file
            }
            "@requires" => {
                for required in elements(&value, &[',', ';']) {
                    ensure!(
                        self.values.contains_key(&required),
                        "it requires {required}, which no file sets before"
                    );
                }
                return Ok(());
            }
            "@using" => {
                self.ignored.insert(key.to_owned());
                return Ok(());
            }
            _ => bail!("there is no directive {key}"),
        };
        self.include(&folder.join(included), depth + 1)
    }

    /// Exchanges `${key}` for the value of the key. A key without a value has an empty one, as in
    /// JPF, and is noted.
    fn expand(&mut self, of: &str, value: &str) -> String {
        let mut text = String::new();
        let mut rest = value;
        while let Some((before, (key, after))) = rest
            .split_once("${")
            .and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            text.push_str(before);
            match self.values.get(key) {
                Some(value) => {
                    text.push_str(value);
                    self.used.insert(key.to_owned());
                }
                None => match key {
                    "user.dir" => text.push('.'),
                    "user.home" => text.push_str(&std::env::var("HOME").unwrap_or_default()),
                    _ => {
                        let unknown = self.unknown.entry(of.to_owned()).or_default();
                        unknown.insert(key.to_owned());
                    }
                },
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }

    fn request(mut self, has_class_path: bool) -> anyhow::Result<JpfRequest> {
        self.values.remove("config_path");
        let mut request = JpfRequest::default();
        for (key, value) in std::mem::take(&mut self.values) {
            let needs_keys = match key.as_str() {
                "target" => {
                    value.trim().clone_into(&mut request.target);
                    true
                }
                "target.args" => {
                    request.arguments = elements(&value, &[',', ';']);
                    true
                }
                "classpath" if has_class_path && self.unknown.contains_key("classpath") => {
                    self.ignored.insert(key.clone());
                    false
                }
                "classpath" => {
                    let entries = elements(&value, &[',', ';', ':']);
                    request.class_path = entries.into_iter().map(PathBuf::from).collect();
                    true
                }
                "symbolic.method" => {
                    request.opened = opened_methods(&value)?;
                    true
                }
                "target.entry" => bail!(
                    "target.entry is {value:?}: a program starts at its main method; verify a method by -c and -m"
                ),
                _ => match range(&key, &value)? {
                    Some(range) => {
                        request.ranges.push(range);
                        true
                    }
                    None => {
                        self.ignored.insert(key.clone());
                        false
                    }
                },
            };
            if needs_keys && let Some(unknown) = self.unknown.get(&key) {
                let unknown: Vec<String> =
                    unknown.iter().map(|key| format!("${{{key}}}")).collect();
                let advice = match key.as_str() {
                    "classpath" => "; name the class path by -p",
                    _ => "",
                };
                bail!(
                    "{key} names {}, which no file sets{advice}",
                    unknown.join(" and ")
                );
            }
        }
        ensure!(
            !request.target.is_empty(),
            "it has no target, the class with the main method"
        );
        let ignored = self.ignored.difference(&self.used);
        request.ignored = ignored.cloned().collect();
        Ok(request)
    }
}

/// Elements of a list, without empty ones.
fn elements(list: &str, separators: &[char]) -> Vec<String> {
    let elements = list.split(separators).map(str::trim);
    elements
        .filter(|element| !element.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Reads `pkg.C.m(sym#con),pkg.C.n(sym)`.
fn opened_methods(value: &str) -> anyhow::Result<Vec<OpenedMethod>> {
    let pattern = Regex::new(r"^([\w$.]+)\.([\w$]+)\(([^()]*)\)$")?;
    let methods = elements(value, &[',', ';']).into_iter();
    methods
        .map(|method| {
            let wrong = || {
                format!("symbolic.method has {method:?}, which is not of the form pkg.Class.method(sym#con)")
            };
            let parts = pattern.captures(&method).with_context(wrong)?;
            let part = |number| parts.get(number).map_or("", |part| part.as_str());
            let open = elements(part(3), &['#']);
            let open = open.iter().map(|argument| match argument.to_lowercase().as_str() {
                "sym" => Ok(true),
                "con" => Ok(false),
                _ => bail!(wrong()),
            });
            Ok(OpenedMethod {
                class: part(1).to_owned(),
                method: part(2).to_owned(),
                open: open.collect::<anyhow::Result<_>>()?,
            })
        })
        .collect()
}

/// Reads the bound of a range: `symbolic.min_int`, or that of one input, `symbolic.max_double_size`.
fn range(key: &str, value: &str) -> anyhow::Result<Option<(String, String)>> {
    let bound = key
        .strip_prefix("symbolic.min_")
        .or_else(|| key.strip_prefix("symbolic.max_"));
    let Some(kind) = bound.and_then(|bound| bound.split('_').next()) else {
        return Ok(None);
    };
    if !RANGES.contains(&kind) {
        return Ok(None);
    }
    let value = value.trim();
    let is_number = match kind {
        "double" => value.parse::<f64>().is_ok_and(f64::is_finite),
        _ => value.parse::<i64>().is_ok(),
    };
    ensure!(is_number, "{key} has {value:?}, which is no number");
    Ok(Some((key.to_owned(), value.to_owned())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn settings_are_read_as_jpf_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        fs::create_dir(base.join("more")).unwrap();
        fs::write(
            base.join("main.jpf"),
            "# a comment\n\
             ! another\n\
             base = examples\n\
             target = ${base}.Main\n\
             target.args = 1, two\n\
             classpath = ${config_path}/a\n\
             classpath += ;${config_path}/b\n\
             @include = more/ranges.properties\n\
             @include_if = ?absent?nowhere\n\
             @include_unless = ?base?nowhere\n\
             @requires = base\n\
             symbolic.method = examples.Main.f(sym#con),\\\n   examples.Other.g()\n\
             listener = .symbc.SymbolicListener\n\
             search.multiple_errors: true\n",
        )
        .unwrap();
        fs::write(
            base.join("more/ranges.properties"),
            "symbolic.minint=-5\nsymbolic.max_double_size = 2.5\n+classpath=${config_path}/first:\n",
        )
        .unwrap();
        let request = read(&base.join("main.jpf"), false).unwrap();
        let opened = |class: &str, method: &str, open: &[bool]| OpenedMethod {
            class: class.to_owned(),
            method: method.to_owned(),
            open: open.to_vec(),
        };
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let expected = JpfRequest {
            target: "examples.Main".to_owned(),
            arguments: vec!["1".to_owned(), "two".to_owned()],
            class_path: vec![base.join("more/first"), base.join("a"), base.join("b")],
            opened: vec![
                opened("examples.Main", "f", &[true, false]),
                opened("examples.Other", "g", &[]),
            ],
            ranges: vec![
                pair("symbolic.max_double_size", "2.5"),
                pair("symbolic.min_int", "-5"),
            ],
            ignored: ["listener", "search.multiple_errors"]
                .map(str::to_owned)
                .to_vec(),
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.jpf");
        let error = |text: &str| {
            fs::write(&file, text).unwrap();
            format!("{:#}", read(&file, false).unwrap_err())
        };
        for (text, part) in [
            ("", "it has no target"),
            (
                "target=A\nclasspath=${jpf-symbc}/build\n",
                "${jpf-symbc}, which no file sets; name the class path by -p",
            ),
            (
                "target=A\nsymbolic.method=f(sym)\n",
                "\"f(sym)\", which is not of the form",
            ),
            (
                "target=A\nsymbolic.method=A.f(open)\n",
                "\"A.f(open)\", which is not of the form",
            ),
            (
                "target=A\nsymbolic.min_int=few\n",
                "symbolic.min_int has \"few\", which is no number",
            ),
            ("target=A\ntarget.entry=f()V\n", "target.entry"),
            ("@include=none.jpf\n", "none.jpf"),
            ("@include=main.jpf\n", "includes itself"),
            ("@include_if=none.jpf\n", "?key?file"),
            ("@requires=jpf-symbc\n", "it requires jpf-symbc"),
            ("@other=1\n", "no directive @other"),
        ] {
            let error = error(text);
            assert!(error.contains(part), "{error:?} has no {part:?}");
            assert!(error.contains("main.jpf"), "{error}");
        }
        fs::write(&file, "target=A\nclasspath=${jpf-symbc}/build\n").unwrap();
        let request = read(&file, true).unwrap();
        assert_eq!(request.ignored, ["classpath"]);
    }
}
