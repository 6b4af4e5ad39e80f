//! What users put a value into.

use crate::{
    formats::{Outcome, Value, outcomes},
    values::Item,
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plain {
    n: u8,
    id: Item,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Holder {
    id: Item,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum External {
    New(Item),
    Tuple(Item, u8),
    Struct { id: Item, n: u8 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    New(Holder),
    Itself(Item),
    Struct { id: Item, n: u8 },
    Enum(External),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    New(Item),
    Tuple(Item, u8),
    Struct { id: Item, n: u8 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Struct { id: Item, n: u8 },
    Tuple(Item, u8),
    New(Item),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat<T> {
    more: u8,
    #[serde(flatten)]
    flat: T,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Optional {
    id: Option<Item>,
    n: u8,
}

/// A map with one key, which need not have an order or a hash.
#[derive(Debug, PartialEq)]
struct Key(Item);

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(&self.0, 7_u8)])
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;

        impl<'de> Visitor<'de> for Map {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map with one key")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Key, A::Error> {
                let (key, _) = map.next_entry::<Item, u8>()?.unwrap();
                assert!(map.next_key::<Item>()?.is_none());
                Ok(Key(key))
            }
        }

        deserializer.deserialize_map(Map)
    }
}

fn outcomes_of<T: Value>(all: &mut Vec<(String, Outcome)>, shape: &str, value: &T) {
    all.extend(
        outcomes(value).into_iter().map(|(format, outcome)| (format!("{shape} in {format}"), outcome)),
    );
}

/// What becomes of the value in each shape and format.
pub(crate) fn all_outcomes(item: &Item) -> Vec<(String, Outcome)> {
    let id = || item.clone();
    let mut all = vec![];
    let all_ = &mut all;
    outcomes_of(all_, "itself", &id());
    outcomes_of(all_, "a field", &Plain { n: 7, id: id() });
    outcomes_of(all_, "a variant", &External::New(id()));
    outcomes_of(all_, "a tuple variant", &External::Tuple(id(), 7));
    outcomes_of(all_, "a struct variant", &External::Struct { id: id(), n: 7 });
    outcomes_of(all_, "a field of a tagged variant", &Internal::New(Holder { id: id() }));
    outcomes_of(all_, "a tagged variant", &Internal::Itself(id()));
    outcomes_of(all_, "a tagged struct variant", &Internal::Struct { id: id(), n: 7 });
    outcomes_of(all_, "a variant in a tagged variant", &Internal::Enum(External::New(id())));
    outcomes_of(all_, "a tuple variant in a tagged variant", &Internal::Enum(External::Tuple(id(), 7)));
    outcomes_of(
        all_,
        "a struct variant in a tagged variant",
        &Internal::Enum(External::Struct { id: id(), n: 7 }),
    );
    outcomes_of(all_, "an adjacently tagged variant", &Adjacent::New(id()));
    outcomes_of(all_, "an adjacently tagged tuple variant", &Adjacent::Tuple(id(), 7));
    outcomes_of(all_, "an adjacently tagged struct variant", &Adjacent::Struct { id: id(), n: 7 });
    outcomes_of(all_, "an untagged variant", &Untagged::New(id()));
    outcomes_of(all_, "an untagged tuple variant", &Untagged::Tuple(id(), 7));
    outcomes_of(all_, "an untagged struct variant", &Untagged::Struct { id: id(), n: 7 });
    outcomes_of(all_, "flattened", &Flat { more: 7, flat: id() });
    outcomes_of(all_, "a flattened field", &Flat { more: 7, flat: Holder { id: id() } });
    outcomes_of(all_, "a flattened map", &Flat { more: 7, flat: BTreeMap::from([("k".to_owned(), id())]) });
    outcomes_of(
        all_,
        "a flattened tagged variant",
        &Flat { more: 7, flat: Internal::Struct { id: id(), n: 8 } },
    );
    outcomes_of(all_, "a flattened tuple variant", &Flat { more: 7, flat: External::Tuple(id(), 7) });
    outcomes_of(
        all_,
        "a flattened key",
        &Flat { more: 7, flat: BTreeMap::from([("k".to_owned(), Key(id()))]) },
    );
    outcomes_of(all_, "in a pair", &(id(), 7_u8));
    outcomes_of(all_, "in a list", &vec![id(), id()]);
    outcomes_of(all_, "in an Option", &Optional { id: Some(id()), n: 7 });
    outcomes_of(all_, "the value of a map", &BTreeMap::from([("k".to_owned(), id())]));
    outcomes_of(all_, "a key", &Key(id()));
    all
}
