"""Relations of DuckDB as columns."""

from __future__ import annotations

from typing import Any

import pytest

duckdb: Any = pytest.importorskip("duckdb")
pa: Any = pytest.importorskip("pyarrow")

from sortid import Column, Euid, ParseError, columns


@pytest.fixture
def db() -> Any:
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    return db


def test_a_relation_of_one_column_is_a_column(db: Any) -> None:
    ids = [*columns.generate(Euid, 5000), None]
    db.register("orders", pa.table({"id": pa.array([id and id.bytes for id in ids]), "n": range(len(ids))}))
    times = columns.time(Euid, db.sql("SELECT id FROM orders ORDER BY n"))
    assert isinstance(times, Column)
    assert times.to_pylist() == [id and id.time for id in ids]
    texts = columns.text(Euid, db.sql("SELECT id FROM orders ORDER BY n"))
    db.register("back", pa.table({"text": pa.array(texts)}))
    assert db.sql("SELECT count(text) FROM back").fetchall() == [(5000,)]
    with pytest.raises(TypeError, match=r"expected one column, found 2 \(id, n\): select one of them"):
        columns.time(Euid, db.sql("SELECT id, n FROM orders"))


def test_an_error_has_the_row_of_the_relation(db: Any) -> None:
    good = str(Euid.new())
    db.register("orders", pa.table({"id": [good] * 10_000 + ["no ID"]}))
    with pytest.raises(ParseError, match='row 10000: "no ID" is not the text of an EUID'):
        columns.time(Euid, db.sql("SELECT id FROM orders"))


def test_a_query_can_call_python_while_it_is_read(db: Any) -> None:
    def id_of(number: int) -> str:
        return str(Euid.MIN)

    db.create_function("id_of", id_of, ["BIGINT"], "VARCHAR")
    times = columns.time(Euid, db.sql("SELECT id_of(i) FROM range(5000) t(i)"))
    assert set(times) == {Euid.MIN.time}


def test_times_of_a_relation_have_bounds(db: Any) -> None:
    found = columns.min_at(Euid, db.sql("SELECT TIMESTAMPTZ '2024-06-01 00:00:00Z'"))
    assert str(found[0]) == "1HZ8HH500000000000000000011"
    assert columns.min_at(Euid, db.sql("SELECT DATE '2024-06-01'")).to_pylist() == found.to_pylist()
