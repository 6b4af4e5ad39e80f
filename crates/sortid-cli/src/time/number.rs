//! Times that are numbers: Unix milliseconds, and `@` with Unix seconds.

use super::{
    PLAUSIBLE, Time,
    moment::{LAST, Role},
};
use jiff::civil::Date;
use std::fmt;

/// Reads a number, and warns of one that is more likely something else. `None` if the text is not a number.
pub(super) fn read(
    text: &str,
    role: Role,
    warn: impl FnMut(fmt::Arguments<'_>),
) -> Option<Result<Time, String>> {
    if let Some(seconds) = text.strip_prefix('@') {
        return Some(read_seconds(seconds, warn));
    }
    is_digits(text).then(|| read_millis(text.parse().unwrap_or(u128::MAX), role, warn))
}

fn read_millis(int: u128, role: Role, mut warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Time, String> {
    let hint = meant(int, role);
    let time = u64::try_from(int).ok().filter(|millis| millis.checked_mul(1000).is_some());
    let Some(time) = time.map(Time::from_unix_millis) else {
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        return Err(format!("expected at most 18446744073709551 ms, which is in the year 586524{hint}"));
    };
    if let Some(hint) = hint {
        warn(format_args!("{int} is read as milliseconds: {time}; {hint}"));
    }
    Ok(time)
}

/// Advice for an integer that is a time from 2000 to 2099, but not as milliseconds. At most one other meaning fits.
fn meant(int: u128, role: Role) -> Option<String> {
    let int = i128::try_from(int).ok()?;
    if let Some(time) = plausible(int.checked_mul(1_000_000)?, 0) {
        return Some(format!("if these are seconds, write @{int}, which is {time}"));
    }
    for (unit, micros) in [("microseconds", int), ("nanoseconds", int / 1000)] {
        if let Some(time) = plausible(micros, 6) {
            return Some(format!("if these are {unit}, write {time}"));
        }
    }
    if (2000..2100).contains(&int) {
        let day = if role == Role::Until { "12-31" } else { "01-01" };
        return Some(format!("if this is a year, write {int}-{day}"));
    }
    let date =
        Date::strptime("%Y%m%d", int.to_string()).ok().filter(|date| (2000..2100).contains(&date.year()))?;
    Some(format!("if these are the digits of a date, write {date}"))
}

/// Reads what follows the `@`: seconds with up to nine digits after the point.
fn read_seconds(text: &str, mut warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Time, String> {
    if text.strip_prefix('-').is_some_and(|text| text.starts_with(|char: char| char.is_ascii_digit())) {
        return Err("expected a time from 1970 on".to_owned());
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !(is_digits(whole) && is_digits(fraction) && fraction.len() <= 9) {
        return Err(
            "expected seconds since 1970 after the @, such as @1717653966 or @1717653966.666".to_owned()
        );
    }
    let hint = if text == whole { seconds_meant(whole) } else { None };
    let micros = format!("{fraction:0<6}")[..6].parse::<i128>().unwrap_or_default();
    let seconds = whole.parse::<i128>().ok().and_then(|seconds| seconds.checked_mul(1_000_000));
    let Some(micros) = seconds.map(|seconds| seconds + micros).filter(|micros| *micros <= LAST) else {
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        return Err(format!("expected at most @18446744073709.551615, which is in the year 586524{hint}"));
    };
    let time = Time { micros, digits: 6 };
    if let Some(hint) = hint {
        warn(format_args!("@{whole} is read as seconds: {time}; {hint}"));
    }
    Ok(time)
}

/// Advice for an integer after an `@` that is a time from 2000 to 2099, but not as seconds.
fn seconds_meant(whole: &str) -> Option<String> {
    let int: i128 = whole.parse().ok()?;
    if let Some(time) = plausible(int.checked_mul(1000)?, 3) {
        return Some(format!("if these are milliseconds, write {int}, which is {time}"));
    }
    [("microseconds", int), ("nanoseconds", int / 1000)]
        .iter()
        .find_map(|(unit, micros)| Some(format!("if these are {unit}, write {}", plausible(*micros, 6)?)))
}

fn plausible(micros: i128, digits: u32) -> Option<Time> {
    let is_plausible = u64::try_from(micros).is_ok_and(|micros| PLAUSIBLE.contains(&micros));
    is_plausible.then_some(Time { micros, digits })
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Role, meant, read};

    /// The time, and the warning.
    fn seconds(text: &str) -> (String, String) {
        let mut warning = String::new();
        let time = read(text, Role::Instant, |text| warning = text.to_string());
        (time.unwrap().unwrap_or_else(|error| panic!("{text}: {error}")).to_string(), warning)
    }

    #[test]
    fn seconds_have_up_to_nine_digits_after_the_point() {
        for (text, time) in [
            ("@0", "1970-01-01T00:00:00.000000Z"),
            ("@1", "1970-01-01T00:00:01.000000Z"),
            ("@1717653966", "2024-06-06T06:06:06.000000Z"),
            ("@1717653966.6", "2024-06-06T06:06:06.600000Z"),
            ("@1717653966.666", "2024-06-06T06:06:06.666000Z"),
            ("@1717653966.666666999", "2024-06-06T06:06:06.666666Z"),
            ("@18446744073709.551615", "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(seconds(text), (time.to_owned(), String::new()));
        }
        for (text, message) in [
            ("@", "expected seconds since 1970 after the @"),
            ("@@1", "expected seconds since 1970 after the @"),
            ("@+1", "expected seconds since 1970 after the @"),
            ("@1.", "expected seconds since 1970 after the @"),
            ("@.5", "expected seconds since 1970 after the @"),
            ("@1.0000000001", "expected seconds since 1970 after the @"),
            ("@2024-06-06", "expected seconds since 1970 after the @"),
            ("@-1", "from 1970 on"),
            ("@18446744073709.551616", "at most @18446744073709.551615"),
            ("@99999999999999999999999999999999999999999999", "at most @18446744073709.551615"),
            ("@1717653966666666", "if these are microseconds, write 2024-06-06T06:06:06.666666Z"),
            ("@1717653966666666666", "if these are nanoseconds, write 2024-06-06T06:06:06.666666Z"),
        ] {
            let error = read(text, Role::Instant, |_| ()).unwrap().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn milliseconds_after_an_at_sign_get_a_warning() {
        let (time, warning) = seconds("@1717653966666");
        assert_eq!(time, "+056400-04-15T05:51:06.000000Z");
        assert_eq!(
            warning,
            format!(
                "@1717653966666 is read as seconds: {time}; if these are milliseconds, write 1717653966666, which is \
                 2024-06-06T06:06:06.666Z"
            )
        );
    }

    #[test]
    fn an_integer_that_is_not_plausible_as_milliseconds_can_have_a_plausible_meaning() {
        let year = "if this is a year, write 2024-01-01";
        let seconds = "if these are seconds, write @1717653966, which is 2024-06-06T06:06:06Z";
        for (int, advice) in [
            (946_684_800, "if these are seconds"),
            (1_717_653_966, seconds),
            (4_102_444_799, "if these are seconds"),
            (1_717_653_966_666_666, "if these are microseconds, write 2024-06-06T06:06:06.666666Z"),
            (1_717_653_966_666_666_666, "if these are nanoseconds, write 2024-06-06T06:06:06.666666Z"),
            (20_240_606, "if these are the digits of a date, write 2024-06-06"),
            (2024, year),
            (2000, "if this is a year"),
            (2099, "if this is a year"),
        ] {
            let hint = meant(int, Role::Instant).unwrap();
            assert!(hint.starts_with(advice), "{int}: {hint}");
        }
        assert_eq!(meant(2024, Role::Until).unwrap(), "if this is a year, write 2024-12-31");
        for int in [20_241_306, 19_991_231, 0, 1000, 1999, 2100, 946_684_799, 4_102_444_800, u128::MAX] {
            assert_eq!(meant(int, Role::Instant), None, "{int}");
        }
        for millis in (946_684_800_000..=4_102_444_800_000).step_by(99_999_991) {
            assert_eq!(meant(millis, Role::Instant), None, "{millis}");
        }
    }
}
