//! The IDs of the two ledgers in the tests of `evently-ledger`: each is read, and has the fields of its line.

use evently_id::EventId;
use serde_json::Value;

const LEDGERS: [(&str, &str); 2] = [
    (include_str!("../../../../vectors/ledger-classic.ndjson"), "c0331dd8"),
    (include_str!("../../../../vectors/ledger-entities.ndjson"), "bed67a78"),
];

#[test]
fn each_id_of_a_ledger_has_the_time_of_its_line_and_the_id_of_its_ledger() {
    for (ledger, ledger_id) in LEDGERS {
        let mut last = EventId::MIN;
        for line in ledger.lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            let text = event["eventId"].as_str().unwrap();
            let id: EventId = text.parse().unwrap();
            assert_eq!(id.encode(), text);
            assert_eq!(format!("{:08x}", id.checksum()), text[16..24]);
            assert_eq!(id.ledger_id().encode(), ledger_id);
            // 2024-…T…:….123456Z: the microseconds of the second.
            let timestamp = event["timestamp"].as_str().unwrap().trim_end_matches('Z');
            let fraction =
                timestamp.split_once('.').map_or(String::new(), |(_, digits)| format!("{digits:0<6}"));
            assert_eq!(id.unix_micros() % 1_000_000, fraction.parse().unwrap_or(0));
            assert!(last < id);
            last = id;
        }
        assert!(ledger.lines().count() > 60);
    }
}
