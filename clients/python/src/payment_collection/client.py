"""The client of one credential."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from types import TracebackType
from typing import cast
from urllib.parse import urlsplit

from payment_collection.events import ListedEvent, notice_in
from payment_collection.operations import ListEventsQuery, Operations
from payment_collection.point_of_sale import PointOfSale
from payment_collection.refunds import Refunds
from payment_collection.retrying import RetryPolicy
from payment_collection.transport import Settings, Transport

SETTINGS = {
    "base_url": "PAYMENT_COLLECTION_URL",
    "api_key": "PAYMENT_COLLECTION_API_KEY",
    "api_secret": "PAYMENT_COLLECTION_API_SECRET",
}


class PaymentCollectionClient(Operations):
    """Calls the API with one credential. Every call is retried where that does no harm. Threads may share a client."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        api_secret: str,
        *,
        retries: RetryPolicy | None = None,
        timeout: float = 30.0,
    ) -> None:
        """Key id and secret are those that the credential's creation answered; `timeout` is of one attempt, in seconds.

        Raises ValueError naming what is missing or malformed.
        """
        for name, value in zip(SETTINGS, (base_url, api_key, api_secret), strict=True):
            if not value:
                raise ValueError(f"{name} ({SETTINGS[name]}) is missing.")
            # A line break at its end is what reading a file leaves there.
            if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", value):
                raise ValueError(f"{name} ({SETTINGS[name]}) has white space around it, or characters beyond ASCII.")
        super().__init__(
            Transport(Settings(_checked(base_url), api_key, api_secret, retries or RetryPolicy(), timeout))
        )
        self.refunds = Refunds(self)

    @classmethod
    def from_environment(
        cls,
        environment: Mapping[str, str] | None = None,
        *,
        retries: RetryPolicy | None = None,
        timeout: float = 30.0,
    ) -> PaymentCollectionClient:
        """Reads `PAYMENT_COLLECTION_URL`, `PAYMENT_COLLECTION_API_KEY` and `PAYMENT_COLLECTION_API_SECRET`."""
        given = os.environ if environment is None else environment
        url, key, secret = (given.get(setting, "") for setting in SETTINGS.values())
        return cls(url, key, secret, retries=retries, timeout=timeout)

    def point_of_sale(self, id: str) -> PointOfSale:
        return PointOfSale(self, id)

    def events(
        self, query: ListEventsQuery | None = None, *, keep_cursor: Callable[[str], object] | None = None
    ) -> Iterator[ListedEvent]:
        """The events behind `after`, oldest first, to the newest there is.

        `keep_cursor` is called with the cursor behind each page once all events of the page were taken: store it, and
        go on behind it the next time. Or keep the `id` of the last event that you have handled.
        Raises PaymentCollectionError.
        """
        asked: ListEventsQuery = {**(query or {})}
        while True:
            page = self.get("/v1/events", query=asked)
            for event in page["data"]:
                data = notice_in(event["body"])
                if data is not None:
                    yield cast(ListedEvent, {**event, "data": data})
            if "next_after" in page:
                asked["after"] = page["next_after"]
                if keep_cursor is not None:
                    keep_cursor(page["next_after"])
            if not page["has_more"]:
                return

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> PaymentCollectionClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # Python releases differ in whether an IPv4 address in IPv6 is one.
    return address.is_loopback and getattr(address, "ipv4_mapped", None) is None


def _checked(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_url = is_url and not re.search(r"[\s?#\\]", base_url)
    except ValueError:
        is_url = False
    if not is_url:
        raise ValueError("base_url must be an absolute http or https URL.")
    # They would be sent in place of the token.
    if "@" in parts.netloc:
        raise ValueError("base_url must not have a user name or password.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname or ""):
        raise ValueError(
            "base_url must begin with https://; http is for this machine only (localhost, 127.0.0.1 or [::1])."
        )
    return base_url.rstrip("/")
