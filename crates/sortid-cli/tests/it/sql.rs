//! `sortid sql`. The SQL itself is tested by `cargo xtask sql`.

use crate::common::{run, shown, text};
use insta::assert_snapshot;
use sortid_sql::{Database, Script, Spec};

/// What the program prints for these arguments.
fn printed(args: &[&str]) -> String {
    let output = run(&[&["sql"], args].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(output.stderr.is_empty(), "{}", shown(&output));
    text(&output.stdout).to_owned()
}

#[test]
fn each_database_prints_its_file() {
    for database in Database::ALL {
        assert_eq!(printed(&[database.name()]), database.sql());
    }
}

#[test]
fn databases_have_other_names() {
    for (name, database) in
        [("PostgreSQL", Database::Postgres), ("mariadb", Database::Mysql), ("sqlite3", Database::Sqlite)]
    {
        assert_eq!(printed(&[name]), database.sql());
    }
}

#[test]
fn each_specification_prints_its_section() {
    let names = sortid::Spec::ALL.iter().map(|spec| spec.name());
    assert_eq!(names.clone().filter_map(Spec::named).collect::<Vec<_>>(), Spec::ALL);
    for (name, &spec) in names.zip(Spec::ALL) {
        let script = Script::new(Database::Duckdb).spec(spec);
        assert_eq!(printed(&["duckdb", "--spec", name]), script.install().unwrap());
        assert_eq!(printed(&["duckdb", "--spec", name, "--uninstall"]), script.uninstall().unwrap());
    }
    let script = Script::new(Database::Postgres).spec(Spec::EventlyId).schema("ids");
    assert_eq!(printed(&["postgres", "--spec", "event", "--schema", "ids"]), script.install().unwrap());
    let view = Script::new(Database::Mysql).spec(Spec::Euid).column("shop.orders", "id");
    assert_eq!(printed(&["mysql", "--spec", "euid", "--column", "shop.orders.id"]), view.install().unwrap());
    let view = view.text_column("shop.orders", "id");
    assert_eq!(
        printed(&["mysql", "--spec", "euid", "--column", "shop.orders.id", "--texts"]),
        view.install().unwrap()
    );
}

#[test]
fn what_does_not_exist_is_an_error() {
    let mut errors = String::new();
    for args in [
        &[][..],
        &["oracle"],
        &["clickhouse", "--schema", "ids"],
        &["sqlite", "--uninstall"],
        &["sqlite", "--spec", "euid", "--column", "id"],
        &["sqlite", "--column", "orders.id"],
        &["postgres", "--spec", "euid", "--column", "orders.id"],
        &["mysql", "--schema", "a", "--spec", "euid", "--column", "orders.id"],
        &["postgres", "--schema", ""],
        &["postgres", "--drop"],
    ] {
        let output = run(&[&["sql"], args].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        errors += &format!("$ sortid sql {}\n{}\n", args.join(" "), text(&output.stderr));
    }
    assert_snapshot!("errors", errors);
}

#[test]
fn a_name_that_a_person_cannot_see_is_refused() {
    for hidden in ["\u{202e}", "\u{115f}", "\u{3164}", "\u{fe0f}", "\u{e0041}", "\u{2028}", "\x1b[2J", "\n"] {
        let name = format!("shop{hidden}.orders");
        for args in [
            &["sql", "postgres", "--schema", &name][..],
            &["sql", "duckdb", "--schema", &name, "--uninstall"],
            &["sql", "sqlite", "--spec", "euid", "--column", &name],
            &["range", "euid", "--since", "2024-06-06", "--dialect", "mysql", "--sql", &name],
        ] {
            let output = run(args, b"");
            let message = text(&output.stderr);
            assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()), "{args:?}");
            assert!(
                message.contains("expected a name without control characters and invisible characters"),
                "{message}"
            );
        }
    }
    // Combining marks and letters of other scripts are visible.
    for name in ["cafe\u{301}", "नमस्ते", "名前"] {
        assert_eq!(run(&["sql", "postgres", "--schema", name], b"").status.code(), Some(0), "{name}");
    }
}
