//! The ID types in a document of OpenAPI: in a path, in a query, and in a body.

#![allow(dead_code, reason = "utoipa reads the definitions")]

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sortid::{euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake};
use sortid_core::AsText;
use utoipa::{IntoParams, OpenApi, ToSchema};

#[derive(Serialize, Deserialize, ToSchema)]
struct Body {
    euid: Euid,
    event_id: EventId,
    ron_uid: RonUid,
    scru160: Option<Scru160>,
    ulid_flakes: Vec<UlidFlake>,
    #[schema(value_type = UlidFlake)]
    text: AsText<UlidFlake>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Since {
    since: Option<UlidFlake>,
    event: EventId,
}

#[utoipa::path(get, path = "/{id}", params(("id" = Scru160, Path), Since), responses((status = 200, body = Body)))]
fn get() {}

#[derive(OpenApi)]
#[openapi(paths(get))]
struct Api;

/// The schema, or the one that it refers to.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.strip_prefix('#').unwrap()).expect(reference),
        None => schema,
    }
}

#[test]
fn parameters_and_members_have_the_schema_of_the_id() {
    let document = &serde_json::to_value(Api::openapi()).unwrap();
    let titled = |schema: &Value, title: &str| {
        let schema = resolved(document, schema);
        assert_eq!(schema["description"], format!("{title} as text"), "{schema}");
        assert!(schema["pattern"].is_string() && schema["maxLength"].is_number(), "{schema}");
    };

    let parameters = document["paths"]["/{id}"]["get"]["parameters"].as_array().unwrap();
    let parameter = |name: &str| parameters.iter().find(|parameter| parameter["name"] == name).expect(name);
    titled(&parameter("id")["schema"], "SCRU160");
    assert_eq!((&parameter("id")["in"], &parameter("id")["required"]), (&"path".into(), &true.into()));
    titled(&parameter("event")["schema"], "Event ID");
    let since = parameter("since");
    assert_eq!((&since["in"], &since["required"]), (&"query".into(), &false.into()));

    let members = &document["components"]["schemas"]["Body"]["properties"];
    titled(&members["euid"], "EUID");
    titled(&members["event_id"], "Event ID");
    titled(&members["ron_uid"], "RON UID");
    titled(&members["ulid_flakes"]["items"], "Ulid-Flake");
    titled(&members["text"], "Ulid-Flake");
    let names: Vec<_> = document["components"]["schemas"].as_object().unwrap().keys().collect();
    for name in ["Euid", "EventId", "RonUid", "Scru160", "UlidFlake"] {
        assert!(names.iter().any(|found| *found == name), "{name} is missing: {names:?}");
    }
}
