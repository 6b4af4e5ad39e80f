//! Runs the SQL of the pages on PostgreSQL, except the SQL of `docs/sql.md`, which `cargo xtask sql` runs. The lines
//! below a statement that begin with `-->` are its answer, a row each.

use postgres::{Client, NoTls, SimpleQueryMessage, Transaction};
use sortid_docs::PAGES;
use std::{fs, io::Write, path::Path};

/// The statements of the SQL blocks of a page, each with its answer.
fn statements(page: &str) -> Vec<(String, Vec<String>)> {
    let (mut statements, mut is_sql, mut statement) = (vec![], false, String::new());
    for line in page.lines() {
        if line.starts_with("```") {
            assert!(statement.is_empty(), "no end: {statement}");
            is_sql = line == "```sql";
        } else if !is_sql {
        } else if let Some(answer) = line.strip_prefix("--> ") {
            let (_, answers): &mut (_, Vec<String>) = statements.last_mut().expect("a statement above");
            answers.push(answer.to_owned());
        } else {
            statement += line;
            statement.push('\n');
            if line.ends_with(';') {
                statements.push((std::mem::take(&mut statement), vec![]));
            }
        }
    }
    statements
}

/// Returns a connection to the server, or `None` after a note that there is none.
fn server() -> Option<Client> {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        let _ = writeln!(
            std::io::stderr(),
            "left out: SQL of the documentation, because SORTID_POSTGRES is not set"
        );
        return None;
    };
    Some(Client::connect(&url, NoTls).unwrap())
}

/// Begins a transaction in a schema of its own, with the functions of `sortid sql postgres`. The transaction is never
/// committed, so the database stays as it was.
fn scratch(db: &mut Client) -> Transaction<'_> {
    let mut transaction = db.transaction().unwrap();
    transaction.batch_execute("CREATE SCHEMA statements; SET LOCAL search_path TO statements").unwrap();
    transaction.batch_execute(sortid_sql::Database::Postgres.sql()).unwrap();
    transaction
}

#[test]
fn statements_have_the_answers_that_the_pages_show() {
    let (mut ran, mut compared) = (0, 0);
    for path in PAGES.iter().filter(|path| **path != "docs/sql.md") {
        let page =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap();
        let Some(mut db) = server() else { return };
        let mut db = scratch(&mut db);
        for (statement, answer) in statements(&page) {
            let messages =
                db.simple_query(&statement).unwrap_or_else(|error| panic!("{path}: {statement}{error:?}"));
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    let columns = (0..row.len()).map(|column| row.get(column).unwrap_or("NULL"));
                    Some(columns.collect::<Vec<_>>().join(" | "))
                }
                _ => None,
            });
            assert_eq!(rows.collect::<Vec<_>>(), answer, "{path}: {statement}");
            ran += 1;
            compared += usize::from(!answer.is_empty());
        }
    }
    assert!(ran > 5 && compared > 1, "{ran} statements, {compared} answers");
}
