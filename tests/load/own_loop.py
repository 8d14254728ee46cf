"""Coroutines in tests: Playwright's own loop runs in the main thread once a browser is open."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Value = TypeVar("Value")


def run(work: Coroutine[object, object, Value]) -> Value:
    """As `asyncio.run`, in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
