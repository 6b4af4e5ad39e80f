//! How a fault is printed.

use super::Args;
use crate::{json, lines::Line, terminal::escaped, time::seconds};
use serde::Serialize;
use sortid::AnyId;
use sortid_inspect::Refusal;
use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

/// The inputs, whose lines have one numbering from the first to the last.
#[derive(Default)]
pub(super) struct Inputs<'a> {
    /// How many lines are before each input, and its name.
    starts: Vec<(u64, Option<&'a Path>)>,
}

impl<'a> Inputs<'a> {
    pub(super) fn push(&mut self, lines_before: u64, path: Option<&'a Path>) {
        self.starts.push((lines_before, path));
    }

    /// Where a line is, given its number among all lines.
    pub(super) fn place(&self, line: u64) -> Place<'a> {
        let index = self.starts.partition_point(|&(before, _)| before < line);
        match index.checked_sub(1).map(|index| self.starts[index]) {
            Some((before, path)) => Place { path, line: line - before },
            None => Place { path: None, line },
        }
    }
}

/// A line of an input.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    path: Option<&'a Path>,
    line: u64,
}

impl Place<'_> {
    /// The line as a part of a message about the line `here`. The file is named if `here` is in another file.
    fn from(self, here: Self) -> String {
        match self.path {
            Some(path) if self.path != here.path => {
                format!("line {} of {}", self.line, escaped(&path.to_string_lossy()))
            }
            _ => format!("line {}", self.line),
        }
    }

    fn file(&self) -> Option<Cow<'_, str>> {
        self.path.map(Path::to_string_lossy)
    }
}

/// Writes that a line is not an ID.
pub(super) fn write_invalid(
    args: &Args,
    place: Place<'_>,
    line: &Line,
    refusal: &Refusal,
    out: &mut impl Write,
) -> io::Result<()> {
    write_fault(args, place, None, line, refusal.into(), out)
}

/// Writes that a row is not like the others.
pub(super) fn write_row(
    args: &Args,
    place: Place<'_>,
    line: &Line,
    fault: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    write_fault(args, place, None, line, json::Error::of_row(fault), out)
}

/// Writes that an ID is less than the one before it.
pub(super) fn write_disorder(
    args: &Args,
    [place, other]: [Place<'_>; 2],
    [id, before]: [AnyId; 2],
    line: &Line,
    out: &mut impl Write,
) -> io::Result<()> {
    let least = if args.unique { "more than" } else { "at least" };
    let found = match (id.unix_micros(), before.unix_micros()) {
        (Some(time), Some(before)) if time < before => {
            format!("one that is {} earlier", seconds(before - time))
        }
        _ => "a lesser one".to_owned(),
    };
    let message = format!("expected {least} the ID of {}, found {found}", other.from(place));
    write_fault(args, place, Some(other), line, json::Error { kind: "order", message }, out)
}

/// Writes that an ID occurs a second time.
pub(super) fn write_duplicate(
    args: &Args,
    [place, other]: [Place<'_>; 2],
    line: &Line,
    out: &mut impl Write,
) -> io::Result<()> {
    let message = format!("the same ID as {}", other.from(place));
    write_fault(args, place, Some(other), line, json::Error { kind: "duplicate", message }, out)
}

#[derive(Serialize)]
struct Fault<'a> {
    file: Option<Cow<'a, str>>,
    line: u64,
    /// The column of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'a str>,
    input: Cow<'a, str>,
    valid: bool,
    spec: &'static str,
    error: json::Error,
    /// The line whose ID this one is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Other<'a>>,
    /// Whether `input` is only the beginning of a line of many megabytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

#[derive(Serialize)]
struct Other<'a> {
    file: Option<Cow<'a, str>>,
    line: u64,
}

fn write_fault(
    args: &Args,
    place: Place<'_>,
    other: Option<Place<'_>>,
    line: &Line,
    error: json::Error,
    out: &mut impl Write,
) -> io::Result<()> {
    if args.json {
        let fault = Fault {
            file: place.file(),
            line: place.line,
            column: args.table.column(),
            input: line.lossy(),
            valid: false,
            spec: args.spec.name(),
            error,
            other: other.as_ref().map(|other| Other { file: other.file(), line: other.line }),
            truncated: line.is_cut(),
        };
        return json::write_line(out, &fault);
    }
    if let Some(path) = place.file() {
        write!(out, "{}: ", escaped(&path))?;
    }
    let place = args.table.place(place.line, line);
    writeln!(out, "{place}: {}: {}", escaped(&error.message), line.quoted())
}
