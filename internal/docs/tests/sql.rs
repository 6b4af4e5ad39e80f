//! Runs the SQL of `docs/` on PostgreSQL. The lines below a statement that begin with `-->` are its answer, a row each.

use postgres::{Client, NoTls, SimpleQueryMessage};
use std::{fs, io::Write};

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

#[test]
fn statements_have_the_answers_that_the_pages_show() {
    let Ok(url) = std::env::var("SORTID_POSTGRES") else {
        let _ = writeln!(
            std::io::stderr(),
            "left out: SQL of the documentation, because SORTID_POSTGRES is not set"
        );
        return;
    };
    let (mut ran, mut compared) = (0, 0);
    for page in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap() {
        let path = page.unwrap().path();
        let Ok(page) = fs::read_to_string(&path) else { continue };
        let mut db = Client::connect(&url, NoTls).unwrap();
        // The transaction is never committed, so the database stays as it was.
        let mut db = db.transaction().unwrap();
        for (statement, answer) in statements(&page) {
            let messages = db
                .simple_query(&statement)
                .unwrap_or_else(|error| panic!("{}: {statement}{error:?}", path.display()));
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    let columns = (0..row.len()).map(|column| row.get(column).unwrap_or("NULL"));
                    Some(columns.collect::<Vec<_>>().join(" | "))
                }
                _ => None,
            });
            assert_eq!(rows.collect::<Vec<_>>(), answer, "{}: {statement}", path.display());
            ran += 1;
            compared += usize::from(!answer.is_empty());
        }
    }
    assert!(ran > 5 && compared > 3, "{ran} statements, {compared} answers");
}
