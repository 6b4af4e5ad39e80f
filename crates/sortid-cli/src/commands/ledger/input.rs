//! Reading the files of a ledger, plain or compressed.

use super::lock::{self, Access};
use crate::{
    failure::Failure,
    lines::{name_of, stdin},
    mistakes::input::{Foreign, HEAD},
    stderr,
};
use flate2::bufread::GzDecoder;
use indicatif::ProgressBar;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use sortid::evently_ledger::LONGEST_LINE;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom},
    path::Path,
    time::Duration,
};

/// How many bytes are read at once if the source has them.
const BLOCK: usize = 4 << 20;

/// An input may always expand to this many bytes: a compressed file, or the exponents of canonical JSON.
const LEAST_EXPANSION: u64 = 64 << 20;

/// Beyond that, an input may expand to this many times its size. The checksums in event IDs do not compress, so a
/// ledger shrinks to about a seventh. Gzip expands up to 1032 times, and zstd 32 768 times.
const MOST_EXPANSION: u64 = 1000;

/// Reads a file in blocks of whole lines.
pub(crate) struct Blocks {
    source: Source,
    name: String,
    /// How many bytes are read at once.
    block: usize,
    /// The beginning of a line whose end has not been read yet.
    carry: Vec<u8>,
    /// Whether the source has ended. A user at a terminal would have to end the input a second time.
    is_ended: bool,
}

impl Blocks {
    /// Opens a file, or standard input if the path is `-`. Decompresses gzip and zstd.
    ///
    /// Waits for `timeout` while another process has locked the file.
    pub(crate) fn open(path: &Path, progress: &ProgressBar, timeout: Duration) -> Result<Self, Failure> {
        let name = name_of(path);
        let raw: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(stdin("the events of a ledger, one per line,")?)
        } else {
            let mut file = File::open(path).map_err(|error| Failure::read(&name, error))?;
            let len = settled_len(&mut file, &name, timeout).map_err(|error| Failure::read(&name, error))?;
            Box::new(file.take(len))
        };
        Self::of(Box::new(progress.wrap_read(raw)), path, BLOCK)
    }

    /// Reads this many bytes of a source at once.
    pub(super) fn of(raw: Box<dyn Read + Send>, path: &Path, block: usize) -> Result<Self, Failure> {
        let name = name_of(path);
        let source = Source::of(raw, path).map_err(|error| Failure::read(&name, error))?;
        Ok(Self { source, name, block, carry: vec![], is_ended: false })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next lines into `block`; `false` at the end. The last line of a file can lack its line feed.
    pub(crate) fn read(&mut self, block: &mut Vec<u8>) -> Result<bool, Failure> {
        block.clear();
        block.append(&mut self.carry);
        if self.is_ended {
            return Ok(false);
        }
        loop {
            let before = block.len();
            let mut piece = (&mut self.source).take(self.block as u64);
            let read = piece.read_to_end(block).map_err(|error| Failure::read(&self.name, error))?;
            if read < self.block {
                self.is_ended = true;
                return Ok(!block.is_empty());
            }
            if let Some(end) = memchr::memrchr(b'\n', &block[before..]) {
                self.carry.extend_from_slice(&block[before + end + 1..]);
                block.truncate(before + end + 1);
                return Ok(true);
            }
            // If a line is too long, its beginning is enough: the verdict is the same.
            block.truncate(LONGEST_LINE + 1);
        }
    }
}

/// The length of a file at a moment when nobody appends to it: a half-written event would be reported as a fault.
///
/// If another process keeps the file locked, the length is that of the whole lines. An event that is being written
/// comes after them, and does not count yet.
fn settled_len(file: &mut File, name: &str, timeout: Duration) -> io::Result<u64> {
    if !file.metadata()?.is_file() {
        return Ok(u64::MAX);
    }
    match lock::lock(file, Access::Shared, timeout) {
        Ok(()) => {
            let len = file.metadata()?.len();
            let _ = file.unlock();
            Ok(len)
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            stderr::print_line(format_args!("{name}: {error}; reading the lines that are whole"));
            let len = file.metadata()?.len();
            let mut head = vec![];
            (&mut *file).take(HEAD as u64).read_to_end(&mut head)?;
            let is_text = !matches!(Foreign::of(&head), Some(Foreign::Gzip | Foreign::Zstd));
            let len = if is_text { whole_lines(file, len)? } else { len };
            file.rewind()?;
            Ok(len)
        }
        // If the file cannot be locked, `append` cannot lock it either, and there is nothing to wait for.
        Err(_) => Ok(file.metadata()?.len()),
    }
}

/// How many of the first `len` bytes are lines with a line feed.
fn whole_lines(file: &mut File, len: u64) -> io::Result<u64> {
    const PIECE: u64 = 1 << 16;

    let mut end = len;
    let mut piece = vec![];
    while end > 0 {
        let start = end.saturating_sub(PIECE);
        piece.clear();
        file.seek(SeekFrom::Start(start))?;
        file.take(end - start).read_to_end(&mut piece)?;
        if let Some(found) = memchr::memrchr(b'\n', &piece) {
            return Ok(start + found as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The bytes of a file, decompressed.
struct Source {
    form: Form,
    /// How many bytes were decompressed.
    expanded: u64,
}

enum Form {
    Plain(Raw),
    Gzip(Box<Gzip<Stored>>),
    Zstd(Box<Zstd<Raw>>),
}

/// The stored bytes of a file.
type Raw = Counted<Stored>;
type Stored = io::Chain<io::Cursor<Vec<u8>>, BufReader<Box<dyn Read + Send>>>;

impl Source {
    fn of(raw: Box<dyn Read + Send>, path: &Path) -> io::Result<Self> {
        let mut raw = BufReader::with_capacity(1 << 18, raw);
        // A pipe can give fewer bytes at first.
        let mut head = vec![];
        (&mut raw).take(HEAD as u64).read_to_end(&mut head)?;
        if head.len() < HEAD {
            // A user at a terminal would have to end the input a second time.
            raw = BufReader::new(Box::new(io::empty()));
        }
        let foreign = Foreign::of(&head);
        let raw = Counted { source: io::Cursor::new(head).chain(raw), len: 0 };
        let form = match foreign {
            Some(Foreign::Gzip) => Form::Gzip(Box::new(Gzip { decoder: Some(GzDecoder::new(raw)) })),
            Some(Foreign::Zstd) => {
                Form::Zstd(Box::new(Zstd { source: raw, decoder: FrameDecoder::new(), in_frame: None }))
            }
            // The verifier reports the first line.
            Some(text @ (Foreign::Utf16 | Foreign::ByteOrderMark)) => {
                text.note(path);
                Form::Plain(raw)
            }
            Some(other) => return Err(invalid(other.advice(path))),
            None => Form::Plain(raw),
        };
        Ok(Self { form, expanded: 0 })
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (read, compressed) = match &mut self.form {
            Form::Plain(raw) => return raw.read(buffer),
            Form::Gzip(gzip) => (gzip.read(buffer)?, gzip.read_len()),
            Form::Zstd(zstd) => (zstd.read(buffer)?, zstd.source.len),
        };
        self.expanded += read as u64;
        check_expansion(compressed, self.expanded, "decompress it first")?;
        Ok(read)
    }
}

/// Refuses an input if its first `read` bytes have expanded to too many. `cure` is the advice for a user whose input is
/// valid.
pub(super) fn check_expansion(read: u64, expanded: u64, cure: &str) -> io::Result<()> {
    if expanded <= read.saturating_mul(MOST_EXPANSION).max(LEAST_EXPANSION) {
        return Ok(());
    }
    Err(invalid(format!(
        "it expands to more than {} MiB and to more than {MOST_EXPANSION} times its size: if that is right, {cure}",
        LEAST_EXPANSION >> 20
    )))
}

/// Counts the bytes that are read.
struct Counted<R> {
    source: R,
    len: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.len += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.len += amount as u64;
        self.source.consume(amount);
    }
}

/// The members of a gzip file, one after the other. Zeros may follow the last one: tapes and disks are filled with them.
struct Gzip<R> {
    /// `None` only while the next member begins.
    decoder: Option<GzDecoder<Counted<R>>>,
}

impl<R> Gzip<R> {
    /// How many bytes of the file were read.
    fn read_len(&self) -> u64 {
        self.decoder.as_ref().map_or(0, |decoder| decoder.get_ref().len)
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(buffer)?;
            let source = decoder.get_mut();
            if read > 0 || buffer.is_empty() || source.fill_buf()?.is_empty() {
                return Ok(read);
            }
            // The first byte of each member, and the second one, which may not be in the buffer yet.
            if source.fill_buf()?.first() == Some(&0x1f)
                && source.fill_buf()?.get(1).is_none_or(|&byte| byte == 0x8b)
            {
                self.decoder = self.decoder.take().map(|decoder| GzDecoder::new(decoder.into_inner()));
                continue;
            }
            while let zeros @ [_, ..] = source.fill_buf()? {
                if zeros.iter().any(|&byte| byte != 0) {
                    return Err(invalid("something else than zeros follows the end of the gzip file"));
                }
                let count = zeros.len();
                source.consume(count);
            }
            return Ok(0);
        }
        Ok(0)
    }
}

/// The frames of a zstd file, one after the other.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    /// In a frame, how many of its bytes were decompressed.
    in_frame: Option<u64>,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { source, decoder, in_frame } = self;
        loop {
            let Some(len) = in_frame else {
                if source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                match decoder.init(&mut *source) {
                    Ok(()) => *in_frame = Some(0),
                    Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                        length,
                        ..
                    })) => {
                        let length = u64::from(length);
                        if io::copy(&mut source.take(length), &mut io::sink())? < length {
                            return Err(invalid("the file ends within a zstd frame that is to be skipped"));
                        }
                    }
                    Err(_) => {
                        return Err(invalid("expected a zstd frame, found something else or half of one"));
                    }
                }
                continue;
            };
            if decoder.can_collect() > 0 {
                let read = decoder.read(buffer)?;
                *len += read as u64;
                return Ok(read);
            }
            if !decoder.is_finished() {
                // The messages of the library are for its authors.
                decoder
                    .decode_blocks(&mut *source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|_| invalid("a zstd frame is damaged, or the file ends within it"))?;
                continue;
            }
            // The size is 0 if the frame does not state it.
            if ![0, *len].contains(&decoder.content_size()) {
                return Err(invalid("the content of a zstd frame has another size than the frame states"));
            }
            let expected = decoder.get_checksum_from_data();
            if expected.is_some() && expected != decoder.get_calculated_checksum() {
                return Err(invalid("the checksum of a zstd frame does not match its content"));
            }
            *in_frame = None;
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
