//! `sortid ledger repair`: which part of a file stays, and which is cut off.

use evently_ledger::{FaultKind, Verifier};
use scan::Scan;
use tail::Tail;

#[allow(dead_code, reason = "the program prints the rest")]
#[path = "../../crates/sortid-cli/src/commands/ledger/scan.rs"]
mod scan;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../crates/sortid-cli/src/commands/ledger/tail.rs"]
mod tail;

const CLASSIC: &str = include_str!("../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../vectors/ledger-entities.ndjson");

/// The greatest depth of objects and arrays that `serde_json` reads.
const DEPTH_OF_SERDE: usize = 127;

/// The first byte chooses a ledger. What follows is what a crash, or anything else, left behind it.
pub(crate) fn repair(data: &[u8]) {
    let Some((&choice, left)) = data.split_first() else { return };
    if choice >= 128 {
        return half(left);
    }
    let ledger = if choice & 1 == 0 { CLASSIC } else { ENTITIES };
    let lines: Vec<_> = ledger.split_inclusive('\n').take(usize::from(choice >> 1) % 3).collect();
    let file = [lines.concat().as_bytes(), left].concat();

    let scan = scanned(&file);
    let kept = scan.kept() as usize;
    assert!(lines.concat().len() <= kept, "no whole event before the damage is lost");
    assert!(kept <= file.len() && scan.events >= lines.len() as u64);
    let mut repaired = file[..kept].to_vec();
    if scan.lacks_line_feed {
        repaired.push(b'\n');
    }
    let report = Verifier::new(None).verify(repaired.split_inclusive(|&byte| byte == b'\n'));
    assert_eq!(report.faults, 0, "the repaired file is valid: {:?}", report.first_fault);
    assert_eq!((report.events, report.last_event_id), (scan.events, scan.last));
    let last = repaired.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    assert!(last.trim_ascii().is_empty() || scan.events == 0, "the last event has a line feed");

    let again = scanned(&repaired);
    assert!(again.damage.is_none() && !again.lacks_line_feed, "idempotent");
    assert_eq!((again.kept() as usize, again.events), (repaired.len(), scan.events));

    // Everything before the first fault stays.
    let mut verifier = Verifier::new(None);
    let mut at = 0;
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        if !line.ends_with(b"\n") {
            last_line(line, &file[..at], kept - at);
        } else if verifier.verify_line(line).is_err() {
            assert_eq!(kept, at, "cut off from the first faulty line on");
            break;
        }
        at += line.len();
        assert!(kept >= at || !line.ends_with(b"\n"));
    }
    let damage = scan.damage.as_ref();
    assert_eq!(damage.is_some(), kept < file.len());
    if let Some(damage) = damage {
        let cut = file[kept..].split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        assert!(damage.valid <= damage.events && damage.events <= damage.lines);
        assert!(damage.lines <= cut.count() as u64 && !damage.sentence.is_empty());
    }
}

fn scanned(file: &[u8]) -> Scan {
    let mut scan = Scan::new(file.len() as u64);
    let mut verifier = Verifier::new(None);
    let mut at = 0;
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        if line.ends_with(b"\n") {
            scan.line(&mut verifier, at, line);
        } else {
            let text = without_nuls(line);
            scan.tail(&mut verifier, at, text, (line.len() - text.len()) as u64);
        }
        at += line.len() as u64;
    }
    scan
}

fn without_nuls(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}

/// The bytes behind the last line feed, of which `kept` stay: a whole event, perhaps with NULs behind it, is not lost.
fn last_line(bytes: &[u8], before: &[u8], kept: usize) {
    let text = without_nuls(bytes);
    let mut verifier = Verifier::new(None);
    verifier.verify_chunk(before, |_| ());
    match verifier.verify_line(text) {
        Ok(Some(_)) => assert_eq!(kept, text.len(), "a whole event stays"),
        Ok(None) => assert!(kept == bytes.len() || kept == text.len() || kept == 0),
        Err(_) => assert_eq!(kept, 0),
    }
}

/// Behind an event, bytes are half an event only if they can be continued to JSON.
fn half(bytes: &[u8]) {
    let text = without_nuls(bytes);
    let Err(fault) = Verifier::new(None).verify_line(text) else { return };
    let nuls = bytes.len() - text.len();
    let read = Tail::read(&mut Verifier::new(None), text, nuls as u64, true);
    let is_half = matches!(read, Ok(Tail { event: None, kept: 0, fault: Some(_) }));
    assert!(is_half || read.is_err());
    let depth = text.iter().filter(|byte| b"[{".contains(byte)).count();
    // `serde_json` counts four bytes of an escape before it reads them, and takes half a number for a wrong one.
    let ends = text[text.len().saturating_sub(5)..].windows(2).any(|pair| pair == b"\\u")
        || text.last().is_some_and(|last| b"-+.eE".contains(last));
    if ends || depth > DEPTH_OF_SERDE {
        return;
    }
    let object = text.trim_ascii_start();
    let is_cut_short = fault.kind == FaultKind::MalformedLine
        && object.starts_with(b"{")
        && std::str::from_utf8(object).err().is_none_or(|error| error.error_len().is_none())
        && serde_json::from_slice::<serde::de::IgnoredAny>(object).is_err_and(|error| error.is_eof());
    assert_eq!(is_half, is_cut_short, "{}", text.escape_ascii());
}
