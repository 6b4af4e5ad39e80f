//! RON UIDs: text, compression in a context, vectors.

use crate::{printed::printed, slow, text::canonical};
use ron_uid::{Base64x64, ParseErrorKind, RonUid, Scheme, UnixMillis, Vector, VectorBuilder};
use ron_uuid_published::UUID;

const SIGNS: &str = "-+$%";
const BRACKETS: &str = "([{}])";

/// Reads a part: digits, of which a bracket stands for the first digits of the context.
fn part(text: &str, context: Base64x64) -> Option<Base64x64> {
    let (kept, rest) = match text.chars().next().map(|first| BRACKETS.find(first)) {
        None => return Some(context),
        Some(None) => (0, text),
        Some(Some(bracket)) => (4 + bracket, &text[1..]),
    };
    let mut digits = [b'0'; 10];
    let first = context.encode();
    let first = &first.as_bytes()[..first.len().min(kept)];
    digits[..first.len()].copy_from_slice(first);
    digits.get_mut(kept..kept + rest.len())?.copy_from_slice(rest.as_bytes());
    let bits = slow::bits(&digits, 6, &slow::BASE64X64)?;
    Base64x64::try_from_int(slow::int(&bits) as u64).ok()
}

/// `unzip`, by the grammar of the specification.
fn unzip_slowly(text: &str, context: RonUid) -> Option<RonUid> {
    if !text.is_ascii() {
        return None;
    }
    if text.is_empty() {
        return Some(context);
    }
    let scheme = |sign: char| Scheme::ALL.into_iter().find(|scheme| scheme.sign() == sign);
    if let Some(at) = text.find(|char| SIGNS.contains(char)) {
        let (value, origin) = (part(&text[..at], context.value())?, part(&text[at + 1..], context.origin())?);
        return Some(RonUid::from_fields(value, origin, scheme(text[at..].chars().next()?)?));
    }
    // Without a sign: a bracket begins the origin, unless it begins the text.
    let is_bracket = |char| BRACKETS.contains(char);
    let origin_at = text.char_indices().skip(1).find(|&(_, char)| is_bracket(char)).map(|(at, _)| at);
    let Some(at) = origin_at else {
        let value = part(text, context.value())?;
        if text.starts_with(is_bracket) {
            return Some(RonUid::from_fields(value, context.origin(), Scheme::Event));
        }
        let constants = [Base64x64::ZERO, Base64x64::NEVER, Base64x64::ERROR];
        let scheme = if constants.contains(&value) { Scheme::Event } else { Scheme::Name };
        return Some(RonUid::from_fields(value, Base64x64::ZERO, scheme));
    };
    let (value, origin) = (part(&text[..at], context.value())?, part(&text[at..], context.origin())?);
    Some(RonUid::from_fields(value, origin, Scheme::Event))
}

/// `parse`: a text without brackets, which leaves out a part only where `encode` leaves it out.
fn parse_slowly(text: &str) -> Option<RonUid> {
    if text.is_empty() || text.contains(|char| BRACKETS.contains(char)) {
        return None;
    }
    let uid = unzip_slowly(text, RonUid::ZERO)?;
    let is_sign = |char| SIGNS.contains(char);
    let needs_value = text.starts_with(is_sign) && uid.origin() == Base64x64::ZERO;
    let needs_origin = text.ends_with(is_sign) && is_bare(uid);
    (!needs_value && !needs_origin).then_some(uid)
}

pub(crate) fn text(data: &[u8]) {
    let read = RonUid::parse_ascii(data);
    let text = std::str::from_utf8(data).ok();
    assert_eq!(read.as_ref().ok(), text.and_then(parse_slowly).as_ref());
    if let Some(text) = text {
        assert_eq!(RonUid::parse(text), read);
        let is_sign = |char| SIGNS.contains(char);
        // The later dialect exchanges the first two signs, ignores text after a UUID, and accepts more texts.
        if let Ok(uid) = &read
            && text.contains(is_sign)
            && !text.starts_with(is_sign)
        {
            assert_eq!(in_their_signs(text).parse(), Ok(theirs(*uid)), "{text}");
        }
    }
    match read {
        Ok(uid) => uid_laws(uid),
        Err(error) => {
            assert!(printed(&error).len() < 200);
            let kinds = [ParseErrorKind::Length, ParseErrorKind::Character, ParseErrorKind::Sign];
            assert!(kinds.contains(&error.kind()), "{error}");
        }
    }
}

fn uid_laws(uid: RonUid) {
    canonical(uid, &uid.encode());
    assert_eq!(RonUid::try_from_u128(uid.to_u128()), Ok(uid));
    for part in [uid.value(), uid.origin()] {
        assert_eq!(Base64x64::parse(&part.encode()), Ok(part));
    }
    if let Some(time) = ron_uid::Calendar::from_value(uid.value()) {
        assert_eq!(time.to_value(), Some(uid.value()));
        if matches!(uid.scheme(), Scheme::Event | Scheme::Derived) {
            assert_eq!(uid.unix_millis(), time.unix_millis());
            let at = UnixMillis(uid.unix_millis().unwrap().into());
            assert!(RonUid::min_at(at).unwrap() <= uid && uid <= RonUid::max_at(at).unwrap());
        }
    }
    // `ron-uid` reads the texts of the other crate, except the constants, which are names in the other crate.
    let constants = [RonUid::ZERO, RonUid::NEVER, RonUid::ERROR].map(|uid| uid.value());
    if uid.origin() != Base64x64::ZERO || !constants.contains(&uid.value()) {
        assert_eq!(RonUid::parse(&in_their_signs(&theirs(uid).to_string())), Ok(uid));
    }
}

fn theirs(uid: RonUid) -> UUID {
    let (value, origin) = (uid.value().to_int(), uid.origin().to_int());
    match uid.scheme() {
        Scheme::Event => UUID::Event { timestamp: value, origin },
        Scheme::Derived => UUID::Derived { timestamp: value, origin },
        Scheme::Name => UUID::Name { name: value, scope: origin },
        Scheme::Hash => UUID::Number { value1: value, value2: origin },
    }
}

fn in_their_signs(text: &str) -> String {
    text.chars()
        .map(|char| match char {
            '-' => '+',
            '+' => '-',
            other => other,
        })
        .collect()
}

/// The input has three lines: a context, a text to read in it, and a UID to compress in it.
pub(crate) fn zip(data: &[u8]) {
    let mut lines = data.split(|&byte| byte == b'\n');
    let (Some(context), Some(text)) = (lines.next(), lines.next()) else { return };
    let Ok(context) = RonUid::parse_ascii(context) else { return };
    let read = RonUid::unzip_ascii(text, &context);
    let utf8 = std::str::from_utf8(text).ok();
    assert_eq!(read.as_ref().ok(), utf8.and_then(|text| unzip_slowly(text, context)).as_ref());
    if let Some(text) = utf8 {
        assert_eq!(RonUid::unzip(text, &context), read);
    }
    let other = lines.next().and_then(|line| RonUid::parse_ascii(line).ok());
    for uid in [read.ok(), other, Some(context)].into_iter().flatten() {
        for (uid, context) in [(uid, context), (context, uid), (uid, RonUid::ZERO)] {
            let zipped = uid.zip(&context);
            assert_eq!(RonUid::unzip(&zipped, &context), Ok(uid), "{zipped:?} in {context}");
            assert!(zipped.len() <= uid.encode().len().max(1) + 1);
        }
        assert_eq!(uid.zip(&uid).is_empty(), !is_bare(uid));
    }
}

/// Whether the text has digits only.
fn is_bare(uid: RonUid) -> bool {
    Base64x64::parse(&uid.encode()).is_ok()
}

pub(crate) fn vector(data: &[u8]) {
    let mut context = RonUid::ZERO;
    let elements: Vec<_> = if data.is_empty() { vec![] } else { data.split(|&byte| byte == b',').collect() };
    let mut uids = vec![];
    let mut slowly = elements.iter();
    for (index, read) in Vector::from_ascii(data).enumerate() {
        assert!(index < elements.len());
        let text = slowly.next().and_then(|text| std::str::from_utf8(text).ok());
        assert_eq!(read.as_ref().ok(), text.and_then(|text| unzip_slowly(text, context)).as_ref());
        match read {
            Ok(uid) => {
                uids.push(uid);
                context = uid;
            }
            Err(error) => {
                assert!(printed(&error).len() < 200);
                assert_eq!(Vector::from_ascii(data).count(), index + 1, "a vector ends after an error");
                break;
            }
        }
    }
    let built: VectorBuilder = uids.iter().copied().collect();
    let again: Vec<_> = Vector::new(built.as_str()).collect::<Result<_, _>>().unwrap();
    // This holds for a vector of zeros, too: its body is not empty.
    assert_eq!(again, uids, "{}", built.as_str());
}
