"""IDs in messages of msgspec, and in the JSON of the standard library."""

import json
import types
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specs import CLASSES, EUID, FACTS, PLAIN, ULID_FLAKE, OrderId, UserId, VisitId, ids

from sortid import Euid, UlidFlake

msgspec = pytest.importorskip("msgspec")

from sortid.msgspec import dec_hook, enc_hook  # noqa: E402


class Order(msgspec.Struct):  # type: ignore[misc,name-defined]
    id: Euid
    order: OrderId | None = None
    visits: list[UlidFlake] = []


@pytest.mark.parametrize("id_class", [*CLASSES, OrderId, VisitId], ids=lambda id_class: id_class.__name__)
@pytest.mark.parametrize("form", ["json", "msgpack", "yaml"])
@given(data=st.data())
def test_round_trips(id_class: type[Any], form: str, data: st.DataObject) -> None:
    plain = PLAIN[id_class]
    id = id_class(data.draw(ids(plain)))
    if form == "yaml":
        pytest.importorskip("yaml")
    library = getattr(msgspec, form)
    encoded = library.encode([id], enc_hook=enc_hook)
    assert library.decode(encoded) == [str(id)]
    decoded = library.decode(encoded, type=types.GenericAlias(list, (id_class,)), dec_hook=dec_hook)
    assert decoded == [id]
    assert type(decoded[0]) is id_class
    if form == "msgpack":
        assert library.decode(library.encode(bytes(id)), type=id_class, dec_hook=dec_hook) == id
    if plain is UlidFlake:
        assert library.decode(library.encode(int(id)), type=id_class, dec_hook=dec_hook) == id
    assert msgspec.convert(str(id), id_class, dec_hook=dec_hook) == id
    assert msgspec.to_builtins([id], enc_hook=enc_hook) == [str(id)]


def test_a_message() -> None:
    order = Order(EUID, OrderId(EUID), [ULID_FLAKE])
    encoder, decoder = msgspec.json.Encoder(enc_hook=enc_hook), msgspec.json.Decoder(Order, dec_hook=dec_hook)
    text = encoder.encode(order)
    assert json.loads(text) == {"id": str(EUID), "order": f"order_{EUID}", "visits": [str(ULID_FLAKE)]}
    assert decoder.decode(text) == order
    assert decoder.decode(f'{{"id":"{EUID}"}}') == Order(EUID)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id":"x"}', "expected 27 characters, found 1 - at `$.id`"),
        ('{"id":5}', "expected EUID as text, found int - at `$.id`"),
        ('{"id":null}', "expected EUID as text, found NoneType - at `$.id`"),
        ('{"id":true}', "expected EUID as text, found bool - at `$.id`"),
    ],
)
def test_errors_have_the_sentences_of_the_package(text: str, message: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(text, type=Order, dec_hook=dec_hook)
    assert str(caught.value) == message


def test_other_types_are_left_to_msgspec() -> None:
    with pytest.raises(NotImplementedError, match="^expected an ID, found object$"):
        msgspec.json.encode(object(), enc_hook=enc_hook)
    with pytest.raises(NotImplementedError, match="^expected a class of IDs, found complex$"):
        msgspec.json.decode("5", type=complex, dec_hook=dec_hook)
    for other in (True, -1, 2**63):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(json.dumps(other), type=UlidFlake, dec_hook=dec_hook)


@dataclass(frozen=True)
class Shipment:
    """A class with IDs, which the standard library compares, hashes and prints."""

    id: Euid = field(default_factory=Euid.new)
    order: OrderId = field(default_factory=OrderId.new)


@pytest.mark.parametrize("id_class", CLASSES)
def test_json_of_the_standard_library(id_class: type[Any]) -> None:
    id = id_class(FACTS[id_class].example)
    assert json.dumps({"id": id}, default=str) == f'{{"id": "{id}"}}'
    with pytest.raises(TypeError, match="not JSON serializable"):
        json.dumps(id)
    with pytest.raises(TypeError, match="keys must be str"):
        json.dumps({id: 1}, default=str)


def test_dataclasses() -> None:
    shipment = Shipment(EUID, OrderId(EUID))
    assert asdict(shipment) == {"id": EUID, "order": OrderId(EUID)}
    assert json.dumps(asdict(shipment), default=str) == f'{{"id": "{EUID}", "order": "order_{EUID}"}}'
    assert shipment == Shipment(EUID, OrderId(EUID))
    assert hash(shipment) == hash(Shipment(EUID, OrderId(EUID)))
    assert Shipment().id < Shipment().id
    assert UserId(EUID) != shipment.order
