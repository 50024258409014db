"""Verification of webhook deliveries."""

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

# Default maximum age of a delivery, in seconds (docs/reference/webhook-signatures.md).
TOLERANCE = 300.0
SECRET = re.compile(r"whsec_([A-Za-z0-9_+/-]{24,})={0,2}")
TIMESTAMP = re.compile(r"[0-9]{1,12}")


class HasItems(Protocol):
    """Headers of Flask, Django, Starlette and similar frameworks."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Headers = HasItems | Mapping[str, str] | Iterable[tuple[str, str]]


@dataclass(frozen=True)
class WebhookEvent:
    # Event id, the same for every delivery attempt. Handle each id only once.
    id: str
    sent_at: datetime
    # Event body. `notification_type` is the type of the event; ignore types that you do not know.
    data: WebhookNotice


class WebhookVerificationError(Exception):
    """Error for a delivery that could not be verified. Do not process the delivery.

    `reason` is machine-readable: `secret_malformed`, `body_not_raw`, `header_missing`, `timestamp_malformed`,
    `signature_mismatch`, `too_old` or `body_malformed`. `message` contains no secrets.
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
    """Verifies the Standard Webhooks signature and the age of a delivery. Raises WebhookVerificationError.

    `body` is the raw request body, before any parsing. `secret` is the webhook secret as returned when the webhook was
    created; pass all valid secrets during a rotation. `tolerance` is the maximum age of a delivery, in seconds
    (default: 300). `now` is the time for the age check (default: the current time). Timestamps in the future are
    accepted.
    """
    keys = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        _refuse("secret_malformed", "At least one webhook secret is required.")
    raw = _raw(body)
    id = _required(headers, "webhook-id")
    timestamp = _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature").split(" ")
    if not TIMESTAMP.fullmatch(timestamp):
        _refuse("timestamp_malformed", "The header webhook-timestamp must be a Unix timestamp in seconds.")
    signed = _bytes(f"{id}.{timestamp}.") + raw
    made = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    # Compares every pair in constant time.
    same = [hmac.compare_digest(_bytes(one), other) for one, other in product(signatures, made)]
    if not any(same):
        _refuse(
            "signature_mismatch",
            "No signature in webhook-signature matches. Check that the secret belongs to this webhook, and that "
            "nothing changes the body before it is verified.",
        )
    age = int((time.time() if now is None else now.timestamp()) // 1 - int(timestamp))
    if age > tolerance:
        _refuse("too_old", f"The delivery is {age} s old. The limit is {tolerance:g} s.")
    data = notice_in(raw.decode("utf-8", "replace"))
    if data is None:
        _refuse("body_malformed", "The signature is valid, but the body is not an event of this service.")
    return WebhookEvent(id, datetime.fromtimestamp(int(timestamp), timezone.utc), cast(WebhookNotice, data))


def _refuse(reason: str, message: str) -> NoReturn:
    raise WebhookVerificationError(reason, message)


def _key_of(secret: str) -> bytes:
    """Decodes the base64 or base64url key after the prefix, with or without padding."""
    found = SECRET.fullmatch(secret) if isinstance(secret, str) else None
    try:
        if found is not None:
            encoded = found[1].replace("-", "+").replace("_", "/")
            return base64.b64decode(encoded + "=" * (-len(encoded) % 4))
    except binascii.Error:
        pass
    _refuse(
        "secret_malformed",
        "The secret must be whsec_ followed by the key, as returned when the webhook was created.",
    )


def _raw(body: object) -> bytes:
    if isinstance(body, str):
        return _bytes(body)
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    _refuse(
        "body_not_raw",
        "The body must be the raw request body, as str or bytes. Pass request.get_data() in Flask, and request.body in "
        "Django.",
    )


def _required(headers: Headers, name: str) -> str:
    """Ignores the case of header names, which depends on the framework. Duplicate headers count as missing."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    found = [value for key, value in pairs if key.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str) or not found[0]:
        _refuse("header_missing", f"The header {name} is missing.")
    return found[0]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
