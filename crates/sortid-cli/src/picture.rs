//! Draws the bits of an ID, for people.

use crate::{
    description::{Description, Value},
    form::{Form, hex},
    lines::Line,
    refusal::Refusal,
};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    iter,
    ops::Range,
};

/// Columns before the bits of a row. They show the number of its first bit.
const MARGIN: usize = 7;

/// Columns of a byte: eight bits and the blank after them.
const BYTE: usize = 9;

/// Colours that are readable on dark and on light, the better ones first.
const COLORS: [AnsiColor; 5] =
    [AnsiColor::Cyan, AnsiColor::Magenta, AnsiColor::Green, AnsiColor::Red, AnsiColor::Yellow];

/// Draws for a terminal of this width, with or without colours.
pub(crate) struct Painter {
    width: usize,
    has_colors: bool,
    /// The time that others are shown relative to. Only on a terminal: in a file, "2 hours ago" would soon be wrong.
    now: Option<Timestamp>,
}

impl Painter {
    pub(crate) fn of_stdout() -> Self {
        // On Windows, this also makes the terminal understand colours.
        let choice = AutoStream::auto(io::stdout()).current_choice();
        let now = io::stdout().is_terminal().then(Timestamp::now);
        Self { width: terminal_width(), has_colors: choice != ColorChoice::Never, now }
    }

    fn style(&self, style: Style) -> Style {
        if self.has_colors { style } else { Style::new() }
    }

    /// Shows why the line is not an ID. `hint` is advice.
    pub(crate) fn refusal(
        &self,
        line: &Line,
        refusals: &[Refusal],
        hint: Option<&str>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let error = self.style(AnsiColor::Red.on_default().bold());
        writeln!(out, "{error}{}{error:#}", line.quoted())?;
        for refusal in refusals {
            writeln!(out, "  {refusal}")?;
        }
        if let Some(hint) = hint {
            writeln!(out, "  {hint}")?;
        }
        Ok(())
    }

    /// Shows an ID that was read from this form. `reasons` say why the input is taken for it.
    pub(crate) fn description(
        &self,
        description: &Description,
        from: Form,
        details: &[[String; 3]],
        reasons: Option<&str>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let bold = self.style(Style::new().bold());
        writeln!(out, "{bold}{}{bold:#}", description.text)?;
        let fields = self.placed(description);
        writeln!(out, "  spec  {}", description.id.spec())?;
        if from != Form::Text {
            writeln!(out, "  from  {}", from.name())?;
        }
        write!(out, "  hex   ")?;
        paint_hex(description.id.as_bytes(), &fields, out)?;
        if let Some(time) = description.time {
            write!(out, "  time  {time}")?;
            if let Some(relative) = self.now.and_then(|now| time.relative_to(now)) {
                let dim = self.style(Style::new().dimmed());
                write!(out, "  {dim}{relative}{dim:#}")?;
            }
            writeln!(out)?;
        }
        if let Some(reasons) = reasons {
            writeln!(out, "  why   {reasons}")?;
        }
        writeln!(out)?;
        let row = (self.width.saturating_sub(MARGIN) / BYTE).max(1);
        for (index, bytes) in description.id.as_bytes().chunks(row).enumerate() {
            paint_row(8 * row * index, bytes, &fields, out)?;
        }
        writeln!(out)?;
        paint_table(description, &fields, out)?;
        if !details.is_empty() {
            writeln!(out)?;
            paint_details(details, out)?;
        }
        Ok(())
    }

    fn placed(&self, description: &Description) -> Vec<Placed> {
        let mut colors = COLORS.iter().cycle();
        let mut end = 0;
        description
            .fields
            .iter()
            .map(|field| {
                let bits = end..end + field.bits;
                end = bits.end;
                let style = match field.only_in_picture {
                    true => Style::new().dimmed(),
                    false if bits.is_empty() => Style::new(),
                    false => colors.next().map_or(Style::new(), |color| color.on_default()),
                };
                Placed { name: field.name, bits, style: self.style(style) }
            })
            .collect()
    }
}

/// A field and its bits.
struct Placed {
    name: &'static str,
    bits: Range<usize>,
    style: Style,
}

/// Hex digits in the style of their field. A digit that two fields share has no style.
fn paint_hex(bytes: &[u8], fields: &[Placed], out: &mut Vec<u8>) -> io::Result<()> {
    let digits = hex::encode::<40>(bytes);
    let mut painted = 0;
    for Placed { bits, style, .. } in fields {
        let own = bits.start.div_ceil(4)..bits.end / 4;
        if !own.is_empty() {
            write!(out, "{}{style}{}{style:#}", &digits[painted..own.start], &digits[own.clone()])?;
            painted = own.end;
        }
    }
    writeln!(out, "{}", &digits[painted..])
}

/// A row of bits, and below it a bracket with the name of each field.
fn paint_row(first_bit: usize, bytes: &[u8], fields: &[Placed], out: &mut Vec<u8>) -> io::Result<()> {
    let bits = first_bit..first_bit + 8 * bytes.len();
    write!(out, "{first_bit:>5}  ")?;
    let mut brackets = " ".repeat(MARGIN);
    for field in fields {
        let here = field.bits.start.max(bits.start)..field.bits.end.min(bits.end);
        if here.is_empty() {
            continue;
        }
        // The blank between two bytes belongs to a field only if both bytes do.
        if here.start % 8 == 0 && here.start > bits.start {
            out.push(b' ');
            brackets.push(' ');
        }
        let style = field.style;
        write!(out, "{style}")?;
        let mut columns = here.len();
        for bit in here.clone() {
            if bit % 8 == 0 && bit > here.start {
                out.push(b' ');
                columns += 1;
            }
            let byte = bytes[(bit - bits.start) / 8];
            out.push(b'0' + (byte >> (7 - bit % 8) & 1));
        }
        write!(out, "{style:#}")?;
        let _ = write!(brackets, "{style}");
        push_bracket(field, &here, columns, &mut brackets);
        let _ = write!(brackets, "{style:#}");
    }
    writeln!(out, "\n{brackets}")
}

fn paint_table(description: &Description, fields: &[Placed], out: &mut Vec<u8>) -> io::Result<()> {
    let names = description.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    let mut place = String::new();
    for (field, placed) in description.fields.iter().zip(fields) {
        let Placed { bits, style, .. } = placed;
        place.clear();
        // Writing to a String does not fail.
        let _ = match bits.len() {
            0 => place.write_str(field.source),
            1 => write!(place, "bit {}", bits.start),
            _ => write!(place, "bits {}–{}", bits.start, bits.end - 1),
        };
        write!(out, "  {style}{:<names$}{style:#}  {place:<13}  ", field.name)?;
        match &field.value {
            Value::Null => writeln!(out, "none")?,
            Value::Number(number) => writeln!(out, "{number}")?,
            Value::Text(text) => writeln!(out, "{text}")?,
        }
    }
    Ok(())
}

fn paint_details(details: &[[String; 3]], out: &mut Vec<u8>) -> io::Result<()> {
    let width = |column: usize| details.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (pieces, names) = (width(0), width(1));
    for [piece, name, value] in details {
        writeln!(out, "  {piece:<pieces$}  {name:<names$}  {value}")?;
    }
    Ok(())
}

/// `└── name ──┘` below the bits `here` of a field, open at a side where the field goes on in another row.
fn push_bracket(field: &Placed, here: &Range<usize>, columns: usize, brackets: &mut String) {
    if columns == 1 {
        return brackets.push('╵');
    }
    let inside = columns - 2;
    let label = if field.name.len() + 2 <= inside { field.name } else { "" };
    let blank = if label.is_empty() { "" } else { " " };
    let lines = inside - label.len() - 2 * blank.len();
    brackets.push(if here.start == field.bits.start { '└' } else { '─' });
    brackets.extend(iter::repeat_n('─', lines / 2));
    for part in [blank, label, blank] {
        brackets.push_str(part);
    }
    brackets.extend(iter::repeat_n('─', lines - lines / 2));
    brackets.push(if here.end == field.bits.end { '┘' } else { '─' });
}

/// The variable `COLUMNS`, or else the width of the terminal, or else 80.
fn terminal_width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()))
        .unwrap_or(80)
}
