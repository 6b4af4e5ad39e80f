//! Times, which have the digits of a calendar date instead of a count (specification, "Time part format").

use crate::Base64x64;
use sortid_core::{
    __private::{civil, error},
    RangeError,
};

/// Digits of each field: months, day, hour, minute, second, milliseconds, sequence.
const LAYOUT: [u32; 7] = [2, 1, 1, 1, 1, 2, 2];
const _: () = assert!(
    LAYOUT[0] + LAYOUT[1] + LAYOUT[2] + LAYOUT[3] + LAYOUT[4] + LAYOUT[5] + LAYOUT[6]
        == Base64x64::TEXT_LEN as u32
);

/// The first year.
const BASE_YEAR: u32 = 2010;

const SECOND: u32 = 1000;
const MINUTE: u32 = 60 * SECOND;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;

/// 2010-01-01T00:00:00Z in days and in milliseconds since 1970.
const BASE_DAYS: u32 = civil::days_before_month(0, BASE_YEAR);
pub(crate) const BASE: u64 = BASE_DAYS as u64 * DAY as u64;

/// The number of months that have times. Their two digits could count further, but values from `~` on are not times, and
/// the digits of `~` are those of the next month.
const MONTHS: u32 = (Base64x64::NEVER.to_int() >> 48) as u32;
const _: () = assert!(MONTHS % 12 == 0);

/// The greatest number of a sequence.
pub(crate) const MAX_SEQUENCE: u64 = (1 << (6 * LAYOUT[6])) - 1;

/// The last millisecond that is a time, counted from [`BASE`].
pub(crate) const LAST_MILLI: u64 =
    (civil::days_before_month(0, BASE_YEAR + MONTHS / 12) - BASE_DAYS) as u64 * DAY as u64 - 1;

/// The value of a millisecond after [`BASE`], at most [`LAST_MILLI`], and a sequence number, at most [`MAX_SEQUENCE`].
#[inline]
pub(crate) const fn value_at(milli: u64, sequence: u64) -> Base64x64 {
    // Both fit 32 bits, and divisions of 32 bits are cheaper.
    let (days, of_day) = ((milli / DAY as u64) as u32, (milli % DAY as u64) as u32);
    let (year, month, day) = civil::year_month_day(BASE_DAYS + days);
    let months = (year - BASE_YEAR) * 12 + month;
    let (hour, minute, second) = (of_day / HOUR, of_day / MINUTE % 60, of_day / SECOND % 60);
    let high = months << 18 | day << 12 | hour << 6 | minute;
    let low = second << 24 | (of_day % SECOND) << 12;
    Base64x64::from_low_bits((high as u64) << 30 | low as u64 | sequence)
}

/// A time, as [`value_at`] takes it, that is not above some value.
#[derive(Clone, Copy)]
pub(crate) struct Floor {
    pub(crate) milli: u64,
    pub(crate) sequence: u64,
    /// Whether this is the time of the value, not a time before it.
    is_exact: bool,
}

/// The greatest time that is not above `value`. `None` for values from `~` on.
#[inline]
pub(crate) const fn floor(value: Base64x64) -> Option<Floor> {
    let value = value.to_int();
    let months = (value >> 48) as u32;
    if months >= MONTHS {
        return None;
    }
    let (year, month) = (BASE_YEAR + months / 12, months % 12);
    let fields = [value >> 42 & 63, value >> 36 & 63, value >> 30 & 63, value >> 24 & 63, value >> 12 & 4095];
    let greatest = [civil::days_of_month(month, year) - 1, 23, 59, 59, 999];
    let units = [DAY, HOUR, MINUTE, SECOND, 1];
    let mut milli = (civil::days_before_month(month, year) - BASE_DAYS) as u64 * DAY as u64;
    let mut sequence = value & MAX_SEQUENCE;
    let mut is_exact = true;
    let mut i = 0;
    while i < fields.len() {
        // After a field that is out of range, the greatest time below `value` has the greatest value in every field.
        is_exact &= fields[i] <= greatest[i] as u64;
        milli += if is_exact { fields[i] } else { greatest[i] as u64 } * units[i] as u64;
        i += 1;
    }
    if !is_exact {
        sequence = MAX_SEQUENCE;
    }
    Some(Floor { milli, sequence, is_exact })
}

/// The millisecond after [`BASE`] of a value that is a time; `None` for other values.
#[inline]
const fn milli_of(value: Base64x64) -> Option<u64> {
    match floor(value) {
        Some(Floor { milli, is_exact: true, .. }) => Some(milli),
        _ => None,
    }
}

/// The calendar fields of a value that is a time, UTC: the digits `MMDHmSssnn` of the specification.
///
/// Times are in the months 2010-01 to 2345-12. The two digits of the month could count up to 2351-04, but the digits of
/// 2346-01 are those of `~` (never), and values above `~` are abnormal.
///
/// ```
/// use ron_uid::{Base64x64, Calendar};
///
/// let value = Base64x64::parse("1CQKn")?;
/// let time = Calendar::from_value(value).unwrap();
/// assert_eq!((time.year, time.month, time.day), (2016, 5, 27));
/// assert_eq!((time.hour, time.minute, time.second, time.millis), (20, 50, 0, 0));
/// assert_eq!(time.to_value(), Some(value));
/// assert_eq!(Calendar { day: 32, ..time }.to_value(), None);
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Calendar {
    /// The year, 2010 to 2345.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1 to 28, 29, 30 or 31.
    pub day: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to 59.
    pub second: u8,
    /// The milliseconds, 0 to 999.
    pub millis: u16,
    /// The sequence number among the UIDs of a millisecond, 0 to 4095.
    pub sequence: u16,
}

impl Calendar {
    /// The first time: 2010-01-01T00:00:00Z, sequence number 0.
    pub const MIN: Self = match Self::from_value(Base64x64::ZERO) {
        Some(time) => time,
        None => unreachable!(),
    };

    /// The last time: 2345-12-31T23:59:59.999Z, sequence number 4095.
    pub const MAX: Self = match Self::from_value(value_at(LAST_MILLI, MAX_SEQUENCE)) {
        Some(time) => time,
        None => unreachable!(),
    };

    /// Returns the fields of a value. `None` if the value is not a time: if the month does not have the day, if the hour is
    /// above 23, the minute or second above 59 or the milliseconds above 999, or if the value is
    /// [`NEVER`](Base64x64::NEVER) or greater.
    #[must_use]
    pub const fn from_value(value: Base64x64) -> Option<Self> {
        if milli_of(value).is_none() {
            return None;
        }
        let value = value.to_int();
        let months = (value >> 48) as u32;
        Some(Self {
            year: (BASE_YEAR + months / 12) as u16,
            month: (months % 12 + 1) as u8,
            day: (value >> 42 & 63) as u8 + 1,
            hour: (value >> 36 & 63) as u8,
            minute: (value >> 30 & 63) as u8,
            second: (value >> 24 & 63) as u8,
            millis: (value >> 12 & 4095) as u16,
            sequence: (value & 4095) as u16,
        })
    }

    /// Returns the value of this time. `None` if a field is out of range.
    #[must_use]
    pub const fn to_value(&self) -> Option<Base64x64> {
        let (year, month) = (self.year as u32, self.month as u32);
        if year < BASE_YEAR || year >= BASE_YEAR + MONTHS / 12 || month < 1 || month > 12 || self.day < 1 {
            return None;
        }
        // A field that is too great for its digits would change the field before it.
        if self.day > 63 || self.hour > 63 || self.minute > 63 || self.second > 63 {
            return None;
        }
        if self.millis > 4095 || self.sequence > 4095 {
            return None;
        }
        let value = Base64x64::from_low_bits(
            (((year - BASE_YEAR) * 12 + month - 1) as u64) << 48
                | (self.day as u64 - 1) << 42
                | (self.hour as u64) << 36
                | (self.minute as u64) << 30
                | (self.second as u64) << 24
                | (self.millis as u64) << 12
                | self.sequence as u64,
        );
        if milli_of(value).is_some() { Some(value) } else { None }
    }

    /// Returns the time in milliseconds since 1970. `None` if a field is out of range.
    #[must_use]
    pub const fn unix_millis(&self) -> Option<u64> {
        match self.to_value() {
            Some(value) => value.unix_millis(),
            None => None,
        }
    }
}

impl Base64x64 {
    /// Returns the time in milliseconds since 1970. `None` if the value is not a time; see [`Calendar::from_value`].
    ///
    /// ```
    /// use ron_uid::Base64x64;
    ///
    /// assert_eq!(Base64x64::parse("04012")?.unix_millis(), Some(1_272_675_720_000)); // 2010-05-01T01:02:00Z
    /// assert_eq!(Base64x64::parse("01S")?.unix_millis(), None); // 29 February 2010
    /// # Ok::<(), ron_uid::ParseError>(())
    /// ```
    #[must_use]
    pub const fn unix_millis(self) -> Option<u64> {
        match milli_of(self) {
            Some(milli) => Some(BASE + milli),
            None => None,
        }
    }

    /// Returns the value of a time in milliseconds since 1970, with the sequence number 0.
    ///
    /// # Errors
    ///
    /// Before 2010 and after 2345.
    pub const fn from_unix_millis(millis: u64) -> Result<Self, RangeError> {
        match check_milli(millis as i128) {
            Ok(milli) => Ok(value_at(milli, 0)),
            Err(error) => Err(error),
        }
    }
}

/// Unix milliseconds as milliseconds after [`BASE`].
const fn check_milli(unix_millis: i128) -> Result<u64, RangeError> {
    error::check_range(unix_millis - BASE as i128, "RON time in ms since 2010", LAST_MILLI)
}
