//! What `--help` says besides the options, `completions`, and `man`.

use crate::failure::Failure;
use clap::{Command, CommandFactory as _, builder::StyledStr};
use clap_complete::Shell;
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// What a command line is for, and the command line. One of more than 74 columns would be broken by clap: it has to say
/// where, by a backslash.
pub(crate) fn examples(examples: &[(&str, &str)]) -> StyledStr {
    let styles = clap::builder::Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = StyledStr::new();
    // A String takes all.
    let _ = write!(text, "{header}Examples:{header:#}");
    for (what, line) in examples {
        let line = line.replace(" \\ ", " \\\n          ");
        let _ = write!(text, "\n  {what}:\n      {literal}{line}{literal:#}");
    }
    text
}

/// Prints what a shell has to run to complete the commands and options.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("For this bash", r#"eval "$(sortid completions bash)""#),
    ("For each bash", "mkdir -p ~/.local/share/bash-completion/completions && \\ sortid completions bash > \\ ~/.local/share/bash-completion/completions/sortid"),
    ("For each fish", "mkdir -p ~/.config/fish/completions && \\ sortid completions fish > ~/.config/fish/completions/sortid.fish"),
    ("For each zsh whose fpath has this folder", "mkdir -p ~/.zfunc && \\ sortid completions zsh > ~/.zfunc/_sortid"),
]))]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), NAME, &mut script);
    print(&script)
}

/// Prints the manual page of a command, in the language of man.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("The page of the program", "sortid man > sortid.1"),
    ("The page of one command", "sortid man ledger verify > sortid-ledger-verify.1"),
    ("The pages of all commands", "sortid man --dir man1"),
]))]
pub(crate) struct ManArgs {
    /// The command, such as ledger verify [default: the program itself]
    #[arg(conflicts_with = "dir")]
    command: Vec<String>,

    /// Write the pages of all commands to this folder, which is made where there is none
    #[arg(long)]
    dir: Option<PathBuf>,
}

const NAME: &str = "sortid";

pub(crate) fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut cli = crate::Cli::command().disable_help_subcommand(true);
    cli.build();
    if let Some(dir) = &args.dir {
        return fs::create_dir_all(dir)
            .and_then(|()| write_pages(&cli, dir))
            .map_err(|error| Failure::Io { what: format!("cannot write to {}", dir.display()), error });
    }
    let mut command = &cli;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            let known = if names.is_empty() {
                format!("{} has none", command.get_bin_name().unwrap_or(NAME))
            } else {
                format!("expected one of {}", names.join(", "))
            };
            Failure::usage("man", format!("there is no command {name:?}: {known}"))
        })?;
    }
    print(&page(command)?)
}

fn write_pages(command: &Command, dir: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    fs::write(dir.join(format!("{name}.1")), page(command)?)?;
    command.get_subcommands().try_for_each(|command| write_pages(command, dir))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let examples = command.get_after_long_help().map(ToString::to_string);
    let version = concat!("sortid ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = examples {
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES"]);
        // Lines stay lines.
        roff.control("nf", []);
        for line in examples.lines().skip(1) {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    Ok(out.flush()?)
}
