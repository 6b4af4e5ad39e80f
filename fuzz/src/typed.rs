//! ID types that `typed_id!` defines.

use crate::printed::printed;
use euid::Euid;
use evently_id::EventId;
use ron_uid::RonUid;
use scru160::Scru160;
use serde::{
    Deserialize, Serialize,
    de::{IntoDeserializer, value::Error},
};
use sortid_core::{ParseErrorKind, SortableId};
use ulid_flake::UlidFlake;

/// Defines two ID types of each specification, in a module, and the list of their laws.
macro_rules! types {
    ($($module:ident: $spec:ident, $Id:ty, $prefix:literal)*) => {
        $(mod $module {
            $spec::typed_id! {
                pub(super) struct Plain;

                #[prefix = $prefix]
                pub(super) struct Prefixed;
            }
        })*

        const LAWS: &[fn(&[u8])] =
            &[$(|text| laws::<$module::Plain, $module::Prefixed, $Id>($module::Prefixed::PREFIX, text)),*];
    };
}

types! {
    of_scru160: scru160, Scru160, "user"
    of_euid: euid, Euid, "a_b"
    of_flake: ulid_flake, UlidFlake, "x"
    // All letters of a prefix are digits of a RON UID, and so is the separator.
    of_ron: ron_uid, RonUid, "event"
    of_event: evently_id, EventId, "order_line"
}

/// The first byte chooses the specification. The text follows, with or without the prefix.
pub(crate) fn typed(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    LAWS[usize::from(choice) % LAWS.len()](text);
}

fn laws<P, T, I>(prefix: &str, text: &[u8])
where
    P: SortableId + From<I>,
    T: SortableId + From<I> + Serialize + for<'de> Deserialize<'de>,
    I: SortableId + From<P> + From<T>,
{
    assert_eq!(P::parse_ascii(text).map(I::from), I::parse_ascii(text), "without a prefix, it is the ID");
    let start = &*printed(format_args!("{prefix}_"));
    prefixed::<T, I>(start, text);
    if !text.starts_with(start.as_bytes()) {
        prefixed::<T, I>(start, &[start.as_bytes(), text].concat());
    }
}

fn prefixed<T, I>(start: &str, text: &[u8])
where
    T: SortableId + From<I> + Serialize + for<'de> Deserialize<'de>,
    I: SortableId + From<T>,
{
    let read = T::parse_ascii(text);
    if let Ok(text) = std::str::from_utf8(text) {
        assert_eq!(T::parse(text), read);
        let from_serde = T::deserialize(IntoDeserializer::<Error>::into_deserializer(text));
        assert_eq!(from_serde.ok(), read.as_ref().ok().copied());
    }
    let Some(rest) = text.strip_prefix(start.as_bytes()) else {
        let error = read.expect_err("a text without the prefix is refused");
        assert_eq!((error.kind(), error.position()), (ParseErrorKind::Prefix, None));
        assert!(
            printed(&error).ends_with(&*printed(format_args!("expected the prefix {start:?}"))),
            "{error}"
        );
        return;
    };
    let id = match (I::parse_ascii(rest), read) {
        (Ok(id), Ok(typed)) => {
            assert_eq!(I::from(typed), id);
            id
        }
        (Err(error), Err(found)) => {
            assert_eq!(found.kind(), error.kind());
            assert_eq!(found.position(), error.position().map(|at| at + start.len()), "{found}");
            assert!(printed(&found).len() < 250, "{found}");
            return;
        }
        (id, typed) => panic!("{id:?} and {typed:?}"),
    };
    let typed = T::from(id);
    let text = &*printed(typed);
    assert_eq!(text.strip_prefix(start), Some(&*printed(id)));
    assert_eq!(*typed.encode(), *text);
    assert_eq!(text.parse(), Ok(typed));
    assert_eq!(serde_json::to_string(&typed).unwrap(), *printed(format_args!("\"{text}\"")));
    assert_eq!(T::try_from_bytes(id.as_bytes()), Ok(typed));
    assert_eq!(typed.unix_micros(), id.unix_micros());
}
