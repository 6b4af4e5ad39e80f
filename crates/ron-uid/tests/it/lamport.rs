//! The logical clocks, which do not read the time.

use proptest::prelude::*;
use ron_uid::{Base64x64, GenerateErrorKind, LamportClock, RonUid, Scheme, SharedLamportClock, ron_uid};

fn logical(length: usize) -> (LamportClock, SharedLamportClock) {
    let origin = ron_uid!("X").value();
    (LamportClock::new(origin, length).unwrap(), SharedLamportClock::new(origin, length).unwrap())
}

#[test]
fn a_logical_clock_counts_at_its_length() {
    for (length, texts) in
        [(1, ["1-X", "2-X"]), (5, ["00001-X", "00002-X"]), (10, ["0000000001-X", "0000000002-X"])]
    {
        let (local, shared) = logical(length);
        for text in texts {
            assert_eq!(local.generate().unwrap().encode(), text);
            assert_eq!(shared.generate().unwrap().encode(), text);
        }
        let mut more = [RonUid::ZERO; 3];
        local.fill(&mut more).unwrap();
        assert!(more.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn a_logical_clock_ends_with_an_error() {
    let (local, shared) = logical(1);
    let mut last = RonUid::ZERO;
    for _ in 0..62 {
        last = local.generate().unwrap();
        assert_eq!(shared.generate().unwrap(), last);
    }
    assert_eq!(last.encode(), "z-X");
    for error in
        [local.generate().unwrap_err(), shared.generate().unwrap_err(), local.fill(&mut [last]).unwrap_err()]
    {
        assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { until: u64::MAX, .. }));
        assert_eq!(error.to_string(), "all IDs are used up");
    }
}

#[test]
fn a_logical_clock_refuses_uids_after_which_no_uid_is_left() {
    let (local, shared) = logical(5);
    for text in ["~", "~~~~~~~~~~", "~-Y", "z~~~~-Y", "z~~~~~~~~~+Y", "inc", "1$Y", "1%Y"] {
        let uid = RonUid::parse(text).unwrap();
        assert_eq!(*local.observe(uid).unwrap_err().kind(), GenerateErrorKind::NoTime, "{text}");
        assert_eq!(*shared.observe(uid).unwrap_err().kind(), GenerateErrorKind::NoTime, "{text}");
    }
    assert_eq!(local.generate().unwrap().encode(), "00001-X");
    assert_eq!(shared.generate().unwrap().encode(), "00001-X");
    local.observe(ron_uid!("z~~~z-Y")).unwrap();
    assert_eq!(local.generate().unwrap().encode(), "z~~~~-X");
}

proptest! {
    #[test]
    fn a_logical_uid_is_greater_than_all_generated_or_observed(
        values in proptest::collection::vec((0..3_u64, 0..54_u32), 1..50), length in 5..=10_usize,
    ) {
        let (local, shared) = logical(length);
        let mut greatest = RonUid::ZERO;
        for (bits, shift) in values {
            let value = Base64x64::try_from_int(bits << shift).unwrap();
            let seen = RonUid::from_fields(value, Base64x64::ERROR, Scheme::Derived);
            local.observe(seen).unwrap();
            shared.observe(seen).unwrap();
            let uid = local.generate().unwrap();
            prop_assert_eq!(shared.generate().unwrap(), uid);
            prop_assert!(uid > greatest.max(seen));
            prop_assert!(uid.value().encode().len() <= length);
            greatest = uid;
        }
    }
}

#[test]
fn threads_share_a_logical_clock() {
    let clock = SharedLamportClock::new(Base64x64::ZERO, 10).unwrap();
    let lists: Vec<Vec<RonUid>> = std::thread::scope(|scope| {
        let work = || (0..50_000).map(|_| clock.generate().unwrap()).collect();
        [scope.spawn(work), scope.spawn(work)].map(|thread| thread.join().unwrap()).into()
    });
    assert!(lists.iter().all(|list| list.is_sorted_by(|a, b| a < b)));
    let mut all = lists.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 100_000);
    assert_eq!(all[99_999].value().to_int(), 100_000);
}
