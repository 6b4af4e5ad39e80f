//! How canonical JSON writes a string.

use sortid_core::HEX;
use std::fmt;

/// Appends a character of a string: an escape for `"`, `\` and the characters below U+0020, any other character as itself.
pub(crate) fn push_escaped(char: char, out: &mut String) {
    match char {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..' ' => {
            let mut digits = [0; 2];
            HEX.put(char.into(), &mut digits, 0, 2);
            out.push_str("\\u00");
            out.extend(digits.map(char::from));
        }
        _ => out.push(char),
    }
}

/// Prints a text as a JSON string, with its quotes.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.0.len() + 2);
        for char in self.0.chars() {
            push_escaped(char, &mut text);
        }
        write!(f, "\"{text}\"")
    }
}
