//! Answers lines of input on all cores and prints the answers in the order of the lines.

use crate::{
    failure::Failure,
    lines::{self, Line, Lines},
    verdict::Verdict,
};
use rayon::{
    ThreadPool, ThreadPoolBuilder,
    iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _},
};
use std::{
    cell::OnceCell,
    ffi::OsString,
    io::{self, Read, Write as _},
};

/// How many bytes of lines a thread should get at least: handing over fewer takes longer than answering them.
const WORTH_A_THREAD: usize = 1 << 14;

/// How many bytes of memory are kept after the answer to a huge line.
const KEPT: usize = 1 << 20;

/// The output for some lines.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    /// How many lines were invalid.
    pub(crate) invalid: u64,
}

/// Answers a line, given its number.
pub(crate) trait Answer: Fn(&Line, u64, &mut Answers) -> io::Result<()> + Sync {}

impl<F: Fn(&Line, u64, &mut Answers) -> io::Result<()> + Sync> Answer for F {}

/// Prints the answers.
pub(crate) struct Printer<'a> {
    verdict: &'a mut Verdict,
    pub(crate) invalid: u64,
    room: Vec<Answers>,
    pool: OnceCell<Option<ThreadPool>>,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(verdict: &'a mut Verdict) -> Self {
        Self { verdict, invalid: 0, room: vec![Answers::default()], pool: OnceCell::new() }
    }

    /// Answers the IDs of the command line; `-` stands for the lines of standard input, as does the lack of any ID.
    /// `answer` gets a line's number in standard input; `None` for an argument. The first answer is told to be the first.
    pub(crate) fn ids(
        &mut self,
        command: &'static str,
        ids: &[OsString],
        answer: impl Fn(&Line, Option<u64>, bool, &mut Answers) -> io::Result<()> + Sync,
    ) -> Result<(), Failure> {
        lines::stdin_at_most_once(command, ids)?;
        let stdin = [OsString::from("-")];
        let mut is_first = true;
        for id in if ids.is_empty() { &stdin } else { ids } {
            if id == "-" {
                let answer = |line: &Line, number, answers: &mut Answers| {
                    answer(line, Some(number), is_first && number == 1, answers)
                };
                let count = self.lines("standard input", Lines::of_stdin("IDs"), &answer)?;
                is_first &= count == 0;
            } else {
                let answer = |line: &Line, _, answers: &mut Answers| answer(line, None, is_first, answers);
                self.one(&Line::new(id.as_encoded_bytes().to_vec()), 1, &answer)?;
                is_first = false;
            }
        }
        Ok(())
    }

    /// Answers all lines and returns their number. Answers the lines that are in memory before it waits for more.
    pub(crate) fn lines<R: Read>(
        &mut self,
        source: &str,
        mut lines: Lines<R>,
        answer: &impl Answer,
    ) -> Result<u64, Failure> {
        let mut line = Line::default();
        let mut count = 0;
        while lines.read(&mut line).map_err(|error| Failure::read(source, error))? {
            count += 1;
            self.one(&line, count, answer)?;
            let whole = lines.whole();
            count += self.batch(whole, count + 1, answer)?;
            let used = whole.len();
            lines.consume(used);
        }
        Ok(count)
    }

    fn one(&mut self, line: &Line, number: u64, answer: &impl Answer) -> Result<(), Failure> {
        answer(line, number, &mut self.room[0])?;
        self.print(1)
    }

    /// Answers lines, numbered from `first`, and returns how many there are.
    fn batch(&mut self, lines: &[u8], first: u64, answer: &impl Answer) -> Result<u64, Failure> {
        let threads = (lines.len() / WORTH_A_THREAD).min(rayon::current_num_threads());
        // If threads cannot be started, one has to do.
        let pool = (threads > 1).then(|| self.pool.get_or_init(|| ThreadPoolBuilder::new().build().ok()));
        let Some(Some(pool)) = pool else {
            let count = answer_all(lines, first, answer, &mut self.room[0])?;
            self.print(1)?;
            return Ok(count);
        };
        // Two pieces for each thread, since one can be slower than another.
        let mut number = first;
        let pieces: Vec<_> = pieces(lines, 2 * threads)
            .map(|piece| {
                let first = number;
                number += memchr::memchr_iter(b'\n', piece).count() as u64;
                (piece, first)
            })
            .collect();
        self.room.resize_with(self.room.len().max(pieces.len()), Answers::default);
        pool.install(|| {
            self.room.par_iter_mut().zip(&pieces).try_for_each(|(answers, &(piece, first))| {
                answer_all(piece, first, answer, answers).map(drop)
            })
        })?;
        self.print(pieces.len())?;
        Ok(number - first)
    }

    /// Prints the first `count` answers and empties them.
    fn print(&mut self, count: usize) -> Result<(), Failure> {
        let room = &mut self.room[..count];
        let invalid: u64 = room.iter().map(|answers| answers.invalid).sum();
        self.invalid += invalid;
        if invalid > 0 {
            *self.verdict = Verdict::Invalid;
        }
        let mut out = io::stdout().lock();
        for Answers { out: answers, err, invalid } in room {
            out.write_all(answers)?;
            if !err.is_empty() {
                out.flush()?;
                // A failure is ignored: no other place is left to report it.
                let _ = io::stderr().write_all(err);
            }
            for bytes in [answers, err] {
                bytes.clear();
                bytes.shrink_to(KEPT);
            }
            *invalid = 0;
        }
        Ok(out.flush()?)
    }
}

fn answer_all(lines: &[u8], first: u64, answer: &impl Answer, answers: &mut Answers) -> io::Result<u64> {
    let mut line = Line::default();
    let (mut start, mut number) = (0, first);
    for end in memchr::memchr_iter(b'\n', lines) {
        line.set(&lines[start..end]);
        answer(&line, number, answers)?;
        start = end + 1;
        number += 1;
    }
    Ok(number - first)
}

/// Divides lines into at most `count` pieces of whole lines, of about the same length.
fn pieces(mut lines: &[u8], count: usize) -> impl Iterator<Item = &[u8]> {
    let len = lines.len().div_ceil(count).max(1);
    std::iter::from_fn(move || {
        let at = len.min(lines.len());
        let end = memchr::memchr(b'\n', &lines[at..]).map_or(lines.len(), |found| at + found + 1);
        let piece = lines.split_off(..end)?;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::{answer_all, pieces};
    use crate::answers::Answers;
    use std::io::Write as _;

    #[test]
    fn pieces_are_whole_lines_in_their_order() {
        for (lines, count) in
            [("", 3), ("\n", 3), ("\n\n\n\n\n", 2), ("a\nbb\nccc\ndddd\n", 2), ("a\nbb\nccc\n", 100)]
        {
            let pieces: Vec<_> = pieces(lines.as_bytes(), count).collect();
            assert!(pieces.len() <= count, "{pieces:?}");
            assert!(pieces.iter().all(|piece| piece.ends_with(b"\n")), "{pieces:?}");
            assert_eq!(pieces.concat(), lines.as_bytes());
        }
    }

    #[test]
    fn lines_are_numbered_on_and_lose_their_endings() {
        let mut answers = Answers::default();
        let count = answer_all(
            b"a\n\r\nb\r\n",
            7,
            &|line: &crate::lines::Line, number, answers: &mut Answers| {
                write!(answers.out, "{number}{:?} ", line.lossy())
            },
            &mut answers,
        );
        assert_eq!((count.unwrap(), &*answers.out), (3, &b"7\"a\" 8\"\" 9\"b\" "[..]));
    }
}
