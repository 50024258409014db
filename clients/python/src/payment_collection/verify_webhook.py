"""Verifies deliveries of webhooks."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import product
from typing import NoReturn, Protocol, cast

from payment_collection.events import WebhookNotice, notice_in

# Seconds (docs/reference/webhook-signatures.md).
TOLERANCE = 300.0
SECRET = re.compile(r"whsec_([A-Za-z0-9_+/-]{24,})={0,2}")
TIMESTAMP = re.compile(r"[0-9]{1,12}")


class HasItems(Protocol):
    """Headers as Flask, Django, Starlette and others have them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Headers = HasItems | Mapping[str, str] | Iterable[tuple[str, str]]


@dataclass(frozen=True)
class WebhookEvent:
    # The event's: the same at every attempt. Handle each once.
    id: str
    sent_at: datetime
    # The event; `notification_type` says its kind. Pass over a kind that you do not know.
    data: WebhookNotice


class WebhookVerificationError(Exception):
    """A delivery that is not to be acted upon.

    `reason` is a stable word: `secret_malformed`, `body_not_raw`, `header_missing`, `timestamp_malformed`,
    `signature_mismatch`, `too_old` or `body_malformed`. `message` says what is wrong, without secrets.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def verify_webhook(
    body: bytes | bytearray | memoryview | str,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE,
    now: datetime | None = None,
) -> WebhookEvent:
    """Proves by the signature of Standard Webhooks that the service has sent a delivery, not too long ago.

    `body` is what arrived, before anything has parsed it; `secret` is what the webhook's creation answered, several
    while one is being rotated; `tolerance` is how old a delivery may be, in seconds. A timestamp of the future is
    accepted. Raises WebhookVerificationError.
    """
    keys = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        _refuse("secret_malformed", "No secret was given to verify with.")
    raw = _raw(body)
    id = _required(headers, "webhook-id")
    timestamp = _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature").split(" ")
    if not TIMESTAMP.fullmatch(timestamp):
        _refuse("timestamp_malformed", "The header webhook-timestamp is not a number of Unix seconds.")
    signed = _bytes(f"{id}.{timestamp}.") + raw
    made = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    # Compares all with all, each in constant time.
    same = [hmac.compare_digest(_bytes(one), other) for one, other in product(signatures, made)]
    if not any(same):
        _refuse(
            "signature_mismatch",
            "No signature in webhook-signature was made with the secret, over this body: the secret is another "
            "webhook’s, or something has changed the body on its way.",
        )
    age = int((time.time() if now is None else now.timestamp()) // 1 - int(timestamp))
    if age > tolerance:
        _refuse("too_old", f"It was sent {age} s ago, and at most {tolerance:g} s count.")
    data = notice_in(raw.decode("utf-8", "replace"))
    if data is None:
        _refuse("body_malformed", "It is signed, but its body is no event of this service.")
    return WebhookEvent(id, datetime.fromtimestamp(int(timestamp), timezone.utc), cast(WebhookNotice, data))


def _refuse(reason: str, message: str) -> NoReturn:
    raise WebhookVerificationError(reason, message)


def _key_of(secret: str) -> bytes:
    """The bytes that the characters after the prefix stand for, with or without padding."""
    found = SECRET.fullmatch(secret) if isinstance(secret, str) else None
    try:
        if found is not None:
            encoded = found[1].replace("-", "+").replace("_", "/")
            return base64.b64decode(encoded + "=" * (-len(encoded) % 4))
    except binascii.Error:
        pass
    _refuse(
        "secret_malformed",
        "The secret must be whsec_ and the characters behind it, as the webhook’s creation answered it.",
    )


def _raw(body: object) -> bytes:
    if isinstance(body, str):
        return _bytes(body)
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    _refuse(
        "body_not_raw",
        "The body must be the text or bytes as they arrived. Parsed and spelled anew, it is not what was signed: take "
        "request.get_data() in Flask, and request.body in Django.",
    )


def _required(headers: Headers, name: str) -> str:
    """Frameworks differ in the case of names. Two headers of one name are no header of this service."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    found = [value for key, value in pairs if key.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str) or not found[0]:
        _refuse("header_missing", f"Header {name} is missing.")
    return found[0]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
