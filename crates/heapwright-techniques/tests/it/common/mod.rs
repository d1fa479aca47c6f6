//! Set-up of the techniques' tests.

pub mod checks;
pub mod enumerated;
#[path = "../../../../heapwright-jvm/tests/it/common/hostile.rs"]
#[expect(dead_code, reason = "jars and programs are tested elsewhere")]
pub mod hostile;
pub mod inputs;
pub mod paths;
