"""Parts of a call that don't perform I/O, shared by the sync and async clients."""

import json
import os
import random
import re
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from hashlib import sha256
from ipaddress import ip_address
from typing import Any, BinaryIO, Callable, Dict, Generator, List, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union, cast
from urllib.parse import quote, urlencode, urlsplit

from ._job_files import transfer, wait
from .errors import ComplianceError, ConnectionError, DecodeError, Issue, error_class
from .models import GccGenerateResponse, HtsLookupResponse, Job
from .transport import Request, Response

MAX_CODES = 1000
"""Maximum number of codes per request."""
MAX_WAIT = 60
"""Longest ``Retry-After``, in seconds, that the client honors. If a response requests a longer wait, the call fails."""

Result = TypeVar("Result")
Steps = Generator[Union[Request, float], Optional[Response], Result]
"""Generator for one call. Yields a request to send or a number of seconds to wait, and returns the call's result."""


class RateLimitWindow(NamedTuple):
    """API key rate limit (``minute`` or ``day``), with its quota, window, and remaining requests."""

    name: str
    quota: int
    window_seconds: int
    remaining: int
    reset_seconds: int


class Exchange:
    """Request layer shared by all client operations. The layer adds the API key, retries requests, and maps errors."""

    def __init__(self, api_key: Optional[str], base_url: Optional[str], allow_http: bool, max_retries: int) -> None:
        self.__key = api_key or os.environ.get("COMPLIANCE_API_KEY", "")
        if not _printable(self.__key):
            raise ValueError("An API key is required. Set api_key or COMPLIANCE_API_KEY.")
        self.__allow_http = allow_http
        self.__base = _safe_url(base_url or os.environ.get("COMPLIANCE_BASE_URL") or "http://127.0.0.1:8787", allow_http)
        self.__max_retries = max_retries
        self.rate_limit: Sequence[RateLimitWindow] = ()

    def call(self, path: str, request: Mapping[str, Any], retries: Optional[int], key: Optional[str]) -> Steps[Any]:
        """Calls an operation with a JSON body. The path is relative to ``/api/v1/``. Fields that are ``None`` are omitted."""
        key = uuid.uuid4().hex if key is None else key
        if not _printable(key):
            raise ValueError("idempotency_key must be printable ASCII without spaces.")
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        body = json.dumps(_given(request)).encode()
        return (yield from self.__send(Request("POST", path, headers, body), retries))

    def read(self, path: str, fields: Mapping[str, Any], retries: Optional[int]) -> Steps[Any]:
        """Calls a read-only operation.

        Each field that isn't ``None`` replaces its ``{name}`` placeholder in the path or is added to the query.
        """
        query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in _given(fields).items()}
        for name in re.findall(r"{(\w+)}", path):
            path = path.replace("{" + name + "}", quote(query.pop(name), safe=""))
        return self.__send(Request("GET", path + "?" + urlencode(query), {}, b""), retries)

    def __send(self, request: Request, retries: Optional[int]) -> Steps[Any]:
        headers = {**request.headers, "Authorization": "Bearer " + self.__key, "Accept": "application/json"}
        headers["User-Agent"] = "compliance-python/0.1.0"
        url = "{}/api/v1/{}".format(self.__base, request.url)
        response = yield from self.__retried(request._replace(url=url, headers=headers), retries)
        result = _parse_object(response.body)
        if result is None:
            request_id = response.headers.get("x-request-id")
            message = "{}: the response isn't a JSON object.".format(response.status)
            raise DecodeError(message, status=response.status, request_id=request_id)
        return result

    def lookup(
        self, codes: Sequence[str], fields: Dict[str, Any], retries: Optional[int], key: Optional[str]
    ) -> Steps[HtsLookupResponse]:
        """Looks up any number of codes. Sends as many requests as needed, all for the same date, and merges the responses."""
        if isinstance(codes, str):
            raise TypeError("codes must be a list, such as [code].")
        merged: Dict[str, Any] = {}
        for start in range(0, max(len(codes), 1), MAX_CODES):
            part = list(codes[start : start + MAX_CODES])
            part_key = "{}-{}".format(key, start) if key is not None and start > 0 else key
            request = {**fields, "codes": part}
            try:
                response: Dict[str, Any] = yield from self.call("tariff/hts/lookup", request, retries, part_key)
                if len(codes) > MAX_CODES and len(response.get("results") or ()) != len(part):
                    raise DecodeError("The response doesn't have exactly one result for each code.")
            except ComplianceError as error:
                error.partial = cast(HtsLookupResponse, merged) if start > 0 else None
                raise
            if start == 0:
                merged = response
                fields["as_of"] = fields.get("as_of") or _object_at(response, "list").get("as_of")
            else:
                merged["results"] += response["results"]
                _object_at(merged, "list", "sources").update(_object_at(response, "list", "sources"))
        return cast(HtsLookupResponse, merged)

    def download(self, result: GccGenerateResponse) -> Steps[bytes]:
        """Downloads a certificate from its signed URL, without sending the API key, and verifies the file."""
        expected = result.get("pdf_sha256") or result.get("sha256")
        if not expected:
            raise DecodeError("The certificate's SHA-256 hash is missing, so the file can't be verified.")
        response = yield from self.__retried(Request("GET", _safe_url(result["gcc_pdf_url"], self.__allow_http), {}, b""), None)
        if sha256(response.body).hexdigest() != expected.lower():
            raise DecodeError("The file doesn't match the certificate's SHA-256 hash.")
        return response.body

    def upload_file(self, job: Job, file: BinaryIO, timeout: float) -> Job:
        """Uploads the file of a job to its signed URL, without sending the API key. Blocks until the upload is complete."""
        url = job["upload_url"]
        if url is None:
            raise ValueError("The job already has its file, or it was canceled.")
        return cast(Job, _parse_object(self.__transfer("PUT", url, file, None, timeout).body) or {})

    def save_result(self, job: Job, file: BinaryIO, timeout: float) -> None:
        """Writes the result of a job to a file. Blocks until the download is complete."""
        url = job["result_url"]
        if url is None:
            raise ValueError("The job has no result, because it has no file yet.")
        self.__transfer("GET", url, None, file, timeout)

    def wait_for_job(
        self, job_id: str, on_progress: Optional[Callable[[Job], Any]], deadline: Optional[float]
    ) -> Steps[Job]:
        """Gets a job until it has finished."""
        return wait(lambda: self.read("jobs/{id}", {"id": job_id}, None), on_progress, deadline)

    def __transfer(
        self, method: str, url: str, source: Optional[BinaryIO], target: Optional[BinaryIO], timeout: float
    ) -> Response:
        response = transfer(method, _safe_url(url, self.__allow_http), source, target, timeout)
        if not 200 <= response.status < 300:
            raise _error_of(response, self.__key)
        return response

    def __retried(self, request: Request, retries: Optional[int]) -> Steps[Response]:
        retries = self.__max_retries if retries is None else retries
        attempt = 0
        while True:
            try:
                response = cast(Response, (yield request))
                self.rate_limit = rate_limit_of(response.headers) or self.rate_limit
                if 200 <= response.status < 300:
                    return response
                raise _error_of(response, self.__key)
            except ComplianceError as error:
                wait = error.retry_after or 0.0
                if not _is_transient(error) or attempt >= retries or wait > MAX_WAIT:
                    raise
                # Use full jitter, so that clients that fail at the same time don't retry at the same time.
                yield max(wait, random.uniform(0, min(8, 0.5 * 2**attempt)))
                attempt += 1


def path_of(path: str, **values: str) -> str:
    """Replaces each ``{name}`` placeholder in a path."""
    return path.format(**{name: quote(value, safe="") for name, value in values.items()})


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _is_transient(error: ComplianceError) -> bool:
    status = error.status or 0
    return isinstance(error, ConnectionError) or status in (408, 409, 429) or status >= 500


def _error_of(response: Response, key: str) -> ComplianceError:
    # Remove the API key from the error, because a service or gateway might echo the request.
    body = _parse_object(response.body.replace(key.encode(), b"[key]")) or {}
    code, message, request_id, issues = (body.get(name) for name in ("error", "message", "request_id", "issues"))
    code = code if isinstance(code, str) else None
    if not isinstance(message, str):
        message = "redirected; check the base URL." if response.status < 400 else "no message."
    return error_class(response.status, code)(
        "{}{}: {}".format(response.status, " " + code if code else "", message),
        status=response.status,
        code=code,
        request_id=response.headers.get("x-request-id") or (request_id if isinstance(request_id, str) else None),
        issues=cast(List[Issue], issues) if isinstance(issues, list) else None,
        retry_after=retry_after_of(response.headers),
        body=body or None,
    )


def rate_limit_of(headers: Mapping[str, str]) -> Sequence[RateLimitWindow]:
    """Parses the ``RateLimit`` and ``RateLimit-Policy`` headers."""
    policies = re.findall(r'"(\w+)";q=(\d+);w=(\d+)', headers.get("ratelimit-policy", ""))
    left = {name: (int(r), int(t)) for name, r, t in re.findall(r'"(\w+)";r=(\d+);t=(\d+)', headers.get("ratelimit", ""))}
    return [RateLimitWindow(name, int(q), int(w), *left[name]) for name, q, w in policies if name in left]


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Returns the number of seconds to wait according to ``Retry-After``.

    If ``Retry-After`` is a date, calculates the wait from the ``Date`` header, because the client and server clocks
    might differ.
    """
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        date = headers.get("date")
        now = parsedate_to_datetime(date) if date else datetime.now(timezone.utc)
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast(Dict[str, Any], value) if isinstance(value, dict) else None


def _object_at(value: Any, *path: str) -> Dict[str, Any]:
    for name in path:
        value = cast(Dict[str, Any], value).get(name) if isinstance(value, dict) else None
    return cast(Dict[str, Any], value) if isinstance(value, dict) else {}


def _printable(text: str) -> bool:
    return re.fullmatch(r"[\x21-\x7e]+", text) is not None


def _safe_url(text: str, allow_http: bool) -> str:
    """Checks that it's safe to send an API key to a URL, and returns the URL without its trailing slash."""
    url = urlsplit(text)
    if url.scheme != "https" and not (url.scheme == "http" and (allow_http or _is_loopback(url.hostname or ""))):
        raise ValueError("Use an HTTPS URL. Plain HTTP is allowed only for localhost, or with allow_http.")
    if "@" in url.netloc or not _printable(text):
        raise ValueError("The URL must not contain a username, a password, or a space.")
    return text.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
