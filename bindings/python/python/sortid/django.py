"""IDs as fields of Django's models.

::

    from django.db import models
    from sortid import Euid
    from sortid.django import IdField

    class Order(models.Model):
        id = IdField(Euid, primary_key=True, default=Euid.new, editable=False)

    Order.objects.filter(id__range=(Euid.min_at(start), Euid.max_at(end)))
"""

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from sortid._specs import new, read, spec_of
from sortid._typed import AnyId

__all__ = ["IdField", "IdFormField"]

_I = TypeVar("_I", bound=AnyId)
_Set = TypeVar("_Set")
_Get = TypeVar("_Get")

if TYPE_CHECKING:

    class _Field(models.Field[_Set, _Get]): ...

else:

    class _Field(models.Field, Generic[_Set, _Get]): ...


class IdFormField(forms.CharField):
    """A field of a form with the text of an ID."""

    def __init__(self, id_class: type[AnyId], **options: Any) -> None:
        spec_of(id_class)
        self.id_class: type[Any] = id_class
        super().__init__(**options)

    def to_python(self, value: Any) -> Any:
        text: object = value if isinstance(value, self.id_class) else super().to_python(value)
        return None if text in self.empty_values else _read(self.id_class, text)


class IdField(_Field[_Set, _Get]):
    """A field of IDs, such as ``IdField(Euid)``.

    In PostgreSQL, the column has the type ``uuid`` for EUIDs and Event IDs, ``bytea`` for SCRU160s and RON UIDs, and
    ``bigint`` for Ulid-Flakes. In MariaDB and MySQL, it is a ``binary`` of the size of an ID, or a ``bigint``. In SQLite,
    it is a ``blob`` or an ``integer``. It sorts like the IDs.

    The values of a query are IDs of the class, or their texts.
    """

    description = "A time-sortable ID"
    empty_strings_allowed = False

    @overload
    def __init__(
        self: "IdField[_I | str, _I]",
        id_class: type[_I],
        verbose_name: Any = None,
        *,
        null: Literal[False] = False,
        **options: Any,
    ) -> None: ...
    @overload
    def __init__(
        self: "IdField[_I | str | None, _I | None]",
        id_class: type[_I],
        verbose_name: Any = None,
        *,
        null: Literal[True],
        **options: Any,
    ) -> None: ...
    def __init__(self, id_class: type[Any], verbose_name: Any = None, **options: Any) -> None:
        spec_of(id_class)
        self.id_class = id_class
        super().__init__(verbose_name, **options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, arguments, options = super().deconstruct()
        return name, path, [self.id_class, *arguments], options

    def get_internal_type(self) -> str:
        return "IdField"

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        spec = spec_of(self.id_class)
        match connection.vendor, spec.column:
            case "sqlite", "integer":
                return "integer"
            case _, "integer":
                return "bigint"
            case "postgresql", "uuid":
                return "uuid"
            case "postgresql", _:
                return "bytea"
            case "sqlite", _:
                return "blob"
            case _:
                return f"binary({spec.size})"

    def to_python(self, value: Any) -> Any:
        return None if value is None else _read(self.id_class, value)

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return None if value is None else read(self.id_class, value)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        id = value if prepared else self.get_prep_value(value)
        if id is None:
            return None
        match connection.vendor, spec_of(self.id_class).column:
            case _, "integer":
                return int(id)
            case "postgresql", "uuid":
                return UUID(bytes=bytes(id))
            case _:
                database: Any = connection
                return database.Database.Binary(bytes(id))

    def from_db_value(self, value: Any, _expression: Any, _connection: BaseDatabaseWrapper) -> Any:
        return None if value is None else new(self.id_class, value)

    def value_to_string(self, obj: models.Model) -> str:
        value = self.value_from_object(obj)
        return "" if value is None else str(value)

    def formfield(self, **options: Any) -> Any:
        form: dict[str, Any] = {"form_class": IdFormField, "id_class": self.id_class, **options}
        return super().formfield(**form)


def _read(id_class: type[Any], value: object) -> Any:
    try:
        return read(id_class, value)
    except (TypeError, ValueError) as error:
        context = {"title": spec_of(id_class).title, "error": error}
        raise ValidationError("Enter a valid %(title)s: %(error)s.", "invalid", context) from None
