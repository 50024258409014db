"""Polling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from payment_collection.deadline import TimeIsOver, left, pause, within
from payment_collection.errors import PaymentCollectionError

Read = TypeVar("Read")
FIFTEEN_MINUTES = 900.0
# Polling interval in seconds, as the API recommends.
POLL_INTERVAL = 3.0


def wait_until(
    read: Callable[[], Read], is_end: Callable[[Read], bool], *, timeout: float, interval: float = POLL_INTERVAL
) -> Read:
    """Polls until a response meets the condition. Continues through outages. Times are in seconds.

    Raises PaymentCollectionError: `wait_timed_out`, with the last response as `last`, or a permanent error.
    """
    last: Read | None = None
    failure: PaymentCollectionError | None = None
    try:
        with within(timeout):
            while True:
                try:
                    last = read()
                except PaymentCollectionError as error:
                    if not _is_temporary(error):
                        raise
                    failure = error
                else:
                    if is_end(last):
                        return last
                pause(interval)
    except TimeIsOver:
        # Raises the caller's TimeoutError if the limit of an outer block was reached.
        left(0)
        raise PaymentCollectionError(
            "The wait timed out without a result.",
            code="wait_timed_out",
            next_step="Wait for the webhook, or read the payment later.",
            last=last,
        ) from (failure if last is None else None)


def _is_temporary(error: PaymentCollectionError) -> bool:
    """Returns whether the error is temporary, so that polling continues."""
    status = error.status or 0
    return error.code == "unreachable" or status in (408, 429) or status >= 500
