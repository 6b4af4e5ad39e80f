//! A writer of JSON. The values are few and small, and `serde_json` would be a third of the module.

use std::fmt::Write as _;

/// A JSON text that grows. Each value is followed by a comma, which [`finish`](Self::finish) and the ends of objects and
/// arrays remove.
#[derive(Default)]
pub(crate) struct Json(String);

impl Json {
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.enclosed('{', '}', members);
    }

    pub(crate) fn array<T>(&mut self, items: impl IntoIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        self.enclosed('[', ']', |json| items.into_iter().for_each(|item| write(json, item)));
    }

    fn enclosed(&mut self, open: char, close: char, content: impl FnOnce(&mut Self)) {
        self.0.push(open);
        content(self);
        self.cut();
        self.0.push(close);
        self.0.push(',');
    }

    fn cut(&mut self) {
        if self.0.ends_with(',') {
            self.0.pop();
        }
    }

    /// The name of a member. Its value follows.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.cut();
        self.0.push(':');
        self
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.0.push('"');
        for char in text.chars() {
            match char {
                '"' | '\\' => self.0.extend(['\\', char]),
                // The last two were ends of lines for earlier versions of JavaScript.
                '\0'..='\x1f' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(char));
                }
                _ => self.0.push(char),
            }
        }
        self.0.push_str("\",");
    }

    /// Bytes in hex, as a string.
    #[cfg(any(feature = "ids", feature = "inspect"))]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        const DIGITS: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        self.0.push('"');
        for byte in bytes {
            self.0.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        self.0.push_str("\",");
    }

    pub(crate) fn number(&mut self, number: u64) {
        let _ = write!(self.0, "{number},");
    }

    #[cfg(feature = "inspect")]
    pub(crate) fn null(&mut self) {
        self.0.push_str("null,");
    }

    #[cfg(feature = "ledger")]
    pub(crate) fn bool(&mut self, value: bool) {
        let _ = write!(self.0, "{value},");
    }

    #[cfg(any(feature = "inspect", feature = "ledger"))]
    /// A member, if there is a value.
    pub(crate) fn text(&mut self, name: &str, text: Option<impl AsRef<str>>) {
        if let Some(text) = text {
            self.name(name).string(text.as_ref());
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.cut();
        self.0
    }
}
