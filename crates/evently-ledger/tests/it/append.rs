//! Appending to a ledger: what is appended is valid, and what is refused changes nothing.

use crate::common::{
    json::{Noise, any_tree},
    ledger::{Append as _, START, event, kind_and_member, ledger, lines, missing, unwanted, verify},
    reference::{self, Tree},
};
use evently_ledger::{
    Clock, Event, EventErrorKind, EventId, GenerateError, GenerateErrorKind, Json, JsonErrorKind, Ledger,
    LedgerId, Profile, testing::ManualClock,
};
use proptest::{prelude::*, sample::select};
use std::{error::Error as _, time::Duration};

#[test]
fn a_ledger_begins_with_a_genesis_event_and_goes_on_from_its_last_one() {
    for profile in Profile::ALL {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(profile, &clock);
        assert_eq!((ledger.profile(), ledger.last_event_id(), ledger.ledger_id()), (profile, None, None));
        let (mut opened, mut placed) = (event(profile, "opened"), event(profile, "placed"));
        let genesis = opened.genesis_id(profile, START.as_micros() as u64).unwrap();
        assert_eq!(ledger.append(&mut opened), Ok(genesis));
        assert_eq!((opened.event_id, opened.timestamp), (Some(genesis), Some(genesis.unix_micros())));
        let second = placed.id_after(profile, genesis, genesis.unix_micros() + 1).unwrap();
        assert_eq!(ledger.append(&mut placed), Ok(second));
        assert_eq!((ledger.last_event_id(), ledger.ledger_id()), (Some(second), Some(genesis.ledger_id())));

        // Resumed, with a clock that was set back by an hour.
        clock.set(START - Duration::from_secs(3600));
        let mut resumed = Ledger::with_clock(profile, Some(second), &clock);
        let mut shipped = event(profile, "shipped");
        let third = shipped.id_after(profile, second, second.unix_micros() + 1).unwrap();
        assert_eq!(resumed.append(&mut shipped), Ok(third));
        let lines = [opened, placed, shipped].map(|event| event.to_string());
        assert_eq!(verify(&lines).first_fault, None);
    }
}

#[test]
fn the_system_clock_serves_too() {
    let mut ledger = Ledger::new(Profile::Classic);
    let first = ledger.append(&mut event(Profile::Classic, "opened")).unwrap();
    assert!(first.time().unwrap().elapsed().unwrap() < Duration::from_secs(60));
    let second =
        Ledger::resume(Profile::Classic, first).append(&mut event(Profile::Classic, "placed")).unwrap();
    assert!(second > first && second.ledger_id() == first.ledger_id());
}

#[test]
fn an_event_that_cannot_be_added_leaves_the_ledger_and_the_event_as_they_were() {
    for profile in Profile::ALL {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(profile, &clock);
        let first = ledger.append(&mut event(profile, "opened")).unwrap();

        let stated = Event { event_id: Some(first), ..event(profile, "placed") };
        let timed = Event { timestamp: Some(7), ..event(profile, "placed") };
        for (mut refused, error) in [
            (Event::new("placed"), missing(if profile == Profile::Classic { "entity" } else { "entities" })),
            (stated, unwanted("eventId")),
            (timed, unwanted("timestamp")),
        ] {
            let before = refused.clone();
            assert_eq!(kind_and_member(&ledger.append(&mut refused).unwrap_err()), error);
            assert_eq!(refused, before);
        }

        let mut late = event(profile, "placed");
        let last_time = Duration::from_micros(253_402_300_799_999_999);
        for (time, now) in [
            (None, "the time is unknown or before 1970"),
            (Some(last_time + Duration::from_micros(1)), "the time is +010000-01-01T00:00:00.000000Z"),
            (Some(Duration::from_micros(u64::MAX - 1)), "the time is +586524-01-19T08:01:49.551614Z"),
        ] {
            time.map_or_else(|| clock.set(Duration::MAX), |time| clock.set(time));
            let error = ledger.append(&mut late).unwrap_err();
            assert_eq!(error.kind(), EventErrorKind::Clock);
            let error: &GenerateError = error.source().unwrap().downcast_ref().unwrap();
            assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange);
            let range =
                "expected 1970-01-01T00:00:00.000000Z to 9999-12-31T23:59:59.999999Z: correct the time";
            assert_eq!(error.to_string(), format!("{now}, {range}"));
            assert_eq!((late.event_id, late.timestamp), (None, None));
        }

        // It is as if none of that had been.
        clock.set(START);
        let expected = late.id_after(profile, first, first.unix_micros() + 1).unwrap();
        assert_eq!(ledger.append(&mut late), Ok(expected));
    }
}

/// What could not be written is not in the ledger, so the next event follows the one before it.
#[test]
fn a_batch_that_is_not_committed_leaves_the_ledger_as_it_was() {
    for profile in Profile::ALL {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(profile, &clock);
        let mut lines = vec![];
        for (name, is_written) in [("lost", false), ("opened", true), ("lost", false), ("placed", true)] {
            let before = ledger.last_event_id();
            let (mut first, mut second) = (event(profile, name), event(profile, name));
            let mut batch = ledger.batch();
            batch.append(&mut first).unwrap();
            let last = batch.append(&mut second).unwrap();
            assert_eq!(batch.last_event_id(), Some(last));
            if is_written {
                lines.extend([first, second].map(|event| event.to_string()));
                batch.commit();
                assert_eq!(ledger.last_event_id(), Some(last));
            } else {
                drop(batch);
                assert_eq!(ledger.last_event_id(), before);
            }
        }
        assert_eq!((verify(&lines).events, verify(&lines).first_fault), (4, None));
    }
}

#[test]
fn the_last_microsecond_of_the_year_9999_is_used_and_none_beyond() {
    let clock = ManualClock::new(Duration::from_micros(253_402_300_799_999_998));
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut lines = vec![];
    for name in ["opened", "placed"] {
        let mut event = event(Profile::Classic, name);
        ledger.append(&mut event).unwrap();
        lines.push(event.to_string());
    }
    assert!(lines[1].contains("9999-12-31T23:59:59.999999Z"));
    assert_eq!(verify(&lines).first_fault, None);
    assert_eq!(
        kind_and_member(&ledger.append(&mut event(Profile::Classic, "late")).unwrap_err()),
        (EventErrorKind::Clock, None)
    );
    let last = EventId::from_fields(u64::MAX, 0, LedgerId::MIN);
    let mut resumed = Ledger::with_clock(Profile::Classic, Some(last), &clock);
    assert_eq!(
        kind_and_member(&resumed.append(&mut event(Profile::Classic, "late")).unwrap_err()),
        (EventErrorKind::Clock, None)
    );
}

#[test]
fn a_line_keeps_all_that_it_has() {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut out = "before\n".to_owned();
    for line in [
        "{\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\",\"note\":{\"b\":1e3,\"a\":[ ]}}",
        " \t{ \"data\" : 1e3 , \"key\":\"\\u0031\", \"entity\":\"sh\\/op\",\"event\":\"placed\" } \r\n",
        "\r\n{\r\n  \"event\": \"shipped\",\n\n  \"entity\": \"shop\",\r  \"key\": \"2\"\n}\n",
    ] {
        ledger.append_line(line.as_bytes(), &mut out).unwrap();
    }
    let text = out.strip_prefix("before\n").unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(verify(&lines).first_fault, None);
    for (line, rest) in lines.iter().zip([
        "\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\",\"note\":{\"b\":1e3,\"a\":[ ]}}\n",
        "\"data\" : 1e3 , \"key\":\"\\u0031\", \"entity\":\"sh\\/op\",\"event\":\"placed\" }\n",
        "\"event\": \"shipped\",    \"entity\": \"shop\",   \"key\": \"2\" }\n",
    ]) {
        let event = Event::parse(line).unwrap();
        let id = event.event_id.unwrap();
        let head = format!(
            "{{\"eventId\":\"{id}\",\"timestamp\":\"2021-10-03T16:33:12.{}Z\",",
            id.unix_micros() % 1_000_000
        );
        assert_eq!(*line, head + rest);
    }
}

#[test]
fn a_line_that_cannot_be_added_leaves_the_ledger_and_the_output_as_they_were() {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut out = String::new();
    let first =
        ledger.append_line(b"{\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\"}", &mut out).unwrap();
    let before = out.clone();
    for (line, error) in [
        (&b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"eventId\":\"0005cd755a43d79238c05790c0331dd8\"}"[..], unwanted("eventId")),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"event\\u0049d\":\"0005cd755a43d79238c05790c0331dd8\"}", unwanted("eventId")),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"timestamp\":\"2021-10-03T16:33:12Z\"}", unwanted("timestamp")),
        (b"{\"event\":\"a\",\"entity\":\"b\"}", missing("key")),
        (b"{\"event\":\"a\",\"key\":\"b\"}", missing("entity")),
        (b"{\"entity\":\"a\",\"key\":\"b\"}", missing("event")),
        (b"{}", missing("entity")),
    ] {
        assert_eq!(kind_and_member(&ledger.append_line(line, &mut out).unwrap_err()), error);
    }
    for (line, kind) in [
        (&b""[..], JsonErrorKind::Syntax),
        (b" ", JsonErrorKind::Syntax),
        (b"[]", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\"", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\"}{}", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":1}", JsonErrorKind::Type),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"eventId\":null}", JsonErrorKind::Type),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"\xff\"}", JsonErrorKind::Utf8),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"data\":\"\\ud800\"}", JsonErrorKind::Escape),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"data\":1e999999}", JsonErrorKind::Exponent),
        (b"{\"event\":\"a\nb\",\"entity\":\"b\",\"key\":\"c\"}", JsonErrorKind::Control),
    ] {
        let error = ledger.append_line(line, &mut out).unwrap_err();
        assert_eq!((error.kind(), error.json().unwrap().kind()), (EventErrorKind::Json, kind));
    }
    assert_eq!((&out, ledger.last_event_id()), (&before, Some(first)));
    let next =
        ledger.append_line(b"{\"event\":\"placed\",\"entity\":\"order\",\"key\":\"17\"}", &mut out).unwrap();
    assert_eq!(next.unix_micros(), first.unix_micros() + 1);
    assert_eq!(verify(&lines(&out)).first_fault, None);
}

#[test]
fn two_members_of_one_name_are_refused_however_deep() {
    let event = r#""event":"placed","entity":"order","key":"17""#;
    let mut ledger = Ledger::new(Profile::Classic);
    // The bar is before the second of two members.
    for (members, name) in [
        (r#","data":1,|"data":2"#, "data"),
        (r#","data":1,|"d\u0061ta":1"#, "data"),
        (r#",|"event":"placed""#, "event"),
        (r#",|"key":"17""#, "key"),
        (r#","data":{"a":1,|"a":1}"#, "a"),
        (r#","meta":[0,{"b":{"c":1,"a":2,|"c":3}}]"#, "c"),
        // Members that the checksum does not cover.
        (r#","x":1,"y":2,|"x":1"#, "x"),
        (r#","x":{"a":1,|"a":1}"#, "a"),
        (r#","":1,|"":1"#, ""),
        // The first of several.
        (r#","data":{"b":1,"a":2,|"a":3,"b":4},"data":5"#, "a"),
    ] {
        let line = format!("{{{event}{members}}}");
        let column = line.find('|').unwrap() + 1;
        let error = ledger.append_line(line.replace('|', "").as_bytes(), &mut String::new()).unwrap_err();
        assert_eq!(kind_and_member(&error), (EventErrorKind::DuplicateMember, None));
        let found = format!("found {name:?} again at column {column}");
        assert_eq!(error.to_string(), format!("expected each member once, {found}: leave one of them out"));
    }
    assert_eq!(EventErrorKind::DuplicateMember.name(), "duplicate_member");
    let long = format!("{{{event},\"{0}\":1,\"{0}\":1}}", "x".repeat(1_000_000));
    let error = ledger.append_line(long.as_bytes(), &mut String::new()).unwrap_err();
    assert!(error.to_string().len() < 200, "{error}");
    assert_eq!(ledger.last_event_id(), None);
    // The same names in different objects are not duplicates.
    let line = format!(
        "{{{event},\"data\":{{\"data\":{{\"data\":[{{\"a\":1}},{{\"a\":1}}]}},\"event\":2}},\"meta\":{{\"data\":3}}}}"
    );
    ledger.append_line(line.as_bytes(), &mut String::new()).unwrap();
}

#[test]
fn members_that_no_checksum_protects_are_named() {
    for (profile, members, names) in [
        (Profile::Classic, r#""event":"e","entity":"e","key":"k","data":{"Data":1}"#, &[][..]),
        (
            Profile::Classic,
            r#""event":"e","Data":1,"entity":"e","x":2,"key":"k""#,
            &[("Data", Some("data")), ("x", None)],
        ),
        (Profile::Classic, r#""event":"e","entity":"e","key":"k","entities":{}"#, &[("entities", None)]),
        (
            Profile::Entities,
            r#""event":"e","key":"k","entities":{},"meta":{},"data":1,"entity":"e""#,
            &[("entity", None), ("key", None)],
        ),
    ] {
        let mut ledger = Ledger::new(profile);
        let line = format!("{{{members}}}");
        let mut batch = ledger.batch();
        batch.append_line(line.as_bytes(), &mut String::new()).unwrap();
        let found: Vec<_> =
            batch.unknown_members().iter().map(|member| (&*member.name, member.meant)).collect();
        assert_eq!((found.as_slice(), batch.unknown_member_count()), (names, names.len()), "{line}");
        assert!(batch.append_line(b"{}", &mut String::new()).is_err());
        assert!(batch.unknown_members().is_empty());
        assert_eq!(batch.unknown_member_count(), 0);
    }
    let mut ledger = Ledger::new(Profile::Classic);
    let mut batch = ledger.batch();
    batch.append_line(br#"{"event":"e","entity":"e","key":"k","Data":1,"x":2}"#, &mut String::new()).unwrap();
    assert_eq!(
        batch.unknown_members().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            r#"the member "Data" is not known to the profile classic (is "data" meant?): no checksum protects it"#,
            r#"the member "x" is not known to the profile classic: no checksum protects it"#
        ]
    );
}

fn any_event(profile: Profile) -> impl Strategy<Value = (Event<'static>, String, bool)> {
    let json = || (any_tree(), prop::collection::vec(any::<u8>(), 1..20));
    (any::<[String; 3]>(), prop::option::of(json()), prop::option::of(json()), json(), any::<bool>())
        .prop_map(move |([name, entity, key], meta, data, entities, is_last)| {
            // Line feeds between members are not for a ledger's lines.
            let print = |(tree, noise): &(Tree, Vec<u8>)| {
                tree.print(&mut Noise::new(noise)).replace(['\n', '\r'], " ")
            };
            let json = |part| Json::parse(&print(part)).unwrap().into_owned();
            let quote = |text: &str| serde_json::to_string(text).unwrap();
            let (meta, data) = match profile {
                Profile::Classic => (meta, data),
                Profile::Entities => {
                    (meta.or_else(|| Some(entities.clone())), data.or_else(|| Some(entities.clone())))
                }
            };
            let mut event = Event::new(name.clone());
            let mut members = vec![format!("\"event\" : {}", quote(&name))];
            match profile {
                Profile::Classic => {
                    event = event.entity(entity.clone()).key(key.clone());
                    members.push(format!("\"entity\":{}", quote(&entity)));
                    members.push(format!("\"key\":{}", quote(&key)));
                }
                Profile::Entities => {
                    event = event.entities(json(&entities));
                    members.push(format!("\"entities\":{}", print(&entities)));
                }
            }
            event.meta = meta.as_ref().map(json);
            event.data = data.as_ref().map(json);
            members.extend(meta.map(|meta| format!("\"meta\":{}", print(&meta))));
            members.extend(data.map(|data| format!("\"data\" : {}", print(&data))));
            if is_last {
                members.reverse();
            }
            let line = format!("{{{}}}", members.join(" , "));
            // An object with two members of one name may not be appended, and is canonical only without the first.
            let has_duplicates = reference::parse(&line).unwrap().has_duplicates();
            (event, line, has_duplicates)
        })
}

fn any_profile() -> impl Strategy<Value = Profile> {
    select(Profile::ALL.to_vec())
}

proptest! {
    #[test]
    fn appended_events_and_appended_lines_are_valid(
        (profile, events) in any_profile().prop_flat_map(|profile| (Just(profile), prop::collection::vec(any_event(profile), 1..8))),
    ) {
        let clock = ManualClock::new(START);
        let (mut by_event, mut by_line) = (ledger(profile, &clock), ledger(profile, &clock));
        let (mut lines, mut text) = (vec![], String::new());
        for (mut event, line, has_duplicates) in events {
            prop_assert_eq!(&Event::parse(&line).unwrap(), &event);
            if has_duplicates {
                let before = (text.clone(), by_line.last_event_id());
                let error = by_line.append_line(line.as_bytes(), &mut text).unwrap_err();
                prop_assert_eq!(error.kind(), EventErrorKind::DuplicateMember);
                prop_assert_eq!((&text, by_line.last_event_id()), (&before.0, before.1));
                continue;
            }
            by_event.append(&mut event).unwrap();
            let printed = event.to_string();
            prop_assert_eq!(&Event::parse(&printed).unwrap(), &event);
            by_line.append_line(line.as_bytes(), &mut text).unwrap();
            prop_assert_eq!(by_event.last_event_id(), by_line.last_event_id());
            lines.push(printed);
        }
        let report = verify(&lines);
        prop_assert_eq!(&report.first_fault, &None);
        prop_assert_eq!(report.last_event_id, by_event.last_event_id());
        prop_assert_eq!(verify(&text.lines().collect::<Vec<_>>()), report);
    }

    #[test]
    fn a_ledger_never_repeats_a_time_or_goes_back_and_neither_does_a_resumed_one(
        times in prop::collection::vec((0..1000_u64, any::<bool>(), any::<bool>()), 1..60),
    ) {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(Profile::Classic, &clock);
        let mut lines = vec![];
        let mut last: Option<EventId> = None;
        for (micros, is_broken, is_resumed) in times {
            if is_resumed {
                ledger = Ledger::with_clock(Profile::Classic, last, &clock);
            }
            let now = START.as_micros() as u64 + micros;
            clock.set(Duration::from_micros(now));
            if is_broken && micros % 3 == 0 {
                clock.set(Duration::MAX);
            }
            let mut event = event(Profile::Classic, "ticked");
            match clock.unix_micros() {
                None => prop_assert!(ledger.append(&mut event).is_err()),
                Some(now) => {
                    let id = ledger.append(&mut event).unwrap();
                    prop_assert_eq!(id.unix_micros(), last.map_or(now, |last| now.max(last.unix_micros() + 1)));
                    last = Some(id);
                    lines.push(event.to_string());
                }
            }
        }
        prop_assert_eq!(verify(&lines).first_fault, None);
    }
}
