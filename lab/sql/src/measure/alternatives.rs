//! What people write without the functions: PL/pgSQL, views, and programs that read the column.

use super::Measure;
use crate::{
    Result, check,
    database::{Database, Engine},
    subject::{IS_VALID, PARSE},
};
use sortid_sql::{Script, Spec};

/// The alternatives of a database.
pub(super) const fn titles(engine: Engine) -> &'static [&'static str] {
    match engine {
        Engine::Postgres => &["PL/pgSQL as people write it", "column read into a Rust program"],
        Engine::Mysql | Engine::Sqlite => {
            &["view", "expressions of the view", "column read into a Rust program"]
        }
        Engine::Duckdb | Engine::Clickhouse => &["column read into a Python program"],
    }
}

/// The rows a second of each alternative for a function. `None` where people have no alternative.
pub(super) fn speeds(measure: &mut Measure<'_>, name: &str) -> Result<Vec<Option<f64>>> {
    let is_common = matches!(name, "time" | "text");
    let mut speeds = vec![];
    match measure.engine {
        Engine::Postgres => speeds.push(if is_common { Some(plpgsql(measure, name)?) } else { None }),
        Engine::Mysql | Engine::Sqlite if matches!(name, PARSE | IS_VALID) => speeds.extend([None, None]),
        Engine::Mysql | Engine::Sqlite => speeds.extend(view(measure, name)?.map(Some)),
        _ => {}
    }
    speeds.push(if is_common {
        let subject = measure.subject;
        let (engine, is_time) = (measure.engine, name == "time");
        let id = if engine == Engine::Clickhouse && !subject.is_int() { "hex(id)" } else { "id" };
        Some(measure.timed(|db: &mut dyn Database, table: &str| {
            db.fetch(subject, &format!("SELECT {id} FROM {table}"), is_time)
        })?)
    } else {
        None
    });
    Ok(speeds)
}

fn plpgsql(measure: &mut Measure<'_>, name: &str) -> Result<f64> {
    let subject = measure.subject;
    let ty = measure.engine.id_type(subject);
    let (result, body) = match (subject.spec, name) {
        (Spec::Scru160, "time") => ("timestamptz", "RETURN to_timestamp(('x' || encode(substr(id, 1, 6), 'hex'))::bit(48)::bigint / 1000.0);"),
        (Spec::Euid, "time") => ("timestamptz", "RETURN to_timestamp((('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint >> 3) / 1000.0);"),
        (Spec::UlidFlake, "time") => ("timestamptz", "RETURN timestamptz '2024-01-01 00:00:00+00' + (id >> 20) * interval '1 ms';"),
        (Spec::RonUid, "time") => ("timestamptz", "DECLARE v bigint := ('x' || encode(substr(id, 1, 8), 'hex'))::bit(64)::bigint; BEGIN
            RETURN make_timestamptz((2010 + (v >> 48) / 12)::int, ((v >> 48) % 12 + 1)::int, (((v >> 42) & 63) + 1)::int,
                ((v >> 36) & 63)::int, ((v >> 30) & 63)::int, ((v >> 24) & 63) + ((v >> 12) & 4095) / 1000.0, 'UTC'); END;"),
        (Spec::EventlyId, "time") => ("timestamptz", "RETURN to_timestamp(('x' || left(replace(id::text, '-', ''), 16))::bit(64)::bigint / 1e6);"),
        (Spec::Scru160, _) => ("text", "DECLARE t text := ''; b bit(160) := ('x' || encode(id, 'hex'))::bit(160); BEGIN
            FOR i IN 0..31 LOOP t := t || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', substring(b, i * 5 + 1, 5)::bit(5)::int + 1, 1);
            END LOOP; RETURN t; END;"),
        (Spec::Euid, _) => ("text", "DECLARE t text := ''; d numeric := 0; b bit(128) := ('x' || replace(id::text, '-', ''))::bit(128);
            c bit(135); BEGIN
            FOR i IN 0..15 LOOP d := (d * 256 + substring(b, i * 8 + 1, 8)::bit(8)::int) % 127; END LOOP;
            c := b || d::int::bit(7);
            FOR i IN 0..26 LOOP t := t || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(c, i * 5 + 1, 5)::bit(5)::int + 1, 1);
            END LOOP; RETURN t; END;"),
        (Spec::UlidFlake, _) => ("text", "DECLARE t text := ''; BEGIN
            FOR i IN REVERSE 12..0 LOOP t := t || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((id >> i * 5) & 31)::int + 1, 1);
            END LOOP; RETURN t; END;"),
        (Spec::RonUid, _) => ("text", "DECLARE t text := ''; v bigint; s text := '$%-+'; BEGIN
            FOR part IN 0..1 LOOP
                v := ('x' || encode(substr(id, part * 8 + 1, 8), 'hex'))::bit(64)::bigint;
                IF part = 1 THEN t := rtrim(t, '0') || substr(s, ((v >> 60) & 3)::int + 1, 1); END IF;
                FOR i IN REVERSE 9..0 LOOP
                    t := t || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', ((v >> i * 6) & 63)::int + 1, 1);
                END LOOP;
            END LOOP; RETURN rtrim(t, '0'); END;"),
        _ => ("text", "RETURN replace(id::text, '-', '');"),
    };
    let body = if body.contains("BEGIN") { body.to_owned() } else { format!("BEGIN {body} END;") };
    let function = format!("plain_{}_{name}", subject.prefix());
    measure.db.execute(&format!(
        "CREATE FUNCTION {function}(id {ty}) RETURNS {result} LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ {body} $$"
    ))?;
    measure.expression(&format!("{function}(id)"))
}

/// The view of a column, and its own query without the view.
fn view(measure: &mut Measure<'_>, name: &str) -> Result<[f64; 2]> {
    let (subject, engine) = (measure.subject, measure.engine);
    let column = subject.name(name);
    let script = Script::new(engine.of_library()).spec(subject.spec);
    let query = |table: &str| script.column(table, "id").install();
    for table in ["all", "tenth"] {
        check::run_script(measure.db, &query(&format!("{}_{table}", subject.prefix()))?)?;
    }
    let mut count = |from: &dyn Fn(&str) -> Result<String>| {
        measure.timed(|db, table| {
            let count = format!("SELECT CAST(count({column}) AS CHAR) FROM {} AS found", from(table)?);
            Ok(db.rows(&count).map(drop)?)
        })
    };
    let of_view = count(&|table| Ok(format!("{table}_id_{}", subject.prefix())))?;
    let of_query = count(&|table| {
        let sql = query(table)?;
        let (_, select) = sql.split_once(" AS\n").ok_or("the script creates no view")?;
        Ok(format!("({})", select.trim_end().trim_end_matches(';')))
    })?;
    Ok([of_view, of_query])
}
