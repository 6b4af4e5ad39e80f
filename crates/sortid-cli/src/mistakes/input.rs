//! Input that is not text in UTF-8: compressed, UTF-16, or with a byte order mark.

use crate::{stderr, terminal::argument};
use std::{
    io,
    path::{Path, PathBuf},
};

/// How many bytes are enough to recognise an input.
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
    /// Looks at the first bytes, at most [`HEAD`].
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

    /// What the input is, and the command that makes text of it. `input` is the file that was read, or `-`.
    pub(crate) fn advice(self, input: &Path) -> String {
        let (what, reader) = match self {
            Self::Gzip => ("compressed with gzip; decompress it first", "zcat"),
            Self::Zstd => ("compressed with zstd; decompress it first", "zstdcat"),
            Self::Bzip2 => ("compressed with bzip2; decompress it first", "bzcat"),
            Self::Xz => ("compressed with xz; decompress it first", "xzcat"),
            Self::Zip => ("compressed with zip; decompress it first", "unzip -p"),
            Self::Utf16 => {
                ("text in UTF-16, as PowerShell writes it; convert it to UTF-8", "iconv -f UTF-16 -t UTF-8")
            }
            Self::ByteOrderMark => {
                ("text that begins with a byte order mark; leave the mark out", "tail -c +4")
            }
        };
        if input == Path::new("-") {
            return format!("it is {what}: {reader} FILE | sortid …");
        }
        format!("it is {what}: {reader} {} > {}", argument(input), argument(&plain(input)))
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
