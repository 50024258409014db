"""Everything a shop does, with the client that openapi-python-client generated as the package `client`.

Asks its parent to pay by a line on standard output, and prints what it has seen at the end.
"""

import json
import sys
import time

from client import AuthenticatedClient, Client
from client.api.authentication import exchange_token
from client.api.payment_requests import create_checkout, create_payment_request, read_payment_request
from client.api.points_of_sale import list_points_of_sale
from client.api.public_checkout import ask_for_payment, read_public_checkout, select_asset
from client.api.transactions import list_transactions
from client.api.webhooks import register_webhook
from client.models import (
    CreateCheckoutBody,
    CreatePaymentRequestBody,
    RegisterWebhookBody,
    RegisterWebhookBodyEventType,
    SelectAssetBody,
    TokenExchangeBody,
)


def say(**line):
    print(json.dumps(line), flush=True)


def until(read, is_done):
    for _ in range(600):
        if is_done(value := read()):
            return value
        time.sleep(0.1)
    raise TimeoutError(str(value))


url, key, secret, asset, receiver = sys.argv[1:]
credentials = TokenExchangeBody(api_key=key, api_secret=secret)
token = exchange_token.sync(client=Client(base_url=url), body=credentials).data.token
client = AuthenticatedClient(base_url=url, token=token, headers={"x-service-api-key": key})

points = list_points_of_sale.sync(client=client, page=1, page_size=100).data.data
shop = next(one for one in points if asset in one.config.payment_options)
webhook = RegisterWebhookBody(url=receiver, event_type=RegisterWebhookBodyEventType.PAYMENT_REQUEST)
registered = register_webhook.sync(shop.account_id, client=client, body=webhook).data

body = CreatePaymentRequestBody(amount="2.50", unique_asset_id=asset)
asked = create_payment_request.sync(shop.id, client=client, body=body).data
say(pay=asked.address, amount=asked.amount)
direct = until(
    lambda: read_payment_request.sync(shop.id, asked.id, client=client).data,
    lambda request: request.status == "completed",
)

body = CreateCheckoutBody(amount="4", coin_code="USD", reference_id="python-1")
session = create_checkout.sync(shop.id, client=client, body=body).data
select_asset.sync(session.session_id, client=client, body=SelectAssetBody(unique_asset_id=asset))
payment = ask_for_payment.sync(session.session_id, client=client).payment
say(pay=payment.address, amount=payment.amount)
checkout = until(
    lambda: read_public_checkout.sync(session.session_id, client=client).data,
    lambda one: one.status == "completed",
)

transactions = until(
    lambda: [
        one
        for one in list_transactions.sync(client=client, page=1, page_size=100).data.data
        if one.payment_request_id in (asked.id, session.id)
    ],
    lambda found: len(found) == 2,
)
say(
    statuses=[direct.status, checkout.status],
    window_ms=payment.expires_at - round(session.expires_at.timestamp() * 1000),
    amounts=sorted(one.gross_amount for one in transactions),
    secret=registered.secret,
    ids=[str(asked.id), str(session.id)],
)
