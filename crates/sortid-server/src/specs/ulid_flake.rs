use super::{Joining, Maker, Parameters, join};
use crate::{
    problem::Problem,
    query::{EPOCH, INSPECT_SCALABLE, Query, SCALABLE},
    series::{AnySeries, Series},
};
use sortid::ulid_flake::Options;
use sortid_fleet::{Generator, Node};
use sortid_inspect::Options as DescribeOptions;
use std::sync::Arc;

pub(super) const PARAMETERS: Parameters =
    Parameters { make: &[SCALABLE], inspect: &[INSPECT_SCALABLE, EPOCH], range: &[EPOCH] };

pub(super) struct UlidFlakes(Arc<Series<Generator<Options>>>);

pub(super) fn maker() -> UlidFlakes {
    UlidFlakes(Arc::new(Series::without_generator()))
}

impl Maker for UlidFlakes {
    fn series(&self, query: &Query) -> Result<(Arc<dyn AnySeries>, DescribeOptions), Problem> {
        if query.flag(SCALABLE)? == Some(false) {
            return Err(Problem::parameter(
                "scalable: expected true or no parameter, found \"false\": servers can repeat IDs that have no node ID",
            ));
        }
        Ok((Arc::clone(&self.0) as _, DescribeOptions { scalable: true, ..DescribeOptions::default() }))
    }

    fn watched(&self) -> Vec<Arc<dyn AnySeries>> {
        vec![Arc::clone(&self.0) as _]
    }

    fn needs_node(&self) -> bool {
        true
    }

    fn join<'a>(&'a self, node: &'a Node) -> Joining<'a> {
        Box::pin(join(&self.0, node, Options::new()))
    }

    fn leave(&self, why: &str) {
        self.0.end(why);
    }
}
