"""Client for one credential."""

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
    """Client for one credential. Calls are retried if a retry is safe. Threads can share a client."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        api_secret: str,
        *,
        retries: RetryPolicy | None = None,
        timeout: float = 30.0,
    ) -> None:
        """Creates a client. Raises ValueError if an argument is missing or malformed.

        `base_url` is the URL of the service, such as `https://payments.example`; http is allowed only for a loopback
        host. `api_key` and `api_secret` are the key id and secret of the credential. `retries` has the number of
        attempts and the delays between them (default: 4 attempts). `timeout` is the time limit of one attempt, in
        seconds (default: 30).
        """
        for name, value in zip(SETTINGS, (base_url, api_key, api_secret), strict=True):
            if not value:
                raise ValueError(f"{name} ({SETTINGS[name]}) is required.")
            # A value read from a file often ends in a line break.
            if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", value):
                raise ValueError(f"{name} ({SETTINGS[name]}) must be ASCII without leading or trailing white space.")
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
        """Creates a client from environment variables. Raises ValueError if one is missing or malformed.

        The variables are `PAYMENT_COLLECTION_URL`, `PAYMENT_COLLECTION_API_KEY` and `PAYMENT_COLLECTION_API_SECRET`.
        """
        given = os.environ if environment is None else environment
        url, key, secret = (given.get(setting, "") for setting in SETTINGS.values())
        return cls(url, key, secret, retries=retries, timeout=timeout)

    def point_of_sale(self, id: str) -> PointOfSale:
        return PointOfSale(self, id)

    def events(
        self, query: ListEventsQuery | None = None, *, keep_cursor: Callable[[str], object] | None = None
    ) -> Iterator[ListedEvent]:
        """Iterates over all events after the cursor `after`, oldest first. Raises PaymentCollectionError.

        Store the `id` of the last event that you handled and pass it as `after` the next time. Alternatively, store the
        cursor passed to `keep_cursor`, which is called after all events of a page were handled.
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
    # Python releases disagree on whether an IPv4-mapped IPv6 loopback address is a loopback address.
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
    # httpx would send them instead of the token.
    if "@" in parts.netloc:
        raise ValueError("base_url must not have a user name or password.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname or ""):
        raise ValueError(
            "base_url must begin with https://, or with http:// for this machine (localhost, 127.0.0.1 or [::1])."
        )
    return base_url.rstrip("/")
