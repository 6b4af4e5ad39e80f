//! Sorts more records than fit in memory: sorted runs of them go to a temporary file and are merged.

use crate::{answers::Threads, failure::Failure};
use rayon::slice::ParallelSliceMut as _;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
    env,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    mem,
    ops::Range,
};

/// What is sorted: a few bytes, whose number is always the same.
pub(super) trait Record: Copy + Ord + Send {
    const BYTES: usize;

    /// Appends the bytes.
    fn push(&self, out: &mut Vec<u8>);

    /// The record of these bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Records in the order in which they come, up to `memory` bytes, and sorted runs of earlier records.
pub(super) struct Sorter<R> {
    records: Vec<R>,
    memory: usize,
    runs: Option<Runs>,
}

impl<R: Record> Sorter<R> {
    /// Uses at most `memory` bytes.
    pub(super) fn new(memory: usize) -> Self {
        Self { records: vec![], memory, runs: None }
    }

    /// How many records there are.
    pub(super) fn len(&self) -> u64 {
        let written = self.runs.as_ref().and_then(|runs| runs.places.last()).map_or(0, |place| place.end);
        self.records.len() as u64 + written / R::BYTES as u64
    }

    /// Returns the sorter and leaves an empty one.
    pub(super) fn take(&mut self) -> Self {
        mem::replace(self, Self::new(self.memory))
    }

    pub(super) fn add(&mut self, mut records: &[R], threads: &Threads) -> Result<(), Failure> {
        let most = (self.memory / size_of::<R>()).max(1);
        while !records.is_empty() {
            if self.records.len() == most {
                self.write_run(threads)?;
            }
            let count = records.len().min(most - self.records.len());
            self.grow(count, most)?;
            self.records.extend_from_slice(&records[..count]);
            records = &records[count..];
        }
        Ok(())
    }

    /// Makes room for `more` records and some to come, but for at most `most` in all.
    fn grow(&mut self, more: usize, most: usize) -> Result<(), Failure> {
        let len = self.records.len();
        if self.records.capacity() - len >= more {
            return Ok(());
        }
        let wanted = (2 * len).max(1 << 10).max(len + more).min(most);
        self.records.try_reserve_exact(wanted - len).map_err(|_| {
            let bytes = wanted * size_of::<R>();
            Failure::Message(format!("cannot allocate {bytes} bytes of memory: lower --memory"))
        })
    }

    fn sort(&mut self, threads: &Threads) {
        let records = &mut self.records;
        match threads.pool() {
            Some(pool) => pool.install(|| records.par_sort_unstable()),
            None => records.sort_unstable(),
        }
    }

    fn write_run(&mut self, threads: &Threads) -> Result<(), Failure> {
        self.sort(threads);
        let runs = match &mut self.runs {
            Some(runs) => runs,
            None => self.runs.insert(Runs::new(block(self.memory))?),
        };
        self.records.drain(..).try_for_each(|record| runs.add(&record))?;
        runs.end()
    }

    /// Passes on all records in their order.
    pub(super) fn finish(
        mut self,
        threads: &Threads,
        mut each: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.runs.is_some() {
            self.write_run(threads)?;
        }
        let Some(mut runs) = self.runs else {
            self.sort(threads);
            return self.records.into_iter().try_for_each(each);
        };
        self.records = vec![];
        let at_once = (self.memory / runs.block).max(2);
        while runs.places.len() > at_once {
            let mut longer = Runs::new(runs.block)?;
            for places in mem::take(&mut runs.places).chunks(at_once) {
                runs.merge(places, |record: R| longer.add(&record))?;
                longer.end()?;
            }
            runs = longer;
        }
        let places = mem::take(&mut runs.places);
        runs.merge(&places, &mut each)
    }
}

/// How many bytes of a run are read or written at once.
fn block(memory: usize) -> usize {
    (memory / 1024).clamp(1 << 12, 1 << 20)
}

/// Sorted records, run after run, in a file without a name: the system deletes it in any case.
struct Runs {
    file: File,
    places: Vec<Range<u64>>,
    /// Records that are not written yet, and how many bytes are written at once.
    bytes: Vec<u8>,
    block: usize,
}

impl Runs {
    fn new(block: usize) -> Result<Self, Failure> {
        let file = tempfile::tempfile().map_err(cannot_store)?;
        Ok(Self { file, places: vec![], bytes: vec![], block })
    }

    /// Appends a record to the run.
    fn add(&mut self, record: &impl Record) -> Result<(), Failure> {
        record.push(&mut self.bytes);
        if self.bytes.len() >= self.block { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Failure> {
        self.file.write_all(&self.bytes).map_err(cannot_store)?;
        self.bytes.clear();
        Ok(())
    }

    /// Ends the run. The file is at its end until the first merge.
    fn end(&mut self) -> Result<(), Failure> {
        self.write()?;
        let start = self.places.last().map_or(0, |place| place.end);
        let end = self.file.stream_position().map_err(cannot_store)?;
        self.places.push(start..end);
        Ok(())
    }

    /// Passes on the records of some runs in their order.
    fn merge<R: Record>(
        &mut self,
        places: &[Range<u64>],
        mut each: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut readers: Vec<_> =
            places.iter().map(|place| Reader { place: place.clone(), bytes: vec![], used: 0 }).collect();
        let mut next = BinaryHeap::new();
        for (index, reader) in readers.iter_mut().enumerate() {
            next.extend(reader.next::<R>(self)?.map(|record| Reverse((record, index))));
        }
        while let Some(mut least) = next.peek_mut() {
            let Reverse((record, index)) = *least;
            each(record)?;
            match readers[index].next(self)? {
                Some(record) => *least = Reverse((record, index)),
                None => drop(PeekMut::pop(least)),
            }
        }
        Ok(())
    }
}

/// Reads a run.
struct Reader {
    /// What is not read yet.
    place: Range<u64>,
    bytes: Vec<u8>,
    used: usize,
}

impl Reader {
    fn next<R: Record>(&mut self, runs: &mut Runs) -> Result<Option<R>, Failure> {
        if self.used == self.bytes.len() {
            if self.place.is_empty() {
                return Ok(None);
            }
            // Whole records.
            let len = (runs.block / R::BYTES * R::BYTES) as u64;
            let len = len.min(self.place.end - self.place.start);
            self.bytes.resize(len as usize, 0);
            let read = runs.file.seek(SeekFrom::Start(self.place.start));
            read.and_then(|_| runs.file.read_exact(&mut self.bytes)).map_err(cannot_store)?;
            self.place.start += len;
            self.used = 0;
        }
        let start = self.used;
        self.used += R::BYTES;
        Ok(Some(R::read(&self.bytes[start..self.used])))
    }
}

fn cannot_store(error: io::Error) -> Failure {
    let what = format!(
        "cannot use a temporary file in {} (set TMPDIR to another folder, or raise --memory)",
        env::temp_dir().display()
    );
    Failure::Io { what, error }
}

#[cfg(test)]
mod tests {
    use super::{Record, Sorter};
    use crate::answers::Threads;

    impl Record for [u8; 3] {
        const BYTES: usize = 3;

        fn push(&self, out: &mut Vec<u8>) {
            out.extend_from_slice(self);
        }

        fn read(bytes: &[u8]) -> Self {
            bytes.try_into().expect("there are three")
        }
    }

    /// With 300 bytes of memory, runs have 100 records, and two are merged at once.
    #[test]
    fn records_come_back_in_their_order_after_any_number_of_merges() {
        let threads = Threads::default();
        for count in [0, 1, 99, 100, 101, 200, 1000, 10_007] {
            let records: Vec<[u8; 3]> = (0..count).map(|n: u32| [(n * 7) as u8, (n * 31) as u8, 1]).collect();
            let mut sorter = Sorter::new(300);
            for some in records.chunks(37) {
                sorter.add(some, &threads).unwrap();
            }
            let mut sorted = vec![];
            sorter
                .finish(&threads, |record| {
                    sorted.push(record);
                    Ok(())
                })
                .unwrap();
            let mut expected = records;
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
    }
}
