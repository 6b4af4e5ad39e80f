"""IDs in messages of msgspec.

>>> import msgspec
>>> from sortid import Euid
>>> from sortid.msgspec import dec_hook, enc_hook
>>> class Order(msgspec.Struct):
...     id: Euid
>>> text = msgspec.json.encode(Order(Euid("1HZP2F3TARAH1VEXW8BDJPEKP44")), enc_hook=enc_hook)
>>> text
b'{"id":"1HZP2F3TARAH1VEXW8BDJPEKP44"}'
>>> msgspec.json.decode(text, type=Order, dec_hook=dec_hook)
Order(id=Euid('1HZP2F3TARAH1VEXW8BDJPEKP44'))
"""

from typing import Any

from sortid._specs import is_id_class, new, spec_of

__all__ = ["dec_hook", "enc_hook"]


def enc_hook(obj: object) -> str:
    """Returns the text of an ID, for the argument ``enc_hook`` of msgspec."""
    if is_id_class(type(obj)):
        return str(obj)
    raise NotImplementedError(f"expected an ID, found {type(obj).__name__}")


def dec_hook(type: type[Any], obj: Any) -> Any:
    """Returns the ID of a text, of bytes, or of the integer of a Ulid-Flake, for the argument ``dec_hook`` of msgspec."""
    if not is_id_class(type):
        raise NotImplementedError(f"expected a class of IDs, found {type.__name__}")
    if isinstance(obj, str | bytes) or (isinstance(obj, int) and spec_of(type).column == "integer"):
        return new(type, obj)
    raise TypeError(f"expected {spec_of(type).title} as text, found {obj.__class__.__name__}")
