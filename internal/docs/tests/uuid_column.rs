//! What `docs/euid.md` says of an EUID that a program reads as a UUID.

use euid::{
    Generator, Options,
    testing::{ManualClock, SeededEntropy},
};
use std::time::Duration;
use uuid::{Uuid, Variant};

#[test]
fn one_euid_in_eight_looks_like_a_uuid_of_some_version() {
    let clock = ManualClock::new(Duration::from_secs(1_717_653_966));
    let ids = Generator::from_parts(Options::new(), &clock, SeededEntropy::new(1));
    let mut versions = [0; 16];
    let mut uuids = 0;
    for _ in 0..80_000 {
        clock.advance(Duration::from_millis(1));
        let uuid = Uuid::from(ids.generate().unwrap());
        versions[uuid.get_version_num()] += 1;
        uuids +=
            u32::from(uuid.get_variant() == Variant::RFC4122 && (1..=8).contains(&uuid.get_version_num()));
        // The crate `uuid` accepts all of them.
        assert_eq!(Uuid::parse_str(&uuid.to_string()), Ok(uuid));
    }
    assert!(versions.iter().all(|count| (4_500..5_500).contains(count)), "{versions:?}");
    assert!((9_500..10_500).contains(&uuids), "{uuids}");
}
