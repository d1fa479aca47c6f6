//! Text from which a stopped search resumes: `--resume PREFIX`.
//!
//! The text identifies its search, so that it cannot be used for another:
//! `VERSION:JDK:SEARCH:MODE:CLASSES:BOUNDS:SPANS`, with classes and bounds as hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, bail, ensure};
use heapwright_explore::{Span, Strategy};
use heapwright_jvm::classfile::{self, Constant};
use heapwright_jvm::name::Names;
use heapwright_jvm::{ClassId, Vm};
use heapwright_techniques::check;
use heapwright_techniques::invariant::Enumeration;

use super::checksum::Digest;

/// Names of the parts of a fingerprint, for messages.
const NAMES: [&str; 6] = [
    "version of Heapwright",
    "JDK",
    "search",
    "request (counts, structures, calls or paths)",
    "version of the classes",
    "bounds or invariant",
];

/// Identity of a search: everything that its tree depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Value of each part, in the order of [`NAMES`].
    texts: [String; 6],
    /// The class under test.
    class: String,
}

impl Fingerprint {
    /// Fingerprint of a search; `mode` identifies the use of its leaves.
    pub fn new(vm: &Vm, enumeration: &Enumeration, strategy: Strategy, mode: &str) -> Fingerprint {
        let search = match strategy {
            Strategy::Korat => "korat",
            Strategy::Lazy => "lazy",
        };
        let bounds = enumeration.bounds.explain(vm) + &vm.method_text(enumeration.invariant);
        let objects = enumeration.space.entries.iter().map(|entry| entry.object);
        let objects = objects.filter(|object| !object.is_null());
        let classes = objects.map(|object| vm.heap.class_of(object));
        Fingerprint::of(vm, enumeration.class, classes, (search, mode), &bounds)
    }

    /// Fingerprint of a `search` for paths with inputs of these classes; `mode` identifies the paths
    /// and their use, `bounds` those of inputs and paths.
    pub fn of_paths(
        vm: &Vm,
        class: ClassId,
        inputs: Vec<ClassId>,
        (search, mode): (&str, &str),
        bounds: &str,
    ) -> Fingerprint {
        let mode = format!("{search}-{}", hash([mode.as_bytes()]));
        Fingerprint::of(vm, class, inputs, (search, &mode), bounds)
    }

    fn of(
        vm: &Vm,
        class: ClassId,
        objects: impl IntoIterator<Item = ClassId>,
        (search, mode): (&str, &str),
        bounds: &str,
    ) -> Fingerprint {
        let texts = [
            env!("CARGO_PKG_VERSION").to_owned(),
            vm.jdk().feature.to_string(),
            search.to_owned(),
            mode.to_owned(),
            class_hash(vm, class, objects),
            hash([bounds.as_bytes()]),
        ];
        Fingerprint {
            texts,
            class: vm.binary_name(class),
        }
    }

    /// Text of the remaining parts of the search.
    pub fn prefix(&self, spans: &[Span]) -> String {
        let spans: Vec<String> = spans.iter().map(Span::to_string).collect();
        format!("{self}:{}", spans.join("+"))
    }

    /// Parses the parts of the tree that a text names.
    ///
    /// # Errors
    /// The text is malformed, or belongs to another search.
    pub fn spans(&self, prefix: &str) -> anyhow::Result<Vec<Span>> {
        let here = self.to_string();
        let (given, spans) = prefix
            .rsplit_once(':')
            .filter(|(given, _)| given.split(':').count() == NAMES.len())
            .with_context(|| {
                format!("--resume takes the prefix that a stopped run has printed, not {prefix:?}")
            })?;
        if let Some((what, here, given)) = difference(&here, given) {
            bail!(
                "the prefix to resume from is of another {what} for class {}: {given}, not {here}",
                self.class
            );
        }
        let mut read: Vec<Span> = Vec::new();
        for span in spans.split('+') {
            let span: Span = span.parse().with_context(|| {
                format!("the prefix to resume from is damaged: {span:?} names no part of a search")
            })?;
            ensure!(
                read.last().is_none_or(|last| *last < span),
                "the prefix to resume from is damaged: its parts are not in order"
            );
            read.push(span);
        }
        Ok(read)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join(":"))
    }
}

/// First part in which two fingerprints differ: its name and both values.
pub fn difference<'t>(one: &'t str, other: &'t str) -> Option<(&'static str, &'t str, &'t str)> {
    let both = one.split(':').zip(other.split(':'));
    NAMES
        .iter()
        .zip(both)
        .find(|(_, (one, other))| one != other)
        .map(|(name, (one, other))| (*name, one, other))
}

/// Mode of a search that calls methods on structures: a hash of the methods and oracles.
pub fn mode_of_calls(request: &check::CheckRequest) -> String {
    let lists = [&request.methods, &request.expected, &request.oracles];
    let mut texts: Vec<String> = lists.into_iter().map(|list| list.join(" ")).collect();
    texts.push(request.against.clone().unwrap_or_default());
    texts.push(request.step_limit.to_string());
    texts.push(request.leaves_contracts.to_string());
    format!("check-{}", hash(texts.iter().map(String::as_bytes)))
}

/// Hash of the class files of the class under test, of the searched objects and their superclasses,
/// and of all classes on the class path that these reference transitively: the search may run any
/// of them.
fn class_hash(vm: &Vm, class: ClassId, objects: impl IntoIterator<Item = ClassId>) -> String {
    let mut open: BTreeSet<String> = BTreeSet::new();
    for object in objects {
        for &class in &vm.class(object).display {
            open.insert(vm.class_name(class).to_owned());
        }
    }
    open.insert(vm.class_name(class).to_owned());
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    while let Some(name) = open.pop_first() {
        if let Ok(Some((bytes, _))) = vm.class_path().find(&name) {
            let named = classes_named(&bytes).into_iter();
            open.extend(named.filter(|other| *other != name && !files.contains_key(other)));
            files.insert(name, bytes);
        }
    }
    hash(files.values().map(Vec::as_slice))
}

/// Internal names of the classes that a class file references.
fn classes_named(bytes: &[u8]) -> Vec<String> {
    let Ok(file) = classfile::parse(bytes, &mut Names::default()) else {
        return Vec::new();
    };
    let named = file.pool.iter().filter_map(|constant| match constant {
        Constant::Class(name) => match file.pool.get(usize::from(*name))? {
            Constant::Utf8(span) => std::str::from_utf8(span.of(bytes)).ok(),
            _ => None,
        },
        _ => None,
    });
    let element = |name: &str| match name.trim_start_matches('[') {
        same if same.len() == name.len() => name.to_owned(),
        element => element[1..].trim_end_matches(';').to_owned(),
    };
    named.map(element).collect()
}

/// Digest of texts.
fn hash<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> String {
    let mut digest = Digest::default();
    texts.into_iter().for_each(|text| digest.add(text));
    digest.text()
}
