"""The stubs: what mypy and pyright say of the package."""

import asyncio
import doctest
import subprocess
import sys
from pathlib import Path

import pytest
import stub_docs
import typing_cases

from sortid import Euid

FOLDER = Path(__file__).parents[1]


@pytest.mark.parametrize("case", typing_cases.CASES, ids=lambda case: case.__name__)
def test_what_type_checkers_accept_runs(case: typing_cases.Case) -> None:
    case()


def test_asynchronous_calls_run() -> None:
    asyncio.run(typing_cases.asynchronous(Euid.generator()))


def check(tool: str, *arguments: str) -> None:
    pytest.importorskip(tool)
    command = [sys.executable, "-m", tool, *arguments]
    checked = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    stub = stub_docs.STUB.read_text()
    assert stub.count('"""') > 100
    assert stub_docs.documented(stub) == stub, "python tests/stub_docs.py writes them"


def test_mypy() -> None:
    check("mypy", "tests/typing_cases.py")


def test_pyright() -> None:
    check("pyright", "--pythonpath", sys.executable, "tests/typing_cases.py")


def test_the_examples_of_the_readme(tmp_path: Path) -> None:
    examples = doctest.DocTestParser().get_examples((FOLDER / "README.md").read_text())
    # An expression is printed, so it is used. The errors that examples show are not those of types.
    program = "".join(example.source for example in examples)
    assert len(examples) > 15
    path = tmp_path / "readme.py"
    path.write_text(f"# pyright: strict, reportUnusedExpression=false\n{program}")
    check("mypy", str(path))
    check("pyright", "--pythonpath", sys.executable, str(path))
