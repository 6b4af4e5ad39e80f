//! Ledgers that are damaged at random: whichever way the program reads them, the verdict is the same. Compressed
//! files that are damaged: the program reads them or returns an error.
//!
//! `SORTID_DAMAGES=1000000 cargo test --release -p sortid-cli --bin sortid damages` tries a million.

use super::{
    crash::{Model, State},
    end::Reach,
    file::LedgerFile,
    input::Blocks,
    scan::Scan,
};
use flate2::{Compression, write::GzEncoder};
use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use sortid::evently_ledger::{EventId, Fault, Ledger, Profile, Report, Verifier, testing::ManualClock};
use std::{
    io::{Cursor, Write},
    ops::Range,
    path::Path,
    sync::LazyLock,
    thread,
    time::Duration,
};

const CLASSIC: &[u8] = include_bytes!("../../../../../vectors/ledger-classic.ndjson");
const ENTITIES: &[u8] = include_bytes!("../../../../../vectors/ledger-entities.ndjson");

/// How many damages are tried, unless `SORTID_DAMAGES` has another number.
const FEW: u64 = 3000;

static POOLS: LazyLock<[ThreadPool; 3]> =
    LazyLock::new(|| [2, 3, 7].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));

/// Random numbers by `SplitMix64`, which are the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn is_one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// A part of `len` bytes, mostly a short one.
    fn part(&mut self, len: usize) -> Range<usize> {
        let start = self.below(len + 1);
        let longest = if self.is_one_in(4) { len - start } else { (len - start).min(64) };
        start..start + self.below(longest + 1)
    }
}

/// A ledger, or the beginning of one: mostly a few events, sometimes so many that threads share them.
fn ledger(random: &mut Random) -> Vec<u8> {
    let whole = [CLASSIC, ENTITIES][random.below(2)];
    let lines: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    match random.below(50) {
        0 => {
            // Several ledgers one after the other are one fault, or a few, in a long file.
            let mut long = vec![];
            while long.len() < 1 << 16 {
                long.extend_from_slice(if random.is_one_in(5) { CLASSIC } else { whole });
            }
            long
        }
        1..=3 => whole.to_vec(),
        _ => {
            let start = if random.is_one_in(2) { 0 } else { random.below(lines.len()) };
            lines[start..lines.len().min(start + 1 + random.below(6))].concat()
        }
    }
}

/// Changes bytes.
fn damage_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    const TELLING: &[u8] = b"{}[]\",:\\ \n\r\t0e-+.1\0\x7f\xff\xc3";
    let len = bytes.len();
    if len == 0 {
        return bytes.push(TELLING[random.below(TELLING.len())]);
    }
    let at = random.below(len);
    let byte = if random.is_one_in(3) { random.next() as u8 } else { TELLING[random.below(TELLING.len())] };
    match random.below(9) {
        0 | 1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = byte,
        3 => bytes.insert(at, byte),
        4 => drop(bytes.remove(at)),
        5 => bytes.swap(at, random.below(len)),
        6 => drop(bytes.drain(random.part(len))),
        7 => bytes[random.part(len)].fill(byte),
        _ => {
            let part = bytes[random.part(len)].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

/// Changes lines.
fn damage_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<_> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let (at, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(12) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        // Merge it with the next one.
        3 => drop(lines[at].pop()),
        // Split it.
        4 => {
            let len = lines[at].len();
            lines[at].insert(random.below(len), b'\n');
        }
        5 => {
            let len = lines[at].len();
            lines[at].truncate(random.below(len));
            lines[at].push(b'\n');
        }
        6 => lines.truncate(at),
        7 => lines.insert(
            at,
            [&b"\n"[..], b" \t\r\n", b"\x0c\n", b"x\n", b"{}\n", b"\r\n\n\n"][random.below(6)].to_vec(),
        ),
        8 => lines[at].insert(0, b' '),
        // A second member, an unknown one, and one of the other profile: what a strict verifier refuses.
        9 => drop(lines[at].splice(1..1, *b"\"data\":0,")),
        10 => drop(lines[at].splice(1..1, *b"\"Data\":{\"a\":1,\"a\":2},")),
        _ => drop(lines[at].splice(1..1, *b"\"entities\":{},\"key\":\"1\",")),
    }
    *bytes = lines.concat();
}

/// Changes blocks, as file systems do.
fn damage_blocks(bytes: &mut Vec<u8>, random: &mut Random) {
    const BLOCK: usize = 512;
    let block = |number: usize, len: usize| (number * BLOCK).min(len)..((number + 1) * BLOCK).min(len);
    let (len, blocks) = (bytes.len(), bytes.len() / BLOCK + 1);
    let (from, to) = (block(random.below(blocks), len), block(random.below(blocks), len));
    match random.below(4) {
        0 => bytes[from].fill(0),
        1 => {
            let copied = bytes[from].to_vec();
            bytes.splice(to, copied);
        }
        2 => drop(bytes.drain(from)),
        _ => bytes.truncate(from.start),
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        match random.below(5) {
            0 | 1 => damage_bytes(bytes, random),
            2 | 3 => damage_lines(bytes, random),
            _ => damage_blocks(bytes, random),
        }
    }
}

/// What was found: the report, and each fault in its order.
type Found = (Report, Vec<Fault>, u64);

fn line_by_line(bytes: &[u8], mut verifier: Verifier) -> Found {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let faults = lines.filter_map(|line| verifier.verify_line(line).err()).collect();
    (verifier.report().clone(), faults, verifier.lines_read())
}

/// Reads as the program reads a file: in blocks of about this many bytes, which end at the end of a line.
fn in_blocks(
    file: Vec<u8>,
    block: usize,
    pool: Option<&ThreadPool>,
    mut verifier: Verifier,
) -> Option<Found> {
    let mut faults = vec![];
    let mut blocks = Blocks::of(Box::new(Cursor::new(file)), Path::new("damaged"), block).ok()?;
    let mut block = vec![];
    loop {
        match blocks.read(&mut block) {
            Ok(false) => break,
            Ok(true) => assert!(!block.is_empty()),
            Err(_) => return None,
        }
        let on_fault = |fault: &Fault| faults.push(fault.clone());
        match pool {
            Some(pool) => pool.install(|| verifier.verify_chunk_parallel(&block, on_fault)),
            None => verifier.verify_chunk(&block, on_fault),
        }
    }
    Some((verifier.report().clone(), faults, verifier.lines_read()))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// One file in two parts, each compressed.
fn compressed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let compress = [gzip, zstd][random.below(2)];
    let (first, second) = bytes.split_at(random.below(bytes.len() + 1));
    if random.is_one_in(2) { compress(bytes) } else { [compress(first), compress(second)].concat() }
}

/// Whether the bytes are taken for a compressed file.
fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
        || bytes.get(1..4).is_some_and(|rest| rest == [0xb5, 0x2f, 0xfd] || rest == [0x2a, 0x4d, 0x18])
}

fn try_one(seed: u64) {
    let random = &mut Random(seed);
    let mut bytes = ledger(random);
    damage(&mut bytes, random);
    if has_magic(&bytes) {
        return;
    }
    let profile = [None, None, Some(Profile::Classic), Some(Profile::Entities)][random.below(4)];
    let (is_strict, stops) = (random.is_one_in(2), random.is_one_in(4));
    let verifier = || {
        let verifier = Verifier::new(profile);
        let verifier = if is_strict { verifier.strict() } else { verifier };
        if stops { verifier.stop_at_first_fault() } else { verifier }
    };
    let expected = line_by_line(&bytes, verifier());
    assert_eq!(expected.0.faults, expected.1.len() as u64);
    assert_eq!(expected.0.first_fault.as_ref(), expected.1.first());

    let pool = &POOLS[random.below(POOLS.len())];
    let packed = compressed(&bytes, random);
    for (file, pool) in [(&bytes, None), (&bytes, Some(pool)), (&packed, None), (&packed, Some(pool))] {
        // The blocks of compressed files are decompressed.
        let block = if random.is_one_in(2) { 1 << 22 } else { 1 + random.below(bytes.len() + 100) };
        let found = in_blocks(file.clone(), block, pool, verifier());
        assert_eq!(found.as_ref(), Some(&expected), "seed {seed}");
    }

    // It is read or refused, and the work ends.
    let mut broken = packed;
    for _ in 0..1 + random.below(3) {
        damage_bytes(&mut broken, random);
    }
    in_blocks(broken, 1 << 16, None, verifier());
}

/// Adds events, most of them short and some long.
fn grow(bytes: &mut Vec<u8>, random: &mut Random, profile: Profile, last: EventId) {
    let clock = ManualClock::new(Duration::ZERO);
    let mut ledger = Ledger::with_clock(profile, Some(last), &clock);
    for _ in 0..random.below(4) {
        let length = if random.is_one_in(2) { random.below(20) } else { random.below(4000) };
        let text = "n".repeat(length);
        // Members of the other profile are allowed, and do not determine the profile of the ledger.
        let event = match (profile, random.is_one_in(4)) {
            (Profile::Classic, false) => format!(r#"{{"event":"a","entity":"b","key":"{text}"}}"#),
            (Profile::Classic, true) => {
                format!(
                    r#"{{"event":"a","entity":"b","key":"{text}","entities":{{}},"meta":{{}},"data":{{}}}}"#
                )
            }
            (Profile::Entities, false) => {
                format!(r#"{{"event":"a","entities":{{"b":["{text}"]}},"meta":{{}},"data":{{}}}}"#)
            }
            (Profile::Entities, true) => {
                format!(r#"{{"event":"a","entities":{{}},"meta":{{}},"data":"{text}","key":"1"}}"#)
            }
        };
        let mut line = String::new();
        let mut batch = ledger.batch();
        batch.append_line(event.as_bytes(), &mut line).unwrap();
        batch.commit();
        if random.is_one_in(8) {
            line.insert(line.len() - 1, '\r');
        }
        bytes.extend(line.as_bytes());
        if random.is_one_in(4) {
            blank(bytes, random);
        }
    }
}

/// Adds blank lines.
fn blank(bytes: &mut Vec<u8>, random: &mut Random) {
    let line = [&b"\n"[..], b"\r\n", b" \t \n", b"\x0c\n"][random.below(4)];
    let count = if random.is_one_in(3) { random.below(2000) } else { random.below(4) };
    bytes.extend(line.repeat(count));
}

/// A valid ledger or a part of one, with a tail that a crash can leave.
fn ending(random: &mut Random) -> Vec<u8> {
    let (whole, profile) = [(CLASSIC, Profile::Classic), (ENTITIES, Profile::Entities)][random.below(2)];
    let mut bytes = vec![];
    if random.is_one_in(8) {
        blank(&mut bytes, random);
    }
    let lines = whole.split_inclusive(|&byte| byte == b'\n');
    let some: Vec<_> = lines.take(random.below(6)).collect();
    bytes.extend(some.concat());
    if let Some(last) = line_by_line(&bytes, Verifier::new(None)).0.last_event_id {
        grow(&mut bytes, random, profile, last);
    }
    for _ in 0..random.below(3) {
        match random.below(6) {
            0 => blank(&mut bytes, random),
            1 => drop(bytes.pop()),
            2 => bytes.extend(vec![0; random.below(3000)]),
            3 => bytes.extend(b" ".repeat(random.below(3000))),
            4 => bytes.extend(&br#"{"eventId":"0005cd755a43d792","#[..random.below(30)]),
            _ => {}
        }
    }
    bytes
}

fn any_reach(random: &mut Random) -> Reach {
    let sizes = [0, 1, 7, 100, 1000, 5000];
    Reach { verified: sizes[random.below(6)], piece: sizes[1 + random.below(5)] }
}

/// The lines that are not blank.
fn events(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect()
}

/// Whether the last event is proven: it is the first one of a ledger, or fits the event before it.
fn has_proven_end(bytes: &[u8], profile: Option<Profile>) -> bool {
    let events = events(bytes);
    let profiles = match profile {
        Some(profile) => vec![profile],
        None => Profile::ALL.to_vec(),
    };
    profiles.into_iter().any(|profile| {
        let mut verifier = Verifier::new(Some(profile));
        if events.len() > 1 {
            verifier = verifier.resume_unanchored();
        }
        events[events.len().saturating_sub(2)..].iter().all(|line| verifier.verify_line(line).is_ok())
    })
}

/// Appends an event to any file, perhaps with a process that has read a part of it before.
fn append_to_one(seed: u64) {
    let random = &mut Random(seed);
    let mut bytes = ending(random);
    if random.is_one_in(2) {
        damage(&mut bytes, random);
    }
    let reach = any_reach(random);
    let profile = [None, None, None, Some(Profile::Classic), Some(Profile::Entities)][random.below(5)];
    // NULs behind all else are cut off.
    let text = &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)];
    let expected = line_by_line(text, Verifier::new(profile));
    let is_valid = expected.1.is_empty() && (expected.0.events > 0 || text.len() == bytes.len());

    let mut model = Model::new(State::new(vec![], reach));
    let mut file = LedgerFile::on(&mut model, profile).with_reach(reach);
    let ends: Vec<_> = memchr::memchr_iter(b'\n', &bytes).map(|end| end + 1).collect();
    let mut was_read = None;
    if !ends.is_empty() && random.is_one_in(2) {
        let known = ends[random.below(ends.len())] - random.below(2);
        file.disk().state.ledger = bytes[..known].to_vec();
        if file.write(|_, _| ()).is_err() {
            return;
        }
        // It is the rest of the file that another process has written, unless something was cut off.
        if file.disk().state.ledger != bytes[..known] {
            return;
        }
        was_read = Some(known);
    }
    file.disk().state.ledger.clone_from(&bytes);
    let event = match profile.or(expected.0.profile) {
        Some(Profile::Entities) => &br#"{"event":"z","entities":{},"meta":{},"data":{}}"#[..],
        _ => br#"{"event":"z","entity":"y","key":"x"}"#,
    };
    let mut added = None;
    let result = file.write(|ledger, lines| added = ledger.append(event, lines).ok());
    let State { ledger, kept, .. } = &model.state;
    let context = format!("seed {seed}, {reach:?}, {profile:?}, {was_read:?}");
    match (result, added) {
        (Ok(_), Some(added)) => {
            let events = events(ledger);
            let (new, before) = events.split_last().unwrap();
            assert!(Verifier::new(None).resume_unanchored().verify_line(new) == Ok(Some(added)), "{context}");
            let before = before.concat();
            assert!(has_proven_end(ledger, profile), "{context}");
            assert!(before.is_empty() || has_proven_end(&before, profile), "{context}");
            let text = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            let before = bytes[..text].strip_suffix(&kept[..]).expect("the end is kept");
            assert!(ledger.starts_with(before), "{context}");
            if is_valid {
                let (report, faults, _) = line_by_line(ledger, Verifier::new(profile));
                assert_eq!((faults, report.events), (vec![], expected.0.events + 1), "{context}");
                assert!(expected.0.ledger_id.is_none_or(|id| report.ledger_id == Some(id)), "{context}");
            }
        }
        (Ok(_), None) => assert!(!is_valid, "{context}: refused"),
        (Err(failure), _) => {
            assert!(*ledger == bytes && kept.is_empty(), "{context}: changed");
            assert!(!is_valid, "{context}: {failure}");
        }
    }
}

/// What would be repaired does not depend on how many bytes are read at once.
fn repair_one(seed: u64) {
    let random = &mut Random(seed);
    let mut bytes = ending(random);
    damage(&mut bytes, random);
    let len = bytes.len() as u64;
    let mut model = Model::new(State::new(bytes, Reach::default()));
    let mut found = |block| {
        let scan =
            Scan::of(&mut &mut model, len, block, Verifier::new(None), &ProgressBar::hidden()).unwrap();
        let damage = scan.damage.as_ref().map(|damage| {
            (damage.at, damage.line, damage.sentence.clone(), damage.lines, damage.events, damage.valid)
        });
        (scan.kept(), scan.events, scan.last, scan.lacks_line_feed, damage)
    };
    assert_eq!(found(1 + random.below(600) as u64), found(1 << 22), "seed {seed}");
}

fn try_many(try_one: fn(u64)) {
    let count = std::env::var("SORTID_DAMAGES").map_or(FEW, |count| count.parse().unwrap());
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    thread::scope(|scope| {
        for first in 0..threads {
            scope.spawn(move || (first..count).step_by(threads as usize).for_each(try_one));
        }
    });
}

#[test]
fn whatever_a_file_ends_with_append_builds_on_a_proven_event_or_refuses() {
    try_many(append_to_one);
}

#[test]
fn what_repair_finds_in_any_file_does_not_depend_on_the_pieces_it_reads() {
    try_many(repair_one);
}

#[test]
fn a_damaged_ledger_has_one_verdict_however_it_is_read() {
    try_many(try_one);
}
