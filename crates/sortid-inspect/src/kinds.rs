//! Other kinds of IDs, which people take for ours.

use crate::form::{hex, uuid};
use sortid::{
    __private::{PLAUSIBLE, civil, rfc9562},
    Clock as _, SystemClock,
};

/// What a text can be that is not one of our IDs.
pub fn of_text(text: &[u8]) -> Option<&'static str> {
    let id = text.rsplit(|&byte| byte == b'_').next()?;
    let has_prefix = id.len() < text.len();
    let is_crockford = id.iter().all(|byte| byte.is_ascii_alphanumeric() && !b"ILOUilou".contains(byte));
    let is = |test: fn(&u8) -> bool| id.iter().any(test);
    match id.len() {
        26 if is_crockford && has_prefix => Some("a TypeID"),
        26 if is_crockford => Some("a ULID"),
        27 if !has_prefix
            && id.iter().all(u8::is_ascii_alphanumeric)
            && is(u8::is_ascii_lowercase)
            && is(u8::is_ascii_uppercase) =>
        {
            Some("a KSUID")
        }
        24 if !has_prefix && id.iter().all(u8::is_ascii_hexdigit) => Some("an ObjectId"),
        _ => None,
    }
}

/// Which UUID a text of 16 bytes can be. `is_ours` says that one of our IDs with these bytes is likely.
///
/// One in 8 of our IDs has the version and the variant of some UUID. An ID from 2000 to 2099 never looks like a UUID of
/// version 7 with a time of these years.
#[must_use]
pub fn of_uuid(text: &[u8], is_ours: bool) -> Option<String> {
    let mut bytes = [0; 16];
    if uuid::read(text, &mut bytes).is_err() && hex::read(text, &mut bytes).is_err() {
        return None;
    }
    let version = rfc9562::version(&bytes)?;
    if let Some(micros) = rfc9562::v7_unix_micros(&bytes).filter(|micros| PLAUSIBLE.contains(micros)) {
        let time = civil::rfc3339(micros);
        // The last three digits are microseconds.
        let time = &time[..time.len() - 4];
        return Some(format!(
            "more likely a UUID of version 7, made at {time}Z, which is another kind of ID"
        ));
    }
    (version != 7 && !is_ours)
        .then(|| format!("more likely a UUID of version {version}, which is another kind of ID"))
}

/// Snowflakes that are well known: whose they are, how many bits are below their time, how many milliseconds a tick has,
/// and their epoch, in milliseconds since 1970.
const SNOWFLAKES: [(&str, u32, u64, u64); 3] = [
    ("with the epoch of Twitter", 22, 1, 1_288_834_974_657),
    ("with that of Discord", 22, 1, 1_420_070_400_000),
    ("as a Sonyflake", 24, 10, 1_409_529_600_000),
];

/// Which Snowflake an integer can be. A Ulid-Flake of the same integer has a time that is yet to come: the timestamp of a
/// Snowflake has the more significant bits.
#[must_use]
pub fn of_integer(integer: u64, unix_micros: u64) -> Option<String> {
    let now = SystemClock.unix_micros()?;
    if unix_micros <= now {
        return None;
    }
    let times = SNOWFLAKES.iter().filter_map(|&(whose, shift, millis, epoch)| {
        let micros = 1000 * (epoch + (integer >> shift) * millis);
        let time = civil::rfc3339(micros);
        (micros <= now).then(|| format!("of {} {whose}", &time[.."2026-11-27".len()]))
    });
    let times: Vec<_> = times.collect();
    (!times.is_empty()).then(|| format!("it may be a Snowflake: {}", times.join(", ")))
}
