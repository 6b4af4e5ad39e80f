use crate::{examples::examples, failure::Failure};
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Prints what a shell has to run to complete the commands and options.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("For this bash", r#"eval "$(sortid completions bash)""#),
    ("For each bash", "mkdir -p ~/.local/share/bash-completion/completions && \\ sortid completions bash > \\ ~/.local/share/bash-completion/completions/sortid"),
    ("For each fish", "mkdir -p ~/.config/fish/completions && \\ sortid completions fish > ~/.config/fish/completions/sortid.fish"),
    ("For each zsh whose fpath has this folder", "mkdir -p ~/.zfunc && \\ sortid completions zsh > ~/.zfunc/_sortid"),
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
