//! Option group: jobs of several machines.

use clap::Args;

/// Folder and number of parts of a job.
#[derive(Args, Clone, Debug, Default)]
pub struct JobArgs {
    /// Plan a job in this new folder instead of searching: `heapwright work DIR` searches its parts,
    /// on as many machines as reach the folder, and `heapwright merge DIR` gives the result of one
    /// run. DIR may be the URL of an object store, as s3://bucket/path
    #[arg(long, value_name = "DIR")]
    pub job: Option<String>,
    /// Number of parts of about the same expected work at the start; parts that prove large divide
    /// themselves. From the API: most owners among whom the structures are divided
    #[arg(long, value_name = "N", default_value_t = 16, requires = "job", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub parts: u32,
}
