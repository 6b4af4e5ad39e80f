//! How each database writes types, literals and comparisons. All samples are text in their tables; expressions turn them into
//! the types of the functions and back.

use super::Engine;
use crate::subject::{Kind, Subject, Value, hex};

/// The greatest time in microseconds since 1970 that fits the type of times.
const LAST_OF_POSTGRES: i128 = 9_224_318_015_999_999_999;
const LAST_OF_FOUR_DIGITS: i128 = 253_402_300_799_999_999;
const LAST_OF_DUCKDB: i128 = i64::MAX as i128 - 1;
const LAST_OF_CLICKHOUSE: i128 = 10_413_791_999_999_999;

/// 0001-01-01, 1000-01-01 and 1900-01-01.
const FIRST_OF_FOUR_DIGITS: i128 = -62_135_596_800_000_000;
const FIRST_OF_MYSQL: i128 = -30_610_224_000_000_000;
const FIRST_OF_CLICKHOUSE: i128 = -2_208_988_800_000_000;

/// What a database has to answer.
#[derive(Debug, PartialEq)]
pub(crate) enum Expected {
    /// A value, as [`Engine::shown`] writes it; or NULL.
    Is(Option<String>),
    Error,
}

impl Engine {
    /// The type of the column of IDs.
    pub(crate) fn id_type(self, subject: &Subject) -> &'static str {
        match self {
            Self::Postgres if subject.is_int() => "bigint",
            Self::Postgres if subject.is_uuid() => "uuid",
            Self::Postgres => "bytea",
            Self::Mysql if subject.is_int() => "BIGINT",
            Self::Mysql if subject.bytes() == 20 => "BINARY(20)",
            Self::Mysql => "BINARY(16)",
            Self::Sqlite if subject.is_int() => "INTEGER",
            Self::Sqlite => "BLOB",
            Self::Duckdb if subject.is_int() => "BIGINT",
            Self::Duckdb if subject.is_uuid() => "UUID",
            Self::Duckdb => "BLOB",
            Self::Clickhouse if subject.is_int() => "Int64",
            Self::Clickhouse if subject.bytes() == 20 => "FixedString(20)",
            Self::Clickhouse => "FixedString(16)",
        }
    }

    /// The ID whose text, as [`Subject::shown`] writes it, is an expression.
    pub(crate) fn id(self, subject: &Subject, text: &str) -> String {
        let ty = self.id_type(subject);
        match self {
            Self::Postgres if subject.is_int() || subject.is_uuid() => format!("({text})::{ty}"),
            Self::Postgres => format!("decode({text}, 'hex')"),
            Self::Mysql if subject.is_int() => format!("CAST({text} AS SIGNED)"),
            Self::Mysql => format!("UNHEX({text})"),
            Self::Sqlite if subject.is_int() => format!("CAST({text} AS INTEGER)"),
            Self::Sqlite => format!("unhex({text})"),
            Self::Duckdb if subject.is_int() || subject.is_uuid() => format!("({text})::{ty}"),
            Self::Duckdb => format!("unhex({text})"),
            Self::Clickhouse if subject.is_int() => format!("toInt64(assumeNotNull({text}))"),
            Self::Clickhouse => {
                format!("toFixedString(unhex(assumeNotNull({text})), {})", subject.bytes())
            }
        }
    }

    /// These bytes as an ID, even if the length is wrong. `None` if the type of IDs cannot have them.
    pub(crate) fn id_literal(self, subject: &Subject, id: &[u8]) -> Option<String> {
        let text = format!("'{}'", subject.shown(id));
        let fits = id.len() == subject.bytes();
        Some(match self {
            _ if subject.is_int() && !fits => return None,
            Self::Postgres | Self::Duckdb if subject.is_uuid() && !fits => return None,
            Self::Clickhouse if !fits => format!("unhex({text})"),
            Self::Sqlite if !subject.is_int() => format!("x{text}"),
            // A literal of 2^63 would be another type.
            Self::Sqlite => format!("CAST({text} AS INTEGER)"),
            _ => self.id(subject, &text),
        })
    }

    /// The text that has these bytes of UTF-8, as an expression.
    pub(crate) fn text_of_hex(self, hex: &str) -> String {
        match self {
            Self::Postgres => format!("convert_from(decode({hex}, 'hex'), 'UTF8')"),
            Self::Mysql => format!("CONVERT(UNHEX({hex}) USING utf8mb4)"),
            Self::Sqlite => format!("CAST(unhex({hex}) AS TEXT)"),
            Self::Duckdb => format!("decode(unhex({hex}))"),
            Self::Clickhouse => format!("unhex(assumeNotNull({hex}))"),
        }
    }

    pub(crate) fn text_literal(self, text: &str) -> String {
        match self {
            Self::Sqlite => format!("CAST(x'{}' AS TEXT)", hex(text.as_bytes())),
            Self::Mysql => format!("_utf8mb4 X'{}'", hex(text.as_bytes())),
            Self::Clickhouse => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            _ => format!("'{}'", text.replace('\'', "''")),
        }
    }

    /// The time whose text, as [`civil`] writes it, is an expression.
    pub(crate) fn time(self, text: &str) -> String {
        match self {
            Self::Postgres => format!("({text} || '+00')::timestamptz"),
            Self::Mysql => format!("CAST({text} AS DATETIME(6))"),
            Self::Sqlite => text.to_owned(),
            Self::Duckdb => format!("({text} || '+00')::TIMESTAMPTZ"),
            Self::Clickhouse => format!("toDateTime64(assumeNotNull({text}), 6, 'UTC')"),
        }
    }

    /// The greatest time of an ID that functions have to know, in microseconds since 1970. PostgreSQL's type of times has 30
    /// years more than 2^63 microseconds.
    pub(crate) fn last_time(self) -> i128 {
        match self {
            Self::Postgres => i64::MAX.into(),
            Self::Duckdb => LAST_OF_DUCKDB,
            Self::Mysql | Self::Sqlite => LAST_OF_FOUR_DIGITS,
            Self::Clickhouse => LAST_OF_CLICKHOUSE,
        }
    }

    /// Whether a query of EUIDs or Event IDs and UUIDs of version 7 names two ranges, because a function of both cannot use
    /// an index, or there are no functions.
    pub(crate) const fn has_uuid7_min_at(self) -> bool {
        matches!(self, Self::Mysql | Self::Sqlite)
    }

    /// The times that fit the type of times, in microseconds since 1970.
    pub(crate) fn has_time(self, micros: i128) -> bool {
        let (first, last) = match self {
            Self::Postgres => (FIRST_OF_FOUR_DIGITS, LAST_OF_POSTGRES),
            Self::Mysql => (FIRST_OF_MYSQL, LAST_OF_FOUR_DIGITS),
            Self::Sqlite => (FIRST_OF_FOUR_DIGITS, LAST_OF_FOUR_DIGITS),
            Self::Duckdb => (FIRST_OF_FOUR_DIGITS, LAST_OF_DUCKDB),
            Self::Clickhouse => (FIRST_OF_CLICKHOUSE, LAST_OF_CLICKHOUSE),
        };
        (first..=last).contains(&micros)
    }

    /// The value as text: an integer, a time in microseconds since 1970, hex, `true` or `false`.
    pub(crate) fn shown(self, subject: &Subject, kind: Kind, value: &str) -> String {
        let is_uuid = kind == Kind::Id && subject.is_uuid();
        let is_int = kind == Kind::Int || kind == Kind::Id && subject.is_int();
        match (self, kind) {
            (Self::Sqlite, _) => {
                let (ty, text) = match kind {
                    Kind::Time | Kind::Text => ("text", value.to_owned()),
                    _ if is_int => ("integer", format!("CAST({value} AS TEXT)")),
                    Kind::Bool => {
                        ("integer", format!("CASE {value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"))
                    }
                    _ => ("blob", format!("lower(hex({value}))")),
                };
                format!(
                    "CASE typeof({value}) WHEN 'null' THEN NULL WHEN '{ty}' THEN {text} ELSE 'a ' || typeof({value}) END"
                )
            }
            // `extract(epoch FROM time)` is rounded after 2^63 microseconds, and the difference from 1970 does not fit.
            (Self::Postgres, Kind::Time) => format!(
                "((extract(epoch FROM {value} - timestamptz '2000-01-01 00:00:00+00') * 1000000)::numeric(20) \
                 + 946684800000000)::text"
            ),
            (Self::Postgres, Kind::Text) => value.to_owned(),
            (Self::Postgres, Kind::Bool) => format!("({value})::text"),
            (Self::Postgres, _) if is_int => format!("({value})::text"),
            (Self::Postgres, _) if is_uuid => format!("replace(({value})::text, '-', '')"),
            (Self::Postgres, _) => format!("encode({value}, 'hex')"),
            (Self::Mysql, Kind::Time) => {
                format!("CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {value}) AS CHAR)")
            }
            (Self::Mysql, Kind::Text) => value.to_owned(),
            (Self::Mysql, Kind::Bool) => format!("ELT({value} + 1, 'false', 'true')"),
            (Self::Mysql, _) if is_int => format!("CAST({value} AS CHAR)"),
            // With SET NAMES binary, HEX is bytes, which have no case.
            (Self::Mysql, _) => format!("LOWER(CONVERT(HEX({value}) USING latin1))"),
            (Self::Duckdb, Kind::Time) => format!("epoch_us({value})::VARCHAR"),
            (Self::Duckdb, Kind::Text) => value.to_owned(),
            (Self::Duckdb, Kind::Bool) => format!("({value})::VARCHAR"),
            (Self::Duckdb, _) if is_int => format!("({value})::VARCHAR"),
            (Self::Duckdb, _) if is_uuid => format!("replace(({value})::VARCHAR, '-', '')"),
            (Self::Duckdb, _) => format!("lower(hex({value}))"),
            (Self::Clickhouse, Kind::Time) => {
                format!("toString(toUnixTimestamp64Micro(toDateTime64({value}, 6, 'UTC')))")
            }
            (Self::Clickhouse, Kind::Text) => format!("toString({value})"),
            (Self::Clickhouse, Kind::Bool) => format!("toString(toBool({value}))"),
            (Self::Clickhouse, _) if is_int => format!("toString({value})"),
            (Self::Clickhouse, _) => format!("lower(hex({value}))"),
        }
    }

    /// What a function has to return, as [`shown`](Self::shown) writes it.
    pub(crate) fn expected(self, subject: &Subject, value: &Value) -> Expected {
        Expected::Is(Some(match value {
            Value::Null => return Expected::Is(None),
            Value::Time(micros) if i128::from(*micros) > self.last_time() => {
                return if self == Self::Sqlite { Expected::Is(None) } else { Expected::Error };
            }
            Value::Time(micros) if self == Self::Sqlite => {
                let text = civil((*micros).into());
                text[..if subject.has_micros { 26 } else { 23 }].to_owned()
            }
            Value::Time(micros) => micros.to_string(),
            // The integers of these databases have a sign.
            Value::Int(int) if self == Self::Sqlite && i64::try_from(*int).is_err() => {
                return Expected::Is(None);
            }
            Value::Int(int) if self == Self::Postgres && i64::try_from(*int).is_err() => {
                return Expected::Error;
            }
            Value::Int(int) => int.to_string(),
            Value::Text(text) => text.clone(),
            Value::Bytes(bytes) => hex(bytes),
            Value::Bool(is_true) => is_true.to_string(),
        }))
    }

    /// Whether two texts are equal, or both NULL.
    pub(crate) fn same(self, a: &str, b: &str) -> String {
        match self {
            Self::Postgres | Self::Duckdb => format!("({a}) IS NOT DISTINCT FROM ({b})"),
            Self::Mysql => format!("CAST({a} AS BINARY) <=> CAST({b} AS BINARY)"),
            Self::Sqlite => format!("({a}) IS ({b})"),
            Self::Clickhouse => format!("ifNull({a}, '(null)') = ifNull({b}, '(null)')"),
        }
    }

    /// The number of a row, whose column is text when it is loaded.
    pub(crate) const fn number(self) -> &'static str {
        match self {
            Self::Postgres | Self::Duckdb => "CAST(n AS integer)",
            Self::Mysql => "CAST(n AS SIGNED)",
            Self::Sqlite => "CAST(n AS INTEGER)",
            Self::Clickhouse => "toInt32(assumeNotNull(n))",
        }
    }

    /// The type of a column of texts that may be NULL.
    pub(crate) const fn text_type(self) -> &'static str {
        match self {
            Self::Postgres | Self::Sqlite => "text",
            Self::Mysql => "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            Self::Duckdb => "VARCHAR",
            Self::Clickhouse => "Nullable(String)",
        }
    }

    /// The type of a column of texts that are not NULL.
    pub(crate) const fn input_type(self) -> &'static str {
        if matches!(self, Self::Clickhouse) { "String" } else { self.text_type() }
    }

    /// The type of a column of times.
    pub(crate) const fn time_type(self) -> &'static str {
        match self {
            Self::Postgres => "timestamptz",
            Self::Mysql => "DATETIME(6)",
            Self::Sqlite => "text",
            Self::Duckdb => "TIMESTAMPTZ",
            Self::Clickhouse => "DateTime64(6, 'UTC')",
        }
    }

    /// NULL of a type.
    pub(crate) fn null(self, ty: &str) -> String {
        match self {
            Self::Postgres | Self::Duckdb => format!("NULL::{ty}"),
            Self::Clickhouse => format!("CAST(NULL AS Nullable({ty}))"),
            Self::Mysql | Self::Sqlite => "NULL".to_owned(),
        }
    }

    /// What stands between `CREATE TABLE name` and `AS`.
    pub(crate) const fn storage(self) -> &'static str {
        if matches!(self, Self::Clickhouse) { " ENGINE = Memory" } else { "" }
    }
}

/// The time as `YYYY-MM-DD HH:MM:SS.ffffff`, UTC. Years above 9999 have more digits.
pub(crate) fn civil(micros: i128) -> String {
    const DAY: i128 = 86_400_000_000;
    let (day, of_day) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    // Years begin in March, so that a leap day ends them; 400 years have 146097 days, and 1970 begins 719468 days after
    // 0000-03-01.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + i128::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    let (seconds, micros) = (of_day / 1_000_000, of_day % 1_000_000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn times_have_the_digits_of_the_calendar() {
        assert_eq!(civil(0), "1970-01-01 00:00:00.000000");
        assert_eq!(civil(-1), "1969-12-31 23:59:59.999999");
        assert_eq!(civil(1_717_653_966_666_001), "2024-06-06 06:06:06.666001");
        assert_eq!(civil(951_782_400_000_000), "2000-02-29 00:00:00.000000");
        assert_eq!(civil(253_402_300_799_999_999), "9999-12-31 23:59:59.999999");
        assert_eq!(civil(9_224_318_015_999_999_999), "294276-12-31 23:59:59.999999");
    }
}
