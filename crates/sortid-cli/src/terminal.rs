//! Text from outside, made harmless for a terminal and its reader.

use std::{borrow::Cow, fmt::Write as _};

/// Whether the character is not shown as itself: it controls the terminal, changes the direction of the text around it,
/// ends a line, or is invisible.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with hidden characters escaped as in Rust: `\n`, `\u{1b}`.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            // Writing to a String does not fail.
            let _ = write!(escaped, "{}", character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn only_hidden_characters_are_escaped() {
        for (text, shown) in [
            ("ids.txt", "ids.txt"),
            ("é 日本 שלום \u{1f600} C:\\x", "é 日本 שלום \u{1f600} C:\\x"),
            ("a\x1b[31m\n\t\r\x07\x7f", "a\\u{1b}[31m\\n\\t\\r\\u{7}\\u{7f}"),
            ("\u{9b}2J\u{85}", "\\u{9b}2J\\u{85}"),
            ("\u{202e}fdp\u{2066}\u{200f}\u{61c}", "\\u{202e}fdp\\u{2066}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}\u{2028}\u{e0041}", "a\\u{200b}b\\u{feff}\\u{2028}\\u{e0041}"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
