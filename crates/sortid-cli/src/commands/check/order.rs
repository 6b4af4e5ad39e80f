//! Compares each ID with the one before it, and keeps IDs that have to be compared with all others.

// `--sorted` compares neighbours within each piece of the input. A piece begins with the last valid ID before it,
// which it reads itself, so no piece waits for another. `--unique` needs no more while the IDs ascend, because equal
// IDs are then neighbours. From the first ID out of order on, it keeps the IDs of the rest, and reads the beginning
// once more to keep its IDs. A pipe cannot be read twice, so all of its IDs are kept. They are sorted outside of
// memory, and so are the duplicates, which are printed in the order of their lines (`sorter.rs`).

use super::{Args, fault, fault::Inputs, read, seen::Seen, sorter::Sorter};
use crate::{
    answers::{Answer, Answers, Threads},
    counts::Counts,
    failure::Failure,
    lines::Line,
};
use sortid::{AnyId, Clock as _, SystemClock};
use sortid_inspect::{__private::reading, Form};
use std::{
    cmp::Ordering,
    io, mem,
    path::{Path, PathBuf},
};

/// Checks the lines of all inputs. Lines are numbered from the first input to the last.
pub(super) struct Check<'a> {
    pub(super) args: &'a Args,
    pub(super) inputs: Inputs<'a>,
    /// How many lines the inputs before this one have, and how many of them should have an ID.
    pub(super) lines: u64,
    pub(super) ids: u64,
    /// The last valid ID and its line.
    before: Option<(AnyId, u64)>,
    pub(super) tally: Tally,
    /// The first line that is not an ID.
    pub(super) first_invalid: Option<Vec<u8>>,
    /// The IDs that have to be compared with all others: the IDs of all lines, or of the lines after the first
    /// `uncollected` ones, whose IDs are sorted.
    pub(super) seen: Sorter<Seen>,
    collects: bool,
    uncollected: u64,
    /// Whether the first `uncollected` lines are read once more, to collect their IDs.
    is_again: bool,
    /// The last line that was answered.
    last: u64,
}

/// What is counted.
#[derive(Default)]
pub(super) struct Tally {
    /// How many IDs have each form.
    pub(super) forms: Counts,
    /// How many IDs have another form than text, and a time before 2000 or after 2099.
    pub(super) implausible: u64,
    /// How many of the others have a time that is yet to come.
    pub(super) future: u64,
    /// How many lines contain an ID and other text.
    pub(super) wrapped: u64,
    pub(super) out_of_order: u64,
    pub(super) duplicates: u64,
}

impl Tally {
    /// Adds the others, and sets them to 0.
    fn append(&mut self, others: &mut Self) {
        let others = mem::take(others);
        self.forms.append(others.forms);
        self.implausible += others.implausible;
        self.future += others.future;
        self.wrapped += others.wrapped;
        self.out_of_order += others.out_of_order;
        self.duplicates += others.duplicates;
    }
}

/// What a piece of the input knows and finds.
#[derive(Default)]
pub(super) struct Memory {
    before: Option<(AnyId, u64)>,
    tally: Tally,
    /// A time shortly after the last look at the clock, in microseconds since 1970.
    soon: u64,
    first_invalid: Option<Vec<u8>>,
    collects: bool,
    seen: Vec<Seen>,
    last: u64,
}

impl Memory {
    /// Whether a time is more than a minute from now: the clocks of others may be ahead, and so may their generators.
    fn is_future(&mut self, time: u64) -> bool {
        if time > self.soon {
            self.soon = SystemClock.unix_micros().unwrap_or(u64::MAX).saturating_add(60_000_000);
        }
        time > self.soon
    }
}

impl<'a> Check<'a> {
    pub(super) fn new(args: &'a Args, files: &[PathBuf]) -> Self {
        let is_file =
            |path: &PathBuf| path.metadata().is_ok_and(|it| it.is_file()) && *path != Path::new("-");
        Self {
            args,
            inputs: Inputs::default(),
            lines: 0,
            ids: 0,
            before: None,
            tally: Tally::default(),
            first_invalid: None,
            // The rest of the memory is for the duplicates that are found.
            seen: Sorter::new(args.memory() / 4 * 3),
            collects: args.unique && !args.sorted && !files.iter().all(is_file),
            uncollected: 0,
            is_again: false,
            last: 0,
        }
    }

    /// Whether lines have to be read once more, because IDs after them are out of order. The inputs are to be read from
    /// the first one on, until the check is done.
    pub(super) fn begin_again(&mut self) -> bool {
        self.is_again = self.collects && self.uncollected > 0;
        (self.lines, self.last, self.before) = (0, 0, None);
        self.is_again
    }
}

impl Answer for Check<'_> {
    type Memory = Memory;

    fn begin<'a>(&self, before: impl Iterator<Item = (&'a [u8], u64)>, first: u64, memory: &mut Memory) {
        memory.before = self.before;
        memory.collects = self.collects;
        memory.last = self.lines + first - 1;
        if !self.args.sorted && !self.args.unique {
            return;
        }
        let mut line = Line::default();
        for (bytes, number) in before {
            line.set_field(bytes);
            if let Ok(found) = read(self.args, &line) {
                memory.before = Some((found.id, self.lines + number));
                return;
            }
        }
    }

    fn answer(&self, line: &Line, number: u64, memory: &mut Memory, answers: &mut Answers) -> io::Result<()> {
        let args = self.args;
        let number = self.lines + number;
        memory.last = number;
        if self.is_again && number > self.uncollected {
            return Ok(());
        }
        if let Some(fault) = line.row_fault() {
            if self.is_again {
                return Ok(());
            }
            answers.invalid += 1;
            return fault::write_row(args, self.inputs.place(number), line, fault, &mut answers.out);
        }
        let found = match read(args, line) {
            Ok(found) => found,
            Err(_) if self.is_again => return Ok(()),
            Err(refusal) => {
                answers.invalid += 1;
                memory.tally.wrapped += u64::from(refusal.inner.is_some());
                if self.first_invalid.is_none() && memory.first_invalid.is_none() {
                    memory.first_invalid = Some(line.bytes().to_vec());
                }
                return fault::write_invalid(
                    args,
                    self.inputs.place(number),
                    line,
                    &refusal,
                    &mut answers.out,
                );
            }
        };
        let id = found.id;
        if !self.is_again {
            memory.tally.forms.add(&found);
            if let Some(time) = id.unix_micros() {
                if found.form != Form::Text && !reading::is_plausible(id) {
                    memory.tally.implausible += 1;
                } else if memory.is_future(time) {
                    memory.tally.future += 1;
                }
            }
        }
        if !args.sorted && !args.unique {
            return Ok(());
        }
        let (order, before) = match memory.before.replace((id, number)) {
            Some(before) => (id.cmp(&before.0), before),
            None => (Ordering::Greater, (id, number)),
        };
        // An ID that equals its neighbour is kept once.
        if memory.collects && order.is_ne() {
            memory.seen.push(Seen::new(&id, number));
        }
        if self.is_again {
            return Ok(());
        }
        let places = || [number, before.1].map(|line| self.inputs.place(line));
        match order {
            Ordering::Less => {
                memory.tally.out_of_order += 1;
                if args.sorted {
                    answers.faults += 1;
                    fault::write_disorder(args, places(), [id, before.0], line, &mut answers.out)?;
                }
            }
            Ordering::Equal if args.unique => {
                memory.tally.duplicates += 1;
                answers.faults += 1;
                fault::write_duplicate(args, places(), line, &mut answers.out)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, memory: &mut Memory, threads: &Threads) -> Result<(), Failure> {
        self.before = memory.before;
        self.last = memory.last;
        self.tally.append(&mut memory.tally);
        let first_invalid = memory.first_invalid.take();
        self.first_invalid = self.first_invalid.take().or(first_invalid);
        if memory.collects {
            self.seen.add(&memory.seen, threads)?;
            memory.seen.clear();
        } else {
            self.uncollected = memory.last;
            self.collects = self.args.unique && !self.args.sorted && self.tally.out_of_order > 0;
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_again && self.last >= self.uncollected
    }
}
