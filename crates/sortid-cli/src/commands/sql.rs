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
/// `euid_is_valid(text)`, `euid_text_time(text)`, `euid_min_at(time)`, `euid_max_at(time)`, and a function for each field.
/// The names of the functions of the other specifications begin with `scru160`, `ulid_flake`, `ron_uid` or `event_id`.
/// PostgreSQL and MySQL also have `euid_new()` and `scru160_new()`. Installing again replaces the functions. SQLite cannot
/// define functions in SQL, so its SQL prints samples of expressions and changes nothing.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print all functions for PostgreSQL", "sortid sql postgres > functions.sql"),
    ("Print the functions of one specification, in a schema", "sortid sql postgres --spec euid --schema ids > euid.sql"),
    ("Print SQL that removes these functions", "sortid sql postgres --spec euid --schema ids --uninstall > remove.sql"),
    ("Print a view with the times, texts and fields of a column", "sortid sql sqlite --spec euid --column orders.id > view.sql"),
]))]
pub(crate) struct Args {
    /// The database
    #[arg(value_parser = database::by_name(Database::__versions), ignore_case = true)]
    database: Database,

    /// Create the functions in this schema, in MySQL in this database. The SQL creates it if it does not exist
    #[arg(long, value_name = "NAME", conflicts_with = "column")]
    schema: Option<String>,

    /// Use this specification only
    #[arg(long, alias = "type", value_parser = spec::by_name())]
    spec: Option<Spec>,

    /// Make a view of this column instead of functions: for MySQL, where a view is faster, and for SQLite. Needs --spec
    ///
    /// The view is in the schema of the table. Its name consists of the names of the table, the column and the
    /// specification: `orders_id_euid`. Write the names exactly as they were created, without quotes.
    #[arg(long, value_name = "TABLE.COLUMN", requires = "spec")]
    column: Option<String>,

    /// The column contains texts. Each query of the view parses all of them
    #[arg(long, requires = "column")]
    texts: bool,

    /// Print SQL that removes the functions or the view
    ///
    /// The SQL does not remove the schema. With --spec, it does not remove the functions that specifications share. Their
    /// names begin with `sortid__`.
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
        return Err(format!(
            "expected a name without control characters and invisible characters, found {name:?}"
        ));
    }
    Ok(())
}

/// The specification as the SQL functions have it.
pub(crate) fn in_sql(spec: Spec) -> Result<sortid_sql::Spec, String> {
    sortid_sql::Spec::named(spec.name()).ok_or_else(|| format!("{} has no functions in SQL", spec.title()))
}
