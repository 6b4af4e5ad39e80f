//! The integrations, and times outside the range of some timestamp types.

use scru160::Scru160;
use std::time::Duration;

sortid_testkit::integrations!(Scru160, uuid: none, integer: none, bytemuck: all, time: Duration::from_millis(1_631_540_490_683));

#[cfg(all(feature = "jiff02", feature = "chrono04", feature = "time03"))]
#[test]
fn a_time_outside_the_range_of_a_timestamp_type_is_an_error() {
    use sortid_testkit::integrations::{chrono, jiff, message, time};

    let expected = "the time of this SCRU160, +010889-08-02T05:31:50.655000Z, is out of range for ";
    assert_eq!(message(jiff::Timestamp::try_from(Scru160::MAX)), format!("{expected}jiff::Timestamp"));
    assert_eq!(
        message(time::OffsetDateTime::try_from(Scru160::MAX)),
        format!("{expected}time::OffsetDateTime")
    );
    assert_eq!(message(time::UtcDateTime::try_from(Scru160::MAX)), format!("{expected}time::UtcDateTime"));
    let last = chrono::DateTime::<chrono::Utc>::try_from(Scru160::MAX).unwrap();
    assert_eq!(last.to_string(), "+10889-08-02 05:31:50.655 UTC");
}
