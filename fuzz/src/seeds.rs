//! The inputs from which fuzzing starts: the vectors of the specifications, and the committed corpus.

use data_encoding::HEXLOWER;
use serde_json::Value;
use sortid_core::{Entropy as _, testing::SeededEntropy};
use std::{fs, path::PathBuf};

const SCRU160: &str = include_str!("../../crates/scru160/tests/data/scru160.json");
const EUID: &str = include_str!("../../crates/euid/tests/data/euid.json");
const ULID_FLAKE: &str = include_str!("../../crates/ulid-flake/tests/data/ulid_flake.json");
const RON_UID: &str = include_str!("../../crates/ron-uid/tests/data/ron_uid.json");
const CLASSIC_JSON: &str = include_str!("../../crates/evently-ledger/tests/data/evently_classic.json");
const CLASSIC: &str = include_str!("../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../vectors/ledger-entities.ndjson");

/// Returns inputs from the vectors, in their order.
#[must_use]
pub fn from_vectors(target: &str) -> Vec<Vec<u8>> {
    match target {
        "scru160_base32hex" => strings(SCRU160, &["/ids", "/rejects"], &["base32hex", "text"]),
        "scru160_hex" => strings(SCRU160, &["/ids", "/rejects"], &["hex", "text"]),
        "euid_text" => {
            strings(EUID, &["/ids", "/aliases", "/damaged", "/rejects"], &["text", "text_unchecked"])
        }
        "ulid_flake_text" => strings(ULID_FLAKE, &["/ids", "/lower_case", "/rejects"], &["text"]),
        "ron_uid_text" | "any_id" => strings(RON_UID, &["/canonical", "/compressed"], &["printed", "uid"]),
        "ron_uid_zip" => strings(RON_UID, &["/compressed"], &["context", "compressed", "uid"])
            .chunks(3)
            .map(|lines| lines.join(&b'\n'))
            .collect(),
        "ron_uid_vector" => strings(RON_UID, &["/vectors"], &["body"]),
        "event_id_text" => ids_of_ledgers().map(|id| id.as_bytes().to_vec()).collect(),
        "bytes" => ids_of_ledgers().map(|id| HEXLOWER.decode(id.as_bytes()).unwrap().repeat(3)).collect(),
        "canonical_json" => strings(CLASSIC_JSON, &["/canonical_json"], &["json"]),
        "ledger_line" => lines().take(40).map(|line| line.as_bytes().to_vec()).collect(),
        "ledger_verifier" => [CLASSIC, ENTITIES]
            .iter()
            .flat_map(|ledger| {
                [1, 2, 5].map(|count| ledger.split_inclusive('\n').take(count).collect::<String>())
            })
            .map(String::into_bytes)
            .collect(),
        "inspect" => {
            let forms = [
                "{621ce48c-99c0-0078-16e9-25e73ebf0fda}",
                "\\x00329d59b4a9932a",
                "14246757444195114",
                "AAAAAAAAAAA",
            ];
            let forms = forms.into_iter().map(|text| text.as_bytes().to_vec());
            texts().into_iter().map(|(_, text)| text).chain(forms).collect()
        }
        "typed_id" => {
            texts().into_iter().map(|(number, text)| [&[number as u8][..], &text].concat()).collect()
        }
        // A specification, a question, and an ID, a text, a time, IDs or a name.
        "sql" => {
            let texts = texts().into_iter().map(|(number, text)| [&[number as u8, 1][..], &text].concat());
            let others = (0..15_u8).map(|at| [&[at, at / 5][..], &[at.wrapping_mul(11); 60]].concat());
            let names = [
                "a\"b",
                "test euid_time(1)",
                "x\"; DROP TABLE euid; euid_time(",
                "$$",
                "texts",
                "\\",
                "'",
                "ids",
            ];
            let names = names.into_iter().map(|name| [&[0, 4][..], name.as_bytes()].concat());
            texts.chain(others).chain(names).collect()
        }
        "ledger_repair" => {
            let damaged =
                |choice| lines().take(6).map(move |line| [&[choice][..], line.as_bytes(), &[0; 3]].concat());
            let json = strings(CLASSIC_JSON, &["/canonical_json"], &["json"]);
            let halves = json.into_iter().map(|json| [&b"\xff{\"a\":"[..], &json].concat());
            (0..6).flat_map(damaged).chain(halves).collect()
        }
        // Any bytes are a script.
        _ => (1..=8_u16)
            .map(|seed| {
                let mut script = vec![0; 40 * usize::from(seed)];
                SeededEntropy::new(seed.into()).fill(&mut script).expect("a seeded source does not fail");
                script
            })
            .collect(),
    }
}

/// Returns the committed corpus, whose file has a line of hex digits for each input.
#[must_use]
pub fn committed(target: &str) -> Vec<Vec<u8>> {
    let lines = fs::read_to_string(committed_path(target)).unwrap_or_default();
    lines.lines().map(|line| HEXLOWER.decode(line.as_bytes()).expect("hex digits")).collect()
}

/// Returns the path of the committed corpus of a target.
#[must_use]
pub fn committed_path(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target).with_extension("hex")
}

/// The strings with these names in all objects of these arrays.
fn strings(json: &str, arrays: &[&str], names: &[&str]) -> Vec<Vec<u8>> {
    let json: Value = serde_json::from_str(json).expect("the vectors are JSON");
    let objects = arrays.iter().flat_map(|array| json.pointer(array).and_then(Value::as_array).unwrap());
    objects
        .flat_map(|object| names.iter().filter_map(|name| object[name].as_str()))
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

/// Texts of all specifications, in the order of the laws of typed IDs and of SQL.
fn texts() -> Vec<(usize, Vec<u8>)> {
    let targets = ["scru160_base32hex", "euid_text", "ulid_flake_text", "ron_uid_text", "event_id_text"];
    let of = |(number, target)| from_vectors(target).into_iter().step_by(5).map(move |text| (number, text));
    targets.into_iter().enumerate().flat_map(of).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    CLASSIC.lines().zip(ENTITIES.lines()).flat_map(|(classic, entities)| [classic, entities])
}

fn ids_of_ledgers() -> impl Iterator<Item = &'static str> {
    lines().take(40).filter_map(|line| line.split_once("\"eventId\":\"")?.1.get(..32))
}
