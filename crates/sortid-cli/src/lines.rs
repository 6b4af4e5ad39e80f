use crate::{descriptors, failure::Failure, mistakes::input::Foreign, stderr, terminal::escaped};
use indicatif::ProgressBar;
use sortid_inspect::Input;
use std::{
    borrow::Cow,
    ffi::OsStr,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal as _, Read, Stdin},
    path::{Path, PathBuf},
};

/// How many bytes of a line are kept by default. No ID is as long, and a line can be longer than memory.
pub(crate) const LONGEST: usize = 16 << 20;

/// The name of an input, for messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Refuses to read standard input for two arguments: the second would find nothing.
pub(crate) fn stdin_at_most_once(command: &'static str, inputs: &[impl AsRef<OsStr>]) -> Result<(), Failure> {
    match inputs.iter().filter(|input| input.as_ref() == "-").count() {
        0 | 1 => Ok(()),
        count => {
            Err(Failure::usage(command, format!("expected - (standard input) once, found it {count} times")))
        }
    }
}

/// Refuses `-` where a command writes to a file.
pub(crate) fn not_stdin(command: &'static str, path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            command,
            "expected a file, found -, which is standard input; a file of that name is ./-",
        ));
    }
    Ok(())
}

/// Standard input. Tells someone at a terminal what the program waits for, and how to end the input.
pub(crate) fn stdin(what: impl fmt::Display) -> Result<Stdin, Failure> {
    if descriptors::is_input_closed() {
        return Err(Failure::Message("cannot read standard input: it is closed".to_owned()));
    }
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        stderr::print_line(format_args!(
            "reading {what} from the terminal; to end, press Ctrl-D (on Windows Ctrl-Z and Enter)"
        ));
    }
    Ok(io::stdin())
}

/// Opens a file, or standard input if the path is `-`. `what` is what the input should have.
pub(crate) fn open(
    path: &Path,
    what: impl fmt::Display,
    progress: &ProgressBar,
) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(progress.wrap_read(stdin(what)?.lock())));
    }
    let file = File::open(path).map_err(|error| Failure::file("read", path, error))?;
    Ok(Box::new(progress.wrap_read(file)))
}

/// One line of input, without its line ending.
#[derive(Default)]
pub(crate) struct Line {
    bytes: Vec<u8>,
    /// How long the line is: more than `bytes` if that is only its beginning.
    len: u64,
    /// Why there is no ID, if the line is a row of a table that is not like the others.
    row_fault: Option<String>,
}

impl Line {
    pub(crate) const fn new(bytes: Vec<u8>) -> Self {
        Self { len: bytes.len() as u64, bytes, row_fault: None }
    }

    /// Replaces the line by this one, without its carriage return.
    pub(crate) fn set(&mut self, bytes: &[u8]) {
        self.set_field(bytes.strip_suffix(b"\r").unwrap_or(bytes));
    }

    /// Replaces the line by a field of a table.
    pub(crate) fn set_field(&mut self, text: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(text);
        self.len = text.len() as u64;
        self.row_fault = None;
    }

    /// Replaces the line by a row with a fault. `cut` bytes of the row are left out.
    pub(crate) fn set_row(&mut self, row: &[u8], cut: u64, fault: String) {
        self.set_field(row);
        self.len += cut;
        self.row_fault = Some(fault);
    }

    /// Why there is no ID, if the line is a row of a table that is not like the others.
    pub(crate) fn row_fault(&self) -> Option<&str> {
        self.row_fault.as_deref()
    }

    /// The bytes of the line, or the first ones of a line that is too long to keep.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.len > self.bytes.len() as u64
    }

    /// How long the line is, in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn input(&self) -> Input<'_> {
        Input::beginning(&self.bytes, self.len)
    }

    /// The line as text, for a report. Replaces invalid UTF-8.
    pub(crate) fn lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The line in quotes, escaped, and shortened to fit on a line of a terminal.
    pub(crate) fn quoted(&self) -> String {
        const SHOWN: usize = 60;
        let start = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(4 * SHOWN)]);
        let shown: String = start.chars().take(SHOWN).collect();
        let cut = if shown.len() < start.len() || self.len > 4 * SHOWN as u64 {
            format!("… ({} bytes)", self.len)
        } else {
            String::new()
        };
        // Rust shows some invisible letters as they are.
        format!("{}{cut}", escaped(&format!("{shown:?}")))
    }
}

/// Reads lines that end with `\n` or `\r\n`. The last line needs no end.
pub(crate) struct Lines<R> {
    source: BufReader<R>,
    longest: usize,
    /// The file, or `-`.
    path: PathBuf,
    /// Whether something was read.
    is_begun: bool,
}

impl Lines<Box<dyn Read>> {
    /// The lines of a file, or of standard input if the path is `-`. `what` is on them: "IDs".
    pub(crate) fn of_path(path: &Path, what: &str, progress: &ProgressBar) -> Result<Self, Failure> {
        Ok(Self::new(path, open(path, format_args!("{what}, one per line,"), progress)?))
    }
}

impl<R: Read> Lines<R> {
    fn new(path: &Path, source: R) -> Self {
        let source = BufReader::with_capacity(1 << 16, source);
        Self { source, longest: LONGEST, path: path.to_owned(), is_begun: false }
    }

    /// Keeps this many bytes of a line.
    pub(crate) fn with_longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// Whether reading the next line may have to wait for the source: a good moment to flush the output.
    pub(crate) fn may_wait(&self) -> bool {
        memchr::memchr(b'\n', self.source.buffer()).is_none()
    }

    /// The lines that are already in memory, with their line endings, so that nothing has to be waited for.
    pub(crate) fn whole(&self) -> &[u8] {
        let buffer = self.source.buffer();
        &buffer[..memchr::memrchr(b'\n', buffer).map_or(0, |at| at + 1)]
    }

    /// Skips this many bytes of [`whole`](Self::whole).
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.source.consume(bytes);
    }

    /// Reads the next line into `line`; `false` at the end.
    pub(crate) fn read(&mut self, line: &mut Line) -> io::Result<bool> {
        let end = self.read_to(line, |bytes| memchr::memchr(b'\n', bytes))?;
        Ok(end.is_some() || line.len > 0)
    }

    /// Reads the next piece of a line into `piece` and returns its end, a comma or a line feed; `None` at the end of the
    /// input.
    pub(crate) fn read_piece(&mut self, piece: &mut Line) -> io::Result<Option<u8>> {
        self.read_to(piece, |bytes| memchr::memchr2(b',', b'\n', bytes))
    }

    fn read_to(&mut self, line: &mut Line, find: impl Fn(&[u8]) -> Option<usize>) -> io::Result<Option<u8>> {
        line.bytes.clear();
        line.len = 0;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                return Ok(None);
            }
            if !self.is_begun {
                self.is_begun = true;
                if let Some(foreign) = Foreign::of(available) {
                    foreign.refuse(&self.path)?;
                }
            }
            let found = find(available);
            let end = found.map(|at| available[at]);
            let piece = &available[..found.unwrap_or(available.len())];
            let room = self.longest - line.bytes.len();
            line.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            line.len += piece.len() as u64;
            let used = piece.len() + usize::from(found.is_some());
            self.source.consume(used);
            if end.is_some() {
                if end == Some(b'\n') && !line.is_cut() && line.bytes.ends_with(b"\r") {
                    line.bytes.pop();
                    line.len -= 1;
                }
                return Ok(end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Line, Lines};
    use std::{io::BufReader, path::Path};

    fn read(input: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Lines::new(Path::new("-"), input);
        lines.source = BufReader::with_capacity(3, input);
        let mut line = Line::default();
        let mut all = vec![];
        while lines.read(&mut line).unwrap() {
            assert!(!line.is_cut());
            all.push(line.bytes().to_vec());
        }
        all
    }

    #[test]
    fn lines_end_at_each_kind_of_line_ending_and_at_the_end_of_the_input() {
        assert_eq!(read(b""), Vec::<Vec<u8>>::new());
        assert_eq!(read(b"\n"), [b""]);
        assert_eq!(read(b"abc"), [b"abc"]);
        assert_eq!(read(b"abc\n"), [b"abc"]);
        assert_eq!(read(b"abcdefg\r\n\r\n\nx\ry"), [&b"abcdefg"[..], b"", b"", b"x\ry"]);
        assert_eq!(read(b"\xff\xfe\nok\n"), [&b"\xff\xfe"[..], b"ok"]);
    }

    #[test]
    fn a_line_without_end_is_counted_and_not_kept() {
        let input = [vec![b'a'; LONGEST + 5], b"\nnext\n".to_vec()].concat();
        let mut lines = Lines::new(Path::new("-"), &input[..]);
        let mut line = Line::default();
        assert!(lines.read(&mut line).unwrap());
        assert_eq!((line.is_cut(), line.len()), (true, LONGEST as u64 + 5));
        assert_eq!(line.lossy().len(), LONGEST);
        assert!(lines.read(&mut line).unwrap());
        assert_eq!((line.is_cut(), line.bytes()), (false, &b"next"[..]));
        assert!(!lines.read(&mut line).unwrap());
    }

    #[test]
    fn a_quoted_line_is_short_and_harmless() {
        assert_eq!(Line::new(b"\x1b[31m\xff".to_vec()).quoted(), "\"\\u{1b}[31m\u{fffd}\"");
        let invisible = "\u{115f}\u{3164}\u{ffa0}\u{202e}\u{fe0f}\u{e0041}";
        let escapes = r#""\u{115f}\u{3164}\u{ffa0}\u{202e}\u{fe0f}\u{e0041}""#;
        assert_eq!(Line::new(invisible.as_bytes().to_vec()).quoted(), escapes);
        let long = Line::new(vec![b'x'; 1000]).quoted();
        assert_eq!(long, format!("\"{}\"… (1000 bytes)", "x".repeat(60)));
    }
}
