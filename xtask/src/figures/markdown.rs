//! Tables in Markdown: those that measuring programs print, and those of pages.

use crate::shell::Result;
use sortid_servers::records::Record;

/// The tables of a text, each as a record. What stands before a table is what the record is about. An empty cell becomes a `-`.
pub(crate) fn records(text: &str) -> Result<Vec<Record>> {
    let (mut records, mut about, mut rows) = (vec![], vec![], vec![]);
    for line in text.lines().chain([""]) {
        if let Some(cells) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            if !cells.starts_with("---") {
                rows.push(cells.split('|').map(str::trim).collect());
            }
            continue;
        }
        if let Some(columns) = rows.first() {
            let cell = |cell: &&str| if ["", "–"].contains(cell) { "-" } else { cell }.to_owned();
            let rows = rows[1..].iter().map(|row: &Vec<&str>| row.iter().map(cell).collect());
            records.push(Record::new(about.join(": ").trim_end_matches(':'), columns, rows.collect())?);
            about.clear();
        }
        rows.clear();
        about.extend(Some(line.trim_start_matches("### ")).filter(|line| !line.is_empty()));
    }
    Ok(records)
}

/// A table whose columns are numbers, except for the first.
pub(crate) fn table<C: AsRef<str>>(columns: &[C], rows: &[Vec<String>]) -> String {
    let columns: Vec<_> = columns.iter().map(AsRef::as_ref).collect();
    let head = format!("| {} |\n|---|{}\n", columns.join(" | "), "---:|".repeat(columns.len() - 1));
    rows.iter().fold(head, |table, row| table + &format!("| {} |\n", row.join(" | ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_about_the_text_before_its_table() {
        let text = "### A\n\nIn ns.\n\n| | y |\n|---|---:|\n| 1 | |\n\n| z |\n|---|\n### B:\n| w |\n";
        let records = records(text).unwrap();
        let about: Vec<_> = records.iter().map(|record| &*record.about).collect();
        assert_eq!(about, ["A: In ns.", "", "B"]);
        assert_eq!(
            (&*records[0].columns, &*records[0].rows),
            (&["", "y"].map(Into::into)[..], &[["1", "-"].map(Into::into).to_vec()][..])
        );
        assert_eq!(table(&records[0].columns, &records[0].rows), "|  | y |\n|---|---:|\n| 1 | - |\n");
    }
}
