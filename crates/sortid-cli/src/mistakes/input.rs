//! Input that is not text in UTF-8: compressed, UTF-16, or with a byte order mark.

use super::{arguments_of_process, line};
use crate::{stderr, terminal::quoted};
use std::{io, path::Path};

/// What is at the beginning of an input instead of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    Gzip,
    Zstd,
    Utf16,
    ByteOrderMark,
}

impl Foreign {
    /// Looks at the first bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [0xff, 0xfe, _, 0, ..] | [0xfe, 0xff, 0, _, ..] => Self::Utf16,
            [0xef, 0xbb, 0xbf, ..] => Self::ByteOrderMark,
            _ => return None,
        })
    }

    /// What the input is, and the command that reads it.
    pub(crate) fn advice(self) -> String {
        let (what, todo, reader) = match self {
            Self::Gzip => ("compressed with gzip", "decompress it first", "zcat "),
            Self::Zstd => ("compressed with zstd", "decompress it first", "zstdcat "),
            Self::Utf16 => (
                "text in UTF-16, as PowerShell writes it",
                "convert it to UTF-8",
                "iconv -f UTF-16 -t UTF-8 ",
            ),
            Self::ByteOrderMark => {
                ("text that begins with a byte order mark", "leave the mark out", "tail -c +4 ")
            }
        };
        let (file, command) = piped();
        format!("it is {what}; {todo}: {reader}{file} | {command}")
    }

    /// Refuses an input that has no lines to read. A byte order mark is only noted: lines follow it.
    pub(crate) fn refuse(self) -> io::Result<()> {
        match self {
            Self::ByteOrderMark => {
                self.note();
                Ok(())
            }
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, self.advice())),
        }
    }

    /// Says on standard error what the input is.
    pub(crate) fn note(self) {
        stderr::print_line(format_args!("about the whole input: {}", self.advice()));
    }
}

/// The first file of the command line, and the command line without it.
fn piped() -> (String, String) {
    let args: Vec<_> = arguments_of_process().collect();
    let is_input = |at: &usize| Path::new(&args[*at]).is_file() && (*at == 0 || args[at - 1] != "--ledger");
    let at = (0..args.len()).find(is_input);
    let file = at.map_or("FILE".to_owned(), |at| quoted(&args[at]));
    let rest = args.iter().enumerate().filter(|(place, _)| Some(*place) != at).map(|(_, arg)| &**arg);
    (file, line(rest))
}
