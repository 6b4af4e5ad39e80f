use crate::{examples::examples, failure::Failure};
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;
use sortid::Spec;
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

pub(crate) fn run(args: &Args, cli: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut completed(cli), "sortid", &mut script);
    let mut out = io::stdout().lock();
    if args.shell == Shell::Bash {
        let script = String::from_utf8_lossy(&script).replacen("_sortid()", "_sortid_with_options()", 1);
        out.write_all(script.as_bytes())?;
        out.write_all(BASH)?;
    } else {
        out.write_all(&script)?;
    }
    Ok(out.flush()?)
}

/// The script of clap offers options where an argument can be. bash offers files if nothing else is left.
const BASH: &[u8] = br#"
# Offers options only after a hyphen.
_sortid() {
    _sortid_with_options "$@"
    local word words=()
    for word in "${COMPREPLY[@]}"; do
        if [[ "$2" == -* || "$word" != -* ]]; then
            words+=("$word")
        fi
    done
    COMPREPLY=("${words[@]}")
}
"#;

/// The commands as a shell completes them: an argument that is a choice and decides what follows is a subcommand.
fn completed(cli: Command) -> Command {
    // fish would take the command for its own argument.
    let pages: Vec<_> = cli.get_subcommands().filter(|page| page.get_name() != "man").map(page).collect();
    cli.mut_subcommand("man", |man| with(&man, |argument| argument.get_id() != "command").subcommands(pages))
        .mut_subcommand("check", |check| {
            let rest: Vec<_> = check.get_arguments().filter(|argument| argument.get_id() != "spec").collect();
            let spec = |spec: &Spec| Command::new(spec.name()).about(spec.title()).args(rest.iter().copied());
            let specs = Spec::ALL.iter().map(spec);
            with(&check, |argument| !argument.is_positional()).subcommands(specs)
        })
        .mut_subcommands(hinted)
}

/// A command and its subcommands by name alone.
fn page(command: &Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    Command::new(command.get_name().to_owned())
        .about(about)
        .subcommands(command.get_subcommands().map(page))
        .disable_help_subcommand(true)
}

/// A command with those of its arguments that `is_kept` accepts.
fn with(command: &Command, is_kept: impl Fn(&Arg) -> bool) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let arguments = command.get_arguments().filter(|argument| is_kept(argument));
    Command::new(command.get_name().to_owned()).about(about).args(arguments).disable_help_subcommand(true)
}

/// Files are offered only where an argument is a file.
fn hinted(command: Command) -> Command {
    let hint = |argument: Arg| match argument.get_value_hint() {
        _ if !argument.get_action().takes_values() => argument,
        ValueHint::Unknown if argument.get_possible_values().is_empty() => {
            // zsh would call what is after a colon as a function.
            let names = argument.get_value_names().unwrap_or_default();
            let names: Vec<_> = names.iter().map(|name| name.replace(':', " and ")).collect();
            argument.value_names(names).value_hint(ValueHint::Other)
        }
        ValueHint::AnyPath => argument.value_hint(ValueHint::FilePath),
        _ => argument,
    };
    command.mut_args(hint).mut_subcommands(hinted)
}
