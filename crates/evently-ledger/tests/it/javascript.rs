//! Events whose IDs cover `meta` and `data` as JavaScript prints them: those that Evently's published validator accepts.

use crate::common::{
    damage::with_line_ends,
    ledger::{JAVASCRIPT, classic_id, crc, faults, lines, verify},
};
use evently_ledger::{
    Event, EventId, FaultKind, Genesis, LedgerId, PartVerifier, Profile, Report, canonical_json,
};
use proptest::{prelude::*, sample::select};
use serde_json::Value;

/// How many events of the ledger have another form in JavaScript than in canonical JSON.
const IN_FORM: u64 = 5;

const AT: u64 = 1_633_278_792_816_530;

/// A small model of `JSON.stringify(sorted(JSON.parse(text)))`; `None` if a number is not finite.
fn javascript(value: &Value) -> Option<String> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    Some(match value {
        Value::Number(number) => {
            let double: f64 = number.to_string().parse().unwrap();
            ryu_js::Buffer::new().format_finite(Some(double).filter(|double| double.is_finite())?).to_owned()
        }
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(javascript).collect::<Option<Vec<_>>>()?.join(","))
        }
        Value::Object(members) => {
            let index = |key: &str| {
                let number: u32 = key.parse().ok()?;
                (number < u32::MAX && number.to_string() == key).then_some(number)
            };
            let mut keys: Vec<_> = members.keys().collect();
            keys.sort_by_cached_key(|key| {
                (index(key).is_none(), index(key), key.encode_utf16().collect::<Vec<_>>())
            });
            let member = |key: &String| Some(format!("{}:{}", quoted(key), javascript(&members[key])?));
            format!("{{{}}}", keys.into_iter().map(member).collect::<Option<Vec<_>>>()?.join(","))
        }
        other => other.to_string(),
    })
}

/// A ledger of two events with this `data`. Their IDs cover `form` in its place.
fn ledger_of(data: &str, form: &str) -> Vec<String> {
    ledger_with_meta("\"meta\":{},", "{}", data, form)
}

fn ledger_with_meta(meta: &str, meta_form: &str, data: &str, form: &str) -> Vec<String> {
    let content = format!("shop1opened{meta_form}{form}");
    let ledger_id = LedgerId::from_checksum(crc(&content));
    let first = classic_id(&content, AT, ledger_id, EventId::from_fields(0, 0, ledger_id));
    let second = classic_id(&content, AT + 1, ledger_id, first);
    let line = |id: EventId, micros| {
        format!(
            "{{\"eventId\":\"{id}\",\"timestamp\":\"2021-10-03T16:33:12.{micros}Z\",\"event\":\"opened\",\
             \"entity\":\"shop\",\"key\":\"1\",{meta}\"data\":{data}}}"
        )
    };
    vec![line(first, 816_530), line(second, 816_531)]
}

/// The report of the parts that the lines are cut into.
fn report_of_parts(lines: &[String]) -> Report {
    let mut whole = PartVerifier::new(None).take();
    for line in with_line_ends(lines) {
        let mut verifier = PartVerifier::new(None);
        verifier.verify_lines(&line);
        whole.join(verifier.part()).unwrap();
    }
    whole.report()
}

#[test]
fn a_ledger_that_javascript_made_is_valid_and_named() {
    let all = lines(JAVASCRIPT);
    for profile in [None, Some(Profile::Classic)] {
        assert_eq!(faults(profile, None, &all), []);
    }
    let report = verify(&all);
    assert_eq!((report.events, report.javascript_events), (6, IN_FORM));
    assert_eq!((report.profile, report.genesis), (Some(Profile::Classic), Some(Genesis::Published)));
    assert_eq!(report_of_parts(&all), report);
    // Without the beginning, too.
    let first = Event::parse(&all[0]).unwrap().event_id;
    assert_eq!(faults(None, first, &all[1..]), []);
}

#[test]
fn each_example_is_valid_as_the_first_event_and_as_a_later_one() {
    for (data, form) in [
        (r#"{"rate":1e-7}"#, r#"{"rate":1e-7}"#),
        (r#"{"n":1e+21}"#, r#"{"n":1e+21}"#),
        (r#"{"2":"x","10":"y"}"#, r#"{"2":"x","10":"y"}"#),
        (r#"{"～":1,"😀":2}"#, r#"{"😀":2,"～":1}"#),
    ] {
        let lines = ledger_of(data, form);
        let report = verify(&lines);
        assert_eq!((report.faults, report.javascript_events), (0, 2), "{data}");
        assert_eq!(report_of_parts(&lines), report);
    }
}

#[test]
fn what_javascript_changes_or_refuses_hides_no_edit() {
    for (data, form) in [
        (r#"{"n":1.50}"#, r#"{"n":1.5}"#),
        (r#"{"n":1.0}"#, r#"{"n":1}"#),
        (r#"{"n":-0.0}"#, r#"{"n":0}"#),
        (r#"{"n":12345678901234567890}"#, r#"{"n":12345678901234567000}"#),
        (r#"{"n":0.10000000000000000001}"#, r#"{"n":0.1}"#),
        (r#"{"n":1e400}"#, r#"{"n":null}"#),
        (r#"{"n":1e-400}"#, r#"{"n":0}"#),
        (r#"{"__proto__":{"a":1},"n":1}"#, r#"{"n":1}"#),
        (r#"{"\u005f_proto__":{"a":1},"n":1}"#, r#"{"n":1}"#),
        (r#"{"2":null,"10":1}"#, r#"{"2":null,"10":1}"#),
    ] {
        let report = verify(&ledger_of(data, form));
        let kind = report.first_fault.as_ref().map(|fault| fault.kind);
        assert_eq!((report.faults, kind), (2, Some(FaultKind::IdMismatch)), "{data}");
        assert_eq!(report.javascript_events, 0);
    }
}

#[test]
fn without_an_object_as_meta_and_any_data_there_is_no_such_form() {
    let [data, form] = [r#"{"rate":1e-7}"#; 2];
    assert!(verify(&ledger_of(data, form)).is_valid());
    for meta in ["", "\"meta\":[],", "\"meta\":1,", "\"meta\":null,"] {
        let value = meta.trim_start_matches("\"meta\":").trim_end_matches(',');
        let lines = ledger_with_meta(meta, value, data, form);
        assert_eq!(verify(&lines).faults, 2, "{meta}");
        assert_eq!(verify(&ledger_with_meta(meta, value, "{}", "{}")).faults, 0, "{meta}");
    }
}

#[test]
fn the_form_is_of_the_profile_classic_alone() {
    let both = JAVASCRIPT.replace("\"entity\":", "\"entities\":{},\"entity\":");
    let report = verify(&lines(&both));
    assert_eq!((report.faults, report.javascript_events), (0, IN_FORM));
    assert!(!faults(Some(Profile::Entities), None, &lines(&both)).is_empty());
}

#[test]
fn one_changed_byte_of_an_event_in_this_form_is_found() {
    let all = lines(JAVASCRIPT);
    let event = |line: &str| Event::parse(line).map(Event::into_owned).ok();
    for (at, line) in all.iter().enumerate() {
        for place in 0..line.len() {
            for byte in *b"012e-+.,:\"\\ }xn" {
                let mut bytes = line.clone().into_bytes();
                bytes[place] = byte;
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                let mut lines = all.clone();
                lines[at].clone_from(&changed);
                // The same event in other words, such as `E` for `e`, is no other event.
                let is_same = event(&changed).is_some_and(|changed| event(line) == Some(changed));
                assert_eq!(verify(&lines).is_valid(), is_same, "{changed}");
            }
        }
    }
}

fn any_json() -> impl Strategy<Value = String> {
    let numbers = [
        "0",
        "-0",
        "-0.0",
        "1.50",
        "1e3",
        "1e-7",
        "1E-6",
        "1e20",
        "1e21",
        "123456789012345680000",
        "5e-324",
        "-2.5e-9",
        "0.1",
        "9007199254740993",
        "1.7976931348623157e308",
        "true",
        "false",
        "\"a\\u0007\\/\"",
        "[]",
        "{}",
    ];
    let keys = [
        "a",
        "b",
        "",
        "0",
        "00",
        "1",
        "2",
        "10",
        "-1",
        "1.5",
        "4294967294",
        "4294967295",
        "4294967296",
        "～",
        "😀",
        "é",
        "\\ud7ff",
        "\\ue000",
        "\\u0031\\u0032",
        "\\n",
    ];
    let number = any::<f64>()
        .prop_filter("finite", |double| double.is_finite())
        .prop_map(|double| format!("{double:e}"));
    let leaf = prop_oneof![select(numbers.map(str::to_owned).to_vec()), number];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let member =
            (select(keys.to_vec()), inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|values| format!("[{}]", values.join(", "))),
            prop::collection::vec(member, 0..8).prop_map(|members| format!("{{{}}}", members.join(" ,"))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// The model, canonical JSON and the verifier agree on what is valid, and why.
    #[test]
    fn an_event_in_this_form_is_valid_if_javascript_keeps_its_values(text in any_json()) {
        let canonical = canonical_json(&text).unwrap();
        let Some(form) = javascript(&serde_json::from_str(&text).unwrap()) else { return Ok(()) };
        let lines = ledger_of(&text, &form);
        let report = verify(&lines);
        let keeps_values = canonical_json(&form).unwrap() == canonical;
        prop_assert_eq!(report.is_valid(), keeps_values, "{} {}", canonical, form);
        let is_other = keeps_values && form != canonical;
        prop_assert_eq!(report.javascript_events, if is_other { 2 } else { 0 });
        prop_assert_eq!(report_of_parts(&lines), report);
    }
}
