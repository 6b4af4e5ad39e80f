"""IDs as fields of Django's models, in SQLite, PostgreSQL and MariaDB."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from databases import MYSQL, POSTGRES, needs_mysql, needs_postgres, parts
from hypothesis import given, settings
from hypothesis import strategies as st
from specs import CLASSES, EUID, TIME, ULID_FLAKE, OrderId, UserId, ids

import sortid
from sortid import Euid, EventId, RonUid, Scru160, UlidFlake

django = pytest.importorskip("django")


def configure() -> None:
    from django.conf import settings as configuration

    databases: dict[str, dict[str, Any]] = {
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"},
    }
    if POSTGRES:
        found = parts(POSTGRES)
        databases["postgresql"] = {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": found["database"],
            "USER": found["user"],
            "PASSWORD": found.get("password", ""),
            "HOST": found["host"],
        }
    if MYSQL:
        import pymysql

        # Django looks for another package, and asks for its version.
        pymysql.version_info = (2, 2, 8, "final", 0)
        pymysql.install_as_MySQLdb()
        found = parts(MYSQL)
        databases["mysql"] = {
            "ENGINE": "django.db.backends.mysql",
            "NAME": found["database"],
            "USER": found["user"],
            "PASSWORD": found.get("password", ""),
            "HOST": found["socket"],
        }
    configuration.configure(
        DATABASES=databases, INSTALLED_APPS=["shop"], DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True
    )
    django.setup()


configure()

from django import forms  # noqa: E402
from django.core import serializers  # noqa: E402
from django.core.exceptions import ValidationError  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections, migrations, models  # noqa: E402
from django.db.migrations.autodetector import MigrationAutodetector  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.db.migrations.state import ProjectState  # noqa: E402
from django.db.migrations.writer import MigrationWriter  # noqa: E402
from django.db.models import F, Max, Q  # noqa: E402
from shop.models import Customer, Order, Things, Visit  # noqa: E402

from sortid.django import IdField, IdFormField  # noqa: E402

MODELS: list[type[models.Model]] = [Customer, Order, Things, Visit]
FIELDS = {
    "scru160": Scru160,
    "euid": Euid,
    "ulid_flake": UlidFlake,
    "ron_uid": RonUid,
    "event_id": EventId,
    "order_id": OrderId,
}


@pytest.fixture(
    params=[
        "default",
        pytest.param("postgresql", marks=needs_postgres),
        pytest.param("mysql", marks=needs_mysql),
    ],
    scope="module",
)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database with the tables of the models, empty."""
    name: str = request.param
    with connections[name].schema_editor() as editor:
        for model in MODELS:
            editor.execute(f"DROP TABLE IF EXISTS {model._meta.db_table}{' CASCADE' * (name == 'postgresql')}")
        for model in MODELS:
            editor.create_model(model)
    yield name
    with connections[name].schema_editor() as editor:
        for model in reversed(MODELS):
            editor.delete_model(model)
    connections[name].close()


@pytest.fixture(autouse=True)
def empty(request: pytest.FixtureRequest) -> None:
    if "database" in request.fixturenames:
        for model in reversed(MODELS):
            model._default_manager.using(request.getfixturevalue("database")).all().delete()


def test_types_of_columns(database: str) -> None:
    found = [field.db_type(connections[database]) for field in Things._meta.fields[1:]]
    assert (
        found
        == {
            "default": ["blob", "blob", "integer", "blob", "blob", "blob"],
            "postgresql": ["bytea", "uuid", "bigint", "bytea", "uuid", "uuid"],
            "mysql": ["binary(20)", "binary(16)", "bigint", "binary(16)", "binary(16)", "binary(16)"],
        }[database]
    )
    foreign = Order._meta.get_field("customer").db_type(connections[database])
    assert foreign == Customer._meta.get_field("id").db_type(connections[database])


@settings(max_examples=20)
@given(data=st.data())
def test_ids_of_all_classes_come_back(database: str, data: st.DataObject) -> None:
    row = {name: data.draw(st.none() | rows_of(name)) for name in FIELDS}
    things = Things._default_manager.using(database)
    things.all().delete()
    saved = things.create(**row)
    found = things.get()
    assert found.pk == saved.pk
    assert {name: getattr(found, name) for name in FIELDS} == row
    assert all(type(getattr(found, name)) is type(row[name]) for name in FIELDS)
    for name, id in row.items():
        if id is None:
            assert things.filter(**{f"{name}__isnull": True}).count() == 1
            continue
        for lookup in (
            {name: id},
            {name: str(id)},
            {f"{name}__in": [id, type(id).MIN]},
            {f"{name}__gte": id},
            {f"{name}__lte": str(id)},
            {f"{name}__range": (id, id)},
        ):
            assert things.filter(**lookup).count() == 1, lookup
        assert things.filter(**{f"{name}__gt": id}).count() == 0
        assert things.filter(~Q(**{name: id})).count() == 0
        assert things.filter(**{name: F(name)}).count() == 1
    assert list(things.values_list(*FIELDS)) == [tuple(row.values())]


def rows_of(name: str) -> st.SearchStrategy[Any]:
    id_class = FIELDS[name]
    return ids(Euid).map(OrderId) if id_class is OrderId else ids(id_class)


def test_models(database: str) -> None:
    customer = Customer._default_manager.using(database).create(name="Ada")
    orders = Order._default_manager.using(database)
    first = orders.create(customer=customer)
    second = orders.create(customer=customer, replaces=first)
    assert first.id < second.id
    assert type(first.pk) is OrderId
    found = orders.order_by("-id").select_related("customer")
    assert [order.pk for order in found] == [second.id, first.id]
    assert [order.replaces for order in found] == [first, None]
    assert {order.customer for order in found} == {customer}
    assert orders.get(pk=str(first.id)) == first
    assert orders.filter(customer__id=customer.id, replaces=first.pk).get() == second
    assert orders.filter(replaces__in=[first]).get() == second
    assert list(orders.filter(customer__in=Customer._default_manager.using(database).filter(name="Ada"))) == list(
        orders.all()
    )
    first.customer_id = str(customer.id)
    first.save(using=database)
    assert orders.in_bulk([first.id]) == {first.id: first}
    visits = Visit._default_manager.using(database)
    made = visits.bulk_create([Visit(page=str(number)) for number in range(200)])
    assert [visit.pk for visit in visits.order_by("id")] == sorted(visit.id for visit in made)
    assert visits.aggregate(Max("id"))["id__max"] == max(visit.id for visit in made)
    first.delete()
    assert orders.get().replaces_id is None


def test_queries_by_time(database: str) -> None:
    visits = Visit._default_manager.using(database)
    moments = [TIME + timedelta(minutes=minute) for minute in range(60)]
    made = UlidFlake.backfill(ascending=True).generate_all(moments)
    visits.bulk_create(Visit(id=id, page="/") for id in made)
    bounds = UlidFlake.min_at(moments[10]), UlidFlake.max_at(moments[20])
    assert [visit.id for visit in visits.filter(id__range=bounds).order_by("id")] == made[10:21]
    assert visits.filter(id__lt=UlidFlake.min_at(moments[10])).count() == 10
    assert visits.filter(id__gt=UlidFlake.max_at(moments[10])).count() == 49


@pytest.mark.parametrize("value", [UserId(EUID), EUID, b"x" * 16, 5, True, 5.0, EUID.uuid, object(), ["x"]])
def test_values_of_other_types_are_refused(database: str, value: Any) -> None:
    message = f"expected a str or OrderId, found {type(value).__name__}"
    with pytest.raises(TypeError, match=message):
        Order._default_manager.using(database).filter(id=value).count()
    with pytest.raises(TypeError, match=message):
        Order(id=value, customer_id=EUID).save(using=database)
    with pytest.raises(ValidationError, match=f"Enter a valid EUID: {message}"):
        Things(order_id=value).clean_fields(exclude=["id"])


def test_texts_that_are_not_ids_are_refused(database: str) -> None:
    with pytest.raises(sortid.ParseError, match="expected 27 characters, found 1"):
        Customer._default_manager.using(database).filter(id="x").count()
    with pytest.raises(ValidationError) as caught:
        Customer(id="x", name="Ada").clean_fields()
    assert caught.value.message_dict == {"id": ["Enter a valid EUID: expected 27 characters, found 1."]}


def test_migrations_are_written_and_run(database: str) -> None:
    loader = MigrationLoader(None)
    state = ProjectState.from_apps(django.apps.apps)
    changes = MigrationAutodetector(loader.project_state(), state).changes(graph=loader.graph)
    (migration,) = changes["shop"]
    text = MigrationWriter(migration).as_string()
    assert "('id', sortid.django.IdField(sortid.Euid, default=sortid.Euid.new, editable=False" in text
    assert "sortid.django.IdField(specs.OrderId, default=specs.OrderId.new" in text
    assert "sortid.django.IdField(sortid.Euid, blank=True, null=True, verbose_name='an EUID')" in text
    for module in ("sortid", "sortid.django", "specs"):
        assert f"import {module}\n" in text
    # Django reads its own text.
    names: dict[str, Any] = {}
    exec(text, names)
    written = names["Migration"]("0001_initial", "shop")
    with connections[database].schema_editor() as editor:
        for model in reversed(MODELS):
            editor.delete_model(model)
    with connections[database].schema_editor() as editor:
        after = written.apply(ProjectState(), editor)
    # Nothing is left to change.
    again = MigrationAutodetector(after, ProjectState.from_apps(django.apps.apps)).changes(graph=loader.graph)
    assert again == {}
    migrated = after.apps.get_model("shop", "Customer")._default_manager.using(database).create(name="Ada")
    assert type(migrated.pk) is Euid


@pytest.mark.parametrize("id_class", [*CLASSES, OrderId])
def test_fields_are_deconstructed(id_class: type[Any]) -> None:
    field: IdField[Any, Any] = IdField(id_class, "its ID", unique=True, default=id_class.MIN)
    field.set_attributes_from_name("id")
    name, path, arguments, options = field.deconstruct()
    assert (name, path, arguments) == ("id", "sortid.django.IdField", [id_class])
    assert options == {"verbose_name": "its ID", "unique": True, "default": id_class.MIN}
    again: IdField[Any, Any] = IdField(*arguments, **options)
    assert again.deconstruct()[1:] == (path, arguments, options)
    assert field.clone().id_class is id_class
    assert field.get_default() == id_class.MIN
    with pytest.raises(TypeError, match="expected a class of IDs"):
        IdField(int)  # type: ignore[type-var]


def test_defaults_that_are_ids_are_written() -> None:
    field: IdField[Any, Any] = IdField(Euid, default=EUID)
    operation = migrations.AddField("customer", "other", field)
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})("0002_other", "shop")
    with pytest.raises(ValueError, match="Cannot serialize"):
        # Django knows how to write values of its own types only. A function is the usual default.
        MigrationWriter(migration).as_string()


def test_forms() -> None:
    class ThingsForm(forms.ModelForm):  # type: ignore[type-arg]
        class Meta:
            model = Things
            fields = ("euid", "order_id")

    form = ThingsForm({"euid": f" {EUID} ", "order_id": f"order_{EUID}"})
    assert isinstance(form.fields["euid"], IdFormField)
    assert form.fields["euid"].label == "An EUID"
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {"euid": EUID, "order_id": OrderId(EUID)}
    assert f'value="{EUID}"' in str(ThingsForm(instance=Things(euid=EUID)))
    wrong = ThingsForm({"euid": "x", "order_id": f"user_{EUID}"})
    assert wrong.errors["euid"] == ["Enter a valid EUID: expected 27 characters, found 1."]
    assert 'expected the prefix "order_"' in wrong.errors["order_id"][0]
    empty = ThingsForm({"euid": "", "order_id": ""})
    assert "euid" not in empty.errors
    assert empty.errors["order_id"] == ["This field is required."]
    unchanged = ThingsForm({"euid": str(EUID)}, instance=Things(euid=EUID))
    assert "euid" not in unchanged.changed_data
    choices = forms.ModelChoiceField(Customer._default_manager.all())
    assert choices.prepare_value(Customer(id=EUID)) == EUID


def test_fixtures(database: str) -> None:
    customer = Customer._default_manager.using(database).create(name="Ada", id=EUID)
    Order._default_manager.using(database).create(customer=customer)
    Things._default_manager.using(database).create(euid=EUID, ulid_flake=ULID_FLAKE)
    for form in ("json", "xml", "jsonl"):
        rows = [row for model in (Customer, Order, Things) for row in model._default_manager.using(database).all()]
        text = serializers.serialize(form, rows)
        assert str(EUID) in text
        again: list[Any] = [item.object for item in serializers.deserialize(form, text)]
        assert again == rows
        assert [item.pk for item in again] == [row.pk for row in rows]
        assert again[1].customer_id == EUID
        assert (again[2].euid, again[2].scru160, again[2].ulid_flake) == (EUID, None, ULID_FLAKE)


def test_the_checks_of_django_find_nothing() -> None:
    call_command("check", verbosity=0)


def test_times_are_those_of_the_rows(database: str) -> None:
    start = datetime.now(UTC) - timedelta(milliseconds=1)
    customer = Customer._default_manager.using(database).create(name="Ada")
    assert start <= customer.id.time <= datetime.now(UTC) + timedelta(seconds=1)
    assert list(Customer._default_manager.using(database).filter(id__gte=Euid.min_at(start))) == [customer]
