"""What type checkers say of the package. mypy and pyright read this file, and Python runs it.

A comment ``type: ignore`` marks what both have to refuse.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, assert_type

from sortid import (
    Backfill,
    BackfillError,
    ConfigError,
    Euid,
    EventId,
    GenerateError,
    Generator,
    ParseError,
    RonUid,
    Scru160,
    TypedId,
    UlidFlake,
)

NOW = datetime(2024, 6, 6, tzinfo=UTC)


class OrderId(TypedId[Euid], prefix="order"):
    """An ID with a prefix."""


class UserId(TypedId[Euid]):
    """An ID without a prefix."""


class PlaceId(TypedId[RonUid]):
    """An ID whose class has no ``new``, and which may have no time."""


class FileId(TypedId[Scru160]):
    """An ID of 20 bytes."""


def constructors() -> None:
    assert_type(Euid("1HZP2F3TARAH1VEXW8BDJPEKP44"), Euid)
    for form in (bytes(16), bytearray(16), memoryview(bytes(16)), 5, uuid.UUID(int=5), Euid.MIN):
        assert_type(Euid(form), Euid)
    assert_type(Scru160(bytes(20)), Scru160)
    assert_type(UlidFlake(5), UlidFlake)
    assert_type(RonUid("inc"), RonUid)
    assert_type(EventId(5), EventId)
    for wrong in (
        lambda: Euid(5.0),  # type: ignore[arg-type]
        lambda: Euid(None),  # type: ignore[arg-type]
        lambda: Euid(Scru160.MIN),  # type: ignore[arg-type]
        lambda: Scru160(uuid.UUID(int=5)),  # type: ignore[arg-type]
        lambda: UlidFlake(uuid.UUID(int=5)),  # type: ignore[arg-type]
    ):
        refused(wrong)


def attributes() -> None:
    id = Euid.MIN
    assert_type(str(id), str)
    assert_type(bytes(id), bytes)
    assert_type(int(id), int)
    assert_type(id.bytes, bytes)
    assert_type(id.int, int)
    assert_type(id.hex, str)
    assert_type(id.uuid, uuid.UUID)
    assert_type(id.time, datetime)
    assert_type(id.unix_micros, int)
    assert_type(id.fields(), dict[str, Any])
    assert_type(id.timestamp_ms, int)
    assert_type(id.extension, int | None)
    assert_type(Euid.is_valid("x"), bool)
    assert_type(Euid.MIN, Euid)
    assert_type(Euid.min_at(NOW), Euid)
    assert_type(Euid.max_at(NOW), Euid)
    assert_type(hash(id), int)
    assert_type(id < id, bool)
    assert_type(sorted([id]), list[Euid])
    assert_type(max(id, id), Euid)
    assert_type(Scru160.MIN.random80, bytes)
    assert_type(UlidFlake.MIN.scalability, int)
    assert_type(UlidFlake.MIN.time_with(NOW), datetime)
    assert_type(RonUid.MIN.time, datetime | None)
    assert_type(RonUid.MIN.unix_micros, int | None)
    assert_type(RonUid.MIN.value, str)
    assert_type(RonUid.parse_vector("a,b"), list[RonUid])
    assert_type(EventId.MIN.checksum, str)
    refused(lambda: Scru160.MIN.uuid)  # type: ignore[attr-defined]
    refused(lambda: RonUid.new())  # type: ignore[attr-defined]
    refused(lambda: id < Scru160.MIN)  # type: ignore[operator]
    refused(lambda: id < "x")  # type: ignore[operator]
    refused(lambda: Euid.min_at(5))  # type: ignore[arg-type]
    refused(lambda: setattr_of(id))
    if RonUid.MIN.scheme == "event":
        pass


def setattr_of(id: Euid) -> None:
    id.timestamp_ms = 5  # type: ignore[misc]


def generators() -> None:
    second = timedelta(seconds=1)
    ids = Euid.generator(extension=7, rollback="reset", rollback_allowance=second, clock=lambda: NOW, seed=1)
    assert_type(ids, Generator[Euid])
    assert_type(ids.generate(), Euid)
    assert_type(ids.try_generate(), Euid)
    assert_type(ids.generate_many(2), list[Euid])
    assert_type(next(ids), Euid)
    assert_type(iter(ids), Generator[Euid])
    assert_type(ids.ahead, timedelta)
    assert_type(Scru160.generator(micros=True), Generator[Scru160])
    assert_type(UlidFlake.generator(node=5), Generator[UlidFlake])
    assert_type(RonUid.generator("X"), Generator[RonUid])
    assert_type(EventId.generator(5), Generator[EventId])
    backfill = Euid.backfill(ascending=True, spill=timedelta(0))
    assert_type(backfill, Backfill[Euid])
    assert_type(backfill.generate(NOW), Euid)
    assert_type(backfill.generate_all([NOW]), list[Euid])
    iterator: Iterator[Euid] = ids
    assert_type(next(iterator), Euid)
    refused(lambda: ids.resume_after(Scru160.MIN))  # type: ignore[arg-type]
    refused(lambda: Euid.generator(node=5))  # type: ignore[call-arg]
    refused(lambda: Euid.generator(rollback_allowance=5))  # type: ignore[arg-type]
    refused(lambda: Euid.generator(rollback=5))  # type: ignore[arg-type]
    assert_type(ids.resets, int)
    refused(lambda: RonUid.generator())  # type: ignore[call-arg]


async def asynchronous(ids: Generator[Euid]) -> None:
    assert_type(await ids.generate_async(), Euid)


def typed() -> None:
    order = OrderId(Euid.MIN)
    assert_type(order, OrderId)
    assert_type(order.id, Euid)
    assert_type(order.time, datetime)
    assert_type(order.uuid, uuid.UUID)
    assert_type(OrderId.new(), OrderId)
    assert_type(OrderId.MIN, OrderId)
    assert_type(OrderId.PREFIX, str)
    assert_type(OrderId.min_at(NOW), OrderId)
    assert_type(OrderId.is_valid("x"), bool)
    assert_type(OrderId(str(order)), OrderId)
    assert_type(order < order, bool)
    assert_type(sorted([order]), list[OrderId])
    assert_type(next(map(OrderId, Euid.generator())), OrderId)
    assert_type(FileId.new(), FileId)
    assert_type(FileId.new().time, datetime)
    assert_type(PlaceId(RonUid.MIN).time, datetime | None)
    assert_type(PlaceId(RonUid.MIN).uuid, uuid.UUID)
    refused(lambda: order < UserId.MIN)  # type: ignore[operator]
    refused(lambda: order < Euid.MIN)  # type: ignore[operator]
    refused(lambda: takes_an_order(UserId.MIN))  # type: ignore[arg-type]
    refused(lambda: takes_an_order(Euid.MIN))  # type: ignore[arg-type]
    refused(lambda: OrderId(Scru160.MIN))  # type: ignore[arg-type]
    refused(lambda: OrderId(UserId.MIN))  # type: ignore[arg-type]
    refused(lambda: PlaceId.new())  # type: ignore[misc]
    refused(lambda: FileId.MIN.uuid)  # type: ignore[misc]


def takes_an_order(order: OrderId) -> OrderId:
    if type(order) is not OrderId:
        raise TypeError
    return order


def errors() -> None:
    try:
        Euid("x")
    except ParseError as error:
        assert_type(error.position, int | None)
        assert error.kind == "length"
    try:
        Euid.generator(clock=lambda: datetime(1950, 1, 1, tzinfo=UTC)).generate()
    except GenerateError as generate_error:
        assert generate_error.kind == "clock_out_of_range"
        assert_type(generate_error.retry_after, float | None)
    try:
        Euid.backfill().generate(datetime(1950, 1, 1, tzinfo=UTC))
    except BackfillError as backfill_error:
        assert_type(backfill_error.index, int | None)
    try:
        Euid.generator(extension=-0x8000 + 0x10000)
    except ConfigError as config_error:
        assert_type(config_error.option, str)
    value_errors: list[type[ValueError]] = [ParseError, BackfillError, ConfigError]
    assert all(issubclass(error_class, ValueError) for error_class in value_errors)


def refused(call: Any) -> None:
    """Calls what a type checker refuses. At run time, most of these calls are errors, too."""
    try:
        call()
    except (TypeError, AttributeError):
        pass


Case: TypeAlias = Callable[[], None]

CASES: list[Case] = [constructors, attributes, generators, typed, errors]
