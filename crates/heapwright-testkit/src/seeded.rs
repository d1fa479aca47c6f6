//! Classes with a seeded fault, in `fixtures/src/faults`, and what shows it: the rows of
//! `fixtures/faults.csv`.

use std::fs;

use crate::fixtures::{files, project};

/// Fault of a class, and the smallest scope that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededFault {
    /// Binary name of the class.
    pub class: String,
    /// Name of the faulty method.
    pub method: String,
    /// Smallest scope that shows it.
    pub scope: u32,
    /// Number of objects of the smallest structure that shows it.
    pub objects: usize,
    /// Kind of failure.
    pub kind: String,
    /// Oracle that the method fails, if it takes one.
    pub oracle: Option<String>,
    /// Class that the method disagrees with, if it takes one.
    pub against: Option<String>,
}

/// Reads all rows.
///
/// # Panics
/// The file is malformed, or a class has no row.
#[must_use]
pub fn faults() -> Vec<SeededFault> {
    let fixtures = project().join("fixtures");
    let rows = fs::read_to_string(fixtures.join("faults.csv")).expect("the faults");
    let faults: Vec<SeededFault> = rows
        .lines()
        .skip(1)
        .map(|line| {
            let row: Vec<&str> = line.split(',').collect();
            let option = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            SeededFault {
                class: format!("faults.{}", row[0]),
                method: row[1].to_owned(),
                scope: row[2].parse().expect("a scope"),
                objects: row[3].parse().expect("a number of objects"),
                kind: row[4].to_owned(),
                oracle: option(row[5]),
                against: option(row[6]),
            }
        })
        .collect();
    let sources = files(&fixtures.join("src/faults"), "java");
    assert_eq!(faults.len(), sources.len(), "each class has a row");
    faults
}
