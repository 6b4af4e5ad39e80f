//! Reading the files of a ledger, plain or compressed.

use super::lock::{self, Access};
use crate::{failure::Failure, lines::name_of, stderr};
use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

/// The longest line that is read.
pub(crate) const LONGEST: usize = 256 << 20;

/// How many bytes are read at once if the source has them.
const BLOCK: usize = 4 << 20;

/// Reads a file in blocks of whole lines.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    name: String,
    /// The beginning of a line whose end has not been read yet.
    carry: Vec<u8>,
}

impl Blocks {
    /// Opens a file, or standard input if the path is `-`. Decompresses gzip and zstd.
    ///
    /// Waits for `timeout` while another process has locked the file.
    pub(crate) fn open(path: &Path, progress: &ProgressBar, timeout: Duration) -> Result<Self, Failure> {
        let name = name_of(path);
        let raw: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            let mut file = File::open(path).map_err(|error| Failure::read(&name, error))?;
            let len = settled_len(&mut file, &name, timeout).map_err(|error| Failure::read(&name, error))?;
            Box::new(file.take(len))
        };
        let raw = BufReader::with_capacity(1 << 18, progress.wrap_read(raw));
        let source = decompressed(raw).map_err(|error| Failure::read(&name, error))?;
        Ok(Self { source, name, carry: vec![] })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next lines into `block`; `false` at the end. The last line of a file can lack its line feed.
    pub(crate) fn read(&mut self, block: &mut Vec<u8>) -> Result<bool, Failure> {
        block.clear();
        block.append(&mut self.carry);
        loop {
            let before = block.len();
            let mut piece = (&mut self.source).take(BLOCK as u64);
            let read = piece.read_to_end(block).map_err(|error| Failure::read(&self.name, error))?;
            if read < BLOCK {
                return Ok(!block.is_empty());
            }
            if let Some(end) = memchr::memrchr(b'\n', &block[before..]) {
                self.carry.extend_from_slice(&block[before + end + 1..]);
                block.truncate(before + end + 1);
                return Ok(true);
            }
            if block.len() > LONGEST {
                let message = format!("a line is longer than {} MiB", LONGEST >> 20);
                return Err(Failure::read(&self.name, invalid(message)));
            }
        }
    }
}

/// The length of a file at a moment when nobody appends to it: a half-written event would be reported as a fault.
///
/// If another process keeps the file locked, its whole lines have to do: an event that is being written is after the last
/// of them, and has to be written before it counts.
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
            let mut head = [0; 4];
            let is_short = file.read_exact(&mut head).is_err();
            let len = if !is_short && is_compressed(&head) { len } else { whole_lines(file, len)? };
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

/// The stored bytes of all files; `None` unless all of them are regular files.
pub(crate) fn total_len(paths: &[PathBuf]) -> Option<u64> {
    let lens =
        paths.iter().map(|path| path.metadata().ok().filter(std::fs::Metadata::is_file).map(|it| it.len()));
    lens.sum()
}

fn decompressed<R: BufRead + Send + 'static>(mut raw: R) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = [0; 4];
    let mut len = 0;
    // A pipe can give fewer than four bytes at first.
    while len < magic.len() {
        match raw.read(&mut magic[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let head = magic[..len].to_vec();
    let raw = io::Cursor::new(head).chain(raw);
    Ok(match magic {
        [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(raw)),
        _ if is_compressed(&magic) => {
            Box::new(Zstd { source: raw, decoder: FrameDecoder::new(), is_in_frame: false })
        }
        _ => Box::new(raw),
    })
}

/// Whether a file that begins so is gzip or zstd.
pub(super) fn is_compressed(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The frames of a zstd file, one after the other.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { source, decoder, is_in_frame } = self;
        loop {
            if !*is_in_frame {
                if source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                match decoder.init(&mut *source) {
                    Ok(()) => *is_in_frame = true,
                    Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                        length,
                        ..
                    })) => drop(io::copy(&mut source.take(length.into()), &mut io::sink())?),
                    Err(error) => return Err(invalid(error)),
                }
            } else if decoder.can_collect() > 0 {
                return decoder.read(buffer);
            } else if !decoder.is_finished() {
                decoder.decode_blocks(&mut *source, BlockDecodingStrategy::UptoBlocks(1)).map_err(invalid)?;
            } else {
                let expected = decoder.get_checksum_from_data();
                if expected.is_some() && expected != decoder.get_calculated_checksum() {
                    return Err(invalid("the checksum of a zstd frame does not match its content"));
                }
                *is_in_frame = false;
            }
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
