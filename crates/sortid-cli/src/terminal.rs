//! Text from outside, made harmless for a terminal and its reader.

pub(crate) use sortid_inspect::__private::program::{escaped, is_hidden};
use std::{fmt::Write as _, path::Path};

/// The path as an argument of a command that a person copies into a shell.
pub(crate) fn argument(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    // Not an option, nor standard input.
    if bytes.starts_with(b"-") { word(&[b"./", bytes].concat()) } else { word(bytes) }
}

/// The text as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    word(text.as_bytes())
}

fn word(bytes: &[u8]) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+:,@%=".contains(character);
    match str::from_utf8(bytes) {
        Ok(text) if text.contains(is_hidden) => {}
        Ok(text) if text.chars().all(is_plain) => return text.to_owned(),
        Ok(text) if !cfg!(windows) => return format!("'{}'", text.replace('\'', r"'\''")),
        _ => {}
    }
    if cfg!(windows) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    // bash, zsh and POSIX of 2024 read `$'…'`, in which an octal number is a byte.
    let mut word = "$'".to_owned();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\'' | '\\' => word.extend(['\\', character]),
                _ if is_hidden(character) => {
                    push_octal(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut word);
                }
                _ => word.push(character),
            }
        }
        push_octal(chunk.invalid(), &mut word);
    }
    word + "'"
}

fn push_octal(bytes: &[u8], word: &mut String) {
    for byte in bytes {
        // Writing to a String does not fail.
        let _ = write!(word, "\\{byte:03o}");
    }
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
    use super::escaped_lines;

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
            ("a\nb", r"$'a\012b'"),
            ("-\u{2800}'\\ é", r"$'./-\342\240\200\'\\ é'"),
            ("\u{3164}", r"$'\343\205\244'"),
        ] {
            assert_eq!(super::argument(path.as_ref()), shown);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_name_of_a_file_as_it_is() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _, process::Command};
        for name in
            [&b"a\nb"[..], b"\xff\xfe", b"it's\\\x1b[m", "\u{202e}$'x\u{2800}".as_bytes(), b"a b\t\x01"]
        {
            let word = super::argument(OsStr::from_bytes(name).as_ref());
            let Ok(read) = Command::new("bash").args(["-c", &format!("printf %s {word}")]).output() else {
                return;
            };
            assert_eq!(read.stdout, name, "{word}");
        }
    }
}
