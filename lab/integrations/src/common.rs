//! The IDs that go into the tables, and checks of what comes out.

use sortid_core::{
    Generator, Rules, UnixMillis,
    testing::{ManualClock, SeededEntropy},
};
use std::{fmt::Debug, io::Write, time::Duration};

/// 2024-06-06T06:06:06.666Z
pub(crate) const START: Duration = Duration::from_millis(1_717_653_966_666);

/// The bounds of queries by time, within the first second of the IDs.
pub(crate) const SINCE: UnixMillis = UnixMillis(1_717_653_966_666 + 400);
pub(crate) const UNTIL: UnixMillis = UnixMillis(1_717_653_966_666 + 420);

/// ID types as users define them, with a prefix.
pub(crate) mod typed {
    macro_rules! typed {
        ($name:ident, sortid::$module:ident, $($_:tt)*) => {
            pub(crate) mod $name {
                sortid::$module::typed_id! {
                    #[prefix = "typed"]
                    pub(crate) struct TypedId;
                }
            }
        };
    }
    sortid_testkit::for_each_spec!(typed);
}

/// Generates 10 000 IDs in order, over one second or a little more.
pub(crate) fn generated<R: Rules, I: From<R::Id>>(rules: R) -> Vec<I> {
    let clock = ManualClock::new(START);
    let ids: Generator<R, _, _> = Generator::from_parts(rules, &clock, SeededEntropy::new(42));
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
        sortid_testkit::for_each_spec!(with_columns $tests,);
        sortid_testkit::for_scalable!(with_columns $tests,);

        mod typed {
            use super::*;

            // One for each kind of column: the same macro writes the others.
            sortid_testkit::for_each_spec!(with_columns $tests, typed);
        }
    };
}

/// The columns of an ID type or, after the word `typed`, of its type with a prefix.
macro_rules! with_columns {
    ($tests:ident, typed evently_id, $($rest:tt)*) => {};
    ($tests:ident, typed ron_uid, $($rest:tt)*) => {};
    ($tests:ident, typed $name:ident, $module:path, $id:ty, $($rest:tt)*) => {
        with_columns!($tests, $name, $module, $crate::common::typed::$name::TypedId, $($rest)*);
    };
    ($tests:ident, $name:ident, $module:path, $id:ty, $rules:expr, bytes, 16) => {
        $tests!($name, $id, $rules, bytes, "bytea", "BINARY(16)", "BLOB");
    };
    ($tests:ident, $name:ident, $module:path, $id:ty, $rules:expr, bytes, 20) => {
        $tests!($name, $id, $rules, bytes, "bytea", "BINARY(20)", "BLOB");
    };
    ($tests:ident, $name:ident, $module:path, $id:ty, $rules:expr, integer, 8) => {
        $tests!($name, $id, $rules, integer, "bigint", "BIGINT", "INTEGER");
    };
    ($tests:ident, $name:ident, $module:path, $id:ty, $rules:expr, uuid, 16) => {
        $tests!($name, $id, $rules, uuid, "uuid", "BINARY(16)", "BLOB");
    };
}
