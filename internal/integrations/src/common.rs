//! The IDs that go into the tables, and checks of what comes out.

use sortid_core::{
    Generator, LocalCell, Rules,
    testing::{ManualClock, SeededEntropy},
};
use std::{fmt::Debug, io::Write, time::Duration};

/// 2024-06-06T06:06:06.666Z
pub(crate) const START: Duration = Duration::from_millis(1_717_653_966_666);

/// The bounds of queries by time, within the first second of the IDs.
pub(crate) const SINCE: Duration = Duration::from_millis(1_717_653_966_666 + 400);
pub(crate) const UNTIL: Duration = Duration::from_millis(1_717_653_966_666 + 420);

/// ID types as users define them, with a prefix.
pub(crate) mod typed {
    scru160::typed_id! {
        #[prefix = "file"]
        pub(crate) struct FileId;
    }

    euid::typed_id! {
        #[prefix = "order"]
        pub(crate) struct OrderId;
    }

    evently_id::typed_id! {
        #[prefix = "payment"]
        pub(crate) struct PaymentId;
    }

    ulid_flake::typed_id! {
        #[prefix = "visit"]
        pub(crate) struct VisitId;
    }

    ron_uid::typed_id! {
        #[prefix = "note"]
        pub(crate) struct NoteId;
    }
}

/// Generates 10 000 IDs in order, over one second or a little more.
pub(crate) fn generated<R: Rules, I: From<R::Id>>(rules: R) -> Vec<I> {
    let clock = ManualClock::new(START);
    let ids: Generator<R, LocalCell, _, _> = Generator::from_parts(rules, &clock, SeededEntropy::new(42));
    let mut made = Vec::new();
    while made.len() < 10_000 {
        // Ten IDs in a millisecond, or fewer if it is used up.
        let id = ids.try_generate().ok();
        if id.is_none() || made.len() % 10 == 9 {
            clock.advance(Duration::from_millis(1));
        }
        made.extend(id.map(I::from));
    }
    made
}

/// Shuffles the IDs, in the same way each time, and returns them in two halves.
pub(crate) fn shuffled<I: Copy>(ids: &[I]) -> (Vec<I>, Vec<I>) {
    let mut ids = ids.to_vec();
    let mut state = 1_u64;
    for i in (1..ids.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ids.swap(i, (state >> 33) as usize % (i + 1));
    }
    let rest = ids.split_off(5000);
    (ids, rest)
}

/// Returns the IDs between two bounds: some, but not all.
pub(crate) fn between<I: Copy + Ord>(ids: &[I], least: I, greatest: I) -> Vec<I> {
    let found: Vec<_> = ids.iter().copied().filter(|id| (least..=greatest).contains(id)).collect();
    assert!((100..1000).contains(&found.len()), "{} IDs", found.len());
    found
}

/// The server's address, from an environment variable that `cargo xtask ci` sets. `None` if it is not set: then the test is
/// left out, and a message on stderr says so, even if the output of tests is captured.
pub(crate) fn server(variable: &str, test: &str) -> Option<String> {
    let address = std::env::var(variable).ok();
    if address.is_none() {
        let _ = writeln!(std::io::stderr(), "left out: {test}, because {variable} is not set");
    }
    address
}

/// The message of the error of reading a value, with its causes.
#[track_caller]
pub(crate) fn refused<T: Debug, E: std::error::Error>(what: &str, read: Result<T, E>) -> String {
    let error = match read {
        Ok(id) => panic!("{what} was read as {id:?}"),
        Err(error) => error,
    };
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message += ": ";
        message += &error.to_string();
        cause = error.source();
    }
    message
}

/// The message says what was expected or found, in the words of whichever library wrote it.
#[track_caller]
pub(crate) fn says_both(message: &str) {
    let words = [
        "xpected",
        "not compatible with",
        "cannot convert",
        " is not a ",
        " is above ",
        " is below ",
        "null",
        "Null",
        "`NULL`",
    ];
    assert!(words.iter().any(|word| message.contains(word)), "{message}");
}

/// Applies a macro to every ID type, as
/// `$tests!(module, Type, rules, column kind, PostgreSQL column, MySQL column, SQLite column)`.
macro_rules! for_every_id {
    ($tests:ident) => {
        $tests!(scru160, ::scru160::Scru160, ::scru160::Options::new(), bytes, "bytea", "BINARY(20)", "BLOB");
        $tests!(euid, ::euid::Euid, ::euid::Options::new(), uuid, "uuid", "BINARY(16)", "BLOB");
        $tests!(
            evently_id,
            ::evently_id::EventId,
            ::evently_id::Options::new(::evently_id::LedgerId::MAX),
            uuid,
            "uuid",
            "BINARY(16)",
            "BLOB"
        );
        $tests!(
            ulid_flake,
            ::ulid_flake::UlidFlake,
            ::ulid_flake::Options::new(),
            integer,
            "bigint",
            "BIGINT",
            "INTEGER"
        );
        $tests!(
            scalable_ulid_flake,
            ::ulid_flake::UlidFlake,
            ::ulid_flake::scalable::Options::new(7).unwrap(),
            integer,
            "bigint",
            "BIGINT",
            "INTEGER"
        );
        $tests!(
            ron_uid,
            ::ron_uid::RonUid,
            ::ron_uid::Options::new(::ron_uid::ron_uid!("Xgritzk0_D").value()),
            bytes,
            "bytea",
            "BINARY(16)",
            "BLOB"
        );
        $tests!(
            typed_scru160,
            $crate::common::typed::FileId,
            ::scru160::Options::new(),
            bytes,
            "bytea",
            "BINARY(20)",
            "BLOB"
        );
        $tests!(
            typed_euid,
            $crate::common::typed::OrderId,
            ::euid::Options::new(),
            uuid,
            "uuid",
            "BINARY(16)",
            "BLOB"
        );
        $tests!(
            typed_evently_id,
            $crate::common::typed::PaymentId,
            ::evently_id::Options::new(::evently_id::LedgerId::MAX),
            uuid,
            "uuid",
            "BINARY(16)",
            "BLOB"
        );
        $tests!(
            typed_ulid_flake,
            $crate::common::typed::VisitId,
            ::ulid_flake::Options::new(),
            integer,
            "bigint",
            "BIGINT",
            "INTEGER"
        );
        $tests!(
            typed_ron_uid,
            $crate::common::typed::NoteId,
            ::ron_uid::Options::new(::ron_uid::ron_uid!("Xgritzk0_D").value()),
            bytes,
            "bytea",
            "BINARY(16)",
            "BLOB"
        );
    };
}
pub(crate) use for_every_id;
