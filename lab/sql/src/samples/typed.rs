//! Typed IDs: their texts, which begin with a prefix, and texts that almost do.

use super::Text;
use crate::subject::{Subject, Value};
use fastrand::Rng;
use sortid_core::{__private::typed_id, ParseError, SortableId};
use sortid_sql::Spec;
use std::panic;

/// An ID, a text, and what the library says of both as the ID type of a prefix.
pub(crate) struct Typed {
    pub(crate) prefix: &'static str,
    pub(crate) id: Vec<u8>,
    pub(crate) text_of_id: String,
    pub(crate) text: String,
    /// The ID that the library reads in the text.
    pub(crate) parsed: Option<Vec<u8>>,
}

/// An ID type of the library.
struct Type {
    prefix: &'static str,
    text: fn(&[u8]) -> String,
    parse: fn(&str) -> Result<Vec<u8>, ParseError>,
}

impl Type {
    const fn new<I: SortableId>(prefix: &'static str) -> Self {
        let text = |id: &[u8]| {
            let Ok(id) = I::try_from_bytes(id) else { unreachable!("the sample is an ID") };
            id.encode().to_string()
        };
        Self { prefix, text, parse: |text| Ok(I::parse(text)?.as_bytes().to_vec()) }
    }
}

/// Defines the ID types of specifications.
macro_rules! types {
    ($($spec:ident)*) => {
        $(mod $spec {
            use super::Type;

            sortid::$spec::typed_id! {
                #[prefix = "order"]
                pub(super) struct OrderId;
                #[prefix = "a"]
                pub(super) struct ShortId;
                #[prefix = "order_item"]
                pub(super) struct ItemId;
                #[prefix = "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz__abcdefgz"]
                pub(super) struct LongId;
            }

            pub(super) const ALL: [Type; 4] = [
                Type::new::<OrderId>(OrderId::PREFIX),
                Type::new::<ShortId>(ShortId::PREFIX),
                Type::new::<ItemId>(ItemId::PREFIX),
                Type::new::<LongId>(LongId::PREFIX),
            ];
        })*
    };
}

types!(evently_id scru160 euid ulid_flake ron_uid);

const fn types(spec: Spec) -> [Type; 4] {
    match spec {
        Spec::EventlyId => evently_id::ALL,
        Spec::Scru160 => scru160::ALL,
        Spec::Euid => euid::ALL,
        Spec::UlidFlake => ulid_flake::ALL,
        Spec::RonUid => ron_uid::ALL,
        _ => panic!("each specification has ID types"),
    }
}

/// Prefixes, good and bad.
pub(crate) const PREFIXES: [&str; 24] = [
    "order",
    "z",
    "a_z",
    "a__z",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl",
    "",
    "_",
    "__",
    "_order",
    "order_",
    "Order",
    "ordeR",
    "orDer",
    "order1",
    "order-item",
    "order item",
    " order",
    "order\n",
    "order\nitem",
    "\u{e4}rger",
    "\u{e9}",
    "o'r\"d",
    "%",
];

/// Whether the library takes the prefix. The macro calls this function at compile time.
pub(crate) fn is_prefix(prefix: &str) -> bool {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let start = panic::catch_unwind(|| typed_id::start::<64>(prefix, ""));
    panic::set_hook(hook);
    start.is_ok()
}

/// One for each ID.
pub(super) fn typed(
    subject: &Subject,
    ids: &[(Vec<u8>, Vec<Value>)],
    texts: &[Text],
    random: &mut Rng,
) -> Vec<Typed> {
    let types = types(subject.spec);
    let one = |(id, _): &(Vec<u8>, Vec<Value>)| {
        let of = &types[random.usize(..types.len())];
        let text_of_id = (of.text)(id);
        let text = match random.u8(0..6) {
            0 | 1 => text_of_id.clone(),
            // The text of another ID, or what is not an ID. A long text is not tried for each ID.
            2 | 3 => match &texts[random.usize(..texts.len())].text {
                text if text.len() > 1000 && random.u8(0..8) > 0 => format!("{}_", of.prefix),
                text => format!("{}_{text}", of.prefix),
            },
            _ => almost(of.prefix, &types, &text_of_id, random),
        };
        let parsed = (of.parse)(&text).ok();
        Typed { prefix: of.prefix, id: id.clone(), text_of_id, text, parsed }
    };
    ids.iter().map(one).collect()
}

/// What is almost the text of a typed ID.
fn almost(prefix: &str, types: &[Type], text: &str, random: &mut Rng) -> String {
    let rest = &text[prefix.len() + 1..];
    match random.u8(0..14) {
        0 => format!("{}_{rest}", types[random.usize(..types.len())].prefix),
        1 => rest.to_owned(),
        2 => format!("{prefix}{rest}"),
        3 => format!("_{rest}"),
        4 => prefix[..random.usize(..=prefix.len())].to_owned(),
        5 => format!("{prefix}_"),
        6 => format!("{prefix}__{rest}"),
        7 => format!("{prefix}-{rest}"),
        8 => format!("{}_{rest}", prefix.to_uppercase()),
        9 => {
            let at = random.usize(..prefix.len());
            let letter = prefix[at..=at].to_uppercase();
            format!("{}{letter}{}", &prefix[..at], &text[at + 1..])
        }
        10 => format!("{}{text}", [" ", "\n", "\u{feff}", "\u{e9}", "a", "_"][random.usize(..6)]),
        11 => format!("{prefix}_{}", text.to_lowercase()),
        // Truncated, and with a wrong last digit, which in an EUID is of the check.
        12 => text[..random.usize(..text.len())].to_owned(),
        _ => format!("{}{}", &text[..text.len() - 1], ["0", "1", "z", "(", " "][random.usize(..5)]),
    }
}
