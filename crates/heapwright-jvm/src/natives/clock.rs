//! The clock, and waits for it or for another thread. There is one thread. A wait with a time
//! limit ends at once and advances the clock; a wait without one is refused. Each read of the
//! clock advances it, too, so that busy waiting ends.

use super::lang::not_owner;
use super::{Args, Entry};
use crate::vm::{Fault, Vm};

/// Start time of the program: 2020-01-01T00:00:00Z, in milliseconds.
const START_MILLIS: u64 = 1_577_836_800_000;
/// Result of `System.nanoTime` at the start.
const START_NANOS: u64 = 1_000_000_000;
const NANOS_IN_MILLI: u64 = 1_000_000;
/// Duration of a read of the clock, in nanoseconds.
const LOOK_NANOS: u64 = 1_000;

pub(super) const NATIVES: &[Entry] = &[
    ("java/lang/System.currentTimeMillis()J", current_time_millis),
    ("java/lang/System.nanoTime()J", nano_time),
    (
        "jdk/internal/misc/VM.getNanoTimeAdjustment(J)J",
        nano_time_adjustment,
    ),
    ("java/lang/Thread.sleep(J)V", sleep),
    ("java/lang/Thread.sleep0(J)V", sleep_nanos),
    ("java/lang/Thread.sleepNanos0(J)V", sleep_nanos),
    ("java/lang/Object.wait(J)V", wait),
    ("java/lang/Object.wait0(J)V", wait),
    ("jdk/internal/misc/Unsafe.park(ZJ)V", park),
    (
        "jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V",
        unpark,
    ),
];

impl Vm {
    fn permit(&self) -> u32 {
        self.thread_ids + 1
    }

    /// Nanoseconds since the start, all spent in waits and clock reads.
    fn waited(&self) -> u64 {
        self.heap.load(self.clock_word())
    }

    /// Arena word of the clock.
    pub(crate) fn clock_word(&self) -> u32 {
        self.thread_ids + 2
    }

    /// Milliseconds between 1970 and now, for what the library notes without being asked.
    pub(crate) fn noted_time(&self) -> i64 {
        (START_MILLIS + self.waited() / NANOS_IN_MILLI) as i64
    }

    /// Reads the clock: nanoseconds since the start.
    fn read_clock(&mut self) -> u64 {
        self.chances += 1;
        self.pass_time(LOOK_NANOS);
        self.waited()
    }

    /// Advances the clock by a number of nanoseconds; going back restores it.
    pub fn pass_time(&mut self, nanos: u64) {
        let waited = self.waited().saturating_add(nanos);
        self.heap.store(self.clock_word(), waited);
    }

    fn interrupt_word(&self) -> Result<u32, Fault> {
        let thread = self.main_thread;
        Ok(thread.0 + self.word_of(self.heap.class_of(thread), "interrupted")?)
    }

    /// Throws if the thread is interrupted, and clears the interrupt.
    fn check_interrupt(&mut self, message: Option<&str>) -> Result<(), Fault> {
        let word = self.interrupt_word()?;
        if self.heap.load(word) == 0 {
            return Ok(());
        }
        let class = "java/lang/InterruptedException";
        let exception = self.new_exception(class, message)?;
        self.heap.store(word, 0);
        Err(Fault::Throw(exception))
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

fn sleep(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let millis = vm.arg(args, 0);
    if (millis as i64) < 0 {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "timeout value is negative",
        ));
    }
    vm.check_interrupt(Some("sleep interrupted"))?;
    vm.pass_time(millis.saturating_mul(NANOS_IN_MILLI));
    Ok(0)
}

fn sleep_nanos(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.check_interrupt(Some("sleep interrupted"))?;
    let nanos = vm.arg(args, 0);
    vm.pass_time(nanos);
    Ok(0)
}

fn wait(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    let millis = vm.arg(args, 1);
    if (millis as i64) < 0 {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "timeout value is negative",
        ));
    }
    if vm.heap.monitor_depth(object) == 0 {
        return Err(not_owner());
    }
    vm.check_interrupt(None)?;
    if millis == 0 {
        return Err(Fault::unsupported(
            "java.lang.Object.wait(): there is only one thread",
        ));
    }
    vm.pass_time(millis.saturating_mul(NANOS_IN_MILLI));
    Ok(0)
}

fn park(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let absolute = vm.arg_int(args, 1) != 0;
    let time = vm.arg(args, 2);
    let permit = vm.permit();
    if vm.heap.load(permit) != 0 {
        vm.heap.store(permit, 0);
        return Ok(0);
    }
    let word = vm.interrupt_word()?;
    if vm.heap.load(word) != 0 {
        return Ok(0);
    }
    if absolute {
        let now = START_MILLIS + vm.waited() / NANOS_IN_MILLI;
        vm.pass_time(time.saturating_sub(now).saturating_mul(NANOS_IN_MILLI));
    } else if time == 0 {
        return Err(Fault::unsupported(
            "java.util.concurrent.locks.LockSupport.park(): there is only one thread, which would wait for ever",
        ));
    } else {
        vm.pass_time(time);
    }
    Ok(0)
}

fn unpark(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.arg_ref(args, 1) == vm.main_thread {
        let permit = vm.permit();
        vm.heap.store(permit, 1);
    }
    Ok(0)
}
