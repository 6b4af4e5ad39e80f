#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Why the files in `sql/` are as they are:
//
// - Each database has SQL of its own: a person has to review it before it runs on a production server, and each
//   database needs other expressions to be fast. `cargo xtask sql` keeps the files equal. It compares every function
//   with the library, and fails if a file defines a function that it does not compare.
// - They are plain functions. Hosted databases refuse extensions, and a type would need one.
// - Templates write the expressions for SQLite and for columns of MySQL, because an expression cannot define a
//   function: a number of 12 digits repeats 12 times how a digit is read. `cargo xtask layouts` makes these two files
//   from `templates/`.
// - Internal functions have the prefix `sortid__`, and no schema of their own. Many users may not create a schema,
//   and two installations in one database would share it.
// - The time of a text is `PREFIX_text_time`. With a second `PREFIX_time` for texts, PostgreSQL would take the
//   literal of an ID for a text.
// - In PostgreSQL, a wrong ID is refused by a branch of a `CASE` that calls a function in PL/pgSQL, so right IDs
//   never call it, and the message begins with our words. The functions in standard SQL are parsed when they are
//   created, so neither a `search_path` nor the restore of a dump changes them.
// - In a column that also has UUIDs of version 7, the order of the values decides what is an EUID, because an EUID can
//   have the bits of a version. An EUID is about eight times as great as a UUID of the same time, because its
//   milliseconds take 45 bits instead of 48. `…_or_uuid7_within` is two ranges, so that each can use an index. MySQL's
//   stored functions hide their expression from the index, so a query there names both ranges.
// - Only SCRU160s and EUIDs have a function for new IDs: they have enough random bits for a generator in each
//   connection. Ulid-Flakes of two connections would collide. A sequence would serve all connections, but needs a
//   lock for each new millisecond, which a cancelled connection can leave behind.
// - In MariaDB and MySQL, a call of a stored function takes longer than most expressions, and SQLite has no
//   functions. So `--column` prints a view of expressions. An expression cannot raise an error, so what is not an ID
//   is NULL there.
// - A bound out of range is an error. If it were moved to the first or the last time, a query by time would be wrong
//   without a message.
// - pg_partman of Debian 12 knows only integers, which suits Ulid-Flakes. Later versions call an encoder and a
//   decoder of text, `euid_time_encoder` and `euid_time_decoder`; for Event IDs, `event_id_…`.

mod database;
mod error;
mod range;
mod script;
mod spec;
mod statements;

pub use database::Database;
pub use error::Error;
pub use range::RangeQuery;
pub use script::Script;
pub use spec::Spec;
pub use statements::statements;

/// Expressions for views and generated columns in MariaDB and MySQL, where expressions are several times faster than functions.
pub(crate) const MYSQL_COLUMN: &str = include_str!("../sql/mysql-column.sql");
