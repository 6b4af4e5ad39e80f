//! IDs with something around them: blanks, quotes, commas, the prefix of a typed ID.

use crate::{lines::Line, reading};
use sortid::Spec;

/// Says what is around an ID in a text that is not one: `"00CMXB6TAK4SA",`.
pub(crate) fn advice(spec: Spec, text: &[u8]) -> Option<String> {
    // Longer lines are not searched.
    if text.len() > 256 {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let is_id =
        |id: &&str| id.len() < text.len() && reading::read(spec, None, &Line::new((*id).into())).is_ok();
    let trimmed = text.trim_matches(is_around);
    // In RON UIDs, `_` is a digit.
    let without_prefix = trimmed.rsplit_once('_').filter(|_| spec != Spec::RonUid).map(|(_, id)| id);
    // Any word can be a RON UID, and any short number a Ulid-Flake.
    let words = text.split(is_between).filter(|word| spec != Spec::RonUid && word.len() > 12);
    let id = [Some(trimmed), without_prefix].into_iter().flatten().chain(words).find(is_id)?;
    let (before, after) = text.split_once(id)?;
    let around = match (before, after) {
        (before, "") => format!("{before:?} before it"),
        ("", after) => format!("{after:?} after it"),
        (before, after) => format!("{before:?} before it and {after:?} after it"),
    };
    Some(format!("{id} is valid without {around}"))
}

/// Whether the character separates or surrounds values in other formats, and belongs to no ID.
fn is_around(character: char) -> bool {
    character.is_whitespace() || "\"'`,;:()[]{}<>\u{feff}\u{200b}".contains(character)
}

/// Whether the character separates the columns of a line, or the parts of a URL.
fn is_between(character: char) -> bool {
    is_around(character) || "|=/?&#".contains(character)
}
