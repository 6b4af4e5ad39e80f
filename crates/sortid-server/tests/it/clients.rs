//! The clients of `docs/server.md`: each gives the IDs of several batches, which ascend. A language that is not installed is
//! left out. Without `SORTID_LONG`, so are those that take seconds to start.

use crate::common::Server;
use std::{env, fs, path::Path, process::Command};

/// More than two batches.
const COUNT: usize = 2500;

/// A client: its file, what the test puts around it, the name of the whole file, and the command that runs it.
struct Client {
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
        file: "ids.sh",
        before: "",
        // A shell starts several programs for each ID.
        after: "for i in $(seq 1100); do next_id \"$1\" || exit; done\n",
        whole: "ids.sh",
        command: &["sh"],
        is_slow: false,
    },
    Client {
        file: "ids.py",
        before: "",
        after: "\nimport itertools, sys\nfor line in itertools.islice(ids(sys.argv[1]), 2500):\n    print(line)\n",
        whole: "ids.py",
        command: &["python3"],
        is_slow: false,
    },
    Client {
        file: "ids.mjs",
        before: "",
        after: "let count = 0\nfor await (const id of ids(process.argv[2])) {\n  console.log(id)\n  if (++count === 2500) break\n}\n",
        whole: "ids.mjs",
        command: &["node"],
        is_slow: false,
    },
    Client {
        file: "ids.go",
        before: "package main\n\nimport (\n\"bufio\"\n\"fmt\"\n\"net/http\"\n\"os\"\n\"time\"\n)\n\n",
        after: "\nfunc main() {\n\tids := Ids(os.Args[1])\n\tfor i := 0; i < 2500; i++ {\n\t\tfmt.Println(<-ids)\n\t}\n}\n",
        whole: "main.go",
        command: &["go", "run"],
        is_slow: true,
    },
    Client {
        file: "Ids.java",
        before: "import java.net.URI;\nimport java.net.http.*;\nimport java.net.http.HttpResponse.BodyHandlers;\nimport java.time.Duration;\nimport java.util.*;\nimport java.util.concurrent.CompletableFuture;\nimport java.util.function.Supplier;\n\nclass Main {\n    public static void main(String[] args) throws Exception {\n        var ids = new Ids(args[0]);\n        for (int i = 0; i < 2500; i++) System.out.println(ids.next());\n    }\n}\n\n",
        after: "",
        whole: "Main.java",
        command: &["java"],
        is_slow: true,
    },
];

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients")
}

#[test]
fn clients_fetch_batches_ahead_of_time() {
    let server = Server::start(&[]);
    let url = format!("http://{}/v1/euid", server.address);
    let is_long = env::var_os("SORTID_LONG").is_some();
    for Client { file, before, after, whole, command, .. } in
        CLIENTS.iter().filter(|it| is_long || !it.is_slow)
    {
        let dir = tempfile::tempdir().unwrap();
        let code = fs::read_to_string(folder().join(file)).unwrap();
        fs::write(dir.path().join(whole), format!("{before}{code}{after}")).unwrap();
        let [program, options @ ..] = command else { unreachable!() };
        let run = Command::new(program)
            .args(options)
            .args([whole, &*url])
            .current_dir(dir.path())
            .env("GOCACHE", dir.path().join("cache"))
            .output();
        let output = match run {
            Ok(output) => output,
            Err(error) => {
                eprintln!("{file}: left out, because {program} does not run: {error}");
                continue;
            }
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{file}: {stderr}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        let ids: Vec<_> = stdout.lines().collect();
        let count = if *file == "ids.sh" { 1100 } else { COUNT };
        assert_eq!(ids.len(), count, "{file}: {stderr}");
        assert!(ids.is_sorted_by(|a, b| a < b), "{file}");
    }
    server.stop();
}

#[test]
fn the_page_has_the_clients_that_are_tested() {
    let page = fs::read_to_string(folder().join("../../../docs/server.md")).unwrap();
    for Client { file, .. } in CLIENTS {
        let code = fs::read_to_string(folder().join(file)).unwrap();
        let language = file.rsplit('.').next().unwrap().replace("mjs", "js").replace("py", "python");
        let block = format!("```{language}\n{code}```\n");
        assert!(page.contains(&block), "docs/server.md has not the block of clients/{file}:\n{block}");
    }
}
