//! The OpenAPI document: it lists what the server has.

use crate::common::{Nodes, Server};
use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    string::string_regex,
    test_runner::TestRunner,
};
use serde_json::Value;

#[test]
fn the_document_lists_the_paths_and_parameters_that_the_server_has() {
    let nodes = Nodes::new(1);
    let server = Server::start(&["--nodes", &nodes.url]);
    server.logged("joined the fleet");
    let document = server.get("/openapi.json").json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 3 * sortid::Spec::ALL.len() + 4);
    for (path, item) in paths {
        let operation = &item["get"];
        assert!(operation["summary"].is_string() && operation["operationId"].is_string(), "{path}");
        assert_eq!(
            operation["responses"]["default"]["content"]["application/problem+json"]["schema"]["$ref"],
            "#/components/schemas/Problem"
        );
        let request = path.replace("{id}", "0");
        let required = if path.ends_with("/range") { "since=2024-06&" } else { "" };
        let plain = server.get(&format!("{request}?{required}"));
        let is_event_id = request == "/v1/evently-id";
        assert!(plain.status == 200 || is_event_id, "{path}: {plain:?}");
        if plain.status == 200 {
            let media_type = plain.header("content-type").unwrap();
            assert!(operation["responses"]["200"]["content"][media_type].is_object(), "{path}: {media_type}");
        }
        for parameter in operation["parameters"].as_array().unwrap_or(&vec![]) {
            assert!(parameter["description"].is_string(), "{path}: {parameter}");
        }
    }
    assert!(document["components"]["schemas"]["Problem"]["properties"]["detail"].is_object());
    server.stop();
}

/// A value that a parameter can have.
fn value(schema: &Value, runner: &mut TestRunner) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        return text(fastrand::choice(values).unwrap());
    }
    match schema["type"].as_str().unwrap() {
        "integer" => {
            let [least, most] = ["minimum", "maximum"].map(|name| schema[name].as_u64().unwrap());
            fastrand::choice([least, most, fastrand::u64(least..=most)]).unwrap().to_string()
        }
        "boolean" => fastrand::bool().to_string(),
        _ => {
            let pattern =
                schema["pattern"].as_str().unwrap_or_else(|| panic!("any text may be a value: {schema}"));
            string_regex(&pattern[1..pattern.len() - 1]).unwrap().new_tree(runner).unwrap().current()
        }
    }
}

#[test]
fn requests_that_the_document_allows_are_not_refused() {
    let mut runner = TestRunner::default();
    let nodes = Nodes::new(1);
    let server = Server::start(&["--nodes", &nodes.url]);
    server.logged("joined the fleet");
    let document = server.get("/openapi.json").json();
    let mut client = server.connect();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(parameters) = item["get"]["parameters"].as_array() else { continue };
        let parameters: Vec<_> = parameters.iter().filter(|parameter| parameter["in"] == "query").collect();
        let allowed = if path == "/v1/evently-id" { 404 } else { 200 };
        for round in 0..50 * parameters.len() {
            // Each parameter alone, and then several of them.
            let is_alone = round < 25 * parameters.len();
            let mut query: Vec<_> = parameters
                .iter()
                .enumerate()
                .filter(|(at, _)| if is_alone { round % parameters.len() == *at } else { fastrand::bool() })
                .map(|(_, parameter)| {
                    let value = value(&parameter["schema"], &mut runner);
                    let name = parameter["name"].as_str().unwrap();
                    if name == "n" && round % 10 > 0 { "n=10".to_owned() } else { format!("{name}={value}") }
                })
                .collect();
            if path.ends_with("/range") {
                // A span has an end, and begins neither after it nor before the epoch.
                let times = ["since=", "until=", "epoch="];
                let is_time = |part: &String| times.iter().any(|time| part.starts_with(time));
                let time = query.iter().position(is_time).map(|at| query.remove(at));
                query.retain(|part| !is_time(part));
                if !time.as_ref().is_some_and(|time| time.starts_with("until=")) {
                    query.push("until=2099-12-31".to_owned());
                }
                query.extend(time);
            }
            let request = format!("{}?{}", path.replace("{id}", "0"), query.join("&"));
            let response = client.get(&request);
            assert_eq!(response.status, allowed, "{request}: {}", response.text());
        }
    }
    server.stop();
}
