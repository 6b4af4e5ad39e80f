//! IDs in a column of a table: CSV, or TSV, which is the same with tabs instead of commas.

mod rows;

use crate::{
    failure::Failure,
    lines::{self, Line, Lines},
    terminal::{argument, escaped},
};
use indicatif::ProgressBar;
pub(crate) use rows::{Batch, Row, Rows};
use std::{ffi::OsString, fmt, io::Read, path::Path};

/// The options of every command that reads IDs.
#[derive(clap::Args)]
pub(crate) struct Table {
    /// Read CSV, with the IDs in a column
    ///
    /// The first row has the names of the columns. Fields can have quotes, as in RFC 4180. A row with more or fewer columns
    /// than the first one is invalid. Blank lines are ignored. A message has the number of the line where the row begins.
    /// Semicolons or tabs separate the columns if the first row has them and no commas; a note says so.
    #[arg(long, group = "separated", requires = "column")]
    csv: bool,

    /// Read TSV: the same with tabs instead of commas
    #[arg(long, group = "separated", requires = "column")]
    tsv: bool,

    /// The character between the columns of CSV, such as ';' or tab [default: that of a first line such as `sep=;`, or the
    /// comma]
    #[arg(long, value_name = "CHAR", requires = "csv", conflicts_with = "tsv", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// The column with the IDs: its name in the first row, or its number, from 1 on
    #[arg(long, value_name = "NAME", requires = "separated")]
    column: Option<String>,

    /// The first row has no names, so the column is a number
    #[arg(long, requires = "separated")]
    no_header: bool,
}

/// An input with IDs.
pub(crate) enum Input {
    /// Each line is an ID.
    Lines(Lines<Box<dyn Read>>),
    /// A column has the IDs.
    Rows(Box<Rows<Box<dyn Read>>>),
}

/// How much was read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    /// The lines or rows that should have an ID.
    pub(crate) ids: u64,
    /// The number of the last one's line.
    pub(crate) lines: u64,
}

impl Table {
    /// Whether the input is a table.
    pub(crate) fn is_given(&self) -> bool {
        self.option().is_some()
    }

    /// The column, as the command line has it.
    pub(crate) fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    fn option(&self) -> Option<&'static str> {
        match (self.csv, self.tsv) {
            (true, _) => Some("--csv"),
            (_, true) => Some("--tsv"),
            _ => None,
        }
    }

    /// Refuses a command line whose options contradict each other. A table is standard input, so there are no IDs
    /// beside it.
    pub(crate) fn check(&self, command: &'static str, ids: &[OsString]) -> Result<(), Failure> {
        let usage = |message: String| Err(Failure::usage(command, message));
        let Some(option) = self.option() else { return Ok(()) };
        if let Some(id) = ids.iter().find(|id| *id != "-") {
            let advice = if Path::new(id).is_file() {
                format!("to read this file, write < {}", argument(id.as_ref()))
            } else {
                "leave out one of the two".to_owned()
            };
            return usage(format!("{option} reads standard input, found {}: {advice}", id.to_string_lossy()));
        }
        match self.column() {
            Some(column) if self.no_header && number(column).is_none() => usage(format!(
                "with --no-header, expected the number of a column, from 1 on, found {column:?}"
            )),
            _ => Ok(()),
        }
    }

    /// Opens a file, or standard input if the path is `-`.
    pub(crate) fn open(&self, path: &Path, progress: &ProgressBar) -> Result<Input, Failure> {
        let Some(column) = &self.column else {
            return Ok(Input::Lines(Lines::of_path(path, "IDs", progress)?));
        };
        let (what, delimiter) = if self.csv { ("CSV", self.delimiter) } else { ("TSV", Some(b'\t')) };
        let source = lines::open(path, what, progress)?;
        Ok(Input::Rows(Box::new(Rows::new(path, source, delimiter, column, !self.no_header))))
    }

    /// Where a line is, for a message: `line 3`, or `line 3, column id`.
    pub(crate) fn place<'a>(&'a self, number: u64, line: &Line) -> Place<'a> {
        Place { line: number, column: self.column().filter(|_| line.row_fault().is_none()) }
    }
}

/// Parses what separates columns.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if is_delimiter(*byte) => Ok(*byte),
        _ => Err("expected tab, or an ASCII character other than letters, digits, quotes and ends of lines"
            .to_owned()),
    }
}

/// Whether the byte can separate columns. A letter or a digit can be a part of an ID.
fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n".contains(&byte)
}

/// The number of a column, if the text is one.
fn number(column: &str) -> Option<usize> {
    let number = column.parse().ok().filter(|number| *number > 0)?;
    column.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
}

/// A line, and a column of it.
pub(crate) struct Place<'a> {
    line: u64,
    column: Option<&'a str>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ", column {}", escaped(column)))
    }
}
