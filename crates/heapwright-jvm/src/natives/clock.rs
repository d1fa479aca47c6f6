//! The clock. It advances with waits for it. Each read advances it, too, so that busy waiting
//! ends.

use super::{Args, NativeEntry};
use crate::chances::Chance;
use crate::vm::{Fault, Vm};

/// Start time of the program: 2020-01-01T00:00:00Z, in milliseconds.
pub(crate) const START_MILLIS: u64 = 1_577_836_800_000;
/// Result of `System.nanoTime` at the start.
const START_NANOS: u64 = 1_000_000_000;
pub(super) const NANOS_IN_MILLI: u64 = 1_000_000;
/// Duration of a read of the clock, and of a yield, in nanoseconds.
pub(super) const LOOK_NANOS: u64 = 1_000;

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/lang/System.currentTimeMillis()J", current_time_millis),
    ("java/lang/System.nanoTime()J", nano_time),
    (
        "jdk/internal/misc/VM.getNanoTimeAdjustment(J)J",
        nano_time_adjustment,
    ),
];

impl Vm {
    /// Nanoseconds since the start, all spent in waits, clock reads and turns of threads.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.heap.load(self.clock_word())
    }

    /// Arena word of the clock.
    pub(crate) fn clock_word(&self) -> u32 {
        self.thread_ids + 1
    }

    /// Milliseconds between 1970 and now, for what the library notes without being asked.
    pub(crate) fn noted_time(&self) -> i64 {
        (START_MILLIS + self.time() / NANOS_IN_MILLI) as i64
    }

    /// Reads the clock: nanoseconds since the start.
    pub(super) fn read_clock(&mut self) -> u64 {
        self.note_chance(Chance::Clock);
        self.pass_time(LOOK_NANOS);
        self.time()
    }

    /// Advances the clock by a number of nanoseconds; going back restores it.
    pub fn pass_time(&mut self, nanos: u64) {
        let waited = self.time().saturating_add(nanos);
        self.heap.store(self.clock_word(), waited);
    }
}

fn current_time_millis(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.config.seen.add_date();
    Ok(START_MILLIS + vm.read_clock() / NANOS_IN_MILLI)
}

fn nano_time(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(START_NANOS.wrapping_add(vm.read_clock()))
}

/// Nanoseconds between a number of seconds since 1970 and now; -1 if they are too far apart.
fn nano_time_adjustment(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const NANOS_IN_SECOND: i128 = 1_000_000_000;
    const FARTHEST_SECONDS: i128 = 1 << 32;
    vm.config.seen.add_date();
    let now = i128::from(START_MILLIS) * i128::from(NANOS_IN_MILLI) + i128::from(vm.read_clock());
    let offset = i128::from(vm.arg(args, 0) as i64) * NANOS_IN_SECOND;
    let distance = now - offset;
    Ok(if distance.abs() < FARTHEST_SECONDS * NANOS_IN_SECOND {
        distance as i64 as u64
    } else {
        u64::MAX
    })
}
