//! The inputs from which fuzzing starts: the vectors of the specifications, and the committed corpus.

use data_encoding::HEXLOWER;
use serde_json::Value;
use sortid_core::{Entropy as _, testing::SeededEntropy};
use std::{fs, path::PathBuf};

const SCRU160: &str = include_str!("../../vectors/scru160.json");
const EUID: &str = include_str!("../../vectors/euid.json");
const ULID_FLAKE: &str = include_str!("../../vectors/ulid-flake.json");
const RON_UID: &str = include_str!("../../vectors/ron-uid.json");
const EVENTLY_ID: &str = include_str!("../../vectors/evently-id.json");
const LEDGER: &str = include_str!("../../vectors/ledger.json");
const CLASSIC: &str = include_str!("../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../vectors/ledger-entities.ndjson");

/// Returns inputs from the vectors, in their order.
#[must_use]
pub fn from_vectors(target: &str) -> Vec<Vec<u8>> {
    match target {
        "scru160_base32hex" | "scru160_hex" => texts_of(SCRU160),
        "euid_text" => texts_of(EUID),
        "ulid_flake_text" => texts_of(ULID_FLAKE),
        "ron_uid_text" | "any_id" => texts_of(RON_UID),
        "event_id_text" => texts_of(EVENTLY_ID),
        "ron_uid_zip" => strings(RON_UID, &["zip", "unzip"], &["context", "text", "id"])
            .chunks(3)
            .take(100)
            .map(|lines| lines.join(&b'\n'))
            .collect(),
        "ron_uid_vector" => strings(RON_UID, &["list"], &["text"]),
        "bytes" => ids_of_ledgers().map(|id| HEXLOWER.decode(id.as_bytes()).unwrap().repeat(3)).collect(),
        "canonical_json" => strings(LEDGER, &["canonical_json", "reject_json"], &["json"]),
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
            let json = strings(LEDGER, &["canonical_json"], &["json"]);
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

/// The texts that are an ID, or almost.
fn texts_of(vectors: &str) -> Vec<Vec<u8>> {
    strings(vectors, &["id", "other_text", "parse", "reject"], &["text"])
}

/// The strings with these names in all cases of these checks.
fn strings(vectors: &str, checks: &[&str], names: &[&str]) -> Vec<Vec<u8>> {
    let vectors: Value = serde_json::from_str(vectors).expect("the vectors are JSON");
    let groups = vectors["groups"].as_array().expect("the vectors have groups");
    let strings: Vec<_> = groups
        .iter()
        .filter(|group| group["check"].as_str().is_some_and(|check| checks.contains(&check)))
        .flat_map(|group| group["cases"].as_array().expect("a group has cases"))
        .flat_map(|case| names.iter().filter_map(|name| case[name].as_str()))
        .map(|text| text.as_bytes().to_vec())
        .collect();
    assert!(!strings.is_empty(), "the vectors have the checks {checks:?}");
    strings
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
