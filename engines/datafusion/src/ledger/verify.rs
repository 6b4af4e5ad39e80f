//! The aggregates `ledger_verify`, `ledger_verify_strict`, `ledger_summary`, `ledger_summary_strict` and `ledger_join`.

use super::{
    runs::{KeyRef, Runs, SIZE_OF_RUN},
    verdict::{data_type, verdict, verdicts},
};
use datafusion::{
    arrow::{
        array::{
            Array, ArrayRef, AsArray as _, BinaryBuilder, BinaryViewArray, BooleanArray, StringViewArray,
        },
        datatypes::{DataType, Field, FieldRef, Int64Type},
    },
    common::{Result, ScalarValue, exec_err, plan_err},
    logical_expr::{
        Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, EmitTo, GroupsAccumulator, Signature,
        Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
        utils::AggregateOrderSensitivity,
    },
};
use std::sync::Arc;

/// The aggregates that verify ledgers.
#[must_use]
pub fn aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    let functions = [
        (Input::Lines { is_strict: false }, Output::Verdict),
        (Input::Lines { is_strict: true }, Output::Verdict),
        (Input::Lines { is_strict: false }, Output::Summary),
        (Input::Lines { is_strict: true }, Output::Summary),
        (Input::Summaries, Output::Verdict),
    ];
    functions
        .map(|(input, output)| Arc::new(AggregateUDF::new_from_impl(Verify::new(input, output))))
        .to_vec()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Input {
    Lines { is_strict: bool },
    Summaries,
}

impl Input {
    const fn runs(self) -> Runs {
        Runs::new(matches!(self, Self::Lines { is_strict: true }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Output {
    Verdict,
    Summary,
}

#[derive(Debug)]
struct Verify {
    input: Input,
    output: Output,
    signature: Signature,
    documentation: Documentation,
}

impl PartialEq for Verify {
    fn eq(&self, other: &Self) -> bool {
        (self.input, self.output) == (other.input, other.output)
    }
}

impl Eq for Verify {}

impl std::hash::Hash for Verify {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.input, self.output).hash(state);
    }
}

impl Verify {
    fn new(input: Input, output: Output) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        Self { input, output, signature, documentation: documentation(input, output) }
    }
}

const fn name(input: Input, output: Output) -> &'static str {
    match (input, output) {
        (Input::Lines { is_strict: false }, Output::Verdict) => "ledger_verify",
        (Input::Lines { is_strict: true }, Output::Verdict) => "ledger_verify_strict",
        (Input::Lines { is_strict: false }, Output::Summary) => "ledger_summary",
        (Input::Lines { is_strict: true }, Output::Summary) => "ledger_summary_strict",
        (Input::Summaries, _) => "ledger_join",
    }
}

fn documentation(input: Input, output: Output) -> Documentation {
    let name = name(input, output);
    let result = match output {
        Output::Verdict => {
            "a struct: valid, events, profile, genesis, ledger_id, last_event_id, faults, and first_fault with file, line, \
             kind, expected and found"
        }
        Output::Summary => "a binary value: ledger_join joins it with the summaries of the other parts",
    };
    let what = match (input, output) {
        (Input::Lines { .. }, Output::Verdict) => {
            "Verifies an Evently ledger whose lines are the rows, in the order of their positions."
        }
        (Input::Lines { .. }, Output::Summary) => {
            "Verifies a part of an Evently ledger without the lines before it."
        }
        (Input::Summaries, _) => {
            "Verifies an Evently ledger from the summaries of its parts, in the order of their positions."
        }
    };
    let strict = match input {
        Input::Lines { is_strict: true } => " Refuses members that no checksum protects.",
        _ => "",
    };
    let builder = match input {
        Input::Lines { .. } => Documentation::builder(
            datafusion::logical_expr::DocSection { label: "Ledgers", ..Default::default() },
            format!("{what}{strict} The result is {result}."),
            format!("{name}(line, [key, …] number)"),
        )
        .with_argument("line", "The line: a text or a binary value. A row whose line is NULL is ignored.")
        .with_argument(
            "key",
            "The order of the parts, such as the name of a file: texts or integers. NULL is an error.",
        )
        .with_argument(
            "number",
            "The order of the lines: an integer. Consecutive numbers need the least memory.",
        )
        .with_sql_example(format!(
            "SELECT file, {name}(line, file, block, number) FROM ledger_lines('ledgers/') GROUP BY file;"
        )),
        Input::Summaries => Documentation::builder(
            datafusion::logical_expr::DocSection { label: "Ledgers", ..Default::default() },
            format!("{what} The result is {result}."),
            "ledger_join(summary)",
        )
        .with_argument(
            "summary",
            "A result of ledger_summary or ledger_summary_strict. It has the positions.",
        ),
    };
    builder.build()
}

const fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The type to which a column is cast: texts and binary values to views, integers to `Int64`.
fn coerced(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Dictionary(_, values) => coerced(values),
        text if is_text(text) => Some(DataType::Utf8View),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Some(DataType::BinaryView),
        integer if integer.is_integer() => Some(DataType::Int64),
        DataType::Null => Some(DataType::Utf8View),
        _ => None,
    }
}

impl AggregateUDFImpl for Verify {
    fn name(&self) -> &str {
        name(self.input, self.output)
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(match self.output {
            Output::Verdict => data_type(),
            Output::Summary => DataType::Binary,
        })
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let name = self.name();
        let to: Vec<_> = types.iter().map(coerced).collect();
        let found = || types.iter().map(DataType::to_string).collect::<Vec<_>>().join(", ");
        match (self.input, to.as_slice()) {
            (Input::Summaries, [Some(DataType::BinaryView)]) => Ok(vec![DataType::BinaryView]),
            (Input::Summaries, _) => {
                plan_err!(
                    "{name}: expected a summary of ledger_summary, which is a binary value, found ({})",
                    found()
                )
            }
            (
                Input::Lines { .. },
                [Some(DataType::Utf8View | DataType::BinaryView), keys @ .., Some(DataType::Int64)],
            ) if keys.iter().all(|key| matches!(key, Some(DataType::Utf8View | DataType::Int64))) => {
                Ok(to.into_iter().flatten().collect())
            }
            (Input::Lines { .. }, _) => plan_err!(
                "{name}: expected a line (a text or a binary value), then any keys (texts or integers), then the number of \
                 the line (an integer), found ({}); an example is {name}(line, file, block, number)",
                found()
            ),
        }
    }

    fn accumulator(&self, _args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Verifying { input: self.input, output: self.output, runs: self.input.runs() }))
    }

    fn groups_accumulator_supported(&self, _args: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(VerifyingGroups { input: self.input, output: self.output, groups: vec![], runs: 0 }))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}[runs]", args.name), DataType::Binary, true))])
    }

    fn default_value(&self, _data_type: &DataType) -> Result<ScalarValue> {
        match self.output {
            Output::Verdict => verdict(Runs::new(false).found()?),
            Output::Summary => Ok(ScalarValue::Binary(None)),
        }
    }

    /// Rows have positions, so an `ORDER BY` in the call changes nothing.
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[derive(Debug)]
struct Verifying {
    input: Input,
    output: Output,
    runs: Runs,
}

/// A column of lines.
enum Lines<'a> {
    Text(&'a StringViewArray),
    Binary(&'a BinaryViewArray),
}

impl<'a> Lines<'a> {
    fn of(array: &'a ArrayRef) -> Self {
        match array.as_string_view_opt() {
            Some(text) => Self::Text(text),
            None => Self::Binary(array.as_binary_view()),
        }
    }

    fn get(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Text(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Self::Binary(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

/// The key of a row.
fn key<'a>(name: &str, column: &'a ArrayRef, row: usize) -> Result<KeyRef<'a>> {
    if column.is_null(row) {
        return exec_err!("{name}: expected a position for each line, found NULL");
    }
    Ok(match column.as_string_view_opt() {
        Some(text) => KeyRef::Text(text.value(row)),
        None => KeyRef::Number(column.as_primitive::<Int64Type>().value(row)),
    })
}

/// The columns of `ledger_verify` and `ledger_summary`: lines, keys, and numbers.
struct Rows<'a> {
    name: &'static str,
    lines: Lines<'a>,
    keys: &'a [ArrayRef],
    numbers: &'a ArrayRef,
    position: Vec<KeyRef<'a>>,
}

impl<'a> Rows<'a> {
    fn of(name: &'static str, values: &'a [ArrayRef]) -> Result<Self> {
        match values {
            [lines, keys @ .., numbers] => {
                Ok(Self { name, lines: Lines::of(lines), keys, numbers, position: vec![] })
            }
            _ => exec_err!("{name}: expected a line and a number, found {} columns", values.len()),
        }
    }

    /// Adds a row to its runs. A row without a line is ignored.
    fn push(&mut self, row: usize, runs: &mut Runs) -> Result<()> {
        let Some(line) = self.lines.get(row) else { return Ok(()) };
        self.position.clear();
        for column in self.keys {
            self.position.push(key(self.name, column, row)?);
        }
        match key(self.name, self.numbers, row)? {
            KeyRef::Number(number) => runs.push(&self.position, number, line),
            KeyRef::Text(_) => exec_err!("{}: expected the number of a line, found a text", self.name),
        }
    }
}

/// The summary in a row of a column of summaries.
fn summary(column: &ArrayRef, row: usize) -> Option<&[u8]> {
    column.is_valid(row).then(|| match column.as_binary_view_opt() {
        Some(views) => views.value(row),
        None => column.as_binary::<i32>().value(row),
    })
}

impl Accumulator for Verifying {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        if self.input == Input::Summaries {
            return self.merge_batch(values);
        }
        let mut rows = Rows::of(name(self.input, self.output), values)?;
        (0..rows.numbers.len()).try_for_each(|row| rows.push(row, &mut self.runs))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for state in states {
            for summary in (0..state.len()).filter_map(|row| summary(state, row)) {
                self.runs.append(summary)?;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Binary(Some(self.runs.bytes()?))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.output {
            Output::Verdict => verdict(self.runs.found()?),
            Output::Summary => Ok(ScalarValue::Binary(Some(self.runs.bytes()?))),
        }
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.runs.len() * SIZE_OF_RUN
    }
}

/// Verifies the ledgers of many groups at once: an accumulator for each would make arrays of one row, which are large
/// and slow to join.
#[derive(Debug)]
struct VerifyingGroups {
    input: Input,
    output: Output,
    groups: Vec<Runs>,
    /// How many runs all groups have together.
    runs: usize,
}

impl VerifyingGroups {
    fn update(
        &mut self,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
        mut push: impl FnMut(usize, &mut Runs) -> Result<()>,
    ) -> Result<()> {
        self.groups.resize(total, self.input.runs());
        for (row, &group) in groups.iter().enumerate() {
            if filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row)) {
                let runs = &mut self.groups[group];
                self.runs -= runs.len();
                let result = push(row, runs);
                self.runs += runs.len();
                result?;
            }
        }
        Ok(())
    }

    fn take(&mut self, emit_to: EmitTo) -> Vec<Runs> {
        let taken = emit_to.take_needed(&mut self.groups);
        self.runs -= taken.iter().map(Runs::len).sum::<usize>();
        taken
    }

    fn summaries(taken: Vec<Runs>) -> Result<ArrayRef> {
        let mut summaries = BinaryBuilder::new();
        for mut runs in taken {
            summaries.append_value(runs.bytes()?);
        }
        Ok(Arc::new(summaries.finish()))
    }
}

impl GroupsAccumulator for VerifyingGroups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        if self.input == Input::Summaries {
            let [summaries] = values else {
                return exec_err!("ledger_join: expected a summary, found {} columns", values.len());
            };
            return self.update(groups, filter, total, |row, runs| {
                summary(summaries, row).map_or(Ok(()), |summary| runs.append(summary))
            });
        }
        let mut rows = Rows::of(name(self.input, self.output), values)?;
        self.update(groups, filter, total, |row, runs| rows.push(row, runs))
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.update(groups, None, total, |row, runs| {
            let mut summaries = states.iter().filter_map(|state| summary(state, row));
            summaries.try_for_each(|summary| runs.append(summary))
        })
    }

    /// The state of each row as a group of its own.
    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, Array::len);
        let groups: Vec<_> = (0..rows).collect();
        let mut each = Self { input: self.input, output: self.output, groups: vec![], runs: 0 };
        GroupsAccumulator::update_batch(&mut each, values, &groups, filter, rows)?;
        each.state(EmitTo::All)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let taken = self.take(emit_to);
        match self.output {
            Output::Verdict => Ok(Arc::new(verdicts(taken.into_iter().map(|mut runs| runs.found()))?)),
            Output::Summary => Self::summaries(taken),
        }
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let taken = self.take(emit_to);
        Ok(vec![Self::summaries(taken)?])
    }

    fn size(&self) -> usize {
        self.groups.capacity() * size_of::<Runs>() + self.runs * SIZE_OF_RUN
    }
}
