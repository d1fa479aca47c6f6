//! Public members of the JDK's classes as an older release had them, read from the signatures that a JDK
//! ships for `javac --release`.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use noak::MStr;
use noak::error::DecodeError;
use noak::reader::Class;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ClassPathError;
use super::jar::Jar;
use crate::jdk::Jdk;

/// Members of the JDK that code of a program may name; copies share it. Without signatures these are all.
#[derive(Clone, Debug, Default)]
pub struct PublishedMembers(Arc<OnceLock<Signatures>>);

impl PublishedMembers {
    /// Leaves those that a release older than the JDK had; all, if the JDK has no signatures that can be
    /// read, as a run-time image.
    pub fn restrict(&self, jdk: &Jdk, release: u32) {
        let file = jdk.home.join("lib/ct.sym");
        if release < jdk.feature
            && let Ok(signatures) = Signatures::open(&file, release)
        {
            // A later call is for the same class path.
            let _ = self.0.set(signatures);
        }
    }

    /// Whether the JDK has a class, by its internal name.
    pub(crate) fn has_class(&self, class: &str) -> bool {
        let signatures = self.0.get();
        signatures.is_none_or(|signatures| signatures.files.contains_key(class))
    }

    /// Whether a class of the JDK has a member, by their internal names, or inherits it.
    pub(crate) fn has(&self, class: &str, member: &str, descriptor: &str) -> bool {
        let signatures = self.0.get();
        signatures.is_none_or(|signatures| signatures.has(class, member, descriptor))
    }
}

/// Signatures of one release.
#[derive(Debug)]
struct Signatures {
    jar: Arc<Jar>,
    /// Files in the jar, by the internal name of the class.
    files: FxHashMap<String, String>,
    /// Classes that were read; `None` if they cannot be.
    classes: Mutex<FxHashMap<String, Option<Arc<Declared>>>>,
}

/// What a class declares.
#[derive(Debug)]
struct Declared {
    /// Superclass and interfaces, by internal name.
    above: Vec<String>,
    members: FxHashSet<String>,
}

impl Signatures {
    fn open(path: &Path, release: u32) -> Result<Signatures, ClassPathError> {
        let jar = Jar::open(path, release)?;
        let letter = char::from_digit(release, 36).map(|digit| digit.to_ascii_uppercase());
        // The first folder names the releases, the second one the module.
        let class_of = |file: &str| {
            let (releases, rest) = file.split_once('/')?;
            let (_, class) = rest.split_once('/')?;
            let is_wanted = releases.contains(letter?);
            is_wanted.then_some(class.strip_suffix(".sig")?.to_owned())
        };
        let files = jar.file_names();
        let files = files.filter_map(|file| Some((class_of(&file)?, file)));
        Ok(Signatures {
            files: files.collect(),
            jar,
            classes: Mutex::default(),
        })
    }

    fn has(&self, class: &str, member: &str, descriptor: &str) -> bool {
        let wanted = key(member, descriptor);
        let mut next = vec![class.to_owned()];
        while let Some(name) = next.pop() {
            // A superclass that is not public may be missing.
            let Some(declared) = self.class(&name) else {
                return name != class;
            };
            if declared.members.contains(&wanted) {
                return true;
            }
            if member != "<init>" {
                next.extend(declared.above.iter().cloned());
            }
        }
        false
    }

    fn class(&self, name: &str) -> Option<Arc<Declared>> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.get(name) {
            return known.clone();
        }
        let file = self.files.get(name);
        let bytes = file.and_then(|file| self.jar.read_file(file).ok().flatten());
        let declared = bytes.and_then(|(bytes, _)| Declared::read(&bytes).ok());
        let declared = declared.map(Arc::new);
        classes.insert(name.to_owned(), declared.clone());
        declared
    }
}

/// Name and types of a member without the result, which overriding methods may narrow.
fn key(member: &str, descriptor: &str) -> String {
    let types = match descriptor.rsplit_once(')') {
        Some((parameters, _)) => parameters,
        None => "",
    };
    format!("{member}{types}")
}

impl Declared {
    fn read(bytes: &[u8]) -> Result<Declared, DecodeError> {
        let class = Class::new(bytes)?;
        let pool = class.pool();
        let mut above = Vec::new();
        let mut members = FxHashSet::default();
        for index in class
            .super_class()
            .into_iter()
            .map(Ok)
            .chain(class.interfaces())
        {
            let name = pool.retrieve(index?)?.name;
            above.extend(name.to_str().map(str::to_owned));
        }
        let mut add = |name: &MStr, descriptor: &MStr| {
            if let (Some(name), Some(descriptor)) = (name.to_str(), descriptor.to_str()) {
                members.insert(key(name, descriptor));
            }
        };
        for method in class.methods() {
            let method = method?;
            add(
                pool.retrieve(method.name())?,
                pool.retrieve(method.descriptor())?,
            );
        }
        for field in class.fields() {
            let field = field?;
            add(
                pool.retrieve(field.name())?,
                pool.retrieve(field.descriptor())?,
            );
        }
        Ok(Declared { above, members })
    }
}
