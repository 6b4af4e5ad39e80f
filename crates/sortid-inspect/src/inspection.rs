use crate::{
    Description, Form, Input, Options, Refusal, Suggestion, describe,
    kinds::{of_integer, of_text, of_uuid},
    reading::{self, Found, Guess, is_plausible},
    spec::describe_text,
    suggest::suggest,
};
use sortid::{AnyId, Spec};

/// What a text can be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inspection<'a> {
    /// The IDs that the text can be, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// Why each specification does not accept the text, if none does.
    pub refusals: Vec<Refusal>,
    input: Input<'a>,
    is_of_any: bool,
}

impl Inspection<'_> {
    /// Returns what else the text is likely to be: an ID of another kind, such as a UUID of version 7.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        if self.candidates.is_empty() {
            let kind = of_text(self.input.bytes());
            let kind = kind.map(|kind| format!("it looks like {kind}, which is another kind of ID"));
            return kind.or_else(|| reading::in_base64(self.input.bytes()));
        }
        if let [Candidate { form: Form::Int, description, .. }, ..] = &self.candidates[..]
            && let (AnyId::UlidFlake(id), Some(time)) = (description.id, description.unix_micros)
        {
            return of_integer(id.to_int() as u64, time);
        }
        let is_ours = self.candidates.iter().filter_map(|it| it.guess.as_ref()).any(Guess::is_plausible);
        self.is_of_any.then(|| of_uuid(self.input.bytes(), is_ours)).flatten()
    }

    /// Returns IDs that the text might have been before someone mistyped it, or a program added something to it. Empty if the
    /// text can be an ID with a time from 2000 to 2099.
    ///
    /// Each suggestion has such a time. A suggestion is a guess, even if its check is right: one text in 127 has the right check
    /// by chance. One mistake in an EUID can lead to several suggestions.
    ///
    /// ```
    /// use sortid_inspect::{Options, inspect};
    ///
    /// let suggestion = |text| inspect(text, &Options::default()).suggestions().swap_remove(0);
    /// let inner = suggestion(r#""00CMXB6TAK4SA","#);
    /// assert_eq!((&*inner.text, &*inner.why), ("00CMXB6TAK4SA", "without what is around it"));
    ///
    /// let unknown = suggestion("05TTUP1HNCPNA1QHTDHRTCU3V32PD7CW");
    /// assert_eq!(unknown.text, "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C?");
    /// assert_eq!(unknown.why, "the time does not depend on the wrong character");
    /// ```
    #[must_use]
    pub fn suggestions(&self) -> Vec<Suggestion> {
        if self.candidates.iter().any(|it| is_plausible(it.description.id)) {
            return vec![];
        }
        let Ok(text) = std::str::from_utf8(self.input.bytes()) else { return vec![] };
        if self.candidates.is_empty() || !self.is_of_any {
            return suggest(text, &self.refusals);
        }
        let refusals = Spec::ALL.iter().filter_map(|&spec| reading::read(spec, None, None, self.input).err());
        suggest(text, &refusals.collect::<Vec<_>>())
    }
}

/// An ID that a text can be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The form that the ID was read from.
    pub form: Form,
    /// The ID and its fields.
    pub description: Description,
    guess: Option<Guess>,
}

impl Candidate {
    /// Returns why the text is taken for this ID: `32 hex digits, a time from 2000 to 2099`. `None` if that needs no reason: the
    /// specification was given, or the text has letters that only this specification allows.
    #[must_use]
    pub fn reasons(&self) -> Option<String> {
        self.guess.as_ref().map(Guess::reasons)
    }
}

/// Finds what a text can be: the ID of each specification that it fits, in each form.
///
/// A text can be the text of an ID, or what a column of a database prints. The forms are tried in this order: text; UUID, with
/// or without braces; decimal digits that do not begin with 0, at least 20 for IDs of 128 bits; as many hex digits as the ID
/// has, or hex digits after `\x` or `0x`.
///
/// ```
/// use sortid_inspect::{Form, Options, inspect};
///
/// let inspection = inspect("14246757444195114", &Options::default());
/// let [candidate] = &inspection.candidates[..] else { panic!("expected one candidate") };
/// assert_eq!(candidate.form, Form::Int);
/// assert_eq!(candidate.description.text.as_str(), "00CMXB6TAK4SA");
///
/// let inspection = inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV", &Options::default());
/// assert!(inspection.candidates.is_empty());
/// assert_eq!(inspection.note().unwrap(), "it looks like a ULID, which is another kind of ID");
/// ```
#[must_use]
pub fn inspect<'a>(input: impl Into<Input<'a>>, options: &Options) -> Inspection<'a> {
    inspect_as(input.into(), None, None, options)
}

/// As [`inspect`], for the IDs of one specification, or in one form.
#[must_use]
pub fn inspect_as<'a>(
    input: Input<'a>,
    spec: Option<Spec>,
    from: Option<Form>,
    options: &Options,
) -> Inspection<'a> {
    let is_of_any = spec.is_none();
    let mut inspection = Inspection { candidates: vec![], refusals: vec![], input, is_of_any };
    let candidate = |found: Found, guess: Option<Guess>| {
        let description = match found.form {
            Form::Text => describe_text(found, input.bytes(), options),
            _ => describe(found.id, options),
        };
        Candidate { form: found.form, description, guess }
    };
    let prefix = options.prefix.as_ref();
    let read = |spec| reading::read(spec, from, prefix, input);
    let is_any = spec.is_none() && from.is_none() && prefix.is_none();
    let only = if is_any { reading::find_one(input.bytes()) } else { None };
    match (spec, only) {
        (Some(spec), _) => match read(spec) {
            Ok(found) => {
                inspection.candidates = vec![candidate(found, None)];
                if from.is_none() && found.prefix_len == 0 {
                    let others = reading::others(found.id, found.form, input);
                    inspection.candidates.extend(others.map(|found| candidate(found, None)));
                }
            }
            Err(refusal) => inspection.refusals.push(refusal),
        },
        (None, Some(found)) => inspection.candidates = vec![candidate(found, None)],
        (None, None) => {
            let guesses = match prefix {
                Some(prefix) => reading::find_typed(prefix, input.bytes()),
                None => reading::find(from, input.bytes()),
            };
            inspection
                .candidates
                .extend(guesses.into_iter().map(|guess| candidate(guess.found(), Some(guess))));
            if inspection.candidates.is_empty() {
                let refusal = |&spec| read(spec).err().unwrap_or_else(|| reading::leading_zero(spec, input));
                inspection.refusals.extend(Spec::ALL.iter().map(refusal));
            }
        }
    }
    inspection
}
