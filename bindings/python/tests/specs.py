"""The five classes, and strategies of Hypothesis for their IDs."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from hypothesis import strategies as st

import sortid
from sortid import Euid, EventId, RonUid, Scru160, TypedId, UlidFlake, columns

WITH_NEW: list[type[Scru160] | type[Euid] | type[UlidFlake]] = [Scru160, Euid, UlidFlake]

#: A time, and the IDs of the documentation that have it.
TIME = datetime(2024, 6, 6, 6, 6, 6, 666000, tzinfo=UTC)
EUID = Euid("1HZP2F3TARAH1VEXW8BDJPEKP44")
ULID_FLAKE = UlidFlake("00CMXB6TAK4SA")


class OrderId(TypedId[Euid], prefix="order"):
    """The ID of an order."""


class UserId(TypedId[Euid], prefix="user"):
    """The ID of a user."""


class VisitId(TypedId[UlidFlake]):
    """The ID of a visit, without a prefix."""


#: The package, for calls that type checkers refuse.
unchecked: Any = sortid


class Facts(NamedTuple):
    """What the tests know of a class."""

    size: int
    example: str
    first: datetime
    last: datetime | None
    #: The names of its fields.
    fields: list[str]


FACTS: dict[type[Any], Facts] = {
    Scru160: Facts(
        20,
        "067UO9SF99F5BGAS0A4UOB8AI5JUP3J5",
        datetime(1970, 1, 1, tzinfo=UTC),
        None,
        ["timestamp_ms", "counter", "random16", "random80"],
    ),
    Euid: Facts(
        16,
        "1HZP2F3TARAH1VEXW8BDJPEKP44",
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=2**45 - 1),
        ["timestamp_ms", "random_upper", "extension", "extension_bits", "check", "random_high", "random_low"],
    ),
    UlidFlake: Facts(
        8,
        "00CMXB6TAK4SA",
        datetime(2024, 1, 1, tzinfo=UTC),
        datetime(2024, 1, 1, tzinfo=UTC) + timedelta(milliseconds=2**43 - 1),
        ["timestamp_ms", "randomness", "scalable_randomness", "scalability"],
    ),
    RonUid: Facts(
        16,
        "1CQKneD1-X~",
        datetime(2010, 1, 1, tzinfo=UTC),
        datetime(2345, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
        ["value", "origin", "value_int", "origin_int", "scheme"],
    ),
    EventId: Facts(
        16,
        "0005cd755a43d79238c05790c0331dd8",
        datetime(1970, 1, 1, tzinfo=UTC),
        None,
        ["timestamp_us", "checksum", "ledger_id", "version"],
    ),
}

CLASSES: list[type[Any]] = list(FACTS)

#: The class of the IDs in a typed ID, and each class itself.
PLAIN: dict[type[Any], type[Any]] = {OrderId: Euid, UserId: Euid, VisitId: UlidFlake, **{cls: cls for cls in CLASSES}}


def ids(id_class: type[Any]) -> st.SearchStrategy[Any]:
    """All IDs of a class."""
    size = FACTS[id_class].size
    if id_class is RonUid:
        # Six bits are always 0.
        part = st.binary(min_size=8, max_size=8)
        return st.tuples(part, part).map(
            lambda parts: RonUid(bytes([parts[0][0] & 15]) + parts[0][1:] + bytes([parts[1][0] & 63]) + parts[1][1:])
        )
    if id_class is UlidFlake:
        return st.integers(0, 2**63 - 1).map(UlidFlake)
    return st.binary(min_size=size, max_size=size).map(id_class)


def times(id_class: type[Any]) -> st.SearchStrategy[datetime]:
    """Times that IDs of the class can have."""
    facts = FACTS[id_class]
    naive = facts.first.replace(tzinfo=None), (facts.last or datetime(9999, 1, 1)).replace(tzinfo=None)
    return st.datetimes(*naive, timezones=st.just(UTC))
