use sortid::{__private::civil, AnyId, Spec, Text, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use std::fmt::{self, Display};

/// What an ID does not contain, and its description depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How many digits of a RON UID's origin name the peer, the server, the user and the session.
    pub replica_scheme: Option<ReplicaScheme>,
    /// Whether Ulid-Flakes are of the scalable version.
    pub scalable: bool,
    /// The time that the timestamps of Ulid-Flakes count from.
    pub epoch: Epoch,
    /// Whether the text of an EUID lacks the check.
    pub no_check: bool,
}

/// An ID, taken apart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The ID.
    pub id: AnyId,
    /// The text of the ID.
    pub text: Text<{ AnyId::TEXT_LEN }>,
    /// The time of the ID in microseconds since 1970.
    pub unix_micros: Option<u64>,
    /// The fields. The bits of each field follow those of the fields before.
    pub fields: Vec<Field>,
}

impl Description {
    /// Returns the time in RFC 3339, with milliseconds, or with the microseconds of an Event ID.
    ///
    /// ```
    /// use sortid_inspect::describe;
    /// use sortid::ulid_flake::ulid_flake;
    ///
    /// let description = describe(ulid_flake!("00CMXB6TAK4SA").into(), &Default::default());
    /// assert_eq!(description.time().unwrap().as_str(), "2024-06-06T06:06:06.666Z");
    /// ```
    #[must_use]
    pub fn time(&self) -> Option<Text<30>> {
        let mut text = civil::rfc3339(self.unix_micros?);
        if self.id.spec() != Spec::EventlyId {
            text.truncate(text.len() - "000Z".len());
            text.push(b'Z');
        }
        Some(text)
    }
}

/// A field of an ID.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The name, as the program `sortid` prints it.
    pub name: &'static str,
    /// The value.
    pub value: Value,
    /// How many of the ID's bits the field takes.
    pub bits: usize,
    /// Where the field comes from if it takes no bits.
    pub source: &'static str,
    /// Whether the field is shown only with the bits: JSON objects leave it out.
    pub only_in_picture: bool,
}

/// The value of a [`Field`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The ID does not have the field.
    Null,
    /// An integer. JSON objects have it as a number if every reader of JSON gets it exactly: below 2^53.
    Number(u64),
    /// An integer that is often above 2^53. JSON objects have it as a string.
    Integer(u64),
    /// A text: digits of the specification, or a name.
    Text(Text<20>),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Writes the value for people. `Null` is `none`.
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("none"),
            Self::Number(number) | Self::Integer(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Value {
    /// A text of at most 20 ASCII characters.
    pub(crate) fn text(text: &str) -> Self {
        let mut room = Text::EMPTY;
        text.bytes().for_each(|byte| room.push(byte));
        Self::Text(room)
    }
}

impl Field {
    pub(crate) fn new(name: &'static str, bits: usize, value: Value) -> Self {
        Self { name, value, bits, source: "no bits", only_in_picture: false }
    }

    /// A field without bits of its own: other fields' bits in another way, or what only the text contains.
    pub(crate) fn without_bits(source: &'static str, name: &'static str, value: Value) -> Self {
        Self { source, ..Self::new(name, 0, value) }
    }

    /// Bits that are not a field in JSON objects.
    pub(crate) fn only_in_picture(name: &'static str, bits: usize, value: u64) -> Self {
        Self { only_in_picture: true, ..Self::new(name, bits, Value::Number(value)) }
    }
}

/// The same text in a type with room for more characters.
pub(crate) fn widened<const N: usize, const M: usize>(text: &Text<N>) -> Text<M> {
    let mut wide = Text::EMPTY;
    wide.push_text(text);
    wide
}
