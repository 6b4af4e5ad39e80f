//! What a text can be, and why it is not an ID.

use crate::{
    failure::{Failure, ok},
    json::Json,
    spec, tray,
};
use sortid::{Spec, ron_uid::ReplicaScheme, ulid_flake::Epoch};
use sortid_inspect::{
    __private::reading, Candidate, Field, Form, Input, Options, Refusal, Value, details, inspect_as, suggest,
};
use wasm_bindgen::prelude::*;

/// The greatest integer that JavaScript's numbers have exactly, and all below it.
const GREATEST: u64 = (1 << 53) - 1;

fn form(number: i32) -> Option<Form> {
    usize::try_from(number).ok().and_then(|number| Form::ALL.get(number).copied())
}

/// Reads a text in a form, or in the first one that fits if the number of the form is −1, and puts the ID into the tray.
#[wasm_bindgen(js_name = readForm)]
pub fn read_form(number: u32, form_number: i32, text: &[u8]) -> bool {
    let found = reading::read(spec(number), form(form_number), text.into());
    ok(found).map(|found| tray::put(found.id)).is_some()
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self { kind: refusal.kind.name(), message: refusal.message, index: refusal.position }
    }
}

/// Says what a text can be, as JSON. `text` can be its beginning; `len` is the number of all bytes. Numbers of −1 stand for
/// any specification and any form. The epoch of NaN is the default.
#[wasm_bindgen]
pub fn inspect(
    text: &[u8],
    len: f64,
    spec_number: i32,
    form_number: i32,
    is_scalable: bool,
    epoch: f64,
    scheme: Option<String>,
) -> Option<String> {
    let options = ok(options(is_scalable, epoch, scheme.as_deref()))?;
    let spec = u32::try_from(spec_number).ok().map(spec);
    let input = Input::beginning(text, len as u64);
    let inspection = inspect_as(input, spec, form(form_number), &options);
    let mut json = Json::default();
    json.object(|json| {
        json.name("candidates").array(&inspection.candidates, |json, it| candidate(json, it, &options));
        json.name("refusals").array(&inspection.refusals, refusal);
        json.text("nearest", Refusal::nearest(&inspection.refusals).map(|refusal| refusal.spec.name()));
        json.text("note", inspection.note());
        let suggestions = str::from_utf8(text).map_or(vec![], |text| suggest(text, &inspection.refusals));
        json.name("suggestions").array(suggestions, |json, suggestion| {
            json.object(|json| {
                json.name("text").string(&suggestion.text);
                json.name("spec").string(suggestion.spec.name());
                json.name("why").string(&suggestion.why);
            });
        });
    });
    Some(json.finish())
}

fn options(scalable: bool, epoch: f64, scheme: Option<&str>) -> Result<Options, Failure> {
    Ok(Options {
        replica_scheme: scheme.map(ReplicaScheme::parse).transpose()?,
        scalable,
        epoch: if epoch.is_nan() { Epoch::DEFAULT } else { Epoch::from_unix_millis(epoch as u64)? },
        no_check: false,
    })
}

fn candidate(json: &mut Json, candidate: &Candidate, options: &Options) {
    let description = &candidate.description;
    json.object(|json| {
        json.name("spec").string(description.id.spec().name());
        json.name("id").string(&hex(description.id));
        json.name("form").string(candidate.form.name());
        json.text("time", description.time());
        json.text("reasons", candidate.reasons());
        json.name("fields").array(&description.fields, field);
        json.name("details").array(details(description.id, options), |json, [text, name, value]| {
            json.object(|json| {
                json.name("text").string(&text);
                json.name("name").string(&name);
                json.name("value").string(&value);
            });
        });
    });
}

pub(crate) fn hex(id: sortid::AnyId) -> String {
    let mut text = vec![];
    if let Some(write) = Form::Hex.writer() {
        write(id.as_bytes(), &mut text);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// An integer that JavaScript's numbers may not have is a string in `int`.
fn field(json: &mut Json, field: &Field) {
    json.object(|json| {
        json.name("name").string(field.name);
        match &field.value {
            Value::Null => json.name("value").null(),
            Value::Number(number @ 0..=GREATEST) => json.name("value").number(*number),
            Value::Number(int) | Value::Integer(int) => json.name("int").string(&int.to_string()),
            Value::Text(text) => json.name("value").string(text),
        }
        json.name("bits").number(field.bits as u64);
        if field.bits == 0 {
            json.name("source").string(field.source);
        }
    });
}

fn refusal(json: &mut Json, refusal: &Refusal) {
    json.object(|json| {
        json.name("spec").string(refusal.spec.name());
        json.name("kind").string(refusal.kind.name());
        json.name("message").string(&refusal.message);
        if let Some(position) = refusal.position {
            json.name("index").number(position as u64);
        }
        json.text("inner", refusal.inner.as_ref());
    });
}

/// The SQL of a query for the rows between the ID in the tray and the second one there.
#[wasm_bindgen(js_name = rangeQuery)]
pub fn range_query(number: u32, database: &str, table: &str, column: &str) -> Option<String> {
    let query = || {
        let failed = |message| Failure { kind: "option", message, index: None };
        let database = sortid_sql::Database::ALL.into_iter().find(|it| it.name() == database);
        let names = || sortid_sql::Database::ALL.map(sortid_sql::Database::name).join(", ");
        let database = database.ok_or_else(|| failed(format!("database: expected one of {}", names())))?;
        let (spec, prefix) = match spec(number) {
            Spec::EventlyId => (sortid_sql::Spec::EventId, 16),
            Spec::Scru160 => (sortid_sql::Spec::Scru160, 20),
            Spec::Euid => (sortid_sql::Spec::Euid, 16),
            Spec::UlidFlake => (sortid_sql::Spec::UlidFlake, 8),
            _ => (sortid_sql::Spec::RonUid, 16),
        };
        let (least, greatest) = tray::both();
        let query = sortid_sql::RangeQuery::new(database, spec, table, column);
        let query = query.least(&least[..prefix]).greatest(&greatest[..prefix]);
        query.sql().map_err(|error| failed(error.to_string()))
    };
    ok(query())
}
