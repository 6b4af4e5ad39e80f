use crate::{
    canonical::canonical_json,
    checksum::{Content, Missing, Profile, event_id, genesis_id},
    json::JsonError,
    line::{LineReader, Name},
    rfc3339,
};
use evently_id::{EventId, LedgerId};
use sortid_core::GenerateError;
use std::{borrow::Cow, error, fmt};

/// A JSON value in its canonical form, borrowed where it had that form already.
///
/// ```
/// use evently_ledger::Json;
///
/// let json = Json::parse(r#"{"total": 1.50, "currency": "EUR"}"#)?;
/// assert_eq!(json.as_str(), r#"{"currency":"EUR","total":1.50}"#);
/// # Ok::<(), evently_ledger::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Json<'a>(Cow<'a, str>);

impl<'a> Json<'a> {
    /// The value of this text.
    ///
    /// # Errors
    ///
    /// As [`canonical_json`].
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        let canonical = canonical_json(text)?;
        Ok(Self(if canonical == text { text.into() } else { canonical.into() }))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        Json(self.0.into_owned().into())
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An event: a line of a ledger, or what is to become one.
///
/// ```
/// use evently_ledger::{Event, Json};
///
/// let event = Event::new("placed").entity("order").key("17").data(Json::parse(r#"{"total": 1.50}"#)?);
/// assert_eq!(event.to_string(), r#"{"event":"placed","entity":"order","key":"17","data":{"total":1.50}}"#);
/// assert_eq!(Event::parse(&event.to_string())?, event);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event<'a> {
    /// `event`: the event's name.
    pub event: Cow<'a, str>,
    /// `eventId`, which the ledger gives.
    pub event_id: Option<EventId>,
    /// `timestamp`: when the event was added to the ledger, which gives it, in microseconds since 1970.
    pub timestamp: Option<u64>,
    /// `entity`: of which kind the thing is that the event is about. For [`Profile::Classic`].
    pub entity: Option<Cow<'a, str>>,
    /// `key`: which thing of that kind. For [`Profile::Classic`].
    pub key: Option<Cow<'a, str>>,
    /// `entities`: the keys of each kind of entity. For [`Profile::Entities`].
    pub entities: Option<Json<'a>>,
    /// `meta`: who made the event, why, how.
    pub meta: Option<Json<'a>>,
    /// `data`: what the event says.
    pub data: Option<Json<'a>>,
}

impl<'a> Event<'a> {
    /// An event of this name, and of nothing else yet.
    #[must_use]
    pub fn new(event: impl Into<Cow<'a, str>>) -> Self {
        Self {
            event: event.into(),
            event_id: None,
            timestamp: None,
            entity: None,
            key: None,
            entities: None,
            meta: None,
            data: None,
        }
    }

    /// With this `entity`.
    #[must_use]
    pub fn entity(mut self, entity: impl Into<Cow<'a, str>>) -> Self {
        self.entity = Some(entity.into());
        self
    }

    /// With this `key`.
    #[must_use]
    pub fn key(mut self, key: impl Into<Cow<'a, str>>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// With these `entities`.
    #[must_use]
    pub fn entities(mut self, entities: Json<'a>) -> Self {
        self.entities = Some(entities);
        self
    }

    /// With this `meta`.
    #[must_use]
    pub fn meta(mut self, meta: Json<'a>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// With this `data`.
    #[must_use]
    pub fn data(mut self, data: Json<'a>) -> Self {
        self.data = Some(data);
        self
    }

    /// Reads a line of a ledger, or one without `eventId` and `timestamp`. Members of other names are left out.
    ///
    /// # Errors
    ///
    /// [`Json`](EventErrorKind::Json) when the line is not an event, [`MissingMember`](EventErrorKind::MissingMember) when it
    /// has no `event`.
    pub fn parse(line: &'a str) -> Result<Self, EventError> {
        let mut reader = LineReader::default();
        let line = reader.read(line.as_bytes())?;
        let json = |name| line.member_of_line(name).map(Json);
        Ok(Self {
            event: line.member_of_line(Name::Event).ok_or(Missing("event"))?,
            event_id: line.event_id,
            timestamp: line.timestamp()?,
            entity: line.member_of_line(Name::Entity),
            key: line.member_of_line(Name::Key),
            entities: json(Name::Entities),
            meta: json(Name::Meta),
            data: json(Name::Data),
        })
    }

    /// The same, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        Event {
            event: self.event.into_owned().into(),
            event_id: self.event_id,
            timestamp: self.timestamp,
            entity: self.entity.map(|text| text.into_owned().into()),
            key: self.key.map(|text| text.into_owned().into()),
            entities: self.entities.map(Json::into_owned),
            meta: self.meta.map(Json::into_owned),
            data: self.data.map(Json::into_owned),
        }
    }

    pub(crate) fn content(&self) -> Content<'_> {
        Content {
            event: Some(&self.event),
            entity: self.entity.as_deref(),
            key: self.key.as_deref(),
            entities: self.entities.as_ref().map(Json::as_str),
            meta: self.meta.as_ref().map(Json::as_str),
            data: self.data.as_ref().map(Json::as_str),
        }
    }

    /// The ID of this event as the first one of a ledger, at this time (specification, "Ledger ID"); its
    /// [`ledger_id`](EventId::ledger_id) is the ledger's.
    ///
    /// ```
    /// use evently_ledger::{Event, Json, Profile};
    ///
    /// let genesis = Event::new("opened").entity("shop").key("1");
    /// let id = genesis.genesis_id(Profile::Classic, 1_633_278_792_816_530)?;
    /// assert_eq!(id.encode(), "0005cd755a43d79279bc07a158f86494");
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MissingMember`](EventErrorKind::MissingMember) when the event lacks a member of the profile.
    pub fn genesis_id(&self, profile: Profile, unix_micros: u64) -> Result<EventId, EventError> {
        let content = self.content().checksum(profile, unix_micros)?;
        Ok(genesis_id(profile, content, unix_micros))
    }

    /// The ID of this event as the one after `previous`, at this time (specification, "Event Checksum").
    ///
    /// # Errors
    ///
    /// [`MissingMember`](EventErrorKind::MissingMember) when the event lacks a member of the profile.
    pub fn id_after(
        &self,
        profile: Profile,
        previous: EventId,
        unix_micros: u64,
    ) -> Result<EventId, EventError> {
        let content = self.content().checksum(profile, unix_micros)?;
        Ok(event_id(profile, content, unix_micros, previous.ledger_id(), previous))
    }

    /// The profile that the event's members are of: `entities` of the one, `entity` or `key` of the other.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        self.content().profile()
    }

    /// The ledger ID, where the event has an ID.
    #[must_use]
    pub fn ledger_id(&self) -> Option<LedgerId> {
        self.event_id.map(|id| id.ledger_id())
    }
}

/// The event as a line of a ledger.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"event\":{}", Quoted(&self.event))?;
        if let Some(id) = self.event_id {
            write!(f, ",\"eventId\":\"{id}\"")?;
        }
        if let Some(timestamp) = self.timestamp {
            write!(f, ",\"timestamp\":\"{}\"", rfc3339::encode(timestamp))?;
        }
        for (name, text) in [("entity", &self.entity), ("key", &self.key)] {
            if let Some(text) = text {
                write!(f, ",\"{name}\":{}", Quoted(text))?;
            }
        }
        for (name, json) in [("entities", &self.entities), ("meta", &self.meta), ("data", &self.data)] {
            if let Some(json) = json {
                write!(f, ",\"{name}\":{json}")?;
            }
        }
        f.write_str("}")
    }
}

/// A text as a JSON string.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.0.len() + 2);
        for char in self.0.chars() {
            crate::canonical::push_escaped(char, &mut text);
        }
        write!(f, "\"{text}\"")
    }
}

/// The error of an event that cannot be read, or cannot be added to a ledger.
///
/// ```
/// use evently_ledger::{Event, EventErrorKind, Ledger, Profile};
///
/// let error = Ledger::new(Profile::Classic).append(&mut Event::new("opened")).unwrap_err();
/// assert_eq!(error.kind(), EventErrorKind::MissingMember);
/// assert_eq!(error.to_string(), "expected the member \"entity\", found none");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EventError(Cause);

/// What is wrong with an event, for code that branches on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventErrorKind {
    /// The text is not an event. [`EventError::json`] has the details.
    Json,
    /// The event lacks a member that the profile requires.
    MissingMember,
    /// The event has a member that only the ledger may set: `eventId` or `timestamp`.
    UnwantedMember,
    /// The clock has no time for the event. The [source](std::error::Error::source) is a [`GenerateError`].
    Clock,
}

impl EventErrorKind {
    /// The kind in lower case, as `sortid --json` prints it: `json`, `missing_member`, `unwanted_member` or `clock`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::MissingMember => "missing_member",
            Self::UnwantedMember => "unwanted_member",
            Self::Clock => "clock",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Cause {
    Json(JsonError),
    Missing(&'static str),
    Unwanted(&'static str),
    Clock(GenerateError),
}

impl EventError {
    #[cold]
    pub(crate) const fn unwanted(member: &'static str) -> Self {
        Self(Cause::Unwanted(member))
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> EventErrorKind {
        match self.0 {
            Cause::Json(_) => EventErrorKind::Json,
            Cause::Missing(_) => EventErrorKind::MissingMember,
            Cause::Unwanted(_) => EventErrorKind::UnwantedMember,
            Cause::Clock(_) => EventErrorKind::Clock,
        }
    }

    /// The error of the text, of the kind [`Json`](EventErrorKind::Json).
    #[must_use]
    pub const fn json(&self) -> Option<&JsonError> {
        match &self.0 {
            Cause::Json(error) => Some(error),
            _ => None,
        }
    }

    /// The member that is missing or unwanted.
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        match self.0 {
            Cause::Missing(member) | Cause::Unwanted(member) => Some(member),
            _ => None,
        }
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Json(error) => error.fmt(f),
            Cause::Missing(member) => write!(f, "expected the member {member:?}, found none"),
            Cause::Unwanted(member) => {
                write!(f, "expected an event without {member:?}, which the ledger sets: leave it out")
            }
            Cause::Clock(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventError({:?}: {self})", self.kind())
    }
}

impl error::Error for EventError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.0 {
            Cause::Json(error) => Some(error),
            Cause::Clock(error) => Some(error),
            Cause::Missing(_) | Cause::Unwanted(_) => None,
        }
    }
}

impl From<JsonError> for EventError {
    fn from(error: JsonError) -> Self {
        Self(Cause::Json(error))
    }
}

impl From<Missing> for EventError {
    fn from(Missing(member): Missing) -> Self {
        Self(Cause::Missing(member))
    }
}

impl From<GenerateError> for EventError {
    fn from(error: GenerateError) -> Self {
        Self(Cause::Clock(error))
    }
}
