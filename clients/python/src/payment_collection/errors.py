"""Error of a failed call."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from payment_collection.next_steps import CODES, STATUSES
from payment_collection.schemas import FieldError

_CHARSET = re.compile(r';\s*charset\s*=\s*"?([^";\s]*)', re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """Response. Either `body` is complete, or `unread` is the response to stream."""

    status: int
    headers: httpx.Headers
    body: bytes = b""
    unread: httpx.Response | None = None

    @property
    def content(self) -> Any:
        """Parsed JSON object of the body; None if the body is not a JSON object."""
        try:
            value = json.loads(self.body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None


class PaymentCollectionError(Exception):
    """Error of a failed call.

    `code` is a code of docs/reference/errors.md or one of the client: `unreachable` (no response was received),
    `unexpected_answer` (the response does not come from this API) or `wait_timed_out`.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        next_step: str = "",
        status: int | None = None,
        fields: Sequence[FieldError] = (),
        request_id: str | None = None,
        retry_after: int | None = None,
        last: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        # Stable, machine-readable error code.
        self.code = code
        # Sentence that says what to do.
        self.next_step = next_step
        # HTTP status; None if no response was received.
        self.status = status
        # Invalid fields, each with the violated rule.
        self.fields = list(fields)
        # Id of the request in the service's log. Include it when you contact the operator.
        self.request_id = request_id
        # Seconds to wait before the next attempt; None if the response has no `Retry-After`.
        self.retry_after = retry_after
        # Last response, if the code is `wait_timed_out`.
        self.last = last

    @classmethod
    def of_answer(cls, answer: Answer) -> PaymentCollectionError:
        status, headers, content = answer.status, answer.headers, answer.content or {}
        retry_after = seconds_of(headers.get("retry-after"))
        request_id = headers.get("x-request-id")
        code, message = content.get("code"), content.get("message")
        if not isinstance(code, str) or not isinstance(message, str):
            reason = unreadable(headers) or "the response does not come from this API"
            return cls(
                f"HTTP {status}: {reason}.",
                code="unexpected_answer",
                next_step="Check the base URL, and any proxy between you and the service.",
                **{"status": status, "request_id": request_id, "retry_after": retry_after},
            )
        request_id = content.get("request_id", request_id)
        if status >= 500 and request_id is not None:
            message = f"{message} (Request id {request_id}.)"
        return cls(
            message,
            code=code,
            fields=content.get("errors") or (),
            next_step=_next_step_of(code, status),
            **{"status": status, "request_id": request_id, "retry_after": retry_after},
        )

    @classmethod
    def unreachable(cls, origin: str, attempts: int, cause: Exception) -> PaymentCollectionError:
        times = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        reason = (str(cause) or type(cause).__name__).rstrip(".")
        return cls(
            f"No response from {origin} after {times}: {reason}.",
            code="unreachable",
            next_step="Check that the service is running and reachable. "
            "Repeat a create call with the same idempotency key, because it may have succeeded.",
        )


def unreadable(headers: httpx.Headers) -> str | None:
    """Returns the reason why a body with these headers cannot be read; None if it can."""
    coding = headers.get("content-encoding", "").strip()
    if coding.lower() not in ("", "identity", "gzip"):
        return f"unsupported content encoding {coding}"
    charset = _CHARSET.search(headers.get("content-type", ""))
    if charset is not None and charset[1].lower() not in ("utf-8", "utf8"):
        return f"unsupported character set {charset[1]}"
    return None


def seconds_of(retry_after: str | None) -> int | None:
    """Returns the seconds until `Retry-After`; None if the value is neither a number nor a date."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 10:
        return int(retry_after)
    try:
        at = parsedate_to_datetime(retry_after).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0, math.ceil(at - time.time()))


def _next_step_of(code: str, status: int) -> str:
    """Returns the next step for an error code; for unknown codes, the next step for the HTTP status."""
    by_status = STATUSES.get("500" if status >= 500 else str(status), STATUSES["other"])
    return CODES.get(code, by_status)
