use crate::{examples::examples, failure::Failure};
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Prints a completion script for a shell.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Complete in this bash session", r#"eval "$(sortid completions bash)""#),
    ("Complete in every new bash session", "mkdir -p ~/.local/share/bash-completion/completions && \\ sortid completions bash > \\ ~/.local/share/bash-completion/completions/sortid"),
    ("Complete in every new fish session", "mkdir -p ~/.config/fish/completions && \\ sortid completions fish > ~/.config/fish/completions/sortid.fish"),
    ("Complete in every new zsh session whose fpath contains ~/.zfunc", "mkdir -p ~/.zfunc && \\ sortid completions zsh > ~/.zfunc/_sortid"),
]))]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, cli: &mut clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, cli, "sortid", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
