"""The position of a client's latest write, which its reads are not older than."""

from __future__ import annotations

import re

_FORM = re.compile(r"([0-9]{1,10})-([0-9]{1,19})")


def later_position(known: str | None, answered: str | None) -> str | None:
    """The later of two values of `X-Read-After`, by timeline, then by transaction.

    Answers that arrive out of order take nothing back. Anything of another form is left out.
    """
    one, other = _parts(known), _parts(answered)
    if other is None:
        return known
    return answered if one is None or other > one else known


def _parts(position: str | None) -> tuple[int, int] | None:
    found = _FORM.fullmatch(position or "")
    return found and (int(found[1]), int(found[2]))
