"""The schemas of IDs for pydantic."""

from typing import Any
from uuid import UUID

from pydantic_core import PydanticCustomError
from pydantic_core import core_schema as schemas

from sortid._specs import new, spec_of


def core_schema(id_class: type[object]) -> schemas.CoreSchema:
    """Returns the schema of a class of IDs.

    JSON has the text of an ID, or the integer of a Ulid-Flake. Python code also passes an ID, bytes, or a UUID if the ID has
    128 bits. In strict mode, Python code passes an ID.
    """
    spec = spec_of(id_class)
    json_types: tuple[type, ...] = (str, int) if spec.column == "integer" else (str,)
    python_types = (*json_types, bytes, *((UUID,) if spec.size == 16 else ()))
    forms = " or ".join("an integer" if form is int else "text" for form in json_types)

    # An integer that a client sends is more likely a mistake than an ID of 128 bits, although the class accepts it.
    def validate(value: object, types: tuple[type, ...]) -> object:
        if type(value) is id_class:
            return value
        if not isinstance(value, types) or isinstance(value, bool):
            context = {"title": spec.title, "forms": forms}
            raise PydanticCustomError("sortid_type", "Input should be a valid {title}, as {forms}", context)
        try:
            return new(id_class, value)
        except ValueError as error:
            context = {"title": spec.title, "error": str(error)}
            raise PydanticCustomError("sortid_parsing", "Input should be a valid {title}: {error}", context) from None

    def from_json(value: object) -> object:
        return validate(value, json_types)

    def from_python(value: object) -> object:
        return validate(value, python_types)

    return schemas.json_or_python_schema(
        json_schema=schemas.no_info_plain_validator_function(from_json),
        python_schema=schemas.lax_or_strict_schema(
            lax_schema=schemas.no_info_plain_validator_function(from_python),
            strict_schema=schemas.is_instance_schema(id_class),
        ),
        serialization=schemas.to_string_ser_schema(when_used="json"),
    )


def json_schema(id_class: type[object]) -> dict[str, Any]:
    """Returns the JSON schema of the text."""
    spec = spec_of(id_class)
    least, greatest = spec.lengths
    return {
        "title": id_class.__name__,
        "description": f"{spec.title} as text",
        "type": "string",
        "minLength": least,
        "maxLength": greatest,
        "pattern": spec.pattern,
        "examples": [spec.example],
    }
