#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod ledger;
mod scalar;

pub use ledger::{LedgerLines, LinesSource, LinesTable, aggregate_functions};

use datafusion::{execution::context::SessionContext, logical_expr::ScalarUDF};
use std::sync::Arc;

/// Adds all functions to a session: the scalar functions, the aggregates of ledgers, and `ledger_lines`.
pub fn register_all(ctx: &SessionContext) {
    for function in scalar_functions() {
        ctx.register_udf(function.as_ref().clone());
    }
    for function in aggregate_functions() {
        ctx.register_udaf(function.as_ref().clone());
    }
    ctx.register_udtf("ledger_lines", Arc::new(LedgerLines));
}

/// The functions of a row, for the five prefixes `scru160_`, `euid_`, `ulid_flake_`, `ron_uid_` and `event_id_`:
///
/// | function | result |
/// |---|---|
/// | `PREFIX_time(id)` | the time: `Timestamp(Millisecond, "+00:00")`; of an Event ID, `Timestamp(Microsecond, "+00:00")` |
/// | `PREFIX_text(id)` | the text: `Utf8` |
/// | `PREFIX_parse(text)` | the ID of a text: `FixedSizeBinary`; a Ulid-Flake, `Int64` |
/// | `PREFIX_try_parse(text)` | the same, or NULL if the text is not an ID |
/// | `PREFIX_is_valid(text)` | whether the text is an ID: `Boolean` |
/// | `PREFIX_text_time(text)` | the time of the ID of a text: the type of `time`, which takes texts, too |
/// | `PREFIX_typed_text(prefix, id)` | the text with a prefix, as a typed ID has it: `order_1HZP…` for the prefix `order`, a constant |
/// | `PREFIX_typed_parse(prefix, text)`, `PREFIX_typed_try_parse(prefix, text)` | the ID of such a text: the type of `parse` |
/// | `PREFIX_min_at(time)`, `PREFIX_max_at(time)` | the least and the greatest ID of a time: the type of `parse` |
/// | `scru160_counter(id)` and so on | a field: the documentation of the function describes it |
///
/// An ID is a `FixedSizeBinary` of the right size, a `Binary`, a `LargeBinary`, a `BinaryView`, the `Int64` of a
/// Ulid-Flake, or a text. A time is a timestamp, a date or the text of one; without a zone, it is in UTC. A text is a
/// `Utf8`, a `LargeUtf8` or a `Utf8View`. Any of these can be the values of a dictionary.
///
/// The bounds of a query become literals, so it reads only the row groups that can have its rows:
/// `id >= euid_min_at('2024-06-01') AND id < euid_min_at('2024-07-01')`. For a column of texts in upper case, write
/// `text >= euid_text(euid_min_at('2024-06-01'))`. A comparison of `PREFIX_time(id)` with a literal becomes a comparison
/// of `id`, except for RON UIDs and texts. Values that are not IDs then raise no error.
///
/// The engine does not compare a `LargeBinary` with a `FixedSizeBinary`. It reads such columns of Parquet files as
/// `BinaryView`; in memory, write `id >= arrow_cast(euid_min_at('2024-06-01'), 'LargeBinary')`.
///
/// ```
/// use datafusion::{error::Result, prelude::SessionContext};
///
/// #[tokio::main]
/// async fn main() -> Result<()> {
///     let ctx = SessionContext::new();
///     sortid_datafusion::register_all(&ctx);
///     let query = "SELECT euid_time('1HZP2F3TARAH1VEXW8BDJPEKP44') AS time";
///     let expected = [
///         "+--------------------------+",
///         "| time                     |",
///         "+--------------------------+",
///         "| 2024-06-06T06:06:06.666Z |",
///         "+--------------------------+",
///     ];
///     datafusion::assert_batches_eq!(expected, &ctx.sql(query).await?.collect().await?);
///     Ok(())
/// }
/// ```
#[must_use]
pub fn scalar_functions() -> Vec<Arc<ScalarUDF>> {
    scalar::functions()
}
