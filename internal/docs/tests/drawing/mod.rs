//! Bits of an ID as an SVG: rows of coloured boxes, a name in each. White on the boxes, and a grey between black and
//! white beside them, are readable on light and on dark pages.

use std::fmt::Write;

/// Pixels: of a row of bits, of its height with what is around it, of the numbers to the left.
const WIDTH: usize = 800;
const HEIGHT: usize = 40;
const MARGIN: usize = 40;

/// Of a character of the boxes' font.
const CHARACTER: f64 = 6.7;

/// What boxes of these names are filled with; the same kind of field has the same colour in all drawings.
const COLORS: &[(&str, &[&str])] = &[
    ("#1f5fbf", &["timestamp", "value", "month", "minute", "millis"]),
    ("#9a4a00", &["counter", "random_high", "day", "second", "sequence", "checksum"]),
    ("#1a7037", &["random16", "random80", "random_upper", "random_low", "randomness", "hour"]),
    ("#7546c0", &["extension", "scalability", "origin", "ledger_id"]),
    ("#a8316f", &["extension_bits", "scheme", "version"]),
    ("#5b6470", &["0"]),
];

const GREY: &str = "#7d8590";

pub(crate) struct Drawing {
    title: String,
    body: String,
    bottom: usize,
}

impl Drawing {
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new(), bottom: 0 }.caption(title)
    }

    /// A line of text.
    pub(crate) fn caption(mut self, text: &str) -> Self {
        self.bottom += 24;
        let y = self.bottom - 6;
        writeln!(self.body, r#"<text x="{MARGIN}" y="{y}" fill="{GREY}">{text}</text>"#).unwrap();
        self
    }

    /// Rows of so many bits.
    pub(crate) fn rows(mut self, bits: &[&'static str], columns: usize) -> Self {
        // A field that goes on in the next row is named once, where it is widest.
        let mut named = vec![];
        for (index, row) in bits.chunks(columns).enumerate() {
            self.boxes(columns * index, row, bits, &mut named);
        }
        self
    }

    /// One row, of some of the bits.
    pub(crate) fn row(mut self, first_bit: usize, bits: &[&'static str]) -> Self {
        self.boxes(first_bit, bits, bits, &mut vec![]);
        self
    }

    fn boxes(
        &mut self,
        first_bit: usize,
        row: &[&'static str],
        all: &[&'static str],
        named: &mut Vec<&'static str>,
    ) {
        let y = self.bottom;
        let bit = WIDTH as f64 / row.len() as f64;
        writeln!(
            self.body,
            r#"<text x="{}" y="{}" fill="{GREY}" text-anchor="end">{first_bit}</text>"#,
            MARGIN - 8,
            y + 20
        )
        .unwrap();
        let mut at = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let name = run[0];
            let (x, width) = (MARGIN as f64 + at as f64 * bit, run.len() as f64 * bit);
            let color = COLORS.iter().find(|(_, names)| names.contains(&name)).expect("a colour").0;
            writeln!(
                self.body,
                r#"<rect x="{:.1}" y="{y}" width="{:.1}" height="30" rx="4" fill="{color}"/>"#,
                x + 1.0,
                width - 2.0
            )
            .unwrap();
            let bits = all.iter().filter(|other| **other == name).count();
            let is_wider_below = bits - run.len() >= row.len() && run.len() < row.len();
            if name == "0" || !(named.contains(&name) || is_wider_below) {
                named.push(name);
                let label = label(name, bits, width);
                writeln!(
                    self.body,
                    r##"<text x="{:.1}" y="{}" fill="#ffffff" text-anchor="middle">{label}</text>"##,
                    x + width / 2.0,
                    y + 20
                )
                .unwrap();
            }
            at += run.len();
        }
        self.bottom += HEIGHT;
    }

    pub(crate) fn to_svg(&self) -> String {
        let (width, height) = (MARGIN + WIDTH + 8, self.bottom);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
             font-size=\"11\">\n<title>{}</title>\n{}</svg>\n",
            self.title, self.body
        )
    }
}

/// The name, and the number of bits where there is room for it.
fn label(name: &str, bits: usize, width: f64) -> String {
    let room = ((width - 2.0) / CHARACTER) as usize;
    let with_bits = format!("{name} {bits}");
    if with_bits.len() <= room && name != "0" {
        return with_bits;
    }
    assert!(name.len() <= room, "{name} has no room");
    name.to_owned()
}
