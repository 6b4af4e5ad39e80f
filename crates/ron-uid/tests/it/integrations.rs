//! The integrations, and UIDs that have no time.

use ron_uid::RonUid;
use std::time::Duration;

// u128::MAX is not a UID: its variety is 15.
sortid_testkit::integrations!(
    RonUid,
    uuid: try_from,
    integer: (Some("340282366920938463463374607431768211455")),
    bytemuck: some,
    time: Duration::from_millis(1_464_382_213_001)
);

#[cfg(all(feature = "jiff02", feature = "chrono04", feature = "time03"))]
#[test]
fn a_uid_without_a_time_is_an_error() {
    use sortid_testkit::integrations::{chrono, jiff, message, time};

    assert_eq!(message(jiff::Timestamp::try_from(RonUid::NEVER)), "this RON UID has no time");
    assert!(chrono::DateTime::<chrono::Utc>::try_from(RonUid::NEVER).is_err());
    assert!(time::OffsetDateTime::try_from(RonUid::NEVER).is_err());
    assert!(time::UtcDateTime::try_from(RonUid::NEVER).is_err());
}
