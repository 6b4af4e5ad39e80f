//! The OpenAPI document: it lists what the server has.

use crate::common::{Nodes, Server};
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
            if parameter["in"] == "path" {
                continue;
            }
            assert!(parameter["description"].is_string());
            let name = parameter["name"].as_str().unwrap();
            for value in values(name, &parameter["schema"]) {
                if name == "since" && !required.is_empty() {
                    continue;
                }
                let response = server.get(&format!("{request}?{required}{name}={value}"));
                let is_known =
                    response.status == 200 || is_event_id || !response.detail().contains("leave it out");
                assert!(is_known, "{path} {name}: {response:?}");
            }
        }
    }
    assert!(document["components"]["schemas"]["Problem"]["properties"]["detail"].is_object());
    server.stop();
}

/// Values that a parameter can have.
fn values(name: &str, schema: &Value) -> Vec<String> {
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    }
    match schema["type"].as_str().unwrap() {
        "integer" => vec![schema["minimum"].to_string(), schema["maximum"].to_string()],
        "boolean" => vec!["true".to_owned(), "false".to_owned()],
        _ if name == "scheme" => vec!["0163".to_owned()],
        _ => vec!["2024-06-06".to_owned()],
    }
}
