//! The cost of a dependency, measured with programs that print one ID.

use super::performance;
use crate::{
    records::Record,
    shell::{self, Result, root, stdout_of},
    workspace::{self, Package, packages},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// The number of builds of each program, from an empty target directory. Their median counts.
const BUILDS: usize = 3;

struct Subject {
    name: String,
    /// Our crate in the folder of this name, or a peer in the version of the benchmarks.
    source: Source,
    /// More settings of the dependency, as in a manifest.
    features: &'static str,
    main: String,
}

#[derive(Clone, Copy)]
enum Source {
    Nothing,
    Ours,
    Peer,
}

const RON: &str = r#"
    let options = ron_uid::Options::new(ron_uid::ron_uid!("Xgritzk0_D").value());
    println!("{}", options.build().generate().unwrap());
"#;

const EVENTLY: &str = r#"
    let ledger = evently_id::LedgerId::parse("c0331dd8").unwrap();
    let places = evently_id::Options::new(ledger).build();
    println!("{}", places.generate().unwrap());
"#;

const LEDGER: &str = r#"
    let mut ledger = evently_ledger::Ledger::new(evently_ledger::Profile::Classic);
    let mut event = evently_ledger::Event::new("opened").entity("shop").key("1");
    println!("{}", ledger.batch().append(&mut event).unwrap());
"#;

use Source::{Nothing, Ours, Peer};

/// The specifications whose crate has no `new`.
const WITHOUT_NEW: [(&str, &str); 2] = [("evently-id", EVENTLY), ("ron-uid", RON)];

fn subjects() -> Result<Vec<Subject>> {
    let mut subjects = vec![Subject::new("nothing", Nothing, "", "println!(\"{}\", 7);")];
    for Package { name, .. } in packages()?.into_iter().filter(|package| package.is_spec) {
        let new = format!("println!(\"{{}}\", {}::new());", name.replace('-', "_"));
        let other = WITHOUT_NEW.iter().find(|(spec, _)| *spec == name);
        subjects.push(Subject::new(&name, Ours, "", other.map_or(&*new, |(_, main)| main)));
    }
    subjects.extend([
        Subject::new("evently-ledger", Ours, "", LEDGER),
        Subject::new("sortid", Ours, "", "println!(\"{}\", sortid::scru160::new());"),
        Subject::new("uuid", Peer, "features = [\"v7\"]", "println!(\"{}\", uuid::Uuid::now_v7());"),
        Subject::new("ulid", Peer, "", "println!(\"{}\", ulid::Ulid::generate());"),
    ]);
    Ok(subjects)
}

struct Cost {
    packages: usize,
    seconds: f64,
    bytes: u64,
}

pub(crate) fn run() -> Result {
    let (mut rows, mut empty) = (vec![], 0);
    for subject in subjects()? {
        let Cost { packages, seconds, bytes } = subject.cost()?;
        if matches!(subject.source, Nothing) {
            empty = bytes;
        }
        let Subject { name, features, .. } = subject;
        let name = if features.is_empty() { format!("`{name}`") } else { format!("`{name}`, `{features}`") };
        let bytes = i128::from(bytes) - i128::from(empty);
        let row = vec![name, packages.to_string(), format!("{seconds:.1}"), bytes.to_string()];
        eprintln!("{}", row.join(", "));
        rows.push(row);
    }
    let columns = ["dependency", "packages", "seconds to build", "bytes added"];
    Record::new("What it costs to depend on a crate", &columns, rows)?.write("dependencies")?;
    performance::write()
}

impl Subject {
    fn new(name: &str, source: Source, features: &'static str, main: &str) -> Self {
        Self { name: name.to_owned(), source, features, main: main.to_owned() }
    }

    fn cost(&self) -> Result<Cost> {
        let folder = workspace::target()?.join("cost");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), self.manifest()?)?;
        fs::write(folder.join("src/main.rs"), format!("fn main() {{ {} }}\n", self.main))?;
        // The versions of the benchmarks. Cargo drops what is not needed.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;

        let tree = stdout_of(&mut cargo_in(
            &folder,
            &["tree", "--quiet", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"],
        ))?;
        let packages: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();

        let mut seconds = vec![];
        for _ in 0..BUILDS {
            let _ = fs::remove_dir_all(folder.join("target"));
            let started = Instant::now();
            stdout_of(&mut cargo_in(&folder, &["build", "--quiet", "--release"]))?;
            seconds.push(started.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);

        let program = folder.join("target/release/cost");
        let printed = stdout_of(&mut Command::new(&program))?;
        if printed.trim().is_empty() {
            return Err(format!("the program that uses {} printed no ID", self.name).into());
        }
        let bytes = fs::metadata(program)?.len();
        fs::remove_dir_all(&folder)?;
        // Without the program itself.
        Ok(Cost { packages: packages.len() - 1, seconds: seconds[BUILDS / 2], bytes })
    }

    fn manifest(&self) -> Result<String> {
        let source = match self.source {
            Nothing => None,
            Ours => Some(format!("path = {:?}", root().join("crates").join(&self.name))),
            Peer => Some(format!("version = \"={}\"", version_of(&self.name)?)),
        };
        let dependency = source.map(|source| {
            let comma = if self.features.is_empty() { "" } else { ", " };
            format!("{} = {{ {source}{comma}{} }}\n", self.name, self.features)
        });
        Ok(format!(
            "[package]\nname = \"cost\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\
             [profile.release]\nstrip = true\n\n[workspace]\n",
            dependency.unwrap_or_default()
        ))
    }
}

/// The version of a peer in `Cargo.lock`.
fn version_of(name: &str) -> Result<String> {
    let metadata = stdout_of(&mut shell::cargo(&["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| package["name"] == name)
        .find_map(|package| package["version"].as_str().map(str::to_owned))
        .ok_or_else(|| format!("Cargo.lock lacks {name}").into())
}

/// Cargo in this folder, with a target directory of its own.
fn cargo_in(folder: &Path, args: &[&str]) -> Command {
    let mut command = shell::cargo(args);
    let target: PathBuf = folder.join("target");
    command.current_dir(folder).env("CARGO_TARGET_DIR", target).env_remove("RUSTFLAGS");
    command
}
