"""The access token of one credential, for all threads."""

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

# Seconds before its end at which a token is renewed, or a tenth of its life where that is less.
MARGIN = 60.0
# Longer than any exchange with its retries takes.
LONG = 3_600.0


class AccessToken:
    """Exchanged when it is first needed, kept until shortly before its end."""

    def __init__(self, ask: Callable[[], Token], clock: Callable[[], float] = time.monotonic) -> None:
        """`ask` makes one exchange; `clock` is one that is never set."""
        self._ask, self._clock = ask, clock
        self._lock = Lock()
        self._held: tuple[str, float] | None = None
        self._exchange: Future[str] | None = None

    def current(self) -> str:
        """Threads that ask at the same time share one exchange, and its error."""
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
        """Drops a token that was refused. Another thread may have renewed it already."""
        with self._lock:
            if self._held is not None and self._held[0] == token:
                self._held = None

    def _renew(self, exchange: Future[str]) -> str:
        try:
            answer = self._ask()
            life = _life_of(answer)
            with self._lock:
                self._held = (answer["token"], self._clock() + life - min(MARGIN, life / 10))
                self._exchange = None
            exchange.set_result(answer["token"])
            return answer["token"]
        except BaseException as error:
            with self._lock:
                self._exchange = None
            # A time that was over, or an interrupt, is this thread's alone: another one makes the exchange.
            shared = error if isinstance(error, PaymentCollectionError) else _Abandoned()
            exchange.set_exception(shared)
            raise


class _Abandoned(Exception):
    """The thread that made the exchange has left it."""


def _life_of(answer: Token) -> float:
    """Seconds, by the two times in the token where they can be read: clocks of two machines may differ."""
    try:
        encoded = answer["token"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
        life = float(claims["exp"] - claims["iat"])
        if life > 0:
            return life
    except (ValueError, LookupError, TypeError):
        pass  # Not a JWT that can be read.
    try:
        end = datetime.fromisoformat(answer["expired_at"].replace("Z", "+00:00"))
        return max(0.0, end.timestamp() - time.time())
    except (ValueError, LookupError, AttributeError):
        return 0.0
