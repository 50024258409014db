"""Time limit for all calls in a block."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_END: ContextVar[float | None] = ContextVar("payment_collection_deadline", default=None)


class TimeIsOver(TimeoutError):
    """The time limit of a block was reached."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limits the total time of all calls in the block, including retries. Then calls raise TimeoutError."""
    end, outer = time.monotonic() + seconds, _END.get()
    token = _END.set(end if outer is None else min(end, outer))
    try:
        yield
    finally:
        _END.reset(token)


def left(limit: float) -> float:
    """Returns the remaining seconds, at most `limit`. Raises TimeoutError if no time remains."""
    end = _END.get()
    if end is None:
        return limit
    remaining = end - time.monotonic()
    if remaining <= 0:
        raise TimeIsOver("The time limit for the call was reached.")
    return min(limit, remaining)


def pause(seconds: float) -> None:
    """Sleeps. Raises TimeoutError if the time limit is reached first."""
    allowed = left(seconds)
    time.sleep(allowed)
    if allowed < seconds:
        raise TimeIsOver("The time limit for the call was reached.")
