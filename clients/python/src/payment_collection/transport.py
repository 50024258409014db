"""Sends requests with the credential, again where that does no harm."""

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
# POSTs that do no more when they come twice, without a key.
SAFE_PATHS = (EXCHANGE, "/v1/pos/{posID}/payment-request/{paymentRequestID}/expire")


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str
    # Left out where the settings are printed.
    api_secret: str = field(repr=False)
    retries: RetryPolicy
    # Seconds for one attempt, its answer's body included.
    timeout: float


@dataclass(frozen=True)
class Prepared:
    """A request as it is sent at every attempt."""

    method: str
    # Behind the base URL, with its query.
    target: str
    headers: dict[str, str]
    body: bytes | None = None
    # True where repeating does no harm, though it is a POST without a key.
    is_safe: bool = False


class Transport:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._begin()

    def send(self, request: Prepared, path: str, *, streams: bool = False) -> Answer:
        """`path` is that of the reference, with its placeholders; `streams` leaves a good answer's body unread."""
        # A forked process shares no connection with its parent, since answers would be mixed up.
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
        answer = self._attempt(self._proven(request, token), streams)
        if answer.status != 401:
            return answer
        # A 401 comes before anything is done, so this may be repeated without a key too.
        self._token.forget(token)
        return self._attempt(self._proven(request, self._token.current()), streams)

    @contextmanager
    def opened(self, request: Prepared, path: str) -> Iterator[Iterator[bytes]]:
        """The parts of an answer's body as they come, however long it takes."""
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
        # The latest write of this client, where the service reads from a replica.
        self._written: str | None = None

    def _parts(self, response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except httpx.RequestError as error:
            raise PaymentCollectionError.unreachable(self._settings.base_url, 1, error) from error

    def _proven(self, request: Prepared, token: str) -> Prepared:
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
        # A redirect would carry secrets to wherever it leads.
        response = self._http.send(made, stream=True, follow_redirects=False)
        with self._lock:
            self._written = later_position(self._written, response.headers.get(READ_AFTER))
        if unreadable(response.headers) is not None:
            response.close()
            return Answer(response.status_code, response.headers)
        if streams and response.is_success:
            return Answer(response.status_code, response.headers, unread=response)
        # Read here: an answer that breaks off is lost, and asked for again.
        parts = bytearray()
        try:
            for part in response.iter_bytes():
                parts += part
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("The answer took too long", request=made)
        finally:
            response.close()
        return Answer(response.status_code, response.headers, bytes(parts))
