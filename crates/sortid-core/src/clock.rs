#[cfg(feature = "std")]
#[cfg_attr(all(feature = "js", target_arch = "wasm32", target_os = "unknown"), path = "clock/js.rs")]
mod system;

#[cfg(target_has_atomic = "ptr")]
use crate::generator::micros;
use core::time::Duration;
#[cfg(target_has_atomic = "ptr")]
use portable_atomic::{AtomicU64, Ordering::SeqCst};

/// A source of Unix time. Implement it on platforms without a [`SystemClock`](crate::SystemClock).
///
/// ```
/// # use sortid_core::Clock;
/// struct Rtc;
///
/// impl Clock for Rtc {
///     fn unix_micros(&self) -> Option<u64> {
///         let seconds: u32 = 1_700_000_000; // read from the device
///         Some(u64::from(seconds) * 1_000_000)
///     }
/// }
/// assert_eq!(Rtc.unix_micros(), Some(1_700_000_000_000_000));
/// ```
pub trait Clock {
    // An `Option`, because a clock that was never set must not give 0, which would become the time of an ID.
    /// Returns the microseconds since 1970-01-01T00:00:00Z, without leap seconds; `None` if the clock has no valid time,
    /// because it is before 1970 or was not set yet.
    fn unix_micros(&self) -> Option<u64>;

    /// The milliseconds of [`unix_micros`](Self::unix_micros), rounded down. The system's clock has them at hand, without a
    /// division.
    #[doc(hidden)]
    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        Some(self.unix_micros()? / 1000)
    }

    /// Waits until the clock reads `until`, in microseconds since 1970, or later. Returns `false` if the clock stands still,
    /// or if the platform does not allow a wait of this length.
    ///
    /// The wait must end if the clock stands still. It ends early, with `true`, if the clock goes back or has no valid time:
    /// the caller then decides again. The default implementation gives up on a clock after a million equal readings, so a clock
    /// whose steps take longer needs a `wait` of its own.
    fn wait(&self, until: u64) -> bool {
        spin_until(self, until, 1_000_000)
    }
}

/// [`Clock::wait`] without sleeping. Gives up on a clock after `patience` equal readings.
fn spin_until(clock: &(impl Clock + ?Sized), until: u64, patience: u32) -> bool {
    let mut readings = 0;
    wait_with(clock, until, |has_moved| {
        core::hint::spin_loop();
        readings = if has_moved { 0 } else { readings + 1 };
        readings < patience
    })
}

/// Reads the clock until it reads `until`, goes back or has no valid time. Before it reads the clock again, it calls `pause`
/// with whether the clock has moved. Returns `false` if `pause` does.
fn wait_with(clock: &(impl Clock + ?Sized), until: u64, mut pause: impl FnMut(bool) -> bool) -> bool {
    let mut last = 0;
    while let Some(now) = clock.unix_micros().filter(|now| (last..until).contains(now)) {
        if !pause(now > last) {
            return false;
        }
        last = now;
    }
    true
}

for_pointers!(Clock {
    fn unix_micros(&self) -> Option<u64>;
    fn unix_millis(&self) -> Option<u64>;
    fn wait(&self, until: u64) -> bool;
});

/// The operating system's real-time clock; on `wasm32-unknown-unknown`, with the feature `js`, `Date.now()` of the
/// JavaScript host.
///
/// `Date.now()` counts milliseconds. `performance.now()` is finer, but does not follow corrections of the system's clock,
/// and in some browsers it stops while the computer sleeps.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
impl Clock for SystemClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        system::unix_micros()
    }

    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        system::unix_millis()
    }

    /// Sleeps until the clock reads `until`. Gives up on a clock that stands still for a second.
    ///
    /// In a JavaScript host, no thread may sleep. There it reads the clock again and again, and gives up on a clock that
    /// stands still for ten million readings. It refuses to wait for more than 50 ms, because a page would freeze: it
    /// returns `false` at once. There, wait for `GenerateError::retry_after` with a timer of the host.
    fn wait(&self, until: u64) -> bool {
        system::wait(self, until)
    }
}

/// A clock that a test controls. It stands still until the test moves it.
///
/// `clock.set(Duration::MAX)` makes each call of a generator fail. A generator does not hang when it waits for this clock: after
/// a million equal readings, it returns an error. The time of the clock as an argument of `min_at` is `UNIX_EPOCH + now`.
///
/// ```
/// # use sortid_core::{Clock, testing::ManualClock};
/// use core::time::Duration;
///
/// let clock = ManualClock::new(Duration::from_millis(1_700_000_000_000));
/// clock.advance(Duration::from_micros(1));
/// assert_eq!(clock.unix_micros(), Some(1_700_000_000_000_001));
/// clock.set(Duration::from_secs(1)); // back
/// clock.set(Duration::MAX); // out of order
/// assert_eq!(clock.unix_micros(), None);
/// ```
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

#[cfg(target_has_atomic = "ptr")]
impl ManualClock {
    const BROKEN: u64 = u64::MAX;

    /// Creates a clock that stands at `since_1970`, to the microsecond. From 2^64 − 1 microseconds on, it has no valid time.
    #[must_use]
    pub const fn new(since_1970: Duration) -> Self {
        Self(AtomicU64::new(micros(since_1970)))
    }

    /// Sets the clock, forward or back. `Duration::MAX` leaves it without a valid time.
    pub fn set(&self, since_1970: Duration) {
        self.0.store(micros(since_1970), SeqCst);
    }

    /// Moves the clock forward, if it has a valid time.
    pub fn advance(&self, by: Duration) {
        let later = |now| if now == Self::BROKEN { now } else { micros(by).saturating_add(now) };
        let _ = self.0.fetch_update(SeqCst, SeqCst, |now| Some(later(now)));
    }
}

#[cfg(target_has_atomic = "ptr")]
impl Clock for ManualClock {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0.load(SeqCst)).filter(|&micros| micros != Self::BROKEN)
    }
}

/// A point in time: the argument of `min_at` and `max_at`.
///
/// [`std::time::SystemTime`], [`UnixMillis`] and `UnixMicros` implement it. The features `jiff02`, `chrono04` and `time03`
/// implement it for the timestamps of these libraries. Convert a type of your own into one of these. A [`Duration`] is not a
/// point in time: to count from 1970, write `UNIX_EPOCH + duration`.
pub trait UnixTime {
    /// Returns the microseconds since 1970-01-01T00:00:00Z, rounded down; negative before 1970.
    #[doc(hidden)]
    fn unix_micros(self) -> i128;
}

/// A number of milliseconds since 1970-01-01T00:00:00Z, without leap seconds; negative before 1970. For a number of another
/// type, such as an ID's `unix_millis()`, write `UnixMillis(number.into())`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub i128);

impl UnixTime for UnixMillis {
    fn unix_micros(self) -> i128 {
        self.0.saturating_mul(1000)
    }
}

/// A number of microseconds since 1970-01-01T00:00:00Z, without leap seconds; negative before 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMicros(pub i128);

impl UnixTime for UnixMicros {
    fn unix_micros(self) -> i128 {
        self.0
    }
}

#[cfg(feature = "std")]
impl UnixTime for std::time::SystemTime {
    fn unix_micros(self) -> i128 {
        match self.duration_since(Self::UNIX_EPOCH) {
            Ok(since) => since.as_micros() as i128,
            Err(before) => -(before.duration().as_nanos().div_ceil(1000) as i128),
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use std::{
        time::{SystemTime, UNIX_EPOCH},
        vec::Vec,
    };

    #[test]
    fn a_time_before_1970_is_rounded_down() {
        // Times of Windows have steps of 100 ns.
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(100)).unix_micros(), -1);
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1000)).unix_micros(), -1);
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1100)).unix_micros(), -2);
        assert_eq!((UNIX_EPOCH + Duration::from_nanos(1900)).unix_micros(), 1);
    }

    #[test]
    fn a_clock_after_the_last_microsecond_has_no_time() {
        let last = Duration::from_micros(u64::MAX - 1);
        let clock = ManualClock::new(last);
        assert_eq!(clock.unix_micros(), Some(u64::MAX - 1));
        for later in [last + Duration::from_micros(1), last + Duration::from_micros(2), Duration::MAX] {
            clock.set(later);
            assert_eq!(clock.unix_micros(), None, "{later:?}");
        }
    }

    #[test]
    fn the_system_clock_agrees_with_the_standard_library() {
        let before = SystemTime::now().unix_micros();
        let now = i128::from(SystemClock.unix_micros().unwrap());
        let after = SystemTime::now().unix_micros();
        assert!((before..=after).contains(&now));
    }

    #[test]
    fn the_milliseconds_of_a_clock_are_those_of_its_microseconds() {
        let before = SystemClock.unix_micros().unwrap() / 1000;
        let now = Clock::unix_millis(&&SystemClock).unwrap();
        let after = SystemClock.unix_micros().unwrap() / 1000;
        assert!((before..=after).contains(&now));
        let clock = ManualClock::new(Duration::from_micros(1999));
        assert_eq!((clock.unix_millis(), Clock::unix_millis(&&clock)), (Some(1), Some(1)));
        clock.set(Duration::MAX);
        assert_eq!(clock.unix_millis(), None);
    }

    /// A clock with these readings, the last one for good.
    struct Script<'r>(&'r [Option<u64>], core::cell::Cell<usize>);

    impl Clock for Script<'_> {
        fn unix_micros(&self) -> Option<u64> {
            let next = self.1.get();
            self.1.set((next + 1).min(self.0.len() - 1));
            self.0[next]
        }
    }

    #[test]
    fn sleeping_follows_the_clock() {
        let sleep = |readings: &[Option<u64>]| {
            let clock = Script(readings, core::cell::Cell::new(0));
            system::sleep_until(&clock, 1000, Duration::from_millis(50))
        };
        assert!(sleep(&[Some(500), Some(999), Some(1000)]), "as long as the clock moves");
        assert!(sleep(&[Some(500), Some(500), Some(5_000_000), Some(0)]), "a leap forward");
        assert!(sleep(&[Some(500), Some(500), Some(499)]), "a step back ends it");
        assert!(sleep(&[Some(500), Some(500), None]), "so does a clock without a time");
        assert!(!sleep(&[Some(500)]), "a clock that stands still is given up");
    }

    #[test]
    fn a_clock_is_given_up_after_as_many_equal_readings_as_the_patience() {
        let spin = |readings: &[Option<u64>]| {
            let clock = Script(readings, core::cell::Cell::new(0));
            spin_until(&clock, 1000, 3)
        };
        let [now, later] = [Some(500), Some(600)];
        assert!(spin(&[now, now, now, later, later, later, Some(1000)]));
        assert!(!spin(&[now, now, now, now, Some(1000)]));
    }

    #[test]
    fn a_slow_clock_is_waited_for_longer_than_the_patience_with_one_that_stands_still() {
        let readings: Vec<_> = (0..40).map(|at| Some(at * 25)).chain([Some(1000)]).collect();
        let clock = Script(&readings, core::cell::Cell::new(0));
        assert!(system::sleep_until(&clock, 1000, Duration::from_millis(50)));
    }

    #[test]
    fn a_process_that_was_stopped_while_it_waits_goes_on() {
        /// Each reading takes longer than the patience, as if the process were stopped.
        struct Stopped(core::cell::Cell<u64>);

        impl Clock for Stopped {
            fn unix_micros(&self) -> Option<u64> {
                std::thread::sleep(Duration::from_millis(10));
                self.0.set(self.0.get() + 100);
                Some(self.0.get())
            }
        }
        assert!(system::sleep_until(&Stopped(core::cell::Cell::new(0)), 1000, Duration::from_millis(5)));
    }

    #[test]
    fn a_clock_waits_until_a_time_and_a_frozen_clock_gives_up() {
        let now = SystemClock.unix_micros().unwrap();
        assert!(SystemClock.wait(0));
        assert!(SystemClock.wait(now + 5000));
        assert!(SystemClock.unix_micros().unwrap() >= now + 5000);
        let frozen = ManualClock::new(Duration::from_secs(1));
        assert!(frozen.wait(1_000_000));
        assert!(!frozen.wait(1_000_001));
        assert!(Clock::wait(&&frozen, 1_000_000) && !Clock::wait(&&frozen, 1_000_001), "so does a reference");
    }
}
