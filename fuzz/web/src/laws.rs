//! What holds for each call.

use crate::{
    answers::{Number, answered, id_in_tray},
    detect::{detect_bytes, detect_text},
    failure::failure_message,
    generators::{Act, Asked, Limits, generator, lamport},
    id::{bound_at, check, compare, max, min, parse, parse_long, print, unix_micros, unix_millis},
    inspect::{inspect, range_query},
    ledger::Ledger,
    ron::{parse_base64x64, parse_vector, print_base64x64, print_vector, unzip, zip},
    spec,
    specs::{fields, from_fields, has_check, print_without_check, unix_millis_with},
    tray,
};
use arbitrary::{Arbitrary, Unstructured};
use serde_json::Value;
use sortid::{
    AnyId, Spec, UnixMicros,
    euid::Euid,
    evently_ledger::Verifier,
    ron_uid::{Base64x64, RonUid, Vector},
    ulid_flake::{Epoch, UlidFlake},
};

/// The most calls of a script that are made.
const MOST_CALLS: usize = 16;

#[derive(Arbitrary, Debug)]
enum Call<'a> {
    Parse(Number, &'a [u8]),
    Check(Number, [u8; 20]),
    Compare(Number, [u8; 20], [u8; 20]),
    FromFields(Number, [u64; 7]),
    Bound {
        spec: Number,
        high: i32,
        low: u32,
        is_max: bool,
        epoch: Option<f64>,
    },
    Base64x64(&'a [u8], u64),
    Zip([u8; 16], [u8; 16], &'a str),
    Vector(&'a str, &'a [u8]),
    Detect(&'a [u8]),
    Inspect {
        text: &'a [u8],
        more: u8,
        spec: Option<Number>,
        form: i8,
        scalable: bool,
        scheme: Option<&'a str>,
    },
    Range {
        spec: Number,
        database: u8,
        table: &'a str,
        column: &'a str,
        least: &'a [u8],
        greatest: &'a [u8],
    },
    Ledger {
        profile: Option<u8>,
        is_strict: bool,
        stops: bool,
        after: Option<&'a str>,
        chunks: Vec<&'a [u8]>,
    },
    Generator(Asked, Limits, Vec<Act>),
    Lamport {
        origin: u64,
        length: u8,
        observed: Vec<[u8; 16]>,
    },
}

/// Makes the calls that the bytes describe, one after the other: a call finds in the tray what the call before left
/// there.
pub fn boundary(data: &[u8]) {
    let mut data = Unstructured::new(data);
    for _ in 0..MOST_CALLS {
        match Call::arbitrary(&mut data) {
            Ok(made) if !data.is_empty() => call(made),
            _ => break,
        }
    }
}

fn call(call: Call<'_>) {
    match call {
        Call::Parse(number, text) => parsed(number.0, text),
        Call::Check(number, bytes) => checked(number.0, bytes),
        Call::Compare(number, a, b) => {
            let size = spec(number.0).bytes();
            tray::put(a);
            tray::put_at(tray::SECOND_AT, &b);
            let ids = [a, b].map(|bytes| AnyId::try_from_bytes(spec(number.0), &bytes[..size]).ok());
            let expected = match ids {
                [Some(AnyId::RonUid(a)), Some(AnyId::RonUid(b))] => a.cmp(&b) as i32,
                [Some(a), Some(b)] => a.as_bytes().cmp(b.as_bytes()) as i32,
                _ => 0,
            };
            assert_eq!(compare(number.0), expected);
        }
        Call::FromFields(number, values) => {
            tray::put_fields(values);
            if answered(from_fields(number.0), None) {
                let id = id_in_tray(number);
                // The fields of the ID make the same ID. A Ulid-Flake has two sets of them.
                fields(number.0);
                if let AnyId::UlidFlake(id) = id {
                    tray::put_fields([id.timestamp(), id.randomness().into(), 0, 0]);
                } else if let AnyId::Euid(id) = id {
                    let (value, bits) = (tray::field(2), tray::field(3));
                    assert_eq!(id.extension().map_or(0, |it| u64::from(it.bits())), bits);
                    tray::put_fields([
                        tray::field(0),
                        tray::field(1),
                        value,
                        bits,
                        tray::field(4),
                        tray::field(5),
                    ]);
                }
                assert!(from_fields(number.0));
                assert_eq!(id_in_tray(number), id);
            }
        }
        Call::Bound { spec: number, high, low, is_max, epoch } => {
            let micros = i128::from(high) << 32 | i128::from(low);
            let number = number.0;
            let expected = match epoch.filter(|epoch| !epoch.is_nan() && spec(number) == Spec::UlidFlake) {
                Some(epoch) => Epoch::from_unix_millis(epoch as u64).ok().and_then(|epoch| {
                    let bound = if is_max { UlidFlake::max_at_with } else { UlidFlake::min_at_with };
                    bound(epoch, UnixMicros(micros)).ok().map(AnyId::from)
                }),
                None if is_max => AnyId::max_at(spec(number), UnixMicros(micros)).ok(),
                None => AnyId::min_at(spec(number), UnixMicros(micros)).ok(),
            };
            let is_there = bound_at(number, high.into(), low, is_max, epoch.unwrap_or(f64::NAN));
            assert_eq!(is_there.then(|| id_in_tray(Number(number))), expected);
            if is_max {
                max(number)
            } else {
                min(number)
            }
            let end = if is_max { AnyId::max(spec(number)) } else { AnyId::min(spec(number)) };
            assert_eq!(id_in_tray(Number(number)), end);
        }
        Call::Base64x64(text, int) => {
            let text = &text[..text.len().min(tray::TEXT)];
            tray::put_text(text);
            let expected = Base64x64::parse_ascii(text);
            assert_eq!(answered(parse_base64x64(text.len()), expected.as_ref().err()), expected.is_ok());
            assert!(expected.is_err() || tray::field(0) == expected.unwrap().to_int());
            tray::put_fields([int]);
            let printed = Base64x64::try_from_int(int).map(|int| int.encode().to_string());
            assert_eq!(text_in_tray(print_base64x64()), printed.unwrap_or_default());
        }
        Call::Zip(id, context, text) => {
            tray::put(id);
            tray::put_at(tray::SECOND_AT, &context);
            let ids = [id, context].map(RonUid::try_from_bytes);
            let zipped = match &ids {
                [Ok(id), Ok(context)] => id.zip(context).to_string(),
                _ => String::new(),
            };
            assert_eq!(text_in_tray(zip()), zipped);
            let [_, context] = ids;
            let expected = context.and_then(|context| RonUid::unzip(text, &context));
            if answered(unzip(text), expected.as_ref().err()) {
                assert_eq!(Ok(id_in_tray(Number::of(Spec::RonUid))), expected.map(AnyId::from));
            } else {
                assert!(expected.is_err());
            }
        }
        Call::Vector(text, bytes) => {
            let uids: Result<Vec<_>, _> = Vector::new(text).collect();
            let found = parse_vector(text);
            let expected =
                uids.as_ref().ok().map(|uids| uids.iter().flat_map(|uid| uid.to_bytes()).collect());
            assert_eq!(found, expected);
            if let Some(found) = found {
                assert_eq!(parse_vector(&print_vector(&found)), Some(found));
            }
            assert!(Vector::new(&print_vector(bytes)).all(|uid| uid.is_ok()));
        }
        Call::Detect(bytes) => {
            for (json, candidates) in [
                (detect_text(bytes), sortid::detect(bytes)),
                (detect_bytes(bytes), sortid::detect_bytes(bytes)),
            ] {
                let found = array(&json_of(&json));
                let found: Vec<_> = found.iter().map(|it| (text(it, "spec"), text(it, "id"))).collect();
                let expected =
                    candidates.map(|it| (it.id().spec().name().to_owned(), hex(it.id().as_bytes())));
                assert_eq!(found, expected.collect::<Vec<_>>());
            }
        }
        Call::Inspect { text, more, spec: number, form, scalable, scheme } => {
            let len = text.len() as f64 + f64::from(more);
            let number = number.map_or(-1, |number| number.0 as i32);
            let scheme = scheme.map(str::to_owned);
            let found = inspect(text, len, number, form.into(), scalable, f64::NAN, scheme.clone());
            let Some(json) = found else {
                assert!(scheme.is_some() && !failure_message().is_empty());
                return;
            };
            let json = json_of(&json);
            let form =
                usize::try_from(form).ok().and_then(|form| sortid_inspect::Form::ALL.get(form).copied());
            let spec = u32::try_from(number).ok().map(spec);
            let input = sortid_inspect::Input::beginning(text, len as u64);
            let options = sortid_inspect::Options { scalable, ..Default::default() };
            let expected = sortid_inspect::inspect_as(input, spec, form, &options);
            let ids: Vec<_> = array(&json["candidates"]).iter().map(|it| self::text(it, "id")).collect();
            let expected_ids: Vec<_> =
                expected.candidates.iter().map(|it| hex(it.description.id.as_bytes())).collect();
            assert_eq!(ids, expected_ids);
            let messages: Vec<_> =
                array(&json["refusals"]).iter().map(|it| self::text(it, "message")).collect();
            assert_eq!(messages, expected.refusals.iter().map(|it| it.message.clone()).collect::<Vec<_>>());
        }
        Call::Range { spec: number, database, table, column, least, greatest } => {
            let databases = sortid_sql::Database::ALL;
            let database = databases[usize::from(database) % databases.len()];
            let of_sql = sortid_sql::Spec::named(spec(number.0).name()).unwrap();
            let query =
                sortid_sql::RangeQuery::new(database, of_sql, table, column).least(least).greatest(greatest);
            let found = range_query(number.0, database.name(), table, column, least, greatest);
            assert_eq!(found, query.sql().ok());
        }
        Call::Ledger { profile, is_strict, stops, after, chunks } => {
            let profile = profile.map(|it| if it & 1 == 0 { "classic" } else { "entities" }.to_owned());
            ledger(profile, is_strict, stops, after, &chunks);
        }
        Call::Generator(options, limits, acts) => generator(&options, &limits, &acts),
        Call::Lamport { origin, length, observed } => {
            lamport(origin, length, &observed);
        }
    }
}

fn text_in_tray(len: usize) -> String {
    assert!(len <= tray::TEXT);
    String::from_utf8(tray::text(len)[..len].to_vec()).expect("texts are ASCII")
}

fn parsed(number: u32, text: &[u8]) {
    let expected = AnyId::parse_ascii(spec(number), text);
    if text.len() <= tray::TEXT {
        tray::put_text(text);
        let is_there = answered(parse(number, text.len()), expected.as_ref().err());
        assert_eq!(is_there.then(|| id_in_tray(Number(number))), expected.as_ref().ok().copied());
        tray::put_text(text);
        let has = std::str::from_utf8(text).is_ok_and(|text| Euid::parse_with_check(text).is_ok());
        assert_eq!(has_check(text.len()), has);
    }
    let is_there = answered(parse_long(number, text), expected.as_ref().err());
    assert_eq!(is_there.then(|| id_in_tray(Number(number))), expected.ok());
}

fn checked(number: u32, bytes: [u8; 20]) {
    tray::put(bytes);
    let expected = AnyId::try_from_bytes(spec(number), &bytes[..spec(number).bytes()]);
    let is_there = answered(check(number), expected.as_ref().err());
    assert_eq!(is_there, expected.is_ok());
    let Ok(id) = expected else {
        assert_eq!((print(number), unix_micros(number)), (0, false));
        return;
    };
    assert_eq!(id_in_tray(Number(number)), id);
    assert_eq!(text_in_tray(print(number)), id.to_string());
    let micros = id.unix_micros();
    assert_eq!(unix_micros(number).then(|| tray::field(0)), micros);
    let millis = micros.map(|micros| micros / 1000).filter(|&millis| millis < 1 << 53);
    assert_eq!(Some(unix_millis(number)).filter(|it| !it.is_nan()), millis.map(|millis| millis as f64));
    fields(number);
    if let AnyId::Euid(id) = id {
        assert_eq!((tray::field(0), tray::field(6)), (id.unix_millis(), id.check().into()));
        assert_eq!(text_in_tray(print_without_check()), id.encode_without_check().to_string());
    }
    if let AnyId::UlidFlake(id) = id {
        assert_eq!(unix_millis_with(0.0), id.timestamp() as f64);
    }
}

fn ledger(profile: Option<String>, is_strict: bool, stops: bool, after: Option<&str>, chunks: &[&[u8]]) {
    let Some(mut pieces) = Ledger::start(profile.clone(), is_strict, stops, after.map(str::to_owned)) else {
        assert!(after.is_some() && !failure_message().is_empty());
        return;
    };
    let mut verifier =
        Verifier::new(profile.map(|profile| profile.parse().expect("it is the name of a profile")));
    if let Some(after) = after {
        verifier = verifier.resume_after(after.parse().expect("the boundary has read it"));
    }
    if is_strict {
        verifier = verifier.strict();
    }
    if stops {
        verifier = verifier.stop_at_first_fault();
    }
    let mut faults = vec![];
    verifier.verify_chunk(&chunks.concat(), |fault| faults.push(fault.to_string()));
    for chunk in chunks {
        assert!(pieces.push(chunk));
    }
    let json = json_of(&pieces.finish());
    let report = verifier.report();
    assert_eq!(json["valid"], Value::Bool(report.is_valid()));
    assert_eq!((pieces.events(), pieces.faults()), (report.events as f64, report.faults as f64));
    assert_eq!(pieces.is_done(), verifier.is_done());
    assert_eq!(json["lastEventId"].as_str(), report.last_event_id.map(|id| id.to_string()).as_deref());
    let listed: Vec<_> = array(&json["listed"]).iter().map(|it| text(it, "message")).collect();
    faults.truncate(100);
    assert_eq!(listed, faults);
}

fn json_of(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn array(json: &Value) -> Vec<Value> {
    json.as_array().cloned().expect("an array")
}

fn text(json: &Value, name: &str) -> String {
    json[name].as_str().expect("a string").to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
