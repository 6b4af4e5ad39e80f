//! Events: how they are read, and which checksums they have.

use crate::common::ledger::{Append as _, START, classic_id, crc, entities_id, kind_and_member, missing};
use evently_ledger::{Event, EventId, Json, Ledger, LedgerId, Profile, canonical_json, event_id};

#[test]
fn the_checksum_is_of_the_members_in_their_order() {
    let json = |text| Json::parse(text).unwrap();
    let at = START.as_micros() as u64;
    let event =
        Event::new("n\"").entity("e\n").key("🌲").meta(json("{\"b\":1,\"a\":null}")).data(json("1e2"));
    let content = "e\n🌲n\"{\"a\":null,\"b\":1}100";
    let ledger_id = LedgerId::from_checksum(crc(content));
    let previous = EventId::from_fields(0, 0, ledger_id);
    assert_eq!(event.genesis_id(Profile::Classic, at), Ok(classic_id(content, at, ledger_id, previous)));
    let previous = event_id!("0005cd755a43d79238c05790c0331dd9");
    assert_eq!(
        event.id_after(Profile::Classic, previous, at),
        Ok(classic_id(content, at, previous.ledger_id(), previous))
    );

    let event = event.entities(json("{\"thing\": [\"b\", \"a\"]}"));
    let content = "n\"{\"thing\":[\"b\",\"a\"]}{\"a\":null,\"b\":1}100";
    let ledger_id = LedgerId::from_checksum(crc(&format!("{content}{at:016x}")));
    let previous_of_first = EventId::from_fields(at, 0, ledger_id);
    assert_eq!(
        event.genesis_id(Profile::Entities, at),
        Ok(entities_id(content, at, ledger_id, previous_of_first))
    );
    assert_eq!(
        event.id_after(Profile::Entities, previous, at),
        Ok(entities_id(content, at, previous.ledger_id(), previous))
    );
}

#[test]
fn an_absent_member_adds_nothing_and_null_adds_null() {
    let at = START.as_micros() as u64;
    let bare = Event::new("c").entity("a").key("b");
    let id = |event: &Event<'_>| event.genesis_id(Profile::Classic, at).unwrap().ledger_id();
    assert_eq!(id(&bare), LedgerId::from_checksum(crc("abc")));
    assert_eq!(id(&bare.clone().meta(Json::parse("null").unwrap())), LedgerId::from_checksum(crc("abcnull")));
    assert_eq!(id(&bare.clone().data(Json::parse("{}").unwrap())), LedgerId::from_checksum(crc("abc{}")));
    for profile in Profile::ALL {
        let error = Event::new("c").genesis_id(profile, at).unwrap_err();
        let name = if profile == Profile::Classic { "entity" } else { "entities" };
        assert_eq!(kind_and_member(&error), missing(name));
    }
}

#[test]
fn an_event_borrows_what_is_in_its_line_and_owns_what_is_not() {
    use std::borrow::Cow;
    let line = r#"{"event":"pl\u0061ced","entity":"order","key":"17","meta":{"a":1},"data":{"b":1,"a":2}}"#;
    let event = Event::parse(line).unwrap();
    assert!(matches!(event.event, Cow::Owned(_)) && matches!(event.entity, Some(Cow::Borrowed("order"))));
    assert_eq!((&*event.event, event.data.as_ref().unwrap().as_str()), ("placed", r#"{"a":2,"b":1}"#));
    let owned: Event<'static> = event.clone().into_owned();
    assert_eq!(owned, event);
}

#[test]
fn a_key_may_be_written_with_escapes() {
    let names = ["event", "eventId", "timestamp", "entity", "key", "entities", "meta", "data"];
    let line = r#"{"event":"a","eventId":"0005cd755a43d79238c05790c0331dd9","timestamp":"2021-10-03T16:33:12Z",
        "entity":"b","key":"c","entities":{},"meta":1,"data":2}"#;
    let event = Event::parse(line).unwrap();
    assert_eq!(event.ledger_id(), event.event_id.map(|id| id.ledger_id()));
    for name in names {
        let escaped = format!("\"\\u{:04x}{}\":", name.as_bytes()[0], &name[1..]);
        let line = line.replace(&format!("\"{name}\":"), &escaped);
        assert_eq!(Event::parse(&line).unwrap(), event, "{line}");
    }
}

#[test]
fn the_profile_of_an_event_is_that_of_its_members() {
    let event = Event::new("placed");
    for (event, profile) in [
        (event.clone(), None),
        (event.clone().entity("order"), Some(Profile::Classic)),
        (event.clone().key("17"), Some(Profile::Classic)),
        (event.key("17").entities(Json::parse("{}").unwrap()), Some(Profile::Entities)),
    ] {
        assert_eq!(event.profile(), profile, "{event}");
    }
    assert_eq!(Event::new("placed").ledger_id(), None);
}

#[test]
fn the_debug_form_of_an_error_has_its_message() {
    let json = canonical_json("01").unwrap_err();
    assert_eq!(
        format!("{json:?}"),
        "JsonError(Syntax: line 1, column 2: expected the end of the text, found '1')"
    );
    assert_eq!(
        format!("{:?}", Event::parse("{}").unwrap_err()),
        "EventError(MissingMember: expected the member \"event\", found none)"
    );
    assert_eq!(
        format!("{:?}", "Classic".parse::<Profile>().unwrap_err()),
        "UnknownProfile(expected classic or entities, found \"Classic\")"
    );
}

#[test]
fn the_errors_of_events_say_what_is_wrong() {
    let mut stated = Event { event_id: Some(EventId::MIN), ..Event::new("placed") };
    for (error, message) in [
        (
            Ledger::new(Profile::Classic).append(&mut stated).unwrap_err(),
            "expected an event without \"eventId\", which the ledger sets: leave it out",
        ),
        (Event::parse("{\"event\":1}").unwrap_err(), "line 1, column 10: expected a string, found '1'"),
        (Event::parse("{}").unwrap_err(), "expected the member \"event\", found none"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    assert_eq!("classic".parse(), Ok(Profile::Classic));
    assert_eq!("entities".parse(), Ok(Profile::Entities));
    assert_eq!(
        "Classic".parse::<Profile>().unwrap_err().to_string(),
        "expected classic or entities, found \"Classic\""
    );
}
