//! Answers lines of input on all cores and prints the answers in the order of the lines.

use crate::{
    failure::Failure,
    lines::{self, Line, Lines},
    progress,
    verdict::Verdict,
};
use indicatif::ProgressBar;
use rayon::{
    ThreadPool, ThreadPoolBuilder,
    iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _},
};
use std::{
    cell::OnceCell,
    ffi::OsString,
    io::{self, IsTerminal as _, Read, Write as _},
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
    /// How many other faults there are: in what the lines are together.
    pub(crate) faults: u64,
}

/// Answers lines. The input is cut into pieces, which are answered in parallel.
///
/// A function of a line, its number and the output is the plainest one.
pub(crate) trait Answer: Sync {
    /// What the answer to a line needs to know of the lines before it, and what a piece leaves behind.
    type Memory: Default + Send;

    /// Prepares the memory for a piece, whose first line has the number `first`. `before` is the lines that are answered at
    /// the same time, in pieces before this one.
    fn begin(&self, _before: &[u8], _first: u64, _memory: &mut Self::Memory) {}

    /// Answers a line, given its number.
    fn answer(
        &self,
        line: &Line,
        number: u64,
        memory: &mut Self::Memory,
        answers: &mut Answers,
    ) -> io::Result<()>;

    /// Takes what a piece left behind, in the order of the pieces, after its answers are printed.
    fn end(&mut self, _memory: &mut Self::Memory, _threads: &Threads) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether the rest of the input does not matter.
    fn is_done(&self) -> bool {
        false
    }
}

impl<F: Fn(&Line, u64, &mut Answers) -> io::Result<()> + Sync> Answer for F {
    type Memory = ();

    fn answer(&self, line: &Line, number: u64, (): &mut (), answers: &mut Answers) -> io::Result<()> {
        self(line, number, answers)
    }
}

/// Threads that are started when they are needed.
#[derive(Default)]
pub(crate) struct Threads(OnceCell<Option<ThreadPool>>);

impl Threads {
    /// `None` if threads cannot be started: one has to do.
    pub(crate) fn pool(&self) -> Option<&ThreadPool> {
        self.0.get_or_init(|| ThreadPoolBuilder::new().build().ok()).as_ref()
    }
}

/// Prints the answers.
pub(crate) struct Printer<'a> {
    verdict: &'a mut Verdict,
    pub(crate) invalid: u64,
    room: Vec<Answers>,
    pub(crate) threads: Threads,
    progress: ProgressBar,
    /// Whether the output appears where the progress does.
    is_terminal: bool,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(verdict: &'a mut Verdict) -> Self {
        Self::with_progress(verdict, ProgressBar::hidden())
    }

    pub(crate) fn with_progress(verdict: &'a mut Verdict, progress: ProgressBar) -> Self {
        Self {
            verdict,
            invalid: 0,
            room: vec![],
            threads: Threads::default(),
            progress,
            is_terminal: io::stdout().is_terminal(),
        }
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
        if ids.is_empty() || ids.contains(&stdin[0]) {
            self.progress = progress::of_filter(&stdin);
        }
        let mut is_first = true;
        for id in if ids.is_empty() { &stdin } else { ids } {
            if id == "-" {
                let mut answer = |line: &Line, number, answers: &mut Answers| {
                    answer(line, Some(number), is_first && number == 1, answers)
                };
                let lines = Lines::of_stdin("IDs", &self.progress);
                let count = self.lines("standard input", lines, &mut answer)?;
                is_first &= count == 0;
            } else {
                let mut answer =
                    |line: &Line, _, answers: &mut Answers| answer(line, None, is_first, answers);
                self.one(&Line::new(id.as_encoded_bytes().to_vec()), 1, &mut answer, &mut vec![])?;
                is_first = false;
            }
        }
        Ok(())
    }

    /// Answers all lines and returns their number. Answers the lines that are in memory before it waits for more.
    pub(crate) fn lines<R: Read, A: Answer>(
        &mut self,
        source: &str,
        mut lines: Lines<R>,
        answer: &mut A,
    ) -> Result<u64, Failure> {
        let mut line = Line::default();
        let mut memories = vec![];
        let mut count = 0;
        while !answer.is_done() && lines.read(&mut line).map_err(|error| Failure::read(source, error))? {
            count += 1;
            self.one(&line, count, answer, &mut memories)?;
            let whole = lines.whole();
            count += self.batch(whole, count + 1, answer, &mut memories)?;
            let used = whole.len();
            lines.consume(used);
        }
        Ok(count)
    }

    fn one<A: Answer>(
        &mut self,
        line: &Line,
        number: u64,
        answer: &mut A,
        memories: &mut Vec<A::Memory>,
    ) -> Result<(), Failure> {
        make_room(1, &mut self.room);
        make_room(1, memories);
        answer.begin(&[], number, &mut memories[0]);
        answer.answer(line, number, &mut memories[0], &mut self.room[0])?;
        self.print(&mut memories[..1], answer)
    }

    /// Answers lines, numbered from `first`, and returns how many there are.
    fn batch<A: Answer>(
        &mut self,
        lines: &[u8],
        first: u64,
        answer: &mut A,
        memories: &mut Vec<A::Memory>,
    ) -> Result<u64, Failure> {
        let threads = lines.len() / WORTH_A_THREAD;
        let pool = if threads > 1 { self.threads.pool() } else { None };
        let Some(pool) = pool.filter(|pool| pool.current_num_threads() > 1) else {
            let memory = &mut memories[0];
            answer.begin(&[], first, memory);
            let count = answer_all(lines, first, answer, memory, &mut self.room[0])?;
            self.print(&mut memories[..1], answer)?;
            return Ok(count);
        };
        let threads = threads.min(pool.current_num_threads());
        // Two pieces for each thread, since one can be slower than another.
        let (mut start, mut number) = (0, first);
        let pieces: Vec<_> = pieces(lines, 2 * threads)
            .map(|piece| {
                let place = (&lines[..start], piece, number);
                start += piece.len();
                number += memchr::memchr_iter(b'\n', piece).count() as u64;
                place
            })
            .collect();
        let count = pieces.len();
        make_room(count, &mut self.room);
        make_room(count, memories);
        let rooms = self.room.par_iter_mut().zip(&mut *memories);
        let shared = &*answer;
        pool.install(|| {
            rooms.zip(&pieces).try_for_each(|((answers, memory), &(before, piece, first))| {
                shared.begin(before, first, memory);
                answer_all(piece, first, shared, memory, answers).map(drop)
            })
        })?;
        self.print(&mut memories[..count], answer)?;
        Ok(number - first)
    }

    /// Prints the answers of the pieces with these memories and empties them.
    fn print<A: Answer>(&mut self, memories: &mut [A::Memory], answer: &mut A) -> Result<(), Failure> {
        let Self { room, progress, is_terminal, threads, .. } = self;
        let room = &mut room[..memories.len()];
        let invalid: u64 = room.iter().map(|answers| answers.invalid).sum();
        self.invalid += invalid;
        if room.iter().any(|answers| answers.invalid + answers.faults > 0) {
            *self.verdict = Verdict::Invalid;
        }
        let is_seen = |Answers { out, err, .. }: &Answers| !err.is_empty() || *is_terminal && !out.is_empty();
        if !progress.is_hidden() && room.iter().any(is_seen) {
            progress.suspend(|| write(room))?;
        } else {
            write(room)?;
        }
        memories.iter_mut().try_for_each(|memory| answer.end(memory, threads))
    }
}

fn make_room<T: Default>(count: usize, room: &mut Vec<T>) {
    room.resize_with(room.len().max(count), T::default);
}

/// Prints the answers and empties them.
fn write(room: &mut [Answers]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for Answers { out: answers, err, invalid, faults } in room {
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
        (*invalid, *faults) = (0, 0);
    }
    out.flush()
}

fn answer_all<A: Answer>(
    lines: &[u8],
    first: u64,
    answer: &A,
    memory: &mut A::Memory,
    answers: &mut Answers,
) -> io::Result<u64> {
    let mut line = Line::default();
    let (mut start, mut number) = (0, first);
    for end in memchr::memchr_iter(b'\n', lines) {
        line.set(&lines[start..end]);
        answer.answer(&line, number, memory, answers)?;
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
            &mut (),
            &mut answers,
        );
        assert_eq!((count.unwrap(), &*answers.out), (3, &b"7\"a\" 8\"\" 9\"b\" "[..]));
    }
}
