//! What a run has to say if the process is ended while the run does not look up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Most time that the words may take: standard output may be one that nobody reads.
const MOST: Duration = Duration::from_millis(250);

/// Writes the words, given what ends the process.
type Words = Box<dyn FnOnce(&'static str) + Send>;

/// Words that are written at most once, by whoever ends the process.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Option<Words>>>);

impl LastWords {
    fn lock(&self) -> MutexGuard<'_, Option<Words>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the words, in place of those before, or takes them back. Does not return while they are
    /// being said.
    pub(super) fn set(&self, words: Option<Words>) {
        *self.lock() = words;
    }

    /// Says the words, if there are any, and then ends the process as `exit` does.
    pub(super) fn say_and_then<T>(&self, reason: &'static str, exit: impl FnOnce() -> T) -> T {
        // The run cannot write results of its own from here on.
        let mut words = self.lock();
        if let Some(words) = words.take() {
            let (done, is_done) = mpsc::channel();
            let speaker = thread::Builder::new().spawn(move || {
                words(reason);
                // Nobody waits any more if that took too long.
                let _ = done.send(());
            });
            if speaker.is_ok() {
                // Words that fail are lost like all that was not written.
                let _ = is_done.recv_timeout(MOST);
            }
        }
        exit()
    }
}

impl std::fmt::Debug for LastWords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LastWords").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that arrive at the receiver.
    fn words(text: &'static str) -> (Option<Words>, mpsc::Receiver<String>) {
        let (said, heard) = mpsc::channel();
        let words: Words = Box::new(move |reason| {
            let _ = said.send(format!("{text}, by {reason}"));
        });
        (Some(words), heard)
    }

    #[test]
    fn the_newest_words_are_said_once_before_the_end() {
        let last = LastWords::default();
        let (old, heard_old) = words("old");
        let (new, heard) = words("new");
        last.set(old);
        last.set(new);
        let at_end = last.say_and_then("--time-limit", || heard.try_recv());
        assert_eq!(at_end.as_deref(), Ok("new, by --time-limit"));
        assert!(heard_old.try_recv().is_err());
        assert_eq!(
            last.say_and_then("--time-limit", || heard.try_recv().ok()),
            None
        );
    }

    #[test]
    fn words_that_are_taken_back_are_not_said() {
        let last = LastWords::default();
        let (words, heard) = words("unknown");
        last.set(words);
        last.set(None);
        assert!(last.say_and_then("--time-limit", || heard.try_recv().is_err()));
    }

    #[test]
    fn words_that_find_no_listener_do_not_delay_the_end() {
        let last = LastWords::default();
        let (never, forever) = mpsc::channel::<()>();
        last.set(Some(Box::new(move |_| {
            let _ = forever.recv();
        })));
        assert!(last.say_and_then("--time-limit", || true));
        drop(never);
    }

    #[test]
    fn a_run_does_not_write_results_while_its_last_words_are_said() {
        let last = LastWords::default();
        let (set, is_set) = mpsc::channel();
        let run = last.clone();
        last.say_and_then("--time-limit", || {
            thread::spawn(move || {
                run.set(None);
                let _ = set.send(());
            });
            let early = is_set.recv_timeout(Duration::from_millis(50));
            assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout));
        });
        assert_eq!(is_set.recv(), Ok(()));
    }
}
