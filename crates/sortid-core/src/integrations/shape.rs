//! What an ID is in JSON, in each form of serde. Each library of schemas has a function that converts it.

use super::Texts;
use alloc::{
    format,
    string::{String, ToString},
};
use core::ops::RangeInclusive;

#[derive(Debug)]
pub struct Shape {
    pub description: String,
    pub kind: Kind,
    pub is_nullable: bool,
}

#[derive(Debug)]
pub enum Kind {
    Text {
        lengths: Option<RangeInclusive<usize>>,
        pattern: Option<String>,
        format: Option<&'static str>,
    },
    /// An integer of 64 bits that is not negative.
    Integer,
    IntegerOrDigits,
    /// An array of bytes.
    Bytes(Option<usize>),
}

const DIGITS: &str = "^(0|[1-9][0-9]*)$";

impl Kind {
    /// The text of an ID.
    #[must_use]
    pub fn text<I: Texts>() -> Self {
        let (prefix, lengths) = (I::PREFIX, I::LENGTHS);
        let pattern = format!("^{prefix}{}", I::PATTERN.trim_start_matches('^'));
        let lengths = prefix.len() + lengths.start()..=prefix.len() + lengths.end();
        Self::Text { lengths: Some(lengths), pattern: Some(pattern), format: None }
    }

    /// The pattern of a text or of digits.
    #[must_use]
    pub fn pattern(self) -> Option<String> {
        match self {
            Self::Text { pattern, .. } => pattern,
            Self::IntegerOrDigits => Some(DIGITS.to_string()),
            Self::Integer | Self::Bytes(_) => None,
        }
    }
}

impl Shape {
    /// The text of an ID.
    #[must_use]
    pub fn of_id<I: Texts>() -> Self {
        Self { description: format!("{} as text", I::TITLE), kind: Kind::text::<I>(), is_nullable: false }
    }
}

#[cfg(feature = "serde")]
mod forms {
    use super::{DIGITS, Kind, Shape, Texts};
    use crate::{
        integrations::serde::{Array, Bytes, Decimal, Hex, Hyphenated, Integer, Text, TextOrHyphenated},
        serde::AnyField,
    };
    use alloc::{
        format,
        string::{String, ToString},
    };

    /// What is known of the field.
    pub trait Subject {
        const TITLE: &'static str;
        const BYTES: Option<usize>;
        const IS_NULLABLE: bool;

        fn text() -> Kind;
    }

    impl<I: Texts> Subject for I {
        const TITLE: &'static str = I::TITLE;
        const BYTES: Option<usize> = Some(I::BYTES);
        const IS_NULLABLE: bool = false;

        fn text() -> Kind {
            Kind::text::<I>()
        }
    }

    impl Subject for AnyField {
        const TITLE: &'static str = "ID";
        const BYTES: Option<usize> = None;
        const IS_NULLABLE: bool = true;

        fn text() -> Kind {
            Kind::Text { lengths: None, pattern: None, format: None }
        }
    }

    /// A form.
    pub trait Shaped {
        const NAME: &'static str;
        const AS: &'static str;

        fn kind<T: Subject>() -> Kind;

        #[must_use]
        fn shape<T: Subject>() -> Shape {
            Shape {
                description: format!("{} as {}", T::TITLE, Self::AS),
                kind: Self::kind::<T>(),
                is_nullable: T::IS_NULLABLE,
            }
        }
    }

    fn text(pattern: String, format: Option<&'static str>) -> Kind {
        Kind::Text { lengths: None, pattern: Some(pattern), format }
    }

    const UUID: &str = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

    macro_rules! shaped {
        ($($form:ident $name:literal as $about:literal: $kind:expr;)*) => {
            $(impl Shaped for $form {
                const NAME: &'static str = $name;
                const AS: &'static str = $about;

                fn kind<T: Subject>() -> Kind {
                    let kind: fn(Option<usize>, Kind) -> Kind = $kind;
                    kind(T::BYTES, T::text())
                }
            })*
        };
    }

    shaped! {
        Array "Array" as "bytes": |bytes, _| Kind::Bytes(bytes);
        Bytes "Bytes" as "bytes": |bytes, _| Kind::Bytes(bytes);
        Decimal "Decimal" as "decimal digits": |_, _| text(DIGITS.to_string(), None);
        Hex "Hex" as "hex": |bytes, _| {
            let count = bytes.map_or_else(|| "+".to_string(), |bytes| format!("{{{bytes}}}"));
            text(format!("^([0-9A-Fa-f]{{2}}){count}$"), None)
        };
        Hyphenated "Hyphenated" as "a UUID": |_, _| text(format!("^{UUID}"), Some("uuid"));
        Integer "Integer" as "an integer": |bytes, _| match bytes {
            None => Kind::IntegerOrDigits,
            Some(..=8) => Kind::Integer,
            Some(_) => text(DIGITS.to_string(), None),
        };
        Text "Text" as "text": |_, text| text;
        TextOrHyphenated "TextOrHyphenated" as "text, or as a UUID": |_, of_id| {
            let pattern = of_id.pattern().map(|pattern| format!("{pattern}|^{UUID}"));
            Kind::Text { lengths: None, pattern, format: None }
        };
    }
}

#[cfg(feature = "serde")]
pub use forms::{Shaped, Subject};
