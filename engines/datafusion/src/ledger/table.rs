//! `ledger_lines`: the lines of files as a table.

use super::lines::{LinesSource, SCHEMA, is_compressed};
use async_trait::async_trait;
use datafusion::{
    arrow::datatypes::SchemaRef,
    catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider},
    common::{Result, ScalarValue, plan_err},
    datasource::{
        TableType,
        listing::{FileRange, ListingTableUrl, PartitionedFile},
        physical_plan::{FileGroup, FileScanConfigBuilder},
        source::DataSourceExec,
    },
    logical_expr::Expr,
    physical_plan::ExecutionPlan,
};
use futures::TryStreamExt as _;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, path::Path};
use std::{future::ready, sync::Arc};

/// What opening a file costs, in bytes that could be read instead. So many small files are shared out evenly.
const COST_OF_OPENING: u64 = 1 << 14;

/// The table function `ledger_lines(url, …)`.
#[derive(Debug)]
pub struct LedgerLines;

impl TableFunctionImpl for LedgerLines {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let mut urls = vec![];
        for expr in args.exprs() {
            let Expr::Literal(
                ScalarValue::Utf8(Some(url))
                | ScalarValue::Utf8View(Some(url))
                | ScalarValue::LargeUtf8(Some(url)),
                _,
            ) = expr
            else {
                return plan_err!(
                    "ledger_lines: expected the paths or URLs of files as texts, found {expr}; an example is \
                     ledger_lines('ledgers/*.ndjson')"
                );
            };
            urls.push(ListingTableUrl::parse(url)?);
        }
        Ok(Arc::new(LinesTable::try_new(urls)?))
    }
}

/// The lines of files: each is a row with the columns `file`, `block`, `number` and `line`.
///
/// Each query lists the files again.
#[derive(Debug)]
pub struct LinesTable {
    urls: Vec<ListingTableUrl>,
}

impl LinesTable {
    /// Makes the table of the files at these URLs. A URL may lead to a file or a folder, or have a glob.
    ///
    /// # Errors
    ///
    /// There is no URL, or the URLs are of different object stores.
    pub fn try_new(urls: Vec<ListingTableUrl>) -> Result<Self> {
        let Some(first) = urls.first() else {
            return plan_err!("ledger_lines: expected at least one path or URL, found none");
        };
        if let Some(other) = urls.iter().find(|url| url.object_store() != first.object_store()) {
            return plan_err!(
                "ledger_lines: expected URLs of one object store, found {first} and {other}; join the tables of two with \
                 UNION ALL"
            );
        }
        Ok(Self { urls })
    }

    /// The URLs.
    #[must_use]
    pub fn urls(&self) -> &[ListingTableUrl] {
        &self.urls
    }

    /// The files in the order of their paths, each once.
    async fn files(&self, state: &dyn Session) -> Result<Vec<ObjectMeta>> {
        let mut files = vec![];
        for url in &self.urls {
            let store = state.runtime_env().object_store(url)?;
            // The listing of DataFusion leaves out subfolders and, for tables, empty files.
            let file = if url.is_collection() { None } else { head(store.as_ref(), url.prefix()).await? };
            let found: Vec<_> = match file {
                Some(file) => vec![file],
                None => {
                    let all = store.list(Some(url.prefix()));
                    all.try_filter(|file| ready(url.contains(&file.location, false))).try_collect().await?
                }
            };
            if found.is_empty() {
                return plan_err!("ledger_lines: expected at least one file at {url}, found none");
            }
            files.extend(found);
        }
        files.sort_by(|a, b| a.location.cmp(&b.location));
        files.dedup_by(|a, b| a.location == b.location);
        Ok(files)
    }
}

/// The file with this path, if there is one.
async fn head(store: &dyn ObjectStore, path: &Path) -> Result<Option<ObjectMeta>> {
    match store.head(path).await {
        Ok(file) => Ok(Some(file)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[async_trait]
impl TableProvider for LinesTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&SCHEMA)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = self.files(state).await?;
        let options = state.config_options();
        let groups = shared_out(
            files,
            options.execution.target_partitions,
            options.optimizer.repartition_file_min_size as u64,
        );
        let config = FileScanConfigBuilder::new(self.urls[0].object_store(), Arc::new(LinesSource::new()))
            .with_file_groups(groups)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// Shares the files out to at most `partitions` groups of about the same size. A file that is not compressed is cut, unless
/// all files together have less than `least` bytes.
fn shared_out(files: Vec<ObjectMeta>, partitions: usize, least: u64) -> Vec<FileGroup> {
    let total: u64 = files.iter().map(|file| file.size).sum();
    let with_opening = total + COST_OF_OPENING * files.len() as u64;
    let share = with_opening.div_ceil(partitions.max(1) as u64).max(1);
    let mut groups = vec![vec![]];
    let mut room = share;
    for file in files {
        let is_cut = total >= least && !is_compressed(&file.location);
        let size = file.size;
        let mut start = 0;
        loop {
            if room == 0 {
                groups.push(vec![]);
                room = share;
            }
            room = room.saturating_sub(COST_OF_OPENING);
            let length = if is_cut { (size - start).min(room.max(COST_OF_OPENING)) } else { size };
            let mut part = PartitionedFile::new_from_meta(file.clone());
            if length < size {
                let [start, end] = [start, start + length].map(|at| i64::try_from(at).unwrap_or(i64::MAX));
                part.range = Some(FileRange { start, end });
            }
            if let Some(group) = groups.last_mut() {
                group.push(part);
            }
            room = room.saturating_sub(length);
            start += length;
            if start >= size {
                break;
            }
        }
    }
    groups.into_iter().map(FileGroup::new).collect()
}
