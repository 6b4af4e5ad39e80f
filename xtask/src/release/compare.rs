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
const READ: [&str; 8] = [
    "check SPEC",
    "inspect --spec SPEC --json",
    "inspect",
    "convert --to hex",
    "convert --to int",
    "convert --to bytes",
    "convert --to base64url",
    "convert --to json",
];

/// What needs no input.
const ALONE: [&str; 10] = [
    "--help",
    "new euid --help",
    "sql postgres",
    "sql sqlite",
    "range euid 2024-06-06",
    "range scru160 2024-06-06 2024-06-07",
    "range ulid-flake 2024-06-06",
    "inspect 1HZP2F3TARAH1VEXW8BDJPEKP44",
    "check euid 1HZP2F3TARAH1VEXW8BDJPEKP45",
    "new euid --at 1969-01-01",
];

/// Compares the programs in a folder for this processor with those in a folder for ARM.
pub(super) fn run(folders: &[PathBuf; 2]) -> Result {
    let work = Folder::new("compare")?;
    let [here, arm] = folders;
    let pair = Pair { work: &work, here, arm };
    let mut count = 0;
    pair.make("nodes init --nodes dir:nodes --size 32", Maker::Arm)?;
    for maker in [Maker::Here, Maker::Arm] {
        for (make, spec) in MADE {
            let ids = pair.make(make, maker)?;
            for read in READ {
                let output = pair.same(&read.replace("SPEC", spec), &ids)?;
                // Not every ID has each form.
                if read.starts_with("check") && !output.has_succeeded {
                    return Err(format!("{read} refuses what {make} made:\n{}", output.text).into());
                }
                count += 1;
            }
        }
        count += pair.ledger(maker)?;
    }
    for (file, text) in vectors()? {
        pair.same("inspect --json", text.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
        count += 1;
    }
    for alone in ALONE {
        pair.same(alone, b"")?;
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
    has_succeeded: bool,
    text: String,
    bytes: Vec<u8>,
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

    /// Runs a command that has to succeed.
    fn make(&self, args: &str, maker: Maker) -> Result<Vec<u8>> {
        let output = self.run(args, b"", maker)?;
        if output.has_succeeded { Ok(output.bytes) } else { Err(format!("{args}: {}", output.text).into()) }
    }

    /// Runs a command on both processors, whose output has to be the same.
    fn same(&self, args: &str, input: &[u8]) -> Result<Output> {
        let [here, arm] = [Maker::Here, Maker::Arm].map(|maker| self.run(args, input, maker));
        let (here, arm) = (here?, arm?);
        if here != arm {
            let shown = [&here, &arm].map(|it| format!("{}{}", it.text, String::from_utf8_lossy(&it.bytes)));
            return Err(format!("sortid {args}: expected{}\nfound{}", shown[0], shown[1]).into());
        }
        Ok(here)
    }

    fn run(&self, args: &str, input: &[u8], maker: Maker) -> Result<Output> {
        let mut command = self.command("sortid", maker);
        command.args(args.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", shown(&command)))?;
        let mut stdin = process.stdin.take().ok_or("there is no standard input")?;
        let output = thread::scope(|scope| {
            // A command that refuses its input may end before it has read all.
            scope.spawn(move || drop(stdin.write_all(input)));
            process.wait_with_output()
        })?;
        Ok(Output {
            has_succeeded: output.status.success(),
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
            let output = self.run(&append, events.as_bytes(), maker)?;
            if !output.has_succeeded {
                return Err(format!("{append}: {}", output.text).into());
            }
        }
        let verify = format!("ledger verify {file} --json");
        if !self.same(&verify, b"")?.has_succeeded {
            return Err(format!("{file} is not valid").into());
        }
        let path = self.work.join(file);
        let text = fs::read_to_string(&path)?;
        fs::write(&path, text.replacen("\"é 7\"", "\"é 8\"", 1))?;
        if self.same(&verify, b"")?.has_succeeded {
            return Err(format!("{file} is damaged, and nobody says so").into());
        }
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
            let output = self.run(&format!("check {spec}"), ids.as_bytes(), Maker::Here)?;
            if !output.has_succeeded || ids.lines().count() != 1000 {
                return Err(format!("{url}: {}", output.text).into());
            }
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
