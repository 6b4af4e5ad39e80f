//! What measurements and long runs found: chores write `records/NAME.json`, and `cargo xtask records` prints them.

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

/// Prints the records whose names begin with one of these, or lists all records.
pub(crate) fn run(wanted: &[String]) -> Result {
    let names = names()?;
    if wanted.is_empty() {
        for name in &names {
            let Record { about, date, machine, .. } = Record::read(name)?;
            println!("{name:<18} {date}  {machine:<40}  {about}");
        }
        println!("\nTo print one: cargo xtask records NAME, or the beginning of its name");
    }
    for beginning in wanted {
        let chosen: Vec<_> = names.iter().filter(|name| name.starts_with(beginning)).collect();
        if chosen.is_empty() {
            return Err(format!("records/ has no {beginning}, but {}", names.join(", ")).into());
        }
        for name in chosen {
            println!("{}", Record::read(name)?);
        }
    }
    Ok(())
}

fn names() -> Result<Vec<String>> {
    let files = fs::read_dir(root().join("records"))?.collect::<std::io::Result<Vec<_>>>()?;
    let names =
        files.iter().filter_map(|file| file.file_name().to_str()?.strip_suffix(".json").map(Into::into));
    let mut names: Vec<_> = names.collect();
    names.sort();
    Ok(names)
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
        Ok(fs::write(path(name), self.json())?)
    }

    fn parse(json: &str) -> Result<Self> {
        let record: Self = serde_json::from_str(json)?;
        match record.rows.iter().find(|row| row.len() != record.columns.len()) {
            Some(row) => Err(format!("rows: {row:?} does not fit the columns").into()),
            None => Ok(record),
        }
    }

    /// The JSON, with a line for each row, so that people can read a difference.
    fn json(&self) -> String {
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
        format!("{{\n{}\n}}\n", members.join(",\n"))
    }
}

/// The table for a terminal. Columns of numbers are aligned to the right.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { about, date, machine, rustc, notes, columns, rows } = self;
        writeln!(f, "{about}\n{date}, {machine}, {rustc}")?;
        for note in notes {
            writeln!(f, "{note}")?;
        }
        writeln!(f)?;
        let is_number = |cell: &str| cell == "-" || cell.starts_with(|first: char| first.is_ascii_digit());
        let shapes: Vec<_> = (0..columns.len())
            .map(|at| {
                let cells = || rows.iter().map(|row| &*row[at]);
                let width = cells().chain([&*columns[at]]).map(|cell| cell.chars().count()).max();
                (width.unwrap_or(0), cells().all(is_number))
            })
            .collect();
        for row in [columns].into_iter().chain(rows) {
            let cells = row.iter().zip(&shapes).map(|(cell, &(width, is_right))| {
                if is_right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Record {
        let rows = [["a \"b\"", "9"], ["c", "10"]].map(|row| row.map(Into::into).to_vec()).to_vec();
        let place = ("2026-01-02".into(), "a processor, 2 cores".into(), "rustc 1.2.3".into());
        let columns = vec!["what".into(), "number".into()];
        let (date, machine, rustc) = place;
        Record {
            about: "An example".into(),
            date,
            machine,
            rustc,
            notes: vec!["Seed 1.".into()],
            columns,
            rows,
        }
    }

    #[test]
    fn a_written_record_is_read_again() {
        let record = example();
        assert_eq!(Record::parse(&record.json()).unwrap(), record);
        let empty = Record { notes: vec![], rows: vec![], ..record };
        assert_eq!(Record::parse(&empty.json()).unwrap(), empty);
        assert!(example().json().contains("    [\"c\",\"10\"]\n"), "{}", example().json());
    }

    #[test]
    fn each_column_of_a_printed_record_is_aligned() {
        let printed = example().to_string();
        let (_, table) = printed.split_once("\n\n").unwrap();
        assert_eq!(table, "what   number\na \"b\"       9\nc          10\n");
    }

    #[test]
    fn an_error_names_the_key_or_the_place() {
        let json = example().json();
        for (from, to, error) in [
            ("\"2026-01-02\"", "2026", "invalid type: integer `2026`, expected a string at line 3 column 14"),
            ("\"rustc\":", "\"rust\":", "unknown field `rust`, expected one of "),
            ("  \"rustc\": \"rustc 1.2.3\",\n", "", "missing field `rustc` at line "),
            ("\"10\"", "10", "invalid type: integer `10`, expected a string at line "),
            ("\"c\",", "", "rows: [\"10\"] does not fit the columns"),
        ] {
            let found = Record::parse(&json.replace(from, to)).unwrap_err();
            assert!(found.to_string().starts_with(error), "{found}");
        }
    }

    #[test]
    fn every_file_in_the_folder_is_a_record() {
        let names = names().unwrap();
        assert!(!names.is_empty());
        for name in &names {
            let record = Record::read(name).unwrap();
            assert_eq!(fs::read_to_string(path(name)).unwrap(), record.json(), "{name}: written by hand?");
        }
    }
}
