//! Reading an ID in the form that a line has: its text, or what columns of databases print.

// A line as long as the text of its specification is read as text, valid or not: otherwise a damaged text could
// become an integer. An integer does not begin with 0, because the hex digits of Ulid-Flakes do until 2058. base64url
// has no signs of its own, and one in 16 beginnings of an EUID is valid base64url. So only `convert` guesses this
// form.
//
// `convert` turns the bytes of an unknown specification into other bytes, and into text only if their length is
// unique: a script would not notice a wrong guess. Without `--spec`, a text needs a reason, because any word could be
// a RON UID, and a typing mistake would become one.

pub use crate::reader::Found;
use crate::{
    Input, Prefix,
    form::{Form, FormError},
    reader::{self, OF_COLUMNS, is_text},
    refusal::Refusal,
};
use sortid::{AnyId, Candidate, Reason, Spec, detect, detect_bytes};
use std::{cmp::Reverse, slice};

/// The lengths of IDs in bytes.
const LENGTHS: [usize; 3] = [8, 16, 20];

/// An ID that a line can be, whose specification was not given.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    candidate: Candidate,
    form: Form,
    prefix_len: usize,
}

impl Guess {
    const fn of_text(candidate: Candidate) -> Self {
        Self { candidate, form: Form::Text, prefix_len: candidate.prefix_len() }
    }

    /// Returns the ID and its form.
    #[must_use]
    pub const fn found(&self) -> Found {
        Found { id: self.candidate.id(), form: self.form, prefix_len: self.prefix_len }
    }

    /// How likely the text or the hex digits are this ID, counted as in [`Candidate::weight`].
    fn weight(&self) -> u32 {
        let weight = self.candidate.weight();
        match self.form {
            // Two bits a digit, as `detect` counts.
            Form::Hex => weight + 4 * self.candidate.id().as_bytes().len() as u32,
            _ => weight,
        }
    }

    /// Whether the line is more than a word.
    #[must_use]
    pub fn is_likely(&self) -> bool {
        self.is_plausible() || self.form == Form::Text && self.weight() > 0
    }

    /// Whether the ID has a time from 2000 to 2099.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        has_time(&self.candidate)
    }

    /// Why the line is taken for this ID: `32 hex digits, a time from 2000 to 2099`.
    #[must_use]
    pub fn reasons(&self) -> String {
        let form = match self.form {
            Form::Text => None,
            Form::Base64url => Some("base64url".to_owned()),
            Form::Uuid => Some("a UUID".to_owned()),
            Form::Int => Some("an integer".to_owned()),
            Form::Hex => Some(format!("the hex digits of {} bytes", self.candidate.id().as_bytes().len())),
        };
        let reasons = self.candidate.reasons().map(|reason| reason.to_string());
        form.into_iter().chain(reasons).collect::<Vec<_>>().join(", ")
    }
}

/// Reads a line as an ID of this specification: in the form `from`, or in the first one that fits.
///
/// A line as long as the text is read as text, valid or not. RON UIDs have no fixed length. With a prefix, the line is the
/// text of a typed ID.
///
/// # Errors
///
/// Why the line is not an ID in this form.
#[inline]
pub fn read(
    spec: Spec,
    from: Option<Form>,
    prefix: Option<&Prefix>,
    input: Input<'_>,
) -> Result<Found, Refusal> {
    reader::read(spec, from, prefix, input).map_err(|error| Refusal::new(spec, input, error))
}

/// What else a line can be that was read as `id` in the form `from`: another ID of the same specification, with a plausible
/// time, in another form.
pub fn others(id: AnyId, from: Form, input: Input<'_>) -> impl Iterator<Item = Found> {
    let spec = id.spec();
    OF_COLUMNS
        .into_iter()
        .filter(move |&form| form != from && form.fits(input.bytes(), spec.bytes()))
        .filter_map(move |form| reader::read(spec, Some(form), None, input).ok())
        .filter(move |other| other.id != id && is_plausible(other.id))
}

/// Whether the ID has a time from 2000 to 2099.
#[must_use]
pub fn is_plausible(id: AnyId) -> bool {
    detect_bytes(id).any(|candidate| candidate.id() == id && has_time(&candidate))
}

/// The form in which a line shows the bytes of an ID, if it looks like one.
#[must_use]
pub fn form_of_bytes(text: &[u8]) -> Option<Form> {
    if !may_show_bytes(text) {
        return None;
    }
    OF_COLUMNS.into_iter().find(|form| LENGTHS.iter().any(|&len| form.fits(text, len)))
}

/// Whether a line has no other characters than UUIDs, integers and hex digits have. Most texts are sorted out here.
fn may_show_bytes(text: &[u8]) -> bool {
    text.iter().all(|byte| {
        byte.is_ascii_hexdigit()
            || matches!(byte, b'\\' | b'x' | b'X' | b'{' | b'}' | b'-' | b':')
            || matches!(byte.to_ascii_lowercase(), b'u' | b'r' | b'n' | b'i')
    })
}

/// The ID of a line that can be nothing else: the usual case, found with less work than by [`find`].
#[must_use]
pub fn find_one(text: &[u8]) -> Option<Found> {
    if may_show_bytes(text) {
        return None;
    }
    let mut ids = Spec::ALL.iter().filter_map(|&spec| AnyId::parse_ascii(spec, text).ok());
    let id = ids.next()?;
    ids.next().is_none().then_some(Found { id, form: Form::Text, prefix_len: 0 })
}

/// Finds the IDs that a line can be, of any specification, the likeliest first.
///
/// Texts come before other forms, except that hex digits count as much as the digits of a text. Other forms without a
/// plausible time count only if there is nothing else.
pub fn find(from: Option<Form>, text: &[u8]) -> Vec<Guess> {
    let mut texts = vec![];
    if matches!(from, None | Some(Form::Text)) {
        texts.extend(detect(text).map(Guess::of_text));
    }
    // If the line can be a text, other forms count only with a plausible time.
    let is_welcome = |guess: &Guess| texts.is_empty() || guess.is_plausible();
    let mut others = match &from {
        Some(form) => of_bytes(slice::from_ref(form), text, is_welcome),
        None => of_bytes(&OF_COLUMNS, text, |guess| {
            let id = guess.candidate.id();
            let spec = id.spec();
            let is_refused = || AnyId::parse_ascii(spec, text).is_err_and(|error| is_text(spec, &error));
            is_welcome(guess) && !texts.iter().any(|text| text.candidate.id() == id) && !is_refused()
        }),
    };
    if others.is_empty() {
        return texts;
    }
    if others.iter().any(Guess::is_plausible) {
        others.retain(Guess::is_plausible);
    }
    // Decimal digits are an integer rather than hex.
    let is_hex = others.iter().all(|it| it.form == Form::Hex);
    texts.append(&mut others);
    if is_hex {
        texts.sort_by_key(|it| Reverse(it.weight()));
    }
    texts
}

/// Finds the IDs of a line that begins with this prefix, the likeliest first.
#[must_use]
pub fn find_typed(prefix: &Prefix, text: &[u8]) -> Vec<Guess> {
    let Ok(id) = prefix.strip(text) else { return vec![] };
    let bare = detect(id).filter(|candidate| candidate.prefix_len() == 0);
    bare.map(|candidate| Guess { prefix_len: prefix.start().len(), ..Guess::of_text(candidate) }).collect()
}

/// What to do with a text that shows the bytes of a plausible ID in base64, which [`find`] does not try.
pub fn in_base64(text: &[u8]) -> Option<String> {
    let guesses = of_bytes(&[Form::Base64url], text, Guess::is_plausible);
    let len = guesses.first()?.candidate.id().as_bytes().len();
    Some(format!("it looks like the {len} bytes of an ID in base64: to read it, choose the form base64url"))
}

/// Why [`find`] leaves out what [`read`] reads: only an integer of a given specification can begin with 0.
#[must_use]
pub fn leading_zero(spec: Spec, input: Input<'_>) -> Refusal {
    Refusal::new(spec, input, FormError::leading_zero())
}

/// The IDs whose bytes the line shows in one of these forms.
fn of_bytes(forms: &[Form], text: &[u8], is_welcome: impl Fn(&Guess) -> bool) -> Vec<Guess> {
    let mut found = vec![];
    for &form in forms {
        for len in LENGTHS.into_iter().filter(|&len| form.fits(text, len)) {
            let mut room = [0; 20];
            let bytes = &mut room[..len];
            if form.reader().is_some_and(|read| read(text, bytes).is_ok()) {
                let guesses = detect_bytes(bytes).map(|candidate| Guess { candidate, form, prefix_len: 0 });
                found.extend(guesses.filter(|guess| is_welcome(guess)));
            }
        }
    }
    found.sort_by_key(|it| Reverse(it.candidate.weight()));
    found
}

fn has_time(candidate: &Candidate) -> bool {
    candidate.reasons().any(|reason| reason == Reason::Time)
}
