"""Waits in asynchronous code."""

import asyncio
from typing import TypeVar

from sortid import GenerateError, Generator

_I = TypeVar("_I")


async def generate(ids: Generator[_I]) -> _I:
    """Returns the next ID of a generator, after as many waits as it takes."""
    while True:
        try:
            return ids.try_generate()
        except GenerateError as error:
            if error.retry_after is None:
                raise
            wait = error.retry_after
        await asyncio.sleep(wait)
