//! What measurements and long runs found: chores write `records/NAME.json`.

use crate::shell::{Result, root, stdout_of};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{fmt, fs, path::PathBuf, process::Command, thread};

/// A table of what a run found, and where it ran.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// What was tried.
    pub(crate) about: String,
    pub(crate) date: String,
    /// The processor and its cores.
    pub(crate) machine: String,
    pub(crate) rustc: String,
    /// What else a reader has to know, such as the seed. Each is a sentence.
    pub(crate) notes: Vec<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

fn path(name: &str) -> PathBuf {
    root().join("records").join(name).with_extension("json")
}

impl Record {
    /// A record of a run on this machine, today.
    pub(crate) fn new(about: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Result<Self> {
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

    pub(crate) fn read(name: &str) -> Result<Self> {
        let text = fs::read_to_string(path(name)).map_err(|error| format!("records/{name}.json: {error}"))?;
        Self::parse(&text).map_err(|error| format!("records/{name}.json: {error}").into())
    }

    pub(crate) fn write(&self, name: &str) -> Result {
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
}
