"""Events, as webhooks deliver them and as the event log lists them."""

from __future__ import annotations

import json
from typing import TypeAlias, cast

from payment_collection import schemas

# The body of a webhook's delivery; `notification_type` says its kind. Pass over a kind that you do not know.
WebhookNotice: TypeAlias = schemas.PaymentRequestNotice | schemas.RefundNotice
# The event log has events beside those that webhooks receive.
Notice: TypeAlias = (
    WebhookNotice
    | schemas.DepositNotice
    | schemas.AdjustmentNotice
    | schemas.SettlementNotice
    | schemas.SubscriptionNotice
)


class ListedEvent(schemas.Event):
    """An event of `GET /v1/events`, with what its `body` says. Its `id` is the cursor behind it."""

    data: Notice


def notice_in(body: str) -> Notice | None:
    """The notice in the text of an event; None where it has none."""
    try:
        data = json.loads(body)["data"]
        known = isinstance(data["notification_type"], str)
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return cast(Notice, data) if known else None
