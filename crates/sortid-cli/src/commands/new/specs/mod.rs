//! The specifications: a file each, with the options of `sortid new SPEC` and what only its IDs have.

mod euid;
mod evently_id;
mod ron_uid;
mod scru160;
mod ulid_flake;

use super::request::Request;
use crate::{failure::Failure, spec::Describe};
use clap::Subcommand;
use sortid::{AnyId, AnyOptions, Spec, euid::Euid, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake};
use std::error::Error;

/// A [`Failure`], or what is wrong with the options.
type Refusal = Box<dyn Error>;

#[derive(Subcommand)]
pub(super) enum NewSpec {
    Scru160(scru160::Args),
    Euid(euid::Args),
    EventlyId(evently_id::Args),
    RonUid(ron_uid::Args),
    UlidFlake(ulid_flake::Args),
}

/// The names of the specifications, in the order of the help.
pub(super) fn names() -> String {
    let new = NewSpec::augment_subcommands(clap::Command::new("new"));
    new.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ")
}

impl NewSpec {
    /// The subcommand, as [`Failure::Usage`] names it.
    pub(super) const fn command(&self) -> &'static str {
        match self {
            Self::Scru160(_) => "new scru160",
            Self::Euid(_) => "new euid",
            Self::EventlyId(_) => "new evently-id",
            Self::RonUid(_) => "new ron-uid",
            Self::UlidFlake(_) => "new ulid-flake",
        }
    }

    /// Whether each ID is made from the one before, so that given times have to ascend.
    pub(super) const fn is_chain(&self) -> bool {
        matches!(self, Self::EventlyId(_))
    }

    pub(super) fn print(&self, request: Request<'_>) -> Result<(), Failure> {
        let printed = match self {
            Self::Scru160(args) => args.print(request),
            Self::Euid(args) => args.print(request),
            Self::EventlyId(args) => args.print(request),
            Self::RonUid(args) => args.print(request),
            Self::UlidFlake(args) => args.print(request),
        };
        printed.map_err(|refusal| match refusal.downcast() {
            Ok(failure) => *failure,
            Err(refusal) => Failure::usage(self.command(), refusal),
        })
    }
}

/// An ID that a generator of the library made.
pub(super) trait Generated: Describe {
    /// Returns the ID to print after the one printed last.
    #[must_use]
    fn after(self, _last: Option<Self>) -> Self {
        self
    }
}

impl Generated for Scru160 {}
impl Generated for Euid {}
impl Generated for RonUid {}
impl Generated for UlidFlake {}

/// Makes an ID to look at.
pub(super) fn sample(spec: Spec) -> Result<AnyId, Failure> {
    Ok(match spec {
        Spec::EventlyId => evently_id::sample()?.into(),
        Spec::RonUid => ron_uid::sample()?.into(),
        _ => AnyOptions::new(spec, &[]).expect("no option is required").build().generate()?,
    })
}
