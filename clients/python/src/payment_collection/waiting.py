"""Waits for an answer that is read again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from payment_collection.deadline import TimeIsOver, left, pause, within
from payment_collection.errors import PaymentCollectionError

Read = TypeVar("Read")
QUARTER_OF_AN_HOUR = 900.0
# The API recommends it.
BETWEEN_READS = 3.0


def wait_until(
    read: Callable[[], Read], is_end: Callable[[Read], bool], *, timeout: float, interval: float = BETWEEN_READS
) -> Read:
    """Reads until an answer is what is waited for; times are in seconds. The service may be away meanwhile.

    Raises PaymentCollectionError: `wait_timed_out` with the last answer, or another that will not pass.
    """
    last: Read | None = None
    failure: PaymentCollectionError | None = None
    try:
        with within(timeout):
            while True:
                try:
                    last = read()
                except PaymentCollectionError as error:
                    if not _is_passing(error):
                        raise
                    failure = error
                else:
                    if is_end(last):
                        return last
                pause(interval)
    except TimeIsOver:
        # The time of a block outside may be over, which is the caller's.
        left(0)
        raise PaymentCollectionError(
            "What was waited for did not come in time.",
            code="wait_timed_out",
            next_step="Wait for the webhook, or read the payment later.",
            last=last,
        ) from (failure if last is None else None)


def _is_passing(error: PaymentCollectionError) -> bool:
    """Another read may answer without this error."""
    status = error.status or 0
    return error.code == "unreachable" or status in (408, 429) or status >= 500
