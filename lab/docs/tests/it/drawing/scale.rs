//! Rows in which each bit has the same width, and what belongs to them.

use super::{CHARACTER, Drawing, GREY, HEIGHT, KINDS, MARGIN, WIDTH, color, kind};
use std::fmt::Write;

/// The width of a bit in the text of an ID, in pixels: 5 bits are a character. And the height of its boxes.
const TEXT_BIT: f64 = 5.8;
const TEXT_HEIGHT: usize = 34;

/// What stands below a field of a text: two lines.
pub(crate) type Note<'a> = (&'static str, &'a str, &'a str);

impl Drawing {
    /// Adds the numbers of the bits, in steps of 32, for rows of which the longest has `longest` bits.
    pub(crate) fn ruler(mut self, longest: usize) -> Self {
        let y = self.bottom + 14;
        for number in (0..=longest).step_by(32) {
            let x = MARGIN + WIDTH * number / longest;
            let anchor = match number {
                0 => "start",
                _ if number == longest => "end",
                _ => "middle",
            };
            writeln!(
                self.body,
                r#"<text x="{x}" y="{y}" fill="{GREY}" text-anchor="{anchor}">{number}</text>"#
            )
            .unwrap();
        }
        self.bottom += 16;
        self
    }

    /// Adds a row of bits. `longest` bits take the whole width. A box has the name of its field, or else its kind,
    /// and how many bits it has, as far as they fit.
    pub(crate) fn row_to_scale(mut self, bits: &[&'static str], longest: usize) -> Self {
        let bit = WIDTH as f64 / longest as f64;
        let mut at = 0;
        for run in bits.chunk_by(|a, b| a == b) {
            let (x, width) = (MARGIN as f64 + at as f64 * bit, run.len() as f64 * bit);
            self.rect(x + 0.5, width - 1.0, 30, run[0]);
            let room = ((width - 2.0) / CHARACTER) as usize;
            let (name, bits) = (run[0], run.len());
            let of_kind = format!("{} {bits}", KINDS[kind(name)].0);
            let labels = [format!("{name} {bits}"), of_kind, name.to_owned(), bits.to_string()];
            if let Some(label) = labels.iter().find(|label| label.len() <= room && name != "0") {
                self.line(x + width / 2.0, self.bottom + 20, "#ffffff", label);
            }
            at += run.len();
        }
        self.bottom += HEIGHT;
        self
    }

    /// Adds the text of an ID, whose characters have 5 bits each, on the colours of the fields. The notes are about the
    /// fields, in their order.
    pub(crate) fn text(mut self, text: &str, bits: &[&'static str], notes: &[Note<'_>]) -> Self {
        assert_eq!(bits.len(), 5 * text.len(), "{text}");
        let x = |bit: usize| MARGIN as f64 + bit as f64 * TEXT_BIT;
        let y = self.bottom;
        let mut notes = notes.iter();
        let mut at = 0;
        for run in bits.chunk_by(|a, b| a == b) {
            let (left, right) = (x(at), x(at + run.len()));
            self.rect(left, right - left, TEXT_HEIGHT, run[0]);
            let &(name, first, second) = notes.next().expect("a note for each field");
            assert_eq!(name, run[0]);
            let lines = [format!("{first} {}", run.len()), second.to_owned()];
            for (line, y) in lines.iter().zip([y + TEXT_HEIGHT + 15, y + TEXT_HEIGHT + 30]) {
                self.line(left.midpoint(right), y, GREY, line.trim());
            }
            at += run.len();
        }
        assert_eq!(notes.next(), None);
        for (index, character) in text.chars().enumerate() {
            if index > 0 {
                writeln!(
                    self.body,
                    r##"<path d="M{:.1} {y}v{TEXT_HEIGHT}" stroke="#ffffff" stroke-opacity="0.4"/>"##,
                    x(5 * index)
                )
                .unwrap();
            }
            writeln!(
                self.body,
                r##"<text x="{:.1}" y="{}" font-size="20" fill="#ffffff" text-anchor="middle">{character}</text>"##,
                x(5 * index).midpoint(x(5 * index + 5)),
                y + 24
            )
            .unwrap();
        }
        self.bottom += TEXT_HEIGHT + 40;
        self
    }

    /// Adds the kinds of the fields that the rows to scale and the texts have.
    pub(crate) fn legend(mut self) -> Self {
        let y = self.bottom + 8;
        let mut x = MARGIN;
        for &kind in &self.kinds {
            let (word, color, _) = KINDS[kind];
            writeln!(self.body, r#"<rect x="{x}" y="{y}" width="12" height="12" rx="2" fill="{color}"/>"#)
                .unwrap();
            writeln!(self.body, r#"<text x="{}" y="{}" fill="{GREY}">{word}</text>"#, x + 18, y + 10)
                .unwrap();
            x += 46 + (word.len() as f64 * CHARACTER) as usize;
        }
        self.bottom += 28;
        self
    }

    /// The box of a field.
    fn rect(&mut self, x: f64, width: f64, height: usize, name: &str) {
        let (y, color) = (self.bottom, color(name));
        self.kinds.insert(kind(name));
        writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y}" width="{width:.1}" height="{height}" fill="{color}"/>"#
        )
        .unwrap();
    }

    /// A line of text whose middle is at `x`.
    fn line(&mut self, x: f64, y: usize, color: &str, text: &str) {
        if !text.is_empty() {
            writeln!(
                self.body,
                r#"<text x="{x:.1}" y="{y}" fill="{color}" text-anchor="middle">{text}</text>"#
            )
            .unwrap();
        }
    }
}
