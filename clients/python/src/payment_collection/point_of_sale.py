"""The calls that a shop makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from payment_collection import schemas
from payment_collection.operations import (
    ListPaymentRequestsFilter,
    ListSubscriptionsFilter,
    Operations,
    PosIDPath,
    PosIDSubscriptionIDPath,
)
from payment_collection.payment_status import is_final_status
from payment_collection.waiting import BETWEEN_READS, QUARTER_OF_AN_HOUR, wait_until

REQUESTS: Final = "/v1/pos/{posID}/payment-request"
REQUEST: Final = "/v1/pos/{posID}/payment-request/{paymentRequestID}"
SUBSCRIPTIONS: Final = "/v1/pos/{posID}/subscription"
SUBSCRIPTION: Final = "/v1/pos/{posID}/subscription/{subscriptionID}"
EXPIRE: Final = "/v1/pos/{posID}/payment-request/{paymentRequestID}/expire"
CHECKOUTS: Final = "/v1/pos/{posID}/payment-request-checkout"


def _is_final(payment: schemas.PaymentRequestProgress) -> bool:
    return is_final_status(payment["status"])


class PointOfSale:
    """A point of sale by its id, where payment requests are created."""

    def __init__(self, client: Operations, id: str) -> None:
        self._client = client
        self.id = id
        self._params: PosIDPath = {"posID": id}

    def create_payment_request(
        self, body: schemas.CreatePaymentRequestBody, *, idempotency_key: str | None = None
    ) -> schemas.PaymentRequest:
        """Opens a payment request of a known asset. Show its `token` as a QR code. Raises PaymentCollectionError."""
        return self._client.post(REQUESTS, params=self._params, body=body, idempotency_key=idempotency_key)

    def create_checkout(
        self, body: schemas.CreateCheckoutBody, *, idempotency_key: str | None = None
    ) -> schemas.Checkout:
        """Opens a checkout. Lead the browser to its `hosted_checkout_url`. Raises PaymentCollectionError."""
        return self._client.post(CHECKOUTS, params=self._params, body=body, idempotency_key=idempotency_key)

    def read_payment(self, id: str) -> schemas.PaymentRequestProgress:
        """A payment by the id of a payment request, or of a checkout. Raises PaymentCollectionError."""
        return self._client.get(REQUEST, params={"posID": self.id, "paymentRequestID": id})

    def payments(self, filter: ListPaymentRequestsFilter | None = None) -> Iterator[schemas.ListedPaymentRequest]:
        """Newest first."""
        return self._client.list(REQUESTS, params=self._params, query=filter)

    def expire_payment_request(self, id: str) -> schemas.PaymentRequestProgress:
        """Ends the window of an unpaid payment request or checkout now. It can be repeated.

        Raises PaymentCollectionError: `state_conflict` where something was seen, or it has ended.
        """
        return self._client.post(EXPIRE, params={"posID": self.id, "paymentRequestID": id})

    def create_subscription(
        self, body: schemas.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> schemas.Subscription:
        """Offers a subscription. Lead the payer to its `url`. Raises PaymentCollectionError."""
        return self._client.post(SUBSCRIPTIONS, params=self._params, body=body, idempotency_key=idempotency_key)

    def read_subscription(self, id: str) -> schemas.Subscription:
        return self._client.get(SUBSCRIPTION, params={"posID": self.id, "subscriptionID": id})

    def subscriptions(self, filter: ListSubscriptionsFilter | None = None) -> Iterator[schemas.Subscription]:
        """Newest first."""
        return self._client.list(SUBSCRIPTIONS, params=self._params, query=filter)

    def revoke_subscription(self, id: str) -> schemas.Subscription:
        """Stops all future charges. It is sent once. Raises PaymentCollectionError."""
        params: PosIDSubscriptionIDPath = {"posID": self.id, "subscriptionID": id}
        return self._client.post("/v1/pos/{posID}/subscription/{subscriptionID}/revoke", params=params)

    def wait_for_payment(
        self,
        id: str,
        *,
        timeout: float = QUARTER_OF_AN_HOUR,
        interval: float = BETWEEN_READS,
        until: Callable[[schemas.PaymentRequestProgress], bool] = _is_final,
    ) -> schemas.PaymentRequestProgress:
        """Reads a payment again and again until its status is final, or `until` says so; times are in seconds.

        The service may be away meanwhile. Raises PaymentCollectionError: `wait_timed_out`, whose `last` is the payment
        as it was read last, or another that will not pass.
        """
        return wait_until(lambda: self.read_payment(id), until, timeout=timeout, interval=interval)

    def x402_url(self, id: str, *, timeout: float = 30.0, interval: float = BETWEEN_READS) -> str:
        """Reads a checkout until it has the URL that programs pay at by x402.

        The answer to its creation lacks it while no node of the network has answered. Raises PaymentCollectionError:
        `wait_timed_out`, also where no option is paid so.
        """

        def has_url(checkout: schemas.PaymentRequestProgress) -> bool:
            return "x402_url" in checkout

        checkout = wait_until(lambda: self.read_payment(id), has_url, timeout=timeout, interval=interval)
        return checkout["x402_url"]
