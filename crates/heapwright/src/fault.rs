//! Internal faults: a panic is caught in one place and reported with its source location. Work that
//! does not depend on it continues.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Panics that no [`catch`] has reported yet, oldest first, each with the thread that panicked.
static PANICS: Mutex<Vec<(ThreadId, Fault)>> = Mutex::new(Vec::new());

/// Internal fault of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// Message of the panic.
    pub message: String,
    /// Place in the sources of Heapwright.
    pub place: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { message, place } = self;
        let version = env!("CARGO_PKG_VERSION");
        write!(
            f,
            "a fault of ours, not of the class: {message} (heapwright {version}, {place}); please send us \
             this line"
        )
    }
}

impl std::error::Error for Fault {}

/// Installs a panic hook that records panics for [`catch`]. It prints them only if `RUST_BACKTRACE`
/// is set and not 0.
pub fn install_panic_hook() {
    let shown = panic::take_hook();
    let is_shown = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string);
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let fault = Fault {
            message: message.replace('\n', " "),
            place: place.unwrap_or_default(),
        };
        panics().push((thread::current().id(), fault));
        if is_shown {
            shown(info);
        }
    }));
}

/// Runs `work` and turns a panic into a fault. Includes panics of scoped threads that `work` joins.
///
/// # Errors
/// The work panicked.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    // A panic drops all state of `work`, so that no broken invariant is visible afterwards.
    let caught = panic::catch_unwind(AssertUnwindSafe(work));
    caught.map_err(|_| take_fault())
}

/// Takes the recorded panic behind the one that this thread caught: its own, or else the oldest
/// one, from a joined thread.
fn take_fault() -> Fault {
    let mut panics = panics();
    let own = thread::current().id();
    let is_own = |(thread, fault): &(ThreadId, Fault)| {
        *thread == own && fault.message != "a scoped thread panicked"
    };
    let place = panics.iter().position(is_own).unwrap_or(0);
    let fault = (place < panics.len()).then(|| panics.remove(place).1);
    panics.retain(|(thread, _)| *thread != own);
    fault.unwrap_or_else(|| Fault {
        message: "a panic".to_owned(),
        place: "an unknown place".to_owned(),
    })
}

fn panics() -> MutexGuard<'static, Vec<(ThreadId, Fault)>> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_faults_with_their_place() {
        install_panic_hook();
        let fault = catch(|| -> u32 { panic!("seven is\nno digit") }).unwrap_err();
        assert_eq!(fault.message, "seven is no digit");
        assert!(fault.place.contains("fault.rs:"), "{}", fault.place);
        let text = fault.to_string();
        assert!(text.ends_with("please send us this line"), "{text}");
        let below = || {
            thread::scope(|scope| {
                scope.spawn(|| panic!("of a worker"));
            });
        };
        assert_eq!(catch(below).unwrap_err().message, "of a worker");
        assert_eq!(catch(|| 7), Ok(7));
    }
}
