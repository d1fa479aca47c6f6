//! `--config FILE`: options from a file, overridden by those of the command line.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Parser;

use super::args::KoratArgs;

/// Options of the verb alone.
#[derive(Parser, Debug)]
#[command(name = "heapwright korat", args_override_self = true)]
struct Options {
    #[command(flatten)]
    arguments: KoratArgs,
}

/// Parses the options in a file followed by those of the command line. The last occurrence of an
/// option counts.
///
/// # Errors
/// The file cannot be read, or one of its options is wrong.
pub fn with_file(
    file: &Path,
    command_line: impl Iterator<Item = OsString>,
) -> anyhow::Result<KoratArgs> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("failed to read the options in {}", file.display()))?;
    let words = words(&text).map(OsString::from);
    let program = OsString::from("heapwright korat");
    match Options::try_parse_from(std::iter::once(program).chain(words).chain(command_line)) {
        Ok(Options { arguments }) => Ok(arguments),
        Err(error) => bail!("with the options in {}: {error}", file.display()),
    }
}

/// Words of a file in Korat's format: separated by blanks; lines that begin with `#` are comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_file() {
        let text = "# bounds\n--class a.B --args 1,2\n\n  -z\t-M  3\n";
        let expected = ["--class", "a.B", "--args", "1,2", "-z", "-M", "3"];
        assert_eq!(words(text).collect::<Vec<_>>(), expected);
    }
}
