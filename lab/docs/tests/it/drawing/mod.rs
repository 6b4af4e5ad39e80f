//! Draws the bits of an ID as an SVG: rows of coloured boxes with a name in each. The text is white on the boxes, and grey
//! beside them, so it is readable on light and on dark pages.

mod scale;

use sortid::{__with_type as with_type, Role, SortableId, Spec};
use std::{collections::BTreeSet, fmt::Write};

/// The width of a row of bits, the height of a row with the space around it, and the space for the numbers at the left, in
/// pixels.
const WIDTH: usize = 800;
const HEIGHT: usize = 40;
const MARGIN: usize = 40;

/// The width of a character in a box, in pixels.
const CHARACTER: f64 = 6.7;

/// The kinds of the fields, their colours, and the names of the fields. Fields of one kind have the same colour in all
/// drawings. The parts of a calendar have the colours in turn, so that their borders are seen.
const KINDS: &[(&str, &str, &[&str])] = &[
    (
        "time",
        "#1f5fbf",
        &["timestamp_ms", "timestamp_us", "unix_ts_ms", "value", "calendar", "month", "minute", "millis"],
    ),
    ("counter", "#9a4a00", &["counter", "random_high", "day", "second", "sequence"]),
    (
        "random",
        "#1a7037",
        &["random16", "random80", "random_upper", "random_low", "randomness", "rand_a", "rand_b", "hour"],
    ),
    ("node", "#7546c0", &["extension", "scalability", "origin", "ledger_id"]),
    ("check", "#0a6f78", &["checksum", "check"]),
    ("kind, version", "#a8316f", &["extension_bits", "scheme", "version", "ver", "var"]),
    ("always 0", "#5b6470", &["0"]),
];

const GREY: &str = "#7d8590";

/// The kind of a field, as its place in `KINDS`. A field that is in no kind has the kind of the fields of its role.
fn kind(name: &str) -> usize {
    let of = |name: &str| KINDS.iter().position(|(_, _, names)| names.contains(&name));
    let of_role = || {
        let mut fields = Spec::ALL.iter().flat_map(|&spec| with_type!(spec, Id => Id::FIELDS));
        Some(match fields.find(|field| field.name == name)?.role {
            Role::Time => of("timestamp_ms"),
            Role::Count => of("counter"),
            Role::Random | Role::Rest => of("random80"),
            Role::Node => of("origin"),
            Role::Check => of("check"),
            _ => of("version"),
        })
    };
    of(name).or_else(|| of_role()?).unwrap_or_else(|| panic!("no field has the name {name}"))
}

/// The colour of a field.
fn color(name: &str) -> &'static str {
    KINDS[kind(name)].1
}

pub(crate) struct Drawing {
    title: String,
    body: String,
    left: usize,
    bottom: usize,
    kinds: BTreeSet<usize>,
}

impl Drawing {
    pub(crate) fn new(title: &str) -> Self {
        Self { left: 0, ..Self::untitled(title) }.caption(title)
    }

    /// A drawing whose title is not in the picture, and whose rows have no numbers at the left.
    pub(crate) fn untitled(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            body: String::new(),
            left: MARGIN - 8,
            bottom: 0,
            kinds: BTreeSet::new(),
        }
    }

    /// Adds a line of text.
    pub(crate) fn caption(mut self, text: &str) -> Self {
        self.bottom += 24;
        let y = self.bottom - 6;
        writeln!(self.body, r#"<text x="{MARGIN}" y="{y}" fill="{GREY}">{text}</text>"#).unwrap();
        self
    }

    /// Adds rows of `columns` bits.
    pub(crate) fn rows(mut self, bits: &[&'static str], columns: usize) -> Self {
        // A field that continues in the next row is named once, in its widest box.
        let mut named = vec![];
        for (index, row) in bits.chunks(columns).enumerate() {
            self.boxes(columns * index, row, bits, &mut named);
        }
        self
    }

    /// Adds one row of some of the bits.
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
            let color = color(name);
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
        let (left, width, height) = (self.left, MARGIN + WIDTH + 8 - self.left, self.bottom);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
             font-size=\"11\">\n<title>{}</title>\n{}</svg>\n",
            self.title, self.body
        )
    }
}

/// The name, and the number of bits if it fits.
fn label(name: &str, bits: usize, width: f64) -> String {
    let room = ((width - 2.0) / CHARACTER) as usize;
    let with_bits = format!("{name} {bits}");
    if with_bits.len() <= room && name != "0" {
        return with_bits;
    }
    assert!(name.len() <= room, "{name} does not fit its box");
    name.to_owned()
}
