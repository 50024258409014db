"""Requests that the client rejects before sending, and responses that are not JSON."""

from __future__ import annotations

import json
import pickle
import re
from decimal import Decimal
from importlib import metadata
from pathlib import Path

import pytest
from scripted_api import KEY_ID, SECRET, ScriptedApi

import payment_collection
from payment_collection import PaymentCollectionClient, PaymentCollectionError, RetryPolicy
from payment_collection.errors import seconds_of

ROOT = Path(__file__).parent / "../../.."
CASES = ROOT / "clients/cases"
NOWHERE = {"exchanges": []}


@pytest.mark.parametrize(
    ("amount", "sent"),
    [("12.50", "12.50"), (Decimal("12.50"), "12.50"), (Decimal("1E+3"), "1000"), (Decimal("1E-8"), "0.00000001")],
)
def test_sends_an_amount_as_it_is(amount: object, sent: str) -> None:
    body = {"amount": sent, "unique_asset_id": "n1_t2", "order": {"items": [{"unit_price": sent}], "total": sent}}
    exchange = {"request": "POST /v1/pos/till/payment-request", "key": "a", "body": body, "answer": {"data": {}}}
    with ScriptedApi({"exchanges": [exchange]}) as api, PaymentCollectionClient(api.url, KEY_ID, SECRET) as client:
        order = {"items": [{"unit_price": amount}], "total": amount}
        given = {"amount": amount, "unique_asset_id": "n1_t2", "order": order}
        client.point_of_sale("till").create_payment_request(given, idempotency_key="a")

    assert (api.faults, api.missing()) == ([], [])


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"amount": 12.5}, "amount must be a str or Decimal, not a float, because floats are inexact."),
        ({"order": {"items": [{}, {"unit_price": 0.1}]}}, "order.items[1].unit_price must be a str or Decimal"),
        ({"amount": Decimal("NaN")}, "amount must be a finite number, not NaN."),
        ({"amount": Decimal("Infinity")}, "amount must be a finite number, not Infinity."),
    ],
)
def test_sends_no_amount_that_is_not_exact(body: dict, error: str) -> None:
    with ScriptedApi(NOWHERE) as api, PaymentCollectionClient(api.url, KEY_ID, SECRET) as client:
        with pytest.raises((TypeError, ValueError)) as raised:
            client.point_of_sale("till").create_payment_request(body)
        assert (api.token_exchanges, api.faults) == (0, [])

    assert error in str(raised.value)


@pytest.mark.parametrize("key", ["", "order 1042", "order-1042\n", "Bestellung-Ä", "x" * 256])
def test_sends_no_key_that_the_service_refuses(key: str) -> None:
    client = PaymentCollectionClient("http://127.0.0.1:9", KEY_ID, SECRET)

    with pytest.raises(ValueError, match="idempotency_key must be 1 to 255 visible ASCII"):
        client.point_of_sale("till").create_checkout({"amount": "1", "coin_code": "USD"}, idempotency_key=key)


@pytest.mark.parametrize("id", ["", ".", "..", None, 7])
def test_sends_nothing_to_another_path(id: object) -> None:
    client = PaymentCollectionClient("http://127.0.0.1:9", KEY_ID, SECRET)

    with pytest.raises(ValueError, match="paymentRequestID must be an id"):
        client.point_of_sale("till").read_payment(id)


def test_an_id_stays_in_its_place_in_the_path() -> None:
    case = {"exchanges": [{"request": "GET /v1/refunds/a%2F..%2Fb%3Fc", "answer": {"data": {}}}]}
    with ScriptedApi(case) as api, PaymentCollectionClient(api.url, KEY_ID, SECRET) as client:
        client.refunds.read("a/../b?c")

    assert (api.faults, api.missing()) == ([], [])


@pytest.mark.parametrize(
    ("environment", "error"),
    [
        ({"PAYMENT_COLLECTION_API_SECRET": ""}, "api_secret (PAYMENT_COLLECTION_API_SECRET) is required."),
        ({"PAYMENT_COLLECTION_API_KEY": "key\n"}, "api_key (PAYMENT_COLLECTION_API_KEY) must be ASCII without"),
        ({"PAYMENT_COLLECTION_URL": "payments.example"}, "base_url must be an absolute http or https URL."),
    ],
)
def test_names_a_setting_that_is_missing_or_malformed(environment: dict, error: str) -> None:
    good = {"URL": "http://localhost:3000", "API_KEY": "key", "API_SECRET": "secret"}
    given = {**{f"PAYMENT_COLLECTION_{name}": value for name, value in good.items()}, **environment}

    with pytest.raises(ValueError) as raised:
        PaymentCollectionClient.from_environment(given)

    assert error in str(raised.value)


def test_reads_a_file_in_parts_and_says_where_it_breaks_off() -> None:
    csv = {"request": "GET /v1/transactions.csv?type=refund", "answer": {"status": 200, "text": "id\nÄ\n"}}
    case = {"exchanges": [csv, csv | {"answer": "break_off"}, csv | {"answer": {"fails": [403, "role_required"]}}]}
    with ScriptedApi(case) as api, PaymentCollectionClient(api.url, KEY_ID, SECRET) as client:
        with client.stream("/v1/transactions.csv", query={"type": "refund"}) as parts:
            assert b"".join(parts).decode() == "id\nÄ\n"
        for code in ("unreachable", "role_required"):
            with (
                pytest.raises(PaymentCollectionError) as raised,
                client.stream("/v1/transactions.csv", query={"type": "refund"}) as parts,
            ):
                b"".join(parts)
            assert raised.value.code == code

    assert (api.faults, api.missing()) == ([], [])


def test_gives_up_an_answer_that_never_ends() -> None:
    class Endless(ScriptedApi):
        def _give(self, request, answer) -> None:
            if answer != "endless":
                return super()._give(request, answer)
            request.send_response(200)
            request.end_headers()
            request.close_connection = True
            while not self._over.wait(0.01):
                request.wfile.write(b" ")

    case = {"exchanges": [{"request": "GET /v1/account", "any_times": True, "answer": "endless"}]}
    with Endless(case) as api:
        retries = RetryPolicy(first_delay=0.002)
        client = PaymentCollectionClient(api.url, KEY_ID, SECRET, retries=retries, timeout=0.3)
        with pytest.raises(PaymentCollectionError, match="after 4 attempts: The response took too long"):
            client.get("/v1/account")


def test_an_error_survives_a_queue_of_tasks() -> None:
    error = PaymentCollectionError("No.", code="not_found", status=404, fields=[{"field": "a"}], retry_after=3)

    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("soon", None), ("٣", None), ("-1", None), (None, None)],
)
def test_reads_the_wait_that_an_answer_asks_for(header: str | None, seconds: int | None) -> None:
    assert seconds_of(header) == seconds


def test_the_package_has_the_version_of_the_service_its_types_and_one_dependency() -> None:
    package = metadata.metadata("payment-collection-client")
    service = json.loads((ROOT / "package.json").read_text("utf-8"))
    folder = Path(payment_collection.__file__).parent

    assert (package["Version"], package["License-Expression"]) == (service["version"], service["license"])
    assert [name.split(">")[0] for name in metadata.requires("payment-collection-client") or []] == [
        *("httpx", "typing-extensions"),
    ]
    assert (folder / "py.typed").exists() and not folder.is_relative_to(ROOT.resolve())


BASE_URLS = json.loads((CASES / "base-urls.json").read_text("utf-8"))


@pytest.mark.parametrize("url", BASE_URLS["taken"])
def test_takes_a_base_url(url: str) -> None:
    PaymentCollectionClient(url, "key", "secret").close()


@pytest.mark.parametrize("case", BASE_URLS["refused"], ids=str)
def test_refuses_a_base_url_without_its_password(case: dict) -> None:
    with pytest.raises(ValueError, match=re.escape(f"base_url {case['fault']}")) as raised:
        PaymentCollectionClient(case["url"], "key", "secret")

    assert "pass@" not in str(raised.value)
