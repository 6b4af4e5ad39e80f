//! Texts of fixed length.

use crate::{printed::printed, slow};
use data_encoding::{BASE32HEX_NOPAD, HEXLOWER_PERMISSIVE};
use euid::Euid;
use evently_id::{EventId, LedgerId};
use scru160::Scru160;
use sortid_core::{ParseError, ParseErrorKind};
use std::{
    fmt::{Debug, Display, LowerHex},
    str::FromStr,
};
use ulid_flake::{UlidFlake, scalable::Scalable};

/// The laws of an ID and its text.
pub(crate) fn canonical<I>(id: I, encoded: &str)
where
    I: Copy + Eq + Debug + Display + LowerHex + FromStr<Err = ParseError> + AsRef<[u8]>,
    for<'a> I: TryFrom<&'a [u8], Error = ParseError>,
{
    assert_eq!(encoded.parse::<I>(), Ok(id), "decode(encode(id)) is the ID");
    assert_eq!(*printed(id), *encoded);
    let debug = printed(format_args!("{id:?}"));
    assert!(debug.strip_suffix(')').is_some_and(|debug| debug.ends_with(encoded)), "{id:?}");
    assert_eq!(I::try_from(id.as_ref()), Ok(id));
    let mut hex = [0; 40];
    let hex = &mut hex[..2 * id.as_ref().len()];
    data_encoding::HEXLOWER.encode_mut(id.as_ref(), hex);
    assert_eq!(printed(format_args!("{id:x}")).as_bytes(), hex);
}

/// The laws of an error and its message, for an ID whose text has one of `lengths`.
fn refused(text: &[u8], error: &ParseError, lengths: &[usize], digits: &slow::Digits) {
    let message = &*printed(error);
    assert!(message.len() < 200, "{message}");
    let is_length = error.kind() == ParseErrorKind::Length;
    assert_eq!(is_length, !lengths.contains(&text.len()), "{message}");
    let bad = text.iter().position(|&byte| !digits.has(byte)).filter(|_| !is_length);
    assert_eq!(error.kind() == ParseErrorKind::Character, bad.is_some(), "{message}");
    if let Some(position) = bad {
        assert_eq!(error.position(), Some(position), "{message}");
        assert!(message.contains(&*printed(format_args!("at position {position} "))), "{message}");
    }
}

/// `parse` and `parse_ascii` return the same for a text that is UTF-8.
fn as_str<I: Copy + Eq + Debug>(
    text: &[u8],
    read: Result<I, ParseError>,
    parse: impl Fn(&str) -> Result<I, ParseError>,
) {
    if let Ok(text) = std::str::from_utf8(text) {
        assert_eq!(parse(text), read);
    }
}

pub(crate) fn scru160_base32hex(data: &[u8]) {
    scru160(data, 32, |text| slow::bits(text, 5, &slow::BASE32HEX));
    if data.len() == 32 {
        let theirs = BASE32HEX_NOPAD.decode(&data.to_ascii_uppercase()).ok();
        assert_eq!(Scru160::parse_ascii(data).ok().map(|id| id.to_bytes().to_vec()), theirs);
    }
}

pub(crate) fn scru160_hex(data: &[u8]) {
    scru160(data, 40, |text| slow::bits(text, 4, &slow::HEX));
    if data.len() == 40 {
        let theirs = HEXLOWER_PERMISSIVE.decode(data).ok();
        assert_eq!(Scru160::parse_ascii(data).ok().map(|id| id.to_bytes().to_vec()), theirs);
    }
}

fn scru160(data: &[u8], length: usize, bits: impl Fn(&[u8]) -> Option<slow::Bits>) {
    let read = Scru160::parse_ascii(data);
    as_str(data, read.clone(), Scru160::parse);
    if data.len() == length {
        let slowly = bits(data).map(|bits| slow::bytes(&bits));
        assert_eq!(read.as_ref().ok().map(|id| id.to_bytes().to_vec()), slowly);
    }
    let id = match read {
        Ok(id) => id,
        Err(error) => {
            let digits = if data.len() == 40 { &slow::HEX } else { &slow::BASE32HEX };
            refused(data, &error, &[32, 40], digits);
            return;
        }
    };
    canonical(id, &id.encode());
    assert_eq!(Scru160::parse(&id.encode_hex()), Ok(id));
    let printed =
        if data.len() == 32 { id.encode().to_ascii_lowercase() } else { id.encode_hex().to_string() };
    assert_eq!(printed.as_bytes(), data.to_ascii_lowercase());
    let fields = Scru160::try_from_fields(id.unix_millis(), id.counter(), id.random16(), id.random80());
    assert_eq!(fields, Ok(id));
}

pub(crate) fn euid(data: &[u8]) {
    let read = Euid::parse_ascii(data);
    as_str(data, read.clone(), Euid::parse);
    let slowly = (data.len() == 27).then(|| slow::bits(data, 5, &slow::CROCKFORD_ALIASED)).flatten();
    let slowly = slowly.and_then(|bits| {
        let (id, check) = bits.split_at(128);
        let (expected, check) = (slow::modulo(id, 127), slow::int(check) as u32);
        (check == expected || check == 127).then(|| (slow::int(id), check))
    });
    let ours = read.as_ref().ok().map(|id| id.to_u128());
    assert_eq!(ours, slowly.map(|(int, _)| int));
    let has_check = slowly.is_some_and(|(_, check)| check != 127);
    let checked = std::str::from_utf8(data).ok().and_then(|text| Euid::parse_with_check(text).ok());
    assert_eq!(checked, read.as_ref().ok().copied().filter(|_| has_check));
    if data.is_ascii() && data.len() == 27 {
        let theirs = std::str::from_utf8(data).unwrap().parse::<euid_published::EUID>().ok().map(u128::from);
        assert_eq!(ours, theirs);
    }
    let id = match read {
        Ok(id) => id,
        Err(error) => return refused(data, &error, &[27], &slow::CROCKFORD_ALIASED),
    };
    canonical(id, &id.encode());
    assert_eq!(Euid::parse_with_check(&id.encode()), Ok(id));
    assert!(Euid::parse_with_check(&id.encode_without_check()).is_err());
    let text = if has_check { id.encode() } else { id.encode_without_check() };
    let digits = |text: &[u8]| slow::bits(text, 5, &slow::CROCKFORD_ALIASED);
    assert!(digits(text.as_bytes()) == digits(data));
    let fields = Euid::try_from_fields(
        id.unix_millis(),
        id.random_upper(),
        id.extension(),
        id.random_high(),
        id.random_low(),
    );
    assert_eq!(fields, Ok(id));
}

pub(crate) fn ulid_flake(data: &[u8]) {
    let read = UlidFlake::parse_ascii(data);
    as_str(data, read.clone(), UlidFlake::parse);
    let slowly = (data.len() == 13).then(|| slow::bits(data, 5, &slow::CROCKFORD)).flatten();
    let slowly = slowly.map(|bits| slow::int(&bits)).filter(|&int| int < 1 << 63);
    assert_eq!(read.as_ref().ok().map(|id| id.to_int() as u128), slowly);
    let id = match read {
        Ok(id) => id,
        Err(error) => return refused(data, &error, &[13], &slow::CROCKFORD),
    };
    canonical(id, &id.encode());
    assert_eq!(id.encode().as_bytes(), data.to_ascii_uppercase());
    assert_eq!(UlidFlake::try_from_fields(id.timestamp(), id.randomness()), Ok(id));
    let scalable = id.scalable();
    let fields = Scalable::try_from_fields(id.timestamp(), scalable.randomness(), scalable.scalability());
    assert_eq!(fields, Ok(id));
}

pub(crate) fn event_id(data: &[u8]) {
    let read = EventId::parse_ascii(data);
    as_str(data, read.clone(), EventId::parse);
    let slowly = |length| (data.len() == length).then(|| slow::bits(data, 4, &slow::HEX)).flatten();
    assert_eq!(read.as_ref().ok().map(|id| id.to_u128()), slowly(32).map(|bits| slow::int(&bits)));
    let ledger_id = LedgerId::parse_ascii(data);
    assert_eq!(
        ledger_id.as_ref().ok().map(|id| u128::from(id.to_int())),
        slowly(8).map(|bits| slow::int(&bits))
    );
    match ledger_id {
        Ok(id) => canonical(id, &id.encode()),
        Err(error) => refused(data, &error, &[8], &slow::HEX),
    }
    match read {
        Ok(id) => {
            canonical(id, &id.encode());
            assert_eq!(id.encode().as_bytes(), data.to_ascii_lowercase());
            assert_eq!(EventId::from_fields(id.unix_micros(), id.checksum(), id.ledger_id()), id);
        }
        Err(error) => refused(data, &error, &[32], &slow::HEX),
    }
}
