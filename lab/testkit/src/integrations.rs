//! The laws of the integrations, which hold for every ID type.

#![allow(clippy::missing_panics_doc, reason = "each law panics if it does not hold")]

pub use {
    arbitrary, borsh, bytemuck, chrono, defmt, jiff, proptest, rkyv, schemars, serde, serde_json, time,
    utoipa5, uuid, zerocopy,
};

mod schemas;
pub use schemas::{schemars_laws, utoipa_laws};

mod uuids;
pub use uuids::{serde_hyphenated_laws, uuid_or_laws, uuid_ranges_laws};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use sortid_core::{
    __private::integrations::{from_bits, one, serde::AsInteger, used_bits},
    AsText, SortableId,
};
use std::fmt::{Debug, Display};

/// Returns 100 IDs from all of the range, among them the least and the greatest.
#[must_use]
pub fn ids<I: SortableId>() -> Vec<I> {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut ids = vec![id_of(|| 0), id_of(|| 0xff)];
    ids.resize_with(100, || id_of(&mut random));
    ids
}

fn id_of<I: SortableId>(mut byte: impl FnMut() -> u8) -> I {
    let mut bytes = I::Bytes::default();
    bytes.as_mut().fill_with(&mut byte);
    from_bits(bytes)
}

/// Returns bytes that are not an ID: each differs from the least ID in one bit that is the same in all. Empty if all bytes are an ID.
#[must_use]
pub fn no_ids<I: SortableId>() -> Vec<I::Bytes> {
    let bits = used_bits::<I>();
    let same = |at: usize| bits.as_ref()[at / 8] & 0x80 >> (at % 8) == 0;
    let with_other = |at: usize| {
        let mut bytes = I::Bytes::default();
        bytes.as_mut().copy_from_slice(I::MIN.as_ref());
        bytes.as_mut()[at / 8] ^= 0x80 >> (at % 8);
        bytes
    };
    (0..8 * size_of::<I>()).filter(|&at| same(at)).map(with_other).collect()
}

/// Returns the message of the error.
///
/// # Panics
///
/// If the result is not an error.
#[track_caller]
pub fn message<T: Debug, E: Display>(result: Result<T, E>) -> String {
    result.expect_err("an error").to_string()
}

/// Serde writes and reads the text in JSON, the bytes in Postcard, and a field in each of its forms.
pub fn serde_laws<I: SortableId + Serialize + DeserializeOwned>() {
    for id in ids::<I>() {
        let text = json!(id.to_string());
        assert_eq!(serde_json::to_value(id).unwrap(), text);
        assert_eq!(serde_json::from_value::<I>(text.clone()).unwrap(), id);
        assert_eq!(serde_json::from_str::<I>(&text.to_string()).unwrap(), id);

        let bytes = id.as_ref();
        let counted = [&[bytes.len() as u8], bytes].concat();
        assert_eq!(postcard::to_allocvec(&id).unwrap(), counted);
        assert_eq!(postcard::from_bytes::<I>(&counted).unwrap(), id);

        let forms = Forms::of(id);
        let hex = format!("{id:x}");
        let written = serde_json::to_value(&forms).unwrap();
        assert_eq!(
            written,
            json!({
                "bytes": bytes, "maybe_bytes": bytes, "hex": hex, "maybe_hex": hex,
                "text": text, "maybe_text": text, "wrapped": text,
            })
        );
        assert_eq!(serde_json::from_value::<Forms<I>>(written.clone()).unwrap(), forms);
        assert_eq!(serde_json::from_str::<Forms<I>>(&written.to_string()).unwrap(), forms);
        assert_eq!(
            serde_json::from_str::<Forms<I>>(&written.to_string().replace(&hex, &hex.to_uppercase()))
                .unwrap(),
            forms
        );

        let written = postcard::to_allocvec(&forms).unwrap();
        assert_eq!(postcard::from_bytes::<Forms<I>>(&written).unwrap(), forms);
        let wrapped = postcard::to_allocvec(&AsText(id)).unwrap();
        assert_eq!(&wrapped[1..], id.to_string().as_bytes());
    }
    let forms = Forms::<I> { maybe_bytes: None, maybe_hex: None, maybe_text: None, ..Forms::of(ids()[0]) };
    let written = serde_json::to_value(&forms).unwrap();
    assert!(
        written["maybe_bytes"].is_null() && written["maybe_hex"].is_null() && written["maybe_text"].is_null()
    );
    assert_eq!(serde_json::from_value::<Forms<I>>(written).unwrap(), forms);
    assert_eq!(postcard::from_bytes::<Forms<I>>(&postcard::to_allocvec(&forms).unwrap()).unwrap(), forms);
    serde_refuses::<I>();
}

fn serde_refuses<I: SortableId + Serialize + DeserializeOwned>() {
    let error = message(serde_json::from_str::<I>("1"));
    assert!(error.contains(&format!("expected the text of {}", one::<I>())), "{error}");
    let too_long = format!("{:0>50}", "");
    let expected = message(too_long.parse::<I>());
    let error = message(serde_json::from_value::<I>(json!(too_long)));
    assert!(error.contains(&expected), "{error}");

    let len = size_of::<I>();
    let zeros = vec![0; len + 2];
    for wrong in [len - 1, len + 1] {
        let error = message(serde_json::from_value::<InBytes<I>>(json!(zeros[..wrong])));
        assert!(error.contains(&format!("expected the {len} bytes of {}", one::<I>())), "{error}");
        let hex = "0".repeat(2 * wrong);
        let error = message(serde_json::from_value::<InHex<I>>(json!(hex)));
        assert!(error.contains(&format!("expected the {} hex digits of {}", 2 * len, one::<I>())), "{error}");
        let mut counted = zeros[..=wrong].to_vec();
        counted[0] = wrong as u8;
        assert!(postcard::from_bytes::<I>(&counted).is_err());
    }
    let not_hex = "0".repeat(2 * len - 1) + "g";
    let error = message(serde_json::from_value::<InHex<I>>(json!(not_hex)));
    assert!(error.contains(&format!("'g' at position {} is not a hex digit", 2 * len - 1)), "{error}");
    for bytes in no_ids::<I>() {
        let bytes = bytes.as_ref();
        assert!(postcard::from_bytes::<I>(&[&[len as u8], bytes].concat()).is_err());
        assert!(serde_json::from_value::<InBytes<I>>(json!(bytes)).is_err());
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(serde_json::from_value::<InHex<I>>(json!(hex)).is_err());
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "I: SortableId + Serialize + DeserializeOwned")]
struct Forms<I> {
    #[serde(with = "sortid_core::serde::bytes")]
    bytes: I,
    #[serde(with = "sortid_core::serde::bytes")]
    maybe_bytes: Option<I>,
    #[serde(with = "sortid_core::serde::hex")]
    hex: I,
    #[serde(with = "sortid_core::serde::hex")]
    maybe_hex: Option<I>,
    #[serde(with = "sortid_core::serde::text")]
    text: I,
    #[serde(with = "sortid_core::serde::text")]
    maybe_text: Option<I>,
    wrapped: AsText<I>,
}

impl<I: Copy> Forms<I> {
    fn of(id: I) -> Self {
        Self {
            bytes: id,
            maybe_bytes: Some(id),
            hex: id,
            maybe_hex: Some(id),
            text: id,
            maybe_text: Some(id),
            wrapped: AsText(id),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
struct InBytes<I>(
    #[serde(with = "sortid_core::serde::bytes")]
    #[allow(dead_code, reason = "read by Debug")]
    I,
);

#[derive(Debug, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
struct InHex<I>(
    #[serde(with = "sortid_core::serde::hex")]
    #[allow(dead_code, reason = "read by Debug")]
    I,
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "I: AsInteger")]
struct Integers<I> {
    #[serde(with = "sortid_core::serde::integer")]
    id: I,
    #[serde(with = "sortid_core::serde::integer")]
    maybe: Option<I>,
}

/// `serde::integer` writes the integer in JSON and in Postcard, reads it and its digits, and refuses `no_id`, an integer that is not an ID.
pub fn serde_integer_laws<I: AsInteger<Integer: Display>>(no_id: Option<&str>) {
    for id in ids::<I>() {
        let integers = Integers { id, maybe: Some(id) };
        let digits = I::Integer::from(id).to_string();
        // Serde's buffer has no number of 128 bits.
        let int = if I::BYTES > 8 { format!("\"{digits}\"") } else { digits.clone() };
        let json = serde_json::to_string(&integers).unwrap();
        let in_string = format!(r#"{{"id":"{digits}","maybe":"{digits}"}}"#);
        assert_eq!(serde_json::from_str::<Integers<I>>(&in_string).unwrap(), integers);
        assert_eq!(json, format!(r#"{{"id":{int},"maybe":{int}}}"#));
        assert_eq!(serde_json::from_str::<Integers<I>>(&json).unwrap(), integers);
        let integers = Integers { id, maybe: None };
        let binary = postcard::to_allocvec(&integers).unwrap();
        assert_eq!(postcard::from_bytes::<Integers<I>>(&binary).unwrap(), integers);
    }
    let refused =
        |id: &str| message(serde_json::from_str::<Integers<I>>(&format!(r#"{{"id":{id},"maybe":null}}"#)));
    for no_id in no_id.into_iter().chain([
        "1.0",
        "1e3",
        "-5",
        "340282366920938463463374607431768211456",
        "\"\"",
        "\"-1\"",
        "\"+1\"",
        "\"01\"",
        "\"1.0\"",
        "\" 1\"",
        "true",
        "[1]",
    ]) {
        let error = refused(no_id);
        assert!(error.contains(&format!("expected the integer of {}", one::<I>())), "{no_id}: {error}");
    }
}

/// `arbitrary` makes an ID of any bytes, and different IDs of different bytes.
pub fn arbitrary_laws<I: SortableId + for<'a> arbitrary::Arbitrary<'a>>() {
    let made: std::collections::BTreeSet<I> = (0..=u8::MAX)
        .map(|byte| {
            let bytes = vec![byte; size_of::<I>()];
            let mut unstructured = arbitrary::Unstructured::new(&bytes);
            let id: I = unstructured.arbitrary().unwrap();
            assert!(unstructured.is_empty());
            assert_eq!(I::try_from(id.as_ref()), Ok(id));
            id
        })
        .collect();
    let distinct = 1 << used_bits::<I>().as_ref().iter().fold(0, |all, bits| all | bits).count_ones();
    assert_eq!(made.len(), distinct);
    assert_eq!(I::size_hint(0), (size_of::<I>(), Some(size_of::<I>())));
}

/// `proptest` draws IDs from all of the range, and shrinks them to the least ID that fails.
pub fn proptest_laws<I: SortableId + proptest::arbitrary::Arbitrary>() {
    use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

    let mut runner = TestRunner::deterministic();
    let mut seen = I::Bytes::default();
    for _ in 0..200 {
        let tree = any::<I>().new_tree(&mut runner).unwrap();
        let id = tree.current();
        assert_eq!(I::try_from(id.as_ref()), Ok(id));
        for (seen, (byte, least)) in seen.as_mut().iter_mut().zip(id.as_ref().iter().zip(I::MIN.as_ref())) {
            *seen |= byte ^ least;
        }
    }
    assert_eq!(seen.as_ref(), used_bits::<I>().as_ref(), "each bit is drawn");

    let mut tree = any::<I>().new_tree(&mut runner).unwrap();
    while tree.simplify() {}
    assert_eq!(tree.current(), from_bits(I::Bytes::default()));
}

/// A slice of IDs is a slice of their bytes.
pub fn bytemuck_laws<I: SortableId + bytemuck::NoUninit>() {
    let ids = ids::<I>();
    let bytes: &[u8] = bytemuck::cast_slice(&ids);
    assert!(bytes.chunks(size_of::<I>()).eq(ids.iter().map(AsRef::as_ref)));
}

/// Zeros are an ID.
pub fn zeroable_laws<I: SortableId + bytemuck::Zeroable>() {
    let zero: I = bytemuck::Zeroable::zeroed();
    assert_eq!(I::try_from(zero.as_ref()), Ok(zero));
}

/// A slice of IDs is a slice of their bytes.
pub fn zerocopy_laws<I>()
where
    I: SortableId + zerocopy::Immutable + zerocopy::IntoBytes + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let ids = ids::<I>();
    let bytes = zerocopy::IntoBytes::as_bytes(&*ids);
    assert!(bytes.chunks(size_of::<I>()).eq(ids.iter().map(AsRef::as_ref)));
}

/// Borsh writes and reads the bytes, and refuses others.
pub fn borsh_laws<I: SortableId + borsh::BorshSerialize + borsh::BorshDeserialize>() {
    let ids = ids::<I>();
    for id in &ids {
        assert_eq!(borsh::to_vec(id).unwrap(), id.as_ref());
        assert_eq!(borsh::from_slice::<I>(id.as_ref()).unwrap(), *id);
    }
    let rows: Vec<(I, u32, Option<I>)> = ids.iter().map(|&id| (id, 7, Some(id))).collect();
    let written = borsh::to_vec(&rows).unwrap();
    assert_eq!(borsh::from_slice::<Vec<(I, u32, Option<I>)>>(&written).unwrap(), rows);

    let len = size_of::<I>();
    let expected = format!("expected the {len} bytes of {}, found fewer", one::<I>());
    assert_eq!(message(borsh::from_slice::<I>(&vec![0; len - 1])), expected);
    assert!(borsh::from_slice::<I>(&vec![0; len + 1]).is_err());
    for bytes in no_ids::<I>() {
        let expected = message(I::try_from(bytes.as_ref()));
        assert_eq!(message(borsh::from_slice::<I>(bytes.as_ref())), expected);
    }
}

/// An archive has the bytes, and bytes that are not an ID are refused when they are deserialized.
pub fn rkyv_laws<I, const N: usize>()
where
    I: SortableId<Bytes = [u8; N]> + rkyv::Archive<Archived = [u8; N]>,
    I: for<'a> rkyv::Serialize<
            rkyv::api::high::HighSerializer<
                rkyv::util::AlignedVec,
                rkyv::ser::allocator::ArenaHandle<'a>,
                rkyv::rancor::Error,
            >,
        >,
    [u8; N]: rkyv::Deserialize<I, rkyv::api::high::HighDeserializer<rkyv::rancor::Error>>,
{
    use rkyv::rancor::Error;

    let ids = ids::<I>();
    for id in &ids {
        let archive = rkyv::to_bytes::<Error>(id).unwrap();
        assert_eq!(*archive, *id.as_ref());
        assert_eq!(rkyv::access::<[u8; N], Error>(&archive).unwrap(), id.as_ref());
        assert_eq!(rkyv::from_bytes::<I, Error>(&archive).unwrap(), *id);
    }
    let archive = rkyv::to_bytes::<Error>(&ids).unwrap();
    assert_eq!(rkyv::from_bytes::<Vec<I>, Error>(&archive).unwrap(), ids);
    for bytes in no_ids::<I>() {
        let expected = message(I::try_from(bytes.as_ref()));
        let error = message(rkyv::from_bytes::<I, Error>(&bytes));
        assert!(error.contains(&expected), "{error}");
    }
    assert!(rkyv::from_bytes::<I, Error>(&[0; N][1..]).is_err());
}

/// Defmt logs the text, as it logs a string.
pub fn defmt_laws<I: SortableId + defmt::Format>() {
    // Without the index of the string that says how to format, which counts up in tests.
    fn logged(value: &(impl defmt::Format + ?Sized)) -> Vec<u8> {
        value.format(defmt::export::make_formatter());
        defmt::export::fetch_bytes().split_off(2)
    }

    for id in ids::<I>() {
        let text = id.to_string();
        let bytes = logged(&id);
        assert_eq!(bytes, logged(&*text));
        assert!(bytes.ends_with(text.as_bytes()));
    }
}

/// Writes a test for each integration, except those of databases. A test runs if its feature is on.
#[macro_export]
macro_rules! integrations {
    ($id:ident, uuid: $uuid:ident, integer: $integer:tt, bytemuck: $bytemuck:ident, time: $at:expr) => {
        #[cfg(feature = "serde")]
        #[test]
        fn serde_writes_the_text_in_formats_for_people_and_the_bytes_in_others() {
            $crate::integrations::serde_laws::<$id>();
        }

        $crate::integrations!(@integer $id, $integer);
        $crate::integrations!(@uuid $id, $uuid);
        $crate::integrations!(@bytemuck $id, $bytemuck);

        $crate::integrations!(@time $id, "jiff02", a_jiff_timestamp_is_a_time_and_an_id_converts_to_it, $at,
            |nanos: i128| $crate::integrations::jiff::Timestamp::from_nanosecond(nanos).unwrap(),
            |id| $crate::integrations::jiff::Timestamp::try_from(id).unwrap());
        $crate::integrations!(@time $id, "chrono04", a_chrono_date_time_is_a_time_and_an_id_converts_to_it, $at,
            |nanos: i128| $crate::integrations::chrono::DateTime::from_timestamp((nanos.div_euclid(1_000_000_000)) as i64, nanos.rem_euclid(1_000_000_000) as u32).unwrap(),
            |id| $crate::integrations::chrono::DateTime::<$crate::integrations::chrono::Utc>::try_from(id).unwrap());
        $crate::integrations!(@time $id, "time03", an_offset_date_time_is_a_time_and_an_id_converts_to_it, $at,
            |nanos: i128| $crate::integrations::time::OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap(),
            |id| $crate::integrations::time::OffsetDateTime::try_from(id).unwrap());
        $crate::integrations!(@time $id, "time03", a_utc_date_time_is_a_time_and_an_id_converts_to_it, $at,
            |nanos: i128| $crate::integrations::time::UtcDateTime::from_unix_timestamp_nanos(nanos).unwrap(),
            |id| $crate::integrations::time::UtcDateTime::try_from(id).unwrap());

        #[cfg(feature = "arbitrary")]
        #[test]
        fn arbitrary_makes_an_id_of_any_bytes() {
            $crate::integrations::arbitrary_laws::<$id>();
        }

        #[cfg(feature = "proptest")]
        #[test]
        fn proptest_draws_ids_from_all_of_the_range() {
            $crate::integrations::proptest_laws::<$id>();
        }

        #[cfg(feature = "schemars")]
        #[test]
        fn the_json_schema_describes_the_text() {
            $crate::integrations::schemars_laws::<$id>();
        }

        #[cfg(feature = "utoipa5")]
        #[test]
        fn the_schema_of_openapi_describes_the_text() {
            $crate::integrations::utoipa_laws::<$id>();
        }

        #[cfg(feature = "borsh")]
        #[test]
        fn borsh_writes_the_bytes() {
            $crate::integrations::borsh_laws::<$id>();
        }

        #[cfg(feature = "rkyv08")]
        #[test]
        fn an_archive_has_the_bytes() {
            $crate::integrations::rkyv_laws::<$id, { size_of::<$id>() }>();
        }

        #[cfg(feature = "defmt")]
        #[test]
        fn defmt_logs_the_text() {
            $crate::integrations::defmt_laws::<$id>();
        }

        #[cfg(feature = "zerocopy08")]
        #[test]
        fn zerocopy_views_a_slice_of_ids_as_bytes() {
            $crate::integrations::zerocopy_laws::<$id>();
        }
    };
    (@integer $id:ident, none) => {};
    (@integer $id:ident, $no_id:tt) => {
        #[cfg(feature = "serde")]
        #[test]
        fn a_serde_field_can_be_the_integer() {
            $crate::integrations::serde_integer_laws::<$id>($no_id);
        }
    };
    (@uuid $id:ident, none) => {};
    (@uuid $id:ident, $from:ident) => {
        #[cfg(feature = "uuid")]
        #[test]
        fn a_uuid_has_the_same_bytes() {
            use $crate::integrations::uuid::Uuid;
            for id in $crate::integrations::ids::<$id>() {
                let uuid = Uuid::from(id);
                assert_eq!(uuid.as_bytes(), id.as_bytes());
                assert_eq!($id::try_from(uuid), Ok(id));
            }
            for bytes in $crate::integrations::no_ids::<$id>() {
                assert!($id::try_from(Uuid::from_bytes(bytes)).is_err());
            }
            $crate::integrations!(@uuid_is $id, $from);
        }

        #[cfg(feature = "uuid")]
        #[test]
        fn a_column_tells_uuids_of_version_7_from_ids() {
            $crate::integrations::uuid_or_laws::<$id>();
        }

        #[cfg(feature = "uuid")]
        #[test]
        fn the_ranges_of_a_span_have_all_uuids_of_version_7_and_all_ids() {
            $crate::integrations::uuid_ranges_laws::<$id>();
        }

        #[cfg(feature = "serde")]
        #[test]
        fn a_serde_field_can_have_the_form_of_a_uuid() {
            $crate::integrations::serde_hyphenated_laws::<$id>();
        }
    };
    (@uuid_is $id:ident, from) => {
        let _: $id = Uuid::nil().into();
    };
    (@uuid_is $id:ident, try_from) => {
        assert!(!$crate::integrations::no_ids::<$id>().is_empty());
    };
    (@bytemuck $id:ident, all) => {
        #[cfg(feature = "bytemuck")]
        #[test]
        fn a_slice_of_bytes_is_a_slice_of_ids() {
            $crate::integrations::bytemuck_laws::<$id>();
            $crate::integrations::zeroable_laws::<$id>();
            let ids = $crate::integrations::ids::<$id>();
            let bytes: &[u8] = $crate::integrations::bytemuck::cast_slice(&ids);
            assert_eq!($crate::integrations::bytemuck::cast_slice::<u8, $id>(bytes), ids);
        }

        #[cfg(feature = "zerocopy08")]
        #[test]
        fn zerocopy_views_bytes_as_a_slice_of_ids() {
            use $crate::integrations::zerocopy::{FromBytes, IntoBytes};

            let ids = $crate::integrations::ids::<$id>();
            assert_eq!(<[$id]>::ref_from_bytes(ids.as_bytes()).unwrap(), ids);
        }
    };
    (@bytemuck $id:ident, some) => {
        $crate::integrations!(@bytemuck $id, not_zero);

        #[cfg(feature = "bytemuck")]
        #[test]
        fn zeros_are_an_id() {
            $crate::integrations::zeroable_laws::<$id>();
        }
    };
    (@bytemuck $id:ident, not_zero) => {
        #[cfg(feature = "bytemuck")]
        #[test]
        fn a_slice_of_ids_is_a_slice_of_bytes() {
            $crate::integrations::bytemuck_laws::<$id>();
        }
    };
    (@time $id:ident, $feature:tt, $name:ident, $at:expr, $timestamp:expr, $of:expr) => {
        #[cfg(feature = $feature)]
        #[test]
        fn $name() {
            use $crate::sortid_core::UnixTime;
            let since_1970: core::time::Duration = $at;
            let timestamp = $timestamp;
            let bounds = |time: std::time::SystemTime| ($id::min_at(time), $id::max_at(time));
            for more in [core::time::Duration::ZERO, core::time::Duration::from_nanos(999_999), core::time::Duration::from_millis(1)] {
                let taken = timestamp((since_1970 + more).as_nanos() as i128);
                let time = std::time::UNIX_EPOCH + since_1970 + more;
                assert_eq!(($id::min_at(taken), $id::max_at(taken)), bounds(time));
                assert_eq!(taken.unix_micros(), time.unix_micros());
            }
            // Times are rounded down to the microsecond, even before 1970.
            assert_eq!(timestamp(1_999).unix_micros(), 1);
            assert_eq!(timestamp(-1).unix_micros(), -1);
            assert_eq!(timestamp(-1_001).unix_micros(), -2);
            assert!($id::min_at(timestamp(-1)).is_err());

            let id = $id::min_at(std::time::UNIX_EPOCH + since_1970).unwrap();
            assert_eq!($of(id), timestamp(since_1970.as_nanos() as i128));
        }
    };
}
