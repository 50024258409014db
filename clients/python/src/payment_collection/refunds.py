"""Pays payers back, as docs/reference/refunds.md says."""

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
        """Pays back what a payment request received: to `refund_to_address`, or to the address named at `claim_url`.

        This answer alone has `claim_url`. Raises PaymentCollectionError.
        """
        key = idempotency_key
        return self._client.post(
            REFUNDS, params={"paymentRequestID": payment_request_id}, body=body, idempotency_key=key
        )

    def read(self, id: str) -> schemas.Refund:
        return self._client.get("/v1/refunds/{refundID}", params={"refundID": id})

    def list(self, filter: ListRefundsFilter | None = None) -> Iterator[schemas.Refund]:
        """Newest first."""
        return self._client.list("/v1/refunds", query=filter)

    def approve(self, id: str) -> schemas.Refund:
        """Approves a refund whose payer has named an address. It is sent once. Raises PaymentCollectionError."""
        return self._client.post("/v1/refunds/{refundID}/approve", params={"refundID": id})

    def cancel(self, id: str) -> schemas.Refund:
        """Ends a refund that no transaction pays yet. It is sent once. Raises PaymentCollectionError."""
        return self._client.post("/v1/refunds/{refundID}/cancel", params={"refundID": id})
