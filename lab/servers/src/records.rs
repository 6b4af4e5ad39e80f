//! What measurements and long runs found: chores write `records/NAME.json`.

use crate::shell::{Result, root, stdout_of};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{fmt, fs, path::PathBuf, process::Command, thread};

/// A table of what a run found, and where it ran.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was tried.
    pub about: String,
    /// The day in UTC.
    pub date: String,
    /// The processor and its cores.
    pub machine: String,
    /// The compiler.
    pub rustc: String,
    /// What else a reader has to know, such as the seed. Each is a sentence.
    pub notes: Vec<String>,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The cells of each row, as many as columns.
    pub rows: Vec<Vec<String>>,
}

/// What a run found: names and values.
pub type Values = Vec<(&'static str, String)>;

/// The number with a space after each three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn path(name: &str) -> PathBuf {
    root().join("records").join(name).with_extension("json")
}

impl Record {
    /// A record of a run on this machine, today.
    ///
    /// # Errors
    ///
    /// If the date or the version of Rust is unknown.
    pub fn new(about: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Result<Self> {
        let date = stdout_of(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let model = model.map_or("an unknown processor", |(_, model)| model.trim());
        let rustc = stdout_of(Command::new("rustc").arg("--version"))?;
        Ok(Self {
            about: about.into(),
            date: date.trim().into(),
            machine: format!("{model}, {} cores", thread::available_parallelism()?),
            rustc: rustc.trim().into(),
            notes: vec![],
            columns: columns.iter().copied().map(Into::into).collect(),
            rows,
        })
    }

    /// A record with a column for each run, whose values have their names in the first column.
    ///
    /// # Errors
    ///
    /// Those of [`Record::new`].
    pub fn of_columns(about: &str, columns: &[(&str, Values)]) -> Result<Self> {
        let heads: Vec<_> = ["what"].into_iter().chain(columns.iter().map(|(head, _)| *head)).collect();
        let names = columns.first().into_iter().flat_map(|(_, values)| values).map(|(name, _)| *name);
        let cells = |at: usize| columns.iter().map(move |(_, values)| values[at].1.clone());
        let rows =
            names.enumerate().map(|(at, name)| [name.to_owned()].into_iter().chain(cells(at)).collect());
        Self::new(about, &heads, rows.collect())
    }

    /// Reads `records/NAME.json`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a record.
    pub fn read(name: &str) -> Result<Self> {
        let text = fs::read_to_string(path(name)).map_err(|error| format!("records/{name}.json: {error}"))?;
        Self::parse(&text).map_err(|error| format!("records/{name}.json: {error}").into())
    }

    /// Writes `records/NAME.json`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, name: &str) -> Result {
        Ok(fs::write(path(name), self.to_string())?)
    }

    fn parse(json: &str) -> Result<Self> {
        let record: Self = serde_json::from_str(json)?;
        match record.rows.iter().find(|row| row.len() != record.columns.len()) {
            Some(row) => Err(format!("rows: {row:?} does not fit the columns").into()),
            None => Ok(record),
        }
    }
}

/// The JSON, with a line for each row, so that people can read it and its differences.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { about, date, machine, rustc, notes, columns, rows } = self;
        let lines = |values: Vec<Value>| {
            let lines: Vec<_> = values.iter().map(|value| format!("\n    {value}")).collect();
            format!("[{}\n  ]", lines.join(","))
        };
        let members = [
            ("about", json!(about).to_string()),
            ("date", json!(date).to_string()),
            ("machine", json!(machine).to_string()),
            ("rustc", json!(rustc).to_string()),
            ("notes", lines(notes.iter().map(|note| json!(note)).collect())),
            ("columns", json!(columns).to_string()),
            ("rows", lines(rows.iter().map(|row| json!(row)).collect())),
        ];
        let members = members.map(|(key, value)| format!("  \"{key}\": {value}"));
        writeln!(f, "{{\n{}\n}}", members.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_in_the_folder_is_a_record() {
        for file in fs::read_dir(root().join("records")).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let record = Record::read(name).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), record.to_string(), "{name}: written by hand?");
        }
    }

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let record = Record::new("", &["what", "number"], vec![vec!["a".into(), "1".into()]]).unwrap();
        assert_eq!(Record::parse(&record.to_string()).unwrap(), record);
        let refused = Record::parse(&record.to_string().replace("\"a\",", "")).unwrap_err();
        assert_eq!(refused.to_string(), "rows: [\"1\"] does not fit the columns");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([1, 100, 1000, 1_234_567].map(grouped), ["1", "100", "1 000", "1 234 567"]);
    }
}
