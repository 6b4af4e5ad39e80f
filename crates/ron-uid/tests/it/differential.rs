//! The published crate `ron-uuid` 0.4.0 and this one: where their dialects agree, and where they differ, as the README
//! lists.

use proptest::prelude::*;
use ron_uid::{Base64x64, Generator, RonUid, Scheme, ron_uid};
use ron_uuid_published::UUID;
use std::time::SystemTime;

fn theirs(uid: RonUid) -> UUID {
    let (value, origin) = (uid.value().to_int(), uid.origin().to_int());
    match uid.scheme() {
        Scheme::Event => UUID::Event { timestamp: value, origin },
        Scheme::Derived => UUID::Derived { timestamp: value, origin },
        Scheme::Name => UUID::Name { name: value, scope: origin },
        Scheme::Hash => UUID::Number { value1: value, value2: origin },
    }
}

/// The later dialect has `+` for events and `-` for derived UIDs.
fn in_their_signs(text: &str) -> String {
    text.chars()
        .map(|char| match char {
            '-' => '+',
            '+' => '-',
            other => other,
        })
        .collect()
}

fn any_int() -> impl Strategy<Value = Base64x64> {
    let text = prop_oneof!["0", "[0a]{3,9}[0a~]", "[0-9A-Z_a-z~]{1,10}"];
    text.prop_map(|text: String| Base64x64::parse(&text).unwrap())
}

fn any_uid() -> impl Strategy<Value = RonUid> {
    (any_int(), any_int(), proptest::sample::select(&Scheme::ALL[..]))
        .prop_map(|(value, origin, scheme)| RonUid::from_fields(value, origin, scheme))
}

/// Whether the value alone is an event here, and a name there.
fn is_constant(uid: RonUid) -> bool {
    let constants = [Base64x64::ZERO, Base64x64::NEVER, Base64x64::ERROR];
    uid.origin() == Base64x64::ZERO
        && constants.contains(&uid.value())
        && matches!(uid.scheme(), Scheme::Event | Scheme::Name)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn integers_have_the_same_text(int in any_int()) {
        let name = UUID::Name { name: int.to_int(), scope: 0 };
        prop_assert_eq!(name.to_string(), int.to_string());
        prop_assert_eq!(int.to_string().parse(), Ok(name));
    }

    #[test]
    fn each_crate_reads_the_texts_of_the_other(uid in any_uid()) {
        let printed = theirs(uid).to_string();
        if !is_constant(uid) {
            prop_assert_eq!(RonUid::parse(&in_their_signs(&printed)), Ok(uid), "{}", printed);
        }
        // The other crate does not read texts without a value, and reads the constants as names.
        if uid.value() != Base64x64::ZERO && !is_constant(uid) {
            let text = uid.encode();
            prop_assert_eq!(in_their_signs(&text).parse(), Ok(theirs(uid)), "{}", text);
        }
    }

    #[test]
    fn uids_without_zero_parts_have_the_same_text(uid in any_uid()) {
        if uid.value() != Base64x64::ZERO && uid.origin() != Base64x64::ZERO {
            prop_assert_eq!(theirs(uid).to_string(), in_their_signs(&uid.encode()));
        }
    }

    #[test]
    fn the_published_crate_reads_texts_compressed_here(uid in any_uid(), context in any_uid()) {
        // For the other crate, a sign that is left out is the context's, not that of an event. It does not read an empty
        // text.
        if uid != context
            && (uid.scheme() != Scheme::Event || context.scheme() == Scheme::Event)
            && !is_constant(uid)
        {
            let (text, their_context) = (in_their_signs(&uid.zip(&context)), theirs(context));
            let (read, rest) = UUID::parse(&text, Some((&their_context, &their_context))).unwrap();
            prop_assert_eq!(read, theirs(uid), "{} in {}", text, context);
            prop_assert_eq!(rest, "");
        }
    }

    #[test]
    fn texts_compressed_by_the_published_crate_are_read_here(uid in any_uid(), context in any_uid()) {
        let their_context = theirs(context);
        let text = theirs(uid).compress(Some((&their_context, &their_context)));
        let same_scheme = uid.scheme() == context.scheme() && uid.scheme() != Scheme::Event;
        let is_name = uid.origin() == Base64x64::ZERO && uid.scheme() == Scheme::Name;
        if !same_scheme && !is_name {
            let read = RonUid::unzip(&in_their_signs(&text), &context);
            prop_assert_eq!(read, Ok(uid), "{} in {}", text, context);
        }
    }
}

#[test]
fn the_two_crates_differ_as_the_readme_says() {
    let read = |text: &str| text.parse::<UUID>();
    // The signs of events and derived UIDs.
    assert_eq!(read("A+B"), Ok(theirs(ron_uid!("A-B"))));
    assert_eq!(read("A-B"), Ok(theirs(ron_uid!("A+B"))));
    // The constants.
    assert_eq!(read("0"), Ok(theirs(ron_uid!("0$"))));
    assert_eq!(read("~"), Ok(theirs(ron_uid!("~$"))));
    assert_eq!(theirs(ron_uid!("0$")).to_string(), "0");
    // Parts of zero are printed, and must not be left out before a sign.
    assert_eq!(theirs(ron_uid!("A+")).to_string(), "A-0");
    assert_eq!(theirs(ron_uid!("$B")).to_string(), "0$B");
    assert_eq!(read("$B"), Err(()));
    // What follows a UUID is ignored.
    assert_eq!(read("A$B C"), read("A$B"));
    assert_eq!(read("A$BBBBBBBBBBB"), read("A$BBBBBBBBBB"));
    assert!(RonUid::parse("A$B C").is_err() && RonUid::parse("A$BBBBBBBBBBB").is_err());
    // A sign that is left out is the context's, and a name that is the context's is `0`.
    let (context, inc) = (theirs(ron_uid!("12345$A")), theirs(ron_uid!("inc")));
    assert_eq!(theirs(ron_uid!("12346$0000A")).compress(Some((&context, &context))), "(6$0000A");
    assert_eq!(theirs(ron_uid!("12346$A0000B")).compress(Some((&context, &context))), "(6[B");
    assert_eq!(ron_uid!("12346$A0000B").zip(&ron_uid!("12345$A")), "(6$[B");
    assert_eq!(inc.compress(Some((&inc, &inc))), "0");
}

#[test]
fn the_published_crate_does_not_count_months_from_2010() {
    static IDS: Generator = ron_uid::Options::new(Base64x64::ZERO).build();
    let months = |int: u64| int >> 48;
    let ours = months(IDS.generate().unwrap().value().to_int());
    let UUID::Event { timestamp, .. } = UUID::now() else { panic!("not an event") };
    assert_ne!(months(timestamp), ours);
    // 2010 + 12 × year + month, modulo 4096; or one more, if a month ends during the test.
    let expected = (2010 + 12 * 2010 + ours) % 4096;
    assert!([expected, expected + 1].contains(&months(timestamp)));
}

/// What the README says to a user who replaces the published crate.
#[test]
fn the_values_of_the_published_crate_convert_and_the_months_of_now_can_be_corrected() {
    const TOO_MANY: u64 = 1554 << 48;
    let part = |int| Base64x64::try_from_int(int).unwrap();
    let ours = |uuid| match uuid {
        UUID::Event { timestamp, origin } => {
            RonUid::from_fields(part(timestamp), part(origin), Scheme::Event)
        }
        UUID::Name { name, scope } => RonUid::from_fields(part(name), part(scope), Scheme::Name),
        other => panic!("{other}"),
    };
    assert_eq!(ours("1CQKneD1+X".parse().unwrap()).encode(), "1CQKneD1-X");
    assert_eq!(ours("0".parse().unwrap()).encode(), "0$");

    let before = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as u64;
    let UUID::Event { timestamp, origin } = UUID::now() else { panic!("not an event") };
    let uid = RonUid::from_fields(part(timestamp - TOO_MANY), part(origin), Scheme::Event);
    assert!((before..before + 60_000).contains(&uid.unix_millis().unwrap()), "{uid}");
}
