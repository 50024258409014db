"""Access token of one credential, shared by all threads."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import datetime
from threading import Lock

from payment_collection.deadline import left
from payment_collection.errors import PaymentCollectionError
from payment_collection.schemas import Token

# Seconds before expiry at which a token is renewed; a tenth of its lifetime if that is less.
MARGIN = 60.0
# Seconds. Longer than any exchange with its retries.
LONG = 3_600.0


class AccessToken:
    """Requested on first use and reused until shortly before it expires."""

    def __init__(self, ask: Callable[[], Token], clock: Callable[[], float] = time.monotonic) -> None:
        """`ask` performs one token exchange. `clock` is a monotonic clock, in seconds."""
        self._ask, self._clock = ask, clock
        self._lock = Lock()
        self._held: tuple[str, float] | None = None
        self._exchange: Future[str] | None = None

    def current(self) -> str:
        """Returns the token. Concurrent threads share one exchange and its error."""
        while True:
            with self._lock:
                if self._held is not None and self._clock() < self._held[1]:
                    return self._held[0]
                mine = self._exchange is None
                exchange = self._exchange = self._exchange or Future()
            if mine:
                return self._renew(exchange)
            try:
                return exchange.result(left(LONG))
            except FutureTimeout:
                left(0)
            except _Abandoned:
                continue

    def forget(self, token: str) -> None:
        """Discards a rejected token, unless another thread has already renewed it."""
        with self._lock:
            if self._held is not None and self._held[0] == token:
                self._held = None

    def _renew(self, exchange: Future[str]) -> str:
        try:
            answer = self._ask()
            lifetime = _lifetime_of(answer)
            with self._lock:
                self._held = (answer["token"], self._clock() + lifetime - min(MARGIN, lifetime / 10))
                self._exchange = None
            exchange.set_result(answer["token"])
            return answer["token"]
        except BaseException as error:
            with self._lock:
                self._exchange = None
            # A timeout or interrupt concerns only this thread. Another thread then performs the exchange.
            shared = error if isinstance(error, PaymentCollectionError) else _Abandoned()
            exchange.set_exception(shared)
            raise


class _Abandoned(Exception):
    """The thread that performed the exchange abandoned it."""


def _lifetime_of(answer: Token) -> float:
    """Returns the lifetime in seconds.

    Uses `exp - iat` of the JWT if it can be decoded, because the clocks of client and service may differ.
    """
    try:
        encoded = answer["token"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
        lifetime = float(claims["exp"] - claims["iat"])
        if lifetime > 0:
            return lifetime
    except (ValueError, LookupError, TypeError):
        pass  # The token is not a readable JWT.
    try:
        end = datetime.fromisoformat(answer["expired_at"].replace("Z", "+00:00"))
        return max(0.0, end.timestamp() - time.time())
    except (ValueError, LookupError, AttributeError):
        return 0.0
