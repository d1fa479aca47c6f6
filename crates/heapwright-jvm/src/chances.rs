//! What code has read that differs in time or between machines, by the path that read it.

use crate::vm::Vm;

/// Source of values that differ in time or between machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chance {
    /// The time.
    Clock,
    /// Identity hash codes.
    IdentityHashes,
    /// Random bytes of the system.
    RandomBytes,
    /// Compressed data.
    Compression,
    /// Standard input.
    StandardInput,
    /// Environment variables.
    Environment,
    /// Sizes of the memory.
    Memory,
    /// Depth of calls at which the stack is full.
    StackDepth,
    /// Order of immutable sets and maps.
    IterationOrder,
    /// Bits of a NaN.
    NanBits,
}

impl Chance {
    const ALL: [Chance; 10] = [
        Chance::Clock,
        Chance::IdentityHashes,
        Chance::RandomBytes,
        Chance::Compression,
        Chance::StandardInput,
        Chance::Environment,
        Chance::Memory,
        Chance::StackDepth,
        Chance::IterationOrder,
        Chance::NanBits,
    ];
}

impl std::fmt::Display for Chance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Chance::Clock => "the clock",
            Chance::IdentityHashes => "identity hash codes",
            Chance::RandomBytes => "random bytes",
            Chance::Compression => "compressed data",
            Chance::StandardInput => "standard input",
            Chance::Environment => "environment variables",
            Chance::Memory => "the size of the memory",
            Chance::StackDepth => "the depth of the stack",
            Chance::IterationOrder => "the order of immutable sets and maps",
            Chance::NanBits => "the bits of a NaN",
        })
    }
}

impl Vm {
    /// Notes a read of such a value.
    pub(crate) fn note_chance(&mut self, chance: Chance) {
        self.chances += 1;
        self.state.chances |= 1 << chance as u16;
    }

    /// Number of reads of values that differ in time or between machines, undone ones included.
    #[must_use]
    pub fn nondeterministic_reads(&self) -> u64 {
        self.chances
    }

    /// Sources of the values that differ in time or between machines which code has read so far;
    /// going back restores them.
    pub fn chances_read(&self) -> impl Iterator<Item = Chance> {
        let read = self.state.chances;
        Chance::ALL
            .into_iter()
            .filter(move |&chance| read & 1 << chance as u16 != 0)
    }

    /// Forgets what was read so far.
    pub fn forget_chances(&mut self) {
        self.state.chances = 0;
    }
}
