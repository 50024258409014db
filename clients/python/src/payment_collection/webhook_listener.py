"""Takes deliveries of webhooks, as a WSGI application or in any other framework."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from payment_collection.verify_webhook import Headers, WebhookEvent, WebhookVerificationError, verify_webhook

Secrets: TypeAlias = str | Sequence[str]
# Larger ones are not of this service.
MAX_BYTES = 65_536


class BodyTooLarge(Exception):
    """A body that is not of this service, since it is too large."""


class WebhookListener:
    """Answers 200 once `handle` has returned, 401 to what does not verify, and 500 where `handle` raises."""

    def __init__(
        self,
        secret: Secrets | Callable[[], Secrets],
        handle: Callable[[WebhookEvent], object],
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        """`secret` may be a function, which is asked at each delivery, so that a rotation needs no restart.

        `handle` stores a verified event, within 2 seconds: what takes longer comes afterwards. The same event can come
        twice. Where it raises, the service sends the event again. `on_error` hears of that, and of what was refused.
        """
        self._secret, self._handle, self._on_error = secret, handle, on_error

    def answer(self, body: bytes, headers: Headers) -> int:
        """The status of HTTP that a delivery is to be answered with, once it is handled: for any framework."""
        try:
            if len(body) > MAX_BYTES:
                raise BodyTooLarge(f"The body has more than {MAX_BYTES} bytes.")
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
        """The application that a WSGI server calls. Mount it where the webhook's URL leads."""
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
    """The body, of which no more is kept than shows that it is too large."""
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
