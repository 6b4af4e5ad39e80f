use crate::Prefix;
use sortid::{
    __private::{civil, typed_id},
    AnyId, FieldValue, SortableId, Spec, Text,
    ron_uid::ReplicaScheme,
    ulid_flake::Epoch,
};

/// What the description of an ID depends on and the ID does not contain.
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
    /// The prefix of the texts, which are those of typed IDs. Without one, [`inspect`](crate::inspect) recognises prefixes by
    /// itself, except before RON UIDs.
    pub prefix: Option<Prefix>,
}

/// The most characters of a text with a prefix.
const TEXT_LEN: usize = typed_id::START_LEN + AnyId::TEXT_LEN;

/// An ID, taken apart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The ID.
    pub id: AnyId,
    /// The text of the ID, after its prefix if it is typed.
    pub text: Text<TEXT_LEN>,
    /// The prefix of a typed ID.
    pub prefix: Option<Prefix>,
    /// The time of the ID in microseconds since 1970.
    pub unix_micros: Option<u64>,
    /// The fields. The bits of each field follow those of the fields before.
    pub fields: Vec<Field>,
}

impl Description {
    pub(crate) fn of<I: SortableId + Into<AnyId>>(id: &I, fields: Vec<Field>) -> Self {
        let any: AnyId = (*id).into();
        Self { id: any, text: widened(&any.encode()), prefix: None, unix_micros: id.unix_micros(), fields }
    }

    /// The description of a typed ID.
    pub(crate) fn typed(mut self, prefix: Option<Prefix>) -> Self {
        if let Some(prefix) = prefix {
            let mut text = Text::EMPTY;
            prefix.start().bytes().chain(self.text.bytes()).for_each(|byte| text.push(byte));
            (self.text, self.prefix) = (text, Some(prefix));
        }
        self
    }

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
        Some(rfc3339(self.id.spec(), self.unix_micros?))
    }
}

/// The time with the digits that the specification has.
pub(crate) fn rfc3339(spec: Spec, unix_micros: u64) -> Text<30> {
    let mut text = civil::rfc3339(unix_micros);
    if spec != Spec::EventlyId {
        text.truncate(text.len() - "000Z".len());
        text.push(b'Z');
    }
    text
}

/// A field of an ID.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The name, as the program `sortid` prints it.
    pub name: &'static str,
    /// The value.
    pub value: FieldValue,
    /// How many of the ID's bits the field takes.
    pub bits: usize,
    /// Where the field comes from if it takes no bits.
    pub source: &'static str,
    /// Whether the field is shown only with the bits: JSON objects leave it out.
    pub only_in_picture: bool,
}

impl From<(sortid::Field, FieldValue)> for Field {
    fn from((field, value): (sortid::Field, FieldValue)) -> Self {
        Self {
            name: field.name,
            value,
            bits: field.bits as usize,
            source: if field.view_of.is_empty() { "no bits" } else { field.view_of },
            only_in_picture: !field.has_meaning(),
        }
    }
}

/// The same text in a type with room for more characters.
pub(crate) fn widened<const N: usize, const M: usize>(text: &Text<N>) -> Text<M> {
    let mut wide = Text::EMPTY;
    wide.push_text(text);
    wide
}
