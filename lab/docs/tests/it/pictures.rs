//! The IDs in the pictures in `docs/pictures/` that are drawn by hand.

use euid::Euid;
use std::{
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A time of 2024-06-06, from its text: `06:02`, or `06:06:06.666`.
fn time(text: &str) -> SystemTime {
    let midnight = 1_717_632_000_000;
    let (time, millis) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<u64> = time.split(':').map(|part| part.parse().unwrap()).collect();
    let seconds = 3600 * parts[0] + 60 * parts[1] + parts.get(2).unwrap_or(&0);
    UNIX_EPOCH + Duration::from_millis(midnight + 1000 * seconds + millis.parse::<u64>().unwrap())
}

/// The text that a line of the picture shows.
fn text(line: &str) -> Option<&str> {
    line.split_once("<text ")?.1.split_once('>')?.1.strip_suffix("</text>")
}

#[test]
fn the_index_has_the_ids_of_its_times() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/index.svg");
    let picture = fs::read_to_string(path).unwrap();
    let mut lines = picture.lines().filter_map(text);
    let mut bounds = 0;
    let mut root = vec![];
    let mut leaves = vec![];
    while let Some(line) = lines.next() {
        let bound = |name: &str| line.strip_prefix(name)?.strip_suffix(')').map(time);
        if let Some(time) = bound("min_at(") {
            assert_eq!(lines.next(), Some(&*Euid::min_at(time).unwrap().encode()));
            bounds += 1;
        } else if let Some(time) = bound("max_at(") {
            assert_eq!(lines.next(), Some(&*Euid::max_at(time).unwrap().encode()));
            bounds += 1;
        } else if let Some(start) = line.strip_suffix('…') {
            root.push(start);
        } else if line.as_bytes().get(2) == Some(&b':') {
            let start = lines.next().and_then(|line| line.strip_suffix('…')).unwrap();
            assert_eq!(start, &Euid::min_at(time(line)).unwrap().encode()[..9], "{line}");
            leaves.push(start);
        }
    }
    assert_eq!((bounds, leaves.len()), (2, 8));
    assert!(leaves.is_sorted());
    // The leaves have 2, 3 and 3 IDs.
    assert_eq!(root, [leaves[2], leaves[5]]);
}
