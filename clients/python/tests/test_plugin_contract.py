"""The recorded cases of the shop plugins that apply to a client. The TypeScript client passes the same cases."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_api import KEY_ID, ScriptedApi
from scripted_api import SECRET as API_SECRET

from payment_collection import PaymentCollectionClient, WebhookVerificationError, verify_webhook

CONTRACT = Path(__file__).parent / "../../plugin-contract"
SECRETS = {
    "current": "whsec_" + "Ab1" * 14 + "Zz",
    "previous": "whsec_" + "Cd2" * 14 + "Yy",
    "another": "whsec_" + "Ef3" * 14 + "Xx",
}
A_WEEK = 7 * 24 * 3_600


def webhooks() -> Iterator[object]:
    for case in json.loads((CONTRACT / "orders.json").read_text("utf-8")):
        for event in case["events"]:
            if event["on"] == "webhook":
                yield pytest.param(event, id=case["name"])


def delivery_of(event: dict) -> tuple[str, dict[str, str]]:
    payment = event["payment"] if isinstance(event["payment"], dict) else {}
    data = {
        **{"payment_request_id": payment.get("id", "request-1"), "external_reference_id": "order-1"},
        **{"point_of_sale_id": "pos-1", "account_id": "account-1", "payment_request_type": "fixed"},
        **{"notification_type": "payment_request_status_update", **event["notice"]},
    }
    body = json.dumps({"data": data})
    at = str(int(time.time()) - event.get("age", 0))
    headers = {"webhook-id": "event-1", "webhook-timestamp": at}
    signer = event.get("signed_by", "current")
    if signer != "nobody":
        key = base64.b64decode(SECRETS[signer].removeprefix("whsec_"))
        signature = base64.b64encode(hmac.digest(key, f"event-1.{at}.{body}".encode(), "sha256")).decode()
        headers["webhook-signature"] = f"v1,{signature}"
    return (body.replace("account-1", "account-2") if event.get("body_changed") else body), headers


@pytest.mark.parametrize("event", list(webhooks()))
def test_accepts_the_webhooks_that_a_plugin_accepts(event: dict) -> None:
    body, headers = delivery_of(event)
    secrets = [SECRETS["current"], SECRETS["previous"]]

    if event.get("answer") == "refused":
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body, headers, secrets, tolerance=A_WEEK)
    else:
        data = dict(verify_webhook(body, headers, secrets, tolerance=A_WEEK).data)
        assert {name: data.get(name) for name in event["notice"]} == event["notice"]


@pytest.mark.parametrize(
    "case", json.loads((CONTRACT / "checkouts.json").read_text("utf-8")), ids=lambda case: case["name"]
)
def test_sends_the_checkouts_of_a_plugin_unchanged(case: dict) -> None:
    exchange = {
        "request": "POST /v1/pos/pos-1/payment-request-checkout",
        **{"body": case["body"], "key": "session-1", "answer": {"data": {"id": "request-1"}}},
    }
    with ScriptedApi({"exchanges": [exchange]}) as api, PaymentCollectionClient(api.url, KEY_ID, API_SECRET) as client:
        client.point_of_sale("pos-1").create_checkout(case["body"], idempotency_key="session-1")

    assert (api.faults, api.missing()) == ([], [])
