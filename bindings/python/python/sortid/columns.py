"""Functions for columns: all IDs, texts or times at once.

A column is a polars or pandas ``Series``, a pyarrow array, a NumPy array, a list, or anything with the Arrow PyCapsule
interface, such as a DuckDB relation with one column. The result is of the same kind. If the library has no type for
columns, the result is a :class:`sortid.Column`.

>>> from sortid import Euid, columns
>>> columns.time(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", None])
<sortid.Column of 2 Timestamp(ms, "UTC"): datetime.datetime(2024, 6, 6, 6, 6, 6, 666000, tzinfo=datetime.timezone.utc), None>

IDs are bytes (Arrow ``FixedSizeBinary``, ``Binary``, ``LargeBinary`` or ``BinaryView``; NumPy ``S16``, ``V16`` or ``uint8``
in 16 columns), the integers of Ulid-Flakes, or texts. IDs of 16 bytes can also be ``uuid.UUID`` objects, or texts of UUIDs with
36 characters, as databases return them. Dictionaries, such as the categories of pandas and polars, are computed once for each
value. A missing value has a missing result.

The class can be a :class:`sortid.TypedId`. Texts are then read and written with its prefix, and cannot be those of UUIDs.

>>> from sortid import TypedId
>>> class OrderId(TypedId[Euid], prefix="order"):
...     '''The ID of an order.'''
>>> columns.parse(OrderId, ["order_1HZP2F3TARAH1VEXW8BDJPEKP44"])
<sortid.Column of 1 OrderId: OrderId('order_1HZP2F3TARAH1VEXW8BDJPEKP44')>
>>> columns.try_parse(OrderId, ["user_1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3TARAH1VEXW8BDJPEKP44"]).null_count
2

A wrong value raises :exc:`sortid.ParseError`, whose ``row`` is the index of its row in the whole column.

>>> columns.parse(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3TARAH1VEXW8BDJPEKP45"])
Traceback (most recent call last):
sortid.ParseError: row 1: "1HZP2F3TARAH1VEXW8BDJPEKP45" is not the text of an EUID: the check is 5, expected 4
>>> columns.try_parse(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3TARAH1VEXW8BDJPEKP45"])
<sortid.Column of 2 Euid: Euid('1HZP2F3TARAH1VEXW8BDJPEKP44'), None>
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING, Any, TypeVar, overload

from sortid import _sortid
from sortid._sortid import Backfill, Column, Generator
from sortid._specs import spec_of
from sortid._typed import IdType, class_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Protocol

    import numpy
    import pandas
    import polars

    class _ArrowArray(Protocol):
        def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

    class _ArrowStream(Protocol):
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    # The arrays of pyarrow have no types, so a type checker sees `Any` for them.
    _Series = TypeVar("_Series", polars.Series, pandas.Series[Any], numpy.ndarray[Any, Any])
    _Array = TypeVar("_Array", polars.Series, numpy.ndarray[Any, Any])
    _Other = _ArrowArray | _ArrowStream | Iterable[object]

__all__ = [
    "Column",
    "IdType",
    "backfill",
    "field",
    "fields",
    "generate",
    "is_valid",
    "max_at",
    "min_at",
    "parse",
    "text",
    "time",
    "try_parse",
]


@overload
def time(id_type: IdType, column: _Series, /) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def time(id_type: IdType, column: _Other, /) -> Column: ...
def time(id_type: IdType, column: Any, /) -> Any:
    """Return the time of each ID: a timestamp in UTC, in milliseconds, or for Event IDs in microseconds.

    An ID without a time, such as a RON name, has a missing time.

    >>> from sortid import Euid, columns
    >>> columns.time(Euid, [Euid("1HZP2F3TARAH1VEXW8BDJPEKP44")])[0].isoformat()
    '2024-06-06T06:06:06.666000+00:00'
    """
    return _apply("time", id_type, column)


@overload
def text(id_type: IdType, column: _Series, /) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def text(id_type: IdType, column: _Other, /) -> Column: ...
def text(id_type: IdType, column: Any, /) -> Any:
    """Return the text of each ID. Texts become canonical.

    >>> from sortid import UlidFlake, columns
    >>> columns.text(UlidFlake, [14_246_757_444_195_114])
    <sortid.Column of 1 Utf8: '00CMXB6TAK4SA'>
    """
    return _apply("text", id_type, column)


@overload
def field(id_type: IdType, column: _Series, name: str, /) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def field(id_type: IdType, column: _Other, name: str, /) -> Column: ...
def field(id_type: IdType, column: Any, name: str, /) -> Any:
    """Return a field of each ID. The fields have the names of the attributes of an ID.

    >>> from sortid import Euid, columns
    >>> columns.field(Euid, ["C8EE934SR007G5Q94QKKXFRFV8B"], "extension")
    <sortid.Column of 1 Int64: 7>
    """
    return _apply("field", id_type, column, field=name)


@overload
def fields(id_type: IdType, column: pandas.Series[Any], /) -> pandas.DataFrame: ...
@overload
def fields(id_type: IdType, column: _Array, /) -> _Array: ...  # type: ignore[overload-overlap]
@overload
def fields(id_type: IdType, column: _Other, /) -> Column: ...
def fields(id_type: IdType, column: Any, /) -> Any:
    """Return all fields of each ID as a structure. For pandas, it is a data frame, with a column for each field.

    >>> from sortid import Scru160, columns
    >>> columns.fields(Scru160, ["05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"])[0]["counter"]
    13173
    """
    return _apply("fields", id_type, column)


@overload
def parse(id_type: IdType, column: _Series, /, *, uuid: bool | None = None) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def parse(id_type: IdType, column: _Other, /, *, uuid: bool | None = None) -> Column: ...
def parse(id_type: IdType, column: Any, /, *, uuid: bool | None = None) -> Any:
    """Return the ID of each text. IDs stay as they are, so a column of both kinds of values becomes one of IDs.

    The IDs are bytes, those of Ulid-Flakes integers. With ``uuid=True``, IDs of 16 bytes have the Arrow extension type
    ``arrow.uuid``, and in pandas they are ``uuid.UUID`` objects. Without the argument, they have this type if the column
    has it, but not in pandas.

    >>> from sortid import Euid, columns
    >>> columns.parse(Euid, ["1hzp2f3tarah1vexw8bdjpekp44"])
    <sortid.Column of 1 Euid: Euid('1HZP2F3TARAH1VEXW8BDJPEKP44')>
    """
    return _apply("parse", id_type, column, uuid=uuid)


@overload
def try_parse(id_type: IdType, column: _Series, /, *, uuid: bool | None = None) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def try_parse(id_type: IdType, column: _Other, /, *, uuid: bool | None = None) -> Column: ...
def try_parse(id_type: IdType, column: Any, /, *, uuid: bool | None = None) -> Any:
    """Return the ID of each text, as :func:`parse` does. A value that is not an ID has a missing result.

    >>> from sortid import Euid, columns
    >>> columns.try_parse(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID"]).null_count
    1
    """
    return _apply("try_parse", id_type, column, uuid=uuid)


@overload
def is_valid(id_type: IdType, column: _Series, /) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def is_valid(id_type: IdType, column: _Other, /) -> Column: ...
def is_valid(id_type: IdType, column: Any, /) -> Any:
    """Return whether :func:`parse` accepts each value.

    >>> from sortid import Euid, columns
    >>> columns.is_valid(Euid, ["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID", None]).to_pylist()
    [True, False, None]
    """
    return _apply("is_valid", id_type, column)


@overload
def min_at(id_type: IdType, times: _Series, /, *, uuid: bool = False) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def min_at(id_type: IdType, times: _Other, /, *, uuid: bool = False) -> Column: ...
def min_at(id_type: IdType, times: Any, /, *, uuid: bool = False) -> Any:
    """Return the least ID of the tick of each time: the lower bound of a query by time.

    The times are timestamps or dates, or a list of ``datetime``. A time without a time zone is in UTC.

    >>> from datetime import datetime, timezone
    >>> from sortid import Euid, columns
    >>> columns.min_at(Euid, [datetime(2024, 6, 1, tzinfo=timezone.utc)])
    <sortid.Column of 1 Euid: Euid('1HZ8HH500000000000000000011')>
    """
    return _apply("min_at", id_type, times, uuid=uuid)


@overload
def max_at(id_type: IdType, times: _Series, /, *, uuid: bool = False) -> _Series: ...  # type: ignore[overload-overlap]
@overload
def max_at(id_type: IdType, times: _Other, /, *, uuid: bool = False) -> Column: ...
def max_at(id_type: IdType, times: Any, /, *, uuid: bool = False) -> Any:
    """Return the greatest ID of the tick of each time: the upper bound of a query by time.

    >>> from datetime import datetime, timezone
    >>> from sortid import UlidFlake, columns
    >>> columns.max_at(UlidFlake, [datetime(2024, 1, 1, tzinfo=timezone.utc)])[0].int
    1048575
    """
    return _apply("max_at", id_type, times, uuid=uuid)


def generate(ids: IdType | Generator[Any], count: int, /, *, uuid: bool = False) -> Column:
    """Generate this many IDs, with a generator, or with the one that the whole process shares.

    >>> import sortid
    >>> len(sortid.columns.generate(sortid.Euid, 1000))
    1000
    >>> ids = sortid.columns.generate(sortid.EventId.generator("da8c0c2e"), 2)
    >>> ids[0] < ids[1]
    True
    """
    return _sortid.generate_column(ids, count, uuid=uuid)


@overload
def backfill(  # pyright: ignore[reportOverlappingOverload]
    ids: IdType | Backfill[Any], times: _Series, /, *, uuid: bool = False, **options: Any
) -> _Series: ...
@overload
def backfill(ids: IdType | Backfill[Any], times: _Other, /, *, uuid: bool = False, **options: Any) -> Column: ...
def backfill(ids: Any, times: Any, /, *, uuid: bool = False, **options: Any) -> Any:
    """Make an ID for each time. Each ID has the tick of its time, and IDs of equal times ascend.

    ``ids`` is a class of IDs, and ``options`` are those of its method ``backfill``; or it is a backfill, which continues
    after its last ID. A missing time has a missing ID. A time for which no ID can be made raises
    :exc:`sortid.BackfillError`, whose ``index`` is the row.

    >>> from datetime import datetime, timezone
    >>> from sortid import Euid, columns
    >>> moment = datetime(2024, 6, 6, tzinfo=timezone.utc)
    >>> first, second, missing = columns.backfill(Euid, [moment, moment, None], extension=7)
    >>> first < second, second.time == moment, second.extension, missing
    (True, True, 7, None)
    """
    id_type = None
    if not isinstance(ids, Backfill):
        id_type = ids
        ids = _plain(ids).backfill(**options)
    elif options:
        names = ", ".join(options)
        raise TypeError(f"expected no options beside a backfill, which has its own, found {names}")
    column, same_kind = _adapt(times, is_text=False, width=0)
    # pyright cannot know the IDs of a backfill that it narrowed from `Any`.
    made = _sortid.backfill_column(ids, column, uuid=uuid, id_type=id_type)  # pyright: ignore[reportUnknownArgumentType]
    return same_kind(made)


def _plain(id_type: Any) -> Any:
    """Return the class of the IDs, which may be typed."""
    return class_of(id_type) if hasattr(id_type, "_id_class") else id_type


def _apply(function: str, id_type: Any, column: Any, *, field: str | None = None, uuid: bool | None = None) -> Any:
    column, same_kind = _adapt(column, is_text=function in _OF_TEXTS, width=spec_of(id_type).size)
    return same_kind(_sortid.compute(function, id_type, column, field=field, uuid=uuid))


_OF_TEXTS = frozenset(["parse", "try_parse", "is_valid"])


def _adapt(column: Any, *, is_text: bool, width: int) -> tuple[Any, Callable[[Column], Any]]:
    """Return the column as the module reads it, and what makes a result of the column's kind."""
    # A library that is not imported has no columns.
    if (polars := sys.modules.get("polars")) and isinstance(column, (polars.Series, polars.DataFrame)):
        series = column if isinstance(column, polars.Series) else _only(column).to_series()
        # Of these types, polars exports pointers, and a buffer that should not be there.
        data = series.to_list() if series.dtype in (polars.Object, polars.Null) else series
        return data, lambda result: polars.Series(result).alias(series.name)
    if (pandas := sys.modules.get("pandas")) and isinstance(column, (pandas.Series, pandas.Index, pandas.DataFrame)):
        return _adapt_pandas(pandas, column, is_text=is_text, width=width)
    if (numpy := sys.modules.get("numpy")) and isinstance(column, numpy.ndarray):
        return _of_numpy(numpy, column, is_text=is_text, width=width), _to_numpy
    if pyarrow := sys.modules.get("pyarrow"):
        if isinstance(column, (pyarrow.ChunkedArray, pyarrow.Table)):
            return column, pyarrow.chunked_array
        if isinstance(column, (pyarrow.Array, pyarrow.RecordBatch)):
            # An array of more than 67 million rows has a result of several arrays.
            return (
                column,
                lambda result: pyarrow.array(result) if result._num_chunks <= 1 else pyarrow.chunked_array(result),
            )
    return column, lambda result: result


def _only(frame: Any) -> Any:
    """Return the data frame if it has one column."""
    if frame.shape[1] != 1:
        names = ", ".join(map(str, frame.columns))
        raise TypeError(f"expected one column, found {frame.shape[1]} ({names}): select one of them")
    return frame


def _adapt_pandas(pandas: ModuleType, column: Any, *, is_text: bool, width: int) -> tuple[Any, Callable[[Column], Any]]:
    if isinstance(column, pandas.DataFrame):
        column = _only(column).iloc[:, 0]
    is_index = isinstance(column, pandas.Index)
    pyarrow = _pyarrow() if importlib.util.find_spec("pyarrow") is not None else None

    def values(result: Column) -> Any:
        return result.to_pylist() if pyarrow is None else _to_pandas(pandas, pyarrow, pyarrow.chunked_array(result))

    def same_kind(result: Column) -> Any:
        if fields := result._columns:
            index = None if is_index else column.index
            return pandas.DataFrame({name: values(field) for name, field in fields}, index=index, copy=False)
        if is_index:
            return pandas.Index(values(result), name=column.name)
        return pandas.Series(values(result), index=column.index, name=column.name)

    import numpy

    of_numpy: Any = numpy.dtype
    dtype: Any = column.dtype
    if isinstance(dtype, of_numpy) and dtype.kind != "O":
        return _of_numpy(numpy, column.to_numpy(), is_text=is_text, width=width), same_kind
    if pyarrow is not None and not isinstance(dtype, of_numpy):
        try:
            data = pyarrow.array(column.to_series() if is_index else column, from_pandas=True)
        except pyarrow.ArrowException:
            # Arrow has no type for the objects of some categories, such as IDs.
            pass
        else:
            is_extension = isinstance(data.type, pyarrow.BaseExtensionType)
            return data.cast(data.type.storage_type) if is_extension else data, same_kind
    objects: Any = column.to_numpy(dtype=object, copy=True)
    objects[column.isna()] = None
    return objects.tolist(), same_kind


def _to_pandas(pandas: Any, pyarrow: Any, array: Any) -> Any:
    """Return the values with a type that pandas finds again in a file of Parquet or Feather.

    Of the types with a parameter, it finds only those of times. An extension type becomes objects.
    """
    if isinstance(array.type, pyarrow.BaseExtensionType):
        return array.to_pandas()
    if pyarrow.types.is_fixed_size_binary(array.type):
        array = array.cast(pyarrow.binary())
    return pandas.arrays.ArrowExtensionArray(array)


def _pyarrow() -> Any:
    # Type checkers do not know the module.
    return importlib.import_module("pyarrow")


def _of_numpy(numpy: Any, array: Any, *, is_text: bool, width: int) -> Any:
    """Return a column of a copy of the values."""
    mask = None
    if isinstance(array, numpy.ma.MaskedArray):
        mask = numpy.ma.getmaskarray(array)
        mask = (mask.any(axis=1) if mask.ndim == 2 else mask).tobytes()
        array = array.data
    dtype = array.dtype
    if dtype.kind == "u" and dtype.itemsize == 1 and array.ndim == 2:
        return _sortid.from_numpy(array.tobytes(), "V", array.shape[1], mask)
    if array.ndim != 1:
        raise TypeError(f"expected a NumPy array of one dimension, or of bytes in two, found {array.ndim} dimensions")
    size = dtype.itemsize
    match dtype.kind:
        case "O" | "T":
            values = array.tolist()
            return (
                values
                if mask is None
                else [None if is_na else value for value, is_na in zip(values, mask, strict=True)]
            )
        case "V" if dtype.names is None and size > 0:
            kind = "V"
        case "S" if size > 0:
            kind = "V" if size == width and not is_text else "S"
        case "U" if size > 0:
            kind, size = "U", size // 4
        case "i" if size == 8:
            kind = "i8"
        case "M":
            kind, step = numpy.datetime_data(dtype)
            if step != 1 or kind not in ("s", "ms", "us", "ns"):
                kind = "ns" if kind in ("ps", "fs", "as") else "s" if kind in ("m", "h", "D", "W", "M", "Y") else "us"
                array = array.astype(f"M8[{kind}]")
        case _:
            expected = f"bytes (S{width}, V{width} or uint8 in {width} columns), texts, int64 or datetime64"
            raise TypeError(f"expected a NumPy array of {expected}, found {dtype}")
    return _sortid.from_numpy(array.astype(array.dtype.newbyteorder("="), copy=False).tobytes(), kind, size, mask)


def _to_numpy(column: Column) -> Any:
    import numpy

    if columns := column._columns:
        arrays = [(name, _to_numpy(values)) for name, values in columns]
        is_masked = any(isinstance(values, numpy.ma.MaskedArray) for _, values in arrays)
        make: Any = numpy.ma.zeros if is_masked else numpy.zeros
        structure = make(len(column), [(name, values.dtype) for name, values in arrays])
        for name, values in arrays:
            structure[name] = values
        return structure
    kind, data, mask = _sortid.to_numpy(column)
    array = numpy.frombuffer(data, kind) if data else numpy.empty(0, kind)
    if kind.startswith("S"):
        array = array.astype("U")
    return array if mask is None else numpy.ma.MaskedArray(array, numpy.frombuffer(mask, "?"))
