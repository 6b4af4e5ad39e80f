//! Databases as arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sortid_sql::Database;

/// A database by one of its names. The help has a text about each.
pub(crate) fn by_name(about: fn(Database) -> &'static str) -> impl TypedValueParser<Value = Database> {
    let value = move |database: Database| {
        PossibleValue::new(database.name()).aliases(database.other_names()).help(about(database))
    };
    PossibleValuesParser::new(Database::ALL.map(value))
        .try_map(|name| Database::named(&name).ok_or("expected a database"))
}
