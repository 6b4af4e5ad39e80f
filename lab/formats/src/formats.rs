//! The formats, and the ways through a value of each.

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::{Debug, Display};

/// What became of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It was an error to write it.
    NotWritten(String),
    NotRead(String),
    /// Another value was read.
    Other(String),
    Same,
}

pub(crate) trait Value: Serialize + DeserializeOwned + PartialEq + Debug {}

impl<T: Serialize + DeserializeOwned + PartialEq + Debug> Value for T {}

/// A value goes out and comes back.
fn round<T: Value, W: Debug, E: Display, F: Display>(
    value: &T,
    write: impl FnOnce(&T) -> Result<W, E>,
    read: impl FnOnce(&W) -> Result<T, F>,
) -> Outcome {
    match write(value) {
        Err(error) => Outcome::NotWritten(error.to_string()),
        Ok(written) => match read(&written) {
            Err(error) => Outcome::NotRead(format!("{error}, in {written:?}")),
            Ok(read) if read == *value => Outcome::Same,
            Ok(read) => Outcome::Other(format!("{read:?}, in {written:?}")),
        },
    }
}

fn cbor<T: Value>(value: &T) -> Result<Vec<u8>, String> {
    let mut bytes = vec![];
    ciborium::into_writer(value, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn flexbuffer<T: Value>(value: &T) -> Result<Vec<u8>, String> {
    flexbuffers::to_vec(value).map_err(|error| error.to_string())
}

fn for_people<T: Value>(value: &T) -> Result<Vec<u8>, rmp_serde::encode::Error> {
    let mut bytes = vec![];
    value.serialize(&mut rmp_serde::Serializer::new(&mut bytes).with_struct_map().with_human_readable())?;
    Ok(bytes)
}

/// The outcome in each format.
pub(crate) fn outcomes<T: Value>(value: &T) -> Vec<(&'static str, Outcome)> {
    let bincode = bincode::config::standard();
    vec![
        ("JSON", round(value, serde_json::to_string, |text| serde_json::from_str(text))),
        ("JSON from a stream", round(value, serde_json::to_vec, |text| serde_json::from_reader(&text[..]))),
        (
            "JSON's value",
            round(value, |value| serde_json::to_value(value), |value| serde_json::from_value(value.clone())),
        ),
        (
            "JSON's borrowed value",
            round(value, |value| serde_json::to_value(value), |value| T::deserialize(value)),
        ),
        (
            "JSON read as a value",
            round(value, serde_json::to_string, |text| {
                serde_json::from_str::<serde_json::Value>(text).and_then(serde_json::from_value)
            }),
        ),
        ("MessagePack, named", round(value, rmp_serde::to_vec_named, |bytes| rmp_serde::from_slice(bytes))),
        ("MessagePack, compact", round(value, rmp_serde::to_vec, |bytes| rmp_serde::from_slice(bytes))),
        (
            "MessagePack, for people",
            round(value, for_people, |bytes| {
                T::deserialize(&mut rmp_serde::Deserializer::new(&bytes[..]).with_human_readable())
            }),
        ),
        (
            "MessagePack's value",
            round(value, |value| rmpv::ext::to_value(value), |value| rmpv::ext::from_value(value.clone())),
        ),
        (
            "MessagePack read as a value",
            round(value, rmp_serde::to_vec_named, |bytes| {
                rmpv::ext::from_value(rmpv::decode::read_value(&mut &bytes[..]).unwrap())
            }),
        ),
        ("CBOR", round(value, cbor, |bytes| ciborium::from_reader(&bytes[..]))),
        ("CBOR's value", round(value, ciborium::Value::serialized, ciborium::Value::deserialized)),
        (
            "CBOR read as a value",
            round(value, cbor, |bytes| {
                ciborium::from_reader::<ciborium::Value, _>(&bytes[..]).unwrap().deserialized()
            }),
        ),
        ("FlexBuffers", round(value, flexbuffer, |bytes| flexbuffers::from_slice(bytes))),
        ("postcard", round(value, postcard::to_allocvec, |bytes| postcard::from_bytes(bytes))),
        (
            "bincode",
            round(
                value,
                |value| bincode::serde::encode_to_vec(value, bincode),
                |bytes| bincode::serde::decode_from_slice(bytes, bincode).map(|(value, _)| value),
            ),
        ),
    ]
}
