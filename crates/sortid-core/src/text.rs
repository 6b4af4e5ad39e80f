use crate::{Alphabet, HEX};
use core::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    str,
};

/// A short ASCII text on the stack, of at most `N` bytes. It dereferences to `str`.
///
/// ```
/// # use sortid_core::Text;
/// let text = Text::new(*b"00cmxb6tak4sa"); // `id.encode()` of an ID
/// assert_eq!(text, "00cmxb6tak4sa");
/// assert!(text.starts_with("00c"));
/// ```
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    // Invariant: all bytes are ASCII, including those after `len`.
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Text<N> {
    /// The empty text.
    #[doc(hidden)]
    pub const EMPTY: Self = {
        assert!(N <= u8::MAX as usize);
        Self { bytes: [0; N], len: 0 }
    };

    /// Creates a text of exactly `N` bytes.
    ///
    /// # Panics
    ///
    /// If a byte is not ASCII.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        assert!(bytes.is_ascii(), "a Text is ASCII");
        let mut text = Self::EMPTY;
        text.bytes = bytes;
        text.len = N as u8;
        text
    }

    /// Creates a text of two hex digits for each byte, in lower case.
    ///
    /// # Panics
    ///
    /// If the digits do not fit.
    #[doc(hidden)]
    #[must_use]
    pub fn hex(bytes: &[u8]) -> Self {
        let mut text = Self::EMPTY;
        // The compiler unrolls what has a fixed length.
        let mut rest = bytes;
        while let Some((&word, after)) = rest.split_first_chunk() {
            text.push_digits(&HEX, u64::from_be_bytes(word), 16);
            rest = after;
        }
        for &byte in rest {
            text.push_digits(&HEX, byte.into(), 2);
        }
        text
    }

    /// The text in upper case. Unlike the method of `str`, it needs no `alloc`.
    #[doc(hidden)]
    #[must_use]
    pub const fn to_ascii_uppercase(mut self) -> Self {
        self.bytes.make_ascii_uppercase();
        self
    }

    /// Appends a character.
    ///
    /// # Panics
    ///
    /// If the character is not ASCII, or the text is full.
    #[doc(hidden)]
    #[inline]
    pub const fn push(&mut self, byte: u8) {
        assert!(byte.is_ascii(), "a Text is ASCII");
        self.bytes[self.len as usize] = byte;
        self.len += 1;
    }

    /// Appends the low `count` digits of `value`.
    ///
    /// # Panics
    ///
    /// If the digits do not fit.
    #[doc(hidden)]
    #[inline]
    pub const fn push_digits<const BITS: u32, const PAIRS: usize>(
        &mut self,
        alphabet: &Alphabet<BITS, PAIRS>,
        value: u64,
        count: usize,
    ) {
        alphabet.put(value, &mut self.bytes, self.len as usize, count);
        self.len += count as u8;
    }

    /// Appends another text.
    ///
    /// # Panics
    ///
    /// If the other text does not fit.
    #[doc(hidden)]
    #[inline]
    pub const fn push_text<const M: usize>(&mut self, text: &Text<M>) {
        let free = self.bytes.split_at_mut(self.len as usize).1;
        copy(text.as_bytes(), free.split_at_mut(text.len as usize).0);
        self.len += text.len;
    }

    /// Shortens the text to its first `len` bytes. Does nothing if the text is not longer.
    #[doc(hidden)]
    #[inline]
    pub const fn truncate(&mut self, len: usize) {
        if len < self.len as usize {
            self.len = len as u8;
        }
    }

    /// The text as a `str`, in `const` code too.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn as_str(&self) -> &str {
        // SAFETY: ASCII is UTF-8, and every byte is ASCII. All code that writes these bytes, in `text.rs` and
        // `alphabet.rs`, writes only ASCII: `new` and `push` refuse other bytes, `Alphabet::new` checks the digits
        // that `Alphabet::put` writes, and the bytes of another `Text` are ASCII for the same reasons. A check would
        // take 2.5 to 4 ns, as much as the digits of a SCRU160 or a Ulid-Flake, because it reads words whose bytes
        // were just written.
        #[allow(unsafe_code)]
        unsafe {
            str::from_utf8_unchecked(self.as_bytes())
        }
    }

    /// The bytes, in `const` code too.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.len as usize).0
    }
}

impl<const N: usize> PartialEq for Text<N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> Eq for Text<N> {}

impl<const N: usize> PartialOrd for Text<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Text<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl<const N: usize> Hash for Text<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<str> for Text<N> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<[u8]> for Text<N> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<const N: usize> PartialEq<str> for Text<N> {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> From<Text<N>> for alloc::string::String {
    fn from(text: Text<N>) -> Self {
        text.as_str().into()
    }
}

/// What `copy_from_slice` does. Since Rust 1.87, constant functions can call that.
#[inline]
pub(crate) const fn copy(from: &[u8], to: &mut [u8]) {
    assert!(from.len() == to.len(), "the lengths differ");
    let mut at = 0;
    while at < from.len() {
        to[at] = from[at];
        at += 1;
    }
}
