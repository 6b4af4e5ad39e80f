//! JSON texts of all kinds.

use crate::common::reference::Tree;
use proptest::{prelude::*, sample::select};
use std::collections::HashSet;

pub(crate) fn any_number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?"
}

/// Few texts, so that equal keys occur, among them those whose order is easily wrong.
fn any_text() -> impl Strategy<Value = String> {
    let odd = [
        "",
        "a",
        "b",
        "aa",
        "a\0",
        "B",
        "10",
        "2",
        "é",
        "\u{7f}",
        "\u{80}",
        "\u{7ff}",
        "\u{800}",
        "\u{d7ff}",
        "\u{e000}",
        "\u{ffff}",
        "\u{10000}",
        "🌲",
        "\u{10ffff}",
        "\"",
        "\\",
        "/",
        "\n",
        "\u{1f}",
        "\u{2028}",
        "\\u0061",
    ];
    prop_oneof![select(odd.map(str::to_owned).to_vec()), any::<String>()]
}

pub(crate) fn any_tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        select(vec!["true", "false", "null"]).prop_map(|plain| Tree::Plain(plain.to_owned())),
        any_number().prop_map(Tree::Number),
        any_text().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Tree::Array),
            prop::collection::vec((any_text(), inner), 0..8).prop_map(Tree::Object),
        ]
    })
}

/// Decides how a value is written: white space and escapes.
pub(crate) struct Noise<'n> {
    choices: std::iter::Cycle<std::slice::Iter<'n, u8>>,
}

impl<'n> Noise<'n> {
    /// `choices` must not be empty.
    pub(crate) fn new(choices: &'n [u8]) -> Self {
        Self { choices: choices.iter().cycle() }
    }

    fn next(&mut self) -> u8 {
        *self.choices.next().unwrap()
    }
}

impl Tree {
    /// The value as JSON, with white space and escapes as the noise decides.
    pub(crate) fn print(&self, noise: &mut Noise<'_>) -> String {
        let mut out = String::new();
        self.put(noise, &mut out);
        out
    }

    /// Whether an object in it has two members of one name.
    pub(crate) fn has_duplicates(&self) -> bool {
        match self {
            Self::Plain(_) | Self::Number(_) | Self::Text(_) => false,
            Self::Array(values) => values.iter().any(Self::has_duplicates),
            Self::Object(members) => {
                let keys: HashSet<_> = members.iter().map(|(key, _)| key).collect();
                keys.len() < members.len() || members.iter().any(|(_, value)| value.has_duplicates())
            }
        }
    }

    fn put(&self, noise: &mut Noise<'_>, out: &mut String) {
        put_blanks(noise, out);
        match self {
            Self::Plain(text) | Self::Number(text) => out.push_str(text),
            Self::Text(text) => put_string(text, noise, out),
            Self::Array(values) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    value.put(noise, out);
                }
                put_blanks(noise, out);
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    put_blanks(noise, out);
                    put_string(key, noise, out);
                    put_blanks(noise, out);
                    out.push(':');
                    value.put(noise, out);
                }
                put_blanks(noise, out);
                out.push('}');
            }
        }
        put_blanks(noise, out);
    }
}

fn put_blanks(noise: &mut Noise<'_>, out: &mut String) {
    out.push_str(["", "", "", "", " ", "\n", "\r\n", "\t  "][usize::from(noise.next() % 8)]);
}

fn put_string(text: &str, noise: &mut Noise<'_>, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        let choice = noise.next();
        let short = "\"\\/\u{8}\u{c}\n\r\t".find(char).map(|at| char::from(b"\"\\/bfnrt"[at]));
        match short {
            _ if choice % 8 == 0 => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    let digits = if choice < 128 { format!("{unit:04x}") } else { format!("{unit:04X}") };
                    out.push_str(&format!("\\u{digits}"));
                }
            }
            Some(short) if char != '/' || choice % 2 == 0 => out.extend(['\\', short]),
            None if char < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
            _ => out.push(char),
        }
    }
    out.push('"');
}
