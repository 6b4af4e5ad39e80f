"""IDs as columns of SQLAlchemy.

>>> from datetime import datetime, timezone
>>> from sqlalchemy import create_engine, select
>>> from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
>>> from sortid import Euid
>>> from sortid.sqlalchemy import Id
>>> class Base(DeclarativeBase):
...     pass
>>> class Order(Base):
...     __tablename__ = "orders"
...     id: Mapped[Euid] = mapped_column(Id(Euid), primary_key=True, default=Euid.new)
...     customer: Mapped[str]
>>> engine = create_engine("sqlite://")
>>> Base.metadata.create_all(engine)
>>> start = datetime.now(timezone.utc)
>>> with Session(engine) as session:
...     session.add(Order(customer="Ada"))
...     session.commit()
...     session.scalars(select(Order.customer).where(Order.id >= Euid.min_at(start))).all()
['Ada']
>>> engine.dispose()
"""

from typing import Any, Literal, TypeVar
from uuid import UUID

from sqlalchemy import BigInteger, Dialect, Integer, LargeBinary, String
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.sql import operators
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

from sortid._specs import new, read, spec_of
from sortid._typed import AnyId

__all__ = ["Id", "render_item"]

_I = TypeVar("_I", bound=AnyId)

_MYSQL = ("mysql", "mariadb")

#: The operators whose other side is a pattern, which is not an ID.
_PATTERNS = {
    operators.contains_op,
    operators.endswith_op,
    operators.ilike_op,
    operators.like_op,
    operators.not_contains_op,
    operators.not_endswith_op,
    operators.not_ilike_op,
    operators.not_like_op,
    operators.not_regexp_match_op,
    operators.not_startswith_op,
    operators.regexp_match_op,
    operators.startswith_op,
}


class Id(TypeDecorator[_I]):
    """The type of a column of IDs, such as ``Id(Euid)``.

    ============ ============== ================ ===========
    IDs          PostgreSQL     MariaDB, MySQL   SQLite
    ============ ============== ================ ===========
    Scru160      ``BYTEA``      ``BINARY(20)``   ``BLOB``
    Euid         ``UUID``       ``BINARY(16)``   ``BLOB``
    UlidFlake    ``BIGINT``     ``BIGINT``       ``INTEGER``
    RonUid       ``BYTEA``      ``BINARY(16)``   ``BLOB``
    EventId      ``UUID``       ``BINARY(16)``   ``BLOB``
    ============ ============== ================ ===========

    With ``text=True``, the column has the texts, and a collation that compares bytes, so it sorts like the IDs. The texts of
    RON UIDs do not sort like the UIDs.

    A parameter is an ID of the class, or its text.
    """

    impl = LargeBinary
    cache_ok = True

    id_class: type[_I]
    text: bool

    # The cache of statements distinguishes types by the arguments that may be positional.
    def __init__(self, id_class: type[_I], text: bool = False) -> None:
        spec = spec_of(id_class)
        super().__init__(spec.size)
        self.id_class = id_class
        self.text = text
        if text:
            self.impl = String(spec.chars)  # type: ignore[assignment]

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        spec = spec_of(self.id_class)
        if self.text:
            if dialect.name == "postgresql":
                return String(spec.chars, collation="C")
            if dialect.name in _MYSQL:
                return mysql.VARCHAR(spec.chars, charset="ascii", collation="ascii_bin")
            return String(spec.chars)
        if spec.column == "integer":
            # Of all integer types, only `INTEGER` is the row number of SQLite.
            return Integer() if dialect.name == "sqlite" else BigInteger()
        if spec.column == "uuid" and dialect.name == "postgresql":
            return postgresql.UUID()
        return mysql.BINARY(spec.size) if dialect.name in _MYSQL else LargeBinary(spec.size)

    def process_bind_param(self, value: _I | str | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        id = read(self.id_class, value)
        if self.text:
            return str(id)
        spec = spec_of(self.id_class)
        if spec.column == "integer":
            return int(id)
        if spec.column == "uuid" and dialect.name == "postgresql":
            return UUID(bytes=bytes(id))
        return bytes(id)

    def process_result_value(self, value: Any, dialect: Dialect) -> _I | None:
        return None if value is None else new(self.id_class, value)

    def literal_processor(self, dialect: Dialect) -> Any:
        # SQLAlchemy writes a literal of bytes as if it were text.
        if not isinstance(self.load_dialect_impl(dialect), LargeBinary | mysql.BINARY):
            return super().literal_processor(dialect)
        form = "'\\x{}'::bytea" if dialect.name == "postgresql" else "X'{}'"

        def literal(value: _I | str) -> str:
            return form.format(self.process_bind_param(value, dialect).hex())

        return literal

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        return String() if self.text and op in _PATTERNS else self

    @property
    def python_type(self) -> type[_I]:
        return self.id_class

    def __repr__(self) -> str:
        text = ", text=True" if self.text else ""
        return f"Id({self.id_class.__module__}.{self.id_class.__qualname__}{text})"


def render_item(kind: str, item: Any, context: Any) -> str | Literal[False]:
    """Writes the type of a column, and its imports, into a migration of Alembic.

    From version 1.18, Alembic finds it by itself. With an earlier version, pass it to
    ``context.configure(…, render_item=render_item)`` in ``env.py``.
    """
    if kind != "type" or not isinstance(item, Id):
        return False
    id_class: Any = item.id_class  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    context.imports.update(["import sortid.sqlalchemy", f"import {id_class.__module__}"])
    return f"sortid.sqlalchemy.{item!r}"
