//! Texts: the texts of IDs in all forms, and texts that are almost the text of an ID.

use crate::subject::{Subject, Value};
use fastrand::Rng;
use sortid_sql::Spec;
use std::collections::HashSet;

/// A text, and the ID that the library reads in it.
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) id: Option<Vec<u8>>,
}

/// Characters that no ID has, that look like a character of an ID, or that some languages turn into one in another
/// case.
const STRANGE: [&str; 40] = [
    "\u{212a}",
    "\u{131}",
    "\u{130}",
    "\u{17f}",
    "\u{ff10}",
    "\u{ff11}",
    "\u{ff21}",
    "\u{ff41}",
    "\u{661}",
    "\u{e9}",
    "\u{df}",
    "\u{fb01}",
    "e\u{301}",
    "\u{301}",
    "\u{200b}",
    "\u{feff}",
    "\u{a0}",
    "\u{1f600}",
    "\u{10ffff}",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{1}",
    "\u{7f}",
    "\u{1b}",
    "-",
    "_",
    "+",
    ".",
    ",",
    "'",
    "\"",
    "\\",
    "%",
    "*",
    "u",
    "/",
    "=",
];

/// The texts of the IDs, unchanged and in other spellings, and texts that are almost an ID: as many good texts as IDs.
pub(super) fn texts(
    subject: &Subject,
    ids: &[(Vec<u8>, Vec<Value>)],
    count: usize,
    random: &mut Rng,
) -> Vec<Text> {
    let mut texts = Texts { subject, seen: HashSet::new(), texts: vec![] };
    for (_, values) in ids.iter().take(count) {
        if let Some(Value::Text(text)) = values.get(1) {
            texts.push(text.clone());
        }
    }
    let canonical: Vec<String> = texts.texts.iter().map(|text| text.text.clone()).collect();
    let some = |random: &mut Rng| canonical[random.usize(..canonical.len())].clone();
    for _ in 0..count / 10 {
        let text = some(random);
        texts.push(text.to_lowercase());
        texts.push(text.to_uppercase());
        texts.push(in_mixed_case(&text, random));
        texts.push(with_aliases(&text, random));
        match subject.spec {
            Spec::RonUid => {
                texts.push(ron(random));
                texts.push(noise("01~aZ_([{}])-+$%", random));
                texts.push(format!("{text}0"));
                texts.push(format!("{text}-"));
            }
            Spec::Euid => {
                // Other checks, among them the check that means no check.
                let digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
                texts.push(text[..25].to_owned() + &of_length(digits, 2, random));
                texts.push(text[..25].to_owned() + ["FZ", "FY", "G0", "ZZ", "fz"][random.usize(..5)]);
                let upper = random.u128(..);
                let id = sortid::euid::Euid::from_u128(upper);
                texts.push(id.encode_without_check().to_string());
                texts.push(of_length(digits, 27, random));
            }
            Spec::UlidFlake => texts.push(of_length("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13, random)),
            Spec::Scru160 => {
                texts.push(of_length("0123456789abcdefABCDEF", 40, random));
                texts.push(of_length("0123456789abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUV", 32, random));
            }
            _ => texts.push(of_length("0123456789abcdefABCDEF", 32, random)),
        }
    }
    for text in subject.vectors.iter().filter(|text| !text.contains('\0')) {
        texts.push(text.clone());
    }
    for _ in 0..30 {
        let text = some(random);
        mutations(&text, random, &mut texts);
    }
    if subject.spec == Spec::RonUid {
        let characters = "0A~-+$%([{}])".chars();
        for first in characters.clone() {
            texts.push(first.to_string());
            for second in characters.clone() {
                texts.push(format!("{first}{second}"));
            }
        }
    }
    if subject.spec == Spec::Scru160 {
        let text: String = (0..40).map(|_| char::from(b"0123456789abcdef"[random.usize(..16)])).collect();
        mutations(&text, random, &mut texts);
    }
    for text in [
        "",
        "0",
        "~",
        "~~~~~~~~~~",
        "NULL",
        "null",
        "true",
        "\u{0}x",
        "[",
        "-",
        "(",
        "0000000000",
        "00000000000",
    ] {
        texts.push(text.replace('\u{0}', "\u{2}"));
    }
    for digit in ["0", "A", "~", "\u{e9}", "(", "-", "1-"] {
        for length in
            [1, 12, 13, 14, 25, 26, 27, 28, 31, 32, 33, 39, 40, 41, 64, 255, 256, 257, 65_535, 65_536]
        {
            texts.push(digit.repeat(length));
        }
    }
    texts.push("0".repeat(1_000_000));
    texts.push("\u{1f600}".repeat(250_000));
    texts.texts
}

struct Texts<'a> {
    subject: &'a Subject,
    seen: HashSet<String>,
    texts: Vec<Text>,
}

impl Texts<'_> {
    fn push(&mut self, text: String) {
        if self.seen.insert(text.clone()) {
            let id = (self.subject.parse)(&text);
            self.texts.push(Text { text, id });
        }
    }
}

/// What is almost a text.
fn mutations(text: &str, random: &mut Rng, texts: &mut Texts<'_>) {
    let length = text.len();
    texts.push(text[..length.saturating_sub(1)].to_owned());
    texts.push(text[1.min(length)..].to_owned());
    for added in ["0", "A", "z"].iter().chain(&STRANGE) {
        texts.push(format!("{text}{added}"));
        texts.push(format!("{added}{text}"));
    }
    for at in 0..length {
        for _ in 0..6 {
            let strange = STRANGE[random.usize(..STRANGE.len())];
            texts.push(format!("{}{strange}{}", &text[..at], &text[at + 1..]));
            // As many bytes as before, if the text is long enough.
            let end = (at + strange.len()).min(length);
            texts.push(format!("{}{strange}{}", &text[..at], &text[end..]));
        }
        let byte = char::from(random.u8(1..128));
        texts.push(format!("{}{byte}{}", &text[..at], &text[at + 1..]));
        let digit = char::from(random.u8(b'0'..=b'z'));
        texts.push(format!("{}{digit}{}", &text[..at], &text[at + 1..]));
    }
}

fn in_mixed_case(text: &str, random: &mut Rng) -> String {
    let mix = |c: char| if random.bool() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(mix).collect()
}

/// With letters that Crockford's base32 reads as digits.
fn with_aliases(text: &str, random: &mut Rng) -> String {
    let mut alias = |c| match c {
        '0' => ['0', 'o', 'O'][random.usize(..3)],
        '1' => ['1', 'i', 'I', 'l', 'L'][random.usize(..5)],
        c if random.bool() => c.to_ascii_lowercase(),
        c => c,
    };
    text.chars().map(&mut alias).collect()
}

/// A text of a RON UID, whose parts may begin with a bracket, end with zeros, be left out, or be too long.
fn ron(random: &mut Rng) -> String {
    const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
    let part = |random: &mut Rng| {
        let bracket = if random.u8(0..3) == 0 { of_length("([{}])", 1, random) } else { String::new() };
        let digits = random.usize(0..if bracket.is_empty() { 12 } else { 7 });
        let zeros = if random.u8(0..4) == 0 { random.usize(0..4) } else { 0 };
        bracket + &of_length(DIGITS, digits, random) + &"0".repeat(zeros)
    };
    let sign = if random.u8(0..4) == 0 { String::new() } else { of_length("-+$%", 1, random) };
    part(random) + &sign + &part(random)
}

/// Up to 24 of these characters.
fn noise(characters: &str, random: &mut Rng) -> String {
    let length = random.usize(0..24);
    of_length(characters, length, random)
}

fn of_length(characters: &str, length: usize, random: &mut Rng) -> String {
    let characters = characters.as_bytes();
    (0..length).map(|_| char::from(characters[random.usize(..characters.len())])).collect()
}
