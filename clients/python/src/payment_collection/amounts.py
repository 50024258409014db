"""Amounts are exact: text or Decimal, never a float."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias

Amount: TypeAlias = str | Decimal


def plain(value: Any, field: str = "") -> Any:
    """A body or a query as it is sent: each Decimal is text, without an exponent.

    Raises TypeError for a float, since a float has lost digits already, and ValueError for a Decimal that is no number;
    both name the field.
    """
    if isinstance(value, float):
        raise TypeError(f"{field} is a float, which is not exact: pass a str or a Decimal.")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{field} is {value}, which is no amount.")
        return format(value, "f")
    if isinstance(value, dict):
        return {key: plain(each, f"{field}.{key}" if field else str(key)) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, f"{field}[{place}]") for place, each in enumerate(value)]
    return value
