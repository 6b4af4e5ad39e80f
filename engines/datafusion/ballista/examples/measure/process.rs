//! Processes, their time and their memory.

use super::{Result, path};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a command took.
pub(crate) struct Took {
    pub(crate) time: Duration,
    /// The most memory, in MB.
    pub(crate) memory: u64,
    pub(crate) output: String,
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<Took> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut memory = 0;
    let status = loop {
        memory = memory.max(memory_of(&child));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let time = start.elapsed();
    let output = child.stdout.take().map(std::io::read_to_string).transpose()?.unwrap_or_default();
    if status.success() {
        Ok(Took { time, memory, output })
    } else {
        Err(format!("{command:?}: {status}").into())
    }
}

/// The most memory that a process has had so far, in MB.
fn memory_of(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    peak.and_then(|peak| peak.trim().parse::<u64>().ok()).unwrap_or_default() / 1000
}

/// A member of a cluster, until it is dropped.
pub(crate) struct Member {
    child: Child,
    pub(crate) port: u16,
}

impl Member {
    /// Starts a mode of `sortid-engine`.
    fn start(arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(path("SORTID_ENGINE")?);
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let port = line
            .split_once("127.0.0.1:")
            .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
        match port {
            Some(port) => Ok(Self { child, port }),
            None => Err(format!("expected the address of {arguments:?}, found {line:?}").into()),
        }
    }

    pub(crate) fn scheduler() -> Result<Self> {
        Self::start(&["scheduler", "--port", "0"])
    }

    pub(crate) fn executor(scheduler: u16) -> Result<Self> {
        let scheduler = format!("localhost:{scheduler}");
        Self::start(&[
            "executor",
            "--port",
            "0",
            "--grpc-port",
            "0",
            "--slots",
            "1",
            "--scheduler",
            &scheduler,
        ])
    }

    pub(crate) fn memory(&self) -> u64 {
        memory_of(&self.child)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
