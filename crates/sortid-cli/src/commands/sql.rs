use crate::{database, examples::examples, failure::Failure, spec, terminal::is_hidden};
use sortid::Spec;
use sortid_sql::{Database, Script};
use std::io::{self, Write};

/// Prints SQL that installs functions for IDs in a database.
///
/// Give the SQL to the client of the database: `sortid sql postgres | psql -1 -v ON_ERROR_STOP=1`, `sortid sql mysql | mariadb
/// shop`, `sortid sql duckdb | duckdb shop.db`, `sortid sql clickhouse | clickhouse-client`.
///
/// The functions of an EUID are `euid_time(id)`, `euid_text(id)`, `euid_parse(text)`, `euid_try_parse(text)`,
/// `euid_is_valid(text)`, `euid_text_time(text)`, `euid_min_at(time)`, `euid_max_at(time)`, and one for each field. Those of the other specifications begin with `scru160`,
/// `ulid_flake`, `ron_uid` and `event_id`. PostgreSQL and MySQL also have `euid_new()` and `scru160_new()`. Installing again
/// replaces the functions. SQLite cannot define functions in SQL. So its SQL prints samples of expressions, and changes
/// nothing.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print all functions for PostgreSQL", "sortid sql postgres > functions.sql"),
    ("Print those of one specification, in a schema", "sortid sql postgres --spec euid --schema ids > euid.sql"),
    ("Print SQL that removes them", "sortid sql postgres --spec euid --schema ids --uninstall > remove.sql"),
    ("Print a view with the times, texts and fields of a column", "sortid sql sqlite --spec euid --column orders.id > view.sql"),
]))]
pub(crate) struct Args {
    /// The database
    #[arg(value_parser = database::by_name(Database::__versions), ignore_case = true)]
    database: Database,

    /// Put the functions into this schema, in MySQL a database. It is created if it does not exist
    #[arg(long, value_name = "NAME", conflicts_with = "column")]
    schema: Option<String>,

    /// Leave out all specifications but this one
    #[arg(long, alias = "type", value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// Make a view of this column instead of functions: for MySQL, where a view is faster, and for SQLite. Needs --spec
    ///
    /// The view stands beside the table. Its name is made of those of the table, the column and the specification:
    /// `orders_id_euid`. Write the names exactly as they were created, without quotes.
    #[arg(long, value_name = "TABLE.COLUMN", requires = "spec")]
    column: Option<String>,

    /// The column has the texts of IDs. The view of SQLite reads both without this option
    #[arg(long, requires = "column")]
    texts: bool,

    /// Print SQL that removes the functions or the view
    ///
    /// A schema stays. With --spec, the functions that specifications share stay, too: those that begin with `sortid__`.
    #[arg(long)]
    uninstall: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usage = |message: String| Failure::usage("sql", message);
    let mut script = Script::new(args.database);
    if let Some(spec) = args.spec {
        script = script.spec(in_sql(spec).map_err(usage)?);
    }
    for name in [&args.schema, &args.column].into_iter().flatten() {
        check_name(name).map_err(usage)?;
    }
    if let Some(schema) = &args.schema {
        script = script.schema(schema);
    }
    if let Some(path) = &args.column {
        let (table, column) = path.rsplit_once('.').ok_or_else(|| {
            usage(format!("--column: expected TABLE.COLUMN, such as orders.id, found {path:?}"))
        })?;
        script = if args.texts { script.text_column(table, column) } else { script.column(table, column) };
    }
    let sql = if args.uninstall { script.uninstall() } else { script.install() };
    let sql = sql.map_err(|error| usage(error.to_string()))?;
    let mut out = io::stdout().lock();
    out.write_all(sql.as_bytes())?;
    Ok(out.flush()?)
}

/// Refuses a name with characters that a person cannot see, because the SQL contains the name unchanged.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if name.contains(is_hidden) {
        return Err(format!("expected a name without control characters and invisible ones, found {name:?}"));
    }
    Ok(())
}

/// The specification as the SQL functions have it.
pub(crate) fn in_sql(spec: Spec) -> Result<sortid_sql::Spec, String> {
    sortid_sql::Spec::named(spec.name()).ok_or_else(|| format!("{} has no functions in SQL", spec.title()))
}
