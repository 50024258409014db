"""Calls operations by their paths and returns the response's `data`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import quote, urlencode

from payment_collection.amounts import plain
from payment_collection.errors import Answer, PaymentCollectionError
from payment_collection.pages import items_of_pages
from payment_collection.transport import KEY, Prepared, Transport

KEY_FORM = re.compile(r"[!-~]{1,255}")
NAME_IN_PATH = re.compile(r"\{(\w+)\}")


class ApiCalls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Returns the response's `data`. Raises PaymentCollectionError.

        If the response to a DELETE was lost, the retry may fail with status 404 although the object was deleted.
        """
        headers: dict[str, str] = {"accept": "application/json"}
        if idempotency_key is not None:
            if not KEY_FORM.fullmatch(idempotency_key):
                raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters without spaces.")
            headers[KEY] = idempotency_key
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(plain(body)).encode()
        request = Prepared(method, _target(path, params, query), headers, content)
        return _data_of(self._transport.send(request, path))

    def pages(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        page_size: int = 100,
    ) -> Iterator[Any]:
        """Iterates over all items of a list and requests pages as needed. Raises PaymentCollectionError."""
        return items_of_pages(
            lambda place: self.call(
                "GET", path, params=params, query={**(query or {}), **place, "page_size": page_size}
            )
        )

    def opened(
        self, path: str, *, params: Mapping[str, str] | None = None, query: Mapping[str, Any] | None = None
    ) -> AbstractContextManager[Iterator[bytes]]:
        """Streams a file: `with client.stream(path) as parts`. Raises PaymentCollectionError."""
        return self._transport.opened(Prepared("GET", _target(path, params, query), {}), path)


def _target(path: str, params: Mapping[str, str] | None, query: Mapping[str, Any] | None) -> str:
    """Returns the encoded path and query. Raises ValueError for a missing or unusable path parameter."""

    def value(name: re.Match[str]) -> str:
        given = (params or {}).get(name[1])
        # An empty value, or one that consists only of dots, would change the path.
        if not isinstance(given, str) or not given.strip("."):
            raise ValueError(f"{name[1]} must be an id, not an empty string and not only dots (path {path}).")
        return quote(given, safe="")

    filled = NAME_IN_PATH.sub(value, path)
    asked = {key: plain(each, key) for key, each in (query or {}).items() if each is not None}
    pairs = {key: str(each).lower() if isinstance(each, bool) else each for key, each in asked.items()}
    return f"{filled}?{urlencode(pairs)}" if pairs else filled


def _data_of(answer: Answer) -> Any:
    content = answer.content
    if not 200 <= answer.status < 300 or content is None:
        raise PaymentCollectionError.of_answer(answer)
    return content.get("data") if content.get("status") == "success" else content
