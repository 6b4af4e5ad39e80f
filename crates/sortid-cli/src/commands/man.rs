use crate::{examples::examples, failure::Failure};
use clap::{Command, ValueHint};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use sortid::Spec;
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Prints the manual page of a command in roff, or writes those of all commands.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print the page of the program", "sortid man > sortid.1"),
    ("Print the page of one command", "sortid man ledger verify > sortid-ledger-verify.1"),
    ("Write the pages of all commands", "sortid man --dir man1"),
]))]
pub(crate) struct Args {
    /// The command, such as ledger verify [default: the program itself]
    #[arg(conflicts_with = "dir")]
    command: Vec<String>,

    /// Write the pages of all commands to this folder, created if it does not exist
    #[arg(long, value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

const NAME: &str = "sortid";

pub(crate) fn run(args: &Args, cli: clap::Command) -> Result<(), Failure> {
    let mut cli = cli.disable_help_subcommand(true);
    cli.build();
    if let Some(dir) = &args.dir {
        return fs::create_dir_all(dir)
            .and_then(|()| write_pages(&cli, dir))
            .map_err(|error| Failure::file("write to", dir, error));
    }
    let mut command = &cli;
    let names = args.command.strip_prefix(&[NAME.to_owned()]).unwrap_or(&args.command);
    for name in names {
        let spec = name.parse::<Spec>().ok();
        let of_spec = || spec.and_then(|spec| command.find_subcommand(spec.name()));
        command = command.find_subcommand(name).or_else(of_spec).ok_or_else(|| {
            let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            let known = if names.is_empty() {
                format!("{} has no commands", command.get_bin_name().unwrap_or(NAME))
            } else {
                format!("expected one of {}", names.join(", "))
            };
            Failure::usage("man", format!("there is no command {name:?}: {known}"))
        })?;
    }
    let mut out = io::stdout().lock();
    out.write_all(&page(command)?)?;
    Ok(out.flush()?)
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
        // Keeps the line breaks.
        roff.control("nf", []);
        for line in examples.lines().skip(1) {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
