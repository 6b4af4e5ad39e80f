//! IDs with something around them: blanks, quotes, commas, the prefix of a typed ID.

use crate::reader;
use sortid::Spec;
use std::fmt;

/// Longer lines are not searched.
const LONGEST: usize = 256;

/// An ID in a text, and what is around it.
pub(crate) struct Wrapped<'a> {
    pub(crate) id: &'a str,
    before: &'a str,
    after: &'a str,
}

/// Writes advice: `00CMXB6TAK4SA is valid without "," after it`.
impl fmt::Display for Wrapped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, before, after } = self;
        write!(f, "{id} is valid without ")?;
        match (*before, *after) {
            (before, "") => write!(f, "{before:?} before it"),
            ("", after) => write!(f, "{after:?} after it"),
            (before, after) => write!(f, "{before:?} before it and {after:?} after it"),
        }
    }
}

/// The ID of a text whose digits are in groups: `00CM-XB6T-AK4S-A`.
pub(crate) fn in_groups(spec: Spec, text: &[u8]) -> Option<String> {
    let is_separator = |character: char| character == '-' || character.is_whitespace();
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= LONGEST)?;
    // In RON UIDs, `-` is a sign.
    let id = text.replace(is_separator, "");
    (spec != Spec::RonUid && id.len() < text.len() && reader::read(spec, None, None, (*id).into()).is_ok())
        .then_some(id)
}

/// Finds an ID in a text that is not one: `"00CMXB6TAK4SA",`.
pub(crate) fn find(spec: Spec, text: &[u8]) -> Option<Wrapped<'_>> {
    if text.len() > LONGEST {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let is_id = |id: &&str| id.len() < text.len() && reader::read(spec, None, None, (*id).into()).is_ok();
    let trimmed = text.trim_matches(is_around);
    // In RON UIDs, `_` is a digit.
    let without_prefix = trimmed.rsplit_once('_').filter(|_| spec != Spec::RonUid).map(|(_, id)| id);
    // Any word can be a RON UID, and any short number a Ulid-Flake.
    let words = text.split(is_between).filter(|word| spec != Spec::RonUid && word.len() > 12);
    let id = [Some(trimmed), without_prefix].into_iter().flatten().chain(words).find(is_id)?;
    let (before, after) = text.split_once(id)?;
    Some(Wrapped { id, before, after })
}

/// Whether the character separates or surrounds values in other formats, and belongs to no ID.
fn is_around(character: char) -> bool {
    character.is_whitespace() || "\"'`,;:()[]{}<>\u{feff}\u{200b}".contains(character)
}

/// Whether the character separates the columns of a line, or the parts of a URL.
fn is_between(character: char) -> bool {
    is_around(character) || "|=/?&#".contains(character)
}
