//! The options of `sortid new SPEC`. A specification has a file if it has other options than its crate describes.

mod described;
mod euid;
mod evently_id;
mod ron_uid;
mod ulid_flake;

use super::request::Request;
use crate::{failure::Failure, spec::Describe};
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand, error::ErrorKind};
use sortid::{AnyId, AnyOptions, Spec};
use std::error::Error;

/// A [`Failure`], or what is wrong with the options.
type Refusal = Box<dyn Error>;

/// A specification, with its options.
pub(super) enum NewSpec {
    Euid(euid::Args),
    EventlyId(evently_id::Args),
    RonUid(ron_uid::Args),
    UlidFlake(ulid_flake::Args),
    Described(Spec, described::Args),
}

/// What people see first.
const ORDER: [Spec; 5] = [Spec::Scru160, Spec::Euid, Spec::EventlyId, Spec::RonUid, Spec::UlidFlake];

/// The specifications in the order of the help.
fn specs() -> impl Iterator<Item = Spec> {
    ORDER.into_iter().chain(Spec::ALL.iter().copied().filter(|spec| !ORDER.contains(spec)))
}

/// The names of the specifications, in the order of the help.
pub(super) fn names() -> String {
    specs().map(Spec::name).collect::<Vec<_>>().join(", ")
}

impl Subcommand for NewSpec {
    fn augment_subcommands(command: Command) -> Command {
        specs().fold(command, |command, spec| {
            let own = Command::new(spec.name());
            command.subcommand(match spec {
                Spec::Euid => euid::Args::augment_args(own),
                Spec::EventlyId => evently_id::Args::augment_args(own),
                Spec::RonUid => ron_uid::Args::augment_args(own),
                Spec::UlidFlake => ulid_flake::Args::augment_args(own),
                _ => described::command(spec),
            })
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        specs().any(|spec| spec.name() == name)
    }
}

impl FromArgMatches for NewSpec {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = matches.subcommand().and_then(|(name, given)| Some((name.parse().ok()?, given)));
        let (spec, given) = given.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(match spec {
            Spec::Euid => Self::Euid(euid::Args::from_arg_matches(given)?),
            Spec::EventlyId => Self::EventlyId(evently_id::Args::from_arg_matches(given)?),
            Spec::RonUid => Self::RonUid(ron_uid::Args::from_arg_matches(given)?),
            Spec::UlidFlake => Self::UlidFlake(ulid_flake::Args::from_arg_matches(given)?),
            _ => Self::Described(spec, described::Args::of(spec, given)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl NewSpec {
    const fn spec(&self) -> Spec {
        match self {
            Self::Euid(_) => Spec::Euid,
            Self::EventlyId(_) => Spec::EventlyId,
            Self::RonUid(_) => Spec::RonUid,
            Self::UlidFlake(_) => Spec::UlidFlake,
            Self::Described(spec, _) => *spec,
        }
    }

    /// The subcommand, as [`Failure::Usage`] names it.
    pub(super) fn command(&self) -> String {
        format!("new {}", self.spec())
    }

    /// Whether each ID is made from the one before, so that given times have to ascend.
    pub(super) const fn is_chain(&self) -> bool {
        matches!(self, Self::EventlyId(_))
    }

    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Failure> {
        let printed = match self {
            Self::Euid(args) => args.print(request),
            Self::EventlyId(args) => args.print(request),
            Self::RonUid(args) => args.print(request),
            Self::UlidFlake(args) => args.print(request),
            Self::Described(spec, args) => args.print(*spec, request),
        };
        printed.map_err(|refusal| match refusal.downcast() {
            Ok(failure) => *failure,
            Err(refusal) => Failure::usage(self.command(), refusal),
        })
    }
}

/// Returns the ID to print, after the one printed last, for one that a generator of the library made.
pub(super) fn printed<I: Describe>(id: I, last: Option<I>) -> I {
    match id.into() {
        AnyId::EventlyId(place) => {
            let last = last.and_then(|last| last.into().try_into().ok());
            AnyId::from(evently_id::after(place, last)).try_into().unwrap_or(id)
        }
        _ => id,
    }
}

/// Makes an ID to look at.
pub(super) fn sample(spec: Spec) -> Result<AnyId, Failure> {
    Ok(match spec {
        Spec::EventlyId => evently_id::sample()?.into(),
        Spec::RonUid => ron_uid::sample()?.into(),
        _ => AnyOptions::new(spec, &[]).expect("no option is required").build().generate()?,
    })
}
