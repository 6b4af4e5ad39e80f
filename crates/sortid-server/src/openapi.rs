//! The OpenAPI document, made from the paths, the parameters and the types of the code.

use crate::{
    app::{self, GOOD, MEDIA_TYPES, Readiness},
    metrics,
    problem::{self, Body},
    query::{Kind, MOST, Parameter, names},
};
use sortid::{Spec, ron_uid::ReplicaScheme};
use sortid_inspect::{
    __private::program::{Format, time::Time},
    Form,
};
use std::sync::LazyLock;
use utoipa::{
    PartialSchema as _,
    openapi::{
        Components, Content, Info, OpenApi, OpenApiBuilder, PathItem, Paths, Ref, Required, Response, Type,
        path::{self, HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn},
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
        let of =
            |all: &[&Parameter]| all.iter().map(|parameter| described(parameter, spec)).collect::<Vec<_>>();
        let make =
            operation(format!("make-{spec}"), format!("Makes {title}s"), of(&app::make_parameters(spec)));
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
        let inspect = operation(format!("inspect-{spec}"), about, of(&app::inspect_parameters(spec)));
        let id = ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path).required(Required::True);
        let id = id
            .description(Some("The ID"))
            .schema(Some(ObjectBuilder::from(string()).min_length(Some(1)).build()));
        let inspected = answer("What the ID is, or why it is not valid", json, object());
        let inspect = inspect.parameter(id.build()).response(GOOD.as_str(), inspected);
        add(&format!("/v1/{spec}/inspect/{{id}}"), inspect);

        let about = format!("The least and the greatest {title} of a time span");
        let range = operation(format!("range-{spec}"), about, of(&app::range_parameters(spec)));
        let bounds = Response::builder()
            .description("The two IDs, for a query by time")
            .content(text, content(string()))
            .content(json, content(object()))
            .content(bytes, content(string()));
        add(&format!("/v1/{spec}/range"), range.response(GOOD.as_str(), bounds.build()));
    }
    let plain = |id: &str, about: &str, answer: Response| {
        operation(id.to_owned(), about.to_owned(), vec![]).response(GOOD.as_str(), answer)
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

/// A parameter of requests for IDs of a specification.
fn described(Parameter { name, about, kind }: &Parameter, spec: Spec) -> path::Parameter {
    ParameterBuilder::new()
        .name(*name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(*about))
        .schema(Some(schema(*kind, spec).build()))
        .build()
}

/// The values of a parameter. A pattern shows only texts that the server accepts. It accepts more.
fn schema(kind: Kind, spec: Spec) -> ObjectBuilder {
    let (name, bytes) = (spec.name(), spec.bytes());
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let like = |pattern: String| text().min_length(Some(1)).pattern(Some(format!("^(?:{pattern})$")));
    let flag = || ObjectBuilder::new().schema_type(Type::Boolean);
    match kind {
        Kind::Count => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(1))
            .maximum(Some(MOST))
            .default(Some(1.into())),
        Kind::Flag => flag(),
        Kind::True => flag().enum_values(Some([true])),
        Kind::Format => text().enum_values(Some(names(|it: Format| it.suits(name, bytes).is_ok()))),
        Kind::Form => text().enum_values(Some(names(|it: Form| it.suits(name, bytes).is_ok()))),
        Kind::Time => like(time_from(1970)),
        Kind::End => {
            let first = Time::from_unix_micros(*spec.times().start()).text();
            let first = first[..4].parse().unwrap_or(1970);
            like(format!("{}-{MONTH}|{}", year_from(first), time_from(first)))
        }
        Kind::Extension => {
            let with_bits = (3..=15).map(|bits| format!("{}:{bits}", up_to((1 << bits) - 1)));
            like([up_to(32767)].into_iter().chain(with_bits).collect::<Vec<_>>().join("|"))
        }
        Kind::Scheme => {
            let counts =
                (0..11_u32.pow(4)).map(|number| [1331, 121, 11, 1].map(|place| (number / place % 11) as u8));
            let schemes = counts.filter_map(|counts| ReplicaScheme::new(counts).ok());
            text().enum_values(Some(schemes.map(|scheme| scheme.encode().to_string())))
        }
    }
}

const MONTH: &str = "(?:0[1-9]|1[0-2])";

/// A pattern of the years from this one to 2099.
fn year_from(first: u32) -> String {
    let decades = (first / 10..210).map(|decade| {
        let digit = if decade == first / 10 { first % 10 } else { 0 };
        format!("{decade}[{digit}-9]")
    });
    format!("(?:{})", decades.collect::<Vec<_>>().join("|"))
}

/// A pattern of dates, and of times in UTC, from this year to 2099.
fn time_from(first: u32) -> String {
    let year = year_from(first);
    let day =
        format!("(?:{MONTH}-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)");
    format!("{year}-{day}(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?")
}

/// A pattern of the numbers up to this one.
fn up_to(greatest: u32) -> String {
    let digits = greatest.to_string();
    let mut patterns: Vec<_> = digits
        .char_indices()
        .filter_map(|(at, digit)| {
            let left = digits.len() - at - 1;
            let lesser = digit.to_digit(10)?.checked_sub(u32::from(left > 0))?;
            Some(format!("{}[0-{lesser}][0-9]{{{left}}}", &digits[..at]))
        })
        .collect();
    if digits.len() > 1 {
        patterns.push(format!("[0-9]{{1,{}}}", digits.len() - 1));
    }
    format!("(?:{})", patterns.join("|"))
}

/// An operation with its parameters, and the problems that it can have.
fn operation(id: String, about: String, parameters: Vec<path::Parameter>) -> OperationBuilder {
    let operation = Operation::builder().operation_id(Some(id)).summary(Some(about));
    let operation = parameters.into_iter().fold(operation, OperationBuilder::parameter);
    let problem = Response::builder()
        .description("The request has no result, and the member detail says why")
        .content(problem::MEDIA_TYPE, Content::new(Some(Ref::from_schema_name("Problem"))));
    operation.response("default", problem.build())
}
