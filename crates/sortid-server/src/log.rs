//! The log on standard error. A line that cannot be written is lost, and nothing else: no task waits for the log.

use crate::options::{Log as Form, Options};
use prometheus_client::metrics::counter::Counter;
use sortid_inspect::__private::program::json::write_escaped;
use std::{
    io::{self, Write},
    panic,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};
use tracing::{Dispatch, dispatcher::with_default, error, level_filters::LevelFilter};
use tracing_subscriber::{
    filter::Targets, fmt::MakeWriter, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

/// How many lines wait for standard error.
const MOST: usize = 1024;

/// Between two attempts to say how many lines are lost.
const AGAIN: Duration = Duration::from_secs(1);

/// How long the process waits for its last lines when it ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes lines, and never waits.
#[derive(Clone)]
pub(crate) struct Log {
    lines: SyncSender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    pub(crate) lost: Counter,
}

impl Log {
    /// Begins to log, also what a panic says.
    pub(crate) fn start(options: &Options) -> io::Result<Self> {
        let (log, lines) = Self::new(MOST);
        let (own, notices) = Self::new(1);
        let own = subscriber(options, move || own.clone());
        let notice = move |lost_lines| {
            with_default(&own, || error!(lost_lines, "lines of this log are lost"));
            notices.try_recv().unwrap_or_default()
        };
        let writer = log.clone();
        thread::Builder::new()
            .name("sortid-log".to_owned())
            .spawn(move || writer.write_lines(&lines, notice, io::stderr()))?;
        let writer = log.clone();
        subscriber(options, move || writer.clone()).init();
        panic::set_hook(Box::new(|panic| error!(reason = %panic, "a fault of the server")));
        Ok(log)
    }

    fn new(most: usize) -> (Self, Receiver<Vec<u8>>) {
        let (lines, received) = sync_channel(most);
        (Self { lines, waiting: Arc::default(), lost: Counter::default() }, received)
    }

    /// Writes lines until the process ends, and how many are lost since its start.
    fn write_lines(self, lines: &Receiver<Vec<u8>>, notice: impl Fn(u64) -> Vec<u8>, out: impl Write) {
        let mut out = Out { out, is_torn: false };
        let (mut said, mut next_notice) = (0, Instant::now());
        loop {
            let line = match self.lost.get() > said {
                true => lines.recv_timeout(AGAIN),
                false => lines.recv().map_err(RecvTimeoutError::from),
            };
            match line {
                Ok(line) => {
                    let written = out.write_line(&line);
                    self.waiting.fetch_sub(1, SeqCst);
                    if written.is_err() {
                        self.lost.inc();
                        continue;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let lost = self.lost.get();
            if lost > said && Instant::now() >= next_notice && out.write_line(&notice(lost)).is_ok() {
                said = lost;
                next_notice = Instant::now() + AGAIN;
            }
        }
    }

    /// Waits until all lines are written.
    pub(crate) fn end(&self) {
        let started = Instant::now();
        while self.waiting.load(SeqCst) > 0 && started.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Write for Log {
    /// Takes a line: the subscriber writes each at once.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.waiting.fetch_add(1, SeqCst);
        if self.lines.try_send(line.to_vec()).is_err() {
            self.waiting.fetch_sub(1, SeqCst);
            self.lost.inc();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn subscriber(options: &Options, writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) -> Dispatch {
    let log = tracing_subscriber::fmt()
        .with_writer(writer)
        .with_target(false)
        .with_max_level(options.log_level)
        .log_internal_errors(false);
    // The server says itself what happens to its node ID.
    let targets =
        Targets::new().with_default(options.log_level).with_target("sortid_fleet", LevelFilter::OFF);
    match options.log {
        Form::Text => log.with_ansi(false).finish().with(targets).into(),
        Form::Json => log.json().flatten_event(true).finish().with(targets).into(),
    }
}

/// Where lines are written.
struct Out<W> {
    out: W,
    /// Whether the last line was written in part.
    is_torn: bool,
}

impl<W: Write> Out<W> {
    /// Writes a line, without characters that a terminal obeys.
    fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        let Some(line) = line.strip_suffix(b"\n") else { return Ok(()) };
        let mut text = vec![];
        write_escaped(&mut text, &String::from_utf8_lossy(line))?;
        text.push(b'\n');
        if self.is_torn {
            text.insert(0, b'\n');
        }
        let mut rest = &*text;
        while !rest.is_empty() {
            match self.out.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    rest = &rest[count..];
                    self.is_torn = !rest.is_empty();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Another process made the pipe so.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
