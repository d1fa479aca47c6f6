//! Option group: faults that no one has written down as such.

use clap::Args;

/// What is a fault though nobody has written it down.
#[derive(Args, Clone, Debug, Default)]
pub struct OracleArgs {
    /// An exception by which methods may refuse a call (repeatable), besides
    /// IllegalArgumentException, IllegalStateException, NoSuchElementException,
    /// UnsupportedOperationException, those in the method's throws clause, and
    /// NullPointerException where an argument is null
    #[arg(long = "expect-exception", value_name = "CLASS")]
    pub expected: Vec<String>,
    /// Which contracts are asked for
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
}

impl OracleArgs {
    /// Whether no contracts are asked for.
    pub fn leaves_contracts(&self) -> bool {
        self.contracts == ContractsName::None
    }
}

/// Which contracts are asked for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContractsName {
    /// Those of equals, hashCode, compareTo, toString and clone, where code of the program defines them [default]
    #[default]
    All,
    /// None
    None,
}
