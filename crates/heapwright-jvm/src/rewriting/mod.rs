//! Class files with other code in single places: with probes ([`probed`]) or with one change
//! ([`patched`]), for a virtual machine outside.
//!
//! Only instructions without jumps are inserted, and jumps keep their targets. Stack maps therefore
//! stay those of the class file, at other positions. **Invariant:** fields, methods and attributes of
//! the class stay as they are, so that a running virtual machine can take the file in place of the
//! original.

mod code;
mod patched;
mod pool;
mod probed;

use std::collections::BTreeMap;

use crate::classfile::ClassFileError;
pub use code::CodeEdit;
use code::MethodEdits;
use pool::Pool;
pub use probed::{ClassProbe, JumpProbe};

/// Class file that is written anew.
struct ClassRewriter<'a> {
    bytes: &'a [u8],
    pool: Pool<'a>,
    /// Edits by the index of the method.
    methods: BTreeMap<usize, MethodEdits>,
}

/// Reader of a part of a class file, which copies what it passes.
struct Copier<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What was written so far.
    made: Vec<u8>,
}

impl<'a> Copier<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn skip_u16(&mut self) -> Option<u16> {
        let taken = self.take(2)?;
        Some(u16::from_be_bytes([taken[0], taken[1]]))
    }

    fn skip_u32(&mut self) -> Option<u32> {
        let taken = self.take(4)?;
        Some(u32::from_be_bytes([taken[0], taken[1], taken[2], taken[3]]))
    }

    fn copy(&mut self, length: usize) -> Option<()> {
        let taken = self.take(length)?;
        self.made.extend(taken);
        Some(())
    }

    fn u16(&mut self) -> Option<u16> {
        let number = self.skip_u16()?;
        self.put_u16(number);
        Some(number)
    }

    fn u32(&mut self) -> Option<u32> {
        let number = self.skip_u32()?;
        self.made.extend(number.to_be_bytes());
        Some(number)
    }

    fn put_u16(&mut self, number: u16) {
        self.made.extend(number.to_be_bytes());
    }
}

impl<'a> ClassRewriter<'a> {
    /// Begins to rewrite a well-formed class file.
    ///
    /// # Errors
    /// It is malformed.
    fn new(bytes: &'a [u8]) -> Result<ClassRewriter<'a>, ClassFileError> {
        let pool = Pool::of(bytes);
        Ok(ClassRewriter {
            bytes,
            pool: pool.ok_or_else(malformed)?,
            methods: BTreeMap::new(),
        })
    }

    /// Adds an edit before, or of, the instruction of a method at a bytecode index.
    fn edit(&mut self, method: usize, at: u16, edit: CodeEdit) {
        let own = self.methods.entry(method).or_default();
        own.edits.insert(at, edit);
    }

    /// The class file with all edits.
    ///
    /// # Errors
    /// It is malformed, or a method becomes too large; the text says which.
    fn finish(self) -> Result<Vec<u8>, String> {
        let mut copier = Copier {
            bytes: self.bytes,
            at: self.pool.end(),
            made: self.pool.written()?,
        };
        let whole = self.members(&mut copier)?;
        whole.map_or_else(|| Err(malformed().to_string()), |()| Ok(copier.made))
    }

    /// Copies what is behind the constant pool. `None` if it is malformed.
    fn members(&self, copier: &mut Copier<'a>) -> Result<Option<()>, String> {
        let mut failure = None;
        let mut copy = || {
            copier.copy(6)?;
            let interfaces = copier.u16()?;
            copier.copy(2 * usize::from(interfaces))?;
            for _ in 0..copier.u16()? {
                copier.copy(6)?;
                attributes(copier)?;
            }
            for method in 0..usize::from(copier.u16()?) {
                copier.copy(6)?;
                let Some(edits) = self.methods.get(&method) else {
                    attributes(copier)?;
                    continue;
                };
                for _ in 0..copier.u16()? {
                    let start = copier.made.len();
                    let name = copier.u16()?;
                    let length = copier.u32()? as usize;
                    if self.pool.text(name) != Some(b"Code") {
                        copier.copy(length)?;
                        continue;
                    }
                    let own = copier.take(length)?;
                    match edits.apply(own, &self.pool) {
                        Ok(code) => {
                            copier.made.truncate(start + 2);
                            copier.made.extend((code.len() as u32).to_be_bytes());
                            copier.made.extend(code);
                        }
                        Err(reason) => {
                            failure = Some(reason);
                            return None;
                        }
                    }
                }
            }
            attributes(copier)
        };
        let copied = copy();
        failure.map_or(Ok(copied), Err)
    }
}

fn attributes(copier: &mut Copier<'_>) -> Option<()> {
    for _ in 0..copier.u16()? {
        copier.copy(2)?;
        let length = copier.u32()? as usize;
        copier.copy(length)?;
    }
    Some(())
}

fn malformed() -> ClassFileError {
    ClassFileError::Malformed("it ends too early".to_owned())
}
