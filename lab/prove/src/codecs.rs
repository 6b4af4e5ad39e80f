//! `NAME_encode`, `NAME_parse` and `NAME_compare` for each form of text.

use sortid_core::{ParseError, ParseErrorKind, Text};

/// The longest text that a proof passes to a parser, with room for texts that are too long.
const ROOM: usize = 48;

/// 0 for an ID; else the kind of the error in the low byte, and above it the position, or all ones without a position.
fn outcome<T>(result: Result<T, ParseError>, found: impl FnOnce(T)) -> u64 {
    match result {
        Ok(id) => {
            found(id);
            0
        }
        Err(error) => {
            let kind = match error.kind() {
                ParseErrorKind::Length => 1,
                ParseErrorKind::Character => 2,
                ParseErrorKind::Overflow => 3,
                ParseErrorKind::Check => 4,
                ParseErrorKind::Sign => 5,
                _ => 6,
            };
            kind | error.position().map_or(u64::MAX, |at| at as u64) << 8
        }
    }
}

fn write<const N: usize>(text: &Text<N>, out: &mut [u8; N]) -> u64 {
    let text = text.as_bytes();
    out[..text.len()].copy_from_slice(text);
    text.len() as u64
}

macro_rules! codecs {
    ($($Id:ty, $bytes:literal, $length:literal, $from:expr, $text:expr;
        $encode:ident, $parse:ident, $compare:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $encode(bytes: &[u8; $bytes], out: &mut [u8; $length]) -> u64 {
            let from: fn([u8; $bytes]) -> Option<$Id> = $from;
            from(*bytes).map_or(u64::MAX, |id| write(&$text(&id), out))
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $parse(text: &[u8; ROOM], length: usize, out: &mut [u8; $bytes]) -> u64 {
            outcome(<$Id>::parse_ascii(&text[..length]), |id| *out = id.to_bytes())
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $compare(a: &[u8; $bytes], b: &[u8; $bytes]) -> i64 {
            let from: fn([u8; $bytes]) -> Option<$Id> = $from;
            match (from(*a), from(*b)) {
                (Some(a), Some(b)) => a.cmp(&b) as i64,
                _ => i64::MIN,
            }
        }
    )*};
}

codecs! {
    ulid_flake::UlidFlake, 8, 13, |bytes| ulid_flake::UlidFlake::try_from_bytes(bytes).ok(), |id: &ulid_flake::UlidFlake| id.encode();
        ulid_flake_encode, ulid_flake_parse, ulid_flake_compare;
    scru160::Scru160, 20, 32, |bytes| Some(scru160::Scru160::from_bytes(bytes)), |id: &scru160::Scru160| id.encode();
        scru160_encode, scru160_parse, scru160_compare;
    euid::Euid, 16, 27, |bytes| Some(euid::Euid::from_bytes(bytes)), |id: &euid::Euid| id.encode();
        euid_encode, euid_parse, euid_compare;
    evently_id::EventId, 16, 32, |bytes| Some(evently_id::EventId::from_bytes(bytes)), |id: &evently_id::EventId| id.encode();
        evently_id_encode, evently_id_parse, evently_id_compare;
    ron_uid::RonUid, 16, 21, |bytes| ron_uid::RonUid::try_from_bytes(bytes).ok(), |id: &ron_uid::RonUid| id.encode();
        ron_uid_encode, ron_uid_parse, ron_uid_compare;
}

#[unsafe(no_mangle)]
pub extern "C" fn scru160_encode_hex(bytes: &[u8; 20], out: &mut [u8; 40]) -> u64 {
    write(&scru160::Scru160::from_bytes(*bytes).encode_hex(), out)
}

#[unsafe(no_mangle)]
pub extern "C" fn euid_encode_without_check(bytes: &[u8; 16], out: &mut [u8; 27]) -> u64 {
    write(&euid::Euid::from_bytes(*bytes).encode_without_check(), out)
}
