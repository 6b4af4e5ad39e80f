use super::{Maker, Parameters, Settings};
use crate::{problem::Problem, query::Query, series::AnySeries};
use sortid_inspect::Options as DescribeOptions;
use std::convert::Infallible;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[], inspect: &[], range: &[] };

pub(super) struct EventIds;

pub(super) fn maker(_: Settings) -> Result<EventIds, Infallible> {
    Ok(EventIds)
}

impl Maker for EventIds {
    fn series(&self, _: &Query) -> Result<(&dyn AnySeries, DescribeOptions), Problem> {
        Err(Problem::not_made(
            "an Event ID has a checksum of its event and of the ledger before it, so a server that has no ledger makes none: \
             append the event to its ledger with sortid ledger append",
        ))
    }

    fn all(&self) -> Vec<&dyn AnySeries> {
        vec![]
    }
}
