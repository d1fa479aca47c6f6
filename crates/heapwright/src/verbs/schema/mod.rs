//! `heapwright schema`: the JSON Schema of a verb's summary, and of the data in reports.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::builders::BuildersSummary;
use super::compare::CompareSummary;
use super::doctor::DoctorSummary;
use super::enumerate::ApiSummary;
use super::fields::{FieldsSummary, MeasureSummary};
use super::list::ListSummary;
use super::measure::TestsSummary;
use super::paths::PathsSummary;
use super::run::SymbolicSummary;
use super::sequences::{SequencesOfClasses, SequencesSummary};
use super::status::JobSummary;
use super::verify::VerifySummary;
use crate::files::print;
use crate::modules::ModulesSummary;
use crate::report::calls::CheckSummary;
use crate::report::structures::StructuresSummary;
use crate::report::summary::{FaultSummary, Summary};

/// Options of `schema`.
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// Verb whose summary is described, or report
    #[arg(value_enum, value_name = "VERB")]
    pub verb: SummaryOf,
}

/// Verbs with a summary, and the data of reports.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SummaryOf {
    Generate,
    Enumerate,
    Check,
    Builders,
    Compare,
    Fields,
    Paths,
    Sequences,
    Measure,
    List,
    Doctor,
    Merge,
    Work,
    Status,
    Run,
    Verify,
    /// Data of a run in a folder of reports: report.json
    Report,
}

/// Prints the JSON Schema of the summary that a verb writes with `--json`.
///
/// # Errors
/// Standard output cannot be written to.
pub fn run(arguments: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schema = schema(arguments.verb);
    print(&format!("{}\n", serde_json::to_string_pretty(&schema)?))?;
    Ok(ExitCode::SUCCESS)
}

/// JSON Schema of the summary of a verb.
pub fn schema(verb: SummaryOf) -> Schema {
    match verb {
        SummaryOf::Enumerate => any_of(&[summary::<StructuresSummary>, summary::<ApiSummary>]),
        SummaryOf::Check => any_of(&[summary::<CheckSummary>]),
        SummaryOf::Builders => any_of(&[summary::<BuildersSummary>]),
        SummaryOf::Compare => any_of(&[summary::<CompareSummary>]),
        SummaryOf::Fields => any_of(&[summary::<FieldsSummary>, summary::<MeasureSummary>]),
        SummaryOf::Paths => any_of(&[summary::<PathsSummary>]),
        SummaryOf::Generate | SummaryOf::Sequences => any_of(&[
            summary::<SequencesSummary>,
            summary::<SequencesOfClasses>,
            summary::<ModulesSummary>,
        ]),
        SummaryOf::Measure => any_of(&[summary::<TestsSummary>, summary::<ModulesSummary>]),
        SummaryOf::List => any_of(&[summary::<ListSummary>, summary::<ModulesSummary>]),
        SummaryOf::Doctor => any_of(&[summary::<DoctorSummary>]),
        SummaryOf::Merge => any_of(&[
            summary::<StructuresSummary>,
            summary::<CheckSummary>,
            summary::<PathsSummary>,
        ]),
        SummaryOf::Work | SummaryOf::Status => any_of(&[summary::<JobSummary>]),
        SummaryOf::Run => any_of(&[summary::<SymbolicSummary>]),
        SummaryOf::Verify => any_of(&[summary::<VerifySummary>]),
        SummaryOf::Report => SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<heapwright_report::Run>(),
    }
}

/// Schema of a summary with the verb's own keys.
fn summary<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Summary<T>>()
}

/// Schema that accepts any of these summaries, or that of a fault.
fn any_of(summaries: &[fn(&mut SchemaGenerator) -> Schema]) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let version = settings.meta_schema.clone();
    let mut generator = settings.into_generator();
    let mut all: Vec<Schema> = summaries.iter().map(|of| of(&mut generator)).collect();
    all.push(generator.subschema_for::<FaultSummary>());
    let definitions = generator.take_definitions(true);
    json_schema!({"$schema": version, "anyOf": all, "$defs": definitions})
}
