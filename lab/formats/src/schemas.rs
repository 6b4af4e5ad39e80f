//! The schema of each form allows the JSON that the form writes, and no JSON of the other forms.

#![allow(dead_code, reason = "derives read the definitions")]

use crate::values::{ids, scru160::UserId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sortid::{AsText, euid::Euid, ulid_flake::UlidFlake};
use sortid_core::serde as forms;

/// The forms, as `schemars` finds them.
#[derive(Serialize, JsonSchema)]
struct Found {
    natural: Euid,
    as_text: AsText<Euid>,
    #[serde(with = "forms::text")]
    text: Euid,
    #[serde(with = "forms::text")]
    user: UserId,
    #[serde(with = "forms::hex")]
    hex: Euid,
    #[serde(with = "forms::bytes")]
    bytes: Euid,
    #[serde(with = "forms::array")]
    array: Euid,
    #[serde(with = "forms::integer")]
    integer: Euid,
    #[serde(with = "forms::integer")]
    small_integer: UlidFlake,
    #[serde(with = "forms::decimal")]
    decimal: Euid,
    #[serde(with = "forms::decimal")]
    small_decimal: UlidFlake,
    #[serde(with = "forms::hyphenated")]
    hyphenated: Euid,
    #[serde(with = "forms::text_or_hyphenated")]
    both: Euid,
    #[serde(with = "forms::text")]
    maybe_text: Option<UserId>,
    #[serde(with = "forms::hex")]
    maybe_hex: Option<Euid>,
    #[serde(with = "forms::bytes")]
    maybe_bytes: Option<Euid>,
    #[serde(with = "forms::array")]
    maybe_array: Option<Euid>,
    #[serde(with = "forms::integer")]
    maybe_integer: Option<UlidFlake>,
    #[serde(with = "forms::decimal")]
    maybe_decimal: Option<UlidFlake>,
    #[serde(with = "forms::hyphenated")]
    maybe_hyphenated: Option<Euid>,
    #[serde(with = "forms::text_or_hyphenated")]
    maybe_both: Option<Euid>,
}

/// The same, each with the type of its ID.
#[derive(JsonSchema)]
struct Named {
    natural: Euid,
    as_text: AsText<Euid>,
    text: forms::text<Euid>,
    user: forms::text<UserId>,
    hex: forms::hex<Euid>,
    bytes: forms::bytes<Euid>,
    array: forms::array<Euid>,
    integer: forms::integer<Euid>,
    small_integer: forms::integer<UlidFlake>,
    decimal: forms::decimal<Euid>,
    small_decimal: forms::decimal<UlidFlake>,
    hyphenated: forms::hyphenated<Euid>,
    both: forms::text_or_hyphenated<Euid>,
    maybe_text: Option<forms::text<UserId>>,
    maybe_hex: Option<forms::hex<Euid>>,
    maybe_bytes: Option<forms::bytes<Euid>>,
    maybe_array: Option<forms::array<Euid>>,
    maybe_integer: Option<forms::integer<UlidFlake>>,
    maybe_decimal: Option<forms::decimal<UlidFlake>>,
    maybe_hyphenated: Option<forms::hyphenated<Euid>>,
    maybe_both: Option<forms::text_or_hyphenated<Euid>>,
}

/// The same with a version of utoipa.
macro_rules! openapi {
    ($($library:ident)*) => {
        $(mod $library {
            use super::{AsText, Euid, UlidFlake, UserId, Value, forms};
            use ::$library as utoipa;
            use utoipa::{OpenApi, ToSchema};

            #[derive(ToSchema)]
            struct Named {
                natural: Euid,
                as_text: AsText<Euid>,
                #[schema(value_type = forms::text<Euid>)]
                text: Euid,
                #[schema(value_type = forms::text<UserId>)]
                user: UserId,
                #[schema(value_type = forms::hex<Euid>)]
                hex: Euid,
                #[schema(value_type = forms::bytes<Euid>)]
                bytes: Euid,
                #[schema(value_type = forms::array<Euid>)]
                array: Euid,
                #[schema(value_type = forms::integer<Euid>)]
                integer: Euid,
                #[schema(value_type = forms::integer<UlidFlake>)]
                small_integer: UlidFlake,
                #[schema(value_type = forms::decimal<Euid>)]
                decimal: Euid,
                #[schema(value_type = forms::decimal<UlidFlake>)]
                small_decimal: UlidFlake,
                #[schema(value_type = forms::hyphenated<Euid>)]
                hyphenated: Euid,
                #[schema(value_type = forms::text_or_hyphenated<Euid>)]
                both: Euid,
                #[schema(value_type = Option<forms::text<UserId>>)]
                maybe_text: Option<UserId>,
                #[schema(value_type = Option<forms::hex<Euid>>)]
                maybe_hex: Option<Euid>,
                #[schema(value_type = Option<forms::bytes<Euid>>)]
                maybe_bytes: Option<Euid>,
                #[schema(value_type = Option<forms::array<Euid>>)]
                maybe_array: Option<Euid>,
                #[schema(value_type = Option<forms::integer<UlidFlake>>)]
                maybe_integer: Option<UlidFlake>,
                #[schema(value_type = Option<forms::decimal<UlidFlake>>)]
                maybe_decimal: Option<UlidFlake>,
                #[schema(value_type = Option<forms::hyphenated<Euid>>)]
                maybe_hyphenated: Option<Euid>,
                #[schema(value_type = Option<forms::text_or_hyphenated<Euid>>)]
                maybe_both: Option<Euid>,
            }

            #[derive(OpenApi)]
            #[openapi(components(schemas(Named)))]
            struct Api;

            pub(super) fn document() -> Value {
                serde_json::to_value(Api::openapi()).unwrap()
            }
        })*
    };
}

openapi! { utoipa5 utoipa6 }

fn written(id: Euid, small: UlidFlake, user: UserId, is_some: bool) -> Map<String, Value> {
    let maybe = is_some.then_some(id);
    let maybe_small = is_some.then_some(small);
    let found = Found {
        natural: id,
        as_text: AsText(id),
        text: id,
        user,
        hex: id,
        bytes: id,
        array: id,
        integer: id,
        small_integer: small,
        decimal: id,
        small_decimal: small,
        hyphenated: id,
        both: id,
        maybe_text: is_some.then_some(user),
        maybe_hex: maybe,
        maybe_bytes: maybe,
        maybe_array: maybe,
        maybe_integer: maybe_small,
        maybe_decimal: maybe_small,
        maybe_hyphenated: maybe,
        maybe_both: maybe,
    };
    match serde_json::to_value(&found).unwrap() {
        Value::Object(members) => members,
        other => panic!("{other}"),
    }
}

/// What the form of a field writes.
fn written_as(field: &str) -> &str {
    match field.trim_start_matches("maybe_") {
        "natural" | "as_text" | "both" => "text",
        "text" if field == "maybe_text" => "user",
        "integer" if field == "maybe_integer" => "small_integer",
        "array" => "bytes",
        "integer" | "small_decimal" => "decimal",
        other => other,
    }
}

/// Whether the schema of a field may allow what another one writes.
fn may_allow(field: &str, written: &str, is_exact: bool) -> bool {
    written_as(field) == written
        || match (field.trim_start_matches("maybe_"), written) {
            ("both", "hyphenated")
            | ("hex", "decimal")
            | ("decimal" | "small_decimal" | "integer", "hex") => true,
            // The schema does not know which ID it is.
            ("text" | "user" | "both", _)
            | ("integer" | "small_integer", "decimal" | "small_integer" | "hex") => !is_exact,
            _ => false,
        }
}

/// Checks the schemas of all fields, which are in `document` at `fields`.
fn check(document: &Value, fields: &str, is_exact: bool) {
    let rows: Vec<_> = ids::<Euid>()
        .into_iter()
        .zip(ids::<UlidFlake>())
        .zip(ids::<UserId>())
        .flat_map(|((id, small), user)| [true, false].map(|is_some| written(id, small, user, is_some)))
        .collect();
    for field in rows[0].keys() {
        let mut schema = document.pointer(&format!("{fields}/{field}")).unwrap().clone();
        for definitions in ["$defs", "components"] {
            schema[definitions] = document[definitions].clone();
        }
        schema.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let schema = jsonschema::validator_for(&schema).unwrap();
        for row in &rows {
            assert!(schema.is_valid(&row[field]), "{field}: {}", row[field]);
            for (other, value) in row.iter().filter(|(_, value)| !value.is_null()) {
                let may_allow = may_allow(field, written_as(other), is_exact);
                assert!(may_allow || !schema.is_valid(value), "{field}: {value} of {other}");
            }
        }
        if is_exact {
            assert_eq!(schema.is_valid(&Value::Null), field.starts_with("maybe_"), "{field}");
        }
        assert!(
            !schema.is_valid(&json!(1.5)) && !schema.is_valid(&json!({})) && !schema.is_valid(&json!([256]))
        );
    }
}

#[test]
fn schemars_finds_the_form_of_a_field() {
    check(&schemars::schema_for!(Found).to_value(), "/properties", false);
}

#[test]
fn a_form_of_an_id_has_an_exact_json_schema() {
    check(&schemars::schema_for!(Named).to_value(), "/properties", true);
}

#[test]
fn a_form_of_an_id_has_an_exact_schema_in_openapi() {
    for document in [utoipa5::document(), utoipa6::document()] {
        check(&document, "/components/schemas/Named/properties", true);
    }
}
