"""All recorded webhook deliveries, and the responses of a listener."""

from __future__ import annotations

import base64
import hmac
import json
import time
from datetime import datetime
from io import BytesIO, StringIO
from pathlib import Path
from wsgiref.validate import validator

import pytest

from payment_collection import WebhookEvent, WebhookListener, WebhookVerificationError, is_final_status, is_paid
from payment_collection import verify_webhook as verify

CASES = Path(__file__).parent / "../../cases"
RECORDED = json.loads((CASES / "webhooks.json").read_text("utf-8"))
DELIVERY = RECORDED["delivery"]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["name"])
def test_verifies_as_recorded(case: dict) -> None:
    given = {**DELIVERY, **case}
    headers = {**DELIVERY["headers"], **case.get("headers", {})}
    body = base64.b64decode(case["body_base64"]) if "body_base64" in case else given["body"]
    body = case.get("parsed_body", body)
    options = {"tolerance": case["tolerance"]} if "tolerance" in case else {}

    def verified() -> WebhookEvent:
        sent = {name: value for name, value in headers.items() if value is not None}
        return verify(body, sent, given["secret"], now=moment(given["now"]), **options)

    if "refused" in case:
        with pytest.raises(WebhookVerificationError) as raised:
            verified()
        assert raised.value.reason == case["refused"]
        assert case["message_has"] in str(raised.value)
        secrets = given["secret"] if isinstance(given["secret"], list) else [given["secret"]]
        assert not any(secret[6:] in str(raised.value) for secret in secrets if len(secret) > 6)
        assert "v1," not in str(raised.value)
    else:
        event = verified()
        assert (event.id, event.sent_at, event.data) == (
            *(given["event"]["id"], moment(given["event"]["sent_at"])),
            given["event"]["data"],
        )


@pytest.mark.parametrize("case", json.loads((CASES / "statuses.json").read_text("utf-8")), ids=str)
def test_knows_what_a_status_means(case: dict) -> None:
    payment = {name: case[name] for name in ("status", "fulfilled") if name in case}

    assert (is_final_status(case["status"]), is_paid(payment)) == (case["final"], case["paid"])
    if "fulfilled" not in case:
        assert is_paid(case["status"]) == case["paid"]


def fresh(body: bytes = DELIVERY["body"].encode(), secret: str = DELIVERY["secret"]) -> dict[str, str]:
    """Headers of a delivery signed at the current time."""
    at = str(int(time.time()))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"event-1.{at}.".encode() + body, "sha256")).decode()
    return {"webhook-id": "event-1", "webhook-timestamp": at, "webhook-signature": f"v1,{signature}"}


def post(listener: WebhookListener, body: bytes, headers: dict[str, str], **more: str) -> str:
    """Status of a listener that is called through the WSGI validator."""
    answered: list[str] = []
    environ = {
        **{"REQUEST_METHOD": "POST", "SCRIPT_NAME": "", "PATH_INFO": "/hooks", "QUERY_STRING": ""},
        **{"SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1"},
        **{"wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.errors": StringIO()},
        **{"wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False},
        **{"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json"},
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
        **more,
    }
    answer = validator(listener)(environ, lambda status, _headers, _info=None: answered.append(status))
    assert b"".join(answer) == b""
    answer.close()
    return answered[0]


BODY = DELIVERY["body"].encode()


def test_answers_200_once_what_it_has_verified_is_handled() -> None:
    events: list[WebhookEvent] = []
    listener = WebhookListener(DELIVERY["secret"], events.append)

    assert post(listener, BODY, fresh()) == "200 OK"
    assert listener.answer(BODY, fresh().items()) == 200
    assert [event.data["status"] for event in events] == ["completed", "completed"]


def test_answers_401_to_what_it_cannot_verify_and_handles_nothing() -> None:
    events: list[WebhookEvent] = []
    errors: list[Exception] = []
    listener = WebhookListener(DELIVERY["secret"], events.append, errors.append)

    statuses = [post(listener, BODY + b" ", fresh()), post(listener, BODY, {}), post(listener, b"", fresh())]

    assert (statuses, events) == (["401 Unauthorized"] * 3, [])
    assert [error.reason for error in errors] == ["signature_mismatch", "header_missing", "signature_mismatch"]


def test_asks_a_function_for_the_secrets_at_each_delivery() -> None:
    secrets = ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"]
    listener = WebhookListener(lambda: secrets, lambda event: None)

    before = listener.answer(BODY, fresh())
    secrets.append(DELIVERY["secret"])

    assert (before, listener.answer(BODY, fresh())) == (401, 200)


def test_answers_413_to_what_is_too_large_however_it_comes() -> None:
    listener = WebhookListener(DELIVERY["secret"], lambda event: None)
    large = b"x" * 70_000

    assert post(listener, large, fresh(large)).startswith("413 ")
    assert listener.answer(large, fresh(large)) == 413


def test_answers_500_where_the_event_could_not_be_handled() -> None:
    errors: list[Exception] = []

    def handle(event: WebhookEvent) -> None:
        raise RuntimeError("The orders are locked.")

    assert WebhookListener(DELIVERY["secret"], handle, errors.append).answer(BODY, fresh()) == 500
    assert [str(error) for error in errors] == ["The orders are locked."]


def test_takes_no_header_that_comes_twice() -> None:
    listener = WebhookListener(DELIVERY["secret"], lambda event: None)

    assert listener.answer(BODY, [*fresh().items(), ("Webhook-Id", "event-1")]) == 401
