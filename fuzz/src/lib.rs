//! Laws that hold for any input, as functions of bytes. Each fuzz target calls one of them. The test `corpus` calls them,
//! too, without libFuzzer or a nightly compiler.

// A law is a function of bytes, so any toolchain can replay the committed corpus. The corpus is text: an input a
// line, in hex. `generator` has a law for each specification, so a new specification needs no target.

#![forbid(unsafe_code)]

mod any_id;
mod backfill;
mod bytes;
mod fleet;
mod generators;
mod inspect;
mod json;
mod ledger;
mod options;
mod printed;
mod repair;
mod ron;
mod script;
pub mod seeds;
mod slow;
mod sql;
mod text;
mod typed;

use sortid::Spec;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A law: panics if it does not hold for the bytes.
pub type Law = fn(&[u8]);

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name.
    pub name: &'static str,
    /// The law.
    pub law: Law,
    /// The longest input in bytes. Short inputs are executed faster, and changed more thoroughly.
    pub longest: usize,
    /// How many laws the input chooses from. The target is fuzzed this many times as long.
    pub choices: usize,
}

/// Longest inputs: of one ID, of a few texts, of a script, of an event or a JSON text, and of a ledger.
const ID: usize = 64;
const TEXTS: usize = 128;
const SCRIPT: usize = 512;
const JSON: usize = 1024;
const LEDGER: usize = 4096;

/// Writes the list of all targets, and their laws as functions with the names of the targets. A program that calls one law
/// contains only the code of this law, so libFuzzer looks at nothing else.
macro_rules! targets {
    ($($name:ident: $law:path, $longest:ident $(, $choices:expr)?;)*) => {
        /// All fuzz targets.
        pub const TARGETS: &[Target] = &[
            $(Target { name: stringify!($name), law: $law, longest: $longest, choices: 1 $(* $choices)? }),*
        ];

        pub mod laws {
            //! The laws: each panics if it does not hold for the bytes.

            $(pub fn $name(data: &[u8]) {
                $law(data);
            })*
        }
    };
}

targets! {
    scru160_base32hex: crate::text::scru160_base32hex, ID;
    scru160_hex: crate::text::scru160_hex, ID;
    euid_text: crate::text::euid, ID;
    ulid_flake_text: crate::text::ulid_flake, ID;
    ron_uid_text: crate::ron::text, ID;
    ron_uid_zip: crate::ron::zip, TEXTS;
    ron_uid_vector: crate::ron::vector, TEXTS;
    event_id_text: crate::text::event_id, ID;
    generator: crate::generators::any, SCRIPT, Spec::ALL.len();
    bytes: crate::bytes::all, ID;
    any_id: crate::any_id::any_id, ID;
    inspect: crate::inspect::inspection, TEXTS;
    typed_id: crate::typed::typed, TEXTS;
    backfill: crate::backfill::backfill, SCRIPT;
    canonical_json: crate::json::canonical, JSON;
    ledger_line: crate::ledger::line, JSON;
    ledger_verifier: crate::ledger::verifier, LEDGER;
    ledger_append: crate::ledger::append, JSON;
    ledger_repair: crate::repair::repair, JSON;
    fleet: crate::fleet::fleet, SCRIPT;
    sql: crate::sql::sql, TEXTS;
    web: sortid_fuzz_web::boundary, SCRIPT;
}

/// Writes a fuzz target: one of libFuzzer if cargo-fuzz builds it, otherwise a program that replays files.
#[cfg(fuzzing)]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::laws::$name(data));
    };
}

/// Writes a fuzz target: one of libFuzzer if cargo-fuzz builds it, otherwise a program that replays files.
#[cfg(not(fuzzing))]
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        fn main() -> std::io::Result<()> {
            std::env::args().skip(1).try_for_each(|path| {
                $crate::laws::$name(&std::fs::read(path)?);
                Ok(())
            })
        }
    };
}
