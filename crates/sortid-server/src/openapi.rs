//! The OpenAPI document, made from the paths, the parameters and the types of the code.

use crate::{
    app::{self, GOOD, MEDIA_TYPES, Readiness},
    metrics,
    problem::{self, Body},
    query::{Kind, MOST, Parameter},
};
use sortid::Spec;
use std::sync::LazyLock;
use utoipa::{
    PartialSchema as _,
    openapi::{
        Components, Content, Info, OpenApi, OpenApiBuilder, PathItem, Paths, Ref, Required, Response, Type,
        path::{HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn},
        schema::{ArrayBuilder, Object, ObjectBuilder},
    },
};

/// The document.
pub(crate) fn document() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| open_api().to_pretty_json().unwrap_or_default() + "\n");
    &TEXT
}

fn open_api() -> OpenApi {
    let [text, json, lines, bytes] = MEDIA_TYPES;
    let mut paths = Paths::new();
    let mut add = |path: &str, operation: OperationBuilder| {
        paths.paths.insert(path.to_owned(), PathItem::new(HttpMethod::Get, operation.build()));
    };
    for &spec in Spec::ALL {
        let title = spec.title();
        let make = operation(format!("make-{spec}"), format!("Makes {title}s"), &app::make_parameters(spec));
        let ids = ObjectBuilder::new()
            .property("spec", string())
            .required("spec")
            .property("ids", ArrayBuilder::new().items(string()))
            .required("ids");
        let made = Response::builder()
            .description("The IDs, in ascending order")
            .content(text, content(string()))
            .content(json, Content::new(Some(ids.build())))
            .content(lines, content(string()))
            .content(bytes, content(string()));
        add(&format!("/v1/{spec}"), make.response(GOOD.as_str(), made.build()));

        let about =
            format!("Reads an ID as one of the {title}s, and prints what sortid inspect --json prints");
        let inspect = operation(format!("inspect-{spec}"), about, &app::inspect_parameters(spec));
        let id = ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path).required(Required::True);
        let id = id.description(Some("The ID")).schema(Some(string()));
        let inspected = answer("What the ID is, or why it is not valid", json, object());
        let inspect = inspect.parameter(id.build()).response(GOOD.as_str(), inspected);
        add(&format!("/v1/{spec}/inspect/{{id}}"), inspect);

        let about = format!("The least and the greatest {title} of a time span");
        let range = operation(format!("range-{spec}"), about, &app::range_parameters(spec));
        let bounds = Response::builder()
            .description("The two IDs, for a query by time")
            .content(text, content(string()))
            .content(json, content(object()))
            .content(bytes, content(string()));
        add(&format!("/v1/{spec}/range"), range.response(GOOD.as_str(), bounds.build()));
    }
    let plain = |id: &str, about: &str, answer: Response| {
        operation(id.to_owned(), about.to_owned(), &[]).response(GOOD.as_str(), answer)
    };
    add("/healthz", plain("health", "Whether the process works", answer("It works", text, string())));
    let ready = Response::builder()
        .description("The server is ready")
        .content(json, Content::new(Some(Ref::from_schema_name("Readiness"))));
    add("/readyz", plain("readiness", "Whether the server can make all IDs that it offers", ready.build()));
    add(
        "/metrics",
        plain("metrics", "Metrics for Prometheus", answer("The metrics", metrics::MEDIA_TYPE, string())),
    );
    add("/openapi.json", plain("openapi", "This document", answer("The document", json, object())));

    let components =
        Components::builder().schema("Problem", Body::schema()).schema("Readiness", Readiness::schema());
    let mut info = Info::new("sortid-server", env!("CARGO_PKG_VERSION"));
    info.description = Some("Time-sortable IDs over HTTP".to_owned());
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components.build())).build()
}

fn string() -> Object {
    ObjectBuilder::new().schema_type(Type::String).build()
}

fn object() -> Object {
    ObjectBuilder::new().schema_type(Type::Object).build()
}

fn content(schema: Object) -> Content {
    Content::new(Some(schema))
}

fn answer(description: &str, media_type: &str, schema: Object) -> Response {
    Response::builder().description(description).content(media_type, content(schema)).build()
}

/// An operation with its parameters, and the problems that it can have.
fn operation(id: String, about: String, parameters: &[&Parameter]) -> OperationBuilder {
    let mut operation = Operation::builder().operation_id(Some(id)).summary(Some(about));
    for Parameter { name, about, kind } in parameters {
        let schema = match kind {
            Kind::Count => ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(1))
                .maximum(Some(MOST))
                .default(Some(1.into())),
            Kind::Flag => ObjectBuilder::new().schema_type(Type::Boolean),
            Kind::Format | Kind::Form => {
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some(kind.names()))
            }
            Kind::Text => ObjectBuilder::new().schema_type(Type::String),
        };
        let parameter = ParameterBuilder::new()
            .name(*name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(*about))
            .schema(Some(schema.build()));
        operation = operation.parameter(parameter.build());
    }
    let problem = Response::builder()
        .description("The request has no result, and the member detail says why")
        .content(problem::MEDIA_TYPE, Content::new(Some(Ref::from_schema_name("Problem"))));
    operation.response("default", problem.build())
}
