//! Ledgers that are damaged at random: however the program reads them, the verdict is the same. And compressed files that
//! are damaged: they are read, or an error.
//!
//! `SORTID_DAMAGES=1000000 cargo test --release -p sortid-cli --bin sortid damages` tries a million.

use super::input::Blocks;
use flate2::{Compression, write::GzEncoder};
use rayon::{ThreadPool, ThreadPoolBuilder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use sortid::evently_ledger::{Fault, Profile, Report, Verifier};
use std::{
    io::{Cursor, Write},
    ops::Range,
    path::Path,
    sync::LazyLock,
    thread,
};

const CLASSIC: &[u8] = include_bytes!("../../../../evently-ledger/tests/data/evently_classic.ndjson");
const ENTITIES: &[u8] = include_bytes!("../../../../evently-ledger/tests/data/evently_entities.ndjson");

/// How many damages are tried, and with `SORTID_DAMAGES` how many more seconds that takes is up to who asks for it.
const FEW: u64 = 3000;

static POOLS: LazyLock<[ThreadPool; 3]> =
    LazyLock::new(|| [2, 3, 7].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));

/// `SplitMix64`: the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Less than `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn is_one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// A part of so many bytes, mostly a short one.
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

/// As the program reads a file: in blocks of so many bytes, which end at the end of a line.
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

    // Read, or refused; it ends.
    let mut broken = packed;
    for _ in 0..1 + random.below(3) {
        damage_bytes(&mut broken, random);
    }
    in_blocks(broken, 1 << 16, None, verifier());
}

#[test]
fn a_damaged_ledger_has_one_verdict_however_it_is_read() {
    let count = std::env::var("SORTID_DAMAGES").map_or(FEW, |count| count.parse().unwrap());
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    thread::scope(|scope| {
        for first in 0..threads {
            scope.spawn(move || (first..count).step_by(threads as usize).for_each(try_one));
        }
    });
}
