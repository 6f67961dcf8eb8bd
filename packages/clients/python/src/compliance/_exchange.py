"""What happens between a call and its answer, without doing any of it: both clients carry these steps out."""

import json
import os
import random
import re
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from hashlib import sha256
from ipaddress import ip_address
from typing import Any, Dict, Generator, List, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union, cast
from urllib.parse import urlencode, urlsplit

from .errors import ComplianceError, ConnectionError, DecodeError, Issue, error_class
from .models import GccGenerateResponse, HtsLookupResponse
from .transport import Request, Response

MAX_CODES = 1000
"""How many codes the service takes in one call."""
MAX_WAIT = 60
"""A longer ``Retry-After``, in seconds, is for the caller to wait out."""

Result = TypeVar("Result")
Steps = Generator[Union[Request, float], Optional[Response], Result]
"""Yields a request, to be answered by a :class:`Response` or an error, or the seconds to wait; returns the result."""


class RateLimitWindow(NamedTuple):
    """One limit of the key (``minute`` or ``day``): what it allows in which time, and what is left until it starts anew."""

    name: str
    quota: int
    window_seconds: int
    remaining: int
    reset_seconds: int


class Exchange:
    """Key, tries and errors, shared by the whole tree of a client."""

    def __init__(self, api_key: Optional[str], base_url: Optional[str], max_retries: int) -> None:
        self.__key = api_key or os.environ.get("COMPLIANCE_API_KEY", "")
        if not _printable(self.__key):
            raise ValueError("Give an API key: api_key, or COMPLIANCE_API_KEY.")
        self.__base = _safe_url(base_url or os.environ.get("COMPLIANCE_BASE_URL") or "http://127.0.0.1:8787")
        self.__max_retries = max_retries
        self.rate_limit: Sequence[RateLimitWindow] = ()

    def call(self, operation: str, request: Mapping[str, Any], retries: Optional[int], key: Optional[str]) -> Steps[Any]:
        """Calls an operation; its id is its path. Fields that are ``None`` are left out."""
        key = uuid.uuid4().hex if key is None else key
        if not _printable(key):
            raise ValueError("idempotency_key must be printable ASCII without spaces.")
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        body = json.dumps(_given(request)).encode()
        return (yield from self.__answer(Request("POST", operation.replace(".", "/"), headers, body), retries))

    def read(self, path: str, query: Mapping[str, Optional[str]], retries: Optional[int]) -> Steps[Any]:
        """Reads by a path and a query. Fields that are ``None`` are left out."""
        return self.__answer(Request("GET", path + "?" + urlencode(_given(query)), {}, b""), retries)

    def __answer(self, request: Request, retries: Optional[int]) -> Steps[Any]:
        headers = {**request.headers, "Authorization": "Bearer " + self.__key, "Accept": "application/json"}
        headers["User-Agent"] = "compliance-python/0.1.0"
        url = "{}/api/v1/{}".format(self.__base, request.url)
        response = yield from self.__retried(request._replace(url=url, headers=headers), retries)
        answer = _object_in(response.body)
        if answer is None:
            request_id = response.headers.get("x-request-id")
            message = "{}: the answer is not a JSON object.".format(response.status)
            raise DecodeError(message, status=response.status, request_id=request_id)
        return answer

    def lookup(
        self, codes: Sequence[str], fields: Dict[str, Any], retries: Optional[int], key: Optional[str]
    ) -> Steps[HtsLookupResponse]:
        """Looks up in as many calls as the codes need, all for the same date."""
        whole: Dict[str, Any] = {}
        for start in range(0, max(len(codes), 1), MAX_CODES):
            part = list(codes[start : start + MAX_CODES])
            own = "{}-{}".format(key, start) if key is not None and start > 0 else key
            answer: Dict[str, Any] = yield from self.call("tariff.hts.lookup", {**fields, "codes": part}, retries, own)
            if len(codes) > MAX_CODES and len(answer.get("results") or ()) != len(part):
                raise DecodeError("The answer has not one result for each code.")
            if start == 0:
                whole = answer
                fields["as_of"] = fields.get("as_of") or _object_at(answer, "list").get("as_of")
            else:
                whole["results"] += answer["results"]
                _object_at(whole, "list", "sources").update(_object_at(answer, "list", "sources"))
        return cast(HtsLookupResponse, whole)

    def download(self, result: GccGenerateResponse) -> Steps[bytes]:
        """Fetches a certificate by its signed address, without the key, and checks it."""
        expected = result.get("sha256")
        if not expected:
            raise DecodeError("The certificate has no sha256, so the file cannot be checked.")
        response = yield from self.__retried(Request("GET", _safe_url(result["gcc_pdf_url"]), {}, b""), None)
        if sha256(response.body).hexdigest() != expected.lower():
            raise DecodeError("The file is not the certificate: its SHA-256 differs.")
        return response.body

    def __retried(self, request: Request, retries: Optional[int]) -> Steps[Response]:
        retries = self.__max_retries if retries is None else retries
        tried = 0
        while True:
            try:
                response = cast(Response, (yield request))
                self.rate_limit = rate_limit_of(response.headers) or self.rate_limit
                if 200 <= response.status < 300:
                    return response
                raise _failure_of(response, self.__key)
            except ComplianceError as error:
                wait = error.retry_after or 0.0
                if not _is_transient(error) or tried >= retries or wait > MAX_WAIT:
                    raise
                # Full jitter, so that callers who failed together do not come back together.
                yield max(wait, random.uniform(0, min(8, 0.5 * 2**tried)))
                tried += 1


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _is_transient(error: ComplianceError) -> bool:
    status = error.status or 0
    return isinstance(error, ConnectionError) or status in (408, 409, 429) or status >= 500


def _failure_of(response: Response, key: str) -> ComplianceError:
    # A service or gateway that repeats the request must not put the key into an error.
    body = _object_in(response.body.replace(key.encode(), b"[key]")) or {}
    code, said, request_id, issues = (body.get(name) for name in ("error", "message", "request_id", "issues"))
    code = code if isinstance(code, str) else None
    if not isinstance(said, str):
        said = "a redirect; check the base URL." if response.status < 400 else "no further word."
    return error_class(response.status, code)(
        "{}{}: {}".format(response.status, " " + code if code else "", said),
        status=response.status,
        code=code,
        request_id=response.headers.get("x-request-id") or (request_id if isinstance(request_id, str) else None),
        issues=cast(List[Issue], issues) if isinstance(issues, list) else None,
        retry_after=retry_after_of(response.headers),
        body=body or None,
    )


def rate_limit_of(headers: Mapping[str, str]) -> Sequence[RateLimitWindow]:
    """The limits that an answer tells in ``RateLimit`` and ``RateLimit-Policy``."""
    policies = re.findall(r'"(\w+)";q=(\d+);w=(\d+)', headers.get("ratelimit-policy", ""))
    left = {name: (int(r), int(t)) for name, r, t in re.findall(r'"(\w+)";r=(\d+);t=(\d+)', headers.get("ratelimit", ""))}
    return [RateLimitWindow(name, int(q), int(w), *left[name]) for name, q, w in policies if name in left]


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """The seconds of ``Retry-After``. A date counts from the answer's own ``Date``, as the clocks of both may differ."""
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        date = headers.get("date")
        now = parsedate_to_datetime(date) if date else datetime.now(timezone.utc)
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None


def _object_in(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast(Dict[str, Any], value) if isinstance(value, dict) else None


def _object_at(answer: Any, *path: str) -> Dict[str, Any]:
    for name in path:
        answer = cast(Dict[str, Any], answer).get(name) if isinstance(answer, dict) else None
    return cast(Dict[str, Any], answer) if isinstance(answer, dict) else {}


def _printable(text: str) -> bool:
    return re.fullmatch(r"[\x21-\x7e]+", text) is not None


def _safe_url(address: str) -> str:
    """An address that a key may be sent to, without its last slash."""
    url = urlsplit(address)
    if url.scheme != "https" and not (url.scheme == "http" and _is_loopback(url.hostname or "")):
        raise ValueError("Use an https address; plain http is for this machine alone.")
    if "@" in url.netloc or not _printable(address):
        raise ValueError("The address must not hold a user name, a password or a blank.")
    return address.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
