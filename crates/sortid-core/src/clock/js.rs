//! The clock of a JavaScript host.

// `Date.now()` is the clock because it follows the system's clock, as on other platforms. `performance.timeOrigin +
// performance.now()` counts from the start of a page: corrections of the system's clock do not change it, some
// browsers do not count the time in which the computer sleeps, and workers differ from their page.
//
// A wait of up to 50 ms reads the clock in a loop. A longer wait is refused, because the host runs nothing else
// meanwhile.

use super::{Clock, spin_until};

/// The microseconds of the longest wait that may block the host. Browsers call a task long if it takes more.
const LONGEST_WAIT: u64 = 50_000;

/// The equal readings after which a clock counts as standing still. They take about a second: some browsers round the time
/// to a tenth of a second.
const PATIENCE: u32 = 10_000_000;

pub(super) fn unix_micros() -> Option<u64> {
    let millis = js_sys::Date::now();
    // A page can replace the function. NaN is not a time.
    (millis >= 0.0).then_some((millis * 1000.0) as u64)
}

pub(super) fn unix_millis() -> Option<u64> {
    Some(unix_micros()? / 1000)
}

pub(super) fn wait(clock: &impl Clock, until: u64) -> bool {
    let is_long = clock.unix_micros().is_some_and(|now| until.saturating_sub(now) > LONGEST_WAIT);
    !is_long && spin_until(clock, until, PATIENCE)
}
