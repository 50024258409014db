"""Receiver of webhook deliveries, as a WSGI application or in another framework."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from payment_collection.verify_webhook import Headers, WebhookEvent, WebhookVerificationError, verify_webhook

Secrets: TypeAlias = str | Sequence[str]
# Larger than any body that the service sends.
MAX_BYTES = 65_536


class BodyTooLarge(Exception):
    """The body is larger than any body that the service sends."""


class WebhookListener:
    """Responds with 200 after `handle` returns, 401 if verification fails, and 500 if `secret` or `handle` raises."""

    def __init__(
        self,
        secret: Secrets | Callable[[], Secrets],
        handle: Callable[[WebhookEvent], object],
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        """Creates a listener.

        `secret` is the webhook secret, or all valid secrets during a rotation. A function is called for each delivery,
        so that you can rotate the secret without a restart. `handle` stores a verified event. It must return within 2
        seconds, so do slow work afterwards. Events can be delivered more than once. If `handle` raises, the service
        retries the delivery. `on_error` is called with the error of each rejected delivery and with each error that
        `secret` or `handle` raises.
        """
        self._secret, self._handle, self._on_error = secret, handle, on_error

    def answer(self, body: bytes, headers: Headers) -> int:
        """Handles a delivery and returns the HTTP status for the response. For frameworks without WSGI mounting."""
        try:
            if len(body) > MAX_BYTES:
                raise BodyTooLarge(f"The body is larger than {MAX_BYTES} bytes.")
            secret = self._secret() if callable(self._secret) else self._secret
            self._handle(verify_webhook(body, headers, secret))
        except Exception as error:
            if self._on_error is not None:
                self._on_error(error)
            if isinstance(error, BodyTooLarge):
                return 413
            return 401 if isinstance(error, WebhookVerificationError) else 500
        return 200

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        """WSGI application. Mount it at the path of the webhook's URL."""
        headers = {
            key.removeprefix("HTTP_").replace("_", "-"): value
            for key, value in environ.items()
            if key.startswith("HTTP_")
        }
        status = self.answer(_read(environ), headers)
        start_response(
            f"{status} {HTTPStatus(status).phrase}", [("Content-Type", "text/plain"), ("Content-Length", "0")]
        )
        return [b""]


def _read(environ: dict[str, Any]) -> bytes:
    """Returns the body. Keeps at most MAX_BYTES + 1 bytes of a larger body."""
    length = str(environ.get("CONTENT_LENGTH") or "")
    is_chunked = bool(environ.get("wsgi.input_terminated"))
    left = int(length) if length.isascii() and length.isdigit() else (None if is_chunked else 0)
    kept = bytearray()
    while left is None or left > 0:
        part = environ["wsgi.input"].read(MAX_BYTES if left is None else min(MAX_BYTES, left))
        if not part:
            break
        kept += part[: MAX_BYTES + 1 - len(kept)]
        left = None if left is None else left - len(part)
    return bytes(kept)
