"""What type checkers say of the integrations. mypy and pyright read this file, as they do all tests."""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from typing import Any, assert_type

import pandas as pd
import polars as pl
import sortid.pandas
import sortid.polars
from django.db import models
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from typing_cases import OrderId

from sortid import Euid, UlidFlake, columns
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


def of_polars(frame: pl.DataFrame) -> None:
    assert_type(sortid.polars.of(pl.col("id"), Euid).time(), pl.Expr)
    assert_type(sortid.polars.of(frame["id"], UlidFlake).field("scalability"), pl.Series)
    assert_type(sortid.polars.of(frame["id"], OrderId).parse(), pl.Series)
    assert_type(columns.time(Euid, frame["id"]), pl.Series)
    assert_type(columns.text(OrderId, frame["id"]), pl.Series)


def of_pandas(series: "pd.Series[Any]") -> None:
    assert_type(sortid.pandas.of(series, Euid).time(), "pd.Series[Any]")
    assert_type(sortid.pandas.of(series, Euid).fields(), pd.DataFrame)
