//! What `docs/integrations.md` says of an EUID or an Event ID that a program reads as a UUID.

use euid::{
    Entropy, Euid, Extension, Options, UnixMillis, UuidOr,
    testing::{ManualClock, SeededEntropy},
};
use evently_id::{EventId, LedgerId};
use ron_uid::RonUid;
use sortid::SortableId;
use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
    time::{Duration, UNIX_EPOCH},
};
use uuid::{Uuid, Variant};

const COUNT: u32 = 80_000;

/// 2024-06-06T06:06:06Z
const START: Duration = Duration::from_secs(1_717_653_966);

/// EUIDs of different milliseconds, without an extension.
fn euids() -> Vec<Uuid> {
    let clock = ManualClock::new(START);
    let ids = Options::new().build_with(&clock, SeededEntropy::new(1));
    let next = |_| {
        clock.advance(Duration::from_millis(1));
        Uuid::from(ids.generate().unwrap())
    };
    (0..COUNT).map(next).collect()
}

/// Event IDs with random checksums, at times that are spread over some days.
fn event_ids() -> Vec<Uuid> {
    let random = SeededEntropy::new(1);
    let next = |_| {
        let mut bytes = [0; 8];
        random.fill(&mut bytes).unwrap();
        let [micros, checksum] =
            [&bytes[..4], &bytes[4..]].map(|four| u32::from_be_bytes(four.try_into().unwrap()));
        let micros = START.as_micros() as u64 + 100 * u64::from(micros);
        Uuid::from(EventId::from_fields(micros, checksum, LedgerId::parse("c0331dd8").unwrap()))
    };
    (0..COUNT).map(next).collect()
}

/// Whether the count is one in `n` of all IDs, give or take a twentieth.
fn is_one_in(n: u32, count: u32) -> bool {
    (COUNT / n).abs_diff(count) < COUNT / n / 20
}

fn count(ids: &[Uuid], holds: impl Fn(&Uuid) -> bool) -> u32 {
    ids.iter().filter(|id| holds(id)).count() as u32
}

fn has_version(id: &Uuid) -> bool {
    (1..=8).contains(&id.get_version_num())
}

/// Whether a validator that follows RFC 9562 accepts the ID, such as `validate` of the npm package `uuid`.
fn is_valid(id: &Uuid) -> bool {
    has_version(id) && id.get_variant() == Variant::RFC4122
}

fn check_shares(ids: &[Uuid]) {
    for id in ids {
        assert_eq!(Uuid::parse_str(&id.to_string()), Ok(*id));
        assert_eq!(id.get_version().is_some(), has_version(id));
    }
    assert!(is_one_in(2, count(ids, has_version)));
    assert!(is_one_in(4, count(ids, |id| id.get_variant() == Variant::RFC4122)));
    assert!(is_one_in(8, count(ids, is_valid)));
    for version in 0..16 {
        assert!(is_one_in(16, count(ids, |id| id.get_version_num() == version)), "{version}");
    }
    // Each of the eight versions.
    for version in 1..=8 {
        let valid = count(ids, |id| is_valid(id) && id.get_version_num() == version);
        assert!((COUNT / 64).abs_diff(valid) < 150, "{version}: {valid}");
    }
}

#[test]
fn one_euid_in_eight_looks_like_a_uuid_of_some_version() {
    check_shares(&euids());
}

#[test]
fn one_event_id_in_eight_looks_like_a_uuid_of_some_version() {
    check_shares(&event_ids());
}

/// Random bytes with a version and the variant.
fn uuids(version: u8) -> Vec<Uuid> {
    let random = SeededEntropy::new(1);
    let next = |_| {
        let mut bytes = [0; 16];
        random.fill(&mut bytes).unwrap();
        bytes[6] = bytes[6] & 0xf | version << 4;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Uuid::from_bytes(bytes)
    };
    (0..COUNT).map(next).collect()
}

fn is_id<I: SortableId<Bytes = [u8; 16]>>(uuid: &Uuid) -> bool {
    matches!(UuidOr::<I>::from(*uuid), UuidOr::Id(_))
}

#[test]
fn one_uuid_of_version_4_in_11_looks_like_an_euid_and_one_in_5800_like_an_event_id() {
    // One in 11.1.
    assert!(is_one_in(11, count(&uuids(4), is_id::<Euid>)));
    // Very few UUIDs are taken for Event IDs, so all values of the first 24 bits are counted instead of random UUIDs.
    let of_events = (0..1 << 24)
        .filter(|&head: &u128| is_id::<EventId>(&Uuid::from_u128(head << 104 | 4 << 76 | 0b10 << 62)));
    assert_eq!((1 << 24) / of_events.count() / 100, 58);
    assert_eq!(count(&uuids(4), is_id::<RonUid>), 0);
}

#[test]
fn one_id_of_another_time_in_8_is_taken_for_a_uuid() {
    let clock = ManualClock::new(Duration::ZERO);
    let ids = Options::new().build_with(&clock, SeededEntropy::new(1));
    let next = |_| {
        clock.advance(Duration::from_millis(1));
        Uuid::from(ids.generate().unwrap())
    };
    let of_1970: Vec<_> = (0..COUNT).map(next).collect();
    assert!(is_one_in(8, count(&of_1970, |uuid| !is_id::<Euid>(uuid))));
    let mut backfill = Options::new().backfill_with(SeededEntropy::new(1));
    let of_1970 = (0..10_000).map(|milli| Uuid::from(backfill.generate(UnixMillis(milli)).unwrap()));
    assert!({ of_1970 }.all(|uuid| is_id::<Euid>(&uuid)));
}

#[test]
fn uuids_of_version_7_and_ids_of_the_same_years_are_at_two_places() {
    let all = UnixMillis(946_684_800_000)..UnixMillis(4_102_444_799_000);
    let [uuids, euids] = UuidOr::<Euid>::ranges(all.clone()).unwrap();
    let [_, events] = UuidOr::<EventId>::ranges(all.clone()).unwrap();
    assert!(events.end() < uuids.start() && uuids.end() < euids.start());
    // RON UIDs of 2028 and later are among the UUIDs.
    let [_, uids] = UuidOr::<RonUid>::ranges(all.start..UnixMillis(1_830_297_600_000)).unwrap();
    assert!(uids.end() < uuids.start());
    let [_, uids] = UuidOr::<RonUid>::ranges(all).unwrap();
    assert!(uids.start() < uuids.end() && uuids.start() < uids.end());
}

#[test]
fn an_extension_of_more_than_8_bits_decides_some_of_the_version_bits() {
    let clock = ManualClock::new(START);
    let versions = |value, bits| {
        let options = Options::new().extension(Extension::with_bits(value, bits).unwrap());
        let ids = options.build_with(&clock, SeededEntropy::new(1));
        let next = |_| {
            clock.advance(Duration::from_millis(1));
            Uuid::from(ids.generate().unwrap()).get_version_num()
        };
        (0..1000).map(next).collect::<BTreeSet<_>>()
    };
    assert_eq!(versions(0xff, 8).len(), 16);
    assert!(versions(0x1ff, 9).into_iter().eq((1..16).step_by(2)));
    assert!(versions(0x0700, 15).into_iter().eq([7]));
}

#[test]
fn the_euids_of_a_millisecond_look_alike() {
    let clock = ManualClock::new(START);
    let ids = Options::new().build_with(&clock, SeededEntropy::new(1));
    let first = Uuid::from(ids.generate().unwrap());
    for _ in 0..1000 {
        let id = Uuid::from(ids.generate().unwrap());
        assert_eq!((id.get_version_num(), id.get_variant()), (first.get_version_num(), first.get_variant()));
    }
}

#[test]
fn no_euid_of_a_backfill_and_no_place_without_a_checksum_looks_like_a_uuid() {
    let mut backfill = Options::new().backfill_with(SeededEntropy::new(1));
    for milli in 0..10_000 {
        let id = Uuid::from(backfill.generate(UNIX_EPOCH + START + Duration::from_millis(milli)).unwrap());
        assert_eq!(id.get_variant(), Variant::NCS);
    }
    let options = evently_id::Options::new(LedgerId::parse("c0331dd8").unwrap());
    let place = options.build().generate().unwrap();
    assert_eq!(Uuid::from(place).get_variant(), Variant::NCS);
}

#[test]
fn python_reads_every_id_and_finds_a_version_in_one_of_four() {
    let program = "import sys, uuid\nfor line in sys.stdin: print(uuid.UUID(line.strip()).version)";
    let mut python = Command::new("python3");
    python.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut python) = python.spawn() else {
        let _ = writeln!(
            std::io::stderr(),
            "left out: the reader of UUIDs of Python, because python3 is not installed"
        );
        return;
    };
    let ids = [euids(), event_ids()].concat();
    let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
    let mut input = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let expected = ids.iter().map(|id| match id.get_variant() {
        Variant::RFC4122 => id.get_version_num().to_string(),
        _ => "None".to_owned(),
    });
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.lines().eq(expected));
}
