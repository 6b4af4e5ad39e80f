"""Time-sortable identifiers of five specifications.

>>> from sortid import Euid
>>> id = Euid("1HZP2F3TARAH1VEXW8BDJPEKP44")
>>> print(id.time)
2024-06-06 06:06:06.666000+00:00
>>> Euid.new() < Euid.new()
True
"""

from sortid import columns, ledger
from sortid._sortid import (
    Backfill,
    BackfillError,
    Column,
    ConfigError,
    Euid,
    EventId,
    Fleet,
    FleetError,
    GenerateError,
    Generator,
    Node,
    ParseError,
    RonUid,
    Scru160,
    UlidFlake,
    __version__,
)
from sortid._typed import TypedId

__all__ = [
    "Backfill",
    "BackfillError",
    "Column",
    "ConfigError",
    "Euid",
    "EventId",
    "Fleet",
    "FleetError",
    "GenerateError",
    "Generator",
    "Node",
    "ParseError",
    "RonUid",
    "Scru160",
    "TypedId",
    "UlidFlake",
    "__version__",
    "columns",
    "ledger",
]
