//! The fleet of `--nodes`: its store, and what the options of a process mean.

use crate::{failure::Failure, stderr};
use clap::Args;
use jiff::SignedDuration;
use sortid::{Clock as _, SystemClock};
use sortid_fleet::{Fleet, Millis, Record, Store, StoreRef};
use std::{collections::BTreeMap, env, path::Path, sync::Arc, time::Duration};

/// The environment variable with the URL. Unlike the command line, other users cannot read it.
const VARIABLE: &str = "SORTID_NODES";

const DEFAULT_SPACE: &str = "default";

/// Where the records of a fleet are.
#[derive(Args)]
pub(crate) struct Place {
    /// The store of the numbers of a fleet, such as dir:PATH [env: `SORTID_NODES`]
    ///
    /// dir:PATH is a directory, for the processes of one host. `new` makes it if its parent is there. The processes of
    /// several hosts use `postgres://USER@HOST/DATABASE` or `etcd://HOST:PORT`. Give a URL with a password in the environment
    /// variable, because other users can read command lines.
    #[arg(long, value_name = "URL", global = true)]
    nodes: Option<String>,

    /// The space in the store: one for each table or topic [default: default]
    #[arg(long, value_name = "NAME", global = true)]
    space: Option<String>,
}

/// A store that is open, and a space of it.
pub(crate) struct Space {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) name: String,
}

impl Space {
    /// The records, and the time by which they are judged.
    pub(crate) fn read(&self) -> Result<(BTreeMap<u32, Record>, Millis), Failure> {
        let snapshot = self.store.read(&self.name).map_err(|error| Failure::Message(error.to_string()))?;
        Ok((snapshot.records, snapshot.time.unwrap_or_else(clock)))
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
    pub(crate) fn open(&self, command: &'static str) -> Result<Space, Failure> {
        let Some(url) = self.url() else {
            return Err(Failure::usage(
                command,
                format_args!("expected the store of the fleet: add --nodes URL, or set {VARIABLE}"),
            ));
        };
        self.open_url(&url, command)
    }

    /// The space of these options, in a store that is there.
    pub(crate) fn open_existing(&self, command: &'static str) -> Result<Space, Failure> {
        if let Some(path) = self.url().as_ref().and_then(|url| url.url.strip_prefix("dir:"))
            && !path.is_empty()
            && !Path::new(path).exists()
        {
            return Err(Failure::Message(format!(
                "there is no directory {path}: no process has joined a fleet there"
            )));
        }
        self.open(command)
    }

    pub(crate) fn open_url(&self, url: &Url, command: &'static str) -> Result<Space, Failure> {
        url.check().map_err(|message| Failure::usage(command, format_args!("{}: {message}", url.name())))?;
        let store = sortid_fleet::open(&url.url).map_err(|error| Failure::Message(error.to_string()))?;
        let name = self.space.as_deref().unwrap_or(DEFAULT_SPACE).to_owned();
        // Only a fleet checks the name.
        Fleet::new(StoreRef::from(Arc::clone(&store)), 1)
            .and_then(|fleet| fleet.space(&name))
            .map_err(|error| Failure::usage(command, error))?;
        if let Some(warning) = store.warning() {
            stderr::print_line(format_args!("warning: {warning}"));
        }
        Ok(Space { store, name })
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

    /// How to do without a fleet.
    pub(crate) const fn without(&self) -> &'static str {
        if self.is_argument { "leave --nodes out" } else { "unset SORTID_NODES" }
    }

    /// Whether the program has such a store. A message has no more of the URL than a path, because it may have a password.
    fn check(&self) -> Result<(), String> {
        let url = &*self.url;
        let (scheme, rest) = url.split_once(':').unwrap_or(("", url));
        match scheme {
            "dir" if rest.is_empty() => {
                Err("expected a path after dir:, such as dir:/var/lib/ids".to_owned())
            }
            "postgres" | "postgresql" | "etcd" | "etcds" if !rest.starts_with("//") => {
                Err(format!("expected // after {scheme}: write {scheme}://HOST"))
            }
            "postgres" | "postgresql" if cfg!(not(feature = "postgres")) => {
                Err(missing("PostgreSQL", "postgres"))
            }
            "etcd" | "etcds" if cfg!(not(feature = "etcd")) => Err(missing("etcd", "etcd")),
            "dir" | "postgres" | "postgresql" | "etcd" | "etcds" => Ok(()),
            "file" => Err(format!("write a directory as dir:{}", rest.strip_prefix("//").unwrap_or(rest))),
            "" if !url.is_empty() && !url.contains('@') => Err(format!("write a directory as dir:{url}")),
            _ => Err(format!("expected {KNOWN}, found another kind of URL")),
        }
    }
}

const KNOWN: &str = "dir:PATH, postgres://USER@HOST/DATABASE or etcd://HOST:PORT";

/// How to get a program with this store.
fn missing(store: &str, feature: &str) -> String {
    format!(
        "this program was built without {store}. To build it with {store}, in a clone of the repository: cargo install --locked --path crates/sortid-cli --features {feature}"
    )
}

/// Reads a duration: `30s`, `5m`, `1m30s`, `500ms`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a duration such as 30s, 5m or 500ms";

    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{EXPECTED}: for seconds, write {text}s"));
    }
    let duration = text.parse::<SignedDuration>().map_err(|_| EXPECTED.to_owned())?;
    Duration::try_from(duration).map_err(|_| format!("{EXPECTED}, found one that is negative"))
}

#[cfg(test)]
mod tests {
    use super::parse_duration;
    use std::time::Duration;

    #[test]
    fn a_duration_has_a_unit() {
        for (text, millis) in [
            ("30s", 30_000),
            ("0s", 0),
            ("5m", 300_000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("2 hours", 7_200_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for (text, message) in [
            ("", "expected a duration such as 30s, 5m or 500ms"),
            ("30", "for seconds, write 30s"),
            ("-1s", "found one that is negative"),
            ("1s ago", "found one that is negative"),
            ("1 month", "expected a duration such as"),
            ("soon", "expected a duration such as"),
        ] {
            assert!(parse_duration(text).unwrap_err().contains(message), "{text}");
        }
    }
}
