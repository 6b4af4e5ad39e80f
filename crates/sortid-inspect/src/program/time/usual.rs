//! A fast reader of the usual times. What it reads, [`absolute`](super::absolute::absolute) would read as the same
//! time. Everything unusual is left to `absolute`.

// `new --at -` reads a time in each line, and this reader is several times as fast as jiff. It stops at the first
// line without an ID, so that IDs and lines never get out of step. One thread is enough: it makes more than 10
// million IDs a second of ascending times, and each ID depends on those before it.

use super::{PLAUSIBLE, number::six_digits};
use sortid::__private::civil;

/// Reads Unix milliseconds of the years 2000 to 2099, or a time such as `2024-06-06T06:06:06.666Z`, as microseconds.
///
/// Instead of the `T` there may be a space. There may be up to nine digits after the second, and an offset instead of the
/// `Z`: `+02`, `+02:00`.
#[inline]
pub(super) fn micros(text: &[u8]) -> Option<u64> {
    if text.len() > 13 {
        return datetime(text);
    }
    let millis = text
        .iter()
        .try_fold(0, |value: u64, byte| byte.is_ascii_digit().then(|| 10 * value + u64::from(byte - b'0')))?;
    // Others are more likely in another unit, which deserves a warning.
    Some(1000 * millis).filter(|micros| PLAUSIBLE.contains(micros))
}

fn datetime(text: &[u8]) -> Option<u64> {
    let (date, rest) = text.split_first_chunk::<19>()?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T' | b' ', h0, h1, b':', n0, n1, b':', s0, s1] = *date
    else {
        return None;
    };
    let year = 100 * two(y0, y1)? + two(y2, y3)?;
    let (month, day) = (two(m0, m1)?.wrapping_sub(1), two(d0, d1)?.wrapping_sub(1));
    let (hour, minute, second) = (two(h0, h1)?, two(n0, n1)?, two(s0, s1)?);
    // The year 9999 is not within reach of all offsets.
    let is_date = (1970..9999).contains(&year) && month < 12 && day < civil::days_of_month(month, year);
    if !is_date || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = civil::days_before_month(month, year) + day;
    let seconds = 86_400 * i64::from(days) + i64::from(3600 * hour + 60 * minute + second);
    let (fraction, offset) = fraction(rest)?;
    let seconds = seconds - offset_seconds(offset)?;
    Some(1_000_000 * u64::try_from(seconds).ok()? + fraction)
}

/// Reads the digits after the second, if there are any: returns microseconds, and what follows.
fn fraction(text: &[u8]) -> Option<(u64, &[u8])> {
    let Some((b'.', text)) = text.split_first() else { return Some((0, text)) };
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&count) {
        return None;
    }
    let (digits, rest) = text.split_at(count);
    Some((six_digits(digits), rest))
}

fn offset_seconds(text: &[u8]) -> Option<i64> {
    let (sign, hours, minutes) = match *text {
        [b'Z'] => return Some(0),
        [sign, h0, h1] => (sign, two(h0, h1)?, 0),
        [sign, h0, h1, b':', m0, m1] => (sign, two(h0, h1)?, two(m0, m1)?),
        _ => return None,
    };
    let seconds = i64::from(3600 * hours + 60 * minutes);
    match sign {
        _ if hours > 23 || minutes > 59 => None,
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

fn two(tens: u8, ones: u8) -> Option<u32> {
    let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
    is_number.then(|| 10 * u32::from(tens - b'0') + u32::from(ones - b'0'))
}

#[cfg(test)]
mod tests {
    use super::micros;
    use crate::program::time::{Time, absolute::absolute, moment::Role};
    use proptest::prelude::*;

    /// Whatever this reader reads, the other reader reads as the same time, without a warning.
    fn agrees(text: &str) -> bool {
        let mut is_warned = false;
        let slow = absolute(text.as_bytes(), Role::Instant, |_| is_warned = true);
        let slow = slow.map(|moment| moment.map(|moment| moment.first.unix_micros()));
        micros(text.as_bytes()).is_none_or(|micros| slow == Ok(Some(micros.into())) && !is_warned)
    }

    #[test]
    fn the_usual_times_are_read_fast() {
        for (text, expected) in [
            ("2024-06-06T06:06:06Z", Some(1_717_653_966_000_000)),
            ("2024-06-06T06:06:06.6Z", Some(1_717_653_966_600_000)),
            ("2024-06-06 06:06:06.666", None),
            ("2024-06-06 08:06:06.666666+02", Some(1_717_653_966_666_666)),
            ("2024-06-06T00:36:06.666666999-05:30", Some(1_717_653_966_666_666)),
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1717653966666", Some(1_717_653_966_666_000)),
            ("946684800000", Some(946_684_800_000_000)),
            ("946684799999", None),
            ("2000-02-29T23:59:59.999999999+00:00", Some(951_868_799_999_999)),
        ] {
            assert_eq!(micros(text.as_bytes()), expected, "{text}");
            assert!(agrees(text), "{text}");
        }
    }

    #[test]
    fn a_time_with_any_other_byte_is_read_as_otherwise() {
        for text in [
            "2024-02-29T23:59:59.999999Z",
            "1970-01-01T00:00:00+00",
            "9998-12-31 23:59:59-23:59",
            "2016-12-31T23:59:59Z",
            "4102444799999",
            "946684800000",
        ] {
            for at in 0..text.len() {
                let others = (0..128).map(|byte| char::from(byte).to_string());
                for other in others.chain([String::new()]) {
                    let changed = [&text[..at], &*other, &text[at + 1..]].concat();
                    assert!(agrees(&changed), "{changed:?}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn what_is_read_fast_is_read_as_otherwise(
            text in "(19|20|99)[0-9]{2}-[01][0-9]-[0-3][0-9][T t][0-2][0-9]:[0-6][0-9]:[0-6][0-9]([.,][0-9]{1,10})?([Zz]|[+-][0-2][0-9](:?[0-6][0-9])?)?"
        ) {
            prop_assert!(agrees(&text), "{}", text);
        }

        #[test]
        fn digits_are_read_as_otherwise(text in "@?[0-9]{8,14}([.][0-9]{0,10})?") {
            prop_assert!(agrees(&text), "{}", text);
        }

        #[test]
        fn each_time_that_is_printed_is_read_fast(micros in 0..253_370_764_800_000_000_u64) {
            let time = Time::from_unix_micros(micros);
            prop_assert_eq!(super::micros(time.text().as_bytes()), Some(micros));
        }
    }
}
