//! Limit of the memory that Z3 takes.
//!
//! Z3 has one limit for the whole library. Whatever allocates beyond it fails, and a failing
//! destructor ends the process, as destructors of C++ do. So the limit is lifted while a solver or a
//! context is destroyed, and from a failure until the context that failed is gone.

use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::functions::Functions;

/// Memory of all solvers of the process together, and who has lifted it.
struct MemoryLimit {
    bytes: u64,
    lifted: usize,
}

static LIMIT: Mutex<MemoryLimit> = Mutex::new(MemoryLimit {
    bytes: 1 << 30,
    lifted: 0,
});

/// Limits the memory that Z3 takes in this process, in bytes, for libraries loaded from now on. A
/// query that needs more remains unknown. By default it is 1 GiB.
pub fn limit_memory(bytes: u64) {
    limit().bytes = bytes;
}

/// Guard that lifts the limit as long as it lives.
#[derive(Debug)]
pub(super) struct Lifted(Functions);

impl Lifted {
    pub(super) fn new(functions: Functions) -> Lifted {
        let mut limit = limit();
        limit.lifted += 1;
        if limit.lifted == 1 {
            set(functions, 0);
        }
        Lifted(functions)
    }
}

impl Drop for Lifted {
    fn drop(&mut self) {
        let mut limit = limit();
        limit.lifted -= 1;
        if limit.lifted == 0 {
            set(self.0, limit.mebibytes());
        }
    }
}

impl MemoryLimit {
    fn mebibytes(&self) -> u64 {
        (self.bytes >> 20).max(1)
    }
}

/// Tells a library just loaded of the limit.
pub(super) fn impose(functions: Functions) {
    let limit = limit();
    if limit.lifted == 0 {
        set(functions, limit.mebibytes());
    }
}

fn limit() -> MutexGuard<'static, MemoryLimit> {
    LIMIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the limit in Z3's unit; 0 is none.
fn set(functions: Functions, mebibytes: u64) {
    // Digits have no zero byte.
    if let Ok(most) = CString::new(mebibytes.to_string()) {
        // SAFETY: both are C strings, which Z3 copies.
        unsafe { (functions.global_param_set)(c"memory_max_size".as_ptr(), most.as_ptr()) }
    }
}
