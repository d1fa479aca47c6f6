//! Values of options for mutation analysis.

use clap::ValueEnum;
use heapwright_techniques::mutation::OperatorGroup;

/// Group of mutation operators.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorGroupName {
    /// No mutants
    None,
    /// PIT's defaults
    Defaults,
    /// PIT's stronger group, without changes of switches
    Stronger,
    /// All of these, and more conditionals and calls that are removed
    All,
    /// Errors of logic, too: wrong operands, constants, variables, fields and calls
    Logic,
}

impl OperatorGroupName {
    /// The group, if there is one.
    pub fn group(self) -> Option<OperatorGroup> {
        match self {
            OperatorGroupName::None => None,
            OperatorGroupName::Defaults => Some(OperatorGroup::Defaults),
            OperatorGroupName::Stronger => Some(OperatorGroup::Stronger),
            OperatorGroupName::All => Some(OperatorGroup::All),
            OperatorGroupName::Logic => Some(OperatorGroup::Logic),
        }
    }
}
