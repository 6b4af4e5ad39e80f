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
    "Euid",
    "EventId",
    "Fault",
    "Fleet",
    "FleetError",
    "GenerateError",
    "Generator",
    "Node",
    "OptionError",
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

_I = TypeVar("_I")

class ParseError(ValueError):
    kind: Literal["length", "character", "overflow", "check", "sign", "prefix"]
    position: int | None
    row: int | None

class GenerateError(RuntimeError):
    kind: Literal[
        "exhausted",
        "clock_rollback",
        "clock_out_of_range",
        "ahead",
        "no_time",
        "entropy",
        "other_process",
        "reservation",
    ]

class BackfillError(ValueError):
    kind: Literal["full", "descending", "out_of_range", "no_time", "entropy"]
    index: int | None

class OptionError(ValueError):
    option: str

class FleetError(RuntimeError):
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
    def bytes(self) -> builtins.bytes: ...
    @property
    def int(self) -> builtins.int: ...
    @property
    def hex(self) -> str: ...
    def fields(self) -> dict[str, Any]: ...
    @staticmethod
    def is_valid(text: str, /) -> bool: ...

@final
class Scru160(_Id):
    MIN: ClassVar[Scru160]
    MAX: ClassVar[Scru160]
    def __new__(cls, value: str | _Buffer | SupportsIndex | Scru160, /) -> Scru160: ...
    @classmethod
    def new(cls) -> Scru160: ...
    @staticmethod
    def from_fields(*, timestamp_ms: int, counter: int, random16: int, random80: bytes | Sequence[int]) -> Scru160: ...
    @staticmethod
    def min_at(time: datetime, /) -> Scru160: ...
    @staticmethod
    def max_at(time: datetime, /) -> Scru160: ...
    @staticmethod
    def generator(
        *,
        micros: bool = False,
        counter_start_bits: int | None = None,
        counter_extension_bits: int | None = None,
        node: int | None = None,
        node_bits: int | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[Scru160]: ...
    @staticmethod
    def backfill(
        *,
        micros: bool = False,
        counter_start_bits: int | None = None,
        counter_extension_bits: int | None = None,
        node: int | None = None,
        node_bits: int | None = None,
        ascending: bool = False,
        borrow: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[Scru160]: ...
    def encode_hex(self) -> str: ...
    @property
    def time(self) -> datetime: ...
    @property
    def unix_micros(self) -> int: ...
    @property
    def timestamp_ms(self) -> int: ...
    @property
    def counter(self) -> int: ...
    @property
    def random16(self) -> int: ...
    @property
    def random80(self) -> bytes: ...

@final
class Euid(_Id):
    MIN: ClassVar[Euid]
    MAX: ClassVar[Euid]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | Euid, /) -> Euid: ...
    @classmethod
    def new(cls) -> Euid: ...
    @staticmethod
    def from_fields(
        *,
        timestamp_ms: int,
        random_upper: int,
        random_high: int,
        random_low: int,
        extension: int | None = None,
        extension_bits: int | None = None,
    ) -> Euid: ...
    @staticmethod
    def min_at(time: datetime, /) -> Euid: ...
    @staticmethod
    def max_at(time: datetime, /) -> Euid: ...
    @staticmethod
    def generator(
        *,
        extension: int | None = None,
        extension_bits: int | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[Euid]: ...
    @staticmethod
    def backfill(
        *,
        extension: int | None = None,
        extension_bits: int | None = None,
        ascending: bool = False,
        borrow: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[Euid]: ...
    def encode_without_check(self) -> str: ...
    @property
    def uuid(self) -> UUID: ...
    @property
    def time(self) -> datetime: ...
    @property
    def unix_micros(self) -> int: ...
    @property
    def timestamp_ms(self) -> int: ...
    @property
    def random_upper(self) -> int: ...
    @property
    def extension(self) -> int | None: ...
    @property
    def extension_bits(self) -> int: ...
    @property
    def check(self) -> int: ...
    @property
    def random_high(self) -> int: ...
    @property
    def random_low(self) -> int: ...

@final
class UlidFlake(_Id):
    MIN: ClassVar[UlidFlake]
    MAX: ClassVar[UlidFlake]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UlidFlake, /) -> UlidFlake: ...
    @classmethod
    def new(cls) -> UlidFlake: ...
    @staticmethod
    def from_fields(*, timestamp_ms: int, randomness: int, scalability: int | None = None) -> UlidFlake: ...
    @staticmethod
    def min_at(time: datetime, /) -> UlidFlake: ...
    @staticmethod
    def max_at(time: datetime, /) -> UlidFlake: ...
    @staticmethod
    def generator(
        *,
        node: int | None = None,
        epoch: datetime | None = None,
        entropy_bytes: int | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[UlidFlake]: ...
    @staticmethod
    def backfill(
        *,
        node: int | None = None,
        epoch: datetime | None = None,
        entropy_bytes: int | None = None,
        ascending: bool = False,
        borrow: timedelta | None = None,
        seed: int | None = None,
    ) -> Backfill[UlidFlake]: ...
    def time_with(self, epoch: datetime, /) -> datetime: ...
    @property
    def time(self) -> datetime: ...
    @property
    def unix_micros(self) -> int: ...
    @property
    def timestamp_ms(self) -> int: ...
    @property
    def randomness(self) -> int: ...
    @property
    def scalable_randomness(self) -> int: ...
    @property
    def scalability(self) -> int: ...

@final
class RonUid(_Id):
    MIN: ClassVar[RonUid]
    MAX: ClassVar[RonUid]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | RonUid, /) -> RonUid: ...
    @staticmethod
    def from_fields(*, value: str | int, origin: str | int | None = None, scheme: _Scheme = "name") -> RonUid: ...
    @staticmethod
    def min_at(time: datetime, /) -> RonUid: ...
    @staticmethod
    def max_at(time: datetime, /) -> RonUid: ...
    @staticmethod
    def generator(
        origin: str | int,
        *,
        session_digits: int | None = None,
        min_length: int | None = None,
        future_bound: timedelta | None = None,
        rollback_allowance: timedelta | None = None,
        clock: _Clock | None = None,
        seed: int | None = None,
    ) -> Generator[RonUid]: ...
    @staticmethod
    def backfill(
        origin: str | int,
        *,
        session_digits: int | None = None,
        min_length: int | None = None,
        ascending: bool = False,
        borrow: timedelta | None = None,
    ) -> Backfill[RonUid]: ...
    def zip(self, context: RonUid, /) -> str: ...
    @staticmethod
    def unzip(text: str, context: RonUid, /) -> RonUid: ...
    @staticmethod
    def parse_vector(text: str, /) -> list[RonUid]: ...
    @staticmethod
    def format_vector(uids: Iterable[RonUid], /) -> str: ...
    @property
    def uuid(self) -> UUID: ...
    @property
    def time(self) -> datetime | None: ...
    @property
    def unix_micros(self) -> int | None: ...
    @property
    def value(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def value_int(self) -> int: ...
    @property
    def origin_int(self) -> int: ...
    @property
    def scheme(self) -> _Scheme: ...

@final
class EventId(_Id):
    MIN: ClassVar[EventId]
    MAX: ClassVar[EventId]
    def __new__(cls, value: str | _Buffer | SupportsIndex | UUID | EventId, /) -> EventId: ...
    @staticmethod
    def from_fields(*, timestamp_us: int, checksum: str | int, ledger_id: str | int) -> EventId: ...
    @staticmethod
    def min_at(time: datetime, /) -> EventId: ...
    @staticmethod
    def max_at(time: datetime, /) -> EventId: ...
    @staticmethod
    def generator(
        ledger_id: str | int, *, rollback_allowance: timedelta | None = None, clock: _Clock | None = None
    ) -> Generator[EventId]: ...
    @staticmethod
    def backfill(
        ledger_id: str | int, *, ascending: bool = False, borrow: timedelta | None = None
    ) -> Backfill[EventId]: ...
    @property
    def uuid(self) -> UUID: ...
    @property
    def time(self) -> datetime: ...
    @property
    def unix_micros(self) -> int: ...
    @property
    def timestamp_us(self) -> int: ...
    @property
    def checksum(self) -> str: ...
    @property
    def ledger_id(self) -> str: ...
    @property
    def version(self) -> int: ...

@final
class Generator(Generic[_I]):
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def generate(self) -> _I: ...
    def try_generate(self) -> _I: ...
    def generate_many(self, count: int, /) -> list[_I]: ...
    def generate_async(self) -> Coroutine[Any, Any, _I]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> _I: ...
    def resume_after(self, id: _I, /) -> None: ...
    def observe(self, id: _I, /) -> None: ...
    @property
    def rollbacks(self) -> int: ...
    @property
    def ahead(self) -> timedelta: ...

@final
class Backfill(Generic[_I]):
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def generate(self, time: datetime, /) -> _I: ...
    def generate_all(self, times: Iterable[datetime], /) -> list[_I]: ...
    def resume_after(self, id: _I, /) -> None: ...

@final
class Fleet:
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
    def init(self, size: int, /) -> bool: ...
    def join(self, node_id: int | None = None) -> Node: ...

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
    @property
    def id(self) -> int: ...
    @property
    def generation(self) -> int: ...
    @property
    def status(self) -> _Status: ...
    def generator(self, id_class: type[_I], /, **options: Any) -> Generator[_I]: ...
    def release(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Fault:
    @property
    def line(self) -> int: ...
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
    ]: ...
    @property
    def expected(self) -> str: ...
    @property
    def found(self) -> str: ...
    @property
    def message(self) -> str: ...

@final
class Report:
    @property
    def valid(self) -> bool: ...
    @property
    def events(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @property
    def faults(self) -> int: ...
    @property
    def listed(self) -> list[Fault]: ...
    @property
    def profile(self) -> Literal["classic", "entities"] | None: ...
    @property
    def genesis(self) -> Literal["published", "deployed", "trusted"] | None: ...
    @property
    def ledger_id(self) -> str | None: ...
    @property
    def last_event_id(self) -> EventId | None: ...

def verify_ledger(
    path: str | PathLike[str], *, profile: str | None, strict: bool, after: EventId | None, listed: int
) -> Report: ...

@final
class Column:
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Any: ...
    @overload
    def __getitem__(self, index: slice, /) -> Column: ...
    def __iter__(self) -> Iterator[Any]: ...
    def to_pylist(self) -> list[Any]: ...
    def to_numpy(self) -> numpy.ndarray[Any, Any]: ...
    @property
    def null_count(self) -> int: ...
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
) -> Column: ...
def generate_column(ids: object, count: int, *, uuid: bool = False) -> Column: ...
def backfill_column(ids: object, times: object, *, uuid: bool = False) -> Column: ...
def from_numpy(data: bytes, kind: str, width: int, mask: bytes | None = None) -> Column: ...
def to_numpy(column: Column) -> tuple[str, bytearray, bytearray | None]: ...
def describe(
    class_: object, /
) -> tuple[str, str, Literal["bytes", "uuid", "integer"], int, int, tuple[int, int], str, str]: ...
