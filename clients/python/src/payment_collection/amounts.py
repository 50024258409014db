"""Amounts are exact: `str` or `Decimal`, not `float`."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias

Amount: TypeAlias = str | Decimal


def plain(value: Any, field: str = "") -> Any:
    """Converts each Decimal in a body or query to a string without an exponent.

    Raises TypeError for a float, because floats are inexact, and ValueError for a Decimal that is not finite. Both
    errors name the field.
    """
    if isinstance(value, float):
        raise TypeError(f"{field} must be a str or Decimal, not a float, because floats are inexact.")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{field} must be a finite number, not {value}.")
        return format(value, "f")
    if isinstance(value, dict):
        return {key: plain(each, f"{field}.{key}" if field else str(key)) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, f"{field}[{place}]") for place, each in enumerate(value)]
    return value
