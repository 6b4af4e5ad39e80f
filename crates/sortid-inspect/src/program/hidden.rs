//! Characters that a terminal does not show as they are.

use std::{borrow::Cow, fmt::Write as _};

/// Whether the character is not shown as itself: it controls the terminal, changes the direction or the layout of the text
/// around it, ends a line, or is invisible.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}')
        // Blank, but not white space.
        || matches!(character, '\u{2800}' | '\u{1d159}')
        // Unicode's property Default_Ignorable_Code_Point.
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The text with hidden characters escaped as in Rust: `\n`, `\u{1b}`.
pub fn escaped(text: &str) -> Cow<'_, str> {
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
            ("\u{3164}\u{fe0f}\u{34f}\u{e0100}", "\\u{3164}\\u{fe0f}\\u{34f}\\u{e0100}"),
            ("a\u{2800}b\u{1d159}\u{13430}", "a\\u{2800}b\\u{1d159}\\u{13430}"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
