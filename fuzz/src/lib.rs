//! Laws that hold for any input, as functions of bytes. Each fuzz target calls one of them. The test `corpus` calls them,
//! too, without libFuzzer or a nightly compiler.

#![forbid(unsafe_code)]

mod any_id;
mod backfill;
mod bytes;
mod fleet;
mod generators;
mod inspect;
mod json;
mod ledger;
mod repair;
mod ron;
mod script;
pub mod seeds;
mod slow;
mod sql;
mod text;
mod typed;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A law: panics if it does not hold for the bytes.
pub type Law = fn(&[u8]);

/// The names of the fuzz targets, and their laws.
pub const TARGETS: &[(&str, Law)] = &[
    ("scru160_base32hex", text::scru160_base32hex),
    ("scru160_hex", text::scru160_hex),
    ("scru160_generator", generators::scru160),
    ("euid_text", text::euid),
    ("euid_generator", generators::euid),
    ("ulid_flake_text", text::ulid_flake),
    ("ulid_flake_generator", generators::ulid_flake),
    ("ron_uid_text", ron::text),
    ("ron_uid_zip", ron::zip),
    ("ron_uid_vector", ron::vector),
    ("ron_uid_generator", generators::ron_uid),
    ("event_id_text", text::event_id),
    ("event_id_generator", generators::event_id),
    ("bytes", bytes::all),
    ("canonical_json", json::canonical),
    ("ledger_line", ledger::line),
    ("ledger_verifier", ledger::verifier),
    ("ledger_append", ledger::append),
    ("ledger_repair", repair::repair),
    ("any_id", any_id::any_id),
    ("inspect", inspect::inspection),
    ("typed_id", typed::typed),
    ("backfill", backfill::backfill),
    ("fleet", fleet::fleet),
    ("sql", sql::sql),
    ("web", sortid_fuzz_web::boundary),
];

/// Returns the law of this name.
///
/// # Panics
///
/// If there is no such law.
#[must_use]
pub fn law(name: &str) -> Law {
    TARGETS.iter().find(|(target, _)| *target == name).expect("the target is in the list").1
}

/// Writes a fuzz target: one of libFuzzer if cargo-fuzz builds it, otherwise a program that replays files.
#[cfg(fuzzing)]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::law(stringify!($name))(data));
    };
}

/// Writes a fuzz target: one of libFuzzer if cargo-fuzz builds it, otherwise a program that replays files.
#[cfg(not(fuzzing))]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        fn main() -> std::io::Result<()> {
            std::env::args().skip(1).try_for_each(|path| {
                $crate::law(stringify!($name))(&std::fs::read(path)?);
                Ok(())
            })
        }
    };
}
