//! IDs with something around them: blanks, quotes, commas, the prefix of a typed ID.

use crate::{lines::Line, reading};
use sortid::Spec;

/// Says what is around an ID in a text that is not one: `"00CMXB6TAK4SA",`.
pub(crate) fn advice(spec: Spec, text: &[u8]) -> Option<String> {
    // No ID with what is around it is longer. Others are not read again.
    if text.len() > 64 {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let is_id =
        |id: &&str| id.len() < text.len() && reading::read(spec, None, &Line::new((*id).into())).is_ok();
    let trimmed = text.trim_matches(is_around);
    // In RON UIDs, `_` is a digit.
    let without_prefix = trimmed.rsplit_once('_').filter(|_| spec != Spec::RonUid).map(|(_, id)| id);
    let id = Some(trimmed).filter(is_id).or(without_prefix.filter(is_id))?;
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
