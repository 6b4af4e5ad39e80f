//! What the tests of `sortid-datafusion` do not call: structures of fields, new IDs, rows of errors, arrays without a
//! type. Those tests compare all other functions with the library.

use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int64Array,
    LargeBinaryArray, LargeStringArray, NullArray, StringArray, StringViewArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, cast::AsArray, types::Int8Type,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use sortid::{
    euid, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};
use sortid_columns::{
    Column,
    arrow::{self, ArrowId, ErrorKind, Native, Typed},
};
use std::sync::Arc;

const TEXTS: [&str; 3] =
    ["1HZP2F3TARAH1VEXW8BDJPEKP44", "C8EE934SR007G5Q94QKKXFRFV8B", "1HZ8HH500000000000000000011"];

fn array(array: impl Array + 'static) -> ArrayRef {
    Arc::new(array)
}

#[test]
fn a_structure_has_the_fields_as_they_are_alone() {
    fn check<I: ArrowId>() {
        let times =
            array(TimestampMillisecondArray::from(vec![Some(1_717_653_966_666), None, Some(1 << 40 | 1)]));
        let ids = arrow::max_at::<I>(&times.slice(0, 2)).unwrap();
        let fields = arrow::fields::<I>(&ids).unwrap();
        assert_eq!(fields.data_type(), &arrow::fields_type::<I>());
        assert!(fields.is_valid(0) && fields.is_null(1));
        for (field, column) in I::READS.iter().zip(fields.as_struct().columns()) {
            assert_eq!(column, &arrow::field::<I>(&ids, field.read).unwrap(), "{}", field.name);
            assert_eq!(column.data_type(), &arrow::field_type(field.read));
        }
    }
    for &spec in sortid::Spec::ALL {
        sortid::__with_type!(spec, Id => check::<Id>());
    }
}

#[test]
fn generated_ids_ascend() {
    for len in [0, 1, 1023, 1024, 1025, 3000] {
        let ids = arrow::generate(len, |ids| euid::shared().fill(ids)).unwrap();
        assert_eq!((ids.len(), ids.null_count(), ids.data_type()), (len, 0, &<[u8; 16]>::TYPE));
        assert!(<[u8; 16]>::slice(&ids).is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn a_backfill_makes_an_id_for_each_row_and_keeps_nulls() {
    let millis = vec![Some(1_717_653_966_666), None, Some(1_717_653_966_666), Some(1_717_653_966_665)];
    let times = array(TimestampMillisecondArray::from(millis.clone()));
    let mut ids = euid::Backfill::default();
    let found = arrow::backfill::<Euid>(&times, |time| ids.generate(time)).unwrap();
    assert_eq!(
        &arrow::times::<Euid>(&found, "UTC").unwrap(),
        &array(TimestampMillisecondArray::from(millis).with_timezone("UTC"))
    );
    let values = <[u8; 16]>::slice(&found);
    assert!(values[0] < values[2]);
    // Each row of a dictionary is an ID.
    let keys = vec![Some(0), Some(0), None, Some(1)].into();
    let dictionary = array(DictionaryArray::<Int8Type>::new(keys, times.slice(2, 2)));
    let found = arrow::backfill::<Euid>(&dictionary, |time| ids.generate(time)).unwrap();
    let values = <[u8; 16]>::slice(&found);
    assert!(values[0] < values[1] && found.is_null(2));

    let times = array(TimestampMicrosecondArray::from(vec![Some(0), None, Some(-1)]));
    let error = arrow::backfill::<Scru160>(&times, |_| Ok(Scru160::MIN)).map(|ids| ids.len());
    assert_eq!(error.unwrap(), 3);
    let mut ids = euid::Backfill::default();
    let error = arrow::backfill::<Euid>(&times, |time| ids.generate(time)).unwrap_err();
    assert_eq!(error.row(), Some(2));
    assert!(error.to_string().starts_with("row 2: no ID has a time before 1970, expected "), "{error}");
}

#[test]
fn an_error_has_the_row_of_the_array() {
    let wrong = array(StringArray::from(vec![Some(TEXTS[0]), None, Some("nonsense"), Some(TEXTS[1])]));
    let sliced = wrong.slice(1, 3);
    // Row 1 is the first that uses the wrong value 2. Row 0 is NULL, and has its key.
    let nulls = Some(vec![false, true, true, true, true].into());
    let keys = arrow_array::Int8Array::new(vec![2, 3, 2, 2, 0].into(), nulls);
    let dictionary = array(DictionaryArray::<Int8Type>::new(keys.clone(), wrong.clone()));
    let small = dictionary.slice(2, 2);
    for (array, row) in [(wrong, 2), (sliced, 1), (dictionary, 2), (small, 0)] {
        for error in [arrow::parse::<Euid>(&array), arrow::times::<Euid>(&array, "UTC")] {
            let error = error.unwrap_err();
            assert_eq!(error.row(), Some(row));
            let expected = format!(
                "row {row}: \"nonsense\" is not the text of an EUID: expected 27 characters, found 8"
            );
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(arrow::try_parse::<Euid>(&array).unwrap().len(), array.len());
    }
    let errors = [
        arrow::times::<UlidFlake>(&array(Int64Array::from(vec![1, 2, -1])), "UTC"),
        arrow::texts::<UlidFlake>(&array(Int64Array::from(vec![1, 2, -1]))),
        arrow::parse::<UlidFlake>(&array(Int64Array::from(vec![1, 2, -1]))),
        arrow::min_at::<UlidFlake>(&array(TimestampMillisecondArray::from(vec![1 << 41, 1 << 41, 0]))),
        arrow::fields::<RonUid>(&array(BinaryArray::from(vec![[0; 16].as_slice(), &[0; 16], &[0xff; 16]]))),
        arrow::parse::<Euid>(&array(BinaryArray::from(vec![[0; 16].as_slice(), &[0; 16], b"abc"]))),
    ];
    let errors = errors.map(|error| error.unwrap_err().to_string());
    assert_eq!(
        errors,
        [
            "row 2: expected a Ulid-Flake, found -1: -1 is below the least Ulid-Flake, 0",
            "row 2: expected a Ulid-Flake, found -1: -1 is below the least Ulid-Flake, 0",
            "row 2: expected a Ulid-Flake, found -1: -1 is below the least Ulid-Flake, 0",
            "row 2: expected a time from 2024-01-01T00:00:00.000000Z to 2302-09-27T15:10:22.207999Z, found 1970-01-01T00:00:00.000000Z",
            "row 2: expected a RON UID, found ffffffffffffffffffffffffffffffff: 15 is above the greatest RON UID variety, 0",
            "row 2: expected the 16 bytes of an EUID, found 3: 616263",
        ]
    );
}

#[test]
fn ids_parse_as_themselves() {
    let texts = array(StringArray::from(TEXTS.to_vec()));
    let ids = arrow::parse::<Euid>(&texts).unwrap();
    assert_eq!(&arrow::parse::<Euid>(&ids).unwrap(), &ids);
    assert_eq!(&arrow::texts::<Euid>(&ids).unwrap(), &texts);
    // A value that is not an ID may be under a NULL.
    let flakes = array(Int64Array::new(vec![1, -1].into(), Some(vec![true, false].into())));
    assert_eq!(&arrow::parse::<UlidFlake>(&flakes).unwrap(), &flakes);
    let bytes = array(BinaryArray::from(vec![Some([0; 16].as_slice()), None, Some(b"abc")]));
    let found = arrow::try_parse::<RonUid>(&bytes).unwrap();
    assert!(found.is_valid(0) && found.is_null(1) && found.is_null(2));
    let found = arrow::is_valid::<RonUid>(&bytes).unwrap();
    assert!(found.as_boolean().value(0) && found.is_null(1) && !found.as_boolean().value(2));
    let found =
        arrow::try_parse::<UlidFlake>(&array(Int64Array::from(vec![Some(5), Some(-1), None]))).unwrap();
    assert_eq!(&found, &array(Int64Array::from(vec![Some(5), None, None])));
}

#[test]
fn texts_under_nulls_do_not_matter() {
    let values: Vec<_> = (0..100_u128).map(|n| Euid::from_u128(n << 90 | n).encode().to_string()).collect();
    for every in [2, 3, 5, 50] {
        let nulls: NullBuffer = (0..100).map(|row| row % every != 0).collect();
        // Under the NULLs are texts of IDs, or others.
        for text in [None, Some(""), Some("C8EE934SR007G5Q94QKKXFRFV8X")] {
            let texts = values.iter().enumerate().map(|(row, value)| match text {
                Some(text) if nulls.is_null(row) => text,
                _ => value,
            });
            let texts: StringArray = texts.map(Some).collect();
            let texts =
                StringArray::new(texts.offsets().clone(), texts.values().clone(), Some(nulls.clone()));
            let view = array(StringViewArray::from(&texts));
            for texts in [array(texts), view] {
                let ids = arrow::parse::<Euid>(&texts).unwrap();
                assert_eq!(ids.nulls(), Some(&nulls));
                assert_eq!(&arrow::try_parse::<Euid>(&texts).unwrap(), &ids);
                let valid = arrow::is_valid::<Euid>(&texts).unwrap();
                assert_eq!(
                    (valid.nulls(), valid.as_boolean().true_count()),
                    (Some(&nulls), 100 - nulls.null_count())
                );
                let printed = arrow::texts::<Euid>(&ids).unwrap();
                for row in (0..100).filter(|row| nulls.is_valid(*row)) {
                    assert_eq!(printed.as_string::<i32>().value(row), values[row]);
                }
            }
        }
    }
}

#[test]
fn an_array_without_a_type_has_only_nulls() {
    fn check<I: ArrowId>() {
        let nulls = array(NullArray::new(3));
        let results = [
            (arrow::times::<I>(&nulls, "UTC"), arrow::timestamp::<I>("UTC")),
            (arrow::texts::<I>(&nulls), DataType::Utf8),
            (arrow::fields::<I>(&nulls), arrow::fields_type::<I>()),
            (arrow::parse::<I>(&nulls), <I as Column>::Value::TYPE),
            (arrow::try_parse::<I>(&nulls), <I as Column>::Value::TYPE),
            (arrow::is_valid::<I>(&nulls), DataType::Boolean),
            (arrow::min_at::<I>(&nulls), <I as Column>::Value::TYPE),
            (arrow::max_at::<I>(&nulls), <I as Column>::Value::TYPE),
        ];
        for (found, expected) in results {
            let found = found.unwrap();
            assert_eq!((found.len(), found.null_count(), found.data_type()), (3, 3, &expected));
        }
    }
    for &spec in sortid::Spec::ALL {
        sortid::__with_type!(spec, Id => check::<Id>());
    }
}

#[test]
fn another_type_is_an_error() {
    let kind = |array: &ArrayRef| arrow::times::<Euid>(array, "UTC").unwrap_err().into_kind();
    let bytes = array(FixedSizeBinaryArray::new(20, vec![0; 20].into(), None));
    for array in [bytes, array(Int64Array::from(vec![1]))] {
        assert!(matches!(kind(&array), ErrorKind::Type { .. }));
    }
    let error = arrow::min_at::<Euid>(&array(StringArray::from(vec!["2024-06-06"]))).unwrap_err();
    assert_eq!(error.to_string(), "expected a timestamp or a date, found Utf8");
    assert_eq!(error.row(), None);
}

#[test]
fn rows_of_dictionaries_have_the_values_of_flat_arrays() {
    let texts = array(StringArray::from(vec![
        Some(TEXTS[0]),
        None,
        Some("nonsense"),
        Some(TEXTS[1]),
        Some(TEXTS[2]),
    ]));
    let nulls = Some(vec![true, true, false, true, true, true].into());
    // Row 2 is NULL, and has the key of a text that is not an ID.
    let keys = arrow_array::Int8Array::new(vec![4, 1, 2, 0, 3, 4].into(), nulls);
    let rows = [Some(TEXTS[2]), None, None, Some(TEXTS[0]), Some(TEXTS[1]), Some(TEXTS[2])];
    let dictionary = array(DictionaryArray::<Int8Type>::new(keys, texts));
    let flat = array(StringArray::from(rows.to_vec()));
    let ids = arrow::parse::<Euid>(&flat).unwrap();
    let bytes: Vec<Option<&[u8]>> = ids.as_fixed_size_binary().iter().collect();
    let binary = array(BinaryArray::from(bytes));
    let of_binary = array(DictionaryArray::<Int8Type>::new(vec![5, 4, 3, 2, 1, 0, 0].into(), binary.clone()));
    let reversed: Vec<usize> = vec![5, 4, 3, 2, 1, 0, 0];
    for (start, len) in [(0, 6), (1, 3), (2, 1), (3, 0)] {
        let (dictionary, flat) = (dictionary.slice(start, len), flat.slice(start, len));
        let functions: [fn(&ArrayRef) -> arrow::Result<ArrayRef>; 6] = [
            |array| arrow::times::<Euid>(array, "UTC"),
            arrow::texts::<Euid>,
            arrow::fields::<Euid>,
            arrow::parse::<Euid>,
            arrow::try_parse::<Euid>,
            arrow::is_valid::<Euid>,
        ];
        for function in functions {
            assert_eq!(&function(&dictionary).unwrap(), &function(&flat).unwrap());
            let found = function(&of_binary).unwrap();
            let all = function(&binary).unwrap();
            for (row, of) in reversed.iter().enumerate() {
                assert_eq!(&found.slice(row, 1), &all.slice(*of, 1));
            }
        }
    }
    let times = arrow::times::<Euid>(&flat, "UTC").unwrap();
    let of_times = array(DictionaryArray::<Int8Type>::new(vec![5, 4, 3, 2, 1, 0, 0].into(), times.clone()));
    let (found, all) = (arrow::max_at::<Euid>(&of_times).unwrap(), arrow::max_at::<Euid>(&times).unwrap());
    for (row, of) in reversed.iter().enumerate() {
        assert_eq!(&found.slice(row, 1), &all.slice(*of, 1));
    }
    // No row has a value, and there is none.
    let none = array(StringArray::from(Vec::<&str>::new()));
    let empty = array(DictionaryArray::<Int8Type>::new(arrow_array::Int8Array::new_null(3), none));
    assert_eq!(arrow::fields::<Euid>(&empty).unwrap().null_count(), 3);
    let unused = array(DictionaryArray::<Int8Type>::new(
        arrow_array::Int8Array::new_null(3),
        array(StringArray::from(vec!["x"])),
    ));
    assert_eq!(arrow::parse::<Euid>(&unused).unwrap().null_count(), 3);
}

#[test]
fn a_mask_adds_nulls() {
    let texts = array(StringArray::from(vec![Some("a"), None, Some("b")]));
    let found = arrow::mask(&texts, &vec![false, true, true].into()).unwrap();
    assert_eq!(&found, &array(StringArray::from(vec![None, None, Some("b")])));
}

#[test]
fn ids_are_the_same_in_each_type_of_bytes() {
    fn check<I: ArrowId>() {
        let ids: Vec<_> = [I::MIN, I::MAX].into_iter().cycle().take(50).collect();
        for missing in [50, 7] {
            let rows = || {
                let bytes = ids.iter().map(|id| id.as_bytes().to_vec());
                bytes.enumerate().map(move |(row, bytes)| (row % missing != missing - 1).then_some(bytes))
            };
            let arrays = [
                array(BinaryArray::from_iter(rows())),
                array(LargeBinaryArray::from_iter(rows())),
                array(BinaryViewArray::from_iter(rows())),
            ];
            let expected = arrow::parse::<I>(&arrays[0].slice(0, 0)).expect("no IDs");
            assert!(expected.is_empty());
            for found in &arrays {
                for range in [0..50, 3..20, 49..50, 20..20] {
                    let slice = found.slice(range.start, range.len());
                    let parsed = arrow::parse::<I>(&slice).expect("IDs");
                    for (row, place) in range.enumerate() {
                        let is_missing = place % missing == missing - 1;
                        assert_eq!(parsed.is_null(row), is_missing);
                        assert!(is_missing || I::Value::slice(&parsed)[row] == ids[place].to_value());
                    }
                    assert_eq!(arrow::try_parse::<I>(&slice).expect("IDs").as_ref(), parsed.as_ref());
                    assert_eq!(arrow::is_valid::<I>(&slice).expect("IDs").null_count(), parsed.null_count());
                }
            }
        }
    }
    check::<Scru160>();
    check::<Euid>();
    check::<UlidFlake>();
    check::<EventId>();
}

#[test]
fn texts_of_typed_ids_have_a_prefix() {
    fn check<I: ArrowId>() {
        let typed = Typed::new("order_", "an OrderId");
        let millis = [Some(1_717_653_966_666), None, Some(1_717_653_966_667)];
        // Several blocks, and rows behind the last.
        let times: TimestampMillisecondArray = millis.into_iter().cycle().take(100).collect();
        let ids = arrow::min_at::<I>(&array(times)).unwrap();
        let plain = arrow::texts::<I>(&ids).unwrap();
        let texts: StringArray =
            plain.as_string::<i32>().iter().map(|text| Some(format!("order_{}", text?))).collect();
        assert_eq!(typed.texts::<I>(&ids).unwrap().as_string::<i32>(), &texts);
        let views = StringViewArray::from_iter(texts.iter());
        let large = LargeStringArray::from_iter(texts.iter());
        for texts in [array(texts.clone()), array(views), array(large)] {
            assert_eq!(&typed.parse::<I>(&texts).unwrap(), &ids);
            assert_eq!(&typed.try_parse::<I>(&texts.slice(1, 70)).unwrap(), &ids.slice(1, 70));
            assert_eq!(typed.is_valid::<I>(&texts).unwrap().as_boolean().true_count(), 67);
            assert_eq!(&typed.texts::<I>(&texts).unwrap(), &typed.texts::<I>(&ids).unwrap());
        }
        assert_eq!(&typed.parse::<I>(&ids).unwrap(), &ids);
        let other = Typed::new("user_", "a UserId");
        for wrong in [&plain, &other.texts::<I>(&ids).unwrap()] {
            assert_eq!(typed.is_valid::<I>(wrong).unwrap().as_boolean().true_count(), 0);
            let error = typed.parse::<I>(wrong).unwrap_err();
            assert_eq!(error.row(), Some(0));
            assert!(error.to_string().contains(", expected the prefix \"order_\""), "{error}");
        }
    }
    for &spec in sortid::Spec::ALL {
        sortid::__with_type!(spec, Id => check::<Id>());
    }
}

#[test]
fn an_error_of_a_typed_id_is_that_of_the_whole_text() {
    let typed = Typed::new("order_", "an OrderId");
    for (text, expected, found_at) in [
        ("order_1HZP2F3TARAH1VEXW8BDJPEKP45", "the check is 5, expected 4", None),
        ("order_1HU", "expected 27 characters after \"order_\", found 3", None),
        ("order_1UZP2F3TARAH1VEXW8BDJPEKP44", "'U' at position 7 is not a Crockford base32 digit", Some(7)),
        (
            "order_0c7f613c-7a56-1510-eddd-e216d959d3b1",
            "expected 27 characters after \"order_\", found 36",
            None,
        ),
        ("Order_", "the text starts with \"Order_\", expected the prefix \"order_\"", None),
        ("", "the text is empty, expected the prefix \"order_\"", None),
    ] {
        let texts =
            array(StringArray::from(vec![None, Some("order_1HZP2F3TARAH1VEXW8BDJPEKP44"), Some(text)]));
        let error = typed.parse::<Euid>(&texts).unwrap_err();
        assert_eq!(error.to_string(), format!("row 2: {text:?} is not the text of an OrderId: {expected}"));
        let ErrorKind::TypedText { position, .. } = error.kind() else { panic!("{error:?}") };
        assert_eq!(*position, found_at);
        assert_eq!(typed.try_parse::<Euid>(&texts).unwrap().null_count(), 2);
    }
}
