"""IDs in polars: ``import sortid.polars`` adds a namespace for each specification to expressions and ``Series``.

The namespaces are ``scru160``, ``euid``, ``ulid_flake``, ``ron_uid`` and ``event_id``. Their functions are those of
:mod:`sortid.columns`. :func:`of` returns the namespace of a class of your own, whose texts have a prefix.

>>> import polars as pl
>>> import sortid.polars
>>> frame = pl.LazyFrame({"id": ["1HZP2F3TARAH1VEXW8BDJPEKP44", None]})
>>> frame.select(pl.col("id").euid.time()).collect()["id"][0].isoformat()
'2024-06-06T06:06:06.666000+00:00'
>>> pl.Series(["1HZP2F3TARAH1VEXW8BDJPEKP44", "no ID"]).euid.is_valid().to_list()
[True, False]
>>> from sortid import Euid, TypedId
>>> class OrderId(TypedId[Euid], prefix="order"):
...     '''The ID of an order.'''
>>> frame = pl.DataFrame({"id": ["order_1HZP2F3TARAH1VEXW8BDJPEKP44", "1HZP2F3TARAH1VEXW8BDJPEKP44"]})
>>> frame.select(sortid.polars.of(pl.col("id"), OrderId).is_valid())["id"].to_list()
[True, False]

The functions of expressions work on each row alone. A lazy frame knows the types of their results. polars may pass a column
in parts: the ``row`` of a :exc:`sortid.ParseError` is then the index in its part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import polars

from sortid import columns
from sortid._specs import CLASSES, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sortid.columns import IdType

__all__ = ["ExprNamespace", "SeriesNamespace", "of"]


def _dtype(function: Callable[..., Any], id_type: Any, *args: str) -> polars.DataType:
    """The type of the results of a function."""
    of_times = function in (columns.min_at, columns.max_at)
    empty = polars.Series(dtype=polars.Datetime("us") if of_times else polars.Binary)
    dtype: polars.DataType = function(id_type, empty, *args).dtype
    return dtype


class SeriesNamespace:
    """The functions of a specification for a ``Series``."""

    _id_type: IdType

    def __init__(self, series: polars.Series) -> None:
        self._series = series

    def time(self) -> polars.Series:
        """Return the time of each ID, as :func:`sortid.columns.time` does."""
        return columns.time(self._id_type, self._series)

    def text(self) -> polars.Series:
        """Return the text of each ID, as :func:`sortid.columns.text` does."""
        return columns.text(self._id_type, self._series)

    def field(self, name: str) -> polars.Series:
        """Return a field of each ID, as :func:`sortid.columns.field` does."""
        return columns.field(self._id_type, self._series, name)

    def fields(self) -> polars.Series:
        """Return all fields of each ID as a structure, as :func:`sortid.columns.fields` does."""
        return columns.fields(self._id_type, self._series)

    def parse(self) -> polars.Series:
        """Return the ID of each text, as :func:`sortid.columns.parse` does."""
        return columns.parse(self._id_type, self._series)

    def try_parse(self) -> polars.Series:
        """Return the ID of each text or null, as :func:`sortid.columns.try_parse` does."""
        return columns.try_parse(self._id_type, self._series)

    def is_valid(self) -> polars.Series:
        """Return whether each value is an ID, as :func:`sortid.columns.is_valid` does."""
        return columns.is_valid(self._id_type, self._series)

    def min_at(self) -> polars.Series:
        """Return the least ID of each time, as :func:`sortid.columns.min_at` does."""
        return columns.min_at(self._id_type, self._series)

    def max_at(self) -> polars.Series:
        """Return the greatest ID of each time, as :func:`sortid.columns.max_at` does."""
        return columns.max_at(self._id_type, self._series)


class ExprNamespace:
    """The functions of a specification for expressions."""

    _id_type: IdType

    def __init__(self, expr: polars.Expr) -> None:
        self._expr = expr

    def _map(self, function: Callable[..., Any], *args: str) -> polars.Expr:
        id_type: Any = self._id_type
        return self._expr.map_batches(
            lambda series: function(id_type, series, *args),
            return_dtype=_dtype(function, id_type, *args),
            is_elementwise=True,
        )

    def time(self) -> polars.Expr:
        """Return the time of each ID, as :func:`sortid.columns.time` does."""
        return self._map(columns.time)

    def text(self) -> polars.Expr:
        """Return the text of each ID, as :func:`sortid.columns.text` does."""
        return self._map(columns.text)

    def field(self, name: str) -> polars.Expr:
        """Return a field of each ID, as :func:`sortid.columns.field` does."""
        return self._map(columns.field, name)

    def fields(self) -> polars.Expr:
        """Return all fields of each ID as a structure, as :func:`sortid.columns.fields` does."""
        return self._map(columns.fields)

    def parse(self) -> polars.Expr:
        """Return the ID of each text, as :func:`sortid.columns.parse` does."""
        return self._map(columns.parse)

    def try_parse(self) -> polars.Expr:
        """Return the ID of each text or null, as :func:`sortid.columns.try_parse` does."""
        return self._map(columns.try_parse)

    def is_valid(self) -> polars.Expr:
        """Return whether each value is an ID, as :func:`sortid.columns.is_valid` does."""
        return self._map(columns.is_valid)

    def min_at(self) -> polars.Expr:
        """Return the least ID of each time, as :func:`sortid.columns.min_at` does."""
        return self._map(columns.min_at)

    def max_at(self) -> polars.Expr:
        """Return the greatest ID of each time, as :func:`sortid.columns.max_at` does."""
        return self._map(columns.max_at)


@overload
def of(column: polars.Expr, id_type: IdType, /) -> ExprNamespace: ...
@overload
def of(column: polars.Series, id_type: IdType, /) -> SeriesNamespace: ...
def of(column: Any, id_type: Any, /) -> Any:
    """Return the namespace of a column: ``of(pl.col("id"), Euid)`` is ``pl.col("id").euid``, for any class of IDs.

    Type checkers do not know the namespaces as attributes.
    """
    spec_of(id_type)  # fails for another class
    return _class(SeriesNamespace if isinstance(column, polars.Series) else ExprNamespace, id_type)(column)


def _class(base: type[Any], id_type: IdType) -> Any:
    """The class of a namespace of these IDs."""
    return type(f"{id_type.__name__}{base.__name__}", (base,), {"_id_type": id_type})


def _register() -> None:
    for id_type in CLASSES:
        name = spec_of(id_type).prefix
        polars.api.register_expr_namespace(name)(_class(ExprNamespace, id_type))
        polars.api.register_series_namespace(name)(_class(SeriesNamespace, id_type))


_register()
