"""Sends authenticated requests and retries them if a retry is safe."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from threading import Lock
from typing import cast

import httpx

from payment_collection.access_token import AccessToken
from payment_collection.deadline import left
from payment_collection.errors import Answer, PaymentCollectionError, unreadable
from payment_collection.keyed_paths import KEYED_PATHS
from payment_collection.read_after import later_position
from payment_collection.retrying import Repeatable, RetryPolicy, with_retries
from payment_collection.schemas import Token

AGENT = f"payment-collection-client/{version('payment-collection-client')} (python)"
READ_AFTER = "x-read-after"
KEY = "idempotency-key"
EXCHANGE = "/v1/auth/token"
# POSTs that are idempotent without a key.
SAFE_PATHS = (EXCHANGE, "/v1/pos/{posID}/payment-request/{paymentRequestID}/expire")


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str
    # Excluded from repr, so that it is not logged.
    api_secret: str = field(repr=False)
    retries: RetryPolicy
    # Time limit of one attempt in seconds, including the response body.
    timeout: float


@dataclass(frozen=True)
class Prepared:
    """Request that is the same for every attempt."""

    method: str
    # Path and query, appended to the base URL.
    target: str
    headers: dict[str, str]
    body: bytes | None = None
    # True for a POST that is idempotent without a key.
    is_safe: bool = False


class Transport:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._begin()

    def send(self, request: Prepared, path: str, *, streams: bool = False) -> Answer:
        """Sends a request. `path` is the template in the API reference; `streams` leaves a successful body unread."""
        # A forked process must not share connections with its parent, because responses would be mixed up.
        if os.getpid() != self._process:
            self._begin()
        headers = dict(request.headers)
        if request.method == "POST" and path in KEYED_PATHS:
            headers.setdefault(KEY, str(uuid.uuid4()))
        if request.method == "GET" and self._written is not None:
            headers.setdefault(READ_AFTER, self._written)
        request = replace(request, headers=headers, is_safe=path in SAFE_PATHS)
        if not path.startswith("/v1/") or path == EXCHANGE:
            return self._attempt(request, streams)
        token = self._token.current()
        answer = self._attempt(self._authenticated(request, token), streams)
        if answer.status != 401:
            return answer
        # A request rejected with 401 has no effect, so even a POST without a key can be repeated.
        self._token.forget(token)
        return self._attempt(self._authenticated(request, self._token.current()), streams)

    @contextmanager
    def opened(self, request: Prepared, path: str) -> Iterator[Iterator[bytes]]:
        """Streams the parts of a response's body, without a time limit."""
        answer = self.send(request, path, streams=True)
        if answer.unread is None:
            raise PaymentCollectionError.of_answer(answer)
        try:
            yield self._parts(answer.unread)
        finally:
            answer.unread.close()

    def close(self) -> None:
        self._http.close()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._http = httpx.Client(headers={"user-agent": AGENT, "accept-encoding": "gzip"})
        self._token = AccessToken(self._exchange)
        # `X-Read-After` of this client's latest write; None if the service does not use read replicas.
        self._written: str | None = None

    def _parts(self, response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except httpx.RequestError as error:
            raise PaymentCollectionError.unreachable(self._settings.base_url, 1, error) from error

    def _authenticated(self, request: Prepared, token: str) -> Prepared:
        proof = {"authorization": f"Bearer {token}", "x-service-api-key": self._settings.api_key}
        return replace(request, headers={**request.headers, **proof})

    def _exchange(self) -> Token:
        credential = {"api_key": self._settings.api_key, "api_secret": self._settings.api_secret}
        headers = {"content-type": "application/json"}
        request = Prepared("POST", EXCHANGE, headers, json.dumps(credential).encode(), is_safe=True)
        answer = self._attempt(request, False)
        data = (answer.content or {}).get("data")
        if answer.status != 200 or not isinstance(data, dict) or not isinstance(data.get("token"), str):
            raise PaymentCollectionError.of_answer(answer)
        return cast(Token, data)

    def _attempt(self, request: Prepared, streams: bool) -> Answer:
        is_keyed = KEY in request.headers
        is_safe = is_keyed or request.method != "POST" or request.is_safe
        repeatable = Repeatable(self._settings.base_url, is_safe, is_keyed)
        return with_retries(self._settings.retries, repeatable, lambda: self._once(request, streams))

    def _once(self, request: Prepared, streams: bool) -> Answer:
        limit = left(self._settings.timeout)
        end = time.monotonic() + limit
        url = self._settings.base_url + request.target
        made = self._http.build_request(
            request.method, url, headers=request.headers, content=request.body, timeout=limit
        )
        # A redirect could send secrets to another host.
        response = self._http.send(made, stream=True, follow_redirects=False)
        with self._lock:
            self._written = later_position(self._written, response.headers.get(READ_AFTER))
        if unreadable(response.headers) is not None:
            response.close()
            return Answer(response.status_code, response.headers)
        if streams and response.is_success:
            return Answer(response.status_code, response.headers, unread=response)
        # Reads the full body, so that a truncated response fails this attempt and is retried.
        parts = bytearray()
        try:
            for part in response.iter_bytes():
                parts += part
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("The response took too long", request=made)
        finally:
            response.close()
        return Answer(response.status_code, response.headers, bytes(parts))
