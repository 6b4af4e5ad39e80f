//! Reads the rows of a table, and keeps their bytes.

// `csv-core` finds the fields, and this file keeps where they are. So `convert` writes all bytes but those of the ID
// unchanged. The crate `csv` would drop quotes, and PostgreSQL could not tell NULL from an empty text. It also keeps a row
// of any length in memory, and takes a quote that is never closed.
//
// One thread finds the rows, and all cores answer them. A quote that is never closed would make one row of the rest
// of the input. So a row has as many columns as the first one, and its length has a limit.

use super::{is_delimiter, number};
use crate::{
    failure::Failure,
    lines::{LONGEST, Line, name_of},
    mistakes::input::Foreign,
    stderr,
};
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use sortid_inspect::__private::reading;
use std::{
    io::{self, BufRead as _, BufReader, Read},
    ops::Range,
    path::{Path, PathBuf},
};

/// How many bytes are read at once.
const READ: usize = 1 << 16;

/// How many bytes are kept of a row that is too long to keep.
const BEGINNING: usize = 1 << 10;

/// How many names of columns a message lists.
const LISTED: usize = 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What is before the delimiter in a line that names it.
const NAMED: &[u8] = b"sep=";

/// A row, or the blank lines between two. The places are those of a [`Batch`].
#[derive(Clone, Default)]
pub(crate) struct Row {
    /// The line where it begins.
    pub(crate) line: u64,
    place: Range<usize>,
    /// The field with the ID, with quotes if it has any.
    field: Range<usize>,
    /// The text of that field, among the texts.
    text: Range<usize>,
    /// How many columns there are; none in blank lines.
    columns: usize,
    /// How many bytes are left out, because the row is too long to keep.
    cut: u64,
    /// Whether the input ends within quotes.
    is_open: bool,
}

impl Row {
    pub(crate) fn is_blank(&self) -> bool {
        self.columns == 0
    }

    /// What is wrong with the row, if it should have this many columns.
    fn fault(&self, columns: usize) -> Option<String> {
        if self.cut > 0 {
            let advice = "a closing quote may be missing";
            return Some(format!(
                "expected a row of at most {LONGEST} bytes, found {}: {advice}",
                self.len()
            ));
        }
        if self.is_open {
            return Some(
                "expected a quote at the end of the last column, found the end of the input".to_owned(),
            );
        }
        let message =
            || format!("expected {}, as in the first row, found {}", counted(columns), self.columns);
        (self.columns != columns).then(message)
    }

    fn len(&self) -> u64 {
        self.place.len() as u64 + self.cut
    }
}

/// Rows in memory.
#[derive(Clone, Copy)]
pub(crate) struct Batch<'a> {
    pub(crate) rows: &'a [Row],
    bytes: &'a [u8],
    texts: &'a [u8],
    columns: usize,
}

impl<'a> Batch<'a> {
    /// How many bytes the rows have.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The text of the ID. `None` if the row is not as it should be.
    pub(crate) fn id(&self, row: &Row) -> Option<&'a [u8]> {
        row.fault(self.columns).is_none().then(|| &self.texts[row.text.clone()])
    }

    /// Sets the line to the text of the ID, or to the row and what is wrong with it.
    pub(crate) fn set(&self, row: &Row, line: &mut Line) {
        match row.fault(self.columns) {
            None => line.set_field(&self.texts[row.text.clone()]),
            Some(fault) if row.cut > 0 => line.set_row(self.bytes(row), row.cut, fault),
            Some(fault) => line.set_row(self.bytes(row).trim_ascii_end(), 0, fault),
        }
    }

    pub(crate) fn bytes(&self, row: &Row) -> &'a [u8] {
        &self.bytes[row.place.clone()]
    }

    /// The row up to its ID, and from there on. Quotes around the ID belong to these two.
    pub(crate) fn around(&self, row: &Row) -> [&'a [u8]; 2] {
        let Range { start, end } = row.field;
        let quotes = usize::from(self.bytes[start..end].starts_with(b"\""));
        [&self.bytes[row.place.start..start + quotes], &self.bytes[end - quotes..row.place.end]]
    }
}

/// Reads rows. The first one says how many columns all have.
pub(crate) struct Rows<R> {
    source: BufReader<R>,
    path: PathBuf,
    /// The delimiter; `None` if the beginning of the input has to tell it.
    delimiter: Option<u8>,
    parser: Reader,
    /// The column with the IDs, as the command line has it, and how many columns are before it.
    column: String,
    index: usize,
    has_header: bool,
    columns: usize,
    /// The bytes in memory. Rows that are answered are removed before more bytes are read.
    bytes: Vec<u8>,
    is_at_end: bool,
    /// How many of the bytes are parsed, and how many of these are whole rows.
    parsed: usize,
    whole: usize,
    rows: Vec<Row>,
    texts: Vec<u8>,
    /// The row that is parsed, and where its last field begins.
    row: Option<Row>,
    field: usize,
    /// Whether only the line feed can be missing that follows the carriage return of the row.
    is_ending: bool,
    /// How many ends of lines the parser did not get.
    unseen_lines: u64,
    room: Box<[u8]>,
}

impl<R: Read> Rows<R> {
    /// `column` is a name in the first row, or a number. Without a delimiter, the beginning of the input tells it.
    pub(super) fn new(path: &Path, source: R, delimiter: Option<u8>, column: &str, has_header: bool) -> Self {
        Self {
            source: BufReader::with_capacity(READ, source),
            path: path.to_owned(),
            delimiter,
            parser: Reader::new(),
            column: column.to_owned(),
            index: usize::MAX,
            has_header,
            columns: 0,
            bytes: vec![],
            is_at_end: false,
            parsed: 0,
            whole: 0,
            rows: vec![],
            texts: vec![],
            row: None,
            field: 0,
            is_ending: false,
            unseen_lines: 0,
            room: vec![0; 1 << 12].into(),
        }
    }

    /// Finds the delimiter and the column. Returns what is before the first row with an ID: a byte order mark, a line such
    /// as `sep=;`, and the names of the columns.
    pub(crate) fn begin(&mut self) -> Result<Vec<u8>, Failure> {
        while BYTE_ORDER_MARK.starts_with(&self.bytes) && !self.is_at_end {
            self.fill()?;
        }
        let mark = match Foreign::of(&self.bytes) {
            Some(Foreign::ByteOrderMark) => BYTE_ORDER_MARK.len(),
            Some(foreign) => foreign.refuse(&self.path).map(|()| 0).map_err(|error| self.failure(error))?,
            None => 0,
        };
        let named = self.named_delimiter(mark)?;
        // The end of the line is parsed as a blank line.
        let start = mark + named.map_or(0, |_| NAMED.len() + 1);
        let mut delimiter = self.delimiter.or(named).unwrap_or(b',');
        let mut first = self.first_row(start, delimiter)?;
        let source = name_of(&self.path);
        if let (None, None, Some(row)) = (self.delimiter, named, &first)
            && let Some(found) = self.guessed_delimiter(&self.bytes[row.place.clone()])
        {
            let shown = shown(found);
            stderr::print_line(format_args!(
                "note: the columns of {source} are separated by {shown}, as the first row shows: --delimiter {shown} \
                says so without this note"
            ));
            delimiter = found;
            first = self.first_row(start, delimiter)?;
        }
        let Some(first) = first else {
            return match self.has_header {
                true => Err(Failure::Message(format!(
                    "{source} is empty: expected a row with the names of the columns"
                ))),
                false => Ok(self.bytes[..self.whole].to_vec()),
            };
        };
        let row = &self.bytes[first.place];
        let names = names(row, delimiter);
        self.index = self.find(&names).map_err(|message| {
            let is_better = |&other: &u8| {
                let others = self::names(row, other);
                others.len() > 1
                    && (names.len() == 1 || others.iter().any(|name| name == self.column.as_bytes()))
            };
            let better = [b',', b';', b'\t'].into_iter().filter(|other| *other != delimiter).find(is_better);
            let advice = better.map(shown).map_or(String::new(), |other| {
                format!("; if {other} separates the columns, read them with --csv --delimiter {other}")
            });
            Failure::Message(message + &advice)
        })?;
        self.columns = names.len();
        if self.has_header {
            let name = &names[self.index];
            // Short numbers are likely names.
            if name.len() > 12 && reading::find(None, name).iter().any(reading::Guess::is_plausible) {
                stderr::print_line(format_args!(
                    "note: the name of the column, {}, looks like an ID: if the first row has no names, add --no-header",
                    Line::new(name.clone()).quoted()
                ));
            }
        } else {
            // The row is parsed again: its ID is not known.
            self.restart(start, delimiter);
        }
        Ok(self.bytes[..self.whole].to_vec())
    }

    /// The delimiter that a line such as `sep=;` names, which spreadsheets write and read before the first row.
    fn named_delimiter(&mut self, start: usize) -> Result<Option<u8>, Failure> {
        loop {
            let line = &self.bytes[start..];
            let len = line.len().min(NAMED.len());
            if !line[..len].eq_ignore_ascii_case(&NAMED[..len]) {
                return Ok(None);
            }
            match line[len..] {
                [delimiter, b'\r' | b'\n', ..] => {
                    return Ok(Some(delimiter).filter(|byte| is_delimiter(*byte)));
                }
                [_, _, ..] => return Ok(None),
                _ if self.is_at_end => return Ok(None),
                _ => self.fill()?,
            }
        }
    }

    /// The delimiter of a first row without commas: a semicolon or a tab. `None` if the row has neither, or both, or if it
    /// is the name of the column.
    fn guessed_delimiter(&self, row: &[u8]) -> Option<u8> {
        let is_name = |names: &[Vec<u8>]| self.has_header && names[0] == self.column.as_bytes();
        match [b',', b';', b'\t'].map(|delimiter| names(row, delimiter)) {
            [commas, semicolons, tabs] if commas.len() == 1 && !is_name(&commas) => {
                match (semicolons.len() > 1, tabs.len() > 1) {
                    (true, false) => Some(b';'),
                    (false, true) => Some(b'\t'),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The first row after `start` that is not blank.
    fn first_row(&mut self, start: usize, delimiter: u8) -> Result<Option<Row>, Failure> {
        self.restart(start, delimiter);
        loop {
            if !self.parse_row() {
                if self.is_at_end {
                    return Ok(None);
                }
                self.fill()?;
            } else if let Some(row) = self.rows.pop().filter(|row| !row.is_blank()) {
                return match row.fault(row.columns) {
                    None => Ok(Some(row)),
                    Some(fault) => Err(Failure::Message(format!(
                        "line {} of {}: {fault}",
                        row.line,
                        name_of(&self.path)
                    ))),
                };
            }
        }
    }

    fn restart(&mut self, start: usize, delimiter: u8) {
        (self.parsed, self.whole, self.unseen_lines) = (start, start, 0);
        self.parser = parser(delimiter);
        self.rows.clear();
    }

    /// The number of columns before that of the IDs.
    fn find(&self, names: &[Vec<u8>]) -> Result<usize, String> {
        let Self { column, has_header, .. } = self;
        let source = name_of(&self.path);
        let named = |&index: &usize| *has_header && names[index] == column.as_bytes();
        let found: Vec<_> = (0..names.len()).filter(named).collect();
        match (&found[..], number(column).filter(|number| *number <= names.len())) {
            ([index], _) => Ok(*index),
            ([], Some(number)) => Ok(number - 1),
            ([], None) if *has_header => {
                let shown = names.iter().take(LISTED).map(|name| Line::new(name.clone()).quoted());
                let mut shown = shown.collect::<Vec<_>>().join(", ");
                if names.len() > LISTED {
                    shown += &format!(" and {} more", names.len() - LISTED);
                }
                Err(format!(
                    "{source} has no column {column:?}; its columns are {shown}; if the first row has no names, add \
                    --no-header, and give the number of the column"
                ))
            }
            ([], None) => {
                Err(format!("{source} has no column {column}: its first row has {}", counted(names.len())))
            }
            ([first, ..], _) => {
                let numbers: Vec<_> = found.iter().map(|index| (index + 1).to_string()).collect();
                Err(format!(
                    "{} columns of {source} have the name {column:?}: {}; choose one by its number: --column {}",
                    found.len(),
                    numbers.join(", "),
                    first + 1
                ))
            }
        }
    }

    /// Reads the rows after the last batch: all that are in memory, at least one. `None` at the end.
    pub(crate) fn read(&mut self) -> Result<Option<Batch<'_>>, Failure> {
        self.forget();
        loop {
            while self.parse_row() {}
            if !self.rows.is_empty() {
                let Self { rows, bytes, texts, columns, .. } = self;
                return Ok(Some(Batch { rows, bytes: &bytes[..self.whole], texts, columns: *columns }));
            }
            if self.is_at_end {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// Drops the whole rows.
    fn forget(&mut self) {
        let whole = std::mem::take(&mut self.whole);
        self.bytes.drain(..whole);
        self.parsed -= whole;
        self.field = self.field.saturating_sub(whole);
        self.rows.clear();
        let texts = self.row.as_ref().map_or(self.texts.len(), |row| row.text.start);
        self.texts.drain(..texts);
        if let Some(row) = &mut self.row {
            row.place.start -= whole;
            // An ID that is not read yet has no place.
            row.field = row.field.start.saturating_sub(whole)..row.field.end.saturating_sub(whole);
            row.text = 0..row.text.end - texts;
        }
    }

    fn fill(&mut self) -> Result<(), Failure> {
        let read = loop {
            match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read.map(|bytes| (bytes.len(), self.bytes.extend_from_slice(bytes))),
            }
        };
        let (len, ()) = read.map_err(|error| self.failure(error))?;
        self.source.consume(len);
        self.is_at_end = len == 0;
        Ok(())
    }

    fn failure(&self, error: io::Error) -> Failure {
        Failure::read(&name_of(&self.path), error)
    }

    /// Parses a row, or blank lines; `false` if what was read ends before their end.
    fn parse_row(&mut self) -> bool {
        if self.row.is_none() {
            let start = self.parsed;
            let line = self.parser.line() + self.unseen_lines;
            while let Some(b'\r' | b'\n') = self.bytes.get(self.parsed)
                && let Some(len) = self.line_end(self.parsed)
            {
                self.parsed += len;
                self.unseen_lines += 1;
            }
            if self.parsed > start {
                self.rows.push(Row { line, place: start..self.parsed, ..Row::default() });
                self.whole = self.parsed;
                return true;
            }
            if let None | Some(b'\r') = self.bytes.get(start) {
                return false;
            }
            let text = self.texts.len();
            self.row = Some(Row { line, place: start..start, text: text..text, ..Row::default() });
            self.field = start;
        }
        self.is_ending = self.is_ending || self.parse_fields();
        self.is_ending && self.end_row()
    }

    /// Parses the fields of a row; `false` if what was read ends before their end.
    fn parse_fields(&mut self) -> bool {
        let Self { parser, bytes, parsed, field, texts, room, index, is_at_end, row: Some(row), .. } = self
        else {
            return false;
        };
        loop {
            let input = &bytes[*parsed..];
            if input.is_empty() && !*is_at_end {
                // Of a row that is too long to keep, the beginning stays.
                if *parsed - row.place.start > LONGEST {
                    let kept = row.place.start + BEGINNING;
                    row.cut += (*parsed - kept) as u64;
                    bytes.truncate(kept);
                    texts.truncate(row.text.start);
                    row.text.end = row.text.start;
                    (*parsed, *field) = (kept, kept);
                }
                return false;
            }
            let (result, read, written) = parser.read_field(input, room);
            *parsed += read;
            let is_id = row.columns == *index;
            if is_id {
                texts.extend_from_slice(&room[..written]);
            }
            let is_last = match result {
                ReadFieldResult::Field { record_end } => record_end,
                ReadFieldResult::End => true,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => continue,
            };
            if is_id {
                // With the field, the parser reads the delimiter or the end of the line, unless the input ends.
                row.field = *field..*parsed - usize::from(read > 0);
                row.text.end = texts.len();
            }
            row.columns += 1;
            if is_last {
                row.is_open = read == 0 && is_open(&bytes[*field..]);
                return true;
            }
            *field = *parsed;
        }
    }

    /// Ends the row; `false` if what was read ends after a carriage return, which a line feed can follow.
    fn end_row(&mut self) -> bool {
        let last = self.parsed - 1;
        if self.bytes[last] == b'\r' {
            let Some(len) = self.line_end(last) else { return false };
            self.parsed = last + len;
            self.unseen_lines += 1;
        }
        if let Some(mut row) = self.row.take() {
            row.place.end = self.parsed;
            self.rows.push(row);
        }
        (self.whole, self.is_ending) = (self.parsed, false);
        true
    }

    /// The length of the end of a line; `None` if more has to be read to know it.
    fn line_end(&self, at: usize) -> Option<usize> {
        match (self.bytes[at], self.bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => Some(2),
            (b'\r', None) if !self.is_at_end => None,
            _ => Some(1),
        }
    }
}

/// A parser of rows whose fields this byte separates, with quotes as in RFC 4180.
fn parser(delimiter: u8) -> Reader {
    ReaderBuilder::new().delimiter(delimiter).build()
}

/// The texts of the fields of a row.
fn names(row: &[u8], delimiter: u8) -> Vec<Vec<u8>> {
    let (mut parser, mut texts, mut ends) = (parser(delimiter), vec![0; row.len()], vec![0; row.len() + 1]);
    let (_, _, written, count) = parser.read_record(row, &mut texts, &mut ends);
    // No more bytes are the end of a row that has no end of its line.
    let (.., last) = parser.read_record(&[], &mut texts[written..], &mut ends[count..]);
    let mut start = 0;
    let ends = &ends[..count + last];
    ends.iter().map(|&end| texts[std::mem::replace(&mut start, end)..end].to_vec()).collect()
}

/// A delimiter, as the command line takes it.
fn shown(delimiter: u8) -> String {
    if delimiter == b'\t' { "tab".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

/// Whether a field at the end of the input lacks its last quote.
fn is_open(field: &[u8]) -> bool {
    field.starts_with(b"\"") && memchr::memchr_iter(b'"', field).count() % 2 == 1
}

/// `1 column`, `2 columns`.
fn counted(columns: usize) -> String {
    format!("{columns} column{}", if columns == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use std::{io::Read, path::Path};

    /// Gives this many bytes at once.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            let most = self.1.min(room.len());
            self.0.read(&mut room[..most])
        }
    }

    /// The rows: their lines, and their IDs, or what is wrong with them. Panics if a byte is lost.
    fn read(input: &[u8], at_once: usize, has_header: bool) -> Vec<(u64, Result<String, String>)> {
        let mut rows = Rows::new(Path::new("-"), Slowly(input, at_once), Some(b','), "1", has_header);
        let mut bytes = rows.begin().unwrap();
        let mut all = vec![];
        while let Some(batch) = rows.read().unwrap() {
            for row in batch.rows {
                bytes.extend_from_slice(batch.bytes(row));
                if row.is_blank() {
                    assert!(batch.bytes(row).iter().all(|byte| b"\r\n".contains(byte)));
                    continue;
                }
                let id = batch.id(row).map(|id| String::from_utf8(id.to_vec()).unwrap());
                if id.is_some() {
                    let [before, after] = batch.around(row);
                    assert!(before.iter().all(|&byte| byte == b'"'));
                    assert!(batch.bytes(row).starts_with(before) && batch.bytes(row).ends_with(after));
                }
                all.push((row.line, id.ok_or_else(|| row.fault(batch.columns).unwrap())));
            }
        }
        assert_eq!(bytes, input, "{:?}", input.escape_ascii());
        all
    }

    fn ids(input: &str) -> Vec<(u64, String)> {
        read(input.as_bytes(), 1 << 16, false).into_iter().map(|(line, id)| (line, id.unwrap())).collect()
    }

    #[test]
    fn a_row_is_at_the_line_where_it_begins() {
        let rows =
            |rows: &[(u64, &str)]| rows.iter().map(|&(line, id)| (line, id.to_owned())).collect::<Vec<_>>();
        assert_eq!(ids("a,b\nc,d\n"), rows(&[(1, "a"), (2, "c")]));
        assert_eq!(ids("a,b\r\n\r\n\r\nc,\"\r\n,\"\"\r\n\"\r\nd,e"), rows(&[(1, "a"), (4, "c"), (7, "d")]));
        assert_eq!(ids("a\rb\r\rc\n\rd"), rows(&[(1, "a"), (2, "b"), (4, "c"), (6, "d")]));
        assert_eq!(ids("\"a\"\"b,\n,\n\"\n"), rows(&[(1, "a\"b,\n,\n")]));
        assert_eq!(ids("\u{feff}\na,\n\u{feff}b,\n"), rows(&[(2, "a"), (3, "\u{feff}b")]));
        assert_eq!(ids("a\"b\",1\n\"a\"b,2\n"), rows(&[(1, "a\"b\""), (2, "ab")]));
    }

    #[test]
    fn rows_are_the_same_however_they_arrive() {
        let mut inputs = vec![vec![]];
        for _ in 0..4 {
            let longer = |input: &Vec<u8>| b"a,\"\r\n".map(|byte| [&input[..], &[byte]].concat());
            inputs.extend(inputs.iter().flat_map(longer).collect::<Vec<_>>());
            inputs.sort_unstable();
            inputs.dedup();
        }
        for input in inputs {
            let input = [b"i,n\n", &input[..]].concat();
            let all = read(&input, input.len(), true);
            assert_eq!(read(&input, 1, true), all, "{:?}", input.escape_ascii());
            assert!(all.is_sorted_by(|row, next| row.0 < next.0), "{:?}", input.escape_ascii());
            let mut with_header = read(&input, 3, false);
            assert_eq!(with_header.remove(0), (1, Ok("i".to_owned())));
            assert_eq!(with_header, all, "{:?}", input.escape_ascii());
        }
    }
}
