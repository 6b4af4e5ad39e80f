//! `sortid new SPEC --at -`: an ID for each time of standard input.

use super::specs::printed;
use crate::{
    failure::Failure,
    lines::{Line, Lines},
    output::Output,
    progress,
    spec::{Describe, DescribeOptions},
    stderr,
    time::{self, Time, seconds},
    verdict::Verdict,
};
use sortid::{__private::BackfillObstacle, BackfillError, GenerateError, SortableId as _, ThreadEntropy};
use sortid_core::{Backfill, BackfillRules};
use sortid_inspect::{__private::program::Format, Prefix};
use std::{fmt::Display, path::Path, time::Duration};

/// What the command line asks for with `--at -`, whichever the specification.
pub(super) struct GivenTimes<'a> {
    pub(super) command: String,
    pub(super) format: Format,
    pub(super) prefix: Option<Prefix>,
    pub(super) spill: Option<Duration>,
    pub(super) ascending: bool,
    /// Whether each ID is made from the one before, so that the times have to ascend.
    pub(super) is_chain: bool,
    pub(super) after: &'a Option<String>,
    pub(super) verdict: &'a mut Verdict,
}

impl GivenTimes<'_> {
    pub(super) fn usage(&self, message: impl Display) -> Failure {
        Failure::usage(&self.command, message)
    }

    /// The ID to continue after, in the form in which IDs are printed, or as text.
    pub(super) fn after<I: Describe>(&self) -> Result<Option<I>, Failure> {
        let Some(text) = self.after else { return Ok(None) };
        if let Format::Form(form) = self.format
            && form.suits(I::NAME, I::BYTES).is_ok()
            && let Some(read) = form.reader()
        {
            let mut room = [0; 20];
            let bytes = &mut room[..I::BYTES];
            if read(text.as_bytes(), bytes).is_ok()
                && let Ok(id) = I::try_from_bytes(bytes)
            {
                return Ok(Some(id));
            }
        }
        let bare = self.prefix.and_then(|prefix| text.strip_prefix(prefix.start())).unwrap_or(text);
        I::parse_ascii(bare.as_bytes()).map(Some).map_err(|error| match self.format {
            Format::Form(form) if form.reader().is_some() => self.usage(format_args!(
                "--after is neither an ID in the form {} nor its text: {error}",
                form.name()
            )),
            _ => self.usage(format_args!("--after: {error}")),
        })
    }

    /// Prints an ID for each line.
    pub(super) fn generate<R: BackfillRules<Id: Describe>>(
        self,
        rules: R,
        options: DescribeOptions,
    ) -> Result<(), Failure> {
        let mut ids = Backfill::from_parts(rules, ThreadEntropy);
        if let Some(spill) = self.spill {
            ids = ids.spill(spill);
        }
        if self.ascending {
            ids = ids.ascending();
        }
        let mut last = self.after()?;
        if let Some(id) = last {
            ids.resume_after(id).map_err(|error| self.usage(format_args!("--after: {error}")))?;
        }
        self.format.suits(R::Id::NAME, R::Id::BYTES).map_err(|error| self.usage(error))?;
        print(self.format, options, self.is_chain, self.verdict, |time| {
            let id = printed(ids.generate(time)?, last);
            last = Some(id);
            Ok(id)
        })
    }
}

/// Prints an ID for each line. Stops at the first line that is not a time, or whose time has no ID.
///
/// The IDs of the lines that are in memory are printed before it waits for more. `is_chain` says that the specification
/// needs ascending times.
fn print<I: Describe>(
    format: Format,
    options: DescribeOptions,
    is_chain: bool,
    verdict: &mut Verdict,
    mut generate: impl FnMut(Time) -> Result<I, BackfillError>,
) -> Result<(), Failure> {
    let progress = progress::of_filter(&["-"]);
    let mut is_warned = false;
    let mut answer = |line: &Line, number: u64, out: &mut Vec<u8>| {
        let time = time::read_line(line.bytes(), |warning| {
            if !is_warned {
                progress.suspend(|| {
                    stderr::print_line(format_args!("warning: line {number}: {warning}"));
                });
                is_warned = true;
            }
        });
        let id = time
            .map_err(Refusal::Line)
            .and_then(|time| generate(time).map_err(|error| Refusal::new(&error, is_chain)))?;
        format.push(id.as_ref(), |out| id.push_text(&options, out), || id.describe(&options), out);
        Ok(())
    };

    let mut lines = Lines::of_path(Path::new("-"), "times", &progress)?;
    let mut output = if format == Format::Bytes { Output::of_bytes(I::BYTES) } else { Output::of_lines() }?;
    let mut out = Vec::new();
    let mut line = Line::default();
    let mut number = 0;
    while lines.read(&mut line).map_err(|error| Failure::read("standard input", error))? {
        number += 1;
        let mut result = answer(&line, number, &mut out);
        let whole = lines.whole();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', whole) {
            if result.is_err() {
                break;
            }
            number += 1;
            line.set(&whole[start..end]);
            result = answer(&line, number, &mut out);
            start = end + 1;
        }
        let used = whole.len();
        lines.consume(used);
        output.write(&out)?;
        out.clear();
        match result {
            Ok(()) => {}
            Err(Refusal::Line(message)) => {
                progress.suspend(|| {
                    stderr::print_line(format_args!("line {number}: {message}: {}", line.quoted()));
                });
                *verdict = Verdict::Invalid;
                break;
            }
            Err(Refusal::Failure(failure)) => return Err(failure),
        }
    }
    Ok(())
}

/// Why there is no ID for a line.
enum Refusal {
    /// The line is wrong.
    Line(String),
    /// No ID can be made for any line.
    Failure(Failure),
}

impl Refusal {
    fn new(error: &BackfillError, is_chain: bool) -> Self {
        Self::Line(match *error.obstacle() {
            BackfillObstacle::Full { is_end: true, .. } => {
                "no ID is left from this time on: make the times differ".to_owned()
            }
            BackfillObstacle::Full { capacity, spill: 0, .. } => format!(
                "no ID is left for this time, which has room for at least {capacity}: let IDs be later with --spill SECONDS, or make the times differ"
            ),
            BackfillObstacle::Full { spill, .. } => format!(
                "no ID is left for this time, or up to {} later: raise --spill, or make the times differ",
                seconds(spill)
            ),
            BackfillObstacle::Descending { by, last, is_resumed } => {
                let (by, last) = (seconds(by), Time::from_unix_micros(last));
                let (before, advice) = match (is_resumed, is_chain) {
                    (true, _) => {
                        ("that of --after", "leave out the lines that have IDs, or give the same --spill")
                    }
                    (false, true) => ("the last one", "sort the lines"),
                    (false, false) => ("the last one", "sort the lines, or leave --ascending out"),
                };
                format!("this time is {by} before {before}, expected {last} or later: {advice}")
            }
            BackfillObstacle::OutOfRange { first, last } => {
                let [first, last] = [first, last].map(Time::from_unix_micros);
                format!("no ID has this time: timestamps range from {first} to {last}")
            }
            BackfillObstacle::Entropy(error) => {
                return Self::Failure(GenerateError::from(error).into());
            }
            BackfillObstacle::NoTime => error.to_string(),
        })
    }
}

/// Reads seconds with up to six digits after the point.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let micros = (is_digits(whole) && is_digits(fraction) && fraction.len() <= 6)
        .then(|| Some((whole.parse().ok()?, format!("{fraction:0<6}").parse().ok()?)))
        .flatten();
    match micros {
        Some((whole, micros)) => Ok(Duration::from_secs(whole) + Duration::from_micros(micros)),
        None => {
            Err("expected seconds, such as 10 or 0.005, with up to six digits after the point".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_seconds;
    use crate::time::seconds;

    #[test]
    fn seconds_have_up_to_six_digits_after_the_point() {
        for (text, micros) in [("0", 0), ("10", 10_000_000), ("0.005", 5000), ("1.000999", 1_000_999)] {
            assert_eq!(parse_seconds(text).unwrap().as_micros(), micros);
            assert_eq!(seconds(micros as u64), format!("{text} s"));
        }
        for text in ["", ".", ".5", "5.", "-1", "+1", "1e3", "0.0000001", "5 ms", "18446744073709551616"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
        assert!(parse_seconds("18446744073709551615.999999").is_ok());
    }
}
