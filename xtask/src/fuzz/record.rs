//! What all runs of the targets add up to: `fuzz/record.json`, and the table of `docs/reliability.md`.

use super::Done;
use crate::{
    figures::page::Page,
    shell::{Result, root},
};
use serde_json::{Map, Value, json};
use std::{fs, io, path::PathBuf};

/// The members of a target: with `AddressSanitizer`, and without.
const KINDS: [&str; 2] = ["with_sanitizer", "without"];

fn path() -> PathBuf {
    root().join("fuzz/record.json")
}

/// Adds a run to the record, and writes the table.
pub(super) fn add(target: &str, done: &Done, has_sanitizer: bool, revision: &str) -> Result {
    let mut record: Map<String, Value> = match fs::read_to_string(path()) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(error.into()),
    };
    let kind = KINDS[usize::from(!has_sanitizer)];
    let before = record.get(target).cloned().unwrap_or_else(|| json!({}));
    let sum = |name: &str, more: u64| before[kind][name].as_u64().unwrap_or(0) + more;
    let mut after = before.clone();
    after[kind] =
        json!({ "executions": sum("executions", done.executions), "seconds": sum("seconds", done.seconds) });
    after["edges"] = json!(done.edges);
    after["revision"] = json!(revision);
    record.insert(target.to_owned(), after);
    fs::write(path(), serde_json::to_string_pretty(&record)? + "\n")?;
    let mut page = Page::read("reliability.md")?;
    page.replace("fuzzing", &table(&record))?;
    page.write()
}

fn table(record: &Map<String, Value>) -> String {
    let mut text = "| target | executions with AddressSanitizer | seconds | executions without | seconds | edges | revision |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    let (mut executions, mut seconds) = (0, 0);
    for (target, it) in record {
        text += &format!("| `{target}` |");
        for kind in KINDS {
            let number = |name: &str| it[kind][name].as_u64();
            executions += number("executions").unwrap_or(0);
            seconds += number("seconds").unwrap_or(0);
            for name in ["executions", "seconds"] {
                text += &number(name).map_or(" - |".to_owned(), |number| format!(" {number} |"));
            }
        }
        text += &format!(" {} | {} |\n", it["edges"], it["revision"].as_str().unwrap_or("-"));
    }
    let millions = (executions as f64 / 1e6).round();
    text += &format!("\nIn total, {millions} million executions took {} minutes.", seconds.div_ceil(60));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_documentation_is_that_of_the_record() {
        let record = serde_json::from_str(&fs::read_to_string(path()).unwrap()).unwrap();
        let page = fs::read_to_string(root().join("docs/reliability.md")).unwrap();
        assert!(page.contains(&table(&record)), "{}", table(&record));
    }
}
