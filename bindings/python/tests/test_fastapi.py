"""IDs in the paths, the queries and the bodies of FastAPI."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel
from specs import EUID, ULID_FLAKE, OrderId, VisitId

from sortid import Euid, UlidFlake

fastapi = pytest.importorskip("fastapi")

from fastapi.testclient import TestClient  # noqa: E402

app = fastapi.FastAPI()


class Order(BaseModel):
    id: OrderId
    visits: list[UlidFlake] = []


class Page(BaseModel):
    after: Euid | None
    visit: list[VisitId]


@app.get("/orders/{id}")  # type: ignore[untyped-decorator]
def read(id: OrderId) -> Order:
    assert type(id) is OrderId
    return Order(id=id)


@app.get("/orders")  # type: ignore[untyped-decorator]
def page(after: Euid | None = None, visit: Annotated[list[VisitId], fastapi.Query()] = []) -> Page:
    return Page(after=after, visit=visit)


@app.post("/orders", status_code=201)  # type: ignore[untyped-decorator]
def create(order: Order) -> Order:
    return order


@pytest.fixture
def client() -> TestClient:
    return TestClient(app)


TEXT = f"order_{EUID}"


def test_paths_and_queries(client: TestClient) -> None:
    assert client.get(f"/orders/{TEXT}").json() == {"id": TEXT, "visits": []}
    answer = client.get("/orders", params={"after": str(EUID), "visit": [str(ULID_FLAKE)] * 2})
    assert answer.json() == {"after": str(EUID), "visit": [str(ULID_FLAKE)] * 2}
    assert client.get("/orders").json() == {"after": None, "visit": []}


def test_bodies(client: TestClient) -> None:
    answer = client.post("/orders", json={"id": TEXT, "visits": [str(ULID_FLAKE), ULID_FLAKE.int]})
    assert answer.status_code == 201
    assert answer.json() == {"id": TEXT, "visits": [str(ULID_FLAKE)] * 2}


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        ({"id": f"{TEXT[:-1]}5"}, ["body", "id"], "Input should be a valid EUID: the check is 5, expected 4"),
        ({"id": 5}, ["body", "id"], "Input should be a valid EUID, as text"),
        (
            {"id": TEXT, "visits": [-1]},
            ["body", "visits", 0],
            "Input should be a valid Ulid-Flake: expected an integer from 0 to 2^63 − 1, found -1",
        ),
    ],
)
def test_errors_of_bodies(client: TestClient, body: dict[str, Any], where: list[Any], message: str) -> None:
    answer = client.post("/orders", json=body)
    assert answer.status_code == 422
    (error,) = answer.json()["detail"]
    assert (error["loc"], error["msg"]) == (where, message)


def test_errors_of_paths_and_queries(client: TestClient) -> None:
    answer = client.get("/orders/user_1")
    assert answer.status_code == 422
    (error,) = answer.json()["detail"]
    assert error["loc"] == ["path", "id"]
    assert error["type"] == "sortid_parsing"
    message = 'Input should be a valid EUID: the text starts with "user_1", expected the prefix "order_"'
    assert error["msg"] == message
    assert client.get("/orders", params={"after": "x"}).json()["detail"][0]["loc"] == ["query", "after"]


def test_the_openapi_document(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    (parameter,) = document["paths"]["/orders/{id}"]["get"]["parameters"]
    assert parameter["schema"] == {
        "type": "string",
        "title": "Id",
        "description": "EUID as text",
        "minLength": 33,
        "maxLength": 33,
        "pattern": "^order_[0-9A-TV-Za-tv-z]{27}$",
        "examples": parameter["schema"]["examples"],
    }
    (example,) = parameter["schema"]["examples"]
    assert OrderId.is_valid(example)
    assert document["components"]["schemas"]["Order"]["properties"]["id"]["examples"] == [example]
