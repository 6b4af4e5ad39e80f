//! The integrations, and the times that some timestamp types cannot hold.

use evently_id::EventId;
use std::time::Duration;

sortid_testkit::integrations!(EventId, uuid: from, integer: None, bytemuck: all, time: Duration::from_micros(1_633_278_792_816_530));

#[cfg(all(feature = "jiff", feature = "chrono", feature = "time"))]
#[test]
fn a_time_that_does_not_fit_is_an_error() {
    use sortid_testkit::integrations::{chrono, jiff, message, time};

    let expected = "the Event ID's time, 18446744073709.551615 s since 1970, is beyond those of a ";
    assert_eq!(message(jiff::Timestamp::try_from(EventId::MAX)), format!("{expected}jiff::Timestamp"));
    assert_eq!(
        message(time::OffsetDateTime::try_from(EventId::MAX)),
        format!("{expected}time::OffsetDateTime")
    );
    assert_eq!(
        message(chrono::DateTime::<chrono::Utc>::try_from(EventId::MAX)),
        format!("{expected}chrono::DateTime")
    );
}
