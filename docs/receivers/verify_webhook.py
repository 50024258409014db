"""Receives webhooks and verifies them, with nothing but Python (3.8 or newer).

To be copied: the functions into a program of yours, or the whole as a first receiver:

    WEBHOOK_SECRET=whsec_... PORT=4100 python3 verify_webhook.py

What arrives and when: docs/reference/webhooks.md.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Older deliveries are refused, so that a recorded one cannot be played back for ever.
MAX_AGE_SECONDS = 300
MAX_BODY_BYTES = 65_536


def verify_webhook_signature(body, signature, timestamp, secret, now):
    """What a receiver does before it acts on a delivery. Timestamps in the future are accepted.

    body: bytes as received; parsed and spelled anew, so spacing and order of keys do not matter
    signature, timestamp: headers X-Request-Signature and X-Request-Timestamp (unix seconds)
    secret: as answered when the webhook was created, with its prefix
    now: unix seconds
    Returns False for anything that was not signed with the secret, or too long ago; never raises.
    """
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    try:
        # Every number is a double, as in JavaScript, where the signature is made.
        value = json.loads(body.decode("utf-8"), parse_int=float, parse_constant=_refuse)
        signed = f"{timestamp}.{canonical_json(value)}"
    except (ValueError, RecursionError):
        return False
    expected = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest()
    # Compares the lengths first, then in constant time.
    if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace")):
        return False
    return now - int(timestamp) <= MAX_AGE_SECONDS


def canonical_json(value):
    """The one spelling that is signed: no spaces, keys sorted at every level, the rest as JSON.stringify writes it."""
    if isinstance(value, dict):
        fields = sorted(value.items(), key=lambda field: _utf16(field[0]))
        return "{" + ",".join(f"{_string(key)}:{canonical_json(field)}" for key, field in fields) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    if isinstance(value, float):
        return _number(value)
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _utf16(key):
    """Sorts as JavaScript does, by UTF-16 code unit: an emoji comes before U+FFFD, though its code point is higher."""
    return key.encode("utf-16-be", "surrogatepass")


def _string(text):
    """JSON.stringify leaves "/" and all but control characters as they are, and escapes a half of a surrogate pair."""
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))


def _number(number):
    """ECMAScript, Number::toString: the shortest digits, with an exponent from 1e21 up and from 1e-7 down."""
    if number == 0:
        return "0"
    if abs(number) == float("inf"):
        return "null"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    if len(digits) <= point <= 21:
        text = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+d}"
    return "-" + text if sign else text


def _refuse(constant):
    raise ValueError(f"{constant} is not JSON")


class Receiver(BaseHTTPRequestHandler):
    """Takes POST requests at any path."""

    # One secret, or two while a secret is being rotated.
    secrets = ()
    # Seconds; a sender that stops in the middle is not waited for.
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = b""
        if re.fullmatch("[0-9]{1,6}", length) and int(length) <= MAX_BODY_BYTES:
            body = self.rfile.read(int(length))
        signature = self.headers.get("X-Request-Signature", "")
        timestamp = self.headers.get("X-Request-Timestamp", "")
        verified = any(
            verify_webhook_signature(body, signature, timestamp, secret, time.time()) for secret in self.secrets
        )
        self.send_response(200 if verified else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.flush()
        if not verified:
            print("refused", flush=True)
            return
        # Answered within 2 seconds: store it and go on; what takes longer comes afterwards. It can come twice: do
        # nothing when its payment_request_id and status are stored already.
        told = {"id": self.headers.get("webhook-id"), **json.loads(body)["data"]}
        print("verified", json.dumps(told), flush=True)

    def log_message(self, *_):
        """Says no more than the lines above."""


if __name__ == "__main__":
    Receiver.secrets = tuple(os.environ.get("WEBHOOK_SECRET", "").split())
    if not Receiver.secrets:
        sys.exit("Set WEBHOOK_SECRET to the secret that was answered when the webhook was created.")
    port = int(os.environ.get("PORT", "4100"))
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on http://127.0.0.1:{port}", flush=True)
    server.serve_forever()
