"""All recorded HTTP cases. The TypeScript client passes the same cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from scripted_api import KEY_ID, SECRET, ScriptedApi, spelled_out

from payment_collection import PaymentCollectionClient, PaymentCollectionError, RetryPolicy

CASES = Path(__file__).parent / "../../cases"
FILES = ("token", "sending", "reading", "payments", "errors", "operations")
BY_PATH = ("get", "post", "put", "patch", "delete")
REFUNDS = {"refunds": "list", **{f"{name}_refund": name for name in ("create", "read", "approve", "cancel")}}
GIVEN = ("params", "query", "body", "idempotency_key", "page_size")


def cases() -> Iterator[object]:
    for name in FILES:
        for case in json.loads((CASES / f"{name}.json").read_text("utf-8")):
            yield pytest.param(case, id=f"{name}: {case['name']}")


def client_of(case: dict, url: str) -> PaymentCollectionClient:
    set_to = {"first_delay_ms": 2, **case.get("client", {})}
    times = {name: set_to[f"{name}_ms"] / 1_000 for name in ("first_delay", "max_delay") if f"{name}_ms" in set_to}
    retries = RetryPolicy(**times, **{name: set_to[name] for name in ("attempts",) if name in set_to})
    return PaymentCollectionClient(
        url, KEY_ID, SECRET, retries=retries, timeout=set_to.get("timeout_ms", 30_000) / 1_000
    )


def perform(client: PaymentCollectionClient, step: dict, kept: list[str]) -> object:
    """Calls the client by the name of the call in the cases and returns the result."""
    call = step["call"]
    method = getattr(client.point_of_sale(step["pos"]) if "pos" in step else client, call, None)
    named = {name: step[name] for name in GIVEN if name in step}
    if call in (*BY_PATH, "list"):
        answer = method(step["path"], **named)
    elif call == "events":
        answer = method(step["query"], keep_cursor=kept.append)
    elif call in ("wait_for_payment", "x402_url"):
        times = {name: step[f"{name}_ms"] / 1_000 for name in ("interval", "timeout") if f"{name}_ms" in step}
        ends = {"until": lambda payment: payment["status"] in step["until"]} if "until" in step else {}
        answer = method(step["id"], **times, **ends)
    else:
        if call in REFUNDS:
            method = getattr(client.refunds, REFUNDS[call])
        place = [step[name] for name in ("id", "body", "query") if name in step]
        answer = method(*place, **{name: step[name] for name in ("idempotency_key",) if name in step})
    is_list = call in ("list", "events", "payments", "subscriptions", "refunds")
    return list(islice(answer, step.get("take"))) if is_list else answer


def has(actual: object, expected: object) -> bool:
    """Objects can have additional fields; lists cannot have additional items."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            name in actual and has(actual[name], value) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(has, actual, expected))
    return actual == expected


@pytest.mark.parametrize("case", list(cases()))
def test_behaves_as_recorded(case: dict) -> None:
    with ScriptedApi(case) as api, client_of(case, api.url) as client:
        for step in spelled_out(case["steps"]):
            kept: list[str] = []
            if "refused" in step:
                with pytest.raises(ValueError, match=re.escape(step["refused"])):
                    perform(client, step, kept)
            elif "error" in step:
                with pytest.raises(PaymentCollectionError) as raised:
                    perform(client, step, kept)
                error = {**vars(raised.value)}
                assert step["error"].get("message_has", "") in error["message"]
                wanted = {name: value for name, value in step["error"].items() if name != "message_has"}
                assert has(error, wanted), error
                assert SECRET not in f"{raised.value!r} {error}" and "token 1" not in f"{raised.value!r} {error}"
            else:
                answer = perform(client, step, kept)
                assert has(answer, step.get("result", answer)), answer
            assert kept == step.get("kept", kept)
        assert api.faults == []
        assert api.missing() == []
        assert api.token_exchanges == case.get("token_exchanges", 1)
