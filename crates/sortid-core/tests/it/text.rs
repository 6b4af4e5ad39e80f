//! Compares each way to write a `Text` with a `String`. The `unsafe` block of `Text` relies on the results.

use proptest::prelude::*;
use sortid_core::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX, Text};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

#[derive(Clone, Debug)]
enum Act {
    Push(u8),
    Digits(usize, u64, usize),
    Text(Vec<u8>),
    Truncate(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..0x80_u8).prop_map(Act::Push),
        (0..5_usize, any::<u64>(), 0..=10_usize)
            .prop_map(|(alphabet, value, count)| Act::Digits(alphabet, value, count)),
        proptest::collection::vec(0..0x80_u8, 0..8).prop_map(Act::Text),
        (0..40_usize).prop_map(Act::Truncate),
    ]
}

fn digits<const BITS: u32, const PAIRS: usize>(
    alphabet: &Alphabet<BITS, PAIRS>,
    value: u64,
    count: usize,
) -> String {
    let mut text = vec![0; count];
    alphabet.put(value, &mut text, 0, count);
    String::from_utf8(text).unwrap()
}

proptest! {
    #[test]
    fn a_text_equals_the_string_with_the_same_writes(acts in proptest::collection::vec(act(), 0..30)) {
        let (mut text, mut model) = (Text::<200>::EMPTY, String::new());
        for act in acts {
            if model.len() + 10 > 200 {
                break;
            }
            match act {
                Act::Push(byte) => {
                    text.push(byte);
                    model.push(byte.into());
                }
                Act::Digits(alphabet, value, count) => {
                    macro_rules! push {
                        ($alphabet:expr) => {{
                            text.push_digits(&$alphabet, value, count);
                            model += &digits(&$alphabet, value, count);
                        }};
                    }
                    match alphabet {
                        0 => push!(HEX),
                        1 => push!(BASE32HEX),
                        2 => push!(CROCKFORD),
                        3 => push!(CROCKFORD_ALIASED),
                        _ => push!(BASE64X64),
                    }
                }
                Act::Text(bytes) => {
                    let mut other = Text::<8>::EMPTY;
                    bytes.iter().for_each(|&byte| other.push(byte));
                    text.push_text(&other);
                    model += other.as_str();
                }
                Act::Truncate(len) => {
                    text.truncate(len);
                    model.truncate(len);
                }
            }
            prop_assert_eq!(text.as_str(), &model);
            prop_assert_eq!(text.as_bytes(), model.as_bytes());
            prop_assert!(std::str::from_utf8(text.as_bytes()).is_ok());
        }
    }

    #[test]
    fn only_ascii_is_accepted(byte in 0x80..=u8::MAX, at in 0..4_usize) {
        let mut bytes = *b"text";
        bytes[at] = byte;
        prop_assert!(std::panic::catch_unwind(|| Text::new(bytes)).is_err());
        let pushed = || {
            let mut text = Text::<1>::EMPTY;
            text.push(byte);
        };
        prop_assert!(std::panic::catch_unwind(pushed).is_err());
    }
}

#[test]
fn texts_compare_hash_and_print_as_their_strings() {
    let hash = |value: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        value(&mut hasher);
        hasher.finish()
    };
    let strings = ["", "0", "00", "0a", "b\"", "b"];
    let texts = strings.map(|string| {
        let mut text = Text::<4>::EMPTY;
        string.bytes().for_each(|byte| text.push(byte));
        text
    });
    for (a, text) in strings.iter().zip(texts) {
        for (b, other) in strings.iter().zip(texts) {
            assert_eq!((text == other, text.cmp(&other)), (a == b, a.cmp(b)), "{a:?} {b:?}");
            assert_eq!(
                (text == **b, text == *b, text.partial_cmp(&other)),
                (a == b, a == b, a.partial_cmp(b))
            );
        }
        assert_eq!(hash(&|hasher| text.hash(hasher)), hash(&|hasher| a.hash(hasher)));
        assert_eq!((format!("{text:>5}"), format!("{text:?}")), (format!("{a:>5}"), format!("{a:?}")));
        assert_eq!(
            (&*text, String::from(text), text.to_ascii_uppercase().to_string()),
            (*a, a.to_string(), a.to_uppercase())
        );
        assert_eq!((AsRef::<str>::as_ref(&text), AsRef::<[u8]>::as_ref(&text)), (*a, a.as_bytes()));
    }
}

#[test]
#[should_panic]
fn a_full_text_panics_for_another_character() {
    Text::new(*b"full").push(b'x');
}

#[test]
#[should_panic]
fn a_full_text_panics_for_another_digit() {
    Text::new(*b"full").push_digits(&HEX, 0, 1);
}

#[test]
#[should_panic]
fn a_text_panics_for_a_text_that_does_not_fit() {
    let mut text = Text::<4>::EMPTY;
    text.push_text(&Text::new(*b"longer"));
}
