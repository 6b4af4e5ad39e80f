//! The answers of `sortid inspect` about a text.

use sortid::{__PLAUSIBLE as PLAUSIBLE, AnyId, Spec, detect};
use sortid_inspect::{Form, Input, Inspection, Options, Refusal, details, inspect, inspect_as};

pub(crate) fn inspection(data: &[u8]) {
    let options = Options::default();
    let found = inspect(data, &options);
    laws(data, &found, &options);
    let texts = found.candidates.iter().filter(|it| it.form == Form::Text).map(|it| it.description.id);
    let mut texts: Vec<_> = texts.map(|id| (id.spec().name(), id)).collect();
    let mut detected: Vec<_> = detect(data).map(|it| (it.id().spec().name(), it.id())).collect();
    texts.sort_by_key(|it| it.0);
    detected.sort_by_key(|it| it.0);
    assert_eq!(texts, detected, "`detect` finds the texts");
    assert_eq!(found.refusals.len(), if found.candidates.is_empty() { Spec::ALL.len() } else { 0 });

    for &spec in Spec::ALL {
        let of_spec = inspect_as(data.into(), Some(spec), None, &options);
        laws(data, &of_spec, &options);
        assert_eq!(of_spec.refusals.len(), usize::from(of_spec.candidates.is_empty()));
        let first = of_spec.candidates.first().map(|it| (it.form, it.description.id));
        if let Ok(id) = AnyId::parse_ascii(spec, data) {
            assert_eq!(first, Some((Form::Text, id)));
        }
        // A candidate that is found without a specification is found with its specification, too.
        for candidate in found.candidates.iter().filter(|it| it.description.id.spec() == spec) {
            let (form, id) = (candidate.form, candidate.description.id);
            let again = inspect_as(data.into(), Some(spec), Some(form), &options);
            assert_eq!(again.candidates.iter().map(|it| it.description.id).collect::<Vec<_>>(), [id]);
        }
    }

    // Only the beginning is known of a text that is too long to keep.
    let cut = inspect(Input::beginning(data, data.len() as u64 + 1), &options);
    let _ = (cut.note(), cut.suggestions());
}

fn laws(text: &[u8], found: &Inspection<'_>, options: &Options) {
    for candidate in &found.candidates {
        let description = &candidate.description;
        let id = description.id;
        assert_eq!(AnyId::parse_ascii(id.spec(), description.text.as_bytes()), Ok(id));
        assert_eq!(description.unix_micros, id.unix_micros());
        assert_eq!(description.time().is_some(), id.unix_micros().is_some());
        let bits: usize = description.fields.iter().map(|field| field.bits).sum();
        assert_eq!(bits, 8 * id.as_bytes().len(), "the fields are all bits of the ID");
        assert!(details(id, options).iter().flatten().all(|text| !text.is_empty()));
        assert!(candidate.reasons().is_none_or(|reasons| !reasons.is_empty()));
        written(candidate.form, text, id, options);
    }
    for refusal in &found.refusals {
        assert!(refusal.position.is_none_or(|at| at < text.len()), "{refusal}");
        if let Some(inner) = &refusal.inner {
            // Something is left out around the ID, or between its digits.
            let mut rest = std::str::from_utf8(text).unwrap().chars();
            assert!(inner.chars().all(|digit| rest.any(|character| character == digit)), "{refusal}");
            assert!(!inspect_as((&**inner).into(), Some(refusal.spec), None, options).candidates.is_empty());
        }
    }
    assert!(Refusal::nearest(&found.refusals).is_none_or(|nearest| found.refusals.contains(nearest)));
    assert!(found.note().is_none_or(|note| !note.is_empty()));
    for suggestion in found.suggestions() {
        // The character that cannot be known can be any, or some of them.
        let is_known = !suggestion.text.contains('?');
        let characters = if is_known { '?'..='?' } else { '0'..='z' };
        let mut ids = characters.filter_map(|character| {
            AnyId::parse(suggestion.spec, &suggestion.text.replace('?', &character.to_string())).ok()
        });
        let time = ids.next().and_then(|id| id.unix_micros());
        assert!(time.is_some_and(|time| PLAUSIBLE.contains(&time)), "{suggestion:?}");
        assert!(!is_known || suggestion.text.as_bytes() != text);
    }
}

/// The ID in each form is read as the same ID.
fn written(from: Form, text: &[u8], id: AnyId, options: &Options) {
    let spec = id.spec();
    for form in Form::ALL {
        let bytes = id.as_bytes();
        let Some(write) = form.writer().filter(|_| form.suits(spec.name(), bytes.len()).is_ok()) else {
            continue;
        };
        let mut written = vec![];
        write(bytes, &mut written);
        let read = inspect_as(written[..].into(), Some(spec), Some(form), options);
        assert_eq!(read.candidates.iter().map(|it| it.description.id).collect::<Vec<_>>(), [id], "{form:?}");
        if form == from {
            assert_eq!(plain(text, form), plain(&written, form), "{form:?}");
        }
    }
}

/// The digits of a form: without what is around them or zeros before them, and in one case.
fn plain(text: &[u8], form: Form) -> Vec<u8> {
    let lower = text.to_ascii_lowercase();
    let starts: &[&[u8]] = match form {
        Form::Hex => &[b"\\\\x", b"\\x", b"0x"],
        Form::Uuid => &[b"urn:uuid:"],
        _ => &[],
    };
    if form == Form::Base64url {
        return text.to_vec();
    }
    let digits = starts.iter().find_map(|start| lower.strip_prefix(*start)).unwrap_or(&lower);
    let digits = digits.iter().filter(|byte| !b"{-}".contains(byte));
    digits.copied().skip_while(|&digit| digit == b'0').collect()
}
