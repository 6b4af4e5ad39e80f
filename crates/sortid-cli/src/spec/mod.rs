//! The specifications, as the program sees them: one file each, with the options of `sortid new` and the reading of
//! an ID.

pub(crate) mod scru160;
pub(crate) mod ulid_flake;

use crate::reading::Reading;
use ::scru160::ParseError;
use ::ulid_flake::{Epoch, ScalableUlidFlake, UlidFlake};
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spec {
    Scru160,
    UlidFlake,
}

impl Spec {
    /// All, most likely first where a text can be several.
    pub(crate) const ALL: [Self; 2] = [Self::Scru160, Self::UlidFlake];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Scru160 => ::scru160::Scru160::NAME,
            Self::UlidFlake => UlidFlake::NAME,
        }
    }

    /// Whether the text is an ID.
    pub(crate) fn check(self, text: &[u8]) -> Result<(), ParseError> {
        match self {
            Self::Scru160 => ::scru160::Scru160::parse_ascii(text).map(drop),
            Self::UlidFlake => UlidFlake::parse_ascii(text).map(drop),
        }
    }

    pub(crate) fn read(self, text: &[u8], options: ReadOptions) -> Result<Reading, ParseError> {
        match self {
            Self::Scru160 => ::scru160::Scru160::parse_ascii(text).map(|id| id.reading(options)),
            Self::UlidFlake if options.scalable => {
                ScalableUlidFlake::parse_ascii(text).map(|id| id.reading(options))
            }
            Self::UlidFlake => UlidFlake::parse_ascii(text).map(|id| id.reading(options)),
        }
    }
}

/// What an ID does not say, and its reader has to know.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadOptions {
    pub(crate) scalable: bool,
    pub(crate) epoch: Epoch,
}

/// What the program needs of an ID.
pub(crate) trait Id: Copy {
    const NAME: &'static str;

    /// To fill a buffer with, before IDs are generated into it.
    const PLACEHOLDER: Self;

    fn push_text(&self, out: &mut Vec<u8>);

    fn bytes(&self) -> &[u8];

    /// `None` where no integer type holds the ID.
    fn int(&self) -> Option<u128>;

    fn reading(&self, options: ReadOptions) -> Reading;
}
