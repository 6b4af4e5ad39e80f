use super::Maker;
use crate::{problem::Problem, query::Query, series::AnySeries};
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) struct EventIds;

impl Maker for EventIds {
    fn series(&self, _: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        Err(Problem::not_made(
            "the server does not make Event IDs, because each has a checksum of its event and of the ledger before it: append \
             the event to its ledger with sortid ledger append",
        ))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![]
    }
}
