use crate::args::Format;
use datafusion::{
    arrow::{
        csv,
        json::{WriterBuilder, writer::LineDelimited},
        util::pretty::pretty_format_batches_with_schema,
    },
    dataframe::DataFrame,
    error::Result,
};
use futures::TryStreamExt;
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Prints a result to standard output.
pub(crate) async fn print(frame: DataFrame, format: Format) -> Result<()> {
    let mut output = io::BufWriter::new(Output(io::stdout()));
    match format {
        Format::Table => {
            let schema = Arc::clone(frame.schema().inner());
            let batches = frame.collect().await?;
            writeln!(output, "{}", pretty_format_batches_with_schema(schema, &batches)?)?;
        }
        Format::Csv => {
            // The header is written even if there are no rows.
            let empty = datafusion::arrow::array::RecordBatch::new_empty(Arc::clone(frame.schema().inner()));
            let mut writer = csv::Writer::new(&mut output);
            writer.write(&empty)?;
            let mut batches = frame.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                writer.write(&batch)?;
            }
        }
        Format::Json => {
            // A member that is NULL is in the object, as in the objects of `sortid ledger verify --json`.
            let mut writer =
                WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(&mut output);
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

/// Standard output. The process ends without an error when the reader, such as `head`, closes it.
struct Output(io::Stdout);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(end_if_closed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(end_if_closed)
    }
}

fn end_if_closed(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    error
}
