//! Verifying side by side: the same result as one line after another.
#![cfg(feature = "parallel")]

use crate::common::{
    damage::{Damage, any_damage, damage, with_line_ends},
    ledger::{CLASSIC, id_of, lines, made},
};
use evently_ledger::{Profile, Verifier};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Ledgers long enough that four threads get all their pieces.
static LONG: LazyLock<[Vec<String>; 2]> = LazyLock::new(|| Profile::ALL.map(|profile| made(profile, 2500)));
static POOL: LazyLock<rayon::ThreadPool> =
    LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap());

/// Asserts that both ways find the same, in chunks that end at these lines: the report, and each fault in its order.
fn assert_the_same(
    lines: &[Vec<u8>],
    borders: &[usize],
    verifier: impl Fn() -> Verifier,
) -> Result<(), TestCaseError> {
    let found = |is_parallel: bool| {
        let (mut verifier, mut faults) = (verifier(), vec![]);
        let mut start = 0;
        for &end in borders.iter().chain([&lines.len()]) {
            let chunk = lines[start..end.max(start)].concat();
            if is_parallel {
                POOL.install(|| verifier.verify_chunk_parallel(&chunk, |fault| faults.push(fault.clone())));
            } else {
                verifier.verify_chunk(&chunk, |fault| faults.push(fault.clone()));
            }
            start = end.max(start);
        }
        (verifier.report().clone(), faults)
    };
    let (one_by_one, side_by_side) = (found(false), found(true));
    prop_assert_eq!(one_by_one.1.len() as u64, one_by_one.0.faults);
    prop_assert_eq!(one_by_one.1.first(), one_by_one.0.first_fault.as_ref());
    prop_assert_eq!(one_by_one, side_by_side);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn chunks_are_verified_side_by_side_with_the_same_result(
        profile in 0..2_usize,
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<usize>(), any_damage()), 0..60),
        early in prop::option::of((0..4_usize, any::<usize>(), any_damage())),
        mut borders in prop::collection::vec(0..2400_usize, 0..4),
        stop_at_first_fault: bool,
        is_profile_given: bool,
        is_last_line_open: bool,
        is_strict: bool,
    ) {
        let mut lines = with_line_ends(&LONG[profile]);
        for (index, offset, kind) in damages {
            let at = index.index(lines.len());
            damage(&mut lines, at, offset, kind);
        }
        if let Some((at, offset, kind)) = early {
            damage(&mut lines, at, offset, kind);
        }
        if is_last_line_open {
            lines.last_mut().unwrap().pop();
        }
        borders.sort_unstable();
        assert_the_same(&lines, &borders, || {
            let verifier = Verifier::new(is_profile_given.then_some(Profile::ALL[profile]));
            let verifier = if is_strict { verifier.strict() } else { verifier };
            if stop_at_first_fault { verifier.stop_at_first_fault() } else { verifier }
        })?;
    }
}

#[test]
fn every_border_between_two_chunks() {
    let lines = with_line_ends(&lines(CLASSIC));
    for border in 0..=lines.len() {
        assert_the_same(&lines, &[border], || Verifier::new(None)).unwrap();
    }
    let lines = with_line_ends(&LONG[1]);
    for border in (0..lines.len()).step_by(41) {
        assert_the_same(&lines, &[border], || Verifier::new(None)).unwrap();
        let trusted = id_of(std::str::from_utf8(&lines[border]).unwrap());
        assert_the_same(&lines[border + 1..], &[], || Verifier::new(None).resume_after(trusted)).unwrap();
    }
}

#[test]
fn a_damage_at_each_line_around_the_borders_of_the_pieces() {
    let intact = with_line_ends(&LONG[0]);
    for at in (0..intact.len()).step_by(13) {
        let mut lines = intact.clone();
        damage(&mut lines, at, 0, [Damage::Malformed, Damage::NoId, Damage::Remove, Damage::Blank][at % 4]);
        assert_the_same(&lines, &[], || Verifier::new(None)).unwrap();
    }
}

#[test]
fn a_damage_of_the_first_line() {
    for (profile, kind) in [None, Some(Profile::Classic)]
        .into_iter()
        .flat_map(|profile| [Damage::Flip(1), Damage::OtherLedger, Damage::NoId].map(|kind| (profile, kind)))
    {
        let mut lines = with_line_ends(&LONG[0]);
        damage(&mut lines, 0, 10, kind);
        assert_the_same(&lines, &[], || Verifier::new(profile)).unwrap();
    }
}

#[test]
fn empty_chunks_and_blank_lines() {
    for text in ["", "\n", " \n\r\n\n", "x"] {
        assert_the_same(&[text.as_bytes().to_vec()], &[], || Verifier::new(None)).unwrap();
    }
    let blank = vec![b"\n".to_vec(); 200_000];
    let lines = [&with_line_ends(&LONG[0]), &blank[..], &with_line_ends(&LONG[1])].concat();
    assert_the_same(&lines, &[2500, 100_000], || Verifier::new(None)).unwrap();
}
