"""Receives webhooks and verifies their signatures. Requires Python 3.8 or newer and no packages.

Copy the functions into your program, or start with the complete receiver:

    WEBHOOK_SECRET=whsec_... PORT=4100 python3 verify_webhook.py

The webhooks are described in docs/reference/webhooks.md.
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

# Maximum age of a delivery. Prevents replays of recorded deliveries.
MAX_AGE_SECONDS = 300
MAX_BODY_BYTES = 65_536


def verify_webhook_signature(body, signature, timestamp, secret, now):
    """Verifies the signature and age of a delivery. Call it before you process the delivery.

    body: request body as bytes; parsed and re-serialized, so its spacing and key order are irrelevant
    signature: header X-Request-Signature
    timestamp: header X-Request-Timestamp, a Unix timestamp in seconds; timestamps in the future are accepted
    secret: webhook secret, as returned when the webhook was created, including its prefix whsec_
    now: current Unix timestamp in seconds
    Returns True if the delivery was signed with the secret at most 300 seconds ago. Never raises.
    """
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    try:
        # Parses every number as a double, because the service signs with JavaScript numbers.
        value = json.loads(body.decode("utf-8"), parse_int=float, parse_constant=_refuse)
        signed = f"{timestamp}.{canonical_json(value)}"
    except (ValueError, RecursionError):
        return False
    expected = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest()
    # compare_digest compares in constant time.
    if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace")):
        return False
    return now - int(timestamp) <= MAX_AGE_SECONDS


def canonical_json(value):
    """Serializes a value to the canonical JSON that is signed: no spaces, sorted keys, else like JSON.stringify."""
    if isinstance(value, dict):
        fields = sorted(value.items(), key=lambda field: _utf16(field[0]))
        return "{" + ",".join(f"{_string(key)}:{canonical_json(field)}" for key, field in fields) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    if isinstance(value, float):
        return _number(value)
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _utf16(key):
    """Maps a key to bytes that sort by UTF-16 code units, as in JavaScript: an emoji sorts before U+FFFD."""
    return key.encode("utf-16-be", "surrogatepass")


def _string(text):
    """Formats a string like JSON.stringify, which escapes lone surrogates and no other non-ASCII text."""
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))


def _number(number):
    """Formats a number like Number::toString in ECMAScript: shortest digits, exponent from 1e21 and from 1e-7."""
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
    """Handles POST requests at any path."""

    # The secret, or both secrets during a rotation.
    secrets = ()
    # Seconds. Ends connections that stop sending.
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
        # Store the delivery and respond within 2 seconds. Do slow work afterwards. Deliveries can be repeated: ignore a
        # delivery whose payment_request_id and status are already stored.
        event = {"id": self.headers.get("webhook-id"), **json.loads(body)["data"]}
        print("verified", json.dumps(event), flush=True)

    def log_message(self, *_):
        """Disables the request log."""


if __name__ == "__main__":
    Receiver.secrets = tuple(os.environ.get("WEBHOOK_SECRET", "").split())
    if not Receiver.secrets:
        sys.exit("Set WEBHOOK_SECRET to the secret that was returned when the webhook was created.")
    port = int(os.environ.get("PORT", "4100"))
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on http://127.0.0.1:{port}", flush=True)
    server.serve_forever()
