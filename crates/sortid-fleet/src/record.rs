use crate::StoreErrorKind;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Map, Value};

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Millis = u64;

/// What a [`Store`](crate::Store) keeps for one node ID of a space.
///
/// A node ID without a record never had a holder. [`init`](crate::init) writes the record of node ID 0, with the
/// generation 0.
///
/// # As JSON
///
/// A store may keep a record as JSON, as serde writes it. This is format 1:
///
/// ```
/// use sortid_fleet::Record;
///
/// let json = r#"{"size":32,"generation":1,"holder":{"name":"pod-3","instance":"5f1c"},"until":1750000000000}"#;
/// let record: Record = serde_json::from_str(json)?;
/// assert_eq!(record.generation, 1);
/// assert_eq!(serde_json::to_string(&record)?, json);
///
/// // A later version may add members. This version keeps them.
/// let json = r#"{"size":32,"generation":0,"holder":null,"until":0,"zone":"a"}"#;
/// let record: Record = serde_json::from_str(json)?;
/// assert_eq!(serde_json::to_string(&record)?, json);
///
/// // A later format is one that this version must not use.
/// let json = r#"{"format":2,"size":32,"generation":0,"holder":null,"until":0}"#;
/// assert!(serde_json::from_str::<Record>(json).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// It is 1, and is not written then: versions of before this member would refuse the record.
    #[serde(default, rename = "format", skip_serializing)]
    _format: Format,
    /// How many node IDs the space has: `0..size`. It is the same in all records of a space.
    pub size: u32,
    /// It grows with each holder, with a release by an operator, and with a repair. It serves as a fencing token: a later
    /// holder has a greater one.
    pub generation: u64,
    /// The process that has the node ID; `None` after it was released.
    pub holder: Option<Holder>,
    /// The end of the reservation. IDs of this holder and of all earlier holders have earlier times. IDs of later holders
    /// do not.
    pub until: Millis,
    /// Members of later versions. A later version writes them after those above and in the order of their names, so that
    /// the text of a record is the same whichever version writes it.
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Record {
    /// Creates a record. A store whose columns are the fields uses this; other stores read and write records with serde.
    #[must_use]
    pub fn new(size: u32, generation: u64, holder: Option<Holder>, until: Millis) -> Self {
        Self { _format: Format, size, generation, holder, until, others: Map::new() }
    }

    /// Returns whether the node ID has no holder, or one whose reservation ended before `now`.
    #[must_use]
    pub fn is_free(&self, now: Millis) -> bool {
        self.holder.is_none() || self.until <= now
    }

    /// Returns this record after a change.
    #[doc(hidden)]
    #[must_use]
    pub fn changed(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// A process that has a node ID.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Holder {
    /// A name for people, such as the name of a pod. Several processes can have the same name.
    pub name: String,
    /// Random hex digits, which no other process has.
    pub instance: String,
    /// Members of later versions.
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Holder {
    /// Creates a holder.
    pub fn new(name: impl Into<String>, instance: impl Into<String>) -> Self {
        Self { name: name.into(), instance: instance.into(), others: Map::new() }
    }
}

/// The format of a record. A format is raised when earlier versions must not use the records any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Format;

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self),
            format => Err(D::Error::custom(format_args!(
                "expected a record of format 1, found one of format {format}"
            ))),
        }
    }
}

/// Explains why a text is not a record, or has none. `format` is where the format is, as a JSON pointer.
pub(crate) fn unreadable(text: &[u8], format: &str, error: &serde_json::Error) -> (StoreErrorKind, String) {
    let value: Value = serde_json::from_slice(text).unwrap_or_default();
    match value.pointer(format).and_then(Value::as_u64) {
        None | Some(1) => (StoreErrorKind::Shape, error.to_string()),
        Some(format) => (
            StoreErrorKind::Later,
            format!(
                "expected a record of format 1, found one of format {format}, which a later version of sortid wrote: update this program"
            ),
        ),
    }
}
