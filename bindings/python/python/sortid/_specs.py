"""What other libraries have to know of IDs: the forms of their texts, and the types of their columns."""

from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from sortid._sortid import describe
from sortid._typed import CLASSES, PlainId, TypedId, class_of, is_typed, start_of

AnyId: TypeAlias = PlainId | TypedId[Any]

_T = TypeVar("_T")


class Spec(NamedTuple):
    """The description of a class of IDs."""

    title: str
    #: What the functions of SQL begin with.
    prefix: str
    #: The natural column of a database.
    column: Literal["bytes", "uuid", "integer"]
    #: The number of bytes.
    size: int
    #: The number of characters of the longest text that ``str`` returns.
    chars: int
    #: The numbers of characters of the shortest and of the longest text that the constructor accepts.
    lengths: tuple[int, int]
    #: A regular expression that matches all texts, in the dialect of JSON Schema.
    pattern: str
    example: str


# The columns and the patterns are those of the integrations of Rust. Typed IDs are added at their first use.
_SPECS: Final[dict[type[object], Spec]] = {
    id_class: Spec(*describe(id_class)) for id_class in CLASSES
}


def spec_of(id_class: type[object]) -> Spec:
    """Returns the description of a class of IDs, whose texts may have a prefix."""
    if id_class in _SPECS:
        return _SPECS[id_class]
    if not (isinstance(id_class, type) and is_typed(id_class)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a class of IDs, such as sortid.Euid, found {id_class!r}")
    plain, start = _SPECS[class_of(id_class)], start_of(id_class)
    least, greatest = plain.lengths
    spec = plain._replace(
        chars=len(start) + plain.chars,
        lengths=(len(start) + least, len(start) + greatest),
        pattern=f"^{start}{plain.pattern.removeprefix('^')}",
        example=start + plain.example,
    )
    _SPECS[id_class] = spec
    return spec


def is_id_class(found: type[object]) -> bool:
    """Returns whether it is a class of IDs, or of typed IDs."""
    return found in _SPECS or issubclass(found, TypedId)


def read(id_class: type[_T], value: object) -> _T:
    """Returns an instance of the class as it is, and parses a text. Raises a ``TypeError`` for another value."""
    if isinstance(value, id_class):
        return value
    if isinstance(value, str):
        return new(id_class, value)
    raise TypeError(f"expected a str or {id_class.__name__}, found {type(value).__name__}")


def new(id_class: type[_T], value: object) -> _T:
    """Calls the class. Its type says nothing about its arguments."""
    make: Any = id_class
    id: _T = make(value)
    return id
