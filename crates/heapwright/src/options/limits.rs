//! Values of options that limit a run: times, sizes and workers.

use std::time::Duration;

use anyhow::{Context, anyhow};

/// Number of workers: one a core by default.
pub fn jobs(given: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    given.map_or_else(cores, |jobs| jobs as usize)
}

/// Parses a size in bytes, with an optional suffix k, m or g; at least 1 MiB.
pub fn parse_size(text: &str) -> anyhow::Result<u64> {
    let (digits, factor) = match text.to_ascii_lowercase() {
        text if text.ends_with('k') => (text[..text.len() - 1].to_owned(), 1 << 10),
        text if text.ends_with('m') => (text[..text.len() - 1].to_owned(), 1 << 20),
        text if text.ends_with('g') => (text[..text.len() - 1].to_owned(), 1 << 30),
        text => (text, 1),
    };
    let number: u64 = digits
        .parse()
        .context("a size is a number followed by k, m or g")?;
    number
        .checked_mul(factor)
        .filter(|&size| size >= 1 << 20)
        .context("a size is at least 1m")
}

/// Parses a time, as `30s`, `2m`, `500ms` or `1h`.
///
/// # Errors
/// The text is not a time.
pub fn parse_time(text: &str) -> anyhow::Result<Duration> {
    let time = humantime::parse_duration(text);
    time.map_err(|_| anyhow!("a time is a number followed by ms, s, m or h"))
}

/// Parses a time as [`parse_time`] does, or `none` for no limit.
///
/// # Errors
/// The text is neither.
pub fn parse_time_or_none(text: &str) -> anyhow::Result<Duration> {
    match text {
        "none" => Ok(Duration::MAX),
        time => parse_time(time),
    }
}

/// Parses a positive number, or `none` for no limit, as [`u32::MAX`].
///
/// # Errors
/// The text is neither.
pub fn parse_number_or_none(text: &str) -> anyhow::Result<u32> {
    match text {
        "none" => Ok(u32::MAX),
        number => {
            let number = number.parse().ok().filter(|number| *number > 0);
            number.ok_or_else(|| anyhow!("it is a number, 1 or more, or none"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for (text, milliseconds) in [
            ("30s", 30_000),
            ("2m", 120_000),
            ("500ms", 500),
            ("1h", 3_600_000),
            ("0s", 0),
            ("1h 30m", 5_400_000),
            ("3d", 259_200_000),
            ("1.5s", 1_500),
        ] {
            assert_eq!(
                parse_time(text).unwrap(),
                Duration::from_millis(milliseconds)
            );
        }
        for text in [
            "",
            "s",
            "30",
            "-1s",
            "99999999999999999999s",
            "18446744073709551615h",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
