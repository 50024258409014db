"""Typed client for the Payment Collection Service."""

from payment_collection.amounts import Amount
from payment_collection.client import PaymentCollectionClient
from payment_collection.deadline import within
from payment_collection.errors import PaymentCollectionError
from payment_collection.events import ListedEvent, Notice, WebhookNotice
from payment_collection.payment_status import is_final_status, is_paid
from payment_collection.point_of_sale import PointOfSale
from payment_collection.retrying import RetryPolicy
from payment_collection.verify_webhook import WebhookEvent, WebhookVerificationError, verify_webhook
from payment_collection.webhook_listener import WebhookListener

__all__ = [
    "Amount",
    "ListedEvent",
    "Notice",
    "PaymentCollectionClient",
    "PaymentCollectionError",
    "PointOfSale",
    "RetryPolicy",
    "WebhookEvent",
    "WebhookListener",
    "WebhookNotice",
    "WebhookVerificationError",
    "is_final_status",
    "is_paid",
    "verify_webhook",
    "within",
]
