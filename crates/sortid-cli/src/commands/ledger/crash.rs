//! Tests each state that a crash of a process or of the machine can leave: no acknowledged event is lost, and no byte that
//! was on the disk before.
//!
//! A model of the disk records what `append` and `repair` do. Until a file is synced, a crash of the machine can leave any
//! prefix of a write, zeros instead of a block or of the rest, and a file without its directory entry. A crash of the process
//! leaves all that was done, but nothing more is synced.

use super::{disk::Disk, end::Reach, file::LedgerFile, scan::Scan};
use crate::failure::Failure;
use indicatif::ProgressBar;
use sortid::evently_ledger::{EventId, Verifier};
use std::{
    collections::{BTreeSet, HashSet},
    io,
    ops::Range,
    path::Path,
};

/// A step of a program: it changes the disk, or acknowledges an event.
#[derive(Clone)]
enum Op {
    Write { at: u64, bytes: Vec<u8> },
    SetLen(u64),
    Sync,
    SyncDirectory,
    Keep(Vec<u8>),
    SyncKept,
    Acknowledge(Vec<EventId>),
}

/// The files as a process sees them.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) ledger: Vec<u8>,
    pub(super) kept: Vec<u8>,
    /// Whether the directory has the ledger for certain.
    has_entry: bool,
    /// The same for the file with what was cut off.
    has_kept_entry: bool,
    /// How the program reads the end of the ledger.
    reach: Reach,
}

impl State {
    /// A ledger that is durable.
    pub(super) fn new(ledger: Vec<u8>, reach: Reach) -> Self {
        Self { ledger, has_entry: true, reach, ..Self::default() }
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::Write { at, bytes } => {
                let at = usize::try_from(*at).unwrap();
                assert!(at <= self.ledger.len(), "no hole is written");
                let end = at + bytes.len();
                self.ledger.resize(self.ledger.len().max(end), 0);
                self.ledger[at..end].copy_from_slice(bytes);
            }
            Op::SetLen(len) => self.ledger.truncate(usize::try_from(*len).unwrap()),
            Op::Keep(bytes) => self.kept.extend(bytes),
            Op::Sync | Op::SyncDirectory | Op::SyncKept | Op::Acknowledge(_) => {}
        }
    }
}

pub(super) struct Model {
    pub(super) state: State,
    log: Vec<Op>,
    /// After how many steps the file is renamed.
    renamed_after: usize,
    /// Whether the file stays locked.
    is_stuck: bool,
}

impl Model {
    pub(super) fn new(state: State) -> Self {
        Self { state, log: vec![], renamed_after: usize::MAX, is_stuck: false }
    }

    fn record(&mut self, op: Op) {
        self.state.apply(&op);
        self.log.push(op);
    }
}

impl Disk for &mut Model {
    fn path(&self) -> &Path {
        Path::new("ledger")
    }

    fn cut_path(&self) -> &Path {
        Path::new("ledger.cut")
    }

    fn lock(&mut self, _: bool) -> Result<(), Failure> {
        self.check_place()
    }

    fn unlock(&mut self) -> Result<(), Failure> {
        if self.is_stuck { Err(Failure::Message("stuck".into())) } else { Ok(()) }
    }

    fn check_place(&self) -> Result<(), Failure> {
        if self.log.len() < self.renamed_after { Ok(()) } else { Err(Failure::Message("renamed".into())) }
    }

    fn len(&mut self) -> io::Result<u64> {
        Ok(self.state.ledger.len() as u64)
    }

    fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        Ok(self.state.ledger[start..end].to_vec())
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.record(Op::Write { at, bytes: bytes.to_vec() });
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.record(Op::SetLen(len));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.record(Op::Sync);
        Ok(())
    }

    fn sync_directory(&mut self) -> io::Result<()> {
        self.record(Op::SyncDirectory);
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.record(Op::Keep(bytes.to_vec()));
        Ok(())
    }

    fn sync_kept(&mut self) -> io::Result<()> {
        self.record(Op::SyncKept);
        Ok(())
    }
}

/// Appends the batches, and records what is acknowledged.
fn append(model: &mut Model, batches: &[&[&str]]) -> Result<(), Failure> {
    let reach = model.state.reach;
    let mut file = LedgerFile::on(&mut *model, None).with_reach(reach);
    let mut acknowledged = vec![];
    for batch in batches {
        let mut ids = vec![];
        file.write(|ledger, lines| {
            ids.extend(batch.iter().map(|event| ledger.append(event.as_bytes(), lines).unwrap()));
        })??;
        acknowledged.push((file.disk().log.len(), ids));
    }
    for (at, ids) in acknowledged.into_iter().rev() {
        model.log.insert(at, Op::Acknowledge(ids));
    }
    Ok(())
}

/// The events are on the disk, so they can be acknowledged before the failure is reported.
#[test]
fn a_file_that_stays_locked_has_the_events() {
    let mut model = Model::new(State::new(vec![], Reach::default()));
    model.is_stuck = true;
    let mut file = LedgerFile::on(&mut model, None);
    let mut added = None;
    let written = file.write(|ledger, lines| {
        added = Some(ledger.append(br#"{"event":"z","entity":"y","key":"x"}"#, lines).unwrap());
    });
    assert!(written.is_ok_and(|unlocked| unlocked.is_err()));
    let report = Verifier::new(None).verify(model.state.ledger.split_inclusive(|&byte| byte == b'\n'));
    assert_eq!((report.first_fault, report.last_event_id), (None, added));
}

fn acknowledged(log: &[Op]) -> Vec<EventId> {
    log.iter().flat_map(|op| if let Op::Acknowledge(ids) = op { &ids[..] } else { &[] }).copied().collect()
}

/// What a crash of the machine can leave of a write to a file that had `before`.
fn torn(before: &[u8], at: usize, bytes: &[u8], step: usize) -> Vec<Vec<u8>> {
    let mut after = before.to_vec();
    after.resize(before.len().max(at + bytes.len()), 0);
    after[at..at + bytes.len()].copy_from_slice(bytes);
    let mut states = vec![after.clone()];
    // Each prefix, with the old length and with the new one.
    for len in (0..bytes.len()).step_by(step) {
        let prefix = [&before[..at], &bytes[..len]].concat();
        let mut extended = prefix.clone();
        extended.resize(after.len(), 0);
        states.extend([prefix, extended]);
    }
    // Each block that was not written.
    for block in [512, 4096] {
        for number in at / block..=(at + bytes.len()) / block {
            let mut state = after.clone();
            let range =
                (number * block).clamp(at, at + bytes.len())..((number + 1) * block).min(at + bytes.len());
            state[range].fill(0);
            states.push(state);
        }
    }
    states
}

/// All states that a crash of the machine after these steps can leave.
fn crash_states(start: &State, log: &[Op], step: usize) -> BTreeSet<State> {
    let mut durable = start.clone();
    let (mut to_ledger, mut to_kept) = (vec![], vec![]);
    for op in log {
        match op {
            Op::Write { .. } | Op::SetLen(_) => to_ledger.push(op),
            Op::Keep(_) => to_kept.push(op),
            Op::Sync => to_ledger.drain(..).for_each(|op| durable.apply(op)),
            Op::SyncDirectory => (durable.has_entry, durable.has_kept_entry) = (true, true),
            Op::SyncKept => {
                to_kept.drain(..).for_each(|op| durable.apply(op));
                (durable.has_entry, durable.has_kept_entry) = (true, true);
            }
            Op::Acknowledge(_) => {}
        }
    }
    // One step half done after all steps before it; and all steps with one lost, because a disk need not do them in
    // order.
    let mut ledgers = BTreeSet::from([durable.ledger.clone()]);
    let mut all = durable.clone();
    for op in &to_ledger {
        if let Op::Write { at, bytes } = op {
            ledgers.extend(torn(&all.ledger, usize::try_from(*at).unwrap(), bytes, step));
        }
        all.apply(op);
        ledgers.insert(all.ledger.clone());
    }
    for op in &to_ledger {
        if let Op::Write { at, bytes } = op
            && let at = usize::try_from(*at).unwrap()
            && at + bytes.len() <= all.ledger.len()
        {
            let mut lost = all.ledger.clone();
            lost[at..at + bytes.len()].fill(0);
            ledgers.insert(lost);
        }
    }
    let mut kept = BTreeSet::from([durable.kept.clone()]);
    let mut all = durable.clone();
    for op in &to_kept {
        if let Op::Keep(bytes) = op {
            kept.extend(torn(&all.kept, all.kept.len(), bytes, step));
        }
        all.apply(op);
    }
    if !durable.has_kept_entry {
        kept.insert(vec![]);
    }
    let mut states = BTreeSet::new();
    for kept in &kept {
        states.extend(ledgers.iter().map(|ledger| State {
            ledger: ledger.clone(),
            kept: kept.clone(),
            // A file that is there after a crash of the machine is durable.
            has_entry: true,
            has_kept_entry: true,
            reach: start.reach,
        }));
        if !durable.has_entry {
            states.insert(State {
                ledger: vec![],
                kept: kept.clone(),
                has_entry: false,
                has_kept_entry: true,
                reach: start.reach,
            });
        }
    }
    states
}

/// Asserts that the ledger is valid and has these events.
fn assert_has(ledger: &[u8], acknowledged: &[EventId], context: &str) {
    let mut verifier = Verifier::new(None);
    let mut found = HashSet::new();
    for line in ledger.split(|&byte| byte == b'\n') {
        found.extend(verifier.verify_line(line).unwrap_or_else(|fault| panic!("{context}: {fault}")));
    }
    for id in acknowledged {
        assert!(found.contains(id), "{context}: {id} is lost: {}", String::from_utf8_lossy(ledger));
    }
}

/// Asserts that all bytes of the ledger are still there, or in the file with what was cut off; but for NULs at its end.
fn assert_keeps(before: &State, after: &State, context: &str) {
    assert!(after.kept.starts_with(&before.kept), "{context}: what was cut off earlier is lost");
    let rest = rest(&before.ledger, &after.ledger);
    assert!(after.kept.ends_with(rest), "{context}: bytes are lost");
}

/// What follows the bytes that are the same, without NULs at the end.
fn rest<'a>(before: &'a [u8], after: &[u8]) -> &'a [u8] {
    let common = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let end = before.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &before[common.min(end)..end]
}

const EVENTS: [&str; 3] = [
    r#"{"event":"opened","entity":"shop","key":"1"}"#,
    r#"{"event":"placed","entity":"order","key":"📒 \"é\"","data":{"total":1.50,"of":[true,null,-2e3]}}"#,
    r#"{"event":"paid","entity":"order","key":"17"}"#,
];

/// Goes on after a crash: appends, or repairs if `append` refuses and then appends. Returns what was done.
fn go_on(state: &State, acknowledged: &[EventId], context: &str) -> Vec<Op> {
    let mut model = Model::new(state.clone());
    if append(&mut model, &[&[EVENTS[2]]]).is_err() {
        assert!(model.log.is_empty(), "{context}: refused, but changed");
        let len = state.ledger.len() as u64;
        let scan =
            Scan::of(&mut &mut model, len, state.reach.piece, Verifier::new(None), &ProgressBar::hidden())
                .unwrap_or_else(|error| panic!("{error}"));
        assert!(scan.damage.is_some(), "{context}: refused, and nothing to repair");
        scan.repair(&mut &mut model).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_has(&model.state.ledger, acknowledged, context);
        assert_keeps(state, &model.state, context);
        append(&mut model, &[&[EVENTS[2]]]).unwrap_or_else(|error| panic!("{context}: {error}"));
    }
    let now = [acknowledged, &self::acknowledged(&model.log)].concat();
    assert_has(&model.state.ledger, &now, context);
    assert_keeps(state, &model.state, context);
    model.log
}

/// A crash after each step, and another one after each step of going on after some of them.
fn crash_everywhere(start: &State, batches: &[&[&str]], step: usize, again: usize) -> usize {
    let mut model = Model::new(start.clone());
    append(&mut model, batches).unwrap_or_else(|error| panic!("{error}"));
    let log = model.log;
    let before: Vec<EventId> = start
        .ledger
        .split(|&byte| byte == b'\n')
        .filter_map(|line| Verifier::new(None).resume_unanchored().verify_line(line).ok()?)
        .collect();
    let mut count = 0;
    for done in 0..=log.len() {
        let log = &log[..done];
        let promised = [&before[..], &acknowledged(log)].concat();
        for (number, state) in crash_states(start, log, step).iter().enumerate() {
            let context = format!("the machine crashes after step {done}, state {number}");
            let then = go_on(state, &promised, &context);
            count += 1;
            if number % again == 0 {
                count += crash_again(state, &[], &then, &promised, &context);
            }
        }
        let mut state = start.clone();
        log.iter().for_each(|op| state.apply(op));
        let context = format!("the process crashes after step {done}");
        let then = go_on(&state, &promised, &context);
        count += 1 + crash_again(start, log, &then, &promised, &context);
    }
    count
}

/// The machine crashes while the steps `then` follow on `before`.
fn crash_again(start: &State, before: &[Op], then: &[Op], promised: &[EventId], context: &str) -> usize {
    let mut count = 0;
    for done in 0..=then.len() {
        let log = [before, &then[..done]].concat();
        let promised = [promised, &acknowledged(&then[..done])].concat();
        for state in crash_states(start, &log, 9) {
            let context = format!("{context}; then after step {done}");
            if before.is_empty() {
                // What was on the disk before it was cut off is in one of the two files.
                let rest = rest(&start.ledger, &state.ledger);
                let is_kept = rest.is_empty() || state.kept.windows(rest.len()).any(|bytes| bytes == rest);
                assert!(is_kept, "{context}: bytes are lost");
            }
            go_on(&state, &promised, &context);
            count += 1;
        }
    }
    count
}

/// Less than the ledgers of the test have, and more than a crash damages there.
const NEAR: Reach = Reach { verified: 1000, piece: 97 };

/// A ledger with this many events, all durable.
fn ledger_of(events: usize) -> State {
    let mut model = Model::new(State::default());
    let batch: Vec<&str> = EVENTS.iter().copied().cycle().take(events).collect();
    append(&mut model, &[&batch]).unwrap_or_else(|error| panic!("{error}"));
    State { has_entry: true, ..model.state }
}

#[test]
fn no_crash_loses_an_acknowledged_event_or_a_byte() {
    let mut count = 0;
    for start in [State::default(), ledger_of(1), ledger_of(3)] {
        count += crash_everywhere(&start, &[&EVENTS[..1], &EVENTS], 1, 151);
    }
    // The last event has no line feed.
    let mut open_ended = ledger_of(2);
    open_ended.ledger.pop();
    count += crash_everywhere(&open_ended, &[&EVENTS[..2]], 1, 151);
    // More than two blocks of 4096 bytes.
    let long: Vec<&str> = EVENTS.iter().copied().cycle().take(70).collect();
    for start in [State::default(), ledger_of(3)] {
        count += crash_everywhere(&start, &[&long], 97, 101);
    }
    println!("{count} states");
    assert!(count > 10_000, "{count}");
}

/// What is read of the end has to grow until it has the last event and the one before it.
#[test]
fn no_crash_loses_an_event_behind_more_than_is_read_at_once() {
    let long = format!(r#"{{"event":"noted","entity":"order","key":"{}"}}"#, "k".repeat(3000));
    let mut model = Model::new(State { reach: NEAR, ..State::default() });
    append(&mut model, &[&[&long, EVENTS[0], &long]]).unwrap_or_else(|error| panic!("{error}"));
    let start = State { has_entry: true, ..model.state };
    let mut count = 0;
    for tail in [&b""[..], &b"\n".repeat(2500), &b" \r\n\t".repeat(700), &[0; 2500], &b" ".repeat(2500)] {
        let mut start = start.clone();
        start.ledger.extend(tail);
        count += crash_everywhere(&start, &[&EVENTS[..1], &EVENTS], 41, 499);
        // Removes the line feed of the last event. The tail may have another line feed.
        start.ledger.remove(start.ledger.len() - tail.len() - 1);
        count += crash_everywhere(&start, &[&EVENTS[..1]], 41, 499);
    }
    count += crash_everywhere(&start, &[&[EVENTS[1], &long], &[&long]], 41, 499);
    println!("{count} states");
    assert!(count > 1000, "{count}");
}

/// The model finds the error that it is made for: a program that acknowledges before it syncs loses events.
#[test]
fn the_model_notices_a_sync_that_is_missing() {
    let mut model = Model::new(State::default());
    append(&mut model, &[&EVENTS]).unwrap_or_else(|error| panic!("{error}"));
    for missing in [|op: &Op| matches!(op, Op::Sync), |op: &Op| matches!(op, Op::SyncDirectory)] {
        let log: Vec<Op> = model.log.iter().filter(|op| !missing(op)).cloned().collect();
        let states = crash_states(&State::default(), &log, 1);
        let ids = acknowledged(&log);
        let has_lost = |state: &State| {
            let text = String::from_utf8_lossy(&state.ledger);
            ids.iter().any(|id| !text.contains(&id.to_string()))
        };
        assert!(states.iter().any(has_lost));
    }
    assert!(
        crash_states(&State::default(), &model.log, 1)
            .iter()
            .all(|state| *state == State { has_entry: true, has_kept_entry: true, ..model.state.clone() })
    );
}

/// A file that is renamed while a batch is written: the batch is not acknowledged, and does not stay in the renamed file.
#[test]
fn a_batch_that_is_written_to_a_renamed_file_is_taken_back() {
    let start = ledger_of(2);
    let mut model = Model::new(start.clone());
    append(&mut model, &[&EVENTS]).unwrap_or_else(|error| panic!("{error}"));
    let steps = model.log.len() - 1;
    for renamed_after in 0..=steps {
        let mut model = Model { renamed_after, ..Model::new(start.clone()) };
        let failure = append(&mut model, &[&EVENTS]).err().map(|failure| failure.to_string());
        assert_eq!(failure.as_deref(), Some("renamed"), "after {renamed_after} of {steps} steps");
        assert!(model.state == start, "after {renamed_after} of {steps} steps");
        assert!(model.log.is_empty() || matches!(model.log[..], [.., Op::SetLen(_), Op::Sync]));
    }
}
