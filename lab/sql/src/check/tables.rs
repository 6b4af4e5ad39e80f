//! The tables of the samples.

use crate::{
    Result,
    database::{Database, Engine, Expected, civil},
    samples::Samples,
    subject::{BOUNDS, Subject, TYPED_PARSE, TYPED_TEXT, UUID7_MIN_AT, Value, hex, uuid7_min_at},
};
use std::{
    fs::File,
    io::{BufWriter, Write as _},
};

/// The value in a table of a function that has to be an error.
pub(super) const ERROR: &str = "!";

/// A column: its name, its type, and the expression that makes its values of the text in the file.
struct Column {
    name: String,
    ty: &'static str,
    value: String,
}

impl Column {
    fn new(name: &str, ty: &'static str, value: String) -> Self {
        Self { name: name.to_owned(), ty, value }
    }

    /// A column of text without characters that need care.
    fn plain(engine: Engine, name: &str) -> Self {
        Self::new(name, engine.text_type(), name.to_owned())
    }
}

/// Loads the tables of a specification: `…_ids`, `…_texts`, `…_typed`, `…_moments`, and the tables of bad samples, `…_bad_…`.
///
/// The table of IDs has a column for each function of an ID, with the expected values, and the other tables have
/// columns for their functions.
pub(crate) fn load(db: &mut dyn Database, engine: Engine, subject: &Subject, samples: &Samples) -> Result {
    let prefix = subject.prefix();
    let id_column = || Column::new("id", engine.id_type(subject), engine.id(subject, "id"));
    let mut columns = vec![id_column()];
    columns.extend(subject.functions.iter().map(|(name, _)| Column::plain(engine, &format!("e_{name}"))));
    let rows = samples.ids.iter().map(|(id, values)| {
        let mut row = vec![Some(subject.shown(id))];
        row.extend(values.iter().map(|value| match engine.expected(subject, value) {
            Expected::Is(text) => text,
            Expected::Error => Some(ERROR.to_owned()),
        }));
        row
    });
    create(db, engine, &format!("{prefix}_ids"), &columns, rows)?;

    let input = || Column::new("input", engine.input_type(), engine.text_of_hex("input"));
    let columns = ["e_parse", "e_is_valid", "e_text_time"].map(|name| Column::plain(engine, name));
    let columns: Vec<_> = [input()].into_iter().chain(columns).collect();
    let rows = samples.texts.iter().map(|text| {
        let is_valid = text.id.is_some().to_string();
        let time = text.id.as_deref().and_then(|id| (subject.values)(id)).map(|values| values[0].clone());
        let time = match time.map(|time: Value| engine.expected(subject, &time)) {
            Some(Expected::Is(time)) => time,
            Some(Expected::Error) | None => Some(ERROR.to_owned()),
        };
        let id = text.id.as_deref().map(|id| subject.shown(id));
        vec![Some(hex(text.text.as_bytes())), id, Some(is_valid), time]
    });
    create(db, engine, &format!("{prefix}_texts"), &columns, rows)?;

    let prefix_column = Column::new("prefix", engine.input_type(), engine.text_of_hex("prefix"));
    let columns = [TYPED_TEXT, TYPED_PARSE].map(|name| Column::plain(engine, &format!("e_{name}")));
    let columns: Vec<_> = [prefix_column, id_column(), input()].into_iter().chain(columns).collect();
    let rows = samples.typed.iter().map(|typed| {
        let [type_prefix, text] = [typed.prefix, &typed.text].map(|text| Some(hex(text.as_bytes())));
        let parsed = typed.parsed.as_deref().map(|id| subject.shown(id));
        vec![type_prefix, Some(subject.shown(&typed.id)), text, Some(typed.text_of_id.clone()), parsed]
    });
    create(db, engine, &format!("{prefix}_typed"), &columns, rows)?;

    let mut columns = vec![Column::new("moment", engine.time_type(), engine.time("moment"))];
    columns.extend(BOUNDS.map(|name| Column::plain(engine, &format!("e_{name}"))));
    let has_uuid7 = engine.has_uuid7_min_at() && subject.is_uuid();
    columns.extend(has_uuid7.then(|| Column::plain(engine, &format!("e_{UUID7_MIN_AT}"))));
    let rows =
        samples.moments.iter().filter(|(moment, _)| engine.has_time(*moment)).map(|(moment, bounds)| {
            let mut row = vec![Some(civil(*moment))];
            row.extend(
                [0, 1].map(|i| {
                    Some(bounds.as_ref().map_or(ERROR.to_owned(), |bounds| subject.shown(&bounds[i])))
                }),
            );
            if has_uuid7 {
                let least = uuid7_min_at(*moment).filter(|_| *moment <= engine.last_time());
                row.push(Some(least.map_or(ERROR.to_owned(), |least| hex(&least))));
            }
            row
        });
    create(db, engine, &format!("{prefix}_moments"), &columns, rows)
}

fn create(
    db: &mut dyn Database,
    engine: Engine,
    table: &str,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Option<String>>>,
) -> Result {
    let path = tempfile::Builder::new().prefix(table).tempfile()?.into_temp_path();
    let mut file = BufWriter::new(File::create(&path)?);
    for (n, row) in rows.enumerate() {
        write!(file, "{n}")?;
        for value in row {
            write!(file, "\t{}", value.as_deref().unwrap_or("\\N"))?;
        }
        writeln!(file)?;
    }
    file.into_inner()?;
    let raw = format!("{table}_raw");
    let names: Vec<_> =
        ["n".to_owned()].into_iter().chain(columns.iter().map(|it| it.name.clone())).collect();
    db.load(&raw, &names, &path)?;
    let number = if engine == Engine::Clickhouse { "Int32" } else { "integer" };
    let types: String = columns.iter().map(|it| format!(", {} {}", it.name, it.ty)).collect();
    db.execute(&format!("CREATE TABLE {table} (n {number}{types}){}", engine.storage()))?;
    let values: String = columns.iter().map(|it| format!(", {}", it.value)).collect();
    db.execute(&format!("INSERT INTO {table} SELECT {}{values} FROM {raw}", engine.number()))?;
    db.execute(&format!("DROP TABLE {raw}"))?;
    if matches!(engine, Engine::Postgres | Engine::Mysql) {
        // For the texts that are tried one by one.
        db.execute(&format!("CREATE INDEX {table}_n ON {table} (n)"))?;
    }
    Ok(())
}
