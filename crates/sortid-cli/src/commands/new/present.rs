//! `sortid new SPEC`: IDs of now, or of one given time.

use super::specs::printed;
use crate::{
    clock::Clock,
    failure::Failure,
    output::Output,
    spec::{Describe, DescribeOptions},
    stderr,
    time::Time,
};
use sortid::{GenerateError, GenerateErrorKind, SortableId, ThreadEntropy};
use sortid_core::{BackfillRules, Generator};
use sortid_inspect::{__private::program::Format, Prefix};
use std::{fmt::Display, io, time::Duration};

/// What the command line asks for, whichever the specification.
pub(super) struct Present {
    pub(super) command: String,
    pub(super) count: u64,
    pub(super) format: Format,
    pub(super) prefix: Option<Prefix>,
    pub(super) at: Option<Time>,
}

impl Present {
    pub(super) fn usage(&self, message: impl Display) -> Failure {
        Failure::usage(&self.command, message)
    }

    /// Whether the IDs can be printed so.
    pub(super) fn suits<I: Describe>(&self) -> Result<(), Failure> {
        self.format.suits(I::NAME, I::BYTES).map_err(|error| self.usage(error))
    }

    /// Prints the IDs of a generator.
    pub(super) fn generate<R: BackfillRules<Id: Describe>>(
        &self,
        rules: R,
        options: DescribeOptions,
    ) -> Result<(), Failure> {
        let spill = rules.backfill_spill();
        let clock = self.at.map_or(Clock::System, Clock::Fixed);
        let ids = Generator::from_parts(rules, clock, ThreadEntropy);
        let mut last = None;
        let fill = |batch: &mut [R::Id]| {
            let filled = ids.fill(batch);
            for id in batch.iter_mut().take_while(|id| **id != <R::Id as SortableId>::MIN) {
                *id = printed(*id, last);
                last = Some(*id);
            }
            filled
        };
        self.print(options, spill, || ids.resets(), fill)
    }

    /// Prints the IDs. `fill` makes them, and `resets` counts how often the generator was reset to an earlier time, because
    /// the clock was set back. The IDs of a given time may be later by `spill`, as with `--at -`.
    pub(super) fn print<I: Describe>(
        &self,
        options: DescribeOptions,
        spill: Duration,
        resets: impl Fn() -> u16,
        mut fill: impl FnMut(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        const BATCH: usize = 1024;

        self.suits::<I>()?;
        if let Some(at) = self.at {
            return self.print_at(at, options, spill, fill);
        }
        let mut out = self.output::<I>()?;
        let mut ids = [I::MIN; BATCH];
        let mut buffer = Vec::new();
        let mut left = self.count;
        let mut resets_reported = 0;
        while left > 0 {
            let batch = &mut ids[..usize::try_from(left).unwrap_or(BATCH).min(BATCH)];
            batch.fill(I::MIN);
            let filled = fill(batch);
            // After an error, the first IDs of the batch are those that were made.
            let made = match &filled {
                Ok(()) => batch.len(),
                Err(_) => batch.iter().take_while(|&&id| id != I::MIN).count(),
            };
            buffer.clear();
            for id in &batch[..made] {
                self.push(id, &options, &mut buffer);
            }
            out.write(&buffer)?;
            left -= made as u64;
            if let Err(error) = filled {
                if self.count > 1 {
                    let made = self.count - left;
                    stderr::print_line(format_args!("made {made} of {} IDs", self.count));
                }
                return Err(error.into());
            }
            if resets() != resets_reported {
                resets_reported = resets();
                let made = self.count - left;
                stderr::print_line(format_args!(
                    "warning: the clock was set back: the first {made} IDs are not all in order"
                ));
            }
        }
        Ok(())
    }

    fn output<I: Describe>(&self) -> io::Result<Output> {
        if self.format == Format::Bytes { Output::of_bytes(I::BYTES) } else { Output::of_lines() }
    }

    /// Prints IDs of a given time. They come one by one, because a generator may move on to later times.
    fn print_at<I: Describe>(
        &self,
        at: Time,
        options: DescribeOptions,
        spill: Duration,
        mut fill: impl FnMut(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        let last = at.unix_micros() + i128::try_from(spill.as_micros()).unwrap_or(i128::MAX);
        let mut out = self.output::<I>()?;
        let mut buffer = Vec::new();
        for made in 0..self.count {
            let mut id = [I::MIN];
            let failure = match fill(&mut id) {
                Ok(()) if id[0].unix_micros().is_some_and(|micros| i128::from(micros) > last) => {
                    Some(Failure::UsedUp { at, made })
                }
                Ok(()) => None,
                Err(error) if error.kind() == GenerateErrorKind::Exhausted => {
                    Some(Failure::UsedUp { at, made })
                }
                Err(error) => Some(error.into()),
            };
            if let Some(failure) = failure {
                out.write(&buffer)?;
                return Err(failure);
            }
            self.push(&id[0], &options, &mut buffer);
            if buffer.len() >= 1 << 15 {
                out.write(&buffer)?;
                buffer.clear();
            }
        }
        Ok(out.write(&buffer)?)
    }

    fn push<I: Describe>(&self, id: &I, options: &DescribeOptions, out: &mut Vec<u8>) {
        self.format.push(id.as_ref(), |out| id.push_text(options, out), || id.describe(options), out);
    }
}
