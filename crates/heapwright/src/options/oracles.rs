//! Option group: oracles that need no specification.

use clap::Args;

/// Oracles that need no specification.
#[derive(Args, Clone, Debug, Default)]
pub struct OracleArgs {
    /// Exception by which methods may refuse a call (repeatable), besides IllegalArgumentException,
    /// IllegalStateException, NoSuchElementException, UnsupportedOperationException, those in the
    /// method's throws clause, and NullPointerException where an argument is null
    #[arg(long = "expect-exception", value_name = "CLASS")]
    pub expected: Vec<String>,
    /// Contracts to check
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
}

impl OracleArgs {
    /// Whether no contracts are checked.
    pub fn leaves_contracts(&self) -> bool {
        self.contracts == ContractsName::None
    }
}

/// Contracts to check.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContractsName {
    /// Contracts of equals, hashCode, compareTo, toString and clone, where code of the program
    /// defines them [default]
    #[default]
    All,
    /// No contracts
    None,
}
