"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def items_of_pages(read: Callable[[int], dict[str, Any]]) -> Iterator[Any]:
    """The items of all pages; `read` answers a page by its number, from 1.

    A list that grows at its front moves items to the next page: those of the page before are passed over.
    """
    before: list[object] = []
    number = 1
    while True:
        page = read(number)
        items = page["data"]
        yield from (item for item in items if _id_of(item) not in before)
        if not items or number >= page["total_pages"]:
            return
        before = [_id_of(item) for item in items]
        number += 1


def _id_of(item: Any) -> object:
    """An object without an id is known by all that it says."""
    return item.get("id") or item
