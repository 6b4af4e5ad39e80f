//! Parts that are verified apart from each other and joined: the same report as that of one line after another.

use crate::common::{
    damage::{any_damage, damage, with_line_ends},
    ledger::{CLASSIC, ENTITIES, JAVASCRIPT, lines, made},
};
use evently_ledger::{Event, FaultKind, Genesis, Json, Part, PartVerifier, Profile, Report, Verifier};
use proptest::prelude::*;

fn verifier(profile: Option<Profile>, is_strict: bool) -> PartVerifier {
    let verifier = PartVerifier::new(profile);
    if is_strict { verifier.strict() } else { verifier }
}

/// Joins neighbours until one part is left; `order` chooses which.
fn joined(mut parts: Vec<Part>, order: &[prop::sample::Index]) -> Part {
    let mut order = order.iter().cycle();
    while parts.len() > 1 {
        let at = order.next().map_or(0, |index| index.index(parts.len() - 1));
        let next = parts.remove(at + 1);
        parts[at].join(&next).unwrap();
    }
    parts.remove(0)
}

/// A line that is an event of both profiles, after the same event before.
fn ambiguous(profile: Profile) -> Vec<u8> {
    let json = |text| Json::parse(text).unwrap();
    let mut event =
        Event::new("opened").entity("shop").key("1").entities(json("{}")).meta(json("1")).data(json("2"));
    let timestamp = 1_633_278_792_816_530;
    let mut alone = event.clone();
    match profile {
        Profile::Classic => alone.entities = None,
        Profile::Entities => (alone.entity, alone.key) = (None, None),
    }
    event.timestamp = Some(timestamp);
    event.event_id = Some(alone.genesis_id(profile, timestamp).unwrap());
    format!("{event}\n").into_bytes()
}

/// Pieces of ledgers one after another: as a rule one whole ledger, and sometimes what no ledger is.
fn any_ledger() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let sources = [
        lines(CLASSIC),
        lines(ENTITIES),
        lines(JAVASCRIPT),
        made(Profile::Classic, 30),
        made(Profile::Entities, 30),
    ];
    let sources = sources.map(|source| with_line_ends(&source));
    let both = Profile::ALL.map(ambiguous);
    let piece = (0..7_usize, any::<bool>(), 0..40_usize, 0..40_usize).prop_map(
        move |(source, is_whole, from, length)| {
            let Some(source) = sources.get(source) else { return vec![both[source % 2].clone()] };
            let from = if is_whole { 0 } else { from.min(source.len()) };
            source[from..(from + length).min(source.len())].to_vec()
        },
    );
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn joined_parts_have_the_report_of_the_whole_ledger(
        mut lines in any_ledger(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<usize>(), any_damage()), 0..12),
        early in prop::collection::vec((0..6_usize, any::<usize>(), any_damage()), 0..6),
        borders in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        profile in prop::option::weighted(0.3, prop::sample::select(Profile::ALL.to_vec())),
        is_strict: bool,
        is_by_line: bool,
    ) {
        for (at, offset, kind) in damages {
            if !lines.is_empty() {
                let at = at.index(lines.len());
                damage(&mut lines, at, offset, kind);
            }
        }
        for (at, offset, kind) in early {
            if at < lines.len() {
                damage(&mut lines, at, offset, kind);
            }
        }
        let mut borders: Vec<_> = match is_by_line {
            true => (0..lines.len()).collect(),
            false => borders.into_iter().map(|border| border.index(lines.len() + 1)).collect(),
        };
        borders.extend([0, lines.len()]);
        borders.sort_unstable();
        let parts = borders.windows(2).map(|border| {
            let mut verifier = verifier(profile, is_strict);
            // Some lines one by one.
            let (together, single) = lines[border[0]..border[1]].split_at((border[1] - border[0]) / 2);
            verifier.verify_lines(&together.concat());
            single.iter().for_each(|line| verifier.verify_lines(line));
            verifier.take()
        });
        let mut whole = Verifier::new(profile);
        if is_strict {
            whole = whole.strict();
        }
        whole.verify_chunk(&lines.concat(), |_| ());
        let part = joined(parts.collect(), &order);
        prop_assert_eq!(part.lines(), whole.lines_read());
        prop_assert_eq!(part.events(), whole.report().events);
        prop_assert_eq!(&part.report(), whole.report());
    }
}

/// Compares two parts, cut at each line, with the whole.
fn is_joined_rightly(lines: &[String]) -> Report {
    let lines = with_line_ends(lines);
    let expected = Verifier::new(None).verify(&lines);
    for border in 0..=lines.len() {
        let parts = [&lines[..border], &lines[border..]].map(|lines| {
            let mut verifier = PartVerifier::new(None);
            verifier.verify_lines(&lines.concat());
            verifier.take()
        });
        assert_eq!(joined(parts.to_vec(), &[]).report(), expected, "{border}");
    }
    expected
}

#[test]
fn every_border_of_the_recorded_ledgers() {
    for ledger in [CLASSIC, ENTITIES] {
        assert!(is_joined_rightly(&lines(ledger)).is_valid());
    }
}

#[test]
fn every_border_of_a_ledger_with_lines_of_another() {
    let ledger = lines(CLASSIC);
    let other = made(Profile::Classic, 4);
    let mixed = [&ledger[..4], &other[1..], &ledger[4..8], &other[2..]].concat();
    let report = is_joined_rightly(&mixed);
    let fault = report.first_fault.unwrap();
    assert_eq!((fault.kind, fault.line, report.faults), (FaultKind::LedgerChanged, 5, 6));
}

#[test]
fn a_part_that_is_not_the_first_is_not_a_ledger() {
    let lines = lines(CLASSIC);
    let mut verifier = PartVerifier::new(None);
    verifier.verify_lines(lines[5].as_bytes());
    let fault = verifier.part().report().first_fault.unwrap();
    assert_eq!((fault.line, fault.kind), (1, FaultKind::IdMismatch));

    let mut blank = PartVerifier::new(None);
    blank.verify_lines(b"\n\n");
    let fault = joined(vec![blank.take(), verifier.take()], &[]).report().first_fault.unwrap();
    assert_eq!((fault.line, fault.kind), (3, FaultKind::IdMismatch));
}

#[test]
fn each_blank_line_is_a_line() {
    let mut verifier = PartVerifier::new(None);
    verifier.verify_lines(&[b'\n'; 100]);
    assert_eq!((verifier.part().lines(), verifier.part().events()), (100, 0));
}

#[test]
fn an_event_of_postgresql_can_begin_a_ledger_only_as_its_first_line() {
    let lines = lines(ENTITIES);
    let part_of = |line: &str| {
        let mut verifier = PartVerifier::new(None);
        verifier.verify_lines(line.as_bytes());
        verifier.take()
    };
    let first = part_of(&lines[0]);
    assert_eq!(first.report().genesis, Some(Genesis::Deployed));
    let blank = part_of("\n");
    assert_eq!(joined(vec![blank, first.clone()], &[]).report().genesis, Some(Genesis::Deployed));
    assert_eq!(joined(vec![part_of("{}"), first], &[]).report().genesis, None);
}

#[test]
fn parts_of_different_settings_are_not_joined() {
    let parts =
        [(None, false), (Some(Profile::Classic), false), (None, true), (Some(Profile::Entities), true)]
            .map(|(profile, is_strict)| verifier(profile, is_strict).take());
    let mut messages = vec![];
    for (i, part) in parts.iter().enumerate() {
        for (j, other) in parts.iter().enumerate() {
            match part.clone().join(other) {
                Ok(()) => assert_eq!(i, j),
                Err(error) => {
                    assert_eq!(format!("{error:?}"), format!("JoinError({error})"));
                    messages.push(error.to_string());
                }
            }
        }
    }
    assert_eq!(messages.len(), 12);
    assert_eq!(
        messages[2],
        "expected a part that was verified not strictly, without a profile, found one verified strictly, with the profile \
         entities"
    );
}

#[test]
fn a_verifier_keeps_its_settings_from_part_to_part() {
    let mut verifier = verifier(Some(Profile::Classic), true);
    let mut first = verifier.take();
    first.join(&verifier.take()).unwrap();
    let mut resumed = PartVerifier::resume(first);
    resumed.verify_lines(br#"{"Data":1}"#);
    assert_eq!(resumed.part().report().first_fault.unwrap().kind, FaultKind::UnknownMember);
    assert_eq!(resumed.replace(Part::default()).events(), 1);
}

#[cfg(feature = "serde")]
#[test]
fn a_part_survives_its_serialized_form() {
    let lines = with_line_ends(&lines(CLASSIC));
    let mut verifier = PartVerifier::new(None);
    verifier.verify_lines(&lines[3..].concat());
    verifier.verify_lines(b"{}\nx\n");
    let part = verifier.take();
    assert_eq!(postcard::from_bytes::<Part>(&postcard::to_allocvec(&part).unwrap()).unwrap(), part);
    assert_eq!(serde_json::from_str::<Part>(&serde_json::to_string(&part).unwrap()).unwrap(), part);
    for length in 0..40 {
        assert!(postcard::from_bytes::<Part>(&postcard::to_allocvec(&part).unwrap()[..length]).is_err());
    }
}
