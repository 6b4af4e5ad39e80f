//! JSON text to and from any format of serde, with the digits of its numbers or with an error.
//!
//! [`RawValue`] keeps the digits, but only between `serde_json` and a text. Through a `Value` it changes them silently, in
//! serde's buffer it is an error, and other formats write it as a struct that they cannot read.

use crate::event::Json;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        self, DeserializeSeed, Error, MapAccess, SeqAccess, Visitor,
        value::{MapDeserializer, StrDeserializer},
    },
    ser,
};
use serde_json::{Number, Value, value::RawValue};
use std::{any::type_name, collections::BTreeMap, fmt, iter};

/// Whether the serializer is that of `serde_json` for a text, or for a key, which refuses a [`RawValue`]. Those of serde for
/// flattened fields and tagged enums would take it for a struct.
fn is_json_text<S: Serializer>() -> bool {
    type_name::<S::Error>() == type_name::<serde_json::Error>()
        && [type_name::<()>(), type_name::<String>()].contains(&type_name::<S::Ok>())
        && !["FlatMapSerializer", "TaggedSerializer"]
            .iter()
            .any(|of_serde| type_name::<S>().contains(of_serde))
}

/// JSON that is written as it is, as bytes, or value by value with integers as the only numbers.
pub(super) struct Parts<'j>(pub(super) &'j RawValue);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn parse<'j, T: Deserialize<'j>, E: ser::Error>(text: &'j str) -> Result<T, E> {
            serde_json::from_str(text).map_err(E::custom)
        }

        let text = self.0.get();
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(text.as_bytes());
        }
        if is_json_text::<S>() {
            return self.0.serialize(serializer);
        }
        match text.as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &RawValue> = parse(text)?;
                serializer.collect_map(members.iter().map(|(key, value)| (key, Parts(value))))
            }
            Some(b'[') => {
                let values: Vec<&RawValue> = parse(text)?;
                serializer.collect_seq(values.into_iter().map(Parts))
            }
            Some(b'"') => serializer.serialize_str(&parse::<String, _>(text)?),
            Some(b't' | b'f') => serializer.serialize_bool(text == "true"),
            Some(b'n') => serializer.serialize_unit(),
            _ => match (text.parse(), text.parse()) {
                (Ok(int), _) => serializer.serialize_u64(int),
                (_, Ok(int)) if int != 0 => serializer.serialize_i64(int),
                _ => Err(lost(text)),
            },
        }
    }
}

fn lost<E: ser::Error>(number: &str) -> E {
    E::custom(format_args!(
        "{number} may lose digits: this format keeps those of integers of 64 bits only. Write the JSON as a text"
    ))
}

/// Reads a JSON text.
pub(super) fn json_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    /// The name by which `serde_json` is asked for the text itself.
    const RAW_VALUE: &str = "$serde_json::private::RawValue";

    if !deserializer.is_human_readable() {
        deserializer.deserialize_bytes(Any)
    } else if type_name::<D>().contains(type_name::<Value>()) {
        // It would print itself as a text, with other digits.
        deserializer.deserialize_any(Any)
    } else {
        deserializer.deserialize_newtype_struct(RAW_VALUE, Any)
    }
}

/// Reads any value, and returns its JSON.
struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<String, E> {
        Ok(int.to_string())
    }

    fn visit_i128<E: Error>(self, int: i128) -> Result<String, E> {
        Ok(int.to_string())
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<String, E> {
        Ok(int.to_string())
    }

    fn visit_u128<E: Error>(self, int: u128) -> Result<String, E> {
        Ok(int.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
        Err(E::custom(format_args!(
            "the digits of the number {number} are lost: serde's buffer for tagged, untagged and flattened values, and a \
             `Value`, keep those of integers of 64 bits only. Read the JSON as a plain field, or turn on the feature \
             `arbitrary_precision` of serde_json"
        )))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        serde_json::to_string(text).map_err(E::custom)
    }

    /// As binary formats have it.
    fn visit_bytes<E: Error>(self, text: &[u8]) -> Result<String, E> {
        let text = std::str::from_utf8(text).map_err(E::custom)?;
        // A part of a text has to be JSON itself.
        Json::parse(text).map_err(E::custom)?;
        Ok(text.to_owned())
    }

    fn visit_unit<E: Error>(self) -> Result<String, E> {
        Ok("null".to_owned())
    }

    fn visit_none<E: Error>(self) -> Result<String, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<String, A::Error> {
        let mut text = "[".to_owned();
        while let Some(value) = seq.next_element_seed(Self)? {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&value);
        }
        Ok(text + "]")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        let mut text = "{".to_owned();
        let mut first = None;
        while let Some(key) = map.next_key::<String>()? {
            if let Some((first, _)) = first {
                return Err(Error::custom(format_args!("the key {first:?} is one of serde_json")));
            }
            if text.len() == 1 {
                // A text of serde_json itself, or a number with its feature `arbitrary_precision`.
                if key.starts_with("$serde_json::private::") {
                    let value = map.next_value::<String>()?;
                    first = Some((key, value));
                    continue;
                }
            } else {
                text.push(',');
            }
            let value = map.next_value_seed(Self)?;
            text.push_str(&Self.visit_str::<A::Error>(&key)?);
            text.push(':');
            text.push_str(&value);
        }
        match first {
            None => Ok(text + "}"),
            Some((key, value)) => of_serde_json(&key, &value),
        }
    }
}

/// The text that `serde_json` hands over as a map.
fn of_serde_json<E: Error>(key: &str, value: &str) -> Result<String, E> {
    let map = || {
        let entry = (key, StrDeserializer::<de::value::Error>::new(value));
        MapDeserializer::new(iter::once(entry))
    };
    let raw = Box::<RawValue>::deserialize(map()).map(|raw| raw.get().to_owned());
    raw.or_else(|_| Number::deserialize(map()).map(|number| number.to_string())).map_err(E::custom)
}
