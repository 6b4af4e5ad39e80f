//! Events and JSON values by way of `serde_json`.
#![cfg(feature = "serde_json")]

use crate::common::json::{Noise, any_tree};
use evently_ledger::{Event, Json, canonical_json, event_id};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const LEDGERS: [&str; 2] = [
    include_str!("../../../../vectors/ledger-classic.ndjson"),
    include_str!("../../../../vectors/ledger-entities.ndjson"),
];

#[test]
fn an_event_has_the_names_of_the_format_and_leaves_out_what_is_absent() {
    let mut event = Event::new("pl\"aced").entity("order").key("17");
    assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"event":"pl\"aced","entity":"order","key":"17"}"#);
    event.event_id = Some(event_id!("0005cd755a43d79238c05790c0331dd8"));
    event.timestamp = Some(1_633_278_792_816_530);
    event = event.entities(Json::parse("{}").unwrap()).meta(Json::parse("null").unwrap());
    event = event.data(Json::parse(r#"{"total":1.50}"#).unwrap());
    assert_eq!(
        serde_json::to_string(&event).unwrap(),
        r#"{"event":"pl\"aced","eventId":"0005cd755a43d79238c05790c0331dd8","timestamp":"2021-10-03T16:33:12.816530Z","entity":"order","key":"17","entities":{},"meta":null,"data":{"total":1.50}}"#
    );
}

#[test]
fn the_events_of_both_ledgers_are_read_and_written_as_without_serde() {
    for line in LEDGERS.into_iter().flat_map(str::lines) {
        let event: Event<'_> = serde_json::from_str(line).unwrap();
        assert_eq!(event, Event::parse(line).unwrap());
        assert_eq!(serde_json::to_string(&event).unwrap(), event.to_string());
    }
}

#[test]
fn of_members_with_the_same_name_the_last_counts_and_others_are_left_out() {
    let text = r#"{"event":"a","other":[1e3],"\u0065vent":"b","data":1,"data":1e3}"#;
    let event: Event<'_> = serde_json::from_str(text).unwrap();
    assert_eq!(event, Event::new("b").data(Json::parse("1000").unwrap()));
}

#[derive(Serialize, Deserialize)]
struct Page {
    events: Vec<Event<'static>>,
    next: Option<Json<'static>>,
}

#[test]
fn events_within_other_values_are_read_from_a_stream() {
    let text = r#"{"events": [{"event":"placed","data":{"total":1.50}}, {"event":"pl\u0061ced"}], "next": 12345678901234567890123.0}"#;
    let page: Page = serde_json::from_reader(text.as_bytes()).unwrap();
    assert_eq!(page.events[0], Event::new("placed").data(Json::parse("{\"total\":1.50}").unwrap()));
    assert_eq!(page.events[1].event, "placed");
    assert_eq!(
        serde_json::to_string(&page).unwrap(),
        text.replace("\\u0061", "a")
            .replace(": [", ":[")
            .replace(", {", ",{")
            .replace(", \"next\": ", ",\"next\":")
    );
}

#[test]
fn a_text_that_is_not_an_event_is_an_error() {
    for (text, message) in [
        ("{\"event\":1}", "line 1, column 10: expected a string, found '1'"),
        ("{}", "expected the member \"event\", found none"),
        ("[]", "line 1, column 1: expected an event, such as {\"event\": …}, found '['"),
    ] {
        let error = serde_json::from_str::<Event<'_>>(text).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }
    let error = serde_json::from_str::<Json<'_>>("[1e999999]").unwrap_err();
    assert!(error.to_string().starts_with("line 1, column 2: expected an exponent"), "{error}");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Order<'a> {
    total: f64,
    #[serde(rename = "Customer")]
    customer: &'a str,
    lines: Vec<(String, u32)>,
}

#[test]
fn a_value_of_one_s_own_becomes_canonical_json_and_comes_back() {
    let order =
        Order { total: 1e21, customer: "é\n", lines: vec![("b".to_owned(), 2), ("a".to_owned(), 1)] };
    let json = Json::from_serialize(&order).unwrap();
    assert_eq!(
        json.as_str(),
        r#"{"Customer":"é\n","lines":[["b",2],["a",1]],"total":1000000000000000000000}"#
    );
    assert!(json.deserialize::<Order<'_>>().is_err(), "an escape cannot be borrowed");
    let order = Order { customer: "é", ..order };
    let json = Json::from_serialize(&order).unwrap();
    assert_eq!(json.deserialize::<Order<'_>>().unwrap(), order);
    assert!(json.deserialize::<u8>().is_err());
    assert_eq!(Json::from_serialize("text").unwrap().as_str(), "\"text\"");
}

#[derive(Serialize)]
struct Bill {
    total: Option<f64>,
    rates: Vec<f32>,
    by_kind: std::collections::BTreeMap<&'static str, (u8, f64)>,
}

#[test]
fn a_number_that_json_does_not_have_is_an_error_with_its_place() {
    let bill = |total, rate, of_kind| Bill {
        total: Some(total),
        rates: vec![1.5, rate],
        by_kind: [("a", (1, of_kind))].into(),
    };
    let text = Json::from_serialize(&bill(-0.5, 0.1, 1e-7)).unwrap();
    assert_eq!(text.as_str(), r#"{"by_kind":{"a":[1,0.0000001]},"rates":[1.5,0.1],"total":-0.5}"#);
    for (bill, number, place) in [
        (bill(f64::NAN, 0.1, 0.0), "NaN", "total"),
        (bill(0.0, f32::INFINITY, 0.0), "inf", "rates[1]"),
        (bill(0.0, 0.1, f64::NEG_INFINITY), "-inf", "by_kind.a[1]"),
    ] {
        let error = Json::from_serialize(&bill).unwrap_err().to_string();
        assert_eq!(error, format!("expected a number that JSON has, found {number}, at {place}"));
    }
    for nothing in [Json::from_serialize(&f64::NAN), Json::from_serialize(&f32::NAN)] {
        assert!(nothing.unwrap_err().to_string().contains("found NaN"));
    }
    let wide = (u128::MAX, i128::MIN);
    let text = "[340282366920938463463374607431768211455,-170141183460469231731687303715884105728]";
    assert_eq!(Json::from_serialize(&wide).unwrap().as_str(), text);
}

#[test]
fn digits_that_a_value_or_serde_would_lose_are_an_error() {
    let json = Json::parse(r#"{"total":1.50}"#).unwrap();
    let error = serde_json::to_value(&json).unwrap_err().to_string();
    assert!(error.starts_with("1.50 may lose digits"), "{error}");
    let event = Event::new("placed").data(json);
    assert!(serde_json::to_value(&event).is_err());
    let value: serde_json::Value = serde_json::from_str(&event.to_string()).unwrap();
    let error = serde_json::from_value::<Event<'_>>(value).unwrap_err().to_string();
    assert!(error.starts_with("the digits of the number 1.5 are lost"), "{error}");
    let exact = Event::new("placed").data(Json::parse(r#"{"total":[150,-2,null]}"#).unwrap());
    let value = serde_json::to_value(&exact).unwrap();
    assert_eq!(serde_json::from_value::<Event<'_>>(value).unwrap(), exact);
}

#[test]
fn no_member_beside_a_key_of_serde_json_is_lost() {
    let value = serde_json::json!({ "$serde_json::private::Number": "5", "a": 1 });
    assert!(serde_json::from_value::<Json<'_>>(value).unwrap_err().to_string().contains("serde_json"));
}

#[test]
fn a_value_that_has_no_json_is_an_error() {
    let no_text_for_a_key = std::collections::BTreeMap::from([(vec![1], 2)]);
    assert!(Json::from_serialize(&no_text_for_a_key).is_err());
    let text = format!("{}{}", "[".repeat(513), "]".repeat(513));
    let deep: &RawValue = serde_json::from_str(&text).unwrap();
    let error = Json::from_serialize(deep).unwrap_err();
    assert!(error.to_string().starts_with("line 1, column 513: expected at most 512 nested"), "{error}");
}

#[test]
fn the_greatest_depth_is_read_and_written() {
    let text = format!("{}{}", "[".repeat(512), "]".repeat(512));
    let json: Json<'_> = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&json).unwrap(), text);
}

proptest! {
    #[test]
    fn any_json_is_read_in_its_canonical_form(tree in any_tree(), noise in prop::collection::vec(any::<u8>(), 1..20)) {
        let text = tree.print(&mut Noise::new(&noise));
        let canonical = canonical_json(&text).unwrap();
        let json: Json<'_> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(json.as_str(), &canonical);
        prop_assert_eq!(&serde_json::to_string(&json).unwrap(), &canonical);
        let raw: &RawValue = json.deserialize().unwrap();
        prop_assert_eq!(raw.get(), &canonical);
        prop_assert_eq!(Json::from_serialize(raw).unwrap(), json);
    }
}
