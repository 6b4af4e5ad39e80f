//! Short texts that are not on the heap, so that a law of short texts takes less time than libFuzzer.

use std::{
    fmt::{self, Write as _},
    ops::Deref,
};

/// At most 256 bytes of text.
pub(crate) struct Printed {
    bytes: [u8; 256],
    len: usize,
}

/// Prints a value, such as `format_args!("{id:?}")`.
pub(crate) fn printed(value: impl fmt::Display) -> Printed {
    let mut printed = Printed { bytes: [0; 256], len: 0 };
    write!(printed, "{value}").expect("the text is short");
    printed
}

impl fmt::Write for Printed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

impl Deref for Printed {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("only texts were written")
    }
}
