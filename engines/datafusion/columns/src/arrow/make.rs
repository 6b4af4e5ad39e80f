//! Arrays of new IDs.

use super::{ArrowId, Native, Result, dictionary::flat, moments::Moments};
use arrow_array::ArrayRef;
use sortid::BackfillError;
use sortid::UnixMicros;

/// How many IDs are taken from a generator at once. They stay in the cache.
const RUN: usize = 1024;

/// Returns an array of new IDs. `fill` fills a slice with the next ones: it calls
/// [`Generate::fill`](sortid::Generate::fill).
///
/// ```
/// use arrow_array::Array;
/// use sortid::{GenerateError, euid};
/// use sortid_columns::arrow;
///
/// let ids = arrow::generate(1000, |ids| euid::shared().fill(ids))?;
/// assert_eq!((ids.len(), ids.null_count()), (1000, 0));
/// # Ok::<(), GenerateError>(())
/// ```
///
/// # Errors
///
/// Those of `fill`.
pub fn generate<I: ArrowId, E>(
    len: usize,
    mut fill: impl FnMut(&mut [I]) -> Result<(), E>,
) -> Result<ArrayRef, E> {
    let mut run = vec![I::MIN; len.min(RUN)];
    let mut values = Vec::with_capacity(len);
    while values.len() < len {
        let rest = len - values.len();
        let run = &mut run[..rest.min(RUN)];
        fill(run)?;
        values.extend(run.iter().map(|id| id.to_value()));
    }
    Ok(I::Value::array(values, None))
}

/// Returns an ID for each time. `make` makes it: it calls the backfill of a specification.
///
/// ```
/// use arrow_array::{Array, ArrayRef, TimestampMillisecondArray};
/// use sortid::euid;
/// use sortid_columns::arrow;
/// use std::sync::Arc;
///
/// let times = TimestampMillisecondArray::from(vec![Some(1_717_653_966_666), None]);
/// let times: ArrayRef = Arc::new(times);
/// let mut backfill = euid::Backfill::default();
/// let ids = arrow::backfill::<euid::Euid>(&times, |time| backfill.generate(time))?;
/// assert_eq!((ids.len(), ids.null_count()), (2, 1));
/// # Ok::<(), arrow::Error>(())
/// ```
///
/// # Errors
///
/// `Type`; `Backfill`. The backfill continues after the IDs of the rows before the wrong one.
pub fn backfill<I: ArrowId>(
    times: &ArrayRef,
    mut make: impl FnMut(UnixMicros) -> Result<I, BackfillError>,
) -> Result<ArrayRef> {
    let times = flat(times)?;
    let times = Moments::read(&times)?;
    let values = times.each(|time| Ok(make(time).map(I::to_value)?))?;
    Ok(I::Value::array(values, times.nulls))
}
