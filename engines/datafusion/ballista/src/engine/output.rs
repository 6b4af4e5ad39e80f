use crate::args::Format;
use datafusion::{
    arrow::{csv, json::LineDelimitedWriter, util::pretty::pretty_format_batches_with_schema},
    dataframe::DataFrame,
    error::{DataFusionError, Result},
};
use futures::TryStreamExt;
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Prints a result to standard output.
pub(crate) async fn print(frame: DataFrame, format: Format) -> Result<()> {
    let mut output = io::BufWriter::new(io::stdout());
    match format {
        Format::Table => {
            let schema = Arc::clone(frame.schema().inner());
            let batches = frame.collect().await?;
            writeln!(output, "{}", pretty_format_batches_with_schema(schema, &batches)?)?;
        }
        Format::Csv => {
            // The header is written also if there are no rows.
            let empty = datafusion::arrow::array::RecordBatch::new_empty(Arc::clone(frame.schema().inner()));
            let mut writer = csv::Writer::new(&mut output);
            writer.write(&empty)?;
            let mut batches = frame.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                writer.write(&batch)?;
            }
        }
        Format::Json => {
            let mut writer = LineDelimitedWriter::new(&mut output);
            let mut batches = frame.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                writer.write(&batch)?;
            }
            writer.finish()?;
        }
    }
    output.flush()?;
    Ok(())
}

/// Whether the reader of standard output, such as `head`, has closed it.
pub(crate) fn is_broken_pipe(error: &DataFusionError) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = source {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return true;
        }
        source = error.source();
    }
    false
}
