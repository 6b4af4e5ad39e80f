use crate::json::Number;
use std::ops::Range;

/// Most digits that an exponent may print before the point, and after it: those that PostgreSQL's `numeric` holds.
const MOST_BEFORE: i64 = 131_072;
const MOST_AFTER: i64 = 16_383;

/// A number's exponent prints too many digits.
pub(crate) struct TooLong;

/// Appends a number as it was written, with its exponent written out and a zero without its sign.
#[inline]
pub(crate) fn write(text: &str, number: &Number, out: &mut String) -> Result<(), TooLong> {
    let (integer, fraction) = (&text[number.integer.clone()], &text[number.fraction.clone()]);
    let is_negative = number.lexeme.start < number.integer.start;
    match &number.exponent {
        Some(exponent) => write_out(is_negative, integer, fraction, &text[exponent.clone()], out),
        None => {
            let is_unsigned = is_negative && is_zero(integer) && is_zero(fraction);
            let start = if is_unsigned { number.integer.start } else { number.lexeme.start };
            out.push_str(&text[start..number.lexeme.end]);
            Ok(())
        }
    }
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|digit| digit == b'0')
}

fn write_out(
    is_negative: bool,
    integer: &str,
    fraction: &str,
    exponent: &str,
    out: &mut String,
) -> Result<(), TooLong> {
    let is_zero = is_zero(integer) && is_zero(fraction);
    let exponent = saturating(exponent);
    let after = (fraction.len() as i64).saturating_sub(exponent).max(0);
    // Where the point comes to stand, counted from the first digit.
    let point = (integer.len() as i64).saturating_add(exponent);
    let leading_zeros = integer.bytes().chain(fraction.bytes()).take_while(|&digit| digit == b'0').count();
    let before = if is_zero { 1 } else { point.saturating_sub(leading_zeros as i64) };
    if before > MOST_BEFORE || after > MOST_AFTER {
        return Err(TooLong);
    }

    if is_negative && !is_zero {
        out.push('-');
    }
    if before < 1 || is_zero {
        out.push('0');
    } else {
        push_digits([integer, fraction], point - before..point, out);
    }
    if after > 0 {
        out.push('.');
        push_digits([integer, fraction], point..point + after, out);
    }
    Ok(())
}

/// Appends the digits at these places, of which those before and behind `digits` are zeros.
fn push_digits(digits: [&str; 2], places: Range<i64>, out: &mut String) {
    let mut start = 0;
    push_zeros(places.end.min(0) - places.start.min(0), out);
    for part in digits {
        let end = start + part.len() as i64;
        let [from, to] = [places.start, places.end].map(|place| (place.clamp(start, end) - start) as usize);
        out.push_str(&part[from..to]);
        start = end;
    }
    push_zeros(places.end.max(start) - places.start.max(start), out);
}

fn push_zeros(mut count: i64, out: &mut String) {
    const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
    while count > 0 {
        let some = ZEROS.len().min(count as usize);
        out.push_str(&ZEROS[..some]);
        count -= some as i64;
    }
}

/// The integer, with its sign. However long it is: far beyond any limit is far enough.
fn saturating(digits: &str) -> i64 {
    let (is_negative, digits) = match digits.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let mut value = 0_i64;
    for digit in digits {
        value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    if is_negative { -value } else { value }
}
