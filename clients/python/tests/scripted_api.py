"""HTTP server that returns the recorded answers of a case and notes requests that differ from the case."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

KEY_ID, SECRET = "svc.dev.1", "the secret"
CREDENTIAL = {"api_key": KEY_ID, "api_secret": SECRET}


def spelled_out(entries: list[dict]) -> Iterator[dict]:
    """Fills entries with `as_before` from the previous entry, except for the outcome."""
    before: dict = {}
    for entry in entries:
        if entry.get("as_before"):
            ends = ("result", "error") if "result" in entry or "error" in entry else ()
            entry = {**{name: value for name, value in before.items() if name not in ends}, **entry}
        yield entry
        before = entry


class ScriptedApi:
    def __init__(self, case: dict) -> None:
        self.exchanges = [one for one in spelled_out(case["exchanges"]) for _ in range(one.get("times", 1))]
        self.tokens = list(case.get("tokens", []))
        self.requests = self.token_exchanges = 0
        self.faults: list[str] = []
        self._lock, self._over = Lock(), Event()
        self._keys: dict[str, str] = {}
        self._answered = 0.0
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65_537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                    return
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                with api._lock:
                    answer = api._exchange(self, body) if self.path == "/v1/auth/token" else api._next(self, body)
                api._give(self, answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ScriptedApi:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.socket.close()

    def missing(self) -> list[dict]:
        """Returns the expected exchanges that did not occur."""
        return [one for one in self.exchanges[self.requests :] if not one.get("any_times")]

    def _exchange(self, request: BaseHTTPRequestHandler, body: bytes) -> object:
        self.token_exchanges += 1
        if json.loads(body) != CREDENTIAL:
            self.faults.append(f"A token exchange sent {body!r}.")
        return self.tokens.pop(0) if self.tokens else {"token": f"token {self.token_exchanges}"}

    def _next(self, request: BaseHTTPRequestHandler, body: bytes) -> object:
        last = self.exchanges[-1] if self.exchanges else {}
        if self.requests >= len(self.exchanges) and not last.get("any_times"):
            self.faults.append(f"{request.command} {request.path} was not expected.")
            return {"fails": [418, "in_excess"]}
        expected = self.exchanges[min(self.requests, len(self.exchanges) - 1)]
        self.requests += 1
        waited = (time.monotonic() - self._answered) * 1_000
        if waited < expected.get("waited_ms", 0):
            self.faults.append(f"{request.path} was sent after {waited} ms.")
        seen, wanted = _seen(request, body), self._wanted(expected, request)
        self.faults += [
            f"{name} was {seen[name]!r}, not {wanted[name]!r}" for name in wanted if seen[name] != wanted[name]
        ]
        return expected["answer"]

    def _wanted(self, expected: dict, request: BaseHTTPRequestHandler) -> dict:
        key = expected.get("key")
        if isinstance(key, dict):
            sent = str(request.headers.get("idempotency-key"))
            key = self._keys.setdefault(key["fresh"], sent if _is_fresh(sent, self._keys) else "a fresh UUID")
        token = expected.get("token", "token 1")
        return {
            "is_named": True,
            **{"request": _spelled(expected["request"]), "body": expected.get("body"), "key": key},
            "token": token and f"Bearer {token}",
            "key_id": token and KEY_ID,
            "read_after": expected.get("read_after"),
        }

    def _give(self, request: BaseHTTPRequestHandler, answer: object) -> None:
        self._answered = time.monotonic()
        if answer == "silence":
            self._over.wait(60)
        if isinstance(answer, str):
            if answer == "break_off":
                _write(request, 200, {"content-length": "100"}, b'{"status":"success",')
            request.close_connection = True
            request.connection.shutdown(socket.SHUT_RDWR)
            return
        status, text = _content(answer)
        kind = "text/html" if "text" in answer else "application/json"
        if answer.get("gzip"):
            text = gzip.compress(text)
        coding = {"content-encoding": "gzip"} if answer.get("gzip") else {}
        headers = {"content-type": kind, "content-length": str(len(text)), **coding, **answer.get("headers", {})}
        self._answered = time.monotonic()
        _write(request, status, headers, text)


def _seen(request: BaseHTTPRequestHandler, body: bytes) -> dict:
    agent = re.fullmatch(r"payment-collection-client/\d+\.\d+\.\d+ \(python\)", request.headers["user-agent"])
    return {
        "is_named": agent is not None and request.headers["accept-encoding"] == "gzip",
        "request": _spelled(f"{request.command} {request.path}"),
        "body": json.loads(body) if body else None,
        "key": request.headers.get("idempotency-key"),
        "token": request.headers.get("authorization"),
        "key_id": request.headers.get("x-service-api-key"),
        "read_after": request.headers.get("x-read-after"),
    }


def _is_fresh(key: str, others: dict[str, str]) -> bool:
    return key not in others.values() and str(UUID(key)) == key


def _spelled(request: str) -> tuple[str, list[tuple[str, str]]]:
    parts = urlsplit(request.split(" ")[1])
    return f"{request.split(' ')[0]} {parts.path}", sorted(parse_qsl(parts.query))


def _content(answer: dict) -> tuple[int, bytes]:
    if "text" in answer:
        return answer["status"], answer["text"].encode()
    if "fails" in answer:
        status, code = answer["fails"]
        error = {"status": "error", "code": code, "message": f"This is {code}.", "request_id": "request-1"}
        return status, json.dumps({**error, **({"errors": answer["errors"]} if "errors" in answer else {})}).encode()
    data = answer.get("data")
    if "token" in answer:
        end = datetime.now(timezone.utc) + timedelta(seconds=answer.get("expires_in", 3_600))
        data = {"token": answer["token"], "token_type": "Bearer", "expired_at": end.isoformat()}
    return 200, json.dumps({"status": "success", "data": data}).encode()


def _write(request: BaseHTTPRequestHandler, status: int, headers: dict[str, str], text: bytes) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(text)
    request.wfile.flush()
