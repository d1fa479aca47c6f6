//! Interned names: classes, members and descriptors are compared by number.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sym(pub u32);

/// Table of names; it only grows.
#[derive(Clone, Default)]
pub struct Names(IndexSet<Arc<str>, FxBuildHasher>);

impl Names {
    /// Number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> Sym {
        match self.0.get_index_of(text) {
            Some(index) => Sym(index as u32),
            None => Sym(self.0.insert_full(text.into()).0 as u32),
        }
    }

    /// Number of `text`, if it was added before.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Sym> {
        self.0.get_index_of(text).map(|index| Sym(index as u32))
    }

    /// Text of a name.
    #[must_use]
    pub fn text(&self, name: Sym) -> &str {
        &self.0[name.0 as usize]
    }
}
