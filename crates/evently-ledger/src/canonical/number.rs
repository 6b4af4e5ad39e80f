//! How canonical JSON writes a number: as PostgreSQL's `numeric` prints it. Numbers never pass through a float.

// A number of 20 bytes may expand to 131 072 digits. A line of such numbers would take a thousand times longer than
// other lines, so the digits of all exponents of a text are bounded together.

use crate::json::Number;
use std::ops::Range;

/// The most digits that an exponent may expand to before the point, and after it: as many as PostgreSQL's `numeric` holds.
const MAX_BEFORE: i64 = 131_072;
const MAX_AFTER: i64 = 16_383;

/// How many digits exponents may add to the output that is in memory.
pub(crate) const MAX_IN_MEMORY: usize = 1 << 24;

/// How many digits the exponents of a text of `len` bytes may add in total. That is enough for a text of doubles,
/// such as `5e-324`, and for one number that has as many digits as a number may have.
pub(crate) fn most_digits(len: usize, has_sink: bool) -> usize {
    let most = len.saturating_mul(64).max(1 << 18);
    if has_sink { most } else { most.min(MAX_IN_MEMORY) }
}

/// The exponent of a number expands to too many digits. No memory was spent on them.
pub(crate) struct TooLong;

/// Appends a number as written, but with its exponent expanded, and without the sign of a zero.
#[inline]
pub(crate) fn write(text: &str, number: &Number, out: &mut String) -> Result<(), TooLong> {
    let (integer, fraction) = (&text[number.integer.clone()], &text[number.fraction.clone()]);
    let is_negative = number.lexeme.start < number.integer.start;
    match &number.exponent {
        Some(exponent) => expand(is_negative, integer, fraction, &text[exponent.clone()], out),
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

/// Appends a number that has an exponent.
fn expand(
    is_negative: bool,
    integer: &str,
    fraction: &str,
    exponent: &str,
    out: &mut String,
) -> Result<(), TooLong> {
    let is_zero = is_zero(integer) && is_zero(fraction);
    let exponent = saturating(exponent);
    let after = (fraction.len() as i64).saturating_sub(exponent).max(0);
    // The position of the point, counted from the first digit.
    let point = (integer.len() as i64).saturating_add(exponent);
    let leading_zeros = integer.bytes().chain(fraction.bytes()).take_while(|&digit| digit == b'0').count();
    let before = if is_zero { 1 } else { point.saturating_sub(leading_zeros as i64) };
    if before > MAX_BEFORE || after > MAX_AFTER {
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

/// Appends the digits at these places. Places before and after `digits` have zeros.
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

/// The value of an integer with an optional sign; or the nearest `i64`, which is far beyond any limit.
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
