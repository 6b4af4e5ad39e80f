//! The laws of the ID types that `typed_id!` of a spec crate defines.

#![allow(clippy::missing_panics_doc, reason = "each law panics if it does not hold")]

use crate::integrations::{ids, message};
use sortid_core::{ParseError, ParseErrorKind, SortableId, UnixMillis};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// A `T` is the ID `I` in everything but its text, which starts with `start`.
pub fn laws<T, I>(start: &str)
where
    T: SortableId + From<I>,
    I: SortableId + From<T>,
{
    assert_eq!((size_of::<T>(), align_of::<T>()), (size_of::<I>(), align_of::<I>()));
    assert_eq!(size_of::<Option<T>>(), size_of::<Option<I>>());
    assert_eq!((T::NAME, T::TITLE, T::BYTES, T::TIMES), (I::NAME, I::TITLE, I::BYTES, I::TIMES));
    assert_eq!(T::TEXT_LEN, start.len() + I::TEXT_LEN);
    assert_eq!([T::MIN, T::MAX, T::default()].map(I::from), [I::MIN, I::MAX, I::default()]);

    let ids = ids::<I>();
    for id in &ids {
        let typed = T::from(*id);
        assert_eq!(I::from(typed), *id);
        assert_eq!((typed.as_bytes(), typed.integer()), (id.as_bytes(), id.integer()));
        assert_eq!(T::try_from_bytes(id.as_bytes()), Ok(typed));
        assert_eq!(typed.unix_micros(), id.unix_micros());
        assert_eq!((format!("{typed:x}"), format!("{typed:#x}")), (format!("{id:x}"), format!("{id:#x}")));
        let hasher = BuildHasherDefault::<DefaultHasher>::new();
        assert_eq!(hasher.hash_one(typed), hasher.hash_one(id));
        for other in &ids {
            assert_eq!(typed.cmp(&T::from(*other)), id.cmp(other));
        }

        let text = format!("{start}{id}");
        assert_eq!((&*typed.encode(), typed.to_string()), (&*text, text.clone()));
        assert_eq!(
            format!("{typed:>120}|{typed:<120}|{typed:.3}"),
            format!("{text:>120}|{text:<120}|{text:.3}")
        );
        assert!(format!("{typed:?}").ends_with(&format!("Id({text})")));
        assert_eq!(
            (T::parse(&text), text.parse(), T::parse_ascii(text.as_bytes())),
            (Ok(typed), Ok(typed), Ok(typed))
        );
        assert_eq!(
            T::parse(&format!("{start}{}", id.to_string().to_lowercase())).map(I::from),
            I::parse(&id.to_string().to_lowercase())
        );
    }
    for time in [0, 1_717_653_966_000, i128::MAX].map(UnixMillis) {
        assert_eq!(T::min_at(time).map(I::from), I::min_at(time));
        assert_eq!(T::max_at(time).map(I::from), I::max_at(time));
    }
    errors_count_from_the_start_of_the_text::<T, I>(start, &ids[50].to_string());
    if !start.is_empty() {
        a_wrong_prefix_is_an_error::<T>(start, &ids[50].to_string());
    }
}

/// The errors are those of the text without the prefix, at positions in the whole text.
fn errors_count_from_the_start_of_the_text<T: SortableId, I: SortableId>(start: &str, text: &str) {
    let mut wrong = vec![String::new(), format!("{text}{text}0"), format!("{text}ü"), "Z".repeat(text.len())];
    for (at, _) in text.char_indices() {
        wrong.push(text[..at].to_owned());
        wrong.extend(["!", "ü", "-", " "].map(|other| format!("{}{other}{}", &text[..at], &text[at + 1..])));
    }
    for wrong in wrong {
        let Err(error) = I::parse(&wrong) else {
            assert!(T::parse(&format!("{start}{wrong}")).is_ok());
            continue;
        };
        let found = T::parse(&format!("{start}{wrong}")).unwrap_err();
        assert_eq!(found.kind(), error.kind());
        assert_eq!(found.to_string(), after(start, &error), "{wrong:?}");
    }
}

/// The message of the error, if the text stands after `start`.
fn after(start: &str, error: &ParseError) -> String {
    let message = error.to_string();
    if start.is_empty() {
        return message;
    }
    if error.kind() == ParseErrorKind::Length {
        return message.replace(", found", &format!(" after {start:?}, found"));
    }
    let Some((before, rest)) = message.split_once(" at position ") else { return message };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let position: usize = rest[..end].parse().expect("a position");
    format!("{before} at position {}{}", position + start.len(), &rest[end..])
}

fn a_wrong_prefix_is_an_error<T: SortableId>(start: &str, text: &str) {
    let name = start.trim_end_matches('_');
    let expected = format!(", expected the prefix {start:?}");
    let wrong = [
        text.to_owned(),
        format!("{name}{text}"),
        format!("{name}-{text}"),
        format!("{}{text}", start.to_uppercase()),
        format!("x{start}{text}"),
        format!(" {start}{text}"),
        format!("other_{text}"),
        format!("ü_{text}"),
        name.to_owned(),
    ];
    for wrong in wrong {
        let error = T::parse(&wrong).unwrap_err();
        assert_eq!(error.kind(), ParseErrorKind::Prefix, "{wrong}");
        let found: String = wrong.chars().take(4).collect();
        assert!(error.to_string().starts_with(&format!("the text starts with \"{found}")), "{error}");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    assert_eq!(message(T::parse("")), format!("the text is empty{expected}"));
    assert_eq!(message(T::parse_ascii(b"\xff\"")), format!("the text starts with \"\\xff\\\"\"{expected}"));
    let long = format!("{}ü", "x".repeat(23));
    assert_eq!(message(T::parse(&long)), format!("the text starts with \"{}…\"{expected}", "x".repeat(23)));
}

/// Writes the tests of two ID types of a spec crate, without and with a prefix. The other arguments are those of
/// [`integrations!`](crate::integrations!), for the type with a prefix: without one, the macros of the ID itself write the
/// same.
#[macro_export]
macro_rules! typed {
    ($spec:ident, $id:ident, zerocopy: [$($derive:ident),*], $($laws:tt)*) => {
        mod without_prefix {
            use super::*;

            $spec::typed_id! {
                /// The ID of an order.
                pub struct OrderId;
            }

            #[test]
            fn a_typed_id_is_the_id() {
                $crate::typed::laws::<OrderId, $spec::$id>("");
            }
        }

        mod with_prefix {
            use super::*;

            $spec::typed_id! {
                /// The ID of a user.
                #[prefix = "user_account"]
                #[cfg_attr(
                    feature = "zerocopy08",
                    derive($($crate::integrations::zerocopy::$derive),*),
                    zerocopy(crate = "sortid_testkit::integrations::zerocopy")
                )]
                pub struct UserId;
            }

            #[test]
            fn a_typed_id_is_the_id_with_a_prefix() {
                $crate::typed::laws::<UserId, $spec::$id>("user_account_");
            }

            $crate::integrations!(UserId, $($laws)*);
        }
    };
}
