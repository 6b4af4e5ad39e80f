use crate::Text;
use core::fmt;

// Each field is described once, in the `LAYOUT` of its spec crate. Inspection, the functions of DataFusion, the page
// of the inspector and the drawings read this description. What is written in another language is generated from it,
// or compared with it (`cargo xtask layouts`). Hot loops stay written by hand, and take only names and widths from
// it.
/// A field of an ID: what programs need to print it, list it or draw it.
///
/// ```
/// # use sortid_core::{Field, Role};
/// # const LAYOUT: [Field; 2] = [
/// #     Field::new("timestamp_ms", 48, Role::Time, "when the ID was made, in milliseconds since 1970", ""),
/// #     Field::new("random", 16, Role::Random, "random bits", ""),
/// # ];
/// let first = LAYOUT[0]; // I::FIELDS[0] of an ID type I
/// assert_eq!((first.name, first.bits), ("timestamp_ms", 48));
/// assert_eq!(first.about, "when the ID was made, in milliseconds since 1970");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The name, as `sortid inspect --json` prints it: the word of the specification, and for a time its unit.
    pub name: &'static str,
    /// How many bits of the ID the field takes, after the bits of the field before. 0 for a view, which shows bits of
    /// other fields in another form or what only the text has, and for a field that few IDs have.
    pub bits: u32,
    /// What the field is for.
    pub role: Role,
    /// What the field contains, as the end of a sentence.
    pub about: &'static str,
    /// The section of the specification.
    pub section: &'static str,
    /// What a view shows: `all bits`, `the text`. Empty if the field has bits.
    pub view_of: &'static str,
}

/// What a [`Field`] is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// When the ID was made.
    Time,
    /// What orders the IDs of a tick.
    Count,
    /// Random bits.
    Random,
    /// Who made the ID.
    Node,
    /// What shows mistakes.
    Check,
    /// What kind of ID it is.
    Kind,
    /// The whole ID in another form.
    Whole,
    /// Bits with one value in all IDs.
    Constant,
    /// Random bits that another field can take.
    Rest,
}

/// The value of a [`Field`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// The ID does not have the field.
    Null,
    /// An integer. JSON objects have it as a number if every reader of JSON gets it exactly: below 2^53.
    Number(u64),
    /// An integer that is often above 2^53. JSON objects have it as a string.
    Integer(u64),
    /// A text: digits of the specification, or a name.
    Text(Text<20>),
}

impl Field {
    /// Creates the description of a field.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        bits: u32,
        role: Role,
        about: &'static str,
        section: &'static str,
    ) -> Self {
        Self { name, bits, role, about, section, view_of: "" }
    }

    /// Creates the description of a view.
    #[doc(hidden)]
    #[must_use]
    pub const fn view(
        name: &'static str,
        view_of: &'static str,
        role: Role,
        about: &'static str,
        section: &'static str,
    ) -> Self {
        Self { view_of, ..Self::new(name, 0, role, about, section) }
    }

    /// Returns the field with another number of bits.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }

    /// Returns the number of bits of these fields.
    #[doc(hidden)]
    #[must_use]
    pub const fn bits_of(fields: &[Self]) -> usize {
        let (mut bits, mut at) = (0, 0);
        while at < fields.len() {
            bits += fields[at].bits as usize;
            at += 1;
        }
        bits
    }

    /// Whether the field says something about the ID. Bits that have one value in all IDs do not, and bits that
    /// another field has left over do not.
    #[must_use]
    pub const fn has_meaning(&self) -> bool {
        !matches!(self.role, Role::Constant | Role::Rest)
    }
}

impl FieldValue {
    /// Returns a text of at most 20 ASCII characters.
    ///
    /// # Panics
    ///
    /// If the text is longer, or not ASCII.
    #[must_use]
    pub const fn text(text: &str) -> Self {
        let (mut room, text, mut at) = (Text::EMPTY, text.as_bytes(), 0);
        while at < text.len() {
            room.push(text[at]);
            at += 1;
        }
        Self::Text(room)
    }
}

impl<const N: usize> From<Text<N>> for FieldValue {
    fn from(text: Text<N>) -> Self {
        const { assert!(N <= 20) };
        Self::text(&text)
    }
}

impl From<u64> for FieldValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for FieldValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Writes the value for people. `Null` is `none`.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("none"),
            Self::Number(number) | Self::Integer(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
