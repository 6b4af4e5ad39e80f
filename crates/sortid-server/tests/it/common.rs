//! Starts servers, and talks to them.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Condvar, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a test waits for what has to happen. No test waits for it if all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A server, which is killed if a test fails.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    log: Arc<(Mutex<String>, Condvar)>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start(options: &[&str]) -> Self {
        Self::spawn(command().args(["--listen", "127.0.0.1:0"]).args(options))
    }

    /// Starts a server without an input, and waits until it listens.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        Self::spawn_as_is(command.stdin(Stdio::null()))
    }

    /// Starts a server with the input that it has, and waits until it listens.
    pub(crate) fn spawn_as_is(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let log = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let reader = thread::spawn({
            let log = Arc::clone(&log);
            move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    log.0.lock().unwrap().push_str(&(line + "\n"));
                    log.1.notify_all();
                }
            }
        });
        let mut server = Self { child, address: String::new(), log, reader: Some(reader) };
        let line = server.logged(r#""message":"listening""#);
        let address = line.split(r#""address":""#).nth(1).and_then(|rest| rest.split('"').next());
        server.address = address.unwrap_or_else(|| panic!("no address in {line}")).to_owned();
        server
    }

    /// Starts a server whose log is not read, at a Unix socket.
    pub(crate) fn without_log(command: &mut Command, socket: &Path, stderr: impl Into<Stdio>) -> Self {
        let address = format!("unix:{}", socket.display());
        command.args(["--listen", &address]).stdin(Stdio::null()).stderr(stderr);
        let child = command.spawn().unwrap();
        let mut server = Self { child, address, log: Arc::default(), reader: None };
        let started = Instant::now();
        while UnixStream::connect(socket).is_err() {
            let ended = server.child.try_wait().unwrap();
            assert!(ended.is_none() && started.elapsed() < PATIENCE, "the server does not listen: {ended:?}");
            thread::sleep(Duration::from_millis(2));
        }
        server
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a line of the log that has this text.
    pub(crate) fn logged(&self, text: &str) -> String {
        let (log, changed) = &*self.log;
        let (log, waited) = changed
            .wait_timeout_while(log.lock().unwrap(), PATIENCE, |log| {
                !log.lines().any(|line| line.contains(text))
            })
            .unwrap();
        assert!(!waited.timed_out(), "the log has no {text}: {log}");
        log.lines().find(|line| line.contains(text)).unwrap().to_owned()
    }

    pub(crate) fn log(&self) -> String {
        self.log.0.lock().unwrap().clone()
    }

    /// A new connection.
    pub(crate) fn connect(&self) -> Client {
        let stream = match self.address.strip_prefix("unix:") {
            Some(path) => {
                let stream = UnixStream::connect(path).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                Stream::Unix(stream)
            }
            None => {
                let stream = TcpStream::connect(&self.address).unwrap();
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                Stream::Tcp(stream)
            }
        };
        Client { stream, kept: vec![] }
    }

    /// The answer to one request.
    pub(crate) fn get(&self, path: &str) -> Response {
        self.connect().get(path)
    }

    /// Asks again and again until the answer is as expected.
    pub(crate) fn wait_for(&self, path: &str, is_expected: impl Fn(&Response) -> bool) -> Response {
        let started = Instant::now();
        loop {
            let response = self.get(path);
            if is_expected(&response) {
                return response;
            }
            assert!(started.elapsed() < PATIENCE, "{path}: {response:?}\n{}", self.log());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The value of a metric without labels.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").text();
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        line.and_then(|line| line.split(' ').nth(1)?.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {text}"))
    }

    /// How many files the server has open.
    pub(crate) fn files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().count()
    }

    /// Waits until the server has no more files open than it had before.
    pub(crate) fn closes_files(&self, before: usize) {
        let started = Instant::now();
        while self.files() > before {
            assert!(
                started.elapsed() < PATIENCE,
                "{} files are open, and {before} were before",
                self.files()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let killed = Command::new("kill").args(["-s", name, &self.pid().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Waits for the end of the server, and returns its log, too.
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end: {}", self.log());
            thread::sleep(Duration::from_millis(2));
        };
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        (status, self.log())
    }

    /// Ends the server, and checks that it had no panic.
    pub(crate) fn stop(self) -> String {
        self.signal("TERM");
        let (status, log) = self.ended();
        assert!(status.success(), "{status}: {log}");
        assert!(!log.contains("panicked"), "{log}");
        log
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, with a log that tests can read, and without the variables of the user.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortid-server"));
    command.env_remove("SORTID_NODES").args(["--log", "json"]);
    command
}

pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    fn io(&mut self) -> &mut dyn ReadWrite {
        match self {
            Self::Tcp(stream) => stream,
            Self::Unix(stream) => stream,
        }
    }
}

trait ReadWrite: Read + Write {}
impl<T: Read + Write> ReadWrite for T {}

/// A connection.
pub(crate) struct Client {
    stream: Stream,
    /// What was read after the last answer.
    kept: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// With names in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        assert_eq!(self.status, 200, "{}", self.text());
        self.text().lines().map(str::to_owned).collect()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    /// The sentence of a problem.
    pub(crate) fn detail(&self) -> String {
        self.json()["detail"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.request(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"))
    }

    pub(crate) fn request(&mut self, request: &str) -> Response {
        self.send(request.as_bytes()).unwrap();
        let has_body = !request.starts_with("HEAD ");
        self.answer(has_body).unwrap().unwrap_or_else(|| panic!("no answer to {request:?}"))
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.io().write_all(bytes)
    }

    /// Tells the server that there is nothing more.
    pub(crate) fn finish(&self) {
        let _ = match &self.stream {
            Stream::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Stream::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
    }

    /// Reads the next answer. `None` if the server closed the connection instead.
    pub(crate) fn answer(&mut self, has_body: bool) -> io::Result<Option<Response>> {
        let end = |kept: &[u8]| kept.windows(4).position(|window| window == b"\r\n\r\n");
        while end(&self.kept).is_none() {
            if !self.read()? {
                assert!(self.kept.is_empty(), "half an answer: {:?}", String::from_utf8_lossy(&self.kept));
                return Ok(None);
            }
        }
        let at = end(&self.kept).unwrap() + 4;
        let head: Vec<u8> = self.kept.drain(..at).collect();
        let head = String::from_utf8(head).unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {head:?}"));
        let mut response = Response { status, head, body: vec![] };
        let length = response.header("content-length").map_or(0, |length| length.parse().unwrap());
        if has_body {
            while self.kept.len() < length {
                if !self.read()? {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            response.body = self.kept.drain(..length).collect();
        }
        Ok(Some(response))
    }

    fn read(&mut self) -> io::Result<bool> {
        let mut room = [0; 1 << 16];
        let count = self.stream.io().read(&mut room);
        let is_late = count.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        assert!(!is_late, "the server does not answer");
        let count = count?;
        self.kept.extend_from_slice(&room[..count]);
        Ok(count > 0)
    }

    /// Reads until the server closes the connection, and returns what it read. Bytes that are not ASCII are replaced.
    pub(crate) fn take(&mut self) -> String {
        self.rest();
        String::from_utf8_lossy(&self.kept).into_owned()
    }

    /// Reads until the server closes the connection.
    pub(crate) fn rest(&mut self) -> usize {
        while self.read().unwrap_or(false) {}
        self.kept.len()
    }
}

/// A directory for a fleet with this many node IDs.
pub(crate) struct Nodes {
    _dir: tempfile::TempDir,
    pub(crate) path: PathBuf,
    pub(crate) url: String,
}

impl Nodes {
    pub(crate) fn none() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("nodes");
        let url = format!("dir:{}", path.display());
        Self { _dir: dir, path, url }
    }

    pub(crate) fn new(size: u32) -> Self {
        let nodes = Self::none();
        nodes.init(size);
        nodes
    }

    pub(crate) fn init(&self, size: u32) {
        sortid_fleet::init(&*sortid_fleet::open(&self.url).unwrap(), "default", size).unwrap();
    }
}
