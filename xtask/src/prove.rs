//! Proofs for all inputs, on the machine code of a release build. The theorems are in `lab/prove/`.
//!
//! Each theorem has changes of the machine code that must break it. For each, the proof has to find an input for which the
//! theorem is false, and the changed code has to do what the proof says it does there.

use crate::{
    figures::page::revision,
    python,
    shell::{self, Result, cargo, root, stdout_of},
    tools,
    workspace::target,
};
use clap::Parser;
use serde::Deserialize;
use sortid_servers::records::Record;
use std::{
    collections::BTreeMap,
    process::{Command, Stdio},
};

#[derive(Parser)]
pub(crate) struct Options {
    /// Prove only the theorem with this name in records/proofs.json
    #[arg(long, value_name = "THEOREM")]
    only: Option<String>,
    /// Write records/proofs.json
    #[arg(long, conflicts_with = "only")]
    write: bool,
}

/// A theorem that was proved, as `prove.py` prints it.
#[derive(Deserialize)]
struct Theorem {
    name: String,
    theorem: String,
    symbols: String,
    inputs: String,
    claims: u32,
    seconds: BTreeMap<String, f64>,
    /// The inputs for which the processor did what the formulas say.
    compared: u32,
    /// How many changes broke the theorem.
    changes: u32,
}

const RECORD: &str = "proofs";

/// All proofs, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    run(&Options { only: None, write: false })
}

pub(crate) fn run(options: &Options) -> Result {
    tools::install(tools::PROVE)?;
    let python = python::for_proofs()?;
    let folder = target()?.join("prove/build");
    let mut build = cargo(&["build", "--quiet", "--locked", "--release", "--manifest-path"]);
    build.arg(root().join("lab/prove/Cargo.toml")).arg("--target-dir").arg(&folder);
    shell::run(&mut build)?;
    let mut prove = Command::new(&python);
    prove.arg(root().join("lab/prove/prove.py")).arg(folder.join("release/libsortid_prove.so"));
    prove.args(options.only.iter().flat_map(|theorem| ["--only", theorem.as_str()]));
    let theorems: Vec<Theorem> = serde_json::from_str(&stdout_of(prove.stderr(Stdio::inherit()))?)?;
    let rows = theorems.iter().map(Theorem::row).collect();
    let mut record = Record::new("Theorems that hold for all inputs, on machine code", &COLUMNS, rows)?;
    record.notes = vec![
        format!("Revision {}.", revision(&["crates", "lab/prove"])?),
        "Seconds are the sum over all claims of a theorem: to execute the code symbolically, and of each solver.".into(),
        format!(
            "The formulas were compared with the processor for {} inputs.",
            theorems.iter().map(|theorem| theorem.compared).sum::<u32>()
        ),
        "Each change of the machine code broke the theorem, and the code did what the counterexample says. Fleets are a model: its faults are counted as changes.".into(),
    ];
    println!("{record}");
    if options.write {
        record.write(RECORD)?;
    }
    Ok(())
}

const COLUMNS: [&str; 9] =
    ["name", "theorem", "symbols", "inputs", "claims", "execution", "Z3", "second solver", "changes"];

impl Theorem {
    fn row(&self) -> Vec<String> {
        let seconds = |name: &str| self.seconds.get(name).copied().unwrap_or_default();
        vec![
            self.name.clone(),
            self.theorem.clone(),
            self.symbols.clone(),
            self.inputs.clone(),
            self.claims.to_string(),
            format!("{:.0} s", seconds("formulas") + seconds("formula")),
            format!("{:.0} s", seconds("z3")),
            format!("{:.0} s", seconds("bitwuzla") + seconds("cvc5")),
            self.changes.to_string(),
        ]
    }
}
