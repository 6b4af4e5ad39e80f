"""Typed IDs."""
# The functions below the class are a part of it.
# pyright: reportPrivateUsage=false, reportConstantRedefinition=false

from __future__ import annotations

import re
from datetime import datetime
from typing import (
    Any,
    ClassVar,
    Generic,
    NoReturn,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
)
from uuid import UUID

from sortid._sortid import Euid, ParseError, Scru160, UlidFlake
from sortid._specs import CLASSES, PlainId, PlainType, Spec, spec_of

_I = TypeVar("_I", bound=PlainId)
_T = TypeVar("_T", bound="TypedId[Any]")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
# pyright does not look at the members of a bound that is a protocol.
_New = TypeVar("_New", bound="TypedId[Scru160] | TypedId[Euid] | TypedId[UlidFlake]")


class _Of(Protocol[_R_co]):
    """A typed ID of such an ID."""

    @property
    def id(self) -> _R_co: ...


class _WithTime(Protocol[_R_co]):
    """An ID whose time has this type."""

    @property
    def time(self) -> _R_co: ...


class _WithUuid(Protocol):
    """An ID of 128 bits."""

    @property
    def uuid(self) -> UUID: ...


class _Least:
    """The least ID."""

    def __get__(self, typed: object, owner: type[_T]) -> _T:
        return _bound(owner, "MIN")


class _Greatest:
    """The greatest ID."""

    def __get__(self, typed: object, owner: type[_T]) -> _T:
        return _bound(owner, "MAX")


class TypedId(Generic[_I]):
    """The base of ID types of your own, such as ``OrderId`` and ``UserId``, which cannot be mixed up.

    >>> from sortid import Euid, TypedId
    >>> class OrderId(TypedId[Euid], prefix="order"):
    ...     '''The ID of an order.'''
    >>> order = OrderId("order_1HZP2F3TARAH1VEXW8BDJPEKP44")
    >>> order.id
    Euid('1HZP2F3TARAH1VEXW8BDJPEKP44')
    >>> print(order.time)
    2024-06-06 06:06:06.666000+00:00
    >>> order < OrderId.new()
    True

    The argument is a text with the prefix, an ID of the class in brackets, or any other value that this class accepts. All
    texts have the prefix, and bytes and integers do not have it. A prefix has 1 to 63 characters ``a`` to ``z`` and ``_``,
    with a letter at both ends. Without ``prefix=``, texts have no prefix.

    IDs of different types are not equal, and have no order. A generator makes plain IDs: ``map(OrderId, Euid.generator())``
    makes typed ones.
    """

    __slots__ = ("_id",)

    _id: Any
    _id_class: ClassVar[Any] = None
    _start: ClassVar[str] = ""

    PREFIX: ClassVar[str] = ""
    """The prefix, without the ``_`` after it."""

    MIN = _Least()
    MAX = _Greatest()

    def __init_subclass__(cls, *, prefix: str | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        for base in cls.__dict__.get("__orig_bases__", ()):
            origin = get_origin(base)
            if isinstance(origin, type) and issubclass(origin, TypedId):
                (argument,) = get_args(base)
                if argument in CLASSES:
                    cls._id_class = argument
                elif not isinstance(argument, TypeVar):
                    raise TypeError(f"expected a class of IDs, such as sortid.Euid, found {argument!r}")
        if prefix is not None:
            if not re.fullmatch("[a-z]([a-z_]{0,61}[a-z])?", prefix):
                raise ValueError(
                    f'the prefix "{prefix}" of {cls.__name__} is not 1 to 63 characters '
                    "'a' to 'z' and '_', with a letter at both ends"
                )
            cls.PREFIX = prefix
            cls._start = f"{prefix}_"

    def __new__(cls, value: str | bytes | bytearray | memoryview | SupportsIndex | UUID | _I | Self, /) -> Self:
        if type(value) is cls:
            return value
        id_class = cls._id_class or class_of(cls)
        if cls._start and isinstance(value, str):
            return _typed(cls, _parse(id_class, cls._start, value))
        return _typed(cls, id_class(value))

    # Only types whose IDs need no options have it.
    @classmethod
    def new(cls: type[_New]) -> _New:  # noqa: PYI019
        """Generates an ID with the generator that the whole process shares."""
        id_class = class_of(cls)
        try:
            new = id_class.new
        except AttributeError:
            raise TypeError(
                f"{id_class.__name__} has no generator that a process shares: "
                f"pass the IDs of a {id_class.__name__}.generator(…) to {cls.__name__}"
            ) from None
        return _typed(cls, new())

    @classmethod
    def is_valid(cls, text: str, /) -> bool:
        """Returns whether the text is an ID of this type, with its prefix."""
        start = cls._start
        valid: bool = text.startswith(start) and class_of(cls).is_valid(text[len(start) :])
        return valid

    @classmethod
    def min_at(cls, time: datetime, /) -> Self:
        """Returns the least ID of the tick that contains the time: the lower bound of a query by time."""
        return _typed(cls, class_of(cls).min_at(time))

    @classmethod
    def max_at(cls, time: datetime, /) -> Self:
        """Returns the greatest ID of the tick that contains the time: the upper bound of a query by time."""
        return _typed(cls, class_of(cls).max_at(time))

    @property
    def id(self) -> _I:
        """The ID without the type."""
        id: _I = self._id
        return id

    @property
    def time(self: _Of[_WithTime[_R]]) -> _R:
        """When the ID was made, in UTC. ``None`` if the ID has no time."""
        return self.id.time

    @property
    def uuid(self: _Of[_WithUuid]) -> UUID:
        """The bytes as a ``uuid.UUID``, for columns of that type. Its version has no meaning."""
        return self.id.uuid

    def __str__(self) -> str:
        return f"{self._start}{self._id}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"

    def __format__(self, format_spec: str, /) -> str:
        return format(self._id, format_spec) if format_spec in ("x", "X") else format(str(self), format_spec)

    def __bytes__(self) -> bytes:
        return bytes(self._id)

    def __int__(self) -> int:
        return int(self._id)

    def __eq__(self, other: Any, /) -> bool:
        return bool(self._id == other._id) if type(other) is type(self) else NotImplemented

    def __lt__(self, other: Self, /) -> bool:
        return bool(self._id < other._id) if type(other) is type(self) else NotImplemented

    def __le__(self, other: Self, /) -> bool:
        return bool(self._id <= other._id) if type(other) is type(self) else NotImplemented

    def __gt__(self, other: Self, /) -> bool:
        return bool(self._id > other._id) if type(other) is type(self) else NotImplemented

    def __ge__(self, other: Self, /) -> bool:
        return bool(self._id >= other._id) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._id)

    def __setattr__(self, name: str, value: object, /) -> NoReturn:
        raise AttributeError(f"{name} is read-only: an ID does not change")

    def __delattr__(self, name: str, /) -> NoReturn:
        raise AttributeError(f"{name} is read-only: an ID does not change")

    def __reduce__(self) -> tuple[type[Self], tuple[bytes]]:
        return type(self), (bytes(self._id),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any, /) -> Self:
        return self

    @classmethod
    def __sortid_spec__(cls) -> Spec:
        plain, start = spec_of(class_of(cls)), cls._start
        least, greatest = plain.lengths
        return plain._replace(
            chars=len(start) + plain.chars,
            lengths=(len(start) + least, len(start) + greatest),
            pattern=f"^{start}{plain.pattern.removeprefix('^')}",
            example=start + plain.example,
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        from sortid._pydantic import core_schema

        return core_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, Any]:
        from sortid._pydantic import json_schema

        return json_schema(cls)


AnyId: TypeAlias = PlainId | TypedId[Any]
IdType: TypeAlias = PlainType | type[TypedId[Any]]
"""A class of IDs, or of typed IDs."""


def class_of(typed: type[TypedId[Any]]) -> Any:
    """Returns the class of the IDs."""
    if typed._id_class is None:
        raise TypeError(f"expected a type that names its class of IDs, such as TypedId[Euid], found {typed.__name__}")
    return typed._id_class


_allocate = object.__new__
# The type refuses assignments, so this function sets the slot.
_set_id = TypedId.__dict__["_id"].__set__


def _typed(typed: type[_T], id: object) -> _T:
    self = _allocate(typed)
    _set_id(self, id)
    return self


def _bound(typed: type[_T], name: str) -> _T:
    # `hasattr` and what asks it expect this error of an attribute that is not there.
    if typed._id_class is None:
        raise AttributeError(f"{typed.__name__} names no class of IDs, such as TypedId[Euid], so it has no {name}")
    return _typed(typed, getattr(typed._id_class, name))


def _parse(id_class: Any, start: str, text: str) -> object:
    """Parses a text that starts with a prefix."""
    if not text.startswith(start):
        found = f"starts with {_quoted(text)}" if text else "is empty"
        raise _error("prefix", None, f'the text {found}, expected the prefix "{start}"')
    try:
        return id_class(text[len(start) :])
    except ParseError as error:
        kind, position, message = error.kind, error.position, str(error)
    if kind == "length":
        expected, found = message.rsplit(", found", 1)
        message = f'{expected} after "{start}", found{found}'
    if position is not None:
        message = message.replace(f" at position {position}", f" at position {position + len(start)}", 1)
        position += len(start)
    raise _error(kind, position, message)


def _error(kind: Any, position: int | None, message: str) -> ParseError:
    error = ParseError(message)
    error.kind, error.position = kind, position
    return error


def _quoted(text: str) -> str:
    """Returns the start of the text in quotes: at most 24 bytes, and whole characters."""
    start = text.encode(errors="surrogatepass")[:24].decode(errors="ignore")
    shown = "".join(
        char
        if char.isprintable() and char not in '"\\'
        else f"\\u{{{ord(char):x}}}"
        if char not in '"\\'
        else f"\\{char}"
        for char in start
    )
    return f'"{shown}"' if start == text else f'"{shown}…"'
