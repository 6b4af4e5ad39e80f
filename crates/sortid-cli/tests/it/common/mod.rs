//! Running the program as a shell would.

#![allow(dead_code, reason = "no file needs all of it")]

use flate2::{Compression, write::GzEncoder};
use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// The program with these arguments, in a plain environment of 80 columns.
pub(crate) fn sortid(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortid"));
    command.args(args).env_clear().env("COLUMNS", "80");
    command
}

/// Runs it to the end with this standard input.
pub(crate) fn run_with(mut command: Command, stdin: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let feeder = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

pub(crate) fn run(args: &[&str], stdin: &[u8]) -> Output {
    run_with(sortid(args), stdin)
}

/// What it printed, for a snapshot: exit code, standard output, standard error.
pub(crate) fn shown(output: &Output) -> String {
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let stderr = if stderr.is_empty() { String::new() } else { format!("--- stderr\n{stderr}") };
    format!("exit {}\n{stdout}{stderr}", output.status.code().unwrap_or(-1))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}

/// The objects of JSON lines.
pub(crate) fn json_lines(stdout: &[u8]) -> Vec<serde_json::Value> {
    text(stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A folder, deleted afterwards.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sortid-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The names of the specifications.
pub(crate) fn specs() -> impl Iterator<Item = &'static str> {
    sortid::Spec::ALL.iter().map(|spec| spec.name())
}
