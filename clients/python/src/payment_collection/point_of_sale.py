"""Payment requests, checkouts and subscriptions of one point of sale."""

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
from payment_collection.waiting import FIFTEEN_MINUTES, POLL_INTERVAL, wait_until

REQUESTS: Final = "/v1/pos/{posID}/payment-request"
REQUEST: Final = "/v1/pos/{posID}/payment-request/{paymentRequestID}"
SUBSCRIPTIONS: Final = "/v1/pos/{posID}/subscription"
SUBSCRIPTION: Final = "/v1/pos/{posID}/subscription/{subscriptionID}"
EXPIRE: Final = "/v1/pos/{posID}/payment-request/{paymentRequestID}/expire"
CHECKOUTS: Final = "/v1/pos/{posID}/payment-request-checkout"


def _is_final(payment: schemas.PaymentRequestProgress) -> bool:
    return is_final_status(payment["status"])


class PointOfSale:
    """Payment requests, checkouts and subscriptions of the point of sale with this id."""

    def __init__(self, client: Operations, id: str) -> None:
        self._client = client
        self.id = id
        self._params: PosIDPath = {"posID": id}

    def create_payment_request(
        self, body: schemas.CreatePaymentRequestBody, *, idempotency_key: str | None = None
    ) -> schemas.PaymentRequest:
        """Creates a payment request in one asset. Display its `token` as a QR code. Raises PaymentCollectionError."""
        return self._client.post(REQUESTS, params=self._params, body=body, idempotency_key=idempotency_key)

    def create_checkout(
        self, body: schemas.CreateCheckoutBody, *, idempotency_key: str | None = None
    ) -> schemas.Checkout:
        """Creates a checkout. Redirect the browser to its `hosted_checkout_url`. Raises PaymentCollectionError."""
        return self._client.post(CHECKOUTS, params=self._params, body=body, idempotency_key=idempotency_key)

    def read_payment(self, id: str) -> schemas.PaymentRequestProgress:
        """Reads a payment request or checkout by its id. Raises PaymentCollectionError."""
        return self._client.get(REQUEST, params={"posID": self.id, "paymentRequestID": id})

    def payments(self, filter: ListPaymentRequestsFilter | None = None) -> Iterator[schemas.ListedPaymentRequest]:
        """Lists payment requests, newest first. Raises PaymentCollectionError."""
        return self._client.list(REQUESTS, params=self._params, query=filter)

    def expire_payment_request(self, id: str) -> schemas.PaymentRequestProgress:
        """Ends the payment window of an unpaid payment request or checkout. The call is idempotent.

        Raises PaymentCollectionError: `state_conflict` if a payment was seen or another status is final.
        """
        return self._client.post(EXPIRE, params={"posID": self.id, "paymentRequestID": id})

    def create_subscription(
        self, body: schemas.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> schemas.Subscription:
        """Creates a subscription. Redirect the payer to its `url` to accept it. Raises PaymentCollectionError."""
        return self._client.post(SUBSCRIPTIONS, params=self._params, body=body, idempotency_key=idempotency_key)

    def read_subscription(self, id: str) -> schemas.Subscription:
        return self._client.get(SUBSCRIPTION, params={"posID": self.id, "subscriptionID": id})

    def subscriptions(self, filter: ListSubscriptionsFilter | None = None) -> Iterator[schemas.Subscription]:
        """Lists subscriptions, newest first. Raises PaymentCollectionError."""
        return self._client.list(SUBSCRIPTIONS, params=self._params, query=filter)

    def revoke_subscription(self, id: str) -> schemas.Subscription:
        """Stops all future charges. The call is not retried. Raises PaymentCollectionError."""
        params: PosIDSubscriptionIDPath = {"posID": self.id, "subscriptionID": id}
        return self._client.post("/v1/pos/{posID}/subscription/{subscriptionID}/revoke", params=params)

    def wait_for_payment(
        self,
        id: str,
        *,
        timeout: float = FIFTEEN_MINUTES,
        interval: float = POLL_INTERVAL,
        until: Callable[[schemas.PaymentRequestProgress], bool] = _is_final,
    ) -> schemas.PaymentRequestProgress:
        """Polls a payment until its status is final, or until `until` returns true. Continues through outages.

        `timeout` (default: 900) and `interval` (default: 3) are in seconds. Raises PaymentCollectionError:
        `wait_timed_out`, with the last payment as `last`, or a permanent error.
        """
        return wait_until(lambda: self.read_payment(id), until, timeout=timeout, interval=interval)

    def x402_url(self, id: str, *, timeout: float = 30.0, interval: float = POLL_INTERVAL) -> str:
        """Polls a checkout until it has an x402 URL, at which programs can pay. Times are in seconds.

        The response to the create call may lack the URL, because the service first queries the network. Raises
        PaymentCollectionError: `wait_timed_out`, also if no payment option of the checkout supports x402.
        """

        def has_url(checkout: schemas.PaymentRequestProgress) -> bool:
            return "x402_url" in checkout

        checkout = wait_until(lambda: self.read_payment(id), has_url, timeout=timeout, interval=interval)
        return checkout["x402_url"]
