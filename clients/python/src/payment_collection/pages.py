"""Paginated lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def items_of_pages(read: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Iterator[Any]:
    """Iterates over the items of all pages. `read` requests the page with the given parameters.

    The first page is requested with `page`, each further page with the cursor of the previous page.
    """
    page = read({"page": 1})
    yield from page["data"]
    while "next" in page:
        page = read({"after": page["next"]})
        yield from page["data"]
