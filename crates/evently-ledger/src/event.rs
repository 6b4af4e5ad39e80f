//! An event, and a JSON value in it.

use crate::{
    LONGEST_LINE,
    canonical::{JavaScript, Output, Quoted, canonical_json},
    checksum::{Content, MissingMember, Profile, event_id, genesis_id},
    error::{EventError, JsonError},
    line::{LineReader, MemberName},
    rfc3339,
};
use evently_id::{EventId, LedgerId};
use std::{borrow::Cow, fmt};

/// A JSON value in its canonical form. It borrows a text that is already canonical.
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
    /// Parses a JSON text.
    ///
    /// # Errors
    ///
    /// The errors of [`canonical_json`].
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        let canonical = canonical_json(text)?;
        Ok(Self(if canonical == text { text.into() } else { canonical.into() }))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text that JavaScript prints for this value: `JSON.stringify` of `JSON.parse`, with the keys in the order of
    /// `Array.prototype.sort`. Evently's published validator computes checksums from this form of `meta` and `data`, so it
    /// accepts an event that this crate made only if the text is the [canonical](Self::as_str) one.
    ///
    /// ```
    /// use evently_ledger::Json;
    ///
    /// let json = Json::parse(r#"{"rate": 1e-7, "10": 1.50, "9": "é"}"#)?;
    /// assert_eq!(json.as_str(), r#"{"10":1.50,"9":"é","rate":0.0000001}"#);
    /// assert_eq!(json.to_javascript()?, r#"{"9":"é","10":1.5,"rate":1e-7}"#);
    /// # Ok::<(), evently_ledger::JsonError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The validator fails on a `null` and loses a member with the key `__proto__`
    /// ([`Type`](crate::JsonErrorKind::Type)). A number is beyond the greatest double
    /// ([`Exponent`](crate::JsonErrorKind::Exponent)). The place is that in the canonical text.
    pub fn to_javascript(&self) -> Result<String, JsonError> {
        let mut output = Output::new();
        output.rewrite::<JavaScript>(&self.0)?;
        Ok(output.into_text())
    }

    /// Converts to a value that borrows nothing.
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

/// An event, in a ledger or not in one yet.
///
/// [`Display`](fmt::Display) prints it as a line of a ledger, without a line feed; [`Event::parse`] reads such a line.
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
    /// `event`: the name of the event.
    pub event: Cow<'a, str>,
    /// `eventId`. [`Batch::append`](crate::Batch::append) sets it.
    pub event_id: Option<EventId>,
    /// `timestamp`: when the event was appended to the ledger, in microseconds since 1970.
    /// [`Batch::append`](crate::Batch::append) sets it.
    pub timestamp: Option<u64>,
    /// `entity`: the kind of the entity that the event is about. For [`Profile::Classic`].
    pub entity: Option<Cow<'a, str>>,
    /// `key`: the key of that entity. For [`Profile::Classic`].
    pub key: Option<Cow<'a, str>>,
    /// `entities`: the kinds of the entities that the event is about, each with its keys. For [`Profile::Entities`].
    pub entities: Option<Json<'a>>,
    /// `meta`: facts about the event, for example who caused it. Optional for [`Profile::Classic`].
    pub meta: Option<Json<'a>>,
    /// `data`: the content of the event. Optional for [`Profile::Classic`].
    pub data: Option<Json<'a>>,
}

impl<'a> Event<'a> {
    /// Makes an event with a name and no other member.
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

    /// Sets `entity`.
    #[must_use]
    pub fn entity(mut self, entity: impl Into<Cow<'a, str>>) -> Self {
        self.entity = Some(entity.into());
        self
    }

    /// Sets `key`.
    #[must_use]
    pub fn key(mut self, key: impl Into<Cow<'a, str>>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets `entities`.
    #[must_use]
    pub fn entities(mut self, entities: Json<'a>) -> Self {
        self.entities = Some(entities);
        self
    }

    /// Sets `meta`.
    #[must_use]
    pub fn meta(mut self, meta: Json<'a>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `data`.
    #[must_use]
    pub fn data(mut self, data: Json<'a>) -> Self {
        self.data = Some(data);
        self
    }

    /// Parses a line of a ledger, or an event that is not in a ledger yet. Members with other names are ignored. The
    /// checksum is not verified: [`Verifier`](crate::Verifier) does that.
    ///
    /// ```
    /// use evently_ledger::{Event, EventErrorKind, JsonErrorKind};
    ///
    /// let event = Event::parse(r#"{"event": "placed", "timestamp": "2021-10-03T16:33:12.81653Z"}"#)?;
    /// assert_eq!((&*event.event, event.timestamp), ("placed", Some(1_633_278_792_816_530)));
    ///
    /// let error = Event::parse(r#"{"event": 1}"#).unwrap_err();
    /// assert_eq!(error.kind(), EventErrorKind::Json);
    /// assert_eq!(error.json().map(|error| error.kind()), Some(JsonErrorKind::Type));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Json`](crate::EventErrorKind::Json): the text is not JSON, or a member has a value of another type.
    /// - [`MissingMember`](crate::EventErrorKind::MissingMember): there is no `event`.
    pub fn parse(line: &'a str) -> Result<Self, EventError> {
        let mut reader = LineReader::default();
        let line = reader.read(line.as_bytes())?;
        let json = |name| line.member_as_cow(name).map(Json);
        Ok(Self {
            event: line.member_as_cow(MemberName::Event).ok_or(MissingMember("event"))?,
            event_id: line.event_id,
            timestamp: line.timestamp()?,
            entity: line.member_as_cow(MemberName::Entity),
            key: line.member_as_cow(MemberName::Key),
            entities: json(MemberName::Entities),
            meta: json(MemberName::Meta),
            data: json(MemberName::Data),
        })
    }

    /// Converts to an event that borrows nothing.
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

    /// The most bytes that the line of the event has in a ledger.
    pub(crate) fn line_length(&self) -> usize {
        // The names of all members, and what is around them and their values.
        const AROUND: usize = 256;
        // An escape is `\u0000` at most.
        let strings = [Some(&self.event), self.entity.as_ref(), self.key.as_ref()];
        let strings: usize = strings.into_iter().flatten().map(|text| text.len() * 6).sum();
        let json = [&self.entities, &self.meta, &self.data];
        let json: usize = json.into_iter().flatten().map(|json| json.0.len()).sum();
        let most = AROUND + strings + json;
        if most <= LONGEST_LINE {
            return most;
        }
        // Few events are so large, so the line itself is made.
        Event { event_id: Some(EventId::MIN), timestamp: Some(0), ..self.clone() }.to_string().len()
    }

    /// The members that a checksum covers.
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

    /// Computes the ID that this event has as the first event of a ledger (specification, "Ledger ID"). The ledger ID is
    /// [`EventId::ledger_id`] of the result.
    ///
    /// `unix_micros` is the event's time, in microseconds since 1970. The members `eventId` and `timestamp` are ignored.
    ///
    /// ```
    /// use evently_ledger::{Event, Profile};
    ///
    /// let opened = Event::new("opened").entity("shop").key("1");
    /// let id = opened.genesis_id(Profile::Classic, 1_633_278_792_816_530)?;
    /// assert_eq!(id.encode(), "0005cd755a43d79279bc07a158f86494");
    /// assert_eq!(id.ledger_id().encode(), "58f86494");
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MissingMember`](crate::EventErrorKind::MissingMember): the event does not have a member that the profile requires.
    pub fn genesis_id(&self, profile: Profile, unix_micros: u64) -> Result<EventId, EventError> {
        let content = self.content().checksum(profile, unix_micros)?;
        Ok(genesis_id(profile, content, unix_micros))
    }

    /// Computes the ID that this event has as the event after `previous` (specification, "Event Checksum").
    ///
    /// `unix_micros` is the event's time, in microseconds since 1970. In a valid ledger it is later than the time of
    /// `previous`; this is not checked. The members `eventId` and `timestamp` are ignored.
    ///
    /// # Errors
    ///
    /// [`MissingMember`](crate::EventErrorKind::MissingMember): the event does not have a member that the profile requires.
    pub fn id_after(
        &self,
        profile: Profile,
        previous: EventId,
        unix_micros: u64,
    ) -> Result<EventId, EventError> {
        let content = self.content().checksum(profile, unix_micros)?;
        Ok(event_id(profile, content, unix_micros, previous.ledger_id(), previous))
    }

    /// The profile that has the event's members: `Entities` if there is `entities`, otherwise `Classic` if there is
    /// `entity` or `key`.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        self.content().profile()
    }

    /// The ledger ID in `event_id`; `None` without one.
    #[must_use]
    pub fn ledger_id(&self) -> Option<LedgerId> {
        self.event_id.map(|id| id.ledger_id())
    }
}

/// The event as a line of a ledger, without a line feed. Absent members are left out.
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
