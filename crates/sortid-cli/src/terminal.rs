//! Text from outside, made harmless for a terminal and its reader.

pub(crate) use sortid_inspect::__private::program::is_hidden;
use std::{borrow::Cow, fmt::Write as _, path::Path};

/// The path as an argument of a command that a person copies into a shell.
pub(crate) fn argument(path: &Path) -> String {
    let text = path.display().to_string();
    // Not an option, nor standard input.
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    quoted(&text)
}

/// The text as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+:,@%=".contains(character);
    if text.chars().all(is_plain) || cfg!(windows) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
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

/// The text of these bytes with hidden characters escaped, but for tabs and ends of lines.
pub(crate) fn escaped_lines(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let pieces = text.split_inclusive(['\t', '\n']).map(|piece| {
        let end = ["\r\n", "\n", "\t"].into_iter().find(|end| piece.ends_with(end)).unwrap_or_default();
        [&escaped(&piece[..piece.len() - end.len()]), end].concat()
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, escaped_lines};

    #[test]
    fn tabs_and_ends_of_lines_are_not_hidden() {
        for (bytes, shown) in [
            (&b"a\tb\x1b[2J\r\n\rc\n"[..], "a\tb\\u{1b}[2J\r\n\\rc\n"),
            (b"\xffa\r", "\u{fffd}a\\r"),
            (b"\n\t\n", "\n\t\n"),
            (b"", ""),
        ] {
            assert_eq!(escaped_lines(bytes), shown);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_is_one_argument_of_a_shell() {
        for (path, shown) in [
            ("shop.ndjson", "shop.ndjson"),
            ("a b; echo hi", "'a b; echo hi'"),
            ("it's", r"'it'\''s'"),
            ("-x", "./-x"),
            ("/tmp/é.ndjson", "/tmp/é.ndjson"),
        ] {
            assert_eq!(super::argument(path.as_ref()), shown);
        }
    }

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
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
