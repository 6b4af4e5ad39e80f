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
    has_texts: bool,
}

/// A view of a column. The names are in quotes.
struct View {
    /// With the schema.
    name: String,
    /// Without the schema. No table of the view has this name, because it is longer.
    own_name: String,
    table: String,
    column: String,
    /// The prefix of the specification.
    prefix: &'static str,
}

/// What SQLite says, behind words of its own, of a column with texts.
const HAS_TEXTS: &str = "expected a column of IDs, found a text: for texts, use --texts, in Rust text_column";

/// The section of the functions that several specifications use.
const SHARED: &str = "shared";

impl<'a> Script<'a> {
    /// Returns a script for all specifications, whose functions go where the database creates functions by default.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database, spec: None, schema: None, column: None, has_texts: false }
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
    /// The name of the table may begin with the name of its schema: `shop.orders`. The view stands beside the table.
    /// Its name is made of the table, the column and the specification: `orders_id_euid`.
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
        Self { column: Some((table, column)), has_texts: false, ..self }
    }

    /// Creates a view like that of [`column`](Self::column), of a column that has the texts of IDs.
    ///
    /// Each query of the view parses all texts of the column. What is not the text of an ID has `NULL` in all columns.
    ///
    /// ```
    /// use sortid_sql::{Database, Script, Spec};
    ///
    /// let view = Script::new(Database::Mysql).spec(Spec::Euid).text_column("orders", "id").install()?;
    /// assert!(view.contains("CREATE OR REPLACE VIEW `orders_id_euid` AS"));
    /// # Ok::<(), sortid_sql::Error>(())
    /// ```
    #[must_use]
    pub const fn text_column(self, table: &'a str, column: &'a str) -> Self {
        Self { column: Some((table, column)), has_texts: true, ..self }
    }

    /// Returns the SQL that installs.
    ///
    /// # Errors
    ///
    /// If the database has no schema for functions, or no use for a view of a column; if a column comes without a
    /// specification; if a name is empty, has a control character or is longer than the database allows.
    pub fn install(&self) -> Result<String, Error> {
        if let Some(view) = self.view()? {
            return Ok(self.create(&view));
        }
        let schema = self.quoted_schema()?;
        let mut sql = String::new();
        for (name, section) in sections(self.database.sql()).filter(|(name, _)| self.has(name)) {
            match &schema {
                Some(schema) => self.push_qualified(&mut sql, section, schema),
                None => sql.push_str(section),
            }
            if name.is_empty() {
                if let (Some(name), Some(schema)) = (self.schema, &schema) {
                    sql.push_str(&self.create_schema(name, schema));
                }
            }
        }
        Ok(sql)
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
        // Functions that call others are dropped first.
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
        self.database.quoted(schema).map(Some)
    }

    fn create_schema(&self, name: &str, schema: &str) -> String {
        if self.database != Database::Postgres {
            return format!("CREATE SCHEMA IF NOT EXISTS {schema};\n\n");
        }
        // PostgreSQL asks for the right to create schemas, even if the schema exists.
        let (quote, literal) = (body_quote(name), literal(name));
        format!(
            "DO {quote} BEGIN IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = {literal})\n    \
             THEN CREATE SCHEMA {schema}; END IF; END {quote};\n\n"
        )
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
        let (schema, table) = match table.rsplit_once('.') {
            Some((schema, table)) => (self.database.quoted(schema)? + ".", table),
            None => (String::new(), table),
        };
        let in_schema = |name: &str| Ok(schema.clone() + &self.database.quoted(name)?);
        let name = format!("{table}_{column}_{prefix}");
        Ok(Some(View {
            table: in_schema(table)?,
            column: self.database.quoted(column)?,
            name: in_schema(&name)?,
            own_name: self.database.quoted(&name)?,
            prefix,
        }))
    }

    fn create(&self, View { name, own_name, table, column, prefix }: &View) -> String {
        let is_mysql = self.database == Database::Mysql;
        let sql = if is_mysql { MYSQL_COLUMN } else { Database::Sqlite.sql() };
        let section = sections(sql).find(|(name, _)| name == prefix).map_or("", |(_, section)| section);
        let mut columns = between(section, "WITH ids (id) AS (", "FROM ids;").to_owned();
        // The table stands before the column: SQLite takes an unknown name in quotes for a text. No `WITH` of a query of this
        // crate is around the table, because the table may have one of its names, such as `ids`.
        let column = format!("{table}.{column}");
        let mut rows = format!("SELECT {column} AS id FROM {table}");
        if self.has_texts {
            // The query that parses texts, and the columns of its IDs. The view has the texts as its column `id`.
            columns = columns.replacen("    id,", "    input AS id,", 1);
            let parsing = between(section, "WITH inputs (input) AS (", "SELECT");
            let inputs = if is_mysql { rows.clone() } else { format!("SELECT input FROM {own_name}") };
            let parsed =
                format!("\nWITH inputs (input) AS ({inputs}),\n{parsing}SELECT input, id FROM parsed");
            rows = if is_mysql {
                parsed
            } else {
                // A query of a `WITH` sees all others of it, so this one is around them.
                format!("\nWITH {own_name} (input) AS ({rows})\nSELECT input, id FROM ({parsed})")
            };
        }
        // An error if the column does not exist, or has texts whose expressions would be NULL.
        let check = match (is_mysql, self.has_texts) {
            (true, true) => format!("SELECT CONVERT({column} USING utf8mb4) FROM {table} WHERE FALSE"),
            (true, false) if *prefix == Spec::UlidFlake.prefix() => {
                format!("SELECT count(*) OVER (ORDER BY {column} RANGE 0 PRECEDING) FROM {table} WHERE FALSE")
            }
            (true, false) => format!("SELECT {column} COLLATE `binary` FROM {table} WHERE FALSE"),
            // SQLite does not look for the column until the view is read.
            (false, true) => format!("SELECT {column} FROM {table} LIMIT 0"),
            // Columns of SQLite have values of all types. The texts are from '' to x'', so an index finds them. SQLite has no
            // other error whose message is ours.
            (false, false) => format!(
                "SELECT json_extract('{{}}', '{HAS_TEXTS}') FROM {table} WHERE {column} >= '' AND {column} < x'' LIMIT 1"
            ),
        };
        let create = if is_mysql {
            format!("CREATE OR REPLACE VIEW {name}")
        } else {
            format!("DROP VIEW IF EXISTS {name};\nCREATE VIEW {name}")
        };
        format!("{check};\n{create} AS\n{columns}FROM ({rows}) AS ids;\n")
    }

    /// Adds a section of this crate's SQL with the schema before the names of the functions, where they are defined and where
    /// they are called. What is searched has no name from outside, so no name can change what is found.
    fn push_qualified(&self, qualified: &mut String, section: &str, schema: &str) {
        let names: Vec<_> = definitions(self.database.sql()).map(|(name, _)| name).collect();
        let section = match self.database {
            Database::Postgres => &section.replace("$$", &body_quote(schema)),
            _ => section,
        };
        for line in section.split_inclusive('\n') {
            if line.trim_start().starts_with("--") {
                qualified.push_str(line);
                continue;
            }
            let mut rest = line;
            // In this line, the name of a function stands without parentheses.
            let bare = BARE.iter().find_map(|before| Some((before, line.strip_prefix(before)?)));
            if let Some((before, name)) = bare {
                qualified.push_str(before);
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
    }
}

/// What stands before the names of functions without parentheses: in MySQL, which cannot replace a function, before each
/// function; in DuckDB, after each.
const BARE: [&str; 2] = ["DROP FUNCTION IF EXISTS ", "COMMENT ON MACRO "];

/// The lines between the line that has `first` and the next line that is `last`: the SQL between the samples and the
/// query that reads them.
fn between<'a>(section: &'a str, first: &str, last: &str) -> &'a str {
    let text =
        section.split_once(first).and_then(|(_, text)| text.split_once('\n')).map_or("", |(_, text)| text);
    text.find(&format!("\n{last}\n")).map_or(text, |end| &text[..=end])
}

/// The name as a literal of PostgreSQL, whatever `standard_conforming_strings` is.
fn literal(name: &str) -> String {
    format!("E'{}'", name.replace('\\', r"\\").replace('\'', "''"))
}

/// What stands before and after the body of a function in PostgreSQL: `$$`, unless the name, which is in bodies, has it.
fn body_quote(name: &str) -> String {
    let mut quote = "$$".to_owned();
    while name.contains(&quote) {
        quote.insert(1, 'q');
    }
    quote
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
