"""Position of the client's latest write. Reads return data that includes this write."""

from __future__ import annotations

import re

_FORM = re.compile(r"([0-9]{1,10})-([0-9]{1,19})")


def later_position(known: str | None, answered: str | None) -> str | None:
    """Returns the greater of two `X-Read-After` values, ordered by timeline, then by transaction.

    Responses can arrive out of order. Malformed values are ignored.
    """
    one, other = _parts(known), _parts(answered)
    if other is None:
        return known
    return answered if one is None or other > one else known


def _parts(position: str | None) -> tuple[int, int] | None:
    found = _FORM.fullmatch(position or "")
    return found and (int(found[1]), int(found[2]))
