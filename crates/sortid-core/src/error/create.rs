//! Functions with which the spec crates create errors. They use the path `__private::error`.

use super::{
    BackfillError, BackfillObstacle, Bound, Cause, ConfigError, Fault, GenerateError, Obstacle, ParseError,
    RangeError, Refusal, TimestampError,
};
use crate::{OptionInfo, Text, text::copy};
use core::{fmt, ops::RangeInclusive, time::Duration};

/// A value of the input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// An integer, or a field.
    Integer(i128),
    /// A text.
    Text(Text<13>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The start of a text: at most 24 bytes, and whole characters. Errors keep it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Start {
    bytes: [u8; 24],
    len: u8,
    is_all: bool,
}

impl Start {
    /// Copies the start of this text.
    #[must_use]
    pub const fn of(text: &[u8]) -> Self {
        let mut start = Self { bytes: [0; 24], len: 0, is_all: true };
        let mut len = text.len();
        if len > start.bytes.len() {
            // Whole characters only: a byte 0b10…… continues a character, which has at most three of them.
            len = start.bytes.len();
            while len > start.bytes.len() - 3 && text[len] >> 6 == 0b10 {
                len -= 1;
            }
            start.is_all = false;
        }
        copy(text.split_at(len).0, start.bytes.split_at_mut(len).0);
        start.len = len as u8;
        start
    }

    /// Returns the bytes of the start.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether the start is the whole text.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.is_all
    }
}

/// Writes the start in quotes, or `empty`.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return f.write_str("empty");
        }
        f.write_str("\"")?;
        for chunk in self.as_bytes().utf8_chunks() {
            write!(f, "{}{}", chunk.valid().escape_debug(), chunk.invalid().escape_ascii())?;
        }
        f.write_str(if self.is_all { "\"" } else { "…\"" })
    }
}

/// Creates the error of too many or too few bytes.
#[cold]
#[must_use]
pub const fn byte_length(expected: usize, found: usize) -> ParseError {
    ParseError(Cause::ByteLength { expected, found })
}

/// Creates the error of a part of a text that is too long or too short. `expected` names the unit: "1 to 10 digits".
#[cold]
#[must_use]
pub const fn length(expected: &'static str, found: usize) -> ParseError {
    ParseError(Cause::Length { expected, found, unit: "", prefix: "" })
}

/// What the error of a length adds about a text that was copied with what is around it.
pub const WHITE_SPACE: &str = " with white space around it";

/// Creates the error of a text that is too long or too short. `expected` names the unit: "32 characters". Lengths count
/// bytes; the message says so if the text is not ASCII.
#[cold]
#[must_use]
pub const fn text_length(expected: &'static str, text: &[u8]) -> ParseError {
    let unit = match text {
        // Copied from a cell or a line: nobody sees why the text is too long.
        [b' ' | b'\t' | b'\n' | b'\r', ..] | [.., b' ' | b'\t' | b'\n' | b'\r'] => WHITE_SPACE,
        // A long text is refused at once: its characters are not examined.
        _ if text.len() <= 256 && !text.is_ascii() => " bytes",
        _ => "",
    };
    ParseError(Cause::Length { expected, found: text.len(), unit, prefix: "" })
}

/// Creates the error of the character at `text[position]`, which is not a digit of `alphabet`.
#[cold]
#[must_use]
pub const fn character(text: &[u8], position: usize, alphabet: &'static str) -> ParseError {
    let mut found = [0; 4];
    let mut len = 0;
    while len < 4 && position + len < text.len() {
        found[len] = text[position + len];
        len += 1;
    }
    ParseError(Cause::Character { found, found_len: len as u8, position, alphabet })
}

/// Creates the error of a value above the greatest value of `what`.
#[cold]
#[must_use]
pub const fn above(found: Value, what: &'static str, greatest: Value) -> RangeError {
    RangeError(Bound::Above { found, what, greatest })
}

/// Creates the error of a value below the least value of `what`.
#[cold]
#[must_use]
pub const fn below(found: Value, what: &'static str, least: Value) -> RangeError {
    RangeError(Bound::Below { found, what, least })
}

/// [`check_range`] for bytes, integers and texts.
///
/// # Errors
///
/// `Overflow` of this value of `what`.
#[inline]
pub const fn check_parsed(found: i128, what: &'static str, greatest: u64) -> Result<u64, ParseError> {
    match check_range(found, what, greatest) {
        Ok(value) => Ok(value),
        Err(error) => Err(out_of_range(error)),
    }
}

/// Converts the error, in `const` code.
#[must_use]
pub const fn out_of_range(error: RangeError) -> ParseError {
    ParseError(Cause::Range(error))
}

/// Creates the error of a text without the check that is required.
#[cold]
#[must_use]
pub const fn no_check(computed: u8) -> ParseError {
    ParseError(Cause::NoCheck { computed })
}

/// Creates the error of a text with the check `found`, whose ID has the check `computed`.
#[cold]
#[must_use]
pub const fn check_digits(found: u8, computed: u8) -> ParseError {
    ParseError(Cause::Check { found, computed })
}

/// Creates the error of the sign `found` at `position`, where `expected` should be.
#[cold]
#[must_use]
pub const fn sign(found: u8, position: usize, expected: &'static str) -> ParseError {
    ParseError(Cause::Sign { found, position, expected })
}

/// Creates the error of a text that does not start with the prefix `expected`.
#[cold]
#[must_use]
pub const fn prefix(text: &[u8], expected: &'static str) -> ParseError {
    ParseError(Cause::Prefix { expected, found: Start::of(text) })
}

/// Returns the error of a whole text, for the error of what follows its prefix.
#[cold]
#[must_use]
pub const fn after_prefix(error: ParseError, prefix: &'static str) -> ParseError {
    ParseError(match moved(error, prefix.len()).0 {
        Cause::Length { expected, found, unit, .. } => Cause::Length { expected, found, unit, prefix },
        cause => cause,
    })
}

/// Returns the error of a whole text, for the error of what follows its first `by` bytes.
#[cold]
#[must_use]
pub const fn moved(error: ParseError, by: usize) -> ParseError {
    ParseError(match error.0 {
        Cause::Character { found, found_len, position, alphabet } => {
            Cause::Character { found, found_len, position: position + by, alphabet }
        }
        Cause::Sign { found, position, expected } => Cause::Sign { found, position: position + by, expected },
        cause => cause,
    })
}

/// Returns `found` if it is within `0..=greatest`.
///
/// # Errors
///
/// Of this value of `what`.
#[inline]
pub const fn check_range(found: i128, what: &'static str, greatest: u64) -> Result<u64, RangeError> {
    if found < 0 {
        Err(below(Value::Integer(found), what, Value::Integer(0)))
    } else if found > greatest as i128 {
        Err(above(Value::Integer(found), what, Value::Integer(greatest as i128)))
    } else {
        Ok(found as u64)
    }
}

/// Returns the time, in microseconds since 1970, if it is one of these.
///
/// # Errors
///
/// Of this time.
#[inline]
pub fn check_time(found: i128, times: &RangeInclusive<u64>) -> Result<u64, RangeError> {
    match u64::try_from(found) {
        Ok(time) if times.contains(&time) => Ok(time),
        _ => Err(RangeError(Bound::Time { found, first: *times.start(), last: *times.end() })),
    }
}

/// Checks the value of an option.
///
/// # Errors
///
/// If `found` is not within `least..=greatest`.
pub const fn check_option(
    option: &'static str,
    found: u64,
    least: u64,
    greatest: u64,
) -> Result<(), ConfigError> {
    if found >= least && found <= greatest {
        Ok(())
    } else {
        Err(ConfigError { option, fault: Fault::Range { found, least, greatest } })
    }
}

/// Creates the error of an option whose value has another form.
#[cold]
#[must_use]
pub const fn option_form(option: &'static str, expected: &'static str, found: &str) -> ConfigError {
    ConfigError { option, fault: Fault::Form { expected, found: Start::of(found.as_bytes()) } }
}

/// Creates the error of an option whose value cannot be parsed.
#[cold]
#[must_use]
pub const fn option_parse(option: &'static str, error: ParseError) -> ConfigError {
    ConfigError { option, fault: Fault::Parse(error) }
}

/// Creates the error of an option that is not one of these.
#[cold]
#[must_use]
pub const fn unknown_option(all: &'static [OptionInfo], found: &str) -> ConfigError {
    ConfigError { option: "", fault: Fault::Unknown { all, found: Start::of(found.as_bytes()) } }
}

/// Creates the error of an option that needs a value and has none.
#[cold]
#[must_use]
pub const fn missing_option(option: &'static str, why: &'static str) -> ConfigError {
    ConfigError { option, fault: Fault::Missing { why } }
}

/// Creates the error of an option that a specification cannot have.
#[cold]
#[must_use]
pub const fn unsupported_option(option: &'static str, why: &'static str) -> ConfigError {
    ConfigError { option, fault: Fault::Unsupported { why } }
}

/// Returns how many bits the node IDs `0..size` take. `node_id` is one of them, and the field has `field_bits`.
///
/// # Errors
///
/// If `node_id` is not below `size`, or the node IDs do not fit the field.
pub const fn check_node_id(node_id: u32, size: u32, field_bits: u32) -> Result<u32, ConfigError> {
    if let Err(error) = check_option("size of the space", size as u64, 1, 1 << field_bits) {
        return Err(error);
    }
    match check_option("node ID", node_id as u64, 0, size as u64 - 1) {
        Ok(()) => Ok(u32::BITS - (size - 1).leading_zeros()),
        Err(error) => Err(error),
    }
}

/// Creates the error of a tick without further IDs; the next one begins at `until`.
#[cold]
#[must_use]
pub const fn exhausted(until: u64) -> GenerateError {
    GenerateError(Obstacle::Exhausted { until, retry_after: None })
}

/// Adds how long the next tick takes.
#[must_use]
pub fn with_retry_after(error: GenerateError, left: Duration) -> GenerateError {
    match error.0 {
        Obstacle::Exhausted { until, .. } => {
            GenerateError(Obstacle::Exhausted { until, retry_after: Some(left) })
        }
        _ => error,
    }
}

/// Creates the error of a clock that is behind the last ID by more than the allowance.
#[cold]
#[must_use]
pub const fn clock_rollback(by: u64, allowance: u64) -> GenerateError {
    GenerateError(Obstacle::ClockRollback { by, allowance })
}

/// Creates the error of a time that is not within `first..=last`.
#[cold]
#[must_use]
pub const fn clock_out_of_range(now: Option<u64>, first: u64, last: u64) -> GenerateError {
    GenerateError(Obstacle::ClockOutOfRange { now, first, last })
}

/// Creates the error of an observed ID that is too far ahead of the clock.
#[cold]
#[must_use]
pub const fn ahead(by: u64, bound: u64) -> GenerateError {
    GenerateError(Obstacle::Ahead { by, bound })
}

/// Creates the error of a forked process that may not use its parent's generator.
#[cold]
#[must_use]
pub const fn other_process() -> GenerateError {
    GenerateError(Obstacle::OtherProcess)
}

/// Creates the error of a reservation until this time.
#[cfg(target_has_atomic = "ptr")]
#[cold]
pub(crate) const fn reservation(until: u64, refusal: Refusal) -> GenerateError {
    GenerateError(Obstacle::Reservation { until, refusal })
}

/// Creates the error of an observed ID without a time.
#[cold]
#[must_use]
pub const fn no_time() -> GenerateError {
    GenerateError(Obstacle::NoTime)
}

/// Creates the error of a backfill for this time, in microseconds since 1970.
#[cold]
#[must_use]
pub const fn backfill(obstacle: BackfillObstacle, time: i128) -> BackfillError {
    BackfillError { obstacle, time, index: None }
}

/// Creates the error of an ID without a time.
#[must_use]
pub const fn no_timestamp(id: &'static str) -> TimestampError {
    TimestampError { id, beyond: None }
}

/// Creates the error of an ID whose time is outside the range of `timestamp`.
#[must_use]
pub const fn timestamp_beyond(id: &'static str, micros: u64, timestamp: &'static str) -> TimestampError {
    TimestampError { id, beyond: Some((micros, timestamp)) }
}

#[cfg(test)]
mod tests {
    use super::Start;

    #[test]
    fn a_start_ends_between_characters_and_bytes_that_are_none_are_kept() {
        assert_eq!(Start::of("äääääääääääää".as_bytes()).as_bytes(), "ääääääääääää".as_bytes());
        assert_eq!(Start::of("xäääääääääääää".as_bytes()).as_bytes(), "xäääääääääää".as_bytes());
        assert_eq!(Start::of(&[0x80; 30]).as_bytes().len(), 21);
    }
}
