//! The integrations, and times outside the range of some timestamp types.

use evently_id::EventId;
use std::time::Duration;

sortid_testkit::integrations!(EventId, uuid: from, integer: None, bytemuck: all, time: Duration::from_micros(1_633_278_792_816_530));

#[cfg(all(feature = "jiff02", feature = "chrono04", feature = "time03"))]
#[test]
fn a_time_outside_the_range_of_a_timestamp_type_is_an_error() {
    use sortid_testkit::integrations::{chrono, jiff, message, time};

    let expected = "the time of this Event ID, +586524-01-19T08:01:49.551615Z, is out of range for ";
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

#[cfg(feature = "uuid")]
#[test]
fn the_feature_uuid_reads_the_form_with_hyphens() {
    use sortid_testkit::integrations::uuid::Uuid;

    let id = evently_id::event_id!("0005cd755a43d79238c05790c0331dd8");
    assert_eq!(Uuid::from(id).to_string(), "0005cd75-5a43-d792-38c0-5790c0331dd8");
    let read: Uuid = "0005CD75-5A43-D792-38C0-5790C0331DD8".parse().unwrap();
    assert_eq!(EventId::from(read), id);
}
