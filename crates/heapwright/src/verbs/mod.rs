//! The verbs, each in a folder: its arguments, what it runs and its report.

pub mod builders;
pub mod check;
pub mod compare;
pub mod enumerate;
pub mod fields;
pub mod korat;
pub mod merge;
pub mod paths;
pub mod run;
pub mod schema;
pub mod sequences;
