"""Times of functions for a million rows, beside a copy of the column, other kinds of columns, expressions of polars, and the
macros for DuckDB.

Run it with an installed release build: ``python benches/columns.py``. All figures are of one run, the least of several
repetitions. A ratio of 2 to a copy means that the function takes twice as long as a copy of its column.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sortid import Euid, EventId, RonUid, Scru160, UlidFlake, columns

# Type checkers do not know these modules, or the namespaces that `sortid.polars` adds.
duckdb: Any = importlib.import_module("duckdb")
pa: Any = importlib.import_module("pyarrow")
pd: Any = importlib.import_module("pandas")
pl: Any = importlib.import_module("polars")
importlib.import_module("sortid.polars")

ROWS = 1_000_000
ROOT = Path(__file__).resolve().parents[3]
CROCKFORD = dict(zip("JKMNPQRSTVWXYZILO", "IJKLMNOPQRSTUV110", strict=True))


def measure(call: Callable[[], Any], at_least: float = 0.3) -> float:
    """The least time of a call in milliseconds."""
    best, begin = float("inf"), time.perf_counter()
    while time.perf_counter() - begin < at_least:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def copy(array: Any) -> float:
    """The time of a copy of the values of an array."""
    data = np.frombuffer(array.buffers()[-1], "u1")
    return measure(lambda: data.copy())


def ids(id_type: Any) -> Any:
    options: dict[Any, dict[str, Any]] = {RonUid: {"origin": "alice"}, EventId: {"ledger_id": 7}}
    # Two rows for each millisecond, from 2024.
    times = pa.array(np.arange(ROWS) // 2 + 1_717_653_966_666).cast(pa.timestamp("ms", "UTC"))
    return columns.backfill(id_type, times, **options.get(id_type, {}))


def show(name: str, took: float, *others: tuple[str, float]) -> None:
    ratios = "".join(f"  {took / other:6.2f} × {what} ({other:.2f} ms)" for what, other in others)
    print(f"{name:44}{took:9.2f} ms{ratios}")


def specification(id_type: Any) -> None:
    array = ids(id_type)
    texts, times = columns.text(id_type, array), columns.time(id_type, array)
    name = id_type.__name__
    of_ids, of_texts = ("copy", copy(array)), ("copy of the texts", copy(texts))
    show(f"{name} time", measure(lambda: columns.time(id_type, array)), of_ids)
    show(f"{name} text", measure(lambda: columns.text(id_type, array)), of_texts)
    show(f"{name} parse", measure(lambda: columns.parse(id_type, texts)), of_texts)
    show(f"{name} is_valid", measure(lambda: columns.is_valid(id_type, texts)), of_texts)
    show(f"{name} fields", measure(lambda: columns.fields(id_type, array)), of_ids)
    show(f"{name} min_at", measure(lambda: columns.min_at(id_type, times)), of_ids)
    if id_type not in (RonUid, EventId):
        show(f"{name} generate", measure(lambda: columns.generate(id_type, ROWS)), of_ids)


def kinds() -> None:
    """Each function for each kind of column, beside pyarrow. Only lists and `object` have no memory of Arrow or NumPy."""

    def arrow(array: Any) -> Any:
        return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([array])))

    ids_of, times_of = ids(Euid), columns.time(Euid, ids(Euid))
    texts_of = columns.text(Euid, ids_of)
    uuids = pa.array([str(id.uuid) for id in columns.parse(Euid, Stream(ids_of))])
    naive = times_of.cast(pa.timestamp("ms"))
    some = {
        "IDs": {
            "pyarrow": ids_of,
            "pyarrow binary": ids_of.cast(pa.binary()),
            "pyarrow binary_view": ids_of.cast(pa.binary()).cast(pa.binary_view()),
            "polars": pl.Series(ids_of),
            "pandas fixed_size_binary": arrow(ids_of),
            "pandas binary": arrow(ids_of.cast(pa.binary())),
            "pandas object": pd.Series(ids_of.to_pylist(), dtype=object),
            "NumPy V16": np.frombuffer(ids_of.buffers()[1], "V16"),
            "list": ids_of.to_pylist(),
        },
        "texts": {
            "pyarrow": texts_of,
            "pyarrow string_view": texts_of.cast(pa.string_view()),
            "pyarrow UUIDs": uuids,
            "polars": pl.Series(texts_of),
            "pandas str": pd.Series(texts_of.to_pylist(), dtype="str"),
            "pandas string": arrow(texts_of),
            "pandas category": pd.Series(texts_of.to_pylist(), dtype="category"),
            "pandas object": pd.Series(texts_of.to_pylist(), dtype=object),
            "NumPy U27": np.array(texts_of.to_pylist()),
            "list": texts_of.to_pylist(),
        },
        "times": {
            "pyarrow": times_of,
            "polars": pl.Series(times_of),
            "pandas timestamp": arrow(times_of),
            "pandas datetime64": naive.to_pandas(),
            "pandas datetime64, UTC": times_of.to_pandas(),
            "pandas object": pd.Series(times_of.to_pylist(), dtype=object),
            "NumPy M8": naive.to_numpy(zero_copy_only=False),
            "list": times_of.to_pylist(),
        },
    }
    reads: dict[str, Any] = {
        "time": columns.time,
        "text": columns.text,
        "field": lambda id_type, column: columns.field(id_type, column, "check"),
        "fields": columns.fields,
        "parse": columns.parse,
        "try_parse": columns.try_parse,
        "is_valid": columns.is_valid,
    }
    makes: dict[str, Any] = {"min_at": columns.min_at, "max_at": columns.max_at, "backfill": columns.backfill}
    for of, forms in some.items():
        for name, function in (makes if of == "times" else reads).items():
            pyarrow = measure(partial(function, Euid, forms["pyarrow"]))
            for kind, column in forms.items():
                if of == "IDs" and kind == "NumPy V16" and "parse" in name:
                    continue
                show(f"{name} of {of}, {kind}", measure(partial(function, Euid, column)), ("pyarrow", pyarrow))


class Stream:
    """A column of no known library, whose IDs become objects."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
        return self.array.__arrow_c_array__(requested_schema)


def digits_of_polars() -> Any:
    """The time of the text of an EUID, in expressions of polars alone."""
    digits = pl.col("id").str.to_uppercase().str.extract("^([0-9A-TV-Z]{9})[0-9A-TV-Z]{18}$")
    number = digits.str.replace_many(CROCKFORD).str.to_integer(base=32)
    return pl.from_epoch(number, "ms").dt.replace_time_zone("UTC")


def arrow_of(db: Any, query: str) -> Any:
    return db.sql(query).to_arrow_table()


def others() -> None:
    array = ids(Euid)
    texts = columns.text(Euid, array)
    frame = pl.DataFrame({"id": pl.Series(texts)})
    binary = pl.DataFrame({"id": pl.Series(array)})
    expected = frame.select(digits_of_polars())["id"]
    assert frame.select(pl.col("id").euid.time())["id"].equals(expected)
    polars = ("polars alone", measure(lambda: frame.select(digits_of_polars())))
    show("polars: time of texts", measure(lambda: frame.select(pl.col("id").euid.time())), polars)
    show("polars: time of bytes", measure(lambda: binary.select(pl.col("id").euid.time())))

    db = duckdb.connect()
    db.execute("SET threads = 1")
    db.execute((ROOT / "crates/sortid-sql/sql/duckdb.sql").read_text())
    table = pa.table({"id": array.cast(pa.binary()), "text": texts})
    db.register("orders_of_arrow", table)
    db.execute("CREATE TABLE orders AS SELECT * FROM orders_of_arrow")
    for name, query, call in (
        ("time of bytes", "euid_time(id)", lambda: columns.time(Euid, array)),
        ("time of texts", "euid_text_time(text)", lambda: columns.time(Euid, texts)),
        ("text", "euid_text(id)", lambda: columns.text(Euid, array)),
        ("parse", "euid_parse(text)", lambda: columns.parse(Euid, texts)),
    ):
        macro = measure(partial(arrow_of, db, f"SELECT {query} AS result FROM orders"))
        show(f"DuckDB: {name}", measure(call), ("the macro, 1 thread", macro))

    dictionary = texts[:1000].dictionary_encode().take(pa.array(np.random.default_rng(1).integers(0, 1000, ROWS)))
    show(
        "1000 categories: time",
        measure(lambda: columns.time(Euid, dictionary)),
        ("copy of the keys", copy(dictionary.indices)),
    )
    show("1000 categories: fields", measure(lambda: columns.fields(Euid, dictionary)))
    values = np.frombuffer(array.buffers()[1], "V16")
    strings = np.array(texts.to_pylist())
    show("NumPy V16: time", measure(lambda: columns.time(Euid, values)), ("copy", copy(array)))
    show("NumPy U27: parse", measure(lambda: columns.parse(Euid, strings)))
    listed = texts.to_pylist()
    show("list of str: time", measure(lambda: columns.time(Euid, listed)))
    few = texts[:1000]
    show("1000 rows: time of texts", measure(lambda: columns.time(Euid, few)))
    show("the class, row by row: time", measure(lambda: [Euid(text).time for text in listed], 1.0))


if __name__ == "__main__":
    print(f"{ROWS} rows")
    for id_type in (Scru160, Euid, UlidFlake, RonUid, EventId):
        specification(id_type)
    kinds()
    others()
