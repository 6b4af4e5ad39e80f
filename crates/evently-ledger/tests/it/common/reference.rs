//! A second reader and canonicaliser of JSON: slow, over a tree, right by inspection. The fuzz targets use it too.

use std::collections::BTreeMap;

/// A JSON value; numbers, `true`, `false` and `null` as they are written, members in the order of the text.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Plain(String),
    Number(String),
    Text(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

/// The canonical form by a second canonicaliser: slow, and right by inspection.
pub(crate) fn canonical(tree: &Tree) -> String {
    let join = |values: Vec<String>| values.join(",");
    match tree {
        Tree::Plain(text) => text.clone(),
        Tree::Number(lexeme) => written_out(lexeme),
        Tree::Text(text) => quoted(text),
        Tree::Array(values) => format!("[{}]", join(values.iter().map(canonical).collect())),
        Tree::Object(members) => {
            // Ordered by UTF-8 bytes, and of equal keys it holds the last.
            let members: BTreeMap<_, _> = members.iter().map(|(key, value)| (key, value)).collect();
            let member = |(key, value): (&String, &Tree)| format!("{}:{}", quoted(key), canonical(value));
            format!("{{{}}}", join(members.into_iter().map(member).collect()))
        }
    }
}

fn quoted(text: &str) -> String {
    let char = |char: char| match char {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if char < ' ' => format!("\\u{:04x}", u32::from(char)),
        _ => char.to_string(),
    };
    format!("\"{}\"", text.chars().map(char).collect::<String>())
}

/// Moves the point one digit at a time.
pub(crate) fn written_out(lexeme: &str) -> String {
    let (sign, number) = match lexeme.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", lexeme),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (mut integer, mut fraction) = (integer.to_owned(), fraction.to_owned());
    // Of a zero no exponent makes more digits; of another number it is within the limits.
    let is_zero = !format!("{integer}{fraction}").contains(|digit| digit != '0');
    let exponent: i32 = exponent.parse().unwrap_or(i32::MAX);
    let exponent = if is_zero { exponent.min(fraction.len() as i32) } else { exponent };
    for _ in 0..exponent {
        integer.push(if fraction.is_empty() { '0' } else { fraction.remove(0) });
    }
    for _ in exponent..0 {
        fraction.insert(0, integer.pop().unwrap_or('0'));
    }
    let integer = match integer.trim_start_matches('0') {
        "" => "0",
        integer => integer,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{integer}{point}{fraction}", if is_zero { "" } else { sign })
}

/// Reads a JSON text. Returns `None` if it is not JSON, or exceeds the limits of canonical JSON.
pub(crate) fn parse(text: &str) -> Option<Tree> {
    let mut rest = text;
    let tree = value(&mut rest, 0)?;
    rest.is_empty().then_some(tree)
}

fn value(rest: &mut &str, depth: usize) -> Option<Tree> {
    blanks(rest);
    let tree = match rest.chars().next()? {
        '"' => Tree::Text(string(rest)?),
        '[' => {
            let depth = Some(depth + 1).filter(|&depth| depth <= 512)?;
            Tree::Array(list(rest, '[', ']', |rest| value(rest, depth))?)
        }
        '{' => {
            let depth = Some(depth + 1).filter(|&depth| depth <= 512)?;
            Tree::Object(list(rest, '{', '}', |rest| {
                blanks(rest);
                let key = string(rest)?;
                blanks(rest);
                take(rest, ':')?;
                Some((key, value(rest, depth)?))
            })?)
        }
        '-' | '0'..='9' => Tree::Number(number(rest)?),
        _ => {
            let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word))?;
            *rest = &rest[word.len()..];
            Tree::Plain(word.to_owned())
        }
    };
    blanks(rest);
    Some(tree)
}

fn list<T>(
    rest: &mut &str,
    open: char,
    close: char,
    item: impl Fn(&mut &str) -> Option<T>,
) -> Option<Vec<T>> {
    take(rest, open)?;
    blanks(rest);
    let mut items = vec![];
    if take(rest, close).is_some() {
        return Some(items);
    }
    loop {
        items.push(item(rest)?);
        blanks(rest);
        if take(rest, close).is_some() {
            return Some(items);
        }
        take(rest, ',')?;
    }
}

fn blanks(rest: &mut &str) {
    *rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
}

fn take(rest: &mut &str, char: char) -> Option<()> {
    *rest = rest.strip_prefix(char)?;
    Some(())
}

fn string(rest: &mut &str) -> Option<String> {
    take(rest, '"')?;
    let mut units = vec![];
    loop {
        let char = next(rest)?;
        match char {
            '"' => return String::from_utf16(&units).ok(),
            '\0'..' ' => return None,
            '\\' => match next(rest)? {
                'u' => {
                    let digits =
                        rest.get(..4).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    *rest = &rest[4..];
                }
                escape => {
                    let at = "\"\\/bfnrt".find(escape)?;
                    units.push(u16::from(b"\"\\/\x08\x0c\n\r\t"[at]));
                }
            },
            _ => units.extend(char.encode_utf16(&mut [0; 2]).iter()),
        }
    }
}

fn next(rest: &mut &str) -> Option<char> {
    let char = rest.chars().next()?;
    *rest = &rest[char.len_utf8()..];
    Some(char)
}

fn number(rest: &mut &str) -> Option<String> {
    let all = *rest;
    let _ = take(rest, '-');
    if take(rest, '0').is_none() {
        digits(rest)?;
    }
    if take(rest, '.').is_some() {
        digits(rest)?;
    }
    if take(rest, 'e').or_else(|| take(rest, 'E')).is_some() {
        let _ = take(rest, '+').or_else(|| take(rest, '-'));
        digits(rest)?;
    }
    let lexeme = &all[..all.len() - rest.len()];
    is_within_limits(lexeme).then(|| lexeme.to_owned())
}

fn digits(rest: &mut &str) -> Option<()> {
    let after = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let found = after.len() < rest.len();
    *rest = after;
    found.then_some(())
}

/// Whether a number with an exponent prints at most 131 072 digits before the point, and 16 383 after it.
fn is_within_limits(lexeme: &str) -> bool {
    let Some((mantissa, exponent)) = lexeme.split_once(['e', 'E']) else { return true };
    let (integer, fraction) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", integer.trim_start_matches('-'));
    // What does not fit is beyond the limits for any text that fits the memory.
    let exponent: i128 =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { -(1 << 100) } else { 1 << 100 });
    let after = fraction.len() as i128 - exponent;
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let before = (digits.len() - zeros) as i128 - after;
    let is_zero = zeros == digits.len();
    after <= 16_383 && (is_zero || before <= 131_072)
}
