//! Subtypes of the classes of a class path, read from class files without loading a class.

use noak::MStr;
use noak::error::DecodeError;
use noak::reader::Class;
use rustc_hash::{FxHashMap, FxHashSet};

/// Direct subtypes of each class, by internal name; in the order in which classes were added.
#[derive(Debug, Default)]
pub(crate) struct SubtypeIndex(FxHashMap<String, Vec<String>>);

impl SubtypeIndex {
    /// Adds a class under its superclass and interfaces.
    ///
    /// # Errors
    /// The class file is damaged; nothing is added.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let class = Class::new(bytes)?;
        let pool = class.pool();
        let text = |name: &MStr| name.to_str().unwrap_or_default().to_owned();
        let mut above: Vec<_> = class.super_class().into_iter().collect();
        for interface in class.interfaces() {
            above.push(interface?);
        }
        let names = above.into_iter().map(|above| pool.retrieve(above));
        let names: Vec<String> = names
            .map(|above| Ok(text(above?.name)))
            .collect::<Result<_, DecodeError>>()?;
        let own = text(pool.retrieve(class.this_class())?.name);
        for above in names {
            self.0.entry(above).or_default().push(own.clone());
        }
        Ok(())
    }

    /// Proper subtypes of a class, the nearest first.
    pub fn below(&self, class: &str) -> Vec<String> {
        let mut known: FxHashSet<&str> = [class].into_iter().collect();
        let mut found: Vec<&str> = vec![class];
        let mut next = 0;
        while next < found.len() {
            for below in self.0.get(found[next]).into_iter().flatten() {
                if known.insert(below) {
                    found.push(below);
                }
            }
            next += 1;
        }
        found[1..].iter().map(|&name| name.to_owned()).collect()
    }
}
