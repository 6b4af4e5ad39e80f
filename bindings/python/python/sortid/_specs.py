"""What other libraries have to know of IDs: the forms of their texts, and the types of their columns."""

from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from sortid._sortid import Euid, EventId, RonUid, Scru160, UlidFlake, describe

PlainId: TypeAlias = Scru160 | Euid | UlidFlake | RonUid | EventId
PlainType: TypeAlias = type[Scru160] | type[Euid] | type[UlidFlake] | type[RonUid] | type[EventId]
"""A class of IDs."""
CLASSES: Final[tuple[PlainType, ...]] = get_args(PlainId)

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
_SPECS: Final[dict[type[object], Spec]] = {id_class: Spec(*describe(id_class)) for id_class in CLASSES}


def spec_of(id_class: type[object]) -> Spec:
    """Returns the description of a class of IDs, whose texts may have a prefix."""
    if id_class not in _SPECS:
        if not is_id_class(id_class):
            raise TypeError(f"expected a class of IDs, such as sortid.Euid, found {id_class!r}")
        typed: Any = id_class
        _SPECS[id_class] = typed.__sortid_spec__()
    return _SPECS[id_class]


def is_id_class(found: object) -> bool:
    """Returns whether it is a class of IDs, or of typed IDs."""
    return isinstance(found, type) and (found in _SPECS or hasattr(found, "__sortid_spec__"))


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
