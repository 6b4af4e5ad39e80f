//! The clients of `docs/server.md`: each gives the IDs of several batches, which ascend. A language that is not installed is
//! left out. Without `SORTID_LONG`, so are those that take seconds to start.

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

/// A client: its language, what the test puts around it, the name of the whole file, and the command that runs it.
struct Client {
    language: &'static str,
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
        before: "",
        // A shell starts several programs for each ID.
        after: "for i in $(seq 1100); do next_id \"$1\" || exit; done\n",
        whole: "ids.sh",
        command: &["sh"],
        is_slow: false,
    },
    Client {
        language: "python",
        before: "",
        after: "\nimport itertools, sys\nfor line in itertools.islice(ids(sys.argv[1]), 2500):\n    print(line)\n",
        whole: "ids.py",
        command: &["python3"],
        is_slow: false,
    },
    Client {
        language: "js",
        before: "",
        after: "let count = 0\nfor await (const id of ids(process.argv[2])) {\n  console.log(id)\n  if (++count === 2500) break\n}\n",
        whole: "ids.mjs",
        command: &["node"],
        is_slow: false,
    },
    Client {
        language: "go",
        before: "package main\n\nimport (\n\"fmt\"\n\"io\"\n\"net/http\"\n\"os\"\n\"strings\"\n\"time\"\n)\n\n",
        after: "\nfunc main() {\n\tids := Ids(os.Args[1])\n\tfor i := 0; i < 2500; i++ {\n\t\tfmt.Println(<-ids)\n\t}\n}\n",
        whole: "main.go",
        command: &["go", "run"],
        is_slow: true,
    },
    Client {
        language: "java",
        before: "import java.net.URI;\nimport java.net.http.*;\nimport java.net.http.HttpResponse.BodyHandlers;\nimport java.time.Duration;\nimport java.util.*;\nimport java.util.concurrent.CompletableFuture;\nimport java.util.function.Supplier;\n\nclass Main {\n    public static void main(String[] args) throws Exception {\n        var ids = new Ids(args[0]);\n        for (int i = 0; i < 2500; i++) System.out.println(ids.next());\n    }\n}\n\n",
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

    /// The block of the page.
    fn code(&self) -> String {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/server.md");
        let page = fs::read_to_string(page).unwrap();
        let (_, clients) = page.split_once("\n## Clients\n").unwrap();
        let (_, block) = clients.split_once(&format!("```{}\n", self.language)).unwrap();
        block.split_once("```\n").unwrap().0.to_owned()
    }

    /// Asks the server at this URL. Returns `None` if the language is not installed.
    fn run(&self, url: &str) -> Option<Output> {
        let dir = tempfile::tempdir().unwrap();
        let code = [self.before, &self.code(), self.after].concat();
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

#[test]
fn clients_fetch_batches_ahead_of_time() {
    let server = Server::start(&[]);
    let url = format!("http://{}/v1/euid", server.address);
    for client in Client::all() {
        let Some(output) = client.run(&url) else { continue };
        let (language, stderr) = (client.language, String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{language}: {stderr}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        let ids: Vec<_> = stdout.lines().collect();
        let count = if language == "sh" { 1100 } else { COUNT };
        assert_eq!(ids.len(), count, "{language}: {stderr}");
        assert!(ids.is_sorted_by(|a, b| a < b), "{language}");
    }
    server.stop();
}

/// Answers a request with 1000 IDs. The first of all answers ends within an ID, as if the server were killed.
fn answer(mut stream: TcpStream, answers: &AtomicU32) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let number = answers.fetch_add(1, SeqCst);
    let body: String = (0..1000).map(|index| format!("{number:013}{index:014}\n")).collect();
    let sent = if number == 0 { &body[..28 * 500 + 9] } else { &body };
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    // The client may be gone.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent.as_bytes()));
}

#[test]
fn clients_give_no_part_of_an_id() {
    for client in Client::all() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/euid", listener.local_addr().unwrap());
        thread::spawn(move || {
            let answers = AtomicU32::new(0);
            thread::scope(|scope| {
                for stream in listener.incoming().flatten() {
                    scope.spawn(|| answer(stream, &answers));
                }
            });
        });
        // Some end at the error.
        let Some(output) = client.run(&url) else { continue };
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            assert_eq!(line.len(), 27, "{}: {line}", client.language);
        }
    }
}
