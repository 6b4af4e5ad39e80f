"""IDs in models of pydantic: validation, serialization, and JSON schemas."""

import json
import re
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from specs import CLASSES, EUID, FACTS, PLAIN, ULID_FLAKE, OrderId, UserId, VisitId, ids

from sortid import Euid, EventId, ParseError, RonUid, Scru160, UlidFlake

each = pytest.mark.parametrize("id_class", [*CLASSES, OrderId, VisitId], ids=lambda id_class: id_class.__name__)

TEXT = str(EUID)
ORDER = f"order_{EUID}"


class Order(BaseModel):
    """A model with IDs in all places."""

    id: Euid = Field(default_factory=Euid.new)
    order: OrderId | None = None
    visits: list[UlidFlake] = []
    counts: dict[Euid, int] = {}


def example(id_class: type[Any]) -> Any:
    return {OrderId: OrderId(EUID), VisitId: VisitId(ULID_FLAKE)}.get(id_class) or id_class(FACTS[id_class].example)


def error_of(adapter: TypeAdapter[Any], value: Any, **options: Any) -> tuple[str, str]:
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(value, **options)
    (error,) = caught.value.errors()
    return error["type"], error["msg"]


def test_a_model() -> None:
    order = Order.model_validate(
        {"id": TEXT, "order": ORDER, "visits": [ULID_FLAKE.int, str(ULID_FLAKE), ULID_FLAKE], "counts": {TEXT: 1}}
    )
    assert order == Order(id=EUID, order=OrderId(EUID), visits=[ULID_FLAKE] * 3, counts={EUID: 1})
    assert order.model_dump() == {
        "id": EUID,
        "order": OrderId(EUID),
        "visits": [ULID_FLAKE] * 3,
        "counts": {EUID: 1},
    }
    dumped = {"id": TEXT, "order": ORDER, "visits": [str(ULID_FLAKE)] * 3, "counts": {TEXT: 1}}
    assert order.model_dump(mode="json") == dumped
    assert json.loads(order.model_dump_json()) == dumped
    assert Order.model_validate_json(order.model_dump_json()) == order
    assert Order.model_validate_strings({"id": TEXT, "order": ORDER}) == Order(id=EUID, order=OrderId(EUID))
    assert Order().id < Order().id
    assert order.model_copy(deep=True) == order
    assert hash(order.id) == hash(EUID)


@each
@given(data=st.data())
def test_round_trips(id_class: type[Any], data: st.DataObject) -> None:
    plain = PLAIN[id_class]
    id = id_class(data.draw(ids(plain)))
    adapter: TypeAdapter[Any] = TypeAdapter(id_class)
    assert adapter.validate_python(id) is id
    assert adapter.validate_python(str(id)) == id
    assert adapter.validate_python(bytes(id)) == id
    assert adapter.dump_python(id) is id
    assert adapter.dump_python(id, mode="json") == str(id)
    assert adapter.dump_json(id) == json.dumps(str(id)).encode()
    assert adapter.validate_json(adapter.dump_json(id)) == id
    assert adapter.validate_json(adapter.dump_json(id), strict=True) == id
    assert adapter.validate_strings(str(id)) == id
    assert adapter.validate_python(id, strict=True) is id
    if plain is UlidFlake:
        assert adapter.validate_python(int(id)) == id
        assert adapter.validate_json(str(int(id))) == id
    if hasattr(id, "uuid") and plain is not UlidFlake and plain is not Scru160:
        assert adapter.validate_python(id.uuid) == id


@each
def test_other_types_are_refused(id_class: type[Any]) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(id_class)
    is_integer = id_class in (UlidFlake, VisitId)
    others: list[Any] = [None, True, 5.0, [], {}, object(), UserId(EUID)]
    if not is_integer:
        # A number that a client sends is more likely a mistake.
        others.append(5)
    if id_class not in (Euid, OrderId, EventId, RonUid):
        others.append(UUID(int=0))
    forms = "text or an integer" if is_integer else "text"
    for other in others:
        kind, message = error_of(adapter, other)
        assert kind == "sortid_type"
        assert re.fullmatch(f"Input should be a valid [A-Za-z0-9 -]+, as {forms}", message)
    for text in ("null", "true", "5.0", "[]", "{}", "1e5", "-" if is_integer else "5"):
        for strict in (False, True):
            with pytest.raises(ValidationError):
                adapter.validate_json(text, strict=strict)
    # Strict mode takes instances only, as for UUIDs.
    id = example(id_class)
    for other in (str(id), bytes(id), int(id)):
        kind, message = error_of(adapter, other, strict=True)
        assert (kind, message) == ("is_instance_of", f"Input should be an instance of {id_class.__name__}")


def test_a_model_may_be_strict() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        id: Euid

    assert Strict(id=EUID).id is EUID
    assert Strict.model_validate_json(f'{{"id":"{TEXT}"}}').id == EUID
    with pytest.raises(ValidationError):
        Strict(id=TEXT)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id_class", "value", "message"),
    [
        (Euid, "x", "Input should be a valid EUID: expected 27 characters, found 1"),
        (Euid, f"{TEXT[:-1]}5", "Input should be a valid EUID: the check is 5, expected 4"),
        (Euid, b"x", "Input should be a valid EUID: expected 16 bytes, found 1"),
        (Euid, "{title}{error}", "Input should be a valid EUID: expected 27 characters, found 14"),
        (
            Euid,
            "\ud800",
            "Input should be a valid EUID: expected the digits of EUID, found a lone surrogate at position 0",
        ),
        (
            OrderId,
            "user_1",
            'Input should be a valid EUID: the text starts with "user_1", expected the prefix "order_"',
        ),
        (UlidFlake, -1, "Input should be a valid Ulid-Flake: expected an integer from 0 to 2^63 − 1, found -1"),
        (RonUid, "a-b-c", "Input should be a valid RON UID: '-' at position 3, expected at most one sign"),
    ],
)
def test_errors_have_the_sentences_of_the_package(id_class: type[Any], value: Any, message: str) -> None:
    kind, found = error_of(TypeAdapter(id_class), value)
    assert kind == "sortid_parsing"
    assert found == message
    if isinstance(value, str) and "\ud800" not in value:
        with pytest.raises(ValidationError) as caught:
            TypeAdapter(id_class).validate_json(json.dumps(value))
        assert caught.value.errors()[0]["msg"] == found


def test_errors_are_json() -> None:
    with pytest.raises(ValidationError) as caught:
        Order.model_validate({"id": "x", "visits": ["x", 2**63], "order": "x"})
    errors = json.loads(caught.value.json())
    assert [error["loc"] for error in errors] == [["id"], ["order"], ["visits", 0], ["visits", 1]]


@each
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_json_schemas(id_class: type[Any], mode: Any) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(id_class)
    schema = adapter.json_schema(mode=mode)
    assert schema["type"] == "string"
    assert schema["title"] == id_class.__name__
    assert schema["description"].endswith(" as text")
    (shown,) = schema["examples"]
    assert shown == str(id_class(shown))
    assert re.fullmatch(schema["pattern"], shown)
    assert schema["minLength"] <= len(shown) <= schema["maxLength"]
    assert set(schema) == {"type", "title", "description", "examples", "pattern", "minLength", "maxLength"}


def test_the_json_schema_of_a_model() -> None:
    properties = Order.model_json_schema()["properties"]
    assert properties["id"]["pattern"] == "^[0-9A-TV-Za-tv-z]{27}$"
    assert properties["order"]["anyOf"][0]["pattern"] == "^order_[0-9A-TV-Za-tv-z]{27}$"
    assert properties["order"]["anyOf"][0]["maxLength"] == 33
    assert properties["visits"]["items"]["title"] == "UlidFlake"
    assert list(properties["counts"]["patternProperties"]) == ["^[0-9A-TV-Za-tv-z]{27}$"]


@each
@given(data=st.data())
def test_the_pattern_matches_each_text(id_class: type[Any], data: st.DataObject) -> None:
    schema = TypeAdapter(id_class).json_schema()
    plain = PLAIN[id_class]
    text = str(id_class(data.draw(ids(plain))))
    for form in (text, text.lower()) if plain in (Euid, Scru160, UlidFlake, EventId) else (text,):
        assert re.search(schema["pattern"], form)
        assert schema["minLength"] <= len(form) <= schema["maxLength"]
    if plain is Scru160:
        assert re.search(schema["pattern"], bytes(id_class(text)).hex())


@each
@given(data=st.data())
def test_what_the_pattern_does_not_match_is_not_an_id(id_class: type[Any], data: st.DataObject) -> None:
    schema = TypeAdapter(id_class).json_schema()
    digits = st.text(st.sampled_from("0123456789ABCXYZabcxyzIiLlOoUu-+$%([{}])~_* "), max_size=schema["maxLength"] + 1)
    text = data.draw(digits | st.text(max_size=5) | digits.map(lambda text: f"order_{text}"))
    try:
        id_class(text)
    except ParseError:
        return
    assert re.search(schema["pattern"], text)
    assert schema["minLength"] <= len(text) <= schema["maxLength"]
