"""Every function for columns equals the classes of IDs, for each kind of column."""

from __future__ import annotations

import importlib
import itertools
import random
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sortid
from rows import Value, attribute, backfill_options, bounds, each, fields, stored
from sortid import Column, Euid, EventId, ParseError, RonUid, Scru160, TypedId, UlidFlake, columns

# Type checkers do not know the module.
pa: Any = importlib.import_module("pyarrow")

ID_TYPES: list[Any] = [Scru160, Euid, UlidFlake, RonUid, EventId]
ONE_OF_EACH = [
    Scru160("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"),
    Euid("C8EE934SR007G5Q94QKKXFRFV8B"),
    UlidFlake("00CMXB6TAK4SA"),
    RonUid("1CQKneD1-X~"),
    EventId("0005cd755a43d79238c05790c0331dd8"),
]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# `datetime` ends before some IDs do.
LAST = datetime(9999, 12, 31, tzinfo=UTC)


def width(id_type: Any) -> int:
    return len(id_type.MIN.bytes)


def random_id(id_type: Any, source: random.Random) -> Any:
    """An ID whose time is a `datetime`."""
    if id_type is RonUid and source.random() < 0.5:
        names: str = "".join(source.choices("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~", k=5))
        return RonUid.from_fields(value=names, origin="orig", scheme=source.choice(["name", "hash"]))
    time = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(microseconds=source.randrange(8 * 10**15))
    low, high = id_type.min_at(time).int, id_type.max_at(time).int
    if id_type is RonUid:
        # Not every integer between two UIDs is a UID.
        return RonUid.from_fields(value=RonUid(low).value, origin="~" * source.randrange(1, 10), scheme="event")
    return id_type(source.randint(low, high))


@pytest.fixture(scope="module", params=ID_TYPES, ids=lambda id_type: str(id_type.__name__))
def id_type(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def ids(id_type: Any) -> list[Any]:
    """IDs, and a `None` for every fifth."""
    source = random.Random(42)
    ids: list[Any] = [random_id(id_type, source) for _ in range(500)]
    ids[3:20:4] = [id for id in ONE_OF_EACH if type(id) is id_type] * 5
    ids[::5] = [None] * 100
    return ids


def readers(id_type: Any) -> Iterator[tuple[Value, Value]]:
    """The functions of IDs, and what they return for an ID."""
    yield lambda column: columns.time(id_type, column), lambda id: id.time
    yield lambda column: columns.text(id_type, column), str
    yield lambda column: columns.fields(id_type, column), fields
    yield lambda column: columns.is_valid(id_type, column), lambda _: True
    for name in getattr(id_type.MIN, "id", id_type.MIN).fields():
        yield reader(id_type, name), attribute(name)


def reader(id_type: Any, name: str) -> Value:
    return lambda column: columns.field(id_type, column, name)


def arrays(id_type: Any, ids: list[Any]) -> list[Any]:
    """The IDs as arrays of each type."""
    of_bytes = each(ids, lambda id: id.bytes)
    texts = each(ids, str)
    found = [
        pa.array(of_bytes, type)
        for type in (pa.binary(width(id_type)), pa.binary(), pa.large_binary(), pa.binary_view())
    ]
    found += [pa.array(texts, type) for type in (pa.string(), pa.large_string(), pa.string_view())]
    if id_type is UlidFlake:
        found.append(pa.array(each(ids, lambda id: id.int), pa.int64()))
    found += [pa.array(of_bytes, pa.binary()).dictionary_encode(), pa.array(texts).dictionary_encode()]
    if width(id_type) == 16:
        found.append(pa.array(each(ids, lambda id: id.uuid.bytes), pa.uuid()))
    return found


def test_every_type_of_arrow_has_the_values_of_the_classes(id_type: Any, ids: list[Any]) -> None:
    for array in arrays(id_type, ids):
        for function, value in readers(id_type):
            found = function(array)
            assert isinstance(found, pa.Array), array.type
            assert found.to_pylist() == each(ids, value), array.type
        for parse in (columns.parse, columns.try_parse):
            found = parse(id_type, array)
            expected = pa.int64() if id_type is UlidFlake else pa.binary(width(id_type))
            assert found.type == (pa.uuid() if array.type == pa.uuid() else expected)
            storage = found.storage if array.type == pa.uuid() else found
            assert storage.to_pylist() == each(ids, stored), array.type


def test_slices_and_chunks_have_the_values_of_their_rows(id_type: Any, ids: list[Any]) -> None:
    for array in arrays(id_type, ids):
        chunked = pa.chunked_array([array.slice(7, 0), array.slice(3, 100), array.slice(200, 51)])
        rows = ids[3:103] + ids[200:251]
        for function, value in readers(id_type):
            assert function(array.slice(33, 217)).to_pylist() == each(ids[33:250], value)
            found = function(chunked)
            assert isinstance(found, pa.ChunkedArray)
            assert found.to_pylist() == each(rows, value)


def test_bounds_have_the_values_of_the_classes(id_type: Any) -> None:
    days = [date(2024, 6, 6), None, date(2100, 1, 1)]
    source = random.Random(7)
    base = datetime(2024, 1, 1, tzinfo=UTC)
    times = [None if i % 5 == 0 else base + timedelta(microseconds=source.randrange(7 * 10**15)) for i in range(300)]
    for function, bound in ((columns.min_at, id_type.min_at), (columns.max_at, id_type.max_at)):
        for unit, step in (("s", 10**6), ("ms", 1000), ("us", 1), ("ns", 1)):
            floor = [time and time - timedelta(microseconds=time.microsecond % step) for time in times]
            for zone in (None, "UTC", "+02:00"):
                array = pa.array(each(floor, lambda time: (time - EPOCH) // timedelta(microseconds=1)), pa.int64())
                array = pa.array(array.to_pylist(), pa.timestamp("us", zone)).cast(pa.timestamp(unit, zone))
                for found in (function(id_type, array), function(id_type, array.dictionary_encode())):
                    assert found.to_pylist() == bounds(bound, floor)
        for type in (pa.date32(), pa.date64()):
            found = function(id_type, pa.array(days, type))
            midnights = each(days, lambda day: datetime(day.year, day.month, day.day, tzinfo=UTC))
            expected = bounds(bound, midnights)
            assert found.to_pylist() == expected
        listed = function(id_type, times)
        assert isinstance(listed, Column)
        assert list(listed) == each(times, bound)


def test_empty_columns_and_columns_without_a_type(id_type: Any) -> None:
    def parse(column: Any) -> Any:
        return columns.parse(id_type, column)

    def min_at(column: Any) -> Any:
        return columns.min_at(id_type, column)

    functions = [*(function for function, _ in readers(id_type)), parse, min_at]
    for function in functions:
        nulls = function(pa.nulls(3))
        assert nulls.to_pylist() == [None] * 3
        assert function([]).to_pylist() == []
        assert function([None, None]).to_pylist() == [None, None]
        none = pa.chunked_array([], nulls.type if function is functions[-1] else pa.binary())
        if function is functions[-1]:
            none = pa.chunked_array([], pa.timestamp("us"))
        empty = function(none)
        assert isinstance(empty, pa.ChunkedArray)
        assert len(empty) == 0
        assert empty.type == nulls.type


def test_lists_have_columns(id_type: Any, ids: list[Any]) -> None:
    forms: list[Callable[[Any], Any]] = [lambda id: id, lambda id: id.bytes, str, lambda id: bytearray(id.bytes)]
    if id_type is UlidFlake:
        forms.append(lambda id: id.int)
    if width(id_type) == 16:
        forms.append(lambda id: id.uuid)
    for form in forms:
        rows = each(ids, form)
        for column in (tuple(rows), iter(rows), rows):
            found = columns.parse(id_type, column)
            assert isinstance(found, Column)
            assert found.to_pylist() == ids
        for function, value in readers(id_type):
            assert function(rows).to_pylist() == each(ids, value)
            assert function(found).to_pylist() == each(ids, value)


def test_a_column_is_a_sequence() -> None:
    texts = [f"{id}" for id in columns.generate(Euid, 100)]
    chunked = pa.chunked_array([pa.array(texts[:30]), pa.array(texts[30:])])
    column = columns.parse(Euid, Stream(chunked))
    assert isinstance(column, Column)
    assert len(column) == 100
    assert column[0] == column[-100] == Euid(texts[0])
    assert column[31] == Euid(texts[31])
    assert list(map(str, column)) == texts
    assert [str(id) for id in column[20:50]] == texts[20:50]
    assert [str(id) for id in column[-3:]] == texts[-3:]
    assert list(column[5:5]) == list(column[50:20]) == []
    for index in (100, -101, 1 << 62):
        with pytest.raises(IndexError, match="column index out of range"):
            column[index]
    with pytest.raises(ValueError, match="expected a slice with the step 1, found 2"):
        column[::2]
    with pytest.raises(TypeError):
        column["a"]  # type: ignore[call-overload]
    assert repr(column[:2]) == f"<sortid.Column of 2 Euid: Euid('{texts[0]}'), Euid('{texts[1]}')>"
    assert repr(column).endswith(", …>")
    assert repr(column[:0]) == "<sortid.Column of 0 Euid>"
    assert column.null_count == 0
    # Libraries read it as one array and as a stream.
    assert pa.array(column).to_pylist() == pa.chunked_array(column).to_pylist() == [id.bytes for id in column]
    assert pa.chunked_array(column).num_chunks == 2
    assert pa.field(column).type == pa.binary(16)


class Stream:
    """A column of no known library."""

    def __init__(self, chunked: Any) -> None:
        self.chunked = chunked

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.chunked.__arrow_c_stream__(requested_schema)


class Array:
    def __init__(self, array: Any) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
        return self.array.__arrow_c_array__(requested_schema)


def test_values_have_the_types_of_python() -> None:
    fields = columns.fields(EventId, ["0005cd755a43d79238c05790c0331dd8", None])
    assert fields[0] == EventId("0005cd755a43d79238c05790c0331dd8").fields()
    assert fields[1] is None
    assert isinstance(columns.field(Scru160, [ONE_OF_EACH[0]], "random80")[0], bytes)
    times = columns.time(Scru160, [Scru160.MAX])
    with pytest.raises(ValueError, match="before the year 10000"):
        times[0]


def test_an_error_names_the_row_the_value_and_what_was_expected() -> None:
    good, wrong = "1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3TARAH1VEXW8BDJPEKP45"
    texts = pa.array([good, None, good])
    chunked = pa.chunked_array([texts, texts, pa.array([good, wrong, "x"]), pa.array(["y"])])
    message = f'row 7: "{wrong}" is not the text of an EUID: the check is 5, expected 4'
    for function in (columns.parse, columns.time, columns.text, columns.fields):
        for column in (
            chunked,
            Stream(chunked),
            chunked.combine_chunks(),
            chunked.combine_chunks().dictionary_encode(),
            chunked.to_pylist(),
        ):
            with pytest.raises(ParseError) as caught:
                function(Euid, column)
            assert str(caught.value) == message
            assert (caught.value.row, caught.value.kind, caught.value.position) == (7, "check", None)
    cases: list[tuple[Callable[[], Any], str, str]] = [
        (
            lambda: columns.time(Scru160, [b"abc"]),
            "length",
            "row 0: expected the 20 bytes of a SCRU160, found 3: 616263",
        ),
        (
            lambda: columns.text(UlidFlake, pa.array([1, -1])),
            "overflow",
            "row 1: expected a Ulid-Flake, found -1: -1 is below the least Ulid-Flake, 0",
        ),
        (
            lambda: columns.min_at(UlidFlake, pa.array([datetime(2023, 12, 31)])),
            "overflow",
            (
                "row 0: expected a time from 2024-01-01T00:00:00.000000Z to 2302-09-27T15:10:22.207999Z, "
                "found 2023-12-31T00:00:00.000000Z"
            ),
        ),
        (
            lambda: columns.field(RonUid, [b"\0" * 16, b"\xff" * 16], "scheme"),
            "overflow",
            f"row 1: expected a RON UID, found {'ff' * 16}: 15 is above the greatest RON UID variety, 0",
        ),
    ]
    for call, kind, message in cases:
        with pytest.raises(ParseError) as caught:
            call()
        assert (str(caught.value), caught.value.kind) == (message, kind)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match="row 1: expected at most 9223372036854775807 microseconds") as late:
        columns.time(EventId, [EventId.MIN, EventId.MAX])
    assert not isinstance(late.value, ParseError)
    # The exception of one ID has no row.
    with pytest.raises(ParseError) as caught:
        Euid("x")
    assert caught.value.row is None


def test_a_wrong_type_names_what_is_accepted() -> None:
    with pytest.raises(
        TypeError, match=r"expected an EUID \(FixedSizeBinary\(16\), .*\) or its text \(.*\), found Float64"
    ):
        columns.time(Euid, pa.array([1.5]))
    with pytest.raises(TypeError, match=r"found FixedSizeBinary\(20\)"):
        columns.time(Euid, pa.array([b"0" * 20], pa.binary(20)))
    with pytest.raises(TypeError, match="found Int64"):
        columns.time(Euid, pa.array([1]))
    with pytest.raises(TypeError, match="expected a timestamp or a date, found Utf8"):
        columns.min_at(Euid, pa.array(["2024-06-06"]))
    wrong_class: Any = int
    with pytest.raises(TypeError, match="expected a class of IDs, such as sortid.Euid, found <class 'int'>"):
        columns.time(wrong_class, ["x"])
    values: list[Any] = ["1HZP2F3TARAH1VEXW8BDJPEKP44", b"x", 5, None, {"a": 1}, 1.5]
    for value in values:
        with pytest.raises(TypeError, match="expected a column"):
            columns.time(Euid, value)
    with pytest.raises(KeyError, match=r"expected a field \(timestamp_ms, .*\), found"):
        columns.field(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44"], "time")
    for wrong in (1.5, True, object(), Scru160.MIN):
        with pytest.raises(TypeError, match="row 1: expected a str, bytes, uuid.UUID or Euid, or None, found"):
            columns.time(Euid, [None, wrong])
    with pytest.raises(TypeError, match="row 2: expected a str, as in the rows before, found bytes"):
        columns.time(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", None, b"0" * 16])
    with pytest.raises(TypeError, match="row 0: expected a datetime, found"):
        columns.min_at(Euid, [date(2024, 6, 6)])
    with pytest.raises(TypeError, match=r"expected one column, found 2 \(a, b\): select one of them"):
        columns.time(Euid, pa.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(TypeError, match="expected IDs of 16 bytes, which the type of UUIDs has, found SCRU160"):
        columns.parse(Scru160, [], uuid=True)


def test_a_time_without_a_zone_is_in_utc(id_type: Any) -> None:
    naive = datetime(2024, 6, 6, 6, 6, 6, 666999)
    least = id_type.min_at(naive.replace(tzinfo=UTC))
    for column in ([naive], pa.array([naive]), np.array([naive], "M8[us]"), np.array([naive], object)):
        made = columns.time(id_type, columns.backfill(id_type, column, **backfill_options(id_type)))
        for times in (column, made):
            assert [str(text) for text in columns.text(id_type, columns.min_at(id_type, times))] == [str(least)]


def test_texts_that_are_not_ids_are_missing_or_false(id_type: Any, ids: list[Any]) -> None:
    source = random.Random(3)
    texts: list[Any] = ["", "nonsense!", "é", "\ud800", "8000000000000", None]
    for id in filter(None, ids):
        text = list(str(id))
        text[source.randrange(len(text))] = chr(source.randrange(32, 127))
        texts.append("".join(text))
    valid = each(texts, id_type.is_valid)
    assert columns.is_valid(id_type, texts).to_pylist() == valid
    parsed = [id_type(text) if is_valid else None for text, is_valid in zip(texts, valid, strict=True)]
    assert columns.try_parse(id_type, texts).to_pylist() == parsed
    assert columns.try_parse(id_type, [b"", b"x" * 100, None]).null_count == 3
    assert columns.is_valid(id_type, [b"", id_type.MIN.bytes, None]).to_pylist() == [False, True, None]


def test_uuids_stay_uuids() -> None:
    ids = list(columns.generate(Euid, 3))
    uuids = pa.array([id.uuid.bytes for id in ids], pa.uuid())
    assert columns.parse(Euid, uuids).type == pa.uuid()
    assert columns.parse(Euid, uuids, uuid=False).type == pa.binary(16)
    assert columns.parse(Euid, pa.array(map(str, ids)), uuid=True).to_pylist() == [id.uuid for id in ids]
    assert pa.array(columns.generate(Euid, 2, uuid=True)).type == pa.uuid()
    assert pa.array(columns.min_at(Euid, [EPOCH], uuid=True)).type == pa.uuid()
    assert pa.array(columns.backfill(Euid, [EPOCH], uuid=True)).type == pa.uuid()
    assert columns.time(Euid, uuids).to_pylist() == [id.time for id in ids]
    assert all(isinstance(id, uuid.UUID) for id in columns.parse(Euid, uuids).to_pylist())
    with pytest.raises(TypeError, match="found SCRU160"):
        columns.generate(Scru160, 1, uuid=True)


def test_generated_columns_ascend() -> None:
    for id_type in (Scru160, Euid, UlidFlake):
        for count in (0, 1, 1025, 5000):
            ids = columns.generate(id_type, count)
            assert len(ids) == count
            assert all(a < b for a, b in itertools.pairwise(ids))
    uids = [*columns.generate(RonUid.generator("alice"), 2000), *columns.generate(RonUid.generator("bob"), 1)]
    assert len(set(uids)) == 2001
    first = columns.generate(Euid.generator(seed=1, clock=lambda: EPOCH), 3)
    assert list(first) == list(columns.generate(Euid.generator(seed=1, clock=lambda: EPOCH), 3))
    for other in (RonUid, EventId):
        with pytest.raises(TypeError, match=f"expected a generator, found the class {other.__name__}"):
            columns.generate(other, 1)
    with pytest.raises(TypeError, match="or a generator, found int"):
        columns.generate(5, 1)  # type: ignore[arg-type]

    def broken() -> datetime:
        raise ZeroDivisionError("no time")

    with pytest.raises(ZeroDivisionError, match="no time"):
        columns.generate(Euid.generator(clock=broken), 10)


def test_a_backfill_has_the_ids_of_the_class(id_type: Any) -> None:
    options = backfill_options(id_type) or {"seed": 5}
    source = random.Random(9)
    base = datetime(2024, 6, 6, tzinfo=UTC)
    times = [None if i % 7 == 0 else base + timedelta(milliseconds=source.randrange(100)) for i in range(700)]
    given = [time for time in times if time is not None]
    expected = iter(id_type.backfill(**options).generate_all(given))
    ids = [None if time is None else next(expected) for time in times]
    assert list(columns.backfill(id_type, times, **options)) == ids
    array = pa.array(times, pa.timestamp("us", "UTC"))
    for column in (array, array.dictionary_encode(), pa.chunked_array([array[:100], array[100:]])):
        assert columns.backfill(id_type, column, **options).to_pylist() == each(ids, stored)
    # A backfill continues.
    backfill = id_type.backfill(**options)
    found = [*columns.backfill(backfill, times[:100]), *columns.backfill(backfill, times[100:])]
    assert found == ids


def test_a_time_without_an_id_has_its_row() -> None:
    times = pa.chunked_array([[EPOCH, None], [EPOCH - timedelta(seconds=1)]], pa.timestamp("us", "UTC"))
    with pytest.raises(sortid.BackfillError) as caught:
        columns.backfill(Euid, times)
    assert (caught.value.index, caught.value.kind) == (2, "out_of_range")
    assert str(caught.value).startswith("row 2: no ID has a time before 1970")
    with pytest.raises(TypeError, match="expected no options beside a backfill, which has its own, found extension"):
        columns.backfill(Euid.backfill(), times, extension=1)
    with pytest.raises(TypeError, match="expected a timestamp or a date, found Utf8"):
        columns.backfill(Euid, pa.array(["2024"]))


def test_pyarrow_has_results_of_its_own() -> None:
    texts = pa.array(["1HZP2F3TARAH1VEXW8BDJPEKP44", None])
    time = pa.timestamp("ms", "UTC")
    assert columns.time(Euid, texts).type == time
    assert columns.time(EventId, pa.array([], pa.string())).type == pa.timestamp("us", "UTC")
    assert isinstance(columns.time(Euid, pa.table({"id": texts})), pa.ChunkedArray)
    assert isinstance(columns.time(Euid, pa.record_batch({"id": texts})), pa.Array)
    assert isinstance(columns.time(Euid, Array(texts)), Column)
    assert columns.time(Euid, Array(texts)).to_pylist() == columns.time(Euid, texts).to_pylist()
    # A structure of one column is a table, and its NULLs are NULLs of the column.
    struct = pa.StructArray.from_arrays([texts.take([0, 0])], ["id"], mask=pa.array([False, True]))
    assert columns.is_valid(Euid, struct).to_pylist() == [True, None]


def test_numpy_has_results_of_its_own(id_type: Any, ids: list[Any]) -> None:
    rows = [id for id in ids if id is not None]
    size = width(id_type)
    data = b"".join(id.bytes for id in rows)
    arrays = [
        np.frombuffer(data, f"V{size}"),
        np.frombuffer(data, f"S{size}"),
        np.frombuffer(data, "u1").reshape(-1, size),
        np.array([id.bytes for id in rows], dtype=object),
        np.array([str(id) for id in rows]),
        np.array([str(id) for id in rows], dtype=np.dtypes.StringDType()),
        np.array([str(id) for id in rows], dtype="S40"),
        np.array([str(id) for id in rows]).astype(">U40"),
        np.array(rows, dtype=object),
    ]
    if id_type is UlidFlake:
        arrays += [np.array([id.int for id in rows]), np.array([id.int for id in rows], ">i8")]
    for array in arrays:
        for view in (array, array[::-1], array[5:50:3]):
            order = slice(None, None, -1) if view is not array and len(view) == len(array) else slice(5, 50, 3)
            expected = rows if view is array else rows[order]
            times = columns.time(id_type, view)
            assert times.dtype == ("M8[us]" if id_type is EventId else "M8[ms]")
            utc = [None if id.time is None else id.time.replace(tzinfo=None) for id in expected]
            assert times.tolist() == utc
            texts = columns.text(id_type, view)
            assert texts.dtype.kind == "U"
            assert texts.tolist() == list(map(str, expected))
            fields = columns.fields(id_type, view)
            assert [plain(row) for row in fields] == [tuple(id.fields().values()) for id in expected]
            if array.dtype == f"S{size}":
                continue  # `parse` reads such an array as texts
            parsed = columns.parse(id_type, view)
            assert parsed.dtype == ("i8" if id_type is UlidFlake else f"V{size}")
            assert parsed.tobytes() == b"".join(
                np.int64(id.int).tobytes() if id_type is UlidFlake else id.bytes for id in expected
            )
            assert columns.is_valid(id_type, view).tolist() == [True] * len(expected)
    assert columns.time(id_type, arrays[0][:0]).tolist() == []
    assert columns.time(id_type, arrays[0]).flags.writeable


def plain(row: Any) -> tuple[Any, ...]:
    return tuple(value.tobytes() if isinstance(value, np.void) else value for value in row.tolist())


def test_missing_values_of_numpy_are_masked() -> None:
    wrong = np.array(["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID"])
    parsed = columns.try_parse(Euid, wrong)
    assert isinstance(parsed, np.ma.MaskedArray)
    assert parsed.mask.tolist() == [False, True]
    times = columns.time(Euid, parsed)
    assert np.isnat(times).tolist() == [False, True]
    again = columns.min_at(Euid, times)
    assert isinstance(again, np.ma.MaskedArray)
    assert again.mask.tolist() == [False, True]
    texts = columns.text(Euid, parsed)
    assert texts.tolist() == ["1HZP2F3TARAH1VEXW8BDJPEKP44", None]
    extensions = columns.field(
        Euid, np.array(["C8EE934SR007G5Q94QKKXFRFV8B", "1HZP2F3TARAH1VEXW8BDJPEKP44"]), "extension"
    )
    assert extensions.tolist() == [7, None]
    rows = np.ma.MaskedArray(np.zeros((2, 16), "u1"), np.array([[False] * 16, [True] * 16]))
    assert columns.is_valid(Euid, rows).tolist() == [True, None]
    masked_ints = np.ma.MaskedArray([1, -1], [False, True])
    assert columns.text(UlidFlake, masked_ints).tolist() == ["0000000000001", None]


def test_times_of_numpy_have_bounds(id_type: Any) -> None:
    moments = np.array(["2024-06-06T06:06:06.666", "NaT", "2100-01-01"], "M8[ms]")
    for unit in ("ms", "us", "ns", "25us"):
        found: Any = columns.min_at(id_type, moments.astype(f"M8[{unit}]"))
        expected = [id_type.min_at(time.replace(tzinfo=UTC)) for time in moments[[0, 2]].tolist()]
        ids = list(
            columns.parse(
                id_type,
                columns.min_at(id_type, [time and time.replace(tzinfo=UTC) for time in moments.tolist()]),
            )
        )
        assert ids == [expected[0], None, expected[1]]
        assert found.mask.tolist() == [False, True, False]
    for unit in ("s", "m", "h", "D", "M", "Y"):
        found = columns.max_at(id_type, np.array(["2024-06-06"], "M8[s]").astype(f"M8[{unit}]"))
        assert len(found) == 1
    made: Any = columns.backfill(id_type, moments, **backfill_options(id_type))
    assert made.mask.tolist() == [False, True, False]


def test_other_numpy_arrays_are_wrong() -> None:
    with pytest.raises(
        TypeError, match=r"expected a NumPy array of bytes \(S16, V16 or uint8 in 16 columns\), .*found float64"
    ):
        columns.time(Euid, np.array([1.5]))
    with pytest.raises(TypeError, match="found 2 dimensions"):
        columns.time(Euid, np.zeros((2, 2)))
    with pytest.raises(TypeError, match=r"found FixedSizeBinary\(15\)"):
        columns.time(Euid, np.zeros((2, 15), "u1"))
    with pytest.raises(TypeError, match="found uint64"):
        columns.time(UlidFlake, np.array([1], "u8"))
    with pytest.raises(TypeError, match="expected a NumPy array"):
        columns.time(Euid, np.zeros(2, [("a", "i8")]))


def test_numpy_needs_no_pyarrow() -> None:
    program = """
import sys
for name in ("pyarrow", "polars", "pandas", "duckdb"):
    sys.modules[name] = None
import sortid
assert "numpy" not in sys.modules
import numpy as np
from sortid import Euid, UlidFlake, columns
ids = np.asarray(columns.generate(Euid, 100_000))
assert ids.dtype == "V16"
assert columns.time(Euid, ids).dtype == "M8[ms]"
assert (columns.parse(Euid, columns.text(Euid, ids)) == ids).all()
assert columns.fields(Euid, ids)["timestamp_ms"].dtype == "i8"
assert np.asarray(columns.generate(UlidFlake, 5)).dtype == "i8"
assert np.array(columns.time(Euid, [None]), dtype="M8[D]").dtype == "M8[D]"
assert (columns.max_at(Euid, columns.time(Euid, ids)) >= ids).size if hasattr(ids, "mask") else True
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_an_import_imports_no_library() -> None:
    program = """
import sys
import sortid, sortid.columns
loaded = {"numpy", "pyarrow", "polars", "pandas", "duckdb"} & set(sys.modules)
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_threads_compute_the_same_column() -> None:
    ids = columns.generate(Euid, 200_000)
    expected = pa.array(columns.text(Euid, ids))
    results: list[Any] = [None] * 4
    backfill = Euid.backfill()
    times = columns.time(Euid, ids)

    def compute(index: int) -> None:
        results[index] = (pa.array(columns.text(Euid, ids)), columns.backfill(backfill, times))

    threads = [threading.Thread(target=compute, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(texts == expected for texts, _ in results)
    made = pa.concat_arrays([pa.array(made) for _, made in results])
    assert len(made.unique()) == 800_000


def test_a_stream_that_fails_is_an_exception() -> None:
    def batches() -> Iterator[Any]:
        yield pa.record_batch({"id": ["1HZP2F3TARAH1VEXW8BDJPEKP44"]})
        raise ZeroDivisionError("no more rows")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("id", pa.string())]), batches())
    with pytest.raises(RuntimeError, match="the stream of the column failed: .*no more rows"):
        columns.time(Euid, Stream(reader))


ROOT = Path(__file__).resolve().parents[3]


def test_a_million_rows_have_the_results_of_the_functions_for_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    db = duckdb.connect()
    db.execute((ROOT / "crates/sortid-sql/sql/duckdb.sql").read_text())
    db.execute("SET TimeZone = 'UTC'")
    rows = 1_000_000
    source = np.random.default_rng(1)
    for id_type, prefix in ((Scru160, "scru160"), (Euid, "euid"), (EventId, "event_id")):
        size = width(id_type)
        data = source.integers(0, 256, (rows, size), "u1")
        data[:, 0] = 0
        data[:, 1] &= 0x3F
        ids = pa.Array.from_buffers(pa.binary(size), rows, [None, pa.py_buffer(data.tobytes())])
        events = pa.table({"id": ids.cast(pa.binary())})
        assert events.num_rows == rows
        expected = db.sql(f"SELECT {prefix}_time(id) AS time, {prefix}_text(id) AS text FROM events").to_arrow_table()
        assert (
            columns.time(id_type, ids)
            .cast(pa.timestamp("us", "UTC"))
            .equals(expected["time"].combine_chunks().cast(pa.timestamp("us", "UTC")))
        )
        texts = columns.text(id_type, ids)
        assert texts.equals(expected["text"].combine_chunks())
        assert columns.parse(id_type, texts).equals(ids)
        assert columns.fields(id_type, ids)[999_999].as_py() == id_type(data[-1].tobytes()).fields()


def test_a_million_rows_have_the_results_of_the_classes(id_type: Any) -> None:
    rows = 1_000_000
    source = random.Random(11)
    some = [random_id(id_type, source) for _ in range(1000)]
    order = np.random.default_rng(2).integers(0, 1000, rows)
    missing = order % 10 == 0
    ids = pa.array([stored(id) for id in some], pa.int64() if id_type is UlidFlake else pa.binary(width(id_type)))
    column = ids.take(pa.array(order, mask=missing))
    for function, value in readers(id_type):
        expected = function(ids).take(pa.array(order, mask=missing))
        assert function(ids).to_pylist() == each(some, value)
        assert function(column).equals(expected)
    assert columns.parse(id_type, columns.text(id_type, column)).equals(column)


def typed_class(id_type: type[Any]) -> Any:
    class OrderId(TypedId[id_type], prefix="order"):  # type: ignore[valid-type]
        """A class whose texts have a prefix."""

    return OrderId


def test_a_typed_column_has_texts_with_the_prefix(id_type: Any, ids: list[Any]) -> None:
    order_id = typed_class(id_type)
    texts = each(ids, lambda id: f"order_{id}")
    values = arrays(id_type, ids)
    of_bytes = [array for array in values if not pa.types.is_string(getattr(array.type, "value_type", array.type))]
    of_bytes = [array for array in of_bytes if array.type not in (pa.large_string(), pa.string_view())]
    of_texts = [pa.array(texts, type) for type in (pa.string(), pa.large_string(), pa.string_view())]
    for array in [*of_texts, of_texts[0].dictionary_encode(), *of_bytes]:
        assert columns.text(order_id, array).to_pylist() == texts, array.type
        for function, value in readers(order_id):
            if value is not str:
                assert function(array).to_pylist() == each(ids, value), array.type
        parsed = columns.parse(order_id, array)
        assert columns.text(id_type, parsed).to_pylist() == each(ids, str)
    of_objects: list[list[Any]] = [texts, each(ids, order_id), ids, each(ids, lambda id: id.bytes)]
    for objects in of_objects:
        for parse in (columns.parse, columns.try_parse):
            found = parse(order_id, objects)
            assert list(found) == found.to_pylist() == each(ids, order_id)
            assert found[3:7].to_pylist() == each(ids[3:7], order_id)
    assert repr(columns.parse(order_id, texts[1:2])) == f"<sortid.Column of 1 OrderId: OrderId('{texts[1]}')>"
    times = each(ids, lambda id: id.time)
    assert list(columns.min_at(order_id, times)) == each(times, order_id.min_at)
    assert list(columns.max_at(order_id, times)) == each(times, order_id.max_at)
    assert columns.text(order_id, np.array(texts[1:5])).tolist() == texts[1:5]


def test_another_prefix_is_an_error_of_the_row(id_type: Any, ids: list[Any]) -> None:
    order_id = typed_class(id_type)
    id = ids[1]
    good, uuid_text = f"order_{id}", str(uuid.UUID(bytes=id.bytes)) if width(id_type) == 16 else "x" * 36
    wrong = [f"user_{id}", str(id), f"order_order_{id}!", "", "order_", f"order_{uuid_text}", uuid_text]
    assert columns.is_valid(order_id, [good, *wrong, None]).to_pylist() == [True, *[False] * len(wrong), None]
    assert columns.try_parse(order_id, [good, *wrong, None]).null_count == len(wrong) + 1
    for text in wrong:
        with pytest.raises(ParseError) as scalar:
            order_id(text)
        functions: list[Value] = [
            lambda column: columns.parse(order_id, column),
            lambda column: columns.text(order_id, column),
            lambda column: columns.time(order_id, column),
        ]
        for function in functions:
            for column in ([good, None, text], pa.chunked_array([[good], [None, text]])):
                with pytest.raises(ParseError) as caught:
                    function(column)
                error = caught.value
                assert (error.row, error.kind, error.position) == (2, scalar.value.kind, scalar.value.position)
                assert str(error).endswith(f" is not the text of an OrderId: {scalar.value}")
                assert str(error).startswith("row 2: ")
    with pytest.raises(TypeError, match="row 0: expected a str, bytes, .*OrderId, or None, found"):
        columns.parse(order_id, [1.5])


def test_new_ids_of_a_typed_column() -> None:
    order_id = typed_class(Euid)
    made = columns.generate(order_id, 3)
    assert [type(id) for id in made] == [order_id] * 3
    backfilled = columns.backfill(order_id, [EPOCH, None], extension=7)
    assert (type(backfilled[0]), backfilled[0].id.extension, backfilled[1]) == (order_id, 7, None)
    assert type(columns.backfill(Euid.backfill(), [EPOCH])[0]) is Euid


def test_a_class_without_a_prefix_reads_what_its_ids_do() -> None:
    class VisitId(TypedId[Euid]):
        """An ID without a prefix."""

    id = Euid("C8EE934SR007G5Q94QKKXFRFV8B")
    assert columns.parse(VisitId, [str(id), str(id.uuid)]).to_pylist() == [VisitId(id)] * 2
    assert columns.text(VisitId, [VisitId(id)]).to_pylist() == [str(id)]
    with pytest.raises(ParseError, match="row 0: .* is not the text of an EUID: "):
        columns.parse(VisitId, ["x"])
    with pytest.raises(TypeError, match="expected a type that names its class of IDs"):
        columns.parse(TypedId, ["x"])
