//! Tries tests before they are written: compiles them with the JDK's compiler and runs them on its virtual machine, in
//! two worlds that differ in whatever may differ from machine to machine.
//!
//! Invariant: what [`sift`] returns without a notice compiled without a warning, and passed in both worlds, in two
//! orders, with assertions on and off.

mod process;
mod sift;
mod trial;

pub use sift::{Haste, LeftOut, Purpose, Sifted, sift};
pub use trial::{Diagnostic, Failure, Thoroughness, Trial, TrialError, Verdict};

include!(concat!(env!("OUT_DIR"), "/runner.rs"));
