//! The programs for two processors: what one makes, both read and verify, and they print the same bytes.

use crate::{
    emulate::AARCH64,
    shell::{Result, root, shown, sorted, stdout_of},
};
use sortid_servers::servers::{Folder, Server, free_port};
use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

/// What makes IDs, and the specification that they are of.
const MADE: [(&str, &str); 8] = [
    ("new scru160 -n 2000", "scru160"),
    ("new euid -n 2000 --extension 5:7", "euid"),
    ("new euid -n 100 --at 2024-06-06T06:06:06Z", "euid"),
    ("new ulid-flake -n 2000", "ulid-flake"),
    ("new ron-uid -n 2000 --origin Xgritzk --nodes dir:nodes", "ron-uid"),
    ("new evently-id -n 2000", "evently-id"),
    ("new ulid-flake -n 2000 --nodes dir:nodes", "ulid-flake"),
    ("new scru160 -n 100 --nodes dir:nodes", "scru160"),
];

/// What reads IDs of a specification, which stands in place of `SPEC`.
const READ: [&str; 6] = [
    "check SPEC",
    "inspect --spec SPEC --json",
    "inspect",
    "convert --to hex",
    "convert --to base64url",
    "convert --to time",
];

/// What needs no input, and its exit code.
const ALONE: [(&str, i32); 11] = [
    ("--help", 0),
    ("new euid --help", 0),
    ("sql postgres", 0),
    ("sql sqlite", 0),
    ("range euid --since 2024-06-06 --until 2024-06-07", 0),
    ("range scru160 --since 2024-06-06 --until 2024-06-07 --json", 0),
    ("range ulid-flake --since 2024-06-06 --until 2024-06-07", 0),
    ("inspect 1HZP2F3TARAH1VEXW8BDJPEKP44", 0),
    ("inspect 1HZP2F3TARAH1VEXW8BDJPEKP45", 1),
    ("new euid --at 1969-01-01", 2),
    ("check euid absent", 2),
];

/// Compares the programs in a folder for this processor with those in a folder for ARM.
pub(super) fn run(folders: &[PathBuf; 2]) -> Result {
    let work = Folder::new("compare")?;
    let [here, arm] = folders;
    let pair = Pair { work: &work, here, arm };
    let mut count = 0;
    pair.run("nodes init --nodes dir:nodes --size 32", b"", Maker::Arm)?.ends_with(0)?;
    for maker in [Maker::Here, Maker::Arm] {
        for (make, spec) in MADE {
            let ids = pair.run(make, b"", maker)?.ends_with(0)?;
            for read in READ {
                pair.same(&read.replace("SPEC", spec), &ids, 0)?;
                count += 1;
            }
        }
        count += pair.ledger(maker)?;
    }
    for (file, text) in vectors()? {
        // Some strings are not IDs.
        pair.same("inspect --json", text.as_bytes(), 1).map_err(|error| format!("{file}: {error}"))?;
        count += 1;
    }
    for (alone, code) in ALONE {
        pair.same(alone, b"", code)?;
        count += 1;
    }
    pair.serve()?;
    eprintln!("the programs for two processors: {count} commands print the same bytes");
    Ok(())
}

#[derive(Clone, Copy)]
enum Maker {
    Here,
    Arm,
}

struct Pair<'a> {
    /// Where the commands run.
    work: &'a Path,
    here: &'a Path,
    arm: &'a Path,
}

#[derive(PartialEq)]
struct Output {
    code: Option<i32>,
    text: String,
    bytes: Vec<u8>,
}

impl Output {
    /// Checks the exit code, and returns what was printed.
    fn ends_with(self, code: i32) -> Result<Vec<u8>> {
        if self.code == Some(code) {
            return Ok(self.bytes);
        }
        Err(format!("expected the exit code {code}, found {:?}:\n{}", self.code, self.text).into())
    }
}

impl Pair<'_> {
    fn command(&self, program: &str, maker: Maker) -> Command {
        let mut command = match maker {
            Maker::Here => Command::new(self.here.join(program)),
            Maker::Arm => Command::new(AARCH64),
        };
        if let Maker::Arm = maker {
            command.arg(self.arm.join(program));
        }
        command.current_dir(self.work);
        command
    }

    /// Runs a command on both processors, whose output has to be the same, and this its exit code.
    fn same(&self, args: &str, input: &[u8], code: i32) -> Result {
        let [here, arm] = [Maker::Here, Maker::Arm].map(|maker| self.run(args, input, maker));
        let (here, arm) = (here?, arm?);
        if here != arm {
            let shown = [&here, &arm].map(|it| format!("{}{}", it.text, String::from_utf8_lossy(&it.bytes)));
            return Err(format!("sortid {args}: expected{}\nfound{}", shown[0], shown[1]).into());
        }
        here.ends_with(code).map_err(|error| format!("sortid {args}: {error}").into()).map(drop)
    }

    fn run(&self, args: &str, input: &[u8], maker: Maker) -> Result<Output> {
        let mut command = self.command("sortid", maker);
        command.args(args.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", shown(&command)))?;
        let mut stdin = process.stdin.take().ok_or("expected a standard input, found none")?;
        let output = thread::scope(|scope| {
            // A command that refuses its input may end before it has read all.
            scope.spawn(move || drop(stdin.write_all(input)));
            process.wait_with_output()
        })?;
        Ok(Output {
            code: output.status.code(),
            text: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        })
    }

    /// A ledger that one processor writes and both verify, whole and damaged, and that the other one extends.
    fn ledger(&self, maker: Maker) -> Result<usize> {
        let (file, other) = match maker {
            Maker::Here => ("here.ndjson", Maker::Arm),
            Maker::Arm => ("arm.ndjson", Maker::Here),
        };
        let append = format!("ledger append --ledger {file}");
        for maker in [maker, other] {
            let events: String = (0..500)
                .map(|n| format!("{{\"event\":\"é {n}\",\"entity\":\"shop\",\"key\":\"{n}\",\"data\":{{\"n\":{n}.5e3}}}}\n"))
                .collect();
            self.run(&append, events.as_bytes(), maker)?.ends_with(0)?;
        }
        let verify = format!("ledger verify {file} --json");
        self.same(&verify, b"", 0)?;
        let path = self.work.join(file);
        let text = fs::read_to_string(&path)?;
        fs::write(&path, text.replacen("\"é 7\"", "\"é 8\"", 1))?;
        self.same(&verify, b"", 1)?;
        Ok(2)
    }

    /// A server for ARM, whose IDs are read here.
    fn serve(&self) -> Result {
        let port = free_port()?;
        let mut command = self.command("sortid-server", Maker::Arm);
        command.args(["--listen", &format!("127.0.0.1:{port}"), "--nodes", "dir:nodes"]);
        let server = Server::http(command, self.work, port, "readyz")?;
        for spec in ["euid", "scru160", "ulid-flake", "ron-uid"] {
            let url = format!("{}v1/{spec}?n=1000", server.url);
            let ids = stdout_of(Command::new("curl").args(["--silent", "--fail", &url]))?;
            let found = ids.lines().count();
            if found != 1000 {
                return Err(format!("{url}: expected 1000 IDs, found {found}").into());
            }
            self.run(&format!("check {spec} --unique"), ids.as_bytes(), Maker::Here)?.ends_with(0)?;
        }
        Ok(())
    }
}

/// The files of vectors, each with all its strings, one per line: IDs, and what is none.
fn vectors() -> Result<Vec<(String, String)>> {
    sorted(&root().join("vectors"), ".json")?
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path)?;
            let strings = text.split('"').skip(1).step_by(2).filter(|it| !it.contains('\\'));
            Ok((path.display().to_string(), strings.map(|it| format!("{it}\n")).collect()))
        })
        .collect()
}
