//! The longest line: what one reader accepts, all do, and a ledger writes no longer one.

use crate::common::ledger::Append as _;
use evently_ledger::{
    Event, FaultKind, Json, JsonError, JsonErrorKind, LONGEST_LINE, Ledger, PartVerifier, Profile, Verifier,
};

/// The report on these lines, which is the same however they are given.
fn first_fault(lines: &[u8]) -> Option<(u64, FaultKind)> {
    let report = Verifier::new(None).verify(lines.split_inclusive(|&byte| byte == b'\n'));
    let mut verifier = Verifier::new(None);
    verifier.verify_chunk(lines, |_| ());
    assert_eq!(verifier.report(), &report);
    #[cfg(feature = "parallel")]
    {
        let mut verifier = Verifier::new(None);
        verifier.verify_chunk_parallel(lines, |_| ());
        assert_eq!(verifier.report(), &report);
    }
    let mut verifier = PartVerifier::new(None);
    verifier.verify_lines(lines);
    assert_eq!(verifier.take().report(), report);
    report.first_fault.map(|fault| (fault.line, fault.kind))
}

#[test]
fn a_blank_line_has_the_same_limit_wherever_it_stands() {
    for (before, after) in [("", ""), ("\n \r\n", "\n\n"), (" x\n", "\ny\n")] {
        let first = before.contains('x').then_some((1, FaultKind::MalformedLine));
        let number = before.matches('\n').count() as u64 + 1;
        for longer in [0, 1] {
            let blank = " ".repeat(LONGEST_LINE + longer);
            let too_long = (longer > 0).then_some((number, FaultKind::MalformedLine));
            let lines = format!("{before}{blank}{after}");
            let last = after.contains('y').then_some((number + 1, FaultKind::MalformedLine));
            assert_eq!(first_fault(lines.as_bytes()), first.or(too_long).or(last), "{before:?} {after:?}");
        }
    }
}

#[test]
fn a_ledger_writes_no_line_that_a_verifier_refuses() {
    let mut ledger = Ledger::new(Profile::Classic);
    let mut file = String::new();
    let line = |length: usize| {
        let event = r#"{"event":"a","entity":"b","key":"c","data":""}"#;
        event.replace("\"\"", &format!("\"{}\"", "d".repeat(length - event.len())))
    };
    ledger.append_line(line(100).as_bytes(), &mut file).unwrap();
    let around = file.len() - 1 - 100;
    let last = ledger.last_event_id();
    let error = ledger.append_line(line(LONGEST_LINE - around + 1).as_bytes(), &mut file).unwrap_err();
    assert_eq!(error.json().map(JsonError::kind), Some(JsonErrorKind::Length));
    let expected = format!("expected a line of at most {LONGEST_LINE} bytes, found one of");
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert_eq!(ledger.last_event_id(), last);
    ledger.append_line(line(LONGEST_LINE - around).as_bytes(), &mut file).unwrap();
    assert_eq!(file.lines().last().map(str::len), Some(LONGEST_LINE));
    assert_eq!(first_fault(file.as_bytes()), None);

    // An event that is printed, with and without escapes.
    let added = file.find("\"event\"").unwrap() - 1;
    for (text, times) in [("d", 1), ("\u{1}", 6)] {
        let event = |length: usize| Event::new("a").entity("b").key(text.repeat(length));
        let around = event(0).to_string().len() + added;
        let most = (LONGEST_LINE - around) / times;
        let error = ledger.append(&mut event(most + 1)).unwrap_err();
        assert_eq!(error.json().map(JsonError::kind), Some(JsonErrorKind::Length));
        let mut longest = event(most);
        ledger.append(&mut longest).unwrap();
        file = longest.to_string();
        assert!((LONGEST_LINE - times + 1..=LONGEST_LINE).contains(&file.len()), "{}", file.len());
        assert_eq!(Event::parse(&file).as_ref(), Ok(&longest));
    }
    assert!(Event::parse(&format!("{file}       ")).is_err());
}

/// White space around an event is not written, so it must not raise a limit that depends on the length of the text.
#[test]
fn white_space_around_an_event_does_not_make_room_for_the_digits_of_exponents() {
    let numbers = ["1e131071"; 4].join(",");
    let blank = " ".repeat(20_000);
    let event = format!(r#""event":"a","entity":"b","key":"c","data":[{numbers}]}}"#);
    for line in [format!("{{{event}{blank}"), format!("{blank}{{{event}"), format!("{{{blank}{event}")] {
        let mut ledger = Ledger::new(Profile::Classic);
        let mut file = "before".to_owned();
        let error = ledger.append_line(line.as_bytes(), &mut file).unwrap_err();
        assert_eq!(error.json().map(JsonError::kind), Some(JsonErrorKind::Exponent));
        assert_eq!((&*file, ledger.last_event_id()), ("before", None));
    }
    // Within the event, it is written.
    let mut file = String::new();
    let line =
        format!("{{{}", event.replace("],", &format!("],{blank}")).replace("]}", &format!("]{blank}}}")));
    Ledger::new(Profile::Classic).append_line(line.as_bytes(), &mut file).unwrap();
    assert_eq!(first_fault(file.as_bytes()), None);
    assert!(Json::parse("1e131071").is_ok());
}
