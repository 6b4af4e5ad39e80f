//! The clients of `clients/`: each gives the IDs of several batches, which ascend, also after errors. A language that is
//! not installed is left out. Without `SORTID_LONG`, so are those that take seconds to start.

use crate::common::Server;
use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    thread,
};

/// More than two batches.
const COUNT: usize = 2500;

/// A client: its language, what the test puts around it, the name of the whole file, and the command that runs it. After an
/// error, the test calls it again, up to three times for an ID.
#[derive(Clone, Copy)]
struct Client {
    language: &'static str,
    file: &'static str,
    before: &'static str,
    after: &'static str,
    whole: &'static str,
    command: &'static [&'static str],
    /// Whether it takes seconds to start.
    is_slow: bool,
}

const CLIENTS: &[Client] = &[
    Client {
        language: "sh",
        file: "ids.sh",
        before: "",
        // A shell starts several programs for each ID.
        after: "for i in $(seq 1100); do next_id \"$1\" || next_id \"$1\" || next_id \"$1\" || exit; done\n",
        whole: "ids.sh",
        command: &["sh"],
        is_slow: false,
    },
    Client {
        language: "python",
        file: "ids.py",
        before: "",
        after: r#"
import sys

next_id = ids(sys.argv[1])
for _ in range(2500):
    for _ in range(3):
        try:
            print(next_id())
            break
        except Exception as error:
            print(error, file=sys.stderr)
"#,
        whole: "ids.py",
        command: &["python3"],
        is_slow: false,
    },
    Client {
        language: "js",
        file: "ids.mjs",
        before: "",
        // Calls at the same time share a batch.
        after: r"
const nextId = ids(process.argv[2])
for (let count = 0, tries = 0; count < 2500 && tries < 600; tries++) {
  for (const { value, reason } of await Promise.allSettled(Array.from({ length: 5 }, nextId))) {
    if (value === undefined) console.error(reason)
    else if (count++ < 2500) console.log(value)
  }
}
",
        whole: "ids.mjs",
        command: &["node"],
        is_slow: false,
    },
    Client {
        language: "go",
        file: "ids.go",
        before: "package main\n\nimport (\"fmt\"; \"os\")\n\n",
        after: "\nfunc main() {\n\tids := Ids(os.Args[1])\n\tfor i := 0; i < 2500; i++ {\n\t\tfmt.Println(<-ids)\n\t}\n}\n",
        whole: "main.go",
        command: &["go", "run"],
        is_slow: true,
    },
    Client {
        language: "java",
        file: "Ids.java",
        before: r"
class Main {
    public static void main(String[] args) throws Exception {
        var ids = new Ids(args[0]);
        for (int i = 0; i < 2500; i++) System.out.println(ids.take());
    }
}
",
        after: "",
        whole: "Main.java",
        command: &["java"],
        is_slow: true,
    },
];

impl Client {
    fn all() -> impl Iterator<Item = &'static Self> {
        let is_long = env::var_os("SORTID_LONG").is_some();
        CLIENTS.iter().filter(move |client| is_long || !client.is_slow)
    }

    /// The client that people copy.
    fn code(&self) -> String {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(self.file);
        fs::read_to_string(file).unwrap()
    }

    /// Asks the server at this URL. Returns `None` if the language is not installed.
    fn run(&self, url: &str) -> Option<Output> {
        let dir = tempfile::tempdir().unwrap();
        let code = self.code();
        // Java runs the first class of a file, and its imports are before.
        let (imports, code) = match self.language {
            "java" => code.split_once("\n\n").unwrap(),
            _ => ("", &*code),
        };
        let code = [imports, self.before, code, self.after].concat();
        fs::write(dir.path().join(self.whole), code).unwrap();
        let (program, options) = self.command.split_first().unwrap();
        let mut command = Command::new(program);
        command.args(options).args([self.whole, url]).current_dir(dir.path());
        match command.env("GOCACHE", dir.path().join("cache")).output() {
            Ok(output) => Some(output),
            Err(error) => {
                eprintln!("{}: left out, because {program} does not run: {error}", self.language);
                None
            }
        }
    }
}

/// The IDs that a client printed: all that it was asked for, in ascending order, and none twice.
fn printed(client: Client, output: Output) -> Vec<String> {
    let (language, stderr) = (client.language, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{language}: {stderr}");
    let ids: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    let count = if language == "sh" { 1100 } else { COUNT };
    assert_eq!(ids.len(), count, "{language}: {stderr}");
    assert!(ids.is_sorted_by(|a, b| a < b), "{language}");
    ids
}

#[test]
fn clients_fetch_batches_ahead_of_time() {
    let server = Server::start(&[]);
    let url = format!("http://{}/v1/euid?n=1000", server.address);
    for &client in Client::all() {
        let Some(output) = client.run(&url) else { continue };
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        printed(client, output);
        assert_eq!(stderr, "", "{}", client.language);
    }
    server.stop();
}

/// Answers a request with 1000 IDs. The first of all answers ends within an ID, as if the server were killed. The second and
/// the fourth are errors.
fn answer(mut stream: TcpStream, answers: &AtomicU32) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let number = answers.fetch_add(1, SeqCst);
    let body: String = (0..1000).map(|index| format!("{number:013}{index:014}\n")).collect();
    let (status, body) = match number {
        1 | 3 => ("503 Service Unavailable", r#"{"code":"busy","detail":"try again"}"#),
        _ => ("200 OK", &*body),
    };
    let sent = if number == 0 { &body[..28 * 500 + 9] } else { body };
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    // The client may be gone.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent.as_bytes()));
}

#[test]
fn clients_try_again_and_give_no_part_of_an_id() {
    for &client in Client::all() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/euid?n=1000", listener.local_addr().unwrap());
        thread::spawn(move || {
            let answers = AtomicU32::new(0);
            thread::scope(|scope| {
                for stream in listener.incoming().flatten() {
                    scope.spawn(|| answer(stream, &answers));
                }
            });
        });
        let Some(output) = client.run(&url) else { continue };
        assert!(!output.stderr.is_empty(), "{}: no error", client.language);
        for id in printed(client, output) {
            assert_eq!(id.len(), 27, "{}: {id}", client.language);
        }
    }
}

#[test]
fn the_client_of_the_shell_keeps_the_ids_of_each_url() {
    let server = Server::start(&[]);
    let after = "scru160=${1%euid*}scru160\nnext_id \"$1\" && next_id \"$scru160\" && next_id \"$1\" && ls\n";
    let client = Client { after, ..CLIENTS[0] };
    let output = client.run(&format!("http://{}/v1/euid?n=1000", server.address)).unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = stdout.lines().collect();
    let lengths: Vec<_> = lines[..3].iter().map(|id| id.len()).collect();
    assert_eq!(lengths, [27, 32, 27], "{stdout}");
    let of_urls = lines.iter().filter(|file| file.starts_with("ids-http:__127.0.0.1:"));
    assert_eq!(of_urls.count(), 2, "{stdout}");
    server.stop();
}

#[test]
fn the_client_of_the_shell_fails_without_a_server() {
    let output =
        Client { after: "next_id \"$1\"\n", ..CLIENTS[0] }.run("http://127.0.0.1:1/v1/euid").unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("curl: (7) ") && stderr.lines().count() == 1, "{stderr}");
}
