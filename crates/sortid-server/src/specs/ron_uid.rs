use super::{Joining, Maker, Parameters, Settings};
use crate::{
    problem::Problem,
    query::{Query, SCHEME},
    series::{AnySeries, Series},
};
use sortid::ron_uid::Options;
use sortid_fleet::{Generator, Node};
use sortid_inspect::Options as DescribeOptions;
use std::convert::Infallible;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[], inspect: &[SCHEME], range: &[] };

pub(super) struct RonUids {
    series: Series<Generator<Options>>,
    options: Options,
}

pub(super) fn maker(settings: Settings) -> Result<RonUids, Infallible> {
    Ok(RonUids { series: Series::new(None), options: Options::new(settings.origin) })
}

impl Maker for RonUids {
    fn series(&self, _: &Query) -> Result<(&dyn AnySeries, DescribeOptions), Problem> {
        Ok((&self.series, DescribeOptions::default()))
    }

    fn all(&self) -> Vec<&dyn AnySeries> {
        vec![&self.series]
    }

    fn needs_node(&self) -> bool {
        true
    }

    fn join<'a>(&'a self, node: &'a Node) -> Joining<'a> {
        Box::pin(async {
            let ids = node.generator(self.options).map_err(|error| error.to_string())?;
            self.series.continue_with(ids).await.map_err(|error| error.to_string())
        })
    }

    fn leave(&self) {
        self.series.end();
    }
}
