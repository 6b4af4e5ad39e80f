//! The civil calendar: converts days since 1970 to year, month and day, and back. RON UIDs, the timestamps of ledgers
//! and the dates in error messages use it.

use crate::Text;

/// Days from 0000-03-01 to 1970-01-01. A year that begins in March has its leap day at the end.
const DAYS_TO_1970: u32 = 719_468;

/// Returns the days from 1970-01-01 to the first day of the month. `month` is 0 to 11; `year` is 1970 or later.
#[must_use]
pub const fn days_before_month(month: u32, year: u32) -> u32 {
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let before_year = 365 * year + year / 4 - year / 100 + year / 400;
    // From March on, months have 31, 30, 31, 30, 31 days, and again.
    let before_month = (153 * month + 2) / 5;
    before_year + before_month - DAYS_TO_1970
}

/// Returns the year, month (0 to 11) and day (0 to 30) of a number of days since 1970-01-01, up to the year 586524.
///
/// The algorithm is from Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022). It divides
/// three times. Each generated RON UID waits for these divisions.
#[must_use]
pub const fn year_month_day(days: u32) -> (u32, u32, u32) {
    let quarters = 4 * (days + DAYS_TO_1970) + 3;
    let century = quarters / 146_097;
    let of_century = 2_939_745 * ((quarters % 146_097) | 3) as u64;
    let year = 100 * century + (of_century >> 32) as u32;
    let day_of_year = of_century as u32 / 2_939_745 / 4;
    let of_year = 2_141 * day_of_year + 197_913;
    let (month, day) = (of_year >> 16, (of_year & 0xffff) / 2_141);
    if month <= 12 { (year, month - 1, day) } else { (year + 1, month - 13, day) }
}

/// Returns the number of days of the month. `month` is 0 to 11.
#[must_use]
pub const fn days_of_month(month: u32, year: u32) -> u32 {
    match month {
        1 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        1 => 28,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

/// Returns the time in RFC 3339, such as `2021-10-03T16:33:12.816530Z`. A year above 9999, which RFC 3339 does not allow,
/// has a sign and six digits, as in ISO 8601.
#[must_use]
pub fn rfc3339(unix_micros: u64) -> Text<30> {
    let (seconds, micros) = (unix_micros / 1_000_000, unix_micros % 1_000_000);
    // All microseconds of 64 bits are 213 503 982 days.
    let (days, second) = ((seconds / 86_400) as u32, (seconds % 86_400) as u32);
    let (year, month, day) = year_month_day(days);
    let micros = micros as u32;
    let mut digits = *b"0000-00-00T00:00:00.000000Z";
    for (at, pair) in [
        (0, year / 100 % 100),
        (2, year % 100),
        (5, month + 1),
        (8, day + 1),
        (11, second / 3600),
        (14, second / 60 % 60),
        (17, second % 60),
        (20, micros / 10_000),
        (22, micros / 100 % 100),
        (24, micros % 100),
    ] {
        [digits[at], digits[at + 1]] = digits_of(pair);
    }
    let mut text = Text::EMPTY;
    if year > 9999 {
        text.push(b'+');
        text.push_text(&Text::new(digits_of(year / 10_000)));
    }
    text.push_text(&Text::new(digits));
    text
}

const fn digits_of(pair: u32) -> [u8; 2] {
    [b'0' + (pair / 10) as u8, b'0' + (pair % 10) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_day_of_a_thousand_years_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1970, 0, 0);
        for days in 0..365_250 {
            assert_eq!(year_month_day(days), (year, month, day));
            assert_eq!(days_before_month(month, year) + day, days);
            day += 1;
            if day == days_of_month(month, year) {
                (month, day) = (month + 1, 0);
            }
            if month == 12 {
                (year, month) = (year + 1, 0);
            }
        }
    }

    #[test]
    fn known_times() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
            (1_633_278_792_816_530, "2021-10-03T16:33:12.816530Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
            (253_402_300_800_000_000, "+010000-01-01T00:00:00.000000Z"),
            (u64::MAX, "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(rfc3339(micros), text);
        }
    }
}
