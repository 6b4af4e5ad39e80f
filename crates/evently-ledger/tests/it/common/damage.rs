//! Ledgers with faults.

use super::ledger::CLASSIC;
use proptest::{prelude::*, sample::select};

pub(crate) fn with_line_ends(lines: &[String]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| format!("{line}\n").into_bytes()).collect()
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Damage {
    Flip(u8),
    Remove,
    Duplicate,
    Swap,
    Blank,
    NoId,
    Malformed,
    CarriageReturn,
    OtherLedger,
    Unknown,
    Again,
    BothProfiles,
}

pub(crate) fn any_damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (0..8_u8).prop_map(|bit| Damage::Flip(1 << bit)),
        select(vec![
            Damage::Remove,
            Damage::Duplicate,
            Damage::Swap,
            Damage::Blank,
            Damage::NoId,
            Damage::Malformed,
            Damage::CarriageReturn,
            Damage::OtherLedger,
            Damage::Unknown,
            Damage::Again,
            Damage::BothProfiles,
        ]),
    ]
}

pub(crate) fn damage(lines: &mut Vec<Vec<u8>>, at: usize, offset: usize, damage: Damage) {
    let line = &mut lines[at];
    match damage {
        Damage::Flip(bit) => {
            let offset = offset % (line.len() - 1);
            line[offset] ^= bit;
        }
        Damage::Remove => drop(lines.remove(at)),
        Damage::Duplicate => lines.insert(at, lines[at].clone()),
        Damage::Swap => lines.swap(at, offset % (at + 1)),
        Damage::Blank => *line = b" \n".to_vec(),
        Damage::NoId => *line = String::from_utf8_lossy(line).replace("eventId", "eventIx").into_bytes(),
        Damage::Malformed => *line = b"nonsense\n".to_vec(),
        Damage::CarriageReturn => {
            line.pop();
            line.extend(b"\r\n");
        }
        Damage::Unknown => drop(line.splice(1..1, *b"\"Data\":1,")),
        Damage::Again => drop(line.splice(1..1, *b"\"event\":\"\",")),
        // A line without the other members has the checksum of the other profile still.
        Damage::BothProfiles => {
            drop(line.splice(1..1, *b"\"entities\":{},\"meta\":1,\"data\":2,\"entity\":\"\",\"key\":\"\","));
        }
        Damage::OtherLedger => {
            *line = CLASSIC.lines().nth(at % 60).unwrap().into();
            line.push(b'\n');
        }
    }
}
