//! Option groups shared by verbs, and their values.

mod after_write;
mod api;
mod bounds;
mod class_path;
mod classes;
mod common;
mod formats;
mod inputs;
mod job;
mod junit;
mod limits;
mod mutants;
mod oracles;
mod project;
mod report;
mod settings;
mod test_world;

pub use after_write::{AfterWrite, AfterWriteArgs};
pub use api::{ApiArgs, MisuseArg, SpillArgs};
pub use bounds::BoundsArgs;
pub use class_path::{ClassPathArgs, split};
pub use classes::{class_name_fits, fitting, named_classes};
pub use common::{CommonArgs, MessageArgs, OutputArgs};
pub use formats::{Format, SearchName};
pub use inputs::{InputArgs, Integers, MAX_STEPS, Strings, limits};
pub use job::JobArgs;
pub use junit::{AssertionsName, FailurePlace, FrameworkName, JunitArgs, JunitCheck, StubForm};
pub use limits::{jobs, parse_number_or_none, parse_time, parse_time_or_none};
pub use mutants::OperatorGroupName;
pub use oracles::{ContractsName, OracleArgs};
pub use project::ProjectArgs;
pub use report::{ReportArgs, ReportFormat};
pub use settings::ConfigArgs;
pub use test_world::{TestWorldArgs, parse_pair};
