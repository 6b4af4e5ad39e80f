//! Settings of a connection that must not change any result.

use super::Proof;
use crate::{Result, database::Engine, subject};

/// A setting: what it is, the statements that make it, and the statements that take it back.
type Setting = (&'static str, &'static [&'static str], &'static [&'static str]);

const POSTGRES: &[Setting] = &[
    ("time zone", &["SET TimeZone = 'Australia/Lord_Howe'"], &["RESET TimeZone"]),
    ("DateStyle", &["SET DateStyle = 'SQL, DMY'"], &["RESET DateStyle"]),
    ("IntervalStyle", &["SET IntervalStyle = 'sql_standard'"], &["RESET IntervalStyle"]),
    ("bytea_output", &["SET bytea_output = 'escape'"], &["RESET bytea_output"]),
    ("escapes", &["SET standard_conforming_strings = off"], &["RESET standard_conforming_strings"]),
    ("floats", &["SET extra_float_digits = -15"], &["RESET extra_float_digits"]),
    (
        // At a lower cost, the server would compile the bodies of functions that are not inlined, again in each row.
        "jit",
        &[
            "SET jit = on",
            "SET jit_above_cost = 10",
            "SET jit_inline_above_cost = 10",
            "SET jit_optimize_above_cost = 10",
        ],
        &[
            "RESET jit",
            "RESET jit_above_cost",
            "RESET jit_inline_above_cost",
            "RESET jit_optimize_above_cost",
        ],
    ),
    (
        "parallel workers",
        &[
            "SET parallel_setup_cost = 0",
            "SET parallel_tuple_cost = 0",
            "SET min_parallel_table_scan_size = 0",
            "SET max_parallel_workers_per_gather = 4",
        ],
        &[
            "RESET parallel_setup_cost",
            "RESET parallel_tuple_cost",
            "RESET min_parallel_table_scan_size",
            "RESET max_parallel_workers_per_gather",
        ],
    ),
];

const MYSQL: &[Setting] = &[
    ("time zone", &["SET time_zone = '+05:30'"], &["SET time_zone = DEFAULT"]),
    ("ANSI", &["SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'"], &["SET sql_mode = DEFAULT"]),
    ("not strict", &["SET sql_mode = ''"], &["SET sql_mode = DEFAULT"]),
    (
        "strict",
        &[
            "SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,HIGH_NOT_PRECEDENCE,NO_BACKSLASH_ESCAPES,NO_UNSIGNED_SUBTRACTION,IGNORE_SPACE,PAD_CHAR_TO_FULL_LENGTH,TIME_ROUND_FRACTIONAL,SIMULTANEOUS_ASSIGNMENT'",
        ],
        &["SET sql_mode = DEFAULT"],
    ),
    ("latin1", &["SET NAMES latin1"], &["SET NAMES utf8mb4"]),
    ("binary", &["SET NAMES binary"], &["SET NAMES utf8mb4"]),
    ("Swedish", &["SET collation_connection = 'utf8mb3_swedish_ci'"], &["SET NAMES utf8mb4"]),
];

const DUCKDB: &[Setting] = &[
    ("time zone", &["SET TimeZone = 'Australia/Lord_Howe'"], &["RESET TimeZone"]),
    ("one thread", &["SET threads = 1"], &["RESET threads"]),
    ("four threads", &["SET threads = 4"], &["RESET threads"]),
    ("no optimizer", &["PRAGMA disable_optimizer"], &["PRAGMA enable_optimizer"]),
];

const CLICKHOUSE: &[Setting] = &[
    ("time zone", &["SET session_timezone = 'Australia/Lord_Howe'"], &["SET session_timezone = ''"]),
    ("one thread", &["SET max_threads = 1"], &["SET max_threads = 2"]),
    ("small blocks", &["SET max_block_size = 7"], &["SET max_block_size = 65505"]),
    ("no compilation", &["SET compile_expressions = 0"], &["SET compile_expressions = 1"]),
    (
        "no short circuits",
        &["SET short_circuit_function_evaluation = 'disable'"],
        &["SET short_circuit_function_evaluation = 'enable'"],
    ),
];

impl Proof {
    pub(super) fn settings(&mut self) -> Result {
        self.small_tables()?;
        let settings = match self.engine {
            Engine::Postgres => POSTGRES,
            Engine::Mysql => MYSQL,
            Engine::Duckdb => DUCKDB,
            Engine::Clickhouse => CLICKHOUSE,
            Engine::Sqlite => &[],
        };
        for (label, set, reset) in settings {
            for statement in *set {
                self.db.execute(statement)?;
            }
            for subject in &*subject::ALL {
                self.compare_small(subject, "", label)?;
            }
            for statement in *reset {
                self.db.execute(statement)?;
            }
        }
        Ok(())
    }
}
