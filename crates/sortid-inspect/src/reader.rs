//! Reading an ID of a given specification.

use crate::{
    Input, Prefix,
    form::{Form, FormError},
};
use sortid::{__private::typed_id, AnyId, ParseError, ParseErrorKind, Spec};

/// The forms other than the text, in the order in which they are tried.
pub(crate) const OF_COLUMNS: [Form; 3] = [Form::Uuid, Form::Int, Form::Hex];

/// An ID, and the form that it was read from.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The ID.
    pub id: AnyId,
    /// The form that the ID was read from.
    pub form: Form,
    /// How many bytes of the text are before the ID: the prefix of a typed ID and its `_`.
    pub prefix_len: usize,
}

/// As [`reading::read`](crate::__private::reading::read), but the error says only what is wrong.
#[inline]
pub(crate) fn read(
    spec: Spec,
    from: Option<Form>,
    prefix: Option<&Prefix>,
    input: Input<'_>,
) -> Result<Found, FormError> {
    if let Some(prefix) = prefix {
        return read_after(prefix.start(), spec, prefix.strip(input.bytes())?);
    }
    if matches!(from, None | Some(Form::Text)) {
        match AnyId::parse_ascii(spec, input.bytes()) {
            Ok(id) => return Ok(Found { id, form: Form::Text, prefix_len: 0 }),
            Err(error) => {
                if let Some(typed) = read_typed(spec, input) {
                    return typed;
                }
                let form = if from.is_none() { first(spec, input, &error) } else { None };
                return match form {
                    Some(form) => read_form(spec, form, input),
                    None => Err(error.into()),
                };
            }
        }
    }
    read_form(spec, from.unwrap_or(Form::Text), input)
}

/// Reads the text of a typed ID, if there is a prefix before a text of the right length. In RON UIDs, `_` is a digit.
#[cold]
fn read_typed(spec: Spec, input: Input<'_>) -> Option<Result<Found, FormError>> {
    if spec == Spec::RonUid {
        return None;
    }
    let (start, text) = typed_id::split(input.bytes())?;
    let read = read_after(std::str::from_utf8(start).ok()?, spec, text);
    (!read.as_ref().is_err_and(|error| error.kind == ParseErrorKind::Length)).then_some(read)
}

/// Reads what follows a prefix and its `_`.
fn read_after(start: &str, spec: Spec, text: &[u8]) -> Result<Found, FormError> {
    match AnyId::parse_ascii(spec, text) {
        Ok(id) => Ok(Found { id, form: Form::Text, prefix_len: start.len() }),
        Err(error) => Err(FormError::after_prefix(error, start)),
    }
}

/// The first form of columns that a line can have if it is refused as a text with this error.
#[cold]
fn first(spec: Spec, input: Input<'_>, error: &ParseError) -> Option<Form> {
    if is_text(spec, error) || input.is_cut() {
        return None;
    }
    OF_COLUMNS.into_iter().find(|form| form.fits(input.bytes(), spec.bytes()))
}

/// Whether a line that is refused with this error is as long as the text of an ID.
pub(crate) fn is_text(spec: Spec, error: &ParseError) -> bool {
    error.kind() != ParseErrorKind::Length && spec != Spec::RonUid
}

#[cold]
fn read_form(spec: Spec, form: Form, input: Input<'_>) -> Result<Found, FormError> {
    let id = match form.reader() {
        None => AnyId::parse_ascii(spec, input.bytes())?,
        Some(read) => {
            let mut room = [0; 20];
            let bytes = &mut room[..spec.bytes()];
            read(input.bytes(), bytes)?;
            AnyId::try_from_bytes(spec, bytes)?
        }
    };
    Ok(Found { id, form, prefix_len: 0 })
}
