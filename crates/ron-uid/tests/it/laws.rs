//! The laws that hold for every UID, and the errors of everything else.

use proptest::prelude::*;
use ron_uid::{
    Base64x64, Calendar, ParseError, ParseErrorKind, Replica, ReplicaScheme, RonUid, Scheme, UnixMillis,
    Vector, VectorBuilder, ron_uid,
};
use std::time::{Duration, UNIX_EPOCH};

/// Integers of few different digits, so that two of them often share some; the constants; and any integers.
fn any_int() -> impl Strategy<Value = Base64x64> {
    let text = prop_oneof![
        3 => proptest::sample::select(&["0", "~", "~~~~~~~~~~"][..]).prop_map(str::to_owned),
        8 => "[0a]{3,9}[0a~]",
        4 => "[0-9A-Z_a-z~]{1,10}",
    ];
    text.prop_map(|text| Base64x64::parse(&text).unwrap())
}

fn any_scheme() -> impl Strategy<Value = Scheme> {
    proptest::sample::select(&Scheme::ALL[..])
}

fn any_uid() -> impl Strategy<Value = RonUid> {
    (any_int(), any_int(), any_scheme())
        .prop_map(|(value, origin, scheme)| RonUid::from_fields(value, origin, scheme))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn parsing_the_text_of_a_uid_returns_the_uid(uid in any_uid()) {
        let text = uid.encode();
        prop_assert_eq!(RonUid::parse(&text), Ok(uid), "{}", text);
        prop_assert_eq!(uid.to_string().parse(), Ok(uid));
        prop_assert_eq!(RonUid::try_from(u128::from(uid)), Ok(uid));
        prop_assert_eq!(RonUid::try_from(&uid.to_bytes()[..]), Ok(uid));
        prop_assert_eq!(RonUid::from_fields(uid.value(), uid.origin(), uid.scheme()), uid);
        prop_assert_eq!(Base64x64::parse(&uid.value().encode()), Ok(uid.value()));
    }

    #[test]
    fn no_other_form_of_a_uid_is_shorter_than_its_text(uid in any_uid()) {
        let (value, sign, origin) = (uid.value(), uid.scheme().sign(), uid.origin());
        let len = uid.encode().len();
        let forms = [
            format!("{value}"),
            format!("{value}{sign}"),
            format!("{sign}{origin}"),
            format!("{value}{sign}{origin}"),
        ];
        for form in forms {
            prop_assert!(RonUid::parse(&form) != Ok(uid) || form.len() >= len, "{}", form);
        }
    }

    #[test]
    fn trailing_zeros_never_change_the_meaning(uid in any_uid(), zeros in 0..10_usize) {
        let text = uid.encode();
        let (value, rest) = text.split_at(text.find(['-', '+', '$', '%']).unwrap_or(text.len()));
        let padded = format!("{value}{}{rest}", &"0".repeat(zeros)[..zeros.min(10 - value.len())]);
        prop_assert_eq!(RonUid::parse(&padded), Ok(uid), "{}", padded);
        let full = format!("{:0<10}{}{:0<10}", uid.value(), uid.scheme().sign(), uid.origin());
        prop_assert_eq!(RonUid::parse(&full), Ok(uid), "{}", full);
    }

    #[test]
    fn a_longer_text_is_a_uid_only_if_encode_prints_it_or_its_zeros_are_written(
        text in "[0A~]{0,11}[-+$%]{0,2}[0A~]{0,11}[(\\[{})\\]]{0,1}",
    ) {
        prop_assert_eq!(RonUid::parse(&text).ok(), by_the_grammar(&text), "{}", text);
    }

    #[test]
    fn unzip_is_the_reverse_of_zip(uid in any_uid(), context in any_uid()) {
        let text = uid.zip(&context);
        prop_assert!(!text.is_empty() || uid == context);
        prop_assert_eq!(RonUid::unzip(&text, &context), Ok(uid), "{} in {}", text, context);
    }

    #[test]
    fn unzip_is_the_reverse_of_zip_for_every_pair_of_schemes(
        value in any_int(), origin in any_int(), other in any_int(),
    ) {
        for scheme in Scheme::ALL {
            for of_context in Scheme::ALL {
                for (v, o) in [(value, origin), (other, origin), (value, other)] {
                    let uid = RonUid::from_fields(value, origin, scheme);
                    let context = RonUid::from_fields(v, o, of_context);
                    let text = uid.zip(&context);
                    prop_assert_eq!(RonUid::unzip(&text, &context), Ok(uid), "{} in {}", text, context);
                }
            }
        }
    }

    #[test]
    fn a_zipped_text_is_no_longer_than_the_text_and_its_zeros(uid in any_uid(), context in any_uid()) {
        // A part that is 0 is printed if the context's part is not 0.
        prop_assert!(uid.zip(&context).len() <= uid.encode().len() + 1);
    }

    #[test]
    fn a_vector_reads_as_it_was_built(uids in proptest::collection::vec(any_uid(), 0..20)) {
        let mut vector = VectorBuilder::new();
        for &uid in &uids {
            vector.push(uid);
            vector.push(uid);
        }
        let read: Vec<RonUid> = Vector::new(vector.as_str()).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read, uids.into_iter().flat_map(|uid| [uid, uid]).collect::<Vec<_>>());
    }

    #[test]
    fn no_text_panics_and_parsed_uids_survive_a_round_trip(
        text in ".{0,22}|[0a~$%+-]{0,22}|[0a~$%+({)\\[\\]},-]{0,22}",
        context in any_uid(),
    ) {
        if let Ok(uid) = RonUid::parse(&text) {
            prop_assert_eq!(RonUid::parse(&uid.encode()), Ok(uid));
        }
        if let Ok(uid) = RonUid::unzip(&text, &context) {
            prop_assert_eq!(RonUid::unzip(&uid.zip(&context), &context), Ok(uid));
        }
        let read: Vec<_> = Vector::new(&text).map_while(Result::ok).collect();
        let again: VectorBuilder = read.iter().copied().collect();
        prop_assert_eq!(Vector::new(again.as_str()).collect::<Result<Vec<_>, _>>(), Ok(read));
    }

    #[test]
    fn bytes_of_one_scheme_and_texts_of_integers_have_the_order_of_values(a in any_uid(), b in any_uid()) {
        let parts = |uid: RonUid| (uid.value(), uid.origin(), uid.scheme());
        prop_assert_eq!(a.cmp(&b), parts(a).cmp(&parts(b)));
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        let b = RonUid::from_fields(b.value(), b.origin(), a.scheme());
        prop_assert_eq!(a.cmp(&b), a.to_bytes().cmp(&b.to_bytes()));
        prop_assert_eq!(a.value().cmp(&b.value()), a.value().encode().cmp(&b.value().encode()));
        prop_assert_eq!(a.value().cmp(&b.value()), a.value().digits().cmp(&b.value().digits()));
    }

    #[test]
    fn bytes_with_reserved_bits_overflow(
        uid in any_uid(), (byte, bit) in prop_oneof![(Just(0), 4..8_u32), (Just(8), 6..8_u32)],
    ) {
        let mut bytes = uid.to_bytes();
        bytes[byte] |= 1 << bit;
        prop_assert_eq!(RonUid::try_from_bytes(bytes).unwrap_err().kind(), ParseErrorKind::Overflow);
    }

    #[test]
    fn another_calendar_gives_the_same_time(millis in 1_262_304_000_000..11_865_398_400_000_u64) {
        let value = Base64x64::from_unix_millis(millis).unwrap();
        prop_assert_eq!(value.unix_millis(), Some(millis));
        let time = Calendar::from_value(value).unwrap();
        let theirs = jiff::Timestamp::from_millisecond(millis as i64).unwrap();
        let theirs = jiff::tz::TimeZone::UTC.to_datetime(theirs);
        let date = (time.year as i16, time.month as i8, time.day as i8);
        prop_assert_eq!(date, (theirs.year(), theirs.month(), theirs.day()));
        let of_day = (time.hour as i8, time.minute as i8, time.second as i8, time.millis as i16);
        prop_assert_eq!(of_day, (theirs.hour(), theirs.minute(), theirs.second(), theirs.millisecond()));
        prop_assert_eq!(time.to_value(), Some(value));
        prop_assert_eq!(time.unix_millis(), Some(millis));
    }

    #[test]
    fn an_integer_is_a_time_if_another_calendar_has_its_digits(
        months in 0..4096_u64, digits in proptest::array::uniform4(0..64_u64),
        millis in 0..1100_u64, sequence in 0..4096_u64,
    ) {
        let [day, hour, minute, second] = digits;
        let of_day = hour << 36 | minute << 30 | second << 24 | millis << 12 | sequence;
        let int = months << 48 | day << 42 | of_day;
        let value = Base64x64::try_from_int(int).unwrap();
        let theirs = jiff::civil::DateTime::new(
            (2010 + months / 12) as i16, (months % 12 + 1) as i8, day as i8 + 1,
            hour as i8, minute as i8, second as i8, (millis * 1_000_000).min(1_000_000_000) as i32,
        );
        let theirs = theirs.ok().filter(|_| value < Base64x64::NEVER);
        let theirs = theirs.map(|time| jiff::tz::TimeZone::UTC.to_timestamp(time).unwrap());
        let theirs = theirs.map(|time| time.as_millisecond() as u64);
        prop_assert_eq!(value.unix_millis(), theirs);
        let calendar = Calendar::from_value(value);
        prop_assert_eq!(calendar.is_some(), theirs.is_some());
        prop_assert_eq!(calendar.and_then(|time| time.to_value()), theirs.map(|_| value));
    }

    #[test]
    fn an_event_lies_between_the_bounds_of_its_time(
        millis in 1_262_304_000_000..11_865_398_400_000_u64, micros in 0..1000_u64,
        sequence in prop_oneof![0..4096_u64, Just(0), Just(4095)],
        origin in prop_oneof![any_int(), Just(Base64x64::ZERO), Just(Base64x64::ERROR)], scheme in any_scheme(),
    ) {
        let value = Base64x64::from_unix_millis(millis).unwrap().to_int() + sequence;
        let value = Base64x64::try_from_int(value).unwrap();
        let uid = RonUid::from_fields(value, origin, scheme);
        let time = Duration::from_millis(millis) + Duration::from_micros(micros);
        let (least, greatest) = (RonUid::min_at(UNIX_EPOCH + time).unwrap(), RonUid::max_at(UNIX_EPOCH + time).unwrap());
        let next = RonUid::min_at(UNIX_EPOCH + time + Duration::from_millis(1)).unwrap_or(RonUid::MAX);
        prop_assert!(greatest < next);
        let is_time = matches!(scheme, Scheme::Event | Scheme::Derived);
        if is_time {
            prop_assert!(least <= uid && uid <= greatest);
            // As a database compares them.
            prop_assert!(least.to_bytes() <= uid.to_bytes() && uid.to_bytes() <= greatest.to_bytes());
        }
        prop_assert_eq!(uid.time(), is_time.then_some(UNIX_EPOCH + Duration::from_millis(millis)));
    }

    #[test]
    fn joining_the_parts_of_an_origin_returns_the_origin(
        origin in any_int(), mut cuts in proptest::array::uniform3(0..=10_u8),
    ) {
        cuts.sort_unstable();
        let counts = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 10 - cuts[2]];
        let scheme = ReplicaScheme::new(counts).unwrap();
        prop_assert_eq!(ReplicaScheme::parse(&scheme.to_string()), Ok(scheme));
        match scheme.split(origin) {
            Ok(replica) => prop_assert_eq!(scheme.join(&replica), Ok(origin)),
            Err(error) => {
                prop_assert_eq!(error.kind(), ParseErrorKind::Length);
                // A part is empty, and a later part is not.
                let text = format!("{:0<10}", origin.to_string());
                let ends = [cuts[0], cuts[1], cuts[2], 10].map(usize::from);
                let begins = [0, ends[0], ends[1], ends[2]];
                let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
                let is_empty = |&i: &usize| ends[i] > begins[i] && is_zero(&text[begins[i]..ends[i]]);
                prop_assert!(!is_zero(&text[ends[(0..4).find(is_empty).unwrap()]..]));
            }
        }
    }
}

fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

/// The UID that `encode` prints as this text, up to trailing zeros, with all parts or with those that it does not leave
/// out.
fn by_the_grammar(text: &str) -> Option<RonUid> {
    let digits = |part: &str| Base64x64::parse(part).ok();
    let Some(at) = text.find(['-', '+', '$', '%']) else {
        let value = digits(text)?;
        let is_event = [Base64x64::ZERO, Base64x64::NEVER, Base64x64::ERROR].contains(&value);
        let scheme = if is_event { Scheme::Event } else { Scheme::Name };
        return Some(RonUid::from_fields(value, Base64x64::ZERO, scheme));
    };
    let (value, sign, origin) = (&text[..at], &text[at..=at], &text[at + 1..]);
    let part = |part: &str| if part.is_empty() { Some(Base64x64::ZERO) } else { digits(part) };
    let scheme = Scheme::ALL.into_iter().find(|scheme| sign == scheme.sign().to_string())?;
    let uid = RonUid::from_fields(part(value)?, part(origin)?, scheme);
    let short = |part: &str| if part.is_empty() { String::new() } else { digits(part).unwrap().to_string() };
    let has_all = !value.is_empty() && !origin.is_empty();
    let is_printed = format!("{}{sign}{}", short(value), short(origin)) == uid.encode().as_str();
    (has_all || is_printed).then_some(uid)
}

#[test]
fn a_short_text_is_a_uid_only_if_encode_prints_it_or_its_zeros_are_written() {
    let characters = "01A~_z-+$%([{}]), !/:@`";
    let mut texts = vec![String::new()];
    let mut read = 0;
    for _ in 0..=4 {
        for text in &texts {
            let expected = by_the_grammar(text);
            assert_eq!(RonUid::parse(text).ok(), expected, "{text:?}");
            assert_eq!(RonUid::parse_ascii(text.as_bytes()).ok(), expected, "{text:?}");
            read += usize::from(expected.is_some());
        }
        let longer = |text: &String| characters.chars().map(|c| format!("{text}{c}")).collect::<Vec<_>>();
        texts = texts.iter().flat_map(longer).collect();
    }
    assert!(read > 3000, "{read}");
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    use ParseErrorKind::{Character, Length, Sign};
    for (text, kind, expected) in [
        ("", Length, "expected at least 1 character, found 0"),
        ("12345678901", Length, "expected at most 10 digits in a part, found 11"),
        ("00000000000", Length, "expected at most 10 digits in a part, found 11"),
        ("1-12345678901", Length, "expected at most 10 digits in a part, found 11"),
        (" ", Character, "' ' at position 0 is not a Base64x64 digit"),
        (" 1", Character, "' ' at position 0 is not a Base64x64 digit"),
        ("1 ", Character, "' ' at position 1 is not a Base64x64 digit"),
        ("1- ", Character, "' ' at position 2 is not a Base64x64 digit"),
        ("1-2\n", Character, "'\\n' at position 3 is not a Base64x64 digit"),
        ("1-2(", Character, "'(' at position 3 is not a Base64x64 digit"),
        ("1((", Character, "'(' at position 1 is not a Base64x64 digit"),
        ("{}", Character, "'{' at position 0 is not a Base64x64 digit"),
        ("1-é", Character, "'é' at position 2 is not a Base64x64 digit"),
        ("1,2", Character, "',' at position 1 is not a Base64x64 digit"),
        ("1--2", Sign, "'-' at position 2, expected at most one sign"),
        ("--", Sign, "'-' at position 1, expected at most one sign"),
        ("1-2+", Sign, "'+' at position 3, expected at most one sign"),
        ("$a%", Sign, "'%' at position 2, expected at most one sign"),
        ("-", Sign, "'-' at position 0, expected a value before the sign"),
        ("inc$", Sign, "'$' at position 3, expected an origin after the sign, or no sign"),
    ] {
        let error = RonUid::parse(text).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (kind, expected), "{text:?}");
    }
    assert_eq!(message(RonUid::parse_ascii(b"1-\xff")), "byte 0xff at position 2 is not a Base64x64 digit");
    assert_eq!(message(Base64x64::parse("")), "expected 1 to 10 digits, found 0");
    assert_eq!(message(Base64x64::parse("-")), "'-' at position 0 is not a Base64x64 digit");
    assert_eq!(message(Base64x64::parse("12345678901")), "expected at most 10 digits in a part, found 11");
    assert_eq!(
        message(Base64x64::try_from_int(1 << 60)),
        "1152921504606846976 is above the greatest Base64x64 integer, 1152921504606846975"
    );
    assert_eq!(message(RonUid::try_from(&[0; 8][..])), "expected 16 bytes, found 8");
    assert_eq!(message(RonUid::try_from(1_u128 << 124)), "1 is above the greatest RON UID variety, 0");
    assert_eq!(message(RonUid::try_from(1_u128 << 63)), "8 is above the greatest RON UID scheme in bits, 3");
}

#[test]
fn errors_of_compressed_texts_say_what_was_expected() {
    let context = ron_uid!("0123456789-abcdefghij");
    for (text, expected) in [
        (")AB", "expected at most 10 digits in a part, found 11"),
        ("(1234567", "expected at most 10 digits in a part, found 11"),
        ("1-(1234567", "expected at most 10 digits in a part, found 11"),
        ("(a(b(c", "'(' at position 4 is not a Base64x64 digit"),
        ("((", ""),
        ("{}", ""),
        ("(((", "'(' at position 2 is not a Base64x64 digit"),
        ("1-(2-", "'-' at position 4, expected at most one sign"),
        ("1-2(3", "'(' at position 3 is not a Base64x64 digit"),
        ("(1,", "',' at position 2 is not a Base64x64 digit"),
        ("!", "'!' at position 0 is not a Base64x64 digit"),
        ("`1", "'`' at position 0 is not a Base64x64 digit"),
    ] {
        let found = RonUid::unzip(text, &context).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn the_constants_of_a_vector_have_the_origin_zero_whatever_the_context() {
    // npm swarm-ron-uuid 2.0.9 and @swarm/ron-uuid 0.1.1 print `A-X,0,B-X,~` too, but read it as `A-X,0-X,B-X,~-X`. They
    // read `A-X,0-0,B-X,~-0` as it is meant.
    let uids = ["A-X", "0", "B-X", "~", "C$X", "~~~~~~~~~~", "D-", "0", "inc", "~"];
    let uids = uids.map(|text| RonUid::parse(text).unwrap());
    let vector: VectorBuilder = uids.into_iter().collect();
    assert_eq!(vector.as_str(), "A-X,0,B-X,~,C$X,~~~~~~~~~~,D-,0,inc,~");
    assert_eq!(Vector::new(vector.as_str()).collect::<Result<Vec<_>, _>>().unwrap(), uids);

    // @swarm/ron-uuid gives a UID without a sign the scheme before it: `AAAAA1+X`.
    let mixed: Vec<_> = Vector::new("AAAAA+X,[1").map(Result::unwrap).collect();
    assert_eq!(mixed, [ron_uid!("AAAAA+X"), ron_uid!("AAAAA1-X")]);
    assert_eq!(mixed.into_iter().collect::<VectorBuilder>().as_str(), "AAAAA+X,[1");

    // With their origin, all readers read the constants alike.
    let read: Vec<_> = Vector::new("A-X,0-0,B-X,~-0,C$X,~~~~~~~~~~-0").map(Result::unwrap).collect();
    assert_eq!(read, uids[..6]);
    for context in
        ["A-X", "A+X", "A$X", "A%X", "inc", "0", "~-X", "~~~~~~~~~~-X", "0-X", "A-"].map(RonUid::parse)
    {
        let context = context.unwrap();
        for constant in [RonUid::ZERO, RonUid::NEVER, RonUid::ERROR] {
            assert_eq!(constant.zip(&context), constant.encode());
            assert_eq!(RonUid::unzip(&constant.encode(), &context), Ok(constant));
            assert_eq!(RonUid::unzip(&format!("{constant}-0"), &context), Ok(constant));
        }
    }
}

#[test]
fn vectors_end_after_their_last_element_or_an_error() {
    let read = |body| Vector::new(body).map(|uid| uid.map_err(|error| error.to_string())).collect::<Vec<_>>();
    assert_eq!(read(""), []);
    let uid = ron_uid!("1-X");
    assert_eq!(read("1-X,"), [Ok(uid), Ok(uid)]);
    assert_eq!(read("1-X,,2-"), [Ok(uid), Ok(uid), Ok(ron_uid!("2-X"))]);
    assert_eq!(read(",1-X"), [Ok(RonUid::ZERO), Ok(uid)]);
    let mut vector = Vector::new("1-X,2--,3-");
    assert_eq!(vector.next(), Some(Ok(uid)));
    assert_eq!(message(vector.next().unwrap()), "'-' at position 6, expected at most one sign");
    assert_eq!((vector.next(), vector.next()), (None, None));

    assert_eq!(VectorBuilder::new().as_str(), "");
    let repeated: VectorBuilder = [RonUid::ZERO, RonUid::ZERO, uid, uid].into_iter().collect();
    assert_eq!(repeated.to_string(), "0,0,1-X,");
    assert_eq!(read(&repeated.finish()).len(), 4);
}

/// An event with these digits: months, day − 1, hour, minute, second, milliseconds.
fn event(months: u64, rest: [u64; 5]) -> RonUid {
    let [day, hour, minute, second, millis] = rest;
    let int = months << 48 | day << 42 | hour << 36 | minute << 30 | second << 24 | millis << 12;
    RonUid::from_fields(Base64x64::try_from_int(int).unwrap(), Base64x64::ZERO, Scheme::Event)
}

#[test]
fn digits_that_are_not_a_time_have_no_time() {
    let last = [30, 23, 59, 59, 999];
    assert!(event(0, last).time().is_some());
    for (field, digit) in last.iter().enumerate() {
        let mut beyond = last;
        beyond[field] = digit + 1;
        assert_eq!(event(0, beyond).time(), None, "{beyond:?}");
    }
    assert!(event(2 * 12 + 1, [28, 0, 0, 0, 0]).time().is_some(), "29 February 2012");
    assert_eq!(event(12 + 1, [28, 0, 0, 0, 0]).time(), None, "29 February 2011");
    assert_eq!(event(90 * 12 + 1, [28, 0, 0, 0, 0]).time(), None, "29 February 2100");
    assert_eq!(event(5, [30, 0, 0, 0, 0]).time(), None, "31 June");
}

#[test]
fn the_calendar_ends_before_never() {
    let last = event(4031, [30, 23, 59, 59, 999]);
    assert_eq!(last.unix_millis(), Some(11_865_398_399_999));
    assert_eq!(RonUid::min_at(last.time().unwrap()), Ok(last));
    assert_eq!(Calendar::MAX.to_value().unwrap().to_int(), last.value().to_int() + 4095);
    assert_eq!((Calendar::MIN.year, Calendar::MAX.year, Calendar::MAX.month), (2010, 2345, 12));

    assert_eq!(event(4032, [0; 5]), RonUid::NEVER);
    for uid in [RonUid::NEVER, RonUid::ERROR, event(4032, [1, 0, 0, 0, 0]), event(4095, [0; 5])] {
        assert_eq!((uid.unix_millis(), Calendar::from_value(uid.value())), (None, None), "{uid}");
    }
    let error = RonUid::max_at(UnixMillis(11_865_398_400_000)).unwrap_err();
    assert_eq!(ParseError::from(error.clone()).kind(), ParseErrorKind::Overflow);
    assert_eq!(
        error.to_string(),
        "the time is 2346-01-01T00:00:00.000000Z, expected 2010-01-01T00:00:00.000000Z to 2345-12-31T23:59:59.999999Z"
    );
    let before = UNIX_EPOCH + Duration::from_micros(1_262_303_999_999_999);
    assert!(
        message(RonUid::min_at(before))
            .starts_with("the time is 2009-12-31T23:59:59.999999Z, expected 2010-")
    );
    assert_eq!(RonUid::min_at(UnixMillis(1_262_304_000_000)), Ok(RonUid::ZERO));
}

#[test]
fn fields_out_of_range_are_not_a_time() {
    let time = Calendar::from_value(ron_uid!("1CQKn").value()).unwrap();
    for wrong in [
        Calendar { year: 2009, ..time },
        Calendar { year: 2346, ..time },
        Calendar { year: 65535, ..time },
        Calendar { month: 0, ..time },
        Calendar { month: 13, ..time },
        Calendar { day: 0, ..time },
        Calendar { day: 32, ..time },
        Calendar { day: 65, ..time },
        Calendar { hour: 24, ..time },
        Calendar { hour: 64, ..time },
        Calendar { minute: 60, ..time },
        Calendar { minute: 64, ..time },
        Calendar { second: 60, ..time },
        Calendar { second: 255, ..time },
        Calendar { millis: 1000, ..time },
        Calendar { millis: 4096, ..time },
        Calendar { sequence: 4096, ..time },
    ] {
        assert_eq!((wrong.to_value(), wrong.unix_millis()), (None, None), "{wrong:?}");
    }
}

#[test]
fn a_text_of_ten_megabytes_is_refused() {
    for byte in ["0", "-", "(", " "] {
        let text = byte.repeat(10_000_000);
        assert!(RonUid::parse(&text).is_err());
        assert!(RonUid::unzip(&text, &RonUid::ZERO).is_err());
        assert!(Vector::new(&text).all(|uid| uid.is_err()));
    }
}

#[test]
fn a_replica_scheme_splits_and_joins_origins() {
    let scheme = ReplicaScheme::default();
    let part = |text| Base64x64::parse(text).unwrap();
    let replica = Replica { peer: part("0"), server: part("X"), user: part("gritzk"), session: part("0_D") };
    assert_eq!(scheme.split(part("Xgritzk0_D")), Ok(replica));
    assert_eq!(scheme.join(&replica), Ok(part("Xgritzk0_D")));
    assert_eq!(scheme.join(&Replica::default()), Ok(Base64x64::ZERO));
    assert_eq!(scheme.counts(), [0, 1, 6, 3]);

    let join = |replica| message(scheme.join(&replica));
    assert_eq!(
        join(Replica { user: part("gritzko"), ..replica }),
        "expected at most 6 digits in this replica part, found 7"
    );
    assert_eq!(
        join(Replica { peer: part("X"), ..replica }),
        "expected no digits in this replica part, found 1"
    );
    assert_eq!(
        join(Replica { server: part("0"), ..replica }),
        "expected a digit of the server, since a later part has some, found 0"
    );
    let holes =
        ["0gritzk0_D", "X0000000_D", "000000000D"].map(|text| scheme.split(part(text)).unwrap_err().kind());
    assert_eq!(holes, [ParseErrorKind::Length; 3]);

    assert_eq!(
        message(ReplicaScheme::parse("0164")),
        "11 is above the greatest number of digits in a replica scheme, 10"
    );
    assert_eq!(
        message(ReplicaScheme::parse("0162")),
        "9 is below the least number of digits in a replica scheme, 10"
    );
    assert_eq!(message(ReplicaScheme::parse("163")), "expected 4 digits, found 3");
    assert_eq!(message(ReplicaScheme::parse("01-9")), "'-' at position 2 is not a Base64x64 digit");
    assert_eq!(ReplicaScheme::parse("A000").unwrap().split(part("abc")).unwrap().peer, part("abc"));
    assert!(ReplicaScheme::new([255; 4]).is_err());
}
