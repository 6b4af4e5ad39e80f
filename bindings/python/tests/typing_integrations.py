"""What type checkers say of the integrations. mypy and pyright read this file, as they do all tests."""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from typing import assert_type

from django.db import models
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from typing_cases import OrderId

from sortid import Euid
from sortid.django import IdField
from sortid.sqlalchemy import Id


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "rows"
    id: Mapped[Euid] = mapped_column(Id(Euid), primary_key=True, default=Euid.new)
    order: Mapped[OrderId | None] = mapped_column(Id(OrderId, text=True))


def sqlalchemy(session: Session) -> None:
    assert_type(session.scalars(select(Row)).one().id, Euid)
    assert_type(session.scalars(select(Row.id).where(Row.id >= Euid.MIN)).one(), Euid)
    Id(int)  # type: ignore[type-var]


class Model(models.Model):
    id = IdField(Euid, primary_key=True, default=Euid.new)
    order = IdField(OrderId, null=True)


def django(model: Model) -> None:
    assert_type(model.id, Euid)
    assert_type(model.order, OrderId | None)
    model.order = None
    model.id = "1HZP2F3TARAH1VEXW8BDJPEKP44"
    model.id = None  # type: ignore[assignment]


class Message(BaseModel):
    id: Euid
    order: OrderId | None = None


def pydantic(message: Message) -> None:
    assert_type(message.id, Euid)
    assert_type(message.order, OrderId | None)
