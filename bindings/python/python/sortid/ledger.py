"""Evently ledgers.

>>> from sortid import ledger
>>> report = ledger.verify("shop.ndjson")  # doctest: +SKIP
>>> report.valid  # doctest: +SKIP
True
"""

from os import PathLike

from sortid._sortid import EventId, Fault, Report, verify_ledger

__all__ = ["Fault", "Report", "verify"]


def verify(
    path: str | PathLike[str],
    *,
    profile: str | None = None,
    strict: bool = False,
    after: EventId | None = None,
    listed: int = 100,
) -> Report:
    """Verifies each line of a ledger, which is a file of one event in a line.

    `profile` is `"classic"` or `"entities"`; without it, the event IDs decide. With `strict`, members that no profile
    has are faults. With `after`, the file continues a ledger whose last event has this ID. The report lists the first
    `listed` faults, and counts all.

    Raises OSError if the file cannot be read.
    """
    return verify_ledger(path, profile=profile, strict=strict, after=after, listed=listed)
