//! Proofs for all inputs, on the machine code of a release build. The theorems are in `prove/`.
//!
//! Each theorem has changes of the code that must break it. For each, the library is built with the change, and the proof
//! has to find an input for which the theorem is false. The library itself has to do what the proof says it does there.

use crate::{
    figures::{
        markdown,
        page::{Page, revision},
    },
    python,
    records::Record,
    shell::{self, Result, cargo, root},
    tools,
    workspace::target,
};
use clap::Parser;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
};

#[derive(Parser)]
pub(crate) struct Options {
    /// Leave out the changes of the code that must break the theorems
    #[arg(long)]
    without_changes: bool,
    /// Write records/proofs.json and the table of docs/reliability.md
    #[arg(long, conflicts_with = "without_changes")]
    write: bool,
}

/// What `prove.py` prints.
#[derive(Deserialize)]
struct Proofs {
    theorems: Vec<Theorem>,
    /// The functions whose formulas were compared with the processor, and the inputs of all.
    functions: u64,
    processor: u64,
    /// The steps in which the model of fleets was compared with the library.
    trial: u64,
}

/// A theorem that was proved.
#[derive(Deserialize)]
struct Theorem {
    name: String,
    theorem: String,
    symbols: String,
    inputs: String,
    claims: u32,
    seconds: BTreeMap<String, f64>,
    /// How many faults of a model refute the theorem.
    faults: usize,
}

/// A change of the code that must break a theorem.
#[derive(Deserialize)]
struct Change {
    name: String,
    theorem: String,
    file: String,
    edits: Vec<(String, String)>,
}

/// What the proof found in a library with a change.
#[derive(Deserialize)]
struct Outcome {
    refuted: Option<String>,
    #[serde(default)]
    counterexample: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    function: String,
    given: Vec<String>,
    /// Whether the library did what the proof says that it does.
    foreseen: bool,
}

const RECORD: &str = "proofs";

/// How many libraries with a change are built and refuted at the same time.
const SIDE_BY_SIDE: usize = 2;

/// All proofs and changes, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    run(&Options { without_changes: false, write: false })
}

pub(crate) fn run(options: &Options) -> Result {
    tools::install(tools::PROVE)?;
    let python = python::for_proofs()?;
    let folder = target()?.join("prove");
    let library = build(root(), &folder.join("build"), &[])?;
    let fleet = build(root(), &folder.join("build-fleet"), &["--features", "fleet"])?;
    let changes: Vec<Change> = match options.without_changes {
        true => vec![],
        false => serde_json::from_str(&printed(prove(&python).args(["-", "-", "--changes"]))?)?,
    };
    refute(&changes, &python, &folder)?;
    let proofs: Proofs = serde_json::from_str(&printed(prove(&python).args([library, fleet]))?)?;
    let Proofs { theorems, functions, processor, trial } = proofs;
    let broken = |theorem: &Theorem| {
        theorem.faults + changes.iter().filter(|change| change.theorem == theorem.name).count()
    };
    let rows = theorems.iter().map(|theorem| theorem.row(broken(theorem))).collect();
    let mut record = Record::new("Theorems that hold for all inputs, on machine code", &COLUMNS, rows)?;
    record.notes = vec![
        format!("Revision {}.", revision(&["crates", "prove"])?),
        "Seconds are the sum over all claims of a theorem: to execute the code symbolically, and of each solver.".into(),
        format!("The formulas of {functions} functions were compared with the processor for {processor} inputs."),
        format!("The model of fleets was compared with the library for {trial} random steps."),
        "Each change of the code broke the theorem, and the library did what the counterexample says. Fleets are a model: its faults are counted as changes.".into(),
    ];
    println!("{record}");
    if options.write {
        record.write(RECORD)?;
        page(&record)?.write()?;
    }
    Ok(())
}

const COLUMNS: [&str; 9] =
    ["name", "theorem", "symbols", "inputs", "claims", "execution", "Z3", "second solver", "changes"];

const PAGE: &str = "reliability.md";

impl Theorem {
    fn row(&self, broken: usize) -> Vec<String> {
        let seconds = |name: &str| self.seconds.get(name).copied().unwrap_or_default();
        vec![
            self.name.clone(),
            self.theorem.split_whitespace().collect::<Vec<_>>().join(" "),
            self.symbols.clone(),
            self.inputs.clone(),
            self.claims.to_string(),
            format!("{:.0} s", seconds("formulas") + seconds("formula")),
            format!("{:.0} s", seconds("z3")),
            format!("{:.0} s", seconds("bitwuzla") + seconds("cvc5")),
            broken.to_string(),
        ]
    }
}

/// The page with the table of this record.
fn page(record: &Record) -> Result<Page> {
    let head = ["theorem", "inputs", "seconds: execution, Z3, second solver", "changes that break it"];
    let rows = record.rows.iter().map(|row| {
        let [_, theorem, symbols, inputs, _, execution, z3, other, changes] = row.as_slice() else {
            return vec![];
        };
        vec![
            format!("{theorem} `{symbols}`"),
            inputs.clone(),
            format!("{execution}, {z3}, {other}"),
            changes.clone(),
        ]
    });
    let mut page = Page::read(PAGE)?;
    page.replace(RECORD, &markdown::table(&head, &rows.collect::<Vec<_>>()))?;
    Ok(page)
}

fn prove(python: &Path) -> Command {
    let mut prove = Command::new(python);
    prove.arg(root().join("prove/prove.py"));
    prove
}

/// What a command prints, while its messages pass through.
fn printed(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{} failed: a theorem is not proved", shell::shown(command)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Lets each ID exchange the state of its generator by the instruction itself. Without these, the program finds out first
/// whether the processor has it, and calls a function by a pointer in memory that changes, which no proof follows.
const RUSTFLAGS: &str = "--cfg portable_atomic_no_outline_atomics -C target-feature=+cmpxchg16b";

/// Builds the library of a tree with the release profile.
fn build(tree: &Path, folder: &Path, features: &[&str]) -> Result<PathBuf> {
    let mut build = cargo(&["build", "--quiet", "--locked", "--release", "--manifest-path"]);
    build.arg(tree.join("prove/Cargo.toml")).arg("--target-dir").arg(folder).args(features);
    shell::run(build.env("RUSTFLAGS", RUSTFLAGS))?;
    Ok(folder.join("release/libsortid_prove.so"))
}

/// Proves that each change breaks its theorem.
fn refute(changes: &[Change], python: &Path, folder: &Path) -> Result {
    let rest = Mutex::new(changes.iter());
    let failed = Mutex::new(vec![]);
    thread::scope(|scope| {
        for worker in 0..SIDE_BY_SIDE {
            let (rest, failed) = (&rest, &failed);
            scope.spawn(move || {
                let folder = folder.join(format!("changed-{worker}"));
                let next = || rest.lock().ok()?.next();
                while let Some(change) = next() {
                    match change.refute(python, &folder) {
                        Ok(found) => eprintln!("{}: {found}", change.name),
                        Err(error) => {
                            failed
                                .lock()
                                .expect("no thread panics")
                                .push(format!("{}: {error}", change.name));
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panics");
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

impl Change {
    /// Builds the library with this change, and returns the input that refutes the theorem.
    fn refute(&self, python: &Path, folder: &Path) -> Result<String> {
        let tree = folder.join("tree");
        fs::create_dir_all(&tree)?;
        let mut copy = Command::new("cp");
        copy.arg("--recursive")
            .args(["Cargo.toml", "crates", "prove"].map(|name| root().join(name)))
            .arg(&tree);
        shell::run(&mut copy)?;
        let file = tree.join(&self.file);
        let mut code = fs::read_to_string(&file)?;
        for (old, new) in &self.edits {
            let found = code.matches(old).count();
            if found != 1 {
                return Err(format!("{} has the text {old:?} {found} times, expected once", self.file).into());
            }
            code = code.replacen(old, new, 1);
        }
        fs::write(&file, code)?;
        let library = build(&tree, &folder.join("build"), &[])?;
        let printed = printed(prove(python).arg(library).args(["-", "--breaks", &self.name]))?;
        let outcome: Outcome = serde_json::from_str(&printed)?;
        let claim = outcome.refuted.ok_or("the theorem holds, or the solvers do not decide it")?;
        match outcome.counterexample.iter().find(|call| !call.foreseen) {
            Some(call) => {
                Err(format!("the library does not do what the counterexample says: {}", call.shown()).into())
            }
            None => {
                let calls: Vec<_> = outcome.counterexample.iter().map(Call::shown).collect();
                Ok(format!("{claim}, {}", calls.join(", ")))
            }
        }
    }
}

impl Call {
    fn shown(&self) -> String {
        format!("{}({})", self.function, self.given.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_table_of_the_record() {
        let page = page(&Record::read(RECORD).unwrap()).unwrap();
        assert!(page == Page::read(PAGE).unwrap(), "run `cargo xtask prove --write`");
    }
}
