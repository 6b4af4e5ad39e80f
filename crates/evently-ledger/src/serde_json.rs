//! Conversions of events and JSON values by `serde_json`: the feature `serde_json`.

use crate::{
    event::{Event, Json},
    rfc3339,
};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser, ser::SerializeMap as _};
use ::serde_json::value::RawValue;

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
    /// `serde_json` cannot serialize the value, or its text exceeds a limit of [`canonical_json`](crate::canonical_json).
    pub fn from_serialize(value: &(impl Serialize + ?Sized)) -> Result<Json<'static>, serde_json::Error> {
        let text = serde_json::to_string(value)?;
        Ok(Json::parse(&text).map_err(<serde_json::Error as ser::Error>::custom)?.into_owned())
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

/// As JSON, with numbers as written. Works with `serde_json` only.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(self.as_str()).map_err(ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// From JSON, canonical or not. Works with `serde_json` only. The value borrows nothing, so that streams can be read.
impl<'de> Deserialize<'de> for Json<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Json::parse(raw.get()).map(Json::into_owned).map_err(de::Error::custom)
    }
}

/// As in a line of a ledger. Works with `serde_json` only.
impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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

/// As [`Event::parse`] reads it. Works with `serde_json` only. The event borrows nothing, so that streams can be read.
impl<'de> Deserialize<'de> for Event<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Event::parse(raw.get()).map(Event::into_owned).map_err(de::Error::custom)
    }
}
