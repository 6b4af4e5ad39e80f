//! The specifications: a file each, with the options of `sortid new SPEC` and what they make.

mod euid;
mod evently_id;
mod ron_uid;
mod scru160;
mod ulid_flake;

use super::{given_times::GivenTimes, present::Present, reserved::Reserving};
use crate::{failure::Failure, verdict::Verdict};
use clap::Subcommand;
use sortid::{__every as every, AnyId, Spec};

/// The options of a specification.
pub(super) trait Make {
    /// Prints IDs of now, or of one given time.
    fn print(&self, request: &Present) -> Result<(), Failure>;

    /// Prints an ID for each time of standard input.
    fn print_given_times(&self, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure>;

    /// Prints IDs with a node ID of a fleet.
    fn print_reserved(&self, request: &Reserving<'_>) -> Result<(), Failure>;

    /// Whether each ID is made from the one before, so that given times have to ascend.
    fn is_chain(&self) -> bool {
        false
    }
}

/// Writes the subcommands, in the order of the help.
macro_rules! specs {
    ($($variant:ident($module:ident) $name:literal)*) => {
        #[derive(Subcommand)]
        pub(super) enum NewSpec {
            $(#[command(name = $name)] $variant($module::Args),)*
        }

        /// The names of the specifications, in the order of the help.
        pub(super) const NAMES: &[&str] = &[$($name),*];

        impl NewSpec {
            /// The subcommand, as [`Failure::Usage`] names it.
            pub(super) const fn command(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => concat!("new ", $name),)*
                }
            }

            /// The options.
            pub(super) const fn options(&self) -> &dyn Make {
                match self {
                    $(Self::$variant(args) => args,)*
                }
            }
        }

        /// Makes an ID to look at.
        pub(super) fn sample(spec: Spec) -> Result<AnyId, Failure> {
            Ok(match every::Spec::from(spec) {
                $(every::Spec::$variant => $module::sample()?.into(),)*
            })
        }
    };
}

specs! {
    Scru160(scru160) "scru160"
    Euid(euid) "euid"
    EventlyId(evently_id) "evently-id"
    RonUid(ron_uid) "ron-uid"
    UlidFlake(ulid_flake) "ulid-flake"
}
