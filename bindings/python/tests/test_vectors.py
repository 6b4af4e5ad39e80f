"""The conformance vectors that all languages share."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sortid import EventId, Euid, ParseError, RonUid, Scru160, UlidFlake, ledger

VECTORS = Path(__file__).parents[3] / "vectors"
CLASSES: dict[str, Any] = {
    "evently-id": EventId,
    "euid": Euid,
    "ron-uid": RonUid,
    "scru160": Scru160,
    "ulid-flake": UlidFlake,
}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# What the fields of the file are in Python, if it is not the same.
FIELDS: dict[str, Callable[[Any], Any]] = {
    "random80": bytes.fromhex,
    "value_int": int,
    "origin_int": int,
    "timestamp_us": int,
    "int": int,
}

# Fields that show bits of other fields, or what only the text has.
VIEWS = {"check", "int", "origin_int", "value_int", "version"}


def groups(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text())["groups"]
    assert found
    return found


def time_of(micros: str) -> datetime | None:
    """A time that `datetime` has, or None."""
    try:
        return EPOCH + timedelta(microseconds=int(micros))
    except OverflowError:
        return None


def check_id(cls: Any, case: dict[str, Any]) -> None:
    id = cls(case["text"])
    assert bytes(id).hex() == case["hex"]
    assert str(id) == case["text"] == str(cls(bytes.fromhex(case["hex"])))
    assert id.unix_micros == (None if case["unix_us"] is None else int(case["unix_us"]))
    if id.unix_micros is not None and (time := time_of(str(case["unix_us"]))) is not None:
        assert id.time == time
    fields = fields_of(case)
    assert {name: getattr(id, name) for name in fields} == fields
    assert cls.from_fields(**{name: value for name, value in fields.items() if name not in VIEWS}) == id


def fields_of(case: dict[str, Any]) -> dict[str, Any]:
    return {name: FIELDS.get(name, lambda value: value)(value) for name, value in case["fields"].items()}


def check_scalable(cls: Any, case: dict[str, Any]) -> None:
    id, fields = cls(case["text"]), fields_of(case)
    assert (id.scalable_randomness, id.scalability) == (fields["randomness"], fields["scalability"])
    assert cls.from_fields(**{name: value for name, value in fields.items() if name not in VIEWS}) == id


def check_other_text(cls: Any, case: dict[str, Any]) -> None:
    id = cls(case["text"])
    assert bytes(id).hex() == case["hex"]
    assert case["text"] == (id.encode_hex() if cls is Scru160 else id.encode_without_check())


def check_parse(cls: Any, case: dict[str, Any]) -> None:
    assert bytes(cls(case["text"])).hex() == case["hex"]
    assert cls.is_valid(case["text"])


def check_reject(cls: Any, case: dict[str, Any]) -> None:
    with pytest.raises(ParseError) as error:
        cls(case["text"])
    assert (error.value.kind, error.value.position) == (case["error"], case.get("position"))
    assert not cls.is_valid(case["text"])


def check_reject_bytes(cls: Any, case: dict[str, Any]) -> None:
    with pytest.raises(ParseError) as error:
        cls(bytes.fromhex(case["hex"]))
    assert error.value.kind == case["error"]


def check_bounds(cls: Any, case: dict[str, Any]) -> None:
    if (time := time_of(str(case["unix_us"]))) is not None:
        assert [bytes(cls.min_at(time)).hex(), bytes(cls.max_at(time)).hex()] == [case["min"], case["max"]]


def check_reject_time(cls: Any, case: dict[str, Any]) -> None:
    if (time := time_of(str(case["unix_us"]))) is not None:
        for bound in cls.min_at, cls.max_at:
            with pytest.raises(ParseError) as error:
                bound(time)
            assert error.value.kind == case["error"]


def check_limits(cls: Any, case: dict[str, Any]) -> None:
    assert [bytes(cls.MIN).hex(), bytes(cls.MAX).hex()] == [case["min"], case["max"]]
    first = time_of(case["min_unix_us"])
    assert first is not None
    assert cls.min_at(first) <= cls.max_at(first)
    for outside in (
        EPOCH + timedelta(microseconds=int(case["min_unix_us"]) - 1),
        time_of(str(int(case["max_unix_us"]) + 1)),
    ):
        if outside is not None:
            with pytest.raises(ParseError):
                cls.min_at(outside)


def check_order(cls: Any, case: dict[str, Any]) -> None:
    ids = [cls(text) for text in case["texts"]]
    assert all(a < b for a, b in zip(ids, ids[1:], strict=False))
    # The bytes of RON UIDs have the scheme before the origin.
    assert cls is RonUid or sorted(map(bytes, ids)) == list(map(bytes, ids))


def check_base64x64(cls: Any, case: dict[str, Any]) -> None:
    uid = cls.from_fields(value=case["text"])
    assert uid.value_int == int(case["int"])
    assert cls.from_fields(value=int(case["int"])).value == case["text"]


def check_zip(cls: Any, case: dict[str, Any]) -> None:
    uid, context = cls(case["id"]), cls(case["context"])
    assert uid.zip(context) == case["text"]
    assert cls.unzip(case["text"], context) == uid


def check_unzip(cls: Any, case: dict[str, Any]) -> None:
    assert cls.unzip(case["text"], cls(case["context"])) == cls(case["id"])


def check_list(cls: Any, case: dict[str, Any]) -> None:
    uids = [cls(text) for text in case["ids"]]
    assert cls.format_vector(uids) == case["text"]
    assert cls.parse_vector(case["text"]) == uids


@pytest.mark.parametrize("name", CLASSES)
def test_every_case_of_a_specification_holds(name: str) -> None:
    cases = 0
    for group in groups(name):
        # A check without a function here is a KeyError.
        check: Callable[[Any, dict[str, Any]], None] = globals()[f"check_{group['check']}"]
        for case in group["cases"]:
            check(CLASSES[name], case)
            cases += 1
    assert cases > 50


def test_ledgers_are_valid_or_have_the_fault_that_the_case_names(tmp_path: Path) -> None:
    seen = set[str]()
    for group in groups("ledger"):
        seen.add(group["check"])
        for case in group["cases"]:
            if group["check"] == "ledger":
                report = ledger.verify(VECTORS / case["file"])
                found = (report.profile, report.genesis, report.events, report.ledger_id, str(report.last_event_id))
                expected = ("profile", "genesis", "events", "ledger_id", "last_event_id")
                assert report.valid
                assert found == tuple(case[member] for member in expected)
            elif group["check"] == "verdict":
                path = tmp_path / "ledger.ndjson"
                path.write_bytes(case["ledger"].encode())
                report = ledger.verify(path)
                assert (report.valid, report.events) == (case["valid"], case["events"]), case
            elif group["check"] == "fault":
                path = tmp_path / "ledger.ndjson"
                path.write_text(case["ledger"])
                report = ledger.verify(path, strict=case.get("strict", False))
                assert not report.valid
                assert (report.listed[0].kind, report.listed[0].line) == (case["error"], case["line"])
    # The package verifies ledgers, and writes neither JSON nor events.
    assert seen == {"ledger", "verdict", "fault", "canonical_json", "reject_json", "event_id"}
