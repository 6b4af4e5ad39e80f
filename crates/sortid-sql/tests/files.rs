//! What all files of SQL have in common. `cargo xtask sql` runs them on the databases.

use sortid::{__with_type as with_type, Role, SortableId as _};
use sortid_sql::{Database, Error, Script, Spec, statements};
use std::collections::BTreeSet;

const WITH_FUNCTIONS: [Database; 4] =
    [Database::Postgres, Database::Mysql, Database::Duckdb, Database::Clickhouse];

/// The names of the functions that SQL creates.
fn created(sql: &str) -> Vec<String> {
    let names = sql.lines().filter_map(|line| {
        let rest = line
            .strip_prefix("CREATE OR REPLACE FUNCTION ")
            .or_else(|| line.strip_prefix("CREATE OR REPLACE MACRO "))
            .or_else(|| line.strip_prefix("CREATE FUNCTION "))?;
        rest.split(['(', ' ']).next()
    });
    names.map(str::to_owned).collect()
}

/// What every specification has, and its fields.
fn expected(spec: Spec) -> Vec<String> {
    let described = sortid::Spec::ALL.iter().find(|described| Spec::named(described.name()) == Some(spec));
    let fields = with_type!(*described.expect("a specification"), Id => Id::FIELDS);
    let fields = fields.iter().filter(|field| !matches!(field.role, Role::Whole | Role::Constant));
    let all = ["time", "text", "parse", "min_at", "max_at", "is_valid", "text_time"].into_iter();
    let mut names: Vec<_> = all.chain(fields.map(|field| field.name)).collect();
    if is_uuid(spec) {
        names.extend(["is_uuid7", "or_uuid7_time"]);
    }
    if spec == Spec::UlidFlake {
        names.extend(["scalable_randomness", "scalability"]);
    }
    names.iter().map(|name| format!("{}_{name}", spec.prefix())).collect()
}

/// Whether a column of the type `uuid` can have its IDs.
fn is_uuid(spec: Spec) -> bool {
    let sql = Script::new(Database::Postgres).spec(spec).install().unwrap();
    sql.contains(&format!("FUNCTION {}_parse(input text) RETURNS uuid", spec.prefix()))
}

#[test]
fn every_specification_has_its_sql() {
    let named: Vec<_> = sortid::Spec::ALL.iter().map(|spec| Spec::named(spec.name())).collect();
    assert_eq!(named, Spec::ALL.iter().copied().map(Some).collect::<Vec<_>>());
}

#[test]
fn each_database_has_each_function() {
    for database in WITH_FUNCTIONS {
        for &spec in Spec::ALL {
            let sql = Script::new(database).spec(spec).install().unwrap();
            let created: BTreeSet<_> = created(&sql).into_iter().collect();
            for name in expected(spec) {
                assert!(created.contains(&name), "{} has no {name}", database.name());
            }
            let has_new = created.contains(&format!("{}_new", spec.prefix()));
            let can_new = matches!(database, Database::Postgres | Database::Mysql)
                && matches!(spec, Spec::Scru160 | Spec::Euid);
            assert_eq!(has_new, can_new, "{} {spec:?}", database.name());
            for name in ["try_parse", "typed_text", "typed_parse", "typed_try_parse"] {
                assert!(created.contains(&format!("{}_{name}", spec.prefix())), "{} {name}", database.name());
            }
            // A query of two kinds of rows has a function in which the database finds the two ranges, or their bounds.
            let of_two_kinds = if database == Database::Mysql { "uuid7_min_at" } else { "or_uuid7_within" };
            for name in ["uuid7_min_at", "or_uuid7_within"] {
                let has_it = created.contains(&format!("{}_{name}", spec.prefix()));
                assert_eq!(has_it, is_uuid(spec) && name == of_two_kinds, "{} {spec:?}", database.name());
            }
            let others = created.iter().filter(|name| {
                !name.starts_with("sortid__") && !name.starts_with(&format!("{}_", spec.prefix()))
            });
            assert_eq!(others.count(), 0, "{} {spec:?}: {created:?}", database.name());
        }
    }
}

#[test]
fn sqlite_has_the_same_as_columns() {
    for &spec in Spec::ALL {
        let sql = Script::new(Database::Sqlite).spec(spec).install().unwrap();
        assert_eq!(statements(&sql).count(), 3);
        for name in expected(spec) {
            assert!(sql.contains(&format!("AS {name}")), "{name}");
        }
        let view = Script::new(Database::Mysql).spec(spec).column("orders", "id").install().unwrap();
        assert_eq!(sql.contains("_uuid7_min_at"), is_uuid(spec), "{spec:?}");
        let of_texts_and_times = ["parse", "min_at", "max_at", "is_valid", "text_time"]
            .map(|name| format!("{}_{name}", spec.prefix()));
        for name in expected(spec).iter().filter(|name| !of_texts_and_times.contains(name)) {
            assert!(view.contains(&format!("AS {name}")), "{name}");
        }
    }
}

#[test]
fn each_statement_creates_one_function() {
    for database in WITH_FUNCTIONS {
        let sql = database.sql();
        let names = created(sql);
        let creating = statements(sql).filter(|statement| !created(statement).is_empty()).count();
        assert_eq!(creating, names.len(), "{}", database.name());
        let distinct: BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{}", database.name());
    }
}

/// Splits a text at a delimiter that occurs at most once.
fn only<'a>(text: &'a str, delimiter: &str) -> Option<(&'a str, &'a str)> {
    assert!(text.matches(delimiter).count() < 2, "{delimiter}");
    text.split_once(delimiter)
}

#[test]
fn each_function_has_one_comment_but_those_inside() {
    for database in [Database::Postgres, Database::Mysql, Database::Duckdb] {
        let sql = database.sql();
        for name in created(sql) {
            let comment = match database {
                Database::Mysql => {
                    let definition = sql.split_once(&format!("CREATE FUNCTION {name}(")).unwrap().1;
                    definition.split("$$").next().unwrap().split_once("\nCOMMENT")
                }
                Database::Postgres => only(sql, &format!("\nCOMMENT ON FUNCTION {name}(")),
                _ => only(sql, &format!("\nCOMMENT ON MACRO {name} IS")),
            };
            assert_eq!(comment.is_some(), !name.starts_with("sortid__"), "{}: {name}", database.name());
            let Some((_, comment)) = comment else { continue };
            let comment = comment.split('\'').nth(1).unwrap();
            assert!(
                comment.ends_with('.') && !comment.contains('('),
                "{}: {name}: {comment}",
                database.name()
            );
        }
    }
}

#[test]
fn what_is_installed_is_uninstalled_in_reverse_order() {
    for database in WITH_FUNCTIONS {
        let uninstall = Script::new(database).uninstall().unwrap();
        let dropped = uninstall.lines().map(|line| {
            let name = line.split(" IF EXISTS ").nth(1).unwrap();
            name.split(['(', ';']).next().unwrap().to_owned()
        });
        let mut names = created(database.sql());
        names.reverse();
        assert_eq!(dropped.collect::<Vec<_>>(), names, "{}", database.name());
    }
}

#[test]
fn one_specification_leaves_what_others_share() {
    let uninstall = Script::new(Database::Postgres).spec(Spec::Euid).uninstall().unwrap();
    assert!(uninstall.contains("DROP FUNCTION IF EXISTS euid_time(id uuid);"));
    assert!(!uninstall.contains("scru160"));
    assert!(!uninstall.contains("sortid__check("));
}

#[test]
fn a_schema_stands_before_each_function_and_each_call() {
    for database in [Database::Postgres, Database::Mysql, Database::Duckdb] {
        let sql = Script::new(database).schema("we\"i`rd").install().unwrap();
        let schema = if database == Database::Mysql { "`we\"i``rd`." } else { "\"we\"\"i`rd\"." };
        for line in sql.lines().filter(|line| !line.trim_start().starts_with("--")) {
            if let Some(name) =
                ["DROP FUNCTION IF EXISTS ", "COMMENT ON MACRO "].iter().find_map(|it| line.strip_prefix(it))
            {
                assert!(name.starts_with(schema), "{}: {line}", database.name());
            }
            for name in created(database.sql()) {
                for (at, _) in line.match_indices(&format!("{name}(")) {
                    let before = &line[..at];
                    let is_longer = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
                    assert!(is_longer || before.ends_with(schema), "{}: {line}", database.name());
                }
            }
        }
    }
}

/// Names that would change the SQL around them if they could, and honest ones that look as if they did.
const ODD: [&str; 20] = [
    "test euid_time(1)",
    "x\"; DROP TABLE orders; euid_time(",
    "`; DROP TABLE orders; euid_time(`",
    "'; DROP TABLE orders; --",
    "\\'; DROP TABLE orders; --",
    "a\\",
    "a\"b",
    "a`b",
    "a'b",
    "\"\"",
    "``",
    "$$",
    "$q$ $$ $qq$",
    "END $$;",
    "*/ -- /*",
    "CREATE FUNCTION euid_time(",
    "DROP FUNCTION IF EXISTS euid_time",
    "select",
    "a.b",
    "ünï 名前 \u{1f600}",
];

/// The SQL with `plain` instead of each name in quotes, and `$$` before and after each body.
fn with_plain_name(database: Database, sql: &str, name: &str) -> String {
    let quote = if database == Database::Mysql { '`' } else { '"' };
    let double = quote.to_string().repeat(2);
    let quoted = format!("{quote}{}{quote}", name.replace(quote, &double));
    let literal = format!("E'{}'", name.replace('\\', r"\\").replace('\'', "''"));
    let sql = sql.replace(&quoted, &format!("{quote}plain{quote}")).replace(&literal, "E'plain'");
    let bodies = ["$q$", "$qq$", "$qqq$"].into_iter().find(|body| sql.contains(body));
    bodies.map_or(sql.clone(), |body| sql.replace(body, "$$"))
}

#[test]
fn a_script_is_the_same_whatever_the_name_of_its_schema_is() {
    for database in [Database::Postgres, Database::Mysql, Database::Duckdb] {
        let plain = Script::new(database).schema("plain");
        for name in ODD {
            let odd = Script::new(database).schema(name);
            for (odd, plain) in [
                (odd.install().unwrap(), plain.install().unwrap()),
                (odd.uninstall().unwrap(), plain.uninstall().unwrap()),
            ] {
                assert!(with_plain_name(database, &odd, name) == plain, "{}: {name}", database.name());
                let [odd, plain] = [&odd, &plain].map(|sql| statements(sql).collect::<Vec<_>>());
                assert_eq!(odd.len(), plain.len(), "{}: {name}", database.name());
                for (odd, plain) in odd.iter().zip(&plain) {
                    assert_eq!(with_plain_name(database, odd, name), *plain, "{}: {name}", database.name());
                }
            }
        }
    }
}

#[test]
fn no_name_ends_a_body() {
    for name in ODD {
        let sql = Script::new(Database::Postgres).schema(name).install().unwrap();
        let body = sql.split(" AS $").nth(1).unwrap().split('$').next().unwrap();
        let body = format!("${body}$");
        assert!(!name.contains(&body), "{name}");
        assert_eq!(sql.matches(&body).count() % 2, 0, "{name}");
    }
}

#[test]
fn a_view_is_the_same_whatever_the_names_of_its_column_are() {
    for database in [Database::Mysql, Database::Sqlite] {
        let view = |table: &str, column: &str| {
            let script = Script::new(database).spec(Spec::Euid);
            let [ids, texts] = [script.column(table, column), script.text_column(table, column)];
            ids.install().unwrap() + &texts.install().unwrap()
        };
        let plain = view("plain", "plain");
        for name in ODD.into_iter().filter(|name| !name.contains('.') && name.chars().count() < 30) {
            let quote = if database == Database::Mysql { '`' } else { '"' };
            let of_view = format!("{name}_{name}_euid");
            let sql = view(name, name).replace(
                &format!("{quote}{}{quote}", of_view.replace(quote, &quote.to_string().repeat(2))),
                &format!("{quote}plain_plain_euid{quote}"),
            );
            assert_eq!(with_plain_name(database, &sql, name), plain, "{}: {name}", database.name());
        }
    }
}

#[test]
fn a_name_that_the_database_would_cut_is_an_error() {
    let schema = |database, name: &str| Script::new(database).schema(name).install().map(drop);
    for (database, unit, most) in
        [(Database::Postgres, "x", 63), (Database::Postgres, "ü", 31), (Database::Mysql, "ü", 64)]
    {
        assert_eq!(schema(database, &unit.repeat(most)), Ok(()), "{}", database.name());
        let long = unit.repeat(most + 1);
        assert_eq!(schema(database, &long), Err(Error::Length(database, long)), "{}", database.name());
    }
    // The name of the view: 30 + 1 + 30 + 5 characters.
    let (table, column) = ("t".repeat(30), "c".repeat(30));
    let view = Script::new(Database::Mysql).spec(Spec::Euid).column(&table, &column);
    let error = Error::Length(Database::Mysql, format!("{table}_{column}_euid"));
    assert!(error.to_string().starts_with("expected a name of at most 64 characters in MySQL, found 66: "));
    assert_eq!(view.install(), Err(error));
    assert!(Script::new(Database::Sqlite).spec(Spec::Euid).column(&table, &column).install().is_ok());
}

#[test]
fn a_view_has_the_names_of_its_column_in_quotes() {
    let script = Script::new(Database::Sqlite).spec(Spec::UlidFlake).column("aux.vis\"its", "i\"d");
    let sql = script.install().unwrap();
    let view = r#""aux"."vis""its_i""d_ulid_flake""#;
    let table = r#""aux"."vis""its""#;
    let column = r#""aux"."vis""its"."i""d""#;
    let (check, sql) = sql.split_once('\n').unwrap();
    let range = format!("WHERE {column} >= '' AND {column} < x'' LIMIT 1;");
    assert!(check.ends_with(&format!(" FROM {table} {range}")), "{check}");
    assert!(
        sql.starts_with(&format!("DROP VIEW IF EXISTS {view};\nCREATE VIEW {view} AS\nSELECT\n    id,\n")),
        "{sql}"
    );
    assert!(sql.ends_with(&format!("\nFROM (SELECT {column} AS id FROM {table}) AS ids;\n")), "{sql}");
    assert_eq!(statements(sql).count(), 2);
    assert_eq!(script.uninstall().unwrap(), format!("DROP VIEW IF EXISTS {view};\n"));
    let sql = script.text_column("aux.vis\"its", "i\"d").install().unwrap();
    assert!(sql.starts_with(&format!("SELECT {column} FROM {table} LIMIT 0;\n")), "{sql}");
    let texts = format!("(SELECT {column} AS id FROM {table})\n");
    assert!(sql.contains(&format!("\nWITH \"vis\"\"its_i\"\"d_ulid_flake\" (input) AS {texts}")), "{sql}");
    assert_eq!(statements(&sql).count(), 3);

    for (spec, check) in [
        (Spec::UlidFlake, "SELECT count(*) OVER (ORDER BY `visits`.`i``d` RANGE 0 PRECEDING) FROM `visits`"),
        (Spec::Euid, "SELECT `visits`.`i``d` COLLATE `binary` FROM `visits`"),
    ] {
        let sql = Script::new(Database::Mysql).spec(spec).column("visits", "i`d").install().unwrap();
        let view = format!("CREATE OR REPLACE VIEW `visits_i``d_{}` AS", spec.prefix());
        assert!(sql.starts_with(&format!("{check} WHERE FALSE;\n{view}\nSELECT\n    id,\n")), "{sql}");
        assert!(sql.ends_with("\nFROM (SELECT `visits`.`i``d` AS id FROM `visits`) AS ids;\n"), "{sql}");
        assert_eq!(statements(&sql).count(), 2);

        let sql = Script::new(Database::Mysql).spec(spec).text_column("visits", "i`d").install().unwrap();
        let check = "SELECT CONVERT(`visits`.`i``d` USING utf8mb4) FROM `visits`";
        assert!(
            sql.starts_with(&format!("{check} WHERE FALSE;\n{view}\nSELECT\n    input AS id,\n")),
            "{sql}"
        );
        let texts = "\nWITH inputs (input) AS (SELECT `visits`.`i``d` AS id FROM `visits`),\n";
        assert!(sql.contains(texts), "{sql}");
        assert_eq!(statements(&sql).count(), 2);
    }
}

#[test]
fn what_does_not_exist_is_an_error() {
    let script = Script::new;
    for (script, error) in [
        (script(Database::Clickhouse).schema("ids"), Error::Schema(Database::Clickhouse)),
        (script(Database::Sqlite).schema("ids"), Error::Schema(Database::Sqlite)),
        (script(Database::Postgres).schema(""), Error::Name(String::new())),
        (script(Database::Postgres).schema("a\0"), Error::Name("a\0".to_owned())),
        (script(Database::Duckdb).spec(Spec::Euid).column("a", "b"), Error::Column(Database::Duckdb)),
        (
            script(Database::Postgres).spec(Spec::Euid).text_column("a", "b"),
            Error::Column(Database::Postgres),
        ),
        (script(Database::Sqlite).column("a", "b"), Error::ColumnWithoutSpec),
        (script(Database::Sqlite).spec(Spec::Euid).column("", "b"), Error::Name(String::new())),
        (script(Database::Mysql).spec(Spec::Euid).schema("c").column("a", "b"), Error::SchemaWithColumn),
    ] {
        assert_eq!(script.install(), Err(error.clone()), "{script:?}");
        assert_eq!(script.uninstall(), Err(error), "{script:?}");
    }
    assert_eq!(script(Database::Sqlite).uninstall(), Err(Error::NothingInstalled));
}

#[test]
fn lines_fit_a_screen() {
    for database in Database::ALL {
        for (number, line) in database.sql().lines().enumerate() {
            assert!(line.chars().count() <= 120, "{}, line {}: {line}", database.name(), number + 1);
            assert!(!line.contains('\t') && !line.ends_with(' '), "{}, line {}", database.name(), number + 1);
        }
    }
}
