//! Option group: bounds of structures.

use anyhow::bail;
use clap::Args;
use heapwright_techniques::adjust::Adjustments;
use heapwright_techniques::invariant::BoundsRequest;

/// Bounds of structures.
#[derive(Args, Debug)]
pub struct BoundsArgs {
    /// Derive bounds: N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N")]
    pub scope: Option<u32>,
    /// Korat finitization method that sets the bounds [default: fin and the class's name]
    #[arg(long, value_name = "NAME")]
    pub finitization: Option<String>,
    /// Arguments of the finitization method, separated by commas
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Print the bounds as [bounds] of heapwright.toml, each line with its origin, and search
    /// nothing
    #[arg(long)]
    pub explain_bounds: bool,
    /// Adjustments of derived bounds in the settings file.
    #[arg(skip)]
    pub adjustments: Adjustments,
}

impl BoundsArgs {
    /// Returns the source of the bounds: the scope or a finitization method.
    ///
    /// # Errors
    /// Both sources are given, or none.
    pub fn request(&self) -> anyhow::Result<BoundsRequest> {
        match (self.scope, &self.args) {
            (Some(scope), None) if self.finitization.is_none() => {
                Ok(BoundsRequest::Adjusted(scope, self.adjustments.clone()))
            }
            (Some(_), _) => bail!(
                "--scope derives bounds, --finitization and --args use the class's own: give one of them"
            ),
            (None, None) if self.finitization.is_none() => bail!(
                "no bounds are given: --scope N derives them, --args A,B,… calls the class's finitization method"
            ),
            (None, args) => {
                let arguments_given = match args.as_deref() {
                    None | Some("") => Vec::new(),
                    Some(list) => list.split(',').map(str::to_owned).collect(),
                };
                Ok(BoundsRequest::Finitization {
                    name: self.finitization.clone(),
                    arguments: arguments_given,
                })
            }
        }
    }

    /// The bounds in a summary: ` (scope 3)`, or nothing.
    #[must_use]
    pub fn shown(&self) -> String {
        match (self.scope, self.args.as_deref()) {
            (Some(scope), _) => format!(" (scope {scope})"),
            (None, None | Some("")) => String::new(),
            (None, Some(given)) => format!(" ({given})"),
        }
    }
}
