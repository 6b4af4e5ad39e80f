//! How `ledger_lines` travels: its table from the client to the scheduler, and its scan from the scheduler to an executor.

use datafusion::{
    arrow::datatypes::SchemaRef,
    catalog::TableProvider,
    common::{DataFusionError, Result, TableReference, internal_datafusion_err},
    datasource::{
        file_format::FileFormatFactory, listing::ListingTableUrl, physical_plan::FileScanConfig,
        source::DataSourceExec,
    },
    execution::TaskContext,
    logical_expr::{AggregateUDF, Extension, HigherOrderUDF, LogicalPlan, ScalarUDF, WindowUDF},
    physical_expr::PhysicalExpr,
    physical_plan::ExecutionPlan,
};
use datafusion_physical_expr_common::physical_expr::{
    proto_decode::PhysicalExprDecodeCtx, proto_encode::PhysicalExprEncodeCtx,
};
use datafusion_proto::{
    logical_plan::LogicalExtensionCodec,
    physical_plan::{
        PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
        from_proto::parse_protobuf_file_scan_config, to_proto::serialize_file_scan_config,
    },
    protobuf::FileScanExecConf,
};
use prost::Message as _;
use sortid_datafusion::{LinesSource, LinesTable};
use std::sync::Arc;

/// What the bytes of a table or a scan of `ledger_lines` begin with. All else is for the inner codec.
const LINES: &[u8] = b"sortid ledger_lines 1\n";

/// Encodes `ledger_lines` in a logical plan, and all else by an inner codec.
#[derive(Debug)]
pub struct LogicalCodec(pub Arc<dyn LogicalExtensionCodec>);

impl LogicalExtensionCodec for LogicalCodec {
    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(lines) = table.downcast_ref::<LinesTable>() else {
            return self.0.try_encode_table_provider(name, table, bytes);
        };
        bytes.extend(LINES);
        // A URL has no line feed, and no tab.
        for url in lines.urls() {
            bytes.extend(url.as_str().as_bytes());
            bytes.push(b'\t');
            bytes.extend(url.get_glob().iter().flat_map(|glob| glob.as_str().bytes()));
            bytes.push(b'\n');
        }
        Ok(())
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let Some(urls) = bytes.strip_prefix(LINES) else {
            return self.0.try_decode_table_provider(bytes, name, schema, ctx);
        };
        let urls = str::from_utf8(urls).map_err(|error| DataFusionError::External(error.into()))?;
        let url = |line: &str| -> Result<ListingTableUrl> {
            let (url, glob) = line.split_once('\t').ok_or_else(|| {
                internal_datafusion_err!("ledger_lines: expected a URL and a tab, found {line:?}")
            })?;
            let url = ListingTableUrl::parse(url)?;
            if glob.is_empty() { Ok(url) } else { url.with_glob(glob) }
        };
        Ok(Arc::new(LinesTable::try_new(urls.lines().map(url).collect::<Result<_>>()?)?))
    }

    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], ctx: &TaskContext) -> Result<Extension> {
        self.0.try_decode(bytes, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, bytes)
    }

    fn try_decode_file_format(&self, bytes: &[u8], ctx: &TaskContext) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(bytes, ctx)
    }

    fn try_encode_file_format(&self, bytes: &mut Vec<u8>, node: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.0.try_encode_file_format(bytes, node)
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.0.try_decode_udf(name, bytes)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(function, bytes)
    }

    fn try_decode_higher_order_function(&self, name: &str, bytes: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        self.0.try_decode_higher_order_function(name, bytes)
    }

    fn try_encode_higher_order_function(&self, function: &HigherOrderUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_higher_order_function(function, bytes)
    }

    fn try_decode_udaf(&self, name: &str, bytes: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.0.try_decode_udaf(name, bytes)
    }

    fn try_encode_udaf(&self, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udaf(function, bytes)
    }

    fn try_decode_udwf(&self, name: &str, bytes: &[u8]) -> Result<Arc<WindowUDF>> {
        self.0.try_decode_udwf(name, bytes)
    }

    fn try_encode_udwf(&self, function: &WindowUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udwf(function, bytes)
    }
}

/// Encodes the scan of `ledger_lines` in a physical plan, and all else by an inner codec.
#[derive(Debug)]
pub struct PhysicalCodec(pub Arc<dyn PhysicalExtensionCodec>);

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let scan = node.downcast_ref::<DataSourceExec>();
        let scan = scan.and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>());
        let Some(scan) = scan.filter(|scan| scan.file_source().is::<LinesSource>()) else {
            return self.0.try_encode(node, bytes, converter);
        };
        bytes.extend(LINES);
        bytes.extend(serialize_file_scan_config(scan, self, converter)?.encode_to_vec());
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(scan) = bytes.strip_prefix(LINES) else {
            return self.0.try_decode(bytes, inputs, ctx, converter);
        };
        let scan = FileScanExecConf::decode(scan).map_err(|error| DataFusionError::External(error.into()))?;
        let ctx = PhysicalPlanDecodeContext::new(ctx, self);
        let source = Arc::new(LinesSource::new());
        Ok(DataSourceExec::from_data_source(parse_protobuf_file_scan_config(&scan, &ctx, converter, source)?))
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.0.try_decode_udf(name, bytes)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(function, bytes)
    }

    fn try_decode_higher_order_function(&self, name: &str, bytes: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        self.0.try_decode_higher_order_function(name, bytes)
    }

    fn try_encode_higher_order_function(&self, function: &HigherOrderUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_higher_order_function(function, bytes)
    }

    fn try_decode_expr(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        ctx: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        self.0.try_decode_expr(bytes, inputs, ctx)
    }

    fn try_encode_expr(
        &self,
        node: &Arc<dyn PhysicalExpr>,
        bytes: &mut Vec<u8>,
        ctx: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        self.0.try_encode_expr(node, bytes, ctx)
    }

    fn try_decode_udaf(&self, name: &str, bytes: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.0.try_decode_udaf(name, bytes)
    }

    fn try_encode_udaf(&self, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udaf(function, bytes)
    }

    fn try_decode_udwf(&self, name: &str, bytes: &[u8]) -> Result<Arc<WindowUDF>> {
        self.0.try_decode_udwf(name, bytes)
    }

    fn try_encode_udwf(&self, function: &WindowUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udwf(function, bytes)
    }
}
