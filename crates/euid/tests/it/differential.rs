//! Compares this crate with the published crate `euid` 0.1.7.

use euid::{Entropy, Euid, ParseErrorKind, testing::SeededEntropy};
use euid_published::{EUID, Error};

const COUNT: usize = 100_000;

fn random_ids() -> impl Iterator<Item = Euid> {
    let entropy = SeededEntropy::new(17);
    (0..COUNT).map(move |_| Euid::from_bytes(entropy.draw().unwrap()))
}

#[test]
fn both_crates_print_and_parse_the_same_texts() {
    for ours in random_ids() {
        let theirs = EUID::from(ours.to_u128());
        assert_eq!(ours.encode(), &*theirs.encode(true));
        assert_eq!(ours.encode_without_check(), &*theirs.encode(false));
        assert_eq!(theirs.encode(true).parse(), Ok(ours));
        assert_eq!(ours.encode().parse::<EUID>(), Ok(theirs));
        assert_eq!(ours.unix_millis(), theirs.timestamp());
        assert_eq!(ours.extension().map(euid::Extension::value), theirs.extension());
    }
}

#[test]
fn both_crates_accept_or_refuse_the_same_damaged_texts() {
    let entropy = SeededEntropy::new(18);
    let (mut accepted, mut wrong_check, mut no_digit) = (0, 0, 0);
    for id in random_ids() {
        let mut text = id.encode().to_string().into_bytes();
        let [at, new] = entropy.draw().unwrap();
        text[usize::from(at) % 27] = new & 0x7f;
        let text = String::from_utf8(text).unwrap();
        match (Euid::parse(&text), text.parse::<EUID>()) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours.to_u128(), u128::from(theirs));
                accepted += 1;
            }
            (Err(ours), Err(theirs)) => match (ours.kind(), theirs) {
                (ParseErrorKind::Check, Error::InvalidCheckmod(..)) => wrong_check += 1,
                (ParseErrorKind::Character, Error::InvalidCharacter(_)) => no_digit += 1,
                (ours, theirs) => panic!("{text:?}: {ours:?}, {theirs:?}"),
            },
            (ours, theirs) => panic!("{text:?}: {ours:?}, {theirs:?}"),
        }
    }
    assert!(
        accepted > 100 && wrong_check > 10_000 && no_digit > 10_000,
        "{accepted} {wrong_check} {no_digit}"
    );
}

#[test]
fn ids_of_the_published_crate_are_parsed_here() {
    for extension in [0, 1, 5, 32_767] {
        let theirs = EUID::create_with_extension(extension).unwrap();
        let ours: Euid = theirs.to_string().parse().unwrap();
        assert_eq!(ours.extension(), Some(euid::Extension::new(extension).unwrap()));
        assert_eq!(ours.to_u128(), u128::from(theirs));
    }
}
