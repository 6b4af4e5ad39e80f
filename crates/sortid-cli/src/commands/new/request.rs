//! What the command line asks for, whichever the specification.

use super::{given_times::GivenTimes, present::Present, reserved::Reserving};
use crate::{
    failure::Failure,
    spec::{Describe, DescribeOptions},
};
use sortid::{__Typed as Typed, __with_options as with_options, AnyOptions};

pub(super) enum Request<'a> {
    /// IDs of now, or of one given time.
    Present(Present),
    /// An ID for each time of standard input.
    GivenTimes(GivenTimes<'a>),
    /// IDs with a node ID of a fleet.
    Fleet(Reserving<'a>),
}

impl Request<'_> {
    /// The ID of an earlier run to continue after.
    pub(super) fn after<I: Describe>(&self) -> Result<Option<I>, Failure> {
        if let Self::GivenTimes(request) = self { request.after() } else { Ok(None) }
    }

    /// Whether no fleet sets the field that the option sets.
    pub(super) fn check_free(&self, option: &str, is_given: bool) -> Result<(), Failure> {
        match self {
            Self::Fleet(request) if is_given => Err(request.taken(option)),
            _ => Ok(()),
        }
    }

    /// Prints the IDs of a generator with these options.
    pub(super) fn print(
        self,
        options: impl Into<AnyOptions>,
        describe: DescribeOptions,
    ) -> Result<(), Failure> {
        let options = options.into();
        let prefix = match &self {
            Self::Present(request) | Self::Fleet(Reserving { request, .. }) => request.prefix,
            Self::GivenTimes(request) => request.prefix,
        };
        let describe = DescribeOptions { prefix, ..describe };
        match self {
            Self::Present(request) => with_options!(options, options => request.generate(options, describe)),
            Self::GivenTimes(request) => {
                with_options!(options, options => request.generate(options, describe))
            }
            Self::Fleet(request) => match options.typed() {
                Typed::Scru160(options) => request.print(options, describe),
                Typed::Euid(options) => request.print(options, describe),
                Typed::RonUid(options) => request.print(options, describe),
                Typed::UlidFlake(options) => request.print(options, describe),
                Typed::Scalable(options) => request.print(options, describe),
                Typed::EventlyId(_) => Err(request.usage(format_args!(
                    "Event IDs have no field for a node ID. A ledger has one writer at a time. To make Event IDs, {}",
                    request.url.without()
                ))),
            },
        }
    }
}
