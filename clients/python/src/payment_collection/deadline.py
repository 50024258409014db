"""A limit of time for all calls inside of a block."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_END: ContextVar[float | None] = ContextVar("payment_collection_deadline", default=None)


class TimeIsOver(TimeoutError):
    """The time of a block is over."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Ends each call of this thread in the block, and its retries, with TimeoutError once the time is over."""
    end, outer = time.monotonic() + seconds, _END.get()
    token = _END.set(end if outer is None else min(end, outer))
    try:
        yield
    finally:
        _END.reset(token)


def left(limit: float) -> float:
    """The seconds that may pass, at most `limit`. Raises TimeoutError where none is left."""
    end = _END.get()
    if end is None:
        return limit
    remaining = end - time.monotonic()
    if remaining <= 0:
        raise TimeIsOver("The time for the call is over.")
    return min(limit, remaining)


def pause(seconds: float) -> None:
    """Sleeps, and raises TimeoutError at the end of the time."""
    allowed = left(seconds)
    time.sleep(allowed)
    if allowed < seconds:
        raise TimeIsOver("The time for the call is over.")
