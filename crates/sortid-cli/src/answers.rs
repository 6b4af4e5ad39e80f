//! Answers lines of input on all cores and prints the answers in the order of the lines.

// A function gets a line and its number, and writes the answer into buffers. All cores share the lines of one read, and
// the buffers are printed in the order of the lines. No line waits for a later line.

use crate::{
    failure::Failure,
    lines::{self, Line, Lines, name_of},
    output::Output,
    progress,
    table::{Batch, Count, Input, Row, Rows, Table},
    terminal::escaped_lines,
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
    mem,
    path::Path,
};

/// A thread gets at least this many bytes of lines. To hand over fewer takes longer than to answer them.
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
    /// How many other faults there are, such as lines out of order.
    pub(crate) faults: u64,
    /// Whether nothing was answered before.
    pub(crate) is_first: bool,
}

/// Answers an ID, given the number of its line, or `None` for an argument.
pub(crate) type AnswerId<'a> = dyn Fn(&Line, Option<u64>, &mut Answers) -> io::Result<()> + Sync + 'a;

/// Answers lines. The input is cut into pieces, which are answered in parallel.
///
/// The simplest implementation is a function of a line, its number and the output.
pub(crate) trait Answer: Sync {
    /// What the answer to a line needs to know of the lines before it, and what a piece leaves behind.
    type Memory: Default + Send;

    /// Prepares the memory for a piece, whose first line has the number `first`. `before` has the lines of the pieces
    /// before this one that are answered at the same time, with their numbers, the last line first.
    fn begin<'a>(
        &self,
        _before: impl Iterator<Item = (&'a [u8], u64)>,
        _first: u64,
        _memory: &mut Self::Memory,
    ) {
    }

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
    /// `None` if threads cannot be started: then the current thread does all the work.
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
    /// Whether standard output is a terminal. The progress bar is removed before the terminal gets answers.
    is_terminal: bool,
    /// Whether the answer replaces the ID in its row.
    keeps_rows: bool,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(verdict: &'a mut Verdict) -> Self {
        Self::with_progress(verdict, ProgressBar::hidden())
    }

    pub(crate) fn with_progress(verdict: &'a mut Verdict, progress: ProgressBar) -> Self {
        Self {
            verdict,
            invalid: 0,
            room: vec![Answers { is_first: true, ..Answers::default() }],
            threads: Threads::default(),
            progress,
            is_terminal: io::stdout().is_terminal(),
            keeps_rows: false,
        }
    }

    /// Prints whole rows of tables, with the answer, a line, in place of the ID. Rows without an ID are printed
    /// unchanged, and invalid rows are left out.
    pub(crate) fn keeping_rows(self) -> Self {
        Self { keeps_rows: true, ..self }
    }

    /// Answers the IDs of the command line. The ID `-` stands for the IDs of standard input, which are also read if
    /// there are no IDs.
    pub(crate) fn ids(
        &mut self,
        command: &'static str,
        ids: &[OsString],
        table: &Table,
        answer: &AnswerId<'_>,
    ) -> Result<(), Failure> {
        lines::stdin_at_most_once(command, ids)?;
        let stdin = [OsString::from("-")];
        if ids.is_empty() || ids.contains(&stdin[0]) {
            self.progress = progress::of_filter(&stdin);
        }
        for id in if ids.is_empty() { &stdin } else { ids } {
            let is_stdin = id == "-";
            let mut answer = |line: &Line, number, answers: &mut Answers| {
                answer(line, is_stdin.then_some(number), answers)
            };
            if is_stdin {
                let path = Path::new(id);
                self.input(path, table.open(path, &self.progress)?, &mut answer)?;
            } else {
                self.one(&Line::new(id.as_encoded_bytes().to_vec()), 1, &mut answer, &mut vec![])?;
            }
        }
        Ok(())
    }

    /// Answers all IDs of an input.
    pub(crate) fn input<A: Answer>(
        &mut self,
        path: &Path,
        input: Input,
        answer: &mut A,
    ) -> Result<Count, Failure> {
        match input {
            Input::Lines(lines) => {
                let lines = self.lines(&name_of(path), lines, answer)?;
                Ok(Count { ids: lines, lines })
            }
            Input::Rows(rows) => self.rows(*rows, answer),
        }
    }

    /// Answers all lines and returns how many there are. Answers the lines that are in memory before it waits for more.
    fn lines<R: Read, A: Answer>(
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

    /// Answers the IDs of all rows. Answers the rows that are in memory before it waits for more.
    fn rows<R: Read, A: Answer>(&mut self, mut rows: Rows<R>, answer: &mut A) -> Result<Count, Failure> {
        let Self { keeps_rows, is_terminal, .. } = *self;
        let head = rows.begin()?;
        if keeps_rows {
            let mut out = io::stdout().lock();
            out.write_all(&shown(head, is_terminal))?;
            out.flush()?;
        }
        let mut memories = vec![];
        let mut count = Count::default();
        while !answer.is_done()
            && let Some(batch) = rows.read()?
        {
            let len = batch.rows.len().div_ceil(self.count_of_pieces(batch.len()));
            let pieces: Vec<_> = (0..batch.rows.len())
                .step_by(len)
                .map(|start| (&batch.rows[..start], &batch.rows[start..batch.rows.len().min(start + len)]))
                .collect();
            self.side_by_side(&pieces, answer, &mut memories, |(before, piece), answer, memory, answers| {
                answer_rows(batch, before, piece, keeps_rows, answer, memory, answers)?;
                if keeps_rows {
                    answers.out = shown(mem::take(&mut answers.out), is_terminal);
                }
                Ok(())
            })?;
            let last = batch.rows.iter().rfind(|row| !row.is_blank());
            count.ids += batch.rows.iter().filter(|row| !row.is_blank()).count() as u64;
            count.lines = last.map_or(count.lines, |row| row.line);
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
        make_room(1, memories);
        answer.begin(std::iter::empty(), number, &mut memories[0]);
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
        let (mut start, mut number) = (0, first);
        let pieces: Vec<_> = pieces(lines, self.count_of_pieces(lines.len()))
            .map(|piece| {
                let place = (&lines[..start], piece, number);
                start += piece.len();
                number += memchr::memchr_iter(b'\n', piece).count() as u64;
                place
            })
            .collect();
        self.side_by_side(&pieces, answer, memories, |&(before, piece, first), answer, memory, answers| {
            // Nothing comes after the last line feed.
            let before = before.rsplit(|&byte| byte == b'\n').skip(1).zip((1..first).rev());
            let before = before.map(|(line, number)| (line.strip_suffix(b"\r").unwrap_or(line), number));
            answer.begin(before, first, memory);
            answer_lines(piece, first, answer, memory, answers).map(drop)
        })?;
        Ok(number - first)
    }

    /// The number of pieces into which this many bytes are cut.
    fn count_of_pieces(&self, bytes: usize) -> usize {
        let threads = bytes / WORTH_A_THREAD;
        let pool = if threads > 1 { self.threads.pool() } else { None };
        match pool.map_or(1, ThreadPool::current_num_threads) {
            1 => 1,
            // Two pieces for each thread, since one piece can take longer than another.
            most => 2 * threads.min(most),
        }
    }

    /// Answers pieces of the input, side by side if there are several.
    fn side_by_side<P: Sync, A: Answer>(
        &mut self,
        pieces: &[P],
        answer: &mut A,
        memories: &mut Vec<A::Memory>,
        each: impl Fn(&P, &A, &mut A::Memory, &mut Answers) -> io::Result<()> + Sync,
    ) -> Result<(), Failure> {
        let count = pieces.len();
        make_room(count, &mut self.room);
        make_room(count, memories);
        let shared = &*answer;
        let pool = if count > 1 { self.threads.pool() } else { None };
        match pool {
            Some(pool) => {
                let rooms = self.room.par_iter_mut().zip(&mut *memories);
                pool.install(|| {
                    rooms
                        .zip(pieces)
                        .try_for_each(|((answers, memory), piece)| each(piece, shared, memory, answers))
                })?;
            }
            None => {
                let rooms = self.room.iter_mut().zip(&mut *memories);
                rooms
                    .zip(pieces)
                    .try_for_each(|((answers, memory), piece)| each(piece, shared, memory, answers))?;
            }
        }
        self.print(&mut memories[..count], answer)
    }

    /// Prints the answers of the pieces that have these memories, and empties the answers.
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
    let mut output = Output::of_lines()?;
    for Answers { out: answers, err, invalid, faults, .. } in room {
        output.write(answers)?;
        if !err.is_empty() {
            // A failure is ignored: no other place is left to report it.
            let _ = io::stderr().write_all(err);
        }
        for bytes in [answers, err] {
            bytes.clear();
            bytes.shrink_to(KEPT);
        }
        (*invalid, *faults) = (0, 0);
    }
    Ok(())
}

fn answer_lines<A: Answer>(
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

/// Rows as they are printed. On a terminal, hidden characters of other columns are escaped, because it would obey them.
fn shown(rows: Vec<u8>, is_terminal: bool) -> Vec<u8> {
    if is_terminal { escaped_lines(&rows).into_bytes() } else { rows }
}

/// Answers a piece of the rows.
fn answer_rows<A: Answer>(
    batch: Batch<'_>,
    before: &[Row],
    piece: &[Row],
    keeps_rows: bool,
    answer: &A,
    memory: &mut A::Memory,
    answers: &mut Answers,
) -> io::Result<()> {
    let ids = before.iter().rev().filter_map(|row| Some((batch.id(row)?, row.line)));
    answer.begin(ids, piece.first().map_or(0, |row| row.line), memory);
    let mut line = Line::default();
    for row in piece {
        let id = batch.id(row);
        if row.is_blank() || keeps_rows && id == Some(b"") {
            if keeps_rows {
                answers.out.extend_from_slice(batch.bytes(row));
            }
            continue;
        }
        batch.set(row, &mut line);
        let [before, after] = if keeps_rows && id.is_some() { batch.around(row) } else { [&b""[..]; 2] };
        let (start, invalid) = (answers.out.len(), answers.invalid);
        answers.out.extend_from_slice(before);
        answer.answer(&line, row.line, memory, answers)?;
        if keeps_rows && answers.invalid > invalid {
            answers.out.truncate(start);
        } else if keeps_rows {
            // The answer is a line.
            answers.out.pop();
            answers.out.extend_from_slice(after);
        }
    }
    Ok(())
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
    use super::{answer_lines, pieces};
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
        let count = answer_lines(
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
