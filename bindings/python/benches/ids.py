"""Times of single IDs, beside the standard library's ``uuid``, and the packages ``uuid-utils`` and ``python-ulid``.

Run it with an installed release build: ``python benches/ids.py``. All figures are of one run. Each is the median of several
rounds, and each round measures everything once, so that a busy moment of the machine does not hit one package only. The
ratio is that of the figure and the EUID's.
"""

import argparse
import importlib
import platform
import statistics
import sys
import timeit
import uuid
from datetime import UTC, datetime
from typing import Any

from sortid import Euid, Scru160, TypedId, UlidFlake, __version__


class OrderId(TypedId[Euid], prefix="order"):
    """A typed ID."""


#: For each operation, a statement for each package. ``x`` is an ID, ``t`` its text, and ``b`` its bytes.
OPERATIONS: dict[str, dict[str, str]] = {
    "new": {
        "Euid": "new()",
        "Scru160": "new()",
        "UlidFlake": "new()",
        "OrderId": "new()",
        "uuid (4)": "new()",
        "uuid (7)": "new()",
        "uuid-utils (4)": "new()",
        "uuid-utils (7)": "new()",
        "python-ulid": "new()",
    },
    "text": dict.fromkeys(
        ["Euid", "Scru160", "UlidFlake", "OrderId", "uuid (4)", "uuid-utils (7)", "python-ulid"], "str(x)"
    ),
    "parse": dict.fromkeys(["Euid", "Scru160", "UlidFlake", "OrderId", "uuid (4)", "uuid-utils (7)"], "cls(t)")
    | {"python-ulid": "cls.from_str(t)"},
    "to bytes": {
        **dict.fromkeys(["Euid", "Scru160", "UlidFlake", "uuid (4)", "uuid-utils (7)", "python-ulid"], "x.bytes"),
        "OrderId": "bytes(x)",
    },
    "from bytes": {
        **dict.fromkeys(["Euid", "Scru160", "UlidFlake", "OrderId"], "cls(b)"),
        **dict.fromkeys(["uuid (4)", "uuid-utils (7)"], "cls(bytes=b)"),
        "python-ulid": "cls.from_bytes(b)",
    },
    "time": {
        **dict.fromkeys(["Euid", "Scru160", "UlidFlake", "OrderId"], "x.time"),
        "uuid-utils (7)": "fromtimestamp(x.timestamp / 1000, UTC)",
        # This package keeps the time of an ID for the next call.
        "python-ulid": "cls(b).datetime",
    },
    "compare": dict.fromkeys(
        ["Euid", "Scru160", "UlidFlake", "OrderId", "uuid (4)", "uuid-utils (7)", "python-ulid"], "x < y"
    ),
    "hash": dict.fromkeys(
        ["Euid", "Scru160", "UlidFlake", "OrderId", "uuid (4)", "uuid-utils (7)", "python-ulid"], "hash(x)"
    ),
}


def packages() -> dict[str, tuple[Any, Any]]:
    """The class of each package that is there, and its function that makes an ID."""
    found: dict[str, tuple[Any, Any]] = {
        "Euid": (Euid, Euid.new),
        "Scru160": (Scru160, Scru160.new),
        "UlidFlake": (UlidFlake, UlidFlake.new),
        "OrderId": (OrderId, OrderId.new),
        "uuid (4)": (uuid.UUID, uuid.uuid4),
    }
    if sys.version_info >= (3, 14):
        found["uuid (7)"] = (uuid.UUID, uuid.uuid7)
    try:
        uuid_utils: Any = importlib.import_module("uuid_utils")
        found["uuid-utils (4)"] = (uuid_utils.UUID, uuid_utils.uuid4)
        found["uuid-utils (7)"] = (uuid_utils.UUID, uuid_utils.uuid7)
    except ImportError:
        print("uuid-utils is not installed", file=sys.stderr)
    try:
        ulid: Any = importlib.import_module("ulid")
        found["python-ulid"] = (ulid.ULID, ulid.ULID)
    except ImportError:
        print("python-ulid is not installed", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Times of single IDs in nanoseconds.")
    parser.add_argument("--rounds", type=int, default=15)
    rounds: int = parser.parse_args().rounds

    timers: dict[tuple[str, str], tuple[timeit.Timer, int]] = {}
    for package, (cls, new) in packages().items():
        x, y = new(), new()
        names = {
            "UTC": UTC,
            "fromtimestamp": datetime.fromtimestamp,
            "cls": cls,
            "new": new,
            "x": x,
            "y": y,
            "t": str(x),
            "b": getattr(x, "bytes", None) or bytes(x),
        }
        for operation, statements in OPERATIONS.items():
            if statement := statements.get(package):
                timer = timeit.Timer(statement, globals=names)
                # About 5 ms for each round.
                count, took = timer.autorange()
                timers[operation, package] = timer, max(1, int(count * 0.005 / took))

    times: dict[tuple[str, str], list[float]] = {key: [] for key in timers}
    for _ in range(rounds):
        for key, (timer, count) in timers.items():
            times[key].append(timer.timeit(count) / count * 1e9)

    print(f"sortid {__version__}, {platform.python_implementation()} {platform.python_version()}, {rounds} rounds")
    medians = {key: statistics.median(values) for key, values in times.items()}
    for operation in OPERATIONS:
        print(f"\n{operation}")
        for (found, package), median in medians.items():
            if found == operation:
                print(f"  {package:15} {median:9.0f} ns  {median / medians[operation, 'Euid']:6.2f} ×")


if __name__ == "__main__":
    main()
