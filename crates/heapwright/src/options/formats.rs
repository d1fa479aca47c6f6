//! Formats of structures, and searches for structures.

use heapwright_explore::Strategy;

/// Output format of structures.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line of text per structure
    Text,
    /// One line of JSON per structure
    Jsonl,
    /// Drawings of boxes and arrows, as text
    Boxes,
    /// One drawing of all structures
    Svg,
    /// One Graphviz graph of all structures
    Dot,
    /// A JUnit test class
    Junit,
}

impl Format {
    /// Whether all structures are drawn together.
    pub fn is_drawing(self) -> bool {
        matches!(self, Format::Boxes | Format::Svg | Format::Dot)
    }
}

/// Search for structures.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchName {
    /// Leave fields open until the invariant distinguishes their values: far fewer leaves
    Lazy,
    /// Choose the value of each field at its first read, in Korat's order
    Korat,
}

impl SearchName {
    /// Strategy of the explorer.
    pub fn strategy(self) -> Strategy {
        match self {
            SearchName::Lazy => Strategy::Lazy,
            SearchName::Korat => Strategy::Korat,
        }
    }
}
