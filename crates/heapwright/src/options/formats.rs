//! Formats of structures, and searches that find them.

use heapwright_explore::Strategy;

/// What structures are written as.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of text a structure
    Text,
    /// A line of JSON a structure
    Jsonl,
    /// One drawing of all structures
    Svg,
    /// One Graphviz graph of all structures
    Dot,
    /// A JUnit test class
    Junit,
}

/// How the choices are made.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Fields stay open until the invariant tells their values apart: far fewer leaves
    Lazy,
    /// Each field gets a value at its first read, in Korat's order
    Korat,
}

impl Search {
    /// Strategy of the explorer.
    pub fn strategy(self) -> Strategy {
        match self {
            Search::Lazy => Strategy::Lazy,
            Search::Korat => Strategy::Korat,
        }
    }
}
