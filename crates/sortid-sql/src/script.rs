use crate::{Database, Error, MYSQL_COLUMN, Spec};

/// SQL that installs or removes what this crate has for a database.
///
/// A migration that runs the script is safe to repeat: an existing function of the same name and arguments is replaced.
///
/// ```
/// use sortid_sql::{Database, Script, Spec};
///
/// let script = Script::new(Database::Postgres).schema("ids").spec(Spec::Euid);
/// assert!(script.install()?.contains(r#"FUNCTION "ids".euid_time("#));
/// assert!(script.uninstall()?.contains(r#"DROP FUNCTION IF EXISTS "ids".euid_time("#));
/// # Ok::<(), sortid_sql::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    database: Database,
    spec: Option<Spec>,
    schema: Option<&'a str>,
    column: Option<(&'a str, &'a str)>,
}

/// A view of a column. The names are in quotes.
struct View {
    name: String,
    table: String,
    column: String,
    /// The prefix of the specification.
    prefix: &'static str,
}

/// The section of the functions that several specifications use.
const SHARED: &str = "shared";

impl<'a> Script<'a> {
    /// Returns a script for all specifications, whose functions go where the database creates functions by default.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database, spec: None, schema: None, column: None }
    }

    /// Leaves out all specifications but one.
    #[must_use]
    pub const fn spec(self, spec: Spec) -> Self {
        Self { spec: Some(spec), ..self }
    }

    /// Puts the functions into a schema, in MySQL a database. It is created if it does not exist. The name is one
    /// identifier without quotes.
    #[must_use]
    pub const fn schema(self, schema: &'a str) -> Self {
        Self { schema: Some(schema), ..self }
    }

    /// Creates a view with the times, texts and fields of the IDs in a column, instead of functions. For MySQL, MariaDB and
    /// SQLite.
    ///
    /// The name of the table may have that of its schema before it: `shop.orders`. The view stands beside the table, and is
    /// named after all: `orders_id_euid`.
    ///
    /// ```
    /// use sortid_sql::{Database, Script, Spec};
    ///
    /// let view = Script::new(Database::Sqlite).spec(Spec::Euid).column("orders", "id").install()?;
    /// assert!(view.contains(r#"CREATE VIEW "orders_id_euid" AS"#));
    /// # Ok::<(), sortid_sql::Error>(())
    /// ```
    #[must_use]
    pub const fn column(self, table: &'a str, column: &'a str) -> Self {
        Self { column: Some((table, column)), ..self }
    }

    /// Returns the SQL that installs.
    ///
    /// # Errors
    ///
    /// If the database has no schema for functions, or no use for a view of a column; if a column comes without a
    /// specification; if a name is empty or has a control character.
    pub fn install(&self) -> Result<String, Error> {
        if let Some(view) = self.view()? {
            return Ok(self.create(&view));
        }
        let schema = self.quoted_schema()?;
        let mut sql = String::new();
        for (name, section) in sections(self.database.sql()) {
            if self.has(name) {
                sql.push_str(section);
            }
            if name.is_empty()
                && let Some(schema) = &schema
            {
                sql.push_str(&self.create_schema(schema));
            }
        }
        Ok(match schema {
            Some(schema) => self.qualified(&sql, &schema),
            None => sql,
        })
    }

    /// Returns the SQL that removes what [`install`](Self::install) creates, except the schema. Without a specification, it
    /// also removes the functions that several specifications share.
    ///
    /// # Errors
    ///
    /// Those of [`install`](Self::install), and if nothing is installed: SQLite without a column.
    pub fn uninstall(&self) -> Result<String, Error> {
        if let Some(view) = self.view()? {
            return Ok(format!("DROP VIEW IF EXISTS {};\n", view.name));
        }
        let schema = self.quoted_schema()?.map_or(String::new(), |schema| schema + ".");
        if self.database == Database::Sqlite {
            return Err(Error::NothingInstalled);
        }
        let kind = if self.database == Database::Duckdb { "MACRO" } else { "FUNCTION" };
        let mut drops: Vec<_> = sections(self.database.sql())
            .filter(|(name, _)| self.has(name) && (*name != SHARED || self.spec.is_none()))
            .flat_map(|(_, section)| definitions(section))
            .map(|(name, arguments)| {
                // Only PostgreSQL tells functions apart by their arguments.
                let arguments = if self.database == Database::Postgres { arguments } else { "" };
                let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("DROP {kind} IF EXISTS {schema}{name}{arguments};\n")
            })
            .collect();
        // First those that call others.
        drops.reverse();
        Ok(drops.concat())
    }

    fn has(&self, section: &str) -> bool {
        section.is_empty() || section == SHARED || self.spec.is_none_or(|spec| spec.prefix() == section)
    }

    fn quoted_schema(&self) -> Result<Option<String>, Error> {
        let Some(schema) = self.schema else { return Ok(None) };
        if matches!(self.database, Database::Clickhouse | Database::Sqlite) {
            return Err(Error::Schema(self.database));
        }
        Ok(Some(self.database.quoted(checked(schema)?)))
    }

    fn create_schema(&self, schema: &str) -> String {
        if self.database != Database::Postgres {
            return format!("CREATE SCHEMA IF NOT EXISTS {schema};\n\n");
        }
        // PostgreSQL asks for the right to create schemas, even if the schema exists.
        let body = format!(
            "BEGIN IF to_regnamespace({}) IS NULL THEN CREATE SCHEMA {schema}; END IF; END",
            literal(schema)
        );
        format!("DO {};\n\n", literal(&body))
    }

    fn view(&self) -> Result<Option<View>, Error> {
        let Some((table, column)) = self.column else { return Ok(None) };
        if !matches!(self.database, Database::Mysql | Database::Sqlite) {
            return Err(Error::Column(self.database));
        }
        if self.schema.is_some() {
            return Err(Error::SchemaWithColumn);
        }
        let prefix = self.spec.ok_or(Error::ColumnWithoutSpec)?.prefix();
        checked(column)?;
        let (schema, table) = match table.rsplit_once('.') {
            Some((schema, table)) => (self.database.quoted(checked(schema)?) + ".", table),
            None => (String::new(), table),
        };
        let in_schema = |name: &str| schema.clone() + &self.database.quoted(name);
        Ok(Some(View {
            name: in_schema(&format!("{}_{column}_{prefix}", checked(table)?)),
            table: in_schema(table),
            column: self.database.quoted(column),
            prefix,
        }))
    }

    fn create(&self, View { name, table, column, prefix }: &View) -> String {
        let (sql, create) = match self.database {
            Database::Mysql => (MYSQL_COLUMN, format!("CREATE OR REPLACE VIEW {name} AS")),
            // SQLite does not look for the column until the view is read, so the script reads it first.
            _ => (
                crate::SQLITE,
                format!(
                    "SELECT {table}.{column} FROM {table} LIMIT 0;\nDROP VIEW IF EXISTS {name};\nCREATE VIEW {name} AS"
                ),
            ),
        };
        let section = sections(sql).find(|(name, _)| name == prefix).map_or("", |(_, section)| section);
        let mut view = create + "\n";
        for line in section.lines().skip_while(|line| !line.starts_with(SAMPLE)).skip(1) {
            if line == FROM_SAMPLE {
                // With the table before the column: SQLite takes an unknown name in quotes for a text.
                view.push_str(&format!("FROM (SELECT {table}.{column} AS id FROM {table}) AS ids;\n"));
                break;
            }
            view.push_str(line);
            view.push('\n');
        }
        view
    }

    /// Puts the schema before the names of the functions, where they are defined and where they are called.
    fn qualified(&self, sql: &str, schema: &str) -> String {
        let names: Vec<_> = definitions(self.database.sql()).map(|(name, _)| name).collect();
        let mut qualified = String::with_capacity(sql.len() * 5 / 4);
        for line in sql.split_inclusive('\n') {
            if line.trim_start().starts_with("--") {
                qualified.push_str(line);
                continue;
            }
            let mut rest = line;
            if let Some(name) = line.strip_prefix(DROP) {
                qualified.push_str(DROP);
                qualified.push_str(schema);
                qualified.push('.');
                rest = name;
            }
            while let Some(open) = rest.find('(') {
                let (before, after) = rest.split_at(open);
                let start =
                    before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
                let (text, name) = before.split_at(start);
                qualified.push_str(text);
                if names.contains(&name) {
                    qualified.push_str(schema);
                    qualified.push('.');
                }
                qualified.push_str(name);
                qualified.push('(');
                rest = &after[1..];
            }
            qualified.push_str(rest);
        }
        qualified
    }
}

/// The beginning of the statements that come before each function in MySQL, which cannot replace a function.
const DROP: &str = "DROP FUNCTION IF EXISTS ";

/// The lines that a view replaces, which give a sample and read it. The view has no `WITH`, because a table may be called
/// `ids`, too.
const SAMPLE: &str = "WITH ids (id) AS (";
const FROM_SAMPLE: &str = "FROM ids;";

/// The text as a literal of PostgreSQL.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

pub(crate) fn checked(name: &str) -> Result<&str, Error> {
    if name.is_empty() || name.contains(char::is_control) {
        return Err(Error::Name(name.to_owned()));
    }
    Ok(name)
}

/// The parts of a file, each with its name. The part before the first title has no name.
fn sections(sql: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(sql);
    std::iter::from_fn(move || {
        let section = rest?;
        let end = section.get(1..)?.find("\n-- ==== ").map(|at| at + 2);
        rest = end.map(|end| &section[end..]);
        let section = end.map_or(section, |end| &section[..end]);
        let name = section
            .strip_prefix("-- ==== ")
            .and_then(|title| title.split_once(" ===="))
            .map_or("", |(name, _)| name);
        Some((name, section))
    })
}

/// The names of the functions that a file defines, each with its arguments in parentheses.
fn definitions(sql: &str) -> impl Iterator<Item = (&str, &str)> {
    const CREATES: [&str; 3] =
        ["CREATE OR REPLACE FUNCTION ", "CREATE OR REPLACE MACRO ", "CREATE FUNCTION "];
    sql.split_inclusive('\n')
        .scan(0, |start, line| {
            let at = *start;
            *start += line.len();
            Some((at, line))
        })
        .filter_map(move |(at, line)| {
            let create = CREATES.iter().find(|create| line.starts_with(**create))?;
            let definition = &sql[at + create.len()..];
            let name = definition.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            let arguments = &definition[name..];
            let end = arguments.find(')').map_or(0, |end| end + 1);
            Some((&definition[..name], &arguments[..end]))
        })
}
