//! Terms as Java would write them.

use std::fmt;

use super::pool::Pool;
use super::term::Term;

/// A term to be written.
#[derive(Clone, Copy, Debug)]
pub struct Display<'a, N> {
    pool: &'a Pool,
    term: Term,
    name: N,
}

impl<'a> Display<'a, fn(u32) -> String> {
    pub(super) fn new(pool: &'a Pool, term: Term) -> Self {
        Display {
            pool,
            term,
            name: |number| format!("x{number}"),
        }
    }
}

impl<'a, N> Display<'a, N> {
    /// With other names for the variables, given their numbers.
    pub fn with_names<M: Fn(u32) -> String>(self, name: M) -> Display<'a, M> {
        Display {
            pool: self.pool,
            term: self.term,
            name,
        }
    }
}

impl<N: Fn(u32) -> String> fmt::Display for Display<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", (self.name)(0), self.pool.node(self.term))
    }
}
