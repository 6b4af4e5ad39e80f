//! Ledgers and their lines.

use arbitrary::{Arbitrary, Unstructured};
use evently_ledger::{Event, EventErrorKind, EventId, Fault, FaultKind, Json, Ledger, Profile, Verifier};
use sortid_core::testing::ManualClock;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// An event that was read from a line is read again from its text.
pub(crate) fn line(data: &[u8]) {
    let mut verifier = Verifier::new(None);
    let verified = verifier.verify_line(data);
    let blank = data.trim_ascii().is_empty();
    assert_eq!(verifier.report().events, u64::from(!blank));
    assert_eq!(verifier.report().faults, u64::from(verified.is_err()));
    if let Err(fault) = &verified {
        assert_eq!(fault.line, 1);
        assert!(!fault.to_string().is_empty());
    }
    let Ok(text) = std::str::from_utf8(data) else {
        assert!(matches!(verified, Err(Fault { kind: FaultKind::MalformedLine, .. })));
        return;
    };
    let event = match Event::parse(text) {
        Ok(event) => event,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(blank || verified.is_err());
            return;
        }
    };
    // A line that is strictly valid is valid, and each reader of JSON reads the same from it.
    let strictly = Verifier::new(None).strict().verify_line(data);
    if strictly.is_ok() {
        assert!(verified.is_ok());
        assert!(blank || text.len() > 127 || serde_json::from_str::<NoDuplicates>(text).is_ok(), "{text}");
    } else if let Err(Fault { kind, .. }) = &strictly {
        let is_stricter = matches!(kind, FaultKind::UnknownMember | FaultKind::DuplicateMember);
        assert!(is_stricter || verified.as_ref() == strictly.as_ref(), "{kind:?}");
    }
    let printed = event.to_string();
    assert!(!printed.contains('\n'));
    assert_eq!(Event::parse(&printed).as_ref(), Ok(&event), "{printed}");
    assert_eq!(event.clone().into_owned(), event);
    assert_eq!(Verifier::new(None).verify_line(printed.as_bytes()).is_ok(), verified.is_ok(), "{printed}");
    let members = serde_json::from_str::<BTreeMap<String, serde::de::IgnoredAny>>(text);
    assert!(members.is_ok() || text.len() > 127, "{text}");

    // With an ID of its place in a ledger, the event is valid there.
    let mut placed = event.clone();
    (placed.event_id, placed.timestamp) = (None, None);
    for profile in [Profile::Classic, Profile::Entities] {
        let Ok(id) = placed.genesis_id(profile, 7) else { continue };
        let genesis = Event { event_id: Some(id), timestamp: Some(7), ..placed.clone() };
        let mut verifier = Verifier::new(Some(profile));
        assert_eq!(verifier.verify_line(genesis.to_string().as_bytes()), Ok(Some(id)));
        let next = placed.id_after(profile, id, 8).unwrap();
        let second = Event { event_id: Some(next), timestamp: Some(8), ..placed.clone() };
        assert_eq!(verifier.verify_line(second.to_string().as_bytes()), Ok(Some(next)));
        assert_eq!(
            verifier.verify_line(second.to_string().as_bytes()).unwrap_err().kind,
            FaultKind::TimeNotAscending
        );
    }
}

/// A JSON value whose objects have no member twice.
struct NoDuplicates;

impl<'de> serde::Deserialize<'de> for NoDuplicates {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> serde::de::Visitor<'de> for NoDuplicates {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON without duplicate members")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut values: A) -> Result<Self, A::Error> {
        while values.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut names = BTreeSet::new();
        while let Some((name, Self)) = members.next_entry::<String, Self>()? {
            if !names.insert(name) {
                return Err(serde::de::Error::custom("a member is there twice"));
            }
        }
        Ok(self)
    }
}

/// The report of many lines is the same for one chunk, line by line, and in parallel, and so is the strict report.
pub(crate) fn verifier(data: &[u8]) {
    let profiles = [None, Some(Profile::Classic), Some(Profile::Entities)];
    for (profile, is_strict) in profiles.into_iter().flat_map(|profile| [(profile, false), (profile, true)]) {
        let new = || {
            let verifier = Verifier::new(profile);
            if is_strict { verifier.strict() } else { verifier }
        };
        verify_in_all_ways(data, new);
    }
}

fn verify_in_all_ways(data: &[u8], new: impl Fn() -> Verifier) {
    let lines: Vec<_> = data.split_inclusive(|&byte| byte == b'\n').collect();
    let by_line = new().verify(&lines);
    let mut faults = vec![];
    let mut at_once = new();
    at_once.verify_chunk(data, |fault| faults.push(fault.clone()));
    assert_eq!(*at_once.report(), by_line);
    assert_eq!(faults.len() as u64, by_line.faults);
    assert_eq!(faults.first(), by_line.first_fault.as_ref());
    assert!(faults.is_sorted_by(|a, b| a.line < b.line));
    assert!(by_line.events <= lines.len() as u64);

    let mut parallel_faults = vec![];
    let mut parallel = new();
    parallel.verify_chunk_parallel(data, |fault| parallel_faults.push(fault.clone()));
    assert_eq!((parallel.report(), &parallel_faults), (&by_line, &faults));

    let first = new().stop_at_first_fault().verify(&lines);
    assert_eq!(first.first_fault, by_line.first_fault);

    // Two chunks, cut between two lines, have the report of the whole.
    let middle = lines.len() / 2;
    let mut parts = new();
    for part in [&lines[..middle], &lines[middle..]] {
        parts.verify_chunk(&part.concat(), |_| ());
    }
    assert_eq!(*parts.report(), by_line);
}

/// Events, steps of the clock, and a damaged byte.
#[derive(Arbitrary, Debug)]
struct Appending<'a> {
    entities: bool,
    events: Vec<(&'a str, &'a str, Option<&'a str>, u32, bool)>,
    damage: Option<(u16, u8)>,
}

/// Appended events are valid. If one byte is changed, the verifier finds a fault, or no event has changed.
pub(crate) fn append(data: &[u8]) {
    let Ok(Appending { entities, events, damage }) = Appending::arbitrary(&mut Unstructured::new(data))
    else {
        return;
    };
    let profile = if entities { Profile::Entities } else { Profile::Classic };
    let clock = ManualClock::new(Duration::from_secs(1_600_000_000));
    let mut ledger = Ledger::with_clock(profile, None, &clock);
    let (mut file, mut ids) = (String::new(), Vec::<EventId>::new());
    for (event, key, json, micros, back) in events {
        if back {
            clock.set(Duration::from_micros(u64::from(micros)));
        } else {
            clock.advance(Duration::from_micros(u64::from(micros)));
        }
        let json = Json::parse(json.unwrap_or("{\"b\":1,\"a\":[]}")).ok();
        let mut event = Event::new(event);
        match profile {
            Profile::Classic => event = event.entity(key).key(key),
            Profile::Entities => event.entities = json.clone(),
        }
        (event.meta, event.data) = (json.clone(), json);
        let before = file.clone();
        let mut batch = ledger.batch();
        match batch.append_line(event.to_string().as_bytes(), &mut file) {
            Ok(id) => {
                batch.commit();
                assert!(ids.last().is_none_or(|last| last.unix_micros() < id.unix_micros()));
                ids.push(id);
            }
            Err(error) => {
                assert_eq!(error.kind(), EventErrorKind::MissingMember, "{error}");
                assert_eq!(file, before);
            }
        }
    }
    assert_eq!(file.lines().count(), ids.len());
    let report = Verifier::new(Some(profile)).verify(file.lines());
    assert_eq!((report.events, &report.first_fault), (ids.len() as u64, &None));
    assert_eq!(report.last_event_id, ids.last().copied());
    let strictly = Verifier::new(Some(profile)).strict().verify(file.lines());
    assert_eq!(strictly, report, "what is appended is valid strictly");

    let Some((at, byte)) = damage.filter(|_| !file.is_empty()) else { return };
    let mut damaged = file.clone().into_bytes();
    let at = usize::from(at) % damaged.len();
    if byte == b'\n' || damaged[at] == b'\n' {
        return;
    }
    damaged[at] = byte;
    let events =
        |text: &str| text.lines().map(|line| Event::parse(line).map(Event::into_owned)).collect::<Vec<_>>();
    let is_same = std::str::from_utf8(&damaged).is_ok_and(|damaged| events(damaged) == events(&file));
    let report = Verifier::new(Some(profile)).verify(damaged.split(|&byte| byte == b'\n'));
    // A CRC-32C detects every change of one byte.
    assert!(is_same || !report.is_valid(), "{}", String::from_utf8_lossy(&damaged));
    assert!(report.faults <= 2, "one change causes at most two faults: {report:?}");
}
