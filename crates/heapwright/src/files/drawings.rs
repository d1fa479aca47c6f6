//! Drawings of structures.

use std::path::Path;

use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_suite::{Structure, boxes, dot};

use super::Output;
use crate::options::Format;

/// Maximum number of structures in one drawing.
pub const MAX_DRAWINGS: u64 = 2_000;

/// Draws structures, numbered from 1, in one picture.
///
/// # Errors
/// The file cannot be written.
pub fn write_drawings(
    structures: &[Structure],
    format: Format,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let captions: Vec<String> = (1..=structures.len())
        .map(|number| number.to_string())
        .collect();
    let drawings: Vec<Drawing<'_>> = structures
        .iter()
        .zip(&captions)
        .map(|(structure, caption)| Drawing { structure, caption })
        .collect();
    write_captioned(&drawings, format, file)
}

/// Draws structures with their captions in one picture.
///
/// # Errors
/// The file cannot be written.
pub fn write_captioned(
    drawings: &[Drawing<'_>],
    format: Format,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let mut output = Output::open(file)?;
    let text = match format {
        Format::Boxes => boxes::write(drawings),
        Format::Dot => dot::write(drawings),
        _ => draw_sheet(drawings),
    };
    output.write_line(text.trim_end())?;
    output.finish()
}
