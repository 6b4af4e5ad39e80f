//! Reads the lines of files, or of parts of files.

// `ledger_lines` is a file source of the engine. So object stores, projections, limits and compression are the
// engine's. Ballista shares out the parts of a file source, and of no other leaf of a plan. The table cuts the files
// itself, because the engine's own cut drops empty files, and an emptied ledger would be absent from the result.

use async_compression::tokio::bufread;
use datafusion::{
    arrow::{
        array::{
            ArrayRef, BinaryViewBuilder, Int64Array, RecordBatch, RecordBatchOptions, StringViewBuilder,
        },
        buffer::Buffer,
        datatypes::{DataType, Field, Schema, SchemaRef},
    },
    common::{DataFusionError, Result, exec_err, internal_err, tree_node::TreeNodeRecursion},
    datasource::{
        listing::PartitionedFile,
        object_store::ObjectStoreUrl,
        physical_plan::{FileOpenFuture, FileOpener, FileScanConfig, FileSource},
        table_schema::TableSchema,
    },
    physical_expr::{PhysicalExpr, projection::ProjectionExprs},
    physical_plan::{apply_expression_roots, metrics::ExecutionPlanMetricsSet},
};
use datafusion_datasource::{
    boundary_stream::AlignedBoundaryStream,
    projection::{ProjectionOpener, SplitProjection},
};
use evently_ledger::LONGEST_LINE;
use futures::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use object_store::{ObjectStore, path::Path};
use std::{
    io, mem,
    sync::{Arc, LazyLock},
};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};
use tokio_util::io::{ReaderStream, StreamReader};

/// `file`, `block`, `number` and `line`.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("file", DataType::Utf8View, false),
        Field::new("block", DataType::Int64, false),
        Field::new("number", DataType::Int64, false),
        Field::new("line", DataType::BinaryView, true),
    ]))
});

/// How many bytes are read before their lines are passed on.
const READ: usize = 1 << 20;

/// The lines of files as a source of DataFusion. [`LinesTable`](crate::LinesTable) makes it, and so does the codec of a
/// cluster.
#[derive(Clone)]
pub struct LinesSource {
    schema: TableSchema,
    projection: SplitProjection,
    batch_size: usize,
    metrics: ExecutionPlanMetricsSet,
}

impl LinesSource {
    /// Makes the source of all columns.
    #[must_use]
    pub fn new() -> Self {
        let schema = TableSchema::builder(Arc::clone(&SCHEMA)).build();
        let projection = SplitProjection::unprojected(&schema);
        Self { schema, projection, batch_size: 8192, metrics: ExecutionPlanMetricsSet::new() }
    }
}

impl Default for LinesSource {
    fn default() -> Self {
        Self::new()
    }
}

impl FileSource for LinesSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let opener = LinesOpener {
            store,
            url: config.object_store_url.clone(),
            schema: Arc::new(SCHEMA.project(&self.projection.file_indices)?),
            batch_size: self.batch_size,
        };
        ProjectionOpener::try_new(self.projection.clone(), Arc::new(opener), &SCHEMA)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self { batch_size, ..self.clone() })
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(&SCHEMA, &projection);
        Ok(Some(Arc::new(Self { projection, ..self.clone() })))
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &'static str {
        "ledger_lines"
    }

    /// The table has cut the files into ranges. DataFusion would cut compressed files, and drop empty ones.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.projection.source.iter(), f)
    }
}

/// Whether the file is compressed, according to its name.
pub(crate) fn is_compressed(path: &Path) -> bool {
    compression(path).is_some()
}

fn compression(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    ["gz", "zst", "bz2", "xz"].into_iter().find(|known| extension.eq_ignore_ascii_case(known))
}

type Bytes = BoxStream<'static, io::Result<bytes::Bytes>>;

/// Decompresses all members of a file: files that were compressed apart can be concatenated. The decoders of DataFusion read
/// only the first member of zstd, bzip2 and xz.
fn decompressed(path: &Path, bytes: Bytes) -> Bytes {
    macro_rules! decoded {
        ($decoder:ident) => {{
            let mut decoder = bufread::$decoder::new(StreamReader::new(bytes));
            decoder.multiple_members(true);
            ReaderStream::with_capacity(decoder, 1 << 16).boxed()
        }};
    }
    match compression(path) {
        Some("gz") => {
            let decoder = bufread::GzipDecoder::new(StreamReader::new(bytes));
            stream::try_unfold(decoder, next_of_gzip).boxed()
        }
        Some("zst") => decoded!(ZstdDecoder),
        Some("bz2") => decoded!(BzDecoder),
        Some(_) => decoded!(XzDecoder),
        None => bytes,
    }
}

/// The next bytes of a gzip file. Zeros may follow its last member, as `gzip` allows; the decoder would refuse them.
async fn next_of_gzip<R: AsyncBufRead + Unpin>(
    mut decoder: bufread::GzipDecoder<R>,
) -> io::Result<Option<(bytes::Bytes, bufread::GzipDecoder<R>)>> {
    loop {
        let mut piece = bytes::BytesMut::with_capacity(1 << 16);
        if decoder.read_buf(&mut piece).await? > 0 {
            return Ok(Some((piece.freeze(), decoder)));
        }
        let mut source = decoder.into_inner();
        match source.fill_buf().await? {
            [] => return Ok(None),
            [0, ..] => {}
            _ => {
                decoder = bufread::GzipDecoder::new(source);
                continue;
            }
        }
        loop {
            let zeros = source.fill_buf().await?;
            if zeros.is_empty() {
                return Ok(None);
            }
            if zeros.iter().any(|&byte| byte != 0) {
                return Err(io::Error::other("something else than zeros follows the end of the gzip file"));
            }
            let count = zeros.len();
            source.consume(count);
        }
    }
}

struct LinesOpener {
    store: Arc<dyn ObjectStore>,
    url: ObjectStoreUrl,
    schema: SchemaRef,
    batch_size: usize,
}

impl FileOpener for LinesOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let store = Arc::clone(&self.store);
        let path = file.object_meta.location.clone();
        let size = file.object_meta.size;
        let (start, end) = file.range();
        let name = match self.url.as_str() {
            "file:///" => format!("/{path}"),
            url => format!("{url}{path}"),
        };
        let block = i64::try_from(start).map_err(|error| DataFusionError::External(error.into()))?;
        let columns = Columns { name, block, schema: Arc::clone(&self.schema) };
        let batch_size = self.batch_size;
        Ok(Box::pin(async move {
            if size == 0 {
                return Ok(stream::iter([columns.of_empty_file()]).boxed());
            }
            let bytes = AlignedBoundaryStream::new(store, path.clone(), start, end, size, b'\n').await?;
            let bytes = decompressed(&path, bytes.map_err(io::Error::other).boxed());
            let may_be_empty = is_compressed(&path);
            let (buffer, whole) = (vec![], Buffer::from(&[]));
            let reader = Reader { bytes, buffer, whole, at: 0, number: 0, columns, batch_size, may_be_empty };
            Ok(stream::try_unfold(reader, Reader::next).boxed())
        }))
    }
}

/// Makes the columns that the query needs.
struct Columns {
    name: String,
    block: i64,
    schema: SchemaRef,
}

impl Columns {
    fn batch(
        &self,
        rows: usize,
        numbers: i64,
        line: impl FnOnce() -> Result<ArrayRef>,
    ) -> Result<RecordBatch> {
        let mut line = Some(line);
        let mut column = |field: &Arc<Field>| -> Result<ArrayRef> {
            Ok(match field.name().as_str() {
                "file" => {
                    let mut names = StringViewBuilder::with_capacity(rows);
                    let length = u32::try_from(self.name.len())
                        .map_err(|error| DataFusionError::External(error.into()))?;
                    let block = names.append_block(Buffer::from(self.name.as_bytes()));
                    for _ in 0..rows {
                        names.try_append_view(block, 0, length)?;
                    }
                    Arc::new(names.finish())
                }
                "block" => Arc::new(Int64Array::from_value(self.block, rows)),
                "number" => Arc::new(Int64Array::from_iter_values((numbers..).take(rows))),
                _ => match line.take() {
                    Some(line) => line()?,
                    None => return internal_err!("ledger_lines has the column line twice"),
                },
            })
        };
        let columns = self.schema.fields().iter().map(&mut column).collect::<Result<_>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }

    /// A row without a line, so that the file has a group of its own in `GROUP BY file`.
    fn of_empty_file(&self) -> Result<RecordBatch> {
        self.batch(1, 0, || {
            let mut line = BinaryViewBuilder::new();
            line.append_null();
            Ok(Arc::new(line.finish()))
        })
    }
}

struct Reader {
    bytes: Bytes,
    /// What is read and not yet passed on. Its last line may not be whole.
    buffer: Vec<u8>,
    /// Whole lines. The lines from `at` on are not yet passed on.
    whole: Buffer,
    at: usize,
    /// The number of the next line.
    number: i64,
    columns: Columns,
    batch_size: usize,
    /// Whether the file has a row even if no line is read: a compressed file can be empty.
    may_be_empty: bool,
}

impl Reader {
    async fn next(mut self) -> Result<Option<(RecordBatch, Self)>> {
        if self.at == self.whole.len() {
            self.read().await?;
        }
        let rest = &self.whole[self.at..];
        if rest.is_empty() {
            let is_empty = mem::take(&mut self.may_be_empty);
            return if is_empty { Ok(Some((self.columns.of_empty_file()?, self))) } else { Ok(None) };
        }
        self.may_be_empty = false;
        // The first byte and the length of each line, without its line feed.
        let mut lines = Vec::with_capacity(self.batch_size);
        let mut start = self.at;
        for end in memchr::memchr_iter(b'\n', rest).take(self.batch_size) {
            lines.push((start, self.at + end - start));
            start = self.at + end + 1;
        }
        if lines.len() < self.batch_size && start < self.whole.len() {
            lines.push((start, self.whole.len() - start));
            start = self.whole.len();
        }
        if let Some(before) = lines.iter().position(|&(_, length)| length > LONGEST_LINE) {
            return self.too_long(self.number + before as i64);
        }
        self.at = start;
        let batch = self.columns.batch(lines.len(), self.number, || {
            let mut line = BinaryViewBuilder::with_capacity(lines.len());
            let block = line.append_block(self.whole.clone());
            for &(start, length) in &lines {
                let [start, length] = [start, length].map(u32::try_from);
                let view = start.and_then(|start| Ok((start, length?)));
                let (start, length) = view.map_err(|error| DataFusionError::External(error.into()))?;
                line.try_append_view(block, start, length)?;
            }
            Ok(Arc::new(line.finish()))
        })?;
        self.number += batch.num_rows() as i64;
        Ok(Some((batch, self)))
    }

    /// The error of a line that is too long for a ledger. `before` is the number of lines before it.
    fn too_long<T>(&self, before: i64) -> Result<T> {
        let Columns { name, block, .. } = &self.columns;
        exec_err!(
            "ledger_lines: {name}: expected lines of at most {LONGEST_LINE} bytes, found a longer one after line {before} of \
             the block at byte {block}"
        )
    }

    /// Reads whole lines, or all that is left.
    async fn read(&mut self) -> Result<()> {
        let mut searched = 0;
        let mut end = 0;
        while let Some(bytes) = self.bytes.try_next().await.map_err(|error| {
            let name = &self.columns.name;
            DataFusionError::Execution(format!("ledger_lines: {name}: the file cannot be read: {error}"))
        })? {
            self.buffer.extend_from_slice(&bytes);
            if self.buffer.len() < READ {
                continue;
            }
            if let Some(last) = memchr::memrchr(b'\n', &self.buffer[searched..]) {
                end = searched + last + 1;
                break;
            }
            searched = self.buffer.len();
            if searched > LONGEST_LINE {
                return self.too_long(self.number);
            }
        }
        let end = if end == 0 { self.buffer.len() } else { end };
        let rest = self.buffer.split_off(end);
        self.whole = Buffer::from_vec(mem::replace(&mut self.buffer, rest));
        self.at = 0;
        Ok(())
    }
}
