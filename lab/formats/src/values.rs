//! All public types and forms, each with some values; and the types that show what a format can do.

use evently_ledger::{Event, Fault, FaultKind, Genesis, Json, Part, PartVerifier, Profile, Verifier};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sortid::{
    AnyId, AsText, SortableId, Spec, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160,
    ulid_flake::UlidFlake,
};
use sortid_core::__private::integrations::serde::AsInteger;
use sortid_fleet::{Holder, Record};
use std::cell::Cell;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
pub(crate) struct Text<I>(#[serde(with = "sortid_core::serde::text")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
pub(crate) struct Hex<I>(#[serde(with = "sortid_core::serde::hex")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
pub(crate) struct Bytes<I>(#[serde(with = "sortid_core::serde::bytes")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId")]
pub(crate) struct Array<I>(#[serde(with = "sortid_core::serde::array")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: AsInteger")]
pub(crate) struct Integer<I>(#[serde(with = "sortid_core::serde::integer")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: AsInteger")]
pub(crate) struct Decimal<I>(#[serde(with = "sortid_core::serde::decimal")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId<Bytes = [u8; 16]>")]
pub(crate) struct Hyphenated<I>(#[serde(with = "sortid_core::serde::hyphenated")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId<Bytes = [u8; 16]>")]
pub(crate) struct Both<I>(#[serde(with = "sortid_core::serde::text_or_hyphenated")] pub(crate) I);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "I: SortableId<Bytes = [u8; 16]>")]
pub(crate) struct Mixed<I>(
    #[serde(
        serialize_with = "sortid_core::serde::hyphenated::serialize",
        deserialize_with = "sortid_core::serde::text_or_hyphenated::deserialize"
    )]
    pub(crate) I,
);

/// The same for an `Option`, whose form sees it.
macro_rules! optional {
    ($($name:ident $path:literal $bound:literal;)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(transparent, bound = $bound)]
            pub(crate) struct $name<I>(#[serde(with = $path)] pub(crate) Option<I>);
        )*
    };
}

optional! {
    MaybeText "sortid_core::serde::text" "I: SortableId";
    MaybeHex "sortid_core::serde::hex" "I: SortableId";
    MaybeBytes "sortid_core::serde::bytes" "I: SortableId";
    MaybeArray "sortid_core::serde::array" "I: SortableId";
    MaybeInteger "sortid_core::serde::integer" "I: AsInteger";
    MaybeDecimal "sortid_core::serde::decimal" "I: AsInteger";
    MaybeHyphenated "sortid_core::serde::hyphenated" "I: SortableId<Bytes = [u8; 16]>";
    MaybeBoth "sortid_core::serde::text_or_hyphenated" "I: SortableId<Bytes = [u8; 16]>";
}

// The forms are generic, so each has a type of each size only.
/// Typed IDs, in modules because each specification has the same names.
macro_rules! typed {
    ($($module:ident)*) => {
        $(pub(crate) mod $module {
            #![allow(missing_docs, unreachable_pub, reason = "the macro writes public items")]

            sortid::$module::typed_id! {
                #[prefix = "user"]
                pub struct UserId;
            }
        })*
    };
}

typed! { euid evently_id ron_uid scru160 ulid_flake }

/// Bytes of their own, as `serde_bytes` has them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blob(Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> serde::de::Visitor<'de> for Bytes {
            type Value = Blob;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Blob, A::Error> {
                let mut bytes = vec![];
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Blob(bytes))
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Number(u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Letters(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Struct {
    spec: String,
    entity: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Choice {
    Unit,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chosen {
    choice: Choice,
    maybe: Option<Choice>,
}

macro_rules! kinds {
    ($($kind:ident($type:ty) as $control:ident: $values:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "the variants have the names of types")]
        pub(crate) enum Kind {
            $($kind),*
        }

        // One type for all, so that each shape is compiled once for each format.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "there are few values")]
        pub(crate) enum Item {
            $($kind($type)),*
        }

        impl Serialize for Item {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$kind(value) => value.serialize(serializer)),*
                }
            }
        }

        impl<'de> Deserialize<'de> for Item {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match KIND.get() {
                    $(Kind::$kind => <$type as Deserialize<'de>>::deserialize(deserializer).map(Self::$kind)),*
                }
            }
        }

        impl Kind {
            pub(crate) const ALL: &[Self] = &[$(Self::$kind),*];

            pub(crate) fn values(self) -> Vec<Item> {
                match self {
                    $(Self::$kind => Vec::<$type>::from_iter($values).into_iter().map(Item::$kind).collect()),*
                }
            }

            /// The kind that shows what a format can do.
            pub(crate) fn control(self) -> Self {
                match self {
                    $(Self::$kind => Self::$control),*
                }
            }
        }
    };
}

thread_local! {
    static KIND: Cell<Kind> = const { Cell::new(Kind::Letters) };
}

/// Reads items of this kind.
pub(crate) fn with_kind<T>(kind: Kind, check: impl FnOnce() -> T) -> T {
    KIND.set(kind);
    check()
}

/// The least and the greatest ID, one whose bytes are ASCII, and one of our time.
pub(crate) fn ids<I: SortableId>() -> Vec<I> {
    let ascii = [b'1'; 20];
    let time = I::min_at(sortid::UnixMillis(1_750_000_000_000));
    [I::MIN, I::MAX].into_iter().chain(I::try_from_bytes(&ascii[..I::BYTES]).ok()).chain(time.ok()).collect()
}

fn maybe<I: SortableId>() -> Vec<Option<I>> {
    vec![None, ids().pop()]
}

fn any_ids() -> Vec<AnyId> {
    let texts = [
        "0005cd755a43d79238c05790c0331dd8",
        "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6",
        "C8EE934SR007G5Q94QKKXFRFV8B",
        "00CMXB6TAK4SA",
        "1CQKneD1-X~",
    ];
    let specs = [Spec::EventlyId, Spec::Scru160, Spec::Euid, Spec::UlidFlake, Spec::RonUid];
    specs.into_iter().zip(texts).map(|(spec, text)| AnyId::parse(spec, text).unwrap()).collect()
}

const LEDGER: &str = include_str!("../../../vectors/ledger-classic.ndjson");

fn event(line: &str) -> Event<'static> {
    Event::parse(line).unwrap().into_owned()
}

fn events() -> Vec<Event<'static>> {
    let appended = LEDGER.lines().next().unwrap();
    let data =
        r#"{"a":[],"b":{},"c":[null,true,false,-7,18446744073709551615,"é\n\"{"],"d":{"a":{"a":1}},"e":""}"#;
    vec![
        event(appended),
        event(r#"{"event":"opened"}"#),
        event(&format!(r#"{{"event":"1","entities":{data},"meta":{data},"data":{data}}}"#)),
    ]
}

fn jsons() -> Vec<Json<'static>> {
    // `null` in an `Option` is `None`, whatever the type.
    [
        "true",
        "-9223372036854775808",
        "\"text\"",
        "[]",
        "[1,\"2\",[3]]",
        "{}",
        r#"{"a":{"b":[1,null]},"é":"1"}"#,
    ]
    .map(|text| Json::parse(text).unwrap())
    .into()
}

/// Numbers that serde's buffer cannot keep.
fn fractions() -> Vec<Json<'static>> {
    ["1.5", "1.50", "-0", "1e-7", "18446744073709551616", r#"{"a":[1,{"total":1.50}]}"#]
        .map(|text| Json::parse(text).unwrap().into_owned())
        .into()
}

fn objects() -> Vec<Json<'static>> {
    jsons().into_iter().filter(|json| json.as_str().starts_with("{\"")).collect()
}

fn parts() -> Vec<Part> {
    let mut verifier = PartVerifier::new(None);
    let lines: Vec<_> = LEDGER.lines().map(|line| format!("{line}\n")).collect();
    verifier.verify_lines(lines.concat().as_bytes());
    let good = verifier.take();
    verifier.verify_lines(lines[3..].concat().as_bytes());
    verifier.verify_lines(b"{}\nx\n");
    vec![good, verifier.take()]
}

fn faults() -> Vec<Fault> {
    let wrong = LEDGER.replacen("entity\":\"", "entity\":\"x", 1);
    Verifier::new(None).verify(wrong.lines()).first_fault.into_iter().collect()
}

fn records() -> Vec<Record> {
    let later = r#"{"size":32,"generation":1,"holder":{"name":"pod","instance":"5f1c","zone":"a"},"until":5,"zone":"a"}"#;
    vec![
        Record::new(8, 1, None, 7),
        Record::new(8, 1, Some(Holder::new("a", "b")), 7),
        serde_json::from_str(later).unwrap(),
    ]
}

kinds! {
    Letters(Letters) as Letters: ["", "1", "C8EE934SR007G5Q94QKKXFRFV8B"].map(|text| Letters(text.to_owned()));
    Number(Number) as Number: [0, 7, u64::MAX].map(Number);
    Blob(Blob) as Blob: [vec![], vec![1; 16], vec![200; 20]].map(Blob);
    Sixteen([u8; 16]) as Sixteen: [[0; 16], [0xff; 16]];
    Struct(Struct) as Struct: [Struct { spec: "a".to_owned(), entity: "b".to_owned() }];
    Choice(Choice) as Choice: [Choice::Unit];
    Chosen(Chosen) as Chosen: [Chosen { choice: Choice::Unit, maybe: Some(Choice::Unit) }];
    MaybeLetters(Option<String>) as MaybeLetters: [None, Some("text".to_owned())];
    MaybeNumber(Option<u64>) as MaybeNumber: [None, Some(7)];
    MaybeBlob(Option<Blob>) as MaybeBlob: [None, Some(Blob(vec![1; 16]))];
    MaybeSixteen(Option<[u8; 16]>) as MaybeSixteen: [None, Some([7; 16])];

    Euid(Euid) as Letters: ids();
    EventId(EventId) as Letters: ids();
    RonUid(RonUid) as Letters: ids().into_iter().chain(["abcdefghij+origin".parse().unwrap(), "1CQKneD1xy+origin".parse().unwrap()]);
    Scru160(Scru160) as Letters: ids();
    UlidFlake(UlidFlake) as Letters: ids();
    UserEuid(euid::UserId) as Letters: ids();
    UserRonUid(ron_uid::UserId) as Letters: ids();
    UserUlidFlake(ulid_flake::UserId) as Letters: ids();
    AsTextOfEuid(AsText<Euid>) as Letters: ids().into_iter().map(AsText);
    AsTextOfUser(AsText<ulid_flake::UserId>) as Letters: ids().into_iter().map(AsText);

    TextOfEuid(Text<Euid>) as Letters: ids().into_iter().map(Text);
    TextOfRonUid(Text<RonUid>) as Letters: ids().into_iter().chain(["1CQKneD1xy+origi".parse().unwrap()]).map(Text);
    TextOfUser(Text<scru160::UserId>) as Letters: ids().into_iter().map(Text);
    HexOfEuid(Hex<Euid>) as Letters: ids().into_iter().map(Hex);
    HexOfScru160(Hex<Scru160>) as Letters: ids().into_iter().map(Hex);
    HexOfUser(Hex<ulid_flake::UserId>) as Letters: ids().into_iter().map(Hex);
    BytesOfEuid(Bytes<Euid>) as Blob: ids().into_iter().map(Bytes);
    BytesOfScru160(Bytes<Scru160>) as Blob: ids().into_iter().map(Bytes);
    BytesOfUser(Bytes<ulid_flake::UserId>) as Blob: ids().into_iter().map(Bytes);
    ArrayOfEuid(Array<Euid>) as Sixteen: ids().into_iter().map(Array);
    ArrayOfScru160(Array<Scru160>) as Sixteen: ids().into_iter().map(Array);
    ArrayOfUser(Array<ulid_flake::UserId>) as Sixteen: ids().into_iter().map(Array);
    IntegerOfEuid(Integer<Euid>) as Letters: ids().into_iter().map(Integer);
    IntegerOfUlidFlake(Integer<UlidFlake>) as Number: ids().into_iter().map(Integer);
    IntegerOfUser(Integer<ulid_flake::UserId>) as Number: ids().into_iter().map(Integer);
    DecimalOfEuid(Decimal<Euid>) as Letters: ids().into_iter().map(Decimal);
    DecimalOfUlidFlake(Decimal<UlidFlake>) as Letters: ids().into_iter().map(Decimal);
    DecimalOfUser(Decimal<ulid_flake::UserId>) as Letters: ids().into_iter().map(Decimal);
    HyphenatedOfEuid(Hyphenated<Euid>) as Letters: ids().into_iter().map(Hyphenated);
    HyphenatedOfUser(Hyphenated<evently_id::UserId>) as Letters: ids().into_iter().map(Hyphenated);
    BothOfEuid(Both<Euid>) as Letters: ids().into_iter().map(Both);
    BothOfUser(Both<evently_id::UserId>) as Letters: ids().into_iter().map(Both);
    MixedOfEuid(Mixed<Euid>) as Letters: ids().into_iter().map(Mixed);

    MaybeEuid(Option<Euid>) as MaybeLetters: maybe();
    MaybeText(MaybeText<ron_uid::UserId>) as MaybeLetters: maybe().into_iter().map(MaybeText);
    MaybeHex(MaybeHex<Scru160>) as MaybeLetters: maybe().into_iter().map(MaybeHex);
    MaybeBytes(MaybeBytes<Euid>) as MaybeBlob: maybe().into_iter().map(MaybeBytes);
    MaybeArray(MaybeArray<Euid>) as MaybeSixteen: maybe().into_iter().map(MaybeArray);
    MaybeIntegerOfEuid(MaybeInteger<Euid>) as MaybeLetters: maybe().into_iter().map(MaybeInteger);
    MaybeIntegerOfUlidFlake(MaybeInteger<UlidFlake>) as MaybeNumber: maybe().into_iter().map(MaybeInteger);
    MaybeDecimalOfEuid(MaybeDecimal<Euid>) as MaybeLetters: maybe().into_iter().map(MaybeDecimal);
    MaybeDecimalOfUlidFlake(MaybeDecimal<UlidFlake>) as MaybeLetters: maybe().into_iter().map(MaybeDecimal);
    MaybeHyphenated(MaybeHyphenated<RonUid>) as MaybeLetters: maybe().into_iter().map(MaybeHyphenated);
    MaybeBoth(MaybeBoth<evently_id::UserId>) as MaybeLetters: maybe().into_iter().map(MaybeBoth);

    AnyId(AnyId) as Struct: any_ids();
    Spec(Spec) as Letters: Spec::ALL.iter().copied();
    Event(Event<'static>) as Struct: events();
    Json(Json<'static>) as Letters: jsons();
    JsonObject(Json<'static>) as Struct: objects();
    JsonWithFractions(Json<'static>) as Letters: fractions();
    EventWithFractions(Event<'static>) as Struct: fractions().into_iter().map(|json| Event::new("a").data(json));
    Part(Part) as Chosen: parts();
    Fault(Fault) as Chosen: faults();
    FaultKind(FaultKind) as Choice: [FaultKind::IdMismatch, FaultKind::MalformedLine];
    Genesis(Genesis) as Choice: [Genesis::Deployed];
    Profile(Profile) as Choice: [Profile::Classic, Profile::Entities];
    Holder(Holder) as Struct: [Holder::new("a", "b")];
    Record(Record) as Struct: records();
}
