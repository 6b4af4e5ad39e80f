"""Evently ledgers.

>>> from sortid import ledger
>>> report = ledger.verify("shop.ndjson")  # doctest: +SKIP
>>> report.valid  # doctest: +SKIP
True
"""

from __future__ import annotations

import importlib
import io
import os
import stat
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from sortid._sortid import EventId, Fault, Report, verify_ledger

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import Protocol

    class _Readable(Protocol):
        def read(self, size: int, /) -> bytes: ...


__all__ = ["Fault", "Report", "verify"]

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"

_PIECE = 1 << 20

# The limits of the program: a small file cannot fill the disk.
_LEAST_EXPANSION = 64 << 20
_MOST_EXPANSION = 1000


def verify(
    file: str | PathLike[str] | _Readable,
    /,
    *,
    profile: str | None = None,
    strict: bool = False,
    after: EventId | None = None,
    listed: int = 100,
    progress: Callable[[int, int | None], object] | None = None,
) -> Report:
    """Verifies each line of a ledger, which is a file of one event in a line.

    `file` is a path, or a file that is open for reading bytes. gzip is decompressed, and from Python 3.14 also zstd. Both are
    known by their first bytes.

    `profile` is `"classic"` or `"entities"`; without it, the event IDs decide. With `strict`, members that no profile
    has are faults. With `after`, the file continues a ledger whose last event has this ID. The report lists the first
    `listed` faults, and counts all.

    `progress` is called for each part of some megabytes, with the number of bytes of the file that were read so far, and
    the number of all, or None if that is not known before the end. For a compressed file, these are the compressed bytes.
    An exception of the function ends the call.

    Raises OSError if the file cannot be read, or if its compressed data is damaged.
    """

    def verify_file(path: str | PathLike[str], report: Callable[[int], object] | None = None) -> Report:
        return verify_ledger(path, profile=profile, strict=strict, after=after, listed=listed, progress=report)

    def of(opened: Any) -> Callable[[int], object] | None:
        if (call := progress) is None:
            return None
        size = _size(opened)
        return lambda count: call(count, size)

    if not isinstance(file, str | os.PathLike):
        return _verify_open(file, verify_file, of(file))
    with open(file, "rb") as opened:
        report = of(opened)
        # A pipe has no beginning to go back to.
        if not opened.seekable() or opened.peek(4)[:4].startswith((_GZIP, _ZSTD)):
            return _verify_open(opened, verify_file, report)
    return verify_file(file, report)


def _size(file: Any) -> int | None:
    """Returns how many bytes a file has from where it is, if that is known without reading it."""
    if isinstance(file, io.BytesIO):
        return file.getbuffer().nbytes - file.tell()
    raw = getattr(file, "raw", file)
    if isinstance(raw, io.FileIO) and stat.S_ISREG((status := os.fstat(raw.fileno())).st_mode):
        return status.st_size - int(file.tell())
    return None


def _verify_open(file: Any, verify_file: Any, report: Callable[[int], object] | None) -> Report:
    """Verifies a copy without compression."""
    if not hasattr(file, "read"):
        raise TypeError(f"expected a path or a file that is open for reading bytes, found {type(file).__name__}")
    source = _Source(file)
    plain = _decompressed(io.BufferedReader(source, _PIECE))
    with tempfile.NamedTemporaryFile(prefix="sortid-") as copy:
        expanded = 0
        try:
            while piece := plain.read(_PIECE):
                expanded += len(piece)
                if expanded > max(_LEAST_EXPANSION, source.count * _MOST_EXPANSION):
                    raise OSError(
                        "expected a ledger that expands to at most 64 MiB or 1000 times its size, found more: "
                        "decompress it first"
                    )
                copy.write(piece)
                if report is not None:
                    report(source.count)
        except EOFError as error:
            raise OSError(f"the compressed file ends too early: {error}") from error
        except ValueError as error:
            raise OSError(f"the compressed file is damaged: {error}") from error
        except Exception as error:
            # `zlib.error` and `ZstdError` have no common base with `OSError`.
            if type(error).__module__.partition(".")[0] in ("zlib", "compression"):
                raise OSError(f"the compressed file is damaged: {error}") from error
            raise
        copy.flush()
        return verify_file(copy.name)  # type: ignore[no-any-return]


def _decompressed(file: io.BufferedReader) -> Any:
    start = file.peek(4)[:4]
    if start.startswith(_GZIP):
        import gzip

        return gzip.GzipFile(fileobj=file)
    if start.startswith(_ZSTD):
        if sys.version_info < (3, 14):
            raise OSError("expected Python 3.14 or later for a ledger in zstd: decompress it first")
        # Type checkers of earlier versions do not know the module.
        return importlib.import_module("compression.zstd").ZstdFile(file)
    return file


class _Source(io.RawIOBase):
    """The bytes of a file, and how many were read."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self.file.read(len(buffer))
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"expected a file that is open for reading bytes, found one that returns {type(data).__name__}")
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)
