//! Files whose last line is a checksum of the rest, so that damage and edits are detected.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use crc32fast::Hasher;

/// Text before and after the checksum in the last line.
const LINE: (&str, &str) = ("{\"checksum\":\"", "\"}");

/// Running CRC-32 of the lines of a file.
#[derive(Clone, Debug, Default)]
pub struct Checksum(Hasher);

impl Checksum {
    /// Adds a line, given without its line end.
    pub fn add(&mut self, line: &str) {
        self.0.update(line.as_bytes());
        self.0.update(b"\n");
    }

    /// Formats the last line of the file.
    pub fn line(self) -> String {
        let (before, behind) = LINE;
        format!("{before}{:08x}{behind}", self.0.finalize())
    }
}

/// CRC-32 of bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Running 64-bit FNV-1a hash of texts, each preceded by its length.
#[derive(Clone, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a text.
    pub fn add(&mut self, text: &[u8]) {
        for byte in text.len().to_le_bytes().iter().chain(text) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Hash so far, in 16 hexadecimal digits.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Reads a file and compares its checksum with that in its last line.
///
/// # Errors
/// The file cannot be read, has no such line, or has other content than was written.
pub fn check(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("failed to read {shown}"))?;
    let mut reader = BufReader::new(file);
    let mut hasher = Hasher::new();
    let mut line = Vec::new();
    loop {
        let mut next = Vec::new();
        let read = reader.read_until(b'\n', &mut next);
        if read.with_context(|| format!("failed to read {shown}"))? == 0 {
            break;
        }
        hasher.update(&line);
        line = next;
    }
    let stated = String::from_utf8_lossy(&line);
    let stated = stated.trim_end().strip_prefix(LINE.0);
    let Some(stated) = stated.and_then(|rest| rest.strip_suffix(LINE.1)) else {
        bail!("{shown} is cut off: run that shard again");
    };
    ensure!(
        stated == format!("{:08x}", hasher.finalize()),
        "{shown} is damaged: its checksum is another; run that shard again"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut checksum = Checksum::default();
        let mut text = String::new();
        for line in ["{\"valid\":15}", "=a", "=b"] {
            checksum.add(line);
            text += &format!("{line}\n");
        }
        let whole = format!("{text}{}\n", checksum.line()).into_bytes();
        std::fs::write(&path, &whole).unwrap();
        check(&path).unwrap();
        for bit in 0..whole.len() * 8 - 8 {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &damaged).unwrap();
            assert!(check(&path).is_err(), "bit {bit}");
        }
        for length in 0..whole.len() - 1 {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(check(&path).is_err(), "length {length}");
        }
    }
}
