//! Conversions of events and JSON values by serde: the feature `serde_json`.

mod any;
mod finite;

use crate::{
    event::{Event, Json},
    rfc3339,
};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser, ser::SerializeMap as _};
use ::serde_json::value::RawValue;
use any::{Parts, json_text};
use finite::Finite;
use serde_path_to_error::Track;

/// Requires the feature `serde_json`.
impl Json<'_> {
    /// Serializes a value of your own type to canonical JSON, for example as the `data` of an event.
    ///
    /// ```
    /// use evently_ledger::{Event, Json};
    ///
    /// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    /// struct Placed {
    ///     total: u64,
    ///     currency: String,
    /// }
    ///
    /// let placed = Placed { total: 150, currency: "EUR".to_owned() };
    /// let event = Event::new("placed").entity("order").key("17").data(Json::from_serialize(&placed)?);
    /// let data = event.data.as_ref().unwrap();
    /// assert_eq!(data.as_str(), r#"{"currency":"EUR","total":150}"#);
    /// assert_eq!(data.deserialize::<Placed>()?, placed);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `serde_json` cannot serialize the value, a number in it is NaN or infinite, or its text exceeds a limit of
    /// [`canonical_json`](crate::canonical_json).
    pub fn from_serialize(value: &(impl Serialize + ?Sized)) -> Result<Json<'static>, serde_json::Error> {
        let custom = <serde_json::Error as ser::Error>::custom::<String>;
        let (mut text, mut track) = (vec![], Track::new());
        let mut serializer = serde_json::Serializer::new(&mut text);
        value
            .serialize(serde_path_to_error::Serializer::new(Finite(&mut serializer), &mut track))
            .map_err(|error| custom(format!("{error}, at {}", track.path())))?;
        let text = String::from_utf8(text).map_err(|error| custom(error.to_string()))?;
        Ok(Json::parse(&text).map_err(|error| custom(error.to_string()))?.into_owned())
    }

    /// Deserializes the value to your own type. A [`RawValue`] in it keeps its numbers as written.
    ///
    /// # Errors
    ///
    /// The value does not match the type, or nests more than 128 arrays and objects, the limit of `serde_json`.
    pub fn deserialize<'j, T: Deserialize<'j>>(&'j self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.as_str())
    }
}

/// As JSON with `serde_json`, and with other human-readable formats. In binary formats, the text as bytes.
///
/// Only `serde_json` keeps the digits of a number when it writes a text. A `serde_json::Value` and other human-readable
/// formats are an error if a number is not an integer of 64 bits.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(self.as_str()).map_err(ser::Error::custom)?;
        Parts(raw).serialize(serializer)
    }
}

/// From JSON, canonical or not, and from what [`Serialize`] writes. The value borrows nothing, so that streams can be read.
///
/// Serde keeps tagged and untagged enums and flattened fields in a buffer, and a `serde_json::Value` is another one. They
/// have no digits: both make `1.5` of `1.50`. From them, a number that is not an integer of 64 bits is an error, unless
/// the feature `arbitrary_precision` of `serde_json` is on.
impl<'de> Deserialize<'de> for Json<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = json_text(deserializer)?;
        Json::parse(&text).map(Json::into_owned).map_err(de::Error::custom)
    }
}

/// As in a line of a ledger, in human-readable formats. In binary formats, the line as bytes. For numbers, see [`Json`].
impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(self.to_string().as_bytes());
        }
        let Self { event, event_id, timestamp, entity, key, entities, meta, data } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("event", event)?;
        if let Some(id) = event_id {
            map.serialize_entry("eventId", &*id.encode())?;
        }
        if let Some(timestamp) = timestamp {
            map.serialize_entry("timestamp", &*rfc3339::encode(*timestamp))?;
        }
        for (name, text) in [("entity", entity), ("key", key)] {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        for (name, json) in [("entities", entities), ("meta", meta), ("data", data)] {
            if let Some(json) = json {
                map.serialize_entry(name, json)?;
            }
        }
        map.end()
    }
}

/// As [`Event::parse`] reads it, and from what [`Serialize`] writes. The event borrows nothing, so that streams can be
/// read. For numbers in serde's buffer, see [`Json`].
impl<'de> Deserialize<'de> for Event<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = json_text(deserializer)?;
        Event::parse(&text).map(Event::into_owned).map_err(de::Error::custom)
    }
}
