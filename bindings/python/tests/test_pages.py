"""The pages run as they are printed."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]
ROOT = FOLDER.parents[1]


def test_the_readme() -> None:
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert (failed, tried > 20) == (0, True)


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
    assert len(shown) > 9
    # The page writes this file with the program.
    functions = (ROOT / "crates" / "sortid-sql" / "sql" / "duckdb.sql").read_text()
    (tmp_path / "functions.sql").write_text(functions)
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == shown
