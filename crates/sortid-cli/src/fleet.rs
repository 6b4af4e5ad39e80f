//! The fleet of `--nodes`: its store, and what the options of a process mean.

use crate::{failure::Failure, stderr, terminal::quoted};
use clap::Args;
use sortid::{Clock as _, SystemClock};
use sortid_fleet::{__private::Kind, Fleet, Millis, Snapshot, Store, StoreError, StoreErrorKind, StoreRef};
use std::{env, path, sync::Arc};

/// The environment variable with the URL. Unlike the command line, other users cannot read it.
const VARIABLE: &str = "SORTID_NODES";

const DEFAULT_SPACE: &str = "default";

/// Where the records of a fleet are.
#[derive(Args)]
pub(crate) struct Place {
    /// The store of a fleet, such as dir:PATH [env: `SORTID_NODES`]
    ///
    /// dir:PATH is a directory, for the processes of one host. `nodes init` creates a fleet there. The processes of several
    /// hosts use `postgres://USER@HOST/DATABASE` or `etcd://HOST:PORT`. Give a URL with a password in the environment
    /// variable, because other users can read command lines.
    #[arg(long, aliases = ["store", "fleet", "url"], value_name = "URL", global = true)]
    nodes: Option<String>,

    /// The space in the store: one for each table or topic [default: default]
    #[arg(long, alias = "namespace", value_name = "NAME", global = true)]
    space: Option<String>,
}

/// A store that is open, and a space of it.
pub(crate) struct Space {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) name: String,
    /// The options of a command that lead here, to be copied.
    options: String,
}

impl Space {
    /// How many node IDs the space has. Without a fleet, the error says what was looked at, and how to create one.
    pub(crate) fn size(&self) -> Result<u32, StoreError> {
        let size = sortid_fleet::size_of(&*self.store, &self.name).map_err(|error| self.no_fleet(error))?;
        size.ok_or_else(|| self.no_fleet(StoreError::new(StoreErrorKind::Missing, "")))
    }

    /// All that the store has of the space, and the time by which the records are judged.
    pub(crate) fn read(&self) -> Result<(Snapshot, Millis), StoreError> {
        let snapshot = self.store.read(&self.name).map_err(|error| self.no_fleet(error))?;
        if snapshot.records.is_empty() && snapshot.damaged.is_empty() {
            return Err(self.no_fleet(StoreError::new(StoreErrorKind::Missing, "")));
        }
        let now = snapshot.time.unwrap_or_else(clock);
        Ok((snapshot, now))
    }

    /// Explains an error if it says that the place of the fleet is not there.
    fn no_fleet(&self, error: StoreError) -> StoreError {
        if error.kind() != StoreErrorKind::Missing {
            return error;
        }
        let why = error.to_string();
        let why = if why.is_empty() { why } else { format!(": {why}") };
        let message = format!(
            "there is no fleet in space {:?} of {}{why}. If the place is right, create the fleet once: sortid nodes init{}",
            self.name,
            self.store.location(),
            self.options
        );
        StoreError::new(StoreErrorKind::Missing, message)
    }

    /// Prints what an operator should know about the store.
    pub(crate) fn warn(&self) {
        if let Some(warning) = self.store.warning() {
            stderr::print_line(format_args!("warning: {warning}"));
        }
    }
}

/// The time of this computer.
pub(crate) fn clock() -> Millis {
    SystemClock.unix_micros().unwrap_or_default() / 1000
}

/// The URL of a store, and whether the command line has it.
pub(crate) struct Url {
    url: String,
    is_argument: bool,
}

impl Place {
    /// The URL of the option or of the environment.
    pub(crate) fn url(&self) -> Option<Url> {
        match &self.nodes {
            Some(url) => Some(Url { url: url.clone(), is_argument: true }),
            None => {
                let url = env::var(VARIABLE).ok().filter(|url| !url.is_empty())?;
                Some(Url { url, is_argument: false })
            }
        }
    }

    /// The space of these options. `command` is the subcommand, as [`Failure::Usage`] names it.
    pub(crate) fn open(&self, command: &str) -> Result<Space, Failure> {
        let Some(url) = self.url() else {
            return Err(Failure::usage(
                command,
                format_args!("expected the store of the fleet: add --nodes URL, or set {VARIABLE}"),
            ));
        };
        self.open_url(&url, command)
    }

    pub(crate) fn open_url(&self, url: &Url, command: &str) -> Result<Space, Failure> {
        url.check().map_err(|message| Failure::usage(command, format_args!("{}: {message}", url.name())))?;
        let store = sortid_fleet::open(&url.url)?;
        let name = self.space.as_deref().unwrap_or(DEFAULT_SPACE).to_owned();
        // Only a fleet checks the name.
        Fleet::new(StoreRef::from(Arc::clone(&store)))
            .space(&name)
            .map_err(|error| Failure::usage(command, error))?;
        let mut options = url.option();
        if self.space.is_some() {
            options += &format!(" --space {name}");
        }
        let space = Space { store, name, options };
        space.warn();
        Ok(space)
    }

    /// Whether there is a `--space`.
    pub(crate) const fn has_space(&self) -> bool {
        self.space.is_some()
    }
}

impl Url {
    /// What the URL is a value of.
    pub(crate) const fn name(&self) -> &'static str {
        if self.is_argument { "--nodes" } else { VARIABLE }
    }

    /// The option with this URL, to be copied; empty if the environment has it. A password is not shown.
    fn option(&self) -> String {
        if !self.is_argument {
            return String::new();
        }
        if let Some(path) = self.url.strip_prefix("dir:") {
            let path = path::absolute(path).unwrap_or_else(|_| path.into());
            return format!(" --nodes {}", quoted(&format!("dir:{}", path.display())));
        }
        let user = self.url.split_once("://").and_then(|(_, rest)| Some(rest.rsplit_once('@')?.0));
        let has_password = user.is_some_and(|user| user.contains(':')) || self.url.contains("password=");
        if has_password { " --nodes URL".to_owned() } else { format!(" --nodes {}", quoted(&self.url)) }
    }

    /// How to do without a fleet.
    pub(crate) const fn without(&self) -> &'static str {
        if self.is_argument { "leave --nodes out" } else { "unset SORTID_NODES" }
    }

    /// Whether the program has such a store. A message has no more of the URL than a path, because it may have a password.
    fn check(&self) -> Result<(), String> {
        let url = &*self.url;
        let (scheme, rest) = url.split_once(':').unwrap_or(("", url));
        match (Kind::of(scheme), scheme) {
            (_, "dir") if rest.is_empty() => {
                Err("expected a path after dir:, such as dir:/var/lib/ids".to_owned())
            }
            (Some(_), scheme) if scheme != "dir" && !rest.starts_with("//") => {
                Err(format!("expected // after {scheme}: write {scheme}://HOST"))
            }
            (Some(kind), _) if !kind.is_built() => Err(missing(kind)),
            (Some(_), _) => Ok(()),
            (None, "file") => {
                Err(format!("write a directory as dir:{}", rest.strip_prefix("//").unwrap_or(rest)))
            }
            (None, "") if !url.is_empty() && !url.contains('@') => {
                Err(format!("write a directory as dir:{url}"))
            }
            (None, _) => Err(format!("expected {}, found another kind of URL", Kind::forms())),
        }
    }
}

/// How to get a program with this store.
fn missing(Kind { title, feature, .. }: &Kind) -> String {
    format!(
        "this program was built without {title}. To build it with {title}, run this in a clone of the repository: \
         cargo install --locked --path crates/sortid-cli --features {feature}"
    )
}
