"""Events in webhook deliveries and in the event log."""

from __future__ import annotations

import json
from typing import TypeAlias, cast

from payment_collection import schemas

# Body of a webhook delivery. `notification_type` is the type of the event; ignore types that you do not know.
WebhookNotice: TypeAlias = (
    schemas.PaymentRequestNotice | schemas.RefundNotice | schemas.IncomingTransferNotice
)
# Body of an event in the event log, which also contains events that are not sent to webhooks.
Notice: TypeAlias = (
    WebhookNotice
    | schemas.DepositNotice
    | schemas.AdjustmentNotice
    | schemas.SettlementNotice
    | schemas.SubscriptionNotice
)


class ListedEvent(schemas.Event):
    """Event from `GET /v1/events`, with its `body` parsed as `data`. Its `id` is a cursor."""

    data: Notice


def notice_in(body: str) -> Notice | None:
    """Returns the notification in an event's body; None if there is none."""
    try:
        data = json.loads(body)["data"]
        known = isinstance(data["notification_type"], str)
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return cast(Notice, data) if known else None
