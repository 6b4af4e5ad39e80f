"""Waits in asynchronous code."""

import asyncio
from typing import Any


async def generate(pending: Any) -> Any:
    """Returns the ID that `pending` generates, after as many waits as it asks for."""
    while isinstance(result := pending.poll(), float):
        await asyncio.sleep(result)
    return result
