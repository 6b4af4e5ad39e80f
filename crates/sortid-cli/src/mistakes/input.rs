//! Input that is not text in UTF-8: compressed, UTF-16, or with a byte order mark.

use super::{arguments_of_process, line};
use crate::{stderr, terminal::argument};
use std::{
    io,
    path::{Path, PathBuf},
};

/// How many bytes tell what an input is.
pub(crate) const HEAD: usize = 10;

/// What is at the beginning of an input instead of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    Utf16,
    ByteOrderMark,
}

impl Foreign {
    /// Looks at the first bytes: [`HEAD`] of them if there are so many.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // The second is the beginning of a frame to be skipped.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // Base64x64 digits can begin like bzip2, but have no `&`.
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', b'S', b'Y', ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            [0xff, 0xfe, _, 0, ..] | [0xfe, 0xff, 0, _, ..] => Self::Utf16,
            [0xef, 0xbb, 0xbf, ..] => Self::ByteOrderMark,
            _ => return None,
        })
    }

    /// What the input is, what to do, and the program that does it.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Gzip => ("compressed with gzip", "decompress it first", "zcat"),
            Self::Zstd => ("compressed with zstd", "decompress it first", "zstdcat"),
            Self::Bzip2 => ("compressed with bzip2", "decompress it first", "bzcat"),
            Self::Xz => ("compressed with xz", "decompress it first", "xzcat"),
            Self::Zip => ("compressed with zip", "decompress it first", "unzip -p"),
            Self::Utf16 => {
                ("text in UTF-16, as PowerShell writes it", "convert it to UTF-8", "iconv -f UTF-16 -t UTF-8")
            }
            Self::ByteOrderMark => {
                ("text that begins with a byte order mark", "leave the mark out", "tail -c +4")
            }
        }
    }

    /// What the input is, and the command that reads it. `input` is the file that was read, or `-`.
    pub(crate) fn advice(self, input: &Path) -> String {
        let (what, todo, reader) = self.words();
        let args: Vec<_> = arguments_of_process().collect();
        format!("it is {what}; {todo}: {}", piped(reader, input, &args))
    }

    /// What the file of a ledger is, and the command that makes another file of it. `todo` is the command for that file.
    pub(crate) fn cure(self, file: &Path, todo: &str) -> String {
        let (what, first, reader) = self.words();
        let (from, to) = (argument(file), argument(&plain(file)));
        format!("it is {what}; {first}: {reader} {from} > {to} && {todo} {to}")
    }

    /// Refuses an input that has no lines to read. A byte order mark is only noted: lines follow it.
    pub(crate) fn refuse(self, input: &Path) -> io::Result<()> {
        match self {
            Self::ByteOrderMark => {
                self.note(input);
                Ok(())
            }
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, self.advice(input))),
        }
    }

    /// Says on standard error what the input is.
    pub(crate) fn note(self, input: &Path) {
        stderr::print_line(format_args!("about the whole input: {}", self.advice(input)));
    }
}

/// The name for a file with the text of this one.
pub(crate) fn plain(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".txt");
    name.into()
}

/// The command line that reads this input through another program.
pub(super) fn piped(reader: &str, input: &Path, args: &[String]) -> String {
    let words = args.iter().map(String::as_str);
    // Files are after the command and the specification, which can have the same name.
    let Some(at) = args.iter().rposition(|arg| *arg == input.to_string_lossy()).filter(|_| !is_stdin(input))
    else {
        return format!("{reader} FILE | {}", line(words));
    };
    let file = argument(input);
    if args.iter().any(|arg| arg == "-") {
        // Standard input is another input already.
        let text = plain(input).to_string_lossy().into_owned();
        let command = line(words.enumerate().map(|(place, word)| if place == at { &*text } else { word }));
        return format!("{reader} {file} > {}; {command}", argument(&plain(input)));
    }
    let command = line(words.enumerate().map(|(place, word)| if place == at { "-" } else { word }));
    format!("{reader} {file} | {command}")
}

fn is_stdin(input: &Path) -> bool {
    input == Path::new("-")
}

#[cfg(test)]
mod tests {
    use super::piped;

    #[test]
    fn the_input_that_cannot_be_read_becomes_standard_input() {
        for (input, args, expected) in [
            ("e.gz", "check euid e.gz", "zcat e.gz | sortid check euid -"),
            ("e.gz", "check euid a.txt e.gz --sorted", "zcat e.gz | sortid check euid a.txt - --sorted"),
            ("euid", "check euid euid", "zcat euid | sortid check euid -"),
            ("-", "check euid a.txt -", "zcat FILE | sortid check euid a.txt -"),
            ("-", "inspect", "zcat FILE | sortid inspect"),
            ("e.gz", "check euid e.gz -", "zcat e.gz > e.gz.txt; sortid check euid e.gz.txt -"),
        ] {
            let args: Vec<_> = args.split(' ').map(str::to_owned).collect();
            assert_eq!(piped("zcat", input.as_ref(), &args), expected);
        }
    }
}
