//! What all files of SQL have in common. `cargo xtask sql` runs them on the databases.

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
    let fields: &[&str] = match spec {
        Spec::Scru160 => &["timestamp", "counter", "random16", "random80"],
        Spec::Euid => &[
            "timestamp",
            "random_upper",
            "extension",
            "extension_bits",
            "random_high",
            "random_low",
            "check",
        ],
        Spec::UlidFlake => &["timestamp", "randomness", "scalable_randomness", "scalability"],
        Spec::RonUid => &["value", "origin", "value_int", "origin_int", "scheme"],
        Spec::EventId => &["timestamp", "checksum", "ledger_id", "version"],
        _ => unreachable!("{spec:?} has fields"),
    };
    let all = ["time", "text", "parse", "min_at", "max_at", "is_valid"];
    all.iter().chain(fields).map(|name| format!("{}_{name}", spec.prefix())).collect()
}

#[test]
fn each_database_has_each_function() {
    for database in WITH_FUNCTIONS {
        for spec in Spec::ALL {
            let sql = Script::new(database).spec(spec).install().unwrap();
            let created: BTreeSet<_> = created(&sql).into_iter().collect();
            for name in expected(spec) {
                assert!(created.contains(&name), "{} has no {name}", database.name());
            }
            let has_new = created.contains(&format!("{}_new", spec.prefix()));
            let can_new = matches!(database, Database::Postgres | Database::Mysql)
                && matches!(spec, Spec::Scru160 | Spec::Euid);
            assert_eq!(has_new, can_new, "{} {spec:?}", database.name());
            let others = created.iter().filter(|name| {
                !name.starts_with("sortid_") && !name.starts_with(&format!("{}_", spec.prefix()))
            });
            assert_eq!(others.count(), 0, "{} {spec:?}: {created:?}", database.name());
        }
    }
}

#[test]
fn sqlite_has_the_same_as_columns() {
    for spec in Spec::ALL {
        let sql = Script::new(Database::Sqlite).spec(spec).install().unwrap();
        assert_eq!(statements(&sql).count(), 3);
        for name in expected(spec) {
            assert!(sql.contains(&format!("AS {name}")), "{name}");
        }
        let view = Script::new(Database::Mysql).spec(spec).column("orders", "id").install().unwrap();
        let of_texts_and_times =
            ["parse", "min_at", "max_at", "is_valid"].map(|name| format!("{}_{name}", spec.prefix()));
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
    assert!(!uninstall.contains("sortid_check("));
}

#[test]
fn a_schema_stands_before_each_function_and_each_call() {
    for database in [Database::Postgres, Database::Mysql, Database::Duckdb] {
        let sql = Script::new(database).schema("we\"i`rd").install().unwrap();
        let schema = if database == Database::Mysql { "`we\"i``rd`." } else { "\"we\"\"i`rd\"." };
        for line in sql.lines().filter(|line| !line.trim_start().starts_with("--")) {
            if let Some(name) = line.strip_prefix("DROP FUNCTION IF EXISTS ") {
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

#[test]
fn a_view_has_the_names_of_its_column_in_quotes() {
    let script = Script::new(Database::Sqlite).spec(Spec::UlidFlake).column("aux.vis\"its", "i\"d");
    let sql = script.install().unwrap();
    let view = r#""aux"."vis""its_i""d_ulid_flake""#;
    let (check, sql) = sql.split_once('\n').unwrap();
    assert_eq!(check, r#"SELECT "aux"."vis""its"."i""d" FROM "aux"."vis""its" LIMIT 0;"#);
    assert!(
        sql.starts_with(&format!("DROP VIEW IF EXISTS {view};\nCREATE VIEW {view} AS\nSELECT\n    id,\n")),
        "{sql}"
    );
    assert!(
        sql.ends_with(
            "\nFROM (SELECT \"aux\".\"vis\"\"its\".\"i\"\"d\" AS id FROM \"aux\".\"vis\"\"its\") AS ids;\n"
        ),
        "{sql}"
    );
    assert_eq!(statements(sql).count(), 2);
    assert_eq!(script.uninstall().unwrap(), format!("DROP VIEW IF EXISTS {view};\n"));

    let sql = Script::new(Database::Mysql).spec(Spec::UlidFlake).column("visits", "i`d").install().unwrap();
    assert!(sql.starts_with("CREATE OR REPLACE VIEW `visits_i``d_ulid_flake` AS\nSELECT"), "{sql}");
    assert!(sql.ends_with("\nFROM (SELECT `visits`.`i``d` AS id FROM `visits`) AS ids;\n"), "{sql}");
    assert_eq!(statements(&sql).count(), 1);
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
