//! IDs: random, real, and with each field at its ends.

use crate::subject::{Subject, YEAR_2000, packed};
use fastrand::Rng;
use sortid_sql::Spec;
use std::collections::HashSet;

/// At least `count` distinct IDs.
pub(super) fn ids(subject: &Subject, count: usize, random: &mut Rng) -> Vec<Vec<u8>> {
    let mut ids = Distinct { subject, seen: HashSet::new(), ids: vec![] };
    ends(subject, &mut ids, random);
    bits(subject, &mut ids);
    for id in subject.vectors.iter().filter_map(|text| (subject.parse)(text)) {
        ids.push(id);
    }
    let mut of_each_kind = |make: &mut dyn FnMut(&mut Rng) -> Vec<u8>, count: usize| {
        for _ in 0..count {
            ids.push(make(random));
        }
    };
    let share = count / 4;
    of_each_kind(&mut |random| real(subject, random), share);
    of_each_kind(&mut |random| monotonous(subject, random), share / 4);
    if subject.spec == Spec::RonUid {
        of_each_kind(&mut |random| short(subject, random), share);
        of_each_kind(&mut |random| calendar(subject, random), share);
    }
    if subject.spec == Spec::EventlyId {
        // Most random Event IDs have times that databases do not have.
        of_each_kind(&mut |random| before_10000(subject, random), count);
    }
    if subject.is_uuid() {
        of_each_kind(&mut uuid7, share / 2);
    }
    while ids.ids.len() < count {
        ids.push((0..subject.bytes()).map(|_| random.u8(..)).collect());
    }
    ids.ids
}

struct Distinct<'a> {
    subject: &'a Subject,
    seen: HashSet<Vec<u8>>,
    ids: Vec<Vec<u8>>,
}

impl Distinct<'_> {
    fn push(&mut self, mut id: Vec<u8>) {
        for (byte, mask) in id.iter_mut().zip(&self.subject.mask) {
            *byte &= mask;
        }
        if self.seen.insert(id.clone()) {
            self.ids.push(id);
        }
    }
}

/// All combinations of the ends of the fields.
fn ends(subject: &Subject, ids: &mut Distinct<'_>, random: &mut Rng) {
    let values: Vec<Vec<u128>> = if subject.spec == Spec::RonUid {
        // The digits of a time, with the ends of each: `MMDHmSssnn`. February of 2012, 2100 and 2344 among them.
        vec![
            vec![0],
            vec![0, 25, 90 * 12 + 1, 4009, 4031, 4032, 4095],
            vec![0, 27, 28, 29, 30, 31, 63],
            vec![23, 24],
            vec![59, 60],
            vec![59, 60],
            vec![0, 999, 1000],
            vec![0, 4095],
            vec![0],
            vec![0, 1, 2, 3],
            vec![0, 1, (1 << 60) - 1],
        ]
    } else {
        let all_ends = |&width: &u32| {
            let greatest = (1_u128 << width) - 1;
            let mut values = vec![0, 1, greatest / 2, greatest / 2 + 1, greatest - 1, greatest];
            values.retain(|value| *value <= greatest);
            values.dedup();
            values
        };
        subject.widths.iter().map(all_ends).collect()
    };
    for indexes in combinations(&values.iter().map(Vec::len).collect::<Vec<_>>()) {
        let chosen: Vec<_> = indexes.iter().zip(&values).map(|(index, values)| values[*index]).collect();
        ids.push(packed(&subject.widths, &chosen));
    }
    // Each value of each short field, between random others.
    for (at, &width) in subject.widths.iter().enumerate().filter(|(_, width)| **width <= 16) {
        for value in 0..1_u128 << width.min(12) {
            let fields: Vec<_> = subject
                .widths
                .iter()
                .enumerate()
                .map(|(i, width)| if i == at { value } else { random.u128(0..1 << width) })
                .collect();
            ids.push(packed(&subject.widths, &fields));
        }
    }
}

/// All lists of indexes below these lengths.
fn combinations(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &length in lengths {
        all = all.iter().flat_map(|list| (0..length).map(move |i| [&list[..], &[i]].concat())).collect();
    }
    all
}

/// One bit alone, all bits but one, and all bits from one on.
fn bits(subject: &Subject, ids: &mut Distinct<'_>) {
    let bytes = subject.bytes();
    for bit in 0..bytes * 8 {
        let mut one = vec![0; bytes];
        one[bit / 8] = 0x80 >> (bit % 8);
        ids.push(one.iter().map(|byte| !byte).collect());
        let from = (0..bytes).map(|i| match (i * 8).cmp(&(bit / 8 * 8)) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 0xff >> (bit % 8),
            std::cmp::Ordering::Greater => 0xff,
        });
        ids.push(from.collect());
        ids.push(one);
    }
}

/// An ID of a time from 2020, or the first time, to 2040.
pub(super) fn real(subject: &Subject, random: &mut Rng) -> Vec<u8> {
    let first = 1_577_836_800_000_000.max(*subject.times.start());
    of_time(subject, random.u64(first..2_208_988_800_000_000).into(), random)
}

/// An ID of a time in microseconds since 1970, whose other bits are random.
pub(crate) fn of_time(subject: &Subject, micros: i128, random: &mut Rng) -> Vec<u8> {
    let [least, greatest] = (subject.bounds)(micros).expect("the time is in range");
    least.iter().zip(greatest).map(|(&least, greatest)| least | random.u8(..) & (least ^ greatest)).collect()
}

/// A UUID of version 7, or almost one, of any time, of our time, or of the first or the last that a column can have.
fn uuid7(random: &mut Rng) -> Vec<u8> {
    let year_2000 = u128::from(YEAR_2000);
    let millis = match random.u8(0..4) {
        0 => random.u128(0..1 << 48),
        1 => random.u128(1_577_836_800_000..2_208_988_800_000),
        2 => year_2000 - 2 + random.u128(0..4),
        _ => 8 * year_2000 - 2 + random.u128(0..4),
    };
    let mut or_any = |right: u128, all: u128| if random.u8(0..8) == 0 { random.u128(0..all) } else { right };
    let (version, variant) = (or_any(7, 16), or_any(2, 4));
    let rest = random.u128(..) & (((1 << 12) - 1) << 64 | ((1 << 62) - 1));
    (millis << 80 | version << 76 | variant << 62 | rest).to_be_bytes().to_vec()
}

/// An Event ID of any time before the year 10000.
fn before_10000(subject: &Subject, random: &mut Rng) -> Vec<u8> {
    let micros = random.u128(0..253_402_300_800_000_000);
    packed(&subject.widths, &[micros, random.u128(0..1 << 32), random.u128(0..1 << 30), random.u128(0..4)])
}

/// Few different bytes: runs of zeros, and of bytes that databases take for padding.
fn monotonous(subject: &Subject, random: &mut Rng) -> Vec<u8> {
    const BYTES: [u8; 12] = [0, 0, 0, 0xff, 0xff, 0x20, 0x80, 0x7f, 0x27, 0x5c, 0x0a, 0x30];
    let mut run = 0;
    let mut byte = 0;
    let mut next = || {
        if run == 0 {
            run = random.usize(1..8);
            byte = BYTES[random.usize(..BYTES.len())];
        }
        run -= 1;
        byte
    };
    (0..subject.bytes()).map(|_| next()).collect()
}

/// A RON UID whose parts end with zeros.
fn short(subject: &Subject, random: &mut Rng) -> Vec<u8> {
    let mut part = || {
        let (before, after) = (6 * random.u32(0..10), 6 * random.u32(0..10));
        ((random.u128(0..1 << 60) >> before) << after) & ((1 << 60) - 1)
    };
    let (value, origin) = (part(), part());
    let scheme = random.u128(0..4);
    let id = value << 64 | scheme << 60 | origin;
    id.to_be_bytes()[..subject.bytes()].to_vec()
}

/// A RON UID whose value is almost a time.
fn calendar(subject: &Subject, random: &mut Rng) -> Vec<u8> {
    let fields = [
        0,
        random.u128(0..4040),
        random.u128(0..33),
        random.u128(0..25),
        random.u128(0..61),
        random.u128(0..61),
        random.u128(0..1001),
        random.u128(0..4096),
        0,
        2 + random.u128(0..2),
        if random.bool() { 0 } else { random.u128(0..1 << 60) },
    ];
    packed(&subject.widths, &fields)
}

/// Bytes that are not an ID.
pub(super) fn not_ids(subject: &Subject) -> Vec<Vec<u8>> {
    let bytes = subject.bytes();
    let mut not_ids = vec![];
    if !subject.is_int() {
        let lengths = [0, 1, 2, 8, bytes - 1, bytes + 1, 15, 17, 32, 255, 256, 300];
        for length in lengths.into_iter().filter(|length| *length != bytes) {
            not_ids.push(vec![0; length]);
            not_ids.push(vec![0x01; length]);
            not_ids.push(vec![0x20; length]);
        }
    }
    for (at, mask) in subject.mask.iter().enumerate() {
        for bit in (0..8).map(|bit| 1 << bit).filter(|bit| mask & bit == 0) {
            for rest in [0, 0x11, 0xff] {
                let mut id: Vec<_> = subject.mask.iter().map(|mask| mask & rest).collect();
                id[at] |= bit;
                not_ids.push(id);
            }
        }
    }
    not_ids.retain(|id| (subject.values)(id).is_none());
    not_ids.sort_unstable();
    not_ids.dedup();
    not_ids
}
