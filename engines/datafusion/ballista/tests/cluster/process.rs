//! Processes that end with the test.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// Only a test that fails takes this long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process whose output goes to files. It is killed when the value is dropped, even if the test fails.
pub(crate) struct Process {
    child: Child,
    name: String,
    output: PathBuf,
    log: PathBuf,
}

impl Process {
    /// Starts `command`. The files of its output are in `dir`, and begin with `name`.
    pub(crate) fn start(command: &mut Command, dir: &Path, name: &str) -> Self {
        let (output, log) = (dir.join(format!("{name}.out")), dir.join(format!("{name}.log")));
        let child = command
            .stdin(Stdio::null())
            .stdout(File::create(&output).expect("file"))
            .stderr(File::create(&log).expect("file"))
            .spawn()
            .expect("the program starts");
        Self { child, name: name.into(), output, log }
    }

    /// What the process has written to standard output.
    pub(crate) fn output(&self) -> String {
        fs::read_to_string(&self.output).expect("output")
    }

    /// What the process has written to standard error.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).expect("log")
    }

    /// Waits until `find` finds something.
    pub(crate) fn wait_for<T>(&mut self, what: &str, mut find: impl FnMut(&Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            let ended = self.child.try_wait().expect("status");
            if let Some(found) = find(self) {
                return found;
            }
            let waits = ended.is_none() && start.elapsed() < PATIENCE;
            assert!(waits, "{}: no {what}, status {ended:?}\n{}\n{}", self.name, self.output(), self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The port that the process listens on.
    pub(crate) fn port(&mut self) -> u16 {
        self.wait_for("address", |process| {
            let output = process.output();
            let address = output.split_once("listening on 127.0.0.1:")?.1;
            let (port, _) = address.split_once(|c: char| !c.is_ascii_digit())?;
            port.parse().ok()
        })
    }

    /// The end of the process.
    pub(crate) fn status(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("status") {
                return status;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{} does not end\n{}\n{}",
                self.name,
                self.output(),
                self.log()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn running(&mut self) -> bool {
        self.child.try_wait().expect("status").is_none()
    }

    pub(crate) fn send(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("signal");
    }

    /// Stops all threads, until `Signal::CONT`.
    pub(crate) fn freeze(&self) {
        self.send(Signal::STOP);
        let status = waitpid(Some(self.pid()), WaitOptions::UNTRACED).expect("wait").expect("status").1;
        assert!(status.stopped(), "{} ended", self.name);
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
