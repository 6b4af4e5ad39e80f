use super::{Maker, Parameters, Settings};
use crate::{
    problem::Problem,
    query::{MICROS_COUNTER, Query},
    series::{Alone, AnySeries, Series},
};
use sortid::{GenerateError, scru160::Options};
use sortid_inspect::Options as DescribeOptions;

pub(super) const PARAMETERS: Parameters = Parameters { make: &[MICROS_COUNTER], inspect: &[], range: &[] };

pub(super) struct Scru160s {
    millis: Series<Alone<Options>>,
    micros: Series<Alone<Options>>,
}

pub(super) fn maker(_: Settings) -> Result<Scru160s, GenerateError> {
    Ok(Scru160s {
        millis: Series::new(Alone::new(Options::new())?),
        micros: Series::new(Alone::new(Options::with_micros_counter())?),
    })
}

impl Maker for Scru160s {
    fn series(&self, query: &Query) -> Result<(&dyn AnySeries, DescribeOptions), Problem> {
        let is_micros = query.flag(MICROS_COUNTER)?.unwrap_or_default();
        Ok((if is_micros { &self.micros } else { &self.millis }, DescribeOptions::default()))
    }

    fn all(&self) -> Vec<&dyn AnySeries> {
        vec![&self.millis, &self.micros]
    }
}
