"""Ledgers as files, open files and compressed files have one verdict."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sortid import ledger

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
LEDGERS = ["ledger-classic.ndjson", "ledger-entities.ndjson"]


def facts(report: Any) -> list[Any]:
    names = ("valid", "events", "lines", "faults", "profile", "genesis", "ledger_id", "last_event_id")
    return [*(getattr(report, name) for name in names), [str(fault) for fault in report.listed]]


@pytest.mark.parametrize("name", LEDGERS)
def test_each_form_of_a_ledger_has_the_same_verdict(name: str, tmp_path: Path) -> None:
    whole = (VECTORS / name).read_bytes()
    lines = whole.splitlines(keepends=True)
    for content in (whole, b"", whole.replace(b"\n", b"\r\n"), whole[:-20], lines[0], b"".join(lines[1:]), b"\0" * 9, b"\n"):
        path = tmp_path / "ledger.ndjson"
        path.write_bytes(content)
        expected = facts(ledger.verify(path))
        assert facts(ledger.verify(str(path))) == expected
        # Several members of gzip are one ledger, and zeros may follow the last.
        half = len(content) // 2
        forms = [
            content,
            gzip.compress(content),
            gzip.compress(content[:half]) + gzip.compress(content[half:]),
            gzip.compress(content) + b"\0" * 512,
        ]
        if sys.version_info >= (3, 14):
            forms.append(import_module("compression.zstd").compress(content))
        for form in forms:
            path.write_bytes(form)
            assert facts(ledger.verify(path)) == expected
            assert facts(ledger.verify(io.BytesIO(form))) == expected
            with path.open("rb") as file:
                assert facts(ledger.verify(file)) == expected
            with path.open("rb", buffering=0) as raw:
                assert facts(ledger.verify(raw)) == expected
        path.write_bytes(gzip.compress(content))
        with gzip.open(path) as opened:
            assert facts(ledger.verify(opened)) == expected


def recorder(calls: list[tuple[int, int | None]]) -> Callable[[int, int | None], None]:
    return lambda count, total: calls.append((count, total))


def test_progress_is_in_bytes_of_the_file(tmp_path: Path) -> None:
    whole = (VECTORS / LEDGERS[0]).read_bytes()
    lines = whole.splitlines(keepends=True)
    plain = whole + lines[-1] * (9_000_000 // len(lines[-1]))
    path = tmp_path / "ledger.ndjson"
    for content in (plain, gzip.compress(plain, 1)):
        path.write_bytes(content)
        size = len(content)
        files: list[tuple[Any, int | None]] = [
            (path, size),
            (io.BytesIO(content), size),
            (io.BufferedReader(gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(content, 1)))), None),
        ]
        for file, total in files:
            calls: list[tuple[int, int | None]] = []
            ledger.verify(file, listed=0, progress=recorder(calls))
            counts = [count for count, _ in calls]
            assert (counts, counts[-1], len(counts) > 2) == (sorted(counts), size, True)
            assert {found for _, found in calls} == {total}
    with path.open("rb") as opened:
        opened.read(1)
        with pytest.raises(StopIteration):
            # The file continues where it is.
            ledger.verify(opened, progress=lambda _, total: next(iter([] if total == size - 1 else [total])))
    path.write_bytes(b"")
    calls = []
    ledger.verify(path, progress=recorder(calls))
    assert calls == []


def test_damaged_compression_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    good = gzip.compress((VECTORS / LEDGERS[0]).read_bytes())
    wrong = bytearray(good)
    wrong[len(wrong) // 2] ^= 0xFF
    for content in (good[:-3], good[: len(good) // 2], bytes(wrong), good + b"junk", good[:3]):
        path = tmp_path / "ledger.gz"
        path.write_bytes(content)
        for file in (path, io.BytesIO(content)):
            with pytest.raises(OSError, match="."):
                ledger.verify(file)
    with pytest.raises(OSError, match="expected a ledger that expands to at most 64 MiB or 1000 times its size"):
        ledger.verify(io.BytesIO(gzip.compress(b"\n" * (66 << 20))))
    if sys.version_info < (3, 14):
        with pytest.raises(OSError, match="expected Python 3.14 or later for a ledger in zstd"):
            ledger.verify(io.BytesIO(b"\x28\xb5\x2f\xfd" + b"0" * 20))


def test_other_files_are_refused(tmp_path: Path) -> None:
    others: list[Any] = [io.StringIO("{}"), 5, None, b"shop.ndjson", object()]
    for other in others:
        with pytest.raises(TypeError, match=r"expected a .*file that is open for reading bytes, found "):
            ledger.verify(other)
    with pytest.raises(FileNotFoundError) as missing:
        ledger.verify(tmp_path / "missing")
    assert Path(missing.value.filename) == tmp_path / "missing"
    with pytest.raises(IsADirectoryError):
        ledger.verify(tmp_path)
