//! What a text can be, and why it is not an ID.

use crate::{
    failure::{Failure, ok},
    json::Json,
    spec,
};
use sortid::{ron_uid::ReplicaScheme, ulid_flake::Epoch};
use sortid_inspect::{Candidate, Field, Form, Input, Options, Prefix, Refusal, Value, details, inspect_as};
use sortid_sql::{Database, RangeQuery};
use wasm_bindgen::prelude::*;

/// The greatest integer up to which JavaScript's numbers have all integers exactly.
const GREATEST: u64 = (1 << 53) - 1;

fn form(number: i32) -> Option<Form> {
    usize::try_from(number).ok().and_then(|number| Form::ALL.get(number).copied())
}

/// Returns what a text can be, as JSON. `text` can be the beginning of it; `len` is the number of all its bytes.
/// Numbers of −1 stand for any specification and any form. The epoch of NaN is the default.
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
        json.name("suggestions").array(inspection.suggestions(), |json, suggestion| {
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
        ..Options::default()
    })
}

fn candidate(json: &mut Json, candidate: &Candidate, options: &Options) {
    let description = &candidate.description;
    json.object(|json| {
        json.name("spec").string(description.id.spec().name());
        json.name("id").bytes(description.id.as_bytes());
        json.name("form").string(candidate.form.name());
        json.text("prefix", description.prefix.as_ref().map(Prefix::as_str));
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

/// The SQL of a query for the rows between IDs with these bytes.
#[wasm_bindgen(js_name = rangeQuery)]
pub fn range_query(
    number: u32,
    database: &str,
    table: &str,
    column: &str,
    least: &[u8],
    greatest: &[u8],
) -> Option<String> {
    let query = || {
        let database = Database::ALL.into_iter().find(|it| it.name() == database);
        let names = || Database::ALL.map(Database::name).join(", ");
        let database =
            database.ok_or_else(|| Failure::option(format!("database: expected one of {}", names())))?;
        let spec = spec(number);
        let in_sql = sortid_sql::Spec::named(spec.name());
        let spec =
            in_sql.ok_or_else(|| Failure::option(format!("{} has no functions in SQL", spec.title())))?;
        let query = RangeQuery::new(database, spec, table, column).least(least).greatest(greatest);
        query.sql().map_err(|error| Failure::option(error.to_string()))
    };
    ok(query())
}
