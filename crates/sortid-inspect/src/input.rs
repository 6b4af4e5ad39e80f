/// A text that may be an ID, or the beginning of a text that is too long to keep.
///
/// ```
/// use sortid_inspect::Input;
///
/// let input = Input::from("00CMXB6TAK4SA");
/// assert_eq!((input.bytes(), input.len()), (&b"00CMXB6TAK4SA"[..], 13));
/// assert!(Input::beginning(b"aaa", 1 << 30).is_cut());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    bytes: &'a [u8],
    len: u64,
}

impl<'a> Input<'a> {
    /// Makes an input of the first bytes of a text. `len` is the length of the whole text in bytes.
    #[must_use]
    pub const fn beginning(bytes: &'a [u8], len: u64) -> Self {
        Self { bytes, len }
    }

    /// Returns the bytes of the text, or those of its beginning.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the length of the whole text in bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "an input is seldom asked whether it is empty")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether the text is longer than its bytes here.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.len > self.bytes.len() as u64
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes, len: bytes.len() as u64 }
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        text.as_bytes().into()
    }
}
