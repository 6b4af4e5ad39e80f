use crate::form::FormError;
use sortid::{__private::typed_id, Text};
use std::str::FromStr;

/// The prefix of typed IDs, such as `order` in `order_1HZP2F3TARAH1VEXW8BDJPEKP44`.
///
/// ```
/// use sortid_inspect::Prefix;
///
/// let prefix: Prefix = "order".parse()?;
/// assert_eq!(prefix.as_str(), "order");
/// assert!("Order".parse::<Prefix>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The prefix and its `_`.
    start: Text<{ typed_id::START_LEN }>,
}

impl Prefix {
    /// Makes the prefix of what is before an ID: the prefix and its `_`.
    pub(crate) fn of_start(start: &[u8]) -> Self {
        let mut text = Text::EMPTY;
        start.iter().for_each(|&byte| text.push(byte));
        Self { start: text }
    }

    /// Returns the prefix without the `_` that separates it from the ID.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.start[..self.start.len() - 1]
    }

    /// Returns what every text begins with: the prefix and its `_`.
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The text of the ID.
    pub(crate) fn strip<'a>(&self, text: &'a [u8]) -> Result<&'a [u8], FormError> {
        text.strip_prefix(self.start.as_bytes()).ok_or_else(|| FormError::prefix(text, &self.start))
    }
}

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !typed_id::is_prefix(text.as_bytes()) {
            return Err(
                "expected 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends".to_owned()
            );
        }
        let mut prefix = Self::of_start(text.as_bytes());
        prefix.start.push(b'_');
        Ok(prefix)
    }
}
