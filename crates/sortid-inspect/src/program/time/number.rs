//! Times that are numbers: Unix milliseconds, and `@` with Unix seconds.

use super::{PLAUSIBLE, Time, moment::Moment};
use std::fmt;

/// Reads a number, and warns of one that is more likely something else. `None` if the text is not a number.
pub(super) fn read(text: &[u8], mut warn: impl FnMut(fmt::Arguments<'_>)) -> Option<Result<Moment, String>> {
    let (unit, micros, number) = match text.strip_prefix(b"@") {
        Some(seconds) => ("seconds", 1_000_000, seconds),
        None if is_digits(text) => ("milliseconds", 1000, text),
        None => return None,
    };
    let point = number.iter().position(|byte| *byte == b'.');
    let (whole, fraction) = point.map_or((number, &b"0"[..]), |at| (&number[..at], &number[at + 1..]));
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 9 {
        let message = "expected seconds since 1970 after the @, such as @1717653966 or @1717653966.666";
        return Some(Err(message.to_owned()));
    }
    let number = value(whole);
    let time = micros * i128::from(number) + i128::from(six_digits(fraction));
    let moment = Moment::of_micros(time, None);
    if is_plausible(time) || point.is_some() {
        return Some(moment);
    }
    let Some(hint) = meant(number) else { return Some(moment) };
    if let Ok(moment) = moment {
        let sign = if unit == "seconds" { "@" } else { "" };
        warn(format_args!("{sign}{number} is read as {unit}: {}; {hint}", moment.first));
    }
    Some(moment.map_err(|error| format!("{error}; {hint}")))
}

/// Advice for a number that is a time from 2000 to 2099 in another unit. At most one fits.
fn meant(number: u64) -> Option<String> {
    let int = i128::from(number);
    let units = [
        ("seconds", 1_000_000 * int),
        ("milliseconds", 1000 * int),
        ("microseconds", int),
        ("nanoseconds", int / 1000),
    ];
    if let Some((unit, micros)) = units.into_iter().find(|(_, micros)| is_plausible(*micros)) {
        let written = match unit {
            "seconds" => format!("@{number}"),
            "milliseconds" => number.to_string(),
            _ => Time { micros, digits: 6 }.to_string(),
        };
        return Some(format!("if these are {unit}, write {written}"));
    }
    let is_date = matches!(number, 2000..=2099 | 20_000_101..=20_991_231);
    is_date.then(|| "if this is a year or a date, write it as YYYY-MM-DD".to_owned())
}

fn is_plausible(micros: i128) -> bool {
    u64::try_from(micros).is_ok_and(|micros| PLAUSIBLE.contains(&micros))
}

/// The value of digits, or the greatest number if it is greater.
fn value(digits: &[u8]) -> u64 {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
}

/// The first six digits after a point, as if zeros followed.
pub(super) fn six_digits(digits: &[u8]) -> u64 {
    (0..6).fold(0, |value, at| 10 * value + digits.get(at).map_or(0, |digit| u64::from(digit - b'0')))
}

pub(super) fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::read;

    /// The time, and the warning; or the error.
    fn of(text: &str) -> Result<(String, String), String> {
        let mut warning = String::new();
        let moment = read(text.as_bytes(), |text| warning = text.to_string()).expect("a number")?;
        Ok((moment.first.to_string(), warning))
    }

    #[test]
    fn seconds_have_up_to_nine_digits_after_the_point() {
        for (text, time) in [
            ("@0", "1970-01-01T00:00:00.000000Z"),
            ("@1", "1970-01-01T00:00:01.000000Z"),
            ("@1717653966", "2024-06-06T06:06:06.000000Z"),
            ("@1717653966.6", "2024-06-06T06:06:06.600000Z"),
            ("@1717653966.666666999", "2024-06-06T06:06:06.666666Z"),
            ("@18446744073709.551615", "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(of(text), Ok((time.to_owned(), String::new())));
        }
        for text in ["@", "@@1", "@+1", "@1.", "@.5", "@1.0000000001", "@2024-06-06", "@-1"] {
            assert!(of(text).unwrap_err().starts_with("expected seconds since 1970 after the @"), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_more_likely_something_else_gets_a_warning() {
        for (text, hint) in [
            ("946684800", "if these are seconds, write @946684800"),
            ("4102444799", "if these are seconds, write @4102444799"),
            ("1717653966666666", "if these are microseconds, write 2024-06-06T06:06:06.666666Z"),
            ("20240606", "if this is a year or a date, write it as YYYY-MM-DD"),
            ("2000", "if this is a year or a date"),
            ("2099", "if this is a year or a date"),
            ("@1717653966666", "if these are milliseconds, write 1717653966666"),
        ] {
            let (_, warning) = of(text).unwrap();
            assert!(warning.contains(hint), "{text}: {warning}");
        }
        assert_eq!(
            of("@1717653966666").unwrap().1,
            "@1717653966666 is read as seconds: +056400-04-15T05:51:06.000000Z; if these are milliseconds, write 1717653966666"
        );
        for text in ["0", "1000", "1999", "2100", "19991231", "946684799", "4102444800", "@0", "@1717653966"]
        {
            assert_eq!(of(text).unwrap().1, "", "{text}");
        }
        for millis in (946_684_800_000_u64..=4_102_444_799_999).step_by(99_999_991) {
            assert_eq!(of(&millis.to_string()).unwrap().1, "", "{millis}");
        }
        let nanos = "up to +586524-01-19T08:01:49.551615Z; if these are nanoseconds, write 2024-06-06T06:06:06.666666Z";
        for (text, message) in [
            ("1717653966666666666", nanos),
            ("@1717653966666666666", nanos),
            ("@1717653966666666", "if these are microseconds, write 2024-06-06T06:06:06.666666Z"),
            ("18446744073709552", "up to +586524-01-19T08:01:49.551615Z"),
            ("@18446744073709.551616", "up to +586524-01-19T08:01:49.551615Z"),
            ("99999999999999999999999999999999999999999999", "up to +586524-01-19T08:01:49.551615Z"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
