//! The specifications, as the program sees them: one file each, with the options of `sortid new` and the reading of
//! an ID.

pub(crate) mod euid;
pub(crate) mod ron_uid;
pub(crate) mod scru160;
pub(crate) mod ulid_flake;

use crate::reading::Reading;
use ::euid::Euid;
use ::ron_uid::{ReplicaScheme, RonUid};
use ::scru160::{ParseError, Scru160};
use ::ulid_flake::{Epoch, ScalableUlidFlake, UlidFlake};
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spec {
    Scru160,
    Euid,
    UlidFlake,
    RonUid,
}

impl Spec {
    /// All, most likely first where a text can be several.
    pub(crate) const ALL: [Self; 4] = [Self::Scru160, Self::Euid, Self::UlidFlake, Self::RonUid];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Scru160 => Scru160::NAME,
            Self::Euid => Euid::NAME,
            Self::UlidFlake => UlidFlake::NAME,
            Self::RonUid => RonUid::NAME,
        }
    }

    /// Whether the text is an ID.
    pub(crate) fn check(self, text: &[u8]) -> Result<(), ParseError> {
        match self {
            Self::Scru160 => Scru160::parse_ascii(text).map(drop),
            Self::Euid => Euid::parse_ascii(text).map(drop),
            Self::UlidFlake => UlidFlake::parse_ascii(text).map(drop),
            Self::RonUid => RonUid::parse_ascii(text).map(drop),
        }
    }

    pub(crate) fn read(self, text: &[u8], options: ReadOptions) -> Result<Reading, ParseError> {
        match self {
            Self::Scru160 => Scru160::parse_ascii(text).map(|id| id.reading(options)),
            Self::Euid => Euid::parse_with_check(text).map(|(id, check)| euid::reading(id, check)),
            Self::UlidFlake if options.scalable => {
                ScalableUlidFlake::parse_ascii(text).map(|id| id.reading(options))
            }
            Self::UlidFlake => UlidFlake::parse_ascii(text).map(|id| id.reading(options)),
            Self::RonUid => RonUid::parse_ascii(text).map(|id| id.reading(options)),
        }
    }
}

/// What an ID does not say, and whoever shows it has to know.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadOptions {
    pub(crate) no_check: bool,
    pub(crate) replica_scheme: Option<ReplicaScheme>,
    pub(crate) scalable: bool,
    pub(crate) epoch: Epoch,
}

/// What the program needs of an ID.
pub(crate) trait Id: Copy + AsRef<[u8]> {
    const NAME: &'static str;

    /// To fill a buffer with, before IDs are generated into it.
    const PLACEHOLDER: Self;

    fn push_text(&self, options: ReadOptions, out: &mut Vec<u8>);

    /// `None` where no integer type holds the ID.
    fn int(&self) -> Option<u128>;

    fn reading(&self, options: ReadOptions) -> Reading;
}
