//! Faults of ours: a panic is caught in one place, reported with what was worked on, where it came up and
//! what to do, and whatever does not depend on it goes on.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use schemars::JsonSchema;
use serde::Serialize;

/// The panics that nobody has caught yet, oldest first, with the thread that came to each.
static PANICS: Mutex<Vec<(ThreadId, Fault)>> = Mutex::new(Vec::new());

/// A fault of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// What went wrong.
    pub message: String,
    /// Where in our sources.
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

/// From now on panics are kept for whoever catches them, and shown only if `RUST_BACKTRACE` asks for it.
pub fn listen() {
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

/// Does some work; a panic on the way, also that of a thread which the work waits for, is a fault.
///
/// # Errors
/// There was one.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    // Whatever the work was at is dropped with it.
    let caught = panic::catch_unwind(AssertUnwindSafe(work));
    caught.map_err(|_| taken())
}

/// The panic behind one that this thread has caught: its own, or what one of its threads came to.
fn taken() -> Fault {
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
        listen();
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
