"""Threads, forked processes and time limits with one client."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from scripted_api import KEY_ID, SECRET, ScriptedApi

from payment_collection import PaymentCollectionClient, PaymentCollectionError, RetryPolicy, within
from payment_collection.access_token import AccessToken

ACCOUNTS = {"request": "GET /v1/account", "answer": {"data": {"total": 1}}}


def client_of(api: ScriptedApi, attempts: int = 4) -> PaymentCollectionClient:
    return PaymentCollectionClient(api.url, KEY_ID, SECRET, retries=RetryPolicy(attempts=attempts, first_delay=0.002))


def test_threads_that_begin_at_the_same_time_share_one_exchange() -> None:
    case = {"exchanges": [{**ACCOUNTS, "times": 8}]}
    with ScriptedApi(case) as api, client_of(api) as client, ThreadPoolExecutor(8) as threads:
        totals = list(threads.map(lambda _: client.get("/v1/account")["total"], range(8)))

    assert (totals, api.token_exchanges, api.faults, api.missing()) == ([1] * 8, 1, [], [])


def test_threads_share_the_error_of_an_exchange_and_the_next_call_exchanges_anew() -> None:
    asked: list[int] = []

    def refuse() -> dict:
        asked.append(1)
        while not waiting():
            time.sleep(0.001)
        raise PaymentCollectionError("No.", code="credentials_invalid")

    token = AccessToken(refuse)

    def waiting() -> bool:
        return token._exchange is not None and len(token._exchange._condition._waiters) == 3

    def ask(_: int) -> str:
        try:
            return token.current()
        except PaymentCollectionError as error:
            return error.code

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == ["credentials_invalid"] * 4
    assert len(asked) == 1
    token._ask = lambda: {"token": "token 2", "expired_at": "2999-01-01T00:00:00Z"}
    assert token.current() == "token 2"


@pytest.mark.parametrize(("life", "before", "after"), [(3_600, 3_539, 3_541), (60, 53, 55)])
def test_a_token_is_renewed_shortly_before_its_end_and_not_before(life: int, before: int, after: int) -> None:
    now, made = [0.0], iter(range(9))
    end = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + life + 1))
    token = AccessToken(lambda: {"token": f"token {next(made)}", "expired_at": end}, clock=lambda: now[0])

    first = token.current()
    now[0] = before
    second = token.current()
    now[0] = after + 2

    assert (first, second, token.current()) == ("token 0", "token 0", "token 1")


def test_a_thread_whose_time_is_over_leaves_the_exchange_to_another() -> None:
    case = {"tokens": ["silence"], "exchanges": [ACCOUNTS | {"token": "token 2"}]}
    with ScriptedApi(case) as api, client_of(api) as client, ThreadPoolExecutor(2) as threads:

        def impatient() -> None:
            with within(2):
                client.get("/v1/account")

        first = threads.submit(impatient)
        while api.token_exchanges == 0:
            time.sleep(0.001)
        second = threads.submit(lambda: client.get("/v1/account")["total"])

        assert second.result(30) == 1
        with pytest.raises(TimeoutError):
            first.result(30)


def test_a_block_ends_a_call_while_it_waits_to_be_sent_again() -> None:
    busy = {"fails": [429, "rate_limited"], "headers": {"retry-after": "20"}}
    case = {"exchanges": [{"request": "GET /v1/account", "any_times": True, "answer": busy}]}
    began = time.monotonic()
    with ScriptedApi(case) as api, client_of(api) as client, pytest.raises(TimeoutError), within(0.3):
        client.get("/v1/account")

    assert time.monotonic() - began < 19


def test_a_block_that_ends_while_a_payment_is_awaited_is_no_final_status() -> None:
    case = {"exchanges": [{"request": "GET /v1/pos/till/payment-request/a", "any_times": True, "answer": "silence"}]}
    with ScriptedApi(case) as api, client_of(api) as client:
        with pytest.raises(TimeoutError) as raised, within(0.2):
            client.point_of_sale("till").wait_for_payment("a")
        assert not isinstance(raised.value, PaymentCollectionError)


def test_waiting_that_ends_has_the_payment_as_it_was_last_read() -> None:
    answer = {"data": {"id": "a", "status": "processing"}}
    case = {"exchanges": [{"request": "GET /v1/pos/till/payment-request/a", "any_times": True, "answer": answer}]}
    with ScriptedApi(case) as api, client_of(api) as client:
        last, timeout = None, 0.1
        # A short timeout may end before the first response.
        while last is None:
            with pytest.raises(PaymentCollectionError, match="The wait timed out") as raised:
                client.point_of_sale("till").wait_for_payment("a", timeout=timeout, interval=0.01)
            last, timeout = raised.value.last, timeout * 2

    assert (raised.value.code, last) == ("wait_timed_out", answer["data"])


FORKING = f"""
import os, sys
from payment_collection import PaymentCollectionClient

client = PaymentCollectionClient(sys.argv[1], {KEY_ID!r}, {SECRET!r})
client.get("/v1/account")
child = os.fork()
if child == 0:
    os._exit(client.get("/v1/account")["total"])
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
client.get("/v1/account")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="This system does not fork.")
def test_a_forked_process_has_connections_and_a_token_of_its_own() -> None:
    case = {"exchanges": [ACCOUNTS, ACCOUNTS | {"token": "token 2"}, ACCOUNTS]}
    with ScriptedApi(case) as api:
        subprocess.run([sys.executable, "-c", FORKING, api.url], check=True, timeout=60)

    assert (api.token_exchanges, api.faults, api.missing()) == (2, [], [])
