"""IDs in pandas: ``import sortid.pandas`` adds an accessor for each specification to ``Series``.

The accessors are ``scru160``, ``euid``, ``ulid_flake``, ``ron_uid`` and ``event_id``. Their functions are those of
:mod:`sortid.columns`. :func:`of` returns the accessor of a class of your own, whose texts have a prefix.

>>> import pandas as pd
>>> import sortid.pandas
>>> ids = pd.Series(["1HZP2F3TARAH1VEXW8BDJPEKP44", None], index=["a", "b"])
>>> ids.euid.time()["a"].isoformat()
'2024-06-06T06:06:06.666000+00:00'
>>> ids.euid.is_valid().dtype
bool[pyarrow]
>>> from sortid import Euid, TypedId
>>> class OrderId(TypedId[Euid], prefix="order"):
...     '''The ID of an order.'''
>>> sortid.pandas.of(ids, OrderId).is_valid()["a"]
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas

from sortid import columns
from sortid._specs import CLASSES, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sortid.columns import IdType

__all__ = ["Accessor", "of"]


class Accessor:
    """The functions of a specification for a ``Series``."""

    _id_type: IdType

    def __init__(self, series: pandas.Series[Any]) -> None:
        self._series = series

    def _call(self, function: Callable[..., Any], *args: str) -> pandas.Series[Any]:
        series: pandas.Series[Any] = function(self._id_type, self._series, *args)
        return series

    def time(self) -> pandas.Series[Any]:
        """Return the time of each ID, as :func:`sortid.columns.time` does."""
        return self._call(columns.time)

    def text(self) -> pandas.Series[Any]:
        """Return the text of each ID, as :func:`sortid.columns.text` does."""
        return self._call(columns.text)

    def field(self, name: str) -> pandas.Series[Any]:
        """Return a field of each ID, as :func:`sortid.columns.field` does."""
        return self._call(columns.field, name)

    def fields(self) -> pandas.DataFrame:
        """Return a data frame with all fields of each ID, as :func:`sortid.columns.fields` does."""
        frame: pandas.DataFrame = columns.fields(self._id_type, self._series)
        return frame

    def parse(self) -> pandas.Series[Any]:
        """Return the ID of each text, as :func:`sortid.columns.parse` does."""
        return self._call(columns.parse)

    def try_parse(self) -> pandas.Series[Any]:
        """Return the ID of each text or a missing value, as :func:`sortid.columns.try_parse` does."""
        return self._call(columns.try_parse)

    def is_valid(self) -> pandas.Series[Any]:
        """Return whether each value is an ID, as :func:`sortid.columns.is_valid` does."""
        return self._call(columns.is_valid)

    def min_at(self) -> pandas.Series[Any]:
        """Return the least ID of each time, as :func:`sortid.columns.min_at` does."""
        return self._call(columns.min_at)

    def max_at(self) -> pandas.Series[Any]:
        """Return the greatest ID of each time, as :func:`sortid.columns.max_at` does."""
        return self._call(columns.max_at)


def of(column: pandas.Series[Any], id_type: IdType, /) -> Accessor:
    """Return the accessor of a series: ``of(frame["id"], Euid)`` is ``frame["id"].euid``, for any class of IDs.

    Type checkers do not know the accessors as attributes.
    """
    spec_of(id_type)  # fails for another class
    accessor: Accessor = _class(id_type)(column)
    return accessor


def _class(id_type: IdType) -> Any:
    """The class of an accessor of these IDs."""
    return type(f"{id_type.__name__}Accessor", (Accessor,), {"_id_type": id_type})


def _register() -> None:
    for id_type in CLASSES:
        pandas.api.extensions.register_series_accessor(spec_of(id_type).prefix)(_class(id_type))


_register()
