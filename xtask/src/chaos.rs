//! `cargo xtask chaos`: what `sortid-fleet`, `sortid-server` and the generators promise, on real processes and servers that
//! are killed and stopped, with clocks that step. The driver is `lab/chaos`.

use crate::{
    figures::performance,
    shell::{self, Result},
    tools::{self, Tool},
    workspace::{built, program_of_tests, target},
};
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// `fleet`, `serve`, `soak` or `measure`, and its options, which `cargo xtask chaos fleet --help` lists
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "DRIVER")]
    words: Vec<String>,
}

/// Builds the driver, and passes it these words.
pub(crate) fn run(options: &Options) -> Result {
    let words: Vec<_> = options.words.iter().map(String::as_str).collect();
    let mut driver = driver(&words)?;
    if !words.contains(&"--write") {
        return become_it(&mut driver);
    }
    shell::run(&mut driver)?;
    performance::write()
}

/// Short proofs with a directory, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    each(&[
        &["fleet", "--quick", "--store", "dir", "--seed", "1"],
        &["serve", "--quick", "--store", "dir", "--seed", "1"],
    ])
}

/// Proofs with all stores and processes of two versions, and ten minutes of one process, for `cargo xtask ci --all`.
pub(crate) fn check_all() -> Result {
    each(&[
        &["fleet", "--seconds", "60", "--beside"],
        &["serve", "--seconds", "60"],
        &["soak", "--seconds", "600"],
    ])
}

fn each(runs: &[&[&str]]) -> Result {
    runs.iter().try_for_each(|words| shell::run(&mut driver(words)?))
}

fn driver(words: &[&str]) -> Result<Command> {
    if cfg!(not(unix)) {
        let message =
            "processes are stopped and killed on Unix only: run this chore on Linux, for example in WSL";
        return Err(message.into());
    }
    tools::install(tools(words))?;
    let build = if words.contains(&"--quick") { program_of_tests } else { built };
    let mut driver = Command::new(build("sortid-chaos")?);
    // The folder is on a disk: some systems have their temporary files in memory.
    driver.args(words).arg("--folder").arg(target()?);
    if ["serve", "measure"].contains(&words[0]) {
        driver.arg("--server").arg(build("sortid-server")?);
    }
    Ok(driver)
}

fn tools(words: &[&str]) -> &'static [Tool] {
    match words[0] {
        "fleet" | "serve" if words.iter().any(|word| ["dir", "--store=dir"].contains(word)) => {
            tools::CHAOS_IN_A_DIRECTORY
        }
        "fleet" | "serve" => tools::CHAOS,
        "measure" => tools::MEASURE,
        _ => &[],
    }
}

/// Becomes the driver, so that Ctrl-C reaches it alone.
#[cfg(unix)]
fn become_it(driver: &mut Command) -> Result {
    eprintln!("$ {}", shell::shown(driver));
    Err(std::os::unix::process::CommandExt::exec(driver).into())
}

#[cfg(not(unix))]
fn become_it(driver: &mut Command) -> Result {
    shell::run(driver)
}
