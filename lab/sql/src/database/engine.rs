use super::{Database, Refusal, Row, variable};
use crate::{Result, subject::Subject};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A database inside a process of Python, which runs `engine.py`: DuckDB, ClickHouse, or the SQLite of the system.
pub(super) struct Process {
    name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    pub(super) fn open(name: &'static str, file: &Path) -> Result<Self> {
        let python = variable("SORTID_PYTHON")?;
        let mut command = Command::new(&python);
        command.args(["-c", include_str!("engine.py"), name]).arg(file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot run {python}: {error}"))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("the process has no output")?);
        Ok(Self { name, child, input, output })
    }

    fn ask(&mut self, question: &Value) -> Result<Value, Refusal> {
        let input = self.input.as_mut().ok_or_else(|| Refusal::failed("the process has ended"))?;
        writeln!(input, "{question}").and_then(|()| input.flush()).map_err(Refusal::failed)?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(Refusal::failed)?;
        let answer: Value = serde_json::from_str(&answer)
            .map_err(|error| Refusal::failed(format!("{} answers {answer:?}: {error}", self.name)))?;
        match answer["error"].as_str() {
            Some(error) => Err(Refusal(error.to_owned())),
            None => Ok(answer),
        }
    }
}

impl Database for Process {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let answer = self.ask(&json!({ "sql": sql }))?;
        Ok(rows(&answer))
    }

    fn printed(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let answer = self.ask(&json!({ "print": sql }))?;
        Ok(rows(&answer))
    }

    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal> {
        self.ask(&json!({ "load": table, "columns": columns, "file": file })).map(drop)
    }

    fn fetch(&mut self, subject: &Subject, sql: &str, is_time: bool) -> Result {
        let function = if is_time { "time" } else { "text" };
        self.ask(&json!({ "fetch": sql, "spec": subject.prefix(), "function": function }))?;
        Ok(())
    }

    fn version(&mut self) -> Result<String, Refusal> {
        let answer = self.ask(&json!({ "version": true }))?;
        Ok(answer["version"].as_str().unwrap_or_default().to_owned())
    }
}

/// The rows of an answer.
fn rows(answer: &Value) -> Vec<Row> {
    let value = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let rows = answer["rows"].as_array().into_iter().flatten();
    rows.map(|row| row.as_array().into_iter().flatten().map(value).collect()).collect()
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without input, the process ends.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
