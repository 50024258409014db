"""The error of every call that does not succeed."""

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
    """An answer that has been read whole, or one whose body is still to be read."""

    status: int
    headers: httpx.Headers
    body: bytes = b""
    unread: httpx.Response | None = None

    @property
    def content(self) -> Any:
        """The JSON of the body; None where that is no object."""
        try:
            value = json.loads(self.body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None


class PaymentCollectionError(Exception):
    """A call that did not succeed.

    Codes are those of docs/reference/errors.md, and three of the client: `unreachable` (no answer came),
    `unexpected_answer` (what answered is not this API) and `wait_timed_out`.
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
        # A stable word for programs.
        self.code = code
        # The next step, as a sentence.
        self.next_step = next_step
        # The status of HTTP; None where no answer came.
        self.status = status
        # Each refused field, with the rule it breaks.
        self.fields = list(fields)
        # The service's operator finds the call in the log by it.
        self.request_id = request_id
        # Seconds to wait, where the answer names them.
        self.retry_after = retry_after
        # The last answer, where waiting for another has ended.
        self.last = last

    @classmethod
    def of_answer(cls, answer: Answer) -> PaymentCollectionError:
        status, headers, content = answer.status, answer.headers, answer.content or {}
        retry_after = seconds_of(headers.get("retry-after"))
        request_id = headers.get("x-request-id")
        code, message = content.get("code"), content.get("message")
        if not isinstance(code, str) or not isinstance(message, str):
            reason = unreadable(headers) or "without an error of this API"
            return cls(
                f"HTTP {status} came {reason}.",
                code="unexpected_answer",
                next_step="Check the base URL, and what stands between you and the service.",
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
        times = "once" if attempts == 1 else f"{attempts} times"
        reason = (str(cause) or type(cause).__name__).rstrip(".")
        return cls(
            f"{origin} did not answer, tried {times}: {reason}.",
            code="unreachable",
            next_step="Check that the service runs and can be reached. "
            "Repeat a creation under the same key: it may have been created.",
        )


def unreadable(headers: httpx.Headers) -> str | None:
    """Why the body of an answer with these headers is not read; None where it is."""
    coding = headers.get("content-encoding", "").strip()
    if coding.lower() not in ("", "identity", "gzip"):
        return f"in the content coding {coding}"
    charset = _CHARSET.search(headers.get("content-type", ""))
    if charset is not None and charset[1].lower() not in ("utf-8", "utf8"):
        return f"in the character set {charset[1]}"
    return None


def seconds_of(retry_after: str | None) -> int | None:
    """The wait that a `Retry-After` asks for; None for what is neither seconds nor a date."""
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
    """The next step after an error; by its HTTP status where the code was added later."""
    by_status = STATUSES.get("500" if status >= 500 else str(status), STATUSES["other"])
    return CODES.get(code, by_status)
