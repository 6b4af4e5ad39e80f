//! Draws the bits of an ID as an SVG: rows of coloured boxes with a name in each. The text is white on the boxes, and grey
//! beside them, so it is readable on light and on dark pages.

mod scale;

use sortid::{__with_type as with_type, Role, SortableId, Spec};
use std::{collections::BTreeSet, fmt::Write};

/// The width of a row of bits, the height of a row with the space around it, and where the rows begin, in pixels.
const WIDTH: usize = 800;
const HEIGHT: usize = 40;
const MARGIN: usize = 40;

/// The width of a character in a box, in pixels.
const CHARACTER: f64 = 6.7;

/// The kinds of the fields, their colours, and the names of the fields. Fields of one kind have the same colour in all
/// drawings.
const KINDS: &[(&str, &str, &[&str])] = &[
    ("time", "#1f5fbf", &["timestamp_ms", "timestamp_us", "unix_ts_ms", "value", "calendar"]),
    ("counter", "#9a4a00", &["counter", "random_high", "sequence"]),
    (
        "random",
        "#1a7037",
        &["random16", "random80", "random_upper", "random_low", "randomness", "rand_a", "rand_b"],
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
    bottom: usize,
    kinds: BTreeSet<usize>,
}

impl Drawing {
    /// A drawing whose title is not in the picture.
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new(), bottom: 0, kinds: BTreeSet::new() }
    }

    /// Adds a line of text.
    pub(crate) fn caption(mut self, text: &str) -> Self {
        self.bottom += 24;
        let y = self.bottom - 6;
        writeln!(self.body, r#"<text x="{MARGIN}" y="{y}" fill="{GREY}">{text}</text>"#).unwrap();
        self
    }

    pub(crate) fn to_svg(&self) -> String {
        let (left, width, height) = (MARGIN - 8, WIDTH + 16, self.bottom);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
             font-size=\"11\">\n<title>{}</title>\n{}</svg>\n",
            self.title, self.body
        )
    }
}
