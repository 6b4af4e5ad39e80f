//! The integrations, and the times that some timestamp types cannot hold.

use scru160::Scru160;
use std::time::Duration;

sortid_testkit::integrations!(Scru160, uuid: none, integer: none, bytemuck: all, time: Duration::from_millis(1_631_540_490_683));

#[cfg(all(feature = "jiff", feature = "chrono", feature = "time"))]
#[test]
fn a_time_that_does_not_fit_is_an_error() {
    use sortid_testkit::integrations::{chrono, jiff, message, time};

    let expected = "the SCRU160's time, 281474976710.655000 s since 1970, is beyond those of a ";
    assert_eq!(message(jiff::Timestamp::try_from(Scru160::MAX)), format!("{expected}jiff::Timestamp"));
    assert_eq!(
        message(time::OffsetDateTime::try_from(Scru160::MAX)),
        format!("{expected}time::OffsetDateTime")
    );
    assert_eq!(message(time::UtcDateTime::try_from(Scru160::MAX)), format!("{expected}time::UtcDateTime"));
    let last = chrono::DateTime::<chrono::Utc>::try_from(Scru160::MAX).unwrap();
    assert_eq!(last.to_string(), "+10889-08-02 05:31:50.655 UTC");
}
