//! An ID as a picture of its bits, for people.

use crate::{
    inspect::Refusal,
    lines::Line,
    reading::{Reading, Value, hex},
};
use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use std::{
    io::{self, BufWriter, StdoutLock, Write},
    ops::Range,
};

/// Columns before the bits of a row: the number of its first bit.
const MARGIN: usize = 7;

/// Columns of a byte: eight bits and the blank after them.
const BYTE: usize = 9;

const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Red,
];

/// Paints on standard output: in the terminal's width, and with colours where it wants them.
pub(crate) struct Painter {
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
    width: usize,
    first: bool,
}

impl Painter {
    pub(crate) fn of_stdout() -> Self {
        let out = BufWriter::new(AutoStream::auto(io::stdout().lock()));
        Self { out, width: terminal_width(), first: true }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A blank line between one ID and the next.
    fn begin(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.first) {
            writeln!(self.out)?;
        }
        Ok(())
    }

    pub(crate) fn refusal(&mut self, line: &Line, refusals: &[Refusal]) -> io::Result<()> {
        self.begin()?;
        let error = AnsiColor::Red.on_default().bold();
        writeln!(self.out, "{error}{}{error:#}", line.quoted())?;
        for refusal in refusals {
            writeln!(self.out, "  {refusal}")?;
        }
        Ok(())
    }

    /// `reasons` are those to read the text so.
    pub(crate) fn reading(&mut self, reading: &Reading, reasons: Option<&str>) -> io::Result<()> {
        self.begin()?;
        let bold = Style::new().bold();
        writeln!(self.out, "{bold}{}{bold:#}", reading.text)?;
        writeln!(self.out, "  spec  {}", reading.spec)?;
        writeln!(self.out, "  hex   {}", hex(&reading.bytes))?;
        if let Some(time) = reading.time {
            writeln!(self.out, "  time  {time}")?;
        }
        if let Some(reasons) = reasons {
            writeln!(self.out, "  why   {reasons}")?;
        }
        writeln!(self.out)?;
        let fields = Placed::all(reading);
        let row = (self.width.saturating_sub(MARGIN) / BYTE).max(1);
        for (index, bytes) in reading.bytes.chunks(row).enumerate() {
            self.row(8 * row * index, bytes, &fields)?;
        }
        writeln!(self.out)?;
        self.table(reading, &fields)
    }

    /// A row of bits, and below it a bracket with its name for each field.
    fn row(&mut self, first_bit: usize, bytes: &[u8], fields: &[Placed]) -> io::Result<()> {
        let bits = first_bit..first_bit + 8 * bytes.len();
        let mut picture = format!("{first_bit:>5}  ");
        let mut brackets = " ".repeat(MARGIN);
        for field in fields {
            let here = field.bits.start.max(bits.start)..field.bits.end.min(bits.end);
            if here.is_empty() {
                continue;
            }
            let style = field.style;
            // The blank between two bytes belongs to no field, unless both bytes do.
            if here.start % 8 == 0 && here.start > bits.start {
                picture.push(' ');
                brackets.push(' ');
            }
            let digits: String = here
                .clone()
                .flat_map(|bit| {
                    let byte = bytes[(bit - bits.start) / 8];
                    let blank = (bit % 8 == 0 && bit > here.start).then_some(' ');
                    let digit = if byte >> (7 - bit % 8) & 1 == 1 { '1' } else { '0' };
                    blank.into_iter().chain([digit])
                })
                .collect();
            let bracket = bracket(field, &here, digits.len());
            picture.push_str(&format!("{style}{digits}{style:#}"));
            brackets.push_str(&format!("{style}{bracket}{style:#}"));
        }
        writeln!(self.out, "{picture}")?;
        writeln!(self.out, "{brackets}")
    }

    fn table(&mut self, reading: &Reading, fields: &[Placed]) -> io::Result<()> {
        let names = reading.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
        for (field, placed) in reading.fields.iter().zip(fields) {
            let Placed { bits, style, .. } = placed;
            let place = match bits.len() {
                0 => field.source.to_owned(),
                1 => format!("bit {}", bits.start),
                _ => format!("bits {}–{}", bits.start, bits.end - 1),
            };
            let value = match &field.value {
                Value::Null => "none".to_owned(),
                Value::Number(number) => number.to_string(),
                Value::Text(text) => text.clone(),
            };
            writeln!(self.out, "  {style}{:<names$}{style:#}  {place:<13}  {value}", field.name)?;
        }
        if !reading.details.is_empty() {
            writeln!(self.out)?;
        }
        let width = |column: usize| reading.details.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (pieces, names) = (width(0), width(1));
        for [piece, name, value] in &reading.details {
            writeln!(self.out, "  {piece:<pieces$}  {name:<names$}  {value}")?;
        }
        Ok(())
    }
}

/// A field and where it lies.
struct Placed {
    name: &'static str,
    bits: Range<usize>,
    style: Style,
}

impl Placed {
    fn all(reading: &Reading) -> Vec<Self> {
        let mut colors = COLORS.iter().cycle();
        let mut end = 0;
        reading
            .fields
            .iter()
            .map(|field| {
                let bits = end..end + field.bits;
                end = bits.end;
                let style = if bits.is_empty() {
                    Style::new()
                } else {
                    colors.next().map_or(Style::new(), |color| color.on_default())
                };
                Self { name: field.name, bits, style }
            })
            .collect()
    }
}

/// `└── name ──┘` below the bits `here` of a field; open at the side where the field goes on in another row.
fn bracket(field: &Placed, here: &Range<usize>, columns: usize) -> String {
    if columns == 1 {
        return "╵".to_owned();
    }
    let left = if here.start == field.bits.start { '└' } else { '─' };
    let right = if here.end == field.bits.end { '┘' } else { '─' };
    let inside = columns - 2;
    let label = format!(" {} ", field.name);
    let label = if label.len() <= inside { label } else { String::new() };
    let before = (inside - label.len()) / 2;
    let after = inside - label.len() - before;
    format!("{left}{}{label}{}{right}", "─".repeat(before), "─".repeat(after))
}

/// `COLUMNS`, or what the terminal says, or 80.
fn terminal_width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()))
        .unwrap_or(80)
}
