"""Classification of payment statuses."""

from __future__ import annotations

from collections.abc import Mapping

# Final statuses (docs/reference/payments.md).
FINAL = frozenset(("completed", "overpaid", "underpaid", "expired", "failed"))


def is_final_status(status: str) -> bool:
    """Returns whether the status is final. False for unknown statuses, because new ones can be added."""
    return status in FINAL


def is_paid(payment: str | Mapping[str, object]) -> bool:
    """Returns whether the payment is final and sufficient, so that the order can be shipped.

    This is the case if it is `completed`, `overpaid` or `fulfilled`. Pass a payment, `status` and `fulfilled` of an
    event, or only the status. A status cannot show that the account accepts an underpayment.
    """
    if isinstance(payment, str):
        return payment in ("completed", "overpaid")
    return payment.get("fulfilled") is True or is_paid(str(payment.get("status")))
