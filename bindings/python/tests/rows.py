"""What the tests of columns share."""

from collections.abc import Callable
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from sortid import Euid, EventId, RonUid, Scru160, UlidFlake
from specs import TIME

NAMESPACES: dict[str, Any] = {
    "scru160": Scru160,
    "euid": Euid,
    "ulid_flake": UlidFlake,
    "ron_uid": RonUid,
    "event_id": EventId,
}

Value = Callable[[Any], Any]


def each(rows: list[Any], value: Value) -> list[Any]:
    """The values of the rows, and `None` for each `None`."""
    return [None if row is None else value(row) for row in rows]


def stored(id: Any) -> Any:
    """The value of an ID in a column."""
    return id.int if isinstance(id, UlidFlake) else id.bytes


def attribute(name: str) -> Value:
    return attrgetter(name)


def fields(id: Any) -> dict[str, Any]:
    """All fields of an ID."""
    return dict(id.fields())


def bounds(bound: Value, times: list[Any]) -> list[Any]:
    """The values of the least or the greatest IDs of times."""
    return each(times, lambda time: stored(bound(time)))


def backfill_options(id_type: Any) -> dict[str, Any]:
    options: dict[Any, dict[str, Any]] = {RonUid: {"origin": "alice"}, EventId: {"ledger_id": "da8c0c2e"}}
    return options.get(id_type, {})


def some_ids(id_type: Any) -> list[Any]:
    """IDs of a few seconds, between two that are missing."""
    times: list[datetime] = [TIME + timedelta(seconds=i) for i in range(20)]
    return [None, *id_type.backfill(**backfill_options(id_type)).generate_all(times), None]
