use super::{
    UTC, documentation, error,
    kind::{Kind, Typed},
    moment, preimage, types,
};
use datafusion::{
    arrow::{
        array::ArrayRef,
        datatypes::{DataType, Field, FieldRef},
    },
    common::{Result, ScalarValue, exec_err, utils::take_function_args},
    logical_expr::{
        ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
        preimage::PreimageResult,
        simplify::SimplifyContext,
        sort_properties::{ExprProperties, SortProperties},
    },
};
use sortid_columns::arrow::{self, ArrowId};
use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// A function.
pub(super) struct Function<I: ArrowId> {
    name: String,
    kind: Kind<I>,
    signature: Signature,
    documentation: Documentation,
}

impl<I: ArrowId> Function<I> {
    pub(super) fn new(kind: Kind<I>) -> Self {
        let name = format!("{}_{}", I::PREFIX, kind.name());
        let documentation = documentation::of(&name, kind);
        Self { name, kind, signature: types::signature(kind), documentation }
    }

    /// `prefix` is that of typed IDs, which no other functions have.
    fn compute(&self, prefix: &str, array: &ArrayRef) -> Result<ArrayRef> {
        let result = match self.kind {
            Kind::Time | Kind::TextTime => arrow::times::<I>(array, UTC),
            Kind::Text => arrow::texts::<I>(array),
            Kind::Parse => arrow::parse::<I>(array),
            Kind::TryParse => arrow::try_parse::<I>(array),
            Kind::IsValid => arrow::is_valid::<I>(array),
            Kind::MinAt => return moment::bounds::<I>(&self.name, array, arrow::min_at::<I>),
            Kind::MaxAt => return moment::bounds::<I>(&self.name, array, arrow::max_at::<I>),
            Kind::Field(field) => arrow::field::<I>(array, field.read),
            Kind::Typed(typed) => {
                let one = format!("{} with the prefix {prefix:?}", arrow::one::<I>());
                let start = format!("{prefix}_");
                let texts = arrow::Typed::new(&start, &one);
                match typed {
                    Typed::Text => texts.texts::<I>(array),
                    Typed::Parse => texts.parse::<I>(array),
                    Typed::TryParse => texts.try_parse::<I>(array),
                }
            }
        };
        result.map_err(|error| error::of::<I>(&self.name, array, error))
    }
}

impl<I: ArrowId> fmt::Debug for Function<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

// The name identifies a function.
impl<I: ArrowId> PartialEq for Function<I> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<I: ArrowId> Eq for Function<I> {}

impl<I: ArrowId> Hash for Function<I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl<I: ArrowId> ScalarUDFImpl for Function<I> {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(types::coerced(self.kind, arg_types))
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        types::result(&self.name, self.kind, arg_types)
    }

    /// A prefix that is none is an error of the plan.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        if let (Kind::Typed(_), [Some(prefix), ..]) = (self.kind, args.scalar_arguments) {
            types::prefix(&self.name, prefix)?;
        }
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        Ok(Arc::new(Field::new(&self.name, self.return_type(&types)?, true)))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let prefix;
        let (prefix, arg) = if matches!(self.kind, Kind::Typed(_)) {
            let [first, arg] = take_function_args(&self.name, args.args)?;
            let ColumnarValue::Scalar(first) = first else {
                return exec_err!("{}: expected a constant prefix, found a column", self.name);
            };
            prefix = first;
            let Some(prefix) = types::prefix(&self.name, &prefix)? else {
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from(args.return_field.data_type())?));
            };
            (prefix, arg)
        } else {
            let [arg] = take_function_args(&self.name, args.args)?;
            ("", arg)
        };
        Ok(match arg {
            ColumnarValue::Array(array) => ColumnarValue::Array(self.compute(prefix, &array)?),
            ColumnarValue::Scalar(value) => {
                let result = self.compute(prefix, &value.to_array()?)?;
                ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
            }
        })
    }

    fn preimage(&self, args: &[Expr], lit_expr: &Expr, info: &SimplifyContext) -> Result<PreimageResult> {
        match self.kind {
            Kind::Time => preimage::of_time::<I>(args, lit_expr, info),
            _ => Ok(PreimageResult::None),
        }
    }

    /// Times have the order of the bytes, except times of RON UIDs. Texts of IDs may have another order.
    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        Ok(match (self.kind, inputs) {
            (Kind::Time, [id]) if preimage::is_ordered::<I>(&id.range.data_type()) => id.sort_properties,
            _ => SortProperties::Unordered,
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
