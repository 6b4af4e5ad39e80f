//! IDs from bytes: which bytes are refused, and the order of the IDs.

use crate::{
    printed::{Printed, printed},
    text::canonical,
};
use euid::Euid;
use evently_id::{EventId, LedgerId};
use ron_uid::RonUid;
use scru160::Scru160;
use sortid_core::ParseError;
use std::{fmt, str::FromStr};
use ulid_flake::UlidFlake;

pub(crate) fn all(data: &[u8]) {
    two(data, 20, |_| true, |id: &Scru160| printed(id.encode()));
    two(data, 16, |_| true, |id: &Euid| printed(id.encode()));
    two(data, 16, |_| true, |id: &EventId| printed(id.encode()));
    two(data, 4, |_| true, |id: &LedgerId| printed(id.encode()));
    two(data, 8, |bytes| bytes[0] < 0x80, |id: &UlidFlake| printed(id.encode()));

    let is_uid = |bytes: &[u8]| bytes[0] < 0x10 && bytes[8] < 0x40;
    let ids = [data, data.get(16..).unwrap_or_default()].map(|bytes| {
        let bytes = bytes.get(..16)?;
        let read = RonUid::try_from(bytes);
        assert_eq!(read.is_ok(), is_uid(bytes), "{read:?}");
        read.ok().inspect(|id| {
            canonical(*id, &id.encode());
            assert_eq!(RonUid::from_fields(id.value(), id.origin(), id.scheme()), *id);
        })
    });
    if let [Some(a), Some(b)] = ids {
        let key = |id: RonUid| (id.value().to_int(), id.origin().to_int(), id.scheme());
        assert_eq!(a.cmp(&b), key(a).cmp(&key(b)));
        if a.scheme() == b.scheme() {
            assert_eq!(
                a.cmp(&b),
                a.to_bytes().cmp(&b.to_bytes()),
                "the bytes sort like the IDs of one scheme"
            );
        }
        let text = |id: RonUid| id.value().encode();
        assert_eq!(a.value().cmp(&b.value()), text(a).cmp(&text(b)));
    }
}

/// Reads the first bytes as one ID, and the next as another: the IDs, their bytes and their texts have the same order.
fn two<I>(data: &[u8], length: usize, is_id: impl Fn(&[u8]) -> bool, encode: impl Fn(&I) -> Printed)
where
    I: Copy + Ord + fmt::Debug + fmt::Display + fmt::LowerHex + FromStr<Err = ParseError> + AsRef<[u8]>,
    for<'a> I: TryFrom<&'a [u8], Error = ParseError>,
{
    // All of the bytes, of any length.
    let whole = I::try_from(data);
    assert_eq!(whole.is_ok(), data.len() == length && is_id(data), "{whole:?}");
    let ids = [data, data.get(length..).unwrap_or_default()].map(|bytes| {
        let bytes = bytes.get(..length)?;
        let read = I::try_from(bytes);
        assert_eq!(read.is_ok(), is_id(bytes), "{read:?}");
        read.ok().inspect(|id| {
            assert_eq!(id.as_ref(), bytes);
            canonical(*id, &encode(id));
        })
    });
    if let [Some(a), Some(b)] = ids {
        assert_eq!(a.cmp(&b), a.as_ref().cmp(b.as_ref()));
        assert_eq!(a.cmp(&b), encode(&a).cmp(&*encode(&b)));
    }
}
