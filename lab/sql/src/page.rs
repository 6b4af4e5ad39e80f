//! `sql-proof page`: runs the examples of a page.
//!
//! Under a heading `## PostgreSQL`, `## MariaDB and MySQL`, `## DuckDB`, `## ClickHouse` or `## SQLite`, the blocks are run in
//! their order, in a database where the functions are installed. The blocks before the first heading and under all other
//! headings are for PostgreSQL. Lines `--> a | b` under a statement are its rows, and `--> ERROR: …` is its error. In a
//! block `console`, lines `$ …` are commands, and the other lines what they print. `…` stands for any text, and a line `…`
//! for any lines.

use crate::{
    Result, check,
    database::{Database, Engine, Login},
};
use clap::{Args, ValueEnum as _};
use sortid_sql::Script;
use std::{fs, path::PathBuf, process::Command};

#[derive(Args)]
pub(crate) struct Options {
    /// The page
    page: PathBuf,
    /// The database
    #[arg(long, value_enum)]
    database: Engine,
}

/// A line of the page, with its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

struct Block<'a> {
    is_console: bool,
    lines: Vec<Line<'a>>,
}

pub(crate) fn run(options: &Options) -> Result {
    let engine = options.database;
    let text =
        fs::read_to_string(&options.page).map_err(|error| format!("{}: {error}", options.page.display()))?;
    let blocks = blocks(&text, engine);
    let folder = tempfile::tempdir()?;
    // The file that the commands name, for SQLite. DuckDB locks its file, so its statements have a file of their own.
    let words = blocks.iter().filter(|block| block.is_console).flat_map(|block| &block.lines);
    let mut names = words.flat_map(|line| line.text.split_whitespace());
    let name = names.find(|word| engine == Engine::Sqlite && word.ends_with(".db"));
    let file = folder.path().join(name.unwrap_or("page.db"));
    let mut db = engine.open_file(&file)?;
    if engine != Engine::Sqlite {
        check::run_script(&mut *db, &Script::new(engine.of_library()).install()?)?;
    }
    let login = engine.login(folder.path())?;
    let (mut count, mut failures) = (0, vec![]);
    for block in &blocks {
        let examples = if block.is_console { commands(&block.lines) } else { statements(&block.lines) };
        for example in examples {
            let found = if block.is_console {
                printed(&example.input, &login, folder.path())?
            } else {
                rows(&mut *db, &example.input)
            };
            count += 1;
            // A statement without an expected answer may have any answer, but may not fail.
            let is_silent = example.expected.is_empty() && !block.is_console;
            let has_failed = found.first().is_some_and(|line| line.starts_with("ERROR"));
            if !(is_silent && !has_failed || matches(&example.expected, &found)) {
                failures.push(format!(
                    "{}:{}: {}\nexpected:\n{}\nfound:\n{}",
                    options.page.display(),
                    example.number,
                    example.input,
                    example.expected.join("\n"),
                    found.join("\n")
                ));
            }
        }
    }
    db.clean_up()?;
    println!("{}: {count} examples, {} failures", engine.heading(), failures.len());
    if count == 0 {
        return Err(format!("{} has no example under {:?}", options.page.display(), engine.heading()).into());
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n\n").into()) }
}

/// The blocks of SQL and of commands for a database.
fn blocks(page: &str, engine: Engine) -> Vec<Block<'_>> {
    let engine_of = |heading: &str| {
        let named = Engine::value_variants().iter().find(|it| it.heading() == heading);
        named.copied().unwrap_or(Engine::Postgres)
    };
    let mut blocks = vec![];
    let (mut is_here, mut open): (bool, Option<Option<Block<'_>>>) = (engine == Engine::Postgres, None);
    for (number, text) in (1..).zip(page.lines()) {
        match &mut open {
            Some(block) if text == "```" => {
                blocks.extend(block.take());
                open = None;
            }
            Some(Some(block)) => block.lines.push(Line { number, text }),
            Some(None) => {}
            None if text.starts_with("```") => {
                let block = |is_console| Block { is_console, lines: vec![] };
                open = Some(match text {
                    "```sql" if is_here => Some(block(false)),
                    "```console" if is_here => Some(block(true)),
                    _ => None,
                });
            }
            None if text.starts_with("## ") => is_here = engine_of(text) == engine,
            None => {}
        }
    }
    blocks
}

/// A statement or a command, the line where it begins, and what comes of it.
struct Example {
    number: usize,
    input: String,
    expected: Vec<String>,
}

fn statements(lines: &[Line<'_>]) -> Vec<Example> {
    let mut all: Vec<Example> = vec![];
    let (mut is_open, mut is_in_body) = (false, false);
    for line in lines {
        if let Some(row) = line.text.strip_prefix("-->")
            && let (Some(last), false) = (all.last_mut(), is_open)
        {
            last.expected.push(row.strip_prefix(' ').unwrap_or(row).to_owned());
            continue;
        }
        if !is_open {
            if line.text.is_empty() || line.text.starts_with("--") {
                continue;
            }
            all.push(Example { number: line.number, input: String::new(), expected: vec![] });
            is_open = true;
        }
        let statement = all.last_mut().expect("one is open");
        statement.input.push_str(line.text);
        statement.input.push('\n');
        is_in_body ^= line.text.matches("$$").count() % 2 == 1;
        if line.text.trim_end().ends_with(';') && !is_in_body {
            is_open = false;
        }
    }
    for example in &mut all {
        example.input = example.input.trim_end().trim_end_matches(';').to_owned();
    }
    all
}

fn commands(lines: &[Line<'_>]) -> Vec<Example> {
    let mut all: Vec<Example> = vec![];
    for line in lines {
        match (line.text.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => {
                all.push(Example { number: line.number, input: command.to_owned(), expected: vec![] });
            }
            // The shell's prompt for the rest of a command.
            (None, Some(last)) if last.expected.is_empty() && line.text.starts_with("> ") => {
                last.input.push('\n');
                last.input.push_str(&line.text[2..]);
            }
            (None, Some(last)) => last.expected.push(line.text.to_owned()),
            (None, None) => {}
        }
    }
    all
}

/// The rows of a statement, or its error. A value may have several lines.
fn rows(db: &mut dyn Database, statement: &str) -> Vec<String> {
    let value = |value: Option<String>| value.unwrap_or_else(|| "NULL".to_owned());
    match db.printed(statement) {
        Ok(rows) => {
            rows.into_iter().map(|row| row.into_iter().map(value).collect::<Vec<_>>().join(" | ")).collect()
        }
        Err(error) => vec![format!("ERROR: {error}")],
    }
}

/// What a command prints, on both streams.
fn printed(command: &str, login: &Login, folder: &std::path::Path) -> Result<Vec<String>> {
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .envs(login.iter().map(|(name, value)| (name, value)))
        .current_dir(folder)
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_owned()).collect())
}

/// Whether the lines are those that are expected. A line `…` stands for any lines.
fn matches(expected: &[String], found: &[String]) -> bool {
    match expected {
        [] => found.iter().all(String::is_empty),
        [first, rest @ ..] if first == "…" => (0..=found.len()).any(|i| matches(rest, &found[i..])),
        [first, rest @ ..] => {
            found.first().is_some_and(|line| is_like(first.trim(), line.trim())) && matches(rest, &found[1..])
        }
    }
}

/// Whether the text matches the pattern, in which `…` stands for any text.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|text| {
            text.char_indices().map(|(i, _)| i).chain([text.len()]).any(|i| is_like(after, &text[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipsis_stands_for_any_text_and_any_lines() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(is_like("a … c", "a b c") && is_like("…", "") && !is_like("a…c", "a b"));
        assert!(matches(&lines("…\nb\n…"), &lines("a\nb\nc\nd")));
        assert!(!matches(&lines("a\nb"), &lines("a\nb\nc")));
        assert!(!matches(&lines("a"), &[]));
    }

    #[test]
    fn blocks_are_those_under_their_heading() {
        let page = "## Other\n```sql\nSELECT 1;\n--> 1\n```\n## SQLite\n```sql\nSELECT 2\n  ;\n--> 2 | …\n--> 3\n```\n```rust\nx\n```\n```console\n$ ls \\\n> -a\na\n```\n";
        assert_eq!(blocks(page, Engine::Postgres).len(), 1);
        assert_eq!(blocks(page, Engine::Duckdb).len(), 0);
        let found = blocks(page, Engine::Sqlite);
        assert_eq!(found.len(), 2);
        let sql = statements(&found[0].lines);
        assert_eq!((sql.len(), sql[0].number, &*sql[0].input), (1, 8, "SELECT 2\n  "));
        assert_eq!(sql[0].expected, ["2 | …", "3"]);
        let console = commands(&found[1].lines);
        assert_eq!((&*console[0].input, &*console[0].expected[0]), ("ls \\\n-a", "a"));
    }
}
