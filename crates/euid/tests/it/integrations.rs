//! The integrations, and the first and last time of an ID.

use euid::Euid;
use std::time::Duration;

sortid_testkit::integrations!(Euid, uuid: from, integer: None, bytemuck: all, time: Duration::from_millis(13_484_529_128_248));

#[cfg(all(feature = "jiff02", feature = "chrono04", feature = "time03"))]
#[test]
fn all_times_fit_every_timestamp_type() {
    use sortid_testkit::integrations::{chrono, jiff, time};

    for id in [Euid::MIN, Euid::MAX] {
        let millis = id.unix_millis() as i64;
        assert_eq!(jiff::Timestamp::from(id).as_millisecond(), millis);
        assert_eq!(chrono::DateTime::<chrono::Utc>::from(id).timestamp_millis(), millis);
        assert_eq!(time::OffsetDateTime::from(id).unix_timestamp_nanos(), i128::from(millis) * 1_000_000);
        assert_eq!(time::UtcDateTime::from(id).unix_timestamp_nanos(), i128::from(millis) * 1_000_000);
    }
}
