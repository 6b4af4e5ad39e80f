use crate::{EntropyError, Text};
use core::fmt;

/// A text, a byte string, an integer or a field that is no such ID. Its message says what was
/// expected, what was found, and where.
///
/// ```
/// use sortid_core::{HEX, ParseErrorKind};
///
/// let error = HEX.bad_digit(b"0x7f");
/// assert_eq!(error.kind(), ParseErrorKind::Character);
/// assert_eq!(error.to_string(), "'x' at position 1 is no hex digit");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError(Cause);

/// What is wrong, for code that branches on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Too short or too long.
    Length,
    /// A character that is no digit of the alphabet.
    Character,
    /// A value that the ID or its field has no room for.
    Overflow,
    /// A check digit that does not belong to the other digits.
    Check,
    /// A sign that stands where none may, or none where one has to.
    Sign,
}

impl ParseErrorKind {
    /// The kind in one lower-case word, as `sortid --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Character => "character",
            Self::Overflow => "overflow",
            Self::Check => "check",
            Self::Sign => "sign",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Cause {
    Length { expected: &'static str, found: usize, unit: &'static str },
    // The character as the bytes that stand there: decoding them can wait until someone reads it.
    Character { found: [u8; 4], found_len: u8, position: usize, alphabet: &'static str },
    Above { found: Value, what: &'static str, greatest: Value },
    Below { found: Value, what: &'static str, least: Value },
    Check { found: u8, computed: u8 },
    Sign { found: u8, position: usize, expected: &'static str },
}

/// A value as the user gave it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
#[non_exhaustive]
pub enum Value {
    Integer(i128),
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

/// How the spec crates make the errors.
#[doc(hidden)]
impl ParseError {
    /// Bytes. `expected` has its unit: "20 bytes".
    #[cold]
    #[must_use]
    pub const fn length(expected: &'static str, found: usize) -> Self {
        Self(Cause::Length { expected, found, unit: "" })
    }

    /// Text. `expected` has its unit: "32 characters". Lengths are in bytes, which a text of other than ASCII says.
    #[cold]
    #[must_use]
    pub const fn text_length(expected: &'static str, text: &[u8]) -> Self {
        // A long text is refused at once, whatever it is made of.
        let unit = if text.len() <= 256 && !text.is_ascii() { " bytes" } else { "" };
        Self(Cause::Length { expected, found: text.len(), unit })
    }

    /// The character that begins at `text[position]` is no digit of `alphabet`.
    #[cold]
    #[must_use]
    pub const fn character(text: &[u8], position: usize, alphabet: &'static str) -> Self {
        let mut found = [0; 4];
        let mut len = 0;
        while len < 4 && position + len < text.len() {
            found[len] = text[position + len];
            len += 1;
        }
        Self(Cause::Character { found, found_len: len as u8, position, alphabet })
    }

    #[cold]
    #[must_use]
    pub const fn above(found: Value, what: &'static str, greatest: Value) -> Self {
        Self(Cause::Above { found, what, greatest })
    }

    #[cold]
    #[must_use]
    pub const fn below(found: Value, what: &'static str, least: Value) -> Self {
        Self(Cause::Below { found, what, least })
    }

    /// The check in the text, and the one that the ID gives.
    #[cold]
    #[must_use]
    pub const fn check_digits(found: u8, computed: u8) -> Self {
        Self(Cause::Check { found, computed })
    }

    /// The sign `found` at `position`, where there should be what `expected` says.
    #[cold]
    #[must_use]
    pub const fn sign(found: u8, position: usize, expected: &'static str) -> Self {
        Self(Cause::Sign { found, position, expected })
    }

    /// `found` when it is within `0..=greatest`.
    pub const fn check_range(found: i128, what: &'static str, greatest: u64) -> Result<u64, Self> {
        if found < 0 {
            Err(Self::below(Value::Integer(found), what, Value::Integer(0)))
        } else if found > greatest as i128 {
            Err(Self::above(Value::Integer(found), what, Value::Integer(greatest as i128)))
        } else {
            Ok(found as u64)
        }
    }

    /// The message of a macro that fails at compile time, where nothing can be formatted.
    #[must_use]
    pub const fn const_message(&self) -> &'static str {
        match self.kind() {
            ParseErrorKind::Length => "the text has the wrong length for this ID",
            ParseErrorKind::Character => "the text has a character that is no digit of this ID",
            ParseErrorKind::Overflow => "the text is above the greatest ID of this kind",
            ParseErrorKind::Check => "the text's check does not belong to its other digits",
            ParseErrorKind::Sign => "the text has a sign where none may be",
        }
    }
}

impl ParseError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        match self.0 {
            Cause::Length { .. } => ParseErrorKind::Length,
            Cause::Character { .. } => ParseErrorKind::Character,
            Cause::Above { .. } | Cause::Below { .. } => ParseErrorKind::Overflow,
            Cause::Check { .. } => ParseErrorKind::Check,
            Cause::Sign { .. } => ParseErrorKind::Sign,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Length { expected, found: 1, unit: " bytes" } => {
                write!(f, "expected {expected}, found 1 byte")
            }
            Cause::Length { expected, found, unit } => write!(f, "expected {expected}, found {found}{unit}"),
            Cause::Character { found, found_len, position, alphabet } => {
                let found = &found[..usize::from(*found_len)];
                match found.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
                    Some(char) => write!(f, "{char:?}")?,
                    None => write!(f, "byte 0x{:02x}", found.first().unwrap_or(&0))?,
                }
                write!(f, " at position {position} is no {alphabet} digit")
            }
            Cause::Above { found, what, greatest } => {
                write!(f, "{found} is above the greatest {what}, {greatest}")
            }
            Cause::Below { found, what, least } => write!(f, "{found} is below the least {what}, {least}"),
            Cause::Check { found, computed } => write!(f, "check is {found}, the ID gives {computed}"),
            Cause::Sign { found, position, expected } => {
                write!(f, "{:?} at position {position}, expected {expected}", char::from(*found))
            }
        }
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({:?}: {self})", self.kind())
    }
}

impl core::error::Error for ParseError {}

/// Why a generator made no ID, or took no note of one. It goes on from its last ID when the cause is gone; no place in its
/// order is used twice, and the one that this ID would have had may be left out.
#[derive(Clone, PartialEq, Eq)]
pub struct GenerateError(GenerateErrorKind);

/// What stands in the way of the next ID. All times are Unix microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GenerateErrorKind {
    /// The IDs of the current tick of the clock are used up.
    #[non_exhaustive]
    Exhausted {
        /// When the next tick begins; `u64::MAX` when there is none.
        until: u64,
    },
    /// The clock reads earlier than the last ID, by more than the generator tolerates.
    #[non_exhaustive]
    ClockRollback {
        /// How far the clock is behind the last ID, in microseconds.
        by: u64,
        /// How much is tolerated, in microseconds.
        allowance: u64,
    },
    /// The clock has no time, or one that the ID's timestamp cannot hold.
    #[non_exhaustive]
    ClockOutOfRange {
        /// What the clock reads.
        now: Option<u64>,
        /// The first time that the generator can use.
        first: u64,
        /// The last time that the generator can use.
        last: u64,
    },
    /// An ID that was made elsewhere is further ahead of the clock than the generator tolerates.
    #[non_exhaustive]
    Ahead {
        /// How far, in microseconds.
        by: u64,
        /// How much is tolerated, in microseconds.
        bound: u64,
    },
    /// An ID that was made elsewhere has no time that a generator could go on from.
    NoTime,
    /// No random bytes.
    Entropy(EntropyError),
}

impl GenerateError {
    #[doc(hidden)]
    #[cold]
    #[must_use]
    pub const fn exhausted(until: u64) -> Self {
        Self(GenerateErrorKind::Exhausted { until })
    }

    #[cold]
    pub(crate) const fn ahead(by: u64, bound: u64) -> Self {
        Self(GenerateErrorKind::Ahead { by, bound })
    }

    #[doc(hidden)]
    #[cold]
    #[must_use]
    pub const fn no_time() -> Self {
        Self(GenerateErrorKind::NoTime)
    }

    #[cold]
    pub(crate) const fn rollback(by: u64, allowance: u64) -> Self {
        Self(GenerateErrorKind::ClockRollback { by, allowance })
    }

    #[doc(hidden)]
    #[cold]
    #[must_use]
    pub const fn out_of_range(now: Option<u64>, first: u64, last: u64) -> Self {
        Self(GenerateErrorKind::ClockOutOfRange { now, first, last })
    }

    /// What stands in the way.
    #[must_use]
    pub const fn kind(&self) -> &GenerateErrorKind {
        &self.0
    }
}

impl From<EntropyError> for GenerateError {
    fn from(error: EntropyError) -> Self {
        Self(GenerateErrorKind::Entropy(error))
    }
}

/// Microseconds, printed as seconds.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06} s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            GenerateErrorKind::Exhausted { until: u64::MAX } => f.write_str("all IDs are used up"),
            GenerateErrorKind::Exhausted { until } => write!(
                f,
                "the IDs of this tick of the clock are used up: try again when the clock reads {} since 1970",
                Seconds(*until)
            ),
            GenerateErrorKind::ClockRollback { by, allowance } => write!(
                f,
                "the clock is {} behind the last ID, expected at most {}: mend the clock, or start over with `generate`",
                Seconds(*by),
                Seconds(*allowance)
            ),
            GenerateErrorKind::ClockOutOfRange { now, first, last } => {
                match now {
                    Some(now) => write!(f, "the time is {}", Seconds(*now))?,
                    None => f.write_str("the time is not known, or before 1970")?,
                }
                write!(
                    f,
                    ", expected {} to {} since 1970: check the clock, or the time asked for",
                    Seconds(*first),
                    Seconds(*last)
                )
            }
            GenerateErrorKind::Ahead { by, bound } => write!(
                f,
                "the ID is {} ahead of the clock, expected at most {}: check the clocks of both sides",
                Seconds(*by),
                Seconds(*bound)
            ),
            GenerateErrorKind::NoTime => f.write_str("the ID has no time that others could be later than"),
            GenerateErrorKind::Entropy(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GenerateError({:?}: {self})", self.0)
    }
}

impl core::error::Error for GenerateError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0 {
            GenerateErrorKind::Entropy(error) => Some(error),
            _ => None,
        }
    }
}

/// An option of a generator with a value that the specification has no room for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OptionError {
    option: &'static str,
    found: u64,
    least: u64,
    greatest: u64,
}

impl OptionError {
    /// `Ok` when `found` is within `least..=greatest`.
    #[doc(hidden)]
    pub const fn check(option: &'static str, found: u64, least: u64, greatest: u64) -> Result<(), Self> {
        if found >= least && found <= greatest {
            Ok(())
        } else {
            Err(Self { option, found, least, greatest })
        }
    }

    /// The name of the option.
    #[must_use]
    pub const fn option(&self) -> &'static str {
        self.option
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { option, found, least, greatest } = self;
        write!(f, "{option}: expected {least} to {greatest}, found {found}")
    }
}

impl fmt::Debug for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OptionError({self})")
    }
}

impl core::error::Error for OptionError {}

/// An ID has no time, or one that the timestamp type of another library cannot hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TimestampError {
    id: &'static str,
    /// The time in microseconds since 1970, and the type that has no room for it.
    beyond: Option<(u64, &'static str)>,
}

#[doc(hidden)]
impl TimestampError {
    #[must_use]
    pub const fn none(id: &'static str) -> Self {
        Self { id, beyond: None }
    }

    #[must_use]
    pub const fn beyond(id: &'static str, micros: u64, timestamp: &'static str) -> Self {
        Self { id, beyond: Some((micros, timestamp)) }
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id;
        match self.beyond {
            None => write!(f, "this {id} has no time"),
            Some((micros, timestamp)) => {
                write!(f, "the {id}'s time, {} since 1970, is beyond those of a {timestamp}", Seconds(micros))
            }
        }
    }
}

impl fmt::Debug for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimestampError({self})")
    }
}

impl core::error::Error for TimestampError {}
