"""Typed IDs: prefixes, errors, laws, and classes."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specs import CLASSES, EUID, TIME, ULID_FLAKE, OrderId, UserId, VisitId, ids, unchecked

from sortid import Euid, EventId, ParseError, RonUid, Scru160, TypedId, UlidFlake

TEXT = f"order_{EUID}"


class PlaceId(TypedId[RonUid], prefix="place_of_birth"):
    """An ID whose class has no ``new``, and whose digits have ``_``."""


class FileId(TypedId[Scru160], prefix="file"):
    """An ID of 20 bytes."""


class LedgerId(TypedId[EventId]):
    """An ID without a prefix, whose class has no ``new``."""


TYPED: list[tuple[type[Any], type[Any], str]] = [
    (OrderId, Euid, "order_"),
    (VisitId, UlidFlake, ""),
    (PlaceId, RonUid, "place_of_birth_"),
    (FileId, Scru160, "file_"),
    (LedgerId, EventId, ""),
]

each = pytest.mark.parametrize(
    ("typed", "id_class", "start"), TYPED, ids=lambda value: getattr(value, "__name__", None)
)


@each
@given(data=st.data())
def test_all_forms_are_the_same_id(typed: type[Any], id_class: type[Any], start: str, data: st.DataObject) -> None:
    id = data.draw(ids(id_class))
    made = typed(id)
    text = f"{start}{id}"
    forms = [text, id, made, id.bytes, bytearray(id.bytes), memoryview(id.bytes), id.int]
    if hasattr(id, "uuid"):
        assert made.uuid == id.uuid
        forms.append(id.uuid)
    for form in forms:
        again = typed(form)
        assert again == made
        assert hash(again) == hash(made)
        assert again.id == id
        assert type(again) is typed
    assert typed(made) is made
    assert str(made) == text == f"{made}"
    assert eval(repr(made), {typed.__name__: typed}) == made
    assert f"{made:>60}" == f"{text:>60}"
    assert f"{made:x}" == id.hex
    assert f"{made:X}" == id.hex.upper()
    assert (bytes(made), int(made)) == (id.bytes, id.int)
    assert typed.is_valid(text)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(made, protocol)) == made
    assert copy.copy(made) is made
    assert copy.deepcopy([made])[0] is made


@each
@given(data=st.data())
def test_the_order_is_that_of_the_ids(typed: type[Any], id_class: type[Any], start: str, data: st.DataObject) -> None:
    a, b = data.draw(ids(id_class)), data.draw(ids(id_class))
    x, y = typed(a), typed(b)
    assert (x < y, x <= y, x > y, x >= y, x == y, x != y) == (a < b, a <= b, a > b, a >= b, a == b, a != b)
    assert typed.MIN <= x <= typed.MAX
    assert sorted([y, x]) == list(map(typed, sorted([a, b])))


@each
def test_bounds_and_attributes(typed: type[Any], id_class: type[Any], start: str) -> None:
    assert typed.PREFIX == start.removesuffix("_")
    assert typed.MIN.id == id_class.MIN
    assert typed.MAX.id == id_class.MAX
    assert typed.min_at(TIME).id == id_class.min_at(TIME)
    assert typed.max_at(TIME).id == id_class.max_at(TIME)
    assert typed.min_at(TIME).time == TIME
    assert typed.__match_args__ == () if hasattr(typed, "__match_args__") else True
    if id_class in (RonUid, EventId):
        with pytest.raises(TypeError, match=f"^{id_class.__name__} has no generator that a process shares: "):
            typed.new()
    else:
        assert typed.new() < typed.new()
    if id_class in (Scru160, UlidFlake):
        with pytest.raises(AttributeError, match="uuid"):
            typed.MIN.uuid  # noqa: B018


def test_the_example_of_the_documentation() -> None:
    order = OrderId(TEXT)
    assert repr(order) == f"OrderId('{TEXT}')"
    assert (order.id, order.time, order.uuid) == (EUID, TIME, EUID.uuid)
    assert RonUid("inc").time is PlaceId("place_of_birth_inc").time is None
    made = map(OrderId, Euid.generator(extension=7))
    first, second = next(made), next(made)
    assert first < second
    assert first.id.extension == 7


@pytest.mark.parametrize(
    ("text", "kind", "position", "message"),
    [
        ("", "prefix", None, 'the text is empty, expected the prefix "order_"'),
        ("order", "prefix", None, 'the text starts with "order", expected the prefix "order_"'),
        ("Order_x", "prefix", None, 'the text starts with "Order_x", expected the prefix "order_"'),
        (
            f"user_{EUID}",
            "prefix",
            None,
            'the text starts with "user_1HZP2F3TARAH1VEXW8B…", expected the prefix "order_"',
        ),
        (str(EUID), "prefix", None, 'the text starts with "1HZP2F3TARAH1VEXW8BDJPEK…", expected the prefix "order_"'),
        ("x" + "ä" * 30, "prefix", None, f'the text starts with "x{"ä" * 11}…", expected the prefix "order_"'),
        ('"\\\n\ud800', "prefix", None, 'the text starts with "\\"\\\\\\u{a}…", expected the prefix "order_"'),
        ("order_", "length", None, 'expected 27 characters after "order_", found 0'),
        ("order_x", "length", None, 'expected 27 characters after "order_", found 1'),
        ("order_" + "ä" * 20, "length", None, 'expected 27 characters after "order_", found 40 bytes'),
        (f"order_{TEXT}", "length", None, 'expected 27 characters after "order_", found 33'),
        (f"{TEXT[:-1]}5", "check", None, "the check is 5, expected 4"),
        (f"{TEXT[:8]}U{TEXT[9:]}", "character", 8, "'U' at position 8 is not a Crockford base32 digit"),
        (
            f"{TEXT[:8]}\ud800{TEXT[9:]}",
            "character",
            8,
            "expected the digits of EUID, found a lone surrogate at position 8",
        ),
    ],
)
def test_messages(text: str, kind: str, position: int | None, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        OrderId(text)
    assert (caught.value.kind, caught.value.position, str(caught.value)) == (kind, position, message)
    assert caught.value.__context__ is None
    assert not OrderId.is_valid(text)


def test_the_position_of_a_sign_counts_the_prefix() -> None:
    with pytest.raises(ParseError) as caught:
        PlaceId("place_of_birth_a-b-c")
    assert (caught.value.kind, caught.value.position) == ("sign", 18)
    assert str(caught.value).startswith("'-' at position 18, expected ")


@given(st.text())
def test_any_text_is_an_id_or_an_error(text: str) -> None:
    for typed in (OrderId, VisitId, PlaceId):
        for candidate in (text, f"{typed.PREFIX}_{text}"):
            try:
                id = typed(candidate)
            except ParseError as error:
                assert not typed.is_valid(candidate)
                assert error.position is None or 0 <= error.position < len(candidate)
            else:
                assert typed.is_valid(candidate)
                assert typed(str(id)) == id


@pytest.mark.parametrize("other", [UserId(EUID), VisitId(ULID_FLAKE), None, True, 5.0, [], object(), Scru160.MIN])
def test_other_types_are_refused(other: Any) -> None:
    with pytest.raises(TypeError, match="^expected a str, bytes, int, uuid.UUID, or Euid, found "):
        OrderId(other)
    assert OrderId(EUID) != other
    with pytest.raises(TypeError, match="not supported between instances"):
        OrderId(EUID) < other  # noqa: B015
    with pytest.raises((TypeError, AttributeError)):
        OrderId.is_valid(other)


def test_types_cannot_be_mixed_up() -> None:
    order, user = OrderId(EUID), UserId(EUID)
    unchecked_order: Any = OrderId
    assert order != user
    assert order != EUID
    assert EUID != order
    assert len({order, user, EUID, OrderId(EUID)}) == 3
    pairs: list[tuple[Any, Any]] = [(order, user), (order, EUID), (EUID, order), (order, str(order))]
    for one, other in pairs:
        with pytest.raises(TypeError):
            one < other  # noqa: B015
    assert OrderId.min_at(datetime(2024, 1, 1)) == OrderId.min_at(datetime(2024, 1, 1, tzinfo=UTC))
    with pytest.raises(ParseError):
        OrderId.min_at(datetime(1924, 1, 1, tzinfo=UTC))
    with pytest.raises(TypeError):
        unchecked_order()


def test_an_id_does_not_change() -> None:
    order = OrderId(EUID)
    for name in ("_id", "id", "time", "other", "PREFIX"):
        with pytest.raises(AttributeError, match=f"^{name} is read-only: an ID does not change$"):
            setattr(order, name, 1)
        with pytest.raises(AttributeError):
            delattr(order, name)
    assert order == OrderId(EUID)


@pytest.mark.parametrize(
    "prefix", ["", "_", "_a", "a_", "Order", "a1", "a-b", "é", "a" * 64, "order ", "a\n", "\ud800"]
)
def test_prefixes_that_break_the_rules(prefix: str) -> None:
    message = "is not 1 to 63 characters 'a' to 'z' and '_', with a letter at both ends"
    with pytest.raises(ValueError, match="of BadId is not 1 to 63 characters") as caught:

        class BadId(TypedId[Euid], prefix=prefix):
            pass

    assert str(caught.value) == f'the prefix "{prefix}" of BadId {message}'


@pytest.mark.parametrize("prefix", ["a", "ab", "a" * 63, "a_b", "a__b"])
def test_prefixes_that_follow_the_rules(prefix: str) -> None:
    class GoodId(TypedId[Euid], prefix=prefix):
        pass

    assert str(GoodId(EUID)) == f"{prefix}_{EUID}"
    assert GoodId(f"{prefix}_{EUID}").id == EUID


def test_wrong_classes() -> None:
    with pytest.raises(TypeError, match="^expected a class of IDs, such as sortid.Euid, found <class 'int'>$"):

        class BadId(TypedId[int]):  # type: ignore[type-var]
            pass

    with pytest.raises(TypeError):

        class WorseId(TypedId[Euid], prefix=5):  # type: ignore[arg-type]
            pass

    message = "^expected a type that names its class of IDs, such as TypedId\\[Euid\\], found "
    calls: list[Callable[[], Any]] = [
        lambda: unchecked.TypedId(TEXT),
        lambda: unchecked.TypedId[Euid](TEXT),
        lambda: unchecked.TypedId.new(),
        lambda: unchecked.TypedId.min_at(TIME),
        lambda: unchecked.TypedId.is_valid(TEXT),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=message):
            call()


_I = TypeVar("_I", Euid, UlidFlake)


class Linked(TypedId[_I], Generic[_I]):
    """A base with a method that all types of an application have."""

    def link(self) -> str:
        return f"https://shop.example/{self}"


class CartId(Linked[Euid], prefix="cart"):
    pass


class GiftCartId(CartId):
    pass


class ClickId(Linked[UlidFlake]):
    pass


def test_types_may_have_methods_and_bases() -> None:
    assert CartId(EUID).link() == f"https://shop.example/cart_{EUID}"
    assert ClickId(ULID_FLAKE).link() == f"https://shop.example/{ULID_FLAKE}"
    assert str(GiftCartId(EUID)) == f"cart_{EUID}"
    assert GiftCartId(EUID) != CartId(EUID)
    assert pickle.loads(pickle.dumps(GiftCartId(EUID))) == GiftCartId(EUID)
    with pytest.raises(TypeError, match="found Linked$"):
        Linked(EUID)


def test_a_type_may_have_slots() -> None:
    class SmallId(TypedId[Euid]):
        __slots__ = ()

    assert not hasattr(SmallId(EUID), "__dict__")
    assert SmallId(EUID).id == EUID


@pytest.mark.parametrize("id_class", CLASSES)
def test_a_uuid_is_for_classes_of_16_bytes(id_class: type[Any]) -> None:
    class SomeId(TypedId[id_class]):  # type: ignore[valid-type]
        pass

    if hasattr(id_class, "uuid"):
        assert SomeId(UUID(int=0)).uuid == UUID(int=0)
    else:
        with pytest.raises(TypeError):
            SomeId(UUID(int=0))


def test_an_attribute_that_is_not_there_is_an_attribute_error() -> None:
    unnamed: list[Any] = [TypedId]
    named: list[Any] = [OrderId, VisitId, *CLASSES]
    for typed in unnamed:
        for name in dir(typed):
            expected = name not in ("MIN", "MAX", "__abstractmethods__")
            assert hasattr(typed, name) == expected, name
    with pytest.raises(AttributeError, match="TypedId names no class of IDs, such as TypedId.Euid., so it has no MIN"):
        TypedId.MIN  # noqa: B018
    for typed in named:
        for name in dir(typed):
            assert hasattr(typed, name) == (name != "__abstractmethods__"), name
        for name in dir(typed.MIN):
            assert hasattr(typed.MIN, name) == ((typed, name) != (VisitId, "uuid")), name


def test_the_modules_of_the_package_are_attributes() -> None:
    program = "import sortid; assert sortid.columns.time and sortid.ledger.verify"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
