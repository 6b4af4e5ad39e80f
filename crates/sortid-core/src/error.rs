mod backfill;
pub mod create;

use crate::{EntropyError, OptionInfo, civil};
pub use backfill::{BackfillError, BackfillObstacle};
use core::{fmt, time::Duration};

/// The error of a text, bytes or an integer that is not an ID of this type. The message says what was
/// expected, what was found, and where.
///
/// ```
/// # use sortid_core::{HEX, ParseErrorKind};
/// # let parse = |text: &str| Err::<(), _>(HEX.bad_digit(text.as_bytes()));
/// let error = parse("0x7f").unwrap_err(); // `parse` of an ID type whose digits are hex
/// assert_eq!(error.kind(), ParseErrorKind::Character);
/// assert_eq!(error.position(), Some(1));
/// assert_eq!(error.to_string(), "'x' at position 1 is not a hex digit");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError(Cause);

/// What is wrong, for code that branches on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The input is too short or too long.
    Length,
    /// A character is not a digit of the alphabet.
    Character,
    /// A value is out of the range of the ID or of its field.
    Overflow,
    /// The check does not match the other digits.
    Check,
    /// A sign is missing, or stands where none is allowed.
    Sign,
    /// The text does not start with the prefix of its type.
    Prefix,
}

impl ParseErrorKind {
    /// The kind as one lower-case word, such as `length`, which the program prints with `--json`.
    #[doc(hidden)]
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Character => "character",
            Self::Overflow => "overflow",
            Self::Check => "check",
            Self::Sign => "sign",
            Self::Prefix => "prefix",
        }
    }

    /// A sentence about the kind, for macros: `const` code cannot format the whole message.
    #[doc(hidden)]
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Length => "the text has the wrong length for this ID",
            Self::Character => "the text has a character that is not a digit of this ID",
            Self::Overflow => "the text is above the greatest ID of this type",
            Self::Check => "the check of the text does not match its other digits",
            Self::Sign => "the text has a sign where none is allowed",
            Self::Prefix => "the text does not start with the prefix of this ID",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Cause {
    ByteLength { expected: usize, found: usize },
    // The prefix of the text, which the length does not include.
    Length { expected: &'static str, found: usize, unit: &'static str, prefix: &'static str },
    // The bytes of the character. They are decoded when the message is formatted.
    Character { found: [u8; 4], found_len: u8, position: usize, alphabet: &'static str },
    Range(RangeError),
    Check { found: u8, computed: u8 },
    NoCheck { computed: u8 },
    Sign { found: u8, position: usize, expected: &'static str },
    Prefix { expected: &'static str, found: create::Start },
}

/// The error of a time or a field that is out of the range of the ID.
///
/// It converts into a [`ParseError`] of the kind [`Overflow`](ParseErrorKind::Overflow).
#[derive(Clone, PartialEq, Eq)]
pub struct RangeError(Bound);

#[derive(Clone, PartialEq, Eq)]
enum Bound {
    Above { found: create::Value, what: &'static str, greatest: create::Value },
    Below { found: create::Value, what: &'static str, least: create::Value },
    // Microseconds since 1970.
    Time { found: i128, first: u64, last: u64 },
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Bound::Above { found, what, greatest } => {
                write!(f, "{found} is above the greatest {what}, {greatest}")
            }
            Bound::Below { found, what, least } => write!(f, "{found} is below the least {what}, {least}"),
            Bound::Time { found, first, last } => {
                let [first, last] = [*first, *last].map(civil::rfc3339);
                write!(f, "the time is {}, expected {first} to {last}", Time(*found))
            }
        }
    }
}

impl fmt::Debug for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangeError({self})")
    }
}

impl core::error::Error for RangeError {}

impl From<RangeError> for ParseError {
    fn from(error: RangeError) -> Self {
        Self(Cause::Range(error))
    }
}

impl ParseError {
    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        match self.0 {
            Cause::Length { .. } | Cause::ByteLength { .. } => ParseErrorKind::Length,
            Cause::Character { .. } => ParseErrorKind::Character,
            Cause::Range(_) => ParseErrorKind::Overflow,
            Cause::Check { .. } | Cause::NoCheck { .. } => ParseErrorKind::Check,
            Cause::Sign { .. } => ParseErrorKind::Sign,
            Cause::Prefix { .. } => ParseErrorKind::Prefix,
        }
    }

    /// Returns the position of the wrong character or sign in the text: the number of bytes before it. `None` if the error is
    /// about the whole text or a value.
    #[must_use]
    pub const fn position(&self) -> Option<usize> {
        match self.0 {
            Cause::Character { position, .. } | Cause::Sign { position, .. } => Some(position),
            _ => None,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::ByteLength { expected, found } => write!(f, "expected {expected} bytes, found {found}"),
            Cause::Length { expected, found, unit, prefix } => {
                write!(f, "expected {expected}")?;
                if !prefix.is_empty() {
                    write!(f, " after {prefix:?}")?;
                }
                let unit = if *found == 1 { unit.trim_end_matches('s') } else { unit };
                write!(f, ", found {found}{unit}")
            }
            Cause::Character { found, found_len, position, alphabet } => {
                let found = &found[..usize::from(*found_len)];
                match found.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
                    Some(char) => write!(f, "{char:?}")?,
                    None => write!(f, "byte 0x{:02x}", found.first().unwrap_or(&0))?,
                }
                write!(f, " at position {position} is not a {alphabet} digit")
            }
            Cause::Range(error) => error.fmt(f),
            Cause::Check { found, computed } => write!(f, "the check is {found}, expected {computed}"),
            Cause::NoCheck { computed } => write!(f, "the text has no check, expected {computed}"),
            Cause::Sign { found, position, expected } => {
                write!(f, "{:?} at position {position}, expected {expected}", char::from(*found))
            }
            Cause::Prefix { expected, found } => {
                let verb = if found.as_bytes().is_empty() { "is" } else { "starts with" };
                write!(f, "the text {verb} {found}, expected the prefix {expected:?}")
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

/// The error of a generator that could not generate or observe an ID.
///
/// The generator stays usable: it continues from its last ID when the cause is gone. It never uses a position in its order
/// twice, but it may skip the position of the failed ID.
///
/// `generate` waits where waiting helps. `try_generate` does not, and [`retry_after`](Self::retry_after) says how long to
/// wait.
#[derive(Clone, PartialEq, Eq)]
pub struct GenerateError(Obstacle);

/// Why an ID could not be generated, backfilled or observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GenerateErrorKind {
    /// All IDs of the current tick are used. In a backfill: those of the tick of the time, and of the ticks that the ID may
    /// spill into.
    Exhausted,
    /// The clock is behind the last ID by more than the rollback allowance. In a backfill: the time is before that of the last
    /// ID, and times have to ascend.
    ClockRollback,
    /// The clock has no valid time; or it has a time outside the range of the ID's timestamp, as a time of a backfill may.
    ClockOutOfRange,
    /// An ID from which the generator should continue is further ahead of the clock than the generator accepts.
    Ahead,
    /// An ID from which the generator should continue has no time.
    NoTime,
    /// The generator belongs to the process from which this one was forked.
    OtherProcess,
    /// The generator of a fleet has a reservation, which was not renewed in time.
    ReservationLate,
    /// The generator of a fleet has no reservation any more: it was released, or another process has the node ID.
    ReservationEnded,
    /// The source of random bytes failed.
    Entropy,
}

// All times are in microseconds since 1970. The error is small, because a larger one makes all generators slower.
#[derive(Clone, PartialEq, Eq)]
enum Obstacle {
    /// `until` is when the next tick begins; `u64::MAX` after the last tick.
    Exhausted {
        until: u64,
        retry_after: Option<Duration>,
    },
    ClockRollback {
        by: u64,
        allowance: u64,
    },
    ClockOutOfRange {
        now: Option<u64>,
        first: u64,
        last: u64,
    },
    Ahead {
        by: u64,
        bound: u64,
    },
    NoTime,
    OtherProcess,
    /// The reservation lasts `until`.
    Reservation {
        until: u64,
        refusal: Refusal,
    },
    Entropy(EntropyError),
}

/// Why a reservation does not allow an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Late,
    Ended,
    ClockRollback { by: u64 },
    Forked,
}

/// How soon to look again whether a reservation was renewed. Timers round up to a millisecond or more. With shorter waits, the
/// sum of the roundings would be much of a call's patience.
const RENEWAL: Duration = Duration::from_millis(10);

impl GenerateError {
    /// Returns why the ID could not be generated or observed.
    #[must_use]
    pub const fn kind(&self) -> GenerateErrorKind {
        match self.0 {
            Obstacle::Exhausted { .. } => GenerateErrorKind::Exhausted,
            Obstacle::ClockRollback { .. }
            | Obstacle::Reservation { refusal: Refusal::ClockRollback { .. }, .. } => {
                GenerateErrorKind::ClockRollback
            }
            Obstacle::ClockOutOfRange { .. } => GenerateErrorKind::ClockOutOfRange,
            Obstacle::Ahead { .. } => GenerateErrorKind::Ahead,
            Obstacle::NoTime => GenerateErrorKind::NoTime,
            Obstacle::OtherProcess | Obstacle::Reservation { refusal: Refusal::Forked, .. } => {
                GenerateErrorKind::OtherProcess
            }
            Obstacle::Reservation { refusal: Refusal::Late, .. } => GenerateErrorKind::ReservationLate,
            Obstacle::Reservation { refusal: Refusal::Ended, .. } => GenerateErrorKind::ReservationEnded,
            Obstacle::Entropy(_) => GenerateErrorKind::Entropy,
        }
    }

    /// Returns how long to wait before another call can succeed, at most a second; `None` if waiting does not help.
    ///
    /// The wait is until the next tick, or for the renewal of a reservation. The next call may return such an error again: the
    /// clock may have been set back meanwhile, and others may have used the tick.
    ///
    /// This loop waits as `generate` does, with the timer of any runtime, and for any generator:
    ///
    /// ```
    /// # use sortid_core::{Generate, GenerateError};
    /// # async fn sleep(_: core::time::Duration) {}
    /// async fn generate<I>(ids: &(dyn Generate<Id = I> + Sync)) -> Result<I, GenerateError> {
    ///     loop {
    ///         match ids.try_generate() {
    ///             Ok(id) => return Ok(id),
    ///             Err(error) => sleep(error.retry_after().ok_or(error)?).await,
    ///         }
    ///     }
    /// }
    /// ```
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self.0 {
            Obstacle::Exhausted { retry_after, .. } => retry_after,
            Obstacle::Reservation { refusal: Refusal::Late, .. } => Some(RENEWAL),
            _ => None,
        }
    }

    /// Returns by how many microseconds the clock is behind the last ID, if it is behind by too much.
    #[cfg(target_has_atomic = "ptr")]
    pub(crate) const fn behind(&self) -> Option<u64> {
        match self.0 {
            Obstacle::ClockRollback { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Returns the time at which the next tick begins, in microseconds since 1970, if the tick is used up.
    pub(crate) const fn until(&self) -> Option<u64> {
        match self.0 {
            Obstacle::Exhausted { until, .. } => Some(until),
            _ => None,
        }
    }
}

impl From<EntropyError> for GenerateError {
    fn from(error: EntropyError) -> Self {
        Self(Obstacle::Entropy(error))
    }
}

/// Microseconds since 1970, printed as a date.
struct Time(i128);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u64::try_from(self.0) {
            Ok(micros) => civil::rfc3339(micros).fmt(f),
            Err(_) if self.0 < 0 => f.write_str("before 1970"),
            Err(_) => f.write_str("after the year 586524"),
        }
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
            Obstacle::Exhausted { until: u64::MAX, .. } => f.write_str("all IDs are used up"),
            Obstacle::Exhausted { until, .. } => {
                let until = civil::rfc3339(*until);
                write!(f, "all IDs of the current tick are used up: try again when the clock reads {until}")
            }
            Obstacle::ClockRollback { by, allowance } => write!(
                f,
                "the clock is {} behind the last ID, expected at most {}: correct the clock, or try again when it has caught up",
                Seconds(*by),
                Seconds(*allowance)
            ),
            Obstacle::ClockOutOfRange { now, first, last } => {
                match now {
                    Some(now) => write!(f, "the time is {}", civil::rfc3339(*now))?,
                    None => f.write_str("the time is unknown or before 1970")?,
                }
                let [first, last] = [*first, *last].map(civil::rfc3339);
                write!(f, ", expected {first} to {last}: correct the time")
            }
            Obstacle::Ahead { by, bound } => write!(
                f,
                "the ID is {} ahead of the clock, expected at most {}: check the clocks of both sides",
                Seconds(*by),
                Seconds(*bound)
            ),
            Obstacle::NoTime => f.write_str("the ID has no time from which a generator could continue"),
            Obstacle::OtherProcess => f.write_str(
                "the generator belongs to the process from which this one was forked: create a generator with a node ID, an origin or a ledger of its own",
            ),
            Obstacle::Reservation { until, refusal } => {
                let until = civil::rfc3339(*until);
                match refusal {
                    Refusal::Late => write!(
                        f,
                        "the reservation lasts until {until} and was not renewed in time: read why in the status of the node, and try again"
                    ),
                    Refusal::Ended => write!(
                        f,
                        "the reservation, which lasted until {until}, was released or is another process's: join the fleet again"
                    ),
                    Refusal::ClockRollback { by } => write!(
                        f,
                        "the clock is {} behind the last ID, and a generator with a reservation (until {until}) does not reset: correct the clock",
                        Seconds(*by)
                    ),
                    Refusal::Forked => write!(
                        f,
                        "the reservation (until {until}) belongs to the process from which this one was forked: join the fleet after the fork"
                    ),
                }
            }
            Obstacle::Entropy(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GenerateError({:?}: {self})", self.kind())
    }
}

impl core::error::Error for GenerateError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0 {
            Obstacle::Entropy(error) => Some(error),
            _ => None,
        }
    }
}

// A type of its own: an option that is out of range is neither a text that cannot be parsed nor an ID that cannot be
// made.
/// The error of a generator's option that has a value out of its range, or no value that it can have.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigError {
    option: &'static str,
    fault: Fault,
}

#[derive(Clone, PartialEq, Eq)]
enum Fault {
    Range {
        found: u64,
        least: u64,
        greatest: u64,
    },
    Form {
        expected: &'static str,
        found: create::Start,
    },
    Parse(ParseError),
    /// The options that there are.
    Unknown {
        all: &'static [OptionInfo],
        found: create::Start,
    },
    Missing {
        why: &'static str,
    },
    Unsupported {
        why: &'static str,
    },
}

impl ConfigError {
    /// The name of the option; empty if there is no such option.
    #[doc(hidden)]
    #[must_use]
    pub const fn option(&self) -> &'static str {
        self.option
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.option.is_empty() {
            write!(f, "{}: ", self.option)?;
        }
        match &self.fault {
            Fault::Range { found, least, greatest } => {
                write!(f, "expected {least}")?;
                if greatest > least {
                    write!(f, " to {greatest}")?;
                }
                write!(f, ", found {found}")
            }
            Fault::Form { expected, found } => write!(f, "expected {expected}, found {found}"),
            Fault::Parse(error) => error.fmt(f),
            Fault::Missing { why } => write!(f, "expected a value, found none: {why}"),
            Fault::Unsupported { why } => f.write_str(why),
            Fault::Unknown { all, found } => {
                f.write_str("expected the option ")?;
                for (index, option) in all.iter().enumerate() {
                    let before = match index {
                        0 => "",
                        _ if index + 1 == all.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{before}{}", option.name)?;
                }
                write!(f, ", found {found}")
            }
        }
    }
}

impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConfigError({self})")
    }
}

impl core::error::Error for ConfigError {}

/// The error of an ID that has no time, or a time outside the range of another library's timestamp type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TimestampError {
    id: &'static str,
    /// The time in microseconds since 1970, and the type that cannot represent it.
    beyond: Option<(u64, &'static str)>,
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id;
        match self.beyond {
            None => write!(f, "this {id} has no time"),
            Some((micros, timestamp)) => {
                write!(
                    f,
                    "the time of this {id}, {}, is out of range for {timestamp}",
                    civil::rfc3339(micros)
                )
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
