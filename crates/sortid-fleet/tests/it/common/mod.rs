//! What the tests of fleets in one process share.

use sortid_fleet::Millis;
use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as Millis
}

/// Waits until `is_so`, for up to a minute.
pub(crate) fn wait_until(is_so: impl Fn() -> bool) {
    for _ in 0..6000 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("not so after a minute");
}
