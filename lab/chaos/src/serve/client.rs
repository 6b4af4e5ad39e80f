//! A client: asks one server after the other for IDs.

use super::check::{Answer, Answers};
use fastrand::Rng;
use sortid::Spec;
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// The most IDs of a request.
const MOST: usize = 1000;

/// How long a client waits for a server that may be stopped.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a client saw besides answers.
#[derive(Default)]
pub(super) struct Seen {
    /// Answers of the status 503, by their reason.
    pub(super) refused: BTreeMap<String, u64>,
    /// The servers that ended within an answer.
    pub(super) cut: Vec<u64>,
    /// Answers that no server should give.
    pub(super) wrong: Vec<String>,
}

impl Seen {
    /// Adds what another client saw.
    pub(super) fn add(&mut self, other: Self) {
        for (why, count) in other.refused {
            *self.refused.entry(why).or_default() += count;
        }
        self.cut.extend(other.cut);
        self.wrong.extend(other.wrong);
    }
}

/// Asks until `is_over`. Times count from `started`.
pub(super) fn run(
    folder: &Path,
    places: usize,
    started: Instant,
    is_over: &AtomicBool,
    mut random: Rng,
) -> (Answers, Seen) {
    // Each request for Event IDs names its ledger, which is the number of an event.
    let specs: Vec<_> = Spec::ALL.iter().filter(|spec| **spec != Spec::EventlyId).collect();
    let (mut answers, mut seen) = (Answers::default(), Seen::default());
    while !is_over.load(Relaxed) {
        let place = random.usize(..places);
        let text = fs::read_to_string(folder.join(format!("server-{place}"))).unwrap_or_default();
        let connected = text.split_once(' ').and_then(|(serial, socket)| {
            Some((serial.parse().ok()?, UnixStream::connect(socket.trim()).ok()?))
        });
        let Some((serial, mut stream)) = connected else {
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        if stream.set_read_timeout(Some(PATIENCE)).is_err() {
            continue;
        }
        for _ in 0..random.usize(1..40) {
            let spec = *specs[random.usize(..specs.len())];
            let count = random.usize(1..=MOST);
            let sent = started.elapsed();
            let request = format!("GET /v1/{spec}?n={count}&format=bytes HTTP/1.1\r\nHost: a\r\n\r\n");
            if stream.write_all(request.as_bytes()).is_err() {
                break;
            }
            match read(&mut stream) {
                Ok(Some((200, bytes))) if bytes.len() == count * spec.bytes() => {
                    let answer =
                        Answer { server: serial, spec, sent, read: started.elapsed(), start: 0, count };
                    answers.push(answer, &bytes);
                }
                Ok(Some((503, body))) => {
                    *seen.refused.entry(reason(&body)).or_default() += 1;
                    thread::sleep(Duration::from_millis(20));
                }
                Ok(Some((status, body))) => {
                    seen.wrong
                        .push(format!("{request:?}: status {status}: {}", String::from_utf8_lossy(&body)));
                }
                Ok(None) => break,
                Err(error) => {
                    seen.cut.extend((error.kind() == io::ErrorKind::InvalidData).then_some(serial));
                    break;
                }
            }
            thread::sleep(Duration::from_millis(random.u64(..8)));
        }
    }
    (answers, seen)
}

/// The sentence of a problem, without its numbers.
fn reason(body: &[u8]) -> String {
    let problem: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let detail = problem["detail"].as_str().unwrap_or("no problem details");
    let start: String = detail.chars().take(60).collect();
    start.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// Reads an answer: its status and its body. `None` if the server closed the connection before; `InvalidData` if it ended
/// within.
fn read(stream: &mut UnixStream) -> io::Result<Option<(u16, Vec<u8>)>> {
    let mut bytes = vec![];
    let mut room = [0; 1 << 14];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            let (Some(status), Some(length)) = (status, length) else {
                return Err(io::Error::other(format!("not an answer: {head}")));
            };
            if bytes.len() >= end + 4 + length {
                return Ok(Some((status, bytes.split_off(end + 4))));
            }
        }
        match stream.read(&mut room) {
            Ok(0) | Err(_) if !bytes.is_empty() => return Err(io::ErrorKind::InvalidData.into()),
            Ok(0) => return Ok(None),
            Ok(count) => bytes.extend_from_slice(&room[..count]),
            Err(error) => return Err(error),
        }
    }
}
