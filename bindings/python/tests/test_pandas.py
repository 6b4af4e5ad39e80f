"""Columns of pandas, and its accessors."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

pd: Any = pytest.importorskip("pandas")

from rows import NAMESPACES, Value, attribute, bounds, each, fields, some_ids, stored
from sortid import Euid, ParseError, UlidFlake, columns
from specs import EUID, TIME, OrderId

import_module("sortid.pandas")


@pytest.fixture(params=NAMESPACES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def values(series: Any) -> list[Any]:
    return [None if value is pd.NA or value is pd.NaT else value for value in series]


def test_a_series_has_series_with_its_index_and_its_name(name: str) -> None:
    id_type = NAMESPACES[name]
    ids = some_ids(id_type)
    index = [f"row {i}" for i in range(len(ids))]
    forms = [
        pd.Series(each(ids, str)),
        pd.Series(each(ids, str), dtype=object),
        pd.Series(each(ids, str), dtype="string[pyarrow]"),
        pd.Series(each(ids, str), dtype="string[python]"),
        pd.Series(each(ids, str)).astype("category"),
        pd.Series(each(ids, lambda id: id.bytes)),
        pd.Series(ids, dtype=object),
    ]
    if id_type is UlidFlake:
        forms += [pd.Series(each(ids, stored), dtype="Int64"), pd.Series(each(ids, stored), dtype="int64[pyarrow]")]
    for series in forms:
        series.index = index
        series.name = "order"
        accessor = getattr(series, name)
        results: list[tuple[Any, Value]] = [
            (columns.time(id_type, series), attribute("time")),
            (accessor.time(), attribute("time")),
            (accessor.text(), str),
            (accessor.parse(), stored),
            (accessor.try_parse(), stored),
            (accessor.is_valid(), bool),
            *((accessor.field(field), attribute(field)) for field in id_type.MIN.fields()),
        ]
        for found, value in results:
            assert isinstance(found, pd.Series)
            assert isinstance(found.dtype, pd.ArrowDtype)
            assert (list(found.index), found.name) == (index, "order")
            assert values(found) == each(ids, value), series.dtype
        frame = accessor.fields()
        assert (list(frame.index), list(frame.columns)) == (index, list(id_type.MIN.fields()))
        missing = dict.fromkeys(id_type.MIN.fields())
        rows = [missing if id is None else fields(id) for id in ids]
        assert frame.astype(object).where(frame.notna(), None).to_dict("records") == rows
        times = accessor.time()
        assert values(getattr(times, name).max_at()) == bounds(id_type.max_at, each(ids, attribute("time")))
        assert values(getattr(times, name).min_at()) == bounds(id_type.min_at, each(ids, attribute("time")))


def test_integers_without_missing_values_are_a_numpy_array() -> None:
    ids = list(columns.generate(UlidFlake, 5))
    series = pd.Series([id.int for id in ids])
    assert series.dtype == "int64"
    assert list(columns.time(UlidFlake, series)) == [id.time for id in ids]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_each_type_have_bounds(unit: str) -> None:
    moment = TIME.replace(microsecond=0)
    naive = pd.Series([moment.replace(tzinfo=None), None]).astype(f"M8[{unit}]")
    for series in (
        naive,
        naive.dt.tz_localize("UTC"),
        naive.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        naive.astype(f"timestamp[{unit}][pyarrow]"),
        pd.Series([moment, None], dtype=object),
    ):
        assert values(columns.min_at(Euid, series)) == [Euid.min_at(moment).bytes, None]
        made = values(columns.backfill(Euid, series, extension=7))
        assert (Euid(made[0]).time, Euid(made[0]).extension, made[1]) == (moment, 7, None)


def test_an_index_is_an_index() -> None:
    ids = [str(id) for id in columns.generate(Euid, 3)]
    found = columns.time(Euid, pd.Index(ids, name="id"))
    assert isinstance(found, pd.Index)
    assert (found.name, list(found)) == ("id", [Euid(id).time for id in ids])
    times = pd.DatetimeIndex([TIME])
    assert list(columns.max_at(Euid, times)) == [Euid.max_at(TIME).bytes]


def test_a_frame_of_one_column_is_a_column() -> None:
    frame = pd.DataFrame({"id": ["1HZP2F3TARAH1VEXW8BDJPEKP44"]}, index=["a"])
    times = columns.time(Euid, frame)
    assert (times.name, times["a"]) == ("id", TIME)
    with pytest.raises(TypeError, match=r"expected one column, found 2 \(id, other\): select one of them"):
        columns.time(Euid, frame.assign(other=1))


def test_empty_and_missing() -> None:
    assert len(columns.time(Euid, pd.Series([], dtype=object))) == 0
    assert len(columns.time(Euid, pd.Series([], dtype=str))) == 0
    assert values(columns.time(Euid, pd.Series([None, float("nan"), pd.NA], dtype=object))) == [None] * 3
    with pytest.raises(ParseError, match="row 1: "):
        columns.time(Euid, pd.Series(["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID"], index=["a", "b"]))


def test_pandas_needs_no_pyarrow() -> None:
    program = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd, sortid.pandas
from sortid import Euid
ids = pd.Series(["1HZP2F3TARAH1VEXW8BDJPEKP44", None], index=["a", "b"], name="id")
times = ids.euid.time()
assert times["a"] == Euid(ids["a"]).time and times.isna()["b"], times
assert (times.name, list(times.index)) == ("id", ["a", "b"])
assert ids.euid.parse()["a"] == Euid(ids["a"])
assert times.euid.min_at()["a"] == Euid.min_at(times["a"])
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_an_accessor_has_a_name_that_type_checkers_know(name: str) -> None:
    series = pd.Series(each(some_ids(NAMESPACES[name]), str))
    accessor = import_module("sortid.pandas").of(series, NAMESPACES[name])
    assert accessor.time().equals(getattr(series, name).time())


def test_a_class_with_a_prefix_has_an_accessor() -> None:
    series = pd.Series([f"order_{EUID}", None], index=["a", "b"], name="id")
    orders = import_module("sortid.pandas").of(series, OrderId)
    assert orders.time()["a"] == TIME
    assert values(orders.is_valid()) == [True, None]
    assert orders.fields()["timestamp_ms"]["a"] == EUID.timestamp_ms
    texts = columns.text(OrderId, orders.parse())
    assert (values(texts), list(texts.index), texts.name) == ([f"order_{EUID}", None], ["a", "b"], "id")
    assert values(columns.text(OrderId, pd.Series([OrderId(EUID)]))) == [f"order_{EUID}"]
