//! The time of an event as its ledger writes it: RFC 3339, in UTC, to the microsecond.

use sortid_core::__private::civil;
pub(crate) use sortid_core::__private::civil::rfc3339 as encode;

/// 9999-12-31T23:59:59.999999Z, in microseconds since 1970: the last time of RFC 3339.
pub(crate) const LAST: u64 = 253_402_300_799_999_999;

/// Returns the Unix microseconds of a time such as `2021-10-03T16:33:12.816530Z`. The year is 1970 or later. The fraction
/// has up to 6 digits.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let (head, rest) = text.as_bytes().split_first_chunk::<19>()?;
    let fraction = match rest {
        [b'Z'] => &[],
        [b'.', fraction @ .., b'Z'] if matches!(fraction.len(), 1..=6) => fraction,
        _ => return None,
    };
    let separators = [head[4], head[7], head[10], head[13], head[16]];
    if separators != *b"--T::" {
        return None;
    }
    let year = number(&head[..4])?;
    let [month, day, hour, minute, second] =
        [&head[5..7], &head[8..10], &head[11..13], &head[14..16], &head[17..]].map(number);
    let (month, day, hour, minute, second) = (month?, day?, hour?, minute?, second?);
    if year < 1970 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (year, month) = (year as u32, month as u32 - 1);
    if !(1..=u64::from(civil::days_of_month(month, year))).contains(&day) {
        return None;
    }
    let days = u64::from(civil::days_before_month(month, year)) + day - 1;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    let micros = number(fraction)? * [1_000_000, 100_000, 10_000, 1000, 100, 10, 1][fraction.len()];
    Some(seconds * 1_000_000 + micros)
}

#[inline]
fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |number, digit| match digit {
        b'0'..=b'9' => Some(number * 10 + u64::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{LAST, encode, parse};
    use proptest::prelude::*;

    /// The core tests what `encode` prints.
    #[test]
    fn each_day_of_eight_hundred_years_is_parsed() {
        for day in 0..292_194_u64 {
            let micros = day * 86_400_000_000;
            assert_eq!(parse(&encode(micros)), Some(micros));
        }
    }

    #[test]
    fn the_last_time_is_parsed() {
        assert_eq!(encode(LAST), "9999-12-31T23:59:59.999999Z");
        assert_eq!(parse("9999-12-31T23:59:59.999999Z"), Some(LAST));
    }

    #[test]
    fn fractions_of_each_length() {
        for (text, micros) in
            [("", 0), (".1", 100_000), (".12", 120_000), (".000001", 1), (".999999", 999_999)]
        {
            assert_eq!(parse(&format!("1970-01-01T00:00:00{text}Z")), Some(micros));
        }
    }

    #[test]
    fn a_text_that_is_not_a_time_of_a_ledger_is_refused() {
        for text in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00",
            "1970-01-01T00:00:00z",
            "1970-01-01t00:00:00Z",
            "1970-01-01 00:00:00Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.1234567Z",
            "1970-01-01T00:00:00+00:00",
            "1969-12-31T23:59:59.999999Z",
            "0000-01-01T00:00:00Z",
            "1970-00-01T00:00:00Z",
            "1970-13-01T00:00:00Z",
            "1970-01-00T00:00:00Z",
            "1970-01-32T00:00:00Z",
            "1970-04-31T00:00:00Z",
            "1971-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:60:00Z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:0éZ",
            "+010000-01-01T00:00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_time_is_parsed(micros in 0..=LAST) {
            prop_assert_eq!(parse(&encode(micros)), Some(micros));
        }
    }
}
