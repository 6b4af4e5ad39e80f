import builtins
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from os import PathLike
from types import GenericAlias, ModuleType
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    overload,
    type_check_only,
)
from uuid import UUID

import numpy

__all__ = [
    "Backfill",
    "BackfillError",
    "Column",
    "ConfigError",
    "Euid",
    "EventId",
    "Fault",
    "Fleet",
    "FleetError",
    "GenerateError",
    "Generator",
    "Node",
    "ParseError",
    "Report",
    "RonUid",
    "Scru160",
    "UlidFlake",
    "__version__",
    "_interpreter",
    "backfill_column",
    "compute",
    "describe",
    "from_numpy",
    "generate_column",
    "to_numpy",
    "verify_ledger",
]

__version__: str
_interpreter: ModuleType

_Buffer: TypeAlias = bytes | bytearray | memoryview
_Scheme: TypeAlias = Literal["event", "derived", "name", "hash"]
_Clock: TypeAlias = Callable[[], datetime]
_Rollback: TypeAlias = Literal["fail", "continue", "reset"]

_I = TypeVar("_I")

class ParseError(ValueError):
    """A value that is not an ID.

    ``kind`` is ``'length'``, ``'character'``, ``'overflow'``, ``'check'``, ``'sign'`` or ``'prefix'``. ``position`` is the index of the wrong character in the text, or ``None``. ``row`` is the row of a column, or ``None``.
    """
    kind: Literal["length", "character", "overflow", "check", "sign", "prefix"]
    position: int | None
    row: int | None

class GenerateError(RuntimeError):
    """A generator cannot generate.

    ``kind`` is ``'exhausted'``, ``'clock_rollback'``, ``'clock_out_of_range'``, ``'ahead'``, ``'no_time'``, ``'entropy'``, ``'other_process'``, ``'reservation_late'`` or ``'reservation_ended'``. ``retry_after`` is how many seconds to wait before another call can succeed, or ``None`` if waiting does not help.
    """
    kind: Literal[
        "exhausted",
        "clock_rollback",
        "clock_out_of_range",
        "ahead",
        "no_time",
        "entropy",
        "other_process",
        "reservation_late",
        "reservation_ended",
    ]
    retry_after: float | None

class BackfillError(ValueError):
    """A time for which a backfill cannot make an ID.

    ``kind`` is ``'full'``, ``'descending'``, ``'out_of_range'``, ``'no_time'`` or ``'entropy'``. ``index`` is the index of the time, or ``None``.
    """
    kind: Literal["full", "descending", "out_of_range", "no_time", "entropy"]
    index: int | None

class ConfigError(ValueError):
    """An option whose value is not allowed. ``option`` is its name."""
    option: str

class FleetError(RuntimeError):
    """A fleet that cannot be joined, or a store that does not answer.

    ``kind`` is ``'config'``, ``'no_fleet'``, ``'size'``, ``'taken'``, ``'clock_ahead'``, ``'clock_behind'`` or ``'store'`` for a process that joins; ``'unavailable'``, ``'denied'``, ``'missing'``, ``'shape'``, ``'lost'``, ``'later'`` or ``'config'`` for a store; ``'node'`` for a generator that a node does not have.
    """
    kind: Literal[
        "config",
        "no_fleet",
        "size",
        "taken",
        "clock_ahead",
        "clock_behind",
        "store",
        "unavailable",
        "denied",
        "missing",
        "shape",
        "lost",
        "later",
        "node",
    ]

# What the classes of IDs have in common. They have no common class at run time.
@type_check_only
class _Id:
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Self, /) -> bool: ...
    def __le__(self, other: Self, /) -> bool: ...
    def __gt__(self, other: Self, /) -> bool: ...
    def __ge__(self, other: Self, /) -> bool: ...
    def __hash__(self) -> builtins.int: ...
    def __format__(self, format_spec: str, /) -> str: ...
    def __bytes__(self) -> builtins.bytes: ...
    def __int__(self) -> builtins.int: ...
    def __reduce__(self) -> tuple[type[Self], tuple[builtins.bytes]]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...
    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any: ...
    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, Any]: ...
    @property
    def bytes(self) -> builtins.bytes:
        """The bytes, most significant first."""
    @property
    def int(self) -> builtins.int:
        """The bytes as a big-endian integer."""
    @property
    def hex(self) -> str:
        """The bytes as hex digits."""
    def fields(self) -> dict[str, Any]:
        """Returns the fields of the specification, and their values."""
    @staticmethod
    def is_valid(text: str, /) -> bool:
        """Returns whether the text is an ID."""

@final
class Scru160(_Id):
    """A SCRU160: 160 bits, which are 20 bytes, or 32 characters.

    The argument is a text, 20 bytes, or an integer.
    """
    MIN: ClassVar[Scru160]
    MAX: ClassVar[Scru160]
    def __new__(cls, value: str | _Buffer | SupportsIndex | Scru160, /) -> Scru160: ...
    @classmethod
    def new(cls) -> Scru160:
        """Generates an ID with the generator that the whole process shares."""
    @staticmethod
    def from_fields(*, timestamp_ms: int, counter: int, random16: int, random80: bytes | Sequence[int]) -> Scru160:
        """Returns the ID with these fields."""
    @staticmethod
    def min_at(time: datetime, /) -> Scru160:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
    @staticmethod
    def max_at(time: datetime, /) -> Scru160:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
    @staticmethod
    def generator(
        *,
        micros: bool = False,
        counter_start_bits: int | None = None,
        counter_extension_bits: int | None = None,
        node: int | None = None,
        node_bits: int | None = None,
        rollback: _Rollback | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[Scru160]:
        """Creates a generator. With ``micros``, the counter is the microseconds of the time."""
    @staticmethod
    def backfill(
        *,
        micros: bool = False,
        counter_start_bits: int | None = None,
        counter_extension_bits: int | None = None,
        node: int | None = None,
        node_bits: int | None = None,
        ascending: bool = False,
        spill: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[Scru160]:
        """Creates a backfill, which makes IDs for given times."""
    def encode_hex(self) -> str:
        """The text of 40 hex digits."""
    @property
    def time(self) -> datetime:
        """The time of the ID in UTC, or ``None`` if the ID has no time."""
    @property
    def unix_micros(self) -> int:
        """The time of the ID in microseconds since 1970, or ``None`` if the ID has no time."""
    @property
    def timestamp_ms(self) -> int:
        """when the ID was made, in milliseconds since 1970"""
    @property
    def counter(self) -> int:
        """orders the IDs of one millisecond: it starts at a random value, and goes up by one"""
    @property
    def random16(self) -> int:
        """random, unless the generator keeps a node ID or more bits of the counter here"""
    @property
    def random80(self) -> bytes:
        """random, and new in each ID"""

@final
class Euid(_Id):
    """An EUID: 128 bits, which are 16 bytes, or 27 characters with a check.

    The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    """
    MIN: ClassVar[Euid]
    MAX: ClassVar[Euid]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | Euid, /) -> Euid: ...
    @classmethod
    def new(cls) -> Euid:
        """Generates an ID with the generator that the whole process shares."""
    @staticmethod
    def from_fields(
        *,
        timestamp_ms: int,
        random_upper: int,
        random_high: int,
        random_low: int,
        extension: int | None = None,
        extension_bits: int | None = None,
    ) -> Euid:
        """Returns the ID with these fields."""
    @staticmethod
    def min_at(time: datetime, /) -> Euid:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
    @staticmethod
    def max_at(time: datetime, /) -> Euid:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
    @staticmethod
    def generator(
        *,
        extension: int | None = None,
        extension_bits: int | None = None,
        rollback: _Rollback | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[Euid]:
        """Creates a generator. Its IDs have the extension, such as a node or a tenant."""
    @staticmethod
    def backfill(
        *,
        extension: int | None = None,
        extension_bits: int | None = None,
        ascending: bool = False,
        spill: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[Euid]:
        """Creates a backfill, which makes IDs for given times."""
    def encode_without_check(self) -> str:
        """Returns the text without a check. It is the same ID, but mistakes before its 26th digit go unnoticed."""
    @property
    def uuid(self) -> UUID:
        """The bytes as a ``uuid.UUID``, for columns of that type. Its version has no meaning."""
    @property
    def time(self) -> datetime:
        """The time of the ID in UTC, or ``None`` if the ID has no time."""
    @property
    def unix_micros(self) -> int:
        """The time of the ID in microseconds since 1970, or ``None`` if the ID has no time."""
    @property
    def timestamp_ms(self) -> int:
        """when the ID was made, in milliseconds since 1970"""
    @property
    def random_upper(self) -> int:
        """the bits that the extension leaves free are random, and stay the same within a millisecond"""
    @property
    def extension(self) -> int | None:
        """a value of your own, such as a node or a tenant"""
    @property
    def extension_bits(self) -> int:
        """how many bits the extension has; 0 means that there is none"""
    @property
    def check(self) -> int:
        """the ID modulo 127; it is a part of the text only, and shows mistyped characters"""
    @property
    def random_high(self) -> int:
        """random in the first ID of a millisecond; it goes up by one in each further ID"""
    @property
    def random_low(self) -> int:
        """random, and new in each ID"""

@final
class UlidFlake(_Id):
    """A Ulid-Flake: 63 bits, which are a positive ``BIGINT``, or 13 characters.

    The argument is a text, 8 bytes, or an integer. The time counts from 2024.
    """
    MIN: ClassVar[UlidFlake]
    MAX: ClassVar[UlidFlake]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UlidFlake, /) -> UlidFlake: ...
    @classmethod
    def new(cls) -> UlidFlake:
        """Generates an ID with the generator that the whole process shares."""
    @staticmethod
    def from_fields(*, timestamp_ms: int, randomness: int, scalability: int | None = None) -> UlidFlake:
        """Returns the ID with these fields. With ``scalability``, the ID is of the scalable version."""
    @staticmethod
    def min_at(time: datetime, /) -> UlidFlake:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
    @staticmethod
    def max_at(time: datetime, /) -> UlidFlake:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
    @staticmethod
    def generator(
        *,
        node: int | None = None,
        epoch: datetime | None = None,
        entropy_bytes: int | None = None,
        rollback: _Rollback | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[UlidFlake]:
        """Creates a generator. With ``node``, 0 to 31, its IDs are of the scalable version."""
    @staticmethod
    def backfill(
        *,
        node: int | None = None,
        epoch: datetime | None = None,
        entropy_bytes: int | None = None,
        ascending: bool = False,
        spill: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[UlidFlake]:
        """Creates a backfill, which makes IDs for given times."""
    def time_with(self, epoch: datetime, /) -> datetime:
        """When the ID was made, if its generator had another epoch."""
    @property
    def time(self) -> datetime:
        """The time of the ID in UTC, or ``None`` if the ID has no time."""
    @property
    def unix_micros(self) -> int:
        """The time of the ID in microseconds since 1970, or ``None`` if the ID has no time."""
    @property
    def timestamp_ms(self) -> int:
        """when the ID was made, in milliseconds since the epoch, which is 2024-01-01 by default"""
    @property
    def randomness(self) -> int:
        """random in the first ID of a millisecond; a random step is added in each further ID"""
    @property
    def scalable_randomness(self) -> int:
        """random in the first ID of a millisecond; a random step is added in each further ID"""
    @property
    def scalability(self) -> int:
        """the node ID of the generator, 0 to 31"""

@final
class RonUid(_Id):
    """A Swarm RON UID: 128 bits, which are 16 bytes, or up to 21 characters. It is a time, a name or a hash.

    The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    """
    MIN: ClassVar[RonUid]
    MAX: ClassVar[RonUid]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | RonUid, /) -> RonUid: ...
    @staticmethod
    def from_fields(*, value: str | int, origin: str | int | None = None, scheme: _Scheme = "name") -> RonUid:
        """Returns the UID with these fields. ``value`` and ``origin`` are Base64x64 digits, or their integers. ``scheme``
        is ``'event'``, ``'derived'``, ``'name'`` or ``'hash'``.
        """
    @staticmethod
    def min_at(time: datetime, /) -> RonUid:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
    @staticmethod
    def max_at(time: datetime, /) -> RonUid:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
    @staticmethod
    def generator(
        origin: str | int,
        *,
        session_digits: int | None = None,
        min_length: int | None = None,
        future_bound: timedelta | None = None,
        rollback: _Rollback | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[RonUid]:
        """Creates a generator of this origin: a hybrid logical clock. Generators that work at the same time must have
        different origins.
        """
    @staticmethod
    def backfill(
        origin: str | int,
        *,
        session_digits: int | None = None,
        min_length: int | None = None,
        ascending: bool = False,
        spill: timedelta | None = None,
    ) -> Backfill[RonUid]:
        """Creates a backfill of this origin, which makes UIDs for given times."""
    def zip(self, context: RonUid, /) -> str:
        """Returns the text in the context of another UID, which the reader knows: ``unzip`` reads it."""
    @staticmethod
    def unzip(text: str, context: RonUid, /) -> RonUid:
        """Reads a UID that was compressed in the context of another one."""
    @staticmethod
    def parse_vector(text: str, /) -> list[RonUid]:
        """Reads a vector: UIDs between commas, each compressed in the context of the one before."""
    @staticmethod
    def format_vector(uids: Iterable[RonUid], /) -> str:
        """Writes a vector: UIDs between commas, each compressed in the context of the one before."""
    @property
    def uuid(self) -> UUID:
        """The bytes as a ``uuid.UUID``, for columns of that type. Its version has no meaning."""
    @property
    def time(self) -> datetime | None:
        """The time of the ID in UTC, or ``None`` if the ID has no time."""
    @property
    def unix_micros(self) -> int | None:
        """The time of the ID in microseconds since 1970, or ``None`` if the ID has no time."""
    @property
    def value(self) -> str:
        """ten digits: a time by the calendar and a sequence number, or a name"""
    @property
    def origin(self) -> str:
        """the replica that made the UID, or the scope of a name"""
    @property
    def value_int(self) -> int:
        """the 60 bits of the value as an integer"""
    @property
    def origin_int(self) -> int:
        """the 60 bits of the origin as an integer"""
    @property
    def scheme(self) -> _Scheme:
        """what the UID is: a name, a hash, an event, or derived from an event"""

@final
class EventId(_Id):
    """An Evently Event ID: 128 bits, which are 16 bytes, or 32 hex digits.

    The argument is a text, 16 bytes, an integer, or a ``uuid.UUID``.
    """
    MIN: ClassVar[EventId]
    MAX: ClassVar[EventId]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | EventId, /) -> EventId: ...
    @staticmethod
    def from_fields(*, timestamp_us: int, checksum: str | int, ledger_id: str | int) -> EventId:
        """Returns the ID with these fields. ``checksum`` and ``ledger_id`` are 8 hex digits, or their integers."""
    @staticmethod
    def min_at(time: datetime, /) -> EventId:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
    @staticmethod
    def max_at(time: datetime, /) -> EventId:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
    @staticmethod
    def generator(
        ledger_id: str | int,
        *,
        rollback: _Rollback | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
    ) -> Generator[EventId]:
        """Creates a generator for this ledger. The checksum of its IDs is 0: a ledger computes it from the event."""
    @staticmethod
    def backfill(
        ledger_id: str | int, *, ascending: bool = False, spill: timedelta | None = None
    ) -> Backfill[EventId]:
        """Creates a backfill for this ledger, which makes IDs for given times."""
    @property
    def uuid(self) -> UUID:
        """The bytes as a ``uuid.UUID``, for columns of that type. Its version has no meaning."""
    @property
    def time(self) -> datetime:
        """The time of the ID in UTC, or ``None`` if the ID has no time."""
    @property
    def unix_micros(self) -> int:
        """The time of the ID in microseconds since 1970, or ``None`` if the ID has no time."""
    @property
    def timestamp_us(self) -> int:
        """when the event happened, in microseconds since 1970"""
    @property
    def checksum(self) -> str:
        """CRC-32C of the event and of the ID before it, which makes the ledger a chain"""
    @property
    def ledger_id(self) -> str:
        """the ledger: 30 bits from its first event, and a version of 2 bits"""
    @property
    def version(self) -> int:
        """the version of the ledger ID, in its last two bits"""

@final
class Generator(Generic[_I]):
    """Generates IDs, each greater than the one before, for any number of threads.

    ``Euid.generator()`` and the like create it. If the clock goes back by at most ``rollback_allowance``, 10 s by default,
    the generator continues from its last ID. If the clock goes back by more, ``rollback`` says what happens:
    ``'fail'`` raises ``GenerateError`` until the clock has caught up, ``'continue'`` continues from the last ID, and
    ``'reset'`` continues at the new, earlier time, which ``resets`` counts. The default is ``'reset'`` for EUIDs and
    SCRU160s, unless too few of their bits are random; ``'fail'`` for Ulid-Flakes, because an ID could be a duplicate; and
    ``'continue'`` for RON UIDs and Event IDs, or ``'fail'`` if you set an allowance.

    ``clock`` is a function that returns a ``datetime``. ``seed`` makes the random bits repeatable. Both are for tests.
    """
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def generate(self) -> _I:
        """Generates the next ID. Waits when all IDs of a tick are used."""
    def try_generate(self) -> _I:
        """Generates the next ID. Does not wait: where ``generate`` does, it raises ``GenerateError``, whose ``retry_after`` says
        how long to wait.
        """
    def generate_many(self, count: int, /) -> list[_I]:
        """Generates this many IDs."""
    def generate_async(self) -> Coroutine[Any, Any, _I]:
        """Generates the next ID in asynchronous code. Waits with ``asyncio.sleep``."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> _I: ...
    def resume_after(self, id: _I, /) -> None:
        """Continues after this ID: all later IDs are greater."""
    def observe(self, id: _I, /) -> None:
        """Observes a RON UID of another generator: all later UIDs are greater."""
    @property
    def resets(self) -> int:
        """How many times the generator was reset, because the clock was set back."""
    @property
    def ahead(self) -> timedelta:
        """How far the last ID is ahead of the clock."""

@final
class Backfill(Generic[_I]):
    """Makes IDs for given times, such as those of existing rows. Each ID has the tick of its time. IDs of equal times are
    in the order in which they were made.

    ``Euid.backfill()`` and the like create it. All IDs of a backfill are distinct.
    """
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def generate(self, time: datetime, /) -> _I:
        """Makes an ID for this time."""
    def generate_all(self, times: Iterable[datetime], /) -> list[_I]:
        """Makes an ID for each time. The error of a time has its ``index``."""
    def resume_after(self, id: _I, /) -> None:
        """Continues after an ID of an earlier backfill: all later IDs of its tick are greater."""

@final
class Fleet:
    """The processes that share the node IDs of a store.

    The store is a directory that all processes see (``dir:PATH``), PostgreSQL (``postgres://USER@HOST/DATABASE``), or etcd
    (``etcd://HOST:PORT``).

    ``space`` is the name of a set of node IDs in the store. A process with a ``name`` gets its old node ID back after a
    crash. ``window`` is how far ahead a process reserves its node ID, 15 s by default. ``wait`` is how long ``join``
    waits for a free node ID, 30 s by default.
    """
    def __new__(
        cls,
        nodes: str | PathLike[str],
        /,
        *,
        space: str = "default",
        name: str | None = None,
        window: timedelta | None = None,
        wait: timedelta | None = None,
    ) -> Fleet: ...
    def init(self, size: int, /) -> bool:
        """Creates the fleet in its store, with the node IDs from 0 to ``size - 1``. Returns whether the fleet is new:
        ``False`` if it existed with this size.
        """
    def join(self, node_id: int | None = None) -> Node:
        """Takes a node ID, or this one, and reserves it as long as the node lives. Waits until a node ID is free, 30 s by
        default.
        """

@type_check_only
class _Status(TypedDict):
    state: Literal["holding", "lost", "released", "forked"]
    node_id: int
    generation: int
    until: datetime
    renewals: int
    failures: int
    last_error: str | None
    skew_ms: int | None
    warning: str | None

@final
class Node:
    """This process as a node of a fleet. ``Fleet.join`` creates it.

    The reservation of its node ID lasts while the node or one of its generators exists. At the end of a ``with`` block,
    the node releases its node ID.
    """
    @property
    def id(self) -> int:
        """The node ID."""
    @property
    def generation(self) -> int:
        """How many holders the node ID has had, this one included: a fencing token."""
    @property
    def status(self) -> _Status:
        """Returns what became of the reservation."""
    def generator(self, id_class: type[_I], /, **options: Any) -> Generator[_I]:
        """Returns the generator of a class of IDs, whose IDs contain the node ID. The options are those of the class's
        ``generator``. A node has one generator for each class.
        """
    def permits(self, time: datetime | int, /) -> None:
        """Checks that this process may make an ID of its own with the node ID and this time, a ``datetime`` or milliseconds
        since 1970: no other holder of the node ID has this millisecond. Raises ``GenerateError`` if it may not.
        """
    def release(self) -> None:
        """Releases the node ID, so that another process can take it. Its generators raise ``GenerateError`` from now on."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Fault:
    """A line of a ledger that is wrong."""
    @property
    def line(self) -> int:
        """The number of the line, from 1."""
    @property
    def kind(
        self,
    ) -> Literal[
        "malformed_line",
        "unknown_member",
        "duplicate_member",
        "missing_member",
        "timestamp_mismatch",
        "ledger_changed",
        "time_not_ascending",
        "id_mismatch",
    ]:
        """What kind of fault it is, such as ``'id_mismatch'``."""
    @property
    def expected(self) -> str:
        """What the line should have."""
    @property
    def found(self) -> str:
        """What the line has."""
    @property
    def message(self) -> str: ...

@final
class Report:
    """What ``sortid.ledger.verify`` found."""
    @property
    def valid(self) -> bool:
        """``True`` if the ledger has no faults."""
    @property
    def events(self) -> int:
        """The number of events, those with a fault included."""
    @property
    def lines(self) -> int:
        """The number of lines."""
    @property
    def faults(self) -> int:
        """The number of faults."""
    @property
    def listed(self) -> list[Fault]:
        """The first faults, at most as many as the caller asked for."""
    @property
    def profile(self) -> Literal["classic", "entities"] | None:
        """The profile: ``'classic'`` or ``'entities'``. ``None`` for an empty ledger."""
    @property
    def genesis(self) -> Literal["published", "deployed", "trusted"] | None:
        """Which ID the first event has: ``'published'``, that of the specification, or ``'deployed'``, that of Evently's
        PostgreSQL function. ``'trusted'`` if the file continues a ledger. ``None`` if the first event is faulty or missing.
        """
    @property
    def ledger_id(self) -> str | None:
        """The ID of the ledger, in 8 hex digits."""
    @property
    def last_event_id(self) -> EventId | None:
        """The ID of the last event."""

def verify_ledger(
    path: str | PathLike[str],
    *,
    profile: str | None,
    strict: bool,
    after: EventId | None,
    listed: int,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """Verifies each line of a ledger, and calls ``progress`` with the number of bytes that were read. ``sortid.ledger.verify``
    calls it.
    """

@final
class Column:
    """A column: the result of a function of ``sortid.columns`` whose argument was not of a library that has a type of its
    own for columns.

    A column is a sequence of IDs, ``datetime``, ``int``, ``str``, ``bytes``, ``bool`` or ``dict``, and ``None``. Libraries
    read it through the Arrow PyCapsule interface, without a copy: ``pyarrow.array(column)``, ``polars.Series(column)``.
    """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Any: ...
    @overload
    def __getitem__(self, index: slice, /) -> Column: ...
    def __iter__(self) -> Iterator[Any]: ...
    def to_pylist(self) -> list[Any]:
        """Returns the values as a list."""
    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """Returns the values as a NumPy array. Missing times are ``NaT``. If other values are missing, the array is masked."""
    @property
    def null_count(self) -> int:
        """How many values are missing."""
    @property
    def _columns(self) -> list[tuple[str, Column]]: ...
    @property
    def _num_chunks(self) -> int: ...
    def __array__(self, dtype: object = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def compute(
    function: str, id_type: object, column: object, *, field: str | None = None, uuid: bool | None = None
) -> Column:
    """Computes a function of each row of a column. Without `uuid`, IDs have the type `arrow.uuid` if the column has it."""
def generate_column(ids: object, count: int, *, uuid: bool = False) -> Column:
    """Generates a column of IDs, with a generator, or with the one that the whole process shares."""
def backfill_column(ids: object, times: object, *, uuid: bool = False, id_type: object | None = None) -> Column:
    """Makes an ID for each time of a column. `id_type` is the class of its IDs, if it is not that of the backfill."""
def from_numpy(data: bytes, kind: str, width: int, mask: bytes | None = None) -> Column:
    """Returns a column of the bytes of a NumPy array. `kind` is `V` for bytes, `S` or `U` for texts of `width` bytes or
    characters, `i8` for integers, and `s`, `ms`, `us` or `ns` for times. `mask` has a byte for each row that is not 0 if the
    row is missing.
    """
def to_numpy(column: Column) -> tuple[str, bytearray, bytearray | None]:
    """Returns a column as the type and the bytes of a NumPy array. The column is not a structure."""
def describe(
    class_: object, /
) -> tuple[str, str, Literal["bytes", "uuid", "integer"], int, int, tuple[int, int], str, str]:
    """Returns what other libraries have to know of a class of IDs: the name of the specification, the prefix of
    its functions, the natural column, the numbers of bytes and of characters, the lengths of the texts that the constructor accepts, their pattern, and an
    example.
    """
