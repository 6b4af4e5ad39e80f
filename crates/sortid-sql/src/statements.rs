/// Splits SQL of this crate into its statements, for clients that send one at a time. Comments between statements stay with the
/// statement below them, and `DELIMITER` lines are left out.
///
/// A statement ends with its delimiter at the end of a line, outside of a body in `$$` or `$q$`. So this reads the files of this crate,
/// not all SQL.
///
/// ```
/// use sortid_sql::{Database, Script, Spec, statements};
///
/// let script = Script::new(Database::Postgres).spec(Spec::Euid).install()?;
/// assert!(statements(&script).any(|statement| statement.contains("FUNCTION euid_time(")));
/// # Ok::<(), sortid_sql::Error>(())
/// ```
pub fn statements(sql: &str) -> impl Iterator<Item = String> {
    let mut delimiter = ";";
    let mut lines = sql.lines();
    std::iter::from_fn(move || {
        let mut statement = String::new();
        // What ends the body that has begun.
        let mut body = None;
        for line in lines.by_ref() {
            if let Some(new) = line.strip_prefix("DELIMITER ") {
                delimiter = new.trim();
                continue;
            }
            let is_comment = line.trim_start().starts_with("--");
            if delimiter == ";" && !is_comment {
                // Names from outside are never at the end of a line.
                body = match body {
                    Some(quote) if line.strip_suffix(';').is_some_and(|line| line.ends_with(quote)) => None,
                    Some(quote) => Some(quote),
                    None => body_quote(line),
                };
            }
            match line.strip_suffix(delimiter) {
                Some(last) if body.is_none() && !is_comment => {
                    statement.push_str(last);
                    return Some(statement);
                }
                _ if statement.is_empty() && line.is_empty() => {}
                _ => {
                    statement.push_str(line);
                    statement.push('\n');
                }
            }
        }
        None
    })
}

/// The `$$` or `$q$` at the end of a line, which begins a body.
fn body_quote(line: &str) -> Option<&str> {
    let before = line.strip_suffix('$')?.trim_end_matches('q');
    before.ends_with(" $").then(|| &line[before.len() - 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_with_its_delimiter() {
        let sql = "-- a; comment;\nSELECT 1;\n\nSELECT $$\n  2;\n$$;\nDELIMITER //\nBEGIN\n  3;\nEND//\nDELIMITER ;\nSELECT 4;\n-- end\n";
        let found: Vec<_> = statements(sql).collect();
        assert_eq!(
            found,
            ["-- a; comment;\nSELECT 1", "SELECT $$\n  2;\n$$", "BEGIN\n  3;\nEND", "SELECT 4"]
        );
    }
}
