"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def items_of_pages(read: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Iterator[Any]:
    """The items of all pages: the first by its number, each other one behind the cursor of the one before.

    `read` answers the page that these parameters name.
    """
    page = read({"page": 1})
    yield from page["data"]
    while "next" in page:
        page = read({"after": page["next"]})
        yield from page["data"]
