use super::{Maker, Parameters, Settings};
use crate::{
    problem::Problem,
    query::{NO_CHECK, Query},
    series::{Alone, AnySeries, Series},
};
use sortid::{GenerateError, euid::Options};
use sortid_inspect::Options as DescribeOptions;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[NO_CHECK], inspect: &[], range: &[] };

pub(super) struct Euids(Series<Alone<Options>>);

pub(super) fn maker(_: Settings) -> Result<Euids, GenerateError> {
    Ok(Euids(Series::new(Alone::new(Options::new())?)))
}

impl Maker for Euids {
    fn series(&self, query: &Query) -> Result<(&dyn AnySeries, DescribeOptions), Problem> {
        let no_check = query.flag(NO_CHECK)?.unwrap_or_default();
        Ok((&self.0, DescribeOptions { no_check, ..DescribeOptions::default() }))
    }

    fn all(&self) -> Vec<&dyn AnySeries> {
        vec![&self.0]
    }
}
