"""Columns of polars, and its namespaces."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

pl: Any = pytest.importorskip("polars")

from rows import NAMESPACES, each, fields, some_ids, stored
from sortid import Euid, EventId, ParseError, UlidFlake, columns
from specs import EUID, TIME, OrderId

import_module("sortid.polars")


@pytest.fixture(params=NAMESPACES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_series_has_series_of_its_name(name: str) -> None:
    id_type = NAMESPACES[name]
    ids = some_ids(id_type)
    texts = pl.Series("order", each(ids, str))
    parsed = columns.parse(id_type, texts)
    assert isinstance(parsed, pl.Series)
    assert parsed.name == "order"
    assert parsed.dtype == (pl.Int64 if id_type is UlidFlake else pl.Binary)
    assert parsed.to_list() == each(ids, lambda id: id.int if id_type is UlidFlake else id.bytes)
    for series in (texts, parsed, pl.Series("order", each(ids, lambda id: id.bytes)), texts.cast(pl.Categorical)):
        times = columns.time(id_type, series)
        assert times.dtype == pl.Datetime("us" if id_type is EventId else "ms", "UTC")
        assert times.to_list() == each(ids, lambda id: id.time)
        assert columns.text(id_type, series).to_list() == each(ids, str)
        structure = columns.fields(id_type, series)
        assert structure.to_list() == each(ids, fields)
        assert getattr(series, name).fields().to_list() == structure.to_list()
    assert columns.max_at(id_type, times).to_list() == each(ids, lambda id: stored(id_type.max_at(id.time)))


def test_expressions_have_the_types_that_a_lazy_frame_knows(name: str) -> None:
    id_type = NAMESPACES[name]
    ids = some_ids(id_type)
    frame = pl.LazyFrame({"id": each(ids, str), "at": each(ids, lambda id: id.time)})
    column = getattr(pl.col("id"), name)
    expressions = {
        "time": column.time(),
        "text": column.text(),
        "parse": column.parse(),
        "try_parse": column.try_parse(),
        "is_valid": column.is_valid(),
        "fields": column.fields(),
        "min_at": getattr(pl.col("at"), name).min_at(),
        "max_at": getattr(pl.col("at"), name).max_at(),
    }
    for field in id_type.MIN.fields():
        expressions[f"field_{field}"] = column.field(field)
    lazy = frame.select(**expressions)
    schema = lazy.collect_schema()
    for engine in ("in-memory", "streaming"):
        found = lazy.collect(engine=engine)
        assert found.schema == schema
        assert found["time"].to_list() == each(ids, lambda id: id.time)
        assert found["fields"].to_list() == each(ids, fields)
        assert found["parse"].to_list() == found["try_parse"].to_list() == each(ids, stored)
        assert found["min_at"].to_list() == each(ids, lambda id: stored(id_type.min_at(id.time)))
    series = pl.Series(each(ids, str))
    for function in ("time", "text", "parse", "try_parse", "is_valid", "fields"):
        assert getattr(getattr(series, name), function)().to_list() == found[function].to_list()
    times = pl.Series(each(ids, lambda id: id.time))
    assert getattr(times, name).max_at().to_list() == found["max_at"].to_list()
    assert getattr(times, name).min_at().to_list() == found["min_at"].to_list()
    for field in id_type.MIN.fields():
        assert getattr(series, name).field(field).to_list() == found[f"field_{field}"].to_list()


def test_an_expression_is_elementwise() -> None:
    ids = [str(id) for id in columns.generate(Euid, 6)]
    frame = pl.DataFrame({"key": [1, 2, 1, 2, 1, 2], "id": ids})
    grouped = frame.group_by("key", maintain_order=True).agg(pl.col("id").euid.time().max())
    assert grouped["id"].to_list() == [Euid(ids[4]).time, Euid(ids[5]).time]
    assert frame.filter(pl.col("id").euid.time() > TIME).height == 6


def test_an_empty_frame_has_the_types() -> None:
    frame = pl.DataFrame({"id": []}, schema={"id": pl.String})
    found = frame.select(pl.col("id").euid.time(), parsed=pl.col("id").euid.parse())
    assert found.schema == {"id": pl.Datetime("ms", "UTC"), "parsed": pl.Binary}
    assert columns.time(Euid, pl.Series("x", [], dtype=pl.Null)).dtype == pl.Datetime("ms", "UTC")
    assert columns.time(Euid, pl.Series("x", [None, None])).to_list() == [None, None]


def test_chunks_and_slices() -> None:
    ids = list(columns.generate(Euid, 100))
    series = pl.concat(
        [pl.Series([id.bytes for id in ids[:30]]), pl.Series([id.bytes for id in ids[30:]])], rechunk=False
    )
    assert columns.time(Euid, series).to_list() == [id.time for id in ids]
    assert columns.text(Euid, series[25:35]).to_list() == [str(id) for id in ids[25:35]]
    wrong = pl.concat([series, pl.Series([b"abc"])], rechunk=False)
    with pytest.raises(ParseError, match="row 100: expected the 16 bytes of an EUID, found 3: 616263"):
        columns.time(Euid, wrong)


def test_a_frame_of_one_column_is_a_column() -> None:
    frame = pl.DataFrame({"id": ["1HZP2F3TARAH1VEXW8BDJPEKP44"]})
    times = columns.time(Euid, frame)
    assert (times.name, times.to_list()) == ("id", [TIME])
    with pytest.raises(TypeError, match=r"expected one column, found 2 \(id, other\): select one of them"):
        columns.time(Euid, frame.with_columns(other=1))
    with pytest.raises(TypeError, match="expected a column"):
        columns.time(Euid, frame.lazy())


def test_a_wrong_value_in_an_expression_is_an_error() -> None:
    frame = pl.DataFrame({"id": ["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID"]})
    with pytest.raises(ParseError, match='row 1: "no ID" is not the text of an EUID'):
        frame.select(pl.col("id").euid.time())
    assert frame.select(pl.col("id").euid.try_parse()).null_count().item() == 1


def test_dates_and_naive_times_are_in_utc() -> None:
    days = pl.Series([TIME.date()])
    naive = pl.Series([TIME.replace(tzinfo=None)])
    assert columns.min_at(Euid, days).to_list() == [
        Euid.min_at(TIME.replace(hour=0, minute=0, second=0, microsecond=0)).bytes
    ]
    assert columns.min_at(Euid, naive).to_list() == [Euid.min_at(TIME).bytes]
    made = columns.backfill(Euid, naive, extension=7)
    assert Euid(made[0]).extension == 7


def test_a_namespace_has_a_name_that_type_checkers_know(name: str) -> None:
    of = import_module("sortid.polars").of
    id_type = NAMESPACES[name]
    texts = pl.Series("id", each(some_ids(id_type), str))
    assert of(texts, id_type).time().equals(getattr(texts, name).time())
    assert pl.DataFrame(texts).select(of(pl.col("id"), id_type).time())["id"].equals(getattr(texts, name).time())


def test_a_class_with_a_prefix_has_a_namespace() -> None:
    of = import_module("sortid.polars").of
    frame = pl.DataFrame({"id": [f"order_{EUID}", None, str(EUID)], "at": [TIME, None, TIME]})
    orders = of(pl.col("id"), OrderId)
    lazy = frame.lazy().select(
        time=orders.try_parse().euid.time(), valid=orders.is_valid(), first=of(pl.col("at"), OrderId).min_at()
    )
    assert lazy.collect_schema() == lazy.collect().schema
    assert lazy.collect().rows() == [
        (TIME, True, Euid.min_at(TIME).bytes),
        (None, None, None),
        (None, False, Euid.min_at(TIME).bytes),
    ]
    texts = of(columns.parse(OrderId, frame["id"][:2]), OrderId).text()
    assert texts.equals(frame["id"][:2])
    with pytest.raises(ParseError, match="row 2: .* is not the text of an OrderId: the text starts with "):
        frame.select(orders.time())
    with pytest.raises(TypeError, match="expected a class of IDs"):
        of(pl.col("id"), str)
