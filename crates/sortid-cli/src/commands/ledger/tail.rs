//! The bytes after the last line feed of a ledger: what a crash can leave of a write.

// `append` cuts off a tail only if it is a proper prefix of a JSON object, as a crash leaves it. A second small scanner
// decides that, because the reader of `evently-ledger` refuses some valid JSON, and stops there.

use sortid::evently_ledger::{EventId, Fault, FaultKind, LONGEST_LINE, Verifier};

/// What is after the last line feed.
pub(super) struct Tail {
    /// The event in these bytes, if it is complete. It has no line feed.
    pub(super) event: Option<EventId>,
    /// How many bytes of the text stay. What follows them is half a line, or NULs.
    pub(super) kept: usize,
    /// Why the text is not an event; `None` if it is one, or blank.
    pub(super) fault: Option<Fault>,
}

impl Tail {
    /// Reads the bytes after the last line feed: `text`, and `nuls` NULs behind it. If the text is longer than a line
    /// may be, its beginning is enough. `follows_event` says whether an event is before it.
    ///
    /// # Errors
    ///
    /// The bytes are neither an event nor provably half of one: another program may have written a complete event that
    /// this one does not accept.
    pub(super) fn read(
        verifier: &mut Verifier,
        text: &[u8],
        nuls: u64,
        follows_event: bool,
    ) -> Result<Self, Fault> {
        if !follows_event && nuls > 0 && text.trim_ascii().is_empty() {
            // NULs without an event: the file may be anything.
            verifier.verify_line(&[text, b"\0"].concat())?;
        }
        // File systems can keep the length of a write and lose its content, so NULs are not a part of the text.
        match verifier.verify_line(text) {
            Ok(event) => Ok(Self { event, kept: text.len(), fault: None }),
            Err(fault) if fault.kind == FaultKind::MalformedLine && is_half(text, follows_event) => {
                Ok(Self { event: None, kept: 0, fault: Some(fault) })
            }
            Err(fault) => Err(fault),
        }
    }
}

/// How this program begins an event.
pub(super) const BEGINNING: &[u8] = b"{\"eventId\":\"";

/// Whether these bytes are provably half an event. A file without an event may be anything, so its bytes have to
/// begin as this program begins an event.
fn is_half(text: &[u8], follows_event: bool) -> bool {
    let begins = follows_event || text.starts_with(BEGINNING) || BEGINNING.starts_with(text);
    // No event is longer than a line may be.
    begins && text.len() <= LONGEST_LINE && is_cut_short(text.trim_ascii_start())
}

/// Whether the bytes become a JSON object if other bytes follow, and only then.
///
/// The reader of the verifier cannot decide this: it refuses some valid JSON, such as an exponent that is too large,
/// and stops there.
fn is_cut_short(bytes: &[u8]) -> bool {
    // The last character may be cut short, too.
    let is_text = str::from_utf8(bytes).err().is_none_or(|error| error.error_len().is_none());
    is_text && bytes.starts_with(b"{") && Scanner { bytes, at: 0 }.value() == Err(Stop::AtEnd)
}

/// Why a scanner stops before the end of a value.
#[derive(PartialEq, Eq)]
enum Stop {
    /// The bytes end here.
    AtEnd,
    /// No JSON text has this byte here.
    Wrong,
}

/// Follows the grammar of RFC 8259, without a limit.
struct Scanner<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Scanner<'_> {
    fn next(&mut self) -> Result<u8, Stop> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn peek(&self) -> Result<u8, Stop> {
        self.bytes.get(self.at).copied().ok_or(Stop::AtEnd)
    }

    /// The next byte that is not white space.
    fn token(&mut self) -> Result<u8, Stop> {
        while let b' ' | b'\t' | b'\n' | b'\r' = self.peek()? {
            self.at += 1;
        }
        self.peek()
    }

    fn expect(&mut self, expected: u8) -> Result<(), Stop> {
        if self.next()? == expected { Ok(()) } else { Err(Stop::Wrong) }
    }

    /// Skips a value. The arrays and objects around the place are kept in a list, so their depth has no limit.
    fn value(&mut self) -> Result<(), Stop> {
        let mut closing = vec![];
        loop {
            match self.token()? {
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    let close = if open == b'{' { b'}' } else { b']' };
                    if self.token()? == close {
                        self.at += 1;
                    } else {
                        closing.push(close);
                        self.key_before(close)?;
                        continue;
                    }
                }
                b'"' => self.string()?,
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.literal(b"true")?,
                b'f' => self.literal(b"false")?,
                b'n' => self.literal(b"null")?,
                _ => return Err(Stop::Wrong),
            }
            // Behind a value.
            loop {
                let Some(&close) = closing.last() else { return Ok(()) };
                let token = self.token()?;
                self.at += 1;
                if token == b',' {
                    self.key_before(close)?;
                    break;
                }
                if token != close {
                    return Err(Stop::Wrong);
                }
                closing.pop();
            }
        }
    }

    /// Skips a key and its colon if the value is in an object.
    fn key_before(&mut self, close: u8) -> Result<(), Stop> {
        if close == b'}' {
            self.token()?;
            self.string()?;
            self.token()?;
            self.expect(b':')?;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Stop> {
        self.expect(b'"')?;
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => match self.next()? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                    b'u' => {
                        for _ in 0..4 {
                            if !self.next()?.is_ascii_hexdigit() {
                                return Err(Stop::Wrong);
                            }
                        }
                    }
                    _ => return Err(Stop::Wrong),
                },
                0..0x20 => return Err(Stop::Wrong),
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Result<(), Stop> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        if self.peek()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek()? == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if let b'e' | b'E' = self.peek()? {
            self.at += 1;
            if let b'+' | b'-' = self.peek()? {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Skips one or more digits.
    fn digits(&mut self) -> Result<(), Stop> {
        if !self.peek()?.is_ascii_digit() {
            return Err(Stop::Wrong);
        }
        while self.peek()?.is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, literal: &[u8]) -> Result<(), Stop> {
        literal.iter().try_for_each(|&byte| self.expect(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::is_cut_short;

    /// Each beginning of an object is cut short. A whole object is not, whatever bytes follow it.
    #[test]
    fn only_the_beginning_of_an_object_is_cut_short() {
        let whole = "{\"a\" : [1, -0.5e+3,\t0, true,{ }, [ ] ,false, null,{\"\": \"\\u00e9\\n\\\"é📒\"}], \"b\":2E-7}";
        assert!(serde_json::from_str::<serde_json::Value>(whole).is_ok());
        for end in 1..whole.len() {
            assert!(is_cut_short(&whole.as_bytes()[..end]), "{:?}", &whole.as_bytes()[..end]);
        }
        for behind in ["", " ", "\r", ",", " x", "]", "}", "{", "\0"] {
            assert!(!is_cut_short((whole.to_owned() + behind).as_bytes()), "{behind}");
        }
    }

    #[test]
    fn what_can_never_become_an_object_is_not_cut_short() {
        for text in [
            "",
            "[",
            "\"a",
            "1",
            " {",
            "{a",
            "{,",
            "{\"a\",",
            "{\"a\":}",
            "{\"a\":01",
            "{\"a\":-a",
            "{\"a\":1.a",
            "{\"a\":1ea",
            "{\"a\":tru,",
            "{\"a\":[1,]",
            "{\"a\":[1}",
            "{\"a\":1,}",
            "{\"a\":\"\t",
            "{\"a\":\"\\x",
            "{\"a\":\"\\u00g",
            "{\"a\":NaN",
            "{\"a\":+1",
            "{\"a\":1 2",
            "{\"a\"\0",
            "{\u{e9}",
        ] {
            assert!(!is_cut_short(text.as_bytes()), "{text:?}");
        }
        // A character that is cut short can be in a string only.
        assert!(is_cut_short(b"{\"a\xc3"));
        assert!(!is_cut_short(b"{\"a\":1,\xc3"));
        assert!(!is_cut_short(b"{\"a\xff"));
        assert!(!is_cut_short(b"{\"a\xc3\",\"b"));
    }

    /// Text that the verifier refuses can be cut short, too, and can be nested to any depth.
    #[test]
    fn what_a_reader_refuses_can_be_cut_short() {
        let deep = "[".repeat(1_000_000);
        for text in ["{\"a\":\"\\ud800", "{\"a\":1e999999,", "{\"key\":2,", &format!("{{\"a\":{deep}")] {
            assert!(is_cut_short(text.as_bytes()), "{text:.40}");
        }
    }
}
