"""The meaning of a payment's status for an order."""

from __future__ import annotations

from collections.abc import Mapping

# docs/reference/payments.md: a payment request that has one of these never changes its status again.
FINAL = frozenset(("completed", "overpaid", "underpaid", "expired", "failed"))


def is_final_status(status: str) -> bool:
    """True for a status that no other follows. Statuses are text, since more may be added."""
    return status in FINAL


def is_paid(payment: str | Mapping[str, object]) -> bool:
    """True once what was asked for has arrived, or more, and stays: an order can be shipped.

    It takes a payment that was read, or the `status` and `fulfilled` of an event. A status alone does not say that the
    account accepts an `underpaid` one.
    """
    if isinstance(payment, str):
        return payment in ("completed", "overpaid")
    return payment.get("fulfilled") is True or is_paid(str(payment.get("status")))
