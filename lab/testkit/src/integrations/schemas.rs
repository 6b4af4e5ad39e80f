//! Schemas of the text, of JSON Schema and of OpenAPI.

use super::ids;
use serde_json::json;
use sortid_core::{AsText, SortableId};

/// The JSON schema allows every text that is read, and no text that is refused, except for a wrong check or sign.
pub fn schemars_laws<I: SortableId + schemars::JsonSchema>() {
    let schema = schemars::schema_for!(I).to_value();
    assert_eq!(schema["title"], json!(type_name::<I>()));
    describes_the_text::<I>(&schema);
    assert_eq!(schemars::schema_for!(AsText<I>), schemars::schema_for!(I));
}

/// The same for the schema in a document of OpenAPI.
pub fn utoipa_laws<I: SortableId + utoipa5::ToSchema>() {
    let schema = serde_json::to_value(I::schema()).unwrap();
    describes_the_text::<I>(&schema);
    assert_eq!(I::name(), type_name::<I>());
    let mut schemas = vec![];
    I::schemas(&mut schemas);
    assert!(schemas.is_empty(), "a string refers to no other schema");
}

fn describes_the_text<I: SortableId>(schema: &serde_json::Value) {
    assert_eq!(schema["type"], "string");
    assert_eq!(schema["description"], json!(format!("{} as text", I::TITLE)));
    let pattern = regex_lite::Regex::new(schema["pattern"].as_str().unwrap()).unwrap();
    let lengths = schema["minLength"].as_u64().unwrap()..=schema["maxLength"].as_u64().unwrap();
    for id in ids::<I>() {
        let text = id.to_string();
        assert!(pattern.is_match(&text) && lengths.contains(&(text.len() as u64)), "{text}");
        for wrong in ["", " ", "!", "/", "@", "\n"].map(|more| format!("{text}{more}")).into_iter().skip(1) {
            assert!(wrong.parse::<I>().is_err() && !pattern.is_match(&wrong), "{wrong:?}");
        }
    }
    // Every text that the pattern and the lengths allow is read.
    for text in (0..=42).flat_map(|len| {
        ["0", "7", "8", "A", "I", "L", "O", "U", "Z", "f", "v", "_", "~"].map(|c| c.repeat(len))
    }) {
        let allowed = pattern.is_match(&text) && lengths.contains(&(text.len() as u64));
        assert!(!allowed || text.parse::<I>().is_ok() || is_checked::<I>(&text), "{text}");
    }
    for text in texts::<I>(30_000) {
        let len = text.chars().count() as u64;
        let allowed = pattern.is_match(&text) && lengths.contains(&len);
        let read = text.parse::<I>().is_ok();
        assert!(allowed || !read, "{text:?} is read, but the schema refuses it");
        assert!(!allowed || read || is_checked::<I>(&text), "{text:?} is refused, but the schema allows it");
    }
}

/// Texts in all forms of an ID, each with up to three changes: characters changed, inserted, removed or repeated.
fn texts<I: SortableId>(count: usize) -> impl Iterator<Item = String> {
    let characters: Vec<char> = (' '..='~').chain(['\n', '\u{e9}', '\u{ff10}']).collect();
    let hex = |id: &I| id.as_ref().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let seeds: Vec<String> = ids::<I>()
        .iter()
        .flat_map(|id| {
            let text = id.encode().to_string();
            [text.to_lowercase(), text.to_uppercase(), hex(id), hex(id).to_uppercase(), text]
        })
        .collect();
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    (0..count).map(move |_| {
        let mut text: Vec<char> = seeds[random(seeds.len())].chars().collect();
        for _ in 0..random(4) {
            let (at, character) = (random(text.len() + 1), characters[random(characters.len())]);
            match random(5) {
                0 => text.insert(at, character),
                1 => text.truncate(at),
                _ if at == text.len() => text.push(character),
                2 => drop(text.remove(at)),
                3 => text.insert(at, text[at]),
                _ => text[at] = character,
            }
        }
        text.into_iter().collect()
    })
}

/// The name of the type, without its path.
fn type_name<I>() -> &'static str {
    std::any::type_name::<I>().rsplit(':').next().unwrap_or_default()
}

/// Whether the text is refused only for what a pattern cannot express: its check, or which sign may stand without a part.
fn is_checked<I: SortableId>(text: &str) -> bool {
    use sortid_core::ParseErrorKind::{Check, Sign};
    text.parse::<I>().is_err_and(|error| matches!(error.kind(), Check | Sign))
}
