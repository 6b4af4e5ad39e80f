use core::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    str,
};

/// A short ASCII text on the stack, at most `N` bytes long. Derefs to `str`.
///
/// ```
/// use sortid_core::Text;
///
/// let text = Text::new(*b"00CMXB6TAK4SA");
/// assert_eq!(text.len(), 13);
/// assert_eq!(text, "00CMXB6TAK4SA");
/// assert!(text.starts_with("00C"));
/// assert_eq!(Text::shorter(*b"time-\0\0\0", 5), "time-");
/// ```
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Text<N> {
    /// A text of exactly `N` bytes.
    ///
    /// # Panics
    ///
    /// If a byte is not ASCII.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        const { assert!(N <= u8::MAX as usize) };
        assert!(bytes.is_ascii(), "a Text is ASCII");
        Self { bytes, len: N as u8 }
    }

    /// The first `len` of these bytes, where the text is shorter than its room.
    ///
    /// # Panics
    ///
    /// If a byte is not ASCII, or `len` above `N`.
    #[must_use]
    pub const fn shorter(bytes: [u8; N], len: usize) -> Self {
        assert!(len <= N, "a Text has room for N bytes");
        Self { len: len as u8, ..Self::new(bytes) }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match str::from_utf8(self.as_bytes()) {
            Ok(text) => text,
            Err(_) => unreachable!(),
        }
    }

    /// The text as bytes. Cheaper than [`as_str`](Self::as_str), which has to prove that they are
    /// UTF-8.
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
