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

/// A column of EUIDs that also has UUIDs.
#[cfg(feature = "uuid")]
mod or_uuid {
    use super::*;
    use euid::EuidOrUuid;

    sortid_testkit::integrations!(EuidOrUuid, uuid: none, integer: none, bytemuck: all, time: Duration::from_millis(4_102_444_799_999));

    #[test]
    fn each_kind_keeps_its_text() {
        use euid::UuidOr;
        use sortid_testkit::integrations::uuid::Uuid;

        let uuid = Uuid::parse_str("018fed6a-8f0a-7cc2-b4f0-2f4b6a4f9f1d").unwrap();
        let id = Euid::parse("1HZP2F3TARAH1VEXW8BDJPEKP44").unwrap();
        let values = [EuidOrUuid::from(uuid), id.into()];
        assert_eq!(values.map(EuidOrUuid::get), [UuidOr::Uuid(uuid), UuidOr::Id(id)]);
        assert_eq!(
            values.map(|it| it.unix_micros()),
            [Some(1_717_675_134_730_000), Some(1_717_653_966_666_000)]
        );
        let texts = [uuid.to_string(), id.to_string()];
        assert_eq!(values.map(|it| it.to_string()), texts);
        assert_eq!(texts.map(|it| EuidOrUuid::parse(&it).unwrap()), values);
        // The bytes of an EUID in the form of a UUID.
        assert_eq!(Uuid::from(id).to_string().parse(), Ok(values[1]));
        for wrong in [
            "018fed6a-8f0a-7cc2-b4f0-2f4b6a4f9f1",
            "018fed6a-8f0a-7cc2-b4f0_2f4b6a4f9f1d",
            "1HZP2F3TARAH1VEXW8BDJPEKP45",
        ] {
            assert!(wrong.parse::<EuidOrUuid>().is_err(), "{wrong}");
        }
        let [of_uuids, of_ids] = EuidOrUuid::ranges(euid::UnixMillis(1_717_653_966_666)..).unwrap();
        assert!(of_uuids.contains(&values[0]) && of_ids.contains(&values[1]));
        let time = euid::UnixMillis(1_717_653_966_666);
        assert!(
            EuidOrUuid::min_at(time).unwrap() < values[0] && values[1] <= EuidOrUuid::max_at(time).unwrap()
        );
    }
}
