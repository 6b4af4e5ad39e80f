//! The logical clocks, which do not read the time.

use proptest::prelude::*;
use ron_uid::{Base64x64, GenerateErrorKind, LamportClock, RonUid, Scheme, ron_uid};

fn logical(length: usize) -> LamportClock {
    LamportClock::new(ron_uid!("X").value(), length).unwrap()
}

#[test]
fn a_logical_clock_counts_at_its_length() {
    for (length, texts) in
        [(1, ["1-X", "2-X"]), (5, ["00001-X", "00002-X"]), (10, ["0000000001-X", "0000000002-X"])]
    {
        let clock = logical(length);
        for text in texts {
            assert_eq!(clock.generate().unwrap().encode(), text);
        }
        let mut more = [RonUid::ZERO; 3];
        clock.fill(&mut more).unwrap();
        assert!(more.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn a_logical_clock_ends_with_an_error() {
    let clock = logical(1);
    let mut last = RonUid::ZERO;
    for _ in 0..62 {
        last = clock.generate().unwrap();
    }
    assert_eq!(last.encode(), "z-X");
    for error in [clock.generate().unwrap_err(), clock.fill(&mut [last]).unwrap_err()] {
        assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::Exhausted, None));
        assert_eq!(error.to_string(), "all IDs are used up");
    }
}

#[test]
fn a_logical_clock_refuses_uids_after_which_no_uid_is_left() {
    let clock = logical(5);
    for text in ["~", "~~~~~~~~~~", "~-Y", "z~~~~-Y", "z~~~~~~~~~+Y", "inc", "1$Y", "1%Y"] {
        let uid = RonUid::parse(text).unwrap();
        assert_eq!(clock.observe(uid).unwrap_err().kind(), GenerateErrorKind::NoTime, "{text}");
    }
    assert_eq!(clock.generate().unwrap().encode(), "00001-X");
    clock.observe(ron_uid!("z~~~z-Y")).unwrap();
    assert_eq!(clock.generate().unwrap().encode(), "z~~~~-X");
}

proptest! {
    #[test]
    fn a_logical_uid_is_greater_than_all_generated_or_observed(
        values in proptest::collection::vec((0..3_u64, 0..54_u32), 1..50), length in 5..=10_usize,
    ) {
        let clock = logical(length);
        let mut greatest = RonUid::ZERO;
        for (bits, shift) in values {
            let value = Base64x64::try_from_int(bits << shift).unwrap();
            let seen = RonUid::from_fields(value, Base64x64::ERROR, Scheme::Derived);
            clock.observe(seen).unwrap();
            let uid = clock.generate().unwrap();
            prop_assert!(uid > greatest.max(seen));
            prop_assert!(uid.value().encode().len() <= length);
            greatest = uid;
        }
    }
}

#[test]
fn threads_share_a_logical_clock() {
    let clock = LamportClock::new(Base64x64::ZERO, 10).unwrap();
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
