//! Trial of tests before they are written. It compiles them with the JDK's compiler and runs them
//! on its virtual machine, in two environments (worlds). The worlds differ in everything that may
//! differ between machines.
//!
//! Invariant: output of [`sift`] without a notice compiled without a warning and passed in both
//! worlds, in two orders, with assertions enabled and disabled.

mod agent;
mod exchanges;
mod filter;
mod pace;
mod process;
mod test_jvm;
mod together;
mod trial;

pub use agent::{Agent, AgentClass};
pub use exchanges::find_exchanges;
pub use filter::{FilteredSuite, Purpose, RemovedTests, TimePressure, sift};
pub use pace::TrialPace;
pub use process::Urgency;
pub use test_jvm::{
    ClassEnd, MutantRun, TestClassRun, TestEnd, TestEvent, TestJvm, TestUnit, TestUnits, TestWindow,
};
pub use together::{ModuleFailure, ModuleRun, TestModule};
pub use trial::{Diagnostic, TestFailure, Thoroughness, Trial, TrialError, Verdict};

include!(concat!(env!("OUT_DIR"), "/runner.rs"));
