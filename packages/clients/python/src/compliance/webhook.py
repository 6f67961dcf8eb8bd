"""Verifies webhooks signed according to Standard Webhooks."""

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

_TOLERANCE_S = 300


class WebhookVerificationError(Exception):
    """Error for a webhook that fails verification. Respond with status 400, and don't process the webhook."""


def verify_webhook(
    body: Union[str, bytes], headers: Mapping[str, str], secret: Union[str, Sequence[str]], *, now: Optional[float] = None
) -> Any:
    """Verifies a webhook's signature and age, and returns its parsed body.

    ``body`` is the body exactly as received. ``secret`` is the watch's secret, which starts with ``whsec_``, or several secrets
    during a rotation. ``now`` is the current time in seconds (default: the system clock); a webhook's timestamp can be up to five
    minutes earlier or later. Raises ``WebhookVerificationError`` if a header is missing, no signature matches, the webhook is
    too old or too new, or the body isn't JSON.

    >>> event = compliance.verify_webhook(request.body, request.headers, os.environ["WEBHOOK_SECRET"])
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    by_name = {name.lower(): value for name, value in headers.items()}
    values = [by_name.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if "" in values:
        raise WebhookVerificationError("A webhook header is missing.")
    message_id, timestamp, signatures = values
    current = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(current - int(timestamp)) > _TOLERANCE_S:
        raise WebhookVerificationError("The webhook timestamp isn't within five minutes of the current time.")
    signed = f"{message_id}.{timestamp}.".encode() + raw
    keys = [_key(each) for each in ([secret] if isinstance(secret, str) else secret)]
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    given = [_decode(each[3:]) for each in signatures.split(" ") if each.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise WebhookVerificationError("The webhook signature is invalid.")
    try:
        return json.loads(raw)
    except ValueError:
        raise WebhookVerificationError("The webhook body isn't JSON.") from None


def _key(secret: str) -> bytes:
    key = _decode(secret[6:] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError("The webhook secret isn't valid.")
    return key


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
