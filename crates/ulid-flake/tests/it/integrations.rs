//! The integrations, and the first and last time of an ID.

use std::time::Duration;
use ulid_flake::UlidFlake;

/// 2024-06-06T06:06:06.666Z
const TIME: Duration = Duration::from_millis(1_717_653_966_666);

sortid_testkit::integrations!(UlidFlake, uuid: none, integer: (Some("-1")), bytemuck: some, time: TIME);

#[cfg(all(feature = "jiff02", feature = "chrono04", feature = "time03"))]
#[test]
fn all_times_fit_every_timestamp_type() {
    use sortid_testkit::integrations::{chrono, jiff, time};

    for id in [UlidFlake::MIN, UlidFlake::MAX] {
        let millis = id.unix_millis() as i64;
        assert_eq!(jiff::Timestamp::from(id).as_millisecond(), millis);
        assert_eq!(chrono::DateTime::<chrono::Utc>::from(id).timestamp_millis(), millis);
        assert_eq!(time::OffsetDateTime::from(id).unix_timestamp_nanos(), i128::from(millis) * 1_000_000);
        assert_eq!(time::UtcDateTime::from(id).unix_timestamp_nanos(), i128::from(millis) * 1_000_000);
    }
}
