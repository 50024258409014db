"""Program for mypy in strict mode. Each ignored line must be an error, because mypy reports unused ignores."""

from decimal import Decimal

from payment_collection import PaymentCollectionClient, WebhookEvent, WebhookListener, is_paid, schemas


def compiles(client: PaymentCollectionClient) -> None:
    accounts: schemas.AccountPage = client.get("/v1/account")
    health: schemas.Health = client.get("/health")
    names: list[str] = [account["name"] for account in client.list("/v1/account")]
    urls: list[str] = [
        webhook["url"] for webhook in client.list("/v1/account/{accountID}/webhook/list", params={"accountID": "a"})
    ]
    for event in client.events({"event_type": "deposit"}, keep_cursor=print):
        if event["data"]["notification_type"] == "payment_request_deposit":
            reason: str = event["data"]["reason"]
        ships = is_paid({**event["data"], "fulfilled": event.get("fulfilled")})
    with client.stream("/v1/transactions.csv", query={"type": "refund"}) as parts:
        size: int = sum(len(part) for part in parts)
    shop = client.point_of_sale("till")
    shop.create_payment_request({"amount": Decimal("12.50"), "unique_asset_id": "n1_t2"}, idempotency_key="order-1042")
    ships = is_paid(shop.wait_for_payment("a", timeout=60))
    refund: schemas.Refund = client.refunds.create("a", {"claim": {}, "amount": "2.50"})
    print(accounts, health, names, urls, reason, size, ships, refund)

    client.get("/v1/nothing")  # type: ignore[call-overload]
    client.post("/v1/assets")  # type: ignore[call-overload]
    client.get("/v1/account/{accountID}")  # type: ignore[call-overload]
    client.list("/v1/account/{accountID}", params={"accountID": "a"})  # type: ignore[call-overload]
    client.list("/v1/transactions", query={"page": 2})  # type: ignore[call-overload]
    client.post("/v1/naspip/read", body={"token": "naspip;"}, idempotency_key="a")  # type: ignore[call-overload]
    shop.create_payment_request({"amount": 12.5, "unique_asset_id": "n1_t2"})  # type: ignore[typeddict-item]
    shop.create_checkout({"amount": "12.50"})  # type: ignore[typeddict-item]


def handle(event: WebhookEvent) -> None:
    if event.data["notification_type"] == "payment_request_status_update":
        print(event.data["payment_request_id"])
    # The field is missing in other event types.
    print(event.data["refund_id"])  # type: ignore[typeddict-item]


listener = WebhookListener("whsec_…", handle)
