"""IDs as columns of SQLAlchemy, in SQLite, PostgreSQL and MariaDB."""

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.operations import Operations
from databases import MYSQL, POSTGRES, needs_mysql, needs_postgres, parts
from hypothesis import given, settings
from hypothesis import strategies as st
from specs import CLASSES, EUID, PLAIN, TIME, ULID_FLAKE, OrderId, UserId, VisitId, ids
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.schema import CreateTable

import sortid
from sortid import Euid, EventId, RonUid, Scru160, UlidFlake
from sortid.sqlalchemy import Id, render_item

#: Each column of the table ``things``, and the class of its IDs.
COLUMNS: dict[str, tuple[type[Any], bool]] = {
    "scru160": (Scru160, False),
    "euid": (Euid, False),
    "ulid_flake": (UlidFlake, False),
    "ron_uid": (RonUid, False),
    "event_id": (EventId, False),
    "order_id": (OrderId, False),
    "visit_id": (VisitId, False),
    "scru160_text": (Scru160, True),
    "euid_text": (Euid, True),
    "ulid_flake_text": (UlidFlake, True),
    "ron_uid_text": (RonUid, True),
    "event_id_text": (EventId, True),
    "order_id_text": (OrderId, True),
    "visit_id_text": (VisitId, True),
}

TYPES = {
    "sqlite": [
        "BLOB", "BLOB", "INTEGER", "BLOB", "BLOB", "BLOB", "INTEGER",
        "VARCHAR(32)", "VARCHAR(27)", "VARCHAR(13)", "VARCHAR(21)", "VARCHAR(32)", "VARCHAR(33)", "VARCHAR(13)",
    ],
    "postgresql": [
        "BYTEA", "UUID", "BIGINT", "BYTEA", "UUID", "UUID", "BIGINT",
        *(f'VARCHAR({length}) COLLATE "C"' for length in (32, 27, 13, 21, 32, 33, 13)),
    ],
    "mysql": [
        "BINARY(20)", "BINARY(16)", "BIGINT", "BINARY(16)", "BINARY(16)", "BINARY(16)", "BIGINT",
        *(f"VARCHAR({length}) CHARACTER SET ascii COLLATE ascii_bin" for length in (32, 27, 13, 21, 32, 33, 13)),
    ],
}  # fmt: skip

METADATA = sa.MetaData()
THINGS = sa.Table(
    "things",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    *(sa.Column(name, Id(id_class, text=text)) for name, (id_class, text) in COLUMNS.items()),
)


class Base(DeclarativeBase):
    type_annotation_map = {Euid: Id(Euid), UserId: Id(UserId, text=True), VisitId: Id(VisitId)}


class User(Base):
    __tablename__ = "users"
    id: Mapped[UserId] = mapped_column(primary_key=True, default=UserId.new)
    orders: Mapped[list["Order"]] = relationship(back_populates="user")


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[OrderId] = mapped_column(Id(OrderId), primary_key=True, default=OrderId.new)
    user_id: Mapped[UserId] = mapped_column(sa.ForeignKey("users.id"))
    replaces: Mapped[Euid | None]
    visit: Mapped[VisitId | None]
    created: Mapped[int] = mapped_column(server_default="7")
    user: Mapped[User] = relationship(back_populates="orders")


class Visit(Base):
    __tablename__ = "visits"
    id: Mapped[UlidFlake] = mapped_column(Id(UlidFlake), primary_key=True, default=UlidFlake.new)
    page: Mapped[str] = mapped_column(sa.String(10))


@contextmanager
def engine_of(name: str) -> Iterator[sa.Engine]:
    if name == "sqlite":
        engine = sa.create_engine("sqlite://")
    elif name == "postgresql":
        assert POSTGRES
        found = parts(POSTGRES)
        url = sa.URL.create(
            "postgresql+psycopg", found["user"], found.get("password"), found["host"], database=found["database"]
        )
        engine = sa.create_engine(url)
    else:
        assert MYSQL
        found = parts(MYSQL)
        url = sa.URL.create(
            "mysql+pymysql",
            found["user"],
            found.get("password"),
            found["host"],
            database=found["database"],
            query={"unix_socket": found["socket"]},
        )
        engine = sa.create_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=needs_postgres),
        pytest.param("mysql", marks=needs_mysql),
    ],
    scope="module",
)
def engine(request: pytest.FixtureRequest) -> Iterator[sa.Engine]:
    """A database with the tables of this file, empty."""
    with engine_of(request.param) as engine:
        for metadata in (METADATA, Base.metadata):
            metadata.drop_all(engine)
            metadata.create_all(engine)
        yield engine
        for metadata in (METADATA, Base.metadata):
            metadata.drop_all(engine)


@pytest.fixture(autouse=True)
def empty(request: pytest.FixtureRequest) -> None:
    if "engine" in request.fixturenames:
        engine = request.getfixturevalue("engine")
        with engine.begin() as connection:
            for table in (THINGS, *reversed(Base.metadata.sorted_tables)):
                connection.execute(table.delete())


@pytest.mark.parametrize("name", TYPES)
def test_types_of_columns(name: str) -> None:
    dialect = {"sqlite": sqlite, "postgresql": postgresql, "mysql": mysql}[name].dialect()
    found = [THINGS.c[column].type.compile(dialect) for column in COLUMNS]
    assert found == TYPES[name]
    # No database numbers the rows of a table of IDs by itself, although the column has an integer.
    table = sa.Table("visits", sa.MetaData(), sa.Column("id", Id(UlidFlake), primary_key=True))
    sql = str(CreateTable(table).compile(dialect=dialect))
    assert "SERIAL" not in sql
    assert "AUTO_INCREMENT" not in sql
    # A dialect that this module does not know has generic types.
    assert str(CreateTable(THINGS))


@settings(max_examples=20)
@given(data=st.data())
def test_ids_of_all_classes_come_back(engine: sa.Engine, data: st.DataObject) -> None:
    row = {name: data.draw(st.none() | rows_of(name)) for name in COLUMNS}
    with engine.begin() as connection:
        connection.execute(THINGS.delete())
        connection.execute(THINGS.insert().values(number=1, **row))
        connection.execute(THINGS.insert(), [{"number": 2, **row}, {"number": 3, **row}])
        for number in (1, 2, 3):
            found = connection.execute(THINGS.select().where(THINGS.c.number == number)).one()._asdict()
            del found["number"]
            assert found == row
            assert all(type(found[name]) is type(row[name]) for name in COLUMNS)
        conditions: list[sa.ColumnElement[bool]] = []
        for name, id in row.items():
            column = THINGS.c[name]
            if id is None:
                conditions.append(column.is_(None))
                continue
            literal: sa.BindParameter[Any] = sa.bindparam(f"{name}_literal", id, literal_execute=True)
            conditions += [column == id, column == str(id), column.in_([id]), column.between(id, id)]
            conditions += [column == literal, ~(column < id), ~(column > id), column != sa.null()]
        assert connection.scalar(sa.select(sa.func.count()).where(*conditions)) == 3


def rows_of(name: str) -> st.SearchStrategy[Any]:
    id_class, _ = COLUMNS[name]
    plain = PLAIN[id_class]
    return ids(plain).map(id_class)


@settings(max_examples=10)
@given(data=st.data())
def test_columns_sort_like_the_ids(engine: sa.Engine, data: st.DataObject) -> None:
    for name in COLUMNS:
        id_class, text = COLUMNS[name]
        strategy = rows_of(name)
        if id_class is RonUid:
            # The order of a column is that of the UIDs of one scheme. Texts with the value 0 have no digits before the sign.
            if text:
                continue
            strategy = strategy.map(lambda uid: RonUid.from_fields(value=uid.value, origin=uid.origin, scheme="event"))
        made = data.draw(st.lists(strategy, min_size=5, max_size=5))
        with engine.begin() as connection:
            connection.execute(THINGS.delete())
            connection.execute(THINGS.insert(), [{"number": number, name: id} for number, id in enumerate(made)])
            column = THINGS.c[name]
            assert connection.scalars(sa.select(column).order_by(column)).all() == sorted(made)
            assert connection.scalar(sa.select(sa.func.count()).where(column > made[0])) == sum(
                id > made[0] for id in made
            )


def test_models(engine: sa.Engine) -> None:
    with Session(engine) as session:
        user = User()
        orders = [Order(user=user, visit=VisitId(ULID_FLAKE)), Order(user=user)]
        session.add_all([user, *orders, Visit(page="/")])
        session.flush()
        orders[1].replaces = orders[0].id.id
        session.commit()
    with Session(engine) as session:
        found: Any = session.scalars(sa.select(Order).order_by(Order.id)).all()
        assert [order.id for order in found] == sorted(order.id for order in found)
        assert {type(order.id) for order in found} == {OrderId}
        assert found[0].id.time <= found[1].id.time
        assert found[0].user.orders == found
        assert sorted([order.replaces for order in found], key=str)[0] in [order.id.id for order in found]
        assert [order.visit for order in found if order.visit] == [VisitId(ULID_FLAKE)]
        by_user = sa.select(Order).join(Order.user).where(User.id == found[0].user_id)
        assert session.scalars(by_user).all() == found
        assert session.get(Order, found[0].id) is found[0]
        visit = session.scalars(sa.select(Visit)).one()
        assert type(visit.id) is UlidFlake
        session.delete(visit)
        session.commit()


def test_queries_by_time(engine: sa.Engine) -> None:
    backfill = Euid.backfill(ascending=True)
    made = [OrderId(id) for id in backfill.generate_all([TIME + timedelta(minutes=minute) for minute in range(100)])]
    with Session(engine) as session:
        user = User()
        session.add(user)
        session.flush()
        session.add_all(Order(id=id, user_id=user.id) for id in made)
        session.commit()
        start, end = TIME + timedelta(minutes=10), TIME + timedelta(minutes=20)
        between = Order.id.between(OrderId.min_at(start), OrderId.max_at(end))
        assert session.scalars(sa.select(Order.id).where(between).order_by(Order.id)).all() == made[10:21]
        later = sa.select(Order.id).where(Order.id >= OrderId.min_at(start)).order_by(Order.id.desc()).limit(3)
        assert session.scalars(later).all() == made[:-4:-1]
        # A parameter with a name has the type of the column that it is compared with.
        named = sa.select(Order.id).where(Order.id > sa.bindparam("after")).order_by(Order.id).limit(2)
        assert session.scalars(named, {"after": made[50]}).all() == made[51:53]
        assert session.scalars(named, {"after": str(made[50])}).all() == made[51:53]


def test_many_rows_at_once(engine: sa.Engine) -> None:
    # SQLAlchemy finds the rows of one INSERT by their keys, to read the defaults of the server.
    with Session(engine) as session:
        user = User()
        session.add(user)
        session.flush()
        orders = [Order(user_id=user.id) for _ in range(2500)]
        session.add_all(orders)
        session.commit()
        assert {order.created for order in orders} == {7}
        assert session.scalar(sa.select(sa.func.count(Order.id))) == 2500
        returning = sa.insert(Visit).returning(Visit.id, sort_by_parameter_order=True)
        visits = UlidFlake.generator().generate_many(100)
        rows = [{"id": id, "page": "/"} for id in reversed(visits)]
        assert session.scalars(returning, rows).all() == list(reversed(visits))


def test_the_functions_of_sql_have_the_type_of_their_argument(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        rows = [{"number": number, "ulid_flake": UlidFlake(number), "euid_text": Euid(number)} for number in range(5)]
        connection.execute(THINGS.insert(), rows)
        assert connection.scalar(sa.select(sa.func.max(THINGS.c.ulid_flake))) == UlidFlake(4)
        assert connection.scalar(sa.select(sa.func.min(THINGS.c.euid_text))) == Euid(0)
        like = sa.select(sa.func.count()).where(THINGS.c.euid_text.like("000%"))
        assert connection.scalar(like) == 5
        for condition in (
            THINGS.c.euid_text.startswith("1"),
            THINGS.c.euid_text.endswith("?"),
            THINGS.c.euid_text.contains("_", autoescape=True),
            THINGS.c.euid_text.ilike("u%"),
            ~THINGS.c.euid_text.like("0%"),
        ):
            assert connection.scalar(sa.select(sa.func.count()).where(condition)) == 0
        with pytest.raises(StatementError, match="expected 27 characters, found 1"):
            connection.execute(THINGS.select().where(THINGS.c.euid_text == "0"))


@pytest.mark.parametrize("value", [UserId(EUID), EUID, b"x" * 16, 5, True, 5.0, Decimal(5), EUID.uuid, object(), ["x"]])
def test_values_of_other_types_are_refused(engine: sa.Engine, value: Any) -> None:
    expected = f"expected a str or OrderId, found {type(value).__name__}"
    with engine.connect() as connection:
        with pytest.raises(StatementError, match=expected):
            connection.execute(THINGS.insert().values(number=1, order_id=value))
        with pytest.raises(StatementError, match=expected):
            connection.execute(THINGS.select().where(THINGS.c.order_id == value))


def test_texts_that_are_not_ids_are_refused(engine: sa.Engine) -> None:
    with engine.connect() as connection, pytest.raises(StatementError, match="expected 27 characters, found 1"):
        connection.execute(THINGS.select().where(THINGS.c.euid == "x"))
    with engine.connect() as connection, pytest.raises(StatementError, match='expected the prefix "order_"'):
        connection.execute(THINGS.select().where(THINGS.c.order_id == str(EUID)))


def test_statements_are_cached_for_each_class() -> None:
    one, same = Id(Euid), Id(Euid)
    assert one._static_cache_key == same._static_cache_key
    keys = [Id(id_class, text=text)._static_cache_key for id_class in CLASSES for text in (False, True)]
    assert len(set(keys)) == 10


def test_an_id_is_for_classes_of_ids() -> None:
    others: list[Any] = [int, str, None, EUID, sortid.TypedId]
    for other in others:
        with pytest.raises(TypeError, match="^expected a (class of IDs|type that names)"):
            Id(other)
    assert Id(Euid).python_type is Euid
    assert repr(Id(Euid)) == "Id(sortid.Euid)"
    assert repr(Id(OrderId, text=True)) == "Id(specs.OrderId, text=True)"
    evaluated = eval(repr(Id(Euid, text=True)), {"Id": Id, "sortid": sortid})
    assert (evaluated.id_class, evaluated.text) == (Euid, True)


def test_migrations_of_alembic(engine: sa.Engine) -> None:
    METADATA.drop_all(engine)
    try:
        with engine.begin() as connection, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options: dict[str, Any] = {
                "render_item": render_item,
                "compare_type": True,
                "include_object": lambda item, name, kind, *_: kind != "table" or name == "things",
            }
            context = MigrationContext.configure(connection, opts=options)
            script = produce_migrations(context, METADATA)
            assert script.upgrade_ops is not None
            code = render_python_code(script.upgrade_ops, migration_context=context, render_item=render_item)
            assert "sortid.sqlalchemy.Id(sortid.Euid)" in code
            assert "sortid.sqlalchemy.Id(specs.OrderId, text=True)" in code
            imports = {"import sortid.sqlalchemy", "import sortid", "import specs"}
            run = "".join(f"{line}\n" for line in imports) + "\n".join(line.strip() for line in code.splitlines())
            exec(run, {"op": Operations(context), "sa": sa})
        with engine.connect() as connection:
            # The new table is what the models say.
            context = MigrationContext.configure(connection, opts=options)
            again = produce_migrations(context, METADATA)
            assert again.upgrade_ops is not None
            assert again.upgrade_ops.is_empty(), again.upgrade_ops.as_diffs()
    finally:
        METADATA.create_all(engine)


def test_a_default_migration_of_alembic_runs(tmp_path: Path) -> None:
    """Only the models are added to what ``alembic init`` writes."""

    def alembic(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(tmp_path)])}
        run = subprocess.run(
            [sys.executable, "-m", "alembic", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout + run.stderr

    def models(columns: str) -> None:
        (tmp_path / "models.py").write_text(
            "import sqlalchemy as sa\nfrom sortid import Euid, UlidFlake\nfrom sortid.sqlalchemy import Id\n"
            f"from specs import OrderId\nmetadata = sa.MetaData()\nsa.Table('orders', metadata, {columns})\n"
        )
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)

    alembic("init", "migrations")
    settings, env = tmp_path / "alembic.ini", tmp_path / "migrations" / "env.py"
    settings.write_text(settings.read_text().replace("driver://user:pass@localhost/dbname", "sqlite:///orders.db"))
    env.write_text(env.read_text().replace("target_metadata = None", "import models\ntarget_metadata = models.metadata"))
    first = "sa.Column('id', Id(Euid), primary_key=True), sa.Column('order', Id(OrderId, text=True))"
    for columns in (first, f"{first}, sa.Column('visit', Id(UlidFlake))", "sa.Column('id', Id(Euid), primary_key=True)"):
        models(columns)
        alembic("revision", "--autogenerate", "--message", "next")
        alembic("upgrade", "head")
        assert "No new upgrade operations" in alembic("check")
    alembic("downgrade", "base")
    # A function of the user comes first. That of the package is for versions of Alembic without plugins.
    default = env.read_text()
    for function in ("lambda *_: False", "sortid.sqlalchemy.render_item"):
        own = default.replace("=target_metadata,", f"=target_metadata, render_item={function},")
        assert "render_item" in own
        env.write_text(f"import sortid.sqlalchemy\n{own}")
        models(first)
        shutil.rmtree(tmp_path / "migrations" / "versions")
        (tmp_path / "migrations" / "versions").mkdir()
        (tmp_path / "orders.db").unlink()
        alembic("revision", "--autogenerate", "--message", "again")
        alembic("upgrade", "head")


def test_imports_of_a_migration() -> None:
    class Context:
        imports: set[str] = set()

    assert render_item("type", Id(OrderId), Context) == "sortid.sqlalchemy.Id(specs.OrderId)"
    assert Context.imports == {"import sortid.sqlalchemy", "import specs"}
    assert render_item("type", sa.Integer(), Context) is False
    assert render_item("table", Id(OrderId), Context) is False


@needs_postgres
def test_the_columns_of_rust_in_postgresql() -> None:
    """The bytes are those that the libraries of Rust write, and the functions in SQL read."""
    with engine_of("postgresql") as engine, engine.begin() as connection:
        shown = sa.select(sa.cast(sa.literal(EUID, Id(Euid)), sa.String))
        assert connection.scalar(shown) == "0c7f613c-7a56-1510-eddd-e216d959d3b1"
        shown = sa.select(sa.cast(sa.literal(ULID_FLAKE, Id(UlidFlake)), sa.String))
        assert connection.scalar(shown) == "14246757444195114"
        uid = RonUid("1CQKneD1-X~")
        shown = sa.select(sa.func.encode(sa.literal(uid, Id(RonUid)), "hex"))
        assert connection.scalar(shown) == uid.hex
        array = sa.literal([EUID, Euid.MIN], sa.ARRAY(Id(Euid)))
        assert connection.scalar(sa.select(array)) == [EUID, Euid.MIN]
        assert connection.scalar(sa.select(sa.literal(EUID, Id(Euid)) == sa.any_(array))) is True
