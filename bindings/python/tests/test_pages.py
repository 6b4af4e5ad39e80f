"""The pages run as they are printed."""

import doctest
import importlib
import re
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sortid

FOLDER = Path(__file__).parents[1]
ROOT = FOLDER.parents[1]


def test_the_readme() -> None:
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert (failed, tried > 15) == (0, True)


def test_the_table_for_those_who_come_from_other_packages() -> None:
    """Each call runs, and those of a row that only read an ID return the same type."""
    ulid, uuid_utils = pytest.importorskip("ulid"), pytest.importorskip("uuid_utils")
    orm, types = pytest.importorskip("sqlalchemy.orm"), importlib.import_module("sortid.sqlalchemy")
    ids: dict[str, Any] = {"ulid": ulid.ULID(), "uuid": uuid.uuid4(), "": sortid.Euid.new()}
    library = {"uuid4": uuid.uuid4, "UUID": uuid.UUID, "ULID": ulid.ULID, "uuid_utils": uuid_utils}
    ours = {"Euid": sortid.Euid, "Id": types.Id, "mapped_column": orm.mapped_column}
    shared = {**library, **ours, "june": datetime(2024, 6, 1, tzinfo=UTC)}

    def run(code: str) -> Any:
        of = "" if "Euid" in code or code.startswith("id.") else next(name for name in ids if name in code.lower())
        id = ids[of]
        own = {"id": id, "uuid": ids["uuid"], "ulid": ids["ulid"]}
        result = eval(code, shared | own | {"text": str(id), "data": id.bytes, "number": int(id)})
        if any(f"({argument})" in code or f"={argument})" in code for argument in ("text", "data", "number")):
            assert result == id, code
        return result

    table = (FOLDER / "README.md").read_text().split("## Coming from")[1]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    rows = [re.findall("`([^`]+)`", line) for line in lines[1:]]
    assert 8 < len(rows) <= 14
    for *theirs, call in rows:
        found = run(call)
        for code in theirs:
            is_new = isinstance(found, sortid.Euid)
            assert is_new or type(run(code)) is type(found), code
            assert not is_new or isinstance(run(code), uuid.UUID | uuid_utils.UUID | ulid.ULID), code
    # What the table leaves out.
    for id in ids.values():
        assert (type(str(id)), type(id.bytes), type(id.hex)) == (str, bytes, str)


MODULES = ["sortid", "sortid._typed", "sortid.columns", "sortid.ledger"]
WITH_LIBRARIES = ["msgspec", "pandas", "polars", "sqlalchemy"]


@pytest.mark.parametrize("name", [*MODULES, *(f"sortid.{library}" for library in WITH_LIBRARIES)])
def test_the_examples_of_modules(name: str) -> None:
    library = name.removeprefix("sortid.")
    if library in WITH_LIBRARIES:
        pytest.importorskip(library)
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert (failed, tried > 0) == (0, True)


def test_the_page_for_analysts(tmp_path: Path) -> None:
    """The blocks continue each other. The lines that begin with `#>` are what they print."""
    page = (ROOT / "docs" / "analysts.md").read_text()
    program = "".join(re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    shown = [line.removeprefix("#> ") for line in program.splitlines() if line.startswith("#> ")]
    assert len(shown) > 4
    # The page writes this file with the program.
    functions = (ROOT / "crates" / "sortid-sql" / "sql" / "duckdb.sql").read_text()
    (tmp_path / "functions.sql").write_text(functions)
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == shown
