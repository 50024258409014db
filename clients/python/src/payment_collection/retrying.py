"""Retries of requests."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import httpx

from payment_collection.deadline import left, pause
from payment_collection.errors import Answer, PaymentCollectionError, seconds_of

# Statuses of temporary errors.
TEMPORARY_STATUSES = (408, 429, 502, 503, 504)


@dataclass(frozen=True)
class RetryPolicy:
    """Number of attempts and delays between them. Times are in seconds."""

    # Maximum number of attempts, including the first.
    attempts: int = 4
    # Delay before the second attempt. Doubles for each further attempt and is randomly reduced by up to half.
    first_delay: float = 0.5
    # Maximum delay. A longer `Retry-After` ends the attempts.
    max_delay: float = 30.0


@dataclass(frozen=True)
class Repeatable:
    origin: str
    # True if the request can be retried: every method except POST, POST with a key, and idempotent POST.
    is_safe: bool
    is_keyed: bool


def with_retries(policy: RetryPolicy, request: Repeatable, send: Callable[[], Answer]) -> Answer:
    """Returns the last response, including errors. Raises PaymentCollectionError `unreachable`, or TimeoutError."""
    attempts = policy.attempts if request.is_safe else 1
    for attempt in count(1):
        left(0)
        delay = _backoff(policy, attempt)
        try:
            answer = send()
        except httpx.RequestError as error:
            left(0)
            if attempt >= attempts:
                raise PaymentCollectionError.unreachable(request.origin, attempt, error) from error
        else:
            if attempt >= attempts or not _is_temporary(answer, request.is_keyed):
                return answer
            asked = seconds_of(answer.headers.get("retry-after"))
            if asked is not None:
                if asked > policy.max_delay:
                    return answer
                # The random part spreads clients that were rejected at the same time.
                delay = asked + random.random() * policy.first_delay
        pause(delay)
    raise AssertionError("itertools.count() never ends.")


def _is_temporary(answer: Answer, is_keyed: bool) -> bool:
    """Returns whether a retry may succeed. With an idempotency key, a retry is also safe after a 500."""
    if answer.status in TEMPORARY_STATUSES:
        return True
    # `idempotency_in_progress` is the only 409 with a `Retry-After`.
    conflict = answer.status == 409 and "retry-after" in answer.headers
    return is_keyed and (answer.status == 500 or conflict)


def _backoff(policy: RetryPolicy, attempt: int) -> float:
    delay = min(policy.first_delay * 2.0 ** (attempt - 1), policy.max_delay)
    return delay * (0.5 + random.random() / 2)
