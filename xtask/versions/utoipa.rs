//! A user's crate with one version of utoipa.

#![allow(dead_code, reason = "derives read the definitions")]

use euid::{AsText, Euid};
use utoipa::{OpenApi, ToSchema};

euid::typed_id! {
    #[prefix = "user"]
    pub struct UserId;
}

#[derive(serde::Serialize, ToSchema)]
struct Order {
    id: Euid,
    by: Option<UserId>,
    text: AsText<Euid>,
    #[serde(with = "euid::serde::hyphenated")]
    #[schema(value_type = euid::serde::hyphenated<Euid>)]
    uuid: Euid,
}

#[derive(OpenApi)]
#[openapi(components(schemas(Order)))]
struct Api;

#[test]
fn each_field_has_the_schema_of_its_form() {
    let document = serde_json::to_value(Api::openapi()).unwrap();
    let schemas = &document["components"]["schemas"];
    assert!(schemas["Euid"]["pattern"].is_string() && schemas["UserId"]["pattern"].is_string(), "{schemas}");
    let fields = schemas["Order"]["properties"].to_string();
    assert!(fields.contains("Euid") && fields.contains("UserId") && fields.contains("Hyphenated_Euid"), "{fields}");
}
