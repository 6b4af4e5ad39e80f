"""The classes of IDs: constructors, laws, texts, fields, bounds, and bad input."""

import copy
import math
import pickle
import sys
import threading
import weakref
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from specs import CLASSES, EUID, FACTS, TIME, ULID_FLAKE, WITH_NEW, ids, times, unchecked

import sortid
from sortid import ConfigError, Euid, EventId, ParseError, RonUid, Scru160, UlidFlake

each = pytest.mark.parametrize("id_class", CLASSES, ids=lambda id_class: id_class.__name__)


class Text(str):
    """A subclass of ``str``."""


class Index:
    """An object with ``__index__``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> int:
        if isinstance(self.value, type):
            exception: Any = self.value
            raise exception
        value: int = self.value
        return value


@each
@given(data=st.data())
def test_all_forms_are_the_same_id(id_class: type[Any], data: st.DataObject) -> None:
    id = data.draw(ids(id_class))
    size = FACTS[id_class].size
    assert len(id.bytes) == size
    assert bytes(id) == id.bytes
    assert int(id) == id.int == int.from_bytes(id.bytes, "big")
    assert id.hex == id.bytes.hex() == f"{id:x}" == f"{id:X}".lower()
    text = str(id)
    forms = [text, Text(text), id.bytes, bytearray(id.bytes), memoryview(id.bytes), id.int, Index(id.int), id]
    if size == 16:
        assert id.uuid == UUID(bytes=id.bytes)
        forms.append(id.uuid)
    for form in forms:
        again = id_class(form)
        assert again == id
        assert hash(again) == hash(id)
        assert type(again) is id_class
    assert eval(repr(id), {id_class.__name__: id_class}) == id
    assert id_class.is_valid(text)
    assert f"{id}" == format(id, "") == text
    assert f"{id:>50}|" == f"{text:>50}|"


@each
@given(data=st.data())
def test_equality_and_order_are_those_of_the_bytes(id_class: type[Any], data: st.DataObject) -> None:
    a, b = data.draw(ids(id_class)), data.draw(ids(id_class))

    def key(id: Any) -> Any:
        # RON UIDs have an order of their own, in which an event is before a name.
        if id_class is RonUid:
            return id.value_int, id.origin_int, ["event", "derived", "name", "hash"].index(id.scheme)
        return bytes(id)

    assert (a == b) == (a.bytes == b.bytes) == (not a != b)
    assert (a < b) == (key(a) < key(b)) == (b > a)
    assert (a <= b) == (key(a) <= key(b)) == (b >= a)
    assert (a == b) <= (hash(a) == hash(b))
    assert id_class.MIN <= a <= id_class.MAX
    assert sorted([a, b, a]) == sorted([b, a, a])
    assert len({a, id_class(a.bytes), b}) == len({a.bytes, b.bytes})


@each
@given(data=st.data())
def test_an_id_is_pickled_and_copied(id_class: type[Any], data: st.DataObject) -> None:
    id = data.draw(ids(id_class))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(id, protocol)) == id
    assert copy.copy(id) is id
    assert copy.deepcopy([id])[0] is id


@each
@given(data=st.data())
def test_fields_are_attributes(id_class: type[Any], data: st.DataObject) -> None:
    id = data.draw(ids(id_class))
    fields = id.fields()
    assert list(fields) == FACTS[id_class].fields
    assert {name: getattr(id, name) for name in fields} == fields


@each
@given(data=st.data())
def test_bounds_enclose_the_ids_of_a_tick(id_class: type[Any], data: st.DataObject) -> None:
    time = data.draw(times(id_class))
    least, greatest = id_class.min_at(time), id_class.max_at(time)
    tick = timedelta(microseconds=1 if id_class is EventId else 1000)
    start = datetime(1970, 1, 1, tzinfo=UTC) + (time - datetime(1970, 1, 1, tzinfo=UTC)) // tick * tick
    assert least < greatest
    assert least.time == start
    assert greatest.time == start
    assert least.unix_micros == (start - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    last = FACTS[id_class].last
    if last is None or start + tick <= last:
        assert id_class.min_at(start + tick) > greatest


@each
def test_the_time_zone_of_a_bound_does_not_matter(id_class: type[Any]) -> None:
    zone = timezone(timedelta(hours=-7, minutes=30))
    assert id_class.min_at(TIME) == id_class.min_at(TIME.astimezone(zone)) == id_class.min_at(TIME.replace(tzinfo=None))
    assert id_class.max_at(TIME) == id_class.max_at(TIME.replace(tzinfo=None))


@each
def test_times_that_no_id_has_are_refused(id_class: type[Any]) -> None:
    facts = FACTS[id_class]
    wrong = [facts.first - timedelta(microseconds=1), datetime(1, 1, 1, tzinfo=UTC)]
    if facts.last is not None:
        wrong += [facts.last + timedelta(milliseconds=1), datetime.max.replace(tzinfo=UTC)]
    for time in wrong:
        for bound in (id_class.min_at, id_class.max_at):
            with pytest.raises(ParseError) as caught:
                bound(time)
            assert caught.value.kind == "overflow"
    for other in (None, 5, 5.0, "2024-01-01", TIME.date(), TIME.timetz()):
        with pytest.raises(TypeError, match="expected a datetime, found "):
            id_class.min_at(other)


def test_a_time_zone_may_fail() -> None:
    class Zone(tzinfo):
        def dst(self, _time: datetime | None, /) -> timedelta | None:
            return None

        def tzname(self, _time: datetime | None, /) -> str | None:
            return None

    class Broken(Zone):
        def utcoffset(self, _time: datetime | None, /) -> timedelta | None:
            raise RuntimeError("no offset today")

    class Nowhere(Zone):
        def utcoffset(self, _time: datetime | None, /) -> timedelta | None:
            return None

    with pytest.raises(RuntimeError, match="no offset today"):
        Euid.min_at(datetime(2024, 1, 1, tzinfo=Broken()))
    assert Euid.min_at(datetime(2024, 1, 1, tzinfo=Nowhere())) == Euid.min_at(datetime(2024, 1, 1, tzinfo=UTC))


@each
def test_the_examples_of_the_documentation(id_class: type[Any]) -> None:
    text = FACTS[id_class].example
    id = id_class(text)
    assert str(id) == text
    assert repr(id) == f"{id_class.__name__}('{text}')"
    assert id_class.MIN < id < id_class.MAX
    assert type(id_class.MIN) is id_class


def test_fields_have_the_values_of_the_documentation() -> None:
    assert EUID.time == TIME
    assert EUID.fields() == {
        "timestamp_ms": 1717653966666,
        "random_upper": 24913,
        "extension": None,
        "extension_bits": 0,
        "check": 4,
        "random_high": 3990741526,
        "random_low": 3646542769,
    }
    assert ULID_FLAKE.time == TIME
    assert ULID_FLAKE.int == 14246757444195114
    assert ULID_FLAKE.fields() == {
        "timestamp_ms": 13586766666,
        "randomness": 627498,
        "scalable_randomness": 19609,
        "scalability": 10,
    }
    assert ULID_FLAKE.time_with(datetime(1970, 1, 1, tzinfo=UTC)) == TIME - (
        datetime(2024, 1, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    )
    event = EventId("0005cd755a43d79238c05790c0331dd8")
    assert event.time == datetime(2021, 10, 3, 16, 33, 12, 816530, tzinfo=UTC)
    assert event.fields() == {
        "timestamp_us": 1633278792816530,
        "checksum": "38c05790",
        "ledger_id": "c0331dd8",
        "version": 0,
    }
    uid = RonUid("1CQKneD1-X~")
    assert uid.time == datetime(2016, 5, 27, 20, 50, 41, 833000, tzinfo=UTC)
    assert (uid.value, uid.origin, uid.scheme) == ("1CQKneD1", "X~", "event")
    name = RonUid("inc")
    assert (name.time, name.unix_micros, name.scheme) == (None, None, "name")
    assert Scru160("067UO9SF99F5BGAS0A4UOB8AI5JUP3J5").time == TIME


@given(
    st.integers(0, 2**48 - 1), st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1), st.binary(min_size=10, max_size=10)
)
def test_a_scru160_has_the_fields_that_it_was_made_of(
    millis: int, counter: int, random16: int, random80: bytes
) -> None:
    id = Scru160.from_fields(timestamp_ms=millis, counter=counter, random16=random16, random80=random80)
    assert list(id.fields().values()) == [millis, counter, random16, random80]
    assert id == Scru160.from_fields(timestamp_ms=millis, counter=counter, random16=random16, random80=list(random80))
    assert Scru160(id.encode_hex()) == id


@given(st.data(), st.integers(0, 15), st.integers(0, 2**45 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_an_euid_has_the_fields_that_it_was_made_of(
    data: st.DataObject, bits: int, millis: int, high: int, low: int
) -> None:
    upper = data.draw(st.integers(0, 2 ** (15 - bits) - 1))
    extension = data.draw(st.integers(0, 2**bits - 1)) if bits else None
    id = Euid.from_fields(
        timestamp_ms=millis,
        random_upper=upper,
        random_high=high,
        random_low=low,
        extension=extension,
        extension_bits=bits or None,
    )
    fields = id.fields()
    del fields["check"]
    assert list(fields.values()) == [millis, upper, extension, bits, high, low]
    assert Euid(id.encode_without_check()) == id
    assert id.encode_without_check()[:25] == str(id)[:25]


@given(st.integers(0, 2**43 - 1), st.integers(0, 2**15 - 1), st.integers(0, 31))
def test_a_ulid_flake_has_the_fields_that_it_was_made_of(millis: int, randomness: int, scalability: int) -> None:
    id = UlidFlake.from_fields(timestamp_ms=millis, randomness=randomness, scalability=scalability)
    assert (id.timestamp_ms, id.scalable_randomness, id.scalability) == (millis, randomness, scalability)
    assert UlidFlake.from_fields(timestamp_ms=millis, randomness=id.randomness) == id


@given(ids(RonUid))
def test_a_ron_uid_has_the_fields_that_it_was_made_of(uid: RonUid) -> None:
    assert RonUid.from_fields(value=uid.value, origin=uid.origin, scheme=uid.scheme) == uid
    assert RonUid.from_fields(value=uid.value_int, origin=uid.origin_int, scheme=uid.scheme) == uid


@given(ids(EventId))
def test_an_event_id_has_the_fields_that_it_was_made_of(id: EventId) -> None:
    made = EventId.from_fields(timestamp_us=id.timestamp_us, checksum=id.checksum, ledger_id=id.ledger_id)
    assert made == id
    integers = int(id.checksum, 16), int(id.ledger_id, 16)
    assert id == EventId.from_fields(timestamp_us=id.timestamp_us, checksum=integers[0], ledger_id=integers[1])


@given(ids(RonUid), ids(RonUid))
def test_ron_uids_are_compressed(uid: RonUid, context: RonUid) -> None:
    assert RonUid.unzip(uid.zip(context), context) == uid


@given(st.lists(ids(RonUid), max_size=20))
def test_ron_uids_make_vectors(uids: list[RonUid]) -> None:
    vector = RonUid.format_vector(uids)
    assert RonUid.parse_vector(vector) == uids
    assert RonUid.format_vector(iter(uids)) == vector


def test_fields_that_do_not_fit_are_refused() -> None:
    euid = {"timestamp_ms": 0, "random_upper": 0, "random_high": 0, "random_low": 0}
    bad: list[tuple[Any, type[Exception]]] = [
        (lambda: unchecked.Euid.from_fields(**{**euid, "timestamp_ms": 2**45}), ParseError),
        (lambda: unchecked.Euid.from_fields(**{**euid, "random_upper": 2**15}), ParseError),
        (lambda: unchecked.Euid.from_fields(**{**euid, "random_high": 2**32}), OverflowError),
        (lambda: unchecked.Euid.from_fields(**{**euid, "random_high": -1}), OverflowError),
        (lambda: unchecked.Euid.from_fields(**{**euid, "random_high": 10**5000}), OverflowError),
        (lambda: unchecked.Euid.from_fields(**{**euid, "random_high": "1"}), TypeError),
        (lambda: unchecked.Euid.from_fields(**euid, extension=2**15), ConfigError),
        (lambda: unchecked.Euid.from_fields(**euid, extension=4, extension_bits=2), ConfigError),
        (
            lambda: unchecked.Scru160.from_fields(timestamp_ms=2**48, counter=0, random16=0, random80=bytes(10)),
            ParseError,
        ),
        (lambda: unchecked.Scru160.from_fields(timestamp_ms=0, counter=0, random16=0, random80=bytes(9)), ValueError),
        (
            lambda: unchecked.Scru160.from_fields(timestamp_ms=0, counter=0, random16=0, random80="0123456789"),
            TypeError,
        ),
        (lambda: unchecked.UlidFlake.from_fields(timestamp_ms=0, randomness=2**20), ParseError),
        (lambda: unchecked.UlidFlake.from_fields(timestamp_ms=0, randomness=2**15, scalability=0), ParseError),
        (lambda: unchecked.UlidFlake.from_fields(timestamp_ms=0, randomness=2**31, scalability=0), ParseError),
        (lambda: unchecked.UlidFlake.from_fields(timestamp_ms=0, randomness=0, scalability=32), ParseError),
        (lambda: unchecked.RonUid.from_fields(value="a-b"), ParseError),
        (lambda: unchecked.RonUid.from_fields(value="\ud800"), ParseError),
        (lambda: unchecked.RonUid.from_fields(value=2**60), ParseError),
        (lambda: unchecked.RonUid.from_fields(value=-1), TypeError),
        (lambda: unchecked.RonUid.from_fields(value=1.0), TypeError),
        (lambda: unchecked.RonUid.from_fields(value="a", scheme="other"), ParseError),
        (lambda: unchecked.EventId.from_fields(timestamp_us=2**64, checksum=0, ledger_id=0), OverflowError),
        (lambda: unchecked.EventId.from_fields(timestamp_us=0, checksum=2**32, ledger_id=0), TypeError),
        (lambda: unchecked.EventId.from_fields(timestamp_us=0, checksum="x", ledger_id=0), ParseError),
        (lambda: unchecked.RonUid.parse_vector("a,b,\x00"), ParseError),
        (lambda: unchecked.RonUid.format_vector([RonUid("a"), EUID]), TypeError),
        (lambda: unchecked.RonUid.format_vector(5), TypeError),
        (lambda: unchecked.RonUid("a").zip(EUID), TypeError),
        (lambda: unchecked.RonUid.unzip(b"a", RonUid("a")), TypeError),
        (lambda: unchecked.Euid.MIN.fields(1), TypeError),
        (lambda: unchecked.Euid.from_fields(**euid, other=1), TypeError),
    ]
    for number, (call, error) in enumerate(bad):
        with pytest.raises(error):
            pytest.fail(f"number {number} returned {call()}")


@each
@given(text=st.text())
def test_any_text_is_an_id_or_an_error(id_class: type[Any], text: str) -> None:
    try:
        id = id_class(text)
    except ParseError as error:
        assert not id_class.is_valid(text)
        assert error.position is None or 0 <= error.position < len(text)
        assert str(error)
    else:
        assert id_class.is_valid(text)
        assert id_class(str(id)) == id


@each
@given(data=st.data())
def test_a_changed_text_is_another_id_or_an_error(id_class: type[Any], data: st.DataObject) -> None:
    text = str(data.draw(ids(id_class)))
    position = data.draw(st.integers(0, len(text) - 1))
    char = data.draw(st.characters(max_codepoint=255))
    # Some letters may stand for the digits 0 and 1.
    assume(char.lower() != text[position].lower() and char not in "IiLlOo")
    changed = text[:position] + char + text[position + 1 :]
    try:
        id = id_class(changed)
    except ParseError as error:
        # A check is of the whole text. A RON UID may have another wrong sign then.
        assert error.position in (None, position) or id_class is RonUid
    else:
        # The text of an EUID may have no check.
        assert id != id_class(text) or changed.upper() == id.encode_without_check()


@each
@given(data=st.binary(max_size=40))
def test_any_bytes_are_an_id_or_an_error(id_class: type[Any], data: bytes) -> None:
    try:
        id = id_class(data)
    except ParseError as error:
        if len(data) != FACTS[id_class].size:
            assert error.kind == "length"
            assert str(error) == f"expected {FACTS[id_class].size} bytes, found {len(data)}"
        else:
            assert error.kind == "overflow"
    else:
        assert id.bytes == data


@each
@given(value=st.integers() | st.integers(0, 2**160))
def test_any_integer_is_an_id_or_an_error(id_class: type[Any], value: int) -> None:
    try:
        id = id_class(value)
    except ParseError as error:
        assert error.kind == "overflow"
        assert error.position is None
    else:
        assert id.int == value


@each
def test_huge_integers_are_refused_at_once(id_class: type[Any]) -> None:
    bits = 63 if id_class is UlidFlake else 8 * FACTS[id_class].size
    for value, found in [(-1, "-1"), (10**5000, "an integer of 16610 bits"), (-(10**5000), "an integer of 16610 bits")]:
        with pytest.raises(ParseError) as caught:
            id_class(value)
        assert str(caught.value) == f"expected an integer from 0 to 2^{bits} − 1, found {found}"
    with pytest.raises(ParseError):
        id_class(2**bits)


@each
def test_huge_texts_are_refused_at_once(id_class: type[Any]) -> None:
    for text in ("0" * 10_000_000, "\u00e9" * 5_000_000):
        with pytest.raises(ParseError) as caught:
            id_class(text)
        assert len(str(caught.value)) < 200
    with pytest.raises(ParseError):
        id_class(bytes(10_000_000))


@each
def test_lone_surrogates_are_refused(id_class: type[Any]) -> None:
    text = FACTS[id_class].example
    for position in (0, 1, len(text) - 1):
        for surrogate in ("\ud800", "\udfff"):
            bad = text[:position] + surrogate + text[position + 1 :]
            with pytest.raises(ParseError, match=f"found a lone surrogate at position {position}$") as caught:
                id_class(bad)
            assert (caught.value.kind, caught.value.position) == ("character", position)
            assert not id_class.is_valid(bad)


@each
def test_values_of_other_types_are_refused(id_class: type[Any]) -> None:
    others: list[Any] = [
        None, True, False, 5.0, math.nan, 1j, Fraction(5), [], [0] * 16, (), {}, set(), object(), int, id_class, ...,
        range(16), Exception(), lambda: 0,
        *(other.MIN for other in CLASSES if other is not id_class),
    ]  # fmt: skip
    if FACTS[id_class].size != 16:
        others.append(UUID(int=0))
    for other in others:
        with pytest.raises(TypeError) as caught:
            id_class(other)
        uuid = " uuid.UUID," if FACTS[id_class].size == 16 else ""
        start = f"expected a str, bytes, int,{uuid} or {id_class.__name__}, found "
        assert str(caught.value).startswith(start)
        assert str(caught.value).endswith(type(other).__qualname__)
        with pytest.raises(TypeError):
            id_class.is_valid(other)
    for arguments in ((), (FACTS[id_class].example,) * 2):
        with pytest.raises(TypeError):
            id_class(*arguments)
    with pytest.raises(TypeError):
        id_class(value=FACTS[id_class].example)


@each
def test_exceptions_of_arguments_propagate(id_class: type[Any]) -> None:
    with pytest.raises(ZeroDivisionError):
        id_class(Index(ZeroDivisionError))
    with pytest.raises(KeyboardInterrupt):
        id_class(Index(KeyboardInterrupt))
    with pytest.raises(TypeError, match="__index__ returned non-int"):
        id_class(Index("5"))
    with pytest.raises(ParseError):
        id_class(Index(-1))


@each
def test_views_of_memory(id_class: type[Any]) -> None:
    id = id_class(FACTS[id_class].example)
    size = FACTS[id_class].size
    twice = bytes(byte for byte in id.bytes for _ in range(2))
    assert id_class(memoryview(twice)[::2]) == id
    assert id_class(memoryview(bytearray(id.bytes)).cast("B", (2, size // 2))) == id
    assert id_class(memoryview(id.bytes[::-1])[::-1]) == id
    view = memoryview(id.bytes)
    view.release()
    with pytest.raises(ValueError, match="released"):
        id_class(view)
    with pytest.raises(ParseError, match=f"expected {size} bytes, found 0"):
        id_class(memoryview(b""))


@each
def test_numbers_of_numpy(id_class: type[Any]) -> None:
    numpy = pytest.importorskip("numpy")
    assert id_class(numpy.int64(5)) == id_class(5)
    assert id_class(numpy.uint8(5)) == id_class(5)
    assert id_class(numpy.array(5)) == id_class(5)
    assert id_class(numpy.str_(FACTS[id_class].example)) == id_class(FACTS[id_class].example)
    assert id_class(numpy.bytes_(id_class.MAX.bytes)) == id_class.MAX
    for other in (numpy.bool_(True), numpy.float64(5), numpy.array([1, 2]), numpy.datetime64("2024-01-01")):
        with pytest.raises(TypeError):
            id_class(other)


@each
def test_ids_of_different_classes_are_not_equal_and_have_no_order(id_class: type[Any]) -> None:
    id = id_class.MIN
    for other in (*(other.MIN for other in CLASSES if other is not id_class), 0, "", b"", None, str(id), id.bytes):
        assert id != other
        assert not id == other
        with pytest.raises(TypeError, match="not supported between instances"):
            id < other  # noqa: B015
        assert len({id, other}) == 2


@each
def test_an_id_does_not_change(id_class: type[Any]) -> None:
    id = id_class(FACTS[id_class].example)
    for name in (*FACTS[id_class].fields, "bytes", "int", "hex", "time", "unix_micros", "other"):
        with pytest.raises(AttributeError):
            setattr(id, name, 1)
        with pytest.raises((AttributeError, TypeError, NotImplementedError)):
            delattr(id, name)
    assert str(id) == FACTS[id_class].example
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (id_class,), {})
    with pytest.raises(TypeError, match="cannot create weak reference"):
        weakref.ref(id)
    with pytest.raises(TypeError):
        object.__new__(id_class)


@each
def test_bad_formats(id_class: type[Any]) -> None:
    for spec in ("d", "5.5f", "xx", "\ud800"):
        with pytest.raises(ValueError):
            format(id_class.MIN, spec)
    with pytest.raises(TypeError):
        id_class.MIN.__format__(5)


@each
def test_pickles_with_bad_bytes_are_refused(id_class: type[Any]) -> None:
    pickled = pickle.dumps(id_class.MIN)
    found = pickled.index(id_class.MIN.bytes)
    size = FACTS[id_class].size
    bad = pickled[: found - 1] + bytes([size - 1]) + pickled[found + 1 :]
    with pytest.raises((ParseError, pickle.UnpicklingError)):
        pickle.loads(bad)


def test_errors_are_pickled_with_their_attributes() -> None:
    with pytest.raises(ParseError) as caught:
        Euid("1HZP2F3TARAH1VEXW8BDJPEKPU4")
    error = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(error, ParseError)
    assert isinstance(error, ValueError)
    assert (str(error), error.kind, error.position) == (str(caught.value), "character", 25)
    assert ParseError.__module__ == "sortid"


@pytest.mark.parametrize(
    ("call", "kind", "position", "message"),
    [
        (lambda: Euid("x"), "length", None, "expected 27 characters, found 1"),
        (lambda: Euid("é" * 20), "length", None, "expected 27 characters, found 40 bytes"),
        (lambda: Euid("1HZP2F3TARAH1VEXW8BDJPEKP45"), "check", None, "the check is 5, expected 4"),
        (lambda: Scru160("W" * 32), "character", 0, "'W' at position 0 is not a base32hex digit"),
        (
            lambda: UlidFlake("8" + "0" * 12),
            "overflow",
            None,
            "8000000000000 is above the greatest Ulid-Flake, 7ZZZZZZZZZZZZ",
        ),
        (lambda: RonUid("a-b-c"), "sign", 3, "'-' at position 3, expected at most one sign"),
        (lambda: EventId("0" * 31 + "g"), "character", 31, "'g' at position 31 is not a hex digit"),
    ],
)
def test_messages(call: Any, kind: str, position: int | None, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        call()
    assert (caught.value.kind, caught.value.position, str(caught.value)) == (kind, position, message)


def test_times_after_the_year_9999_are_integers_only() -> None:
    assert EventId.MAX.unix_micros == 2**64 - 1
    with pytest.raises(ValueError, match="use `unix_micros`$"):
        EventId.MAX.time  # noqa: B018
    assert Scru160.MAX.unix_micros == (2**48 - 1) * 1000 or Scru160.MAX.time is not None


@pytest.mark.parametrize("id_class", WITH_NEW)
def test_new_ids_ascend_in_all_threads(id_class: type[Any]) -> None:
    for _ in range(40):
        start = datetime.now(UTC) - timedelta(milliseconds=1)
        made = [id_class.new() for _ in range(100)]
        assert made == sorted(set(made))
        # The generator may be ahead of the clock by a few milliseconds.
        assert start <= made[0].time <= datetime.now(UTC) + timedelta(seconds=1)
    lists: list[list[Any]] = []

    def work() -> None:
        lists.append([id_class.new() for _ in range(2000)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(ids == sorted(ids) for ids in lists)
    assert len({id for ids in lists for id in ids}) == 16000


def test_functions_of_a_class_have_a_module() -> None:
    # Pickles and the migrations of Django name them.
    assert unchecked.Euid.new.__self__ is Euid
    assert pickle.loads(pickle.dumps(Euid.new)) == Euid.new
    assert not hasattr(RonUid, "new")
    assert not hasattr(EventId, "new")


def test_the_documentation_of_fields_is_their_own() -> None:
    assert "timestamp_ms" in dir(Euid)
    docs = {id_class: [getattr(id_class, name).__doc__ for name in FACTS[id_class].fields] for id_class in CLASSES}
    assert all(doc for own in docs.values() for doc in own)
    assert len(set(docs[Euid])) == len(docs[Euid])


def test_importing_the_package_imports_only_the_standard_library() -> None:
    import subprocess

    program = "import sys, sortid, sortid.ledger; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    others = [name for name in found if name not in sys.stdlib_module_names and not name.startswith("_")]
    # The file with the build of a developer, or the installer, may add a module of its own.
    assert [name for name in others if name not in ("sortid", "sitecustomize", "usercustomize")] == []


def test_memory_does_not_grow() -> None:
    bad: list[Any] = ["x", "\ud800", b"x", -1, 5.0, Index(ZeroDivisionError)]

    def work() -> None:
        for value in bad:
            try:
                Euid(value)
            except (TypeError, ValueError, ZeroDivisionError):
                pass
        id = Euid.new()
        pickle.loads(pickle.dumps(id))
        _ = id.time, id.uuid, id.int, id.fields(), str(id), repr(id), hash(id), Euid.min_at(TIME), id == 5, id.check

    for _ in range(100):
        work()
    blocks = sys.getallocatedblocks()
    counts = sys.getrefcount(None), sys.getrefcount(Euid), sys.getrefcount(ParseError)
    for _ in range(2000):
        work()
    assert sys.getallocatedblocks() - blocks < 1000
    assert all(abs(now - then) < 200 for now, then in zip(
        (sys.getrefcount(None), sys.getrefcount(Euid), sys.getrefcount(ParseError)), counts, strict=True
    ))  # fmt: skip


def test_the_version_is_that_of_the_package() -> None:
    assert sortid.__version__.count(".") == 2
    assert set(sortid.__all__) <= set(dir(sortid))
