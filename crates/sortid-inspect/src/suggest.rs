//! What a text might have been that is not an ID.

use crate::Refusal;
use sortid::{
    __private::{PLAUSIBLE, typed_id},
    AnyId, ParseErrorKind, Spec,
    euid::Euid,
};

/// An ID that a wrong text might have been.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The specification.
    pub spec: Spec,
    /// The text of the ID. A `?` stands for a character that cannot be known.
    pub text: String,
    /// What was changed, and what is known: a phrase such as `O is the digit 0`.
    pub why: String,
}

/// The longest text that is examined.
const LONGEST: usize = 256;

/// Characters that people mistake for each other, in print and in writing.
const LOOK_ALIKE: [&str; 9] = ["0OoQD", "1IlLi", "2Zz", "5Ss", "6Gb", "8B", "9gq", "UuVv", "-_"];

/// Finds IDs that a text might have been. `refusals` says why the text is not an ID.
pub(crate) fn suggest(text: &str, refusals: &[Refusal]) -> Vec<Suggestion> {
    if text.len() > LONGEST {
        return vec![];
    }
    let nearest = Refusal::nearest(refusals).map(|refusal| refusal.spec);
    // The suggestions of the nearest specification come first.
    let (first, others): (Vec<_>, Vec<_>) = refusals.iter().partition(|it| Some(it.spec) == nearest);
    // Any word can become a RON UID.
    let others = others.into_iter().filter(|it| it.spec != Spec::RonUid);
    first.into_iter().chain(others).flat_map(|refusal| of_spec(text, refusal)).collect()
}

fn of_spec(text: &str, refusal: &Refusal) -> Vec<Suggestion> {
    // In RON UIDs, `_` is a digit.
    let typed =
        typed_id::split(text.as_bytes()).filter(|_| refusal.spec != Spec::RonUid && refusal.inner.is_none());
    let Some((start, _)) = typed else { return of_bare(text, refusal) };
    let (start, text) = text.split_at(start.len());
    let position = refusal.position.and_then(|at| at.checked_sub(start.len()));
    let mut found = of_bare(text, &Refusal { position, ..refusal.clone() });
    found.iter_mut().for_each(|it| it.text.insert_str(0, start));
    found
}

/// Finds IDs that a text without a prefix might have been.
fn of_bare(text: &str, refusal: &Refusal) -> Vec<Suggestion> {
    let spec = refusal.spec;
    let mut found: Vec<Suggestion> = vec![];
    let mut add = |text: String, why: String| {
        if is_plausible(spec, &text) && !found.iter().any(|it| it.text == text) {
            found.push(Suggestion { spec, text, why });
        }
    };
    if let Some(inner) = &refusal.inner {
        let is_within = text.contains(&**inner);
        let what = if is_within { "what is around it" } else { "the characters that are not digits" };
        add(inner.clone(), format!("without {what}"));
        return found;
    }
    let is_wrong = |at: usize, character: char| {
        // Only an error of the parser shows that it refuses the character at a place.
        Some(at) == refusal.position || !character.is_ascii_alphanumeric()
    };
    let without: String =
        text.char_indices().filter(|&(at, it)| !is_wrong(at, it)).map(|(_, it)| it).collect();
    if without.len() < text.len() {
        add(without, "without the characters that are not digits".to_owned());
    }
    match refusal.kind {
        ParseErrorKind::Character => replaced(spec, text, &mut add),
        ParseErrorKind::Check => mistyped_check(text, &mut add),
        ParseErrorKind::Length if text.is_ascii() && spec == Spec::Euid => doubled(text, &mut add),
        _ => {}
    }
    if found.is_empty() && refusal.kind == ParseErrorKind::Character {
        found.extend(refusal.position.into_iter().flat_map(|at| unknown(spec, text, at)));
    }
    found
}

fn parse(spec: Spec, text: &str) -> Option<AnyId> {
    AnyId::parse(spec, text).ok()
}

fn is_plausible(spec: Spec, text: &str) -> bool {
    parse(spec, text).and_then(|id| id.unix_micros()).is_some_and(|time| PLAUSIBLE.contains(&time))
}

/// Replaces each wrong character by a digit that it looks like.
fn replaced(spec: Spec, text: &str, add: &mut impl FnMut(String, String)) {
    let mut fixed = text.to_owned();
    let mut changes = vec![];
    // Each round replaces the first wrong character.
    while let Err(error) = AnyId::parse(spec, &fixed) {
        let Some(at) = error.position().filter(|_| changes.len() < 4) else { return };
        let Some(wrong) = fixed[at..].chars().next() else { return };
        let Some(right) = look_alikes(wrong).find(|&right| {
            let next = replaced_at(&fixed, at, right);
            AnyId::parse(spec, &next).map_or_else(|error| error.position() > Some(at), |_| true)
        }) else {
            return;
        };
        fixed = replaced_at(&fixed, at, right);
        changes.push(format!("{right} instead of {wrong}"));
    }
    add(fixed, changes.join(", "));
}

fn look_alikes(character: char) -> impl Iterator<Item = char> {
    LOOK_ALIKE
        .into_iter()
        .filter(move |group| group.contains(character))
        .flat_map(str::chars)
        .filter(move |&other| !other.eq_ignore_ascii_case(&character))
}

fn replaced_at(text: &str, at: usize, right: char) -> String {
    let rest = text[at..].chars().as_str();
    let wrong = rest.chars().next().map_or(0, char::len_utf8);
    format!("{}{right}{}", &text[..at], &rest[wrong..])
}

/// Undoes the usual mistakes of typing until the check of an EUID is right: two neighbours that were swapped, and characters
/// that look alike.
fn mistyped_check(text: &str, add: &mut impl FnMut(String, String)) {
    let has_check = |text: &str| Euid::parse_with_check(text).is_ok();
    let bytes = text.as_bytes();
    for at in 1..bytes.len() {
        let mut swapped = bytes.to_vec();
        swapped.swap(at - 1, at);
        let Ok(swapped) = String::from_utf8(swapped) else { continue };
        if swapped != text && has_check(&swapped) {
            let [first, second] = [bytes[at - 1], bytes[at]].map(char::from);
            add(swapped, format!("{second}{first} instead of {first}{second}, and the check is right"));
        }
    }
    for (at, wrong) in text.char_indices() {
        for right in look_alikes(wrong) {
            let fixed = replaced_at(text, at, right);
            if has_check(&fixed) {
                let position = at + 1;
                add(
                    fixed,
                    format!("{right} instead of {wrong} as character {position}, and the check is right"),
                );
            }
        }
    }
}

/// Leaves out one character of a text that has one too many, if the check of the EUID is right then.
fn doubled(text: &str, add: &mut impl FnMut(String, String)) {
    for at in 0..text.len() {
        let fixed = format!("{}{}", &text[..at], &text[at + 1..]);
        if Euid::parse_with_check(&fixed).is_ok() {
            let extra = &text[at..=at];
            add(fixed, format!("without one {extra}, and the check is right"));
        }
    }
}

/// A text with one character that cannot be known, if the time of the ID does not depend on this character.
fn unknown(spec: Spec, text: &str, at: usize) -> Option<Suggestion> {
    // The digits of all alphabets are between these.
    let ids: Vec<_> = ('0'..='z').filter_map(|digit| parse(spec, &replaced_at(text, at, digit))).collect();
    let time = ids.first()?.unix_micros().filter(|time| PLAUSIBLE.contains(time))?;
    ids.iter().all(|id| id.unix_micros() == Some(time)).then(|| Suggestion {
        spec,
        text: replaced_at(text, at, '?'),
        why: "the time does not depend on the wrong character".to_owned(),
    })
}
