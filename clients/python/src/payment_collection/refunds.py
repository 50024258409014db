"""Refunds (docs/reference/refunds.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from payment_collection import schemas
from payment_collection.operations import ListRefundsFilter, Operations

REFUNDS: Final = "/v1/refunds/payment-request/{paymentRequestID}"


class Refunds:
    def __init__(self, client: Operations) -> None:
        self._client = client

    def create(
        self, payment_request_id: str, body: schemas.CreateRefundBody, *, idempotency_key: str | None = None
    ) -> schemas.Refund:
        """Creates a refund of a payment request. Raises PaymentCollectionError.

        The refund is paid to `refund_to_address`, or to the address that the payer enters at `claim_url`. Only this
        response contains `claim_url`.
        """
        key = idempotency_key
        return self._client.post(
            REFUNDS, params={"paymentRequestID": payment_request_id}, body=body, idempotency_key=key
        )

    def read(self, id: str) -> schemas.Refund:
        return self._client.get("/v1/refunds/{refundID}", params={"refundID": id})

    def list(self, filter: ListRefundsFilter | None = None) -> Iterator[schemas.Refund]:
        """Lists refunds, newest first. Raises PaymentCollectionError."""
        return self._client.list("/v1/refunds", query=filter)

    def approve(self, id: str) -> schemas.Refund:
        """Approves a refund after the payer has entered an address. Raises PaymentCollectionError.

        The call is not retried.
        """
        return self._client.post("/v1/refunds/{refundID}/approve", params={"refundID": id})

    def cancel(self, id: str) -> schemas.Refund:
        """Cancels a refund that has no transaction yet. The call is not retried. Raises PaymentCollectionError."""
        return self._client.post("/v1/refunds/{refundID}/cancel", params={"refundID": id})
