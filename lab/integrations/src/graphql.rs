//! The ID types as scalars of a GraphQL schema.

use async_graphql::{
    EmptyMutation, EmptySubscription, InputType, Object, Request, Response, Schema, Variables,
};
use serde_json::json;
use sortid::{
    SortableId, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};

struct Query;

/// A field for each ID type, with an ID and a list as arguments. The result is the list, with the ID at its end.
#[Object]
impl Query {
    async fn euid(&self, id: Euid, ids: Vec<Option<Euid>>) -> Vec<Option<Euid>> {
        joined(id, ids)
    }

    async fn event_id(&self, id: EventId, ids: Vec<Option<EventId>>) -> Vec<Option<EventId>> {
        joined(id, ids)
    }

    async fn ron_uid(&self, id: RonUid, ids: Vec<Option<RonUid>>) -> Vec<Option<RonUid>> {
        joined(id, ids)
    }

    async fn scru160(&self, id: Scru160, ids: Vec<Option<Scru160>>) -> Vec<Option<Scru160>> {
        joined(id, ids)
    }

    async fn ulid_flake(&self, id: UlidFlake, ids: Vec<Option<UlidFlake>>) -> Vec<Option<UlidFlake>> {
        joined(id, ids)
    }
}

fn joined<I>(id: I, mut ids: Vec<Option<I>>) -> Vec<Option<I>> {
    ids.push(Some(id));
    ids
}

type Service = Schema<Query, EmptyMutation, EmptySubscription>;

fn service() -> Service {
    Schema::new(Query, EmptyMutation, EmptySubscription)
}

fn execute(request: impl Into<Request>) -> Response {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(service().execute(request))
}

fn is_a_scalar<I: SortableId + InputType>(field: &str) {
    let name = I::type_name();
    assert!(service().sdl().lines().any(|line| line == format!("scalar {name}")), "{}", service().sdl());

    let (least, greatest) = (I::MIN.to_string(), I::MAX.to_string());
    // A literal, and a variable.
    let literal = execute(format!(r#"{{ {field}(id: "{greatest}", ids: ["{least}", null]) }}"#));
    assert_eq!(
        literal.into_result().unwrap().data.into_json().unwrap()[field],
        json!([least, null, greatest])
    );
    let with_variable = |variable: serde_json::Value| {
        let query = format!("query ($id: {name}!) {{ {field}(id: $id, ids: []) }}");
        execute(Request::new(query).variables(Variables::from_json(json!({ "id": variable }))))
    };
    let answer = with_variable(json!(least)).into_result().unwrap();
    assert_eq!(answer.data.into_json().unwrap()[field], json!([least]));

    for no_id in [json!(1), json!(1.5), json!(true), json!([]), json!({}), json!(null)] {
        let errors = with_variable(no_id.clone()).errors;
        let message = &errors.first().unwrap_or_else(|| panic!("{no_id} is read as an ID")).message;
        let expected = format!("expected the text of {}", sortid_core::__private::integrations::one::<I>());
        assert!(message.contains(&expected) || message.contains(&*name), "{message}");
    }
    let no_text = "?".repeat(50);
    let expected = no_text.parse::<I>().unwrap_err().to_string();
    let message = &with_variable(json!(no_text)).errors[0].message;
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn each_id_type_is_a_scalar_of_its_name() {
    is_a_scalar::<Euid>("euid");
    is_a_scalar::<EventId>("eventId");
    is_a_scalar::<RonUid>("ronUid");
    is_a_scalar::<Scru160>("scru160");
    is_a_scalar::<UlidFlake>("ulidFlake");
}
