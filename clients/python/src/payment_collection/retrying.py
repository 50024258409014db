"""Sends a request again where that does no harm."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import httpx

from payment_collection.deadline import left, pause
from payment_collection.errors import Answer, PaymentCollectionError, seconds_of

# Statuses that may pass by themselves.
PASSING = (408, 429, 502, 503, 504)


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is sent, and the waits between; all times in seconds."""

    # The first time included.
    attempts: int = 4
    # Before the second attempt; doubled for each later one, and shortened by up to a half at random.
    first_delay: float = 0.5
    # The longest wait. A longer `Retry-After` ends the retries.
    max_delay: float = 30.0


@dataclass(frozen=True)
class Repeatable:
    origin: str
    # True where repeating does no harm: for any method but POST, and for a POST with a key.
    is_safe: bool
    is_keyed: bool


def with_retries(policy: RetryPolicy, request: Repeatable, send: Callable[[], Answer]) -> Answer:
    """The last answer, whatever it says. Raises PaymentCollectionError `unreachable`, or TimeoutError."""
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
            if attempt >= attempts or not _may_pass(answer, request.is_keyed):
                return answer
            asked = seconds_of(answer.headers.get("retry-after"))
            if asked is not None:
                if asked > policy.max_delay:
                    return answer
                # Callers that were refused together do not come back together.
                delay = asked + random.random() * policy.first_delay
        pause(delay)
    raise AssertionError("A count has no end.")


def _may_pass(answer: Answer, is_keyed: bool) -> bool:
    """Under a key, a repetition after an unexpected error finds what was created, or creates it."""
    if answer.status in PASSING:
        return True
    # Only one conflict says when to come again: `idempotency_in_progress`.
    conflict = answer.status == 409 and "retry-after" in answer.headers
    return is_keyed and (answer.status == 500 or conflict)


def _backoff(policy: RetryPolicy, attempt: int) -> float:
    delay = min(policy.first_delay * 2.0 ** (attempt - 1), policy.max_delay)
    return delay * (0.5 + random.random() / 2)
