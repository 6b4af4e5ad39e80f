//! The kernels for texts give the results of the specifications, one ID at a time.

use proptest::{collection::vec, prelude::*, sample::Index};
use sortid::{euid::Euid, evently_id::EventId, scru160::Scru160, ulid_flake::UlidFlake};
use sortid_columns::Column;

/// Compares the kernels that parse with the parser of the specification.
fn check_parse<I: Column>(texts: &[impl AsRef<[u8]>]) {
    let expected: Vec<_> = texts.iter().map(|text| I::parse_ascii(text.as_ref()).ok()).collect();
    let is_valid: Vec<_> = expected.iter().map(Option::is_some).collect();
    let all = is_valid.iter().all(|is_valid| *is_valid);

    let mut values = vec![I::from_value(&I::Value::default()).unwrap_or(I::MAX).to_value(); texts.len()];
    let mut valid = vec![true; texts.len()];
    assert_eq!(sortid_columns::parse_texts::<I>(|row| texts[row].as_ref(), &mut values, &mut valid), all);
    for (row, (value, expected)) in values.iter().zip(&expected).enumerate() {
        let text = texts[row].as_ref().escape_ascii();
        assert_eq!(*value, expected.map(I::to_value).unwrap_or_default(), "row {row}: {text}");
    }
    assert_eq!(valid, is_valid);
    assert_eq!(sortid_columns::are_valid::<I>(|row| texts[row].as_ref(), &mut valid), all);
    assert_eq!(valid, is_valid);
}

/// Compares the kernel that prints with `encode`.
fn check_print<I: Column>(values: &[I::Value]) {
    let mut texts = vec![1; values.len() * I::TEXT_LEN];
    let all = sortid_columns::texts::<I>(values, &mut texts);
    assert_eq!(all, values.iter().all(|value| I::from_value(value).is_ok()));
    for (value, found) in values.iter().zip(texts.chunks(I::TEXT_LEN)) {
        let mut expected = vec![0; I::TEXT_LEN];
        if let Ok(id) = I::from_value(value) {
            let text = id.encode();
            expected[..text.len()].copy_from_slice(text.as_bytes());
        }
        assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{value:?}");
    }
}

fn values<I: Column>() -> impl Strategy<Value = Vec<I::Value>> {
    let value =
        vec(any::<u8>(), I::BYTES).prop_map(|bytes| I::value_of_bytes(&bytes).expect("bytes of an ID"));
    let value = prop_oneof![
        8 => value.prop_map(|value| I::from_value(&value).unwrap_or(I::MIN).to_value()),
        1 => Just(I::MIN.to_value()),
        1 => Just(I::MAX.to_value()),
    ];
    vec(value, 0..100)
}

/// A text, and what happens to it.
fn text<I: Column>(value: I::Value, kind: u8, at: Index, byte: u8) -> Vec<u8> {
    let id = I::from_value(&value).expect("an ID");
    let text: &str = &id.encode();
    let mut text = text.as_bytes().to_vec();
    let place = at.index(text.len());
    match kind {
        0 => text[place] = byte,
        1 => text[place] = *b"iIlLoOuU0~-[".get(usize::from(byte % 12)).expect("a byte"),
        2 => text.truncate(place),
        3 => text.push(byte),
        4 => text.make_ascii_lowercase(),
        5 => text = format!("{id:x}").into_bytes(),
        6 => {
            if let Ok(id) = Euid::try_from(id.as_bytes()) {
                text = id.encode_without_check().as_bytes().to_vec();
            }
        }
        _ => {}
    }
    text
}

macro_rules! laws {
    ($($name:ident: $id:ty,)*) => {$(mod $name {
        use super::*;

        type Id = $id;

        proptest! {
            #[test]
            fn texts_are_those_of_encode(values in values::<Id>()) {
                check_print::<Id>(&values);
            }

            #[test]
            fn ids_are_those_of_parse(
                values in values::<Id>(),
                changes in vec((any::<u8>(), any::<Index>(), any::<u8>()), 100),
                most in 7..=u8::MAX,
            ) {
                // With a great `most`, most texts are good, and so are some blocks.
                let rows = values.into_iter().zip(changes);
                let texts = rows.map(|(value, (kind, at, byte))| text::<Id>(value, kind % most, at, byte));
                check_parse::<Id>(&texts.collect::<Vec<_>>());
            }
        }

        #[test]
        fn any_byte_can_be_anywhere() {
            let id: &str = &Id::MAX.encode();
            for at in 0..id.len() {
                let texts = (0..=u8::MAX).map(|byte| {
                    let mut text = id.as_bytes().to_vec();
                    text[at] = byte;
                    text
                });
                check_parse::<Id>(&texts.collect::<Vec<_>>());
            }
        }
    })*};
}

laws! {
    scru160: Scru160,
    euid: Euid,
    ulid_flake: UlidFlake,
    ron_uid: sortid::ron_uid::RonUid,
    event_id: EventId,
}

#[test]
fn a_uuid_is_read_as_an_id_of_128_bits() {
    fn check<I: Column>(is_read: bool) {
        let value = I::value_of_bytes(&[0x0f; 20][..I::BYTES]).expect("bytes of an ID");
        let text = "0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f";
        for text in [text, &text.to_uppercase()] {
            assert_eq!(sortid_columns::parse::<I>(text.as_bytes()).ok(), is_read.then_some(value), "{text}");
            // Also between texts of IDs, in a block of their own.
            let id = I::MIN.encode();
            let texts: Vec<&str> = (0..100).map(|row| if row % 3 == 0 { text } else { &id }).collect();
            let (mut values, mut valid) = ([I::MAX.to_value(); 100], [false; 100]);
            let all = sortid_columns::parse_texts::<I>(|row| texts[row].as_bytes(), &mut values, &mut valid);
            assert_eq!(all, is_read);
            for (row, found) in values.iter().enumerate() {
                let expected = if row % 3 == 0 { value } else { I::MIN.to_value() };
                let is_valid = row % 3 != 0 || is_read;
                assert_eq!((valid[row], *found == expected), (is_valid, is_valid), "row {row}");
            }
        }
        for at in 0..36 {
            let mut wrong = text.as_bytes().to_vec();
            wrong[at] = b'g';
            let error = sortid_columns::parse::<I>(&wrong).expect_err("'g' is not a hex digit");
            if is_read && ![8, 13, 18, 23].contains(&at) {
                assert_eq!(error.position(), Some(at), "{error}");
            }
        }
    }
    check::<Euid>(true);
    check::<EventId>(true);
    check::<Scru160>(false);
    check::<UlidFlake>(false);
    // These bytes have the 6 bits that are 0 in a RON UID.
    check::<sortid::ron_uid::RonUid>(true);
    assert!(!sortid_columns::is_valid::<sortid::ron_uid::RonUid>(b"ff0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f"));
}

#[test]
fn any_digit_can_be_anywhere() {
    fn check<I: Column>(digits: &[u8]) {
        let mut texts = vec![];
        for at in 0..I::TEXT_LEN {
            for digit in digits {
                let mut text = I::MIN.encode().as_bytes().to_vec();
                text[at] = *digit;
                texts.push(text);
            }
        }
        check_parse::<I>(&texts);
        let ids = texts.iter().filter_map(|text| I::parse_ascii(text).ok()).map(I::to_value);
        check_print::<I>(&ids.collect::<Vec<_>>());
    }
    check::<Scru160>(b"0123456789ABCDEFGHIJKLMNOPQRSTUV");
    check::<EventId>(b"0123456789abcdef");
    check::<UlidFlake>(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    check::<Euid>(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ");
}

#[test]
fn any_check_of_an_euid() {
    // IDs of each remainder.
    let ids: Vec<_> = (0..1000)
        .map(|low| Euid::from_u128(u128::MAX / 3 * 2 + low * (u128::MAX / 4001)).to_bytes())
        .collect();
    check_print::<Euid>(&ids);
    for id in ids.iter().step_by(50) {
        let text = Euid::from_bytes(*id).encode_without_check();
        let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let texts = (0..128).map(|check| {
            let mut text = text.as_bytes().to_vec();
            // The two last digits have three bits of the ID, and seven of the check.
            let third = digits.iter().position(|digit| *digit == text[25]).expect("a digit");
            text[25] = digits[third >> 2 << 2 | check >> 5];
            text[26] = digits[check & 31];
            text
        });
        check_parse::<Euid>(&texts.collect::<Vec<_>>());
    }
}

#[test]
fn a_value_that_is_not_an_id_has_no_text() {
    let mut flakes: Vec<i64> = (0..100).map(|n| n << 50).collect();
    check_print::<UlidFlake>(&flakes);
    for row in [0, 40, 63, 99] {
        flakes[row] = -1;
        check_print::<UlidFlake>(&flakes);
    }
    check_print::<sortid::ron_uid::RonUid>(&[[0xff; 16], [0; 16], [1; 16]]);
}
