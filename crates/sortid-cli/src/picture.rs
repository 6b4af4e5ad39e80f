//! Draws the bits of an ID, for people.

use crate::{lines::Line, terminal::escaped, time::Time};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use sortid::Text;
use sortid_inspect::{Description, Field, Form, Refusal};
use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    iter,
    ops::Range,
};

/// Columns before the bits of a row. They show the number of its first bit.
const MARGIN: usize = 7;

/// Columns before a value at the top: its name, and blanks around it.
const LABEL: usize = 8;

/// The least columns of a field's place, so that the tables of different IDs look alike: `bits 100–159`, `as an integer`.
const PLACE: usize = 13;

/// The least columns of a text that is broken beside others.
const READABLE: usize = 24;

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

    /// Shows why the line is not an ID. `hint` is advice. The line itself is not broken, because people compare it.
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
            self.paint_text("  ", 4, " ", &escaped(&refusal.to_string()), out)?;
        }
        hint.map_or(Ok(()), |hint| self.paint_text("  ", 4, " ", hint, out))
    }

    /// Shows an ID that was read from this form. `note` says what else it can be, and `reasons` why the input is taken for
    /// it.
    pub(crate) fn description(
        &self,
        description: &Description,
        from: Form,
        details: &[[String; 3]],
        note: Option<&str>,
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
        if let Some(note) = note {
            self.paint_text("  note  ", LABEL, " ", note, out)?;
        }
        self.paint_hex(description.id.as_bytes(), &fields, out)?;
        if let Some(time) = description.time() {
            write!(out, "  time  {}", &*time)?;
            if let Some(relative) =
                self.now.and_then(|now| Time::from_unix_micros(description.unix_micros?).relative_to(now))
            {
                let dim = self.style(Style::new().dimmed());
                let fits = LABEL + time.len() + 2 + relative.len() <= self.width;
                let before = if fits { "  " } else { "\n        " };
                write!(out, "{before}{dim}{relative}{dim:#}")?;
            }
            writeln!(out)?;
        }
        if let Some(reasons) = reasons {
            self.paint_text("  why   ", LABEL, ", ", reasons, out)?;
        }
        writeln!(out)?;
        let row = (self.width.saturating_sub(MARGIN) / BYTE).max(1);
        for (index, bytes) in description.id.as_bytes().chunks(row).enumerate() {
            paint_row(8 * row * index, bytes, &fields, out)?;
        }
        writeln!(out)?;
        self.paint_table(&rows(description, &fields), PLACE, out)?;
        if !details.is_empty() {
            writeln!(out)?;
            let details: Vec<_> = details.iter().map(|cells| (Style::new(), cells.clone())).collect();
            self.paint_table(&details, 0, out)?;
        }
        Ok(())
    }

    /// Prints a text behind `before`. Breaks it after `separator` if it is too wide, or else between words, and indents
    /// the lines that follow.
    fn paint_text(
        &self,
        before: &str,
        indent: usize,
        separator: &str,
        text: &str,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        if before.len() + columns(text) <= self.width {
            return writeln!(out, "{before}{text}");
        }
        let mut lines = broken(text, separator, self.width.saturating_sub(indent)).into_iter();
        writeln!(out, "{before}{}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))
    }

    /// Hex digits in the style of their field. A digit that two fields share has no style. They are never broken, because
    /// people copy them: in a narrow terminal, they are on a line of their own.
    fn paint_hex(&self, bytes: &[u8], fields: &[Placed], out: &mut Vec<u8>) -> io::Result<()> {
        let digits = Text::<40>::hex(bytes);
        let room = self.width.saturating_sub(digits.len());
        if room >= LABEL {
            write!(out, "  hex   ")?;
        } else {
            write!(out, "  hex\n{:1$}", "", room.min(4))?;
        }
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

    /// Three columns, the first one in the style of its row, the second one at least `least` wide. Breaks the values
    /// between words. If the last column is too narrow for that, each value is below its row.
    fn paint_table(&self, rows: &[(Style, [String; 3])], least: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let widest = |column: usize| rows.iter().map(|(_, row)| columns(&row[column])).max().unwrap_or(0);
        let [first, second, third] = [0, 1, 2].map(widest);
        let second = second.max(least);
        let indent = first + second + 6;
        let room = self.width.saturating_sub(indent);
        let words = rows.iter().flat_map(|(_, row)| row[2].split(' ')).map(columns).max().unwrap_or(0);
        let is_beside = third <= room || (room >= READABLE && words <= room);
        for (style, [name, place, value]) in rows {
            write!(out, "  {style}{name:<first$}{style:#}  ")?;
            if is_beside {
                let mut lines = broken(value, " ", room).into_iter();
                writeln!(out, "{place:<second$}  {}", lines.next().unwrap_or_default())?;
                lines.try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))?;
            } else {
                writeln!(out, "{place}")?;
                self.paint_text("    ", 4, " ", value, out)?;
            }
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

/// The rows of the table of fields: name, place and value.
fn rows(description: &Description, fields: &[Placed]) -> Vec<(Style, [String; 3])> {
    let place = |source: &str, bits: &Range<usize>| match bits.len() {
        0 => source.to_owned(),
        1 => format!("bit {}", bits.start),
        _ => format!("bits {}–{}", bits.start, bits.end - 1),
    };
    let row = |(field, placed): (&Field, &Placed)| {
        let place = place(field.source, &placed.bits);
        (placed.style, [field.name.to_owned(), place, field.value.to_string()])
    };
    description.fields.iter().zip(fields).map(row).collect()
}

/// The lines of a text. Each is as long as fits, and ends after a separator, or after a word if there is none.
fn broken(text: &str, separator: &str, width: usize) -> Vec<String> {
    let pieces = text.split_inclusive(separator).flat_map(|piece| {
        let separator = if columns(piece.trim_end()) > width { " " } else { separator };
        piece.split_inclusive(separator)
    });
    let mut lines: Vec<String> = vec![];
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(piece.trim_end()) <= width => line.push_str(piece),
            _ => lines.push(piece.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// How many columns a text takes. The texts here have no wide characters.
fn columns(text: &str) -> usize {
    text.chars().count()
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

#[cfg(test)]
mod tests {
    use super::{Form, Painter, broken};
    use crate::{lines::Line, spec::DescribeOptions};
    use sortid::{AnyId, Spec};
    use sortid_inspect::{Refusal, describe, details};

    const REASONS: &str =
        "the time is from 2016 to now, the length fits, the case of the letters fits the specification";

    fn painter(width: usize) -> Painter {
        let now = "2024-06-06T06:06:06.666Z".parse().unwrap();
        Painter { width, has_colors: false, now: Some(now) }
    }

    /// The pictures of IDs of each specification, with all that a picture can have.
    fn pictures(width: usize) -> Vec<String> {
        let options = DescribeOptions {
            replica_scheme: "0163".parse().ok(),
            scalable: true,
            ..DescribeOptions::default()
        };
        let ids = Spec::ALL.iter().flat_map(|spec| [AnyId::min(*spec), AnyId::max(*spec)]);
        let usual = AnyId::parse(Spec::RonUid, "1CQKn-0_D").unwrap();
        ids.chain([usual])
            .map(|id| {
                let mut out = vec![];
                let details = details(id, &options);
                painter(width)
                    .description(&describe(id, &options), Form::Uuid, &details, None, Some(REASONS), &mut out)
                    .unwrap();
                String::from_utf8(out).unwrap()
            })
            .collect()
    }

    #[test]
    fn no_line_but_the_hex_is_wider_than_the_terminal() {
        for width in 40..=120 {
            for picture in pictures(width) {
                for line in picture.lines() {
                    assert!(line.chars().count() <= width, "{width}: {line}");
                    assert_eq!(line.trim_end(), line, "{width}");
                }
            }
        }
    }

    #[test]
    fn a_narrow_picture_has_the_words_of_a_wide_one_in_their_order() {
        let is_of_bits = |line: &&str| {
            let bytes: Vec<_> = line.split_whitespace().skip(1).collect();
            let is_byte = |text: &&str| text.len() == 8 && text.bytes().all(|byte| b"01".contains(&byte));
            line.contains(['└', '─', '┘']) || !bytes.is_empty() && bytes.iter().all(is_byte)
        };
        let words = |picture: &str| -> Vec<String> {
            let lines = picture.lines().filter(|line| !is_of_bits(line));
            lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
        };
        for (narrow, wide) in pictures(40).iter().zip(pictures(200)) {
            assert_eq!(words(narrow), words(&wide));
        }
    }

    #[test]
    fn a_refusal_and_its_hint_break_between_words() {
        let line = Line::new(b"no ID".to_vec());
        let refusals: Vec<_> = Spec::ALL
            .iter()
            .map(|spec| Refusal::new(*spec, line.input(), AnyId::parse(*spec, "no ID").unwrap_err()))
            .collect();
        let hint = "a UUID: try sortid convert --to text, with --spec euid, evently-id or ron-uid";
        for width in 24..100 {
            let mut out = vec![];
            painter(width).refusal(&line, &refusals, Some(hint), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
            assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").ends_with(hint), "{text}");
        }
    }

    #[test]
    fn a_text_breaks_at_its_commas_and_between_words_where_it_has_none() {
        assert_eq!(broken("one, two, three", ", ", 9), ["one, two,", "three"]);
        assert_eq!(broken("one, two three four, five", ", ", 9), ["one, two", "three", "four,", "five"]);
        assert_eq!(broken("one two", " ", 1), ["one", "two"]);
        assert_eq!(broken("", " ", 9), [""; 0]);
    }
}
